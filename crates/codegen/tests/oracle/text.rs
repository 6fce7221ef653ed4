//! STRING, UNSTRING, INSPECT and alphanumeric comparison.

use super::check::Check;
use super::item::{Shape, Usage};
use testing::Random;

/// Words of a small alphabet, so that delimiters occur.
fn word(random: &mut Random, length: usize) -> String {
    (0..length).map(|_| random.pick(&['A', 'B', 'A', ',', ' ', ';', 'C', '*'])).collect()
}

fn item(check: &mut Check, random: &mut Random, number: usize, length: usize) -> String {
    let name = format!("S{number}-{}", check.data.len());
    let text = word(random, length);
    check.data.push(format!("01 {name} PIC X({length}) VALUE '{text}'."));
    name
}

fn counter(check: &mut Check, random: &mut Random, number: usize, value: usize) -> String {
    let usage = random.pick(&[Usage::Binary, Usage::Packed, Usage::Display]);
    let shape = Shape { usage, digits: 4, scale: 0, signed: usage != Usage::Display };
    let name = check.target(random, number, &shape);
    check.code.push(format!("MOVE {value} TO {name}"));
    name
}

fn overflow(check: &mut Check, random: &mut Random, number: usize, verb: &str) -> String {
    if random.one_in(3) {
        return String::new();
    }
    let flag = check.flag(number);
    format!(" ON OVERFLOW MOVE 'V' TO {flag} NOT ON OVERFLOW MOVE 'O' TO {flag} END-{verb}")
}

pub fn string(random: &mut Random, number: usize, _digits_max: u32) -> Check {
    let mut check = Check::new("string");
    let mut statement = String::from("STRING");
    for _ in 0..1 + random.index(4) {
        let length = 1 + random.index(10);
        let from = item(&mut check, random, number, length);
        let by = random.pick(&["SIZE", "SPACE", "','", "'AB'", "';'", "ALL-X"]);
        if by == "ALL-X" {
            let length = 1 + random.index(2);
            let delimiter = item(&mut check, random, number, length);
            statement.push_str(&format!(" {from} DELIMITED BY {delimiter}"));
        } else {
            statement.push_str(&format!(" {from} DELIMITED BY {by}"));
        }
    }
    let length = 4 + random.index(24) as u32;
    let into = check.text(number, &format!("PIC X({length}) VALUE ALL '.'"), length);
    statement.push_str(&format!(" INTO {into}"));
    if random.one_in(2) {
        let start = if random.one_in(8) { 0 } else { 1 + random.index(length as usize + 1) };
        let pointer = counter(&mut check, random, number, start);
        statement.push_str(&format!(" WITH POINTER {pointer}"));
    }
    statement.push_str(&overflow(&mut check, random, number, "STRING"));
    check.code.push(statement);
    check
}

pub fn unstring(random: &mut Random, number: usize, _digits_max: u32) -> Check {
    let mut check = Check::new("unstring");
    let length = 5 + random.index(25);
    let from = item(&mut check, random, number, length);
    let mut statement = format!("UNSTRING {from}");
    let delimiters = random.index(3);
    for at in 0..delimiters {
        let word = if at == 0 { "DELIMITED BY" } else { "OR" };
        let all = if random.one_in(3) { " ALL" } else { "" };
        let by = random.pick(&["','", "SPACE", "';'", "'*A'", "'AB'"]);
        statement.push_str(&format!(" {word}{all} {by}"));
    }
    statement.push_str(" INTO");
    for _ in 0..1 + random.index(4) {
        let length = 1 + random.index(8) as u32;
        let justified = if random.one_in(4) { " JUSTIFIED RIGHT" } else { "" };
        let into = check.text(number, &format!("PIC X({length}){justified}"), length);
        check.code.push(format!("MOVE ALL '.' TO {into}"));
        statement.push_str(&format!(" {into}"));
        if delimiters > 0 && random.one_in(3) {
            let delimiter = check.text(number, "PIC X(2) VALUE '..'", 2);
            statement.push_str(&format!(" DELIMITER IN {delimiter}"));
        }
        if delimiters > 0 && random.one_in(3) {
            let count = counter(&mut check, random, number, 77);
            statement.push_str(&format!(" COUNT IN {count}"));
        }
    }
    if random.one_in(2) {
        let start = if random.one_in(8) { 0 } else { 1 + random.index(length + 1) };
        let pointer = counter(&mut check, random, number, start);
        statement.push_str(&format!(" WITH POINTER {pointer}"));
    }
    if random.one_in(2) {
        let tally = counter(&mut check, random, number, 3);
        statement.push_str(&format!(" TALLYING IN {tally}"));
    }
    statement.push_str(&overflow(&mut check, random, number, "UNSTRING"));
    check.code.push(statement);
    check
}

fn region(random: &mut Random) -> String {
    match random.index(6) {
        0 => " BEFORE INITIAL 'C'".into(),
        1 => " AFTER INITIAL ','".into(),
        2 => " AFTER INITIAL 'B' BEFORE INITIAL ';'".into(),
        _ => String::new(),
    }
}

pub fn inspect(random: &mut Random, number: usize, _digits_max: u32) -> Check {
    let mut check = Check::new("inspect");
    let length = 4 + random.index(40) as u32;
    let text = word(random, length as usize);
    let name = check.text(number, &format!("PIC X({length}) VALUE '{text}'"), length);
    match random.index(4) {
        0 => {
            let tally = counter(&mut check, random, number, 0);
            let mut statement = format!("INSPECT {name} TALLYING {tally}");
            let kind = random.pick(&["FOR CHARACTERS", "FOR ALL 'A'", "FOR ALL 'AB'", "FOR LEADING 'A'", "FOR ALL ' '"]);
            statement.push_str(&format!(" {kind}{}", region(random)));
            if random.one_in(2) && kind != "FOR CHARACTERS" {
                let second = counter(&mut check, random, number, 5);
                statement.push_str(&format!(" {second} FOR {}{}", random.pick(&["ALL 'B'", "LEADING 'B'"]), region(random)));
            }
            check.code.push(statement);
        }
        1 => {
            let kind = random.pick(&["CHARACTERS BY '#'", "ALL 'A' BY 'x'", "ALL 'AB' BY 'xy'", "LEADING 'A' BY '-'", "FIRST 'B' BY '1'"]);
            let mut statement = format!("INSPECT {name} REPLACING {kind}{}", region(random));
            if random.one_in(2) && !kind.starts_with("CHAR") {
                statement.push_str(&format!(" {}{}", random.pick(&["ALL ',' BY '|'", "FIRST 'A' BY '2'"]), region(random)));
            }
            check.code.push(statement);
        }
        2 => {
            let tally = counter(&mut check, random, number, 0);
            check.code.push(format!("INSPECT {name} TALLYING {tally} FOR ALL 'A' REPLACING ALL 'A' BY 'q' ALL SPACE BY '_'"));
        }
        _ => check.code.push(format!("INSPECT {name} CONVERTING 'ABC,' TO 'abc.'{}", region(random))),
    }
    check
}

pub fn comparison(random: &mut Random, number: usize, _digits_max: u32) -> Check {
    let mut check = Check::new("text comparison");
    let length = 1 + random.index(20);
    let other = 1 + random.index(20);
    let alphabet = ['A', 'B', ' '];
    let text: String = (0..length).map(|_| random.pick(&alphabet)).collect();
    let mut second: String = (0..other).map(|_| random.pick(&alphabet)).collect();
    if random.one_in(2) {
        second = text.chars().chain(std::iter::repeat(' ')).take(other).collect();
    }
    let (a, b) = (format!("S{number}-A"), format!("S{number}-B"));
    check.data.push(format!("01 {a} PIC X({length}) VALUE '{text}'."));
    check.data.push(format!("01 {b} PIC X({other}) VALUE '{second}'."));
    let b = if random.one_in(3) { format!("'{second}'") } else { b };
    let flag = check.text(number, "PIC X(5) VALUE SPACES", 5);
    for (at, relation) in ["<", "=", ">", "NOT <", "NOT ="].iter().enumerate() {
        check.code.push(format!("IF {a} {relation} {b} MOVE 'Y' TO {flag}({}:1) END-IF", at + 1));
    }
    check
}
