//! `regent torture`: rounds, one process each, and the result.

use crate::model::{Model, State};
use crate::protocol::Event;
use crate::round::{End, UNITS, UNITS_MAX};
use crate::{Random, setup};
use clap::ValueEnum;
use parking_lot::Mutex;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Findings shown in full; the rest is counted.
const SHOWN_MAX: usize = 12;

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Rounds of work, crash and restart.
    #[arg(long, default_value_t = 100)]
    pub rounds: u64,
    /// Seed of the random numbers.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Directory for the data [default: one in memory, removed at the end].
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// Number of concurrent tasks.
    #[arg(long, default_value_t = 6)]
    pub tasks: u64,
    /// Continue after a finding.
    #[arg(long)]
    pub keep_going: bool,
}

/// What the rounds came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub rounds: u64,
    /// Units of work found to be there.
    pub units: u64,
    pub lost: u64,
    pub half: u64,
    /// The most facts a region that had started told: what a round costs does not grow with the rounds before it.
    pub facts_max: u64,
    /// Starts that failed without a reason.
    pub failed_starts: u64,
    pub seconds: u64,
    pub first_findings: Vec<String>,
}

impl Summary {
    fn is_clean(&self) -> bool {
        self.lost == 0 && self.half == 0 && self.failed_starts == 0
    }
}

/// The command: exit code 0 if nothing was lost, 8 otherwise.
pub fn command(arguments: Arguments) -> Result<u8, String> {
    let summary = run(&arguments)?;
    for finding in &summary.first_findings {
        println!("{finding}");
    }
    if summary.failed_starts > 0 {
        println!("starts failed: {}", summary.failed_starts);
    }
    println!("facts compared after a start: {} at most", summary.facts_max);
    println!("rounds {}, units {}, lost {}, half {}", summary.rounds, summary.units, summary.lost, summary.half);
    Ok(if summary.is_clean() { 0 } else { 8 })
}

/// A directory that goes away with its owner, unless the user named it.
struct Scratch {
    path: PathBuf,
    own: bool,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.own {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

fn scratch(arguments: &Arguments, seed: u64) -> Result<Scratch, String> {
    let (path, own) = match &arguments.data {
        Some(path) => (path.clone(), false),
        None => {
            let memory = Path::new("/dev/shm");
            let parent = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
            (parent.join(format!("regent-torture-{}-{seed}", std::process::id())), true)
        }
    };
    std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Scratch { path, own })
}

/// Runs the rounds.
pub fn run(arguments: &Arguments) -> Result<Summary, String> {
    let begin = Instant::now();
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = arguments.seed.unwrap_or_else(clock) % 1_000_000_000;
    println!("seed {seed}");
    let scratch = scratch(arguments, seed)?;
    if !scratch.path.join("pages").exists() {
        setup::create(&scratch.path)?;
    }
    let mut random = Random::new(seed);
    let mut model = Model::default();
    let mut summary = Summary::default();
    for number in 0..arguments.rounds {
        let plan = Plan::of(number, &mut random);
        let outcome = one_round(&scratch.path, number, &plan, arguments)?;
        let fault = outcome.check(&mut model, &mut summary);
        summary.rounds += 1;
        if let Some(fault) = fault {
            summary.first_findings.push(format!("round {number} (after {plan:?}): {fault}"));
        }
        if !summary.is_clean() && !arguments.keep_going {
            break;
        }
        if number % 500 == 499 {
            let Summary { units, lost, half, failed_starts, .. } = summary;
            let seconds = begin.elapsed().as_secs();
            println!("round {}: units {units}, lost {lost}, half {half}, failed starts {failed_starts}, {seconds} s", number + 1);
        }
    }
    summary.first_findings.truncate(SHOWN_MAX);
    summary.seconds = begin.elapsed().as_secs();
    Ok(summary)
}

/// How a round is to go.
#[derive(Debug)]
struct Plan {
    end: End,
    at: u64,
    seed: u64,
    /// Units of work after which the round ends by itself.
    units: u64,
    /// When the parent kills.
    life: Duration,
}

impl Plan {
    fn of(number: u64, random: &mut Random) -> Plan {
        let end = match random.below(16) {
            // The first rounds fill the files.
            _ if number < 2 => End::Shutdown,
            0 => End::Full,
            1 => End::ReadOnly,
            2 => End::Failure,
            3 => End::Shutdown,
            4 => End::Kill,
            _ => End::PowerLoss,
        };
        // Most between the first few operations (the restart) and some hundred; some rounds fill many segments of the log.
        let is_long = random.below(16) == 0;
        let range = if is_long { 1_200 } else { [10, 40, 120, 400][random.below(4) as usize] };
        let life = Duration::from_micros(random.below(if is_long { 600_000 } else { 60_000 }));
        let units = if is_long { UNITS_MAX } else { UNITS };
        Plan { end, at: 1 + random.below(range), seed: random.below(u64::MAX >> 12), units, life }
    }
}

/// The report of a round.
#[derive(Default)]
struct Outcome {
    events: Vec<Event>,
    code: Option<i32>,
    errors: String,
}

fn spawn(directory: &Path, number: u64, plan: &Plan, arguments: &Arguments) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg("torture-round").arg("--data").arg(directory);
    let end = plan.end.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
    let values = [
        ("--round", number.to_string()),
        ("--seed", plan.seed.to_string()),
        ("--end", end),
        ("--at", plan.at.to_string()),
        ("--tasks", arguments.tasks.to_string()),
        ("--units", plan.units.to_string()),
    ];
    for (name, value) in values {
        command.args([name, &value]);
    }
    command.env("REGENT_LOG", "off").stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| error.to_string())
}

fn one_round(directory: &Path, number: u64, plan: &Plan, arguments: &Arguments) -> Result<Outcome, String> {
    let mut child = spawn(directory, number, plan, arguments)?;
    let mut errors = child.stderr.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let child = Arc::new(Mutex::new(child));
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    let mut outcome = Outcome::default();
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        // A line without its end was cut off by the death of its writer.
        if line.pop() == Some(b'\n')
            && let Some(event) = Event::decode(&String::from_utf8_lossy(&line))
        {
            if event == Event::Told && plan.end == End::Kill {
                kill_later(child.clone(), plan.life);
            }
            outcome.events.push(event);
        }
        line.clear();
    }
    outcome.code = child.lock().wait().map_err(|error| error.to_string())?.code();
    outcome.errors = errors.join().unwrap_or_default();
    Ok(outcome)
}

/// Kills the child in a while, unless it has ended by then.
fn kill_later(child: Arc<Mutex<Child>>, life: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(life);
        let _ = child.lock().kill();
    });
}

impl Outcome {
    /// Compares the report with the model; returns the findings to show.
    fn check(self, model: &mut Model, summary: &mut Summary) -> Option<String> {
        let mut state = State::default();
        let mut findings = Vec::new();
        let mut told = false;
        for event in self.events {
            match event {
                Event::Told => {
                    told = true;
                    summary.facts_max = summary.facts_max.max(state.facts() as u64);
                    let found = model.compare(&state);
                    summary.units += found.units;
                    summary.lost += found.lost.len() as u64;
                    summary.half += u64::from(!found.half.is_empty());
                    findings.extend(found.lost.into_iter().map(|text| format!("lost: {text}")));
                    findings.extend(found.half.into_iter().map(|text| format!("half: {text}")));
                }
                Event::Wrong(why) => {
                    summary.half += 1;
                    findings.push(why);
                }
                decided @ Event::Decided { .. } => model.event(decided),
                other if told => model.event(other),
                other => state.add(&other),
            }
        }
        // Killed (no code), or ended well.
        if self.code.is_some_and(|code| code != 0) || self.errors.contains("panicked") {
            summary.failed_starts += 1;
            findings.push(format!("code {:?}, {}", self.code, self.errors.trim()));
        }
        if findings.len() > SHOWN_MAX {
            let more = findings.len() - SHOWN_MAX;
            findings.truncate(SHOWN_MAX);
            findings.push(format!("and {more} more"));
        }
        (!findings.is_empty()).then(|| findings.join("\n  "))
    }
}
