//! Telnet framing: splits a byte stream into commands, option negotiation, subnegotiation and records ended by IAC EOR, and frames outgoing
//! data. Invariants: at most `record_length_max` bytes of a record and `SUBNEGOTIATION_LENGTH_MAX` of a subnegotiation are kept; any input
//! is consumed; doubled IACs are undone exactly once.

use bms::constants::*;

const SUBNEGOTIATION_LENGTH_MAX: usize = 512;

/// An event found by the parser; the slices live until the next call.
#[derive(Debug, PartialEq, Eq)]
pub enum TelnetEvent<'a> {
    /// WILL, WONT, DO or DONT and an option.
    Option {
        verb: u8,
        option: u8,
    },
    Subnegotiation(&'a [u8]),
    /// A record of data ended by EOR.
    Record(&'a [u8]),
    /// Another command: IP, AO, BREAK, AYT, NOP ...
    Command(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TelnetError {
    #[error("record longer than {0} bytes")]
    RecordTooLong(usize),
    #[error("subnegotiation longer than {SUBNEGOTIATION_LENGTH_MAX} bytes")]
    SubnegotiationTooLong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Data,
    Iac,
    Verb(u8),
    Sub,
    SubIac,
}

#[derive(Debug, Default)]
pub struct Telnet {
    state: State,
    record: Vec<u8>,
    subnegotiation: Vec<u8>,
    record_length_max: usize,
    /// Bytes behind the event at which the last call of `feed` failed.
    left: usize,
}

impl Telnet {
    pub fn new(record_length_max: usize) -> Telnet {
        Telnet { record_length_max, ..Telnet::default() }
    }

    /// Whether a record, command or subnegotiation has begun.
    pub fn is_partial(&self) -> bool {
        self.state != State::Data || !self.record.is_empty()
    }

    /// Consumes the bytes, calling `sink` for each event. The first error ends the session: the rest is ignored.
    pub fn feed<E: From<TelnetError>>(&mut self, mut bytes: &[u8], mut sink: impl FnMut(TelnetEvent) -> Result<(), E>) -> Result<(), E> {
        while let Some(&byte) = bytes.first() {
            if self.state == State::Data {
                let plain = bytes.iter().position(|&byte| byte == TEL_IAC).unwrap_or(bytes.len());
                self.keep(&bytes[..plain])?;
                bytes = &bytes[plain..];
                if !bytes.is_empty() {
                    self.state = State::Iac;
                    bytes = &bytes[1..];
                }
                continue;
            }
            bytes = &bytes[1..];
            self.left = bytes.len();
            self.step(byte, &mut sink)?;
        }
        debug_assert!(self.record.len() <= self.record_length_max && self.subnegotiation.len() <= SUBNEGOTIATION_LENGTH_MAX);
        Ok(())
    }

    /// How many bytes at the end of those given to `feed` are behind the event that it failed at.
    pub fn left(&self) -> usize {
        self.left
    }

    fn keep(&mut self, data: &[u8]) -> Result<(), TelnetError> {
        if self.record.len() + data.len() > self.record_length_max {
            return Err(TelnetError::RecordTooLong(self.record_length_max));
        }
        self.record.extend_from_slice(data);
        Ok(())
    }

    fn step<E: From<TelnetError>>(&mut self, byte: u8, sink: &mut impl FnMut(TelnetEvent) -> Result<(), E>) -> Result<(), E> {
        self.state = match (self.state, byte) {
            (State::Iac, TEL_IAC) => {
                self.keep(&[TEL_IAC])?;
                State::Data
            }
            (State::Iac, TEL_EOR) => {
                self.state = State::Data;
                let result = sink(TelnetEvent::Record(&self.record));
                self.record.clear();
                return result;
            }
            (State::Iac, TEL_SB) => {
                self.subnegotiation.clear();
                State::Sub
            }
            (State::Iac, TEL_WILL | TEL_WONT | TEL_DO | TEL_DONT) => State::Verb(byte),
            (State::Iac, command) => {
                self.state = State::Data;
                return sink(TelnetEvent::Command(command));
            }
            (State::Verb(verb), option) => {
                self.state = State::Data;
                return sink(TelnetEvent::Option { verb, option });
            }
            (State::Sub, TEL_IAC) => State::SubIac,
            (State::SubIac, TEL_SE) => {
                self.state = State::Data;
                let result = sink(TelnetEvent::Subnegotiation(&self.subnegotiation));
                self.subnegotiation.clear();
                return result;
            }
            // IAC IAC is a byte of data; IAC followed by another byte inside comes from a peer that failed to double it.
            (State::Sub | State::SubIac, byte) => {
                if self.subnegotiation.len() >= SUBNEGOTIATION_LENGTH_MAX {
                    return Err(TelnetError::SubnegotiationTooLong.into());
                }
                self.subnegotiation.push(byte);
                State::Sub
            }
            (State::Data, _) => unreachable!("data is taken in runs"),
        };
        Ok(())
    }
}

/// Appends data with IACs doubled.
fn push_escaped(out: &mut Vec<u8>, mut data: &[u8]) {
    while let Some(place) = data.iter().position(|&byte| byte == TEL_IAC) {
        out.extend_from_slice(&data[..=place]);
        out.push(TEL_IAC);
        data = &data[place + 1..];
    }
    out.extend_from_slice(data);
}

/// Appends a record: header (TN3270E) and data escaped, then IAC EOR.
pub fn push_record(out: &mut Vec<u8>, header: &[u8], data: &[u8]) {
    out.reserve(header.len() + data.len() + 8);
    push_escaped(out, header);
    push_escaped(out, data);
    out.extend([TEL_IAC, TEL_EOR]);
}

/// Appends IAC SB ... IAC SE.
pub fn push_subnegotiation(out: &mut Vec<u8>, parts: &[&[u8]]) {
    out.extend([TEL_IAC, TEL_SB]);
    for part in parts {
        push_escaped(out, part);
    }
    out.extend([TEL_IAC, TEL_SE]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn feed(telnet: &mut Telnet, bytes: &[u8]) -> Result<Vec<String>, TelnetError> {
        let mut seen = Vec::new();
        telnet.feed(bytes, |event| {
            seen.push(format!("{event:?}"));
            Ok::<(), TelnetError>(())
        })?;
        Ok(seen)
    }

    #[test]
    fn events() {
        let mut telnet = Telnet::new(100);
        let bytes =
            [0xC1, 0xFF, 0xFF, 0xC2, 0xFF, 0xEF, 0xFF, 0xFD, 0x28, 0xFF, 0xFA, 0x18, 0x01, 0xFF, 0xFF, 0xFF, 0xF0, 0xFF, 0xF4, 0xC3];
        let expected = ["Record([193, 255, 194])", "Option { verb: 253, option: 40 }", "Subnegotiation([24, 1, 255])", "Command(244)"];
        assert_eq!(feed(&mut telnet, &bytes).unwrap(), expected);
        assert!(telnet.is_partial());
        // The same byte by byte.
        let mut telnet = Telnet::new(100);
        let seen: Vec<String> = bytes.iter().flat_map(|&byte| feed(&mut telnet, &[byte]).unwrap()).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn bounds() {
        let mut telnet = Telnet::new(4);
        assert!(feed(&mut telnet, &[1, 2, 3, 4]).is_ok());
        assert_eq!(feed(&mut telnet, &[5]), Err(TelnetError::RecordTooLong(4)));
        let mut telnet = Telnet::new(4);
        assert!(feed(&mut telnet, &[1, 2, 3, 4, 0xFF, 0xEF, 1, 2, 3, 4, 0xFF, 0xEF]).is_ok());
        let mut telnet = Telnet::new(4);
        let mut long = vec![TEL_IAC, TEL_SB];
        long.extend([1; SUBNEGOTIATION_LENGTH_MAX]);
        assert!(feed(&mut telnet, &long).is_ok());
        assert_eq!(feed(&mut telnet, &[1]), Err(TelnetError::SubnegotiationTooLong));
    }

    proptest! {
        #[test]
        fn framing_round_trips(
            header in proptest::collection::vec(any::<u8>(), 0..6),
            data in proptest::collection::vec(any::<u8>(), 0..300),
            cut in any::<usize>(),
        ) {
            let mut bytes = Vec::new();
            push_record(&mut bytes, &header, &data);
            let mut telnet = Telnet::new(1000);
            let cut = cut % (bytes.len() + 1);
            let mut records = Vec::new();
            for part in [&bytes[..cut], &bytes[cut..]] {
                telnet.feed(part, |event| {
                    if let TelnetEvent::Record(record) = event { records.push(record.to_vec()) }
                    Ok::<(), TelnetError>(())
                }).unwrap();
            }
            prop_assert_eq!(records, vec![[header, data].concat()]);
            prop_assert!(!telnet.is_partial());
        }

        #[test]
        fn any_bytes_are_survived(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0xFF), Just(0xFA), Just(0xEF)], 0..2000),
        ) {
            let mut telnet = Telnet::new(64);
            let _ = feed(&mut telnet, &bytes);
            prop_assert!(telnet.record.len() + telnet.subnegotiation.len() <= 64 + SUBNEGOTIATION_LENGTH_MAX);
        }
    }
}
