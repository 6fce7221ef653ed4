//! A private cluster: a PostgreSQL server of this user alone, on a Unix socket, in a directory.
//!
//! Invariants: the server never listens on a network; it never runs as root; one directory has one server at a time (its
//! `postmaster.pid`, and a lock while it is made or started); a server whose owner died is found again by the next one; a directory
//! `data` is always a whole cluster. A process that runs as root gives the data to the user `postgres`, or to `nobody`.

mod error;
mod place;
mod programs;
mod roles;

use crate::config::{Config, Password};
use crate::error::{ConnectError, FinishError, ServerError};
use crate::session::Session;
use crate::wait::ThreadWait;
pub use error::ClusterError;
use error::io;
use place::{Owner, append, as_owner, make_directory, no_link_of_owner, socket_directory};
use roles::Passwords;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The database of the cluster.
const DATABASE: &str = "regent";
/// The database that every cluster has.
const FIRST_DATABASE: &str = "postgres";
/// Part of the name of the socket; nothing listens on a port.
const PORT: u16 = 5432;
/// Until the server says something.
const START_MAX: Duration = Duration::from_secs(60);
/// While it says that it starts: it may apply a long log.
const RECOVERY_MAX: Duration = Duration::from_secs(600);
/// A fast stop rolls back what is running. After this time the server is stopped at once, and recovers from its log at the next start.
const STOP_MAX: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);
/// Before a start is tried again that found processes of a server that was killed.
const RETRY_PAUSE: Duration = Duration::from_millis(200);
/// In this time a server that was told to read its rules again has done so.
const RELOAD_MAX: Duration = Duration::from_secs(5);
/// What the server says of them: of memory that its sessions still have, and of its own process while it ends or is a zombie.
const REMNANTS: [&str; 2] = ["is still in use", "lock file \"postmaster.pid\" already exists"];
/// A log longer than this is set aside at the next start.
const LOG_BYTES_MAX: u64 = 16 << 20;
/// Lines of the server's log that a failure tells.
const LOG_LINES: usize = 8;
/// SQLSTATEs of a server: it starts or stops; the password is not the user's; there is no such database; there is one.
const CANNOT_CONNECT_NOW: &str = "57P03";
const INVALID_PASSWORD: &str = "28P01";
const INVALID_CATALOG_NAME: &str = "3D000";
const DUPLICATE_DATABASE: &str = "42P04";

/// A running private cluster. Dropping it leaves the server running; [`PrivateCluster::stop`] ends it.
#[derive(Debug)]
pub struct PrivateCluster {
    directory: PathBuf,
    socket_directory: PathBuf,
    programs: PathBuf,
    owner: Option<Owner>,
    passwords: PathBuf,
    /// It was running when it was opened.
    pub adopted: bool,
}

/// A server as its `postmaster.pid` tells.
struct Running {
    process: u32,
    socket_directory: PathBuf,
}

impl PrivateCluster {
    /// Makes the cluster if the directory has none, and starts its server if none is running. `connections_max` sessions at once; a
    /// server that is running keeps the number it was started with.
    pub fn open(directory: &Path, connections_max: u32) -> Result<PrivateCluster, ClusterError> {
        PrivateCluster::open_unless(directory, connections_max, &AtomicBool::new(false))
    }

    /// The same, given up as soon as another thread sets `given_up`. A server that was started is ended again then, as after a failure.
    pub fn open_unless(directory: &Path, connections_max: u32, given_up: &AtomicBool) -> Result<PrivateCluster, ClusterError> {
        let owner = Owner::find()?;
        let directory = make_directory(directory, owner.as_ref())?;
        let lock = append(&directory.join("lock"), owner.as_ref())?;
        take(&lock, given_up)?;
        let data = directory.join("data");
        no_link_of_owner(&data, owner.as_ref())?;
        let version = fs::read_to_string(data.join("PG_VERSION")).ok();
        let programs = programs::find(version.as_deref().map(str::trim))?;
        if version.is_none() {
            initialize(&programs, &directory, owner.as_ref())?;
        }
        let socket_directory = socket_directory(&directory, owner.as_ref())?;
        let passwords = Passwords::find(&directory, &data, owner.as_ref())?;
        let path = passwords.path.clone();
        let mut cluster = PrivateCluster { directory, socket_directory, programs, owner, passwords: path, adopted: false };
        match cluster.bring_up(connections_max, &passwords, given_up) {
            Ok(()) => Ok(cluster),
            Err(error) => {
                // The lock is still held, so nobody else uses a server that was started here.
                if !cluster.adopted {
                    let _ = cluster.stop();
                }
                Err(error)
            }
        }
    }

    fn bring_up(&mut self, connections_max: u32, passwords: &Passwords, given_up: &AtomicBool) -> Result<(), ClusterError> {
        match self.running() {
            Some(running) => self.adopt(running, connections_max, given_up)?,
            None => self.start(connections_max, given_up)?,
        }
        self.create_database(DATABASE)?;
        match roles::asks_for_passwords(&self.data()) {
            true => Ok(()),
            false => self.prepare_roles(passwords),
        }
    }

    /// Ends the server of a directory, in whatever state it is, if there is one.
    pub fn end(directory: &Path) -> Result<(), ClusterError> {
        let Ok(directory) = fs::canonicalize(directory) else { return Ok(()) };
        let Ok(version) = fs::read_to_string(directory.join("data/PG_VERSION")) else { return Ok(()) };
        let (owner, programs) = (Owner::find()?, programs::find(Some(version.trim()))?);
        let passwords = roles::file(&directory);
        PrivateCluster { socket_directory: directory.clone(), directory, programs, owner, passwords, adopted: true }.stop()
    }

    /// Uses a server that is running. If it turns out to be one that ends, another is started.
    fn adopt(&mut self, running: Running, connections_max: u32, given_up: &AtomicBool) -> Result<(), ClusterError> {
        let ours = std::mem::replace(&mut self.socket_directory, running.socket_directory);
        self.adopted = true;
        // The process that wrote its rules may have been killed before it told the server.
        if let Some(process) = i32::try_from(running.process).ok().and_then(Pid::from_raw) {
            let _ = kill_process(process, Signal::HUP);
        }
        match self.wait_until_started(None, given_up) {
            Err(error) if self.running().is_some() || matches!(error, ClusterError::GivenUp) => Err(error),
            Err(_) => {
                (self.socket_directory, self.adopted) = (ours, false);
                self.start(connections_max, given_up)
            }
            Ok(()) => Ok(()),
        }
    }

    /// How the sessions of the application reach its database.
    pub fn config(&self) -> Config {
        self.config_of(DATABASE, roles::APPLICATION)
    }

    /// How the owner of the cluster does, its superuser: for what Regent itself sets up.
    pub fn owner_config(&self) -> Config {
        self.owner_config_of(DATABASE)
    }

    pub fn owner_config_of(&self, database: &str) -> Config {
        self.config_of(database, roles::OWNER)
    }

    /// Makes a further database, if it is not there; how the sessions of the application reach it.
    pub fn add_database(&self, name: &str) -> Result<Config, ClusterError> {
        self.create_database(name)?;
        let failed = |output: String| ClusterError::Failed { what: format!("database {name}"), output };
        let mut session = Session::connect(&self.owner_config_of(name), &mut ThreadWait).map_err(|error| failed(error.to_string()))?;
        session.query(&roles::rights(name));
        session.finish(&mut ThreadWait, |_| {}).map_err(|failure| failed(failure.to_string()))?;
        Ok(self.config_of(name, roles::APPLICATION))
    }

    fn config_of(&self, database: &str, user: &str) -> Config {
        Config {
            host: self.socket_directory.display().to_string(),
            port: PORT,
            user: user.to_string(),
            database: database.to_string(),
            password: Password::PassFile(self.passwords.clone()),
            ..Config::default()
        }
    }

    /// Gives the roles their passwords and the application its objects; then the server asks for passwords.
    fn prepare_roles(&self, passwords: &Passwords) -> Result<(), ClusterError> {
        let failed = |output: String| ClusterError::Failed { what: "the roles of the database".to_string(), output };
        let mut session = Session::connect(&self.owner_config(), &mut ThreadWait).map_err(|error| failed(error.to_string()))?;
        session.query(&passwords.statements());
        session.finish(&mut ThreadWait, |_| {}).map_err(|failure| failed(failure.to_string()))?;
        roles::ask_for_passwords(&self.data(), true, self.owner.as_ref())?;
        session.query("select pg_reload_conf()");
        session.finish(&mut ThreadWait, |_| {}).map_err(|failure| failed(failure.to_string()))
    }

    /// The log of the server.
    pub fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    /// The process of the server, if it is running.
    pub fn process(&self) -> Option<u32> {
        self.running().map(|running| running.process)
    }

    /// By the server's file of its process.
    fn running(&self) -> Option<Running> {
        let text = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        // Process, data directory, start time, port, socket directory.
        let mut lines = text.lines();
        let process: u32 = lines.next()?.trim().parse().ok()?;
        let socket_directory = lines.nth(3).filter(|line| !line.is_empty()).map_or_else(|| self.socket_directory.clone(), PathBuf::from);
        self.is_server(process).then_some(Running { process, socket_directory })
    }

    /// The file may be of before a restart of the machine, and its process another program. The server works in its data directory; a
    /// container may hide that from root, but not the command.
    fn is_server(&self, process: u32) -> bool {
        let data = self.data();
        match fs::read_link(format!("/proc/{process}/cwd")) {
            Ok(works_in) => works_in == data,
            Err(_) => {
                let command = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
                command.split(|byte| *byte == 0).any(|word| word == data.as_os_str().as_encoded_bytes())
            }
        }
    }

    fn start(&self, connections_max: u32, given_up: &AtomicBool) -> Result<(), ClusterError> {
        let deadline = Instant::now() + START_MAX;
        loop {
            let log_before = fs::metadata(self.log()).map_or(0, |metadata| metadata.len());
            let mut child = self.spawn(connections_max)?;
            let started = self.wait_until_started(Some(&mut child), given_up);
            match started {
                Ok(()) => {
                    // The child is waited for when it ends, so that it does not stay as a zombie.
                    std::thread::Builder::new().name("database".to_string()).spawn(move || child.wait()).map_err(io("a thread"))?;
                    return Ok(());
                }
                // Processes of a server that was killed end when they notice it.
                Err(_) if Instant::now() < deadline && self.finds_remnants(log_before) => std::thread::sleep(RETRY_PAUSE),
                Err(error) => {
                    end(child);
                    return Err(error);
                }
            }
        }
    }

    fn spawn(&self, connections_max: u32) -> Result<Child, ClusterError> {
        if fs::symlink_metadata(self.log()).is_ok_and(|metadata| metadata.len() > LOG_BYTES_MAX) {
            fs::rename(self.log(), self.directory.join("log.old")).map_err(io("log of the database"))?;
        }
        let log = append(&self.log(), self.owner.as_ref())?;
        let errors = log.try_clone().map_err(io("log of the database"))?;
        let mut command = Command::new(self.programs.join("postgres"));
        command.arg("-D").arg(self.data()).arg("-k").arg(&self.socket_directory);
        for setting in [
            "listen_addresses=".to_string(),
            "unix_socket_permissions=0700".to_string(),
            format!("port={PORT}"),
            format!("max_connections={connections_max}"),
            // Every session may have a prepared unit of work.
            format!("max_prepared_transactions={connections_max}"),
            "shared_buffers=128MB".to_string(),
            "fsync=on".to_string(),
            // Statements are short, and their compilation is not.
            "jit=off".to_string(),
            // What becomes an SQLCODE is not told again in the log.
            "log_min_messages=log".to_string(),
            "logging_collector=off".to_string(),
            "log_destination=stderr".to_string(),
        ] {
            command.arg("-c").arg(setting);
        }
        // A group of its own: Ctrl-C at the owner's terminal does not end it.
        command.stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0).current_dir("/");
        as_owner(&mut command, self.owner.as_ref()).spawn().map_err(io("starting the database"))
    }

    /// Waits until the server takes sessions. `child`: the server, if this process has started it.
    fn wait_until_started(&self, mut child: Option<&mut Child>, given_up: &AtomicBool) -> Result<(), ClusterError> {
        let failed = |output: String| ClusterError::Failed { what: "the start of the database".to_string(), output };
        let begun = Instant::now();
        loop {
            let why = match Session::connect(&self.config_of(FIRST_DATABASE, roles::OWNER), &mut ThreadWait) {
                Ok(_) => return Ok(()),
                Err(ConnectError::Refused(error)) if !self.may_pass(&error, begun.elapsed()) => return Err(failed(error.to_string())),
                Err(error) => error,
            };
            let has_ended = match &mut child {
                Some(child) => matches!(child.try_wait(), Ok(Some(_))),
                None => self.running().is_none(),
            };
            if has_ended {
                return Err(failed(self.end_of_log()));
            }
            if given_up.load(Ordering::Relaxed) {
                return Err(ClusterError::GivenUp);
            }
            let limit = if matches!(why, ConnectError::Refused(_)) { RECOVERY_MAX } else { START_MAX };
            if begun.elapsed() > limit {
                return Err(failed(format!("it does not answer: {why}")));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The server starts or stops, or has not yet read the rules that let the owner in.
    fn may_pass(&self, error: &ServerError, waited: Duration) -> bool {
        match error.code.as_str() {
            CANNOT_CONNECT_NOW => true,
            INVALID_PASSWORD => waited < RELOAD_MAX && !roles::asks_for_passwords(&self.data()),
            _ => false,
        }
    }

    fn end_of_log(&self) -> String {
        let text = fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
    }

    /// By what the server has said since its log had this length.
    fn finds_remnants(&self, before: u64) -> bool {
        let text = fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(text.get(before as usize..).unwrap_or_default());
        REMNANTS.iter().any(|remnant| text.contains(remnant))
    }

    fn create_database(&self, name: &str) -> Result<(), ClusterError> {
        let failed = |output: String| ClusterError::Failed { what: format!("CREATE DATABASE {name}"), output };
        match Session::connect(&self.owner_config_of(name), &mut ThreadWait) {
            Ok(_) => return Ok(()),
            Err(ConnectError::Refused(error)) if error.code == INVALID_CATALOG_NAME => {}
            Err(error) => return Err(failed(error.to_string())),
        }
        let mut session =
            Session::connect(&self.owner_config_of(FIRST_DATABASE), &mut ThreadWait).map_err(|error| failed(error.to_string()))?;
        session.query(&format!("CREATE DATABASE {}", roles::delimited(name)));
        match session.finish(&mut ThreadWait, |_| {}) {
            Err(FinishError::Refused(error)) if error.code == DUPLICATE_DATABASE => Ok(()),
            done => done.map_err(|failure| failed(failure.to_string())),
        }
    }

    /// Ends the server: sessions are broken, committed data is on disk.
    pub fn stop(&self) -> Result<(), ClusterError> {
        let mut output = String::new();
        for mode in ["fast", "immediate"] {
            if self.running().is_none() {
                return Ok(());
            }
            let seconds = STOP_MAX.as_secs().to_string();
            let mut command = Command::new(self.programs.join("pg_ctl"));
            command.arg("-D").arg(self.data()).args(["-m", mode, "-w", "-t", &seconds, "stop"]).current_dir("/").stdin(Stdio::null());
            output = text_of(&as_owner(&mut command, self.owner.as_ref()).output().map_err(io("stopping the database"))?);
        }
        match self.running() {
            None => Ok(()),
            Some(_) => Err(ClusterError::Failed { what: "the stop of the database".to_string(), output }),
        }
    }
}

/// Ends a server that is of no use. It may have no process file yet, so its process is told.
fn end(mut child: Child) {
    for signal in [Signal::INT, Signal::QUIT] {
        let deadline = Instant::now() + STOP_MAX;
        if let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(process, signal);
        }
        while Instant::now() < deadline {
            match child.try_wait() {
                Ok(None) => std::thread::sleep(PAUSE),
                _ => return,
            }
        }
    }
}

/// Waits while another process makes or starts the cluster.
fn take(lock: &fs::File, given_up: &AtomicBool) -> Result<(), ClusterError> {
    loop {
        match flock(lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) if given_up.load(Ordering::Relaxed) => return Err(ClusterError::GivenUp),
            Err(Errno::WOULDBLOCK) => std::thread::sleep(PAUSE),
            Err(error) => return Err(io("lock of the database")(error.into())),
        }
    }
}

fn text_of(output: &std::process::Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Makes the data in a directory of another name first: `initdb` that was killed leaves half a cluster.
fn initialize(programs: &Path, directory: &Path, owner: Option<&Owner>) -> Result<(), ClusterError> {
    let unfinished = directory.join("data.unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(io(unfinished.display().to_string()))?;
    }
    let mut command = Command::new(programs.join("initdb"));
    command.arg("-D").arg(&unfinished).args([
        "--username",
        roles::OWNER,
        "--encoding=UTF8",
        "--locale=C",
        "--auth=trust",
        "--no-instructions",
    ]);
    let output = as_owner(command.current_dir("/").stdin(Stdio::null()), owner).output().map_err(io("initdb"))?;
    if !output.status.success() {
        return Err(ClusterError::Failed { what: "initdb".to_string(), output: text_of(&output) });
    }
    fs::rename(&unfinished, directory.join("data")).map_err(io("data of the database"))
}
