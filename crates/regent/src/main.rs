//! `regent`: the command line. One module a command; what they share is in `console`.
#![forbid(unsafe_code)]

mod bench;
mod code_page;
mod compile;
mod console;
mod csdup;
mod data;
mod dd;
mod idcams;
mod nist;
mod records;
mod replace;
mod run;
mod run_time_options;
mod up;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use console::{Console, OutputFormat};

/// Transaction server for CICS applications.
#[derive(Parser)]
#[command(name = "regent", version, about)]
struct CommandLine {
    /// How results and progress are printed.
    #[arg(long, global = true, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile an application's directory, create and load its files, and serve it.
    Up(up::Arguments),
    /// Compile COBOL programs and BMS mapsets.
    Compile(compile::Arguments),
    /// Compile and run a batch COBOL program.
    Run(run::Arguments),
    /// Run access method services (IDCAMS) control statements.
    Idcams(idcams::Arguments),
    /// Show, check, repair, export and recover data sets.
    Vsam(data::Arguments),
    /// Run CSD utility (DFHCSDUP) control statements.
    Csdup(csdup::Arguments),
    /// Compile and run the NIST COBOL 85 validation suite.
    Nist(nist::Arguments),
    /// Measure this machine and this build.
    Bench(bench::Arguments),
    /// Let a region die and start again under load, and compare its data with a model.
    Torture(torture::Arguments),
    /// One round of it.
    #[command(hide = true)]
    TortureRound(torture::RoundArguments),
}

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    start_log(command_line.format);
    let console = Console::new(command_line.format);
    let result = match command_line.command {
        Command::Up(arguments) => up::command(arguments, &console),
        Command::Compile(arguments) => compile::command(arguments, &console),
        Command::Run(arguments) => run::command(arguments),
        Command::Idcams(arguments) => idcams::command(arguments),
        Command::Vsam(arguments) => data::command(arguments, &console),
        Command::Csdup(arguments) => csdup::command(arguments),
        Command::Nist(arguments) => nist::command(arguments, &console),
        Command::Bench(arguments) => bench::command(arguments, &console),
        Command::Torture(arguments) => torture::command(arguments),
        Command::TortureRound(arguments) => torture::round(arguments),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("regent: {message}");
            ExitCode::from(FAILURE)
        }
    }
}

/// The structured log goes to standard error, what REGENT_LOG lets through: messages of the region and warnings by default.
fn start_log(format: OutputFormat) {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("REGENT_LOG").unwrap_or_else(|_| EnvFilter::new("warn,region=info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        OutputFormat::Text => builder.with_target(false).with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        OutputFormat::Json => builder.json().init(),
    }
}

/// Exit code of a command that could not do its work at all: the severest condition code of the utilities.
const FAILURE: u8 = 16;
