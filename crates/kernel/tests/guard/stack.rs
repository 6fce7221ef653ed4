//! Programs, gates and guarded calls that run out of stack.

use super::run_time::link;
use super::{LONG, abend_of, call, in_task, start};
use kernel::guard::{self, RunTime};
use kernel::{AbendKind, Stop, attention};
use std::time::Duration;

/// A gate that uses much stack: called with little left, it runs on the reserve.
unsafe extern "C" fn hungry_gate(fill: usize, _: usize, _: usize, _: usize) -> u64 {
    let _run_time = RunTime::enter();
    deep(fill)
}

#[inline(never)]
fn deep(fill: usize) -> u64 {
    let block = std::hint::black_box([1u8; 1024]);
    let rest = if fill == 0 { 0 } else { deep(fill - 1) };
    rest + block[fill % 1024] as u64
}

#[test]
fn a_gate_that_runs_out_of_stack_uses_the_reserve() {
    let dispatcher = start(1, Duration::ZERO);
    for _ in 0..3 {
        let (sum, attention, abend) = in_task(&dispatcher, |task| {
            // More than the stack of 64 KB, less than stack and reserve.
            let sum = call("call", [hungry_gate as *const () as usize, 100, 0, 0]).unwrap();
            let attention = task.attention();
            // The program that never ends is stopped at the new limit.
            (sum, attention, abend_of(call("recurse", [0; 4])))
        });
        assert_eq!((sum, attention, abend.kind), (101, attention::STACK, AbendKind::StackOverflow));
    }
    // The next task of the stack has its reserve closed again.
    let remaining = in_task(&dispatcher, |task| {
        assert_eq!(task.attention(), 0);
        guard::stack_remaining()
    });
    assert!(remaining < 64 * 1024);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn endless_nesting_of_guarded_calls_is_refused() {
    let dispatcher = start(1, Duration::ZERO);
    let abend = in_task(&dispatcher, |_| abend_of(call("call", [link as *const () as usize, 1_000_000, 0, 0])));
    assert_eq!(abend.kind, AbendKind::StackOverflow);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn endless_nesting_on_a_plain_thread_is_refused() {
    let nest = || abend_of(call("call", [link as *const () as usize, 10_000_000, 0, 0])).kind;
    assert_eq!(std::thread::spawn(nest).join().unwrap(), AbendKind::StackOverflow);
    assert_eq!(std::thread::spawn(|| abend_of(call("recurse", [0; 4])).kind).join().unwrap(), AbendKind::StackOverflow);
}

#[test]
fn a_gate_without_room_on_the_stack_is_refused() {
    let dispatcher = start(1, Duration::ZERO);
    let refused = in_task(&dispatcher, |_| {
        #[inline(never)]
        fn deeper(levels: usize) -> bool {
            let block = std::hint::black_box([1u8; 1024]);
            (levels == 0 && RunTime::enter().check_stack().is_err() || levels > 0 && deeper(levels - 1)) && block[levels % 1024] == 1
        }
        (deeper(4), deeper(48), deeper(4))
    });
    assert_eq!(refused, (false, true, false));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn stack_overflow_of_a_program() {
    let dispatcher = start(1, Duration::ZERO);
    for _ in 0..5 {
        let abend = in_task(&dispatcher, |_| abend_of(call("recurse", [0; 4])));
        assert_eq!((abend.kind, abend.code_text()), (AbendKind::StackOverflow, "ASRA"));
        assert_eq!(abend.trap.unwrap().code_id, 4711);
    }
    assert!(in_task(&dispatcher, |_| guard::stack_remaining()) > 32 * 1024);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}
