//! Requests that are not yet due: STARTs, DELAYs with their waiting tasks, POSTs.
//!
//! Invariants: a request is in the table from its command until it either expires or is cancelled, and only one of the two happens: the
//! thread that removes it from the table acts on it. No START expires before control is given to the region.

use super::exits::{self, ExpiredElement};
use super::start::StartRequest;
use crate::clock::{Abstime, now_local};
use crate::event_wait::EventWaits;
use crate::figures::ResourceStatistics;
use crate::interval_control::TaskState;
use crate::name::{Name4, Name8};
use crate::{Decision, Region, Task};
use kernel::{TimerId, Waker};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

pub(super) enum Pending {
    Start(Box<StartRequest>, TimerId),
    /// Due, but control has not yet been given to the region; the number gives the order.
    Held(Box<StartRequest>, u64),
    /// A task in DELAY.
    Delay(Waker, Issuer),
    /// The address of a timer event control area.
    Post(usize, TimerId, Issuer),
}

/// The task that issued a DELAY or POST, and when it is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Issuer {
    pub transid: Name4,
    pub user_id: Name8,
    pub due: Abstime,
}

/// A request as INQUIRE REQID shows it.
pub(super) enum Outstanding {
    Start(Box<StartRequest>),
    OfTask { is_delay: bool, issuer: Issuer },
}

/// The result of CANCEL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancelled {
    NotFound,
    Yes,
    /// The store has the request too: it must go from there before the command ends.
    Persistent,
}

/// A task in RETRIEVE WAIT.
struct Retriever {
    terminal: Name4,
    transid: Name4,
    waker: Waker,
}

#[derive(Default)]
pub struct IntervalControl {
    pending: Mutex<FxHashMap<Name8, Pending>>,
    retrievers: Mutex<Vec<Retriever>>,
    pub(super) elements: super::element::Elements,
    next_id: AtomicU64,
    /// The programs of PLTPI have ended. Changed while the table is locked.
    in_control: AtomicBool,
    stopped: AtomicBool,
    next_held: AtomicU64,
    starts: AtomicU64,
    delays: AtomicU64,
    expired: AtomicU64,
    cancelled: AtomicU64,
}

impl IntervalControl {
    /// An identifier for a request that has none: `DF` and a number, opaque to programs like that of CICS.
    pub(super) fn new_request_id(&self) -> Name8 {
        let number = self.next_id.fetch_add(1, Ordering::Relaxed);
        Name8::new(&format!("DF{:06}", number % 1_000_000))
    }

    pub fn is_pending(&self, id: Name8) -> bool {
        self.pending.lock().contains_key(&id)
    }

    pub(super) fn request_ids(&self) -> Vec<Name8> {
        self.pending.lock().keys().copied().collect()
    }

    /// A request that has not expired.
    pub(super) fn outstanding(&self, id: Name8) -> Option<Outstanding> {
        Some(match self.pending.lock().get(&id)? {
            Pending::Start(request, _) | Pending::Held(request, _) => Outstanding::Start(request.clone()),
            Pending::Delay(_, issuer) => Outstanding::OfTask { is_delay: true, issuer: *issuer },
            Pending::Post(_, _, issuer) => Outstanding::OfTask { is_delay: false, issuer: *issuer },
        })
    }

    /// Whether a START of the transaction has not yet expired.
    pub fn is_scheduled(&self, transid: Name4) -> bool {
        self.pending.lock().values().any(|request| match request {
            Pending::Start(request, _) | Pending::Held(request, _) => request.transid == transid,
            Pending::Delay(..) | Pending::Post(..) => false,
        })
    }

    /// Whether a START that has not yet expired has data.
    pub(super) fn has_data(&self, id: Name8) -> bool {
        matches!(self.pending.lock().get(&id), Some(Pending::Start(request, _) | Pending::Held(request, _)) if request.data.data.is_some())
    }

    /// Carries a START out when it is due, at once if it is now.
    pub fn schedule(&self, region: &'static Region, request: StartRequest) {
        self.starts.fetch_add(1, Ordering::Relaxed);
        let delay = request.due.map_or(0, |due| due.0 - now_local().0);
        if delay <= 0 {
            self.expire_or_hold(region, request);
            return;
        }
        let id = request.request_id;
        // The timer may run before the table has the request: it waits for the lock.
        let mut pending = self.pending.lock();
        let timer = region.dispatcher.after(Duration::from_millis(delay as u64), move || IntervalControl::of(region).due(region, id));
        pending.insert(id, Pending::Start(Box::new(request), timer));
    }

    fn due(&self, region: &'static Region, id: Name8) {
        let request = self.take(region, id);
        self.expired.fetch_add(1, Ordering::Relaxed);
        match request {
            Some(Pending::Start(request, _)) if !self.stopped.load(Ordering::Acquire) => {
                let element = ExpiredElement::of_start(&request);
                exits::expired(region, element, move || Self::of(region).expire_or_hold(region, *request));
            }
            Some(Pending::Post(..)) => exits::expired(region, ExpiredElement::of_task(id), || ()),
            _ => {}
        }
    }

    /// A START issued by programs of PLTPI, or recovered by a restart, starts nothing before initialization has completed (System
    /// programming, "Second phase PLT programs").
    fn expire_or_hold(&self, region: &'static Region, request: StartRequest) {
        let mut pending = self.pending.lock();
        if !self.in_control.load(Ordering::Relaxed) {
            let number = self.next_held.fetch_add(1, Ordering::Relaxed);
            pending.insert(request.request_id, Pending::Held(Box::new(request), number));
            return;
        }
        drop(pending);
        request.expire(region);
    }

    /// Control is given to the region: requests that were due before start now, in the order of their expiry.
    pub fn begin(&self, region: &'static Region) {
        let mut held = Vec::new();
        {
            let mut pending = self.pending.lock();
            self.in_control.store(true, Ordering::Relaxed);
            let ids: Vec<Name8> = pending.iter().filter(|(_, request)| matches!(request, Pending::Held(..))).map(|(id, _)| *id).collect();
            for id in ids {
                if let Some(Pending::Held(request, number)) = pending.remove(&id) {
                    held.push((number, request));
                }
            }
        }
        held.sort_by_key(|(number, _)| *number);
        held.into_iter().for_each(|(_, request)| request.expire(region));
    }

    /// Removes a request from the table. A POST is carried out while the table is locked, because its area is freed once it is not in the
    /// table.
    fn take(&self, region: &Region, id: Name8) -> Option<Pending> {
        let mut pending = self.pending.lock();
        let request = pending.remove(&id);
        if let Some(Pending::Post(area, ..)) = &request {
            post(region, *area);
        }
        request
    }

    pub(super) fn add_delay(&self, id: Name8, waker: Waker, issuer: Issuer) {
        self.delays.fetch_add(1, Ordering::Relaxed);
        self.pending.lock().insert(id, Pending::Delay(waker, issuer));
    }

    pub(super) fn remove_delay(&self, id: Name8) {
        self.pending.lock().remove(&id);
    }

    pub(super) fn add_post(&self, region: &'static Region, id: Name8, address: usize, issuer: Issuer) {
        let delay = Duration::from_millis((issuer.due.0 - now_local().0).max(0) as u64);
        let mut pending = self.pending.lock();
        let timer = region.dispatcher.after(delay, move || IntervalControl::of(region).due(region, id));
        pending.insert(id, Pending::Post(address, timer, issuer));
    }

    /// Drops a POST without posting; one that has expired is already gone.
    pub(super) fn forget_post(&self, region: &Region, id: Name8, area: usize) {
        let mut pending = self.pending.lock();
        if let Some(Pending::Post(address, timer, _)) = pending.get(&id)
            && *address == area
        {
            region.dispatcher.cancel(*timer);
            pending.remove(&id);
        }
    }

    /// A task waits for the data of a START for its transaction and terminal (RETRIEVE WAIT).
    pub(super) fn add_retriever(&self, terminal: Name4, transid: Name4, waker: Waker) {
        let mut retrievers = self.retrievers.lock();
        retrievers.retain(|retriever| retriever.waker.is_live());
        retrievers.push(Retriever { terminal, transid, waker });
    }

    /// A START for the terminal has come.
    pub(super) fn started_at(&self, terminal: Name4, transid: Name4) {
        let mut retrievers = self.retrievers.lock();
        retrievers.retain(|retriever| {
            let is_for = retriever.terminal == terminal && retriever.transid == transid;
            !(is_for && {
                retriever.waker.resume();
                true
            })
        });
    }

    /// CANCEL of a request that has not expired.
    pub fn cancel(&self, region: &'static Region, id: Name8) -> Cancelled {
        let Some(request) = self.take(region, id) else { return Cancelled::NotFound };
        self.cancelled.fetch_add(1, Ordering::Relaxed);
        match request {
            Pending::Start(request, timer) => {
                region.dispatcher.cancel(timer);
                if request.data.persistent {
                    return Cancelled::Persistent;
                }
            }
            Pending::Held(request, _) => {
                if request.data.persistent {
                    return Cancelled::Persistent;
                }
            }
            Pending::Post(_, timer, _) => {
                region.dispatcher.cancel(timer);
            }
            Pending::Delay(waker, _) => {
                waker.resume();
            }
        }
        Cancelled::Yes
    }

    /// No request expires from now on.
    pub fn stop(&self, region: &'static Region) {
        self.stopped.store(true, Ordering::Release);
        // No more data will come for the waiting tasks: they get ENDDATA.
        for retriever in self.retrievers.lock().drain(..) {
            retriever.waker.resume();
        }
        let mut not_due = Vec::new();
        for (_, request) in self.pending.lock().drain() {
            match request {
                Pending::Start(request, timer) => {
                    region.dispatcher.cancel(timer);
                    not_due.push(*request);
                }
                Pending::Held(request, _) => not_due.push(*request),
                Pending::Post(_, timer, _) => {
                    region.dispatcher.cancel(timer);
                }
                Pending::Delay(..) => {}
            }
        }
        if let Err(error) = super::persistent::keep(region, &not_due) {
            tracing::warn!(target: "region::ic", %error, "STARTs could not be kept for the next start");
        }
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        vec![ResourceStatistics {
            resource: "INTERVAL CONTROL",
            name: String::new(),
            counters: vec![
                ("starts", count(&self.starts)),
                ("delays", count(&self.delays)),
                ("expired", count(&self.expired)),
                ("cancelled", count(&self.cancelled)),
                ("pending", self.pending.lock().len() as u64),
            ],
        }]
    }
}

/// A posted timer event control area: X'40' in its first byte, X'80' in its third, as programs test it.
const POSTED: [u8; 4] = [0x40, 0x00, 0x80, 0x00];

/// Marks a timer event control area posted.
fn post(region: &Region, address: usize) {
    let _ = crate::storage_access::write(address, &POSTED);
    EventWaits::of(region).posted(address);
}

/// Protected STARTs take effect with the unit of work.
pub(super) fn unit_of_work_ended(task: &mut Task, decision: Decision) {
    super::persistent::unit_of_work_over(task, decision);
    let protected = std::mem::take(&mut TaskState::of_mut(&mut task.parts).protected);
    if decision == Decision::Commit {
        for request in protected {
            IntervalControl::of(task.region).schedule(task.region, request);
        }
    }
}
