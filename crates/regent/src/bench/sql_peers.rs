//! The statements of `regent bench sql` in other programs: C through ECPG, `pgbench`, GnuCOBOL through GixSQL, Rust with `tokio-postgres`.
//! What is not installed is left out and named. Each prints or answers the nanoseconds of a round.

use std::path::{Path, PathBuf};
use std::process::Command;

use postgres::Config;
use serde_json::Value;

use super::sql::{DIRECTORY, Times};
use crate::torture_database::Proxy;

/// Programs that were built, and the database.
pub struct Peers<'a> {
    config: &'a Config,
    password: String,
    ecpg: Option<PathBuf>,
    gixsql: Option<Gixsql>,
}

struct Gixsql {
    program: PathBuf,
    /// Where it finds its library.
    library: PathBuf,
    /// Leads to the database.
    port: u16,
}

/// Builds what can be built.
pub fn build<'a>(scratch: &Path, config: &'a Config) -> Result<Peers<'a>, String> {
    let password = config.password()?.unwrap_or_default();
    let ecpg = build_ecpg(scratch).inspect_err(|why| eprintln!("no comparison with ECPG: {why}")).ok();
    let gixsql = build_gixsql(scratch, config).inspect_err(|why| eprintln!("no comparison with GixSQL: {why}")).ok();
    Ok(Peers { config, password, ecpg, gixsql })
}

impl Peers<'_> {
    /// Runs the rounds of a case once in each program, and keeps the best times in the row.
    pub fn measure(&self, case: &str, count: u32, row: &mut Value) -> Result<(), String> {
        let rounds = f64::from(count);
        if let Some(program) = &self.ecpg {
            Times::of(rounds, || self.run_ecpg(program, case, count))?.keep(row, "ecpg_");
        }
        if let Some(peer) = &self.gixsql {
            // A tenth of the rounds: each takes milliseconds.
            let count = count.div_ceil(10);
            Times::of(f64::from(count), || self.run_gixsql(peer, case, count))?.keep(row, "gixsql_");
        }
        if let Some(times) = self.run_pgbench(case) {
            times.keep(row, "pgbench_");
        }
        #[cfg(feature = "engines")]
        {
            let place = self.place();
            Times::of(rounds, || engines::tokio_postgres::measure(&place, case, count, false))?.keep(row, "tokio_postgres_");
            if case == "UNIT" {
                Times::of(rounds, || engines::tokio_postgres::measure(&place, case, count, true))?.keep(row, "pipelined_");
            }
        }
        Ok(())
    }

    fn client(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("PGHOST", &self.config.host).env("PGPORT", self.config.port.to_string()).env("PGUSER", &self.config.user);
        command.env("PGDATABASE", &self.config.database).env("PGPASSWORD", &self.password);
        command
    }

    fn run_ecpg(&self, program: &Path, case: &str, count: u32) -> Result<f64, String> {
        let mut command = self.client(program);
        command.args([self.config.database.as_str(), case, &count.to_string()]);
        printed(command)
    }

    fn run_gixsql(&self, peer: &Gixsql, case: &str, count: u32) -> Result<f64, String> {
        let mut command = self.client(&peer.program);
        // Its log goes into the present directory.
        command.env("LD_LIBRARY_PATH", &peer.library).current_dir(peer.program.parent().unwrap_or(Path::new("/")));
        command.env("PEER_SOURCE", format!("pgsql://127.0.0.1:{}/{}?autocommit=off", peer.port, self.config.database));
        command.env("PEER_USER", &self.config.user).env("PEER_CASE", case).env("PEER_COUNT", count.to_string());
        printed(command)
    }

    /// The mean latency that pgbench reports, prepared statements, one client; its rows of FETCH come in one answer.
    fn run_pgbench(&self, case: &str) -> Option<Times> {
        const SECONDS: f64 = 1.0;
        let script = format!("{DIRECTORY}/peer/{case}.pgbench");
        let run = || {
            let mut command = self.client(Path::new("pgbench"));
            let seconds = SECONDS.to_string();
            let output = command.args(["-n", "-M", "prepared", "-c", "1", "-T", &seconds, "-f", &script]).output();
            let text = String::from_utf8_lossy(&output.map_err(|error| error.to_string())?.stdout).into_owned();
            let latency = text.lines().find_map(|line| line.strip_prefix("latency average = ")).unwrap_or_default();
            let ms: f64 = latency.split_whitespace().next().and_then(|ms| ms.parse().ok()).ok_or("no latency")?;
            Ok(ms * 1e6)
        };
        let all = Times::of(1.0, run).ok()?;
        Some(Times { ns: all.ns, cpu_ns: all.cpu_ns * all.ns / (SECONDS * 1e9) })
    }

    #[cfg(feature = "engines")]
    fn place(&self) -> engines::tokio_postgres::Place<'_> {
        let Config { host, port, user, database, .. } = self.config;
        engines::tokio_postgres::Place { host, port: *port, user, database, password: &self.password }
    }
}

fn done(command: &mut Command, package: &str) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(format!("{}: {error} ({package})", command.get_program().to_string_lossy())),
    }
}

/// The peer in C, compiled by `ecpg` and the C compiler.
fn build_ecpg(scratch: &Path) -> Result<PathBuf, String> {
    const PACKAGE: &str = "package libecpg-dev";
    let (text, program) = (scratch.join("peer.c"), scratch.join("peer"));
    done(Command::new("ecpg").arg("-o").arg(&text).arg(format!("{DIRECTORY}/peer/peer.pgc")), PACKAGE)?;
    done(Command::new("cc").args(["-O2", "-I/usr/include/postgresql"]).arg(&text).arg("-o").arg(&program).arg("-lecpg"), PACKAGE)?;
    Ok(program)
}

/// The peer in COBOL, translated by `gixpp` and compiled by `cobc`. Its copybook and library are beside the preprocessor.
fn build_gixsql(scratch: &Path, config: &Config) -> Result<Gixsql, String> {
    const PACKAGE: &str = "https://github.com/mridoni/gixsql, its bin directory in PATH";
    let path = std::env::var_os("PATH").unwrap_or_default();
    let binary = std::env::split_paths(&path).map(|directory| directory.join("gixpp")).find(|program| program.is_file());
    let root = binary.as_ref().and_then(|program| program.parent()?.parent()).ok_or(format!("gixpp is not there ({PACKAGE})"))?;
    let (copy, library) = (root.join("share/gixsql/copy"), root.join("lib"));
    let (text, program) = (scratch.join("gixsql.cbl"), scratch.join("gixsql"));
    let source = format!("{DIRECTORY}/peer/peer.cbl");
    done(Command::new("gixpp").args(["-e", "-S", "-i", &source, "-I"]).arg(&copy).arg("-o").arg(&text), PACKAGE)?;
    let mut compile = Command::new("cobc");
    compile.args(["-x", "-O2", "-I"]).arg(&copy).arg(&text).arg("-o").arg(&program).arg("-L").arg(&library).arg("-lgixsql");
    done(&mut compile, "package gnucobol")?;
    // GixSQL knows only TCP, the private cluster only its Unix socket. The proxy between them adds two switches to a call.
    let port = Proxy::start(config.socket_path().into()).map_err(|error| error.to_string())?.port;
    Ok(Gixsql { program, library, port })
}

/// What a program printed that prints one number.
fn printed(mut command: Command) -> Result<f64, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    text.trim().parse().map_err(|_| format!("{}: {text}{errors}", command.get_program().to_string_lossy()))
}
