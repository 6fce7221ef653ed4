//! The expanded display of one resource: everything that its INQUIRE command tells, one value a line ("Expanded displays", "Rules for entering
//! CEMT commands"). It is a table like the others, made from the resource's own columns and the other options of the command.

use super::engine::{Reply, Row, inquire};
use super::others::{label, shape};
use super::resources::{Column, Naming, Resource, Shape};
use exec::{CommandId, OptionSpec, option};
use region::{Raised, Task};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Absolute times: packed decimal numbers of eight bytes.
const TIMES: [exec::OptionId; 3] = [option::CHANGETIME, option::DEFINETIME, option::INSTALLTIME];

/// The expanded display of a row.
pub fn expand(task: &mut Task, resource: &'static Resource, row: &Row) -> Result<Reply, Raised> {
    let expanded = table(task, resource);
    let row = match resource.naming {
        // A row of a browse cannot be inquired again: it shows what it has.
        Naming::Each => Row { cells: row.cells.iter().flatten().map(|cell| vec![cell.clone()]).collect(), ..row.clone() },
        _ => inquire(task, expanded, &row.name, &row.inputs, &[])?,
    };
    Ok(Reply::Expanded { resource: expanded, row })
}

/// One table for each resource, made at first use.
fn table(task: &Task, resource: &'static Resource) -> &'static Resource {
    static TABLES: Mutex<BTreeMap<&'static str, &'static Resource>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    tables.entry(resource.keyword).or_insert_with(|| {
        let columns = columns(resource, |option| is_refused(task, resource.inquire, option));
        let lines: Vec<&'static [Column]> =
            columns.into_iter().map(|column| &*Box::leak(Box::new([column]))).map(|line| &line[..]).collect();
        Box::leak(Box::new(Resource { lines: Box::leak(lines.into_boxed_slice()), ..*resource }))
    })
}

fn is_refused(task: &Task, command: CommandId, option: &OptionSpec) -> bool {
    task.region.registry.command(command).is_some_and(|entry| entry.refused.contains(&option.id))
}

/// The resource's own columns under full names, then the other options.
fn columns(resource: &Resource, is_refused: impl Fn(&OptionSpec) -> bool) -> Vec<Column> {
    let spec = resource.inquire.spec();
    let full = |column: &Column| match spec.option(column.option) {
        Some(option) => Column { label: label(option), ..*column },
        None => Column { label: action_label(column), ..*column },
    };
    let mut columns: Vec<Column> = resource.columns().map(full).collect();
    if resource.naming == Naming::Each {
        return columns;
    }
    for option in spec.options {
        let known = columns.iter().any(|column| column.option == option.id) || option.id == resource.name_option;
        if !known && !is_refused(option) {
            columns.extend(shape_of(option).map(|shape| Column { label: label(option), option: option.id, shape }));
        }
    }
    columns
}

fn shape_of(option: &OptionSpec) -> Option<Shape> {
    if TIMES.contains(&option.id) { Some(Shape::Time) } else { shape(option) }
}

/// `Action`: what is done by typing has no value, and perhaps no option.
fn action_label(column: &Column) -> &'static str {
    if column.label.is_empty() { "Action" } else { column.label }
}

#[cfg(test)]
mod tests {
    use super::super::resources::by_word;
    use super::*;

    #[test]
    fn an_expanded_display_has_the_own_columns_first_and_every_option_once() {
        let resource = by_word("TRANSACTION").unwrap();
        let columns = columns(resource, |option| option.name == "TWASIZE");
        let labels: Vec<&str> = columns.iter().map(|column| column.label).collect();
        assert_eq!(labels[..3], ["Transaction", "Priority", "Program"]);
        assert!(labels.contains(&"Dtimeout") && !labels.contains(&"Twasize"), "{labels:?}");
        let mut names = labels.clone();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), labels.len());
    }
}
