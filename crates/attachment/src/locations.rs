//! The databases beside that of the region: which of them can be connected to, and how the parts are ended that they hold of units of work.
//!
//! A location is opened, and asked for such parts, by rounds on a thread that may block: when the attachment connects, a while after a part
//! was left behind, and from then on at intervals. A part whose unit of work no task is committing is ended as the region's own database
//! says; that one is asked as for a unit of work in doubt ([`crate::housekeeping`]), so it cannot commit later what was backed out.
//!
//! Invariant: nobody speaks to a database while the table is locked.

use crate::Attachment;
use crate::connection;
use crate::parts::Parts;
use crate::state::Status;
use db2::prepared::{self, Part};
use db2::{NoLocation, Report};
use parking_lot::Mutex;
use postgres::{Session, ThreadWait};
use region::Region;
use region::resource_manager::Outcome;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A round follows this long after it was asked for.
const ASKED_AFTER: Duration = Duration::from_secs(1);
/// From one round to the next: while a part is left or a location does not answer, and otherwise.
const INTERVAL_SHORT: Duration = Duration::from_secs(5);
const INTERVAL: Duration = Duration::from_secs(60);
/// A location that does not answer in this time is asked in the next round.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// How a location is opened, which may take long: its place, or why it is not there.
type Finder = Arc<dyn Fn() -> Result<db2::Location, String> + Send + Sync>;

/// A location, as the start of the region names it.
#[derive(Clone)]
pub struct Location {
    /// In capital letters.
    pub name: String,
    /// It was found at the start.
    pub ready: Option<Arc<db2::Location>>,
    pub find: Finder,
}

/// This domain's part of the attachment.
#[derive(Default)]
pub struct Locations {
    table: Mutex<Table>,
    /// Held during a round.
    round: Mutex<()>,
    is_asked: AtomicBool,
    /// The number of the round that is to come; others have been overtaken.
    next: AtomicU64,
}

#[derive(Default)]
struct Table {
    ready: BTreeMap<String, Arc<db2::Location>>,
    /// Why others are not.
    reasons: BTreeMap<String, String>,
}

fn of(region: &Region) -> &Locations {
    &Attachment::of(region).locations
}

fn configured(region: &Region) -> &[Location] {
    Attachment::of(region).settings.get().map_or(&[], |settings| &settings.locations)
}

/// What the threads of a region's tasks reach.
pub struct Reach(pub &'static Region);

impl db2::Locations for Reach {
    fn find(&self, name: &str) -> Result<Arc<db2::Location>, NoLocation> {
        let region = self.0;
        let Some(known) = configured(region).iter().find(|location| location.name == name) else { return Err(NoLocation::Unknown) };
        let reason = {
            let table = of(region).table.lock();
            if let Some(ready) = table.ready.get(name).or(known.ready.as_ref()) {
                return Ok(ready.clone());
            }
            table.reasons.get(name).cloned()
        };
        ask(region);
        Err(NoLocation::Unavailable(reason.unwrap_or_else(|| "it has not answered yet".to_string())))
    }
}

/// The region's database is there (again), and units of work in doubt are resolved: so are the parts of locations.
pub fn connected(region: &'static Region) {
    if configured(region).is_empty() {
        return;
    }
    let asked = Attachment::of(region).housekeeper.lock().as_mut().map(|housekeeper| housekeeper.origin());
    match asked {
        Some(Ok(origin)) => Parts::of(region).set_origin(origin),
        Some(Err(error)) => tracing::error!(target: "region::db2", %error, "the database does not tell its identity"),
        None => {}
    }
    ask(region);
}

/// Asks for a round soon.
pub fn ask(region: &'static Region) {
    if !of(region).is_asked.swap(true, Ordering::AcqRel) {
        schedule(region, ASKED_AFTER);
    }
}

fn schedule(region: &'static Region, pause: Duration) {
    let locations = of(region);
    let number = locations.next.fetch_add(1, Ordering::AcqRel) + 1;
    let is_next = move || locations.next.load(Ordering::Acquire) == number;
    region.dispatcher.after(pause, move || {
        region.dispatcher.spawn_blocking(move || {
            if !is_next() {
                return;
            }
            locations.is_asked.store(false, Ordering::Release);
            if let Some(pause) = round(region)
                && is_next()
            {
                schedule(region, pause);
            }
        });
    });
}

/// What the end of a unit of work has left behind at locations.
pub fn commit_ended(region: &'static Region, unit: u64, report: &Report) {
    Parts::of(region).end(unit, &report.unresolved);
    let name = format!("{unit:016X}");
    if let Some((location, reason)) = &report.refusal {
        connection::tell(region, "DFHDB2111", &[("unit", &name), ("location", location), ("reason", reason)]);
    }
    for location in &report.unresolved {
        connection::tell(region, "DFHDB2112", &[("unit", &name), ("location", location)]);
    }
    if !report.unresolved.is_empty() {
        ask(region);
    }
}

/// Opens locations and ends parts; answers when to do it again.
fn round(region: &'static Region) -> Option<Duration> {
    let locations = of(region);
    let Some(_alone) = locations.round.try_lock() else { return Some(ASKED_AFTER) };
    match Attachment::of(region).state.lock().status {
        Status::NotConnected => return None,
        Status::Connecting => return Some(INTERVAL_SHORT),
        Status::Connected | Status::Disconnecting => {}
    }
    // What is left behind from now on may have come after a location was asked.
    let before = Parts::of(region).unresolved();
    let mut asked = Vec::new();
    for location in configured(region) {
        match resynchronize(region, location) {
            Ok(()) => {
                locations.table.lock().reasons.remove(&location.name);
                asked.push(location.name.clone());
            }
            Err(reason) => unavailable(region, &location.name, reason),
        }
    }
    Parts::of(region).settle(&before, &asked).into_iter().for_each(|unit| connection::forget(region, unit));
    forget_earlier(region, &asked);
    let is_done = asked.len() == configured(region).len() && Parts::of(region).unresolved().is_empty();
    Some(if is_done { INTERVAL } else { INTERVAL_SHORT })
}

fn unavailable(region: &'static Region, name: &str, reason: String) {
    let is_news = of(region).table.lock().reasons.insert(name.to_string(), reason.clone()).as_ref() != Some(&reason);
    if is_news {
        connection::tell(region, "DFHDB2114", &[("location", name), ("reason", &reason)]);
    }
}

/// A session of a location, which is opened if it has not been, or if it is not there any more.
fn session(region: &'static Region, location: &Location) -> Result<Session, String> {
    let connect = |found: &db2::Location| Session::connect(&found.config, &mut ThreadWait).map_err(|error| error.to_string());
    let known = of(region).table.lock().ready.get(&location.name).cloned().or_else(|| location.ready.clone());
    let failure = match known.as_ref().map(|known| connect(known)) {
        Some(Ok(session)) => return Ok(session),
        Some(Err(failure)) => failure,
        None => String::new(),
    };
    let found = (location.find)()?;
    let is_known = known.is_some_and(|known| known.config == found.config);
    if is_known && !found.config.is_unix() {
        // Nothing has changed; a private server may have been started again.
        return Err(failure);
    }
    let session = connect(&found)?;
    if !is_known {
        of(region).table.lock().ready.insert(location.name.clone(), Arc::new(found));
    }
    Ok(session)
}

/// Ends the parts that a location holds.
fn resynchronize(region: &'static Region, location: &Location) -> Result<(), String> {
    let mut session = session(region, location)?;
    let (own, parts) = (region.applid.as_str().trim_end(), Parts::of(region));
    session.set_deadline(Some(Instant::now() + ANSWER_MAX));
    for part in prepared::list(&mut session, &parts.origin(), Some(own))? {
        if part.region == own && parts.is_committing(part.unit) {
            continue;
        }
        let is_committed = outcome(region, &part)?;
        session.set_deadline(Some(Instant::now() + ANSWER_MAX));
        if !prepared::finish(&mut session, &part, is_committed)? {
            continue;
        }
        let outcome = if is_committed { "committed" } else { "backed out" };
        let values = [("unit", &*format!("{:016X}", part.unit)), ("location", &*location.name), ("outcome", outcome)];
        connection::tell(region, "DFHDB2113", &values);
    }
    Ok(())
}

/// The region's database decides.
fn outcome(region: &'static Region, part: &Part) -> Result<bool, String> {
    match Attachment::of(region).housekeeper.lock().as_mut() {
        Some(housekeeper) => Ok(housekeeper.outcome(&part.region, part.unit)? == Outcome::Committed),
        None => Err("the region's own database, which knows the outcome of units of work, is not there".to_string()),
    }
}

/// Deletes the rows of earlier runs of the region that were kept for these locations.
fn forget_earlier(region: &'static Region, asked: &[String]) {
    let mut kept = Parts::of(region).unresolved();
    kept.extend(region.recovery().owners().iter().map(|owner| owner.id));
    let done = match Attachment::of(region).housekeeper.lock().as_mut() {
        Some(housekeeper) => housekeeper.forget_parts(region.applid.as_str(), connection::started(region), &kept, asked),
        None => Ok(()),
    };
    if let Err(error) = done {
        tracing::warn!(target: "region::db2", %error, "rows of units of work of several databases are not deleted");
    }
}
