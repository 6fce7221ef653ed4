//! Guarded calls, traps and runaway detection with small machine code programs, on tasks and on plain threads.
#![cfg(target_arch = "x86_64")]

mod run_time;
mod runaway;
mod stack;
mod traps;

use kernel::guard::{self, CodeRange, GuardedFunction};
use kernel::{Abend, AbendKind, AttachRequest, Config, Departure, Dispatcher, Trap, guarded_call};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

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
