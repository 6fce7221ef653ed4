//! The storage of the programs that were active when a task failed, kept for its dump: the storage itself has been freed when the dump is
//! written.
//!
//! Invariants: a snapshot owns its bytes; at most [`AREA_BYTES_MAX`] of an area and [`PROGRAMS_MAX`] programs are kept; an area that the
//! program cannot address is not an error, but has no bytes.

use super::values;
use crate::code_page::RegionCodePage;
use crate::storage_access;
use program::module::{Area, Module, OperandSubscript, StatementOperand, Symbol};
use program::rununit::FrameId;
use std::sync::Arc;

const AREA_BYTES_MAX: usize = 64 * 1024;
const PROGRAMS_MAX: usize = 32;
/// Operands of a statement that a message shows.
const OPERANDS_MAX: usize = 12;

/// One area of a program.
pub struct AreaCopy {
    pub kind: Area,
    /// Offset in the frame of the record's address; 0 for WORKING-STORAGE and LOCAL-STORAGE.
    pub base: u32,
    /// The record's name; empty for WORKING-STORAGE and LOCAL-STORAGE.
    pub name: String,
    pub address: usize,
    pub length: usize,
    /// `None`: not addressable.
    pub bytes: Option<Vec<u8>>,
}

/// One program with its data.
pub struct ProgramSnapshot {
    pub module: Arc<Module>,
    /// Index in the module.
    pub program: usize,
    /// Source line of the statement it was executing; 0: not known.
    pub line: u32,
    pub areas: Vec<AreaCopy>,
}

/// The active programs, innermost first; `line` is where the innermost is, the others are at their CALL statements.
pub fn capture(innermost: Option<FrameId>, line: u32) -> Vec<ProgramSnapshot> {
    let active = std::iter::successors(innermost, |frame| frame.caller()).take(PROGRAMS_MAX).enumerate();
    let place = |(number, frame): (usize, FrameId)| match number {
        0 => ProgramSnapshot::of(frame, line),
        _ => ProgramSnapshot::of(frame, frame.call_place().map_or(0, |place| place.line)),
    };
    active.map(place).collect()
}

impl ProgramSnapshot {
    pub fn name(&self) -> &str {
        &self.module.programs[self.program].name
    }

    fn of(frame: FrameId, line: u32) -> ProgramSnapshot {
        let (module, program) = (frame.module().clone(), frame.program());
        let info = &module.programs[program];
        let mut areas = Vec::new();
        for (kind, (address, length)) in [(Area::WorkingStorage, frame.working_storage()), (Area::LocalStorage, frame.local_storage())] {
            if length > 0 {
                areas.push(area(kind, 0, "", address, length));
            }
        }
        for record in &info.linkage {
            areas.push(area(Area::Linkage, record.frame_offset, &record.name, frame.word(record.frame_offset), record.length));
        }
        for record in &info.external {
            areas.push(area(Area::External, record.frame_offset, &record.name, frame.word(record.frame_offset), record.length));
        }
        ProgramSnapshot { program, line, areas, module: module.clone() }
    }

    /// The items of an area, in the order of the source.
    pub fn symbols<'a>(&'a self, area: &'a AreaCopy) -> impl Iterator<Item = &'a Symbol> {
        // The compiler describes EXTERNAL records like linkage.
        let kind = if area.kind == Area::External { Area::Linkage } else { area.kind };
        let own = move |symbol: &&Symbol| symbol.program as usize == self.program && symbol.area == kind && symbol.base == area.base;
        self.module.symbols.iter().filter(own)
    }

    /// The bytes of an item, `offset` bytes after its first occurrence.
    fn bytes(&self, symbol: &Symbol, offset: usize) -> Option<&[u8]> {
        let kind = |area: &&AreaCopy| {
            let kind = if area.kind == Area::External { Area::Linkage } else { area.kind };
            kind == symbol.area && area.base == symbol.base
        };
        let area = self.areas.iter().find(kind)?.bytes.as_deref()?;
        let start = (symbol.offset as usize).checked_add(offset)?;
        area.get(start..start.checked_add(symbol.length as usize)?)
    }

    /// The operands of a statement: `WS-A=1 WS-ROW(3)='X'`.
    pub fn operands(&self, statement: u32, page: &RegionCodePage) -> String {
        let operands = &self.module.operands;
        let start = operands.partition_point(|operand| operand.statement < statement);
        let own = operands[start..].iter().take_while(|operand| operand.statement == statement);
        own.take(OPERANDS_MAX).map(|operand| self.operand(operand, page)).collect::<Vec<_>>().join(" ")
    }

    fn operand(&self, operand: &StatementOperand, page: &RegionCodePage) -> String {
        let symbol = &self.module.symbols[operand.symbol as usize];
        let numbers: Vec<Option<i64>> = operand.subscripts.iter().map(|subscript| self.occurrence(subscript, page)).collect();
        let mut name = symbol.name.clone();
        if !numbers.is_empty() {
            let shown: Vec<String> = numbers.iter().map(|number| number.map_or("?".to_string(), |number| number.to_string())).collect();
            name = format!("{name}({})", shown.join(","));
        }
        let mut offset = 0;
        for (subscript, number) in operand.subscripts.iter().zip(&numbers) {
            let Some(number) = number else { return format!("{name} (a subscript has no valid value)") };
            if *number < 1 || *number > i64::from(subscript.occurs) {
                return format!("{name} (outside OCCURS {})", subscript.occurs);
            }
            offset += (*number as usize - 1) * subscript.stride as usize;
        }
        let Some(bytes) = self.bytes(symbol, offset) else { return format!("{name} (not addressable)") };
        let value = values::value(symbol, bytes, page);
        let why = if value.valid { String::new() } else { format!(" (not valid {})", values::description(symbol)) };
        format!("{name}={}{why}", value.text)
    }

    /// The occurrence number given by a subscript.
    fn occurrence(&self, subscript: &OperandSubscript, page: &RegionCodePage) -> Option<i64> {
        let value = match subscript.symbol {
            None => 0,
            Some(symbol) => {
                let symbol = &self.module.symbols[symbol as usize];
                values::integer(symbol, self.bytes(symbol, 0)?, page)?
            }
        };
        Some(value + i64::from(subscript.plus))
    }
}

fn area(kind: Area, base: u32, name: &str, address: u32, length: u32) -> AreaCopy {
    let whole = storage_access::Area::new(address as usize, length as usize);
    let bytes = if address == 0 { None } else { whole.truncated(AREA_BYTES_MAX).read().ok() };
    AreaCopy { kind, base, name: name.to_string(), address: address as usize, length: length as usize, bytes }
}
