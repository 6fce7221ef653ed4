//! Users by commands: what sign-on makes of them, and how they are listed.

use security::{Database, Moment, Name8, Reason, Secret, SignOn};

fn name(text: &str) -> Name8 {
    Name8::new(text).expect("a name")
}

fn run(database: &Database, command: &str, now: Moment) -> Vec<String> {
    let report = database.execute(command, now);
    assert_eq!(report.return_code, 0, "{command}: {:?}", report.lines);
    report.lines
}

fn fails(database: &Database, command: &str, message: &str) {
    let report = database.execute(command, Moment::now());
    assert!(report.return_code >= 8 && report.lines.iter().any(|line| line == message), "{command}: {:?}", report.lines);
}

fn sign_on(database: &Database, user: &str, secret: &str, now: Moment) -> Result<security::Identity, Reason> {
    let secret = Secret::new(secret);
    let sign_on =
        SignOn { user: name(user), secret: &secret, new: None, group: None, application: name("CICSA"), terminal: None, card: None };
    database.authenticate(&sign_on, now).map_err(|refusal| refusal.reason)
}

fn database() -> (tempfile::TempDir, Database) {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    (directory, database)
}

/// 1 January 2026, noon.
const NOON: Moment = Moment(1_767_268_800);
const DAY: i64 = 86_400;

#[test]
fn operator_data_comes_with_the_identity() {
    let (_directory, database) = database();
    run(&database, "ADDUSER ALICE NAME('ALICE LIDDELL') PHRASE('a tellers'' phrase 4') DATA('Teller')", NOON);
    fails(&database, "ADDUSER ALICE", "RGTS101E ALICE IS ALREADY DEFINED");
    run(&database, "ALTUSER ALICE CICS(OPIDENT(AL) OPCLASS(1 3 24) OPPRTY(255) TIMEOUT(130) XRFSOFF(FORCE)) LANGUAGE(PRI(DEU))", NOON);
    run(&database, "ALU ALICE PASSWORD(SECRET1) NOEXPIRED", NOON);
    let identity = sign_on(&database, "alice", "secret1", NOON).unwrap();
    assert_eq!((identity.name.as_str(), identity.operator.operator_identification.as_str()), ("ALICE LIDDELL", "AL"));
    assert_eq!(identity.operator.operator_classes, 1 | 1 << 2 | 1 << 23);
    assert_eq!((identity.operator.operator_priority, identity.operator.timeout_minutes), (255, 90));
    assert!(identity.operator.signed_off_by_force);
    assert_eq!((identity.language.primary.as_deref(), identity.language.secondary.as_deref()), (Some("DEU"), Some("ENU")));
    let listed = run(&database, "LISTUSER ALICE CICS LANGUAGE", NOON);
    let expected = [
        "USER=ALICE     NAME=ALICE LIDDELL         OWNER=SYS1      CREATED=26.001",
        " DEFAULT-GROUP=SYS1     PASSDATE=26.001 PASS-INTERVAL= 30 PHRASEDATE=00.000",
        " ATTRIBUTES=PASSPHRASE",
        " REVOKE DATE=NONE   RESUME DATE=NONE",
        " LAST-ACCESS=26.001/12:00:00",
        " INSTALLATION-DATA=Teller",
        "  GROUP=SYS1      AUTH=USE      CONNECT-OWNER=SYS1      CONNECT-DATE=26.001",
        "OPCLASS= 001,003,024",
        "OPIDENT= AL",
        "OPPRTY= 00255",
        "TIMEOUT= 01:30 (HH:MM)",
        "XRFSOFF= FORCE",
        "PRIMARY LANGUAGE: DEU",
        "SECONDARY LANGUAGE: NOT SPECIFIED",
    ];
    let mut rest = listed.iter();
    for line in expected {
        assert!(rest.any(|listed| listed == line), "{line}:\n{}", listed.join("\n"));
    }
    run(&database, "ALTUSER ALICE NOCICS", NOON);
    let identity = sign_on(&database, "ALICE", "SECRET1", NOON).unwrap();
    assert_eq!((identity.operator.operator_classes, identity.operator.timeout_minutes), (1, 0));
}

#[test]
fn values_are_bounded() {
    let (_directory, database) = database();
    run(&database, "ADDUSER USER5678", NOON);
    fails(&database, "ADDUSER USER56789", "RGTS013E USER ID CANNOT HAVE THE VALUE USER56789");
    run(&database, "ADDGROUP GROUP678", NOON);
    fails(&database, "ADDGROUP GROUP6789", "RGTS013E GROUP NAME CANNOT HAVE THE VALUE GROUP6789");
    fails(&database, "ADDGROUP 1GROUP", "RGTS013E GROUP NAME CANNOT HAVE THE VALUE 1GROUP");
    run(&database, &format!("ALTUSER USER5678 NAME('{}')", "N".repeat(20)), NOON);
    fails(&database, &format!("ALTUSER USER5678 NAME('{}')", "N".repeat(21)), "RGTS013E NAME HAS MORE THAN 20 CHARACTERS");
    run(&database, "ALTUSER USER5678 CICS(OPCLASS(24) OPPRTY(255) TIMEOUT(9959) OPIDENT(ABC))", NOON);
    for (operands, message) in [
        ("OPCLASS(25)", "OPCLASS MUST BE FROM 1 TO 24"),
        ("OPCLASS(0)", "OPCLASS MUST BE FROM 1 TO 24"),
        ("OPPRTY(256)", "OPPRTY MUST BE FROM 0 TO 255"),
        ("TIMEOUT(9960)", "TIMEOUT CANNOT HAVE THE VALUE 9960"),
        ("OPIDENT(ABCD)", "OPIDENT CANNOT HAVE THE VALUE ABCD"),
    ] {
        fails(&database, &format!("ALTUSER USER5678 CICS({operands})"), &format!("RGTS013E {message}"));
    }
    run(&database, "ALTUSER USER5678 PASSWORD(PASS5678)", NOON);
    fails(&database, "ALTUSER USER5678 PASSWORD(PASS56789)", "RGTS103E PASSWORD IS NOT VALID");
    run(&database, "ALTUSER USER5678 PHRASE('phr 56789')", NOON);
    fails(&database, "ALTUSER USER5678 PHRASE('phr 5678')", "RGTS103E PHRASE IS NOT VALID");
    let profile = "P".repeat(246);
    run(&database, &format!("RDEFINE RCICSRES {profile}"), NOON);
    assert_eq!(database.execute(&format!("RDEFINE RCICSRES {profile}P"), NOON).return_code, 8);
    fails(&database, "ADDUSER U2 OMVS(UID(1))", "RGTS010E ADDUSER HAS NO OPERAND OMVS");
    fails(&database, "ADDUSER U2 A(X)", "RGTS011E A MAY STAND FOR AUTHORITY, AUDITOR");
    fails(&database, "ADDSD 'A.B'", "RGTS003E ADDSD IS NOT A COMMAND");
}

#[test]
fn passwords_expire_and_may_not_come_back() {
    let (_directory, database) = database();
    run(&database, "SETROPTS PASSWORD(INTERVAL(90) HISTORY(2) MINCHANGE(1) RULE1(LENGTH(6:8) ALPHANUM(1:8)))", NOON);
    run(&database, "ADDUSER BOB PASSWORD(START)", NOON);
    assert_eq!(sign_on(&database, "BOB", "START", NOON), Err(Reason::SecretExpired));
    let change = |old: &str, new: &str, now: Moment| {
        database.change_secret(name("BOB"), &Secret::new(old), &Secret::new(new), now).map(drop).map_err(|refusal| refusal.reason)
    };
    assert_eq!(change("START", "ABCDEF", NOON), Err(Reason::NewSecretInvalid), "no digit");
    assert_eq!(change("START", "ABCDE1", NOON), Ok(()));
    assert_eq!(change("ABCDE1", "ABCDE2", NOON), Err(Reason::NewSecretInvalid), "changed today");
    let at = |days: i64| Moment(NOON.0 + days * DAY);
    assert_eq!(change("ABCDE1", "ABCDE2", at(1)), Ok(()));
    assert_eq!(change("ABCDE2", "ABCDE1", at(2)), Err(Reason::NewSecretInvalid), "in the history");
    assert_eq!(change("ABCDE2", "ABCDE3", at(2)), Ok(()));
    assert_eq!(change("ABCDE3", "ABCDE4", at(3)), Ok(()));
    assert_eq!(change("ABCDE4", "ABCDE1", at(4)), Ok(()), "no longer in the history of two");
    assert!(sign_on(&database, "BOB", "ABCDE1", at(93)).is_ok());
    assert_eq!(sign_on(&database, "BOB", "ABCDE1", at(94)), Err(Reason::SecretExpired), "90 days after the change");
    run(&database, "PASSWORD USER(BOB) NOINTERVAL", NOON);
    assert!(sign_on(&database, "BOB", "ABCDE1", at(900)).is_ok());
}

#[test]
fn revoked_users_are_resumed() {
    let (_directory, database) = database();
    run(&database, "ADDUSER BOB PASSWORD(X)", NOON);
    run(&database, "ALTUSER BOB PASSWORD(SECRET) NOEXPIRED", NOON);
    run(&database, "SETROPTS PASSWORD(REVOKE(2))", NOON);
    assert_eq!(sign_on(&database, "BOB", "A", NOON), Err(Reason::SecretWrong));
    assert_eq!(sign_on(&database, "BOB", "B", NOON), Err(Reason::UserRevoked));
    assert_eq!(sign_on(&database, "BOB", "SECRET", NOON), Err(Reason::UserRevoked));
    assert!(run(&database, "LU BOB", NOON).contains(&" ATTRIBUTES=REVOKED".to_string()));
    run(&database, "ALTUSER BOB RESUME", NOON);
    assert!(sign_on(&database, "BOB", "SECRET", NOON).is_ok());
    run(&database, "ALTUSER BOB REVOKE(01/02/26)", NOON);
    assert!(sign_on(&database, "BOB", "SECRET", NOON).is_ok());
    assert_eq!(sign_on(&database, "BOB", "SECRET", Moment(NOON.0 + DAY)), Err(Reason::UserRevoked));
    run(&database, "ALTUSER BOB NOREVOKE", NOON);
    run(&database, "SETROPTS INACTIVE(10)", NOON);
    assert_eq!(sign_on(&database, "BOB", "SECRET", Moment(NOON.0 + 11 * DAY)), Err(Reason::UserRevoked));
    assert!(sign_on(&database, "BOB", "SECRET", Moment(NOON.0 + 9 * DAY)).is_ok());
}

#[test]
fn groups_applications_and_terminals_may_be_closed_to_a_user() {
    let (_directory, database) = database();
    run(&database, "ADDGROUP TELLERS", NOON);
    run(&database, "ADDUSER (BOB ANN)", NOON);
    run(&database, "ALTUSER (BOB ANN) PASSWORD(SECRET) NOEXPIRED", NOON);
    let at = |user: &str, group: Option<&str>, application: &str, terminal: Option<&str>| {
        let secret = Secret::new("SECRET");
        let (group, terminal) = (group.map(name), terminal.map(name));
        let sign_on = SignOn { user: name(user), secret: &secret, new: None, group, application: name(application), terminal, card: None };
        database.authenticate(&sign_on, NOON).map(|identity| identity.group).map_err(|refusal| refusal.return_code())
    };
    assert_eq!(at("BOB", None, "CICSA", None), Ok(name("SYS1")));
    assert_eq!(at("BOB", Some("TELLERS"), "CICSA", None), Err(0x14));
    run(&database, "CONNECT BOB GROUP(TELLERS)", NOON);
    assert_eq!(at("BOB", Some("TELLERS"), "CICSA", None), Ok(name("TELLERS")));
    run(&database, "CONNECT BOB GROUP(TELLERS) REVOKE", NOON);
    assert_eq!(at("BOB", Some("TELLERS"), "CICSA", None), Err(0x24));
    run(&database, "RDEFINE APPL CICSA UACC(NONE)", NOON);
    run(&database, "PERMIT CICSA CLASS(APPL) ID(ANN) ACCESS(READ)", NOON);
    assert_eq!((at("BOB", None, "CICSA", None), at("ANN", None, "CICSA", None)), (Err(0x34), Ok(name("SYS1"))));
    assert!(at("BOB", None, "CICSB", None).is_ok(), "class APPL does not protect it");
    run(&database, "RDEFINE TERMINAL T001 UACC(NONE)", NOON);
    assert_eq!(at("ANN", None, "CICSA", Some("T001")), Err(0x30));
    assert!(at("ANN", None, "CICSA", Some("T002")).is_ok());
    run(&database, "SETROPTS TERMINAL(NONE)", NOON);
    assert_eq!(at("ANN", None, "CICSA", Some("T002")), Err(0x30));
    // Deleted, and gone from access lists.
    fails(&database, "DELGROUP TELLERS", "RGTS104E GROUP TELLERS HAS USER BOB");
    run(&database, "REMOVE BOB GROUP(TELLERS)", NOON);
    run(&database, "DELGROUP TELLERS", NOON);
    run(&database, "DELUSER ANN", NOON);
    let listed = run(&database, "RLIST APPL CICSA AUTHUSER", NOON);
    assert!(listed.contains(&"NO ENTRIES IN STANDARD ACCESS LIST".to_string()), "{listed:?}");
}

#[test]
fn passtickets_are_taken_once() {
    let (_directory, database) = database();
    run(&database, "ADDUSER (BOB ANN)", NOON);
    assert_eq!(database.generate_passticket(name("BOB"), name("CICSA"), NOON), None);
    run(&database, "RDEFINE PTKTDATA CICSA SSIGNON(KEYMASKED(E001193519561977))", NOON);
    run(&database, "ALTUSER ANN PASSWORD(SECRET)", NOON);
    let ticket = database.generate_passticket(name("ANN"), name("CICSA"), NOON).unwrap();
    assert_eq!(sign_on(&database, "ANN", &ticket, Moment(NOON.0 + 601)), Err(Reason::SecretWrong));
    assert!(sign_on(&database, "ANN", &ticket, Moment(NOON.0 + 600)).is_ok(), "though the password has expired");
    assert_eq!(sign_on(&database, "ANN", &ticket, Moment(NOON.0 + 600)), Err(Reason::SecretWrong), "again");
    assert_eq!(sign_on(&database, "ANN", &ticket.to_lowercase(), NOON), Err(Reason::SecretWrong), "again");
    // It changes no password, and is nothing for a protected user.
    let other = database.generate_passticket(name("ANN"), name("CICSA"), Moment(NOON.0 + 1)).unwrap();
    let (ticket, new) = (Secret::new(&other), Secret::new("STOLEN"));
    let with_new =
        SignOn { user: name("ANN"), secret: &ticket, new: Some(&new), group: None, application: name("CICSA"), terminal: None, card: None };
    assert_eq!(database.authenticate(&with_new, NOON).unwrap_err().reason, Reason::NewSecretInvalid);
    let of_bob = database.generate_passticket(name("BOB"), name("CICSA"), NOON).unwrap();
    assert_eq!(sign_on(&database, "BOB", &of_bob, NOON), Err(Reason::SecretWrong));
    run(&database, "ALTUSER ANN RESUME", NOON);
    run(&database, "RALTER PTKTDATA CICSA SSIGNON(REPLAY(YES) TIMEOUT(60))", NOON);
    let ticket = database.generate_passticket(name("ANN"), name("CICSA"), NOON).unwrap();
    for second in [-60, 60, 0] {
        assert!(sign_on(&database, "ANN", &ticket, Moment(NOON.0 + second)).is_ok(), "{second}");
    }
    assert_eq!(sign_on(&database, "ANN", &ticket, Moment(NOON.0 + 61)), Err(Reason::SecretWrong));
    // The enhanced algorithm, by a key that is made.
    let report = database.execute("RALTER PTKTDATA CICSA SSIGNON(EPTKEYLABEL(CICSA.KEY) TYPE(MIXED) REPLAY(NO))", NOON);
    assert_eq!(report.lines, ["RGTS118I A KEY WITH THE LABEL CICSA.KEY WAS MADE"]);
    let enhanced = database.generate_passticket(name("ANN"), name("CICSA"), NOON).unwrap();
    assert_ne!(enhanced, ticket);
    assert!(sign_on(&database, "ANN", &enhanced, NOON).is_ok());
    assert_eq!(sign_on(&database, "ANN", &enhanced, NOON), Err(Reason::SecretWrong));
    assert_eq!(sign_on(&database, "ANN", &ticket, NOON), Err(Reason::SecretWrong), "the original algorithm is no longer in use");
    let listed = run(&database, "RLIST PTKTDATA CICSA SSIGNON", NOON).join("\n");
    assert!(listed.contains("KEYMASKED DATA NOT DISPLAYABLE") && !listed.contains("E0011935"), "{listed}");
}

/// What RACF APAR OA43999 brought: special characters, users with a phrase alone, expiry without a change, a history that is cleaned.
#[test]
fn passwords_have_special_characters_expire_by_command_and_leave_the_history() {
    let (_directory, database) = database();
    run(&database, "SETROPTS PASSWORD(MIXEDCASE SPECIALCHARS HISTORY(5))", NOON);
    assert!(run(&database, "SETROPTS LIST", NOON).iter().any(|line| line.ends_with("ALGORITHM IS ARGON2ID")));
    run(&database, "ADDUSER (BOB PHIL)", NOON);
    run(&database, "ALTUSER BOB PASSWORD('aB-1') NOEXPIRED", NOON);
    assert!(sign_on(&database, "BOB", "aB-1", NOON).is_ok());
    assert_eq!(sign_on(&database, "BOB", "AB-1", NOON), Err(Reason::SecretWrong));
    run(&database, "ALTUSER BOB EXPIRED", NOON);
    assert_eq!(sign_on(&database, "BOB", "aB-1", NOON), Err(Reason::SecretExpired));
    let change = |old: &str, new: &str| {
        database.change_secret(name("BOB"), &Secret::new(old), &Secret::new(new), NOON).map(drop).map_err(|refusal| refusal.reason)
    };
    assert_eq!(change("aB-1", "aB-2"), Ok(()));
    assert_eq!(change("aB-2", "aB-3"), Ok(()));
    run(&database, "SETROPTS PASSWORD(HISTORY(1))", NOON);
    run(&database, "SETROPTS PASSWORD(HISTORY(5))", NOON);
    assert_eq!(change("aB-3", "aB-1"), Err(Reason::NewSecretInvalid), "still in the history");
    run(&database, "SETROPTS PASSWORD(HISTORY(1))", NOON);
    run(&database, "ALTUSER BOB PWCLEAN", NOON);
    run(&database, "SETROPTS PASSWORD(HISTORY(5))", NOON);
    assert_eq!(change("aB-3", "aB-2"), Err(Reason::NewSecretInvalid), "the last one stays");
    assert_eq!(change("aB-3", "aB-1"), Ok(()));
    run(&database, "ALTUSER PHIL PHRASE('a phrase, 1 only') NOEXPIRED", NOON);
    assert!(run(&database, "LISTUSER PHIL", NOON).contains(&" ATTRIBUTES=NOPASSWORD".to_string()));
    assert!(sign_on(&database, "PHIL", "a phrase, 1 only", NOON).is_ok());
    assert_eq!(sign_on(&database, "PHIL", "A PHRASE, 1 ONLY", NOON), Err(Reason::SecretWrong), "phrases have case");
    assert_eq!(sign_on(&database, "PHIL", "", NOON), Err(Reason::SecretWrong));
    assert_eq!(change("aB-1", "a phrase 4 BO and all"), Err(Reason::NewSecretInvalid), "a phrase in place of a password");
}

#[test]
fn a_user_signs_on_on_his_days_at_his_times_with_his_card() {
    let (_directory, database) = database();
    run(&database, "ADDUSER ALICE PASSWORD(SECRET1) WHEN(DAYS(WEEKDAYS) TIME(0900:1700)) OIDCARD('the card')", NOON);
    run(&database, "ALTUSER ALICE PASSWORD(SECRET1) NOEXPIRED", NOON);
    let attempt = |card: Option<&str>, now: Moment| {
        let (secret, card) = (Secret::new("SECRET1"), card.map(Secret::new));
        let (user, application) = (name("ALICE"), name("CICSA"));
        let sign_on = SignOn { user, secret: &secret, new: None, group: None, application, terminal: None, card: card.as_ref() };
        database.authenticate(&sign_on, now).map(drop).map_err(|refusal| (refusal.reason, refusal.return_code(), refusal.reason_code()))
    };
    // 1 January 2026 is a Thursday.
    assert_eq!(attempt(None, NOON), Err((Reason::CardNeeded, 40, 0)));
    assert_eq!(attempt(Some("a card"), NOON), Err((Reason::CardWrong, 44, 0)));
    assert_eq!(attempt(Some("the card"), NOON), Ok(()));
    assert_eq!(attempt(Some("the card"), Moment(NOON.0 + 6 * 3600)), Err((Reason::NotNow, 48, 4)));
    assert_eq!(attempt(Some("the card"), Moment(NOON.0 + 2 * DAY)), Err((Reason::NotNow, 48, 4)));
    // Two hours ahead of the clock of the machine.
    database.in_zone(|_| 2 * 3600);
    assert_eq!(attempt(Some("the card"), Moment(NOON.0 + 4 * 3600)), Err((Reason::NotNow, 48, 4)));
    let listed = run(&database, "LISTUSER ALICE", NOON);
    assert!(listed.iter().any(|line| line == " ATTRIBUTES=OIDCARD"), "{listed:#?}");
    assert!(listed.iter().any(|line| line == " MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY 0900:1700"), "{listed:#?}");
    run(&database, "ALTUSER ALICE NOOIDCARD WHEN(DAYS(ANYDAY) TIME(ANYTIME))", NOON);
    assert_eq!(attempt(None, Moment(NOON.0 + 2 * DAY)), Ok(()));
    assert!(run(&database, "LISTUSER ALICE", NOON).iter().any(|line| line == " ANYDAY                          ANYTIME"));
    fails(&database, "ALTUSER ALICE WHEN(TIME(0900:2500))", "RGTS013E TIME CANNOT HAVE THE VALUE 0900:2500");
    fails(&database, "ALTUSER ALICE WHEN(DAYS(HOLIDAYS))", "RGTS013E DAYS CANNOT HAVE THE VALUE HOLIDAYS");
    fails(&database, "ALTUSER ALICE WHEN(TERMINAL(LU1))", "RGTS013E WHEN CANNOT HAVE THE VALUE TERMINAL");
    run(&database, "RDEFINE TCICSTRN PAY", NOON);
    fails(&database, "PERMIT PAY CLASS(TCICSTRN) ID(ALICE) WHEN(DAYS(MONDAY))", "RGTS013E WHEN CANNOT HAVE THE VALUE DAYS");
    fails(&database, "ALTUSER ALICE OIDCARD('')", "RGTS103E OIDCARD IS NOT VALID");
}
