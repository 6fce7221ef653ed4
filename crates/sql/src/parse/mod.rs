//! The parser: recursive descent over the tokens of one statement.
//!
//! Invariants: the parser never moves behind [`TokenKind::End`]; nesting is bounded by [`NESTING_MAX`], so that no text can exhaust the stack;
//! time is linear in the number of tokens, because no choice looks farther ahead than a few tokens.

mod change;
mod cursor;
mod expression;
mod function;
mod merge;
mod predicate;
mod primary;
mod query;
mod session;
mod statement;
mod table;
mod types;

pub(crate) use merge::row_values;

use crate::ast::{Name, Statement, Whenever};
use crate::diagnostic::Diagnostic;
use crate::lexer::{self, Literal, Token, TokenKind};
use crate::options::UnitOptions;
use crate::problem::Problem;
use crate::reference::{HostReference, Role};
use crate::statement::Number;

/// Levels of parentheses, subqueries, CASE and so on that may be nested.
pub const NESTING_MAX: usize = 100;

/// Bytes of an identifier.
const NAME_LENGTH_MAX: usize = 128;

/// One statement, parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    pub(crate) statement: Statement,
    pub(crate) references: Vec<HostReference>,
    /// Offsets of the parameter markers.
    pub(crate) markers: Vec<usize>,
    pub(crate) text: String,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Words that begin or join clauses: they cannot be names unless delimited.
const STRUCTURAL: &[&str] = &[
    "ALL",
    "AND",
    "ANY",
    "AS",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CONCAT",
    "CURRENT",
    "DELETE",
    "DISTINCT",
    "ELSE",
    "EXCEPT",
    "EXISTS",
    "FETCH",
    "FOR",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "IN",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "NOT",
    "NULL",
    "ON",
    "OPTIMIZE",
    "OR",
    "ORDER",
    "OUTER",
    "RIGHT",
    "SELECT",
    "SET",
    "SOME",
    "THEN",
    "UNION",
    "UPDATE",
    "USING",
    "VALUES",
    "WHEN",
    "WHERE",
    "WITH",
];

/// What stands for the end of a statement in messages.
const END_OF_STATEMENT: &str = "<END-OF-STATEMENT>";

/// Words that begin clauses, of which a misspelt one is taken for a name; shorter words are too often names.
const CLAUSES: &[&str] = &["WHERE", "ORDER", "GROUP", "HAVING", "FROM", "INTO", "VALUES", "FETCH", "WITH", "UNION", "INNER"];
const CLAUSE_LENGTH_MIN: usize = 4;

/// Words that may be names but end a table reference or select item that has no AS.
const NOT_ALIASES: &[&str] = &["CROSS", "QUERYNO", "SKIP", "INCLUDE", "OVERRIDING", "END", "MINUS", "LIMIT", "OFFSET"];

pub struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    references: Vec<HostReference>,
    markers: Vec<usize>,
    warnings: Vec<Diagnostic>,
    /// INTO may follow the select list: the subselect is the statement's own.
    into_allowed: bool,
}

/// Parses one static statement, without EXEC SQL and END-EXEC.
pub fn parse(text: &str, options: &UnitOptions) -> Result<Parsed, Vec<Diagnostic>> {
    parse_statement(text, options).map_err(|problem| vec![problem.diagnostic()])
}

/// Parses one statement, static or dynamic.
pub fn parse_statement(text: &str, options: &UnitOptions) -> Result<Parsed, Problem> {
    let tokens = lexer::tokens(text, options)?;
    let mut parser = Parser::new(text, &tokens);
    let statement = parser.statement()?;
    Ok(parser.finish(statement))
}

/// Parses a name that stands alone.
pub fn parse_name(text: &str, options: &UnitOptions) -> Result<Name, Problem> {
    let tokens = lexer::tokens(text, options)?;
    let mut parser = Parser::new(text, &tokens);
    let name = parser.name()?;
    if parser.at_end() { Ok(name) } else { Err(parser.unexpected("<END-OF-NAME>")) }
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token]) -> Parser<'a> {
        assert!(matches!(tokens.last(), Some(Token { kind: TokenKind::End, .. })), "the lexer ends every text");
        Parser { text, tokens, at: 0, depth: 0, references: Vec::new(), markers: Vec::new(), warnings: Vec::new(), into_allowed: false }
    }

    fn finish(self, statement: Statement) -> Parsed {
        Parsed { statement, references: self.references, markers: self.markers, text: self.text.to_string(), warnings: self.warnings }
    }

    /// The current token.
    pub(crate) fn token(&self) -> &'a Token {
        &self.tokens[self.at]
    }

    /// The token `ahead` of the current one.
    pub(crate) fn ahead(&self, ahead: usize) -> &'a Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// The tokens that are left.
    pub(crate) fn rest(&self) -> &'a [Token] {
        &self.tokens[self.at..]
    }

    /// Takes the tokens up to a semicolon, which stays. The end of the text is behind them.
    pub(crate) fn take_statement(&mut self) -> Vec<Token> {
        let begin = self.at;
        while !self.at_end() && !self.at_symbol(";") {
            self.next();
        }
        let mut taken = self.tokens[begin..self.at].to_vec();
        taken.push(Token { kind: TokenKind::End, ..self.token().clone() });
        taken
    }

    pub(crate) fn offset(&self) -> usize {
        self.token().offset
    }

    /// Takes the current token.
    pub(crate) fn next(&mut self) -> &'a Token {
        let token = self.token();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(crate) fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.token().is_word(word)
    }

    /// The next tokens are these words.
    pub(crate) fn at_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(ahead, word)| self.ahead(ahead).is_word(word))
    }

    pub(crate) fn at_symbol(&self, symbol: &str) -> bool {
        self.token().is_symbol(symbol)
    }

    /// Takes the word if it is next.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.next();
        }
        found
    }

    /// Takes these words if they are next.
    pub(crate) fn take_words(&mut self, words: &[&str]) -> bool {
        let found = self.at_words(words);
        if found {
            words.iter().for_each(|_| {
                self.next();
            });
        }
        found
    }

    /// Takes one of the words; `None` if none is next.
    pub(crate) fn take_one(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let word = words.iter().copied().find(|word| self.at_word(word))?;
        self.next();
        Some(word)
    }

    pub(crate) fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn expect(&mut self, word: &str) -> Result<(), Problem> {
        if self.take(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    pub(crate) fn expect_words(&mut self, words: &[&str]) -> Result<(), Problem> {
        words.iter().try_for_each(|word| self.expect(word))
    }

    pub(crate) fn expect_symbol(&mut self, symbol: &str) -> Result<(), Problem> {
        if self.take_symbol(symbol) { Ok(()) } else { Err(self.unexpected(symbol)) }
    }

    /// A statement ends here; a semicolon may follow it.
    pub(crate) fn expect_end(&mut self) -> Result<(), Problem> {
        self.take_symbol(";");
        if self.at_end() { Ok(()) } else { Err(self.unexpected(END_OF_STATEMENT)) }
    }

    /// The current token cannot stand here; `expected` may.
    pub(crate) fn unexpected(&self, expected: &str) -> Problem {
        let token = self.token();
        let found = match &token.kind {
            TokenKind::End => END_OF_STATEMENT.to_string(),
            TokenKind::Literal(Literal::String(_)) => "<STRING>".to_string(),
            _ => self.text[token.offset..token.end].to_uppercase(),
        };
        let problem = Problem::unexpected(token.offset, &found, expected);
        match self.meant(token, expected) {
            Some(near) => problem.explained(format!("{found} is not expected here; did you mean {near}?")),
            None => match self.meant_before() {
                Some((written, near)) => {
                    problem.explained(format!("{found} is not expected here; did you mean {near} instead of {written}?"))
                }
                None => problem,
            },
        }
    }

    /// The word that a misspelt one stands for: one that may stand here, or the beginning of a clause.
    fn meant(&self, token: &Token, expected: &str) -> Option<String> {
        let word = token.word()?;
        let clauses = if expected == END_OF_STATEMENT { CLAUSES } else { &[] };
        let known = expected.split(' ').chain(clauses.iter().copied()).filter(|known| known.bytes().all(|byte| byte.is_ascii_alphabetic()));
        exec::nearest(word, known).filter(|near| *near != word).map(str::to_string)
    }

    /// The word before, taken for a correlation name, was meant to begin a clause.
    fn meant_before(&self) -> Option<(&'a str, &'static str)> {
        let word =
            self.tokens[self.at.checked_sub(1)?].word().filter(|word| word.len() >= CLAUSE_LENGTH_MIN && !STRUCTURAL.contains(word))?;
        let near = exec::nearest(word, CLAUSES.iter().copied())?;
        (near != word).then_some((word, near))
    }

    /// Something else stands where a host variable must: a data item without its colon, most often.
    fn no_host_variable(&self) -> Problem {
        let problem = self.unexpected(":<HOST VARIABLE>");
        if self.token().word().is_none_or(|word| STRUCTURAL.contains(&word)) {
            return problem;
        }
        let rest = &self.text[self.offset()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '#' | '@' | '$')).unwrap_or(rest.len());
        let name = rest[..end].to_uppercase();
        problem.explained(format!("{name} is not a host variable; a data item of the program needs a colon, :{name}"))
    }

    pub(crate) fn unsupported(&self, clause: &str) -> Problem {
        Problem::unsupported(self.offset(), clause)
    }

    /// Runs `part` one level deeper.
    pub(crate) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        if self.depth == NESTING_MAX {
            return Err(Problem::too_complex(self.offset()));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// One or more of `item`, separated by commas.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
        let mut items = vec![item(self)?];
        while self.take_symbol(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// The same in parentheses.
    pub(crate) fn parenthesized<T>(&mut self, item: impl FnMut(&mut Self) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
        self.expect_symbol("(")?;
        let items = self.list(item)?;
        self.expect_symbol(")")?;
        Ok(items)
    }

    /// The current token may be an identifier.
    pub(crate) fn at_identifier(&self) -> bool {
        match &self.token().kind {
            TokenKind::Word(word) => !STRUCTURAL.contains(&word.as_str()),
            TokenKind::Delimited(_) => true,
            _ => false,
        }
    }

    /// The current token may be a correlation name or the name of a column without AS.
    fn at_alias(&self) -> bool {
        let keyword = self.token().word().is_some_and(|word| NOT_ALIASES.contains(&word));
        self.at_identifier() && !keyword
    }

    pub(crate) fn identifier(&mut self) -> Result<String, Problem> {
        if !self.at_identifier() {
            return Err(self.unexpected("<IDENTIFIER>"));
        }
        let token = self.token();
        let name = &self.text[token.offset..token.end];
        if name.len() > NAME_LENGTH_MAX {
            let text = format!("a name has at most {NAME_LENGTH_MAX} bytes");
            return Err(Problem::new(-107, "42622", token.offset, &[name, &NAME_LENGTH_MAX.to_string()], text));
        }
        match &self.next().kind {
            TokenKind::Word(word) => Ok(word.clone()),
            TokenKind::Delimited(name) => Ok(name.clone()),
            _ => unreachable!("at_identifier"),
        }
    }

    /// A name with up to three qualifiers.
    pub(crate) fn name(&mut self) -> Result<Name, Problem> {
        let offset = self.offset();
        let mut parts = vec![self.identifier()?];
        while self.at_symbol(".") && !self.ahead(1).is_symbol("*") {
            self.next();
            parts.push(self.name_part()?);
        }
        if parts.len() > 4 {
            return Err(Problem::new(-108, "42601", offset, &[&parts.join(".")], "the name has too many qualifiers"));
        }
        Ok(Name { offset, parts })
    }

    /// Behind a qualifier even a keyword is a name.
    fn name_part(&mut self) -> Result<String, Problem> {
        match &self.token().kind {
            TokenKind::Word(name) | TokenKind::Delimited(name) => {
                self.next();
                Ok(name.clone())
            }
            _ => Err(self.unexpected("<IDENTIFIER>")),
        }
    }

    /// A name without qualifiers.
    pub(crate) fn simple_name(&mut self) -> Result<Name, Problem> {
        let offset = self.offset();
        Ok(Name { offset, parts: vec![self.identifier()?] })
    }

    /// The name of a cursor or prepared statement: in COBOL it may have hyphens, without blanks around them.
    pub(crate) fn hyphenated_name(&mut self) -> Result<Name, Problem> {
        let mut name = self.simple_name()?;
        loop {
            let hyphen = self.token();
            let part = self.ahead(1);
            let adjacent = self.at > 0 && self.tokens[self.at - 1].end == hyphen.offset && hyphen.end == part.offset;
            let word = matches!(part.kind, TokenKind::Word(_) | TokenKind::Literal(Literal::Integer(_)));
            if !(adjacent && word && hyphen.is_symbol("-")) {
                return Ok(name);
            }
            name.parts[0].push('-');
            name.parts[0].push_str(&self.text[part.offset..part.end].to_uppercase());
            self.next();
            self.next();
        }
    }

    pub(crate) fn integer(&mut self) -> Result<i64, Problem> {
        let negative = self.take_symbol("-");
        if !negative {
            self.take_symbol("+");
        }
        let TokenKind::Literal(Literal::Integer(digits)) = &self.token().kind else {
            return Err(self.unexpected("<INTEGER>"));
        };
        let value: i64 = digits.parse().map_err(|_| self.unexpected("<INTEGER>"))?;
        self.next();
        Ok(if negative { -value } else { value })
    }

    /// An unsigned integer.
    pub(crate) fn unsigned(&mut self) -> Result<u64, Problem> {
        if self.at_symbol("-") || self.at_symbol("+") {
            return Err(self.unexpected("<INTEGER>"));
        }
        Ok(self.integer()? as u64)
    }

    pub(crate) fn string(&mut self) -> Result<String, Problem> {
        match &self.token().kind {
            TokenKind::Literal(Literal::String(text)) => {
                self.next();
                Ok(text.clone())
            }
            _ => Err(self.unexpected("<STRING>")),
        }
    }

    /// A number, or a host variable that holds one.
    pub(crate) fn count(&mut self) -> Result<Number, Problem> {
        match &self.token().kind {
            TokenKind::Host { .. } => Ok(Number::Variable(self.host(Role::In)? as u16)),
            _ => Ok(Number::Literal(self.integer()?)),
        }
    }

    /// A host variable in this role; the result is the index of its reference.
    pub(crate) fn host(&mut self, role: Role) -> Result<usize, Problem> {
        let TokenKind::Host { name, indicator, indicator_offset } = &self.token().kind else {
            return Err(self.no_host_variable());
        };
        let indicator_offset = *indicator_offset;
        let offset = self.next().offset;
        if self.references.len() == usize::from(u16::MAX) {
            return Err(Problem::too_many_variables(offset));
        }
        let (name, indicator) = (name.clone(), indicator.clone());
        self.references.push(HostReference { name, indicator, offset, indicator_offset, role, structure: false, array: false });
        Ok(self.references.len() - 1)
    }

    /// A host variable that may be a structure.
    pub(crate) fn host_or_structure(&mut self, role: Role) -> Result<usize, Problem> {
        let index = self.host(role)?;
        self.references[index].structure = true;
        Ok(index)
    }

    pub(crate) fn marker(&mut self) -> usize {
        assert_eq!(self.token().kind, TokenKind::Marker, "the caller has seen the marker");
        let offset = self.next().offset;
        self.markers.push(offset);
        self.markers.len() - 1
    }

    /// References from here on may be host variable arrays.
    pub(crate) fn arrays_since(&mut self, first: usize) {
        self.references[first..].iter_mut().for_each(|reference| reference.array = true);
    }

    pub(crate) fn reference_count(&self) -> usize {
        self.references.len()
    }

    pub(crate) fn references_mut(&mut self) -> &mut [HostReference] {
        &mut self.references
    }

    pub(crate) fn text_between(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    pub(crate) fn warn(&mut self, offset: usize, text: &str) {
        self.warnings.push(Diagnostic::warning(offset, text));
    }
}

impl Parsed {
    /// What WHENEVER says.
    pub fn whenever(&self) -> Option<Whenever> {
        match &self.statement {
            Statement::Whenever(whenever) => Some(whenever.clone()),
            _ => None,
        }
    }

    /// DECLARE, WHENEVER, INCLUDE, BEGIN and END DECLARE SECTION: no code.
    pub fn is_declarative(&self) -> bool {
        use Statement::*;
        matches!(self.statement, DeclareCursor(_) | DeclareTable { .. } | Declaration(_) | Whenever(_))
    }

    /// The member that INCLUDE names.
    pub fn included(&self) -> Option<&str> {
        match &self.statement {
            Statement::Declaration(crate::ast::Declaration::Include(member)) => Some(member),
            _ => None,
        }
    }
}
