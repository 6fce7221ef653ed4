//! Files of batch programs: sequential (fixed and length-prefixed variable records) and line sequential, by DD name.
//!
//! A DD name is a path given by the caller, an environment variable `DD_NAME`, or the name itself as a path.

use crate::module::FileInfo;
use crate::requests::{FileOperation, FileRequest};
use crate::rununit::{FileOutcome, FrameId};
use le::CodePage;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

enum Stream {
    Input(BufReader<File>),
    Output(BufWriter<File>),
    Update { file: File, position: u64, last: Option<(u64, u32)> },
}

#[derive(Default)]
pub struct Files {
    /// DD name (upper case) to path.
    pub names: FxHashMap<String, PathBuf>,
    open: FxHashMap<(OwnerAddress, u32), Stream>,
}

/// A file belongs to the frame at this address.
type OwnerAddress = usize;

const LINE_SEQUENTIAL: u8 = 1;

impl Files {
    fn path(&self, file: &FileInfo) -> PathBuf {
        let name = file.assignment.to_ascii_uppercase();
        if let Some(path) = self.names.get(&name) {
            return path.clone();
        }
        match std::env::var_os(format!("DD_{name}")) {
            Some(path) => PathBuf::from(path),
            None => PathBuf::from(&file.assignment),
        }
    }

    pub fn close_all(&mut self) {
        for (_, stream) in self.open.drain() {
            if let Stream::Output(mut writer) = stream {
                let _ = writer.flush();
            }
        }
    }

    pub(super) fn operate(&mut self, owner: FrameId, file: &FileInfo, request: &mut FileRequest) -> FileOutcome {
        let key = (owner.as_ptr() as usize, request.file);
        if file.organization > LINE_SEQUENTIAL {
            request.status = *b"30";
            return FileOutcome::Error;
        }
        let ccsid = owner.module().programs[owner.program()].options.ccsid;
        let page = le::code_page::by_ccsid(ccsid).unwrap_or(&le::code_page::CCSID_037);
        let (status, outcome) = match request.operation {
            FileOperation::Open => self.open_file(key, file, request.mode),
            FileOperation::Close => match self.open.remove(&key) {
                Some(Stream::Output(mut writer)) => match writer.flush() {
                    Ok(()) => (*b"00", FileOutcome::Successful),
                    Err(_) => (*b"30", FileOutcome::Error),
                },
                Some(_) => (*b"00", FileOutcome::Successful),
                None => (*b"42", FileOutcome::Error),
            },
            FileOperation::Read => self.read(key, file, request, page),
            FileOperation::Write => self.write(key, file, request, page),
            FileOperation::Rewrite => self.rewrite(key, request),
            FileOperation::Delete | FileOperation::Start => (*b"30", FileOutcome::Error),
        };
        request.status = status;
        outcome
    }

    fn open_file(&mut self, key: (OwnerAddress, u32), file: &FileInfo, mode: u32) -> ([u8; 2], FileOutcome) {
        if self.open.contains_key(&key) {
            return (*b"41", FileOutcome::Error);
        }
        let path = self.path(file);
        let opened = match mode {
            0 => File::open(&path).map(|file| Stream::Input(BufReader::new(file))),
            1 => File::create(&path).map(|file| Stream::Output(BufWriter::new(file))),
            2 => File::options()
                .read(true)
                .write(true)
                .open(&path)
                .map(|file| Stream::Update { file, position: 0, last: None }),
            _ => File::options()
                .append(true)
                .create(true)
                .open(&path)
                .map(|file| Stream::Output(BufWriter::new(file))),
        };
        match opened {
            Ok(stream) => {
                self.open.insert(key, stream);
                (*b"00", FileOutcome::Successful)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if file.optional && mode == 0 {
                    // An optional file that is absent is at its end from the beginning.
                    if let Ok(empty) = File::open("/dev/null") {
                        self.open.insert(key, Stream::Input(BufReader::new(empty)));
                    }
                    return (*b"05", FileOutcome::Successful);
                }
                (*b"35", FileOutcome::Error)
            }
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => (*b"37", FileOutcome::Error),
            Err(_) => (*b"30", FileOutcome::Error),
        }
    }

    fn read(
        &mut self, key: (OwnerAddress, u32), file: &FileInfo, request: &mut FileRequest, page: &CodePage,
    ) -> ([u8; 2], FileOutcome) {
        let Some(stream) = self.open.get_mut(&key) else {
            return (*b"47", FileOutcome::Error);
        };
        let room = request.record_length as usize;
        // The record area is the program's own, at least `record_length` long.
        let area = unsafe { std::slice::from_raw_parts_mut(request.record, room) };
        let read = match stream {
            Stream::Input(reader) if file.organization == LINE_SEQUENTIAL => read_line(reader, area, page),
            Stream::Input(reader) if file.variable => read_variable(reader, area),
            Stream::Input(reader) => read_fixed(reader, area),
            Stream::Update { file, position, last } => {
                let at = *position;
                let read = file.seek(SeekFrom::Start(at)).and_then(|_| read_fixed(file, area));
                if let Ok(Some(length)) = read {
                    *last = Some((at, length as u32));
                    *position = at + room as u64;
                }
                read
            }
            Stream::Output(_) => return (*b"47", FileOutcome::Error),
        };
        match read {
            Ok(Some(length)) => {
                request.record_length = length as u32;
                (*b"00", FileOutcome::Successful)
            }
            Ok(None) => (*b"10", FileOutcome::AtEnd),
            Err(_) => (*b"30", FileOutcome::Error),
        }
    }

    fn write(
        &mut self, key: (OwnerAddress, u32), file: &FileInfo, request: &mut FileRequest, page: &CodePage,
    ) -> ([u8; 2], FileOutcome) {
        let Some(Stream::Output(writer)) = self.open.get_mut(&key) else {
            return (*b"48", FileOutcome::Error);
        };
        let record = unsafe { std::slice::from_raw_parts(request.record, request.record_length as usize) };
        let result = if file.organization == LINE_SEQUENTIAL {
            let end = record.iter().rposition(|byte| *byte != page.space).map_or(0, |at| at + 1);
            write_line(writer, page.decode(&record[..end]).as_bytes(), request)
        } else if file.variable {
            // A record descriptor word: length with itself, then two bytes of zero.
            let length = (record.len() as u16 + 4).to_be_bytes();
            writer.write_all(&[length[0], length[1], 0, 0]).and_then(|()| writer.write_all(record))
        } else {
            writer.write_all(record)
        };
        match result {
            Ok(()) => (*b"00", FileOutcome::Successful),
            Err(_) => (*b"30", FileOutcome::Error),
        }
    }

    fn rewrite(&mut self, key: (OwnerAddress, u32), request: &mut FileRequest) -> ([u8; 2], FileOutcome) {
        let Some(Stream::Update { file, last, .. }) = self.open.get_mut(&key) else {
            return (*b"49", FileOutcome::Error);
        };
        let Some((at, length)) = last.take() else {
            return (*b"43", FileOutcome::Error);
        };
        if length != request.record_length {
            return (*b"44", FileOutcome::Error);
        }
        let record = unsafe { std::slice::from_raw_parts(request.record, length as usize) };
        match file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(record)) {
            Ok(()) => (*b"00", FileOutcome::Successful),
            Err(_) => (*b"30", FileOutcome::Error),
        }
    }
}

/// A whole record, or nothing at the end; a short last record is padded with what the area held.
fn read_fixed(reader: &mut impl Read, area: &mut [u8]) -> std::io::Result<Option<usize>> {
    let mut filled = 0;
    while filled < area.len() {
        match reader.read(&mut area[filled..])? {
            0 => break,
            length => filled += length,
        }
    }
    Ok(if filled == 0 && !area.is_empty() { None } else { Some(area.len()) })
}

fn read_variable(reader: &mut impl Read, area: &mut [u8]) -> std::io::Result<Option<usize>> {
    let mut word = [0u8; 4];
    if reader.read(&mut word[..1])? == 0 {
        return Ok(None);
    }
    reader.read_exact(&mut word[1..])?;
    let length = (u16::from_be_bytes([word[0], word[1]]) as usize).saturating_sub(4);
    let mut record = vec![0; length];
    reader.read_exact(&mut record)?;
    let moved = length.min(area.len());
    area[..moved].copy_from_slice(&record[..moved]);
    Ok(Some(moved))
}

/// A line of text without its end, in the program's code page, padded with spaces.
fn read_line(reader: &mut impl BufRead, area: &mut [u8], page: &CodePage) -> std::io::Result<Option<usize>> {
    let mut line = Vec::new();
    if reader.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    let text = page.encode(&String::from_utf8_lossy(&line));
    let moved = text.len().min(area.len());
    area[..moved].copy_from_slice(&text[..moved]);
    area[moved..].fill(page.space);
    Ok(Some(moved))
}

fn write_line(writer: &mut impl Write, record: &[u8], request: &FileRequest) -> std::io::Result<()> {
    let feed = |writer: &mut dyn Write| match request.lines {
        lines if lines > 0 => (0..lines).try_for_each(|_| writer.write_all(b"\n")),
        0 => Ok(()),
        _ => writer.write_all(b"\x0c"),
    };
    match request.advancing {
        2 => {
            feed(writer)?;
            writer.write_all(record)
        }
        1 => {
            writer.write_all(record)?;
            feed(writer)
        }
        _ => {
            writer.write_all(record)?;
            writer.write_all(b"\n")
        }
    }
}
