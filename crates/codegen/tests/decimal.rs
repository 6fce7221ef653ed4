//! Inline decimal code equals the run time's reference, byte for byte, for random descriptions and random data, invalid digits and signs
//! included.

mod common;

use common::{ASCII, EBCDIC, compile_with, plain, settings};
use program::batch::BatchHost;
use program::module::Module;
use program::rununit::{Ended, Host, Invocation, RunUnit};
use std::sync::Arc;
use testing::Random;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Usage {
    Packed,
    Zoned,
    Binary,
    Native,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    usage: Usage,
    digits: u32,
    scale: u32,
    signed: bool,
}

impl Item {
    fn random(random: &mut Random) -> Item {
        let usage = [Usage::Packed, Usage::Zoned, Usage::Binary, Usage::Native][random.below(4) as usize];
        let most = if random.below(4) == 0 { 18 } else { 12 };
        let digits = 1 + random.below(most) as u32;
        let scale = if random.below(2) == 0 { 0 } else { random.below(digits.min(5) as u64 + 1) as u32 };
        Item { usage, digits, scale, signed: random.below(4) != 0 }
    }

    fn clause(&self) -> String {
        let sign = if self.signed { "S" } else { "" };
        let integers = self.digits - self.scale;
        let picture = match (integers, self.scale) {
            (integers, 0) => format!("{sign}9({integers})"),
            (0, scale) => format!("{sign}V9({scale})"),
            (integers, scale) => format!("{sign}9({integers})V9({scale})"),
        };
        let usage = match self.usage {
            Usage::Packed => " COMP-3",
            Usage::Zoned => "",
            Usage::Binary => " COMP",
            Usage::Native => " COMP-5",
        };
        format!("PIC {picture}{usage}")
    }

    fn length(&self) -> usize {
        match self.usage {
            Usage::Packed => self.digits as usize / 2 + 1,
            Usage::Zoned => self.digits as usize,
            _ => match self.digits {
                0..=4 => 2,
                5..=9 => 4,
                _ => 8,
            },
        }
    }

    /// Bytes of the item: mostly valid, of small and large values, sometimes anything.
    fn bytes(&self, random: &mut Random, ccsid: u16) -> Vec<u8> {
        let length = self.length();
        if random.below(12) == 0 {
            return (0..length).map(|_| random.below(256) as u8).collect();
        }
        let small = random.below(3) == 0;
        let digit = |random: &mut Random, at: usize, all: usize| {
            if small && at + 2 < all { 0 } else { [random.below(10) as u8, 9, 0][random.below(8).saturating_sub(5) as usize] }
        };
        match self.usage {
            Usage::Packed => {
                let count = 2 * length - 1;
                let mut nibbles: Vec<u8> = (0..count).map(|at| digit(random, at, count)).collect();
                if self.digits.is_multiple_of(2) && random.below(8) != 0 {
                    nibbles[0] = 0;
                }
                nibbles.push([0xC, 0xD, 0xC, 0xD, 0xF, 0xA, 0xB, 0xE][random.below(8) as usize]);
                nibbles.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
            }
            Usage::Zoned => {
                let zone = if ccsid == ASCII { 0x30 } else { 0xF0 };
                let mut bytes: Vec<u8> = (0..length).map(|at| zone | digit(random, at, length)).collect();
                let signs: &[u8] = if ccsid == ASCII { &[0x30, 0x70] } else { &[0xC0, 0xD0, 0xF0, 0xA0, 0xB0] };
                let last = bytes.last_mut().expect("a digit");
                *last = (*last & 15) | signs[random.below(signs.len() as u64) as usize];
                bytes
            }
            _ => {
                let limit = 10i64.pow(self.digits.min(18));
                let value = if small { random.below(200) as i64 } else { random.below(limit as u64) as i64 };
                let value = if self.signed && random.below(2) == 0 { -value } else { value };
                value.to_be_bytes()[8 - length..].to_vec()
            }
        }
    }
}

const STATEMENTS: [&str; 20] = [
    "MOVE A TO C",
    "ADD A TO C",
    "SUBTRACT A FROM C",
    "ADD A B GIVING C",
    "ADD A TO C ROUNDED",
    "SUBTRACT A FROM C ON SIZE ERROR MOVE 'E' TO F",
    "ADD A TO C ON SIZE ERROR MOVE 'E' TO F",
    "MULTIPLY A BY B GIVING C",
    "MULTIPLY A BY B GIVING C ROUNDED ON SIZE ERROR MOVE 'E' TO F",
    "COMPUTE C ROUNDED = A * B + 1.5",
    "DIVIDE A BY B GIVING C ON SIZE ERROR MOVE 'E' TO F",
    "ADD 7 TO C",
    "SUBTRACT 0.25 FROM C ON SIZE ERROR MOVE 'E' TO F",
    "IF A > B MOVE '1' TO F ELSE IF A = C MOVE '2' TO F",
    "COMPUTE C ROUNDED = A * B / 365 ON SIZE ERROR MOVE 'E' TO F",
    "COMPUTE C = (A + B) * A / 7",
    "COMPUTE C ROUNDED = (A - B) * C / (B + 1) ON SIZE ERROR MOVE 'E' TO F",
    "COMPUTE C = A - B * A + C * 3",
    "IF A * B > C MOVE '1' TO F ELSE IF A = B * C MOVE '2' TO F",
    "COMPUTE C ROUNDED = - (A * B) - C",
];

/// The statement, also as the body of a loop, where more is written inline.
fn source(items: &[Item; 3], statement: &str, in_loop: bool) -> String {
    let names = ["A", "B", "C"];
    let mut text = String::from("       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       LINKAGE SECTION.\n");
    for (name, item) in names.iter().zip(items) {
        text += &format!("       01  {name} {}.\n", item.clause());
    }
    text += "       01  F PIC X.\n       PROCEDURE DIVISION USING A B C F.\n";
    let (head, tail) = statement
        .split_once(" ON SIZE")
        .map_or((statement, String::new()), |(head, tail)| (head, format!("               ON SIZE{tail}\n")));
    let (before, after) =
        if in_loop { ("           PERFORM P 1 TIMES.\n           GOBACK.\n       P.\n", "") } else { ("", "           GOBACK.\n") };
    text + before + &format!("           {head}\n{tail}           .\n") + after
}

/// What one run leaves: how it ended, and the bytes of all operands.
fn run(host: &mut BatchHost, unit: &mut RunUnit, module: &Arc<Module>, areas: &[Vec<u8>], at: u32) -> (Option<u8>, Vec<u8>) {
    let mut arguments = Vec::new();
    let mut next = at;
    for area in areas {
        unsafe { std::ptr::copy_nonoverlapping(area.as_ptr(), next as usize as *mut u8, area.len()) };
        arguments.push(next);
        next += 32;
    }
    let ended = unit.start(host, module, 0, 0, Invocation { arguments: &arguments, ..Invocation::default() });
    unit.finish(host);
    let interruption = match ended {
        Ended::Abended(failure) => Some(failure.interruption.unwrap_or_else(|| panic!("{}", failure.text()))),
        _ => None,
    };
    let bytes = unsafe { std::slice::from_raw_parts(at as usize as *const u8, 32 * areas.len()) };
    (interruption, bytes.to_vec())
}

#[test]
fn inline_code_equals_the_reference() {
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    let mut host = BatchHost::new(std::io::sink());
    let at = host.getmain(256).expect("storage");
    let mut unit = RunUnit::new();
    for case in 0..600 {
        let items = [Item::random(&mut random), Item::random(&mut random), Item::random(&mut random)];
        let statement = STATEMENTS[case % STATEMENTS.len()];
        let ccsid = if case % 2 == 0 { EBCDIC } else { ASCII };
        let text = source(&items, statement, (case / STATEMENTS.len()).is_multiple_of(2));
        let [inline, plain] = [settings(true), plain()].map(|settings| compile_with(&text, ccsid, &settings));
        for _ in 0..60 {
            let mut areas: Vec<Vec<u8>> = items.iter().map(|item| item.bytes(&mut random, ccsid)).collect();
            areas.push(vec![0]);
            unsafe { std::ptr::write_bytes(at as usize as *mut u8, 0xAA, 256) };
            let ours = run(&mut host, &mut unit, &inline, &areas, at);
            unsafe { std::ptr::write_bytes(at as usize as *mut u8, 0xAA, 256) };
            let reference = run(&mut host, &mut unit, &plain, &areas, at);
            // After an interruption what a statement stored is not defined; that it came is.
            assert_eq!(ours.0, reference.0, "CCSID {ccsid} {areas:02X?}\n{text}");
            if ours.0.is_none() {
                assert_eq!(ours.1, reference.1, "CCSID {ccsid} {areas:02X?}\n{text}");
            }
        }
    }
}

#[test]
fn inline_class_test_equals_the_reference() {
    let mut random = Random::new(0x1234_5678_9ABC_DEF1);
    let mut host = BatchHost::new(std::io::sink());
    let at = host.getmain(256).expect("storage");
    let mut unit = RunUnit::new();
    for case in 0..64 {
        let digits = 1 + case / 4;
        let items = [true, false, false].map(|signed| Item { usage: Usage::Zoned, digits, scale: 0, signed });
        let ccsid = if case % 2 == 0 { EBCDIC } else { ASCII };
        let mut text =
            source(&items, "IF A NUMERIC ADD 1 TO F.\n           IF B NOT NUMERIC ADD 2 TO F.\n           IF C NUMERIC ADD 4 TO F", false);
        text = text.replace("01  F PIC X.", "01  F PIC S9(4) COMP.").replace(&format!("C PIC 9({digits})"), &format!("C PIC X({digits})"));
        let [inline, plain] = [settings(true), plain()].map(|settings| compile_with(&text, ccsid, &settings));
        let mut seen = [0; 2];
        for _ in 0..100 {
            let mut areas: Vec<Vec<u8>> = items.iter().map(|item| item.bytes(&mut random, ccsid)).collect();
            // One byte of the characters is often anything.
            if random.below(2) == 0 {
                areas[2][random.below(digits as u64) as usize] = random.below(256) as u8;
            }
            areas.push(vec![0, 0]);
            let ours = run(&mut host, &mut unit, &inline, &areas, at);
            let reference = run(&mut host, &mut unit, &plain, &areas, at);
            assert_eq!(ours, reference, "CCSID {ccsid} {areas:02X?}\n{text}");
            seen[(ours.1[97] & 1) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 0), "{seen:?} of {digits} digits");
    }
}
