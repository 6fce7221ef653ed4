//! `regent bench cobol`: programs of `bench/cobol` compiled by Regent and by GnuCOBOL, run in turn, and compared with the same loop written
//! by hand in Rust.
//!
//! Times are the processor time of one thread, the best of several rounds; the outputs of all three must be equal. Compile time is
//! excluded, and so is the time GnuCOBOL needs to start a process.

mod arithmetic_by_hand;
mod text_by_hand;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use program::batch::BatchHost;
use program::module::Module;
use program::rununit::Ended;
use serde_json::{Value, json};

use super::Arguments;
use crate::compile::{module_image, options};

/// Lines of output that the loop must produce.
type ByHand = fn() -> Vec<String>;

struct Subject {
    name: &'static str,
    what: &'static str,
    source: &'static str,
    /// The program's own loop determines the work of one iteration.
    iterations: u64,
    by_hand: ByHand,
}

macro_rules! subject {
    ($name:literal, $what:literal, $iterations:literal, $by_hand:path) => {
        Subject {
            name: $name,
            what: $what,
            source: include_str!(concat!("../../../../bench/cobol/", $name, ".cbl")),
            iterations: $iterations,
            by_hand: $by_hand,
        }
    };
}

const SUBJECTS: [Subject; 18] = [
    subject!("packed", "packed arithmetic, 4 statements", 5_000_000, arithmetic_by_hand::packed),
    subject!("zoned", "zoned arithmetic, 4 statements", 5_000_000, arithmetic_by_hand::packed),
    subject!("binary", "binary arithmetic, 3 statements", 100_000_000, arithmetic_by_hand::binary),
    subject!("floats", "COMP-1 and COMP-2, 4 statements", 500_000, arithmetic_by_hand::floats),
    subject!("express", "COMPUTE of long expressions", 1_000_000, arithmetic_by_hand::express),
    subject!("interest", "interest, ROUNDED, SIZE ERROR", 2_000_000, arithmetic_by_hand::interest),
    subject!("tables", "packed tables of two dimensions", 1_000_000, arithmetic_by_hand::tables),
    subject!("perform", "nested PERFORM of paragraphs", 27_000_000, arithmetic_by_hand::perform),
    subject!("calls", "CALL literal", 10_000_000, arithmetic_by_hand::call),
    subject!("calld", "CALL identifier", 10_000_000, arithmetic_by_hand::call),
    subject!("editing", "3 MOVEs to edited items", 5_000_000, text_by_hand::editing),
    subject!("search", "SEARCH and SEARCH ALL", 2_200_000, text_by_hand::search),
    subject!("strings", "STRING, UNSTRING, INSPECT", 2_000_000, text_by_hand::strings),
    subject!("moves", "6 MOVEs with conversion", 10_000_000, text_by_hand::moves),
    subject!("groups", "MOVE and INITIALIZE of groups", 3_000_000, text_by_hand::groups),
    subject!("sorts", "SORT of 50,000 records, procedures", 200_000, text_by_hand::sorts),
    subject!("tsort", "SORT of a table", 100_000, text_by_hand::table_sort),
    subject!("transact", "transaction body, 40 statements", 500_000, text_by_hand::transact),
];

const CALLED: &str = include_str!("../../../../bench/cobol/benchsub.cbl");
const EMPTY: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. NOTHING.\n       PROCEDURE DIVISION.\n           STOP RUN.\n";

/// The location of the programs, made ready to run.
struct Bench<'a> {
    scratch: &'a Path,
    called: Arc<Module>,
    peer: bool,
    peer_start_ns: u64,
}

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let peer = Command::new("cobc").arg("--version").output().is_ok_and(|output| output.status.success());
    let mut bench = Bench { scratch, called: compile(CALLED, &arguments.options)?.0, peer, peer_start_ns: 0 };
    if peer {
        bench.compile_peer("benchsub", CALLED, &["-m", "-o", "BENCHSUB.so"], arguments)?;
        bench.compile_peer("nothing", EMPTY, &["-x"], arguments)?;
        let starts = (0..5).map(|_| bench.run_peer("nothing").map(|(ns, _)| ns)).collect::<Result<Vec<u64>, String>>()?;
        bench.peer_start_ns = starts.into_iter().min().unwrap_or(0);
    }
    let chosen = |subject: &&Subject| arguments.programs.is_empty() || arguments.programs.iter().any(|name| name == subject.name);
    SUBJECTS
        .iter()
        .filter(chosen)
        .map(|subject| bench.measure(subject, arguments))
        .collect::<Result<Vec<Value>, String>>()
        .map(Value::Array)
}

/// A load module, and the front end's and the code generator's time.
fn compile(source: &str, option_text: &str) -> Result<(Arc<Module>, u64), String> {
    let begun = kernel::clock::thread_cpu_ns();
    let options = options(option_text, 37)?;
    let compilation = cobol::compile_source("bench.cbl", source.as_bytes(), &options, &cobol::source::NoCopies);
    if !compilation.is_usable() {
        return Err(crate::compile::messages(&compilation).join("\n"));
    }
    let image = module_image(&compilation.programs)?;
    let ns = kernel::clock::thread_cpu_ns() - begun;
    Module::from_bytes(&image.to_bytes()).map(|module| (module, ns)).map_err(|error| error.to_string())
}

impl Bench<'_> {
    fn measure(&self, subject: &Subject, arguments: &Arguments) -> Result<Value, String> {
        let (module, _) = compile(subject.source, &arguments.options)?;
        if self.peer {
            self.compile_peer(subject.name, subject.source, &["-x"], arguments)?;
        }
        let (mut ours, mut peers, mut hand) = (u64::MAX, u64::MAX, u64::MAX);
        let mut agree = true;
        for _ in 0..arguments.rounds.max(1) {
            let (ns, output) = self.run_ours(&module)?;
            ours = ours.min(ns);
            if self.peer {
                let (ns, peer_output) = self.run_peer(subject.name)?;
                peers = peers.min(ns.saturating_sub(self.peer_start_ns));
                agree &= lines(&peer_output) == lines(&output);
            }
            let begun = kernel::clock::thread_cpu_ns();
            let expected = (subject.by_hand)();
            hand = hand.min(kernel::clock::thread_cpu_ns() - begun);
            agree &= lines(&expected.join("\n")) == lines(&output);
            if !agree {
                return Err(format!("{}: results differ\nRegent:\n{output}\nby hand:\n{}", subject.name, expected.join("\n")));
            }
        }
        let each = |ns: u64| ns as f64 / subject.iterations as f64;
        Ok(json!({
            "name": subject.name, "what": subject.what, "ns": each(ours), "hand_ns": each(hand),
            "peer_ns": self.peer.then(|| each(peers)), "agree": agree,
        }))
    }

    fn run_ours(&self, module: &Arc<Module>) -> Result<(u64, String), String> {
        let mut output = Vec::new();
        let mut host = BatchHost::new(&mut output);
        host.add(&self.called);
        let begun = kernel::clock::thread_cpu_ns();
        let (ended, _) = host.run(module, None);
        let ns = kernel::clock::thread_cpu_ns() - begun;
        drop(host);
        if let Ended::Abended(failure) = ended {
            return Err(failure.text());
        }
        Ok((ns, String::from_utf8_lossy(&output).into_owned()))
    }

    fn compile_peer(&self, name: &str, source: &str, kind: &[&str], arguments: &Arguments) -> Result<(), String> {
        let file = self.scratch.join(format!("{name}.cbl"));
        std::fs::write(&file, source).map_err(|error| error.to_string())?;
        let mut command = Command::new("cobc");
        command.args(kind).args(arguments.peer_options.split_whitespace()).arg(&file).current_dir(self.scratch);
        let output = command.output().map_err(|error| format!("cobc: {error}"))?;
        if output.status.success() { Ok(()) } else { Err(format!("cobc {name}: {}", String::from_utf8_lossy(&output.stderr))) }
    }

    /// Processor time of the process and its output.
    fn run_peer(&self, name: &str) -> Result<(u64, String), String> {
        let begun = kernel::clock::children_cpu_ns();
        let mut command = Command::new(self.scratch.join(name));
        let output = command.current_dir(self.scratch).env("COB_LIBRARY_PATH", self.scratch).output();
        let output = output.map_err(|error| format!("{name}: {error}"))?;
        let ns = kernel::clock::children_cpu_ns() - begun;
        Ok((ns, String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

/// Output lines without the blanks at their ends.
fn lines(output: &str) -> Vec<&str> {
    output.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}
