//! The region's code page (LOCALCCSID): how names and text are converted between programs and the region.
//!
//! Inside the region names and text are ASCII and Rust strings; in storage and files they are in the code page. This is the only
//! place that translates between the two.

use crate::name::Name;
use codepage::{CodePage, Encoding};

/// The code page with its name tables laid out for speed.
pub struct RegionCodePage {
    page: &'static CodePage,
    to_ascii: [u8; 256],
    from_ascii: [u8; 256],
}

impl RegionCodePage {
    pub fn new(page: &'static CodePage) -> Self {
        let mut to_ascii = [b'?'; 256];
        let mut from_ascii = [page.space; 256];
        for byte in 0..=255u8 {
            let ascii = page.to_ascii(byte);
            // NUL is not a character of a name: programs leave it in areas they did not fill.
            to_ascii[usize::from(byte)] = if byte == 0 { b' ' } else { ascii.max(1) };
            if byte < 128 {
                from_ascii[usize::from(byte)] = page.ascii(byte);
            }
        }
        Self { page, to_ascii, from_ascii }
    }

    /// The page with this number, if there is one: any except pages of double-byte characters only.
    pub fn by_ccsid(ccsid: u16) -> Option<&'static CodePage> {
        codepage::by_ccsid(ccsid).filter(|page| page.encoding != Encoding::Double)
    }

    /// The page of this name, as a program writes it: a CCSID, with or without `IBM-` or `CP`, or the name of a character set of the Internet.
    pub fn by_name(name: &str) -> Option<&'static CodePage> {
        let folded = name.to_ascii_uppercase();
        let number = match folded.as_str() {
            "UTF-8" | "UTF8" => Some(1208),
            "UTF-16" | "UTF-16BE" | "UTF16" => Some(1200),
            "ISO-8859-1" | "LATIN1" | "LATIN-1" => Some(819),
            "US-ASCII" => Some(819),
            other => {
                other.trim_start_matches("IBM-").trim_start_matches("IBM").trim_start_matches("CP").trim_start_matches('-').parse().ok()
            }
        };
        number.and_then(Self::by_ccsid)
    }

    /// The code page of the region's terminals.
    pub fn terminal(&self) -> &'static CodePage {
        bms::text::terminal_page(self.page)
    }

    pub fn page(&self) -> &'static CodePage {
        self.page
    }

    pub fn space(&self) -> u8 {
        self.page.space
    }

    /// A name from storage: trimmed or padded to its length.
    pub fn name<const N: usize>(&self, bytes: &[u8]) -> Name<N> {
        let mut ascii = [b' '; N];
        for (to, from) in ascii.iter_mut().zip(bytes) {
            *to = self.to_ascii[usize::from(*from)];
        }
        Name::from_bytes(&ascii)
    }

    /// Text from storage.
    pub fn text(&self, bytes: &[u8]) -> String {
        self.page.decode(bytes)
    }

    /// Text for storage.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        if text.is_ascii() {
            return text.bytes().map(|byte| self.from_ascii[usize::from(byte)]).collect();
        }
        self.page.encode(text)
    }

    /// A name for storage, all of its characters.
    pub fn encode_name<const N: usize>(&self, name: &Name<N>) -> [u8; N] {
        name.as_bytes().map(|byte| self.from_ascii[usize::from(byte)])
    }

    /// Fills `target` with the text in the code page, blank padded, cut at its end.
    pub fn fill(&self, text: &str, target: &mut [u8]) {
        target.fill(self.page.space);
        if text.is_ascii() {
            for (to, from) in target.iter_mut().zip(text.bytes()) {
                *to = self.from_ascii[usize::from(from)];
            }
        } else {
            for (to, from) in target.iter_mut().zip(self.page.encode(text)) {
                *to = from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::Name8;

    #[test]
    fn names_go_both_ways_in_both_code_pages() {
        for page in [&codepage::CCSID_037, &codepage::CCSID_819] {
            let region = RegionCodePage::new(page);
            let name = Name8::new("PROG$1");
            assert_eq!(region.name::<8>(&region.encode_name(&name)), name);
            assert_eq!(region.name::<8>(&region.encode("AB")), Name8::new("AB"));
            let mut area = [0u8; 4];
            region.fill("A", &mut area);
            assert_eq!(region.text(&area), "A   ");
        }
        let region = RegionCodePage::new(&codepage::CCSID_037);
        assert_eq!(region.encode("A1"), [0xC1, 0xF1]);
        assert!(region.name::<4>(&[0, 0, 0, 0]).is_blank());
    }
}
