//! Cursors and prepared statements.

use super::Parser;
use crate::ast::{Callee, CursorSource, DeclareCursor, Described, Expression, ExpressionKind, Fetch, Source, Statement};
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;
use crate::reference::Role;
use crate::statement::{Number, Orientation, ROWS_AS_BEFORE, Scroll};

impl Parser<'_> {
    /// DECLARE name ... CURSOR ...; DECLARE is taken.
    pub(super) fn declare_cursor(&mut self) -> Result<Statement, Problem> {
        let name = self.hyphenated_name()?;
        let mut cursor = DeclareCursor {
            name,
            scroll: Scroll::No,
            with_hold: false,
            with_return: false,
            rowset: false,
            of: CursorSource::Prepared(crate::ast::Name { offset: 0, parts: vec![String::new()] }),
        };
        cursor.scroll = self.scroll()?;
        self.expect("CURSOR")?;
        self.cursor_options(&mut cursor)?;
        self.expect("FOR")?;
        let query = self.at_word("SELECT") || self.at_word("WITH") || self.at_symbol("(");
        cursor.of = if query { CursorSource::Query(Box::new(self.query()?)) } else { CursorSource::Prepared(self.hyphenated_name()?) };
        Ok(Statement::DeclareCursor(Box::new(cursor)))
    }

    /// NO SCROLL, ASENSITIVE SCROLL, INSENSITIVE SCROLL, SENSITIVE [STATIC | DYNAMIC] SCROLL.
    fn scroll(&mut self) -> Result<Scroll, Problem> {
        if self.take_words(&["NO", "SCROLL"]) {
            return Ok(Scroll::No);
        }
        let scroll = match self.take_one(&["ASENSITIVE", "INSENSITIVE", "SENSITIVE"]) {
            Some("INSENSITIVE") => Scroll::Insensitive,
            Some("SENSITIVE") => {
                self.take_one(&["STATIC", "DYNAMIC"]);
                Scroll::Sensitive
            }
            Some(_) => Scroll::Asensitive,
            None if self.take("SCROLL") => return Ok(Scroll::Asensitive),
            None => return Ok(Scroll::No),
        };
        self.expect("SCROLL")?;
        Ok(scroll)
    }

    /// WITH HOLD, WITH RETURN, WITH ROWSET POSITIONING, in any order.
    fn cursor_options(&mut self, cursor: &mut DeclareCursor) -> Result<(), Problem> {
        loop {
            if self.take_words(&["WITH", "HOLD"]) {
                cursor.with_hold = true;
            } else if self.take_words(&["WITH", "RETURN"]) {
                cursor.with_return = true;
                if self.take("TO") && self.take_one(&["CALLER", "CLIENT"]).is_none() {
                    return Err(self.unexpected("CALLER CLIENT"));
                }
            } else if self.take_words(&["WITH", "ROWSET", "POSITIONING"]) {
                cursor.rowset = true;
            } else if !(self.take_words(&["WITHOUT", "HOLD"])
                || self.take_words(&["WITHOUT", "RETURN"])
                || self.take_words(&["WITHOUT", "ROWSET", "POSITIONING"]))
            {
                return Ok(());
            }
        }
    }

    pub(super) fn open(&mut self) -> Result<Statement, Problem> {
        self.expect("OPEN")?;
        let cursor = self.hyphenated_name()?;
        let (using, descriptor) = self.using()?;
        Ok(Statement::Open { cursor, using, descriptor })
    }

    /// USING variables, or USING DESCRIPTOR.
    fn using(&mut self) -> Result<(Vec<Expression>, Option<usize>), Problem> {
        if !self.take("USING") {
            return Ok((Vec::new(), None));
        }
        if self.take("DESCRIPTOR") {
            return Ok((Vec::new(), Some(self.host(Role::Descriptor)?)));
        }
        let variables = self.list(|parser| {
            let offset = parser.offset();
            Ok(Expression { offset, kind: ExpressionKind::Host(parser.host_or_structure(Role::In)?) })
        })?;
        Ok((variables, None))
    }

    pub(super) fn fetch(&mut self) -> Result<Statement, Problem> {
        self.expect("FETCH")?;
        if self.take_one(&["INSENSITIVE", "SENSITIVE"]).is_none() && self.at_words(&["WITH", "CONTINUE"]) {
            return Err(self.unsupported("FETCH WITH CONTINUE"));
        }
        let rowset_or_row = self.orientation()?;
        let orientation = rowset_or_row.unwrap_or(Orientation::Next);
        self.take("FROM");
        let cursor = self.hyphenated_name()?;
        let mut rows = None;
        if self.take("FOR") {
            rows = Some(self.count()?);
            self.expect_rows()?;
        }
        let (mut into, mut descriptor) = (Vec::new(), None);
        let first = self.reference_count();
        if self.take_words(&["USING", "DESCRIPTOR"]) {
            descriptor = Some(self.host(Role::Descriptor)?);
        } else if self.take("INTO") {
            if self.take("DESCRIPTOR") {
                descriptor = Some(self.host(Role::Descriptor)?);
            } else {
                into = self.targets()?;
            }
        }
        if rows.is_none() && matches!(orientation, Orientation::RowsetStartingAt(_)) {
            rows = Some(Number::Literal(ROWS_AS_BEFORE));
        }
        if rows.is_some() || matches!(orientation, Orientation::RowsetStartingAt(_)) {
            self.arrays_since(first);
        }
        Ok(Statement::Fetch(Box::new(Fetch { cursor, orientation, rows, into, descriptor })))
    }

    /// The place of a row or rowset, unless the cursor's name is next.
    fn orientation(&mut self) -> Result<Option<Orientation>, Problem> {
        let cursor_next = matches!(self.ahead(1).kind, TokenKind::End) || ["INTO", "FOR"].iter().any(|word| self.ahead(1).is_word(word));
        if cursor_next {
            return Ok(None);
        }
        if self.take_words(&["ROWSET", "STARTING", "AT"]) {
            let Some(start) = self.absolute_or_relative()? else { return Err(self.unexpected("ABSOLUTE RELATIVE")) };
            return Ok(Some(Orientation::RowsetStartingAt(Box::new(start))));
        }
        if let Some(place) = self.absolute_or_relative()? {
            return Ok(Some(place));
        }
        let place = match self.take_one(&["NEXT", "PRIOR", "FIRST", "LAST", "CURRENT", "BEFORE", "AFTER"]) {
            Some("NEXT") => Orientation::Next,
            Some("PRIOR") => Orientation::Prior,
            Some("FIRST") => Orientation::First,
            Some("LAST") => Orientation::Last,
            Some("CURRENT") => {
                self.take_words(&["CONTINUE"]);
                Orientation::Current
            }
            Some("BEFORE") => Orientation::Before,
            Some(_) => Orientation::After,
            None => return Ok(None),
        };
        if self.take("ROWSET") {
            return Ok(Some(Orientation::RowsetStartingAt(Box::new(place))));
        }
        Ok(Some(place))
    }

    fn absolute_or_relative(&mut self) -> Result<Option<Orientation>, Problem> {
        Ok(match self.take_one(&["ABSOLUTE", "RELATIVE"]) {
            Some("ABSOLUTE") => Some(Orientation::Absolute(self.count()?)),
            Some(_) => Some(Orientation::Relative(self.count()?)),
            None => None,
        })
    }

    pub(super) fn prepare(&mut self) -> Result<Statement, Problem> {
        self.expect("PREPARE")?;
        let name = self.hyphenated_name()?;
        let into = if self.take("INTO") { Some(self.host(Role::Descriptor)?) } else { None };
        if into.is_some() && self.take("USING") {
            self.describe_names()?;
        }
        let attributes = if self.take("ATTRIBUTES") { Some(self.source()?) } else { None };
        self.expect("FROM")?;
        let from = self.source()?;
        Ok(Statement::Prepare { name, from, into, attributes })
    }

    /// USING NAMES, LABELS, ANY, BOTH.
    fn describe_names(&mut self) -> Result<(), Problem> {
        match self.take_one(&["NAMES", "LABELS", "ANY", "BOTH"]) {
            Some(_) => Ok(()),
            None => Err(self.unexpected("NAMES LABELS ANY BOTH")),
        }
    }

    /// A host variable with a text, or a string constant.
    pub(super) fn source(&mut self) -> Result<Source, Problem> {
        Ok(match &self.token().kind {
            TokenKind::Host { .. } => Source::Host(self.host(Role::Text)?),
            TokenKind::Literal(Literal::String(_)) => Source::Literal(self.string()?),
            _ => return Err(self.unexpected(":<HOST VARIABLE> <STRING>")),
        })
    }

    /// The same, or a name.
    pub(super) fn source_or_name(&mut self) -> Result<Source, Problem> {
        if self.at_identifier() { Ok(Source::Literal(self.name()?.parts.join("."))) } else { self.source() }
    }

    pub(super) fn execute(&mut self) -> Result<Statement, Problem> {
        self.expect("EXECUTE")?;
        if self.take("IMMEDIATE") {
            return Ok(Statement::ExecuteImmediate { from: self.source()? });
        }
        let name = self.hyphenated_name()?;
        let mut into = Vec::new();
        if self.take("INTO") {
            into = self.targets()?;
        }
        let first = self.reference_count();
        let (using, descriptor) = self.using()?;
        let arrays = self.reference_count();
        let rows = if self.take("FOR") {
            let rows = self.count()?;
            self.expect_rows()?;
            self.references_mut()[first..arrays].iter_mut().for_each(|reference| reference.array = true);
            Some(rows)
        } else {
            None
        };
        Ok(Statement::Execute { name, using, into, descriptor, rows })
    }

    pub(super) fn describe(&mut self) -> Result<Statement, Problem> {
        self.expect("DESCRIBE")?;
        let what = match self.take_one(&["INPUT", "OUTPUT", "TABLE", "CURSOR", "PROCEDURE"]) {
            Some("INPUT") => Described::Input(self.hyphenated_name()?),
            Some("TABLE") => Described::Table(self.source_or_name()?),
            Some("CURSOR") => Described::Cursor(self.source_or_name()?),
            Some("PROCEDURE") => Described::Procedure(self.source_or_name()?),
            _ => Described::Output(self.hyphenated_name()?),
        };
        self.expect("INTO")?;
        let into = self.host(Role::Descriptor)?;
        if self.take("USING") {
            self.describe_names()?;
        }
        Ok(Statement::Describe { what, into })
    }

    pub(super) fn call_procedure(&mut self) -> Result<Statement, Problem> {
        self.expect("CALL")?;
        let procedure = self.callee()?;
        if self.take_words(&["USING", "DESCRIPTOR"]) {
            let descriptor = Some(self.host(Role::Descriptor)?);
            return Ok(Statement::Call { procedure, arguments: Vec::new(), descriptor });
        }
        let mut arguments = Vec::new();
        if self.take_symbol("(") && !self.take_symbol(")") {
            arguments = self.list(Self::call_argument)?;
            self.expect_symbol(")")?;
        }
        Ok(Statement::Call { procedure, arguments, descriptor: None })
    }

    /// A host variable alone is a parameter that the procedure may set.
    fn call_argument(&mut self) -> Result<Expression, Problem> {
        let value = self.value()?;
        if let ExpressionKind::Host(index) = value.kind {
            self.references_mut()[index].role = Role::InOut;
        }
        Ok(value)
    }

    fn callee(&mut self) -> Result<Callee, Problem> {
        match &self.token().kind {
            TokenKind::Host { .. } => Ok(Callee::Host(self.host(Role::Text)?)),
            _ => Ok(Callee::Name(self.name()?)),
        }
    }

    pub(super) fn allocate(&mut self) -> Result<Statement, Problem> {
        self.expect("ALLOCATE")?;
        let cursor = self.hyphenated_name()?;
        self.expect_words(&["CURSOR", "FOR", "RESULT", "SET"])?;
        Ok(Statement::AllocateCursor { cursor, locator: self.host(Role::In)? })
    }

    pub(super) fn associate(&mut self) -> Result<Statement, Problem> {
        self.expect("ASSOCIATE")?;
        self.take_words(&["RESULT", "SET"]);
        if self.take_one(&["LOCATORS", "LOCATOR"]).is_none() {
            return Err(self.unexpected("LOCATORS"));
        }
        let locators = self.parenthesized(|parser| parser.host(Role::Out))?;
        self.expect_words(&["WITH", "PROCEDURE"])?;
        Ok(Statement::AssociateLocators { procedure: self.callee()?, locators })
    }

    /// FREE LOCATOR and HOLD LOCATOR.
    pub(super) fn locators(&mut self) -> Result<Statement, Problem> {
        let free = self.next().is_word("FREE");
        self.expect("LOCATOR")?;
        let locators = self.list(|parser| parser.host(Role::In))?;
        Ok(if free { Statement::FreeLocator { locators } } else { Statement::HoldLocator { locators } })
    }
}
