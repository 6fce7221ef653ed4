//! Programs of program list tables, run during the start (PLTPI) and the shutdown (PLTSD) of the region.

mod support;

use std::path::PathBuf;
use std::time::Duration;
use support::Region;
use support::terminal::Terminal;

fn application() -> PathBuf {
    support::root().join("crates/regent/tests/applications/program_lists")
}

/// What PLTSHOW told and the messages around it, in order.
fn told(output: &[String]) -> Vec<String> {
    let messages = ["DFHSI1526", "DFHSI1517", "DFHTM1715", "DFHKE1799"];
    let found = output.iter().filter_map(|line| {
        if let Some(id) = messages.iter().find(|id| line.contains(**id)) {
            return Some(format!("{id} {line}"));
        }
        // The text of WRITE OPERATOR, without what the console puts around it.
        let text = &line[line.find("PLTSHOW ")?..];
        Some(text.split(" id=").next()?.trim_end().to_string())
    });
    found.collect()
}

#[test]
fn programs_run_at_their_stages_of_start_and_shutdown() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &[]);
    let end = {
        let given = |line: &str| line.contains("DFHSI1517");
        // Messages and the word that it is ready come by different ways.
        assert!(region.output.iter().any(|line| given(line)) || region.wait_for(given, Duration::from_secs(60)));
        let told = told(&region.output);
        assert_eq!(told[0], "PLTSHOW SECONDINIT  STARTUP   DFHSIPLT CPLT U");
        assert!(told[1].starts_with("DFHSI1526") && told[1].contains("PLTNONE") && told[1].contains("not available"), "{}", told[1]);
        assert!(told[2].starts_with("DFHSI1526") && told[2].contains("PLTBAD") && told[2].contains("abend BAD1"), "{}", told[2]);
        assert_eq!(told[3], "PLTSHOW THIRDINIT   STARTUP   DFHSIPLT CPLT U");
        assert!(told[4].starts_with("DFHSI1517"), "{}", told[4]);
        told.len()
    };
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    let told = told(&region.output);
    assert!(told[end].starts_with("DFHTM1715"), "{told:?}");
    assert_eq!(told[end + 1], "PLTSHOW INITCOMPLETEFIRST     DFHSIPLT CPLT U");
    assert_eq!(told[end + 2], "PLTSHOW INITCOMPLETEFINAL     DFHSIPLT CPLT U");
    assert!(told[end + 3].starts_with("DFHKE1799"), "{told:?}");
}

#[test]
fn a_shutdown_names_another_table() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &["--sit", "PLTPI=NO"]);
    let mut terminal = Terminal::connect(region.port);
    // INVREQ is 16.
    terminal.transaction("SHUT XX");
    terminal.expect("RESP 016 003");
    terminal.clear();
    terminal.transaction("CEMT PERFORM SHUTDOWN PLT(S2)");
    drop(terminal);
    assert_eq!(region.wait_for_end(), Some(0));
    let told = told(&region.output);
    let shown: Vec<&String> = told.iter().filter(|line| line.starts_with("PLTSHOW")).collect();
    // The transaction that issued PERFORM SHUTDOWN runs the programs.
    assert_eq!(shown, ["PLTSHOW INITCOMPLETEFINAL     DFHEMTP  CEMT TD"]);
}

#[test]
fn an_abend_ends_the_list_of_a_task_that_shuts_down() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &["--sit", "PLTPI=NO"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SHUT S3");
    drop(terminal);
    assert_eq!(region.wait_for_end(), Some(0));
    let told = told(&region.output);
    let at = told.iter().position(|line| line.starts_with("DFHTM1715")).unwrap();
    // Control does not return to PLTSHUT, which would show the condition.
    assert_eq!(told[at + 1], "PLTSHOW INITCOMPLETEFIRST     PLTSHUT  SHUT TD");
    assert!(told[at + 2].starts_with("DFHSI1526") && told[at + 2].contains("PLTBAD") && told[at + 2].contains("abend BAD1"), "{told:?}");
    assert!(told[at + 3].starts_with("DFHKE1799"), "{told:?}");
}

#[test]
fn a_task_started_by_a_program_of_the_start_waits_for_its_end() {
    let data = tempfile::tempdir().unwrap();
    let mut region = Region::start(&application(), data.path(), &["--sit", "PLTPI=ST"]);
    let given = |line: &str| line.contains("SHOW S");
    assert!(region.output.iter().any(|line| given(line)) || region.wait_for(given, Duration::from_secs(60)));
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(0));
    let told = told(&region.output);
    assert_eq!(told[0], "PLTSHOW THIRDINIT   STARTUP   DFHSIPLT CPLT U");
    assert!(told[1].starts_with("DFHSI1517"), "{told:?}");
    assert_eq!(told[2], "PLTSHOW INITCOMPLETEACTIVE             SHOW S");
    assert!(told[3].starts_with("DFHTM1715"), "the one that was cancelled does not run: {told:?}");
}

#[test]
fn a_table_that_is_not_there_stops_the_start() {
    let data = tempfile::tempdir().unwrap();
    let output = Region::try_start(&application(), data.path(), &["--sit", "PLTSD=ZZ"]).err().expect("it does not start");
    assert!(output.iter().any(|line| line.contains("PLTSD=ZZ: there is no program list table DFHPLTZZ")), "{output:#?}");
}

/// MCT names a monitoring control table by its suffix, whatever the name of its source.
#[test]
fn a_monitoring_control_table_is_found_by_its_suffix() {
    let data = tempfile::tempdir().unwrap();
    let region = Region::start(&application(), data.path(), &["--sit", "PLTPI=NO", "--sit", "PLTSD=NO", "--sit", "MCT=A1"]);
    assert!(region.output.iter().any(|line| line.contains("1 monitoring control table")), "{:#?}", region.output);
    assert_eq!(region.stop(), 0);
    let output = Region::try_start(&application(), data.path(), &["--sit", "MCT=ZZ"]).err().expect("it does not start");
    assert!(output.iter().any(|line| line.contains("MCT=ZZ: there is no monitoring control table DFHMCTZZ")), "{output:#?}");
}
