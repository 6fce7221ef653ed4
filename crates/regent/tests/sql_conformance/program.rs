//! Makes a case a complete COBOL program in fixed format.

use std::collections::{BTreeSet, HashMap};

use crate::case::{Case, Code};
use crate::variables::{Shown, declarations, declared, words};

/// The last column of program text, and the width of an SQL line behind its margin.
const LAST_COLUMN: usize = 72;
const MARGIN: usize = 11;

/// Digits of a number that `show` edits: those of ARITH(EXTEND).
const DIGITS: usize = 31;

pub struct Program {
    pub text: String,
    /// First and last line of the statement that the compiler must refuse.
    pub bad: Option<(usize, usize)>,
}

struct Writer {
    lines: Vec<String>,
    /// Places of the numbers shown; each has an edited item.
    places: BTreeSet<usize>,
    bad: Option<(usize, usize)>,
}

/// Splits at blanks outside literals.
fn tokens(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut().expect("one").push(c);
    }
    found.retain(|token| !token.is_empty());
    found
}

impl Writer {
    fn cobol(&mut self, text: &str) {
        let line = format!("{}{text}", " ".repeat(MARGIN));
        assert!(line.len() <= LAST_COLUMN, "too long for a line of COBOL: {text}");
        self.lines.push(line);
    }

    fn label(&mut self, text: &str) {
        self.cobol("CONTINUE.");
        self.lines.push(format!("       {text}"));
    }

    fn sql(&mut self, statement: &str) {
        self.cobol("EXEC SQL");
        let mut line = String::new();
        for token in tokens(statement) {
            if !line.is_empty() && line.len() + 1 + token.len() > LAST_COLUMN - MARGIN - 2 {
                self.cobol(&format!("  {line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&token);
        }
        self.cobol(&format!("  {line}"));
        self.cobol("END-EXEC");
    }

    /// Adds pieces of text to the line that is shown.
    fn add(&mut self, pieces: &[&str]) {
        self.cobol("STRING");
        pieces.iter().for_each(|piece| self.cobol(&format!("  {piece}")));
        self.cobol("  DELIMITED BY SIZE");
        self.cobol("  INTO SHOW-LINE WITH POINTER SHOW-POINTER");
        self.cobol("END-STRING");
    }

    fn value(&mut self, item: &str, shown: &Shown) {
        match shown {
            Shown::Number(places) => {
                self.places.insert(*places);
                self.cobol(&format!("MOVE {item} TO SHOW-NUMBER-{places}"));
                self.cobol(&format!("MOVE SHOW-NUMBER-{places} TO SHOW-TEXT"));
                self.cobol("PERFORM SHOW-A-NUMBER");
            }
            Shown::Float => {
                self.places.insert(6);
                self.cobol(&format!("COMPUTE SHOW-NUMBER-6 ROUNDED = {item}"));
                self.cobol("MOVE SHOW-NUMBER-6 TO SHOW-TEXT");
                self.cobol("PERFORM SHOW-A-NUMBER");
            }
            Shown::Text => self.add(&["'['", item, "'] '"]),
            Shown::Varying { length, text } => {
                self.cobol(&format!("IF {length} > 0"));
                self.add(&["'['", &format!("{text}(1:{length})"), "'] '"]);
                self.cobol("ELSE");
                self.add(&["'[] '"]);
                self.cobol("END-IF");
            }
        }
    }
}

fn sqlca_item(name: &str) -> Option<Shown> {
    match name {
        "SQLCODE" => Some(Shown::Number(0)),
        "SQLSTATE" => Some(Shown::Text),
        "SQLERRMC" => Some(Shown::Varying { length: "SQLERRML".to_string(), text: "SQLERRMC".to_string() }),
        _ if name.starts_with("SQLERRD(") || name == "SQLERRML" => Some(Shown::Number(0)),
        _ if name.starts_with("SQLWARN") => Some(Shown::Text),
        _ => None,
    }
}

pub fn program(case: &Case, name: &str) -> Program {
    let mut writer = Writer { lines: Vec::new(), places: BTreeSet::new(), bad: None };
    let mut own = declared(&case.data);
    let member_lines: Vec<String> = case.members.iter().flat_map(|(_, lines)| lines.clone()).collect();
    own.extend(declared(&member_lines));
    let names = names(case);
    let standard = declarations(&names, &own);
    let mut items = own.clone();
    items.extend(declared(&standard));
    head(&mut writer, case, name, &standard);
    let at = writer.lines.len();
    writer.lines.push("       PROCEDURE DIVISION.".to_string());
    writer.lines.push("       MAIN-LINE.".to_string());
    if !case.setup.is_empty() {
        set_up(&mut writer, case);
    }
    for line in &case.code {
        statement(&mut writer, line, &items);
    }
    writer.label("END-OF-CASE.");
    writer.cobol("GOBACK.");
    paragraphs(&mut writer);
    let editing = editing(&writer.places);
    let moved = editing.len();
    writer.lines.splice(at..at, editing);
    let bad = writer.bad.map(|(first, last)| (first + moved, last + moved));
    Program { text: writer.lines.join("\n") + "\n", bad }
}

/// Every name that a case's code uses.
fn names(case: &Case) -> Vec<String> {
    let text = |line: &Code| match line {
        Code::Cobol(text) | Code::Label(text) | Code::Sql(text) | Code::Try(text) | Code::Exec(text) | Code::Bad(text) => text.clone(),
        Code::Statement(_) => "STMT".to_string(),
        Code::Show(shown) => shown.join(" "),
    };
    let lines = case.code.iter().map(text).chain(case.data.iter().cloned());
    lines.flat_map(|line| words(&line)).collect()
}

fn head(writer: &mut Writer, case: &Case, name: &str, standard: &[String]) {
    writer.lines.push("       IDENTIFICATION DIVISION.".to_string());
    writer.lines.push(format!("       PROGRAM-ID. {name}."));
    writer.lines.push("       DATA DIVISION.".to_string());
    writer.lines.push("       WORKING-STORAGE SECTION.".to_string());
    if !case.data.iter().any(|line| line.contains("INCLUDE SQLCA") || line.contains(" SQLCODE ")) {
        writer.cobol("EXEC SQL INCLUDE SQLCA END-EXEC.");
    }
    for line in standard.iter().chain(&case.data) {
        let line = match line.starts_with(|c: char| c.is_ascii_digit()) {
            true => format!("       {line}"),
            false => format!("{}{}", " ".repeat(MARGIN), line.trim_start()),
        };
        assert!(line.len() <= LAST_COLUMN, "too long for a line of COBOL: {line}");
        writer.lines.push(line);
    }
    writer.lines.push("       01 SHOW-LINE PIC X(4000).".to_string());
    writer.lines.push("       01 SHOW-POINTER PIC S9(9) COMP.".to_string());
    writer.lines.push("       01 SHOW-TEXT PIC X(40) JUST RIGHT.".to_string());
    writer.lines.push("       01 SHOW-BLANKS PIC S9(9) COMP.".to_string());
    writer.lines.push("       01 SHOW-TOKENS PIC X(70).".to_string());
}

fn editing(places: &BTreeSet<usize>) -> Vec<String> {
    let mut all = places.clone();
    all.insert(0);
    let item = |places: &usize| match places {
        0 => format!("       01 SHOW-NUMBER-0 PIC -({DIGITS})9."),
        _ => format!("       01 SHOW-NUMBER-{places} PIC -({})9.9({places}).", DIGITS - places),
    };
    all.iter().map(item).collect()
}

fn statement(writer: &mut Writer, line: &Code, items: &HashMap<String, Shown>) {
    match line {
        Code::Cobol(text) => writer.cobol(text),
        Code::Label(text) => writer.label(text),
        Code::Exec(text) => writer.sql(text),
        Code::Sql(text) => {
            writer.sql(text);
            writer.cobol("IF SQLCODE NOT = 0 PERFORM UNEXPECTED END-IF");
        }
        Code::Try(text) => {
            writer.sql(text);
            writer.cobol("PERFORM SHOW-OUTCOME");
        }
        Code::Statement(text) => dynamic(writer, text),
        Code::Bad(text) => {
            let first = writer.lines.len() + 1;
            writer.sql(text);
            writer.bad = Some((first, writer.lines.len()));
        }
        Code::Show(shown) => {
            writer.cobol("MOVE 1 TO SHOW-POINTER");
            shown.iter().for_each(|text| show(writer, text, items));
            writer.cobol("PERFORM SHOW-THE-LINE");
        }
    }
}

fn show(writer: &mut Writer, text: &str, items: &HashMap<String, Shown>) {
    let (item, indicator) = match text.split_once(':') {
        Some((item, indicator)) => (item, Some(indicator)),
        None => (text, None),
    };
    let name = item.split('(').next().unwrap_or(item);
    let kind = sqlca_item(item).or_else(|| items.get(name).cloned()).unwrap_or_else(|| panic!("{item} is not a declared item"));
    if let Some(indicator) = indicator {
        writer.cobol(&format!("IF {indicator} < 0"));
        writer.add(&["'null '"]);
        writer.cobol("ELSE");
    }
    writer.value(item, &kind);
    if indicator.is_some() {
        writer.cobol("END-IF");
    }
}

/// Moves the text of a dynamic statement to STMT.
fn dynamic(writer: &mut Writer, text: &str) {
    const PIECE: usize = 24;
    writer.cobol("MOVE SPACES TO STMT-TEXT");
    writer.cobol("STRING");
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(PIECE) {
        let piece: String = piece.iter().collect();
        writer.cobol(&format!("  '{}'", piece.replace('\'', "''")));
    }
    writer.cobol("  DELIMITED BY SIZE INTO STMT-TEXT");
    writer.cobol("END-STRING");
    writer.cobol(&format!("MOVE {} TO STMT-LEN", characters.len()));
}

fn set_up(writer: &mut Writer, case: &Case) {
    for text in &case.setup {
        writer.sql(text);
        writer.cobol("IF SQLCODE < 0");
        writer.cobol("  DISPLAY 'SET-UP'");
        writer.cobol("  PERFORM UNEXPECTED");
        writer.cobol("END-IF");
    }
    writer.sql("COMMIT");
}

/// The paragraphs that show outcomes and numbers.
fn paragraphs(writer: &mut Writer) {
    let mut paragraph = |name: &str, lines: &[&str]| {
        writer.lines.push(format!("       {name}."));
        lines.iter().for_each(|line| writer.cobol(line));
        writer.cobol("CONTINUE.");
    };
    paragraph(
        "SHOW-OUTCOME",
        &[
            "MOVE 1 TO SHOW-POINTER",
            "MOVE SQLCODE TO SHOW-NUMBER-0",
            "MOVE SHOW-NUMBER-0 TO SHOW-TEXT",
            "PERFORM SHOW-A-NUMBER",
            "STRING SQLSTATE DELIMITED BY SIZE",
            "  INTO SHOW-LINE WITH POINTER SHOW-POINTER",
            "END-STRING",
            "PERFORM SHOW-THE-LINE",
        ],
    );
    paragraph(
        "UNEXPECTED",
        &[
            "DISPLAY 'UNEXPECTED'",
            "PERFORM SHOW-OUTCOME",
            "MOVE SQLERRMC TO SHOW-TOKENS",
            "INSPECT SHOW-TOKENS REPLACING ALL X'FF' BY ';'",
            "DISPLAY SHOW-TOKENS",
        ],
    );
    paragraph(
        "SHOW-A-NUMBER",
        &[
            "MOVE 0 TO SHOW-BLANKS",
            "INSPECT SHOW-TEXT TALLYING SHOW-BLANKS",
            "  FOR LEADING SPACE",
            "STRING SHOW-TEXT(SHOW-BLANKS + 1:) ' '",
            "  DELIMITED BY SIZE",
            "  INTO SHOW-LINE WITH POINTER SHOW-POINTER",
            "END-STRING",
        ],
    );
    paragraph(
        "SHOW-THE-LINE",
        &[
            "SUBTRACT 1 FROM SHOW-POINTER",
            "INSPECT SHOW-LINE(1:SHOW-POINTER)",
            "  REPLACING ALL X'FF' BY ';'",
            "DISPLAY SHOW-LINE(1:SHOW-POINTER)",
        ],
    );
}
