//! The words that may be typed on the panels of CETR, and the values they stand for.

use region::system_initialization;

/// A word; its capitals are the letters that must be typed.
#[derive(Clone, Copy)]
pub struct Choice {
    word: &'static str,
    value: i64,
}

impl Choice {
    pub const fn new(word: &'static str, value: i64) -> Choice {
        Choice { word, value }
    }

    fn is_meant_by(&self, typed: &str) -> bool {
        let letters_min = self.word.chars().filter(char::is_ascii_uppercase).count();
        typed.len() >= letters_min && self.word.to_ascii_uppercase().starts_with(typed)
    }
}

/// What may be typed in a field.
#[derive(Clone, Copy)]
pub enum Words {
    Of(&'static [Choice]),
    /// Letters that stand for themselves.
    Letters(&'static [&'static str]),
    /// A number that this system initialization parameter accepts.
    Kilobytes(&'static str),
}

impl Words {
    /// The value of what was typed.
    pub fn typed(&self, typed: &str) -> Option<i64> {
        let typed = typed.trim().to_ascii_uppercase();
        match self {
            Words::Of(choices) => choices.iter().find(|choice| choice.is_meant_by(&typed)).map(|choice| choice.value),
            Words::Letters(letters) => letters.iter().position(|letter| *letter == typed).map(|at| at as i64),
            // The command checks the bounds.
            Words::Kilobytes(_) => typed.trim_end_matches('K').trim_end().parse().ok(),
        }
    }

    /// How a value is shown.
    pub fn shown(&self, value: i64) -> String {
        match self {
            Words::Of(choices) => {
                choices.iter().find(|choice| choice.value == value).map_or(String::new(), |choice| choice.word.to_ascii_uppercase())
            }
            Words::Letters(letters) => letters.get(value as usize).map_or(String::new(), |letter| (*letter).to_string()),
            Words::Kilobytes(_) => value.to_string(),
        }
    }

    /// What may be typed, for the operator.
    pub fn possible(&self) -> String {
        match self {
            Words::Of(choices) => choices.iter().map(|choice| choice.word).collect::<Vec<_>>().join(", "),
            Words::Letters(letters) => letters.join(", "),
            Words::Kilobytes(parameter) => {
                let bounds = system_initialization::bounds(parameter);
                bounds.split(" to ").map(|bound| format!("{bound}K")).collect::<Vec<_>>().join(" - ")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capitals_of_a_word_are_enough() {
        const CHOICES: &[Choice] = &[Choice::new("STArted", 1), Choice::new("STOpped", 2), Choice::new("Paused", 3)];
        let words = Words::Of(CHOICES);
        for (typed, value) in [("sta", Some(1)), ("STO", Some(2)), ("st", None), ("p", Some(3)), ("STARTED", Some(1)), ("STARTEDX", None)] {
            assert_eq!(words.typed(typed), value, "{typed}");
        }
        assert_eq!((words.shown(3).as_str(), words.possible().as_str()), ("PAUSED", "STArted, STOpped, Paused"));
        let size = Words::Kilobytes("TRTABSZ");
        assert_eq!((size.possible().as_str(), size.typed("16 K"), size.typed("X")), ("16K - 1048576K", Some(16), None));
    }
}
