//! Helpers shared by the tests with native programs: a region, and programs whose bodies are closures.
//!
//! One region serves all tests of a binary, because the storage areas have fixed addresses.
#![allow(dead_code)]

use csd::{Definition, TransactionDefinition};
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, Domain, NativeProgram, Raised, Region, RegionConfig, StartCode, Task};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::Duration;

pub type Body = Arc<dyn Fn(&mut Task) -> Result<(), Raised> + Send + Sync>;

/// Bodies of the tests' programs by program name; the native program looks itself up here.
pub fn bodies() -> &'static Mutex<HashMap<String, Body>> {
    static BODIES: OnceLock<Mutex<HashMap<String, Body>>> = OnceLock::new();
    BODIES.get_or_init(Mutex::default)
}

pub fn run_body(task: &mut Task) -> Result<(), Raised> {
    let name = task.program_name().to_string();
    let body = bodies().lock().unwrap().get(&name).cloned();
    body.map_or(Ok(()), |body| body(task))
}

/// A domain of the test's own, for the region's registry.
pub static OWN_DOMAIN: OnceLock<&'static Domain> = OnceLock::new();

/// All domains, and the test's own.
fn domains() -> &'static [&'static Domain] {
    let all = server::registry::DOMAINS.iter().chain(OWN_DOMAIN.get()).copied();
    Box::leak(all.collect::<Box<[&Domain]>>())
}

pub fn the_region() -> &'static Region {
    static REGION: OnceLock<&'static Region> = OnceLock::new();
    REGION.get_or_init(|| {
        let directory = crate::scratch::directory();
        let mut config = RegionConfig::new(directory);
        config.sit.apply("APPLID=TESTREG").unwrap();
        config.sit.apply("STGPROT=NO").unwrap();
        config.workers = 2;
        Region::start(config, domains()).unwrap_or_else(|error| panic!("{error}"))
    })
}

pub fn define_program(
    name: &str,
    attributes: &[(&'static str, &str)],
    body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static,
) {
    let region = the_region();
    bodies().lock().unwrap().insert(name.to_string(), Arc::new(body));
    region.programs().install_native(Name8::new(name), run_body as NativeProgram);
    let mut definition = Definition::new("PROGRAM", name, "TEST");
    for (attribute, value) in attributes {
        definition = definition.with(attribute, value);
    }
    region.install(&definition).unwrap();
}

pub fn define_transaction(transid: &str, program: &str) {
    let definition =
        Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program).with("TWASIZE", "16").with("TASKDATALOC", "ANY");
    the_region().transactions().install(TransactionDefinition::from(&definition));
}

/// Attaches a transaction whose program is the body, and returns what the body sends.
pub fn run<T: Send + 'static>(
    transid: &str,
    body: impl Fn(&mut Task) -> Result<T, Raised> + Send + Sync + 'static,
) -> Result<T, mpsc::RecvTimeoutError> {
    let region = the_region();
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = format!("PGM{transid}");
    define_program(&program, &[("CONCURRENCY", "QUASIRENT")], move |task| {
        let value = body(task)?;
        sender.lock().unwrap().send(value).unwrap();
        Ok(())
    });
    define_transaction(transid, &program);
    region.attach(AttachRequest::new(Name4::new(transid), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"));
    receiver.recv_timeout(Duration::from_secs(10))
}

pub fn response(call: &mut Call, task: &mut Task) -> Result<(u16, i32), Raised> {
    let response = call.execute(task)?;
    Ok((response.condition.0, response.resp2))
}
