//! Sequential files in the file system: fixed-length records, variable-length records with a descriptor word, blocked or not, lines of
//! text, and print files with carriage control.
//!
//! Rules: Enterprise COBOL for z/OS Language Reference, WRITE ADVANCING and LINAGE; Programming Guide, "Control of the printed
//! page"; z/OS DFSMS Using Data Sets for record descriptor words and ASA control characters.
//!
//! `unsafe` here copies between a record and the record area of the request, which lies in the program's storage for its full length.
//! `codegen/tests/files.rs` covers it.

use super::dd::FileFormat;
use super::files::{Mode, status};
use super::keyed::FileStatus;
use super::printer::Printer;
use crate::module::{FileInfo, Organization};
use crate::requests::{FileOperation, FileRequest};
use le::CodePage;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// How records lie in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Fixed,
    Variable,
    /// Variable records in blocks that have a descriptor word, too.
    Blocked,
    Text,
}

impl Layout {
    fn has_words(self) -> bool {
        matches!(self, Layout::Variable | Layout::Blocked)
    }
}

enum Stream {
    Input(BufReader<File>),
    Output(BufWriter<File>),
    /// I-O: the next record's offset, and the offset and length of the data of the record last read.
    Update {
        file: File,
        next: u64,
        last: Option<(u64, usize)>,
    },
}

pub(super) struct Sequential {
    stream: Stream,
    layout: Layout,
    printer: Option<Printer>,
    /// The last READ was at the end.
    ended: bool,
    block: Block,
}

/// The current block of a blocked file.
#[derive(Default)]
struct Block {
    /// Bytes that have not been read.
    left: usize,
    written: Vec<u8>,
}

pub(super) const WORD_LENGTH: usize = 4;
/// The longest record that a descriptor word can describe.
pub(super) const VARIABLE_LENGTH_MAX: usize = super::dd::RECORD_LENGTH_MAX - WORD_LENGTH;
/// Blocks are filled to half a track of a 3390, as the system determines it for format V; a longer one has one record.
const BLOCK_LENGTH: usize = 27_998;
const BLOCK_LENGTH_MAX: usize = super::dd::RECORD_LENGTH_MAX;

/// File status 37; the reason goes to the job's messages.
pub(super) fn mode_not_possible(info: &FileInfo, reason: &str) -> FileStatus {
    eprintln!("{} OPEN failed, file status 37: {reason}", info.assignment);
    status::MODE_NOT_POSSIBLE
}

impl Sequential {
    pub(super) fn open(
        path: PathBuf,
        format: FileFormat,
        info: &FileInfo,
        mode: Mode,
        request: &FileRequest,
    ) -> Result<(Sequential, FileStatus), FileStatus> {
        let layout = match format {
            _ if info.organization == Organization::LineSequential => Layout::Text,
            FileFormat::Text => Layout::Text,
            FileFormat::Variable => Layout::Variable,
            FileFormat::Blocked => Layout::Blocked,
            FileFormat::Fixed(length) if length != info.record_maximum as usize => {
                let (name, own) = (&info.assignment, info.record_maximum);
                eprintln!("{name} OPEN failed, file status 39: the program's record has {own} bytes, the file's {length}");
                return Err(status::ATTRIBUTES);
            }
            FileFormat::Fixed(_) => Layout::Fixed,
            FileFormat::Unspecified if info.variable => Layout::Variable,
            FileFormat::Unspecified => Layout::Fixed,
        };
        if mode == Mode::InputOutput && layout == Layout::Text {
            return Err(mode_not_possible(info, "a text file cannot be opened I-O, because its records have different lengths"));
        }
        let absent = !path.exists();
        if absent && !(mode == Mode::Output || info.optional && mode != Mode::Input) {
            return Err(status::NOT_FOUND);
        }
        let stream = open_stream(&path, mode).map_err(|error| match error.kind() {
            ErrorKind::NotFound => status::NOT_FOUND,
            ErrorKind::PermissionDenied | ErrorKind::IsADirectory | ErrorKind::ReadOnlyFilesystem => {
                mode_not_possible(info, &format!("{}: {error}", path.display()))
            }
            _ => status::PERMANENT_ERROR,
        })?;
        let prints = layout == Layout::Text || info.print;
        let printer = (prints && matches!(mode, Mode::Output | Mode::Extend)).then(|| Printer::new(&request.linage));
        let status = if absent && mode != Mode::Output { status::OPTIONAL_ABSENT } else { status::SUCCESSFUL };
        Ok((Sequential { stream, layout, printer, ended: false, block: Block::default() }, status))
    }

    pub(super) fn end_of_page(&mut self) -> bool {
        self.printer.as_mut().is_some_and(Printer::take_end_of_page)
    }

    /// Writes buffered data. The file is closed when this is dropped.
    pub(super) fn close(&mut self) -> FileStatus {
        let Stream::Output(writer) = &mut self.stream else {
            return status::SUCCESSFUL;
        };
        let ended = match &mut self.printer {
            Some(printer) if self.layout == Layout::Text => printer.finish(writer),
            _ => Ok(()),
        };
        as_status(ended.and_then(|()| self.block.end(writer)).and_then(|()| writer.flush()))
    }

    pub(super) fn operate(&mut self, info: &FileInfo, request: &mut FileRequest, page: &CodePage) -> FileStatus {
        match request.operation {
            FileOperation::Read => self.read(info, request, page),
            FileOperation::Write => self.write(info, request, page),
            FileOperation::Rewrite => self.rewrite(request),
            FileOperation::Delete | FileOperation::Start => status::PERMANENT_ERROR,
            FileOperation::Open | FileOperation::Close => status::SUCCESSFUL,
        }
    }

    fn read(&mut self, info: &FileInfo, request: &mut FileRequest, page: &CodePage) -> FileStatus {
        if self.ended {
            return status::NO_NEXT_RECORD;
        }
        // The record area is the program's own, at least `record_length` long.
        let area = unsafe { std::slice::from_raw_parts_mut(request.record, request.record_length as usize) };
        let read = match (&mut self.stream, self.layout) {
            (Stream::Output(_), _) => return status::NOT_OPEN_INPUT,
            (Stream::Input(reader), Layout::Text) => read_line(reader, area, page),
            (Stream::Input(reader), Layout::Variable) => read_variable(reader, area),
            (Stream::Input(reader), Layout::Blocked) => self.block.begin(reader).and_then(|more| {
                let length = if more { read_variable(reader, area)? } else { None };
                self.block.take(length)
            }),
            (Stream::Input(reader), Layout::Fixed) => read_fixed(reader, area),
            (Stream::Update { file, next, last }, layout) => {
                let at_block = if layout == Layout::Blocked { self.block.begin_at(file, next) } else { Ok(()) };
                let found = at_block.and_then(|()| read_at(file, *next, layout.has_words(), area)).map(|found| {
                    found.map(|(at, length)| {
                        *last = Some((at, length));
                        *next = at + length as u64;
                        length
                    })
                });
                if layout == Layout::Blocked { found.and_then(|length| self.block.take(length)) } else { found }
            }
        };
        match read {
            Ok(Some(length)) => {
                request.record_length = length.min(area.len()) as u32;
                let short = self.layout.has_words() && length < info.record_minimum as usize;
                if length > area.len() || short { status::LENGTH_CONFLICT } else { status::SUCCESSFUL }
            }
            Ok(None) => {
                self.ended = true;
                if let Stream::Update { last, .. } = &mut self.stream {
                    *last = None;
                }
                status::AT_END
            }
            Err(_) => status::PERMANENT_ERROR,
        }
    }

    fn write(&mut self, info: &FileInfo, request: &mut FileRequest, page: &CodePage) -> FileStatus {
        let Stream::Output(writer) = &mut self.stream else {
            return status::NOT_OPEN_OUTPUT;
        };
        if !(info.record_minimum..=info.record_maximum).contains(&request.record_length) {
            return status::BOUNDARY_VIOLATION;
        }
        let record = unsafe { std::slice::from_raw_parts(request.record, request.record_length as usize) };
        let record = match record {
            [_, printed @ ..] if info.control_in_record && self.printer.is_some() => printed,
            record => record,
        };
        let written = match (self.layout, &mut self.printer) {
            (Layout::Text, Some(printer)) => {
                let end = record.iter().rposition(|byte| *byte != page.space).map_or(0, |at| at + 1);
                printer.write_line(writer, page.decode(&record[..end]).as_bytes(), request)
            }
            (layout, Some(printer)) => {
                let mut put = |control: u8, data: &[u8]| {
                    let control = [page.ascii(control)];
                    match layout {
                        Layout::Variable => put_variable(writer, &[&control, data]),
                        Layout::Blocked => self.block.put(writer, &[&control, data]),
                        _ => writer.write_all(&control).and_then(|()| writer.write_all(data)),
                    }
                };
                let blank = vec![page.space; record.len()];
                printer.write_controlled(&mut put, record, &blank, request)
            }
            (Layout::Variable, None) => put_variable(writer, &[record]),
            (Layout::Blocked, None) => self.block.put(writer, &[record]),
            // Every record of a fixed-length file takes the space of the longest record.
            (_, None) => writer.write_all(record).and_then(|()| {
                let missing = info.record_maximum as usize - record.len();
                if missing == 0 { Ok(()) } else { writer.write_all(&vec![page.space; missing]) }
            }),
        };
        as_status(written)
    }

    fn rewrite(&mut self, request: &FileRequest) -> FileStatus {
        let Stream::Update { file, last, .. } = &mut self.stream else {
            return status::NOT_OPEN_IO;
        };
        let Some((at, length)) = last.take() else {
            return status::NO_READ;
        };
        if length != request.record_length as usize {
            return status::BOUNDARY_VIOLATION;
        }
        as_status(file.write_all_at(unsafe { std::slice::from_raw_parts(request.record, length) }, at))
    }
}

impl Block {
    /// Notes a block that begins here. False at the end of the file.
    fn begin(&mut self, reader: &mut impl BufRead) -> std::io::Result<bool> {
        if self.left > 0 {
            return Ok(true);
        }
        if reader.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let mut word = [0u8; WORD_LENGTH];
        reader.read_exact(&mut word)?;
        self.left = block_length(word)?;
        Ok(true)
    }

    /// The same for a file being updated: `next` moves behind the word.
    fn begin_at(&mut self, file: &File, next: &mut u64) -> std::io::Result<()> {
        if self.left > 0 || *next >= file.metadata()?.len() {
            return Ok(());
        }
        let mut word = [0u8; WORD_LENGTH];
        file.read_exact_at(&mut word, *next)?;
        self.left = block_length(word)?;
        *next += WORD_LENGTH as u64;
        Ok(())
    }

    /// A record of this length has been read.
    fn take(&mut self, length: Option<usize>) -> std::io::Result<Option<usize>> {
        let taken = length.map_or(0, |length| length + WORD_LENGTH);
        self.left = self.left.checked_sub(taken).ok_or(ErrorKind::InvalidData)?;
        Ok(length)
    }

    fn put(&mut self, writer: &mut impl Write, parts: &[&[u8]]) -> std::io::Result<()> {
        let length = parts.iter().map(|part| part.len()).sum::<usize>() + 2 * WORD_LENGTH;
        if length > BLOCK_LENGTH_MAX {
            return Err(ErrorKind::InvalidInput.into());
        }
        if self.written.len() + length > BLOCK_LENGTH {
            self.end(writer)?;
        }
        put_variable(&mut self.written, parts)
    }

    fn end(&mut self, writer: &mut impl Write) -> std::io::Result<()> {
        if self.written.is_empty() {
            return Ok(());
        }
        writer.write_all(&descriptor_word(self.written.len()))?;
        writer.write_all(&self.written)?;
        self.written.clear();
        Ok(())
    }
}

/// Length of a block behind its descriptor word, which has the length and two zero bytes.
fn block_length(word: [u8; WORD_LENGTH]) -> std::io::Result<usize> {
    match word_length(word)? {
        length if length > 0 && word[2..] == [0, 0] => Ok(length),
        _ => Err(ErrorKind::InvalidData.into()),
    }
}

fn as_status(result: std::io::Result<()>) -> FileStatus {
    match result {
        Ok(()) => status::SUCCESSFUL,
        Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded) => {
            status::BOUNDARY_SEQUENTIAL
        }
        Err(_) => status::PERMANENT_ERROR,
    }
}

fn open_stream(path: &Path, mode: Mode) -> std::io::Result<Stream> {
    // Files written by a job are private to their owner.
    let mut options = File::options();
    options.mode(0o600);
    Ok(match mode {
        Mode::Input => {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            Stream::Input(BufReader::new(file))
        }
        Mode::Output => Stream::Output(BufWriter::new(options.write(true).create(true).truncate(true).open(path)?)),
        Mode::InputOutput => {
            let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
            Stream::Update { file, next: 0, last: None }
        }
        Mode::Extend => Stream::Output(BufWriter::new(options.append(true).create(true).open(path)?)),
    })
}

/// The descriptor word in front of so many bytes of a record or block.
pub(super) fn descriptor_word(length: usize) -> [u8; WORD_LENGTH] {
    let [high, low] = ((length + WORD_LENGTH) as u16).to_be_bytes();
    [high, low, 0, 0]
}

/// A record with its descriptor word: length with the word itself, then two bytes of zero.
pub(super) fn put_variable(writer: &mut impl Write, parts: &[&[u8]]) -> std::io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    if length > VARIABLE_LENGTH_MAX {
        return Err(ErrorKind::InvalidInput.into());
    }
    writer.write_all(&descriptor_word(length))?;
    parts.iter().try_for_each(|part| writer.write_all(part))
}

/// A complete record, or nothing at the end. A file that ends within a record is damaged.
fn read_fixed(reader: &mut impl Read, area: &mut [u8]) -> std::io::Result<Option<usize>> {
    let mut filled = 0;
    while filled < area.len() {
        match reader.read(&mut area[filled..])? {
            0 => break,
            length => filled += length,
        }
    }
    match filled {
        0 => Ok(None),
        filled if filled < area.len() => Err(ErrorKind::UnexpectedEof.into()),
        filled => Ok(Some(filled)),
    }
}

fn word_length(word: [u8; WORD_LENGTH]) -> std::io::Result<usize> {
    (u16::from_be_bytes([word[0], word[1]]) as usize).checked_sub(WORD_LENGTH).ok_or(ErrorKind::InvalidData.into())
}

/// Answers the record's length, which may be more than the area holds.
fn read_variable(reader: &mut impl BufRead, area: &mut [u8]) -> std::io::Result<Option<usize>> {
    if reader.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut word = [0u8; WORD_LENGTH];
    reader.read_exact(&mut word)?;
    let length = word_length(word)?;
    let moved = length.min(area.len());
    reader.read_exact(&mut area[..moved])?;
    std::io::copy(&mut reader.take((length - moved) as u64), &mut std::io::sink())?;
    Ok(Some(length))
}

/// The record at an offset: position and length of its data.
fn read_at(file: &File, at: u64, variable: bool, area: &mut [u8]) -> std::io::Result<Option<(u64, usize)>> {
    if at >= file.metadata()?.len() {
        return Ok(None);
    }
    if !variable {
        file.read_exact_at(area, at)?;
        return Ok(Some((at, area.len())));
    }
    let mut word = [0u8; WORD_LENGTH];
    file.read_exact_at(&mut word, at)?;
    let (data, length) = (at + WORD_LENGTH as u64, word_length(word)?);
    let moved = length.min(area.len());
    file.read_exact_at(&mut area[..moved], data)?;
    Ok(Some((data, length)))
}

/// A line of text without its end, in the program's code page, padded with spaces. Answers its length.
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
    Ok(Some(text.len()))
}
