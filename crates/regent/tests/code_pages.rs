//! Regions whose data is in a national code page: program, map, file and terminal use its letters. The terminal is s3270 with its own
//! tables.

mod support;

use std::path::Path;

use support::Region;
use support::terminal::Terminal;

const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. NATPROG.
      * Shows the map; then reads the record whose key was typed.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CK-RESP PIC S9(8) COMP.
       01  CITY-RECORD.
           05  CITY-KEY PIC X(8).
           05  CITY-NAME PIC X(20).
       01  AMOUNT PIC $$9.99.
       01  NATION PIC N(20).
       01  STATE PIC X VALUE 'S'.
           COPY NATSET.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X.
       PROCEDURE DIVISION.
           IF EIBCALEN = 0
               MOVE LOW-VALUES TO NATMAPO
               EXEC CICS SEND MAP('NATMAP') MAPSET('NATSET')
                    ERASE FREEKB END-EXEC
               EXEC CICS RETURN TRANSID('NATL') COMMAREA(STATE)
                    LENGTH(1) END-EXEC
           END-IF
           EXEC CICS RECEIVE MAP('NATMAP') MAPSET('NATSET')
                RESP(CK-RESP) END-EXEC
           MOVE SPACES TO CITY-KEY
           MOVE KEYFI TO CITY-KEY
           EXEC CICS READ FILE('NATFILE') INTO(CITY-RECORD)
                RIDFLD(CITY-KEY) RESP(CK-RESP) END-EXEC
           MOVE LOW-VALUES TO NATMAPO
           IF CK-RESP = DFHRESP(NORMAL) AND CITY-KEY = '@KEY'
               MOVE 1.5 TO AMOUNT
               MOVE CITY-NAME TO NATION
               STRING 'FOUND ' FUNCTION UPPER-CASE(CITY-NAME) ' '
                   FUNCTION DISPLAY-OF(NATION) AMOUNT
                   DELIMITED BY SIZE INTO ANSWERO
           ELSE
               MOVE 'NOT FOUND' TO ANSWERO
           END-IF
           EXEC CICS SEND MAP('NATMAP') MAPSET('NATSET')
                ERASE FREEKB END-EXEC
           EXEC CICS RETURN END-EXEC.
";

const MAPS: &str = "NATSET   DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL,STORAGE=AUTO,      X
               TIOAPFX=YES,CTRL=(FREEKB)
NATMAP   DFHMDI SIZE=(24,80),LINE=1,COLUMN=1
         DFHMDF POS=(1,1),LENGTH=20,ATTRB=(PROT,NORM),                 X
               INITIAL='@LABEL'
KEYF     DFHMDF POS=(3,1),LENGTH=8,ATTRB=(UNPROT,NORM,IC)
         DFHMDF POS=(3,10),LENGTH=1,ATTRB=ASKIP
ANSWER   DFHMDF POS=(5,1),LENGTH=60,ATTRB=(PROT,NORM)
         DFHMSD TYPE=FINAL
         END
";

const DEFINITIONS: &str = "DEFINE PROGRAM(NATPROG) GROUP(NATL)
DEFINE MAPSET(NATSET) GROUP(NATL)
DEFINE TRANSACTION(NATL) GROUP(NATL) PROGRAM(NATPROG)
DEFINE FILE(NATFILE) GROUP(NATL) DSNAME(NATL.CITY) READ(YES) BROWSE(YES)
ADD GROUP(NATL) LIST(NATLIST)
";

const CLUSTER: &str = "  DEFINE CLUSTER (NAME(NATL.CITY) INDEXED KEYS(8 0) RECORDSIZE(28 28) TRACKS(1 1))
  REPRO INFILE(CITIES) OUTDATASET(NATL.CITY)
";

/// An application whose words are those of one country.
struct Country {
    ccsid: u16,
    /// What s3270 calls the code page.
    terminal: &'static str,
    label: &'static str,
    typed: &'static str,
    key: &'static str,
    city: &'static str,
    city_upper: &'static str,
}

const fn country(
    ccsid: u16,
    terminal: &'static str,
    label: &'static str,
    (typed, key): (&'static str, &'static str),
    (city, city_upper): (&'static str, &'static str),
) -> Country {
    Country { ccsid, terminal, label, typed, key, city, city_upper }
}

const COUNTRIES: [Country; 7] = [
    country(273, "cp273", "SCHLÜSSEL [@]", ("köln", "KÖLN"), ("Köln am Rhein {ß}", "KÖLN AM RHEIN {ß}")),
    country(277, "cp277", "NØGLE #$", ("århus", "ÅRHUS"), ("Århus Bæltø", "ÅRHUS BÆLTØ")),
    country(297, "cp297", "CLÉ £", ("orléa", "ORLÉA"), ("Orléans ça và", "ORLÉANS ÇA VÀ")),
    country(1026, "cp1026", "ANAHTAR \"Ş\"", ("muğla", "MUĞLA"), ("Muğla çöşü", "MUĞLA ÇÖŞÜ")),
    country(1141, "cp1141", "PREIS IN €", ("köln", "KÖLN"), ("Köln 5 €", "KÖLN 5 €")),
    country(1142, "cp1142", "PRIS I €", ("århus", "ÅRHUS"), ("Århus 5 €", "ÅRHUS 5 €")),
    country(1147, "cp1147", "PRIX EN €", ("orléa", "ORLÉA"), ("Orléans 5 €", "ORLÉANS 5 €")),
];

fn write(directory: &Path, country: &Country) {
    let file = |name: &str, text: &str| std::fs::write(directory.join(name), text).expect("the file is written");
    file("NATPROG.cbl", &PROGRAM.replace("@KEY", country.key));
    file("NATSET.bms", &MAPS.replace("@LABEL", country.label));
    file("natl.csd", DEFINITIONS);
    file("natl.idcams", CLUSTER);
    file("cities.txt", &format!("{:<8}{:<20}\n", country.key, country.city));
    file(
        "regent.toml",
        &format!(
            "[sit]\nAPPLID = \"NATL\"\nGRPLIST = \"NATLIST\"\nLOCALCCSID = {}\n\n[data]\nCITIES = {{ path = \"cities.txt\", format = \"text\" }}\n",
            country.ccsid
        ),
    );
}

#[test]
fn program_map_file_and_terminal_have_the_letters_of_the_country() {
    for country in &COUNTRIES {
        let application = tempfile::tempdir().expect("a scratch directory");
        let data = tempfile::tempdir().expect("a scratch directory");
        write(application.path(), country);
        let region = Region::start(application.path(), data.path(), &[]);
        let mut terminal = Terminal::connect_as(region.port, "3279-2-E", &["-charset", country.terminal, "-utf8"]);
        // Small letters: UCTRAN makes capitals of them, those of the country too.
        terminal.transaction("natl");
        terminal.expect(country.label);
        terminal.type_text(country.typed);
        terminal.enter();
        terminal.expect("FOUND");
        let row = terminal.row(5);
        let expected = format!(" FOUND {:<20} {:<20} $1.50", country.city_upper, country.city);
        assert_eq!(row.trim_end(), expected, "{}", country.ccsid);
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
}

#[test]
fn a_code_page_that_does_not_exist_stops_the_start_with_a_message() {
    let application = tempfile::tempdir().expect("a scratch directory");
    write(application.path(), &COUNTRIES[0]);
    for wrong in ["38", "300", "1200"] {
        let output = support::regent()
            .arg("up")
            .arg(application.path())
            .args(["--sit", &format!("LOCALCCSID={wrong}"), "--data"])
            .arg(application.path().join("data"))
            .output()
            .expect("regent runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success(), "{said}");
        let refusal = if wrong == "38" { "there is no code page 38" } else { &format!("code page {wrong} is not one for data") };
        assert!(said.contains(&format!("LOCALCCSID: {refusal}; choose one of 37, 273")), "{said}");
        let run = support::regent().args(["run", "--ccsid", wrong, "NOTHING.cbl"]).output().expect("regent runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && said.contains(refusal), "{said}");
    }
}
