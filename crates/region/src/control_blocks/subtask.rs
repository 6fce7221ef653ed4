//! Work of a task that leaves QR for a TCB of its own: input and output for CO, data sets of the region for RO.
//!
//! With SUBTSKS=1 input and output of a task on QR moves to the concurrent TCB (CO), so that QR serves other tasks meanwhile.
//!
//! These requests move ("Using VSAM subtasking", improving performance): WRITE to a KSDS that is not accessed in RLS mode, and requests for
//! auxiliary temporary storage and intrapartition transient data. All other file control requests stay. A task that is not on QR stays
//! where it is: from an open TCB there is nothing to move away from (APAR PH05298).
//!
//! Passwords are verified on the open TCB of the task, or on an L8 (DSP-45).
//!
//! Invariant: only the access to the store runs on CO. Program storage is read before and written afterwards, on the program's own TCB.

use crate::{Raised, Task};
use kernel::{Mode, Wait};

impl Task {
    /// Runs an access to the store on CO if SUBTSKS=1 and the task is on QR. The access may suspend the task.
    pub fn on_io_subtask<T>(&mut self, access: impl FnOnce(&mut Task) -> T) -> T {
        if !self.region.uses_io_subtask || self.kernel.mode() != Mode::Qr {
            return access(self);
        }
        let changed = self.kernel.change_mode(Mode::Co);
        let done = access(self);
        let changed_back = self.kernel.change_mode(Mode::Qr);
        debug_assert!(changed.is_ok() && changed_back.is_ok(), "a purge does not end the wait for a single TCB");
        done
    }

    /// Work on data sets of the region, which is done on the resource owning TCB (RO), also for a task on an open TCB: libraries, dump data sets,
    /// auxiliary trace, files of transient data. Those of files are for FO.
    pub fn on_resource_owning_tcb<T>(&mut self, work: impl FnOnce(&mut Task) -> T) -> T {
        let before = self.kernel.mode();
        let changed = self.kernel.change_mode(Mode::Ro);
        let done = work(self);
        let changed_back = self.kernel.change_mode(before);
        debug_assert!(changed.is_ok() && changed_back.is_ok(), "a task keeps its open TCB, and a purge does not end the wait for RO");
        done
    }

    /// Verifies a password, which is made to take long: on the open TCB of the task, or on an L8 that it changes to and back from. The work
    /// may block.
    ///
    /// # Errors
    ///
    /// The abend of a task that is purged while it waits for a TCB.
    pub fn on_open_tcb<T: Send>(&mut self, wait: &Wait, work: impl FnOnce() -> T + Send) -> Result<T, Raised> {
        let before = self.kernel.mode();
        let purged = |_| Raised::Abend(Box::new(Task::purge_abend()));
        if !before.is_open() {
            self.kernel.change_mode(Mode::L8).map_err(purged)?;
        }
        let done = self.kernel.run_blocking(wait, work);
        if !before.is_open() {
            self.kernel.change_mode(before).map_err(purged)?;
        }
        Ok(done)
    }
}
