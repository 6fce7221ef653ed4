//! Search conditions.

use super::{Emitter, Place};
use crate::ast::{Comparison, DataType, Expression, ExpressionKind, Query};
use crate::lexer::Literal;
use crate::problem::Problem;

fn symbol(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}

fn not(negated: bool) -> &'static str {
    if negated { "NOT " } else { "" }
}

impl Emitter<'_> {
    /// A condition as an operand of AND, OR and NOT.
    pub fn condition(&mut self, condition: &Expression) -> Result<String, Problem> {
        Ok(match &condition.kind {
            ExpressionKind::And(parts) => self.joined(parts, " AND ")?,
            ExpressionKind::Or(parts) => self.joined(parts, " OR ")?,
            ExpressionKind::Not(part) => format!("(NOT {})", self.condition(part)?),
            ExpressionKind::Compare { left, operator, right } => self.comparison(left, *operator, right)?,
            ExpressionKind::Quantified { left, operator, all, query } => self.quantified(left, *operator, *all, query)?,
            ExpressionKind::Between { value, negated, low, high } => {
                let texts = self.ordered(&[value, low, high])?;
                format!("({} {}BETWEEN {} AND {})", texts[0], not(*negated), texts[1], texts[2])
            }
            ExpressionKind::InList { value, negated, list } => self.in_list(value, *negated, list)?,
            ExpressionKind::InQuery { value, negated, query } => {
                let value = self.value(value, &Place::Compared(None))?;
                format!("({value} {}IN ({}))", not(*negated), self.query(query)?)
            }
            ExpressionKind::Like { value, negated, pattern, escape } => self.like(value, *negated, pattern, escape.as_deref())?,
            ExpressionKind::Exists(query) => format!("EXISTS ({})", self.query(query)?),
            ExpressionKind::IsNull { value, negated } => {
                format!("({} IS {}NULL)", self.value(value, &Place::Alone)?, not(*negated))
            }
            ExpressionKind::Distinct { left, negated, right } => {
                let texts = self.told_apart(left, right)?;
                format!("({} IS {}DISTINCT FROM {})", texts[0], not(*negated), texts[1])
            }
            _ => return Err(Problem::unexpected(condition.offset, "<EXPRESSION>", "<SEARCH-CONDITION>")),
        })
    }

    fn joined(&mut self, parts: &[Expression], word: &str) -> Result<String, Problem> {
        let parts: Vec<String> = parts.iter().map(|part| self.condition(part)).collect::<Result<_, _>>()?;
        Ok(format!("({})", parts.join(word)))
    }

    pub fn comparison(&mut self, left: &Expression, operator: Comparison, right: &Expression) -> Result<String, Problem> {
        let equality = matches!(operator, Comparison::Equal | Comparison::NotEqual);
        if let (ExpressionKind::Row(left), ExpressionKind::Row(right)) = (&left.kind, &right.kind) {
            return self.row_comparison(left, operator, right);
        }
        if matches!(left.kind, ExpressionKind::Marker(_)) && matches!(right.kind, ExpressionKind::Marker(_)) {
            return Err(Problem::new(-417, "42609", left.offset, &[], "both operands of a comparison are parameter markers"));
        }
        if equality && let Some(same) = self.same(left, right)? {
            return Ok(if operator == Comparison::Equal { same } else { format!("(NOT {same})") });
        }
        if equality && let Some([left, right]) = self.padded_beside(left, right)? {
            return Ok(format!("({left} {} {right})", symbol(operator)));
        }
        let texts = if equality { self.equated(&[left, right])? } else { self.ordered(&[left, right])? };
        Ok(format!("({} {} {})", texts[0], symbol(operator), texts[1]))
    }

    /// A column that is, or may be, VARCHAR and a string that equals it but for trailing blanks, which may be on both sides. `None`: the
    /// server's own comparison does.
    fn same(&mut self, left: &Expression, right: &Expression) -> Result<Option<String>, Problem> {
        let (column, other) = if self.is_untyped(left) { (right, left) } else { (left, right) };
        if !self.is_column_with_blanks(column) || !self.may_be_string(other) {
            return Ok(None);
        }
        let place = self.place_beside(column);
        let column = self.value(column, &Place::Alone)?;
        let other = self.value_beside(other, &place, &column)?;
        Ok(Some(format!("db2.same({column}, {other})")))
    }

    /// Operands that are computed and may be VARCHAR: no index serves them, so that they can lose their trailing blanks.
    fn padded_beside(&mut self, left: &Expression, right: &Expression) -> Result<Option<[String; 2]>, Problem> {
        let (computed, other) = if self.is_untyped(left) { (right, left) } else { (left, right) };
        let has_column = [computed, other].iter().any(|operand| matches!(operand.kind, ExpressionKind::Column(_)));
        if has_column || !self.has_blanks(computed) || !(self.may_be_string(other) || self.has_blanks(other)) {
            return Ok(None);
        }
        Ok(Some(self.padded_operands(left, right)?))
    }

    /// A value that compares without trailing blanks, if it has any.
    pub fn padded_value(&mut self, value: &Expression) -> Result<String, Problem> {
        let text = self.value(value, &Place::Alone)?;
        Ok(match self.type_of(value) {
            _ if !self.has_blanks(value) => text,
            Some(_) => padded(text),
            None => format!("db2.padded({text})"),
        })
    }

    /// A value whose trailing blanks the server compares, as far as is known.
    pub fn has_blanks(&self, value: &Expression) -> bool {
        use ExpressionKind::{Call, Case, Chain, Column, Subquery};
        matches!(value.kind, Column(_) | Call(_) | Case(_) | Chain { .. } | Subquery(_))
            && !self.is_untyped(value)
            && self.may_be_character(value)
            && matches!(self.type_of(value), None | Some(DataType::VarChar { bits: false, .. }))
    }

    fn is_column_with_blanks(&self, value: &Expression) -> bool {
        matches!(value.kind, ExpressionKind::Column(_)) && self.has_blanks(value)
    }

    /// A constant, host variable or marker that may be a character string.
    fn may_be_string(&self, value: &Expression) -> bool {
        let is_typed = !self.is_untyped(value) || matches!(value.kind, ExpressionKind::Null);
        !is_typed && self.type_of(value).is_none_or(|data_type| data_type.is_character())
    }

    /// Where the string stands: one beside VARCHAR stays as it is.
    fn place_beside(&self, column: &Expression) -> Place {
        let column_type = self.type_of(column);
        if column_type.is_some() { Place::Assigned(column_type) } else { Place::Compared(None) }
    }

    /// A value among strings: X'..' is characters, also those that are no text.
    fn string_value(&mut self, value: &Expression, place: &Place) -> Result<String, Problem> {
        const STRING: DataType = DataType::Char { length: 0, bits: false };
        match value.kind {
            ExpressionKind::Literal(Literal::Hexadecimal(_)) => self.value(value, &Place::Assigned(Some(STRING))),
            _ => self.value(value, place),
        }
    }

    /// What `column` is compared with in `db2.same`.
    fn value_beside(&mut self, value: &Expression, place: &Place, column: &str) -> Result<String, Problem> {
        match &value.kind {
            ExpressionKind::Literal(Literal::Hexadecimal(bytes)) if *place == Place::Compared(None) => Ok(self.either(bytes)),
            _ => self.value_as(value, place, column),
        }
    }

    /// Operands of IS DISTINCT FROM, which no index serves.
    fn told_apart(&mut self, left: &Expression, right: &Expression) -> Result<Vec<String>, Problem> {
        let is_string = |value: &Expression| self.has_blanks(value) || self.may_be_string(value);
        if !(is_string(left) && is_string(right)) || (self.is_untyped(left) && self.is_untyped(right)) {
            return self.equated(&[left, right]);
        }
        Ok(self.padded_operands(left, right)?.into())
    }

    /// Operands of a comparison without trailing blanks.
    fn padded_operands(&mut self, left: &Expression, right: &Expression) -> Result<[String; 2], Problem> {
        let mut texts = [self.padded_operand(left)?, self.padded_operand(right)?];
        for (index, operand) in [left, right].into_iter().enumerate() {
            if let Some(constant) = self.constant_as(operand, &Place::Compared(None), &texts[1 - index]) {
                texts[index] = constant;
            }
        }
        Ok(texts)
    }

    fn padded_operand(&mut self, operand: &Expression) -> Result<String, Problem> {
        if self.is_untyped(operand) { self.string_value(operand, &Place::Compared(None)) } else { self.padded_value(operand) }
    }

    /// Rows are equal if each of their values is.
    fn row_comparison(&mut self, left: &[Expression], operator: Comparison, right: &[Expression]) -> Result<String, Problem> {
        if left.len() != right.len() {
            return Err(Problem::new(-216, "428C4", left[0].offset, &[], "the rows that are compared have different numbers of values"));
        }
        let pairs = left.iter().zip(right);
        if matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            let equalities: Vec<String> =
                pairs.map(|(left, right)| self.comparison(left, Comparison::Equal, right)).collect::<Result<_, _>>()?;
            return Ok(any_or_all(&equalities, " AND ", operator == Comparison::NotEqual));
        }
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        for (left, right) in pairs {
            let texts = self.ordered(&[left, right])?;
            lefts.push(texts[0].clone());
            rights.push(texts[1].clone());
        }
        Ok(format!("(({}) {} ({}))", lefts.join(", "), symbol(operator), rights.join(", ")))
    }

    /// Operands of an equality, each with the type of the others beside it.
    fn equated(&mut self, operands: &[&Expression]) -> Result<Vec<String>, Problem> {
        if self.pads(operands) {
            let place = Place::Assigned(None);
            let texts: Vec<String> = operands.iter().map(|operand| self.value(operand, &place)).collect::<Result<_, _>>()?;
            return Ok(texts.into_iter().map(padded).collect());
        }
        self.beside(operands)
    }

    /// Db2 ignores trailing blanks in comparisons, PostgreSQL those of CHAR alone. Columns are compared as they are, so that indexes serve.
    fn pads(&self, operands: &[&Expression]) -> bool {
        let computed = operands.iter().any(|operand| {
            matches!(operand.kind, ExpressionKind::Chain { .. } | ExpressionKind::Case(_))
                && matches!(self.type_of(operand), Some(DataType::VarChar { bits: false, .. }))
        });
        let constant = operands.len() > 1
            && operands.iter().all(|operand| self.is_untyped(operand) && self.type_of(operand).is_some_and(|own| own.is_character()));
        let character = operands.iter().all(|operand| self.type_of(operand).is_none_or(|data_type| data_type.is_character()));
        let plain = operands.iter().all(|operand| !matches!(operand.kind, ExpressionKind::Subquery(_) | ExpressionKind::Marker(_)));
        (computed || constant) && character && plain
    }

    /// Operands of which one tells the type of the parameters and constants beside it.
    fn beside(&mut self, operands: &[&Expression]) -> Result<Vec<String>, Problem> {
        let types: Vec<Option<DataType>> = operands.iter().map(|operand| self.type_of(operand)).collect();
        let string = |index: usize| !self.is_untyped(operands[index]) && types[index].as_ref().is_some_and(DataType::is_character);
        let other = types.iter().flatten().find(|data_type| data_type.is_number() || data_type.is_datetime()).cloned();
        if let Some(other) = other
            && (0..operands.len()).any(string)
        {
            return operands.iter().map(|operand| self.converted(operand, &other)).collect();
        }
        let typed = operands.iter().copied().find(|operand| !self.is_untyped(operand));
        let place = match typed {
            Some(operand) => Place::Compared(self.type_of(operand)),
            None => Place::Alone,
        };
        let number = types.iter().flatten().any(DataType::is_number);
        operands
            .iter()
            .map(|operand| match number {
                _ if self.is_untyped(operand) => self.value(operand, &place),
                true => self.beside_number(operand),
                false => self.value(operand, &Place::Alone),
            })
            .collect()
    }

    /// An operand beside a number: a column whose type only the server knows may be a string.
    fn beside_number(&mut self, operand: &Expression) -> Result<String, Problem> {
        let text = self.value(operand, &Place::Alone)?;
        let is_in_question = matches!(operand.kind, ExpressionKind::Column(_)) && self.type_of(operand).is_none();
        Ok(if is_in_question { format!("db2.beside_number({text})") } else { text })
    }

    /// Operands of `<`, `>` or BETWEEN: characters compare in the order of EBCDIC.
    pub fn ordered(&mut self, operands: &[&Expression]) -> Result<Vec<String>, Problem> {
        let other = operands.iter().any(|operand| !self.may_be_character(operand));
        if other || !self.options.ebcdic_order {
            return self.beside(operands);
        }
        let guide = operands.iter().copied().find(|operand| !self.is_untyped(operand) && self.type_of(operand).is_none());
        let Some(guide) = guide else {
            return operands
                .iter()
                .map(|operand| {
                    let untyped = self.is_untyped(operand);
                    let text = self.string_value(operand, if untyped { &Place::Assigned(None) } else { &Place::Alone })?;
                    Ok(if untyped { format!("db2.ebcdic({})", padded(text)) } else { format!("db2.ebcdic({text})") })
                })
                .collect();
        };
        let guide = self.value(guide, &Place::Alone)?;
        let place = Place::Compared(None);
        operands
            .iter()
            .map(|operand| {
                let untyped = self.is_untyped(operand);
                let text = self.string_value(operand, if untyped { &place } else { &Place::Alone })?;
                Ok(if untyped { format!("db2.ebcdic_as({guide}, {text})") } else { format!("db2.ebcdic({text})") })
            })
            .collect()
    }

    fn quantified(&mut self, left: &Expression, operator: Comparison, all: bool, query: &Query) -> Result<String, Problem> {
        let quantifier = if all { "ALL" } else { "ANY" };
        let equality = matches!(operator, Comparison::Equal | Comparison::NotEqual);
        let number = !self.may_be_character(left);
        let value = self.value(left, if number { &Place::Compared(None) } else { &Place::Alone })?;
        let body = self.query(query)?;
        if equality || number || !self.options.ebcdic_order {
            return Ok(format!("({value} {} {quantifier} ({body}))", symbol(operator)));
        }
        let name = self.invented_name();
        let ordered = format!("SELECT db2.ebcdic({name}.c) FROM ({body}) AS {name}(c)");
        Ok(format!("(db2.ebcdic({value}) {} {quantifier} ({ordered}))", symbol(operator)))
    }

    fn in_list(&mut self, value: &Expression, negated: bool, list: &[Expression]) -> Result<String, Problem> {
        if let ExpressionKind::Row(columns) = &value.kind {
            return self.row_in_list(columns, negated, list);
        }
        let (strings, others): (Vec<&Expression>, Vec<&Expression>) = list.iter().partition(|item| self.may_be_string(item));
        let is_plain = strings.is_empty() || (self.is_untyped(value) && others.is_empty());
        if !is_plain && others.is_empty() && self.has_blanks(value) {
            return self.same_as_one(value, negated, &strings);
        }
        if !is_plain && self.has_blanks(value) || self.is_untyped(value) && others.iter().any(|item| self.has_blanks(item)) {
            return self.equal_to_one(value, negated, list);
        }
        self.plain_list(value, negated, list)
    }

    /// IN with items of which some have trailing blanks to be ignored and others none.
    fn equal_to_one(&mut self, value: &Expression, negated: bool, list: &[Expression]) -> Result<String, Problem> {
        let mut equalities = Vec::new();
        for item in list {
            equalities.push(match item.kind {
                ExpressionKind::Host(_) if self.has_blanks(value) => self.same_as_one(value, false, &[item])?,
                ExpressionKind::Host(_) => self.plain_list(value, false, std::slice::from_ref(item))?,
                _ => self.comparison(value, Comparison::Equal, item)?,
            });
        }
        Ok(any_or_all(&equalities, " OR ", negated))
    }

    /// The server's own IN.
    fn plain_list(&mut self, value: &Expression, negated: bool, list: &[Expression]) -> Result<String, Problem> {
        let mut operands = vec![value];
        operands.extend(list);
        let typed = operands.iter().copied().find(|operand| !self.is_untyped(operand));
        let data_type = typed.and_then(|operand| self.type_of(operand));
        let pads = self.pads(&operands[..1]) && list.iter().all(|item| self.is_untyped(item));
        let place = if typed.is_some() && !pads { Place::Compared(data_type) } else { Place::Alone };
        let number = list.iter().any(|item| self.type_of(item).is_some_and(|data_type| data_type.is_number()));
        let mut text = match number {
            _ if self.is_untyped(value) => self.value(value, &place)?,
            true => self.beside_number(value)?,
            false => self.value(value, &Place::Alone)?,
        };
        if pads {
            text = padded(text);
        }
        let mut items = Vec::new();
        for item in list {
            match (&item.kind, self.is_untyped(item)) {
                (ExpressionKind::Host(reference), _) => items.extend(self.host_items(*reference, &place)),
                (_, true) => items.push(self.value(item, &place)?),
                (_, false) => items.push(self.value(item, &Place::Alone)?),
            }
        }
        Ok(format!("({text} {}IN ({}))", not(negated), items.join(", ")))
    }

    /// IN with strings: an index finds each of them, if the value is a column.
    fn same_as_one(&mut self, value: &Expression, negated: bool, list: &[&Expression]) -> Result<String, Problem> {
        let is_looked_up = self.is_column_with_blanks(value);
        let place = if is_looked_up { self.place_beside(value) } else { Place::Compared(None) };
        let value = if is_looked_up { self.value(value, &Place::Alone)? } else { self.padded_value(value)? };
        let mut items = Vec::new();
        for item in list {
            match &item.kind {
                ExpressionKind::Host(reference) => items.extend(self.host_items(*reference, &place)),
                _ if is_looked_up => items.push(self.value_beside(item, &place, &value)?),
                _ => {
                    let text = self.string_value(item, &place)?;
                    items.push(self.constant_as(item, &place, &value).unwrap_or(text));
                }
            }
        }
        if !is_looked_up {
            return Ok(format!("({value} {}IN ({}))", not(negated), items.join(", ")));
        }
        let equalities: Vec<String> = items.iter().map(|item| format!("db2.same({value}, {item})")).collect();
        Ok(any_or_all(&equalities, " OR ", negated))
    }

    fn row_in_list(&mut self, columns: &[Expression], negated: bool, list: &[Expression]) -> Result<String, Problem> {
        let mut rows = Vec::new();
        for row in list {
            let ExpressionKind::Row(values) = &row.kind else {
                return Err(Problem::unexpected(row.offset, "<EXPRESSION>", "("));
            };
            rows.push(self.row_comparison(columns, Comparison::Equal, values)?);
        }
        Ok(any_or_all(&rows, " OR ", negated))
    }

    /// LIKE has no escape character unless one is named.
    fn like(&mut self, value: &Expression, negated: bool, pattern: &Expression, escape: Option<&Expression>) -> Result<String, Problem> {
        let text = self.value(value, &Place::Alone)?;
        let text = match self.type_of(value) {
            Some(data_type) if data_type.is_number() || data_type.is_datetime() => format!("db2.varchar({text})"),
            _ => text,
        };
        let pattern = self.value(pattern, &Place::Alone)?;
        let escape = match escape {
            Some(escape) => self.value(escape, &Place::Alone)?,
            None => "''".to_string(),
        };
        Ok(format!("({text} {}LIKE {pattern} ESCAPE {escape})", not(negated)))
    }
}

/// Conditions joined by AND or OR.
fn any_or_all(conditions: &[String], word: &str, negated: bool) -> String {
    let joined = conditions.join(word);
    if negated { format!("(NOT ({joined}))") } else { format!("({joined})") }
}

/// A string that compares without regard to trailing blanks.
fn padded(text: String) -> String {
    if text.ends_with("::bpchar") { text } else { format!("{text}::bpchar") }
}
