//! What rules that no task exceeds cost a command: nothing that the machine would have to be asked for.
//!
//! The `unsafe` code is an allocator that counts, and passes each request on to the system's; every test of this program runs with it.

use crate::support::{bundle, install, setup};
use exec::{command, option};
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, Raised, StartCode, Task};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every request is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        System.dealloc(address, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Not inlined, because a task may continue on another thread.
#[inline(never)]
fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

const TIMES: usize = 500;

static COUNTED: Mutex<Option<mpsc::Sender<Vec<u64>>>> = Mutex::new(None);

/// Gives commands that rules count, as often as [`TIMES`]: one without conditions, and requests
/// to a queue and a file that are not there.
fn program(task: &mut Task) -> Result<(), Raised> {
    let mut ask = Call::new(command::ASKTIME);
    let mut read = Call::new(command::READQ_TS);
    read.text(task, option::QUEUE, "NOQUEUE").bytes(option::INTO, &[0; 8]).integer(option::LENGTH, 8).flag(option::NEXT);
    let mut file = Call::new(command::READ);
    file.text(task, option::FILE, "NOFILE").bytes(option::RIDFLD, b"KEY").bytes(option::INTO, &[0; 8]).integer(option::LENGTH, 8);
    let mut counts = Vec::new();
    for call in [&mut ask, &mut read, &mut file] {
        call.execute(task)?;
        let before = allocations();
        for _ in 0..TIMES {
            call.execute(task)?;
        }
        counts.push(allocations() - before);
    }
    if let Some(sender) = COUNTED.lock().unwrap().as_ref() {
        let _ = sender.send(counts);
    }
    Ok(())
}

fn counted() -> Vec<u64> {
    let (sender, receiver) = mpsc::channel();
    *COUNTED.lock().unwrap() = Some(sender);
    setup().region.attach(AttachRequest::new(Name4::new("PCST"), StartCode::Start)).unwrap();
    receiver.recv_timeout(Duration::from_secs(30)).expect("the task reports")
}

/// POL-07: nineteen rules, none exceeded. `regent bench instruments` has the time.
#[test]
fn nineteen_rules_allocate_nothing_for_a_command() {
    setup().region.programs().install_native(Name8::new("PLCOST"), program);
    // Blocks of the trace table are allocated when they are first used.
    kernel::trace::change_flags(|flags| flags.internal = false);
    setup().define_transaction("PCST", "PLCOST");
    let without = counted();
    let rules = include_str!("../../../../bench/policy/limits.policy");
    let directory = bundle("BPCOST", &[("POLICY", "BPCOSTP", "limits.policy", rules)]);
    install("BPCOST", &directory, "ENABLED").unwrap();
    assert_eq!(counted(), without);
    assert_eq!(without[0], 0, "ASKTIME");
}
