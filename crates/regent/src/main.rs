//! `regent`: the command line. Each command has a module; their common parts are in `console`.
#![forbid(unsafe_code)]

mod bench;
mod clean;
mod code_page;
mod colour;
mod compile;
mod console;
mod csdup;
mod data;
mod database;
mod dd;
mod debug;
mod dump;
mod help;
mod idcams;
mod log;
mod modify;
mod new;
mod nist;
mod operator;
mod output;
mod print_trace;
mod records;
mod replace;
mod resources;
mod run;
mod run_time_options;
mod security;
mod sequential;
mod shell;
mod stup;
mod terminal;
mod torture_database;
mod up;
mod work_directory;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use console::Console;
use output::OutputFormat;

/// Transaction server for CICS applications.
#[derive(Parser)]
#[command(name = "regent", version, about, disable_help_subcommand = true)]
struct CommandLine {
    /// How results and progress are printed.
    #[arg(long, global = true, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Create a small working application to start from.
    New(new::Arguments),
    /// Compile an application's directory, create and load its files, and serve it.
    Up(up::Arguments),
    /// Compile COBOL and C programs and BMS mapsets.
    Compile(compile::Arguments),
    /// Report what an application uses that is missing, refused or different, before it is served.
    ///
    /// Nothing is written and nothing of the application is run. The exit code is 0, 4 if there are warnings only, 8 if something that the
    /// application needs does not work.
    Scan(up::scan::Arguments),
    /// Show the system initialization parameters of an application: values, where they come from, and what they do.
    Sit(up::parameters::Arguments),
    /// Show the log of an application's region.
    Logs(log::Arguments),
    /// Print trace entries of an application's region.
    Trace(print_trace::Arguments),
    /// Use a terminal of a running region in lines of text.
    Console(terminal::Arguments),
    /// Enter a transaction at a console of a running region: MODIFY.
    Modify(modify::Arguments),
    /// Execute a command of CEMT in a running region: `regent cemt INQUIRE TASK`.
    ///
    /// Prints all lines of the answer; with --format json, an object with the rows and their values. The exit code is 0 if the response is
    /// NORMAL, 8 if not.
    Cemt(operator::Arguments),
    /// Execute a command of CEDA in a running region: `regent ceda "INSTALL GROUP(PAY)"`.
    ///
    /// Prints the lines of the panel or list, the messages and the result; with --format json, an object with them. The exit code is 0 if the
    /// command was successful, 8 if not.
    Ceda(operator::Arguments),
    /// Debug COBOL programs in a running region, as a debug adapter of an editor.
    Debug(debug::Arguments),
    /// Remove what `up` has made from the sources of an application.
    Clean(clean::Arguments),
    /// Compile and run a batch COBOL program.
    Run(run::Arguments),
    /// Run SQL of Db2 on the database of an application.
    ///
    /// Each statement is committed as it ends. A statement that fails changes nothing; those behind it run, unless --stop is given. The exit
    /// code is 0, 4 if a statement had a warning, 8 if one failed, 16 if the database cannot be reached.
    Sql(database::Arguments),
    /// Run access method services (IDCAMS) control statements.
    Idcams(idcams::Arguments),
    /// Format the dumps in a file: transaction dumps, or a system dump.
    Dump(dump::Arguments),
    /// Format the statistics that a region has written: DFHSTUP.
    Stup(stup::Arguments),
    /// Show, check, repair, export and recover data sets.
    Vsam(data::Arguments),
    /// Run CSD utility (DFHCSDUP) control statements.
    Csdup(csdup::Arguments),
    /// Keep the definitions of the CSD as YAML files: export, compare, apply.
    Resources(resources::Arguments),
    /// List and change the security database: users, groups, profiles, access.
    ///
    /// The exit code is the return code of the command, the highest of several: 0, 4 with a warning, 8 if something was not done, 12 if a
    /// command was not understood.
    Security(security::Arguments),
    /// Compile and run the NIST COBOL 85 validation suite.
    Nist(nist::Arguments),
    /// Show the page of a Regent command, an EXEC CICS command or a condition.
    Help(help::Arguments),
    /// Print the completions of a shell.
    Completions(shell::CompletionsArguments),
    /// Write the manual pages.
    Man(shell::ManArguments),
    /// Measure this build on this machine.
    Bench(bench::Arguments),
    /// Crash and restart a region under load, and compare its data with a model.
    Torture(TortureArguments),
    /// One round of it.
    #[command(hide = true)]
    TortureRound(torture::RoundArguments),
    /// One round of transfers between a file and a table.
    #[command(hide = true)]
    TortureTransfers(torture_database::RoundArguments),
}

#[derive(clap::Args)]
struct TortureArguments {
    #[command(flatten)]
    all: torture::Arguments,
    /// Transfers between a file, a table of a database and one at another location, which are struck too.
    #[arg(long)]
    with_database: bool,
}

/// Stack of the thread that runs the command. The first thread's depends on the limits that the process was started with (ulimit -s).
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    // A file that may not grow further (ulimit -f) is an error like a full disk, not the end of the process.
    let caught = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
    let command = caught.and_then(|_| std::thread::Builder::new().name("main".to_string()).stack_size(STACK_BYTES).spawn(command));
    match command.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // Its message has been written.
        Ok(Err(_panic)) => ExitCode::from(PANICKED),
        Err(error) => {
            eprintln!("regent: {error}");
            ExitCode::from(FAILURE)
        }
    }
}

fn command() -> ExitCode {
    let command_line = CommandLine::parse();
    start_log(command_line.format);
    let console = Console::new(command_line.format);
    let result = match command_line.command {
        Command::New(arguments) => new::command(arguments, &console),
        Command::Logs(arguments) => log::command(arguments),
        Command::Trace(arguments) => print_trace::command(arguments),
        Command::Console(arguments) => terminal::command(arguments),
        Command::Modify(arguments) => modify::command(arguments),
        Command::Cemt(arguments) => operator::cemt(&arguments, &console),
        Command::Ceda(arguments) => operator::ceda(&arguments, &console),
        Command::Debug(arguments) => debug::command(arguments),
        Command::Clean(arguments) => clean::command(arguments, &console),
        Command::Help(arguments) => help::command(arguments, CommandLine::command(), &console),
        Command::Completions(arguments) => shell::completions(arguments, CommandLine::command()),
        Command::Man(arguments) => shell::manual(arguments, CommandLine::command()),
        Command::Up(arguments) => up::command(arguments, &console),
        Command::Scan(arguments) => up::scan::command(arguments, &console),
        Command::Sit(arguments) => up::parameters::command(arguments, &console, command_line.format),
        Command::Compile(arguments) => match arguments.application() {
            Some((directory, data, files)) => up::compile_for(directory, data, files, &console),
            None => compile::command(arguments, &console),
        },
        Command::Run(arguments) => run::command(arguments),
        Command::Sql(arguments) => database::command(arguments, up::database_settings, &console),
        Command::Idcams(arguments) => idcams::command(arguments),
        Command::Dump(arguments) => dump::command(arguments),
        Command::Stup(arguments) => stup::command(arguments),
        Command::Vsam(arguments) => data::command(arguments, &console),
        Command::Csdup(arguments) => csdup::command(arguments),
        Command::Resources(arguments) => resources::command(arguments, &console),
        Command::Security(arguments) => security::command(arguments),
        Command::Nist(arguments) => nist::command(arguments, &console),
        Command::Bench(arguments) => bench::command(arguments, &console),
        Command::Torture(arguments) if arguments.with_database => torture_database::command(&arguments.all),
        Command::Torture(arguments) => torture::command(arguments.all),
        Command::TortureTransfers(arguments) => torture_database::round(arguments),
        Command::TortureRound(arguments) => torture::round(arguments),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            output::STANDARD_ERROR.write_line(&format!("regent: {message}"));
            output::drain();
            ExitCode::from(FAILURE)
        }
    }
}

/// The structured log goes to standard error and to the log of the region, if this process serves one: what REGENT_LOG lets through, messages of
/// the region and warnings by default.
fn start_log(format: OutputFormat) {
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::util::SubscriberInitExt;
    use tracing_subscriber::{EnvFilter, Layer, fmt};
    let filter = EnvFilter::try_from_env("REGENT_LOG").unwrap_or_else(|_| EnvFilter::new("warn,region=info"));
    let console = fmt::layer().with_writer(|| output::LogWriter);
    let console = match format {
        OutputFormat::Text => console.with_target(false).with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).boxed(),
        OutputFormat::Json => console.json().boxed(),
    };
    let file = fmt::layer().with_writer(|| log::Writer).with_target(false).with_ansi(false);
    tracing_subscriber::registry().with(filter).with(console).with(file).init();
}

/// Exit code of a command that panicked.
const PANICKED: u8 = 101;
/// Exit code of a command that could not do its work at all: the severest condition code of the utilities.
const FAILURE: u8 = 16;
