//! The sources of templates: files, queues, members of libraries, files of the machine.
//!
//! A template in a file or a queue is its records in their order; one in a file of the machine its lines, which are text in UTF-8 unless the
//! template is binary. With APPENDCRLF blanks at the end of a record are removed, and carriage return and line feed follow it. Source: CICS TS 5.5,
//! "Setting up document templates". Invariant: the commands that read a source leave the EIB of the program as it was.

use crate::template::{Source, Template, library};
use codepage::CodePage;
use exec::{CommandId, Condition, OptionId, command, condition, option};
use kernel::name::{Name4, Name8, Name16};
use region::exec_interface::call::Call;
use region::{Raised, Region, Task};
use std::path::{Path, PathBuf};

/// Longest template.
const TEMPLATE_BYTES_MAX: usize = 16 << 20;
/// Longest record of a file or a queue.
const RECORD_BYTES_MAX: usize = 32_767;
/// Longest item of a queue of temporary storage.
const ITEM_BYTES_MAX: usize = 32_763;
/// Longest key of a record.
const KEY_BYTES_MAX: usize = 255;
/// The REQID of the browse of a file, so that browses of the program go on.
const BROWSE_REQID: i64 = 0x7FFF;
/// The extension of a program that is a template, in a library.
const PROGRAM_EXTENSION: &str = "template";

/// Why a template is not read.
#[derive(Debug)]
pub enum Unread {
    /// There is no such template.
    NotFound,
    /// It is there, but its source cannot be read.
    Failed(String),
    /// The task abends.
    Raised(Raised),
}

impl From<Raised> for Unread {
    fn from(raised: Raised) -> Unread {
        Unread::Raised(raised)
    }
}

/// The records of a template put together.
struct Records {
    page: &'static CodePage,
    appends_crlf: bool,
    data: Vec<u8>,
}

impl Records {
    fn add(&mut self, record: &[u8]) -> Result<(), Unread> {
        if self.appends_crlf {
            let end = record.iter().rposition(|byte| *byte != self.page.space).map_or(0, |last| last + 1);
            self.data.extend(&record[..end]);
            self.data.extend([self.page.ascii(b'\r'), self.page.ascii(b'\n')]);
        } else {
            self.data.extend(record);
        }
        if self.data.len() > TEMPLATE_BYTES_MAX {
            return Err(Unread::Failed(format!("it is longer than {TEMPLATE_BYTES_MAX} bytes")));
        }
        Ok(())
    }
}

/// Reads a template that is in no exit program.
///
/// # Errors
///
/// Why it cannot be read.
pub fn read(task: &mut Task, template: &Template) -> Result<Vec<u8>, Unread> {
    let mut records = Records { page: task.region.code_page.page(), appends_crlf: template.appends_crlf, data: Vec::new() };
    match &template.source {
        Source::File(file) => with_own_eib(task, |task| file_records(task, *file, &mut records))?,
        Source::TsQueue(queue) => with_own_eib(task, |task| ts_items(task, *queue, &mut records))?,
        Source::TdQueue(queue) => with_own_eib(task, |task| td_records(task, *queue, &mut records))?,
        Source::Program(_) | Source::Member { .. } | Source::HfsFile(_) => {
            let path = path_of(task.region, &template.source)?;
            task.on_resource_owning_tcb(|_| machine_file(&path, template.is_binary, &mut records))?;
        }
        Source::ExitProgram(program) => return Err(Unread::Failed(format!("program {program} makes it"))),
    }
    Ok(records.data)
}

/// Commands of the region itself, between which and the program's own the EIB does not change.
fn with_own_eib<T>(task: &mut Task, work: impl FnOnce(&mut Task) -> Result<T, Unread>) -> Result<T, Unread> {
    let (eib, command) = (*task.eib.bytes(), task.command);
    let done = work(task);
    task.eib.set(0, &eib);
    task.command = command;
    task.eib.flush().map_err(Raised::from)?;
    done
}

/// The file of the machine that has a template.
fn path_of(region: &Region, source: &Source) -> Result<PathBuf, Unread> {
    match source {
        Source::HfsFile(path) => match region.data_directory.join(path) {
            path if region.is_of_security(&path) => Err(Unread::Failed("it is a file of the security database".to_string())),
            path => Ok(path),
        },
        Source::Program(name) => match region.programs().find_member(*name, PROGRAM_EXTENSION) {
            Some((_, path)) => Ok(path),
            None => Err(Unread::Failed(format!("no library has {}.{PROGRAM_EXTENSION}", name.as_str()))),
        },
        Source::Member { ddname, member } => {
            let Some(directory) = library(region, ddname) else { return Err(Unread::Failed(format!("{ddname} is not allocated"))) };
            member_of(&directory, member.as_str()).ok_or_else(|| Unread::Failed(format!("{ddname} has no member {member}")))
        }
        _ => Err(Unread::NotFound),
    }
}

/// The file of a member: its name before the first full stop is that of the member, in letters of any case.
fn member_of(directory: &Path, member: &str) -> Option<PathBuf> {
    let is_member = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        path.is_file() && name.split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case(member))
    };
    std::fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path()).filter(is_member).min()
}

fn machine_file(path: &Path, is_binary: bool, records: &mut Records) -> Result<(), Unread> {
    let fault = |error: std::io::Error| Unread::Failed(format!("{}: {error}", path.display()));
    let length = std::fs::metadata(path).map_err(fault)?.len();
    if length > TEMPLATE_BYTES_MAX as u64 {
        return Err(Unread::Failed(format!("{} is longer than {TEMPLATE_BYTES_MAX} bytes", path.display())));
    }
    let bytes = std::fs::read(path).map_err(fault)?;
    if is_binary {
        records.data = bytes;
        return Ok(());
    }
    let text = String::from_utf8(bytes).map_err(|_| Unread::Failed(format!("{} is not text in UTF-8", path.display())))?;
    text.lines().try_for_each(|line| records.add(&records.page.encode(line)))
}

/// What a command read, or the condition it raised.
fn record_read(task: &mut Task, mut call: Call, record_max: usize) -> Result<Result<(Vec<u8>, Call), Condition>, Unread> {
    call.bytes(option::INTO, &vec![0; record_max]).integer(option::LENGTH, record_max as i64);
    let response = call.execute(task)?;
    if !response.is_normal() {
        return Ok(Err(response.condition));
    }
    let length = call.result(option::LENGTH).unwrap_or(0).clamp(0, record_max as i64) as usize;
    let mut record = call.result_bytes(option::INTO);
    record.truncate(length);
    Ok(Ok((record, call)))
}

fn failed<T>(command: CommandId, resource: &str, condition: Condition) -> Result<T, Unread> {
    Err(Unread::Failed(format!("{} {resource}: {}", command.checked().map_or("", |spec| spec.name), condition.name())))
}

fn ts_items(task: &mut Task, queue: Name16, records: &mut Records) -> Result<(), Unread> {
    let name = task.region.code_page.encode_name(&queue);
    for item in 1.. {
        let mut call = Call::new(command::READQ_TS);
        call.bytes(option::QNAME, &name).integer(option::ITEM, item);
        match record_read(task, call, ITEM_BYTES_MAX)? {
            Ok((record, _)) => records.add(&record)?,
            Err(condition::ITEMERR) if item > 1 => break,
            Err(condition) => return failed(command::READQ_TS, queue.as_str(), condition),
        }
    }
    Ok(())
}

/// A queue of transient data is read to its end, and is empty then.
fn td_records(task: &mut Task, queue: Name4, records: &mut Records) -> Result<(), Unread> {
    let name = task.region.code_page.encode_name(&queue);
    loop {
        let mut call = Call::new(command::READQ_TD);
        call.bytes(option::QUEUE, &name);
        match record_read(task, call, RECORD_BYTES_MAX)? {
            Ok((record, _)) => records.add(&record)?,
            Err(condition::QZERO) => return Ok(()),
            Err(condition) => return failed(command::READQ_TD, queue.as_str(), condition),
        }
    }
}

/// How the records of a file are named; the organization of the file decides which one it takes.
const IDENTIFICATIONS: [Option<OptionId>; 3] = [None, Some(option::RBA), Some(option::RRN)];

fn file_records(task: &mut Task, file: Name8, records: &mut Records) -> Result<(), Unread> {
    let name = task.region.code_page.encode_name(&file);
    let mut identification = None;
    let mut refusal = condition::INVREQ;
    for named in IDENTIFICATIONS {
        let mut start = Call::new(command::STARTBR);
        start.bytes(option::FILE, &name).integer(option::REQID, BROWSE_REQID);
        match named {
            None => start.bytes(option::RIDFLD, &[0; KEY_BYTES_MAX]).flag(option::GENERIC).integer(option::KEYLENGTH, 0).flag(option::GTEQ),
            Some(option::RRN) => start.bytes(option::RIDFLD, &1_u32.to_be_bytes()).flag(option::RRN).flag(option::GTEQ),
            Some(kind) => start.bytes(option::RIDFLD, &[0; 4]).flag(kind),
        };
        let response = start.execute(task)?;
        if response.is_normal() {
            identification = Some(named);
            break;
        }
        refusal = response.condition;
        if refusal == condition::NOTFND {
            // A file without records.
            return Ok(());
        }
    }
    let Some(named) = identification else { return failed(command::STARTBR, file.as_str(), refusal) };
    let read = browse(task, &name, named, records);
    let mut end = Call::new(command::ENDBR);
    end.bytes(option::FILE, &name).integer(option::REQID, BROWSE_REQID).execute(task)?;
    match read? {
        condition::ENDFILE => Ok(()),
        condition => failed(command::READNEXT, file.as_str(), condition),
    }
}

/// Reads records until a condition.
fn browse(task: &mut Task, file: &[u8], named: Option<OptionId>, records: &mut Records) -> Result<Condition, Unread> {
    let mut identification = vec![0; KEY_BYTES_MAX];
    loop {
        let mut call = Call::new(command::READNEXT);
        call.bytes(option::FILE, file).bytes(option::RIDFLD, &identification).integer(option::REQID, BROWSE_REQID);
        if let Some(kind) = named {
            call.flag(kind);
        }
        match record_read(task, call, RECORD_BYTES_MAX)? {
            Ok((record, call)) => {
                identification = call.result_bytes(option::RIDFLD);
                records.add(&record)?;
            }
            Err(condition) => return Ok(condition),
        }
    }
}
