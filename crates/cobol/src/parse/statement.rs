//! Statements: lists, dispatch by verb, recovery. The verbs themselves are in the modules beside this one.

use super::cursor::{Parsed, quoted};
use super::macro_level;
use super::sql::unobserved;
use super::{Parser, STATEMENT_DEPTH_MAX, words};
use crate::lexer::TokenKind;
use crate::program::*;

impl Parser<'_> {
    /// A statement created by the compiler or parsed, with the next number.
    pub fn statement_of(&mut self, kind: StatementKind, span: Span) -> Statement {
        self.unit.program.statement_count += 1;
        Statement { kind, span, number: self.unit.program.statement_count }
    }

    /// Statements up to the end of the list. Reports and skips other text, unless it ends the list.
    pub fn statements(&mut self) -> Statements {
        self.list_of_statements(false)
    }

    /// The same in a branch of IF or SEARCH, where NEXT SENTENCE is allowed instead.
    pub fn branch_statements(&mut self) -> Statements {
        self.list_of_statements(true)
    }

    fn list_of_statements(&mut self, takes_next_sentence: bool) -> Statements {
        let outer = std::mem::replace(&mut self.takes_next_sentence, takes_next_sentence);
        let mut statements = Vec::new();
        self.statements_into(&mut statements);
        self.takes_next_sentence = outer;
        statements
    }

    pub fn statements_into(&mut self, statements: &mut Statements) {
        loop {
            match &self.token().kind {
                TokenKind::Exec(_) => {}
                TokenKind::Word(word) if words::is_verb(word) => {}
                TokenKind::Word(word) if words::ends_statements(word) => {
                    if self.skip_orphan(word) {
                        continue;
                    }
                    return;
                }
                TokenKind::Period | TokenKind::EndOfSource => return,
                _ => {
                    if self.at_division() {
                        return;
                    }
                    let token = self.token();
                    let of_macro = if let TokenKind::Word(word) = &token.kind { macro_level::explained(word) } else { None };
                    match of_macro {
                        Some(explained) => self.report.severe(token.span, explained),
                        None => self.report.expected(token.span, &quoted(token), "a statement"),
                    }
                    self.advance();
                    self.skip_statement();
                    continue;
                }
            }
            if self.report.is_full() {
                return;
            }
            let before = self.at;
            if let Some(statement) = self.one_statement() {
                if let Some((index, encoded)) = unobserved(&self.unit.program, statements.last(), Some(&statement)) {
                    self.unit.program.sql[index] = encoded;
                }
                statements.push(statement);
            }
            if self.at == before {
                self.advance();
            }
        }
    }

    /// One statement; `None` if it was wrong (reported and skipped).
    fn one_statement(&mut self) -> Option<Statement> {
        let span = self.span();
        if self.depth >= STATEMENT_DEPTH_MAX {
            self.report.severe(span, format!("statements are nested more than {STATEMENT_DEPTH_MAX} deep"));
            while !self.at_end() && !self.at_period() {
                self.advance();
            }
            return None;
        }
        self.unit.program.statement_count += 1;
        let number = self.unit.program.statement_count;
        self.depth += 1;
        let verb = self.word();
        let mentioned = self.unit.debugging.mentions.len();
        let parsed = self.dispatch(span);
        self.depth -= 1;
        match parsed {
            Ok(kind) => Some(Statement { kind: self.monitored(kind, mentioned, span), span, number }),
            Err(_) => {
                self.unit.debugging.mentions.truncate(mentioned);
                self.recover(verb);
                None
            }
        }
    }

    /// After a wrong statement: skips to the next statement or period. Phrases that may remain of it are remembered.
    fn recover(&mut self, verb: &str) {
        self.unit.orphans.push(format!("END-{verb}").into());
        self.skip_statement();
    }

    /// Skips a phrase or scope terminator left over from a statement that was wrong.
    fn skip_orphan(&mut self, word: &str) -> bool {
        if self.unit.orphans.is_empty() {
            return false;
        }
        if let Some(position) = self.unit.orphans.iter().position(|orphan| **orphan == *word) {
            self.unit.orphans.remove(position);
            self.advance();
            return true;
        }
        let is_phrase = !word.starts_with("END-") && !matches!(word, "ELSE" | "WHEN" | "END" | "UNTIL");
        if is_phrase {
            self.advance();
            self.skip_statement();
        }
        is_phrase
    }

    fn dispatch(&mut self, span: Span) -> Parsed<StatementKind> {
        if let TokenKind::Exec(block) = &self.token().kind {
            self.advance();
            return self.exec_statement(block, span);
        }
        let verb = self.word();
        match verb {
            "IF" => self.if_statement(),
            "MOVE" => self.move_statement(),
            "PERFORM" => self.perform_statement(),
            "EVALUATE" => self.evaluate_statement(),
            "SET" => self.set_statement(),
            "ADD" => self.add_statement(),
            "SUBTRACT" => self.subtract_statement(),
            "MULTIPLY" => self.multiply_statement(),
            "DIVIDE" => self.divide_statement(),
            "COMPUTE" => self.compute_statement(),
            "DISPLAY" => self.display_statement(),
            "ACCEPT" => self.accept_statement(),
            "GO" => self.go_statement(),
            "STRING" => self.string_statement(),
            "UNSTRING" => self.unstring_statement(),
            "INSPECT" => self.inspect_statement(),
            "INITIALIZE" => self.initialize_statement(),
            "SEARCH" => self.search_statement(),
            "CALL" => self.call_statement(),
            "CANCEL" => self.cancel_statement(),
            "ENTRY" => self.entry_statement(),
            "EXIT" => self.exit_statement(),
            "GOBACK" => self.one_word(StatementKind::GoBack),
            "STOP" => self.stop_statement(),
            "CONTINUE" => self.one_word(StatementKind::Continue),
            "NEXT" => self.next_sentence(),
            "ALTER" => self.alter_statement(),
            "OPEN" => self.open_statement(),
            "CLOSE" => self.close_statement(),
            "READ" => self.read_statement(),
            "WRITE" => self.write_statement(),
            "REWRITE" => self.rewrite_statement(),
            "DELETE" => self.delete_statement(),
            "START" => self.start_statement(),
            "SORT" => self.sort_statement(),
            "MERGE" => self.merge_statement(),
            "RELEASE" => self.release_statement(),
            "RETURN" => self.return_statement(),
            "ALLOCATE" => self.allocate_statement(),
            "FREE" => self.free_statement(),
            "READY" | "RESET" => self.trace_statement(),
            "SERVICE" => self.service_statement(),
            "ENTER" => self.enter_statement(),
            "INVOKE" => {
                self.advance();
                self.fail_at(span, "object-oriented COBOL (INVOKE) is not supported")
            }
            "XML" | "JSON" if matches!(self.peek_word(1), "PARSE" | "GENERATE") => self.markup_statement(),
            _ => {
                let message = format!("the statement {verb} is not supported");
                self.advance();
                self.fail_at(span, message)
            }
        }
    }

    /// A statement that is its verb alone.
    fn one_word(&mut self, kind: StatementKind) -> Parsed<StatementKind> {
        self.advance();
        Ok(kind)
    }

    /// READY TRACE and RESET TRACE: accepted, no effect.
    fn trace_statement(&mut self) -> Parsed<StatementKind> {
        self.begin_clause(&["TRACE"]);
        Ok(StatementKind::Continue)
    }

    /// ENTER: accepted to its period, no effect.
    fn enter_statement(&mut self) -> Parsed<StatementKind> {
        while !self.at_period() && !self.at_end() {
            self.advance();
        }
        Ok(StatementKind::Continue)
    }

    /// `END-verb`, if it is here.
    pub fn end_scope(&mut self, word: &str) {
        self.accept(word);
    }

    /// ON phrase NOT ON phrase, in either order: `[ON] word ...` and `NOT [ON] word ...`, with `words` the words after ON.
    pub fn phrases(&mut self, begins: &[&[&str]]) -> (Option<Statements>, Option<Statements>) {
        let (mut positive, mut negative) = (None, None);
        loop {
            if positive.is_none() && self.take_phrase(begins, false) {
                positive = Some(self.statements());
            } else if negative.is_none() && self.take_phrase(begins, true) {
                negative = Some(self.statements());
            } else {
                return (positive, negative);
            }
        }
    }

    /// Takes `[NOT] [ON|AT] words...` for one of the word lists.
    fn take_phrase(&mut self, begins: &[&[&str]], negated: bool) -> bool {
        let mut ahead = 0;
        if negated {
            if !self.is_word("NOT") {
                return false;
            }
            ahead = 1;
        }
        let skipped = usize::from(matches!(self.peek_word(ahead), "ON" | "AT"));
        for words in begins {
            let start = ahead + skipped;
            if words.iter().enumerate().all(|(offset, word)| self.peek_word(start + offset) == *word) {
                for _ in 0..start + words.len() {
                    self.advance();
                }
                return true;
            }
        }
        false
    }

    /// ON SIZE ERROR and NOT ON SIZE ERROR.
    pub fn size_error(&mut self) -> (Option<Statements>, Option<Statements>) {
        self.phrases(&[&["SIZE", "ERROR"]])
    }
}
