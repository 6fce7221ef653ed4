//! The displays of the destinations of trace: AUXTRACE, GTFTRACE and INTTRACE are parts of TRACEDEST, under CEMT's own words ("CEMT SET AUXTRACE").

use super::resources::{Column, Shape, column};
use exec::option;

pub(super) const AUXTRACE: &[&[Column]] = &[
    &[
        column("Auxstatus", option::AUXSTATUS, Shape::Choice(&["AUXSTART", "AUXPAUSE", "AUXSTOP"])),
        column("Curauxds", option::CURAUXDS, Shape::Name(1)),
    ],
    &[
        column("Switchstatus", option::SWITCHSTATUS, Shape::Choice(&["NOSWITCH", "SWITCHNEXT", "SWITCHALL"])),
        column("Switchaction", option::SWITCHACTION, Shape::Action(&["SWITCH"])),
    ],
];

pub(super) const GTFTRACE: &[&[Column]] = &[&[column("Gtfstatus", option::GTFSTATUS, Shape::Choice(&["GTFSTART", "GTFSTOP"]))]];

pub(super) const INTTRACE: &[&[Column]] = &[&[
    column("Intstatus", option::INTSTATUS, Shape::Choice(&["INTSTART", "INTSTOP"])),
    column("Tablesize", option::TABLESIZE, Shape::Number(7)),
]];

/// CEMT's words for each display, and the options of SET TRACEDEST they stand for.
const WORDS: [(&str, &[(&str, &str)]); 3] = [
    (
        "AUXTRACE",
        &[
            ("START", "AUXSTART"),
            ("PAUSE", "AUXPAUSE"),
            ("STOP", "AUXSTOP"),
            ("NOSWITCH", "NOSWITCH"),
            ("NEXT", "SWITCHNEXT"),
            ("ALL", "SWITCHALL"),
            ("SWITCH", "SWITCH"),
        ],
    ),
    ("GTFTRACE", &[("START", "GTFSTART"), ("STOP", "GTFSTOP")]),
    ("INTTRACE", &[("START", "INTSTART"), ("STOP", "INTSTOP")]),
];

/// The option that a word of a resource stands for: as many of its letters are enough as tell it from the others.
pub(super) fn option_of(resource: &str, word: &str) -> Option<&'static str> {
    let (_, words) = WORDS.iter().find(|(keyword, _)| *keyword == resource)?;
    let mut fitting = words.iter().filter(|(known, _)| known.starts_with(word));
    let exact = words.iter().find(|(known, _)| *known == word);
    let only = fitting.next().filter(|_| fitting.next().is_none());
    exact.or(only).map(|(_, option)| *option)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "cemt s aux sto a": the example of CEMT SET AUXTRACE.
    #[test]
    fn words_are_those_of_cemt() {
        for (resource, word, option) in [
            ("AUXTRACE", "STO", Some("AUXSTOP")),
            ("AUXTRACE", "A", Some("SWITCHALL")),
            ("AUXTRACE", "ST", None),
            ("AUXTRACE", "SWITCH", Some("SWITCH")),
            ("INTTRACE", "STA", Some("INTSTART")),
            ("INTTRACE", "PAUSE", None),
            ("GTFTRACE", "STOP", Some("GTFSTOP")),
            ("FILE", "START", None),
        ] {
            assert_eq!(option_of(resource, word), option, "{resource} {word}");
        }
    }
}
