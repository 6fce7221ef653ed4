//! Environment variables of the enclave: those of its host, as changed by ENVAR, CEEENV and DISPLAY UPON ENVIRONMENT-VALUE.
//!
//! Rules: Programming Reference, CEEENV and ENVAR.
//!
//! `unsafe` here reads and writes the arguments of a call, and fills storage that the host has just given: see the parent module.
//! `regent/tests/batch.rs` calls CEEENV.

use super::services::Areas;
use super::*;
use le::callable::Feedback;

/// CEE51P, CEE51R, CEE51S: an invalid name; no such function; the variable already exists.
const NAME: Feedback = Feedback { severity: 3, message: 5177 };
const FUNCTION: Feedback = Feedback { severity: 3, message: 5179 };
const EXISTS: Feedback = Feedback { severity: 0, message: 5180 };

mod function {
    pub const GET: i32 = 1;
    pub const ADD: i32 = 2;
    pub const CLEAR: i32 = 3;
    pub const DELETE: i32 = 4;
    pub const SET: i32 = 5;
}

/// Arguments of CEEENV.
mod argument {
    pub const FUNCTION: usize = 0;
    pub const NAME_LENGTH: usize = 1;
    pub const NAME: usize = 2;
    pub const VALUE_LENGTH: usize = 3;
    /// A pointer to the value.
    pub const VALUE: usize = 4;
}

#[derive(Default)]
pub(super) struct Environment {
    /// Differences from the host's variables; `None`: deleted.
    own: FxHashMap<String, Option<String>>,
    /// The host's variables are not there any more.
    cleared: bool,
    /// Program storage of the values that CEEENV has given addresses of.
    given: FxHashMap<String, (u32, u32)>,
}

impl Environment {
    pub fn set(&mut self, name: &str, value: &str) {
        self.own.insert(name.to_string(), Some(value.to_string()));
    }

    /// Storage to give back at the end.
    pub fn take_storage(&mut self) -> Vec<(u32, u32)> {
        self.given.drain().map(|(_, storage)| storage).collect()
    }
}

impl RunUnit {
    pub(super) fn environment(&mut self, name: &str) -> Option<String> {
        let environment = &self.enclave.environment;
        match environment.own.get(name) {
            Some(value) => value.clone(),
            None if environment.cleared => None,
            None => self.host().environment(name),
        }
    }

    pub(super) fn set_environment(&mut self, name: &str, value: &str) {
        self.enclave.environment.set(name, value);
    }

    /// CEEENV.
    pub(super) unsafe fn environment_service(&mut self, areas: &Areas<'_>, session: &le::Session) -> Result<Feedback, Departure> {
        let function = areas.fullword(argument::FUNCTION);
        if function == function::CLEAR {
            self.enclave.environment.own.clear();
            self.enclave.environment.cleared = true;
            return Ok(Feedback::SUCCESS);
        }
        if !(function::GET..=function::SET).contains(&function) {
            return Ok(FUNCTION);
        }
        let name = match usize::try_from(areas.fullword(argument::NAME_LENGTH)) {
            Ok(length) if length > 0 => session.code_page.decode(areas.area(argument::NAME, length)),
            _ => return Ok(NAME),
        };
        if name.contains(['=', '\0']) {
            return Ok(NAME);
        }
        match function {
            function::GET => {
                let value = self.environment(&name);
                let (address, length) = match value {
                    Some(value) => self.give_value(&name, &session.code_page.encode(&value))?,
                    None => (0, 0),
                };
                areas.set_fullword(argument::VALUE, address as i32);
                areas.set_fullword(argument::VALUE_LENGTH, length as i32);
            }
            function::DELETE => {
                self.enclave.environment.own.insert(name, None);
            }
            function::ADD if self.environment(&name).is_some() => return Ok(EXISTS),
            _ => {
                let address = areas.fullword(argument::VALUE) as u32 as usize as *const u8;
                let value = match usize::try_from(areas.fullword(argument::VALUE_LENGTH)) {
                    Ok(0) => String::new(),
                    Ok(length) if !address.is_null() => session.code_page.decode(std::slice::from_raw_parts(address, length)),
                    _ => return Ok(FUNCTION),
                };
                self.set_environment(&name, &value);
            }
        }
        Ok(Feedback::SUCCESS)
    }

    /// A value in program storage, followed by a zero byte, which is kept until the variable is queried again.
    unsafe fn give_value(&mut self, name: &str, value: &[u8]) -> Result<(u32, u32), Departure> {
        if let Some((address, length)) = self.enclave.environment.given.remove(name) {
            self.host().freemain(address, length);
        }
        let length = value.len() as u32 + 1;
        let address = self.host().getmain(length)?;
        let area = std::slice::from_raw_parts_mut(address as usize as *mut u8, length as usize);
        area[..value.len()].copy_from_slice(value);
        area[value.len()] = 0;
        self.enclave.environment.given.insert(name.to_string(), (address, length));
        Ok((address, length - 1))
    }
}
