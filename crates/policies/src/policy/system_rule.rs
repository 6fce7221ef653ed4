//! What a system rule is about: the rows of `tables/system_rules.tsv`, and the condition of a rule.
//!
//! Invariant: a kind is the number of its row.

use super::filter::{Crossing, Filter};
use crate::xml;
use roxmltree::Node;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/system_rules.tsv");

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    pub kind: &'static str,
    pub condition: &'static str,
    filters: &'static str,
    /// The elements that compare the name, the state before and the state after.
    fields: [&'static str; 3],
}

/// All rows.
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.lines().filter(|line| !line.starts_with('#')).map(row).collect())
}

fn row(line: &'static str) -> Row {
    let columns: Vec<&'static str> = line.split('\t').collect();
    let [kind, condition, filters, name, from, to] = columns[..] else { panic!("system_rules.tsv: {line}") };
    Row { kind, condition, filters, fields: [name, from, to] }
}

/// The kinds of system rules, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    FileOpen,
    FileEnable,
    ProgramEnable,
    BundleEnable,
    BundleAvailable,
    Db2Connection,
    UnhandledAbend,
    Message,
    TaskThreshold,
    TranclassTaskThreshold,
    AidThreshold,
}

const KINDS: [(Kind, &str); 11] = [
    (Kind::FileOpen, "fileOpen"),
    (Kind::FileEnable, "fileEnable"),
    (Kind::ProgramEnable, "programEnable"),
    (Kind::BundleEnable, "bundleEnable"),
    (Kind::BundleAvailable, "bundleAvailable"),
    (Kind::Db2Connection, "db2Connection"),
    (Kind::UnhandledAbend, "unhandledAbend"),
    (Kind::Message, "message"),
    (Kind::TaskThreshold, "taskThreshold"),
    (Kind::TranclassTaskThreshold, "tranclassTaskThreshold"),
    (Kind::AidThreshold, "aidThreshold"),
];

impl Kind {
    pub fn row(self) -> &'static Row {
        &rows()[self as usize]
    }

    pub fn find(kind: &str) -> Option<Kind> {
        KINDS.iter().find(|(_, name)| *name == kind).map(|(kind, _)| *kind)
    }
}

/// The number of an element with the operator GT.
fn more_than(element: Node) -> Result<u32, String> {
    let (name, operator, value) =
        (element.tag_name().name(), xml::attribute(element, "filterOperator"), xml::attribute(element, "filterValue"));
    if operator != "GT" {
        return Err(format!("{operator} is not an operator of {name}: GT is expected"));
    }
    value.parse().map_err(|_| format!("{value} is not a number of {name}"))
}

/// What a system rule compares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Name, state before and state after.
    States([Filter; 3]),
    /// The percentage of MXT, or of MAXACTIVE of the classes that the filter accepts, goes above or below a value.
    Crossing(Filter, Crossing),
    /// There are more than this number.
    MoreThan(u32),
}

/// The condition of a system rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemCondition {
    pub kind: Kind,
    pub comparison: Comparison,
}

impl SystemCondition {
    /// The condition in an element.
    ///
    /// # Errors
    ///
    /// A filter is not known, or is missing.
    pub fn of(kind: Kind, condition: Node) -> Result<SystemCondition, String> {
        let row = kind.row();
        let filters = xml::child(condition, row.filters).ok_or_else(|| format!("{} has no {}", row.condition, row.filters))?;
        let unknown = xml::elements(filters).find(|element| !row.fields.contains(&element.tag_name().name()));
        if let Some(unknown) = unknown {
            return Err(format!("{} is not a filter of rule type {}", unknown.tag_name().name(), row.kind));
        }
        let threshold = || xml::child(filters, row.fields[1]).ok_or_else(|| format!("{} has no {}", row.filters, row.fields[1]));
        match kind {
            Kind::TaskThreshold | Kind::TranclassTaskThreshold => {
                let class = xml::child(filters, row.fields[0]).map_or(Ok(Filter::OFF), Filter::of)?;
                return Ok(SystemCondition { kind, comparison: Comparison::Crossing(class, Crossing::of(threshold()?)?) });
            }
            Kind::AidThreshold => return Ok(SystemCondition { kind, comparison: Comparison::MoreThan(more_than(threshold()?)?) }),
            _ => {}
        }
        let mut states = [Filter::OFF; 3];
        for (state, field) in states.iter_mut().zip(row.fields) {
            if let Some(element) = xml::child(filters, field) {
                *state = Filter::of(element)?;
            }
        }
        Ok(SystemCondition { kind, comparison: Comparison::States(states) })
    }

    /// Whether a change is meant: its name, the state before and the state after.
    pub fn accepts(&self, kind: Kind, change: [&str; 3]) -> bool {
        let Comparison::States(filters) = &self.comparison else { return false };
        self.kind == kind && filters.iter().zip(change).all(|(filter, value)| filter.accepts(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_the_rows_of_the_table_in_order() {
        for (number, (kind, name)) in KINDS.iter().enumerate() {
            assert_eq!((*kind as usize, rows()[number].kind), (number, *name));
        }
        assert_eq!(rows().len(), KINDS.len());
    }

    #[test]
    fn states_are_compared_with_their_filters() {
        let text = r#"<fileOpenCondition><fileOpenFilter><FILE filterFieldLength="8" filterOperator="SW" filterValue="XX1" keyword="FILE"/><FROM_OPENSTATUS filterFieldLength="16" filterOperator="EQ" filterValue="OPEN" keyword="FROM_OPENSTATUS"/><TO_OPENSTATUS filterOperator="OFF" filterValue="OPEN"/></fileOpenFilter></fileOpenCondition>"#;
        let document = xml::parse(text).unwrap();
        let condition = SystemCondition::of(Kind::FileOpen, document.root_element()).unwrap();
        assert!(condition.accepts(Kind::FileOpen, ["XX1FILE", "OPEN", "CLOSING"]));
        assert!(!condition.accepts(Kind::FileOpen, ["XX2FILE", "OPEN", "CLOSED"]));
        assert!(!condition.accepts(Kind::FileOpen, ["XX1FILE", "CLOSED", "OPEN"]));
        assert!(!condition.accepts(Kind::FileEnable, ["XX1FILE", "OPEN", "CLOSED"]));
        let other = text.replace("FILE filter", "PROGRAM filter");
        let other = xml::parse(&other).unwrap();
        assert!(SystemCondition::of(Kind::FileOpen, other.root_element()).unwrap_err().contains("PROGRAM is not a filter"));
    }
}
