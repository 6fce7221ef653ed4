//! `regent run FILE...`: runs a batch program, compiling it first if it is a source; it can call the programs of the other files. DISPLAY
//! goes to standard output; the exit code is RETURN-CODE.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use cobol::source::Directories;
use program::batch::{BatchHost, DataDefinition, MODULE_EXTENSION};
use program::module::{Module, ModuleImage};
use program::rununit::{Ended, Failure};

use crate::compile::{SqlCheck, is_c, messages, module_image, options};
use crate::database::{BatchSql, Database, Surroundings};
use crate::dd::DdArgument;
use crate::records::VsamRecords;
use crate::run_time_options::{RunTimeOptions, parse, split};
use crate::work_directory::WorkDirectory;

#[derive(Args)]
pub struct Arguments {
    /// The program's source or load module, followed by sources and load modules of programs that it calls. Called programs may also be in the
    /// same source, or be load modules of a library.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// DD names: NAME=PATH[:fixed:LENGTH|:variable|:blocked|:text], NAME=dataset:DSN, NAME=newdataset:DSN (defined if it does not exist) or
    /// NAME=dummy.
    #[arg(long = "dd")]
    dds: Vec<DdArgument>,
    /// The data directory with the data sets (`DIR/.regent/data` of `regent up DIR`).
    #[arg(long, default_value = ".regent/data")]
    data: PathBuf,
    /// Define data sets that the program writes if they do not exist, even without a DD name.
    #[arg(long)]
    allocate: bool,
    /// Text passed to the program as PARM; the text after the last slash is run-time options of Language Environment.
    #[arg(long)]
    parm: Option<String>,
    /// A JCL symbol that the job exports, for CEEGTJS; may be given more than once.
    #[arg(long = "symbol", value_name = "NAME=VALUE", value_parser = symbol)]
    symbols: Vec<(String, String)>,
    /// Code page of data, by its CCSID.
    #[arg(long, default_value_t = 37, value_parser = crate::code_page::ccsid)]
    ccsid: u16,
    /// Directory of COPY members; may be given more than once.
    #[arg(short = 'I', long = "include", value_name = "COPYDIR")]
    include: Vec<PathBuf>,
    /// Directory of load modules that CALL finds; may be given more than once.
    #[arg(short = 'L', long = "library", value_name = "LIBRARY")]
    libraries: Vec<PathBuf>,
    /// Settings of the UPSI switches 0 to 7, eight digits 0 or 1 (run-time option UPSI).
    #[arg(long, value_parser = upsi, default_value = "00000000")]
    upsi: u8,
    /// Perform debugging sections, USE FOR DEBUGGING (run-time option DEBUG; the default is NODEBUG).
    #[arg(long)]
    debug: bool,
    /// The operator cancels the job when STOP shows this text (system completion code 222).
    #[arg(long, value_name = "TEXT")]
    cancel_at: Option<String>,
    /// The database of EXEC SQL: postgresql://user@host:port/database.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The application whose database EXEC SQL reaches, whether its region runs or not.
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "database")]
    app: Option<PathBuf>,
    /// Work directory of that application [default: DIRECTORY/.regent].
    #[arg(long, value_name = "DIRECTORY", requires = "app")]
    work: Option<PathBuf>,
    /// Schema of SQL names without a qualifier [default: that of the application].
    #[arg(long)]
    schema: Option<String>,
    /// Plan of the program's SQL statements.
    #[arg(long, default_value = "REGENT")]
    plan: String,
    /// Compiler options as on a CBL statement.
    #[arg(long, default_value = "")]
    options: String,
}

/// The exit code of a program that abends, as a job step that abends has no return code of its own.
const ABEND_EXIT_CODE: u8 = 255;
/// Exit codes are a byte: a larger RETURN-CODE is told apart only up to here.
const EXIT_CODE_MAX: i32 = 254;

/// Return codes of the compilers from here on mean that a program cannot run.
const FAILED_FROM: u8 = 8;

/// ABTERMENC(RETCODE): what is added to RETURN-CODE when a condition of severity 3 ends the program.
const SEVERE_RETURN_CODE: i32 = 3000;

/// The file of DD name CEEDUMP, where the traceback goes.
fn ceedump(arguments: &Arguments) -> Result<Option<Box<dyn Write>>, String> {
    match arguments.dds.iter().find(|dd| dd.name == "CEEDUMP").map(|dd| &dd.target) {
        Some(DataDefinition::File { path, .. }) => {
            let file = std::fs::File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(Some(Box::new(file)))
        }
        _ => Ok(None),
    }
}

fn symbol(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if (1..=8).contains(&name.len()) => Ok((name.to_uppercase(), value.to_string())),
        _ => Err("NAME=VALUE with a name of one to eight characters is expected".to_string()),
    }
}

fn upsi(text: &str) -> Result<u8, String> {
    const SWITCHES: usize = 8;
    match u8::from_str_radix(text, 2) {
        Ok(switches) if text.len() == SWITCHES => Ok(switches),
        _ => Err("eight digits 0 or 1 are expected".to_string()),
    }
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let mut modules = Vec::new();
    let mut refused = None;
    let database = database(&arguments)?;
    let check = match &database {
        Some((database, schema)) if arguments.app.is_some() => Some(SqlCheck::connect(database, schema)?),
        _ => None,
    };
    let sources = Sources::new(&arguments, check.as_ref());
    for path in &arguments.files {
        match sources.module(path)? {
            Made::Module(module) => modules.push((path.as_path(), module)),
            Made::Part => {}
            Made::Nothing(return_code) => refused = refused.max(Some(return_code)),
        }
    }
    drop(sources);
    drop(check);
    if let Some(return_code) = refused {
        return database.map_or(Ok(()), |(database, _)| database.close()).map(|()| return_code);
    }
    run(&arguments, &modules, database)
}

/// Runs the first of the modules, which are beside their files.
fn run(arguments: &Arguments, modules: &[(&Path, Arc<Module>)], database: Option<(Database, String)>) -> Result<u8, String> {
    let Some((_, module)) = modules.first() else {
        return Err("there is no program in these files".to_string());
    };
    if database.is_none() && modules.iter().any(|(_, module)| module.programs.iter().any(|program| !program.sql.is_empty())) {
        return Err("a program has EXEC SQL; name its database with --app DIRECTORY or --database URL".to_string());
    }
    let output = std::io::BufWriter::new(std::io::stdout());
    let mut host = BatchHost::new(output);
    host.errors = Some(Box::new(std::io::stderr()));
    host.input = Box::new(BufReader::new(std::io::stdin()));
    host.libraries = arguments.libraries.clone();
    // The main program's entries come last: nothing can stand in for it.
    modules.iter().rev().for_each(|(_, module)| host.add(module));
    for dd in &arguments.dds {
        host.files.names.insert(dd.name.clone(), dd.target.clone());
    }
    host.files.records = Some(Box::new(VsamRecords::new(arguments.data.clone())));
    host.switches = arguments.upsi;
    host.debugging = arguments.debug;
    host.cancelled_at = arguments.cancel_at.clone();
    host.files.make_data_sets = arguments.allocate;
    let (parm, options) = run_time_options(arguments, module.c.is_some());
    options.apply(&mut host);
    host.symbols = arguments.symbols.iter().cloned().collect();
    host.dump = ceedump(arguments)?;
    let surroundings = surroundings(arguments)?;
    let connect = |(database, schema): &(Database, String)| BatchSql::connect(database, schema, &arguments.plan, surroundings.clone());
    let sql = database.as_ref().map(connect).transpose()?;
    if let Some(sql) = &sql {
        host.sql = Some(Box::new(sql.clone()));
    }
    let (ended, return_code) = host.run(module, parm);
    let _ = host.output.flush();
    if let Some(sql) = &sql {
        sql.end(!matches!(ended, Ended::Abended(_)))?;
    }
    drop((host.sql.take(), sql));
    if let Some((database, _)) = database {
        database.close()?;
    }
    match ended {
        Ended::Returned | Ended::Stopped | Ended::Left(_) => Ok(return_code.clamp(0, EXIT_CODE_MAX) as u8),
        Ended::Abended(failure) => {
            eprintln!("{}{}", failure.batch_text(), source_place(&failure, modules));
            if options.return_code == Some(true) {
                let enclave = return_code + SEVERE_RETURN_CODE;
                eprintln!("return code {enclave}");
                return Ok(enclave.clamp(0, EXIT_CODE_MAX) as u8);
            }
            Ok(ABEND_EXIT_CODE)
        }
    }
}

/// The database that the command names, if it does, and the schema of unqualified names.
fn database(arguments: &Arguments) -> Result<Option<(Database, String)>, String> {
    if let Some(url) = &arguments.database {
        return Ok(Some((Database::at(url)?, arguments.schema.clone().unwrap_or_default())));
    }
    let Some(directory) = &arguments.app else { return Ok(None) };
    let settings = crate::up::database_settings(directory)?;
    let work = WorkDirectory::of(directory, arguments.work.as_deref());
    let schema = arguments.schema.clone().unwrap_or_else(|| crate::database::schema(&settings, &work));
    Ok(Some((Database::existing(&settings, directory, &work)?, schema)))
}

/// The further databases of the application.
fn surroundings(arguments: &Arguments) -> Result<Option<Surroundings>, String> {
    let Some(directory) = &arguments.app else { return Ok(None) };
    let work = WorkDirectory::of(directory, arguments.work.as_deref());
    Ok(Some(Surroundings::of(&crate::up::database_settings(directory)?, directory, &work)))
}

/// The program's own part of PARM, and the run-time options behind it and in the file of DD CEEOPTS.
fn run_time_options(arguments: &Arguments, is_c: bool) -> (Option<&str>, RunTimeOptions) {
    let parm = arguments.parm.as_deref().map(|parm| split(parm, is_c));
    let options = parm.map_or_else(RunTimeOptions::default, |(_, options)| parse(options));
    let ceeopts = arguments.dds.iter().find(|dd| dd.name == "CEEOPTS");
    let file = ceeopts.map_or_else(String::new, |dd| match &dd.target {
        DataDefinition::File { path, .. } => std::fs::read_to_string(path).unwrap_or_default(),
        _ => String::new(),
    });
    (parm.map(|(own, _)| own), options.or(parse(&file)))
}

/// The source and line of the failing statement, when its program was compiled from a source here.
fn source_place(failure: &Failure, modules: &[(&Path, Arc<Module>)]) -> String {
    let Some(place) = failure.place.as_ref().filter(|place| place.line != 0) else { return String::new() };
    let has_program = |module: &Module| module.programs.iter().any(|program| program.name == place.program);
    let source = modules.iter().find(|(path, module)| !is_module(path) && has_program(module));
    source.map_or(String::new(), |(path, _)| format!(" ({}:{})", path.display(), place.line))
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == MODULE_EXTENSION)
}

/// What a file of the command is.
enum Made {
    Module(Arc<Module>),
    /// A C source without a program, which is part of others.
    Part,
    /// The compiler's return code: its messages say why there is no module.
    Nothing(u8),
}

/// Makes modules of the files of the command.
struct Sources<'a> {
    arguments: &'a Arguments,
    check: Option<&'a SqlCheck>,
    c: c::Compiler,
}

impl<'a> Sources<'a> {
    fn new(arguments: &'a Arguments, check: Option<&'a SqlCheck>) -> Sources<'a> {
        let sources = arguments.files.iter().filter(|path| is_c(path)).cloned().collect();
        let settings = c::Settings { ccsid: arguments.ccsid, xplink: false, include: arguments.include.clone(), sources };
        Sources { arguments, check, c: c::Compiler::new(settings) }
    }

    fn module(&self, path: &Path) -> Result<Made, String> {
        if is_module(path) {
            return Module::load(path).map(Made::Module).map_err(|error| format!("{}: {error}", path.display()));
        }
        if is_c(path) { self.of_c(path) } else { self.of_cobol(path) }
    }

    fn of_c(&self, path: &Path) -> Result<Made, String> {
        let compilation = self.c.compile(path, self.check.map(|check| check as &dyn c::Analysis));
        show(compilation.messages);
        match compilation.image {
            Some(image) => loaded(path, &image),
            None if compilation.return_code < FAILED_FROM => Ok(Made::Part),
            None => Ok(Made::Nothing(compilation.return_code)),
        }
    }

    fn of_cobol(&self, path: &Path) -> Result<Made, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut directories: Vec<&Path> = self.arguments.include.iter().map(PathBuf::as_path).collect();
        directories.extend(path.parent());
        let resolver = Directories::new(&directories);
        let options = options(&self.arguments.options, self.arguments.ccsid)?;
        if options.deck.is_some() {
            eprintln!("regent: MDECK is carried out by `regent compile`; no source is written");
        }
        let mut compilation = cobol::compile_source(&path.display().to_string(), &bytes, &options, &resolver);
        if let Some(check) = self.check {
            check.check(&mut compilation);
        }
        show(messages(&compilation));
        if !compilation.is_usable() {
            return Ok(Made::Nothing(compilation.diagnostics.return_code().max(FAILED_FROM)));
        }
        loaded(path, &module_image(&compilation.programs)?)
    }
}

fn show(messages: Vec<String>) {
    let colour = crate::colour::is_wanted_on(&std::io::stderr());
    for message in messages {
        eprintln!("{}", if colour { crate::colour::paint(&message) } else { message });
    }
}

fn loaded(path: &Path, image: &ModuleImage) -> Result<Made, String> {
    Module::from_bytes(&image.to_bytes()).map(Made::Module).map_err(|error| format!("{}: {error}", path.display()))
}
