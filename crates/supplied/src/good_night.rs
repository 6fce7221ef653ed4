//! CEGN: what becomes of a terminal whose user has been idle for the TIMEOUT of his CICS segment.
//!
//! With GNTRAN=NO the user is signed off, and the terminal is greeted again if its TYPETERM has LOGONMSG(YES). Otherwise the transaction of GNTRAN
//! runs next. Its communication area is DFHSNGS, with the screen behind it; its first RECEIVE gets the communication area of the conversation
//! that was interrupted. Invariant: what the conversation of one user has left is never there for the next one.

use super::panel;
use region::facility::{AtTimeout, NextTransaction, Terminal};
use region::messages::Message;
use region::name::Name4;
use region::{Outcome, Raised, Task};
use security_manager::signing;
use std::sync::Arc;
use terminals::terminal_control::display::DisplayTerminal;
use terminals::terminal_control::input::{Input, display, facility};

/// GNTRAN_START_TRANSID of a transaction that CEGN has started.
const CEGN: &str = "CEGN";
/// DFHSNGS_FIXED (data areas, DFHSNGSK), and where its fields are.
const FIXED_BYTES: usize = 64;
const TIMEOUT_TIME: usize = 0x10;
const TIMEOUT_REASON: usize = 0x18;
const PSEUDO_CONVERSATION_TRANSID: usize = 0x24;
const SCREEN_NUMBERS: usize = 0x28;
/// The longest communication area.
const COMMAREA_BYTES_MAX: usize = 32_763;

pub fn schedule(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    if !display.take_good_night() || !terminal.is_signed_on() || terminal.is_preset() {
        return Ok(());
    }
    let next = display.take_next_transaction();
    match chosen(task) {
        Some((transid, keeps)) if task.region.transactions().find(transid).is_some() => {
            let next = next.filter(|_| keeps);
            let screen = if keeps { display.screen(task) } else { None };
            // "A read terminal buffer operation, which must succeed if details of a pseudo-conversation are to be recorded" (GNTRAN).
            let next = next.filter(|_| screen.is_some());
            let commarea = parameter_list(task, display, next.as_ref(), screen);
            let input_message = next.map(|next| next.commarea).filter(|commarea| !commarea.is_empty());
            task.next_transaction = Some(NextTransaction { transid, commarea, channel: None, immediate: true, input_message });
            Ok(())
        }
        _ => sign_off(task, &terminal, display),
    }
}

/// GNTRAN: the transaction for users who have been idle for too long, and whether the conversation of their terminals is kept for it; `None`: they
/// are signed off.
fn chosen(task: &Task) -> Option<(Name4, bool)> {
    let value = task.region.sit.get("GNTRAN").trim_matches(['(', ')']).to_ascii_uppercase();
    let (name, kept) = value.split_once(',').unwrap_or((&value, "KEEP"));
    (!matches!(name.trim(), "" | "NO")).then(|| (name.trim().into(), kept.trim() != "DISCARD"))
}

/// DFHSNGS.
fn parameter_list(task: &Task, display: &DisplayTerminal, next: Option<&NextTransaction>, screen: Option<Input>) -> Vec<u8> {
    let page = &task.region.code_page;
    let mut list = page.encode(&" ".repeat(FIXED_BYTES));
    let mut put = |at: usize, bytes: &[u8]| list[at..at + bytes.len()].copy_from_slice(bytes);
    let (cursor, mut data) = screen.map_or((0, Vec::new()), |screen| (screen.cursor, screen.data));
    let is_truncated = data.len() > COMMAREA_BYTES_MAX - FIXED_BYTES;
    data.truncate(COMMAREA_BYTES_MAX - FIXED_BYTES);
    let yes_or_no = |is_so: bool| if is_so { "Y" } else { "N" };
    let folds = display.service().uppercase == terminals::terminal_control::display::Uppercase::Yes;
    put(0, &page.encode(&format!("{CEGN}{}{}{}", yes_or_no(next.is_some()), yes_or_no(is_truncated), yes_or_no(folds))));
    put(TIMEOUT_TIME, &region::packed::<8>(region::clock::now_local().0.unsigned_abs()));
    put(TIMEOUT_REASON, &page.encode("T"));
    let transid = next.map_or(Name4::BLANK, |next| next.transid);
    put(PSEUDO_CONVERSATION_TRANSID, &page.encode_name(&transid));
    let size = display.size();
    for (at, number) in [data.len() as u16, cursor, size.columns, size.rows].into_iter().enumerate() {
        put(SCREEN_NUMBERS + 2 * at, &number.to_be_bytes());
    }
    list.extend(data);
    list
}

/// The end of the session of a user: what SIGNOFF of TYPETERM says.
fn sign_off(task: &mut Task, terminal: &Arc<dyn Terminal>, display: &DisplayTerminal) -> Outcome {
    signing::sign_off_idle(task, terminal)?;
    ended(task, display)
}

/// What a terminal shows when its user has been signed off by a time limit.
fn ended(task: &mut Task, display: &DisplayTerminal) -> Outcome {
    if display.at_timeout() == AtTimeout::LogOff {
        terminals::terminal_control::TaskState::of_mut(&mut task.parts).disconnect = true;
        return Ok(());
    }
    panel::last_word(task, &Message::new("DFHCE3590", &[]).line())?;
    if display.identity.typeterm.logon_message {
        display.greet();
    }
    Ok(())
}

/// CESF as the transaction of GNTRAN: it signs off as SIGNOFF of TYPETERM says. `None`: it has been started otherwise.
pub fn sign_off_by_time(task: &mut Task, terminal: &Arc<dyn Terminal>) -> Option<Outcome> {
    let given = task.level()?.commarea.truncated(CEGN.len()).read().ok()?;
    (given.starts_with(&task.region.code_page.encode(CEGN)) && terminal.is_signed_on() && !terminal.is_preset()).then(|| {
        let display = display(&**terminal)?;
        sign_off(task, terminal, display)
    })
}
