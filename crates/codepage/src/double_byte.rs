//! The double-byte part of mixed pages: the data between shift-out and shift-in, and the contents of DBCS data items and G literals.
//!
//! tables/generate.py writes `tables/dbcs_*.bin`. All numbers are variable-length (seven bits per byte, least significant first, the top
//! bit set on all but the last):
//!
//! 1. the number of runs; for each run the distance of its first code from the end of the last run, the number of codes, and for
//!    each code its character as the signed difference from the last character plus one (doubled, or doubled less one if negative);
//! 2. the number of codes that represent two characters (JIS X 0213 has a base letter and a combining mark), then these;
//! 3. the number of read-only codes, whose character is written with another code; then these;
//! 4. the number of write-only characters (other encodings of a shape that the page has once), each with its code.
//!
//! A table is expanded when it is first used. Invariants: a code is X'4040' (the blank) or has both bytes from X'41' to X'FE'; every code
//! that is not read-only is the one its character is written with.

use std::sync::OnceLock;

/// The double-byte blank, U+3000.
pub const BLANK: u16 = 0x4040;
/// The double-byte substitute character.
pub const SUBSTITUTE: u16 = 0xFEFE;

/// One double-byte code page.
pub struct DoubleByte {
    /// Number of the code page: the double-byte CCSID, for instance 300 in 939.
    pub ccsid: u16,
    data: &'static [u8],
    tables: OnceLock<Tables>,
}

/// The characters of one code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Characters {
    One(char),
    /// A base letter and a combining mark that Unicode has no single character for.
    Two(char, char),
}

/// Values of `decode` from here on are places in `long`: no code stands for a surrogate.
const LONG: u16 = 0xD800;
const LONG_MAX: usize = 0x800;

struct Tables {
    /// The character of each code, 0 if it has none, or an index into `long`.
    decode: Box<[u16]>,
    long: Vec<Characters>,
    /// The codes of the characters below U+10000, by the upper byte of the character; 0 if there is none.
    encode: Vec<Option<Box<[u16; 256]>>>,
    /// Codes of other characters, ascending.
    astral: Vec<(char, u16)>,
    /// Codes of pairs of characters, ascending.
    pairs: Vec<((char, char), u16)>,
}

impl std::fmt::Debug for DoubleByte {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "DoubleByte({})", self.ccsid)
    }
}

pub(crate) static CODE_300: DoubleByte = DoubleByte::new(300, include_bytes!("../tables/dbcs_300.bin"));
pub(crate) static CODE_834: DoubleByte = DoubleByte::new(834, include_bytes!("../tables/dbcs_834.bin"));
pub(crate) static CODE_835: DoubleByte = DoubleByte::new(835, include_bytes!("../tables/dbcs_835.bin"));
pub(crate) static CODE_837: DoubleByte = DoubleByte::new(837, include_bytes!("../tables/dbcs_837.bin"));
pub(crate) static CODE_4930: DoubleByte = DoubleByte::new(4930, include_bytes!("../tables/dbcs_4930.bin"));
pub(crate) static CODE_4933: DoubleByte = DoubleByte::new(4933, include_bytes!("../tables/dbcs_4933.bin"));
pub(crate) static CODE_9027: DoubleByte = DoubleByte::new(9027, include_bytes!("../tables/dbcs_9027.bin"));
pub(crate) static CODE_16684: DoubleByte = DoubleByte::new(16684, include_bytes!("../tables/dbcs_16684.bin"));

impl DoubleByte {
    const fn new(ccsid: u16, data: &'static [u8]) -> DoubleByte {
        DoubleByte { ccsid, data, tables: OnceLock::new() }
    }

    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables::expand(self.data))
    }

    /// Both bytes of a code can be those of a double-byte character, whether or not this page has one there.
    pub const fn is_code(high: u8, low: u8) -> bool {
        (high >= 0x41 && high <= 0xFE && low >= 0x41 && low <= 0xFE) || (high == 0x40 && low == 0x40)
    }

    /// The character of a code.
    pub fn decode(&self, code: u16) -> Option<Characters> {
        let tables = self.tables();
        match tables.decode[usize::from(code)] {
            0 => None,
            value => Some(match char::from_u32(u32::from(value)) {
                Some(character) => Characters::One(character),
                None => tables.long[usize::from(value - LONG)],
            }),
        }
    }

    /// The code of a character.
    pub fn encode(&self, character: char) -> Option<u16> {
        let tables = self.tables();
        let code = match u16::try_from(u32::from(character)) {
            Ok(value) => tables.encode[usize::from(value >> 8)].as_ref()?[usize::from(value & 0xFF)],
            Err(_) => tables.astral[tables.astral.binary_search_by_key(&character, |entry| entry.0).ok()?].1,
        };
        (code != 0).then_some(code)
    }

    /// The code of a base letter with a combining mark.
    pub fn encode_pair(&self, base: char, mark: char) -> Option<u16> {
        let pairs = &self.tables().pairs;
        Some(pairs[pairs.binary_search_by_key(&(base, mark), |entry| entry.0).ok()?].1)
    }

    /// Whether any code for two characters begins with this character.
    pub fn begins_pair(&self, base: char) -> bool {
        let pairs = &self.tables().pairs;
        let at = pairs.partition_point(|entry| entry.0.0 < base);
        pairs.get(at).is_some_and(|entry| entry.0.0 == base)
    }

    /// The text as double-byte codes without shifts, or the first character that has none.
    pub fn try_encode(&self, text: &str) -> Result<Vec<u8>, char> {
        let mut out = Vec::with_capacity(2 * text.len());
        let mut rest = text.chars().peekable();
        while let Some(character) = rest.next() {
            let pair = rest.peek().and_then(|mark| self.encode_pair(character, *mark));
            let code = match pair {
                Some(code) => {
                    rest.next();
                    code
                }
                None => self.encode(character).ok_or(character)?,
            };
            out.extend(code.to_be_bytes());
        }
        Ok(out)
    }
}

/// Reads the numbers of a table.
struct Numbers {
    data: &'static [u8],
    at: usize,
}

impl Numbers {
    fn number(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.data[self.at];
            self.at += 1;
            value |= u32::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
            shift += 7;
            assert!(shift < 32, "a number of a table is too long");
        }
    }

    fn code(&mut self) -> u16 {
        u16::try_from(self.number()).expect("a code has two bytes")
    }

    fn difference(&mut self) -> i64 {
        let number = i64::from(self.number());
        if number & 1 == 0 { number >> 1 } else { -((number + 1) >> 1) }
    }

    fn character(&mut self) -> char {
        char::from_u32(self.number()).expect("a table has characters only")
    }
}

impl Tables {
    fn expand(data: &'static [u8]) -> Tables {
        let mut numbers = Numbers { data, at: 0 };
        let mut tables = Tables {
            decode: vec![0; 0x10000].into_boxed_slice(),
            long: Vec::new(),
            encode: (0..256).map(|_| None).collect(),
            astral: Vec::new(),
            pairs: Vec::new(),
        };
        let (mut code, mut last) = (0u32, 0i64);
        for _ in 0..numbers.number() {
            code += numbers.number();
            for _ in 0..numbers.number() {
                last += numbers.difference() + 1;
                let character = u32::try_from(last).ok().and_then(char::from_u32).expect("a table has characters only");
                tables.reads(u16::try_from(code).expect("a code has two bytes"), Characters::One(character));
                code += 1;
            }
        }
        for _ in 0..numbers.number() {
            let (code, base, mark) = (numbers.code(), numbers.character(), numbers.character());
            tables.reads(code, Characters::Two(base, mark));
        }
        let only_read: Vec<u16> = (0..numbers.number()).map(|_| numbers.code()).collect();
        for code in (0..=0xFFFF).filter(|code| !only_read.contains(code)) {
            match tables.decode[usize::from(code)] {
                0 => {}
                value if (LONG..LONG + LONG_MAX as u16).contains(&value) => match tables.long[usize::from(value - LONG)] {
                    Characters::One(character) => tables.astral.push((character, code)),
                    Characters::Two(base, mark) => tables.pairs.push(((base, mark), code)),
                },
                value => tables.writes(value, code),
            }
        }
        for _ in 0..numbers.number() {
            let value = u16::try_from(numbers.number()).expect("such characters have two bytes");
            let code = numbers.code();
            tables.writes(value, code);
        }
        tables.astral.sort_unstable();
        tables.pairs.sort_unstable();
        assert_eq!(numbers.at, data.len(), "a table ends where its last number ends");
        tables
    }

    fn reads(&mut self, code: u16, characters: Characters) {
        let [high, low] = code.to_be_bytes();
        assert!(DoubleByte::is_code(high, low), "{code:04X} is no double-byte code");
        self.decode[usize::from(code)] = match characters {
            Characters::One(character) if u32::from(character) < 0x10000 => u32::from(character) as u16,
            _ => {
                assert!(self.long.len() < LONG_MAX);
                self.long.push(characters);
                LONG + (self.long.len() - 1) as u16
            }
        };
    }

    fn writes(&mut self, value: u16, code: u16) {
        let codes = self.encode[usize::from(value >> 8)].get_or_insert_with(|| Box::new([0; 256]));
        assert_eq!(codes[usize::from(value & 0xFF)], 0, "U+{value:04X} has two codes");
        codes[usize::from(value & 0xFF)] = code;
    }
}
