//! Starts the region on what was made, listens, and stops it in order when asked to.

use std::io::ErrorKind;
use std::sync::Arc;

use program::rununit::RunTimeOptions;
use region::messages::Sink;
use region::program_list::ProgramList;
use region::region::{Region, RegionConfig};
use region::resources::csd::Csd;
use region::system_initialization::SystemInitialization;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::problems::{Problems, StartErrors};
use super::{Arguments, WorkDirectory};
use crate::console::Console;

/// What a region is started from.
pub struct Parts {
    pub sit: SystemInitialization,
    pub csd: Csd,
    pub groups: Vec<String>,
    pub work: WorkDirectory,
    pub store: Arc<vsam::Store>,
    pub program_lists: Vec<ProgramList>,
    pub run_time_options: Option<RunTimeOptions>,
    pub workers: usize,
    /// What is wrong with the application.
    pub problems: Problems,
}

/// Exit code of a start that `--strict` refuses.
const REFUSED: u8 = 8;

/// Fails while nothing has been compiled or loaded yet if the listener could not be bound.
pub fn check_address(arguments: &Arguments) -> Result<(), String> {
    let address = format!("{}:{}", arguments.address, arguments.port_3270);
    let Err(error) = std::net::TcpListener::bind(&address) else { return Ok(()) };
    let advice = match error.kind() {
        ErrorKind::AddrInUse => "another program listens there; choose a port with --port-3270 N (0 picks a free one)",
        ErrorKind::PermissionDenied => "ports below 1024 need a privilege; choose another with --port-3270 N",
        _ => "--address A and --port-3270 N say where to listen",
    };
    Err(format!("3270 listener {address}: {error}: {advice}"))
}

pub fn start_region(parts: Parts) -> Result<&'static Region, String> {
    start_with(parts, Vec::new())
}

fn start_with(parts: Parts, sinks: Vec<Arc<dyn Sink>>) -> Result<&'static Region, String> {
    let Parts { sit, csd, groups, work, store, program_lists, run_time_options, workers, problems: _ } = parts;
    let mut config = RegionConfig::new(work.data());
    config.sit = sit;
    config.csd = csd;
    config.groups = groups;
    config.libraries = vec![work.library()];
    config.program_lists = program_lists;
    config.run_time_options = run_time_options;
    config.workers = workers;
    config.sinks = sinks;
    config.store = Some(store);
    Region::start(config, &region::registry::DOMAINS).map_err(|error| error.to_string())
}

pub fn serve(parts: Parts, arguments: &Arguments, console: &Console) -> Result<u8, String> {
    // Before any thread is started, so that none takes a signal in its stead.
    let signals = Signals::new([SIGINT, SIGTERM]).map_err(|error| error.to_string())?;
    let mut problems = parts.problems.clone();
    if arguments.strict && !problems.list().is_empty() {
        return Ok(refuse(&problems, console));
    }
    let errors = Arc::new(StartErrors::default());
    let region = start_with(parts, vec![errors.clone()])?;
    errors.add_to(&mut problems);
    if arguments.strict && !problems.list().is_empty() {
        region.shutdown(true);
        return Ok(refuse(&problems, console));
    }
    let address = format!("{}:{}", arguments.address, arguments.port_3270);
    let listener = region::terminal_control::listen(region, &address).map_err(|error| format!("3270 listener {address}: {error}"))?;
    let port = listener.port();
    console.endpoint("3270", &format!("localhost:{port}"));
    if !console.is_json() {
        console.line(&format!("      connect with: c3270 localhost:{port}"));
    }
    console.ready(problems.list());
    if arguments.watch {
        super::watch::begin(region, &arguments.directory, arguments.data.as_deref(), *console);
    }
    wait_for_end(region, signals, console);
    match region.store.failure() {
        None => Ok(0),
        Some(why) => {
            Err(format!("not all data could be written: {why}. What was committed is in the log, and the next start brings it back"))
        }
    }
}

fn refuse(problems: &Problems, console: &Console) -> u8 {
    console.problems("not started (--strict)", problems.list());
    REFUSED
}

/// Until a signal comes or an operator shuts the region down. A second signal makes an immediate shutdown of it.
fn wait_for_end(region: &'static Region, mut signals: Signals, console: &Console) {
    let handle = signals.handle();
    let (sender, receiver) = std::sync::mpsc::channel();
    let watcher = sender.clone();
    std::thread::spawn(move || {
        region.wait_until_stopped();
        let _ = watcher.send(End::Stopped);
    });
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if sender.send(End::Signal).is_err() {
                return;
            }
        }
    });
    let mut asked = false;
    while let Ok(end) = receiver.recv() {
        match end {
            End::Stopped => break,
            End::Signal => {
                if !asked {
                    console.line("shutting down; once more ends tasks that are still running");
                }
                let immediate = asked;
                asked = true;
                std::thread::spawn(move || region.shutdown(immediate));
            }
        }
    }
    handle.close();
    console.line("stopped");
}

enum End {
    Signal,
    Stopped,
}
