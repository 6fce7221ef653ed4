//! Commands at random: none ends the process, and after any number of them the file leads to the same database. `REGENT_FUZZ_SECONDS` makes a
//! run longer.

use std::time::{Duration, Instant};

use security::{Database, Moment};
use testing::Random;

const NAMES: [&str; 8] = ["SYS1", "REGADMIN", "TOM", "TELLERS", "PAY1", "USER5678", "TOOLONG89", "*"];
const CLASSES: [&str; 8] = ["TCICSTRN", "GCICSTRN", "PTKTDATA", "STARTED", "CDT", "GLOBAL", "FACILITY", "$OWN"];
const PROFILES: [&str; 8] = ["PAY1", "CE*", "**", "A.*.B", "TCICSTRN", "$OWN", "(PAY1 PAY2)", "%%"];
const LEVELS: [&str; 6] = ["NONE", "READ", "UPDATE", "CONTROL", "ALTER", "MUCH"];
const OPERANDS: [&str; 40] = [
    "DFLTGRP(TELLERS)",
    "OWNER(TOM)",
    "NAME('T')",
    "DATA('D')",
    "NODATA",
    "SPECIAL",
    "NOSPECIAL",
    "RESTRICTED",
    "REVOKE",
    "RESUME",
    "REVOKE(02/30/26)",
    "RESUME(01/01/27)",
    "CICS(OPCLASS(1 24) TIMEOUT(130))",
    "CICS(OPPRTY(256))",
    "NOCICS",
    "LANGUAGE(PRI(DEU))",
    "GROUP(TELLERS)",
    "AUTHORITY(JOIN)",
    "UACC(READ)",
    "SUPGROUP(TELLERS)",
    "SUPGROUP(SYS1)",
    "ADDMEM(PAY1 PAY2)",
    "DELMEM(PAY1)",
    "ADDMEM(&RACUID.**/ALTER)",
    "AUDIT(ALL(READ))",
    "AUDIT(FAILURES)",
    "WARNING",
    "NOTIFY(TOM)",
    "SSIGNON(KEYMASKED(0123456789ABCDEF))",
    "SSIGNON(EPTKEYLABEL(K.1))",
    "STDATA(USER(TOM) TRUSTED(YES))",
    "CDTINFO(POSIT(1) MAXLENGTH(9))",
    "ID(TOM *)",
    "ACCESS(READ)",
    "DELETE",
    "RESET",
    "WHEN(TERMINAL(T1))",
    "ALL",
    "AUTHUSER",
    "INTERVAL(30)",
];
/// From here on operands are those of profiles.
const RESOURCE_OPERANDS: usize = 18;
const COMMANDS: [&str; 17] = [
    "ADDUSER", "ALTUSER", "DELUSER", "LISTUSER", "ADDGROUP", "ALTGROUP", "DELGROUP", "LISTGRP", "CONNECT", "REMOVE", "PASSWORD", "SEARCH",
    "RDEFINE", "RALTER", "RDELETE", "RLIST", "PERMIT",
];
const OPTIONS: [&str; 10] =
    ["CLASSACT", "NOCLASSACT", "GENERIC", "NOGENERIC", "RACLIST", "NORACLIST", "GLOBAL", "AUDIT", "NOAUDIT", "NOGLOBAL"];

fn command(random: &mut Random) -> String {
    if random.one_in(8) {
        let refresh = if random.one_in(2) { " REFRESH" } else { "" };
        return format!("SETROPTS {}({}){refresh}", random.pick(&OPTIONS), random.pick(&CLASSES));
    }
    let name = random.pick(&COMMANDS);
    let mut words = vec![name.to_string()];
    match name {
        "RDEFINE" | "RALTER" | "RDELETE" | "RLIST" => {
            words.push(random.pick(&CLASSES).to_string());
            words.push(random.pick(&PROFILES).to_string());
        }
        "PERMIT" => {
            words.extend([random.pick(&PROFILES).to_string(), format!("CLASS({}) ACCESS({})", random.pick(&CLASSES), random.pick(&LEVELS))])
        }
        "SEARCH" => words.push(format!("CLASS({})", random.pick(&CLASSES))),
        _ => words.push(random.pick(&NAMES).to_string()),
    }
    let resource = ["RDEFINE", "RALTER", "RLIST", "PERMIT"].contains(&name);
    let operands = if resource { &OPERANDS[RESOURCE_OPERANDS..] } else { &OPERANDS[..RESOURCE_OPERANDS] };
    (0..random.below(3)).for_each(|_| words.push(random.pick(operands).to_string()));
    let mut text = words.join(" ");
    // Something is cut out or put in anywhere.
    if random.one_in(10) {
        let at = random.index(text.len());
        let character = random.pick(&["(", ")", "'", "", "/*", "-"]);
        text.replace_range(at..at + 1, character);
    }
    text
}

fn listing(database: &Database) -> String {
    let mut commands = vec!["LISTUSER * CICS LANGUAGE".to_string(), "LISTGRP *".to_string(), "SETROPTS LIST".to_string()];
    commands.extend(CLASSES.iter().map(|class| format!("RLIST {class} * ALL SSIGNON STDATA CDTINFO")));
    commands.iter().map(|command| database.execute(command, Moment(0)).lines.join("\n")).collect::<Vec<_>>().join("\n")
}

#[test]
fn any_commands_leave_a_database_that_its_file_leads_to() {
    let seconds = std::env::var("REGENT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seed = 1;
    while seed == 1 || Instant::now() < end {
        let mut random = Random::new(seed);
        let directory = tempfile::tempdir().unwrap();
        let database = Database::open(directory.path()).unwrap();
        for command in ["ADDGROUP TELLERS", "ADDUSER TOM", "RDEFINE TCICSTRN (PAY1 PAY2 CE*)", "RDEFINE CDT $OWN CDTINFO(POSIT(1))"] {
            assert_eq!(database.execute(command, Moment(0)).return_code, 0, "{command}");
        }
        let mut done = 0;
        for _ in 0..150 {
            let report = database.execute(&command(&mut random), Moment(1_767_268_800));
            assert!([0, 4, 8, 12].contains(&report.return_code), "{report:?}");
            done += usize::from(report.return_code < 8);
        }
        assert!(done > 0, "seed {seed}: {done} commands were carried out");
        let other = Database::open(directory.path()).unwrap();
        assert_eq!(listing(&other), listing(&database), "seed {seed}");
        seed += 1;
    }
}
