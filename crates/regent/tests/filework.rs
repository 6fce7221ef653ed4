//! The sample `filework`: every record read is compared with the hash stored in it.

mod support;

use std::path::Path;

use support::terminal::Terminal;
use support::{Region, regent, root};

/// What transactions answer, one after the other, in a region of their own.
fn answers(scratch: &Path, transactions: &[(&str, &str)]) {
    let region = Region::start(&root().join("samples/filework"), scratch, &[]);
    let mut terminal = Terminal::connect(region.port);
    for (transaction, answer) in transactions {
        terminal.transaction(transaction);
        terminal.expect(answer);
    }
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// Copies the record 00000042 of 100 bytes out, changes a byte of its data, and puts it back.
fn change_behind_its_back(scratch: &Path) {
    let path = scratch.join("record");
    let idcams = |statements: &str| {
        std::fs::write(scratch.join("statements"), statements).unwrap();
        let output = regent()
            .arg("idcams")
            .arg(scratch.join("statements"))
            .args(["--data", &scratch.join("data").display().to_string(), "--dd", &format!("ONE={}:fixed:100", path.display())])
            .output()
            .expect("regent runs");
        assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    };
    idcams("  REPRO INDATASET(FILEWORK.F100) OUTFILE(ONE) FROMKEY('00000042') COUNT(1)\n");
    let mut record = std::fs::read(&path).unwrap();
    record[77] ^= 1;
    std::fs::write(&path, record).unwrap();
    idcams("  REPRO INFILE(ONE) OUTDATASET(FILEWORK.F100) REPLACE\n");
}

#[test]
fn altered_records_are_detected() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    answers(
        scratch.path(),
        &[
            ("FCWK", "FCWK LOAD NNNNN"),
            ("FCWK READ 00001", "FCWK READ STOPPED AT FCW064   00000001"),
            ("FCWK LOAD 00100", "FCWK LOAD 0000300 RECORDS, ALL GOOD"),
            ("FCWK READ 00100", "FCWK READ 0000300 RECORDS, ALL GOOD"),
            ("FCWK UPDT 00100", "FCWK UPDT 0000300 RECORDS, ALL GOOD"),
            ("FCWK UPDT 00050", "FCWK UPDT 0000150 RECORDS, ALL GOOD"),
            ("FCWK READ 00100", "FCWK READ 0000300 RECORDS, ALL GOOD"),
        ],
    );
    change_behind_its_back(scratch.path());
    answers(
        scratch.path(),
        &[
            ("FCWK READ 00041", "FCWK READ 0000123 RECORDS, ALL GOOD"),
            ("FCWK READ 00100", "FCWK READ 0000300 RECORDS, 0000001 DAMAGED, FIRST FCW100   00000042"),
            // It is not made good by an update.
            ("FCWK UPDT 00100", "FCWK UPDT 0000300 RECORDS, 0000001 DAMAGED, FIRST FCW100   00000042"),
            ("FCWK READ 00100", "FCWK READ 0000300 RECORDS, 0000001 DAMAGED, FIRST FCW100   00000042"),
        ],
    );
}
