//! `regent dump FILE [KEYWORDS]`: the dumps of a file in readable form, on standard output.

use clap::Args;
use region::dump::format::{COMPONENTS, Selection, format};
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::PathBuf;

/// The exit code when nothing was found, or the file is damaged or incomplete.
const INCOMPLETE: u8 = 8;

#[derive(Args)]
#[command(after_help = keywords_help())]
pub struct Arguments {
    /// A dump data set (`DFHDMPA`, `DFHDMPB`) or a system dump, in `dumps` of the data directory.
    file: PathBuf,
    /// What to show: components with their levels, and a selection of dumps.
    keywords: Vec<String>,
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
    let selection = Selection::parse(&arguments.keywords)?;
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", arguments.file.display());
    let file = File::open(&arguments.file).map_err(|error| named(&error))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let shown = format(BufReader::with_capacity(1 << 20, file), &selection, &mut out).and_then(|shown| out.flush().map(|()| shown));
    match shown {
        Ok(Ok(0)) => Err(named(&"no such dump is in it")),
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
