//! Editing, MOVE, STRING, UNSTRING and INSPECT compared with results of GnuCOBOL (golden/peer.py generates the files).
//!
//! Rows in which GnuCOBOL differs from IBM's documentation are left out, for these reasons:
//! - in GnuCOBOL a negative value that truncates to zero keeps its minus; a zero is positive here (NUMPROC, "system standards");
//! - in GnuCOBOL digits lost at the left of an edited item end zero suppression; here the truncated value is edited;
//! - GnuCOBOL does not suppress `/` within a suppression string (no such picture is in the file), nor change a fixed sign before a currency
//!   sign;
//! - GnuCOBOL truncates an unsigned zoned item moved to a shorter JUSTIFIED item at the right;
//! - in GnuCOBOL a CHARACTERS phrase that is not yet active hides later phrases.

use le::inspect::{InspectKind, InspectPhrase, inspect_convert, inspect_replace, inspect_tally};
use le::movement::move_field;
use le::numeric::store;
use le::string::{StringSource, string};
use le::unstring::{Delimiter, UnstringTarget, unstring};
use le::{Attributes, Decimal, Rounding, Session, Sign, edit};

fn compare(what: &str, rows: impl Iterator<Item = (String, String, String)>) {
    let differing: Vec<String> =
        rows.filter(|(_, got, want)| got != want).map(|(case, got, want)| format!("{case}\n  got  {got}\n  want {want}")).collect();
    let shown = differing[..differing.len().min(25)].join("\n");
    assert!(differing.is_empty(), "{what}: {} differ\n{shown}", differing.len());
}

#[test]
fn editing() {
    let rows = include_str!("golden/editing.tsv").lines().map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut session = Session::ascii();
        let options = edit::PictureOptions { decimal_comma: false, currencies: &[], code_page: session.code_page };
        let picture = edit::compile(fields[0], &options).unwrap_or_else(|e| panic!("{line}: {e:?}"));
        session.edit_programs = picture.program.as_ptr();
        let mut attributes = Attributes::new(picture.category, picture.characters);
        (attributes.digits, attributes.scale) = (picture.digits, picture.scale);
        let source_attributes = Attributes::zoned(15, 6, Sign::Trailing);
        let mut source = [0u8; 15];
        let mut target = vec![0u8; attributes.length as usize];
        let value = Decimal::new(fields[1].parse().unwrap(), fields[2].parse().unwrap());
        unsafe {
            store(&value, source.as_mut_ptr(), &source_attributes, Rounding::Truncation, false, &session);
            move_field(source.as_ptr(), &source_attributes, target.as_mut_ptr(), &attributes, &session).unwrap();
        }
        (line.to_string(), session.code_page.decode(&target), fields[3].to_string())
    });
    let rows = rows.filter(|(line, _, _)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let (coefficient, scale): (i128, u32) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        let options = edit::PictureOptions { decimal_comma: false, currencies: &[], code_page: Session::ascii().code_page };
        let picture = edit::compile(fields[0], &options).unwrap();
        let units = coefficient.abs() * 10i128.pow(6) / 10i128.pow(scale);
        let shown = units * 10i128.pow(9 + picture.scale.max(0) as u32) / 10i128.pow(15 + (-picture.scale).max(0) as u32);
        let lost = shown >= 10i128.pow(picture.digits.into());
        let vanishes = coefficient < 0 && shown == 0;
        !(lost || vanishes)
    });
    compare("editing", rows);
}

fn attributes(kind: &str) -> Attributes {
    let words: Vec<&str> = kind.split(' ').collect();
    let number = |index: usize| words[index].parse::<u32>().unwrap();
    let sign = match words.get(3).copied().unwrap_or("") {
        "trailing" | "signed" => Sign::Trailing,
        "leading" => Sign::Leading,
        "leading-separate" => Sign::LeadingSeparate,
        "trailing-separate" => Sign::TrailingSeparate,
        _ => Sign::Unsigned,
    };
    match words[0] {
        "zoned" => Attributes::zoned(number(1) as u8, number(2) as i8, sign),
        "packed" => Attributes::packed(number(1) as u8, number(2) as i8, sign != Sign::Unsigned),
        "binary" => Attributes::binary(number(1) as u8, number(2) as i8, sign != Sign::Unsigned),
        "justified" => Attributes::alphanumeric(number(1)).with_flags(Attributes::JUSTIFIED),
        "alphabetic" => Attributes::new(le::Usage::Alphabetic, number(1)),
        _ => Attributes::alphanumeric(number(1)),
    }
}

#[test]
fn moves() {
    let mut session = Session::ascii();
    session.trunc = le::Trunc::Opt; // cobc -std=ibm keeps binary fields untruncated
    let vanishes = |line: &str| line.contains("\t-5/1\t") && line.split('\t').nth(2).unwrap().contains(" 0 ");
    let cut = |line: &str| line.contains("unsigned\t") && line.contains("\tjustified 3\t") && line.starts_with("zoned");
    let rows = include_str!("golden/moves.tsv").lines().filter(|line| !vanishes(line) && !cut(line)).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let (from, to) = (attributes(fields[0]), attributes(fields[2]));
        let mut source = vec![0u8; from.length as usize];
        let mut target = vec![0u8; to.length as usize];
        unsafe {
            if let Some((coefficient, scale)) = fields[1].split_once('/') {
                let value = Decimal::new(coefficient.parse().unwrap(), scale.parse().unwrap());
                store(&value, source.as_mut_ptr(), &from, Rounding::Truncation, false, &session);
            } else {
                let text = fields[1].replace('_', " ");
                let literal = Attributes::alphanumeric(text.len() as u32);
                move_field(text.as_ptr(), &literal, source.as_mut_ptr(), &from, &session).unwrap();
            }
            move_field(source.as_ptr(), &from, target.as_mut_ptr(), &to, &session).unwrap();
        }
        let hex: String = target.iter().map(|byte| format!("{byte:02x}")).collect();
        (line.to_string(), hex, fields[3].to_string())
    });
    compare("moves", rows);
}

#[test]
fn strings() {
    let session = Session::ascii();
    let rows = include_str!("golden/strings.tsv").lines().map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let sources: Vec<StringSource> = fields[0]
            .split(';')
            .map(|source| {
                let (text, delimiter) = source.split_once('|').unwrap();
                StringSource {
                    address: text.as_ptr(),
                    delimiter: if delimiter.is_empty() { std::ptr::null() } else { delimiter.as_ptr() },
                    length: text.len() as u32,
                    delimiter_length: delimiter.len() as u32,
                }
            })
            .collect();
        let mut target = [b'.'; 12];
        let mut pointer: i64 = fields[1].parse().unwrap();
        let attributes = Attributes::alphanumeric(12);
        let overflow = unsafe { string(&sources, target.as_mut_ptr(), &attributes, &mut pointer, &session) };
        let flag = if overflow { 'Y' } else { 'N' };
        (line.to_string(), format!(">{}<{pointer:03}{flag}", String::from_utf8_lossy(&target)), fields[2].to_string())
    });
    compare("strings", rows);
}

#[test]
fn unstrings() {
    let session = Session::ascii();
    let rows = include_str!("golden/unstrings.tsv").lines().map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let delimiters: Vec<Delimiter> = fields[1]
            .split(';')
            .filter(|text| !text.is_empty())
            .map(|text| {
                let (all, text) = text.split_once('=').unwrap();
                Delimiter { address: text.as_ptr(), length: text.len() as u32, all: u32::from(all == "ALL") }
            })
            .collect();
        let count: usize = fields[2].parse().unwrap();
        let mut areas = [*b"......99"; 3];
        let (text, mark, counter) = (Attributes::alphanumeric(4), Attributes::alphanumeric(2), Attributes::zoned(2, 0, Sign::Unsigned));
        let phrases = !delimiters.is_empty();
        let null = std::ptr::null_mut();
        let targets: Vec<UnstringTarget> = areas[..count]
            .iter_mut()
            .map(|area| UnstringTarget {
                address: area.as_mut_ptr(),
                attributes: &text,
                delimiter_address: if phrases { area[4..].as_mut_ptr() } else { null },
                delimiter_attributes: &mark,
                count_address: if phrases { area[6..].as_mut_ptr() } else { null },
                count_attributes: &counter,
            })
            .collect();
        let (mut pointer, mut tallying) = (fields[3].parse::<i64>().unwrap(), 0);
        let overflow = unsafe {
            let source = Attributes::alphanumeric(16);
            unstring(fields[0].as_ptr(), &source, &delimiters, &targets, &mut pointer, &mut tallying, &session)
        };
        let mut got = String::from(">");
        for area in &areas {
            let text = std::str::from_utf8(area).unwrap();
            got += &format!("{}|{}|{}|", &text[..4], &text[4..6], &text[6..]);
        }
        let flag = if overflow.unwrap() { 'Y' } else { 'N' };
        (line.to_string(), format!("{got}{pointer:03}{tallying:02}{flag}"), fields[4].to_string())
    });
    compare("unstrings", rows);
}

fn phrase(text: &'static str, counter: u32, replacing: bool) -> InspectPhrase {
    let mut parts = text.split(',');
    let kind = match parts.next().unwrap() {
        "CHARACTERS" => InspectKind::Characters,
        "LEADING" => InspectKind::Leading,
        "FIRST" => InspectKind::First,
        _ => InspectKind::All,
    };
    let mut phrase = InspectPhrase {
        kind,
        counter,
        comparand: std::ptr::null(),
        replacement: std::ptr::null(),
        before: std::ptr::null(),
        after: std::ptr::null(),
        comparand_length: 0,
        replacement_length: 0,
        before_length: 0,
        after_length: 0,
        work: [0; 4],
    };
    let comparand = parts.next().unwrap();
    (phrase.comparand, phrase.comparand_length) = (comparand.as_ptr(), comparand.len() as u32);
    if replacing {
        let replacement = parts.next().unwrap();
        (phrase.replacement, phrase.replacement_length) = (replacement.as_ptr(), replacement.len() as u32);
    }
    for limit in parts {
        match limit.split_once('=') {
            Some(("BEFORE", text)) => (phrase.before, phrase.before_length) = (text.as_ptr(), text.len() as u32),
            Some(("AFTER", text)) => (phrase.after, phrase.after_length) = (text.as_ptr(), text.len() as u32),
            _ => {}
        }
    }
    phrase
}

#[test]
fn inspects() {
    let session = Session::ascii();
    let attributes = Attributes::alphanumeric(14);
    let hidden = "replace\tBAAACBAAABCCAA\tCHARACTERS,,Y,AFTER=BA;ALL,AA,ZX;ALL,BB,XY\t";
    let rows = include_str!("golden/inspects.tsv").lines().filter(|line| !line.starts_with(hidden)).map(|line| {
        let fields: Vec<&'static str> = line.split('\t').collect();
        let mut area = fields[1].as_bytes().to_vec();
        let mut counters = [0i64; 3];
        let mut phrases: Vec<InspectPhrase> =
            fields[2].split(';').enumerate().map(|(index, text)| phrase(text, index as u32, fields[0] != "tally")).collect();
        unsafe {
            match fields[0] {
                "tally" => inspect_tally(area.as_ptr(), &attributes, &mut phrases, &mut counters, &session),
                "replace" => inspect_replace(area.as_mut_ptr(), &attributes, &mut phrases, &session),
                _ => inspect_convert(area.as_mut_ptr(), &attributes, &phrases[0], &session),
            }
        }
        let [a, b, c] = counters;
        let got = format!(">{}<{a:03}{b:03}{c:03}", String::from_utf8_lossy(&area));
        (line.to_string(), got, fields[3].to_string())
    });
    compare("inspects", rows);
}
