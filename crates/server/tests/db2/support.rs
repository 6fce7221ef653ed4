//! A region with a private database server, and programs whose statements are texts.
#![allow(dead_code)]

use csd::{Definition, TransactionDefinition};
use exec::block::Block;
use exec::command;
use kernel::Departure;
use postgres::cluster::PrivateCluster;
use postgres::{Message, Session, ThreadWait};
use program::module::{ModuleImage, SqlText};
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::FrameId;
use region::exec_interface::Call;
use region::extensions::{Observer, Verdict};
use region::name::Name4;
use region::storage_access::Area;
use region::{AttachRequest, Outcome, Raised, Region, RegionConfig, StartCode, Task};
use sql::{Action, Statement};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Duration;

pub type Body = Arc<dyn Fn(&mut Task, &Program) -> Result<(), Raised> + Send + Sync>;

/// The program of a test, while it runs.
pub struct Program {
    frame: FrameId,
}

impl Program {
    /// Executes a statement by its number; answers how it ended and its SQLCODE.
    pub fn execute(&self, task: &mut Task, statement: u32) -> Result<(SqlOutcome, i32), Raised> {
        let address = task.level_storage(&[0xFF; 4])?;
        let request = SqlRequest {
            statement,
            variable_count: 0,
            variables: std::ptr::null(),
            sqlca: 0,
            sqlcode: address as u64,
            sqlstate: 0,
            line: 1,
            number: statement,
        };
        let ended = region::exec_interface::sql::execute(task, self.frame, &request);
        let code = Area::new(address, 4).read()?;
        match ended {
            Ok(outcome) => Ok((outcome, i32::from_be_bytes(code.try_into().unwrap()))),
            Err(Departure::Abend(abend)) => Err(Raised::abend(abend.code_text())),
            Err(Departure::Exit(_)) => Err(Raised::Leave),
        }
    }

    /// Executes a statement that must succeed.
    pub fn run(&self, task: &mut Task, statement: u32) -> Result<(), Raised> {
        let (_, code) = self.execute(task, statement)?;
        assert!(code >= 0, "statement {statement}: SQLCODE {code}");
        Ok(())
    }
}

struct Bodies(Mutex<HashMap<String, Body>>);

impl Observer for Bodies {
    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict {
        let body = self.0.lock().unwrap().get(task.transid.as_str().trim_end()).cloned();
        let (Some(body), Some(frame), command::ASKTIME) = (body, task.frame, block.command) else { return Verdict::Execute };
        Verdict::Answer(body(task, &Program { frame }))
    }

    fn after(&self, _: &mut Task, _: &mut Block, _: &mut Outcome) {}
}

pub struct Setup {
    pub region: &'static Region,
    pub cluster: PrivateCluster,
    library: PathBuf,
    bodies: Arc<Bodies>,
    messages: Arc<Lines>,
}

#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl region::messages::Sink for Lines {
    fn message(&self, message: &region::messages::Message) {
        self.0.lock().unwrap().push(message.line());
    }
}

/// Ends the server when the process of the tests is gone, and removes its directory: nothing drops a static.
fn stop_with_this_process(place: &std::path::Path) {
    let script = "while kill -0 $1 2>/dev/null; do sleep 1; done; kill -INT $(head -1 $2/data/postmaster.pid); sleep 5; rm -rf $2";
    let (process, place) = (std::process::id().to_string(), place.display().to_string());
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, "sh", &process, &place]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut shell = command.spawn().expect("there is a shell");
    std::thread::spawn(move || shell.wait());
}

/// While it is set the region finds no database.
pub static IS_AWAY: AtomicBool = AtomicBool::new(false);
/// While it is set the region waits in its search for the database.
pub static IS_SLOW: AtomicBool = AtomicBool::new(false);
/// Why there is none.
pub const AWAY: &str = "nothing listens at db.example:5432";

fn settings(database: postgres::Config, near: postgres::Config) -> attachment::Settings {
    let present = database.clone();
    let find = move |_| {
        testing::eventually("it is found", || !IS_SLOW.load(Ordering::Relaxed));
        if IS_AWAY.load(Ordering::Relaxed) { Err(AWAY.to_string()) } else { Ok(present.clone()) }
    };
    let locations = vec![
        attachment::Location { name: "NEAR".into(), ready: Some(Arc::new(location("NEAR", near))), find: Arc::new(|| Err("found".into())) },
        attachment::Location { name: "FAR".into(), ready: None, find: Arc::new(find_far) },
    ];
    attachment::Settings { find: Arc::new(find), locations, ..attachment::Settings::new(database) }
}

fn location(name: &str, config: postgres::Config) -> db2::Location {
    let bind = db2::BindOptions { location: name.to_string(), ..db2::BindOptions::default() };
    db2::Location { name: name.to_string(), config, bind: bind.into() }
}

/// Location FAR is on a server of its own, once a test has made that.
pub static FAR: Mutex<Option<postgres::Config>> = Mutex::new(None);

fn find_far() -> Result<db2::Location, String> {
    let config = FAR.lock().unwrap().clone();
    config.map(|config| location("FAR", config)).ok_or_else(|| "its server has not been made".to_string())
}

/// A server of its own at location FAR.
pub fn make_far() -> PrivateCluster {
    let place = std::env::temp_dir().join(format!("regent-far-{}", std::process::id()));
    let is_new = !place.exists();
    let cluster = PrivateCluster::open(&place, 20).unwrap_or_else(|error| panic!("{error}"));
    if is_new {
        stop_with_this_process(&place);
        install_support(&cluster, &cluster.owner_config());
    }
    *FAR.lock().unwrap() = Some(cluster.config());
    cluster
}

/// As the start of a region does.
fn install_support(cluster: &PrivateCluster, owner: &postgres::Config) {
    let mut session = Session::connect(owner, &mut ThreadWait).unwrap();
    session.query(&format!("{}{}", sql::SUPPORT, sql::support_grants(&cluster.config().user)));
    session.finish(&mut ThreadWait, |_| {}).unwrap();
}

static SETUP: OnceLock<Setup> = OnceLock::new();

pub fn setup() -> &'static Setup {
    SETUP.get_or_init(|| {
        let directory = scratch_directory();
        let library = directory.join("library");
        std::fs::create_dir_all(&library).unwrap();
        // The sockets of a server need a short path.
        let place = std::env::temp_dir().join(format!("regent-db2-{}", std::process::id()));
        let cluster = PrivateCluster::open(&place, 60).unwrap_or_else(|error| panic!("{error}"));
        stop_with_this_process(&place);
        install_support(&cluster, &cluster.owner_config());
        let near = cluster.add_database("near").unwrap_or_else(|error| panic!("{error}"));
        install_support(&cluster, &cluster.owner_config_of("near"));
        let (messages, database) = (Arc::new(Lines::default()), cluster.config());
        let mut config = RegionConfig::new(directory.join("data"));
        config.sit.apply_text("APPLID=DB2REG,STGPROT=NO");
        config.libraries = vec![library.clone()];
        config.workers = 3;
        config.sinks = vec![messages.clone()];
        config.created = Some(Box::new(move |region| attachment::configure(region, settings(database, near))));
        let region = Region::start(config, &server::registry::DOMAINS).unwrap_or_else(|error| panic!("{error}"));
        let bodies = Arc::new(Bodies(Mutex::default()));
        region.extensions.observe(bodies.clone());
        Setup { region, cluster, library, bodies, messages }
    })
}

fn scratch_directory() -> PathBuf {
    crate::scratch::directory()
}

/// The messages of the region so far.
pub fn messages() -> Vec<String> {
    setup().messages.0.lock().unwrap().clone()
}

/// A statement that changes data, one that returns rows nobody wants, or one about connections.
fn statement(text: &str) -> SqlText {
    let changes = !text.starts_with("select");
    let named = |verb: &str| text.strip_prefix(verb).map(|server| sql::Text::Literal(server.to_string()));
    let action = match (named("connect to "), named("release ")) {
        (Some(server), _) => Action::Connect { server: Some(server), user: None, password: None },
        (_, Some(server)) => Action::ReleaseConnection { server },
        _ if text == "connect reset" => Action::ConnectReset,
        _ => Action::Execute { changes, searched: false, rows: None, atomic: false },
    };
    let (variables, inputs, outputs) = (Vec::new(), Vec::new(), Vec::new());
    let statement = Statement {
        action,
        source: text.into(),
        text: text.into(),
        check: String::new(),
        variables,
        inputs,
        outputs,
        isolation: None,
        read_only: false,
        is_unobserved: false,
    };
    SqlText::new(statement.encode())
}

/// Defines a transaction whose program has these statements and this body.
pub fn define(
    transid: &str,
    concurrency: &str,
    statements: &[&str],
    body: impl Fn(&mut Task, &Program) -> Result<(), Raised> + Send + Sync + 'static,
) {
    let setup = setup();
    let name = format!("PGM{transid}");
    let source = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       PROCEDURE DIVISION.\n       MAIN.\n           EXEC CICS ASKTIME END-EXEC.\n           EXEC CICS RETURN END-EXEC.\n"
    );
    let mut image = image_of(&name, &source);
    image.programs[0].sql = statements.iter().map(|text| statement(text)).collect();
    put(&name, &image);
    let definition = match concurrency {
        "OPENAPI" => Definition::new("PROGRAM", &name, "TEST").with("API", "OPENAPI").with("CONCURRENCY", "REQUIRED"),
        other => Definition::new("PROGRAM", &name, "TEST").with("CONCURRENCY", other),
    };
    setup.region.install(&definition).unwrap();
    let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &name).with("SPURGE", "YES");
    setup.region.transactions().install(TransactionDefinition::from(&definition));
    setup.bodies.0.lock().unwrap().insert(transid.to_string(), Arc::new(body));
}

fn image_of(name: &str, source: &str) -> ModuleImage {
    let options = cobol::Options { codepage: 37, ..cobol::Options::default() };
    let compilation = cobol::compile_source(&format!("/{name}.cbl"), source.as_bytes(), &options, &cobol::source::NoCopies);
    assert!(compilation.is_usable(), "{}", compilation.diagnostics.render(&compilation.sources));
    codegen::compile(&compilation.programs, &codegen::Settings::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn put(name: &str, image: &ModuleImage) {
    std::fs::write(setup().library.join(format!("{name}.rlm")), image.to_bytes()).unwrap();
}

/// Puts a program into the library.
pub fn compile(name: &str, source: &str) {
    put(name, &image_of(name, source));
}

/// Attaches the transaction; answers the number of the task.
pub fn attach(transid: &str) -> u32 {
    let request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    setup().region.attach(request).unwrap_or_else(|failure| panic!("{}", failure.message.line()))
}

/// Waits until the task has ended.
pub fn ended(task: u32) {
    testing::eventually("the task has ended", || setup().region.transactions().task(task).is_none());
}

/// Runs a transaction to its end; answers what its body returned, or the code of its abend.
pub fn run<T: Send + 'static>(
    transid: &str,
    concurrency: &str,
    statements: &[&str],
    body: impl Fn(&mut Task, &Program) -> Result<T, Raised> + Send + Sync + 'static,
) -> Result<T, String> {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define(transid, concurrency, statements, move |task, program| {
        let result = body(task, program);
        let (told, outcome) = match result {
            Ok(value) => (Ok(value), Ok(())),
            Err(Raised::Abend(abend)) => (Err(abend.code_text()), Err(Raised::Abend(abend))),
            Err(other) => (Err(format!("{other:?}")), Err(other)),
        };
        sender.lock().unwrap().send(told).unwrap();
        outcome
    });
    let task = attach(transid);
    let answer = receiver.recv_timeout(Duration::from_secs(20)).expect("the task answers");
    ended(task);
    answer
}

/// One command of the gate that must be normal.
pub fn command(task: &mut Task, mut call: Call) -> Result<(), Raised> {
    let response = call.execute(task)?;
    assert!(response.is_normal(), "{}: {response:?}", call.command().name());
    Ok(())
}

pub fn syncpoint(task: &mut Task) -> Result<(), Raised> {
    command(task, Call::new(command::SYNCPOINT))
}

/// Writes an item to a recoverable queue: a change of the region's own store.
pub fn write_queue(task: &mut Task, queue: &str) -> Result<(), Raised> {
    let mut call = Call::new(command::WRITEQ_TS);
    call.text(task, exec::option::QUEUE, queue).bytes(exec::option::FROM, b"item").integer(exec::option::LENGTH, 4);
    command(task, call)
}

/// The queues of these tests are recoverable.
pub fn define_recoverable_queues(prefix: &str) {
    let definition = Definition::new("TSMODEL", prefix, "TEST").with("PREFIX", prefix).with("RECOVERY", "YES");
    setup().region.install(&definition).unwrap();
}

/// Items of a queue.
pub fn items(queue: &str) -> usize {
    let queue = queue.to_string();
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    define("ITEM", "THREADSAFE", &[], move |task, _| {
        let mut call = Call::new(command::INQUIRE_TSQUEUE);
        call.text(task, exec::option::TSQUEUE, &queue).integer(exec::option::NUMITEMS, 0);
        let response = call.execute(task)?;
        let count = if response.is_normal() { call.result(exec::option::NUMITEMS).unwrap_or(0) } else { 0 };
        sender.lock().unwrap().send(count as usize).unwrap();
        Ok(())
    });
    attach("ITEM");
    receiver.recv_timeout(Duration::from_secs(10)).unwrap()
}

/// Executes statements on a session of the test's own; answers the first column of the last row.
pub fn direct(text: &str) -> Option<String> {
    let cluster = &setup().cluster;
    let is_administration = text.starts_with("alter ") || text.contains("pg_reload_conf");
    directly(if is_administration { cluster.owner_config() } else { cluster.config() }, text)
}

/// The same at location NEAR.
pub fn direct_near(text: &str) -> Option<String> {
    directly(postgres::Config { database: "near".to_string(), ..setup().cluster.config() }, text)
}

pub fn directly(config: postgres::Config, text: &str) -> Option<String> {
    let mut session = Session::connect(&config, &mut ThreadWait).unwrap();
    session.query(text);
    let mut value = None;
    let take = |message: Message<'_>| {
        if let Message::DataRow(row) = message {
            value = row.columns().next().flatten().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        }
    };
    session.finish(&mut ThreadWait, take).unwrap_or_else(|failure| panic!("{text}: {failure}"));
    value
}
