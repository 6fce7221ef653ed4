//! Assembler source as BMS macros are written: statement in columns 1-71, a mark in column 72 continues it in column 16 of the next line,
//! comments begin with `*` or `.*`, operands end at the first blank outside quotes, and remarks follow (unless the statement continues
//! after a comma). Every character keeps its line and column, so that messages can point at it. Nothing here is recursive and a statement
//! is bounded.

use crate::diagnostic::{Diagnostic, Severity};

/// Characters of one statement's operands; the assembler itself allows far fewer.
const STATEMENT_LENGTH_MAX: usize = 65_536;
const CONTINUATION_COLUMN: usize = 72;
const CONTINUED_FROM_COLUMN: usize = 16;

/// The macros of a map source.
const MACROS: [&str; 3] = ["DFHMSD", "DFHMDI", "DFHMDF"];

/// Operands that a remark is taken for when it begins with one and an equals sign.
const OPERANDS: [&str; 23] = [
    "ATTRB", "CASE", "COLOR", "COLUMN", "CTRL", "GRPNAME", "HILIGHT", "INITIAL", "JUSTIFY", "LANG", "LENGTH", "LINE", "MODE", "OCCURS",
    "PICIN", "PICOUT", "POS", "PS", "SIZE", "STORAGE", "TERM", "TIOAPFX", "TYPE",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub character: char,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Upper case, empty when there is none.
    pub label: String,
    /// Upper case.
    pub operation: String,
    pub operands: Vec<Mark>,
    pub line: u32,
}

/// Source text: UTF-8, or else taken as ISO 8859-1.
fn decode_source(source: &[u8]) -> String {
    std::str::from_utf8(source).map_or_else(|_| source.iter().map(|&byte| byte as char).collect(), str::to_string)
}

/// Splits source into statements; comments and empty lines are left out.
pub fn statements(file: &str, source: &[u8], diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement> {
    let text = decode_source(source);
    let lines: Vec<Vec<char>> = text.split('\n').map(|line| line.trim_end_matches('\r').chars().collect()).collect();
    let mut reader = Reader { file, lines: &lines, next: 0, diagnostics };
    let mut statements = Vec::new();
    while let Some(statement) = reader.statement() {
        statements.push(statement);
    }
    statements
}

struct Reader<'a> {
    file: &'a str,
    lines: &'a [Vec<char>],
    next: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn message(&mut self, severity: Severity, line: usize, column: usize, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic {
            severity,
            file: self.file.to_string(),
            line: line as u32,
            column: column as u32,
            operand: String::new(),
            message: message.into(),
        });
    }

    fn statement(&mut self) -> Option<Statement> {
        loop {
            let line = self.lines.get(self.next)?;
            self.next += 1;
            let body = &line[..line.len().min(CONTINUATION_COLUMN - 1)];
            let comment = body.first() == Some(&'*') || body.starts_with(&['.', '*']);
            if comment || body.iter().all(|character| character.is_whitespace()) {
                continue;
            }
            return Some(self.read_from(self.next - 1));
        }
    }

    /// Label, operation, and where the operands begin.
    fn head(&mut self, start: usize) -> (String, String, usize) {
        let line = &self.lines[start];
        let body = &line[..line.len().min(CONTINUATION_COLUMN - 1)];
        let word = |column: &mut usize| -> String {
            let text = peek(body, *column);
            *column += body[*column..].iter().take_while(|character| !character.is_whitespace()).count();
            text
        };
        let skip = |column: &mut usize| *column += body[*column..].iter().take_while(|character| character.is_whitespace()).count();
        let mut column = 0;
        let label = word(&mut column);
        skip(&mut column);
        let begins = column + 1;
        let operation = word(&mut column);
        skip(&mut column);
        if !label.is_empty() || !MACROS.contains(&peek(body, column).as_str()) {
            return (label, operation, column);
        }
        let text = format!("a name must begin in column 1, but {operation} begins in column {begins}");
        self.message(Severity::Error, start + 1, begins, text);
        let after_name = word(&mut column);
        skip(&mut column);
        (operation, after_name, column)
    }

    fn read_from(&mut self, start: usize) -> Statement {
        let (label, operation, column) = self.head(start);
        let mut scan = OperandScan::of(&operation);
        let mut current = start;
        self.scan_line(&mut scan, current, column);
        while self.is_continued(current, &scan) || self.lacks_mark(current, &scan) {
            let Some(next) = self.lines.get(current + 1) else {
                self.message(Severity::Error, current + 1, CONTINUATION_COLUMN, "the statement is continued but the source ends");
                break;
            };
            current += 1;
            self.next = current + 1;
            let body = &next[..next.len().min(CONTINUATION_COLUMN - 1)];
            if let Some(early) = body.iter().take(CONTINUED_FROM_COLUMN - 1).position(|character| !character.is_whitespace()) {
                let mark = self.lines[current - 1].get(CONTINUATION_COLUMN - 1).copied().unwrap_or(' ');
                let text =
                    format!("columns 1-15 must be blank here: column 72 of the line before holds `{mark}`, which marks a continuation");
                self.message(Severity::Error, current + 1, early + 1, text);
                self.scan_line(&mut scan, current, early);
            } else {
                let from = self.continued_from(body, current, &scan);
                self.scan_line(&mut scan, current, from);
            }
            if scan.operands.len() > STATEMENT_LENGTH_MAX {
                self.message(Severity::Severe, start + 1, 1, "the statement is too long");
                scan.operands.truncate(STATEMENT_LENGTH_MAX);
                while self.lines.get(current).is_some_and(|line| continued(line)) {
                    current += 1;
                }
                self.next = current + 1;
                break;
            }
        }
        if scan.quoted {
            let (line, column) = scan
                .operands
                .iter()
                .rev()
                .find(|mark| mark.character == '\'')
                .map_or((start as u32 + 1, 1), |mark| (mark.line, mark.column));
            self.message(
                Severity::Error,
                line as usize,
                column as usize,
                "the quoted string is not closed (a string goes on when column 72 is marked)",
            );
        }
        Statement { label, operation, operands: scan.operands, line: start as u32 + 1 }
    }

    /// Reads the operands of a line. Text that runs into column 72 is read to its end, and reported.
    fn scan_line(&mut self, scan: &mut OperandScan, current: usize, from: usize) {
        let line = &self.lines[current];
        let is_remark = scan.ended;
        let end = if self.runs_over(current) && !is_remark { line.len() } else { line.len().min(CONTINUATION_COLUMN - 1) };
        let remark = scan.line(&line[..end], from, current);
        // A remark behind the comma that continues the operands may run into the mark.
        let is_marked_remark = remark.is_some_and(|at| at + 1 < CONTINUATION_COLUMN) && self.is_continued(current, scan);
        if self.runs_over(current) && !is_marked_remark {
            let text = format!(
                "column 72 holds `{}`, and any character there continues the statement on the next line: end the text in column 71 or \
                 before; a statement that goes on ends its line at a comma, has a mark in column 72, and goes on in column 16 of the next \
                 line",
                line[CONTINUATION_COLUMN - 1]
            );
            self.message(Severity::Error, current + 1, CONTINUATION_COLUMN, text);
        }
        let Some(remark) = remark else { return };
        let word: String = line[remark..end].iter().take_while(|character| !character.is_whitespace()).collect();
        if word.split_once('=').is_some_and(|(key, _)| OPERANDS.contains(&key)) {
            let text = format!(
                "{word} in column {} stands behind a blank, so it is a remark and has no effect: remove the blank, and separate operands by a \
                 comma",
                remark + 1
            );
            self.message(Severity::Warning, current + 1, remark + 1, text);
        }
    }

    /// Text that ends behind column 71, rather than a mark in column 72: it goes on in column 73, or the next line is a statement.
    fn runs_over(&self, current: usize) -> bool {
        let line = &self.lines[current];
        let is_text = |column: usize| line.get(column - 1).is_some_and(|character| !character.is_whitespace());
        if !is_text(CONTINUATION_COLUMN) {
            return false;
        }
        // Columns 73 to 80 may hold a number.
        let goes_on = is_text(CONTINUATION_COLUMN - 1)
            && is_text(CONTINUATION_COLUMN + 1)
            && !line[CONTINUATION_COLUMN..].iter().all(|character| character.is_ascii_digit() || *character == ' ');
        goes_on || self.lines.get(current + 1).is_some_and(|next| is_statement(next))
    }

    /// Whether the next line belongs to the statement. Where text has run into column 72, a comma says so.
    fn is_continued(&self, current: usize, scan: &OperandScan) -> bool {
        if self.runs_over(current) {
            let ends_at_comma = !scan.ended && scan.operands.last().is_some_and(|mark| mark.character == ',');
            return ends_at_comma && !self.lines.get(current + 1).is_some_and(|next| is_statement(next));
        }
        continued(&self.lines[current])
    }

    /// A line that ends with a comma, without a mark in column 72, before a line of operands: reports the missing mark, or its wrong
    /// column.
    fn lacks_mark(&mut self, current: usize, scan: &OperandScan) -> bool {
        if scan.quoted || scan.ended || scan.operands.last().is_none_or(|mark| mark.character != ',') {
            return false;
        }
        let Some(next) = self.lines.get(current + 1).filter(|next| next.first().is_some_and(|first| first.is_whitespace())) else {
            return false;
        };
        let text: String = next.iter().collect();
        let word = text.split_whitespace().next().unwrap_or_default();
        let operand = word.split_once('=').is_some_and(|(key, _)| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphabetic()));
        if !operand {
            return false;
        }
        let line = &self.lines[current];
        // A single character near column 72 was meant as the mark.
        let near = |column: &usize| {
            let is_blank = |at: usize| line.get(at).is_none_or(|character| character.is_whitespace());
            !is_blank(column - 1) && is_blank(column - 2) && is_blank(*column)
        };
        let found = [CONTINUATION_COLUMN - 1, CONTINUATION_COLUMN + 1].into_iter().find(near);
        let instead = found.map(|column| format!("; the mark stands in column {column}")).unwrap_or_default();
        let text = format!("the operands go on after this comma, but column 72 has no continuation mark{instead}");
        self.message(Severity::Error, current + 1, found.unwrap_or(CONTINUATION_COLUMN), text);
        true
    }

    /// The index from which a continuation line is read: column 16, or the start of its text after that column.
    fn continued_from(&mut self, body: &[char], current: usize, scan: &OperandScan) -> usize {
        let from = CONTINUED_FROM_COLUMN - 1;
        let awaits_operand = !scan.quoted && !scan.ended && scan.operands.last().is_some_and(|mark| mark.character == ',');
        let Some(late) = body.iter().position(|character| !character.is_whitespace()).filter(|late| awaits_operand && *late > from) else {
            return from;
        };
        let text = format!("a continued statement goes on in column 16, but this text begins in column {}", late + 1);
        self.message(Severity::Error, current + 1, late + 1, text);
        late
    }
}

/// The line begins a statement: a macro, or END, with or without a name.
fn is_statement(line: &[char]) -> bool {
    let text: String = line.iter().collect();
    text.split_whitespace().take(2).any(|word| MACROS.contains(&word) || word == "END")
}

/// The word at an index, in upper case.
fn peek(line: &[char], from: usize) -> String {
    line.iter().skip(from).take_while(|character| !character.is_whitespace()).collect::<String>().to_uppercase()
}

fn continued(line: &[char]) -> bool {
    line.get(CONTINUATION_COLUMN - 1).is_some_and(|&character| !character.is_whitespace())
}

/// The letters of attributes of symbols (High Level Assembler, "Data attributes").
pub(crate) const ATTRIBUTES: &str = "DIKLNOST";

#[derive(Default)]
struct OperandScan {
    operands: Vec<Mark>,
    quoted: bool,
    /// A blank outside quotes ended the operands (not after a comma): the rest is remarks.
    ended: bool,
    /// AIF, SETA and SETB: blanks in parentheses belong to the expression, and the apostrophe of an attribute begins no string.
    is_expression: bool,
    open_parentheses: usize,
}

impl OperandScan {
    fn of(operation: &str) -> Self {
        Self { is_expression: ["AIF", "SETA", "SETB"].contains(&operation), ..Self::default() }
    }

    /// An apostrophe here belongs to an attribute, such as K'&X.
    fn is_of_attribute(&self) -> bool {
        let mut before = self.operands.iter().rev().map(|mark| mark.character);
        let is_attribute = before.next().is_some_and(|letter| ATTRIBUTES.contains(letter));
        self.is_expression && !self.quoted && is_attribute && before.next().is_none_or(|other| !other.is_alphanumeric())
    }

    /// Returns where a remark begins that follows the operands.
    fn line(&mut self, body: &[char], from: usize, line: usize) -> Option<usize> {
        if self.ended {
            return None;
        }
        // Text in quotes runs to column 71, blanks that an editor cut off included, when the line is continued.
        for (column, &character) in body.iter().enumerate().skip(from) {
            if character.is_whitespace() && !self.quoted && self.open_parentheses == 0 {
                self.ended = self.operands.last().is_some_and(|mark| mark.character != ',');
                let remark = body[column..].iter().position(|character| !character.is_whitespace());
                return remark.filter(|_| !self.operands.is_empty()).map(|at| column + at);
            }
            match character {
                '\'' if !self.is_of_attribute() => self.quoted = !self.quoted,
                '(' if self.is_expression && !self.quoted => self.open_parentheses += 1,
                ')' if self.is_expression && !self.quoted => self.open_parentheses = self.open_parentheses.saturating_sub(1),
                _ => {}
            }
            self.operands.push(Mark { character, line: line as u32 + 1, column: column as u32 + 1 });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> (Vec<Statement>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let statements = statements("t.bms", source.as_bytes(), &mut diagnostics);
        (statements, diagnostics)
    }

    fn text(statement: &Statement) -> String {
        statement.operands.iter().map(|mark| mark.character).collect()
    }

    /// A line with a mark in column 72.
    fn continued(line: &str) -> String {
        format!("{line:<71}-\n")
    }

    #[test]
    fn continuation_and_remarks() {
        let source = [
            "* comment\n".to_string(),
            ".* hidden\n".to_string(),
            continued("MAP1    DFHMDI SIZE=(24,80),   first remark"),
            "               LINE=1 last remark\n".to_string(),
            "        END\n".to_string(),
        ]
        .concat();
        let (statements, diagnostics) = read(&source);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(statements.len(), 2);
        assert_eq!((statements[0].label.as_str(), statements[0].operation.as_str()), ("MAP1", "DFHMDI"));
        assert_eq!(text(&statements[0]), "SIZE=(24,80),LINE=1");
        let mark = statements[0].operands[13];
        assert_eq!((mark.character, mark.line, mark.column), ('L', 4, 16));
        assert_eq!(statements[1].operation, "END");
    }

    /// As a change flag of six characters before the mark, moved by a column.
    #[test]
    fn a_remark_behind_a_comma_may_run_into_the_mark() {
        let line = format!("{:<68}@P3CX0008000\n", "MAP1    DFHMDI SIZE=(24,80),");
        let (statements, diagnostics) = read(&format!("{line}               LINE=1\n"));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(text(&statements[0]), "SIZE=(24,80),LINE=1");
    }

    #[test]
    fn strings_run_through_column_71() {
        let first = "        DFHMDF INITIAL='abc";
        let source = format!("{}               def'\n", continued(first));
        let (statements, _) = read(&source);
        let blanks = 71 - first.len();
        assert_eq!(text(&statements[0]), format!("INITIAL='abc{}def'", " ".repeat(blanks)));
    }

    #[test]
    fn a_mark_beside_column_72_is_named() {
        let told = |mark: usize| {
            let mut line = format!("{:<79}", "M       DFHMDI SIZE=(24,80),");
            if mark > 0 {
                line.replace_range(mark - 1..mark, "X");
            }
            let (statements, diagnostics) = read(&format!("{line}\n               LINE=1\n        END\n"));
            assert_eq!(statements.len(), 2, "the operands are read all the same");
            assert_eq!(text(&statements[0]), "SIZE=(24,80),LINE=1");
            assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
            (diagnostics[0].line, diagnostics[0].column, diagnostics[0].message.clone())
        };
        let rule = "the operands go on after this comma, but column 72 has no continuation mark";
        assert_eq!(told(73), (1, 73, format!("{rule}; the mark stands in column 73")));
        assert_eq!(told(71), (1, 71, format!("{rule}; the mark stands in column 71")));
        assert_eq!(told(0), (1, 72, rule.to_string()));
    }

    #[test]
    fn text_that_runs_into_column_72_is_named() {
        let places = |diagnostics: &[Diagnostic]| diagnostics.iter().map(|told| (told.line, told.column)).collect::<Vec<_>>();
        let operands = "A       DFHMDF POS=(1,2),LENGTH=10,ATTRB=(UNPROT,IC),COLOR=GREEN,PICIN=X(10),CASE=MIXED";
        assert!(operands.len() > 80);
        let (statements, diagnostics) = read(&format!("{operands}\nB       DFHMDF POS=(2,2),LENGTH=10\n"));
        assert_eq!(places(&diagnostics), [(1, 72)], "{diagnostics:?}");
        assert!(diagnostics[0].message.starts_with("column 72 holds `X`,"), "{diagnostics:?}");
        assert_eq!(statements.len(), 2, "the next line is a statement");
        assert!(text(&statements[0]).ends_with("CASE=MIXED"), "what is behind column 72 is read");
        // A remark may not reach it either.
        let remark = format!("{:<40}{}", "A       DFHMDF POS=(1,2),LENGTH=10", "this remark is thirty-two letter");
        assert_eq!(remark.len(), 72);
        let (statements, diagnostics) = read(&format!("{remark}\n        DFHMDF POS=(2,2),LENGTH=10\n"));
        assert_eq!((places(&diagnostics), statements.len()), (vec![(1, 72)], 2), "{diagnostics:?}");
        // Quoted text to column 71, the mark, and a number behind it: as it is to be.
        let string = format!("{:<71}X00010000", format!("        DFHMDF POS=(1,2),INITIAL='{}", "x".repeat(37)));
        assert_eq!(string.chars().nth(70), Some('x'));
        let (statements, diagnostics) = read(&format!("{string}\n               yy'\n"));
        assert_eq!((diagnostics.len(), statements.len()), (0, 1), "{diagnostics:?}");
    }

    #[test]
    fn a_quote_in_column_72_is_named_first_and_alone() {
        let line = format!("{:<71}'", "        DFHMDF POS=(1,2),INITIAL='text");
        let (statements, diagnostics) = read(&format!("{line}\n        DFHMDF POS=(2,2),LENGTH=10\n        END\n"));
        assert_eq!((diagnostics.len(), statements.len()), (1, 3), "{diagnostics:?}");
        assert_eq!((diagnostics[0].line, diagnostics[0].column), (1, 72));
        assert!(diagnostics[0].message.starts_with("column 72 holds `'`"), "{}", diagnostics[0].message);
    }

    #[test]
    fn a_name_begins_in_column_1() {
        let (statements, diagnostics) = read("               LOGACT DFHMDF POS=(1,2),LENGTH=10\n        END\n");
        assert_eq!((diagnostics.len(), diagnostics[0].line, diagnostics[0].column), (1, 1, 16), "{diagnostics:?}");
        assert!(diagnostics[0].message.starts_with("a name must begin in column 1"), "{}", diagnostics[0].message);
        assert_eq!((statements[0].label.as_str(), statements[0].operation.as_str()), ("LOGACT", "DFHMDF"));
    }

    #[test]
    fn an_operand_behind_a_blank_is_named() {
        for blank in [", ", " "] {
            let line = format!("A       DFHMDF POS=(1,2){blank}LENGTH=60");
            let (_, diagnostics) = read(&format!("{line}\n        END\n"));
            assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
            let column = line.find("LENGTH").expect("there") as u32 + 1;
            assert_eq!((diagnostics[0].line, diagnostics[0].column, diagnostics[0].severity), (1, column, Severity::Warning));
            let expected = format!("LENGTH=60 in column {column} stands behind a blank, so it is a remark");
            assert!(diagnostics[0].message.starts_with(&expected), "{}", diagnostics[0].message);
        }
        assert!(read("A       DFHMDF POS=(1,2)  a remark, LENGTH=60 long\n").1.is_empty());
    }

    #[test]
    fn text_behind_column_16_is_named() {
        let (statements, diagnostics) = read(&format!("{}                  LINE=1\n", continued("M       DFHMDI SIZE=(24,80),")));
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert_eq!((diagnostics[0].line, diagnostics[0].column), (2, 19));
        assert_eq!(diagnostics[0].message, "a continued statement goes on in column 16, but this text begins in column 19");
        assert_eq!(text(&statements[0]), "SIZE=(24,80),LINE=1");
    }

    #[test]
    fn faults_are_reported_with_their_place() {
        let (_, diagnostics) = read(&format!("{}    X=1\n        DFHMDF INITIAL='a b\n", continued("A DFHMDF POS=(1,1),")));
        assert_eq!(diagnostics.len(), 2);
        assert_eq!((diagnostics[0].line, diagnostics[0].column), (2, 5));
        assert_eq!((diagnostics[1].line, diagnostics[1].column), (3, 24));
        let (_, diagnostics) = read(continued("A DFHMDF POS=1,").trim_end());
        assert_eq!(diagnostics.len(), 1);
    }
}
