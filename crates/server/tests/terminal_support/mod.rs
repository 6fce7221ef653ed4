//! A region with a 3270 listener and programs written as closures.
#![allow(dead_code)]

use csd::Definition;
use region::name::Name8;
use region::{NativeProgram, Raised, Region, RegionConfig, Task};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tn3270::{Client, ClientConfig};

/// A system initialization parameter for the region of a test that another test runs in a process of its own.
pub const MORE_SIT: &str = "REGENT_TEST_SIT";

type Body = Arc<dyn Fn(&mut Task) -> Result<(), Raised> + Send + Sync>;

fn bodies() -> &'static Mutex<HashMap<String, Body>> {
    static BODIES: OnceLock<Mutex<HashMap<String, Body>>> = OnceLock::new();
    BODIES.get_or_init(Mutex::default)
}

fn run_body(task: &mut Task) -> Result<(), Raised> {
    let name = task.program_name().to_string();
    let body = bodies().lock().unwrap().get(&name).cloned();
    body.map_or(Ok(()), |body| body(task))
}

struct Served {
    region: &'static Region,
    address: SocketAddr,
    library: PathBuf,
}

fn served() -> &'static Served {
    static SERVED: OnceLock<Served> = OnceLock::new();
    SERVED.get_or_init(|| {
        let directory = crate::scratch::directory();
        let library = directory.join("library");
        std::fs::create_dir(&library).unwrap();
        let mut config = RegionConfig::new(directory);
        for parameter in ["APPLID=TESTTERM", "SYSIDNT=TEST", "STGPROT=NO", "GMTEXT='WELCOME TO THE TESTS'"] {
            config.sit.apply(parameter).unwrap();
        }
        if let Ok(parameter) = std::env::var(MORE_SIT) {
            config.sit.apply(&parameter).unwrap();
        }
        config.libraries.push(library.clone());
        config.workers = 2;
        let region = Region::start(config, &server::registry::DOMAINS).unwrap_or_else(|error| panic!("{error}"));
        let address = terminals::terminal_control::listen(region, "127.0.0.1:0").unwrap();
        Served { region, address, library }
    })
}

pub fn the_region() -> &'static Region {
    served().region
}

/// The directory of load modules and mapsets of the tests.
pub fn library() -> PathBuf {
    served().library.clone()
}

pub fn port() -> u16 {
    served().address.port()
}

/// A transaction whose program is the body.
pub fn define(transid: &str, body: impl Fn(&mut Task) -> Result<(), Raised> + Send + Sync + 'static) {
    let region = the_region();
    let program = format!("PGM{transid}");
    bodies().lock().unwrap().insert(program.clone(), Arc::new(body));
    region.programs().install_native(Name8::new(&program), run_body as NativeProgram);
    let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &program).with("TASKDATALOC", "ANY");
    region.install(&definition).unwrap();
}

pub fn connect() -> Client {
    connect_as(ClientConfig::default())
}

pub fn connect_as(config: ClientConfig) -> Client {
    let mut client = Client::connect(served().address, config, Duration::from_secs(20)).unwrap();
    client.wait_greeting().unwrap();
    client
}
