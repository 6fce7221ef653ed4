//! BIF DIGEST: the SHA-1 digest of a string, in binary, hexadecimal or base64.
//!
//! The algorithm is that of FIPS 180-4; in CICS it is one of the processor.

use crate::{Arguments, Outcome, Task, raise};
use exec::resp2::built_in_functions as resp2;
use exec::{condition, cvda, option};

/// Bytes of a digest, and of a block of the message.
const DIGEST_BYTES: usize = 20;
const BLOCK_BYTES: usize = 64;
/// Steps of a block, and the constant of each twenty of them.
const ROUNDS: usize = 80;
const CONSTANTS: [u32; 4] = [0x5A82_7999, 0x6ED9_EBA1, 0x8F1B_BCDC, 0xCA62_C1D6];
const INITIAL: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
    let digest = sha1(&arguments.bytes_of_length(option::RECORD, length)?.unwrap_or_default());
    let text = match form {
        cvda::BINARY => return arguments.set_bytes_unbounded(option::RESULT, &digest),
        cvda::BASE64 => base64(&digest),
        _ => digest.iter().map(|byte| format!("{byte:02X}")).collect(),
    };
    let bytes = arguments.code_page().encode(&text);
    arguments.set_bytes_unbounded(option::RESULT, &bytes)
}

fn sha1(message: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    // The length in bits ends the last block.
    while padded.len() % BLOCK_BYTES != BLOCK_BYTES - size_of::<u64>() {
        padded.push(0);
    }
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    let state = padded.chunks_exact(BLOCK_BYTES).fold(INITIAL, |state, block| compressed(state, block));
    let mut digest = [0; DIGEST_BYTES];
    for (place, word) in digest.chunks_exact_mut(size_of::<u32>()).zip(state) {
        place.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn compressed(state: [u32; 5], block: &[u8]) -> [u32; 5] {
    let mut schedule = [0_u32; ROUNDS];
    for (word, bytes) in schedule.iter_mut().zip(block.chunks_exact(size_of::<u32>())) {
        *word = u32::from_be_bytes(bytes.try_into().expect("four bytes"));
    }
    for at in 16..ROUNDS {
        schedule[at] = (schedule[at - 3] ^ schedule[at - 8] ^ schedule[at - 14] ^ schedule[at - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = state;
    for (at, word) in schedule.iter().enumerate() {
        let mixed = match at / 20 {
            0 => (b & c) | (!b & d),
            2 => (b & c) | (b & d) | (c & d),
            _ => b ^ c ^ d,
        };
        let next = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(CONSTANTS[at / 20]).wrapping_add(*word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    let mut sums = state;
    for (sum, word) in sums.iter_mut().zip([a, b, c, d, e]) {
        *sum = sum.wrapping_add(word);
    }
    sums
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number = (0..3).fold(0_usize, |number, at| number << 8 | group.get(at).map_or(0, |byte| usize::from(*byte)));
        for at in 0..4 {
            let digit = BASE64[number >> (18 - 6 * at) & 0x3F];
            text.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexadecimal(message: &[u8]) -> String {
        sha1(message).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_examples_of_fips_180() {
        assert_eq!(hexadecimal(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hexadecimal(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hexadecimal(long), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
        assert_eq!(base64(&sha1(b"abc")), "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=");
    }
}
