//! The capture points of application events: the rows of `tables/capture_points.tsv`.
//!
//! Source: CICS TS 5.5, "Application events"; each row tells how it is known. Invariant: commands and options of a row are those of the
//! catalogue, but for a row that is refused.

use exec::CommandId;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/capture_points.tsv");
const REFUSED: &str = "refused";

/// When an event is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The command is about to be executed.
    Before,
    /// It has been executed.
    After,
    /// A program starts.
    Start,
}

impl When {
    fn name(self) -> &'static str {
        match self {
            When::Before => "before",
            When::After => "after",
            When::Start => "start",
        }
    }
}

/// A source of application data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Commarea,
    Channel,
    FromChannel,
    From,
    IntoSet,
    Ridfld,
    Text,
}

const PLACES: [(&str, Place); 9] = [
    ("COMMAREA", Place::Commarea),
    ("CHANNEL", Place::Channel),
    ("FROMCHANNEL", Place::FromChannel),
    ("FROM", Place::From),
    ("INTO-SET", Place::IntoSet),
    ("INTO", Place::IntoSet),
    ("SET", Place::IntoSet),
    ("RIDFLD", Place::Ridfld),
    ("TEXT", Place::Text),
];

impl Place {
    pub fn find(name: &str) -> Option<Place> {
        PLACES.iter().find(|(known, _)| *known == name).map(|(_, place)| *place)
    }

    /// As LOCATION of INQUIRE has it.
    pub fn name(self) -> &'static str {
        PLACES.iter().find(|(_, place)| *place == self).map_or("", |(name, _)| name)
    }

    /// Its data is in containers.
    pub fn is_channel(self) -> bool {
        matches!(self, Place::Channel | Place::FromChannel)
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Point {
    /// As CAPTUREPOINT of INQUIRE has it.
    pub name: &'static str,
    verb: &'static str,
    adverb: &'static str,
    element: &'static str,
    pub commands: Vec<CommandId>,
    when: &'static str,
    /// The option of the primary predicate; without one, that is the current program.
    pub primary: Option<&'static str>,
    pub options: Vec<&'static str>,
    pub data: Vec<Place>,
    /// The region has the command.
    pub is_available: bool,
}

impl Point {
    pub fn allows(&self, when: When) -> bool {
        self.when.split(' ').any(|allowed| allowed == when.name())
    }

    pub fn is_program_start(&self) -> bool {
        self.allows(When::Start)
    }

    /// The point of a location in an event binding: by its verb and adverb, or by its element.
    pub fn find(verb: &str, adverb: &str, element: &str) -> Option<&'static Point> {
        let of_verb = || points().iter().filter(|point| point.verb == verb);
        let exact = of_verb().find(|point| point.adverb == adverb);
        // A verb with one point needs no adverb.
        let alone = || if of_verb().count() == 1 { of_verb().next() } else { None };
        exact.or_else(alone).or_else(|| points().iter().find(|point| point.element == element))
    }
}

fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(' ').filter(|word| *word != "-")
}

/// All rows.
pub fn points() -> &'static [Point] {
    static POINTS: OnceLock<Vec<Point>> = OnceLock::new();
    POINTS.get_or_init(|| TABLE.lines().filter(|line| !line.starts_with('#')).map(row).collect())
}

fn row(line: &'static str) -> Point {
    let columns: Vec<&'static str> = line.split('\t').collect();
    let [name, verb, adverb, element, commands, when, primary, options, data, known] = columns[..] else {
        panic!("capture_points.tsv: {line}")
    };
    let is_available = known != REFUSED;
    let command = |name: &'static str| exec::command_by_name(name).unwrap_or_else(|| panic!("no command {name}")).id;
    Point {
        name,
        verb,
        adverb: if adverb == "-" { "" } else { adverb },
        element,
        commands: if is_available { commands.split('/').filter(|name| *name != "-").map(command).collect() } else { Vec::new() },
        when,
        primary: words(primary).next(),
        options: words(options).collect(),
        data: words(data).filter_map(Place::find).collect(),
        is_available,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_about_commands_that_there_are() {
        for point in points().iter().filter(|point| point.is_available) {
            assert!(!point.commands.is_empty() || point.is_program_start(), "{}", point.name);
            for command in &point.commands {
                assert!(exec::implemented(*command), "{}", command.name());
            }
            for option in &point.options {
                let has = |command: &CommandId| command.spec().option_by_name(option).is_some();
                assert!(point.is_program_start() || point.commands.iter().any(has), "{} {option}", point.name);
            }
            assert!(point.primary.is_none_or(|primary| point.options.contains(&primary)), "{}", point.name);
        }
    }

    #[test]
    fn a_location_is_found_by_its_verb_or_by_its_element() {
        let name = |verb, adverb, element| Point::find(verb, adverb, element).map(|point| point.name);
        assert_eq!(name("LINK", "PROGRAM", "linkCommand"), Some("LINK_PROGRAM"));
        assert_eq!(name("RECEIVE", "", "x"), Some("RECEIVE"));
        assert_eq!(name("RECEIVE", "MAP", "x"), Some("RECEIVE_MAP"));
        assert_eq!(name("REWRITE", "", "x"), Some("REWRITE"));
        assert_eq!(name("", "", "xctlCommand"), Some("XCTL"));
        assert_eq!(name("LOAD", "PROGRAM", "loadCommand"), None);
        assert!(!Point::find("XCTL", "PROGRAM", "").unwrap().allows(When::After));
    }
}
