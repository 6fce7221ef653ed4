//! ASSIGN: information about the task, its terminal and the region.
//!
//! Every requested option is set; an option that has no meaning for the task raises INVREQ after the others have been set. RESP2: 2 no map
//! has been positioned, 3 no batch data interchange, 4 not started by a transient data trigger, 5 no terminal.

use crate::control_blocks::application::Context;
use crate::control_blocks::arguments::Arguments;
use crate::control_blocks::raised::{Outcome, Raised, raise};
use crate::facility::{Facility, Operator, PartnerKind};
use crate::name::{Name3, Name4, Name8};
use crate::{AbendInformation, Assigned, Task};
use exec::resp2::assign as resp2;
use exec::{OptionId, condition, cvda, option};
use kernel::storage::{Dsa, Key};
use smallvec::SmallVec;

/// The bit of an address that indicates 31-bit addressing.
const ADDRESSING_31: u32 = 0x8000_0000;

pub(super) fn assign(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let response = |option: &OptionId| matches!(*option, option::RESP | option::RESP2);
    let options: SmallVec<[OptionId; 8]> =
        arguments.all().iter().map(|argument| argument.option).filter(|option| !response(option)).collect();
    let mut unavailable = None;
    for option in options {
        let value =
            of_user(task, option).or_else(|| of_task(task, option)).or_else(|| of_abend(task, option)).or_else(|| of_region(task, option));
        let value = value.or_else(|| task.region.registry.assign(task, option)).unwrap_or(Assigned::Unavailable(resp2::NO_MAP));
        if let Some(fault) = give(arguments, option, value)? {
            unavailable = unavailable.or(Some(fault));
        }
    }
    match unavailable {
        Some(fault) => raise(condition::INVREQ, fault),
        None => Ok(()),
    }
}

fn give(arguments: &mut Arguments, option: OptionId, value: Assigned) -> Result<Option<i32>, Raised> {
    match value {
        Assigned::Number(number) => arguments.set_integer(option, number),
        Assigned::Byte(byte) => arguments.set_bytes(option, &[byte])?,
        Assigned::Name3(name) => arguments.set_name(option, &name)?,
        Assigned::Name4(name) => arguments.set_name(option, &name)?,
        Assigned::Name8(name) => arguments.set_name(option, &name)?,
        Assigned::Text(text) => arguments.set_text(option, &text)?,
        Assigned::Bytes(bytes) => arguments.set_bytes(option, &bytes)?,
        Assigned::Unavailable(fault) => return Ok(Some(fault)),
    }
    Ok(None)
}

fn of_task(task: &Task, option: OptionId) -> Option<Assigned> {
    let level = task.level();
    Some(match option {
        option::PROGRAM => Assigned::Name8(task.program_name()),
        option::INVOKINGPROG => Assigned::Name8(level.map_or(Name8::BLANK, |level| level.invoked_by)),
        option::RETURNPROG => Assigned::Name8(level.map_or(Name8::BLANK, |level| level.returns_to)),
        option::LINKLEVEL => Assigned::Number(task.levels.len() as i64),
        option::CHANNEL => match level.and_then(|level| level.channel.as_ref()) {
            Some(channel) => Assigned::Text(channel.name().to_string()),
            None => Assigned::Text(String::new()),
        },
        option::STARTCODE => Assigned::Text(task.start_code.text().to_string()),
        option::TWALENG => Assigned::Number(task.twa.length as i64),
        option::USERID => Assigned::Name8(task.user_id),
        option::OPSECURITY => Assigned::Bytes(SmallVec::from_slice(&[0, 0, 1])),
        option::OPERKEYS => Assigned::Bytes(SmallVec::from_slice(&[0, 0, 0, 0, 0, 0, 0, 1])),
        option::TASKPRIORITY => Assigned::Number(i64::from(task.kernel.priority())),
        option::TRANPRIORITY => Assigned::Number(i64::from(task.definition.priority)),
        option::CMDSEC => Assigned::Text(if task.definition.command_security { "X" } else { "" }.to_string()),
        option::RESSEC => Assigned::Text(if task.definition.resource_security { "X" } else { "" }.to_string()),
        option::RESTART => Assigned::flag(task.restarts > 0),
        option::FACILITY => match &task.facility {
            Facility::None | Facility::Partner(PartnerKind::Region, _) => Assigned::Unavailable(resp2::NO_TERMINAL),
            facility => Assigned::Name4(facility.name()),
        },
        option::FCI => Assigned::Byte(match task.facility {
            Facility::Terminal(_) | Facility::Partner(PartnerKind::Session, _) => facility_control::TERMINAL,
            Facility::Queue(_) => facility_control::QUEUE,
            Facility::None if task.start_code.is_start() => facility_control::INTERVAL_CONTROL,
            Facility::None | Facility::Partner(PartnerKind::WebClient | PartnerKind::Parent | PartnerKind::Region, _) => 0,
        }),
        option::QNAME => task.queue.map_or(Assigned::Unavailable(resp2::NOT_TRIGGERED), Assigned::Name4),
        option::ACTIVITY | option::ACTIVITYID | option::PROCESS | option::PROCESSTYPE | option::BRIDGE => Assigned::Text(String::new()),
        option::APPLICATION | option::OPERATION | option::PLATFORM | option::MAJORVERSION | option::MINORVERSION | option::MICROVERSION => {
            of_application(task.context().as_deref(), option)
        }
        option::ERRORMSG => Assigned::Text(String::new()),
        option::ERRORMSGLEN => Assigned::Number(0),
        option::INITPARM | option::INITPARMLEN => initparm(task, option),
        option::INPUTMSGLEN => {
            Assigned::Number(level.and_then(|level| level.input_message.as_ref()).map_or(0, |message| message.len() as i64))
        }
        _ => return None,
    })
}

/// What the authority knows of the user; without one, the user identifier is all that is known.
fn of_user(task: &Task, option: OptionId) -> Option<Assigned> {
    if !matches!(option, option::USERNAME | option::OPID | option::OPCLASS | option::USERPRIORITY) {
        return None;
    }
    task.region.registry.assign(task, option).or_else(|| match option {
        option::USERNAME => Some(Assigned::Text(task.user_id.to_string())),
        option::OPID => Some(Assigned::Name3(Operator::of_user(task.user_id).id)),
        option::OPCLASS => Some(Assigned::Bytes(SmallVec::from_slice(&Operator::of_user(task.user_id).classes))),
        option::USERPRIORITY => Some(Assigned::Number(0)),
        _ => None,
    })
}

/// The current application context; blank and -1 without one.
fn of_application(context: Option<&Context>, option: OptionId) -> Assigned {
    let [major, minor, micro] = context.map_or([-1; 3], Context::version);
    let text = |of: fn(&Context) -> &str| Assigned::Text(context.map_or("", of).to_string());
    match option {
        option::APPLICATION => text(Context::name),
        option::OPERATION => text(|context| &context.operation),
        option::PLATFORM => text(Context::platform),
        option::MAJORVERSION => Assigned::Number(major),
        option::MINORVERSION => Assigned::Number(minor),
        _ => Assigned::Number(micro),
    }
}

fn initparm(task: &Task, option: OptionId) -> Assigned {
    let text = task.region.sit.initparm(task.program_name().as_str()).unwrap_or_default();
    if option == option::INITPARMLEN { Assigned::Number(text.len() as i64) } else { Assigned::Text(text) }
}

fn of_abend(task: &Task, option: OptionId) -> Option<Assigned> {
    let information = &task.abend_information;
    let code = |code: [u8; 4]| Assigned::Name4(if code == [0; 4] { Name4::BLANK } else { Name4::from_bytes(&code) });
    let interrupt = information.interrupt.as_deref();
    Some(match option {
        option::ABCODE => code(information.code),
        option::ORGABCODE => code(information.original_code),
        option::ABPROGRAM => Assigned::Name8(information.program),
        option::ABDUMP => Assigned::flag(information.dump),
        // Minus one: the offset is not known.
        option::ABOFFSET => Assigned::Number(information.offset.map_or(-1, i64::from)),
        option::ASRAINTRPT => {
            let mut bytes = [0u8; 8];
            if let Some(interrupt) = interrupt {
                bytes[2..4].copy_from_slice(&interrupt.code.to_be_bytes());
            }
            Assigned::Bytes(SmallVec::from_slice(&bytes))
        }
        option::ASRAPSW | option::ASRAPSW16 => {
            let length = if option == option::ASRAPSW { 8 } else { 16 };
            let mut bytes = [0u8; 16];
            if interrupt.is_some() {
                let offset = information.offset.unwrap_or(0) | ADDRESSING_31;
                bytes[length - 4..length].copy_from_slice(&offset.to_be_bytes());
            }
            Assigned::Bytes(SmallVec::from_slice(&bytes[..length]))
        }
        option::ASRAREGS => Assigned::Bytes(interrupt.map_or_else(
            || SmallVec::from_slice(&[0; 64]),
            |interrupt| interrupt.registers.iter().flat_map(|register| (*register as u32).to_be_bytes()).collect(),
        )),
        option::ASRAREGS64 => Assigned::Bytes(interrupt.map_or_else(
            || SmallVec::from_elem(0, 128),
            |interrupt| interrupt.registers.iter().flat_map(|register| register.to_be_bytes()).collect(),
        )),
        // All programs run in CICS key while storage protection is not active, and in the base space without transaction isolation.
        option::ASRAKEY => Assigned::Number(match has_state(information) {
            true if information.in_user_key => cvda::USEREXECKEY,
            true => cvda::CICSEXECKEY,
            false => cvda::NOTAPPLIC,
        }),
        option::ASRASPC => Assigned::Number(match has_state(information) {
            true if information.in_user_key && task.region.transaction_isolation => cvda::SUBSPACE,
            true => cvda::BASESPACE,
            false => cvda::NOTAPPLIC,
        }),
        option::ASRASTG => {
            let dsa = information.storage.and_then(|address| task.region.storage.dsa_at(address));
            Assigned::Number(match dsa {
                Some(Dsa::Rdsa | Dsa::Erdsa) => cvda::READONLY,
                Some(dsa) if dsa.key() == Key::Cics => cvda::CICS,
                Some(_) => cvda::USER,
                None => cvda::NOTAPPLIC,
            })
        }
        _ => return None,
    })
}

/// Key and space are kept of the abends ASRA, ASRB, AICA and AEYD.
fn has_state(information: &AbendInformation) -> bool {
    matches!(&information.code, b"ASRA" | b"ASRB" | b"AICA" | b"AEYD")
}

fn of_region(task: &Task, option: OptionId) -> Option<Assigned> {
    let region = task.region;
    Some(match option {
        option::APPLID => Assigned::Name8(region.applid),
        option::SYSID => Assigned::Name4(region.sysid),
        option::CWALENG => Assigned::Number(region.cwa.length as i64),
        option::LOCALCCSID => Assigned::Number(i64::from(region.code_page.page().ccsid)),
        option::GMMI => Assigned::flag(false),
        option::GMEXITOPT => Assigned::Number(cvda::NOTAPPLIC),
        option::LANGINUSE => Assigned::Name3(Name3::new("ENU")),
        option::NATLANGINUSE => Assigned::Text("E".to_string()),
        _ => return None,
    })
}

/// The facility control indicators of ASSIGN FCI.
mod facility_control {
    pub const TERMINAL: u8 = 0x01;
    pub const INTERVAL_CONTROL: u8 = 0x04;
    pub const QUEUE: u8 = 0x08;
}
