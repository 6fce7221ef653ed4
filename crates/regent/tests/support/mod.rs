//! Helpers shared by the tests of the whole system: a region started from the real binary, and s3270 as its user.
#![allow(dead_code)]

pub mod application;
pub mod batch;
pub mod command_table;
pub mod debug;
pub mod edf;
pub mod golden;
pub mod small_disk;
pub mod terminal;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Compiling and loading a sample in an unoptimized build on a busy machine takes its time.
const START_LIMIT: Duration = Duration::from_secs(300);
const STOP_LIMIT: Duration = Duration::from_secs(60);

/// `regent` as built for this test run.
pub fn regent() -> Command {
    Command::new(env!("CARGO_BIN_EXE_regent"))
}

/// The project's root directory.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("project root")
}

/// A region that serves a directory; stopped when dropped.
pub struct Region {
    child: Child,
    lines: Receiver<String>,
    /// Everything printed so far.
    pub output: Vec<String>,
    pub port: u16,
}

impl Region {
    /// `regent up DIRECTORY --data DATA --port-3270 0 ARGUMENTS`, waited for until it is ready.
    pub fn start(directory: &Path, data: &Path, arguments: &[&str]) -> Region {
        Region::try_start(directory, data, arguments).unwrap_or_else(|output| panic!("the region did not start:\n{}", output.join("\n")))
    }

    /// As `start`; the output when the region ends instead of becoming ready.
    pub fn try_start(directory: &Path, data: &Path, arguments: &[&str]) -> Result<Region, Vec<String>> {
        Region::begin(directory, data, arguments).ready()
    }

    /// As `start`, with variables of the environment.
    pub fn start_in(environment: &[(&str, &Path)], directory: &Path, data: &Path, arguments: &[&str]) -> Region {
        let region = Region::begin_in(environment, directory, data, arguments);
        region.ready().unwrap_or_else(|output| panic!("the region did not start:\n{}", output.join("\n")))
    }

    fn ready(self) -> Result<Region, Vec<String>> {
        let mut region = self;
        if region.wait_for(|line| line == "ready" || line.starts_with("ready, with"), START_LIMIT) {
            region.port = region.endpoint("3270").expect("an endpoint line for 3270");
            region.read_problems();
            Ok(region)
        } else {
            Err(std::mem::take(&mut region.output))
        }
    }

    /// Starts the process and waits for nothing.
    pub fn begin(directory: &Path, data: &Path, arguments: &[&str]) -> Region {
        Region::begin_in(&[], directory, data, arguments)
    }

    fn begin_in(environment: &[(&str, &Path)], directory: &Path, data: &Path, arguments: &[&str]) -> Region {
        // One pipe for both, so that the lines come in the order they were written in.
        let (output, out) = std::io::pipe().expect("a pipe");
        let child = regent()
            .arg("up")
            .arg(directory)
            .arg("--data")
            .arg(data)
            .args(["--port-3270", "0"])
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(out.try_clone().expect("a pipe"))
            .stderr(out)
            .spawn()
            .expect("regent starts");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Region { child, lines, output: Vec::new(), port: 0 }
    }

    /// `ready, with N problems:` is followed by as many lines.
    fn read_problems(&mut self) {
        let Some(count) = self.output.last().and_then(|line| line.strip_prefix("ready, with ")?.split(' ').next()?.parse::<usize>().ok())
        else {
            return;
        };
        assert!(self.wait_for(|line| line.starts_with(&format!("  {count}. ")), STOP_LIMIT), "the last of {count} problems");
    }

    /// Reads output until a line satisfies the condition.
    pub fn wait_for(&mut self, condition: impl Fn(&str) -> bool, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let found = condition(&line);
                    self.output.push(line);
                    if found {
                        return true;
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    fn endpoint(&self, protocol: &str) -> Option<u16> {
        let line = self.output.iter().find(|line| line.split_whitespace().next() == Some(protocol))?;
        line.rsplit(':').next()?.trim().parse().ok()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the process as a power failure would.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// SIGTERM: a normal shutdown.
    pub fn terminate(&self) {
        let _ = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status();
    }

    /// SIGTERM, and the exit code.
    pub fn stop(mut self) -> i32 {
        self.terminate();
        self.wait_for_end().unwrap_or_else(|| panic!("the region did not stop:\n{}", self.output.join("\n")))
    }

    /// The exit code, once the process ends by itself.
    pub fn wait_for_end(&mut self) -> Option<i32> {
        let deadline = Instant::now() + STOP_LIMIT;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                // Until the readers of its output are at the end.
                while let Ok(line) = self.lines.recv_timeout(STOP_LIMIT) {
                    self.output.push(line);
                }
                return Some(status.code().unwrap_or(-1));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
