//! The metadata of the load module about its programs: entries, storage, linkage, symbols, labels, files.

use crate::emit::ModuleEmitter;
use crate::layout::{AreaPlace, Layout, is_real_file};
use crate::native::Blob;
use cobol::each_reference;
use cobol::program::{Access, BaseKind, Category, Item, ItemId, Label, Organization, Program, Reference, Subscript, each_statement};
use program::module::{self, *};

pub fn describe(module: &ModuleEmitter, blob: &Blob, starts: &[u32], image: &mut ModuleImage) {
    for layout in &module.layouts {
        let numbers = module.numbers[layout.index as usize];
        let last = numbers.end() - 1;
        let code_offset = starts[numbers.entry as usize];
        let code_length = starts[last as usize] + blob.length(last) - code_offset;
        let working_storage = area(image, layout.working_length, &layout.working_image);
        let local_storage = area(image, layout.local_length, &layout.local_image);
        let external = external(layout, image);
        let info = ProgramInfo {
            name: layout.program.name.to_string(),
            parent: layout.parent,
            attributes: attributes_of(layout.program),
            options: options(layout),
            code_offset,
            code_length,
            frame_length: layout.frame.length.next_multiple_of(16),
            argument_capacity: layout.argument_capacity,
            entries: entries(layout.program),
            linkage: linkage(layout),
            external,
            working_storage,
            local_storage,
            edit_programs: layout.edit_programs,
            collating: layout.collating,
            called: module.called[layout.index as usize].clone(),
            labels: labels(layout.program),
            statement_base: module.statement_bases[layout.index as usize],
            resume_points: module.resume_points[layout.index as usize].clone(),
            files: files(layout),
            fixups: Vec::new(),
            sql: layout.program.sql.iter().cloned().map(SqlText::new).collect(),
        };
        image.programs.push(info);
        let places = symbols(layout, &mut image.symbols);
        operands(layout, module.statement_bases[layout.index as usize], &places, &mut image.operands);
        if layout.program.options.test {
            let debugging = image.debugging.get_or_insert_default();
            crate::debugging::describe(layout, module.statement_bases[layout.index as usize], debugging);
        }
    }
}

fn area(image: &mut ModuleImage, length: u32, bytes: &[u8]) -> AreaImage {
    // Trailing zeros need not be in the file.
    let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    let image_offset = image.images.len() as u32;
    image.images.extend_from_slice(&bytes[..used]);
    AreaImage { length, image_offset, image_length: used as u32 }
}

fn attributes_of(program: &Program) -> u32 {
    let bits = [
        (program.cics, attributes::CICS),
        (program.initial, attributes::INITIAL),
        (program.recursive, attributes::RECURSIVE),
        (program.common, attributes::COMMON),
        (program.options.dynam, attributes::DYNAM),
        (program.special_names.decimal_point_is_comma, attributes::DECIMAL_COMMA),
        (program.options.display_sign_separate, attributes::SIGN_SEPARATE),
        (program.options.invalid_data.is_some(), attributes::ZONES_KEPT),
        (program.options.invalid_data.is_some_and(|data| data.signs_cleaned), attributes::SIGNS_CLEANED),
        (!program.options.edf, attributes::NOEDF),
        (program.options.length_conflict_hidden, attributes::LENGTH_CONFLICT_HIDDEN),
        (program.options.test, attributes::TEST),
    ];
    bits.iter().filter(|(on, _)| *on).fold(0, |all, (_, bit)| all | bit)
}

fn options(layout: &Layout) -> Options {
    let session = &layout.session;
    Options {
        ccsid: layout.program.options.codepage,
        arith: session.arith as u8,
        trunc: session.trunc as u8,
        numproc: session.numproc as u8,
        float_format: session.float_format as u8,
        currency: session.currency,
        quote: session.quote,
    }
}

fn entries(program: &Program) -> Vec<EntryPoint> {
    let parameter_count = program.parameters.len() as u32;
    let mut entries = vec![EntryPoint { name: program.name.to_string(), label: 0, parameter_count }];
    entries.extend(program.entries.iter().filter(|entry| !entry.is_service_label).map(|entry| EntryPoint {
        name: entry.name.to_string(),
        label: entry.label.0,
        parameter_count: entry.parameters.len() as u32,
    }));
    entries
}

fn linkage(layout: &Layout) -> Vec<LinkageRecord> {
    layout
        .program
        .bases
        .iter()
        .zip(&layout.places)
        .filter(|(base, _)| base.kind == BaseKind::Linkage)
        .filter_map(|(base, place)| match place {
            AreaPlace::Frame(offset) => Some(LinkageRecord { name: base.name.to_string(), frame_offset: *offset, length: base.length }),
            _ => None,
        })
        .collect()
}

fn external(layout: &Layout, image: &mut ModuleImage) -> Vec<ExternalRecord> {
    let mut records = Vec::new();
    for (base, place) in layout.program.bases.iter().zip(&layout.places) {
        let is_external = matches!(base.kind, BaseKind::External | BaseKind::ExternalRecord(_));
        if let (true, AreaPlace::Frame(offset)) = (is_external, place) {
            let start = area(image, base.length, &base.image);
            let name = base.name.to_string();
            records.push(ExternalRecord { name, length: base.length, frame_offset: *offset, image: start });
        }
    }
    records
}

fn labels(program: &Program) -> Vec<LabelInfo> {
    let mut labels: Vec<LabelInfo> = program
        .procedures
        .iter()
        .filter(|procedure| !procedure.name.is_empty())
        .map(|procedure| LabelInfo { name: procedure.name.to_string(), number: 0, line: procedure.span.line })
        .collect();
    for (index, label) in program.labels.iter().enumerate() {
        if let Label::Procedure(procedure) = label {
            let procedure = program.procedure(*procedure);
            let number = index as u32 + 1;
            labels.push(LabelInfo { name: procedure.name.to_string(), number, line: procedure.span.line });
        }
    }
    labels
}

fn files(layout: &Layout) -> Vec<FileInfo> {
    let program = layout.program;
    let working = |place: AreaPlace| match place {
        AreaPlace::Working(offset) => offset,
        _ => u32::MAX,
    };
    program
        .files
        .iter()
        .map(|file| {
            let key_of = |item, duplicates| {
                let item: &Item = program.item(item);
                FileKey { offset: item.offset.fixed, length: item.length_max, duplicates }
            };
            let mut keys: Vec<FileKey> = file.record_key.iter().map(|key| key_of(*key, false)).collect();
            keys.extend(file.alternate_keys.iter().map(|key| key_of(key.item, key.duplicates)));
            let status_offset = file.status.map_or(u32::MAX, |status| {
                let item = program.item(status);
                working(layout.places[item.base.0 as usize]).saturating_add(item.offset.fixed)
            });
            FileInfo {
                name: file.name.to_string(),
                assignment: file.assign.to_string(),
                organization: match file.organization {
                    Organization::Sequential => module::Organization::Sequential,
                    Organization::LineSequential => module::Organization::LineSequential,
                    Organization::Relative => module::Organization::Relative,
                    Organization::Indexed => module::Organization::Indexed,
                },
                access: match file.access {
                    Access::Sequential => module::Access::Sequential,
                    Access::Random => module::Access::Random,
                    Access::Dynamic => module::Access::Dynamic,
                },
                optional: file.optional,
                record_offset: if is_real_file(file.kind) { working(layout.places[file.base.0 as usize]) } else { u32::MAX },
                record_minimum: file.record_min,
                record_maximum: file.record_max,
                status_offset,
                variable: file.recording == cobol::program::Recording::Variable,
                relative_digits: file.relative_key.map_or(0, |key| program.item(key).digits),
                entry_sequenced: file.entry_sequenced,
                print: file.printed || file.linage.is_some(),
                control_in_record: (file.printed || file.linage.is_some()) && !program.options.adds_control,
                keys,
            }
        })
        .collect()
}

/// Adds the program's data items; returns the index of each of its items in the list.
fn symbols(layout: &Layout, symbols: &mut Vec<Symbol>) -> Vec<Option<u32>> {
    let mut places = vec![None; layout.program.items.len()];
    for (index, (item, attributes)) in layout.program.items.iter().zip(&layout.descriptors).enumerate() {
        if &*item.name == "FILLER" || item.category == Category::ObjectReference {
            continue;
        }
        let (area, base, start) = match layout.places[item.base.0 as usize] {
            AreaPlace::Working(offset) => (Area::WorkingStorage, 0, offset),
            AreaPlace::Local(offset) => (Area::LocalStorage, 0, offset),
            AreaPlace::Frame(offset) => (Area::Linkage, offset, 0),
            AreaPlace::Outer { .. } => continue,
        };
        let stride = item.occurs.as_ref().filter(|occurs| occurs.stride.is_fixed()).map_or(0, |occurs| occurs.stride.fixed);
        places[index] = Some(symbols.len() as u32);
        symbols.push(Symbol {
            name: item.name.to_string(),
            program: layout.index,
            level: item.level,
            area,
            base,
            offset: start + item.offset.fixed,
            length: item.length_max,
            usage: attributes.usage as u8,
            sign: attributes.sign as u8,
            digits: attributes.digits,
            scale: attributes.scale,
            occurs: item.occurs.as_ref().map_or(1, |occurs| occurs.max),
            stride,
            picture: item.picture.as_ref().map(|picture| picture.text.to_string()).unwrap_or_default(),
            redefines: item.redefines.is_some() || item.level == 66,
        });
    }
    places
}

/// Adds the items that the program's statements use, in the order written. An element whose place is not known before the statement is
/// executed by more than items and literals as subscripts is left out.
fn operands(layout: &Layout, statement_base: u32, places: &[Option<u32>], operands: &mut Vec<StatementOperand>) {
    let start = operands.len();
    for procedure in &layout.program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            let number = statement_base + statement.number;
            each_reference(&statement.kind, &mut |reference, _| {
                if let Some(operand) = operand(layout.program, number, reference, places)
                    && !operands[start..].iter().rev().take_while(|known| known.statement == number).any(|known| *known == operand)
                {
                    operands.push(operand);
                }
            });
        });
    }
    operands[start..].sort_by_key(|operand| operand.statement);
}

fn operand(program: &Program, statement: u32, reference: &Reference, places: &[Option<u32>]) -> Option<StatementOperand> {
    let item = program.item(reference.item);
    let symbol = places[reference.item.0 as usize]?;
    let place = |item: ItemId| places[item.0 as usize];
    if reference.subscripts.len() != item.dimensions.len() {
        return None;
    }
    let subscripts = item.dimensions.iter().zip(&reference.subscripts).map(|(table, subscript)| {
        let occurs = program.item(*table).occurs.as_ref().filter(|occurs| occurs.stride.is_fixed())?;
        let (symbol, plus) = match subscript {
            Subscript::Literal(number) => (None, i32::try_from(*number).ok()?),
            Subscript::Index { index, plus } => (Some(place(*index)?), *plus),
            Subscript::Item { reference, plus } if reference.is_plain() => (Some(place(reference.item)?), *plus),
            _ => return None,
        };
        Some(OperandSubscript { stride: occurs.stride.fixed, occurs: occurs.max, symbol, plus })
    });
    Some(StatementOperand { statement, symbol, subscripts: subscripts.collect::<Option<_>>()? })
}
