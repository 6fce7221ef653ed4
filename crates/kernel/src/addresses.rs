//! The address space of the DSAs: 64 KB to 2 GB at their true addresses, and one range above. The addresses between 2 GB and the highest
//! address that a program can form stay unused.
//!
//! Invariants that make the `unsafe` here sound: all ranges are reserved once, inaccessible, before anything is handed out, so no other
//! mapping of the process can lie in them; a run of extents is owned by one DSA of one storage manager from `take` to `give_back`; only
//! owned extents change protection or mapping. No Rust object ever lives in these ranges.
//!
//! Assertions check that extents are given back once, and (in `storage::pages`) that the runs of a DSA lie in its extents. Tests: below,
//! and `tests/guard/run_time.rs` for the addresses from 2 GB on. Miri cannot map at fixed addresses.

use crate::lock_order::{Ordered, rank};
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// Where storage must lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Line {
    Below16M,
    Below2G,
    Above,
}

/// Storage key: determines who may write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Key {
    Cics,
    User,
}

pub(crate) const PAGE_BYTES: usize = 4096;
/// Extent sizes: 256 KB below 16 MB, 1 MB below 2 GB (as CICS), 16 MB above.
const EXTENT_BYTES: [usize; 3] = [256 * 1024, 1024 * 1024, 16 * 1024 * 1024];
const LINE_16M: usize = 0x0100_0000;
const LINE_2G: usize = 0x8000_0000;
/// End of the addresses that compiled code and the run time can form for a program: 32 bits, an offset of up to 2 GB, a length of up
/// to 4 GB.
pub(crate) const PROGRAM_ADDRESS_END: usize = 0x3_0000_0000;
/// The step in which address ranges without program storage are reserved, so that one foreign mapping does not leave the whole range open.
const WILD_STEP_BYTES: usize = 256 << 20;
/// Reserved above 2 GB; halved until the system grants it.
const ABOVE_BYTES_MAX: usize = 256 << 30;
const ABOVE_BYTES_MIN: usize = 1 << 30;

/// Where addresses 0 to 2047 of COBOL programs lead: binary zeros that nobody can store into.
///
/// On z/OS these are the first half of the prefixed save area, which every program can fetch and none can store into: fetch protection does
/// not cover bytes 0 to 2047 of the logical address space (Principles of Operation, "Fetch-Protection-Override Control"), and programs read
/// DFHCOMMAREA where EIBCALEN is zero. No system lets a process map page 0; so compiled code keeps an address below [`PREFIX_BYTES`] in a
/// linkage base as an address here, and gives it back as it was. The bytes behind are not mapped.
pub const PREFIX: usize = 0x1_0800;
pub const PREFIX_BYTES: usize = 2048;

/// An address as the program knows it.
pub fn as_program_knows(address: usize) -> usize {
    // No extent of storage begins below 256 KB.
    if (PREFIX..EXTENT_BYTES[0]).contains(&address) { address - PREFIX } else { address }
}

static ABOVE_START: AtomicUsize = AtomicUsize::new(0);
static ABOVE_END: AtomicUsize = AtomicUsize::new(0);

/// One line's range, by extent.
struct Range {
    base: usize,
    extent_bytes: usize,
    taken: Ordered<Vec<bool>, { rank::EXTENTS }>,
    /// Key of each extent: 0 for one that is not handed out, else the key plus one.
    keys: Box<[AtomicU8]>,
}

pub(crate) struct AddressSpace {
    ranges: [Range; 3],
}

/// True if the address is in the range above 2 GB. Safe in a signal handler.
pub(crate) fn is_above_address(address: usize) -> bool {
    address >= ABOVE_START.load(Ordering::Relaxed) && address < ABOVE_END.load(Ordering::Relaxed)
}

/// The address space of this process, reserved at the first call.
pub(crate) fn address_space() -> io::Result<&'static AddressSpace> {
    static SPACE: OnceLock<Result<AddressSpace, String>> = OnceLock::new();
    SPACE.get_or_init(|| reserve().map_err(|error| error.to_string())).as_ref().map_err(|text| io::Error::other(text.as_str()))
}

fn map(address: usize, length: usize, protection: i32, flags: i32, file: i32, offset: u64) -> io::Result<usize> {
    let hint = address as *mut libc::c_void;
    let mapped = unsafe { libc::mmap(hint, length, protection, flags, file, offset as i64) };
    if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(mapped as usize) }
}

const RESERVE: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// The lowest address the system lets a process map.
fn lowest_address() -> usize {
    let text = std::fs::read_to_string("/proc/sys/vm/mmap_min_addr").unwrap_or_default();
    text.trim().parse::<usize>().unwrap_or(0).max(64 * 1024).next_multiple_of(PAGE_BYTES)
}

/// Maps the page whose end is at [`PREFIX`], once; false if something else is there, or the system lets nobody map it. Addresses below
/// 2048 are protection exceptions then.
fn map_prefix() -> bool {
    static IS_MAPPED: OnceLock<bool> = OnceLock::new();
    *IS_MAPPED.get_or_init(|| {
        let page = PREFIX + PREFIX_BYTES - PAGE_BYTES;
        match map(page, PAGE_BYTES, libc::PROT_READ, RESERVE | libc::MAP_FIXED_NOREPLACE, -1, 0) {
            Ok(mapped) if mapped != page => {
                // A kernel without MAP_FIXED_NOREPLACE took the address as a hint only.
                unsafe { libc::munmap(mapped as *mut libc::c_void, PAGE_BYTES) };
                false
            }
            mapped => mapped.is_ok(),
        }
    })
}

/// Reserves the addresses between the storage below 2 GB and [`PROGRAM_ADDRESS_END`], so that any wild address of a program faults there.
/// Called with the installation of the process's first signal handler, before any program runs.
pub(crate) fn reserve_wild_addresses() {
    map_prefix();
    for address in (LINE_2G..PROGRAM_ADDRESS_END).step_by(WILD_STEP_BYTES) {
        let flags = RESERVE | libc::MAP_FIXED_NOREPLACE;
        match map(address, WILD_STEP_BYTES, libc::PROT_NONE, flags, -1, 0) {
            Ok(reserved) if reserved == address => {}
            Ok(elsewhere) => {
                // A kernel without MAP_FIXED_NOREPLACE took the address as a hint only.
                unsafe { libc::munmap(elsewhere as *mut libc::c_void, WILD_STEP_BYTES) };
            }
            Err(error) => tracing::warn!(%error, "addresses from {address:#x} on are in use: programs can reach what lies there"),
        }
    }
}

fn reserve() -> io::Result<AddressSpace> {
    let low = if map_prefix() { PREFIX + PREFIX_BYTES } else { lowest_address() };
    let flags = RESERVE | libc::MAP_FIXED_NOREPLACE;
    let reserved = map(low, LINE_2G - low, libc::PROT_NONE, flags, -1, 0).map_err(|error| {
        let text = format!("the range {low:#x} to {LINE_2G:#x} cannot be reserved for the DSAs: {error}");
        io::Error::other(text)
    })?;
    if reserved != low {
        // A kernel without MAP_FIXED_NOREPLACE took the address as a hint only.
        unsafe { libc::munmap(reserved as *mut libc::c_void, LINE_2G - low) };
        return Err(io::Error::other("the range below 2 GB is in use"));
    }
    let mut above_bytes = ABOVE_BYTES_MAX;
    let above = loop {
        match map(0, above_bytes + EXTENT_BYTES[2], libc::PROT_NONE, RESERVE, -1, 0) {
            Ok(address) => break address.next_multiple_of(EXTENT_BYTES[2]),
            Err(error) if above_bytes <= ABOVE_BYTES_MIN => return Err(error),
            Err(_) => above_bytes /= 2,
        }
    };
    ABOVE_START.store(above, Ordering::Relaxed);
    ABOVE_END.store(above + above_bytes, Ordering::Relaxed);
    let first = low.next_multiple_of(EXTENT_BYTES[0]);
    Ok(AddressSpace::over([first..LINE_16M, LINE_16M..LINE_2G, above..above + above_bytes]))
}

impl AddressSpace {
    /// The space over ranges that are reserved and inaccessible, for no other use.
    fn over(reserved: [std::ops::Range<usize>; 3]) -> AddressSpace {
        let mut extent_bytes = EXTENT_BYTES.into_iter();
        let ranges = reserved.map(|addresses| {
            let extent_bytes = extent_bytes.next().expect("a size of extents for each line");
            let extents = addresses.len() / extent_bytes;
            Range {
                base: addresses.start,
                extent_bytes,
                taken: Ordered::new(vec![false; extents]),
                keys: (0..extents).map(|_| AtomicU8::new(0)).collect(),
            }
        });
        AddressSpace { ranges }
    }

    pub const fn extent_bytes(line: Line) -> usize {
        EXTENT_BYTES[line as usize]
    }

    /// Takes adjoining extents, readable and writable under the key; None if none are free.
    pub fn take(&self, line: Line, extents: usize, key: Key) -> Option<usize> {
        let range = &self.ranges[line as usize];
        let first = {
            let mut taken = range.taken.lock();
            let first = find_run(&taken, extents)?;
            taken[first..first + extents].fill(true);
            first
        };
        let address = range.base + first * range.extent_bytes;
        let length = extents * range.extent_bytes;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let opened = unsafe { libc::mprotect(address as *mut libc::c_void, length, protection) } == 0;
        let tagged = key == Key::Cics || crate::keys::tag_user(address, length).is_ok();
        if opened && tagged {
            range.keys[first..first + extents].iter().for_each(|known| known.store(key as u8 + 1, Ordering::Relaxed));
            return Some(address);
        }
        self.give_back(line, address, length);
        None
    }

    /// Returns extents: their contents are discarded, and access faults.
    pub fn give_back(&self, line: Line, address: usize, length: usize) {
        let range = &self.ranges[line as usize];
        assert!(
            address >= range.base && (address - range.base).is_multiple_of(range.extent_bytes) && length.is_multiple_of(range.extent_bytes)
        );
        let flags = RESERVE | libc::MAP_FIXED;
        map(address, length, libc::PROT_NONE, flags, -1, 0).expect("owned extents can be closed");
        let first = (address - range.base) / range.extent_bytes;
        range.keys[first..first + length / range.extent_bytes].iter().for_each(|known| known.store(0, Ordering::Relaxed));
        let mut taken = range.taken.lock();
        let extents = &mut taken[first..first + length / range.extent_bytes];
        assert!(extents.iter().all(|&is_taken| is_taken), "extents are given back once");
        extents.fill(false);
    }
}

/// The key of the storage that contains an address; None outside the DSAs.
#[inline]
pub fn key_at(address: usize) -> Option<Key> {
    let space = address_space().ok()?;
    let range = space.ranges.iter().rev().find(|range| address >= range.base)?;
    match range.keys.get((address - range.base) / range.extent_bytes)?.load(Ordering::Relaxed) {
        0 => None,
        known if known == Key::Cics as u8 + 1 => Some(Key::Cics),
        _ => Some(Key::User),
    }
}

fn find_run(taken: &[bool], extents: usize) -> Option<usize> {
    let mut length = 0;
    for (index, &is_taken) in taken.iter().enumerate() {
        length = if is_taken { 0 } else { length + 1 };
        if length == extents {
            return Some(index + 1 - extents);
        }
    }
    None
}

/// Pages of the process at addresses that a 31-bit program can form, for a process without DSAs.
#[cfg(target_arch = "x86_64")]
pub(crate) fn map_below_2_gb(length: usize) -> io::Result<usize> {
    map(0, length, libc::PROT_READ | libc::PROT_WRITE, RESERVE | libc::MAP_32BIT, -1, 0)
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn map_below_2_gb(_: usize) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Ends what [`map_below_2_gb`] has mapped.
pub(crate) fn unmap(address: usize, length: usize) {
    let ended = unsafe { libc::munmap(address as *mut libc::c_void, length) };
    debug_assert_eq!(ended, 0, "pages that were mapped can be unmapped");
}

/// Maps file contents over owned pages, read-only and perhaps executable.
pub(crate) fn map_file(address: usize, length: usize, file: i32, offset: u64, executable: bool) -> io::Result<()> {
    let protection = libc::PROT_READ | if executable { libc::PROT_EXEC } else { 0 };
    map(address, length, protection, libc::MAP_PRIVATE | libc::MAP_FIXED, file, offset).map(drop)
}

/// Makes owned pages plain storage again.
pub(crate) fn unmap_file(address: usize, length: usize) {
    let flags = RESERVE | libc::MAP_FIXED;
    map(address, length, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0).expect("owned pages can be mapped");
}

/// Makes owned pages read-only.
pub(crate) fn protect_pages(address: usize, length: usize) -> io::Result<()> {
    let result = unsafe { libc::mprotect(address as *mut libc::c_void, length, libc::PROT_READ) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Makes owned pages fault on any access.
pub(crate) fn close_pages(address: usize, length: usize) -> bool {
    unsafe { libc::mprotect(address as *mut libc::c_void, length, libc::PROT_NONE) == 0 }
}

/// Writes eight bytes of owned storage.
#[inline]
pub(crate) fn write_zone(address: usize, zone: [u8; 8]) {
    debug_assert_eq!(address % 8, 0);
    unsafe { (address as *mut [u8; 8]).write(zone) };
}

/// Reads eight bytes of owned storage.
#[inline]
pub(crate) fn read_zone(address: usize) -> [u8; 8] {
    debug_assert_eq!(address % 8, 0);
    unsafe { (address as *const [u8; 8]).read_volatile() }
}

/// Writes owned storage.
pub(crate) fn write(address: usize, data: &[u8]) {
    unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), address as *mut u8, data.len()) };
}

/// Appends owned storage to `to`.
pub(crate) fn append(address: usize, length: usize, to: &mut Vec<u8>) {
    to.reserve(length);
    unsafe {
        std::ptr::copy_nonoverlapping(address as *const u8, to.as_mut_ptr().add(to.len()), length);
        to.set_len(to.len() + length);
    }
}

/// Fills owned storage.
pub(crate) fn fill(address: usize, length: usize, byte: u8) {
    unsafe { std::ptr::write_bytes(address as *mut u8, byte, length) };
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The system can read the bytes, or write them back.
    pub(crate) fn is_accessible(address: usize, length: usize, write: bool) -> bool {
        let mut bytes = vec![0u8; length];
        let here = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: length };
        let there = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: length };
        unsafe {
            let read = libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0);
            let done =
                if write && read == length as isize { libc::process_vm_writev(libc::getpid(), &here, 1, &there, 1, 0) } else { read };
            done == length as isize
        }
    }

    #[test]
    fn runs_are_found_between_taken_extents() {
        let taken = [true, false, false, true, false, false, false];
        assert_eq!(find_run(&taken, 2), Some(1));
        assert_eq!(find_run(&taken, 3), Some(4));
        assert_eq!(find_run(&taken, 4), None);
    }

    #[test]
    fn extents_are_in_the_range_of_their_line() {
        let space = address_space().unwrap();
        for (line, low, high) in [(Line::Below16M, 0x10000, LINE_16M), (Line::Below2G, LINE_16M, LINE_2G)] {
            let address = space.take(line, 2, Key::Cics).unwrap();
            let length = 2 * AddressSpace::extent_bytes(line);
            assert!(address >= low && address + length <= high);
            fill(address, length, 0xC1);
            space.give_back(line, address, length);
        }
        let address = space.take(Line::Above, 1, Key::User).unwrap();
        assert!(address >= LINE_2G && is_above_address(address) && !is_above_address(0x5000));
        space.give_back(Line::Above, address, AddressSpace::extent_bytes(Line::Above));
    }

    #[test]
    fn extents_given_back_fault() {
        // A separate space, so that no one else takes the extents between the two statements.
        let lengths = EXTENT_BYTES.map(|bytes| 4 * bytes);
        let ranges = lengths.map(|length| {
            let base = map(0, length, libc::PROT_NONE, RESERVE, -1, 0).unwrap();
            base..base + length
        });
        let space = AddressSpace::over(ranges);
        for line in [Line::Below16M, Line::Below2G, Line::Above] {
            let address = space.take(line, 2, Key::Cics).unwrap();
            let length = 2 * AddressSpace::extent_bytes(line);
            fill(address, length, 0xC1);
            assert!(is_accessible(address, length, true));
            space.give_back(line, address, length);
            assert!(!is_accessible(address, 1, false));
            assert_eq!(space.take(line, 4, Key::Cics), Some(address), "all four extents are free again");
        }
    }
}
