//! What a new password or phrase must be like (SETROPTS PASSWORD; z/OS Security Server RACF Security Administrator's Guide, Specifying password
//! rules and Password phrase syntax rules).

use crate::name::UserId8;
use crate::secret::{PASSWORD_LENGTH_MAX, PHRASE_LENGTH_MAX, PHRASE_LENGTH_MIN, Secret};
use crate::settings::{Content, PasswordOptions, PasswordRule};

/// Characters of passwords with SPECIALCHARS.
const SPECIAL: &str = ".<+|&!*-%_>?:=";
/// National characters.
const NATIONAL: &str = "#$@";
/// Letters that a phrase needs.
const PHRASE_LETTERS_MIN: usize = 2;
/// Characters of a phrase that need not be letters.
const PHRASE_OTHERS_MIN: usize = 2;
/// How often a character may follow itself in a phrase.
const PHRASE_REPEATS_MAX: usize = 2;

/// Whether a password may be set: its characters and, if there are rules, whether it obeys one of them.
pub(crate) fn permits_password(options: &PasswordOptions, password: &Secret) -> bool {
    let text = password.text();
    let is_allowed = |character: char| {
        character.is_ascii_uppercase()
            || character.is_ascii_digit()
            || NATIONAL.contains(character)
            || options.mixed_case && character.is_ascii_lowercase()
            || options.special_characters && SPECIAL.contains(character)
    };
    let length = password.length();
    if !(1..=PASSWORD_LENGTH_MAX).contains(&length) || !text.chars().all(is_allowed) {
        return false;
    }
    let mut rules = options.rules.iter().flatten().peekable();
    rules.peek().is_none() || rules.any(|rule| obeys(rule, text))
}

/// Whether a password obeys a rule. Of the words that require each kind at least once (ALPHANUM, the mixed ones), the positions that name them
/// count together.
fn obeys(rule: &PasswordRule, text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    if !(usize::from(rule.length_min)..=usize::from(rule.length_max)).contains(&characters.len()) {
        return false;
    }
    let content_at = |at: usize| rule.contents.get(at).copied().flatten();
    let fits = characters.iter().enumerate().all(|(at, character)| content_at(at).is_none_or(|content| is_of(content, *character)));
    let has_kinds = [Content::Alphanum, Content::MixedAll, Content::MixedNum].into_iter().all(|content| {
        let positions = characters.iter().enumerate().filter(|(at, _)| content_at(*at) == Some(content));
        let there: Vec<char> = positions.map(|(_, character)| *character).collect();
        let kinds = kinds_required(content);
        // Fewer positions than kinds cannot have all of them.
        there.len() < kinds.len() || kinds.iter().all(|kind| there.iter().any(|character| kind(*character)))
    });
    fits && has_kinds
}

fn is_letter(character: char) -> bool {
    character.is_ascii_uppercase() || NATIONAL.contains(character)
}

fn is_small_letter(character: char) -> bool {
    character.is_ascii_lowercase()
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

fn is_special(character: char) -> bool {
    SPECIAL.contains(character) || NATIONAL.contains(character)
}

fn kinds_required(content: Content) -> &'static [fn(char) -> bool] {
    match content {
        Content::Alphanum => &[is_letter, is_digit],
        Content::MixedNum => &[is_letter, is_small_letter, is_digit],
        Content::MixedAll => &[is_letter, is_small_letter, is_digit, is_special],
        _ => &[],
    }
}

fn is_of(content: Content, character: char) -> bool {
    let is_vowel = |character: char| "AEIOU".contains(character);
    let is_consonant = |character: char| character.is_ascii_uppercase() && !is_vowel(character);
    match content {
        Content::Alpha => is_letter(character),
        Content::Alphanum => is_letter(character) || is_digit(character),
        Content::Consonant => is_consonant(character),
        Content::MixedAll => character.is_ascii_alphanumeric() || is_special(character),
        Content::MixedConsonant => is_consonant(character.to_ascii_uppercase()),
        Content::MixedNum => character.is_ascii_alphanumeric() || NATIONAL.contains(character),
        Content::MixedVowel => is_vowel(character.to_ascii_uppercase()),
        Content::National => NATIONAL.contains(character),
        Content::NoVowel => is_consonant(character) || is_digit(character) || NATIONAL.contains(character),
        Content::Numeric => is_digit(character),
        Content::Special => is_special(character),
        Content::Vowel => is_vowel(character),
    }
}

/// Whether a phrase may be set: 9 to 100 characters without the user id, with two letters and two others, and none more than twice in succession.
pub(crate) fn permits_phrase(user: UserId8, phrase: &Secret) -> bool {
    let text = phrase.text();
    let characters: Vec<char> = text.chars().collect();
    let letters = characters.iter().filter(|character| character.is_ascii_alphabetic()).count();
    let repeats = characters.windows(PHRASE_REPEATS_MAX + 1).any(|run| run.iter().all(|character| *character == run[0]));
    (PHRASE_LENGTH_MIN..=PHRASE_LENGTH_MAX).contains(&characters.len())
        && letters >= PHRASE_LETTERS_MIN
        && characters.len() - letters >= PHRASE_OTHERS_MIN
        && !repeats
        && !text.to_uppercase().contains(user.as_str())
        && characters.iter().all(|character| !character.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(rules: &[PasswordRule]) -> PasswordOptions {
        let mut options = PasswordOptions::default();
        options.rules.iter_mut().zip(rules).for_each(|(to, from)| *to = Some(from.clone()));
        options
    }

    fn permits(options: &PasswordOptions, text: &str) -> bool {
        permits_password(options, &Secret::new(text))
    }

    #[test]
    fn passwords_have_characters_of_their_alphabet() {
        let plain = options(&[]);
        assert!(permits(&plain, "A") && permits(&plain, "AB#$@123"));
        assert!(!permits(&plain, "") && !permits(&plain, "ABCDEFGHI") && !permits(&plain, "abc") && !permits(&plain, "A-B"));
        let wide = PasswordOptions { mixed_case: true, special_characters: true, ..plain };
        assert!(permits(&wide, "aB-1") && !permits(&wide, "a/b"));
    }

    #[test]
    fn a_password_obeys_one_of_the_rules() {
        let rule =
            |length_min, length_max, contents: &[Option<Content>]| PasswordRule { length_min, length_max, contents: contents.to_vec() };
        let six_to_eight = rule(6, 8, &[Some(Content::Alphanum); 8]);
        let four = rule(4, 4, &[Some(Content::Consonant), Some(Content::Numeric), None, Some(Content::Vowel)]);
        let both = options(&[six_to_eight, four]);
        for (text, expected) in
            [("ABC12", false), ("ABCD12", true), ("ABCDEF", false), ("123456", false), ("ABCDEF78", true), ("B1ZE", true), ("A1ZE", false)]
        {
            assert_eq!(permits(&both, text), expected, "{text}");
        }
    }

    #[test]
    fn phrases_have_nine_to_a_hundred_characters_of_two_kinds() {
        let user = UserId8::new("ALICE").unwrap();
        let permits = |text: &str| permits_phrase(user, &Secret::new(text));
        assert!(permits("a b c d12") && !permits("a b c 12"));
        let long: String = "ab1 ".repeat(25);
        assert!(permits(&format!("{}x", &long[..99])), "100 characters");
        assert!(!permits(&format!("{}xy", &long[..99])), "101 characters");
        assert!(!permits("onlylettersx") && !permits("123456789 1"));
        assert!(permits("aab bcc dd") && !permits("aaab bcc dd"), "no character three times in succession");
        assert!(!permits("my name is alice 1"), "the user id is in it");
    }
}
