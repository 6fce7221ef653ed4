//! `regent clean`: removes everything that `regent up` can build again.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::console::Console;
use crate::work_directory::{Class, WorkDirectory};

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// Also remove the files, queues and logs of the region. All data that its transactions have written is lost.
    #[arg(long)]
    everything: bool,
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    let work = WorkDirectory::of(&arguments.directory, arguments.data.as_deref());
    let root = work.root();
    if !root.is_dir() {
        return Err(format!("{} is not there: nothing to remove", root.display()));
    }
    if work.store().is_dir() {
        // Whoever has the store open has programs of the library mapped, and writes the data. An empty one is not made.
        let store = crate::idcams::open_store(&work.store())?;
        store.close().map_err(|error| error.to_string())?;
    }
    if arguments.everything {
        crate::database::end(&work)?;
    }
    for (path, _) in work.parts().filter(|(_, class)| *class == Class::MadeAgain || arguments.everything) {
        if remove(&path).map_err(|error| format!("{}: {error}", path.display()))? {
            console.line(&format!("removed   {}", path.display()));
        }
    }
    // An empty work directory goes, too; anything else in it is the user's.
    if arguments.everything && std::fs::remove_dir(root).is_ok() {
        console.line(&format!("removed   {}", root.display()));
    }
    Ok(0)
}

/// False when there is nothing to remove.
fn remove(path: &Path) -> std::io::Result<bool> {
    let result = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
