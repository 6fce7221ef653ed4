//! The region with its users and profiles, its terminals, and programs that report.

use crate::cobol_support::Setup;
use csd::{Definition, TransactionDefinition};
use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode};
use security::{Database, Moment};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tn3270::{Client, ClientConfig};

pub const APPLID: &str = "TESTSEC";
/// The password of every user who has one.
pub const PASSWORD: &str = "SECRET1";

/// TELLER may run what begins with T, and CEMT and CECI; SUPER everything. Commands and resources of TELLER are few.
const DEFINITIONS: &str = "
ADDGROUP TELLERS
ADDGROUP OTHERS
ADDUSER TELLER NAME('TOM TELLER') DFLTGRP(TELLERS) CICS(OPIDENT(TOM) OPCLASS(2 3) OPPRTY(7))
ADDUSER SUPER DFLTGRP(TELLERS)
ADDUSER LONER DFLTGRP(OTHERS)
ADDUSER BATCH DFLTGRP(OTHERS)
ADDUSER PRESET DFLTGRP(TELLERS)
ADDUSER CHECKED DFLTGRP(TELLERS)
ADDUSER EXPIRED DFLTGRP(TELLERS)
ADDUSER REVOKED DFLTGRP(TELLERS)
ADDUSER CHANGER DFLTGRP(TELLERS)
ADDUSER PHRASER DFLTGRP(TELLERS)
ADDUSER VICTIM DFLTGRP(TELLERS)
ADDUSER LEAVER DFLTGRP(TELLERS)
ADDUSER GUESSED DFLTGRP(TELLERS)
ADDUSER STORMED DFLTGRP(TELLERS)
ADDUSER NOAPPL DFLTGRP(OTHERS)
ALTUSER (TELLER SUPER LONER CHECKED REVOKED CHANGER VICTIM LEAVER NOAPPL GUESSED STORMED) PASSWORD(SECRET1) NOEXPIRED
ALTUSER EXPIRED PASSWORD(SECRET1)
ALTUSER PHRASER PHRASE('CORRECT HORSE BATTERY 1') NOEXPIRED
ALTUSER REVOKED REVOKE
SETROPTS PASSWORD(REVOKE(3))
RDEFINE APPL TESTSEC UACC(READ)
PERMIT TESTSEC CLASS(APPL) ID(NOAPPL) ACCESS(NONE)
RDEFINE TCICSTRN CSGM UACC(READ)
RDEFINE TCICSTRN OPEN UACC(READ)
RDEFINE TCICSTRN T* UACC(NONE)
RDEFINE TCICSTRN CE* UACC(NONE)
RDEFINE TCICSTRN ** UACC(NONE)
PERMIT T* CLASS(TCICSTRN) ID(TELLERS) ACCESS(READ)
PERMIT CE* CLASS(TCICSTRN) ID(TELLERS) ACCESS(READ)
PERMIT ** CLASS(TCICSTRN) ID(SUPER) ACCESS(READ)
RDEFINE FCICSFCT TFILE UACC(NONE)
RDEFINE FCICSFCT ** UACC(NONE)
PERMIT TFILE CLASS(FCICSFCT) ID(TELLERS) ACCESS(READ)
PERMIT ** CLASS(FCICSFCT) ID(SUPER) ACCESS(ALTER)
RDEFINE DCICSDCT TQ* UACC(NONE)
PERMIT TQ* CLASS(DCICSDCT) ID(TELLERS) ACCESS(READ)
RDEFINE SCICSTST TSEC* UACC(NONE)
PERMIT TSEC* CLASS(SCICSTST) ID(TELLERS) ACCESS(READ)
RDEFINE MCICSPPT TPGM* UACC(NONE)
RDEFINE MCICSPPT REPORT UACC(READ)
PERMIT TPGM* CLASS(MCICSPPT) ID(TELLERS) ACCESS(READ)
RDEFINE ACICSPCT T* UACC(NONE)
PERMIT T* CLASS(ACICSPCT) ID(TELLERS) ACCESS(READ)
RDEFINE CCICSCMD ** UACC(NONE)
RDEFINE CCICSCMD FILE UACC(NONE)
RDEFINE CCICSCMD TASK UACC(READ)
PERMIT FILE CLASS(CCICSCMD) ID(TELLERS) ACCESS(READ)
PERMIT ** CLASS(CCICSCMD) ID(SUPER) ACCESS(ALTER)
RDEFINE SURROGAT BATCH.DFHSTART UACC(NONE)
PERMIT BATCH.DFHSTART CLASS(SURROGAT) ID(SUPER) ACCESS(READ)
RDEFINE SURROGAT BATCH.DFHINSTL UACC(NONE)
PERMIT BATCH.DFHINSTL CLASS(SURROGAT) ID(SUPER) ACCESS(READ)
RDEFINE RCICSRES DOCTEMPLATE.T* UACC(NONE)
PERMIT DOCTEMPLATE.T* CLASS(RCICSRES) ID(TELLERS) ACCESS(READ)
RDEFINE RCICSRES DOCTEMPLATE.** UACC(NONE)
RDEFINE FACILITY BANK.** UACC(NONE)
PERMIT BANK.** CLASS(FACILITY) ID(TELLER) ACCESS(UPDATE)
RDEFINE PTKTDATA TESTSEC SSIGNON(KEYMASKED(E001193519561977))
RDEFINE PTKTDATA IRRPTAUTH.TESTSEC.* UACC(NONE)
PERMIT IRRPTAUTH.TESTSEC.* CLASS(PTKTDATA) ID(TELLER) ACCESS(UPDATE)
";

struct Served {
    setup: Setup,
    address: SocketAddr,
    data: std::path::PathBuf,
}

fn served() -> &'static Served {
    static SERVED: OnceLock<Served> = OnceLock::new();
    SERVED.get_or_init(|| {
        let mut data = Default::default();
        let setup = Setup::start_with(APPLID, |config| {
            for parameter in ["SEC=YES", "STGPROT=NO", "GMTEXT='SECURED'", "XDB2=NO", "USRDELAY=1"] {
                config.sit.apply(parameter).unwrap();
            }
            data = config.data_directory.clone();
            let database = Database::open(&data).unwrap();
            database.create_administrator().unwrap().expect("an empty database");
            administer_in(&database, DEFINITIONS);
        });
        let address = terminals::terminal_control::listen(setup.region, "127.0.0.1:0").unwrap();
        Served { setup, address, data }
    })
}

pub fn setup() -> &'static Setup {
    &served().setup
}

pub fn region() -> &'static Region {
    setup().region
}

/// The data directory.
pub fn data() -> &'static std::path::Path {
    &served().data
}

fn administer_in(database: &Database, commands: &str) {
    for (_, command) in security::commands_of_lines(commands) {
        let report = database.execute(&command, Moment::now());
        assert_eq!(report.return_code, 0, "{command}: {:#?}", report.lines);
    }
}

/// Commands of an administrator in another process: the database is opened anew.
pub fn administer(commands: &str) {
    administer_in(&Database::open(&served().data).unwrap(), commands);
}

/// Puts a program into the library, once for all tests; lines are broken before column 72.
pub fn compile(name: &str, working_storage: &str, linkage: &str, procedure: &str) {
    static COMPILED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if !compiled.insert(name.to_string()) {
        return;
    }
    setup().define_program(name, &[]);
    setup().compile(name, &broken(working_storage), &broken(linkage), &broken(procedure));
}

/// Breaks lines at blanks outside of literals.
fn broken(text: &str) -> String {
    const COLUMNS: usize = 62;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let mut current = " ".repeat(indent);
        for word in words(line.trim_start()) {
            if current.trim().is_empty() || current.len() + 1 + word.len() <= COLUMNS {
                if !current.trim().is_empty() {
                    current.push(' ');
                }
                current.push_str(&word);
            } else {
                lines.push(std::mem::replace(&mut current, format!("{}{word}", " ".repeat(indent + 4))));
            }
        }
        lines.push(current);
    }
    lines.join("\n")
}

/// The words of a line; a literal is part of one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        quoted ^= letter == '\'';
        match letter {
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A transaction of a program, with further attributes.
pub fn define(transid: &str, program: &str, attributes: &[(&'static str, &str)]) {
    let definition = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", program).with("TASKDATALOC", "ANY");
    let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
    region().transactions().install(TransactionDefinition::from(&definition));
}

/// Runs a transaction for a user, with a communication area; its report. One at a time: reports are told apart by the transaction only.
pub fn reported_for(user: &str, transid: &str, commarea: &str) -> String {
    static RUNNING: Mutex<()> = Mutex::new(());
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let reports = setup().reports_of(transid);
    let mut request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    request.user_id = Name8::new(user);
    request.commarea = region().code_page.encode(commarea);
    region().attach(request).unwrap_or_else(|failure| panic!("{}", failure.message.line()));
    setup().report_in(&reports)
}

/// The message of a transaction that a user may not run.
pub fn refused_for(user: &str, transid: &str) -> String {
    let mut request = AttachRequest::new(Name4::new(transid), StartCode::Start);
    request.user_id = Name8::new(user);
    region().attach(request).err().unwrap_or_else(|| panic!("{user} may run {transid}")).message.line()
}

/// Waits for a message of the region with all parts.
pub fn wait_for_message(parts: &[&str]) -> String {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let lines = setup().lines();
        if let Some(line) = lines.iter().rev().find(|line| parts.iter().all(|part| line.contains(part))) {
            return line.clone();
        }
        assert!(Instant::now() < deadline, "no message with {parts:?}; {lines:#?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub fn connect() -> Client {
    connect_as(ClientConfig::default())
}

pub fn connect_as(config: ClientConfig) -> Client {
    let mut client = Client::connect(served().address, config, Duration::from_secs(20)).unwrap();
    client.wait_greeting().unwrap();
    client.wait_text("SECURED").unwrap();
    client
}

/// A transaction on an empty screen.
pub fn run(client: &mut Client, text: &str) {
    client.enter("CLEAR").unwrap();
    client.run(text).unwrap();
}

/// A terminal where a user has signed on.
pub fn signed_on(user: &str) -> Client {
    let mut client = connect();
    run(&mut client, &format!("CESN USERID={user},PS={PASSWORD}"));
    client.wait_text("DFHCE3549").unwrap();
    client
}
