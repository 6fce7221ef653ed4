//! The capabilities of a terminal: screen sizes, addressing and the extended attributes it accepts. They come from a terminal model, from a
//! TYPETERM definition, or from a Query Reply.

use crate::address::Addressing;
use crate::attribute::{Extended, ExtendedSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScreenSize {
    pub rows: u16,
    pub columns: u16,
}

impl ScreenSize {
    pub const MODEL2: ScreenSize = ScreenSize { rows: 24, columns: 80 };

    pub const fn new(rows: u16, columns: u16) -> ScreenSize {
        ScreenSize { rows, columns }
    }

    pub const fn positions(self) -> usize {
        self.rows as usize * self.columns as usize
    }
}

/// IBM-3278-2 to -5 and IBM-DYNAMIC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    Two,
    Three,
    Four,
    Five,
    Dynamic,
    /// IBM-3287-1.
    Printer,
}

impl Model {
    pub const fn alternate(self) -> ScreenSize {
        match self {
            Model::Two | Model::Dynamic | Model::Printer => ScreenSize::new(24, 80),
            Model::Three => ScreenSize::new(32, 80),
            Model::Four => ScreenSize::new(43, 80),
            Model::Five => ScreenSize::new(27, 132),
        }
    }

    pub const fn number(self) -> u8 {
        match self {
            Model::Two | Model::Dynamic => 2,
            Model::Three => 3,
            Model::Four => 4,
            Model::Five => 5,
            Model::Printer => 1,
        }
    }

    /// Reads a terminal type name: `IBM-3278-4-E`, `IBM-3279-2`, `IBM-DYNAMIC`, `IBM-3287-1`. The flag is set for `-E`.
    pub fn parse(terminal_type: &str) -> Option<(Model, bool)> {
        let upper = terminal_type.to_ascii_uppercase();
        if upper == "IBM-DYNAMIC" {
            return Some((Model::Dynamic, true));
        }
        if upper == "IBM-3287-1" {
            return Some((Model::Printer, false));
        }
        let rest = upper.strip_prefix("IBM-3278-").or_else(|| upper.strip_prefix("IBM-3279-"))?;
        let (digit, extended) = rest.strip_suffix("-E").map_or((rest, false), |digit| (digit, true));
        let model = match digit {
            "2" => Model::Two,
            "3" => Model::Three,
            "4" => Model::Four,
            "5" => Model::Five,
            _ => return None,
        };
        Some((model, extended))
    }

    /// Terminal type name in TN3270 and TN3270E.
    pub fn terminal_type(self, extended: bool) -> String {
        match self {
            Model::Dynamic => "IBM-DYNAMIC".to_string(),
            Model::Printer => "IBM-3287-1".to_string(),
            _ => format!("IBM-3278-{}{}", self.number(), if extended { "-E" } else { "" }),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    pub default_size: ScreenSize,
    /// Equal to `default_size` when there is none.
    pub alternate_size: ScreenSize,
    /// Extended attributes the terminal accepts; empty for a base 3278.
    pub extended: ExtendedSet,
    /// SFE, SA, MF and WSF are understood.
    pub extended_data_stream: bool,
    /// The terminal answered a Query.
    pub queried: bool,
    pub addressing: Addressing,
    /// Graphic escape (APL) character set.
    pub graphic_escape: bool,
    pub printer: bool,
    pub partitions: bool,
    /// Lines of a page of BMS on the default and on the alternate screen; `None`: all.
    pub page_rows: [Option<u16>; 2],
}

impl Capabilities {
    /// The capabilities implied by the terminal's type name.
    pub fn of_model(model: Model, extended: bool) -> Capabilities {
        let mut kinds = ExtendedSet::default();
        if extended {
            kinds.insert(Extended::Color);
            kinds.insert(Extended::Highlight);
        }
        Capabilities {
            default_size: ScreenSize::MODEL2,
            alternate_size: model.alternate(),
            extended: kinds,
            extended_data_stream: extended,
            queried: false,
            addressing: Addressing::for_positions(model.alternate().positions()),
            graphic_escape: false,
            printer: model == Model::Printer,
            partitions: false,
            page_rows: [None; 2],
        }
    }

    pub fn size(&self, alternate: bool) -> ScreenSize {
        if alternate { self.alternate_size } else { self.default_size }
    }

    /// The part of a screen that a page of BMS takes.
    pub fn page(&self, alternate: bool) -> ScreenSize {
        let size = self.size(alternate);
        let rows = self.page_rows[usize::from(alternate)].map_or(size.rows, |rows| rows.min(size.rows));
        ScreenSize { rows, ..size }
    }

    /// Addresses for the screen size in use.
    pub fn addressing_for(&self, size: ScreenSize) -> Addressing {
        Addressing::for_positions(size.positions().max(self.alternate_size.positions()))
    }

    pub fn supports(&self, kind: Extended) -> bool {
        self.extended_data_stream && self.extended.contains(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models() {
        assert_eq!(Model::parse("IBM-3278-2"), Some((Model::Two, false)));
        assert_eq!(Model::parse("ibm-3279-5-e"), Some((Model::Five, true)));
        assert_eq!(Model::parse("IBM-DYNAMIC"), Some((Model::Dynamic, true)));
        assert_eq!(Model::parse("IBM-3278-6"), None);
        assert_eq!(Model::parse("XTERM"), None);
        assert_eq!(Model::Four.terminal_type(true), "IBM-3278-4-E");
        assert_eq!(Model::Five.alternate().positions(), 3564);
        let base = Capabilities::of_model(Model::Three, false);
        assert!(!base.supports(Extended::Color) && base.size(true).rows == 32);
    }
}
