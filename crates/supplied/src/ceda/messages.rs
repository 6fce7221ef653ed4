//! The messages of CEDA, with their severity: I information, W warning, E error that is corrected, S severe, which keeps a command from being
//! executed.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Information,
    Warning,
    Error,
    Severe,
}

impl Severity {
    pub fn letter(self) -> char {
        match self {
            Severity::Information => 'I',
            Severity::Warning => 'W',
            Severity::Error => 'E',
            Severity::Severe => 'S',
        }
    }

    fn name(self) -> &'static str {
        match self {
            Severity::Information => "INFORMATION",
            Severity::Warning => "WARNING",
            Severity::Error => "ERROR",
            Severity::Severe => "SEVERE",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub severity: Severity,
    pub text: String,
}

fn message(severity: Severity, text: &str) -> Message {
    Message { severity, text: text.to_string() }
}

pub fn information(text: &str) -> Message {
    message(Severity::Information, text)
}

pub fn warning(text: &str) -> Message {
    message(Severity::Warning, text)
}

pub fn error(text: &str) -> Message {
    message(Severity::Error, text)
}

pub fn severe(text: &str) -> Message {
    message(Severity::Severe, text)
}

pub fn worst(messages: &[Message]) -> Option<Severity> {
    messages.iter().map(|message| message.severity).max()
}

/// Whether they keep a command from being executed.
pub fn is_refused(messages: &[Message]) -> bool {
    worst(messages) == Some(Severity::Severe)
}

/// The line for messages: the only message, or how many there are of each severity.
pub fn summary(messages: &[Message]) -> String {
    match messages {
        [] => String::new(),
        [only] => format!("{} {}", only.severity.letter(), only.text),
        _ => {
            let severities = [Severity::Severe, Severity::Error, Severity::Warning, Severity::Information];
            let count = |severity: Severity| messages.iter().filter(|message| message.severity == severity).count();
            let counts: Vec<String> = severities
                .iter()
                .filter(|severity| count(**severity) > 0)
                .map(|severity| format!("{} {}", count(*severity), severity.name()))
                .collect();
            format!("MESSAGES: {}", counts.join("  "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_messages_are_counted() {
        assert_eq!(summary(&[information("New group A created.")]), "I New group A created.");
        assert_eq!(summary(&[severe("A"), error("B"), severe("C")]), "MESSAGES: 2 SEVERE  1 ERROR");
        assert!(is_refused(&[error("A"), severe("B")]) && !is_refused(&[error("A")]));
    }
}
