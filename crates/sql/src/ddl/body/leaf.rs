//! Statements without statements inside: changes, queries, assignments, cursors, calls; and the handlers around them.

use super::{Body, Condition, Definer, Handler};
use crate::ast::{Callee, DataType, Expression, Name, Statement};
use crate::lexer::{Token, TokenKind};
use crate::names::{delimited, folded, string};
use crate::parse::Parser;
use crate::problem::Problem;
use crate::translate::Place;

/// How many rows a statement has found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    No,
    /// ROW_COUNT says it.
    Asked,
    /// The text sets `db2_rows`.
    Set,
}

impl Definer<'_> {
    pub(super) fn leaf_statement(&mut self, body: &mut Body, word: &str) -> Result<String, Problem> {
        let (text, counted) = match word {
            "SET" => (self.set_statement(body)?, Counted::No),
            "SELECT" | "WITH" => (self.select_into(body)?, Counted::Set),
            "VALUES" => (self.values_into(body)?, Counted::No),
            "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "TRUNCATE" => (self.change(body)?, Counted::Asked),
            "OPEN" | "CLOSE" => (self.open_or_close(body)?, Counted::No),
            "FETCH" => (self.fetch(body)?, Counted::Set),
            "CALL" => (self.call()?, Counted::No),
            "GET" => return self.diagnostics(body),
            _ => return Err(self.parser.unsupported(&format!("{word} in a routine"))),
        };
        Ok(handled(body, text, counted))
    }

    /// A value as a variable of this type takes it.
    pub(in crate::ddl) fn assigned_value(&mut self, value: &Expression, data_type: Option<&DataType>) -> Result<String, Problem> {
        let none = Name { offset: value.offset, parts: vec![String::new()] };
        let place = Place::Assigned(data_type.cloned());
        self.emitted(|emitter| emitter.assigned(value, &place, &none, None))
    }

    /// SET target = value, ... and SET (targets) = (values).
    fn set_statement(&mut self, body: &Body) -> Result<String, Problem> {
        self.parser.expect("SET")?;
        if self.parser.at_word("CURRENT") {
            return Err(self.parser.unsupported("SET CURRENT in a routine"));
        }
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        if self.parser.take_symbol("(") {
            loop {
                targets.push(self.target(body)?);
                if !self.parser.take_symbol(",") {
                    break;
                }
            }
            self.parser.expect_symbol(")")?;
            self.parser.expect_symbol("=")?;
            if self.parser.ahead(1).is_word("SELECT") {
                return Err(self.parser.unsupported("SET of several variables to a fullselect: use SELECT INTO"));
            }
            values = self.parser.parenthesized(Parser::value)?;
        } else {
            loop {
                targets.push(self.target(body)?);
                self.parser.expect_symbol("=")?;
                values.push(self.parser.value()?);
                if !self.parser.take_symbol(",") {
                    break;
                }
            }
        }
        self.assignments(&targets, &values)
    }

    fn assignments(&mut self, targets: &[(String, Option<DataType>)], values: &[Expression]) -> Result<String, Problem> {
        if targets.len() != values.len() {
            return Err(Problem::new(-117, "42802", self.parser.offset(), &[], "the number of values is not that of the variables"));
        }
        let mut texts = Vec::new();
        for ((_, data_type), value) in targets.iter().zip(values) {
            texts.push(self.assigned_value(value, data_type.as_ref())?);
        }
        if let ([(target, _)], [text]) = (targets, &texts[..]) {
            return Ok(format!("{target} := {text};\n"));
        }
        // All values are those before the statement.
        let names: Vec<&str> = targets.iter().map(|(target, _)| target.as_str()).collect();
        Ok(format!("SELECT {} INTO {};\n", texts.join(", "), names.join(", ")))
    }

    /// A query with INTO: its tokens without INTO and the targets, and the targets.
    fn without_into(&mut self, body: &Body) -> Result<(Vec<Token>, Vec<String>), Problem> {
        let tokens = self.parser.take_statement();
        let mut depth = 0;
        let into = tokens.iter().position(|token| {
            depth += i32::from(token.is_symbol("(")) - i32::from(token.is_symbol(")"));
            depth == 0 && token.is_word("INTO")
        });
        let Some(into) = into else {
            let offset = tokens.first().map_or(0, |token| token.offset);
            return Err(Problem::unexpected(offset, "<END-OF-STATEMENT>", "INTO"));
        };
        let end = tokens[into..].iter().position(|token| token.is_word("FROM")).map_or(tokens.len() - 1, |at| into + at);
        let mut targets: Vec<Token> = tokens[into + 1..end].to_vec();
        targets.push(Token { kind: TokenKind::End, ..tokens[end].clone() });
        let names = self.within(&targets, |definer| {
            let mut names = vec![definer.target(body)?.0];
            while definer.parser.take_symbol(",") {
                names.push(definer.target(body)?.0);
            }
            definer.parser.expect_end()?;
            Ok(names)
        })?;
        let rest = tokens[..into].iter().chain(&tokens[end..]).cloned().collect();
        Ok((rest, names))
    }

    /// Runs `part` over other tokens of the text.
    fn within<T>(&mut self, tokens: &[Token], part: impl FnOnce(&mut Definer<'_>) -> Result<T, Problem>) -> Result<T, Problem> {
        let mut inner = Definer {
            text: self.text,
            parser: Parser::new(self.text, tokens),
            options: self.options,
            check: None,
            result: Default::default(),
            names: Default::default(),
            locals: self.locals.clone(),
        };
        let done = part(&mut inner);
        self.names.merge(inner.names);
        done
    }

    fn select_into(&mut self, body: &Body) -> Result<String, Problem> {
        let (tokens, names) = self.without_into(body)?;
        let text = self.within(&tokens, |definer| {
            let query = definer.parser.query()?;
            definer.parser.expect_end()?;
            definer.query_text(&query)
        })?;
        Ok(format!(
            "BEGIN\n{text} INTO STRICT {};\ndb2_rows := 1;\nEXCEPTION\nWHEN no_data_found THEN db2_rows := 0;\n\
             WHEN too_many_rows THEN PERFORM db2.raise(-811, '21000');\nEND;\n",
            names.join(", ")
        ))
    }

    /// VALUES value INTO target, VALUES (values) INTO targets.
    fn values_into(&mut self, body: &Body) -> Result<String, Problem> {
        self.parser.expect("VALUES")?;
        let values = if self.parser.at_symbol("(") { self.parser.parenthesized(Parser::value)? } else { vec![self.parser.value()?] };
        self.parser.expect("INTO")?;
        let mut targets = vec![self.target(body)?];
        while self.parser.take_symbol(",") {
            targets.push(self.target(body)?);
        }
        self.assignments(&targets, &values)
    }

    fn change(&mut self, body: &Body) -> Result<String, Problem> {
        let offset = self.parser.offset();
        let statement = self.parser.inner_statement()?;
        let filter = match &statement {
            Statement::Update(update) => update.filter.cursor.as_ref(),
            Statement::Delete(delete) => delete.filter.cursor.as_ref(),
            _ => None,
        };
        if let Some(cursor) = filter.filter(|cursor| !body.cursors.iter().any(|known| known == cursor.last())) {
            return Err(Problem::unsupported(offset, &format!("WHERE CURRENT OF {}", cursor.last())));
        }
        let text = self.emitted(|emitter| match &statement {
            Statement::Insert(insert) => emitter.insert(insert),
            Statement::Update(update) => emitter.update(update),
            Statement::Delete(delete) => emitter.delete(delete),
            Statement::Merge(merge) => emitter.merge(merge),
            _ => Err(Problem::unsupported(offset, "TRUNCATE in a routine")),
        })?;
        Ok(format!("{text};\n"))
    }

    fn cursor_name(&mut self, body: &Body) -> Result<String, Problem> {
        let name = self.parser.simple_name()?;
        if body.cursors.iter().any(|known| known == name.last()) {
            return Ok(delimited(&folded(name.last())));
        }
        Err(Problem::new(-504, "34000", name.offset, &[name.last()], format!("cursor {} is not declared", name.last())))
    }

    fn open_or_close(&mut self, body: &Body) -> Result<String, Problem> {
        let verb = if self.parser.take("OPEN") { "OPEN" } else { "CLOSE" };
        self.parser.take("CLOSE");
        let name = self.cursor_name(body)?;
        if self.parser.at_word("USING") {
            return Err(self.parser.unsupported("OPEN USING in a routine"));
        }
        Ok(format!("{verb} {name};\n"))
    }

    /// FETCH cursor INTO targets, which stay as they are behind the last row.
    fn fetch(&mut self, body: &Body) -> Result<String, Problem> {
        self.parser.expect("FETCH")?;
        let direction = self.parser.take_one(&["NEXT", "PRIOR", "FIRST", "LAST"]).unwrap_or("NEXT");
        self.parser.take("FROM");
        let name = self.cursor_name(body)?;
        self.parser.expect("INTO")?;
        let mut targets = vec![self.target(body)?.0];
        while self.parser.take_symbol(",") {
            targets.push(self.target(body)?.0);
        }
        let kept: Vec<String> = targets.iter().enumerate().map(|(at, target)| format!("{target} AS c{at}")).collect();
        let restored: Vec<String> = targets.iter().enumerate().map(|(at, target)| format!("{target} := db2_keep.c{at};\n")).collect();
        Ok(format!(
            "SELECT {} INTO db2_keep;\nFETCH {direction} FROM {name} INTO {};\nGET DIAGNOSTICS db2_rows = ROW_COUNT;\n\
             IF db2_rows = 0 THEN\n{}END IF;\n",
            kept.join(", "),
            targets.join(", "),
            restored.concat()
        ))
    }

    fn call(&mut self) -> Result<String, Problem> {
        let offset = self.parser.offset();
        match self.parser.inner_statement()? {
            Statement::Call { procedure: Callee::Name(name), arguments, .. } => {
                let values = self.emitted(|emitter| emitter.values(&arguments, &Place::Assigned(None)))?;
                let procedure = self.names.function(&name)?;
                Ok(format!("CALL {procedure}({});\n", values.join(", ")))
            }
            _ => Err(Problem::unsupported(offset, "CALL of a procedure in a variable")),
        }
    }

    /// GET [CURRENT | STACKED] DIAGNOSTICS target = ROW_COUNT, or CONDITION 1 target = item, ...
    fn diagnostics(&mut self, body: &Body) -> Result<String, Problem> {
        self.parser.expect("GET")?;
        self.parser.take_one(&["CURRENT", "STACKED"]);
        self.parser.expect("DIAGNOSTICS")?;
        if self.parser.take_one(&["CONDITION", "EXCEPTION"]).is_some() && self.parser.unsigned()? != 1 {
            return Err(self.parser.unsupported("GET DIAGNOSTICS of a condition behind the first"));
        }
        let mut text = String::new();
        loop {
            let (target, _) = self.target(body)?;
            self.parser.expect_symbol("=")?;
            let items = ["ROW_COUNT", "MESSAGE_TEXT", "RETURNED_SQLSTATE", "DB2_RETURNED_SQLCODE"];
            let value = match self.parser.take_one(&items) {
                Some("ROW_COUNT") => "db2_rows",
                Some("MESSAGE_TEXT") => "db2_message",
                Some("RETURNED_SQLSTATE") => "db2_sqlstate",
                Some(_) => "db2_sqlcode",
                None => {
                    let item = self.parser.token().word().unwrap_or_default().to_string();
                    return Err(self.parser.unsupported(&format!("GET DIAGNOSTICS {item}")));
                }
            };
            text += &format!("{target} := {value};\n");
            if !self.parser.take_symbol(",") {
                return Ok(text);
            }
        }
    }
}

/// Classes of SQLSTATE of the server for those of Db2 that are others there.
fn states(state: &str) -> Vec<String> {
    let others: &[&str] = match state {
        "23513" => &["23514"],
        "21000" => &["P0003"],
        "23504" => &["23001", "23503"],
        _ => &[],
    };
    [state].iter().chain(others).map(|state| format!("SQLSTATE {}", string(state))).collect()
}

/// What a handler does, and where it goes on.
fn action(handler: &Handler, label: &str) -> String {
    let exit = if handler.exits { format!("EXIT {};\n", delimited(label)) } else { String::new() };
    format!("{}{exit}", handler.body)
}

/// A statement with the handlers of the compounds around it.
pub(super) fn handled(body: &Body, statement: String, counted: Counted) -> String {
    let active = || body.compounds.iter().rev().filter(|compound| compound.is_active);
    let all = || active().flat_map(|compound| compound.handlers.iter().map(|handler| (handler, compound.label.as_str())));
    let missing = all().find(|(handler, _)| handler.conditions.contains(&Condition::NotFound));
    let mut text = statement;
    let asks = missing.is_some() || body.diagnoses;
    if counted == Counted::Asked && asks {
        text += "GET DIAGNOSTICS db2_rows = ROW_COUNT;\n";
    }
    if body.diagnoses {
        text += match counted {
            Counted::No => "db2_sqlcode := 0;\ndb2_sqlstate := '00000';\n",
            _ => {
                "db2_sqlcode := CASE WHEN db2_rows = 0 THEN 100 ELSE 0 END;\n\
                 db2_sqlstate := CASE WHEN db2_rows = 0 THEN '02000' ELSE '00000' END;\n"
            }
        };
    }
    let mut whens = String::new();
    for compound in active() {
        let is_general = |condition: &&Condition| matches!(condition, Condition::Error);
        for general in [false, true] {
            for handler in &compound.handlers {
                let conditions = handler.conditions.iter().filter(|condition| is_general(condition) == general);
                let names: Vec<String> = conditions
                    .flat_map(|condition| match condition {
                        Condition::NotFound => Vec::new(),
                        Condition::Error => vec!["OTHERS".to_string()],
                        Condition::State(state) => states(state),
                    })
                    .collect();
                if !names.is_empty() {
                    whens += &format!("WHEN {} THEN\n{DIAGNOSE}{}", names.join(" OR "), action(handler, &compound.label));
                }
            }
        }
    }
    if !whens.is_empty() {
        // A deadlock ends the unit of work, whatever the handlers say.
        text = format!("BEGIN\n{text}EXCEPTION\nWHEN deadlock_detected OR serialization_failure THEN RAISE;\n{whens}END;\n");
    }
    if let Some((handler, label)) = missing
        && counted != Counted::No
    {
        debug_assert!(!handler.resignals, "such a handler is refused");
        text += &format!("IF db2_rows = 0 THEN\n{}END IF;\n", action(handler, label));
    }
    text
}

/// What a handler may ask for.
const DIAGNOSE: &str = "GET STACKED DIAGNOSTICS db2_message = MESSAGE_TEXT, db2_hint = PG_EXCEPTION_HINT, db2_detail = PG_EXCEPTION_DETAIL;\n\
     db2_rows := 1;\ndb2_sqlstate := SQLSTATE;\ndb2_sqlcode := db2.sqlcode(SQLSTATE, db2_hint);\n\
     db2_message := CASE WHEN db2_hint LIKE 'SQLCODE=%' THEN db2_detail ELSE db2_message END;\n";
