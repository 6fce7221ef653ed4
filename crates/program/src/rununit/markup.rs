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
    parser: markup::XmlParser,
    /// Texts of alphanumeric registers are in this code page.
    page: &'static CodePage,
    /// Texts go to the national registers.
    national: bool,
    /// The exception that ends the parse, once its event was given.
    failed: Option<i32>,
    started: bool,
    ended: bool,
    /// Program storage of the texts: address and length.
    buffer: (u32, u32),
}

/// JSON-CODE for an unknown encoding.
const ENCODING_UNKNOWN: i64 = 109;
/// XML-CODE of a parse that the processing procedure ended.
const USER_TERMINATION: i32 = -1;
/// XML-CODE for an unknown encoding (16 is the return code, 0x0801 the reason of an unsupported encoding).
const XML_ENCODING_UNKNOWN: i32 = 16 << 16 | 0x0801;

impl RunUnit {
    pub(super) fn markup(&mut self, frame: *mut Frame, number: u32, words: &[u64]) -> Result<i64, Departure> {
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

    fn markup_text(&mut self, frame: *mut Frame, request: &mut MarkupRequest) -> Result<i64, Departure> {
        let session = unsafe { &*(*frame).session };
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
        let (area, length) = (request.text.address, described.length);
        let is_utf8 = described.usage == le::Usage::Utf8;
        if is_utf8 && page.encoding != le::code_page::Encoding::Utf8 {
            return Ok(ENCODING_UNKNOWN);
        }
        match operation {
            markup_operation::JSON_GENERATE => {
                let placed = unsafe { markup::json_generate(&data, page, area, described) }.map_err(exception_abend)?;
                request.count = placed.count;
                Ok(i64::from(!placed.complete))
            }
            markup_operation::XML_GENERATE => {
                let decoration = markup::Decoration {
                    declaration: request.operation & markup_operation::DECLARATION != 0,
                    namespace: text_of(&request.namespace, session),
                    prefix: text_of(&request.prefix, session),
                };
                let generated = unsafe { markup::xml_generate(&data, &decoration, page, area, length) };
                let (placed, code) = generated.map_err(exception_abend)?;
                request.count = placed.count;
                Ok(i64::from(code))
            }
            _ => {
                let text = unsafe { std::slice::from_raw_parts(area, length as usize) };
                let outcome = unsafe { markup::json_parse(&data, text, page) }.map_err(exception_abend)?;
                request.status = outcome.status;
                if request.operation & markup_operation::DETAIL != 0 {
                    for message in &outcome.messages {
                        session.check_stop().map_err(exception_abend)?;
                        self.host().display(display_flags::SYSOUT, &format!("JSON PARSE: {message}"), true);
                    }
                }
                Ok(i64::from(outcome.code))
            }
        }
    }

    /// words: parse number, document, length, flags, CCSID.
    fn xml_open(&mut self, frame: *mut Frame, words: &[u64]) -> Result<i64, Departure> {
        let session = unsafe { &*(*frame).session };
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
        let text = markup::decoded(document, page.unwrap_or(own), session).map_err(exception_abend)?;
        let reference_page = if national { &le::code_page::CCSID_1200 } else { page.unwrap_or(own) };
        let parser = markup::XmlParser::new(text.trim_end_matches([' ', '\0']), reference_page, compatible, session);
        let parser = parser.map_err(exception_abend)?;
        let id = (frame as usize, words[0] as u32);
        let old = self.parses.remove(&id).map_or((0, 0), |parse| parse.buffer);
        let parse = Parse {
            parser,
            page: page.unwrap_or(own),
            national,
            failed: if page.is_none() { Some(XML_ENCODING_UNKNOWN) } else { None },
            started: false,
            ended: page.is_none(),
            buffer: old,
        };
        self.parses.insert(id, parse);
        Ok(0)
    }

    fn xml_next(&mut self, frame: *mut Frame, words: &[u64]) -> Result<i64, Departure> {
        let id = (frame as usize, words[0] as u32);
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
            return Ok(i64::from(xml_step::EXCEPTION));
        }
        if parse.ended {
            return Ok(i64::from(xml_step::ENDED));
        }
        parse.started = true;
        let Some(event) = parse.parser.next() else {
            parse.ended = true;
            return Ok(i64::from(xml_step::ENDED));
        };
        match event.kind {
            EventKind::Exception => parse.failed = Some(event.code),
            EventKind::EndOfDocument => parse.ended = true,
            _ => {}
        }
        self.show_event(frame, id, registers, &event)?;
        Ok(i64::from(xml_step::EVENT))
    }

    /// Fills the special registers.
    fn show_event(&mut self, frame: *mut Frame, id: (usize, u32), registers: &XmlRegisters, event: &Event) -> Result<(), Departure> {
        let session = unsafe { &*(*frame).session };
        let (national, page) = match self.parses.get(&id) {
            Some(parse) => (parse.national, parse.page),
            None => return Ok(()),
        };
        let mut parts: Vec<(usize, Vec<u8>)> = Vec::new();
        for (number, text) in [&event.text, &event.namespace, &event.prefix].into_iter().enumerate() {
            let wide = national || (number == 0 && event.kind.is_national());
            let bytes = if wide { le::code_page::CCSID_1200.encode(text) } else { page.encode(text) };
            parts.push((2 * number + wide as usize, bytes));
        }
        let room = parts.iter().map(|(_, bytes)| bytes.len() as u32 + 8).sum::<u32>();
        let mut at = self.text_buffer(id, room)?;
        for register in &registers.texts {
            unsafe { set_varying(register, at, 0) };
        }
        for (number, bytes) in parts {
            let width = 1 + number % 2;
            // The buffer has room for all parts.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as usize as *mut u8, bytes.len());
                set_varying(&registers.texts[number], at, (bytes.len() / width) as u32);
            }
            at += (bytes.len() as u32 + 8) & !1;
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
    fn text_buffer(&mut self, id: (usize, u32), length: u32) -> Result<u32, Departure> {
        let (address, size) = self.parses.get(&id).map_or((0, 0), |parse| parse.buffer);
        if size >= length {
            return Ok(address);
        }
        let size_new = length.next_power_of_two().max(4096);
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
            if parse.buffer.1 > 0 {
                self.host().freemain(parse.buffer.0, parse.buffer.1);
            }
        }
    }
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
