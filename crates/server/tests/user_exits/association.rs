//! XAPADMGR: exit programs add user correlation data to the origin of a task.

use super::{again, alone, define, exit_program, run, setup};

const DATA: &str = "01 WS-REPORT PIC X(64) VALUE SPACES.";
const INQUIRE: &str = "    EXEC CICS INQUIRE ASSOCIATION(EIBTASKN)\n       USERCORRDATA(WS-REPORT) END-EXEC.\n";

/// The exit program has the association data of each task that no other has started; what it leaves is the user correlation data of that task and
/// of those it STARTs, for which the exit program is not called. A second exit program finds what the first has left.
#[test]
fn exit_programs_correlate_the_tasks_of_an_origin() {
    let _alone = alone();
    let linkage = "01 ADS.\n   COPY DFHMNADS.\n01 ADS-LENGTH PIC S9(8) COMP.\n01 UCD PIC X(64).";
    let own = "MAIN.\n    SET ADDRESS OF ADS TO UEPADCB.\n    SET ADDRESS OF ADS-LENGTH TO UEPADCBL.\n    SET ADDRESS OF UCD TO UEPUCD.\n    IF UCD NOT = LOW-VALUES\n       MOVE 'SECOND' TO UCD(20:6)\n       GOBACK.\n    MOVE SPACES TO UCD.\n    MOVE MNADS-TRANSACTION-ID TO UCD(1:4).\n    MOVE MNADS-APPLID TO UCD(5:8).\n    IF ADS-LENGTH = LENGTH OF ADS\n       MOVE 'LEN' TO UCD(13:3).\n    IF MNADS-FACILITY-NAME NOT = SPACES\n          OR MNADS-CLIENT-PORT NOT = 0\n       MOVE 'FAC' TO UCD(16:3).\n    GOBACK.";
    for name in ["EXAPADM1", "EXAPADM2"] {
        exit_program(name, "XAPADMGR", linkage, own);
    }
    let enable = |name: &str| format!("    EXEC CICS ENABLE PROGRAM('{name}') EXIT('XAPADMGR')\n       START END-EXEC.\n");
    let before = run("EX70", "EXTEST70", DATA, "", &format!("MAIN.\n{}{}{INQUIRE}", enable("EXAPADM1"), enable("EXAPADM2")));
    assert_eq!(before.trim_end(), "", "the task was there before the exit programs");
    let note = format!(
        "MAIN.\n{INQUIRE}    EXEC CICS WRITEQ TS QUEUE('EXCORR') FROM(WS-REPORT)\n       END-EXEC.\n    EXEC CICS RETURN END-EXEC."
    );
    setup().compile("EXTEST72", DATA, "", &note);
    define("EXTEST72");
    setup().define_transaction("EX72", "EXTEST72");
    let own = run("EX71", "EXTEST71", DATA, "", &format!("MAIN.\n{INQUIRE}    EXEC CICS START TRANSID('EX72') END-EXEC."));
    let expected = format!("{:<19}SECOND", "EX71EXITREG LEN");
    assert_eq!(own.trim_end(), expected);
    let read = "MAIN.\n    EXEC CICS READQ TS QUEUE('EXCORR') INTO(WS-REPORT)\n       ITEM(1) NOHANDLE END-EXEC.";
    let mut started = run("EX73", "EXTEST73", DATA, "", read);
    for _ in 0..200 {
        if !started.trim_end().is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        started = again("EX73");
    }
    assert_eq!(started.trim_end(), expected, "the task that EX71 has started");
    let disable = "MAIN.\n    EXEC CICS DISABLE PROGRAM('EXAPADM1') EXITALL END-EXEC.\n    EXEC CICS DISABLE PROGRAM('EXAPADM2') EXITALL END-EXEC.\n    EXEC CICS DELETEQ TS QUEUE('EXCORR') END-EXEC.";
    run("EX74", "EXTEST74", DATA, "", disable);
    assert_eq!(again("EX71").trim_end(), "");
}
