//! DFHPSD and DFHPDI: partition sets ("Partition set definition").

use super::{Assembler, numbers};
use crate::capabilities::ScreenSize;
use crate::diagnostic::Severity;
use crate::operand::Operand;
use crate::partition::{CharacterSize, PARTITIONS_MAX, Partition, PartitionSet};
use crate::source::Statement;

/// Characters of the names.
const SET_NAME_LENGTH_MAX: usize = 6;
const NAME_LENGTH_MAX: usize = 2;
/// Lines and columns of a screen with partitions.
const SIDE_MAX: u32 = 255;
/// Picture elements of a character.
const CHARACTER_SIDE_MAX: u32 = 32;

/// The partition set at hand.
#[derive(Default)]
pub(super) struct SetAtHand {
    set: PartitionSet,
    /// ALTSCRN.
    screen: Option<ScreenSize>,
    character_size: Option<CharacterSize>,
}

impl Assembler<'_> {
    pub(super) fn partition_set(&mut self, statement: &Statement) {
        let operands = self.operands(statement);
        if operands.iter().any(|operand| operand.key == "TYPE" && operand.value.word() == Some("FINAL")) {
            match self.state.partition_set.take() {
                Some(at_hand) if at_hand.set.partitions.is_empty() => {
                    self.at(Severity::Error, statement.line, 1, "", "the partition set has no partitions".to_string())
                }
                Some(at_hand) => self.assembly.partition_sets.push(at_hand.set),
                None => self.at(Severity::Error, statement.line, 1, "TYPE", "TYPE=FINAL without a partition set before it".to_string()),
            }
            return;
        }
        if self.state.partition_set.is_some() || self.state.set.is_some() {
            self.at(Severity::Error, statement.line, 1, "", "the set before it has no TYPE=FINAL".to_string());
        }
        self.check_name(statement, SET_NAME_LENGTH_MAX, "partition set");
        let mut at_hand =
            SetAtHand { set: PartitionSet { name: statement.label.clone(), ..PartitionSet::default() }, ..SetAtHand::default() };
        for operand in &operands {
            match operand.key.as_str() {
                "SUFFIX" => at_hand.set.suffix = self.one_character(operand),
                "ALTSCRN" => at_hand.screen = self.pair(operand, SIDE_MAX).map(|(lines, columns)| ScreenSize::new(lines, columns)),
                "CHARSZE" => at_hand.character_size = self.pair(operand, CHARACTER_SIDE_MAX),
                "TYPE" => self.error(operand, "expected FINAL"),
                _ => self.error(operand, "DFHPSD has no such operand"),
            }
        }
        self.state.partition_set = Some(at_hand);
    }

    pub(super) fn partition(&mut self, statement: &Statement) {
        let operands = self.operands(statement);
        let Some(at_hand) = &self.state.partition_set else {
            return self.at(Severity::Error, statement.line, 1, "", "DFHPDI without a DFHPSD before it".to_string());
        };
        let (count, default_size) = (at_hand.set.partitions.len(), at_hand.character_size);
        if count >= PARTITIONS_MAX {
            return self.stop(statement, format!("a partition set has {PARTITIONS_MAX} partitions at most"));
        }
        let mut draft = Draft { character_size: default_size, ..Draft::default() };
        for operand in &operands {
            self.partition_operand(operand, &mut draft);
        }
        if !statement.label.is_empty() || !draft.is_for_errors {
            self.check_name(statement, NAME_LENGTH_MAX, "partition");
        }
        let (Some((line, column)), Some(view_size)) = (draft.position, draft.view_size) else {
            let missing = if draft.position.is_none() { "VIEWPOS" } else { "VIEWSZE" };
            if !operands.iter().any(|operand| operand.key == missing) {
                self.at(Severity::Error, statement.line, 1, missing, format!("{missing} is missing"));
            }
            return;
        };
        let buffer_size = draft.buffer_size.unwrap_or(view_size);
        if buffer_size.columns != view_size.columns || buffer_size.rows < view_size.rows {
            let text = "the buffer has the columns of the viewport, and not fewer lines".to_string();
            self.at(Severity::Error, statement.line, 1, "BUFSZE", text);
            return;
        }
        let partition = Partition {
            name: statement.label.clone(),
            view_position: (line - 1, column - 1),
            view_size,
            buffer_size,
            character_size: draft.character_size,
            map_suffix: draft.map_suffix,
            is_for_errors: draft.is_for_errors,
        };
        self.add_partition(statement, partition);
    }

    fn add_partition(&mut self, statement: &Statement, partition: Partition) {
        let Some(at_hand) = &mut self.state.partition_set else { return };
        let set = &mut at_hand.set;
        let (end_line, end_column) = end(&partition);
        let fault = if set.partitions.iter().any(|known| known.name == partition.name) {
            Some("there is already a partition of this name".to_string())
        } else if let Some(screen) = at_hand.screen.filter(|screen| end_line > screen.rows || end_column > screen.columns) {
            Some(format!(
                "the viewport ends in line {end_line} and column {end_column}, ALTSCRN has {} and {}",
                screen.rows, screen.columns
            ))
        } else if partition.is_for_errors && set.for_errors().is_some() {
            Some("only one partition can be for errors".to_string())
        } else {
            let met = set.partitions.iter().find(|known| known.character_size == partition.character_size && meet(known, &partition));
            met.map(|known| format!("the viewport overlaps that of partition {}", known.name))
        };
        match fault {
            Some(text) => self.at(Severity::Error, statement.line, 1, "", text),
            None => set.partitions.push(partition),
        }
    }

    fn partition_operand(&mut self, operand: &Operand, draft: &mut Draft) {
        let size = |pair: (u16, u16)| ScreenSize::new(pair.0, pair.1);
        match operand.key.as_str() {
            "VIEWPOS" => draft.position = self.pair(operand, SIDE_MAX),
            "VIEWSZE" => draft.view_size = self.pair(operand, SIDE_MAX).map(size),
            "BUFSZE" => draft.buffer_size = self.pair(operand, SIDE_MAX).map(size),
            "CHARSZE" => draft.character_size = self.pair(operand, CHARACTER_SIDE_MAX),
            "MAPSFX" => draft.map_suffix = self.one_character(operand),
            "ATTRB" if operand.value.words().as_deref() == Some(&["ERROR"]) => draft.is_for_errors = true,
            "ATTRB" => self.error(operand, "expected ERROR"),
            _ => self.error(operand, "DFHPDI has no such operand"),
        }
    }

    /// Two numbers, from 1.
    fn pair(&mut self, operand: &Operand, most: u32) -> Option<(u16, u16)> {
        match numbers(&operand.value).as_deref() {
            Some(&[first, second]) if (1..=most).contains(&first) && (1..=most).contains(&second) => Some((first as u16, second as u16)),
            _ => {
                self.error(operand, format!("expected two numbers in parentheses, each from 1 to {most}"));
                None
            }
        }
    }

    fn one_character(&mut self, operand: &Operand) -> Option<char> {
        let word = operand.value.word().filter(|word| word.len() == 1);
        if word.is_none() {
            self.error(operand, "expected one character");
        }
        word.and_then(|word| word.chars().next())
    }
}

#[derive(Default)]
struct Draft {
    position: Option<(u16, u16)>,
    view_size: Option<ScreenSize>,
    buffer_size: Option<ScreenSize>,
    character_size: Option<CharacterSize>,
    map_suffix: Option<char>,
    is_for_errors: bool,
}

/// Line and column behind the viewport.
fn end(partition: &Partition) -> (u16, u16) {
    let (line, column) = partition.view_position;
    (line + partition.view_size.rows, column + partition.view_size.columns)
}

/// Whether the viewports of two partitions with characters of the same size overlap.
fn meet(one: &Partition, other: &Partition) -> bool {
    let ((line, column), (other_line, other_column)) = (one.view_position, other.view_position);
    let ((end_line, end_column), (other_end_line, other_end_column)) = (end(one), end(other));
    line < other_end_line && other_line < end_line && column < other_end_column && other_column < end_column
}
