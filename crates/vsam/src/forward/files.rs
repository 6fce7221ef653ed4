//! The files of a forward recovery or replication log: frames are appended and synced, and read back.
//!
//! Invariants: every file is complete except for the end of the last one, where a write may have been cut short; such an end is cut off
//! before the next write.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::{FORWARD_RECOVERY, Image, ImageKind};
use crate::codec::Decoder;
use crate::disk::private;
use crate::error::{FileError, StoreError};

/// Bytes of a log file at which the next is begun.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// A payload in the format of the files: its length, its checksum, itself.
pub(crate) fn frame_of(payload: &[u8], frames: &mut Vec<u8>) {
    frames.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    frames.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    frames.extend_from_slice(payload);
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> FileError + '_ {
    move |error| FileError::Store(StoreError::io(path, error))
}

fn files_of(directory: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut files = Vec::new();
    if directory.is_dir() {
        for entry in std::fs::read_dir(directory).map_err(io(directory))? {
            let path = entry.map_err(io(directory))?.path();
            if path.extension().is_some_and(|extension| extension == "fwd") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The file of a log to be written next.
fn file_to_write(directory: &Path) -> Result<PathBuf, FileError> {
    let files = files_of(directory)?;
    let full = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|metadata| metadata.len() >= FILE_BYTES_MAX);
    Ok(match files.last() {
        Some(last) if !full(last) => last.clone(),
        last => {
            // The first file may have been removed because it was no longer needed.
            let number = last.and_then(|path| path.file_stem()?.to_str()?.parse::<u64>().ok()).unwrap_or(0);
            directory.join(format!("{:08}.fwd", number + 1))
        }
    })
}

pub(crate) fn append(directory: &Path, frames: &[u8]) -> Result<(), FileError> {
    private::create_directory(directory).map_err(io(directory))?;
    let path = file_to_write(directory)?;
    let mut file = private::open(private::open_options().create(true).append(true), &path).map_err(io(&path))?;
    file.write_all(frames).and_then(|()| file.sync_all()).map_err(io(&path))?;
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(io(directory))
}

/// Cuts off the unfinished write at the end of the last file: once more records follow, it would count as damage.
pub(crate) fn cut_torn_end(directory: &Path) -> Result<(), FileError> {
    let files = files_of(directory)?;
    let Some(path) = files.last() else { return Ok(()) };
    let bytes = std::fs::read(path).map_err(io(path))?;
    let mut rest = &bytes[..];
    while let Some((_, after)) = frame(rest) {
        rest = after;
    }
    if rest.is_empty() || !torn(rest) {
        return Ok(());
    }
    tracing::info!("{}: {} bytes of a write that did not end are cut off", path.display(), rest.len());
    let file = File::options().write(true).open(path).map_err(io(path))?;
    file.set_len((bytes.len() - rest.len()) as u64).and_then(|()| file.sync_all()).map_err(io(path))
}

/// The after-images of a data set for forward recovery by sequence.
pub fn read_images(directory: &Path, data_set: &str, until: Option<u64>) -> Result<BTreeMap<u64, Image>, FileError> {
    let redo = |image: &Image| matches!(image.kind, ImageKind::After | ImageKind::Deleted) && image.purpose & FORWARD_RECOVERY != 0;
    let mut images = read_log(directory)?;
    images.retain(|_, image| redo(image) && image.data_set == data_set && until.is_none_or(|until| image.at <= until));
    Ok(images)
}

/// The records of a log by sequence. A frame that does not agree with its checksum ends a file; that is an error unless it is the last
/// frame of the last file.
pub fn read_log(directory: &Path) -> Result<BTreeMap<u64, Image>, FileError> {
    let files = files_of(directory)?;
    if files.is_empty() {
        return Err(FileError::DataSetNotFound(directory.display().to_string()));
    }
    let mut images = BTreeMap::new();
    for (number, path) in files.iter().enumerate() {
        let mut bytes = Vec::new();
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(io(path))?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let Some((payload, after)) = frame(rest) else {
                let last = number + 1 == files.len();
                if last && torn(rest) {
                    break;
                }
                let why = format!("{}: damaged at offset {}", path.display(), bytes.len() - rest.len());
                return Err(FileError::Store(StoreError::Invalid(why)));
            };
            rest = after;
            let image = Image::decode(payload);
            let image = image.ok_or_else(|| FileError::Store(StoreError::Invalid(format!("{}: unknown format", path.display()))))?;
            images.insert(image.sequence, image);
        }
    }
    Ok(images)
}

fn frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut input = Decoder { bytes };
    let (length, crc) = (input.u32()? as usize, input.u32()?);
    let (payload, rest) = input.bytes.split_at_checked(length)?;
    (length > 0 && crc32fast::hash(payload) == crc).then_some((payload, rest))
}

/// A frame whose end was not written, or for which the file was only extended.
fn torn(bytes: &[u8]) -> bool {
    if bytes.iter().all(|byte| *byte == 0) {
        return true;
    }
    let mut input = Decoder { bytes };
    match (input.u32(), input.u32()) {
        (Some(length), Some(_)) => input.bytes.len() < length as usize,
        _ => true,
    }
}
