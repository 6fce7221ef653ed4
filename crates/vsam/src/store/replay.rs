//! Reads the log at restart.
//!
//! Invariants: records are delivered in LSN order, each once; a torn tail (the write in progress when the region died) is cut; anything
//! else unreadable refuses the start. `synced` in later records tells the two apart: a bad record is damage if a later intact record was
//! written when the bad one was known to be on disk. A segment behind the end of the log is not in use, so its contents do not matter.

use super::StoreError;
use super::record::{HEADER_LENGTH, Header, LOG_VERSION, Lsn, RecordType, padded, u64_at};
use super::segment::Segments;

/// The state of the end of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogEnd {
    pub lsn: Lsn,
    pub torn_bytes: u64,
    pub records: u64,
}

enum Step<'a> {
    Record(RecordType, &'a [u8], Lsn),
    NextSegment,
    Bad(&'static str),
}

fn step(bytes: &[u8], base: Lsn, at: Lsn) -> Result<Step<'_>, StoreError> {
    let offset = (at - base) as usize;
    if bytes.len() - offset < HEADER_LENGTH {
        return Ok(Step::NextSegment);
    }
    let Some(header) = Header::decode(&bytes[offset..], at) else {
        return Ok(Step::Bad("no valid record header"));
    };
    if header.version > LOG_VERSION {
        return Err(StoreError::Version { found: header.version as u32, supported: LOG_VERSION as u32 });
    }
    let end = offset + header.length as usize;
    if end > bytes.len() {
        return Ok(Step::Bad("record longer than its segment"));
    }
    let Some(kind) = RecordType::from_byte(header.kind) else { return Ok(Step::Bad("unknown record type")) };
    if kind == RecordType::SegmentEnd {
        return Ok(Step::NextSegment);
    }
    let payload = &bytes[offset + HEADER_LENGTH..end];
    if crc32fast::hash(payload) != header.payload_crc {
        return Ok(Step::Bad("payload checksum does not agree"));
    }
    Ok(Step::Record(kind, payload, at + padded(header.length as usize) as u64))
}

/// Visits every record from `from` on.
pub(crate) fn read_log(
    segments: &Segments,
    from: Lsn,
    visit: &mut dyn FnMut(RecordType, &[u8], Lsn) -> Result<(), StoreError>,
) -> Result<LogEnd, StoreError> {
    let mut number = segments.number_of(from);
    let highest = segments.highest().unwrap_or(0);
    if !segments.exists(number) {
        return Err(StoreError::LogSegmentMissing(segments.path(number)));
    }
    let mut at = from;
    let mut records = 0;
    loop {
        let bytes = segments.read(number)?;
        let base = number * segments.size();
        loop {
            match step(&bytes, base, at)? {
                Step::Record(kind, payload, next) => {
                    assert!(next > at && segments.number_of(at) == number, "records are read in order, each from its segment");
                    visit(kind, payload, at)?;
                    records += 1;
                    at = next;
                }
                Step::NextSegment => break,
                Step::Bad(why) => {
                    let torn_bytes = check_tail(segments, number, &bytes, at, why)?;
                    return Ok(LogEnd { lsn: at, torn_bytes, records });
                }
            }
        }
        number += 1;
        at = segments.first_lsn(number);
        if !segments.exists(number) {
            if highest > number {
                return Err(StoreError::LogSegmentMissing(segments.path(number)));
            }
            return Ok(LogEnd { lsn: at, torn_bytes: 0, records });
        }
    }
}

/// Whether a record is in the files at or behind a position, however damaged they are.
pub(crate) fn has_records_from(segments: &Segments, from: Lsn) -> Result<bool, StoreError> {
    let first = segments.number_of(from);
    for number in (first..=segments.highest().unwrap_or(0)).filter(|number| segments.exists(*number)) {
        let (bytes, base) = (segments.read_anyway(number)?, number * segments.size());
        let start = from.max(segments.first_lsn(number)) - base;
        let mut offsets = (start as usize..).step_by(8).take_while(|offset| offset + HEADER_LENGTH <= bytes.len());
        if offsets.any(|offset| Header::decode(&bytes[offset..], base + offset as u64).is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Searches behind the unreadable position `at` for proof that it was once safely on disk. Returns how many bytes of an unfinished write
/// there are.
fn check_tail(segments: &Segments, number: u64, bytes: &[u8], at: Lsn, why: &str) -> Result<u64, StoreError> {
    let mut last_end = at;
    let mut scan = |bytes: &[u8], base: Lsn, from: Lsn| -> Result<(), StoreError> {
        let mut offset = (from - base) as usize;
        // A file that was cut short may end in front of it.
        while offset + HEADER_LENGTH <= bytes.len() {
            let lsn = base + offset as u64;
            if u64_at(bytes, offset + 8) == lsn
                && let Some(header) = Header::decode(&bytes[offset..], lsn)
            {
                if header.synced > at {
                    return Err(StoreError::LogDamaged {
                        lsn: at,
                        segment: segments.path(number),
                        offset: at - number * segments.size(),
                        why: why.to_string(),
                    });
                }
                last_end = lsn + header.length as u64;
            }
            offset += 8;
        }
        Ok(())
    };
    scan(bytes, number * segments.size(), at)?;
    for later in number + 1..=segments.highest().unwrap_or(number) {
        if !segments.exists(later) {
            return Err(StoreError::LogSegmentMissing(segments.path(later)));
        }
        // A segment not yet in use has no records, and its header does not matter; records show that a segment is in use.
        let bytes = segments.read_anyway(later)?;
        scan(&bytes, later * segments.size(), segments.first_lsn(later))?;
    }
    Ok(last_end - at)
}
