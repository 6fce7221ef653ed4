//! The call of a task-related user exit.
//!
//! | call | TCB of an exit with OPENAPI ("Obligations of OPENAPI task-related user exits") |
//! | --- | --- |
//! | application, syncpoint manager, end of task | L8 |
//! | start of task, termination | QR |
//! | INQUIRE EXITPROGRAM | that of the task |

use super::constants::{byte, flag, function};
use super::{Tie, count};
use crate::change_mode::{self, Home};
use crate::control_blocks::exit_structure::ExitRecord;
use crate::recovery_manager::network_name;
use crate::storage_access;
use crate::user_exits::TaskState;
use crate::user_exits::call::{RETURN_CODE, Returns, home, run_program, standard};
use crate::user_exits::parameter_list::{List, keep_area};
use crate::user_exits::resource_manager_exits;
use crate::user_exits::table::{Exit, Switch};
use crate::{Abend, ExitArgument, ExitCode, Raised, Task};
use exec::{ExitParameter, STANDARD_EXIT_PARAMETERS, exit_point, exit_structure, task_related_parameters};
use kernel::storage::{Getmain, Key, Line};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Bits of the first byte of UEPTIND.
const STORAGE_ABOVE: u8 = 0x80;
const STORAGE_CICS_KEY: u8 = 0x40;
/// UEPCALAM: a caller in 31-bit addressing mode.
const CALLER_AMODE_31: u8 = 0x80;
/// The place of UEPHMSA in the list.
const SAVE_AREA: usize = 7;

/// What an exit program is called for.
pub struct Call {
    /// UERTFID.
    pub function: u8,
    /// The parameter list of the caller; after the call its copies have what the exit program left there.
    pub list: Vec<ExitArgument>,
    /// The unit of work, if it is not the task's.
    pub unit: Option<u64>,
    /// A structure in place of the list; after the call it is as the exit program left it.
    pub structure: Option<Vec<u8>>,
}

impl Call {
    /// A call with a list, for the unit of work of the task.
    pub fn new(function: u8, list: Vec<ExitArgument>) -> Call {
        Call { function, list, unit: None, structure: None }
    }
}

/// What an exit program answers.
pub struct Called {
    /// Its return code.
    pub code: i32,
    /// The response for the caller, in register 15 of its save area.
    pub response: i32,
}

/// The place of a parameter behind the standard ones.
fn place(name: &str) -> usize {
    let at = task_related_parameters().iter().position(|parameter: &&ExitParameter| parameter.name == name);
    STANDARD_EXIT_PARAMETERS + at.expect("a parameter of the table")
}

/// Calls the exit program. An abend of it is the caller's.
pub fn invoke(task: &mut Task, exit: &Arc<Exit>, call: &mut Call) -> Result<Called, Raised> {
    associate(task, exit)?;
    let program = match task.ready_program(exit.key.program) {
        Ok(program) => program,
        Err(fault) => {
            let why = format!("the program {} of a task-related user exit cannot be used: {}", exit.key.program, fault.text());
            return Err(Raised::Abend(Box::new(Abend::new("AEY9").because(why))));
        }
    };
    let home = match call.function {
        id if id == function::programming_interface() => Home::Any,
        id if id == function::termination() || is_start_of_task(call) => Home::Qr,
        _ => home(task, exit, &program),
    };
    let is_request = call.function == function::application();
    let returns = if is_request { Returns::AsItEnded } else { Returns::ToMode };
    // The list of the caller ends with a zero address.
    let end = ExitArgument::Absent;
    let structure = call.structure.take().map(ExitArgument::Bytes);
    let theirs = match &structure {
        Some(structure) => List::write(task, &[structure])?,
        None => List::write(task, &call.list.iter().chain([&end]).collect::<Vec<_>>())?,
    };
    let theirs_at = if structure.is_some() { theirs.place(0) } else { theirs.area.0 };
    if is_request {
        resource_manager_exits::call(task, exit_point::XRMIIN, exit.key.entry, Some(theirs.area.0));
    }
    let list = write_list(task, exit, call, theirs_at, home)?;
    exit.uses.fetch_add(1, Ordering::Relaxed);
    let purgeable = task.kernel.set_waits_purgeable(exit.is_on(Switch::Purgeable));
    let ended = run_program(task, program, list.as_area(), home, returns);
    task.kernel.set_waits_purgeable(purgeable);
    if is_request {
        resource_manager_exits::call(task, exit_point::XRMIOUT, exit.key.entry, Some(theirs.area.0));
    }
    let called = ended.map_err(Raised::Abend).and_then(|code| {
        match structure {
            Some(structure) => {
                let mut left = [structure];
                theirs.read_back(0, &mut left)?;
                call.structure = Some(left[0].get().to_vec());
            }
            None => theirs.read_back(0, &mut call.list)?,
        }
        read_list(task, exit, &list, code)
    });
    keep_area(task, list.area);
    keep_area(task, theirs.area);
    called
}

fn is_start_of_task(call: &Call) -> bool {
    call.function == function::task_manager() && call.list.first().is_some_and(|reason| reason.get() == [byte::start_of_task()])
}

/// Makes the association of the task and the exit, if this is the first call.
fn associate(task: &mut Task, exit: &Arc<Exit>) -> Result<(), Raised> {
    let unit = task.recovery.identity.id();
    let space = task.region.code_page.space();
    if let Some(tie) = TaskState::of_mut(&mut task.parts).tie(exit) {
        if tie.unit != unit {
            (tie.unit, tie.synchronization, tie.has_changed) = (unit, 0, false);
            tie.flags &= !flag::syncpoint();
        }
        return Ok(());
    }
    let work_area = match exit.local_length {
        0 => 0,
        length => task.getmain(Getmain { length, line: Line::Below2G, key: Key::Cics, initial: Some(0) }, false)?,
    };
    let mut flags = flag::application();
    let switches = [
        (Switch::TaskStart, flag::task_manager()),
        (Switch::Shutdown, flag::termination()),
        (Switch::ProgrammingInterface, flag::programming_interface()),
        (Switch::FormatEdf, flag::edf()),
    ];
    switches.iter().filter(|(switch, _)| exit.is_on(*switch)).for_each(|(_, bit)| flags |= bit);
    let tie = Tie { exit: exit.clone(), flags, synchronization: 0, unit, has_changed: false, qualifier: [space; 8], work_area };
    TaskState::of_mut(&mut task.parts).ties.push(tie);
    Ok(())
}

/// The parameter list of the exit program, with the caller's list behind the save area.
fn write_list(task: &mut Task, exit: &Arc<Exit>, call: &Call, theirs: usize, home: Home) -> Result<List, Raised> {
    let definition = [0, call.function];
    let mut values = standard(task, exit, &definition, ExitCode::NORMAL);
    let page = &task.region.code_page;
    let save_area = ExitRecord::new("DFHUEHSA", page).number("HSA_R1", theirs as u64).into_bytes();
    values[SAVE_AREA] = ExitArgument::Bytes(save_area);
    let mode = change_mode::program_mode(home, task.kernel.mode()).unwrap_or(task.kernel.mode());
    let mut indicators = vec![0];
    indicators[0] |= if task.data_line() == Line::Below2G { STORAGE_ABOVE } else { 0 };
    indicators[0] |= if task.data_key() == Key::Cics { STORAGE_CICS_KEY } else { 0 };
    indicators.extend(page.encode(mode.name()));
    let unit = call.unit.unwrap_or_else(|| task.recovery.identity.id());
    let network = network_name(task.region, unit);
    let eib = task.eib.address() as usize;
    let tie = TaskState::of_mut(&mut task.parts).tie(exit).expect("the task and the exit are associated");
    for parameter in task_related_parameters() {
        values.push(match parameter.name {
            "UEPTAA" if tie.work_area == 0 => ExitArgument::Absent,
            "UEPTAA" => ExitArgument::Address(tie.work_area),
            "UEPTAL" => ExitArgument::bytes(&(exit.local_length as u16).to_be_bytes()),
            "UEPEIB" => ExitArgument::Address(eib),
            "UEPURID" => ExitArgument::bytes(&unit.to_be_bytes()),
            "UEPFLAGS" => ExitArgument::bytes(&tie.flags.to_be_bytes()),
            "UEPUOWDS" => ExitArgument::bytes(&network),
            "UEPRMQUA" => ExitArgument::bytes(&tie.qualifier),
            "UEPCALAM" => ExitArgument::bytes(&[CALLER_AMODE_31]),
            "UEPSYNCA" => ExitArgument::bytes(&[tie.synchronization]),
            "UEPTIND" => ExitArgument::bytes(&indicators),
            "UEPSECFLG" | "UEPPBTOK" => ExitArgument::Bytes(vec![0; parameter.length.unwrap_or(0)]),
            _ => ExitArgument::Absent,
        });
    }
    List::write(task, &values.iter().collect::<Vec<_>>())
}

/// Takes what the exit program has left in its list.
fn read_list(task: &mut Task, exit: &Arc<Exit>, list: &List, code: i32) -> Result<Called, Raised> {
    fn at<const BYTES: usize>(list: &List, place: usize, offset: usize) -> Result<[u8; BYTES], Raised> {
        let mut bytes = [0; BYTES];
        storage_access::read(list.place(place) + offset, &mut bytes)?;
        Ok(bytes)
    }
    let flags = u32::from_be_bytes(at(list, place("UEPFLAGS"), 0)?);
    let [synchronization] = at(list, place("UEPSYNCA"), 0)?;
    let qualifier = at(list, place("UEPRMQUA"), 0)?;
    let register_15 = exit_structure("DFHUEHSA").field("HSA_R15").offset;
    let response = i32::from_be_bytes(at(list, SAVE_AREA, register_15)?);
    let stored = i32::from(i16::from_be_bytes(at(list, RETURN_CODE, 0)?));
    let tie = TaskState::of_mut(&mut task.parts).tie(exit).expect("the association lasts as long as the task");
    (tie.flags, tie.synchronization, tie.qualifier) = (flags, synchronization, qualifier);
    if flags & flag::syncpoint() != 0 && synchronization & byte::read_only() == 0 {
        tie.has_changed = true;
    }
    Ok(Called { code: if code == 0 { stored } else { code }, response })
}

/// Calls an exit program for the region, whose abend ends nothing: it is reported, and there is no answer.
pub fn invoke_for_region(task: &mut Task, exit: &Arc<Exit>, call: &mut Call) -> Option<Called> {
    let begun = Instant::now();
    let ended = invoke(task, exit, call);
    count(task, begun);
    match ended {
        Ok(called) => Some(called),
        Err(raised) => {
            let (code, cause) = match &raised {
                Raised::Abend(abend) => (abend.code_text(), crate::dump::cause::line(abend)),
                _ => ("ASRA".to_string(), String::new()),
            };
            let values = [("abcode", code.as_str()), ("program", exit.key.program.as_str()), ("cause", cause.as_str())];
            task.region.messages.send("DFHAP0702", &values);
            None
        }
    }
}

/// INQUIRE EXITPROGRAM with CONNECTST or QUALIFIER: whether the exit is connected to its resource manager, and the qualifier. `None`: it is not
/// called by this command.
pub fn connection(task: &mut Task, exit: &Arc<Exit>) -> Option<(bool, Vec<u8>)> {
    let scheduled = |tie: &mut Tie| tie.flags & flag::programming_interface() != 0;
    let is_called = TaskState::of_mut(&mut task.parts).tie(exit).map_or(exit.is_on(Switch::ProgrammingInterface), scheduled);
    if !is_called || !exit.is_started() {
        return None;
    }
    let space = task.region.code_page.space();
    let list = vec![ExitArgument::bytes(&[0]), ExitArgument::bytes(&[space; 8])];
    let mut call = Call::new(function::programming_interface(), list);
    invoke_for_region(task, exit, &mut call)?;
    let is_connected = call.list[0].get() == [byte::connected()];
    Some((is_connected, call.list[1].get().to_vec()))
}
