//! The variables of a stopped program as a debugger shows them: scopes, then items, groups, tables page by page, condition-names, and what
//! the task has besides the program's storage.
//!
//! Invariants: everything here runs in the stopped task; what is expanded is named by indexes and occurrence numbers, never by an
//! address, so it is found anew each time and is never that of another item; at most [`ROWS_MAX`] rows are given at once.

use crate::assign;
use crate::data::{self, Located, PAGE};
use crate::expression;
use crate::place::Entry;
use crate::stop::View;
use program::module::debugging::{Debugging, ItemInfo, Section};
use region::channel::Channel;
use region::name::Name16;
use std::sync::Arc;

/// Rows of one answer; a group of more items is cut.
const ROWS_MAX: usize = 5000;
/// The group of the EXEC interface block.
const EIB: &str = "DFHEIBLK";

/// Something that has variables in it.
#[derive(Clone, Debug)]
pub enum Inside {
    Section {
        entry: usize,
        section: Section,
    },
    Eib {
        entry: usize,
    },
    /// The special registers and index-names of the program.
    Commarea {
        entry: usize,
    },
    Channel {
        entry: usize,
        name: Name16,
    },
    Task,
    /// One occurrence of an item: the items of the group, and the condition-names.
    Item {
        entry: usize,
        item: u32,
        subscripts: Vec<u32>,
    },
    /// All occurrences of a table: `subscripts` are those of the tables around it.
    Table {
        entry: usize,
        item: u32,
        subscripts: Vec<u32>,
    },
    Page {
        entry: usize,
        item: u32,
        subscripts: Vec<u32>,
        first: u32,
        count: u32,
    },
}

/// One variable.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub name: String,
    pub value: String,
    pub kind: String,
    /// The expression that gives it.
    pub evaluate_name: Option<String>,
    pub memory: Option<usize>,
    pub inside: Option<Inside>,
    /// Occurrences of a table.
    pub indexed: u32,
    target: Option<Target>,
}

/// What a new value is stored into.
#[derive(Clone, Debug)]
enum Target {
    Item { entry: usize, item: u32, subscripts: Vec<u32> },
    Condition { entry: usize, item: u32, subscripts: Vec<u32>, name: String },
}

/// What a client wants to see of a table: the first occurrence from 0, and how many.
pub type Range = Option<(u32, u32)>;

fn entry<'a>(view: &'a View, index: usize) -> Result<&'a Entry, String> {
    view.entries.get(index).ok_or_else(|| "there is no such frame".to_string())
}

/// The scopes of a frame, in the order shown.
pub fn scopes(view: &View, index: usize) -> Result<Vec<(String, Inside)>, String> {
    let own = entry(view, index)?;
    let mut scopes = Vec::new();
    if let Some(debugging) = own.debugging() {
        let program = own.frame.program();
        let sections = [
            ("WORKING-STORAGE", Section::WorkingStorage),
            ("LOCAL-STORAGE", Section::LocalStorage),
            ("LINKAGE", Section::Linkage),
            ("FILE", Section::File),
            ("Registers and index-names", Section::Register),
        ];
        for (name, section) in sections {
            if data::records(debugging, program, section).any(|item| debugging.items[item as usize].name != EIB) {
                scopes.push((name.to_string(), Inside::Section { entry: index, section }));
            }
        }
        if eib_of(debugging, program).is_some() {
            scopes.push(("EIB".to_string(), Inside::Eib { entry: index }));
        }
    }
    let level = &view.task.levels[own.level - 1];
    if level.commarea.length > 0 {
        scopes.push(("COMMAREA".to_string(), Inside::Commarea { entry: index }));
    }
    let channels = level.channel.iter().chain(&level.channels);
    scopes.extend(channels.map(|channel| (format!("Channel {}", channel.name()), Inside::Channel { entry: index, name: channel.name() })));
    scopes.push(("Task".to_string(), Inside::Task));
    Ok(scopes)
}

fn eib_of(debugging: &Debugging, program: usize) -> Option<u32> {
    data::records(debugging, program, Section::Linkage).find(|item| debugging.items[*item as usize].name == EIB)
}

/// The variables in something.
pub fn rows(view: &View, inside: &Inside, range: Range) -> Result<Vec<Row>, String> {
    let mut rows = match inside {
        Inside::Section { entry: index, section } => {
            let (own, debugging) = with_items(view, *index)?;
            let records = data::records(debugging, own.frame.program(), *section);
            let records = records.filter(|item| debugging.items[*item as usize].name != EIB);
            records.take(ROWS_MAX).map(|item| item_row(own, *index, debugging, item, &[])).collect()
        }
        Inside::Eib { entry: index } => {
            let (own, debugging) = with_items(view, *index)?;
            let eib = eib_of(debugging, own.frame.program()).ok_or("the program has no EIB")?;
            data::children(debugging, eib).map(|item| item_row(own, *index, debugging, item, &[])).collect()
        }
        Inside::Commarea { entry: index } => commarea_rows(view, *index)?,
        Inside::Channel { entry: index, name } => channel_rows(view, *index, *name)?,
        Inside::Task => task_rows(view),
        Inside::Item { entry: index, item, subscripts } => {
            let (own, debugging) = with_items(view, *index)?;
            let children = data::children(debugging, *item).take(ROWS_MAX);
            let mut rows: Vec<Row> = children.map(|child| item_row(own, *index, debugging, child, subscripts)).collect();
            rows.extend(condition_rows(own, *index, debugging, *item, subscripts));
            rows
        }
        Inside::Table { entry: index, item, subscripts } => {
            let (own, debugging) = with_items(view, *index)?;
            let count = data::occurrences(own.frame, *item);
            match range {
                Some((first, wanted)) => {
                    let last = first.saturating_add(wanted.min(ROWS_MAX as u32)).min(count);
                    element_rows(own, *index, debugging, *item, subscripts, first.saturating_add(1)..=last)
                }
                None if count <= PAGE => element_rows(own, *index, debugging, *item, subscripts, 1..=count),
                None => page_rows(*index, *item, subscripts, count),
            }
        }
        Inside::Page { entry: index, item, subscripts, first, count } => {
            let (own, debugging) = with_items(view, *index)?;
            let last = (first + count - 1).min(data::occurrences(own.frame, *item));
            element_rows(own, *index, debugging, *item, subscripts, *first..=last)
        }
    };
    number_alike(&mut rows);
    Ok(rows)
}

fn with_items<'a>(view: &'a View, index: usize) -> Result<(&'a Entry, &'a Debugging), String> {
    let own = entry(view, index)?;
    own.debugging().map(|debugging| (own, debugging)).ok_or_else(|| "the program was not compiled with TEST".to_string())
}

/// A client finds a variable by its name: items of the same name, as FILLER, get numbers.
fn number_alike(rows: &mut [Row]) {
    let mut seen = rustc_hash::FxHashMap::default();
    for row in rows {
        let count: &mut u32 = seen.entry(row.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            row.name = format!("{} #{count}", row.name);
        }
    }
}

/// An item within the occurrences `subscripts` of the tables around it.
fn item_row(own: &Entry, index: usize, debugging: &Debugging, item: u32, subscripts: &[u32]) -> Row {
    let info = &debugging.items[item as usize];
    let name = info.name.clone();
    if info.occurs.is_some() {
        let count = data::occurrences(own.frame, item);
        let inside = Inside::Table { entry: index, item, subscripts: subscripts.to_vec() };
        let kind = format!("{} OCCURS", data::description(info));
        return Row { name, value: format!("{count} occurrences"), kind, inside: Some(inside), indexed: count, ..Row::default() };
    }
    Row { name, ..occurrence_row(own, index, debugging, item, subscripts) }
}

/// An item with all its subscripts.
fn occurrence_row(own: &Entry, index: usize, debugging: &Debugging, item: u32, subscripts: &[u32]) -> Row {
    let info = &debugging.items[item as usize];
    let located = data::locate(own.frame, item, subscripts);
    let has_inside = data::children(debugging, item).next().is_some() || data::conditions(debugging, item).next().is_some();
    let inside = has_inside.then(|| Inside::Item { entry: index, item, subscripts: subscripts.to_vec() });
    Row {
        name: String::new(),
        value: located.as_ref().map_err(Clone::clone).and_then(data::shown).unwrap_or_else(|why| format!("({why})")),
        kind: data::description(info),
        evaluate_name: evaluate_name(debugging, item, info, subscripts),
        memory: located.as_ref().ok().map(|located| located.address),
        inside: inside.filter(|_| located.is_ok()),
        indexed: 0,
        target: Some(Target::Item { entry: index, item, subscripts: subscripts.to_vec() }),
    }
}

/// The name, qualified as far as needed, with subscripts.
fn evaluate_name(debugging: &Debugging, item: u32, info: &ItemInfo, subscripts: &[u32]) -> Option<String> {
    if info.name == "FILLER" {
        return None;
    }
    let alike = debugging.items_of(info.program as usize).filter(|(_, other)| other.name == info.name).count();
    let mut name = info.name.clone();
    if alike > 1 {
        let above = std::iter::successors(debugging.items[item as usize].parent, |item| debugging.items[*item as usize].parent);
        for parent in above.map(|parent| &debugging.items[parent as usize]).filter(|parent| parent.name != "FILLER") {
            name = format!("{name} OF {}", parent.name);
        }
    }
    if !subscripts.is_empty() {
        let numbers: Vec<String> = subscripts.iter().map(u32::to_string).collect();
        name = format!("{name}({})", numbers.join(","));
    }
    Some(name)
}

fn element_rows(
    own: &Entry,
    index: usize,
    debugging: &Debugging,
    item: u32,
    around: &[u32],
    numbers: std::ops::RangeInclusive<u32>,
) -> Vec<Row> {
    let row = |number: u32| {
        let subscripts = [around, &[number]].concat();
        Row { name: format!("({number})"), ..occurrence_row(own, index, debugging, item, &subscripts) }
    };
    numbers.take(ROWS_MAX).map(row).collect()
}

fn page_rows(index: usize, item: u32, subscripts: &[u32], count: u32) -> Vec<Row> {
    let page = |first: u32| {
        let last = (first + PAGE - 1).min(count);
        let inside = Inside::Page { entry: index, item, subscripts: subscripts.to_vec(), first, count: last - first + 1 };
        Row { name: format!("({first}:{last})"), inside: Some(inside), ..Row::default() }
    };
    (1..=count).step_by(PAGE as usize).take(ROWS_MAX).map(page).collect()
}

fn condition_rows(own: &Entry, index: usize, debugging: &Debugging, item: u32, subscripts: &[u32]) -> Vec<Row> {
    let located = data::locate(own.frame, item, subscripts);
    let row = |condition: &program::module::debugging::ConditionInfo| {
        let truth = located.as_ref().map_err(Clone::clone).and_then(|located| expression::holds(condition, located));
        let (name, subscripts) = (condition.name.clone(), subscripts.to_vec());
        Row {
            name: name.clone(),
            value: truth.map_or_else(|why| format!("({why})"), |truth| truth.to_string()),
            kind: "88".to_string(),
            target: Some(Target::Condition { entry: index, item, subscripts, name }),
            ..Row::default()
        }
    };
    data::conditions(debugging, item).map(row).collect()
}

fn simple(name: &str, value: impl Into<String>) -> Row {
    Row { name: name.to_string(), value: value.into(), ..Row::default() }
}

fn commarea_rows(view: &View, index: usize) -> Result<Vec<Row>, String> {
    let area = view.task.levels[entry(view, index)?.level - 1].commarea;
    let page = &view.task.region.code_page;
    let bytes = area.truncated(data::SHOWN_BYTES_MAX as usize).read().map_err(|_| "the communication area is not addressable")?;
    let text: String = page.text(&bytes).chars().map(|character| if character.is_control() { '.' } else { character }).collect();
    let characters = Row { memory: Some(area.address), ..simple("characters", format!("'{}'", text.trim_end())) };
    Ok(vec![simple("length", area.length.to_string()), characters, simple("hexadecimal", data::LIMITS.hexadecimal(&bytes))])
}

fn channel_rows(view: &View, index: usize, name: Name16) -> Result<Vec<Row>, String> {
    let level = &view.task.levels[entry(view, index)?.level - 1];
    let channel: &Arc<Channel> =
        level.channel.iter().chain(&level.channels).find(|channel| channel.name() == name).ok_or("the channel is no longer there")?;
    let mut names = channel.container_names();
    names.sort_unstable();
    let row = |name: Name16| {
        channel.with(name, |container| {
            let shown = &container.data[..container.data.len().min(data::SHOWN_BYTES_MAX as usize)];
            let (kind, value) = match container.code_page {
                Some(page) => ("CHAR", format!("'{}'", page.decode(shown).trim_end())),
                None => ("BIT", data::LIMITS.hexadecimal(shown)),
            };
            Row { kind: format!("{kind}, {} bytes", container.data.len()), ..simple(name.as_str(), value) }
        })
    };
    Ok(names.into_iter().take(ROWS_MAX).filter_map(row).collect())
}

fn task_rows(view: &View) -> Vec<Row> {
    let task = &*view.task;
    let mut rows = vec![
        simple("number", task.number.to_string()),
        simple("transaction", task.transid.as_str()),
        simple("user", task.user_id.as_str()),
        simple("program", task.program_name().as_str()),
        simple("level", task.levels.len().to_string()),
        simple("commands", task.performance.commands.to_string()),
    ];
    if !task.terminal_name().is_blank() {
        rows.insert(3, simple("terminal", task.terminal_name().as_str()));
    }
    rows
}

/// Stores a new value of one of the variables in something; the row as it is then.
pub fn set(view: &View, inside: &Inside, name: &str, text: &str) -> Result<Row, String> {
    // Names of occurrences lead to them at once: the table may be long.
    let wanted = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')?.parse::<u32>().ok());
    let range = wanted.filter(|_| matches!(inside, Inside::Table { .. })).map(|number| (number.saturating_sub(1), 1));
    let mut row = rows(view, inside, range)?.into_iter().find(|row| row.name == name).ok_or_else(|| format!("there is no {name} here"))?;
    row.value = match row.target.clone() {
        None => return Err(format!("{name} cannot be changed")),
        Some(Target::Item { entry: index, item, subscripts }) => {
            assign::assign(&data::locate(entry(view, index)?.frame, item, &subscripts)?, text)?
        }
        Some(Target::Condition { entry: index, item, subscripts, name }) => {
            let (own, debugging) = with_items(view, index)?;
            let located = data::locate(own.frame, item, &subscripts)?;
            let condition = data::conditions(debugging, item).find(|condition| condition.name == name);
            assign::assign_condition(&located, condition.ok_or("there is no such condition-name")?, text)?;
            "true".to_string()
        }
    };
    Ok(row)
}

/// The row of an expression's value.
pub fn evaluated(view: &View, index: usize, text: &str) -> Result<Row, String> {
    let own = entry(view, index)?;
    let value = expression::parse(text)?.evaluate(own.frame)?;
    let shown = value.shown(own.frame)?;
    let expression::Value::Item(located) = &value else { return Ok(simple(text, shown)) };
    let debugging = own.debugging().ok_or("the program was not compiled with TEST")?;
    if located.is_modified {
        return Ok(Row { memory: Some(located.address), ..simple(text, shown) });
    }
    let Located { item, subscripts, .. } = located;
    Ok(Row { name: text.to_string(), ..occurrence_row(own, index, debugging, *item, subscripts) })
}

/// Stores a value into the item of an expression.
pub fn set_expression(view: &View, index: usize, target: &str, text: &str) -> Result<Row, String> {
    let own = entry(view, index)?;
    match expression::parse(target)? {
        expression::Expression::Item(reference) => {
            assign::assign(&reference.locate(own.frame)?, text)?;
            evaluated(view, index, target)
        }
        _ => Err(format!("{target} is not an item")),
    }
}
