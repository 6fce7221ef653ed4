//! The condition information block, whose address CEE3CIB returns, and what CEERCDM records in it.
//!
//! Rules: Programming Reference, CEE3CIB and CEERCDM; Debugging Guide, "Condition information block". The block is created on request and
//! freed when the handlers of the condition have run. Registers of another processor and addresses of stack frames stay zero.
//!
//! `unsafe` here writes the block, which this unit has obtained: see the parent module.

use super::conditions::{Active, Cause, Cursor};
use super::services::Areas;
use super::*;
use le::callable::Feedback;

/// CEE35S: no condition is active (CEERCDM returns it with severity 3). CEE35U: the token of a condition that is not active.
const NO_CONDITION: Feedback = Feedback { severity: 1, message: 3260 };
const NO_CONDITION_TO_RECORD: Feedback = Feedback { severity: 3, message: 3260 };
const TOKEN: Feedback = Feedback { severity: 1, message: 3262 };

/// Offsets in the block.
mod field {
    pub const EYE_CATCHER: usize = 0x00;
    pub const BACK: usize = 0x04;
    pub const SIZE: usize = 0x0C;
    pub const VERSION: usize = 0x0E;
    pub const PLATFORM: usize = 0x10;
    pub const CONDITION: usize = 0x18;
    pub const OLD_CONDITION: usize = 0x28;
    pub const CURSOR_FLAGS: usize = 0x37;
    pub const EVENT_FLAGS: usize = 0xB0;
    pub const ACTION_FLAGS: usize = 0xB1;
    pub const ABEND_CODE: usize = 0xB4;
    pub const ABEND_REASON: usize = 0xB8;
    pub const INSTRUCTION: usize = 0xD0;
    pub const MEMBER: usize = 0xD4;
    pub const QUALIFYING_DATA: usize = 0xF4;
    pub const DUMP_NAME: usize = 0x108;
    pub const LENGTH: usize = 0x10C;
}

/// Condition flag 4.
mod cursor_flag {
    pub const MOVED: u8 = 2;
    pub const MOVED_EXPLICITLY: u8 = 8;
}

/// Status flag 5, events.
mod event_flag {
    pub const SIGNALED: u8 = 2;
    pub const PROMOTED: u8 = 4;
    pub const TERMINATION_IMMINENT: u8 = 8;
    pub const PROGRAM_CHECK: u8 = 64;
    pub const ABEND: u8 = 128;
}

/// Status flag 6, actions.
mod action_flag {
    pub const STACK_FRAME_ZERO: u8 = 2;
    pub const OWNING_FRAME: u8 = 4;
    pub const RESUME_ALLOWED: u8 = 32;
    pub const MATH_SERVICE: u8 = 64;
    pub const REASON_VALID: u8 = 128;
}

const EYE_CATCHER: [u8; 4] = [0xC3, 0xC9, 0xC2, 0x40];
const VERSION: u16 = 4;
const PLATFORM: u32 = 3;
const MEMBER_COBOL: u32 = 5;
/// Follows the block: length and text of the data set name recorded by CEERCDM.
const NAME_MAX: usize = 44;
const AREA_LENGTH: usize = field::LENGTH + 2 + NAME_MAX;
const RECORD_DUMP_NAME: i32 = 1;

/// The block of one condition in program storage.
#[derive(Default)]
pub(super) struct ConditionBlock {
    address: u32,
    /// Data set name of a dump, in the program's code page.
    dump_name: Vec<u8>,
}

impl RunUnit {
    /// CEE3CIB.
    pub(super) unsafe fn condition_block(&mut self, areas: &Areas<'_>) -> Result<Feedback, Departure> {
        if self.conditions.active.is_empty() {
            return Ok(NO_CONDITION);
        }
        let at = if areas.0[0].is_null() {
            self.conditions.active.len() - 1
        } else {
            let asked = areas.token(0);
            let is_it = |active: &Active| active.token == asked || active.initial == asked;
            match self.conditions.active.iter().rposition(is_it) {
                Some(at) => at,
                None => return Ok(TOKEN),
            }
        };
        // Blocks are chained from the newest condition to the oldest.
        let mut back = 0;
        for index in 0..=at {
            if self.conditions.active[index].block.address == 0 {
                let address = self.host().getmain(AREA_LENGTH as u32)?;
                self.conditions.active[index].block.address = address;
            }
            self.fill_block(index, back);
            back = self.conditions.active[index].block.address;
        }
        areas.set_fullword(1, back as i32);
        Ok(Feedback::SUCCESS)
    }

    /// CEERCDM.
    pub(super) unsafe fn record_information(&mut self, areas: &Areas<'_>) -> Feedback {
        let Some(at) = self.conditions.active.len().checked_sub(1) else { return NO_CONDITION_TO_RECORD };
        let name = areas.string(1);
        if areas.fullword(0) != RECORD_DUMP_NAME || !(1..=NAME_MAX).contains(&name.len()) {
            return super::enclave_services::PARAMETERS;
        }
        let active = &mut self.conditions.active[at];
        active.block.dump_name = name.to_vec();
        if active.block.address != 0 {
            self.fill_block(at, self.block_before(at));
        }
        Feedback::SUCCESS
    }

    fn block_before(&self, at: usize) -> u32 {
        at.checked_sub(1).map_or(0, |before| self.conditions.active[before].block.address)
    }

    /// The condition's handlers have run.
    pub(super) fn release_block(&mut self, block: &ConditionBlock) {
        if block.address != 0 {
            self.host().freemain(block.address, AREA_LENGTH as u32);
        }
    }

    unsafe fn fill_block(&mut self, at: usize, back: u32) {
        let data = self.conditions.instance(&self.conditions.active[at].token).and_then(|instance| instance.data);
        let active = &self.conditions.active[at];
        let base = active.block.address as usize as *mut u8;
        let area = std::slice::from_raw_parts_mut(base, AREA_LENGTH);
        area.fill(0);
        let mut put = |offset: usize, bytes: &[u8]| area[offset..offset + bytes.len()].copy_from_slice(bytes);
        put(field::EYE_CATCHER, &EYE_CATCHER);
        put(field::BACK, &back.to_be_bytes());
        put(field::SIZE, &(field::LENGTH as u16).to_be_bytes());
        put(field::VERSION, &VERSION.to_be_bytes());
        put(field::PLATFORM, &PLATFORM.to_be_bytes());
        put(field::CONDITION, &active.token.0);
        put(field::OLD_CONDITION, &active.initial.0);
        put(field::CURSOR_FLAGS, &[cursor_flags(active.cursor)]);
        put(field::EVENT_FLAGS, &[event_flags(active)]);
        put(field::ACTION_FLAGS, &[action_flags(active)]);
        if let Cause::Abend { code, reason } = active.cause {
            put(field::ABEND_CODE, &code);
            put(field::ABEND_REASON, &reason.to_be_bytes());
        }
        if let Cause::ProgramCheck { address } = active.cause {
            put(field::INSTRUCTION, &address.to_be_bytes());
        }
        put(field::MEMBER, &MEMBER_COBOL.to_be_bytes());
        put(field::QUALIFYING_DATA, &data.unwrap_or(0).to_be_bytes());
        let name = &active.block.dump_name;
        if !name.is_empty() {
            put(field::DUMP_NAME, &(active.block.address + field::LENGTH as u32).to_be_bytes());
            put(field::LENGTH, &(name.len() as u16).to_be_bytes());
            put(field::LENGTH + 2, name);
        }
    }
}

fn cursor_flags(cursor: Cursor) -> u8 {
    match cursor {
        Cursor::Initial => 0,
        Cursor::Moved | Cursor::ReturnOf(_) => cursor_flag::MOVED,
        Cursor::Label(..) => cursor_flag::MOVED | cursor_flag::MOVED_EXPLICITLY,
    }
}

fn event_flags(active: &Active) -> u8 {
    let event = match active.cause {
        Cause::Signal | Cause::MathService => event_flag::SIGNALED,
        Cause::ProgramCheck { .. } => event_flag::PROGRAM_CHECK,
        Cause::Abend { .. } => event_flag::ABEND,
    };
    let is_imminent = active.token == conditions::TERMINATION_IMMINENT;
    let promoted = !is_imminent && active.token != active.initial;
    event | if is_imminent { event_flag::TERMINATION_IMMINENT } else { 0 } | if promoted { event_flag::PROMOTED } else { 0 }
}

fn action_flags(active: &Active) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(active.handle_frame.is_null(), action_flag::STACK_FRAME_ZERO)
        | flag(active.handle_frame == active.failing, action_flag::OWNING_FRAME)
        | flag(active.resumable != conditions::Resumable::Elsewhere || active.cursor != Cursor::Initial, action_flag::RESUME_ALLOWED)
        | flag(active.cause == Cause::MathService, action_flag::MATH_SERVICE)
        | flag(matches!(active.cause, Cause::Abend { .. }), action_flag::REASON_VALID)
}
