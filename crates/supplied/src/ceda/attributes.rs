//! The panel of the attributes of one definition: a line for each, `PROFile      ==> DFHCICST`, its choices beside it.
//!
//! A colon instead of the arrow marks what cannot be typed over: the name and the group of a definition that is in the CSD, and everything of
//! VIEW.

use super::vocabulary::{self, Verb, attribute_names, capitalized, choices};
use csd::Definition;
use csd::attributes::{Attribute, Kind, ResourceType, resource_types};

/// Columns of a line: the label, the arrow or colon, the value, the choices.
pub const LABEL: u16 = 5;
pub const ARROW: u16 = 18;
pub const VALUE: u16 = 22;
pub const CHOICES: u16 = 41;
/// The last column of a panel.
const LAST: u16 = 79;
/// Lines of the longest values.
const PARTS_MAX: usize = 5;

const HEADINGS: &str = include_str!("../../tables/ceda_headings.tsv");

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Name,
    Group,
    /// Part of the value of the attribute with this number.
    Attribute(usize, usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    Heading(&'static str),
    Value {
        label: String,
        subject: Subject,
        text: String,
        length: u16,
        open: bool,
        choices: String,
    },
    /// The rest of the choices of the line above.
    Choices(String),
}

/// A definition on a panel.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub verb: Verb,
    pub definition: Definition,
    /// It is in the CSD under this name and group.
    pub is_defined: bool,
}

/// `CEDA  DEFine PROGram( DB2PGM1  )`
pub fn title(transaction: &str, sheet: &Sheet) -> String {
    let verbs = || Verb::ALL.iter().map(|verb| verb.name());
    let types = || resource_types().iter().map(|of| of.name);
    let of = sheet.definition.resource;
    format!("{transaction}  {} {}( {:8} )", capitalized(sheet.verb.name(), verbs()), capitalized(of.name, types()), sheet.definition.name)
}

pub fn lines(sheet: &Sheet) -> Vec<Line> {
    let definition = &sheet.definition;
    let of = definition.resource;
    let types = || resource_types().iter().map(|of| of.name);
    let label = |name: &str| capitalized(name, attribute_names(of));
    let open = !sheet.is_defined;
    let own = |label: String, subject, text: &str, length| Line::Value {
        label,
        subject,
        text: text.to_string(),
        length,
        open,
        choices: String::new(),
    };
    let mut lines = vec![
        own(capitalized(of.name, types()), Subject::Name, &definition.name, of.name_length_max.min(32) as u16),
        own(label("GROUP"), Subject::Group, &definition.group, 8),
    ];
    for (number, attribute) in of.attributes.iter().enumerate() {
        lines.extend(heading(of, attribute).map(Line::Heading));
        lines.extend(attribute_lines(sheet, number, attribute, label(attribute.name)));
    }
    lines
}

/// The heading above an attribute.
fn heading(of: &ResourceType, attribute: &Attribute) -> Option<&'static str> {
    let rows = HEADINGS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut fitting = rows.filter(|row| row[0] == of.name && row[1] == attribute.name);
    fitting.next().and_then(|row| row.get(2).copied())
}

fn attribute_lines(sheet: &Sheet, number: usize, attribute: &Attribute, label: String) -> Vec<Line> {
    let value = vocabulary::shown(attribute, sheet.definition.get(attribute.name));
    let open = sheet.verb != Verb::View;
    let (length, rest) = match attribute.kind {
        Kind::Choice { .. } => (CHOICES - VALUE - 1, 0),
        Kind::Text(length) | Kind::Mixed(length) => lengths(length),
        Kind::DataSet(_) => lengths(255),
    };
    let mut texts = chunks(&value, usize::from(length));
    texts.resize(texts.len().max(1 + rest).min(PARTS_MAX), String::new());
    let mut choices = wrapped(&choices(attribute), usize::from(LAST - CHOICES)).into_iter();
    let mut lines = Vec::new();
    for (part, text) in texts.into_iter().enumerate() {
        let label = if part == 0 { label.clone() } else { String::new() };
        let choices = choices.next().unwrap_or_default();
        lines.push(Line::Value { label, subject: Subject::Attribute(number, part), text, length, open, choices });
    }
    lines.extend(choices.map(Line::Choices));
    lines
}

/// Characters of a line for a value of this length, and the lines after it.
fn lengths(length: usize) -> (u16, usize) {
    let room = usize::from(LAST - VALUE + 1);
    if length <= room { (length as u16, 0) } else { (room as u16 - 1, length.div_ceil(room - 1) - 1) }
}

fn chunks(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length.max(1)).map(|chunk| chunk.iter().collect()).collect()
}

/// `A | B`, in lines that break before a bar.
fn wrapped(choices: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for choice in choices {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + choice.chars().count() <= width => line.push_str(&format!(" | {choice}")),
            Some(_) => lines.push(format!("| {choice}")),
            None => lines.push(choice.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use csd::attributes::resource_type;

    fn sheet(of: &str, verb: Verb, is_defined: bool) -> Sheet {
        Sheet { verb, definition: Definition::new(of, "ABC", "G1"), is_defined }
    }

    fn shown(line: &Line) -> String {
        match line {
            Line::Heading(text) => (*text).to_string(),
            Line::Choices(text) => format!("{:36}{text}", ""),
            Line::Value { label, text, open, choices, .. } => {
                let arrow = if *open { "==>" } else { "  :" };
                format!("{label:13}{arrow} {text:19}{choices}").trim_end().to_string()
            }
        }
    }

    #[test]
    fn a_panel_looks_as_in_cics() {
        let sheet = sheet("PROGRAM", Verb::Define, true);
        assert_eq!(title("CEDA", &sheet), "CEDA  DEFine PROGram( ABC      )");
        let text: Vec<String> = lines(&sheet).iter().map(shown).collect();
        assert_eq!(text[0], "PROGram        : ABC");
        assert_eq!(text[1], "Group          : G1");
        assert_eq!(text[2], "DEscription  ==>");
        assert!(text.contains(&"RELoad       ==> No                 No | Yes".to_string()), "{text:#?}");
        assert!(text.contains(&"REMOTE ATTRIBUTES".to_string()), "{text:#?}");
    }

    #[test]
    fn a_new_definition_is_open_and_one_that_is_viewed_is_not() {
        assert_eq!(shown(&lines(&sheet("MAPSET", Verb::Define, false))[0]), "MApset       ==> ABC");
        let text: Vec<String> = lines(&sheet("MAPSET", Verb::View, true)).iter().map(shown).collect();
        assert!(text.iter().all(|line| !line.contains("==>")), "{text:#?}");
    }

    #[test]
    fn choices_break_before_a_bar() {
        let choices: Vec<String> = ["Userid", "Opid", "Group", "Sign", "TErm", "TX"].map(String::from).to_vec();
        assert_eq!(wrapped(&choices, 36), ["Userid | Opid | Group | Sign | TErm", "| TX"]);
        let database = resource_type("FILE").unwrap();
        assert!(database.attributes.iter().all(|attribute| lengths(58).0 == 58 && !attribute.name.is_empty()));
    }

    #[test]
    fn every_heading_is_above_an_attribute() {
        for line in HEADINGS.lines().filter(|line| !line.starts_with('#')) {
            let row: Vec<&str> = line.split('\t').collect();
            let of = resource_type(row[0]).unwrap_or_else(|| panic!("{line}"));
            assert!(row.len() == 3 && of.attributes.iter().any(|attribute| attribute.name == row[1]), "{line}");
        }
    }
}
