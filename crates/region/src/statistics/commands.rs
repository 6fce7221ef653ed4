//! COLLECT, EXTRACT, PERFORM, INQUIRE and SET STATISTICS.
//!
//! Resource types without statistics here are refused: options by `options.tsv` of crate `exec`, RESTYPE values with NOTFND and a message.

use super::one;
use super::recording::{self, Reason, SECONDS_PER_DAY, Settings, hhmmss_of, seconds_of};
use crate::clock::local_from_system;
use crate::figures::Record;
use crate::figures::{Reading, ResourceType};
use crate::{Arguments, Handler, Outcome, Raised, Task, raise};
use exec::resp2::statistics as resp2;
use exec::{CommandId, OptionId, command, condition, cvda, option};
use kernel::Peaks;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::COLLECT_STATISTICS, collect),
        (command::EXTRACT_STATISTICS, extract),
        (command::INQUIRE_STATISTICS, inquire),
        (command::SET_STATISTICS, set),
        (command::PERFORM_STATISTICS_RECORD, perform),
    ]
}

/// Options of COLLECT that name a resource, or a type that has one record.
const COLLECTED: [(OptionId, ResourceType); 15] = [
    (option::DB2CONN, ResourceType::Db2Connection),
    (option::DB2ENTRY, ResourceType::Db2Entry),
    (option::FILE, ResourceType::File),
    (option::JOURNALNAME, ResourceType::JournalName),
    (option::TRANCLASS, ResourceType::Tranclass),
    (option::DISPATCHER, ResourceType::Dispatcher),
    (option::ENQUEUE, ResourceType::Enqueue),
    (option::MONITOR, ResourceType::Monitor),
    (option::RECOVERY, ResourceType::Recovery),
    (option::STATS, ResourceType::Statistics),
    (option::STORAGE, ResourceType::Storage),
    (option::SUBPOOL, ResourceType::Subpool),
    (option::TASKSUBPOOL, ResourceType::TaskSubpool),
    (option::TERMINAL, ResourceType::Terminal),
    (option::TSQUEUE, ResourceType::TsQueue),
];

fn collect(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (of, name) = collected(arguments)?;
    let record = find(task, of, &name)?;
    deliver(task, arguments, record)
}

/// The resource type and the name in COLLECT.
fn collected(arguments: &Arguments) -> Result<(ResourceType, String), Raised> {
    if let Some(number) = arguments.integer(option::LSRPOOL) {
        return Ok((ResourceType::LsrPool, number.to_string()));
    }
    // The classes and journals that were known by number.
    if let Some(number) = arguments.integer(option::TCLASS) {
        return Ok((ResourceType::Tranclass, format!("DFHTCL{number:02}")));
    }
    if let Some(number) = arguments.integer(option::JOURNALNUM) {
        return Ok((ResourceType::JournalName, format!("DFHJ{number:02}")));
    }
    for (option, of) in [
        (option::TRANSACTION, ResourceType::Transaction),
        (option::PROGRAM, ResourceType::Program),
        (option::TDQUEUE, ResourceType::TdQueue),
        (option::SYSDUMPCODE, ResourceType::SystemDumpCode),
        (option::TRANDUMPCODE, ResourceType::TransactionDumpCode),
    ] {
        if arguments.has(option) {
            let name = arguments.text(option)?.unwrap_or_default();
            return Ok((of.named(&name), name));
        }
    }
    let given = COLLECTED.iter().find(|(option, _)| arguments.has(*option));
    let Some((option, of)) = given else { return raise(condition::NOTFND, resp2::NO_SUCH_TYPE) };
    Ok((*of, arguments.text(*option)?.unwrap_or_default()))
}

fn extract(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let restype = arguments.integer(option::RESTYPE).unwrap_or(0);
    let name = resource_name(arguments)?;
    if arguments.has(option::SUBRESTYPE) {
        return extract_part(task, arguments, restype, &name);
    }
    let of = match restype {
        cvda::ASYNCSERVICE => ResourceType::AsynchronousServices,
        cvda::BUNDLE => ResourceType::Bundle,
        cvda::DB2CONN => ResourceType::Db2Connection,
        cvda::DB2ENTRY => ResourceType::Db2Entry,
        cvda::DOCTEMPLATE => ResourceType::DocumentTemplate,
        cvda::EPADAPTER => ResourceType::EventAdapter,
        cvda::EVENTBINDING => ResourceType::EventBindings,
        cvda::EVENTPROCESS => ResourceType::EventProcess,
        cvda::FILE => ResourceType::File,
        cvda::LSRPOOL => ResourceType::LsrPool,
        cvda::TSQUEUE => ResourceType::TsQueue,
        cvda::TDQUEUE => ResourceType::TdQueue.named(&name),
        cvda::TRANSACTION => ResourceType::Transaction.named(&name),
        cvda::TRANCLASS => ResourceType::Tranclass,
        cvda::DISPATCHER => ResourceType::Dispatcher,
        cvda::STORAGE => ResourceType::Storage,
        cvda::SUBPOOL => ResourceType::Subpool,
        cvda::TASKSUBPOOL => ResourceType::TaskSubpool,
        cvda::LIBRARY => ResourceType::Library,
        cvda::SYSDUMPCODE => ResourceType::SystemDumpCode.named(&name),
        cvda::TRANDUMPCODE => ResourceType::TransactionDumpCode.named(&name),
        cvda::PROGRAM => ResourceType::Program.named(&name),
        cvda::ENQUEUE => ResourceType::Enqueue,
        cvda::MONITOR => ResourceType::Monitor,
        cvda::RECOVERY => ResourceType::Recovery,
        cvda::JOURNALNAME => ResourceType::JournalName,
        cvda::STATS => ResourceType::Statistics,
        _ => {
            let Some(name) = exec::cvda::name_of(restype) else { return raise(condition::INVREQ, resp2::RESTYPE) };
            tracing::warn!(target: "region::statistics", "EXTRACT STATISTICS RESTYPE({name}): there are no statistics of this type");
            return raise(condition::NOTFND, resp2::NO_SUCH_TYPE);
        }
    };
    let record = find(task, of, &name)?;
    deliver(task, arguments, record)
}

/// A part of a resource: a capture specification of an event binding.
fn extract_part(task: &mut Task, arguments: &mut Arguments, restype: i64, name: &str) -> Outcome {
    let part = sized_name(arguments, option::SUBRESID, option::SUBRESIDLEN)?;
    if restype != cvda::EVENTBINDING || arguments.integer(option::SUBRESTYPE) != Some(cvda::CAPTURESPEC) {
        return raise(condition::NOTFND, resp2::NO_SUCH_TYPE);
    }
    let record = find(task, ResourceType::CaptureSpecification, &format!("{name}.{part}"))?;
    deliver(task, arguments, record)
}

/// A name with its length in another option.
fn sized_name(arguments: &Arguments, name: OptionId, length: OptionId) -> Result<String, Raised> {
    let Some(area) = arguments.area(name) else { return Ok(String::new()) };
    let length = match arguments.integer(length) {
        None => area.length,
        Some(length @ 1..) => length as usize,
        Some(_) => return raise(condition::LENGERR, resp2::RESIDLEN),
    };
    let bytes = arguments.bytes_of_length(name, length)?.unwrap_or_default();
    Ok(arguments.code_page().text(&bytes).trim_end().to_string())
}

/// RESID, with the length in RESIDLEN. The number of an LSR pool may be binary.
fn resource_name(arguments: &Arguments) -> Result<String, Raised> {
    let Some(area) = arguments.area(option::RESID) else { return Ok(String::new()) };
    let length = match arguments.integer(option::RESIDLEN) {
        None => area.length,
        Some(length @ 1..) => length as usize,
        Some(_) => return raise(condition::LENGERR, resp2::RESIDLEN),
    };
    let bytes = arguments.bytes_of_length(option::RESID, length)?.unwrap_or_default();
    if arguments.integer(option::RESTYPE) == Some(cvda::LSRPOOL) && bytes.len() <= 4 && bytes.first() == Some(&0) {
        return Ok(bytes.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte)).to_string());
    }
    Ok(arguments.code_page().text(&bytes).trim_end().to_string())
}

fn find(task: &mut Task, of: ResourceType, name: &str) -> Result<Record, Raised> {
    let region = task.region;
    if name.is_empty() && of.is_by_name() {
        tracing::warn!(target: "region::statistics", "there are no global statistics of the resource type {of:?}");
        return raise(condition::NOTFND, resp2::NO_SUCH_TYPE);
    }
    let record = region.statistics().since_reset(|| one(&Reading::new(region, Peaks::Keep), of, name));
    record.ok_or(Raised::new(condition::NOTFND, resp2::NOT_FOUND))
}

fn deliver(task: &mut Task, arguments: &mut Arguments, record: Record) -> Outcome {
    let bytes = record.bytes(&task.region.code_page);
    let address = task.level_storage(&bytes)?;
    arguments.set_integer(option::SET, address as i64);
    let reset = local_from_system(task.region.statistics().last_reset());
    let (hours, minutes, seconds) = reset.time();
    arguments.set_integer(option::LASTRESET, reset.hhmmss().into());
    arguments.set_integer(option::LASTRESETABS, reset.0);
    arguments.set_integer(option::LASTRESETHRS, hours.into());
    arguments.set_integer(option::LASTRESETMIN, minutes.into());
    arguments.set_integer(option::LASTRESETSEC, seconds.into());
    Ok(())
}

/// A time option with those of its hours, minutes and seconds.
struct TimeOptions {
    whole: OptionId,
    parts: [OptionId; 3],
}

const END_OF_DAY: TimeOptions =
    TimeOptions { whole: option::ENDOFDAY, parts: [option::ENDOFDAYHRS, option::ENDOFDAYMINS, option::ENDOFDAYSECS] };
const INTERVAL: TimeOptions =
    TimeOptions { whole: option::INTERVAL, parts: [option::INTERVALHRS, option::INTERVALMINS, option::INTERVALSECS] };
const NEXT_TIME: TimeOptions =
    TimeOptions { whole: option::NEXTTIME, parts: [option::NEXTTIMEHRS, option::NEXTTIMEMINS, option::NEXTTIMESECS] };

impl TimeOptions {
    fn give(&self, arguments: &mut Arguments, seconds: u32) {
        arguments.set_integer(self.whole, hhmmss_of(seconds));
        for (option, value) in self.parts.into_iter().zip([seconds / 3600, seconds / 60 % 60, seconds % 60]) {
            arguments.set_integer(option, value.into());
        }
    }

    /// The time in the command, in seconds; one part alone may be as large as a day (SET STATISTICS).
    fn take(&self, arguments: &Arguments, fault: i32) -> Result<Option<u32>, Raised> {
        if let Some(hhmmss) = arguments.integer(self.whole) {
            return seconds_of(hhmmss).map(Some).ok_or(Raised::new(condition::INVREQ, fault));
        }
        let parts = self.parts.map(|option| arguments.integer(option));
        let given = parts.iter().flatten().count();
        if given == 0 {
            return Ok(None);
        }
        let mut total = 0;
        for (value, unit) in parts.into_iter().zip([3600, 60, 1]) {
            let most = if given > 1 && unit < 3600 { 59 } else { i64::from(SECONDS_PER_DAY) / unit };
            match value.unwrap_or(0) {
                value if (0..=most).contains(&value) => total += value * unit,
                _ => return raise(condition::INVREQ, fault),
            }
        }
        u32::try_from(total).ok().filter(|total| *total <= SECONDS_PER_DAY).map(Some).ok_or(Raised::new(condition::INVREQ, fault))
    }
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let statistics = &task.region.statistics();
    let settings = statistics.settings();
    END_OF_DAY.give(arguments, settings.end_of_day_seconds);
    INTERVAL.give(arguments, settings.interval_seconds);
    NEXT_TIME.give(arguments, statistics.next_seconds());
    arguments.set_integer(option::RECORDING, if settings.recording { cvda::ON } else { cvda::OFF });
    Ok(())
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let before = region.statistics().settings();
    let interval = INTERVAL.take(arguments, resp2::INTERVAL)?;
    if interval.is_some_and(|seconds| seconds < recording::INTERVAL_SECONDS_MIN) {
        return raise(condition::INVREQ, resp2::INTERVAL);
    }
    let end_of_day = END_OF_DAY.take(arguments, resp2::END_OF_DAY)?;
    if end_of_day.is_some_and(|seconds| seconds >= SECONDS_PER_DAY) {
        return raise(condition::INVREQ, resp2::END_OF_DAY);
    }
    let recording = match arguments.chosen(option::RECORDING, &[(option::ON, cvda::ON), (option::OFF, cvda::OFF)]) {
        None => before.recording,
        Some(cvda::ON) => true,
        Some(cvda::OFF) => false,
        Some(_) => return raise(condition::INVREQ, resp2::RECORDING),
    };
    let (record_now, reset_now) = (arguments.has(option::RECORDNOW), arguments.has(option::RESETNOW));
    // Recording at once and a reset go only with a change from ON to OFF or from OFF to ON.
    if recording != before.recording {
        match (record_now, reset_now) {
            (true, true) => drop(recording::record_and_reset(region, Reason::RequestedReset)),
            (true, false) => drop(recording::record(region, &ResourceType::ALL, Reason::Requested)),
            (false, true) => recording::reset(region),
            (false, false) => {}
        }
    }
    let settings = Settings {
        recording,
        interval_seconds: interval.unwrap_or(before.interval_seconds),
        end_of_day_seconds: end_of_day.unwrap_or(before.end_of_day_seconds),
    };
    if settings != before {
        recording::change(region, settings);
    }
    Ok(())
}

/// Options of PERFORM STATISTICS RECORD and their resource types.
const PERFORMED: [(OptionId, &[ResourceType]); 29] = [
    (option::ASYNCSERVICE, &[ResourceType::AsynchronousServices]),
    (option::BUNDLE, &[ResourceType::Bundle]),
    (option::CAPTURESPEC, &[ResourceType::CaptureSpecification]),
    (option::DB2, &[ResourceType::Db2Connection, ResourceType::Db2Entry]),
    (option::DISPATCHER, &[ResourceType::Dispatcher]),
    (option::DOCTEMPLATE, &[ResourceType::DocumentTemplate]),
    (option::EPADAPTER, &[ResourceType::EventAdapter]),
    (option::EVENTBINDING, &[ResourceType::EventBindings]),
    (option::EVENTPROCESS, &[ResourceType::EventProcess]),
    (option::FILE, &[ResourceType::File]),
    (option::JOURNALNAME, &[ResourceType::JournalName]),
    (option::JOURNALNUM, &[ResourceType::JournalName]),
    (option::LIBRARY, &[ResourceType::Library]),
    (option::LSRPOOL, &[ResourceType::LsrPool]),
    (option::ENQUEUE, &[ResourceType::Enqueue]),
    (option::MONITOR, &[ResourceType::Monitor]),
    (option::RECOVERY, &[ResourceType::Recovery]),
    (option::TERMINAL, &[ResourceType::Terminal]),
    (option::POLICY, &[ResourceType::PolicyRule]),
    (option::PROGRAM, &[ResourceType::Loader, ResourceType::Program]),
    (option::STATS, &[ResourceType::Statistics]),
    (option::STORAGE, &[ResourceType::Storage, ResourceType::Subpool, ResourceType::TaskSubpool]),
    (option::SYSDUMP, &[ResourceType::SystemDumps, ResourceType::SystemDumpCode]),
    (option::TRANDUMP, &[ResourceType::TransactionDumps, ResourceType::TransactionDumpCode]),
    (option::TDQUEUE, &[ResourceType::TransientData, ResourceType::TdQueue]),
    (option::TCLASS, &[ResourceType::Tranclass]),
    (option::TRANCLASS, &[ResourceType::Tranclass]),
    (option::TRANSACTION, &[ResourceType::TransactionManager, ResourceType::Transaction]),
    (option::TSQUEUE, &[ResourceType::TsQueue]),
];

fn perform(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let all = arguments.has(option::ALL);
    let mut types: Vec<ResourceType> = Vec::new();
    for (_, of) in PERFORMED.iter().filter(|(option, _)| all || arguments.has(*option)) {
        types.extend(of.iter().filter(|of| !types.contains(of)).copied().collect::<Vec<_>>());
    }
    let written = match all && arguments.has(option::RESETNOW) {
        true => recording::record_and_reset(region, Reason::RequestedReset),
        false => recording::record(region, &types, Reason::Requested),
    };
    if written { Ok(()) } else { raise(condition::IOERR, resp2::NOT_WRITTEN) }
}
