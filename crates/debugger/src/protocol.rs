//! The framing of the Debug Adapter Protocol: a header with the length of the message, an empty line, and the message in JSON.
//!
//! Invariants: at most [`HEADER_BYTES_MAX`] of a header and [`MESSAGE_BYTES_MAX`] of a message are read, so a client cannot make the region
//! allocate more; after a fault in the framing nothing further is read, because the beginning of the next message is not known.
//!
//! Source: Debug Adapter Protocol, "Overview", base protocol.

use serde_json::Value;
use std::io::{BufRead, Read, Write};

pub const MESSAGE_BYTES_MAX: usize = 1 << 20;
const HEADER_BYTES_MAX: usize = 4096;
const LENGTH: &str = "content-length";

/// Why no further message can be read.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("the header of a message has no Content-Length")]
    NoLength,
    #[error("the header of a message is longer than {HEADER_BYTES_MAX} bytes")]
    LongHeader,
    #[error("a message of {0} bytes is longer than {MESSAGE_BYTES_MAX}")]
    TooLong(usize),
    #[error("the connection ended within a message")]
    Incomplete,
    #[error("a message is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
}

/// The next message; `None` at the end of the connection.
pub fn read(input: &mut impl BufRead) -> Result<Option<Value>, Fault> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    if length > MESSAGE_BYTES_MAX {
        return Err(Fault::TooLong(length));
    }
    let mut message = vec![0; length];
    input.read_exact(&mut message).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => Fault::Incomplete,
        _ => Fault::Io(error),
    })?;
    Ok(Some(serde_json::from_slice(&message)?))
}

/// The length that the header gives.
fn read_header(input: &mut impl BufRead) -> Result<Option<usize>, Fault> {
    let (mut length, mut total) = (None, 0);
    loop {
        let mut line = Vec::new();
        let room = HEADER_BYTES_MAX - total;
        input.by_ref().take(room as u64).read_until(b'\n', &mut line)?;
        total += line.len();
        if line.last() != Some(&b'\n') {
            return match (total, total == HEADER_BYTES_MAX) {
                (0, _) => Ok(None),
                (_, true) => Err(Fault::LongHeader),
                (_, false) => Err(Fault::Incomplete),
            };
        }
        let text = String::from_utf8_lossy(&line);
        match text.trim().split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case(LENGTH) => length = value.trim().parse().ok(),
            Some(_) => {}
            None => return length.map(Some).ok_or(Fault::NoLength),
        }
    }
}

pub fn write(output: &mut impl Write, message: &Value) -> std::io::Result<()> {
    let text = message.to_string();
    // One write: a reader that polls sees the whole message.
    output.write_all(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(bytes: &[u8]) -> Result<Vec<Value>, Fault> {
        let mut input = bytes;
        let mut messages = Vec::new();
        while let Some(message) = read(&mut input)? {
            messages.push(message);
        }
        Ok(messages)
    }

    #[test]
    fn messages_follow_each_other() {
        let mut bytes = Vec::new();
        let sent = [json!({ "seq": 1 }), json!({ "text": "ä\r\n\r\n" })];
        sent.iter().for_each(|message| write(&mut bytes, message).unwrap());
        assert_eq!(all(&bytes).unwrap(), sent);
        assert_eq!(all(b"content-LENGTH: 2\nContent-Type: any\n\n{}").unwrap(), [json!({})]);
        assert_eq!(all(b"").unwrap(), [] as [Value; 0]);
    }

    #[test]
    fn a_message_has_the_longest_length_or_is_refused() {
        let of_length = |length: usize| {
            let text = format!("\"{}\"", "x".repeat(length - 2));
            format!("Content-Length: {length}\r\n\r\n{text}").into_bytes()
        };
        assert_eq!(all(&of_length(MESSAGE_BYTES_MAX)).unwrap().len(), 1);
        assert!(matches!(all(&of_length(MESSAGE_BYTES_MAX + 1)), Err(Fault::TooLong(_))));
        assert!(matches!(all(b"Content-Length: 18446744073709551615\r\n\r\n{}"), Err(Fault::TooLong(_))));
        let header = |length: usize| format!("X: {}\r\n", "x".repeat(length - 5));
        let rest = "Content-Length: 2\r\n\r\n{}";
        let room = HEADER_BYTES_MAX - (rest.len() - 2);
        assert_eq!(all((header(room) + rest).as_bytes()).unwrap().len(), 1);
        assert!(matches!(all((header(room + 1) + rest).as_bytes()), Err(Fault::LongHeader)));
    }

    #[test]
    fn what_is_no_message_is_a_fault() {
        assert!(matches!(all(b"\r\n{}"), Err(Fault::NoLength)));
        assert!(matches!(all(b"Content-Length: many\r\n\r\n{}"), Err(Fault::NoLength)));
        assert!(matches!(all(b"Content-Length: 9\r\n\r\n{}"), Err(Fault::Incomplete)));
        assert!(matches!(all(b"Content-Le"), Err(Fault::Incomplete)));
        assert!(matches!(all(b"Content-Length: 2\r\n\r\n{x"), Err(Fault::NotJson(_))));
    }

    /// Whatever bytes a client sends, each message is read or refused, and reading ends.
    #[test]
    fn any_bytes_are_messages_or_a_fault() {
        let mut random = testing::Random::new(3);
        let parts: [&[u8]; 12] = [
            b"Content-Length: ",
            b"content-length:",
            b"2",
            b"-1",
            b"99999999999999999999",
            b"\r\n",
            b"\n",
            b"\r\n\r\n{}",
            b"{\"seq\":1}",
            b"[[[[",
            b"\xFF\x00",
            b": ",
        ];
        for _ in 0..5000 {
            let mut bytes = Vec::new();
            for _ in 0..random.below(20) {
                match random.one_in(4) {
                    true => bytes.extend(random.bytes(3)),
                    false => bytes.extend_from_slice(random.pick(&parts)),
                }
            }
            let messages = all(&bytes).unwrap_or_default();
            assert!(messages.len() * b"Content-Length: 2\n\n{}".len() <= bytes.len() * 2);
        }
    }
}
