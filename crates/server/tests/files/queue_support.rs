//! Requests for temporary storage queues, common to all kinds of queues.

use super::support::*;
use exec::{CommandId, command, condition, option};
use region::exec_interface::Call;
use region::{Raised, Task};

pub const QIDERR: (u16, i32) = (condition::QIDERR.0, 0);
pub const ITEMERR: (u16, i32) = (condition::ITEMERR.0, 0);

pub fn on_queue(task: &mut Task, command: CommandId, queue: &str, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    issue(task, command, |call| {
        call.bytes(option::QUEUE, &e(queue));
        build(call);
    })
}

pub fn put(task: &mut Task, queue: &str, text: &str) -> Result<(u16, i32), Raised> {
    on_queue(task, command::WRITEQ_TS, queue, |call| {
        call.bytes(option::FROM, &e(text));
    })
    .map(|reply| reply.code)
}

/// The text of an item, of the next one without a number.
pub fn get(task: &mut Task, queue: &str, item: Option<i64>) -> Result<Result<String, (u16, i32)>, Raised> {
    let reply = on_queue(task, command::READQ_TS, queue, |call| {
        call.bytes(option::INTO, &[0; 50]).integer(option::LENGTH, 50);
        match item {
            Some(item) => call.integer(option::ITEM, item),
            None => call.flag(option::NEXT),
        };
    })?;
    let length = reply.number(option::LENGTH).clamp(0, 50) as usize;
    let text = t(&reply.call.result_bytes(option::INTO)[..length]);
    Ok(if reply.code == NORMAL { Ok(text) } else { Err(reply.code) })
}

pub fn delete(task: &mut Task, queue: &str) -> Result<(u16, i32), Raised> {
    on_queue(task, command::DELETEQ_TS, queue, |_| {}).map(|reply| reply.code)
}

pub fn ok(text: &str) -> Result<String, (u16, i32)> {
    Ok(text.to_string())
}
