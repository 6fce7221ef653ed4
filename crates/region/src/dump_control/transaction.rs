//! DUMP TRANSACTION, and DUMP as it was called before.

use crate::dump::data_sets::Unwritten;
use crate::dump::transaction::{self, Outcome as Taken, Parts};
use crate::dump::{cause, codes};
use crate::storage_access::Area;
use crate::{Abend, Arguments, Outcome, Raised, Task, raise};
use exec::resp2::dump_requests as resp2;
use exec::{OptionId, condition, option};

/// Most segments of a request.
const SEGMENTS_MAX: i64 = 1000;
/// The CICS tables, and the resources that are in them.
const TABLES: [(OptionId, &str); 6] = [
    (option::FCT, "FILE"),
    (option::PCT, "TRANSACTION"),
    (option::PPT, "PROGRAM"),
    (option::SIT, "SIT"),
    (option::TCT, "TERMINAL"),
    (option::DCT, "TDQUEUE"),
];
/// The options that say what of the task is dumped.
const OF_TASK: [OptionId; 5] = [option::TASK, option::STORAGE, option::PROGRAM, option::TERMINAL, option::TRT];

pub(super) fn dump(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let code = arguments.text(option::DUMPCODE)?.unwrap_or_default();
    let parts = parts(arguments)?;
    let mut request = Abend::new(&code).because("EXEC CICS DUMP TRANSACTION");
    request.program = task.program_name();
    request.line = arguments.line;
    let is_valid = codes::of_abend(&request.code).is_some();
    let programs = if parts.programs { cause::running_programs(task) } else { Vec::new() };
    let taken = transaction::request(task, &request, programs, parts);
    if let Taken::Written { id, .. } | Taken::Failed { id, .. } = &taken {
        arguments.set_text(option::DUMPID, id)?;
    }
    match taken {
        // The dump is taken, but the code has no entry in the dump table.
        Taken::Written { .. } if !is_valid => raise(condition::INVREQ, resp2::DUMPCODE),
        Taken::Written { .. } => Ok(()),
        Taken::Suppressed => raise(condition::SUPPRESSED, resp2::SUPPRESSED_BY_TABLE),
        Taken::Failed { why, .. } => Err(raised(&why)),
    }
}

fn raised(why: &Unwritten) -> Raised {
    match why {
        Unwritten::NotOpen => Raised::new(condition::NOTOPEN, resp2::DATA_SET_NOT_OPEN),
        Unwritten::OpenError(_) => Raised::new(condition::OPENERR, resp2::DATA_SET_OPEN_ERROR),
        Unwritten::Full(_) => Raised::new(condition::NOSPACE, resp2::NO_SPACE),
        Unwritten::Io(_) => Raised::new(condition::IOERR, resp2::NOT_WRITTEN),
    }
}

/// What the options ask for. Without any it is the areas of the task ("DUMP TRANSACTION").
fn parts(arguments: &Arguments) -> Result<Parts, Raised> {
    let has = |option| arguments.has(option);
    let complete = has(option::COMPLETE);
    let mut parts = Parts { segments: segments(arguments)?, ..Parts::default() };
    let named = |(option, _): &(OptionId, &str)| complete || has(option::TABLES) || has(*option);
    parts.tables = TABLES.into_iter().filter(named).map(|(_, resource)| resource).collect();
    let names_nothing = !OF_TASK.into_iter().any(has) && parts.tables.is_empty() && parts.segments.is_empty();
    if complete || has(option::TASK) || names_nothing {
        return Ok(Parts { tables: parts.tables, segments: parts.segments, ..Parts::of_task() });
    }
    parts.storage = has(option::STORAGE);
    parts.programs = has(option::PROGRAM);
    parts.terminal = has(option::TERMINAL);
    parts.trace = has(option::TRT);
    Ok(parts)
}

/// FROM, and the segments of SEGMENTLIST, whose lengths are in LENGTHLIST.
fn segments(arguments: &Arguments) -> Result<Vec<Area>, Raised> {
    let mut segments = Vec::new();
    if let Some(area) = arguments.area(option::FROM) {
        let length = arguments.integer(option::LENGTH).or(arguments.integer(option::FLENGTH)).unwrap_or(area.length as i64);
        segments.push(Area::new(area.address, usize::try_from(length).map_err(|_| negative())?));
    }
    let Some(count) = arguments.integer(option::NUMSEGMENTS) else { return Ok(segments) };
    if !(0..=SEGMENTS_MAX).contains(&count) {
        return Err(negative());
    }
    let list = |option| arguments.bytes_of_length(option, count as usize * 4);
    let (addresses, lengths) = (list(option::SEGMENTLIST)?.unwrap_or_default(), list(option::LENGTHLIST)?.unwrap_or_default());
    let word = |bytes: &[u8]| bytes.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
    for (address, length) in addresses.chunks_exact(4).zip(lengths.chunks_exact(4)) {
        let length = usize::try_from(word(length) as i32).map_err(|_| negative())?;
        segments.push(Area::new(word(address) as usize, length));
    }
    Ok(segments)
}

/// A length or a number of segments that cannot be.
fn negative() -> Raised {
    Raised::new(condition::INVREQ, resp2::LENGTHS)
}
