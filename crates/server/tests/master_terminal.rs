//! CEMT as an operator uses it: what can be listed, restricted, discarded and purged, and what is answered to a slip.
//!
//! One region serves all tests of this binary, because the storage areas have fixed addresses.

mod scratch;
mod terminal_support;

use csd::Definition;
use exec::{command, option};
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, StartCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};
use terminal_support::{connect, connect_as, define, the_region};
use tn3270::{Client, ClientConfig};

/// Held by every test; alone by one that ends the tasks of others.
static TASKS: RwLock<()> = RwLock::new(());

/// Enters a CEMT command on a cleared screen and returns the answer.
fn ask(terminal: &mut Client, command: &str) -> String {
    terminal.enter("PF3").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run(&format!("CEMT {command}")).unwrap();
    terminal.wait_text("PF 1 HELP").unwrap_or_else(|_| panic!("{command}: {}", terminal.text()));
    let screen = terminal.text();
    assert!((1..=24).all(|row| terminal.screen().row(row).chars().count() <= 80), "{screen}");
    screen
}

#[test]
fn netnames_are_listed() {
    let _tasks = TASKS.read();
    let mut others = ["NETLIST1", "NETLIST2"].map(|lu| connect_as(ClientConfig { lu: Some(lu.to_string()), ..ClientConfig::default() }));
    for other in &mut others {
        other.wait_text("WELCOME").unwrap();
    }
    let mut terminal = connect();
    let screen = ask(&mut terminal, "I NETNAME");
    assert!(
        screen.contains("Net(NETLIST1) Ter(IST1) Tra(    ) Pri(000) Pag Ins Ati Tti") && screen.contains("Net(NETLIST2) Ter(IST2)"),
        "{screen}"
    );
    let screen = ask(&mut terminal, "I NE(NETLIST*)");
    assert_eq!(screen.matches("Net(").count(), 2, "{screen}");
    let screen = ask(&mut terminal, "I NETNAME(NOWHERE)");
    assert!(screen.contains("NOT FOUND"), "{screen}");
}

/// An option without a value restricts nothing; one that no column shows restricts as well as the others.
#[test]
fn inquiries_are_restricted_by_every_option() {
    let _tasks = TASKS.read();
    the_region().install(&Definition::new("TRANCLASS", "OPCLASS", "TEST").with("MAXACTIVE", "5")).unwrap();
    for transid in ["RST1", "RST2"] {
        define(transid, |_| Ok(()));
    }
    the_region().transactions().find(Name4::new("RST2")).unwrap().change(|definition| {
        definition.tranclass = Name8::new("OPCLASS");
        definition.twa_bytes = 16;
    });
    let mut terminal = connect();
    for command in ["I SYSTEM MAXTASKS", "I SYS MAXT", "I SYS"] {
        let screen = ask(&mut terminal, command);
        assert!(screen.contains("Maxtasks( ") && screen.contains("RESPONSE: NORMAL"), "{command}: {screen}");
    }
    for (command, found) in [
        ("I TRA(RST*) PRIORITY", "12"),
        ("I TRA(RST*) TCL(OPCLASS)", "2"),
        ("I TRA(RST*) TWASIZE(16)", "2"),
        ("I TRA(RST*) TWASIZE(0)", "1"),
        ("I TRA(RST*) ENABLED", "12"),
    ] {
        let screen = ask(&mut terminal, command);
        for number in ["1", "2"] {
            assert_eq!(screen.contains(&format!("Tra(RST{number})")), found.contains(number), "{command}: {screen}");
        }
    }
    let screen = ask(&mut terminal, "I TRA(RST*) PRIORTIY(1)");
    assert!(screen.contains("E 'PRIORTIY' IS NOT VALID AND IS IGNORED. DID YOU MEAN PRIORITY?"), "{screen}");
    let screen = ask(&mut terminal, "I TRA(RST*) FROBBED");
    assert!(screen.contains("E 'FROBBED' IS NOT VALID"), "{screen}");
    let screen = ask(&mut terminal, "I STREAM(NOWHERE)");
    assert!(screen.contains("NOT FOUND") && !screen.contains("DFHLOG"), "{screen}");
}

/// What the syntax panel of DISCARD offers can be discarded; what CICS has besides is said to be not available.
#[test]
fn definitions_are_discarded() {
    let _tasks = TASKS.read();
    let region = the_region();
    define("DSC1", |_| Ok(()));
    let resources = [
        Definition::new("TRANCLASS", "DSCCLASS", "TEST").with("MAXACTIVE", "5"),
        Definition::new("PROGRAM", "DSCPROG", "TEST"),
        Definition::new("MAPSET", "DSCMAPS", "TEST"),
        Definition::new("FILE", "DSCFILE", "TEST").with("DSNAME", "TEST.DISCARD").with("STATUS", "UNENABLED"),
        Definition::new("TSMODEL", "DSCMODEL", "TEST").with("PREFIX", "DSCP"),
        Definition::new("ENQMODEL", "DSCENQ", "TEST").with("ENQNAME", "DSCENQNAME").with("ENQSCOPE", ""),
        Definition::new("JOURNALMODEL", "DSCJOUR", "TEST").with("JOURNALNAME", "DSCJ").with("TYPE", "DUMMY"),
        Definition::new("TDQUEUE", "DSCQ", "TEST").with("TYPE", "INTRA"),
    ];
    for resource in &resources {
        region.install(resource).unwrap();
    }
    let set_class = |name: &str| {
        let transaction = region.transactions().find(Name4::new("DSC1")).unwrap();
        transaction.change(|definition| definition.tranclass = Name8::new(name));
    };
    set_class("DSCCLASS");
    let mut terminal = connect();
    let menu = ask(&mut terminal, "DISCARD");
    for offered in ["TClass", "Program", "TRAnsaction", "FIle", "ENQModel", "JModel", "TDqueue", "TSModel"] {
        assert!(menu.contains(offered), "{offered}: {menu}");
    }
    assert!(!menu.contains("TAsk") && !menu.contains("SYstem"), "{menu}");
    ask(&mut terminal, "S TDQ(DSCQ) DISABLED");
    for (command, answer) in [
        ("D TCL(DSCCLASS)", "INVREQ 12: TRANSACTIONS BELONG TO THE CLASS"),
        ("D PROG(DFHEMTP)", "INVREQ 1: THE NAME OF THE PROGRAM BEGINS WITH DFH"),
        ("D TRA(CEMT)", "INVREQ 4: THE TRANSACTION IS SUPPLIED BY CICS"),
        ("D TRA(NONE)", "NOT FOUND"),
        ("D PROG(NOWHERE)", "NOT FOUND"),
        ("D TCL(NOWHERE)", "NOT FOUND"),
        ("DISCARD TERMINAL(ABCD)", "NOT FOUND"),
        ("DISCARD TASK(1)", "E 'TASK' IS NOT VALID AND IS IGNORED."),
        ("I CONNECTION", "INQUIRE CONNECTION IS NOT AVAILABLE IN THIS RELEASE"),
    ] {
        let screen = ask(&mut terminal, command);
        assert!(screen.contains(answer) && screen.contains("RESPONSE: 1 ERROR"), "{command}: {screen}");
    }
    set_class("DFHTCL00");
    for (command, inquiry) in [
        ("D TCL(DSCCLASS)", "I TCL(DSCCLASS)"),
        ("D PROG(DSCPROG)", "I PROG(DSCPROG)"),
        ("D PROG(DSCMAPS)", "I PROG(DSCMAPS)"),
        ("D TRA(DSC1)", "I TRA(DSC1)"),
        ("D FILE(DSCFILE)", "I FILE(DSCFILE)"),
        ("D TSMODEL(DSCMODEL)", "I TSMODEL(DSCMODEL)"),
        ("D ENQM(DSCENQ)", "I ENQM(DSCENQ)"),
        ("D JM(DSCJOUR)", "I JM(DSCJOUR)"),
        ("D TDQ(DSCQ)", "I TDQ(DSCQ)"),
    ] {
        let screen = ask(&mut terminal, command);
        assert!(screen.contains("RESPONSE: NORMAL"), "{command}: {screen}");
        let screen = ask(&mut terminal, inquiry);
        assert!(screen.contains("NOT FOUND"), "{inquiry}: {screen}");
    }
    assert!(region.installed.read().get("PROGRAM", "DSCPROG").is_none() && region.installed.read().get("MAPSET", "DSCMAPS").is_none());
}

/// A transaction that is to be started is not discarded.
#[test]
fn a_transaction_that_is_scheduled_is_not_discarded() {
    let _tasks = TASKS.read();
    define("SCHD", |_| Ok(()));
    define("SCHS", |task| {
        let mut start = Call::new(command::START);
        start.text(task, option::TRANSID, "SCHD").text(task, option::REQID, "SCHEDULE").integer(option::INTERVAL, 10_000);
        assert!(start.execute(task)?.is_normal());
        Ok(())
    });
    let mut terminal = connect();
    ask(&mut terminal, "I TRA(SCHD)");
    the_region().attach(AttachRequest::new(Name4::new("SCHS"), StartCode::Start)).unwrap();
    testing::eventually("the START", || ask(&mut terminal, "D TRA(SCHD)").contains("INVREQ 14"));
}

/// The operator sees the list of what was purged.
#[test]
fn a_purge_of_all_tasks_spares_the_operators() {
    let _tasks = TASKS.write().unwrap_or_else(PoisonError::into_inner);
    define("WAIT", |task| {
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::SECONDS, 600);
        delay.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    for command in ["S TASK ALL FORCE", "SET TASK PURGE", "S TA ALL KILL"] {
        the_region().attach(AttachRequest::new(Name4::new("WAIT"), StartCode::Start)).unwrap();
        testing::eventually("the task waits", || ask(&mut terminal, "I TASK TRA(WAIT) SUS").contains("Tra(WAIT)"));
        let screen = ask(&mut terminal, command);
        let row = |transid: &str| screen.lines().find(|line| line.contains(transid)).unwrap_or_default().to_string();
        assert!(!row("Tra(CEMT)").is_empty() && !row("Tra(CEMT)").contains("NORMAL"), "{command}: {screen}");
        assert!(screen.contains("NORMAL") && !screen.contains("AEXY"), "{command}: {screen}");
        testing::eventually("the task is purged", || ask(&mut terminal, "I TASK TRA(WAIT)").contains("NOT FOUND"));
    }
    // The same of terminals: the operator's own session goes on.
    let screen = ask(&mut terminal, "S TERM ALL RELEASED");
    assert!(screen.contains("STATUS:  RESULTS"), "{screen}");
}

/// "SET TASK": PURGE ends a task of a transaction with SPURGE(YES) when it waits; SUSPEND gives up control thousands of times a second.
#[test]
fn a_purge_reaches_a_loop_with_suspend() {
    let _tasks = TASKS.write().unwrap_or_else(PoisonError::into_inner);
    define("LOOP", |task| {
        loop {
            Call::new(command::SUSPEND).execute(task)?;
        }
    });
    let mut terminal = connect();
    the_region().attach(AttachRequest::new(Name4::new("LOOP"), StartCode::Start)).unwrap();
    testing::eventually("the task runs", || ask(&mut terminal, "I TASK TRA(LOOP)").contains("Tra(LOOP)"));
    let screen = ask(&mut terminal, "SET TASK PURGE");
    assert!(screen.contains("NORMAL"), "{screen}");
    testing::eventually("the task is purged", || ask(&mut terminal, "I TASK TRA(LOOP)").contains("NOT FOUND"));
}

/// Nothing an operator means.
const ODD: &[&str] = &[
    "I TRA('CEMT')",
    "I TRA(''''')",
    "I TRA(''",
    "I TRA(",
    "I TRA)",
    "I TRA()",
    "I (CEMT)",
    "()",
    "(((((",
    ")",
    ",",
    "'",
    "I TRA(CEMT) )(",
    "I TRA(CEMT))))",
    "I,TRA(CEMT)",
    "I TRA(+++++)",
    "I TRA(***********************************)",
    "I TRA(TOOLONGNAME)",
    "I FILE(ABCDEFGHIJKLMNOPQRSTUVWXYZ)",
    "I TSQ(A QUEUE WITH BLANKS AND MORE)",
    "I TASK(ABC)",
    "I TASK(-1)",
    "I TASK(99999999999999999999)",
    "S TASK(0) FORCE",
    "S TASK(1) PRIORITY(999)",
    "S TASK(1) PRIORITY(99999999999999999999999)",
    "S SYS MAXTASKS(-5)",
    "S SYS MAXTASKS()",
    "S SYS MAXTASKS",
    "S SYS RUNAWAY(1.5)",
    "S TRA(CEMT) PRIORITY(A)",
    "S TRA",
    "S TRA(*)",
    "S FILE(*) OPEN CLOSED",
    "I UOW(ZZZZ)",
    "I UOW(*)",
    "I UOWLINK(0)",
    "D",
    "D FILE",
    "D FILE()",
    "D TRA(*X*Y*)",
    "P",
    "P X",
    "P STAT",
    "P STAT RECORD FROB",
    "P SHU",
    "? ? ?",
    "I TRA ? CEMT",
    "I SYS DFLTUSER(A)",
    "I TRA(CE*) PRI(1) PRI(2) PRI(3) PRI(4)",
    "I TRA PRI(((1)))",
    "SET",
    "\u{a7}\u{e4}\u{f6}\u{fc}",
];

/// Whatever is typed, CEMT answers it on a screen of its own, and goes on.
#[test]
fn odd_input_is_answered() {
    let _tasks = TASKS.read();
    let mut terminal = connect();
    let long_names = format!("I FILE({})", "ABCDEFGH,".repeat(100));
    let long_word = format!("I {}", "X".repeat(1000));
    let long_value = format!("S FILE(ODDFILE) DSNAME({})", "Q".repeat(700));
    let long = [long_names.as_str(), &long_word, &long_value];
    for command in ODD.iter().copied().chain(long) {
        let screen = ask(&mut terminal, command);
        assert!(screen.contains("STATUS:  ") && !screen.contains("DFHAC"), "{command}: {screen}");
        // Keys do no harm either.
        for key in ["PF8", "PF11", "PF7", "PF10", "PF9", "PF12", "PF24", "ENTER"] {
            terminal.enter(key).unwrap();
            terminal.wait_text("PF 1 HELP").unwrap_or_else(|_| panic!("{command} {key}: {}", terminal.text()));
        }
        assert!(!terminal.text().contains("DFHAC"), "{command}: {}", terminal.text());
    }
    for (command, answer) in [
        ("() FILE(A)", "E '()' IS NOT VALID"),
        ("P SHU", "E 'SHU' IS NOT VALID AND IS IGNORED. DID YOU MEAN SHUTDOWN?"),
        ("S SYS MAXTASKS", "E 'MAXTASKS' NEEDS A VALUE. NOTHING HAS BEEN SET."),
        ("S SYS MAXTASKS(-5)", "MAXTASKS IS NOT 10 TO 2000"),
        ("I TRA(CEMT)", "Tra(CEMT)"),
    ] {
        let screen = ask(&mut terminal, command);
        assert!(screen.contains(answer), "{command}: {screen}");
    }
    // Nothing has been set, so nothing is said of it.
    let screen = ask(&mut terminal, "S TRA(CEMT)");
    assert!(screen.contains("Tra(CEMT)") && screen.matches("NORMAL").count() == 1, "{screen}");
}

/// Dump codes are added, restricted, reset and removed; a dump is taken up to the maximum of its code, and the answer names it.
#[test]
fn dump_codes_are_set_and_dumps_taken() {
    let _tasks = TASKS.read();
    let mut terminal = connect();
    for (command, answer) in [
        ("I TRD(OPDC)", "NOT FOUND"),
        ("S TRD(OPDC) ADD MAX(7) SYS", "Trd(OPDC) Tra Sys Loc     Max( 007 ) Cur(0000)"),
        ("S TRANDUMPCODE(OPDC) NOSYSDUMP SHU", "Trd(OPDC) Tra     Loc Shu Max( 007 ) Cur(0000)"),
        ("S TRD(OPDC) ADD", "DUPREC 10"),
        ("S TRD(OPDC) REMOVE", "NORMAL"),
        ("I TRD(OPDC)", "NOT FOUND"),
        ("S SYD(OPSYD) ADD MAX(1) REL", "Syd(OPSYD   ) Sys Rel     Max( 001 ) Cur(0000)"),
        ("P DUMP DUMPCODE(OPSYD)", "DUMPID("),
        ("P SNAP DUMPCODE(OPSYD) TITLE(SECOND)", "SUPPRESSED 1"),
        ("I SYD(OPSYD)", "Max( 001 ) Cur(0002)"),
        ("S SYD(OPSYD) RESET", "Max( 001 ) Cur(0000)"),
        ("S SYS NOSYSDUMP", "Dumping( Nosysdump "),
        ("P DUMP DUMPCODE(OPSYD)", "SUPPRESSED 3"),
        ("S SYS SYSDUMP", "Dumping( Sysdump "),
        ("P DUMP DUMPCODE(OP SYD)", "INVREQ 13"),
    ] {
        let screen = ask(&mut terminal, command);
        assert!(screen.contains(answer), "{command}: {screen}");
    }
}

/// Where the work of a task came from: one that was started has the task that started it as previous transaction and as origin.
#[test]
fn associations_are_shown() {
    static SEEN: AtomicBool = AtomicBool::new(false);
    let _tasks = TASKS.read();
    define("ASC1", |task| {
        let mut start = Call::new(command::START);
        start.text(task, option::TRANSID, "ASC2");
        assert!(start.execute(task)?.is_normal());
        Ok(())
    });
    define("ASC2", |task| {
        while !SEEN.load(Ordering::Relaxed) {
            let mut delay = Call::new(command::DELAY);
            delay.flag(option::FOR).integer(option::MILLISECS, 20);
            delay.execute(task)?;
        }
        Ok(())
    });
    let first = the_region().attach(AttachRequest::new(Name4::new("ASC1"), StartCode::Start)).unwrap();
    let mut terminal = connect();
    testing::eventually("ASC2", || ask(&mut terminal, "I ASS TRA(ASC2)").contains("Tra(ASC2)"));
    let screen = ask(&mut terminal, "I ASSOCIATION TRANSACTION(ASC2)");
    SEEN.store(true, Ordering::Relaxed);
    assert_eq!(screen.matches("Ass(").count(), 1, "{screen}");
    for shown in [format!("Odta({first:07})"), "Odtr(ASC1)".to_string(), format!("Ptta({first:07})"), "Pttr(ASC1)".to_string()] {
        assert!(screen.contains(&shown), "{shown}: {screen}");
    }
    assert!(screen.contains("Ptc(00001)") && screen.contains("Phc(00000)"), "{screen}");
}
