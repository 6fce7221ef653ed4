//! Consoles of regions: `regent modify REGION,TRANSACTION` from any shell of the user who runs the region, and standard input of `regent up
//! --console`.
//!
//! Each region listens at a socket with its APPLID as name, in a directory of the user's own (below XDG_RUNTIME_DIR, else below /tmp). Rules (CICS,
//! "Entering transactions at a console device"): what follows the comma is entered at a console named after the user, and its lines come back.
//! Invariants: nobody else can reach the socket; a request is one line of bounded length, answered and closed.

use crate::console::Console;
use clap::Args;
use region::Region;
use region::name::Name8;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use terminals::terminal_control::console;
use vsam::disk::private;

/// What an operator waits for a transaction.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);
/// Bytes of a request, with the name of the console.
const REQUEST_BYTES_MAX: u64 = 4_096;
/// Requests at a time.
const REQUESTS_MAX: usize = 32;
/// The console at standard input of `regent up`.
const OWN_CONSOLE: &str = "CONSOLE";
/// Exit code of a request that was not carried out.
const FAILED: u8 = 8;
/// First line of an answer.
const DONE: &str = "DONE";

#[derive(Args)]
pub struct Arguments {
    /// The APPLID of a region, a comma, and a transaction with its data: `BANK01,CEMT INQUIRE TASK`.
    #[arg(required = true)]
    request: Vec<String>,
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let request = arguments.request.join(" ");
    let Some((applid, text)) = request.split_once(',') else {
        return Err(format!("{request:?}: expected REGION,TRANSACTION, as in BANK01,CEMT INQUIRE TASK"));
    };
    let applid = applid.trim().to_ascii_uppercase();
    let path = socket_of(&applid);
    let mut stream = UnixStream::connect(&path)
        .map_err(|_| format!("no region {applid} of this user runs here: there is no console at {}", path.display()))?;
    let user = region::user::name().unwrap_or_else(|| OWN_CONSOLE.to_string()).to_ascii_uppercase();
    let console: String = user.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    let failed = |error: std::io::Error| format!("region {applid}: {error}");
    writeln!(stream, "{console} {}", text.trim()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    match answer.split_once('\n') {
        Some((DONE, lines)) => crate::output::print(lines).map(|()| 0),
        Some((why, _)) => {
            eprintln!("regent: {why}");
            Ok(FAILED)
        }
        None => Err(format!("region {applid} has ended")),
    }
}

/// Where the sockets are.
fn directory() -> PathBuf {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_dir());
    let own = || std::env::temp_dir().join(format!("regent-{}", rustix::process::getuid().as_raw()));
    given.map_or_else(own, |path| path.join("regent"))
}

fn socket_of(applid: &str) -> PathBuf {
    directory().join(applid)
}

/// The console of the region of this process, until it is dropped.
pub struct Published(PathBuf);

impl Drop for Published {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Listens for requests of `regent modify`. `None`: another region of this user has the same APPLID, or the directory is not the user's own.
pub fn publish(region: &'static Region) -> Option<Published> {
    let directory = directory();
    private::create_directory(&directory).ok()?;
    let is_own = std::fs::symlink_metadata(&directory).is_ok_and(|of| of.is_dir() && of.uid() == rustix::process::getuid().as_raw());
    if !is_own {
        tracing::warn!(target: "region::console", directory = %directory.display(), "not this user's own: regent modify does not find the region");
        return None;
    }
    private::tighten(&directory);
    let path = socket_of(region.applid.as_str());
    if UnixStream::connect(&path).is_ok() {
        tracing::info!(target: "region::console", "another region of this user is called {}: regent modify finds that one", region.applid);
        return None;
    }
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).ok()?;
    let listening = std::thread::Builder::new().name("consoles".to_string()).spawn(move || listen(region, &listener));
    listening.ok().map(|_| Published(path))
}

fn listen(region: &'static Region, listener: &UnixListener) {
    let current = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().map_while(Result::ok) {
        if current.fetch_add(1, Ordering::AcqRel) >= REQUESTS_MAX {
            current.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let ended = current.clone();
        let begun = std::thread::Builder::new().name("console".to_string()).spawn(move || {
            answer(region, stream);
            ended.fetch_sub(1, Ordering::AcqRel);
        });
        if begun.is_err() {
            current.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// A request and its answer. A client that has gone is not told.
fn answer(region: &'static Region, stream: UnixStream) {
    let _ = stream.set_read_timeout(Some(ANSWER_TIME_MAX));
    let mut request = String::new();
    let read = BufReader::new((&stream).take(REQUEST_BYTES_MAX)).read_line(&mut request);
    let Some((name, text)) = request.trim_end().split_once(' ').filter(|_| read.is_ok()) else { return };
    let answer = match console::modify(region, Name8::new(name), text, ANSWER_TIME_MAX) {
        Ok(lines) => format!("{DONE}\n{}", lines.iter().map(|line| format!("{line}\n")).collect::<String>()),
        Err(why) => format!("{why}\n"),
    };
    let _ = (&stream).write_all(answer.as_bytes());
}

/// Standard input as a console of the region: each line is entered, with or without MODIFY and the name of the region.
pub fn read_standard_input(region: &'static Region, console: Console) {
    let reading = std::thread::Builder::new().name("console-input".to_string()).spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let Some(text) = entered(&line, region.applid.as_str()) else {
                console.warning(&format!("this is region {}", region.applid));
                continue;
            };
            if text.is_empty() {
                continue;
            }
            match console::modify(region, Name8::new(OWN_CONSOLE), text, ANSWER_TIME_MAX) {
                Ok(lines) => lines.iter().for_each(|line| console.line(line)),
                Err(why) => console.warning(&why),
            }
        }
    });
    if let Err(error) = reading {
        console.warning(&format!("standard input is not read: {error}"));
    }
}

/// The transaction of a line. `None`: the MODIFY is for another region.
fn entered<'a>(line: &'a str, applid: &str) -> Option<&'a str> {
    let line = line.trim();
    let word = line.split_whitespace().next().unwrap_or_default();
    if !["F", "MODIFY"].iter().any(|verb| word.eq_ignore_ascii_case(verb)) {
        return Some(line);
    }
    let (name, text) = line[word.len()..].split_once(',')?;
    name.trim().eq_ignore_ascii_case(applid).then(|| text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_be_a_modify_of_this_region() {
        assert_eq!(entered("CEMT I TASK", "BANK01"), Some("CEMT I TASK"));
        assert_eq!(entered(" f bank01,CEMT I TASK", "BANK01"), Some("CEMT I TASK"));
        assert_eq!(entered("MODIFY BANK01 , CEMT I TASK", "BANK01"), Some("CEMT I TASK"));
        assert_eq!(entered("F BANK02,CEMT I TASK", "BANK01"), None);
        assert_eq!(entered("FEED", "BANK01"), Some("FEED"));
    }

    #[test]
    fn the_directory_is_absolute() {
        assert!(socket_of("BANK01").is_absolute());
    }
}
