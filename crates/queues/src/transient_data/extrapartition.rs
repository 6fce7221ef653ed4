//! The file of an extrapartition queue.
//!
//! The file is that of the DD statement named by DDNAME; else DSNAME if it is a path; else a file the region creates under `queues` in its
//! data directory. DSNAME(DUMMY) has no file and acts as a device that is always empty. With DISPOSITION(MOD), and for the region's own
//! files, records are appended; other files are overwritten.

use crate::record::{self, Format};
use csd::{TdDisposition, TdQueueDefinition, TypeFile};
use region::Region;
use region::code_page::RegionCodePage;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use vsam::disk::names::{Letters, file_name};
use vsam::disk::private;

enum Stream {
    Input(BufReader<File>),
    Output(BufWriter<File>),
    /// TYPEFILE(RDBACK): the records still to be read, the next one last.
    Backwards(Vec<Vec<u8>>),
}

/// DSNAME of a queue without a data set.
const DUMMY: &str = "DUMMY";
const NO_FILE: &str = "/dev/null";

pub struct ExternalFile {
    stream: Stream,
    format: Format,
}

impl ExternalFile {
    pub(super) fn open(region: &Region, definition: &TdQueueDefinition) -> io::Result<ExternalFile> {
        let dd = region.dd_names.get(definition.ddname.as_str());
        let (path, own) = match dd {
            Some(path) => (path.clone(), false),
            None if definition.dataset == DUMMY => (PathBuf::from(NO_FILE), false),
            None if definition.dataset.contains('/') => (PathBuf::from(&definition.dataset), false),
            None => {
                let name = if definition.ddname.is_blank() { definition.name.as_str() } else { definition.ddname.as_str() };
                let file = file_name(name.trim_end(), Letters::Lower, ".log")?;
                (region.data_directory.join("queues").join(file), true)
            }
        };
        if dd.is_none() && region.is_of_security(&path) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is a file of the security database"));
        }
        let format = format_of(&path, definition);
        let stream = match definition.type_file {
            TypeFile::ReadBack => Stream::Backwards(all_records(region, &path, format)?),
            TypeFile::Input => Stream::Input(BufReader::new(File::open(&path)?)),
            TypeFile::Output => {
                if let Some(parent) = path.parent() {
                    private::create_directory(parent)?;
                }
                // Another's file may be a link, a file of the region's own not.
                let mut options = if own { private::open_options() } else { File::options() };
                options.create(true).mode(0o600);
                if own || definition.disposition == TdDisposition::Mod {
                    options.append(true)
                } else {
                    options.write(true).truncate(true)
                };
                Stream::Output(BufWriter::new(private::open(&options, &path)?))
            }
        };
        Ok(ExternalFile { stream, format })
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn is_input(&self) -> bool {
        !matches!(self.stream, Stream::Output(_))
    }

    /// Whether there is nothing to read, or nothing was written.
    pub(super) fn is_empty(&mut self) -> bool {
        match &mut self.stream {
            Stream::Input(input) => input.fill_buf().is_ok_and(|rest| rest.is_empty()),
            Stream::Backwards(records) => records.is_empty(),
            Stream::Output(output) => output.get_ref().metadata().is_ok_and(|metadata| metadata.len() == 0),
        }
    }

    /// Writes a record through to the file.
    pub(super) fn write(&mut self, data: &[u8], code_page: &RegionCodePage) -> io::Result<()> {
        match &mut self.stream {
            Stream::Output(output) => {
                record::write(output, self.format, data, code_page)?;
                output.flush()
            }
            Stream::Input(_) | Stream::Backwards(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "the queue is for input")),
        }
    }

    /// Reads the next record; false at the end of the file.
    pub(super) fn read(&mut self, data: &mut Vec<u8>, code_page: &RegionCodePage) -> io::Result<bool> {
        match &mut self.stream {
            Stream::Input(input) => record::read(input, self.format, data, code_page),
            Stream::Backwards(records) => {
                let next = records.pop();
                let there = next.is_some();
                *data = next.unwrap_or_default();
                Ok(there)
            }
            Stream::Output(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "the queue is for output")),
        }
    }

    pub(super) fn flush(&mut self) {
        if let Stream::Output(output) = &mut self.stream {
            let _ = output.flush();
        }
    }
}

/// The records of a file that is read backwards. The lengths of variable-length records can be found only forwards (QSAM).
fn all_records(region: &Region, path: &Path, format: Format) -> io::Result<Vec<Vec<u8>>> {
    if format == Format::Variable {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "records of variable length cannot be read backwards"));
    }
    let mut input = BufReader::new(File::open(path)?);
    let (mut records, mut data) = (Vec::new(), Vec::new());
    while record::read(&mut input, format, &mut data, &region.code_page)? {
        records.push(std::mem::take(&mut data));
    }
    Ok(records)
}

fn format_of(path: &Path, definition: &TdQueueDefinition) -> Format {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    if matches!(extension, "txt" | "log" | "lst") {
        Format::Text
    } else if definition.fixed {
        Format::Fixed(definition.record_bytes.max(1) as usize)
    } else {
        Format::Variable
    }
}
