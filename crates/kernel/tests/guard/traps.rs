//! Faults of programs are traps with their place, and leave nothing behind in the processor; a fault of the region itself ends the process.

use super::{LONG, call, in_task, place, start, trap_of};
use kernel::guard::{self, RunTime};
use kernel::{Interrupt, Stop};
use std::time::Duration;

/// Bits of RFLAGS (Intel 64 manual, volume 1, figure 3-8).
const TRAP_FLAG: usize = 1 << 8;

const DIRECTION_FLAG: usize = 1 << 10;

const ALIGNMENT_FLAG: usize = 1 << 18;

fn is_emulated() -> bool {
    std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains("QEMU"))
}

fn own_flags() -> usize {
    let flags;
    unsafe { std::arch::asm!("pushfq", "pop {}", out(reg) flags) };
    flags
}

/// The rounding and exceptions of both floating-point units, and which registers of the x87 are in use.
fn environment() -> (u32, u32, u16) {
    let (mut mxcsr, mut x87) = (0u32, [0u32; 7]);
    unsafe { std::arch::asm!("stmxcsr [{}]", "fnstenv [{}]", "fldenv [{1}]", in(reg) &mut mxcsr, in(reg) &mut x87) };
    (mxcsr & 0xFFC0, x87[0] & 0xFFFF, x87[2] as u16)
}

extern "C" fn answer() -> u64 {
    4712
}

fn all_traps() {
    assert_eq!(call("add", [40, 2, 0, 0]).unwrap(), 42);
    let wild = trap_of(call("load", [0x1230, 0, 0, 0]));
    assert_eq!((wild.interrupt, wild.address, wild.code_id), (Interrupt::Protection, 0x1230, 4711));
    assert_eq!((wild.offset, wild.in_run_time, wild.protection_key), (place("load"), false, false));
    assert_eq!(wild.registers[5], 0x1230, "rdi");
    assert_eq!(trap_of(call("store", [0x18, 7, 0, 0])).address, 0x18);
    let illegal = trap_of(call("ud2", [0; 4]));
    assert_eq!((illegal.interrupt, illegal.offset), (Interrupt::Illegal, place("ud2") + 1));
    let divide = trap_of(call("divide", [5, 0, 0, 0]));
    assert_eq!((divide.interrupt, divide.offset), (Interrupt::Arithmetic, place("divide") + 6));
    let breakpoint = trap_of(call("int3", [0; 4]));
    assert_eq!((breakpoint.interrupt, breakpoint.offset, breakpoint.in_run_time), (Interrupt::Illegal, place("int3") + 1, false));
    // A processor reports the address behind INT1; a hypervisor that emulates the trap on AMD processors, that of INT1 itself.
    let debug = trap_of(call("int1", [0; 4]));
    assert_eq!((debug.interrupt, debug.in_run_time), (Interrupt::Illegal, false));
    assert!((0..=1).contains(&(debug.offset - place("int1"))), "{}", debug.offset);
    for (stack, place) in [(usize::MAX, usize::MAX), (0, 0), (1 << 63, 1 << 63), (usize::MAX, 0x4040_4040)] {
        trap_of(call("astray", [stack, place, 0, 0]));
    }
    assert_eq!(trap_of(call("flags", [TRAP_FLAG, 0, 0, 0])).interrupt, Interrupt::Illegal);
    assert_eq!(call("flags in run time", [TRAP_FLAG, answer as *const () as usize, 0, 0]).unwrap(), 4712);
    // The emulated processor of `tests/keys` has the flag and checks no alignment.
    if !is_emulated() {
        assert_eq!(trap_of(call("unaligned", [ALIGNMENT_FLAG, 0, 0, 0])).interrupt, Interrupt::Protection);
    }
    assert_eq!(own_flags() & (TRAP_FLAG | DIRECTION_FLAG | ALIGNMENT_FLAG), 0);
    trap_of(call("backward", [0; 4]));
    assert_eq!(own_flags() & (TRAP_FLAG | DIRECTION_FLAG | ALIGNMENT_FLAG), 0);
    let before = environment();
    trap_of(call("environment", [0; 4]));
    assert_eq!(environment(), before);
    trap_of(call("clobber", [0; 4]));
    assert_eq!(call("add", [1, 2, 0, 0]).unwrap(), 3);
    assert!(!guard::is_guarded());
}

#[test]
fn traps_on_a_plain_thread() {
    all_traps();
    std::thread::spawn(all_traps).join().unwrap();
}

#[test]
fn traps_in_a_task() {
    let dispatcher = start(1, Duration::ZERO);
    for _ in 0..20 {
        in_task(&dispatcher, |_| all_traps());
    }
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn values_on_the_stack_survive_a_trap() {
    let text = String::from("owned by the caller");
    let numbers: Vec<u64> = (0..100).collect();
    for _ in 0..100 {
        trap_of(call("clobber", [0; 4]));
    }
    assert_eq!((text.as_str(), numbers.iter().sum::<u64>()), ("owned by the caller", 4950));
}

/// Runs this test binary again for one test, and returns how it ended and what it wrote.
fn run_again(test: &str) -> (std::process::ExitStatus, String) {
    let output =
        std::process::Command::new(std::env::current_exe().unwrap()).args(["--exact", test, "--nocapture", "--ignored"]).output().unwrap();
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_fault_of_the_region_dumps_and_ends_the_process() {
    use std::os::unix::process::ExitStatusExt;
    let (status, text) = run_again("traps::fault_in_the_run_time");
    assert_eq!(status.signal(), Some(libc::SIGSEGV), "{text}");
    assert!(text.contains("fault in the region: signal 11") && text.contains("address 58"), "{text}");
    assert!(text.contains("hook saw 58") && text.contains("rax="), "{text}");
    let (status, text) = run_again("traps::fault_with_a_lock_held");
    assert_eq!(status.signal(), Some(libc::SIGSEGV), "{text}");
}

unsafe extern "C" fn owning_helper(_: usize, _: usize, _: usize, _: usize) -> u64 {
    let _run_time = RunTime::enter();
    unsafe { (0x58 as *const u64).read_volatile() }
}

#[test]
#[ignore = "ends the process; run by another test"]
fn fault_in_the_run_time() {
    guard::set_dump_hook(|trap| eprintln!("hook saw {:x}", trap.address));
    let _ = call("call", [owning_helper as *const () as usize, 0, 0, 0]);
}

static LOCK: kernel::sync::Mutex<u32> = kernel::sync::Mutex::new(0);

unsafe extern "C" fn locking_helper(_: usize, _: usize, _: usize, _: usize) -> u64 {
    let _guard = LOCK.lock();
    unsafe { (0x58 as *const u64).read_volatile() }
}

#[test]
#[ignore = "ends the process; run by another test"]
fn fault_with_a_lock_held() {
    let _ = call("call", [locking_helper as *const () as usize, 0, 0, 0]);
}
