//! Values: constants, columns, registers, CASE, subqueries.

use super::scope::Resolved;
use super::{Emitter, Place};
use crate::ast::{Case, Comparison, DataType, Expression, ExpressionKind, Name};
use crate::datetime;
use crate::guard;
use crate::lexer::Literal;
use crate::names::{STORED_00, identifier, stored, string};
use crate::problem::Problem;

/// So that nested expressions do not become longer than their depth.
const BESIDE_LENGTH_MAX: usize = 200;

impl Emitter<'_> {
    /// `expression` as an operand: what is not a name, constant, parameter or call is in parentheses.
    pub fn value(&mut self, expression: &Expression, place: &Place) -> Result<String, Problem> {
        Ok(match &expression.kind {
            ExpressionKind::Literal(literal) => self.literal(literal, place),
            ExpressionKind::Null => "NULL".to_string(),
            ExpressionKind::Default => "DEFAULT".to_string(),
            ExpressionKind::Star => "*".to_string(),
            ExpressionKind::Host(reference) => self.host(*reference, place)?,
            ExpressionKind::Marker(number) => format!("${}", number + 1),
            ExpressionKind::Column(name) => self.column(name, place)?,
            ExpressionKind::Negative(value) => {
                let value = self.value(value, &Place::Alone)?;
                format!("(- {value})")
            }
            ExpressionKind::Chain { first, rest } => self.chain(first, rest)?,
            ExpressionKind::Duration { .. } => {
                let text = "a labelled duration must be added to or subtracted from a date, time or timestamp";
                return Err(Problem::new(-182, "42816", expression.offset, &[], text));
            }
            ExpressionKind::Case(case) => self.case(case)?,
            ExpressionKind::Cast { value, to } => self.cast(value, to)?,
            ExpressionKind::Call(call) => self.call(call)?,
            ExpressionKind::Register { name, .. } => register(name),
            ExpressionKind::Subquery(query) => format!("({})", self.query(query)?),
            ExpressionKind::Row(values) => {
                let values = self.values(values, &Place::Alone)?;
                format!("({})", values.join(", "))
            }
            ExpressionKind::Sequence { next, name } => {
                guard::changeable(name, "USAGE")?;
                let sequence = string(&self.object(name));
                if *next { format!("nextval({sequence})") } else { format!("db2.previous_value({sequence})") }
            }
            ExpressionKind::RowChange { token: false, .. } => {
                return Err(Problem::unsupported(expression.offset, "ROW CHANGE TIMESTAMP"));
            }
            ExpressionKind::RowChange { table, .. } => {
                let table = identifier(table.last());
                format!("db2.row_change_token({table}.ctid, {table}.xmin)")
            }
            _ => self.condition(expression)?,
        })
    }

    /// Several values at the same kind of place; a structure gives its items.
    pub fn values(&mut self, values: &[Expression], place: &Place) -> Result<Vec<String>, Problem> {
        let mut texts = Vec::new();
        for value in values {
            match &value.kind {
                ExpressionKind::Host(reference) => texts.extend(self.host_items(*reference, place)),
                _ => texts.push(self.value(value, place)?),
            }
        }
        Ok(texts)
    }

    /// The items of a host structure, or the one variable.
    pub fn host_items(&mut self, reference: usize, place: &Place) -> Vec<String> {
        if reference >= self.hosts.expansions.len() {
            return vec![String::new()];
        }
        let items: Vec<_> = self.hosts.variables(reference).collect();
        items.into_iter().map(|(index, variable)| self.variable(index, variable, place)).collect()
    }

    /// A name without its parameters' types: a constant or parameter.
    pub fn is_untyped(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Host(_) | ExpressionKind::Marker(_) | ExpressionKind::Null => true,
            ExpressionKind::Literal(Literal::String(_) | Literal::Graphic(_) | Literal::Hexadecimal(_)) => true,
            ExpressionKind::Column(name) => matches!(self.scopes.resolve(name), Resolved::Value(value) if self.is_untyped(value)),
            _ => false,
        }
    }

    fn column(&mut self, name: &Name, place: &Place) -> Result<String, Problem> {
        if let Resolved::Value(value) = self.scopes.resolve(name) {
            let value = value.clone();
            let fresh = std::mem::replace(&mut self.fresh_parameters, true);
            let text = self.value(&value, place)?;
            self.fresh_parameters = fresh;
            return Ok(text);
        }
        if name.parts.len() == 1
            && self.scopes.innermost().is_empty()
            && let Some((_, text)) = self.locals.iter().rev().find(|(local, _)| local == name.last())
        {
            return Ok(text.clone());
        }
        self.guard_column(name)?;
        self.check_column(name);
        let qualifiers = name.qualifiers();
        let qualifiers = &qualifiers[qualifiers.len().saturating_sub(2)..];
        let parts: Vec<String> = qualifiers.iter().map(|part| identifier(part)).chain([identifier(name.last())]).collect();
        Ok(parts.join("."))
    }

    /// A name that is no column would be something else to the server: a column of its own, a function of a whole row, or the row itself.
    fn guard_column(&mut self, name: &Name) -> Result<(), Problem> {
        if matches!(self.scopes.resolve(name), Resolved::Column(_)) {
            return Ok(());
        }
        if guard::is_system_column(name.last()) {
            return Err(guard::no_column(name));
        }
        let qualifier = name.qualifiers().last();
        let is_in_question = match qualifier {
            Some(_) => guard::is_function_of_rows(name.last()),
            None => self.scopes.has(name.last()),
        };
        let Some(objects) = is_in_question.then(|| self.scopes.objects(qualifier)).flatten() else { return Ok(()) };
        if objects.is_empty() {
            return Err(guard::no_column(name));
        }
        self.names.column(name.last(), &objects);
        Ok(())
    }

    /// Warns of a column that no declared table has.
    fn check_column(&mut self, name: &Name) {
        let tables = self.scopes.innermost();
        let qualifier = name.qualifiers().last();
        let mut candidates = tables.iter().filter(|table| qualifier.is_none_or(|qualifier| table.name == *qualifier)).peekable();
        let outer = self.scopes.depth() > 1 && qualifier.is_none();
        if outer || candidates.peek().is_none() {
            return;
        }
        let absent =
            candidates.all(|table| table.columns.as_ref().is_some_and(|columns| columns.iter().all(|(own, _)| own != name.last())));
        if absent {
            let text = format!("{} is not a column of the declared tables", name.last());
            self.warnings.push(crate::diagnostic::Diagnostic::warning(name.offset, text));
        }
    }

    /// A constant; beside a date, time or timestamp its ISO form, beside VARCHAR without trailing blanks.
    fn literal(&self, literal: &Literal, place: &Place) -> String {
        match literal {
            Literal::Integer(digits) => digits.clone(),
            Literal::Decimal(text) => match text.strip_suffix('.') {
                Some(digits) => format!("{digits}::numeric"),
                None => text.clone(),
            },
            Literal::Float(text) => format!("'{text}'::float8"),
            Literal::String(text) | Literal::Graphic(text) => {
                self.string_literal(&text.replace('\0', STORED_00.encode_utf8(&mut [0; 4])), place)
            }
            Literal::Hexadecimal(bytes) => self.hexadecimal(bytes, place),
            Literal::Binary(bytes) => binary(bytes),
        }
    }

    fn string_literal(&self, text: &str, place: &Place) -> String {
        match place {
            Place::Alone => string(text),
            Place::Compared(Some(data_type)) | Place::Assigned(Some(data_type)) if data_type.is_datetime() => {
                datetime::iso(text, data_type).map_or_else(|| converted_at_run_time(text, data_type), |iso| string(&iso))
            }
            Place::Compared(Some(data_type)) if data_type.is_integer() && !fits(text, data_type) => format!("{}::numeric", string(text)),
            Place::Compared(Some(DataType::VarChar { bits: false, .. })) => string(text.trim_end_matches(' ')),
            Place::Compared(_) | Place::Assigned(_) => string(text),
        }
    }

    /// X'..': bytes beside binary data, else characters of the program's code page.
    fn hexadecimal(&self, bytes: &[u8], place: &Place) -> String {
        let beside = match place {
            Place::Compared(beside) | Place::Assigned(beside) => beside.as_ref(),
            Place::Alone => None,
        };
        if beside.is_some_and(|data_type| !data_type.is_character()) {
            return binary(bytes);
        }
        let page = codepage::by_ccsid(self.options.ccsid);
        match page.map(|page| page.decode(bytes)) {
            Some(text) if beside.is_some() => string(&stored(&text)),
            Some(text) if !text.chars().any(char::is_control) => string(&text),
            _ => binary(bytes),
        }
    }

    /// X'..' for a column whose type only the server knows.
    pub fn either(&self, bytes: &[u8]) -> String {
        match codepage::by_ccsid(self.options.ccsid).map(|page| page.decode(bytes)) {
            Some(text) => format!("ROW({}, {})::db2.hexadecimal", binary(bytes), string(&stored(&text))),
            None => binary(bytes),
        }
    }

    /// A constant assigned to a column whose type only the server knows, if the server would not convert it.
    pub fn convertible(&self, constant: &Expression) -> Option<String> {
        match &constant.kind {
            ExpressionKind::Literal(Literal::Hexadecimal(bytes)) => Some(self.either(bytes)),
            _ => Some(format!("ROW({})::db2.datetime_string", string(datetime_string(constant)?))),
        }
    }

    /// A constant that may be a date, time or timestamp, which it is if that beside it is.
    pub fn constant_as(&self, value: &Expression, place: &Place, beside: &str) -> Option<String> {
        let is_open = matches!(place, Place::Compared(None) | Place::Assigned(None)) && beside.len() <= BESIDE_LENGTH_MAX;
        let text = datetime_string(value).filter(|_| is_open)?;
        Some(format!("db2.constant_as({beside}, {})", string(text)))
    }

    /// A value beside that of text `beside`.
    pub fn value_as(&mut self, value: &Expression, place: &Place, beside: &str) -> Result<String, Problem> {
        self.constant_as(value, place, beside).map_or_else(|| self.value(value, place), Ok)
    }

    /// Values that become one type: that of the first that has one.
    pub fn values_of_one_type(&mut self, values: &[&Expression]) -> Result<Vec<String>, Problem> {
        let place = self.common_place(values);
        let mut texts = values.iter().map(|value| self.value_in(value, &place)).collect::<Result<Vec<_>, _>>()?;
        self.settle_constants(values, &place, &mut texts);
        Ok(texts)
    }

    /// Where the untyped ones among values of one type stand.
    fn common_place(&self, values: &[&Expression]) -> Place {
        let mut typed = values.iter().copied().filter(|value| !self.is_untyped(value)).peekable();
        if typed.peek().is_some() { Place::Assigned(self.common_type(typed)) } else { Place::Alone }
    }

    fn value_in(&mut self, value: &Expression, place: &Place) -> Result<String, Problem> {
        self.value(value, if self.is_untyped(value) { place } else { &Place::Alone })
    }

    /// Constants that may be dates become what the first typed value is; after all, because parameters are numbered in the order of their texts.
    fn settle_constants(&self, values: &[&Expression], place: &Place, texts: &mut [String]) {
        let Some(beside) = values.iter().position(|value| !self.is_untyped(value)).map(|first| texts[first].clone()) else { return };
        for (value, text) in values.iter().zip(texts) {
            if let Some(constant) = self.constant_as(value, place, &beside) {
                *text = constant;
            }
        }
    }

    fn case(&mut self, case: &Case) -> Result<String, Problem> {
        let results: Vec<&Expression> = case.branches.iter().map(|(_, result)| result).chain(&case.otherwise).collect();
        let place = self.common_place(&results);
        let subject = case.operand.as_ref().filter(|operand| !is_plain(operand));
        let subject = subject.map(|operand| Ok((operand, self.padded_value(operand)?))).transpose()?;
        let (mut whens, mut thens) = (Vec::new(), Vec::new());
        for (when, then) in &case.branches {
            whens.push(match (&subject, &case.operand) {
                (Some((operand, text)), _) => {
                    let beside = Place::Compared(self.type_of(operand).filter(|_| !self.has_blanks(operand)));
                    self.value_as(when, &beside, text)?
                }
                (None, Some(operand)) => self.comparison(operand, Comparison::Equal, when)?,
                (None, None) => self.condition(when)?,
            });
            thens.push(self.value_in(then, &place)?);
        }
        if let Some(otherwise) = &case.otherwise {
            thens.push(self.value_in(otherwise, &place)?);
        }
        self.settle_constants(&results, &place, &mut thens);
        let mut text = subject.map_or("(CASE".to_string(), |(_, subject)| format!("(CASE {subject}"));
        for (when, then) in whens.iter().zip(&thens) {
            text.push_str(&format!(" WHEN {when} THEN {then}"));
        }
        if let Some(otherwise) = thens.get(whens.len()) {
            text.push_str(&format!(" ELSE {otherwise}"));
        }
        text.push_str(" END)");
        Ok(text)
    }
}

/// The text is an integer that every variable of the type can have.
fn fits(text: &str, data_type: &DataType) -> bool {
    let digits = text.trim().trim_start_matches(['+', '-']);
    let digits_max = match data_type {
        DataType::SmallInt => 4,
        DataType::Integer => 9,
        _ => 18,
    };
    (1..=digits_max).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A string that is in no format of Db2: the server may know it (`today`), the function does not.
fn converted_at_run_time(text: &str, data_type: &DataType) -> String {
    let function = match data_type {
        DataType::Date => "date",
        DataType::Time => "time",
        _ => "timestamp",
    };
    format!("db2.{function}({})", string(text))
}

/// A constant that can hardly be anything but a date, time or timestamp in a format that the server does not know.
fn datetime_string(value: &Expression) -> Option<&str> {
    match &value.kind {
        ExpressionKind::Literal(Literal::String(text)) => datetime::iso_if_certain(text).map(|_| text.as_str()),
        _ => None,
    }
}

/// What may be evaluated once for each comparison.
fn is_plain(operand: &Expression) -> bool {
    matches!(operand.kind, ExpressionKind::Column(_) | ExpressionKind::Host(_) | ExpressionKind::Literal(_) | ExpressionKind::Marker(_))
}

fn binary(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("'\\x{digits}'::bytea")
}

/// A special register: times are those of the start of the statement.
fn register(name: &str) -> String {
    match name {
        "CURRENT DATE" => "db2.now()::date".to_string(),
        "CURRENT TIME" => "date_trunc('second', db2.now())::time(0)".to_string(),
        "CURRENT TIMESTAMP" => "db2.now()".to_string(),
        "CURRENT TIMEZONE" | "SESSION TIMEZONE" => "db2.timezone()".to_string(),
        _ => format!("db2.register({})", string(name)),
    }
}
