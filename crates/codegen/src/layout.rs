//! The layout of a program: its areas in WORKING-STORAGE and LOCAL-STORAGE, the compiler's part of the frame, the descriptors of its items.
//!
//! Invariants: areas start at multiples of 16 with 16 free bytes between them; everything in the frame after the arguments
//! is zero when the frame is made.

use crate::constants::Constants;
use cobol::program::{BaseKind, Category, FileKind, Item, ItemId, Program, Usage, each_statement};
use le::{Attributes, Session};
use program::abi::FRAME_HEAD_LENGTH;
use rustc_hash::FxHashMap;

/// Where an area lies at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AreaPlace {
    /// Offset in WORKING-STORAGE.
    Working(u32),
    /// Offset in LOCAL-STORAGE.
    Local(u32),
    /// The frame holds its address (u32) at this offset.
    Frame(u32),
    /// In a containing program.
    Outer { levels: u32, base: u32 },
}

/// Which numbers of the frame the compiler has given away.
#[derive(Clone, Copy, Debug)]
pub struct FrameLayout {
    pub linkage: u32,
    pub cells: u32,
    pub cells_length: u32,
    pub alters: u32,
    pub length: u32,
}

pub struct Layout<'a> {
    pub program: &'a Program,
    /// Index in the module.
    pub index: u32,
    pub parent: Option<u32>,
    pub places: Vec<AreaPlace>,
    pub descriptors: Vec<Attributes>,
    pub working_image: Vec<u8>,
    pub working_length: u32,
    pub local_image: Vec<u8>,
    pub local_length: u32,
    pub frame: FrameLayout,
    pub session: Session,
    /// Offset of the edit programs in the constants.
    pub edit_programs: u32,
    pub collating: u32,
    pub argument_capacity: u32,
    /// PARMCHECK: the location of the bytes behind WORKING-STORAGE.
    pub guard: Option<u32>,
    /// Bytes of temporaries in WORKING-STORAGE, and the number of temporaries that are obtained when they are used.
    temporary_bytes: u32,
    scratch_areas: u32,
    /// Statements that are not the first of their line, and which they are there. Only for programs with checks.
    verbs: FxHashMap<u32, u32>,
}

const GAP: u32 = 16;

/// A program with more temporaries than this obtains the others when it uses them: it starts without their storage, and the statement
/// that cannot get it is known.
const TEMPORARY_BYTES_MAX: u32 = 4 << 20;

/// Code page of a program's options.
pub fn code_page(ccsid: u16) -> &'static le::CodePage {
    le::code_page::by_ccsid(ccsid).unwrap_or(&le::code_page::CCSID_037)
}

impl<'a> Layout<'a> {
    pub fn new(program: &'a Program, index: u32, parent: Option<u32>, constants: &mut Constants) -> Layout<'a> {
        let mut layout = Layout {
            program,
            index,
            parent,
            places: Vec::new(),
            descriptors: Vec::new(),
            working_image: Vec::new(),
            working_length: 0,
            local_image: Vec::new(),
            local_length: 0,
            frame: FrameLayout { linkage: 0, cells: 0, cells_length: 0, alters: 0, length: 0 },
            session: session(program),
            edit_programs: 0,
            collating: u32::MAX,
            argument_capacity: argument_capacity(program),
            guard: None,
            temporary_bytes: 0,
            scratch_areas: 0,
            verbs: verbs_on_lines(program),
        };
        layout.frame.length = (FRAME_HEAD_LENGTH + 4 * layout.argument_capacity).next_multiple_of(8);
        layout.frame.linkage = layout.frame.length;
        layout.place_areas();
        layout.describe_items(constants);
        layout.add_collating(constants);
        layout
    }

    fn place_areas(&mut self) {
        for (number, base) in self.program.bases.iter().enumerate() {
            let place = match &base.kind {
                BaseKind::Working if self.program.options.parmcheck.is_some() => {
                    let guard = self.program.options.parmcheck.map_or(0, |options| u32::from(options.bytes));
                    let offset = append(&mut self.working_image, &mut self.working_length, base.length + guard, &base.image);
                    self.guard = Some(offset + base.length);
                    AreaPlace::Working(offset)
                }
                BaseKind::Working | BaseKind::Record(_) | BaseKind::Registers | BaseKind::Indexes => {
                    AreaPlace::Working(append(&mut self.working_image, &mut self.working_length, base.length, &base.image))
                }
                BaseKind::Local => AreaPlace::Local(append(&mut self.local_image, &mut self.local_length, base.length, &base.image)),
                BaseKind::Linkage | BaseKind::External | BaseKind::ExternalRecord(_) => {
                    AreaPlace::Frame(argument_slot(self.program, number).unwrap_or_else(|| self.take_frame(4, 4)))
                }
                BaseKind::Outer { levels, base } => AreaPlace::Outer { levels: *levels, base: base.0 },
            };
            self.places.push(place);
        }
    }

    /// Room in the frame.
    pub fn take_frame(&mut self, bytes: u32, align: u32) -> u32 {
        let offset = self.frame.length.next_multiple_of(align);
        self.frame.length = offset + bytes;
        offset
    }

    /// Room in WORKING-STORAGE for copies of arguments and other temporaries that need a 31-bit address.
    pub fn take_working(&mut self, bytes: u32) -> u32 {
        append(&mut self.working_image, &mut self.working_length, bytes, &[])
    }

    /// Whether WORKING-STORAGE takes a temporary of so many bytes; if so, they are counted.
    pub fn has_room_for_temporary(&mut self, bytes: u32) -> bool {
        let has_room = bytes <= TEMPORARY_BYTES_MAX - self.temporary_bytes;
        self.temporary_bytes += if has_room { bytes } else { 0 };
        has_room
    }

    /// The number of a temporary that is obtained when it is used.
    pub fn next_scratch_area(&mut self) -> u32 {
        self.scratch_areas += 1;
        self.scratch_areas
    }

    fn describe_items(&mut self, constants: &mut Constants) {
        let mut pool: Vec<u8> = Vec::new();
        let currencies = currency_texts(self.program, self.session.code_page);
        for item in &self.program.items {
            let mut attributes = describe(item);
            if let Some(picture) = item.picture.as_ref().filter(|_| needs_edit_program(item)) {
                let currencies: Vec<le::edit::Currency> =
                    currencies.iter().map(|(symbol, text)| le::edit::Currency { symbol: *symbol, text }).collect();
                let options = le::edit::PictureOptions {
                    decimal_comma: self.program.special_names.decimal_point_is_comma,
                    currencies: &currencies,
                    code_page: self.session.code_page,
                };
                let blank = item.category == Category::NumericEdited && item.blank_when_zero;
                let compiled = if blank {
                    // A picture of plain 9s is numeric-edited by the clause alone.
                    le::edit::compile_edited(&picture.text, &options)
                } else {
                    le::edit::compile(&picture.text, &options)
                };
                if let Ok(compiled) = compiled {
                    pool.resize(pool.len().next_multiple_of(4), 0);
                    attributes.edit = pool.len() as u32;
                    attributes.digits = compiled.digits;
                    attributes.scale = compiled.scale;
                    pool.extend_from_slice(&compiled.program);
                }
            }
            self.descriptors.push(attributes);
        }
        pool.extend_from_slice(&[0; 8]);
        self.edit_programs = constants.add(&pool, 8);
        // The compiler evaluates constant moves with the run time's own functions, which need the pool at hand.
        self.session.edit_programs = Box::leak(pool.into_boxed_slice()).as_ptr();
    }

    fn add_collating(&mut self, constants: &mut Constants) {
        let special = &self.program.special_names;
        let Some(alphabet) = special.collation.and_then(|at| special.alphabets.get(at as usize)) else {
            return;
        };
        if !alphabet.native {
            self.collating = constants.add(&alphabet.ranks[..], 16);
            self.session.collating = Box::leak(Box::new(*alphabet.ranks));
        }
    }

    /// Which statement of its line it is, from 1.
    pub fn verb_on_line(&self, statement: u32) -> u32 {
        self.verbs.get(&statement).copied().unwrap_or(1)
    }

    pub fn descriptor(&self, item: ItemId) -> Attributes {
        self.descriptors[item.0 as usize]
    }
}

fn verbs_on_lines(program: &Program) -> FxHashMap<u32, u32> {
    let options = &program.options;
    let (mut verbs, mut lines) = (FxHashMap::default(), FxHashMap::default());
    if options.numcheck.is_none() && options.ssrange.is_none() && options.parmcheck.is_none() {
        return verbs;
    }
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            let count: &mut u32 = lines.entry((statement.span.file, statement.span.line)).or_default();
            *count += 1;
            if *count > 1 {
                verbs.insert(statement.number, *count);
            }
        });
    }
    verbs
}

fn append(image: &mut Vec<u8>, length: &mut u32, bytes: u32, start: &[u8]) -> u32 {
    let offset = if *length == 0 { 0 } else { (*length + GAP).next_multiple_of(16) };
    *length = offset + bytes;
    if !start.is_empty() {
        image.resize(offset as usize, 0);
        image.extend_from_slice(start);
    }
    offset
}

fn argument_capacity(program: &Program) -> u32 {
    let returning = program.returning.is_some() as u32;
    let entries = program.entries.iter().map(|entry| entry.parameters.len()).max().unwrap_or(0);
    (program.parameters.len() as u32 + returning).max(entries as u32)
}

/// The frame offset where the caller leaves the address of a base, when only one parameter can put it there: the base then
/// needs no place of its own. ENTRY statements pass other parameters in the same places.
fn argument_slot(program: &Program, base: usize) -> Option<u32> {
    let items = program.parameters.iter().map(|parameter| parameter.item).chain(program.returning);
    let mut numbers = (0..).zip(items).filter(|(_, item)| program.item(*item).base.0 as usize == base);
    match (numbers.next(), numbers.next()) {
        (Some((number, _)), None) if program.entries.is_empty() => Some(FRAME_HEAD_LENGTH + 4 * number),
        _ => None,
    }
}

fn needs_edit_program(item: &Item) -> bool {
    matches!(item.category, Category::NumericEdited | Category::AlphanumericEdited | Category::NationalEdited | Category::ExternalFloat)
}

fn currency_texts(program: &Program, page: &le::CodePage) -> Vec<(char, String)> {
    let mut texts: Vec<(char, String)> =
        program.special_names.currencies.iter().map(|currency| (currency.symbol as char, page.decode(&currency.sign))).collect();
    if texts.is_empty() {
        let currency = program.options.currency;
        texts.push((if currency.is_ascii() { currency } else { cobol::options::CURRENCY_STAND_IN as char }, currency.to_string()));
    }
    texts
}

/// The session compiled code will run under, for evaluating constants.
fn session(program: &Program) -> Session {
    use cobol::options as o;
    let page = code_page(program.options.codepage);
    let mut session = Session::new(page);
    session.arith = match program.options.arith {
        o::Arith::Compat => le::Arith::Compat,
        o::Arith::Extend => le::Arith::Extend,
    };
    session.trunc = match program.options.trunc {
        o::Trunc::Std => le::Trunc::Std,
        o::Trunc::Opt => le::Trunc::Opt,
        o::Trunc::Bin => le::Trunc::Bin,
    };
    session.numproc = match program.options.numproc {
        o::Numproc::Nopfd => le::Numproc::Nopfd,
        o::Numproc::Pfd => le::Numproc::Pfd,
    };
    session.float_format =
        if program.options.uses_binary_floating_point() { le::FloatFormat::Binary } else { le::FloatFormat::Hexadecimal };
    session.display_sign_separate = program.options.display_sign_separate;
    session.zones_kept = program.options.invalid_data.is_some();
    session.signs_cleaned = program.options.invalid_data.is_some_and(|data| data.signs_cleaned);
    session.decimal_comma = program.special_names.decimal_point_is_comma;
    session.currency = page.byte_of(program.options.currency).unwrap_or(page.dollar);
    session.quote = match program.options.quote {
        o::QuoteCharacter::Quote => page.quote,
        o::QuoteCharacter::Apostrophe => page.byte_of('\'').unwrap_or(page.quote),
    };
    session
}

/// The run time's description of an item.
pub fn describe(item: &Item) -> Attributes {
    use le::Usage as U;
    let national = item.usage == Usage::National;
    let usage = match (item.category, item.usage) {
        (Category::Group, _) => U::Group,
        (Category::Alphabetic, _) => U::Alphabetic,
        (Category::Alphanumeric, _) => U::Alphanumeric,
        (Category::AlphanumericEdited, _) => U::AlphanumericEdited,
        (Category::NumericEdited, _) if national => U::NationalNumericEdited,
        (Category::NumericEdited, _) => U::NumericEdited,
        (Category::Numeric, Usage::Packed) => U::Packed,
        (Category::Numeric, Usage::Binary) => U::Binary,
        (Category::Numeric, Usage::NativeBinary) => U::NativeBinary,
        (Category::Numeric, Usage::Index) => U::Index,
        (Category::Numeric, _) if national => U::NationalZoned,
        (Category::Numeric, _) => U::Zoned,
        (Category::InternalFloat, Usage::Float) => U::Float4,
        (Category::InternalFloat, _) => U::Float8,
        (Category::ExternalFloat, _) => U::FloatDisplay,
        (Category::National, _) => U::National,
        (Category::NationalEdited, _) => U::NationalEdited,
        (Category::Utf8, _) => U::Utf8,
        (Category::Dbcs, _) => U::Dbcs,
        (Category::Index, _) => U::Index,
        (Category::Pointer | Category::ProcedurePointer | Category::ObjectReference, _) => U::Pointer,
        (Category::FunctionPointer, _) => U::FunctionPointer,
    };
    let mut attributes = Attributes::new(usage, item.length_max);
    attributes.digits = item.digits;
    attributes.scale = item.scale;
    attributes.sign = match item.sign {
        cobol::program::Sign::Unsigned => le::Sign::Unsigned,
        cobol::program::Sign::Trailing => le::Sign::Trailing,
        cobol::program::Sign::Leading => le::Sign::Leading,
        cobol::program::Sign::TrailingSeparate => le::Sign::TrailingSeparate,
        cobol::program::Sign::LeadingSeparate => le::Sign::LeadingSeparate,
    };
    if usage == U::Utf8 {
        attributes.edit = item.characters;
    }
    if usage == U::Index {
        // An occurrence number: a signed word.
        attributes = Attributes::native_binary(9, 0, true);
    }
    if matches!(usage, U::Float4 | U::Float8) {
        attributes.sign = le::Sign::Trailing;
    }
    if item.justified {
        attributes.flags |= Attributes::JUSTIFIED;
    }
    if item.blank_when_zero {
        attributes.flags |= Attributes::BLANK_WHEN_ZERO;
    }
    attributes
}

/// Files that the program opens (not sort files).
pub fn is_real_file(kind: FileKind) -> bool {
    kind == FileKind::File
}
