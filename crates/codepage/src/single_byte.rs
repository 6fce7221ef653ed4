//! The single-byte tables: one record of `tables/sbcs.bin` for each page, turned into statics when this crate is compiled.
//!
//! A record is 256 Unicode values (two bytes each, most significant first; U+FFFD: the byte is not assigned), then the byte of
//! the capital letter of each byte, then that of the small letter. tables/generate.py writes it. The single-byte part of a
//! mixed page is a record too. Everything else (reverse tables, classes, named bytes) is computed from these.
//!
//! Invariants, asserted at compile time: the file has exactly the records listed here, and no character has two bytes in a page.

use crate::double_byte::{self, DoubleByte};
use crate::{CodePage, Encoding, UNASSIGNED};

static RECORDS: &[u8; RECORD_COUNT * RECORD_LENGTH] = include_bytes!("../tables/sbcs.bin");
const RECORD_COUNT: usize = 41;
const RECORD_LENGTH: usize = 1024;
const UPPER_AT: usize = 512;
const LOWER_AT: usize = 768;

const fn unicode_of(record: usize) -> [u16; 256] {
    let mut values = [0u16; 256];
    let mut byte = 0;
    while byte < 256 {
        let at = record * RECORD_LENGTH + 2 * byte;
        values[byte] = (RECORDS[at] as u16) << 8 | RECORDS[at + 1] as u16;
        byte += 1;
    }
    values
}

const fn bytes_at(record: usize, part: usize) -> [u8; 256] {
    let mut values = [0u8; 256];
    let mut byte = 0;
    while byte < 256 {
        values[byte] = RECORDS[record * RECORD_LENGTH + part + byte];
        byte += 1;
    }
    values
}

/// The byte of each character below 256; the substitute where the page has none.
const fn latin_of(values: &[u16; 256], substitute: u8) -> [u8; 256] {
    let mut bytes = [substitute; 256];
    let mut seen = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = values[byte] as usize;
        if value < 256 {
            assert!(!seen[value], "a character has two bytes");
            seen[value] = true;
            bytes[value] = byte as u8;
        }
        byte += 1;
    }
    bytes
}

const fn is_other(value: u16) -> bool {
    value >= 256 && value != UNASSIGNED
}

const fn other_count(values: &[u16; 256]) -> usize {
    let mut count = 0;
    let mut byte = 0;
    while byte < 256 {
        count += is_other(values[byte]) as usize;
        byte += 1;
    }
    count
}

/// The characters from 256 on with their bytes, ascending.
const fn others_of<const COUNT: usize>(values: &[u16; 256]) -> [(u16, u8); COUNT] {
    let mut others = [(0u16, 0u8); COUNT];
    let mut filled = 0;
    let mut byte = 0;
    while byte < 256 {
        if is_other(values[byte]) {
            let mut at = filled;
            while at > 0 && others[at - 1].0 > values[byte] {
                others[at] = others[at - 1];
                at -= 1;
            }
            assert!(at == 0 || others[at - 1].0 != values[byte], "a character has two bytes");
            others[at] = (values[byte], byte as u8);
            filled += 1;
        }
        byte += 1;
    }
    others
}

pub(crate) struct Tables {
    pub to_unicode: &'static [u16; 256],
    pub from_latin: &'static [u8; 256],
    pub from_other: &'static [(u16, u8)],
    pub upper: &'static [u8; 256],
    pub lower: &'static [u8; 256],
}

/// One static for each page: name, CCSID, encoding, number of its record, page of the double-byte part, and what it is for.
macro_rules! pages {
    ($($name:ident $ccsid:literal $encoding:ident $record:literal $graphic:expr, $title:literal;)*) => {
        $(
            #[doc = $title]
            pub static $name: CodePage = {
                const VALUES: [u16; 256] = unicode_of($record);
                const SUBSTITUTE: u8 = Encoding::$encoding.substitute();
                static TO_UNICODE: [u16; 256] = VALUES;
                static FROM_LATIN: [u8; 256] = latin_of(&VALUES, SUBSTITUTE);
                static FROM_OTHER: [(u16, u8); other_count(&VALUES)] = others_of(&VALUES);
                static UPPER: [u8; 256] = bytes_at($record, UPPER_AT);
                static LOWER: [u8; 256] = bytes_at($record, LOWER_AT);
                let tables = Tables {
                    to_unicode: &TO_UNICODE,
                    from_latin: &FROM_LATIN,
                    from_other: &FROM_OTHER,
                    upper: &UPPER,
                    lower: &LOWER,
                };
                let graphic: Option<&'static CodePage> = $graphic;
                let double_byte = match graphic {
                    Some(page) => page.double_byte,
                    None => None,
                };
                CodePage::new($ccsid, Encoding::$encoding, tables, double_byte, graphic)
            };
        )*
        /// The pages with a record, in the order of the file.
        static OF_RECORDS: [&CodePage; RECORD_COUNT] = [$(&$name),*];
        const _: () = {
            let numbers = [$($record),*];
            let mut at = 0;
            while at < RECORD_COUNT {
                assert!(numbers[at] == at, "the records are out of order");
                at += 1;
            }
        };
    };
}

const NONE: Option<&'static CodePage> = None;

pages! {
    CCSID_037 37 Ebcdic 0 NONE, "037: USA, Canada, Australia, Netherlands, Portugal, Brazil.";
    CCSID_273 273 Ebcdic 1 NONE, "273: Germany, Austria.";
    CCSID_277 277 Ebcdic 2 NONE, "277: Denmark, Norway.";
    CCSID_278 278 Ebcdic 3 NONE, "278: Finland, Sweden.";
    CCSID_280 280 Ebcdic 4 NONE, "280: Italy.";
    CCSID_284 284 Ebcdic 5 NONE, "284: Spain, Spanish-speaking Latin America.";
    CCSID_285 285 Ebcdic 6 NONE, "285: United Kingdom.";
    CCSID_297 297 Ebcdic 7 NONE, "297: France.";
    CCSID_500 500 Ebcdic 8 NONE, "500: international; Belgium, Switzerland.";
    CCSID_870 870 Ebcdic 9 NONE, "870: Latin 2, Central Europe.";
    CCSID_871 871 Ebcdic 10 NONE, "871: Iceland.";
    CCSID_875 875 Ebcdic 11 NONE, "875: Greece.";
    CCSID_1025 1025 Ebcdic 12 NONE, "1025: Cyrillic.";
    CCSID_1026 1026 Ebcdic 13 NONE, "1026: Turkey (Latin 5).";
    CCSID_1047 1047 Ebcdic 14 NONE, "1047: Latin 1, open systems.";
    CCSID_1140 1140 Ebcdic 15 NONE, "1140: 037 with the euro sign.";
    CCSID_1141 1141 Ebcdic 16 NONE, "1141: 273 with the euro sign.";
    CCSID_1142 1142 Ebcdic 17 NONE, "1142: 277 with the euro sign.";
    CCSID_1143 1143 Ebcdic 18 NONE, "1143: 278 with the euro sign.";
    CCSID_1144 1144 Ebcdic 19 NONE, "1144: 280 with the euro sign.";
    CCSID_1145 1145 Ebcdic 20 NONE, "1145: 284 with the euro sign.";
    CCSID_1146 1146 Ebcdic 21 NONE, "1146: 285 with the euro sign.";
    CCSID_1147 1147 Ebcdic 22 NONE, "1147: 297 with the euro sign.";
    CCSID_1148 1148 Ebcdic 23 NONE, "1148: 500 with the euro sign.";
    CCSID_1149 1149 Ebcdic 24 NONE, "1149: 871 with the euro sign.";
    CCSID_1154 1154 Ebcdic 25 NONE, "1154: 1025 with the euro sign.";
    CCSID_437 437 Ascii 26 NONE, "437: PC, USA.";
    CCSID_819 819 Ascii 27 NONE, "819: ISO 8859-1.";
    CCSID_850 850 Ascii 28 NONE, "850: PC, Latin 1.";
    CCSID_923 923 Ascii 29 NONE, "923: ISO 8859-15.";
    CCSID_1252 1252 Ascii 30 NONE, "1252: Windows, Latin 1, with the euro sign.";
    CCSID_930 930 Mixed 31 Some(&CCSID_300), "930: Japan, Katakana (290) and Kanji (300).";
    CCSID_933 933 Mixed 32 Some(&CCSID_834), "933: Korea (833 and 834).";
    CCSID_935 935 Mixed 33 Some(&CCSID_837), "935: simplified Chinese (836 and 837).";
    CCSID_937 937 Mixed 34 Some(&CCSID_835), "937: traditional Chinese (28709 and 835).";
    CCSID_939 939 Mixed 35 Some(&CCSID_300), "939: Japan, Latin (1027) and Kanji (300).";
    CCSID_1364 1364 Mixed 36 Some(&CCSID_4930), "1364: Korea (13121 and 4930).";
    CCSID_1371 1371 Mixed 37 Some(&CCSID_9027), "1371: traditional Chinese with the euro sign (1159 and 9027).";
    CCSID_1388 1388 Mixed 38 Some(&CCSID_4933), "1388: simplified Chinese, GB 18030 (13124 and 4933).";
    CCSID_1390 1390 Mixed 39 Some(&CCSID_16684), "1390: Japan, Katakana with the euro sign (8482) and JIS X 0213 (16684).";
    CCSID_1399 1399 Mixed 40 Some(&CCSID_16684), "1399: Japan, Latin with the euro sign (5123) and JIS X 0213 (16684).";
}

const fn tables_of(page: &'static CodePage) -> Tables {
    Tables { to_unicode: page.to_unicode, from_latin: page.from_latin, from_other: page.from_other, upper: page.upper, lower: page.lower }
}

/// 1208: UTF-8. Its tables are those of 819, which are correct for bytes below 128.
pub static CCSID_1208: CodePage = CodePage::new(1208, Encoding::Utf8, tables_of(&CCSID_819), None, None);
/// 1200: UTF-16, most significant byte first.
pub static CCSID_1200: CodePage = CodePage::new(1200, Encoding::Utf16, tables_of(&CCSID_819), None, None);

/// 300: double-byte, Japan.
static CCSID_300: CodePage = graphic(300, &double_byte::CODE_300);
/// 834: double-byte, Korea.
static CCSID_834: CodePage = graphic(834, &double_byte::CODE_834);
/// 835: double-byte, traditional Chinese.
static CCSID_835: CodePage = graphic(835, &double_byte::CODE_835);
/// 837: double-byte, simplified Chinese.
static CCSID_837: CodePage = graphic(837, &double_byte::CODE_837);
/// 4930: double-byte, Korea, with all Hangul.
static CCSID_4930: CodePage = graphic(4930, &double_byte::CODE_4930);
/// 4933: double-byte, simplified Chinese, GB 18030.
static CCSID_4933: CodePage = graphic(4933, &double_byte::CODE_4933);
/// 9027: double-byte, traditional Chinese with the euro sign.
static CCSID_9027: CodePage = graphic(9027, &double_byte::CODE_9027);
/// 16684: double-byte, Japan, JIS X 0213.
static CCSID_16684: CodePage = graphic(16684, &double_byte::CODE_16684);

const fn graphic(ccsid: u16, double_byte: &'static DoubleByte) -> CodePage {
    assert!(double_byte.ccsid == ccsid);
    CodePage::new(ccsid, Encoding::Double, tables_of(&CCSID_037), Some(double_byte), None)
}

/// The pages without a record.
static OTHERS: [&CodePage; OTHER_COUNT] =
    [&CCSID_1200, &CCSID_1208, &CCSID_300, &CCSID_834, &CCSID_835, &CCSID_837, &CCSID_4930, &CCSID_4933, &CCSID_9027, &CCSID_16684];
const OTHER_COUNT: usize = 10;

/// All pages, in order of their identifiers.
pub static ALL: [&CodePage; RECORD_COUNT + OTHER_COUNT] = {
    let mut all = [OTHERS[0]; RECORD_COUNT + OTHER_COUNT];
    let mut count = 0;
    while count < all.len() {
        let page = if count < RECORD_COUNT { OF_RECORDS[count] } else { OTHERS[count - RECORD_COUNT] };
        let mut at = count;
        while at > 0 && all[at - 1].ccsid > page.ccsid {
            all[at] = all[at - 1];
            at -= 1;
        }
        all[at] = page;
        count += 1;
    }
    all
};
