//! TCBs that are threads of the region's own: the listener of sockets (SL) is one. They run no tasks; their mode reports them.
//!
//! Invariants: a service TCB belongs to the thread that attached it, and only that thread writes its figures; it is attached until it is
//! dropped, and its figures stay in those of its mode.

use super::Dispatcher;
use super::core::Core;
use crate::clock::{thread_cpu_ns, ticks, ticks_to_duration};
use crate::mode::{MODE_COUNT, Mode};
use crate::task::account::Counter;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The figures of one service TCB, for other threads to read.
pub(super) struct Service {
    mode: Mode,
    /// The identifier that the system gave the thread.
    thread: u32,
    /// When the thread began to run; 0 while it waits.
    running_since: AtomicU64,
    dispatch_ticks: Counter,
    cpu_ns: AtomicU64,
}

/// The service TCBs of a mode together.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ServiceFigures {
    pub attached: u32,
    pub attached_peak: u32,
    pub in_use: u32,
    pub in_use_peak: u32,
    pub attaches: u64,
    pub dispatch: Duration,
    pub cpu: Duration,
}

/// All service TCBs of a dispatcher: those attached, and what those detached have used.
#[derive(Default)]
pub(super) struct Services {
    attached: Vec<Arc<Service>>,
    of_mode: [ServiceFigures; MODE_COUNT],
}

impl Services {
    /// The figures of a mode, with those of the TCBs that are attached.
    pub fn figures(&self, mode: Mode) -> ServiceFigures {
        let mut figures = self.of_mode[mode as usize];
        for service in self.attached.iter().filter(|service| service.mode == mode) {
            let since = service.running_since.load(Ordering::Relaxed);
            let running = if since == 0 { 0 } else { ticks().saturating_sub(since) };
            figures.in_use += u32::from(since != 0);
            figures.dispatch += ticks_to_duration(service.dispatch_ticks.get() + running);
            figures.cpu += Duration::from_nanos(service.cpu_ns.load(Ordering::Relaxed));
        }
        debug_assert!(figures.in_use <= figures.attached && figures.attached <= figures.attached_peak);
        figures
    }
}

/// The calling thread as a TCB of a mode, from [`Dispatcher::attach_service_tcb`] to its drop. It stays on its thread.
pub struct ServiceTcb {
    core: Arc<Core>,
    service: Arc<Service>,
    cpu_base_ns: u64,
    /// Of one thread: its processor time is read there.
    _of_this_thread: PhantomData<*const ()>,
}

impl Dispatcher {
    /// Identifiers of the threads that are TCBs of CICS: the workers, which run tasks under any mode, and the service TCBs.
    pub fn tcb_threads(&self) -> Vec<u32> {
        let workers = self.0.workers.iter().filter(|slot| slot.started.load(Ordering::Relaxed));
        let mut threads: Vec<u32> = workers.map(|slot| slot.thread_id.load(Ordering::Relaxed) as u32).collect();
        threads.extend(self.0.services.lock().attached.iter().map(|service| service.thread));
        threads
    }

    /// Makes the calling thread a TCB of a mode that the region's own work uses. It counts as running until it says that it waits.
    pub fn attach_service_tcb(&self, mode: Mode) -> ServiceTcb {
        debug_assert!(super::current().is_none(), "a task runs on a worker");
        debug_assert!(mode != Mode::Qr && mode.pool().is_none(), "QR is for tasks, and a pooled TCB belongs to a task");
        let service = Arc::new(Service {
            mode,
            thread: crate::threads::current(),
            running_since: AtomicU64::new(ticks().max(1)),
            dispatch_ticks: Counter::default(),
            cpu_ns: AtomicU64::new(0),
        });
        let mut services = self.0.services.lock();
        services.attached.push(service.clone());
        let figures = &mut services.of_mode[mode as usize];
        figures.attached += 1;
        figures.attaches += 1;
        figures.attached_peak = figures.attached_peak.max(figures.attached);
        // A thread runs as soon as it is attached.
        figures.in_use_peak = figures.attached_peak;
        drop(services);
        ServiceTcb { core: self.0.clone(), service, cpu_base_ns: thread_cpu_ns(), _of_this_thread: PhantomData }
    }
}

impl ServiceTcb {
    /// The thread is about to wait.
    pub fn waits(&self) {
        let since = self.service.running_since.swap(0, Ordering::Relaxed);
        debug_assert_ne!(since, 0, "a TCB that waits has run");
        self.service.dispatch_ticks.add(ticks().saturating_sub(since));
        self.service.cpu_ns.store(thread_cpu_ns().saturating_sub(self.cpu_base_ns), Ordering::Relaxed);
    }

    /// The thread runs again.
    pub fn runs(&self) {
        debug_assert_eq!(self.service.running_since.load(Ordering::Relaxed), 0, "a TCB that runs again has waited");
        self.service.running_since.store(ticks().max(1), Ordering::Relaxed);
    }
}

impl Drop for ServiceTcb {
    fn drop(&mut self) {
        if self.service.running_since.load(Ordering::Relaxed) != 0 {
            self.waits();
        }
        let mut services = self.core.services.lock();
        services.attached.retain(|service| !Arc::ptr_eq(service, &self.service));
        let figures = &mut services.of_mode[self.service.mode as usize];
        figures.attached -= 1;
        figures.dispatch += ticks_to_duration(self.service.dispatch_ticks.get());
        figures.cpu += Duration::from_nanos(self.service.cpu_ns.load(Ordering::Relaxed));
    }
}
