//! Writes a module, and reads its header and metadata. The table in the parent module shows the layout.

use super::bytes::{Reader, Writer};
use super::*;
use crate::abi::SLOT_TABLE_VERSION;

pub const FORMAT_VERSION: u32 = 7;
/// The highest processor level this run time itself needs (x86-64-v2).
const FEATURES_MAX: u32 = 2;
pub const MAGIC: [u8; 8] = *b"REGENTLM";
pub const PAGE: usize = 4096;
const SECTION_COUNT: usize = 10;
const CRC_OFFSET: usize = 24;
const SECTIONS_OFFSET: usize = 32;

/// A module as the compiler hands it over, before it is a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleImage {
    /// Version of the compiler that built it: another version compiles again.
    pub compiler_version: u32,
    /// CPU features the code uses, from the compiler's own numbering; 0: baseline.
    pub features: u32,
    /// Position-independent code; its constants follow at the next page boundary.
    pub code: Vec<u8>,
    pub constants: Vec<u8>,
    pub images: Vec<u8>,
    pub programs: Vec<ProgramInfo>,
    /// Ascending by offset.
    pub lines: Vec<LineEntry>,
    /// Ascending by offset.
    pub traps: Vec<TrapEntry>,
    pub symbols: Vec<Symbol>,
    /// The one program of the module is written in C.
    pub c: Option<CProgram>,
    /// Path of the source, for messages; empty: not known.
    pub source: String,
    /// Ascending by statement.
    pub operands: Vec<StatementOperand>,
    /// Of programs compiled with TEST.
    pub debugging: Option<debugging::Debugging>,
}

/// Distance from the start of the code to the constants, for code of this length.
pub fn constants_offset(code_length: usize) -> usize {
    code_length.next_multiple_of(PAGE)
}

pub struct Header {
    pub compiler_version: u32,
    pub sections: [(usize, usize); SECTION_COUNT],
}

pub mod section {
    pub const CODE: usize = 0;
    pub const CONSTANTS: usize = 1;
    pub const IMAGES: usize = 2;
    pub const PROGRAMS: usize = 3;
    pub const LINES: usize = 4;
    pub const TRAPS: usize = 5;
    pub const SYMBOLS: usize = 6;
    pub const C: usize = 7;
    pub const STATEMENTS: usize = 8;
    pub const DEBUGGING: usize = 9;
}

impl ModuleImage {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut metadata: [Writer; 7] = Default::default();
        metadata[0].list(&self.programs, write_program);
        metadata[1].list(&self.lines, |w, line| {
            w.u32(line.offset);
            w.u32(line.line);
            w.u32(line.statement);
        });
        metadata[2].list(&self.traps, |w, trap| {
            w.u32(trap.offset);
            w.u8(trap.code);
        });
        metadata[3].list(&self.symbols, write_symbol);
        metadata[4].list(self.c.as_slice(), write_c);
        metadata[5].text(&self.source);
        metadata[5].list(&self.operands, write_operand);
        metadata[6].list(self.debugging.as_slice(), debugging::write);

        let mut file = vec![0u8; PAGE];
        let mut sections = [(0usize, 0usize); SECTION_COUNT];
        let mut append = |file: &mut Vec<u8>, index: usize, bytes: &[u8], align: usize| {
            file.resize(file.len().next_multiple_of(align), 0);
            sections[index] = (file.len(), bytes.len());
            file.extend_from_slice(bytes);
        };
        append(&mut file, section::CODE, &self.code, PAGE);
        append(&mut file, section::CONSTANTS, &self.constants, PAGE);
        append(&mut file, section::IMAGES, &self.images, 16);
        for (index, writer) in metadata.iter().enumerate() {
            append(&mut file, section::PROGRAMS + index, &writer.bytes, 16);
        }
        self.write_header(&mut file, &sections);
        file
    }

    fn write_header(&self, file: &mut [u8], sections: &[(usize, usize); SECTION_COUNT]) {
        let mut head = Writer::default();
        head.bytes.extend_from_slice(&MAGIC);
        head.u32(FORMAT_VERSION);
        head.u32(SLOT_TABLE_VERSION);
        head.u32(self.compiler_version);
        head.u32(self.features);
        head.u32(0);
        head.u32(file.len() as u32);
        assert_eq!(head.bytes.len(), SECTIONS_OFFSET);
        for (offset, length) in sections {
            head.u32(*offset as u32);
            head.u32(*length as u32);
        }
        file[..head.bytes.len()].copy_from_slice(&head.bytes);
        let crc = crc32fast::hash(file);
        file[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Why a file is no usable load module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    NotAModule,
    OtherVersion,
    Corrupt,
}

/// Check the whole file and decode its header.
pub fn read_header(file: &[u8]) -> Result<Header, Damage> {
    if file.len() < PAGE || file[..8] != MAGIC {
        return Err(Damage::NotAModule);
    }
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    if word(8) != FORMAT_VERSION || word(12) != SLOT_TABLE_VERSION || word(20) > FEATURES_MAX {
        return Err(Damage::OtherVersion);
    }
    if word(CRC_OFFSET + 4) as usize != file.len() {
        return Err(Damage::Corrupt);
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(&file[..CRC_OFFSET]);
    crc.update(&[0; 4]);
    crc.update(&file[CRC_OFFSET + 4..]);
    if crc.finalize() != word(CRC_OFFSET) {
        return Err(Damage::Corrupt);
    }
    let mut sections = [(0, 0); SECTION_COUNT];
    for (index, section) in sections.iter_mut().enumerate() {
        *section = (word(SECTIONS_OFFSET + 8 * index) as usize, word(SECTIONS_OFFSET + 8 * index + 4) as usize);
        if section.0.checked_add(section.1).is_none_or(|end| end > file.len()) {
            return Err(Damage::Corrupt);
        }
    }
    let code = sections[section::CODE];
    if sections[section::CONSTANTS].0 != code.0 + constants_offset(code.1) {
        return Err(Damage::Corrupt);
    }
    Ok(Header { compiler_version: word(16), sections })
}

pub struct Metadata {
    pub programs: Vec<ProgramInfo>,
    pub lines: Vec<LineEntry>,
    pub traps: Vec<TrapEntry>,
    pub symbols: Vec<Symbol>,
    pub c: Option<CProgram>,
    pub source: String,
    pub operands: Vec<StatementOperand>,
    pub debugging: Option<debugging::Debugging>,
}

pub fn read_metadata(file: &[u8], header: &Header) -> Option<Metadata> {
    let part = |index: usize| {
        let (offset, length) = header.sections[index];
        Reader { bytes: &file[offset..offset + length] }
    };
    let programs = part(section::PROGRAMS).list(read_program)?;
    let (code_length, constants_length) = (header.sections[section::CODE].1, header.sections[section::CONSTANTS].1);
    let images_length = header.sections[section::IMAGES].1 as u64;
    for program in &programs {
        let inside =
            |area: &AreaImage| area.image_length <= area.length && area.image_offset as u64 + area.image_length as u64 <= images_length;
        let fits = program.code_offset as u64 + program.code_length as u64 <= code_length as u64
            && inside(&program.working_storage)
            && inside(&program.local_storage)
            && program.external.iter().all(|record| inside(&record.image) && record.image.image_length <= record.length)
            && program.edit_programs as usize <= constants_length
            && (program.collating == u32::MAX || program.collating as usize + 256 <= constants_length);
        if !fits {
            return None;
        }
    }
    let c = part(section::C).list(read_c)?.pop();
    if let Some(c) = &c {
        let link_end = u64::from(c.link) + std::mem::size_of::<crate::abi::CLink>() as u64;
        let area = &c.statics;
        let fits = programs.len() == 1
            && (c.entry as usize) < code_length
            && area.image_length <= area.length
            && u64::from(area.image_offset) + u64::from(area.image_length) <= images_length
            && link_end <= u64::from(area.length)
            && c.relocations.iter().all(|offset| u64::from(*offset) + 4 <= u64::from(area.image_length));
        if !fits {
            return None;
        }
    }
    let symbols = part(section::SYMBOLS).list(read_symbol)?;
    let mut statements = part(section::STATEMENTS);
    let (source, operands) = (statements.text()?, statements.list(read_operand)?);
    let known = |symbol: u32| (symbol as usize) < symbols.len();
    let fits = |operand: &StatementOperand| known(operand.symbol) && operand.subscripts.iter().all(|s| s.symbol.is_none_or(known));
    if !operands.iter().all(fits) {
        return None;
    }
    let debugging = part(section::DEBUGGING).list(debugging::read)?.pop();
    if debugging.as_ref().is_some_and(|debugging| !debugging.is_consistent(programs.len())) {
        return None;
    }
    Some(Metadata {
        debugging,
        programs,
        c,
        source,
        operands,
        lines: part(section::LINES).list(|r| Some(LineEntry { offset: r.u32()?, line: r.u32()?, statement: r.u32()? }))?,
        traps: part(section::TRAPS).list(|r| Some(TrapEntry { offset: r.u32()?, code: r.u8()? }))?,
        symbols,
    })
}

fn write_c(w: &mut Writer, c: &CProgram) {
    for word in [c.entry, c.statics.length, c.statics.image_offset, c.statics.image_length, c.link, c.stack_length] {
        w.u32(word);
    }
    w.list(&c.relocations, |w, offset| w.u32(*offset));
}

fn read_c(r: &mut Reader) -> Option<CProgram> {
    let (entry, statics) = (r.u32()?, read_area(r)?);
    Some(CProgram { entry, statics, link: r.u32()?, stack_length: r.u32()?, relocations: r.list(|r| r.u32())? })
}

fn write_program(w: &mut Writer, program: &ProgramInfo) {
    w.text(&program.name);
    w.u32(program.parent.map_or(u32::MAX, |parent| parent));
    w.u32(program.attributes);
    let options = &program.options;
    w.u16(options.ccsid);
    for byte in [options.arith, options.trunc, options.numproc, options.float_format, options.currency, options.quote] {
        w.u8(byte);
    }
    for word in [program.code_offset, program.code_length, program.frame_length, program.argument_capacity] {
        w.u32(word);
    }
    w.list(&program.entries, |w, entry| {
        w.text(&entry.name);
        w.u32(entry.label);
        w.u32(entry.parameter_count);
    });
    w.list(&program.linkage, |w, record| {
        w.text(&record.name);
        w.u32(record.frame_offset);
        w.u32(record.length);
    });
    w.list(&program.external, |w, record| {
        w.text(&record.name);
        w.u32(record.length);
        w.u32(record.frame_offset);
        w.u32(record.image.length);
        w.u32(record.image.image_offset);
        w.u32(record.image.image_length);
    });
    for area in [&program.working_storage, &program.local_storage] {
        w.u32(area.length);
        w.u32(area.image_offset);
        w.u32(area.image_length);
    }
    w.u32(program.edit_programs);
    w.u32(program.collating);
    w.list(&program.called, |w, name| w.text(name));
    w.list(&program.labels, |w, label| {
        w.text(&label.name);
        w.u32(label.number);
        w.u32(label.line);
    });
    w.u32(program.statement_base);
    w.list(&program.resume_points, |w, resume| {
        w.u32(resume.statement);
        w.u32(resume.point);
    });
    w.list(&program.files, write_file);
    w.list(&program.fixups, |w, fixup| {
        w.u32(fixup.offset);
        w.u32(fixup.target);
    });
    w.list(&program.sql, |w, sql| w.blob(&sql.bytes));
}

fn read_program(r: &mut Reader) -> Option<ProgramInfo> {
    Some(ProgramInfo {
        name: r.text()?,
        parent: Some(r.u32()?).filter(|parent| *parent != u32::MAX),
        attributes: r.u32()?,
        options: Options {
            ccsid: r.u16()?,
            arith: r.u8()?,
            trunc: r.u8()?,
            numproc: r.u8()?,
            float_format: r.u8()?,
            currency: r.u8()?,
            quote: r.u8()?,
        },
        code_offset: r.u32()?,
        code_length: r.u32()?,
        frame_length: r.u32()?,
        argument_capacity: r.u32()?,
        entries: r.list(|r| Some(EntryPoint { name: r.text()?, label: r.u32()?, parameter_count: r.u32()? }))?,
        linkage: r.list(|r| Some(LinkageRecord { name: r.text()?, frame_offset: r.u32()?, length: r.u32()? }))?,
        external: r.list(|r| {
            let (name, length, frame_offset) = (r.text()?, r.u32()?, r.u32()?);
            Some(ExternalRecord { name, length, frame_offset, image: read_area(r)? })
        })?,
        working_storage: read_area(r)?,
        local_storage: read_area(r)?,
        edit_programs: r.u32()?,
        collating: r.u32()?,
        called: r.list(|r| r.text())?,
        labels: r.list(|r| Some(LabelInfo { name: r.text()?, number: r.u32()?, line: r.u32()? }))?,
        statement_base: r.u32()?,
        resume_points: r.list(|r| Some(ResumePoint { statement: r.u32()?, point: r.u32()? }))?,
        files: r.list(read_file)?,
        fixups: r.list(|r| Some(Fixup { offset: r.u32()?, target: r.u32()? }))?,
        sql: r.list(|r| Some(SqlText::new(r.blob()?.to_vec())))?,
    })
}

fn read_area(r: &mut Reader) -> Option<AreaImage> {
    Some(AreaImage { length: r.u32()?, image_offset: r.u32()?, image_length: r.u32()? })
}

const PRINT: u8 = 1;
const CONTROL_IN_RECORD: u8 = 2;

fn print_byte(file: &FileInfo) -> u8 {
    (if file.print { PRINT } else { 0 }) | if file.control_in_record { CONTROL_IN_RECORD } else { 0 }
}

/// The numbers of a load module for organization and access mode are positions in these lists.
const ORGANIZATIONS: [Organization; 4] =
    [Organization::Sequential, Organization::LineSequential, Organization::Relative, Organization::Indexed];
const ACCESS_MODES: [Access; 3] = [Access::Sequential, Access::Random, Access::Dynamic];

fn position<T: PartialEq>(list: &[T], member: T) -> u8 {
    list.iter().position(|one| *one == member).expect("the list is complete") as u8
}

fn write_file(w: &mut Writer, file: &FileInfo) {
    w.text(&file.name);
    w.text(&file.assignment);
    for byte in [
        position(&ORGANIZATIONS, file.organization),
        position(&ACCESS_MODES, file.access),
        file.optional as u8,
        file.variable as u8,
        print_byte(file),
        file.relative_digits,
        file.entry_sequenced as u8,
    ] {
        w.u8(byte);
    }
    for word in [file.record_offset, file.record_minimum, file.record_maximum, file.status_offset] {
        w.u32(word);
    }
    w.list(&file.keys, |w, key| {
        w.u32(key.offset);
        w.u32(key.length);
        w.u8(key.duplicates as u8);
    });
}

fn read_file(r: &mut Reader) -> Option<FileInfo> {
    let (name, assignment) = (r.text()?, r.text()?);
    let organization = *ORGANIZATIONS.get(usize::from(r.u8()?))?;
    let access = *ACCESS_MODES.get(usize::from(r.u8()?))?;
    let (optional, variable, print) = (r.u8()? != 0, r.u8()? != 0, r.u8()?);
    let (relative_digits, entry_sequenced) = (r.u8()?, r.u8()? != 0);
    let (record_offset, record_minimum, record_maximum, status_offset) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?);
    let keys = r.list(|r| Some(FileKey { offset: r.u32()?, length: r.u32()?, duplicates: r.u8()? != 0 }))?;
    Some(FileInfo {
        name,
        assignment,
        organization,
        access,
        optional,
        record_offset,
        record_minimum,
        record_maximum,
        status_offset,
        variable,
        print: print & PRINT != 0,
        control_in_record: print & CONTROL_IN_RECORD != 0,
        entry_sequenced,
        relative_digits,
        keys,
    })
}

fn write_symbol(w: &mut Writer, symbol: &Symbol) {
    w.text(&symbol.name);
    for byte in [symbol.level, symbol.area as u8, symbol.usage, symbol.sign, symbol.digits, symbol.scale as u8] {
        w.u8(byte);
    }
    for word in [symbol.program, symbol.base, symbol.offset, symbol.length, symbol.occurs, symbol.stride] {
        w.u32(word);
    }
    w.text(&symbol.picture);
    w.u8(symbol.redefines as u8);
}

fn write_operand(w: &mut Writer, operand: &StatementOperand) {
    w.u32(operand.statement);
    w.u32(operand.symbol);
    w.list(&operand.subscripts, |w, subscript| {
        for word in [subscript.stride, subscript.occurs, subscript.symbol.unwrap_or(u32::MAX), subscript.plus as u32] {
            w.u32(word);
        }
    });
}

fn read_operand(r: &mut Reader) -> Option<StatementOperand> {
    let (statement, symbol) = (r.u32()?, r.u32()?);
    let subscripts = r.list(|r| {
        let (stride, occurs, symbol, plus) = (r.u32()?, r.u32()?, r.u32()?, r.u32()? as i32);
        Some(OperandSubscript { stride, occurs, symbol: Some(symbol).filter(|symbol| *symbol != u32::MAX), plus })
    })?;
    Some(StatementOperand { statement, symbol, subscripts })
}

pub(super) fn area_of(number: u8) -> Option<Area> {
    [Area::WorkingStorage, Area::LocalStorage, Area::Linkage, Area::External].into_iter().find(|area| *area as u8 == number)
}

fn read_symbol(r: &mut Reader) -> Option<Symbol> {
    let name = r.text()?;
    let (level, area, usage, sign, digits, scale) = (r.u8()?, r.u8()?, r.u8()?, r.u8()?, r.u8()?, r.u8()? as i8);
    let area = area_of(area)?;
    let (program, base, offset, length, occurs, stride) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?, r.u32()?, r.u32()?);
    let (picture, redefines) = (r.text()?, r.u8()? != 0);
    Some(Symbol { name, program, level, area, base, offset, length, usage, sign, digits, scale, occurs, stride, picture, redefines })
}
