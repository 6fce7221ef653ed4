//! Rows that the server has sent, undecoded, in one buffer: the block that a cursor reads from.

use postgres::{Columns, Row};

/// Rows in the order in which they came.
#[derive(Default, Debug)]
pub struct Rows {
    bytes: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
    /// Rows that have been taken.
    next: usize,
}

impl Rows {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.next = 0;
    }

    /// Adds a row.
    pub fn push(&mut self, row: Row) {
        self.bytes.extend_from_slice(row.bytes());
        self.ends.push(self.bytes.len());
    }

    /// Rows that are left.
    pub fn left(&self) -> usize {
        self.ends.len() - self.next
    }

    /// Rows that came.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The columns of the next row that has not been taken.
    pub fn take(&mut self) -> Option<Columns<'_>> {
        let end = *self.ends.get(self.next)?;
        let start = self.next.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.next += 1;
        Row::new(&self.bytes[start..end]).map(|row| row.columns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_taken_in_order() {
        let mut rows = Rows::default();
        rows.push(Row::new(&[0, 2, 0, 0, 0, 1, b'a', 0xFF, 0xFF, 0xFF, 0xFF]).unwrap());
        rows.push(Row::new(&[0, 1, 0, 0, 0, 0]).unwrap());
        assert_eq!((rows.left(), rows.len(), rows.bytes()), (2, 2, 17));
        assert_eq!(rows.take().unwrap().collect::<Vec<_>>(), [Some(&b"a"[..]), None]);
        assert_eq!(rows.take().unwrap().collect::<Vec<_>>(), [Some(&b""[..])]);
        assert!(rows.take().is_none() && rows.left() == 0);
    }
}
