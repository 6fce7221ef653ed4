//! The exit points of terminals, BMS and sign-on, and the autoinstall control program, at the terminals of TN3270 clients.
//!
//! The region has AIEXIT=ZATDX: it installs a terminal for LUAABC as ZABC, and refuses network names that begin with BAD.

use super::sources::{install, run};
use super::{alone, says, setup};
use csd::Definition;
use region::name::{Name4, Name8};
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tn3270::{Client, ClientConfig};

const TIME_MAX: Duration = Duration::from_secs(20);

fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        install("ZATDX");
        terminals::terminal_control::listen(setup().region, "127.0.0.1:0").unwrap()
    })
}

fn session(lu: &str) -> Client {
    Client::connect(address(), ClientConfig { lu: Some(lu.to_string()), ..ClientConfig::default() }, TIME_MAX).unwrap()
}

fn connect(lu: &str) -> Client {
    let mut client = session(lu);
    client.wait_greeting().unwrap();
    client.enter("CLEAR").unwrap();
    client
}

fn is_there(name: &str) -> bool {
    setup().region.terminals.find(Name4::new(name)).is_some()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < TIME_MAX, "{what}; {:#?}", setup().lines());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What the control program has been called for since the last look.
fn control_program_calls() -> Vec<String> {
    let mut calls = Vec::new();
    loop {
        let call = run("EXZQ", &["READCALL"]);
        match call.trim_end() {
            "" => return calls,
            call => calls.push(call.to_string()),
        }
    }
}

/// INSTALL has the network name, the models and the address of the client; what the program chooses is what the terminal has. DELETE has the
/// name of the terminal.
#[test]
fn the_control_program_installs_a_terminal_and_is_told_of_its_end() {
    let _alone = alone();
    address();
    control_program_calls();
    let client = connect("LUAABC");
    let terminal = setup().region.terminals.find(Name4::new("ZABC")).expect("the terminal has the name that the program chose");
    assert_eq!(terminal.netname(), Name8::new("LUAABC"));
    assert_eq!(control_program_calls(), ["INSTALL LUAABC   DFHLU2E2 127.0.0.1"]);
    assert_eq!(run("EXZP", &["PRINTERS"]).trim_end(), "ZPR1ZPR2");
    drop(client);
    wait_until("the terminal is deleted", || !is_there("ZABC"));
    let mut calls = Vec::new();
    wait_until("the program is told", || {
        calls.extend(control_program_calls());
        calls == ["DELETED ZABC"]
    });
}

/// ISSUE PRINT copies the screen to the printer of the terminal, or the alternate one, and raises TERMERR (81) when neither is there.
#[test]
fn issue_print_goes_to_the_printer_that_the_control_program_chose() {
    let _alone = alone();
    install("ZPRINT");
    setup().define_transaction("EXZI", "ZPRINT");
    let mut client = connect("LUAABI");
    let mut print = || {
        let reports = setup().reports_of("EXZI");
        client.run("EXZI").unwrap();
        // The client sends its screen while the program waits.
        let mut response = None;
        wait_until("ISSUE PRINT has ended", || {
            client.receive(Duration::from_millis(20)).unwrap();
            response = response.take().or_else(|| reports.try_recv().ok());
            response.is_some()
        });
        client.wait_text("TO BE PRINTED").unwrap();
        client.enter("CLEAR").unwrap();
        setup().region.code_page.text(&response.unwrap()).trim_end().to_string()
    };
    assert_eq!(print(), "81");
    let config = ClientConfig { lu: Some("LUAPR2".to_string()), terminal_type: Some("IBM-3287-1".to_string()), ..ClientConfig::default() };
    let mut printer = Client::connect(address(), config, TIME_MAX).unwrap();
    wait_until("the printer is installed", || is_there("ZPR2"));
    assert_eq!(print(), "00");
    printer.wait_text("TO BE PRINTED").unwrap();
}

#[test]
fn the_control_program_chooses_a_model() {
    let _alone = alone();
    let typeterm = Definition::new("TYPETERM", "EXTYPE", "TEST").with("DEVICE", "LUTYPE2").with("TERMMODEL", "2").with("LOGONMSG", "YES");
    let model = Definition::new("TERMINAL", "EXMO", "TEST").with("TYPETERM", "EXTYPE").with("AUTINSTMODEL", "ONLY");
    setup().region.install(&typeterm).unwrap();
    setup().region.install(&model.with("AUTINSTNAME", "EXMODEL")).unwrap();
    let _client = connect("MODABD");
    let terminal = setup().region.terminals.find(Name4::new("ZABD")).unwrap();
    assert_eq!(terminal.attributes().typeterm, Name8::new("EXTYPE"));
}

/// A return code that is not zero, a model that is not there and a name in use refuse the terminal, with the reason in DFHZC6942.
#[test]
fn the_control_program_refuses_a_terminal() {
    let _alone = alone();
    for (lu, reason) in [("BADABF", "X'0C'"), ("NOMABG", "NOMODEL")] {
        let mut client = session(lu);
        assert!(client.wait_greeting().is_err(), "{lu} is refused");
        assert!(says(&["DFHZC6942", lu, reason]), "{:#?}", setup().lines());
    }
    assert!(!is_there("ZABF") && !is_there("ZABG"));
    let _first = connect("LUAABH");
    let mut second = session("LUBABH");
    assert!(second.wait_greeting().is_err());
    assert!(says(&["DFHZC6942", "LUBABH", "in use"]));
}

/// XZCIN changes HELLO to JELLO, which the program gets, and XZCOUT that to CELLO, which the terminal gets.
#[test]
fn xzcin_and_xzcout_change_data() {
    let _alone = alone();
    ["EXZTERM", "EXSIGN", "EXBMS", "ZECHO"].into_iter().for_each(install);
    setup().define_transaction("EXZ1", "ZECHO");
    run("EXZE", &["ENABLE"]);
    let mut client = connect("LUAZC1");
    client.run("EXZ1 HELLO").unwrap();
    let shown = client.wait_text("EXZ1 CELLO");
    let report = run("EXZF", &["OFFZTERM"]);
    for other in ["OFFSIGN", "OFFBMS"] {
        run("EXZG", &[other]);
    }
    assert!(shown.is_ok(), "{}", client.text());
    assert_eq!(report[4..].trim_end(), "EXZ1 ZZC1 ENTER OUT");
    assert_ne!(&report[..4], "0000");
}

/// XGMTEXT changes the text of the good morning message: "Before the good morning message is transmitted" (Exit XGMTEXT).
#[test]
fn xgmtext_changes_the_good_morning_message() {
    let _alone = alone();
    address();
    run("EXGE", &["EXGMT", "ONGMT"]);
    let mut changed = session("LUAGM1");
    let greeted = changed.wait_text("Give a transaction identifier");
    let report = run("EXGF", &["OFFGMT"]);
    assert!(greeted.is_ok(), "{}", changed.text());
    assert_eq!(report.trim_end(), "0001ZGM1");
    let mut plain = session("LUAGM2");
    plain.wait_text("Type a transaction identifier").unwrap();
}

/// XSNON and XSNOFF have the user, the terminal and what has become of it.
#[test]
fn xsnon_and_xsnoff_see_sign_on_and_sign_off() {
    let _alone = alone();
    ["EXZTERM", "EXSIGN", "EXBMS"].into_iter().for_each(install);
    let mut client = connect("LUASN1");
    run("EXZE", &["ENABLE"]);
    client.run("CESN USERID=ADAMS").unwrap();
    client.wait_text("DFHCE3549").unwrap();
    client.run("CESF").unwrap();
    client.wait_text("DFHCE3590").unwrap();
    client.enter("CLEAR").unwrap();
    client.run("CESN USERID=A.B").unwrap();
    client.wait_text("DFHCE3530").unwrap();
    client.enter("PF3").unwrap();
    client.wait_text("DFHCE3543").unwrap();
    let report = run("EXZF", &["OFFSIGN"]);
    for other in ["OFFZTERM", "OFFBMS"] {
        run("EXZG", &[other]);
    }
    assert_eq!(report.trim_end(), "0003N+ADAMS   T F+ADAMS   T N-A.B");
}

const MAPS: &str = "\
EXMAPS   DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,TIOAPFX=YES,STORAGE=AUTO
EXMAP    DFHMDI SIZE=(24,80)
NAME     DFHMDF POS=(2,11),LENGTH=8,INITIAL='WHOM',ATTRB=(UNPROT,BRT,IC),  X
               VALIDN=USEREXIT
         DFHMDF POS=(2,20),LENGTH=1,ATTRB=ASKIP
OTHER    DFHMDF POS=(3,11),LENGTH=8,ATTRB=ASKIP
         DFHMSD TYPE=FINAL
         END
";

/// XBMOUT sees the field with VALIDN=USEREXIT and changes what is sent; XBMIN sees what was typed and changes what the program gets.
#[test]
fn xbmout_and_xbmin_change_fields() {
    let _alone = alone();
    let assembly = bms::assemble("exmaps.bms", MAPS.as_bytes(), &codepage::CCSID_037);
    let mapset = assembly.mapsets.first().unwrap_or_else(|| panic!("{:?}", assembly.diagnostics));
    std::fs::write(setup().library().join("EXMAPS.rlm"), bms::object::encode(mapset)).unwrap();
    ["EXZTERM", "EXSIGN", "EXBMS", "ZMAP"].into_iter().for_each(install);
    setup().define_transaction("EXZM", "ZMAP");
    let mut client = connect("LUABM1");
    run("EXZE", &["ENABLE"]);
    let reports = setup().reports_of("EXZM");
    client.run("EXZM").unwrap();
    let shown = client.wait_text("CHANGED").and_then(|()| client.wait_text("THEN"));
    client.replace("ALICE").unwrap();
    client.enter("ENTER").unwrap();
    let got = setup().report_in(&reports);
    let report = run("EXZF", &["OFFBMS"]);
    for other in ["OFFZTERM", "OFFSIGN"] {
        run("EXZG", &[other]);
    }
    assert!(shown.is_ok(), "{}", client.text());
    assert_eq!(got.trim_end(), "SEEN");
    assert_eq!(&report[..4], "0002");
    assert_eq!(report[4..].replace('\0', " ").trim_end(), "WHOM     ALICE     OIN");
}
