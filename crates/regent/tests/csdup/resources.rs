//! `regent resources`: files of definitions, the CSD and a running region. Expected results come from docs/resources.md.

use super::csdup;
use super::support::application::Application;
use super::support::terminal::Terminal;
use super::support::{Region, regent};
use std::path::Path;
use std::process::Command;

/// Runs `regent resources`: what it printed, and the exit code.
fn resources(arguments: &[&str]) -> (String, Option<i32>) {
    let output = regent().arg("resources").args(arguments).output().expect("regent runs");
    (String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr), output.status.code())
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

const DEFINITIONS: &str = "DEFINE PROGRAM(PAYPGM) GROUP(PAY) EXECKEY(CICS) DESCRIPTION('NO: it''s (main) #1')\n\
    DEFINE TRANSACTION(Pay1) GROUP(PAY) PROGRAM(PAYPGM) PRIORITY(10) TASKDATALOC(ANY)\n\
    DEFINE TRANSACTION(0010) GROUP(PAY) PROGRAM(PAYPGM) XTRANID(00FF00FF)\n\
    DEFINE FILE(NO) GROUP(HR) DSNAME(PROD.HR.KSDS) ADD(NO) JOURNAL(NO) STRINGS(5) PASSWORD(0815)\n\
    DEFINE TDQUEUE(Q001) GROUP(HR) TYPE(INTRA) TRIGGERLEVEL(1)\n\
    DEFINE TSMODEL(MODEL) GROUP(HR) PREFIX(A.B/%) RECOVERY(YES)\n\
    ADD GROUP(PAY) LIST(BOTH)\nADD GROUP(HR) LIST(BOTH)\n";

/// What is exported and applied to an empty CSD makes the same CSD, and the second export the same files.
#[test]
fn an_exported_csd_is_made_again_exactly() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = |name: &str| directory.path().join(name);
    let (listing, code) = csdup(&place("csd"), DEFINITIONS);
    assert_eq!(code, Some(0), "{listing}");
    let (csd, again, files, others) = (place("csd"), place("again"), place("files"), place("others"));
    let (said, code) = resources(&["export", path(&files), "--csd", path(&csd)]);
    assert_eq!((said.lines().count(), code), (3, Some(0)), "{said}");
    let (said, code) = resources(&["apply", path(&files), "--csd", path(&again)]);
    assert!(code == Some(0) && said.contains("7 changes made"), "{said}");
    let (listed, _) = csdup(&csd, "LIST ALL OBJECTS\n");
    let (listed_again, _) = csdup(&again, "LIST ALL OBJECTS\n");
    let own = |listing: &str| listing.lines().skip_while(|line| !line.contains("GROUP NAME: HR")).map(str::to_string).collect::<Vec<_>>();
    let without_name = |listing: &str| own(listing).into_iter().filter(|line| !line.contains("DSNAME: /")).collect::<Vec<_>>();
    assert_eq!(without_name(&listed), without_name(&listed_again));
    let (said, code) = resources(&["export", path(&others), "--csd", path(&again)]);
    assert_eq!(code, Some(0), "{said}");
    for name in ["PAY.yaml", "HR.yaml", "BOTH.yaml"] {
        assert_eq!(std::fs::read_to_string(files.join(name)).unwrap(), std::fs::read_to_string(others.join(name)).unwrap(), "{name}");
    }
    let (said, code) = resources(&["export", path(&files), "--csd", path(&csd)]);
    assert_eq!((said.as_str(), code), ("", Some(0)), "nothing is new");
}

/// The exported files are valid by the schema for a reader of YAML and a validator that know nothing of Regent, and wrong ones are not.
#[test]
fn an_independent_validator_accepts_the_exported_files() {
    const VALIDATE: &str = "import json, sys, yaml, jsonschema\n\
        schema = json.load(open(sys.argv[1]))\n\
        jsonschema.Draft7Validator.check_schema(schema)\n\
        for name in sys.argv[2:]:\n    \
            for error in jsonschema.Draft7Validator(schema).iter_errors(yaml.safe_load(open(name))):\n        \
                print(name, '/'.join(map(str, error.path)))\n";
    let directory = tempfile::tempdir().expect("a directory");
    let place = |name: &str| directory.path().join(name);
    let (listing, code) = csdup(&place("csd"), DEFINITIONS);
    assert_eq!(code, Some(0), "{listing}");
    let files = place("files");
    let (said, code) = resources(&["export", path(&files), "--csd", path(&place("csd"))]);
    assert_eq!(code, Some(0), "{said}");
    let validate = |names: &[&str]| {
        let mut command = Command::new("python3");
        command.args(["-c", VALIDATE]).arg(files.join("regent-resources.schema.json")).args(names.iter().map(|name| files.join(name)));
        let output = command.output().expect("python3 runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(validate(&["PAY.yaml", "HR.yaml", "BOTH.yaml"]), "");
    for (wrong, place) in [
        ("group: PAY\nPROGRAM: {P1: {EXECKEY: BOTH}}\n", "PROGRAM/P1/EXECKEY"),
        ("group: PAY\nTRANSACTION: {T1: {PROGRAM: P, PRIORITY: 256}}\n", "TRANSACTION/T1/PRIORITY"),
        ("group: PAY\nPROGRAM: {P1: {COLOUR: RED}}\n", "PROGRAM/P1"),
        ("group: PAY\nPROGRAM: {TOOLONGNAME: {}}\n", "PROGRAM"),
        ("group: DFHPAY\n", "group"),
        ("list: PAY\n", ""),
    ] {
        std::fs::write(files.join("wrong.yaml"), wrong).expect("written");
        let found = validate(&["wrong.yaml"]);
        assert!(found.lines().any(|line| line.ends_with(&format!("wrong.yaml {place}"))), "{wrong}{found}");
    }
}

/// A lock of CEDA keeps `apply` out, and nothing at all is changed then.
#[test]
fn a_locked_group_is_not_changed_and_neither_is_anything_else() {
    let directory = tempfile::tempdir().expect("a directory");
    let (csd, files) = (directory.path().join("csd"), directory.path().join("files"));
    csdup(&csd, "DEFINE PROGRAM(P1) GROUP(PAY)\nDEFINE PROGRAM(P1) GROUP(HR)\n");
    let text = std::fs::read_to_string(&csd).expect("the CSD");
    std::fs::write(&csd, text + "*LOCKED GROUP(PAY) APPLID(PROD1) USER(ANNA)\n").expect("written");
    std::fs::create_dir(&files).expect("made");
    std::fs::write(files.join("HR.yaml"), "group: HR\nPROGRAM: {P2: {}}\n").expect("written");
    std::fs::write(files.join("PAY.yaml"), "group: PAY\nPROGRAM: {P2: {}}\n").expect("written");
    for dry in [&["--dry-run"][..], &[]] {
        let (said, code) = resources(&[&["apply", path(&files), "--csd", path(&csd)], dry].concat());
        assert!(code == Some(8) && said.contains("PAY.yaml: group PAY is locked by user ANNA of region PROD1"), "{said}");
        assert!(said.contains("nothing was changed"), "{said}");
    }
    let (listing, _) = csdup(&csd, "LIST GROUP(HR) OBJECTS\n");
    assert!(listing.contains("PROGRAM(P1)") && !listing.contains("PROGRAM(P2)"), "{listing}");
    // What is locked by nobody.
    std::fs::remove_file(files.join("PAY.yaml")).expect("removed");
    let (said, code) = resources(&["apply", path(&files), "--csd", path(&csd), "--dry-run"]);
    assert!(code == Some(0) && said.contains("2 changes; nothing was changed (--dry-run)"), "{said}");
    let (said, _) = resources(&["apply", path(&files), "--csd", path(&csd), "--prune"]);
    assert!(said.contains("group PAY is locked"), "{said}");
    let (said, code) = resources(&["apply", path(&files), "--csd", path(&csd)]);
    assert!(code == Some(0) && said.contains("+ PROGRAM P2") && said.contains("- PROGRAM P1"), "{said}");
    let text = std::fs::read_to_string(&csd).expect("the CSD");
    assert!(text.contains("*CHANGED PROGRAM(P2) GROUP(HR)"), "the time of the change: {text}");
}

/// What a region has installed is compared with the files: an attribute, a resource that is missing, one that is not defined any more.
#[test]
fn a_running_region_is_compared_with_the_files() {
    let application = Application::new();
    application
        .write("app.csd", "DEFINE PROGRAM(P1) GROUP(APP)\nDEFINE TRANSACTION(T1) GROUP(APP) PROGRAM(P1)\nDEFINE PROGRAM(P2) GROUP(APP)\n");
    let region = Region::start(application.path(), application.data(), &[]);
    let directory = tempfile::tempdir().expect("a directory");
    let files = directory.path().join("files");
    let of = ["--app", path(application.path()), "--data", path(application.data())];
    let run = |arguments: &[&str]| resources(&[arguments, &of[..]].concat());
    let (said, code) = run(&["export", path(&files)]);
    assert_eq!(code, Some(0), "{said}");
    let (said, code) = run(&["diff", path(&files)]);
    assert!(code == Some(0) && said.ends_with("CSD: 0 differences; region: 0 differences\n"), "{said}");
    let changed = "group: APP\nPROGRAM: {P1: {EXECKEY: CICS}, P3: {}}\nTRANSACTION: {T1: {PROGRAM: P1}}\n";
    std::fs::write(files.join("APP.yaml"), changed).expect("written");
    let (said, code) = run(&["apply", path(&files)]);
    assert!(code == Some(0) && said.contains("3 changes made"), "{said}");
    let (said, code) = run(&["diff", path(&files)]);
    for expected in [
        "  PROGRAM P1 is installed otherwise: EXECKEY is USER, defined CICS\n",
        "  PROGRAM P3 is not installed\n",
        "  PROGRAM P2 is installed and not defined\n",
        "CSD: 0 differences; region: 3 differences\n",
    ] {
        assert!(code == Some(4) && said.contains(expected), "{expected}{said}");
    }
    // The region installs what was applied, and discards what is not wanted any more.
    let mut terminal = Terminal::connect(region.port);
    terminal.act("Clear");
    terminal.transaction("CEDA INSTALL GROUP(APP)");
    terminal.expect("INSTALL SUCCESSFUL");
    terminal.act("PF(3)");
    terminal.act("Clear");
    terminal.transaction("CEMT DISCARD PROGRAM(P2)");
    terminal.expect("NORMAL");
    let (said, code) = run(&["diff", path(&files)]);
    assert!(code == Some(0) && said.ends_with("CSD: 0 differences; region: 0 differences\n"), "{said}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    let (said, _) = run(&["diff", path(&files)]);
    assert!(said.contains("no region is running"), "{said}");
}
