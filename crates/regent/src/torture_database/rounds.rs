//! The rounds: which strike comes when, and whether file and table agree afterwards.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use postgres::cluster::PrivateCluster;
use postgres::{Message, Password, Session, ThreadWait};
use torture::{Arguments, Random};

use super::proxy::{Moment, Proxy};
use super::{APPLICATION, BRANCH, WITHOUT_BRANCH};

/// Sessions of the database.
const CONNECTIONS_MAX: u32 = 120;
/// Steps of commits of a round among which the strike is.
const COMMITS_MAX: u64 = 100;
/// The database of the other location.
const BRANCH_DATABASE: &str = "branch";
/// How long parts may stay prepared after a start: the region asks for them.
const SETTLED_MAX: Duration = Duration::from_secs(40);
/// How long a region goes on after a strike that is not at it.
const AFTERWARDS: Duration = Duration::from_millis(400);
/// Numbers of transfers of one round.
const TRANSFERS: u64 = 20_000;
/// Findings shown.
const SHOWN_MAX: usize = 12;

/// What is struck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Region,
    Database,
    Connection,
    Both,
    /// Nothing: the region is killed while it works.
    Clock,
}

#[derive(Debug)]
struct Plan {
    target: Target,
    moment: Moment,
    at: u64,
    seed: u64,
}

impl Plan {
    fn of(random: &mut Random) -> Plan {
        let target = [Target::Region, Target::Region, Target::Database, Target::Connection, Target::Both, Target::Clock];
        let moment = [Moment::Before, Moment::BetweenThem, Moment::After];
        Plan {
            target: target[random.below(target.len() as u64) as usize],
            moment: moment[random.below(moment.len() as u64) as usize],
            at: 1 + random.below(COMMITS_MAX),
            seed: random.below(u64::MAX >> 12),
        }
    }
}

/// What a round and the tables have told.
#[derive(Default)]
struct Told {
    file: BTreeSet<u64>,
    table: BTreeSet<u64>,
    branch: BTreeSet<u64>,
}

#[derive(Default)]
struct Summary {
    rounds: u64,
    transfers: u64,
    lost: u64,
    half: u64,
    findings: Vec<String>,
}

/// Everything the rounds work with.
struct Rounds {
    directory: PathBuf,
    cluster: Mutex<PrivateCluster>,
    proxy: Proxy,
    tasks: u64,
    /// Transfers of the last round that were told done.
    done: BTreeSet<u64>,
    /// What struck it.
    struck: String,
    summary: Summary,
}

/// The command: exit code 0 if nothing was lost and nothing is half done, 8 otherwise.
pub fn command(arguments: &Arguments) -> Result<u8, String> {
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = arguments.seed.unwrap_or_else(clock) % 1_000_000_000;
    println!("seed {seed}");
    let scratch = std::env::temp_dir().join(format!("regent-transfers-{}-{seed}", std::process::id()));
    let directory = arguments.data.clone().unwrap_or_else(|| scratch.clone());
    end_with_this_process(&directory, arguments.data.is_none())?;
    let mut rounds = Rounds::begin(directory, arguments.tasks)?;
    let result = rounds.run(arguments, &mut Random::new(seed));
    let _ = lock(&rounds.cluster).stop();
    if arguments.data.is_none() {
        let _ = std::fs::remove_dir_all(&scratch);
    }
    result?;
    let Summary { rounds, transfers, lost, half, findings } = &rounds.summary;
    findings.iter().take(SHOWN_MAX).for_each(|finding| println!("{finding}"));
    println!("rounds {rounds}, transfers {transfers}, lost {lost}, half {half}");
    Ok(if *lost + *half == 0 && findings.is_empty() { 0 } else { 8 })
}

/// Ends the server when this process is gone, however it ends: the server has a process group of its own, so neither Ctrl-C nor a kill of
/// this process reaches it. `is_scratch`: nobody needs the directory then.
fn end_with_this_process(directory: &Path, is_scratch: bool) -> Result<(), String> {
    // The process file may be older than the machine's last start: the process has to be a server that works in this directory.
    const SCRIPT: &str = "while kill -0 $1; do sleep 1; done; data=$(readlink -f \"$2\"/database/data)
        read server <\"$data\"/postmaster.pid && is_it() { [ \"$(readlink /proc/$server/cwd)\" = \"$data\" ]; } || is_it() { false; }
        is_it && kill -INT \"$server\"; while is_it; do sleep 1; done; [ $3 = false ] || rm -rf \"$2\"";
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, "sh", &std::process::id().to_string()]).arg(directory).arg(is_scratch.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut guard = command.spawn().map_err(|error| format!("sh: {error}"))?;
    std::thread::spawn(move || guard.wait());
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rounds {
    fn begin(directory: PathBuf, tasks: u64) -> Result<Rounds, String> {
        let failed = |error: std::io::Error| error.to_string();
        let application = directory.join("app");
        std::fs::create_dir_all(&application).map_err(failed)?;
        let cluster = PrivateCluster::open(&directory.join("database"), CONNECTIONS_MAX).map_err(|error| error.to_string())?;
        let config = cluster.config();
        let proxy = Proxy::start(config.socket_path().into()).map_err(failed)?;
        for (name, text) in APPLICATION {
            std::fs::write(application.join(name), text).map_err(failed)?;
        }
        let Password::PassFile(passwords) = &config.password else {
            return Err("the private cluster has no file of passwords".to_string());
        };
        let (user, port, database, passwords) = (&config.user, proxy.port, &config.database, passwords.display());
        let url = |database: &str| format!("postgresql://{user}@127.0.0.1:{port}/{database}?sslmode=disable&passfile={passwords}");
        cluster.add_database(BRANCH_DATABASE).map_err(|error| error.to_string())?;
        let (own, branch) = (url(database), url(BRANCH_DATABASE));
        let tables = format!("[database]\nurl = \"{own}\"\n[database.{BRANCH}]\nurl = \"{branch}\"\nscripts = [\"branch.sql\"]\n");
        std::fs::write(application.join("regent.toml"), tables).map_err(failed)?;
        Ok(Rounds {
            directory,
            cluster: Mutex::new(cluster),
            proxy,
            tasks,
            done: BTreeSet::new(),
            struck: String::new(),
            summary: Summary::default(),
        })
    }

    fn run(&mut self, arguments: &Arguments, random: &mut Random) -> Result<(), String> {
        let begin = Instant::now();
        // One round more: the last one is checked by the next start.
        for number in 0..=arguments.rounds {
            let plan = Plan::of(random);
            self.one(number, &plan)?;
            self.summary.rounds = number;
            if !self.summary.findings.is_empty() && !arguments.keep_going {
                break;
            }
            if number % 50 == 49 {
                let Summary { transfers, lost, half, .. } = &self.summary;
                println!("round {}: transfers {transfers}, lost {lost}, half {half}, {} s", number + 1, begin.elapsed().as_secs());
            }
        }
        Ok(())
    }

    fn one(&mut self, number: u64, plan: &Plan) -> Result<(), String> {
        let mut child = self.spawn(number, plan)?;
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let mut go = child.stdin.take().expect("piped");
        let child = Arc::new(Mutex::new(child));
        let mut told = Told::default();
        let mut done = BTreeSet::new();
        let last = std::mem::replace(&mut self.struck, format!("{plan:?}"));
        let mut working = false;
        for line in output.lines().map_while(Result::ok) {
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "FILE" => told.file.extend(rest.trim().parse::<u64>()),
                "WORK" => {
                    working = true;
                    self.await_parts(number)?;
                    told.table = self.ledger(None)?;
                    told.branch = self.ledger(Some(BRANCH_DATABASE))?;
                    self.compare(number, &told, &last);
                    self.arm(plan, &child);
                    // A child that has ended does not need it.
                    let _ = go.write_all(b"go\n");
                }
                "WRONG" => self.summary.findings.push(format!("round {number}: {rest}")),
                "DONE" => done.extend(rest.trim().parse::<u64>()),
                _ => {}
            }
        }
        let status = lock(&child).wait().map_err(|error| error.to_string())?;
        self.proxy.disarm();
        self.reopen()?;
        if !working {
            self.summary.findings.push(format!("round {number}: the region did not start ({status}), after {plan:?}"));
        }
        self.done = done;
        Ok(())
    }

    fn spawn(&self, number: u64, plan: &Plan) -> Result<Child, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.arg("torture-transfers").arg("--app").arg(self.directory.join("app")).arg("--data").arg(self.directory.join("work"));
        for (name, value) in [("--seed", plan.seed), ("--tasks", self.tasks), ("--first", (number + 1) * TRANSFERS)] {
            command.args([name, &value.to_string()]);
        }
        if std::env::var_os("REGENT_LOG").is_none() {
            command.env("REGENT_LOG", "off");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().map_err(|error| error.to_string())
    }

    /// Arms the strike of a round.
    fn arm(&self, plan: &Plan, child: &Arc<Mutex<Child>>) {
        let kill = |child: &Arc<Mutex<Child>>| {
            let child = child.clone();
            move || drop(lock(&child).kill())
        };
        let kill_later = {
            let kill = kill(child);
            move || {
                std::thread::spawn(move || {
                    std::thread::sleep(AFTERWARDS);
                    kill();
                });
            }
        };
        let server = lock(&self.cluster).process();
        let kill_server = move || {
            if let Some(process) = server.and_then(|process| i32::try_from(process).ok()).and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
            }
        };
        match plan.target {
            Target::Region => self.proxy.arm(plan.at, plan.moment, Box::new(kill(child))),
            Target::Connection => {
                let cut = self.proxy.cutter();
                self.proxy.arm(plan.at, plan.moment, Box::new(move || (cut(), kill_later()).1));
            }
            Target::Database => self.proxy.arm(plan.at, plan.moment, Box::new(move || (kill_server(), kill_later()).1)),
            Target::Both => {
                let kill = kill(child);
                self.proxy.arm(plan.at, plan.moment, Box::new(move || (kill_server(), kill()).1));
            }
            Target::Clock => {
                let (kill, life) = (kill(child), Duration::from_micros(plan.seed % 300_000));
                std::thread::spawn(move || {
                    std::thread::sleep(life);
                    kill();
                });
            }
        }
    }

    /// The database runs again, after its crash recovery.
    fn reopen(&self) -> Result<(), String> {
        let mut cluster = lock(&self.cluster);
        *cluster = PrivateCluster::open(&self.directory.join("database"), CONNECTIONS_MAX).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn query(&self, database: Option<&str>, text: &str) -> Result<BTreeSet<u64>, String> {
        let mut config = lock(&self.cluster).config();
        if let Some(database) = database {
            config.database = database.to_string();
        }
        let mut session = Session::connect(&config, &mut ThreadWait).map_err(|error| error.to_string())?;
        session.query(text);
        let mut found = BTreeSet::new();
        let take = |message: Message<'_>| {
            if let Message::DataRow(row) = message {
                let text = row.columns().next().flatten().map(String::from_utf8_lossy);
                found.extend(text.and_then(|text| text.parse::<u64>().ok()));
            }
        };
        session.finish(&mut ThreadWait, take).map_err(|failure| failure.to_string())?;
        Ok(found)
    }

    /// Waits until the region has ended the parts of the round before.
    fn await_parts(&mut self, number: u64) -> Result<(), String> {
        let until = Instant::now() + SETTLED_MAX;
        while !self.query(None, "select count(*) from pg_prepared_xacts")?.contains(&0) {
            if Instant::now() > until {
                self.summary.findings.push(format!("round {number}: a part stays prepared"));
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// The transfers in the ledger of a table, which is emptied.
    fn ledger(&self, database: Option<&str>) -> Result<BTreeSet<u64>, String> {
        self.query(database, "select transfer from xfer.ledger; delete from xfer.ledger")
    }

    fn compare(&mut self, number: u64, told: &Told, last: &str) {
        let summary = &mut self.summary;
        summary.transfers += told.file.intersection(&told.table).count() as u64;
        for transfer in told.file.symmetric_difference(&told.table) {
            let side = if told.file.contains(transfer) { "file" } else { "table" };
            summary.half += 1;
            summary.findings.push(format!("round {number}, after {last}: transfer {transfer} is in the {side} only"));
        }
        let at_branch: BTreeSet<u64> = told.table.iter().copied().filter(|transfer| transfer % WITHOUT_BRANCH != 0).collect();
        for transfer in told.branch.symmetric_difference(&at_branch) {
            let side = if told.branch.contains(transfer) { "only at" } else { "not at" };
            summary.half += 1;
            summary.findings.push(format!("round {number}, after {last}: transfer {transfer} is {side} the other location"));
        }
        for transfer in self.done.iter().filter(|transfer| !told.file.contains(transfer) && !told.table.contains(transfer)) {
            summary.lost += 1;
            summary.findings.push(format!("round {number}, after {last}: transfer {transfer} was done and is lost"));
        }
    }
}
