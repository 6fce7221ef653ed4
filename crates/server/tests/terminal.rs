//! Terminals: connect, transactions by input, the supplied transactions, SEND and RECEIVE, maps, START for a terminal; through the TN3270
//! client of `tn3270` and through s3270.
//!
//! One region serves all tests of this binary, because the storage areas have fixed addresses.

mod scratch;
mod terminal_definitions;
mod terminal_support;

use terminal_support::{connect, connect_as, define, the_region};

use csd::Definition;
use exec::{command, condition, option};
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{Abend, Raised};
use std::time::Duration;
use tn3270::ClientConfig;

#[test]
fn good_morning_and_unknown_transaction() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME TO THE TESTS").unwrap();
    assert!(terminal.screen().is_unlocked());
    terminal.run("XYZ9").unwrap();
    terminal.wait_text("DFHAC2001").unwrap();
    let text = terminal.text();
    assert!(text.contains("Transaction 'XYZ9' is not recognized"), "{text}");
    // The message is on the last lines, the cursor where the next transaction is typed.
    assert!(terminal.screen().find("DFHAC2001").unwrap().0 >= 23, "{text}");
    assert_eq!(terminal.screen().cursor_place(), (1, 1));
    // Another can be typed at once, and after CLEAR.
    terminal.enter("CLEAR").unwrap();
    terminal.run("abcd").unwrap();
    terminal.wait_text("Transaction 'ABCD' is not recognized").unwrap();
    // A key alone names none.
    terminal.enter("CLEAR").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("is not recognized. PF3").unwrap();
}

#[test]
fn a_disabled_transaction_says_so() {
    define("DIS1", |_| Ok(()));
    the_region().transactions().find(Name4::new("DIS1")).unwrap().change(|definition| definition.enabled = false);
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("DIS1").unwrap();
    terminal.wait_text("DFHAC2008").unwrap();
}

#[test]
fn sign_on_and_off() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CESN").unwrap();
    terminal.wait_text("Signon to CICS").unwrap();
    assert_eq!(terminal.screen().cursor_place(), (12, 27));
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("DFHCE3520").unwrap();
    terminal.type_text("adams").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("DFHCE3549 Sign-on is complete").unwrap();
    // Nobody has given a password, and the message says that none was looked at. It is parted between words.
    let message = [1, 2].map(|row| terminal.screen().row(row).trim().to_string()).join(" ");
    assert!(message.ends_with("the password was not checked."), "{message}");
    assert!(
        terminal.screen().row(1).trim().ends_with("was not") && terminal.screen().row(2).starts_with("checked."),
        "{}",
        terminal.text()
    );
    terminal.run("CESF").unwrap();
    terminal.wait_text("DFHCE3590").unwrap();
    terminal.run("CESN USERID=BAKER").unwrap();
    terminal.wait_text("DFHCE3549").unwrap();
    terminal.run("CESN").unwrap();
    terminal.wait_text("Signon to CICS").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("DFHCE3543").unwrap();
    terminal.type_text("CESF LOGOFF").unwrap();
    terminal.press("ENTER").unwrap();
    assert!(terminal.wait("the end of the session", |client| client.is_closed()).is_err());
    assert!(terminal.is_closed());
}

#[test]
fn receive_send_and_converse() {
    define("ECHO", |task| {
        let mut receive = Call::new(command::RECEIVE);
        receive.bytes(option::INTO, &[0; 40]).integer(option::LENGTH, 40);
        // The end of the chain, which RECEIVE (LUTYPE2/LUTYPE3) tells.
        assert_eq!(receive.execute(task)?.condition, condition::EOC);
        let length = receive.result(option::LENGTH).unwrap() as usize;
        let data = receive.result_bytes(option::INTO)[..length].to_vec();
        let mut converse = Call::new(command::CONVERSE);
        converse.bytes(option::FROM, &data).flag(option::ERASE).bytes(option::INTO, &[0; 4]).integer(option::TOLENGTH, 4);
        let response = converse.execute(task)?;
        let length = converse.result(option::TOLENGTH).unwrap();
        let cut = task.region.code_page.text(&converse.result_bytes(option::INTO));
        let mut send = Call::new(command::SEND);
        send.text(task, option::FROM, &format!("GOT {cut} OF {length}: {}", response.condition.name()));
        assert!(send.execute(task)?.is_normal());
        Ok(())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("echo hello").unwrap();
    // Letters are folded to upper case (UCTRAN).
    terminal.wait_text("ECHO HELLO").unwrap();
    terminal.enter("ENTER").unwrap();
    // Ten characters do not fit into four.
    terminal.wait_text("GOT ECHO OF 10: LENGERR").unwrap();
}

/// Each is carried out on QR: two switches for a program that is always on L8.
#[test]
fn send_and_receive_of_a_required_program_go_to_qr_and_back() {
    define("TCBS", |task| {
        let mut changes = Vec::new();
        for command in [command::RECEIVE, command::SEND, command::SEND] {
            let before = task.kernel.times().change_modes;
            let mut call = Call::new(command);
            if command == command::RECEIVE {
                call.bytes(option::INTO, &[0; 40]).integer(option::LENGTH, 40);
            } else {
                let seen = format!("SWITCHES {changes:?} ON {}", task.kernel.mode().name());
                call.text(task, option::FROM, &seen).flag(option::ERASE);
            }
            call.execute(task)?;
            changes.push(task.kernel.times().change_modes - before);
        }
        Ok(())
    });
    the_region().install(&Definition::new("PROGRAM", "PGMTCBS", "TEST").with("CONCURRENCY", "REQUIRED")).unwrap();
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("TCBS").unwrap();
    terminal.wait_text("SWITCHES [2, 2] ON L8").unwrap();
}

/// The next transaction of the terminal has the channel, and not the communication area, of the RETURN before.
#[test]
fn return_transid_hands_a_channel_on() {
    define("RCHN", |task| {
        let mut got = Call::new(command::GET_CONTAINER);
        got.text(task, option::CONTAINER, "COUNT").bytes(option::INTO, &[0; 1]).integer(option::FLENGTH, 1);
        let response = got.execute(task)?;
        let count = if response.is_normal() { got.result_bytes(option::INTO)[0] + 1 } else { 1 };
        let length = task.eib.half(exec::eib::EIBCALEN);
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &format!("TURN {count} {} {length}", response.condition.name()))
            .flag(option::ERASE)
            .flag(option::FREEKB);
        assert!(send.execute(task)?.is_normal());
        let mut put = Call::new(command::PUT_CONTAINER);
        put.text(task, option::CONTAINER, "COUNT").text(task, option::CHANNEL, "TURNS").bytes(option::FROM, &[count]);
        assert!(put.execute(task)?.is_normal());
        let mut call = Call::new(command::RETURN);
        call.text(task, option::TRANSID, "RCHN").text(task, option::CHANNEL, "TURNS");
        call.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("RCHN").unwrap();
    terminal.wait_text("TURN 1 INVREQ 0").unwrap();
    for count in 2..4 {
        terminal.enter("ENTER").unwrap();
        terminal.wait_text(&format!("TURN {count} NORMAL 0")).unwrap();
    }
}

#[test]
fn return_transid_keeps_the_conversation() {
    define("PSEU", |task| {
        let count = task.level().map_or(0, |level| level.commarea.length);
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &format!("TIME {count}")).flag(option::ERASE).flag(option::FREEKB);
        assert!(send.execute(task)?.is_normal());
        let aid = task.eib.byte(exec::eib::EIBAID);
        if aid == exec::aid::PF3 {
            return Ok(());
        }
        let mut call = Call::new(command::RETURN);
        call.text(task, option::TRANSID, "PSEU").bytes(option::COMMAREA, &vec![0; count + 1]);
        call.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("PSEU").unwrap();
    terminal.wait_text("TIME 0").unwrap();
    for count in 1..4 {
        terminal.enter("ENTER").unwrap();
        terminal.wait_text(&format!("TIME {count}")).unwrap();
    }
    terminal.enter("PF3").unwrap();
    terminal.wait_text("TIME 4").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("NONE").unwrap();
    terminal.wait_text("DFHAC2001").unwrap();
}

/// SEND and RETURN refuse what they cannot do; RETURN IMMEDIATE starts the next transaction at once, with a channel of its own.
#[test]
fn send_and_return_check_their_options() {
    define("SNDC", |task| {
        let code = |task: &mut region::Task, command, build: &dyn Fn(&mut Call)| {
            let mut call = Call::new(command);
            build(&mut call);
            call.execute(task).map(|response| (response.condition, response.resp2))
        };
        let area = vec![0x40; 32_768];
        for length in [-1, 32_768] {
            let sent = code(task, command::SEND, &|call| {
                call.bytes(option::FROM, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(sent.0, condition::LENGERR, "LENGTH({length})");
        }
        let erased = code(task, command::SEND, &|call| {
            call.bytes(option::FROM, b"X").flag(option::STRFIELD).flag(option::ERASE);
        })?;
        assert_eq!(erased.0, condition::INVREQ);
        let (transid, name) = (task.region.code_page.encode("SNDD"), task.region.code_page.encode("SENDCHANNEL     "));
        for length in [-1, 32_764] {
            let returned = code(task, command::RETURN, &|call| {
                call.bytes(option::TRANSID, &transid).bytes(option::COMMAREA, &area).integer(option::LENGTH, length);
            })?;
            assert_eq!(returned, (condition::LENGERR, 11), "LENGTH({length})");
        }
        let put = code(task, command::PUT_CONTAINER, &|call| {
            call.bytes(option::CONTAINER, &name).bytes(option::CHANNEL, &name).bytes(option::FROM, b"PASSED ON");
        })?;
        assert_eq!(put.0, condition::NORMAL);
        code(task, command::RETURN, &|call| {
            call.bytes(option::TRANSID, &transid).bytes(option::CHANNEL, &name).flag(option::IMMEDIATE);
        })
        .map(|_| ())
    });
    define("SNDD", |task| {
        let mut get = Call::new(command::GET_CONTAINER);
        get.text(task, option::CONTAINER, "SENDCHANNEL").bytes(option::INTO, &[0; 9]).integer(option::FLENGTH, 9);
        let response = get.execute(task)?;
        let data = String::from_utf8(get.result_bytes(option::INTO)).unwrap();
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &format!("{} {data}", response.condition.name())).flag(option::ERASE).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("SNDC").unwrap();
    terminal.wait_text("NORMAL PASSED ON").unwrap();
}

#[test]
fn an_abend_is_shown_and_its_output_is_not() {
    define("ABND", |task| {
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "DONE").flag(option::ERASE).flag(option::FREEKB);
        assert!(send.execute(task)?.is_normal());
        region::abend("MINE")
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("ABND").unwrap();
    terminal.wait_text("DFHAC2206").unwrap();
    let text = terminal.text();
    assert!(text.contains("MINE") && !text.contains("DONE"), "{text}");
}

#[test]
fn start_for_a_terminal_waits_until_it_is_free() {
    define("STAR", |task| {
        let name = task.terminal_name();
        let mut start = Call::new(command::START);
        start
            .text(task, option::TRANSID, "STED")
            .text(task, option::TERMID, name.as_str())
            .text(task, option::FROM, "DATA")
            .integer(option::LENGTH, 4);
        assert!(start.execute(task)?.is_normal());
        let mut send = Call::new(command::SEND);
        send.text(task, option::FROM, "FIRST").flag(option::ERASE);
        assert!(send.execute(task)?.is_normal());
        Ok(())
    });
    define("STED", |task| {
        let mut retrieve = Call::new(command::RETRIEVE);
        retrieve.bytes(option::INTO, &[0; 4]).integer(option::LENGTH, 4);
        assert!(retrieve.execute(task)?.is_normal());
        let text = retrieve.result_text(task, option::INTO);
        let mut send = Call::new(command::SEND);
        send.text(task, option::FROM, &format!("STARTED WITH {text}"));
        assert!(send.execute(task)?.is_normal());
        Ok(())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("STAR").unwrap();
    terminal.wait_text("STARTED WITH DATA").unwrap();
}

#[test]
fn a_lost_terminal_ends_its_task_and_is_deleted() {
    let (sender, ended) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    define("LOST", move |task| {
        let mut receive = Call::new(command::RECEIVE);
        receive.bytes(option::INTO, &[0; 4]);
        // The end of the chain, which RECEIVE (LUTYPE2/LUTYPE3) tells.
        assert_eq!(receive.execute(task)?.condition, condition::EOC);
        let mut receive = Call::new(command::RECEIVE);
        receive.bytes(option::INTO, &[0; 4]);
        let response = receive.execute(task)?;
        sender.lock().unwrap().send(response.condition).unwrap();
        Ok(())
    });
    let config = ClientConfig { lu: Some("LOSTLU".to_string()), ..ClientConfig::default() };
    let mut terminal = connect_as(config);
    terminal.wait_text("WELCOME").unwrap();
    let region = the_region();
    assert!(region.terminals.find(Name4::new("STLU")).is_some());
    terminal.enter("CLEAR").unwrap();
    terminal.type_text("LOST").unwrap();
    terminal.press("ENTER").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    drop(terminal);
    assert_eq!(ended.recv_timeout(Duration::from_secs(10)).unwrap(), condition::TERMERR);
    testing::eventually("the end of the terminal", || region.terminals.find(Name4::new("STLU")).is_none());
}

#[test]
fn cemt_inquires_sets_and_overtypes() {
    define("CMT1", |_| Ok(()));
    define("CMT2", |_| Ok(()));
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEMT").unwrap();
    terminal.wait_text("STATUS:  ENTER ONE OF THE FOLLOWING").unwrap();
    assert!(terminal.text().contains("Perform"));
    terminal.run("I TRA(CMT*)").unwrap();
    terminal.wait_text("RESULTS - OVERTYPE TO MODIFY").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("Tra(CMT1) Pri( 001 ) Pro(PGMCMT1 ) Tcl( DFHTCL00 ) Ena"), "{screen}");
    assert!(
        screen.contains("Tra(CMT2)") && screen.contains("RESPONSE: NORMAL") && screen.contains("SYSID=TEST APPLID=TESTTERM"),
        "{screen}"
    );
    // Overtype status and priority of the second.
    let (row, column) = terminal.screen().find("Tra(CMT2)").unwrap();
    let line = terminal.screen().row(row);
    let status = line.find(" Ena").unwrap() as u16 + 2;
    terminal.fill_at(row, status, "dis").unwrap();
    terminal.fill_at(row, line.find("Pri(").unwrap() as u16 + 6, "17").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("NORMAL").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("Tra(CMT2) Pri( 017 )") && screen.contains(" Dis "), "{screen}");
    let definition = the_region().transactions().find(Name4::new("CMT2")).unwrap().definition();
    assert!(!definition.enabled && definition.priority == 17 && column > 0);
    // By command; also missing resources.
    terminal.fill_at(1, 2, "SET TRANSACTION(CMT2) ENABLED").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait("the new status", |client| client.screen().row(3).contains(" Ena ")).unwrap();
    terminal.fill_at(1, 2, "I TRA(NONE)").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("NOT FOUND").unwrap();
    terminal.wait_text("RESPONSE: 1 ERROR").unwrap();
    terminal.fill_at(1, 2, "I FROB").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("'FROB' IS NOT VALID").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("STATUS:  SESSION ENDED").unwrap();
    terminal.run("CEMT I TA").unwrap();
    terminal.wait_text("Tas(").unwrap();
    assert!(terminal.text().contains("Tra(CEMT)"), "{}", terminal.text());
    terminal.enter("PF3").unwrap();
}

#[test]
fn cemt_shows_terminals_programs_and_the_system_and_scrolls() {
    let mut terminal = connect_as(ClientConfig { lu: Some("CEMTTRM1".to_string()), ..ClientConfig::default() });
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CEMT I TERM(TRM1)").unwrap();
    terminal.wait_text("Ter(TRM1) Tra(CEMT)").unwrap();
    let screen = terminal.text();
    assert!(screen.contains("Net(CEMTTRM1) Acq") && screen.contains(" Ins Ati Tti"), "{screen}");
    terminal.fill_at(1, 2, "I PROG(DFH*)").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("Prog(DFH").unwrap();
    let first = terminal.screen().row(3);
    terminal.enter("PF11").unwrap();
    terminal.wait("the next page", |client| client.screen().row(3) != first).unwrap();
    terminal.enter("PF10").unwrap();
    terminal.wait("the page before", |client| client.screen().row(3) == first).unwrap();
    terminal.fill_at(1, 2, "I SYS").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("Maxtasks( ").unwrap();
    terminal.enter("PF3").unwrap();
    terminal.wait_text("SESSION ENDED").unwrap();
}

const MAPS: &str = "\
TSTSET  DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,TIOAPFX=YES,CTRL=FREEKB
TSTMAP  DFHMDI SIZE=(24,80)
        DFHMDF POS=(1,30),INITIAL='TEST PANEL',ATTRB=(ASKIP,BRT)
NAME    DFHMDF POS=(3,10),LENGTH=8,ATTRB=(UNPROT,IC)
        DFHMDF POS=(3,19),LENGTH=1
MSG     DFHMDF POS=(23,1),LENGTH=40,ATTRB=(ASKIP,BRT)
        DFHMSD TYPE=FINAL
";

/// Offsets in the symbolic map: 12 bytes, then length, flag and data of NAME (8) and MSG (40).
const NAME_LENGTH: std::ops::Range<usize> = 12..14;

const NAME_DATA: std::ops::Range<usize> = 15..23;

const MSG_DATA: std::ops::Range<usize> = 26..66;

#[test]
fn maps_are_sent_and_received() {
    let assembly = bms::assemble("tst.bms", MAPS.as_bytes(), &codepage::CCSID_037);
    assert!(!assembly.has_errors(), "{:?}", assembly.diagnostics);
    the_region();
    std::fs::write(terminal_support::library().join("TSTSET.rlm"), bms::object::encode(&assembly.mapsets[0])).unwrap();
    define("MAPS", |task| {
        let mut area = vec![0; 66];
        if task.level().is_some_and(|level| level.commarea.length > 0) {
            let mut receive = Call::new(command::RECEIVE_MAP);
            receive.text(task, option::MAP, "TSTMAP").text(task, option::MAPSET, "TSTSET").bytes(option::INTO, &area);
            let response = receive.execute(task)?;
            if response.condition == condition::MAPFAIL {
                task.region.code_page.fill("NOTHING ENTERED", &mut area[MSG_DATA]);
            } else {
                let received = receive.result_bytes(option::INTO);
                let name = task.region.code_page.text(&received[NAME_DATA]);
                task.region.code_page.fill(&format!("HELLO {}, {}", name.trim_end(), received[NAME_LENGTH.end - 1]), &mut area[MSG_DATA]);
            }
            area[NAME_LENGTH].copy_from_slice(&[0xFF, 0xFF]);
            let mut send = Call::new(command::SEND_MAP);
            send.text(task, option::MAP, "TSTMAP").text(task, option::MAPSET, "TSTSET").bytes(option::FROM, &area);
            send.flag(option::DATAONLY).flag(option::CURSOR).flag(option::FREEKB).flag(option::FRSET);
            assert!(send.execute(task)?.is_normal());
        } else {
            let mut send = Call::new(command::SEND_MAP);
            send.text(task, option::MAP, "TSTMAP").text(task, option::MAPSET, "TSTSET").flag(option::MAPONLY).flag(option::ERASE);
            assert!(send.execute(task)?.is_normal());
        }
        let mut back = Call::new(command::RETURN);
        back.text(task, option::TRANSID, "MAPS").bytes(option::COMMAREA, &[1]);
        back.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("MAPS").unwrap();
    terminal.wait_text("TEST PANEL").unwrap();
    assert_eq!(terminal.screen().cursor_place(), (3, 11));
    terminal.type_text("ann").unwrap();
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("HELLO ANN, 3").unwrap();
    assert_eq!(terminal.screen().cursor_place(), (3, 11));
    terminal.enter("ENTER").unwrap();
    terminal.wait_text("NOTHING ENTERED").unwrap();
    terminal.enter("PA1").unwrap();
    terminal.wait_text("NOTHING ENTERED").unwrap();
}

#[test]
fn a_mapset_that_is_not_there_is_abm0() {
    define("NOMS", |task| {
        let mut send = Call::new(command::SEND_MAP);
        send.text(task, option::MAP, "NOSUCH").flag(option::MAPONLY).flag(option::ERASE);
        send.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("NOMS").unwrap();
    terminal.wait_text("DFHAC2206").unwrap();
    assert!(terminal.text().contains("ABM0"), "{}", terminal.text());
}

#[test]
fn set_terminal_refuses_a_value_that_is_no_uctranst() {
    define("UCTR", |task| {
        let name = task.terminal_name();
        let mut set = Call::new(command::SET_TERMINAL);
        set.text(task, option::TERMINAL, name.as_str()).integer(option::UCTRANST, 999);
        let response = set.execute(task)?;
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, &format!("SET {} {}", response.condition.name(), response.resp2)).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("UCTR").unwrap();
    terminal.wait_text("SET INVREQ 43").unwrap();
}

#[test]
fn a_transaction_of_the_region_itself_does_not_start_from_a_terminal() {
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.run("CPLT").unwrap();
    terminal.wait_text("DFHAC2010").unwrap();
    assert!(terminal.text().contains("CPLT"), "{}", terminal.text());
}

#[test]
fn a_disconnected_operator_causes_no_abend() {
    let region = the_region();
    for transid in ["CECI", "CEMT I TASK", "CEBR"] {
        let config = ClientConfig { lu: Some("AWAYLU".to_string()), ..ClientConfig::default() };
        let mut terminal = connect_as(config);
        terminal.wait_text("WELCOME").unwrap();
        terminal.enter("CLEAR").unwrap();
        terminal.run(transid).unwrap();
        terminal.wait_text(if transid == "CEBR" { "CEBR" } else { "STATUS:" }).unwrap();
        let name = &transid[..4];
        let running = || region.transactions().tasks().iter().any(|task| task.transid == Name4::new(name));
        assert!(running());
        drop(terminal);
        let gone = || !running() && region.terminals.find_by_netname(Name8::new("AWAYLU")).is_none();
        testing::eventually(&format!("the end of {name}"), gone);
        let abends: Vec<String> = region.messages.kept().iter().map(region::messages::Message::line).collect();
        let of_it = abends.iter().find(|line| (line.contains("DFHAC2236") || line.contains("DFHDU0203")) && line.contains(name));
        assert_eq!(of_it, None);
    }
}

#[test]
fn a_lost_terminal_abends_a_program_that_does_not_expect_it() {
    define("GONE", |task| {
        let mut receive = Call::new(command::RECEIVE);
        receive.bytes(option::INTO, &[0; 4]);
        receive.execute(task)?;
        let mut receive = Call::new(command::RECEIVE);
        receive.bytes(option::INTO, &[0; 4]);
        let response = receive.execute(task)?;
        // The gate's action for a condition that a program does not handle.
        Err(Raised::Abend(Box::new(Abend::new(response.condition.abend_code().unwrap()))))
    });
    let mut terminal = connect();
    terminal.wait_text("WELCOME").unwrap();
    terminal.enter("CLEAR").unwrap();
    terminal.type_text("GONE").unwrap();
    terminal.press("ENTER").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    drop(terminal);
    let told = || the_region().messages.kept().iter().any(|message| message.line().contains("GONE") && message.line().contains("ATNI"));
    testing::eventually("abend ATNI", told);
}
