//! The thread that takes entries from the table to the auxiliary trace data sets and to the stream.
//!
//! Invariants: entries leave the table in one place, [`drain`], under the lock of the destinations, so each goes to each destination once and in
//! the order of the times of one drain; a task that changes a destination does so by a thread that may wait (`run_blocking`).

use super::auxiliary::{Auxiliary, Configuration, Switch};
use super::entry::pieces;
use super::stream::Stream;
use super::{LOST, Value, exception, file, points, settings};
use parking_lot::{Condvar, Mutex};
use std::io;
use std::sync::Once;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Between two drains while a destination is active; what a region loses of the trace when it is killed.
const PERIOD: Duration = Duration::from_millis(20);
/// Between two looks for followers otherwise.
const IDLE_PERIOD: Duration = Duration::from_millis(100);

struct Destinations {
    auxiliary: Auxiliary,
    stream: Stream,
}

static DESTINATIONS: Mutex<Destinations> = Mutex::new(Destinations { auxiliary: Auxiliary::NEW, stream: Stream::NEW });
static CHANGED: Condvar = Condvar::new();

impl Destinations {
    fn drain(&mut self) {
        if !settings::exports() {
            return;
        }
        let lost = LOST.swap(0, Ordering::Relaxed);
        if lost > 0 {
            exception(&points::TR_LOST, &[Value::Text("WRITE_TRACE"), Value::Number(lost)]);
        }
        let entries = super::exported();
        for chunk in pieces(&entries, self.auxiliary.chunk_bytes()) {
            self.auxiliary.write(chunk);
            self.stream.send(chunk);
        }
    }
}

/// Gives the destinations of a region their places and starts the thread. An error of the stream leaves it without followers.
pub fn configure(configuration: Configuration) -> io::Result<()> {
    static STARTED: Once = Once::new();
    let mut destinations = DESTINATIONS.lock();
    destinations.stream.close();
    let opened = destinations.stream.open(&configuration.directory, configuration.description(file::STREAM));
    destinations.auxiliary.configure(configuration);
    STARTED.call_once(|| {
        // Without the thread, entries are written when a destination is changed and at the end of the region.
        let _ = std::thread::Builder::new().name("trace".to_string()).spawn(run);
    });
    opened
}

fn run() {
    let mut destinations = DESTINATIONS.lock();
    loop {
        destinations.stream.accept();
        destinations.drain();
        let period = if settings::exports() { PERIOD } else { IDLE_PERIOD };
        CHANGED.wait_for(&mut destinations, period);
    }
}

/// What is in the table goes to the destinations that are active, then `change` changes them. It may wait for the disk.
fn change<T>(change: impl FnOnce(&mut Destinations) -> T) -> T {
    let mut destinations = DESTINATIONS.lock();
    if settings::exports() {
        destinations.drain();
    } else {
        super::table().skip_export();
        super::PENDING.lock().clear();
    }
    let changed = change(&mut destinations);
    CHANGED.notify_one();
    changed
}

/// AUXTR=ON: from the beginning of DFHAUXT.
pub fn start_auxiliary_with_region() -> io::Result<()> {
    change(|destinations| destinations.auxiliary.start_with_first())
}

/// AUXSTART.
pub fn start_auxiliary() -> io::Result<()> {
    change(|destinations| destinations.auxiliary.start())
}

/// AUXPAUSE; false if auxiliary trace is stopped.
pub fn pause_auxiliary() -> bool {
    change(|destinations| destinations.auxiliary.pause())
}

/// AUXSTOP.
pub fn stop_auxiliary() {
    change(|destinations| destinations.auxiliary.stop());
}

/// SWITCHACTION(SWITCH).
pub fn switch_auxiliary() -> io::Result<()> {
    change(|destinations| destinations.auxiliary.switch_now())
}

/// SWITCHSTATUS.
pub fn set_auxiliary_switch(switch: Switch) {
    change(|destinations| destinations.auxiliary.set_switch(switch));
}

/// GTFSTART, GTFSTOP.
pub fn set_stream(is_started: bool) {
    change(|_| settings::change_flags(|flags| flags.stream = is_started));
}

/// TABLESIZE: what is in the table goes to the destinations, then a table of another size takes its place.
pub fn resize_table(bytes: usize) {
    change(|_| super::set_table_bytes(bytes));
}

/// The region ends: everything is written, the data set and the stream are closed.
pub fn end() {
    change(|destinations| {
        destinations.auxiliary.end();
        destinations.stream.close();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::VALUE_BYTES_MAX;
    use crate::trace::table::BLOCK_BYTES;

    #[test]
    fn the_longest_entry_fits_a_block_and_a_chunk() {
        let longest = super::super::entry::entry_bytes(&[Value::Text("12345678"), Value::Data(&[0; VALUE_BYTES_MAX])]);
        assert!(longest <= BLOCK_BYTES && longest < super::super::auxiliary::BYTES_MIN as usize / 2, "{longest}");
    }
}
