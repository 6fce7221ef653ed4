//! JSON PARSE: values of a JSON text to the items of the same names and the same structure.
//!
//! Names match level by level, ignoring the case of A to Z unless a NAME phrase gave them; a value is assigned by the rules of MOVE
//! (Language Reference, "Operation of JSON PARSE"; codes: Programming Guide, "JSON PARSE conditions and associated codes").

use super::json_text::{self, Json, Trouble};
use super::pieces::decoded;
use super::{Data, node_flags, suppress};
use crate::attributes::{Attributes, Usage};
use crate::code_page::CodePage;
use crate::decimal::{Decimal, Rounding};
use crate::exception::Result;
use crate::movement::{self, Figurative, page_of};
use crate::numeric;

/// Conditions that do not end the statement: bits of JSON-STATUS.
pub mod status {
    pub const ITEM_UNMATCHED: u32 = 1;
    pub const NAME_UNMATCHED: u32 = 2;
    pub const DUPLICATE: u32 = 4;
    pub const ARRAY_SHORT: u32 = 8;
    pub const ARRAY_LONG: u32 = 16;
    pub const NULL_ITEM: u32 = 32;
    pub const NULL_ELEMENT: u32 = 64;
    pub const SIZE_ERROR: u32 = 128;
    pub const TRUNCATED: u32 = 256;
    pub const SUBSTITUTED: u32 = 512;
}

/// Exceptions: values of JSON-CODE.
mod code {
    pub const INVALID: u32 = 100;
    pub const EMPTY: u32 = 101;
    pub const SUPERFLUOUS: u32 = 102;
    pub const CONFLICT: u32 = 103;
    pub const INCOMPATIBLE: u32 = 104;
    pub const NO_MATCH: u32 = 106;
    pub const BOOLEAN: u32 = 107;
    pub const ANONYMOUS_ARRAY: u32 = 108;
    /// Not shown to the program, which is to be stopped.
    pub const STOPPED: u32 = u32::MAX;
}

/// What a parse came to, with a line of explanation for each condition (WITH DETAIL).
#[derive(Default, Debug)]
pub struct Outcome {
    pub code: u32,
    pub status: u32,
    pub messages: Vec<String>,
}

struct Population<'a, 'd> {
    data: &'a Data<'d>,
    outcome: Outcome,
    assigned: u32,
}

/// An exception ends the statement.
type Step<T = ()> = std::result::Result<T, u32>;

/// Parses the text and populates the tree's items.
///
/// # Safety
/// The tree must describe the storage at `data.root`.
pub unsafe fn json_parse(data: &Data<'_>, text: &[u8], page: &CodePage) -> Result<Outcome> {
    let mut population = Population { data, outcome: Outcome::default(), assigned: 0 };
    let result = population.document(&decoded(text, page, data.session)?);
    data.session.check_stop()?;
    if let Err(code) = result {
        population.outcome.code = code;
    }
    Ok(population.outcome)
}

impl Population<'_, '_> {
    /// Gives up when the program is to be stopped.
    fn look(&self) -> Step {
        self.data.session.check_stop().or(Err(code::STOPPED))
    }

    fn note(&mut self, bit: u32, text: String) {
        self.outcome.status |= bit;
        self.outcome.messages.push(text);
    }

    fn except<T>(&mut self, code: u32, text: String) -> Step<T> {
        self.outcome.messages.push(text);
        Err(code)
    }

    unsafe fn document(&mut self, text: &str) -> Step {
        let value = match json_text::read(text, self.data.session) {
            Ok(value) => value,
            Err(Trouble::Stopped) => return Err(code::STOPPED),
            Err(Trouble::Empty) => return self.except(code::EMPTY, "the JSON text is empty".to_string()),
            Err(Trouble::Superfluous(at)) => {
                return self.except(code::SUPERFLUOUS, format!("superfluous characters at offset {at} of the JSON text"));
            }
            Err(Trouble::Invalid(at)) => return self.except(code::INVALID, format!("the JSON text is not valid at offset {at}")),
        };
        if self.data.tree.nodes[0].name.is_empty() {
            // NAME OF ... IS OMITTED: the outermost value is the item's own.
            self.item(0, 0, &value)?;
        } else {
            match &value {
                Json::Object(members) => self.members(&[0], 0, members)?,
                Json::Array(_) => {
                    return self.except(code::ANONYMOUS_ARRAY, "the JSON text is an array without a name".to_string());
                }
                _ => return self.except(code::INVALID, "the JSON text is not an object".to_string()),
            }
        }
        if self.assigned == 0 {
            return self.except(code::NO_MATCH, "no JSON name matched a data item".to_string());
        }
        Ok(())
    }

    /// Items that members of an object may match: those of groups without a name are there too.
    fn candidates(&self, at: usize, out: &mut Vec<usize>) {
        for child in self.data.tree.children(at) {
            let node = &self.data.tree.nodes[child];
            if node.has(node_flags::SUPPRESSED) {
                continue;
            }
            if node.name.is_empty() {
                if node.table.is_none() {
                    self.candidates(child, out);
                }
            } else {
                out.push(child);
            }
        }
    }

    unsafe fn members(&mut self, items: &[usize], shift: usize, members: &[(String, Json)]) -> Step {
        let mut matched: Vec<Option<&Json>> = vec![None; items.len()];
        for (name, value) in members {
            self.look()?;
            let found = items.iter().position(|item| {
                let node = &self.data.tree.nodes[*item];
                if node.has(node_flags::NAMED) { node.name == *name } else { node.name.eq_ignore_ascii_case(name) }
            });
            let Some(place) = found else {
                self.note(status::NAME_UNMATCHED, format!("the JSON name {name} matched no data item"));
                continue;
            };
            match matched[place] {
                Some(known) if known == value => {
                    self.note(status::DUPLICATE, format!("the JSON name {name} occurred again with the same value"));
                }
                Some(_) => return self.except(code::CONFLICT, format!("the JSON name {name} occurred again with another value")),
                None => {
                    matched[place] = Some(value);
                    self.item(items[place], shift, value)?;
                }
            }
        }
        for (item, value) in items.iter().zip(&matched) {
            if value.is_none() {
                let name = self.data.tree.nodes[*item].name.clone();
                self.note(status::ITEM_UNMATCHED, format!("the data item {name} had no matching JSON name"));
            }
        }
        Ok(())
    }

    /// One value for one item: an array for a table.
    unsafe fn item(&mut self, at: usize, shift: usize, value: &Json) -> Step {
        let node = &self.data.tree.nodes[at];
        if node.table.is_none() {
            return self.occurrence(at, shift, value, status::NULL_ITEM);
        }
        let name = node.name.clone();
        let shifts = self.data.shifts(node);
        match value {
            Json::Null => self.null(at, shift, status::NULL_ITEM),
            Json::Array(values) => {
                if values.len() < shifts.len() {
                    self.note(status::ARRAY_SHORT, format!("the JSON array {name} has fewer values than the table"));
                } else if values.len() > shifts.len() {
                    self.note(status::ARRAY_LONG, format!("the JSON array {name} has more values than the table"));
                }
                for (value, occurrence) in values.iter().zip(shifts) {
                    self.look()?;
                    self.occurrence(at, shift + occurrence, value, status::NULL_ELEMENT)?;
                }
                Ok(())
            }
            _ => self.except(code::INCOMPATIBLE, format!("the value of JSON name {name} is no array")),
        }
    }

    unsafe fn null(&mut self, at: usize, shift: usize, bit: u32) -> Step {
        let node = &self.data.tree.nodes[at];
        let constants = [
            (suppress::ZERO, Figurative::Zero),
            (suppress::SPACE, Figurative::Space),
            (suppress::LOW_VALUE, Figurative::LowValue),
            (suppress::HIGH_VALUE, Figurative::HighValue),
        ];
        self.assigned += 1;
        if let Some((_, figurative)) = constants.into_iter().find(|(constant, _)| node.null_when & constant != 0) {
            let attributes = self.data.attributes(node);
            movement::move_figurative(figurative, self.data.address(node, shift), &attributes, self.data.session);
        } else if !node.has(node_flags::IGNORE_NULL) {
            let name = node.name.clone();
            self.note(bit, format!("the JSON value of {name} is null"));
        }
        Ok(())
    }

    unsafe fn occurrence(&mut self, at: usize, shift: usize, value: &Json, null_bit: u32) -> Step {
        let node = &self.data.tree.nodes[at];
        let name = node.name.clone();
        let group = self.data.tree.is_group(at);
        match value {
            Json::Null => self.null(at, shift, null_bit),
            Json::Object(members) if group => {
                let mut items = Vec::new();
                self.candidates(at, &mut items);
                self.members(&items, shift, members)
            }
            Json::Boolean(truth) if !group => {
                let Some((yes, no)) = &node.truth else {
                    return self.except(code::BOOLEAN, format!("the JSON value of {name} is true or false"));
                };
                let bytes = if *truth { yes } else { no };
                let length = (self.data.attributes(node).length as usize).min(bytes.len());
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.address(node, shift), length);
                self.assigned += 1;
                Ok(())
            }
            Json::Number(text) if !group => self.number(at, shift, text),
            Json::String(text) if !group => self.string(at, shift, text),
            _ => self.except(code::INCOMPATIBLE, format!("the JSON value of {name} does not fit the data item")),
        }
    }

    unsafe fn number(&mut self, at: usize, shift: usize, text: &str) -> Step {
        let node = &self.data.tree.nodes[at];
        let (attributes, area) = (self.data.attributes(node), self.data.address(node, shift));
        let name = node.name.clone();
        let session = self.data.session;
        self.assigned += 1;
        let value = decimal_of(text);
        let is_text = !attributes.is_numeric() && !matches!(attributes.usage, Usage::NumericEdited | Usage::NationalNumericEdited);
        if is_text {
            // MOVE of an integer literal to characters; a number with decimals cannot be moved there.
            let Some(value) = value.filter(|value| value.scale <= 0 && !text.contains(['.', 'E'])) else {
                return self.except(code::INCOMPATIBLE, format!("the JSON number of {name} cannot be moved to it"));
            };
            let digits = text.trim_start_matches('-').len();
            if digits > characters_of(&attributes) {
                self.note(status::TRUNCATED, format!("the JSON value of {name} was truncated"));
            }
            let described = Attributes { digits: digits.min(38) as u8, ..Attributes::zoned(18, 0, crate::Sign::Trailing) };
            let moved = movement::move_decimal(&value, &described, area, &attributes, session);
            return moved.or(Err(code::INCOMPATIBLE));
        }
        let overflow = match value {
            Some(value) if attributes.usage != Usage::FloatDisplay && !attributes.is_float() => {
                let overflow = numeric::store(&value, area, &attributes, Rounding::Truncation, true, session);
                if overflow {
                    numeric::store(&value, area, &attributes, Rounding::Truncation, false, session);
                }
                overflow
            }
            _ => {
                let value: f64 = text.parse().unwrap_or(0.0);
                let stored = numeric::store_float(value, area, &attributes, Rounding::Truncation, false, session);
                stored.map_err(|_| code::INCOMPATIBLE)?
            }
        };
        if overflow {
            self.note(status::SIZE_ERROR, format!("the JSON value of {name} is too large for it"));
        }
        Ok(())
    }

    unsafe fn string(&mut self, at: usize, shift: usize, text: &str) -> Step {
        let node = &self.data.tree.nodes[at];
        let (attributes, area) = (self.data.attributes(node), self.data.address(node, shift));
        let name = node.name.clone();
        let is_number = attributes.is_numeric() || matches!(attributes.usage, Usage::NumericEdited | Usage::NationalNumericEdited);
        if is_number {
            // A string of digits, with a sign if need be, takes the place of a number.
            let plain = text.trim().trim_start_matches('+');
            let digits = plain.strip_prefix('-').unwrap_or(plain);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return self.except(code::INCOMPATIBLE, format!("the JSON string of {name} is not numeric"));
            }
            return self.number(at, shift, plain);
        }
        self.assigned += 1;
        let page = page_of(&attributes, self.data.session);
        if page.try_encode(text).is_err() {
            self.note(status::SUBSTITUTED, format!("the JSON value of {name} has characters that the code page has not"));
        }
        if text.trim_end_matches(' ').chars().count() > characters_of(&attributes) {
            self.note(status::TRUNCATED, format!("the JSON value of {name} was truncated"));
        }
        let bytes = page.encode(text);
        let usage = match attributes.usage {
            Usage::National | Usage::NationalEdited => Usage::National,
            Usage::Utf8 => Usage::Utf8,
            _ => Usage::Alphanumeric,
        };
        let source = Attributes::new(usage, bytes.len() as u32);
        if bytes.is_empty() {
            movement::move_figurative(Figurative::Space, area, &attributes, self.data.session);
            return Ok(());
        }
        let moved = movement::move_field(bytes.as_ptr(), &source, area, &attributes, self.data.session);
        moved.or(Err(code::INCOMPATIBLE))
    }
}

/// Character positions of an item.
fn characters_of(attributes: &Attributes) -> usize {
    let width = if attributes.is_national() || attributes.usage == Usage::Dbcs { 2 } else { 1 };
    attributes.length as usize / width
}

/// A JSON number as a decimal, when it has no more digits than one holds.
fn decimal_of(text: &str) -> Option<Decimal> {
    let (mantissa, exponent) = match text.split_once('E') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.trim_start_matches('-').trim_start_matches('0').len() > 31 {
        return None;
    }
    let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    (-31..=62).contains(&scale).then_some(Decimal::new(digits.parse().ok()?, scale))
}
