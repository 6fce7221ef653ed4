//! Fixed and free source format.

use super::*;

fn read(text: &str, format: Format) -> Vec<LogicalLine> {
    let lines: Arc<[Box<str>]> = text.lines().map(Into::into).collect();
    let (mut reader, mut diagnostics, mut all) = (LineReader::new(lines, 0, format), Diagnostics::default(), Vec::new());
    while let Some(line) = reader.next_line(&mut diagnostics) {
        all.push(line);
    }
    all
}

fn text(line: &LogicalLine) -> String {
    line.characters.iter().collect()
}

#[test]
fn areas_and_kinds() {
    let lines = read("       PARA.\n           MOVE A\n      D    DISPLAY A\n       >>IF X DEFINED\n      $IF X\n", Format::Fixed);
    let kinds: Vec<_> = lines.iter().map(|line| (line.kind, line.area_a)).collect();
    use LineKind::*;
    assert_eq!(kinds, [(Code, true), (Code, false), (Debug, false), (Directive, true), (Directive, true)]);
    assert_eq!(text(&read(">>D DISPLAY A\n", Format::Free)[0]), "DISPLAY A");
}

#[test]
fn places_follow_continuations() {
    let lines = read("       MOVE VERY-\n      -    LONG TO X\n", Format::Fixed);
    assert_eq!(text(&lines[0]), "MOVE VERY-LONG TO X");
    assert_eq!(lines[0].place(0), (1, 8));
    assert_eq!(lines[0].place(9), (1, 17));
    assert_eq!(lines[0].place(10), (2, 12));
    assert_eq!(lines[0].place(18), (2, 20));
}

#[test]
fn column_72_is_the_last() {
    let line = format!("       {}ABC", " ".repeat(63));
    assert_eq!(text(&read(&line, Format::Fixed)[0]), "AB");
}

#[test]
fn the_reference_format_is_detected_from_the_text() {
    let detect = |text: &str| crate::source::detect::detect(&text.lines().map(Into::into).collect::<Vec<Box<str>>>(), None).format;
    assert_eq!(detect("000100 IDENTIFICATION DIVISION.\n"), Some(Format::Fixed));
    assert_eq!(detect("      * x\n       ID DIVISION.\n"), Some(Format::Fixed));
    assert_eq!(detect("IDENTIFICATION DIVISION.\nPROGRAM-ID. X.\n"), Some(Format::Free));
    assert_eq!(detect("  move a to b\n"), Some(Format::Free));
    assert_eq!(detect("           MOVE A TO B\n"), None);
    assert_eq!(detect(""), None);
}

/// The result of a main source: the messages, and whether its first statement was read.
fn compiled(text: &str) -> Vec<String> {
    let options = crate::Options::default();
    let compilation = crate::compile_source("T.cbl", text.as_bytes(), &options, &crate::source::NoCopies);
    let message =
        |message: &crate::diagnostics::Diagnostic| format!("{}: {} {}", message.span.line, message.severity.letter(), message.text);
    compilation.diagnostics.iter().map(message).collect()
}

const FIXED: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. T.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC X.
       PROCEDURE DIVISION.
           MOVE 'A' TO A
           GOBACK.
";

#[test]
fn comments_do_not_make_a_source_free() {
    for comment in ["      *> one\n", "           *> one\n", "       *> one\n", "*> one at the margin\n", "   *> one\n"] {
        let text = FIXED.replace("           MOVE", &format!("{}           MOVE", comment.repeat(9)));
        assert_eq!(compiled(&text), Vec::<String>::new(), "{comment}");
    }
}

#[test]
fn contradicting_lines_are_reported_with_the_format_taken() {
    let text = FIXED.replace("           MOVE", &format!("{}           MOVE", "    DISPLAY A\n".repeat(9)));
    let told = "7: W the source is taken to be in free format, because this line begins in column 5, where fixed format has no text; line \
                1 looks like fixed format; `>>SOURCE FORMAT IS FIXED` at the beginning says otherwise";
    assert_eq!(compiled(&text), [told]);
    // One line among those that keep to columns 8 to 72, with or without comments that free format does not have.
    let text = FIXED.replace("           MOVE", "    DISPLAY A\n           MOVE");
    let told = "7: W the source is taken to be in fixed format, as line 1 is; this line begins in column 5, and columns 1 to 6 are not \
                read; `>>SOURCE FORMAT IS FREE` at the beginning says otherwise";
    for comments in ["", "      * one\n      * two\n"] {
        assert_eq!(compiled(&text.replace("           GOBACK.", &format!("{comments}           GOBACK.")))[0], told);
    }
    // Options may begin in any column.
    assert_eq!(compiled(&format!("   CBL FLAG(I,W),RENT\n{FIXED}")), Vec::<String>::new());
    // With a directive no evidence in the lines is needed.
    assert_eq!(compiled(&format!("       >>SOURCE FORMAT IS FIXED\n{FIXED}")), Vec::<String>::new());
}

/// "Reference format" of the Enterprise COBOL Language Reference: column 7 is the indicator area.
#[test]
fn one_line_in_column_7_is_an_error_with_or_without_comments_and_sequence_numbers() {
    let slip = |text: &str, line: &str| text.replace("           MOVE 'A' TO A", line);
    let numbered = |text: &str| (1..).zip(text.lines()).map(|(number, line)| format!("{number:04}00{}\n", &line[6..])).collect::<String>();
    let told = ["7: E `M` in column 7 is not an indicator; a blank is assumed"];
    let text = slip(FIXED, "      MOVE 'A' TO A");
    let commented = text.replace("           GOBACK.", "      * comment\n           GOBACK.");
    for text in [text.clone(), commented, numbered(&text)] {
        let messages = compiled(&text);
        assert_eq!(messages[..1], told, "{text}");
        assert!(!messages.iter().any(|message| message.contains("format")), "{messages:?}");
    }
    // The header itself.
    let text = FIXED.replacen("       IDENT", "      IDENT", 1);
    assert_eq!(compiled(&text)[0], "1: E `I` in column 7 is not an indicator; a blank is assumed");
}

#[test]
fn text_behind_column_72_is_reported() {
    let tail = |text: &str, rest: &str| format!("{text:<72}{rest}");
    // The identification area may hold anything.
    let text = FIXED.replace("           MOVE 'A' TO A", &tail("           MOVE 'A' TO A", "T0000100"));
    assert_eq!(compiled(&text), Vec::<String>::new());
    let full = format!("           MOVE {}'A' TO A", " ".repeat(71 - 24));
    assert_eq!(full.len(), 71);
    let text = FIXED.replace("           MOVE 'A' TO A", &format!("{full}.00010000"));
    assert_eq!(compiled(&text), Vec::<String>::new());
    // `A` is read, `REA-X` is not.
    let text = FIXED.replace("           MOVE 'A' TO A", &format!(" {full}REA-X"));
    assert_eq!(compiled(&text), ["7: W text behind column 72 is not read in fixed format: `REA-X`"]);
    let comment = format!("      *{}", "-".repeat(90));
    let text =
        FIXED.replace("           GOBACK.", &format!("{comment}\n{}\n           GOBACK.", tail("           CONTINUE", "        beyond")));
    assert_eq!(compiled(&text), ["9: W text behind column 72 is not read in fixed format: `beyond`"]);
    let twice = text.replace("           GOBACK.", &format!("{}\n           GOBACK.", tail("           CONTINUE", "        again")));
    assert_eq!(compiled(&twice), ["9: W text behind column 72 is not read in fixed format: `beyond`; the same on line 10"]);
}

#[test]
fn a_continued_literal_fills_its_line() {
    let literal = format!("           MOVE '{}", "A".repeat(72 - 17));
    assert_eq!(literal.len(), 72);
    let text =
        FIXED.replace("PIC X.", "PIC X(60).").replace("           MOVE 'A' TO A", &format!("{literal}T000010\n      -    'BC' TO A"));
    assert_eq!(compiled(&text), Vec::<String>::new());
}
