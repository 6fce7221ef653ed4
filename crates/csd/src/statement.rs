//! DFHCSDUP control statements as text: verb, operands, line numbers.
//!
//! Statements are free format in columns 1 to 72; `*` in column 1 makes a comment line; `-` or `+` as the last character of a line
//! continues it, but is optional: a statement ends where the next one begins, at a line whose first word is a verb that is not followed by
//! a parenthesis (`ADD GROUP(..)` is a statement, `ADD(YES)` an attribute). Values are in parentheses, which may nest; quotes protect
//! blanks and parentheses. A word in column 1 that is no operand ends the statement before it too: it is a command that is not known. So does a
//! command in column 1 within a value that has no closing parenthesis, which is then at fault alone.

/// One keyword of a statement, with its value if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    pub keyword: String,
    pub value: Option<String>,
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// In full and upper case; as written if it is no command.
    pub verb: String,
    pub operands: Vec<Operand>,
    pub line: usize,
    /// The statement as written, for the listing.
    pub text: Vec<String>,
    /// What is wrong with the text; such a statement is not executed.
    pub fault: Option<SyntaxError>,
}

/// Something wrong with the text itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub line: usize,
    pub message: String,
}

const VERBS: [&str; 18] = [
    "ADD",
    "ALTER",
    "APPEND",
    "COPY",
    "DEFINE",
    "DELETE",
    "EXTRACT",
    "INITIALIZE",
    "LIST",
    "MIGRATE",
    "PROCESS",
    "REMOVE",
    "SCAN",
    "SERVICE",
    "UPGRADE",
    "USERDEFINE",
    "VERIFY",
    "INSTALL",
];

/// Operands without a value, which may begin a line.
const FLAGS: [&str; 7] = ["ALIAS", "ALL", "MERGE", "OBJECTS", "REMOVE", "REPLACE", "SIGSUMM"];

impl Statement {
    pub fn operand(&self, keyword: &str) -> Option<&Operand> {
        self.operands.iter().find(|operand| operand.keyword == keyword)
    }
}

/// The verb a word names: in full, or by three or more of its first letters when only one verb has them.
fn verb(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_uppercase();
    if let Some(exact) = VERBS.iter().find(|verb| **verb == word) {
        return Some(exact);
    }
    let mut matching = VERBS.iter().filter(|verb| word.len() >= 3 && verb.starts_with(&word));
    match (matching.next(), matching.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Columns 73 to 80 of a card image hold a sequence number; longer free text is kept whole.
fn without_sequence(line: &str) -> &str {
    let is_card = line.len() > 72 && line.len() <= 80 && line.is_char_boundary(72);
    if is_card && line[72..].chars().all(|c| c.is_ascii_digit() || c == ' ') { &line[..72] } else { line }
}

/// Splits the input into statements. One with a fault in its text is there too, in its place.
pub fn parse(input: &str) -> Vec<Statement> {
    let mut parser = Parser { statements: Vec::new() };
    let mut value: Option<Value> = None;
    let mut continued = false;
    for (index, raw) in input.lines().enumerate() {
        let line = index + 1;
        let text = without_sequence(raw).trim_end();
        if text.starts_with('*') || text.trim_start().starts_with("/*") || (text.trim().is_empty() && value.is_none()) {
            continue;
        }
        let marked = text.strip_suffix(['-', '+']).filter(|rest| rest.is_empty() || rest.ends_with([' ', ')', ',']));
        if let Some(open) = value.take_if(|_| is_command_line(text)) {
            parser.unclosed(&open);
        }
        value = parser.line(marked.unwrap_or(text), line, value, continued);
        continued = marked.is_some();
    }
    if let Some(value) = value {
        parser.unclosed(&value);
    }
    parser.statements
}

/// A command in column 1, with an operand that has a value: what a value in parentheses hardly contains.
fn is_command_line(text: &str) -> bool {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let first = rest.trim_start();
    let operand = first.find(|c: char| !c.is_ascii_alphanumeric()).map_or("", |end| &first[end..]);
    verb(word).is_some() && (operand.trim_start().starts_with('(') || first.eq_ignore_ascii_case("ALL"))
}

/// A value in parentheses that continues over the end of a line.
struct Value {
    keyword: String,
    text: String,
    depth: usize,
    quote: Option<char>,
    line: usize,
}

struct Parser {
    statements: Vec<Statement>,
}

impl Parser {
    /// The first fault of a statement is the one to correct.
    fn fault(&mut self, line: usize, message: String) {
        if let Some(statement) = self.statements.last_mut() {
            statement.fault.get_or_insert(SyntaxError { line, message });
        }
    }

    fn unclosed(&mut self, value: &Value) {
        self.fault(value.line, format!("the value of {} has no closing parenthesis", value.keyword));
    }

    fn begin(&mut self, verb: &str, line: usize, text: &str) {
        let statement = Statement { verb: verb.to_string(), operands: Vec::new(), line, text: vec![text.to_string()], fault: None };
        self.statements.push(statement);
    }

    fn line(&mut self, text: &str, line: usize, open: Option<Value>, continued: bool) -> Option<Value> {
        let mut rest = text;
        let mut first = open.is_none();
        if let Some(mut value) = open {
            if let Some(statement) = self.statements.last_mut() {
                statement.text.push(text.to_string());
            }
            let continued = text.trim_start();
            if !value.text.ends_with(' ') && value.quote.is_none() && !value.text.is_empty() && value.keyword == "DESCRIPTION" {
                value.text.push(' ');
            }
            rest = consume(&mut value, continued);
            if value.depth > 0 {
                return Some(value);
            }
            self.push_value(value);
        } else if !starts_statement(text) {
            if self.statements.is_empty() || is_unknown_command(text, continued) {
                let word = text.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
                self.begin(&word, line, text);
                self.fault(line, format!("{word} is not a DFHCSDUP command"));
                return None;
            }
            if let Some(statement) = self.statements.last_mut() {
                statement.text.push(text.to_string());
            }
        }
        loop {
            rest = rest.trim_start_matches([' ', ',', '\t']);
            if rest.is_empty() {
                return None;
            }
            let end = rest.find([' ', ',', '(', '\t', ')']).unwrap_or(rest.len());
            if end == 0 {
                self.fault(line, format!("{:?} is not expected here", rest.chars().next().unwrap_or(' ')));
                return None;
            }
            let word = rest[..end].to_ascii_uppercase();
            rest = rest[end..].trim_start();
            if std::mem::take(&mut first)
                && !rest.starts_with('(')
                && let Some(verb) = verb(&word)
            {
                self.begin(verb, line, text);
                continue;
            }
            let Some(after) = rest.strip_prefix('(') else {
                self.push(Operand { keyword: word, value: None, line });
                continue;
            };
            let mut value = Value { keyword: word, text: String::new(), depth: 1, quote: None, line };
            rest = consume(&mut value, after);
            if value.depth > 0 {
                return Some(value);
            }
            self.push_value(value);
        }
    }

    fn push_value(&mut self, value: Value) {
        let text = value.text.trim();
        let quoted = text.len() >= 2 && text.starts_with('\'') && text.ends_with('\'');
        let text = if quoted { text[1..text.len() - 1].replace("''", "'") } else { text.to_string() };
        self.push(Operand { keyword: value.keyword, value: Some(text), line: value.line });
    }

    fn push(&mut self, operand: Operand) {
        if let Some(statement) = self.statements.last_mut() {
            statement.operands.push(operand);
        }
    }
}

/// A word in column 1 that has no value, and is no operand without one: a command that is not known.
fn is_unknown_command(text: &str, continued: bool) -> bool {
    let end = text.find([' ', ',', '(']).unwrap_or(text.len());
    let word = text[..end].to_ascii_uppercase();
    !continued && !word.is_empty() && !text[end..].trim_start().starts_with('(') && !FLAGS.contains(&word.as_str())
}

fn starts_statement(text: &str) -> bool {
    let text = text.trim_start();
    let end = text.find([' ', ',', '(']).unwrap_or(text.len());
    verb(&text[..end]).is_some() && !text[end..].trim_start().starts_with('(')
}

/// Takes the characters of a value from `text`; returns the text after its closing parenthesis.
fn consume<'a>(value: &mut Value, text: &'a str) -> &'a str {
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match value.quote {
            // Two in a row are one of the value, which goes on.
            Some(quote) if c == quote && characters.next_if(|(_, next)| *next == quote).is_some() => value.text.push(c),
            Some(quote) if c == quote => value.quote = None,
            Some(_) => {}
            // A quote opens only at the start of a value: an apostrophe inside DESCRIPTION(TELLER'S MENU) is a character.
            None if c == '\'' && value.text.trim().is_empty() => value.quote = Some(c),
            None if c == '(' => value.depth += 1,
            None if c == ')' => {
                value.depth -= 1;
                if value.depth == 0 {
                    return &text[at + 1..];
                }
            }
            None => {}
        }
        value.text.push(c);
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_continue_over_lines_until_the_next_verb() {
        let text = "* a comment\nDEFINE PROGRAM(P1) GROUP(G)\n       DESCRIPTION('IT''S (ONE)') EXECKEY(CICS)\n\
                    DEF FILE(F) GROUP(G) ADD(YES) -\n  DELETE(YES)\nADD GROUP(G) LIST(L)\nDELETE GROUP(X) REMOVE\nCOPY GROUP(X) TO(Y)\nREPLACE\n";
        let statements = parse(text);
        assert!(statements.iter().all(|statement| statement.fault.is_none()), "{statements:?}");
        let verbs: Vec<&str> = statements.iter().map(|s| s.verb.as_str()).collect();
        assert_eq!(verbs, ["DEFINE", "DEFINE", "ADD", "DELETE", "COPY"]);
        assert_eq!(statements[0].operand("DESCRIPTION").unwrap().value.as_deref(), Some("IT'S (ONE)"));
        assert_eq!(statements[1].operands.len(), 4);
        assert_eq!(statements[1].operand("DELETE").unwrap().value.as_deref(), Some("YES"));
        assert_eq!(statements[3].operand("REMOVE").unwrap().value, None);
        assert!(statements[4].operand("REPLACE").is_some());
    }

    #[test]
    fn parentheses_between_quotes_need_no_partners() {
        for value in ["TELLER'S MENU A)", "(((", "')", "A'", "'", "IT'S (A) )'( "] {
            let written = value.replace('\'', "''");
            let statements = parse(&format!("DEFINE PROGRAM(P) GROUP(G) DESCRIPTION('{written}') EXECKEY(CICS)"));
            assert_eq!(statements[0].fault, None, "{written}");
            assert_eq!(statements[0].operand("DESCRIPTION").unwrap().value.as_deref(), Some(value));
            assert_eq!(statements[0].operands.len(), 4);
        }
    }

    #[test]
    fn attributes_named_like_verbs_may_start_a_line() {
        let statements = parse("DEFINE FILE(A) GROUP(G)\n  ADD(YES) BROWSE(YES)\n  DELETE(YES)\nLIST ALL\n");
        assert_eq!(statements.len(), 2);
        assert_eq!((statements[0].operands.len(), &statements[0].fault), (5, &None));
    }

    #[test]
    fn sequence_numbers_are_dropped_and_open_values_reported() {
        let card = format!("{:<72}00010000", "LIST GROUP(A)");
        assert_eq!(parse(&card)[0].operands.len(), 1);
        let statements = parse("DEFINE PROGRAM(A) GROUP(G)\nDEFINE PROGRAM(P GROUP(G\nDEFINE PROGRAM(B) GROUP(G)\nLIST ALL\n");
        assert_eq!(statements.iter().map(|statement| statement.verb.as_str()).collect::<Vec<_>>(), ["DEFINE", "DEFINE", "DEFINE", "LIST"]);
        let fault = statements[1].fault.as_ref().expect("a fault");
        assert!(fault.line == 2 && fault.message.contains("closing parenthesis") && statements[1].text == ["DEFINE PROGRAM(P GROUP(G"]);
        assert!(statements[0].fault.is_none() && statements[2].fault.is_none());
    }

    #[test]
    fn a_word_that_is_no_command_is_reported_with_its_line() {
        let statements = parse("\nDEFINE PROGRAM(P) GROUP(G)\nDEFNE PROGRAM(P) GROUP(G)\n");
        let fault = statements[1].fault.as_ref().expect("a fault");
        assert!(fault.line == 3 && fault.message.contains("DEFNE") && statements[0].operands.len() == 2, "{statements:?}");
        assert!(parse("DEFNE PROGRAM(P)\n")[0].fault.is_some());
    }
}
