//! Expected results of IBM's rules for intermediate results: Enterprise COBOL Programming Guide, appendix "Intermediate results and
//! arithmetic precision", fixed-point data: i and d of each operation, dmax, and the places carried when i + d passes 30 or, under
//! ARITH(EXTEND), 31. Computed here from the manual's tables, in numbers of any length.

use super::big::Big;
use super::expected::Mode;
use super::item::{Shape, Usage, literal};

/// An operand or an operation.
#[derive(Clone, Debug)]
pub enum Node {
    Operand {
        value: i128,
        integers: i32,
        decimals: i32,
    },
    Operation(char, Box<Node>, Box<Node>),
    /// ** a literal.
    Power(Box<Node>, u32),
}

/// A value with the places its intermediate result has.
struct Intermediate {
    value: Big,
    integers: i32,
    decimals: i32,
}

/// How a statement carries on: digits of intermediate results, dmax.
#[derive(Clone, Copy)]
pub struct Carrying {
    limit: i32,
    decimals_max: i32,
}

/// An arithmetic statement's result.
pub enum Outcome {
    /// A value at a scale, with its sign: exact, or cut as an intermediate result.
    Value(Big, u32),
    /// dividend / divisor at a scale: what follows the places is known exactly.
    Fraction(Big, Big),
    DivisionByZero,
}

impl Node {
    /// An item. A COMP-5 item has the digits of its field.
    pub fn item(shape: &Shape, value: i128) -> Node {
        let digits = match (shape.usage, shape.bytes()) {
            (Usage::Native, 2) => 5,
            (Usage::Native, 4) => 10,
            (Usage::Native, _) => 19,
            _ => shape.digits,
        };
        Node::Operand { value, integers: digits as i32 - shape.scale as i32, decimals: shape.scale as i32 }
    }

    /// A literal has the digits that are written.
    pub fn literal(value: i128, scale: u32) -> Node {
        let digits = literal(value, scale).chars().filter(char::is_ascii_digit).count();
        Node::Operand { value, integers: digits as i32 - scale as i32, decimals: scale as i32 }
    }

    pub fn operation(operator: char, left: Node, right: Node) -> Node {
        Node::Operation(operator, Box::new(left), Box::new(right))
    }

    /// Most decimal places of the operands, divisors and exponents apart.
    fn decimals_max(&self) -> i32 {
        match self {
            Node::Operand { decimals, .. } => *decimals,
            Node::Operation('/', left, _) | Node::Power(left, _) => left.decimals_max(),
            Node::Operation(_, left, right) => left.decimals_max().max(right.decimals_max()),
        }
    }

    /// `target_decimals`: those of the final result, one more with ROUNDED.
    pub fn carrying(&self, target_decimals: u32, extend: bool) -> Carrying {
        Carrying { limit: if extend { 31 } else { 30 }, decimals_max: self.decimals_max().max(target_decimals as i32) }
    }

    fn evaluated(&self, carrying: Carrying) -> Option<Intermediate> {
        let (value, integers, decimals, scale) = self.operated(carrying)?;
        let (integers, decimals) = carrying.carried(integers, decimals);
        let (value, scale) = if scale > decimals { (value.dropped((scale - decimals) as u32), decimals) } else { (value, scale) };
        Some(Intermediate { value: value.low((integers + scale).max(1) as u32), integers, decimals: scale })
    }

    /// The operation's result before places are cut: value, i, d and the value's scale. `None`: division by zero.
    fn operated(&self, carrying: Carrying) -> Option<(Big, i32, i32, i32)> {
        Some(match self {
            Node::Operand { value, integers, decimals } => (Big::of(*value), *integers, *decimals, *decimals),
            Node::Power(base, exponent) => {
                let base = base.evaluated(carrying)?;
                let count = *exponent as i32;
                let value = (1..*exponent).fold(base.value.clone(), |product, _| product.times(&base.value));
                (value, base.integers * count, base.decimals * count, base.decimals * count)
            }
            Node::Operation(operator, left, right) => {
                let (a, b) = (left.evaluated(carrying)?, right.evaluated(carrying)?);
                let scale = a.decimals.max(b.decimals);
                let lifted = |term: &Intermediate| term.value.lifted((scale - term.decimals) as u32);
                match operator {
                    '+' => (lifted(&a).plus(&lifted(&b)), a.integers.max(b.integers) + 1, scale, scale),
                    '-' => (lifted(&a).plus(&lifted(&b).negated()), a.integers.max(b.integers) + 1, scale, scale),
                    '*' => {
                        let decimals = a.decimals + b.decimals;
                        (a.value.times(&b.value), a.integers + b.integers, decimals, decimals)
                    }
                    _ => {
                        let decimals = (a.decimals - b.decimals).max(carrying.decimals_max);
                        let (dividend, divisor) = aligned(&a, &b, decimals);
                        if divisor.is_zero() {
                            return None;
                        }
                        (dividend.divided(&divisor).0, a.integers + b.decimals, decimals, decimals)
                    }
                }
            }
        })
    }

    /// The statement's result. Its last operation is no intermediate result where there is one receiver: the size error looks at
    /// all of it (Language Reference, SIZE ERROR phrases). `divides`: the value is wanted as a fraction. `keeps`: with SIZE ERROR phrase.
    pub fn result(&self, carrying: Carrying, divides: bool, keeps: bool) -> Outcome {
        if !keeps {
            return self.evaluated(carrying).map_or(Outcome::DivisionByZero, |cut| Outcome::Value(cut.value, cut.decimals as u32));
        }
        if let (Node::Operation('/', left, right), true) = (self, divides) {
            let (Some(a), Some(b)) = (left.evaluated(carrying), right.evaluated(carrying)) else { return Outcome::DivisionByZero };
            let (dividend, divisor) = aligned(&a, &b, 0);
            return if divisor.is_zero() { Outcome::DivisionByZero } else { Outcome::Fraction(dividend, divisor) };
        }
        let Some((value, integers, decimals, scale)) = self.operated(carrying) else { return Outcome::DivisionByZero };
        let decimals = carrying.carried(integers, decimals).1;
        if scale > decimals {
            return Outcome::Value(value.dropped((scale - decimals) as u32), decimals as u32);
        }
        Outcome::Value(value, scale as u32)
    }
}

/// Two whole numbers whose quotient is a / b times 10^decimals.
fn aligned(a: &Intermediate, b: &Intermediate, decimals: i32) -> (Big, Big) {
    let lift = decimals - a.decimals + b.decimals;
    (a.value.lifted(lift.max(0) as u32), b.value.lifted((-lift).max(0) as u32))
}

impl Carrying {
    /// Integer and decimal places carried.
    fn carried(self, integers: i32, decimals: i32) -> (i32, i32) {
        let Carrying { limit, decimals_max } = self;
        if integers + decimals <= limit {
            (integers, decimals)
        } else if decimals <= decimals_max {
            (limit - decimals, decimals)
        } else if integers + decimals_max <= limit {
            (integers, limit - integers)
        } else {
            (limit - decimals_max, decimals_max)
        }
    }
}

impl Outcome {
    /// The coefficient at a receiver's places. `None`: a division by zero, or a rest that may not be dropped.
    pub fn at(&self, scale: u32, mode: Mode) -> Option<Big> {
        let (dividend, divisor) = match self {
            Outcome::DivisionByZero => return None,
            Outcome::Value(value, own) if *own <= scale => return Some(value.lifted(scale - own)),
            Outcome::Value(value, own) => (value.clone(), Big::of(1).lifted(own - scale)),
            Outcome::Fraction(dividend, divisor) => (dividend.lifted(scale), divisor.clone()),
        };
        mode.rounded(&dividend, &divisor)
    }
}
