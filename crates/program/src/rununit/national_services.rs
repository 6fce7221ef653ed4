//! National language support services: the country and the national language of the enclave, and the conventions of countries.
//!
//! Rules: Programming Reference, "National language support callable services".
//!
//! `unsafe` here reads and writes the arguments of a call: see the parent module.

use super::services::Areas;
use super::*;
use le::callable::Feedback;
use le::callable::country::{self, CURRENCY_LENGTH, Country, Language};
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Country,
    Language,
    Currency,
    Currencies,
    DecimalSeparator,
    ThousandsSeparator,
    Date,
    DateAndTime,
    Time,
}

/// A service by name, and the arguments it needs; the feedback code follows them. An omitted country is that of the enclave.
pub(super) fn find(name: &str) -> Option<(Service, Range<usize>)> {
    Some(match name {
        "CEE3CTY" => (Service::Country, 0..2),
        "CEE3LNG" => (Service::Language, 0..2),
        "CEE3MCS" => (Service::Currency, 1..2),
        "CEE3MC2" => (Service::Currencies, 1..3),
        "CEE3MDS" => (Service::DecimalSeparator, 1..2),
        "CEE3MTS" => (Service::ThousandsSeparator, 1..2),
        "CEEFMDA" => (Service::Date, 1..2),
        "CEEFMDT" => (Service::DateAndTime, 1..2),
        "CEEFMTM" => (Service::Time, 1..2),
        _ => return None,
    })
}

const fn error(message: u16) -> Feedback {
    Feedback { severity: 2, message }
}

const fn severe(message: u16) -> Feedback {
    Feedback { severity: 3, message }
}

/// CEE3BQ, CEE3BR, CEE3BS: nothing to pop; no such language; neither SET, QUERY, PUSH nor POP.
const LANGUAGE_ALONE: Feedback = error(3450);
const LANGUAGE: Feedback = severe(3451);
const LANGUAGE_FUNCTION: Feedback = severe(3452);
/// CEE3BV, CEE3C0, CEE3C1: the same of countries.
const COUNTRY_ALONE: Feedback = error(3455);
const COUNTRY: Feedback = severe(3456);
const COUNTRY_FUNCTION: Feedback = severe(3457);
/// CEE3C5, CEE3C7, CEE3C9, CEE3CB, CEE3CD, CEE3CF: the country is not valid, a default was given.
const DECIMAL_SEPARATOR_COUNTRY: Feedback = error(3461);
const CURRENCY_COUNTRY: Feedback = error(3463);
const THOUSANDS_SEPARATOR_COUNTRY: Feedback = error(3465);
const DATE_COUNTRY: Feedback = error(3467);
const TIME_COUNTRY: Feedback = error(3469);
const DATE_AND_TIME_COUNTRY: Feedback = error(3471);

const COUNTRY_LENGTH: usize = 2;
const LANGUAGE_LENGTH: usize = 3;
const SEPARATOR_LENGTH: usize = 2;
const INTERNATIONAL_CURRENCY_LENGTH: usize = 3;
const PICTURE_LENGTH: usize = 80;

mod function {
    pub const SET: i32 = 1;
    pub const QUERY: i32 = 2;
    pub const PUSH: i32 = 3;
    pub const POP: i32 = 4;
}

/// Earlier countries and languages, which PUSH has kept.
#[derive(Default)]
pub(super) struct National {
    countries: Vec<[u8; COUNTRY_LENGTH]>,
    pub language: Language,
    languages: Vec<Language>,
}

impl RunUnit {
    pub(super) unsafe fn national_service(&mut self, frame: FrameId, service: Service, areas: &Areas<'_>) -> Feedback {
        let session = frame.session();
        match service {
            Service::Country => self.country_service(areas, session),
            Service::Language => self.language_service(areas, session),
            Service::Currency => self.of_country(areas, session, |country| country.currency, CURRENCY_LENGTH, CURRENCY_COUNTRY),
            Service::Currencies => {
                let feedback = self.of_country(areas, session, |country| country.currency, CURRENCY_LENGTH, CURRENCY_COUNTRY);
                let (country, _) = self.country_asked(areas, session);
                let text = country::encode(country.international_currency, session.code_page);
                areas.set_text(2, INTERNATIONAL_CURRENCY_LENGTH, &text, session);
                feedback
            }
            Service::DecimalSeparator => {
                self.of_country(areas, session, |country| country.decimal_separator, SEPARATOR_LENGTH, DECIMAL_SEPARATOR_COUNTRY)
            }
            Service::ThousandsSeparator => {
                self.of_country(areas, session, |country| country.thousands_separator, SEPARATOR_LENGTH, THOUSANDS_SEPARATOR_COUNTRY)
            }
            Service::Date => self.of_country(areas, session, |country| country.date, PICTURE_LENGTH, DATE_COUNTRY),
            Service::DateAndTime => self.of_country(areas, session, |country| country.date_and_time, PICTURE_LENGTH, DATE_AND_TIME_COUNTRY),
            Service::Time => self.of_country(areas, session, |country| country.time, PICTURE_LENGTH, TIME_COUNTRY),
        }
    }

    /// The country in the first argument, or the enclave's if it is omitted or blank; and whether a given one is valid.
    unsafe fn country_asked(&self, areas: &Areas<'_>, session: &le::Session) -> (&'static Country, bool) {
        let written = if areas.0[0].is_null() { None } else { Some(areas.0[0].cast::<[u8; COUNTRY_LENGTH]>().read()) };
        match written.and_then(|bytes| country::code_of(bytes, session.code_page)) {
            Some(code) => country::find(code).map_or((&country::INVALID, false), |country| (country, true)),
            None => (self.settings.country(), true),
        }
    }

    unsafe fn of_country(
        &self,
        areas: &Areas<'_>,
        session: &le::Session,
        text: fn(&Country) -> &'static str,
        length: usize,
        invalid: Feedback,
    ) -> Feedback {
        let (country, is_valid) = self.country_asked(areas, session);
        areas.set_text(1, length, &country::encode(text(country), session.code_page), session);
        if is_valid { Feedback::SUCCESS } else { invalid }
    }

    /// CEE3CTY: POP returns the removed country.
    unsafe fn country_service(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let written = areas.0[1].cast::<[u8; COUNTRY_LENGTH]>().read();
        let code = country::code_of(written, session.code_page).filter(|code| country::find(*code).is_some());
        let current = self.settings.country;
        let answer = current.map(|byte| session.code_page.ascii(byte));
        match (areas.fullword(0), code) {
            (function::SET | function::PUSH, None) => return COUNTRY,
            (function::SET, Some(code)) => self.settings.country = code,
            (function::PUSH, Some(code)) => {
                self.enclave.national.countries.push(current);
                self.settings.country = code;
            }
            (function::QUERY, _) => areas.set_text(1, COUNTRY_LENGTH, &answer, session),
            (function::POP, _) => {
                areas.set_text(1, COUNTRY_LENGTH, &answer, session);
                match self.enclave.national.countries.pop() {
                    Some(earlier) => self.settings.country = earlier,
                    None => return COUNTRY_ALONE,
                }
            }
            _ => return COUNTRY_FUNCTION,
        }
        Feedback::SUCCESS
    }

    /// CEE3LNG. A language without messages here is mixed-case English.
    unsafe fn language_service(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let written = session.code_page.decode(areas.area(1, LANGUAGE_LENGTH)).to_uppercase();
        let language = Language::find(&written);
        let national = &mut self.enclave.national;
        let answer = session.code_page.encode(national.language.code());
        match (areas.fullword(0), language) {
            (function::SET | function::PUSH, None) => return LANGUAGE,
            (function::SET, Some(language)) => national.language = language,
            (function::PUSH, Some(language)) => {
                national.languages.push(national.language);
                national.language = language;
            }
            (function::QUERY, _) => areas.set_text(1, LANGUAGE_LENGTH, &answer, session),
            (function::POP, _) => {
                areas.set_text(1, LANGUAGE_LENGTH, &answer, session);
                match national.languages.pop() {
                    Some(earlier) => national.language = earlier,
                    None => return LANGUAGE_ALONE,
                }
            }
            _ => return LANGUAGE_FUNCTION,
        }
        Feedback::SUCCESS
    }
}
