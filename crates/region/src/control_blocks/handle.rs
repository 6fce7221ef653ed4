//! HANDLE CONDITION, HANDLE AID, HANDLE ABEND, IGNORE CONDITION, PUSH HANDLE and POP HANDLE: the tables of one link level.
//!
//! Invariants: a program called by CALL starts without any handling and leaves its caller's untouched, so every table belongs to the
//! program activation (frame) that filled it; labels are used only in the frame that owns the table. A HANDLE ABEND exit is switched
//! off when it is entered, so that an abend in it goes to the next level up.

use super::arguments::Arguments;
use crate::Task;
use crate::name::Name8;
use exec::Condition;
use program::rununit::FrameId;
use vsam::store::Charge;

/// Memory of the tables that a PUSH HANDLE saves.
pub const PUSHED_BYTES: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Ignore,
    Label(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbendExit {
    Label(u32),
    Program(Name8),
}

/// HANDLE ABEND of one table: the exit and whether it is active (CANCEL and entering it make it inactive, RESET active again).
#[derive(Clone, Copy, Debug, Default)]
struct AbendHandling {
    exit: Option<AbendExit>,
    active: bool,
}

#[derive(Clone, Debug, Default)]
struct Table {
    conditions: Vec<(Condition, Action)>,
    /// By attention identifier; 0 is ANYKEY.
    aids: Vec<(u8, u32)>,
    abend: AbendHandling,
}

#[derive(Debug, Default)]
struct FrameTables {
    frame: Option<FrameId>,
    current: Table,
    /// Each with its memory in the account of the region.
    pushed: Vec<(Table, Charge)>,
}

impl FrameTables {
    /// The settings of a program that has returned no longer apply.
    fn handles_abend(&self) -> bool {
        self.current.abend.active && self.frame.is_some_and(|frame| frame.is_active())
    }
}

impl Task {
    /// The running program has an active HANDLE CONDITION with a label for the condition: commands that would wait raise it at once. RESP
    /// and NOHANDLE make the command wait nevertheless, because they suspend HANDLE CONDITION.
    pub fn handles(&self, arguments: &Arguments, condition: Condition) -> bool {
        if arguments.nohandle {
            return false;
        }
        let action = self.frame.and_then(|frame| self.level()?.handles.condition(frame, condition));
        matches!(action, Some(Action::Label(_)))
    }
}

/// All tables of a link level, the innermost program's last.
#[derive(Debug, Default)]
pub struct HandleTables {
    frames: Vec<FrameTables>,
    /// The level belongs to this program because it is an abend exit that was entered: RESET activates it as the exit again.
    entered: Option<Name8>,
}

impl HandleTables {
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    fn position(&self, frame: FrameId) -> Option<usize> {
        self.frames.iter().rposition(|tables| tables.frame == Some(frame))
    }

    /// The frame's tables, created if necessary; those of programs it had called are dropped.
    fn of(&mut self, frame: FrameId) -> &mut FrameTables {
        match self.position(frame) {
            Some(at) => self.frames.truncate(at + 1),
            None => self.frames.push(FrameTables { frame: Some(frame), ..FrameTables::default() }),
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn table(&self, frame: FrameId) -> Option<&Table> {
        self.position(frame).map(|at| &self.frames[at].current)
    }

    /// `None` restores the default action.
    pub fn set_condition(&mut self, frame: FrameId, condition: Condition, action: Option<Action>) {
        let conditions = &mut self.of(frame).current.conditions;
        conditions.retain(|(known, _)| *known != condition);
        if let Some(action) = action {
            conditions.push((condition, action));
        }
    }

    pub fn condition(&self, frame: FrameId, condition: Condition) -> Option<Action> {
        let table = self.table(frame)?;
        table.conditions.iter().find(|(known, _)| *known == condition).map(|(_, action)| *action)
    }

    /// 0 as the label removes the handling.
    pub fn set_aid(&mut self, frame: FrameId, aid: u8, label: u32) {
        let aids = &mut self.of(frame).current.aids;
        aids.retain(|(known, _)| *known != aid);
        if label != 0 {
            aids.push((aid, label));
        }
    }

    /// The label for an attention identifier. ANYKEY covers PA, PF and CLEAR keys, not ENTER.
    pub fn aid(&self, frame: FrameId, aid: u8) -> Option<u32> {
        let table = self.table(frame)?;
        let exact = table.aids.iter().find(|(known, _)| *known == aid);
        let any = || table.aids.iter().find(|(known, _)| *known == 0 && aid != exec::aid::ENTER);
        exact.or_else(any).map(|(_, label)| *label)
    }

    pub fn set_abend(&mut self, frame: FrameId, exit: AbendExit) {
        self.of(frame).current.abend = AbendHandling { exit: Some(exit), active: true };
    }

    pub fn cancel_abend(&mut self, frame: FrameId) {
        self.of(frame).current.abend.active = false;
    }

    /// The level is that of an exit program, entered because of an abend.
    pub fn entered(&mut self, exit: Name8) {
        self.entered = Some(exit);
    }

    /// Reactivates an exit that was cancelled or entered.
    pub fn reset_abend(&mut self, frame: FrameId) {
        let entered = self.entered.map(AbendExit::Program);
        let abend = &mut self.of(frame).current.abend;
        abend.exit = abend.exit.or(entered);
        abend.active = abend.exit.is_some();
    }

    /// The innermost active exit of the level; it is inactive from now on.
    pub fn take_abend(&mut self) -> Option<(FrameId, AbendExit)> {
        let at = self.frames.iter().rposition(FrameTables::handles_abend)?;
        self.frames.truncate(at + 1);
        let tables = &mut self.frames[at];
        tables.current.abend.active = false;
        Some((tables.frame?, tables.current.abend.exit?))
    }

    pub fn has_active_abend(&self) -> bool {
        self.frames.iter().any(FrameTables::handles_abend)
    }

    /// `charge`: `PUSHED_BYTES`.
    pub fn push(&mut self, frame: FrameId, charge: Charge) {
        let tables = self.of(frame);
        tables.pushed.push((std::mem::take(&mut tables.current), charge));
    }

    /// False: nothing had been pushed.
    pub fn pop(&mut self, frame: FrameId) -> bool {
        let tables = self.of(frame);
        match tables.pushed.pop() {
            Some((table, _)) => {
                tables.current = table;
                true
            }
            None => false,
        }
    }
}
