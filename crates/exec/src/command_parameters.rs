//! The parameter list of a command as exit programs see it (`tables/command_parameters.tsv`): which address leads to the argument of which
//! option, and which bit of the EXEC interface descriptor (EID) says that it is there.
//!
//! Source: the topics "The UEPCLPS exit-specific parameter" of the reference. Address 0 leads to the EID, which begins with the two bytes of
//! the function code. A group of commands without rows has an EID only.

use crate::{CommandSpec, OptionId, option_by_name};
use std::sync::OnceLock;

const TABLE: &str = include_str!("../tables/command_parameters.tsv");

/// Bytes of the EID.
pub const EID_BYTES: usize = 9;
/// Addresses in the list of a command.
pub const COMMAND_ADDRESSES: usize = 16;

/// The form of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterForm {
    /// The address is that of the program's own area.
    Area,
    /// A binary number of so many bytes.
    Number(usize),
    /// HHMMSS as a packed decimal of four bytes, 0HHMMSSC.
    Time,
    /// Only the bit.
    Flag,
}

#[derive(Debug)]
pub struct CommandParameter {
    group: u8,
    /// Empty: all of the group.
    commands: Vec<&'static str>,
    pub options: Vec<OptionId>,
    /// Which address; 0 for an option without one.
    pub address: usize,
    pub byte: usize,
    pub bit: u8,
    pub form: ParameterForm,
}

fn all() -> &'static [CommandParameter] {
    static ALL: OnceLock<Vec<CommandParameter>> = OnceLock::new();
    ALL.get_or_init(|| TABLE.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect())
}

fn row(line: &'static str) -> CommandParameter {
    let cells: Vec<&'static str> = line.split('\t').collect();
    let hexadecimal = |text: &str| u8::from_str_radix(text, 16).expect("a hexadecimal number");
    let (byte, bit) = cells[4].split_once(':').expect("a byte and a bit");
    CommandParameter {
        group: hexadecimal(cells[0]),
        commands: cells[1].split('/').filter(|name| *name != "*").collect(),
        options: cells[2].split('/').map(|name| option_by_name(name).unwrap_or_else(|| panic!("no option {name}"))).collect(),
        address: if cells[3] == "-" { 0 } else { usize::from(hexadecimal(cells[3])) },
        byte: byte.parse().expect("a number"),
        bit: hexadecimal(bit),
        form: match cells[5] {
            "area" => ParameterForm::Area,
            "half" => ParameterForm::Number(2),
            "full" => ParameterForm::Number(4),
            "time" => ParameterForm::Time,
            _ => ParameterForm::Flag,
        },
    }
}

/// The rows of a command.
pub fn command_parameters(spec: &CommandSpec) -> impl Iterator<Item = &'static CommandParameter> {
    let (group, name) = (spec.group(), spec.name);
    all().iter().filter(move |row| row.group == group && (row.commands.is_empty() || row.commands.contains(&name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{command, option};

    /// "The UEPCLPS exit-specific parameter" of XFCREQ: RIDFLD is the fourth address, its bit X'10'.
    #[test]
    fn rows_are_of_their_commands() {
        let read: Vec<_> = command_parameters(command::READ.spec()).collect();
        let key = read.iter().find(|row| row.options.contains(&option::RIDFLD)).unwrap();
        assert_eq!((key.address, key.byte, key.bit, key.form), (4, 2, 0x10, ParameterForm::Area));
        assert!(read.iter().all(|row| !row.options.contains(&option::REQID)));
        let browse: Vec<_> = command_parameters(command::READNEXT.spec()).collect();
        assert_eq!(browse.iter().find(|row| row.options.contains(&option::REQID)).unwrap().address, 6);
        assert!(all().iter().all(|row| row.byte < EID_BYTES && row.address < COMMAND_ADDRESSES));
        assert_eq!(command_parameters(command::ABEND.spec()).count(), 0);
    }
}
