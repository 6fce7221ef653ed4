//! Maps a module into the process, and finds the module and statement to which an address belongs.
//!
//! The only unsafe code of the format: `mmap` of the file, and slices over that mapping. A mapping lives as long as its [`Module`]; it is of a
//! copy in memory that nobody else has, so it keeps its bytes whatever is done to the file of the library. A damaged file is refused before
//! anything in it is used. `tests.rs` covers it: with damage all over a file, and with modules unloaded while the fault handler looks for them.

use super::format::{self, Damage, section};
use super::*;
use crate::abi::Entry;
use parking_lot::RwLock;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::sync::Arc;

/// Why a module could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("not a load module")]
    NotAModule,
    #[error("the load module was made by another version of the compiler")]
    OtherVersion,
    #[error("the load module is damaged")]
    Corrupt,
}

impl From<Damage> for LoadError {
    fn from(damage: Damage) -> LoadError {
        match damage {
            Damage::NotAModule => LoadError::NotAModule,
            Damage::OtherVersion => LoadError::OtherVersion,
            Damage::Corrupt => LoadError::Corrupt,
        }
    }
}

/// A mapped load module, shared by every task that runs its programs.
pub struct Module {
    base: *mut u8,
    length: usize,
    code: (usize, usize),
    constants: (usize, usize),
    images: (usize, usize),
    pub compiler_version: u32,
    pub programs: Vec<ProgramInfo>,
    pub lines: Vec<LineEntry>,
    pub traps: Vec<TrapEntry>,
    pub symbols: Vec<Symbol>,
    /// How copies of the program are created, if it is written in C.
    pub c: Option<CProgram>,
    /// Path of the source, for messages; empty: not known.
    pub source: String,
    /// Operands used by statements, in ascending order of the statements.
    pub operands: Vec<StatementOperand>,
    /// Of programs compiled with TEST.
    pub debugging: Option<debugging::Debugging>,
    /// The file from which those copies take their code.
    file: std::fs::File,
    /// Copies that no run unit uses.
    spare_copies: parking_lot::Mutex<Vec<kernel::storage::ProgramStorage>>,
    /// Keeps the code known to the fault handler, until its pages go.
    range: Option<kernel::guard::CodeRange>,
    id: u64,
}

// The mapping is read-only and its metadata is never changed.
unsafe impl Send for Module {}
unsafe impl Sync for Module {}

/// Code ranges of the modules now loaded: (start, end, module), for turning an address into a statement.
static LOADED: RwLock<Vec<(usize, usize, std::sync::Weak<Module>)>> = RwLock::new(Vec::new());

/// No compiler makes a load module of this size.
const MODULE_BYTES_MAX: u64 = 1 << 28;

/// A file without a name, in memory.
fn memory_file() -> std::io::Result<std::fs::File> {
    let descriptor = unsafe { libc::memfd_create(c"module".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(unsafe { std::fs::File::from_raw_fd(descriptor) })
}

static NEXT_ID: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);

impl Module {
    /// Maps a load module file, as it is now: a copy in memory, so that a file which is overwritten or cut in its place, as `cp` does it, changes
    /// nothing that runs.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no load module of this version.
    pub fn load(path: &Path) -> Result<Arc<Module>, LoadError> {
        let file = std::fs::File::open(path)?;
        let is_possible = |length: u64| (format::PAGE as u64..=MODULE_BYTES_MAX).contains(&length);
        if !is_possible(file.metadata()?.len()) {
            return Err(LoadError::NotAModule);
        }
        let mut copy = memory_file()?;
        std::io::copy(&mut file.take(MODULE_BYTES_MAX), &mut copy)?;
        Module::map(copy)
    }

    /// Maps a file that nobody else changes.
    fn map(file: std::fs::File) -> Result<Arc<Module>, LoadError> {
        let length = file.metadata()?.len() as usize;
        if length < format::PAGE {
            return Err(LoadError::NotAModule);
        }
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0) };
        if base == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error().into());
        }
        Module::finish(base.cast(), length, file)
    }

    /// Makes a module from bytes that are not in a library: an anonymous memory file is written, then mapped like a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Arc<Module>, LoadError> {
        let mut file = memory_file()?;
        file.write_all(bytes)?;
        Module::map(file)
    }

    fn finish(base: *mut u8, length: usize, file: std::fs::File) -> Result<Arc<Module>, LoadError> {
        let unmap = |error: LoadError| {
            unsafe { libc::munmap(base.cast(), length) };
            error
        };
        let bytes = unsafe { std::slice::from_raw_parts(base, length) };
        let header = format::read_header(bytes).map_err(|damage| unmap(damage.into()))?;
        let metadata = format::read_metadata(bytes, &header).ok_or_else(|| unmap(LoadError::Corrupt))?;
        let code = header.sections[section::CODE];
        let protect = libc::PROT_READ | libc::PROT_EXEC;
        if code.1 > 0 && unsafe { libc::mprotect(base.add(code.0).cast(), code.1, protect) } != 0 {
            return Err(unmap(std::io::Error::last_os_error().into()));
        }
        let id = NEXT_ID.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        // Compiled code keeps the rules of a guarded call: it owns nothing that an abend would have to release.
        let range = unsafe { kernel::guard::register_code(base as usize + code.0, code.1, id) };
        let module = Arc::new(Module {
            base,
            length,
            code,
            constants: header.sections[section::CONSTANTS],
            images: header.sections[section::IMAGES],
            compiler_version: header.compiler_version,
            programs: metadata.programs,
            lines: metadata.lines,
            traps: metadata.traps,
            symbols: metadata.symbols,
            c: metadata.c,
            source: metadata.source,
            operands: metadata.operands,
            debugging: metadata.debugging,
            file,
            spare_copies: parking_lot::Mutex::default(),
            range: Some(range),
            id,
        });
        let start = base as usize + code.0;
        LOADED.write().push((start, start + code.1, Arc::downgrade(&module)));
        Ok(module)
    }

    /// The entry of one of the module's programs.
    pub fn entry(&self, program: usize) -> Entry {
        let offset = self.code.0 + self.programs[program].code_offset as usize;
        // The offset was checked to lie inside the code when the module was loaded; the compiler wrote an `Entry` there.
        unsafe { std::mem::transmute::<*mut u8, Entry>(self.base.add(offset)) }
    }

    /// Address range of the code.
    pub fn code_range(&self) -> (usize, usize) {
        let start = self.base as usize + self.code.0;
        (start, start + self.code.1)
    }

    pub fn constants(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.base.add(self.constants.0), self.constants.1) }
    }

    /// Bytes an area starts with.
    pub fn image(&self, area: &AreaImage) -> &[u8] {
        let start = self.images.0 + area.image_offset as usize;
        unsafe { std::slice::from_raw_parts(self.base.add(start), area.image_length as usize) }
    }

    /// The program and entry label of a name: the outermost programs and their ENTRY points.
    pub fn find_entry(&self, name: &str) -> Option<(usize, u32)> {
        // Names that differ in case only are two names (PGMNAME(LONGMIXED)).
        let find = |is_it: &dyn Fn(&str) -> bool| {
            self.programs.iter().enumerate().filter(|(_, program)| program.parent.is_none()).find_map(|(index, program)| {
                let entry = program.entries.iter().find(|entry| is_it(&entry.name))?;
                Some((index, entry.label))
            })
        };
        find(&|entry| entry == name).or_else(|| find(&|entry| entry.eq_ignore_ascii_case(name)))
    }

    /// The identifier of the code for the fault handler.
    pub(crate) fn code_id(&self) -> u64 {
        self.id
    }

    /// The file, and the position of the code in it: a copy of a C program maps it again.
    pub(crate) fn code_in_file(&self) -> (std::os::fd::BorrowedFd<'_>, usize, usize) {
        (std::os::fd::AsFd::as_fd(&self.file), self.code.0, self.code.1)
    }

    pub(crate) fn take_copy(&self, key: kernel::storage::Key) -> Option<kernel::storage::ProgramStorage> {
        let mut spare = self.spare_copies.lock();
        let at = spare.iter().position(|copy| copy.key() == key)?;
        Some(spare.swap_remove(at))
    }

    pub(crate) fn keep_copy(&self, copy: kernel::storage::ProgramStorage) {
        let mut spare = self.spare_copies.lock();
        if spare.len() < SPARE_COPIES_MAX {
            spare.push(copy);
        } else {
            drop(spare);
            forget_code(copy.code_address());
        }
    }

    /// Lets [`locate`] find the code of a copy.
    pub(crate) fn register_copy(self: &Arc<Module>, copy: &kernel::storage::ProgramStorage) {
        let start = copy.code_address();
        LOADED.write().push((start, start + self.code.1, Arc::downgrade(self)));
    }

    /// The location of the code at this address.
    pub fn location(self: &Arc<Module>, address: usize) -> Option<Location> {
        let (start, end) = self.code_range();
        (start..end).contains(&address).then(|| self.location_at((address - start) as u32))
    }

    /// The location of the code at this offset.
    fn location_at(self: &Arc<Module>, offset: u32) -> Location {
        let program = self
            .programs
            .iter()
            .position(|program| (program.code_offset..program.code_offset + program.code_length).contains(&offset))
            .unwrap_or(0);
        let line = self.lines.partition_point(|line| line.offset <= offset).checked_sub(1).map(|at| self.lines[at]);
        let trap = self.traps.binary_search_by_key(&offset, |trap| trap.offset).ok().map(|at| self.traps[at].code);
        Location {
            module: self.clone(),
            program,
            offset,
            line: line.map_or(0, |line| line.line),
            statement: line.map_or(0, |line| line.statement),
            trap,
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        forget_code(self.base as usize + self.code.0);
        self.spare_copies.get_mut().drain(..).for_each(|copy| forget_code(copy.code_address()));
        // Before the pages are free, or another module could be there already while the handler knows this one.
        self.range = None;
        unsafe { libc::munmap(self.base.cast(), self.length) };
    }
}

/// The code from this address on no longer belongs to a module.
fn forget_code(start: usize) {
    LOADED.write().retain(|(from, _, _)| *from != start);
}

/// Copies of a C program kept for use again: as many as often run at the same time.
const SPARE_COPIES_MAX: usize = 16;

/// The modules that are loaded now.
pub fn loaded() -> Vec<Arc<Module>> {
    let mut modules: Vec<Arc<Module>> = LOADED.read().iter().filter_map(|(_, _, module)| module.upgrade()).collect();
    modules.sort_by_key(|module| module.id);
    modules.dedup_by_key(|module| module.id);
    modules
}

/// The program and place of an address.
#[derive(Clone)]
pub struct Location {
    pub module: Arc<Module>,
    /// Index in [`Module::programs`].
    pub program: usize,
    /// Offset in the module's code.
    pub offset: u32,
    pub line: u32,
    pub statement: u32,
    /// Interruption code, when the instruction is one of the compiler's traps.
    pub trap: Option<u8>,
}

/// Finds the loaded module whose code, or a copy of it, contains this address.
pub fn locate(address: usize) -> Option<Location> {
    let loaded = LOADED.read();
    let (start, _, module) = loaded.iter().find(|(start, end, _)| (*start..*end).contains(&address))?;
    Some(module.upgrade()?.location_at((address - start) as u32))
}
