//! Who has access to what, by profiles that commands define.

use security::{Database, Identity, Level, Moment, Name8};

fn name(text: &str) -> Name8 {
    Name8::new(text).expect("a name")
}

/// A database with users and groups of a small bank.
fn bank() -> (tempfile::TempDir, Database) {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::open(directory.path()).unwrap();
    for command in [
        "ADDGROUP (TELLERS AUDITORS)",
        "ADDUSER (TOM TIM ANN) DFLTGRP(TELLERS)",
        "CONNECT ANN GROUP(AUDITORS)",
        "ADDUSER GUEST RESTRICTED",
        "ADDUSER OPS OPERATIONS",
    ] {
        run(&database, command);
    }
    (directory, database)
}

fn run(database: &Database, command: &str) {
    let report = database.execute(command, Moment::now());
    assert_eq!((report.return_code, &report.lines[..]), (0, &[][..]), "{command}");
}

fn identity(database: &Database, user: &str) -> Identity {
    database.identify(name(user), None, Moment::now()).expect("a user")
}

fn level(database: &Database, user: &str, class: &str, resource: &str) -> Option<Level> {
    database.access(&identity(database, user), class, resource).level
}

#[test]
fn the_user_decides_before_groups_and_groups_before_all() {
    let (_directory, database) = bank();
    assert_eq!(level(&database, "TOM", "TCICSTRN", "CEMT"), None, "no profile");
    assert_eq!(database.access(&identity(&database, "TOM"), "TCICSTRN", "CEMT").return_code(Level::Read), 8);
    assert_eq!(database.access(&identity(&database, "TOM"), "FACILITY", "X").return_code(Level::Read), 4);
    run(&database, "RDEFINE TCICSTRN CEMT UACC(READ)");
    assert_eq!(level(&database, "TOM", "TCICSTRN", "CEMT"), Some(Level::Read));
    assert_eq!(level(&database, "GUEST", "TCICSTRN", "CEMT"), Some(Level::None), "RESTRICTED");
    run(&database, "PERMIT CEMT CLASS(TCICSTRN) ID(TELLERS) ACCESS(NONE)");
    run(&database, "PERMIT CEMT CLASS(TCICSTRN) ID(AUDITORS) ACCESS(UPDATE)");
    run(&database, "PERMIT CEMT CLASS(TCICSTRN) ID(TIM) ACCESS(ALTER)");
    let levels = ["TOM", "ANN", "TIM", "OPS"].map(|user| level(&database, user, "TCICSTRN", "CEMT").unwrap());
    assert_eq!(levels, [Level::None, Level::Update, Level::Alter, Level::Read]);
    run(&database, "SETROPTS NOGRPLIST");
    assert_eq!(level(&database, "ANN", "TCICSTRN", "CEMT"), Some(Level::None), "the current group alone");
    run(&database, "PERMIT CEMT CLASS(TCICSTRN) ID(*) ACCESS(CONTROL)");
    assert_eq!(level(&database, "OPS", "TCICSTRN", "CEMT"), Some(Level::Control));
    run(&database, "PERMIT CEMT CLASS(TCICSTRN) RESET");
    assert_eq!(level(&database, "TIM", "TCICSTRN", "CEMT"), Some(Level::Read));
    // OPERATIONS counts in classes whose descriptor says so.
    run(&database, "RDEFINE DSNR DB2P.BATCH");
    assert_eq!(level(&database, "OPS", "DSNR", "DB2P.BATCH"), Some(Level::Alter));
    run(&database, "PERMIT DB2P.BATCH CLASS(DSNR) ID(OPS) ACCESS(READ)");
    assert_eq!(level(&database, "OPS", "DSNR", "DB2P.BATCH"), Some(Level::Read));
}

#[test]
fn the_most_specific_profile_decides() {
    let (_directory, database) = bank();
    for (profile, uacc) in [("**", "NONE"), ("C*", "READ"), ("CE%T", "UPDATE"), ("CEMT", "CONTROL")] {
        run(&database, &format!("RDEFINE TCICSTRN {profile} UACC({uacc})"));
    }
    let found = |resource: &str| {
        let decision = database.access(&identity(&database, "TOM"), "TCICSTRN", resource);
        (decision.profile.unwrap().name.clone(), decision.level.unwrap())
    };
    assert_eq!(found("CEMT"), ("CEMT".to_string(), Level::Control));
    assert_eq!(found("CEXT"), ("CE%T".to_string(), Level::Update));
    assert_eq!(found("CEDA"), ("C*".to_string(), Level::Read));
    assert_eq!(found("PAY1"), ("**".to_string(), Level::None));
    run(&database, "SETROPTS NOGENERIC(TCICSTRN)");
    assert_eq!(level(&database, "TOM", "TCICSTRN", "CEDA"), None);
    run(&database, "SETROPTS NOCLASSACT(TCICSTRN)");
    assert_eq!(level(&database, "TOM", "TCICSTRN", "CEMT"), None);
    assert_eq!(database.access(&identity(&database, "TOM"), "TCICSTRN", "CEMT").return_code(Level::Read), 4);
}

/// z/OS Security Server RACF Security Administrator's Guide, Resolving conflicts among grouping profiles.
#[test]
fn members_of_grouping_profiles_are_merged() {
    let (_directory, database) = bank();
    run(&database, "RDEFINE GCICSTRN TELLER ADDMEM(PAY1 PAY2 CE*) UACC(READ)");
    run(&database, "PERMIT TELLER CLASS(GCICSTRN) ID(TOM) ACCESS(READ)");
    run(&database, "RDEFINE GCICSTRN OFFICE ADDMEM(PAY2) UACC(NONE)");
    run(&database, "PERMIT OFFICE CLASS(GCICSTRN) ID(TOM) ACCESS(UPDATE)");
    let levels = ["PAY1", "PAY2", "CEMT"].map(|resource| level(&database, "TOM", "TCICSTRN", resource).unwrap());
    assert_eq!(levels, [Level::Read, Level::Update, Level::Read], "of access lists the least restrictive entry");
    let levels = ["PAY1", "PAY2", "CEMT"].map(|resource| level(&database, "TIM", "TCICSTRN", resource).unwrap());
    assert_eq!(levels, [Level::Read, Level::None, Level::Read], "of universal access the most restrictive");
    run(&database, "RALTER GCICSTRN TELLER DELMEM(PAY1)");
    assert_eq!(level(&database, "TOM", "TCICSTRN", "PAY1"), None);
}

#[test]
fn classes_in_raclist_change_when_they_are_refreshed() {
    let (directory, database) = bank();
    run(&database, "RDEFINE TCICSTRN PAY1 UACC(READ)");
    run(&database, "SETROPTS RACLIST(TCICSTRN)");
    let report = database.execute("RALTER TCICSTRN PAY1 UACC(NONE)", Moment::now());
    assert_eq!(report.return_code, 4);
    assert_eq!(report.lines, ["RGTS113I THE CHANGE TAKES EFFECT WITH SETROPTS RACLIST(TCICSTRN) REFRESH"]);
    database.execute("RDEFINE GCICSTRN MORE ADDMEM(PAY2) UACC(READ)", Moment::now());
    let other = Database::open(directory.path()).unwrap();
    for database in [&database, &other] {
        assert_eq!(level(database, "TOM", "TCICSTRN", "PAY1"), Some(Level::Read));
        assert_eq!(level(database, "TOM", "TCICSTRN", "PAY2"), None);
    }
    run(&database, "SETROPTS RACLIST(TCICSTRN) REFRESH");
    other.generation();
    for database in [&database, &other] {
        assert_eq!(level(database, "TOM", "TCICSTRN", "PAY1"), Some(Level::None));
        assert_eq!(level(database, "TOM", "TCICSTRN", "PAY2"), Some(Level::Read));
    }
}

#[test]
fn classes_that_the_installation_defines_are_checked_like_others() {
    let (_directory, database) = bank();
    let report = database.execute("RDEFINE $PAYROLL RATE1", Moment::now());
    assert_eq!((report.return_code, &report.lines[0][..]), (8, "RGTS102E CLASS $PAYROLL IS NOT DEFINED"));
    run(&database, "RDEFINE CDT $PAYROLL CDTINFO(POSIT(301) MAXLENGTH(20) DEFAULTRC(8) GROUP($GPAY))");
    run(&database, "RDEFINE CDT $GPAY CDTINFO(POSIT(301) MAXLENGTH(20) MEMBER($PAYROLL))");
    run(&database, "SETROPTS CLASSACT($PAYROLL) GENERIC($PAYROLL)");
    run(&database, "RDEFINE $PAYROLL RATE.* UACC(READ)");
    run(&database, "RDEFINE $GPAY TOP ADDMEM(BONUS) UACC(UPDATE)");
    assert_eq!(level(&database, "TOM", "$PAYROLL", "RATE.X"), Some(Level::Read));
    assert_eq!(level(&database, "TOM", "$PAYROLL", "BONUS"), Some(Level::Update));
    let long = "A".repeat(20);
    run(&database, &format!("RDEFINE $PAYROLL {long}"));
    assert_eq!(database.execute(&format!("RDEFINE $PAYROLL {long}B"), Moment::now()).return_code, 8);
    assert_eq!(database.execute("RDELETE CDT $PAYROLL", Moment::now()).lines, ["RGTS116E CLASS $PAYROLL HAS PROFILES"]);
}

#[test]
fn warning_mode_lets_in_and_records() {
    let (_directory, database) = bank();
    run(&database, "RDEFINE TCICSTRN PAY1 UACC(NONE) WARNING AUDIT(NONE)");
    let decision = database.access(&identity(&database, "TOM"), "TCICSTRN", "PAY1");
    assert_eq!((decision.level, decision.allows(Level::Read), decision.return_code(Level::Read)), (Some(Level::None), true, 0));
    assert!(decision.is_audited(Level::Read) && !decision.is_audited(Level::None));
    run(&database, "RALTER TCICSTRN PAY1 NOWARNING AUDIT(SUCCESS(UPDATE),FAILURES(READ))");
    let decision = database.access(&identity(&database, "TOM"), "TCICSTRN", "PAY1");
    assert!(!decision.allows(Level::Read) && decision.is_audited(Level::Read));
    run(&database, "RALTER TCICSTRN PAY1 UACC(UPDATE)");
    let decision = database.access(&identity(&database, "TOM"), "TCICSTRN", "PAY1");
    assert!(!decision.is_audited(Level::Read) && decision.is_audited(Level::Update));
}

#[test]
fn the_global_access_table_and_conditional_access_lists_add_access() {
    let (_directory, database) = bank();
    run(&database, "RDEFINE GLOBAL FACILITY ADDMEM(&RACUID.**/ALTER PUBLIC.*/READ)");
    assert_eq!(level(&database, "TOM", "FACILITY", "TOM.X"), None, "global checking is not active");
    run(&database, "SETROPTS GLOBAL(FACILITY)");
    let levels = ["TOM.X", "TIM.X", "PUBLIC.X"].map(|resource| level(&database, "TOM", "FACILITY", resource));
    assert_eq!(levels, [Some(Level::Alter), None, Some(Level::Read)]);
    assert_eq!(level(&database, "GUEST", "FACILITY", "PUBLIC.X"), None, "RESTRICTED");
    run(&database, "RDEFINE TCICSTRN PAY1");
    run(&database, "PERMIT PAY1 CLASS(TCICSTRN) ID(TELLERS) ACCESS(READ) WHEN(TERMINAL(T001 T002))");
    let at = |terminal: Option<&str>| {
        let identity = Identity { terminal: terminal.map(name), ..identity(&database, "TOM") };
        database.access(&identity, "TCICSTRN", "PAY1").level.unwrap()
    };
    assert_eq!([at(None), at(Some("T001")), at(Some("T003"))], [Level::None, Level::Read, Level::None]);
}

/// Thousands of profiles cost a look-up no more than a few do.
#[test]
fn a_look_up_does_not_search_all_profiles() {
    let (_directory, database) = bank();
    let profile = |name: String, uacc: &str| format!("0500 {name:<246} RCICSRES {:>9}{:11}SYS1{:>51}{uacc}\n", "", "", "");
    let discrete = (0..2000).map(|number| profile(format!("PAY.R{number:04}"), "READ"));
    let generic = (0..2000).map(|number| profile(format!("LOAN.G{number:04}.*"), "UPDATE"));
    let report = database.import_unload(&discrete.chain(generic).collect::<String>(), Moment::now());
    assert_eq!(report.lines, ["RGTS134I 0 GROUPS, 0 USERS AND 4000 PROFILES WERE TAKEN IN"]);
    run(&database, "RDEFINE RCICSRES ** UACC(UPDATE)");
    let tom = identity(&database, "TOM");
    let started = std::time::Instant::now();
    let rounds = 5_000;
    for number in 0..rounds {
        let (resource, expected) = match number % 3 {
            0 => (format!("PAY.R{:04}", number % 2000), Level::Read),
            1 => (format!("LOAN.G{:04}.X", number % 2000), Level::Update),
            _ => (format!("OTHER.{number}"), Level::Update),
        };
        assert_eq!(database.access(&tom, "RCICSRES", &resource).level, Some(expected), "{resource}");
    }
    let each = started.elapsed() / rounds;
    println!("{each:?} a look-up");
    assert!(each < std::time::Duration::from_micros(100), "{each:?} a look-up");
}
