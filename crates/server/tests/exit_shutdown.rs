//! Task-related user exits at the end of the region: an exit with SHUTDOWN is called once, and told that the shutdown is orderly.

mod cobol_support;
mod scratch;
#[path = "user_exits/sources.rs"]
mod sources;

use cobol_support::Setup;
use std::sync::OnceLock;

fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::start("SHUTREG"))
}

fn define(program: &str) {
    setup().define_program(program, &[]);
}

fn again(transid: &str) -> String {
    setup().reported(transid)
}

#[test]
fn an_exit_is_called_at_an_orderly_shutdown() {
    assert_eq!(sources::run("SHEN", &["SHUTEXIT", "SHUTENAB"]).trim_end(), "ENABLED");
    assert!(setup().region.shutdown(false));
    let calls: Vec<String> = setup().lines().into_iter().filter(|line| line.contains("SHUTEXIT")).collect();
    assert!(calls.len() == 1 && calls[0].contains("SHUTEXIT ORDERLY"), "{calls:#?}");
}
