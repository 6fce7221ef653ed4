//! `regent scan`: what an application uses that is missing. Expected results come from docs/scan.md, whose example is run by another test.

use super::support::application::Application;
use super::support::{regent, root};
use serde_json::Value;

/// The report of an application as JSON, and the exit code.
fn scan(application: &Application) -> (Value, Option<i32>) {
    let output = regent().args(["--format", "json", "scan"]).arg(application.path()).output().expect("regent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (report, output.status.code())
}

/// `error COPY PAYREC at PAY.cbl:5`
fn findings(report: &Value) -> Vec<String> {
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("text").to_string();
    let place = |finding: &Value| {
        let first = &finding["places"][0];
        format!("{}:{}", first["file"].as_str().expect("a file"), first["line"])
    };
    let findings = report["findings"].as_array().expect("a list");
    findings.iter().map(|of| format!("{} {} {} at {}", text(of, "severity"), text(of, "area"), text(of, "subject"), place(of))).collect()
}

const PROGRAM: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PAY.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n";

#[test]
fn a_clean_application_has_no_findings() {
    let application = Application::new();
    application.write("M.bms", "MENU    DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL,TIOAPFX=YES\nM1      DFHMDI SIZE=(24,80)\nF       DFHMDF POS=(1,1),LENGTH=4\n        DFHMSD TYPE=FINAL\n        END\n");
    application.write(
        "PAY.cbl",
        &format!("{PROGRAM}       COPY MENU.\n       PROCEDURE DIVISION.\n           EXEC CICS SEND MAP('M1') MAPSET('MENU') FREEKB END-EXEC.\n           CALL 'PAY2'.\n           EXEC CICS RETURN END-EXEC.\n"),
    );
    application.write("PAY2.cbl", "       ID DIVISION.\n       PROGRAM-ID. PAY2.\n       PROCEDURE DIVISION.\n           GOBACK.\n");
    application.write("app.csd", "DEFINE PROGRAM(PAY) GROUP(PAY)\n");
    let (report, code) = scan(&application);
    assert_eq!((findings(&report), code), (Vec::new(), Some(0)));
    assert_eq!(report["counts"]["COBOL programs"], 2);
    let sent = report["uses"].as_array().expect("a list").iter().find(|of| of["name"] == "SEND MAP").expect("SEND MAP");
    assert!(sent["state"] == "works" && sent["count"] == 1 && sent["first"] == "PAY.cbl:7", "{sent}");
    assert!(!application.path().join(".regent").exists(), "nothing is written");
}

#[test]
fn each_kind_of_finding_has_its_place() {
    let application = Application::new();
    let text = format!(
        "{PROGRAM}       COPY PAYREC.\n       01  A PIC X(8).\n       PROCEDURE DIVISION.\n           EXEC CICS XCTL PROGRAM('NOWHERE') END-EXEC.\n           \
         CALL 'CBLTDLI' USING A.\n           CALL 'OLDASM'.\n           EXEC CICS DEFINE ACTIVITY('A') TRANSID('T') END-EXEC.\n"
    );
    application.write("PAY.cbl", &text);
    application.write("OLDASM.asm", "OLDASM   CSECT\n         END\n");
    application
        .write("BAD.cbl", "       ID DIVISION.\n       PROGRAM-ID. BAD.\n       PROCEDURE DIVISION.\n           MOVE 1 TO NOTHING.\n");
    application.write("PART.c", "int main() {\n  EXEC CICS LINK ACTIVITY(\"A\");\n}\n");
    application.write(
        "B.bms",
        "B       DFHMSD TYPE=MAP,LANG=COBOL\nM       DFHMDI SIZE=(24,80)\n        DFHMDX FOO\n        DFHMSD TYPE=FINAL\n        END\n",
    );
    application.write("app.csd", "DEFINE PROGRAM(TOOLONGNAME) GROUP(PAY)\nDEFINE FILE(F1) GROUP(PAY) DSNAME(NO.SUCH)\n");
    application.write("START.jcl", "//START JOB\n//CICS EXEC PGM=DFHSIP,PARM='SI'\n//SYSIN DD *\nMXT=50\nNONSENSE=1\n.END\n/*\n");
    let (report, code) = scan(&application);
    let found = findings(&report);
    for expected in [
        "error COPY PAYREC at PAY.cbl:5",
        "error EXEC CICS NOWHERE at PAY.cbl:8",
        "error CALL CBLTDLI at PAY.cbl:9",
        "error CALL OLDASM at PAY.cbl:10",
        "error EXEC CICS DEFINE ACTIVITY at PAY.cbl:11",
        "error EXEC CICS LINK ACTIVITY at PART.c:2",
        "error COBOL BAD.cbl at BAD.cbl:4",
        "error BMS B.bms at B.bms:3",
        "error SIT parameter at START.jcl:2",
        "warning VSAM F1 at app.csd:2",
    ] {
        assert!(found.iter().any(|line| line == expected), "{expected}: {found:#?}");
    }
    assert!(found.iter().any(|line| line.starts_with("error CSD DFH5") && line.ends_with("app.csd:1")), "{found:#?}");
    assert_eq!(code, Some(8));
}

/// A definition with a symbol that has no value is said once, and not taken for a wrong one.
#[test]
fn symbols_without_a_value_are_named() {
    let application = Application::new();
    application.write("app.csd", "DEFINE DB2CONN(<SSID>) GROUP(PAY) DB2ID(<SSID>)\nDEFINE PROGRAM(P1) GROUP(PAY)\n");
    let (report, code) = scan(&application);
    let found = findings(&report);
    assert!(code == Some(4) && found[0] == "warning CSD symbols at app.csd:0", "{found:#?}");
    assert!(found[1..].iter().all(|line| line.starts_with("note")), "{found:#?}");
    application.write("regent.toml", "[symbols]\nSSID = \"DB2P\"\n");
    assert_eq!(scan(&application).1, Some(0));
}

/// What is supplied works, so nothing of it is missing.
#[test]
fn the_samples_have_no_findings() {
    for entry in std::fs::read_dir(root().join("samples")).expect("the samples") {
        let path = entry.expect("an entry").path();
        let output = regent().arg("scan").arg(&path).output().expect("regent runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("0 errors, 0 warnings"), "{}: {text}", path.display());
    }
}

#[test]
fn warnings_alone_are_exit_code_4() {
    let application = Application::new();
    application.write("app.csd", "DEFINE FILE(F1) GROUP(PAY) DSNAME(NO.SUCH)\n");
    let (report, code) = scan(&application);
    assert_eq!((findings(&report), code), (vec!["warning VSAM F1 at app.csd:1".to_string()], Some(4)));
}

/// Files that are not what their names say.
#[test]
fn odd_files_do_not_stop_the_scan() {
    let application = Application::new();
    let write = |name: &str, bytes: &[u8]| std::fs::write(application.path().join(name), bytes).expect("written");
    let noise: Vec<u8> = (0..200_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let ebcdic: Vec<u8> = b"       IDENTIFICATION DIVISION.".iter().map(|byte| if *byte == b' ' { 0x40 } else { byte | 0x80 }).collect();
    for extension in ["cbl", "bms", "jcl", "csd", "c", "asm", "cpy", "sql", "idcams", "lnk"] {
        write(&format!("NOISE.{extension}"), &noise);
        write(&format!("EBCDIC.{extension}"), &ebcdic);
        write(&format!("LINE.{extension}"), "EXEC CICS ((".repeat(100_000).as_bytes());
        write(&format!("EMPTY.{extension}"), b"");
        write(&format!("SPLIT.{extension}"), "       PROGRAM-ID. ÄÖÜ\u{1f600}.\n EXEC CICS DEFINE GROUP(\u{e9}".as_bytes());
    }
    let (report, code) = scan(&application);
    assert!(code.is_some_and(|code| code <= 8) && report["counts"].is_object(), "{report}");
}
