//! Storage for one copy of a program with writable static: stack, code and static are adjacent, because the code addresses its static
//! relative to itself.
//!
//! Layout, from the lowest address: a guard page, which faults when the stack overflows, the stack, the code from the load module's file,
//! read-only, and the static. Stack and static have the key of the DSA. Invariant: the code range is known to the fault handler as long as
//! its pages are executable; `unsafe` here registers it, under the rules in the head of the parent module, which also names the tests.

use super::{Dsa, Key, Line, Storage, StorageError};
use crate::addresses::{self, PAGE_BYTES};
use crate::traps::code::{CodeRange, register_code};
use std::os::fd::{AsRawFd, BorrowedFd};

/// How long the parts are. Code and static are rounded up to pages.
#[derive(Clone, Copy, Debug)]
pub struct ProgramLayout {
    pub stack_bytes: usize,
    pub code_bytes: usize,
    pub static_bytes: usize,
}

/// One copy of a program; plain storage of the DSA again on drop.
#[derive(Debug)]
pub struct ProgramStorage {
    storage: Storage,
    dsa: Dsa,
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
        let layout = ProgramLayout {
            stack_bytes: layout.stack_bytes.next_multiple_of(PAGE_BYTES),
            code_bytes: layout.code_bytes.next_multiple_of(PAGE_BYTES),
            static_bytes: layout.static_bytes.next_multiple_of(PAGE_BYTES),
        };
        let dsa = Dsa::shared(Line::Below2G, key);
        let length = PAGE_BYTES + layout.stack_bytes + layout.code_bytes + layout.static_bytes;
        // It would never be there, however long the task waited.
        if length > self.0.limit_of(Line::Below2G) {
            return Err(StorageError::Length);
        }
        let (start, bytes) = self.0.take_pages(dsa, length, false)?;
        let mut program = ProgramStorage { storage: self.clone(), dsa, start, bytes, layout, range: None };
        let mapped = addresses::map_file(program.code_address(), layout.code_bytes, file.as_raw_fd(), offset, true);
        if mapped.is_err() || !addresses::close_pages(start, PAGE_BYTES) {
            return Err(StorageError::NoStorage(dsa));
        }
        addresses::fill(program.static_address(), layout.static_bytes, 0);
        // Code of a load module keeps the rules of guarded calls.
        program.range = Some(unsafe { register_code(program.code_address(), layout.code_bytes, id) });
        Ok(program)
    }
}

impl ProgramStorage {
    pub fn key(&self) -> Key {
        self.dsa.key()
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
        addresses::unmap_file(self.start, self.bytes);
        if self.dsa.key() == Key::User {
            crate::keys::tag_user(self.start, self.bytes).expect("owned pages take the user key");
        }
        self.storage.0.give_back_pages(self.dsa, self.start, self.bytes);
    }
}
