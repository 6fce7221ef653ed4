//! WLMHEALTH: the health of a region goes up after its start and down before its end, by the steps that the system programmer has set.

mod cobol_support;
mod scratch;

use cobol_support::{REPORT, Setup};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A step of 40 each second.
fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::start_with("HEALTH", |config| assert!(config.sit.apply_text("WLMHEALTH=(1,40)").is_empty())))
}

const DATA: &str = "01 WS-REPORT.\n   05 R-STATUS PIC X(1).\n   05 R-HEALTH PIC 9(3).\n   05 R-INTERVAL PIC 9(3).\n   05 R-ADJUST PIC 9(3).\n   05 R-TIME PIC X(1).\n   05 R-R PIC 9(4).\n   05 R-R2 PIC 9(4).\n   05 R-FN PIC 9(5).\n01 WS-STATUS PIC S9(8) COMP.\n01 WS-HEALTH PIC S9(8) COMP.\n01 WS-INTERVAL PIC S9(8) COMP.\n01 WS-ADJUST PIC S9(8) COMP.\n01 WS-TIME PIC S9(15) COMP-3.\n01 WS-NOW PIC S9(15) COMP-3.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-RESP2 PIC S9(8) COMP.\n01 WS-FN PIC 9(5) COMP.\n01 WS-FNX REDEFINES WS-FN.\n   05 FILLER PIC X(2).\n   05 WS-FN2 PIC X(2).";
const INQUIRE: &str = "    EXEC CICS INQUIRE WLMHEALTH OPENSTATUS(WS-STATUS)\n       HEALTH(WS-HEALTH) INTERVAL(WS-INTERVAL)\n       ADJUSTMENT(WS-ADJUST) HEALTHABSTIM(WS-TIME) END-EXEC.\n    MOVE '?' TO R-STATUS.\n    IF WS-STATUS = DFHVALUE(OPEN) MOVE 'O' TO R-STATUS.\n    IF WS-STATUS = DFHVALUE(OPENING) MOVE 'U' TO R-STATUS.\n    IF WS-STATUS = DFHVALUE(CLOSED) MOVE 'C' TO R-STATUS.\n    IF WS-STATUS = DFHVALUE(CLOSING) MOVE 'D' TO R-STATUS.\n    MOVE WS-HEALTH TO R-HEALTH.\n    MOVE WS-INTERVAL TO R-INTERVAL.\n    MOVE WS-ADJUST TO R-ADJUST.\n    EXEC CICS ASKTIME ABSTIME(WS-NOW) END-EXEC.\n    MOVE 'N' TO R-TIME.\n    IF WS-TIME <= WS-NOW AND WS-NOW - WS-TIME < 60000\n       MOVE 'Y' TO R-TIME.\n";

/// Runs a SET with these options, and inquires.
fn after(transid: &str, options: &str) -> String {
    static ONE: parking_lot::Mutex<()> = parking_lot::Mutex::new(());
    let _one = ONE.lock();
    let program = format!("HEAL{transid}");
    let set = match options {
        "" => String::new(),
        options => format!(
            "    EXEC CICS SET WLMHEALTH {options}\n       RESP(WS-RESP) RESP2(WS-RESP2) END-EXEC.\n    MOVE 0 TO WS-FN.\n    MOVE EIBFN TO WS-FN2.\n    MOVE WS-FN TO R-FN.\n"
        ),
    };
    let procedure = format!(
        "MAIN.\n    MOVE 0 TO WS-RESP WS-RESP2 R-FN.\n{set}{INQUIRE}    MOVE WS-RESP TO R-R.\n    MOVE WS-RESP2 TO R-R2.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
    );
    setup().compile(&program, DATA, "", &procedure);
    setup().define_program(&program, &[]);
    setup().define_transaction(transid, &program);
    setup().reported(transid)
}

fn health() -> (u32, &'static str) {
    let state = setup().region.monitoring().health();
    (state.health, state.status.text())
}

/// The EIBFN of SET WLMHEALTH is X'7034', 28724.
const SET: &str = "28724";

/// One test, because a region has one health: its rise, every state and every condition, its fall and the shutdown.
#[test]
fn the_health_goes_up_after_the_start_and_down_before_the_end() {
    let begun = Instant::now();
    assert_eq!(health().1, "OPENING");
    assert!(health().0 <= 40, "the first step is an interval after the start");
    testing::eventually_within(Duration::from_secs(20), "the end of the rise", || health() == (100, "OPEN"));
    assert!(begun.elapsed() >= Duration::from_millis(2_000), "three steps of a second, the first of which may have begun before");
    assert_eq!(after("HE01", ""), "O100001040Y0000000000000");
    // A long interval, so that the steps can be looked at.
    assert_eq!(after("HE02", "INTERVAL(600) ADJUSTMENT(30)"), format!("O100600030Y00000000{SET}"));
    assert_eq!(after("HE03", "CLOSED"), format!("D070600030Y00000000{SET}"), "the first step is taken at once");
    assert_eq!(after("HE04", "CLOSED"), format!("D070600030Y00160007{SET}"));
    assert_eq!(after("HE05", "OPEN"), format!("O100600030Y00000000{SET}"));
    assert_eq!(after("HE06", "IMMCLOSE"), format!("C000600030Y00000000{SET}"));
    assert_eq!(after("HE07", "OPEN"), format!("U030600030Y00000000{SET}"));
    assert_eq!(after("HE08", "OPENSTATUS(DFHVALUE(OPEN))"), format!("U030600030Y00160006{SET}"));
    for (transid, options, resp2) in [
        ("HE09", "ADJUSTMENT(0)", "0014"),
        ("HE10", "ADJUSTMENT(101)", "0014"),
        ("HE11", "INTERVAL(601)", "0015"),
        ("HE12", "INTERVAL(-1)", "0015"),
        ("HE13", "OPENSTATUS(DFHVALUE(ENABLED))", "0011"),
    ] {
        assert_eq!(after(transid, options), format!("U030600030Y0016{resp2}{SET}"), "{options}");
    }
    assert_eq!(after("HE14", "ADJUSTMENT(100)"), format!("U030600100Y00000000{SET}"));
    assert_eq!(after("HE15", "IMMCLOSE INTERVAL(0)"), format!("C000000100Y00000000{SET}"));
    assert_eq!(after("HE16", "OPEN"), format!("C000000100Y00160013{SET}"));
    // Another interval takes effect at once.
    assert_eq!(after("HE17", "OPEN INTERVAL(600) ADJUSTMENT(50)"), format!("U050600050Y00000000{SET}"));
    assert!(after("HE18", "INTERVAL(1)").starts_with("U050001050"));
    testing::eventually_within(Duration::from_secs(10), "the next step", || health() == (100, "OPEN"));
    let report = region::statistics::report::text(setup().region);
    let section = report.split("Region Health").nth(1).expect("the section");
    let line = |title: &str| section.lines().find(|line| line.trim_start().starts_with(title)).expect("a line").to_string();
    assert!(line("Health open status").ends_with(" OPEN") && line("Health (percent)").ends_with(" 100"), "{section}");
    setup().region.shutdown(false);
    assert_eq!(health(), (0, "CLOSED"));
}
