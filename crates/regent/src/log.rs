//! The log of a region: what `regent up` prints and what the region reports, in `log/region.log` of the work directory, and `regent logs`, which
//! shows it.
//!
//! The log is bounded: when it reaches `FILE_BYTES_MAX`, the file becomes `region.log.1` and replaces the previous one.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use vsam::disk::private;

use crate::work_directory::WorkDirectory;

/// At most two files of this length are kept.
const FILE_BYTES_MAX: u64 = 8 << 20;
/// How often `--follow` looks.
const LOOK_EVERY: Duration = Duration::from_millis(200);

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// Number of lines to show, from the end of the log.
    #[arg(short = 'n', long, default_value_t = 100)]
    lines: usize,
    /// Continue to show new lines until Ctrl-C.
    #[arg(short, long)]
    follow: bool,
}

/// The log that this process writes, if it serves an application.
static LOG: Mutex<Option<LogFile>> = Mutex::new(None);

struct LogFile {
    path: PathBuf,
    file: File,
    length: u64,
    length_max: u64,
}

fn path_in(work: &WorkDirectory) -> PathBuf {
    work.log().join("region.log")
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("log.1")
}

impl LogFile {
    fn open(path: PathBuf, length_max: u64) -> std::io::Result<LogFile> {
        if let Some(parent) = path.parent() {
            private::create_directory(parent)?;
        }
        let file = private::open(private::open_options().create(true).append(true), &path)?;
        let length = file.metadata()?.len();
        Ok(LogFile { path, file, length, length_max })
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        if self.length > 0 && self.length + bytes.len() as u64 > self.length_max {
            std::fs::rename(&self.path, older(&self.path))?;
            *self = LogFile::open(self.path.clone(), self.length_max)?;
        }
        self.file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// From now on this process writes the log of the application whose work directory this is.
pub fn begin(work: &WorkDirectory) -> Result<(), String> {
    let path = path_in(work);
    let log = LogFile::open(path.clone(), FILE_BYTES_MAX).map_err(|error| format!("{}: {error}", path.display()))?;
    *LOG.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(log);
    Ok(())
}

/// Appends to the log. A log that cannot be written is given up: a full device must not stop a region.
pub fn write(bytes: &[u8]) {
    let mut log = LOG.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if log.as_mut().is_some_and(|log| log.write(bytes).is_err()) {
        *log = None;
    }
}

/// What the structured log of the process is written to beside standard error.
pub struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub fn command(arguments: Arguments) -> Result<u8, String> {
    let work = WorkDirectory::of(&arguments.directory, arguments.data.as_deref());
    let path = path_in(&work);
    if !path.is_file() {
        return Err(format!("{} is not there: no region has been started with this work directory", path.display()));
    }
    let read = |path: &Path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut text = read(&older(&path)).unwrap_or_default();
    let now = read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut at = now.len() as u64;
    text.push_str(&now);
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(arguments.lines)..];
    crate::output::print(&last.iter().map(|line| format!("{line}\n")).collect::<String>())?;
    if !arguments.follow {
        return Ok(0);
    }
    loop {
        std::thread::sleep(LOOK_EVERY);
        match show_from(&path, at) {
            Ok(next) => at = next,
            // Between the two steps of a rotation the file does not exist.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            // The reader of the output has ended.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
}

/// Prints what stands behind a place of the log; the place where it ends. A file that is shorter is a new one.
fn show_from(path: &Path, at: u64) -> std::io::Result<u64> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut begin = at;
    let mut out = std::io::stdout().lock();
    if length < at {
        // The rest of the old file first.
        let mut old = File::open(older(path))?;
        old.seek(SeekFrom::Start(at))?;
        std::io::copy(&mut old, &mut out)?;
        begin = 0;
    }
    file.seek(SeekFrom::Start(begin))?;
    let written = std::io::copy(&mut file.take(length - begin), &mut out)?;
    out.flush()?;
    Ok(begin + written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_is_rotated_keeping_one_old_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = path_in(&WorkDirectory::of(directory.path(), None));
        let mut log = LogFile::open(path.clone(), 30).unwrap();
        for number in 0..10 {
            log.write(format!("line {number:04}\n").as_bytes()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line 0009\n");
        assert_eq!(std::fs::read_to_string(older(&path)).unwrap(), "line 0006\nline 0007\nline 0008\n");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
        // Started again, the region goes on in the same file.
        LogFile::open(path.clone(), 30).unwrap().write(b"more\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line 0009\nmore\n");
    }
}
