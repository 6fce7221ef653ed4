//! The exit points at the gates of the domains: XFCFRIN and XFCFROUT, XTSQRIN and XTSQROUT, XTDREQ, XTDIN and XTDOUT, XICREQ.
//!
//! The region's domains have one gate for the requests of programs, so the points are called right around the command, inside the request
//! exits ("If all the temporary storage exits are enabled, the order of invocation is XTSEREQ, XTSQRIN, XTSQROUT, XTSEREQC").

use super::TaskState;
use super::parameter_list::{keep_area, take_area};
use crate::control_blocks::packed::pack;
use crate::exec_interface::gate::function_code;
use crate::storage_access::{self, Area};
use crate::{Arguments, ExitArgument, Outcome, Raised, Task};
use exec::block::{Argument, Block, Representation};
use exec::{CommandId, CommandSpec, Condition, ExitPoint, OptionId, command, condition, exit_constant, exit_point, option};

/// The domain whose gate a command passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gate {
    Files,
    TemporaryStorage,
    TransientData,
    IntervalControl,
}

const FILES: [CommandId; 10] = [
    command::READ,
    command::WRITE,
    command::REWRITE,
    command::DELETE,
    command::UNLOCK,
    command::STARTBR,
    command::READNEXT,
    command::READPREV,
    command::ENDBR,
    command::RESETBR,
];
const TEMPORARY_STORAGE: [CommandId; 3] = [command::WRITEQ_TS, command::READQ_TS, command::DELETEQ_TS];
const TRANSIENT_DATA: [CommandId; 3] = [command::WRITEQ_TD, command::READQ_TD, command::DELETEQ_TD];
const INTERVAL_CONTROL: [CommandId; 6] =
    [command::ASKTIME, command::DELAY, command::POST, command::START, command::RETRIEVE, command::CANCEL];

/// The points of the gates.
const POINTS: [ExitPoint; 8] = [
    exit_point::XFCFRIN,
    exit_point::XFCFROUT,
    exit_point::XTSQRIN,
    exit_point::XTSQROUT,
    exit_point::XTDREQ,
    exit_point::XTDIN,
    exit_point::XTDOUT,
    exit_point::XICREQ,
];

impl Gate {
    fn of(spec: &CommandSpec) -> Option<Gate> {
        let gates = [
            (Gate::Files, &FILES[..]),
            (Gate::TemporaryStorage, &TEMPORARY_STORAGE),
            (Gate::TransientData, &TRANSIENT_DATA),
            (Gate::IntervalControl, &INTERVAL_CONTROL),
        ];
        gates.into_iter().find(|(_, commands)| commands.contains(&spec.id)).map(|(gate, _)| gate)
    }
}

pub fn has(point: ExitPoint) -> bool {
    POINTS.contains(&point)
}

/// Before the domain gets the request; an outcome takes its place.
pub fn before(task: &mut Task, block: &mut Block, spec: &CommandSpec) -> Result<Option<Outcome>, Raised> {
    if !POINTS.iter().any(|point| task.has_exit(*point)) {
        return Ok(None);
    }
    match Gate::of(spec) {
        Some(Gate::Files) if task.has_exit(exit_point::XFCFRIN) => file_request(task, block, spec),
        Some(Gate::TemporaryStorage) if task.has_exit(exit_point::XTSQRIN) => {
            let arguments = &mut queue_arguments(task, &given(block), spec, exit_point::XTSQRIN, &Ok(()));
            task.call_exit(exit_point::XTSQRIN, arguments).map(|_| None)
        }
        Some(Gate::TransientData) => transient_data_request(task, block, spec),
        Some(Gate::IntervalControl) if task.has_exit(exit_point::XICREQ) => interval_request(task, block, spec).map(|()| None),
        _ => Ok(None),
    }
}

/// The domain has processed the request, or an exit program has in its place.
pub fn after(task: &mut Task, block: &mut Block, spec: &CommandSpec, outcome: &Outcome) -> Result<(), Raised> {
    if matches!(outcome, Err(raised) if !matches!(raised, Raised::Condition { .. })) {
        return Ok(());
    }
    match Gate::of(spec) {
        Some(Gate::Files) if task.has_exit(exit_point::XFCFROUT) => {
            let arguments = &mut file_arguments(task, &given(block), spec, exit_point::XFCFROUT, outcome);
            task.call_exit(exit_point::XFCFROUT, arguments).map(|_| ())
        }
        Some(Gate::TemporaryStorage) if task.has_exit(exit_point::XTSQROUT) => {
            let arguments = &mut queue_arguments(task, &given(block), spec, exit_point::XTSQROUT, outcome);
            task.call_exit(exit_point::XTSQROUT, arguments).map(|_| ())
        }
        Some(Gate::TransientData) if spec.id == command::READQ_TD && outcome.is_ok() && task.has_exit(exit_point::XTDIN) => {
            transient_data_read(task, block)
        }
        _ => Ok(()),
    }
}

fn given(block: &mut Block) -> Vec<Argument> {
    storage_access::arguments_of(block).to_vec()
}

fn find(given: &[Argument], option: OptionId) -> Option<Argument> {
    given.iter().find(|argument| argument.option == option).copied()
}

fn find_mut(block: &mut Block, option: OptionId) -> Option<&mut Argument> {
    storage_access::arguments_of(block).iter_mut().find(|argument| argument.option == option)
}

/// The name in an option, blank padded.
fn name(task: &Task, given: &[Argument], options: &[OptionId], length: usize) -> ExitArgument {
    let mut bytes = vec![task.region.code_page.space(); length];
    if let Some(argument) = options.iter().find_map(|option| find(given, *option)) {
        let given = Area::new(argument.address as usize, (argument.length as usize).min(length)).read().unwrap_or_default();
        bytes[..given.len()].copy_from_slice(&given);
    }
    ExitArgument::Bytes(bytes)
}

fn fullword(value: i64) -> ExitArgument {
    ExitArgument::bytes(&(value as i32).to_be_bytes())
}

fn byte(constant: &str) -> ExitArgument {
    ExitArgument::bytes(&[exit_constant(constant) as u8])
}

/// The data of a command: where they are, and the length that the program says.
fn data(given: &[Argument], options: &[OptionId]) -> Option<Area> {
    let argument = options.iter().find_map(|option| find(given, *option))?;
    let length = [option::LENGTH, option::FLENGTH].iter().find_map(|option| find(given, *option)).map(|length| length.value);
    let length = length.map_or(argument.length as usize, |length| usize::try_from(length).unwrap_or(0));
    Some(Area::new(argument.address as usize, length))
}

/// A byte for OK or an exception, from the constants of a domain.
fn response(prefix: &str, outcome: &Outcome) -> ExitArgument {
    byte(&format!("{prefix}_RESPONSE_{}", if outcome.is_ok() { "OK" } else { "EXCEPTION" }))
}

fn queue_arguments(task: &Task, given: &[Argument], spec: &CommandSpec, point: ExitPoint, outcome: &Outcome) -> Vec<ExitArgument> {
    let has = |option| find(given, option).is_some();
    let function = match spec.id {
        command::DELETEQ_TS => "UEP_TS_FUN_DELETE",
        command::WRITEQ_TS if has(option::REWRITE) => "UEP_TS_FUN_REWRITE",
        command::WRITEQ_TS => "UEP_TS_FUN_WRITE",
        _ => match (has(option::ITEM), has(option::SET)) {
            (true, false) => "UEP_TS_FUN_READ_INTO",
            (true, true) => "UEP_TS_FUN_READ_SET",
            (false, false) => "UEP_TS_FUN_READ_NEXT_INTO",
            (false, true) => "UEP_TS_FUN_READ_NEXT_SET",
        },
    };
    let area = data(given, &[option::FROM, option::INTO]);
    task.exit_arguments(point, |name_of| {
        Some(match name_of {
            "UEP_TS_FUNCTION" => byte(function),
            "UEP_TS_QUEUE_NAME" => name(task, given, &[option::QUEUE, option::QNAME], 16),
            "UEP_TS_DATA_P" => area.map_or(ExitArgument::Absent, |area| fullword(area.address as i64)),
            "UEP_TS_DATA_L" => area.map_or(ExitArgument::Absent, |area| fullword(area.length as i64)),
            "UEP_TS_ITEM_NUMBER" => find(given, option::ITEM).map_or(ExitArgument::Absent, |item| fullword(item.value)),
            "UEP_TS_STORAGE_TYPE" => byte(if has(option::MAIN) { "UEP_TS_STORAGE_TYPE_MAIN" } else { "UEP_TS_STORAGE_TYPE_AUX_TST" }),
            "UEP_TS_RESPONSE" => response("UEP_TS", outcome),
            _ => return None,
        })
    })
}

fn file_function(given: &[Argument], spec: &CommandSpec) -> String {
    let has = |option| find(given, option).is_some();
    let into = if has(option::SET) { "SET" } else { "INTO" };
    let update = if has(option::UPDATE) { "UPDATE_" } else { "" };
    let function = match spec.id {
        command::READ => format!("READ_{update}{into}"),
        command::READNEXT => format!("READ_NEXT_{update}{into}"),
        command::READPREV => format!("READ_PREVIOUS_{update}{into}"),
        command::WRITE => "WRITE".to_string(),
        command::REWRITE => "REWRITE".to_string(),
        command::DELETE if has(option::RIDFLD) => "DELETE".to_string(),
        command::DELETE => "REWRITE_DELETE".to_string(),
        command::UNLOCK => "UNLOCK".to_string(),
        command::STARTBR => "START_BROWSE".to_string(),
        command::RESETBR => "RESET_BROWSE".to_string(),
        _ => "END_BROWSE".to_string(),
    };
    format!("UEP_FC_FUN_{function}")
}

fn file_arguments(task: &mut Task, given: &[Argument], spec: &CommandSpec, point: ExitPoint, outcome: &Outcome) -> Vec<ExitArgument> {
    let function = file_function(given, spec);
    let token = *TaskState::of_mut(&mut task.parts).token("file control");
    let (buffer, record) = (data(given, &[option::INTO]), data(given, &[option::FROM]));
    let address = |area: Option<Area>| area.map_or(ExitArgument::Absent, |area| fullword(area.address as i64));
    let length = |area: Option<Area>| area.map_or(ExitArgument::Absent, |area| fullword(area.length as i64));
    let reason = match outcome {
        Err(Raised::Condition { condition, .. }) => condition.0,
        _ => 0,
    };
    task.exit_arguments(point, |name_of| {
        Some(match name_of {
            "UEP_FC_FUNCTION" => byte(&function),
            "UEPTSTOK" => ExitArgument::bytes(&token),
            "UEP_FC_FILE_NAME" => name(task, given, &[option::FILE], 8),
            "UEP_FC_BUFFER_P" => address(buffer),
            "UEP_FC_BUFFER_L" => length(buffer),
            "UEP_FC_RECORD_P" => address(record),
            "UEP_FC_RECORD_L" => length(record.or(buffer.filter(|_| point == exit_point::XFCFROUT))),
            "UEP_FC_RECORD_ID_P" => find(given, option::RIDFLD).map_or(ExitArgument::Absent, |key| fullword(key.address as i64)),
            "UEP_FC_RESPONSE" => response("UEP_FC", outcome),
            "UEP_FC_REASON" => ExitArgument::bytes(&reason.to_be_bytes()),
            _ => return None,
        })
    })
}

/// XFCFRIN. An exit program that bypasses file control answers in UEP_FC_RESPONSE and UEP_FC_REASON, and in the length of the record it gives.
fn file_request(task: &mut Task, block: &mut Block, spec: &CommandSpec) -> Result<Option<Outcome>, Raised> {
    let point = exit_point::XFCFRIN;
    let mut arguments = file_arguments(task, &given(block), spec, point, &Ok(()));
    let code = task.call_exit(point, &mut arguments)?;
    let left = |name: &str| point.spec().parameter(name).map_or(&[][..], |at| arguments[at].get());
    let token = left("UEPTSTOK").try_into().unwrap_or_default();
    *TaskState::of_mut(&mut task.parts).token("file control") = token;
    if !code.is("UERCBYP") {
        return Ok(None);
    }
    if left("UEP_FC_RESPONSE") == [exit_constant("UEP_FC_RESPONSE_OK") as u8] {
        return Ok(Some(Ok(())));
    }
    let reason = left("UEP_FC_REASON").try_into().map_or(0, u16::from_be_bytes);
    let condition = if reason == 0 { condition::ERROR } else { Condition(reason) };
    Ok(Some(Err(Raised::Condition { condition, resp2: 0, access: [0; 2], lengths: [0; 2] })))
}

/// XTDREQ, and XTDOUT for a record that is to be written.
fn transient_data_request(task: &mut Task, block: &mut Block, spec: &CommandSpec) -> Result<Option<Outcome>, Raised> {
    let given = given(block);
    let queue = name(task, &given, &[option::QUEUE], 4);
    if task.has_exit(exit_point::XTDREQ) {
        let kind = match spec.id {
            command::WRITEQ_TD => "UEPTDPUT",
            command::READQ_TD => "UEPTDGET",
            _ => "UEPTDPUR",
        };
        let code = task.call_exit(exit_point::XTDREQ, &mut [queue.clone(), byte(kind)])?;
        if code.is("UERCTDOK") {
            return Ok(Some(Ok(())));
        }
        if code.is("UERCTDNA") {
            let refused = Raised::Condition { condition: condition::NOTAUTH, resp2: 0, access: [0; 2], lengths: [0; 2] };
            return Ok(Some(Err(refused)));
        }
    }
    if spec.id != command::WRITEQ_TD || !task.has_exit(exit_point::XTDOUT) {
        return Ok(None);
    }
    let Some(area) = data(&given, &[option::FROM]) else { return Ok(None) };
    let mut arguments = vec![queue];
    arguments.extend(record(area));
    arguments.extend([fullword(1), fullword(1)]);
    let code = task.call_exit(exit_point::XTDOUT, &mut arguments)?;
    if code.is("UERCTDOK") {
        return Ok(Some(Ok(())));
    }
    if let Some(modified) = modified(&arguments[1..]) {
        set_data(block, option::FROM, modified);
    }
    Ok(None)
}

/// UEPTDAUD, UEPTDLUD, UEPTDAMD and UEPTDLMD of a record.
fn record(area: Area) -> [ExitArgument; 4] {
    [ExitArgument::Address(area.address), fullword(area.length as i64), ExitArgument::Returned(0), fullword(0)]
}

/// The record that the exit program has put in the place of the other.
fn modified(record: &[ExitArgument]) -> Option<Area> {
    let ExitArgument::Returned(address) = record[2] else { return None };
    let length = record[3].get().try_into().map_or(0, i32::from_be_bytes);
    (address != 0 && length > 0).then(|| Area::new(address, length as usize))
}

fn set_data(block: &mut Block, option: OptionId, area: Area) {
    if let Some(argument) = find_mut(block, option) {
        (argument.address, argument.length) = (area.address as u64, area.length as u32);
    }
    if let Some(length) = find_mut(block, option::LENGTH) {
        length.value = area.length as i64;
    }
}

/// XTDIN: the exit program may put other data in place of those that were read.
fn transient_data_read(task: &mut Task, block: &mut Block) -> Result<(), Raised> {
    let given = given(block);
    let Some(area) = data(&given, &[option::INTO]) else { return Ok(()) };
    let mut arguments = vec![name(task, &given, &[option::QUEUE], 4)];
    arguments.extend(record(area));
    task.call_exit(exit_point::XTDIN, &mut arguments)?;
    let Some(modified) = modified(&arguments[1..]) else { return Ok(()) };
    let Some(into) = find(&given, option::INTO) else { return Ok(()) };
    let bytes = modified.truncated(into.length as usize).read()?;
    storage_access::write(into.address as usize, &bytes)?;
    if let Some(length) = find_mut(block, option::LENGTH) {
        length.value = bytes.len() as i64;
        length.flags |= Argument::SET;
    }
    Ok(())
}

/// The options of interval control whose values XICREQ may change, with the lengths of the names.
const INTERVAL_NAMES: [(OptionId, usize); 3] = [(option::REQID, 8), (option::TERMID, 4), (option::TRANSID, 4)];

/// XICREQ: the names and the time of the request.
fn interval_request(task: &mut Task, block: &mut Block, spec: &CommandSpec) -> Result<(), Raised> {
    let given = given(block);
    let [group, function] = function_code(spec, &Arguments::new(block, &task.region.code_page)).to_be_bytes();
    let time = [option::INTERVAL, option::TIME].into_iter().find(|option| find(&given, *option).is_some());
    let mut packed = [0; 4];
    if let Some(value) = time.and_then(|option| find(&given, option)) {
        pack(&mut packed, value.value.unsigned_abs());
    }
    let mut arguments: Vec<ExitArgument> = INTERVAL_NAMES.iter().map(|(option, length)| name(task, &given, &[*option], *length)).collect();
    arguments.extend([ExitArgument::bytes(&[function]), ExitArgument::bytes(&[group]), ExitArgument::bytes(&packed)]);
    let before_call = arguments.clone();
    task.call_exit(exit_point::XICREQ, &mut arguments)?;
    let changed: Vec<usize> = (0..INTERVAL_NAMES.len()).filter(|at| arguments[*at] != before_call[*at]).collect();
    if !changed.is_empty() {
        // Until the next command of this depth: the command reads its names when it is carried out.
        let area = take_area(task, INTERVAL_NAMES.iter().map(|(_, length)| length).sum())?;
        let mut next = area.0;
        for at in changed {
            let (option, length) = INTERVAL_NAMES[at];
            storage_access::write(next, arguments[at].get())?;
            if let Some(argument) = find_mut(block, option).filter(|argument| argument.representation == Representation::Area) {
                (argument.address, argument.length) = (next as u64, length as u32);
            }
            next += length;
        }
        let before = TaskState::of_mut(&mut task.parts).names.replace(area);
        before.into_iter().for_each(|area| keep_area(task, area));
    }
    let left = arguments[arguments.len() - 1].get();
    if left != packed
        && let Some(value) = super::command_list::time_of(left.try_into().unwrap_or_default())
        && let Some(argument) = time.and_then(|option| find_mut(block, option))
    {
        argument.value = value;
    }
    Ok(())
}
