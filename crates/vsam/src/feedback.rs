//! What VSAM would have answered: return code, component and reason code of a request, or the error code of an OPEN.
//!
//! The codes are those of the RPL feedback area and of the ACB ("VSAM macro return and reason codes" of Macro Instructions for Data Sets).
//! Programs see them in the third file status of batch and in EIBRCODE, operators in messages. Invariant: every `FileError` has one row in
//! `answer`, which is also where its condition, RESP2 and file status come from.

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

    /// As the third file status item of a COBOL program holds it: three binary halfwords.
    pub fn bytes(self) -> [u8; 6] {
        [0, self.return_code, 0, self.component, 0, self.reason]
    }

    /// What the reason code of a request means.
    pub fn meaning(self) -> &'static str {
        let table = if self.return_code == PHYSICAL { PHYSICAL_REASONS } else { LOGICAL_REASONS };
        meaning(table, self.reason)
    }

    /// What the error code of an OPEN means.
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

/// What a program is told of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The CICS condition, or the abend of a deadlock or time-out.
    pub condition: &'static str,
    pub resp2: u32,
    /// FILE STATUS of COBOL in batch.
    pub file_status: &'static str,
    pub feedback: Feedback,
}

const fn answer(condition: &'static str, resp2: u32, file_status: &'static str, reason: u8) -> Answer {
    Answer { condition, resp2, file_status, feedback: Feedback::logical(reason) }
}

impl FileError {
    /// The one table of errors. RESP2 values: tables of the command reference. An error that keeps a data set from being opened has the
    /// error code of OPEN as its reason.
    pub fn answer(&self) -> Answer {
        use logical::*;
        match self {
            FileError::DataSetNotFound(_) => answer("NOTOPEN", 60, "35", open::NOT_CATALOGED),
            FileError::DataSetExists(_) => answer("NOTOPEN", 60, "90", open::INCONSISTENT),
            FileError::NotFound => answer("NOTFND", 80, "23", NO_RECORD),
            FileError::DuplicateRecord => answer("DUPREC", 150, "22", DUPLICATE),
            FileError::EndOfFile => answer("ENDFILE", 90, "10", END_OF_DATA),
            FileError::Length(_) => answer("LENGERR", 14, "44", RECORD_LENGTH),
            FileError::KeyChanged => answer("INVREQ", 46, "21", KEY_CHANGED),
            FileError::KeyLength(_) => answer("INVREQ", 26, "90", KEY_LENGTH),
            FileError::GenericKeyLength(_) => answer("INVREQ", 25, "90", KEY_LENGTH),
            FileError::GenericKeyNegative => answer("INVREQ", 42, "90", KEY_LENGTH),
            FileError::GenericNotKeyed => answer("INVREQ", 22, "90", OPTIONS),
            FileError::EsdsDelete => answer("INVREQ", 21, "90", ERASE_ENTRY_SEQUENCED),
            FileError::NoUpdate => answer("INVREQ", 30, "43", NO_UPDATE),
            FileError::UpdateHeld => answer("INVREQ", 28, "90", OPTIONS),
            FileError::GenericPrevious => answer("INVREQ", 24, "90", OPTIONS),
            FileError::NotAllowed(_) => answer("INVREQ", 20, "90", ACCESS_TYPE),
            // No INVREQ of the command reference means these: VSAM refuses them.
            FileError::KeyedEntrySequenced => answer("ILLOGIC", 110, "90", KEYED_ENTRY_SEQUENCED),
            FileError::Identification(_) => answer("ILLOGIC", 110, "90", ACCESS_TYPE),
            FileError::RecordNumber => answer("ILLOGIC", 110, "23", INVALID_RBA),
            FileError::IndexPointer => answer("ILLOGIC", 110, "90", INDEX_POINTER),
            FileError::RecordBusy(_) => answer("RECORDBUSY", 107, "90", LOCK_TIMEOUT),
            FileError::Locked(_) => answer("LOCKED", 106, "90", RETAINED_LOCK),
            FileError::LockTimeout(_) => answer("AFCY", 0, "90", LOCK_TIMEOUT),
            FileError::Deadlock(_) => answer("AFCF", 0, "90", DEADLOCK),
            FileError::SelfDeadlock => answer("AFCG", 0, "90", EXCLUSIVE_CONTROL),
            FileError::Purged => Answer { feedback: Feedback::default(), ..answer("AFCY", 0, "90", 0) },
            FileError::NoSpace => answer("NOSPACE", 100, "24", NO_SPACE),
            FileError::Loading => Answer { feedback: Feedback::default(), ..answer("LOADING", 104, "90", 0) },
            FileError::InUse(_) | FileError::NotShared(_) | FileError::Quiesced(_) | FileError::Unavailable(_) => {
                answer("NOTOPEN", 60, "93", open::NOT_AVAILABLE)
            }
            FileError::TableLengths => answer("NOTOPEN", 60, "90", open::INCONSISTENT),
            FileError::NoBuffers(_) => answer("NOTOPEN", 60, "90", open::POOL_BUFFERS),
            FileError::NotVsam(_) => answer("NOTOPEN", 60, "37", open::NOT_VSAM),
            FileError::NotReusable(_) => answer("NOTOPEN", 60, "37", open::NOT_REUSABLE),
            FileError::Store(_) => Answer {
                feedback: Feedback { return_code: PHYSICAL, component: 0, reason: READ_ERROR_DATA },
                ..answer("IOERR", 120, "30", 0)
            },
        }
    }

    /// The error code of an OPEN that failed: what is an error of requests elsewhere says that file and data set do not go together.
    pub fn open_feedback(&self) -> Feedback {
        let known = |reason: u8| OPEN_REASONS.iter().any(|(known, _)| *known == reason);
        match self {
            FileError::Store(_) => Feedback::logical(open::CATALOG_ERROR),
            _ if known(self.answer().feedback.reason) && !matches!(self, FileError::IndexPointer) => self.answer().feedback,
            _ => Feedback::logical(open::INCONSISTENT),
        }
    }

    /// The CICS condition and RESP2 of the error. `AFCF`, `AFCG` (deadlock) and `AFCY` (time-out, purge) are abends, with RESP2 0.
    pub fn condition(&self) -> (&'static str, u32) {
        let answer = self.answer();
        (answer.condition, answer.resp2)
    }

    /// The COBOL file status of the error in batch (`regent run`).
    pub fn file_status(&self) -> &'static str {
        self.answer().file_status
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::StoreError;

    #[test]
    fn errors_have_the_documented_codes() {
        let codes = |error: FileError| {
            let answer = error.answer();
            (answer.condition, answer.resp2, answer.file_status, answer.feedback.return_code, answer.feedback.reason)
        };
        assert_eq!(codes(FileError::NotFound), ("NOTFND", 80, "23", 8, 16));
        assert_eq!(codes(FileError::EndOfFile), ("ENDFILE", 90, "10", 8, 4));
        assert_eq!(codes(FileError::IndexPointer), ("ILLOGIC", 110, "90", 8, 144));
        assert_eq!(codes(FileError::KeyedEntrySequenced), ("ILLOGIC", 110, "90", 8, 72));
        assert_eq!(codes(FileError::Identification("x")), ("ILLOGIC", 110, "90", 8, 68));
        assert_eq!(codes(FileError::Store(StoreError::Ended)), ("IOERR", 120, "30", 12, 4));
        assert_eq!(FileError::NoSpace.answer().feedback.bytes(), [0, 8, 0, 0, 0, 28]);
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
    fn every_code_says_what_it_means() {
        assert_eq!(FileError::NotFound.answer().feedback.meaning(), "there is no such record");
        let open = FileError::NotShared("A".into()).open_feedback();
        assert!(open.open_meaning().contains("not available") && open.meaning().is_empty());
    }
}
