//! The trace entries of the EXEC interface: a command with its resource, and its response; at level 2 its arguments with their data.
//!
//! Invariants: data of a program is copied before the entry is written, and an address that cannot be read leaves the data out; the data of a
//! password is always left out.

use crate::control_blocks::raised::Raised;
use crate::control_blocks::target::Target;
use crate::control_blocks::trace_gates::Gate;
use crate::{Outcome, Task, storage_access};
use exec::block::{Argument, Block, Representation};
use exec::{CommandSpec, Direction, condition, eib};
use kernel::trace::{self, Component, Value, points};
use program::rununit::ExecOutcome;
use smallvec::SmallVec;

/// Bytes of an argument that an entry has.
const DATA_BYTES_MAX: usize = 64;
/// Arguments that an entry has: their data fits one entry.
const ARGUMENTS_MAX: usize = 32;
/// Bytes of the resource's name.
const RESOURCE_BYTES_MAX: usize = 16;

const LEVEL_ARGUMENTS: u8 = 2;

/// Before the command.
#[cold]
pub(super) fn entering(task: &Task, spec: &CommandSpec, block: &mut Block) {
    let mut resource = [0; RESOURCE_BYTES_MAX];
    let length = read_resource(spec, storage_access::arguments_of(block), &mut resource);
    let program = task.program_name();
    let values =
        [Value::Text(spec.name), Value::Data(&resource[..length]), Value::Text(program.as_str()), Value::Number(block.line.into())];
    trace::point(&points::EI_ENTRY, &values);
    if trace::is_on(Component::Ei, LEVEL_ARGUMENTS) {
        let arguments = storage_access::arguments_of(block);
        write_arguments(&points::EI_ARGUMENTS_IN, spec, &[Value::Text(spec.name)], arguments, |direction| direction != Direction::Out);
    }
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With the response in the EIB.
    Response,
    /// The program does not get control back: the EIB has the response of an earlier command.
    Left,
    /// By an abend that is not that of a condition, as that of a program linked to.
    Abend,
}

impl Ending {
    pub(super) fn of(outcome: &ExecOutcome, is_condition: bool) -> Ending {
        match outcome {
            ExecOutcome::Leave(_) => Ending::Left,
            ExecOutcome::Abend(_) if !is_condition => Ending::Abend,
            _ => Ending::Response,
        }
    }
}

/// After it.
#[cold]
pub(super) fn leaving(task: &Task, spec: &CommandSpec, block: &mut Block, ending: Ending) {
    let (response, resp2) = match ending {
        Ending::Response => (exec::Condition(task.eib.full(eib::EIBRESP) as u16).name(), task.eib.full(eib::EIBRESP2)),
        Ending::Left => (condition::NORMAL.name(), 0),
        Ending::Abend => ("ABEND", 0),
    };
    trace::point(&points::EI_EXIT, &[Value::Text(spec.name), Value::Text(response), Value::Number(resp2 as u32 as u64)]);
    if trace::is_on(Component::Ei, LEVEL_ARGUMENTS) {
        let arguments = storage_access::arguments_of(block);
        let first = [Value::Text(spec.name), Value::Text(response)];
        write_arguments(&points::EI_ARGUMENTS_OUT, spec, &first, arguments, |direction| {
            matches!(direction, Direction::Out | Direction::InOut)
        });
    }
}

/// A command at the gate of its domain.
#[cold]
#[inline(never)]
pub(super) fn at_gate(gate: &'static Gate, command: &str, target: Option<&Target>, request: impl FnOnce() -> Outcome) -> Outcome {
    // The name of a target is padded with blanks of the program's code page, which a reader drops.
    trace::write(gate.entry, &[Value::Text(command), Value::Data(target.map_or(&[][..], |target| target.bytes()))]);
    let outcome = request();
    let response = match &outcome {
        Ok(()) => "OK",
        Err(Raised::Condition { condition, .. }) => condition.name(),
        Err(Raised::Abend(_)) => "ABEND",
        Err(Raised::Leave | Raised::Goto(_)) => "LEAVE",
    };
    trace::point(gate.exit, &[Value::Text(command), Value::Text(response)]);
    outcome
}

/// The bytes of the name of the resource, as far as they can be read.
fn read_resource(spec: &CommandSpec, arguments: &[Argument], name: &mut [u8; RESOURCE_BYTES_MAX]) -> usize {
    let Some(row) = &spec.resource else { return 0 };
    let given = row.options.iter().find_map(|(option, length)| {
        let argument = arguments.iter().find(|argument| argument.option == *option && argument.representation == Representation::Area)?;
        Some((argument, usize::from(*length)))
    });
    let Some((argument, length)) = given else { return 0 };
    let length = length.min(argument.length as usize).min(name.len());
    match storage_access::read(argument.address as usize, &mut name[..length]) {
        Ok(()) => length,
        Err(_) => 0,
    }
}

fn write_arguments(
    point: &'static trace::Point,
    spec: &CommandSpec,
    first: &[Value<'_>],
    arguments: &[Argument],
    is_wanted: impl Fn(Direction) -> bool,
) {
    let wanted = |argument: &&Argument| spec.option(argument.option).is_none_or(|option| is_wanted(option.direction));
    let wanted: SmallVec<[&Argument; ARGUMENTS_MAX]> = arguments.iter().filter(wanted).take(ARGUMENTS_MAX).collect();
    let mut data = [[0; DATA_BYTES_MAX]; ARGUMENTS_MAX];
    let mut lengths = [0; ARGUMENTS_MAX];
    let has_data = |argument: &Argument| argument.representation == Representation::Area && !exec::is_secret(argument.option);
    for (index, argument) in wanted.iter().enumerate().filter(|(_, argument)| has_data(argument)) {
        let length = (argument.length as usize).min(DATA_BYTES_MAX);
        if storage_access::read(argument.address as usize, &mut data[index][..length]).is_ok() {
            lengths[index] = length;
        }
    }
    let mut values: SmallVec<[Value<'_>; 4 * ARGUMENTS_MAX]> = SmallVec::from_slice(first);
    for (index, argument) in wanted.iter().enumerate() {
        values.push(Value::Text(argument.option.name()));
        match argument.representation {
            Representation::Flag => (),
            Representation::Integer | Representation::Label => values.push(Value::Number(argument.value as u64)),
            Representation::Area => {
                values.extend([
                    Value::Address(argument.address as usize),
                    Value::Number(argument.length.into()),
                    Value::Data(&data[index][..lengths[index]]),
                ]);
            }
        }
    }
    trace::point(point, &values);
}
