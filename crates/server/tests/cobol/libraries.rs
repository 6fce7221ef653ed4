//! LIBRARY resources: CREATE, INQUIRE, SET and DISCARD, and the order in which programs are found.

use super::{REPORT, compile, define, reported, setup};

const DATA: &str = "01 WS-REPORT.\n   05 R-RUN PIC X(9).\n   05 R-STATE OCCURS 4 TIMES PIC X(20).\n   05 R-DSN PIC X(10).\n   05 R-LIB PIC X(8).\n   05 R-ERR OCCURS 8 TIMES PIC 9(4).\n01 WS-AREA PIC X(3).\n01 WS-ATTR PIC X(60) VALUE\n   'DSNAME01(PATCHDIR) RANKING(5) CRITICAL(YES)'.\n01 WS-BAD PIC X(60) VALUE 'DSNAME01(NODIR) RANKING(3)'.\n01 WS-RANK PIC S9(8) COMP.\n01 WS-POS PIC S9(8) COMP.\n01 WS-NUM PIC S9(8) COMP.\n01 WS-STAT PIC S9(8) COMP.\n01 WS-CRIT PIC S9(8) COMP.\n01 WS-RESP PIC S9(8) COMP.\n01 WS-DSN PIC X(44).\n01 WS-NAME PIC X(8).\n01 N1 PIC 99.\n01 N2 PIC 99.\n01 N3 PIC 99.\n01 N4 PIC 9999.\n01 N5 PIC 9999.";

/// Ranking, position, data sets, status (ENABLED 23, DISABLED 24) and CRITICALST (CRITICAL 11, NONCRITICAL 1090).
fn inquired(name: &str, into: usize) -> String {
    format!(
        "    EXEC CICS INQUIRE LIBRARY('{name}') RANKING(WS-RANK)\n       SEARCHPOS(WS-POS) NUMDSNAMES(WS-NUM) ENABLESTATUS(WS-STAT)\n       CRITICALST(WS-CRIT) DSNAME01(WS-DSN) END-EXEC.\n    MOVE WS-RANK TO N1. MOVE WS-POS TO N2. MOVE WS-NUM TO N3.\n    MOVE WS-STAT TO N4. MOVE WS-CRIT TO N5.\n    STRING N1 N2 N3 N4 N5 DELIMITED SIZE INTO R-STATE({into}).\n"
    )
}

fn refused(command: &str, number: usize) -> String {
    format!("    EXEC CICS {command}\n       RESP(WS-RESP) END-EXEC.\n    COMPUTE R-ERR({number}) = WS-RESP * 100 + EIBRESP2.\n")
}

const LINK: &str = "    EXEC CICS LINK PROGRAM('LIBPGM')\n       COMMAREA(WS-AREA) END-EXEC.\n";
const COPY: &str = "    EXEC CICS SET PROGRAM('LIBPGM')\n       COPY(DFHVALUE(NEWCOPY)) END-EXEC.\n";

#[test]
fn libraries_are_searched_in_the_order_of_their_ranking() {
    let version = |text: &str| {
        compile("LIBPGM", "01 WS-X PIC X.", "01 DFHCOMMAREA PIC X(3).", &format!("MAIN.\n    MOVE '{text}' TO DFHCOMMAREA.\n    GOBACK."));
    };
    let library = setup().library();
    version("TWO");
    std::fs::create_dir_all(library.join("PATCHDIR")).unwrap();
    std::fs::rename(library.join("LIBPGM.rlm"), library.join("PATCHDIR/LIBPGM.rlm")).unwrap();
    version("ONE");
    define("", "LIBPGM", &[]);
    let procedure = [
        "MAIN.\n    MOVE SPACES TO WS-REPORT.\n",
        LINK,
        "    MOVE WS-AREA TO R-RUN(1:3).\n    EXEC CICS CREATE LIBRARY('PATCHES') ATTRIBUTES(WS-ATTR)\n       END-EXEC.\n",
        &inquired("PATCHES", 1),
        "    MOVE WS-DSN TO R-DSN.\n",
        COPY,
        LINK,
        "    MOVE WS-AREA TO R-RUN(4:3).\n    EXEC CICS INQUIRE PROGRAM('LIBPGM') LIBRARY(R-LIB)\n       LIBRARYDSN(WS-DSN) END-EXEC.\n    IF WS-DSN NOT = 'PATCHDIR' MOVE 'DSN?' TO R-DSN.\n",
        "    EXEC CICS SET LIBRARY('PATCHES') RANKING(20) NONCRITICAL\n       END-EXEC.\n",
        &inquired("PATCHES", 2),
        COPY,
        LINK,
        "    MOVE WS-AREA TO R-RUN(7:3).\n",
        &refused("DISCARD LIBRARY('PATCHES')", 1),
        "    EXEC CICS SET LIBRARY('PATCHES') DISABLED END-EXEC.\n",
        &inquired("PATCHES", 3),
        &inquired("DFHRPL", 4),
        &refused("SET LIBRARY('DFHRPL') RANKING(5)", 2),
        &refused("SET LIBRARY('PATCHES') RANKING(100)", 3),
        &refused("SET LIBRARY('NOLIB') RANKING(5)", 4),
        &refused("CREATE LIBRARY('ABSENT') ATTRIBUTES(WS-BAD)", 5),
        &refused("SET LIBRARY('ABSENT') ENABLED", 6),
        "    EXEC CICS DISCARD LIBRARY('ABSENT') END-EXEC.\n    EXEC CICS DISCARD LIBRARY('PATCHES') END-EXEC.\n",
        &refused("INQUIRE LIBRARY('PATCHES')", 7),
        "    EXEC CICS INQUIRE LIBRARY START END-EXEC.\n    EXEC CICS INQUIRE LIBRARY(WS-NAME) NEXT END-EXEC.\n    IF WS-NAME NOT = 'DFHRPL' MOVE 'BROWSE' TO R-RUN.\n",
        &refused("INQUIRE LIBRARY(WS-NAME) NEXT", 8),
        "    EXEC CICS INQUIRE LIBRARY END END-EXEC.\n",
        &format!("    {REPORT}.\n    EXEC CICS RETURN END-EXEC."),
    ]
    .concat();
    compile("LIBTEST", DATA, "", &procedure);
    define("LB01", "LIBTEST", &[]);
    let report = reported("LB01");
    assert_eq!(&report[..9], "ONETWOONE");
    let states: Vec<&str> = (0..4).map(|at| report[9 + at * 20..29 + at * 20].trim_end()).collect();
    assert_eq!(states, ["05010100230011", "20020100231090", "20000100241090", "10010100230011"]);
    assert_eq!(&report[89..107], "PATCHDIR  PATCHES ");
    // INVREQ 16 with the RESP2 of each, NOTFND 13, END 83.
    let errors: Vec<&str> = (0..8).map(|at| &report[107 + at * 4..111 + at * 4]).collect();
    assert_eq!(errors, ["1607", "1605", "1604", "1301", "0000", "1606", "1301", "8302"]);
}

/// The modes in which the program behind each of two names has run.
static MODES: std::sync::Mutex<Vec<(String, &'static str)>> = std::sync::Mutex::new(Vec::new());

fn note_mode(task: &mut region::Task) -> Result<(), region::Raised> {
    let caller = task.levels[task.levels.len() - 2].name.to_string();
    MODES.lock().unwrap().push((caller, task.kernel.mode().name()));
    Ok(())
}

/// One load module under two names, as the binder makes an alias: the PROGRAM definition of each name decides on the TCB.
#[test]
fn an_alias_of_a_load_module_has_its_own_concurrency() {
    setup().region.programs().install_native(region::name::Name8::new("NOTEMODE"), note_mode);
    compile("ALIASPGM", "01 WS-X PIC X.", "", "MAIN.\n    EXEC CICS LINK PROGRAM('NOTEMODE') END-EXEC.\n    GOBACK.");
    std::fs::hard_link(setup().library().join("ALIASPGM.rlm"), setup().library().join("ALIASREQ.rlm")).unwrap();
    define("", "ALIASPGM", &[("CONCURRENCY", "QUASIRENT")]);
    define("", "ALIASREQ", &[("CONCURRENCY", "REQUIRED")]);
    let procedure = format!(
        "MAIN.\n    EXEC CICS LINK PROGRAM('ALIASPGM') END-EXEC.\n    EXEC CICS LINK PROGRAM('ALIASREQ') END-EXEC.\n    {REPORT}.\n    EXEC CICS RETURN END-EXEC."
    );
    compile("ALIASTST", "01 WS-REPORT PIC X VALUE 'D'.", "", &procedure);
    define("LB02", "ALIASTST", &[]);
    assert_eq!(reported("LB02"), "D");
    let modes = MODES.lock().unwrap().clone();
    assert_eq!(modes, [("ALIASPGM".to_string(), "QR"), ("ALIASREQ".to_string(), "L8")]);
}

/// The report of transaction STAT counts programs by their kind.
#[test]
fn the_report_has_the_totals_of_programs() {
    compile("TOTALLDD", "01 WS-X PIC X(5000).", "", "MAIN.\n    GOBACK.");
    let load = "    EXEC CICS LOAD PROGRAM('TOTALLDD') SET(WS-P) HOLD\n       END-EXEC.\n";
    compile(
        "TOTALPGM",
        "01 WS-X PIC X.\n01 WS-P POINTER.",
        "",
        &format!("MAIN.\n{load}    {REPORT}.\n    GOBACK.").replace("WS-REPORT", "WS-X"),
    );
    define("", "TOTALLDD", &[]);
    define("", "TOTALABS", &[]);
    define("LB03", "TOTALPGM", &[]);
    assert_eq!(reported("LB03").len(), 1);
    let report = region::statistics::report::text(setup().region);
    let section = report.split("Program Totals").nth(1).expect("the section");
    let row = |name: &str| -> Vec<u64> {
        let line = section.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in {section}"));
        line[24..].split_whitespace().map(|figure| figure.replace([',', 'K'], "").parse().unwrap()).collect()
    };
    // Defined; with a copy in storage, all, 24-bit and 31-bit, with their kilobytes; tasks that use them.
    let cobol = row("COBOL");
    assert_eq!(cobol.len(), 8);
    assert!(cobol[0] >= 2 && cobol[1] >= 1 && cobol[2] > 0, "{section}");
    assert_eq!((&cobol[3..5], &cobol[5..7]), (&[0, 0][..], &cobol[1..3]), "all code is 31-bit");
    let total = row("Total");
    assert!(row("Region")[0] >= 1 && total[0] >= cobol[0] && total[1] >= cobol[1]);
    for name in ["Maps", "Partitionsets", "Assembler", "PL/I", "C ", "Remote"] {
        assert_eq!(row(name).len(), 8, "{name}");
    }
    // By where the copies are: TOTALLDD was LOADed.
    for name in ["CDSA", "SDSA", "RDSA", "ECDSA", "ESDSA", "SVA"] {
        assert_eq!(row(&format!("{name} Programs"))[0], 0, "{name}");
    }
    assert!(row("ERDSA Programs")[0] >= 1 && row("ERDSA Programs")[1] >= 1, "{section}");
    assert!(row("ESVA Programs")[0] >= cobol[1] - 1, "{section}");
    assert!(row("Unused Programs")[0] <= total[1] && row("Not Located Programs")[0] >= 1, "{section}");
    let loader = report.split("\nLoader ").nth(1).expect("the section");
    let value = |title: &str| {
        let of = |line: &str| line.trim().strip_prefix(title).filter(|rest| rest.starts_with('.')).map(str::to_string);
        let line = loader.lines().find_map(of).unwrap_or_else(|| panic!("{title} in {loader}"));
        line.rsplit_once(": ").expect("a value").1.trim().to_string()
    };
    let loads: u64 = value("LIBRARY load requests").replace(',', "").parse().unwrap();
    let on_ro: u64 = value("LIBRARY load requests on the RO TCB").replace(',', "").parse().unwrap();
    assert!(loads >= 2 && (1..=loads).contains(&on_ro), "{loader}");
    for (title, form) in [
        ("Total loading time", "00:00:00.0000"),
        ("Total loading time on the RO TCB", "00:00:00.0000"),
        ("Average loading time", "00:00.000000"),
        ("Average loading time on the RO TCB", "00:00.000000"),
    ] {
        let given = value(title);
        assert_eq!(given.replace(|digit: char| digit.is_ascii_digit(), "0"), form, "{title}");
    }
    assert_ne!(value("Average loading time"), "00:00.000000", "the loads took time");
    let libraries = report.split("LIBRARYs").nth(1).expect("the section");
    let line = libraries.lines().find(|line| line.trim_start().starts_with("DFHRPL")).expect("DFHRPL");
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(&cells[1..5], ["1", "10", "Yes", "Enabled"]);
    assert!(cells[5].parse::<u64>().unwrap() >= 2, "{line}");
}

/// JVM(YES): the region has no Java virtual machine, and a load module of the name is not what the definition means.
#[test]
fn a_java_program_is_not_run_as_another() {
    compile("JAVAPGM", "01 WS-X PIC X.", "", "MAIN.\n    GOBACK.");
    define("", "JAVAPGM", &[("JVM", "YES"), ("JVMCLASS", "com.example.Payroll"), ("JVMSERVER", "PAYJVM")]);
    let link = "    EXEC CICS LINK PROGRAM('JAVAPGM') RESP(WS-RESP) END-EXEC.\n    MOVE WS-RESP TO R-R.\n    MOVE EIBRESP2 TO R-R2.\n";
    compile(
        "JAVALINK",
        "01 WS-RESP PIC S9(8) COMP.\n01 WS-REPORT.\n   05 R-R PIC 9(4).\n   05 R-R2 PIC 9(4).",
        "",
        &format!("MAIN.\n{link}    {REPORT}.\n    GOBACK."),
    );
    define("LB09", "JAVALINK", &[]);
    assert_eq!(reported("LB09"), "00270003", "PGMIDERR");
    let lines = setup().lines();
    assert!(lines.iter().any(|line| line.starts_with("DFHLD0107") && line.contains("JAVAPGM") && line.contains("JVM(YES)")), "{lines:#?}");
}
