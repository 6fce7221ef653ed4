//! JSON PARSE: values of a JSON text to the items of the same names and the same structure.
//!
//! Names match level by level, ignoring the case of A to Z unless a NAME phrase gave them; a value is assigned by the rules of MOVE
//! (Language Reference, "Operation of JSON PARSE"; codes: Programming Guide, "JSON PARSE conditions and associated codes").
//!
//! `unsafe` here writes the items of the tree: see the parent module.

use super::json_text::{self, Json, Reader, Trouble};
use super::pieces::decoded_counted;
use super::{Caller, Data, node_flags, suppress};
use crate::attributes::{Attributes, Usage};
use crate::code_page::CodePage;
use crate::decimal::{Decimal, Rounding};
use crate::exception::{Exception, Result};
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

/// Names and values up to this length are not counted as memory.
const MEMORY_COUNTED: usize = 1 << 16;

/// What a parse came to.
#[derive(Default, Debug)]
pub struct Outcome {
    pub code: u32,
    pub status: u32,
}

/// Items are populated while the text is read, after all of it has been checked.
struct Population<'a, 'd> {
    data: &'a Data<'d>,
    caller: &'a mut dyn Caller,
    reader: Reader<'a>,
    outcome: Outcome,
    assigned: u32,
}

/// An exception ends the statement.
type Step<T = ()> = std::result::Result<T, u32>;

/// Parses the text and populates the tree's items. The caller gets a line of explanation for each condition.
///
/// # Safety
/// The tree must describe the storage at `data.root`.
pub unsafe fn json_parse(data: &Data<'_>, text: &[u8], page: &CodePage, caller: &mut dyn Caller) -> Result<Outcome> {
    let text = decoded_counted(text, page, data.session, caller)?;
    let mut population = Population { data, caller, reader: Reader::new(&text, data.session), outcome: Outcome::default(), assigned: 0 };
    let result = population.document(&text);
    if result == Err(code::STOPPED) {
        return Err(Exception::Stopped);
    }
    data.session.check_stop()?;
    if let Err(code) = result {
        population.outcome.code = code;
    }
    Ok(population.outcome)
}

impl<'a> Population<'a, '_> {
    /// Gives up when the program is to be stopped.
    fn look(&self) -> Step {
        self.data.session.check_stop().or(Err(code::STOPPED))
    }

    /// What the checked text has next. It ends early only if the program is to be stopped.
    fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Option<T>) -> Step<T> {
        read(&mut self.reader).ok_or(code::STOPPED)
    }

    fn note(&mut self, bit: u32, text: impl FnOnce() -> String) -> Step {
        self.outcome.status |= bit;
        self.tell(text)
    }

    fn tell(&mut self, text: impl FnOnce() -> String) -> Step {
        if self.caller.wants_details() {
            self.caller.detail(&text()).or(Err(code::STOPPED))?;
        }
        Ok(())
    }

    fn except<T>(&mut self, code: u32, text: impl FnOnce() -> String) -> Step<T> {
        self.tell(text)?;
        Err(code)
    }

    unsafe fn document(&mut self, text: &str) -> Step {
        match json_text::check(text, self.data.session) {
            // A value is read, and then encoded with at most two bytes for each of its own.
            Ok(longest) if longest > MEMORY_COUNTED => self.caller.reserve(3 * longest).or(Err(code::STOPPED))?,
            Ok(_) => {}
            Err(Trouble::Stopped) => return Err(code::STOPPED),
            Err(Trouble::Empty) => return self.except(code::EMPTY, || "the JSON text is empty".to_string()),
            Err(Trouble::Superfluous(at)) => {
                return self.except(code::SUPERFLUOUS, || format!("superfluous characters at offset {at} of the JSON text"));
            }
            Err(Trouble::Invalid(at)) => {
                return self.except(code::INVALID, || format!("the JSON text is not valid at offset {at}"));
            }
        }
        if self.data.tree.nodes[0].name.is_empty() {
            // NAME OF ... IS OMITTED: the outermost value is the item's own.
            self.item(0, 0)?;
        } else {
            match self.read(Reader::value)? {
                Json::Object => self.members(&[0], 0)?,
                Json::Array => {
                    return self.except(code::ANONYMOUS_ARRAY, || "the JSON text is an array without a name".to_string());
                }
                _ => return self.except(code::INVALID, || "the JSON text is not an object".to_string()),
            }
        }
        if self.assigned == 0 {
            return self.except(code::NO_MATCH, || "no JSON name matched a data item".to_string());
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

    unsafe fn members(&mut self, items: &[usize], shift: usize) -> Step {
        // Where the values begin.
        let mut matched: Vec<Option<Reader<'a>>> = vec![None; items.len()];
        while self.read(|reader| reader.next(b'}'))? {
            self.look()?;
            let name = self.read(Reader::name)?;
            let found = items.iter().position(|item| {
                let node = &self.data.tree.nodes[*item];
                if node.has(node_flags::NAMED) { node.name == *name } else { node.name.eq_ignore_ascii_case(&name) }
            });
            let Some(place) = found else {
                self.note(status::NAME_UNMATCHED, || format!("the JSON name {name} matched no data item"))?;
                self.read(Reader::skip)?;
                continue;
            };
            match matched[place].clone() {
                Some(known) => {
                    if !self.read(|reader| reader.repeats(known))? {
                        return self.except(code::CONFLICT, || format!("the JSON name {name} occurred again with another value"));
                    }
                    self.note(status::DUPLICATE, || format!("the JSON name {name} occurred again with the same value"))?;
                    self.read(Reader::skip)?;
                }
                None => {
                    matched[place] = Some(self.reader.clone());
                    self.item(items[place], shift)?;
                }
            }
        }
        for (item, value) in items.iter().zip(&matched) {
            if value.is_none() {
                let name = &self.data.tree.nodes[*item].name;
                self.note(status::ITEM_UNMATCHED, || format!("the data item {name} had no matching JSON name"))?;
            }
        }
        Ok(())
    }

    /// The next value for one item: an array for a table.
    unsafe fn item(&mut self, at: usize, shift: usize) -> Step {
        let node = &self.data.tree.nodes[at];
        if node.table.is_none() {
            return self.occurrence(at, shift, status::NULL_ITEM);
        }
        let name = &node.name;
        match self.read(Reader::value)? {
            Json::Null => self.null(at, shift, status::NULL_ITEM),
            Json::Array => {
                for occurrence in self.data.shifts(node) {
                    self.look()?;
                    if !self.read(|reader| reader.next(b']'))? {
                        return self.note(status::ARRAY_SHORT, || format!("the JSON array {name} has fewer values than the table"));
                    }
                    self.occurrence(at, shift + occurrence, status::NULL_ELEMENT)?;
                }
                if self.read(Reader::skip_elements)? > 0 {
                    self.note(status::ARRAY_LONG, || format!("the JSON array {name} has more values than the table"))?;
                }
                Ok(())
            }
            _ => self.except(code::INCOMPATIBLE, || format!("the value of JSON name {name} is no array")),
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
            self.note(bit, || format!("the JSON value of {} is null", node.name))?;
        }
        Ok(())
    }

    unsafe fn occurrence(&mut self, at: usize, shift: usize, null_bit: u32) -> Step {
        let node = &self.data.tree.nodes[at];
        let name = &node.name;
        let group = self.data.tree.is_group(at);
        match self.read(Reader::value)? {
            Json::Null => self.null(at, shift, null_bit),
            Json::Object if group => {
                let mut items = Vec::new();
                self.candidates(at, &mut items);
                self.members(&items, shift)
            }
            Json::Boolean(truth) if !group => {
                let Some((yes, no)) = &node.truth else {
                    return self.except(code::BOOLEAN, || format!("the JSON value of {name} is true or false"));
                };
                let bytes = if truth { yes } else { no };
                let length = (self.data.attributes(node).length as usize).min(bytes.len());
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.data.address(node, shift), length);
                self.assigned += 1;
                Ok(())
            }
            Json::Number(text) if !group => self.number(at, shift, &text.replace('e', "E")),
            Json::String(text) if !group => self.string(at, shift, &text),
            _ => self.except(code::INCOMPATIBLE, || format!("the JSON value of {name} does not fit the data item")),
        }
    }

    unsafe fn number(&mut self, at: usize, shift: usize, text: &str) -> Step {
        let node = &self.data.tree.nodes[at];
        let (attributes, area) = (self.data.attributes(node), self.data.address(node, shift));
        let name = &node.name;
        let session = self.data.session;
        self.assigned += 1;
        let value = decimal_of(text);
        let is_text = !attributes.is_numeric() && !matches!(attributes.usage, Usage::NumericEdited | Usage::NationalNumericEdited);
        if is_text {
            // MOVE of an integer literal to characters; a number with decimals cannot be moved there.
            let Some(value) = value.filter(|value| value.scale <= 0 && !text.contains(['.', 'E'])) else {
                return self.except(code::INCOMPATIBLE, || format!("the JSON number of {name} cannot be moved to it"));
            };
            let digits = text.trim_start_matches('-').len();
            if digits > characters_of(&attributes) {
                self.note(status::TRUNCATED, || format!("the JSON value of {name} was truncated"))?;
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
            self.note(status::SIZE_ERROR, || format!("the JSON value of {name} is too large for it"))?;
        }
        Ok(())
    }

    unsafe fn string(&mut self, at: usize, shift: usize, text: &str) -> Step {
        let node = &self.data.tree.nodes[at];
        let (attributes, area) = (self.data.attributes(node), self.data.address(node, shift));
        let name = &node.name;
        let is_number = attributes.is_numeric() || matches!(attributes.usage, Usage::NumericEdited | Usage::NationalNumericEdited);
        if is_number {
            // A string of digits, with a sign if need be, takes the place of a number.
            let plain = text.trim().trim_start_matches('+');
            let digits = plain.strip_prefix('-').unwrap_or(plain);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return self.except(code::INCOMPATIBLE, || format!("the JSON string of {name} is not numeric"));
            }
            return self.number(at, shift, plain);
        }
        self.assigned += 1;
        let page = page_of(&attributes, self.data.session);
        let encoded = page.try_encode(text);
        if encoded.is_err() {
            self.note(status::SUBSTITUTED, || format!("the JSON value of {name} has characters that the code page has not"))?;
        }
        if text.trim_end_matches(' ').chars().count() > characters_of(&attributes) {
            self.note(status::TRUNCATED, || format!("the JSON value of {name} was truncated"))?;
        }
        let bytes = encoded.unwrap_or_else(|_| page.encode(text));
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
