//! Language Environment callable services: dates and times, mathematics, and abnormal termination.
//!
//! [`call`] runs a service with the addresses a COBOL CALL passes: fullwords and halfwords are big-endian binary, COMP-2 is in
//! the session's floating-point format, strings have a halfword length before them (VSTRING) or are 80 characters. The
//! last argument is the 12-byte feedback code; when it is omitted (null) a condition of severity 2 or more is raised by
//! the caller. Services that need the host (storage, messages) are in the run unit.
//!
//! `unsafe` here reads the arguments of a service and writes its results, each for the length that the service documents: see `lib.rs`.

pub mod complex;
pub mod country;
pub mod math;
pub mod messages;
pub mod picture;
pub mod refused;
pub mod services;
pub mod token;

use crate::code_page::CodePage;
use crate::float;
use crate::session::Session;

/// Severity and message number of facility CEE; zero is success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feedback {
    pub severity: u16,
    pub message: u16,
}

impl Feedback {
    pub const SUCCESS: Feedback = Feedback { severity: 0, message: 0 };

    const fn severe(message: u16) -> Feedback {
        Feedback { severity: 3, message }
    }

    /// CEE2E9: seconds out of range in CEEDATM, CEESECI.
    pub const SECONDS_RANGE: Feedback = Feedback::severe(2505);
    /// CEE2EB: insufficient data.
    pub const INSUFFICIENT: Feedback = Feedback::severe(2507);
    /// CEE2EC: the date is not valid.
    pub const DATE: Feedback = Feedback::severe(2508);
    /// CEE2EE: hours.
    pub const HOURS: Feedback = Feedback::severe(2510);
    /// CEE2EF: day, in CEEISEC.
    pub const DAY: Feedback = Feedback::severe(2511);
    /// CEE2EG: Lilian date out of range.
    pub const LILIAN_RANGE: Feedback = Feedback::severe(2512);
    /// CEE2EH: date out of range.
    pub const DATE_RANGE: Feedback = Feedback::severe(2513);
    /// CEE2EI: year, in CEEISEC.
    pub const YEAR: Feedback = Feedback::severe(2514);
    /// CEE2EJ: milliseconds, in CEEISEC.
    pub const MILLISECONDS: Feedback = Feedback::severe(2515);
    /// CEE2EK: minutes.
    pub const MINUTES: Feedback = Feedback::severe(2516);
    /// CEE2EL: month.
    pub const MONTH: Feedback = Feedback::severe(2517);
    /// CEE2EM: picture string.
    pub const PICTURE: Feedback = Feedback::severe(2518);
    /// CEE2EN: seconds.
    pub const SECONDS: Feedback = Feedback::severe(2519);
    /// CEE2EO: not numeric, or the string does not match the picture (CEEDAYS).
    pub const DAYS_NONNUMERIC: Feedback = Feedback::severe(2520);
    /// CEE2ET: the same in CEESECS.
    pub const SECONDS_NONNUMERIC: Feedback = Feedback::severe(2525);
    /// CEE2EU: the date string was truncated.
    pub const DATE_TRUNCATED: Feedback = Feedback { severity: 2, message: 2526 };
    /// CEE2EV: the timestamp was truncated.
    pub const TIMESTAMP_TRUNCATED: Feedback = Feedback { severity: 2, message: 2527 };
    /// CEE2F5: century window out of range.
    pub const CENTURY: Feedback = Feedback::severe(2533);
    /// CEE2F6: field too narrow for a month or weekday name.
    pub const NAME_WIDTH: Feedback = Feedback { severity: 1, message: 2534 };

    /// The 12-byte condition token: severity, message number, case 1 with severity and control, facility CEE.
    pub fn token(self) -> [u8; 12] {
        let mut token = [0u8; 12];
        if self == Feedback::SUCCESS {
            return token;
        }
        token[..2].copy_from_slice(&self.severity.to_be_bytes());
        token[2..4].copy_from_slice(&self.message.to_be_bytes());
        token[4] = 0x40 | (self.severity as u8) << 3 | 0x01;
        token[5..8].copy_from_slice(&[0xC3, 0xC5, 0xC5]);
        token
    }

    /// The symbolic code, such as CEE2EB: message number in base 32.
    pub fn symbol(self) -> [u8; 6] {
        let digit = |value: u16| b"0123456789ABCDEFGHIJKLMNOPQRSTUV"[value as usize & 31];
        [b'C', b'E', b'E', digit(self.message >> 10), digit(self.message >> 5), digit(self.message)]
    }
}

/// The hundred years that contain two-digit years, by the number of years before the current one at which they begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct CenturyWindow {
    pub years_before: i32,
}

impl Default for CenturyWindow {
    fn default() -> CenturyWindow {
        CenturyWindow { years_before: 80 }
    }
}

impl CenturyWindow {
    /// Four-digit year of a two-digit one, seen from the current year.
    pub const fn year(self, two_digits: i32, current: i32) -> i32 {
        let first = current - self.years_before;
        let year = first / 100 * 100 + two_digits;
        if year < first { year + 100 } else { year }
    }
}

/// The settings that an enclave's services keep for later calls: the century window, and the country whose pictures replace blank ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub century: CenturyWindow,
    pub country: [u8; 2],
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { century: CenturyWindow::default(), country: country::DEFAULT_CODE }
    }
}

impl Settings {
    /// The country; an invalid one has the pictures of [`country::INVALID`].
    pub fn country(&self) -> &'static country::Country {
        country::find(self.country).unwrap_or(&country::INVALID)
    }
}

/// The outcome of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Done; the feedback code was stored when there was a place for it.
    Done(Feedback),
    /// No feedback area and severity 2 or more: the condition is to be signalled.
    Condition(Feedback),
    /// A program interruption.
    Interruption(crate::Exception),
    /// CEE3ABD, CEE3AB2: the enclave terminates with this user abend code and reason; with or without clean-up.
    Abend { code: i32, reason: i32, clean_up: i32 },
    /// Too few arguments, or a null address for a required one.
    Arguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Service {
    Cee3ab2,
    Cee3abd,
    Ceecbldy,
    Ceedate,
    Ceedatm,
    Ceedays,
    Ceedywk,
    Ceegmt,
    Ceegmto,
    Ceeisec,
    Ceeloct,
    Ceeqcen,
    Ceescen,
    Ceeseci,
    Ceesecs,
    Ceeutc,
}

/// The service of a name (upper case) and its number of arguments without the feedback code.
pub fn find(name: &str) -> Option<(Service, usize)> {
    Some(match name {
        "CEE3AB2" => (Service::Cee3ab2, 3),
        "CEE3ABD" => (Service::Cee3abd, 2),
        "CEECBLDY" => (Service::Ceecbldy, 3),
        "CEEDATE" => (Service::Ceedate, 3),
        "CEEDATM" => (Service::Ceedatm, 3),
        "CEEDAYS" => (Service::Ceedays, 3),
        "CEEDYWK" => (Service::Ceedywk, 2),
        "CEEGMT" => (Service::Ceegmt, 2),
        "CEEGMTO" => (Service::Ceegmto, 3),
        "CEEISEC" => (Service::Ceeisec, 8),
        "CEELOCT" => (Service::Ceeloct, 3),
        "CEEQCEN" => (Service::Ceeqcen, 1),
        "CEESCEN" => (Service::Ceescen, 1),
        "CEESECI" => (Service::Ceeseci, 8),
        "CEESECS" => (Service::Ceesecs, 3),
        "CEEUTC" => (Service::Ceeutc, 2),
        _ => return None,
    })
}

/// The areas a CALL passes.
struct Areas<'a> {
    addresses: &'a [*mut u8],
    session: &'a Session,
}

impl Areas<'_> {
    unsafe fn fullword(&self, index: usize) -> i32 {
        i32::from_be_bytes(self.addresses[index].cast::<[u8; 4]>().read())
    }

    unsafe fn set_fullword(&self, index: usize, value: i32) {
        self.addresses[index].cast::<[u8; 4]>().write(value.to_be_bytes());
    }

    unsafe fn float(&self, index: usize) -> f64 {
        float::load(self.addresses[index], 8, self.session.float_format)
    }

    unsafe fn set_float(&self, index: usize, value: f64) {
        float::store(self.addresses[index], 8, value, self.session.float_format);
    }

    unsafe fn string(&self, index: usize) -> &[u8] {
        let address = self.addresses[index];
        let length = u16::from_be_bytes(address.cast::<[u8; 2]>().read());
        std::slice::from_raw_parts(address.add(2), length as usize)
    }

    unsafe fn output<'b>(&self, index: usize, length: usize) -> &'b mut [u8] {
        std::slice::from_raw_parts_mut(self.addresses[index], length)
    }
}

/// Runs a service with the argument addresses of a CALL; omitted arguments are null.
///
/// # Safety
/// Addresses that are not null must be valid for the reads and writes of the service.
pub unsafe fn call(service: Service, arguments: usize, addresses: &[*mut u8], session: &Session, settings: &mut Settings) -> Outcome {
    if addresses.len() < arguments || addresses[..arguments].iter().any(|address| address.is_null()) {
        return Outcome::Arguments;
    }
    let areas = Areas { addresses, session };
    if service == Service::Cee3abd {
        return Outcome::Abend { code: areas.fullword(0), reason: 0, clean_up: areas.fullword(1) };
    }
    if service == Service::Cee3ab2 {
        return Outcome::Abend { code: areas.fullword(0), reason: areas.fullword(1), clean_up: areas.fullword(2) };
    }
    let feedback = run(service, &areas, session, settings).err().unwrap_or(Feedback::SUCCESS);
    feed_back(feedback, addresses.get(arguments).copied())
}

/// Stores a feedback code if there is a place for it; without one a severe condition must be signalled.
///
/// # Safety
/// An address that is not null has room for a feedback code.
pub unsafe fn feed_back(feedback: Feedback, place: Option<*mut u8>) -> Outcome {
    match place {
        Some(address) if !address.is_null() => {
            address.cast::<[u8; 12]>().write(feedback.token());
            Outcome::Done(feedback)
        }
        _ if feedback.severity >= 2 => Outcome::Condition(feedback),
        _ => Outcome::Done(feedback),
    }
}

unsafe fn run(service: Service, areas: &Areas<'_>, session: &Session, settings: &mut Settings) -> Result<(), Feedback> {
    use services as s;
    match service {
        Service::Cee3ab2 | Service::Cee3abd => {}
        Service::Ceedays => {
            let day = s::days(areas.string(0), areas.string(1), settings, session);
            areas.set_fullword(2, day.unwrap_or(0));
            day?;
        }
        Service::Ceecbldy => {
            let day = s::integer_date(areas.string(0), areas.string(1), settings, session);
            areas.set_fullword(2, day.unwrap_or(0));
            day?;
        }
        Service::Ceedate => s::date(areas.fullword(0), areas.string(1), areas.output(2, 80), settings, session)?,
        Service::Ceedatm => s::timestamp(areas.float(0), areas.string(1), areas.output(2, 80), settings, session)?,
        Service::Ceesecs => {
            let seconds = s::seconds(areas.string(0), areas.string(1), settings, session);
            areas.set_float(2, seconds.unwrap_or(0.0));
            seconds?;
        }
        Service::Ceedywk => {
            let day = s::day_of_week(areas.fullword(0));
            areas.set_fullword(1, day.unwrap_or(0));
            day?;
        }
        Service::Ceeisec => {
            let mut parts = [0i32; 7];
            for (index, part) in parts.iter_mut().enumerate() {
                *part = areas.fullword(index);
            }
            let seconds = s::seconds_of_integers(&parts);
            areas.set_float(7, seconds.unwrap_or(0.0));
            seconds?;
        }
        Service::Ceeseci => {
            let parts = s::integers_of_seconds(areas.float(0));
            for (index, part) in parts.unwrap_or([0; 7]).into_iter().enumerate() {
                areas.set_fullword(index + 1, part);
            }
            parts?;
        }
        Service::Ceegmt | Service::Ceeutc => {
            let now = s::now(0);
            areas.set_fullword(0, now.lilian);
            areas.set_float(1, now.seconds);
        }
        Service::Ceeloct => {
            let now = s::now(session.utc_offset_seconds);
            areas.set_fullword(0, now.lilian);
            areas.set_float(1, now.seconds);
            put(areas.output(2, 17), &now.gregorian, session.code_page);
        }
        Service::Ceegmto => {
            let offset = session.utc_offset_seconds;
            areas.set_fullword(0, offset / 3600);
            areas.set_fullword(1, offset / 60 % 60);
            areas.set_float(2, f64::from(offset));
        }
        Service::Ceeqcen => areas.set_fullword(0, settings.century.years_before),
        Service::Ceescen => {
            let years = areas.fullword(0);
            if !(0..=100).contains(&years) {
                return Err(Feedback::CENTURY);
            }
            settings.century.years_before = years;
        }
    }
    Ok(())
}

/// ASCII text into an area of the code page, padded with spaces.
fn put(area: &mut [u8], text: &[u8], page: &CodePage) {
    for (index, byte) in area.iter_mut().enumerate() {
        *byte = page.ascii(*text.get(index).unwrap_or(&b' '));
    }
}

/// The CICS abend code of a user abend: its four digits.
pub fn user_abend_code(code: i32) -> [u8; 4] {
    let code = code.unsigned_abs() % 10_000;
    [1000, 100, 10, 1].map(|power| b'0' + (code / power % 10) as u8)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
