//! The condition and RESP2 of a command for what the access method answers ("READ", "WRITE" and the others in the command reference).
//!
//! Invariant: every `FileError` that is no abend of the task has one row here; EIBRCODE has what VSAM answered beside ILLOGIC and IOERR.

use exec::condition;
use region::Raised;
use vsam::FileError;

/// RESP2 values of the command reference.
fn resp2_of(error: &FileError) -> (exec::Condition, i32) {
    use condition::*;
    match error {
        FileError::NotFound => (NOTFND, 80),
        FileError::DuplicateRecord => (DUPREC, 150),
        FileError::EndOfFile => (ENDFILE, 90),
        FileError::Length(_) => (LENGERR, 14),
        FileError::NotAllowed(_) => (INVREQ, 20),
        FileError::EsdsDelete => (INVREQ, 21),
        FileError::GenericNotKeyed => (INVREQ, 22),
        // The key in the record is not that of RIDFLD.
        FileError::KeyChanged => (INVREQ, 23),
        FileError::GenericPrevious => (INVREQ, 24),
        FileError::GenericKeyLength(_) => (INVREQ, 25),
        FileError::KeyLength(_) => (INVREQ, 26),
        FileError::UpdateHeld => (INVREQ, 28),
        FileError::NoUpdate => (INVREQ, 30),
        FileError::GenericKeyNegative => (INVREQ, 42),
        FileError::Locked(_) => (LOCKED, 106),
        FileError::RecordBusy(_) => (RECORDBUSY, 107),
        FileError::NoSpace => (NOSPACE, 100),
        FileError::Loading => (LOADING, 104),
        FileError::DataSetNotFound(_)
        | FileError::DataSetExists(_)
        | FileError::InUse(_)
        | FileError::NotShared(_)
        | FileError::Quiesced(_)
        | FileError::Unavailable(_)
        | FileError::TableLengths
        | FileError::NoBuffers(_)
        | FileError::NotVsam(_)
        | FileError::NotReusable(_) => (NOTOPEN, 60),
        FileError::Store(_) => (IOERR, 120),
        // No INVREQ of the command reference means these: VSAM refuses them. The last four are abends of the task, and come here from nobody.
        FileError::KeyedEntrySequenced
        | FileError::Identification(_)
        | FileError::RecordNumber
        | FileError::IndexPointer
        | FileError::LockTimeout(_)
        | FileError::Deadlock(_)
        | FileError::SelfDeadlock
        | FileError::Purged => (ILLOGIC, 110),
    }
}

/// The condition of an error, with VSAM's return and reason code where a program is shown them.
pub(super) fn condition_of(error: &FileError) -> Raised {
    let (condition, resp2) = resp2_of(error);
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
