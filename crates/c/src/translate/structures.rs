//! Structures of C++ that COBOL shares: their numbers have the most significant byte first, as the compiler makes them in C.
//!
//! The C++ compiler has no such option, so the types of members are replaced: `int balance` becomes `regent_member<int>::type balance`, a
//! class that is used like a number (`regent.hpp`). This is done for plain structures and unions: those without functions, bases and
//! access specifiers. `_Packed` becomes the alignment that the compiler applies to all members. Lines stay as they are.

use crate::scan::{Unit, units};

/// Words in a structure that make it a class of the program's own, whose numbers are those of the machine.
const OF_CLASSES: [&str; 11] =
    ["public", "private", "protected", "virtual", "template", "operator", "static", "friend", "typedef", "using", "enum"];
/// Types that have no order of bytes.
const WITHOUT_ORDER: [&str; 4] = ["char", "bool", "void", "auto"];
const PACKED_BEGIN: &str = " _Pragma(\"pack(push, 1)\")";
const PACKED_END: &str = " _Pragma(\"pack(pop)\")";

type Piece<'a> = (Unit, &'a str);

/// The source with the members of its plain structures replaced.
pub fn turned(source: &str) -> String {
    let pieces: Vec<Piece<'_>> = units(source).collect();
    let mut edits = Edits { before: vec![String::new(); pieces.len() + 1], removed: vec![false; pieces.len()] };
    let mut packed = false;
    for at in 0..pieces.len() {
        match pieces[at] {
            (Unit::Word, "_Packed") => {
                edits.removed[at] = true;
                packed = true;
            }
            (Unit::Word, "struct" | "union") => {
                if let Some((open, close)) = body(&pieces, at) {
                    if std::mem::take(&mut packed) {
                        edits.before[open + 1].push_str(PACKED_BEGIN);
                        let end = (close..pieces.len()).find(|at| pieces[*at].1 == ";").unwrap_or(close);
                        edits.before[end + 1].push_str(PACKED_END);
                    }
                    if is_plain(&pieces[open + 1..close]) {
                        members(&pieces, open + 1, close, &mut edits);
                    }
                }
                packed = false;
            }
            _ => {}
        }
    }
    let mut text = String::with_capacity(source.len() * 2);
    for (at, (_, written)) in pieces.iter().enumerate() {
        text.push_str(&edits.before[at]);
        if !edits.removed[at] {
            text.push_str(written);
        }
    }
    text.push_str(&edits.before[pieces.len()]);
    text
}

struct Edits {
    /// Inserted before each piece.
    before: Vec<String>,
    removed: Vec<bool>,
}

fn next(pieces: &[Piece<'_>], from: usize) -> Option<usize> {
    (from..pieces.len()).find(|at| pieces[*at].0 != Unit::Space)
}

/// The braces of the structure whose keyword is at a place; `None`: it is only named there, or has bases.
fn body(pieces: &[Piece<'_>], keyword: usize) -> Option<(usize, usize)> {
    let mut at = next(pieces, keyword + 1)?;
    while pieces[at].0 == Unit::Word {
        let is_attribute = pieces[at].1.starts_with("__attribute");
        at = next(pieces, at + 1)?;
        if is_attribute {
            at = next(pieces, matching(pieces, at, "(", ")")? + 1)?;
        }
    }
    if pieces[at].1 != "{" {
        return None;
    }
    Some((at, matching(pieces, at, "{", "}")?))
}

/// What closes the bracket at a place.
fn matching(pieces: &[Piece<'_>], from: usize, open: &str, close: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, (unit, text)) in pieces.iter().enumerate().skip(from) {
        match unit {
            Unit::Other(_) if *text == open => depth += 1,
            Unit::Other(_) if *text == close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Only data: a parenthesis outside the bounds of arrays is a function.
fn is_plain(pieces: &[Piece<'_>]) -> bool {
    let mut depth = 0usize;
    pieces.iter().all(|(unit, text)| {
        match *text {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        match unit {
            Unit::Other('(') => depth > 0,
            Unit::Word => *text == "enum" || !OF_CLASSES.contains(text),
            _ => true,
        }
    })
}

/// The member declarations between two places, those of structures in it excepted.
fn members(pieces: &[Piece<'_>], from: usize, to: usize, edits: &mut Edits) {
    let mut start = from;
    while let Some(first) = next(pieces, start).filter(|first| *first < to) {
        if pieces[first].0 == Unit::Directive {
            start = first + 1;
            continue;
        }
        let mut at = first;
        let mut has_body = false;
        while at < to && pieces[at].1 != ";" {
            if pieces[at].1 == "{" {
                has_body = true;
                at = matching(pieces, at, "{", "}").unwrap_or(to).min(to);
            }
            at += 1;
        }
        if !has_body {
            member(pieces, first, at.min(to), edits);
        }
        start = at + 1;
    }
}

/// `type name, name[n];`
fn member(pieces: &[Piece<'_>], first: usize, end: usize, edits: &mut Edits) {
    let mut words = Vec::new();
    let mut at = first;
    while let Some(word) = next(pieces, at).filter(|word| *word < end && pieces[*word].0 == Unit::Word) {
        words.push(word);
        at = word + 1;
    }
    let behind = next(pieces, at).map_or(";", |at| pieces[at].1);
    let [kinds @ .., name] = words.as_slice() else { return };
    let (Some(start), true) = (kinds.first(), matches!(behind, ";" | "," | "[" | "=")) else { return };
    let is_ordered = |word: &usize| !WITHOUT_ORDER.contains(&pieces[*word].1) && !matches!(pieces[*word].1, "struct" | "union" | "class");
    if kinds.iter().all(is_ordered) {
        edits.before[*start].push_str("typename regent_member<");
        edits.before[*name].push_str(">::type ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_plain_structures_are_turned() {
        let text = "struct account {\n  char number[8];\n  long int balance, limits[(N+1)]; // of int\n  struct { short day; } opened;\n  HALF *next; float rate; unsigned flag : 3; enum kind kind;\n};\n";
        let expected = "struct account {\n  char number[8];\n  typename regent_member<long int >::type balance, limits[(N+1)]; // of int\n  struct { typename regent_member<short >::type day; } opened;\n  HALF *next; typename regent_member<float >::type rate; unsigned flag : 3; typename regent_member<enum kind >::type kind;\n};\n";
        assert_eq!(turned(text), expected);
    }

    #[test]
    fn classes_keep_the_numbers_of_the_machine() {
        for text in [
            "struct point { int x; int length() const { return x; } };",
            "struct derived : base { int x; };",
            "struct a { private: int x; };",
            "class a { int x; };",
            "struct a *p; int f(struct a x);",
        ] {
            assert_eq!(turned(text), text);
        }
    }

    #[test]
    fn packed_structures_align_no_member() {
        let text = "typedef _Packed struct { char a; short b; } T;\n_Packed struct S s;\n";
        let expected = "typedef  struct { _Pragma(\"pack(push, 1)\") char a; typename regent_member<short >::type b; } T; _Pragma(\"pack(pop)\")\n struct S s;\n";
        assert_eq!(turned(text), expected);
    }
}
