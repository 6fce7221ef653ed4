//! The dynamic storage areas by name: the location, key, cushion and units of each.

use crate::addresses::{AddressSpace, Key, Line, PAGE_BYTES};

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

/// The sizes in which a DSA takes and gives storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Units {
    /// Requests for pages are rounded up to this.
    pub page_bytes: usize,
    /// What the DSA takes of its line at a time.
    pub extent_bytes: usize,
    /// What an arena takes at a time.
    pub(super) chunk_bytes: usize,
}

const MEGABYTE: usize = 1 << 20;
const EUDSA_PAGE_BYTES: usize = 64 * 1024;

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

    /// The sizes of pages and extents: those of the UDSA and the EUDSA are larger with transaction isolation (Performance Guide, "Page and
    /// extent sizes").
    pub const fn units(self, isolation: bool) -> Units {
        let extent_bytes = AddressSpace::extent_bytes(self.line());
        match self {
            Dsa::Udsa if isolation => Units { page_bytes: PAGE_BYTES, extent_bytes: MEGABYTE, chunk_bytes: PAGE_BYTES },
            Dsa::Eudsa if isolation => Units { page_bytes: MEGABYTE, extent_bytes: MEGABYTE, chunk_bytes: MEGABYTE },
            Dsa::Eudsa => Units { page_bytes: EUDSA_PAGE_BYTES, extent_bytes, chunk_bytes: EUDSA_PAGE_BYTES },
            _ => {
                let chunk_bytes = match self.line() {
                    Line::Below16M => PAGE_BYTES,
                    Line::Below2G => 4 * PAGE_BYTES,
                    Line::Above => 16 * PAGE_BYTES,
                };
                Units { page_bytes: PAGE_BYTES, extent_bytes, chunk_bytes }
            }
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
