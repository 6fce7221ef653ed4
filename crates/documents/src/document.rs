//! A document: blocks of data with bookmarks between them.
//!
//! A retrieved document has control information in it ("DOCUMENT RETRIEVE"), so that DOCUMENT CREATE FROM can make the same document again.
//! Its form here: it begins with [`MARK`] [`HEADER`]; a block of text follows as it is, with each [`MARK`] in it doubled; [`MARK`] [`BOOKMARK`]
//! and the 16 bytes of a name is a bookmark; [`MARK`] [`BINARY`], a length in four bytes and the data is a block that is not converted;
//! [`MARK`] [`CODE_PAGE`] and a CCSID in two bytes says how the text that follows is encoded. So text alone needs two bytes more than it has.
//!
//! Invariants: a bookmark is in a document once; a position is that of an element, or the end; `TOP` is not among the elements.

use codepage::CodePage;
use region::code_page::RegionCodePage;
use region::name::Name16;
use vsam::store::Charge;

use crate::symbols::SymbolTable;

/// The byte that begins control information: interchange group separator.
const MARK: u8 = 0x1D;
const HEADER: u8 = 0x00;
const BOOKMARK: u8 = 0x01;
const BINARY: u8 = 0x02;
const CODE_PAGE: u8 = 0x03;
/// Bytes of a bookmark's name.
const NAME_BYTES: usize = 16;
/// Memory of an element besides its data.
pub const ELEMENT_BYTES: usize = 96;
/// The bookmark before everything else, which every document has.
pub const TOP: &str = "TOP";

pub enum Element {
    /// Characters, and the code page of the host they are in.
    Text(&'static CodePage, Vec<u8>),
    /// Data that is not converted.
    Binary(Vec<u8>),
    Bookmark(Name16),
}

/// Why data cannot be inserted at a bookmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misplaced {
    NoAt,
    NoTo,
    /// TO is before AT.
    Order,
    /// A bookmark of this name is there already.
    Duplicate,
}

/// A document that a program retrieved is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

#[derive(Default)]
pub struct Document {
    elements: Vec<Element>,
    pub symbols: SymbolTable,
    /// Memory of the process for the elements.
    charges: Vec<Charge>,
}

/// How a document is retrieved.
pub struct Form {
    /// Without control information (DATAONLY).
    pub data_only: bool,
    /// The code page that text is converted to; `None`: each text in its own.
    pub client: Option<&'static CodePage>,
}

impl Document {
    /// Bytes of memory that the elements take.
    pub fn memory_bytes(elements: &[Element]) -> usize {
        elements.iter().map(|element| ELEMENT_BYTES + element.data().len()).sum()
    }

    fn position_of(&self, bookmark: Name16) -> Option<usize> {
        self.elements.iter().position(|element| matches!(element, Element::Bookmark(name) if *name == bookmark))
    }

    /// Inserts elements behind a bookmark, or at the end; what is between it and the bookmark of `to` is removed.
    ///
    /// # Errors
    ///
    /// Why it cannot be done; the document is as it was.
    pub fn insert(&mut self, elements: Vec<Element>, at: Option<Name16>, to: Option<Name16>, charge: Charge) -> Result<(), Misplaced> {
        let begin = match at {
            None => self.elements.len(),
            Some(name) if name.as_str() == TOP => 0,
            Some(name) => self.position_of(name).ok_or(Misplaced::NoAt)? + 1,
        };
        let end = match to {
            None => begin,
            Some(name) => self.position_of(name).ok_or(Misplaced::NoTo)?,
        };
        if end < begin {
            return Err(Misplaced::Order);
        }
        let names: Vec<Name16> = elements.iter().filter_map(Element::bookmark).collect();
        let stays = |name: &Name16| self.position_of(*name).is_some_and(|at| at < begin || at >= end);
        if names.iter().any(|name| stays(name) || name.as_str() == TOP) {
            return Err(Misplaced::Duplicate);
        }
        self.elements.splice(begin..end, elements);
        self.charges.push(charge);
        Ok(())
    }

    /// Keeps memory charged as long as the document is there.
    pub fn keep(&mut self, charge: Charge) {
        self.charges.push(charge);
    }

    /// A copy of the elements, for another document: the symbol table is not copied.
    pub fn copied(&self) -> Vec<Element> {
        self.elements.iter().map(Element::copied).collect()
    }

    /// Bytes that a retrieved copy has at most, without conversion.
    pub fn size(&self, home: &'static CodePage) -> usize {
        self.retrieved(home, &Form { data_only: false, client: None }).len()
    }

    /// The document as a program gets it.
    pub fn retrieved(&self, home: &'static CodePage, form: &Form) -> Vec<u8> {
        let mut out = if form.data_only { Vec::new() } else { vec![MARK, HEADER] };
        let mut page_now = home;
        for element in &self.elements {
            match element {
                Element::Text(page, data) => {
                    let target = form.client.unwrap_or(page);
                    if !form.data_only && target.ccsid != page_now.ccsid {
                        out.extend([MARK, CODE_PAGE]);
                        out.extend(target.ccsid.to_be_bytes());
                        page_now = target;
                    }
                    append_text(&mut out, &converted(data, page, target), form.data_only);
                }
                Element::Binary(data) => {
                    if !form.data_only {
                        out.extend([MARK, BINARY]);
                        out.extend((data.len() as u32).to_be_bytes());
                    }
                    out.extend(data);
                }
                Element::Bookmark(name) if !form.data_only => {
                    out.extend([MARK, BOOKMARK]);
                    out.extend(name.as_bytes());
                }
                Element::Bookmark(_) => {}
            }
        }
        out
    }

    /// The elements of a retrieved document; `Ok(None)`: the data is not one.
    ///
    /// # Errors
    ///
    /// It begins as one, and is damaged.
    pub fn parse(data: &[u8], home: &'static CodePage) -> Result<Option<Vec<Element>>, Damaged> {
        let Some(mut rest) = data.strip_prefix(&[MARK, HEADER]) else { return Ok(None) };
        let (mut elements, mut text, mut page) = (Vec::new(), Vec::new(), home);
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            if byte != MARK {
                text.push(byte);
                continue;
            }
            let (&kind, after) = rest.split_first().ok_or(Damaged)?;
            rest = after;
            if kind == MARK {
                text.push(MARK);
                continue;
            }
            if !text.is_empty() {
                elements.push(Element::Text(page, std::mem::take(&mut text)));
            }
            match kind {
                BOOKMARK => elements.push(Element::Bookmark(Name16::from_bytes(taken(&mut rest, NAME_BYTES)?))),
                BINARY => {
                    let length = taken(&mut rest, size_of::<u32>())?.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
                    elements.push(Element::Binary(taken(&mut rest, length)?.to_vec()));
                }
                CODE_PAGE => {
                    let ccsid = taken(&mut rest, size_of::<u16>())?.iter().fold(0, |ccsid, byte| ccsid << 8 | u16::from(*byte));
                    page = RegionCodePage::by_ccsid(ccsid).ok_or(Damaged)?;
                }
                _ => return Err(Damaged),
            }
        }
        if !text.is_empty() {
            elements.push(Element::Text(page, text));
        }
        Ok(Some(elements))
    }
}

impl Element {
    fn bookmark(&self) -> Option<Name16> {
        if let Element::Bookmark(name) = self { Some(*name) } else { None }
    }

    pub fn data(&self) -> &[u8] {
        match self {
            Element::Text(_, data) | Element::Binary(data) => data,
            Element::Bookmark(_) => &[],
        }
    }

    fn copied(&self) -> Element {
        match self {
            Element::Text(page, data) => Element::Text(page, data.clone()),
            Element::Binary(data) => Element::Binary(data.clone()),
            Element::Bookmark(name) => Element::Bookmark(*name),
        }
    }
}

/// The next bytes of control information.
fn taken<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], Damaged> {
    let (found, after) = rest.split_at_checked(length).ok_or(Damaged)?;
    *rest = after;
    Ok(found)
}

fn append_text(out: &mut Vec<u8>, text: &[u8], data_only: bool) {
    for byte in text {
        if *byte == MARK && !data_only {
            out.push(MARK);
        }
        out.push(*byte);
    }
}

fn converted(data: &[u8], from: &'static CodePage, to: &'static CodePage) -> Vec<u8> {
    if from.ccsid == to.ccsid { data.to_vec() } else { to.encode(&from.decode(data)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codepage::CCSID_037;

    fn text(text: &str) -> Element {
        Element::Text(&CCSID_037, CCSID_037.encode(text))
    }

    fn bookmark(name: &str) -> Element {
        Element::Bookmark(Name16::new(name))
    }

    fn of(elements: Vec<Element>) -> Document {
        Document { elements, ..Document::default() }
    }

    fn retrieved(document: &Document, data_only: bool) -> Vec<u8> {
        document.retrieved(&CCSID_037, &Form { data_only, client: None })
    }

    #[test]
    fn a_document_of_text_needs_two_bytes_more() {
        // The example of "Retrieving, storing and reusing a document": 18 characters in a buffer of 20 bytes.
        assert_eq!(of(vec![text("A sample document.")]).size(&CCSID_037), 20);
    }

    #[test]
    fn a_retrieved_document_is_made_again() {
        let latin = RegionCodePage::by_ccsid(819).unwrap();
        let document =
            of(vec![text("A"), bookmark("MARK"), Element::Binary(vec![MARK, 1, 2]), Element::Text(latin, vec![b'x', MARK]), text("Z")]);
        let bytes = retrieved(&document, false);
        let again = of(Document::parse(&bytes, &CCSID_037).unwrap().unwrap());
        assert_eq!(retrieved(&again, false), bytes);
        assert_eq!(retrieved(&again, true), [0xC1, MARK, 1, 2, b'x', MARK, 0xE9]);
        assert_eq!(document.size(&CCSID_037), bytes.len());
        assert!(Document::parse(b"<html>", &CCSID_037).unwrap().is_none());
    }

    #[test]
    fn damaged_documents_are_refused() {
        for data in [&[MARK, 0, MARK][..], &[MARK, 0, MARK, 9], &[MARK, 0, MARK, 1, 65], &[MARK, 0, MARK, 2, 255, 255, 255, 255, 1]] {
            assert_eq!(Document::parse(data, &CCSID_037).err(), Some(Damaged), "{data:?}");
        }
    }

    #[test]
    fn text_is_converted_and_other_data_is_not() {
        let document = of(vec![text("AB"), Element::Binary(vec![0xC1])]);
        let client = RegionCodePage::by_ccsid(1208);
        assert_eq!(document.retrieved(&CCSID_037, &Form { data_only: true, client }), [b'A', b'B', 0xC1]);
    }
}
