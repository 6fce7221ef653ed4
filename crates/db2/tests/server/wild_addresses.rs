//! Addresses that a program must not have: the program is abended, and the thread goes on.

use crate::program::{Program, change, select};
use kernel::Departure;

#[test]
fn wild_addresses_are_traps_of_the_program() {
    let mut program = Program::new("CREATE TABLE t (a int); INSERT INTO t VALUES (1);");
    let good = program.integer();
    for address in [0u64, 0x2000, 0x7FFF_FFF0, 0xF0F0_F0F0] {
        let mut wild = good.clone();
        wild.place.address = address;
        let runs = [select("SELECT a FROM t", &[], &[&wild]), select("SELECT a FROM t WHERE a = $1", &[&wild], &[&good])];
        for run in runs {
            let departure = program.try_run(&run).expect_err("a trap");
            assert!(matches!(departure, Departure::Abend(abend) if abend.code == *b"ASRA"), "{address:#x}");
        }
        wild = good.clone();
        wild.place.indicator = address | 1;
        assert!(program.try_run(&select("SELECT a FROM t", &[], &[&wild])).is_err());
        program.ok(&select("SELECT a FROM t", &[], &[&good]));
        program.ok(&change("UPDATE t SET a = a", &[]));
    }
}
