//! IDCAMS control statements: lines to tokens, tokens to statements.
//!
//! Rules: a sequence number in columns 73 to 80 does not count, longer lines may be used; a hyphen at the end of a line
//! continues the command, a plus sign continues the value; comments are `/* */`; blanks and commas separate; `IF cond THEN
//! statement ELSE statement`, `DO ... END`, `SET`, `PARM`. Invariant: a statement that cannot be parsed is reported and skipped
//! up to the end of its command; the rest is still read.

/// Last column before a sequence number.
const RIGHT_MARGIN: usize = 72;
const CARD_LENGTH: usize = 80;

/// The line without a sequence number (at least five digits, nothing else) in columns 73 to 80.
fn without_sequence_number(line: &str) -> &str {
    let line = line.trim_end();
    let Some((margin, _)) = line.char_indices().nth(RIGHT_MARGIN) else { return line };
    let number = line[margin..].trim();
    let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && line.chars().count() <= CARD_LENGTH { &line[..margin] } else { line }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    /// 'text' or C'text'.
    Text(String),
    /// X'hex', or the number B'binary'.
    Hex(Vec<u8>),
    Open,
    Close,
    /// = > < ^ and the not sign, of conditions.
    Operator(String),
    EndOfCommand,
}

/// A parameter: a keyword or value, perhaps with its own parameters in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub value: Value,
    pub arguments: Option<Vec<Parameter>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Word(String),
    Text(String),
    Hex(Vec<u8>),
}

impl Parameter {
    /// The word in upper case (empty for quoted values).
    pub(crate) fn word(&self) -> &str {
        match &self.value {
            Value::Word(word) => word,
            _ => "",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub verb: String,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Last,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Command(Command),
    If {
        code: Code,
        comparison: Comparison,
        number: u32,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Set {
        code: Code,
        number: u32,
    },
    /// A statement that cannot be parsed, with the message.
    Bad(String),
}

/// Joins continued lines and splits them into tokens.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    for line in logical_lines(text) {
        let before = tokens.len();
        line_tokens(&line, &mut tokens)?;
        if tokens.len() > before {
            tokens.push(Token::EndOfCommand);
        }
    }
    Ok(tokens)
}

fn strip_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        let at_line_start = start == 0 || rest.as_bytes()[start - 1] == b'\n';
        let Some(length) = rest[start + 2..].find("*/") else {
            // The end of in-stream data, or an unclosed comment: nothing follows either way.
            out.push_str(&rest[..start]);
            return out;
        };
        let end = start + 2 + length + 2;
        let line_end = rest[start..].find('\n').map_or(rest.len(), |position| start + position);
        if at_line_start && rest[start + 2..line_end].trim().is_empty() && end > line_end {
            out.push_str(&rest[..start]);
            return out;
        }
        out.push_str(&rest[..start]);
        out.push(' ');
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// The columns of PARM MARGINS(left right), if the line has it.
fn margins(line: &str) -> Option<(usize, usize)> {
    let upper = line.to_ascii_uppercase();
    let (_, rest) = upper.split_once("MARG")?;
    let (_, rest) = rest.split_once('(')?;
    let (columns, _) = rest.split_once(')')?;
    let mut columns = columns.split([' ', ',']).filter(|column| !column.is_empty()).map(str::parse);
    match (columns.next()?, columns.next()?) {
        (Ok(left @ 1..), Ok(right)) if left <= right => Some((left, right)),
        _ => None,
    }
}

/// The lines as far as they lie within the margins: those of PARM, which hold from the next line on, or everything but sequence numbers.
fn within_margins(text: &str) -> Vec<&str> {
    let mut held: Option<(usize, usize)> = None;
    let mut in_parm = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let column = |number: usize| line.char_indices().nth(number).map_or(line.len(), |(at, _)| at);
        let part = match held {
            Some((left, right)) => line[column(left - 1)..column(right)].trim_end(),
            None => without_sequence_number(line),
        };
        let begins = part.split([' ', '(']).find(|word| !word.is_empty()).is_some_and(|word| word.eq_ignore_ascii_case("PARM"));
        in_parm = begins || in_parm && lines.last().is_some_and(|before: &&str| before.ends_with(['-', '+']));
        if in_parm {
            held = margins(part).or(held);
        }
        lines.push(part);
    }
    lines
}

fn logical_lines(text: &str) -> Vec<String> {
    let cut = within_margins(text);
    let text = strip_comments(&cut.join("\n"));
    let mut lines = Vec::new();
    let mut current = String::new();
    let mut joining = false;
    for line in text.lines() {
        let line = line.trim_end();
        let part = if joining { line.trim_start() } else { line };
        joining = false;
        if let Some(head) = part.strip_suffix('-') {
            current.push_str(head);
            current.push(' ');
        } else if let Some(head) = part.strip_suffix('+') {
            current.push_str(head);
            joining = true;
        } else {
            current.push_str(part);
            lines.push(std::mem::take(&mut current));
        }
    }
    lines.push(current);
    lines
}

fn line_tokens(line: &str, tokens: &mut Vec<Token>) -> Result<(), String> {
    let characters: Vec<char> = line.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let character = characters[at];
        match character {
            ' ' | ',' | '\t' | ';' => at += 1,
            '(' | ')' => {
                tokens.push(if character == '(' { Token::Open } else { Token::Close });
                at += 1;
            }
            '\'' => at = quoted(&characters, at, None, tokens)?,
            '=' | '>' | '<' | '^' | '\u{AC}' => {
                let mut operator = String::from(character);
                at += 1;
                if let Some('=' | '>' | '<') = characters.get(at) {
                    operator.push(characters[at]);
                    at += 1;
                }
                tokens.push(Token::Operator(operator));
            }
            _ => {
                let start = at;
                while at < characters.len() && !" ,\t;()'=><^\u{AC}".contains(characters[at]) {
                    at += 1;
                }
                let word: String = characters[start..at].iter().collect::<String>().to_uppercase();
                if characters.get(at) == Some(&'\'') && ["X", "B", "C"].contains(&word.as_str()) {
                    at = quoted(&characters, at, Some(&word), tokens)?;
                } else {
                    tokens.push(Token::Word(word));
                }
            }
        }
    }
    Ok(())
}

/// Reads a quoted value from its first quote on; two quotes stand for one.
fn quoted(characters: &[char], at: usize, prefix: Option<&str>, tokens: &mut Vec<Token>) -> Result<usize, String> {
    let mut text = String::new();
    let mut at = at + 1;
    loop {
        match (characters.get(at), characters.get(at + 1)) {
            (None, _) => return Err("IDC3207I MISSING QUOTE AT THE END OF A VALUE".into()),
            (Some('\''), Some('\'')) => {
                text.push('\'');
                at += 2;
            }
            (Some('\''), _) => break,
            (Some(character), _) => {
                text.push(*character);
                at += 1;
            }
        }
    }
    if prefix == Some("X") {
        let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0).ok_or("IDC3213I IMPROPER HEXADECIMAL VALUE")?;
        tokens.push(Token::Hex(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()));
    } else if prefix == Some("B") {
        let number = u32::from_str_radix(&text, 2).map_err(|_| "IDC3213I IMPROPER BINARY VALUE")?;
        tokens.push(Token::Hex(number.to_be_bytes().to_vec()));
    } else {
        tokens.push(Token::Text(text));
    }
    Ok(at + 1)
}

/// Parses statements from tokens.
pub(crate) struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    pub(crate) fn new(tokens: Vec<Token>) -> Parser {
        Parser { tokens, at: 0 }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn skip_ends(&mut self) {
        while self.peek() == Some(&Token::EndOfCommand) {
            self.at += 1;
        }
    }

    fn skip_command(&mut self) {
        while self.peek().is_some_and(|token| *token != Token::EndOfCommand) {
            self.at += 1;
        }
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(other)) if other == word)
    }

    /// The next statement, or `None` at the end of input.
    pub(crate) fn statement(&mut self) -> Option<Statement> {
        self.skip_ends();
        self.peek()?;
        Some(self.any_statement().unwrap_or_else(|message| {
            self.skip_command();
            Statement::Bad(message)
        }))
    }

    fn any_statement(&mut self) -> Result<Statement, String> {
        let verb = match self.take() {
            Some(Token::Word(word)) => word,
            _ => return Err("IDC3200I A COMMAND VERB IS EXPECTED".into()),
        };
        match verb.as_str() {
            "IF" => self.condition(),
            "SET" => self.set(),
            "DO" => {
                let body = self.group();
                // A group by itself is an IF that always holds.
                let number = 0;
                Ok(Statement::If { code: Code::Max, comparison: Comparison::GreaterOrEqual, number, then: body, otherwise: Vec::new() })
            }
            "ELSE" | "END" | "THEN" => Err(format!("IDC3205I {verb} WITHOUT IF OR DO")),
            _ => Ok(Statement::Command(Command { verb, parameters: self.parameters(false)? })),
        }
    }

    fn parameters(&mut self, nested: bool) -> Result<Vec<Parameter>, String> {
        let mut parameters: Vec<Parameter> = Vec::new();
        loop {
            let value = match self.peek().cloned() {
                Some(Token::Close) if nested => {
                    self.at += 1;
                    return Ok(parameters);
                }
                Some(Token::Close) => return Err("IDC3214I ')' WITHOUT '('".into()),
                None | Some(Token::EndOfCommand) if nested => return Err("IDC3208I MISSING RIGHT PARENTHESIS".into()),
                None | Some(Token::EndOfCommand) => return Ok(parameters),
                // A THEN clause ends where ELSE or END follows on the same line.
                Some(Token::Word(word)) if !nested && (word == "ELSE" || word == "END") => return Ok(parameters),
                Some(Token::Open) => {
                    self.at += 1;
                    let arguments = self.parameters(true)?;
                    // Parentheses after a keyword are its own; standing alone they group values without keyword.
                    match parameters.last_mut() {
                        Some(last) if last.arguments.is_none() => last.arguments = Some(arguments),
                        _ => {
                            let value = Value::Word(String::new());
                            parameters.push(Parameter { value, arguments: Some(arguments) });
                        }
                    }
                    continue;
                }
                Some(Token::Word(word)) => Value::Word(word),
                Some(Token::Text(text)) => Value::Text(text),
                Some(Token::Hex(bytes)) => Value::Hex(bytes),
                Some(Token::Operator(operator)) => return Err(format!("IDC3211I '{operator}' IS IMPROPER")),
            };
            self.at += 1;
            parameters.push(Parameter { value, arguments: None });
        }
    }

    fn code(&mut self) -> Result<Code, String> {
        match self.take() {
            Some(Token::Word(word)) if word == "LASTCC" => Ok(Code::Last),
            Some(Token::Word(word)) if word == "MAXCC" => Ok(Code::Max),
            _ => Err("IDC3220I LASTCC OR MAXCC IS EXPECTED".into()),
        }
    }

    fn number(&mut self) -> Result<u32, String> {
        match self.take() {
            Some(Token::Word(word)) => word.parse().map_err(|_| "IDC3218I IMPROPER NUMERIC FIELD".to_string()),
            _ => Err("IDC3218I IMPROPER NUMERIC FIELD".into()),
        }
    }

    fn set(&mut self) -> Result<Statement, String> {
        let code = self.code()?;
        match self.take() {
            Some(Token::Operator(operator)) if operator == "=" => {}
            Some(Token::Word(word)) if word == "EQ" => {}
            _ => return Err("IDC3221I = IS EXPECTED".into()),
        }
        Ok(Statement::Set { code, number: self.number()? })
    }

    fn condition(&mut self) -> Result<Statement, String> {
        let code = self.code()?;
        let operator = match self.take() {
            Some(Token::Operator(operator)) => operator,
            Some(Token::Word(word)) => word,
            _ => String::new(),
        };
        let comparison = match operator.as_str() {
            "=" | "EQ" => Comparison::Equal,
            "^=" | "\u{AC}=" | "<>" | "NE" => Comparison::NotEqual,
            ">" | "GT" => Comparison::Greater,
            ">=" | "GE" | "^<" | "\u{AC}<" => Comparison::GreaterOrEqual,
            "<" | "LT" => Comparison::Less,
            "<=" | "LE" | "^>" | "\u{AC}>" => Comparison::LessOrEqual,
            _ => return Err("IDC3221I A COMPARISON OPERATOR IS EXPECTED".into()),
        };
        let number = self.number()?;
        self.skip_ends();
        if !self.at_word("THEN") {
            return Err("IDC3222I THEN IS EXPECTED".into());
        }
        self.at += 1;
        let then = self.clause()?;
        let mark = self.at;
        self.skip_ends();
        let otherwise = if self.at_word("ELSE") {
            self.at += 1;
            self.clause()?
        } else {
            self.at = mark;
            Vec::new()
        };
        Ok(Statement::If { code, comparison, number, then, otherwise })
    }

    /// The statement after THEN or ELSE: none at the end of the line, or one, or a DO group.
    fn clause(&mut self) -> Result<Vec<Statement>, String> {
        if matches!(self.peek(), None | Some(Token::EndOfCommand)) || self.at_word("ELSE") {
            return Ok(Vec::new());
        }
        if self.at_word("DO") {
            self.at += 1;
            return Ok(self.group());
        }
        Ok(vec![self.any_statement()?])
    }

    fn group(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        loop {
            self.skip_ends();
            if self.at_word("END") {
                self.at += 1;
                return body;
            }
            match self.statement() {
                Some(statement) => body.push(statement),
                None => return body,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Vec<Statement> {
        let mut parser = Parser::new(tokens(text).unwrap());
        std::iter::from_fn(|| parser.statement()).collect()
    }

    fn command(statement: &Statement) -> &Command {
        match statement {
            Statement::Command(command) => command,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn continuations_comments_and_sequence_numbers() {
        let statements = parse(concat!(
            "  DELETE A.B.C -   /* comment, */                                       00010000\n",
            "         CLUSTER\n",
            "/* a comment\n over lines */\n",
            " REPRO INFILE(IN,ENV(X)) OUTDATA+\n   SET(A.B)\n",
            " SET MAXCC = 0\n",
            "/*\n"
        ));
        assert_eq!(command(&statements[0]).verb, "DELETE");
        assert_eq!(command(&statements[0]).parameters.len(), 2);
        let repro = command(&statements[1]);
        assert_eq!(repro.parameters[1].word(), "OUTDATASET");
        assert_eq!(repro.parameters[0].arguments.as_ref().unwrap().len(), 2);
        assert_eq!(statements[2], Statement::Set { code: Code::Max, number: 0 });
        assert_eq!(statements.len(), 3);
    }

    #[test]
    fn conditions_with_groups_and_else() {
        let statements = parse(
            " IF LASTCC=12 THEN SET MAXCC=0\n IF MAXCC ^= 8 -\n THEN DO\n DELETE A\n DELETE B\n END\n\
             ELSE -\n DELETE C\n IF LASTCC LE 4 THEN\n",
        );
        assert_eq!(statements.len(), 3);
        let Statement::If { comparison, number, then, otherwise, .. } = &statements[1] else { panic!() };
        assert_eq!((*comparison, *number, then.len(), otherwise.len()), (Comparison::NotEqual, 8, 2, 1));
        assert!(matches!(&statements[2], Statement::If { then, .. } if then.is_empty()));
    }

    #[test]
    fn margins_hold_behind_the_parm_that_sets_them() {
        let statements = parse(" PARM -\n  MARGINS(3 13)\nxx DELETE A -any text\n1   B.CDEF   00017\n2  DELETE C  00018\n");
        assert_eq!(command(&statements[1]).parameters[1].word(), "B.CDEF");
        assert_eq!(command(&statements[2]).parameters[0].word(), "C");
        assert_eq!((statements.len(), command(&statements[2]).parameters.len()), (3, 1));
    }

    #[test]
    fn quoted_and_hexadecimal_values() {
        let statements = parse(" PRINT IDS('A.B') FROMKEY('IT''S') TOKEY(X'00ff')\n");
        let parameters = &command(&statements[0]).parameters;
        assert_eq!(parameters[1].arguments.as_ref().unwrap()[0].value, Value::Text("IT'S".into()));
        assert_eq!(parameters[2].arguments.as_ref().unwrap()[0].value, Value::Hex(vec![0, 255]));
    }

    #[test]
    fn a_bad_statement_does_not_hide_the_next() {
        let statements = parse(" DELETE (A\n IF X THEN\n DELETE B\n");
        assert!(matches!(&statements[0], Statement::Bad(message) if message.starts_with("IDC3208I")));
        assert!(matches!(&statements[1], Statement::Bad(_)));
        assert_eq!(command(statements.last().unwrap()).parameters[0].word(), "B");
    }
}
