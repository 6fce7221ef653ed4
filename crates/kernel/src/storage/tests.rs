//! Storage manager tests: bounds, violations, limits, reuse, waits, code mapping.
//!
//! `unsafe` here reads and writes storage by guarded copies, at addresses that these tests have obtained.

use super::*;
use crate::dispatcher::{AttachRequest, Config, Dispatcher, Stop};
use crate::inquire::RunState;
use crate::wait::Wait;
use std::io::Write;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(30);

fn storage() -> Storage {
    Storage::start(StorageConfig::default()).unwrap()
}

fn request(length: usize, line: Line, key: Key) -> Getmain {
    Getmain { length, line, key, initial: None }
}

fn poke(address: usize, byte: u8) {
    unsafe { crate::traps::guard::copy_out(&[byte], address) }.unwrap();
}

fn peek(address: usize) -> u8 {
    let mut byte = [0];
    unsafe { crate::traps::guard::copy_in(address, &mut byte) }.unwrap();
    byte[0]
}

fn dsa(storage: &Storage, dsa: Dsa) -> DsaStatistics {
    storage.statistics().dsas[dsa as usize]
}

#[test]
fn task_storage_is_in_the_requested_dsa() {
    let storage = storage();
    let mut task = storage.task(17);
    for (line, low, high) in
        [(Line::Below16M, 0x10000, 0x100_0000), (Line::Below2G, 0x100_0000, 0x8000_0000), (Line::Above, 0x8000_0000, usize::MAX)]
    {
        for key in [Key::Cics, Key::User] {
            for length in [1, 15, 16, 17, 4000, 20_000, 100_000] {
                let address = task.getmain(Getmain { initial: Some(0x40), ..request(length, line, key) }).unwrap();
                assert!(address >= low && address + length <= high && address.is_multiple_of(16));
                assert_eq!((peek(address), peek(address + length - 1)), (0x40, 0x40));
                assert_eq!(task.length(address), Some(length));
                assert_eq!(task.find(address + length - 1), Some((address, length)));
            }
        }
    }
    assert_eq!(task.elements().len(), 42);
    assert_eq!(task.figures().len(), 6);
    assert_eq!(task.end(), []);
    assert!(task.elements().is_empty());
    assert!(storage.statistics().dsas.iter().all(|dsa| dsa.used == 0), "{:?}", storage.statistics().dsas);
}

#[test]
fn elements_do_not_overlap_and_are_reused() {
    let storage = storage();
    let mut task = storage.task(1);
    let mut live: Vec<(usize, usize, u8)> = Vec::new();
    let mut numbers = testing::Random::new(12345);
    for step in 0..5000u32 {
        let random = (numbers.number() >> 33) as usize;
        if live.len() > 40 || (random.is_multiple_of(3) && !live.is_empty()) {
            let (address, length, byte) = live.swap_remove(random % live.len());
            assert!((0..length).step_by(7).all(|offset| peek(address + offset) == byte), "step {step}");
            assert_eq!(task.freemain(address), Ok(length));
        } else {
            let length = 1 + random % 3000;
            let byte = step as u8;
            let address = task.getmain(Getmain { initial: Some(byte), ..Getmain::user(length) }).unwrap();
            assert!(live.iter().all(|&(start, size, _)| address + length <= start || start + size <= address));
            live.push((address, length, byte));
        }
    }
    assert_eq!(task.end(), []);
}

#[test]
fn bad_requests_are_refused() {
    let storage = storage();
    let mut task = storage.task(1);
    assert_eq!(task.getmain(Getmain::user(0)), Err(StorageError::Length));
    assert_eq!(task.getmain(request(6 << 20, Line::Below16M, Key::User)), Err(StorageError::Length));
    let address = task.getmain(Getmain::user(32)).unwrap();
    assert_eq!(task.freemain(address + 16), Err(StorageError::NotOwned));
    assert_eq!(storage.task(2).freemain(address), Err(StorageError::NotOwned));
    assert_eq!(task.freemain(address), Ok(32));
    assert_eq!(task.freemain(address), Err(StorageError::NotOwned));
}

#[test]
fn overwritten_zones_are_violations() {
    let storage = storage();
    let mut task = storage.task(123);
    let addresses: Vec<_> = (0..4).map(|_| task.getmain(Getmain::user(20)).unwrap()).collect();
    // The rounding slack behind the data is not a violation; the zones are.
    poke(addresses[0] + 31, 0xFF);
    poke(addresses[1] + 32, 0xFF);
    poke(addresses[2] - 1, 0xFF);
    assert_eq!(task.check().len(), 2);
    assert_eq!(task.freemain(addresses[0]), Ok(20));
    let Err(StorageError::Violation(violation)) = task.freemain(addresses[1]) else { panic!() };
    assert_eq!((violation.task_number, violation.subpool.as_str()), (123, "U0000123"));
    assert_eq!((violation.address, violation.length, violation.trailing[0]), (addresses[1], 20, 0xFF));
    assert_eq!(violation.expected, [0xE4, 0xF0, 0xF0, 0xF0, 0xF0, 0xF1, 0xF2, 0xF3]);
    assert_ne!(task.getmain(Getmain::user(20)).unwrap(), addresses[1], "a damaged element is not reused");
    let at_end = task.end();
    assert_eq!(at_end.len(), 1);
    assert_eq!((at_end[0].address, at_end[0].leading[7]), (addresses[2], 0xFF));
    assert_eq!(dsa(&storage, Dsa::Eudsa).violations, 2);
}

/// User-key storage that tasks share is in an area of its own on each line.
#[test]
fn shared_storage_is_in_the_shared_areas() {
    let storage = storage();
    for (line, of) in [(Line::Below16M, Dsa::Sdsa), (Line::Below2G, Dsa::Esdsa), (Line::Above, Dsa::Gsdsa)] {
        let elements = || -> u64 {
            let pools = storage.statistics().subpools;
            pools.iter().filter(|pool| pool.dsa == of && pool.name.as_str().starts_with("SMSHR")).map(|pool| pool.figures.elements).sum()
        };
        assert_eq!(elements(), 0, "{of:?}");
        let address = storage.getmain_shared(request(100, line, Key::User)).unwrap();
        assert_eq!(elements(), 1, "{of:?}");
        assert_eq!(storage.freemain_shared(address), Ok(100));
        assert_eq!(elements(), 0, "{of:?}");
    }
}

#[test]
fn shared_storage_outlives_tasks() {
    let storage = storage();
    let address = storage.getmain_shared(Getmain { initial: Some(1), ..Getmain::user(100) }).unwrap();
    let low = storage.getmain_shared(request(100, Line::Below16M, Key::Cics)).unwrap();
    drop(storage.task(5));
    assert_eq!(peek(address + 99), 1);
    assert_eq!(storage.freemain_shared(low), Ok(100));
    assert_eq!(storage.freemain_shared(address), Ok(100));
    assert_eq!(storage.freemain_shared(address), Err(StorageError::NotOwned));
    let pool = storage.statistics().subpools.into_iter().find(|pool| pool.name.as_str() == "SMSHRU31").unwrap();
    assert_eq!((pool.dsa, pool.figures.getmains, pool.figures.elements), (Dsa::Esdsa, 1, 0));
}

#[test]
fn named_subpools_count() {
    let storage = storage();
    let pool = storage.subpool("TSBUFFRS".into(), Dsa::Ecdsa);
    let address = pool.getmain(200).unwrap();
    assert_eq!(storage.subpool("TSBUFFRS".into(), Dsa::Ecdsa).statistics().figures.bytes, 200);
    assert_eq!(pool.freemain(address), Ok(200));
    assert_eq!(pool.statistics().figures.peak_bytes, 200);
}

/// With transaction isolation, a user-key task takes a megabyte at a time (Performance Guide, "Page and extent sizes").
#[test]
fn isolated_tasks_take_storage_by_the_megabyte() {
    for (isolated, extent, page) in [(false, 256 << 10, 64 << 10), (true, 1 << 20, 1 << 20)] {
        let storage = Storage(Arc::new(Manager::new(&StorageConfig::default(), isolated, isolated)));
        assert_eq!(storage.is_isolated(), isolated);
        let mut tasks = [storage.task(1), storage.task(2)];
        for task in &mut tasks {
            task.getmain(request(16, Line::Below16M, Key::User)).unwrap();
            task.getmain(Getmain::user(16)).unwrap();
        }
        let (below, above) = (dsa(&storage, Dsa::Udsa), dsa(&storage, Dsa::Eudsa));
        assert_eq!((below.size, below.used, below.extents), (extent, 8 << 10, 1), "{isolated}");
        assert_eq!((below.units.extent_bytes, below.units.page_bytes), (extent, 4 << 10), "{isolated}");
        assert_eq!((above.used, above.units.page_bytes, above.units.extent_bytes), (2 * page, page, 1 << 20), "{isolated}");
        assert_eq!(dsa(&storage, Dsa::Ecdsa).units, Dsa::Ecdsa.units(false));
    }
}

#[test]
fn task_subpools_count_the_storage_of_all_tasks() {
    let storage = storage();
    let (mut ended, mut live) = (storage.task(1), storage.task(2));
    ended.getmain(Getmain::user(100)).unwrap();
    ended.getmain(Getmain::user(3 << 20)).unwrap();
    ended.end();
    let kept = live.getmain(Getmain::user(200)).unwrap();
    live.getmain(Getmain::user(300)).unwrap();
    live.freemain(kept).unwrap();
    let elements = live.shared_elements();
    let read = |peaks| storage.task_subpools([&elements].into_iter(), peaks).into_iter().find(|of| of.dsa == Dsa::Eudsa).unwrap();
    let figures = read(Peaks::Begin);
    assert_eq!((figures.getmains, figures.freemains, figures.elements, figures.bytes), (4, 3, 1, 300));
    assert_eq!(figures.page_bytes, 64 << 10);
    assert!(figures.page_peak_bytes > 3 << 20, "{figures:?}");
    assert_eq!(read(Peaks::Keep).page_peak_bytes, 64 << 10, "the interval has begun");
    live.end();
    let none = storage.task_subpools([].into_iter(), Peaks::Keep);
    assert!(none.iter().all(|of| of.page_bytes == 0 && of.elements == 0), "{none:?}");
    assert_eq!(none.iter().map(|of| of.dsa).collect::<Vec<_>>(), TASK_DSAS);
}

#[test]
fn data_of_the_region_is_kept_in_a_subpool() {
    let storage = storage();
    let subpool = storage.subpool("TSMAIN".into(), Dsa::Gcdsa);
    let stored = subpool.store(b"some data").unwrap();
    let mut read = b"and ".to_vec();
    stored.append_to(&mut read);
    assert_eq!((read.as_slice(), stored.length()), (&b"and some data"[..], 9));
    assert_eq!((subpool.statistics().figures.bytes, subpool.statistics().dsa), (9, Dsa::Gcdsa));
    assert!(matches!(subpool.store(&[]), Err(StorageError::Length)));
    drop(stored);
    assert_eq!((subpool.statistics().figures.elements, subpool.statistics().figures.peak_bytes), (0, 9));
}

/// EDSALIM with extents of a megabyte, MEMLIMIT with extents of sixteen: what is asked for beyond makes the line short on storage, until
/// some is given back, and no other line.
#[test]
fn each_line_has_a_limit_of_its_own() {
    for (line, extent, dsa) in [(Line::Below2G, 1 << 20, Dsa::Eudsa), (Line::Above, 16 << 20, Dsa::Gudsa)] {
        let limit = 8 * extent;
        let mut config = StorageConfig::default();
        *(if line == Line::Below2G { &mut config.edsa_limit } else { &mut config.memory_limit }) = limit as u64;
        let storage = Storage::start(config).unwrap();
        let before = storage.statistics().lines[line as usize];
        assert_eq!((before.limit, before.times_short), (limit, 0), "{line:?}");
        let mut task = storage.task(1);
        let large = request(extent - 1024, line, Key::User);
        let mut kept = Vec::new();
        while let Ok(address) = task.getmain(large) {
            kept.push(address);
        }
        assert!((1..=8).contains(&kept.len()), "{line:?}: {} extents", kept.len());
        assert_eq!(task.getmain(large), Err(StorageError::NoStorage(dsa)), "{line:?}");
        for other in [Line::Below16M, Line::Below2G, Line::Above] {
            assert_eq!(storage.is_short(other), other == line, "{line:?} and {other:?}");
        }
        let short = storage.statistics().lines[line as usize];
        assert!(short.allocated <= limit && short.allocated_peak <= limit && short.times_short == 1, "{short:?}");
        assert_eq!(task.freemain(kept[0]), Ok(extent - 1024));
        assert!(!storage.is_short(line));
        assert!(task.getmain(large).is_ok());
        assert_eq!(task.end(), []);
    }
}

#[test]
fn the_limit_holds_and_the_cushion_is_the_regions() {
    // Four extents of 256 KB below 16 MB: user requests get three, the last is the cushion.
    let storage = Storage::start(StorageConfig { dsa_limit: 1 << 20, ..StorageConfig::default() }).unwrap();
    let mut task = storage.task(1);
    let extent = request(255 * 1024, Line::Below16M, Key::User);
    for _ in 0..3 {
        task.getmain(extent).unwrap();
    }
    assert!(!storage.is_short(Line::Below16M));
    assert_eq!(task.getmain(extent), Err(StorageError::NoStorage(Dsa::Udsa)));
    assert!(storage.is_short(Line::Below16M));
    let system = storage.subpool("SYSTEM".into(), Dsa::Cdsa);
    let kept = system.getmain(255 * 1024).unwrap();
    assert_eq!(system.getmain(255 * 1024), Err(StorageError::NoStorage(Dsa::Cdsa)));
    assert_eq!(system.freemain(kept), Ok(255 * 1024));
    assert!(!storage.is_short(Line::Below16M));
    assert_eq!(task.end(), []);
    let line = storage.statistics().lines[0];
    assert_eq!((line.times_short, line.allocated_peak), (1, 1 << 20));
    // Empty extents of one DSA serve another.
    let kept = system.getmain(1020 * 1024);
    assert!(kept.is_ok(), "{kept:?} {:?}", storage.statistics().lines);
    assert_eq!(dsa(&storage, Dsa::Udsa).extents_released, 3);
}

#[test]
fn a_task_waits_for_storage_and_gets_it() {
    let storage = Storage::start(StorageConfig { dsa_limit: 512 * 1024, ..StorageConfig::default() }).unwrap();
    let dispatcher = Dispatcher::start(Config { workers: 2, ..Config::default() }).unwrap();
    let mut holder = storage.task(1);
    holder.getmain(request(200 * 1024, Line::Below16M, Key::User)).unwrap();
    let inner = storage.clone();
    let waiter = dispatcher
        .attach(AttachRequest::new("SOSW", move |task| {
            let mut own = inner.task(task.number());
            let wait = StorageWait { task, dsa: Dsa::Udsa, held: 0, timeout: None };
            let address = inner.wait_for_storage(&wait, || own.getmain(request(200 * 1024, Line::Below16M, Key::User)));
            assert!(address.is_ok());
        }))
        .unwrap();
    let purged_storage = storage.clone();
    let purged = dispatcher
        .attach(AttachRequest::new("SOSP", move |task| {
            let mut own = purged_storage.task(task.number());
            let wait = StorageWait { task, dsa: Dsa::Udsa, held: 0, timeout: None };
            let ended = purged_storage.wait_for_storage(&wait, || own.getmain(request(250 * 1024, Line::Below16M, Key::User)));
            assert_eq!(ended, Err(NotObtained::Purged(crate::wait::Purge::Purge)));
        }))
        .unwrap();
    while waiter.state() != RunState::Suspended || purged.state() != RunState::Suspended {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(waiter.info().resource_type.as_str(), "UDSA");
    assert_eq!(dsa(&storage, Dsa::Udsa).suspended_current, 2);
    assert!(purged.purge(crate::wait::Purge::Purge));
    assert!(purged.join(LONG) && !purged.has_panicked());
    holder.end();
    assert!(waiter.join(LONG) && !waiter.has_panicked());
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn storage_freed_between_an_attempt_and_the_wait_is_noticed() {
    let storage = Storage::start(StorageConfig { dsa_limit: 512 * 1024, ..StorageConfig::default() }).unwrap();
    let dispatcher = Dispatcher::start(Config { workers: 1, ..Config::default() }).unwrap();
    let mut holder = storage.task(1);
    holder.getmain(request(200 * 1024, Line::Below16M, Key::User)).unwrap();
    let waiter = dispatcher
        .attach(AttachRequest::new("SOSW", move |task| {
            let mut own = storage.task(task.number());
            let wait = StorageWait { task, dsa: Dsa::Udsa, held: 0, timeout: None };
            let since = Instant::now();
            let address = storage.wait_for_storage(&wait, || {
                let obtained = own.getmain(request(200 * 1024, Line::Below16M, Key::User));
                holder.end();
                obtained
            });
            assert!(address.is_ok() && since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
        }))
        .unwrap();
    assert!(waiter.join(LONG) && !waiter.has_panicked());
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// Elements of a shared subpool lie in chunks that stay with it, and a limit may be raised.
#[test]
fn an_element_freed_within_a_chunk_resumes_a_task_that_waits() {
    let storage = Storage::start(StorageConfig { edsa_limit: 4 << 20, ..StorageConfig::default() }).unwrap();
    let dispatcher = Dispatcher::start(Config { workers: 1, ..Config::default() }).unwrap();
    let small = Getmain::user(8 * 1024);
    let mut taken: Vec<usize> = std::iter::from_fn(|| storage.getmain_shared(small).ok()).collect();
    let inner = storage.clone();
    let waiter = dispatcher
        .attach(AttachRequest::new("SOSW", move |task| {
            let wait = StorageWait { task, dsa: Dsa::Esdsa, held: 0, timeout: None };
            assert!(inner.wait_for_storage(&wait, || inner.getmain_shared(small)).is_ok());
        }))
        .unwrap();
    while waiter.state() != RunState::Suspended {
        std::thread::sleep(Duration::from_millis(1));
    }
    storage.freemain_shared(taken.pop().unwrap()).unwrap();
    assert!(waiter.join(Duration::from_secs(5)) && !waiter.has_panicked());
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn the_largest_of_the_tasks_that_wait_for_each_other_is_refused() {
    let storage = Storage::start(StorageConfig { edsa_limit: 8 << 20, ..StorageConfig::default() }).unwrap();
    let dispatcher = Dispatcher::start(Config { workers: 2, ..Config::default() }).unwrap();
    let attach = |megabytes: usize, expected: Result<(), NotObtained>| {
        let storage = storage.clone();
        let request = AttachRequest::new("SOSH", move |task| {
            let mut own = storage.task(task.number());
            (0..megabytes).for_each(|_| _ = own.getmain(Getmain::user(900 * 1024)).unwrap());
            task.delay(&Wait::new("ICWAIT"), Duration::from_millis(200));
            let wait = StorageWait { task, dsa: Dsa::Eudsa, held: own.held(Line::Below2G), timeout: None };
            let obtained = storage.wait_for_storage(&wait, || own.getmain(Getmain::user(4 << 20)));
            assert_eq!(obtained.map(|_| ()), expected);
        });
        dispatcher.attach(request).unwrap()
    };
    let tasks = [attach(2, Ok(())), attach(3, Err(NotObtained::Stalled))];
    assert!(tasks.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn recycled_storage_keeps_its_pages() {
    let storage = storage();
    let get = |number: u32| {
        let mut task = storage.task(number);
        let address = task.getmain(Getmain::user(16 * 1024)).unwrap();
        poke(address, number as u8);
        address
    };
    let first = get(1);
    let mut task = storage.task(2);
    let again = task.getmain(Getmain::user(16 * 1024)).unwrap();
    assert_eq!(first, again);
    assert_eq!(peek(again), 1, "the page was not given up in between");
    drop(task);
    storage.trim();
    assert_eq!(dsa(&storage, Dsa::Eudsa).size, 0);
}

#[test]
fn a_program_has_its_stack_code_and_static_side_by_side() {
    let storage = storage();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&[0xC3; 4096]).unwrap();
    let layout = ProgramLayout { stack_bytes: 10_000, code_bytes: 4096, static_bytes: 100 };
    for key in [Key::User, Key::Cics] {
        let program = storage.map_program(key, layout, file.as_fd(), 0, 9).unwrap();
        let (code, data) = (program.code_address(), program.static_address());
        assert_eq!((program.stack_end(), data, program.key()), (code, code + 4096, key));
        assert_eq!(crate::traps::guard::find_code(code + 4095).map(|place| (place.id, place.offset)), Some((9, 4095)));
        assert_eq!(crate::traps::guard::find_code(code + 4096), None);
        assert!(crate::traps::guard::probe(code, 4096, false).is_ok() && crate::traps::guard::probe(code, 1, true).is_err());
        assert!(crate::traps::guard::probe(data, 4096, true).is_ok() && (0..4096).all(|at| peek(data + at) == 0));
        let stack = 10_000usize.next_multiple_of(4096);
        assert!(crate::traps::guard::probe(code - stack, stack, true).is_ok());
        assert!(crate::traps::guard::probe(code - stack - 1, 1, false).is_err(), "the stack runs into a page that faults");
        poke(data, 1);
        drop(program);
        assert_eq!(crate::traps::guard::find_code(code), None);
        assert!(crate::traps::guard::probe(code, 4096, true).is_ok(), "plain storage again");
    }
    assert_eq!((dsa(&storage, Dsa::Esdsa).used, dsa(&storage, Dsa::Ecdsa).used), (0, 0));
    assert!(storage.map_program(Key::User, layout, file.as_fd(), 100, 9).is_err());
}

#[test]
fn regions_of_one_process_do_not_share_storage() {
    let (first, second) = (storage(), storage());
    let mut tasks = [first.task(1), second.task(1)];
    let [one, two] = [0, 1].map(|index| tasks[index].getmain(Getmain::user(100)).unwrap());
    assert_ne!(one >> 20, two >> 20);
}

#[test]
fn runs_are_the_storage_in_use() {
    let storage = storage();
    let mut task = storage.task(23);
    let address = task.getmain(request(3 << 20, Line::Below2G, Key::User)).unwrap();
    let holding = |address: usize| storage.runs(Dsa::Eudsa).into_iter().any(|(start, length)| (start..start + length).contains(&address));
    assert!(holding(address) && holding(address + (3 << 20) - 1));
    let used: usize = storage.runs(Dsa::Eudsa).iter().map(|(_, length)| length).sum();
    assert_eq!(used, dsa(&storage, Dsa::Eudsa).used);
    task.freemain(address).unwrap();
    drop(task);
    storage.trim();
    assert!(!holding(address));
}
