//! The dynamic storage areas by name: the location, key and cushion of each.

use crate::addresses::{Key, Line};

/// The dynamic storage areas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Dsa {
    Cdsa,
    Udsa,
    Sdsa,
    Rdsa,
    Ecdsa,
    Eudsa,
    Esdsa,
    Erdsa,
    Gcdsa,
    Gudsa,
    Gsdsa,
}

pub const DSA_COUNT: usize = 11;

impl Dsa {
    pub const ALL: [Dsa; DSA_COUNT] =
        [Dsa::Cdsa, Dsa::Udsa, Dsa::Sdsa, Dsa::Rdsa, Dsa::Ecdsa, Dsa::Eudsa, Dsa::Esdsa, Dsa::Erdsa, Dsa::Gcdsa, Dsa::Gudsa, Dsa::Gsdsa];

    pub const fn name(self) -> &'static str {
        const NAMES: [&str; DSA_COUNT] = ["CDSA", "UDSA", "SDSA", "RDSA", "ECDSA", "EUDSA", "ESDSA", "ERDSA", "GCDSA", "GUDSA", "GSDSA"];
        NAMES[self as usize]
    }

    pub const fn line(self) -> Line {
        match self {
            Dsa::Cdsa | Dsa::Udsa | Dsa::Sdsa | Dsa::Rdsa => Line::Below16M,
            Dsa::Ecdsa | Dsa::Eudsa | Dsa::Esdsa | Dsa::Erdsa => Line::Below2G,
            Dsa::Gcdsa | Dsa::Gudsa | Dsa::Gsdsa => Line::Above,
        }
    }

    /// User and shared DSAs are user-key; the read-only ones cannot be written at all.
    pub const fn key(self) -> Key {
        match self {
            Dsa::Udsa | Dsa::Sdsa | Dsa::Eudsa | Dsa::Esdsa | Dsa::Gudsa | Dsa::Gsdsa => Key::User,
            _ => Key::Cics,
        }
    }

    /// Task storage that transaction isolation keeps from other tasks: user key, below 2 GB.
    pub const fn is_isolated(self) -> bool {
        matches!(self, Dsa::Udsa | Dsa::Eudsa)
    }

    /// The DSA of shared storage.
    pub const fn shared(line: Line, key: Key) -> Dsa {
        match (line, key) {
            (Line::Below16M, Key::User) => Dsa::Sdsa,
            (Line::Below16M, Key::Cics) => Dsa::Cdsa,
            (Line::Below2G, Key::User) => Dsa::Esdsa,
            (Line::Below2G, Key::Cics) => Dsa::Ecdsa,
            (Line::Above, Key::User) => Dsa::Gsdsa,
            (Line::Above, Key::Cics) => Dsa::Gcdsa,
        }
    }

    /// Bytes an arena takes at a time.
    pub(super) const fn chunk_bytes(self) -> usize {
        match self.line() {
            Line::Below16M => 4 * 1024,
            Line::Below2G if matches!(self, Dsa::Eudsa) => 64 * 1024,
            Line::Below2G => 16 * 1024,
            Line::Above => 64 * 1024,
        }
    }

    /// The storage cushion kept for the region.
    pub const fn cushion_bytes(self) -> usize {
        match self {
            Dsa::Eudsa => 0,
            Dsa::Ecdsa | Dsa::Esdsa => 128 * 1024,
            Dsa::Erdsa => 256 * 1024,
            Dsa::Gcdsa | Dsa::Gudsa | Dsa::Gsdsa => 64 * 1024 * 1024,
            _ => 64 * 1024,
        }
    }
}
