//! The enabled exit programs of a region.
//!
//! Invariants: the names of exits (ENTRYNAME) are unique; the order is that in which they were enabled; a point is active exactly while a
//! started exit is associated with it. A work area lives as long as an exit that owns or shares it, or a call of it that is in progress.

use crate::Region;
use crate::control_blocks::exits::ExitPoints;
use crate::control_blocks::unit_of_work::microseconds_now;
use crate::name::Name8;
use exec::ExitPoint;
use kernel::storage::{Getmain, Key as StorageKey, Line, Storage, StorageError};
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Program and exit name, which together identify an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub program: Name8,
    pub entry: Name8,
}

/// A global work area, in shared storage of CICS key.
pub struct WorkArea {
    pub address: usize,
    pub length: usize,
    pub owner: Name8,
    storage: Storage,
}

impl WorkArea {
    pub fn new(storage: &Storage, owner: Name8, length: usize, line: Line) -> Result<Self, StorageError> {
        let address = storage.getmain_shared(Getmain { length, line, key: StorageKey::Cics, initial: Some(0) })?;
        Ok(Self { address, length, owner, storage: storage.clone() })
    }
}

impl Drop for WorkArea {
    fn drop(&mut self) {
        let freed = self.storage.freemain_shared(self.address);
        debug_assert!(freed.is_ok(), "a work area is freed once");
    }
}

/// The TCB on which an exit program runs, if ENABLE PROGRAM says so; otherwise that of its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Concurrency {
    pub concurrency: csd::Concurrency,
    pub api: csd::Api,
}

/// Options of a task-related user exit, which ENABLE PROGRAM turns on and DISABLE PROGRAM turns off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Switch {
    TaskStart,
    Shutdown,
    ProgrammingInterface,
    FormatEdf,
    Purgeable,
    InDoubtWait,
}

/// An enabled exit program.
pub struct Exit {
    pub key: Key,
    pub concurrency: Option<Concurrency>,
    pub area: Option<Arc<WorkArea>>,
    /// Address of ENTRY.
    pub entry: Option<usize>,
    /// TALENGTH: the length of the local work area of each task.
    pub local_length: usize,
    switches: AtomicU32,
    points: Mutex<Vec<ExitPoint>>,
    started: AtomicBool,
    pub uses: AtomicU64,
    /// The beginning of the resynchronization set: microseconds since 1970.
    pub resynchronizes_since: AtomicU64,
}

impl Exit {
    pub fn new(key: Key, concurrency: Option<Concurrency>, area: Option<Arc<WorkArea>>, entry: Option<usize>) -> Self {
        Self {
            key,
            concurrency,
            area,
            entry,
            local_length: 0,
            switches: AtomicU32::new(0),
            points: Mutex::default(),
            started: AtomicBool::new(false),
            uses: AtomicU64::new(0),
            resynchronizes_since: AtomicU64::new(microseconds_now()),
        }
    }

    pub fn is_on(&self, switch: Switch) -> bool {
        self.switches.load(Ordering::Acquire) & 1 << switch as u32 != 0
    }

    pub fn turn(&self, switch: Switch, on: bool) {
        let bit = 1 << switch as u32;
        if on {
            self.switches.fetch_or(bit, Ordering::AcqRel);
        } else {
            self.switches.fetch_and(!bit, Ordering::AcqRel);
        }
    }

    pub fn is_started(&self) -> bool {
        self.started.load(Ordering::Acquire)
    }

    pub fn points(&self) -> Vec<ExitPoint> {
        self.points.lock().clone()
    }

    pub fn is_at(&self, point: ExitPoint) -> bool {
        self.points.lock().contains(&point)
    }

    /// False: it owns no work area.
    pub fn owns_area(&self) -> bool {
        self.area.as_ref().is_some_and(|area| area.owner == self.key.entry)
    }
}

/// The domain's part of a region.
#[derive(Default)]
pub struct Exits {
    exits: RwLock<Vec<Arc<Exit>>>,
    /// The exits around commands are installed.
    pub sees_commands: AtomicBool,
    /// What waits for the task that calls exit programs.
    pub waiting: Mutex<super::system_task::Waiting>,
    /// The exits with TASKSTART are called.
    pub sees_task_starts: AtomicBool,
}

impl Exits {
    /// All, in the order they were enabled.
    pub fn all(&self) -> Vec<Arc<Exit>> {
        self.exits.read().clone()
    }

    pub fn find(&self, key: Key) -> Option<Arc<Exit>> {
        self.exits.read().iter().find(|exit| exit.key == key).cloned()
    }

    /// By its name alone.
    pub fn named(&self, entry: Name8) -> Option<Arc<Exit>> {
        self.exits.read().iter().find(|exit| exit.key.entry == entry).cloned()
    }

    /// Started at a point, in the order they were enabled.
    pub fn at(&self, point: ExitPoint) -> Vec<Arc<Exit>> {
        self.exits.read().iter().filter(|exit| exit.is_started() && exit.is_at(point)).cloned().collect()
    }

    /// How many exits own or share the work area that this one has.
    pub fn users_of(&self, area: &Arc<WorkArea>) -> usize {
        let exits = self.exits.read();
        exits.iter().filter(|exit| exit.area.as_ref().is_some_and(|other| Arc::ptr_eq(other, area))).count()
    }

    /// `None`: there is an exit of this name.
    pub fn add(&self, exit: Exit) -> Option<Arc<Exit>> {
        let exit = Arc::new(exit);
        let mut exits = self.exits.write();
        if exits.iter().any(|other| other.key.entry == exit.key.entry) {
            return None;
        }
        exits.push(exit.clone());
        Some(exit)
    }

    pub fn remove(&self, region: &'static Region, exit: &Arc<Exit>) {
        self.exits.write().retain(|other| !Arc::ptr_eq(other, exit));
        self.refresh(region, &exit.points());
    }

    pub fn start(&self, region: &'static Region, exit: &Exit, started: bool) {
        exit.started.store(started, Ordering::Release);
        self.refresh(region, &exit.points());
    }

    /// False: the exit is at the point already.
    pub fn associate(&self, region: &'static Region, exit: &Exit, point: ExitPoint) -> bool {
        let mut points = exit.points.lock();
        if points.contains(&point) {
            return false;
        }
        points.push(point);
        drop(points);
        self.refresh(region, &[point]);
        true
    }

    pub fn dissociate(&self, region: &'static Region, exit: &Exit, point: ExitPoint) {
        exit.points.lock().retain(|other| *other != point);
        self.refresh(region, &[point]);
    }

    /// Makes the points active that have a started exit, and no others. Alone: an older look must not undo a newer one.
    fn refresh(&self, region: &'static Region, points: &[ExitPoint]) {
        let gate: &ExitPoints = &region.extensions.exits;
        let exits = self.exits.write();
        for point in points {
            gate.set_active(*point, exits.iter().any(|exit| exit.is_started() && exit.is_at(*point)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tasks may enable exits of one name at a time: the program is loaded before the exit is added.
    #[test]
    fn names_of_exits_are_unique() {
        let exits = Exits::default();
        let exit = |program: &str| Exit::new(Key { program: Name8::new(program), entry: Name8::new("EXIT") }, None, None, None);
        assert!(exits.add(exit("ONE")).is_some() && exits.add(exit("TWO")).is_none());
        assert_eq!(exits.all().len(), 1);
    }
}
