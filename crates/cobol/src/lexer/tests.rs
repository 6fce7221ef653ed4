//! Words, literals and separators, as the lexer finds them.

use super::*;
use crate::source::{Members, NoCopies};

fn lex_with(text: &str, options: &mut Options) -> (Vec<Token>, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let stream = tokenize("t", text.as_bytes(), options, &NoCopies, &mut diagnostics);
    (stream.tokens, diagnostics)
}

fn show(tokens: &[Token]) -> String {
    let shown: Vec<String> = tokens
        .iter()
        .filter(|token| !token.is_end())
        .map(|token| match &token.kind {
            TokenKind::Number(number) => format!("#{}", number.text),
            TokenKind::Picture(picture) => format!("[{picture}]"),
            kind => kind.to_string(),
        })
        .collect();
    shown.join(" ")
}

fn lex(text: &str) -> String {
    let (tokens, diagnostics) = lex_with(&format!("       {text}\n"), &mut Options::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    show(&tokens)
}

#[test]
fn words_and_separators() {
    assert_eq!(lex("move a-1 , b;c to 100-MAIN."), "MOVE A-1 B C TO 100-MAIN .");
    assert_eq!(lex("A(1,2)(3:4) = - B ** 2 >= <= <> < >"), "A ( #1 #2 ) ( #3 : #4 ) = - B ** #2 >= <= <> < >");
    assert_eq!(lex("STOP RUN.END"), "STOP RUN . END");
    assert_eq!(lex("COMPUTE X = (A)-B * -1"), "COMPUTE X = ( A ) - B * - #1");
    assert_eq!(lex("'A' & \"B\""), "'A' & \"B\"");
}

#[test]
fn numbers() {
    assert_eq!(lex("MOVE 1.50 TO A. MOVE .5 TO B. MOVE 7. STOP"), "MOVE #1.50 TO A . MOVE #.5 TO B . MOVE #7 . STOP");
    assert_eq!(lex("MOVE -1.5E+3 TO A"), "MOVE - #1.5E3 TO A");
    assert_eq!(lex("MOVE 1.5E-3 1.5E3 TO A"), "MOVE #1.5E-3 #1.5E3 TO A");
    // Digits before the point are not required.
    assert_eq!(lex("MOVE .345E+06 -.5E2 TO A"), "MOVE #.345E6 - #.5E2 TO A");
    let (tokens, _) = lex_with("       12.50 007 1.5E2", &mut Options::default());
    let TokenKind::Number(number) = &tokens[0].kind else { panic!() };
    assert_eq!((&*number.digits, number.scale, number.integer()), ("1250", 2, None));
    let TokenKind::Number(number) = &tokens[1].kind else { panic!() };
    assert_eq!((&*number.text, number.integer()), ("007", Some(7)));
    let TokenKind::Number(number) = &tokens[2].kind else { panic!() };
    assert_eq!((&*number.digits, number.scale, number.exponent), ("15", 1, Some(2)));
}

#[test]
fn decimal_point_is_comma() {
    let text = "       SPECIAL-NAMES. DECIMAL-POINT IS COMMA.\n       MOVE 1,50 TO A(1, 2). MOVE ,5 TO B.\n       01 C PIC Z.ZZ9,99.\n";
    let (tokens, _) = lex_with(text, &mut Options::default());
    assert!(show(&tokens).ends_with("MOVE #1.50 TO A ( #1 #2 ) . MOVE #.5 TO B . #01 C PIC [Z.ZZ9,99] ."));
}

#[test]
fn pictures() {
    assert_eq!(lex("01 A PIC S9(5)V99 COMP-3."), "#01 A PIC [S9(5)V99] COMP-3 .");
    assert_eq!(lex("01 A PICTURE IS $Z,ZZ9.99-."), "#01 A PICTURE IS [$Z,ZZ9.99-] .");
    assert_eq!(lex("01 A pic x(10), value 'a'."), "#01 A PIC [X(10)] VALUE 'a' .");
    assert_eq!(lex("01 A PIC +9.9E+99."), "#01 A PIC [+9.9E+99] .");
    assert_eq!(lex("01 A PIC 9."), "#01 A PIC [9] .");
    assert_eq!(lex("01 A PIC **,***.99CR."), "#01 A PIC [**,***.99CR] .");
    assert_eq!(lex("01 A PIC X/XX/X."), "#01 A PIC [X/XX/X] .");
}

#[test]
fn literals() {
    let one = |text: &str| {
        let (tokens, diagnostics) = lex_with(&format!("       {text}\n"), &mut Options::default());
        let TokenKind::Literal(literal) = &tokens[0].kind else { panic!("{text}: {tokens:?}") };
        (literal.clone(), diagnostics.iter().next().map(|message| message.code))
    };
    let (literal, problem) = one("'it''s \"x\"'");
    assert_eq!((&*literal.text, literal.kind, literal.quote, problem), ("it's \"x\"", LiteralKind::Alphanumeric, '\'', None));
    assert_eq!(&*one("\"a\"\"b\"").0.text, "a\"b");
    assert_eq!(&*one("''").0.text, "");
    let (literal, problem) = one("X'C1f2'");
    assert_eq!((&*literal.bytes, literal.kind, problem), (&[0xC1, 0xF2][..], LiteralKind::Hexadecimal, None));
    assert_eq!(one("x'C1F'").1, Some("LX0004"));
    assert_eq!(one("X'GG'").1, Some("LX0004"));
    assert_eq!(one("X''").1, Some("LX0004"));
    assert_eq!(one("N'abc'").0.kind, LiteralKind::National);
    assert_eq!(&*one("NX'00410042'").0.bytes, &[0, 0x41, 0, 0x42]);
    assert_eq!(one("NX'0041004'").1, Some("LX0004"));
    assert_eq!(one("z\"abc\"").0.kind, LiteralKind::NullTerminated);
    assert_eq!((one("G'ab'").0.kind, one("U'ab'").0.kind), (LiteralKind::Dbcs, LiteralKind::Utf8));
    assert_eq!(&*one("B'101'").0.bytes, &[0xA0]);
    assert_eq!(lex("MOVE MAX'A'"), "MOVE MAX 'A'");
}

#[test]
fn replaced_parts_are_one_word() {
    let mut all = Members::new();
    all.insert("R", "       01 :T:-REC. 05 A:T:B PIC X(:T:). 05 PIC-:T:.\n");
    let mut diagnostics = Diagnostics::default();
    let text = "       COPY R REPLACING ==:T:== BY ==7==.\n";
    let stream = tokenize("t", text.as_bytes(), &mut Options::default(), &all, &mut diagnostics);
    assert_eq!(show(&stream.tokens), "#01 7-REC . #05 A7B PIC [X(7)] . #05 PIC-7 .");
    assert_eq!(stream.tokens[1].span.line, 1);
    assert_eq!(stream.tokens[1].span.file, 1);
}

#[test]
fn debugging_lines_need_the_mode() {
    let text = "       MOVE A TO B.\n      D    DISPLAY 'A' B 'unclosed\n";
    assert_eq!(show(&lex_with(text, &mut Options::default()).0), "MOVE A TO B .");
    let with = format!("       SOURCE-COMPUTER. X WITH DEBUGGING MODE.\n{text}");
    assert!(show(&lex_with(&with, &mut Options::default()).0).contains("DISPLAY 'A' B"));
    let mut options = Options { debugging_lines: true, ..Options::default() };
    assert!(show(&lex_with(text, &mut options).0).contains("DISPLAY"));
}

#[test]
fn exec_blocks() {
    let text = concat!(
        "       EXEC CICS SEND MAP('A')\n           CURSOR(-1) END-EXEC.\n",
        "       EXECUTE SQL SELECT \"a\" || 'b'  INTO :X FROM T\n       END-EXEC\n"
    );
    let (tokens, diagnostics) = lex_with(text, &mut Options::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(show(&tokens), "EXEC CICS . EXEC SQL");
    let TokenKind::Exec(block) = &tokens[0].kind else { panic!() };
    assert_eq!(show(&block.tokens), "SEND MAP ( 'A' ) CURSOR ( - #1 )");
    assert_eq!(&*block.text, "SEND MAP('A') CURSOR(-1)");
    assert_eq!((block.end.line, block.end.column), (2, 23));
    let TokenKind::Exec(block) = &tokens[2].kind else { panic!() };
    assert_eq!(&*block.text, "SELECT \"a\" || 'b' INTO :X FROM T");
}

#[test]
fn an_unclosed_exec_ends_at_the_next_paragraph_or_exec() {
    let text = "       EXEC CICS RETURN\n       NEXT-PARA.\n           STOP RUN.\n";
    let (tokens, diagnostics) = lex_with(text, &mut Options::default());
    assert_eq!(show(&tokens), "EXEC CICS NEXT-PARA . STOP RUN .");
    let message = diagnostics.iter().next().unwrap();
    assert_eq!((message.code, message.expected.as_deref(), message.span.line), ("LX0010", Some("END-EXEC"), 1));
    let (tokens, _) = lex_with("       EXEC CICS RETURN\n           EXEC CICS RETURN END-EXEC\n", &mut Options::default());
    assert_eq!(tokens.len(), 3);
    let (tokens, diagnostics) = lex_with("       EXEC CICS RETURN", &mut Options::default());
    assert_eq!((tokens.len(), diagnostics.len()), (2, 1));
    // The statements before the next paragraph or EXEC are no options of the command.
    let text = "       EXEC CICS READ FILE('F')\n           INTO(A)\n           SET(P)\n           ADD 1 TO B\n           EXEC CICS RETURN END-EXEC\n";
    let (tokens, _) = lex_with(text, &mut Options::default());
    assert_eq!(show(&tokens), "EXEC CICS ADD #1 TO B EXEC CICS");
}

#[test]
fn limits_and_foreign_characters() {
    let problem = |text: &str| lex_with(&format!("       {text}\n"), &mut Options::default()).1.iter().next().map(|message| message.code);
    assert_eq!(problem(&"A".repeat(30)), None);
    assert_eq!(problem(&"A".repeat(31)), Some("LX0007"));
    assert_eq!(problem(&format!("PIC {}", "X".repeat(50))), None);
    assert_eq!(problem(&format!("PIC {}", "X".repeat(51))), Some("LX0009"));
    assert_eq!(problem("MOVE A ? B"), Some("LX0005"));
    assert_eq!(problem("IF A == B"), Some("LX0006"));
}

#[test]
fn tokens_know_their_place() {
    let (tokens, _) = lex_with("       PARA-1.\n           MOVE A,B\n", &mut Options::default());
    let facts: Vec<_> =
        tokens.iter().map(|token| (token.span.line, token.span.column, token.area_a, token.first_on_line, token.spaced)).collect();
    let expected = [
        (1, 8, true, true, true),
        (1, 14, false, false, false),
        (2, 12, false, true, true),
        (2, 17, false, false, true),
        (2, 19, false, false, true),
    ];
    assert_eq!(facts[..5], expected);
}
