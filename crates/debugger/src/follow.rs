//! Stepping: where control is within the PERFORMs, CALLs and LINKs of a task, and whether a step has come to its end.
//!
//! Invariants: the programs of a path are in the order of control, outermost first, each deeper than the one before; what has ended is
//! dropped as soon as a program above it tells something. A PERFORM that control leaves by GO TO stays, as it does in COBOL: its
//! paragraph may still come to its end. At most [`PERFORMS_MAX`] of a program are kept.

use program::rununit::{FrameId, Milestone};

const PERFORMS_MAX: usize = 1000;

/// How deep control is: first by levels of LINK, then by CALLs, then by PERFORMs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Depth {
    level: usize,
    calls: usize,
    performs: usize,
}

/// How far a task goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pace {
    /// To the next breakpoint.
    #[default]
    Run,
    /// To the next statement, of whatever program.
    In,
    /// To the next statement that is not deeper.
    Over(Depth),
    /// To the next statement that is less deep.
    Out(Depth),
    /// To the next EXEC CICS command.
    Command,
}

impl Pace {
    /// The step ends at this statement.
    pub fn ends_at(self, depth: Depth, is_command: bool) -> bool {
        match self {
            Pace::Run => false,
            Pace::In => true,
            Pace::Over(start) => depth <= start,
            Pace::Out(start) => depth < start,
            Pace::Command => is_command,
        }
    }
}

#[derive(Debug)]
struct Active {
    level: usize,
    calls: usize,
    frame: FrameId,
    /// The statements that perform, outermost first.
    performs: Vec<u32>,
}

/// The programs of a task that have told something and have not ended.
#[derive(Debug, Default)]
pub struct Path(Vec<Active>);

impl Path {
    /// A program has told something. `level`: of LINK; `calls`: programs active at that level.
    pub fn reached(&mut self, level: usize, calls: usize, frame: FrameId, milestone: Milestone) {
        let has_ended = |active: &Active| {
            let is_above = (active.level, active.calls) < (level, calls);
            !is_above && (active.level, active.calls, active.frame) != (level, calls, frame)
        };
        while self.0.last().is_some_and(has_ended) {
            self.0.pop();
        }
        if self.0.last().is_none_or(|active| active.frame != frame || active.level != level) {
            self.0.push(Active { level, calls, frame, performs: Vec::new() });
        }
        let performs = &mut self.0.last_mut().expect("the program has been added").performs;
        match milestone {
            Milestone::Entered => performs.clear(),
            Milestone::Statement(_) => {}
            Milestone::Performing(statement) if performs.len() < PERFORMS_MAX => performs.push(statement),
            Milestone::Performing(_) => {}
            Milestone::Performed(statement) => {
                if let Some(at) = performs.iter().rposition(|performing| *performing == statement) {
                    performs.truncate(at);
                }
            }
        }
    }

    /// Of the program that told something last.
    pub fn depth(&self) -> Depth {
        self.0.last().map_or(Depth::default(), |active| Depth { level: active.level, calls: active.calls, performs: active.performs.len() })
    }

    /// The statements of a program that are performing a range, outermost first.
    pub fn performs(&self, level: usize, frame: FrameId) -> Vec<u32> {
        let of = |active: &&Active| active.level == level && active.frame == frame;
        self.0.iter().rev().find(of).map_or_else(Vec::new, |active| active.performs.clone())
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_ends_where_control_is_no_deeper() {
        let depth = |level, calls, performs| Depth { level, calls, performs };
        let start = depth(2, 2, 1);
        let deeper = [depth(2, 2, 2), depth(2, 3, 0), depth(3, 1, 0)];
        let outside = [depth(2, 2, 0), depth(2, 1, 7), depth(1, 4, 4)];
        for at in deeper {
            assert!(!Pace::Over(start).ends_at(at, true) && !Pace::Out(start).ends_at(at, true) && Pace::In.ends_at(at, false));
        }
        for at in outside {
            assert!(Pace::Over(start).ends_at(at, false) && Pace::Out(start).ends_at(at, false));
        }
        assert!(Pace::Over(start).ends_at(start, false) && !Pace::Out(start).ends_at(start, false));
        assert!(Pace::Command.ends_at(start, true) && !Pace::Command.ends_at(start, false) && !Pace::Run.ends_at(start, true));
    }
}
