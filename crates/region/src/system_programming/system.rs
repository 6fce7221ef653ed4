//! INQUIRE SYSTEM, SET SYSTEM and PERFORM SHUTDOWN.

use super::dispatcher::Changes;
use crate::clock::local_from_system;
use crate::control_blocks::region::RELEASE;
use crate::dump::codes::{DumpTables, SystemDumping};
use crate::dump::system as system_dump;
use crate::inquiry::either;
use crate::name::Name8;
use crate::program_list::ProgramLists;
use crate::program_list::{self, ProgramList};
use crate::shutdown::Shutdown;
use crate::shutdown::assist::Assist;
use crate::{Arguments, Outcome, Raised, Region, Stage, StartType, Task, inquiry, raise, shutdown};
use exec::resp2::system as resp2;
use exec::{OptionId, command, condition, cvda, option};
use kernel::Pool;
use kernel::storage::{Dsa, Line};
use std::sync::atomic::Ordering;

/// The level of CICS Transaction Server the region behaves as: 5.5.
const CICS_LEVEL: &str = "050500";

/// Transactional EXCI needs a resource recovery service, which does not exist here.
pub(super) fn inquire_rrms(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let status = either(task.region.sit.is("RRMS", "YES"), cvda::CLOSED, cvda::NOTAPPLIC);
    arguments.set_integer(option::OPENSTATUS, status);
    Ok(())
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    give_stage(region, arguments);
    give_start(region, arguments);
    give_storage(region, arguments);
    give_dispatching(region, arguments);
    give_settings(region, arguments);
    give_texts(region, arguments)
}

fn give_stage(region: &Region, arguments: &mut Arguments) {
    let stage = region.stage();
    let status = match stage {
        Stage::SecondInitialization | Stage::ThirdInitialization => cvda::STARTUP,
        Stage::Running => cvda::ACTIVE,
        Stage::FirstQuiesce => cvda::FIRSTQUIESCE,
        Stage::SecondQuiesce | Stage::Stopped => cvda::FINALQUIESCE,
    };
    let initialization = match stage {
        Stage::SecondInitialization => cvda::SECONDINIT,
        Stage::ThirdInitialization => cvda::THIRDINIT,
        _ => cvda::INITCOMPLETE,
    };
    let shutdown = match (region.transactions().is_quiescing(), Shutdown::of(region).is_immediate()) {
        (false, _) => cvda::NOTAPPLIC,
        (true, false) => cvda::CONTROLSHUT,
        (true, true) => cvda::SHUTDOWN,
    };
    arguments.set_integers([(option::CICSSTATUS, status), (option::INITSTATUS, initialization), (option::SHUTSTATUS, shutdown)]);
}

fn give_start(region: &Region, arguments: &mut Arguments) {
    let start_type = StartType::of(region);
    let started = local_from_system(region.started_at());
    arguments.set_integers([
        (option::COLDSTATUS, start_type.cold_cvda()),
        (option::STARTUP, start_type.cvda()),
        (option::STARTUPDATE, i64::from(started.cyyddd())),
        (option::LASTINITTIME, started.0),
        (option::LASTWARMTIME, if start_type == StartType::Warm { started.0 } else { 0 }),
        (option::LASTCOLDTIME, if start_type.is_cold() { started.0 } else { 0 }),
        (option::LASTEMERTIME, if start_type == StartType::Emergency { started.0 } else { 0 }),
    ]);
}

/// The options with the sizes of the DSAs, in bytes.
const SIZES: [(OptionId, Dsa); 11] = [
    (option::CDSASIZE, Dsa::Cdsa),
    (option::UDSASIZE, Dsa::Udsa),
    (option::SDSASIZE, Dsa::Sdsa),
    (option::RDSASIZE, Dsa::Rdsa),
    (option::ECDSASIZE, Dsa::Ecdsa),
    (option::EUDSASIZE, Dsa::Eudsa),
    (option::ESDSASIZE, Dsa::Esdsa),
    (option::ERDSASIZE, Dsa::Erdsa),
    (option::GCDSASIZE, Dsa::Gcdsa),
    (option::GUDSASIZE, Dsa::Gudsa),
    (option::GSDSASIZE, Dsa::Gsdsa),
];

fn give_storage(region: &Region, arguments: &mut Arguments) {
    let sit = &region.sit;
    let is_short = |line| region.storage.is_short(line);
    let short_on = |line| either(is_short(line), cvda::SOS, cvda::NOTSOS);
    let active = |protected| either(protected, cvda::ACTIVE, cvda::INACTIVE);
    let sizes = region.storage.sizes();
    arguments.set_integers(SIZES.map(|(option, dsa)| (option, sizes[dsa as usize] as i64)));
    arguments.set_integers([
        (option::DSALIMIT, region.storage.limit(Line::Below16M) as i64),
        (option::EDSALIMIT, region.storage.limit(Line::Below2G) as i64),
        (option::MEMLIMIT, (region.storage.limit(Line::Above) >> 20) as i64),
        (option::SOSABOVEBAR, short_on(Line::Above)),
        (option::SOSABOVELINE, short_on(Line::Below2G)),
        (option::SOSBELOWLINE, short_on(Line::Below16M)),
        (option::SOSSTATUS, short_status(is_short(Line::Below16M), is_short(Line::Below2G))),
        (option::STOREPROTECT, active(region.storage_protection)),
        (option::TRANISOLATE, active(region.transaction_isolation)),
        (option::CMDPROTECT, either(sit.is("CMDPROT", "YES"), cvda::CMDPROT, cvda::NOCMDPROT)),
        (option::REENTPROTECT, either(sit.is("RENTPGM", "PROTECT"), cvda::REENTPROT, cvda::NOREENTPROT)),
    ]);
}

fn give_dispatching(region: &Region, arguments: &mut Arguments) {
    let sit = &region.sit;
    let statistics = region.dispatcher.statistics();
    let open = &statistics.pools[Pool::Open as usize];
    arguments.set_integers([
        (option::ACTOPENTCBS, i64::from(open.attached_current)),
        (option::MAXOPENTCBS, i64::from(open.limit)),
        (option::MAXTASKS, i64::from(region.dispatcher.max_tasks())),
        (option::FORCEQR, either(sit.is("FORCEQR", "YES"), cvda::FORCE, cvda::NOFORCE)),
        (option::MROBATCH, i64::from(statistics.mro_batch)),
        (option::PRTYAGING, statistics.priority_aging.as_millis() as i64),
        (option::RUNAWAY, statistics.runaway.as_millis() as i64),
        (option::SCANDELAY, statistics.terminal_scan_delay.as_millis() as i64),
        (option::TIME, statistics.icv.as_millis() as i64),
    ]);
}

fn give_settings(region: &Region, arguments: &mut Arguments) {
    let sit = &region.sit;
    let autoinstall = either(region.programs().autoinstall.load(Ordering::Relaxed), cvda::AUTOACTIVE, cvda::AUTOINACTIVE);
    let dumping = match DumpTables::of(region).dumping() {
        SystemDumping::Yes => cvda::SYSDUMP,
        SystemDumping::No => cvda::NOSYSDUMP,
        SystemDumping::TableOnly => cvda::TABLEONLY,
    };
    arguments.set_integers([
        (option::AKP, region.store.keypoint_frequency() as i64),
        (option::DEBUGTOOL, cvda::NODEBUG),
        (option::DUMPING, dumping),
        (option::GMMLENGTH, sit.good_morning_text().len() as i64),
        (option::MESSAGECASE, cvda::MIXED),
        (option::OPREL, 25),
        (option::OSLEVEL, 20_500),
        (option::PROGAUTOCTLG, cvda::CTLGMODIFY),
        (option::PROGAUTOINST, autoinstall),
        (option::RLSSTATUS, cvda::NOTAPPLIC),
        (option::SECURITYMGR, cvda::NOSECURITY),
        (option::SRRTASKS, 0),
        (option::XRFSTATUS, cvda::NOTAPPLIC),
        (option::LOGDEFER, i64::from(sit.number("LGDFINT"))),
        (option::AIDCOUNT, 0),
    ]);
}

fn give_texts(region: &Region, arguments: &mut Arguments) -> Outcome {
    let sit = &region.sit;
    let (job, user) = (region.applid.to_string(), region.default_user.to_string());
    let transaction = sit.good_morning_transaction().to_string();
    let autoinstall_exit = *region.programs().autoinstall_exit.read();
    let connection = region.installed.read().of_type("DB2CONN").next().map(|of| of.name.clone()).unwrap_or_default();
    let texts = [
        (option::CICSTSLEVEL, CICS_LEVEL),
        (option::RELEASE, RELEASE),
        (option::CICSSYS, "X"),
        (option::OPSYS, "X"),
        (option::DFLTUSER, user.as_str()),
        (option::REGIONUSERID, user.as_str()),
        (option::JOBNAME, job.as_str()),
        (option::GMMTRANID, transaction.as_str()),
        (option::GMMTEXT, sit.good_morning_text()),
        (option::GRPLIST, sit.get("GRPLIST")),
        (option::DTRPROGRAM, sit.get("DTRPGM")),
        (option::DSRTPROGRAM, sit.get("DSRTPGM")),
        (option::PROGAUTOEXIT, autoinstall_exit.as_str()),
        (option::MVSSYSNAME, "LINUX"),
        (option::MVSSMFID, "LINX"),
        (option::DB2CONN, connection.as_str()),
        (option::MQCONN, ""),
        (option::PLTPIUSR, sit.get("PLTPIUSR")),
        (option::SDTRAN, sit.get("SDTRAN")),
    ];
    for (option, value) in texts {
        arguments.set_text(option, value)?;
    }
    Ok(())
}

/// SOSSTATUS, for the storage below 16 MB and from there to 2 GB.
fn short_status(below: bool, above: bool) -> i64 {
    match (below, above) {
        (false, false) => cvda::NOTSOS,
        (true, false) => cvda::SOSBELOW,
        (false, true) => cvda::SOSABOVE,
        (true, true) => cvda::SOS,
    }
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let of_dispatcher = Changes::of(arguments)?;
    let keypoint_frequency = inquiry::parameter(arguments, option::AKP, "AKPFREQ", resp2::AKP)?;
    let below = inquiry::parameter(arguments, option::DSALIMIT, "DSALIM", resp2::DSALIMIT)?;
    let above = inquiry::parameter(arguments, option::EDSALIMIT, "EDSALIM", resp2::EDSALIMIT)?;
    let max_tasks = inquiry::parameter(arguments, option::MAXTASKS, "MXT", resp2::MAXTASKS)?;
    let (active, inactive) = ((option::AUTOACTIVE, cvda::AUTOACTIVE), (option::AUTOINACTIVE, cvda::AUTOINACTIVE));
    let autoinstall = inquiry::switch(arguments, option::PROGAUTOINST, active, inactive, resp2::PROGAUTOINST)?;
    let dumping = dumping_of(arguments)?;

    of_dispatcher.apply(&region.dispatcher);
    dumping.into_iter().for_each(|dumping| DumpTables::of(region).set_dumping(dumping));
    if let Some(frequency) = keypoint_frequency {
        region.store.set_keypoint_frequency(frequency);
    }
    // A limit below the storage in use takes effect when the excess has been freed.
    for (line, limit) in [(Line::Below16M, below), (Line::Below2G, above)] {
        limit.into_iter().for_each(|limit| region.storage.set_limit(line, limit));
    }
    if let Some(limit) = max_tasks {
        region.dispatcher.set_max_tasks(limit as u32);
    }
    arguments.set_integer(option::NEWMAXTASKS, i64::from(region.dispatcher.max_tasks()));
    if let Some(exit) = arguments.name::<8>(option::PROGAUTOEXIT)? {
        *region.programs().autoinstall_exit.write() = exit;
    }
    if let Some(active) = autoinstall {
        region.programs().autoinstall.store(active, Ordering::Relaxed);
    }
    Ok(())
}

fn dumping_of(arguments: &Arguments) -> Result<Option<SystemDumping>, Raised> {
    let keywords = [(option::SYSDUMP, cvda::SYSDUMP), (option::NOSYSDUMP, cvda::NOSYSDUMP), (option::TABLEONLY, cvda::TABLEONLY)];
    let given = inquiry::checked(arguments, option::DUMPING, &keywords, resp2::DUMPING)?;
    Ok(given.map(|value| match value {
        cvda::NOSYSDUMP => SystemDumping::No,
        cvda::TABLEONLY => SystemDumping::TableOnly,
        _ => SystemDumping::Yes,
    }))
}

pub(super) fn shutdown(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let terminal = task.terminal_name();
    let values = [("userid", task.user_id.as_str()), ("transid", task.transid.as_str()), ("termid", terminal.as_str())];
    region.messages.send("DFHTM1711", &values);
    let takes_dump = arguments.has(option::DUMP);
    if arguments.command == command::PERFORM_SHUTDOWN_IMMEDIATE {
        let request = shutdown::Request { immediate: true, programs: None, assist: assist_of(task, arguments)?, user_id: task.user_id };
        // Of the region as it is: its tasks are purged soon.
        if takes_dump {
            take_shutdown_dump(task);
        }
        // The region waits for this very task to end, so the shutdown runs on a separate thread.
        std::thread::spawn(move || region.shutdown_as(request));
        return Ok(());
    }
    let assist = assist_of(task, arguments)?;
    let programs = match program_list_of(task, arguments)? {
        Some(programs) => programs,
        None => region.program_list("PLTSD").map_err(|_| Raised::new(condition::INVREQ, resp2::NO_PROGRAM_LIST))?,
    };
    region.shutdown_by(task, programs, assist, if takes_dump { take_shutdown_dump } else { |_| () });
    // Control does not return to the program.
    task.end_from_here();
    Err(Raised::Leave)
}

/// The entry of this code in the system dump table governs the dump (PERFORM SHUTDOWN, DUMP).
const SHUTDOWN_DUMP_CODE: Name8 = Name8::new("SHUTDOWN");

/// The dump of PERFORM SHUTDOWN DUMP. A region whose dump fails is shut down all the same; messages tell of both.
fn take_shutdown_dump(task: &mut Task) {
    let message = format!("Shutdown was requested by transaction {} of {}", task.transid, task.user_id);
    let request = system_dump::Request {
        title: "Shutdown of the region".to_string(),
        caller: "TMDM".to_string(),
        symptoms: format!("MS/{SHUTDOWN_DUMP_CODE}"),
        message,
        sections: Vec::new(),
    };
    system_dump::request(task, SHUTDOWN_DUMP_CODE, request);
}

/// SDTRAN or NOSDTRAN in place of the system initialization parameter. A named transaction must exist.
fn assist_of(task: &Task, arguments: &Arguments) -> Result<Assist, Raised> {
    if arguments.has(option::NOSDTRAN) {
        return Ok(Assist::None);
    }
    let Some(name) = arguments.name(option::SDTRAN)? else { return Ok(Assist::Parameter) };
    match task.region.transactions().find(name) {
        Some(_) => Ok(Assist::Transaction(name)),
        None => raise(condition::TRANSIDERR, resp2::NO_ASSIST),
    }
}

/// The table PLT (a suffix, or NO) or PLTNAME names in place of that of PLTSD.
fn program_list_of(task: &Task, arguments: &Arguments) -> Result<Option<ProgramList>, Raised> {
    let suffix = arguments.text(option::PLT)?;
    let Some(value) = suffix.or(arguments.text(option::PLTNAME)?) else { return Ok(None) };
    let Some(name) = program_list::table_name(&value) else {
        return Ok(Some(ProgramList::empty(Name8::BLANK)));
    };
    let table = ProgramLists::of(task.region).find(name).cloned();
    table.map(Some).ok_or(Raised::new(condition::INVREQ, resp2::NO_PROGRAM_LIST))
}
