//! The waits of a task, put together from its EI and DS entries: what it waited for, how long, and in which command.
//!
//! A wait begins at DS 0004 and ends at DS 0005; a change of TCB mode waits from DS 0002 to DS 0003. The command is that of the last EI entry
//! before it whose exit has not come. Time in a command that is not in a wait is time the task ran or waited for a processor.

use crate::numbered::Numbered;
use kernel::trace::{Entry, Field, Point, points};
use std::fmt::Write as _;

/// One wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Sequence number of the entry that begins it.
    pub number: u64,
    pub began_unix_ns: u64,
    pub time_ns: u64,
    /// Blank outside commands.
    pub command: String,
    pub resource_type: String,
    pub resource_name: String,
}

/// A command and the waits in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub name: String,
    pub resource: String,
    pub time_ns: u64,
    pub waits_ns: u64,
}

/// What a task did, in its own order.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    pub waits: Vec<Wait>,
    pub commands: Vec<Command>,
    /// From its first entry to its last.
    pub elapsed_ns: u64,
}

fn is(entry: &Entry, point: &Point) -> bool {
    !entry.is_user() && entry.number == point.number && entry.component == point.component.code()
}

fn text(entry: &Entry, at: usize) -> String {
    match entry.fields.get(at) {
        Some(Field::Text(text)) => text.clone(),
        _ => String::new(),
    }
}

/// The waits of a task among all entries. `name` is how the bytes of a resource's name read.
pub fn of_task(entries: &[Numbered], task: u32, name: impl Fn(&[u8]) -> String) -> Waits {
    let mut waits = Waits::default();
    let mut open_wait: Option<Wait> = None;
    let mut open_commands: Vec<(String, String, u64, u64)> = Vec::new();
    let mut own = entries.iter().filter(|numbered| numbered.entry.task == task).peekable();
    let first = own.peek().map_or(0, |numbered| numbered.entry.unix_ns);
    for Numbered { entry, number, .. } in own {
        waits.elapsed_ns = entry.unix_ns.saturating_sub(first);
        let begins = |resource_type: String, resource_name: String| Wait {
            number: *number,
            began_unix_ns: entry.unix_ns,
            time_ns: 0,
            command: open_commands.last().map(|command| command.0.clone()).unwrap_or_default(),
            resource_type,
            resource_name,
        };
        if is(entry, &points::EI_ENTRY) {
            let resource = match entry.fields.get(1) {
                Some(Field::Data(bytes)) => name(bytes),
                _ => String::new(),
            };
            open_commands.push((text(entry, 0), resource, entry.unix_ns, 0));
        } else if is(entry, &points::EI_EXIT) {
            // A command that left the program (RETURN, XCTL) has no exit.
            if let Some(at) = open_commands.iter().rposition(|command| command.0 == text(entry, 0)) {
                let (name, resource, began, waits_ns) = open_commands.swap_remove(at);
                open_commands.truncate(at);
                waits.commands.push(Command { name, resource, time_ns: entry.unix_ns.saturating_sub(began), waits_ns });
            }
        } else if is(entry, &points::DS_SUSPEND_ENTRY) {
            open_wait = Some(begins(text(entry, 1), text(entry, 2)));
        } else if is(entry, &points::DS_CHANGE_MODE_ENTRY) {
            open_wait = Some(begins("CHANGE MODE".to_string(), text(entry, 1)));
        } else if (is(entry, &points::DS_SUSPEND_EXIT) || is(entry, &points::DS_CHANGE_MODE_EXIT))
            && let Some(mut wait) = open_wait.take()
        {
            wait.time_ns = entry.unix_ns.saturating_sub(wait.began_unix_ns);
            open_commands.iter_mut().for_each(|command| command.3 += wait.time_ns);
            waits.waits.push(wait);
        }
    }
    waits
}

impl Waits {
    /// Each wait in its order, then the time by command and by what was waited for, the longest first.
    pub fn text(&self, task: u32) -> String {
        let mut text = String::new();
        let waited: u64 = self.waits.iter().map(|wait| wait.time_ns).sum();
        let _ = writeln!(text, "TASK-{task:05} ELAPSED-{} WAITS-{} WAITED-{}", seconds(self.elapsed_ns), self.waits.len(), seconds(waited));
        let _ = writeln!(text, "\n  ENTRY     SECONDS       COMMAND                  WAIT");
        for wait in &self.waits {
            let _ = writeln!(text, " ={:06}= {} {:<24} {}", wait.number, seconds(wait.time_ns), wait.command, reason(wait));
        }
        let _ = writeln!(text, "\nCOMMAND                  COUNT  SECONDS        OF IT WAITED");
        for (name, count, time_ns, waits_ns) in sums(self.commands.iter().map(|one| (one.name.clone(), one.time_ns, one.waits_ns))) {
            let _ = writeln!(text, "{name:<24} {count:>5}  {} {}", seconds(time_ns), seconds(waits_ns));
        }
        let _ = writeln!(text, "\nWAIT                     COUNT  SECONDS");
        for (name, count, time_ns, _) in sums(self.waits.iter().map(|wait| (reason(wait), wait.time_ns, 0))) {
            let _ = writeln!(text, "{name:<24} {count:>5}  {}", seconds(time_ns));
        }
        text
    }
}

fn reason(wait: &Wait) -> String {
    format!("{} {}", wait.resource_type, wait.resource_name).trim_end().to_string()
}

/// Count and times by name, the longest first; those of one time by name.
fn sums(items: impl Iterator<Item = (String, u64, u64)>) -> Vec<(String, u64, u64, u64)> {
    let mut sums = std::collections::BTreeMap::<String, (u64, u64, u64)>::new();
    for (name, time_ns, waits_ns) in items {
        let sum = sums.entry(name).or_default();
        *sum = (sum.0 + 1, sum.1 + time_ns, sum.2 + waits_ns);
    }
    let mut sums: Vec<_> = sums.into_iter().map(|(name, (count, time_ns, waits_ns))| (name, count, time_ns, waits_ns)).collect();
    sums.sort_by_key(|(_, _, time_ns, _)| std::cmp::Reverse(*time_ns));
    sums
}

fn seconds(ns: u64) -> String {
    format!("{:3}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}
