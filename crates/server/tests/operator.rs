//! The terminals that definitions produce, and the operator's transactions beyond their first steps.
//!
//! One region serves all tests of this binary, because the storage areas have fixed addresses.

mod scratch;
mod terminal_support;

use terminal_support::{MORE_SIT, connect, connect_as, define, the_region};

use csd::Definition;
use exec::{command, condition, cvda, option};
use region::control_blocks::{options, queried};
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, StartCode};
use std::sync::atomic::{AtomicBool, Ordering};
use tn3270::ClientConfig;

/// A terminal with its own definitions: TYPETERM and TERMINAL by its network name.
fn install_terminal(name: &str, netname: &str, attributes: &[(&'static str, &str)]) {
    let region = the_region();
    let mut typeterm =
        Definition::new("TYPETERM", &format!("TYPE{name}"), "TEST").with("DEVICE", "LUTYPE2").with("ATI", "YES").with("TTI", "YES");
    for (attribute, value) in attributes {
        typeterm = typeterm.with(attribute, value);
    }
    region.install(&typeterm).unwrap();
    let terminal = Definition::new("TERMINAL", name, "TEST").with("NETNAME", netname).with("TYPETERM", &format!("TYPE{name}"));
    region.install(&terminal).unwrap();
}

fn connect_lu(lu: &str) -> tn3270::Client {
    connect_as(ClientConfig { lu: Some(lu.to_string()), ..ClientConfig::default() })
}

/// Shows the result of RECEIVE.
fn define_letters(transid: &str) {
    define(transid, |task| {
        let mut receive = Call::new(command::RECEIVE);
        receive.bytes(option::INTO, &[0; 40]).integer(option::LENGTH, 40);
        assert_eq!(receive.execute(task)?.condition, condition::EOC);
        let length = receive.result(option::LENGTH).unwrap() as usize;
        let text = task.region.code_page.text(&receive.result_bytes(option::INTO)[..length]);
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &format!("SEEN '{text}'")).flag(option::ERASE).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
}

#[test]
fn letters_are_folded_as_typeterm_and_profile_say() {
    define_letters("LETT");
    define_letters("LETP");
    the_region().install(&Definition::new("PROFILE", "FOLDING", "TEST").with("UCTRAN", "YES")).unwrap();
    the_region().transactions().find(Name4::new("LETP")).unwrap().change(|definition| definition.profile = Name8::new("FOLDING"));
    for (name, uctran, transid, seen) in [
        ("UCN1", "NO", "LETT abc", "LETT abc"),
        ("UCN2", "TRANID", "lett abc", "lett abc"),
        ("UCN3", "YES", "lett abc", "LETT ABC"),
        // The profile folds where the terminal does not.
        ("UCN4", "TRANID", "letp abc", "LETP ABC"),
    ] {
        let lu = format!("LETTERS{}", &name[3..]);
        install_terminal(name, &lu, &[("UCTRAN", uctran)]);
        let mut terminal = connect_lu(&lu);
        terminal.wait_greeting().unwrap();
        terminal.run(transid).unwrap();
        terminal.wait_text(&format!("SEEN '{seen}'")).unwrap();
    }
    // Without folding a transaction in small letters is not there.
    install_terminal("UCN5", "LETTERSN", &[("UCTRAN", "NO")]);
    let mut terminal = connect_lu("LETTERSN");
    terminal.wait_greeting().unwrap();
    terminal.run("lett").unwrap();
    terminal.wait_text("Transaction 'lett' is not recognized").unwrap();
}

#[test]
fn user_areas_are_below_the_line_with_tctualoc_below() {
    let test = ["--exact", "the_user_area_of_a_terminal_lives_between_tasks"];
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    let output = child.args(test).env(MORE_SIT, "TCTUALOC=BELOW").env(scratch::PURPOSE, "-below").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn the_user_area_of_a_terminal_lives_between_tasks() {
    const LENGTH: i64 = 255;
    install_terminal("TUA1", "AREALU", &[("USERAREALEN", "255"), ("UCTRAN", "YES")]);
    define("TUAR", |task| {
        let area = task.facility.terminal().unwrap().user_area();
        let mut assign = Call::new(command::ASSIGN);
        assign.integer(option::TCTUALENG, 0).execute(task)?;
        let mut address = Call::new(command::ADDRESS);
        address.integer(option::TCTUA, 0).execute(task)?;
        let counted = area.read().unwrap()[0] + 1;
        region::storage_access::write(area.address, &[counted]).unwrap();
        let same = address.result(option::TCTUA) == Some(area.address as i64);
        // TCTUALOC=ANY is the default: above 16 MB, and below 2 GB.
        let below = std::env::var(MORE_SIT).is_ok_and(|parameter| parameter == "TCTUALOC=BELOW");
        let placed = if below { area.address < 1 << 24 } else { (1 << 24..1 << 31).contains(&area.address) };
        let length = assign.result(option::TCTUALENG).unwrap();
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &format!("AREA {length} {same} {placed} {counted}")).flag(option::ERASE).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    let mut terminal = connect_lu("AREALU");
    terminal.wait_greeting().unwrap();
    for counted in 1..4 {
        terminal.enter("CLEAR").unwrap();
        terminal.run("TUAR").unwrap();
        terminal.wait_text(&format!("AREA {LENGTH} true true {counted}")).unwrap();
    }
}

#[test]
fn a_typeterm_limits_the_capabilities_of_the_device() {
    install_terminal("NOQ1", "PLAINLU", &[("QUERY", "NO"), ("ALTSCREEN", "24,80"), ("UCTRAN", "YES")]);
    let mut terminal = connect_lu("PLAINLU");
    terminal.wait_greeting().unwrap();
    terminal.run("CECI ASSIGN COLOR HILIGHT EXTDS ALTSCRNHT").unwrap();
    terminal.wait_text("ABOUT TO EXECUTE").unwrap();
    terminal.enter("PF2").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("EXECUTION COMPLETE").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("X'00'") && !screen.contains("X'FF'") && screen.contains("+00024"), "{screen}");
    terminal.enter("PF3").unwrap();
}

#[test]
fn cemt_shows_units_of_work_their_enqueues_and_the_log() {
    static HELD: AtomicBool = AtomicBool::new(false);
    define("ENQU", |task| {
        let mut enq = Call::new(command::ENQ);
        enq.bytes(option::RESOURCE, &task.region.code_page.encode("HELDNAME")).integer(option::LENGTH, 8);
        assert!(enq.execute(task)?.is_normal());
        HELD.store(true, Ordering::SeqCst);
        let mut delay = Call::new(command::DELAY);
        delay.flag(option::FOR).integer(option::SECONDS, 3);
        delay.execute(task).map(|_| ())
    });
    the_region().attach(AttachRequest::new(Name4::new("ENQU"), StartCode::Start)).unwrap();
    testing::eventually("the task holds the resource", || HELD.load(Ordering::SeqCst));
    let ask = |terminal: &mut tn3270::Client, command: &str| {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
    };
    let mut terminal = connect();
    terminal.run("CEMT I UOW").unwrap();
    terminal.wait_text("Inf").unwrap();
    // Eight bytes in hexadecimal digits, the transaction of the unit and the number of its task.
    let screen = terminal.text();
    let unit = screen.split("Uow(").find(|row| row.contains("Tra(ENQU)")).unwrap_or_else(|| panic!("{screen}"));
    let (id, rest) = unit.split_at(16);
    assert!(id.chars().all(|digit| digit.is_ascii_hexdigit()) && rest.starts_with(')'), "{screen}");
    ask(&mut terminal, &format!("CEMT I UOW({id})"));
    terminal.wait_text("NORMAL").unwrap();
    assert_eq!(terminal.text().matches("Uow(").count(), 1, "one unit: {}", terminal.text());
    ask(&mut terminal, "CEMT I ENQ");
    terminal.wait_text("HELDNAME").unwrap();
    let screen = terminal.text();
    assert!(screen.contains(&format!("Uow({id}) Tra(ENQU)")) && screen.contains("Act Exe Own") && screen.contains("Rle(008)"), "{screen}");
    ask(&mut terminal, "CEMT I STREAM");
    terminal.wait_text("DFHLOG").unwrap();
    assert!(terminal.text().contains("Sys"), "{}", terminal.text());
    ask(&mut terminal, "CEMT S JOU(DFHLOG) DIS");
    terminal.wait_text("INVREQ 3").unwrap();
}

#[test]
fn cemt_shows_changes_and_records_statistics() {
    let ask = |terminal: &mut tn3270::Client, command: &str, answer: &str| {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
        terminal.wait_text(answer).unwrap();
    };
    let mut terminal = connect();
    terminal.run("CEMT I STATI").unwrap();
    terminal.wait_text("Interval( 030000 )").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("Recording( Off ") && screen.contains("Endofday( 000000 )") && screen.contains("Nexttime(000000)"), "{screen}");
    let requested = || {
        let text = std::fs::read_to_string(the_region().data_directory.join("statistics/DFHSTATS")).unwrap_or_default();
        text.lines().filter(|line| line.contains("\"REQ\"") && line.contains("\"DFHDSGDS\"")).count()
    };
    // Each of these, and whether it begins statistics anew: a reset goes with a change of the recording status only.
    for (command, recording, resets) in [
        ("CEMT S STAT OFF RESETNOW", "Recording( Off ", false),
        ("CEMT S STAT ON INTERVAL(20000) RESETNOW", "Recording( On ", true),
        ("CEMT SET STAT ON RESET", "Recording( On ", false),
        ("CEMT SET STAT OFF RESET", "Recording( Off ", true),
        ("CEMT S STAT OFF RESETNOW", "Recording( Off ", false),
        ("CEMT S STAT ON", "Recording( On ", false),
    ] {
        let before = the_region().statistics().last_reset();
        ask(&mut terminal, command, "NORMAL");
        assert!(terminal.text().contains(recording), "{command}: {}", terminal.text());
        assert_eq!(the_region().statistics().last_reset() != before, resets, "{command}");
        // Records that are asked for are written whether statistics are on or off, and reset nothing.
        let (before, count) = (the_region().statistics().last_reset(), requested());
        ask(&mut terminal, "CEMT P STAT ALL REC", "COMPLETE");
        assert_eq!((the_region().statistics().last_reset(), requested()), (before, count + 1), "{command}");
    }
    ask(&mut terminal, "CEMT I STATI", "Interval( 020000 )");
    ask(&mut terminal, "CEMT S STAT OFF INTERVAL(30000)", "Interval( 030000 )");
}

#[test]
fn cemt_shows_the_syntax_on_request() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEMT S FI ?").unwrap();
    terminal.wait_text("STATUS:  COMMAND SYNTAX CHECK").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("CEMT Set FIle") && screen.contains("< OPEN | CLOSED >") && screen.contains("< DSNAME() >"), "{screen}");
    assert!(!screen.contains("RESPONSE"), "{screen}");
    terminal.fill_at(1, 2, "P ?").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("SHUTdown").unwrap();
    terminal.fill_at(1, 2, "DISCARD FILE(NOTTHERE)").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("NOT FOUND").unwrap();
    terminal.wait_text("RESPONSE: 1 ERROR").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("SESSION ENDED").unwrap();
    // CEOT: the operator's own terminal.
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEOT").unwrap();
    let name = terminal.lu().map(|lu| lu[lu.len().saturating_sub(4)..].to_string()).unwrap_or_default();
    terminal.wait_text(&format!("Ter({name}) Tra(CEOT)")).unwrap();
    terminal.enter("PF3").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEOT NOATI").unwrap();
    terminal.wait_text("Ins     Tti").unwrap();
    assert!(terminal.text().contains("NORMAL"), "{}", terminal.text());
    terminal.enter("PF3").unwrap();
    // CEST: tasks and terminals only.
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEST I TASK").unwrap();
    terminal.wait_text("Tra(CEST)").unwrap();
    terminal.fill_at(1, 2, "I PROGRAM(DFHEMTP)").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("A SUPERVISOR MAY").unwrap();
    terminal.enter("PF3").unwrap();
}

/// "CEMT SET FILE": READ|NOREAD, UPDATE|NOUPDATE, ADD|NOADD, BROWSE|NOBROWSE, DELETE|NODELETE.
#[test]
fn cemt_takes_its_own_words_for_what_may_be_done_with_a_file() {
    let file = Definition::new("FILE", "WORDFIL", "TEST").with("DSNAME", "TEST.WORDS").with("STATUS", "UNENABLED");
    let all = ["READ", "UPDATE", "ADD", "BROWSE", "DELETE"];
    the_region().install(&all.iter().fold(file, |file, word| file.with(word, "YES"))).unwrap();
    let mut terminal = connect();
    let mut ask = |command: &str, answer: &str| {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
        terminal.wait_text(answer).unwrap();
        assert!((1..=24).all(|row| terminal.screen().row(row).chars().count() <= 80));
        terminal.text()
    };
    for (command, answer) in [
        ("CEMT S FI(WORDFIL) NOREAD NOUPDATE NOADD NOBROWSE NODELETE", "Fil(WORDFIL ) Vsa Clo Une                     Sha"),
        ("CEMT S FI(WORDFIL) READ UPDATE ADD BROWSE DELETE", "Fil(WORDFIL ) Vsa Clo Une Rea Upd Add Bro Del Sha"),
        ("CEMT S FI(WORDFIL) NOU NOD", "Fil(WORDFIL ) Vsa Clo Une Rea     Add Bro     Sha"),
    ] {
        let screen = ask(command, "RESPONSE: ");
        assert!(screen.contains(answer) && screen.contains("NORMAL"), "{command}: {screen}");
    }
    assert!(ask("CEMT I FI(WORDFIL) NOUPDATE", "RESPONSE: ").contains("Fil(WORDFIL )"), "a filter");
    assert!(ask("CEMT I FI(WORDFIL) UPDATE", "RESPONSE: ").contains("NOT FOUND"), "a filter");
    // Words that exclude each other: nothing is done.
    let screen = ask("CEMT S FI(WORDFIL) OPEN CLOSED", "RESPONSE: 1 ERROR");
    assert!(screen.contains("'CLOSED' CONFLICTS WITH 'OPEN'"), "{screen}");
    let screen = ask("CEMT S FI(WORDFIL) READ NOREAD", "RESPONSE: 1 ERROR");
    assert!(screen.contains("'NOTREADABLE' CONFLICTS WITH 'READABLE'"), "{screen}");
}

/// "The map" of LOAD is a load module as a program is; its uses are counted, and its length is shown.
#[test]
fn a_mapset_is_loaded_and_counted_as_a_program_is() {
    let source = "LDSET    DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,TIOAPFX=YES,STORAGE=AUTO\nLDMAP    DFHMDI SIZE=(24,80)\n         DFHMDF POS=(1,1),LENGTH=6,INITIAL='LOADED'\n         DFHMSD TYPE=FINAL\n         END\n";
    let assembly = bms::assemble("ld.bms", source.as_bytes(), &codepage::CCSID_037);
    assert!(!assembly.has_errors(), "{:?}", assembly.diagnostics);
    the_region().install(&Definition::new("MAPSET", "LDSET", "TEST")).unwrap();
    let object = bms::object::encode(&assembly.mapsets[0]);
    std::fs::write(terminal_support::library().join("LDSET.rlm"), &object).unwrap();
    let length = object.len();
    define("LDMP", move |task| {
        let mut load = Call::new(command::LOAD);
        load.text(task, option::PROGRAM, "LDSET").integer(option::SET, 0).integer(option::FLENGTH, 0);
        let loaded = load.execute(task)?;
        let mut send = Call::new(command::SEND_MAP);
        send.text(task, option::MAP, "LDMAP").text(task, option::MAPSET, "LDSET").flag(option::MAPONLY).flag(option::ERASE);
        assert!(send.execute(task)?.is_normal());
        let mut inquire = Call::new(command::INQUIRE_PROGRAM);
        inquire.text(task, option::PROGRAM, "LDSET").integer(option::USECOUNT, 0).integer(option::LENGTH, 0);
        inquire.execute(task)?;
        let (uses, shown) = (inquire.result(option::USECOUNT).unwrap(), inquire.result(option::LENGTH).unwrap());
        let text = format!("{} {} {:?} {uses} {shown}", loaded.condition.name(), loaded.resp2, load.result(option::FLENGTH));
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &text).flag(option::ERASE).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("LDMP").unwrap();
    terminal.wait_text(&format!("NORMAL 0 Some({length}) 2 {length}")).unwrap();
}

#[test]
fn ceci_refuses_letters_where_a_number_is_wanted() {
    let mut terminal = connect();
    for (command, answer) in [
        ("CECI DELAY INTERVAL(XYZ)", "S Option INTERVAL has an invalid value: 'XYZ' is not a number."),
        ("CECI READQ TS QUEUE(A) ITEM(ABC)", "S Option ITEM has an invalid value: 'ABC' is not a number."),
        // The name of a CVDA is a number only where a CVDA is wanted.
        ("CECI DELAY INTERVAL(OPEN)", "S Option INTERVAL has an invalid value: 'OPEN' is not a number."),
    ] {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
        terminal.wait_text(answer).unwrap();
        assert!(terminal.text().contains("STATUS:  COMMAND SYNTAX CHECK"), "{}", terminal.text());
    }
    terminal.enter("PF3").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CECI SET FILE(NOTTHERE) OPENSTATUS(CLOSED)").unwrap();
    terminal.wait_text("ABOUT TO EXECUTE").unwrap();
    terminal.enter("PF3").unwrap();
}

#[test]
fn ceci_helps_and_shows_the_users_screen() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CECI READ FILE(X) ?").unwrap();
    terminal.wait_text("COMMAND SYNTAX CHECK").unwrap();
    terminal.enter("PF1").unwrap();
    terminal.wait_text("HELP").unwrap();
    assert!(terminal.text().contains("the EXEC interface block"), "{}", terminal.text());
    terminal.enter("ENTER").unwrap();
    terminal.fill_at(1, 2, "SEND TEXT FROM('SHOWN BY CECI') ERASE FREEKB").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("ABOUT TO EXECUTE").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait("the screen sent", |client| client.screen().row(1).trim() == "SHOWN BY CECI").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("RESPONSE: NORMAL").unwrap();
    terminal.enter("PF6").unwrap();
    terminal.wait("the screen again", |client| client.screen().row(1).trim() == "SHOWN BY CECI").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("EXECUTION COMPLETE").unwrap();
    terminal.enter("PF3").unwrap();
}

#[test]
fn a_buffer_is_copied_from_another_terminal() {
    let mut source = connect_lu("COPYSRC1");
    source.wait_text("WELCOME TO THE TESTS").unwrap();
    let shown = source.screen().row(1);
    // A client answers Read Buffer only while it waits.
    std::thread::spawn(move || source.wait("the end of the test", |_| false));
    define("COPY", |task| {
        let mut copy = Call::new(command::ISSUE_COPY);
        let response = copy.text(task, option::TERMID, "SRC1").flag(option::WAIT).execute(task)?;
        assert!(response.is_normal(), "{response:?}");
        Ok(())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("COPY").unwrap();
    terminal.wait_text("TERMID=SRC1").unwrap();
    assert_eq!(terminal.screen().row(1), shown);
}

/// A negative or inapplicable value is blank, and typing over the blanks changes it.
#[test]
fn cemt_shows_inapplicable_values_as_blanks() {
    let region = the_region();
    let file = Definition::new("FILE", "BLANKFIL", "TEST").with("DSNAME", "TEST.BLANK").with("READ", "YES").with("STATUS", "UNENABLED");
    region.install(&file.with("BROWSE", "YES").with("UPDATE", "NO").with("ADD", "NO").with("DELETE", "NO")).unwrap();
    let queue = |name: &str| Definition::new("TDQUEUE", name, "TEST");
    region.install(&queue("BLIN").with("TYPE", "INTRA").with("TRIGGERLEVEL", "7")).unwrap();
    region.install(&queue("BLIX").with("TYPE", "INDIRECT").with("INDIRECTNAME", "BLIN")).unwrap();
    let ask = |terminal: &mut tn3270::Client, command: &str| {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
        terminal.wait_text("NORMAL").unwrap();
        terminal.text()
    };
    let mut terminal = connect();
    let screen = ask(&mut terminal, "CEMT I FI(BLANKFIL)");
    assert!(screen.contains("Fil(BLANKFIL) Vsa Clo Une Rea         Bro     Sha"), "{screen}");
    let screen = ask(&mut terminal, "CEMT S FI(BLANKFIL) UPD NOTREADABLE");
    assert!(screen.contains("Fil(BLANKFIL) Vsa Clo Une     Upd     Bro     Sha"), "{screen}");
    let screen = ask(&mut terminal, "CEMT I TDQ(BLIX)");
    assert!(screen.contains("Tdq(BLIX) Ind         Num(          ) Trg(       )") && screen.contains("Nam(BLIN)"), "{screen}");
    let screen = ask(&mut terminal, "CEMT I TDQ(BLIN)");
    assert!(screen.contains("Tdq(BLIN) Int Ena     Num(0000000000) Trg( 00007 )") && screen.contains("Rej Wai"), "{screen}");
    static WRITTEN: AtomicBool = AtomicBool::new(false);
    define("BLTS", |task| {
        let mut write = Call::new(command::WRITEQ_TS);
        write.text(task, option::QUEUE, "BLANKTSQ").text(task, option::FROM, "FORTY BYTES OF DATA").integer(option::LENGTH, 19);
        assert!(write.execute(task)?.is_normal());
        WRITTEN.store(true, Ordering::SeqCst);
        Ok(())
    });
    region.attach(AttachRequest::new(Name4::new("BLTS"), StartCode::Start)).unwrap();
    testing::eventually("the queue is written", || WRITTEN.load(Ordering::SeqCst));
    let screen = ask(&mut terminal, "CEMT I TSQ(BLANKTSQ)");
    assert!(screen.contains("Max(00019) Min(00019)") && screen.contains("Tra(BLTS)"), "{screen}");
}

/// POOLNAME selects the queues of a shared pool, in INQUIRE, in SET and when the output of INQUIRE is typed over.
#[test]
fn cemt_shows_shared_pools_and_their_queues() {
    let region = the_region();
    region.install(&Definition::new("TSMODEL", "OPPOOL", "TEST").with("PREFIX", "OPSHR").with("POOLNAME", "OPERPOOL")).unwrap();
    let ask = |terminal: &mut tn3270::Client, command: &str, expected: &str| {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
        terminal.wait_text(expected).unwrap_or_else(|_| panic!("{command}: {}", terminal.text()));
        terminal.text()
    };
    let mut terminal = connect();
    ask(&mut terminal, "CEMT I TSPOOL(OPERPOOL)", "Unc");
    static WRITTEN: AtomicBool = AtomicBool::new(false);
    define("OPSH", |task| {
        for queue in ["OPSHR1", "OPSHR2", "OPLOCAL"] {
            let mut write = Call::new(command::WRITEQ_TS);
            write.text(task, option::QUEUE, queue).text(task, option::FROM, "DATA").integer(option::LENGTH, 4);
            assert!(write.execute(task)?.is_normal());
        }
        WRITTEN.store(true, Ordering::SeqCst);
        Ok(())
    });
    region.attach(AttachRequest::new(Name4::new("OPSH"), StartCode::Start)).unwrap();
    testing::eventually("the queues are written", || WRITTEN.load(Ordering::SeqCst));
    ask(&mut terminal, "CEMT I TSPOOL(OPERPOOL)", "Con");
    let screen = ask(&mut terminal, "CEMT I TSQ POOLNAME(OPERPOOL)", "OPSHR2");
    assert!(screen.contains("Tsq(OPSHR1") && !screen.contains("OPLOCAL"), "{screen}");
    let screen = ask(&mut terminal, "CEMT I TSQ(OPS*)", "NOT FOUND");
    assert!(!screen.contains("OPSHR1"), "{screen}");
    ask(&mut terminal, "CEMT S TSQ(OPSHR1) POOLNAME(OPERPOOL) DELETE", "NORMAL");
    let screen = ask(&mut terminal, "CEMT I TSQ POOLNAME(OPERPOOL)", "OPSHR2");
    assert!(!screen.contains("OPSHR1"), "{screen}");
    ask(&mut terminal, "CEMT I TSQ POOLNAME(NOPOOL)", "NOT FOUND");
}

#[test]
fn cemt_changes_limits_of_storage_and_never_abends() {
    let mut terminal = connect();
    let mut ask = |command: &str, answer: &str| {
        terminal.enter("PF3").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(command).unwrap();
        terminal.wait_text(answer).unwrap();
        terminal.text()
    };
    // As bytes, kilobytes and megabytes; rounded up to whole units.
    ask("CEMT S SYS EDSALIMIT(900M)", "NORMAL");
    assert_eq!(the_region().storage.limit(kernel::storage::Line::Below2G), 900 << 20);
    ask("CEMT S SYS DSALIMIT(6291456)", "NORMAL");
    assert_eq!(the_region().storage.limit(kernel::storage::Line::Below16M), 6 << 20);
    ask("CEMT S SYS DSAL(5000K)", "NORMAL");
    assert_eq!(the_region().storage.limit(kernel::storage::Line::Below16M), 5 << 20);
    // The range is told in words.
    ask("CEMT S SYS EDSALIMIT(1M)", "EDSALIMIT IS NO");
    // An option the release does not have is a line of text.
    let screen = ask("CEMT S SYS FORCEQR", "NOT AVAILABLE");
    assert!(!screen.contains("AEY9"), "{screen}");
}

#[test]
fn cemt_shows_normal_for_deleted_resources() {
    define("MAKQ", |task| {
        let mut write = Call::new(command::WRITEQ_TS);
        write.bytes(option::QUEUE, &task.region.code_page.encode("DELETEME")).bytes(option::FROM, b"DATA");
        assert!(write.execute(task)?.is_normal());
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "QUEUE MADE").flag(option::ERASE).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.enter("CLEAR").unwrap();
    terminal.run("MAKQ").unwrap();
    terminal.wait_text("QUEUE MADE").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEMT S TSQ(DELETEME) DELETE").unwrap();
    terminal.wait_text("RESPONSE").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("NORMAL") && !screen.contains("NOT FOUND") && !screen.contains("1 ERROR"), "{screen}");
}

#[test]
fn ceci_return_leaves_the_keyboard_free() {
    let mut terminal = connect();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CECI RETURN").unwrap();
    terminal.wait_text("ABOUT TO EXECUTE").unwrap();
    terminal.press("ENTER").unwrap();
    terminal.wait("the keyboard", |client| client.screen().is_unlocked()).unwrap();
}

/// An option that nobody looks at would be accepted and do nothing; a CVDA of another option is not one of the two values.
#[test]
fn set_terminal_looks_at_every_option_and_refuses_other_cvdas() {
    let mut terminal = connect();
    let (sender, receiver) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    define("SETT", move |task| {
        let name = task.region.code_page.encode(task.terminal_name().as_str());
        let set = |task: &mut region::Task, option, value| {
            let mut call = Call::new(command::SET_TERMINAL);
            call.bytes(option::TERMINAL, &name).integer(option, value);
            call.execute(task).map(|response| response.condition)
        };
        queried::begin();
        let unchanged = set(task, option::ATISTATUS, cvda::IGNORE)?;
        let queried = queried::end();
        let mut others = Vec::new();
        for option in [option::ATISTATUS, option::TTISTATUS, option::SERVSTATUS, option::PAGESTATUS, option::ACQSTATUS, option::TERMSTATUS]
        {
            others.push(set(task, option, cvda::OPEN)?);
        }
        sender.lock().unwrap().send((unchanged, others, options::unread(command::SET_TERMINAL.spec(), &queried))).unwrap();
        Ok(())
    });
    terminal.run("SETT").unwrap();
    let (unchanged, others, unread) = receiver.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
    assert_eq!((unchanged, others), (condition::NORMAL, vec![condition::INVREQ; 6]));
    assert!(unread.is_empty(), "{unread:?}");
}
