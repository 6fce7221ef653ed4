//! Callable services of Language Environment that need the run unit or its host: storage, return codes, messages, the program's
//! parameter, condition tokens. Those that only compute (dates) are in [`le::callable`].
//!
//! Rules: z/OS Language Environment Programming Reference, "Callable services". Fullwords and halfwords are big-endian; the last
//! argument is the feedback code, and when it is omitted a condition of severity 2 or more ends the enclave.
//!
//! `unsafe` here reads and writes the arguments of a call, which may have any address: faults are the program's (see the parent module).

use super::condition_services::{DESTINATION, MESSAGE_FILE};
use super::conditions::{Cause, Resumable};
use super::*;
use crate::requests::{CallRequest, display_flags};
use le::callable::math::MathService;
use le::callable::token::Token;
use le::callable::{self, Feedback, Outcome};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Service {
    GetStorage,
    FreeStorage,
    ChangeStorage,
    GetReturnCode,
    SetReturnCode,
    CreateHeap,
    DiscardHeap,
    MessageOut,
    EncodeToken,
    DecodeToken,
    Random,
}

/// A service by name, and its arguments without the feedback code.
fn find(name: &str) -> Option<(Service, usize)> {
    Some(match name {
        "CEEGTST" => (Service::GetStorage, 3),
        "CEEFRST" => (Service::FreeStorage, 1),
        "CEECZST" => (Service::ChangeStorage, 2),
        "CEE3GRC" => (Service::GetReturnCode, 1),
        "CEE3SRC" => (Service::SetReturnCode, 1),
        "CEECRHP" => (Service::CreateHeap, 4),
        "CEEDSHP" => (Service::DiscardHeap, 1),
        "CEEMOUT" => (Service::MessageOut, 2),
        "CEENCOD" => (Service::EncodeToken, 8),
        "CEEDCOD" => (Service::DecodeToken, 8),
        "CEERAN0" => (Service::Random, 2),
        _ => return None,
    })
}

/// CEE0P3: the heap identifier is not known.
const HEAP_UNKNOWN: Feedback = Feedback { severity: 3, message: 803 };
/// CEE0P4, CEE0P5, CEE0P6: initial size, increment and options of a heap.
const INITIAL_SIZE: Feedback = Feedback { severity: 3, message: 804 };
const INCREMENT: Feedback = Feedback { severity: 3, message: 805 };
const HEAP_OPTIONS: Feedback = Feedback { severity: 3, message: 806 };
/// CEE0PC: the initial heap cannot be discarded.
const INITIAL_HEAP: Feedback = Feedback { severity: 3, message: 812 };
/// CEE0P8: the size is not a positive number.
const SIZE_NOT_POSITIVE: Feedback = Feedback { severity: 3, message: 808 };
/// CEE0PA: the address was not obtained from this heap.
const ADDRESS_UNKNOWN: Feedback = Feedback { severity: 3, message: 810 };
/// CEE0PD: there is not enough storage.
const NO_STORAGE: Feedback = Feedback { severity: 3, message: 813 };
/// CEE0CH, CEE0CI, CEE0CJ: case, control and severity of a token out of range.
const CASE: Feedback = Feedback { severity: 3, message: 401 };
const CONTROL: Feedback = Feedback { severity: 3, message: 402 };
const SEVERITY: Feedback = Feedback { severity: 3, message: 403 };
/// CEE20H: the seed is not in its range.
const SEED: Feedback = Feedback { severity: 3, message: 2065 };

/// Options of CEECRHP: those of run-time option HEAP (0), and combinations of its suboptions.
const HEAP_OPTIONS_FIRST: i32 = 70;
const HEAP_OPTIONS_LAST: i32 = 80;
/// From these on the storage of the heap is zero.
const HEAP_OPTIONS_ZERO: i32 = 79;
/// The multiplicative congruential generator of CEERAN0, modulo 2**31 - 1.
const RANDOM_MULTIPLIER: u64 = 950_706_376;
const RANDOM_MODULUS: u64 = (1 << 31) - 1;
const SEVERITY_MAX: u16 = 4;

/// The areas passed by a CALL. All areas that a service needs are present: [`RunUnit::host_service`] has checked.
pub(super) struct Areas<'a>(pub &'a [*mut u8]);

impl Areas<'_> {
    pub unsafe fn fullword(&self, at: usize) -> i32 {
        i32::from_be_bytes(self.0[at].cast::<[u8; 4]>().read())
    }

    pub unsafe fn set_fullword(&self, at: usize, value: i32) {
        self.0[at].cast::<[u8; 4]>().write(value.to_be_bytes());
    }

    pub unsafe fn halfword(&self, at: usize) -> u16 {
        u16::from_be_bytes(self.0[at].cast::<[u8; 2]>().read())
    }

    pub unsafe fn set_halfword(&self, at: usize, value: u16) {
        self.0[at].cast::<[u8; 2]>().write(value.to_be_bytes());
    }

    /// A halfword length and so many characters.
    pub unsafe fn string(&self, at: usize) -> &[u8] {
        std::slice::from_raw_parts(self.0[at].add(2), self.halfword(at) as usize)
    }

    /// Text padded with spaces, or cut.
    pub unsafe fn set_text(&self, at: usize, length: usize, text: &[u8], session: &le::Session) {
        let area = std::slice::from_raw_parts_mut(self.0[at], length);
        area.fill(session.code_page.space);
        let used = text.len().min(length);
        area[..used].copy_from_slice(&text[..used]);
    }

    pub fn address(&self, at: usize) -> *mut u8 {
        self.0[at]
    }

    pub unsafe fn area(&self, at: usize, length: usize) -> &[u8] {
        std::slice::from_raw_parts(self.0[at], length)
    }
}

/// Whether a required argument is missing.
pub(super) fn lacks(addresses: &[*mut u8], needed: std::ops::Range<usize>) -> bool {
    addresses.len() < needed.end || addresses[needed].iter().any(|address| address.is_null())
}

impl RunUnit {
    /// A callable service by name; `None` if there is no such service.
    pub(super) fn callable_service(&mut self, frame: FrameId, name: &str, request: &CallRequest) -> Option<Result<(), Departure>> {
        let addresses: Vec<*mut u8> = match request.argument_count as usize {
            0 => Vec::new(),
            count => {
                unsafe { std::slice::from_raw_parts(request.arguments, count) }.iter().map(|&address| address as usize as *mut u8).collect()
            }
        };
        let mut cause = Cause::Signal;
        let outcome = if let Some((service, argument_count)) = callable::find(name) {
            let session = frame.session();
            unsafe { callable::call(service, argument_count, &addresses, session, &mut self.settings) }
        } else if let Some(found) = callable::math::find(name) {
            cause = Cause::MathService;
            match found {
                callable::math::Found::Service(service) => unsafe { self.math_service(frame, name, service, &addresses) },
                callable::math::Found::Extended => return Some(Err(self.refuse_service(name, callable::refused::why(name)?))),
            }
        } else if let Some((service, needed)) = condition_services::find(name) {
            if lacks(&addresses, needed.clone()) {
                Outcome::Arguments
            } else {
                let place = addresses.get(needed.end).copied().filter(|address| !address.is_null());
                match unsafe { self.condition_service(frame, service, &Areas(&addresses), place) } {
                    // An unhandled condition without a feedback code has already ended the program.
                    Ok(feedback) => unsafe { callable::feed_back(feedback, place) },
                    Err(departure) => return Some(Err(departure)),
                }
            }
        } else if let Some((service, argument_count)) = enclave_services::find(name) {
            if lacks(&addresses, 0..argument_count) {
                Outcome::Arguments
            } else {
                match unsafe { self.enclave_service(frame, service, &Areas(&addresses)) } {
                    Ok(feedback) => unsafe { callable::feed_back(feedback, addresses.get(argument_count).copied()) },
                    Err(departure) => return Some(Err(departure)),
                }
            }
        } else if let Some((service, needed)) = national_services::find(name) {
            if lacks(&addresses, needed.clone()) {
                Outcome::Arguments
            } else {
                let feedback = unsafe { self.national_service(frame, service, &Areas(&addresses)) };
                unsafe { callable::feed_back(feedback, addresses.get(needed.end).copied()) }
            }
        } else if let Some((service, needed)) = locale_services::find(name) {
            if lacks(&addresses, needed.clone()) {
                Outcome::Arguments
            } else {
                let feedback = unsafe { self.locale_service(frame, service, &Areas(&addresses)) };
                unsafe { callable::feed_back(feedback, addresses.get(needed.end).copied()) }
            }
        } else {
            let Some((service, argument_count)) = find(name) else {
                return callable::refused::why(name).map(|why| Err(self.refuse_service(name, why)));
            };
            unsafe { self.host_service(frame, service, argument_count, &addresses) }
        };
        let abend = |code: &str, reason: u64| Err(Departure::Abend(Box::new(kernel::Abend::new(code, reason))));
        Some(match outcome {
            Outcome::Done(_) => Ok(()),
            Outcome::Abend { code, reason, .. } => {
                // No condition is associated with it.
                self.conditions.terminating = true;
                self.detail = Some(format!("the program ended itself by CALL '{name}', abend code {code}, reason code {reason}"));
                abend(&String::from_utf8_lossy(&callable::user_abend_code(code)), u64::from(reason as u32))
            }
            Outcome::Condition(feedback) => self.raise(Token::from(feedback), cause, Resumable::InPlace, false, 0).map(|_| ()),
            Outcome::Interruption(exception) => Err(super::operations::exception_abend(exception)),
            Outcome::Arguments => abend("4038", 0),
        })
    }

    /// A service that Language Environment has and this run time has not.
    #[cold]
    pub(super) fn refuse_service(&mut self, name: &str, why: &str) -> Departure {
        self.host().display(display_flags::CONSOLE, &format!("CALL of callable service {name}: {why}"), true);
        self.header.exception = crate::requests::failure::UNSUPPORTED;
        Departure::Abend(Box::new(kernel::Abend::new("4038", u64::from(crate::requests::failure::UNSUPPORTED))))
    }

    /// A math service; its feedback code gets the inserts of the message.
    unsafe fn math_service(&mut self, frame: FrameId, name: &str, service: MathService, addresses: &[*mut u8]) -> Outcome {
        let (outcome, limit) = service.call(addresses, frame.session());
        if let (Outcome::Done(feedback), Some(place)) = (outcome, addresses.get(service.operands()))
            && feedback != Feedback::SUCCESS
            && !place.is_null()
        {
            let token = self.conditions.with_inserts(Token::from(feedback), vec![limit.to_string(), name.to_string()]);
            place.cast::<[u8; 12]>().write(token.0);
        }
        outcome
    }

    unsafe fn host_service(&mut self, frame: FrameId, service: Service, count: usize, addresses: &[*mut u8]) -> Outcome {
        if lacks(addresses, 0..count) {
            return Outcome::Arguments;
        }
        let feedback = self.run_service(frame, service, &Areas(addresses)).err().unwrap_or(Feedback::SUCCESS);
        callable::feed_back(feedback, addresses.get(count).copied())
    }

    unsafe fn run_service(&mut self, frame: FrameId, service: Service, areas: &Areas<'_>) -> Result<(), Feedback> {
        let session = frame.session();
        match service {
            Service::GetStorage => {
                areas.set_fullword(2, 0);
                let address = self.get_storage(areas.fullword(0), areas.fullword(1))?;
                areas.set_fullword(2, address as i32);
            }
            Service::FreeStorage => {
                let address = areas.fullword(0) as u32;
                let length = self.allocated.remove(&address).ok_or(ADDRESS_UNKNOWN)?;
                self.enclave.heap_of.remove(&address);
                self.host().freemain(address, length);
                areas.set_fullword(0, 0);
            }
            Service::ChangeStorage => {
                let old = areas.fullword(0) as u32;
                let length = *self.allocated.get(&old).ok_or(ADDRESS_UNKNOWN)?;
                let heap = self.enclave.heap_of.get(&old).copied().unwrap_or(0);
                let new = self.get_storage(heap, areas.fullword(1))?;
                let kept = length.min(areas.fullword(1) as u32) as usize;
                std::ptr::copy_nonoverlapping(old as usize as *const u8, new as usize as *mut u8, kept);
                self.allocated.remove(&old);
                self.enclave.heap_of.remove(&old);
                self.host().freemain(old, length);
                areas.set_fullword(0, new as i32);
            }
            Service::GetReturnCode => areas.set_fullword(0, self.header.return_code),
            Service::SetReturnCode => self.header.return_code = areas.fullword(0),
            Service::CreateHeap => {
                let heap = self.create_heap(areas.fullword(1), areas.fullword(2), areas.fullword(3))?;
                areas.set_fullword(0, heap);
            }
            Service::DiscardHeap => self.discard_heap(areas.fullword(0))?,
            Service::MessageOut => {
                if areas.fullword(1) != MESSAGE_FILE {
                    return Err(DESTINATION);
                }
                let length = areas.halfword(0) as usize;
                let text = session.code_page.decode(std::slice::from_raw_parts(areas.0[0].add(2), length));
                self.host().message(text.trim_end());
            }
            Service::EncodeToken => encode_token(areas)?,
            Service::DecodeToken => decode_token(areas),
            Service::Random => {
                let seed = match areas.fullword(0) {
                    seed if seed < 0 || seed as u64 >= RANDOM_MODULUS => return Err(SEED),
                    0 => (self.host().now().0 as u64 % (RANDOM_MODULUS - 1)) + 1,
                    seed => seed as u64,
                };
                let next = seed * RANDOM_MULTIPLIER % RANDOM_MODULUS;
                areas.set_fullword(0, next as i32);
                le::float::store(areas.0[1], 8, next as f64 / RANDOM_MODULUS as f64, session.float_format);
            }
        }
        Ok(())
    }

    fn get_storage(&mut self, heap: i32, size: i32) -> Result<u32, Feedback> {
        let zero = if heap == 0 { false } else { *self.enclave.heaps.get(&heap).ok_or(HEAP_UNKNOWN)? };
        let length = u32::try_from(size).ok().filter(|length| *length > 0).ok_or(SIZE_NOT_POSITIVE)?;
        let address = self.host().getmain_now(length).ok_or(NO_STORAGE)?;
        self.allocated.insert(address, length);
        if heap != 0 {
            self.enclave.heap_of.insert(address, heap);
        }
        if zero {
            unsafe { std::ptr::write_bytes(address as usize as *mut u8, 0, length as usize) };
        }
        Ok(address)
    }

    /// CEECRHP. Storage is obtained on request, so the sizes have no effect.
    fn create_heap(&mut self, initial: i32, increment: i32, options: i32) -> Result<i32, Feedback> {
        if initial < 0 {
            return Err(INITIAL_SIZE);
        }
        if increment < 0 {
            return Err(INCREMENT);
        }
        if options != 0 && !(HEAP_OPTIONS_FIRST..=HEAP_OPTIONS_LAST).contains(&options) {
            return Err(HEAP_OPTIONS);
        }
        self.enclave.heap_last += 1;
        let last = self.enclave.heap_last;
        self.enclave.heaps.insert(last, options >= HEAP_OPTIONS_ZERO);
        Ok(self.enclave.heap_last)
    }

    /// CEEDSHP: the heap's storage is released with it.
    fn discard_heap(&mut self, heap: i32) -> Result<(), Feedback> {
        if heap == 0 {
            return Err(INITIAL_HEAP);
        }
        self.enclave.heaps.remove(&heap).ok_or(HEAP_UNKNOWN)?;
        let of_heap: Vec<u32> = self.enclave.heap_of.iter().filter(|(_, of)| **of == heap).map(|(address, _)| *address).collect();
        for address in of_heap {
            self.enclave.heap_of.remove(&address);
            if let Some(length) = self.allocated.remove(&address) {
                self.host().freemain(address, length);
            }
        }
        Ok(())
    }
}

/// CEENCOD: severity, message number, case, severity, control, facility, instance specific information, token.
unsafe fn encode_token(areas: &Areas<'_>) -> Result<(), Feedback> {
    let (case, severity, control) = (areas.halfword(2), areas.halfword(3), areas.halfword(4));
    if !(1..=2).contains(&case) {
        return Err(CASE);
    }
    if control > 1 {
        return Err(CONTROL);
    }
    if severity > SEVERITY_MAX {
        return Err(SEVERITY);
    }
    let facility: [u8; 3] = areas.0[5].cast::<[u8; 3]>().read();
    let information = areas.0[6].cast::<[u8; 4]>().read();
    let mut token = [0u8; 12];
    token[..2].copy_from_slice(&areas.halfword(0).to_be_bytes());
    token[2..4].copy_from_slice(&areas.halfword(1).to_be_bytes());
    token[4] = (case as u8 & 3) << 6 | (severity as u8) << 3 | control as u8 & 7;
    token[5..8].copy_from_slice(&facility);
    token[8..].copy_from_slice(&information);
    areas.0[7].cast::<[u8; 12]>().write(token);
    Ok(())
}

/// CEEDCOD: the token first, then the parts as for CEENCOD.
unsafe fn decode_token(areas: &Areas<'_>) {
    let token: [u8; 12] = areas.0[0].cast::<[u8; 12]>().read();
    areas.set_halfword(1, u16::from_be_bytes([token[0], token[1]]));
    areas.set_halfword(2, u16::from_be_bytes([token[2], token[3]]));
    areas.set_halfword(3, u16::from(token[4] >> 6));
    areas.set_halfword(4, u16::from(token[4] >> 3 & 7));
    areas.set_halfword(5, u16::from(token[4] & 7));
    areas.0[6].cast::<[u8; 3]>().write([token[5], token[6], token[7]]);
    areas.0[7].cast::<[u8; 4]>().write([token[8], token[9], token[10], token[11]]);
}
