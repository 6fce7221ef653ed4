//! Compiler options: their names, values and defaults are Enterprise COBOL's, except where the comment says otherwise.
//! They come from the command line and from CBL and PROCESS statements, which win.

use crate::option_table;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The moment of compilation, in seconds since 1970-01-01 UTC: WHEN-COMPILED.
    pub compiled_at: i64,
    /// SSRANGE: check subscripts, indexes and reference modification at run time.
    pub ssrange: bool,
    /// CICS: EXEC CICS is translated. `None`: on when the program contains any.
    pub cics: Option<bool>,
    /// OPTIMIZE: 0 for code that is compiled fast where no loop runs it, 1 or 2 for optimized code everywhere.
    pub optimize: u8,
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
    /// XMLPARSE(COMPAT): XML PARSE gives the events of the older parser.
    pub xml_compatible: bool,
    /// DEFINE: compilation variables and their values as written.
    pub defines: Vec<(String, String)>,
    /// Options given, by name, as the listing shows them.
    pub given: BTreeMap<String, String>,
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
            compiled_at: le::calendar::now().0,
            ssrange: false,
            cics: None,
            optimize: 0,
            dynam: false,
            zwb: true,
            currency: '$',
            list: false,
            debugging_lines: false,
            xml_compatible: false,
            defines: Vec::new(),
            given: BTreeMap::new(),
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
            Some((name, rest)) => (name.trim(), Some(rest.trim_end_matches(')').trim().trim_matches(['\'', '"']))),
            None => (word, None),
        };
        let Some((row, off)) = option_table::find(name) else { return false };
        let Some(text) = row.accept(off, value) else { return false };
        let value = text.split_once('(').map_or("", |(_, value)| value.trim_end_matches(')'));
        match row.name {
            "ARITH" => self.arith = if value == "EXTEND" { Arith::Extend } else { Arith::Compat },
            "TRUNC" => {
                self.trunc = match value {
                    "OPT" => Trunc::Opt,
                    "BIN" => Trunc::Bin,
                    _ => Trunc::Std,
                }
            }
            "NUMPROC" => self.numproc = if value == "PFD" { Numproc::Pfd } else { Numproc::Nopfd },
            "NSYMBOL" => self.nsymbol = if value == "DBCS" { Nsymbol::Dbcs } else { Nsymbol::National },
            "QUOTE" | "APOST" => {
                self.quote = if (row.name == "APOST") != off { QuoteCharacter::Apostrophe } else { QuoteCharacter::Quote };
            }
            "CODEPAGE" => match value.parse::<u16>() {
                Ok(ccsid) => self.codepage = ccsid,
                Err(_) => return false,
            },
            "SSRANGE" => self.ssrange = !off,
            "CICS" => self.cics = Some(!off),
            // Of older releases: OPTIMIZE alone and OPTIMIZE(STD) or (FULL) are level 1 and 2, NOOPTIMIZE level 0.
            "OPTIMIZE" => match (off, value) {
                (true, _) | (false, "0") => self.optimize = 0,
                (false, "" | "1" | "STD") => self.optimize = 1,
                (false, "2" | "FULL") => self.optimize = 2,
                _ => return false,
            },
            "DYNAM" => self.dynam = !off,
            "ZWB" => self.zwb = !off,
            "CURRENCY" => self.currency = if off { '$' } else { value.chars().next().unwrap_or('$') },
            "LIST" | "SOURCE" => self.list = !off,
            "XMLPARSE" => self.xml_compatible = value == "COMPAT",
            "DEFINE" => self.define(off, value),
            _ => {}
        }
        self.given.insert(row.name.to_string(), text);
        true
    }

    /// DEFINE(name,name=value ...): compilation variables of conditional compilation.
    fn define(&mut self, off: bool, value: &str) {
        self.defines.clear();
        for part in value.split(',').map(str::trim).filter(|part| !off && !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            self.defines.push((name.trim().to_string(), value.trim().to_string()));
        }
    }

    /// Every option in effect as the listing names it, and whether it changes anything here.
    pub fn in_effect(&self) -> Vec<(String, bool)> {
        let switch = |on: bool, name: &str| if on { name.to_string() } else { format!("NO{name}") };
        let own = |name: &str| {
            Some(match name {
                "ARITH" => format!("ARITH({})", if self.arith == Arith::Extend { "EXTEND" } else { "COMPAT" }),
                "CODEPAGE" => format!("CODEPAGE({})", self.codepage),
                "CICS" => switch(self.cics.unwrap_or(false), "CICS"),
                "DYNAM" => switch(self.dynam, "DYNAM"),
                "OPTIMIZE" => format!("OPTIMIZE({})", self.optimize),
                "NSYMBOL" => format!("NSYMBOL({})", if self.nsymbol == Nsymbol::Dbcs { "DBCS" } else { "NATIONAL" }),
                "NUMPROC" => format!("NUMPROC({})", if self.numproc == Numproc::Pfd { "PFD" } else { "NOPFD" }),
                "QUOTE" => if self.quote == QuoteCharacter::Apostrophe { "APOST" } else { "QUOTE" }.to_string(),
                "APOST" => String::new(),
                "SSRANGE" => switch(self.ssrange, "SSRANGE"),
                "ZWB" => switch(self.zwb, "ZWB"),
                "TRUNC" => format!(
                    "TRUNC({})",
                    match self.trunc {
                        Trunc::Std => "STD",
                        Trunc::Opt => "OPT",
                        Trunc::Bin => "BIN",
                    }
                ),
                _ => return None,
            })
        };
        let mut words = Vec::new();
        for row in option_table::OPTIONS {
            let text = own(row.name).or_else(|| self.given.get(row.name).cloned()).unwrap_or_else(|| row.default.to_string());
            if !text.is_empty() {
                words.push((text, row.effective));
            }
        }
        words
    }
}

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

    #[test]
    fn the_listing_names_every_option_in_effect() {
        let mut options = Options::default();
        assert!(options.apply("TEST(SOURCE) OPT(2) AR(E) DEFINE(DEBUGGED,LEVEL=3)").is_empty());
        let words = options.in_effect();
        for wanted in [("ARITH(EXTEND)", true), ("TEST(SOURCE)", false), ("OPTIMIZE(2)", true), ("TRUNC(STD)", true), ("NOMAP", false)] {
            assert!(words.iter().any(|(text, effective)| (text.as_str(), *effective) == wanted), "{wanted:?}");
        }
        assert_eq!(options.optimize, 2);
        assert!(options.apply("NOOPT").is_empty() && options.optimize == 0);
        assert_eq!(options.apply("OPT(3)"), ["OPT(3)"]);
        assert_eq!(options.defines[1], ("LEVEL".to_string(), "3".to_string()));
        assert_eq!(options.apply("ARITH(LONG) NOTRUNC OPTIMISE"), ["ARITH(LONG)", "NOTRUNC", "OPTIMISE"]);
    }
}
