//! Callable services that query or set properties of the enclave: the program's parameter, user fields, the enablement of hardware
//! conditions, delays, the environment it runs in, JCL symbols.
//!
//! Rules: Programming Reference, CEE3PRM, CEE3PR2, CEE3USR, CEE3SPM, CEE3DLY, CEEDLYM, CEE3INF, CEEGTJS.
//!
//! `unsafe` here reads and writes the arguments of a call: see the parent module. `regent/tests/batch.rs` calls these services.

use super::services::Areas;
use super::*;
use le::callable::Feedback;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Parameter,
    LongParameter,
    UserField,
    Enablement,
    DelaySeconds,
    DelayMilliseconds,
    Information,
    Environment,
    JclSymbol,
}

/// A service by name, and its arguments without the feedback code.
pub(super) fn find(name: &str) -> Option<(Service, usize)> {
    Some(match name {
        "CEE3PRM" => (Service::Parameter, 1),
        "CEE3PR2" => (Service::LongParameter, 2),
        "CEE3USR" => (Service::UserField, 3),
        "CEE3SPM" => (Service::Enablement, 2),
        "CEE3DLY" => (Service::DelaySeconds, 1),
        "CEEDLYM" => (Service::DelayMilliseconds, 1),
        "CEE3INF" => (Service::Information, 4),
        "CEEENV" => (Service::Environment, 5),
        "CEEGTJS" => (Service::JclSymbol, 4),
        _ => return None,
    })
}

/// CEE3I1, CEE3K3: the parameter was cut.
const PARAMETER_CUT: Feedback = Feedback { severity: 1, message: 3649 };
const LONG_PARAMETER_CUT: Feedback = Feedback { severity: 1, message: 3715 };
/// CEE3PS, CEE3PT: neither SET nor QUERY; neither field 1 nor 2.
const FUNCTION: Feedback = Feedback { severity: 3, message: 3900 };
const FIELD: Feedback = Feedback { severity: 3, message: 3901 };
/// CEE370, CEE372, CEE373, CEE374: words that are not conditions; the stack is full, or empty; no such action.
const CONDITION_STRING: Feedback = Feedback { severity: 4, message: 3296 };
const STACK_FULL: Feedback = Feedback { severity: 4, message: 3298 };
const STACK_EMPTY: Feedback = Feedback { severity: 4, message: 3299 };
const ACTION: Feedback = Feedback { severity: 4, message: 3300 };
/// CEE3QQ, CEE3QR: more than an hour, or a negative delay; milliseconds under CICS.
const DELAY_RANGE: Feedback = Feedback { severity: 1, message: 3930 };
const DELAY_UNDER_CICS: Feedback = Feedback { severity: 1, message: 3931 };

/// CEE3L9, CEE3LA: no such symbol; neither function 1 nor a name of one to eight characters.
const SYMBOL_UNKNOWN: Feedback = Feedback { severity: 0, message: 3753 };
pub(super) const PARAMETERS: Feedback = Feedback { severity: 3, message: 3754 };

/// The words of CEE3INF, bit 0 the leftmost.
mod information {
    const fn bit(number: u32) -> u32 {
        1 << (31 - number)
    }

    pub const CICS: u32 = bit(0);
    pub const BATCH: u32 = bit(5);
    pub const Z_OS: u32 = bit(30);
    /// Of the environments.
    pub const NESTED: u32 = bit(5);
    /// Of the member languages.
    pub const COBOL: u32 = bit(5);
}

const SYMBOL_FUNCTION: i32 = 1;
const SYMBOL_NAME_MAX: usize = 8;
const SYMBOL_VALUE_LENGTH: usize = 255;
/// Length of the areas of CEE3PRM and CEE3SPM.
const TEXT_LENGTH: usize = 80;
const DELAY_MAX: Duration = Duration::from_secs(3600);
const PUSHED_MAX: usize = 255;
/// Conditions of the hardware that CEE3SPM enables: fixed overflow, decimal overflow, underflow, significance.
const CONDITIONS: [&str; 4] = ["F", "D", "U", "S"];

mod action {
    pub const SET: i32 = 1;
    pub const QUERY: i32 = 2;
    pub const PUSH: i32 = 3;
    pub const POP: i32 = 4;
    pub const PUSH_SET: i32 = 5;
}

/// The enabled ones of [`CONDITIONS`]. COBOL enables none, because its statements detect overflows themselves: the settings are kept for
/// queries, and no statement of COBOL raises a condition because of them.
type Enabled = [bool; 4];

/// The state of an enclave for its programs, created when a service first changes it: most programs use no such service, and every LINK is
/// an enclave.
#[derive(Default)]
pub(super) struct LazyEnclave(Option<Box<Enclave>>);

impl LazyEnclave {
    pub fn is_changed(&self) -> bool {
        self.0.is_some()
    }
}

impl Deref for LazyEnclave {
    type Target = Enclave;

    fn deref(&self) -> &Enclave {
        static INITIAL: LazyLock<Enclave> = LazyLock::new(Enclave::default);
        self.0.as_deref().unwrap_or_else(|| &INITIAL)
    }
}

impl DerefMut for LazyEnclave {
    fn deref_mut(&mut self) -> &mut Enclave {
        self.0.get_or_insert_default()
    }
}

/// The state of an enclave for its programs.
#[derive(Default)]
pub(super) struct Enclave {
    user_fields: [i32; 2],
    enabled: Enabled,
    pushed: Vec<Enabled>,
    /// Heaps created by CEECRHP, and whether their storage is initially zero.
    pub heaps: FxHashMap<i32, bool>,
    pub heap_last: i32,
    /// The heap of storage outside the initial heap.
    pub heap_of: FxHashMap<u32, i32>,
    pub national: super::national_services::National,
    pub environment: super::environment::Environment,
    pub locales: super::locale_services::Locales,
}

/// Run-time options of the enclave.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EnclaveOptions {
    /// COUNTRY; an invalid country is stored nevertheless.
    pub country: Option<[u8; 2]>,
    /// NATLANG.
    pub language: le::callable::country::Language,
    /// ENVAR: names and values.
    pub environment: Vec<(String, String)>,
}

/// Run-time options of every program of a region.
#[derive(Clone, Default)]
pub struct RunTimeOptions {
    /// TRAP, DEPTHCONDLMT, ERRCOUNT, TERMTHDACT.
    pub conditions: super::ConditionOptions,
    /// USRHDLR.
    pub user_handlers: super::UserHandlers,
    /// COUNTRY, NATLANG, ENVAR.
    pub enclave: EnclaveOptions,
}

impl RunUnit {
    /// For the run that begins.
    pub fn set_options(&mut self, options: &RunTimeOptions) {
        self.set_condition_options(options.conditions);
        self.set_user_handlers(options.user_handlers.clone());
        self.set_enclave_options(&options.enclave);
    }

    pub(super) unsafe fn enclave_service(&mut self, frame: FrameId, service: Service, areas: &Areas<'_>) -> Result<Feedback, Departure> {
        let session = frame.session();
        Ok(match service {
            Service::Parameter => {
                let text = session.code_page.encode(&self.host().parameter());
                areas.set_text(0, TEXT_LENGTH, &text, session);
                if text.len() > TEXT_LENGTH { PARAMETER_CUT } else { Feedback::SUCCESS }
            }
            Service::LongParameter => {
                let text = session.code_page.encode(&self.host().parameter());
                let room = usize::try_from(areas.fullword(0)).unwrap_or(0);
                areas.set_fullword(0, text.len() as i32);
                areas.set_text(1, room, &text, session);
                if room > 0 && text.len() > room { LONG_PARAMETER_CUT } else { Feedback::SUCCESS }
            }
            Service::UserField => {
                let Some(field) = usize::try_from(areas.fullword(1) - 1).ok().and_then(|at| self.enclave.user_fields.get_mut(at)) else {
                    return Ok(FIELD);
                };
                match areas.fullword(0) {
                    1 => *field = areas.fullword(2),
                    2 => areas.set_fullword(2, *field),
                    _ => return Ok(FUNCTION),
                }
                Feedback::SUCCESS
            }
            Service::Enablement => {
                let text = session.code_page.decode(areas.area(1, TEXT_LENGTH));
                let feedback = self.enclave.enablement(areas.fullword(0), &text);
                if areas.fullword(0) == action::QUERY {
                    areas.set_text(1, TEXT_LENGTH, &session.code_page.encode(&self.enclave.settings()), session);
                }
                feedback
            }
            Service::Information => {
                let system = if self.invocation.eib != 0 { information::CICS } else { information::BATCH };
                areas.set_fullword(0, (system | information::Z_OS) as i32);
                areas.set_fullword(1, if self.host().is_nested() { information::NESTED as i32 } else { 0 });
                areas.set_fullword(2, information::COBOL as i32);
                areas.set_fullword(3, super::condition_services::VERSION);
                Feedback::SUCCESS
            }
            Service::Environment => self.environment_service(areas, session)?,
            Service::JclSymbol => self.jcl_symbol(areas, session),
            Service::DelayMilliseconds if self.invocation.eib != 0 => DELAY_UNDER_CICS,
            Service::DelaySeconds => self.delay(areas.fullword(0), Duration::from_secs)?,
            Service::DelayMilliseconds => self.delay(areas.fullword(0), Duration::from_millis)?,
        })
    }

    /// Run-time options COUNTRY, NATLANG and ENVAR.
    pub fn set_enclave_options(&mut self, options: &EnclaveOptions) {
        self.settings.country = options.country.unwrap_or(self.settings.country);
        if self.enclave.national.language != options.language {
            self.enclave.national.language = options.language;
        }
        for (name, value) in &options.environment {
            self.set_environment(name, value);
        }
    }

    /// CEEGTJS.
    unsafe fn jcl_symbol(&mut self, areas: &Areas<'_>, session: &le::Session) -> Feedback {
        let name = session.code_page.decode(areas.string(1));
        let name = name.trim_end();
        if areas.fullword(0) != SYMBOL_FUNCTION || !(1..=SYMBOL_NAME_MAX).contains(&name.len()) {
            return PARAMETERS;
        }
        let Some(value) = self.host().exported_symbol(&name.to_ascii_uppercase()) else { return SYMBOL_UNKNOWN };
        let text = session.code_page.encode(&value);
        areas.set_text(2, SYMBOL_VALUE_LENGTH, &text, session);
        areas.set_fullword(3, text.len().min(SYMBOL_VALUE_LENGTH) as i32);
        Feedback::SUCCESS
    }

    fn delay(&mut self, count: i32, unit: fn(u64) -> Duration) -> Result<Feedback, Departure> {
        match u64::try_from(count).map(unit) {
            Ok(time) if time <= DELAY_MAX => {
                self.host().delay(time)?;
                Ok(Feedback::SUCCESS)
            }
            _ => Ok(DELAY_RANGE),
        }
    }
}

impl Enclave {
    fn enablement(&mut self, action: i32, text: &str) -> Feedback {
        match action {
            action::SET => return self.set(text),
            action::QUERY => {}
            action::PUSH | action::PUSH_SET if self.pushed.len() == PUSHED_MAX => return STACK_FULL,
            action::PUSH => self.pushed.push(self.enabled),
            action::PUSH_SET => {
                self.pushed.push(self.enabled);
                return self.set(text);
            }
            action::POP => match self.pushed.pop() {
                Some(enabled) => self.enabled = enabled,
                None => return STACK_EMPTY,
            },
            _ => return ACTION,
        }
        Feedback::SUCCESS
    }

    /// Words such as F or NOF; the last one for a condition takes effect.
    fn set(&mut self, text: &str) -> Feedback {
        let mut feedback = Feedback::SUCCESS;
        for word in text.split([',', ' ', '\0']).filter(|word| !word.is_empty()) {
            let word = word.to_ascii_uppercase();
            let (bare, on) = word.strip_prefix("NO").map_or((word.as_str(), true), |bare| (bare, false));
            match CONDITIONS.iter().position(|condition| *condition == bare) {
                Some(at) => self.enabled[at] = on,
                None => feedback = CONDITION_STRING,
            }
        }
        feedback
    }

    fn settings(&self) -> String {
        let word = |(condition, on): (&&str, &bool)| if *on { condition.to_string() } else { format!("NO{condition}") };
        CONDITIONS.iter().zip(&self.enabled).map(word).collect::<Vec<_>>().join(",")
    }
}
