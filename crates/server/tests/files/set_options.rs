//! SET commands look at every option they have: one that nobody looks at would be accepted and do nothing.

use super::support::*;
use crate::bundle_support::{Capture, adapter, adapter_set, event_binding, write_bundle};
use csd::Definition;
use exec::{CommandId, OptionId, command, option};
use region::Task;
use region::control_blocks::{options, queried};
use region::exec_interface::Call;
use std::path::Path;

/// SET TERMINAL needs a terminal, and is tested with the operator's transactions. The options of SET TRACETYPE are components, by name.
const ELSEWHERE: [CommandId; 2] = [command::SET_TERMINAL, command::SET_TRACETYPE];

/// The commands, and the option and the name of a resource that exists.
const NAMED: [(CommandId, OptionId, &str); 22] = [
    (command::SET_FILE, option::FILE, "STAFILE"),
    (command::SET_DSNAME, option::DSNAME, "TEST.STATE"),
    (command::SET_PROGRAM, option::PROGRAM, "SETOPTS"),
    (command::SET_TRANSACTION, option::TRANSACTION, "SETO"),
    (command::SET_TRANCLASS, option::TRANCLASS, "SETCLASS"),
    (command::SET_TCLASS, option::TCLASS, "SETCLASS"),
    (command::SET_ENQMODEL, option::ENQMODEL, "SETMODEL"),
    (command::SET_TDQUEUE, option::TDQUEUE, "SETQ"),
    (command::SET_JOURNALNAME, option::JOURNALNAME, "SETJRN"),
    (command::SET_TSQUEUE, option::TSQUEUE, "SETQUEUE"),
    (command::SET_TSQNAME, option::TSQNAME, "SETQUEUE"),
    (command::SET_DB2ENTRY, option::DB2ENTRY, "SETENTRY"),
    (command::SET_DB2TRAN, option::DB2TRAN, "SETTRAN"),
    (command::SET_LIBRARY, option::LIBRARY, "SETLIB"),
    (command::SET_BUNDLE, option::BUNDLE, "SETBUND"),
    (command::SET_EPADAPTER, option::EPADAPTER, "SETADAPT"),
    (command::SET_EPADAPTERSET, option::EPADAPTERSET, "SETASET"),
    (command::SET_EVENTBINDING, option::EVENTBINDING, "SETEVENT"),
    (command::SET_DOCTEMPLATE, option::DOCTEMPLATE, "SETTEMP"),
    (command::SET_ASSOCIATION_USERCORRDATA, option::USERCORRDATA, "SETDATA"),
    (command::SET_TRANDUMPCODE, option::TRANDUMPCODE, "SETD"),
    (command::SET_SYSDUMPCODE, option::SYSDUMPCODE, "SETDUMP"),
];
const UNNAMED: [CommandId; 14] = [
    command::SET_AUTOINSTALL,
    command::SET_EVENTPROCESS,
    command::SET_MONITOR,
    command::SET_DISPATCHER,
    command::SET_SYSTEM,
    command::SET_TEMPSTORAGE,
    command::SET_STATISTICS,
    command::SET_DB2CONN,
    command::SET_DUMPDS,
    command::SET_TRACEDEST,
    command::SET_TRACEFLAG,
    command::SET_WLMHEALTH,
    command::SET_IRC,
    command::SET_VTAM,
];
/// Commands that make what they name.
const ADDING: [CommandId; 2] = [command::SET_TRANDUMPCODE, command::SET_SYSDUMPCODE];

/// A bundle with an event adapter, a set of it and an event binding.
fn write_event_bundle(directory: &Path) {
    let adapter = adapter(
        "<cicsTSQueueAdapter><queueName>SETEVENT</queueName><sysid/><useAuxTempStorage>false</useAuxTempStorage><format>CFE</format></cicsTSQueueAdapter>",
    );
    let set = adapter_set(&["SETADAPT"]);
    let location = "<x isPre=\"true\" verb=\"SIGNAL\" adVerb=\"EVENT\"/>";
    let binding = event_binding(
        &[Capture { name: "signal", location, context: "", data: "", items: &[] }],
        "<eventAdapterName>SETADAPT</eventAdapterName>",
    );
    let parts = [
        ("EPADAPTER", "SETADAPT", "SETADAPT", adapter.as_str()),
        ("EPADAPTERSET", "SETASET", "SETASET", &set),
        ("EVENTBINDING", "SETEVENT", "SETEVENT", &binding),
    ];
    write_bundle(directory, "set.id", &parts);
}

/// The unit of work of some task.
fn a_unit(task: &mut Task) -> Result<Vec<u8>, region::Raised> {
    let mut unit = Vec::new();
    for step in [option::START, option::NEXT, option::END] {
        let reply = issue(task, command::INQUIRE_UOW, |call| {
            call.flag(step).bytes(option::UOW, &[0; 8]);
        })?;
        assert_eq!(reply.code, NORMAL);
        if step == option::NEXT {
            unit = reply.call.result_bytes(option::UOW);
        }
    }
    Ok(unit)
}

/// A name at the length of its option.
fn named(id: CommandId, name_option: OptionId, name: &str) -> Vec<u8> {
    let width = id.spec().option(name_option).map_or(0, |option| usize::from(option.length));
    e(&format!("{name:<width$}"))
}

fn issue_all(task: &mut Task) -> Result<Vec<CommandId>, region::Raised> {
    let mut issued = Vec::new();
    let mut set = |task: &mut Task, id: CommandId, build: &dyn Fn(&mut Call)| {
        issued.push(id);
        issue(task, id, |call| build(call)).map(|reply| reply.code)
    };
    for (id, name_option, name) in NAMED {
        let is_queue = id == command::SET_TSQUEUE || id == command::SET_TSQNAME;
        if is_queue {
            issue(task, command::WRITEQ_TS, |call| {
                call.bytes(option::QUEUE, &e("SETQUEUE")).bytes(option::FROM, b"X");
            })?;
        }
        let code = set(task, id, &|call| {
            call.bytes(name_option, &named(id, name_option, name));
            if is_queue {
                call.flag(option::DELETE);
            } else if ADDING.contains(&id) {
                call.flag(option::ADD);
            }
        })?;
        assert_eq!(code, NORMAL, "{}", id.name());
    }
    for (id, name_option, name) in NAMED.into_iter().filter(|(id, ..)| ADDING.contains(id)) {
        for action in [option::RESET, option::REMOVE] {
            let code = set(task, id, &|call| {
                call.bytes(name_option, &named(id, name_option, name)).flag(action);
            })?;
            assert_eq!(code, NORMAL, "{} {}", id.name(), action.name());
        }
    }
    for id in UNNAMED {
        assert_eq!(set(task, id, &|_| {})?, NORMAL, "{}", id.name());
    }
    let number = i64::from(task.number);
    let of_task = set(task, command::SET_TASK, &|call| {
        call.integer(option::TASK, number);
    })?;
    assert_eq!(of_task, NORMAL);
    let unit = a_unit(task)?;
    set(task, command::SET_UOW, &|call| {
        call.bytes(option::UOW, &unit);
    })?;
    // There is no such link.
    set(task, command::SET_UOWLINK, &|call| {
        call.bytes(option::UOWLINK, &[0; 4]);
    })?;
    Ok(issued)
}

#[test]
fn every_option_of_set_is_looked_at_or_listed() {
    let region = the_region();
    let scratch = tempfile::tempdir().unwrap();
    write_event_bundle(scratch.path());
    let directory = scratch.path().display().to_string();
    for definition in [
        Definition::new("PROGRAM", "SETOPTS", "TEST"),
        Definition::new("TRANSACTION", "SETO", "TEST").with("PROGRAM", "SETOPTS"),
        Definition::new("TRANCLASS", "SETCLASS", "TEST").with("MAXACTIVE", "1"),
        Definition::new("ENQMODEL", "SETMODEL", "TEST").with("ENQNAME", "SETMODEL*").with("ENQSCOPE", "TEST").with("STATUS", "DISABLED"),
        Definition::new("TDQUEUE", "SETQ", "TEST").with("TYPE", "INTRA"),
        Definition::new("DB2CONN", "SETCON", "TEST"),
        Definition::new("DB2ENTRY", "SETENTRY", "TEST").with("THREADLIMIT", "1"),
        Definition::new("DB2TRAN", "SETTRAN", "TEST").with("ENTRY", "SETENTRY").with("TRANSID", "SETO"),
        Definition::new("DOCTEMPLATE", "SETTEMP", "TEST").with("TSQUEUE", "SETTEMPQ"),
        Definition::new("LIBRARY", "SETLIB", "TEST").with("DSNAME01", &directory),
        Definition::new("BUNDLE", "SETBUND", "TEST").with("BUNDLEDIR", &directory),
    ] {
        region.install(&definition).unwrap();
    }
    queried::begin();
    let issued = run(issue_all);
    let queried = queried::end();
    let mut faults = Vec::new();
    for spec in exec::commands().iter().filter(|spec| spec.implemented && spec.words[0] == "SET" && !ELSEWHERE.contains(&spec.id)) {
        assert!(issued.contains(&spec.id), "{} is not issued here", spec.name);
        faults.extend(options::unread(spec, &queried).into_iter().map(|option| format!("{} {option}", spec.name)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
