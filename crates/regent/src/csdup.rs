//! `regent csdup [FILE]`: CSD utility statements from a file or standard input against a CSD file, the listing to
//! standard output, the return code as the exit code.

use std::path::PathBuf;

use clap::Args;
use csd::csdup;
use csd::file::Csd;

use crate::idcams::read_input;

#[derive(Args)]
pub struct Arguments {
    /// Control statements; standard input if omitted.
    file: Option<PathBuf>,
    /// The CSD file; created if it does not exist.
    #[arg(long, default_value = ".regent/csd")]
    csd: PathBuf,
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let input = read_input(arguments.file.as_deref())?;
    let fail = |error: std::io::Error| format!("{}: {error}", arguments.csd.display());
    let mut csd = match Csd::load(&arguments.csd) {
        Ok((_, report)) if report.return_code > 4 => {
            return Err(format!("{} is damaged:\n{}", arguments.csd.display(), report.text));
        }
        Ok((csd, _)) => csd,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Csd::initialized(),
        Err(error) => return Err(fail(error)),
    };
    let source = arguments.file.as_ref().map_or("SYSIN".to_string(), |path| path.display().to_string());
    let report = csdup::execute_job(&mut csd, &input, &source);
    if let Some(parent) = arguments.csd.parent() {
        std::fs::create_dir_all(parent).map_err(fail)?;
    }
    csd.save(&arguments.csd).map_err(fail)?;
    crate::output::print(&report.text)?;
    Ok(report.return_code.min(16) as u8)
}
