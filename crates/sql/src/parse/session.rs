//! Units of work, connections, special registers, diagnostics.

use super::Parser;
use crate::ast::{Diagnosed, Expression, ExpressionKind, Source, Statement};
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;
use crate::reference::Role;
use crate::registers::{CURRENT_REGISTERS, canonical};

impl Parser<'_> {
    pub(super) fn commit(&mut self) -> Result<Statement, Problem> {
        self.expect("COMMIT")?;
        self.take("WORK");
        Ok(Statement::Commit)
    }

    pub(super) fn rollback(&mut self) -> Result<Statement, Problem> {
        self.expect("ROLLBACK")?;
        self.take("WORK");
        if !self.take("TO") {
            return Ok(Statement::Rollback { savepoint: None });
        }
        self.expect("SAVEPOINT")?;
        let name = if self.at_identifier() { Some(self.simple_name()?) } else { None };
        Ok(Statement::Rollback { savepoint: Some(name) })
    }

    pub(super) fn savepoint(&mut self) -> Result<Statement, Problem> {
        self.expect("SAVEPOINT")?;
        let name = self.simple_name()?;
        let mut unique = self.take("UNIQUE");
        let mut retained = false;
        while self.take_words(&["ON", "ROLLBACK", "RETAIN"]) {
            if self.take_one(&["CURSORS", "LOCKS"]).is_none() {
                return Err(self.unexpected("CURSORS LOCKS"));
            }
            retained = true;
            unique |= self.take("UNIQUE");
        }
        if !retained {
            return Err(self.unexpected("ON ROLLBACK RETAIN CURSORS"));
        }
        Ok(Statement::Savepoint { name, unique })
    }

    /// RELEASE [TO] SAVEPOINT name, RELEASE server.
    pub(super) fn release(&mut self) -> Result<Statement, Problem> {
        self.expect("RELEASE")?;
        self.take("TO");
        if self.take("SAVEPOINT") {
            return Ok(Statement::ReleaseSavepoint { name: self.simple_name()? });
        }
        if matches!(self.token().kind, TokenKind::Host { .. }) {
            return Ok(Statement::ReleaseConnection { server: Source::Host(self.host(Role::Text)?) });
        }
        let server = if self.take("ALL") {
            let is_private = self.take_one(&["SQL", "PRIVATE"]) == Some("PRIVATE");
            if is_private { "ALL PRIVATE".to_string() } else { "ALL".to_string() }
        } else if self.take("CURRENT") {
            "CURRENT".to_string()
        } else {
            self.identifier()?
        };
        Ok(Statement::ReleaseConnection { server: Source::Literal(server) })
    }

    pub(super) fn connect(&mut self) -> Result<Statement, Problem> {
        self.expect("CONNECT")?;
        let (mut server, mut user, mut password) = (None, None, None);
        if self.take("RESET") {
            return Ok(Statement::Connect { server, user, password, reset: true });
        }
        if self.take("TO") {
            server = Some(self.source_or_name()?);
        }
        if self.take("USER") {
            user = Some(self.source()?);
            self.expect("USING")?;
            password = Some(self.source()?);
        }
        Ok(Statement::Connect { server, user, password, reset: false })
    }

    /// SET: an assignment to host variables, a register, or the connection.
    pub(super) fn set(&mut self) -> Result<Statement, Problem> {
        self.expect("SET")?;
        if self.take("CONNECTION") {
            return Ok(Statement::SetConnection { server: self.source_or_name()? });
        }
        match &self.token().kind {
            TokenKind::Host { .. } | TokenKind::Symbol("(") => self.set_variables(),
            _ => self.set_register(),
        }
    }

    /// `:a = x, :b = y`, `(:a, :b) = (x, y)`, `(:a, :b) = (SELECT ...)`.
    fn set_variables(&mut self) -> Result<Statement, Problem> {
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        loop {
            let offset = self.offset();
            let row = self.at_symbol("(");
            let own = if row { self.parenthesized(|p| p.host_or_structure(Role::Out))? } else { vec![self.host_or_structure(Role::Out)?] };
            self.expect_symbol("=")?;
            let assigned = if row && (self.take("VALUES") || (self.at_symbol("(") && !self.at_subquery())) {
                self.parenthesized(Self::assigned_value)?
            } else {
                vec![self.assigned_value()?]
            };
            let query = matches!(assigned[..], [Expression { kind: ExpressionKind::Subquery(_), .. }]);
            if assigned.len() != own.len() && !query {
                let text = format!("{} variables are assigned {} values", own.len(), assigned.len());
                return Err(Problem::new(-117, "42802", offset, &[], text));
            }
            targets.extend(own);
            values.extend(assigned);
            if !self.take_symbol(",") {
                return Ok(Statement::Assign { targets, values });
            }
        }
    }

    /// VALUES expression INTO variables.
    pub(super) fn values_into(&mut self) -> Result<Statement, Problem> {
        self.expect("VALUES")?;
        let values = if self.at_symbol("(") && !self.at_subquery() {
            let value = self.value()?;
            match value.kind {
                ExpressionKind::Row(values) => values,
                _ => vec![value],
            }
        } else {
            self.list(Self::value)?
        };
        self.expect("INTO")?;
        let targets = self.targets()?;
        Ok(Statement::Assign { targets, values })
    }

    fn set_register(&mut self) -> Result<Statement, Problem> {
        let register = self.register_name()?;
        self.take_symbol("=");
        if register == "CURRENT PATH" || register == "CURRENT PACKAGE PATH" {
            return self.set_path(register);
        }
        let value = match &self.token().kind {
            TokenKind::Host { .. } => Source::Host(self.host(Role::Text)?),
            TokenKind::Literal(Literal::String(text)) => {
                let text = text.clone();
                self.next();
                Source::Literal(text)
            }
            TokenKind::Literal(Literal::Integer(digits)) => {
                let digits = digits.clone();
                self.next();
                Source::Literal(digits)
            }
            _ => Source::Literal(self.words_to_end()?),
        };
        Ok(Statement::SetRegister { register, value })
    }

    /// The register behind SET: CURRENT optional for SCHEMA and PATH.
    fn register_name(&mut self) -> Result<String, Problem> {
        if self.take("CURRENT_SCHEMA") || self.take("SCHEMA") {
            return Ok("CURRENT SCHEMA".to_string());
        }
        if self.take("CURRENT_PATH") || self.take("PATH") {
            return Ok("CURRENT PATH".to_string());
        }
        if self.take_words(&["SESSION", "TIME", "ZONE"]) {
            return Ok("SESSION TIMEZONE".to_string());
        }
        if self.take_words(&["ENCRYPTION", "PASSWORD"]) {
            return Ok("ENCRYPTION PASSWORD".to_string());
        }
        if !self.take("CURRENT") {
            return Err(self.unexpected("CURRENT :<HOST VARIABLE>"));
        }
        match CURRENT_REGISTERS.iter().find(|words| self.at_words(words)) {
            Some(words) => {
                self.take_words(words);
                Ok(canonical(words))
            }
            None => Err(self.unexpected("SQLID SCHEMA PATH PACKAGESET DEGREE")),
        }
    }

    /// A list of schemas; a host variable stands alone.
    fn set_path(&mut self, register: String) -> Result<Statement, Problem> {
        if matches!(self.token().kind, TokenKind::Host { .. }) {
            let value = Source::Host(self.host(Role::Text)?);
            return Ok(Statement::SetRegister { register, value });
        }
        let mut schemas = Vec::new();
        loop {
            let schema = match &self.token().kind {
                TokenKind::Literal(Literal::String(_)) => self.string()?,
                _ if self.at_word("SYSTEM") || self.at_word("USER") || self.at_word("CURRENT") => self.path_words(),
                _ => self.identifier()?,
            };
            schemas.push(schema);
            if !self.take_symbol(",") {
                let value = Source::Literal(schemas.join(","));
                return Ok(Statement::SetRegister { register, value });
            }
        }
    }

    /// SYSTEM PATH, USER, CURRENT PATH.
    fn path_words(&mut self) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.token().word() {
            words.push(word);
            self.next();
        }
        words.join(" ")
    }

    fn words_to_end(&mut self) -> Result<String, Problem> {
        let mut words = Vec::new();
        while let TokenKind::Word(word) | TokenKind::Delimited(word) = &self.token().kind {
            words.push(word.clone());
            self.next();
        }
        if words.is_empty() { Err(self.unexpected("<EXPRESSION>")) } else { Ok(words.join(" ")) }
    }

    /// GET [CURRENT | STACKED] DIAGNOSTICS.
    pub(super) fn get_diagnostics(&mut self) -> Result<Statement, Problem> {
        self.expect("GET")?;
        let stacked = self.take_one(&["CURRENT", "STACKED"]) == Some("STACKED");
        self.expect("DIAGNOSTICS")?;
        let mut condition = None;
        if self.take_one(&["CONDITION", "EXCEPTION"]).is_some() {
            condition = Some(self.count()?);
        }
        let items = self.list(|parser| {
            let target = parser.host(Role::Out)?;
            parser.expect_symbol("=")?;
            let name = parser.identifier()?;
            if name == "ALL" {
                return Err(parser.unsupported("GET DIAGNOSTICS ALL"));
            }
            Ok(Diagnosed { target, name, condition: condition.clone() })
        })?;
        Ok(Statement::GetDiagnostics { items, stacked })
    }
}
