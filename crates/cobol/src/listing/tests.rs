//! The compiler listing and its parts.

use super::*;
use crate::lexer::tokenize;
use crate::source::Members;

#[test]
fn source_shows_copies_under_their_line_with_their_own_numbers() {
    let mut members = Members::new();
    members.insert("ONE", "       05 X PIC X.\n       COPY TWO.\n       05 Z PIC X.\n");
    members.insert("TWO", "       05 Y PIC X.\n");
    members.insert("HID", "       05 H PIC X.\n");
    let source =
        "       01 A.\n           COPY\n             ONE.\n           COPY HID SUPPRESS.\n           COPY NONE.\n       01 B PIC X.\n";
    let (mut options, mut diagnostics) = (Options::default(), Diagnostics::default());
    assert!(options.apply("LINECOUNT(0)").is_empty());
    let stream = tokenize("m.cbl", source.as_bytes(), &mut options, &members, &mut diagnostics);
    let listing = Listing {
        title: "Regent COBOL",
        options: &options,
        sources: &stream.sources,
        diagnostics: &diagnostics,
        tokens: &stream.tokens,
        programs: &[],
        code: &[],
    };
    let text = listing.render();
    let expected = "
     1         01 A.
     2             COPY
     3               ONE.
      C   ONE copied
     1C        05 X PIC X.
     2C        COPY TWO.
      C   TWO copied
     1C        05 Y PIC X.
     3C        05 Z PIC X.
     4             COPY HID SUPPRESS.
      C   HID copied, not listed
     5             COPY NONE.
     6         01 B PIC X.
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("  ARITH(COMPAT)\n") && text.contains("  NOSSRANGE\n"));
    assert!(text.contains("m.cbl:5:17: RGTLI0008-S"));
    let row = |name: &str| {
        text.lines().find(|line| line.trim_start().starts_with(name)).and_then(|line| line.split_whitespace().last()).map(str::to_string)
    };
    assert_eq!(row("Source lines").as_deref(), Some("6"));
    assert_eq!(row("Lines copied").as_deref(), Some("5"));
    assert_eq!(row("Members copied").as_deref(), Some("3"));
    assert_eq!(row("Return code").as_deref(), Some("12"));
}
