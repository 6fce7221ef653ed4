//! `regent dump PATH [KEYWORDS]`: the dumps of a file, or of the files of a region, in readable form, on standard output.

use clap::Args;
use region::dump::format::{COMPONENTS, Selection, format};
use region::dump::system::DIRECTORY;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::work_directory::WorkDirectory;

/// The exit code when nothing was found, or the file is damaged or incomplete.
const INCOMPLETE: u8 = 8;
const NOT_FOUND: &str = "no such dump is in it";

#[derive(Args)]
#[command(after_help = keywords_help())]
pub struct Arguments {
    /// A dump data set (`DFHDMPA`, `DFHDMPB`) or a system dump, in `dumps` of the data directory; or the application's directory, whose dumps
    /// are listed if no keyword selects any.
    path: PathBuf,
    /// What to show: components with their levels, and a selection of dumps.
    keywords: Vec<String>,
    /// Work directory of the application [default: PATH/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
}

fn keywords_help() -> String {
    let mut text = "Keywords:\n  \
         COMPONENT[=LEVEL]  1: summary, 2: contents, 3: both, 0: nothing; without a level, 3\n  \
         DEF=LEVEL          for the components not named; 0 if any is, else 3\n  \
         DUMPID=, CODE=, TRAN=, TASK=  only dumps with this identifier, dump code, transaction, task\n  \
         INDEX              a line for each dump\n  \
         UPPERCASE          in capital letters\n\nComponents:\n"
        .to_string();
    COMPONENTS.iter().for_each(|(name, what)| text += &format!("  {name:<4} {what}\n"));
    text
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    if !arguments.path.is_dir() {
        return show(&arguments.path, &Selection::parse(&arguments.keywords)?);
    }
    let files = files_of(&arguments)?;
    let index = ["INDEX".to_string()];
    let selection = Selection::parse(if arguments.keywords.is_empty() { &index } else { &arguments.keywords })?;
    let (mut code, mut is_found) = (0, false);
    for file in &files {
        // A dump that is asked for is in one of the files.
        match show(file, &selection) {
            Ok(shown) => (code, is_found) = (code.max(shown), true),
            Err(error) if !error.ends_with(NOT_FOUND) => return Err(error),
            Err(_) => {}
        }
    }
    if is_found { Ok(code) } else { Err(format!("{}: {NOT_FOUND}", arguments.path.display())) }
}

/// The dump files of an application's region, the dump data sets first.
fn files_of(arguments: &Arguments) -> Result<Vec<PathBuf>, String> {
    let work = WorkDirectory::of(&arguments.path, arguments.data.as_deref());
    let places = [work.store(), arguments.path.join("data"), arguments.path.clone()].map(|place| place.join(DIRECTORY));
    let directory = places.into_iter().find(|place| place.is_dir());
    let directory = directory
        .ok_or_else(|| format!("{}: there is no dump: no region has been started with this directory", arguments.path.display()))?;
    let entries = std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// Shows the dumps of a file that are selected.
fn show(path: &Path, selection: &Selection) -> Result<u8, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| named(&error))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let shown = format(BufReader::with_capacity(1 << 20, file), selection, &mut out).and_then(|shown| out.flush().map(|()| shown));
    match shown {
        Ok(Ok(0)) => Err(named(&NOT_FOUND)),
        Ok(Ok(_)) => Ok(0),
        Ok(Err(fault)) => {
            eprintln!("{}", named(&fault));
            Ok(INCOMPLETE)
        }
        // The reader of a pipe has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(0),
        Err(error) => Err(error.to_string()),
    }
}
