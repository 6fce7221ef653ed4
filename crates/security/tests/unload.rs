//! What the database unload utility writes is taken in.

use security::{Database, Level, Moment, Name8, Reason, Secret, SignOn};

fn name(text: &str) -> Name8 {
    Name8::new(text).expect("a name")
}

/// A record with texts at positions that count from 1.
fn record(fields: &[(usize, &str)]) -> String {
    let mut line = String::new();
    for (position, text) in fields {
        line = format!("{line:<width$}{text}", width = position - 1);
    }
    line + "\n"
}

fn unload() -> String {
    let class = "TCICSTRN";
    [
        record(&[
            (1, "0100"),
            (6, "PAYGRP"),
            (15, "SYS1"),
            (24, "2001-02-03"),
            (35, "IBMUSER"),
            (44, "NONE"),
            (58, "Payroll"),
            (359, "NO"),
        ]),
        record(&[(1, "0102"), (6, "PAYGRP"), (15, "ALICE"), (24, "CONNECT")]),
        record(&[
            (1, "0200"),
            (6, "ALICE"),
            (15, "2001-02-03"),
            (26, "IBMUSER"),
            (35, "NO"),
            (40, "YES"),
            (45, "NO"),
            (50, "NO"),
            (60, "090"),
            (75, "ALICE LIDDELL"),
            (96, "PAYGRP"),
            (105, "08:15:00"),
            (114, "2020-01-02"),
            (391, "NO"),
            (542, "RSTD"),
        ]),
        record(&[(1, "0200"), (6, "STCUSER"), (15, "2001-02-03"), (26, "IBMUSER"), (96, "PAYGRP"), (391, "PRO")]),
        record(&[(1, "0205"), (6, "ALICE"), (15, "PAYGRP"), (24, "2001-02-04"), (35, "IBMUSER"), (64, "READ"), (94, "NO")]),
        record(&[(1, "0230"), (6, "ALICE"), (15, "AL"), (19, "00010"), (25, "YES"), (30, "01:30")]),
        record(&[(1, "0231"), (6, "ALICE"), (15, "003")]),
        record(&[(1, "0240"), (6, "ALICE"), (15, "DEU"), (19, "ENU")]),
        record(&[(1, "0270"), (6, "ALICE"), (15, "0000001234")]),
        record(&[
            (1, "0500"),
            (6, "PAY1"),
            (253, class),
            (262, "NO"),
            (271, "2001-02-03"),
            (282, "PAYGRP"),
            (337, "NONE"),
            (346, "ALL"),
            (355, "007"),
            (624, "UPDATE"),
            (633, "READ"),
            (660, "NO"),
            (754, "appl data"),
        ]),
        record(&[(1, "0500"), (6, "CE*"), (253, class), (262, "YES"), (271, "2001-02-03"), (282, "PAYGRP"), (337, "READ"), (346, "FAIL")]),
        record(&[(1, "0505"), (6, "PAY1"), (253, class), (262, "PAYGRP"), (271, "UPDATE"), (280, "00000")]),
        record(&[(1, "0500"), (6, "TELLER"), (253, "GCICSTRN"), (262, "NO"), (282, "PAYGRP"), (337, "READ")]),
        record(&[(1, "0503"), (6, "TELLER"), (253, "GCICSTRN"), (262, "PAY2")]),
        record(&[(1, "0500"), (6, "X"), (253, "$OWN"), (262, "NO"), (282, "PAYGRP"), (337, "READ")]),
        "rubbish\n".to_string(),
    ]
    .concat()
}

#[test]
fn users_groups_and_profiles_are_taken_in() {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    let now = Moment::now();
    let report = database.import_unload(&unload(), now);
    let expected = [
        "RGTS130I LINE 16 IS NOT A RECORD OF THE DATABASE UNLOAD UTILITY",
        "RGTS131I 1 RECORDS OF TYPE 0270 ARE NOT USED",
        "RGTS133I 1 RECORDS OF CLASS $OWN ARE NOT USED, WHICH IS NOT DEFINED HERE",
        "RGTS134I 1 GROUPS, 2 USERS AND 3 PROFILES WERE TAKEN IN",
        "RGTS135I 1 USERS ARE REVOKED UNTIL ALTUSER GIVES THEM A PASSWORD AND RESUMES THEM",
    ];
    assert_eq!(report.lines, expected);
    let listed = database.execute("LISTUSER ALICE CICS", now).lines.join("\n");
    for line in [
        "USER=ALICE     NAME=ALICE LIDDELL         OWNER=IBMUSER   CREATED=01.034",
        " DEFAULT-GROUP=PAYGRP   PASSDATE=N/A    PASS-INTERVAL= 90 PHRASEDATE=N/A",
        " ATTRIBUTES=SPECIAL\n ATTRIBUTES=RESTRICTED\n ATTRIBUTES=REVOKED",
        " LAST-ACCESS=20.002/08:15:00",
        "  GROUP=PAYGRP    AUTH=CONNECT  CONNECT-OWNER=IBMUSER   CONNECT-DATE=01.035",
        "OPCLASS= 003\nOPIDENT= AL\nOPPRTY= 00010\nTIMEOUT= 01:30 (HH:MM)\nXRFSOFF= NOFORCE",
    ] {
        assert!(listed.contains(line), "{line}:\n{listed}");
    }
    let listed = database.execute("RLIST TCICSTRN PAY1 AUTHUSER", now).lines.join("\n");
    for line in ["SUCCESS(UPDATE),FAILURES(READ)", "appl data", " 07    PAYGRP ", "PAYGRP    UPDATE"] {
        assert!(listed.contains(line), "{line}:\n{listed}");
    }
    // Alice has no password until she gets one.
    let secret = Secret::new("SECRET");
    let sign_on =
        SignOn { user: name("ALICE"), secret: &secret, new: None, group: None, application: name("CICSA"), terminal: None, card: None };
    assert_eq!(database.authenticate(&sign_on, now).unwrap_err().reason, Reason::UserRevoked);
    assert_eq!(database.execute("ALTUSER ALICE PASSWORD(SECRET) NOEXPIRED RESUME", now).return_code, 0);
    let alice = database.authenticate(&sign_on, now).unwrap();
    let level = |resource: &str| database.access(&alice, "TCICSTRN", resource).level.unwrap();
    assert_eq!(["PAY1", "PAY2", "CEMT"].map(level), [Level::Update, Level::None, Level::None], "RESTRICTED");
    assert!(database.identify(name("STCUSER"), None, now).is_ok(), "protected, not revoked");
    // Once more, and nothing changes.
    let report = database.import_unload(&unload(), now);
    assert!(report.lines.contains(&"RGTS132I 6 USERS, GROUPS AND PROFILES WERE THERE ALREADY AND ARE AS THEY WERE".to_string()));
    assert!(database.authenticate(&sign_on, now).is_ok());
}
