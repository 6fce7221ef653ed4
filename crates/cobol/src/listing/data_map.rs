//! The data map: the position, length and usage of every item.
//!
//! Displacements are from the start of the area, hexadecimal as in dumps, or decimal under MAP(DEC). A place or length that depends on
//! OCCURS DEPENDING ON is shown with its fixed part and `+`.

use crate::data::layout::usage_name;
use crate::options::MapForm;
use crate::program::{Category, Item, Program, Size, Usage};
use std::fmt::Write as _;

pub fn render(text: &mut String, program: &Program, form: MapForm) {
    let _ = writeln!(text, "  {:<34} {:<18} {:>9} {:>9}  definition", "item", "area", "offset", "length");
    for item in &program.items {
        let depth = depth(program, item);
        let name = format!("{}{:02} {}", "  ".repeat(depth), item.level, item.name);
        let area = program.bases.get(item.base.0 as usize).map_or("", |base| &base.name);
        let _ = writeln!(
            text,
            "  {name:<34} {area:<18} {:>9} {:>9}  {}",
            if form == MapForm::Decimal { decimal(&item.offset) } else { hexadecimal(&item.offset) },
            decimal(&item.length),
            definition(program, item)
        );
    }
}

fn depth(program: &Program, item: &Item) -> usize {
    let (mut depth, mut parent) = (0, item.parent);
    while let Some(id) = parent {
        depth += 1;
        parent = program.items.get(id.0 as usize).and_then(|item| item.parent);
    }
    depth.min(16)
}

fn hexadecimal(size: &Size) -> String {
    format!("{:06X}{}", size.fixed, if size.is_fixed() { "" } else { "+" })
}

fn decimal(size: &Size) -> String {
    format!("{}{}", size.fixed, if size.is_fixed() { "" } else { "+" })
}

/// Picture, usage and clauses in a few words.
fn definition(program: &Program, item: &Item) -> String {
    let mut words = Vec::new();
    if let Some(picture) = &item.picture {
        words.push(format!("PIC {}", picture.text));
    }
    if item.category == Category::Group {
        words.push("group".into());
    } else if item.picture.is_none() && item.digits > 0 {
        words.push(format!("{} digits, scale {}", item.digits, item.scale));
    }
    if !matches!(item.usage, Usage::Group | Usage::Display) {
        words.push(usage_name(item.usage).into());
    }
    let name = |id: crate::program::ItemId| program.items.get(id.0 as usize).map_or("?", |item| &item.name);
    if let Some(occurs) = &item.occurs {
        words.push(match occurs.depending {
            Some(depending) => format!("OCCURS {} TO {} DEPENDING ON {}", occurs.min, occurs.max, name(depending)),
            None => format!("OCCURS {}", occurs.max),
        });
    }
    if let Some(redefined) = item.redefines {
        words.push(format!("REDEFINES {}", name(redefined)));
    }
    for (flag, word) in
        [(item.global, "GLOBAL"), (item.external, "EXTERNAL"), (item.justified, "JUSTIFIED"), (item.synchronized, "SYNCHRONIZED")]
    {
        if flag {
            words.push(word.into());
        }
    }
    words.join(" ")
}
