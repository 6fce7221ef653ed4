//! MCT: a monitoring control table with RMI=NO leaves group DFHRMI out of performance records. In a region without a table they have it
//! (`user_exits::task_related`).

mod cobol_support;
mod scratch;
#[path = "user_exits/sources.rs"]
mod sources;

use cobol_support::Setup;
use std::sync::OnceLock;

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let source = "         DFHMCT TYPE=INITIAL,SUFFIX=A1,RMI=NO\n         DFHMCT TYPE=FINAL\n         END\n";
        let table = region::monitoring::parse("TABLE", "table.asm", source.as_bytes(), &mut Vec::new()).expect("a table");
        Setup::start_with("MCTREG", |config| {
            config.sit.apply("MCT=A1").unwrap();
            config.monitoring_tables = vec![table];
        })
    })
}

fn define(program: &str) {
    setup().define_program(program, &[]);
}

fn again(transid: &str) -> String {
    setup().reported(transid)
}

/// The exit program counts the fields of group DFHRMI in the dictionary of the record of transaction NOTH.
#[test]
fn rmi_no_leaves_the_group_out() {
    setup().region.monitoring().switch(true);
    sources::install("NOTHING");
    setup().define_transaction("NOTH", "NOTHING");
    assert_eq!(sources::run("MNRM", &["EXMNRMI", "MNRMI"]).trim_end(), "0000TASK");
}
