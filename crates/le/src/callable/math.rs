//! Math services CEESxyyy: x is the type of the operands, yyy the function.
//!
//! CALL passes the operands, the feedback code and the result, in this order (Programming Reference, "Call interface to math
//! services"). Types: I fullword, S and D short and long floating point, T and E complex numbers of two S or D. Q and R, of 128
//! bits, are refused by name: no COBOL item has them. Limits of arguments are those of hexadecimal floating point; with IEEE items the
//! exponential ends where their range does.
//!
//! `unsafe` here reads and writes operands, each for the length of its type (see `lib.rs`), and calls four functions of the C library that
//! take numbers by value and write nothing but errno and a local sign. `math_tests.rs` covers both.

use super::complex::Complex;
use super::{Feedback, Outcome, feed_back};
use crate::exception::Exception;
use crate::float;
use crate::session::{FloatFormat, Session};
use std::f64::consts::{LN_2, PI};

/// Why a function has no result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// A condition, and the limit its message names.
    Condition(Feedback, &'static str),
    /// A program interruption, as in the Programming Reference for CEESxMOD.
    Interruption(Exception),
}

type Result<T> = std::result::Result<T, Failure>;

/// The limits that depend on type and representation of the operands.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Arguments of sine, cosine and tangent are below this.
    circle: f64,
    circle_name: &'static str,
    /// Largest argument of the exponential.
    exponential: f64,
    exponential_name: &'static str,
    /// The same of hyperbolic sine and cosine.
    hyperbolic: f64,
    hyperbolic_name: &'static str,
}

impl Limits {
    fn of(kind: Kind, format: FloatFormat) -> Limits {
        let single = matches!(kind, Kind::Single | Kind::SingleComplex);
        let (circle, circle_name) = if single { (262_144.0 * PI, "2**18*pi") } else { (1_125_899_906_842_624.0 * PI, "2**50*pi") };
        let (exponential, exponential_name, hyperbolic_name) = match (format, single) {
            (FloatFormat::Hexadecimal, _) => (174.673, "174.673", "175.366"),
            (FloatFormat::Binary, true) => (88.7228, "88.7228", "89.4159"),
            (FloatFormat::Binary, false) => (709.7827, "709.7827", "710.4758"),
        };
        Limits { circle, circle_name, exponential, exponential_name, hyperbolic: exponential + LN_2, hyperbolic_name }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Single,
    Double,
    SingleComplex,
    DoubleComplex,
}

impl Kind {
    const fn of(letter: u8) -> Option<Kind> {
        Some(match letter {
            b'I' => Kind::Integer,
            b'S' => Kind::Single,
            b'D' => Kind::Double,
            b'T' => Kind::SingleComplex,
            b'E' => Kind::DoubleComplex,
            _ => return None,
        })
    }

    /// Bytes of one floating-point number.
    const fn length(self) -> u32 {
        match self {
            Kind::Integer | Kind::Single | Kind::SingleComplex => 4,
            Kind::Double | Kind::DoubleComplex => 8,
        }
    }
}

/// The operands of a function besides its first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Second {
    None,
    Same,
    Integer,
}

/// The type of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Same,
    /// The real number of a complex operand's type.
    Real,
    Integer,
}

/// A function for the types that have it. An integer second operand is converted to a number of the first one's type.
struct Function {
    name: &'static str,
    /// Letters of the types the Programming Reference lists.
    types: &'static str,
    second: Second,
    answer: Answer,
    integer: Option<fn(i32, i32) -> Result<i32>>,
    real: Option<fn(f64, f64, &Limits) -> Result<f64>>,
    complex: Option<fn(Complex, Complex, &Limits) -> Result<Complex>>,
}

const fn function(name: &'static str, types: &'static str) -> Function {
    Function { name, types, second: Second::None, answer: Answer::Same, integer: None, real: None, complex: None }
}

impl Function {
    const fn of_two(mut self) -> Function {
        self.second = Second::Same;
        self
    }
    const fn by_integer(mut self) -> Function {
        self.second = Second::Integer;
        self
    }
    const fn gives(mut self, answer: Answer) -> Function {
        self.answer = answer;
        self
    }
    const fn integer(mut self, integer: fn(i32, i32) -> Result<i32>) -> Function {
        self.integer = Some(integer);
        self
    }
    const fn real(mut self, real: fn(f64, f64, &Limits) -> Result<f64>) -> Function {
        self.real = Some(real);
        self
    }
    const fn complex(mut self, complex: fn(Complex, Complex, &Limits) -> Result<Complex>) -> Function {
        self.complex = Some(complex);
        self
    }
}

static FUNCTIONS: [Function; 43] = [
    function("ABS", "ISDQTER")
        .gives(Answer::Real)
        .integer(|a, _| Ok(a.wrapping_abs()))
        .real(|a, _, _| Ok(a.abs()))
        .complex(|a, _, _| Ok(Complex::new(a.absolute(), 0.0))),
    function("ACS", "SDQ").real(|a, _, _| arc(a).map(f64::acos)),
    function("ASN", "SDQ").real(|a, _, _| arc(a).map(f64::asin)),
    function("ATH", "SDQTER")
        .real(|a, _, _| below(a.abs(), 1.0, 2017, "1").map(|_| a.atanh()))
        .complex(|a, _, _| not(a, Complex::ONE, "1").map(Complex::hyperbolic_arctangent)),
    function("ATN", "SDQTER").real(|a, _, _| Ok(a.atan())).complex(|a, _, _| not(a, Complex::I, "i").map(Complex::arctangent)),
    function("AT2", "SDQ").of_two().real(|a, b, _| if a == 0.0 && b == 0.0 { condition(2014, "0") } else { Ok(a.atan2(b)) }),
    function("CJG", "TER").complex(|a, _, _| Ok(a.conjugate())),
    // Bits are numbered from 0, the rightmost one (Programming Reference, "Bit manipulation routines").
    function("CLR", "I").of_two().integer(|a, b| bit(b).map(|bit| a & !bit)),
    function("COS", "SDQTER")
        .real(|a, _, limits| circle(a, limits).map(f64::cos))
        .complex(|a, _, limits| complex_circle(a, limits).map(Complex::cosine)),
    function("CSH", "SDQTER")
        .real(|a, _, limits| hyperbolic(a, limits).map(f64::cosh))
        .complex(|a, _, limits| complex_hyperbolic(a, limits).map(Complex::hyperbolic_cosine)),
    function("CTN", "SDQ").real(cotangent),
    function("DIM", "ISDQ")
        .of_two()
        .integer(|a, b| Ok(if a > b { a.wrapping_sub(b) } else { 0 }))
        .real(|a, b, _| Ok(if a > b { a - b } else { 0.0 })),
    function("DVD", "TER").of_two().complex(
        |a, b, _| {
            if b.is_zero() { Err(Failure::Interruption(Exception::FloatDivide)) } else { Ok(a / b) }
        },
    ),
    function("ERC", "SDQ").real(|a, _, _| Ok(library::error_complement(a))),
    function("ERF", "SDQ").real(|a, _, _| Ok(library::error(a))),
    function("EXP", "SDQTER").real(exponential).complex(complex_exponential),
    function("GMA", "SD").real(gamma),
    function("IMG", "TER").gives(Answer::Real).complex(|a, _, _| Ok(Complex::new(a.imaginary, 0.0))),
    function("INT", "SDQ").real(|a, _, _| Ok(a.trunc())),
    function("LGM", "SD").real(log_gamma),
    function("LG1", "SDQ").real(|a, _, _| positive(a).map(f64::log10)),
    function("LG2", "SDQ").real(|a, _, _| positive(a).map(f64::log2)),
    function("LOG", "SDQTER")
        .real(|a, _, _| positive(a).map(f64::ln))
        .complex(|a, _, _| if a.is_zero() { condition(2018, "0") } else { Ok(a.logarithm()) }),
    function("MLT", "TER").of_two().complex(|a, b, _| Ok(a * b)),
    function("MOD", "ISDQ")
        .of_two()
        .integer(|a, b| if b == 0 { divide(Exception::FixedDivide) } else { Ok(a.wrapping_rem(b)) })
        .real(|a, b, _| if b == 0.0 { divide(Exception::FloatDivide) } else { Ok(a % b) }),
    function("NIN", "SD").gives(Answer::Integer).real(|a, _, _| Ok(a.round())),
    function("NWN", "SD").real(|a, _, _| Ok(a.round())),
    function("SET", "I").of_two().integer(|a, b| bit(b).map(|bit| a | bit)),
    function("SHF", "I").of_two().integer(shift),
    function("TST", "I").of_two().integer(|a, b| bit(b).map(|bit| i32::from(a & bit != 0))),
    // The magnitude of the first with the sign of the second.
    function("SGN", "ISDQ")
        .of_two()
        .integer(|a, b| Ok(if b < 0 { -a.wrapping_abs() } else { a.wrapping_abs() }))
        .real(|a, b, _| Ok(if b < 0.0 { -a.abs() } else { a.abs() })),
    function("SIN", "SDQTER")
        .real(|a, _, limits| circle(a, limits).map(f64::sin))
        .complex(|a, _, limits| complex_circle(a, limits).map(Complex::sine)),
    function("SNH", "SDQTER")
        .real(|a, _, limits| hyperbolic(a, limits).map(f64::sinh))
        .complex(|a, _, limits| complex_hyperbolic(a, limits).map(Complex::hyperbolic_sine)),
    function("SQT", "SDQTER")
        .real(|a, _, _| if a < 0.0 { condition(2010, "0") } else { Ok(a.sqrt()) })
        .complex(|a, _, _| Ok(a.square_root())),
    function("TAN", "SDQTER").real(tangent).complex(|a, _, _| Ok(a.tangent())),
    function("TNH", "SDQTER").real(|a, _, _| Ok(a.tanh())).complex(|a, _, _| Ok(a.hyperbolic_tangent())),
    function("XPI", "ISDQTER").by_integer().integer(integer_power).real(real_integral_power).complex(complex_integral_power),
    function("XPS", "S").of_two().real(real_power),
    function("XPD", "D").of_two().real(real_power),
    function("XPQ", "Q").of_two(),
    function("XPT", "T").of_two().complex(complex_power),
    function("XPE", "E").of_two().complex(complex_power),
    function("XPR", "R").of_two(),
];

/// The error and gamma functions of the C library. `lgamma` would set a global; `lgamma_r` does not.
mod library {
    unsafe extern "C" {
        fn erf(x: f64) -> f64;
        fn erfc(x: f64) -> f64;
        fn tgamma(x: f64) -> f64;
        fn lgamma_r(x: f64, sign: *mut i32) -> f64;
    }

    // They are pure but for errno and the place of the sign.
    pub fn error(x: f64) -> f64 {
        unsafe { erf(x) }
    }

    pub(super) fn error_complement(x: f64) -> f64 {
        unsafe { erfc(x) }
    }

    pub fn gamma(x: f64) -> f64 {
        unsafe { tgamma(x) }
    }

    pub(super) fn log_gamma(x: f64) -> f64 {
        let mut sign = 0;
        unsafe { lgamma_r(x, &mut sign) }
    }
}

/// The conditions of the math services have severity 2, but for underflow.
fn condition<T>(message: u16, limit: &'static str) -> Result<T> {
    Err(Failure::Condition(Feedback { severity: 2, message }, limit))
}

fn divide<T>(exception: Exception) -> Result<T> {
    Err(Failure::Interruption(exception))
}

fn below(value: f64, limit: f64, message: u16, name: &'static str) -> Result<f64> {
    if value < limit { Ok(value) } else { condition(message, name) }
}

fn at_most(value: f64, limit: f64, message: u16, name: &'static str) -> Result<f64> {
    if value <= limit { Ok(value) } else { condition(message, name) }
}

fn arc(a: f64) -> Result<f64> {
    at_most(a.abs(), 1.0, 2016, "1").map(|_| a)
}

fn positive(a: f64) -> Result<f64> {
    if a > 0.0 { Ok(a) } else { condition(2012, "0") }
}

/// A complex number that is neither plus nor minus a singularity.
fn not(a: Complex, singularity: Complex, name: &'static str) -> Result<Complex> {
    if a == singularity || -a == singularity { condition(2022, name) } else { Ok(a) }
}

fn circle(a: f64, limits: &Limits) -> Result<f64> {
    below(a.abs(), limits.circle, 2017, limits.circle_name).map(|_| a)
}

fn hyperbolic(a: f64, limits: &Limits) -> Result<f64> {
    at_most(a.abs(), limits.hyperbolic, 2016, limits.hyperbolic_name).map(|_| a)
}

fn complex_circle(a: Complex, limits: &Limits) -> Result<Complex> {
    at_most(a.imaginary.abs(), limits.exponential, 2013, limits.exponential_name)?;
    below(a.real.abs(), limits.circle, 2019, limits.circle_name).map(|_| a)
}

fn complex_hyperbolic(a: Complex, limits: &Limits) -> Result<Complex> {
    at_most(a.real.abs(), limits.exponential, 2009, limits.exponential_name)?;
    below(a.imaginary.abs(), limits.circle, 2015, limits.circle_name).map(|_| a)
}

fn exponential(a: f64, _: f64, limits: &Limits) -> Result<f64> {
    at_most(a, limits.exponential, 2011, limits.exponential_name).map(f64::exp)
}

fn complex_exponential(a: Complex, _: Complex, limits: &Limits) -> Result<Complex> {
    at_most(a.real, limits.exponential, 2009, limits.exponential_name)?;
    below(a.imaginary.abs(), limits.circle, 2015, limits.circle_name)?;
    Ok(a.exponential())
}

/// So near to a singularity that the result would not be a number of the format.
const SINGULAR: f64 = 1e-75;

fn tangent(a: f64, _: f64, limits: &Limits) -> Result<f64> {
    let a = circle(a, limits)?;
    if a.cos().abs() < SINGULAR { condition(2002, "pi/2") } else { Ok(a.tan()) }
}

fn cotangent(a: f64, _: f64, limits: &Limits) -> Result<f64> {
    let a = circle(a, limits)?;
    if a.sin().abs() < SINGULAR { condition(2002, "pi") } else { Ok(a.cos() / a.sin()) }
}

fn gamma(a: f64, _: f64, _: &Limits) -> Result<f64> {
    /// The range outside which gamma is not representable in the hexadecimal format.
    const RANGE: std::ops::Range<f64> = 1.382e-76..57.5744;
    if RANGE.contains(&a) { Ok(library::gamma(a)) } else { condition(2005, "2**-252 < x < 57.5744") }
}

fn log_gamma(a: f64, _: f64, _: &Limits) -> Result<f64> {
    if a > 0.0 && a < 4.2913e73 { Ok(library::log_gamma(a)) } else { condition(2005, "0 < x < 4.2913*10**73") }
}

fn bit(number: i32) -> Result<i32> {
    if (0..32).contains(&number) { Ok(1 << number) } else { condition(2028, "0 to 31") }
}

/// To the left by a positive number, to the right by a negative one; the sign is shifted as any bit is.
fn shift(a: i32, by: i32) -> Result<i32> {
    match by {
        -32 | 32 => Ok(0),
        0..32 => Ok(((a as u32) << by) as i32),
        -31..0 => Ok(((a as u32) >> -by) as i32),
        _ => condition(2028, "-32 to 32"),
    }
}

fn integer_power(a: i32, b: i32) -> Result<i32> {
    match (a, b) {
        (0, ..=0) => condition(2003, "0"),
        (1, _) => Ok(1),
        (-1, _) => Ok(if b & 1 == 0 { 1 } else { -1 }),
        (_, ..0) => Ok(0),
        _ => Ok(a.wrapping_pow(b as u32)),
    }
}

fn real_integral_power(a: f64, b: f64, _: &Limits) -> Result<f64> {
    if a == 0.0 && b <= 0.0 { condition(2004, "0") } else { Ok(a.powi(b as i32)) }
}

fn real_power(a: f64, b: f64, limits: &Limits) -> Result<f64> {
    if a == 0.0 && b <= 0.0 {
        return condition(2006, "0");
    }
    if a < 0.0 && b.fract() != 0.0 {
        return condition(2020, "0");
    }
    if a != 0.0 && b * a.abs().ln() > limits.exponential {
        return condition(2007, limits.exponential_name);
    }
    Ok(a.powf(b))
}

fn complex_integral_power(a: Complex, b: Complex, _: &Limits) -> Result<Complex> {
    if a.is_zero() && b.real <= 0.0 { condition(2008, "0") } else { Ok(a.integral_power(b.real as i32)) }
}

fn complex_power(a: Complex, b: Complex, _: &Limits) -> Result<Complex> {
    if a.is_zero() && b.real <= 0.0 { condition(2008, "0") } else { Ok(a.power(b)) }
}

/// CEE1V9, severity 1.
pub const UNDERFLOW: Feedback = Feedback { severity: 1, message: 2025 };

/// A math service.
#[derive(Clone, Copy)]
pub struct MathService {
    function: &'static Function,
    kind: Kind,
}

/// The meaning of a name that begins with CEES.
pub enum Found {
    Service(MathService),
    /// A service of 128-bit floating point.
    Extended,
}

pub fn find(name: &str) -> Option<Found> {
    let rest = name.strip_prefix("CEES").filter(|rest| rest.len() == 4 && rest.is_ascii())?;
    let (letter, name) = (rest.as_bytes()[0], &rest[1..]);
    let function = FUNCTIONS.iter().find(|function| function.name == name && function.types.contains(letter as char))?;
    Some(match Kind::of(letter) {
        Some(kind) => Found::Service(MathService { function, kind }),
        None => Found::Extended,
    })
}

impl MathService {
    /// Operands before the feedback code.
    pub fn operands(&self) -> usize {
        if self.function.second == Second::None { 1 } else { 2 }
    }

    /// Runs the service with the addresses of a CALL; also the limit that a condition's message names.
    ///
    /// # Safety
    /// Addresses that are not null must be valid for the reads and writes of the service.
    pub unsafe fn call(&self, addresses: &[*mut u8], session: &Session) -> (Outcome, &'static str) {
        let operands = self.operands();
        let feedback_at = operands;
        let needed = [0, operands - 1, operands + 1];
        if addresses.len() < operands + 2 || needed.iter().any(|&at| addresses[at].is_null()) {
            return (Outcome::Arguments, "");
        }
        let place = Some(addresses[feedback_at]);
        match self.run(addresses, addresses[feedback_at + 1], session) {
            Ok(()) => (feed_back(Feedback::SUCCESS, place), ""),
            Err(Failure::Condition(feedback, limit)) => (feed_back(feedback, place), limit),
            Err(Failure::Interruption(exception)) => (Outcome::Interruption(exception), ""),
        }
    }

    unsafe fn run(&self, addresses: &[*mut u8], result: *mut u8, session: &Session) -> Result<()> {
        let limits = Limits::of(self.kind, session.float_format);
        let area = Area { kind: self.kind, format: session.float_format };
        let second = match self.function.second {
            Second::None => Complex::new(0.0, 0.0),
            Second::Integer => Complex::new(f64::from(integer(addresses[1])), 0.0),
            Second::Same if self.kind == Kind::Integer => Complex::new(f64::from(integer(addresses[1])), 0.0),
            Second::Same => area.load(addresses[1]),
        };
        // The table has a function for every type it lists, but for those of 128 bits.
        let missing = Failure::Interruption(Exception::FunctionArgument);
        match self.kind {
            Kind::Integer => {
                let value = self.function.integer.ok_or(missing)?(integer(addresses[0]), second.real as i32)?;
                set_integer(result, value);
                Ok(())
            }
            Kind::Single | Kind::Double => {
                let value = self.function.real.ok_or(missing)?(area.load(addresses[0]).real, second.real, &limits)?;
                if self.function.answer == Answer::Integer {
                    set_integer(result, value as i32);
                    return Ok(());
                }
                area.store(result, value)
            }
            Kind::SingleComplex | Kind::DoubleComplex => {
                let value = self.function.complex.ok_or(missing)?(area.load(addresses[0]), second, &limits)?;
                if self.function.answer == Answer::Same {
                    area.store(result.add(self.kind.length() as usize), value.imaginary)?;
                }
                area.store(result, value.real)
            }
        }
    }
}

unsafe fn integer(address: *const u8) -> i32 {
    i32::from_be_bytes(address.cast::<[u8; 4]>().read())
}

unsafe fn set_integer(address: *mut u8, value: i32) {
    address.cast::<[u8; 4]>().write(value.to_be_bytes());
}

/// How numbers of a type lie in storage.
struct Area {
    kind: Kind,
    format: FloatFormat,
}

impl Area {
    unsafe fn load(&self, address: *const u8) -> Complex {
        let length = self.kind.length();
        let real = float::load(address, length, self.format);
        match self.kind {
            Kind::SingleComplex | Kind::DoubleComplex => Complex::new(real, float::load(address.add(length as usize), length, self.format)),
            _ => Complex::new(real, 0.0),
        }
    }

    /// Too large a number is an exponent overflow, too small a one is zero with the condition of underflow.
    unsafe fn store(&self, address: *mut u8, value: f64) -> Result<()> {
        let length = self.kind.length();
        if !float::store(address, length, value, self.format) {
            return Err(Failure::Interruption(Exception::ExponentOverflow));
        }
        if value != 0.0 && float::load(address, length, self.format) == 0.0 {
            return Err(Failure::Condition(UNDERFLOW, ""));
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "math_tests.rs"]
mod tests;
