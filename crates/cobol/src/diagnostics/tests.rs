//! Messages: their order, counts and display.

use super::*;
use crate::source_map::{FileKind, SourceFile};

fn sources() -> SourceMap {
    let mut map = SourceMap::new();
    let lines = ["       MOVE A TO B.", "       COPY C.", "       MOVE X TO Y."];
    let file = |name: &str, kind, at: Option<Span>, lines: &[&str]| SourceFile {
        name: name.into(),
        kind,
        included_at: at,
        included_end_line: at.map_or(0, |span| span.line),
        suppressed: false,
        fixed: true,
        lines: lines.iter().map(|line| (*line).into()).collect(),
        numbers: Vec::new(),
        excluded: Vec::new(),
    };
    map.add(file("main.cbl", FileKind::Main, None, &lines));
    map.add(file("c.cpy", FileKind::Copybook, Some(Span::new(0, 2, 8, 4)), &["       BAD WORD."]));
    map
}

#[test]
fn messages_are_in_source_order_with_the_copy_chain() {
    let mut all = Diagnostics::default();
    all.warning("PS0002", Span::new(0, 3, 13, 1), "X is not defined");
    all.push(Diagnostic::new(Severity::Severe, "PS0001", Span::new(1, 1, 8, 3), "BAD is not a statement").expected("a statement"));
    all.information("PS0003", Span::new(0, 1, 13, 1), "fine");
    let text = all.render(&sources());
    let expected = "\
main.cbl:1:13: RGTPS0003-I fine
     1 |        MOVE A TO B.
       |             ^
c.cpy:1:8: RGTPS0001-S BAD is not a statement; expected a statement
     1 |        BAD WORD.
       |        ^^^
      copied at main.cbl:2
main.cbl:3:13: RGTPS0002-W X is not defined
     3 |        MOVE X TO Y.
       |             ^
";
    assert_eq!(text, expected);
    assert_eq!(all.return_code(), 12);
    assert!(all.forbids_code());
    let json = all.to_json(&sources());
    assert_eq!(json[1]["id"], "RGTPS0001-S");
    assert_eq!(json[1]["copied_from"][0]["line"], 2);
    assert_eq!(json[1]["expected"], "a statement");
}

#[test]
fn return_codes_follow_the_worst_message() {
    let codes = [Severity::Information, Severity::Warning, Severity::Error, Severity::Severe, Severity::Unrecoverable];
    let mut all = Diagnostics::default();
    assert_eq!(all.return_code(), 0);
    for (severity, code) in codes.into_iter().zip([0, 4, 8, 12, 16]) {
        all.push(Diagnostic::new(severity, "XX0000", Span::NONE, format!("{code}")));
        assert_eq!(all.return_code(), code);
    }
    assert!(!Diagnostics::default().forbids_code());
}

#[test]
fn the_limit_caps_and_equal_messages_are_one() {
    let mut all = Diagnostics::new(2);
    for _ in 0..3 {
        all.error("PS0001", Span::new(0, 1, 1, 1), "same");
    }
    assert_eq!((all.len(), all.dropped()), (1, 0));
    all.error("PS0001", Span::new(0, 2, 1, 1), "second");
    all.severe("PS0001", Span::new(0, 3, 1, 1), "third");
    assert_eq!((all.len(), all.dropped(), all.return_code()), (2, 1, 12));
    let mark = all.mark();
    all.severe("PS0001", Span::new(0, 4, 1, 1), "fourth");
    all.rewind(mark);
    assert_eq!(all.dropped(), 1);
}
