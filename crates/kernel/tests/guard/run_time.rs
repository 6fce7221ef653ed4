//! Programs call the run time: what it raises, what it owns when they end, and traps while it works on the program's data.

use super::{LONG, abend_of, call, place, programs, start, trap_of};
use kernel::guard::{self, GuardedFunction, RunTime};
use kernel::storage::{Getmain, Storage, StorageConfig};
use kernel::{Abend, AbendKind, AttachRequest, Departure, Interrupt, Stop, raise, raise_exit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

unsafe extern "C" fn raiser(value: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { raise(Box::new(Abend::new("AEI0", value as u64))) }
}

unsafe extern "C" fn leaver(value: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { raise_exit(value as u64) }
}

#[test]
fn raise_and_exit() {
    let abend = abend_of(call("call", [raiser as *const () as usize, 99, 0, 0]));
    assert_eq!((abend.code_text(), abend.kind, abend.value), ("AEI0", AbendKind::Raised, 99));
    assert!(matches!(call("call", [leaver as *const () as usize, 7, 0, 0]), Err(Departure::Exit(7))));
}

static DROPPED: AtomicU64 = AtomicU64::new(0);

struct Owned;

impl Drop for Owned {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Works like LINK: owns something, makes its own guarded call, and passes the abend on after dropping everything.
pub unsafe extern "C" fn link(depth: usize, _: usize, _: usize, _: usize) -> u64 {
    let result = {
        let _run_time = RunTime::enter();
        let _owned = Owned;
        match depth {
            0 => call("load", [0x44, 0, 0, 0]),
            _ => call("call", [link as *const () as usize, depth - 1, 0, 0]),
        }
    };
    match result {
        Ok(value) => value,
        Err(Departure::Exit(value)) => unsafe { raise_exit(value) },
        Err(Departure::Abend(abend)) => unsafe { raise(abend) },
    }
}

#[test]
fn nested_levels_drop_what_they_own() {
    let before = DROPPED.load(Ordering::SeqCst);
    for depth in 0..10 {
        let abend = abend_of(call("call", [link as *const () as usize, depth, 0, 0]));
        assert_eq!(abend.trap.unwrap().address, 0x44);
    }
    assert_eq!(DROPPED.load(Ordering::SeqCst) - before, (1..=10).sum::<u64>());
    assert!(!guard::is_guarded());
}

/// A light helper with a program address as argument.
unsafe extern "C" fn sum_bytes(address: usize, _: usize, _: usize, _: usize) -> u64 {
    (0..16).map(|offset| unsafe { (address as *const u8).add(offset).read_volatile() } as u64).sum()
}

#[test]
fn a_light_helper_given_a_wild_pointer_is_the_programs_trap() {
    let trap = trap_of(call("call", [sum_bytes as *const () as usize, 0x2000, 0, 0]));
    assert!(trap.in_run_time);
    assert_eq!((trap.address, trap.code_id), (0x2000, 4711));
    assert_eq!(trap.offset, place("call") + 12, "the return address of the helper's call");
    let storage = Storage::start(StorageConfig::default()).unwrap();
    let mut task = storage.task(1);
    let address = task.getmain(Getmain { initial: Some(2), ..Getmain::user(16) }).unwrap();
    assert_eq!(call("call", [sum_bytes as *const () as usize, address, 0, 0]).unwrap(), 32);
    // A reserved address in the 31-bit range that no DSA has.
    assert!(trap_of(call("call", [sum_bytes as *const () as usize, 0x7FFF_0000, 0, 0])).in_run_time);
}

/// A light helper whose frame holds return addresses of other calls, as a stack used before does.
unsafe extern "C" fn copy_among_stale_words(address: usize, _: usize, _: usize, _: usize) -> u64 {
    let stale = std::hint::black_box([programs().base + place("call for ever") + 15; 64]);
    let mut target = std::hint::black_box([0u8; 256]);
    // A length unknown at compile time, so that the C library copies.
    unsafe { std::ptr::copy_nonoverlapping(address as *const u8, target.as_mut_ptr(), std::hint::black_box(256)) };
    std::hint::black_box(&target);
    stale.iter().fold(0, |sum, word| sum ^ *word as u64)
}

/// The same some calls deeper, with the preserved registers used.
unsafe extern "C" fn deep_among_stale_words(address: usize, _: usize, _: usize, _: usize) -> u64 {
    #[inline(never)]
    fn deeper(levels: usize, address: usize) -> u64 {
        let stale = std::hint::black_box([programs().base + place("recurse") + 9; 16]);
        unsafe { std::arch::asm!("", out("r12") _, out("r13") _, out("r14") _, out("r15") _) };
        let inner = if levels == 0 { unsafe { copy_among_stale_words(address, 0, 0, 0) } } else { deeper(levels - 1, address) };
        inner + std::hint::black_box(&stale).len() as u64
    }
    deeper(10, address)
}

#[test]
fn stale_words_on_the_stack_are_not_taken_for_the_call() {
    let helpers: [GuardedFunction; 2] = [copy_among_stale_words, deep_among_stale_words];
    for helper in helpers {
        let trap = trap_of(call("call", [helper as *const () as usize, 0x2000, 0, 0]));
        assert_eq!((trap.in_run_time, trap.address, trap.code_id), (true, 0x2000, 4711));
        assert_eq!(trap.offset, place("call") + 12, "the return address of the helper's call");
        // Its registers are those of the program, which has the helper and its argument in rbx and rbp.
        let trap = trap_of(call("call for ever", [helper as *const () as usize, 0x2000, 0, 0]));
        assert_eq!(trap.offset, place("call for ever") + 15);
        assert_eq!((trap.registers[1], trap.registers[6]), (helper as *const () as u64, 0x2000));
    }
}

/// A gate that works on the program's data in place, and owns something meanwhile outside of that work.
unsafe extern "C" fn gate_on_data(address: usize, _: usize, _: usize, _: usize) -> u64 {
    let result = {
        let _run_time = RunTime::enter();
        let _owned = Owned;
        guard::on_program_data(|| unsafe { sum_bytes(address, 0, 0, 0) })
    };
    match result {
        Ok(sum) => sum,
        Err(Departure::Exit(value)) => unsafe { raise_exit(value) },
        Err(Departure::Abend(abend)) => unsafe { raise(abend) },
    }
}

#[test]
fn a_gate_given_a_wild_pointer_is_the_programs_trap() {
    // Unmapped program storage; 2 GB to the end of 32 bits; and the addresses that an offset and a length add to that.
    for address in [0x2000, 0x7FFF_0000, 0x8000_0000, 0xF0F0_F0F0, 0xFFFF_FFF8, 0x1_0000_0000, 0x1_8000_0000, 0x2_7FFF_FFF0] {
        for helper in [gate_on_data as GuardedFunction, sum_bytes] {
            let trap = trap_of(call("call", [helper as *const () as usize, address, 0, 0]));
            assert_eq!((trap.in_run_time, trap.address, trap.code_id), (true, address, 4711));
            assert_eq!(trap.offset, place("call") + 12, "the return address of the call");
            let trap = trap_of(call("call for ever", [helper as *const () as usize, address, 0, 0]));
            assert_eq!((trap.registers[1], trap.registers[6]), (helper as *const () as u64, address as u64));
        }
    }
    assert!(!guard::is_guarded());
}

#[test]
fn a_panic_in_a_gate_on_data_propagates() {
    let caught = std::panic::catch_unwind(|| guard::on_program_data(|| panic!("expected")));
    assert!(caught.is_err() && !guard::is_guarded());
    assert_eq!(guard::on_program_data(|| 5).unwrap(), 5);
}

unsafe extern "C" fn stop_on_bad_data(_: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { std::arch::asm!("ud2", options(noreturn)) }
}

#[test]
fn a_light_helper_may_stop_by_an_illegal_instruction() {
    let trap = trap_of(call("call", [stop_on_bad_data as *const () as usize, 0, 0, 0]));
    assert_eq!((trap.interrupt, trap.in_run_time, trap.code_id), (Interrupt::Illegal, true, 4711));
    assert_eq!(trap.offset, place("call") + 12);
}

unsafe extern "C" fn suspend_in_program(_: usize, _: usize, _: usize, _: usize) -> u64 {
    kernel::with_current(|task| {
        let _run_time = RunTime::enter();
        task.relinquish();
        task.number() as u64
    })
    .unwrap()
}

#[test]
fn recovery_points_move_with_the_task() {
    let dispatcher = start(4, Duration::ZERO);
    let tasks: Vec<_> = (0..32)
        .map(|_| {
            let request = AttachRequest::new("MIGR", |task| {
                task.change_mode(kernel::Mode::L8).unwrap();
                for _ in 0..200 {
                    let number = call("call", [suspend_in_program as *const () as usize, 0, 0, 0]).unwrap();
                    assert_eq!(number, task.number() as u64);
                    trap_of(call("load", [8, 0, 0, 0]));
                    assert!(abend_of(call("call", [raiser as *const () as usize, 5, 0, 0])).value == 5);
                }
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    assert!(tasks.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}
