//! Data that the region keeps in storage of a subpool, outside the storage of programs: what it says is in the subpool, and in its figures.

use super::Subpool;
use super::request::StorageError;
use crate::addresses;

/// Data in an element of a subpool, which is given back when this is dropped.
#[derive(Debug)]
pub struct StoredData {
    subpool: Subpool,
    address: usize,
    length: usize,
}

impl Subpool {
    /// Copies data into an element of its own. May use the cushion.
    ///
    /// # Errors
    ///
    /// `NoStorage`: the line is at its limit. `Length`: there is no data.
    pub fn store(&self, data: &[u8]) -> Result<StoredData, StorageError> {
        let address = self.getmain(data.len())?;
        addresses::write(address, data);
        Ok(StoredData { subpool: self.clone(), address, length: data.len() })
    }
}

impl StoredData {
    pub fn length(&self) -> usize {
        self.length
    }

    /// Appends the data to `to`.
    pub fn append_to(&self, to: &mut Vec<u8>) {
        addresses::append(self.address, self.length, to);
    }
}

impl Drop for StoredData {
    fn drop(&mut self) {
        if let Err(error) = self.subpool.freemain(self.address) {
            tracing::error!("storage of subpool {} was overwritten: {error:?}", self.subpool.state.name);
        }
    }
}
