//! Source text composed only of pieces of the language: reading, tokens, commands and messages must hold for any arrangement.

use super::*;
use crate::diagnostics::Diagnostics;
use crate::exec_translate::translate;
use crate::lexer::{Token, TokenKind, tokenize};
use crate::source::Members;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "COPY ",
    "R ",
    "REPLACING ",
    "==",
    ":TAG:",
    " BY ",
    ".",
    "'",
    "\"",
    "\n      -",
    "\n      *",
    "\n       ",
    "\n      D",
    "REPLACE ",
    "OFF",
    "EXEC ",
    "CICS ",
    "SQL ",
    "INCLUDE ",
    "END-EXEC",
    ">>IF ",
    ">>ELSE",
    ">>END-IF",
    ">>EVALUATE ",
    ">>WHEN ",
    ">>DEFINE A AS 1",
    "(",
    ")",
    "LEADING ",
    "TRAILING ",
    "-",
    ",",
    ";",
    "PIC ",
    "X(5)",
    "9.9",
    "N'A'",
    "X'0",
    "\t",
    "\r\n",
    "é",
    "\u{0}",
    "IDENTIFICATION DIVISION.",
    "AUTHOR. ",
    ">>SOURCE FREE\n",
    ">>SOURCE FIXED\n",
    "CBL X\n",
    "NOT ",
    "OR ",
    "DEFINED ",
    "A",
    "1",
    "*>",
    "LAST ",
    "ALSO ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// No arrangement of source text panics or hangs, and every place lies in the text.
    #[test]
    fn any_text_is_read(parts in proptest::collection::vec(0..PIECES.len(), 0..60), bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let mut text: Vec<u8> = parts.iter().flat_map(|part| PIECES[*part].bytes()).collect();
        text.extend(bytes);
        let mut all = Members::new();
        all.insert("R", "       05 :TAG:-X PIC X.\n       COPY R.\n       >>IF A DEFINED\n");
        all.insert("A", text.clone());
        let (mut options, mut diagnostics) = (Options::default(), Diagnostics::default());
        let stream = tokenize("fuzz", &text, &mut options, &all, &mut diagnostics);
        prop_assert!(stream.tokens.last().is_some_and(Token::is_end));
        for token in &stream.tokens {
            prop_assert!(stream.sources.file(token.span.file).is_some());
            if let TokenKind::Exec(block) = &token.kind {
                translate(block, token.span, &mut diagnostics);
            }
        }
        diagnostics.render(&stream.sources);
        diagnostics.to_json(&stream.sources);
    }
}
