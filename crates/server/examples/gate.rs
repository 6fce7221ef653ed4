//! The cost of the gate: ASSIGN and LINK + RETURN from a native program, best of several runs; then the same under a policy with 19 task
//! rules that no task exceeds.
//!
//! `cargo run --release -p server --example gate`. The figures with compiled programs are those of `regent bench kernel`.

use csd::{Definition, TransactionDefinition};
use exec::block::{Argument, Block, Representation};
use exec::{command, option};
use region::exec_interface::Call;
use region::exec_interface::gate;
use region::name::{Name4, Name8};
use region::{AttachRequest, Raised, Region, RegionConfig, StartCode, Task};
use std::time::{Duration, Instant};

const ROUNDS: usize = 10;
const COUNT: u32 = 100_000;

fn main() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = RegionConfig::new(directory.path().to_path_buf());
    config.sit.apply("STGPROT=NO").expect("a parameter");
    let region = Region::start(config, &server::registry::DOMAINS).unwrap_or_else(|error| panic!("{error}"));
    region.programs().install_native(Name8::new("BENCH"), bench);
    region.programs().install_native(Name8::new("EMPTY"), |_| Ok(()));
    install(region, "BNCH", "BENCH");
    install(region, "EMPT", "EMPTY");
    region.attach(AttachRequest::new(Name4::new("BNCH"), StartCode::Start)).expect("attached");
    while !region.transactions().tasks().is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    attach_to_end(region);
    println!("\nunder the task rules of bench/policy");
    install_rules(region);
    region.attach(AttachRequest::new(Name4::new("BNCH"), StartCode::Start)).expect("attached");
    while !region.transactions().tasks().is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    attach_to_end(region);
    region.shutdown(false);
}

/// Installs the bundle of `bench/policy`, whose rules have thresholds that are out of reach.
fn install_rules(region: &'static Region) {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/policy");
    let definition = Definition::new("BUNDLE", "BENCH", "BENCH").with("BUNDLEDIR", bundle);
    region.install(&definition).unwrap_or_else(|reason| panic!("{reason}"));
}

fn install(region: &'static Region, transid: &str, program: &str) {
    let definition = Definition::new("TRANSACTION", transid, "BENCH").with("PROGRAM", program).with("TASKDATALOC", "ANY");
    region.transactions().install(TransactionDefinition::from(&definition));
}

fn best(name: &str, mut once: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for _ in 0..COUNT {
            once();
        }
        best = best.min(started.elapsed().as_nanos() as f64 / f64::from(COUNT));
    }
    println!("{name:<40}{best:9.1} ns");
}

/// ASSIGN as a compiled program gives it to the gate.
fn assign(arguments: &mut [Argument; 1]) -> Block {
    let arguments = arguments.as_mut_ptr();
    Block { command: command::ASSIGN, argument_count: 1, flags: 0, reserved: 0, line: 1, statement: 1, arguments }
}

fn bench(task: &mut Task) -> Result<(), Raised> {
    let area = [0u8; 8];
    let argument = |option, representation, length, address: usize| Argument {
        option,
        representation,
        flags: 0,
        length,
        address: address as u64,
        value: 0,
    };
    let mut arguments = [argument(option::APPLID, Representation::Area, 8, area.as_ptr() as usize)];
    let mut block = assign(&mut arguments);
    best("ASSIGN APPLID", || {
        gate::execute(task, None, &mut block);
    });
    let mut arguments = [argument(option::TWALENG, Representation::Integer, 0, 0)];
    let mut block = assign(&mut arguments);
    best("ASSIGN TWALENG", || {
        gate::execute(task, None, &mut block);
    });
    let mut link = Call::new(command::LINK);
    link.text(task, option::PROGRAM, "EMPTY").bytes(option::COMMAREA, &[0; 100]);
    best("LINK + RETURN, 100 bytes, native program", || {
        let _ = link.execute(task);
    });
    let mut syncpoint = Call::new(command::SYNCPOINT);
    best("SYNCPOINT without changes", || {
        let _ = syncpoint.execute(task);
    });
    Ok(())
}

fn attach_to_end(region: &'static Region) {
    let count = 20_000;
    let mut best = f64::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        for _ in 0..count {
            let _ = region.attach(AttachRequest::new(Name4::new("EMPT"), StartCode::Start));
        }
        while !region.transactions().tasks().is_empty() || region.dispatcher.tasks().iter().any(|task| !task.system) {
            std::thread::sleep(Duration::from_micros(100));
        }
        best = best.min(started.elapsed().as_nanos() as f64 / f64::from(count));
    }
    println!("{:<40}{best:9.1} ns", "attach to end, from outside");
}
