//! The threads of the process as Linux counts them: what the TCBs of an address space are on z/OS.
//!
//! A thread is known by its identifier, which is what a TCB is known by its address for. The first thread is the mother of the others, as the
//! job step TCB is. Read from /proc when asked; a thread that ends meanwhile is left out.

use std::path::Path;
use std::time::Duration;

/// One thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    pub id: u32,
    pub name: String,
    /// It runs, or could.
    pub is_running: bool,
    pub cpu: Duration,
    /// Ready, and not on a processor.
    pub ready: Duration,
    /// Times it began to wait by itself, and times it lost its processor.
    pub waits: u64,
    pub preemptions: u64,
    /// Since the start of the system.
    pub started: Duration,
}

impl Thread {
    /// It is the first one of the process.
    pub fn is_first(&self) -> bool {
        self.id == std::process::id()
    }
}

/// The clock ticks of /proc, of which there have been a hundred in a second since Linux 2.6.
const TICKS_PER_SECOND: u64 = 100;
/// The fields of `stat` after the name: the state, and when the thread started.
const STATE: usize = 0;
const START_TICKS: usize = 19;

/// The identifier of the calling thread; 0 if /proc is not there.
pub fn current() -> u32 {
    let link = std::fs::read_link("/proc/thread-self").ok();
    link.and_then(|path| path.file_name()?.to_str()?.parse().ok()).unwrap_or(0)
}

/// All threads of this process: the first one, and the others by identifier.
pub fn threads() -> Vec<Thread> {
    let mut threads = of(Path::new("/proc/self/task"));
    threads.sort_by_key(|thread| (!thread.is_first(), thread.id));
    threads
}

fn of(directory: &Path) -> Vec<Thread> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut threads: Vec<Thread> = entries.filter_map(|entry| thread(&entry.path())).collect();
    threads.sort_by_key(|thread| thread.id);
    threads
}

/// `None`: it has ended.
fn thread(directory: &Path) -> Option<Thread> {
    let id = directory.file_name()?.to_str()?.parse().ok()?;
    let read = |file: &str| std::fs::read_to_string(directory.join(file)).ok();
    let stat = read("stat")?;
    // The name is in parentheses, and may have some itself.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let start_ticks: u64 = fields.get(START_TICKS)?.parse().ok()?;
    let scheduled = read("schedstat")?;
    let mut scheduled = scheduled.split_whitespace().map(|field| field.parse().map(Duration::from_nanos));
    let status = read("status")?;
    let count = |wanted: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(wanted)?.strip_prefix(':'));
        line.and_then(|value| value.trim().parse().ok()).unwrap_or(0)
    };
    Some(Thread {
        id,
        name: read("comm")?.trim_end().to_string(),
        is_running: fields[STATE] == "R",
        cpu: scheduled.next()?.ok()?,
        ready: scheduled.next()?.ok()?,
        waits: count("voluntary_ctxt_switches"),
        preemptions: count("nonvoluntary_ctxt_switches"),
        started: Duration::from_millis(start_ticks * 1000 / TICKS_PER_SECOND),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_read_with_its_times() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("4711");
        std::fs::create_dir(&directory).unwrap();
        let write = |file: &str, text: &str| std::fs::write(directory.join(file), text).unwrap();
        write("stat", "4711 (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 12345 20\n");
        write("comm", "a ) b\n");
        write("schedstat", "2500000 1000 7\n");
        assert_eq!(of(root.path()), [], "it has ended");
        write("status", "Name:\ta ) b\nvoluntary_ctxt_switches:\t6\nnonvoluntary_ctxt_switches:\t2\n");
        let thread = Thread {
            id: 4711,
            name: "a ) b".into(),
            is_running: false,
            cpu: Duration::from_micros(2500),
            ready: Duration::from_micros(1),
            waits: 6,
            preemptions: 2,
            started: Duration::from_millis(123_450),
        };
        assert_eq!(of(root.path()), [thread]);
    }

    #[test]
    fn the_threads_of_the_process_are_found_by_name() {
        let (told, wait) = (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel::<()>());
        let other = std::thread::Builder::new().name("threads-test".into()).spawn(move || {
            told.0.send(()).unwrap();
            wait.1.recv().unwrap();
        });
        told.1.recv().unwrap();
        let all = threads();
        assert!(all.iter().any(|thread| thread.id == current()));
        assert!(all.iter().filter(|thread| thread.is_first()).count() == 1);
        assert!(all.iter().any(|thread| thread.name == "threads-test"), "{all:?}");
        wait.0.send(()).unwrap();
        other.unwrap().join().unwrap();
        assert!(!threads().iter().any(|thread| thread.name == "threads-test"));
    }
}
