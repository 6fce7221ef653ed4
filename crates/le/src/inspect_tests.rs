//! INSPECT in all its forms.
//!
//! `unsafe` here passes items and operands that these tests own, with their true lengths.

use super::*;

fn phrase(kind: InspectKind, comparand: &'static str, replacement: &'static str) -> InspectPhrase {
    InspectPhrase {
        kind,
        counter: 0,
        comparand: comparand.as_ptr(),
        replacement: replacement.as_ptr(),
        before: std::ptr::null(),
        after: std::ptr::null(),
        comparand_length: comparand.len() as u32,
        replacement_length: replacement.len() as u32,
        before_length: 0,
        after_length: 0,
        work: [0xDEAD; 4],
    }
}

fn before(mut phrase: InspectPhrase, text: &'static str) -> InspectPhrase {
    (phrase.before, phrase.before_length) = (text.as_ptr(), text.len() as u32);
    phrase
}

fn after(mut phrase: InspectPhrase, text: &'static str) -> InspectPhrase {
    (phrase.after, phrase.after_length) = (text.as_ptr(), text.len() as u32);
    phrase
}

fn counter(mut phrase: InspectPhrase, index: u32) -> InspectPhrase {
    phrase.counter = index;
    phrase
}

fn tally(text: &str, phrases: &mut [InspectPhrase]) -> [i64; 3] {
    let mut counters = [0; 3];
    let attributes = Attributes::alphanumeric(text.len() as u32);
    unsafe { inspect_tally(text.as_ptr(), &attributes, phrases, &mut counters, &Session::ascii()) };
    counters
}

fn replace(text: &str, phrases: &mut [InspectPhrase]) -> String {
    let mut area = text.as_bytes().to_vec();
    let attributes = Attributes::alphanumeric(area.len() as u32);
    unsafe { inspect_replace(area.as_mut_ptr(), &attributes, phrases, &Session::ascii()) };
    String::from_utf8(area).unwrap()
}

fn convert(text: &str, phrase: InspectPhrase) -> String {
    let mut area = text.as_bytes().to_vec();
    let attributes = Attributes::alphanumeric(area.len() as u32);
    unsafe { inspect_convert(area.as_mut_ptr(), &attributes, &phrase, &Session::ascii()) };
    String::from_utf8(area).unwrap()
}

use InspectKind::*;

/// Examples of the Language Reference, "INSPECT statement examples".
#[test]
fn documented_examples() {
    let mut phrases = [
        before(counter(phrase(Characters, "", ""), 0), "E"),
        after(counter(phrase(Leading, "R", ""), 1), "A"),
        counter(phrase(All, "L", ""), 2),
    ];
    // The CHARACTERS phrase counts the characters before E, so LEADING R cannot match there.
    assert_eq!(tally("LARRY E", &mut phrases[2..]), [0, 0, 1]);
    assert_eq!(tally("ARAWAXR", &mut [before(phrase(Characters, "", ""), "X"), counter(phrase(All, "R", ""), 1)]), [5, 1, 0]);
    assert_eq!(replace("BABABC", &mut [before(phrase(All, "A", "Z"), "C"), after(phrase(First, "B", "Q"), "A")]), "BZQZBC");
    assert_eq!(replace("0000123", &mut [phrase(Leading, "0", " ")]), "    123");
    assert_eq!(replace("ABCABC", &mut [phrase(Characters, "", "*")]), "******");
    assert_eq!(replace("abXcd", &mut [after(phrase(Characters, "", "*"), "X")]), "abX**");
    assert_eq!(convert("AC\"AEBDFBCD#AB\"D", before(after(phrase(All, "ABCD", "XYZX"), "\""), "#")), "AC\"XEYXFYZX#AB\"D");
}

#[test]
fn matches_do_not_overlap_and_first_phrase_wins() {
    assert_eq!(tally("AAAAA", &mut [phrase(All, "AA", "")]), [2, 0, 0]);
    assert_eq!(tally("ABAB", &mut [phrase(All, "A", ""), counter(phrase(All, "AB", ""), 1)]), [2, 0, 0]);
    assert_eq!(tally("ABAB", &mut [phrase(All, "AB", ""), counter(phrase(All, "A", ""), 1)]), [2, 0, 0]);
    assert_eq!(tally("xx1x", &mut [phrase(Leading, "x", "")]), [2, 0, 0]);
    assert_eq!(tally("1xx", &mut [phrase(Leading, "x", "")]), [0, 0, 0]);
    assert_eq!(tally("AB", &mut [before(phrase(All, "AB", ""), "B")]), [0, 0, 0]);
}

#[test]
fn before_and_after_that_do_not_occur() {
    assert_eq!(tally("ABC", &mut [before(phrase(Characters, "", ""), "Z")]), [3, 0, 0]);
    assert_eq!(tally("ABC", &mut [after(phrase(Characters, "", ""), "Z")]), [0, 0, 0]);
    assert_eq!(replace("aaXaa", &mut [before(phrase(All, "a", "b"), "X")]), "bbXaa");
}

#[test]
fn figurative_replacement_is_repeated() {
    assert_eq!(replace("ABAB--", &mut [phrase(All, "AB", "*")]), "****--");
    assert_eq!(convert("a1b2", phrase(All, "12", "#")), "a#b#");
    assert_eq!(convert("aa", phrase(All, "aa", "xy")), "xx", "the first occurrence counts");
}

#[test]
fn signed_items_keep_their_sign() {
    let session = Session::ebcdic();
    let attributes = Attributes::zoned(3, 0, Sign::Trailing);
    let mut area = [0xF1u8, 0xF2, 0xD1];
    let (one, two) = ([0xF1u8], [0xF7u8]);
    let mut ones = phrase(All, "", "");
    (ones.comparand, ones.comparand_length) = (one.as_ptr(), 1);
    (ones.replacement, ones.replacement_length) = (two.as_ptr(), 1);
    let mut counters = [0];
    unsafe { inspect_tally(area.as_ptr(), &attributes, &mut [ones], &mut counters, &session) };
    assert_eq!(counters, [2]);
    unsafe { inspect_replace(area.as_mut_ptr(), &attributes, &mut [ones], &session) };
    assert_eq!(area, [0xF7, 0xF2, 0xD7]);
}

#[test]
fn national_items_by_characters() {
    let session = Session::ebcdic();
    let mut area = [0x00u8, 0x41, 0x41, 0x00, 0x00, 0x41];
    let letter = [0x00u8, 0x41];
    let mut letters = phrase(All, "", "");
    (letters.comparand, letters.comparand_length) = (letter.as_ptr(), 2);
    let mut counters = [0];
    let attributes = Attributes::national(6);
    unsafe { inspect_tally(area.as_ptr(), &attributes, &mut [letters], &mut counters, &session) };
    assert_eq!(counters, [2]);
    let other = [0x00u8, 0x42];
    (letters.replacement, letters.replacement_length) = (other.as_ptr(), 2);
    unsafe { inspect_convert(area.as_mut_ptr(), &attributes, &letters, &session) };
    assert_eq!(area, [0x00, 0x42, 0x41, 0x00, 0x00, 0x42]);
}
