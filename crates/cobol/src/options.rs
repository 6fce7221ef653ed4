//! Compiler options: their names, values and defaults are Enterprise COBOL's, except where the comment says otherwise.
//! They come from the command line and from CBL and PROCESS statements, which win.

use serde::{Deserialize, Serialize};

/// ARITH: the longest decimal operand and the precision of intermediate results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Arith {
    /// 18 digits in operands, 30 in intermediate results.
    #[default]
    Compat,
    /// 31 digits in operands and in intermediate results.
    Extend,
}

/// TRUNC: how a value is stored in a COMP or COMP-4 item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Trunc {
    /// Modulo the power of ten of the picture.
    #[default]
    Std,
    /// As the compiler finds fastest: the program promises that values fit the picture. Here: as the storage holds them.
    Opt,
    /// As the binary field holds them, modulo 2 to the 16, 32 or 64.
    Bin,
}

/// NUMPROC: which sign nibbles of zoned and packed items are taken as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Numproc {
    /// Signs are repaired before use (A, C, E, F plus; B, D minus).
    #[default]
    Nopfd,
    /// Signs are already the preferred ones (C, D, F).
    Pfd,
}

/// NSYMBOL: what an `N` literal or picture symbol means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Nsymbol {
    #[default]
    National,
    Dbcs,
}

/// What QUOTE and QUOTES stand for: QUOTE or APOST.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum QuoteCharacter {
    #[default]
    Quote,
    Apostrophe,
}

/// The source reference format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum SourceFormat {
    /// 80 columns: sequence area, indicator, areas A and B, identification.
    Fixed,
    /// No columns; `*>` comments.
    Free,
    /// Fixed unless the text cannot be (a directive, or code where fixed format has none).
    #[default]
    Detect,
}

/// The options of one compilation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    pub arith: Arith,
    pub trunc: Trunc,
    pub numproc: Numproc,
    pub nsymbol: Nsymbol,
    pub quote: QuoteCharacter,
    pub format: SourceFormat,
    /// CCSID of alphanumeric data at run time: 37, 1047, 1140, or 819 for an ASCII region. (IBM's default is 1140.)
    pub codepage: u16,
    /// SSRANGE: check subscripts, indexes and reference modification at run time.
    pub ssrange: bool,
    /// CICS: EXEC CICS is translated. `None`: on when the program contains any.
    pub cics: Option<bool>,
    /// DYNAM: CALL literal is dynamic.
    pub dynam: bool,
    /// ZWB: a signed zoned item compared with an alphanumeric one loses its sign.
    pub zwb: bool,
    /// DECIMAL-POINT and CURRENCY may come from the program only; CURRENCY(literal) sets the default sign.
    pub currency: char,
    /// SEQUENCE, XREF and friends do not matter here; LIST asks for a listing.
    pub list: bool,
    /// Lines and statements carry debugging hooks (WITH DEBUGGING MODE compiles `D` lines).
    pub debugging_lines: bool,
    /// The most errors reported before the compilation stops.
    pub error_limit: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            arith: Arith::Compat,
            trunc: Trunc::Std,
            numproc: Numproc::Nopfd,
            nsymbol: Nsymbol::National,
            quote: QuoteCharacter::Quote,
            format: SourceFormat::Detect,
            codepage: 37,
            ssrange: false,
            cics: None,
            dynam: false,
            zwb: true,
            currency: '$',
            list: false,
            debugging_lines: false,
            error_limit: 500,
        }
    }
}

impl Options {
    /// Most digits of a decimal operand: 18 or 31.
    pub fn digits_max(&self) -> u8 {
        if self.arith == Arith::Extend { 31 } else { 18 }
    }

    /// Applies the text of a CBL or PROCESS statement, or of a command-line option list.
    /// Returns the words that were not understood.
    pub fn apply(&mut self, text: &str) -> Vec<String> {
        let mut unknown = Vec::new();
        for word in split_options(text) {
            if !self.apply_one(&word.to_ascii_uppercase()) {
                unknown.push(word);
            }
        }
        unknown
    }

    fn apply_one(&mut self, word: &str) -> bool {
        let (name, value) = match word.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.trim_end_matches(')').trim().trim_matches(['\'', '"'])),
            None => (word, ""),
        };
        match name {
            "ARITH" | "AR" => self.arith = if value.starts_with('E') { Arith::Extend } else { Arith::Compat },
            "TRUNC" => {
                self.trunc = match value {
                    "OPT" => Trunc::Opt,
                    "BIN" => Trunc::Bin,
                    "STD" => Trunc::Std,
                    _ => return false,
                }
            }
            "NUMPROC" => self.numproc = if value == "PFD" { Numproc::Pfd } else { Numproc::Nopfd },
            "NSYMBOL" | "NS" => self.nsymbol = if value.starts_with('D') { Nsymbol::Dbcs } else { Nsymbol::National },
            "QUOTE" | "Q" => self.quote = QuoteCharacter::Quote,
            "APOST" => self.quote = QuoteCharacter::Apostrophe,
            "CODEPAGE" | "CP" => match value.parse::<u16>() {
                Ok(ccsid) => self.codepage = ccsid,
                Err(_) => return false,
            },
            "SSRANGE" | "SSR" => self.ssrange = true,
            "NOSSRANGE" | "NOSSR" => self.ssrange = false,
            "CICS" => self.cics = Some(true),
            "NOCICS" => self.cics = Some(false),
            "DYNAM" | "DYN" => self.dynam = true,
            "NODYNAM" | "NODYN" => self.dynam = false,
            "ZWB" => self.zwb = true,
            "NOZWB" => self.zwb = false,
            "CURRENCY" | "CURR" => self.currency = value.chars().next().unwrap_or('$'),
            "NOCURRENCY" | "NOCURR" => self.currency = '$',
            "LIST" | "SOURCE" | "S" => self.list = true,
            "NOLIST" | "NOSOURCE" | "NOS" => self.list = false,
            _ => return IGNORED.contains(&name) || IGNORED.contains(&name.strip_prefix("NO").unwrap_or(name)),
        }
        true
    }
}

/// Options accepted and without effect here: they steer listings, optimisation or z/OS specifics.
const IGNORED: &[&str] = &[
    "ADATA",
    "ADV",
    "AFP",
    "ARCH",
    "AWO",
    "BLOCK0",
    "BUFSIZE",
    "BUF",
    "COMPILE",
    "C",
    "COPYRIGHT",
    "COPYLOC",
    "CPLC",
    "DATA",
    "DBCS",
    "DECK",
    "D",
    "DEFINE",
    "DEF",
    "DIAGTRUNC",
    "DTR",
    "DISPSIGN",
    "DS",
    "DLL",
    "DUMP",
    "DU",
    "EXIT",
    "EXPORTALL",
    "EXP",
    "FASTSRT",
    "FSRT",
    "FLAG",
    "F",
    "FLAGSTD",
    "HGPR",
    "INITCHECK",
    "IC",
    "INITIAL",
    "INLINE",
    "INL",
    "INTDATE",
    "INVDATA",
    "INVD",
    "LANGUAGE",
    "LANG",
    "LINECOUNT",
    "LC",
    "LP",
    "MAP",
    "MAXPCF",
    "MDECK",
    "MD",
    "NAME",
    "NUM",
    "NUMBER",
    "NUMCHECK",
    "NC",
    "OBJECT",
    "OBJ",
    "OFFSET",
    "OFF",
    "OPTFILE",
    "OPTIMIZE",
    "OPT",
    "OUTDD",
    "OUT",
    "PARMCHECK",
    "PC",
    "PGMNAME",
    "PGMN",
    "QUALIFY",
    "RENT",
    "RES",
    "RMODE",
    "RULES",
    "SEQUENCE",
    "SEQ",
    "SERVICE",
    "SERV",
    "SIZE",
    "SZ",
    "SMARTBIN",
    "SPACE",
    "SQL",
    "SQLCCSID",
    "SQLIMS",
    "STGOPT",
    "STMT",
    "SUPPRESS",
    "SUPP",
    "TERMINAL",
    "TERM",
    "TEST",
    "THREAD",
    "TUNE",
    "TYPECHK",
    "VBREF",
    "VLR",
    "VSAMOPENFS",
    "WORD",
    "WD",
    "XMLPARSE",
    "XP",
    "XREF",
    "X",
    "YEARWINDOW",
    "YW",
    "DATEPROC",
    "DP",
    "LIB",
    "CMPR2",
    "FLAGMIG",
    "EDF",
    "SP",
    "DLI",
    "NATLANG",
    "OPSEQ",
    "DEBUG",
    "FEPI",
    "LENGTH",
    "LINKAGE",
    "MARGINS",
    "CBLCARD",
    "COBOL2",
    "COBOL3",
    "ANSI85",
];

/// Splits an option list at blanks and commas outside parentheses and quotes.
fn split_options(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0_u32;
    let mut quote = None;
    for character in text.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ' ' | ',' | '\t') if depth == 0 => {
                words.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(word) = words.last_mut() {
            word.push(character);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_statement_sets_options_and_reports_unknown_words() {
        let mut options = Options::default();
        let unknown = options.apply("APOST,ARITH(EXTEND) TRUNC(BIN) CICS('SP,EDF') NOSUCH RENT");
        assert_eq!(unknown, vec!["NOSUCH".to_string()]);
        assert_eq!(options.arith, Arith::Extend);
        assert_eq!(options.trunc, Trunc::Bin);
        assert_eq!(options.quote, QuoteCharacter::Apostrophe);
        assert_eq!(options.cics, Some(true));
    }
}
