//! `regent run FILE.cbl`: compiles and runs a batch program. DISPLAY goes to standard output; the exit code is RETURN-CODE.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use cobol::source::Directories;
use program::batch::BatchHost;
use program::module::Module;
use program::rununit::Ended;

use crate::compile::{messages, module_image, options};
use crate::dd::{DdArgument, Target};

#[derive(Args)]
pub struct Arguments {
    /// The program's source. Further programs it calls may stand in the same source, or be load modules of a library.
    file: PathBuf,
    /// DD names: NAME=PATH.
    #[arg(long = "dd")]
    dds: Vec<DdArgument>,
    /// Text passed to the program as PARM.
    #[arg(long)]
    parm: Option<String>,
    /// Code page of data: 37, 1047, 1140 or 819.
    #[arg(long, default_value_t = 37)]
    ccsid: u16,
    /// Directory of COPY members; may be given more than once.
    #[arg(short = 'I', long = "include", value_name = "COPYDIR")]
    include: Vec<PathBuf>,
    /// Directory of load modules that CALL finds; may be given more than once.
    #[arg(short = 'L', long = "library", value_name = "LIBRARY")]
    libraries: Vec<PathBuf>,
    /// Compiler options as on a CBL statement.
    #[arg(long, default_value = "")]
    options: String,
}

/// The exit code of a program that abends, as a job step that abends has no return code of its own.
const ABEND_EXIT_CODE: u8 = 255;
/// Exit codes are a byte: a larger RETURN-CODE is told apart only up to here.
const EXIT_CODE_MAX: i32 = 254;

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let module = match compile(&arguments)? {
        Ok(module) => module,
        Err(return_code) => return Ok(return_code),
    };
    let output = std::io::BufWriter::new(std::io::stdout());
    let mut host = BatchHost::new(output);
    host.input = Box::new(BufReader::new(std::io::stdin()));
    host.libraries = arguments.libraries.clone();
    for dd in &arguments.dds {
        host.files.names.insert(dd.name.clone(), dd_path(dd)?);
    }
    let (ended, return_code) = host.run(&module, arguments.parm.as_deref());
    let _ = host.output.flush();
    match ended {
        Ended::Returned | Ended::Stopped | Ended::Left(_) => Ok(return_code.clamp(0, EXIT_CODE_MAX) as u8),
        Ended::Abended(failure) => {
            eprintln!("{}", failure.text());
            Ok(ABEND_EXIT_CODE)
        }
    }
}

/// The module, or the compiler's return code when its messages say that there is none.
fn compile(arguments: &Arguments) -> Result<Result<std::sync::Arc<Module>, u8>, String> {
    let path = &arguments.file;
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut directories: Vec<&Path> = arguments.include.iter().map(PathBuf::as_path).collect();
    directories.extend(path.parent());
    let resolver = Directories::new(&directories);
    let options = options(&arguments.options, arguments.ccsid)?;
    let compilation = cobol::compile_source(&path.display().to_string(), &bytes, &options, &resolver);
    messages(&compilation).iter().for_each(|message| eprintln!("{message}"));
    if !compilation.is_usable() {
        return Ok(Err(compilation.diagnostics.return_code().max(8)));
    }
    let image = module_image(&compilation.programs, &bytes)?;
    Module::from_bytes(&image.to_bytes()).map(Ok).map_err(|error| format!("{}: {error}", path.display()))
}

fn dd_path(dd: &DdArgument) -> Result<PathBuf, String> {
    match &dd.target {
        Target::File { path, .. } => Ok(path.clone()),
        Target::Dummy => Ok(PathBuf::from("/dev/null")),
        Target::DataSet(name) => Err(format!("DD {}: data set {name}: batch programs read and write files, not data sets, so far", dd.name)),
    }
}
