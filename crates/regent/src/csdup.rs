//! `regent csdup [FILE]`: CSD utility statements from a file or standard input against a CSD file, the listing to
//! standard output, the return code as the exit code. EXTRACT calls programs of load libraries.

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use csd::csdup::{self, Job, Point, UserPrograms};
use csd::{Csd, SharedCsd, Unavailable};
use program::batch::{BatchHost, Called, MODULE_EXTENSION, Parameter};
use program::module::Module;
use program::rununit::Ended;

use crate::dd::DdArgument;
use crate::idcams::read_input;

#[derive(Args)]
pub struct Arguments {
    /// Control statements; standard input if omitted.
    file: Option<PathBuf>,
    /// The CSD file; created if it does not exist. A region that uses it may be running.
    #[arg(long, default_value = ".regent/csd")]
    csd: PathBuf,
    /// Another CSD file that FROMCSD names: NAME=PATH.
    #[arg(long = "secondary", value_name = "NAME=PATH", value_parser = secondary)]
    secondaries: Vec<(String, PathBuf)>,
    /// A directory with load modules of the programs that EXTRACT calls; may be given more than once.
    #[arg(short = 'L', long = "library", value_name = "LIBRARY")]
    libraries: Vec<PathBuf>,
    /// DD names of those programs: NAME=PATH[:fixed:LENGTH|:variable|:blocked|:text], or NAME=dummy.
    #[arg(long = "dd")]
    dds: Vec<DdArgument>,
}

fn secondary(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if (1..=8).contains(&name.len()) => Ok((name.to_uppercase(), PathBuf::from(path))),
        _ => Err("NAME=PATH with a name of one to eight characters is expected".to_string()),
    }
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let input = read_input(arguments.file.as_deref())?;
    if let Some(parent) = arguments.csd.parent() {
        std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    let is_new = std::fs::metadata(&arguments.csd).map_or(true, |metadata| metadata.len() == 0);
    let source = arguments.file.as_ref().map_or("SYSIN".to_string(), |path| path.display().to_string());
    let find = |name: &str| {
        let (_, path) = arguments.secondaries.iter().find(|(known, _)| known == name)?;
        Csd::load(path).ok().filter(|(_, report)| report.return_code <= 4).map(|(csd, _)| csd)
    };
    let mut programs = Programs { arguments: &arguments, active: HashMap::new() };
    let data_set = arguments.csd.display().to_string();
    let job = Job { source: &source, data_set: &data_set, is_new, secondary: &find, programs: &mut programs };
    let csd = SharedCsd::on_file(&arguments.csd);
    let report = csd.change(|csd| Ok::<_, Unavailable>(csdup::execute_job(csd, &input, job))).map_err(|fault| fault.to_string())?;
    crate::output::print(&report.text)?;
    Ok(report.return_code.min(16) as u8)
}

/// A program between its initial and its final call, with the address of the word it may keep its work area in.
struct Active {
    called: Called<'static>,
    work_area: u32,
}

/// The programs of EXTRACT.
struct Programs<'a> {
    arguments: &'a Arguments,
    active: HashMap<String, Active>,
}

impl Programs<'_> {
    fn start(&self, program: &str) -> Result<Active, String> {
        let places = || self.arguments.libraries.iter().map(|library| library.join(format!("{program}.{MODULE_EXTENSION}")));
        let path = places().find(|path| path.exists()).ok_or("THERE IS NO LOAD MODULE IN THE LIBRARIES")?;
        let module: Arc<Module> = Module::load(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut host = BatchHost::new(BufWriter::new(std::io::stdout()));
        host.libraries = self.arguments.libraries.clone();
        for dd in &self.arguments.dds {
            host.files.names.insert(dd.name.clone(), dd.target.clone());
        }
        let mut called = Called::new(host, &module);
        let word = called.lasting(&[0; 4]);
        let work_area = called.lasting(&word.to_be_bytes());
        Ok(Active { called, work_area })
    }
}

/// Lengths of the fields that a user program gets ("Parameters passed from DFHCSDUP to the user program").
const COMMAND_LENGTH: usize = 75;
const NAME_LENGTH: usize = 8;
const KEYWORD_LENGTH: usize = 12;

impl UserPrograms for Programs<'_> {
    fn call(&mut self, program: &str, point: &Point) -> Result<(), String> {
        if point.function == Point::INITIAL {
            let active = self.start(program)?;
            self.active.insert(program.to_string(), active);
        }
        let active = self.active.get_mut(program).ok_or("ITS INITIAL CALL FAILED")?;
        let code_page = active.called.code_page();
        let text = |text: &str, length: usize| Parameter::Bytes(code_page.encode(&format!("{text:length$}")));
        let part = |part: Option<&str>, length: usize| part.map_or(Parameter::None, |part| text(part, length));
        let value = point.keyword.map(|(_, value)| code_page.encode(value));
        let parameters = [
            Parameter::Bytes(point.function.to_be_bytes().to_vec()),
            Parameter::Lasting(active.work_area),
            text(point.command, COMMAND_LENGTH),
            part(point.list, NAME_LENGTH),
            part(point.group, NAME_LENGTH),
            part(point.object.map(|(kind, _)| kind), KEYWORD_LENGTH),
            part(point.object.map(|(_, name)| name), NAME_LENGTH),
            part(point.keyword.map(|(name, _)| name), KEYWORD_LENGTH),
            value.as_ref().map_or(Parameter::None, |value| Parameter::Bytes((value.len() as i16).to_be_bytes().to_vec())),
            value.map_or(Parameter::None, |mut value| {
                // A value without characters has an address, too.
                value.resize(value.len().max(1), code_page.encode(" ")[0]);
                Parameter::Bytes(value)
            }),
        ];
        let ended = active.called.call(&parameters);
        let _ = std::io::stdout().flush();
        if point.function == Point::FINAL {
            self.active.remove(program);
        }
        match ended {
            Ended::Returned => Ok(()),
            Ended::Stopped | Ended::Left(_) => Err("IT ENDED BEFORE THE FINAL CALL".to_string()),
            Ended::Abended(failure) => Err(failure.batch_text().to_string()),
        }
    }
}
