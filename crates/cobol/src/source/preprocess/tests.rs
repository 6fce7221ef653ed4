//! Rules of source text in Enterprise COBOL's language reference; each test names its rule.

use super::*;
use crate::source::Members;

fn run_with(text: &str, members: &[(&str, &str)]) -> (Vec<String>, Diagnostics, Options) {
    let mut all = Members::new();
    members.iter().for_each(|(name, text)| all.insert(name, *text));
    let (mut options, mut diagnostics) = (Options::default(), Diagnostics::default());
    let read = preprocess("test.cbl", text.as_bytes(), &mut options, &all, &mut diagnostics);
    (read.words.iter().map(|word| word.text.to_string()).collect(), diagnostics, options)
}

fn words(text: &str) -> String {
    let (words, diagnostics, _) = run_with(text, &[]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    words.join(" ")
}

fn copied(text: &str, members: &[(&str, &str)]) -> String {
    let (words, diagnostics, _) = run_with(text, members);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    words.join(" ")
}

#[test]
fn fixed_format_has_its_columns() {
    let text = "\
000100 IDENTIFICATION DIVISION.                                         PROG0001
      * a comment
      / another
       MOVE A TO B. *> inline
      *CBL NOSOURCE
           EJECT
           SKIP1.
           TITLE 'Page'.
       STOP RUN.
";
    assert_eq!(words(text), "IDENTIFICATION DIVISION . MOVE A TO B . STOP RUN .");
}

#[test]
fn words_and_literals_continue() {
    let open = format!("       MOVE 'ABC{}", "x".repeat(72 - 16));
    assert_eq!(open.len(), 72);
    let text = format!("{open}\n      * between\n      -    'DEF' TO VERY-LO\n\n      -    NG.\n");
    let expected = format!("MOVE 'ABC{}DEF' TO VERY-LONG .", "x".repeat(56));
    assert_eq!(words(&text), expected);
    // A short line is filled to column 72.
    let short = "       MOVE 'AB\n      -    'CD' TO X.\n";
    assert_eq!(words(short), format!("MOVE 'AB{}CD' TO X .", " ".repeat(72 - 15)));
    // A closing quotation mark in column 72 and two on the continuation are one doubled mark.
    let full = format!("       MOVE '{}'", "y".repeat(72 - 14));
    assert_eq!(full.len(), 72);
    let text = format!("{full}\n      -    ''Z' TO X.\n");
    assert_eq!(words(&text), format!("MOVE '{}''Z' TO X .", "y".repeat(58)));
}

#[test]
fn continuation_without_quotation_mark_is_reported() {
    let (_, diagnostics, _) = run_with("       MOVE 'AB\n      -    CD' TO X.\n", &[]);
    assert!(diagnostics.iter().any(|message| message.code == "LX0002"));
    let (_, diagnostics, _) = run_with("       MOVE 'AB TO X.\n       STOP RUN.\n", &[]);
    let message = diagnostics.iter().next().unwrap();
    assert_eq!((message.code, message.span.line, message.span.column), ("LX0003", 1, 13));
}

#[test]
fn free_format_is_found_and_switched() {
    let free = "identification division.\nprogram-id. a. *> name\nmove 'it''s' to b\n*> all\n";
    assert_eq!(words(free), "identification division . program-id . a . move 'it''s' to b");
    let tail = format!("{:72}X", "000100 MOVE C TO D.");
    let switched = &format!("       MOVE A\n       >>SOURCE FORMAT IS FREE\nTO B.\n>>SOURCE FIXED\n{tail}\n");
    assert_eq!(words(switched), "MOVE A TO B . MOVE C TO D .");
    let (read, _, _) = run_with("      $SET SOURCEFORMAT\"FREE\"\nmove a to b.\n", &[]);
    assert_eq!(read.join(" "), "move a to b .");
}

#[test]
fn tabs_reach_the_text_area() {
    assert_eq!(words("\tMOVE\tA TO B.\n"), "MOVE A TO B .");
}

#[test]
fn cbl_and_process_set_options() {
    let text = "000001 CBL APOST,ARITH(EXTEND)\n       PROCESS CICS('SP') NOSUCHOPTION\n       IDENTIFICATION DIVISION.\n";
    let (words, diagnostics, options) = run_with(text, &[]);
    assert_eq!(words.join(" "), "IDENTIFICATION DIVISION .");
    assert_eq!((options.arith, options.cics), (crate::options::Arith::Extend, Some(true)));
    // An option that is not known is error OP0001, as IGYOS4003-E is, and is discarded.
    assert_eq!(diagnostics.return_code(), 8);
    assert_eq!(diagnostics.iter().next().unwrap().span.line, 2);
}

#[test]
fn comment_entries_are_no_code() {
    let text = "\
       IDENTIFICATION DIVISION.
       PROGRAM-ID. P.
       AUTHOR. James O'Grady.
           THE PROCEDURE BUILDS \" IT.
       DATE-WRITTEN.
           TODAY
       ENVIRONMENT DIVISION.
       PROCEDURE DIVISION.
           MOVE AUTHOR. TO B
";
    assert_eq!(words(text), "IDENTIFICATION DIVISION . PROGRAM-ID . P . ENVIRONMENT DIVISION . PROCEDURE DIVISION . MOVE AUTHOR . TO B");
}

/// ANSI X3.23-1985, IDENTIFICATION DIVISION, comment-entry; the NIST suite's OBNC1M has a whole program in one.
#[test]
fn a_comment_entry_holds_anything_in_area_b() {
    let text = "\
000100 IDENTIFICATION DIVISION.
000200 PROGRAM-ID. P.
000300 REMARKS.
000400     ENVIRONMENT DIVISION.
000500     PROCEDURE DIVISION.
000600     STOP RUN.
000700     IDENTIFICATION DIVISION.
000800 PROCEDURE DIVISION.
";
    assert_eq!(words(text), "IDENTIFICATION DIVISION . PROGRAM-ID . P . PROCEDURE DIVISION .");
    let indented = text.replace("000300 REMARKS", "000300     REMARKS").replace("000800 PROCEDURE", "000800     PROCEDURE");
    assert!(words(&indented).starts_with("IDENTIFICATION DIVISION . PROGRAM-ID . P . ENVIRONMENT DIVISION ."));
}

#[test]
fn copy_nests_64_deep() {
    let of = |depth: usize| {
        let members: Vec<(String, String)> = (1..=depth)
            .map(|number| {
                let next = if number == depth { "DEEPEST".to_string() } else { format!("COPY M{}.", number + 1) };
                (format!("M{number}"), format!("           {next}\n"))
            })
            .collect();
        let members: Vec<(&str, &str)> = members.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        run_with("           COPY M1.\n", &members)
    };
    let (words, diagnostics, _) = of(64);
    assert!(diagnostics.is_empty() && words == ["DEEPEST"], "{diagnostics:?} {words:?}");
    let (_, diagnostics, _) = of(65);
    let told: Vec<&str> = diagnostics.iter().map(|message| &*message.text).collect();
    assert_eq!(told, ["COPY is nested more than 64 deep; M65 is not copied"]);
}

#[test]
fn copy_takes_members_also_nested_and_over_lines() {
    let members = [("INNER", "       05 C PIC X.\n"), ("OUTER", "       05 B PIC X.\n       COPY\n         INNER.\n       05 D PIC X.\n")];
    let text = "       01 A. COPY 'OUTER' SUPPRESS. 05 E PIC X.\n";
    assert_eq!(copied(text, &members), "01 A . 05 B PIC X . 05 C PIC X . 05 D PIC X . 05 E PIC X .");
    assert_eq!(copied("       COPY\n           INNER OF\n           MYLIB\n           .\n       01 Z.\n", &members), "05 C PIC X . 01 Z .");
    assert_eq!(copied("       EXEC SQL INCLUDE\n         INNER END-EXEC.\n", &members), "05 C PIC X .");
    assert_eq!(copied("       EXEC CICS READ COPY INNER. END-EXEC\n", &members), "EXEC CICS READ 05 C PIC X . END-EXEC");
    assert_eq!(words("       EXEC CICS ISSUE COPY TERMID(T) END-EXEC\n"), "EXEC CICS ISSUE COPY TERMID ( T ) END-EXEC");
}

#[test]
fn a_place_in_a_copybook_knows_the_way() {
    let mut all = Members::new();
    all.insert("ONE", "       COPY TWO.\n");
    all.insert("TWO", "\n       05 X PIC X.\n");
    let (mut options, mut diagnostics) = (Options::default(), Diagnostics::default());
    let read = preprocess("m.cbl", b"       01 A.\n           COPY ONE.\n", &mut options, &all, &mut diagnostics);
    let word = read.words.iter().find(|word| word.is_word("X")).unwrap();
    assert_eq!((word.span.line, word.span.column), (2, 11));
    let chain: Vec<(u16, u32)> = read.sources.copy_chain(word.span.file).iter().map(|span| (span.file, span.line)).collect();
    assert_eq!(chain, [(1, 1), (0, 2)]);
    assert_eq!(read.sources.line_text(word.span.file, 2), "       05 X PIC X.");
}

#[test]
fn copy_replacing() {
    let member = [(
        "R",
        "       01 :TAG:-REC.\n           05 :TAG:-A PIC X(:LEN:).\n           05 OLD-B PIC X VALUE 'OLD'.\n           05 OLD OF Q.\n",
    )];
    let text = "       COPY R REPLACING ==:TAG:== BY ==WS== ==:LEN:== BY ==10==\n           OLD BY NEW, 'OLD' BY 'N'.\n";
    assert_eq!(copied(text, &member), "01 WS -REC . 05 WS -A PIC X ( 10 ) . 05 OLD-B PIC X VALUE 'N' . 05 NEW OF Q .");
    let partial = "       COPY R REPLACING LEADING ==OLD== BY ==NEW==\n           TRAILING ==-REC== BY ==-R==.\n";
    assert!(copied(partial, &member).starts_with("01 : TAG : -R . 05"));
    assert!(copied(partial, &member).contains("05 NEW-B PIC X"));
    let nothing = "       COPY R REPLACING LEADING ==OLD-== BY ====.\n";
    assert!(copied(nothing, &member).contains("05 B PIC X VALUE 'OLD'"));
    let qualified = "       COPY R REPLACING OLD OF Q BY NEW OF Z (1).\n";
    assert!(copied(qualified, &member).ends_with("05 NEW OF Z ( 1 ) ."));
    let empty = "       COPY R REPLACING ==05 OLD OF Q.== BY ====.\n";
    assert!(copied(empty, &member).ends_with("VALUE 'OLD' ."));
}

#[test]
fn comparison_in_replacing_disregards_separators_and_case() {
    let member = [("R", "       move a , b to c.\n")];
    assert_eq!(copied("       COPY R REPLACING ==A B== BY ==Z==.\n", &member), "move Z to c .");
}

#[test]
fn replace_until_off() {
    let text = "\
       REPLACE ==XX== BY ==YY== ==:P:== BY ==Q==.
       MOVE XX TO :P:-A.
       REPLACE ALSO ==MOVE== BY ==ADD==.
       MOVE XX TO B.
       REPLACE LAST OFF.
       MOVE XX TO B.
       REPLACE OFF.
       MOVE XX TO B.
";
    assert_eq!(words(text), "MOVE YY TO Q -A . ADD YY TO B . MOVE YY TO B . MOVE XX TO B .");
    assert_eq!(words("       EXEC CICS ISSUE REPLACE DESTID(D) END-EXEC.\n"), "EXEC CICS ISSUE REPLACE DESTID ( D ) END-EXEC .");
}

#[test]
fn errors_in_copy_statements_are_reported() {
    let code = |text: &str, members: &[(&str, &str)]| {
        let (_, diagnostics, _) = run_with(text, members);
        diagnostics.iter().next().map(|message| (message.code, message.span.line))
    };
    assert_eq!(code("\n       COPY NOWHERE.\n", &[]), Some(("LI0008", 2)));
    assert_eq!(code("       COPY SELF.\n", &[("SELF", "       COPY SELF.\n")]), Some(("LI0007", 1)));
    assert_eq!(code("       COPY A MOVE X TO Y.\n", &[("A", "       B.\n")]), Some(("LI0002", 1)));
    assert_eq!(code("       COPY A", &[("A", "       B.\n")]), Some(("LI0003", 1)));
    assert_eq!(code("       COPY A REPLACING ==X== WITH ==Y==.\n", &[("A", "       B.\n")]), Some(("LI0004", 1)));
    assert_eq!(code("       COPY A REPLACING ==== BY ==Y==.\n", &[("A", "       B.\n")]), Some(("LI0005", 1)));
    assert_eq!(code("       COPY ,.\n", &[]), Some(("LI0001", 1)));
}

#[test]
fn conditional_compilation() {
    let text = "
       >>DEFINE LEVEL AS 3
       >>DEFINE NAME AS 'CICS'
       >>IF LEVEL > 2 AND NAME = 'CICS'
       A
       >>IF OTHER IS DEFINED
       B
       >>ELSE
       C
       >>END-IF
       >>ELSE
       D
       >>END-IF
       >>EVALUATE LEVEL
       >>WHEN 1 THRU 2
       E
       >>WHEN 3
       F
       >>WHEN OTHER
       G
       >>END-EVALUATE
       >>EVALUATE TRUE
       >>WHEN NOT (LEVEL = 3 OR LEVEL <> 3)
       H
       >>WHEN LEVEL IS GREATER THAN OR EQUAL TO 3
       I
       >>END-EVALUATE
       >>DEFINE LEVEL OFF
       >>IF LEVEL IS NOT DEFINED
       J
       >>END-IF
       >>CALLINTERFACE DLL
";
    assert_eq!(words(text), "A C F I J");
    let code = |text: &str| run_with(text, &[]).1.iter().next().map(|message| message.code);
    assert_eq!(code("       >>IF X = 1\n       A\n       >>END-IF\n"), Some("CD0001"));
    assert_eq!(code("       >>END-IF\n"), Some("CD0001"));
    assert_eq!(code("       >>IF X DEFINED\n"), Some("CD0002"));
    assert_eq!(code("       >>DEFINE A AS 1\n       >>DEFINE A AS 2\n"), Some("CD0001"));
    assert_eq!(code("       >>DEFINE A AS 1\n       >>DEFINE A AS 2 OVERRIDE\n"), None);
}

#[test]
fn a_directive_in_a_copybook_reaches_the_text_after_the_copy() {
    let member = [("DEFS", "       >>DEFINE TEST AS 1\n")];
    assert_eq!(copied("       COPY DEFS.\n       >>IF TEST DEFINED\n       A\n       >>END-IF\n", &member), "A");
}

#[test]
fn sql_comments_and_latin_1() {
    assert_eq!(words("       EXEC SQL SELECT A -- it's\n         INTO :B END-EXEC. -- A\n"), "EXEC SQL SELECT A INTO : B END-EXEC . - - A");
    let (mut options, mut diagnostics) = (Options::default(), Diagnostics::default());
    let read = preprocess("l", b"       MOVE '\xE9\xE8' TO A.", &mut options, &crate::source::NoCopies, &mut diagnostics);
    assert_eq!(read.words[1].text.as_ref(), "'éè'");
}

/// The text of a COPY of `member`, and the messages.
fn expanded(text: &str, members: &[(&str, &str)]) -> (usize, Vec<String>) {
    let (words, diagnostics, _) = run_with(text, members);
    (words.len(), diagnostics.iter().map(|message| format!("{} {}", message.severity.letter(), message.text)).collect())
}

/// 163 KB of source took 14 GB and 44 seconds.
#[test]
fn replace_cannot_make_a_program_larger_than_the_limit() {
    let long = "       ==\n".to_string() + &"           B B B B B B B B B B B B B B B B B B B B B B B B B B\n".repeat(1_000) + "       ==";
    let text = format!("       REPLACE ==A== BY\n{long}.\n{}", "           A A A A A A A A A A A A A A A A A A A A\n".repeat(1_600));
    let (words, messages) = expanded(&text, &[]);
    assert_eq!(messages, ["U the program has more than 4000000 words after COPY and REPLACE; nothing more is read"]);
    assert_eq!(words, 0);
    // A word of the replacement may be long, too.
    let text = format!("       REPLACE ==A== BY =={}==.\n{}", "B".repeat(40), "           A A A A A A A A A A\n".repeat(10));
    assert_eq!(expanded(&text, &[]), (100, vec![]));
    let literals = format!("           '{}'\n", "B".repeat(55)).repeat(1_000);
    let text = format!("       REPLACE ==A== BY ==\n{literals}       ==.\n{}", "           A A A A A A A A A A\n".repeat(200));
    let (_, messages) = expanded(&text, &[]);
    assert_eq!(messages, ["U the program has more than 64999935 bytes after COPY and REPLACE; nothing more is read"]);
}

#[test]
fn copy_cannot_make_a_program_larger_than_the_limit() {
    let comments = "      *\n".repeat(10_000);
    let text = |count: usize| "       COPY LINES.\n".repeat(count);
    // The 99 lines of the program and 990,000 copied ones.
    assert_eq!(expanded(&text(99), &[("LINES", &comments)]), (0, vec![]));
    let (_, messages) = expanded(&text(100), &[("LINES", &comments)]);
    assert_eq!(messages, ["U the program has more than 999999 lines with what it copies; nothing more is read"]);
    // Each member copies the next one ten times: a million words and a half from eight lines.
    let words = "           A A A A A A A A A A A A A A A\n".repeat(10);
    let ten = |name: &str| format!("       COPY {name}.\n").repeat(10);
    let (b, c, d, e) = (ten("C"), ten("D"), ten("E"), ten("W"));
    let all = [("B", b.as_str()), ("C", c.as_str()), ("D", d.as_str()), ("E", e.as_str()), ("W", words.as_str())];
    assert_eq!(expanded("       COPY C.\n", &all), (150_000, vec![]));
    let doubled = "       COPY B REPLACING ==A== BY ==A A A==.\n";
    let (_, messages) = expanded(doubled, &all);
    assert_eq!(messages, ["U the program has more than 4000000 words after COPY and REPLACE; nothing more is read"]);
}

/// Work quadratic in the length of the text would take minutes here.
#[test]
fn replacing_takes_time_in_proportion_to_the_text() {
    let pairs: String = (0..20_000).map(|n| format!("           ==A-{n}== BY ==B-{n}==\n")).collect();
    let names: String = (0..20_000).map(|n| format!("           A-{n}\n")).collect();
    let started = std::time::Instant::now();
    let (words, diagnostics, _) = run_with(&format!("       REPLACE\n{pairs}       .\n{names}"), &[]);
    assert!(diagnostics.is_empty());
    assert_eq!((words.len(), words[0].as_str(), words[19_999].as_str()), (20_000, "B-0", "B-19999"));
    let few: String = (0..4_000).map(|n| format!("           ==A-{n}== BY ==B-{n}==\n")).collect();
    let (words, diagnostics, _) = run_with(&format!("       COPY NAMES REPLACING\n{few}       .\n"), &[("NAMES", &names)]);
    assert!(diagnostics.is_empty());
    assert_eq!((words[3_999].as_str(), words[4_000].as_str()), ("B-3999", "A-4000"));
    let also: String = (0..20_000).map(|n| format!("       REPLACE ALSO ==A-{n}== BY ==B-{n}==.\n           A-{n}\n")).collect();
    let (words, diagnostics, _) = run_with(&also, &[]);
    assert!(diagnostics.is_empty());
    assert_eq!((words.len(), words[19_999].as_str()), (20_000, "B-19999"));
    assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
}

/// Language Reference, COPY: a comma or semicolon is one blank; the first pair that fits is used.
#[test]
fn replacing_uses_the_first_match_and_ignores_separators() {
    let replaced = |pairs: &str, text: &str| words(&format!("       REPLACE {pairs}.\n           {text}\n"));
    assert_eq!(replaced("==A,X== BY ==1== ==A B== BY ==2==", "A, B A B A,X"), "2 2 1");
    assert_eq!(replaced("==A B== BY ==1== ==A B C== BY ==2==", "A B C"), "1 C");
    assert_eq!(replaced("==A B C== BY ==1== ==A B== BY ==2==", "A B C A; B, C A B D"), "1 1 2 D");
    assert_eq!(replaced("LEADING ==A-== BY ==B-== ==A-X== BY ==1==", "A-X A-Y"), "B-X B-Y");
    assert_eq!(replaced("==A-X== BY ==1== LEADING ==A-== BY ==B-==", "A-X A-Y"), "1 B-Y");
    assert_eq!(replaced("==A== BY ==1== ==A== BY ==2==", "a"), "1");
    assert_eq!(replaced("== \"IT'S\" == BY ==1==", "'IT''S' X'00' x'00'"), "1 X'00' x'00'");
}
