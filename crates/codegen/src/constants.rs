//! The constants of a module: literals, attributes, decimal values, edit programs, tables. Equal constants are stored once.

use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Constants {
    pub bytes: Vec<u8>,
    /// Offsets by alignment and bytes.
    known: FxHashMap<u8, FxHashMap<Box<[u8]>, u32>>,
}

impl Constants {
    /// Offset of these bytes, at a multiple of `align`.
    pub fn add(&mut self, bytes: &[u8], align: u8) -> u32 {
        let known = self.known.entry(align).or_default();
        if let Some(offset) = known.get(bytes) {
            return *offset;
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(align as usize), 0);
        let offset = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        // Inline code may read a constant in whole words.
        self.bytes.extend_from_slice(&[0; 8]);
        known.insert(bytes.into(), offset);
        offset
    }

    pub fn attributes(&mut self, attributes: &le::Attributes) -> u32 {
        self.add(&attributes_bytes(attributes), 4)
    }

    pub fn decimal(&mut self, coefficient: i128, scale: i32) -> u32 {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&coefficient.to_le_bytes());
        bytes[16..20].copy_from_slice(&scale.to_le_bytes());
        self.add(&bytes, 16)
    }
}

/// The 16 bytes of a descriptor as compiled code's machine sees them.
pub fn attributes_bytes(attributes: &le::Attributes) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[0] = attributes.usage as u8;
    bytes[1] = attributes.sign as u8;
    bytes[2..4].copy_from_slice(&attributes.flags.to_le_bytes());
    bytes[4..8].copy_from_slice(&attributes.length.to_le_bytes());
    bytes[8] = attributes.digits;
    bytes[9] = attributes.scale as u8;
    bytes[10..12].copy_from_slice(&attributes.reserved.to_le_bytes());
    bytes[12..16].copy_from_slice(&attributes.edit.to_le_bytes());
    bytes
}
