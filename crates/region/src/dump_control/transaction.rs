//! DUMP TRANSACTION.

use crate::dump::{self, DumpNumbers, TaskState, cause};
use crate::{Abend, Arguments, Outcome, Task, raise};
use exec::resp2::dump_requests as resp2;
use exec::{condition, option};

pub(super) fn dump(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let code = arguments.name::<4>(option::DUMPCODE)?.unwrap_or_default();
    if code.is_blank() || code.as_bytes().contains(&b' ') && code.as_str().contains(' ') {
        return raise(condition::INVREQ, resp2::DUMPCODE);
    }
    let region = task.region;
    let id = DumpNumbers::of(region).next();
    let mut request = Abend::new(code.as_str()).because("EXEC CICS DUMP TRANSACTION");
    request.program = task.program_name();
    request.line = arguments.line;
    let transid = task.transid;
    region.messages.send("DFHDU0203", &[("abcode", code.as_str()), ("dumpid", &id), ("transid", transid.as_str())]);
    let running = cause::running_programs(task);
    let before = std::mem::replace(&mut TaskState::of_mut(&mut task.parts).snapshots, running);
    dump::transaction::write(region, task, &request, &id);
    TaskState::of_mut(&mut task.parts).snapshots = before;
    arguments.set_text(option::DUMPID, &id)
}
