//! ADD, SUBTRACT, MULTIPLY, DIVIDE, COMPUTE and comparison in every usage and sign pairing.

use super::check::Check;
use super::expected::{Exact, Mode, stored};
use super::item::{Random, Shape, Usage, literal};

/// An operand: an item, or a literal now and then.
fn operand(check: &mut Check, random: &mut Random, number: usize, digits_max: u32) -> (String, Shape, Exact) {
    let shape = Shape::random(random, digits_max);
    if random.chance(5) {
        let shape = Shape { signed: true, ..shape };
        let value = shape.value(random);
        return (literal(value, shape.scale), shape, Exact::of(value, shape.scale));
    }
    let value = shape.value(random);
    (check.item(number, &shape, value), shape, Exact::of(value, shape.scale))
}

/// The receiver: name, description, value before.
fn receiver(check: &mut Check, random: &mut Random, number: usize, digits_max: u32) -> (String, Shape, i128) {
    let shape = Shape::random(random, digits_max);
    let old = shape.value(random);
    (check.target_with(number, &shape, old), shape, old)
}

/// The ROUNDED phrase: none or the plain one, and in a third of the statements any.
fn rounding(random: &mut Random) -> (&'static str, Mode) {
    let usual = if random.chance(3) { Mode::ALL.len() } else { 2 };
    Mode::ALL[random.below(usual)]
}

pub fn statement(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("arithmetic");
    let (a, a_shape, a_value) = operand(&mut check, random, number, digits_max);
    let (b, b_shape, b_value) = operand(&mut check, random, number, digits_max);
    let (result, shape, old) = receiver(&mut check, random, number, digits_max);
    let before = Exact::of(old, shape.scale);
    let (rounded, mode) = rounding(random);
    let (mut body, value, divided) = match random.below(13) {
        0 => (format!("ADD {a} TO {result}{rounded}"), before.plus(a_value), None),
        1 => (format!("ADD {a} {b} TO {result}{rounded}"), before.plus(a_value.plus(b_value)), None),
        2 => (format!("ADD {a} {b} GIVING {result}{rounded}"), a_value.plus(b_value), None),
        3 => (format!("SUBTRACT {a} FROM {result}{rounded}"), before.minus(a_value), None),
        4 => (format!("SUBTRACT {a} FROM {b} GIVING {result}{rounded}"), b_value.minus(a_value), None),
        5 => (format!("MULTIPLY {a} BY {result}{rounded}"), before.times(a_value), None),
        6 => (format!("MULTIPLY {a} BY {b} GIVING {result}{rounded}"), a_value.times(b_value), None),
        7 => (format!("DIVIDE {a} INTO {result}{rounded}"), Exact(None), Some((before, a_value))),
        8 => (format!("DIVIDE {a} BY {b} GIVING {result}{rounded}"), Exact(None), Some((a_value, b_value))),
        9 => {
            check.fact("remainder");
            let remainder = check.target(random, number, &b_shape);
            let text = format!("DIVIDE {a} BY {b} GIVING {result}{rounded} REMAINDER {remainder}");
            (text, Exact(None), Some((a_value, b_value)))
        }
        10 => (format!("COMPUTE {result}{rounded} = {a} + {b}"), a_value.plus(b_value), None),
        11 => (format!("COMPUTE {result}{rounded} = {a} * {b}"), a_value.times(b_value), None),
        _ => (format!("COMPUTE {result}{rounded} = {a} - {b}"), a_value.minus(b_value), None),
    };
    let verb = body.split(' ').next().unwrap_or_default().to_string();
    let keeps = divided.is_some() || mode == Mode::Prohibited || random.chance(2);
    if keeps {
        let flag = check.flag(number);
        body.push_str(&format!(" ON SIZE ERROR MOVE 'E' TO {flag} NOT ON SIZE ERROR MOVE 'O' TO {flag} END-{verb}"));
    }
    check.code.push(body);
    // IBM allows no more digits in the composite of the operands.
    let integers = [&a_shape, &b_shape, &shape].map(|shape| shape.digits - shape.scale);
    let places = [&a_shape, &b_shape, &shape].map(|shape| shape.scale);
    if integers.iter().max().zip(places.iter().max()).is_some_and(|(integers, places)| integers + places > 30) || value.0.is_none() {
        check.fact("wide");
    }
    let is_usual = matches!(mode, Mode::Truncation | Mode::NearestAway);
    if !is_usual && a_shape.digits.max(shape.digits) + b_shape.digits.max(a_shape.digits) > 30 {
        // Places of a product or quotient are cut before it is rounded: the usual modes never look at those.
        check.fact("wide");
    }
    if divided.is_some() {
        check.fact("division");
    }
    let coefficient = match divided {
        None => value.at(&shape, mode),
        Some((dividend, divisor)) => dividend.quotient(divisor, &shape, mode),
    };
    if !check.has("remainder") && (divided.is_some() && is_usual || !check.has("wide")) {
        check.expected = coefficient.and_then(|value| outcome(value, &shape, old, keeps));
    }
    check
}

/// Bytes and flag. `value` is `None` after a division by zero or a rest that may not be dropped.
fn outcome(value: Option<i128>, shape: &Shape, old: i128, keeps: bool) -> Option<Vec<String>> {
    let (bytes, error) = match value {
        Some(value) => stored(value, shape, old, keeps)?,
        None => (super::expected::bytes(old, shape), true),
    };
    let flag = if error { "[E]" } else { "[O]" };
    Some(if keeps { vec![bytes, flag.into()] } else { vec![bytes] })
}

/// COMPUTE of a longer expression.
pub fn expression(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("expression");
    let size = digits_max.min(if random.chance(2) { 5 } else { 9 });
    let terms = 2 + random.below(4);
    // Sum of products, left to right; a group in parentheses is one factor.
    let mut text = String::new();
    let (mut sum, mut product) = (Exact::of(0, 0), Exact::of(0, 0));
    let mut adds = true;
    let mut first = true;
    let mut term = 0;
    while term < terms {
        let operator = random.pick(&["+", "-", "*", "+", "-", "*", "/"]);
        let (factor_text, factor) = if term + 1 < terms && random.chance(4) {
            term += 1;
            let (a, _, a_value) = operand(&mut check, random, number, size);
            let (b, _, b_value) = operand(&mut check, random, number, size);
            let inner = random.pick(&["+", "-"]);
            (format!("( {a} {inner} {b} )"), if inner == "+" { a_value.plus(b_value) } else { a_value.minus(b_value) })
        } else {
            let (a, shape, value) = operand(&mut check, random, number, size);
            if random.chance(12) && shape.digits <= 3 {
                check.fact("power");
                (format!("{a} ** {}", 2 + random.below(3)), Exact(None))
            } else {
                (a, value)
            }
        };
        term += 1;
        if first {
            (product, first) = (factor, false);
            text.push_str(&factor_text);
            continue;
        }
        text.push_str(&format!(" {operator} {factor_text}"));
        match operator {
            "*" => product = product.times(factor),
            "/" => {
                check.fact("division");
                product = Exact(None);
            }
            _ => {
                sum = if adds { sum.plus(product) } else { sum.minus(product) };
                (product, adds) = (factor, operator == "+");
            }
        }
    }
    let value = if adds { sum.plus(product) } else { sum.minus(product) };
    let (result, shape, old) = receiver(&mut check, random, number, digits_max);
    let (rounded, mode) = rounding(random);
    let flag = check.flag(number);
    check.code.push(format!(
        "COMPUTE {result}{rounded} = {text} ON SIZE ERROR MOVE 'E' TO {flag} NOT ON SIZE ERROR MOVE 'O' TO {flag} END-COMPUTE"
    ));
    if value.0.is_none() {
        check.fact("wide");
    }
    check.expected = value.at(&shape, mode).and_then(|value| outcome(value, &shape, old, true));
    check
}

pub fn comparison(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("comparison");
    let (a, a_shape, a_value) = operand(&mut check, random, number, digits_max);
    let (mut b, _, mut b_value) = operand(&mut check, random, number, digits_max);
    if random.chance(3) {
        // Equal values in different usages.
        let shape = Shape { digits: a_shape.digits, scale: a_shape.scale, ..Shape::random(random, digits_max) };
        let value = a_shape.value(random).abs();
        let wide = matches!(shape.usage, Usage::Binary | Usage::Native) && shape.digits > 18;
        let shape = if wide { Shape { usage: Usage::Packed, ..shape } } else { shape };
        let left = check.item(number, &a_shape, value);
        b = check.item(number, &shape, value);
        let same = Exact::of(0, 0);
        return compare(check, number, (&left, same), (&b, same));
    }
    if !a.starts_with('N') && !b.starts_with('N') {
        let value = a_shape.value(random);
        (b, b_value) = (check.item(number, &a_shape, value), Exact::of(value, a_shape.scale));
    }
    compare(check, number, (&a, a_value), (&b, b_value))
}

fn compare(mut check: Check, number: usize, (a, a_value): (&str, Exact), (b, b_value): (&str, Exact)) -> Check {
    check.expected = a_value.minus(b_value).0.map(|(difference, _)| {
        let holds = [difference < 0, difference == 0, difference > 0, difference <= 0, difference != 0];
        vec![format!("[{}]", holds.map(|holds| if holds { 'Y' } else { ' ' }).iter().collect::<String>())]
    });
    let flag = check.text(number, "PIC X(5) VALUE SPACES", 5);
    for (at, relation) in ["<", "=", ">", "NOT >", "NOT ="].iter().enumerate() {
        check.code.push(format!("IF {a} {relation} {b} MOVE 'Y' TO {flag}({}:1) END-IF", at + 1));
    }
    check
}
