//! Where a task is: the programs that are active, through the levels of LINK, the CALLs and the PERFORMs, each with its statement in the
//! source.
//!
//! Invariants: the entries are in the order of control, innermost first; at most [`ENTRIES_MAX`] are given, so an endless recursion is shown
//! as long as it is useful; the frame of an entry is active as long as the task is stopped.

use program::module::debugging::Debugging;
use program::rununit::FrameId;
use region::Task;
use std::path::PathBuf;

/// Entries shown of one task.
const ENTRIES_MAX: usize = 500;

/// One step of control: a program at a statement.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The level of LINK, 1 for the highest.
    pub level: usize,
    pub frame: FrameId,
    /// Number of the statement in the module; 0: not known.
    pub statement: u32,
    /// The line of the command that linked to the next program, which is all that is known of a program without TEST.
    line: u32,
}

/// The place of a statement in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `None`: the text is the compiler's own, or where it comes from is not known.
    pub source: Option<PathBuf>,
    pub line: u32,
    /// 0: not known.
    pub column: u32,
    /// The paragraph or section.
    pub procedure: String,
}

impl Entry {
    /// A program at a statement, wherever in the task. `line`: 0 if its statements are known.
    pub fn of(frame: FrameId, statement: u32, line: u32) -> Entry {
        Entry { level: 1, frame, statement, line }
    }

    pub fn debugging(&self) -> Option<&Debugging> {
        self.frame.module().debugging.as_ref()
    }

    pub fn place(&self) -> Place {
        let module = self.frame.module();
        let known = self.debugging().and_then(|debugging| Some((debugging, debugging.statement(self.statement)?)));
        let Some((debugging, statement)) = known else {
            let source = Some(PathBuf::from(&module.source)).filter(|source| source.is_absolute());
            let of_statement = self.frame.place_of(self.statement).map_or(0, |place| place.line);
            return Place { source, line: if self.line != 0 { self.line } else { of_statement }, ..Place::default() };
        };
        let source = debugging.sources.get(statement.source as usize).filter(|source| !source.is_empty());
        Place {
            source: source.map(PathBuf::from),
            line: statement.line,
            column: statement.column,
            procedure: debugging.procedures[statement.procedure as usize].name.clone(),
        }
    }

    /// The program, and the paragraph within it.
    pub fn name(&self) -> String {
        match self.place().procedure.as_str() {
            "" => self.frame.name().to_string(),
            procedure => format!("{procedure} OF {}", self.frame.name()),
        }
    }
}

/// The entries of a task whose innermost program is at this place. `performs`: the statements of a program that are performing a range,
/// outermost first.
pub fn entries(task: &Task, innermost: Entry, performs: &dyn Fn(usize, FrameId) -> Vec<u32>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut next = Some((innermost.frame, innermost.statement, innermost.line));
    for level in (1..=task.levels.len()).rev() {
        if let Some((frame, statement, line)) = next {
            of_level(level, frame, statement, line, performs, &mut entries);
        }
        next = task.levels[level - 1].linked_from.map(|(frame, line)| (frame, frame.statement(), line));
    }
    entries
}

/// The programs of one level: each was called by the next.
fn of_level(
    level: usize,
    innermost: FrameId,
    statement: u32,
    line: u32,
    performs: &dyn Fn(usize, FrameId) -> Vec<u32>,
    entries: &mut Vec<Entry>,
) {
    let mut entry = Entry { level, frame: innermost, statement, line };
    loop {
        entries.push(entry);
        let performing = performs(level, entry.frame).into_iter().rev();
        entries.extend(performing.map(|statement| Entry { statement, line: 0, ..entry }));
        let Some(caller) = entry.frame.caller().filter(|_| entries.len() < ENTRIES_MAX) else { break };
        entry = Entry { level, frame: caller, statement: caller.statement(), line: 0 };
    }
    entries.truncate(ENTRIES_MAX);
}

/// How many programs of its level are active, this one included.
pub fn call_depth(frame: FrameId) -> usize {
    std::iter::successors(Some(frame), |frame| frame.caller()).take(ENTRIES_MAX).count()
}
