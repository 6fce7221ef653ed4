//! Function calls: built-in functions by their forms, others by their names.

use super::{Emitter, Place};
use crate::ast::{Call, Comparison, DataType, Expression, ExpressionKind, SortKey, Window};
use crate::functions::{self, Function, FunctionKind};
use crate::lexer::Literal;
use crate::names::string;
use crate::problem::Problem;

/// Schemas of built-in functions.
const BUILT_IN_SCHEMAS: &[&str] = &["SYSIBM", "SYSFUN"];

impl Emitter<'_> {
    pub fn call(&mut self, call: &Call) -> Result<String, Problem> {
        let qualifier = call.name.qualifiers().last();
        let built_in = qualifier.is_none_or(|schema| BUILT_IN_SCHEMAS.contains(&schema.as_str()));
        let count = call.arguments.len() + usize::from(call.keyword.is_some());
        let name = call.name.last();
        let function = if built_in { functions::find(name, count) } else { Ok(None) };
        let function = function.map_err(|()| {
            let text = format!("{name} does not have {count} arguments");
            Problem::new(-170, "42605", call.name.offset, &[name], text)
        })?;
        let Some(function) = function else { return self.user_function(call) };
        if function.form == "!" {
            return Err(Problem::unsupported(call.name.offset, &format!("the function {name}")));
        }
        if function.kind == FunctionKind::Window && call.over.is_none() {
            let text = format!("{name} needs OVER");
            return Err(Problem::new(-441, "42601", call.name.offset, &[name], text));
        }
        let mut text = match function.form {
            "extract" => self.extract(call)?,
            "decode" => return self.decode(call),
            "nullif" => return self.null_if(call),
            "listagg" => self.listagg(call)?,
            "max" | "min" => self.extreme(call, function.form)?,
            "greatest" | "least" => return self.extreme_argument(call, function.form),
            _ => self.by_form(call, function)?,
        };
        if function.form.starts_with("percentile_") && !call.order.is_empty() {
            text = format!("{text} WITHIN GROUP ({})", self.plain_order(&call.order)?);
        }
        self.with_window(text, call)
    }

    /// The window stands before a cast of the form: `count(x) OVER (...)::int4`.
    fn with_window(&mut self, text: String, call: &Call) -> Result<String, Problem> {
        let Some(window) = &call.over else { return Ok(text) };
        let window = self.window(window)?;
        match text.rfind(")::") {
            Some(at) if !text[at + 3..].contains([')', '(', '\'']) => Ok(format!("{} OVER {window}{}", &text[..=at], &text[at + 1..])),
            _ => Ok(format!("{text} OVER {window}")),
        }
    }

    fn by_form(&mut self, call: &Call, function: &Function) -> Result<String, Problem> {
        let mut arguments = if function.result == "common" {
            self.values_of_one_type(&call.arguments.iter().collect::<Vec<_>>())?
        } else if call.distinct {
            call.arguments.iter().map(|argument| self.padded_value(argument)).collect::<Result<_, _>>()?
        } else {
            call.arguments.iter().map(|argument| self.value(argument, &Place::Alone)).collect::<Result<_, _>>()?
        };
        let side = matches!(call.name.last(), "STRIP" | "TRIM");
        if side {
            let keyword = trim_side(call.keyword.as_deref());
            arguments.insert(1, string(keyword));
        } else if let Some(keyword) = &call.keyword {
            arguments.push(string(keyword));
        }
        let form = self.special_form(call);
        let form = form.as_deref().unwrap_or(function.form);
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        Ok(fill(form, &arguments, distinct))
    }

    /// Forms for an argument whose type is known: a decimal number has its declared digits.
    fn special_form(&self, call: &Call) -> Option<String> {
        // A constant has the length of its characters, so SUBSTR cannot go beyond them.
        if call.name.last() == "SUBSTR" && matches!(call.arguments.first()?.kind, ExpressionKind::Literal(Literal::String(_))) {
            let length = if call.arguments.len() > 2 { ", ($3)::int4" } else { "" };
            return Some(format!("db2.substr($1::bpchar, ($2)::int4{length})"));
        }
        let data_type = self.type_of(call.arguments.first()?)?;
        match (call.name.last(), &data_type) {
            ("SUM", DataType::Decimal { .. } | DataType::Double | DataType::DecFloat { .. }) => Some("sum($1)".to_string()),
            // A sign and a point besides the digits, of which those in front are left out: blanks take their place at the end.
            ("CHAR", DataType::Decimal { precision, .. }) if call.arguments.len() == 1 => {
                Some(format!("db2.to_char($1, {})", precision + 2))
            }
            ("DIGITS", DataType::Decimal { precision, scale }) => Some(format!("db2.digits($1, {precision}, {scale})")),
            ("HEX", DataType::Decimal { precision, scale }) => {
                let nibbles = 2 * (precision / 2 + 1);
                Some(format!("lpad(db2.hex(round($1, {scale})), {nibbles}, '0')::bpchar"))
            }
            ("LENGTH", DataType::Decimal { precision, .. }) => Some(format!("(CASE WHEN $1 IS NOT NULL THEN {} END)", precision / 2 + 1)),
            _ => None,
        }
    }

    /// MAX and MIN of several arguments: null if one of them is; characters in the order of EBCDIC.
    fn extreme_argument(&mut self, call: &Call, form: &str) -> Result<String, Problem> {
        let texts: Vec<String> = call.arguments.iter().map(|argument| self.value(argument, &Place::Alone)).collect::<Result<_, _>>()?;
        let character = call.arguments.iter().all(|argument| self.may_be_character(argument) && self.type_of(argument).is_some());
        let null = |index: &usize| !matches!(call.arguments[*index].kind, ExpressionKind::Literal(_) | ExpressionKind::Marker(_));
        let tested: Vec<String> = (0..texts.len()).filter(null).map(|index| format!("{} IS NOT NULL", texts[index])).collect();
        let list = texts.join(", ");
        let value = if character && self.options.ebcdic_order {
            let function = if form == "greatest" { "max" } else { "min" };
            let name = self.invented_name();
            format!("(SELECT db2.{function}({name}.c::bpchar) FROM unnest(ARRAY[{list}]) AS {name}(c))")
        } else {
            format!("{form}({list})")
        };
        Ok(if tested.is_empty() { value } else { format!("(CASE WHEN {} THEN {value} END)", tested.join(" AND ")) })
    }

    /// MIN and MAX: characters in the order of EBCDIC.
    fn extreme(&mut self, call: &Call, function: &str) -> Result<String, Problem> {
        let argument = &call.arguments[0];
        let plain = !self.options.ebcdic_order || (self.type_of(argument).is_some() && !self.may_be_character(argument));
        let text = self.value(argument, &Place::Alone)?;
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let schema = if plain { "" } else { "db2." };
        Ok(format!("{schema}{function}({distinct}{text})"))
    }

    fn extract(&mut self, call: &Call) -> Result<String, Problem> {
        let unit = call.keyword.as_deref().unwrap_or_default();
        let value = self.value(&call.arguments[0], &Place::Alone)?;
        match unit {
            "SECOND" => Ok(format!("db2.second({value}, 6)")),
            "YEAR" | "MONTH" | "DAY" | "HOUR" | "MINUTE" => Ok(format!("db2.{}({value})", unit.to_lowercase())),
            _ => Err(Problem::unsupported(call.name.offset, &format!("EXTRACT({unit})"))),
        }
    }

    /// NULLIF(a, b): CASE WHEN a = b THEN NULL ELSE a END.
    fn null_if(&mut self, call: &Call) -> Result<String, Problem> {
        let [first, second] = &call.arguments[..] else { unreachable!("the table gives it two arguments") };
        let is_equal = self.comparison(first, Comparison::Equal, second)?;
        let value = self.values_of_one_type(&[first, second])?.swap_remove(0);
        Ok(format!("(CASE WHEN {is_equal} THEN NULL ELSE {value} END)"))
    }

    /// DECODE(x, a, r, b, s, default): NULL equals NULL.
    fn decode(&mut self, call: &Call) -> Result<String, Problem> {
        let value = &call.arguments[0];
        let data_type = self.type_of(value).filter(|_| !self.has_blanks(value));
        let subject = self.padded_value(value)?;
        let mut text = String::from("(CASE");
        let mut rest = &call.arguments[1..];
        while let [when, then, others @ ..] = rest {
            let when = self.value_as(when, &Place::Compared(data_type.clone()), &subject)?;
            let then = self.value(then, &Place::Alone)?;
            text.push_str(&format!(" WHEN {subject} IS NOT DISTINCT FROM {when} THEN {then}"));
            rest = others;
        }
        if let [otherwise] = rest {
            text.push_str(&format!(" ELSE {}", self.value(otherwise, &Place::Alone)?));
        }
        text.push_str(" END)");
        Ok(text)
    }

    fn listagg(&mut self, call: &Call) -> Result<String, Problem> {
        let value = self.value(&call.arguments[0], &Place::Alone)?;
        let separator = match call.arguments.get(1) {
            Some(separator) => self.value(separator, &Place::Alone)?,
            None => "''".to_string(),
        };
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let order = if call.order.is_empty() { String::new() } else { format!(" {}", self.plain_order(&call.order)?) };
        Ok(format!("string_agg({distinct}db2.varchar({value}), {separator}{order})"))
    }

    /// A function that is not built in.
    fn user_function(&mut self, call: &Call) -> Result<String, Problem> {
        let name = self.routine(&call.name)?;
        let arguments = self.values(&call.arguments, &Place::Alone)?;
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        self.with_window(format!("{name}({distinct}{})", arguments.join(", ")), call)
    }

    fn window(&mut self, window: &Window) -> Result<String, Problem> {
        let mut parts = Vec::new();
        if !window.partition.is_empty() {
            parts.push(format!("PARTITION BY {}", self.values(&window.partition, &Place::Alone)?.join(", ")));
        }
        if !window.order.is_empty() {
            parts.push(self.ordered_keys(&window.order)?);
        }
        parts.extend(window.frame.clone());
        Ok(format!("({})", parts.join(" ")))
    }

    /// ORDER BY inside a call: numbers are constants there, not columns.
    fn plain_order(&mut self, keys: &[SortKey]) -> Result<String, Problem> {
        self.ordered_keys(keys)
    }
}

fn trim_side(keyword: Option<&str>) -> &'static str {
    match keyword {
        Some("LEADING" | "L") => "LEADING",
        Some("TRAILING" | "T") => "TRAILING",
        _ => "BOTH",
    }
}

/// The form with its arguments.
fn fill(form: &str, arguments: &[String], distinct: &str) -> String {
    if !form.contains(['(', ':']) {
        return format!("{form}({distinct}{})", arguments.join(", "));
    }
    let mut text = String::new();
    let mut rest = form;
    let mut first = true;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        if first {
            text.push_str(distinct);
            first = false;
        }
        let place = &rest[at + 1..];
        if let Some(behind) = place.strip_prefix('*') {
            text.push_str(&arguments.join(", "));
            rest = behind;
        } else {
            let digits = place.find(|c: char| !c.is_ascii_digit()).unwrap_or(place.len());
            let index: usize = place[..digits].parse().expect("a form names its arguments by number");
            let argument = arguments.get(index - 1).map_or("NULL", String::as_str);
            rest = &place[digits..];
            // A constant needs no cast, which has parentheses of its own: `($2)::int4`, not `count($1)::int4`.
            let is_cast_alone =
                text.strip_suffix('(').is_some_and(|before| !before.ends_with(|c: char| c == '_' || c.is_ascii_alphanumeric()));
            if let Some(behind) = rest.strip_prefix(")::int4").filter(|_| is_integer(argument) && is_cast_alone) {
                text.pop();
                rest = behind;
            }
            text.push_str(argument);
        }
    }
    text.push_str(rest);
    text
}

/// An integer constant, perhaps negative: `(- 2)`.
fn is_integer(argument: &str) -> bool {
    let digits = argument.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')).unwrap_or(argument);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A call that aggregates rows.
pub fn is_aggregate(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Call(call) if call.over.is_none() => {
            functions::find(call.name.last(), call.arguments.len()).is_ok_and(|f| f.is_some_and(|f| f.kind == FunctionKind::Aggregate))
        }
        _ => false,
    }
}
