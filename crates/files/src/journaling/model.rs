//! JOURNALMODELs.

use super::journal::JournalType;
use csd::Definition;
use region::Region;
use region::name::Name8;
use vsam::disk::names::is_plain_name;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub name: Name8,
    /// JOURNALNAME: `+` matches any character, a final `*` any characters.
    pub pattern: String,
    /// STREAMNAME with its symbols.
    pub stream: String,
    pub kind: JournalType,
}

impl Model {
    pub fn from(definition: &Definition) -> Model {
        let pattern = definition.get("JOURNALNAME");
        let stream = definition.get("STREAMNAME");
        Model {
            name: definition.name.as_str().into(),
            pattern: if pattern.is_empty() { definition.name.to_string() } else { pattern.to_string() },
            stream: if stream.is_empty() { "&USERID..&APPLID..&JNAME".to_string() } else { stream.to_string() },
            kind: match definition.get("TYPE") {
                "SMF" => JournalType::Smf,
                "DUMMY" => JournalType::Dummy,
                _ => JournalType::Mvs,
            },
        }
    }

    pub fn matches(&self, name: Name8) -> bool {
        let (pattern, open) = match self.pattern.trim().strip_suffix('*') {
            Some(front) => (front, true),
            None => (self.pattern.trim(), false),
        };
        let name = name.as_str().trim_end();
        let fits = name.chars().zip(pattern.chars()).all(|(letter, wanted)| wanted == '+' || wanted == letter);
        fits && if open { name.len() >= pattern.len() } else { name.len() == pattern.len() }
    }

    /// Of two matching models, the one with more characters that are not wild cards is more specific.
    pub fn weight(&self) -> usize {
        self.pattern.chars().filter(|letter| !matches!(letter, '+' | '*')).count()
    }

    /// A template that can never give the name of a log stream is refused.
    pub fn check_stream(&self) -> Result<(), String> {
        let is_letter = |letter: char| is_plain_name(letter.encode_utf8(&mut [0; 4])) || matches!(letter, '.' | '&');
        if self.stream.to_uppercase().chars().all(is_letter) {
            return Ok(());
        }
        Err(format!(
            "STREAMNAME({}): names of log streams have letters, digits, $ @ #, periods between qualifiers and symbols",
            self.stream
        ))
    }

    pub fn stream_for(&self, region: &Region, journal: Name8) -> String {
        substituted(&self.stream, region, journal)
    }
}

fn substituted(stream: &str, region: &Region, journal: Name8) -> String {
    let mut name = stream.to_uppercase();
    let values = [
        ("&USERID", region.default_user.as_str()),
        ("&APPLID", region.applid.as_str()),
        ("&JNAME", journal.as_str()),
        ("&SYSID", region.sysid.as_str()),
    ];
    for (symbol, value) in values {
        // A symbol ends with a full stop, which is removed with it.
        name = name.replace(&format!("{symbol}."), value.trim_end()).replace(symbol, value.trim_end());
    }
    name
}

/// The stream of a journal without a model.
pub fn default_stream(region: &Region, journal: Name8) -> String {
    substituted("&USERID..&APPLID..&JNAME", region, journal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(pattern: &str) -> Model {
        Model::from(&Definition::new("JOURNALMODEL", "M", "G").with("JOURNALNAME", pattern))
    }

    #[test]
    fn patterns_match_as_csd_says() {
        for (pattern, name, matches) in [
            ("DFHJ05", "DFHJ05", true),
            ("DFHJ05", "DFHJ051", false),
            ("DFHJ+5", "DFHJ05", true),
            ("DFHJ*", "DFHJ05", true),
            ("DFHJ*", "DFHJ", true),
            ("*", "ANY", true),
            ("DFHJ+", "DFHJ", false),
        ] {
            assert_eq!(model(pattern).matches(Name8::new(name)), matches, "{pattern} {name}");
        }
        assert!(model("DFHJ05").weight() > model("DFHJ*").weight());
    }
}
