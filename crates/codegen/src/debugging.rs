//! The metadata of programs compiled with TEST, for the debugger.

use crate::emit::is_told;
use crate::layout::{AreaPlace, Layout};
use cobol::program::{
    BaseKind, Category, Figurative, Item, ItemId, Literal, LiteralValue, Number, ProcedureKind, Program, Size, Span, Statement,
    StatementKind, each_list,
};
use program::module::Area;
use program::module::debugging::{
    ConditionInfo, Constant, Debugging, ItemInfo, OccursInfo, ProcedureInfo, Section, StatementInfo, Varying,
};

/// Adds a program. The names of the sources are left empty: whoever knows the files of the compilation sets them.
pub fn describe(layout: &Layout, statement_base: u32, debugging: &mut Debugging) {
    procedures(layout, statement_base, debugging);
    let places = items(layout, &mut debugging.items);
    for condition in &layout.program.condition_names {
        let Some(item) = places[condition.item.0 as usize] else { continue };
        let value = |literal: &Literal| constant(literal);
        let values = condition.values.iter().map(|range| (value(&range.low), range.high.as_ref().map(value))).collect();
        debugging.conditions.push(ConditionInfo { name: condition.name.to_string(), item, values });
    }
}

fn procedures(layout: &Layout, statement_base: u32, debugging: &mut Debugging) {
    let start = debugging.statements.len();
    for procedure in &layout.program.procedures {
        let index = debugging.procedures.len() as u32;
        let before = debugging.statements.len();
        add_statements(&procedure.statements, None, &mut |statement| {
            let command = match &statement.kind {
                StatementKind::ExecCics(command) => Some(command.command.0),
                _ => None,
            };
            debugging.statements.push(StatementInfo {
                number: statement_base + statement.number,
                program: layout.index,
                procedure: index,
                source: u32::from(statement.span.file),
                line: statement.span.line,
                column: u32::from(statement.span.column),
                command,
            });
        });
        debugging.procedures.push(ProcedureInfo {
            program: layout.index,
            name: procedure.name.to_string(),
            is_section: procedure.kind == ProcedureKind::Section,
            first_statement: debugging.statements.get(before).map(|statement| statement.number),
        });
    }
    // A section begins with the first statement of its first paragraph, an empty paragraph with what follows it.
    let mut next = None;
    for procedure in debugging.procedures.iter_mut().rev().take(layout.program.procedures.len()) {
        next = procedure.first_statement.or(next);
        procedure.first_statement = next;
    }
    debugging.statements[start..].sort_by_key(|statement| statement.number);
    debugging.statements.dedup_by_key(|statement| statement.number);
    let sources = debugging.statements.iter().map(|statement| statement.source as usize + 1).max().unwrap_or(0);
    let known = debugging.sources.len();
    debugging.sources.resize(known.max(sources), String::new());
}

/// The statements that tell when they are reached.
fn add_statements<'a>(statements: &'a [Statement], within: Option<Span>, add: &mut dyn FnMut(&'a Statement)) {
    for statement in statements {
        if is_told(statement, within) {
            add(statement);
        }
        let within = if matches!(statement.kind, StatementKind::Block(_)) { Some(statement.span) } else { within };
        each_list(&statement.kind, &mut |list| add_statements(list, within, add));
    }
}

/// Adds the items; returns the index of each in the list.
fn items(layout: &Layout, list: &mut Vec<ItemInfo>) -> Vec<Option<u32>> {
    let program = layout.program;
    // An item of a containing program is described there.
    let is_own = |item: &Item| {
        let outer = matches!(layout.places[item.base.0 as usize], AreaPlace::Outer { .. });
        !outer && !item.name.is_empty() && item.category != Category::ObjectReference
    };
    let mut places = vec![None; program.items.len()];
    let own = places.iter_mut().zip(&program.items).filter(|(_, item)| is_own(item));
    for (number, (place, _)) in (list.len() as u32..).zip(own) {
        *place = Some(number);
    }
    for (index, item) in program.items.iter().enumerate().filter(|(_, item)| is_own(item)) {
        list.push(item_info(layout, ItemId(index as u32), item, &places));
    }
    places
}

fn item_info(layout: &Layout, id: ItemId, item: &Item, places: &[Option<u32>]) -> ItemInfo {
    let place = |item: ItemId| places[item.0 as usize];
    let attributes = layout.descriptors[id.0 as usize];
    let (area, base, start) = match layout.places[item.base.0 as usize] {
        AreaPlace::Working(offset) => (Area::WorkingStorage, 0, offset),
        AreaPlace::Local(offset) => (Area::LocalStorage, 0, offset),
        AreaPlace::Frame(offset) => (Area::Linkage, offset, 0),
        AreaPlace::Outer { .. } => unreachable!("items of containing programs are left out"),
    };
    let terms = |size: &Size| -> Vec<Varying> {
        let term = |term: &cobol::program::SizeTerm| Some(Varying { table: place(term.table)?, stride: term.stride.fixed });
        size.terms.iter().filter_map(term).collect()
    };
    ItemInfo {
        program: layout.index,
        name: item.name.to_string(),
        level: item.level,
        section: section_of(layout.program, item),
        parent: item.parent.and_then(place),
        area,
        base,
        offset: start + item.offset.fixed,
        length: item.length_max,
        moved_by: terms(&item.offset),
        lengthened_by: terms(&item.length),
        length_least: if item.length.is_fixed() { item.length_max } else { item.length.fixed },
        usage: attributes.usage as u8,
        sign: attributes.sign as u8,
        flags: attributes.flags,
        digits: attributes.digits,
        scale: attributes.scale,
        edit: attributes.edit,
        picture: item.picture.as_ref().map(|picture| picture.text.to_string()).unwrap_or_default(),
        occurs: item.occurs.as_ref().map(|occurs| OccursInfo {
            least: occurs.min,
            most: occurs.max,
            stride: occurs.stride.is_fixed().then_some(occurs.stride.fixed),
            depending: occurs.depending.and_then(place),
        }),
        redefines: item.redefines.is_some() || item.renames.is_some(),
        global: item.global,
    }
}

fn section_of(program: &Program, item: &Item) -> Section {
    match &program.base(item.base).kind {
        BaseKind::Record(_) | BaseKind::ExternalRecord(_) => Section::File,
        BaseKind::Working | BaseKind::External | BaseKind::Outer { .. } => Section::WorkingStorage,
        BaseKind::Local => Section::LocalStorage,
        BaseKind::Linkage => Section::Linkage,
        BaseKind::Registers | BaseKind::Indexes => Section::Register,
    }
}

fn constant(literal: &Literal) -> Constant {
    let characters = |usage: le::Usage, bytes: &[u8]| Constant::Characters(usage as u8, bytes.to_vec());
    match &literal.value {
        LiteralValue::Alphanumeric(bytes) => characters(le::Usage::Alphanumeric, bytes),
        LiteralValue::National(bytes) => characters(le::Usage::National, bytes),
        LiteralValue::Utf8(bytes) => characters(le::Usage::Utf8, bytes),
        LiteralValue::Dbcs(bytes) => characters(le::Usage::Dbcs, bytes),
        LiteralValue::Numeric(number) => Constant::Number(number_text(number)),
        LiteralValue::Float(value) => Constant::Number(value.to_string()),
        LiteralValue::Figurative(figurative) => match figurative {
            Figurative::Zero => Constant::Figurative(le::movement::Figurative::Zero as u8),
            Figurative::Space => Constant::Figurative(le::movement::Figurative::Space as u8),
            Figurative::HighValue => Constant::Figurative(le::movement::Figurative::HighValue as u8),
            Figurative::LowValue => Constant::Figurative(le::movement::Figurative::LowValue as u8),
            Figurative::Quote => Constant::Figurative(le::movement::Figurative::Quote as u8),
            Figurative::Null => Constant::Figurative(le::movement::Figurative::Null as u8),
            Figurative::All { bytes, .. } => Constant::All(bytes.to_vec()),
        },
        LiteralValue::Null => Constant::Figurative(le::movement::Figurative::Null as u8),
    }
}

/// The value with its point.
fn number_text(number: &Number) -> String {
    let sign = if number.value < 0 { "-" } else { "" };
    let magnitude = number.value.unsigned_abs();
    match usize::try_from(number.scale) {
        Ok(0) => format!("{sign}{magnitude}"),
        Ok(places) => {
            let digits = format!("{magnitude:0>width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) => format!("{sign}{magnitude}{}", "0".repeat(usize::from(number.scale.unsigned_abs()))),
    }
}
