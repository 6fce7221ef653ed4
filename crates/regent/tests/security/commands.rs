//! The commands of the security manager, as programs see them: the tables of `applications/security/tables`, row by row.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

use super::support::command_table::{Outcome, RECORDED, Table, outcomes};
use super::world::{self, Secured};

const LIMIT: Duration = Duration::from_secs(120);

struct Run {
    tables: Vec<Table>,
    outcomes: HashMap<(String, usize), Outcome>,
    log: Vec<String>,
}

static RUN: LazyLock<Run> = LazyLock::new(|| {
    let secured = Secured::start(&[]);
    let tables = vec![world::table("signing"), world::table("queries")];
    let mut terminal = secured.connect();
    terminal.transaction("SECS");
    terminal.expect_one_of(&[RECORDED, "DFHAC"], LIMIT);
    secured.sign_on(&mut terminal, "TELLER");
    terminal.transaction("SECQ");
    terminal.expect_one_of(&[RECORDED, "DFHAC"], LIMIT);
    let log = secured.logged(&["DFH"]);
    Run { outcomes: outcomes(secured.data()), tables, log }
});

fn assert_section(section: &str) {
    let mut faults = Vec::new();
    let mut count = 0;
    for table in &RUN.tables {
        for (number, row) in table.rows.iter().enumerate().filter(|(_, row)| row.section == section) {
            count += row.checks();
            faults.extend(row.faults(RUN.outcomes.get(&(table.transaction.clone(), number))));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 0, "no rows of {section}");
}

/// SIGNON and SIGNOFF: every option and every condition.
#[test]
fn signing_on() {
    assert_section("signing_on");
}

#[test]
fn verifying_passwords() {
    assert_section("verifying_passwords");
}

#[test]
fn verifying_phrases() {
    assert_section("verifying_phrases");
}

#[test]
fn changing_passwords() {
    assert_section("changing_passwords");
}

#[test]
fn changing_phrases() {
    assert_section("changing_phrases");
}

#[test]
fn asking() {
    assert_section("asking");
}

#[test]
fn tickets() {
    assert_section("tickets");
}

#[test]
fn rebuilding() {
    assert_section("rebuilding");
}

/// "When you supply an incorrect password, CICS issues message DFHXS1201. When you supply a correct password after one or more unsuccessful
/// attempts, CICS issues message DFHXS1206" (SIGNON); and no message has a password.
#[test]
fn wrong_passwords_of_programs_are_told() {
    let has = |parts: &[&str]| RUN.log.iter().any(|line| parts.iter().all(|part| line.contains(part)));
    for user in ["LONER", "CHECKED", "CHANGER"] {
        assert!(has(&["DFHXS1201", user]) && has(&["DFHXS1206", user]), "{user}: {:#?}", RUN.log);
    }
    assert!(has(&["DFHXS1111", "TELLER", "LONER.DFHQUERY", "SURROGAT"]), "{:#?}", RUN.log);
    let secrets = ["SECRET1", "NEWPASS1", "CORRECT HORSE", "CARD OF"];
    assert!(RUN.log.iter().all(|line| secrets.iter().all(|secret| !line.contains(secret))), "{:#?}", RUN.log);
}
