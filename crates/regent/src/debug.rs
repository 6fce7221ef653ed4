//! `regent debug`: connects an editor, which speaks the Debug Adapter Protocol on standard input and output, to the debugger of a running
//! region.
//!
//! The region does the work; this command passes bytes on, each as soon as it comes. When either side ends, so does the other.

use crate::work_directory::WorkDirectory;
use clap::Args;
use serde_json::json;
use std::io::{IsTerminal, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

const BUFFER_BYTES: usize = 64 * 1024;

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let store = WorkDirectory::of(&arguments.directory, arguments.data.as_deref()).store();
    let region = debugger::door::connect(&store).map_err(|_| {
        let why = format!("no region serves {}: start it with `regent up`", arguments.directory.display());
        refuse(&why);
        why
    })?;
    let failed = |error: std::io::Error| format!("the connection to the region: {error}");
    let mut to_region = region.try_clone().map_err(failed)?;
    std::thread::Builder::new()
        .name("debug-input".to_string())
        .spawn(move || {
            let _ = pass_on(&mut std::io::stdin().lock(), &mut to_region);
            let _ = to_region.shutdown(Shutdown::Write);
        })
        .map_err(failed)?;
    // The region closes the connection behind its last message.
    let mut from_region: UnixStream = region;
    pass_on(&mut from_region, &mut std::io::stdout().lock()).map_err(failed)?;
    Ok(0)
}

fn pass_on(from: &mut impl Read, to: &mut impl Write) -> std::io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let length = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&buffer[..length])?;
        to.flush()?;
    }
}

/// An editor shows the answer to its first request, which is not written for people who type this command at a terminal.
fn refuse(why: &str) {
    if std::io::stdin().is_terminal() {
        return;
    }
    if let Ok(Some(request)) = debugger::protocol::read(&mut std::io::stdin().lock()) {
        let body = json!({ "error": { "id": 1, "format": why, "showUser": true } });
        let answer = json!({
            "seq": 1, "type": "response", "request_seq": request["seq"], "command": request["command"],
            "success": false, "message": why, "body": body,
        });
        let _ = debugger::protocol::write(&mut std::io::stdout().lock(), &answer);
    }
}
