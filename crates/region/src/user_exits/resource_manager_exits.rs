//! XRMIIN and XRMIOUT: the exit points around a request to a resource manager.

use super::{TaskState, Token};
use crate::name::Name8;
use crate::{ExitArgument, Task};
use exec::ExitPoint;

/// Calls the exit programs of a point. `list` is the parameter list of the request, if it has one. A purge is noticed by the gate of the
/// request.
pub fn call(task: &mut Task, point: ExitPoint, exit: Name8, list: Option<usize>) {
    if !task.has_exit(point) {
        return;
    }
    let name = task.region.code_page.encode_name(&exit);
    let recursion = TaskState::of(&task.parts).recursion(point).to_be_bytes();
    let token = ExitArgument::bytes(&Token::default());
    let list = list.map_or(ExitArgument::Absent, ExitArgument::Address);
    let _ = task.call_exit(point, &mut [ExitArgument::bytes(&name), list, token, ExitArgument::bytes(&recursion)]);
}
