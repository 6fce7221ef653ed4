//! PERFORM: SHUTDOWN, DUMP (or SNAP), STATISTICS, and whatever else the region can perform.

use super::command::{self, Unknown, Verb, Word};
use super::engine::{Reply, available, not_available, unknown_option};
use super::setting::{add_word, issue, option_of};
use super::words::not_normal;
use exec::{CommandSpec, option};
use region::exec_interface::call::Call;
use region::{Raised, Task};

/// PERFORM SHUTDOWN is not abbreviated further, lest a region be shut down by a slip ("Rules for entering CEMT commands").
pub const SHUTDOWN_LETTERS_MIN: usize = 4;

pub fn perform(task: &mut Task, words: &[Word]) -> Result<Reply, Raised> {
    let first = words[0].keyword.as_str();
    if first.len() >= SHUTDOWN_LETTERS_MIN && "SHUTDOWN".starts_with(first) {
        let is_immediate = |word: &&Word| word.value.is_none() && word.keyword.len() >= 2 && "IMMEDIATE".starts_with(&word.keyword);
        let immediate = words[1..].iter().any(|word| is_immediate(&word));
        let command = if immediate { exec::command::PERFORM_SHUTDOWN_IMMEDIATE } else { exec::command::PERFORM_SHUTDOWN };
        let mut call = Call::new(command);
        for word in words[1..].iter().filter(|word| !is_immediate(word)) {
            let spec = command.spec();
            let Some(option) = option_of(spec, word) else { return Ok(Reply::Unknown(unknown_option(word, spec), None)) };
            if let Err(fault) = add_word(task, &mut call, option, word.value.as_deref()) {
                return Ok(Reply::Done { text: fault, failed: true });
            }
        }
        return performed(task, &mut call, "SHUTDOWN IS IN PROGRESS");
    }
    if first.len() >= 2 && ["DUMP", "SNAP"].iter().any(|word| word.starts_with(first)) {
        return dump(task, &words[1..]);
    }
    let is_meant = |spec: &&'static CommandSpec| first.len() >= 2 && spec.words[1].starts_with(first) && spec.words[1] != "SHUTDOWN";
    let Some(spec) = performable().into_iter().find(is_meant) else {
        // A shutdown needs more letters than the others.
        let unavailable = command::unavailable(Verb::Perform, first).filter(|spec| spec.words[1] != "SHUTDOWN");
        return Ok(match unavailable {
            None if "SHUTDOWN".starts_with(first) => Reply::Unknown(Unknown(first.to_string(), Some("SHUTDOWN")), Some(Verb::Perform)),
            Some(spec) => not_available(spec.name),
            None => Reply::Unknown(Unknown::of(first, performable().into_iter().map(|spec| spec.words[1])), Some(Verb::Perform)),
        });
    };
    let mut call = Call::new(spec.id);
    // The words of the command itself may be in any position: PERFORM STATISTICS ALL RECORD.
    let is_command = |word: &&Word| word.keyword.len() >= 3 && spec.words[2..].iter().any(|known| known.starts_with(&word.keyword));
    for word in words[1..].iter().filter(|word| !is_command(word)) {
        let Some(option) = option_of(spec, word) else { return Ok(Reply::Unknown(unknown_option(word, spec), None)) };
        if let Err(fault) = add_word(task, &mut call, option, word.value.as_deref()) {
            return Ok(Reply::Done { text: fault, failed: true });
        }
    }
    performed(task, &mut call, &format!("{} COMPLETE", spec.name))
}

/// The command that the word after PERFORM names.
pub fn command_of(word: &str) -> Option<&'static CommandSpec> {
    let letters_min = |name: &str| if name == "SHUTDOWN" { SHUTDOWN_LETTERS_MIN } else { 2 };
    let word = if word.len() >= 2 && "SNAP".starts_with(word) { "DUMP" } else { word };
    performable().into_iter().find(|spec| word.len() >= letters_min(spec.words[1]) && spec.words[1].starts_with(word))
}

/// The dump code of a dump that an operator asks for without one, and its title ("CEMT PERFORM DUMP").
const OPERATOR_DUMP_CODE: &str = "MT0001";
const OPERATOR_DUMP_TITLE: &str = "CEMT PERFORM DUMP";
/// `run/count`.
const DUMP_ID_LENGTH: usize = 9;

/// PERFORM DUMP: the answer has the identifier of the dump.
fn dump(task: &mut Task, words: &[Word]) -> Result<Reply, Raised> {
    let spec = exec::command::PERFORM_DUMP.spec();
    let mut call = Call::new(spec.id);
    for word in words {
        let Some(option) = option_of(spec, word) else { return Ok(Reply::Unknown(unknown_option(word, spec), None)) };
        if let Err(fault) = add_word(task, &mut call, option, word.value.as_deref()) {
            return Ok(Reply::Done { text: fault, failed: true });
        }
    }
    let has = |option: exec::OptionId| words.iter().filter_map(|word| option_of(spec, word)).any(|given| given.id == option);
    for (option, value) in [(option::DUMPCODE, OPERATOR_DUMP_CODE), (option::TITLE, OPERATOR_DUMP_TITLE)] {
        if !has(option) {
            call.text(task, option, value);
        }
    }
    call.bytes(option::DUMPID, &[task.region.code_page.space(); DUMP_ID_LENGTH]);
    let reply = performed(task, &mut call, "")?;
    Ok(match reply {
        Reply::Done { failed: false, .. } => {
            Reply::Done { text: format!("DUMPID({})", call.result_text(task, option::DUMPID)), failed: false }
        }
        other => other,
    })
}

fn performed(task: &mut Task, call: &mut Call, done: &str) -> Result<Reply, Raised> {
    Ok(match issue(task, call)? {
        Ok(response) if response.is_normal() => Reply::Done { text: done.to_string(), failed: false },
        Ok(response) => Reply::Done { text: not_normal(call, response), failed: true },
        Err(text) => Reply::Done { text, failed: true },
    })
}

/// The PERFORM commands there are.
pub fn performable() -> Vec<&'static CommandSpec> {
    exec::commands_of_verb("PERFORM").iter().filter(|spec| spec.words.len() > 1 && available(spec.name).is_some()).collect()
}
