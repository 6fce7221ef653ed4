//! `regent console`: a terminal of a running region in lines of text, for operators at a shell and for scripts.
//!
//! It is a client of the region's 3270 listener as any other: what a transaction may do and who may run it is decided by the region. `up` writes
//! the address of its listener to the work directory, and removes it at the end.

use crate::work_directory::WorkDirectory;
use clap::Args;
use std::io::BufRead;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tn3270::{Client, ClientConfig};
use vsam::disk::private;

/// What an operator waits for one answer.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);
/// Begins a line that names a key.
const KEY: char = '/';

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// A transaction with its data, as at a terminal: `-- CEMT INQUIRE TASK`. Without one, each line of standard input is typed at the cursor, in
    /// place of the rest of the field, and entered; an empty line presses ENTER only, and a line like `/PF8` or `/CLEAR` presses that key.
    #[arg(last = true)]
    transaction: Vec<String>,
}

/// Where the region of this process listens, until it is dropped.
pub struct Published(PathBuf);

/// Tells `regent console` where the 3270 listener is.
pub fn publish(work: &WorkDirectory, address: &str) -> std::io::Result<Published> {
    private::write(&work.listener(), address.as_bytes())?;
    Ok(Published(work.listener()))
}

impl Drop for Published {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let work = WorkDirectory::of(&arguments.directory, arguments.data.as_deref());
    let mut client = connect(&work.listener())?;
    let failed = |error: tn3270::ClientError| error.to_string();
    client.wait_greeting().map_err(failed)?;
    client.enter("CLEAR").map_err(failed)?;
    if !arguments.transaction.is_empty() {
        client.run(&arguments.transaction.join(" ")).map_err(failed)?;
        show(&client)?;
        return Ok(0);
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("standard input: {error}"))?;
        match line.strip_prefix(KEY) {
            Some(key) => client.enter(&key.trim().to_ascii_uppercase()).map_err(failed)?,
            None if line.is_empty() => client.enter("ENTER").map_err(failed)?,
            None => {
                client.replace(&line).map_err(failed)?;
                client.enter("ENTER").map_err(failed)?;
            }
        }
        show(&client)?;
    }
    Ok(0)
}

/// A terminal of the region whose address is in this file.
pub fn connect(listener: &Path) -> Result<Client, String> {
    let address = std::fs::read_to_string(listener)
        .map_err(|_| format!("no region serves this application: there is no {}; start it with `regent up`", listener.display()))?;
    Client::connect(address.trim(), ClientConfig::default(), ANSWER_TIME_MAX)
        .map_err(|error| format!("{}: {error}; the region that listened there has probably ended", address.trim()))
}

/// Whether a region listens where this file says.
pub fn is_served(listener: &Path) -> bool {
    let address = std::fs::read_to_string(listener).unwrap_or_default();
    !address.is_empty() && TcpStream::connect(address.trim()).is_ok()
}

/// The lines of the screen, without the empty ones at its end.
fn show(client: &Client) -> Result<(), String> {
    let text = client.text().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    crate::output::print(&format!("{}\n", text.trim_end()))
}
