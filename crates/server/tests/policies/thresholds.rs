//! Each threshold at n and n + 1: a program gives a command as often as its rule allows, and once more.

use crate::support::{install_policy, limit, program, run};

/// The procedure of a program that does something as often as `times` says.
fn repeated(times: u64, what: &str) -> String {
    let what: String = what.lines().map(|line| format!("       {line}\n")).collect();
    format!("MAIN.\n    PERFORM {times} TIMES\n{what}    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.")
}

const WORKING_STORAGE: &str = "01 WS-Q PIC X(8) VALUE 'POLICYQ '.\n01 WS-KEY PIC X(4) VALUE 'K001'.\n01 WS-DATA PIC X(10) VALUE 'ABCDEFGHIJ'.\n01 WS-LEN PIC S9(4) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-CHILD PIC X(16).\n01 WS-N PIC S9(8) COMP.\n01 WS-D PIC X(8).\n01 WS-PTR USAGE POINTER.";

/// What a rule limits: type, condition, item.
type Limited = (&'static str, &'static str, &'static str);

/// The messages of the rules about a transaction that is run now.
fn told(transid: &str) -> Vec<String> {
    run(transid).into_iter().filter(|line| line.starts_with("DFHMP3001")).collect()
}

/// A rule acts with the command after the last one that it allows, and only then. `number` makes the names of the test its own.
fn check(number: usize, of: Limited, command: &str) {
    const ALLOWED: u64 = 3;
    let (exact, over) = (format!("P{number:02}A"), format!("P{number:02}B"));
    let rule = |transid: &str| limit(&format!("{}_{transid}", of.2), transid, of, (ALLOWED, ""), "<message/>");
    install_policy(&format!("B{over}"), &(rule(&exact) + &rule(&over)));
    program(&exact, &format!("PLEX{number:02}"), WORKING_STORAGE, &repeated(ALLOWED, command));
    program(&over, &format!("PLOV{number:02}"), WORKING_STORAGE, &repeated(ALLOWED + 1, command));
    assert_eq!(told(&exact), Vec::<String>::new(), "{} {} at its threshold", of.0, of.2);
    let lines = told(&over);
    assert_eq!(lines.len(), 1, "{} {} over its threshold: {lines:#?}", of.0, of.2);
    let expected = format!(
        "BundleId=B{over}.id, PolicyName=B{over}P, RuleName={}_{over}, RuleType={}, Category={}, Threshold=3 (Value=3, Unit=), CurrentCount=4",
        of.2, of.0, of.2
    );
    assert!(lines[0].contains(&expected), "{}", lines[0]);
}

/// Commands are counted when they are given: the file and the counter are not there.
const COMMANDS: [(Limited, &str); 20] = [
    (("asyncrequest", "asyncRequestCondition", "runtransid"), "EXEC CICS RUN TRANSID('NONE') CHILD(WS-CHILD)\n  RESP(WS-RESP) END-EXEC"),
    (("filerequest", "fileRequestCondition", "delete"), "EXEC CICS DELETE FILE('NOFILE') RIDFLD(WS-KEY)\n  RESP(WS-RESP) END-EXEC"),
    (
        ("filerequest", "fileRequestCondition", "read"),
        "EXEC CICS READ FILE('NOFILE') RIDFLD(WS-KEY)\n  INTO(WS-DATA) RESP(WS-RESP) END-EXEC",
    ),
    (
        ("filerequest", "fileRequestCondition", "readupdate"),
        "EXEC CICS READ FILE('NOFILE') RIDFLD(WS-KEY) UPDATE\n  INTO(WS-DATA) RESP(WS-RESP) END-EXEC\nEXEC CICS UNLOCK FILE('NOFILE') RESP(WS-RESP) END-EXEC",
    ),
    (
        ("filerequest", "fileRequestCondition", "readnext"),
        "EXEC CICS READNEXT FILE('NOFILE') RIDFLD(WS-KEY)\n  INTO(WS-DATA) RESP(WS-RESP) END-EXEC",
    ),
    (
        ("filerequest", "fileRequestCondition", "readprev"),
        "EXEC CICS READPREV FILE('NOFILE') RIDFLD(WS-KEY)\n  INTO(WS-DATA) RESP(WS-RESP) END-EXEC",
    ),
    (("filerequest", "fileRequestCondition", "rewrite"), "EXEC CICS REWRITE FILE('NOFILE') FROM(WS-DATA)\n  RESP(WS-RESP) END-EXEC"),
    (("filerequest", "fileRequestCondition", "startbr"), "EXEC CICS STARTBR FILE('NOFILE') RIDFLD(WS-KEY)\n  RESP(WS-RESP) END-EXEC"),
    (
        ("filerequest", "fileRequestCondition", "write"),
        "EXEC CICS WRITE FILE('NOFILE') RIDFLD(WS-KEY)\n  FROM(WS-DATA) RESP(WS-RESP) END-EXEC",
    ),
    (
        ("namedcounterrequest", "namedCounterRequestCondition", "getcounter"),
        "EXEC CICS GET COUNTER('NOCOUNTER') VALUE(WS-N)\n  RESP(WS-RESP) END-EXEC",
    ),
    (
        ("namedcounterrequest", "namedCounterRequestCondition", "getdcounter"),
        "EXEC CICS GET DCOUNTER('NOCOUNTER') VALUE(WS-D)\n  RESP(WS-RESP) END-EXEC",
    ),
    (("programrequest", "programRequestCondition", "link"), "EXEC CICS LINK PROGRAM('NOBODY') RESP(WS-RESP) END-EXEC"),
    (("startrequest", "startRequestCondition", "start"), "EXEC CICS START TRANSID('NONE') RESP(WS-RESP) END-EXEC"),
    (("syncpointrequest", "syncpointRequestCondition", "syncpoint"), "EXEC CICS SYNCPOINT END-EXEC"),
    (("tdqrequest", "tdqRequestCondition", "readq"), "EXEC CICS READQ TD QUEUE('NOTD') INTO(WS-DATA)\n  RESP(WS-RESP) END-EXEC"),
    (("tdqrequest", "tdqRequestCondition", "writeq"), "EXEC CICS WRITEQ TD QUEUE('NOTD') FROM(WS-DATA)\n  RESP(WS-RESP) END-EXEC"),
    (("tsqrequest", "tsqRequestCondition", "readq"), "EXEC CICS READQ TS QUEUE('NOQUEUE') INTO(WS-DATA)\n  RESP(WS-RESP) END-EXEC"),
    (("tsqrequest", "tsqRequestCondition", "writeqmain"), "EXEC CICS WRITEQ TS QUEUE(WS-Q) FROM(WS-DATA) MAIN\n  END-EXEC"),
    (
        ("storagerequest", "storageRequestCondition", "task31request"),
        "EXEC CICS GETMAIN SET(WS-PTR) FLENGTH(100) END-EXEC\nEXEC CICS FREEMAIN DATAPOINTER(WS-PTR) END-EXEC",
    ),
    (
        ("storagerequest", "storageRequestCondition", "shared24request"),
        "EXEC CICS GETMAIN SET(WS-PTR) FLENGTH(100) BELOW SHARED\n  END-EXEC\nEXEC CICS FREEMAIN DATAPOINTER(WS-PTR) END-EXEC",
    ),
];

#[test]
fn requests_are_counted_up_to_their_threshold() {
    for (number, (of, command)) in COMMANDS.iter().enumerate() {
        check(number, *of, command);
    }
}

#[test]
fn all_commands_count_as_exec_cics_requests() {
    let of = ("execcicsrequest", "execCicsRequestCondition", "execcicscommand");
    install_policy("BPCA", &(limit("four", "PCA1", of, (4, ""), "<message/>") + &limit("four_", "PCA2", of, (4, ""), "<message/>")));
    let ask = "EXEC CICS ASKTIME END-EXEC";
    program("PCA1", "PLCMD1", WORKING_STORAGE, &repeated(3, ask));
    program("PCA2", "PLCMD2", WORKING_STORAGE, &repeated(4, ask));
    assert_eq!(told("PCA1").len(), 0, "three ASKTIME and the RETURN");
    let lines = told("PCA2");
    assert!(lines.len() == 1 && lines[0].contains("CurrentCount=5"), "{lines:#?}");
}

#[test]
fn bytes_and_storage_are_compared_with_their_thresholds() {
    let bytes = ("tsqbytes", "tsqBytesCondition", "writeqmain");
    let storage = ("storage", "storageUsedCondition", "shared31");
    install_policy("BPBY", &(limit("b40", "PBY1", bytes, (40, "B"), "<message/>") + &limit("b39", "PBY2", bytes, (39, "B"), "<message/>")));
    install_policy(
        "BPST",
        &(limit("k4", "PST1", storage, (4, "K"), "<message/>") + &limit("b4095", "PST2", storage, (4_095, "B"), "<message/>")),
    );
    let write = "EXEC CICS WRITEQ TS QUEUE('POLBYTES') FROM(WS-DATA)\n  MAIN END-EXEC";
    program("PBY1", "PLBYT1", WORKING_STORAGE, &repeated(4, write));
    program("PBY2", "PLBYT2", WORKING_STORAGE, &repeated(4, write));
    let get = "EXEC CICS GETMAIN SET(WS-PTR) FLENGTH(2048) SHARED\n  END-EXEC\nEXEC CICS FREEMAIN DATAPOINTER(WS-PTR) END-EXEC";
    program("PST1", "PLSTO1", WORKING_STORAGE, &repeated(2, get));
    program("PST2", "PLSTO2", WORKING_STORAGE, &repeated(2, get));
    assert_eq!((told("PBY1").len(), told("PST1").len()), (0, 0));
    let (bytes, storage) = (told("PBY2"), told("PST2"));
    assert!(bytes.len() == 1 && bytes[0].contains("Threshold=39 (Value=39, Unit=B), CurrentCount=40"), "{bytes:#?}");
    assert!(storage.len() == 1 && storage[0].contains("Threshold=4095 (Value=4095, Unit=B), CurrentCount=4096"), "{storage:#?}");
}

#[test]
fn a_task_that_waits_too_long_is_told_with_its_next_command() {
    let of = ("time", "timeCondition", "elapsedlimit");
    install_policy("BPEL", &(limit("m50", "PEL1", of, (50, "M"), "<message/>") + &limit("s60", "PEL2", of, (60, "S"), "<message/>")));
    let wait = "EXEC CICS DELAY FOR MILLISECS(60) END-EXEC";
    program("PEL1", "PLELA1", WORKING_STORAGE, &repeated(1, wait));
    program("PEL2", "PLELA2", WORKING_STORAGE, &repeated(1, wait));
    assert_eq!((told("PEL1").len(), told("PEL2").len()), (1, 0));
}

#[test]
fn an_abend_keeps_the_command_from_being_executed() {
    let of = ("startrequest", "startRequestCondition", "start");
    install_policy("BPSA", &limit("no_more_starts", "PSA1", of, (2, ""), "<abend abendCode=\"PLIM\"/>"));
    let start = "EXEC CICS START TRANSID('NONE') RESP(WS-RESP)\n  END-EXEC";
    program("PSA1", "PLSTART1", WORKING_STORAGE, &repeated(3, start));
    let lines = run("PSA1");
    let exceeded = lines.iter().find(|line| line.starts_with("DFHMP3002")).unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(exceeded.contains("abend code PLIM") && exceeded.contains("CurrentCount=3"), "{exceeded}");
    assert!(lines.iter().any(|line| line.starts_with("DFHAC2206") && line.contains("PLIM")), "{lines:#?}");
}

#[test]
fn rules_act_in_the_order_of_their_thresholds_once_in_a_task() {
    let of = ("syncpointrequest", "syncpointRequestCondition", "syncpoint");
    let rules = limit("second", "POR1", of, (2, ""), "<message/>")
        + &limit("first", "POR1", of, (1, ""), "<message/>")
        + &limit("last", "POR1", of, (2, ""), "<abend/>");
    install_policy("BPOR", &rules);
    program("POR1", "PLORDER1", WORKING_STORAGE, &repeated(5, "EXEC CICS SYNCPOINT END-EXEC"));
    let lines: Vec<String> =
        run("POR1").into_iter().filter(|line| line.starts_with("DFHMP3001") || line.starts_with("DFHMP3002")).collect();
    let of_rule = |line: &String, rule: &str| line.contains(&format!("RuleName={rule},"));
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(of_rule(&lines[0], "first") && of_rule(&lines[1], "second") && of_rule(&lines[2], "last"), "{lines:#?}");
    assert!(lines[2].starts_with("DFHMP3002") && lines[2].contains("AMPB"), "{lines:#?}");
}

#[test]
fn a_loop_without_commands_is_abended_for_its_processor_time() {
    let of = ("time", "timeCondition", "cpulimit");
    install_policy("BPCP", &limit("cpu200", "PCP1", of, (200, "M"), "<abend abendCode=\"LOOP\"/>"));
    program(
        "PCP1",
        "PLLOOP1",
        WORKING_STORAGE,
        "MAIN.\n    MOVE ZERO TO WS-N.\n    PERFORM UNTIL WS-N < ZERO\n       ADD 1 TO WS-N\n       IF WS-N > 1000 MOVE ZERO TO WS-N END-IF\n    END-PERFORM.\n    EXEC CICS RETURN END-EXEC.",
    );
    let lines = run("PCP1");
    let exceeded = lines.iter().find(|line| line.starts_with("DFHMP3002")).unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(exceeded.contains("Category=cpulimit, Threshold=200000 (Value=200, Unit=M)"), "{exceeded}");
    assert!(lines.iter().any(|line| line.starts_with("DFHAC2206") && line.contains("LOOP")), "{lines:#?}");
}

#[test]
fn a_task_that_waits_too_long_is_abended_in_its_wait() {
    let of = ("time", "timeCondition", "elapsedlimit");
    install_policy("BPEA", &limit("m200", "PEA1", of, (200, "M"), "<abend abendCode=\"LONG\"/>"));
    program("PEA1", "PLWAIT1", WORKING_STORAGE, "MAIN.\n    EXEC CICS DELAY FOR SECONDS(60) END-EXEC.\n    EXEC CICS RETURN END-EXEC.");
    let lines = run("PEA1");
    assert!(lines.iter().any(|line| line.starts_with("DFHAC2206") && line.contains("LONG")), "{lines:#?}");
}

/// "A rule acts once in a task": the abend exit gives commands although the task is still as old.
#[test]
fn a_rule_about_time_does_not_abend_the_abend_exit_too() {
    let of = ("time", "timeCondition", "elapsedlimit");
    install_policy("BPEX", &limit("m200", "PEX1", of, (200, "M"), "<abend abendCode=\"LONG\"/>"));
    let procedure = "MAIN.\n    EXEC CICS HANDLE ABEND LABEL(TOO-LONG) END-EXEC.\n    EXEC CICS DELAY FOR SECONDS(60) END-EXEC.\n    EXEC CICS RETURN END-EXEC.\nTOO-LONG.\n    EXEC CICS ASKTIME END-EXEC.\n    EXEC CICS ABEND ABCODE('MINE') NODUMP END-EXEC.";
    program("PEX1", "PLWAIT2", WORKING_STORAGE, procedure);
    let lines = run("PEX1");
    assert_eq!(lines.iter().filter(|line| line.starts_with("DFHMP3002")).count(), 1, "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("DFHAC2206") && line.contains("MINE")), "{lines:#?}");
}
