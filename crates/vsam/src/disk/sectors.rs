//! What a loss of power leaves of unsynced writes: any subset of their sectors, in any order.
//!
//! Invariant: a sector is written as a whole or not at all (as disks promise); bytes of a sector outside the write keep their values.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const SECTOR_BYTES: usize = 512;
const PAGE_BYTES: usize = 4096;
/// LMDB's two meta pages at the front: the batch counts when one of them names it.
const META_PAGES: usize = 2;

/// A small random number generator that is reproducible from its seed.
#[derive(Debug)]
pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// Writes the surviving part of `bytes` at `offset`.
pub(super) fn write_survivors(file: &File, bytes: &[u8], offset: u64, random: &mut Random) -> io::Result<()> {
    match random.below(4) {
        0 => Ok(()),
        1 => file.write_all_at(bytes, offset),
        2 => {
            // The front part, as a write cut off half way.
            let sectors = bytes.len().div_ceil(SECTOR_BYTES) as u64 + 1;
            let end = offset as usize + random.below(sectors) as usize * SECTOR_BYTES;
            let count = (end - end % SECTOR_BYTES).saturating_sub(offset as usize).min(bytes.len());
            file.write_all_at(&bytes[..count], offset)
        }
        _ => {
            let mut at = 0;
            while at < bytes.len() {
                let position = offset as usize + at;
                let count = (SECTOR_BYTES - position % SECTOR_BYTES).min(bytes.len() - at);
                if random.below(2) == 0 {
                    file.write_all_at(&bytes[at..at + count], position as u64)?;
                }
                at += count;
            }
            Ok(())
        }
    }
}

/// Creates in `target` the page file as left by a loss of power between the writes of a batch and the sync before its meta page: each page
/// that the batch wrote is the old or the new one, and the meta pages are the old ones.
pub(super) fn mix_pages(before: &[u8], after: &[u8], target: &Path, random: &mut Random) -> io::Result<()> {
    let mut mixed = after.to_vec();
    let length = before.len().min(mixed.len());
    for (index, old) in before[..length].chunks(PAGE_BYTES).enumerate() {
        let new = &mut mixed[index * PAGE_BYTES..index * PAGE_BYTES + old.len()];
        if *new != *old && (index < META_PAGES || random.below(2) == 0) {
            new.copy_from_slice(old);
        }
    }
    if random.below(2) == 0 {
        mixed.truncate(before.len().max(PAGE_BYTES * META_PAGES).min(mixed.len()));
    }
    std::fs::write(target, mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_are_whole_sectors_of_the_write_and_touch_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 1..1000u64 {
            std::fs::write(&path, [7u8; 4096]).unwrap();
            let file = File::options().write(true).open(&path).unwrap();
            write_survivors(&file, &[9; 1500], 700, &mut Random(seed * 7919)).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes[..700].iter().all(|byte| *byte == 7) && bytes[2200..].iter().all(|byte| *byte == 7), "seed {seed}");
            let borders = [700, 1024, 1536, 2048, 2200];
            let kept: Vec<bool> = borders.windows(2).map(|pair| bytes[pair[0]] == 9).collect();
            for (index, pair) in borders.windows(2).enumerate() {
                assert!(bytes[pair[0]..pair[1]].iter().all(|byte| (*byte == 9) == kept[index]), "seed {seed}");
            }
            kinds.insert(kept);
        }
        assert_eq!(kinds.len(), 16, "every subset of the four sectors occurs");
    }
}
