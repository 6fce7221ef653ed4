//! The BMS 3270 Intrusion Detection Service: input that changes a protected field, and DFHBMSX, which decides what is done.
//!
//! The region has feature toggle com.ibm.cics.bms.ids, and a DFHBMSX that abends IDSA, ignores IDSI, and tells all fields of IDSL. Input that no
//! user can type is sent as raw 3270 data.

#[path = "../cobol_support/mod.rs"]
mod cobol_support;
#[path = "../scratch/mod.rs"]
mod scratch;

use cobol_support::Setup;
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;
use tn3270::{Client, ClientConfig};

const MAPS: &str = "\
IDMAPS   DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,TIOAPFX=YES,STORAGE=AUTO
IDMAP    DFHMDI SIZE=(24,80)
LIMIT    DFHMDF POS=(2,10),LENGTH=6,INITIAL='001000',ATTRB=(ASKIP,FSET)
OWNER    DFHMDF POS=(3,10),LENGTH=6,INITIAL='Adams ',ATTRB=(PROT,FSET)
AMOUNT   DFHMDF POS=(4,10),LENGTH=6,ATTRB=(UNPROT,IC)
         DFHMDF POS=(4,17),LENGTH=1,ATTRB=ASKIP
         DFHMSD TYPE=FINAL
         END
";

struct Served {
    setup: Setup,
    address: SocketAddr,
}

fn served() -> &'static Served {
    static SERVED: OnceLock<Served> = OnceLock::new();
    SERVED.get_or_init(|| {
        let toggles = tempfile::tempdir().unwrap().keep();
        std::fs::write(toggles.join("featuretoggle.properties"), "com.ibm.cics.bms.ids=true\n").unwrap();
        let setup = Setup::start_with("IDSREG", |config| config.sit.apply(&format!("USSCONFIG={}", toggles.display())).unwrap());
        let assembly = bms::assemble("idmaps.bms", MAPS.as_bytes(), &codepage::CCSID_037);
        std::fs::write(setup.library().join("IDMAPS.rlm"), bms::object::encode(&assembly.mapsets[0])).unwrap();
        for name in ["DFHBMSX", "IDSMAP"] {
            let source = std::fs::read(format!("{}/tests/intrusion/{name}.cbl", env!("CARGO_MANIFEST_DIR"))).unwrap();
            setup.compile_source(name, &source);
            setup.define_program(name, &[]);
        }
        ["IDSA", "IDSI", "IDSL"].into_iter().for_each(|transid| setup.define_transaction(transid, "IDSMAP"));
        let address = terminals::terminal_control::listen(setup.region, "127.0.0.1:0").unwrap();
        Served { setup, address }
    })
}

/// Buffer addresses of the first characters of LIMIT, OWNER and AMOUNT, in the twelve bits of a 24 by 80 screen.
const LIMIT: u16 = 80 + 10;
const OWNER: u16 = 160 + 10;
const AMOUNT: u16 = 240 + 10;

/// ENTER with these fields, in a plain TN3270 record.
fn enter(fields: &[(u16, &str)]) -> Vec<u8> {
    let address = |position: u16| bms::address::Addressing::Bits12.encode(position);
    let mut record = vec![0x7D];
    record.extend(address(AMOUNT));
    for (position, text) in fields {
        record.push(0x11);
        record.extend(address(*position));
        record.extend(text.chars().map(|character| codepage::CCSID_037.byte_of(character).unwrap()));
    }
    record.extend([0xFF, 0xEF]);
    record
}

fn at_map(transid: &str) -> Client {
    let config = ClientConfig { tn3270e: false, ..ClientConfig::default() };
    let mut client = Client::connect(served().address, config, Duration::from_secs(20)).unwrap();
    client.wait_greeting().unwrap();
    client.enter("CLEAR").unwrap();
    client.run(transid).unwrap();
    client.wait_text("001000").unwrap();
    client
}

fn report_of(transid: &str, fields: &[(u16, &str)]) -> String {
    let mut client = at_map(transid);
    let reports = served().setup.reports_of(transid);
    client.send_raw(&enter(fields)).unwrap();
    served().setup.report_in(&reports).trim_end().to_string()
}

fn lines(words: &[&str]) -> usize {
    served().setup.lines().iter().filter(|line| words.iter().all(|word| line.contains(word))).count()
}

/// Protected fields with the modified data tag come back with what was sent: that is no intrusion, nor is what the user typed.
#[test]
fn protected_fields_that_come_back_unchanged_are_valid() {
    served().setup.define_transaction("IDSV", "IDSMAP");
    assert_eq!(report_of("IDSV", &[(LIMIT, "001000"), (OWNER, "Adams "), (AMOUNT, "12")]), "001000 12");
    assert_eq!(lines(&["DFHTF0200", "IDSV"]), 0);
}

/// BMSX_LOGACTION_ALL: DFHTF0200 for both fields, and the program gets what the terminal sent. DFHBMSX is told both, and the first of them.
#[test]
fn changed_fields_are_told() {
    assert_eq!(report_of("IDSL", &[(LIMIT, "999999"), (OWNER, "BAKER "), (AMOUNT, "12")]), "999999 12");
    assert_eq!(lines(&["DFHTF0200", "IDSL", "IDMAP", "field LIMIT", "position 90"]), 1);
    assert_eq!(lines(&["DFHTF0200", "IDSL", "IDMAP", "field OWNER", "position 170"]), 1);
    assert_eq!(lines(&["IDSL IDMAPS   IDMAP    02 0090 LIMIT"]), 1);
}

#[test]
fn an_intrusion_may_be_ignored() {
    assert_eq!(report_of("IDSI", &[(LIMIT, "999998"), (AMOUNT, "12")]), "999998 12");
    assert_eq!((lines(&["DFHTF0200", "IDSI"]), lines(&["IDSI IDMAPS   IDMAP    01 0090 LIMIT"])), (0, 1));
}

/// ABMX, after DFHTF0200 for the first field. The counts have it.
#[test]
fn an_intrusion_may_abend_the_task() {
    let mut client = at_map("IDSA");
    client.send_raw(&enter(&[(LIMIT, "999997"), (OWNER, "CHARLI"), (AMOUNT, "12")])).unwrap();
    client.wait_text("ABMX").unwrap();
    assert_eq!(lines(&["DFHTF0200", "IDSA"]), 1);
    let collection = region::statistics::collect(served().setup.region);
    let found = collection.resources.iter().find(|resource| resource.resource == "BMS 3270 VALIDATION").unwrap();
    let counter = |name: &str| found.counters.iter().find(|(known, _)| *known == name).unwrap().1;
    assert_eq!((counter("on"), counter("abended")), (1, 1));
}
