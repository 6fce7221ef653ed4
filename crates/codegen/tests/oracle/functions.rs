//! Intrinsic functions. Results that are not exact are rounded to few places.

use super::check::Check;
use super::item::{Shape, Usage, literal};
use testing::Random;

#[rustfmt::skip]
const NUMERIC: [&str; 40] = [
    "ABS", "MAX", "MIN", "MOD", "REM", "INTEGER", "INTEGER-PART", "SUM", "MEAN", "MEDIAN", "MIDRANGE", "RANGE", "VARIANCE", "FACTORIAL",
    "SQRT", "ORD-MAX", "ORD-MIN", "INTEGER-OF-DATE", "DATE-OF-INTEGER", "INTEGER-OF-DAY", "DAY-OF-INTEGER", "NUMVAL", "NUMVAL-C",
    "LENGTH", "ORD", "LOG", "LOG10", "EXP", "SIN", "COS", "TAN", "ATAN", "ANNUITY", "PRESENT-VALUE", "STANDARD-DEVIATION", "ACOS", "ASIN",
    "YEAR-TO-YYYY", "DAY-TO-YYYYDDD", "DATE-TO-YYYYMMDD",
];

fn shape(digits: u32, scale: u32) -> Shape {
    Shape { usage: Usage::Packed, digits, scale, signed: true }
}

/// A fixed-point item of moderate size; its name.
fn number(check: &mut Check, random: &mut Random, at: usize, digits: u32, scale: u32) -> String {
    let usage = random.pick(&[Usage::Packed, Usage::Display, Usage::Binary]);
    let shape = Shape { usage, ..shape(digits, scale) };
    check.number(random, at, &shape)
}

fn integer(check: &mut Check, random: &mut Random, at: usize) -> String {
    let digits = 1 + random.index(8) as u32;
    number(check, random, at, digits, 0)
}

fn list(check: &mut Check, random: &mut Random, at: usize) -> String {
    let count = 1 + random.index(5);
    let names: Vec<String> = (0..count).map(|_| number(check, random, at, 5, 2)).collect();
    names.join(" ")
}

pub fn numeric(random: &mut Random, at: usize, _digits_max: u32) -> Check {
    let mut check = Check::new("function");
    let (name, call) = numeric_call(&mut check, random, at);
    check.fact(name);
    if name == "ORD" {
        check.fact("code-page");
    }
    let target = Shape { usage: random.pick(&[Usage::Packed, Usage::Display]), ..shape(15, 4) };
    let result = check.target(random, at, &target);
    check.code.push(format!("COMPUTE {result} ROUNDED = FUNCTION {name} ({call})"));
    check
}

fn numeric_call(check: &mut Check, random: &mut Random, at: usize) -> (&'static str, String) {
    let name = random.pick(&NUMERIC);
    let argument = match name {
        "MAX" | "MIN" | "SUM" | "MEAN" | "MEDIAN" | "MIDRANGE" | "RANGE" | "VARIANCE" | "ORD-MAX" | "ORD-MIN" | "STANDARD-DEVIATION" => {
            list(check, random, at)
        }
        "MOD" => format!("{} {}", integer(check, random, at), literal(1 + random.index(997) as i128, 0)),
        "REM" => format!("{} {}", number(check, random, at, 7, 2), literal(1 + random.index(997) as i128, random.index(2) as u32)),
        "INTEGER" | "INTEGER-PART" | "ABS" => number(check, random, at, 9, 4),
        "FACTORIAL" => literal(random.index(12) as i128, 0),
        "SQRT" | "LOG" | "LOG10" => literal(1 + random.index(99_999) as i128, 2),
        "EXP" => literal(random.index(400) as i128 - 200, 2),
        "SIN" | "COS" | "ATAN" | "TAN" => literal(random.index(140) as i128, 2),
        "ACOS" | "ASIN" => literal(random.index(199) as i128 - 99, 2),
        "INTEGER-OF-DATE" => {
            format!("{}", (1601 + random.index(800)) * 10_000 + (1 + random.index(12)) * 100 + 1 + random.index(28))
        }
        "INTEGER-OF-DAY" => format!("{}", (1601 + random.index(800)) * 1000 + 1 + random.index(365)),
        "DATE-OF-INTEGER" | "DAY-OF-INTEGER" => format!("{}", 1 + random.index(300_000)),
        "YEAR-TO-YYYY" => format!("{} 50", random.index(100)),
        "DAY-TO-YYYYDDD" => format!("{} 50", random.index(100) * 1000 + 1 + random.index(365)),
        "DATE-TO-YYYYMMDD" => format!("{} 50", random.index(100) * 10_000 + 101),
        "NUMVAL" => random.pick(&["' 12.50 '", "'-7'", "' + 9 '", "'3.14-'", "'  100CR'", "'.5'", "'0012'"]).to_string(),
        "NUMVAL-C" => random.pick(&["'$1,234.50'", "' -$7.00 '", "'1,000DB'", "'$ 5'", "'+12'"]).to_string(),
        "LENGTH" => random.pick(&["'ABC'", "'A'", "'HELLO WORLD'"]).to_string(),
        "ORD" => random.pick(&["'A'", "'a'", "'0'", "' '"]).to_string(),
        "ANNUITY" => format!("{} {}", literal(random.index(30) as i128, 3), 1 + random.index(60)),
        "PRESENT-VALUE" => format!("{} {}", literal(1 + random.index(30) as i128, 2), list(check, random, at)),
        _ => "1".into(),
    };
    (name, argument)
}

pub fn characters(random: &mut Random, at: usize, _digits_max: u32) -> Check {
    let mut check = Check::new("function");
    let length = 1 + random.index(12);
    let text: String = (0..length).map(|_| random.pick(&['a', 'B', 'c', ' ', '5', 'Z'])).collect();
    let name = format!("S{at}-A");
    check.data.push(format!("01 {name} PIC X({length}) VALUE '{text}'."));
    let result = check.text(at, "PIC X(20)", 20);
    let call = match random.index(6) {
        0 => format!("UPPER-CASE ({name})"),
        1 => format!("LOWER-CASE ({name})"),
        2 => format!("REVERSE ({name})"),
        3 => format!("MAX ({name} 'b' 'Zc')"),
        4 => format!("MIN ({name} 'b' 'Zc')"),
        _ => format!("TRIM ({name}{})", random.pick(&["", " LEADING", " TRAILING"])),
    };
    check.fact(if call.starts_with('M') { "code-page" } else { "characters" });
    if text.trim().is_empty() {
        check.fact("blank");
    }
    check.code.push(format!("MOVE FUNCTION {call} TO {result}"));
    check
}
