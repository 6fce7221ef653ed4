//! Descriptions of the command line for shells and `man`: `regent completions` and `regent man`, generated from the command line
//! definition.

use std::path::PathBuf;

use clap::{Args, Command};

#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell whose completions are printed.
    shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArguments {
    /// Directory the pages are written to, one for each command.
    directory: PathBuf,
}

pub fn completions(arguments: CompletionsArguments, mut command: Command) -> Result<u8, String> {
    let name = command.get_name().to_string();
    clap_complete::generate(arguments.shell, &mut command, name, &mut std::io::stdout());
    Ok(0)
}

pub fn manual(arguments: ManArguments, command: Command) -> Result<u8, String> {
    let directory = &arguments.directory;
    std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    Ok(0)
}
