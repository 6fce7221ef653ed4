//! The order of strings in a locale, and weights whose byte order is the same.

use crate::code_page::{CCSID_819, CodePage};
use std::cmp::Ordering;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collation {
    /// By the bytes of the code page.
    CodePage,
    /// By the characters' place in ASCII.
    Ascii,
    /// Letters without regard to accents and case first, then accents, then lower case before upper case. What is no letter or digit comes
    /// before them.
    Letters,
}

/// Between the levels of weights.
const LEVEL: u8 = 1;
/// Weights of the first level: punctuation keeps its order, then digits, then letters.
const DIGITS_FROM: u8 = 160;
const LETTERS_FROM: u8 = 180;
const BEHIND_LETTERS: u8 = 220;

pub fn compare(first: &[u8], second: &[u8], collation: Collation, page: &CodePage) -> Ordering {
    weights(first, collation, page).cmp(&weights(second, collation, page))
}

pub fn weights(text: &[u8], collation: Collation, page: &CodePage) -> Vec<u8> {
    match collation {
        Collation::CodePage => text.to_vec(),
        Collation::Ascii => text.iter().map(|byte| CCSID_819.byte_of(page.character_of(*byte)).unwrap_or(u8::MAX)).collect(),
        Collation::Letters => {
            let characters: Vec<char> = text.iter().map(|byte| page.character_of(*byte)).collect();
            let bases: Vec<(char, u8)> = characters.iter().flat_map(|character| base(*character)).collect();
            let mut weights: Vec<u8> = bases.iter().map(|(base, _)| primary(*base)).collect();
            weights.push(LEVEL);
            weights.extend(bases.iter().map(|(_, accent)| accent + LEVEL + 1));
            weights.push(LEVEL);
            weights.extend(characters.iter().map(|character| if character.is_uppercase() { LEVEL + 2 } else { LEVEL + 1 }));
            weights
        }
    }
}

fn primary(base: char) -> u8 {
    match base {
        '0'..='9' => DIGITS_FROM + (base as u8 - b'0'),
        'a'..='z' => LETTERS_FROM + (base as u8 - b'a'),
        // Other letters of Latin-1, such as thorn.
        other if other.is_alphabetic() => BEHIND_LETTERS + (other as u32 % 32) as u8,
        other => LEVEL + 1 + (other as u32).min(u32::from(DIGITS_FROM - LEVEL - 2)) as u8,
    }
}

/// Letters of Latin-1 by their base letter; the place in the row says the accent.
const ACCENTS: [(char, &str); 8] =
    [('a', "àáâãäå"), ('c', "ç"), ('e', "èéêë"), ('i', "ìíîï"), ('n', "ñ"), ('o', "òóôõöø"), ('u', "ùúûü"), ('y', "ýÿ")];

/// A character as base letters with their accents.
fn base(character: char) -> Vec<(char, u8)> {
    let lower = character.to_lowercase().next().unwrap_or(character);
    match lower {
        'ß' => return vec![('s', 1), ('s', 1)],
        'æ' => return vec![('a', 7), ('e', 7)],
        _ => {}
    }
    let accented =
        ACCENTS.iter().find_map(|(base, row)| row.chars().position(|accented| accented == lower).map(|at| (*base, at as u8 + 1)));
    vec![accented.unwrap_or((lower, 0))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_page::CCSID_037;

    fn order(first: &str, second: &str, collation: Collation) -> Ordering {
        let page = &CCSID_037;
        compare(&page.encode(first), &page.encode(second), collation, page)
    }

    #[test]
    fn orders() {
        for (first, second) in
            [("coté", "côte"), ("cote", "coté"), ("a", "A"), ("A", "b"), ("z9", "za"), ("Straße", "strata"), (",x", "0x"), ("ab", "abc")]
        {
            assert_eq!(order(first, second, Collation::Letters), Ordering::Less, "{first} {second}");
            assert_eq!(order(second, first, Collation::Letters), Ordering::Greater, "{first} {second}");
        }
        assert_eq!(order("a", "A", Collation::CodePage), Ordering::Less);
        assert_eq!(order("A", "a", Collation::Ascii), Ordering::Less);
        assert_eq!(order("9", "A", Collation::CodePage), Ordering::Greater);
        assert_eq!(order("same", "same", Collation::Letters), Ordering::Equal);
    }
}
