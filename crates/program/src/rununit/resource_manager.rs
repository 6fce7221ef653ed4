//! DFHRMCAL, the request of an application to a resource manager, which its task-related user exit takes, and DFHRMXCH, the exchange of that
//! exit with the resource manager.
//!
//! On the host DFHRMCAL is a macro of the stub that is linked to applications; here the stub calls a program of this name. The first argument
//! is the structure DFHRMCAL with the operands of the macro, the others are the parameters of the request.
//!
//! `unsafe` here reads the addresses of the arguments while the statement runs: see the parent module. `server/tests/user_exits/task_related.rs`
//! calls DFHRMCAL.

use super::host::ResourceManagerService;
use super::*;
use crate::requests::CallRequest;

fn service(name: &str) -> Option<ResourceManagerService> {
    match name {
        "DFHRMCAL" => Some(ResourceManagerService::Request),
        "DFHRMXCH" => Some(ResourceManagerService::Exchange),
        _ => None,
    }
}

impl RunUnit {
    /// A CALL of DFHRMCAL or DFHRMXCH; `None` if it is of another program.
    pub(super) fn resource_manager(&mut self, caller: FrameId, name: &str, request: &CallRequest) -> Option<Result<(), Departure>> {
        let service = service(name)?;
        let arguments: Vec<u32> = match request.argument_count as usize {
            0 => Vec::new(),
            count => unsafe { std::slice::from_raw_parts(request.arguments, count) }.to_vec(),
        };
        let answered = self.host().resource_manager(caller, service, &arguments);
        Some(answered.map(|response| self.header.return_code = response))
    }
}
