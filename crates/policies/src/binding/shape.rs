//! The elements of an event binding that describe data: the items of an event, the fields they come from, and predicates of fields.

use super::format::{Form, Layout};
use super::point::{Place, Point};
use super::predicate::{Comparison, scaled};
use super::value::Kind;
use super::{ContextItem, DataPredicate, Field, Imported, Item, LENGTH_MAX, NAME_LENGTH_MAX, Source};
use crate::xml;
use roxmltree::Node;

/// Longest name of a container.
const CONTAINER_LENGTH_MAX: usize = 16;
/// Most digits behind a decimal point.
const PRECISION_MAX: usize = 31;
/// Context items that can be captured, by the names of the context filter.
const CONTEXT_ITEMS: [(&str, ContextItem); 6] = [
    ("transactionId", ContextItem::Transaction),
    ("currentProgram", ContextItem::Program),
    ("userId", ContextItem::User),
    ("CommandResp", ContextItem::Response),
    ("EIBAID", ContextItem::Aid),
    ("EIBCPOSN", ContextItem::Cursor),
];

/// An item as the event declares it.
pub struct Declared {
    pub name: String,
    pub layout: Layout,
}

impl Declared {
    /// # Errors
    ///
    /// It is not an item of an event.
    pub fn of(element: Node) -> Result<Declared, String> {
        if element.tag_name().name() != "eventInformationItem" {
            return Err(format!("{} is not an element of eventInformation", element.tag_name().name()));
        }
        let name = xml::attribute(element, "name");
        if name.is_empty() || name.len() > NAME_LENGTH_MAX {
            return Err(format!("the name of an item has 1 to {NAME_LENGTH_MAX} characters: {name}"));
        }
        let layout = layout(element, ["dataType", "length", "dataPrecision"])?;
        Ok(Declared { name: name.to_string(), layout })
    }
}

impl ContextItem {
    pub fn name(self) -> &'static str {
        CONTEXT_ITEMS.iter().find(|(_, item)| *item == self).map_or("", |(name, _)| name)
    }
}

fn number(element: Node, attribute: &str, most: usize) -> Result<usize, String> {
    let text = xml::attribute(element, attribute);
    let value = if text.is_empty() { Some(0) } else { text.parse().ok().filter(|value| *value <= most) };
    value.ok_or_else(|| format!("{attribute} {text} is not a number up to {most}"))
}

fn layout(element: Node, [kind, length, precision]: [&str; 3]) -> Result<Layout, String> {
    let given = xml::attribute(element, kind);
    let form = Form::find(given).ok_or_else(|| format!("{given} is not a format: text, numeric or scientific is expected"))?;
    Ok(Layout { form, length: number(element, length, LENGTH_MAX)?, precision: number(element, precision, PRECISION_MAX)? })
}

fn field(element: Node, place: Place) -> Result<Field, String> {
    let given = xml::attribute(element, "captureDataType");
    let kind = Kind::find(given).ok_or_else(|| format!("type {given} of data is not available"))?;
    let mut length = number(element, "captureLength", LENGTH_MAX)?;
    if !kind.allows(length) {
        return Err(format!("{given} data cannot have a length of {length}"));
    }
    length = kind.binary_bytes().unwrap_or(length);
    let container = xml::attribute(element, "container").to_string();
    if place.is_channel() && !(1..=CONTAINER_LENGTH_MAX).contains(&container.len()) {
        return Err(format!("the name of a container has 1 to {CONTAINER_LENGTH_MAX} characters: {container}"));
    }
    let name = |attribute: &str| xml::attribute(element, attribute).to_string();
    Ok(Field {
        place,
        container,
        offset: number(element, "offset", i32::MAX as usize)?,
        length,
        kind,
        precision: number(element, "captureDataPrecision", PRECISION_MAX)?,
        imported: Imported {
            file: name("languageFileName"),
            structure: name("languageStructureName"),
            variable: name("languageVariableName"),
        },
    })
}

fn place(element: Node, point: &Point, has_data: &impl Fn(Place) -> bool) -> Result<Place, String> {
    let source = xml::attribute(element, "source");
    let place = Place::find(source).filter(|place| point.data.contains(place));
    let place = place.ok_or_else(|| format!("{source} is not a source of data of {}", point.name))?;
    if has_data(place) { Ok(place) } else { Err(format!("{source} has no data before the command")) }
}

/// A predicate of data.
///
/// # Errors
///
/// Why it cannot be built.
pub fn data_predicate(element: Node, point: &Point, has_data: &impl Fn(Place) -> bool) -> Result<DataPredicate, String> {
    if element.tag_name().name() != "dataFilterItem" {
        return Err(format!("{} is not an element of dataFilter", element.tag_name().name()));
    }
    let field = field(element, place(element, point, has_data)?)?;
    let comparison = Comparison::of(element)?;
    let is_numeric = !field.kind.is_text();
    if is_numeric && !comparison.value.is_empty() && scaled(&comparison.value, field.precision).is_err() {
        return Err(format!("{} is not a number to compare {} data with", comparison.value, field.kind.name()));
    }
    Ok(DataPredicate { field, comparison })
}

/// The items of an event with their sources in a capture specification. An item without a source is emitted without data.
///
/// # Errors
///
/// Why the capture specification cannot be created.
pub fn items(
    capture: Option<Node>,
    point: &'static Point,
    declared: &[Declared],
    has_data: &impl Fn(Place) -> bool,
) -> Result<Vec<Item>, String> {
    let captured: Vec<Node> = capture.into_iter().flat_map(xml::elements).filter_map(|item| xml::child(item, "dataCaptureItem")).collect();
    let unknown =
        captured.iter().map(|item| xml::attribute(*item, "eventItemName")).find(|name| declared.iter().all(|item| item.name != *name));
    if let Some(unknown) = unknown {
        return Err(format!("the event has no item {unknown}"));
    }
    let item = |declared: &Declared| {
        let element = captured.iter().find(|item| xml::attribute(**item, "eventItemName") == declared.name);
        let element = element.ok_or_else(|| format!("item {} has no source", declared.name))?;
        let source = source(*element, point, has_data)?;
        let layout = declared.layout.clone();
        if let Source::Data(field) = &source
            && layout.form == Form::Scientific
            && field.kind.is_text()
        {
            return Err(format!("item {} is scientific, and its data are characters", declared.name));
        }
        Ok(Item { name: declared.name.clone(), source, layout })
    };
    declared.iter().map(item).collect()
}

fn source(element: Node, point: &'static Point, has_data: &impl Fn(Place) -> bool) -> Result<Source, String> {
    let given = xml::attribute(element, "source");
    if let Some((_, item)) = CONTEXT_ITEMS.iter().find(|(name, _)| *name == given) {
        return Ok(Source::Context(*item));
    }
    // CHANNEL with a container is data of the channel, and without one the name of the channel.
    let is_option = xml::attribute(element, "container").is_empty() || Place::find(given).is_none();
    if let Some(option) = point.options.iter().find(|option| **option == given && is_option) {
        return Ok(Source::Option(option));
    }
    Ok(Source::Data(field(element, place(element, point, has_data)?)?))
}
