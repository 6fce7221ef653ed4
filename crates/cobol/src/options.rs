//! Compiler options. Names, values and defaults are those of Enterprise COBOL unless a comment says otherwise. Options come from the
//! command line and from CBL and PROCESS statements, which take precedence.

mod invalid_data;
mod sql;
mod values;

use crate::option_table;
use crate::severity::Severity;
pub use invalid_data::InvalidData;
use serde::{Deserialize, Serialize};
pub use sql::SqlOptions;
use std::collections::BTreeMap;
pub use values::{
    CompileLimit, CrossReference, Deck, Flag, InitCheck, ListingOptions, MapForm, NumCheck, ParmCheck, RangeCheck, Rules, Unreferenced,
};

/// The character in a picture that represents the currency symbol of the CURRENCY option if that is not ASCII.
pub const CURRENCY_STAND_IN: u8 = 0x7F;

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
    /// As the compiler finds fastest, because the program promises that values fit the picture. Here: as in storage.
    Opt,
    /// As in the binary field, modulo 2 to the 16, 32 or 64.
    Bin,
}

/// NUMPROC: which sign nibbles of zoned and packed items are accepted unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Numproc {
    /// Signs are repaired before use (A, C, E, F plus; B, D minus).
    #[default]
    Nopfd,
    /// Signs are already the preferred ones (C, D, F).
    Pfd,
}

/// NSYMBOL: the meaning of an `N` literal or picture symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Nsymbol {
    #[default]
    National,
    Dbcs,
}

/// The character of QUOTE and QUOTES: QUOTE or APOST.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum QuoteCharacter {
    #[default]
    Quote,
    Apostrophe,
}

/// PGMNAME: how names of programs are processed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ProgramNames {
    /// Names of load modules: upper case, eight characters, hyphens and a digit in front translated.
    #[default]
    Compat,
    /// As COMPAT, but whole.
    LongUpper,
    /// As they are written, in literals.
    LongMixed,
}

impl ProgramNames {
    fn parse(text: &str) -> Option<ProgramNames> {
        Some(match text {
            "COMPAT" | "CO" => ProgramNames::Compat,
            "LONGUPPER" | "UPPER" | "LU" | "U" => ProgramNames::LongUpper,
            "LONGMIXED" | "MIXED" | "LM" | "M" => ProgramNames::LongMixed,
            _ => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            ProgramNames::Compat => "COMPAT",
            ProgramNames::LongUpper => "LONGUPPER",
            ProgramNames::LongMixed => "LONGMIXED",
        }
    }

    /// The name of a contained program: it is never cut or translated.
    pub fn contained(self, written: &str) -> String {
        if self == ProgramNames::LongMixed { written.to_string() } else { written.to_ascii_uppercase() }
    }

    /// The name an outermost program or an entry point is known by outside.
    pub fn external(self, written: &str) -> String {
        match self {
            ProgramNames::Compat => le::program_name::compatible(written),
            ProgramNames::LongUpper => le::program_name::long_upper(written),
            ProgramNames::LongMixed => written.to_string(),
        }
    }
}

/// The source reference format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum SourceFormat {
    /// 80 columns: sequence area, indicator, areas A and B, identification.
    Fixed,
    /// No columns; `*>` comments.
    Free,
    /// Fixed unless the text contradicts it (a directive, or code where fixed format has none).
    #[default]
    Detect,
}

/// The options of one compilation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    pub arith: Arith,
    pub trunc: Trunc,
    pub numproc: Numproc,
    /// INVDATA, ZONEDATA. `None`: NOINVDATA.
    pub invalid_data: Option<InvalidData>,
    pub nsymbol: Nsymbol,
    pub program_names: ProgramNames,
    /// MDECK: the source after library processing is written to a file.
    pub deck: Option<Deck>,
    /// OUTDD: the DD name that DISPLAY writes to in a batch program.
    pub display_dd: String,
    pub quote: QuoteCharacter,
    pub format: SourceFormat,
    /// CCSID of alphanumeric data at run time, any of the crate `codepage` but those of double-byte characters alone.
    /// (IBM's default is 1140.)
    pub codepage: u16,
    /// The moment of compilation, in seconds since 1970-01-01 UTC: WHEN-COMPILED.
    pub compiled_at: i64,
    /// SSRANGE: check subscripts, indexes and reference modification at run time.
    pub ssrange: Option<RangeCheck>,
    /// NUMCHECK, ZONECHECK.
    pub numcheck: Option<NumCheck>,
    pub parmcheck: Option<ParmCheck>,
    pub initcheck: Option<InitCheck>,
    pub rules: Rules,
    /// DIAGTRUNC: a MOVE that may lose digits on the left is reported.
    pub diagnose_truncation: bool,
    /// QUALIFY(EXTEND): a complete set of qualifiers finds its item even if it is an incomplete set for another one.
    pub qualify_extended: bool,
    /// VLR(COMPAT): a record whose length conflicts with its descriptions is read with file status 00.
    pub length_conflict_hidden: bool,
    /// FLOAT other than HEX: COMP-1 and COMP-2 are IEEE binary floating point. `None`: determined by the code page of the region.
    pub float_binary: Option<bool>,
    /// INTDATE(LILIAN): integer dates count from 15 October 1582.
    pub lilian_dates: bool,
    /// DISPSIGN(SEP).
    pub display_sign_separate: bool,
    /// INITIAL: every program is an initial program.
    pub initial: bool,
    /// SEQUENCE: the sequence numbers in columns 1 to 6 are checked.
    pub sequence: bool,
    /// TEST: the code stops before each statement on request.
    pub test: bool,
    pub compile_limit: CompileLimit,
    /// WORD(CICS): statements that CICS programs must not have are reported.
    pub cics_words: bool,
    /// FLAG; `None`: NOFLAG.
    pub flag: Option<Flag>,
    pub listing: ListingOptions,
    /// CICS: EXEC CICS is translated. `None`: on when the program contains any.
    pub cics: Option<bool>,
    /// EDF of the CICS translator: CEDF shows the commands.
    pub edf: bool,
    /// SQL.
    pub sql: SqlOptions,
    /// OPTIMIZE: 0 compiles code outside loops fast, 1 or 2 optimizes all code.
    pub optimize: u8,
    /// DYNAM: CALL literal is dynamic.
    pub dynam: bool,
    /// ZWB: a signed zoned item compared with an alphanumeric one loses its sign.
    pub zwb: bool,
    /// ADV: records of print files have no room for the control character; NOADV: their first byte is.
    pub adds_control: bool,
    /// DECIMAL-POINT and CURRENCY may come from the program only; CURRENCY(literal) sets the default sign.
    pub currency: char,
    /// `D` lines are compiled (WITH DEBUGGING MODE).
    pub debugging_lines: bool,
    /// XMLPARSE(COMPAT): XML PARSE produces the events of the older parser.
    pub xml_compatible: bool,
    /// DEFINE: compilation variables and their values as written.
    pub defines: Vec<(String, String)>,
    /// Options given, by name, as the listing shows them.
    pub given: BTreeMap<String, String>,
    /// The most errors reported before the compilation stops.
    pub error_limit: u32,
}

/// Default of OUTDD.
pub const DISPLAY_DD: &str = "SYSOUT";

/// A DD name: one to eight letters and digits, no digit in front; `#`, `@` and `$` are letters.
fn is_dd_name(text: &str) -> bool {
    let letter = |character: char| character.is_ascii_uppercase() || "#@$".contains(character);
    let rest = |character: char| letter(character) || character.is_ascii_digit();
    (1..=8).contains(&text.len()) && text.starts_with(letter) && text.chars().all(rest)
}

impl Default for Options {
    fn default() -> Options {
        Options {
            arith: Arith::Compat,
            trunc: Trunc::Std,
            numproc: Numproc::Nopfd,
            invalid_data: None,
            nsymbol: Nsymbol::National,
            program_names: ProgramNames::default(),
            deck: None,
            display_dd: DISPLAY_DD.to_string(),
            quote: QuoteCharacter::Quote,
            format: SourceFormat::Detect,
            codepage: 37,
            compiled_at: le::calendar::now().0,
            ssrange: None,
            numcheck: None,
            parmcheck: None,
            initcheck: None,
            rules: Rules::default(),
            diagnose_truncation: false,
            qualify_extended: false,
            length_conflict_hidden: false,
            float_binary: None,
            lilian_dates: false,
            display_sign_separate: false,
            initial: false,
            sequence: true,
            test: false,
            compile_limit: CompileLimit::Severe,
            cics_words: false,
            flag: Some(Flag::DEFAULT),
            listing: ListingOptions::default(),
            cics: None,
            edf: true,
            sql: SqlOptions::default(),
            optimize: 0,
            dynam: false,
            zwb: true,
            adds_control: true,
            currency: '$',
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
            let upper = word.to_ascii_uppercase();
            if !self.apply_one(&upper) {
                unknown.push(SqlOptions::unknown_in(&upper).map_or(word, |part| format!("{part} of SQL")));
            }
        }
        unknown
    }

    fn apply_one(&mut self, word: &str) -> bool {
        let (name, value) = match word.split_once('(') {
            Some((name, rest)) => (name.trim(), Some(rest.strip_suffix(')').unwrap_or(rest).trim().trim_matches(['\'', '"']))),
            None => (word, None),
        };
        let Some((row, off)) = option_table::find(name) else { return false };
        let Some(text) = row.accept(off, value) else { return false };
        let value = text.split_once('(').map_or("", |(_, value)| value.strip_suffix(')').unwrap_or(value)).to_string();
        if row.name == "CODEPAGE" && !is_code_page(&value) || row.name == "SQL" && SqlOptions::parse(&value).is_err() {
            return false;
        }
        let known =
            self.set_language(row.name, off, &value) || self.set_data(row.name, off, &value) || self.set_listing(row.name, off, &value);
        let applied = match known {
            true => Some(()),
            false => self.set_checks(row.name, off, &value),
        };
        if applied.is_some() {
            self.given.insert(row.name.to_string(), text);
        }
        applied.is_some()
    }

    /// Options for reading the source and for the kind of program.
    fn set_language(&mut self, name: &str, off: bool, value: &str) -> bool {
        match name {
            "NSYMBOL" => self.nsymbol = if value == "DBCS" { Nsymbol::Dbcs } else { Nsymbol::National },
            "QUOTE" | "APOST" => {
                self.quote = if (name == "APOST") != off { QuoteCharacter::Apostrophe } else { QuoteCharacter::Quote };
            }
            "CICS" => {
                self.cics = Some(!off);
                let translator = value.split([',', ' ']).map(str::trim);
                self.edf = translator.fold(self.edf, |edf, option| (option == "EDF" || edf) && option != "NOEDF");
            }
            "EDF" => self.edf = !off,
            "SQL" => self.sql = SqlOptions::parse(if off { "" } else { value }).unwrap_or_default(),
            "CURRENCY" => self.currency = if off { '$' } else { value.chars().next().unwrap_or('$') },
            "XMLPARSE" => self.xml_compatible = value == "COMPAT",
            "DEFINE" => self.define(off, value),
            "QUALIFY" => self.qualify_extended = value == "EXTEND",
            "SEQUENCE" => self.sequence = !off,
            "INITIAL" => self.initial = !off,
            "DYNAM" => self.dynam = !off,
            "TEST" => self.test = !off,
            "DIAGTRUNC" => self.diagnose_truncation = !off,
            _ => return false,
        }
        true
    }

    /// Options for data and computation.
    fn set_data(&mut self, name: &str, off: bool, value: &str) -> bool {
        match name {
            "ARITH" => self.arith = if value == "EXTEND" { Arith::Extend } else { Arith::Compat },
            "TRUNC" => {
                self.trunc = match value {
                    "OPT" => Trunc::Opt,
                    "BIN" => Trunc::Bin,
                    _ => Trunc::Std,
                }
            }
            "NUMPROC" => self.numproc = if value == "PFD" { Numproc::Pfd } else { Numproc::Nopfd },
            "CODEPAGE" => self.codepage = value.parse().unwrap_or(self.codepage),
            "ZWB" => self.zwb = !off,
            "ADV" => self.adds_control = !off,
            "FLOAT" => self.float_binary = Some(!matches!(value, "HEX" | "S390")),
            "INTDATE" => self.lilian_dates = value == "LILIAN",
            "DISPSIGN" => self.display_sign_separate = value == "SEP",
            "VLR" => self.length_conflict_hidden = value == "COMPAT",
            _ => return false,
        }
        true
    }

    /// Options of the listing.
    fn set_listing(&mut self, name: &str, off: bool, value: &str) -> bool {
        let listing = &mut self.listing;
        match name {
            "SOURCE" => listing.source = !off,
            "MAP" => listing.map = (!off).then_some(if value == "DEC" { MapForm::Decimal } else { MapForm::Hexadecimal }),
            "VBREF" => listing.verbs = !off,
            // LIST and OFFSET exclude each other: the last one takes effect.
            "OFFSET" => {
                listing.offsets = !off;
                listing.code &= off;
            }
            "LIST" => {
                listing.code = !off;
                listing.offsets &= off;
            }
            "NUMBER" => listing.numbers = !off,
            "SUPPRESS" => listing.suppress = !off,
            "LINECOUNT" => listing.page_lines = value.parse().unwrap_or(listing.page_lines),
            "SPACE" => listing.spacing = value.parse().unwrap_or(listing.spacing),
            _ => return false,
        }
        true
    }

    /// Options whose values are checked further; `None` if a value is not allowed. An option without effect is accepted.
    fn set_checks(&mut self, name: &str, off: bool, value: &str) -> Option<()> {
        match name {
            "SSRANGE" => self.ssrange = if off { None } else { Some(RangeCheck::parse(value)?) },
            "NUMCHECK" => self.numcheck = if off { None } else { NumCheck::parse(value)? },
            "ZONECHECK" => self.numcheck = if off { None } else { Some(NumCheck::of_zonecheck(value)?) },
            "INVDATA" => self.invalid_data = if off { None } else { Some(InvalidData::parse(value)?) },
            "ZONEDATA" => self.invalid_data = InvalidData::of_zonedata(value)?,
            "PARMCHECK" => self.parmcheck = if off { None } else { Some(ParmCheck::parse(value)?) },
            "INITCHECK" => self.initcheck = (!off).then_some(if value == "STRICT" { InitCheck::Strict } else { InitCheck::Lax }),
            "RULES" => self.rules = if off { Rules::default() } else { Rules::parse(value)? },
            "FLAG" => self.flag = if off { None } else { Some(Flag::parse(value)?) },
            "XREF" => {
                self.listing.cross_reference = match (off, value) {
                    (true, _) => None,
                    (_, "" | "FULL") => Some(CrossReference::Full),
                    (_, "SHORT") => Some(CrossReference::Short),
                    _ => return None,
                }
            }
            "LANGUAGE" => {
                self.listing.upper_case = match value {
                    "ENGLISH" | "EN" => false,
                    "UPPERENGLISH" | "UE" => true,
                    // Japanese messages are not there.
                    _ => return None,
                }
            }
            "COMPILE" => {
                self.compile_limit = match (off, value) {
                    (false, "") | (true, "S") => CompileLimit::Severe,
                    (true, "E") => CompileLimit::Error,
                    (true, "W") => CompileLimit::Warning,
                    (true, "") => CompileLimit::Always,
                    _ => return None,
                }
            }
            "PGMNAME" if !off => self.program_names = ProgramNames::parse(value)?,
            "MDECK" => {
                self.deck = match (off, value) {
                    (true, "") => None,
                    (false, "" | "COMPILE" | "C") => Some(Deck::Compile),
                    (false, "NOCOMPILE" | "NOC") => Some(Deck::NoCompile),
                    _ => return None,
                }
            }
            "OUTDD" if !off && is_dd_name(value) => self.display_dd = value.to_string(),
            "CONDCOMP" if !off => {
                self.listing.excluded = match value {
                    "NOSKIPSRC" | "NOSKIPSOURCE" | "NOSKIPS" => true,
                    "SKIPSRC" | "SKIPSOURCE" | "SKIPS" => false,
                    _ => return None,
                }
            }
            "PGMNAME" | "OUTDD" | "CONDCOMP" => return None,
            "WORD" => {
                self.cics_words = match (off, value) {
                    (true, _) => false,
                    (_, "CICS") => true,
                    _ => return None,
                }
            }
            "OPTIMIZE" => {
                self.optimize = match (off, value) {
                    (true, _) | (_, "0") => 0,
                    (_, "" | "1" | "STD") => 1,
                    (_, "2" | "FULL") => 2,
                    _ => return None,
                }
            }
            _ => {}
        }
        Some(())
    }

    /// DEFINE(name,name=value ...): compilation variables of conditional compilation.
    fn define(&mut self, off: bool, value: &str) {
        self.defines.clear();
        for part in value.split(',').map(str::trim).filter(|part| !off && !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            self.defines.push((name.trim().to_string(), value.trim().to_string()));
        }
    }

    /// The severity from which on no code is generated; `None`: never any code.
    pub fn code_limit(&self) -> Option<Severity> {
        self.compile_limit.severity()
    }

    /// Every option in effect in the form of the listing, and why it has no effect here (empty if it has one).
    pub fn in_effect(&self) -> Vec<(String, &'static str)> {
        let mut words = Vec::new();
        for row in option_table::OPTIONS {
            let text = self.named(row.name).or_else(|| self.given.get(row.name).cloned()).unwrap_or_else(|| row.default.to_string());
            if !text.is_empty() {
                words.push((text, row.no_effect));
            }
        }
        words
    }

    /// An option in the form of its resulting value; `None` if the given or default text is that value.
    fn named(&self, name: &str) -> Option<String> {
        let switch = |on: bool| if on { name.to_string() } else { format!("NO{name}") };
        fn or_off(name: &str, value: Option<impl std::fmt::Display>) -> String {
            value.map_or_else(|| format!("NO{name}"), |value| value.to_string())
        }
        let word = |word: &str| format!("{name}({word})");
        Some(match name {
            "ARITH" => word(if self.arith == Arith::Extend { "EXTEND" } else { "COMPAT" }),
            "CODEPAGE" => word(&self.codepage.to_string()),
            "CICS" => switch(self.cics.unwrap_or(false)),
            "DYNAM" => switch(self.dynam),
            "NSYMBOL" => word(if self.nsymbol == Nsymbol::Dbcs { "DBCS" } else { "NATIONAL" }),
            "PGMNAME" => word(self.program_names.word()),
            "OUTDD" => word(&self.display_dd),
            "MDECK" => match self.deck {
                None => "NOMDECK".to_string(),
                Some(Deck::Compile) => word("COMPILE"),
                Some(Deck::NoCompile) => word("NOCOMPILE"),
            },
            "CONDCOMP" => word(if self.listing.excluded { "NOSKIPSRC" } else { "SKIPSRC" }),
            "NUMPROC" => word(if self.numproc == Numproc::Pfd { "PFD" } else { "NOPFD" }),
            "QUOTE" => if self.quote == QuoteCharacter::Apostrophe { "APOST" } else { "QUOTE" }.to_string(),
            "APOST" | "ZONECHECK" => String::new(),
            "ZONEDATA" => match self.invalid_data.map_or(Some("PFD"), InvalidData::zonedata) {
                Some(value) => word(value),
                None => String::new(),
            },
            "INVDATA" => or_off(name, self.invalid_data),
            "SSRANGE" => or_off(name, self.ssrange),
            "NUMCHECK" => or_off(name, self.numcheck),
            "PARMCHECK" => or_off(name, self.parmcheck),
            "FLAG" => or_off(name, self.flag),
            "RULES" if self.rules == Rules::default() => "NORULES".to_string(),
            "RULES" => self.rules.to_string(),
            "INITCHECK" => match self.initcheck {
                None => "NOINITCHECK".to_string(),
                Some(InitCheck::Lax) => word("LAX"),
                Some(InitCheck::Strict) => word("STRICT"),
            },
            "MAP" => match self.listing.map {
                None => "NOMAP".to_string(),
                Some(MapForm::Hexadecimal) => word("HEX"),
                Some(MapForm::Decimal) => word("DEC"),
            },
            "XREF" => match self.listing.cross_reference {
                None => "NOXREF".to_string(),
                Some(CrossReference::Full) => word("FULL"),
                Some(CrossReference::Short) => word("SHORT"),
            },
            "LIST" => switch(self.listing.code),
            "OFFSET" => switch(self.listing.offsets),
            "LANGUAGE" => word(if self.listing.upper_case { "UPPERENGLISH" } else { "ENGLISH" }),
            "OPTIMIZE" => word(&self.optimize.to_string()),
            "FLOAT" => word(if self.uses_binary_floating_point() { "NATIVE" } else { "HEX" }),
            "ZWB" => switch(self.zwb),
            "ADV" => switch(self.adds_control),
            "TRUNC" => word(match self.trunc {
                Trunc::Std => "STD",
                Trunc::Opt => "OPT",
                Trunc::Bin => "BIN",
            }),
            "COMPILE" => match self.compile_limit {
                CompileLimit::Severe => "NOCOMPILE(S)",
                CompileLimit::Error => "NOCOMPILE(E)",
                CompileLimit::Warning => "NOCOMPILE(W)",
                CompileLimit::Always => "NOCOMPILE",
            }
            .to_string(),
            _ => return None,
        })
    }

    /// Whether COMP-1 and COMP-2 are IEEE binary floating point.
    pub fn uses_binary_floating_point(&self) -> bool {
        let ebcdic = le::code_page::by_ccsid(self.codepage).is_none_or(le::CodePage::is_ebcdic);
        self.float_binary.unwrap_or(!ebcdic)
    }
}

/// Whether the code page with this number can be used for data.
fn is_code_page(ccsid: &str) -> bool {
    let page = ccsid.parse().ok().and_then(le::code_page::by_ccsid);
    page.is_some_and(|page| page.encoding != le::code_page::Encoding::Double)
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
mod tests;
