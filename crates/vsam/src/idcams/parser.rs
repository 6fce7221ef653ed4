//! The parser of IDCAMS control statements, from tokens to statements.
//!
//! Rules: `IF cond THEN statement ELSE statement`, nested to at most ten levels; `DO ... END`, `SET`, `PARM`. Invariant: a statement that
//! cannot be parsed is reported and skipped up to the end of its command; the rest is still parsed.

use super::lexer::{Token, Tokens};

/// Maximum nesting of IF commands.
const NESTED_MAX: usize = 10;
/// Parentheses in each other; no command has so many, and the stack of the parser stays bounded.
const PARENTHESES_MAX: usize = 100;

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

/// Parses statements from tokens.
pub(crate) struct Parser {
    tokens: Vec<Token>,
    lines: Vec<usize>,
    at: usize,
    /// IF commands around this place.
    nested: usize,
    /// Parentheses open at this place.
    open: usize,
}

impl Parser {
    pub(crate) fn new(Tokens { tokens, lines }: Tokens) -> Parser {
        Parser { tokens, lines, at: 0, nested: 0, open: 0 }
    }

    /// How many lines of the text have been read.
    pub(crate) fn lines_read(&self) -> usize {
        self.at.checked_sub(1).and_then(|last| self.lines.get(last.min(self.lines.len().saturating_sub(1)))).copied().unwrap_or(0)
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
            Some(Token::Bad(message)) => return Err(message),
            _ => return Err("IDC3200I A COMMAND VERB IS EXPECTED".into()),
        };
        match verb.as_str() {
            "IF" => {
                self.nested += 1;
                let condition = self.condition();
                self.nested -= 1;
                condition
            }
            "SET" => self.set(),
            "DO" => {
                let body = self.group();
                // A group by itself is an IF that is always true.
                let number = 0;
                Ok(Statement::If { code: Code::Max, comparison: Comparison::GreaterOrEqual, number, then: body, otherwise: Vec::new() })
            }
            "ELSE" | "END" | "THEN" => Err(format!("IDC3205I {verb} WITHOUT IF OR DO")),
            _ => {
                self.open = 0;
                Ok(Statement::Command(Command { verb, parameters: self.parameters(false)? }))
            }
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
                    self.open += 1;
                    if self.open > PARENTHESES_MAX {
                        return Err(format!("IDC3203I ITEM '(' DOES NOT ADHERE TO RESTRICTIONS: {PARENTHESES_MAX} MAY LIE IN EACH OTHER"));
                    }
                    let arguments = self.parameters(true)?;
                    self.open -= 1;
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
                Some(Token::Bad(message)) => return Err(message),
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
        if self.nested > NESTED_MAX {
            return Err(format!("IDC3203I ITEM 'IF' DOES NOT ADHERE TO RESTRICTIONS: {NESTED_MAX} MAY LIE IN EACH OTHER"));
        }
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
    use super::super::lexer::tokens;
    use super::*;

    fn parse(text: &str) -> Vec<Statement> {
        let mut parser = Parser::new(tokens(text));
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
    fn parentheses_nest_at_n_and_no_deeper() {
        let nested = |depth: usize| parse(&format!(" DELETE {}A{}\n DELETE B\n", "(-\n".repeat(depth), ")-\n".repeat(depth)));
        assert!(matches!(nested(PARENTHESES_MAX)[..], [Statement::Command(_), Statement::Command(_)]));
        for depth in [PARENTHESES_MAX + 1, 100_000] {
            let statements = nested(depth);
            assert!(matches!(&statements[0], Statement::Bad(text) if text.starts_with("IDC3203I")), "{statements:?}");
        }
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

    /// The manual's example: everything after a semicolon is ignored, including its continuation lines.
    #[test]
    fn a_semicolon_ends_a_command_and_its_line() {
        let statements =
            parse(" PARM TEST(TRACE); PARM -\n GRAPHICS(CHAIN(TN))/*COMMENT*/ -\n PRINT IDS(A)\n REPRO IDS(A;B)\n DELETE ';'\n");
        assert_eq!(statements.len(), 3, "{statements:?}");
        assert_eq!((command(&statements[0]).verb.as_str(), command(&statements[0]).parameters.len()), ("PARM", 1));
        assert!(matches!(&statements[1], Statement::Bad(message) if message.starts_with("IDC3208I")));
        assert_eq!(command(&statements[2]).parameters[0].value, Value::Text(";".into()));
    }

    #[test]
    fn unreadable_text_fails_only_its_command() {
        let statements = parse(" DELETE A\n DELETE 'B\n DELETE X'F'\n DELETE C\n DELETE D /* no end\n DELETE E\n");
        let messages = statements.iter().map(|statement| match statement {
            Statement::Bad(message) => &message[..8],
            other => command(other).parameters[0].word(),
        });
        assert_eq!(messages.collect::<Vec<_>>(), ["A", "IDC3207I", "IDC3213I", "C", "IDC3203I"]);
    }

    #[test]
    fn ten_conditions_lie_in_each_other() {
        let nested = |levels: usize| format!("{} SET MAXCC = 3\n SET MAXCC = 0\n", " IF MAXCC = 0 THEN".repeat(levels));
        assert!(matches!(parse(&nested(10))[..], [Statement::If { .. }, Statement::Set { number: 0, .. }]));
        assert!(matches!(&parse(&nested(11))[..], [Statement::Bad(_), Statement::Set { number: 0, .. }]));
        // One after the other they are not nested.
        assert_eq!(parse(&" IF MAXCC = 0 THEN\n".repeat(20)).len(), 20);
    }

    #[test]
    fn lines_read_are_those_of_the_statements_so_far() {
        let mut parser = Parser::new(tokens(
            " SET MAXCC=0\n\n DELETE -\n /* of\n two lines */ -\n A\n/* a comment\n */ SET MAXCC=1\n IF MAXCC=0 THEN DO\n END\n",
        ));
        let lines = std::iter::from_fn(|| parser.statement().map(|_| parser.lines_read()));
        assert_eq!(lines.collect::<Vec<_>>(), [1, 6, 8, 10]);
    }
}
