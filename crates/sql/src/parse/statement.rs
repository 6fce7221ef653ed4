//! Statements by their first word, and declarations.

use super::Parser;
use crate::ast::{Body, Declaration, Statement, TableColumn, Whenever, WheneverCondition};
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;
use crate::reference::Role;

/// Statements that define objects or privileges: their clauses are those of the translator of definitions.
const DEFINITIONS: &[&str] =
    &["CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "COMMENT", "LABEL", "RENAME", "REFRESH", "EXCHANGE", "TRANSFER"];

/// What a statement may begin with, for messages.
const FIRST_WORDS: &str = "SELECT INSERT UPDATE DELETE MERGE DECLARE OPEN FETCH CLOSE SET VALUES COMMIT ROLLBACK";
/// The rest of them, for misspelt ones.
const OTHER_FIRST_WORDS: &str = "WITH TRUNCATE LOCK CALL PREPARE EXECUTE DESCRIBE ALLOCATE ASSOCIATE FREE HOLD SAVEPOINT RELEASE CONNECT GET \
                                 WHENEVER INCLUDE BEGIN END EXPLAIN CREATE ALTER DROP GRANT REVOKE COMMENT LABEL RENAME";

impl Parser<'_> {
    /// A whole statement.
    pub fn statement(&mut self) -> Result<Statement, Problem> {
        let statement = self.statement_by_word()?;
        if !matches!(statement, Statement::Definition { .. }) {
            self.expect_end()?;
        }
        Ok(statement)
    }

    /// A statement in the body of a routine: what follows is the routine's.
    pub(crate) fn inner_statement(&mut self) -> Result<Statement, Problem> {
        self.statement_by_word()
    }

    fn statement_by_word(&mut self) -> Result<Statement, Problem> {
        if self.at_symbol("(") {
            return self.select();
        }
        let Some(word) = self.token().word() else { return Err(self.unexpected(FIRST_WORDS)) };
        match word {
            "SELECT" | "WITH" => self.select(),
            "VALUES" => self.values_into(),
            "SET" => self.set(),
            "INSERT" => self.insert(),
            "UPDATE" => self.update(),
            "DELETE" => self.delete(),
            "MERGE" => self.merge(),
            "TRUNCATE" => self.truncate(),
            "LOCK" => self.lock_table(),
            "CALL" => self.call_procedure(),
            "DECLARE" => self.declare(),
            "OPEN" => self.open(),
            "FETCH" => self.fetch(),
            "CLOSE" => {
                self.next();
                Ok(Statement::Close { cursor: self.hyphenated_name()? })
            }
            "PREPARE" => self.prepare(),
            "EXECUTE" => self.execute(),
            "DESCRIBE" => self.describe(),
            "ALLOCATE" => self.allocate(),
            "ASSOCIATE" => self.associate(),
            "FREE" | "HOLD" => self.locators(),
            "COMMIT" => self.commit(),
            "ROLLBACK" => self.rollback(),
            "SAVEPOINT" => self.savepoint(),
            "RELEASE" => self.release(),
            "CONNECT" => self.connect(),
            "GET" => self.get_diagnostics(),
            "WHENEVER" => self.whenever(),
            "INCLUDE" => self.include(),
            "BEGIN" | "END" => self.section(),
            "EXPLAIN" => Ok(self.no_effect("EXPLAIN has no effect: the access paths are those of the server")),
            "SIGNAL" | "RESIGNAL" => Err(self.unsupported(word)),
            _ if DEFINITIONS.contains(&word) => Ok(Statement::Definition { verb: word.to_string() }),
            _ => Err(self.not_a_statement(word)),
        }
    }

    fn not_a_statement(&self, word: &str) -> Problem {
        let problem = self.unexpected(FIRST_WORDS);
        match exec::nearest(word, FIRST_WORDS.split(' ').chain(OTHER_FIRST_WORDS.split(' '))) {
            Some(near) => problem.explained(format!("{word} is not an SQL statement; did you mean {near}?")),
            None => problem,
        }
    }

    /// The rest of the statement is not looked at.
    fn no_effect(&mut self, reason: &str) -> Statement {
        while !self.at_end() {
            if matches!(self.token().kind, TokenKind::Host { .. }) {
                let _ = self.host(Role::In);
            } else {
                self.next();
            }
        }
        Statement::NoEffect { reason: reason.to_string() }
    }

    fn select(&mut self) -> Result<Statement, Problem> {
        self.into_allowed = true;
        let query = Box::new(self.query()?);
        self.into_allowed = false;
        match &query.body {
            Body::Select(select) if !select.into.is_empty() => Ok(Statement::SelectInto(query)),
            Body::Set { first, .. } if matches!(&**first, Body::Select(select) if !select.into.is_empty()) => {
                Err(Problem::unexpected(query.offset, "UNION", "<END-OF-STATEMENT>"))
            }
            _ => Ok(Statement::Select(query)),
        }
    }

    /// DECLARE CURSOR, TABLE, STATEMENT, VARIABLE, GLOBAL TEMPORARY TABLE.
    fn declare(&mut self) -> Result<Statement, Problem> {
        if self.ahead(1).is_word("GLOBAL") && self.ahead(2).is_word("TEMPORARY") {
            return Ok(Statement::Definition { verb: "DECLARE".to_string() });
        }
        self.next();
        if matches!(self.token().kind, TokenKind::Host { .. }) {
            return self.declare_variable();
        }
        let mut ahead = 1;
        while self.ahead(ahead).is_symbol(".") || self.ahead(ahead).is_symbol("-") {
            ahead += 2;
        }
        if self.ahead(ahead).is_word("TABLE") {
            return self.declare_table();
        }
        if self.ahead(ahead).is_word("STATEMENT") || self.ahead(ahead).is_symbol(",") {
            let names = self.list(Self::hyphenated_name)?;
            self.expect("STATEMENT")?;
            return Ok(Statement::Declaration(Declaration::Statements(names)));
        }
        self.declare_cursor()
    }

    /// DECLARE :a, :b VARIABLE CCSID ... or FOR BIT DATA.
    fn declare_variable(&mut self) -> Result<Statement, Problem> {
        self.list(|parser| parser.host_or_structure(Role::In))?;
        self.expect("VARIABLE")?;
        if self.take("CCSID") && self.take_one(&["EBCDIC", "ASCII", "UNICODE"]).is_none() {
            self.unsigned()?;
        }
        self.take_words(&["FOR", "BIT", "DATA"]);
        self.take_words(&["FOR", "MIXED", "DATA"]);
        self.take_words(&["FOR", "SBCS", "DATA"]);
        Ok(Statement::Declaration(Declaration::Variables))
    }

    fn declare_table(&mut self) -> Result<Statement, Problem> {
        let table = self.name()?;
        self.expect("TABLE")?;
        let columns = self.parenthesized(|parser| {
            let name = parser.simple_name()?;
            let data_type = parser.data_type()?;
            let (mut not_null, mut with_default) = (false, false);
            loop {
                if parser.take_words(&["NOT", "NULL"]) {
                    not_null = true;
                } else if parser.take_words(&["WITH", "DEFAULT"]) || parser.take("DEFAULT") {
                    with_default = true;
                    if !parser.at_symbol(",") && !parser.at_symbol(")") && !parser.at_word("NOT") {
                        parser.value()?;
                    }
                } else {
                    break;
                }
            }
            Ok(TableColumn { name, data_type, not_null, with_default })
        })?;
        Ok(Statement::DeclareTable { table, columns })
    }

    fn whenever(&mut self) -> Result<Statement, Problem> {
        self.expect("WHENEVER")?;
        let condition = match self.take_one(&["NOT", "SQLERROR", "SQLWARNING"]) {
            Some("NOT") => {
                self.expect("FOUND")?;
                WheneverCondition::NotFound
            }
            Some("SQLERROR") => WheneverCondition::SqlError,
            Some(_) => WheneverCondition::SqlWarning,
            None => return Err(self.unexpected("NOT FOUND SQLERROR SQLWARNING")),
        };
        if self.take("CONTINUE") {
            return Ok(Statement::Whenever(Whenever { condition, go_to: None }));
        }
        if !self.take("GOTO") {
            self.expect_words(&["GO", "TO"])?;
        }
        Ok(Statement::Whenever(Whenever { condition, go_to: Some(self.label()?) }))
    }

    /// A paragraph or label of the program, with or without a colon; its name may have hyphens and may begin with a digit.
    fn label(&mut self) -> Result<String, Problem> {
        if let TokenKind::Host { name, .. } = &self.token().kind {
            self.next();
            return Ok(name.join("."));
        }
        let start = self.offset();
        let mut end = start;
        while !self.at_end() && !self.at_symbol(";") && (end == start || self.offset() == end) {
            end = self.next().end;
        }
        if end == start {
            return Err(self.unexpected("<LABEL>"));
        }
        Ok(self.text_between(start, end).to_uppercase())
    }

    /// INCLUDE SQLCA, SQLDA or a member.
    fn include(&mut self) -> Result<Statement, Problem> {
        self.expect("INCLUDE")?;
        let member = match &self.token().kind {
            TokenKind::Literal(Literal::String(text)) => {
                self.next();
                text.clone()
            }
            _ => self.identifier()?,
        };
        Ok(Statement::Declaration(Declaration::Include(member)))
    }

    /// BEGIN DECLARE SECTION, END DECLARE SECTION.
    fn section(&mut self) -> Result<Statement, Problem> {
        let begin = self.next().is_word("BEGIN");
        self.expect_words(&["DECLARE", "SECTION"])?;
        Ok(Statement::Declaration(Declaration::Section { begin }))
    }
}
