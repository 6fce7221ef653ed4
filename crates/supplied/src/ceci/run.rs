//! Executes a command that was typed: a block built at run time passes through the same gate as a program's.
//!
//! Receivers that were not named get areas of their own, so the result can be seen. Invariant: areas live until the results have been taken
//! from them, and are larger than the length passed to the command, so a length that is too large still stays inside them.

use super::parse::{Given, Parsed};
use super::variables::Variables;
use exec::{ArgumentKind, ArgumentRule, CommandSpec, Direction, OptionId, OptionSpec, command, condition, cvda, option};
use region::exec_interface::call::{Call, Response};
use region::storage_access::OwnedArea;
use region::{Raised, Task};

/// Length of an INTO area that is not a variable.
const RECEIVER_LENGTH: usize = 4096;
/// Length of other areas the catalogue does not know the length of.
const AREA_LENGTH: usize = 256;
/// Longest area of a command.
const STORAGE_LENGTH: usize = 32_767;

/// Commands that depend on an environment that an interpreter does not have.
const NOT_EXECUTABLE: [&str; 14] = [
    "FREE",
    "FREEMAIN",
    "GETMAIN",
    "HANDLE ABEND",
    "HANDLE AID",
    "HANDLE CONDITION",
    "IGNORE CONDITION",
    "POP HANDLE",
    "PUSH HANDLE",
    "SEND PARTNSET",
    "WAITCICS",
    "WAIT EVENT",
    "WAIT EXTERNAL",
    "ADDRESS SET",
];

/// Why a command of the catalogue is not executed here.
pub fn refusal(spec: &CommandSpec) -> Option<String> {
    if NOT_EXECUTABLE.contains(&spec.name) {
        return Some(format!("S {} cannot be executed by the interpreter.", spec.name));
    }
    (!spec.implemented).then(|| format!("S {} is not available in this release.", spec.name))
}

/// The value of an option after the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    Bytes(Vec<u8>),
}

pub struct Done {
    pub response: Response,
    pub results: Vec<(OptionId, Value)>,
}

/// An area of the command.
struct Buffer {
    option: OptionId,
    storage: OwnedArea,
    length: usize,
    receives: bool,
}

struct Builder<'a> {
    call: Call,
    buffers: Vec<Buffer>,
    numbers: Vec<OptionId>,
    variables: &'a Variables,
    /// Length of an INTO area that was not named.
    receiver_length: usize,
}

pub fn execute(task: &mut Task, parsed: &Parsed, variables: &mut Variables) -> Result<Done, Raised> {
    let Some(spec) = parsed.command else { return Err(Raised::Leave) };
    let mut builder =
        Builder { call: Call::new(spec.id), buffers: Vec::new(), numbers: Vec::new(), variables, receiver_length: RECEIVER_LENGTH };
    builder.receiver_length = builder.fixed_length(task, parsed)?.unwrap_or(RECEIVER_LENGTH);
    let into_length = parsed.given.iter().find(|given| given.option.id == option::LENGTH).and_then(|given| builder.number(task, given));
    for given in &parsed.given {
        builder.add(task, given, into_length);
    }
    builder.supply(task, spec, parsed);
    let response = builder.call.execute(task)?;
    // The first READ opens the file, and only then the length of its records is known.
    let may_repeat = spec.id == command::READ && parsed.given(option::UPDATE).is_none() && builder.receiver_length == RECEIVER_LENGTH;
    if response.condition == condition::LENGERR
        && may_repeat
        && builder.fixed_length(task, parsed)?.is_some_and(|length| length != RECEIVER_LENGTH)
    {
        return execute(task, parsed, variables);
    }
    let mut results = Vec::new();
    for id in &builder.numbers {
        results.extend(builder.call.result(*id).map(|number| (*id, Value::Number(number))));
    }
    let length = [option::LENGTH, option::FLENGTH, option::TOLENGTH, option::TOFLENGTH].into_iter().find_map(|id| builder.call.result(id));
    for buffer in builder.buffers.iter().filter(|buffer| buffer.receives) {
        let mut bytes = buffer.storage.area().truncated(buffer.length).read().unwrap_or_default();
        if buffer.option == option::INTO {
            bytes.truncate(length.map_or(buffer.length, |length| length.max(0) as usize));
        }
        results.push((buffer.option, Value::Bytes(bytes)));
    }
    for given in &parsed.given {
        let Some(name) = given.value.as_deref().and_then(|value| value.strip_prefix('&')) else { continue };
        if !given.option.direction.is_output() {
            continue;
        }
        match results.iter().find(|(id, _)| *id == given.option.id) {
            Some((_, Value::Bytes(bytes))) => variables.set(name, bytes.clone()),
            Some((_, Value::Number(number))) => variables.set(name, task.region.code_page.encode(&number.to_string())),
            None => {}
        }
    }
    Ok(Done { response, results })
}

/// What was typed as a number: digits, a variable's digits, or the name of a CVDA where the option takes one.
fn number(task: &Task, variables: &Variables, given: &Given) -> Option<i64> {
    let typed = given.value.as_deref()?.trim().trim_matches('\'');
    let text = match typed.strip_prefix('&') {
        Some(name) => task.region.code_page.text(variables.get(name)?),
        None => typed.to_string(),
    };
    let text = text.trim();
    let cvda = || (given.option.kind == ArgumentKind::Cvda).then(|| cvda::value_of(&text.to_ascii_uppercase())).flatten();
    text.trim_start_matches('+').parse().ok().or_else(cvda)
}

/// The variable an option names, if there is none of that name.
fn undefined(given: &Given, variables: &Variables) -> Option<String> {
    let name = given.value.as_deref()?.trim().strip_prefix('&')?.to_ascii_uppercase();
    variables.get(&name).is_none().then_some(name)
}

/// A message for each variable that does not exist, of options that take a value from it. The variable of a receiver comes into being.
pub fn undefined_variables(parsed: &Parsed, variables: &Variables) -> Vec<String> {
    let is_read = |given: &&Given| match given.option.direction {
        Direction::In => true,
        Direction::InOut => !given.option.numeric.is_number(),
        _ => false,
    };
    let named = parsed.given.iter().filter(is_read).filter_map(|given| Some((given.option.name, undefined(given, variables)?)));
    named.map(|(option, name)| format!("S Option {option} has an invalid value: &{name} is not defined.")).collect()
}

/// A message for each number of the command that is none. What a receiver holds before the command is of no account.
pub fn invalid_numbers(task: &Task, parsed: &Parsed, variables: &Variables) -> Vec<String> {
    let is_typed = |given: &&Given| given.value.as_deref().is_some_and(|value| !value.trim().is_empty());
    let is_read = |given: &&Given| match given.option.direction {
        Direction::In => true,
        Direction::InOut => given.value.as_deref().is_some_and(|value| !value.starts_with('&')),
        _ => false,
    };
    let numbers = parsed.given.iter().filter(|given| given.option.numeric.is_number() && given.option.kind != ArgumentKind::Label);
    let invalid = numbers.filter(is_typed).filter(is_read).filter(|given| undefined(given, variables).is_none());
    let invalid = invalid.filter(|given| number(task, variables, given).is_none());
    invalid.map(|given| format!("S Option {} has an invalid value: '{}' is not a number.", given.option.name, shortened(given))).collect()
}

/// The value of an option, cut to what a line of messages has room for.
fn shortened(given: &Given) -> String {
    given.value.as_deref().unwrap_or_default().trim().trim_matches('\'').chars().take(16).collect()
}

impl Builder<'_> {
    fn add(&mut self, task: &Task, given: &Given, into_length: Option<i64>) {
        let option = given.option;
        if option.argument == ArgumentRule::None || option.argument == ArgumentRule::Optional && given.value.is_none() {
            self.call.flag(option.id);
        } else if option.numeric.is_number() {
            let number = self.number(task, given).unwrap_or(0);
            self.call.integer(option.id, number);
            self.numbers.push(option.id);
        } else {
            let bytes = self.bytes(task, given);
            let length = match (option.length, &bytes) {
                (0, Some(bytes)) if option.direction == Direction::In => bytes.len(),
                (0, bytes) => {
                    let own = bytes.as_ref().map_or(0, Vec::len);
                    let wanted =
                        into_length.filter(|_| option.id == option::INTO).map_or(self.receiver_length, |length| length.max(0) as usize);
                    if option.direction == Direction::Out { wanted.max(own) } else { own.max(1) }
                }
                (fixed, _) => usize::from(fixed),
            };
            self.area(task, option, bytes.unwrap_or_default(), length);
        }
    }

    fn area(&mut self, task: &Task, option: &OptionSpec, bytes: Vec<u8>, length: usize) {
        let length = length.min(STORAGE_LENGTH);
        let storage = OwnedArea::new(&bytes, length.max(bytes.len()) + AREA_LENGTH, task.region.code_page.space());
        self.call.area(option.id, storage.area().address, length);
        self.buffers.push(Buffer { option: option.id, storage, length, receives: option.direction.is_output() });
    }

    fn number(&self, task: &Task, given: &Given) -> Option<i64> {
        number(task, self.variables, given)
    }

    /// Input as data: a variable, `'...'`, `X'...'`, or the characters themselves.
    fn bytes(&self, task: &Task, given: &Given) -> Option<Vec<u8>> {
        let typed = given.value.as_deref()?;
        if let Some(name) = typed.strip_prefix('&') {
            return self.variables.get(name).map(<[u8]>::to_vec);
        }
        let hexadecimal = typed.strip_prefix("X'").or_else(|| typed.strip_prefix("x'")).and_then(|rest| rest.strip_suffix('\''));
        if let Some(bytes) = hexadecimal.and_then(from_hexadecimal) {
            return Some(bytes);
        }
        let inner = typed.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(typed);
        Some(task.region.code_page.encode(&inner.replace("''", "'")))
    }

    /// The length of the records of the file that is read, if all have the same: READ takes no other for them.
    fn fixed_length(&self, task: &mut Task, parsed: &Parsed) -> Result<Option<usize>, Raised> {
        let reads = parsed.command.is_some_and(|spec| [command::READ, command::READNEXT, command::READPREV].contains(&spec.id));
        let Some(file) = parsed.given(option::FILE).filter(|_| reads).and_then(|file| self.bytes(task, file)) else { return Ok(None) };
        let mut inquire = Call::new(command::INQUIRE_FILE);
        inquire.bytes(option::FILE, &file).integer(option::RECORDFORMAT, 0).integer(option::RECORDSIZE, 0);
        let is_known = inquire.execute(task)?.is_normal();
        let is_fixed = is_known && inquire.result(option::RECORDFORMAT) == Some(cvda::FIXED);
        let size = inquire.result(option::RECORDSIZE).filter(|size| is_fixed && *size > 0);
        Ok(size.map(|size| size as usize))
    }

    /// Areas for receivers that were not named: INTO with its length, and all values of an INQUIRE.
    fn supply(&mut self, task: &Task, spec: &'static CommandSpec, parsed: &Parsed) {
        let absent = |id| parsed.given(id).is_none();
        let is_inquiry = spec.words[0] == "INQUIRE" && absent(option::START) && absent(option::END);
        for receiver in spec.options {
            let wanted = match receiver.id {
                option::INTO => absent(option::SET),
                option::LENGTH => {
                    receiver.direction.is_output()
                        && absent(option::FLENGTH)
                        && spec.option(option::INTO).is_some()
                        && !self.has_length(spec)
                }
                _ => is_inquiry && receiver.direction == Direction::Out,
            };
            if !wanted || !absent(receiver.id) {
                continue;
            }
            if receiver.numeric.is_number() {
                let into = self.buffers.iter().find(|buffer| buffer.option == option::INTO);
                let length = into.map_or(self.receiver_length, |buffer| buffer.length);
                self.call.integer(receiver.id, if receiver.id == option::LENGTH { length as i64 } else { 0 });
                self.numbers.push(receiver.id);
            } else {
                let length = match (receiver.id, receiver.length) {
                    (option::INTO, _) => self.receiver_length,
                    (_, 0) => AREA_LENGTH,
                    (_, fixed) => usize::from(fixed),
                };
                self.area(task, receiver, Vec::new(), length);
            }
        }
    }

    /// The LENGTH of RECEIVE MAP has another meaning.
    fn has_length(&self, spec: &CommandSpec) -> bool {
        spec.option(option::LENGTH).is_none_or(|length| !length.direction.is_output())
    }
}

fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_literals() {
        assert_eq!(from_hexadecimal("C1F0"), Some(vec![0xC1, 0xF0]));
        assert_eq!(from_hexadecimal("C"), None);
        assert_eq!(from_hexadecimal("GG"), None);
    }

    #[test]
    fn every_command_that_is_not_executable_exists() {
        for name in NOT_EXECUTABLE {
            assert!(exec::command_by_name(name).is_some() || name == "FREE", "{name}");
        }
    }
}
