//! The data items of a case: the standard ones that it names, those that it declares, and how each is shown.

use std::collections::HashMap;

/// How `show` prints an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// Digits behind the decimal point.
    Number(usize),
    Float,
    /// All characters, in brackets.
    Text,
    /// The group's length and text, in brackets.
    Varying {
        length: String,
        text: String,
    },
}

/// The text of a dynamic statement.
const STATEMENT: &str = "01 STMT.
   49 STMT-LEN PIC S9(4) COMP.
   49 STMT-TEXT PIC X(2000).";

/// An SQLDA with ten entries.
const DESCRIPTOR: &str = "01 MYDA.
   02 MYDA-ID PIC X(8) VALUE 'SQLDA'.
   02 MYDA-BC PIC S9(9) COMP VALUE 456.
   02 MYDA-N PIC S9(4) COMP VALUE 10.
   02 MYDA-D PIC S9(4) COMP VALUE 0.
   02 MYDA-VAR OCCURS 10 TIMES.
      03 DA-TYPE PIC S9(4) COMP.
      03 DA-LEN PIC S9(4) COMP.
      03 DA-DATA POINTER.
      03 DA-IND POINTER.
      03 DA-NAME.
         49 DA-NAMEL PIC S9(4) COMP.
         49 DA-NAMEC PIC X(30).";

/// Declarations of the items that every case may use without declaring them.
fn standard(name: &str) -> Option<Vec<String>> {
    let lines = |text: &str| Some(text.lines().map(str::to_string).collect());
    match name {
        "STMT" => return lines(STATEMENT),
        "MYDA" => return lines(DESCRIPTOR),
        _ => {}
    }
    let (kind, number) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    if number.len() != 1 {
        return None;
    }
    let clause = match kind {
        "H" | "N" => "PIC S9(4) COMP",
        "I" => "PIC S9(9) COMP",
        "B" => "PIC S9(18) COMP",
        "D" => "PIC S9(7)V9(2) COMP-3",
        "Q" => "PIC S9(11)V9(4) COMP-3",
        "R" => "COMP-1",
        "F" => "COMP-2",
        "C" => "PIC X(10)",
        "L" => "PIC X(200)",
        "TM" => "PIC X(8)",
        "TS" => "PIC X(26)",
        "V" => {
            return Some(vec![format!("01 {name}."), format!("   49 {name}-LEN PIC S9(4) COMP."), format!("   49 {name}-TEXT PIC X(40).")]);
        }
        _ => return None,
    };
    Some(vec![format!("01 {name} {clause}.")])
}

/// Names that occur in a text.
pub fn words(text: &str) -> Vec<String> {
    let split = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    split.filter(|word| !word.is_empty()).map(str::to_uppercase).collect()
}

/// The standard items among `names`, unless the case declares them itself.
pub fn declarations(names: &[String], own: &HashMap<String, Shown>) -> Vec<String> {
    let mut found: Vec<&str> = names.iter().map(|name| name.strip_suffix("-LEN").or(name.strip_suffix("-TEXT")).unwrap_or(name)).collect();
    found.sort_unstable();
    found.dedup();
    found.iter().filter(|name| !own.contains_key(**name)).filter_map(|name| standard(name)).flatten().collect()
}

/// How the items that `lines` declare are shown.
pub fn declared(lines: &[String]) -> HashMap<String, Shown> {
    let mut items = HashMap::new();
    let mut group: Option<(String, Vec<String>)> = None;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [level, name, ..] = words[..] else { continue };
        let name = name.trim_end_matches('.').to_string();
        if !level.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        match (level, &mut group) {
            ("49", Some((owner, parts))) => {
                parts.push(name.clone());
                if let [length, text] = &parts[..] {
                    items.insert(owner.clone(), Shown::Varying { length: length.clone(), text: text.clone() });
                }
            }
            _ => group = Some((name.clone(), Vec::new())),
        }
        if let Some(shown) = shown(&line.to_uppercase()) {
            items.insert(name, shown);
        }
    }
    items
}

fn shown(declaration: &str) -> Option<Shown> {
    let words: Vec<&str> = declaration.trim_end_matches('.').split_whitespace().collect();
    if words.contains(&"COMP-1") || words.contains(&"COMP-2") {
        return Some(Shown::Float);
    }
    let at = words.iter().position(|word| matches!(*word, "PIC" | "PICTURE"))?;
    let picture = words.get(at + 1)?;
    if picture.starts_with('X') || picture.starts_with('N') || picture.starts_with('G') {
        return Some(Shown::Text);
    }
    let decimals = picture.split_once('V').map_or("", |(_, decimals)| decimals);
    let places = match decimals.strip_prefix("9(").and_then(|rest| rest.strip_suffix(')')) {
        Some(count) => count.parse().ok()?,
        None => decimals.len(),
    };
    Some(Shown::Number(places))
}
