//! JSON and XML statements: from the parameter blocks of compiled code to `le::markup`.
//!
//! `unsafe` here reads the parameter blocks that compiled code has built in its frame, and the areas they name: see the parent module.

use super::operations::exception_abend;
use super::*;
use crate::requests::{MarkupRequest, VaryingRegister, XmlRegisters, display_flags, markup_operation, service, xml_flags, xml_step};
use le::code_page::{CodePage, by_ccsid};
use le::markup::{self, Data, Event, EventKind, Tree};

/// An XML PARSE statement between two of its events.
pub struct Parse {
    /// `None` when the statement has ended.
    parser: Option<markup::XmlParser>,
    /// Memory that the host counts for the parser.
    reserved: usize,
    /// Texts of alphanumeric registers are in this code page.
    page: &'static CodePage,
    /// Texts go to the national registers.
    national: bool,
    /// The exception that ends the parse, once its event was given.
    failed: Option<i32>,
    started: bool,
    /// Program storage of the texts: address and length.
    buffer: (u32, u32),
}

/// JSON-CODE for an unknown encoding.
const ENCODING_UNKNOWN: i64 = 109;
/// XML-CODE of a parse that the processing procedure ended.
const USER_TERMINATION: i32 = -1;
/// XML-CODE for an unknown encoding (16 is the return code, 0x0801 the reason of an unsupported encoding).
const XML_ENCODING_UNKNOWN: i32 = 16 << 16 | 0x0801;

/// Texts up to this length are not counted as memory.
const MEMORY_COUNTED: usize = 1 << 16;

/// What a statement asks of the run unit while it runs.
struct Statement<'a> {
    unit: &'a mut RunUnit,
    details: bool,
    reserved: usize,
    /// Why the statement ends, if the host does not let it go on.
    departure: Option<Departure>,
}

impl<'a> Statement<'a> {
    fn new(unit: &'a mut RunUnit, details: bool) -> Statement<'a> {
        Statement { unit, details, reserved: 0, departure: None }
    }

    fn reserve_if_long(&mut self, bytes: usize) -> le::Result<()> {
        if bytes > MEMORY_COUNTED { markup::Caller::reserve(self, bytes) } else { Ok(()) }
    }

    /// The error of the statement for the program.
    fn end<T>(self, result: le::Result<T>) -> Result<T, Departure> {
        result.map_err(|exception| self.departure.unwrap_or_else(|| exception_abend(exception)))
    }
}

impl markup::Caller for Statement<'_> {
    fn reserve(&mut self, bytes: usize) -> le::Result<()> {
        if let Err(departure) = self.unit.host().reserve(bytes) {
            self.departure = Some(departure);
            return Err(le::Exception::Stopped);
        }
        self.reserved += bytes;
        Ok(())
    }

    fn wants_details(&self) -> bool {
        self.details
    }

    fn detail(&mut self, text: &str) -> le::Result<()> {
        self.unit.host().display(display_flags::SYSOUT, &format!("JSON PARSE: {text}"), true);
        Ok(())
    }
}

impl RunUnit {
    pub(super) fn markup(&mut self, frame: FrameId, number: u32, words: &[u64]) -> Result<i64, Departure> {
        match number {
            service::MARKUP => {
                // The block is on the stack of the calling statement.
                let request = unsafe { &mut *(words[0] as *mut MarkupRequest) };
                self.markup_text(frame, request)
            }
            service::XML_OPEN => self.xml_open(frame, words),
            _ => self.xml_next(frame, words),
        }
    }

    fn markup_text(&mut self, frame: FrameId, request: &mut MarkupRequest) -> Result<i64, Departure> {
        let session = frame.session();
        let bytes = unsafe { std::slice::from_raw_parts(request.tree, request.tree_length as usize) };
        let Some(tree) = (unsafe { Tree::from_bytes(bytes) }) else {
            return Err(Departure::Abend(Box::new(kernel::Abend::new("4038", 0))));
        };
        let tables: &[markup::Depending] = match request.table_count {
            0 => &[],
            count => unsafe { std::slice::from_raw_parts(request.tables, count as usize) },
        };
        let data = Data { tree: &tree, root: request.root, tables, session };
        let described = unsafe { &*request.text.attributes };
        let operation = request.operation & 0xFF;
        let default = match (described.is_national(), operation) {
            (true, _) => &le::code_page::CCSID_1200,
            (false, markup_operation::XML_GENERATE) => session.code_page,
            _ if request.operation & markup_operation::PROGRAM_ENCODING != 0 => session.code_page,
            _ => &le::code_page::CCSID_1208,
        };
        let page = match request.encoding {
            0 => default,
            ccsid => match u16::try_from(ccsid).ok().and_then(by_ccsid) {
                Some(page) => page,
                None => return Ok(ENCODING_UNKNOWN),
            },
        };
        let is_utf8 = described.usage == le::Usage::Utf8;
        if is_utf8 && page.encoding != le::code_page::Encoding::Utf8 {
            return Ok(ENCODING_UNKNOWN);
        }
        let details = request.operation & markup_operation::DETAIL != 0;
        let mut statement = Statement::new(self, details);
        let result = unsafe { convert(&data, request, page, &mut statement) };
        let reserved = statement.reserved;
        let result = statement.end(result);
        self.host().release(reserved);
        result
    }

    /// words: parse number, document, length, flags, CCSID.
    fn xml_open(&mut self, frame: FrameId, words: &[u64]) -> Result<i64, Departure> {
        let session = frame.session();
        let document = match words[2] {
            0 => &[][..],
            length => unsafe { std::slice::from_raw_parts(words[1] as *const u8, length as usize) },
        };
        let flags = words[3] as u32;
        let own = session.code_page;
        let page = match (words[4], flags & xml_flags::NATIONAL != 0) {
            (0, true) => Some(&le::code_page::CCSID_1200),
            (0, false) => Some(document_page(document, own)),
            (ccsid, _) => u16::try_from(ccsid).ok().and_then(by_ccsid),
        };
        let national = flags & (xml_flags::NATIONAL | xml_flags::RETURNING_NATIONAL) != 0;
        let compatible = flags & xml_flags::COMPATIBLE != 0;
        let id = (frame, words[0] as u32);
        self.end_parse(id);
        let mut statement = Statement::new(self, false);
        let parser = xml_parser(document, page.unwrap_or(own), (national, compatible), session, &mut statement);
        let reserved = statement.reserved;
        let parser = statement.end(parser).inspect_err(|_| self.host().release(reserved))?;
        let parse = self.parses.entry(id).or_insert(Parse {
            parser: None,
            reserved: 0,
            page: own,
            national,
            failed: None,
            started: false,
            buffer: (0, 0),
        });
        *parse = Parse {
            parser: page.map(|_| parser),
            reserved,
            page: page.unwrap_or(own),
            national,
            failed: if page.is_none() { Some(XML_ENCODING_UNKNOWN) } else { None },
            started: false,
            buffer: parse.buffer,
        };
        Ok(0)
    }

    /// The statement has read its document.
    fn end_parse(&mut self, id: (FrameId, u32)) {
        let Some(parse) = self.parses.get_mut(&id) else { return };
        parse.parser = None;
        let reserved = std::mem::take(&mut parse.reserved);
        self.host().release(reserved);
    }

    fn xml_next(&mut self, frame: FrameId, words: &[u64]) -> Result<i64, Departure> {
        let id = (frame, words[0] as u32);
        // The block is on the stack of the calling statement, the registers are in the program's storage.
        let registers = unsafe { &*(words[1] as *const XmlRegisters) };
        let Some(parse) = self.parses.get_mut(&id) else {
            return Ok(i64::from(xml_step::ENDED));
        };
        if let Some(code) = parse.failed {
            if !parse.started {
                unsafe { put_word(registers.code, code) };
            }
            return Ok(i64::from(xml_step::EXCEPTION));
        }
        if parse.started && unsafe { word(registers.code) } != 0 {
            // The processing procedure ended the parse.
            unsafe { put_word(registers.code, USER_TERMINATION) };
            parse.failed = Some(USER_TERMINATION);
            self.end_parse(id);
            return Ok(i64::from(xml_step::EXCEPTION));
        }
        parse.started = true;
        let event = parse.parser.as_mut().map_or(Ok(None), markup::XmlParser::next_event).map_err(exception_abend)?;
        let Some(event) = event else {
            self.end_parse(id);
            return Ok(i64::from(xml_step::ENDED));
        };
        if event.kind == EventKind::Exception {
            parse.failed = Some(event.code);
        }
        self.show_event(frame, id, registers, &event)?;
        if matches!(event.kind, EventKind::Exception | EventKind::EndOfDocument) {
            self.end_parse(id);
        }
        Ok(i64::from(xml_step::EVENT))
    }

    /// Fills the special registers.
    fn show_event(&mut self, frame: FrameId, id: (FrameId, u32), registers: &XmlRegisters, event: &Event) -> Result<(), Departure> {
        let session = frame.session();
        let (national, page) = match self.parses.get(&id) {
            Some(parse) => (parse.national, parse.page),
            None => return Ok(()),
        };
        let texts = [&event.text, &event.namespace, &event.prefix].map(String::as_str);
        let wide = |number: usize| national || (number == 0 && event.kind.is_national());
        let page_of = |number: usize| if wide(number) { &le::code_page::CCSID_1200 } else { page };
        let mut lengths = [0u32; 3];
        for (number, text) in texts.into_iter().enumerate() {
            markup::encode(text, page_of(number), |bytes| lengths[number] += bytes.len() as u32);
        }
        let room = lengths.iter().map(|length| length + 8).sum::<u32>();
        let mut at = self.text_buffer(id, room)?;
        for register in &registers.texts {
            unsafe { set_varying(register, at, 0) };
        }
        for (number, text) in texts.into_iter().enumerate() {
            let width = 1 + wide(number) as usize;
            // The buffer has room for all of them.
            unsafe {
                set_varying(&registers.texts[2 * number + width - 1], at, lengths[number] / width as u32);
                let mut to = at as usize as *mut u8;
                markup::encode(text, page_of(number), |bytes| {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
                    to = to.add(bytes.len());
                });
            }
            at += (lengths[number] + 8) & !1;
        }
        let mut name = [session.code_page.space; 30];
        let encoded = session.code_page.encode(event.kind.name());
        name[..encoded.len()].copy_from_slice(&encoded);
        let complete = matches!(
            event.kind,
            EventKind::ContentCharacters | EventKind::AttributeCharacters | EventKind::ContentCharacter | EventKind::AttributeCharacter
        );
        unsafe {
            std::ptr::copy_nonoverlapping(name.as_ptr(), registers.event, name.len());
            put_word(registers.code, event.code);
            put_word(registers.information, complete as i32);
        }
        Ok(())
    }

    /// Program storage of at least `length` bytes for the texts of a parse.
    fn text_buffer(&mut self, id: (FrameId, u32), length: u32) -> Result<u32, Departure> {
        let (address, size) = self.parses.get(&id).map_or((0, 0), |parse| parse.buffer);
        if size >= length {
            return Ok(address);
        }
        // Longer texts come one by one.
        let size_new = if length > MEMORY_COUNTED as u32 { length } else { length.next_power_of_two().max(4096) };
        let new = self.host().getmain(size_new)?;
        if size > 0 {
            self.host().freemain(address, size);
        }
        if let Some(parse) = self.parses.get_mut(&id) {
            parse.buffer = (new, size_new);
        }
        Ok(new)
    }

    /// Releases the resources of XML PARSE statements.
    pub(super) fn end_parses(&mut self) {
        if self.parses.is_empty() {
            return;
        }
        for (_, parse) in std::mem::take(&mut self.parses) {
            self.host().release(parse.reserved);
            if parse.buffer.1 > 0 {
                self.host().freemain(parse.buffer.0, parse.buffer.1);
            }
        }
    }
}

/// JSON GENERATE, JSON PARSE and XML GENERATE; returns JSON-CODE or XML-CODE.
///
/// # Safety
/// The tree of `data` must describe its storage, and the request an area of that length.
unsafe fn convert(data: &Data<'_>, request: &mut MarkupRequest, page: &CodePage, statement: &mut Statement<'_>) -> le::Result<i64> {
    let described = &*request.text.attributes;
    let (area, length) = (request.text.address, described.length);
    let operation = request.operation & 0xFF;
    if operation != markup_operation::JSON_PARSE {
        // The text for the receiver, and that of one item.
        statement.reserve_if_long(2 * length as usize)?;
        statement.reserve_if_long(2 * data.longest_item())?;
    }
    match operation {
        markup_operation::JSON_GENERATE => {
            let placed = markup::json_generate(data, page, area, described)?;
            request.count = placed.count;
            Ok(i64::from(!placed.complete))
        }
        markup_operation::XML_GENERATE => {
            let decoration = markup::Decoration {
                declaration: request.operation & markup_operation::DECLARATION != 0,
                namespace: text_of(&request.namespace, data.session),
                prefix: text_of(&request.prefix, data.session),
            };
            let (placed, code) = markup::xml_generate(data, &decoration, page, area, length)?;
            request.count = placed.count;
            Ok(i64::from(code))
        }
        _ => {
            let text = std::slice::from_raw_parts(area, length as usize);
            let outcome = markup::json_parse(data, text, page, statement)?;
            request.status = outcome.status;
            Ok(i64::from(outcome.code))
        }
    }
}

/// The parser of a document. Besides the document, it takes memory for the text of one event.
fn xml_parser(
    document: &[u8],
    page: &'static CodePage,
    (national, compatible): (bool, bool),
    session: &le::Session,
    statement: &mut Statement<'_>,
) -> le::Result<markup::XmlParser> {
    let mut text = markup::decoded(document, page, session, statement)?;
    text.truncate(text.trim_end_matches([' ', '\0']).len());
    statement.reserve_if_long(text.len())?;
    let reference_page = if national { &le::code_page::CCSID_1200 } else { page };
    Ok(markup::XmlParser::new(text, reference_page, compatible, session))
}

/// The encoding of an alphanumeric document: Unicode when it begins as such, otherwise the program's.
fn document_page(document: &[u8], own: &'static CodePage) -> &'static CodePage {
    let begins_ascii = document.iter().find(|byte| !matches!(byte, 0x20 | 0x09 | 0x0A | 0x0D)) == Some(&b'<');
    match document {
        [0xEF, 0xBB, 0xBF, ..] => &le::code_page::CCSID_1208,
        [0xFE, 0xFF, ..] | [0x00, b'<', ..] => &le::code_page::CCSID_1200,
        _ if begins_ascii && own.is_ebcdic() => &le::code_page::CCSID_1208,
        _ => own,
    }
}

/// Text of an operand without trailing spaces; `None` when it is absent.
fn text_of(operand: &crate::requests::Operand, session: &le::Session) -> Option<String> {
    if operand.address.is_null() {
        return None;
    }
    // Address and description come from compiled code and belong together.
    let (bytes, national) = unsafe {
        let attributes = &*operand.attributes;
        (std::slice::from_raw_parts(operand.address, attributes.length as usize), attributes.is_national())
    };
    let page = if national { &le::code_page::CCSID_1200 } else { session.code_page };
    Some(page.decode(bytes).trim_end_matches(' ').to_string())
}

unsafe fn word(at: *const u8) -> i32 {
    i32::from_be_bytes(at.cast::<[u8; 4]>().read_unaligned())
}

unsafe fn put_word(at: *mut u8, value: i32) {
    at.cast::<[u8; 4]>().write_unaligned(value.to_be_bytes());
}

unsafe fn set_varying(register: &VaryingRegister, address: u32, length: u32) {
    register.address.write_unaligned(address);
    put_word(register.length, length as i32);
}
