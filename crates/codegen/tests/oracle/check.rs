//! One check: its data, its statements and its output; and the programs composed of many checks.

use super::item::{Shape, Usage, literal};
use testing::Random;

/// How a result is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// Bytes, the same in every code page.
    Bytes,
    /// Bytes of a zoned item: zones differ between code pages.
    Zoned,
    /// Bytes of a COMP-5 item: the peer has them in the machine's order.
    Native,
    /// Characters.
    Text,
}

#[derive(Clone, Debug)]
pub struct Check {
    pub kind: &'static str,
    /// Data entries, without level 01's of the work area.
    pub data: Vec<String>,
    pub code: Vec<String>,
    /// Results: data name, bytes, how to compare.
    pub results: Vec<(String, u32, Shown)>,
    /// What the rules of known differences look at.
    pub facts: Vec<&'static str>,
    /// What exact arithmetic gives, where it says everything.
    pub expected: Option<Vec<String>>,
}

impl Check {
    pub fn new(kind: &'static str) -> Check {
        Check { kind, data: Vec::new(), code: Vec::new(), results: Vec::new(), facts: Vec::new(), expected: None }
    }

    pub fn fact(&mut self, fact: &'static str) {
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    pub fn has(&self, fact: &str) -> bool {
        self.facts.contains(&fact)
    }

    /// A numeric item with a value; its name.
    pub fn number(&mut self, random: &mut Random, number: usize, shape: &Shape) -> String {
        let value = shape.value(random);
        self.item(number, shape, value)
    }

    pub fn item(&mut self, number: usize, shape: &Shape, value: i128) -> String {
        let name = format!("N{number}-{}", self.data.len());
        self.data.push(format!("01 {name} {} VALUE {}.", shape.picture(), literal(value, shape.scale)));
        name
    }

    /// A receiving numeric item whose bytes are shown.
    pub fn target(&mut self, random: &mut Random, number: usize, shape: &Shape) -> String {
        let value = shape.value(random);
        self.target_with(number, shape, value)
    }

    pub fn target_with(&mut self, number: usize, shape: &Shape, value: i128) -> String {
        let name = format!("R{number}-{}", self.data.len());
        self.data.push(format!("01 G{name}."));
        self.data.push(format!("05 {name} {} VALUE {}.", shape.picture(), literal(value, shape.scale)));
        let shown = match shape.usage {
            Usage::Native => Shown::Native,
            _ if shape.is_zoned() => Shown::Zoned,
            _ => Shown::Bytes,
        };
        self.results.push((format!("G{name}"), shape.bytes(), shown));
        name
    }

    /// A receiving item of characters.
    pub fn text(&mut self, number: usize, picture: &str, length: u32) -> String {
        let name = format!("X{number}-{}", self.data.len());
        self.data.push(format!("01 {name} {picture}."));
        self.results.push((name.clone(), length, Shown::Text));
        name
    }

    /// A one-character result that statements set.
    pub fn flag(&mut self, number: usize) -> String {
        self.text(number, "PIC X VALUE 'N'", 1)
    }
}

/// Split at blanks so that no line passes column 72.
fn lines(text: &str, first: &str) -> String {
    let mut out = String::new();
    let mut line = String::from(first);
    for word in words(text) {
        if line.trim_end().len() + 1 + word.len() > 71 && line.trim() != "" {
            out.push_str(line.trim_end());
            out.push('\n');
            line = String::from("               ");
        }
        if !line.ends_with(' ') {
            line.push(' ');
        }
        line.push_str(&word);
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

/// Words; a literal stays whole.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for character in text.chars() {
        quoted ^= character == '\'';
        if character == ' ' && !quoted {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else {
            word.push(character);
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

const WORK: &str = "01 HX-IN PIC X(64).
01 HX-OUT PIC X(128).
01 HX-LEN PIC 9(4) COMP.
01 HX-I PIC 9(4) COMP.
01 HX-Q PIC 9(4) COMP.
01 HX-R PIC 9(4) COMP.
01 HX-PAIR.
05 HX-HIGH PIC X VALUE LOW-VALUE.
05 HX-LOW PIC X.
01 HX-NUMBER REDEFINES HX-PAIR PIC 9(4) COMP-5.
01 HX-BIG REDEFINES HX-PAIR PIC 9(4) COMP.
01 HX-DIGITS PIC X(16) VALUE '0123456789ABCDEF'.";

const SHOW: &str = "PERFORM VARYING HX-I FROM 1 BY 1 UNTIL HX-I > HX-LEN
MOVE HX-IN(HX-I:1) TO HX-LOW
DIVIDE HX-BIG BY 16 GIVING HX-Q REMAINDER HX-R
MOVE HX-DIGITS(HX-Q + 1:1) TO HX-OUT(2 * HX-I - 1:1)
MOVE HX-DIGITS(HX-R + 1:1) TO HX-OUT(2 * HX-I:1)
END-PERFORM.";

/// A program of these checks; each line of its output begins with the check's number.
pub fn program(name: &str, checks: &[Check]) -> String {
    let mut source =
        format!("       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n");
    for entry in WORK.lines().chain(checks.iter().flat_map(|check| check.data.iter().map(String::as_str))) {
        let margin = if entry.starts_with("01") { "       " } else { "           " };
        source.push_str(&lines(entry, margin));
    }
    source.push_str("       PROCEDURE DIVISION.\n       MAIN-PARA.\n");
    for number in 0..checks.len() {
        source.push_str(&format!("           PERFORM C{number}.\n"));
    }
    source.push_str("           STOP RUN.\n");
    for (number, check) in checks.iter().enumerate() {
        source.push_str(&format!("       C{number}.\n"));
        for statement in &check.code {
            source.push_str(&lines(statement, "           "));
        }
        for (name, length, shown) in &check.results {
            if *shown == Shown::Text {
                source.push_str(&lines(&format!("DISPLAY '{number} [' {name} ']'"), "           "));
                continue;
            }
            source.push_str(&lines(&format!("MOVE {name} TO HX-IN MOVE {length} TO HX-LEN PERFORM SHOW"), "           "));
            source.push_str(&lines(&format!("DISPLAY '{number} ' HX-OUT(1:{})", 2 * length), "           "));
        }
        source.push_str("           .\n");
    }
    source.push_str("       SHOW.\n");
    for line in SHOW.lines() {
        source.push_str(&lines(line, "           "));
    }
    source
}

/// Whose output it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Ascii,
    Ebcdic,
    Peer,
}

/// Bytes from the last to the first.
fn reversed(hex: &str) -> String {
    let hex = hex.trim();
    (0..hex.len() / 2).rev().map(|at| &hex[2 * at..2 * at + 2]).collect()
}

/// Results by check, from a program's output.
pub fn results(output: &str, checks: &[Check], form: Form) -> Vec<Vec<String>> {
    let mut results: Vec<Vec<String>> = vec![Vec::new(); checks.len()];
    for line in output.lines() {
        let Some((number, result)) = line.split_once(' ') else { continue };
        let Some(number) = number.parse::<usize>().ok().filter(|number| *number < checks.len()) else { continue };
        let shown = checks[number].results.get(results[number].len()).map(|result| result.2);
        results[number].push(match (form, shown) {
            (Form::Ebcdic, Some(Shown::Zoned)) => ascii_zones(result),
            (Form::Peer, Some(Shown::Native)) => reversed(result),
            _ => result.to_string(),
        });
    }
    results
}

/// Hexadecimal digits of an EBCDIC zoned item as an ASCII one has them.
fn ascii_zones(hex: &str) -> String {
    let pairs: Vec<&str> = (0..hex.trim().len() / 2).map(|at| &hex[2 * at..2 * at + 2]).collect();
    let translated = pairs.iter().map(|pair| match (&pair[..1], &pair[1..]) {
        _ if *pair == "4E" => "2B".to_string(),
        _ if *pair == "60" => "2D".to_string(),
        ("F" | "C", digit) => format!("3{digit}"),
        ("D", digit) => format!("7{digit}"),
        _ => format!("?{pair}"),
    });
    translated.collect()
}
