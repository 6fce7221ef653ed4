//! All compiler options of Enterprise COBOL 6.4: name, abbreviation, what may stand in parentheses, default, and whether the option
//! means anything here. (Programming Guide, "Compiler options".)
//!
//! Invariants: names and abbreviations are unique; an option marked without effect changes nothing but the listing.

/// What may stand in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Nothing: the option is on or, with NO before its name, off.
    Switch,
    /// One of these words (an abbreviation of one letter is taken, too); the option cannot be turned off.
    Words(&'static [&'static str]),
    /// One of these words, or off with NO.
    SwitchWords(&'static [&'static str]),
    /// A number between these bounds.
    Number(u32, u32),
    /// Anything, or nothing; NO turns it off.
    Any,
}

pub struct Row {
    pub name: &'static str,
    pub abbreviation: &'static str,
    pub values: Values,
    pub default: &'static str,
    /// It changes the compilation here; otherwise it is accepted and named in the listing as without effect.
    pub effective: bool,
}

const fn used(name: &'static str, abbreviation: &'static str, values: Values, default: &'static str) -> Row {
    Row { name, abbreviation, values, default, effective: true }
}

const fn listed(name: &'static str, abbreviation: &'static str, values: Values, default: &'static str) -> Row {
    Row { name, abbreviation, values, default, effective: false }
}

use Values::{Any, Number, Switch, SwitchWords, Words};

/// By name.
pub static OPTIONS: &[Row] = &[
    listed("ADATA", "", Switch, "NOADATA"),
    listed("ADV", "", Switch, "ADV"),
    listed("AFP", "", Words(&["VOLATILE", "NOVOLATILE"]), "AFP(NOVOLATILE)"),
    used("APOST", "", Switch, ""),
    listed("ARCH", "", Number(8, 15), "ARCH(10)"),
    used("ARITH", "AR", Words(&["COMPAT", "EXTEND"]), "ARITH(COMPAT)"),
    listed("AWO", "", Switch, "NOAWO"),
    listed("BLOCK0", "", Switch, "NOBLOCK0"),
    listed("BUFSIZE", "BUF", Any, "BUFSIZE(1M)"),
    used("CICS", "", Any, "NOCICS"),
    used("CODEPAGE", "CP", Number(1, 65_535), "CODEPAGE(37)"),
    listed("COMPILE", "C", Any, "NOCOMPILE(S)"),
    listed("COPYLOC", "CPLC", Any, "NOCOPYLOC"),
    listed("COPYRIGHT", "CPYR", Any, "NOCOPYRIGHT"),
    used("CURRENCY", "CURR", Any, "NOCURRENCY"),
    listed("DATA", "", Words(&["24", "31"]), "DATA(31)"),
    listed("DBCS", "", Switch, "DBCS"),
    listed("DECK", "D", Switch, "NODECK"),
    used("DEFINE", "DEF", Any, "NODEFINE"),
    listed("DIAGTRUNC", "DTR", Switch, "NODIAGTRUNC"),
    listed("DISPSIGN", "DS", Words(&["COMPAT", "SEP"]), "DISPSIGN(COMPAT)"),
    listed("DLL", "", Switch, "NODLL"),
    listed("DUMP", "DU", Switch, "NODUMP"),
    used("DYNAM", "DYN", Switch, "NODYNAM"),
    listed("EXIT", "EX", Any, "NOEXIT"),
    listed("EXPORTALL", "EXP", Switch, "NOEXPORTALL"),
    listed("FASTSRT", "FSRT", Switch, "NOFASTSRT"),
    listed("FLAG", "F", Any, "FLAG(I,I)"),
    listed("FLAGSTD", "", Any, "NOFLAGSTD"),
    listed("FLOAT", "", Words(&["HEX", "NATIVE", "BINARY", "IEEE", "S390"]), "FLOAT(HEX)"),
    listed("HGPR", "", Words(&["PRESERVE", "NOPRESERVE"]), "HGPR(PRESERVE)"),
    listed("INITCHECK", "IC", SwitchWords(&["LAX", "STRICT"]), "NOINITCHECK"),
    listed("INITIAL", "", Switch, "NOINITIAL"),
    listed("INLINE", "INL", Switch, "INLINE"),
    listed("INTDATE", "", Words(&["ANSI", "LILIAN"]), "INTDATE(ANSI)"),
    listed("INVDATA", "INVD", Any, "NOINVDATA"),
    listed("JAVAIOP", "JIOP", Any, "NOJAVAIOP"),
    listed("LANGUAGE", "LANG", Any, "LANGUAGE(ENGLISH)"),
    listed("LINECOUNT", "LC", Number(0, 255), "LINECOUNT(60)"),
    used("LIST", "", Switch, "NOLIST"),
    listed("LP", "", Words(&["32", "64"]), "LP(32)"),
    listed("MAP", "", SwitchWords(&["HEX", "DEC"]), "NOMAP"),
    listed("MAXPCF", "", Number(0, 999_999), "MAXPCF(100000)"),
    listed("MDECK", "MD", Any, "NOMDECK"),
    listed("NAME", "", Any, "NONAME"),
    used("NSYMBOL", "NS", Words(&["NATIONAL", "DBCS"]), "NSYMBOL(NATIONAL)"),
    listed("NUMBER", "NUM", Switch, "NONUMBER"),
    listed("NUMCHECK", "NC", Any, "NONUMCHECK"),
    used("NUMPROC", "", Words(&["NOPFD", "PFD"]), "NUMPROC(NOPFD)"),
    listed("OBJECT", "OBJ", Switch, "OBJECT"),
    listed("OFFSET", "OFF", Switch, "NOOFFSET"),
    listed("OPTFILE", "", Switch, ""),
    used("OPTIMIZE", "OPT", Any, "OPTIMIZE(0)"),
    listed("OUTDD", "OUT", Any, "OUTDD(SYSOUT)"),
    listed("PARMCHECK", "PC", Any, "NOPARMCHECK"),
    listed("PGMNAME", "PGMN", Any, "PGMNAME(COMPAT)"),
    listed("QUALIFY", "QUA", Words(&["COMPAT", "EXTEND"]), "QUALIFY(COMPAT)"),
    used("QUOTE", "Q", Switch, "QUOTE"),
    listed("RENT", "", Switch, "RENT"),
    listed("RMODE", "", Words(&["AUTO", "24", "ANY"]), "RMODE(AUTO)"),
    listed("RULES", "", Any, "NORULES"),
    listed("SEQUENCE", "SEQ", Switch, "SEQUENCE"),
    listed("SERVICE", "SERV", Any, "NOSERVICE"),
    listed("SIZE", "SZ", Any, "SIZE(MAX)"),
    listed("SMARTBIN", "", Switch, "NOSMARTBIN"),
    used("SOURCE", "S", Any, "SOURCE"),
    listed("SPACE", "", Number(1, 3), "SPACE(1)"),
    listed("SQL", "", Any, "NOSQL"),
    listed("SQLCCSID", "SQLC", Switch, "SQLCCSID"),
    listed("SQLIMS", "", Any, "NOSQLIMS"),
    used("SSRANGE", "SSR", Any, "NOSSRANGE"),
    listed("STGOPT", "SO", Switch, "NOSTGOPT"),
    listed("SUPPRESS", "SUPP", Switch, "SUPPRESS"),
    listed("TERMINAL", "TERM", Switch, "NOTERMINAL"),
    listed("TEST", "", Any, "NOTEST"),
    listed("THREAD", "", Switch, "NOTHREAD"),
    used("TRUNC", "", Words(&["STD", "OPT", "BIN"]), "TRUNC(STD)"),
    listed("TUNE", "", Number(8, 15), "TUNE(10)"),
    listed("TYPECHK", "TC", Switch, "TYPECHK"),
    listed("VBREF", "", Switch, "NOVBREF"),
    listed("VLR", "", Words(&["STANDARD", "COMPAT"]), "VLR(STANDARD)"),
    listed("VSAMOPENFS", "VS", Words(&["COMPAT", "SUCC"]), "VSAMOPENFS(COMPAT)"),
    listed("WORD", "WD", Any, "NOWORD"),
    used("XMLPARSE", "XP", Words(&["XMLSS", "COMPAT"]), "XMLPARSE(XMLSS)"),
    listed("XREF", "X", Any, "XREF(FULL)"),
    listed("YEARWINDOW", "YW", Any, "YEARWINDOW(1900)"),
    listed("ZONECHECK", "ZC", Any, "NOZONECHECK"),
    listed("ZONEDATA", "ZD", Words(&["PFD", "MIG", "NOPFD"]), "ZONEDATA(PFD)"),
    used("ZWB", "", Switch, "ZWB"),
    // Of older releases and of the CICS translator.
    listed("ANSI85", "", Switch, ""),
    listed("CBLCARD", "", Switch, ""),
    listed("CMPR2", "", Switch, ""),
    listed("COBOL2", "", Switch, ""),
    listed("COBOL3", "", Switch, ""),
    listed("DATEPROC", "DP", Any, ""),
    listed("DEBUG", "", Switch, ""),
    listed("DLI", "", Switch, ""),
    listed("EDF", "", Switch, ""),
    listed("FEPI", "", Switch, ""),
    listed("FLAGMIG", "", Any, ""),
    listed("LENGTH", "", Switch, ""),
    listed("LIB", "", Switch, ""),
    listed("LINKAGE", "", Switch, ""),
    listed("MARGINS", "", Any, ""),
    listed("NATLANG", "", Any, ""),
    listed("OPSEQ", "", Any, ""),
    listed("RES", "", Switch, ""),
    listed("SP", "", Switch, ""),
    listed("STMT", "", Switch, ""),
];

/// The option a word names, and whether NO stands before it.
pub fn find(word: &str) -> Option<(&'static Row, bool)> {
    let named = |name: &str| OPTIONS.iter().find(|row| row.name == name || (!row.abbreviation.is_empty() && row.abbreviation == name));
    match named(word) {
        Some(row) => Some((row, false)),
        None => word.strip_prefix("NO").and_then(named).map(|row| (row, true)),
    }
}

impl Row {
    /// The value as the listing names it; `None` when it may not stand here.
    pub fn accept(&self, off: bool, value: Option<&str>) -> Option<String> {
        let word = |words: &[&str], value: &str| {
            let exact = words.iter().find(|word| **word == value);
            let short = || words.iter().find(|word| !value.is_empty() && value.len() <= 2 && word.starts_with(value));
            exact.or_else(short).map(|word| format!("{}({word})", self.name))
        };
        match (self.values, off, value) {
            (Words(_) | Number(..), true, _) => None,
            (_, true, _) => Some(format!("NO{}", self.name)),
            (Switch, false, None) => Some(self.name.to_string()),
            (Switch, false, Some(_)) => None,
            (Words(words) | SwitchWords(words), false, Some(value)) => word(words, value),
            (SwitchWords(_), false, None) | (Any, false, None) => Some(self.name.to_string()),
            (Words(_) | Number(..), false, None) => None,
            (Number(low, high), false, Some(value)) => {
                let number = value.parse::<u32>().ok().filter(|number| (low..=high).contains(number))?;
                Some(format!("{}({number})", self.name))
            }
            (Any, false, Some(value)) => Some(format!("{}({value})", self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_abbreviations_are_unique_and_defaults_are_values() {
        let mut names: Vec<&str> = OPTIONS.iter().flat_map(|row| [row.name, row.abbreviation]).filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        for row in OPTIONS.iter().filter(|row| !row.default.is_empty()) {
            let (name, value) = match row.default.split_once('(') {
                Some((name, value)) => (name, Some(value.trim_end_matches(')'))),
                None => (row.default, None),
            };
            let (found, off) = find(name).unwrap_or_else(|| panic!("{}", row.default));
            assert_eq!(found.name, row.name);
            assert!(found.accept(off, value.filter(|_| !off)).is_some(), "{}", row.default);
        }
    }

    #[test]
    fn values_are_checked() {
        let accept = |text: &str, value| find(text).and_then(|(row, off)| row.accept(off, value));
        assert_eq!(accept("AR", Some("E")).as_deref(), Some("ARITH(EXTEND)"));
        assert_eq!(accept("ARITH", Some("LONG")), None);
        assert_eq!(accept("NOARITH", None), None);
        assert_eq!(accept("NOSSR", None).as_deref(), Some("NOSSRANGE"));
        assert_eq!(accept("LC", Some("255")).as_deref(), Some("LINECOUNT(255)"));
        assert_eq!(accept("LC", Some("256")), None);
        assert_eq!(accept("NOSUCH", None), None);
    }
}
