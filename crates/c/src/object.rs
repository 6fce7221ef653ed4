//! Converts the linked object (ELF, 32-bit class of x86-64) to a load module.
//!
//! The linker is told to make two segments: code with constants, and static. Anything else is refused with a message, so a linker with a
//! different layout is detected at once.

use program::module::{AreaImage, CProgram, EntryPoint, LineEntry, ModuleImage, Options, ProgramInfo, SqlText, attributes};

const PAGE: u32 = 4096;
/// Bytes of the stack of a C program.
pub const STACK_LENGTH: u32 = 512 * 1024;
const SEGMENT_LOAD: u32 = 1;
const SEGMENT_DYNAMIC: u32 = 2;
const SECTION_SYMBOLS: u32 = 2;
const FLAG_EXECUTABLE: u32 = 1;
const FLAG_WRITABLE: u32 = 2;
const TAG_RELOCATIONS: u32 = 7;
const TAG_RELOCATIONS_LENGTH: u32 = 8;
const RELOCATION_RELATIVE: u32 = 8;
const RELOCATION_BYTES: u32 = 12;
const MACHINE_X86_64: u16 = 62;
/// The run time's name for the data that the region passes to a copy of the program.
const LINK_SYMBOL: &str = "regent_link";

/// The parts of the load module besides the code.
#[derive(Default)]
pub struct Description {
    pub name: String,
    pub ccsid: u16,
    pub xplink: bool,
    /// Translated with NOEDF.
    pub noedf: bool,
    /// There is no main function: the number of parameters of the one that is CALLed.
    pub called_with: Option<u32>,
    pub lines: Vec<LineEntry>,
    /// Compiled SQL statements.
    pub sql: Vec<Vec<u8>>,
}

struct Object<'a>(&'a [u8]);

#[derive(Clone, Copy, Debug)]
struct Segment {
    kind: u32,
    offset: u32,
    address: u32,
    file_length: u32,
    length: u32,
    flags: u32,
}

impl<'a> Object<'a> {
    fn half(&self, at: u32) -> Option<u16> {
        Some(u16::from_le_bytes(self.0.get(at as usize..at as usize + 2)?.try_into().ok()?))
    }

    fn word(&self, at: u32) -> Option<u32> {
        Some(u32::from_le_bytes(self.0.get(at as usize..at as usize + 4)?.try_into().ok()?))
    }

    fn bytes(&self, at: u32, length: u32) -> Option<&'a [u8]> {
        self.0.get(at as usize..(at as usize).checked_add(length as usize)?)
    }

    fn segments(&self) -> Option<Vec<Segment>> {
        let (start, size, count) = (self.word(28)?, u32::from(self.half(42)?), u32::from(self.half(44)?));
        (0..count)
            .map(|index| {
                let at = start + index * size;
                Some(Segment {
                    kind: self.word(at)?,
                    offset: self.word(at + 4)?,
                    address: self.word(at + 8)?,
                    file_length: self.word(at + 16)?,
                    length: self.word(at + 20)?,
                    flags: self.word(at + 24)?,
                })
            })
            .collect()
    }

    /// The address of a symbol, also of a local one.
    fn symbol(&self, name: &str) -> Option<u32> {
        let (start, size, count) = (self.word(32)?, u32::from(self.half(46)?), u32::from(self.half(48)?));
        for index in 0..count {
            let at = start + index * size;
            if self.word(at + 4)? != SECTION_SYMBOLS {
                continue;
            }
            let (offset, length, strings) = (self.word(at + 16)?, self.word(at + 20)?, self.word(at + 24)?);
            let strings = self.word(start + strings * size + 16)?;
            for symbol in (0..length / 16).map(|symbol| offset + symbol * 16) {
                let text = self.0.get((strings + self.word(symbol)?) as usize..)?;
                if text.starts_with(name.as_bytes()) && text.get(name.len()) == Some(&0) {
                    return self.word(symbol + 4);
                }
            }
        }
        None
    }
}

/// The load module of a linked object.
pub fn module(object: &[u8], description: Description) -> Result<ModuleImage, String> {
    read(&Object(object), description).unwrap_or_else(|| Err("the linked object is damaged".to_string()))
}

fn read(object: &Object<'_>, description: Description) -> Option<Result<ModuleImage, String>> {
    if object.bytes(0, 5)? != b"\x7fELF\x01" || object.half(18)? != MACHINE_X86_64 {
        return Some(Err("the compiler made no object for the x32 form of x86-64".to_string()));
    }
    let segments = object.segments()?;
    let loads: Vec<&Segment> = segments.iter().filter(|segment| segment.kind == SEGMENT_LOAD).collect();
    let [code, data] = loads.as_slice() else {
        return Some(Err(format!("the linked object has {} segments, not code and static", loads.len())));
    };
    if code.address != 0 || code.flags & (FLAG_EXECUTABLE | FLAG_WRITABLE) != FLAG_EXECUTABLE || data.flags & FLAG_WRITABLE == 0 {
        return Some(Err("the segments of the linked object are not code and static".to_string()));
    }
    // The static begins with the page behind the code.
    let base = data.address / PAGE * PAGE;
    if base < code.length {
        return Some(Err("code and static of the linked object share a page".to_string()));
    }
    let mut text = object.bytes(code.offset, code.file_length)?.to_vec();
    text.resize(base as usize, 0);
    let mut image = vec![0; (data.address - base) as usize];
    image.extend_from_slice(object.bytes(data.offset, data.file_length)?);
    let relocations = match relocate(object, &segments, base, &mut image)? {
        Ok(relocations) => relocations,
        Err(text) => return Some(Err(text)),
    };
    let Some(link) = object.symbol(LINK_SYMBOL) else { return Some(Err(format!("the linked object has no {LINK_SYMBOL}"))) };
    let statics = AreaImage { length: data.address - base + data.length, image_offset: 0, image_length: image.len() as u32 };
    let c = CProgram { entry: object.word(24)?, statics, link: link - base, stack_length: STACK_LENGTH, relocations };
    Some(Ok(ModuleImage {
        lines: description.lines.clone(),
        images: image,
        programs: vec![program(&description, text.len() as u32)],
        code: text,
        c: Some(c),
        ..ModuleImage::default()
    }))
}

/// Writes the offsets from which addresses are computed into the static; returns their positions.
fn relocate(object: &Object<'_>, segments: &[Segment], base: u32, image: &mut [u8]) -> Option<Result<Vec<u32>, String>> {
    let Some(dynamic) = segments.iter().find(|segment| segment.kind == SEGMENT_DYNAMIC) else { return Some(Ok(Vec::new())) };
    let entries = (0..dynamic.file_length / 8).map(|index| dynamic.offset + index * 8);
    let value = |tag: u32| entries.clone().find(|at| object.word(*at) == Some(tag)).and_then(|at| object.word(at + 4));
    let (Some(table), Some(length)) = (value(TAG_RELOCATIONS), value(TAG_RELOCATIONS_LENGTH)) else { return Some(Ok(Vec::new())) };
    let mut offsets = Vec::new();
    // The table is in the code segment, whose addresses are its offsets.
    for at in (0..length / RELOCATION_BYTES).map(|index| table + index * RELOCATION_BYTES) {
        let (address, kind, addend) = (object.word(at)?, object.word(at + 4)?, object.word(at + 8)?);
        let place = address.checked_sub(base).filter(|place| *place as usize + 4 <= image.len());
        let Some(place) = place.filter(|_| kind == RELOCATION_RELATIVE) else {
            return Some(Err(format!("the linked object has a relocation of type {kind} at {address:x}")));
        };
        image[place as usize..place as usize + 4].copy_from_slice(&addend.to_le_bytes());
        offsets.push(place);
    }
    Some(Ok(offsets))
}

fn program(description: &Description, code_length: u32) -> ProgramInfo {
    let xplink = if description.xplink { attributes::XPLINK } else { 0 };
    let noedf = if description.noedf { attributes::NOEDF } else { 0 };
    let subprogram = if description.called_with.is_some() { attributes::C_SUBPROGRAM } else { 0 };
    let parameter_count = description.called_with.unwrap_or(0);
    ProgramInfo {
        name: description.name.clone(),
        parent: None,
        attributes: attributes::CICS | attributes::C | xplink | noedf | subprogram,
        options: Options { ccsid: description.ccsid, arith: 0, trunc: 0, numproc: 0, float_format: 1, currency: 0, quote: 0 },
        code_offset: 0,
        code_length,
        frame_length: program::abi::FRAME_HEAD_LENGTH + parameter_count * std::mem::size_of::<u32>() as u32,
        argument_capacity: parameter_count,
        entries: vec![EntryPoint { name: description.name.clone(), label: 0, parameter_count }],
        linkage: Vec::new(),
        external: Vec::new(),
        working_storage: AreaImage::default(),
        local_storage: AreaImage::default(),
        edit_programs: 0,
        collating: u32::MAX,
        called: Vec::new(),
        labels: Vec::new(),
        statement_base: 0,
        resume_points: Vec::new(),
        files: Vec::new(),
        fixups: Vec::new(),
        sql: description.sql.iter().cloned().map(SqlText::new).collect(),
    }
}
