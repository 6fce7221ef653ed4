//! What is traced and where to: the levels of the components, the flags, and which destinations are active.
//!
//! Invariant: [`ACTIVE`] has a level's bit of a component exactly if some task may write an entry of that level: a destination is active, and
//! the level is in the standard levels with the main system flag on, or in the special levels while anything is traced specially. So a point
//! that is off costs one load.

use super::component::{COMPONENT_COUNT, Component};
use crate::traced_task::Tracing;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Which of the two sets of levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// STNTR, STNTRxx.
    Standard = 0,
    /// SPCTR, SPCTRxx.
    Special = 1,
}

/// Levels by bit, level 1 the lowest.
pub type Levels = u32;

/// Flags and destinations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Main system trace flag: SYSTR, SYSTEMSTATUS.
    pub system: bool,
    /// Main user trace flag: USERTR, USERSTATUS.
    pub user: bool,
    /// Internal trace: INTTR, INTSTATUS.
    pub internal: bool,
    /// Auxiliary trace is started.
    pub auxiliary: bool,
    /// The stream: GTFTR, GTFSTATUS.
    pub stream: bool,
}

impl Flags {
    /// Some destination takes entries.
    pub fn has_destination(&self) -> bool {
        self.internal || self.auxiliary || self.stream
    }
}

struct Settings {
    levels: [[Levels; COMPONENT_COUNT]; 2],
    flags: Flags,
    /// Some transaction, terminal or task has special tracing.
    special_in_use: bool,
}

static SETTINGS: Mutex<Settings> = Mutex::new(Settings {
    levels: [[0; COMPONENT_COUNT]; 2],
    flags: Flags { system: false, user: false, internal: false, auxiliary: false, stream: false },
    special_in_use: false,
});

static ACTIVE: [AtomicU32; COMPONENT_COUNT] = [const { AtomicU32::new(0) }; COMPONENT_COUNT];
/// The levels in force for tasks of standard and of special tracing.
static IN_FORCE: [[AtomicU32; COMPONENT_COUNT]; 2] = [const { [const { AtomicU32::new(0) }; COMPONENT_COUNT] }; 2];
static USER: AtomicBool = AtomicBool::new(false);
static EXPORTS: AtomicBool = AtomicBool::new(false);

impl Settings {
    fn publish(&self) {
        let flags = &self.flags;
        for index in 0..COMPONENT_COUNT {
            let on = |is_on: bool, levels: Levels| if is_on && flags.has_destination() { levels } else { 0 };
            let standard = on(flags.system, self.levels[Selection::Standard as usize][index]);
            let special = on(self.special_in_use, self.levels[Selection::Special as usize][index]);
            IN_FORCE[Selection::Standard as usize][index].store(standard, Ordering::Relaxed);
            IN_FORCE[Selection::Special as usize][index].store(special, Ordering::Relaxed);
            ACTIVE[index].store(standard | special, Ordering::Relaxed);
        }
        USER.store(flags.user && flags.has_destination(), Ordering::Relaxed);
        EXPORTS.store(flags.auxiliary || flags.stream, Ordering::Relaxed);
    }
}

/// True if some task may write entries of this level.
#[inline(always)]
pub fn is_on(component: Component, level: u8) -> bool {
    level != 0 && ACTIVE[component as usize].load(Ordering::Relaxed) & (1 << (level - 1)) != 0
}

/// A task of this tracing writes entries of this level.
#[inline]
pub(super) fn is_written(component: Component, level: u8, tracing: Tracing) -> bool {
    let selection = match tracing {
        Tracing::Standard => Selection::Standard,
        Tracing::Special => Selection::Special,
        Tracing::Suppressed => return false,
    };
    IN_FORCE[selection as usize][component as usize].load(Ordering::Relaxed) & (1 << (level - 1)) != 0
}

/// Entries of programs are written, by a task that is traced.
#[inline]
pub fn is_user_on() -> bool {
    USER.load(Ordering::Relaxed)
}

/// Entries go to other destinations than the table.
#[inline]
pub(super) fn exports() -> bool {
    EXPORTS.load(Ordering::Relaxed)
}

/// The levels of a component. Those that it does not have are left out.
pub fn set_levels(selection: Selection, component: Component, levels: Levels) {
    let mut settings = SETTINGS.lock();
    settings.levels[selection as usize][component as usize] = levels & component.all_levels();
    settings.publish();
}

pub fn levels(selection: Selection, component: Component) -> Levels {
    SETTINGS.lock().levels[selection as usize][component as usize]
}

pub fn flags() -> Flags {
    SETTINGS.lock().flags
}

/// Changes flags and destinations.
pub fn change_flags(change: impl FnOnce(&mut Flags)) {
    let mut settings = SETTINGS.lock();
    change(&mut settings.flags);
    settings.publish();
}

/// Something is traced specially from now on: special levels count.
pub fn use_special() {
    let mut settings = SETTINGS.lock();
    settings.special_in_use = true;
    settings.publish();
}
