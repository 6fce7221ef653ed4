//! Maps instructions to source lines, from the table that `objdump` prints.

use crate::generate::GENERATED;
use program::module::LineEntry;
use std::collections::BTreeMap;
use std::path::Path;

/// The entries for code of the source file; code of the run time and of headers has line 0.
pub fn entries(listing: &str, source: &Path) -> Vec<LineEntry> {
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // The last row for an address is the one in force.
    let mut by_offset: BTreeMap<u32, u32> = BTreeMap::new();
    for row in listing.lines() {
        let columns: Vec<&str> = row.split_whitespace().collect();
        let [file, line, address, ..] = columns.as_slice() else { continue };
        let Some(offset) = address.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok()) else { continue };
        let line = if *file == name || *file == GENERATED { line.parse().unwrap_or(0) } else { 0 };
        by_offset.insert(offset, line);
    }
    let mut entries: Vec<LineEntry> = Vec::new();
    for (offset, line) in by_offset {
        if entries.last().is_none_or(|last| last.line != line) {
            entries.push(LineEntry { offset, line, statement: 0 });
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_ascending_entries() {
        let listing = "CU: p.c:\nFile name  Line number  Starting address  View  Stmt\np.c   7   0x20   x\np.c  8  0x24\np.c 8 0x28 x\nrun.c  30  0x10  x\np.c - 0x30\n";
        let found: Vec<(u32, u32)> = entries(listing, Path::new("/a/p.c")).iter().map(|entry| (entry.offset, entry.line)).collect();
        assert_eq!(found, [(0x10, 0), (0x20, 7), (0x24, 8), (0x30, 0)]);
    }
}
