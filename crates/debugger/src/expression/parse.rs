//! From text to expression.

use super::{Expression, NESTING_MAX, OPERATORS_MAX, Operator, Reference, Relation, TEXT_MAX};
use le::Decimal;
use le::class::Class;
use le::decimal::DIGITS_MAX;
use le::movement::Figurative;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// In upper case.
    Word(String),
    Number(Decimal),
    /// The prefix in upper case (X, N, ALL is a word), and the characters.
    Literal(String, String),
    /// Operators and parentheses.
    Sign(&'static str),
}

/// Two-character signs before those they begin with.
const SIGNS: [&str; 13] = ["<=", ">=", "<>", "!=", "==", "(", ")", ":", "=", "<", ">", "+", "*"];

/// Words that no item has as its name.
const RESERVED: [&str; 17] = [
    "OF",
    "IN",
    "AND",
    "OR",
    "NOT",
    "IS",
    "TO",
    "THAN",
    "EQUAL",
    "EQUALS",
    "GREATER",
    "LESS",
    "NUMERIC",
    "ALPHABETIC",
    "LENGTH",
    "ADDRESS",
    "ALL",
];

/// Reads the whole text as one expression.
pub fn parse(text: &str) -> Result<Expression, String> {
    if text.len() > TEXT_MAX {
        return Err(format!("the expression is longer than {TEXT_MAX} characters"));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, operators: 0 };
    let expression = parser.disjunction()?;
    match parser.peek() {
        None => Ok(expression),
        Some(token) => Err(format!("{} is not expected", shown(token))),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Word(word) => word.clone(),
        Token::Number(number) => program::readable::number(number),
        Token::Literal(prefix, text) => format!("{prefix}'{text}'"),
        Token::Sign(sign) => (*sign).to_string(),
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || "-_#@$".contains(character)
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            ',' | ';' => (None, 1),
            '\'' | '"' => literal("", rest, first)?,
            '0'..='9' | '.' => number(rest)?,
            // A sign before a digit that follows no operand is the number's.
            '-' | '+' if is_signed(rest, tokens.last()) => number(rest)?,
            '-' => (Some(Token::Sign("-")), 1),
            _ if first.is_alphabetic() || "#@$_".contains(first) => word(rest)?,
            _ => {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| format!("{first} is no character of an expression"))?;
                (Some(Token::Sign(sign)), sign.len())
            }
        };
        tokens.extend(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn is_signed(text: &str, before: Option<&Token>) -> bool {
    let follows_operand = matches!(before, Some(Token::Number(_) | Token::Literal(..) | Token::Sign(")")))
        || matches!(before, Some(Token::Word(word)) if !RESERVED.contains(&word.as_str()));
    text[1..].starts_with(|next: char| next.is_ascii_digit() || next == '.') && !follows_operand
}

/// A literal from its opening quote on, after its prefix; two quotes are one character.
fn literal(prefix: &str, text: &str, quote: char) -> Result<(Option<Token>, usize), String> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character != quote {
            content.push(character);
        } else if characters.peek().is_some_and(|(_, next)| *next == quote) {
            content.push(quote);
            characters.next();
        } else {
            return Ok((Some(Token::Literal(prefix.to_string(), content)), at + 1));
        }
    }
    Err("a literal has no closing quote".to_string())
}

fn number(text: &str) -> Result<(Option<Token>, usize), String> {
    let end = text.char_indices().skip(1).find(|(_, character)| !character.is_ascii_digit() && *character != '.');
    let mut end = end.map_or(text.len(), |(at, _)| at);
    // A word may begin with a digit.
    if text[end..].starts_with(is_word) && !text[..end].contains('.') {
        let whole = text.char_indices().find(|(_, character)| !is_word(*character)).map_or(text.len(), |(at, _)| at);
        if text[..whole].chars().any(char::is_alphabetic) {
            return Ok((Some(Token::Word(text[..whole].to_uppercase())), whole));
        }
    }
    if text[..end].ends_with('.') && end > 1 {
        end -= 1;
    }
    let value = decimal(&text[..end]).ok_or_else(|| format!("{} is not a number", &text[..end]))?;
    Ok((Some(Token::Number(value)), end))
}

/// A number as it is written: sign, digits and at most one point.
pub fn decimal(text: &str) -> Option<Decimal> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits: String = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && significant.len() < DIGITS_MAX as usize;
    let magnitude: i128 = if significant.is_empty() { 0 } else { significant.parse().ok()? };
    is_number.then(|| Decimal::new(if negative { -magnitude } else { magnitude }, fraction.len() as i32))
}

fn word(text: &str) -> Result<(Option<Token>, usize), String> {
    let end = text.char_indices().find(|(_, character)| !is_word(*character)).map_or(text.len(), |(at, _)| at);
    // A hyphen ends no word.
    let word = text[..end].trim_end_matches('-').to_uppercase();
    let length = text[..end].trim_end_matches('-').len();
    if let ("X" | "N" | "NX", Some(quote)) = (word.as_str(), text[length..].chars().next().filter(|next| ['\'', '"'].contains(next))) {
        let (token, rest) = literal(&word, &text[length..], quote)?;
        return Ok((token, length + rest));
    }
    Ok((Some(Token::Word(word)), length))
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    operators: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take_word(&mut self, words: &[&str]) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(word)) if words.contains(&word.as_str()));
        self.at += usize::from(found);
        found
    }

    fn take_sign(&mut self, wanted: &[&str]) -> Option<&'static str> {
        let Some(Token::Sign(sign)) = self.peek() else { return None };
        let sign = wanted.contains(sign).then_some(*sign)?;
        self.at += 1;
        Some(sign)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err(format!("the expression is nested more than {NESTING_MAX} deep"));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// An operator has been read.
    fn count_operator(&mut self) -> Result<(), String> {
        self.operators += 1;
        if self.operators > OPERATORS_MAX { Err(format!("the expression has more than {OPERATORS_MAX} operators")) } else { Ok(()) }
    }

    fn disjunction(&mut self) -> Result<Expression, String> {
        self.deeper(|parser| {
            let mut left = parser.conjunction()?;
            while parser.take_word(&["OR"]) {
                parser.count_operator()?;
                left = Expression::Or(Box::new(left), Box::new(parser.conjunction()?));
            }
            Ok(left)
        })
    }

    fn conjunction(&mut self) -> Result<Expression, String> {
        let mut left = self.condition()?;
        while self.take_word(&["AND"]) {
            self.count_operator()?;
            left = Expression::And(Box::new(left), Box::new(self.condition()?));
        }
        Ok(left)
    }

    fn condition(&mut self) -> Result<Expression, String> {
        if self.take_word(&["NOT"]) {
            return self.deeper(|parser| Ok(Expression::Not(Box::new(parser.condition()?))));
        }
        let left = self.sum()?;
        self.take_word(&["IS"]);
        let negated = self.take_word(&["NOT"]);
        let classes = [("NUMERIC", Class::Numeric), ("ALPHABETIC", Class::Alphabetic)];
        if let Some((_, class)) = classes.into_iter().find(|(word, _)| self.take_word(&[*word])) {
            let test = Expression::Class(Box::new(left), class);
            return Ok(if negated { Expression::Not(Box::new(test)) } else { test });
        }
        let Some(relation) = self.relation()? else {
            return if negated { Err("a relation or class is missing behind NOT".to_string()) } else { Ok(left) };
        };
        let relation = if negated { relation.negated() } else { relation };
        Ok(Expression::Relation(Box::new(left), relation, Box::new(self.sum()?)))
    }

    fn relation(&mut self) -> Result<Option<Relation>, String> {
        if let Some(sign) = self.take_sign(&["=", "==", "<>", "!=", "<", "<=", ">", ">="]) {
            return Ok(Some(match sign {
                "=" | "==" => Relation::Equal,
                "<>" | "!=" => Relation::NotEqual,
                "<" => Relation::Less,
                "<=" => Relation::LessOrEqual,
                ">" => Relation::Greater,
                _ => Relation::GreaterOrEqual,
            }));
        }
        let found = if self.take_word(&["EQUAL", "EQUALS"]) {
            self.take_word(&["TO"]);
            return Ok(Some(Relation::Equal));
        } else if self.take_word(&["GREATER"]) {
            (Relation::Greater, Relation::GreaterOrEqual)
        } else if self.take_word(&["LESS"]) {
            (Relation::Less, Relation::LessOrEqual)
        } else {
            return Ok(None);
        };
        self.take_word(&["THAN"]);
        // GREATER THAN OR EQUAL TO: the OR of two conditions is followed by an operand.
        let is_or_equal =
            matches!(self.tokens.get(self.at..self.at + 2), Some([Token::Word(or), Token::Word(equal)]) if or == "OR" && equal == "EQUAL");
        if !is_or_equal {
            return Ok(Some(found.0));
        }
        self.at += 2;
        self.take_word(&["TO"]);
        Ok(Some(found.1))
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        while let Some(sign) = self.take_sign(&["+", "-"]) {
            self.count_operator()?;
            let operator = if sign == "+" { Operator::Add } else { Operator::Subtract };
            left = Expression::Arithmetic(Box::new(left), operator, Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.operand()?;
        while self.take_sign(&["*"]).is_some() {
            self.count_operator()?;
            left = Expression::Arithmetic(Box::new(left), Operator::Multiply, Box::new(self.operand()?));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, String> {
        let token = self.peek().cloned().ok_or("the expression is not complete")?;
        self.at += 1;
        match token {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Literal(prefix, text) => constant(&prefix, text),
            Token::Sign("(") => {
                let inner = self.disjunction()?;
                self.take_sign(&[")"]).ok_or("a ) is missing")?;
                Ok(inner)
            }
            Token::Sign(sign) => Err(format!("{sign} is not expected")),
            Token::Word(word) => self.named(&word),
        }
    }

    fn named(&mut self, word: &str) -> Result<Expression, String> {
        if let Some(figurative) = figurative(word) {
            return Ok(Expression::Figurative(figurative));
        }
        match word {
            "ALL" => match self.peek().cloned() {
                Some(Token::Literal(prefix, text)) if prefix.is_empty() && !text.is_empty() => {
                    self.at += 1;
                    Ok(Expression::All(text))
                }
                Some(Token::Word(word)) if figurative(&word).is_some() => {
                    self.at += 1;
                    self.named(&word)
                }
                _ => Err("a literal is missing behind ALL".to_string()),
            },
            "LENGTH" | "ADDRESS" => {
                self.take_word(&["OF"]);
                let Some(Token::Word(name)) = self.peek().cloned() else { return Err(format!("an item is missing behind {word} OF")) };
                self.at += 1;
                let reference = self.reference(name)?;
                Ok(if word == "LENGTH" { Expression::Length(reference) } else { Expression::Address(reference) })
            }
            _ if RESERVED.contains(&word) => Err(format!("{word} is not expected")),
            _ => Ok(Expression::Item(self.reference(word.to_string())?)),
        }
    }

    fn reference(&mut self, name: String) -> Result<Reference, String> {
        let mut reference = Reference { name, qualifiers: Vec::new(), subscripts: Vec::new(), modification: None };
        while self.take_word(&["OF", "IN"]) {
            let Some(Token::Word(qualifier)) = self.peek().cloned() else { return Err("a name is missing behind OF".to_string()) };
            self.at += 1;
            reference.qualifiers.push(qualifier);
        }
        for _ in 0..2 {
            if reference.modification.is_none() && self.take_sign(&["("]).is_some() {
                self.deeper(|parser| parser.parentheses(&mut reference))?;
            }
        }
        Ok(reference)
    }

    /// Subscripts, or a reference modification, which has a colon.
    fn parentheses(&mut self, reference: &mut Reference) -> Result<(), String> {
        let first = self.sum()?;
        if self.take_sign(&[":"]).is_some() {
            let length = if self.peek() == Some(&Token::Sign(")")) { None } else { Some(Box::new(self.sum()?)) };
            reference.modification = Some((Box::new(first), length));
        } else if reference.subscripts.is_empty() {
            reference.subscripts.push(first);
            while self.peek().is_some_and(|token| *token != Token::Sign(")")) {
                let next = self.sum()?;
                reference.subscripts.push(next);
            }
        } else {
            return Err("a : is missing in the reference modification".to_string());
        }
        self.take_sign(&[")"]).map(|_| ()).ok_or_else(|| "a ) is missing".to_string())
    }
}

fn constant(prefix: &str, text: String) -> Result<Expression, String> {
    match prefix {
        "X" => {
            let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
            let digits = digits.filter(|digits| !digits.is_empty() && digits.len().is_multiple_of(2));
            let digits = digits.ok_or_else(|| format!("X'{text}' has not two hexadecimal digits for each byte"))?;
            Ok(Expression::Bytes(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()))
        }
        "N" => Ok(Expression::National(text)),
        "" => Ok(Expression::Characters(text)),
        _ => Err(format!("{prefix}'{text}' is not a literal of expressions")),
    }
}

fn figurative(word: &str) -> Option<Figurative> {
    Some(match word {
        "ZERO" | "ZEROS" | "ZEROES" => Figurative::Zero,
        "SPACE" | "SPACES" => Figurative::Space,
        "HIGH-VALUE" | "HIGH-VALUES" => Figurative::HighValue,
        "LOW-VALUE" | "LOW-VALUES" => Figurative::LowValue,
        "QUOTE" | "QUOTES" => Figurative::Quote,
        "NULL" | "NULLS" => Figurative::Null,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> Expression {
        let (subscripts, modification) = (Vec::new(), None);
        Expression::Item(Reference { name: name.to_string(), qualifiers: Vec::new(), subscripts, modification })
    }

    #[test]
    fn names_numbers_and_relations_are_told_apart() {
        let one = || Box::new(Expression::Number(Decimal::new(1, 0)));
        assert_eq!(parse("ws-count - 1").unwrap(), Expression::Arithmetic(Box::new(item("WS-COUNT")), Operator::Subtract, one()));
        assert_eq!(parse("WS-COUNT-1"), Ok(item("WS-COUNT-1")));
        assert_eq!(parse("-1.50"), Ok(Expression::Number(Decimal::new(-150, 2))));
        assert_eq!(parse("A NOT = 1"), parse("A IS NOT EQUAL TO 1"));
        assert_eq!(parse("A GREATER THAN OR EQUAL TO 1"), parse("A >= 1"));
        let relation = |name: &str| Box::new(Expression::Relation(Box::new(item(name)), Relation::Equal, one()));
        assert_eq!(parse("A = 1 OR B = 1"), Ok(Expression::Or(relation("A"), relation("B"))));
        assert!(parse("A < 1 OR B = 1").is_ok());
        assert_eq!(parse("X'C1c2'"), Ok(Expression::Bytes(vec![0xC1, 0xC2])));
        assert_eq!(parse("'it''s'"), Ok(Expression::Characters("it's".to_string())));
        assert_eq!(parse("A IS NOT NUMERIC"), Ok(Expression::Not(Box::new(Expression::Class(Box::new(item("A")), Class::Numeric)))));
    }

    #[test]
    fn references_have_qualifiers_subscripts_and_modification() {
        let Ok(Expression::Item(reference)) = parse("NAME OF ROW IN TABLE-1 (I, 2) (3:LENGTH OF A)") else { panic!("an item") };
        assert_eq!(
            (reference.name.as_str(), reference.qualifiers.as_slice()),
            ("NAME", ["ROW".to_string(), "TABLE-1".to_string()].as_slice())
        );
        assert_eq!(reference.subscripts.len(), 2);
        assert!(matches!(reference.modification, Some((_, Some(_)))));
        assert!(matches!(parse("A(2:)"), Ok(Expression::Item(Reference { modification: Some((_, None)), .. }))));
    }

    #[test]
    fn what_is_no_expression_is_told() {
        for text in ["", "A =", "(A", "A OF", "'open", "X'1'", "A ? B", "A(1", "1 2", "NOT", "A NOT", "ALL", "OF A", "1.2.3", "A(1)(2)"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let nested = |depth: usize| format!("{}A{}", "(".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(NESTING_MAX - 1)).is_ok());
        assert!(parse(&nested(NESTING_MAX)).is_err());
        assert!(parse(&format!("{}A", "NOT ".repeat(NESTING_MAX + 1))).is_err());
        for operator in [" OR ", " AND ", " + ", " * "] {
            let chain = |operators: usize| vec!["A"; operators + 1].join(operator);
            assert!(parse(&chain(OPERATORS_MAX)).is_ok() && parse(&chain(OPERATORS_MAX + 1)).is_err(), "{operator}");
        }
        assert!(parse(&"A".repeat(TEXT_MAX)).is_ok() && parse(&"A".repeat(TEXT_MAX + 1)).is_err());
    }
}
