//! The comparisons of an event binding: an operator, and the value that is compared with.
//!
//! The operators are those of policy filters, and two about options. A value is compared as characters of the region, without trailing
//! blanks; as hexadecimal digits; or as a number. Source: CICS TS 5.5, "INQUIRE CAPOPTPRED" (the operators). The abbreviations of the last
//! two, and NE, GE and LE beside NEQ, NLT and NGT, are unverified.

use super::value::{Invalid, Value};
use crate::policy::filter::Operator;
use crate::xml;
use exec::{Condition, cvda};
use region::code_page::RegionCodePage;
use roxmltree::Node;
use std::cmp::Ordering;

/// What a predicate asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    Compare(Operator),
    Exists,
    DoesNotExist,
}

const TESTS: [(&str, Test); 7] = [
    ("EX", Test::Exists),
    ("EXISTS", Test::Exists),
    ("NEX", Test::DoesNotExist),
    ("NOTEXISTS", Test::DoesNotExist),
    ("NE", Test::Compare(Operator::NotEqual)),
    ("GE", Test::Compare(Operator::NotLess)),
    ("LE", Test::Compare(Operator::NotGreater)),
];

/// A comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    pub test: Test,
    pub value: String,
}

impl Comparison {
    pub const OFF: Comparison = Comparison { test: Test::Compare(Operator::Off), value: String::new() };

    /// The comparison of an element.
    ///
    /// # Errors
    ///
    /// The operator is not known, or there is nothing to compare with.
    pub fn of(element: Node) -> Result<Comparison, String> {
        let name = element.tag_name().name();
        let given = xml::attribute(element, "filterOperator");
        let special = TESTS.iter().find(|(known, _)| *known == given).map(|(_, test)| *test);
        let test = special.or_else(|| Operator::find(given).map(Test::Compare));
        let test = test.ok_or_else(|| format!("{given} is not an operator of filter {name}"))?;
        // EIBAID has its value in an attribute of another name.
        let value = match xml::attribute(element, "filterValue") {
            "" => xml::attribute(element, "value"),
            value => value,
        };
        let needs_value = !matches!(test, Test::Exists | Test::DoesNotExist | Test::Compare(Operator::Off));
        if needs_value && value.is_empty() {
            return Err(format!("filter {name} has no value"));
        }
        Ok(Comparison { test, value: value.to_string() })
    }

    pub fn is_off(&self) -> bool {
        self.test == Test::Compare(Operator::Off)
    }

    /// As OPERATOR of INQUIRE has it.
    pub fn cvda(&self) -> i64 {
        match self.test {
            Test::Exists => cvda::EXISTS,
            Test::DoesNotExist => cvda::DOESNOTEXIST,
            Test::Compare(operator) => match operator {
                Operator::Off => cvda::ALLVALUES,
                Operator::Equal => cvda::EQUALS,
                Operator::NotEqual => cvda::DOESNOTEQUAL,
                Operator::StartsWith => cvda::STARTSWITH,
                Operator::DoesNotStartWith => cvda::DOESNOTSTART,
                Operator::Greater => cvda::GREATERTHAN,
                Operator::NotGreater => cvda::ISNOTGREATER,
                Operator::Less => cvda::LESSTHAN,
                Operator::NotLess => cvda::ISNOTLESS,
            },
        }
    }

    /// Whether a name or an option with this value is meant; `None`: the command does not have it.
    pub fn accepts(&self, page: &RegionCodePage, given: Option<&str>) -> bool {
        let operator = match (self.test, given) {
            (Test::Exists, given) => return given.is_some(),
            (Test::DoesNotExist, given) => return given.is_none(),
            (Test::Compare(operator), _) => operator,
        };
        let Some(given) = given else { return operator == Operator::Off };
        let (given, value) = (given.trim_end(), self.value.as_str());
        let order = || page.encode(given).cmp(&page.encode(value));
        operator.holds(order, || given.starts_with(value))
    }

    /// Whether data has the value asked for. Data that is not there has none.
    ///
    /// # Errors
    ///
    /// The value of the filter is not a number, which the installation has checked.
    pub fn accepts_data(&self, page: &RegionCodePage, precision: usize, given: Option<&Value>) -> Result<bool, Invalid> {
        let operator = match (self.test, given) {
            (Test::Exists, given) => return Ok(given.is_some()),
            (Test::DoesNotExist, given) => return Ok(given.is_none()),
            (Test::Compare(operator), _) => operator,
        };
        let Some(given) = given else { return Ok(false) };
        Ok(match given {
            Value::Text(bytes) => {
                let value = page.encode(&self.value);
                operator.holds(|| padded(bytes, &value, page.space()), || bytes.starts_with(&value))
            }
            Value::Hex(bytes) => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                let value = self.value.to_ascii_uppercase();
                operator.holds(|| digits.cmp(&value), || digits.starts_with(&value))
            }
            Value::Number(number) => {
                let value = scaled(&self.value, precision)?;
                // Digits of the filter behind those of the field: the field is less than such a value, or greater if both are negative.
                operator.holds(|| number.cmp(&value.0).then(value.1.reverse()), || false)
            }
            Value::Float(number) => {
                let value: f64 = self.value.parse().map_err(|_| Invalid)?;
                operator.holds(|| number.partial_cmp(&value).unwrap_or(Ordering::Less), || false)
            }
        })
    }
}

/// Characters in the order of the region's code page; the shorter value is padded with blanks.
fn padded(one: &[u8], other: &[u8], blank: u8) -> Ordering {
    let length = one.len().max(other.len());
    let at = |bytes: &[u8], place: usize| bytes.get(place).copied().unwrap_or(blank);
    (0..length).map(|place| at(one, place).cmp(&at(other, place))).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// A decimal number without its point, with this number of digits behind it, and what is left of it.
///
/// # Errors
///
/// It is not a number.
pub fn scaled(text: &str, precision: usize) -> Result<(i128, Ordering), Invalid> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = digits.len() <= 40 && !digits.is_empty() && (whole.to_owned() + fraction).bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || whole.is_empty() && fraction.is_empty() {
        return Err(Invalid);
    }
    let kept: String = whole.chars().chain(fraction.chars().chain(std::iter::repeat('0')).take(precision)).collect();
    let number: i128 = if kept.is_empty() { 0 } else { kept.parse().map_err(|_| Invalid)? };
    let has_rest = fraction.len() > precision && fraction[precision..].bytes().any(|byte| byte != b'0');
    Ok(match (is_negative, has_rest) {
        (false, true) => (number, Ordering::Greater),
        (true, true) => (-number, Ordering::Less),
        (true, false) => (-number, Ordering::Equal),
        (false, false) => (number, Ordering::Equal),
    })
}

/// A predicate of a number: a response, an attention key, a position of the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    operator: Operator,
    value: i64,
}

impl Response {
    pub const OFF: Response = Response { operator: Operator::Off, value: 0 };

    /// # Errors
    ///
    /// The operator is not one of numbers, or the value is not known.
    pub fn of(element: Node, value_of: impl Fn(&str) -> Option<i64>) -> Result<Response, String> {
        let comparison = Comparison::of(element)?;
        let name = element.tag_name().name();
        match comparison.test {
            Test::Compare(Operator::Off) => Ok(Response::OFF),
            Test::Compare(operator) if !matches!(operator, Operator::StartsWith | Operator::DoesNotStartWith) => {
                let value = value_of(&comparison.value).ok_or_else(|| format!("{} is not a value of {name}", comparison.value))?;
                Ok(Response { operator, value })
            }
            _ => Err(format!("{} is not an operator of {name}", xml::attribute(element, "filterOperator"))),
        }
    }

    pub fn accepts(&self, given: i64) -> bool {
        self.operator.holds(|| given.cmp(&self.value), || false)
    }
}

/// The number of a condition: OK is NORMAL.
pub fn condition_number(text: &str) -> Option<i64> {
    if text == "OK" {
        return Some(exec::condition::NORMAL.0.into());
    }
    let named = exec::condition_by_name(text).map(|Condition(number)| number.into());
    named.or_else(|| text.parse().ok())
}

/// The byte of an attention key: ENTER, DFHENTER, PF1.
pub fn attention_byte(text: &str) -> Option<i64> {
    let is_named = |name: &str| name == text || name.strip_prefix("DFH") == Some(text);
    exec::aid::all().iter().find(|row| is_named(row.name)).map(|row| row.value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> RegionCodePage {
        RegionCodePage::new(RegionCodePage::by_ccsid(1140).unwrap())
    }

    fn comparison(operator: &str, value: &str) -> Comparison {
        let text = format!(r#"<x filterOperator="{operator}" filterValue="{value}"/>"#);
        Comparison::of(xml::parse(&text).unwrap().root_element()).unwrap()
    }

    #[test]
    fn names_and_options_are_compared_in_the_order_of_the_code_page() {
        let page = page();
        // In EBCDIC letters come before digits.
        assert!(comparison("LT", "1").accepts(&page, Some("A")) && !comparison("GT", "1").accepts(&page, Some("A")));
        assert!(comparison("SW", "LG").accepts(&page, Some("LGACUS01")) && !comparison("NSW", "LG").accepts(&page, Some("LGACUS01")));
        assert!(comparison("EX", "").accepts(&page, Some("X")) && comparison("NEX", "").accepts(&page, None));
        assert!(!comparison("EQ", "A").accepts(&page, None) && Comparison::OFF.accepts(&page, None));
    }

    #[test]
    fn numbers_are_compared_with_the_digits_behind_their_point() {
        let page = page();
        let accepts =
            |operator: &str, value: &str, number| comparison(operator, value).accepts_data(&page, 2, Some(&Value::Number(number))).unwrap();
        assert!(accepts("EQ", "100", 10_000) && accepts("EQ", "-1.5", -150));
        assert!(accepts("GT", "10000", 1_000_001) && !accepts("GT", "10000", 1_000_000));
        assert!(accepts("LT", "1.001", 100) && !accepts("EQ", "1.001", 100) && accepts("GT", "-1.001", -100));
        assert!(comparison("EQ", "ten").accepts_data(&page, 0, Some(&Value::Number(10))).is_err());
        let text = |operator: &str, value: &str, given: &str| {
            comparison(operator, value).accepts_data(&page, 0, Some(&Value::Text(page.encode(given)))).unwrap()
        };
        assert!(text("EQ", "AB", "AB  ") && text("SW", "A", "AB") && text("GT", "AB", "AC"));
        let hex = |value: &str| comparison("EQ", value).accepts_data(&page, 0, Some(&Value::Hex(vec![0x0A]))).unwrap();
        assert!(hex("0a") && !hex("A0"));
        assert_eq!(comparison("EQ", "1").accepts_data(&page, 0, None), Ok(false));
    }

    #[test]
    fn responses_and_keys_have_names() {
        assert_eq!((condition_number("OK"), condition_number("NOTFND"), condition_number("13")), (Some(0), Some(13), Some(13)));
        assert_eq!((attention_byte("ENTER"), attention_byte("DFHPF3"), attention_byte("PF99")), (Some(0x7D), Some(0xF3), None));
    }
}
