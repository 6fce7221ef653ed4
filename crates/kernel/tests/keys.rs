//! Storage keys, with small machine code programs. Where the processor has keys (as in the machine that tests/keys boots), programs in user
//! key can write user-key storage only. Without keys the same tests check the fallback: programs run in CICS key, and only read-only
//! storage is protected.
#![cfg(target_arch = "x86_64")]

use kernel::guard::{self, CodeRange};
use kernel::storage::{Dsa, Getmain, Key, Line, Storage, StorageConfig, key_at};
use kernel::{
    Abend, AbendKind, AttachRequest, Config, Departure, Dispatcher, Interrupt, Stop, Subspace, Task, Trap, UserMemory, guarded_call, keys,
};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(120);
const CODE_ID: u64 = 815;

/// Programs, each at a multiple of 64 bytes of one mapped page. Arguments come in rdi, rsi, rdx.
const PROGRAMS: [(&str, &[u8]); 7] = [
    // mov rax, [rdi]; ret
    ("load", &[0x48, 0x8B, 0x07, 0xC3]),
    // mov [rdi], rsi; ret
    ("store", &[0x48, 0x89, 0x37, 0xC3]),
    // nop; ud2
    ("ud2", &[0x90, 0x0F, 0x0B]),
    // jmp self
    ("loop", &[0xEB, 0xFE]),
    // sub rsp, 8; call self; ret
    ("recurse", &[0x48, 0x83, 0xEC, 0x08, 0xE8, 0xF7, 0xFF, 0xFF, 0xFF, 0xC3]),
    // mov rax, rdi; again: dec rax; jnz again; ret
    ("count", &[0x48, 0x89, 0xF8, 0x48, 0xFF, 0xC8, 0x75, 0xFB, 0xC3]),
    // push rbx; mov rbx, rdx; mov rax, rdi; mov rdi, rsi; call rax; mov [rbx], rbx; pop rbx; ret : calls a helper, then stores
    ("call and store", &[0x53, 0x48, 0x89, 0xD3, 0x48, 0x89, 0xF8, 0x48, 0x89, 0xF7, 0xFF, 0xD0, 0x48, 0x89, 0x1B, 0x5B, 0xC3]),
];

struct Programs {
    base: usize,
    _range: CodeRange,
}

fn program(name: &str) -> usize {
    static PAGE: OnceLock<Programs> = OnceLock::new();
    let programs = PAGE.get_or_init(|| unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let page = libc::mmap(std::ptr::null_mut(), 4096, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
        assert_ne!(page, libc::MAP_FAILED);
        for (index, (_, code)) in PROGRAMS.iter().enumerate() {
            std::ptr::copy_nonoverlapping(code.as_ptr(), (page as *mut u8).add(index * 64), code.len());
        }
        assert_eq!(libc::mprotect(page, 4096, libc::PROT_READ | libc::PROT_EXEC), 0);
        Programs { base: page as usize, _range: guard::register_code(page as usize, 4096, CODE_ID) }
    });
    programs.base + PROGRAMS.iter().position(|(known, _)| *known == name).unwrap() * 64
}

/// What the system reports about its processor, independent of the kernel's probe.
fn machine_has_keys() -> bool {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    processors.lines().any(|line| line.starts_with("flags") && line.split_whitespace().any(|flag| flag == "ospke"))
}

/// Storage, and after it the dispatcher, as a region starts them.
fn start(workers: usize, runaway: Duration) -> (Storage, Dispatcher) {
    let storage = Storage::start(StorageConfig::default()).unwrap();
    let dispatcher = Dispatcher::start(Config { workers, runaway, stack_bytes: 64 * 1024, ..Config::default() }).unwrap();
    (storage, dispatcher)
}

/// Runs the work as a task and returns what it returns.
fn in_task<R: Send + 'static>(dispatcher: &Dispatcher, work: impl FnOnce(&Task) -> R + Send + 'static) -> R {
    let result = Arc::new(Mutex::new(None));
    let stored = result.clone();
    let task = dispatcher.attach(AttachRequest::new("KEY1", move |task| *stored.lock().unwrap() = Some(work(task)))).unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    let result = result.lock().unwrap().take();
    result.unwrap()
}

/// The entry of a user-key program, as the run unit's.
unsafe extern "C" fn enter_program(program: usize, a: usize, b: usize, c: usize) -> u64 {
    let program: extern "C" fn(usize, usize, usize) -> u64 = unsafe { std::mem::transmute(program) };
    if !kernel::can_enter_user_key() {
        return program(a, b, c);
    }
    unsafe { keys::enter_user_key() };
    let value = program(a, b, c);
    unsafe { keys::enter_cics_key() };
    value
}

/// Runs a program in user key, if there are keys; however it ends, the task is in CICS key afterwards.
fn in_user_key(name: &str, arguments: [usize; 3]) -> Result<u64, Departure> {
    let [a, b, c] = arguments;
    let ended = unsafe { guarded_call(enter_program, [program(name), a, b, c]) };
    assert!(!keys::is_user_key());
    ended
}

fn in_cics_key(name: &str, arguments: [usize; 3]) -> Result<u64, Departure> {
    let [a, b, c] = arguments;
    let program = unsafe { std::mem::transmute::<usize, guard::GuardedFunction>(program(name)) };
    unsafe { guarded_call(program, [a, b, c, 0]) }
}

fn abend_of(ended: Result<u64, Departure>) -> Box<Abend> {
    match ended {
        Err(Departure::Abend(abend)) => abend,
        other => panic!("no abend: {other:?}"),
    }
}

/// The trap of a store that a key refused: 0C4 at the program's instruction.
fn assert_refused(ended: Result<u64, Departure>, address: usize, what: &str) {
    let abend = abend_of(ended);
    let trap: Trap = abend.trap.unwrap();
    assert_eq!((abend.kind, abend.code_text()), (AbendKind::Trap, "ASRA"), "{what}");
    assert_eq!((trap.interrupt, trap.address, trap.protection_key), (Interrupt::Protection, address, true), "{what}");
    assert_eq!(trap.code_id, CODE_ID, "{what}");
}

fn word_at(address: usize) -> u64 {
    unsafe { (address as *const u64).read_volatile() }
}

#[test]
fn the_region_knows_whether_the_machine_has_keys() {
    let (storage, dispatcher) = start(1, Duration::ZERO);
    assert_eq!(storage.is_protected(), machine_has_keys());
    assert_eq!(keys::is_available(), machine_has_keys());
    assert_eq!(storage.statistics().protection, machine_has_keys());
    let unprotected = Storage::start(StorageConfig { protection: false, ..StorageConfig::default() }).unwrap();
    assert!(!unprotected.is_protected(), "STGPROT=NO");
    assert!(!kernel::can_enter_user_key(), "outside tasks the stack is not in user key");
    assert_eq!(in_task(&dispatcher, |_| kernel::can_enter_user_key()), machine_has_keys());
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// An area of every kind of storage: its name, its address, and whether user key may write it.
fn areas(storage: &Storage) -> Vec<(&'static str, usize, bool)> {
    let mut task = storage.task(1);
    let mut areas = Vec::new();
    for line in [Line::Below16M, Line::Below2G, Line::Above] {
        for key in [Key::Cics, Key::User] {
            let request = Getmain { length: 64, line, key, initial: Some(0x40) };
            let (own, shared) = (task.getmain(request).unwrap(), storage.getmain_shared(request).unwrap());
            assert_eq!((key_at(own), key_at(shared)), (Some(key), Some(key)));
            let dsa = storage.dsa_at(own).unwrap();
            assert_eq!((dsa.line(), dsa.key()), (line, key));
            areas.push((dsa.name(), own, key == Key::User));
            areas.push((storage.dsa_at(shared).unwrap().name(), shared, key == Key::User));
        }
    }
    std::mem::forget(task);
    static CONTROL: AtomicU64 = AtomicU64::new(0x4040_4040_4040_4040);
    let heap = Box::leak(Box::new([0x40u8; 64]));
    let frame = Box::leak(Box::new(UserMemory::zeroed(64)));
    areas.push(("the region's control storage", CONTROL.as_ptr() as usize, false));
    areas.push(("the heap", heap.as_mut_ptr() as usize, false));
    areas.push(("a frame", frame.as_ptr() as usize, true));
    areas
}

#[test]
fn user_key_programs_read_all_and_write_user_key_storage_only() {
    let (storage, dispatcher) = start(2, Duration::ZERO);
    for (name, address, is_user) in areas(&storage) {
        let before = word_at(address);
        in_task(&dispatcher, move |_| {
            assert_eq!(in_user_key("load", [address, 0, 0]).unwrap(), before, "reading {name}");
            let ended = in_user_key("store", [address, 0x1234, 0]);
            if machine_has_keys() && !is_user {
                assert_refused(ended, address, name);
                assert_eq!(word_at(address), before, "{name} is unchanged");
            } else {
                ended.unwrap();
                assert_eq!(word_at(address), 0x1234, "{name}");
            }
            in_cics_key("store", [address, 0x5678, 0]).unwrap();
            assert_eq!(word_at(address), 0x5678, "CICS key writes {name}");
        });
    }
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn read_only_storage_is_written_in_no_key() {
    let (storage, dispatcher) = start(1, Duration::ZERO);
    let data = storage.map_data(b"constants of a program").unwrap();
    let address = data.address;
    assert_eq!(storage.dsa_at(address), Some(Dsa::Erdsa));
    in_task(&dispatcher, move |_| {
        for ended in [in_user_key("store", [address, 1, 0]), in_cics_key("store", [address, 1, 0])] {
            let trap = abend_of(ended).trap.unwrap();
            assert_eq!((trap.interrupt, trap.address), (Interrupt::Protection, address));
        }
        assert_eq!(&word_at(address).to_le_bytes(), b"constant");
    });
    // RENTPGM=NOPROTECT: the storage is in CICS key.
    let open = Storage::start(StorageConfig { protect_reentrant: false, ..StorageConfig::default() }).unwrap();
    let data = open.map_data(b"constants of a program").unwrap();
    let address = data.address;
    in_task(&dispatcher, move |_| {
        let ended = in_user_key("store", [address, 1, 0]);
        if machine_has_keys() {
            assert_refused(ended, address, "ERDSA")
        } else {
            assert!(ended.is_ok())
        }
        in_cics_key("store", [address, 2, 0]).unwrap();
        assert_eq!(word_at(address), 2);
    });
    // After their return the pages are plain storage again.
    drop(data);
    let subpool = open.subpool(kernel::Name8::new("TESTRDSA"), Dsa::Erdsa);
    let element = subpool.getmain(64).unwrap();
    unsafe { (element as *mut u64).write_volatile(3) };
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

static COMMANDS: AtomicU32 = AtomicU32::new(0);

/// A gate: in CICS key it writes the region's storage and switches the task off, perhaps to another thread; then back.
unsafe extern "C" fn gate(area: usize) -> u64 {
    let keyed = keys::is_available();
    if keyed {
        assert!(keys::is_user_key(), "the gate is called in the program's key");
        unsafe { keys::enter_cics_key() };
    }
    let run_time = guard::RunTime::enter();
    COMMANDS.fetch_add(1, Ordering::Relaxed);
    unsafe { (area as *mut u64).write_volatile(7) };
    let switched = kernel::with_current(|task| {
        for _ in 0..20 {
            task.relinquish();
            assert!(!keys::is_user_key(), "a resumed task is in the key it suspended in");
        }
    });
    assert!(switched.is_some());
    drop(run_time);
    if keyed {
        unsafe { keys::enter_user_key() };
    }
    0
}

#[test]
fn gates_run_in_cics_key_and_return_to_the_programs_key() {
    let (storage, dispatcher) = start(3, Duration::ZERO);
    let mut tasks = Vec::new();
    let wrong = Arc::new(AtomicU32::new(0));
    for number in 0..8 {
        let mut own = storage.task(number + 10);
        let cics = own.getmain(Getmain { key: Key::Cics, ..Getmain::user(64) }).unwrap();
        let user = own.getmain(Getmain::user(64)).unwrap();
        let wrong = wrong.clone();
        let request = AttachRequest::new("GATE", move |_| {
            for _ in 0..20 {
                in_user_key("call and store", [gate as *const () as usize, cics, user]).unwrap();
                assert_eq!((word_at(cics), word_at(user)), (7, user as u64));
                // After the gate the program is in its own key again.
                let refused = in_user_key("call and store", [gate as *const () as usize, cics, cics]).is_err();
                wrong.fetch_add(u32::from(refused != machine_has_keys()), Ordering::SeqCst);
            }
            drop(own);
        });
        tasks.push(dispatcher.attach(request).unwrap());
    }
    assert!(tasks.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    assert_eq!((wrong.load(Ordering::SeqCst), COMMANDS.load(Ordering::SeqCst)), (0, 8 * 20 * 2));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// A light helper: runs in the key of the program that called it.
unsafe extern "C" fn light_helper(address: usize) -> u64 {
    unsafe { (address as *mut u64).write_volatile(1) };
    0
}

#[test]
fn a_light_helper_may_write_what_its_program_may() {
    let (storage, dispatcher) = start(1, Duration::ZERO);
    let mut task = storage.task(5);
    let cics = task.getmain(Getmain { key: Key::Cics, initial: Some(0), ..Getmain::user(64) }).unwrap();
    let user = task.getmain(Getmain::user(64)).unwrap();
    let helper = light_helper as *const () as usize;
    in_task(&dispatcher, move |_| {
        in_user_key("call and store", [helper, user, user]).unwrap();
        let ended = in_user_key("call and store", [helper, cics, user]);
        if machine_has_keys() {
            let abend = abend_of(ended);
            let trap = abend.trap.unwrap();
            assert_eq!((abend.kind, trap.in_run_time, trap.protection_key, trap.address), (AbendKind::Trap, true, true, cics));
            assert_eq!((trap.code_id, word_at(cics)), (CODE_ID, 0));
        } else {
            ended.unwrap();
        }
    });
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn every_way_out_of_a_user_key_program_leads_to_cics_key() {
    let (storage, dispatcher) = start(1, Duration::from_millis(300));
    let mut task = storage.task(6);
    let cics = task.getmain(Getmain { key: Key::Cics, ..Getmain::user(64) }).unwrap();
    in_task(&dispatcher, move |_| {
        for _ in 0..3 {
            assert_eq!(abend_of(in_user_key("ud2", [0; 3])).trap.unwrap().interrupt, Interrupt::Illegal);
            assert_eq!(abend_of(in_user_key("store", [0x18, 0, 0])).trap.unwrap().address, 0x18);
            assert_eq!(abend_of(in_user_key("recurse", [0; 3])).kind, AbendKind::StackOverflow);
            assert_eq!(abend_of(in_user_key("loop", [0; 3])).kind, AbendKind::Runaway);
            in_cics_key("store", [cics, 9, 0]).unwrap();
        }
    });
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// Threads of this process that are workers by their name.
fn worker_threads() -> Vec<i32> {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let is_worker =
        |entry: &std::fs::DirEntry| std::fs::read_to_string(entry.path().join("comm")).is_ok_and(|name| name.starts_with("worker-"));
    threads.filter(is_worker).filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

#[test]
fn the_system_interrupts_user_key_programs_without_harm() {
    extern "C" fn handle(_: i32) {
        RECEIVED.fetch_add(1, Ordering::SeqCst);
    }
    static RECEIVED: AtomicU32 = AtomicU32::new(0);
    // A foreign handler, on the stack of the thread it interrupts.
    unsafe { libc::signal(libc::SIGUSR1, handle as *const () as usize) };
    let (_storage, dispatcher) = start(4, Duration::ZERO);
    let ended = Arc::new(AtomicBool::new(false));
    // More threads than processors: the programs are preempted, and moved between processors.
    let stop = ended.clone();
    let rivals: Vec<_> = (0..4)
        .map(|_| {
            let stop = stop.clone();
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        })
        .collect();
    let count = |_: &Task| in_user_key("count", [100_000_000, 0, 0]).unwrap();
    let requests: Vec<_> =
        (0..4).map(|_| dispatcher.attach(AttachRequest::new("CNTR", move |task| assert_eq!(count(task), 0))).unwrap()).collect();
    let mut sent = 0;
    while !requests.iter().all(|task| task.join(Duration::from_millis(2))) {
        unsafe { libc::kill(libc::getpid(), libc::SIGUSR1) };
        for worker in worker_threads() {
            unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), worker, libc::SIGUSR1) };
        }
        sent += 1;
        assert!(sent < 100_000, "the programs do not end");
    }
    ended.store(true, Ordering::Relaxed);
    rivals.into_iter().for_each(|rival| rival.join().unwrap());
    assert!(requests.iter().all(|task| !task.has_panicked()));
    assert!(RECEIVED.load(Ordering::SeqCst) > 0);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn threads_of_others_reach_user_key_storage() {
    let (storage, dispatcher) = start(1, Duration::ZERO);
    let address = storage.getmain_shared(Getmain { initial: Some(0x40), ..Getmain::user(64) }).unwrap();
    let read = std::thread::spawn(move || {
        if machine_has_keys() {
            // The rights the system gives a process at its start: key 0 only.
            const DEFAULT_RIGHTS: u32 = 0x5555_5554;
            unsafe { core::arch::asm!("wrpkru", in("eax") DEFAULT_RIGHTS, in("ecx") 0, in("edx") 0, options(nostack)) };
        }
        let before = word_at(address);
        unsafe { (address as *mut u64).write_volatile(5) };
        before
    });
    assert_eq!((read.join().unwrap(), word_at(address)), (0x4040_4040_4040_4040, 5));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// The entry of a user-key program with a subspace, as the run unit's.
unsafe extern "C" fn enter_isolated(program: usize, a: usize, b: usize, subspace: usize) -> u64 {
    let program: extern "C" fn(usize, usize) -> u64 = unsafe { std::mem::transmute(program) };
    let subspace = unsafe { &*(subspace as *const Subspace) };
    unsafe { subspace.enter_user_key() };
    let value = program(a, b);
    unsafe { subspace.enter_cics_key() };
    value
}

fn isolated(subspace: &Subspace, name: &str, address: usize, value: usize) -> Result<u64, Departure> {
    let ended = unsafe { guarded_call(enter_isolated, [program(name), address, value, subspace as *const Subspace as usize]) };
    unsafe { subspace.enter_cics_key() };
    assert!(!keys::is_user_key());
    ended
}

#[test]
fn only_a_machine_with_keys_isolates() {
    let (_storage, dispatcher) = start(1, Duration::ZERO);
    assert_eq!(kernel::can_isolate(), machine_has_keys());
    assert_eq!(Subspace::unique().is_some(), machine_has_keys());
    assert_eq!(Subspace::common().is_some(), machine_has_keys());
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// Storage of a task in each DSA that isolation concerns, in small and in big elements.
fn isolated_storage(storage: &Storage, number: u32, subspace: &Subspace, lines: &[Line]) -> (kernel::storage::TaskStorage, Vec<usize>) {
    let mut own = storage.task(number);
    own.isolate(subspace.clone());
    let mut addresses = Vec::new();
    for &line in lines {
        for length in [64, 100_000] {
            let address = own.getmain(Getmain { line, initial: Some(0x40), ..Getmain::user(length) }).unwrap();
            assert!(subspace.contains(address));
            addresses.push(address);
        }
    }
    (own, addresses)
}

#[test]
fn an_isolated_program_reaches_its_own_and_shared_storage() {
    let (storage, dispatcher) = start(2, Duration::ZERO);
    let (Some(one), Some(other), Some(common)) = (Subspace::unique(), Subspace::unique(), Subspace::common()) else {
        assert!(!machine_has_keys());
        return;
    };
    let (_one, of_one) = isolated_storage(&storage, 21, &one, &[Line::Below16M, Line::Below2G]);
    let (_other, of_other) = isolated_storage(&storage, 22, &other, &[Line::Below16M, Line::Below2G]);
    let (_common, of_common) = isolated_storage(&storage, 23, &common, &[Line::Below16M, Line::Below2G]);
    let (_second, of_second) = isolated_storage(&storage, 24, &common, &[Line::Below16M, Line::Below2G]);
    let shared = storage.getmain_shared(Getmain::user(64)).unwrap();
    let cics = storage.getmain_shared(Getmain { key: Key::Cics, initial: Some(0x40), ..Getmain::user(64) }).unwrap();
    in_task(&dispatcher, move |_| {
        let reached = [
            (&one, vec![of_one.clone()], vec![of_other.clone(), of_common.clone()]),
            (&other, vec![of_other.clone()], vec![of_one.clone(), of_second.clone()]),
            (&common, vec![of_common.clone(), of_second.clone()], vec![of_one.clone(), of_other.clone()]),
        ];
        for _ in 0..3 {
            for (subspace, own, foreign) in &reached {
                for &address in own.iter().flatten().chain([&shared]) {
                    isolated(subspace, "store", address, 0x11).unwrap();
                    assert_eq!(isolated(subspace, "load", address, 0).unwrap(), 0x11);
                }
                for &address in foreign.iter().flatten() {
                    assert_refused(isolated(subspace, "load", address, 0), address, "reading another task's storage");
                    assert_refused(isolated(subspace, "store", address, 1), address, "writing another task's storage");
                }
                isolated(subspace, "load", cics, 0).unwrap();
                assert_refused(isolated(subspace, "store", cics, 1), cics, "CICS key");
            }
        }
        // CICS key is the base space: everything.
        for &address in of_one.iter().chain(&of_other).chain(&of_common) {
            in_cics_key("store", [address, 5, 0]).unwrap();
        }
    });
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn more_tasks_than_keys_stay_isolated() {
    let (storage, dispatcher) = start(4, Duration::ZERO);
    let spaces: Option<Vec<Subspace>> = (0..40).map(|_| Subspace::unique()).collect();
    let Some(spaces) = spaces else {
        assert!(!machine_has_keys());
        return;
    };
    let mut places = Vec::new();
    let mut kept = Vec::new();
    for (number, subspace) in (0u32..).zip(&spaces) {
        let (own, addresses) = isolated_storage(&storage, 100 + number, subspace, &[Line::Below2G]);
        kept.push(own);
        places.push(addresses[0]);
    }
    let wrong = Arc::new(AtomicU32::new(0));
    let tasks: Vec<_> = (0..spaces.len())
        .map(|at| {
            let (subspace, own, foreign) = (spaces[at].clone(), places[at], places[(at + 7) % places.len()]);
            let (wrong, storage) = (wrong.clone(), storage.clone());
            let request = AttachRequest::new("ISOL", move |task| {
                for round in 0..15usize {
                    let stored = isolated(&subspace, "store", own, at << 8 | round).is_ok();
                    task.relinquish();
                    let kept = isolated(&subspace, "load", own, 0).is_ok_and(|value| value == (at << 8 | round) as u64);
                    let refused = isolated(&subspace, "load", foreign, 0).is_err();
                    // Storage got while the key may be with another task.
                    let mut more = storage.task(1000 + at as u32);
                    more.isolate(subspace.clone());
                    let fresh = more.getmain(Getmain::user(1000)).unwrap();
                    let fresh_stored = isolated(&subspace, "store", fresh, 1).is_ok();
                    wrong.fetch_add(u32::from(!(stored && kept && refused && fresh_stored)), Ordering::SeqCst);
                }
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    assert!(tasks.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    assert_eq!(wrong.load(Ordering::SeqCst), 0);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn a_key_that_changes_hands_takes_no_storage_with_it() {
    let (storage, dispatcher) = start(1, Duration::ZERO);
    let spaces: Option<Vec<Subspace>> = (0..30).map(|_| Subspace::unique()).collect();
    let Some(spaces) = spaces else {
        assert!(!machine_has_keys());
        return;
    };
    in_task(&dispatcher, move |_| {
        let (mut owners, mut places) = (Vec::new(), Vec::new());
        for (number, subspace) in (0u32..).zip(&spaces) {
            let (own, addresses) = isolated_storage(&storage, 200 + number, subspace, &[Line::Below2G]);
            owners.push(own);
            places.push(addresses[0]);
        }
        let enter_all = |places: &[usize]| {
            for (at, subspace) in spaces.iter().enumerate() {
                isolated(subspace, "store", places[at], at).unwrap();
            }
        };
        // Each has had a key, and most have lost it to another subspace.
        enter_all(&places);
        // Storage got by a task that has no key just then.
        let fresh: Vec<usize> = owners.iter_mut().map(|own| own.getmain(Getmain::user(40_000)).unwrap()).collect();
        for (at, subspace) in spaces.iter().enumerate() {
            for other in (0..spaces.len()).filter(|&other| other != at) {
                assert_refused(isolated(subspace, "load", places[other], 0), places[other], "storage whose key was lent on");
                assert_refused(isolated(subspace, "load", fresh[other], 0), fresh[other], "storage got without a key");
            }
        }
        enter_all(&fresh);
        for (at, subspace) in spaces.iter().enumerate() {
            assert_eq!(isolated(subspace, "load", places[at], 0).unwrap(), at as u64);
        }
    });
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}
