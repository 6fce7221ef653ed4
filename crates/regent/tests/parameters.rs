//! `regent sit`: values of system initialization parameters, where they come from, and what they do.

mod support;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use support::regent;

/// Exit code and what was printed, standard error last.
fn sit(directory: &Path, words: &[&str], typed: &str) -> (i32, String) {
    let mut command = regent();
    command.arg("sit").arg(directory).args(words).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("regent runs");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("regent ends");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
    (output.status.code().expect("an exit code"), text)
}

fn application() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("regent.toml"), "[sit]\nMXT = 20\nGMTEXT = \"OURS\"\nICVR = 3000\nICV = 500\n").expect("written");
    directory
}

fn has_line(text: &str, words: &[&str]) -> bool {
    text.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().starts_with(words))
}

/// PARM overrides the table, SYSIN overrides PARM, and the console overrides them all.
#[test]
fn later_sources_override_earlier_ones() {
    let directory = application();
    std::fs::write(directory.path().join("sysin"), "* ours\nMXT=40,ICVR=4000\n.END\nMXT=41\n").expect("written");
    let (code, shown) = sit(directory.path(), &[], "");
    assert_eq!(code, 0, "{shown}");
    assert!(has_line(&shown, &["MXT", "20", "SIT"]) && has_line(&shown, &["ICV", "500", "SIT"]) && !shown.contains("WRKAREA"), "{shown}");
    let words = ["--sit", "MXT=30", "--sit", "ICVR=3500", "--sit", "ICV=600", "--sysin", "sysin", "--sysin", "-"];
    let (code, shown) = sit(directory.path(), &words, "MXT=50\n.END\n");
    assert_eq!(code, 0, "{shown}");
    for expected in [["MXT", "50", "CONSOLE"], ["ICVR", "4000", "SYSIN"], ["ICV", "600", "PARM"], ["GMTEXT", "OURS", "SIT"]] {
        assert!(has_line(&shown, &expected), "{expected:?}\n{shown}");
    }
}

/// The source of macro DFHSIT is a table: SIT names it by its suffix; regent.toml and PARM override it.
#[test]
fn a_table_in_assembler_has_the_first_parameters() {
    let directory = application();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("written");
    let continued = |text: &str| format!("{text:<71}X\n");
    write("plain.asm", "         DFHSIT TYPE=CSECT,AKPFREQ=2000\n         END\n");
    let statement =
        continued("         DFHSIT TYPE=CSECT,SUFFIX=A1,MXT=15,") + &continued("               AKPFREQ=3000,             KEYPOINTS");
    write("other.asm", &(statement + "               GRPLIST=(DFHLIST,OURS)\n         END\n"));
    let (code, shown) = sit(directory.path(), &[], "");
    assert_eq!(code, 0, "{shown}");
    assert!(has_line(&shown, &["AKPFREQ", "2000", "SIT"]) && !shown.contains("OURS,"), "{shown}");
    let (code, shown) = sit(directory.path(), &["--sit", "SIT=A1", "--sit", "ICV=600"], "");
    assert_eq!(code, 0, "{shown}");
    for expected in [&["AKPFREQ", "3000", "SIT"][..], &["MXT", "20", "SIT"], &["ICV", "600", "PARM"], &["SIT", "A1", "PARM"]] {
        assert!(has_line(&shown, expected), "{expected:?}\n{shown}");
    }
    assert!(shown.lines().any(|line| line.starts_with("GRPLIST") && line.contains("OURS")), "{shown}");
    let (_, shown) = sit(directory.path(), &["--sit", "SIT=NO"], "");
    assert!(!shown.contains("AKPFREQ"), "{shown}");
    let (code, shown) = sit(directory.path(), &["--sit", "SIT=ZZ"], "");
    assert!(code != 0 && shown.contains("SIT=ZZ: there is no source of DFHSITZZ"), "{shown}");
    // A parameter that is not accepted names its line.
    write("plain.asm", "         DFHSIT TYPE=CSECT,MXT=20,NONSENSE=1\n         END\n");
    let (code, shown) = sit(directory.path(), &[], "");
    assert!(code != 0 && shown.contains("plain.asm:1: DFHPA1912 NONSENSE is not a system initialization parameter"), "{shown}");
}

#[test]
fn a_parameter_is_explained() {
    let directory = application();
    let (code, shown) = sit(directory.path(), &["--explain", "mxt"], "");
    assert_eq!(code, 0, "{shown}");
    for expected in
        [&["value", "20"][..], &["from", "SIT"], &["state", "effective"], &["does", "most"], &["accepts", "a", "number", "from", "10"]]
    {
        assert!(has_line(&shown, expected), "{expected:?}\n{shown}");
    }
    // The limit of open TCBs follows from MXT: (2 * MXT) + 32.
    let (_, shown) = sit(directory.path(), &["--explain", "MAXOPENTCBS"], "");
    assert!(has_line(&shown, &["value", "72"]) && has_line(&shown, &["from", "follows", "from", "MXT"]), "{shown}");
    let (_, shown) = sit(directory.path(), &["--explain", "CICSSVC"], "");
    assert!(has_line(&shown, &["state", "refused:"]) && has_line(&shown, &["why", "there", "are", "no", "supervisor"]), "{shown}");
    let (code, shown) = sit(directory.path(), &["--explain", "NOSUCH"], "");
    assert_eq!(code, 16, "{shown}");
    assert!(shown.contains("DFHPA1912 NOSUCH is not a system initialization parameter"), "{shown}");
}

#[test]
fn every_parameter_is_listed_with_its_state() {
    let directory = application();
    let (code, shown) = sit(directory.path(), &["--explain"], "");
    assert_eq!(code, 0, "{shown}");
    let states = shown.lines().filter(|line| line.contains(" effective ") || line.contains(" refused ")).count();
    assert!(states > 250 && states == shown.lines().count(), "{states}\n{shown}");
    let (_, shown) = regent_json(directory.path());
    let mxt: serde_json::Value = shown
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .find(|one: &serde_json::Value| one["name"] == "MXT")
        .expect("MXT");
    assert_eq!((&mxt["value"], &mxt["source"], &mxt["state"]), (&"20".into(), &"SIT".into(), &"effective".into()));
}

fn regent_json(directory: &Path) -> (i32, String) {
    let output = regent().args(["--format", "json", "sit"]).arg(directory).arg("--explain").output().expect("regent runs");
    (output.status.code().expect("an exit code"), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// A value that asks for what is not there is refused with the reason; one that asks for nothing is accepted.
#[test]
fn a_refused_parameter_accepts_only_what_asks_for_nothing() {
    let directory = application();
    for (parameter, reason) in
        [("FEPI=YES", "DFHPA1909 FEPI=YES: "), ("XAPPC=YES", "DFHPA1909 XAPPC=YES: there are no APPC connections"), ("SKRPX=P/1", "")]
    {
        let (code, shown) = sit(directory.path(), &["--sit", parameter], "");
        let refused = !reason.is_empty();
        assert_eq!(code, if refused { 16 } else { 0 }, "{parameter}\n{shown}");
        assert!(shown.contains(reason), "{parameter}\n{shown}");
    }
    // HPO may be in PARM and in SYSIN, and not in what is typed.
    std::fs::write(directory.path().join("sysin"), "HPO=NO\n").expect("written");
    for (words, typed, code, said) in [
        (["--sit", "HPO=NO"], "", 0, ""),
        (["--sysin", "sysin"], "", 0, ""),
        (["--sysin", "-"], "HPO=NO\n", 16, "DFHPA1909 HPO cannot be given at the console"),
        (["--sit", "HPO=YES"], "", 16, "DFHPA1909 HPO=YES: there is no supervisor call"),
    ] {
        let (ended, shown) = sit(directory.path(), &words, typed);
        assert!(ended == code && shown.contains(said), "{words:?}\n{shown}");
    }
    for harmless in ["XAPPC=NO", "XTRAN=NO", "CDSASZE=0M", "MSGCASE=MIXED", "XRF=NO"] {
        let (code, shown) = sit(directory.path(), &["--sit", harmless], "");
        assert_eq!(code, 0, "{harmless}\n{shown}");
    }
    let (code, shown) = sit(directory.path(), &["--sysin", "-"], "MXT=1\nFOO=2\n");
    assert_eq!(code, 16);
    assert!(shown.contains("DFHPA1909 MXT=1") && shown.contains("DFHPA1912 FOO"), "{shown}");
}
