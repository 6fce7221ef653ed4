//! Changes of items: a value that a user writes is checked against the picture of the item before anything is stored.
//!
//! Invariants: an item is changed as MOVE would change it, or not at all; a number that would lose a digit, decimal or sign, characters that
//! do not fit and hexadecimal digits of another length are refused. X'...' stores bytes as they are into an item of any usage.

use crate::data::{self, Located};
use crate::expression::{self, Expression, Value, constant_value};
use le::{Attributes, Usage};
use program::copied::{self, Item};
use program::module::debugging::ConditionInfo;

/// Stores the value of a text; answers how the item is shown then.
pub fn assign(target: &Located, text: &str) -> Result<String, String> {
    let value = match read(target, text.trim())? {
        Written::Bytes(bytes) if bytes.len() == target.attributes.length as usize => {
            target.write(&bytes)?;
            return data::shown(target);
        }
        Written::Bytes(bytes) => return Err(format!("{} bytes do not fit {}", bytes.len(), described(target))),
        Written::Value(value) => value,
    };
    store(target, &value)?;
    data::shown(target)
}

/// SET condition-name TO TRUE.
pub fn assign_condition(target: &Located, condition: &ConditionInfo, text: &str) -> Result<(), String> {
    if !text.trim().eq_ignore_ascii_case("true") {
        return Err(format!("{} can be set to true only", condition.name));
    }
    let (low, _) = condition.values.first().ok_or_else(|| format!("{} has no value", condition.name))?;
    store(target, &constant_value(low)?)
}

enum Written {
    Bytes(Vec<u8>),
    Value(Value),
}

fn holds_characters(target: &Located) -> bool {
    !target.attributes.is_numeric() && !matches!(target.attributes.usage, Usage::Index | Usage::Pointer | Usage::FunctionPointer)
}

/// What is no literal and no number is taken as the characters themselves, if the item holds characters.
fn read(target: &Located, text: &str) -> Result<Written, String> {
    let parsed = expression::parse(text);
    let characters = || Written::Value(Value::Characters(target.frame.session().code_page.encode(text), Usage::Alphanumeric));
    Ok(match parsed {
        Ok(Expression::Bytes(bytes)) => Written::Bytes(bytes),
        Ok(Expression::Item(_)) | Err(_) if holds_characters(target) && !text.starts_with(['\'', '"']) => characters(),
        Ok(parsed) => Written::Value(parsed.evaluate(target.frame)?),
        Err(why) => return Err(why),
    })
}

fn described(target: &Located) -> String {
    match target.is_modified {
        true => format!("{} bytes of {}", target.attributes.length, target.info().name),
        false => format!("{} {}", target.info().name, data::description(target.info())),
    }
}

fn store(target: &Located, value: &Value) -> Result<(), String> {
    let session = target.frame.session();
    let old = target.read()?;
    let item = Item { bytes: &old, attributes: target.attributes };
    let misfit = |what: &str| format!("{what} does not fit {}", described(target));
    let failed = |_| misfit("the value");
    let bytes = match value {
        Value::Truth(_) => return Err(format!("a condition is no value of {}", described(target))),
        Value::Figurative(figurative) => copied::filled(*figurative, item, session),
        Value::All(literal) => copied::filled_with(literal, item, session).map_err(failed)?,
        Value::Number(number) if !holds_characters(target) || target.attributes.usage == Usage::NumericEdited => {
            let text = program::readable::number(number);
            match target.attributes.usage {
                Usage::Float4 | Usage::Float8 => {
                    copied::stored_float(le::decimal::to_float(number), item, session).ok_or_else(|| misfit(&text))?
                }
                _ if number.is_negative() && is_unsigned(&target.attributes) => return Err(misfit(&text)),
                _ => copied::stored(number, item, session).ok_or_else(|| misfit(&text))?,
            }
        }
        Value::Number(_) | Value::Characters(..) | Value::Item(_) => {
            let (bytes, attributes) = value.item(target.frame)?;
            if holds_characters(target) && is_longer(&attributes, &target.attributes) {
                let units = attributes.length / if attributes.is_national() { 2 } else { 1 };
                return Err(misfit(&format!("a value of {units} characters")));
            }
            let source = Item { bytes: &bytes, attributes };
            if !holds_characters(target) {
                // A number in characters or another item: it must not lose anything either.
                return number_of(target, source, item).and_then(|bytes| target.write(&bytes));
            }
            copied::moved(source, item, session).map_err(failed)?
        }
    };
    target.write(&bytes)
}

fn number_of(target: &Located, source: Item, item: Item) -> Result<Vec<u8>, String> {
    let session = target.frame.session();
    let misfit = || format!("the value does not fit {}", described(target));
    if matches!(target.attributes.usage, Usage::Pointer | Usage::FunctionPointer) {
        let is_address = matches!(source.attributes.usage, Usage::Pointer | Usage::FunctionPointer);
        return if is_address { Ok(source.bytes.to_vec()) } else { Err(misfit()) };
    }
    if source.attributes.is_float() || item.attributes.is_float() {
        let value = copied::float(source, session).map_err(|_| misfit())?;
        return copied::stored_float(value, item, session).ok_or_else(misfit);
    }
    let value = copied::number(source, session).map_err(|_| misfit())?;
    if value.is_negative() && is_unsigned(&item.attributes) {
        return Err(misfit());
    }
    copied::stored(&value, item, session).ok_or_else(misfit)
}

fn is_unsigned(attributes: &Attributes) -> bool {
    attributes.is_fixed() && !attributes.is_signed()
}

/// The characters are more than the item has room for.
fn is_longer(source: &Attributes, target: &Attributes) -> bool {
    let characters = |attributes: &Attributes| attributes.length / if attributes.is_national() { 2 } else { 1 };
    target.usage != Usage::Utf8 && characters(source) > characters(target)
}
