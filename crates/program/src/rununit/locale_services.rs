//! Locale callable services: the enclave's locale by category, and formatting and comparison by that locale.
//!
//! Rules: Programming Reference, "Locale callable services". Structures are passed by pointers, strings with a halfword length.
//!
//! `unsafe` here reads and writes the arguments of a call: see the parent module.

use super::services::Areas;
use super::*;
use le::callable::Feedback;
use le::locale::{self, BrokenDownTime, Locale, Position};
use std::cmp::Ordering;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Set,
    Query,
    FormatMoney,
    FormatDate,
    Numbers,
    Dates,
    Compare,
    Transform,
}

/// A service by name, and the arguments it needs; the feedback code follows them. The first argument of most is omitted, or gives a
/// version.
pub(super) fn find(name: &str) -> Option<(Service, Range<usize>)> {
    Some(match name {
        "CEESETL" => (Service::Set, 0..2),
        "CEEQRYL" => (Service::Query, 0..2),
        "CEEFMON" => (Service::FormatMoney, 1..6),
        "CEEFTDS" => (Service::FormatDate, 1..5),
        "CEELCNV" => (Service::Numbers, 1..2),
        "CEEQDTC" => (Service::Dates, 1..2),
        "CEESCOL" => (Service::Compare, 1..4),
        "CEESTXF" => (Service::Transform, 1..5),
        _ => return None,
    })
}

const fn severe(message: u16) -> Feedback {
    Feedback { severity: 3, message }
}

/// CEE2KD, CEE2KE: the category; the locale's name.
const CATEGORY: Feedback = severe(2701);
const LOCALE_NAME: Feedback = severe(2702);
/// CEE3T1, CEE3TF, CEE3VM: the operation failed; nothing to transform; no room for the result.
const FAILURE: Feedback = severe(4001);
const NOTHING_TO_TRANSFORM: Feedback = severe(4015);
const NO_ROOM: Feedback = severe(4086);

mod category {
    pub const ALL: i32 = -1;
    pub const COLLATE: i32 = 0;
    pub const NUMERIC: i32 = 2;
    pub const MONETARY: i32 = 3;
    pub const TIME: i32 = 4;
    /// Collation, characters, numbers, money, time, messages; 5 is not supported.
    pub const EACH: [i32; 6] = [0, 1, 2, 3, 4, 6];
}

const CATEGORIES: usize = 7;
const NAME_MAX: usize = 256;
/// Between the names of the categories when they differ.
const NAME_SEPARATOR: char = ',';
/// Environment variables of the locale that a blank name refers to.
const VARIABLES: [&str; 2] = ["LC_ALL", "LANG"];
/// Versions of the structures that CEELCNV and CEEQDTC fill.
const NUMBERS_WITH_INTERNATIONAL: i32 = 2;
const DATES_WITH_ISO: i32 = 1;

/// The locale of each category, under the name it was set by.
pub(super) struct Locales([(&'static Locale, String); CATEGORIES]);

impl Default for Locales {
    fn default() -> Locales {
        Locales(std::array::from_fn(|_| (&locale::C, locale::C.name.to_string())))
    }
}

impl Locales {
    fn of(&self, category: i32) -> &'static Locale {
        self.0[category as usize].0
    }

    fn set(&mut self, category: i32, name: &str) -> Feedback {
        if category != category::ALL {
            if !category::EACH.contains(&category) {
                return CATEGORY;
            }
            let Some(found) = locale::find(name) else { return LOCALE_NAME };
            self.0[category as usize] = (found, name.to_string());
            return Feedback::SUCCESS;
        }
        // The result of a query of all categories can be set again.
        let names: Vec<&str> = name.split(NAME_SEPARATOR).collect();
        let names = if names.len() == category::EACH.len() { names } else { vec![name; category::EACH.len()] };
        if names.iter().any(|name| locale::find(name).is_none()) {
            return LOCALE_NAME;
        }
        for (category, name) in category::EACH.into_iter().zip(names) {
            self.set(category, name);
        }
        Feedback::SUCCESS
    }

    fn name(&self, category: i32) -> Option<String> {
        if category != category::ALL {
            return category::EACH.contains(&category).then(|| self.0[category as usize].1.clone());
        }
        let names: Vec<&str> = category::EACH.iter().map(|category| self.0[*category as usize].1.as_str()).collect();
        let all_same = names.iter().all(|name| *name == names[0]);
        Some(if all_same { names[0].to_string() } else { names.join(&NAME_SEPARATOR.to_string()) })
    }
}

impl RunUnit {
    pub(super) unsafe fn locale_service(&mut self, frame: FrameId, service: Service, areas: &Areas<'_>) -> Feedback {
        let session = frame.session();
        match service {
            Service::Set => self.set_locale(areas, session),
            Service::Query => match self.enclave.locales.name(areas.fullword(0)) {
                Some(name) => {
                    areas.set_string(1, &session.code_page.encode(&name));
                    Feedback::SUCCESS
                }
                None => CATEGORY,
            },
            Service::FormatMoney => self.format_money(areas, session),
            Service::FormatDate => self.format_date(areas, session),
            Service::Numbers => self.numeric_conventions(areas, session),
            Service::Dates => self.date_conventions(areas, session),
            Service::Compare => {
                let collation = self.enclave.locales.of(category::COLLATE).collation;
                let result = match locale::compare(areas.string(1), areas.string(2), collation, session.code_page) {
                    Ordering::Less => -1,
                    Ordering::Equal => 0,
                    Ordering::Greater => 1,
                };
                areas.set_fullword(3, result);
                Feedback::SUCCESS
            }
            Service::Transform => {
                let text = areas.string(1);
                let count = match usize::try_from(areas.fullword(2)) {
                    Ok(count) if count > 0 => count.min(text.len()),
                    _ => return NOTHING_TO_TRANSFORM,
                };
                let collation = self.enclave.locales.of(category::COLLATE).collation;
                let weights = locale::weights(&text[..count], collation, session.code_page);
                areas.set_string(3, &weights);
                areas.set_fullword(4, weights.len() as i32);
                Feedback::SUCCESS
            }
        }
    }

    /// CEESETL: a blank name is that of LC_ALL or LANG.
    unsafe fn set_locale(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let written = areas.string(0);
        if written.len() > NAME_MAX {
            return LOCALE_NAME;
        }
        let name = session.code_page.decode(written);
        let name = name.trim().trim_end_matches('\0').to_string();
        let name = if name.is_empty() {
            let of_variables = VARIABLES.iter().find_map(|variable| self.environment(variable).filter(|value| !value.is_empty()));
            of_variables.unwrap_or_else(|| locale::C.name.to_string())
        } else {
            name
        };
        self.enclave.locales.set(areas.fullword(1), &name)
    }

    /// CEEFMON: the amount, the room with a terminator, the format, the text, its length.
    unsafe fn format_money(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let Some(room) = usize::try_from(areas.fullword(2)).ok().filter(|room| *room > 0) else { return NO_ROOM };
        let amount = le::float::load(areas.0[1], 8, session.float_format);
        let money = &self.enclave.locales.of(category::MONETARY).money;
        let text = locale::format_money(amount, &session.code_page.decode(areas.string(3)), money);
        match text.map(|text| encode(&text, session)).filter(|text| text.len() < room) {
            Some(text) => {
                areas.set_string(4, &text);
                areas.set_fullword(5, text.len() as i32);
                Feedback::SUCCESS
            }
            None => {
                areas.set_fullword(5, -1);
                FAILURE
            }
        }
    }

    /// CEEFTDS: a pointer to the time, the room with a terminator, the format, the text.
    unsafe fn format_date(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let Some(room) = usize::try_from(areas.fullword(2)).ok().filter(|room| *room > 0) else { return NO_ROOM };
        let address = areas.fullword(1) as u32 as usize as *const [u8; 4];
        if address.is_null() {
            return FAILURE;
        }
        let part = |at: usize| i32::from_be_bytes(address.add(at).read());
        let time = BrokenDownTime {
            second: part(0),
            minute: part(1),
            hour: part(2),
            day: part(3),
            month: part(4),
            year: part(5),
            weekday: part(6),
            day_of_year: part(7),
        };
        if !time.is_valid() {
            return FAILURE;
        }
        let times = &self.enclave.locales.of(category::TIME).times;
        let text = encode(&locale::format_date(&time, &session.code_page.decode(areas.string(3)), times), session);
        if text.len() >= room {
            return FAILURE;
        }
        areas.set_string(4, &text);
        Feedback::SUCCESS
    }

    /// CEELCNV: NM_STRUCT behind a pointer.
    unsafe fn numeric_conventions(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let Some(mut structure) = Structure::at(areas.fullword(1), session) else { return FAILURE };
        let numbers = &self.enclave.locales.of(category::NUMERIC).numbers;
        let money = &self.enclave.locales.of(category::MONETARY).money;
        structure.text(SHORT, numbers.decimal_point);
        structure.text(SHORT, numbers.thousands_separator);
        structure.bytes(SHORT, numbers.grouping);
        structure.text(SHORT, money.international_symbol);
        structure.text(SHORT, money.symbol);
        structure.text(SHORT, money.numbers.decimal_point);
        structure.text(SHORT, money.numbers.thousands_separator);
        structure.bytes(SHORT, money.numbers.grouping);
        structure.text(SHORT, money.positive_sign);
        structure.text(SHORT, money.negative_sign);
        let Position { symbol_precedes, separated, sign } = money.positive;
        let negative = money.negative;
        structure.raw(&[money.international_digits, money.digits, symbol_precedes, separated]);
        structure.raw(&[negative.symbol_precedes, negative.separated, sign, negative.sign]);
        if version(areas) == Some(NUMBERS_WITH_INTERNATIONAL) {
            structure.raw(&[symbol_precedes, separated, negative.symbol_precedes, negative.separated, sign, negative.sign]);
        }
        Feedback::SUCCESS
    }

    /// CEEQDTC: DTCONV behind a pointer.
    unsafe fn date_conventions(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let Some(mut structure) = Structure::at(areas.fullword(1), session) else { return FAILURE };
        let times = &self.enclave.locales.of(category::TIME).times;
        times.abbreviated_months.iter().for_each(|name| structure.text(SHORT, name));
        times.months.iter().for_each(|name| structure.text(MIDDLE, name));
        times.abbreviated_days.iter().for_each(|name| structure.text(SHORT, name));
        times.days.iter().for_each(|name| structure.text(MIDDLE, name));
        structure.text(LONG, times.date_and_time);
        structure.text(LONG, times.date);
        structure.text(LONG, times.time);
        structure.text(SHORT, times.halves[0]);
        structure.text(SHORT, times.halves[1]);
        structure.text(LONG, times.time_of_half);
        if version(areas) == Some(DATES_WITH_ISO) {
            structure.text(LONG, locale::ISO_DATE);
        }
        Feedback::SUCCESS
    }
}

/// Lengths of the strings in structures, without their halfword.
const SHORT: usize = 20;
const MIDDLE: usize = 60;
const LONG: usize = 80;

/// The version that the first argument of CEELCNV and CEEQDTC leads to.
unsafe fn version(areas: &Areas<'_>) -> Option<i32> {
    let structure = (!areas.0[0].is_null()).then(|| areas.fullword(0) as u32 as usize as *const [u8; 4])?;
    (!structure.is_null()).then(|| i32::from_be_bytes(structure.read()))
}

/// Text in the program's code page; if the page has no euro, it is replaced by the general currency sign.
fn encode(text: &str, session: &le::Session) -> Vec<u8> {
    if session.code_page.byte_of('€').is_some() {
        session.code_page.encode(text)
    } else {
        session.code_page.encode(&text.replace('€', "¤"))
    }
}

/// A structure filled from its beginning.
struct Structure<'a> {
    next: *mut u8,
    session: &'a le::Session,
}

impl<'a> Structure<'a> {
    fn at(address: i32, session: &'a le::Session) -> Option<Structure<'a>> {
        (address != 0).then_some(Structure { next: address as u32 as usize as *mut u8, session })
    }

    unsafe fn text(&mut self, length: usize, text: &str) {
        let text = encode(text, self.session);
        self.string(length, &text, self.session.code_page.space);
    }

    unsafe fn bytes(&mut self, length: usize, bytes: &[u8]) {
        self.string(length, bytes, 0);
    }

    unsafe fn string(&mut self, length: usize, bytes: &[u8], fill: u8) {
        let used = bytes.len().min(length);
        self.raw(&(used as u16).to_be_bytes());
        let area = std::slice::from_raw_parts_mut(self.next, length);
        area.fill(fill);
        area[..used].copy_from_slice(&bytes[..used]);
        self.next = self.next.add(length);
    }

    unsafe fn raw(&mut self, bytes: &[u8]) {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
        self.next = self.next.add(bytes.len());
    }
}

impl Areas<'_> {
    /// A string with its halfword length; the program determines the size of its area.
    unsafe fn set_string(&self, at: usize, text: &[u8]) {
        self.set_halfword(at, text.len() as u16);
        std::ptr::copy_nonoverlapping(text.as_ptr(), self.0[at].add(2), text.len());
    }
}
