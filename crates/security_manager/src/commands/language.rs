//! LANGUAGECODE and NATLANG of SIGNON (`tables/languages.tsv`). All messages of a region are in English, so a user whose profile asks for another
//! language gets English too; a program that asks for one is told.

use exec::resp2::signon as resp2;
use exec::{condition, option};
use region::name::Name3;
use region::{Arguments, Outcome, raise};

const TABLE: &str = include_str!("../../tables/languages.tsv");
/// The language of the region's messages, by its two codes.
const LANGUAGE: &str = "ENU";
const LANGUAGE_LETTER: &str = "E";

/// Both codes of each language.
fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut columns = line.split('\t');
        (columns.next().unwrap_or_default(), columns.next().unwrap_or_default())
    })
}

/// Whether the language that is asked for is there.
pub fn check(arguments: &Arguments) -> Outcome {
    let code = arguments.text(option::LANGUAGECODE)?.unwrap_or_default();
    let letter = arguments.text(option::NATLANG)?.unwrap_or_default();
    let asked = [(code, LANGUAGE), (letter, LANGUAGE_LETTER)];
    if let Some((given, available)) = asked.iter().find(|(given, available)| !given.is_empty() && given != available) {
        let is_language = languages().any(|(code, letter)| given == if available.len() == 1 { letter } else { code });
        return raise(condition::INVREQ, if is_language { resp2::LANGUAGE_NOT_AVAILABLE } else { resp2::LANGUAGE_INVALID });
    }
    Ok(())
}

/// LANGINUSE and NATLANGINUSE.
pub fn give(arguments: &mut Arguments) -> Outcome {
    arguments.set_name(option::LANGINUSE, &Name3::new(LANGUAGE))?;
    arguments.set_text(option::NATLANGINUSE, LANGUAGE_LETTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_three_letters_or_one_character() {
        let mut codes: Vec<&str> = languages().map(|(code, _)| code).collect();
        assert!(codes.iter().all(|code| code.len() == 3) && languages().all(|(_, letter)| letter.len() == 1));
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert!(languages().any(|language| language == (LANGUAGE, LANGUAGE_LETTER)));
    }
}
