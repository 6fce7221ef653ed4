//! A region with files for tests, and short forms of commands.

use csd::{Definition, TransactionDefinition};
use exec::{CommandId, OptionId, option};
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{Abend, AttachRequest, NativeProgram, Raised, Region, RegionConfig, StartCode, Task};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};
use vsam::idcams::{DdResolver, DdTarget, IdcamsOptions};

/// Condition number and RESP2 of a command that went well.
pub const NORMAL: (u16, i32) = (0, 0);

type Body = Arc<dyn Fn(&mut Task) -> Result<(), Raised> + Send + Sync>;

fn bodies() -> &'static Mutex<HashMap<String, Body>> {
    static BODIES: OnceLock<Mutex<HashMap<String, Body>>> = OnceLock::new();
    BODIES.get_or_init(Mutex::default)
}

fn run_body(task: &mut Task) -> Result<(), Raised> {
    let body = bodies().lock().unwrap().get(task.program_name().as_str()).cloned();
    body.map_or(Ok(()), |body| body(task))
}

pub struct NoDds;

impl DdResolver for NoDds {
    fn resolve_dd(&self, _name: &str) -> Option<DdTarget> {
        None
    }
}

/// Clusters of eight-byte keys at offset 0: variable 8 to 100 bytes, fixed 50 bytes; an ESDS; a path over bytes 8 to 11.
const CLUSTERS: &str = "
  DEFINE CLUSTER (NAME(TEST.VARIABLE) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TEST.FIXED) INDEXED KEYS(8 0) RECORDSIZE(50 50) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TEST.BROWSE) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TEST.LOCKS) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TEST.STATE) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TEST.LOGGED) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1) LOG(UNDO))
  DEFINE CLUSTER (NAME(TEST.ENTRY) NONINDEXED RECORDSIZE(50 100) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TEST.SLOTS) NUMBERED RECORDSIZE(50 50) TRACKS(1 1) CISZ(4096))
  DEFINE CLUSTER (NAME(TEST.VSLOTS) NUMBERED RECORDSIZE(50 100) TRACKS(1 1) CISZ(4096))
  DEFINE CLUSTER (NAME(TEST.LINEAR) LINEAR TRACKS(1 1))
  DEFINE CLUSTER (NAME(TEST.ADDRESS) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1) CISZ(4096))
  DEFINE CLUSTER (NAME(TEST.ENTRY2) NONINDEXED RECORDSIZE(50 100) TRACKS(5 1) CISZ(4096))
  DEFINE CLUSTER (NAME(TEST.POOL) INDEXED KEYS(8 0) RECORDSIZE(50 50) TRACKS(5 1) CISZ(2048))
  DEFINE CLUSTER (NAME(TEST.REPORT) INDEXED KEYS(8 0) RECORDSIZE(50 50) TRACKS(5 1) CISZ(2048))
  DEFINE CLUSTER (NAME(TEST.SOURCE) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1))
  DEFINE CLUSTER (NAME(TEST.FORWARD) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1) LOG(ALL) LOGSTREAMID(REGENT.FWD))
  DEFINE CLUSTER (NAME(TEST.COPIED) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1) LOG(ALL) LOGSTREAMID(REGENT.COPY) LOGREPLICATE)
  DEFINE CLUSTER (NAME(TEST.COPIED2) INDEXED KEYS(8 0) RECORDSIZE(50 100) TRACKS(5 1) LOG(NONE) LOGSTREAMID(REGENT.COPY2) LOGREPLICATE)
  DEFINE CLUSTER (NAME(TEST.BASE) INDEXED KEYS(8 0) RECORDSIZE(50 100) CYLINDERS(1 1))
  DEFINE ALTERNATEINDEX (NAME(TEST.BASE.AIX) RELATE(TEST.BASE) KEYS(4 8) NONUNIQUEKEY UPGRADE CYLINDERS(1 1))
  DEFINE PATH (NAME(TEST.BASE.PATH) PATHENTRY(TEST.BASE.AIX))
";

pub fn store_with_clusters(directory: &Path) -> Arc<vsam::Store> {
    let store = vsam::Store::open(directory, vsam::StoreConfig::default()).unwrap();
    let data_sets = vsam::DataSets::new(store.clone()).unwrap();
    if data_sets.open("TEST.VARIABLE", Default::default()).is_err() {
        let options = IdcamsOptions { ccsid: 37, progress: None };
        let outcome = vsam::idcams::run(&data_sets, CLUSTERS, &NoDds, &options);
        assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    }
    store
}

/// Runs access method services on the data sets of the region.
pub fn idcams(statements: &str) {
    let options = IdcamsOptions { ccsid: 37, progress: None };
    let outcome = vsam::idcams::run(&the_region().data_sets, statements, &NoDds, &options);
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
}

/// Starts a region on a directory. Once in a process.
pub fn start_region(directory: &Path, settings: &[&str]) -> &'static Region {
    let mut config = RegionConfig::new(directory.to_path_buf());
    config.sit.apply("APPLID=TESTREG").unwrap();
    config.sit.apply("STGPROT=NO").unwrap();
    for setting in settings {
        config.sit.apply(setting).unwrap();
    }
    config.workers = 2;
    config.store = Some(store_with_clusters(directory));
    config.dd_names.insert("TESTIN".into(), directory.join("input.txt"));
    config.dd_names.insert("TESTFIX".into(), directory.join("fixed.bin"));
    std::fs::write(directory.join("input.txt"), "FIRST\nSECOND\n").unwrap();
    let region = Region::start(config, &server::registry::DOMAINS).unwrap_or_else(|error| panic!("{error}"));
    // The supplied transaction that loads coupling facility tables: these regions have no list of groups.
    region.install(&Definition::new("TRANSACTION", "CFCL", "TEST").with("PROGRAM", "DFHFCDL")).unwrap();
    define_files(region);
    region
}

const ALL: [&str; 5] = ["ADD", "BROWSE", "DELETE", "READ", "UPDATE"];

pub fn define_file(region: &'static Region, name: &str, data_set: &str, more: &[(&'static str, &str)]) {
    let mut definition = Definition::new("FILE", name, "TEST").with("DSNAME", data_set).with("STRINGS", "50");
    for service in ALL {
        definition = definition.with(service, "YES");
    }
    for (attribute, value) in more {
        definition = definition.with(attribute, value);
    }
    region.install(&definition).unwrap();
}

fn define_files(region: &'static Region) {
    define_file(region, "VARFILE", "TEST.VARIABLE", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "FIXFILE", "TEST.FIXED", &[("RECORDFORMAT", "F"), ("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "BRWFILE", "TEST.BROWSE", &[("RECOVERY", "NONE")]);
    define_file(region, "LCKFILE", "TEST.LOCKS", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "STAFILE", "TEST.STATE", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "RLSFILE", "TEST.LOCKS", &[("RLSACCESS", "YES")]);
    define_file(region, "ENTFILE", "TEST.ENTRY", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "BASFILE", "TEST.BASE", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "PTHFILE", "TEST.BASE.PATH", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "IDXFILE", "TEST.BASE.AIX", &[]);
    define_file(region, "SRCFILE", "TEST.SOURCE", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "SLOFILE", "TEST.SLOTS", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "VSLFILE", "TEST.VSLOTS", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "LINFILE", "TEST.LINEAR", &[]);
    define_file(region, "ADRFILE", "TEST.ADDRESS", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "ADRRLS", "TEST.ADDRESS", &[("RLSACCESS", "YES")]);
    define_file(region, "EN2FILE", "TEST.ENTRY2", &[("RECOVERY", "BACKOUTONLY")]);
    define_file(region, "FWDFILE", "TEST.FORWARD", &[]);
    define_file(region, "CPYFILE", "TEST.COPIED", &[]);
    define_file(region, "CP2FILE", "TEST.COPIED2", &[]);
    define_file(region, "NOWHERE", "TEST.NOT.THERE", &[]);
    define_file(region, "REMFILE", "TEST.VARIABLE", &[("REMOTESYSTEM", "SYSB")]);
    let nothing: Vec<(&'static str, &str)> = ALL.iter().map(|service| (*service, "NO")).collect();
    define_file(region, "NONFILE", "TEST.VARIABLE", &nothing);
}

pub fn the_region() -> &'static Region {
    static REGION: OnceLock<&'static Region> = OnceLock::new();
    REGION.get_or_init(|| start_region(&crate::scratch::directory(), &[]))
}

/// The bytes of text in the region's code page.
pub fn e(text: &str) -> Vec<u8> {
    the_code_page().encode(text)
}

/// The text of bytes in the region's code page.
pub fn t(bytes: &[u8]) -> String {
    the_code_page().text(bytes).trim_end().to_string()
}

fn the_code_page() -> region::code_page::RegionCodePage {
    region::code_page::RegionCodePage::new(&le::code_page::CCSID_037)
}

/// A record: key of eight characters and more text.
pub fn record(key: &str, rest: &str) -> Vec<u8> {
    e(&format!("{key:<8}{rest}"))
}

/// The result of a command.
pub struct Reply {
    pub code: (u16, i32),
    pub call: Call,
}

impl Reply {
    pub fn number(&self, option: OptionId) -> i64 {
        self.call.result(option).unwrap_or(-999)
    }

    pub fn text(&self, option: OptionId) -> String {
        t(&self.call.result_bytes(option))
    }
}

/// Issues a command.
pub fn issue(task: &mut Task, command: CommandId, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    let mut call = Call::new(command);
    build(&mut call);
    let response = call.execute(task)?;
    Ok(Reply { code: (response.condition.0, response.resp2), call })
}

/// Issues a command on a file.
pub fn on_file(task: &mut Task, command: CommandId, file: &str, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    issue(task, command, |call| {
        call.bytes(option::FILE, &e(file));
        build(call);
    })
}

/// READ INTO an area of 100 bytes.
pub fn read(task: &mut Task, file: &str, key: &str, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    on_file(task, exec::command::READ, file, |call| {
        call.bytes(option::INTO, &[0; 100]).bytes(option::RIDFLD, &e(&format!("{key:<8}")));
        build(call);
    })
}

pub fn write(task: &mut Task, file: &str, key: &str, rest: &str) -> Result<Reply, Raised> {
    on_file(task, exec::command::WRITE, file, |call| {
        call.bytes(option::FROM, &record(key, rest)).bytes(option::RIDFLD, &e(&format!("{key:<8}")));
    })
}

pub fn rewrite(task: &mut Task, file: &str, key: &str, rest: &str) -> Result<Reply, Raised> {
    on_file(task, exec::command::REWRITE, file, |call| {
        call.bytes(option::FROM, &record(key, rest));
    })
}

pub fn syncpoint(task: &mut Task) -> Result<Reply, Raised> {
    issue(task, exec::command::SYNCPOINT, |_| {})
}

pub fn rollback(task: &mut Task) -> Result<Reply, Raised> {
    issue(task, exec::command::SYNCPOINT_ROLLBACK, |_| {})
}

pub fn delay(task: &mut Task, milliseconds: i64) -> Result<(), Raised> {
    issue(task, exec::command::DELAY, |call| {
        call.flag(option::FOR).integer(option::MILLISECS, milliseconds);
    })
    .map(|_| ())
}

/// A signal between tasks of a test. Waiting gives up control, so it works on any number of workers, and is limited in time.
#[derive(Clone, Default)]
pub struct Flag(Arc<AtomicU32>);

impl Flag {
    pub fn raise(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// How often it was raised.
    pub fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }

    pub fn is_raised(&self) -> bool {
        self.count() > 0
    }

    /// Waits as a task until the flag has been raised so often.
    pub fn await_times(&self, task: &mut Task, times: u32) -> Result<(), Raised> {
        let until = Instant::now() + Duration::from_secs(15);
        while self.count() < times {
            assert!(Instant::now() < until, "the other task never came");
            delay(task, 5)?;
        }
        Ok(())
    }

    pub fn await_raised(&self, task: &mut Task) -> Result<(), Raised> {
        self.await_times(task, 1)
    }

    /// Waits as a test.
    pub fn wait(&self) {
        until(|| self.is_raised());
    }
}

/// Waits as a test until something is so.
#[track_caller]
pub fn until(condition: impl Fn() -> bool) {
    testing::eventually_within(Duration::from_secs(15), "what the test waits for", condition);
}

/// Whether a task is suspended for a resource of this type and name.
pub fn is_waiting_for(region: &Region, resource_type: &str, name: &str) -> bool {
    region.transactions().tasks().iter().any(|task| {
        let info = task.kernel.lock().as_ref().map(|kernel| format!("{:?}", kernel.info()));
        info.is_some_and(|info| info.contains(resource_type) && info.contains(name))
    })
}

/// Whether a task is suspended for a resource of this type.
pub fn is_waiting(region: &Region, resource_type: &str) -> bool {
    region.transactions().tasks().iter().any(|task| {
        let info = task.kernel.lock().as_ref().map(|kernel| kernel.info());
        info.is_some_and(|info| format!("{info:?}").contains(resource_type))
    })
}

/// What the task has waited for resources of a type.
pub fn waits(task: &Task, resource_type: &str) -> kernel::Clock {
    let waits = task.kernel.waits();
    waits.iter().find(|(of, _)| of.as_str() == resource_type).map(|(_, clock)| *clock).unwrap_or_default()
}

/// A task that was attached.
pub struct Running<T> {
    region: &'static Region,
    number: u32,
    receiver: mpsc::Receiver<Result<T, String>>,
}

impl<T> Running<T> {
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The result of its body, or the abend code; the task has ended.
    pub fn result(self) -> Result<T, String> {
        let result = self.receiver.recv_timeout(Duration::from_secs(20)).expect("the task answers");
        testing::eventually("the end of the task", || self.region.transactions().task(self.number).is_none());
        result
    }
}

/// CONCURRENCY among the attributes is that of the program.
fn define(region: &'static Region, transid: &str, attributes: &[(&'static str, &str)], body: Body) {
    let program = format!("PGM{transid}");
    let of_program = |(attribute, _): &&(&str, &str)| *attribute == "CONCURRENCY";
    let concurrency = attributes.iter().find(of_program).map_or("THREADSAFE", |(_, value)| *value);
    bodies().lock().unwrap().insert(program.clone(), body);
    region.programs().install_native(Name8::new(&program), run_body as NativeProgram);
    region.install(&Definition::new("PROGRAM", &program, "TEST").with("CONCURRENCY", concurrency)).unwrap();
    let mut definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &program).with("TASKDATALOC", "ANY");
    for (attribute, value) in attributes.iter().filter(|attribute| !of_program(attribute)) {
        definition = definition.with(attribute, value);
    }
    region.transactions().install(TransactionDefinition::from(&definition));
}

/// Defines a transaction whose program is the body.
pub fn define_transaction(region: &'static Region, transid: &str, body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static) {
    define(region, transid, &[], Arc::new(body));
}

/// As `define_transaction`, in a transaction class.
pub fn define_transaction_of_class(
    region: &'static Region,
    transid: &str,
    class: &'static str,
    body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static,
) {
    define(region, transid, &[("TRANCLASS", class)], Arc::new(body));
}

/// Attaches a task with the body as its program.
pub fn begin_with<T: Send + 'static>(
    region: &'static Region,
    attributes: &[(&'static str, &str)],
    body: impl Fn(&mut Task) -> Result<T, Raised> + Send + Sync + 'static,
) -> Running<T> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let transid = format!("F{:03}", NEXT.fetch_add(1, Ordering::Relaxed));
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let body: Body = Arc::new(move |task: &mut Task| {
        let send = |result| drop(sender.lock().unwrap().send(result));
        // A failed assertion must reach the test's thread.
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(task))) {
            Ok(Ok(value)) => send(Ok(value)),
            Ok(Err(Raised::Abend(abend))) => {
                send(Err(abend.code_text()));
                return Err(Raised::Abend(abend));
            }
            Ok(Err(other)) => return Err(other),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                send(Err(text.unwrap_or_else(|| "panic".to_string())));
            }
        }
        Ok(())
    });
    define(region, &transid, attributes, body);
    let number = region.attach(AttachRequest::new(Name4::new(&transid), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"));
    Running { region, number, receiver }
}

pub fn begin<T: Send + 'static>(body: impl Fn(&mut Task) -> Result<T, Raised> + Send + Sync + 'static) -> Running<T> {
    begin_with(the_region(), &[], body)
}

/// Runs a task to its end.
pub fn run<T: Send + 'static>(body: impl Fn(&mut Task) -> Result<T, Raised> + Send + Sync + 'static) -> T {
    begin(body).result().unwrap_or_else(|code| panic!("abend {code}"))
}

pub fn abend<T>(code: &str) -> Result<T, Raised> {
    Err(Raised::Abend(Box::new(Abend::new(code))))
}

/// The bytes of EIBRCODE after a command.
pub fn response_bytes(task: &region::Task) -> [u8; 3] {
    let at = exec::eib::EIBRCODE;
    task.eib.bytes()[at..at + 3].try_into().unwrap()
}
