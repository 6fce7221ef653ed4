//! Events of small documents, by the rules of XML 1.0 and the tables of XML-EVENT.

use super::*;
use crate::code_page::CCSID_037;

fn events(document: &str, compatible: bool) -> Vec<String> {
    let mut parser = Parser::new(document.to_string(), &CCSID_037, compatible, &Session::ebcdic());
    std::iter::from_fn(|| parser.next_event().unwrap())
        .map(|event| match (event.namespace.as_str(), event.code) {
            ("", 0) => format!("{} {}", event.kind.name(), event.text),
            ("", code) => format!("{} {code}", event.kind.name()),
            (namespace, _) => format!("{} {} {}={namespace}", event.kind.name(), event.text, event.prefix),
        })
        .collect()
}

#[test]
fn events_of_a_small_document() {
    let document = "<?xml version=\"1.0\" encoding=\"IBM-037\"?><!-- c --><a x='1'>T&amp;U<b/></a>";
    assert_eq!(
        events(document, false),
        [
            "START-OF-DOCUMENT ",
            "VERSION-INFORMATION 1.0",
            "ENCODING-DECLARATION IBM-037",
            "COMMENT  c ",
            "START-OF-ELEMENT a",
            "ATTRIBUTE-NAME x",
            "ATTRIBUTE-CHARACTERS 1",
            "CONTENT-CHARACTERS T&U",
            "START-OF-ELEMENT b",
            "END-OF-ELEMENT b",
            "END-OF-ELEMENT a",
            "END-OF-DOCUMENT ",
        ]
    );
    let compatible = events("<a>T&amp;U&#233;</a>", true);
    let expected = ["CONTENT-CHARACTERS T", "CONTENT-CHARACTER &", "CONTENT-CHARACTERS U", "CONTENT-NATIONAL-CHARACTER é"];
    assert_eq!(compatible[2..6], expected);
}

#[test]
fn namespaces_are_resolved() {
    let got = events("<p:a xmlns:p='urn:x' xmlns='urn:d' p:k='v' j='w'><b/></p:a>", false);
    assert_eq!(
        got[1..8],
        [
            "START-OF-ELEMENT a p=urn:x",
            "NAMESPACE-DECLARATION  p=urn:x",
            "NAMESPACE-DECLARATION  =urn:d",
            "ATTRIBUTE-NAME k p=urn:x",
            "ATTRIBUTE-CHARACTERS v",
            "ATTRIBUTE-NAME j",
            "ATTRIBUTE-CHARACTERS w",
        ]
    );
    assert_eq!(got[8], "START-OF-ELEMENT b =urn:d");
}

#[test]
fn malformed_xml_ends_with_an_exception() {
    for (document, code) in [
        ("<a></b>", exception::TAG_MISMATCH),
        ("<a x='1' x='2'/>", exception::DUPLICATE_ATTRIBUTE),
        ("<a x='<'/>", exception::LESS_IN_ATTRIBUTE),
        ("<a>]]></a>", exception::CDATA_END),
        ("<a>", exception::END_IN_ROOT),
        ("<a/>x", exception::SPACE_CHARACTER),
        ("<a/><b/>", exception::MARKUP_OUTSIDE),
        ("<a>&#xZ;</a>", exception::HEXADECIMAL_DIGIT),
        ("<a>&#0;</a>", exception::REFERENCE_CHARACTER),
        ("", exception::NO_ROOT),
        ("<a><!-- x -- y --></a>", exception::COMMENT_DASHES),
    ] {
        assert_eq!(events(document, true).last(), Some(&format!("EXCEPTION {code}")), "{document}");
    }
    assert_eq!(events("<a></b>", false).last(), Some(&format!("EXCEPTION {}", (12 << 16) + 5)));
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert!(events(&nested(DEPTH_MAX), true).last().is_some_and(|last| last.starts_with("END-OF-DOCUMENT")));
    assert!(events(&nested(DEPTH_MAX + 1), true).last().is_some_and(|last| last.starts_with("EXCEPTION")));
}

/// A document of a megabyte could otherwise give as many bytes as half of it is long, once for each of its references.
#[test]
fn the_text_of_entities_has_a_limit() {
    let value = "x".repeat(ENTITY_TEXT_MAX / 64);
    let parsed = |references: usize| events(&format!("<!DOCTYPE a [<!ENTITY e '{value}'>]><a>{}</a>", "&e;".repeat(references)), true);
    let whole = parsed(64);
    let content = whole.iter().find_map(|event| event.strip_prefix("CONTENT-CHARACTERS ")).expect("content");
    assert_eq!(content.len(), ENTITY_TEXT_MAX);
    assert_eq!(parsed(65).last().map(String::as_str), Some("EXCEPTION 17"));
}

/// A document of a million elements is not a million events at once.
#[test]
fn events_are_read_one_after_the_other() {
    let document = format!("<r>{}</r>", "<e a='1'/>".repeat(1_000_000));
    let mut parser = Parser::new(document, &CCSID_037, false, &Session::ebcdic());
    let (mut count, mut most) = (0, 0);
    while parser.next_event().unwrap().is_some() {
        (count, most) = (count + 1, most.max(parser.events.len()));
    }
    assert_eq!((count, most), (4_000_004, 3));
}
