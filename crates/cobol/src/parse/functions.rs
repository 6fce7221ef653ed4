//! Intrinsic functions: names, arguments, result types.

use super::Parser;
use super::cursor::Parsed;
use super::operand::{as_operand, number_expression};
use crate::check::precision::{operand_type, shape_of};
use crate::lexer::TokenKind;
use crate::program::*;

/// How a function's result type follows from its arguments.
#[derive(Clone, Copy)]
enum Shape {
    /// An integer of so many digits.
    Integer(u8),
    /// A fixed-point value of so many digits and decimals.
    Fixed(u8, i8),
    Float,
    /// Alphanumeric of a fixed length.
    Text(u32),
    /// Alphanumeric (or national) of the length of the first argument times this, plus the second number.
    Like(u32, u32),
    National,
    /// Sum of the lengths of the arguments.
    Concatenation,
    /// The type that covers all arguments (MAX, MIN).
    Common,
    /// Fixed point with fractions, unless an argument is floating point (MEAN).
    Quotient,
    /// The numeric type that covers all arguments, with more integer digits (SUM).
    Sum,
}

struct Description {
    name: &'static str,
    function: Function,
    least: u8,
    /// 255: any number.
    most: u8,
    /// The required arguments; the last one also applies to those that follow.
    arguments: &'static [Argument],
    shape: Shape,
}

/// The requirement for an argument of a function (Language Reference, "Function definitions").
#[derive(Clone, Copy, PartialEq)]
enum Argument {
    Any,
    Number,
    /// A number that is always an integer. For an expression this is known only at run time.
    Integer,
    /// Not of class numeric.
    Text,
}

use Argument::{Any, Integer, Number, Text};

const fn row(name: &'static str, function: Function, least: u8, most: u8, arguments: &'static [Argument], shape: Shape) -> Description {
    Description { name, function, least, most, arguments, shape }
}

/// All functions, by name.
static FUNCTIONS: &[Description] = &[
    row("ABS", Function::Abs, 1, 1, &[Number], Shape::Common),
    row("ACOS", Function::Acos, 1, 1, &[Number], Shape::Float),
    row("ANNUITY", Function::Annuity, 2, 2, &[Number, Integer], Shape::Float),
    row("ASIN", Function::Asin, 1, 1, &[Number], Shape::Float),
    row("ATAN", Function::Atan, 1, 1, &[Number], Shape::Float),
    row("BIT-OF", Function::BitOf, 1, 1, &[Any], Shape::Like(8, 0)),
    row("BIT-TO-CHAR", Function::BitToChar, 1, 1, &[Text], Shape::Like(1, 0)),
    row("BYTE-LENGTH", Function::ByteLength, 1, 1, &[Any], Shape::Integer(9)),
    row("CHAR", Function::Char, 1, 1, &[Integer], Shape::Text(1)),
    row("COMBINED-DATETIME", Function::CombinedDatetime, 2, 2, &[Integer, Number], Shape::Fixed(12, 5)),
    row("CONCAT", Function::Concatenate, 1, 255, &[Any], Shape::Concatenation),
    row("CONCATENATE", Function::Concatenate, 1, 255, &[Any], Shape::Concatenation),
    row("COS", Function::Cos, 1, 1, &[Number], Shape::Float),
    row("CURRENT-DATE", Function::CurrentDate, 0, 0, &[], Shape::Text(21)),
    row("DATE-OF-INTEGER", Function::DateOfInteger, 1, 1, &[Integer], Shape::Integer(8)),
    row("DATE-TO-YYYYMMDD", Function::DateToYyyymmdd, 1, 2, &[Integer], Shape::Integer(8)),
    row("DAY-OF-INTEGER", Function::DayOfInteger, 1, 1, &[Integer], Shape::Integer(7)),
    row("DAY-TO-YYYYDDD", Function::DayToYyyyddd, 1, 2, &[Integer], Shape::Integer(7)),
    row("DISPLAY-OF", Function::DisplayOf, 1, 2, &[Text, Integer], Shape::Like(2, 0)),
    row("E", Function::E, 0, 0, &[], Shape::Fixed(31, 30)),
    row("EXP", Function::Exp, 1, 1, &[Number], Shape::Float),
    row("EXP10", Function::Exp10, 1, 1, &[Number], Shape::Float),
    row("FACTORIAL", Function::Factorial, 1, 1, &[Integer], Shape::Integer(30)),
    row("FORMATTED-CURRENT-DATE", Function::FormattedCurrentDate, 1, 1, &[Text], Shape::Text(40)),
    row("FORMATTED-DATE", Function::FormattedDate, 2, 2, &[Text, Integer], Shape::Text(40)),
    row("FORMATTED-DATETIME", Function::FormattedDatetime, 3, 5, &[Text, Integer, Number], Shape::Text(40)),
    row("FORMATTED-TIME", Function::FormattedTime, 2, 3, &[Text, Number], Shape::Text(40)),
    row("HEX-OF", Function::HexOf, 1, 1, &[Any], Shape::Like(2, 0)),
    row("HEX-TO-CHAR", Function::HexToChar, 1, 1, &[Text], Shape::Like(1, 0)),
    row("INTEGER", Function::Integer, 1, 1, &[Number], Shape::Integer(18)),
    row("INTEGER-OF-DATE", Function::IntegerOfDate, 1, 1, &[Integer], Shape::Integer(7)),
    row("INTEGER-OF-DAY", Function::IntegerOfDay, 1, 1, &[Integer], Shape::Integer(7)),
    row("INTEGER-OF-FORMATTED-DATE", Function::IntegerOfFormattedDate, 2, 2, &[Text, Any], Shape::Integer(7)),
    row("INTEGER-PART", Function::IntegerPart, 1, 1, &[Number], Shape::Integer(18)),
    row("LENGTH", Function::Length, 1, 1, &[Any], Shape::Integer(9)),
    row("LOG", Function::Log, 1, 1, &[Number], Shape::Float),
    row("LOG10", Function::Log10, 1, 1, &[Number], Shape::Float),
    row("LOWER-CASE", Function::LowerCase, 1, 1, &[Text], Shape::Like(1, 0)),
    row("MAX", Function::Max, 1, 255, &[Any], Shape::Common),
    row("MEAN", Function::Mean, 1, 255, &[Number], Shape::Quotient),
    row("MEDIAN", Function::Median, 1, 255, &[Number], Shape::Quotient),
    row("MIDRANGE", Function::Midrange, 1, 255, &[Number], Shape::Quotient),
    row("MIN", Function::Min, 1, 255, &[Any], Shape::Common),
    row("MOD", Function::Mod, 2, 2, &[Integer], Shape::Integer(18)),
    row("NATIONAL-OF", Function::NationalOf, 1, 2, &[Text, Integer], Shape::National),
    row("NUMVAL", Function::Numval, 1, 1, &[Text], Shape::Fixed(30, 12)),
    row("NUMVAL-C", Function::NumvalC, 1, 2, &[Text], Shape::Fixed(30, 12)),
    row("NUMVAL-F", Function::NumvalF, 1, 1, &[Text], Shape::Fixed(30, 12)),
    row("ORD", Function::Ord, 1, 1, &[Text], Shape::Integer(5)),
    row("ORD-MAX", Function::OrdMax, 1, 255, &[Any], Shape::Integer(9)),
    row("ORD-MIN", Function::OrdMin, 1, 255, &[Any], Shape::Integer(9)),
    row("PI", Function::Pi, 0, 0, &[], Shape::Fixed(31, 30)),
    row("PRESENT-VALUE", Function::PresentValue, 2, 255, &[Number], Shape::Float),
    row("RANDOM", Function::Random, 0, 1, &[Integer], Shape::Float),
    row("RANGE", Function::Range, 1, 255, &[Number], Shape::Sum),
    row("REM", Function::Rem, 2, 2, &[Number], Shape::Common),
    row("REVERSE", Function::Reverse, 1, 1, &[Text], Shape::Like(1, 0)),
    row("SECONDS-FROM-FORMATTED-TIME", Function::SecondsFromFormattedTime, 2, 2, &[Text, Any], Shape::Fixed(14, 9)),
    row("SECONDS-PAST-MIDNIGHT", Function::SecondsPastMidnight, 0, 0, &[], Shape::Fixed(14, 9)),
    row("SIGN", Function::Sign, 1, 1, &[Number], Shape::Integer(1)),
    row("SIN", Function::Sin, 1, 1, &[Number], Shape::Float),
    row("SQRT", Function::Sqrt, 1, 1, &[Number], Shape::Float),
    row("STANDARD-DEVIATION", Function::StandardDeviation, 1, 255, &[Number], Shape::Float),
    row("SUM", Function::Sum, 1, 255, &[Number], Shape::Sum),
    row("TAN", Function::Tan, 1, 1, &[Number], Shape::Float),
    row("TEST-DATE-YYYYMMDD", Function::TestDateYyyymmdd, 1, 1, &[Integer], Shape::Integer(1)),
    row("TEST-DAY-YYYYDDD", Function::TestDayYyyyddd, 1, 1, &[Integer], Shape::Integer(1)),
    row("TEST-FORMATTED-DATETIME", Function::TestFormattedDatetime, 2, 2, &[Text, Any], Shape::Integer(9)),
    row("TEST-NUMVAL", Function::TestNumval, 1, 1, &[Text], Shape::Integer(9)),
    row("TEST-NUMVAL-C", Function::TestNumvalC, 1, 2, &[Text], Shape::Integer(9)),
    row("TEST-NUMVAL-F", Function::TestNumvalF, 1, 1, &[Text], Shape::Integer(9)),
    row("TRIM", Function::Trim, 1, 2, &[Text, Any], Shape::Like(1, 0)),
    row("ULENGTH", Function::Ulength, 1, 1, &[Any], Shape::Integer(9)),
    row("UPOS", Function::Upos, 2, 2, &[Any, Integer], Shape::Integer(9)),
    row("UPPER-CASE", Function::UpperCase, 1, 1, &[Text], Shape::Like(1, 0)),
    row("USUBSTR", Function::Usubstr, 3, 3, &[Any, Integer], Shape::Like(1, 0)),
    row("USUPPLEMENTARY", Function::Usupplementary, 1, 1, &[Any], Shape::Integer(9)),
    row("UUID4", Function::Uuid4, 0, 0, &[], Shape::Text(36)),
    row("UVALID", Function::Uvalid, 1, 1, &[Any], Shape::Integer(9)),
    row("UWIDTH", Function::Uwidth, 2, 2, &[Any, Integer], Shape::Integer(9)),
    row("VARIANCE", Function::Variance, 1, 255, &[Number], Shape::Float),
    row("WHEN-COMPILED", Function::WhenCompiled, 0, 0, &[], Shape::Text(21)),
    row("YEAR-TO-YYYY", Function::YearToYyyy, 1, 2, &[Integer], Shape::Integer(4)),
];

impl Function {
    /// The name of the function; of two spellings the first by the alphabet (CONCAT for CONCATENATE).
    pub fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|row| row.function == self).map_or("?", |row| row.name)
    }
}

/// The name of an intrinsic function.
pub fn is_intrinsic(name: &str) -> bool {
    FUNCTIONS.binary_search_by(|row| row.name.cmp(name)).is_ok()
}

impl Parser<'_> {
    /// FUNCTION name (arguments) (modification).
    pub fn function_operand(&mut self) -> Parsed<Operand> {
        self.accept("FUNCTION");
        let span = self.span();
        let name = self.word();
        if let Some(signature) = self.functions.get(name).cloned() {
            return self.user_function(&signature);
        }
        if self.unit.is_function && *name == *self.unit.program.name {
            // A function that calls itself.
            self.note_function();
            if let Some(signature) = self.functions.get(name).cloned() {
                return self.user_function(&signature);
            }
        }
        let Ok(found) = FUNCTIONS.binary_search_by(|row| row.name.cmp(name)) else {
            let message = format!("{} is neither an intrinsic function nor one defined before", super::cursor::quoted(self.token()));
            return self.fail_at(span, message);
        };
        let description = &FUNCTIONS[found];
        self.advance();
        let mut arguments = Vec::new();
        if description.most > 0 && self.is(&TokenKind::LeftParenthesis) && !(description.least == 0 && self.is_modification()) {
            arguments = self.function_arguments(description)?;
        }
        let count = arguments.len() as u32;
        let most = if description.most == 255 { u32::MAX } else { u32::from(description.most) };
        if count < u32::from(description.least) || count > most {
            let needed = match (description.least, description.most) {
                (least, 255) => format!("{least} or more"),
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let message = format!("FUNCTION {} has {count} arguments, not the number it needs ({needed})", description.name);
            return self.fail_at(span, message);
        }
        self.check_arguments(description, &arguments)?;
        if matches!(description.function, Function::Length | Function::ByteLength)
            && let Some(length) = self.constant_length(&arguments[0], description.function)
        {
            return Ok(as_operand(number_expression(length, 9, span)));
        }
        if description.function == Function::WhenCompiled {
            // The run time returns its argument.
            let text = self.encoder.text(&String::from_utf8_lossy(&self.compiled_at().text(0)));
            arguments.push(Operand::Literal(Literal { value: LiteralValue::Alphanumeric(text.into()), span }));
        }
        let result = self.function_result(description, &arguments);
        let mut call = FunctionCall { function: description.function, arguments, result, modification: None, user: None, span };
        let text = matches!(result, FunctionResult::Alphanumeric { .. } | FunctionResult::National { .. });
        if text && self.is(&TokenKind::LeftParenthesis) && self.is_modification() {
            call.modification = Some(Box::new(self.modification(None)?));
        }
        Ok(Operand::Function(Box::new(call)))
    }

    fn function_arguments(&mut self, description: &Description) -> Parsed<Vec<Operand>> {
        self.expect_kind(&TokenKind::LeftParenthesis)?;
        let mut arguments = Vec::new();
        let mut trim = None;
        while !self.is(&TokenKind::RightParenthesis) {
            if description.function == Function::Trim
                && let Some(side) = self.accept_any(&["LEADING", "TRAILING"])
            {
                trim = Some(if side == "LEADING" { TRIM_LEADING } else { TRIM_TRAILING });
                continue;
            }
            let saved = std::mem::replace(&mut self.in_list, true);
            let argument = if description.function == Function::Length { self.length_argument() } else { self.general_operand() };
            self.in_list = saved;
            let argument = self.typed(argument?, 0);
            arguments.push(argument);
        }
        self.expect_kind(&TokenKind::RightParenthesis)?;
        if let Some(side) = trim {
            arguments.push(as_operand(number_expression(side, 1, self.span())));
        }
        Ok(arguments)
    }

    fn check_arguments(&mut self, description: &Description, arguments: &[Operand]) -> Parsed<()> {
        for (index, argument) in arguments.iter().enumerate() {
            let Some(wanted) = description.arguments.get(index).or(description.arguments.last()) else { break };
            let numeric = self.numeric_type(argument);
            let is_expression = matches!(argument, Operand::Expression(_));
            let fits = match wanted {
                Any => true,
                Number => numeric.is_some(),
                Integer => numeric.is_some_and(|numeric| is_expression || matches!(numeric, NumericType::Fixed { scale: ..=0, .. })),
                Text => numeric.is_none(),
            };
            if !fits {
                let wanted = match wanted {
                    Integer => "an integer",
                    Text => "of a class other than numeric",
                    _ => "numeric",
                };
                let message = format!("FUNCTION {}: argument {} must be {wanted}", description.name, index + 1);
                return self.fail_at(argument.span(), message);
            }
        }
        Ok(())
    }

    /// The argument of FUNCTION LENGTH may be a table element without subscripts.
    fn length_argument(&mut self) -> Parsed<Operand> {
        let optional = std::mem::replace(&mut self.subscripts_optional, true);
        let argument = self.general_operand();
        self.subscripts_optional = optional;
        argument
    }

    fn constant_length(&self, argument: &Operand, function: Function) -> Option<i128> {
        match argument {
            Operand::Literal(literal) => match &literal.value {
                LiteralValue::Alphanumeric(bytes) => Some(bytes.len() as i128),
                LiteralValue::Utf8(bytes) if function == Function::ByteLength => Some(bytes.len() as i128),
                LiteralValue::Utf8(bytes) => Some(String::from_utf8_lossy(bytes).chars().count() as i128),
                LiteralValue::National(bytes) => Some((bytes.len() / if function == Function::Length { 2 } else { 1 }) as i128),
                _ => None,
            },
            Operand::Reference(reference) if reference.modification.is_none() => {
                let item = self.item(reference.item);
                if !item.length.is_fixed() {
                    return None;
                }
                if function == Function::Length && item.characters > 0 {
                    return Some(i128::from(item.characters));
                }
                let halves = function == Function::Length && item.usage == Usage::National;
                Some(i128::from(if halves { item.length.fixed / 2 } else { item.length.fixed }))
            }
            _ => None,
        }
    }

    fn function_result(&self, description: &Description, arguments: &[Operand]) -> FunctionResult {
        match description.shape {
            Shape::Integer(digits) => FunctionResult::Fixed { digits, scale: 0 },
            Shape::Fixed(digits, scale) => FunctionResult::Fixed { digits, scale },
            Shape::Float => FunctionResult::Float,
            Shape::Text(length_max) => FunctionResult::Alphanumeric { length_max },
            Shape::Like(times, plus) => {
                let length_max = self.operand_length(&arguments[0]).saturating_mul(times).saturating_add(plus);
                let converts = matches!(description.function, Function::DisplayOf | Function::HexOf | Function::BitOf);
                if self.is_national(&arguments[0]) && !converts {
                    FunctionResult::National { length_max }
                } else if self.is_utf8(&arguments[0]) && !converts {
                    FunctionResult::Utf8 { length_max }
                } else {
                    FunctionResult::Alphanumeric { length_max }
                }
            }
            Shape::National => FunctionResult::National { length_max: self.operand_length(&arguments[0]).saturating_mul(2) },
            Shape::Concatenation => {
                let length_max = arguments.iter().fold(0_u32, |sum, argument| sum.saturating_add(self.operand_length(argument)));
                if self.is_national(&arguments[0]) {
                    FunctionResult::National { length_max }
                } else {
                    FunctionResult::Alphanumeric { length_max }
                }
            }
            Shape::Quotient => {
                let float = arguments.iter().any(|argument| self.numeric_type(argument) == Some(NumericType::Float));
                if float { FunctionResult::Float } else { FunctionResult::Fixed { digits: 30, scale: 15 } }
            }
            Shape::Common => self.common_result(arguments, 0),
            Shape::Sum => self.common_result(arguments, 9),
        }
    }

    /// The type that covers all arguments; `more` integer digits for sums.
    fn common_result(&self, arguments: &[Operand], more: i16) -> FunctionResult {
        let mut shape = le::Shape::new(0, 0);
        let mut length_max = 0;
        let mut is_text = false;
        for argument in arguments {
            match self.numeric_type(argument) {
                Some(NumericType::Float) => return FunctionResult::Float,
                Some(fixed) => {
                    let own = shape_of(fixed);
                    shape = le::Shape::new(shape.integers.max(own.integers), shape.decimals.max(own.decimals));
                }
                None => is_text = true,
            }
            length_max = length_max.max(self.operand_length(argument));
        }
        if is_text {
            return if arguments.iter().any(|argument| self.is_national(argument)) {
                FunctionResult::National { length_max }
            } else {
                FunctionResult::Alphanumeric { length_max }
            };
        }
        let scale = shape.decimals.clamp(0, 30) as i8;
        let digits = (shape.integers + more + i16::from(scale)).clamp(1, 31) as u8;
        FunctionResult::Fixed { digits, scale }
    }

    /// Numeric type of an operand; `None` when it is not numeric.
    pub fn numeric_type(&self, operand: &Operand) -> Option<NumericType> {
        let fixed = |digits, scale| Some(NumericType::Fixed { digits, scale, truncated: false });
        match operand {
            Operand::Reference(reference) if reference.modification.is_none() => operand_type(self.item(reference.item), &self.options),
            Operand::Literal(literal) => match literal.value {
                LiteralValue::Numeric(number) => fixed(number.digits.max(1), number.scale),
                LiteralValue::Float(_) => Some(NumericType::Float),
                _ => None,
            },
            Operand::Figurative(Figurative::Zero, _) => fixed(1, 0),
            Operand::Function(call) => match call.result {
                FunctionResult::Fixed { digits, scale } => fixed(digits, scale),
                FunctionResult::Float => Some(NumericType::Float),
                _ => None,
            },
            Operand::LengthOf(_) => fixed(9, 0),
            Operand::Expression(expression) => Some(expression.numeric),
            _ => None,
        }
    }

    /// Most bytes an operand can have.
    fn operand_length(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Reference(reference) => self.item(reference.item).length_max,
            Operand::Literal(literal) => match &literal.value {
                LiteralValue::Alphanumeric(bytes)
                | LiteralValue::National(bytes)
                | LiteralValue::Dbcs(bytes)
                | LiteralValue::Utf8(bytes) => bytes.len() as u32,
                LiteralValue::Numeric(number) => u32::from(number.digits),
                _ => 24,
            },
            Operand::Figurative(Figurative::All { bytes, .. }, _) => bytes.len() as u32,
            Operand::Function(call) => match call.result {
                FunctionResult::Alphanumeric { length_max }
                | FunctionResult::National { length_max }
                | FunctionResult::Utf8 { length_max } => length_max,
                FunctionResult::Fixed { digits, .. } => u32::from(digits) + 2,
                FunctionResult::Float => 24,
            },
            Operand::Expression(_) => 40,
            _ => 10,
        }
    }

    /// The operand holds characters of UTF-8.
    pub fn is_utf8(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Reference(reference) => self.item(reference.item).category == Category::Utf8,
            Operand::Literal(literal) => matches!(literal.value, LiteralValue::Utf8(_)),
            Operand::Figurative(Figurative::All { encoding, .. }, _) => *encoding == LiteralEncoding::Utf8,
            Operand::Function(call) => matches!(call.result, FunctionResult::Utf8 { .. }),
            _ => false,
        }
    }

    /// The operand holds national characters.
    pub fn is_national(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Reference(reference) => matches!(self.item(reference.item).category, Category::National | Category::NationalEdited),
            Operand::Literal(literal) => matches!(literal.value, LiteralValue::National(_)),
            Operand::Figurative(Figurative::All { encoding, .. }, _) => *encoding == LiteralEncoding::National,
            Operand::Function(call) => matches!(call.result, FunctionResult::National { .. }),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted_by_name() {
        assert!(FUNCTIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn the_run_time_has_every_function() {
        for row in FUNCTIONS {
            assert!(le::functions::find(row.function.name()).is_some(), "{}", row.name);
        }
    }
}
