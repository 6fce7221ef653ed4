//! Defined terminals: what their attributes do, those that are refused, terminals without a session, and PROFILE.

use crate::terminal_support::{MORE_SIT, connect_as, define, the_region};

use csd::Definition;
use exec::{command, condition, cvda, option};
use region::Task;
use region::exec_interface::call::Call;
use region::facility::{AtTimeout, StartForTerminal};
use region::name::{Name4, Name8};
use std::sync::mpsc::channel;
use std::time::Duration;
use tn3270::{Client, ClientConfig};

const LONG: Duration = Duration::from_secs(20);

fn typeterm(name: &str, attributes: &[(&'static str, &str)]) {
    let base = Definition::new("TYPETERM", name, "TEST").with("DEVICE", "LUTYPE2").with("ATI", "YES").with("ALTSCREEN", "43,80");
    let definition = attributes.iter().fold(base, |definition, (name, value)| definition.with(name, value));
    the_region().install(&definition).unwrap();
}

fn terminal(name: &str, typeterm: &str, attributes: &[(&'static str, &str)]) {
    let base = Definition::new("TERMINAL", name, "TEST").with("TYPETERM", typeterm);
    let definition = attributes.iter().fold(base, |definition, (name, value)| definition.with(name, value));
    the_region().install(&definition).unwrap();
}

/// Runs code in a task without a terminal.
fn in_task<T: Send + 'static>(transid: &str, body: impl Fn(&mut Task) -> T + Send + Sync + 'static) -> T {
    let (sender, result) = channel();
    let sender = std::sync::Mutex::new(sender);
    define(transid, move |task| {
        let made = body(task);
        sender.lock().unwrap().send(made).unwrap();
        Ok(())
    });
    let request = region::AttachRequest::new(Name4::new(transid), region::StartCode::Start);
    the_region().attach(request).unwrap_or_else(|failure| panic!("{}", failure.message.text));
    result.recv_timeout(LONG).unwrap()
}

/// The integers that INQUIRE TERMINAL returns.
fn inquired(transid: &str, name: &'static str, options: &'static [exec::OptionId]) -> Vec<i64> {
    in_task(transid, move |task| {
        let mut call = Call::new(command::INQUIRE_TERMINAL);
        call.text(task, option::TERMINAL, name);
        for option in options {
            call.integer(*option, 0);
        }
        assert!(call.execute(task).unwrap().is_normal());
        options.iter().map(|option| call.result(*option).unwrap_or(-1)).collect()
    })
}

fn set(transid: &str, name: &'static str, option: exec::OptionId, value: i64) -> (exec::Condition, i32) {
    in_task(transid, move |task| {
        let mut call = Call::new(command::SET_TERMINAL);
        call.text(task, option::TERMINAL, name).integer(option, value);
        let response = call.execute(task).unwrap();
        (response.condition, response.resp2)
    })
}

fn connect_lu(lu: &str) -> Client {
    connect_as(ClientConfig { lu: Some(lu.to_string()), ..ClientConfig::default() })
}

#[test]
fn a_definition_that_asks_for_what_is_not_there_is_refused_by_name() {
    let region = the_region();
    let typeterm =
        Definition::new("TYPETERM", "REFUSED", "TEST").with("DEVICE", "LUTYPE2").with("AUTOCONNECT", "YES").with("OBFORMAT", "YES");
    let reason = region.install(&typeterm).unwrap_err();
    assert!(reason.contains("AUTOCONNECT(YES): ") && reason.contains("OBFORMAT(YES): "), "{reason}");
    assert!(region.installed.read().get("TYPETERM", "REFUSED").is_none());
    let terminal = Definition::new("TERMINAL", "REFU", "TEST").with("TYPETERM", "DFHLU2E2").with("REMOTESYSTEM", "OTHR");
    assert!(region.install(&terminal).unwrap_err().contains("REMOTESYSTEM(OTHR): "));
    let profile = Definition::new("PROFILE", "REFUSED", "TEST").with("MSGJRNL", "INPUT").with("PROTECT", "YES");
    let reason = region.install(&profile).unwrap_err();
    assert!(reason.contains("MSGJRNL(INPUT): ") && reason.contains("PROTECT(YES): "), "{reason}");
}

#[test]
fn inquire_terminal_shows_a_defined_terminal_without_a_session() {
    typeterm(
        "TDEF1",
        &[("LIGHTPEN", "YES"), ("COPY", "YES"), ("PAGESIZE", "20,80"), ("ALTPAGE", "40,80"), ("DISCREQ", "NO"), ("CGCSGID", "697,37")],
    );
    terminal("TD01", "TDEF1", &[("NETNAME", "LUTD01"), ("PRINTER", "PRT9"), ("PRINTERCOPY", "YES")]);
    let options = &[
        option::ACQSTATUS,
        option::SERVSTATUS,
        option::ATISTATUS,
        option::LIGHTPENST,
        option::COPYST,
        option::KATAKANAST,
        option::DISCREQST,
        option::PRTCOPYST,
        option::DEFPAGEHT,
        option::ALTPAGEHT,
        option::GCHARS,
        option::GCODES,
        option::NATURE,
        option::AIDCOUNT,
    ];
    let released = [
        cvda::RELEASED,
        cvda::INSERVICE,
        cvda::ATI,
        cvda::LIGHTPEN,
        cvda::COPY,
        cvda::NOKATAKANA,
        cvda::NODISCREQ,
        cvda::PRTCOPY,
        20,
        40,
        697,
        37,
        cvda::TERMINAL,
        0,
    ];
    assert_eq!(inquired("TDQ1", "TD01", options), released);
    let mut client = connect_lu("LUTD01");
    client.enter("CLEAR").unwrap();
    let mut acquired = released;
    acquired[0] = cvda::ACQUIRED;
    assert_eq!(inquired("TDQ2", "TD01", options), acquired);
    drop(client);
    let is_released = || the_region().terminals.find(Name4::new("TD01")).is_some_and(|terminal| !terminal.has_session());
    testing::eventually("the end of the session", is_released);
    assert_eq!(inquired("TDQ3", "TD01", options), released);
}

#[test]
fn a_task_for_a_terminal_without_a_session_waits_for_its_client() {
    typeterm("TDEF2", &[("UCTRAN", "TRANID")]);
    terminal("TD02", "TDEF2", &[]);
    define("TDST", |task| {
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "STARTED WHEN IT CAME").flag(option::ERASE).flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    let started = in_task("TDQ4", |task| {
        let mut start = Call::new(command::START);
        start.text(task, option::TRANSID, "TDST").text(task, option::TERMID, "TD02");
        start.execute(task).unwrap().condition
    });
    assert_eq!(started, condition::NORMAL);
    assert_eq!(inquired("TDQ5", "TD02", &[option::AIDCOUNT]), [1]);
    // Without NETNAME the network name is that of the terminal.
    let mut client = connect_lu("TD02");
    client.wait_text("STARTED WHEN IT CAME").unwrap();
    // One that comes while the terminal is away is kept for the next session too.
    drop(client);
    let terminal = || the_region().terminals.find(Name4::new("TD02")).unwrap();
    testing::eventually("the end of the session", || !terminal().has_session());
    terminal().start(StartForTerminal { transid: Name4::new("TDST"), data: None, user_id: Name8::BLANK, queue: None });
    connect_lu("TD02").wait_text("STARTED WHEN IT CAME").unwrap();
}

#[test]
fn a_terminal_out_of_service_takes_no_client() {
    typeterm("TDEF3", &[]);
    terminal("TD03", "TDEF3", &[("NETNAME", "LUTD03"), ("INSERVICE", "NO")]);
    assert_eq!(inquired("TDQ6", "TD03", &[option::SERVSTATUS]), [cvda::OUTSERVICE]);
    let port = crate::terminal_support::port();
    let config = || ClientConfig { lu: Some("LUTD03".to_string()), ..ClientConfig::default() };
    let refused = Client::connect(("127.0.0.1", port), config(), LONG).and_then(|mut client| client.wait_greeting());
    assert!(refused.is_err(), "the session ends");
    assert_eq!(set("TDS1", "TD03", option::SERVSTATUS, cvda::INSERVICE).0, condition::NORMAL);
    drop(connect_lu("LUTD03"));
    // The region cannot acquire the session of a client.
    testing::eventually("the end of the session", || inquired("TDQ7", "TD03", &[option::ACQSTATUS]) == [cvda::RELEASED]);
    assert_eq!(set("TDS2", "TD03", option::ACQSTATUS, cvda::ACQUIRED), (condition::INVREQ, 25));
}

#[test]
fn a_defined_terminal_is_discarded_when_it_is_out_of_service() {
    typeterm("TDEF4", &[]);
    terminal("TD04", "TDEF4", &[]);
    let discard = |transid: &str| {
        in_task(transid, |task| {
            let mut call = Call::new(command::DISCARD_TERMINAL);
            call.text(task, option::TERMINAL, "TD04");
            let response = call.execute(task).unwrap();
            (response.condition, response.resp2)
        })
    };
    assert_eq!(discard("TDD1"), (condition::INVREQ, 38));
    assert_eq!(set("TDS3", "TD04", option::SERVSTATUS, cvda::OUTSERVICE).0, condition::NORMAL);
    assert_eq!(discard("TDD2"), (condition::NORMAL, 0));
    assert_eq!(discard("TDD3"), (condition::TERMIDERR, 23));
}

/// DISCREQ(NO): ISSUE DISCONNECT and CESF LOGOFF leave the session as it is.
#[test]
fn a_terminal_that_honours_no_disconnect_stays() {
    define("TDDI", |task| {
        assert!(Call::new(command::ISSUE_DISCONNECT).execute(task)?.is_normal());
        Ok(())
    });
    typeterm("TDEF5", &[("DISCREQ", "NO"), ("SIGNOFF", "LOGOFF")]);
    terminal("TD05", "TDEF5", &[("NETNAME", "LUTD05")]);
    let mut client = connect_lu("LUTD05");
    client.enter("CLEAR").unwrap();
    client.run("TDDI").unwrap();
    client.enter("CLEAR").unwrap();
    client.run("XYZ8").unwrap();
    client.wait_text("'XYZ8' is not recognized").unwrap();
    assert_eq!(the_region().terminals.find(Name4::new("TD05")).unwrap().at_timeout(), AtTimeout::LogOff);
}

/// PAGESIZE: a page of BMS has 10 lines of the 24.
#[test]
fn a_page_has_the_lines_of_pagesize() {
    define("TDPG", |task| {
        let text: String = (1..=25).map(|line| format!("LINE {line:02}\u{85}")).collect();
        let bytes: Vec<u8> = text
            .chars()
            .map(|character| if character == '\u{85}' { 0x15 } else { codepage::CCSID_037.byte_of(character).unwrap() })
            .collect();
        let mut send = Call::new(command::SEND_TEXT);
        send.bytes(option::FROM, &bytes)
            .integer(option::LENGTH, bytes.len() as i64)
            .flag(option::ERASE)
            .flag(option::PAGING)
            .flag(option::ACCUM);
        assert!(send.execute(task)?.is_normal());
        assert!(Call::new(command::SEND_PAGE).execute(task)?.is_normal());
        Ok(())
    });
    typeterm("TDEF6", &[("PAGESIZE", "10,80"), ("LOGONMSG", "YES")]);
    terminal("TD06", "TDEF6", &[("NETNAME", "LUTD06")]);
    let mut client = connect_lu("LUTD06");
    client.wait_text("WELCOME").unwrap();
    client.enter("CLEAR").unwrap();
    client.run("TDPG").unwrap();
    client.wait_text("LINE 10").unwrap();
    assert!(!client.screen().contains("LINE 11"), "{}", client.text());
    client.enter("CLEAR").unwrap();
    client.run("P/3").unwrap();
    client.wait_text("LINE 25").unwrap();
    assert!(client.screen().contains("LINE 21") && !client.screen().contains("LINE 20"), "{}", client.text());
}

fn use_profile(transid: &str, attribute: &'static str) {
    let region = the_region();
    region.install(&Definition::new("PROFILE", transid, "TEST").with(attribute, "YES")).unwrap();
    region.transactions().find(Name4::new(transid)).unwrap().change(|definition| definition.profile = Name8::new(transid));
}

/// ONEWTE(YES): one output for a task.
#[test]
fn a_second_output_of_a_task_with_onewte_abends_it() {
    define("TD1W", |task| {
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "ONE").flag(option::ERASE).flag(option::FREEKB).flag(option::WAIT);
        assert!(send.execute(task)?.is_normal());
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "TWO").flag(option::FREEKB);
        send.execute(task).map(|_| ())
    });
    use_profile("TD1W", "ONEWTE");
    let mut client = connect_lu("LUTD1W");
    client.wait_text("WELCOME").unwrap();
    client.enter("CLEAR").unwrap();
    client.run("TD1W").unwrap();
    client.wait_text("ATCC").unwrap();
    assert!(client.screen().contains("ONE"), "{}", client.text());
}

/// MSGINTEG(YES) and DEFRESP: SEND returns when the client has confirmed the output.
#[test]
fn an_output_is_confirmed_by_the_client() {
    let (sender, sent) = channel();
    let sender = std::sync::Mutex::new(sender);
    define("TDMI", move |task| {
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "CONFIRM THIS").flag(option::ERASE).flag(option::FREEKB);
        let response = send.execute(task)?;
        sender.lock().unwrap().send(response.condition).unwrap();
        Ok(())
    });
    use_profile("TDMI", "MSGINTEG");
    let mut client = connect_lu("LUTDMI");
    client.wait_text("WELCOME").unwrap();
    client.enter("CLEAR").unwrap();
    client.type_text("TDMI").unwrap();
    client.press("ENTER").unwrap();
    // The client takes nothing yet, so nothing is confirmed.
    assert!(sent.recv_timeout(Duration::from_millis(500)).is_err());
    client.wait_text("CONFIRM THIS").unwrap();
    assert_eq!(sent.recv_timeout(LONG).unwrap(), condition::NORMAL);
}

const SCAN_DELAY: &str = "ICVTSD=900";

/// Output that its task does not wait for comes when the scan delay has passed, and before anything that is sent later.
#[test]
fn output_waits_for_the_terminal_scan_delay() {
    let test = ["--exact", "terminal_definitions::output_comes_after_the_delay_that_the_region_has"];
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    let output = child.args(test).env(MORE_SIT, SCAN_DELAY).env(crate::scratch::PURPOSE, "-delay").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn output_comes_after_the_delay_that_the_region_has() {
    define("TDSD", |task| {
        let mut send = Call::new(command::SEND_TEXT);
        send.text(task, option::FROM, "AFTER A WHILE").flag(option::ERASE).flag(option::FREEKB);
        assert!(send.execute(task)?.is_normal());
        Ok(())
    });
    let is_delayed = std::env::var(MORE_SIT).is_ok_and(|parameter| parameter == SCAN_DELAY);
    let mut client = connect_lu("LUTDSD");
    client.wait_text("WELCOME").unwrap();
    client.enter("CLEAR").unwrap();
    let began = std::time::Instant::now();
    client.run("TDSD").unwrap();
    client.wait_text("AFTER A WHILE").unwrap();
    assert_eq!(began.elapsed() >= Duration::from_millis(850), is_delayed, "{:?}", began.elapsed());
}

#[test]
fn the_report_lists_the_terminals() {
    typeterm("TDEF7", &[]);
    terminal("TD07", "TDEF7", &[("NETNAME", "LUTD07"), ("TERMPRIORITY", "33"), ("INSERVICE", "NO")]);
    let mut client = connect_lu("LUTDRP");
    client.wait_text("WELCOME").unwrap();
    client.enter("CLEAR").unwrap();
    client.run("XYZ7").unwrap();
    client.wait_text("'XYZ7' is not recognized").unwrap();
    let text = region::statistics::report::text(the_region());
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in\n{text}"));
    assert_eq!(
        line("TD07").split_whitespace().collect::<Vec<_>>()[..10],
        ["TD07", "LUTD07", "LUTYPE2", "No", "Out", "33", "0", "0", "0", "0"]
    );
    // CLEAR and the transaction that is not there; the greeting is the only task.
    assert_eq!(line("TDRP").split_whitespace().collect::<Vec<_>>()[..7], ["TDRP", "LUTDRP", "DISPLAY", "Yes", "In", "0", "2"]);
}

/// SET TERMINAL PRINTER, ALTPRINTER, TERMPRIORITY and DISCREQST, with their conditions; with and without a session.
#[test]
fn printers_priority_and_disconnection_of_a_terminal_are_set() {
    typeterm("TDEF8", &[]);
    typeterm("TDEF9", &[("DEVICE", "SCSPRINT"), ("ALTSCREEN", "0,0")]);
    terminal("TD08", "TDEF8", &[("NETNAME", "LUTD08"), ("TERMPRIORITY", "5")]);
    terminal("TD09", "TDEF9", &[]);
    let named = |transid: &str, option, printer: &'static str| {
        in_task(transid, move |task| {
            let mut call = Call::new(command::SET_TERMINAL);
            call.text(task, option::TERMINAL, "TD08").text(task, option, printer);
            let response = call.execute(task).unwrap();
            (response.condition, response.resp2)
        })
    };
    assert_eq!(named("TDP1", option::PRINTER, "TD09"), (condition::NORMAL, 0));
    assert_eq!(named("TDP2", option::ALTPRINTER, "TD09"), (condition::NORMAL, 0));
    // Neither a terminal that is not there nor a display is a printer.
    assert_eq!(named("TDP3", option::PRINTER, "NONE"), (condition::INVREQ, 33));
    assert_eq!(named("TDP4", option::ALTPRINTER, "TD08"), (condition::INVREQ, 34));
    assert_eq!(set("TDP5", "TD08", option::TERMPRIORITY, 256), (condition::INVREQ, 4));
    assert_eq!(set("TDP6", "TD08", option::TERMPRIORITY, 77), (condition::NORMAL, 0));
    assert_eq!(set("TDP7", "TD08", option::DISCREQST, cvda::NODISCREQ), (condition::NORMAL, 0));
    let printers = |transid: &str| {
        in_task(transid, |task| {
            let mut call = Call::new(command::INQUIRE_TERMINAL);
            call.text(task, option::TERMINAL, "TD08").bytes(option::PRINTER, &[0; 4]).bytes(option::ALTPRINTER, &[0; 4]);
            assert!(call.execute(task).unwrap().is_normal());
            [option::PRINTER, option::ALTPRINTER].map(|option| call.result_text(task, option))
        })
    };
    let options = &[option::TERMPRIORITY, option::DISCREQST];
    assert_eq!(inquired("TDP8", "TD08", options), [77, cvda::NODISCREQ]);
    assert_eq!(printers("TDP9"), ["TD09", "TD09"]);
    // They are those of the terminal, not of its session.
    let mut client = connect_lu("LUTD08");
    client.enter("CLEAR").unwrap();
    assert_eq!(inquired("TDPA", "TD08", options), [77, cvda::NODISCREQ]);
    assert_eq!(named("TDPB", option::ALTPRINTER, "    "), (condition::NORMAL, 0));
    drop(client);
    testing::eventually("the end of the session", || inquired("TDPC", "TD08", &[option::ACQSTATUS]) == [cvda::RELEASED]);
    assert_eq!(printers("TDPD"), ["TD09", ""]);
}
