//! Host variables: the items that SQL statements name, described for the run time.
//!
//! Structures are expanded to their elementary items, tables stand for arrays of rows. Rules: Db2 for z/OS Application Programming and SQL
//! Guide, "Host variables in COBOL", "Equivalent SQL and COBOL data types".
//!
//! Invariants: a variable that is an array has one dimension; the reference of a variable is its first element.

use super::Parser;
use super::cursor::Parsed;
use crate::names::{Named, QualifiedName};
use crate::program::*;
use sql::{HostReference, Role, Variable, VariableType};

/// Groups inside a host structure: one level.
const NESTING_MAX: u32 = 1;
/// Level of the two items of a character string of varying length.
const VARYING_LEVEL: u8 = 49;
const UTF_16: u16 = 1200;
const UTF_8: u16 = 1208;
const INDICATOR_LENGTH: u32 = 2;

/// The variables that one reference of a statement stands for, with their items and indicators.
#[derive(Default)]
pub struct Found {
    pub variables: Vec<Variable>,
    pub places: Vec<(Reference, Option<Reference>)>,
}

/// The description of one item.
struct Form {
    kind: VariableType,
    length: u32,
    precision: u8,
    scale: i8,
    ccsid: u16,
    /// Binary or packed without sign.
    unsigned: bool,
}

/// The indicators of a reference: one item or table, or the members of a group.
struct Indicators {
    items: Vec<ItemId>,
    span: Span,
}

impl Parser<'_> {
    /// Resolves a reference of an SQL statement.
    pub fn host_variables(&mut self, host: &HostReference, span: Span, indicator_span: Span) -> Parsed<Found> {
        let item = self.host_item(&host.name, span)?;
        let indicators = match &host.indicator {
            Some(name) => Some(self.indicators(name, indicator_span)?),
            None => None,
        };
        if host.role == Role::Descriptor {
            return self.descriptor(item, host, span);
        }
        let elements = self.host_elements(item, host, span)?;
        let is_structure = elements.len() > 1;
        let mut found = Found::default();
        for (index, element) in elements.into_iter().enumerate() {
            let written = host.name.join(".");
            let name = if is_structure { format!("{}.{}", self.item(item).name, self.item(element).name) } else { written };
            let form = self.host_form(element, &name, host, span)?;
            let (stride, occurs) = self.host_table(element, &name, host, span)?;
            let indicator = match &indicators {
                Some(indicators) => self.indicator(indicators, index, stride > 0)?,
                None => None,
            };
            let reference = self.first_element(element, &[], span);
            let (indicator, indicator_stride) = indicator.map_or((None, 0), |(reference, stride)| (Some(reference), stride));
            let Form { kind, length, precision, scale, ccsid, .. } = form;
            let has_indicator = indicator.is_some();
            found.variables.push(Variable {
                name,
                kind,
                length,
                precision,
                scale,
                ccsid,
                indicator: has_indicator,
                stride,
                indicator_stride,
                occurs,
                reversed: false,
                indicator_reversed: false,
            });
            found.places.push((reference, indicator));
        }
        Ok(found)
    }

    /// The item of a name, whose qualifiers come first.
    fn host_item(&mut self, name: &[String], span: Span) -> Parsed<ItemId> {
        let mut parts = name.iter().rev().map(|part| part.to_ascii_uppercase().into_boxed_str());
        let Some(last) = parts.next() else { return self.fail_at(span, "a host variable has a name") };
        let name = QualifiedName { name: last, qualifiers: parts.collect(), span };
        match self.resolve(&name)? {
            Named::Item(item) => Ok(item),
            _ => self.fail_at(span, format!("{} is not a data item; it cannot be a host variable", name.text())),
        }
    }

    /// The elementary items of a structure, or the item itself.
    fn host_elements(&mut self, item: ItemId, host: &HostReference, span: Span) -> Parsed<Vec<ItemId>> {
        let program = &self.unit.program;
        if !is_structure(program, item) {
            return Ok(vec![item]);
        }
        let mut elements = Vec::new();
        let name = program.item(item).name.clone();
        if let Err(reason) = collect(program, item, 0, &mut elements) {
            return self.refuse_host(&name, &reason, span);
        }
        match elements.len() {
            0 => self.refuse_host(&name, "the group has no items that a host structure may have", span),
            1 => Ok(elements),
            _ if host.structure => {
                elements.iter().for_each(|element| self.unit.program.items[element.0 as usize].referenced = true);
                Ok(elements)
            }
            count => self.refuse_host(&name, &format!("it is a group of {count} items, and this place takes one variable"), span),
        }
    }

    fn host_form(&mut self, item: ItemId, name: &str, host: &HostReference, span: Span) -> Parsed<Form> {
        let form = match form_of(&self.unit.program, item, self.options.uses_binary_floating_point()) {
            Ok(form) => form,
            Err(reason) => return self.refuse_host(name, &reason, span),
        };
        let is_text = matches!(form.kind, VariableType::Char | VariableType::VarChar | VariableType::Clob | VariableType::Graphic)
            || matches!(form.kind, VariableType::VarGraphic | VariableType::DbClob);
        if host.role == Role::Text && !is_text {
            return self.refuse_host(name, "this place takes a character string", span);
        }
        if form.unsigned {
            self.report.warning(span, format!("{name} has no sign; SQL uses it as if it had one"));
        }
        Ok(form)
    }

    /// Distance and number of the elements of a host variable array; zeros for one variable.
    fn host_table(&mut self, item: ItemId, name: &str, host: &HostReference, span: Span) -> Parsed<(u32, u32)> {
        let table = match self.item(item).dimensions.as_slice() {
            [] => return Ok((0, 0)),
            [table] if host.array => *table,
            [_] => return self.refuse_host(name, "it is a table, which only FETCH and INSERT of several rows take", span),
            _ => return self.refuse_host(name, "it has more than one dimension", span),
        };
        let extent = self.item(table).occurs.as_ref().map(|occurs| (occurs.stride.is_fixed(), occurs.stride.fixed, occurs.max));
        match extent {
            Some((true, stride, max)) => Ok((stride, max)),
            _ => self.refuse_host(name, "its elements vary in length", span),
        }
    }

    /// The first element in all dimensions but the last ones, whose numbers are given.
    fn first_element(&mut self, item: ItemId, last: &[u32], span: Span) -> Reference {
        let dimensions = self.item(item).dimensions.len();
        let mut subscripts = vec![1; dimensions];
        subscripts[dimensions - last.len()..].copy_from_slice(last);
        let subscripts = subscripts.into_iter().map(Subscript::Literal).collect();
        let reference = Reference { subscripts, maximum_length: true, ..Reference::plain(item, span) };
        self.unit.debugging.mention(&reference);
        reference
    }

    /// An SQLDA describes itself.
    fn descriptor(&mut self, item: ItemId, host: &HostReference, span: Span) -> Parsed<Found> {
        let name = host.name.join(".");
        let described = self.item(item);
        if described.category != Category::Group || !described.dimensions.is_empty() {
            return self.refuse_host(&name, "this place takes an SQLDA", span);
        }
        let variable = Variable { name, ..Variable::single(VariableType::Descriptor, described.length_max, 0, 0) };
        Ok(Found { variables: vec![variable], places: vec![(self.first_element(item, &[], span), None)] })
    }

    fn indicators(&mut self, name: &[String], span: Span) -> Parsed<Indicators> {
        let item = self.host_item(name, span)?;
        let program = &self.unit.program;
        let items: Vec<ItemId> = match program.item(item).is_group() {
            true => program.children(item).filter(|child| &*program.item(*child).name != "FILLER").collect(),
            false => vec![item],
        };
        let is_indicator = |id: &ItemId| {
            let item = program.item(*id);
            let binary = matches!(item.usage, Usage::Binary | Usage::NativeBinary) && item.category == Category::Numeric;
            binary && item.length_max == INDICATOR_LENGTH && item.scale == 0 && item.sign != Sign::Unsigned
        };
        if let Some(wrong) = items.iter().find(|item| !is_indicator(item)) {
            let name = program.item(*wrong).name.clone();
            return self.fail_at(span, format!("{name} cannot be an indicator: it must be PIC S9(4) of usage COMP or COMP-5"));
        }
        Ok(Indicators { items, span })
    }

    /// The indicator of the element so many of a reference, and the distance to that of the next row. A structure may have more items than
    /// indicators.
    fn indicator(&mut self, indicators: &Indicators, index: usize, is_array: bool) -> Parsed<Option<(Reference, u32)>> {
        let several = indicators.items.len() > 1;
        let Some(item) = indicators.items.get(if several { index } else { 0 }).copied() else { return Ok(None) };
        let dimensions = self.item(item).dimensions.clone();
        let extent =
            |parser: &Self, table: ItemId| parser.item(table).occurs.as_ref().map_or((0, 0), |occurs| (occurs.stride.fixed, occurs.max));
        let rows = usize::from(is_array);
        if dimensions.len() < rows || dimensions.len() > rows + 1 {
            let name = self.item(item).name.clone();
            let needed = if is_array { "a table with an element for each row" } else { "one item, or a table for a structure" };
            return self.fail_at(indicators.span, format!("{name} cannot be an indicator here: it must be {needed}"));
        }
        let stride = if is_array { extent(self, dimensions[0]).0 } else { 0 };
        if dimensions.len() == rows {
            let has_one = several || index == 0;
            return Ok(has_one.then(|| (self.first_element(item, &[], indicators.span), stride)));
        }
        let number = if several { 1 } else { index as u32 + 1 };
        let exists = number <= extent(self, dimensions[rows]).1;
        Ok(exists.then(|| (self.first_element(item, &[number], indicators.span), stride)))
    }

    fn refuse_host<T>(&mut self, name: &str, reason: &str, span: Span) -> Parsed<T> {
        self.fail_at(span, format!("{name} cannot be a host variable here: {reason}"))
    }
}

/// A group that is not one variable by itself.
fn is_structure(program: &Program, item: ItemId) -> bool {
    let described = program.item(item);
    described.category == Category::Group && described.sql_type.is_none() && varying(program, item).is_none()
}

/// The members of a structure. FILLER and redefinitions are not part of it.
fn collect(program: &Program, group: ItemId, depth: u32, elements: &mut Vec<ItemId>) -> Result<(), String> {
    for member in program.children(group) {
        let item = program.item(member);
        if &*item.name == "FILLER" || item.redefines.is_some() {
            continue;
        }
        if !is_structure(program, member) {
            elements.push(member);
        } else if depth < NESTING_MAX {
            collect(program, member, depth + 1, elements)?;
        } else {
            return Err(format!("{} is a group at the third level of the structure", item.name));
        }
    }
    Ok(())
}

/// The data item of a string of varying length: a group of two items of level 49, the first a halfword.
fn varying(program: &Program, group: ItemId) -> Option<ItemId> {
    let mut members = program.children(group);
    let (length, data, rest) = (members.next()?, members.next()?, members.next());
    let at_level = |item: ItemId| program.item(item).level == VARYING_LEVEL;
    let length = program.item(length);
    let halfword = matches!(length.usage, Usage::Binary | Usage::NativeBinary) && length.length_max == 2 && length.scale == 0;
    let fits = program.item(group).category == Category::Group && rest.is_none() && halfword && length.level == VARYING_LEVEL;
    (fits && at_level(data)).then_some(data)
}

/// How SQL uses an item; the reason if it cannot.
fn form_of(program: &Program, id: ItemId, binary_floating_point: bool) -> Result<Form, String> {
    let item = program.item(id);
    let form = |kind, length| Form { kind, length, precision: 0, scale: 0, ccsid: 0, unsigned: false };
    if let Some((kind, length)) = item.sql_type {
        return Ok(form(kind, length));
    }
    if varying_length(program, id).is_some() {
        return Err("it is of DYNAMIC LENGTH".to_string());
    }
    if let Some(data) = varying(program, id) {
        let data = form_of(program, data, binary_floating_point)?;
        let kind = match data.kind {
            VariableType::Char => VariableType::VarChar,
            VariableType::Graphic => VariableType::VarGraphic,
            _ => return Err("the second item of level 49 must be a character string".to_string()),
        };
        return Ok(Form { kind, ..data });
    }
    match item.category {
        Category::Alphanumeric | Category::Alphabetic => Ok(form(VariableType::Char, item.length_max)),
        Category::Utf8 => Ok(Form { ccsid: UTF_8, ..form(VariableType::Char, item.length_max) }),
        Category::National => Ok(Form { ccsid: UTF_16, ..form(VariableType::Graphic, item.length_max / 2) }),
        Category::Dbcs => Ok(form(VariableType::Graphic, item.length_max / 2)),
        Category::InternalFloat => {
            let kind = match (item.usage, binary_floating_point) {
                (Usage::Float, false) => VariableType::Real,
                (Usage::Float, true) => VariableType::IeeeReal,
                (_, false) => VariableType::Double,
                (_, true) => VariableType::IeeeDouble,
            };
            Ok(form(kind, item.length_max))
        }
        Category::Numeric => number_form(item),
        other => Err(format!("it is {}", super::expression::category_name(other))),
    }
}

fn number_form(item: &Item) -> Result<Form, String> {
    if item.scale < 0 || item.scale > item.digits as i8 {
        return Err("its PICTURE has the symbol P".to_string());
    }
    let signed = item.sign != Sign::Unsigned;
    let kind = match (item.usage, item.sign, item.length_max) {
        (Usage::Binary | Usage::NativeBinary, _, 2) => VariableType::SmallInt,
        (Usage::Binary | Usage::NativeBinary, _, 4) => VariableType::Integer,
        (Usage::Binary | Usage::NativeBinary, _, _) => VariableType::BigInt,
        (Usage::Packed, ..) => VariableType::Packed,
        (Usage::Display, Sign::LeadingSeparate, _) => VariableType::SignSeparate { leading: true },
        (Usage::Display, Sign::TrailingSeparate, _) => VariableType::SignSeparate { leading: false },
        (Usage::Display, Sign::Leading, _) => return Err("its sign is in the first digit".to_string()),
        (Usage::Display, ..) => VariableType::Zoned { signed },
        _ => return Err("it is a number of usage NATIONAL".to_string()),
    };
    let unsigned = !signed && item.usage != Usage::Display;
    Ok(Form { kind, length: u32::from(item.digits), precision: item.digits, scale: item.scale, ccsid: 0, unsigned })
}
