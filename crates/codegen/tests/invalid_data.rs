//! Zoned items with blanks, low-values or other invalid data, under NOINVDATA and the suboptions of INVDATA.
//!
//! Expected values follow from the Programming Guide: comparisons with characters and moves to characters take the bytes ("Alphanumeric
//! comparisons" in the Language Reference), computations take the result of PACK, the low halves of the bytes, and the sign of an unsigned
//! item is forced ("Sign representation of zoned and packed-decimal data", options NUMPROC, ZONEDATA, INVDATA).

mod common;

use common::{ASCII, EBCDIC, displays, outcomes};
use testing::Random;

/// The program ends with a data exception.
fn interrupts(options: &str, data: &str, statement: &str) {
    let procedure = format!("    {statement}\n    DISPLAY 'ON'.\n    GOBACK.");
    for ccsid in [EBCDIC, ASCII] {
        for (how, outcome) in outcomes(options, data, &procedure, ccsid) {
            let failure = outcome.failure.unwrap_or_else(|| panic!("{how}, {statement}: no abend; {}", outcome.output));
            assert_eq!(failure.interruption, Some(7), "{how}, {statement}: {}", failure.text());
        }
    }
}

/// A blank field of a map, and one that a terminal never sent.
const KEYS: &str = "01  G.\n    05  Z PIC 9(11).\n01  S REDEFINES G.\n    05  F PIC 9(5).\n    05  FR PIC 9(4)V99.\n01  X PIC X(11).
01  K PIC X(11) VALUE SPACES.\n01  N PIC 9(11).\n01  P PIC S9(11)V99 COMP-3.\n01  B PIC S9(9) COMP.\n01  E PIC Z(10)9.\n01  D COMP-2.
01  T.\n    05  TE PIC X OCCURS 3.";

#[test]
fn blank_items_compare_and_move_as_characters() {
    let procedure = "    MOVE SPACES TO G.
    IF Z = SPACES DISPLAY 'SPACES' END-IF.
    IF F = SPACE DISPLAY 'SPACE' END-IF.
    IF Z = LOW-VALUES OR Z = HIGH-VALUES OR Z = QUOTES DISPLAY 'NO' END-IF.
    IF Z > LOW-VALUES AND Z < HIGH-VALUES DISPLAY 'BETWEEN' END-IF.
    IF Z = K AND K = Z DISPLAY 'SAME AS K' END-IF.
    IF Z = '           ' AND Z NOT = '00000000000' DISPLAY 'SAME AS LITERAL' END-IF.
    IF Z = ALL ' ' DISPLAY 'ALL' END-IF.
    IF Z NOT NUMERIC DISPLAY 'NOT NUMERIC' END-IF.
    MOVE 'ABC' TO X.
    MOVE Z TO X.
    IF X = SPACES DISPLAY 'COPIED' END-IF.
    MOVE F TO X.
    IF X = SPACES DISPLAY 'COPIED' END-IF.
    MOVE LOW-VALUES TO G.
    IF Z = LOW-VALUES AND F = LOW-VALUES DISPLAY 'LOW' END-IF.
    IF Z = SPACES OR LOW-VALUES DISPLAY 'EITHER' END-IF.
    IF Z = SPACES DISPLAY 'NO' END-IF.
    MOVE Z TO X.
    IF X = LOW-VALUES DISPLAY 'COPIED' END-IF.
    MOVE HIGH-VALUES TO G.
    IF Z = HIGH-VALUES AND F = HIGH-VALUES DISPLAY 'HIGH' END-IF.
    MOVE Z TO X.
    IF X = HIGH-VALUES AND X = Z DISPLAY 'COPIED' END-IF.
    EVALUATE Z WHEN SPACES DISPLAY 'NO' WHEN HIGH-VALUES DISPLAY 'EVALUATED' END-EVALUATE.
    GOBACK.";
    let expected = [
        "SPACES",
        "SPACE",
        "BETWEEN",
        "SAME AS K",
        "SAME AS LITERAL",
        "ALL",
        "NOT NUMERIC",
        "COPIED",
        "COPIED",
        "LOW",
        "EITHER",
        "COPIED",
        "HIGH",
        "COPIED",
        "EVALUATED",
    ];
    displays("", KEYS, procedure, &expected);
    displays("INVDATA", KEYS, procedure, &expected);
    displays("ZONEDATA(MIG),NUMPROC(PFD)", KEYS, procedure, &expected);
}

#[test]
fn blank_items_are_zero_in_computations() {
    let procedure = "    MOVE SPACES TO G.
    IF Z = ZERO AND Z = 0 AND ZERO = Z AND Z < 1 AND F = 0 DISPLAY 'ZERO' END-IF.
    MOVE 0 TO N.
    IF Z = N AND F = N AND FR = N DISPLAY 'EQUAL' END-IF.
    IF Z IS ZERO AND NOT (Z IS POSITIVE) DISPLAY 'SIGN' END-IF.
    MOVE 7 TO P B.
    ADD Z F FR TO P.
    DISPLAY P.
    COMPUTE B = (Z + 3) * 2 - F.
    DISPLAY B.
    MOVE Z TO P.
    DISPLAY P.
    MOVE F TO B.
    DISPLAY B.
    MOVE Z TO E.
    DISPLAY E.
    MOVE 1 TO D.
    MOVE Z TO D.
    IF D = 0 DISPLAY 'FLOAT' END-IF.
    MOVE 'ABC' TO T.
    DISPLAY TE(F + 2).
    DISPLAY T(Z + 1:2).
    PERFORM F TIMES DISPLAY 'NO' END-PERFORM.
    ADD 1 TO F.
    DISPLAY F.
    MOVE SPACES TO G.
    ADD 12 TO Z.
    DISPLAY Z.
    MOVE LOW-VALUES TO G.
    SUBTRACT 1.5 FROM FR.
    DISPLAY FR.
    MOVE '  1 ' TO S(1:5).
    MULTIPLY F BY 3 GIVING F.
    DISPLAY F.
    GOBACK.";
    let expected = [
        "ZERO",
        "EQUAL",
        "SIGN",
        "0000000000700",
        "000000006",
        "0000000000000",
        "000000000",
        "          0",
        "FLOAT",
        "B",
        "AB",
        "00001",
        "00000000012",
        "000150",
        "00300",
    ];
    displays("", KEYS, procedure, &expected);
    displays("INVDATA(FORCENUMCMP)", KEYS, procedure, &expected);
    displays("INVDATA(FNC,NOCS)", KEYS, procedure, &expected);
}

#[test]
fn loops_count_from_blank_items() {
    let procedure = "    MOVE SPACES TO G.\n    MOVE 0 TO B.
    PERFORM 3 TIMES ADD 1 TO F ADD F TO B END-PERFORM.\n    DISPLAY F ' ' B.
    MOVE LOW-VALUES TO G.\n    PERFORM UNTIL F > 4 ADD 2 TO F END-PERFORM.\n    DISPLAY F.
    MOVE SPACES TO G.\n    PERFORM VARYING N FROM 1 BY 1 UNTIL N > 3\n        IF Z = SPACES ADD 1 TO B END-IF\n    END-PERFORM.
    DISPLAY B.\n    GOBACK.";
    displays("", KEYS, procedure, &["00003 000000006", "00006", "000000009"]);
}

const SIGNED: &str =
    "01  G.\n    05  Z PIC S9(5).\n    05  L PIC S9(5) SIGN LEADING.\n    05  P PIC S9(5) COMP-3.\n    05  U PIC 9(4) COMP-3.
01  R PIC S9(7) COMP-3 VALUE 1.\n01  B PIC S9(4) COMP.\n01  H PIC 9(5).\n01  X PIC X(5).";

#[test]
fn invalid_digits_and_missing_signs_are_data_exceptions() {
    for statement in ["ADD H TO R.", "COMPUTE B = H + 1.", "IF H > 5 DISPLAY 'NO' END-IF.", "MOVE H TO R.", "MOVE H TO B."] {
        interrupts("", SIGNED, &format!("MOVE HIGH-VALUES TO X. MOVE X TO H.\n    {statement}"));
        interrupts("INVDATA", SIGNED, &format!("MOVE HIGH-VALUES TO X. MOVE X TO H.\n    {statement}"));
    }
    for value in ["SPACES", "LOW-VALUES"] {
        for statement in ["ADD Z TO R.", "COMPUTE B = L + 1.", "IF Z > 5 DISPLAY 'NO' END-IF.", "MOVE Z TO R.", "MOVE L TO B."] {
            for options in ["", "INVDATA(NOCLEANSIGN)", "INVDATA(FORCENUMCMP,NOCLEANSIGN)"] {
                interrupts(options, SIGNED, &format!("MOVE {value} TO G.\n    {statement}"));
            }
        }
        for statement in ["ADD P TO R.", "IF P > 5 DISPLAY 'NO' END-IF.", "MOVE P TO B.", "ADD 1 TO U.", "MOVE U TO X."] {
            interrupts("", SIGNED, &format!("MOVE {value} TO G.\n    {statement}"));
        }
    }
    // CLEANSIGN makes a sign, not digits.
    interrupts("INVDATA", SIGNED, "MOVE HIGH-VALUES TO G.\n    ADD P TO R.");
    interrupts("INVDATA", SIGNED, "MOVE HIGH-VALUES TO G.\n    ADD Z TO R.");
}

#[test]
fn clean_sign_takes_a_missing_sign_as_plus() {
    let procedure = "    MOVE SPACES TO G.
    ADD Z L TO R.
    DISPLAY R.
    IF Z = 0 AND L = ZERO AND Z NOT > L DISPLAY 'ZERO' END-IF.
    COMPUTE B = Z + L + 12.
    DISPLAY B.
    MOVE Z TO R.
    DISPLAY R.
    ADD 3 TO Z.
    DISPLAY Z(1:4).
    MOVE LOW-VALUES TO G.
    ADD P U TO R.
    DISPLAY R.
    IF P = 0 AND U = P DISPLAY 'ZERO' END-IF.
    ADD 21 TO P.
    DISPLAY P.
    MOVE P TO B.
    DISPLAY B.
    SUBTRACT 22 FROM P.
    MOVE P TO H.
    DISPLAY H.
    IF P < 0 DISPLAY 'MINUS' END-IF.
    GOBACK.";
    let expected = ["0000001", "ZERO", "0012", "0000000", "0000", "0000000", "ZERO", "00021", "0021", "00001", "MINUS"];
    for options in ["INVDATA", "INVDATA(CLEANSIGN,FORCENUMCMP)", "ZONEDATA(NOPFD)", "ZONEDATA(MIG)"] {
        displays(options, SIGNED, procedure, &expected);
    }
}

/// The program of APAR PI31403: a blank within zoned digits.
#[test]
fn zones_count_in_comparisons_without_forcenumcmp() {
    let data = "01  VALUE0 PIC X(4) VALUE '00 0'.\n01  VALUE1 REDEFINES VALUE0 PIC 9(4).\n01  W PIC 9(4) VALUE 0.\n01  V PIC 9(5) VALUE 0.
01  A PIC S9(4) VALUE 0.";
    let procedure = "    IF VALUE1 = ZERO DISPLAY 'NUMBER' ELSE DISPLAY 'ZONES' END-IF.
    IF 0 = VALUE1 DISPLAY 'NUMBER' ELSE DISPLAY 'ZONES' END-IF.
    IF VALUE1 = W DISPLAY 'NUMBER' ELSE DISPLAY 'ZONES' END-IF.
    IF VALUE1 >= W DISPLAY 'NOT LESS' ELSE DISPLAY 'LESS' END-IF.
    IF VALUE1 = V AND VALUE1 = A AND VALUE1 < 1 DISPLAY 'NUMBER' END-IF.
    EVALUATE VALUE1 WHEN ZERO DISPLAY 'NUMBER' WHEN OTHER DISPLAY 'ZONES' END-EVALUATE.
    MOVE '0000' TO VALUE0.
    IF VALUE1 = ZERO AND VALUE1 = W DISPLAY 'VALID' END-IF.
    GOBACK.";
    // In both code pages a blank comes before a digit.
    let zones = ["ZONES", "ZONES", "ZONES", "LESS", "NUMBER", "ZONES", "VALID"];
    let numbers = ["NUMBER", "NUMBER", "NUMBER", "NOT LESS", "NUMBER", "NUMBER", "VALID"];
    for options in ["", "ZONEDATA(PFD)", "ZONEDATA(MIG)", "INVDATA(FORCENUMCMP,NOCLEANSIGN)", "OPTIMIZE(2)"] {
        displays(options, data, procedure, &numbers);
    }
    for options in ["INVDATA", "INVDATA(NOCLEANSIGN)", "ZONEDATA(NOPFD)", "ZONEDATA(NOPFD),NUMPROC(PFD)"] {
        displays(options, data, procedure, &zones);
    }
}

/// A byte whose low half is a digit; often one that is expected in such an item.
fn byte(random: &mut Random, ebcdic: bool) -> u8 {
    let digit = random.below(10) as u8;
    match random.below(6) {
        0 if ebcdic => 0x40,
        0 => 0x20,
        1 => 0,
        2 => (random.below(16) as u8 * 16) | digit,
        _ if ebcdic => 0xF0 | digit,
        _ => 0x30 | digit,
    }
}

/// Statements, and the lines that they display, worked out here.
#[derive(Default)]
struct Script {
    code: String,
    expected: Vec<String>,
}

impl Script {
    fn shows(&mut self, statement: String, shown: &str, line: String) {
        self.code += &format!("    {statement}\n    DISPLAY {shown}.\n");
        self.expected.push(line);
    }

    fn holds(&mut self, condition: String, held: bool) {
        let statement = format!("IF {condition} MOVE 'YES' TO A ELSE MOVE 'NO' TO A END-IF.");
        self.shows(statement, "A", if held { "YES" } else { "NO" }.to_string());
    }
}

/// An unsigned zoned item `Zn` over characters `Gn`, whatever their zones are.
struct Item {
    n: usize,
    bytes: Vec<u8>,
    decimals: usize,
    ebcdic: bool,
}

impl Item {
    fn any(n: usize, random: &mut Random, ebcdic: bool) -> Item {
        let length = 1 + random.below(18) as usize;
        let decimals = random.below(length.min(4) as u64 + 1) as usize;
        Item { n, bytes: (0..length).map(|_| byte(random, ebcdic)).collect(), decimals, ebcdic }
    }

    fn zone(&self) -> u8 {
        if self.ebcdic { 0xF0 } else { 0x30 }
    }

    fn space(&self) -> u8 {
        if self.ebcdic { 0x40 } else { 0x20 }
    }

    fn picture(&self) -> String {
        match (self.bytes.len() - self.decimals, self.decimals) {
            (integers, 0) => format!("9({integers})"),
            (0, decimals) => format!("V9({decimals})"),
            (integers, decimals) => format!("9({integers})V9({decimals})"),
        }
    }

    /// The digits, without regard to the decimal point.
    fn digits(&self) -> i128 {
        self.bytes.iter().fold(0, |value, byte| value * 10 + i128::from(byte & 15))
    }

    /// What the item is worth in P, in units of its last place.
    fn at_scale_5(&self) -> i128 {
        self.digits() * 10i128.pow(5 - self.decimals as u32)
    }

    /// The value of P when the comparisons begin.
    fn doubled(&self) -> i128 {
        2 * self.at_scale_5() + 100_000
    }

    fn moves(&self, random: &mut Random, script: &mut Script) {
        let n = self.n;
        if self.decimals == 0 {
            let width = 1 + random.below(20) as usize;
            let mut moved = self.bytes.clone();
            moved.resize(width.max(moved.len()), self.space());
            moved.truncate(width);
            script.shows(format!("MOVE Z{n} TO X(1:{width})."), &format!("FUNCTION HEX-OF(X(1:{width}))"), hex(&moved));
        }
        script.shows(format!("MOVE 0 TO P. ADD Z{n} TO P."), "P", format!("{:025}", self.at_scale_5()));
        script.shows(format!("MOVE Z{n} TO P."), "P", format!("{:025}", self.at_scale_5()));
        script.shows(format!("COMPUTE P = Z{n} * 2 + 1."), "P", format!("{:025}", self.doubled()));
        let integer = self.digits() / 10i128.pow(self.decimals as u32);
        script.shows(format!("MOVE Z{n} TO B."), "B", format!("{integer:018}"));
        script.shows(format!("MOVE Z{n} TO E."), "E '*'", format!("{integer:>18}*"));
    }

    /// To `Rn` of other places or the same: the same places take the bytes, others the digits, or with INVDATA the bytes.
    fn move_to_zoned(&self, places: usize, alike: bool, zones_kept: bool, script: &mut Script) {
        let n = self.n;
        let source = if alike { &self.bytes[..] } else { &self.bytes[..self.bytes.len() - self.decimals] };
        let byte_of = |at: usize| source.len().checked_sub(places - at).map_or(self.zone(), |at| source[at]);
        let mut moved: Vec<u8> = (0..places).map(byte_of).collect();
        if !alike && !zones_kept {
            moved.iter_mut().for_each(|byte| *byte = *byte & 15 | self.zone());
        }
        moved[places - 1] = moved[places - 1] & 15 | self.zone();
        script.shows(format!("MOVE Z{n} TO R{n}."), &format!("FUNCTION HEX-OF(R{n})"), hex(&moved));
    }

    /// With characters by bytes, with numbers by value.
    fn comparisons(&self, random: &mut Random, script: &mut Script) {
        let (n, bytes) = (self.n, &self.bytes);
        let filler = [self.space(), 0, 0xFF][random.below(3) as usize];
        let word = match filler {
            0 => "LOW-VALUES",
            0xFF => "HIGH-VALUES",
            _ => "SPACES",
        };
        let other: Vec<u8> = bytes.iter().map(|own| if random.below(3) == 0 { byte(random, self.ebcdic) } else { *own }).collect();
        let filled = vec![filler; bytes.len()];
        if self.decimals == 0 {
            script.holds(format!("Z{n} = {word}"), *bytes == filled);
            script.holds(format!("Z{n} < {word}"), *bytes < filled);
            script.holds(format!("X'{}' > Z{n}", hex(&other)), other > *bytes);
            script.holds(format!("Z{n} = X'{}'", hex(&other)), other == *bytes);
            script.holds(format!("G{n} = Z{n}"), true);
        }
        script.holds(format!("Z{n} = 0"), self.digits() == 0);
        script.holds(format!("Z{n} > 5.5"), self.at_scale_5() > 550_000);
        script.holds(format!("Z{n} < P"), self.at_scale_5() < self.doubled());
        script.holds(format!("Z{n} NUMERIC"), bytes.iter().all(|byte| byte & 0xF0 == self.zone()));
    }

    /// One more in the last place, where it stays in the item.
    fn addition(&self, script: &mut Script) {
        let (n, length, sum) = (self.n, self.bytes.len(), self.digits() + 1);
        if sum < 10i128.pow(length as u32) {
            let after: Vec<u8> = format!("{sum:0length$}").bytes().map(|digit| digit & 15 | self.zone()).collect();
            let step = format!("{:.*}", self.decimals, 0.1f64.powi(self.decimals as i32));
            script.shows(format!("ADD {step} TO Z{n}."), &format!("FUNCTION HEX-OF(Z{n})"), hex(&after));
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The data of one item, and what a program says of it.
fn check(n: usize, random: &mut Random, ebcdic: bool, zones_kept: bool) -> (String, Script) {
    let item = Item::any(n, random, ebcdic);
    let (length, picture) = (item.bytes.len(), item.picture());
    let same = random.below(2) == 0;
    let places = if same { length } else { 1 + random.below(18) as usize };
    let alike = same || (places == length && item.decimals == 0);
    let receiver = if alike { picture.clone() } else { format!("9({places})") };
    let mut script = Script::default();
    item.moves(random, &mut script);
    item.move_to_zoned(places, alike, zones_kept, &mut script);
    item.comparisons(random, &mut script);
    item.addition(&mut script);
    let value = hex(&item.bytes);
    (format!("01  G{n} PIC X({length}) VALUE X'{value}'.\n01  Z{n} REDEFINES G{n} PIC {picture}.\n01  R{n} PIC {receiver}.\n"), script)
}

/// Random bytes in unsigned items: code in line, the run time's routines and the model of this file agree.
#[test]
fn inline_and_library_code_agree_on_invalid_unsigned_items() {
    const CHECKS: usize = 40;
    let common = "01  P PIC S9(20)V9(5) COMP-3.\n01  B PIC S9(18) COMP.\n01  E PIC Z(17)9.\n01  X PIC X(20).\n01  A PIC X(3).\n";
    let mut random = Random::new(20_261_123);
    for (ccsid, options) in [(EBCDIC, ""), (ASCII, ""), (EBCDIC, "INVDATA(FORCENUMCMP)"), (ASCII, "INVDATA(FNC,NOCS)")] {
        for _ in 0..3 {
            let zones_kept = !options.is_empty();
            let checks: Vec<_> = (0..CHECKS).map(|number| check(number, &mut random, ccsid == EBCDIC, zones_kept)).collect();
            let data = checks.iter().fold(common.to_string(), |all, (data, _)| all + data);
            let procedure = checks.iter().fold(String::new(), |all, (_, script)| all + &script.code) + "    GOBACK.";
            let expected: Vec<&String> = checks.iter().flat_map(|(_, script)| &script.expected).collect();
            let statements: Vec<&str> = procedure.lines().step_by(2).collect();
            let options = format!("ARITH(EXTEND),{options}");
            for (how, outcome) in outcomes(&options, &data, &procedure, ccsid) {
                let failure = outcome.failure.map(|failure| failure.text());
                assert_eq!(failure, None, "{how}\n{data}{}", statements[outcome.output.lines().count().min(statements.len() - 1)]);
                for ((line, expected), statement) in outcome.output.lines().zip(&expected).zip(&statements) {
                    assert_eq!(line.trim_end(), expected.trim_end(), "{how}: {statement}\n{data}");
                }
                assert_eq!(outcome.output.lines().count(), expected.len(), "{how}");
            }
        }
    }
}
