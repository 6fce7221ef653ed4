//! What a call costs this process: `cargo test --release -p db2 --test server speed -- --ignored --nocapture`.
//!
//! `unsafe` code here reads the processor time of the thread; this test uses it.

use crate::program::{Made, Program, change, close, cursor, fetch, open, plain, select};
use sql::{Action, Orientation};
use std::time::{Duration, Instant};

const CALLS: u32 = 20_000;

/// Processor time of this thread: of itself, and of the kernel on its behalf.
fn processor_time() -> [Duration; 2] {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) }, 0);
    [usage.ru_utime, usage.ru_stime].map(|time| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000))
}

fn measure(what: &str, program: &mut Program, statements: &[&Made]) {
    let calls = CALLS * statements.len() as u32;
    let (begun, before) = (Instant::now(), processor_time());
    for _ in 0..CALLS {
        for statement in statements {
            program.run(statement);
        }
    }
    let (elapsed, after) = (begun.elapsed(), processor_time());
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(calls);
    let [user, system] = [0, 1].map(|index| each(after[index] - before[index]));
    println!("{what}: {:.2} us a call; processor {user:.2} us of its own, {system:.2} us of the kernel", each(elapsed));
}

#[test]
#[ignore = "a measurement"]
fn calls() {
    let mut program = Program::new(
        "CREATE TABLE t (id int PRIMARY KEY, name char(20), balance numeric(11,2), day date); \
         INSERT INTO t SELECT n, 'NAME' || n, n * 1.5, '2024-02-29' FROM generate_series(1, 1000) AS n; ANALYZE t;",
    );
    let (id, name, day) = (program.integer(), program.char(20), program.char(10));
    let balance = program.item(sql::VariableType::Packed, 11, 11, 2);
    program.set_integer(&id, 500);
    let find = select("SELECT name, balance, day FROM t WHERE id = $1", &[&id], &[&name, &balance, &day]);
    program.ok(&find);
    for _ in 0..3 {
        measure("SELECT INTO by key, 3 columns", &mut program, &[&find]);
    }
    let update = change("UPDATE t SET balance = $1 WHERE id = $2", &[&balance, &id]);
    measure("UPDATE by key and COMMIT", &mut program, &[&update, &plain(Action::Commit)]);
    let limit = program.integer();
    program.set_integer(&limit, 20);
    let open = open(cursor("C1"), "SELECT id, name, balance FROM t WHERE id <= $1", &[&limit]);
    let next = fetch("C1", Orientation::Next, &[&id, &name, &balance]);
    let mut statements = vec![&open];
    statements.extend([&next; 20]);
    let close = close("C1");
    statements.push(&close);
    measure("OPEN, 20 times FETCH, CLOSE", &mut program, &statements);
}
