//! Copy members the compiler supplies when no library has them: DFHAID, DFHBMSCA, DFHEIBLK, SQLCA,
//! SQLDA, those of Language Environment ([`super::supplied_services`]), the statistics records (DFHA17DS and the like), and those of
//! exit programs (DFHUEXIT and the like) and of event adapters (DFHEPCXO and the like).
//!
//! The first three and the last are generated from the tables of `exec`. Values are hexadecimal literals: attention identifiers and attribute bytes are
//! the 3270's in every region, whatever its code page.

use std::fmt::Write as _;

/// The text of a supplied member, in fixed format.
pub fn supplied_member(name: &str) -> Option<String> {
    match name.to_ascii_uppercase().as_str() {
        "DFHAID" => Some(byte_member("DFHAID", exec::aid::all())),
        "DFHBMSCA" => Some(attribute_member()),
        "DFHEIBLK" => Some(eib_member()),
        "SQLCA" => Some(SQLCA.to_string()),
        "SQLDA" => Some(SQLDA.to_string()),
        name => super::supplied_services::member(name)
            .or_else(|| exec::statistics_member(name))
            .or_else(|| exec::exit_copy_member(name))
            .or_else(|| exec::event_copy_member(name)),
    }
}

/// The names of the members that applications copy.
pub fn supplied_names() -> impl Iterator<Item = String> {
    ["DFHAID", "DFHBMSCA", "DFHEIBLK", "SQLCA", "SQLDA"].into_iter().map(str::to_string)
}

fn byte_member(name: &str, rows: &[exec::NamedByte]) -> String {
    let mut text = format!("       01  {name}.\n");
    for row in rows {
        let _ = writeln!(text, "           02  {:<10} PIC X VALUE X'{:02X}'.", row.name, row.value);
    }
    text
}

/// The names in front of which DFHBMFLG stands in the copybook.
const BEHIND_FLAGS: &str = "DFHBMDET";

/// DFHBMSCA. COBOL alone has DFHBMFLG: the program moves the flag byte of a field there, which BMS has set at input, and asks for
/// DFHERASE (the field was erased) and DFHCURSR (the cursor is in it). (CICS TS, BMS constants: DFHBMEOF, DFHBMCUR, DFHBMEC, DFHBMFLG.)
fn attribute_member() -> String {
    let value = |name: &str| exec::bmsca::all().iter().find(|row| row.name == name).map_or(0, |row| row.value);
    let (erased, cursor, both) = (value("DFHBMEOF"), value("DFHBMCUR"), value("DFHBMEC"));
    let mut flags = String::from("           02  DFHBMFLG   PIC X.\n");
    for (name, alone) in [("DFHERASE", erased), ("DFHCURSR", cursor)] {
        let _ = writeln!(flags, "               88  {name}   VALUES X'{alone:02X}', X'{both:02X}'.");
    }
    let text = byte_member("DFHBMSCA", exec::bmsca::all());
    let line = format!("           02  {BEHIND_FLAGS:<10} ");
    let at = text.find(&line).expect("the table of attributes has the name");
    format!("{}{flags}{}", &text[..at], &text[at..])
}

fn eib_member() -> String {
    let mut text = String::from("       01  DFHEIBLK.\n");
    for field in exec::eib::fields() {
        let _ = writeln!(text, "      * {}", field.meaning.chars().take(60).collect::<String>());
        let _ = writeln!(text, "           02  {:<10} PIC {}.", field.cobol_name, field.picture);
    }
    text
}

const SQLDA: &str = concat!(
    "       01  SQLDA.\n",
    "           02  SQLDAID     PIC X(8) VALUE 'SQLDA'.\n",
    "           02  SQLDABC     PIC S9(9) COMP-5 VALUE 33016.\n",
    "           02  SQLN        PIC S9(4) COMP-5 VALUE 750.\n",
    "           02  SQLD        PIC S9(4) COMP-5 VALUE 0.\n",
    "           02  SQLVAR OCCURS 1 TO 750 TIMES DEPENDING ON SQLN.\n",
    "               03  SQLTYPE PIC S9(4) COMP-5.\n",
    "               03  SQLLEN  PIC S9(4) COMP-5.\n",
    "               03  SQLDATA POINTER.\n",
    "               03  SQLIND  POINTER.\n",
    "               03  SQLNAME.\n",
    "                   49  SQLNAMEL PIC S9(4) COMP-5.\n",
    "                   49  SQLNAMEC PIC X(30).\n",
);

const SQLCA: &str = concat!(
    "       01  SQLCA.\n",
    "           05  SQLCAID     PIC X(8).\n",
    "           05  SQLCABC     PIC S9(9) COMP-5.\n",
    "           05  SQLCODE     PIC S9(9) COMP-5.\n",
    "           05  SQLERRM.\n",
    "               49  SQLERRML PIC S9(4) COMP-5.\n",
    "               49  SQLERRMC PIC X(70).\n",
    "           05  SQLERRP     PIC X(8).\n",
    "           05  SQLERRD     PIC S9(9) COMP-5 OCCURS 6 TIMES.\n",
    "           05  SQLWARN.\n",
    "               10  SQLWARN0 PIC X.\n",
    "               10  SQLWARN1 PIC X.\n",
    "               10  SQLWARN2 PIC X.\n",
    "               10  SQLWARN3 PIC X.\n",
    "               10  SQLWARN4 PIC X.\n",
    "               10  SQLWARN5 PIC X.\n",
    "               10  SQLWARN6 PIC X.\n",
    "               10  SQLWARN7 PIC X.\n",
    "           05  SQLEXT.\n",
    "               10  SQLWARN8 PIC X.\n",
    "               10  SQLWARN9 PIC X.\n",
    "               10  SQLWARNA PIC X.\n",
    "               10  SQLSTATE PIC X(5).\n",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_hold_the_documented_values() {
        let aid = supplied_member("dfhaid").unwrap();
        assert!(aid.contains("02  DFHENTER   PIC X VALUE X'7D'."));
        assert!(aid.contains("02  DFHPF24    PIC X VALUE X'4C'."));
        assert!(supplied_member("DFHBMSCA").unwrap().contains("02  DFHBMASK   PIC X VALUE X'F0'."));
        // CICS TS, BMS constants: these are COBOL's only.
        let attributes = supplied_member("DFHBMSCA").unwrap();
        let flags = "\
           02  DFHBMFLG   PIC X.
               88  DFHERASE   VALUES X'80', X'82'.
               88  DFHCURSR   VALUES X'02', X'82'.
           02  DFHBMDET   PIC X VALUE X'FF'.
";
        assert!(attributes.contains(flags), "{attributes}");
        let eib = supplied_member("DFHEIBLK").unwrap();
        assert!(eib.contains("02  EIBCALEN   PIC S9(4) COMP."));
        assert!(eib.contains("02  EIBRESP2   PIC S9(8) COMP."));
        assert!(eib.lines().all(|line| line.chars().count() <= 72));
        let file = supplied_member("dfha17ds").unwrap();
        assert!(file.contains("02  A17DSRD                      PIC 9(8) COMP."));
        assert!(file.contains("02  A17-FILE-DEFINE-SOURCE       PIC X(8)."));
        assert!(file.lines().all(|line| line.len() <= 72));
        assert!(supplied_member("DFHNONE").is_none());
        assert_eq!(supplied_member("SQLCA").unwrap().matches("SQLWARN").count(), 12);
    }
}
