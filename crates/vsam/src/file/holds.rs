//! Records held for update: READ UPDATE gives a token; REWRITE, DELETE, UNLOCK or the end of the unit of work ends the hold.
//!
//! Invariants: a hold owns the lock of the record and, in a file with control intervals, possibly control of the record's interval. The
//! lock is released with the hold unless the unit of work already had it or has changed the record recoverably.

use std::sync::atomic::{AtomicU32, Ordering};

use super::{File, Token};
use crate::error::FileError;
use crate::holds::Hold;
use crate::store::UnitOfWork;
use crate::wait::LockWait;

static NEXT_TOKEN: AtomicU32 = AtomicU32::new(1);

impl File {
    /// Locks the record at a table key of the view and reads it again; `None` if it no longer exists.
    pub(crate) fn hold(
        &self,
        unit: &UnitOfWork,
        table_key: &[u8],
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<Option<Token>, FileError> {
        let data = &self.0.sphere.data;
        let base_key = if self.index().is_some() { std::mem::take(record) } else { table_key.to_vec() };
        let new_lock = self.lock_record(unit, &base_key, wait)?;
        let control = match self.claim_for_update(unit, &base_key, wait) {
            Ok(control) => control,
            Err(error) => {
                if new_lock {
                    unit.unlock(data, &base_key);
                }
                return Err(error);
            }
        };
        let present = self.read_at(unit, table_key, &base_key, record);
        match present {
            Ok(true) => {
                let token = Token(NEXT_TOKEN.fetch_add(1, Ordering::Relaxed));
                let length = record.len();
                let (file, base) = (self.0.number, self.0.sphere.attributes.number);
                debug_assert!(unit.owns_lock(data, &base_key), "a record is held for update with its lock");
                unit.holds.lock().push(Hold { token, file, base, key: base_key, length, new_lock, control });
                Ok(Some(token))
            }
            other => {
                if new_lock {
                    unit.unlock(data, &base_key);
                }
                other?;
                Ok(None)
            }
        }
    }

    /// The token of the record this unit of work holds for update through this file, if any (requests without TOKEN).
    pub fn held(&self, unit: &UnitOfWork) -> Option<Token> {
        unit.holds.lock().iter().rev().find(|hold| hold.file == self.0.number).map(|hold| hold.token)
    }

    /// The table key in the base of a held record.
    pub fn held_key(&self, unit: &UnitOfWork, token: Token) -> Option<Vec<u8>> {
        self.held_record(unit, token).ok().map(|(key, _)| key)
    }

    /// The held record itself, as it is now.
    pub fn read_held(&self, unit: &UnitOfWork, token: Token, record: &mut Vec<u8>) -> Result<(), FileError> {
        let (key, _) = self.held_record(unit, token)?;
        if unit.read(&self.0.sphere.data, &key, record)? { Ok(()) } else { Err(FileError::NotFound) }
    }

    /// Key and length of a held record.
    pub(crate) fn held_record(&self, unit: &UnitOfWork, token: Token) -> Result<(Vec<u8>, usize), FileError> {
        let holds = unit.holds.lock();
        let hold = holds.iter().find(|hold| hold.token == token && hold.file == self.0.number);
        hold.map(|hold| (hold.key.clone(), hold.length)).ok_or(FileError::NoUpdate)
    }

    /// Whether the hold of a token already has control of its interval.
    pub(crate) fn has_control(&self, unit: &UnitOfWork, token: Token) -> bool {
        unit.holds.lock().iter().any(|hold| hold.token == token && hold.control.is_some())
    }

    /// Ends a hold. The lock goes too unless the record was changed recoverably or another hold of the unit of work needs it.
    pub(crate) fn end_hold(&self, unit: &UnitOfWork, token: Token, changed: bool) -> Result<(), FileError> {
        let stays = changed && self.0.attributes.recoverable;
        let mut holds = unit.holds.lock();
        let position = holds.iter().position(|hold| hold.token == token && hold.file == self.0.number);
        let ended = holds.swap_remove(position.ok_or(FileError::NoUpdate)?);
        let mut others = holds.iter_mut().filter(|hold| hold.base == ended.base && hold.key == ended.key);
        let mut unlocks = false;
        if stays {
            // The change keeps the lock to the end of the unit of work, whichever hold took it.
            others.for_each(|other| other.new_lock = false);
        } else if ended.new_lock {
            match others.next() {
                Some(other) => other.new_lock = true,
                None => unlocks = true,
            }
        }
        drop(holds);
        if unlocks {
            unit.unlock(&self.0.sphere.data, &ended.key);
        }
        Ok(())
    }

    /// UNLOCK of one record held for update, unchanged.
    pub fn unlock(&self, unit: &UnitOfWork, token: Token) -> Result<(), FileError> {
        self.end_hold(unit, token, false)
    }
}
