//! WLMHEALTH=OFF: the region has no health, and SET WLMHEALTH says so.

mod cobol_support;
mod scratch;

use cobol_support::{REPORT, Setup};

#[test]
fn a_region_without_health_refuses_to_open_it() {
    let setup = Setup::start_with("NOHEALTH", |config| assert!(config.sit.apply_text("WLMHEALTH=OFF").is_empty()));
    let data = "01 WS-REPORT.\n   05 R-R PIC 9(4).\n   05 R-R2 PIC 9(4).\n   05 R-S PIC X.\n01 WS-STATUS PIC S9(8) COMP.";
    let procedure = format!(
        "MAIN.\n    EXEC CICS SET WLMHEALTH OPEN NOHANDLE END-EXEC.\n    MOVE EIBRESP TO R-R.\n    MOVE EIBRESP2 TO R-R2.\n    EXEC CICS INQUIRE WLMHEALTH OPENSTATUS(WS-STATUS) END-EXEC.\n    MOVE '?' TO R-S.\n    IF WS-STATUS = DFHVALUE(CLOSED) MOVE 'C' TO R-S.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
    );
    setup.compile("HEALOFF", data, "", &procedure);
    setup.define_program("HEALOFF", &[]);
    setup.define_transaction("HEOF", "HEALOFF");
    assert_eq!(setup.reported("HEOF"), "00160004C");
    assert_eq!(setup.region.monitoring().health().health, 0);
}
