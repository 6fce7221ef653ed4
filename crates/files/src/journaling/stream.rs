//! The file of a log stream: one JSON object per line, so that any program can read it.
//!
//! Members: `n` number of the record in the stream, from 1 · `time` milliseconds since 1900, local · `applid`, `journal`, `transid`,
//! `task`, `user`, `type` (JTYPEID) · `prefix` and `data` as hexadecimal digits · `text`, the data as text · `crc`, the IEEE CRC-32 of the
//! line before `,"crc"`, always last. Invariants: `n` grows by one per line; a line with a wrong checksum or number ends the stream: it and
//! the lines after it were being written when the region died, and are cut.

use std::io;
use std::path::Path;
use std::sync::Arc;
use vsam::disk::{Disk, DiskFile};

pub struct Stream {
    file: Arc<dyn DiskFile>,
    /// Bytes on the disk or on their way there.
    end: u64,
    /// Number of the last record.
    pub last: u64,
}

/// A record to write; texts are readable already.
pub struct Record<'a> {
    pub time: i64,
    pub applid: &'a str,
    pub journal: &'a str,
    pub transid: &'a str,
    pub task: u32,
    pub user: &'a str,
    pub type_id: &'a str,
    pub prefix: &'a [u8],
    pub data: &'a [u8],
    pub text: &'a str,
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}

/// The line of a record.
pub fn line_of(number: u64, record: &Record<'_>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut line = format!(
        r#"{{"n":{number},"time":{},"applid":{},"journal":{},"transid":{},"task":{},"user":{},"type":{},"prefix":"{}","data":"{}","text":{}"#,
        record.time,
        quoted(record.applid),
        quoted(record.journal),
        quoted(record.transid),
        record.task,
        quoted(record.user),
        quoted(record.type_id),
        hexadecimal(record.prefix),
        hexadecimal(record.data),
        quoted(record.text),
    );
    let crc = crc32fast::hash(line.as_bytes());
    line.push_str(&format!(",\"crc\":\"{crc:08X}\"}}\n"));
    line
}

const CRC_PART_LENGTH: usize = r#","crc":"00000000"}"#.len();

/// The number of a whole and undamaged line (without its line feed).
fn number_of(line: &[u8]) -> Option<u64> {
    let (front, crc) = line.split_at_checked(line.len().checked_sub(CRC_PART_LENGTH)?)?;
    let crc = std::str::from_utf8(crc).ok()?.strip_prefix(r#","crc":""#)?.strip_suffix("\"}")?;
    if u32::from_str_radix(crc, 16).ok()? != crc32fast::hash(front) {
        return None;
    }
    let rest = front.strip_prefix(br#"{"n":"#)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

impl Stream {
    /// Opens or creates the file; also returns how many bytes of an unfinished write were cut.
    pub fn open(disk: &dyn Disk, path: &Path) -> io::Result<(Stream, u64)> {
        let is_new = !path.exists();
        if let Some(directory) = path.parent() {
            disk.create_directory(directory)?;
        }
        let file = disk.open(path)?;
        let bytes = if is_new { Vec::new() } else { disk.read(path)? };
        let (mut end, mut last) = (0, 0);
        while let Some(length) = bytes[end..].iter().position(|byte| *byte == b'\n') {
            match number_of(&bytes[end..end + length]) {
                Some(number) if number == last + 1 => last = number,
                _ => break,
            }
            end += length + 1;
        }
        let cut = (bytes.len() - end) as u64;
        if cut > 0 {
            file.set_length(end as u64)?;
        }
        if (is_new || cut > 0)
            && let Some(directory) = path.parent()
        {
            file.sync()?;
            disk.sync_directory(directory)?;
        }
        Ok((Stream { file, end: end as u64, last }, cut))
    }

    /// Appends lines; they are durable after a `sync` of the file.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.write_at(lines, self.end)?;
        self.end += lines.len() as u64;
        Ok(())
    }

    pub fn file(&self) -> Arc<dyn DiskFile> {
        self.file.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vsam::disk::RealDisk;

    fn line(number: u64, text: &str) -> String {
        let data = text.as_bytes();
        let (applid, journal, transid, user, type_id) = ("APPL", "DFHJ05", "TRAN", "USER", "XX");
        line_of(number, &Record { time: 1, applid, journal, transid, task: 7, user, type_id, prefix: &[0xC1], data, text })
    }

    #[test]
    fn a_line_is_json_and_any_damage_of_it_is_seen() {
        let line = line(1, "say \"hello\"\n");
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["text"], "say \"hello\"\n");
        assert_eq!(value["prefix"], "C1");
        let line = line.trim_end().as_bytes();
        assert_eq!(number_of(line), Some(1));
        for bit in 0..line.len() * 8 {
            let mut flipped = line.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // Upper and lower case of a hexadecimal digit are the same number.
            assert!(number_of(&flipped).is_none() || flipped.eq_ignore_ascii_case(line), "bit {bit}");
        }
    }

    #[test]
    fn a_torn_end_is_cut_and_numbers_go_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journals/s.journal");
        let (mut stream, _) = Stream::open(&RealDisk, &path).unwrap();
        let whole = line(1, "one") + &line(2, "two");
        stream.append(whole.as_bytes()).unwrap();
        let torn = line(3, "three");
        stream.append(&torn.as_bytes()[..20]).unwrap();
        let (mut stream, cut) = Stream::open(&RealDisk, &path).unwrap();
        assert_eq!((stream.last, cut), (2, 20));
        stream.append(torn.as_bytes()).unwrap();
        let (stream, cut) = Stream::open(&RealDisk, &path).unwrap();
        assert_eq!((stream.last, cut), (3, 0));
    }
}
