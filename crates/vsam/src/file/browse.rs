//! Browsing: STARTBR, READNEXT, READPREV, RESETBR as CICS defines them, over base files and paths.
//!
//! Rules: STARTBR reads nothing; a complete key of X'FF' positions behind the last record; READPREV right after STARTBR needs the record to
//! exist; READPREV after a generic start is refused; a change of direction returns the same record again; a changed RIDFLD repositions the
//! browse (READNEXT by the search of the STARTBR, READPREV to exactly that record). Records with the same alternate key come in the order
//! they were written in both directions, and DUPKEY is given for all but the last of them.
//!
//! Invariants: the position is a key, so insertions and deletions by others never invalidate it; records read ahead are returned
//! only while nothing in the file has changed since.

use crate::catalog::Organization;
use crate::error::FileError;
use crate::file::{File, Found, RecordId, Search, Token};
use crate::holds::control::{Control, Resources};
use crate::sphere::{rba_of, rrn_of};
use crate::store::{Direction, UnitOfWork};
use crate::wait::LockWait;

/// Records read ahead: few at first, more as the browse continues.
const AHEAD_RECORDS_FIRST: usize = 4;
const AHEAD_RECORDS_MAX: usize = 32;
const AHEAD_BYTES_MAX: usize = 64 << 10;
const RETRIES_MAX: usize = 100;

/// The position of a browse; `Browse::key` is the key searched for.
#[derive(Clone, Copy, Debug)]
enum Position {
    /// Nothing read yet: before the first record at or after the key (or the part of a table key used by the search).
    Start,
    /// Behind the last record (key of X'FF').
    End,
    /// At the record last returned (table key of the view), reached in this direction.
    At { direction: Direction },
}

/// Records read ahead, one after the other in `bytes`.
#[derive(Default)]
struct Ahead {
    bytes: Vec<u8>,
    /// Key length and record length of each.
    lengths: Vec<(u32, u32)>,
    next: usize,
    next_at: usize,
    direction: Option<Direction>,
    /// The table's change count when they were read.
    changes: u64,
    wanted: usize,
}

/// A browse in progress. Owned by one task; ends when dropped (ENDBR).
pub struct Browse {
    file: File,
    search: Search,
    position: Position,
    key: Vec<u8>,
    /// RIDFLD as the last request left it.
    ridfld: Vec<u8>,
    ahead: Ahead,
    /// By RBA: records of a KSDS are read in order of addresses.
    by_address: bool,
    /// Through a path: the table key of the base record last returned.
    base_key: Vec<u8>,
    /// The control interval of the record last returned, and that of the alternate index's record.
    interval: Option<u64>,
    index_interval: Option<u64>,
    /// Shared control of the interval it is at, of a file of an LSR pool.
    control: Option<Control>,
}

impl Browse {
    pub(crate) fn start(file: File, unit: &UnitOfWork, id: RecordId<'_>, search: Search) -> Result<Browse, FileError> {
        let position = Position::End;
        let ahead = Ahead { wanted: AHEAD_RECORDS_FIRST, ..Ahead::default() };
        let (interval, index_interval, control) = (None, None, None);
        let (key, ridfld, base_key) = (Vec::new(), Vec::new(), Vec::new());
        let mut browse =
            Browse { file, search, position, key, ridfld, ahead, by_address: false, base_key, interval, index_interval, control };
        browse.reset(unit, id, search)?;
        Ok(browse)
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// RIDFLD as the last request left it.
    pub fn ridfld(&self) -> &[u8] {
        &self.ridfld
    }

    /// RESETBR: a new position and search.
    pub fn reset(&mut self, unit: &UnitOfWork, id: RecordId<'_>, search: Search) -> Result<(), FileError> {
        self.set_position(unit, id, search)?;
        self.search = search;
        self.ridfld = ridfld_of(id);
        Ok(())
    }

    /// Positions the browse; on an error the position is unchanged.
    fn set_position(&mut self, unit: &UnitOfWork, id: RecordId<'_>, search: Search) -> Result<(), FileError> {
        let high = match id {
            RecordId::Key(key) => search.generic.is_none() && !key.is_empty() && key.iter().all(|byte| *byte == 0xFF),
            RecordId::Rba(rba) => rba == u32::MAX as u64 || rba == u64::MAX,
            RecordId::Rrn(number) => number == u32::MAX,
        };
        let by_address = matches!(id, RecordId::Rba(_));
        if high {
            if by_address && self.file.index().is_some() {
                return Err(FileError::Identification("a path is read by its key"));
            }
            if !by_address {
                self.file.search_key(unit, id, search)?;
            }
            self.by_address = by_address;
            self.position = Position::End;
            self.ahead.direction = None;
            return Ok(());
        }
        let id = self.begun_at(unit, id)?;
        let key = self.file.search_key(unit, id, search)?;
        self.file.locate(unit, &key, search, &mut Vec::new())?.ok_or(FileError::NotFound)?;
        self.position = Position::Start;
        self.key = self.file.index().map_or_else(|| key.to_vec(), |index| index.entry_prefix(&key));
        self.by_address = by_address;
        self.ahead.direction = None;
        Ok(())
    }

    /// RBA 0 is the beginning of an entry-sequenced data set, even if the record there has been backed out.
    fn begun_at<'i>(&self, unit: &UnitOfWork, id: RecordId<'i>) -> Result<RecordId<'i>, FileError> {
        if !matches!(id, RecordId::Rba(0)) || self.file.index().is_some() || self.file.0.sphere.organization != Organization::Esds {
            return Ok(id);
        }
        let first = self.file.step(unit, None, Direction::Forward, &mut Vec::new())?;
        first.map(|key| RecordId::Rba(rba_of(&key))).ok_or(FileError::NotFound)
    }

    /// READNEXT. `id` is the current value of RIDFLD: if it differs from the value the last request stored there, the browse skips to it.
    pub fn next(&mut self, unit: &UnitOfWork, id: RecordId<'_>, record: &mut Vec<u8>) -> Result<Found, FileError> {
        self.file.count_browse(false);
        self.skip_forward(unit, id)?;
        self.advance(unit, Direction::Forward, record)?;
        self.arrived(unit)
    }

    /// READPREV.
    pub fn previous(&mut self, unit: &UnitOfWork, id: RecordId<'_>, record: &mut Vec<u8>) -> Result<Found, FileError> {
        self.file.count_browse(false);
        self.skip_backward(unit, id)?;
        self.advance(unit, Direction::Backward, record)?;
        self.arrived(unit)
    }

    /// READNEXT UPDATE: also locks the record and returns a token.
    pub fn next_update(
        &mut self,
        unit: &UnitOfWork,
        id: RecordId<'_>,
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<(Found, Token), FileError> {
        self.skip_forward(unit, id)?;
        self.advance_update(unit, Direction::Forward, wait, record)
    }

    /// READPREV UPDATE.
    pub fn previous_update(
        &mut self,
        unit: &UnitOfWork,
        id: RecordId<'_>,
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<(Found, Token), FileError> {
        self.skip_backward(unit, id)?;
        self.advance_update(unit, Direction::Backward, wait, record)
    }

    /// READNEXT or READPREV with read integrity: as `File::read_shared`.
    pub fn step_shared(
        &mut self,
        unit: &UnitOfWork,
        id: RecordId<'_>,
        (direction, repeatable): (Direction, bool),
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<Found, FileError> {
        self.file.count_browse(false);
        match direction {
            Direction::Forward => self.skip_forward(unit, id)?,
            Direction::Backward => self.skip_backward(unit, id)?,
        }
        let share =
            |file: &File, key: &[u8], record: &mut Vec<u8>| Ok(file.share_record(unit, key, repeatable, wait, record)?.then_some(()));
        self.advance_locking(unit, direction, record, share).map(|(found, ())| found)
    }

    fn skip_forward(&mut self, unit: &UnitOfWork, id: RecordId<'_>) -> Result<(), FileError> {
        if !same_ridfld(id, &self.ridfld) {
            self.set_position(unit, id, self.search)?;
        }
        Ok(())
    }

    fn skip_backward(&mut self, unit: &UnitOfWork, id: RecordId<'_>) -> Result<(), FileError> {
        if self.search.generic.is_some() {
            return Err(FileError::GenericPrevious);
        }
        if !same_ridfld(id, &self.ridfld) {
            self.set_position(unit, id, Search::EQUAL)?;
        }
        if matches!(self.position, Position::Start) && !self.start_is_there(unit)? {
            return Err(FileError::NotFound);
        }
        Ok(())
    }

    /// Whether a record with the key of the STARTBR exists now: it may have been written or deleted since.
    fn start_is_there(&self, unit: &UnitOfWork) -> Result<bool, FileError> {
        let found = self.file.step(unit, Some((&self.key, true)), Direction::Forward, &mut Vec::new())?;
        Ok(found.is_some_and(|found| if self.file.index().is_some() { found.starts_with(&self.key) } else { found == self.key }))
    }

    /// Counts the control interval a browse enters; the records of one interval are read from its buffer without another search.
    fn touch_interval(&mut self, unit: &UnitOfWork) {
        let file = &self.file;
        if file.0.pool.is_none() {
            return;
        }
        if let Some(index) = file.index() {
            let alternate = index.display(&self.key).unwrap_or_default();
            let interval = index.intervals.interval_of(index, unit, alternate).ok();
            if interval != self.index_interval {
                file.touch_index(unit, index, alternate);
                self.index_interval = interval;
            }
        }
        if file.is_alternate_index() {
            return;
        }
        let key = if file.index().is_some() { &self.base_key } else { &self.key };
        let interval = file.0.sphere.interval_of(key).ok().map(|(interval, _)| interval);
        if interval != self.interval {
            file.touch_for(key, false);
            self.interval = interval;
        }
    }

    /// Takes shared control of the interval the browse is at, and of no other: for a path, the interval of the last returned base record,
    /// so none before the first. After a wait the record is read again.
    pub fn settle_control(&mut self, unit: &UnitOfWork, wait: LockWait<'_>, record: &mut Vec<u8>) -> Result<(), FileError> {
        if self.file.0.resources != Resources::Shared || self.file.is_alternate_index() {
            return Ok(());
        }
        let path = self.file.index().is_some();
        let interval = match self.position {
            Position::At { .. } => self.interval,
            Position::Start if path => None,
            Position::Start => Some(self.file.0.sphere.interval_of(&self.key)?.0),
            Position::End => None,
        };
        let Some(interval) = interval else {
            self.control = None;
            return Ok(());
        };
        if self.control.as_ref().is_some_and(|control| control.interval == interval) {
            return Ok(());
        }
        self.control = None;
        let contended = self.file.is_contended();
        self.control = self.file.share(unit, interval, wait)?;
        if contended && matches!(self.position, Position::At { .. }) {
            let mut again = Vec::new();
            let key = if path { &self.base_key } else { &self.key };
            if unit.read(&self.file.0.sphere.data, key, &mut again)? {
                *record = again;
            }
        }
        Ok(())
    }

    fn arrived(&mut self, unit: &UnitOfWork) -> Result<Found, FileError> {
        self.touch_interval(unit);
        let found = self.file.found_by(unit, &self.key, self.by_address)?;
        self.ridfld.clear();
        self.ridfld.extend_from_slice(&found.key);
        Ok(found)
    }

    /// Reads the next record in a direction into `record` and moves to it.
    fn advance(&mut self, unit: &UnitOfWork, direction: Direction, record: &mut Vec<u8>) -> Result<(), FileError> {
        if self.file.index().is_none() {
            return self.advance_base(unit, direction, record);
        }
        if self.file.is_alternate_index() {
            return self.advance_index_records(unit, direction, record);
        }
        let (mut position, mut key) = (self.position, self.key.clone());
        for _ in 0..RETRIES_MAX {
            key = self.step_path(unit, position, &key, direction, record)?.ok_or(FileError::EndOfFile)?;
            let base_key = std::mem::take(record);
            position = Position::At { direction };
            if unit.read(&self.file.0.sphere.data, &base_key, record)? {
                self.position = position;
                self.key = key;
                self.base_key = base_key;
                return Ok(());
            }
        }
        Err(FileError::IndexPointer)
    }

    /// The next record of an alternate index: all entries of the next alternate key.
    fn advance_index_records(&mut self, unit: &UnitOfWork, direction: Direction, record: &mut Vec<u8>) -> Result<(), FileError> {
        let file = self.file.clone();
        let index = file.index().expect("an alternate index");
        let alternate = |entry: &[u8]| index.display(entry).unwrap_or_default().to_vec();
        let next = match (self.position, direction) {
            (Position::At { direction: Direction::Forward }, Direction::Forward) => {
                file.step(unit, Some((&index.entry_end(&alternate(&self.key)), false)), Direction::Forward, record)?
            }
            (Position::At { direction: Direction::Backward }, Direction::Backward) => {
                let first = index.entry_prefix(&alternate(&self.key));
                let before = file.step(unit, Some((&first, false)), Direction::Backward, record)?;
                self.first_of_key(unit, before, record)?
            }
            // The beginning, and the same record again after a change of direction: as through a path.
            (position, _) => self.step_path(unit, position, &self.key, direction, record)?,
        };
        let entry = next.ok_or(FileError::EndOfFile)?;
        file.index_record(unit, index, &alternate(&entry), record)?;
        self.position = Position::At { direction };
        self.key = entry;
        Ok(())
    }

    /// The next entry of an alternate index; `record` gets the base's table key.
    fn step_path(
        &self,
        unit: &UnitOfWork,
        position: Position,
        key: &[u8],
        direction: Direction,
        record: &mut Vec<u8>,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let file = &self.file;
        let index = file.index().expect("a path has an index");
        let step = |from: Option<(&[u8], bool)>, direction, record: &mut Vec<u8>| file.step(unit, from, direction, record);
        let prefix_of = |key: &[u8]| index.entry_prefix(index.display(key).unwrap_or_default());
        match (position, direction) {
            (Position::Start, _) => step(Some((key, true)), Direction::Forward, record),
            (Position::End, Direction::Forward) => {
                let high = index.entry_prefix(&vec![0xFF; index.key_length]);
                step(Some((&high, true)), Direction::Forward, record)
            }
            (Position::At { direction: Direction::Forward }, Direction::Forward) => step(Some((key, false)), Direction::Forward, record),
            // A change of direction repositions by key: the first of the records with that key.
            (Position::At { direction: Direction::Backward }, Direction::Forward) => {
                step(Some((&prefix_of(key), true)), Direction::Forward, record)
            }
            (Position::End, Direction::Backward) => {
                let last = step(None, Direction::Backward, record)?;
                self.first_of_key(unit, last, record)
            }
            (Position::At { direction: Direction::Forward }, Direction::Backward) => {
                let prefix = prefix_of(key);
                let found = step(Some((&prefix, true)), Direction::Forward, record)?;
                if found.as_ref().is_some_and(|found| found.starts_with(&prefix)) {
                    return Ok(found);
                }
                let before = step(Some((&prefix, false)), Direction::Backward, record)?;
                self.first_of_key(unit, before, record)
            }
            (Position::At { direction: Direction::Backward }, Direction::Backward) => {
                let prefix = prefix_of(key);
                if !index.unique {
                    let next = step(Some((key, false)), Direction::Forward, record)?;
                    if next.as_ref().is_some_and(|next| next.starts_with(&prefix)) {
                        return Ok(next);
                    }
                }
                let before = step(Some((&prefix, false)), Direction::Backward, record)?;
                self.first_of_key(unit, before, record)
            }
        }
    }

    /// The first entry with the same alternate key as the entry given.
    fn first_of_key(&self, unit: &UnitOfWork, entry: Option<Vec<u8>>, record: &mut Vec<u8>) -> Result<Option<Vec<u8>>, FileError> {
        let index = self.file.index().expect("a path has an index");
        match entry {
            Some(entry) if !index.unique => {
                let prefix = index.entry_prefix(index.display(&entry).unwrap_or_default());
                self.file.step(unit, Some((&prefix, true)), Direction::Forward, record)
            }
            other => Ok(other),
        }
    }

    /// By RBA over a KSDS: control intervals in order of addresses, which is not that of keys once they were split.
    fn advance_addressed(&mut self, unit: &UnitOfWork, direction: Direction, record: &mut Vec<u8>) -> Result<(), FileError> {
        let sphere = &self.file.0.sphere;
        let mut key = match (self.position, direction) {
            (Position::Start, _) => Some(self.key.clone()),
            (Position::End, Direction::Forward) => None,
            (Position::End, Direction::Backward) => sphere.step_by_address(unit, None, direction)?,
            (Position::At { direction: before }, _) if before != direction => Some(self.key.clone()),
            (Position::At { .. }, _) => sphere.step_by_address(unit, Some(&self.key), direction)?,
        };
        for _ in 0..RETRIES_MAX {
            let Some(at) = key else { return Err(FileError::EndOfFile) };
            if unit.read(&sphere.data, &at, record)? {
                self.key = at;
                self.position = Position::At { direction };
                return Ok(());
            }
            key = sphere.step_by_address(unit, Some(&at), direction)?;
        }
        Err(FileError::IndexPointer)
    }

    fn advance_base(&mut self, unit: &UnitOfWork, direction: Direction, record: &mut Vec<u8>) -> Result<(), FileError> {
        if self.by_address && self.file.0.sphere.ci.is_some() {
            return self.advance_addressed(unit, direction, record);
        }
        if !(self.is_ahead_good(direction) && self.take_ahead(record)) {
            let high;
            let from: Option<(&[u8], bool)> = match (self.position, direction) {
                (Position::Start, Direction::Forward) if self.key.is_empty() => None,
                (Position::Start, _) => Some((&self.key, true)),
                (Position::End, Direction::Backward) => None,
                (Position::End, Direction::Forward) => {
                    high = vec![0xFF; self.file.attributes().key_length];
                    Some((&high, true))
                }
                (Position::At { direction: before }, _) => Some((&self.key, before != direction)),
            };
            self.ahead.fill(&self.file, unit, from, direction)?;
            // The first record is as it was at this request; later changes affect the next one.
            if !self.take_ahead(record) {
                return Err(FileError::EndOfFile);
            }
        }
        self.position = Position::At { direction };
        Ok(())
    }

    /// Whether the records read ahead are still valid: nothing changed, same direction, same position.
    fn is_ahead_good(&self, direction: Direction) -> bool {
        self.ahead.direction == Some(direction) && self.ahead.changes == self.file.view_table().overlay().changes()
    }

    /// Takes the next record read ahead; false if there is none.
    fn take_ahead(&mut self, record: &mut Vec<u8>) -> bool {
        let ahead = &mut self.ahead;
        if ahead.next >= ahead.lengths.len() {
            return false;
        }
        let (key_length, length) = ahead.lengths[ahead.next];
        let (key_at, data_at) = (ahead.next_at, ahead.next_at + key_length as usize);
        ahead.next += 1;
        ahead.next_at = data_at + length as usize;
        record.clear();
        record.extend_from_slice(&ahead.bytes[data_at..ahead.next_at]);
        self.key.clear();
        self.key.extend_from_slice(&ahead.bytes[key_at..data_at]);
        true
    }

    fn advance_update(
        &mut self,
        unit: &UnitOfWork,
        direction: Direction,
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<(Found, Token), FileError> {
        self.file.check_changes()?;
        self.file.count_browse(true);
        self.advance_locking(unit, direction, record, |file, key, record| file.hold(unit, key, wait, record))
    }

    /// Moves to the next record that can be locked in some way; `record` gets it.
    fn advance_locking<T>(
        &mut self,
        unit: &UnitOfWork,
        direction: Direction,
        record: &mut Vec<u8>,
        lock: impl Fn(&File, &[u8], &mut Vec<u8>) -> Result<Option<T>, FileError>,
    ) -> Result<(Found, T), FileError> {
        for _ in 0..RETRIES_MAX {
            if self.file.index().is_none() {
                self.advance_base(unit, direction, record)?;
            } else {
                let next = self.step_path(unit, self.position, &self.key, direction, record)?;
                self.key = next.ok_or(FileError::EndOfFile)?;
                self.base_key.clone_from(record);
                self.position = Position::At { direction };
            }
            if let Some(locked) = lock(&self.file, &self.key, record)? {
                return Ok((self.arrived(unit)?, locked));
            }
        }
        Err(FileError::IndexPointer)
    }
}

impl Ahead {
    fn fill(&mut self, file: &File, unit: &UnitOfWork, from: Option<(&[u8], bool)>, direction: Direction) -> Result<(), FileError> {
        let table = file.view_table();
        self.bytes.clear();
        self.lengths.clear();
        (self.next, self.next_at) = (0, 0);
        // Read before the records, so that a later change makes them stale.
        self.changes = table.overlay().changes();
        let wanted = self.wanted;
        let (bytes, lengths) = (&mut self.bytes, &mut self.lengths);
        unit.scan_locked(table, from, direction, &mut |key, data| {
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(data);
            lengths.push((key.len() as u32, data.len() as u32));
            lengths.len() < wanted && bytes.len() < AHEAD_BYTES_MAX
        })?;
        self.direction = Some(direction);
        self.wanted = (self.wanted * 8).min(AHEAD_RECORDS_MAX);
        Ok(())
    }
}

fn ridfld_of(id: RecordId<'_>) -> Vec<u8> {
    match id {
        RecordId::Key(key) => key.to_vec(),
        RecordId::Rba(rba) => rba.to_be_bytes().to_vec(),
        RecordId::Rrn(number) => number.to_be_bytes().to_vec(),
    }
}

fn same_ridfld(id: RecordId<'_>, ridfld: &[u8]) -> bool {
    match id {
        RecordId::Key(key) => key == ridfld,
        RecordId::Rba(rba) => rba == rba_of(ridfld),
        RecordId::Rrn(number) => number == rrn_of(ridfld),
    }
}
