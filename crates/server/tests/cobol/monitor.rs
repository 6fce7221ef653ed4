//! A long-running monitor: a COBOL program that looks at the statistics of the transaction manager and reports MXT to the console.

use super::{REPORT, compile, define, reported, setup};
use testing::eventually;

const DATA: &str = "01 WS-BEFORE PIC S9(8) COMP VALUE -1.\n01 WS-TEXT.\n   05 FILLER PIC X(22) VALUE 'MONITOR: MXT REACHED, '.\n   05 T-TIMES PIC 9(6).\n   05 FILLER PIC X(8) VALUE ' TIMES, '.\n   05 T-LIMIT PIC 9(5).\n   05 FILLER PIC X(14) VALUE ' IS THE LIMIT '.\n01 WS-PTR POINTER.";
const LINKAGE: &str = "COPY DFHXMGDS.";
/// XMGTAMXT is the number of times that MXT was reached, XMGMXT the limit.
const PROCEDURE: &str = "MAIN.\n    PERFORM 2000 TIMES\n       EXEC CICS COLLECT STATISTICS TRANSACTION\n          SET(WS-PTR) END-EXEC\n       SET ADDRESS OF DFHXMGDS TO WS-PTR\n       IF WS-BEFORE NOT < 0 AND XMGTAMXT > WS-BEFORE\n          MOVE XMGTAMXT TO T-TIMES\n          MOVE XMGMXT TO T-LIMIT\n          EXEC CICS WRITE OPERATOR TEXT(WS-TEXT) END-EXEC\n          EXEC CICS RETURN END-EXEC\n       END-IF\n       MOVE XMGTAMXT TO WS-BEFORE\n       EXEC CICS DELAY FOR MILLISECS(10) END-EXEC\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.";

/// XM-18: the report is on the console soon after the limit was reached.
#[test]
fn a_monitor_program_reports_mxt_on_the_console() {
    let region = setup().region;
    compile("MXTMON", DATA, LINKAGE, PROCEDURE);
    define("MXMO", "MXTMON", &[]);
    compile("MXTTASK", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS DELAY FOR MILLISECS(100) END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    define("MXTT", "MXTTASK", &[]);
    let monitor = setup().attach("MXMO");
    eventually("the monitor has begun to wait", || {
        let task = region.transactions().task(monitor);
        task.and_then(|task| task.kernel.lock().as_ref().map(|kernel| kernel.info()))
            .is_some_and(|info| info.resource_type.as_str() == "ICWAIT")
    });
    let before = region.dispatcher.max_tasks();
    region.dispatcher.set_max_tasks(region.dispatcher.active_and_max_tasks().0 + 1);
    let limit = region.dispatcher.max_tasks();
    for _ in 0..3 {
        setup().attach("MXTT");
    }
    let told = || setup().lines().into_iter().find(|line| line.contains("MONITOR: MXT REACHED"));
    eventually("the report", || told().is_some());
    let line = told().unwrap();
    assert!(line.contains(&format!("TIMES, {limit:05} IS THE LIMIT")), "{line}");
    region.dispatcher.set_max_tasks(before);
    // A program sets the limit, and sees how many tasks have waited for it.
    let data = "01 WS-MXT PIC S9(8) COMP.\n01 WS-REPORT.\n   05 R-LIMIT PIC 9(5).\n   05 R-PEAK PIC 9(5).\n   05 R-TOTAL PIC 9(5).\n01 WS-PTR POINTER.";
    let see = format!(
        "MAIN.\n    MOVE {} TO WS-MXT.\n    EXEC CICS SET SYSTEM MAXTASKS(WS-MXT) END-EXEC.\n    EXEC CICS COLLECT STATISTICS TRANSACTION\n       SET(WS-PTR) END-EXEC.\n    SET ADDRESS OF DFHXMGDS TO WS-PTR.\n    MOVE XMGMXT TO R-LIMIT.\n    MOVE XMGPQT TO R-PEAK.\n    MOVE XMGTDT TO R-TOTAL.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC.",
        before + 1
    );
    compile("MXTSEE", data, LINKAGE, &see);
    define("MXSE", "MXTSEE", &[]);
    let seen = reported("MXSE");
    region.dispatcher.set_max_tasks(before);
    let figure = |at: usize| seen[5 * at..5 * at + 5].parse::<u32>().unwrap();
    assert_eq!(figure(0), before + 1);
    assert!(figure(1) >= 1 && figure(2) >= figure(1), "tasks have been queued: {seen}");
}
