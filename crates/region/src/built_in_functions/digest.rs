//! BIF DIGEST: the SHA-1 digest of a string, in binary, hexadecimal or base64.

use crate::{Arguments, Outcome, Task, raise};
use base64::prelude::{BASE64_STANDARD, Engine};
use exec::resp2::built_in_functions as resp2;
use exec::{condition, cvda, option};
use sha1::{Digest, Sha1};

pub(super) fn bif_digest(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.bif_total += 1;
    task.performance.bif_digest += 1;
    let keywords = [(option::HEX, cvda::HEX), (option::BINARY, cvda::BINARY), (option::BASE64, cvda::BASE64)];
    let form = arguments.chosen(option::DIGESTTYPE, &keywords).unwrap_or(cvda::HEX);
    if !keywords.iter().any(|(_, known)| *known == form) {
        return raise(condition::INVREQ, resp2::DIGESTTYPE);
    }
    let given = arguments.area(option::RECORD).map_or(0, |area| area.length);
    let length = arguments.integer(option::RECORDLEN).unwrap_or(given as i64);
    let Some(length) = usize::try_from(length).ok().filter(|length| *length > 0) else {
        return raise(condition::LENGERR, resp2::RECORDLEN);
    };
    let digest = Sha1::digest(arguments.bytes_of_length(option::RECORD, length)?.unwrap_or_default());
    let text = match form {
        cvda::BINARY => return arguments.set_bytes_unbounded(option::RESULT, &digest),
        cvda::BASE64 => BASE64_STANDARD.encode(digest),
        _ => digest.iter().map(|byte| format!("{byte:02X}")).collect(),
    };
    let bytes = arguments.code_page().encode(&text);
    arguments.set_bytes_unbounded(option::RESULT, &bytes)
}
