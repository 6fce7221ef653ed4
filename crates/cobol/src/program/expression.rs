//! Operands: references to data, literals, figurative constants, functions, and arithmetic expressions with their types.

use super::{ItemId, Span};

/// A reference to a data item: item, subscripts, reference modification.
#[derive(Clone, Debug)]
pub struct Reference {
    pub item: ItemId,
    /// One for each of the item's `dimensions`, outermost first.
    pub subscripts: Vec<Subscript>,
    pub modification: Option<Box<Modification>>,
    /// The item is a receiver that contains the object of its own OCCURS DEPENDING ON: its maximum length applies, not the current one.
    pub maximum_length: bool,
    pub span: Span,
}

impl Reference {
    /// A reference without subscripts or modification.
    pub fn plain(item: ItemId, span: Span) -> Reference {
        Reference { item, subscripts: Vec::new(), modification: None, maximum_length: false, span }
    }

    /// Neither subscripted nor modified.
    pub fn is_plain(&self) -> bool {
        self.subscripts.is_empty() && self.modification.is_none()
    }
}

#[derive(Clone, Debug)]
pub enum Subscript {
    /// A literal, checked against the bounds.
    Literal(u32),
    /// An index-name plus a constant (its value is an occurrence number).
    Index { index: ItemId, plus: i32 },
    /// An integer data item (possibly subscripted in turn) plus a constant.
    Item { reference: Box<Reference>, plus: i32 },
    /// Any other arithmetic expression.
    Expression(Box<Expression>),
    /// ALL, only in arguments of functions: every occurrence.
    All,
    /// Inside [`super::InitializeStep::Loop`]: the loop variable of that depth (0 = outermost loop).
    Loop(u32),
}

/// Reference modification `(start : length)`. Positions count bytes, or characters of a national item.
#[derive(Clone, Debug)]
pub struct Modification {
    pub start: Expression,
    pub length: Option<Expression>,
}

/// A value as statements use them.
#[derive(Clone, Debug)]
pub enum Operand {
    Reference(Reference),
    Literal(Literal),
    Figurative(Figurative, Span),
    Function(Box<FunctionCall>),
    /// ADDRESS OF a linkage item (its base's address), or of any item.
    AddressOf(Box<Reference>),
    /// LENGTH OF an item whose length varies (a fixed one is a literal); an unsigned integer.
    LengthOf(Box<Reference>),
    /// An arithmetic expression (in relation conditions, EVALUATE, function arguments, BY VALUE).
    Expression(Box<Expression>),
}

impl Operand {
    pub fn span(&self) -> Span {
        match self {
            Operand::Reference(reference) => reference.span,
            Operand::Literal(literal) => literal.span,
            Operand::Figurative(_, span) => *span,
            Operand::Function(call) => call.span,
            Operand::AddressOf(reference) | Operand::LengthOf(reference) => reference.span,
            Operand::Expression(expression) => expression.span,
        }
    }
}

/// A literal, encoded.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal {
    pub value: LiteralValue,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LiteralValue {
    /// In the program's code page (hexadecimal literals unchanged; Z'..' with its final X'00').
    Alphanumeric(Box<[u8]>),
    /// UTF-16 big-endian.
    National(Box<[u8]>),
    /// U'..' and UX'..'.
    Utf8(Box<[u8]>),
    /// G'..' with code page DBCS bytes.
    Dbcs(Box<[u8]>),
    Numeric(Number),
    /// A floating-point literal; IBM treats it as COMP-2.
    Float(f64),
    /// As a VALUE only: a figurative constant.
    Figurative(Figurative),
    /// As a VALUE only: NULL.
    Null,
}

/// A fixed-point constant: `value / 10^scale`, written with `digits` digits (leading zeros count: MOVE 007 moves `007`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Number {
    pub value: i128,
    pub digits: u8,
    pub scale: i8,
    /// Written with a sign.
    pub signed: bool,
}

impl Number {
    pub const fn integer(value: i128, digits: u8) -> Number {
        Number { value, digits, scale: 0, signed: value < 0 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Figurative {
    Zero,
    Space,
    HighValue,
    LowValue,
    Quote,
    /// NULL, NULLS.
    Null,
    /// ALL literal; also a symbolic character.
    All {
        bytes: Box<[u8]>,
        encoding: LiteralEncoding,
    },
}

/// The encoding of a literal of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralEncoding {
    CodePage,
    /// UTF-16.
    National,
    Utf8,
}

impl LiteralEncoding {
    /// The code page, given that of alphanumeric literals.
    pub fn page(self, alphanumeric: &'static le::code_page::CodePage) -> &'static le::code_page::CodePage {
        match self {
            LiteralEncoding::CodePage => alphanumeric,
            LiteralEncoding::National => &le::code_page::CCSID_1200,
            LiteralEncoding::Utf8 => &le::code_page::CCSID_1208,
        }
    }
}

/// Type of an arithmetic value: IBM's intermediate results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumericType {
    /// Fixed point with at most `digits` digits, `scale` of them decimals, after truncation by the rules of ARITH. `truncated`: the exact
    /// result may need more digits; the run time then keeps the low-order ones, as IBM does, and raises SIZE ERROR if the statement has it.
    Fixed { digits: u8, scale: i8, truncated: bool },
    /// Long floating point (COMP-2); extended precision in ARITH(EXTEND) is also computed as long.
    Float,
}

/// An arithmetic expression; each node has its type.
#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub numeric: NumericType,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Number(Number),
    Float(f64),
    /// A numeric item (numeric-edited is not allowed), an index-name (its occurrence number) or a USAGE INDEX item.
    Reference(Reference),
    /// A numeric function.
    Function(Box<FunctionCall>),
    LengthOf(Box<Reference>),
    /// Address as an integer (BY VALUE ADDRESS OF, comparisons).
    AddressOf(Box<Reference>),
    Negate(Box<Expression>),
    Binary {
        operator: Operator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Integer exponents (literal or item) are computed by repeated multiplication, others in floating point, as the node's type indicates.
    Power,
}

/// A call of an intrinsic function.
#[derive(Clone, Debug)]
pub struct FunctionCall {
    pub function: Function,
    pub arguments: Vec<Operand>,
    pub result: FunctionResult,
    /// Reference modification of the result.
    pub modification: Option<Box<Modification>>,
    /// Index in `Program::user_calls`.
    pub user: Option<u32>,
    pub span: Span,
}

/// Type of a function's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionResult {
    /// Alphanumeric; the length is known at run time only, never more than `length_max`.
    Alphanumeric {
        length_max: u32,
    },
    National {
        length_max: u32,
    },
    Utf8 {
        length_max: u32,
    },
    /// Integer or fixed-point value.
    Fixed {
        digits: u8,
        scale: i8,
    },
    Float,
}

/// The intrinsic functions of Enterprise COBOL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    Abs,
    Acos,
    Annuity,
    Asin,
    Atan,
    BitOf,
    BitToChar,
    ByteLength,
    Char,
    CombinedDatetime,
    Concatenate,
    Cos,
    CurrentDate,
    DateOfInteger,
    DateToYyyymmdd,
    DayOfInteger,
    DayToYyyyddd,
    DisplayOf,
    E,
    Exp,
    Exp10,
    Factorial,
    FormattedCurrentDate,
    FormattedDate,
    FormattedDatetime,
    FormattedTime,
    HexOf,
    HexToChar,
    Integer,
    IntegerOfDate,
    IntegerOfDay,
    IntegerOfFormattedDate,
    IntegerPart,
    Length,
    Log,
    Log10,
    LowerCase,
    Max,
    Mean,
    Median,
    Midrange,
    Min,
    Mod,
    NationalOf,
    Numval,
    NumvalC,
    NumvalF,
    Ord,
    OrdMax,
    OrdMin,
    Pi,
    PresentValue,
    Random,
    Range,
    Rem,
    Reverse,
    SecondsFromFormattedTime,
    SecondsPastMidnight,
    Sign,
    Sin,
    Sqrt,
    StandardDeviation,
    StoredCharLength,
    Substitute,
    Sum,
    Tan,
    TestDateYyyymmdd,
    TestDayYyyyddd,
    TestFormattedDatetime,
    TestNumval,
    TestNumvalC,
    TestNumvalF,
    Trim,
    Ulength,
    Upos,
    UpperCase,
    UserDefined,
    Usubstr,
    Usupplementary,
    Uuid4,
    Uvalid,
    Uwidth,
    Variance,
    WhenCompiled,
    YearToYyyy,
}

/// Extra, non-operand arguments of functions are encoded as integer literals: TRIM of one side has one of these.
pub const TRIM_LEADING: i128 = 1;
pub const TRIM_TRAILING: i128 = 2;
