//! Waits of a task in the thread of its worker, for a socket that is likely to be ready soon.
//!
//! Invariant: a thread that makes work available and finds no idle worker looks at the workers that wait in place, and such a worker sets its
//! bit and then looks for work once more. So either the worker sees the work, or the other thread clears the bit and rings the bell.

use super::core::{Core, Task};
use super::queues::claim;
use super::waits::{trace_resumed, trace_suspend};
use crate::clock::ticks;
use crate::task::account::skip_cpu_base;
use crate::wait::{Resumed, Wait};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fd::{BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

/// Longer than the system's own tick: a timer that is due sooner has to be set in the processor at each wait, which costs a virtual machine
/// more than the wait.
const TIME_MAX: Duration = Duration::from_millis(10);

/// Rung to end a worker's wait in place.
#[derive(Default)]
pub(super) struct Bell(OnceLock<Option<OwnedFd>>);

impl Bell {
    fn descriptor(&self) -> Option<&OwnedFd> {
        self.0.get_or_init(|| eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).ok()).as_ref()
    }

    fn ring(&self) {
        if let Some(descriptor) = self.descriptor() {
            // It fails only if the bell has been rung 2^64 times, so it is ringing.
            rustix::io::write(descriptor, &1u64.to_ne_bytes()).ok();
        }
    }

    fn silence(&self) {
        if let Some(descriptor) = self.descriptor() {
            rustix::io::read(descriptor, &mut [0; 8]).ok();
        }
    }
}

impl Task {
    /// Own task. Waits until the socket is ready for one of `events`, in the thread of the worker, which costs no switch of tasks or threads.
    /// Only a task under an open mode does, while nothing is ready to run and another worker is free for what becomes ready; the wait ends
    /// when this worker is needed after all, the task is purged, or 10 milliseconds have passed. It counts as a wait. False: the socket is not ready, and the task
    /// should suspend.
    pub fn wait_in_place(&self, wait: &Wait, socket: BorrowedFd<'_>, events: PollFlags, time_max: Option<Duration>) -> bool {
        self.assert_own();
        self.assert_no_lock();
        let core = &self.core;
        let others_free = core.idle.load(Ordering::SeqCst) != 0 || core.searching.load(Ordering::SeqCst) > 0;
        if self.mode().is_single() || !others_free || core.has_work() {
            return false;
        }
        let index = self.worker.load(Ordering::Relaxed) as usize - 1;
        let bell = &core.workers[index].bell;
        let Some(descriptor) = bell.descriptor() else { return false };
        let mut awaited = [PollFd::from_borrowed_fd(socket, events), PollFd::new(descriptor, PollFlags::IN)];
        let time = time_max.unwrap_or(TIME_MAX).min(TIME_MAX);
        let timeout = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
        self.note_wait(wait);
        trace_suspend("SUSPEND", wait);
        let (account, begun) = (self.account(), ticks());
        account.charge(self.mode(), begun);
        let bit = 1 << index;
        core.in_place.fetch_or(bit, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let may_wait = !core.has_work() && self.applicable_purge().is_none();
        let is_ready = may_wait && poll(&mut awaited, Some(&timeout)).is_ok() && !awaited[0].revents().is_empty();
        let is_interrupted = core.in_place.fetch_and(!bit, Ordering::SeqCst) & bit == 0;
        if is_interrupted || !awaited[1].revents().is_empty() {
            bell.silence();
        }
        if is_interrupted && is_ready && core.has_work() {
            // The task goes on, so this worker does not take the work that it was rung for.
            core.notify_worker();
        }
        let ended = ticks();
        account.suspends.add(1);
        self.count_wait(wait, ended.saturating_sub(begun));
        account.ready_at.set(ended);
        account.dispatched(self.mode(), ended);
        skip_cpu_base(ended.saturating_sub(begun));
        self.exec_state().begin_interval();
        trace_resumed("SUSPEND", if is_ready { Resumed::Posted(0) } else { Resumed::TimedOut });
        is_ready
    }
}

impl Core {
    /// One of these workers that waits in place gives its wait up: because it is needed, or because its task has been purged.
    #[cold]
    pub(super) fn interrupt(&self, workers: u64) {
        if let Some(worker) = claim(&self.in_place, workers) {
            self.workers[worker].bell.ring();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatcher::Config;

    fn rings(core: &Core, worker: usize) -> bool {
        let descriptor = core.workers[worker].bell.descriptor().expect("a descriptor");
        poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready == 1)
    }

    #[test]
    fn new_work_ends_one_wait_if_no_worker_is_idle_or_searching() {
        let core = Core::new(Config::default());
        core.in_place.store(0b1010, Ordering::SeqCst);
        core.searching.store(1, Ordering::SeqCst);
        core.notify_worker();
        core.searching.store(0, Ordering::SeqCst);
        core.idle.store(0b100, Ordering::SeqCst);
        core.notify_worker();
        assert_eq!(core.in_place.load(Ordering::SeqCst), 0b1010, "a searching or idle worker finds the work");
        core.idle.store(0, Ordering::SeqCst);
        core.searching.store(0, Ordering::SeqCst);
        core.notify_worker();
        assert_eq!(core.in_place.load(Ordering::SeqCst), 0b1000);
        assert_eq!([rings(&core, 1), rings(&core, 3)], [true, false]);
        core.workers[1].bell.silence();
        core.notify_worker();
        assert_eq!([rings(&core, 1), rings(&core, 3)], [false, true]);
    }

    #[test]
    fn a_purge_ends_the_wait_of_its_own_worker() {
        let core = Core::new(Config::default());
        core.in_place.store(0b1010, Ordering::SeqCst);
        core.interrupt(1 << 2);
        core.interrupt(1 << 3);
        assert_eq!(core.in_place.load(Ordering::SeqCst), 0b10);
        assert_eq!([rings(&core, 1), rings(&core, 2), rings(&core, 3)], [false, false, true]);
    }
}
