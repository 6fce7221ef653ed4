//! A private PostgreSQL server for the tests of this binary: a cluster in a temporary directory, reached by a Unix socket, never as root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const USER: &str = "regent";

struct Cluster {
    directory: PathBuf,
}

/// Where the newest PostgreSQL of the machine has its programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is installed (package postgresql)");
    versions.map(|entry| entry.expect("an entry").path().join("bin")).max().expect("a version of PostgreSQL")
}

/// A server program; as root it runs as nobody.
fn server_program(name: &str) -> Command {
    let path = programs().join(name);
    let is_root = Path::new("/proc/self").metadata().is_ok_and(|metadata| std::os::unix::fs::MetadataExt::uid(&metadata) == 0);
    let mut command = if is_root {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(path);
        command
    } else {
        Command::new(path)
    };
    command.stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let directory = std::env::temp_dir().join(format!("regent-sql-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory for the cluster");
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(&directory, open).expect("permissions");
        let data = directory.join("data");
        let made =
            server_program("initdb").arg("-D").arg(&data).args(["-U", USER, "-E", "UTF8", "--locale=C", "-A", "trust", "-N"]).status();
        assert!(made.expect("initdb").success());
        let options = format!("-k {} -c listen_addresses='' -c fsync=off", directory.display());
        // The server ends when this process has ended: the watcher stops it and removes the directory.
        let started = server_program("pg_ctl").arg("-D").arg(&data).args(["-w", "-o", &options, "start"]).status();
        assert!(started.expect("pg_ctl").success());
        watch(&directory);
        Cluster { directory }
    })
}

/// Starts a shell that waits for the end of this process, then stops the server.
fn watch(directory: &Path) {
    let stop = programs().join("pg_ctl");
    let is_root = "[ $(id -u) = 0 ]";
    let drop = "setpriv --reuid=nobody --regid=nogroup --clear-groups";
    let script = format!(
        "while kill -0 {id} 2>/dev/null; do sleep 0.2; done; cd /; as=''; {is_root} && as='{drop}'; \
         $as {stop} -D {directory}/data -m immediate stop; rm -rf {directory}",
        id = std::process::id(),
        stop = stop.display(),
        directory = directory.display()
    );
    let watcher = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    std::mem::forget(watcher.expect("a shell"));
}

/// A database of its own for a test.
pub struct Database {
    name: String,
}

impl Database {
    /// With the support schema.
    pub fn new() -> Database {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        run("postgres", &format!("create database {name}")).expect("a database");
        let database = Database { name };
        database.run(sql::SUPPORT).expect("the support schema");
        database
    }

    /// Runs the statements in one transaction; the rows as lines of fields between tabs, or the first error.
    pub fn run(&self, text: &str) -> Result<Vec<String>, String> {
        run(&self.name, text)
    }
}

fn run(database: &str, text: &str) -> Result<Vec<String>, String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let script = std::env::temp_dir().join(format!("regent-sql-{}-{number}.sql", std::process::id()));
    std::fs::write(&script, text).expect("a script");
    let mut psql = Command::new(programs().join("psql"));
    psql.arg("-h").arg(&cluster().directory).args(["-U", USER, "-d", database, "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1"]);
    let output = psql.arg("-f").arg(&script).env("PGOPTIONS", "-c client_min_messages=warning").output().expect("psql");
    std::fs::remove_file(&script).expect("the script");
    if output.status.success() {
        let rows = String::from_utf8(output.stdout).expect("UTF-8");
        Ok(rows.lines().map(str::to_string).collect())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
