//! MOVE between all pairs of categories, and numeric editing.

use super::check::{Check, Shown};
use super::item::Shape;
use testing::Random;

const EDITED: [(&str, u32); 30] = [
    ("ZZZ,ZZ9.99-", 11),
    ("$$$,$$9.99CR", 12),
    ("***,**9", 7),
    ("+++,++9.9", 9),
    ("---,---,--9.99", 14),
    ("Z(5)", 5),
    ("Z(3).ZZ", 6),
    ("9(5).99", 8),
    ("99/99/99", 8),
    ("9(3)B9(3)", 7),
    ("ZZ,ZZZ.ZZDB", 11),
    ("-9(6).9", 9),
    ("9(6)-", 7),
    ("+Z(6)9.99", 11),
    ("$Z(4)9.99-", 10),
    ("$*(5).99", 9),
    ("B9B9B9", 6),
    ("9(4)0", 5),
    ("99,999,999", 10),
    ("$(7).99", 10),
    ("+(6)", 6),
    ("-(5)9", 6),
    ("*(6).**", 9),
    ("ZZ9.9(4)+", 9),
    ("Z9,9(3)CR", 8),
    ("$$,$$$.$$", 9),
    ("+$$,$$9.99", 10),
    ("ZZZBZZ9", 7),
    ("9", 1),
    ("Z", 1),
];

fn word(random: &mut Random, length: usize) -> String {
    (0..length).map(|_| random.pick(&['A', 'B', 'C', ' ', 'X', '1', '2', 'z'])).collect()
}

pub fn editing(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("editing");
    let (picture, length) = random.pick(&EDITED);
    let shape = Shape::random(random, digits_max.min(18));
    let value = shape.value(random);
    let from = check.item(number, &shape, value);
    let blank = if !picture.contains('*') && random.one_in(6) { " BLANK WHEN ZERO" } else { "" };
    let to = check.text(number, &format!("PIC {picture}{blank}"), length);
    check.facts.push(picture);
    if picture == "9" {
        // The last digit before the decimal point. GnuCOBOL may take one behind it.
        let digit = value.unsigned_abs() / 10u128.pow(shape.scale) % 10;
        let digit = if digit == 0 && !blank.is_empty() { " ".to_string() } else { digit.to_string() };
        check.expected = Some(vec![format!("[{digit}]")]);
    }
    check.code.push(format!("MOVE {from} TO {to}"));
    check
}

/// A sending item of any category.
fn source(check: &mut Check, random: &mut Random, number: usize, digits_max: u32) -> String {
    let name = format!("S{number}-{}", check.data.len());
    let length = 1 + random.index(12);
    match random.index(9) {
        0 => {
            let text = word(random, length);
            check.data.push(format!("01 {name} PIC X({length}) VALUE '{text}'."));
            check.fact("from-text");
        }
        1 => {
            let digits: String = (0..length).map(|_| random.pick(&['0', '1', '5', '9'])).collect();
            check.data.push(format!("01 {name} PIC X({length}) VALUE '{digits}'."));
            check.fact("from-digits");
        }
        2 => {
            let text: String = (0..length).map(|_| random.pick(&['A', 'Q', ' ', 'Z'])).collect();
            check.data.push(format!("01 {name} PIC A({length}) VALUE '{text}'."));
            check.fact("from-text");
        }
        3 => {
            let digits: String = (0..length).map(|_| random.pick(&['0', '1', '5', '9'])).collect();
            check.fact("from-group");
            check.fact("code-page");
            check.data.push(format!("01 {name}."));
            check.data.push(format!("05 FILLER PIC X({length}) VALUE '{digits}'."));
        }
        4 => {
            let (picture, _) = random.pick(&EDITED[..14]);
            let shape = Shape::random(random, digits_max.min(18));
            let value = check.number(random, number, &shape);
            check.fact("from-edited");
            check.data.push(format!("01 {name} PIC {picture}."));
            check.code.push(format!("MOVE {value} TO {name}"));
        }
        5 => {
            check.fact("from-literal");
            return match random.index(8) {
                0 => "ZERO".into(),
                1 => "SPACES".into(),
                2 => "ALL '12'".into(),
                3 => "'00123'".into(),
                4 => "12.50".into(),
                5 => "-7".into(),
                6 => "'AB'".into(),
                _ => "123456789012345".into(),
            };
        }
        _ => {
            check.fact("from-number");
            let shape = Shape::random(random, digits_max);
            if shape.scale > 0 {
                check.fact("from-decimals");
            }
            return check.number(random, number, &shape);
        }
    }
    name
}

pub fn movement(random: &mut Random, number: usize, digits_max: u32) -> Check {
    let mut check = Check::new("move");
    let from = source(&mut check, random, number, digits_max);
    let text = check.has("from-text") || matches!(from.as_str(), "SPACES" | "'AB'");
    let length = 1 + random.index(14) as u32;
    let choice = random.index(9);
    // Letters to a numeric item have no defined result.
    let choice = if text && choice > 4 { choice - 5 } else { choice };
    let choice = if check.has("from-decimals") && choice <= 4 { 6 } else { choice };
    // Binary and packed bytes are no characters to compare.
    let choice = if check.has("from-number") && choice == 4 { 0 } else { choice };
    // ALL literal of several characters is for receivers of characters.
    let choice = if from.starts_with("ALL") && choice > 4 { 0 } else { choice };
    let from_group = check.has("from-group");
    let to = match choice {
        0 | 1 => check.text(number, &format!("PIC X({length}) VALUE ALL '?'"), length),
        2 => check.text(number, &format!("PIC X({length}) JUSTIFIED RIGHT"), length),
        3 => {
            check.fact("to-alphabetic");
            check.text(number, &format!("PIC X(3)BX(3)/X(2)0X({length})"), length + 11)
        }
        4 => {
            let name = format!("G{number}-{}", check.data.len());
            check.fact("code-page");
            check.data.push(format!("01 {name}."));
            check.data.push(format!("05 FILLER PIC X({length})."));
            check.results.push((name.clone(), length, super::check::Shown::Text));
            name
        }
        5 => {
            check.fact("to-edited");
            let (picture, length) = random.pick(&EDITED);
            check.text(number, &format!("PIC {picture}"), length)
        }
        _ => {
            check.fact("to-number");
            let shape = Shape::random(random, digits_max);
            let name = check.target(random, number, &shape);
            // Bytes moved as they are have the same order everywhere.
            if let Some(last) = check.results.last_mut().filter(|last| last.2 == Shown::Native && from_group) {
                last.2 = Shown::Bytes;
            }
            name
        }
    };
    check.code.push(format!("MOVE {from} TO {to}"));
    check
}
