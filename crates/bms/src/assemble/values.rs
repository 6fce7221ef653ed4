//! Operands common to DFHMSD, DFHMDI and (in part) DFHMDF, and the values of attributes.

use super::Assembler;
use crate::attribute::{Extended, ExtendedSet, ExtendedValues};
use crate::constants::*;
use crate::model::{Control, PrintLine, USER_EXIT};
use crate::operand::{Operand, Value};

/// Operands that a map inherits from its mapset, and fields from their map.
#[derive(Debug, Clone, Default)]
pub struct Inherited {
    pub control: Option<Control>,
    pub cursor_located: Option<bool>,
    pub tioa_prefix: Option<bool>,
    pub block: Option<bool>,
    pub symbolic_attributes: Option<ExtendedSet>,
    pub map_attributes: Option<ExtendedSet>,
    pub extended: ExtendedValues,
    /// PARTN: name, and whether it becomes active.
    pub partition: Option<(String, bool)>,
}

impl Inherited {
    pub fn over(&self, outer: &Inherited) -> Inherited {
        Inherited {
            control: self.control.or(outer.control),
            cursor_located: self.cursor_located.or(outer.cursor_located),
            tioa_prefix: self.tioa_prefix.or(outer.tioa_prefix),
            block: self.block.or(outer.block),
            symbolic_attributes: self.symbolic_attributes.or(outer.symbolic_attributes),
            map_attributes: self.map_attributes.or(outer.map_attributes),
            extended: self.extended.or(&outer.extended),
            partition: self.partition.clone().or(outer.partition.clone()),
        }
    }
}

const COLORS: &[(&str, u8)] = &[
    ("DEFAULT", XAC_DEFAULT),
    ("BLUE", 0xF0 | HOST_COLOR_BLUE),
    ("RED", 0xF0 | HOST_COLOR_RED),
    ("PINK", 0xF0 | HOST_COLOR_PINK),
    ("GREEN", 0xF0 | HOST_COLOR_GREEN),
    ("TURQUOISE", 0xF0 | HOST_COLOR_TURQUOISE),
    ("YELLOW", 0xF0 | HOST_COLOR_YELLOW),
    ("NEUTRAL", 0xF0 | HOST_COLOR_NEUTRAL_WHITE),
];
const HIGHLIGHTS: &[(&str, u8)] =
    &[("OFF", XAH_DEFAULT), ("BLINK", XAH_BLINK), ("REVERSE", XAH_REVERSE), ("UNDERLINE", XAH_UNDERSCORE), ("UNDERSCORE", XAH_UNDERSCORE)];
const VALIDATIONS: &[(&str, u8)] = &[("MUSTFILL", XAV_FILL), ("MUSTENTER", XAV_ENTRY), ("TRIGGER", XAV_TRIGGER), ("USEREXIT", USER_EXIT)];
const OUTLINES: &[(&str, u8)] =
    &[("BOX", 0x0F), ("LEFT", XAO_LEFT), ("RIGHT", XAO_RIGHT), ("OVER", XAO_OVERLINE), ("UNDER", XAO_UNDERLINE)];
const SOSI: &[(&str, u8)] = &[("NO", XAI_DISABLED), ("YES", XAI_ENABLED)];
const TRANSPARENCIES: &[(&str, u8)] = &[("YES", XAT_OR), ("NO", XAT_OPAQUE)];

fn named(table: &[(&str, u8)], word: &str) -> Option<u8> {
    table.iter().find(|(name, _)| *name == word).map(|&(_, value)| value)
}

fn names(table: &[(&str, u8)]) -> String {
    table.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// The suffix for TERM: None if there is no such terminal, Some(None) for no suffix.
pub fn terminal_suffix(term: &str) -> Option<Option<char>> {
    let suffix = match term {
        "3270" | "ALL" => return Some(None),
        "CRLP" => 'A',
        "TAPE" => 'B',
        "DISK" => 'C',
        "TWX" => 'D',
        "1050" => 'E',
        "2740" => 'F',
        "2741" => 'G',
        "2770" => 'I',
        "2780" => 'J',
        "3780" => 'K',
        "3270-1" => 'L',
        "3270-2" => 'M',
        "INTLU" | "3767" | "3770I" | "SCS" => 'P',
        "2980" => 'Q',
        "2980-4" => 'R',
        "3601" => 'U',
        "3653" => 'V',
        "3650UP" => 'W',
        "3650/3270" => 'X',
        "BCHLU" | "3770B" => 'Y',
        _ => return None,
    };
    Some(Some(suffix))
}

impl Assembler<'_> {
    /// True when the operand is one of those DFHMSD and DFHMDI share (and so is dealt with).
    pub fn inherited_operand(&mut self, operand: &Operand, into: &mut Inherited) -> bool {
        if let Some(kind) = Extended::ALL.into_iter().find(|kind| kind.operand() == operand.key) {
            if let Some(value) = self.extended_value(operand, kind) {
                into.extended.set(kind, Some(value));
            }
            return true;
        }
        match operand.key.as_str() {
            "CTRL" => into.control = Some(self.control(operand)),
            "CURSLOC" => into.cursor_located = self.yes_no(operand),
            "TIOAPFX" => into.tioa_prefix = self.yes_no(operand),
            "DSATTS" => into.symbolic_attributes = self.attribute_set(operand),
            "MAPATTS" => into.map_attributes = self.attribute_set(operand),
            "EXTATT" => match operand.value.word() {
                Some("YES") => {
                    into.symbolic_attributes = Some(ExtendedSet::EXTATT);
                    into.map_attributes = Some(ExtendedSet::EXTATT);
                }
                Some("MAPONLY") => into.map_attributes = Some(ExtendedSet::EXTATT),
                Some("NO") => {}
                _ => self.error(operand, "expected YES, NO or MAPONLY"),
            },
            "DATA" => match operand.value.word() {
                Some(format @ ("FIELD" | "BLOCK")) => into.block = Some(format == "BLOCK"),
                _ => self.error(operand, "expected FIELD or BLOCK"),
            },
            "PARTN" => into.partition = self.partition_of(operand),
            "OBFMT" | "FLDSEP" => {}
            _ => return false,
        }
        true
    }

    /// `P1`, `(P1)` or `(P1,ACTIVATE)`.
    fn partition_of(&mut self, operand: &Operand) -> Option<(String, bool)> {
        let words = operand.value.words().unwrap_or_default();
        match words[..] {
            [name] | [name, "ACTIVATE"] if (1..=2).contains(&name.len()) => Some((name.to_string(), words.len() == 2)),
            _ => {
                self.error(operand, "expected the name of a partition, of one or two characters, and ACTIVATE if it becomes active");
                None
            }
        }
    }

    fn yes_no(&mut self, operand: &Operand) -> Option<bool> {
        match operand.value.word() {
            Some("YES") => Some(true),
            Some("NO") => Some(false),
            _ => {
                self.error(operand, "expected YES or NO");
                None
            }
        }
    }

    fn control(&mut self, operand: &Operand) -> Control {
        let mut control = Control::default();
        for word in operand.value.words().unwrap_or_default() {
            match word {
                "PRINT" => control.print = true,
                "FREEKB" => control.free_keyboard = true,
                "ALARM" => control.alarm = true,
                "FRSET" => control.reset_mdt = true,
                "L40" => control.print_line = PrintLine::Columns40,
                "L64" => control.print_line = PrintLine::Columns64,
                "L80" => control.print_line = PrintLine::Columns80,
                "HONEOM" => control.print_line = PrintLine::NewLineOrEndOfMedium,
                "" => {}
                _ => self.error(operand, format!("{word}: expected PRINT, FREEKB, ALARM, FRSET, L40, L64, L80 or HONEOM")),
            }
        }
        control
    }

    fn attribute_set(&mut self, operand: &Operand) -> Option<ExtendedSet> {
        let mut set = ExtendedSet::default();
        for word in operand.value.words()? {
            match Extended::ALL.into_iter().find(|kind| kind.operand() == word) {
                Some(kind) => set.insert(kind),
                None => self.error(operand, format!("{word}: expected COLOR, HILIGHT, OUTLINE, PS, SOSI, TRANSP or VALIDN")),
            }
        }
        Some(set)
    }

    /// Value of COLOR, HILIGHT, PS, VALIDN, OUTLINE, SOSI or TRANSP.
    pub fn extended_value(&mut self, operand: &Operand, kind: Extended) -> Option<u8> {
        if kind == Extended::ProgrammedSymbols {
            return self.programmed_symbols(operand);
        }
        let (table, list) = match kind {
            Extended::Color => (COLORS, false),
            Extended::Highlight => (HIGHLIGHTS, false),
            Extended::Validation => (VALIDATIONS, true),
            Extended::Outline => (OUTLINES, true),
            Extended::Sosi => (SOSI, false),
            _ => (TRANSPARENCIES, false),
        };
        let words = operand.value.words().filter(|words| list || words.len() == 1).unwrap_or_default();
        let values: Option<Vec<u8>> = words.iter().map(|word| named(table, word)).collect();
        match values.filter(|values| !values.is_empty()) {
            Some(values) => Some(values.iter().fold(0, |bits, value| bits | value)),
            None => {
                self.error(operand, format!("expected {}", names(table)));
                None
            }
        }
    }

    fn programmed_symbols(&mut self, operand: &Operand) -> Option<u8> {
        match &operand.value {
            Value::Word(word) if word == "BASE" => Some(0),
            Value::Word(word) if word.chars().count() == 1 => word.chars().next().and_then(|id| self.page.byte_of(id)),
            Value::Text { kind, text } if kind == "X" && text.len() == 2 => u8::from_str_radix(text, 16).ok(),
            _ => {
                self.error(operand, "expected BASE, one character or X'nn'");
                None
            }
        }
    }
}
