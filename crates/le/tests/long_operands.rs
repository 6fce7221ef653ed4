//! Operands of megabytes with almost equal bytes: a search takes time linear in the lengths (comparing at every position would take half an hour),
//! and an operation gives up when the program is to be stopped.

use le::attributes::Attributes;
use le::code_page::{CCSID_037, CCSID_939, CCSID_1208};
use le::functions::{self, Value, ValueKind};
use le::inspect::{InspectKind, InspectPhrase, inspect_convert, inspect_replace, inspect_tally};
use le::markup::{
    Caller, Data, Decoration, Depending, Extent, Node, Tree, XmlParser, json_generate, json_parse, node_flags, suppress, xml_generate,
};
use le::movement::{Figurative, Filled, move_all, move_field, move_figurative};
use le::string::{StringSource, string};
use le::table::{SortKey, sort};
use le::unstring::{Delimiter, UnstringTarget, unstring};
use le::{Exception, Session, Usage};
use std::ptr::null;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const ITEM: usize = 12_000_000;
const PATTERN: usize = 4_000_000;

fn phrase(kind: InspectKind, comparand: &[u8], replacement: &[u8]) -> InspectPhrase {
    InspectPhrase {
        kind,
        counter: 0,
        comparand: comparand.as_ptr(),
        replacement: replacement.as_ptr(),
        before: null(),
        after: null(),
        comparand_length: comparand.len() as u32,
        replacement_length: replacement.len() as u32,
        before_length: 0,
        after_length: 0,
        work: [0; 4],
    }
}

/// `AAA...A` and `AA...AB`.
fn operands(item: usize, pattern: usize) -> (Vec<u8>, Vec<u8>) {
    let mut wanted = vec![b'A'; pattern];
    wanted[pattern - 1] = b'B';
    (vec![b'A'; item], wanted)
}

/// UNSTRING of the text into two items of 10 characters; the pointer, or the exception.
fn separated(text: &[u8], delimiters: &[&[u8]], session: &Session) -> Result<(String, i64), Exception> {
    let field = Attributes::alphanumeric(10);
    let mut areas = [[b'.'; 10]; 2];
    let delimiters: Vec<Delimiter> =
        delimiters.iter().map(|bytes| Delimiter { address: bytes.as_ptr(), length: bytes.len() as u32, all: 0 }).collect();
    let targets = areas.each_mut().map(|area| UnstringTarget {
        address: area.as_mut_ptr(),
        attributes: &field,
        delimiter_address: std::ptr::null_mut(),
        delimiter_attributes: null(),
        count_address: std::ptr::null_mut(),
        count_attributes: null(),
    });
    let (mut pointer, mut tallying) = (1, 0);
    let attributes = Attributes::alphanumeric(text.len() as u32);
    unsafe { unstring(text.as_ptr(), &attributes, &delimiters, &targets, &mut pointer, &mut tallying, session) }?;
    Ok((areas.iter().map(|area| String::from_utf8_lossy(area).into_owned()).collect(), pointer))
}

fn joined(text: &[u8], delimiter: &[u8], session: &Session) -> i64 {
    let source = StringSource {
        address: text.as_ptr(),
        delimiter: delimiter.as_ptr(),
        length: text.len() as u32,
        delimiter_length: delimiter.len() as u32,
    };
    let (mut area, mut pointer) = (vec![b' '; 80], 1);
    unsafe { string(&[source], area.as_mut_ptr(), &Attributes::alphanumeric(80), &mut pointer, session) };
    pointer
}

#[test]
fn searches_of_long_operands_end() {
    let session = Session::ascii();
    let (mut text, wanted) = operands(ITEM, PATTERN);
    let item = Attributes::alphanumeric(ITEM as u32);
    let mut counters = [0];
    unsafe { inspect_tally(text.as_ptr(), &item, &mut [phrase(InspectKind::All, &wanted, b"")], &mut counters, &session) };
    assert_eq!(counters, [0]);
    assert_eq!(separated(&text, &[&wanted], &session), Ok(("AAAAAAAAAA..........".to_string(), ITEM as i64 + 1)));
    assert_eq!(joined(&text, &wanted, &session), 81);
    // Both find the one occurrence at the end, and BEFORE does.
    text[ITEM - 1] = b'B';
    let mut before = InspectPhrase { before: wanted.as_ptr(), before_length: PATTERN as u32, ..phrase(InspectKind::Characters, b"", b"") };
    before.counter = 1;
    let mut counters = [0, 0];
    let phrases = &mut [phrase(InspectKind::First, &wanted, b""), before];
    unsafe { inspect_tally(text.as_ptr(), &item, phrases, &mut counters, &session) };
    assert_eq!(counters, [1, (ITEM - PATTERN) as i64]);
    unsafe { inspect_replace(text.as_mut_ptr(), &item, &mut [phrase(InspectKind::All, &wanted, b"C")], &session) };
    assert_eq!((text[ITEM - PATTERN - 1], text[ITEM - PATTERN], text[ITEM - 1]), (b'A', b'C', b'C'));
}

/// The occurrence that begins first counts, of two at one position the delimiter written first; also in later windows of the source.
#[test]
fn long_delimiters_are_found_in_order() {
    let session = Session::ascii();
    let (long, longer) = (b"=".repeat(20), b"=".repeat(30));
    let mut text = vec![b'x'; 200_000];
    text[150_000..150_030].fill(b'=');
    text[150_035] = b',';
    let got = |delimiters: &[&[u8]]| separated(&text, delimiters, &session).unwrap();
    assert_eq!(got(&[&long, &longer, b","]), ("xxxxxxxxxx==========".to_string(), 150_037));
    assert_eq!(got(&[&longer, &long, b","]), ("xxxxxxxxxxxxxxx     ".to_string(), 150_037));
    // A delimiter that begins at the last byte of a window.
    text[65_535..65_555].fill(b'=');
    assert_eq!(separated(&text, &[&long], &session).unwrap().1, 150_021);
}

/// Long comparands overlap with what earlier phrases replace.
#[test]
fn inspect_with_long_comparands_is_inspect_with_short_ones() {
    let session = Session::ascii();
    let text = b"XYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYXYABC".to_vec();
    let long = b"YXYXYXYXYXYXYXYXYXYX".to_vec();
    let attributes = Attributes::alphanumeric(text.len() as u32);
    // At each position the phrases in order, by the definition of the statement.
    let expected = |phrases: &[(&[u8], u8)]| {
        let (mut out, mut at) = (text.clone(), 0);
        while at < text.len() {
            let found = phrases.iter().find(|(comparand, _)| text[at..].starts_with(comparand));
            let length = found.map_or(1, |(comparand, _)| comparand.len());
            if let Some((_, to)) = found {
                out[at..at + length].fill(*to);
            }
            at += length;
        }
        out
    };
    let sets: [&[(&[u8], u8)]; 3] = [&[(&long, b'1'), (b"XY", b'2')], &[(b"XYX", b'2'), (&long, b'1')], &[(b"X", b'Z'), (&long, b'1')]];
    for phrases in sets {
        let mut area = text.clone();
        let to: Vec<[u8; 1]> = phrases.iter().map(|(_, to)| [*to]).collect();
        let mut given: Vec<_> = phrases.iter().zip(&to).map(|((from, _), to)| phrase(InspectKind::All, from, to)).collect();
        unsafe { inspect_replace(area.as_mut_ptr(), &attributes, &mut given, &session) };
        assert_eq!(String::from_utf8_lossy(&area), String::from_utf8_lossy(&expected(phrases)));
    }
}

#[test]
fn operations_give_up_when_the_program_is_to_be_stopped() {
    let (text, wanted) = operands(200_000, 40);
    let requests = AtomicU32::new(4);
    let mut session = Session::ascii();
    session.attention = &requests;
    session.stop_bits = 2;
    assert!(!session.is_stopped(), "another request");
    assert_eq!(joined(b"AB", b"B", &session), 2);
    session.stop_bits = 6;
    assert!(session.is_stopped());
    assert_eq!(separated(&text, &[&wanted], &session), Err(Exception::Stopped));
    assert_eq!(joined(&text, &wanted, &session), 1, "no operand was moved");
    let item = Attributes::alphanumeric(text.len() as u32);
    let mut counters = [0];
    unsafe { inspect_tally(text.as_ptr(), &item, &mut [phrase(InspectKind::All, b"AA", b"")], &mut counters, &session) };
    assert_eq!(counters, [0]);
    let mut national = *b"\0A\0B";
    unsafe { inspect_convert(national.as_mut_ptr(), &Attributes::national(4), &phrase(InspectKind::All, b"\0A", b"\0C"), &session) };
    assert_eq!(&national, b"\0A\0B");
    let key = Attributes::alphanumeric(1);
    let keys = [SortKey { offset: 0, descending: 0, attributes: &key }];
    let (mut table, mut scratch) = (*b"BA", [0; 2]);
    let sorted = unsafe { sort(table.as_mut_ptr(), 1, 2, &keys, scratch.as_mut_ptr(), &session) };
    assert_eq!((sorted, &table), (Err(Exception::Stopped), b"BA"));
}

/// The result of an operation during which the program is to be stopped. Without a look at the request each takes minutes.
fn stopped_during<T>(operation: impl FnOnce(&Session) -> Result<T, Exception>) -> Option<Exception> {
    let requests = AtomicU32::new(0);
    let mut session = Session::ebcdic();
    session.attention = &requests;
    session.stop_bits = 2;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            requests.store(2, Ordering::Relaxed);
        });
        operation(&session).err()
    })
}

fn node(name: &str, end: u32, table: Option<u32>) -> Node {
    Node {
        name: name.to_string(),
        end,
        attributes: Attributes::alphanumeric(1),
        offset: Extent::default(),
        length: Extent { fixed: 1, terms: Vec::new() },
        table,
        stride: Extent::default(),
        flags: node_flags::NAMED,
        suppress_when: suppress::SPACE,
        null_when: 0,
        truth: None,
    }
}

#[test]
fn documents_are_not_generated_to_their_end_for_a_stopped_program() {
    // 10,000,000,000 occurrences, one over the other, none of which is shown.
    let nodes = vec![node("R", 4, None), node("A", 4, Some(0)), node("B", 4, Some(1)), node("C", 4, Some(2))];
    let tree = Tree { nodes, tables: vec![(100_000, 100_000), (100_000, 100_000), (1, 1)] };
    let mut root = [CCSID_037.space];
    let fixed = [Depending { address: null(), attributes: null() }; 3];
    let (mut area, receiver) = ([0; 80], Attributes::alphanumeric(80));
    let at = root.as_mut_ptr();
    let json = |session: &Session| {
        let data = Data { tree: &tree, root: at, tables: &fixed, session };
        unsafe { json_generate(&data, &CCSID_1208, area.as_mut_ptr(), &receiver) }
    };
    assert_eq!(stopped_during(json), Some(Exception::Stopped));
    let xml = |session: &Session| {
        let data = Data { tree: &tree, root: at, tables: &fixed, session };
        unsafe { xml_generate(&data, &Decoration::default(), &CCSID_037, area.as_mut_ptr(), 80) }
    };
    assert_eq!(stopped_during(xml), Some(Exception::Stopped));
}

/// A run unit that counts no memory.
struct Unlimited;

impl Caller for Unlimited {
    fn reserve(&mut self, _: usize) -> Result<(), Exception> {
        Ok(())
    }
}

#[test]
fn documents_are_not_parsed_to_their_end_for_a_stopped_program() {
    // Each of 500,000 names is compared with those of 100,000 items.
    let mut nodes = vec![node("R", 100_001, None)];
    nodes.extend((1..=100_000).map(|at| node("N", at + 1, None)));
    let tree = Tree { nodes, tables: Vec::new() };
    let text = format!("{{\"R\":{{{}\"N\":0}}}}", "\"M\":0,".repeat(500_000));
    let mut root = [CCSID_037.space];
    let at = root.as_mut_ptr();
    let json = |session: &Session| {
        let data = Data { tree: &tree, root: at, tables: &[], session };
        unsafe { json_parse(&data, text.as_bytes(), &CCSID_1208, &mut Unlimited) }
    };
    assert_eq!(stopped_during(json), Some(Exception::Stopped));
    // Each of 1,000,000 attributes is compared with those before it.
    let attributes: String = (0..1_000_000).map(|number| format!(" a{number:06}='1'")).collect();
    let document = format!("<e{attributes}/>");
    let xml = |session: &Session| {
        let mut parser = XmlParser::new(document.clone(), &CCSID_037, false, session);
        while parser.next_event()?.is_some() {}
        Ok(())
    };
    assert_eq!(stopped_during(xml), Some(Exception::Stopped));
}

fn function(name: &str, arguments: &[Value], session: &Session) -> Result<Vec<u8>, Exception> {
    let id = functions::find(name).expect("a function of that name");
    let mut buffer = vec![0; functions::result_length_max(id, arguments, session)];
    let value = unsafe { functions::call(id, arguments, &mut buffer, session) }?;
    let address = if value.length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(value.address, value.length as usize) } };
    Ok(address.to_vec())
}

#[test]
fn functions_give_up_when_the_program_is_to_be_stopped() {
    let numbers: Vec<Value> = (0..500_000).map(Value::integer).collect();
    assert_eq!(stopped_during(|session| function("MEDIAN", &numbers, session)), Some(Exception::Stopped));
    let requests = AtomicU32::new(2);
    let mut session = Session::ebcdic();
    session.attention = &requests;
    session.stop_bits = 2;
    let text = vec![CCSID_037.space; 1_000];
    let argument = [Value::alphanumeric(&text)];
    for name in ["UPPER-CASE", "REVERSE", "TRIM", "HEX-OF", "NATIONAL-OF", "NUMVAL", "ULENGTH", "CONCAT", "MAX"] {
        assert_eq!(function(name, &argument, &session), Err(Exception::Stopped), "{name}");
    }
}

/// NATIONAL-OF and DISPLAY-OF of long texts are those of short ones, wherever a character lies.
#[test]
fn long_conversions_are_short_conversions() {
    let session = Session::ebcdic();
    let text: String = (0..60_000).map(|at| ['a', '日', 'é', '本', '😀', 'z'][at % 6]).collect();
    let national: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let utf8 = [Value::characters(ValueKind::Utf8, text.as_bytes())];
    assert!(function("NATIONAL-OF", &utf8, &session).as_ref() == Ok(&national));
    for page in [&CCSID_037, &CCSID_939, &CCSID_1208] {
        let arguments = [Value::characters(ValueKind::National, &national), Value::integer(i64::from(page.ccsid))];
        assert!(function("DISPLAY-OF", &arguments, &session) == Ok(page.encode(&text)), "{}", page.ccsid);
    }
}

/// An item of UTF-8 of that many bytes, or characters if their number is given.
fn utf8(bytes: usize, characters: u32) -> Attributes {
    Attributes { edit: characters, ..Attributes::new(Usage::Utf8, bytes as u32) }
}

#[test]
fn figurative_constants_and_literals_fill_items_of_utf8_character_by_character() {
    let session = Session::ascii();
    for bytes in [1, 2, 3, 4, 5, 100, 101, 102, 103] {
        for item in [utf8(bytes, 0), utf8(bytes, 1), utf8(bytes, bytes as u32 / 4)] {
            for figurative in [Figurative::Space, Figurative::Zero, Figurative::HighValue, Figurative::LowValue] {
                let mut area = vec![b'.'; bytes];
                unsafe { move_figurative(figurative, area.as_mut_ptr(), &item, &session) };
                assert_eq!(area, Filled::with(figurative, bytes, &item, &session).collect::<Vec<u8>>(), "{figurative:?} {item:?}");
            }
            for literal in ["A", "é", "Aé", "日", "ABC"] {
                let mut area = vec![b'.'; bytes];
                unsafe { move_all(literal.as_bytes(), area.as_mut_ptr(), &item, &session) }.unwrap();
                assert_eq!(area, Filled::with_all(literal.as_bytes(), bytes, &item).collect::<Vec<u8>>(), "{literal} {item:?}");
            }
        }
    }
}

#[test]
fn a_long_move_to_the_right_repeats_the_source() {
    let session = Session::ascii();
    for (length, distance) in [(255, 1), (256, 3), (257, 1), (1_000, 7), (1_000, 999), (70_000, 300)] {
        let mut area: Vec<u8> = (0..length + distance).map(|at| (at % 251) as u8).collect();
        let mut expected = area.clone();
        for at in 0..length {
            expected[at + distance] = expected[at];
        }
        let item = Attributes::alphanumeric(length as u32);
        let start = area.as_mut_ptr();
        unsafe { move_field(start, &item, start.add(distance), &item, &session) }.unwrap();
        assert!(area == expected, "{length} bytes by {distance}");
    }
}

#[test]
fn long_moves_between_encodings_are_those_of_their_parts_and_give_up() {
    let requests = AtomicU32::new(0);
    let mut session = Session::ebcdic();
    session.attention = &requests;
    session.stop_bits = 2;
    let source = Attributes::alphanumeric(200_000);
    let text: Vec<u8> = (0..200_000).map(|at| CCSID_037.encode("aBé9")[at % 4]).collect();
    let unicode: String = (0..200_000).map(|at| ['a', 'B', 'é', '9'][at % 4]).collect();
    let national: Vec<u8> = unicode.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut padded = national.clone();
    padded.extend([0, b' ', 0]);
    let mut spaced = unicode.clone().into_bytes();
    spaced.extend([b' '; 9]);
    for (target, expected) in [(Attributes::national(400_003), padded), (utf8(spaced.len(), 0), spaced)] {
        let mut area = vec![0; expected.len()];
        requests.store(0, Ordering::Relaxed);
        unsafe { move_field(text.as_ptr(), &source, area.as_mut_ptr(), &target, &session) }.unwrap();
        assert!(area == expected, "{target:?}");
        let mut back = vec![0; text.len()];
        unsafe { move_field(area.as_ptr(), &target, back.as_mut_ptr(), &source, &session) }.unwrap();
        assert!(back == text, "{target:?}");
        requests.store(2, Ordering::Relaxed);
        let moved = unsafe { move_field(text.as_ptr(), &source, area.as_mut_ptr(), &target, &session) };
        assert_eq!(moved, Err(Exception::Stopped), "{target:?}");
    }
    let mut area = vec![0; 200_000];
    let filled = unsafe { move_all(b"ABC", area.as_mut_ptr(), &utf8(200_000, 0), &session) };
    assert_eq!(filled, Err(Exception::Stopped));
}
