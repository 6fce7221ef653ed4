//! The commands of this domain. A handler is added to the list when it is written.

use crate::exec_interface::Handler;
use exec::CommandId;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[]
}
