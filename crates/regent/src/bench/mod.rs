//! `regent bench NAME`: measures by ratio in one run and prints a table.

use clap::{Args, ValueEnum};

use crate::console::Console;

#[derive(Args)]
pub struct Arguments {
    name: Name,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Commands, LINK, change of mode, attach, file requests.
    Kernel,
    /// Screen transactions of the sample bank over TN3270E.
    Bank,
}

pub fn command(arguments: Arguments, _console: &Console) -> Result<u8, String> {
    match arguments.name {
        Name::Kernel => Err("bench kernel is not there yet".to_string()),
        Name::Bank => Err("bench bank is not there yet".to_string()),
    }
}
