//! ADD, SUBTRACT, MULTIPLY, DIVIDE, COMPUTE and comparison in every usage and sign pairing.

use super::big::Big;
use super::check::Check;
use super::expected::{Exact, Mode, bytes, stored};
use super::intermediate::{Node, Outcome};
use super::item::{Shape, Usage, literal};
use testing::Random;

/// Digits of an operand under ARITH(COMPAT).
const COMPAT_DIGITS: u32 = 18;

/// An item, or a literal now and then.
struct Operand {
    text: String,
    shape: Shape,
    value: i128,
    node: Node,
}

impl Operand {
    fn exact(&self) -> Exact {
        Exact(self.value, self.shape.scale)
    }
}

fn operand(check: &mut Check, random: &mut Random, number: usize, digits_max: u32) -> Operand {
    let shape = Shape::random(random, digits_max);
    if random.one_in(5) {
        let shape = Shape { signed: true, ..shape };
        let value = shape.value(random);
        return Operand { text: literal(value, shape.scale), shape, value, node: Node::literal(value, shape.scale) };
    }
    let value = shape.value(random);
    Operand { text: check.item(number, &shape, value), shape, value, node: Node::item(&shape, value) }
}

/// The receiver: name, description, value before.
fn receiver(check: &mut Check, random: &mut Random, number: usize, digits_max: u32) -> (String, Shape, i128) {
    let shape = Shape::random(random, digits_max);
    let old = shape.value(random);
    (check.target_with(number, &shape, old), shape, old)
}

/// The ROUNDED phrase: none or the plain one, and in a third of the statements any.
fn rounding(random: &mut Random) -> (&'static str, Mode) {
    let usual = if random.one_in(3) { Mode::ALL.len() } else { 2 };
    Mode::ALL[random.index(usual)]
}

pub fn statement(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("arithmetic");
    let first = operand(&mut check, random, number, digits_max);
    let second = operand(&mut check, random, number, digits_max);
    let (result, shape, old) = receiver(&mut check, random, number, digits_max);
    let (rounded, mode) = rounding(random);
    let (a, b) = (&first.text, &second.text);
    let (x, y, before) = (first.node.clone(), second.node.clone(), Node::item(&shape, old));
    let operation = Node::operation;
    let (mut body, node) = match random.index(13) {
        0 => (format!("ADD {a} TO {result}{rounded}"), operation('+', before, x)),
        1 => (format!("ADD {a} {b} TO {result}{rounded}"), operation('+', before, operation('+', x, y))),
        2 => (format!("ADD {a} {b} GIVING {result}{rounded}"), operation('+', x, y)),
        3 => (format!("SUBTRACT {a} FROM {result}{rounded}"), operation('-', before, x)),
        4 => (format!("SUBTRACT {a} FROM {b} GIVING {result}{rounded}"), operation('-', y, x)),
        5 => (format!("MULTIPLY {a} BY {result}{rounded}"), operation('*', before, x)),
        6 => (format!("MULTIPLY {a} BY {b} GIVING {result}{rounded}"), operation('*', x, y)),
        7 => (format!("DIVIDE {a} INTO {result}{rounded}"), operation('/', before, x)),
        8 => (format!("DIVIDE {a} BY {b} GIVING {result}{rounded}"), operation('/', x, y)),
        9 => return with_remainder(check, random, number, (first, second), (result, shape, old), (rounded, mode)),
        10 => (format!("COMPUTE {result}{rounded} = {a} + {b}"), operation('+', x, y)),
        11 => (format!("COMPUTE {result}{rounded} = {a} * {b}"), operation('*', x, y)),
        _ => (format!("COMPUTE {result}{rounded} = {a} - {b}"), operation('-', x, y)),
    };
    let divides = matches!(node, Node::Operation('/', ..));
    let keeps = divides || mode == Mode::Prohibited || random.one_in(2);
    if keeps {
        body = with_flag(&mut check, number, body);
    }
    check.code.push(body);
    if divides {
        check.fact("division");
    }
    let value = evaluated(&node, &shape, mode, keeps, digits_max).at(shape.scale, mode);
    check.expected = outcome(value, &shape, old, keeps);
    check
}

fn with_flag(check: &mut Check, number: usize, body: String) -> String {
    let verb = body.split(' ').next().unwrap_or_default();
    let flag = check.flag(number);
    format!("{body} ON SIZE ERROR MOVE 'E' TO {flag} NOT ON SIZE ERROR MOVE 'O' TO {flag} END-{verb}")
}

/// By the rules for intermediate results; in a mode that looks at all that follows, a division as the last operation is exact.
fn evaluated(node: &Node, shape: &Shape, mode: Mode, keeps: bool, digits_max: u32) -> Outcome {
    let carrying = node.carrying(shape.scale + u32::from(mode != Mode::Truncation), digits_max > COMPAT_DIGITS);
    node.result(carrying, !mode.is_usual(), keeps)
}

/// DIVIDE with REMAINDER: the remainder is that of the quotient cut at its places (Language Reference, DIVIDE statement, REMAINDER phrase).
fn with_remainder(
    mut check: Check,
    random: &mut Random,
    number: usize,
    (first, second): (Operand, Operand),
    (result, shape, old): (String, Shape, i128),
    (rounded, mode): (&str, Mode),
) -> Check {
    check.fact("remainder");
    check.fact("division");
    let rest_shape = second.shape;
    let rest_old = rest_shape.value(random);
    let rest = check.target_with(number, &rest_shape, rest_old);
    let body = format!("DIVIDE {} BY {} GIVING {result}{rounded} REMAINDER {rest}", first.text, second.text);
    let body = with_flag(&mut check, number, body);
    check.code.push(body);
    let carrying = first.node.carrying(0, true);
    let quotient = Node::operation('/', first.node, second.node).result(carrying, true, true);
    let kept = || vec![bytes(old, &shape), bytes(rest_old, &rest_shape), "[E]".to_string()];
    let (Some(stored_quotient), Some(cut)) = (quotient.at(shape.scale, mode), quotient.at(shape.scale, Mode::Truncation)) else {
        check.expected = Some(kept());
        return check;
    };
    // dividend - quotient * divisor
    let scale = first.shape.scale.max(second.shape.scale + shape.scale);
    let product = cut.times(&Big::of(second.value)).lifted(scale - second.shape.scale - shape.scale);
    let rest = Big::of(first.value).lifted(scale - first.shape.scale).plus(&product.negated());
    let Some((quotient, false)) = stored(&stored_quotient, &shape, old, true) else {
        check.expected = Some(kept());
        return check;
    };
    let rest = Outcome::Value(rest, scale).at(rest_shape.scale, Mode::Truncation);
    check.expected = rest
        .and_then(|rest| stored(&rest, &rest_shape, rest_old, true))
        .map(|(rest, over)| vec![quotient, rest, if over { "[E]" } else { "[O]" }.to_string()]);
    check
}

/// Bytes and flag. `value` is `None` after a division by zero or a rest that may not be dropped.
fn outcome(value: Option<Big>, shape: &Shape, old: i128, keeps: bool) -> Option<Vec<String>> {
    let (bytes, error) = match value {
        Some(value) => stored(&value, shape, old, keeps)?,
        None => (bytes(old, shape), true),
    };
    let flag = if error { "[E]" } else { "[O]" };
    Some(if keeps { vec![bytes, flag.into()] } else { vec![bytes] })
}

/// COMPUTE of a longer expression: a sum of products, left to right; a group in parentheses is one factor.
pub fn expression(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("expression");
    let size = digits_max.min(if random.one_in(2) { 5 } else { 9 });
    let terms = 2 + random.index(4);
    let mut text = String::new();
    // What is added up so far with the operator that follows it, and the product at hand.
    let (mut sum, mut product): (Option<(Node, char)>, Option<Node>) = (None, None);
    let mut term = 0;
    while term < terms {
        let operator = random.pick(&["+", "-", "*", "+", "-", "*", "/"]);
        let (factor_text, factor) = factor(&mut check, random, number, size, &mut term, terms);
        let Some(left) = product.take() else {
            text.push_str(&factor_text);
            product = Some(factor);
            continue;
        };
        text.push_str(&format!(" {operator} {factor_text}"));
        let symbol = operator.chars().next().unwrap_or('+');
        if matches!(symbol, '*' | '/') {
            if symbol == '/' {
                check.fact("division");
            }
            product = Some(Node::operation(symbol, left, factor));
        } else {
            sum = Some((joined(sum, left), symbol));
            product = Some(factor);
        }
    }
    let Some(last) = product else { return check };
    let node = joined(sum, last);
    let (result, shape, old) = receiver(&mut check, random, number, digits_max);
    // Other modes look at places that IBM's rules have cut before.
    let (rounded, mode) = Mode::ALL[random.index(2)];
    let body = with_flag(&mut check, number, format!("COMPUTE {result}{rounded} = {text}"));
    check.code.push(body);
    check.expected = outcome(evaluated(&node, &shape, mode, true, digits_max).at(shape.scale, mode), &shape, old, true);
    check
}

fn joined(sum: Option<(Node, char)>, product: Node) -> Node {
    match sum {
        Some((sum, operator)) => Node::operation(operator, sum, product),
        None => product,
    }
}

/// An operand, a group in parentheses, or a power.
fn factor(check: &mut Check, random: &mut Random, number: usize, size: u32, term: &mut usize, terms: usize) -> (String, Node) {
    let grouped = *term + 1 < terms && random.one_in(4);
    *term += 1;
    let a = operand(check, random, number, size);
    if grouped {
        *term += 1;
        let b = operand(check, random, number, size);
        let inner = random.pick(&["+", "-"]);
        let symbol = inner.chars().next().unwrap_or('+');
        return (format!("( {} {inner} {} )", a.text, b.text), Node::operation(symbol, a.node, b.node));
    }
    if random.one_in(12) && a.shape.digits <= 3 {
        check.fact("power");
        let exponent = 2 + random.index(3) as u32;
        return (format!("{} ** {exponent}", a.text), Node::Power(Box::new(a.node), exponent));
    }
    (a.text, a.node)
}

pub fn comparison(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("comparison");
    let mut first = operand(&mut check, random, number, digits_max);
    let mut second = operand(&mut check, random, number, digits_max);
    if random.one_in(3) {
        // Equal values in different usages.
        let shape = Shape { digits: first.shape.digits, scale: first.shape.scale, ..Shape::random(random, digits_max) };
        let value = first.shape.value(random).abs();
        let wide = matches!(shape.usage, Usage::Binary | Usage::Native) && shape.digits > COMPAT_DIGITS;
        let shape = if wide { Shape { usage: Usage::Packed, ..shape } } else { shape };
        first = Operand { text: check.item(number, &first.shape, value), value, ..first };
        second = Operand { text: check.item(number, &shape, value), value, shape, ..second };
    } else if !first.text.starts_with('N') && !second.text.starts_with('N') {
        let (shape, value) = (first.shape, first.shape.value(random));
        second = Operand { text: check.item(number, &shape, value), value, shape, ..second };
    }
    let order = first.exact().compare(second.exact());
    let holds = [order.is_lt(), order.is_eq(), order.is_gt(), order.is_le(), order.is_ne()];
    check.expected = Some(vec![format!("[{}]", holds.map(|holds| if holds { 'Y' } else { ' ' }).iter().collect::<String>())]);
    let flag = check.text(number, "PIC X(5) VALUE SPACES", 5);
    for (at, relation) in ["<", "=", ">", "NOT >", "NOT ="].iter().enumerate() {
        check.code.push(format!("IF {} {relation} {} MOVE 'Y' TO {flag}({}:1) END-IF", first.text, second.text, at + 1));
    }
    check
}
