//! Storage for one copy of a program with writable static: stack, code and static are adjacent, because the code addresses its static
//! relative to itself.
//!
//! Layout, from the lowest address: a guard page, which faults when the stack overflows, the stack, the code from the load module's file,
//! read-only, and the static. Stack and static have the key of the DSA. Invariant: the code range is known to the fault handler as long as
//! its pages are executable; `unsafe` here registers it, under the rules in the head of the parent module, which also names the tests.

use super::{Dsa, Key, Line, Storage, StorageError};
use crate::addresses::{self, PAGE_BYTES};
use crate::traps::code::{CodeRange, register_code};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// How long the parts are. Code and static are rounded up to pages.
#[derive(Clone, Copy, Debug)]
pub struct ProgramLayout {
    pub stack_bytes: usize,
    pub code_bytes: usize,
    pub static_bytes: usize,
}

/// Whose the pages of a copy are.
#[derive(Debug)]
enum Owner {
    Dsa(Storage, Dsa),
    /// The process's own, for a batch program.
    Process,
}

/// One copy of a program; plain storage of its owner again on drop.
#[derive(Debug)]
pub struct ProgramStorage {
    owner: Owner,
    start: usize,
    bytes: usize,
    layout: ProgramLayout,
    /// Unregistered before the pages change.
    range: Option<CodeRange>,
}

impl Storage {
    /// A copy of a program whose code is in `file` at `offset`, a multiple of the page size. Its static is zero; its stack is undefined.
    pub fn map_program(
        &self,
        key: Key,
        layout: ProgramLayout,
        file: BorrowedFd<'_>,
        offset: u64,
        id: u64,
    ) -> Result<ProgramStorage, StorageError> {
        if layout.code_bytes == 0 || !offset.is_multiple_of(PAGE_BYTES as u64) {
            return Err(StorageError::Length);
        }
        let layout = layout.in_pages();
        let dsa = Dsa::shared(Line::Below2G, key);
        let length = layout.bytes();
        // It would never be there, however long the task waited.
        if length > self.0.limit_of(Line::Below2G) {
            return Err(StorageError::Length);
        }
        let (start, bytes) = self.0.take_pages(dsa, length, false)?;
        let program = ProgramStorage { owner: Owner::Dsa(self.clone(), dsa), start, bytes, layout, range: None };
        program.mapped(file, offset, id).map_err(|_| StorageError::NoStorage(dsa))
    }
}

impl ProgramLayout {
    fn in_pages(self) -> ProgramLayout {
        ProgramLayout {
            stack_bytes: self.stack_bytes.next_multiple_of(PAGE_BYTES),
            code_bytes: self.code_bytes.next_multiple_of(PAGE_BYTES),
            static_bytes: self.static_bytes.next_multiple_of(PAGE_BYTES),
        }
    }

    /// Of all parts, with the guard page.
    fn bytes(self) -> usize {
        PAGE_BYTES + self.stack_bytes + self.code_bytes + self.static_bytes
    }
}

impl ProgramStorage {
    /// The same for a batch program, whose process has no storage manager: pages of the process below 2 GB.
    pub fn of_process(layout: ProgramLayout, file: BorrowedFd<'_>, offset: u64, id: u64) -> io::Result<ProgramStorage> {
        if layout.code_bytes == 0 || !offset.is_multiple_of(PAGE_BYTES as u64) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let layout = layout.in_pages();
        let bytes = layout.bytes();
        let start = addresses::map_below_2_gb(bytes)?;
        ProgramStorage { owner: Owner::Process, start, bytes, layout, range: None }.mapped(file, offset, id)
    }

    /// With its code, its guard page and its static.
    fn mapped(mut self, file: BorrowedFd<'_>, offset: u64, id: u64) -> io::Result<ProgramStorage> {
        addresses::map_file(self.code_address(), self.layout.code_bytes, file.as_raw_fd(), offset, true)?;
        if !addresses::close_pages(self.start, PAGE_BYTES) {
            return Err(io::Error::last_os_error());
        }
        addresses::fill(self.static_address(), self.layout.static_bytes, 0);
        // Code of a load module keeps the rules of guarded calls.
        self.range = Some(unsafe { register_code(self.code_address(), self.layout.code_bytes, id) });
        Ok(self)
    }

    pub fn key(&self) -> Key {
        match &self.owner {
            Owner::Dsa(_, dsa) => dsa.key(),
            Owner::Process => Key::Cics,
        }
    }

    /// The stack grows down from here.
    pub fn stack_end(&self) -> usize {
        self.code_address()
    }

    pub fn code_address(&self) -> usize {
        self.start + PAGE_BYTES + self.layout.stack_bytes
    }

    pub fn code_bytes(&self) -> usize {
        self.layout.code_bytes
    }

    pub fn static_address(&self) -> usize {
        self.code_address() + self.layout.code_bytes
    }
}

impl Drop for ProgramStorage {
    fn drop(&mut self) {
        self.range = None;
        let Owner::Dsa(storage, dsa) = &self.owner else {
            return addresses::unmap(self.start, self.bytes);
        };
        addresses::unmap_file(self.start, self.bytes);
        if dsa.key() == Key::User {
            crate::keys::tag_user(self.start, self.bytes).expect("owned pages take the user key");
        }
        storage.0.give_back_pages(*dsa, self.start, self.bytes);
    }
}
