//! The codes VSAM would return: return code, component and reason code of a request, or the error code of an OPEN.
//!
//! The codes are those of the RPL feedback area and of the ACB ("VSAM macro return and reason codes" of Macro Instructions for Data Sets).
//! Callers show them to programs and operators, and decide what else a program is told. Invariant: every `FileError` has its codes in
//! `feedback`.

use crate::error::FileError;

/// Return code of a logical and of a physical error, and of an OPEN that failed.
pub const LOGICAL: u8 = 8;
pub const PHYSICAL: u8 = 12;

/// Return code, component and reason code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feedback {
    pub return_code: u8,
    /// RPLCMPON: 0 base cluster, 2 alternate index, 4 upgrade set.
    pub component: u8,
    pub reason: u8,
}

impl Feedback {
    const fn logical(reason: u8) -> Feedback {
        Feedback { return_code: LOGICAL, component: 0, reason }
    }

    /// The three codes as binary halfwords.
    pub fn bytes(self) -> [u8; 6] {
        [0, self.return_code, 0, self.component, 0, self.reason]
    }

    /// The meaning of the reason code of a request.
    pub fn meaning(self) -> &'static str {
        let table = if self.return_code == PHYSICAL { PHYSICAL_REASONS } else { LOGICAL_REASONS };
        meaning(table, self.reason)
    }

    /// The meaning of the error code of an OPEN.
    pub fn open_meaning(self) -> &'static str {
        meaning(OPEN_REASONS, self.reason)
    }
}

fn meaning(table: &[(u8, &'static str)], reason: u8) -> &'static str {
    table.iter().find(|(known, _)| *known == reason).map_or("", |(_, meaning)| meaning)
}

/// Reason codes of logical errors.
pub(crate) mod logical {
    pub const END_OF_DATA: u8 = 4;
    pub const DUPLICATE: u8 = 8;
    pub const NO_RECORD: u8 = 16;
    pub const EXCLUSIVE_CONTROL: u8 = 20;
    pub const DEADLOCK: u8 = 21;
    pub const LOCK_TIMEOUT: u8 = 22;
    pub const RETAINED_LOCK: u8 = 24;
    pub const NO_SPACE: u8 = 28;
    pub const INVALID_RBA: u8 = 32;
    pub const ACCESS_TYPE: u8 = 68;
    pub const KEYED_ENTRY_SEQUENCED: u8 = 72;
    pub const ERASE_ENTRY_SEQUENCED: u8 = 80;
    pub const NO_UPDATE: u8 = 92;
    pub const KEY_CHANGED: u8 = 96;
    pub const OPTIONS: u8 = 104;
    pub const RECORD_LENGTH: u8 = 108;
    pub const KEY_LENGTH: u8 = 112;
    pub const INDEX_POINTER: u8 = 144;
}

const LOGICAL_REASONS: &[(u8, &str)] = &[
    (logical::END_OF_DATA, "end of data, or the search argument is greater than the highest key"),
    (logical::DUPLICATE, "a record with this key, or this unique alternate key, exists"),
    (logical::NO_RECORD, "there is no such record"),
    (logical::EXCLUSIVE_CONTROL, "the control interval is under exclusive control of this requester"),
    (logical::DEADLOCK, "rejected to resolve a deadlock"),
    (logical::LOCK_TIMEOUT, "rejected because the lock was not obtained in time"),
    (logical::RETAINED_LOCK, "the record has a retained lock"),
    (logical::NO_SPACE, "the data set cannot be extended"),
    (logical::INVALID_RBA, "there is no record at this RBA or of this number"),
    (logical::ACCESS_TYPE, "the data set or path does not allow this type of access"),
    (logical::KEYED_ENTRY_SEQUENCED, "a keyed request for an entry-sequenced data set"),
    (logical::ERASE_ENTRY_SEQUENCED, "records of an entry-sequenced data set are not erased"),
    (logical::NO_UPDATE, "an update or erase without a record read for update"),
    (logical::KEY_CHANGED, "an update would change the key"),
    (logical::OPTIONS, "options that do not go together, or are not possible with the data set"),
    (logical::RECORD_LENGTH, "the record length is not allowed"),
    (logical::KEY_LENGTH, "the key length is not allowed"),
    (logical::INDEX_POINTER, "an alternate index entry without base record"),
];

/// Reason code of a physical error: the data component could not be read.
const READ_ERROR_DATA: u8 = 4;
const PHYSICAL_REASONS: &[(u8, &str)] = &[(READ_ERROR_DATA, "the data component could not be read")];

/// Error codes of OPEN.
pub(crate) mod open {
    pub const CATALOG_ERROR: u8 = 144;
    pub const NOT_CATALOGED: u8 = 148;
    pub const INCONSISTENT: u8 = 160;
    pub const NOT_AVAILABLE: u8 = 168;
    pub const NOT_VSAM: u8 = 188;
    pub const POOL_BUFFERS: u8 = 220;
    pub const NOT_REUSABLE: u8 = 232;
}

const OPEN_REASONS: &[(u8, &str)] = &[
    (open::CATALOG_ERROR, "the catalog or the data set could not be read"),
    (open::NOT_CATALOGED, "the data set is not in the catalog"),
    (open::INCONSISTENT, "the file and the data set do not go together"),
    (open::NOT_AVAILABLE, "the data set is not available for this type of processing"),
    (open::NOT_VSAM, "not a VSAM data set"),
    (open::POOL_BUFFERS, "control intervals are longer than the buffers of the resource pool"),
    (open::NOT_REUSABLE, "the data set is not reusable and not empty"),
];

impl FileError {
    /// The one table of errors. An error that keeps a data set from being opened has the error code of OPEN as its reason.
    pub fn feedback(&self) -> Feedback {
        use logical::*;
        let reason = match self {
            FileError::DataSetNotFound(_) => open::NOT_CATALOGED,
            FileError::DataSetExists(_) | FileError::TableLengths => open::INCONSISTENT,
            FileError::NotFound => NO_RECORD,
            FileError::DuplicateRecord => DUPLICATE,
            FileError::EndOfFile => END_OF_DATA,
            FileError::Length(_) => RECORD_LENGTH,
            FileError::KeyChanged => KEY_CHANGED,
            FileError::KeyLength(_) | FileError::GenericKeyLength(_) | FileError::GenericKeyNegative => KEY_LENGTH,
            FileError::GenericNotKeyed | FileError::UpdateHeld | FileError::GenericPrevious => OPTIONS,
            FileError::EsdsDelete => ERASE_ENTRY_SEQUENCED,
            FileError::NoUpdate => NO_UPDATE,
            FileError::NotAllowed(_) | FileError::Identification(_) => ACCESS_TYPE,
            FileError::KeyedEntrySequenced => KEYED_ENTRY_SEQUENCED,
            FileError::RecordNumber => INVALID_RBA,
            FileError::IndexPointer => INDEX_POINTER,
            FileError::RecordBusy(_) | FileError::LockTimeout(_) => LOCK_TIMEOUT,
            FileError::Locked(_) => RETAINED_LOCK,
            FileError::Deadlock(_) => DEADLOCK,
            FileError::SelfDeadlock => EXCLUSIVE_CONTROL,
            FileError::NoSpace => NO_SPACE,
            FileError::InUse(_) | FileError::NotShared(_) | FileError::Quiesced(_) | FileError::Unavailable(_) => open::NOT_AVAILABLE,
            FileError::NoBuffers(_) => open::POOL_BUFFERS,
            FileError::NotVsam(_) => open::NOT_VSAM,
            FileError::NotReusable(_) => open::NOT_REUSABLE,
            // VSAM was not asked.
            FileError::Purged | FileError::Loading => return Feedback::default(),
            FileError::Store(_) => return Feedback { return_code: PHYSICAL, component: 0, reason: READ_ERROR_DATA },
        };
        Feedback::logical(reason)
    }

    /// The error code of a failed OPEN; errors that otherwise belong to requests mean that file and data set do not match.
    pub fn open_feedback(&self) -> Feedback {
        let known = |reason: u8| OPEN_REASONS.iter().any(|(known, _)| *known == reason);
        match self {
            FileError::Store(_) => Feedback::logical(open::CATALOG_ERROR),
            _ if known(self.feedback().reason) && !matches!(self, FileError::IndexPointer) => self.feedback(),
            _ => Feedback::logical(open::INCONSISTENT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StoreError;

    #[test]
    fn errors_have_the_documented_codes() {
        let codes = |error: FileError| (error.feedback().return_code, error.feedback().reason);
        assert_eq!(codes(FileError::NotFound), (8, 16));
        assert_eq!(codes(FileError::EndOfFile), (8, 4));
        assert_eq!(codes(FileError::IndexPointer), (8, 144));
        assert_eq!(codes(FileError::KeyedEntrySequenced), (8, 72));
        assert_eq!(codes(FileError::Identification("x")), (8, 68));
        assert_eq!(codes(FileError::Store(StoreError::Ended)), (12, 4));
        assert_eq!(FileError::NoSpace.feedback().bytes(), [0, 8, 0, 0, 0, 28]);
    }

    #[test]
    fn an_open_has_an_error_code_whatever_kept_it_from_succeeding() {
        let code = |error: FileError| (error.open_feedback().return_code, error.open_feedback().reason);
        assert_eq!(code(FileError::DataSetNotFound("A".into())), (8, 148));
        assert_eq!(code(FileError::NotShared("A".into())), (8, 168));
        assert_eq!(code(FileError::NoBuffers("A".into())), (8, 220));
        assert_eq!(code(FileError::NotAllowed("x")), (8, 160));
        assert_eq!(code(FileError::IndexPointer), (8, 160));
        assert_eq!(code(FileError::Store(StoreError::Ended)), (8, 144));
    }

    #[test]
    fn every_feedback_code_has_a_meaning() {
        assert_eq!(FileError::NotFound.feedback().meaning(), "there is no such record");
        let open = FileError::NotShared("A".into()).open_feedback();
        assert!(open.open_meaning().contains("not available") && open.meaning().is_empty());
    }
}
