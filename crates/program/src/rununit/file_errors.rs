//! A file statement that fails in a program with no handling for it (no phrase, no FILE STATUS, no USE procedure) ends the run unit with a
//! severe condition.
//!
//! Rules: Programming Guide, "Handling errors in input and output operations"; Language Environment Runtime Messages, IGZ0020S and
//! IGZ0035S.
//!
//! `unsafe` here reaches the activation of a frame that compiled code passes: see the parent module.

use super::conditions::{Cause, Resumable};
use super::*;
use crate::requests::{FileOperation, FileRequest, failure};
use le::callable::token::{IGZ, Token};

/// OPEN or CLOSE, and the other statements.
const CONNECTION_ERROR: u16 = 35;
const RECORD_ERROR: u16 = 20;

impl RunUnit {
    /// The condition of a failed statement. A handler may resume behind it.
    ///
    /// # Safety
    /// The frame and the request are those of compiled code.
    pub(super) unsafe fn file_error(&mut self, frame: FrameId, request: &FileRequest) -> Result<i64, Departure> {
        let owner = FrameId::new(request.owner).unwrap_or(frame);
        let activation = owner.activation();
        let file = &activation.module.programs[activation.program].files[request.file as usize];
        let place = frame.call_place();
        let offset = place.as_ref().map_or(0, |place| place.offset);
        let status = String::from_utf8_lossy(&request.status).into_owned();
        let number = match request.operation {
            FileOperation::Open | FileOperation::Close => CONNECTION_ERROR,
            _ => RECORD_ERROR,
        };
        let inserts = vec![file.name.clone(), frame.name().to_string(), format!("{offset:08X}"), status.clone()];
        let detail = format!(
            "{} of file {} (DD {}): file status {status}, {}; the program has neither FILE STATUS nor a USE procedure for it",
            verb(request.operation),
            file.name,
            file.assignment,
            meaning(request.status)
        );
        self.last_line = place.map_or((0, 0), |place| (place.line, place.statement));
        self.detail = Some(detail);
        let token = self.conditions.with_inserts(Token::new(IGZ, 3, number), inserts);
        self.raise(token, Cause::Signal, Resumable::WhenMoved, false, failure::FILE_ERROR)?;
        self.detail = None;
        Ok(0)
    }
}

fn verb(operation: FileOperation) -> &'static str {
    match operation {
        FileOperation::Open => "OPEN",
        FileOperation::Close => "CLOSE",
        FileOperation::Read => "READ",
        FileOperation::Write => "WRITE",
        FileOperation::Rewrite => "REWRITE",
        FileOperation::Delete => "DELETE",
        FileOperation::Start => "START",
    }
}

/// The meaning of a status. (Language Reference, "File status key".)
fn meaning(status: [u8; 2]) -> &'static str {
    match &status {
        b"10" => "there is no next record",
        b"14" => "the record number has more digits than the relative key",
        b"21" => "the keys do not ascend",
        b"22" => "a record with this key is there already",
        b"23" => "there is no record with this key",
        b"24" | b"34" => "the file has no more room",
        b"30" => "a permanent error",
        b"35" => "the file is not there",
        b"37" => "the file does not allow this kind of OPEN",
        b"38" => "the file was closed WITH LOCK",
        b"39" => "the file's attributes are not those of the program",
        b"41" => "the file is open already",
        b"42" => "the file is not open",
        b"43" => "no READ came before it",
        b"44" => "the record's length is not one of the file's",
        b"46" => "there is no position to read on from",
        b"47" => "the file is not open for INPUT or I-O",
        b"48" => "the file is not open for OUTPUT, EXTEND or I-O",
        b"49" => "the file is not open for I-O",
        b"93" => "the file is in use",
        _ => "an error of the access method",
    }
}
