//! A region with SEC=YES, its users and profiles.

use std::path::Path;
use std::time::{Duration, Instant};

use super::security;
use super::support::application::Application;
use super::support::command_table::Table;
use super::support::terminal::Terminal;
use super::support::{Region, root};

/// The password of all users who have one, unless a test changes it.
pub const PASSWORD: &str = "SECRET1";

/// WEEKLY may sign on in three days, and DAY is that day's name.
const DEFINITIONS: &str = "
ADDGROUP TELLERS
ADDGROUP CLOSED
ADDUSER (TELLER CASHIER LONER HOLDER EXPIRED EXPIRED2 NOTERM WEEKLY NOAPPL REVOKED CHECKED FOREVER) DFLTGRP(TELLERS)
ADDUSER (CHANGER CHANGER2 PHRASER SLEEPER PRESET SUPER) DFLTGRP(TELLERS)
ALTUSER (TELLER CASHIER LONER HOLDER NOTERM WEEKLY NOAPPL REVOKED CHECKED FOREVER) PASSWORD(SECRET1) NOEXPIRED
ALTUSER (CHANGER SLEEPER SUPER) PASSWORD(SECRET1) NOEXPIRED
ALTUSER (EXPIRED EXPIRED2) PASSWORD(SECRET1)
ALTUSER (PHRASER CHECKED FOREVER CHANGER2 REVOKED) PHRASE('CORRECT HORSE BATTERY 1') NOEXPIRED
ALTUSER EXPIRED2 PHRASE('CORRECT HORSE BATTERY 1')
PASSWORD USER(FOREVER) NOINTERVAL
ALTUSER HOLDER OIDCARD('CARD OF HOLDER')
ALTUSER WEEKLY WHEN(DAYS(DAY))
ALTUSER SLEEPER CICS(TIMEOUT(1))
ALTUSER REVOKED REVOKE
CONNECT (LONER CHECKED) GROUP(CLOSED)
CONNECT (LONER CHECKED) GROUP(CLOSED) REVOKE
RDEFINE APPL SECAPPL UACC(READ)
PERMIT SECAPPL CLASS(APPL) ID(NOAPPL) ACCESS(NONE)
RDEFINE TERMINAL ** UACC(READ)
PERMIT ** CLASS(TERMINAL) ID(NOTERM) ACCESS(NONE)
RDEFINE TCICSTRN S* UACC(READ)
RDEFINE TCICSTRN TALK UACC(NONE)
PERMIT TALK CLASS(TCICSTRN) ID(TELLERS) ACCESS(READ)
RDEFINE TCICSTRN TWHO UACC(NONE)
PERMIT TWHO CLASS(TCICSTRN) ID(TELLERS) ACCESS(READ)
RDEFINE TCICSTRN NITE UACC(READ)
RDEFINE FCICSFCT TFILE UACC(NONE)
PERMIT TFILE CLASS(FCICSFCT) ID(TELLERS) ACCESS(READ)
PERMIT TFILE CLASS(FCICSFCT) ID(TELLER) ACCESS(UPDATE)
RDEFINE CCICSCMD SECURITY UACC(NONE)
PERMIT SECURITY CLASS(CCICSCMD) ID(TELLER) ACCESS(UPDATE)
RDEFINE FACILITY BANK.** UACC(NONE)
PERMIT BANK.** CLASS(FACILITY) ID(TELLER) ACCESS(CONTROL)
RDEFINE SURROGAT CASHIER.DFHQUERY UACC(NONE)
PERMIT CASHIER.DFHQUERY CLASS(SURROGAT) ID(TELLER) ACCESS(READ)
RDEFINE SURROGAT REVOKED.DFHQUERY UACC(READ)
RDEFINE PTKTDATA SECAPPL SSIGNON(KEYMASKED(E001193519561977))
RDEFINE PTKTDATA IRRPTAUTH.SECAPPL.* UACC(NONE)
PERMIT IRRPTAUTH.SECAPPL.* CLASS(PTKTDATA) ID(TELLER) ACCESS(UPDATE)
RDEFINE PTKTDATA IRRPTAUTH.NOKEY.* UACC(UPDATE)
";
const DAYS: [&str; 7] = ["THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY"];

pub struct Secured {
    application: Application,
    pub region: Region,
}

impl Secured {
    /// A region with these overrides of system initialization parameters.
    pub fn start(overrides: &[&str]) -> Secured {
        let application = prepared();
        let region = started(&application, overrides).unwrap_or_else(|output| panic!("the region did not start:\n{}", output.join("\n")));
        Secured { application, region }
    }

    pub fn data(&self) -> &Path {
        self.application.data()
    }

    pub fn administer(&self, commands: &str) {
        administer(self.data(), commands);
    }

    pub fn connect(&self) -> Terminal {
        Terminal::connect(self.region.port)
    }

    /// A terminal by the name of its logical unit.
    pub fn connect_as(&self, logical_unit: &str) -> Terminal {
        Terminal::connect_at(&format!("{logical_unit}@127.0.0.1:{}", self.region.port), "3279-2-E", &[])
    }

    pub fn sign_on(&self, terminal: &mut Terminal, user: &str) {
        terminal.transaction(&format!("CESN USERID={user},PS={PASSWORD}"));
        terminal.expect("DFHCE3549");
    }

    /// The lines of the region's log with all parts.
    pub fn logged(&self, parts: &[&str]) -> Vec<String> {
        let log = std::fs::read_to_string(self.data().join("log/region.log")).expect("the log");
        log.lines().filter(|line| parts.iter().all(|part| line.contains(part))).map(str::to_string).collect()
    }

    /// Waits for such a line.
    pub fn wait_for(&self, parts: &[&str], limit: Duration) -> String {
        let end = Instant::now() + limit;
        loop {
            if let Some(line) = self.logged(parts).pop() {
                return line;
            }
            assert!(Instant::now() < end, "no message with {parts:?}: {:#?}", self.logged(&["DFH"]));
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The application with its security database.
pub fn prepared() -> Application {
    let application = Application::new();
    let applications = root().join("crates/regent/tests/applications");
    for entry in std::fs::read_dir(applications.join("security")).expect("the application").flatten().filter(|entry| entry.path().is_file())
    {
        std::fs::copy(entry.path(), application.path().join(entry.file_name())).expect("copied");
    }
    for copy in ["TABWORK.cpy", "TABPROC.cpy"] {
        std::fs::copy(applications.join("commands").join(copy), application.path().join(copy)).expect("copied");
    }
    for name in ["signing", "queries"] {
        let table = table(name);
        application.write(&table.program_file(), &table.cobol());
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time after 1970").as_secs();
    let day = DAYS[(now / 86_400 + 3) as usize % DAYS.len()];
    administer(application.data(), &DEFINITIONS.replace("DAYS(DAY)", &format!("DAYS({day})")));
    application
}

pub fn table(name: &str) -> Table {
    Table::read(&root().join("crates/regent/tests/applications/security/tables").join(name).with_extension("tsv"))
}

/// The region of an application, or what it printed when it did not start.
pub fn started(application: &Application, overrides: &[&str]) -> Result<Region, Vec<String>> {
    let mut arguments = vec!["--sit", "SEC=YES", "--sit", "APPLID=SECAPPL", "--sit", "CMDSEC=ALWAYS"];
    overrides.iter().for_each(|parameter| arguments.extend(["--sit", parameter]));
    Region::try_start(application.path(), application.data(), &arguments)
}

/// Commands of an administrator, for the database of an application.
pub fn administer(data: &Path, commands: &str) {
    let (code, listing, errors) = security(&data.join("data"), &["-"], commands);
    assert_eq!(code, 0, "{listing}{errors}");
}
