//! Statements of the utility: their effects, and the messages for those that cannot be executed.

use super::*;
use crate::file::Definition;

fn run(csd: &mut Csd, text: &str) -> Report {
    execute(csd, text, "test")
}

struct NoPrograms;

impl UserPrograms for NoPrograms {
    fn call(&mut self, program: &str, _: &Point) -> Result<(), String> {
        Err(format!("{program} is not there"))
    }
}

/// A batch job with one other CSD, SECOND.
fn job(csd: &mut Csd, text: &str, programs: &mut dyn UserPrograms, is_new: bool) -> Report {
    let secondary = |name: &str| {
        let mut other = Csd::default();
        other.put(Definition::new("PROGRAM", "P9", "OTHER"));
        other.add_to_list("OTHERS", "OTHER");
        (name == "SECOND").then_some(other)
    };
    execute_job(csd, text, Job { source: "test", data_set: "TEST.CSD", is_new, secondary: &secondary, programs })
}

/// What stands before an error is executed, what follows is shown and not executed.
#[test]
fn an_error_in_the_text_stops_what_follows() {
    let mut csd = Csd::default();
    let text = "DEFINE PROGRAM(P1) GROUP(G)\nDEFINE PROGRAM(P2 GROUP(G)\nDEFINE PROGRAM(P3) GROUP(G)\nLIST GROUP(G)\n";
    let report = job(&mut csd, text, &mut NoPrograms, false);
    assert_eq!(csd.group("G").map(|definition| definition.name.as_str()).collect::<Vec<_>>(), ["P1"]);
    for expected in [
        "DFH5120 I PRIMARY CSD OPENED;  DDNAME: DFHCSD   - DSNAME: TEST.CSD",
        "DFH5101 I DEFINE COMMAND EXECUTED SUCCESSFULLY.",
        "  DEFINE PROGRAM(P2 GROUP(G)\nDFH5201 E SYNTAX ERROR: the value of PROGRAM has no closing parenthesis",
        "  DEFINE PROGRAM(P3) GROUP(G)\n  LIST GROUP(G)\n",
        "DFH5123 I PRIMARY CSD CLOSED;  DDNAME: DFHCSD   - DSNAME: TEST.CSD",
        "DFH5107 I COMMANDS EXECUTED SUCCESSFULLY: 2     COMMANDS GIVING WARNING(S): 0     COMMANDS IN ERROR: 1",
        "DFH5108 I COMMANDS NOT EXECUTED AFTER ERROR(S): 1",
        "DFH5109 I END OF DFHCSDUP UTILITY JOB. HIGHEST RETURN CODE WAS: 8",
    ] {
        assert!(report.text.contains(expected), "{expected}: {}", report.text);
    }
    let report = job(&mut csd, "DEFNE PROGRAM(P) GROUP(G)\n", &mut NoPrograms, false);
    assert!(report.return_code == 8 && report.text.contains("DEFNE is not a DFHCSDUP command"), "{}", report.text);
}

#[test]
fn only_a_new_csd_is_initialized() {
    let mut csd = Csd::initialized();
    let report = job(&mut csd, "INITIALIZE\nDEFINE PROGRAM(P1) GROUP(G)\n", &mut NoPrograms, true);
    assert_eq!(report.return_code, 0, "{}", report.text);
    let report = job(&mut csd, "INITIALIZE\n", &mut NoPrograms, false);
    assert!(report.return_code == 8 && report.text.contains("DFH5150") && csd.has_group("G"), "{}", report.text);
}

#[test]
fn userdefine_takes_the_defaults_of_the_user() {
    let mut csd = Csd::default();
    let report = run(&mut csd, "DEFINE PROGRAM(USER) GROUP(USERDEF) EXECKEY(CICS) RESIDENT(YES)\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    run(&mut csd, "USERDEFINE PROGRAM(P1) GROUP(G) RESIDENT(NO)\nDEFINE PROGRAM(P2) GROUP(G)\nDEFINE MAPSET(M1) GROUP(G)\n");
    let report = run(&mut csd, "USERDEFINE MAPSET(M2) GROUP(G)\n");
    assert!(report.text.contains("DFH5151 E MAPSET USER NOT FOUND IN GROUP USERDEF"), "{}", report.text);
    let of = |name: &str| csd.group("G").find(|definition| definition.name == name).expect(name);
    assert!(
        of("P1").is("EXECKEY", "CICS")
            && of("P1").is("RESIDENT", "NO")
            && of("P2").is("EXECKEY", "USER")
            && of("M1").is("STATUS", "ENABLED")
    );
}

#[test]
fn scan_compares_the_definitions_of_users_with_the_supplied_ones() {
    let mut csd = Csd::initialized();
    run(&mut csd, "COPY TRANSACTION(CEMT) GROUP(DFHOPER) TO(MINE)\nCOPY GROUP(DFHOPER) TO(OTHER)\n");
    run(&mut csd, "ALTER TRANSACTION(CEMT) GROUP(MINE) PRIORITY(1) DESCRIPTION(Mine)\n");
    let report = run(&mut csd, "SCAN TRANSACTION(CEMT)\nSCAN PROGRAM(NONE)\n");
    for expected in [
        "TRANSACTION CEMT FOUND IN SUPPLIED GROUP DFHOPER",
        "TRANSACTION CEMT IN GROUP MINE DOES NOT MATCH THAT OF GROUP DFHOPER: PRIORITY\n",
        "TRANSACTION CEMT IN GROUP OTHER MATCHES THAT OF GROUP DFHOPER",
        "PROGRAM NONE NOT FOUND IN ANY SUPPLIED GROUP",
        "PROGRAM NONE NOT FOUND IN ANY USER GROUP",
    ] {
        assert!(report.text.contains(expected), "{expected}: {}", report.text);
    }
    assert_eq!((report.return_code, report.commands_with_warnings, csd.group("MINE").count()), (4, 1, 1));
}

#[test]
fn groups_and_lists_come_from_another_csd() {
    let mut csd = Csd::default();
    let text =
        "COPY GROUP(OTHER) TO(MINE) FROMCSD(SECOND)\nAPPEND LIST(OTHERS) TO(ALL1) FROMCSD(SECOND)\nCOPY GROUP(A) TO(B) FROMCSD(NONE)\n";
    let report = job(&mut csd, text, &mut NoPrograms, false);
    assert!(csd.group("MINE").any(|definition| definition.name == "P9") && csd.list("ALL1").is_some(), "{}", report.text);
    assert!(report.text.contains("FROMCSD(NONE): THERE IS NO CSD WITH THIS DDNAME"), "{}", report.text);
}

/// The points of an extraction, as text.
struct Points(Vec<String>);

impl UserPrograms for Points {
    fn call(&mut self, program: &str, point: &Point) -> Result<(), String> {
        let mut text = point.function.to_string();
        for part in
            [point.list, point.group, point.object.map(|object| object.1), point.keyword.map(|keyword| keyword.0)].into_iter().flatten()
        {
            text = format!("{text} {part}");
        }
        self.0.push(text);
        if program == "PROG" { Ok(()) } else { Err("it is not there".to_string()) }
    }
}

/// All nine points only with LIST and OBJECTS.
#[test]
fn extract_calls_its_program_at_every_point() {
    let mut csd = Csd::default();
    run(&mut csd, "DEFINE MAPSET(M1) GROUP(G1)\nADD GROUP(G1) LIST(L1)\n");
    let points = |csd: &mut Csd, command: &str| {
        let mut points = Points(Vec::new());
        let report = job(csd, command, &mut points, false);
        assert_eq!(report.return_code, 0, "{}", report.text);
        points.0.join(",")
    };
    let shown = points(&mut csd, "EXTRACT LIST(L1) OBJECTS USERPROGRAM(PROG)\n");
    assert_eq!(
        shown,
        "0,2 L1,4 G1,6 G1 M1,8 G1 M1 DESCRIPTION,8 G1 M1 RESIDENT,8 G1 M1 USAGE,8 G1 M1 USELPACOPY,8 G1 M1 STATUS,10 G1 M1,12 G1,14 L1,16"
    );
    assert_eq!(points(&mut csd, "EXTRACT LIST(L1) USERPROGRAM(PROG)\n"), "0,2 L1,4 G1,12 G1,14 L1,16");
    assert_eq!(points(&mut csd, "EXTRACT GROUP(G*) USERPROGRAM(PROG)\n"), "0,4 G1,6 G1 M1,10 G1 M1,12 G1,16");
    let report = job(&mut csd, "EXTRACT GROUP(G1) USERPROGRAM(NONE)\n", &mut NoPrograms, false);
    assert!(report.return_code == 8 && report.text.contains("USER PROGRAM NONE: NONE is not there"), "{}", report.text);
}

#[test]
fn a_misspelt_keyword_names_the_one_that_was_meant() {
    let mut csd = Csd::initialized();
    let report = execute(&mut csd, "DEFINE TRANSACTION(AB01) GROUP(G) PROGRM(P)\nDEFINE TRANSCATION(AB02) GROUP(G) PROGRAM(P)\n", "t.csd");
    assert!(report.text.contains("PROGRM IS NOT AN ATTRIBUTE OF TRANSACTION; EXPECTED PROGRAM\n"), "{}", report.text);
    assert!(report.text.contains("TRANSCATION IS NOT A RESOURCE TYPE; EXPECTED TRANSACTION\n"), "{}", report.text);
}

#[test]
fn the_supplied_groups_are_correct() {
    let csd = Csd::initialized();
    assert!(csd.list("DFHLIST").unwrap().len() > 5);
    assert!(csd.group("DFHOPER").any(|d| d.name == "CEMT"));
}

#[test]
fn define_alter_copy_list_delete() {
    let mut csd = Csd::default();
    let report = run(&mut csd, "DEFINE PROGRAM(P1) GROUP(G1) LANG(COBOL)\nDEFINE TRANS(T1) GROUP(G1) PROG(P1)\nADD GROUP(G1) LIST(L1)\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    assert_eq!(report.groups, ["G1"]);
    let report = run(&mut csd, "ALTER PROGRAM(P*) GROUP(G1) EXECKEY(CICS)\nCOPY GROUP(G1) TO(G2)\nLIST GROUP(G2) OBJECTS\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    assert!(report.text.contains("EXECKEY(CICS)"));
    let report = run(&mut csd, "DELETE PROGRAM(P1) GROUP(G1)\nDELETE GROUP(G2)\nREMOVE GROUP(G1) LIST(L1)\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    assert!(csd.list("L1").is_none());
    assert!(!csd.has_group("G2"));
    assert_eq!(csd.group("G1").count(), 1);
}

#[test]
fn every_fault_of_a_statement_is_reported_and_nothing_defined() {
    let mut csd = Csd::default();
    let report = run(&mut csd, "DEFINE PROGRAM(P1) GROUP(G1)\n  EXECKEY(BOTH)\n  COLOUR(RED)\n  API(OPENAPI)\n");
    assert_eq!(report.return_code, 8);
    assert!(report.text.contains("LINE 2: BOTH is not a value of EXECKEY"));
    assert!(report.text.contains("LINE 3: COLOUR IS NOT AN ATTRIBUTE OF PROGRAM"));
    assert!(!csd.has_group("G1"));
    let report = run(&mut csd, "DEFINE PROGRAM(P2) GROUP(DFHX)\nDEFINE TRANSACTION(T2) GROUP(G)\nLIST GROUP(NONE)\n");
    assert_eq!(report.commands_in_error, 3);
    assert!(report.text.contains("TRANSACTION T2 NEEDS PROGRAM"));
}

#[test]
fn openapi_needs_a_threadsafe_program() {
    for (attributes, accepted) in [
        ("API(OPENAPI) CONCURRENCY(REQUIRED)", true),
        ("API(OPENAPI) CONCURRENCY(THREADSAFE)", true),
        ("API(OPENAPI) CONCURRENCY(QUASIRENT)", false),
        // QUASIRENT is the default.
        ("API(OPENAPI)", false),
        ("API(CICSAPI) CONCURRENCY(QUASIRENT)", true),
        ("API(CICSAPI) CONCURRENCY(REQUIRED)", true),
        ("", true),
    ] {
        let mut csd = Csd::default();
        let report = run(&mut csd, &format!("DEFINE PROGRAM(P1) GROUP(G1) {attributes}\n"));
        assert_eq!(report.return_code == 0, accepted, "{attributes}: {}", report.text);
        assert_eq!(report.text.contains("DFH5220"), !accepted, "{attributes}: {}", report.text);
        assert_eq!(csd.has_group("G1"), accepted, "{attributes}");
    }
}

#[test]
fn a_temporary_storage_model_has_one_prefix_and_one_place() {
    for (attributes, fault) in [
        ("PREFIX(ABC) POOLNAME(POOL1)", ""),
        ("XPREFIX(C1C2) REMOTESYSTEM(SYSB) REMOTEPREFIX(X)", ""),
        ("PREFIX(ABCDEFGHIJKLMNOP) RECOVERY(YES) LOCATION(MAIN) POOLNAME(POOL1)", ""),
        ("POOLNAME(POOL1)", "NEEDS PREFIX OR XPREFIX"),
        ("REMOTESYSTEM(SYSB)", "NEEDS PREFIX OR XPREFIX"),
        ("PREFIX(A) XPREFIX(C1)", "PREFIX AND XPREFIX EXCLUDE EACH OTHER"),
        ("PREFIX(A) POOLNAME(POOL1) REMOTESYSTEM(SYSB)", "POOLNAME AND REMOTESYSTEM EXCLUDE EACH OTHER"),
        ("XPREFIX(C1C)", "XPREFIX NEEDS PAIRS OF HEXADECIMAL DIGITS"),
        ("XPREFIX(C1CG)", "XPREFIX NEEDS PAIRS OF HEXADECIMAL DIGITS"),
        ("PREFIX(ABCDEFGHIJKLMNOPQ)", "PREFIX"),
    ] {
        let mut csd = Csd::default();
        let report = run(&mut csd, &format!("DEFINE TSMODEL(M1) GROUP(G1) {attributes}\n"));
        assert_eq!(report.return_code == 0, fault.is_empty(), "{attributes}: {}", report.text);
        assert!(report.text.contains(fault), "{attributes}: {}", report.text);
        assert_eq!(csd.has_group("G1"), fault.is_empty());
    }
}

#[test]
fn generic_names() {
    assert!(matches_name("AB*", "ABCD"));
    assert!(matches_name("A+C*", "ABC"));
    assert!(!matches_name("A+C", "ABCD"));
}

#[test]
fn a_job_stops_after_an_error_but_still_lists() {
    let mut csd = Csd::default();
    let report = job(&mut csd, "DEFINE X(1) GROUP(G)\nDEFINE PROGRAM(P) GROUP(G)\nLIST ALL\n", &mut NoPrograms, false);
    assert!(!csd.has_group("G"));
    assert!(report.text.contains("DFH5108 I COMMANDS NOT EXECUTED AFTER ERROR(S): 1"), "{}", report.text);
}

/// A definition is known by its group, its type and its name.
#[test]
fn a_group_holds_one_definition_of_a_type_and_name() {
    let mut csd = Csd::default();
    let define = "DEFINE PROGRAM(SAME) GROUP(G1)\nDEFINE TRANSACTION(SAME) GROUP(G1) PROGRAM(SAME)\nDEFINE PROGRAM(SAME) GROUP(G2)\n";
    let report = run(&mut csd, define);
    assert_eq!((report.return_code, report.groups), (0, vec!["G1".to_string(), "G2".to_string()]));
    assert!(report.text.contains("DFH5131 I GROUP G1 CREATED.") && report.text.contains("DFH5131 I GROUP G2 CREATED."));
    let report = run(&mut csd, "DEFINE PROGRAM(SAME) GROUP(G1) EXECKEY(CICS)\n");
    assert_eq!(report.return_code, 8);
    assert!(report.text.contains("DFH5145 E PROGRAM SAME ALREADY EXISTS IN GROUP G1"), "{}", report.text);
    let program = |csd: &Csd, group: &str| csd.group(group).find(|d| d.resource.name == "PROGRAM").unwrap().clone();
    assert_eq!(program(&csd, "G1").get("EXECKEY"), "USER", "what was there stays");
    // ALTER of a generic name in a generic group.
    assert_eq!(run(&mut csd, "ALTER PROGRAM(S*) GROUP(G+) EXECKEY(CICS)\n").return_code, 0);
    assert_eq!(["G1", "G2"].map(|group| program(&csd, group).get("EXECKEY").to_string()), ["CICS", "CICS"]);
    assert_eq!(csd.group("G1").find(|d| d.resource.name == "TRANSACTION").unwrap().get("PROGRAM"), "SAME");
    // Names of queues and terminals keep small letters, in patterns too.
    run(&mut csd, "DEFINE TDQUEUE(abC1) GROUP(G1) TYPE(INTRA) TRIGGERLEVEL(2)\n");
    assert_eq!(run(&mut csd, "ALTER TDQUEUE(ab*) GROUP(G1) TRIGGERLEVEL(3)\n").return_code, 0);
    assert_eq!(csd.group("G1").find(|d| d.resource.name == "TDQUEUE").unwrap().get("TRIGGERLEVEL"), "3");
    let report = run(&mut csd, "ALTER PROGRAM(NONE) GROUP(G1) EXECKEY(CICS)\n");
    assert!(report.return_code == 8 && report.text.contains("DFH5151"), "{}", report.text);
    // The last definition takes the group with it.
    assert_eq!(run(&mut csd, "DELETE PROGRAM(SAME) GROUP(G2)\n").return_code, 0);
    assert!(!csd.has_group("G2"));
    let report = run(&mut csd, "DELETE PROGRAM(SAME) GROUP(G2)\n");
    assert!(report.return_code == 8 && report.text.contains("DFH5152 E GROUP G2 DOES NOT EXIST"), "{}", report.text);
}

#[test]
fn group_names_have_one_to_eight_characters_and_supplied_groups_stay() {
    for (group, code, id) in [
        ("G", 0, ""),
        ("G$@#5678", 0, ""),
        ("G23456789", 8, "DFH5208"),
        ("G-1", 8, "DFH5208"),
        ("", 8, "DFH5204"),
        ("DFHOWN", 8, "DFH5177"),
    ] {
        let mut csd = Csd::initialized();
        let report = run(&mut csd, &format!("DEFINE PROGRAM(P1) GROUP({group})\n"));
        assert_eq!(report.return_code, code, "{group}: {}", report.text);
        assert!(report.text.contains(id), "{group}: {}", report.text);
    }
    let mut csd = Csd::initialized();
    for statement in ["DELETE GROUP(DFHOPER)", "ALTER TRANSACTION(CEMT) GROUP(DFHOPER) PRIORITY(1)", "REMOVE GROUP(DFHOPER) LIST(DFHLIST)"]
    {
        let report = run(&mut csd, &format!("{statement}\n"));
        assert!(report.return_code == 8 && report.text.contains("DFH5177"), "{statement}: {}", report.text);
    }
    // A copy is one's own.
    let report = run(&mut csd, "COPY GROUP(DFHOPER) TO(MYOPER)\nALTER TRANSACTION(CEMT) GROUP(MYOPER) PRIORITY(9)\n");
    assert_eq!(report.return_code, 0, "{}", report.text);
    let priority = |group: &str| csd.group(group).find(|d| d.name == "CEMT").unwrap().get("PRIORITY").to_string();
    assert_eq!(["MYOPER", "DFHOPER"].map(priority), ["9", "255"]);
}

/// COPY of what is there already: refused, REPLACE, or MERGE, which leaves it.
#[test]
fn copy_takes_a_type_and_a_rule_for_duplicates() {
    let mut csd = Csd::default();
    let define = "DEFINE PROGRAM(P1) GROUP(G1) EXECKEY(CICS)\nDEFINE PROGRAM(P2) GROUP(G1)\n\
        DEFINE TRANSACTION(T1) GROUP(G1) PROGRAM(P1)\nDEFINE PROGRAM(P1) GROUP(G2)\n";
    assert_eq!(run(&mut csd, define).return_code, 0);
    let report = run(&mut csd, "COPY GROUP(G1) TO(G2)\n");
    assert!(report.return_code == 8 && report.text.contains("DFH5145"), "{}", report.text);
    let key = |csd: &Csd| csd.group("G2").find(|d| d.name == "P1").unwrap().get("EXECKEY").to_string();
    assert_eq!(run(&mut csd, "COPY GROUP(G1) TO(G2) MERGE\n").return_code, 0);
    assert_eq!((key(&csd).as_str(), csd.group("G2").count()), ("USER", 3));
    assert_eq!(run(&mut csd, "COPY GROUP(G1) TO(G2) REPLACE\n").return_code, 0);
    assert_eq!((key(&csd).as_str(), csd.group("G2").count()), ("CICS", 3));
    assert_eq!(run(&mut csd, "COPY PROGRAM GROUP(G1) TO(G3)\n").return_code, 0);
    let names: Vec<&str> = csd.group("G3").map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["P1", "P2"]);
    let report = run(&mut csd, "COPY GROUP(NONE) TO(G4)\n");
    assert!(report.return_code == 8 && report.text.contains("DFH5152") && !csd.has_group("G4"), "{}", report.text);
}

/// A list has its groups in the order in which they are installed.
#[test]
fn lists_name_groups_in_order() {
    let mut csd = Csd::default();
    assert_eq!(run(&mut csd, "DEFINE PROGRAM(P1) GROUP(B)\n").return_code, 0);
    let add = "ADD GROUP(B) LIST(L1)\nADD GROUP(D) LIST(L1)\nADD GROUP(C) LIST(L1) BEFORE(D)\nADD GROUP(A) LIST(L1) AFTER(D)\n";
    assert_eq!(run(&mut csd, add).return_code, 0);
    assert_eq!(csd.list("L1").unwrap(), ["B", "C", "D", "A"]);
    let report = run(&mut csd, "ADD GROUP(B) LIST(L1)\n");
    assert!(report.return_code == 8 && report.text.contains("DFH5136 E GROUP B IS ALREADY IN LIST L1"), "{}", report.text);
    assert_eq!(run(&mut csd, "ADD GROUP(E) LIST(L2)\nAPPEND LIST(L1) TO(L2)\n").return_code, 0);
    assert_eq!(csd.list("L2").unwrap(), ["E", "B", "C", "D", "A"]);
    let report = run(&mut csd, "LIST LIST(L2)\n");
    assert!(report.text.contains("LIST NAME: L2\n    E\n    B\n    C\n    D\n    A\n"), "{}", report.text);
    assert_eq!(run(&mut csd, "REMOVE GROUP(C) LIST(L1)\nDELETE GROUP(B) REMOVE\n").return_code, 0);
    assert_eq!(
        (csd.list("L1").unwrap(), csd.list("L2").unwrap()),
        (&["D", "A"].map(String::from)[..], &["E", "C", "D", "A"].map(String::from)[..])
    );
    let report = run(&mut csd, "REMOVE GROUP(C) LIST(L1)\nDELETE LIST(NONE)\n");
    assert!(report.text.contains("DFH5137") && report.text.contains("DFH5152"), "{}", report.text);
    assert_eq!(run(&mut csd, "DELETE LIST(L1)\n").return_code, 0);
    assert!(csd.list("L1").is_none());
    // A CSD that is in use is not initialized.
    assert_eq!(run(&mut csd, "INITIALIZE\n").return_code, 8);
    assert!(csd.list("L2").is_some());
}

/// Attributes of TRANSACTION, PROGRAM and TRANCLASS at their bounds, and the defaults of CICS TS 5.4 and later.
#[test]
fn attributes_are_checked_at_their_bounds() {
    for (resource, attribute, good, bad) in [
        ("TRANSACTION(T) PROGRAM(P)", "RUNAWAY", &["SYSTEM", "0", "250", "2700000"][..], &["1", "249", "2700001", "-1"][..]),
        ("TRANSACTION(T) PROGRAM(P)", "PRIORITY", &["0", "255"], &["256", "-1"]),
        ("TRANSACTION(T) PROGRAM(P)", "TWASIZE", &["0", "32767"], &["32768"]),
        ("TRANSACTION(T) PROGRAM(P)", "DTIMOUT", &["NO", "1", "6800"], &["6801"]),
        ("TRANSACTION(T) PROGRAM(P)", "TASKDATALOC", &["ANY", "BELOW"], &["ABOVE"]),
        ("TRANSACTION(T) PROGRAM(P)", "TPURGE", &["YES", "NO"], &["MAYBE"]),
        ("PROGRAM(P)", "DATALOCATION", &["ANY", "BELOW"], &["ABOVE"]),
        ("PROGRAM(P)", "CONCURRENCY", &["QUASIRENT", "THREADSAFE", "REQUIRED"], &["REENTRANT"]),
        ("PROGRAM(P)", "EXECKEY", &["USER", "CICS"], &["SYSTEM"]),
        ("TRANCLASS(C) MAXACTIVE(1)", "PURGETHRESH", &["NO", "1", "1000000"], &["0", "1000001"]),
        ("TRANCLASS(C)", "MAXACTIVE", &["0", "999"], &["1000", "NO"]),
    ] {
        for (values, code) in [(good, 0), (bad, 8)] {
            for value in values {
                let report = run(&mut Csd::default(), &format!("DEFINE {resource} GROUP(G) {attribute}({value})\n"));
                assert_eq!(report.return_code, code, "{attribute}({value}): {}", report.text);
            }
        }
    }
    let report = run(&mut Csd::default(), "DEFINE TRANCLASS(C) GROUP(G)\n");
    assert!(report.return_code == 8 && report.text.contains("NEEDS MAXACTIVE"), "{}", report.text);
    // OPENAPI programs run on open TCBs only.
    let report = run(&mut Csd::default(), "DEFINE PROGRAM(P) GROUP(G) API(OPENAPI)\n");
    assert!(report.return_code == 8 && report.text.contains("API(OPENAPI) NEEDS CONCURRENCY(REQUIRED)"), "{}", report.text);
    let mut csd = Csd::default();
    run(&mut csd, "DEFINE TRANSACTION(T) GROUP(G) PROGRAM(P)\nDEFINE PROGRAM(P) GROUP(G)\nDEFINE TRANCLASS(C) GROUP(G) MAXACTIVE(1)\n");
    let value = |name: &str, attribute: &str| csd.group("G").find(|d| d.name == name).unwrap().get(attribute).to_string();
    for (name, attribute, default) in [
        ("T", "RUNAWAY", "SYSTEM"),
        ("T", "TASKDATALOC", "ANY"),
        ("T", "SPURGE", "YES"),
        ("T", "TPURGE", "YES"),
        ("T", "ISOLATE", "YES"),
        ("T", "TASKDATAKEY", "USER"),
        ("T", "DTIMOUT", "NO"),
        ("T", "PRIORITY", "1"),
        ("P", "DATALOCATION", "ANY"),
        ("P", "CONCURRENCY", "QUASIRENT"),
        ("P", "API", "CICSAPI"),
        ("P", "EXECKEY", "USER"),
        ("P", "JVM", "NO"),
        ("C", "PURGETHRESH", "NO"),
    ] {
        assert_eq!(value(name, attribute), default, "{attribute}");
    }
}

/// Looking through all names for each of them would take minutes.
#[test]
fn thousands_of_groups_are_defined_in_linear_time() {
    let mut csd = Csd::initialized();
    let input: String = (0..100_000).map(|at| format!("DEFINE PROGRAM(P) GROUP(G{at:06})\nADD GROUP(G{at:06}) LIST(L)\n")).collect();
    let begun = std::time::Instant::now();
    let report = execute(&mut csd, &input, "CSDIN");
    assert_eq!((report.return_code, report.groups.len(), csd.list("L").map(<[String]>::len)), (0, 100_000, Some(100_000)));
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
}
