//! Condition tokens (feedback codes): 12 bytes that describe a condition.
//!
//! Programming Guide, "Understanding the structure of the condition token": severity and message number, a byte of case, severity and
//! control, the facility, and the number of the instance specific information.

use super::Feedback;

pub const TOKEN_LENGTH: usize = 12;
/// The facilities, in EBCDIC as tokens have them.
pub const CEE: [u8; 3] = [0xC3, 0xC5, 0xC5];
pub const IGZ: [u8; 3] = [0xC9, 0xC7, 0xE9];
/// Unhandled conditions of this severity and above end the program.
pub const ERROR: u16 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token(pub [u8; TOKEN_LENGTH]);

impl Token {
    pub const ZERO: Token = Token([0; TOKEN_LENGTH]);

    /// A case 1 condition.
    pub const fn new(facility: [u8; 3], severity: u16, message: u16) -> Token {
        let ([s0, s1], [m0, m1]) = (severity.to_be_bytes(), message.to_be_bytes());
        let [f0, f1, f2] = facility;
        Token([s0, s1, m0, m1, 0x40 | (severity as u8) << 3 | 1, f0, f1, f2, 0, 0, 0, 0])
    }

    pub fn is_zero(&self) -> bool {
        self.0[..8] == [0; 8]
    }

    /// The severity in the third word, which is the same in both cases.
    pub fn severity(&self) -> u16 {
        u16::from(self.0[4] >> 3 & 7)
    }

    pub fn message(&self) -> u16 {
        u16::from_be_bytes([self.0[2], self.0[3]])
    }

    pub fn facility(&self) -> [u8; 3] {
        [self.0[5], self.0[6], self.0[7]]
    }

    /// Number of the instance specific information, 0: none.
    pub fn instance(&self) -> u32 {
        u32::from_be_bytes([self.0[8], self.0[9], self.0[10], self.0[11]])
    }

    pub fn set_instance(&mut self, instance: u32) {
        self.0[8..].copy_from_slice(&instance.to_be_bytes());
    }
}

impl From<Feedback> for Token {
    fn from(feedback: Feedback) -> Token {
        Token(feedback.token())
    }
}
