//! A private cluster: a PostgreSQL server of this user alone, on a Unix socket, in a directory.
//!
//! Invariants: the server never listens on a network; it never runs as root; one directory has one server at a time (its `postmaster.pid`); a
//! server whose owner died is found again by the next one. A process that runs as root gives the data to the user `postgres`, or to `nobody`.

use crate::config::Config;
use crate::session::Session;
use crate::wait::ThreadWait;
use std::fmt;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The database of the cluster, and its user.
pub const DATABASE: &str = "regent";
pub const USER: &str = "regent";
/// Part of the name of the socket; nothing listens on a port.
const PORT: u16 = 5432;
/// Longest path of a Unix socket on Linux, less the file's name.
const SOCKET_PATH_MAX: usize = 107 - ".s.PGSQL.5432".len();
const START_MAX: Duration = Duration::from_secs(60);
const STOP_MAX: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);
/// Users that may own the data when this process is root, by preference.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];
/// The system's roots of versioned installations, newest version first.
const ROOTS: [&str; 2] = ["/usr/lib/postgresql", "/usr"];

#[derive(Debug)]
pub enum ClusterError {
    /// There are no server programs; where they were looked for.
    NotInstalled {
        searched: Vec<PathBuf>,
    },
    /// The data was made by another major version.
    OtherVersion {
        data: String,
        programs: String,
    },
    /// A program failed; its output.
    Failed {
        what: String,
        output: String,
    },
    Io {
        what: String,
        error: std::io::Error,
    },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ClusterError::NotInstalled { searched } => {
                let places: Vec<String> = searched.iter().map(|path| path.display().to_string()).collect();
                write!(
                    f,
                    "no PostgreSQL server is installed (looked for initdb in {}); install it with: apt-get install postgresql",
                    places.join(", ")
                )
            }
            ClusterError::OtherVersion { data, programs } => {
                write!(
                    f,
                    "the database was made by PostgreSQL {data}, and PostgreSQL {programs} is installed; install {data}, or move the data with pg_dump"
                )
            }
            ClusterError::Failed { what, output } => write!(f, "{what} failed: {}", output.trim()),
            ClusterError::Io { what, error } => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for ClusterError {}

fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> ClusterError {
    let what = what.into();
    move |error| ClusterError::Io { what, error }
}

/// Who runs the server.
#[derive(Clone, Copy)]
struct Owner {
    uid: u32,
    gid: u32,
}

/// A running private cluster. Dropping it leaves the server running; [`PrivateCluster::stop`] ends it.
pub struct PrivateCluster {
    directory: PathBuf,
    socket_directory: PathBuf,
    programs: PathBuf,
    owner: Option<Owner>,
    /// It was running when it was opened.
    pub adopted: bool,
}

impl PrivateCluster {
    /// Makes the cluster if the directory has none, and starts its server if none is running. `connections_max` sessions at once.
    pub fn open(directory: &Path, connections_max: u32) -> Result<PrivateCluster, ClusterError> {
        let programs = find_programs()?;
        let owner = owner()?;
        make_directory(directory, owner)?;
        let directory = fs::canonicalize(directory).map_err(io(directory.display().to_string()))?;
        let data = directory.join("data");
        if !data.join("PG_VERSION").exists() {
            initialize(&programs, &data, owner)?;
        }
        check_version(&programs, &data)?;
        let socket_directory = socket_directory(&directory, owner)?;
        let mut cluster = PrivateCluster { directory, socket_directory, programs, owner, adopted: false };
        cluster.adopted = cluster.answers();
        if !cluster.adopted {
            cluster.start(connections_max)?;
        }
        cluster.create_database()?;
        Ok(cluster)
    }

    /// How to reach its database.
    pub fn config(&self) -> Config {
        self.config_of(DATABASE)
    }

    fn config_of(&self, database: &str) -> Config {
        Config {
            host: self.socket_directory.display().to_string(),
            port: PORT,
            user: USER.to_string(),
            database: database.to_string(),
            ..Config::default()
        }
    }

    /// The log of the server.
    pub fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// The process of the server, by its `postmaster.pid`.
    pub fn process(&self) -> Option<u32> {
        let text = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn answers(&self) -> bool {
        Session::connect(&self.config_of("postgres"), &mut ThreadWait).is_ok()
    }

    fn start(&self, connections_max: u32) -> Result<(), ClusterError> {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.log()).map_err(io("log of the database"))?;
        let failed = io("the log of the database");
        let errors = log.try_clone().map_err(failed)?;
        let mut command = Command::new(self.programs.join("postgres"));
        command.arg("-D").arg(self.data()).arg("-k").arg(&self.socket_directory);
        for setting in [
            "listen_addresses=".to_string(),
            format!("port={PORT}"),
            format!("max_connections={connections_max}"),
            format!("max_prepared_transactions={connections_max}"),
        ] {
            command.arg("-c").arg(setting);
        }
        // A group of its own: Ctrl-C at the owner's terminal does not end it.
        command.stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0).current_dir("/");
        let mut child = as_owner(&mut command, self.owner).spawn().map_err(io("starting the database"))?;
        let until = Instant::now() + START_MAX;
        while !self.answers() {
            if let Ok(Some(_)) = child.try_wait() {
                // Another process may have started it at the same time.
                if self.answers() {
                    return Ok(());
                }
                return Err(ClusterError::Failed { what: "the start of the database".to_string(), output: self.end_of_log() });
            }
            if Instant::now() > until {
                return Err(ClusterError::Failed {
                    what: "the start of the database".to_string(),
                    output: "it does not answer".to_string(),
                });
            }
            std::thread::sleep(PAUSE);
        }
        // The child is waited for when it ends, so that it does not stay as a zombie.
        std::thread::spawn(move || child.wait());
        Ok(())
    }

    fn end_of_log(&self) -> String {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    }

    fn create_database(&self) -> Result<(), ClusterError> {
        if Session::connect(&self.config(), &mut ThreadWait).is_ok() {
            return Ok(());
        }
        let failed = |output: String| ClusterError::Failed { what: format!("CREATE DATABASE {DATABASE}"), output };
        let mut session = Session::connect(&self.config_of("postgres"), &mut ThreadWait).map_err(|error| failed(error.to_string()))?;
        session.query(&format!("CREATE DATABASE {DATABASE}"));
        loop {
            use crate::message::Message;
            match session.receive(&mut ThreadWait).map_err(|error| failed(error.to_string()))? {
                Message::ReadyForQuery(_) => return Ok(()),
                Message::Error(error) => return Err(failed(error.to_string())),
                _ => {}
            }
        }
    }

    /// Ends the server: sessions are broken, committed data is on disk.
    pub fn stop(&self) -> Result<(), ClusterError> {
        let Some(process) = self.process() else { return Ok(()) };
        let seconds = STOP_MAX.as_secs().to_string();
        let mut command = Command::new(self.programs.join("pg_ctl"));
        command.arg("-D").arg(self.data()).args(["-m", "fast", "-w", "-t", &seconds, "stop"]).current_dir("/");
        let output = as_owner(&mut command, self.owner).output().map_err(io("stopping the database"))?;
        match output.status.success() || self.process() != Some(process) {
            true => Ok(()),
            false => Err(ClusterError::Failed { what: "the stop of the database".to_string(), output: text_of(&output) }),
        }
    }
}

fn text_of(output: &std::process::Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn as_owner(command: &mut Command, owner: Option<Owner>) -> &mut Command {
    match owner {
        Some(owner) => command.uid(owner.uid).gid(owner.gid),
        None => command,
    }
}

/// The directory of initdb: on PATH, or of the newest installed version.
fn find_programs() -> Result<PathBuf, ClusterError> {
    let mut searched: Vec<PathBuf> = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    for root in ROOTS {
        let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(root)
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let name = entry.file_name().into_string().ok()?;
                let version = name.strip_prefix("pgsql-").unwrap_or(&name).parse().ok()?;
                Some((version, entry.path().join("bin")))
            })
            .collect();
        versions.sort_by(|left, right| right.cmp(left));
        searched.extend(versions.into_iter().map(|(_, path)| path));
    }
    let found = searched.iter().find(|path| path.join("initdb").exists() && path.join("postgres").exists()).cloned();
    found.ok_or(ClusterError::NotInstalled { searched })
}

/// `None`: this process runs the server as itself. Root gives it to another user.
fn owner() -> Result<Option<Owner>, ClusterError> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").map_err(io("/etc/passwd"))?;
    let find = |wanted: &str| {
        users.lines().find_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            match fields[..] {
                [name, _, uid, gid, ..] if name == wanted => Some(Owner { uid: uid.parse().ok()?, gid: gid.parse().ok()? }),
                _ => None,
            }
        })
    };
    match UNPRIVILEGED.into_iter().find_map(find) {
        Some(owner) => Ok(Some(owner)),
        None => Err(ClusterError::Failed {
            what: "the start of the database".to_string(),
            output: format!("a database does not run as root, and there is no user {}", UNPRIVILEGED.join(" or ")),
        }),
    }
}

/// The owner must reach the directory: those above it let others pass, or the data cannot be there.
fn make_directory(directory: &Path, owner: Option<Owner>) -> Result<(), ClusterError> {
    let named = || directory.display().to_string();
    fs::create_dir_all(directory).map_err(io(named()))?;
    let Some(owner) = owner else { return Ok(()) };
    chown(directory, Some(owner.uid), Some(owner.gid)).map_err(io(named()))?;
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700)).map_err(io(named()))?;
    let whole = fs::canonicalize(directory).map_err(io(named()))?;
    for above in whole.ancestors().skip(1) {
        let metadata = fs::metadata(above).map_err(io(above.display().to_string()))?;
        let mode = metadata.permissions().mode();
        if mode & 0o001 != 0 || metadata.uid() == owner.uid {
            continue;
        }
        // Passing through, without reading, is all that is opened.
        fs::set_permissions(above, fs::Permissions::from_mode(mode | 0o001)).map_err(io(above.display().to_string()))?;
    }
    Ok(())
}

fn initialize(programs: &Path, data: &Path, owner: Option<Owner>) -> Result<(), ClusterError> {
    let mut command = Command::new(programs.join("initdb"));
    command.arg("-D").arg(data).args(["--username", USER, "--encoding=UTF8", "--locale=C", "--auth=trust", "--no-instructions"]);
    let output = as_owner(command.current_dir("/"), owner).output().map_err(io("initdb"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            // A directory that is half made would be taken for a cluster.
            let _ = fs::remove_dir_all(data);
            Err(ClusterError::Failed { what: "initdb".to_string(), output: text_of(&output) })
        }
    }
}

fn check_version(programs: &Path, data: &Path) -> Result<(), ClusterError> {
    let made = fs::read_to_string(data.join("PG_VERSION")).map_err(io("PG_VERSION"))?.trim().to_string();
    let output = Command::new(programs.join("postgres")).arg("--version").output().map_err(io("postgres --version"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or_default();
    let programs = version.split('.').next().unwrap_or_default().to_string();
    match made == programs {
        true => Ok(()),
        false => Err(ClusterError::OtherVersion { data: made, programs }),
    }
}

/// The socket is in the directory, or, where its path would be too long, in one below the temporary directory whose name is made of it.
fn socket_directory(directory: &Path, owner: Option<Owner>) -> Result<PathBuf, ClusterError> {
    if directory.as_os_str().len() <= SOCKET_PATH_MAX {
        return Ok(directory.to_path_buf());
    }
    let hash = directory
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3));
    let path = std::env::temp_dir().join(format!("regent-database-{hash:016x}"));
    let named = || path.display().to_string();
    if let Err(error) = fs::DirBuilder::new().mode(0o700).create(&path)
        && error.kind() != std::io::ErrorKind::AlreadyExists
    {
        return Err(ClusterError::Io { what: named(), error });
    }
    let uid = owner.map_or_else(|| rustix::process::geteuid().as_raw(), |owner| owner.uid);
    if let Some(owner) = owner {
        chown(&path, Some(owner.uid), Some(owner.gid)).map_err(io(named()))?;
    }
    // Another user's directory of this name could give us another server.
    match fs::symlink_metadata(&path).map_err(io(named()))? {
        metadata if metadata.is_dir() && metadata.uid() == uid => Ok(path),
        _ => Err(ClusterError::Failed { what: named(), output: "it belongs to another user".to_string() }),
    }
}
