//! A small byte codec for catalog entries and statistics: little endian integers, counted strings and lists.
//!
//! Invariant: `Decoder` reads what `Encoder` wrote in the same order; a short or malformed input gives `None`, never a panic.

#[derive(Default)]
pub(crate) struct Encoder {
    pub bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    pub(crate) fn bool(&mut self, value: bool) -> &mut Self {
        self.u8(value as u8)
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn string(&mut self, value: &str) -> &mut Self {
        self.u32(value.len() as u32);
        self.bytes.extend_from_slice(value.as_bytes());
        self
    }

    pub(crate) fn strings(&mut self, values: &[String]) -> &mut Self {
        self.u32(values.len() as u32);
        values.iter().for_each(|value| {
            self.string(value);
        });
        self
    }
}

pub(crate) struct Decoder<'a> {
    pub bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(head)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub(crate) fn bool(&mut self) -> Option<bool> {
        self.u8().map(|byte| byte != 0)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    pub(crate) fn string(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    pub(crate) fn strings(&mut self) -> Option<Vec<String>> {
        let count = self.u32()?;
        (0..count).map(|_| self.string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_was_written_and_never_past_the_end() {
        let mut encoder = Encoder::default();
        encoder.u8(1).bool(true).u32(70_000).u64(1 << 40).string("A.B").strings(&["X".into(), "".into()]);
        let read = |bytes| -> Option<(u8, bool, u32, u64, String, Vec<String>)> {
            let mut decoder = Decoder { bytes };
            Some((decoder.u8()?, decoder.bool()?, decoder.u32()?, decoder.u64()?, decoder.string()?, decoder.strings()?))
        };
        let expected = (1, true, 70_000, 1 << 40, "A.B".to_string(), vec!["X".to_string(), String::new()]);
        assert_eq!(read(&encoder.bytes), Some(expected));
        for length in 0..encoder.bytes.len() {
            assert_eq!(read(&encoder.bytes[..length]), None);
        }
    }
}
