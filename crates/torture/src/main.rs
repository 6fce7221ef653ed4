//! The harness as a program of its own, for its tests; `regent torture` is the same.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Torture(torture::Arguments),
    TortureRound(torture::RoundArguments),
}

fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Torture(arguments) => torture::command(arguments),
        Command::TortureRound(arguments) => torture::round(arguments),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("torture: {message}");
            ExitCode::from(16)
        }
    }
}
