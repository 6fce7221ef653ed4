//! The words of CEDA: its commands and their operands, resource types and attributes. Any may be cut to the fewest letters that tell it from the
//! others in its place; displays show these as capitals ("Abbreviating CEDA commands").

use csd::attributes::{Attribute, Kind, ResourceType, resource_types};

/// What CEDA can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Add,
    Alter,
    Append,
    Check,
    Copy,
    Define,
    Delete,
    Display,
    Expand,
    Install,
    Lock,
    Move,
    Remove,
    Rename,
    Unlock,
    Userdefine,
    View,
}

impl Verb {
    pub const ALL: [Verb; 17] = [
        Verb::Add,
        Verb::Alter,
        Verb::Append,
        Verb::Check,
        Verb::Copy,
        Verb::Define,
        Verb::Delete,
        Verb::Display,
        Verb::Expand,
        Verb::Install,
        Verb::Lock,
        Verb::Move,
        Verb::Remove,
        Verb::Rename,
        Verb::Unlock,
        Verb::Userdefine,
        Verb::View,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Verb::Add => "ADD",
            Verb::Alter => "ALTER",
            Verb::Append => "APPEND",
            Verb::Check => "CHECK",
            Verb::Copy => "COPY",
            Verb::Define => "DEFINE",
            Verb::Delete => "DELETE",
            Verb::Display => "DISPLAY",
            Verb::Expand => "EXPAND",
            Verb::Install => "INSTALL",
            Verb::Lock => "LOCK",
            Verb::Move => "MOVE",
            Verb::Remove => "REMOVE",
            Verb::Rename => "RENAME",
            Verb::Unlock => "UNLOCK",
            Verb::Userdefine => "USERDEFINE",
            Verb::View => "VIEW",
        }
    }

    /// Operands other than resource types, and whether it takes those.
    pub fn operands(self) -> (&'static [Operand], bool) {
        use Operand::*;
        match self {
            Verb::Add => (&[Group, List, After, Before], false),
            Verb::Append => (&[List, To], false),
            Verb::Check => (&[Group, List, Remotesystem], false),
            Verb::Copy => (&[All, Group, To, As, Replace, Merge], true),
            Verb::Define | Verb::Userdefine | Verb::Alter | Verb::View => (&[Group], true),
            Verb::Delete => (&[All, Group, List, Remove], true),
            Verb::Display | Verb::Expand => (&[All, Group, List], true),
            Verb::Install => (&[All, Group, List], true),
            Verb::Lock | Verb::Unlock => (&[Group, List], false),
            Verb::Move => (&[All, Group, To, As, Replace, Merge, Remove], true),
            Verb::Remove => (&[Group, List], false),
            Verb::Rename => (&[Group, As], true),
        }
    }

    /// Whether its panel has the attributes of one resource type.
    pub fn has_attributes(self) -> bool {
        matches!(self, Verb::Define | Verb::Userdefine | Verb::Alter | Verb::View)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    After,
    All,
    As,
    Before,
    Group,
    List,
    Merge,
    Remotesystem,
    Remove,
    Replace,
    To,
}

impl Operand {
    pub fn name(self) -> &'static str {
        match self {
            Operand::After => "AFTER",
            Operand::All => "ALL",
            Operand::As => "AS",
            Operand::Before => "BEFORE",
            Operand::Group => "GROUP",
            Operand::List => "LIST",
            Operand::Merge => "MERGE",
            Operand::Remotesystem => "REMOTESYSTEM",
            Operand::Remove => "REMOVE",
            Operand::Replace => "REPLACE",
            Operand::To => "TO",
        }
    }

    /// Whether it is there or not, without a value.
    pub fn is_switch(self) -> bool {
        matches!(self, Operand::Merge | Operand::Remove | Operand::Replace)
    }
}

/// A word with its fewest letters as capitals: `TRANSaction`.
pub fn capitalized<'a>(word: &str, among: impl Iterator<Item = &'a str> + Clone) -> String {
    let letters = (1..word.len()).find(|&count| among.clone().filter(|other| other.starts_with(&word[..count])).take(2).count() < 2);
    let (must, may) = word.split_at(letters.unwrap_or(word.len()));
    format!("{must}{}", may.to_ascii_lowercase())
}

/// The only one of these words that begins so, or the one that is the word itself.
pub fn only<'a>(typed: &str, among: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if let Some(exact) = among.clone().find(|word| *word == typed) {
        return Some(exact);
    }
    let mut fitting = among.filter(|word| !typed.is_empty() && word.starts_with(typed));
    fitting.next().filter(|_| fitting.next().is_none())
}

pub fn verb(typed: &str) -> Option<Verb> {
    let name = only(typed, Verb::ALL.iter().map(|verb| verb.name()))?;
    Verb::ALL.into_iter().find(|verb| verb.name() == name)
}

/// The names of an operand's place: the operands of the verb, and the types if it takes them.
pub fn operand_names(verb: Verb) -> impl Iterator<Item = &'static str> + Clone {
    let (operands, types) = verb.operands();
    operands.iter().map(|operand| operand.name()).chain(resource_types().iter().filter(move |_| types).map(|of| of.name))
}

/// What an operand of a verb is.
#[derive(Clone, Copy, Debug)]
pub enum Meant {
    Operand(Operand),
    Type(&'static ResourceType),
}

pub fn operand(verb: Verb, typed: &str) -> Option<Meant> {
    // The usual short forms of types, as PROG and TRAN, name types even where they begin others.
    let by_usual = || csd::attributes::resource_type(typed).filter(|_| verb.operands().1).map(|of| of.name);
    let name = only(typed, operand_names(verb)).or_else(by_usual)?;
    let operand = verb.operands().0.iter().find(|operand| operand.name() == name);
    operand.map(|operand| Meant::Operand(*operand)).or_else(|| csd::attributes::resource_type(name).map(Meant::Type))
}

/// The names of a definition panel: the type, GROUP, and the attributes.
pub fn attribute_names(of: &'static ResourceType) -> impl Iterator<Item = &'static str> + Clone {
    [of.name, "GROUP"].into_iter().chain(of.attributes.iter().map(|attribute| attribute.name))
}

/// The attribute that a word names, by the fewest letters, or by a name of an earlier release.
pub fn attribute(of: &'static ResourceType, typed: &str) -> Option<&'static Attribute> {
    let name = only(typed, attribute_names(of));
    if let Some(found) = name.and_then(|name| of.attributes.iter().find(|attribute| attribute.name == name)) {
        return Some(found);
    }
    match of.attribute(typed) {
        csd::attributes::Match::Attribute(found) => of.attributes.iter().find(|attribute| attribute.name == found.name),
        _ => None,
    }
}

/// A value as typed, in full if it is the beginning of one word that the attribute accepts.
pub fn value_in_full(attribute: &Attribute, typed: &str) -> String {
    match &attribute.kind {
        Kind::Choice { words, .. } => {
            let folded = typed.trim().to_ascii_uppercase();
            only(&folded, words.iter().copied()).map_or(folded.clone(), str::to_string)
        }
        _ => typed.trim().to_string(),
    }
}

/// A value as it is shown: `Enabled`, `00000`; a number has the digits of the largest.
pub fn shown(attribute: &Attribute, value: &str) -> String {
    let Kind::Choice { words, ranges } = &attribute.kind else { return value.to_string() };
    if words.contains(&value) {
        let (first, rest) = value.split_at(1.min(value.len()));
        return format!("{first}{}", rest.to_ascii_lowercase());
    }
    let digits = ranges.iter().map(|range| range.high.to_string().len()).max().unwrap_or(0);
    match value.parse::<u64>() {
        Ok(number) => format!("{number:0digits$}"),
        Err(_) => value.to_string(),
    }
}

/// `Enabled | Disabled`, `0-32767`: what an attribute accepts, as choices.
pub fn choices(attribute: &Attribute) -> Vec<String> {
    let Kind::Choice { words, ranges } = &attribute.kind else { return Vec::new() };
    let range = |range: &csd::range::Range| match range.low == range.high {
        true => range.low.to_string(),
        false => format!("{}-{}", range.low, range.high),
    };
    words.iter().map(|word| capitalized(word, words.iter().copied())).chain(ranges.iter().map(range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use csd::attributes::resource_type;

    #[test]
    fn verbs_are_cut_to_the_fewest_letters() {
        for (typed, meant) in [
            ("DEF", Some(Verb::Define)),
            ("AD", Some(Verb::Add)),
            ("A", None),
            ("E", Some(Verb::Expand)),
            ("I", Some(Verb::Install)),
            ("US", Some(Verb::Userdefine)),
            ("REM", Some(Verb::Remove)),
            ("DIS", Some(Verb::Display)),
            ("DE", None),
        ] {
            assert_eq!(verb(typed), meant, "{typed}");
        }
        let all = || Verb::ALL.iter().map(|verb| verb.name());
        let shown: Vec<String> = all().map(|name| capitalized(name, all())).collect();
        assert_eq!(shown[..6], ["ADd", "ALter", "APpend", "CHeck", "COpy", "DEFine"]);
        assert!(shown.contains(&"REName".to_string()) && shown.contains(&"USerdefine".to_string()));
    }

    /// As the panels of CICS show them.
    #[test]
    fn attributes_have_the_capitals_of_the_panels() {
        let program = resource_type("PROGRAM").unwrap();
        let shown = |of: &'static ResourceType, name: &str| capitalized(name, attribute_names(of));
        for (name, expected) in [
            ("DESCRIPTION", "DEscription"),
            ("LANGUAGE", "Language"),
            ("RELOAD", "RELoad"),
            ("RESIDENT", "RESident"),
            ("USAGE", "USAge"),
            ("USELPACOPY", "USElpacopy"),
            ("CEDF", "CEdf"),
            ("EXECKEY", "EXECKey"),
            ("CONCURRENCY", "COncurrency"),
            ("GROUP", "Group"),
        ] {
            assert_eq!(shown(program, name), expected);
        }
        let transaction = resource_type("TRANSACTION").unwrap();
        assert_eq!(shown(transaction, "TASKDATALOC"), "TASKDATALoc");
        let types = || resource_types().iter().map(|of| of.name);
        assert_eq!(["PROGRAM", "TRANSACTION", "FILE"].map(|name| capitalized(name, types())), ["PROGram", "TRANSaction", "File"]);
        assert_eq!(attribute(program, "L").map(|found| found.name), Some("LANGUAGE"));
        assert!(matches!(operand(Verb::Install, "PROG"), Some(Meant::Type(of)) if of.name == "PROGRAM"));
        assert!(matches!(operand(Verb::Install, "G"), Some(Meant::Operand(Operand::Group))));
    }

    #[test]
    fn values_are_shown_and_typed() {
        let transaction = resource_type("TRANSACTION").unwrap();
        let of = |name: &str| transaction.attributes.iter().find(|attribute| attribute.name == name).unwrap();
        assert_eq!((shown(of("TWASIZE"), "0").as_str(), shown(of("STATUS"), "ENABLED").as_str()), ("00000", "Enabled"));
        assert_eq!(choices(of("STATUS")), ["Enabled", "Disabled"]);
        assert_eq!((value_in_full(of("STATUS"), "d"), value_in_full(of("PROGRAM"), "x ")), ("DISABLED".to_string(), "x".to_string()));
    }
}
