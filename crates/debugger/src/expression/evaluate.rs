//! The value of an expression in a stopped program.

use super::{Expression, Operator, Reference, Relation};
use crate::data::{self, Located};
use le::decimal::{self, DIGITS_MAX};
use le::movement::Figurative;
use le::{Attributes, Decimal, Shape, Sign, Usage};
use program::copied::{self, Item};
use program::module::debugging::{ConditionInfo, Constant, Debugging, ItemInfo};
use program::rununit::FrameId;
use std::cmp::Ordering;

/// Most digits of a number that is compared with characters: those of a zoned item.
const ZONED_DIGITS_MAX: u32 = 31;

#[derive(Clone, Debug)]
pub enum Value {
    Item(Located),
    Number(Decimal),
    /// Characters with their usage.
    Characters(Vec<u8>, Usage),
    Figurative(Figurative),
    All(Vec<u8>),
    Truth(bool),
}

/// What a name stands for.
enum Named<'a> {
    Item(u32),
    Condition(&'a ConditionInfo),
}

impl Expression {
    /// Evaluates in the program of a frame.
    pub fn evaluate(&self, frame: FrameId) -> Result<Value, String> {
        Ok(match self {
            Expression::Item(reference) => return reference.evaluate(frame),
            Expression::Number(number) => Value::Number(*number),
            Expression::Characters(text) => Value::Characters(frame.session().code_page.encode(text), Usage::Alphanumeric),
            Expression::National(text) => Value::Characters(text.encode_utf16().flat_map(u16::to_be_bytes).collect(), Usage::National),
            Expression::Bytes(bytes) => Value::Characters(bytes.clone(), Usage::Alphanumeric),
            Expression::Figurative(figurative) => Value::Figurative(*figurative),
            Expression::All(text) => Value::All(frame.session().code_page.encode(text)),
            Expression::Length(reference) => Value::Number(Decimal::integer(i64::from(reference.locate(frame)?.attributes.length))),
            Expression::Address(reference) => {
                let address = reference.locate(frame)?.address as u32;
                Value::Characters(address.to_be_bytes().to_vec(), Usage::Pointer)
            }
            Expression::Arithmetic(left, operator, right) => {
                Value::Number(computed(&left.number(frame)?, *operator, &right.number(frame)?)?)
            }
            Expression::Relation(left, relation, right) => {
                Value::Truth(relation.holds(compared(&left.evaluate(frame)?, &right.evaluate(frame)?, frame)?))
            }
            Expression::Class(operand, class) => {
                let (bytes, attributes) = operand.evaluate(frame)?.item(frame)?;
                Value::Truth(copied::is_of_class(*class, Item { bytes: &bytes, attributes }, frame.session()))
            }
            Expression::Not(operand) => Value::Truth(!operand.truth(frame)?),
            Expression::And(left, right) => Value::Truth(left.truth(frame)? && right.truth(frame)?),
            Expression::Or(left, right) => Value::Truth(left.truth(frame)? || right.truth(frame)?),
        })
    }

    /// The value of a condition.
    pub fn truth(&self, frame: FrameId) -> Result<bool, String> {
        match self.evaluate(frame)? {
            Value::Truth(truth) => Ok(truth),
            _ => Err("the expression is not a condition".to_string()),
        }
    }

    pub fn number(&self, frame: FrameId) -> Result<Decimal, String> {
        match self.evaluate(frame)? {
            Value::Number(number) => Ok(number),
            Value::Figurative(Figurative::Zero) => Ok(Decimal::ZERO),
            Value::Item(located) => {
                let bytes = located.read()?;
                let item = Item { bytes: &bytes, attributes: located.attributes };
                copied::number(item, frame.session()).map_err(|_| format!("{} does not hold a number", located.info().name))
            }
            _ => Err("a number is expected".to_string()),
        }
    }

    fn position(&self, frame: FrameId) -> Result<u32, String> {
        let number = self.number(frame)?;
        let integer = number.to_integer().filter(|_| number.is_integer()).and_then(|integer| u32::try_from(integer).ok());
        integer.ok_or_else(|| format!("{} is not a position", program::readable::number(&number)))
    }
}

impl Reference {
    fn evaluate(&self, frame: FrameId) -> Result<Value, String> {
        let debugging = known(&frame)?;
        match find(debugging, frame, &self.name, &self.qualifiers)? {
            Named::Item(item) => self.located(frame, item).map(Value::Item),
            Named::Condition(condition) => {
                let located = self.located(frame, condition.item)?;
                holds(condition, &located).map(Value::Truth)
            }
        }
    }

    /// The item; a condition-name is none.
    pub fn locate(&self, frame: FrameId) -> Result<Located, String> {
        match find(known(&frame)?, frame, &self.name, &self.qualifiers)? {
            Named::Item(item) => self.located(frame, item),
            Named::Condition(condition) => Err(format!("{} is a condition-name", condition.name)),
        }
    }

    fn located(&self, frame: FrameId, item: u32) -> Result<Located, String> {
        let subscripts: Vec<u32> = self.subscripts.iter().map(|subscript| subscript.position(frame)).collect::<Result<_, _>>()?;
        let located = data::locate(frame, item, &subscripts)?;
        let Some((start, length)) = &self.modification else { return Ok(located) };
        let start = start.position(frame)?;
        let length = length.as_ref().map(|length| length.position(frame)).transpose()?;
        modified(located, start, length)
    }
}

/// A part of an item: positions count characters, which are two bytes of national and DBCS items.
fn modified(located: Located, start: u32, length: Option<u32>) -> Result<Located, String> {
    let (width, usage) = match located.attributes.usage {
        Usage::National | Usage::NationalEdited | Usage::NationalZoned | Usage::NationalNumericEdited => (2, Usage::National),
        Usage::Dbcs => (2, Usage::Dbcs),
        Usage::Utf8 => return Err("reference modification of UTF-8 items is not evaluated".to_string()),
        _ => (1, Usage::Alphanumeric),
    };
    let characters = located.attributes.length / width;
    let length = length.unwrap_or((characters + 1).saturating_sub(start));
    if start == 0 || length == 0 || u64::from(start) + u64::from(length) - 1 > u64::from(characters) {
        return Err(format!("({start}:{length}) is outside of {}, which has {characters} characters", located.info().name));
    }
    let attributes = Attributes::new(usage, length * width);
    Ok(Located { address: located.address + ((start - 1) * width) as usize, attributes, is_modified: true, ..located })
}

fn known(frame: &FrameId) -> Result<&Debugging, String> {
    let why = || format!("{} was not compiled with TEST: its items are not known", frame.name());
    frame.module().debugging.as_ref().ok_or_else(why)
}

/// The item or condition-name of this name in the program, or a global one of a program that contains it.
fn find<'a>(debugging: &'a Debugging, frame: FrameId, name: &str, qualifiers: &[String]) -> Result<Named<'a>, String> {
    for (depth, program) in std::iter::successors(Some(frame), FrameId::outer).enumerate() {
        let visible = |item: &ItemInfo| item.program as usize == program.program() && (depth == 0 || is_global(debugging, item));
        let is_qualified = |item: u32, itself: bool| {
            let mut above = ancestors(debugging, item).skip(usize::from(!itself)).map(|item| debugging.items[item as usize].name.as_str());
            qualifiers.iter().all(|qualifier| above.any(|name| name == qualifier))
        };
        let items = (0..).zip(&debugging.items).filter(|(index, item)| item.name == name && visible(item) && is_qualified(*index, false));
        let conditions = debugging.conditions.iter().filter(|condition| {
            condition.name == name && visible(&debugging.items[condition.item as usize]) && is_qualified(condition.item, true)
        });
        let mut found = items.map(|(index, _)| Named::Item(index)).chain(conditions.map(Named::Condition));
        match (found.next(), found.next()) {
            (Some(one), None) => return Ok(one),
            (Some(_), Some(_)) => return Err(format!("{name} is not unique: qualify it with OF")),
            (None, _) => {}
        }
    }
    Err(format!("{name} is not an item of {}", frame.name()))
}

fn ancestors(debugging: &Debugging, item: u32) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(Some(item), |item| debugging.items[*item as usize].parent)
}

fn is_global(debugging: &Debugging, item: &ItemInfo) -> bool {
    item.global || item.parent.is_some_and(|parent| ancestors(debugging, parent).any(|above| debugging.items[above as usize].global))
}

fn computed(left: &Decimal, operator: Operator, right: &Decimal) -> Result<Decimal, String> {
    let (least, most) = (left.scale.min(right.scale), left.scale.max(right.scale));
    let digits = |number: &Decimal| decimal::digit_count(number.coefficient.unsigned_abs());
    let needed = match operator {
        Operator::Multiply => digits(left) + digits(right),
        _ => digits(left).max(digits(right)) + (most - least) as u32 + 1,
    };
    if needed >= DIGITS_MAX {
        return Err("the result has too many digits".to_string());
    }
    let shape = |decimals: i32| Shape::new(Shape::ALL_INTEGERS, decimals as i16);
    Ok(match operator {
        Operator::Add => decimal::add(left, right, shape(most)),
        Operator::Subtract => decimal::subtract(left, right, shape(most)),
        Operator::Multiply => decimal::multiply(left, right, shape(left.scale + right.scale)),
    })
}

impl Value {
    /// The value as the operand of an operation.
    pub fn item(&self, frame: FrameId) -> Result<(Vec<u8>, Attributes), String> {
        match self {
            Value::Item(located) => Ok((located.read()?, located.attributes)),
            Value::Number(number) => zoned(number, frame),
            Value::Characters(bytes, usage) => Ok((bytes.clone(), Attributes::new(*usage, bytes.len() as u32))),
            Value::Figurative(_) | Value::All(_) => Err("a figurative constant has no length of its own".to_string()),
            Value::Truth(_) => Err("a condition has no value to compare".to_string()),
        }
    }

    /// As it is shown to a user.
    pub fn shown(&self, frame: FrameId) -> Result<String, String> {
        Ok(match self {
            Value::Item(located) => data::shown(located)?,
            Value::Number(number) => program::readable::number(number),
            Value::Truth(truth) => truth.to_string(),
            Value::Figurative(figurative) => format!("{figurative:?}").to_uppercase(),
            Value::All(bytes) => format!("ALL {}", literal_text(bytes, Usage::Alphanumeric, frame)),
            Value::Characters(bytes, usage) => literal_text(bytes, *usage, frame),
        })
    }
}

fn literal_text(bytes: &[u8], usage: Usage, frame: FrameId) -> String {
    data::shown_item(Item { bytes, attributes: Attributes::new(usage, bytes.len() as u32) }, frame)
}

/// A number as a zoned item of as many digits as it has.
fn zoned(number: &Decimal, frame: FrameId) -> Result<(Vec<u8>, Attributes), String> {
    let digits = decimal::digit_count(number.coefficient.unsigned_abs()).max(number.scale.max(1).unsigned_abs());
    let scale = i8::try_from(number.scale).ok().filter(|_| digits <= ZONED_DIGITS_MAX);
    let scale = scale.ok_or("the number has too many digits")?;
    let sign = if number.is_negative() { Sign::Trailing } else { Sign::Unsigned };
    let attributes = Attributes::zoned(digits as u8, scale, sign);
    let bytes = copied::stored(number, Item { bytes: &[], attributes }, frame.session()).ok_or("the number has too many digits")?;
    Ok((bytes, attributes))
}

fn compared(left: &Value, right: &Value, frame: FrameId) -> Result<Ordering, String> {
    let session = frame.session();
    let failed = |_| "the operands cannot be compared: one does not hold what its picture says".to_string();
    let (bytes, attributes) = match (left, right) {
        (Value::Figurative(_) | Value::All(_), Value::Figurative(_) | Value::All(_)) => {
            return Err("two figurative constants are not compared".to_string());
        }
        (Value::Figurative(_) | Value::All(_), _) => return compared(right, left, frame).map(Ordering::reverse),
        _ => left.item(frame)?,
    };
    let item = Item { bytes: &bytes, attributes };
    match right {
        Value::Figurative(figurative) => copied::compared_with(item, *figurative, session).map_err(failed),
        Value::All(literal) => copied::compared_with_all(item, literal, session).map_err(failed),
        _ => {
            let (bytes, attributes) = right.item(frame)?;
            copied::compared(item, Item { bytes: &bytes, attributes }, session).map_err(failed)
        }
    }
}

/// Whether an item has one of the values of a condition-name.
pub fn holds(condition: &ConditionInfo, located: &Located) -> Result<bool, String> {
    let own = Value::Item(located.clone());
    let order = |constant: &Constant| compared(&own, &constant_value(constant)?, located.frame);
    for (low, high) in &condition.values {
        let low = order(low)?;
        let found = match high {
            None => low.is_eq(),
            Some(high) => Relation::GreaterOrEqual.holds(low) && Relation::LessOrEqual.holds(order(high)?),
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The value of a VALUE clause.
pub fn constant_value(constant: &Constant) -> Result<Value, String> {
    Ok(match constant {
        Constant::Number(text) => Value::Number(super::parse::decimal(text).ok_or_else(|| format!("{text} is not a fixed-point number"))?),
        Constant::Characters(usage, bytes) => Value::Characters(bytes.clone(), Usage::of(*usage).unwrap_or(Usage::Group)),
        Constant::All(bytes) => Value::All(bytes.clone()),
        Constant::Figurative(number) => Value::Figurative(Figurative::from_number(u32::from(*number))),
    })
}
