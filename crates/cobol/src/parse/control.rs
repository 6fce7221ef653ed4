//! Control flow: IF, PERFORM, GO TO, EXIT, STOP, NEXT SENTENCE, ALTER.

use super::Parser;
use super::cursor::Parsed;
use super::operand::as_operand;
use crate::check::precision;
use crate::program::*;

impl Parser<'_> {
    pub fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let condition = self.condition_or_skip();
        self.accept("THEN");
        let then = self.branch_statements();
        let otherwise = if self.accept("ELSE") { self.branch_statements() } else { Vec::new() };
        self.end_scope("END-IF");
        Ok(StatementKind::If(Box::new(If { condition, then, otherwise })))
    }

    /// A condition; after a wrong one the statements that depend on it are still parsed.
    pub fn condition_or_skip(&mut self) -> Condition {
        match self.condition() {
            Ok(condition) => condition,
            Err(_) => {
                while !self.is_word("THEN") && !self.at_period() && !self.at_end() {
                    let before = self.at;
                    self.skip_statement();
                    if self.at == before {
                        break;
                    }
                }
                Condition::Constant(false)
            }
        }
    }

    pub fn next_sentence(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        self.expect("SENTENCE")?;
        if !self.takes_next_sentence {
            return self.fail_at(span, "NEXT SENTENCE is a phrase of IF and SEARCH; it cannot stand by itself or in another statement");
        }
        self.unit.next_sentence_used = true;
        Ok(StatementKind::NextSentence(self.unit.sentence))
    }

    pub fn perform_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        if self.begins_out_of_line() {
            let body = self.perform_range()?;
            let control = self.perform_control()?;
            return Ok(StatementKind::Perform(Box::new(Perform { body, control })));
        }
        let control = match self.perform_control() {
            Ok(control) => control,
            Err(_) => {
                self.skip_statement();
                PerformControl::Once
            }
        };
        self.unit.inline_performs += 1;
        let statements = self.statements();
        self.unit.inline_performs -= 1;
        if !self.accept("END-PERFORM") {
            let span = self.span();
            self.report.expected(span, &super::cursor::quoted(self.token()), "END-PERFORM");
        }
        Ok(StatementKind::Perform(Box::new(Perform { body: PerformBody::Inline(statements), control })))
    }

    /// A procedure name follows: not `identifier TIMES`.
    fn begins_out_of_line(&self) -> bool {
        if !self.at_procedure_name() {
            return false;
        }
        if matches!(self.token().kind, crate::lexer::TokenKind::Number(_)) {
            return self.peek_word(1) != "TIMES";
        }
        let name = self.word();
        if self.unit.names.procedures.contains_key(name) {
            return true;
        }
        // `identifier TIMES`, with qualifiers or subscripts before TIMES; otherwise an undefined procedure.
        let mut ahead = 1;
        while ahead < 60 {
            match &self.peek(ahead).kind {
                crate::lexer::TokenKind::Word(word) if &**word == "TIMES" => return false,
                crate::lexer::TokenKind::Word(word) if super::words::is_verb(word) => return true,
                crate::lexer::TokenKind::Word(word) if matches!(&**word, "UNTIL" | "VARYING" | "THRU" | "THROUGH" | "WITH" | "TEST") => {
                    return true;
                }
                crate::lexer::TokenKind::Period | crate::lexer::TokenKind::EndOfSource => return true,
                _ => ahead += 1,
            }
        }
        true
    }

    fn perform_range(&mut self) -> Parsed<PerformBody> {
        let range = self.procedure_range()?;
        Ok(PerformBody::Range(range))
    }

    /// `procedure [THRU procedure]`.
    pub fn procedure_range(&mut self) -> Parsed<Range> {
        let first = self.procedure_name()?;
        let last = if self.accept("THROUGH") || self.accept("THRU") { self.procedure_name()? } else { first };
        Ok(Range { first, last: self.unit.program.procedure(last).last })
    }

    fn perform_control(&mut self) -> Parsed<PerformControl> {
        let mut test_after = false;
        if self.is_word("TEST") || (self.is_word("WITH") && self.peek_word(1) == "TEST") {
            self.accept("WITH");
            self.accept("TEST");
            test_after = match self.accept_any(&["BEFORE", "AFTER"]) {
                Some(word) => word == "AFTER",
                None => return self.fail("BEFORE or AFTER"),
            };
        }
        match self.word() {
            "UNTIL" => {
                self.advance();
                let condition = if self.accept("EXIT") { Condition::Constant(false) } else { self.condition()? };
                Ok(PerformControl::Until { condition, test_after })
            }
            "VARYING" => {
                self.advance();
                self.varying(test_after)
            }
            _ => {
                let is_times = self.at_operand() && self.times_follows();
                if !is_times {
                    return Ok(PerformControl::Once);
                }
                let span = self.span();
                let count = self.general_operand()?;
                let count = self.numeric(count)?;
                if let NumericType::Fixed { scale, .. } = count.numeric
                    && scale > 0
                {
                    self.report.severe(span, "TIMES needs an integer");
                }
                self.expect("TIMES")?;
                Ok(PerformControl::Times(as_operand(count)))
            }
        }
    }

    /// TIMES comes before the next statement.
    fn times_follows(&self) -> bool {
        (1..60).find_map(|ahead| match &self.peek(ahead).kind {
            crate::lexer::TokenKind::Word(word) if &**word == "TIMES" => Some(true),
            crate::lexer::TokenKind::Word(word) if super::words::is_verb(word) || word.starts_with("END-") => Some(false),
            crate::lexer::TokenKind::Period | crate::lexer::TokenKind::EndOfSource => Some(false),
            _ => None,
        }) == Some(true)
    }

    fn varying(&mut self, test_after: bool) -> Parsed<PerformControl> {
        let mut loops = vec![self.varying_phrase()?];
        while self.accept("AFTER") {
            loops.push(self.varying_phrase()?);
        }
        Ok(PerformControl::Varying(Box::new(PerformVarying { test_after, loops })))
    }

    /// `variable FROM value BY value UNTIL condition`.
    fn varying_phrase(&mut self) -> Parsed<Varying> {
        let span = self.span();
        let variable = self.reference()?;
        self.expect("FROM")?;
        let from = self.general_operand()?;
        let from = self.typed(from, 0);
        let by = if self.accept("BY") {
            let by = self.general_operand()?;
            if let Operand::Literal(Literal { value: LiteralValue::Numeric(Number { value: 0, .. }), .. }) = &by {
                self.report.error(span, "the literal of BY must not be zero");
            }
            self.typed(by, 0)
        } else {
            as_operand(super::operand::number_expression(1, 1, span))
        };
        self.expect("UNTIL")?;
        let until = self.condition()?;
        let is_index = self.item(variable.item).category == Category::Index;
        let initialize = if is_index {
            StatementKind::SetIndex { targets: vec![variable.clone()], value: from }
        } else {
            self.check_numeric_target(&variable)?;
            if let Operand::Reference(reference) = &from {
                // From an index-name: its occurrence number.
                if self.item(reference.item).category == Category::Index {
                    let kind = StatementKind::SetIndex { targets: vec![variable.clone()], value: from };
                    return self.varying_with(kind, variable, by, until, span);
                }
            }
            self.store_or_move(&variable, from, span)?
        };
        self.varying_with(initialize, variable, by, until, span)
    }

    fn store_or_move(&mut self, variable: &Reference, from: Operand, span: Span) -> Parsed<StatementKind> {
        match from {
            Operand::Expression(expression) => Ok(self.store(*expression, variable.clone())),
            simple => {
                self.check_move(&simple, variable, span);
                Ok(StatementKind::Move(Box::new(Move { from: simple, to: vec![variable.clone()] })))
            }
        }
    }

    /// target = value.
    pub fn store(&self, value: Expression, target: Reference) -> StatementKind {
        let numeric = value.numeric;
        let target = Target { reference: target, rounding: Rounding::Truncation, numeric };
        StatementKind::Arithmetic(Box::new(Arithmetic {
            operations: vec![Operation { combine: Combine::Store, value, targets: vec![target] }],
            on_size_error: None,
            not_on_size_error: None,
        }))
    }

    fn varying_with(
        &mut self,
        initialize: StatementKind,
        variable: Reference,
        by: Operand,
        until: Condition,
        span: Span,
    ) -> Parsed<Varying> {
        let is_index = self.item(variable.item).category == Category::Index;
        let step = if is_index {
            StatementKind::SetIndexBy { targets: vec![variable], by, down: false }
        } else {
            let value = self.numeric(by)?;
            let target_type = precision::operand_type(self.item(variable.item), &self.options).unwrap_or(NumericType::Float);
            let numeric = precision::combined(target_type, value.numeric, Combine::Add, 0, &self.options);
            let target = Target { reference: variable, rounding: Rounding::Truncation, numeric };
            StatementKind::Arithmetic(Box::new(Arithmetic {
                operations: vec![Operation { combine: Combine::Add, value, targets: vec![target] }],
                on_size_error: None,
                not_on_size_error: None,
            }))
        };
        let initialize = self.statement_of(initialize, span);
        let step = self.statement_of(step, span);
        Ok(Varying { initialize, step, until })
    }

    fn check_numeric_target(&mut self, reference: &Reference) -> Parsed<()> {
        let item = self.item(reference.item);
        if item.is_numeric() && reference.modification.is_none() {
            return Ok(());
        }
        let message = format!("{} is not numeric; VARYING needs a numeric item or an index", item.name);
        self.fail_at(reference.span, message)
    }

    pub fn go_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        self.accept("TO");
        let altered = self.unit.procedure.filter(|id| self.unit.program.procedure(*id).altered.is_some());
        if !self.at_procedure_name() {
            return match altered {
                Some(paragraph) => Ok(StatementKind::GoToAltered { paragraph, initial: None }),
                None if self.at_period() => self.fail_at(span, "GO TO without a procedure name needs an ALTER of its paragraph"),
                None => self.fail("a procedure name"),
            };
        }
        let mut targets = vec![self.procedure_name()?];
        while self.at_procedure_name() {
            targets.push(self.procedure_name()?);
        }
        self.check_no_declarative(span, &targets);
        if self.accept("DEPENDING") {
            self.accept("ON");
            let selector = self.reference()?;
            let item = self.item(selector.item);
            if item.category != Category::Numeric || item.scale > 0 {
                let message = format!("GO TO DEPENDING ON {}: it must be an integer item", item.name);
                self.report.severe(selector.span, message);
            }
            return Ok(StatementKind::GoToDepending { targets, selector });
        }
        if targets.len() > 1 {
            return self.fail("DEPENDING ON");
        }
        match altered {
            Some(paragraph) => Ok(StatementKind::GoToAltered { paragraph, initial: Some(targets[0]) }),
            None => Ok(StatementKind::GoTo(targets[0])),
        }
    }

    /// Outside the declaratives their procedures can be performed, but are no target of GO TO. A declarative may go to any procedure.
    /// (Language Reference, "Declaratives".)
    fn check_no_declarative(&mut self, span: Span, targets: &[ProcedureId]) {
        let program = &self.unit.program;
        if self.unit.procedure.is_some_and(|id| program.procedure(id).in_declaratives) {
            return;
        }
        if let Some(target) = targets.iter().map(|id| program.procedure(*id)).find(|target| target.in_declaratives) {
            let message = format!("GO TO {}: it is a procedure of the declaratives; only PERFORM may name it here", target.name);
            self.report.severe(span, message);
        }
    }

    pub fn alter_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut pairs = Vec::new();
        loop {
            let paragraph = self.procedure_name()?;
            self.expect("TO")?;
            if self.accept("PROCEED") {
                self.accept("TO");
            }
            let target = self.procedure_name()?;
            pairs.push((paragraph, target));
            if !self.at_procedure_name() {
                return Ok(StatementKind::Alter(pairs));
            }
        }
    }

    pub fn exit_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        match self.word() {
            "PROGRAM" => {
                self.advance();
                Ok(StatementKind::ExitProgram)
            }
            "PERFORM" => {
                self.advance();
                let cycle = self.accept("CYCLE");
                if self.unit.inline_performs == 0 {
                    return self.fail_at(span, "EXIT PERFORM must stand within an inline PERFORM");
                }
                Ok(if cycle { StatementKind::ExitPerformCycle } else { StatementKind::ExitPerform })
            }
            "PARAGRAPH" => {
                self.advance();
                match self.unit.procedure {
                    Some(id) => Ok(StatementKind::ExitProcedure(id)),
                    None => self.fail_at(span, "EXIT PARAGRAPH is not in a paragraph"),
                }
            }
            "SECTION" => {
                self.advance();
                match self.unit.section {
                    Some(id) => Ok(StatementKind::ExitProcedure(id)),
                    None => self.fail_at(span, "EXIT SECTION is not in a section"),
                }
            }
            "FUNCTION" => {
                self.advance();
                Ok(StatementKind::GoBack)
            }
            "METHOD" => self.fail_at(span, "object-oriented COBOL (EXIT METHOD) is not supported"),
            _ => Ok(StatementKind::Continue),
        }
    }

    pub fn stop_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        if self.accept("RUN") {
            let _ = self.accept("RETURNING") || self.accept("GIVING");
            let return_code = if self.at_operand() { Some(self.operand()?) } else { None };
            return Ok(StatementKind::StopRun { return_code });
        }
        let span = self.span();
        if let Some(figurative) = self.figurative() {
            return Ok(StatementKind::StopLiteral(Operand::Figurative(figurative, span)));
        }
        match self.literal() {
            Some(literal) => Ok(StatementKind::StopLiteral(Operand::Literal(literal))),
            None => self.fail("RUN or a literal"),
        }
    }
}
