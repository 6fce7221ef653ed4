//! Resource types, their attributes and the values each attribute accepts, from `tables/attributes.tsv`.
//!
//! Invariants: a canonical attribute name belongs to a type once; a validated value is in the form the definition keeps
//! (folded to upper case unless the attribute is mixed case, or the path of a directory).

use crate::range::Range;
use std::sync::OnceLock;

/// Characters of the name of a data set.
const DATA_SET_NAME_LENGTH_MAX: usize = 44;
/// Characters of a path, as of BUNDLEDIR.
pub const PATH_LENGTH_MAX: usize = 255;

const TABLE: &str = include_str!("../tables/attributes.tsv");

/// The values an attribute accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One of the words, or an integer in one of the ranges; empty means unrestricted.
    Choice { words: Vec<&'static str>, ranges: Vec<Range> },
    /// Text of at most so many characters, folded to upper case.
    Text(usize),
    /// Text of at most so many characters, kept as written.
    Mixed(usize),
    /// The name of a data set, of at most so many characters and folded to upper case; or the path of a directory, kept as written.
    DataSet(usize),
}

#[derive(Debug)]
pub struct Attribute {
    pub name: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub required: bool,
}

#[derive(Debug)]
pub struct ResourceType {
    pub name: &'static str,
    pub name_length_max: usize,
    /// Names keep small letters, and have more characters.
    mixed_case_names: bool,
    pub attributes: Vec<Attribute>,
}

/// Attributes of any definition in an extracted CSD, recording who changed it and when; they are accepted and dropped.
const SIGNATURE: [&str; 9] =
    ["DEFINETIME", "CHANGETIME", "CHANGEUSRID", "CHANGEAGENT", "CHANGEAGREL", "INSTALLTIME", "INSTALLUSRID", "INSTALLAGENT", "USERDATA"];

/// Names from earlier releases that the utility still accepts: (type, old, new; empty new = ignored).
const OBSOLETE: [(&str, &str, &str); 9] = [
    ("FILE", "LSRPOOLID", "LSRPOOLNUM"),
    ("LSRPOOL", "LSRPOOLID", "LSRPOOLNUM"),
    ("FILE", "RSL", ""),
    ("FILE", "CATNAME", ""),
    ("PROGRAM", "RSL", ""),
    ("MAPSET", "RSL", ""),
    ("TRANSACTION", "RSLC", ""),
    ("TDQUEUE", "RSL", ""),
    ("TERMINAL", "OPERID", ""),
];

/// How an operand keyword relates to a resource type.
#[derive(Debug)]
pub enum Match<'a> {
    Attribute(&'a Attribute),
    /// Accepted for the sake of old or extracted statements, without effect.
    Ignored,
    Ambiguous(Vec<&'static str>),
    Unknown,
}

/// All resource types of the table, in its order.
pub fn resource_types() -> &'static [ResourceType] {
    static TYPES: OnceLock<Vec<ResourceType>> = OnceLock::new();
    TYPES.get_or_init(read_table)
}

fn read_table() -> Vec<ResourceType> {
    let mut types: Vec<ResourceType> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        assert_eq!(columns.len(), 7, "attributes.tsv: {line}");
        let [resource, length, name, kind, default, presence, values] = columns[..] else { unreachable!() };
        if types.last().is_none_or(|last| last.name != resource) {
            let (digits, mixed_case_names) = length.strip_suffix("/mixed").map_or((length, false), |digits| (digits, true));
            let name_length_max = digits.parse().expect("name length");
            types.push(ResourceType { name: resource, name_length_max, mixed_case_names, attributes: Vec::new() });
        }
        let kind = match kind {
            "choice" => choice(values),
            "mixed" => Kind::Mixed(values.parse().unwrap_or(255)),
            "dataset" => Kind::DataSet(values.parse().unwrap_or(DATA_SET_NAME_LENGTH_MAX)),
            _ => Kind::Text(values.parse().unwrap_or(255)),
        };
        let attribute = Attribute { name, kind, default, required: presence == "required" };
        types.last_mut().expect("a type").attributes.push(attribute);
    }
    types
}

fn choice(values: &'static str) -> Kind {
    let mut words = Vec::new();
    let mut ranges = Vec::new();
    for value in values.split('|').filter(|value| !value.is_empty()) {
        match Range::parse(value) {
            Some(range) => ranges.push(range),
            None => words.push(value),
        }
    }
    Kind::Choice { words, ranges }
}

/// The number in force when a definition or SET gives a number for an attribute, rounded down to a multiple of its step; `None` if the
/// attribute does not accept it. Zero stands for the word that a definition has where there is no number.
pub fn accepted(resource: &str, attribute: &str, number: u64) -> Option<u64> {
    let found = resource_types().iter().find(|known| known.name == resource);
    let found = found.and_then(|known| known.attributes.iter().find(|known| known.name == attribute));
    let Some(Attribute { kind: Kind::Choice { words, ranges }, .. }) = found else { panic!("{resource} has no number {attribute}") };
    if number == 0 && words.iter().any(|word| ["NO", "NONE", "NOLIMIT"].contains(word)) {
        return Some(0);
    }
    ranges.iter().find(|range| range.contains(number)).map(|range| range.rounded_down(number))
}

/// The type of that exact name, or the one its first letters name without doubt.
pub fn resource_type(keyword: &str) -> Option<&'static ResourceType> {
    if let Some(exact) = resource_types().iter().find(|candidate| candidate.name == keyword) {
        return Some(exact);
    }
    // PROG, PGM and TRAN are the usual abbreviations; the prefixes TRAN and TR would be ambiguous with TRANCLASS.
    let usual = match keyword {
        "TRANS" | "TRAN" | "TR" | "TRN" => "TRANSACTION",
        "PROG" | "PGM" | "PR" | "P" => "PROGRAM",
        "TERM" | "TE" => "TERMINAL",
        "TDQ" | "TD" => "TDQUEUE",
        "TSM" | "TS" => "TSMODEL",
        "MAP" | "M" => "MAPSET",
        "FI" | "F" => "FILE",
        "CONN" | "C" => "CONNECTION",
        _ => "",
    };
    if !usual.is_empty() {
        return resource_types().iter().find(|candidate| candidate.name == usual);
    }
    let mut matching = resource_types().iter().filter(|candidate| keyword.len() >= 2 && candidate.name.starts_with(keyword));
    match (matching.next(), matching.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

impl ResourceType {
    /// The attribute for a keyword: by its exact name, by an earlier name, or by a unique prefix.
    pub fn attribute(&self, keyword: &str) -> Match<'_> {
        if let Some(exact) = self.attributes.iter().find(|attribute| attribute.name == keyword) {
            return Match::Attribute(exact);
        }
        if SIGNATURE.contains(&keyword) {
            return Match::Ignored;
        }
        if let Some((_, _, now)) = OBSOLETE.iter().find(|(resource, old, _)| *resource == self.name && *old == keyword) {
            return if now.is_empty() { Match::Ignored } else { self.attribute(now) };
        }
        let matching: Vec<&Attribute> = self.attributes.iter().filter(|a| keyword.len() >= 2 && a.name.starts_with(keyword)).collect();
        match matching[..] {
            [] => Match::Unknown,
            [only] => Match::Attribute(only),
            _ => Match::Ambiguous(matching.iter().map(|attribute| attribute.name).collect()),
        }
    }

    /// Whether it is the name of an attribute of earlier releases.
    pub fn is_obsolete(&self, keyword: &str) -> bool {
        OBSOLETE.iter().any(|(resource, old, _)| *resource == self.name && *old == keyword)
    }

    /// Whether names keep small letters.
    pub fn has_mixed_case_names(&self) -> bool {
        self.mixed_case_names
    }

    /// The characters of names besides letters and digits.
    pub fn other_name_characters(&self) -> &'static str {
        if self.mixed_case_names { "$@#./-_%&?!:|\"=~,;<>" } else { "$@#" }
    }

    /// Explains why a name is invalid for a resource of this type.
    pub fn check_name(&self, name: &str) -> Result<String, String> {
        let name = self.folded(name);
        let allowed = |c: char| c.is_ascii_alphanumeric() || self.other_name_characters().contains(c);
        if name.is_empty() {
            Err(format!("{} needs a name", self.name))
        } else if name.len() > self.name_length_max {
            Err(format!("{} name {name} is longer than {} characters", self.name, self.name_length_max))
        } else if let Some(wrong) = name.chars().find(|c| !allowed(*c)) {
            Err(format!("{} name {name} contains the character {wrong:?}", self.name))
        } else {
            Ok(name)
        }
    }

    /// A name, or a pattern of names, as definitions have it.
    pub fn folded(&self, name: &str) -> String {
        if self.mixed_case_names { name.trim().to_string() } else { name.trim().to_ascii_uppercase() }
    }
}

impl Attribute {
    /// The value as the definition keeps it, or why it is not accepted.
    pub fn check(&self, value: &str) -> Result<String, String> {
        // A new line would end the statement that keeps it.
        if let Some(wrong) = value.chars().find(|c| c.is_control()) {
            return Err(format!("the value of {} contains the character {wrong:?}", self.name));
        }
        let folded = value.trim().to_ascii_uppercase();
        match &self.kind {
            Kind::Mixed(length_max) => self.check_length(value.trim().to_string(), *length_max),
            Kind::Text(length_max) => self.check_length(folded, *length_max),
            Kind::DataSet(_) if value.contains('/') => self.check_length(value.trim().to_string(), PATH_LENGTH_MAX),
            Kind::DataSet(length_max) => self.check_length(folded, *length_max),
            Kind::Choice { words, ranges } => self.check_choice(folded, words, ranges),
        }
    }

    fn check_length(&self, value: String, length_max: usize) -> Result<String, String> {
        if value.chars().count() > length_max {
            return Err(format!("the value of {} is longer than {length_max} characters", self.name));
        }
        Ok(value)
    }

    fn check_choice(&self, value: String, words: &[&str], ranges: &[Range]) -> Result<String, String> {
        if value.is_empty() || words.contains(&value.as_str()) {
            return Ok(value);
        }
        if let Ok(number) = value.parse::<u64>()
            && ranges.iter().any(|range| range.contains(number))
        {
            return Ok(number.to_string());
        }
        let mut shortened = words.iter().filter(|word| word.starts_with(value.as_str()));
        if let (Some(only), None) = (shortened.next(), shortened.next()) {
            return Ok((*only).to_string());
        }
        let mut accepted: Vec<String> = words.iter().map(|word| (*word).to_string()).collect();
        accepted.extend(ranges.iter().map(|Range { low, high, .. }| match low == high {
            true => low.to_string(),
            false => format!("{low} to {high}"),
        }));
        Err(format!("{value} is not a value of {}: {} is expected", self.name, accepted.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_found_in_full_by_prefix_and_by_earlier_name() {
        let file = resource_type("FILE").unwrap();
        assert!(matches!(file.attribute("LSRPOOLID"), Match::Attribute(a) if a.name == "LSRPOOLNUM"));
        assert!(matches!(file.attribute("DESC"), Match::Attribute(a) if a.name == "DESCRIPTION"));
        assert!(matches!(file.attribute("JNL"), Match::Ambiguous(_)));
        assert!(matches!(file.attribute("CHANGETIME"), Match::Ignored));
        assert!(matches!(file.attribute("COLOUR"), Match::Unknown));
        assert_eq!(resource_type("TRANS").unwrap().name, "TRANSACTION");
        assert!(resource_type("T").is_none());
    }

    #[test]
    fn values_have_no_control_characters() {
        for (resource, attribute) in [("PROGRAM", "DESCRIPTION"), ("FILE", "DSNAME"), ("BUNDLE", "BUNDLEDIR")] {
            let Match::Attribute(attribute) = resource_type(resource).unwrap().attribute(attribute) else { panic!() };
            for wrong in ["A\nADD GROUP(G) LIST(L)", "A\u{85}", "A\0", "\u{1b}[31m"] {
                assert!(attribute.check(wrong).is_err_and(|why| why.contains("contains the character")), "{wrong:?}");
            }
        }
    }

    #[test]
    fn values_are_checked_at_their_bounds() {
        let Match::Attribute(strings) = resource_type("FILE").unwrap().attribute("STRINGS") else { panic!() };
        assert_eq!(strings.check("255").unwrap(), "255");
        assert!(strings.check("256").is_err());
        assert!(strings.check("0").is_err());
        let Match::Attribute(key) = resource_type("PROGRAM").unwrap().attribute("EXECKEY") else { panic!() };
        assert_eq!(key.check("cics").unwrap(), "CICS");
        assert!(key.check("BOTH").unwrap_err().contains("USER, CICS"));
        assert!(resource_type("PROGRAM").unwrap().check_name("TOOLONGNM").is_err());
        assert_eq!(resource_type("TRANSACTION").unwrap().check_name("ab1").unwrap(), "ab1");
        let Match::Attribute(data_set) = resource_type("LIBRARY").unwrap().attribute("DSNAME01") else { panic!() };
        assert_eq!(data_set.check("prod.loadlib").unwrap(), "PROD.LOADLIB");
        assert_eq!(data_set.check(" /srv/bank/Patches ").unwrap(), "/srv/bank/Patches", "a path keeps its letters");
        assert!(data_set.check(&"A".repeat(44)).is_ok() && data_set.check(&"A".repeat(45)).is_err());
        assert!(data_set.check(&"/a".repeat(127)).is_ok() && data_set.check(&"/a".repeat(128)).is_err());
    }

    /// Resource type, attribute, default; values at and behind its bounds, whether each is one.
    type Values = &'static [(&'static str, bool)];

    /// Checks the default of each attribute, and which values it takes (Resource Definition Reference).
    fn check(resource: &str, cases: &[(&str, &str, Values)]) {
        for (name, default, values) in cases {
            let Match::Attribute(attribute) = resource_type(resource).unwrap().attribute(name) else { panic!("{resource} {name}") };
            assert_eq!(&attribute.default, default, "{resource} {name}");
            for (value, accepted) in *values {
                assert_eq!(attribute.check(value).is_ok(), *accepted, "{resource} {name}({value})");
            }
        }
    }

    const CONCURRENCY: Values = &[("QUASIRENT", true), ("THREADSAFE", true), ("REQUIRED", true), ("OPENAPI", false)];
    const API: Values = &[("CICSAPI", true), ("OPENAPI", true), ("REQUIRED", false)];
    const EXECKEY: Values = &[("USER", true), ("CICS", true), ("ANY", false)];

    #[test]
    fn concurrency_of_a_program_is_quasirent_threadsafe_or_required() {
        check("PROGRAM", &[("CONCURRENCY", "QUASIRENT", CONCURRENCY)]);
    }

    #[test]
    fn api_of_a_program_is_cicsapi_or_openapi() {
        check("PROGRAM", &[("API", "CICSAPI", API)]);
    }

    #[test]
    fn execkey_of_a_program_is_user_or_cics() {
        check("PROGRAM", &[("EXECKEY", "USER", EXECKEY)]);
    }

    #[test]
    fn a_program_has_a_language_and_the_attributes_of_where_it_runs() {
        const LANGUAGE: Values = &[("COBOL", true), ("C", true), ("LE370", true), ("PLI", true), ("ASSEMBLER", true), ("JAVA", false)];
        const NAME: Values = &[("PROG0001", true), ("TOOLONGNAME", false)];
        check(
            "PROGRAM",
            &[
                ("LANGUAGE", "", LANGUAGE),
                ("JVM", "NO", &[("NO", true), ("YES", true), ("MAYBE", false)]),
                ("DATALOCATION", "ANY", &[("BELOW", true), ("ANY", true), ("ABOVE", false)]),
                ("CONCURRENCY", "QUASIRENT", CONCURRENCY),
                ("API", "CICSAPI", API),
                ("EXECKEY", "USER", EXECKEY),
                ("REMOTENAME", "", NAME),
                ("REMOTESYSTEM", "", &[("SYSB", true), ("SYSTEMB", false)]),
            ],
        );
    }

    #[test]
    fn runaway_of_a_transaction_is_system_zero_or_250_to_2700000() {
        const RUNAWAY: Values = &[("SYSTEM", true), ("0", true), ("249", false), ("250", true), ("2700000", true), ("2700001", false)];
        check("TRANSACTION", &[("RUNAWAY", "SYSTEM", RUNAWAY)]);
    }

    #[test]
    fn twasize_of_a_transaction_is_at_most_32767_below_or_above_16_mb() {
        check(
            "TRANSACTION",
            &[
                ("TWASIZE", "0", &[("0", true), ("32767", true), ("32768", false)]),
                ("TASKDATALOC", "ANY", &[("BELOW", true), ("ANY", true), ("ABOVE", false)]),
            ],
        );
    }

    #[test]
    fn dtimout_of_a_transaction_is_no_or_at_most_68_minutes() {
        check(
            "TRANSACTION",
            &[
                ("DTIMOUT", "NO", &[("NO", true), ("1", true), ("6800", true), ("6801", false)]),
                ("SPURGE", "YES", &[("YES", true), ("NO", true), ("1", false)]),
            ],
        );
    }

    #[test]
    fn an_lsrpool_has_a_number_strings_and_buffers_of_each_size() {
        const BUFFERS: Values = &[("2", false), ("3", true), ("32767", true), ("32768", false)];
        const HIPERSPACE: Values = &[("0", true), ("16777215", true), ("16777216", false)];
        check(
            "LSRPOOL",
            &[
                ("LSRPOOLNUM", "1", &[("0", false), ("1", true), ("255", true), ("256", false)]),
                ("STRINGS", "", &[("0", false), ("1", true), ("255", true), ("256", false)]),
                ("MAXKEYLENGTH", "", &[("0", true), ("255", true), ("256", false)]),
                ("SHARELIMIT", "50", &[("0", false), ("1", true), ("100", true), ("101", false)]),
            ],
        );
        for size in ["512", "1K", "2K", "4K", "8K", "12K", "16K", "20K", "24K", "28K", "32K"] {
            check("LSRPOOL", &[(&format!("DATA{size}"), "", BUFFERS), (&format!("INDEX{size}"), "", BUFFERS)]);
        }
        for size in ["4K", "8K", "12K", "16K", "20K", "24K", "28K", "32K"] {
            check("LSRPOOL", &[(&format!("HSDATA{size}"), "", HIPERSPACE), (&format!("HSINDEX{size}"), "", HIPERSPACE)]);
        }
        check("FILE", &[("LSRPOOLNUM", "1", &[("NONE", true), ("0", false), ("1", true), ("255", true), ("256", false)])]);
    }

    #[test]
    fn a_file_has_1_to_255_strings_and_buffers_to_match() {
        check(
            "FILE",
            &[
                ("STRINGS", "1", &[("0", false), ("1", true), ("255", true), ("256", false)]),
                ("DATABUFFERS", "2", &[("1", false), ("2", true), ("32767", true), ("32768", false)]),
                ("INDEXBUFFERS", "1", &[("0", false), ("1", true), ("32767", true), ("32768", false)]),
                ("DSNSHARING", "ALLREQS", &[("ALLREQS", true), ("MODIFYREQS", true), ("YES", false)]),
            ],
        );
    }

    /// The ranges of CREATE SESSIONS, CREATE TCPIPSERVICE and CREATE URIMAP.
    #[test]
    fn sessions_services_and_maps_have_numbers_of_their_ranges() {
        const SIZE: Values = &[("0", false), ("1", true), ("30720", true), ("30721", false)];
        const BYTE: Values = &[("0", true), ("255", true), ("256", false)];
        check("SESSIONS", &[("SENDSIZE", "4096", SIZE), ("RECEIVESIZE", "4096", SIZE)]);
        check("SESSIONS", &[("SESSPRIORITY", "0", BYTE), ("USERAREALEN", "0", BYTE), ("NEPCLASS", "0", BYTE)]);
        check("TCPIPSERVICE", &[("BACKLOG", "0", &[("0", true), ("32767", true), ("32768", false)])]);
        check("URIMAP", &[("SOCKETCLOSE", "0", &[("0", true), ("240000", true), ("240001", false)])]);
    }

    #[test]
    fn trigger_level_of_a_queue_is_0_to_32767() {
        check("TDQUEUE", &[("TRIGGERLEVEL", "1", &[("0", true), ("32767", true), ("32768", false)])]);
    }

    #[test]
    fn numbers_of_set_are_those_of_the_attributes() {
        for (resource, attribute, number, in_force) in [
            ("TRANSACTION", "RUNAWAY", 499, Some(250)),
            ("TRANSACTION", "RUNAWAY", 0, Some(0)),
            ("TRANSACTION", "RUNAWAY", 249, None),
            ("TRANSACTION", "PRIORITY", 255, Some(255)),
            ("TRANSACTION", "PRIORITY", 256, None),
            ("FILE", "STRINGS", 0, None),
            // NONE, NOLIMIT and NO.
            ("FILE", "LSRPOOLNUM", 0, Some(0)),
            ("FILE", "MAXNUMRECS", 0, Some(0)),
            ("TRANCLASS", "PURGETHRESH", 0, Some(0)),
            ("TRANCLASS", "PURGETHRESH", 1_000_001, None),
        ] {
            assert_eq!(accepted(resource, attribute, number), in_force, "{resource} {attribute}({number})");
        }
    }

    #[test]
    fn every_default_of_the_table_is_an_accepted_value() {
        for resource in resource_types() {
            for attribute in &resource.attributes {
                assert!(attribute.check(attribute.default).is_ok(), "{} {} {:?}", resource.name, attribute.name, attribute.default);
            }
        }
    }
}
