//! The cost of the commands, gate included. The bounds are far above the times on an idle machine; run with --nocapture to see the figures.

use super::support::*;
use exec::{CommandId, command, option};
use region::exec_interface::Call;
use region::{Raised, Task};
use std::time::Instant;

const ROUNDS: u32 = 20_000;

/// Nanoseconds of one execution.
fn measure(task: &mut Task, name: &str, command: CommandId, build: impl FnOnce(&mut Call)) -> Result<u128, Raised> {
    let mut call = Call::new(command);
    build(&mut call);
    assert!(call.execute(task)?.is_normal(), "{name}");
    let before = Instant::now();
    for _ in 0..ROUNDS {
        call.execute(task)?;
    }
    let nanoseconds = before.elapsed().as_nanos() / u128::from(ROUNDS);
    eprintln!("{name:24} {nanoseconds:>7} ns");
    Ok(nanoseconds)
}

#[test]
fn reads_and_queues_take_microseconds() {
    let region = the_region();
    let model = region::resources::Definition::new("TSMODEL", "SPDMODEL", "TEST").with("PREFIX", "SPDM").with("LOCATION", "MAIN");
    region.install(&model).unwrap();
    run(|task| {
        write(task, "VARFILE", "SPEED1", &"X".repeat(80))?;
        syncpoint(task)?;
        let file = |call: &mut Call| {
            call.bytes(option::FILE, &e("VARFILE")).bytes(option::RIDFLD, &e("SPEED1  "));
        };
        let read = measure(task, "READ INTO", command::READ, |call| {
            file(call);
            call.bytes(option::INTO, &[0; 100]);
        })?;
        let assign = measure(task, "ASSIGN", command::ASSIGN, |call| {
            call.integer(option::LINKLEVEL, 0);
        })?;
        for queue in ["SPDMAIN", "SPDAUX"] {
            let queue = e(queue);
            measure(task, "WRITEQ TS", command::WRITEQ_TS, |call| {
                call.bytes(option::QUEUE, &queue).bytes(option::FROM, &[0xC1; 80]);
            })?;
            measure(task, "READQ TS", command::READQ_TS, |call| {
                call.bytes(option::QUEUE, &queue).bytes(option::INTO, &[0; 80]).integer(option::ITEM, 5);
            })?;
        }
        assert!(read < 20_000 && assign < 20_000, "{read} {assign}");
        Ok(())
    });
}
