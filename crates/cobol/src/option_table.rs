//! All compiler options of Enterprise COBOL 6.4: name, abbreviation, its values in parentheses, default, and whether the option has an
//! effect here. (Programming Guide, "Compiler options".)
//!
//! Invariants: names and abbreviations are unique; an option marked without effect changes nothing but the listing.

/// The values allowed in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Nothing: the option is on or, with NO before its name, off.
    Switch,
    /// One of these words (or its first letters, up to three); the option cannot be turned off.
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
    /// Why it has no effect here; empty for an option with an effect. The listing shows it.
    pub no_effect: &'static str,
}

const fn used(name: &'static str, abbreviation: &'static str, values: Values, default: &'static str) -> Row {
    Row { name, abbreviation, values, default, no_effect: "" }
}

const fn listed(name: &'static str, abbreviation: &'static str, values: Values, default: &'static str, no_effect: &'static str) -> Row {
    Row { name, abbreviation, values, default, no_effect }
}

use Values::{Any, Number, Switch, SwitchWords, Words};

/// By name.
pub static OPTIONS: &[Row] = &[
    listed("ADATA", "", Switch, "NOADATA", "the listing and the load module hold what SYSADATA would"),
    used("ADV", "", Switch, "ADV"),
    listed(
        "AFP",
        "",
        Words(&["VOLATILE", "NOVOLATILE"]),
        "AFP(NOVOLATILE)",
        "registers are saved as the machine's calling convention says",
    ),
    used("APOST", "", Switch, ""),
    listed("ARCH", "", Number(8, 15), "ARCH(10)", "load modules are for x86-64-v2 processors"),
    used("ARITH", "AR", Words(&["COMPAT", "EXTEND"]), "ARITH(COMPAT)"),
    listed("AWO", "", Switch, "NOAWO", "the buffers of variable-length files are the system's"),
    listed("BLOCK0", "", Switch, "NOBLOCK0", "files of the system have no blocks"),
    listed("BUFSIZE", "BUF", Any, "BUFSIZE(1M)", "the compiler needs no work files"),
    // The separate translator knows the option as XOPTS.
    used("CICS", "XOPTS", Any, "NOCICS"),
    used("CODEPAGE", "CP", Number(1, 65_535), "CODEPAGE(37)"),
    used("COMPILE", "C", Any, "NOCOMPILE(S)"),
    used("CONDCOMP", "CC", Any, "CONDCOMP(NOSKIPSRC)"),
    listed("COPYLOC", "CPLC", Any, "NOCOPYLOC", "copy members are found in the directories of -I and of regent.toml"),
    listed("COPYRIGHT", "CPYR", Any, "NOCOPYRIGHT", "a load module has no place for the text"),
    used("CURRENCY", "CURR", Any, "NOCURRENCY"),
    listed("DATA", "", Words(&["24", "31"]), "DATA(31)", "all program storage lies below 2 GB and above 16 MB"),
    listed("DBCS", "", Switch, "DBCS", "shift-out and shift-in in literals are always those of DBCS text"),
    listed("DECK", "D", Switch, "NODECK", "a load module is written, no object deck"),
    used("DEFINE", "DEF", Any, "NODEFINE"),
    used("DIAGTRUNC", "DTR", Switch, "NODIAGTRUNC"),
    used("DISPSIGN", "DS", Words(&["COMPAT", "SEP"]), "DISPSIGN(COMPAT)"),
    listed("DLL", "", Switch, "NODLL", "every CALL literal is resolved as DYNAM says"),
    listed("DUMP", "DU", Switch, "NODUMP", "the compiler reports an error of its own as a message"),
    used("DYNAM", "DYN", Switch, "NODYNAM"),
    used("EDF", "", Switch, ""),
    listed("EXIT", "EX", Any, "NOEXIT", "the compiler calls no exits"),
    listed("EXPORTALL", "EXP", Switch, "NOEXPORTALL", "all entry points of a load module can be called"),
    listed("FASTSRT", "FSRT", Switch, "NOFASTSRT", "SORT always reads and writes its files itself"),
    used("FLAG", "F", Any, "FLAG(I,I)"),
    listed("FLAGSTD", "", Any, "NOFLAGSTD", "no subset of the standard is flagged"),
    used("FLOAT", "", Words(&["HEX", "NATIVE", "BINARY", "IEEE", "S390"]), "FLOAT(HEX)"),
    listed(
        "HGPR",
        "",
        Words(&["PRESERVE", "NOPRESERVE"]),
        "HGPR(PRESERVE)",
        "registers are saved as the machine's calling convention says",
    ),
    used("INITCHECK", "IC", SwitchWords(&["LAX", "STRICT"]), "NOINITCHECK"),
    used("INITIAL", "", Switch, "NOINITIAL"),
    listed("INLINE", "INL", Switch, "INLINE", "OPTIMIZE decides which paragraphs are expanded where they are performed"),
    used("INTDATE", "", Words(&["ANSI", "LILIAN"]), "INTDATE(ANSI)"),
    used("INVDATA", "INVD", Any, "NOINVDATA"),
    listed("JAVAIOP", "JIOP", Any, "NOJAVAIOP", "Java interoperation is not there"),
    used("LANGUAGE", "LANG", Any, "LANGUAGE(ENGLISH)"),
    used("LINECOUNT", "LC", Number(0, 255), "LINECOUNT(60)"),
    used("LIST", "", Switch, "NOLIST"),
    listed("LP", "", Words(&["32", "64"]), "LP(32)", "programs run with 31-bit addresses"),
    used("MAP", "", SwitchWords(&["HEX", "DEC"]), "NOMAP"),
    listed("MAXPCF", "", Number(0, 999_999), "MAXPCF(100000)", "the effort of optimization does not depend on the program's size"),
    used("MDECK", "MD", Any, "NOMDECK"),
    listed("NAME", "", Any, "NONAME", "each program of a source becomes a load module of its own"),
    used("NSYMBOL", "NS", Words(&["NATIONAL", "DBCS"]), "NSYMBOL(NATIONAL)"),
    used("NUMBER", "NUM", Switch, "NONUMBER"),
    used("NUMCHECK", "NC", Any, "NONUMCHECK"),
    used("NUMPROC", "", Words(&["NOPFD", "PFD"]), "NUMPROC(NOPFD)"),
    listed("OBJECT", "OBJ", Switch, "OBJECT", "a load module is written unless NOCOMPILE forbids it"),
    used("OFFSET", "OFF", Switch, "NOOFFSET"),
    listed("OPTFILE", "", Switch, "", "regent.toml holds the options of an application"),
    used("OPTIMIZE", "OPT", Any, "OPTIMIZE(0)"),
    used("OUTDD", "OUT", Any, "OUTDD(SYSOUT)"),
    used("PARMCHECK", "PC", Any, "NOPARMCHECK"),
    used("PGMNAME", "PGMN", Any, "PGMNAME(COMPAT)"),
    used("QUALIFY", "QUA", Words(&["COMPAT", "EXTEND"]), "QUALIFY(COMPAT)"),
    used("QUOTE", "Q", Switch, "QUOTE"),
    listed("RENT", "", Switch, "RENT", "code is always re-entrant: it is never written to"),
    listed("RMODE", "", Words(&["AUTO", "24", "ANY"]), "RMODE(AUTO)", "code lies above 4 GB"),
    used("RULES", "", Any, "NORULES"),
    used("SEQUENCE", "SEQ", Switch, "SEQUENCE"),
    listed("SERVICE", "SERV", Any, "NOSERVICE", "a load module has no place for the text"),
    listed("SIZE", "SZ", Any, "SIZE(MAX)", "the compiler takes the storage it needs"),
    listed("SMARTBIN", "", Switch, "NOSMARTBIN", "there is no binary to optimize again"),
    used("SOURCE", "S", Any, "SOURCE"),
    used("SPACE", "", Number(1, 3), "SPACE(1)"),
    used("SQL", "", Any, "NOSQL"),
    listed("SQLCCSID", "SQLC", Switch, "SQLCCSID", "host variables are in the code page of the program"),
    listed("SQLIMS", "", Any, "NOSQLIMS", "EXEC SQLIMS is not translated"),
    used("SSRANGE", "SSR", Any, "NOSSRANGE"),
    listed(
        "STGOPT",
        "SO",
        Switch,
        "NOSTGOPT",
        "it allows items nobody refers to to be left out; they keep their storage, so that dumps show it",
    ),
    used("SUPPRESS", "SUPP", Switch, "SUPPRESS"),
    listed("TERMINAL", "TERM", Switch, "NOTERMINAL", "messages are always shown"),
    used("TEST", "", Any, "NOTEST"),
    listed("THREAD", "", Switch, "NOTHREAD", "every program may run in several tasks at once"),
    used("TRUNC", "", Words(&["STD", "OPT", "BIN"]), "TRUNC(STD)"),
    listed("TUNE", "", Number(8, 15), "TUNE(10)", "code is made for all processors of its level"),
    listed("TYPECHK", "TC", Switch, "TYPECHK", "it concerns object orientation, which is refused"),
    used("VBREF", "", Switch, "NOVBREF"),
    used("VLR", "", Words(&["STANDARD", "COMPAT"]), "VLR(STANDARD)"),
    listed(
        "VSAMOPENFS",
        "VS",
        Words(&["COMPAT", "SUCC"]),
        "VSAMOPENFS(COMPAT)",
        "no data set needs verification at OPEN: status 97 does not occur",
    ),
    used("WORD", "WD", Any, "NOWORD"),
    used("XMLPARSE", "XP", Words(&["XMLSS", "COMPAT"]), "XMLPARSE(XMLSS)"),
    used("XREF", "X", Any, "XREF(FULL)"),
    listed("YEARWINDOW", "YW", Any, "YEARWINDOW(1900)", "windowed date fields went with the millennium language extensions"),
    used("ZONECHECK", "ZC", Any, "NOZONECHECK"),
    used("ZONEDATA", "ZD", Words(&["PFD", "MIG", "NOPFD"]), "ZONEDATA(PFD)"),
    used("ZWB", "", Switch, "ZWB"),
    // Of older releases and of the CICS translator.
    listed("ANSI85", "", Switch, "", "COBOL 85 is always the base"),
    listed("CBLCARD", "", Switch, "", "it belongs to the separate translator"),
    listed("CMPR2", "", Switch, "", "COBOL 74 is no longer compiled"),
    listed("COBOL2", "", Switch, "", "it belongs to the separate translator"),
    listed("COBOL3", "", Switch, "", "it belongs to the separate translator"),
    listed("DATEPROC", "DP", Any, "", "windowed date fields went with the millennium language extensions"),
    listed("DEBUG", "", Switch, "", "it belongs to the separate translator"),
    listed("DLI", "", Switch, "", "EXEC DLI is not translated"),
    listed("FEPI", "", Switch, "", "FEPI commands are not there"),
    listed("FLAGMIG", "", Any, "", "no migration is flagged"),
    listed("LENGTH", "", Switch, "", "it belongs to the separate translator"),
    listed("LIB", "", Switch, "", "COPY is always processed"),
    listed("LINKAGE", "", Switch, "", "it belongs to the separate translator"),
    listed("MARGINS", "", Any, "", "it belongs to the separate translator"),
    listed("NATLANG", "", Any, "", "LANGUAGE chooses the language of messages"),
    listed("OPSEQ", "", Any, "", "it belongs to the separate translator"),
    listed("RES", "", Switch, "", "the run time is never part of a load module"),
    listed("SP", "", Switch, "", "all commands are always translated"),
    listed("STMT", "", Switch, "", "it belongs to the separate translator"),
];

/// The option for a word, and whether the word has the prefix NO.
pub fn find(word: &str) -> Option<(&'static Row, bool)> {
    let named = |name: &str| OPTIONS.iter().find(|row| row.name == name || (!row.abbreviation.is_empty() && row.abbreviation == name));
    match named(word) {
        Some(row) => Some((row, false)),
        None => word.strip_prefix("NO").and_then(named).map(|row| (row, true)),
    }
}

impl Row {
    /// The value in the form of the listing; `None` if it is not allowed.
    pub fn accept(&self, off: bool, value: Option<&str>) -> Option<String> {
        let word = |words: &[&str], value: &str| {
            let exact = words.iter().find(|word| **word == value);
            let short = || words.iter().find(|word| !value.is_empty() && value.len() <= 3 && word.starts_with(value));
            exact.or_else(short).map(|word| format!("{}({word})", self.name))
        };
        match (self.values, off, value) {
            (Words(_) | Number(..), true, _) => None,
            (Any, true, Some(value)) => Some(format!("NO{}({value})", self.name)),
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
