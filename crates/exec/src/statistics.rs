//! The statistics records (`tables/statistics.tsv`): the fields of each, their positions, and their values after a reset of statistics.
//!
//! Names, identifiers and order are those of the DSECTs (Reference, "CICS statistics data section", "Data areas"). The copy members of
//! programs and the records of the region come from the same rows.
//!
//! Invariant: fields follow each other without gaps except for alignment; a binary field lies on the boundary of its length.

use std::fmt::Write as _;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../tables/statistics.tsv");

/// The format of a field's value in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatisticsFormat {
    /// A binary number of so many bytes.
    Number(usize),
    Text(usize),
    /// A store clock.
    Time,
    /// A time that has passed, in the units of the store clock.
    Interval,
    Reserved(usize),
}

impl StatisticsFormat {
    fn parse(text: &str) -> Self {
        let length = || text[1..].parse().expect("a length");
        match &text[..1] {
            "b" => Self::Number(1),
            "h" => Self::Number(2),
            "f" => Self::Number(4),
            "d" => Self::Number(8),
            "t" => Self::Time,
            "i" => Self::Interval,
            "c" => Self::Text(length()),
            "r" => Self::Reserved(length()),
            other => panic!("format {other} of statistics"),
        }
    }

    pub fn length(self) -> usize {
        match self {
            Self::Number(length) | Self::Text(length) | Self::Reserved(length) => length,
            Self::Time | Self::Interval => 8,
        }
    }

    /// The PICTURE of the field in a COBOL copy member.
    fn picture(self) -> String {
        match self {
            Self::Number(1) => "X".to_string(),
            Self::Number(2) => "9(4) COMP".to_string(),
            Self::Number(4) => "9(8) COMP".to_string(),
            Self::Number(_) => "9(18) COMP".to_string(),
            Self::Text(length) | Self::Reserved(length) => format!("X({length})"),
            Self::Time | Self::Interval => "X(8)".to_string(),
        }
    }
}

/// The effect of a reset on a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatisticsReset {
    No,
    ToZero,
    /// A peak becomes the present value.
    ToCurrent,
    /// The maximum starts again from zero.
    ToNone,
}

#[derive(Debug)]
pub struct StatisticsField {
    /// `-`: reserved.
    pub name: &'static str,
    pub format: StatisticsFormat,
    pub reset: StatisticsReset,
    pub offset: usize,
    pub meaning: &'static str,
}

/// A record, or the part of one that is repeated at its end.
#[derive(Debug)]
pub struct StatisticsStructure {
    /// The copy member that has it.
    pub member: &'static str,
    pub name: &'static str,
    /// STID; a repeated part has none.
    pub identifier: Option<u16>,
    pub fields: Vec<StatisticsField>,
}

impl StatisticsStructure {
    pub fn length(&self) -> usize {
        self.fields.last().map_or(0, |field| field.offset + field.format.length())
    }

    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}

/// All structures, in the order of the table.
fn statistics_structures() -> &'static [StatisticsStructure] {
    static STRUCTURES: OnceLock<Vec<StatisticsStructure>> = OnceLock::new();
    STRUCTURES.get_or_init(|| {
        let mut structures: Vec<StatisticsStructure> = Vec::new();
        for line in TABLE.lines().skip(1).filter(|line| !line.is_empty()) {
            let cells: Vec<&'static str> = line.split('\t').collect();
            if structures.last().is_none_or(|last| last.name != cells[1]) {
                structures.push(StatisticsStructure {
                    member: cells[0],
                    name: cells[1],
                    identifier: cells[2].parse().ok(),
                    fields: Vec::new(),
                });
            }
            let reset = match cells[5] {
                "zero" => StatisticsReset::ToZero,
                "current" => StatisticsReset::ToCurrent,
                "none" => StatisticsReset::ToNone,
                _ => StatisticsReset::No,
            };
            let structure = structures.last_mut().expect("a structure was pushed");
            let offset = structure.length();
            let format = StatisticsFormat::parse(cells[4]);
            structure.fields.push(StatisticsField { name: cells[3], format, reset, offset, meaning: cells[6] });
        }
        structures
    })
}

pub fn statistics_structure(name: &str) -> Option<&'static StatisticsStructure> {
    statistics_structures().iter().find(|structure| structure.name == name)
}

/// The COBOL copy member of that name, in fixed format.
pub fn statistics_member(name: &str) -> Option<String> {
    let mut text = String::new();
    for structure in statistics_structures().iter().filter(|structure| structure.member == name) {
        let _ = writeln!(text, "       01  {}.", structure.name);
        for field in &structure.fields {
            let cobol = if field.name == "-" { "FILLER".to_string() } else { field.name.replace('_', "-") };
            let _ = writeln!(text, "           02  {cobol:<28} PIC {}.", field.format.picture());
        }
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn fields_are_named_once_and_aligned() {
        let mut names = HashSet::new();
        for structure in statistics_structures() {
            assert!(names.insert(structure.name), "{} twice", structure.name);
            for field in &structure.fields {
                assert!(field.name == "-" || names.insert(field.name), "{} twice", field.name);
                if let StatisticsFormat::Number(length) = field.format {
                    assert_eq!(field.offset % length.min(4), 0, "{} is not aligned", field.name);
                }
            }
            assert_eq!(structure.length() % 4, 0, "{} ends between words", structure.name);
        }
    }

    /// Offsets of DFHTSGDS and DFHSTGDS in the data areas book.
    #[test]
    fn fields_lie_where_the_dsects_have_them() {
        for (structure, field, offset) in [
            ("DFHTSGDS", "TSGID", 2),
            ("DFHTSGDS", "TSGDVERS", 4),
            ("DFHTSGDS", "TSGSTA5F", 0x08),
            ("DFHTSGDS", "TSGNMG", 0x0C),
            ("DFHTSGDS", "TSGSTA7F", 0x14),
            ("DFHTSGDS", "TSGQINH", 0x20),
            ("DFHTSGDS", "TSGSTA3F", 0x28),
            ("DFHTSGDS", "TSGCSZ", 0x30),
            ("DFHTSGDS", "TSGNCIAH", 0x3C),
            ("DFHMNGDS", "MNGSMFNC", 0x20),
            ("DFHMNGDS", "MNGIRS", 0x34),
            ("DFHMNGDS", "MNGDPLRL", 0x3C),
            ("DFHMNGDS", "MNGMRCMP", 0x44),
            // Offsets for a reader of SMF records, less the 20 bytes by which its header is longer.
            ("DFHLDGDS", "LDGLLR", 0x1C - 20),
            ("DFHLDGDS", "LDGWLRHW", 0x2C - 20),
            ("DFHLDGDS", "LDGLSORT", 0x4C - 20),
            ("DFHLDGDS", "LDGLBSOU", 0x54 - 20),
            ("DFHSTGDS", "STGLDW", 0x10),
            ("DFHSTGDS", "STGSMFS", 0x18),
        ] {
            let structure = statistics_structure(structure).unwrap();
            assert_eq!(structure.fields[structure.field(field).unwrap()].offset, offset, "{field}");
        }
        assert_eq!(statistics_structure("DFHTSGDS").unwrap().identifier, Some(48));
        assert_eq!(statistics_structure("DFHA17DS").unwrap().identifier, Some(67));
        for (structure, identifier) in [("DFHMNGDS", 81), ("DFHNQGDS", 97), ("DFHRMGDS", 99), ("DFHA06DS", 34), ("DFHLDGDS", 30)] {
            assert_eq!(statistics_structure(structure).unwrap().identifier, Some(identifier), "{structure}");
        }
    }
}
