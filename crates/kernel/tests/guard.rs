//! Guarded calls, traps and runaway detection with small machine code programs, on tasks and on plain threads.
#![cfg(target_arch = "x86_64")]

use kernel::guard::{self, CodeRange, GuardedFunction, RunTime};
use kernel::storage::{Getmain, Storage, StorageConfig};
use kernel::{
    Abend, AbendKind, AttachRequest, Config, Departure, Dispatcher, Interrupt, Purge, RunState, Stop, Trap, Wait, attention, guarded_call,
    raise, raise_exit,
};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

/// Programs, each at a multiple of 64 bytes of one mapped page. Arguments come in rdi, rsi, rdx, rcx.
const PROGRAMS: [(&str, &[u8]); 18] = [
    // mov rax, rdi; add rax, rsi; ret
    ("add", &[0x48, 0x89, 0xF8, 0x48, 0x01, 0xF0, 0xC3]),
    // mov rax, [rdi]; ret
    ("load", &[0x48, 0x8B, 0x07, 0xC3]),
    // mov [rdi], rsi; ret
    ("store", &[0x48, 0x89, 0x37, 0xC3]),
    // nop; ud2
    ("ud2", &[0x90, 0x0F, 0x0B]),
    // xor edx, edx; mov eax, edi; xor ecx, ecx; div ecx; ret
    ("divide", &[0x31, 0xD2, 0x89, 0xF8, 0x31, 0xC9, 0xF7, 0xF1, 0xC3]),
    // jmp self
    ("loop", &[0xEB, 0xFE]),
    // sub rsp, 8; call self; ret
    ("recurse", &[0x48, 0x83, 0xEC, 0x08, 0xE8, 0xF7, 0xFF, 0xFF, 0xFF, 0xC3]),
    // sub rsp, 8; mov rax, rdi; mov rdi, rsi; call rax; add rsp, 8; ret : call the helper in the first argument
    ("call", &[0x48, 0x83, 0xEC, 0x08, 0x48, 0x89, 0xF8, 0x48, 0x89, 0xF7, 0xFF, 0xD0, 0x48, 0x83, 0xC4, 0x08, 0xC3]),
    // sub rsp, 8; mov rbx, rdi; mov rbp, rsi; again: mov rdi, rbp; call rbx; jmp again
    ("call for ever", &[0x48, 0x83, 0xEC, 0x08, 0x48, 0x89, 0xFB, 0x48, 0x89, 0xF5, 0x48, 0x89, 0xEF, 0xFF, 0xD3, 0xEB, 0xF9]),
    // std; mov rax, [0]: leaves the direction flag set
    ("backward", &[0xFD, 0x48, 0x8B, 0x04, 0x25, 0, 0, 0, 0]),
    // nop; int3; ret
    ("int3", &[0x90, 0xCC, 0xC3]),
    // nop; int1; ret
    ("int1", &[0x90, 0xF1, 0xC3]),
    // push rdi; popf; nop; nop; ret : sets flags
    ("flags", &[0x57, 0x9D, 0x90, 0x90, 0xC3]),
    // mov rsp, rdi; jmp rsi : goes where nothing is, with a stack that is not there
    ("astray", &[0x48, 0x89, 0xFC, 0xFF, 0xE6]),
    // push rdi; popf; jmp rsi : and goes to a function of the run time
    ("flags in run time", &[0x57, 0x9D, 0xFF, 0xE6]),
    // push rdi; popf; mov rax, [rsp-7] : reads at an odd address
    ("unaligned", &[0x57, 0x9D, 0x48, 0x8B, 0x44, 0x24, 0xF9, 0xC3]),
    // fldz; push 0; ldmxcsr [rsp]; mov word ptr [rsp], 0x0300; fldcw [rsp]; ud2 : leaves the floating-point environment changed
    ("environment", &[0xD9, 0xEE, 0x6A, 0, 0x0F, 0xAE, 0x14, 0x24, 0x66, 0xC7, 0x04, 0x24, 0, 3, 0xD9, 0x2C, 0x24, 0x0F, 0x0B]),
    // mov rbx, mov rbp, mov r12..r15 all to -1; ud2 : clobbers every preserved register
    ("clobber", &[0x48, 0x31, 0xDB, 0x48, 0x31, 0xED, 0x4D, 0x31, 0xE4, 0x4D, 0x31, 0xED, 0x4D, 0x31, 0xF6, 0x4D, 0x31, 0xFF, 0x0F, 0x0B]),
];

struct Programs {
    base: usize,
    _range: CodeRange,
}

fn programs() -> &'static Programs {
    static PAGE: OnceLock<Programs> = OnceLock::new();
    PAGE.get_or_init(|| unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let page = libc::mmap(std::ptr::null_mut(), 4096, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
        assert_ne!(page, libc::MAP_FAILED);
        for (index, (_, code)) in PROGRAMS.iter().enumerate() {
            std::ptr::copy_nonoverlapping(code.as_ptr(), (page as *mut u8).add(index * 64), code.len());
        }
        assert_eq!(libc::mprotect(page, 4096, libc::PROT_READ | libc::PROT_EXEC), 0);
        Programs { base: page as usize, _range: guard::register_code(page as usize, 4096, 4711) }
    })
}

fn place(name: &str) -> usize {
    PROGRAMS.iter().position(|(known, _)| *known == name).unwrap() * 64
}

fn program(name: &str) -> GuardedFunction {
    unsafe { std::mem::transmute(programs().base + place(name)) }
}

fn call(name: &str, arguments: [usize; 4]) -> Result<u64, Departure> {
    unsafe { guarded_call(program(name), arguments) }
}

fn abend_of(result: Result<u64, Departure>) -> Box<Abend> {
    match result {
        Err(Departure::Abend(abend)) => abend,
        other => panic!("no abend: {other:?}"),
    }
}

fn trap_of(result: Result<u64, Departure>) -> Trap {
    let abend = abend_of(result);
    assert_eq!((abend.kind, abend.code_text()), (AbendKind::Trap, "ASRA"));
    abend.trap.unwrap()
}

fn start(workers: usize, runaway: Duration) -> Dispatcher {
    Dispatcher::start(Config { workers, runaway, stack_bytes: 64 * 1024, ..Config::default() }).unwrap()
}

/// Runs the work as a task and returns what it returns.
fn in_task<R: Send + 'static>(dispatcher: &Dispatcher, work: impl FnOnce(&kernel::Task) -> R + Send + 'static) -> R {
    let result = Arc::new(Mutex::new(None));
    let stored = result.clone();
    let request = AttachRequest::new("GRD1", move |task| *stored.lock().unwrap() = Some(work(task)));
    let task = dispatcher.attach(request).unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    let result = result.lock().unwrap().take();
    result.unwrap()
}

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
unsafe extern "C" fn link(depth: usize, _: usize, _: usize, _: usize) -> u64 {
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

#[test]
fn a_repeated_runaway_without_a_yield_is_detected() {
    let dispatcher = start(1, Duration::from_millis(60));
    let (values, elapsed) = in_task(&dispatcher, |task| {
        let started = Instant::now();
        let mut values = vec![abend_of(call("loop", [0; 4])).value, abend_of(call("loop", [0; 4])).value];
        let elapsed = started.elapsed();
        task.relinquish();
        values.push(abend_of(call("loop", [0; 4])).value);
        (values, elapsed)
    });
    assert_eq!(values, [0, guard::RAN_AWAY_AGAIN, 0]);
    assert!(elapsed >= Duration::from_millis(110), "each time has an interval of its own: {elapsed:?}");
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn a_looping_program_is_stopped_and_others_are_not() {
    let dispatcher = start(2, Duration::from_millis(100));
    let started = Instant::now();
    let abend = in_task(&dispatcher, |_| abend_of(call("loop", [0; 4])));
    let elapsed = started.elapsed();
    assert_eq!((abend.kind, abend.code_text()), (AbendKind::Runaway, "AICA"));
    let trap = abend.trap.unwrap();
    assert_eq!((trap.interrupt, trap.offset), (Interrupt::Stopped, place("loop")));
    assert!(elapsed >= Duration::from_millis(90), "{elapsed:?}");
    assert_eq!(dispatcher.statistics().runaways, 1);
    // A task that works longer in total but gives up control is not a runaway; nor is one without a limit.
    in_task(&dispatcher, |task| {
        let until = Instant::now() + Duration::from_millis(300);
        while Instant::now() < until {
            let slice = Instant::now() + Duration::from_millis(10);
            while Instant::now() < slice {}
            task.relinquish();
            assert_eq!(task.attention(), 0);
        }
        task.set_runaway(Duration::ZERO);
    });
    let unlimited = AttachRequest::new("FREE", |task| {
        let until = Instant::now() + Duration::from_millis(300);
        while Instant::now() < until {}
        assert_eq!(task.attention(), 0);
    });
    let task = dispatcher.attach(unlimited.runaway(Duration::ZERO)).unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    assert_eq!(dispatcher.statistics().runaways, 1);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

static CALLS: AtomicU32 = AtomicU32::new(0);

/// A gate that spends its time in the run time, and checks the attention word at its exit.
unsafe extern "C" fn slow_gate(_: usize, _: usize, _: usize, _: usize) -> u64 {
    CALLS.fetch_add(1, Ordering::SeqCst);
    {
        let _run_time = RunTime::enter();
        let until = Instant::now() + Duration::from_millis(20);
        while Instant::now() < until {}
    }
    let word = unsafe { &*guard::attention_word() };
    if word.load(Ordering::SeqCst) & attention::RUNAWAY != 0 {
        unsafe { raise(Box::new(Abend::new("AICA", 1))) }
    }
    0
}

#[test]
fn a_runaway_in_the_run_time_is_deferred_to_the_gate() {
    let dispatcher = start(1, Duration::from_millis(100));
    let abend = in_task(&dispatcher, |_| abend_of(call("call for ever", [slow_gate as *const () as usize, 0, 0, 0])));
    // Not a stop inside the run time: the gate found the bit and raised this.
    assert_eq!((abend.code_text(), abend.kind, abend.value), ("AICA", AbendKind::Raised, 1));
    assert!(CALLS.load(Ordering::SeqCst) >= 1);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// A light helper that works until a stop is requested, and then stops by its illegal instruction.
unsafe extern "C" fn asking_helper(_: usize, _: usize, _: usize, _: usize) -> u64 {
    let word = unsafe { &*guard::attention_word() };
    while word.load(Ordering::SeqCst) & attention::STOPS == 0 {}
    unsafe { std::arch::asm!("ud2", options(noreturn)) }
}

#[test]
fn a_light_helper_that_gives_up_is_stopped_as_a_runaway() {
    let dispatcher = start(1, Duration::from_millis(100));
    let abend = in_task(&dispatcher, |task| {
        let abend = abend_of(call("call", [asking_helper as *const () as usize, 0, 0, 0]));
        assert_eq!(task.attention(), 0, "it was delivered");
        abend
    });
    assert_eq!((abend.code_text(), abend.kind, abend.value), ("AICA", AbendKind::Runaway, 0));
    assert!(abend.trap.is_some_and(|trap| trap.interrupt == Interrupt::Stopped && trap.in_run_time && trap.code_id == 4711));
    // A gate asks for the abend and raises it itself.
    let abend = in_task(&dispatcher, |_| {
        let word = unsafe { &*guard::attention_word() };
        assert!(guard::pending_stop().is_none());
        while word.load(Ordering::SeqCst) & attention::STOPS == 0 {}
        guard::pending_stop().map(|departure| abend_of(Err(departure))).expect("a stop is pending")
    });
    assert_eq!((abend.code_text(), abend.kind), ("AICA", AbendKind::Runaway));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn force_purge_stops_a_looping_program() {
    let dispatcher = start(1, Duration::ZERO);
    let result = Arc::new(Mutex::new(None));
    let stored = result.clone();
    let request = AttachRequest::new("PRGL", move |task| {
        let abend = abend_of(call("loop", [0; 4]));
        *stored.lock().unwrap() = Some(abend.kind);
        // The purge has been delivered: waits of abend processing go on.
        task.delay(&Wait::new("USERWAIT"), Duration::from_millis(1));
        assert_eq!((task.attention(), task.take_purge()), (0, None));
    });
    let task = dispatcher.attach(request).unwrap();
    while task.state() != RunState::Running {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(task.purge(Purge::Purge), "noted for the next wait");
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(task.state(), RunState::Running);
    assert!(task.purge(Purge::ForcePurge));
    // The signal may hit the moment before the program runs; the operator tries again.
    while !task.join(Duration::from_millis(50)) {
        task.purge(Purge::ForcePurge);
    }
    assert!(!task.has_panicked());
    assert_eq!(*result.lock().unwrap(), Some(AbendKind::Purged(Purge::ForcePurge)));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
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

/// Runs this test binary again for one test, and returns how it ended and what it wrote.
fn run_again(test: &str) -> (std::process::ExitStatus, String) {
    let output =
        std::process::Command::new(std::env::current_exe().unwrap()).args(["--exact", test, "--nocapture", "--ignored"]).output().unwrap();
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_fault_of_the_region_dumps_and_ends_the_process() {
    use std::os::unix::process::ExitStatusExt;
    let (status, text) = run_again("fault_in_the_run_time");
    assert_eq!(status.signal(), Some(libc::SIGSEGV), "{text}");
    assert!(text.contains("fault in the region: signal 11") && text.contains("address 58"), "{text}");
    assert!(text.contains("hook saw 58") && text.contains("rax="), "{text}");
    let (status, text) = run_again("fault_with_a_lock_held");
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
