//! DELAY, START, RETRIEVE, CANCEL.

use crate::exec_interface::Handler;
use exec::CommandId;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[]
}
