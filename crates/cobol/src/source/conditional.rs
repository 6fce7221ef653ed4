//! Conditional compilation: >>DEFINE, >>IF, >>ELSE, >>END-IF, >>EVALUATE, >>WHEN, >>END-EVALUATE.
//!
//! Invariants: a line is compiled when every open construct is in its chosen branch; in other branches only the nesting directives are
//! read; each construct must be closed in the file that opened it.

use super::words::{TextWord, WordKind};
use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Number(i64),
    Text(String),
    /// B'0' and B'1'.
    Boolean(bool),
}

#[derive(Debug)]
struct Level {
    evaluate: bool,
    /// Lines of the present branch are compiled.
    active: bool,
    /// A branch has been chosen.
    taken: bool,
    /// The surrounding text is compiled.
    outer: bool,
    /// >>EVALUATE subject; `None` for EVALUATE TRUE.
    subject: Option<Value>,
}

/// Names and open constructs.
#[derive(Debug, Default)]
pub struct Conditional {
    names: FxHashMap<String, Value>,
    /// Values of the DEFINE option.
    parameters: Vec<(String, Value)>,
    levels: Vec<Level>,
}

impl Conditional {
    /// With the names and values of the DEFINE option; a name without a value is 1. They are defined from the start, and stand for
    /// PARAMETER in a >>DEFINE of the program.
    pub fn with_parameters(defines: &[(String, String)]) -> Conditional {
        let value = |text: &str| match text.parse::<i64>() {
            _ if text.is_empty() => Value::Number(1),
            Ok(number) => Value::Number(number),
            Err(_) => Value::Text(text.trim_matches(['\'', '"']).to_string()),
        };
        let parameters: Vec<(String, Value)> = defines.iter().map(|(name, text)| (name.to_ascii_uppercase(), value(text))).collect();
        Conditional { names: parameters.iter().cloned().collect(), parameters, levels: Vec::new() }
    }

    /// Whether lines are compiled at this point.
    pub fn active(&self) -> bool {
        self.levels.last().is_none_or(|level| level.active)
    }

    /// Open constructs; a file must end with as many as it began with.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Closes constructs that a file left open.
    pub fn close_to(&mut self, depth: usize) {
        self.levels.truncate(depth);
    }

    /// Handles a directive whose words follow `>>`. `None`: it is another directive. An error is a message.
    pub fn directive(&mut self, words: &[TextWord]) -> Option<Result<(), String>> {
        let first = words.first().filter(|word| word.kind == WordKind::Word)?.text.to_ascii_uppercase();
        let rest = &words[1..];
        Some(match first.as_str() {
            "DEFINE" if self.active() => self.define(rest),
            "DEFINE" => Ok(()),
            "IF" => {
                let outer = self.active();
                let result = if outer { self.condition(rest) } else { Ok(false) };
                let truth = *result.as_ref().unwrap_or(&false);
                self.levels.push(Level { evaluate: false, active: outer && truth, taken: truth, outer, subject: None });
                result.map(|_| ())
            }
            "ELSE" => self.branch(false, |_| Ok(true)),
            "EVALUATE" => {
                let outer = self.active();
                let subject = match rest.first() {
                    Some(word) if !word.is_word("TRUE") && outer => self.operand(rest).map(|(value, _)| Some(value)),
                    _ => Ok(None),
                };
                let result = subject.as_ref().map(|_| ()).map_err(Clone::clone);
                self.levels.push(Level { evaluate: true, active: false, taken: false, outer, subject: subject.unwrap_or(None) });
                result
            }
            "WHEN" => self.when(rest),
            "END-IF" => self.close(false),
            "END-EVALUATE" => self.close(true),
            _ => return None,
        })
    }

    fn close(&mut self, evaluate: bool) -> Result<(), String> {
        match self.levels.pop() {
            Some(level) if level.evaluate == evaluate => Ok(()),
            Some(level) => {
                self.levels.push(level);
                Err("the directive does not close the construct that is open".into())
            }
            None => Err("the directive closes a construct that is not open".into()),
        }
    }

    fn branch(&mut self, evaluate: bool, truth: impl FnOnce(&Conditional) -> Result<bool, String>) -> Result<(), String> {
        let Some(level) = self.levels.last() else { return Err("the directive is outside a construct".into()) };
        if level.evaluate != evaluate {
            return Err("the directive does not belong to the construct that is open".into());
        }
        let open = level.outer && !level.taken;
        let result = if open { truth(self) } else { Ok(false) };
        let chosen = *result.as_ref().unwrap_or(&false);
        if let Some(level) = self.levels.last_mut() {
            level.active = chosen;
            level.taken |= chosen;
        }
        result.map(|_| ())
    }

    fn when(&mut self, rest: &[TextWord]) -> Result<(), String> {
        let subject = self.levels.last().and_then(|level| level.subject.clone());
        self.branch(true, |state| {
            if rest.first().is_some_and(|word| word.is_word("OTHER")) {
                return Ok(true);
            }
            let Some(subject) = subject else { return state.condition(rest) };
            let (low, used) = state.operand(rest)?;
            match rest.get(used) {
                Some(word) if word.is_word("THRU") || word.is_word("THROUGH") => {
                    let (high, _) = state.operand(&rest[used + 1..])?;
                    Ok(compare(&subject, &low)?.is_ge() && compare(&subject, &high)?.is_le())
                }
                _ => Ok(subject == low),
            }
        })
    }

    /// DEFINE name [AS] value | PARAMETER | OFF [OVERRIDE]
    fn define(&mut self, words: &[TextWord]) -> Result<(), String> {
        let name = words.first().filter(|word| word.kind == WordKind::Word).ok_or("DEFINE needs a name")?.text.to_ascii_uppercase();
        let mut rest = &words[1..];
        if rest.first().is_some_and(|word| word.is_word("AS")) {
            rest = &rest[1..];
        }
        match rest.first() {
            Some(word) if word.is_word("OFF") => {
                self.names.remove(&name);
            }
            // PARAMETER: the value given by the DEFINE option; without one the name stays undefined.
            Some(word) if word.is_word("PARAMETER") => {
                let given = self.parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
                if let Some(value) = given {
                    self.names.insert(name, value);
                }
            }
            Some(_) => {
                let (value, used) = self.operand(rest)?;
                let again = rest.get(used).is_some_and(|word| word.is_word("OVERRIDE"));
                if self.names.get(&name).is_some_and(|old| *old != value) && !again {
                    return Err(format!("{name} is already defined with another value"));
                }
                self.names.insert(name, value);
            }
            None => {
                self.names.insert(name, Value::Number(1));
            }
        }
        Ok(())
    }

    fn condition(&self, words: &[TextWord]) -> Result<bool, String> {
        let (truth, used) = self.disjunction(words, 0)?;
        match words.get(used) {
            Some(extra) => Err(format!("`{}` is not expected in the condition", extra.text)),
            None => Ok(truth),
        }
    }

    fn disjunction(&self, words: &[TextWord], depth: u32) -> Result<(bool, usize), String> {
        let (mut truth, mut at) = self.conjunction(words, depth)?;
        while words.get(at).is_some_and(|word| word.is_word("OR")) {
            let (next, used) = self.conjunction(&words[at + 1..], depth)?;
            truth |= next;
            at += used + 1;
        }
        Ok((truth, at))
    }

    fn conjunction(&self, words: &[TextWord], depth: u32) -> Result<(bool, usize), String> {
        let (mut truth, mut at) = self.simple(words, depth)?;
        while words.get(at).is_some_and(|word| word.is_word("AND")) {
            let (next, used) = self.simple(&words[at + 1..], depth)?;
            truth &= next;
            at += used + 1;
        }
        Ok((truth, at))
    }

    fn simple(&self, words: &[TextWord], depth: u32) -> Result<(bool, usize), String> {
        let first = words.first().ok_or("the condition is not complete")?;
        if depth > 50 {
            return Err("the condition nests too deeply".into());
        }
        if first.is_word("NOT") {
            let (truth, used) = self.simple(&words[1..], depth + 1)?;
            return Ok((!truth, used + 1));
        }
        if first.is_symbol('(') {
            let (truth, used) = self.disjunction(&words[1..], depth + 1)?;
            if words.get(used + 1).is_some_and(|word| word.is_symbol(')')) {
                return Ok((truth, used + 2));
            }
            return Err("a parenthesis is not closed in the condition".into());
        }
        let mut at = 1;
        at += usize::from(words.get(at).is_some_and(|word| word.is_word("IS")));
        let negated = words.get(at).is_some_and(|word| word.is_word("NOT"));
        at += usize::from(negated);
        if words.get(at).is_some_and(|word| word.is_word("DEFINED")) {
            let defined = self.names.contains_key(&first.text.to_ascii_uppercase());
            return Ok((defined != negated, at + 1));
        }
        // A variable that has a boolean value is a condition.
        if let Ok((Value::Boolean(truth), 1)) = self.factor(words)
            && words.get(1).is_none_or(|next| next.is_word("AND") || next.is_word("OR") || next.is_symbol(')'))
        {
            return Ok((truth, 1));
        }
        self.relation(words)
    }

    fn relation(&self, words: &[TextWord]) -> Result<(bool, usize), String> {
        let (left, mut at) = self.operand(words)?;
        let skip = |at: &mut usize, word: &str| {
            let found = words.get(*at).is_some_and(|next| next.is_word(word));
            *at += usize::from(found);
            found
        };
        skip(&mut at, "IS");
        let negated = skip(&mut at, "NOT");
        let operator = words.get(at).ok_or("the condition is not complete")?;
        at += 1;
        let glued = words.get(at).is_some_and(|next| !next.spaced);
        let or_equal = glued && words.get(at).is_some_and(|next| next.is_symbol('='));
        let unequal = glued && operator.is_symbol('<') && words.get(at).is_some_and(|next| next.is_symbol('>'));
        at += usize::from(or_equal || unequal);
        let kind = operator.text.to_ascii_uppercase();
        skip(&mut at, "THAN");
        skip(&mut at, "TO");
        let mut or_equal = or_equal;
        if words.get(at).is_some_and(|next| next.is_word("OR")) && words.get(at + 1).is_some_and(|next| next.is_word("EQUAL")) {
            or_equal = true;
            at += 2;
            skip(&mut at, "TO");
        }
        let (right, used) = self.operand(words.get(at..).unwrap_or(&[]))?;
        let order = compare(&left, &right)?;
        let truth = match kind.as_str() {
            "=" | "EQUAL" => order.is_eq(),
            "<" if unequal => order.is_ne(),
            "<" | "LESS" => order.is_lt() || (or_equal && order.is_eq()),
            ">" | "GREATER" => order.is_gt() || (or_equal && order.is_eq()),
            other => return Err(format!("`{other}` is not a comparison")),
        };
        Ok((truth != negated, at + used))
    }

    /// A value, or integers with + - * and /, whose quotient is truncated to an integer (compile-time arithmetic expressions).
    fn operand(&self, words: &[TextWord]) -> Result<(Value, usize), String> {
        let (mut value, mut at) = self.term(words)?;
        while let Some(operator) = words.get(at).filter(|word| word.is_symbol('+') || word.is_symbol('-')) {
            let (next, used) = self.term(&words[at + 1..])?;
            value = calculated(value, &operator.text, next)?;
            at += used + 1;
        }
        Ok((value, at))
    }

    fn term(&self, words: &[TextWord]) -> Result<(Value, usize), String> {
        let (mut value, mut at) = self.factor(words)?;
        while let Some(operator) = words.get(at).filter(|word| word.is_symbol('*') || word.is_symbol('/')) {
            let (next, used) = self.factor(&words[at + 1..])?;
            value = calculated(value, &operator.text, next)?;
            at += used + 1;
        }
        Ok((value, at))
    }

    fn factor(&self, words: &[TextWord]) -> Result<(Value, usize), String> {
        let first = words.first().ok_or("a value is missing")?;
        match first.kind {
            WordKind::Literal if first.text.starts_with(['B', 'b']) => match first.text[1..].trim_matches(['\'', '"']) {
                "0" => Ok((Value::Boolean(false), 1)),
                "1" => Ok((Value::Boolean(true), 1)),
                other => Err(format!("B'{other}' is not a boolean literal of one digit")),
            },
            WordKind::Literal => {
                let text = first.text.trim_start_matches(|c: char| c.is_alphabetic());
                Ok((Value::Text(text.trim_matches(['\'', '"']).to_string()), 1))
            }
            WordKind::Word => match first.text.parse::<i64>() {
                Ok(number) => Ok((Value::Number(number), 1)),
                Err(_) => {
                    let name = first.text.to_ascii_uppercase();
                    self.names.get(&name).cloned().map(|value| (value, 1)).ok_or(format!("{name} is not defined"))
                }
            },
            _ if first.is_symbol('-') || first.is_symbol('+') => {
                let number = words.get(1).and_then(|word| word.text.parse::<i64>().ok()).ok_or("a number is missing after the sign")?;
                Ok((Value::Number(if first.is_symbol('-') { -number } else { number }), 2))
            }
            _ => Err(format!("`{}` is not a value", first.text)),
        }
    }
}

fn calculated(left: Value, operator: &str, right: Value) -> Result<Value, String> {
    let (Value::Number(left), Value::Number(right)) = (left, right) else {
        return Err(format!("`{operator}` needs numbers"));
    };
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        _ => left.checked_div(right),
    };
    result.map(Value::Number).ok_or(format!("{left} {operator} {right} has no value"))
}

fn compare(left: &Value, right: &Value) -> Result<std::cmp::Ordering, String> {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => Ok(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
        (Value::Boolean(a), Value::Boolean(b)) => Ok(a.cmp(b)),
        (Value::Boolean(_), _) | (_, Value::Boolean(_)) => Err("a boolean is compared with another value".into()),
        _ => Err("a number is compared with a literal".into()),
    }
}
