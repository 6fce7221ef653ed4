//! Binds the names that data descriptions use: OCCURS DEPENDING ON, KEY, RENAMES. Runs after all sections are laid out.

use super::tree::DataDivision;
use crate::names::{Names, QualifiedName, Unresolved};
use crate::program::*;
use crate::report::Report;

/// Resolves everything pending.
pub fn resolve(division: &DataDivision, program: &mut Program, names: &Names, report: &mut Report) {
    for index in 0..division.pending.len() {
        let pending = &division.pending[index];
        let id = ItemId(index as u32);
        if let Some(name) = &pending.depending {
            match find(program, names, report, name) {
                Some(object) if is_integer(program.item(object)) && program.item(object).dimensions.is_empty() => {
                    program.items[object.0 as usize].referenced = true;
                    set_depending(program, id, object);
                }
                Some(_) => report
                    .severe(name.span, format!("OCCURS DEPENDING ON {}: it must be an integer item that is no table element", name.text())),
                None => {}
            }
        }
        for (name, ascending) in &pending.keys {
            if let Some(key) = find_key(program, names, report, id, name) {
                let key = TableKey { item: key, ascending: *ascending };
                if let Some(occurs) = &mut program.items[index].occurs {
                    occurs.keys.push(key);
                }
            }
        }
        if let Some((first, last)) = &pending.renames {
            rename(program, report, id, first, last.as_ref());
        }
    }
}

fn set_depending(program: &mut Program, table: ItemId, object: ItemId) {
    if let Some(occurs) = &mut program.items[table.0 as usize].occurs {
        occurs.depending = Some(object);
    }
}

fn is_integer(item: &Item) -> bool {
    item.category == Category::Numeric && item.scale <= 0
}

fn find(program: &Program, names: &Names, report: &mut Report, name: &QualifiedName) -> Option<ItemId> {
    match names.find_item(program, name) {
        Ok(item) => Some(item),
        Err(Unresolved::Ambiguous(_)) => {
            report.severe(name.span, format!("{} is not unique; it needs qualification", name.text()));
            None
        }
        Err(_) => {
            report.unresolved(name.span, format!("{} is not defined", name.text()));
            None
        }
    }
}

/// A KEY is the table element or a member of it; names are looked up there first.
fn find_key(program: &Program, names: &Names, report: &mut Report, table: ItemId, name: &QualifiedName) -> Option<ItemId> {
    let end = program.item(table).end.0;
    let mut within = (table.0..end).filter(|at| program.items[*at as usize].name == name.name);
    match (within.next(), within.next()) {
        (Some(only), None) => Some(ItemId(only)),
        (Some(_), Some(_)) => find(program, names, report, name),
        (None, _) => {
            report.unresolved(name.span, format!("KEY {} is not a member of the table {}", name.text(), program.item(table).name));
            None
        }
    }
}

fn rename(program: &mut Program, report: &mut Report, id: ItemId, first: &QualifiedName, last: Option<&QualifiedName>) {
    let Some(root) = program.item(id).parent else { return };
    let find_within = |program: &Program, name: &QualifiedName| {
        (root.0..program.item(root).end.0).map(ItemId).find(|at| {
            let item = program.item(*at);
            item.name == name.name && has_ancestors(program, *at, &name.qualifiers)
        })
    };
    let Some(from) = find_within(program, first) else {
        report.severe(first.span, format!("RENAMES {}: it is not in the record before", first.text()));
        return;
    };
    let to = match last {
        None => from,
        Some(last) => match find_within(program, last) {
            Some(to) => to,
            None => {
                report.severe(last.span, format!("RENAMES ... THRU {}: it is not in the record before", last.text()));
                return;
            }
        },
    };
    let start = program.item(from).offset.clone();
    let end = u64::from(program.item(to).offset.fixed) + u64::from(program.item(to).length_max);
    if end <= u64::from(start.fixed) {
        report.severe(
            first.span,
            format!("RENAMES {} THRU {}: the second ends before the first begins", first.text(), program.item(to).name),
        );
        return;
    }
    if !program.item(from).dimensions.is_empty() || !program.item(to).dimensions.is_empty() {
        report.severe(first.span, "RENAMES cannot cover a table element");
        return;
    }
    let source = program.item(from).clone();
    let length = (end - u64::from(start.fixed)) as u32;
    let item = &mut program.items[id.0 as usize];
    item.offset = start;
    item.renames = Some((from, to));
    if from == to {
        item.category = source.category;
        item.usage = source.usage;
        (item.digits, item.scale, item.sign) = (source.digits, source.scale, source.sign);
        item.picture = source.picture.clone();
        item.justified = source.justified;
        item.blank_when_zero = source.blank_when_zero;
        item.length = source.length;
        item.length_max = source.length_max;
    } else {
        item.length = Size::fixed(length);
        item.length_max = length;
    }
}

fn has_ancestors(program: &Program, item: ItemId, qualifiers: &[Box<str>]) -> bool {
    let mut level = program.item(item).parent;
    for qualifier in qualifiers {
        loop {
            let Some(at) = level else { return false };
            level = program.item(at).parent;
            if program.item(at).name == *qualifier {
                break;
            }
        }
    }
    true
}
