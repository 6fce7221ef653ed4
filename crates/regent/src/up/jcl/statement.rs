//! The statements of a JCL file as written, before symbols are replaced.
//!
//! Rules (MVS JCL Reference, "JCL statement fields" and "Continuing statements"): a statement begins `//` in columns 1 and 2, a name in
//! column 3 or a blank, operation, operands to the first blank outside apostrophes, then comments; columns 72 to 80 are ignored. An operand
//! field that ends in a comma continues in the next `// ` statement, one that ends inside apostrophes in its column 16. `DD *` and `DD
//! DATA` open in-stream data, ended by `/*` (or the DLM characters), or for `*` by the next `//`.

/// One statement, its continuations joined.
#[derive(Debug, Clone, Default)]
pub struct Statement {
    /// From 1.
    pub line: usize,
    pub name: String,
    pub operation: String,
    /// The operand field.
    pub operands: String,
    /// In-stream records of a DD statement, without the ending delimiter.
    pub in_stream: Option<Vec<String>>,
    /// The line of the first of them.
    pub in_stream_line: usize,
    /// How many INCLUDE groups it stands in.
    pub include_depth: usize,
}

/// Operations that a statement without a name may have at the head of a job or procedure.
const NAMELESS: [&str; 9] = ["JOB", "PROC", "EXEC", "DD", "JCLLIB", "SET", "INCLUDE", "EXPORT", "IF"];

/// True when the text, in upper case, looks like JCL: its first line that is not empty begins `//`, and is not a comment of other languages.
pub fn is_jcl(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.and_then(|line| line.strip_prefix("//")).is_some_and(|rest| match rest.chars().next() {
        Some(' ') => rest.split_whitespace().next().is_none_or(|operation| NAMELESS.contains(&operation)),
        Some(first) => first == '*' || first.is_ascii_alphabetic() || "@#$&<".contains(first),
        None => true,
    })
}

/// The in-stream data of a text: the line of the first record, from 1, and the records.
pub fn in_stream(text: &str) -> Vec<(usize, Vec<String>)> {
    let data = read(text).into_iter().filter_map(|statement| Some((statement.in_stream_line, statement.in_stream?)));
    data.filter(|(_, records)| !records.is_empty()).collect()
}

/// The statements of a file. Comments, null statements and those of JES are left out.
pub fn read(text: &str) -> Vec<Statement> {
    let mut reader = Reader { lines: text.lines().collect(), at: 0 };
    let mut statements = Vec::new();
    while reader.at < reader.lines.len() {
        let line = reader.lines[reader.at];
        if line.starts_with("//") && !line.starts_with("//*") {
            statements.extend(reader.statement());
        } else {
            reader.at += 1;
        }
    }
    statements
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl Reader<'_> {
    fn statement(&mut self) -> Option<Statement> {
        let line = self.at + 1;
        let head = card(self.lines[self.at]);
        self.at += 1;
        let body = &head[2..];
        let has_name = !body.starts_with([' ', '\t']);
        let mut words = body.split_whitespace();
        let name = if has_name { words.next().unwrap_or("") } else { "" }.to_uppercase();
        let operation = words.next()?.to_uppercase();
        let operands = self.operand_field(after_words(body, usize::from(has_name) + 1), operation == "IF");
        let mut statement = Statement { line, name, operation, operands, ..Statement::default() };
        if statement.operation == "DD" {
            statement.in_stream_line = self.at + 1;
            statement.in_stream = self.in_stream(&statement.operands);
        }
        Some(statement)
    }

    /// The operand field with its continuations. That of IF is a relational expression with blanks in it.
    fn operand_field(&mut self, first: &str, is_expression: bool) -> String {
        if is_expression {
            return first.to_string();
        }
        let (field, mut is_open) = operand_field(first, false);
        let mut field = field.to_string();
        while (is_open || field.ends_with(',')) && self.at < self.lines.len() {
            let line = self.lines[self.at];
            if line.starts_with("//*") {
                self.at += 1;
                continue;
            }
            let next = card(line);
            if !next.starts_with("// ") {
                break;
            }
            // Text inside apostrophes goes on in column 16, blanks included.
            let rest = if is_open { next.get(15..).unwrap_or("") } else { next[2..].trim_start() };
            let (more, open) = operand_field(rest, is_open);
            field.push_str(more);
            is_open = open;
            self.at += 1;
        }
        field
    }

    /// The records that follow `DD *` or `DD DATA`.
    fn in_stream(&mut self, operands: &str) -> Option<Vec<String>> {
        let operands = split_operands(operands);
        let ends_at_statement = operands.iter().find(|operand| matches!(operand.to_uppercase().as_str(), "*" | "DATA"))? == "*";
        let written = operands.iter().find_map(|operand| operand.strip_prefix("DLM=").or(operand.strip_prefix("dlm=")));
        let delimiter = written.map_or("/*".to_string(), unquote);
        // With a DLM of its own the data may hold statements.
        let ends_at_statement = ends_at_statement && written.is_none();
        let mut records = Vec::new();
        while let Some(line) = self.lines.get(self.at) {
            if line.starts_with(&delimiter) {
                self.at += 1;
                break;
            }
            if ends_at_statement && line.starts_with("//") {
                break;
            }
            records.push(line.to_string());
            self.at += 1;
        }
        Some(records)
    }
}

/// Columns 1 to 71 of a line: 72 holds the continuation mark, 73 to 80 the sequence number.
fn card(line: &str) -> &str {
    line.char_indices().nth(71).map_or(line, |(at, _)| &line[..at]).trim_end()
}

/// What follows the first `count` words.
fn after_words(text: &str, count: usize) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..count {
        rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
    }
    rest
}

/// The operand field: up to the first blank outside apostrophes. True when it ends inside them.
fn operand_field(text: &str, mut quoted: bool) -> (&str, bool) {
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            ' ' | '\t' if !quoted => return (&text[..at], false),
            _ => {}
        }
    }
    (text, quoted)
}

/// Operands, split at commas outside parentheses and apostrophes.
pub fn split_operands(field: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut start, mut out) = (0i32, false, 0, Vec::new());
    for (at, c) in field.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                out.push(field[start..at].to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(field[start..].to_string());
    out.retain(|operand| !operand.is_empty());
    out
}

pub fn unquote(value: &str) -> String {
    match value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_go_on_after_a_comma_and_inside_apostrophes() {
        let long = format!("//S1      EXEC PGM=A,PARM='{}", "X".repeat(44));
        assert_eq!(long.len(), 71);
        let text = format!("{long}\n//             Y Z',REGION=0M  remark\n//D DD DSN=A.B,\n//* comment\n//  DISP=SHR  remark\n");
        let statements = read(&text);
        assert_eq!(statements[0].operands, format!("PGM=A,PARM='{}Y Z',REGION=0M", "X".repeat(44)));
        assert_eq!(statements[1].operands, "DSN=A.B,DISP=SHR");
    }

    #[test]
    fn comments_of_other_languages_are_not_jcl() {
        assert!(["//A JOB\n", "\n//* A\n", "// SET A=B\n", "//  EXEC PGM=A\n", "//\n"].iter().all(|text| is_jcl(text)));
        assert!(["// COPYRIGHT A\n", "/// A\n", "//! A\n", "/* A */\n", ""].iter().all(|text| !is_jcl(text)));
    }

    #[test]
    fn in_stream_data_ends_at_its_delimiter() {
        let statements = read("//A DD *\n one\n//B DD DATA,DLM='@@'\n//NOT A STATEMENT\n/*\n@@\n//C DD *,DLM=##\n//X\n##\n//D DD DUMMY\n");
        let data: Vec<Option<Vec<String>>> = statements.into_iter().map(|statement| statement.in_stream).collect();
        let records = |lines: &[&str]| Some(lines.iter().map(|line| line.to_string()).collect());
        assert_eq!(data, [records(&[" one"]), records(&["//NOT A STATEMENT", "/*"]), records(&["//X"]), None]);
    }

    #[test]
    fn in_stream_data_knows_its_line() {
        let text = "//A DD DSN=X,\n//  DISP=SHR\n//B DD *\n one\n two\n/*\n//C DD *\n/*\n";
        assert_eq!(in_stream(text), [(4, vec![" one".to_string(), " two".to_string()])]);
    }

    #[test]
    fn damaged_input_does_not_stop_the_reader() {
        for text in
            ["//", "// ", "//A", "//A DD", "//A DD DSN='", "//S EXEC PGM=(,\n// ", "//É EXEC PGM=ÜÖ", "//S DD *", "//A DD DSN='\n//  É"]
        {
            read(text);
        }
    }
}
