//! The record of a queue in the store, besides its items: one record in table `ts.headers` under the queue's name.
//!
//! Layout, big endian: version 1, flags 1 (bit 0: recoverable), queue number 8, items 2, creating transaction 4, created 8 and last used 8
//! (seconds since 1970), expiry interval 4 (minutes), model 8, shortest 4, longest 4 and all items 8 (bytes). Items are in `ts.items` under
//! queue number 8 and item number 2, so a queue that is deleted and created again never sees its old items.

use region::name::{Name4, Name8};

const VERSION: u8 = 1;
const LENGTH: usize = 60;
const RECOVERABLE: u8 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Header {
    pub recoverable: bool,
    pub number: u64,
    pub items: u16,
    pub transid: Name4,
    pub created_at: u64,
    pub used_at: u64,
    pub expiry_minutes: u32,
    pub model: Name8,
    pub shortest: u32,
    pub longest: u32,
    pub bytes: u64,
}

impl Header {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend([VERSION, if self.recoverable { RECOVERABLE } else { 0 }]);
        bytes.extend(self.number.to_be_bytes());
        bytes.extend(self.items.to_be_bytes());
        bytes.extend(self.transid.as_bytes());
        bytes.extend(self.created_at.to_be_bytes());
        bytes.extend(self.used_at.to_be_bytes());
        bytes.extend(self.expiry_minutes.to_be_bytes());
        bytes.extend(self.model.as_bytes());
        bytes.extend(self.shortest.to_be_bytes());
        bytes.extend(self.longest.to_be_bytes());
        bytes.extend(self.bytes.to_be_bytes());
        debug_assert_eq!(bytes.len(), LENGTH);
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Option<Header> {
        if bytes.len() != LENGTH || bytes[0] != VERSION {
            return None;
        }
        let number = |at: usize, length: usize| bytes[at..at + length].iter().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        Some(Header {
            recoverable: bytes[1] & RECOVERABLE != 0,
            number: number(2, 8),
            items: number(10, 2) as u16,
            transid: Name4::from_bytes(&bytes[12..16]),
            created_at: number(16, 8),
            used_at: number(24, 8),
            expiry_minutes: number(32, 4) as u32,
            model: Name8::from_bytes(&bytes[36..44]),
            shortest: number(44, 4) as u32,
            longest: number(48, 4) as u32,
            bytes: number(52, 8),
        })
    }

    /// Counts a new item; `replaced` is the length of the item it replaces.
    pub fn count(&mut self, length: usize, replaced: Option<usize>) {
        let length = length as u32;
        self.shortest = if self.bytes == 0 && replaced.is_none() { length } else { self.shortest.min(length) };
        self.longest = self.longest.max(length);
        self.bytes = self.bytes + u64::from(length) - replaced.unwrap_or(0) as u64;
    }
}

/// The key of an item.
pub(super) fn item_key(queue: u64, item: u16) -> [u8; 10] {
    let mut key = [0; 10];
    key[..8].copy_from_slice(&queue.to_be_bytes());
    key[8..].copy_from_slice(&item.to_be_bytes());
    key
}

/// Queue number and item of a key.
pub(super) fn item_of(key: &[u8]) -> Option<(u64, u16)> {
    let (queue, item) = key.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*queue), u16::from_be_bytes(item.try_into().ok()?)))
}

pub(super) fn seconds_now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_header_round_trips() {
        let mut header = Header { recoverable: true, number: 7, items: 2, transid: "ABCD".into(), ..Header::default() };
        header.count(10, None);
        header.count(30, None);
        header.count(20, Some(30));
        assert_eq!((header.shortest, header.longest, header.bytes), (10, 30, 30));
        assert_eq!(Header::decode(&header.encode()), Some(header.clone()));
        assert_eq!(Header::decode(&header.encode()[1..]), None);
    }
}
