//! The stages of a command: the resource in the EIB, the authority, other systems, and observers that see, refuse and replace commands; and
//! a domain defined by this test, in a registry with all others.

mod scratch;
mod tasks_support;

use csd::Definition;
use exec::block::Block;
use exec::{CommandId, CommandSpec, command, condition, eib, option};
use region::control_blocks::target::Target;
use region::exec_interface::call::Call;
use region::extensions::{Authority, FunctionShipping, Observer, Verdict};
use region::name::{Name4, Name8};
use region::{Arguments, Decision, Domain, Outcome, Participant, Task, raise};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use tasks_support::{OWN_DOMAIN, response};

/// The region of these tests has one domain more.
fn the_region() -> &'static region::Region {
    OWN_DOMAIN.get_or_init(|| &VISITS);
    tasks_support::the_region()
}

fn run<T: Send + 'static>(
    transid: &str,
    body: impl Fn(&mut Task) -> Result<T, region::Raised> + Send + Sync + 'static,
) -> Result<T, std::sync::mpsc::RecvTimeoutError> {
    the_region();
    tasks_support::run(transid, body)
}

/// The name in EIBRSRCE, of the region's code page.
fn resource_of(task: &Task) -> String {
    let eib = region::storage_access::Area::new(task.eib.address() as usize, 85).read().unwrap();
    task.region.code_page.text(&eib[eib::EIBRSRCE..eib::EIBRSRCE + 8]).trim_end().to_string()
}

fn read_queue(task: &Task, queue: &str) -> Call {
    let mut call = Call::new(command::READQ_TS);
    call.text(task, option::QUEUE, queue).bytes(option::INTO, &[0; 8]).integer(option::LENGTH, 8);
    call
}

#[test]
fn the_resource_is_in_the_eib_whatever_refuses_the_command() {
    let (named, unknown, remote) = run("G001", |task| {
        let unknown = response(&mut read_queue(task, "G1QUEUE"), task)?;
        let named = resource_of(task);
        let mut call = read_queue(task, "G1OTHER");
        call.text(task, option::SYSID, "FAR");
        let remote = (response(&mut call, task)?, resource_of(task));
        Ok((named, unknown, remote))
    })
    .unwrap();
    assert_eq!((named.as_str(), unknown), ("G1QUEUE", (condition::QIDERR.0, 0)));
    assert_eq!(remote, ((condition::SYSIDERR.0, 0), "G1OTHER".to_string()));
}

/// The abend of a command that must not return.
fn abend_of(task: &mut Task, command: CommandId) -> Result<(String, String), region::Raised> {
    match Call::new(command).execute(task) {
        Err(region::Raised::Abend(abend)) => Ok((abend.code_text().to_string(), abend.reason.clone().unwrap_or_default())),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_command_that_is_not_found_abends_and_the_reason_names_it() {
    let missing = exec::commands().iter().find(|spec| !spec.implemented).expect("a command that is not there yet");
    let (unknown, missing_abend) = run("G009", |task| Ok((abend_of(task, CommandId(u16::MAX))?, abend_of(task, missing.id)?))).unwrap();
    assert_eq!(unknown.0, "AEIP");
    assert_eq!(missing_abend.0, "AEY9");
    assert!(missing_abend.1.contains(missing.name), "{}", missing_abend.1);
}

/// EIBFN and EIBRCODE as in "EIB fields" of the CICS application programming reference: READQ TS is X'0A04', QIDERR X'02' in its first byte.
#[test]
fn the_response_is_in_the_eib_and_the_next_command_replaces_it() {
    let eib_of = |task: &Task| region::storage_access::Area::new(task.eib.address() as usize, 85).read().unwrap();
    let (failed, normal) = run("G010", move |task| {
        read_queue(task, "G10QUEUE").execute(task)?;
        let failed = eib_of(task);
        Call::new(command::ASKTIME).execute(task)?;
        Ok((failed, eib_of(task)))
    })
    .unwrap();
    let word = |eib: &[u8], at: usize| i32::from_be_bytes(eib[at..at + 4].try_into().unwrap());
    assert_eq!((&failed[eib::EIBFN..eib::EIBFN + 2], failed[eib::EIBRCODE]), (&[0x0A, 0x04][..], 0x02));
    assert_eq!((word(&failed, eib::EIBRESP), word(&failed, eib::EIBRESP2)), (i32::from(condition::QIDERR.0), 0));
    assert_eq!((&normal[eib::EIBFN..eib::EIBFN + 2], normal[eib::EIBRCODE]), (&[0x10, 0x02][..], 0));
    assert_eq!((word(&normal, eib::EIBRESP), word(&normal, eib::EIBRESP2)), (0, 0));
}

#[test]
fn sysid_of_this_region_is_local_and_each_command_has_its_resp2_for_others() {
    let responses = run("G002", |task| {
        let own = task.region.sysid;
        let mut local = read_queue(task, "G2QUEUE");
        local.text(task, option::SYSID, own.as_str());
        let mut file = Call::new(command::READ);
        file.text(task, option::FILE, "G2FILE").text(task, option::SYSID, "FAR").bytes(option::RIDFLD, b"1").bytes(option::INTO, &[0; 8]);
        let mut start = Call::new(command::START);
        start.text(task, option::TRANSID, "G002").text(task, option::SYSID, "FAR");
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "G2PROG").text(task, option::SYSID, "FAR");
        [local, file, start, link].iter_mut().map(|call| response(call, task)).collect::<Result<Vec<_>, _>>()
    })
    .unwrap();
    let sysiderr = condition::SYSIDERR.0;
    assert_eq!(responses, [(condition::QIDERR.0, 0), (sysiderr, 130), (sysiderr, 4), (sysiderr, 4)]);
}

/// Without SYSID a command goes to the system in the definition of its resource; commands of operators stay here.
#[test]
fn a_definition_sends_commands_to_another_system() {
    let define = |of: &str, name: &str, more: &[(&'static str, &str)]| {
        let definition = Definition::new(of, name, "GATE").with("REMOTESYSTEM", "FAR");
        let definition = more.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
        the_region().install(&definition).unwrap();
    };
    define("FILE", "G5FILE", &[]);
    define("PROGRAM", "G5PROG", &[]);
    define("TSMODEL", "G5MODEL", &[("PREFIX", "G5Q")]);
    define("TRANSACTION", "G5TR", &[("PROGRAM", "G5PROG")]);
    let responses = run("G006", |task| {
        let mut read = Call::new(command::READ);
        read.text(task, option::FILE, "G5FILE").bytes(option::RIDFLD, b"1").bytes(option::INTO, &[0; 8]);
        let mut link = Call::new(command::LINK);
        link.text(task, option::PROGRAM, "G5PROG");
        let mut start = Call::new(command::START);
        start.text(task, option::TRANSID, "G5TR");
        let mut cancel = Call::new(command::CANCEL);
        cancel.text(task, option::TRANSID, "G5TR").text(task, option::REQID, "G5REQ");
        let mut xctl = Call::new(command::XCTL);
        xctl.text(task, option::PROGRAM, "G5PROG");
        let mut inquire = Call::new(command::INQUIRE_FILE);
        inquire.text(task, option::FILE, "G5FILE").integer(option::REMOTESYSTEM, 0);
        let mut calls = [read, read_queue(task, "G5QUEUE"), link, start, cancel, xctl, inquire];
        calls.iter_mut().map(|call| response(call, task)).collect::<Result<Vec<_>, _>>()
    })
    .unwrap();
    let sysiderr = condition::SYSIDERR.0;
    // XCTL does not leave the region: the program is remote, RESP2 9.
    let expected = [(sysiderr, 130), (sysiderr, 0), (sysiderr, 4), (sysiderr, 4), (sysiderr, 4), (condition::PGMIDERR.0, 9), (0, 0)];
    assert_eq!(responses, expected);
}

/// Refuses queues that begin with DENY, and remembers each request.
struct Guard(Arc<Mutex<Vec<(&'static str, String)>>>);

impl Authority for Guard {
    fn allows(&self, task: &Task, command: &CommandSpec, target: Option<&Target>, _: &Arguments) -> Outcome {
        let Some(target) = target else { return Ok(()) };
        let name: Name8 = target.name(&task.region.code_page);
        if name.as_str().starts_with("DENY") || name.as_str().starts_with("ALLOW") {
            self.0.lock().unwrap().push((target.resource, format!("{} {name}", command.name)));
        }
        if name.as_str().starts_with("DENY") { raise(condition::NOTAUTH, 101) } else { Ok(()) }
    }
}

/// Answers every command for system SHIP.
struct Ship;

impl FunctionShipping for Ship {
    fn ship(&self, _: &mut Task, system: Name4, target: Option<&Target>, _: &mut Arguments) -> Option<Outcome> {
        (system.as_str() == "SHIP").then(|| raise(condition::ITEMERR, i32::from(target.is_some())))
    }
}

/// Of transaction G004: refuses DELAY, replaces the response of ASKTIME, and counts.
struct Watch {
    order: &'static str,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Observer for Watch {
    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict {
        if task.transid.as_str() != "G004" {
            return Verdict::Execute;
        }
        self.seen.lock().unwrap().push(format!("{} before {}", self.order, block.command.name()));
        if block.command == command::DELAY && self.order == "first" {
            Verdict::Answer(raise(condition::INVREQ, 77))
        } else {
            Verdict::Execute
        }
    }

    fn after(&self, task: &mut Task, block: &mut Block, outcome: &mut Outcome) {
        if task.transid.as_str() != "G004" {
            return;
        }
        self.seen.lock().unwrap().push(format!("{} after {}", self.order, block.command.name()));
        if block.command == command::ASKTIME {
            *outcome = raise(condition::ERROR, 9);
        }
    }
}

/// One test, because extensions installed in a region stay.
#[test]
fn authority_shipping_and_observers_have_their_say() {
    let (asked, seen) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
    let extensions = &the_region().extensions;
    assert!(extensions.authorize_by(Box::new(Guard(asked.clone()))));
    assert!(!extensions.authorize_by(Box::new(Guard(asked.clone()))), "a region has one authority");
    assert!(extensions.ship_by(Box::new(Ship)));
    for order in ["first", "second"] {
        extensions.observe(Arc::new(Watch { order, seen: seen.clone() }));
    }

    let responses = run("G003", |task| {
        let mut inquire = Call::new(command::INQUIRE_TSQUEUE);
        inquire.text(task, option::TSQUEUE, "DENYINQ");
        let mut shipped = read_queue(task, "ALLOWED2");
        shipped.text(task, option::SYSID, "SHIP");
        let mut calls = [read_queue(task, "DENYIT"), read_queue(task, "ALLOWED1"), inquire, shipped];
        calls.iter_mut().map(|call| response(call, task)).collect::<Result<Vec<_>, _>>()
    })
    .unwrap();
    let notauth = (condition::NOTAUTH.0, 101);
    assert_eq!(responses, [notauth, (condition::QIDERR.0, 0), notauth, (condition::ITEMERR.0, 1)]);
    let expected = ["READQ TS DENYIT", "READQ TS ALLOWED1", "INQUIRE TSQUEUE DENYINQ", "READQ TS ALLOWED2"];
    assert_eq!(*asked.lock().unwrap(), expected.map(|text| ("TSQUEUE", text.to_string())));

    let responses = run("G004", |task| {
        let mut delay = Call::new(command::DELAY);
        delay.integer(option::SECONDS, 3600);
        let delayed = response(&mut delay, task)?;
        Ok((delayed, response(&mut Call::new(command::ASKTIME), task)?))
    })
    .unwrap();
    assert_eq!(responses, ((condition::INVREQ.0, 77), (condition::ERROR.0, 9)));
    let seen = seen.lock().unwrap();
    let of =
        |command: CommandId| -> Vec<&str> { seen.iter().filter_map(|line| line.strip_suffix(command.name())).map(str::trim_end).collect() };
    assert_eq!(of(command::DELAY), ["first before", "second after", "first after"]);
    assert_eq!(of(command::ASKTIME), ["first before", "second before", "second after", "first after"]);
}

// The example of ARCHITECTURE.md, "Domains and the registry".

/// The domain's part of the region.
#[derive(Default)]
pub struct Visits {
    committed: AtomicU32,
}

/// The domain's part of each task.
#[derive(Default)]
pub struct TaskVisits {
    pending: u32,
}

region::region_part!(Visits);
region::task_part!(TaskVisits);

pub static VISITS: Domain = Domain {
    name: "visits",
    slots: &[&IN_REGION, &IN_TASK],
    unit_of_work: Some(Participant { after: count_visits, ..Participant::NONE }),
    ..Domain::NONE
};

fn count_visits(task: &mut Task, decision: Decision) {
    let pending = std::mem::take(&mut TaskVisits::of_mut(&mut task.parts).pending);
    if decision == Decision::Commit {
        Visits::of(task.region).committed.fetch_add(pending, Ordering::Relaxed);
    }
}

#[test]
fn a_domain_is_one_description_and_one_line_in_the_registry() {
    run("G005", |task| {
        TaskVisits::of_mut(&mut task.parts).pending += 2;
        task.touch_unit_of_work();
        task.rollback();
        assert_eq!(Visits::of(task.region).committed.load(Ordering::Relaxed), 0);
        TaskVisits::of_mut(&mut task.parts).pending += 3;
        task.touch_unit_of_work();
        task.syncpoint()
    })
    .unwrap();
    assert_eq!(Visits::of(the_region()).committed.load(Ordering::Relaxed), 3);
}

/// The example in the document is this file's code.
#[test]
fn the_example_of_the_document_is_compiled_here() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (_, example) = document.split_once("```rust\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    assert!(example.contains("static VISITS: Domain") && include_str!("gate.rs").contains(example), "the example is not in this file");
}
