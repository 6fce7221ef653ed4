//! Options whose value has parts: their contents, parsing, and form in the listing. (Enterprise COBOL for z/OS 6.4 Programming Guide,
//! "Compiler options".)
//!
//! Invariants: [`std::fmt::Display`] writes in full what `parse` accepts, with the defaults of suboptions that were not given; parsing that
//! text again gives the same value.

use crate::severity::Severity;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result};

/// Suboptions separated by commas and blanks outside parentheses: the word, and the text in its own parentheses.
fn parts(text: &str) -> impl Iterator<Item = (String, Option<String>)> {
    super::split_options(text).into_iter().map(|part| match part.split_once('(') {
        Some((word, inner)) => (word.trim().to_string(), Some(inner.trim().strip_suffix(')').unwrap_or(inner).to_string())),
        None => (part, None),
    })
}

fn severity_of(letter: &str) -> Option<Severity> {
    Some(match letter {
        "I" => Severity::Information,
        "W" => Severity::Warning,
        "E" => Severity::Error,
        "S" => Severity::Severe,
        "U" => Severity::Unrecoverable,
        _ => return None,
    })
}

/// FLAG: which messages are shown at the end of the listing, and which also at their source line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Flag {
    pub listed: Severity,
    pub embedded: Option<Severity>,
}

impl Flag {
    pub const DEFAULT: Flag = Flag { listed: Severity::Information, embedded: Some(Severity::Information) };

    /// The second severity must not be lower than the first.
    pub fn parse(text: &str) -> Option<Flag> {
        let mut severities = parts(text).map(|(word, _)| severity_of(&word));
        let listed = severities.next()??;
        let embedded = match severities.next() {
            Some(severity) => Some(severity?),
            None => None,
        };
        let ordered = embedded.is_none_or(|embedded| embedded >= listed);
        (ordered && severities.next().is_none()).then_some(Flag { listed, embedded })
    }
}

impl Display for Flag {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self.embedded {
            Some(embedded) => write!(out, "FLAG({},{})", self.listed.letter(), embedded.letter()),
            None => write!(out, "FLAG({})", self.listed.letter()),
        }
    }
}

/// NUMCHECK: which sending items are tested for valid data at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NumCheck {
    pub zoned: bool,
    /// ZON(NOALPHNUM): not in comparisons with alphanumeric operands.
    pub not_with_alphanumeric: bool,
    /// ZON(LAX): excludes the sender of a MOVE from zoned to zoned; the redefined item counts.
    pub lax: bool,
    pub packed: bool,
    pub binary: bool,
    /// BIN(NOTRUNCBIN): not under TRUNC(BIN).
    pub not_with_trunc_bin: bool,
    /// ABD: the first invalid item ends the program; otherwise a message, and on.
    pub abend: bool,
}

impl NumCheck {
    /// ZONECHECK(MSG|ABD), the older option, is NUMCHECK(ZON) of the same kind.
    pub fn of_zonecheck(text: &str) -> Option<NumCheck> {
        match text {
            "" | "MSG" => Some(NumCheck { zoned: true, ..NumCheck::default() }),
            "ABD" => Some(NumCheck { zoned: true, abend: true, ..NumCheck::default() }),
            _ => None,
        }
    }

    /// `None` inside: every data type was turned off, which is NONUMCHECK.
    pub fn parse(text: &str) -> Option<Option<NumCheck>> {
        let mut check = NumCheck::default();
        let mut types_given = false;
        for (word, inner) in parts(text) {
            let inner = inner.unwrap_or_default();
            let is_type = !matches!(word.as_str(), "MSG" | "ABD");
            types_given |= is_type;
            match word.as_str() {
                "ZON" => {
                    check.zoned = true;
                    check.zoned_parts(&inner)?;
                }
                "NOZON" if inner.is_empty() => check.zoned = false,
                "PAC" if inner.is_empty() => check.packed = true,
                "NOPAC" if inner.is_empty() => check.packed = false,
                "BIN" => {
                    check.binary = true;
                    check.not_with_trunc_bin = match inner.as_str() {
                        "" | "TRUNCBIN" => false,
                        "NOTRUNCBIN" => true,
                        _ => return None,
                    };
                }
                "NOBIN" if inner.is_empty() => check.binary = false,
                "MSG" if inner.is_empty() => check.abend = false,
                "ABD" if inner.is_empty() => check.abend = true,
                _ => return None,
            }
        }
        if !types_given {
            (check.zoned, check.packed, check.binary) = (true, true, true);
        }
        Some((check.zoned || check.packed || check.binary).then_some(check))
    }

    fn zoned_parts(&mut self, text: &str) -> Option<()> {
        for (word, _) in parts(text) {
            match word.as_str() {
                "ALPHNUM" => self.not_with_alphanumeric = false,
                "NOALPHNUM" => self.not_with_alphanumeric = true,
                "LAX" | "LAXREDEF" => self.lax = true,
                "STRICT" | "STRICTREDEF" => self.lax = false,
                _ => return None,
            }
        }
        Some(())
    }
}

impl Display for NumCheck {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let alphanumeric = if self.not_with_alphanumeric { "NOALPHNUM" } else { "ALPHNUM" };
        let redefined = if self.lax { "LAX" } else { "STRICT" };
        let zoned = if self.zoned { format!("ZON({alphanumeric},{redefined})") } else { "NOZON".into() };
        let packed = if self.packed { "PAC" } else { "NOPAC" };
        let binary = match (self.binary, self.not_with_trunc_bin) {
            (true, false) => "BIN(TRUNCBIN)",
            (true, true) => "BIN(NOTRUNCBIN)",
            (false, _) => "NOBIN",
        };
        write!(out, "NUMCHECK({zoned},{packed},{binary},{})", if self.abend { "ABD" } else { "MSG" })
    }
}

/// SSRANGE: checks of subscripts, indexes and reference modification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RangeCheck {
    /// ZLEN: reference modification of length zero is not an error.
    pub zero_length: bool,
    /// MSG: a message, and on.
    pub message: bool,
}

impl RangeCheck {
    pub fn parse(text: &str) -> Option<RangeCheck> {
        let mut check = RangeCheck::default();
        for (word, _) in parts(text) {
            match word.as_str() {
                "ZLEN" => check.zero_length = true,
                "NOZLEN" => check.zero_length = false,
                "MSG" => check.message = true,
                "ABD" => check.message = false,
                _ => return None,
            }
        }
        Some(check)
    }
}

impl Display for RangeCheck {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let length = if self.zero_length { "ZLEN" } else { "NOZLEN" };
        write!(out, "SSRANGE({length},{})", if self.message { "MSG" } else { "ABD" })
    }
}

/// PARMCHECK: bytes behind WORKING-STORAGE that a called program must not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ParmCheck {
    pub abend: bool,
    pub bytes: u16,
}

const PARM_CHECK_BYTES: u16 = 100;
const PARM_CHECK_BYTES_MAX: u16 = 9999;

impl ParmCheck {
    pub fn parse(text: &str) -> Option<ParmCheck> {
        let mut check = ParmCheck { abend: false, bytes: PARM_CHECK_BYTES };
        for (word, _) in parts(text) {
            match word.as_str() {
                "MSG" => check.abend = false,
                "ABD" => check.abend = true,
                number => check.bytes = number.parse().ok().filter(|bytes| (1..=PARM_CHECK_BYTES_MAX).contains(bytes))?,
            }
        }
        Some(check)
    }
}

impl Display for ParmCheck {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        write!(out, "PARMCHECK({},{})", if self.abend { "ABD" } else { "MSG" }, self.bytes)
    }
}

/// Which unreferenced level-01 and level-77 items are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Unreferenced {
    /// UNREF: none.
    #[default]
    Quiet,
    /// NOUNREFSOURCE: those written in the source itself.
    OwnSource,
    /// NOUNREFALL: those of copy members, too.
    All,
}

/// RULES: warnings about legal constructs. A field is set if the warning is requested (the suboption with NO).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rules {
    pub no_end_period: bool,
    pub no_even_pack: bool,
    pub no_lax_performance: bool,
    pub no_slack_bytes: bool,
    pub no_omitted_minimum: bool,
    pub unreferenced: Unreferenced,
    pub no_lax_redefinition: bool,
}

impl Rules {
    pub fn parse(text: &str) -> Option<Rules> {
        let mut rules = Rules::default();
        for (word, _) in parts(text) {
            let (stem, no) = match word.strip_prefix("NO") {
                Some(stem) => (stem, true),
                None => (word.as_str(), false),
            };
            match stem {
                "ENDPERIOD" | "ENDP" => rules.no_end_period = no,
                "EVENPACK" | "EVENP" => rules.no_even_pack = no,
                "LAXPERF" | "LXPRF" => rules.no_lax_performance = no,
                "SLACKBYTES" | "SLCKB" => rules.no_slack_bytes = no,
                "OMITODOMIN" | "OOM" => rules.no_omitted_minimum = no,
                "LAXREDEF" | "LXRDF" => rules.no_lax_redefinition = no,
                "UNREF" if !no => rules.unreferenced = Unreferenced::Quiet,
                "UNREFALL" | "UNRA" if no => rules.unreferenced = Unreferenced::All,
                "UNREFSOURCE" | "UNRS" if no => rules.unreferenced = Unreferenced::OwnSource,
                _ => return None,
            }
        }
        Some(rules)
    }
}

impl Display for Rules {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let words = [
            (self.no_end_period, "ENDPERIOD"),
            (self.no_even_pack, "EVENPACK"),
            (self.no_lax_performance, "LAXPERF"),
            (self.no_slack_bytes, "SLACKBYTES"),
            (self.no_omitted_minimum, "OMITODOMIN"),
            (self.no_lax_redefinition, "LAXREDEF"),
        ];
        out.write_str("RULES(")?;
        for (no, word) in words {
            write!(out, "{}{word},", if no { "NO" } else { "" })?;
        }
        out.write_str(match self.unreferenced {
            Unreferenced::Quiet => "UNREF)",
            Unreferenced::OwnSource => "NOUNREFSOURCE)",
            Unreferenced::All => "NOUNREFALL)",
        })
    }
}

/// INITCHECK: warnings for items used before they have a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InitCheck {
    /// On no path to the statement the item gets a value.
    Lax,
    /// On some path it gets none.
    Strict,
}

/// MAP: the data map, with offsets in this form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MapForm {
    Hexadecimal,
    Decimal,
}

/// XREF: the cross reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CrossReference {
    /// All names.
    Full,
    /// Names that are referred to.
    Short,
}

/// The limit beyond which no code is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CompileLimit {
    /// COMPILE and NOCOMPILE(S): a message of severity S, because the statement in error cannot be generated.
    Severe,
    /// NOCOMPILE(E), NOCOMPILE(W): a message of this severity, too.
    Error,
    Warning,
    /// NOCOMPILE: the program is only checked.
    Always,
}

impl CompileLimit {
    /// The severity from which on there is no code; `None`: there is never code.
    pub fn severity(self) -> Option<Severity> {
        match self {
            CompileLimit::Severe => Some(Severity::Severe),
            CompileLimit::Error => Some(Severity::Error),
            CompileLimit::Warning => Some(Severity::Warning),
            CompileLimit::Always => None,
        }
    }
}

/// The contents and format of the listing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListingOptions {
    pub source: bool,
    pub map: Option<MapForm>,
    pub cross_reference: Option<CrossReference>,
    pub verbs: bool,
    /// OFFSET: the offset of the code of each statement.
    pub offsets: bool,
    /// LIST: the generated code.
    pub code: bool,
    /// NUMBER: lines are called by the numbers in columns 1 to 6.
    pub numbers: bool,
    /// SUPPRESS: COPY SUPPRESS is honoured.
    pub suppress: bool,
    /// CONDCOMP(NOSKIPSRC): lines that conditional compilation leaves out are shown, as comments.
    pub excluded: bool,
    /// Lines on a page; 0: no pages.
    pub page_lines: u32,
    /// Single, double or triple spacing.
    pub spacing: u32,
    /// LANGUAGE(UPPERENGLISH).
    pub upper_case: bool,
}

impl Default for ListingOptions {
    fn default() -> ListingOptions {
        ListingOptions {
            source: true,
            map: None,
            cross_reference: Some(CrossReference::Full),
            verbs: false,
            offsets: false,
            code: false,
            numbers: false,
            suppress: true,
            excluded: true,
            page_lines: 60,
            spacing: 1,
            upper_case: false,
        }
    }
}

/// MDECK: what happens after the source after library processing is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Deck {
    Compile,
    /// The source is checked, but no code is generated.
    NoCompile,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suboptions_that_are_not_given_have_the_documented_defaults() {
        let numcheck = |text: &str| NumCheck::parse(text).map(|check| check.map_or("NONUMCHECK".to_string(), |check| check.to_string()));
        assert_eq!(numcheck("").as_deref(), Some("NUMCHECK(ZON(ALPHNUM,STRICT),PAC,BIN(TRUNCBIN),MSG)"));
        assert_eq!(numcheck("ABD").as_deref(), Some("NUMCHECK(ZON(ALPHNUM,STRICT),PAC,BIN(TRUNCBIN),ABD)"));
        assert_eq!(numcheck("BIN").as_deref(), Some("NUMCHECK(NOZON,NOPAC,BIN(TRUNCBIN),MSG)"));
        assert_eq!(numcheck("ZON(NOALPHNUM,LAX),ABD").as_deref(), Some("NUMCHECK(ZON(NOALPHNUM,LAX),NOPAC,NOBIN,ABD)"));
        assert_eq!(numcheck("BIN(NOTRUNCBIN),PAC").as_deref(), Some("NUMCHECK(NOZON,PAC,BIN(NOTRUNCBIN),MSG)"));
        assert_eq!(numcheck("NOZON,NOPAC,NOBIN").as_deref(), Some("NONUMCHECK"));
        assert_eq!(numcheck("ZON(LOOSE)"), None);
        assert_eq!(numcheck("PACK"), None);

        let parmcheck = |text: &str| ParmCheck::parse(text).map(|check| check.to_string());
        assert_eq!(parmcheck("").as_deref(), Some("PARMCHECK(MSG,100)"));
        assert_eq!(parmcheck("ABD").as_deref(), Some("PARMCHECK(ABD,100)"));
        assert_eq!(parmcheck("5000").as_deref(), Some("PARMCHECK(MSG,5000)"));
        assert_eq!(parmcheck("9999").as_deref(), Some("PARMCHECK(MSG,9999)"));
        assert_eq!((parmcheck("10000"), parmcheck("0")), (None, None));

        let ssrange = |text: &str| RangeCheck::parse(text).map(|check| check.to_string());
        assert_eq!(ssrange("").as_deref(), Some("SSRANGE(NOZLEN,ABD)"));
        assert_eq!(ssrange("ZLEN,MSG").as_deref(), Some("SSRANGE(ZLEN,MSG)"));
        assert_eq!(ssrange("LOUD"), None);

        let flag = |text: &str| Flag::parse(text).map(|flag| flag.to_string());
        assert_eq!(flag("W").as_deref(), Some("FLAG(W)"));
        assert_eq!(flag("I,E").as_deref(), Some("FLAG(I,E)"));
        assert_eq!((flag("E,W"), flag("X"), flag("I,I,I")), (None, None, None));

        let rules = |text: &str| Rules::parse(text).map(|rules| rules.to_string());
        assert_eq!(rules("").as_deref(), Some("RULES(ENDPERIOD,EVENPACK,LAXPERF,SLACKBYTES,OMITODOMIN,LAXREDEF,UNREF)"));
        let all = "RULES(NOENDPERIOD,NOEVENPACK,NOLAXPERF,NOSLACKBYTES,NOOMITODOMIN,NOLAXREDEF,NOUNREFALL)";
        assert_eq!(rules("NOENDP,NOEVENP,NOLXPRF,NOSLCKB,NOOOM,NOLXRDF,NOUNRA").as_deref(), Some(all));
        assert_eq!((rules("NOUNREF"), rules("UNREFALL"), rules("TIDY")), (None, None, None));
        assert_eq!(
            NumCheck::of_zonecheck("ABD").map(|check| check.to_string()),
            NumCheck::parse("ZON,ABD").flatten().map(|c| c.to_string())
        );
    }

    #[test]
    fn listed_option_values_parse_to_the_same_value() {
        for text in ["", "ABD", "ZON(LAX)", "PAC,ABD", "BIN(NOTRUNCBIN)"] {
            let check = NumCheck::parse(text).flatten().expect("a check");
            let name = check.to_string();
            let inner = name.strip_prefix("NUMCHECK(").and_then(|name| name.strip_suffix(')')).expect("the name");
            assert_eq!(NumCheck::parse(inner), Some(Some(check)), "{text}");
        }
    }
}
