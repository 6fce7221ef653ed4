//! Units of work that a resource manager is in doubt about: UERFHOLD, a lost coordinator, and RESYNC ENTRYNAME.

use super::managers::Manager;
use super::task_related::{application, calls, disabled, enabled, noted, request};
use super::{alone, run, setup};
use region::resource_manager::Outcome;
use region::{Raised, ResourceManager, Task};
use std::sync::{Arc, Mutex, OnceLock};

/// RESYNC for the unit of work of the exit's last call.
fn resync(exit: &str, program: &str, options: &str) -> String {
    let statements = format!(
        "    EXEC CICS EXTRACT EXIT PROGRAM('{exit}')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE G-LOG(101:8) TO WS-ID(1).\n    SET WS-ID-PTR(1) TO ADDRESS OF WS-ID(1).\n    MOVE 4 TO WS-REPLY.\n    EXEC CICS RESYNC ENTRYNAME('{exit}') IDLIST(WS-LIST)\n       IDLISTLENGTH(WS-REPLY) {options} RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT.\n"
    );
    application(program, &statements).trim_end().to_string()
}

/// What the exit has noted, once that has begun with `expected`: CRSY runs by itself.
fn calls_become(exit: &str, expected: &str) -> String {
    let mut all = String::new();
    for _ in 0..100 {
        let noted = noted(exit);
        all += noted[..100].trim_end();
        if all.len() >= expected.len() {
            // The identifier of the unit of work before it is not text.
            return format!("{all}/{}", noted.chars().skip(116).take(4).collect::<String>());
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    all
}

/// A commit that the resource manager could not carry out is kept; RESYNC tells it in a task of its own, with the transaction of the original
/// task, and a unit of work that it has acknowledged is none to be in doubt about.
#[test]
fn resync_tells_a_held_commit_once() {
    let _alone = alone();
    enabled("TRHOLD", "");
    application("TRHOLDA", &format!("{}    EXEC CICS SYNCPOINT END-EXEC.\n", request("TRHOLD", "HOLD")));
    assert_eq!(calls("TRHOLD"), "AP.PR.CM.");
    assert_eq!(resync("TRHOLD", "TRHOLDR", ""), " 00");
    assert_eq!(calls_become("TRHOLD", "RCL"), "RCL/TRAP");
    assert_eq!(resync("TRHOLD", "TRHOLDR", "PARTIAL"), " 00");
    assert_eq!(calls_become("TRHOLD", "NKL")[..3], *"NKL");
    disabled("TRHOLD");
}

/// The same of a backout, which is presumed for what the region does not know.
#[test]
fn resync_tells_a_held_backout() {
    let _alone = alone();
    enabled("TRHBCK", "");
    application("TRHBCKA", &format!("{}    EXEC CICS SYNCPOINT ROLLBACK END-EXEC.\n", request("TRHBCK", "HOLD")));
    assert_eq!(calls("TRHBCK"), "AP.BK.");
    assert_eq!(resync("TRHBCK", "TRHBCKR", ""), " 00");
    assert_eq!(calls_become("TRHBCK", "RBL")[..3], *"RBL");
    disabled("TRHBCK");
}

/// QUALIFIER: only units of work that the exit has prepared with that qualifier (UEPRMQUA) are told.
#[test]
fn resync_with_a_qualifier_tells_its_units_of_work() {
    let _alone = alone();
    enabled("TRQUAL", "");
    application("TRQUALA", &format!("{}    EXEC CICS SYNCPOINT END-EXEC.\n", request("TRQUAL", "HOLDQUAL")));
    assert_eq!(calls("TRQUAL"), "AP.PR.CM.");
    let other = "    EXEC CICS EXTRACT EXIT PROGRAM('TRQUAL')\n       GASET(WS-PTR) GALENGTH(WS-LEN) END-EXEC.\n    SET ADDRESS OF GWA TO WS-PTR.\n    MOVE G-LOG(101:8) TO WS-ID(1).\n    SET WS-ID-PTR(1) TO ADDRESS OF WS-ID(1).\n    MOVE 4 TO WS-REPLY.\n    EXEC CICS RESYNC ENTRYNAME('TRQUAL') IDLIST(WS-LIST)\n       IDLISTLENGTH(WS-REPLY) QUALIFIER('MANAGER2') PARTIAL\n       RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO N.\n    MOVE N TO WS-REPORT.\n";
    assert_eq!(application("TRQUALR", other).trim_end(), " 00");
    assert_eq!(calls("TRQUAL"), "");
    assert_eq!(resync("TRQUAL", "TRQUALR", "QUALIFIER('MANAGER1')\n       PARTIAL"), " 00");
    assert_eq!(calls_become("TRQUAL", "RCL"), "RCL/TRAP");
    disabled("TRQUAL");
}

/// INQUIRE UOWLINK tells of a commit that an exit has not carried out. SET UOWLINK deletes links to systems that were started cold; a resource
/// manager is none.
#[test]
fn a_held_commit_is_a_link_of_its_unit_of_work() {
    const DATA: &str = "01 WS-REPORT PIC X(124).\n01 WS-TOKEN PIC X(4).\n01 WS-LINK PIC X(8).\n01 WS-QFY PIC X(8).\n01 WS-UOW PIC X(8).\n01 WS-NET PIC X(27).\n01 WS-TEXT PIC X(40) VALUE ALL '?'.\n01 WS-SYS PIC X(4) VALUE '????'.\n01 C1 PIC S9(8) COMP.\n01 C2 PIC S9(8) COMP.\n01 C3 PIC S9(8) COMP.\n01 C4 PIC S9(8) COMP.\n01 C5 PIC S9(8) COMP.\n01 R1 PIC S9(8) COMP VALUE 0.\n01 R2 PIC S9(8) COMP VALUE 0.\n01 N PIC 9(4).";
    let _alone = alone();
    enabled("TRLINK", "");
    application("TRLINKA", &format!("{}    EXEC CICS SYNCPOINT END-EXEC.\n", request("TRLINK", "HOLDQUAL")));
    assert_eq!(calls("TRLINK"), "AP.PR.CM.");
    let browse = "MAIN.\n    MOVE SPACES TO WS-REPORT WS-LINK.\n    EXEC CICS INQUIRE UOWLINK START END-EXEC.\n    PERFORM UNTIL WS-LINK = 'TRLINK' OR R1 NOT = 0\n    EXEC CICS INQUIRE UOWLINK(WS-TOKEN) NEXT LINK(WS-LINK)\n       RMIQFY(WS-QFY) UOW(WS-UOW) NETUOWID(WS-NET)\n       PROTOCOL(C1) ROLE(C2) TYPE(C3) RESYNCSTATUS(C4) PORT(C5)\n       SYSID(WS-SYS) RESP(R1) END-EXEC\n    END-PERFORM.\n    EXEC CICS INQUIRE UOWLINK END END-EXEC.\n    EXEC CICS INQUIRE UOWLINK(WS-TOKEN) HOST(WS-TEXT)\n       RESP(R2) END-EXEC.\n    IF WS-TEXT NOT = SPACES MOVE 99 TO R2.\n    MOVE ALL '?' TO WS-TEXT.\n    EXEC CICS INQUIRE UOWLINK(WS-TOKEN) BRANCHQUAL(WS-TEXT)\n       URID(WS-LINK) XID(WS-TEXT) END-EXEC.\n    IF WS-TEXT NOT = SPACES OR WS-LINK NOT = SPACES\n       MOVE 99 TO R2.\n    IF C1 = DFHVALUE(NOTAPPLIC) AND C2 = DFHVALUE(SUBORDINATE)\n       AND C3 = DFHVALUE(RMI) AND C4 = DFHVALUE(OK) AND C5 = 0\n       AND WS-SYS = SPACES AND WS-UOW NOT = LOW-VALUES\n       MOVE 'RIGHT' TO WS-REPORT.\n    MOVE WS-QFY TO WS-REPORT(7:8).\n    MOVE R1 TO N.\n    MOVE N TO WS-REPORT(16:4).\n    MOVE R2 TO N.\n    MOVE N TO WS-REPORT(21:4).\n    MOVE DFHVALUE(OPEN) TO C1.\n    EXEC CICS SET UOWLINK(WS-TOKEN) ACTION(C1)\n       RESP(R1) RESP2(R2) END-EXEC.\n    COMPUTE N = R1 * 100 + R2.\n    MOVE N TO WS-REPORT(26:4).\n    EXEC CICS SET UOWLINK(WS-TOKEN) DELETE\n       RESP(R1) RESP2(R2) END-EXEC.\n    COMPUTE N = R1 * 100 + R2.\n    MOVE N TO WS-REPORT(31:4).\n    MOVE X'7FFFFFFF' TO WS-TOKEN.\n    EXEC CICS SET UOWLINK(WS-TOKEN) DELETE\n       RESP(R1) RESP2(R2) END-EXEC.\n    MOVE R1 TO N.\n    MOVE N TO WS-REPORT(36:4)";
    // UOWLNOTFOUND is 103.
    assert_eq!(run("TRLK", "TRLINKB", DATA, "", browse).trim_end(), "RIGHT MANAGER1 0000 0000 1603 1604 0103");
    assert_eq!(resync("TRLINK", "TRLINKR", "QUALIFIER('MANAGER1')\n       PARTIAL"), " 00");
    assert_eq!(calls_become("TRLINK", "RCL"), "RCL/TRAP");
    disabled("TRLINK");
}

/// UERTDGCS: the unit of work is older than the last initial start, which has lost it.
#[test]
fn resync_tells_that_an_initial_start_has_lost_a_unit_of_work() {
    let _alone = alone();
    enabled("TRLOST", "");
    let statements = "    MOVE X'0000000000000001' TO WS-ID(1).\n    SET WS-ID-PTR(1) TO ADDRESS OF WS-ID(1).\n    MOVE 4 TO WS-REPLY.\n    EXEC CICS RESYNC ENTRYNAME('TRLOST') IDLIST(WS-LIST)\n       IDLISTLENGTH(WS-REPLY) PARTIAL END-EXEC.\n";
    application("TRLOSTA", statements);
    assert_eq!(calls_become("TRLOST", "LOL")[..3], *"LOL");
    disabled("TRLOST");
}

/// RESYNC without PARTIAL discards the outcomes that are not in its list, if they are as old as the resynchronization set.
#[test]
fn resync_without_partial_discards_other_outcomes_of_the_set() {
    let _alone = alone();
    enabled("TRDISC", "");
    let hold = format!("{}    EXEC CICS SYNCPOINT END-EXEC.\n", request("TRDISC", "HOLD"));
    application("TRDISCA", &hold);
    let all = || region::recovery_manager::pending_commits(setup().region).unwrap();
    let kept = || all().iter().filter(|(_, names)| names.contains(&region::name::Name8::new("TRDISC"))).count();
    assert_eq!(kept(), 1);
    let empty = |options: &str| {
        format!(
            "    MOVE 0 TO WS-REPLY.\n    EXEC CICS RESYNC ENTRYNAME('TRDISC') IDLIST(WS-LIST)\n       IDLISTLENGTH(WS-REPLY) {options} END-EXEC.\n"
        )
    };
    // The set began when the exit was enabled, before that unit of work; a new one begins now.
    application("TRDISCB", &empty(""));
    assert_eq!(kept(), 1);
    application("TRDISCC", &empty("PARTIAL"));
    assert_eq!(kept(), 1);
    application("TRDISCD", &empty(""));
    assert_eq!(kept(), 0);
    disabled("TRDISC");
}

static AGENT: Mutex<Option<Arc<dyn ResourceManager>>> = Mutex::new(None);

/// A native program that adds a last agent to the unit of work of its task.
fn enlist(task: &mut Task) -> Result<(), Raised> {
    let agent = AGENT.lock().unwrap().clone().expect("the test has set it");
    task.enlist(&agent)
}

/// Statements of a unit of work that an agent decides which is lost; it reports the abend of the syncpoint.
fn doubtful(exit: &str, agent: &Arc<Manager>) -> String {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| setup().region.programs().install_native(region::name::Name8::new("ENLISTAG"), enlist));
    *AGENT.lock().unwrap() = Some(agent.clone());
    format!(
        "    EXEC CICS HANDLE ABEND LABEL(CAUGHT) END-EXEC.\n    EXEC CICS LINK PROGRAM('ENLISTAG') END-EXEC.\n{}    EXEC CICS SYNCPOINT END-EXEC.\n    MOVE 'LATE' TO WS-REPORT.\nCAUGHT.\n    EXEC CICS ASSIGN ABCODE(WS-ITEM) END-EXEC.\n    MOVE WS-ITEM TO WS-REPORT.\n",
        request(exit, "UPDATE")
    )
}

/// INDOUBTWAIT: UERTWAIT when the coordinator is lost, and the outcome in a task of its own when it is there again.
#[test]
fn an_exit_that_can_wait_in_doubt_is_told_to_and_gets_the_outcome_later() {
    let _alone = alone();
    enabled("TRWAIT", "INDOUBTWAIT");
    let agent = Manager::lost("AGENT1");
    assert_eq!(application("TRWAITA", &doubtful("TRWAIT", &agent)).trim_end(), "ASP1");
    assert_eq!(calls("TRWAIT"), "AP.PR.WT.");
    // While the region itself is in doubt, RESYNC tells nothing.
    assert_eq!(resync("TRWAIT", "TRWAITR", "PARTIAL"), " 00");
    assert_eq!(calls("TRWAIT"), "");
    *agent.answer.lock().unwrap() = Outcome::Committed;
    setup().region.register_resource_manager(agent).unwrap();
    assert_eq!(calls_become("TRWAIT", "CML")[..3], *"CML");
    disabled("TRWAIT");
}

/// Without INDOUBTWAIT the definition of the transaction decides: ACTION(BACKOUT).
#[test]
fn an_exit_that_cannot_wait_in_doubt_forces_the_decision_of_the_transaction() {
    let _alone = alone();
    enabled("TRFORC", "");
    let agent = Manager::lost("AGENT2");
    assert_eq!(application("TRFORCA", &doubtful("TRFORC", &agent)).trim_end(), "ASPP");
    assert_eq!(calls("TRFORC"), "AP.PR.BK.");
    *agent.answer.lock().unwrap() = Outcome::BackedOut;
    setup().region.register_resource_manager(agent).unwrap();
    disabled("TRFORC");
}
