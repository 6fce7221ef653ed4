//! `regent csdup [FILE]`: CSD utility statements from a file or standard input against a CSD file, the listing to
//! standard output, the return code as the exit code.

use std::path::PathBuf;

use clap::Args;
use csd::{SharedCsd, Unavailable, csdup};

use crate::idcams::read_input;

#[derive(Args)]
pub struct Arguments {
    /// Control statements; standard input if omitted.
    file: Option<PathBuf>,
    /// The CSD file; created if it does not exist. A region that uses it may be running.
    #[arg(long, default_value = ".regent/csd")]
    csd: PathBuf,
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let input = read_input(arguments.file.as_deref())?;
    let source = arguments.file.as_ref().map_or("SYSIN".to_string(), |path| path.display().to_string());
    if let Some(parent) = arguments.csd.parent() {
        std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    let csd = SharedCsd::on_file(&arguments.csd);
    let report = csd.change(|csd| Ok::<_, Unavailable>(csdup::execute_job(csd, &input, &source))).map_err(|fault| fault.to_string())?;
    crate::output::print(&report.text)?;
    Ok(report.return_code.min(16) as u8)
}
