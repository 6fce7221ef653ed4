//! XMNOUT: exit programs see the performance class record of a task before it is written.
//!
//! The record has the fields that this region keeps, one after the other; the dictionary says what and where they are, as that of CICS does
//! (group, type, number, length, and Regent's offset and nickname). Counters have four bytes. A clock has eight bytes of the store clock's units
//! and four that are zero, because there is no count of its periods.

use super::Record;
use crate::control_blocks::application::{Context, NAME_LENGTH_MAX};
use crate::control_blocks::exit_structure::{ExitRecord, pack};
use crate::control_blocks::performance::FIELDS;
use crate::control_blocks::record::{store_clock, store_clock_interval};
use crate::{ExitArgument, Task};
use exec::exit_point;
use std::time::SystemTime;

/// The group that RMI=NO of the monitoring control table leaves out.
const RMI_GROUP: &str = "DFHRMI";
/// UEPMRTYP: performance class.
const PERFORMANCE: u16 = 3;
const COUNTER_BYTES: usize = 4;
const CLOCK_BYTES: usize = 12;
const TASK_NUMBER_BYTES: usize = 4;

/// A field with its value: group, type, number, nickname.
struct Field {
    group: &'static str,
    kind: &'static str,
    id: u16,
    nickname: &'static str,
    value: Vec<u8>,
}

fn fields(task: &Task, record: &Record) -> Vec<Field> {
    let page = &task.region.code_page;
    let text = |text: &str, length: usize| {
        let mut bytes = vec![page.space(); length];
        page.fill(text, &mut bytes);
        bytes
    };
    let code = |code: &[u8; 4]| text(&String::from_utf8_lossy(code).replace('\0', " "), 4);
    let clock = |time: std::time::Duration| {
        let mut bytes = store_clock_interval(time).to_be_bytes().to_vec();
        bytes.resize(CLOCK_BYTES, 0);
        bytes
    };
    let stop = SystemTime::now();
    let start = stop.checked_sub(record.times.elapsed).unwrap_or(stop);
    let moment = |time| store_clock(time, 0).to_be_bytes().to_vec();
    let field = |group, kind, id, nickname, value| Field { group, kind, id, nickname, value };
    let mut number = vec![0; TASK_NUMBER_BYTES];
    pack(&mut number, record.task_number.into());
    let context = record.context.as_deref();
    let [major, minor, micro] = context.map_or([0; 3], Context::version).map(|number| (number as i32).to_be_bytes().to_vec());
    let mut fields = vec![
        field("DFHTASK", "C", 1, "TRAN", text(record.transid.as_str(), 4)),
        field("DFHTERM", "C", 2, "TERM", text(record.terminal.as_str(), 4)),
        field("DFHCICS", "C", 89, "USERID", text(record.user_id.as_str(), 8)),
        field("DFHCICS", "T", 5, "START", moment(start)),
        field("DFHCICS", "T", 6, "STOP", moment(stop)),
        field("DFHTASK", "P", 31, "TRANNUM", number),
        field("DFHPROG", "C", 71, "PGMNAME", text(record.program.as_str(), 8)),
        field("DFHPROG", "C", 113, "ABCODEO", code(&record.original_abend_code)),
        field("DFHPROG", "C", 114, "ABCODEC", code(&record.abend_code)),
        field("DFHTASK", "A", 164, "TRANFLAG", record.flags.bytes().to_vec()),
        field("DFHCICS", "A", 370, "OTRANFLG", record.origin_flags().bytes().to_vec()),
        field("DFHTASK", "C", 451, "ACAPPLNM", text(context.map_or("", Context::name), NAME_LENGTH_MAX)),
        field("DFHTASK", "C", 452, "ACPLATNM", text(context.map_or("", Context::platform), NAME_LENGTH_MAX)),
        field("DFHTASK", "A", 453, "ACMAJVER", major),
        field("DFHTASK", "A", 454, "ACMINVER", minor),
        field("DFHTASK", "A", 455, "ACMICVER", micro),
        field("DFHTASK", "C", 456, "ACOPERNM", text(context.map_or("", |context| &context.operation), NAME_LENGTH_MAX)),
        field("DFHTASK", "S", 7, "USRDISPT", clock(record.times.dispatch)),
        field("DFHTASK", "S", 8, "USRCPUT", clock(record.times.cpu)),
        field("DFHTASK", "S", 14, "SUSPTIME", clock(record.times.suspend)),
    ];
    let has_rmi = task.region.monitoring().has_rmi();
    let of_record = FIELDS.iter().zip(record.counters.values()).filter(|((group, ..), _)| has_rmi || *group != RMI_GROUP);
    for ((group, id, nickname), value) in of_record {
        let value = u32::try_from(value).unwrap_or(u32::MAX).to_be_bytes().to_vec();
        debug_assert_eq!(value.len(), COUNTER_BYTES);
        fields.push(Field { group, kind: "A", id: *id, nickname, value });
    }
    fields
}

/// Calls the exit programs. What they did in a unit of work is committed: the task has none any more.
pub(super) fn is_wanted(task: &mut Task, record: &Record) -> bool {
    let page = &task.region.code_page;
    let fields = fields(task, record);
    let (mut dictionary, mut connectors, mut data) = (Vec::new(), Vec::new(), Vec::new());
    for (at, field) in fields.iter().enumerate() {
        let entry = ExitRecord::new("DFHMCTDR", page)
            .text("MCTDR_OWNER", field.group)
            .text("MCTDR_TYPE", field.kind)
            .text("MCTDR_ID", &format!("{:03}", field.id))
            .number("MCTDR_LENGTH", field.value.len() as u64)
            .number("MCTDR_CONNECTOR", at as u64 + 1)
            .number("MCTDR_OFFSET", data.len() as u64)
            .text("MCTDR_NAME", field.nickname);
        dictionary.extend(entry.into_bytes());
        connectors.extend((at as u16 + 1).to_be_bytes());
        data.extend(&field.value);
    }
    let count = ExitArgument::bytes(&(fields.len() as u32).to_be_bytes());
    let length = ExitArgument::bytes(&(data.len() as u32).to_be_bytes());
    let mut arguments = task.exit_identity();
    arguments.extend([
        ExitArgument::Bytes(dictionary),
        count.clone(),
        ExitArgument::Bytes(connectors),
        count,
        ExitArgument::bytes(&PERFORMANCE.to_be_bytes()),
        ExitArgument::Bytes(data),
        length,
    ]);
    let code = task.call_exit(exit_point::XMNOUT, &mut arguments);
    if task.syncpoint().is_err() {
        task.rollback();
    }
    code.is_ok_and(|code| !code.is("UERCBYP"))
}
