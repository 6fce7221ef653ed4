//! The condition and RESP2 of a command for each result of the access method ("READ", "WRITE" and the others in the command reference).
//!
//! Invariant: every `FileError` that does not abend the task has one row here; for ILLOGIC and IOERR, EIBRCODE also holds the VSAM codes.

use exec::condition;
use exec::resp2::file_control as resp2;
use region::Raised;
use vsam::FileError;

/// RESP2 values of the command reference.
fn answer_of(error: &FileError) -> (exec::Condition, i32) {
    use condition::*;
    match error {
        FileError::NotFound => (NOTFND, resp2::RECORD_NOT_FOUND),
        FileError::DuplicateRecord => (DUPREC, resp2::RECORD_EXISTS),
        FileError::EndOfFile => (ENDFILE, resp2::END_OF_FILE),
        FileError::Length(_) => (LENGERR, resp2::FIXED_LENGTH_OF_RECORD),
        FileError::NotAllowed(_) => (INVREQ, resp2::REQUEST_NOT_ALLOWED),
        FileError::EsdsDelete => (INVREQ, resp2::DELETE_FROM_ESDS),
        FileError::GenericNotKeyed => (INVREQ, resp2::GENERIC_DELETE_NOT_KSDS),
        // The key in the record is not that of RIDFLD.
        FileError::KeyChanged => (INVREQ, resp2::KEY_DIFFERS_FROM_RIDFLD),
        FileError::GenericPrevious => (INVREQ, resp2::PREVIOUS_AFTER_GENERIC),
        FileError::GenericKeyLength(_) => (INVREQ, resp2::GENERIC_KEY_TOO_LONG),
        FileError::KeyLength(_) => (INVREQ, resp2::KEY_LENGTH),
        FileError::UpdateHeld => (INVREQ, resp2::UPDATE_HELD),
        FileError::NoUpdate => (INVREQ, resp2::NO_UPDATE_FOR_REWRITE),
        FileError::GenericKeyNegative => (INVREQ, resp2::GENERIC_KEY_NEGATIVE),
        FileError::Locked(_) => (LOCKED, resp2::RECORD_LOCKED),
        FileError::RecordBusy(_) => (RECORDBUSY, resp2::RECORD_BUSY),
        FileError::NoSpace => (NOSPACE, resp2::NO_SPACE),
        FileError::Loading => (LOADING, resp2::TABLE_LOADING),
        FileError::DataSetNotFound(_)
        | FileError::DataSetExists(_)
        | FileError::InUse(_)
        | FileError::NotShared(_)
        | FileError::Quiesced(_)
        | FileError::Unavailable(_)
        | FileError::TableLengths
        | FileError::NoBuffers(_)
        | FileError::NotVsam(_)
        | FileError::NotReusable(_) => (NOTOPEN, resp2::FILE_NOT_OPEN),
        FileError::Store(_) => (IOERR, resp2::INPUT_OUTPUT_ERROR),
        // The command reference has no INVREQ for these, which VSAM refuses. The last four are abends of the task and never get here.
        FileError::KeyedEntrySequenced
        | FileError::Identification(_)
        | FileError::RecordNumber
        | FileError::IndexPointer
        | FileError::LockTimeout(_)
        | FileError::Deadlock(_)
        | FileError::SelfDeadlock
        | FileError::Purged => (ILLOGIC, resp2::VSAM_ERROR),
    }
}

/// The condition of an error, with VSAM's return and reason code if a program sees them.
pub(super) fn condition_of(error: &FileError) -> Raised {
    let (condition, resp2) = answer_of(error);
    let feedback = error.feedback();
    let is_shown = matches!(condition, condition::ILLOGIC | condition::IOERR);
    let access = if is_shown { [feedback.return_code, feedback.reason] } else { [0; 2] };
    Raised::Condition { condition, resp2, access, lengths: [0; 2] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vsam::StoreError;

    #[test]
    fn errors_have_the_documented_conditions() {
        for (error, expected, resp2, codes) in [
            (FileError::NotFound, condition::NOTFND, 80, [0, 0]),
            (FileError::EndOfFile, condition::ENDFILE, 90, [0, 0]),
            (FileError::IndexPointer, condition::ILLOGIC, 110, [8, 144]),
            (FileError::KeyedEntrySequenced, condition::ILLOGIC, 110, [8, 72]),
            (FileError::Identification("x"), condition::ILLOGIC, 110, [8, 68]),
            (FileError::Store(StoreError::Ended), condition::IOERR, 120, [12, 4]),
            (FileError::NoSpace, condition::NOSPACE, 100, [0, 0]),
        ] {
            let Raised::Condition { condition, resp2: found, access, .. } = condition_of(&error) else { panic!("{error}") };
            assert_eq!((condition, found, access), (expected, resp2, codes), "{error}");
        }
    }
}
