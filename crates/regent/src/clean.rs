//! `regent clean`: removes everything that `regent up` can build again.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::console::Console;

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

/// What a start makes again from the sources.
const MADE_FROM_SOURCES: [&str; 6] = ["library", "copy", "listings", "compiled.json", "csd", "not-used.txt"];
/// Data created only by the application's use. The ledger of the set-up belongs to the data: without it the steps would run on it again.
const DATA: [&str; 4] = ["data", "sequential", "setup.json", "log"];

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    let work = crate::work_directory::of(&arguments.directory, arguments.data.as_deref());
    if !work.is_dir() {
        return Err(format!("{} is not there: nothing to remove", work.display()));
    }
    let data = work.join("data");
    if data.is_dir() {
        // Whoever has the store open has programs of the library mapped, and writes the data. An empty one is not made.
        let store = crate::idcams::open_store(&data)?;
        store.close().map_err(|error| error.to_string())?;
    }
    let names = MADE_FROM_SOURCES.iter().chain(DATA.iter().filter(|_| arguments.everything));
    for name in names {
        let path = work.join(name);
        if remove(&path).map_err(|error| format!("{}: {error}", path.display()))? {
            console.line(&format!("removed   {}", path.display()));
        }
    }
    // An empty work directory goes, too; anything else in it is the user's.
    if arguments.everything && std::fs::remove_dir(&work).is_ok() {
        console.line(&format!("removed   {}", work.display()));
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
