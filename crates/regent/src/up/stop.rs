//! SIGTERM and Ctrl-C: the first signal shuts the region down in an orderly way, the second one at once.
//!
//! Invariant: the process ends within [`FORCED_AFTER`] and [`CLOSE_TIME_MAX`] of a second signal, whatever the region is doing or waiting
//! for. The log of the store has every committed unit of work, so a forced end loses none: the next start is an emergency start.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;
use region::Region;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::output;

/// The time for a region to stop by itself after a second signal.
const FORCED_AFTER: Duration = Duration::from_secs(8);
/// The time for the store to close after that.
const CLOSE_TIME_MAX: Duration = Duration::from_secs(3);
/// Exit code of a process that ended while its region did not stop.
const FORCED_EXIT_CODE: i32 = 12;

/// An event in the life of the region.
pub enum Event {
    /// A signal came; the number tells which.
    Signal(u32),
    Stopped,
}

/// The thread that watches for signals, and passes them to the region.
pub struct Watch {
    shared: Arc<Shared>,
    events: Receiver<Event>,
    handle: Handle,
}

struct Shared {
    store: Arc<vsam::Store>,
    state: Mutex<State>,
    events: Sender<Event>,
}

#[derive(Default)]
struct State {
    signals: u32,
    region: Option<&'static Region>,
}

impl Watch {
    /// Called before any other thread is started, so that only this one receives the signals.
    pub fn begin(store: Arc<vsam::Store>) -> io::Result<Watch> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let (sender, events) = channel();
        let shared = Arc::new(Shared { store, state: Mutex::default(), events: sender });
        let watcher = shared.clone();
        std::thread::Builder::new().name("signals".to_string()).spawn(move || {
            for _ in signals.forever() {
                watcher.signal();
            }
        })?;
        Ok(Watch { shared, events, handle })
    }

    /// For `RegionConfig::created`: signals reach the region from then on, during its initialization too.
    pub fn on_created(&self) -> Box<dyn FnOnce(&'static Region)> {
        let shared = self.shared.clone();
        Box::new(move |region| shared.created(region))
    }

    /// The next thing that happens.
    pub fn next(&self) -> Event {
        self.events.recv().unwrap_or(Event::Stopped)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.handle.close();
    }
}

impl Shared {
    fn created(&self, region: &'static Region) {
        let sender = self.events.clone();
        std::thread::spawn(move || {
            region.wait_until_stopped();
            let _ = sender.send(Event::Stopped);
        });
        let mut state = self.state.lock();
        state.region = Some(region);
        if state.signals > 0 {
            let immediate = state.signals > 1;
            std::thread::spawn(move || region.shutdown(immediate));
        }
    }

    fn signal(self: &Arc<Self>) {
        let (signals, region) = {
            let mut state = self.state.lock();
            state.signals += 1;
            (state.signals, state.region)
        };
        if let Some(region) = region {
            std::thread::spawn(move || region.shutdown(signals > 1));
        }
        if signals == 2 {
            let shared = self.clone();
            std::thread::spawn(move || shared.force());
        }
        let _ = self.events.send(Event::Signal(signals));
    }

    /// Ends the process if the region has not done so by itself.
    fn force(&self) {
        std::thread::sleep(FORCED_AFTER);
        tracing::error!("the region does not stop: the process ends without it");
        let (store, (sender, closed)) = (self.store.clone(), channel());
        std::thread::spawn(move || {
            let _ = sender.send(store.close().is_ok());
        });
        let _ = closed.recv_timeout(CLOSE_TIME_MAX);
        output::drain();
        std::process::exit(FORCED_EXIT_CODE);
    }
}
