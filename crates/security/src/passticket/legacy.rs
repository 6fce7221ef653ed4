//! The original PassTicket algorithm (z/OS Security Server RACF Macros and Interfaces, Incorporating the PassTicket generator algorithm into
//! your program). Step numbers are those of the document.

use des::Des;
use des::cipher::{Array, BlockCipherEncrypt, KeyInit};

use super::{LEGACY_KEY_BYTES, PASSTICKET_LENGTH, in_ebcdic};
use crate::moment::Moment;
use crate::name::Name8;

/// Bytes of the padding of the time-coder, half of which goes into a round.
const PADDING_BYTES: usize = 12;
/// What stands behind the user id in the padding.
const PADDING: u8 = 0x55;

/// The permutations of the rounds of the time-coder: for each bit of the output the bit of the input, counted from 1 at the left.
const PERMUTATIONS: [[u8; 16]; 6] = [
    [10, 2, 12, 4, 14, 6, 16, 8, 9, 1, 11, 3, 13, 5, 15, 7],
    [1, 10, 3, 12, 13, 16, 7, 15, 9, 2, 11, 4, 5, 14, 8, 6],
    [3, 10, 1, 12, 13, 16, 9, 15, 7, 2, 14, 4, 5, 11, 8, 6],
    [10, 4, 12, 2, 14, 8, 16, 6, 9, 1, 13, 3, 11, 5, 15, 7],
    [4, 10, 12, 1, 8, 16, 14, 5, 9, 2, 13, 3, 11, 7, 15, 6],
    [1, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
];

/// The characters of a ticket.
const CHARACTERS: &[u8; 36] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Makes the tickets of one user for one application.
pub(super) struct Generator {
    cipher: Des,
    /// Steps 1 to 3: what all tickets have in common.
    digest: u32,
    padding: [u8; PADDING_BYTES],
}

impl Generator {
    pub(super) fn new(key: &[u8; LEGACY_KEY_BYTES], user: Name8, application: Name8) -> Generator {
        let cipher = Des::new(&Array(*key));
        let mut block = encrypted(&cipher, in_ebcdic(user));
        block.iter_mut().zip(in_ebcdic(application)).for_each(|(byte, other)| *byte ^= other);
        let block = encrypted(&cipher, block);
        let mut padding = [PADDING; PADDING_BYTES];
        padding[..user.as_str().len()].copy_from_slice(&in_ebcdic(user)[..user.as_str().len()]);
        Generator { cipher, digest: u32::from_be_bytes([block[0], block[1], block[2], block[3]]), padding }
    }

    /// The ticket of a moment.
    pub(super) fn ticket(&self, moment: Moment) -> String {
        // Step 4: the seconds since 1970, of which the document keeps 32 bits.
        translated(self.time_coded(self.digest ^ moment.0 as u32))
    }

    /// Step 5: the time-coder.
    fn time_coded(&self, input: u32) -> u32 {
        let (mut left, mut right) = ((input >> 16) as u16, input as u16);
        for (round, permutation) in PERMUTATIONS.iter().enumerate() {
            let padding = &self.padding[round % 2 * (PADDING_BYTES / 2)..][..PADDING_BYTES / 2];
            let mut block = [0; 8];
            block[..2].copy_from_slice(&right.to_be_bytes());
            block[2..].copy_from_slice(padding);
            let block = encrypted(&self.cipher, block);
            let mixed = left ^ u16::from_be_bytes([block[0], block[1]]);
            left = right;
            right = permuted(mixed, permutation);
        }
        u32::from(left) << 16 | u32::from(right)
    }
}

fn encrypted(cipher: &Des, block: [u8; 8]) -> [u8; 8] {
    let mut block = Array(block);
    cipher.encrypt_block(&mut block);
    block.0
}

fn permuted(input: u16, permutation: &[u8; 16]) -> u16 {
    permutation.iter().fold(0, |output, from| output << 1 | (input >> (16 - from) & 1))
}

/// Step 6: each character comes from six bits, of which it shares two with each neighbour; the first from the last two and the first four.
fn translated(coded: u32) -> String {
    let bits = coded.rotate_right(2);
    let characters = (0..PASSTICKET_LENGTH as u32).map(|at| {
        let six = bits.rotate_left(4 * at) >> 26;
        char::from(CHARACTERS[six as usize % CHARACTERS.len()])
    });
    characters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the document.
    #[test]
    fn bits_become_the_characters_of_the_documented_example() {
        assert_eq!(translated(0x0724_7F79), "QHOAH1TV");
    }

    #[test]
    fn a_permutation_takes_bits_from_where_the_table_says() {
        assert_eq!(permuted(0b0000_0000_0100_0000, &PERMUTATIONS[0]), 0b1000_0000_0000_0000, "output bit 1 is input bit 10");
        assert_eq!(permuted(0b0100_0000_0000_0000, &PERMUTATIONS[0]), 0b0100_0000_0000_0000, "output bit 2 is input bit 2");
        assert_eq!(permuted(0b0000_0000_0000_0001, &PERMUTATIONS[5]), 0b0100_0000_0000_0000, "output bit 2 is input bit 16");
    }

    /// The example of the document, of the padding of TOM.
    #[test]
    fn the_padding_is_the_user_id_in_ebcdic_and_fives() {
        let generator = Generator::new(&[1; 8], Name8::constant("TOM"), Name8::constant("A"));
        assert_eq!(generator.padding, [0xE3, 0xD6, 0xD4, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55]);
    }
}
