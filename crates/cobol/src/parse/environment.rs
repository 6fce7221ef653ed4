//! ENVIRONMENT DIVISION: configuration section and FILE-CONTROL. SPECIAL-NAMES is in `special_names`.

use super::cursor::Parsed;
use super::{Parser, words};
use crate::data::tree::new_base;
use crate::lexer::TokenKind;
use crate::names::{Named, QualifiedName};
use crate::program::*;

/// Names that a SELECT mentions; resolved when the data division is known.
#[derive(Default, Clone, Debug)]
pub struct SelectNames {
    pub record_key: Option<QualifiedName>,
    pub alternate_keys: Vec<(QualifiedName, bool)>,
    pub relative_key: Option<QualifiedName>,
    pub status: Option<QualifiedName>,
    pub vsam_status: Option<QualifiedName>,
    pub password: Option<QualifiedName>,
    pub record_depending: Option<QualifiedName>,
}

impl Parser<'_> {
    pub fn environment_division(&mut self) {
        self.advance();
        self.accept("DIVISION");
        self.expect_period("ENVIRONMENT DIVISION");
        while !self.at_end() && !self.at_division() && !self.report.is_full() {
            let before = self.at;
            match self.word() {
                "CONFIGURATION" | "INPUT-OUTPUT" => self.skip_sentence(),
                "SOURCE-COMPUTER" => self.computer(),
                "OBJECT-COMPUTER" => self.computer(),
                "SPECIAL-NAMES" => self.special_names(),
                "FILE-CONTROL" => self.file_control(),
                "I-O-CONTROL" => self.input_output_control(),
                "REPOSITORY" => self.repository(),
                _ => {
                    self.report.expected(
                        self.span(),
                        &super::cursor::quoted(self.token()),
                        "a section or paragraph of the ENVIRONMENT DIVISION",
                    );
                    self.skip_sentence();
                }
            }
            if self.at == before {
                self.advance();
            }
        }
    }

    pub fn at_paragraph(&self) -> bool {
        self.at_division()
            || matches!(
                self.word(),
                "CONFIGURATION"
                    | "INPUT-OUTPUT"
                    | "SOURCE-COMPUTER"
                    | "OBJECT-COMPUTER"
                    | "SPECIAL-NAMES"
                    | "FILE-CONTROL"
                    | "I-O-CONTROL"
                    | "REPOSITORY"
            )
    }

    fn computer(&mut self) {
        self.advance();
        self.expect_period("the paragraph name");
        while !self.at_end() && !self.at_paragraph() {
            if self.accept("COLLATING") || self.accept_pair("PROGRAM", "COLLATING") {
                self.accept("SEQUENCE");
                self.accept("IS");
                if let Some((name, span)) = self.user_word() {
                    self.unit.pending_collation = Some((name.into(), span));
                }
            } else {
                self.advance();
            }
        }
    }

    fn input_output_control(&mut self) {
        self.advance();
        self.accept_kind(&TokenKind::Period);
        while !self.at_end() && !self.at_paragraph() {
            // RERUN, SAME AREA, MULTIPLE FILE, APPLY steer buffers and tapes; only shared record areas can be seen by a program.
            if self.is_word("SAME") && self.peek_word(1) == "RECORD" {
                self.shared_record_area();
            } else {
                self.advance();
            }
        }
    }

    /// SAME RECORD AREA FOR files: they get the area of the first.
    fn shared_record_area(&mut self) {
        self.advance();
        self.advance();
        self.accept("AREA");
        self.accept("FOR");
        let mut shared = None;
        while let Some((name, span)) = self.user_word() {
            let Some(file) = self.unit.names.find_file(name) else {
                self.report.unresolved(span, format!("{name} is not a file"));
                continue;
            };
            let file = &mut self.unit.program.files[file.0 as usize];
            file.base = *shared.get_or_insert(file.base);
        }
    }

    fn file_control(&mut self) {
        self.advance();
        self.accept_kind(&TokenKind::Period);
        while !self.at_end() && !self.at_paragraph() && !self.report.is_full() {
            if self.is_word("SELECT") {
                if self.select().is_err() {
                    self.skip_sentence();
                }
            } else {
                self.report.expected(self.span(), &super::cursor::quoted(self.token()), "SELECT");
                self.skip_sentence();
            }
        }
    }

    fn select(&mut self) -> Parsed<()> {
        self.expect("SELECT")?;
        let optional = self.accept("OPTIONAL");
        let (name, span) = self.expect_user_word("a file name")?;
        let base = new_base(&mut self.unit.program, BaseKind::Working, name);
        let id = FileId(self.unit.program.files.len() as u32);
        self.unit.program.bases[base.0 as usize].kind = BaseKind::Record(id);
        let mut file = blank_file(name, base, span);
        file.optional = optional;
        if self.unit.names.data.contains_key(name) {
            self.report.severe(span, format!("the file {name} is already selected"));
        }
        let mut names = SelectNames::default();
        while !self.at_period() && !self.at_end() {
            self.select_clause(&mut file, &mut names)?;
        }
        self.expect_period("SELECT");
        self.unit.names.add(name, Named::File(id));
        self.unit.program.files.push(file);
        self.unit.select_names.push((id, names));
        Ok(())
    }

    fn select_clause(&mut self, file: &mut File, names: &mut SelectNames) -> Parsed<()> {
        match self.word() {
            "ASSIGN" => {
                self.begin_clause(&["TO"]);
                self.assignment(file)?;
            }
            "ORGANIZATION" => {
                self.begin_clause(&["IS"]);
                self.organization(file)?;
            }
            "SEQUENTIAL" | "INDEXED" | "RELATIVE" | "LINE" if !self.at_relative_key() => {
                self.organization(file)?;
            }
            "ACCESS" => file.access = self.access_mode()?,
            "RELATIVE" => {
                self.begin_clause(&["KEY", "IS"]);
                names.relative_key = Some(self.qualified_name()?);
            }
            "RECORD" if self.peek_word(1) != "DELIMITER" => {
                self.begin_clause(&["KEY", "IS"]);
                names.record_key = Some(self.qualified_name()?);
            }
            "RECORD" => {
                self.begin_clause(&["DELIMITER", "IS"]);
                self.advance();
            }
            "ALTERNATE" => names.alternate_keys.push(self.alternate_key()?),
            "PASSWORD" => {
                self.begin_clause(&["IS"]);
                names.password = Some(self.qualified_name()?);
            }
            "FILE" | "STATUS" => {
                self.accept("FILE");
                self.expect("STATUS")?;
                self.accept("IS");
                names.status = Some(self.qualified_name()?);
                if self.word() != "" && !words::is_reserved(self.word()) {
                    names.vsam_status = Some(self.qualified_name()?);
                }
            }
            "RESERVE" => {
                self.advance();
                self.integer();
                self.accept("NO");
                self.accept("ALTERNATE");
                let _ = self.accept("AREA") || self.accept("AREAS");
            }
            "PADDING" => {
                self.begin_clause(&["CHARACTER", "IS"]);
                self.advance();
            }
            "LOCK" => {
                while !self.at_period() && !matches!(self.word(), "FILE" | "STATUS" | "RECORD" | "ACCESS" | "ORGANIZATION" | "") {
                    self.advance();
                }
            }
            _ => return self.fail("a clause of SELECT"),
        }
        Ok(())
    }

    fn access_mode(&mut self) -> Parsed<Access> {
        self.begin_clause(&["MODE", "IS"]);
        match self.accept_any(&["SEQUENTIAL", "RANDOM", "DYNAMIC"]) {
            Some("RANDOM") => Ok(Access::Random),
            Some("DYNAMIC") => Ok(Access::Dynamic),
            Some(_) => Ok(Access::Sequential),
            None => self.fail("SEQUENTIAL, RANDOM or DYNAMIC"),
        }
    }

    /// The key of ALTERNATE RECORD KEY, and if several records may have it.
    fn alternate_key(&mut self) -> Parsed<(QualifiedName, bool)> {
        self.begin_clause(&["RECORD", "KEY", "IS"]);
        let key = self.qualified_name()?;
        if self.accept("PASSWORD") {
            self.accept("IS");
            self.qualified_name()?;
        }
        let duplicates = self.accept_pair("WITH", "DUPLICATES") || self.accept("DUPLICATES");
        Ok((key, duplicates))
    }

    /// RELATIVE begins the key clause, not the organization.
    fn at_relative_key(&self) -> bool {
        let next = self.peek_word(1);
        self.is_word("RELATIVE") && (matches!(next, "KEY" | "IS") || (!next.is_empty() && !words::is_reserved(next)))
    }

    fn organization(&mut self, file: &mut File) -> Parsed<()> {
        let line = self.accept("LINE");
        file.organization = match self.accept_any(&["SEQUENTIAL", "INDEXED", "RELATIVE"]) {
            Some("INDEXED") => Organization::Indexed,
            Some("RELATIVE") => Organization::Relative,
            Some(_) if line => Organization::LineSequential,
            Some(_) => Organization::Sequential,
            None => return self.fail("SEQUENTIAL, INDEXED or RELATIVE"),
        };
        Ok(())
    }

    /// The assignment name: its last part is the DD name (`UT-S-SYSIN`, `AS-CUSTFILE`); further names are dropped.
    fn assignment(&mut self, file: &mut File) -> Parsed<()> {
        let mut found = false;
        loop {
            match &self.token().kind {
                TokenKind::Word(word) if !words::is_reserved(word) || matches!(&**word, "RANDOM" | "DISPLAY" | "PRINTER") => {
                    if !found {
                        file.assign = word.rsplit('-').next().unwrap_or(word).into();
                        file.entry_sequenced = word.contains("-AS-") || word.starts_with("AS-");
                    }
                }
                TokenKind::Literal(literal) if !found => file.assign = (&*literal.text).into(),
                TokenKind::Literal(_) => {}
                TokenKind::Number(number) => {
                    if number.integer().is_none() {
                        return self.fail("an assignment name");
                    }
                    self.advance();
                    continue;
                }
                _ if found => return Ok(()),
                _ => return self.fail("an assignment name"),
            }
            found = true;
            self.advance();
        }
    }

    /// A name with its qualifiers, unresolved.
    pub fn qualified_name(&mut self) -> Parsed<QualifiedName> {
        let (name, span) = match self.user_word() {
            Some(found) => found,
            None => return self.fail("a data name"),
        };
        let mut qualified = QualifiedName::simple(name, span);
        while matches!(self.word(), "OF" | "IN") {
            self.advance();
            let (qualifier, _) = self.expect_user_word("a qualifier")?;
            qualified.qualifiers.push(qualifier.into());
        }
        Ok(qualified)
    }
}

fn blank_file(name: &str, base: BaseId, span: Span) -> File {
    File {
        name: name.into(),
        assign: name.into(),
        kind: FileKind::File,
        organization: Organization::Sequential,
        access: Access::Sequential,
        optional: false,
        external: false,
        global: false,
        outer: None,
        record_key: None,
        alternate_keys: Vec::new(),
        relative_key: None,
        status: None,
        vsam_status: None,
        password: None,
        records: Vec::new(),
        base,
        record_min: 0,
        record_max: 0,
        recording: Recording::Fixed,
        record_depending: None,
        block_max: 0,
        block_in_records: false,
        linage: None,
        printed: false,
        entry_sequenced: false,
        code_set: None,
        span,
    }
}
