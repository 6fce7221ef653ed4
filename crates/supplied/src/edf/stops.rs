//! Stop conditions: when the display begins again after it was suppressed.
//!
//! Rules ("Using EDF menu functions", STOP CONDITIONS): a command may be qualified by its offset or its line; the other conditions are
//! alternatives. ERROR stands for every condition whose default action is an abend.

use super::display::{Line, Target};
use exec::{Condition, DefaultAction, condition};

/// The form of a stop condition's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Command,
    Offset,
    LineNumber,
    Condition,
    YesNo,
    SqlCode,
}

const COMMAND: usize = 0;
const OFFSET: usize = 1;
const LINE_NUMBER: usize = 2;
const CONDITION: usize = 3;
const ANY_CONDITION: usize = 4;
const TRANSACTION_ABEND: usize = 5;
const NORMAL_TERMINATION: usize = 6;
const ABNORMAL_TERMINATION: usize = 7;
const SQLCODE: usize = 8;
const ANY_SQL_ERROR: usize = 9;

/// Title, value at first, form.
const CONDITIONS: [(&str, &str, Form); 10] = [
    ("COMMAND:", EMPTY_COMMAND, Form::Command),
    ("OFFSET:", EMPTY_OFFSET, Form::Offset),
    ("LINE NUMBER:", EMPTY_NUMBER, Form::LineNumber),
    ("CICS EXCEPTIONAL CONDITION:", "ERROR", Form::Condition),
    ("ANY CICS CONDITION:", NO, Form::YesNo),
    ("TRANSACTION ABEND:", YES, Form::YesNo),
    ("NORMAL TASK TERMINATION:", YES, Form::YesNo),
    ("ABNORMAL TASK TERMINATION:", YES, Form::YesNo),
    ("SQLCODE:", EMPTY_NUMBER, Form::SqlCode),
    ("ANY SQL ERROR:", NO, Form::YesNo),
];

const EMPTY_COMMAND: &str = "EXEC CICS";
const EMPTY_OFFSET: &str = "X'......'";
const EMPTY_NUMBER: &str = "........";
const YES: &str = "YES";
const NO: &str = "NO";
const TITLE_COLUMN: u16 = 5;
const VALUE_COLUMN: u16 = 36;
const COMMAND_LENGTH: u16 = 40;
const CONDITION_LENGTH: u16 = 20;

/// What has happened, or is about to.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A command or an SQL statement is about to be executed: its text, and where it is.
    Command {
        text: &'a str,
        offset: Option<u32>,
        line: u32,
    },
    Condition(Condition),
    SqlCode(i32),
    Abend,
    TaskEnds {
        abnormally: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Stops([String; CONDITIONS.len()]);

impl Default for Stops {
    fn default() -> Self {
        Self(CONDITIONS.map(|(_, value, _)| value.to_string()))
    }
}

impl Stops {
    /// The lines of the display.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line::default()];
        for (index, (title, _, form)) in CONDITIONS.iter().enumerate() {
            if index == SQLCODE {
                lines.push(Line::default());
            }
            lines.push(Line::text(TITLE_COLUMN, *title).and_field(VALUE_COLUMN, &self.0[index], Target::Stop(index), form.length()));
        }
        lines
    }

    /// Changes a condition.
    ///
    /// # Errors
    ///
    /// The message for the operator if the value is not valid.
    pub fn change(&mut self, index: usize, typed: &str) -> Result<(), &'static str> {
        let Some((_, _, form)) = CONDITIONS.get(index) else { return Ok(()) };
        self.0[index] = form.checked(&typed.trim().to_ascii_uppercase())?;
        Ok(())
    }

    /// Whether the display is due.
    pub fn met(&self, event: Event) -> bool {
        match event {
            Event::Command { text, offset, line } => self.names(text) && self.is_place(offset, line),
            Event::Condition(condition::NORMAL) => false,
            Event::Condition(raised) => self.is(ANY_CONDITION) || self.is_condition(raised),
            Event::SqlCode(code) => code < 0 && self.is(ANY_SQL_ERROR) || self.0[SQLCODE].parse() == Ok(code),
            Event::Abend => self.is(TRANSACTION_ABEND),
            Event::TaskEnds { abnormally } => self.is(if abnormally { ABNORMAL_TERMINATION } else { NORMAL_TERMINATION }),
        }
    }

    fn is(&self, index: usize) -> bool {
        self.0[index] == YES
    }

    /// The command is the one named; without a name, any command at the place given.
    fn names(&self, text: &str) -> bool {
        let named = self.0[COMMAND].as_str();
        if named == EMPTY_COMMAND {
            return self.offset().is_some() || self.line_number().is_some();
        }
        text == named || text.strip_prefix(named).is_some_and(|rest| rest.starts_with(' '))
    }

    fn is_place(&self, offset: Option<u32>, line: u32) -> bool {
        self.offset().is_none_or(|wanted| offset == Some(wanted)) && self.line_number().is_none_or(|wanted| wanted == line)
    }

    fn offset(&self) -> Option<u32> {
        offset_of(&self.0[OFFSET])
    }

    fn line_number(&self) -> Option<u32> {
        self.0[LINE_NUMBER].parse().ok()
    }

    fn is_condition(&self, raised: Condition) -> bool {
        match exec::condition_by_name(&self.0[CONDITION]) {
            Some(condition::ERROR) => raised.default_action() == DefaultAction::Abend,
            wanted => wanted == Some(raised),
        }
    }
}

fn offset_of(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("X'")?.strip_suffix('\'')?, 16).ok()
}

impl Form {
    fn length(self) -> u16 {
        match self {
            Form::Command => COMMAND_LENGTH,
            Form::Condition => CONDITION_LENGTH,
            Form::Offset => EMPTY_OFFSET.len() as u16,
            Form::LineNumber | Form::SqlCode => EMPTY_NUMBER.len() as u16,
            Form::YesNo => YES.len() as u16,
        }
    }

    fn checked(self, typed: &str) -> Result<String, &'static str> {
        let dots_only = typed.chars().all(|c| matches!(c, '.' | ' '));
        let no_offset = typed.chars().all(|c| matches!(c, '.' | ' ' | '\'' | 'X'));
        match self {
            Form::Command => Ok(command(typed)),
            Form::Offset if no_offset => Ok(EMPTY_OFFSET.to_string()),
            Form::Offset => {
                let digits = typed.trim_start_matches("X'").trim_end_matches('\'').trim_matches('.');
                let offset = u32::from_str_radix(digits, 16).map_err(|_| "THE OFFSET IS NOT HEXADECIMAL")?;
                Ok(format!("X'{offset:06X}'"))
            }
            Form::LineNumber if dots_only => Ok(EMPTY_NUMBER.to_string()),
            Form::LineNumber => {
                typed.trim_matches('.').parse::<u32>().map(|line| format!("{line:05}")).map_err(|_| "THE LINE NUMBER IS NOT A NUMBER")
            }
            Form::Condition if dots_only => Ok(String::new()),
            Form::Condition => exec::condition_by_name(typed).map(|_| typed.to_string()).ok_or("THE CONDITION IS NOT KNOWN"),
            Form::YesNo if [YES, NO].contains(&typed) => Ok(typed.to_string()),
            Form::YesNo => Err("REPLY YES OR NO"),
            Form::SqlCode if dots_only => Ok(EMPTY_NUMBER.to_string()),
            Form::SqlCode => typed.trim_matches('.').parse::<i32>().map(|code| code.to_string()).map_err(|_| "THE SQLCODE IS NOT A NUMBER"),
        }
    }
}

/// A command with its EXEC CICS or EXEC SQL in front.
fn command(typed: &str) -> String {
    let words: Vec<&str> = typed.split_whitespace().collect();
    match words.as_slice() {
        [] => EMPTY_COMMAND.to_string(),
        ["EXEC", ..] => words.join(" "),
        words => format!("{EMPTY_COMMAND} {}", words.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command_at(line: u32) -> Event<'static> {
        Event::Command { text: "EXEC CICS READ", offset: Some(0x2522), line }
    }

    #[test]
    fn the_conditions_at_first_are_errors_abends_and_the_end() {
        let stops = Stops::default();
        assert!(!stops.met(command_at(7)) && !stops.met(Event::Condition(condition::NORMAL)));
        assert!(stops.met(Event::Condition(condition::NOTFND)) && stops.met(Event::Abend));
        assert!(!stops.met(Event::Condition(condition::EOC)), "its default action is no abend");
        assert!(stops.met(Event::TaskEnds { abnormally: false }) && stops.met(Event::TaskEnds { abnormally: true }));
        assert!(!stops.met(Event::SqlCode(-805)) && !stops.met(Event::SqlCode(0)));
    }

    #[test]
    fn a_command_is_qualified_by_its_place() {
        let mut stops = Stops::default();
        stops.change(COMMAND, "READ").unwrap();
        assert!(stops.met(command_at(7)) && stops.met(command_at(8)));
        assert!(!stops.met(Event::Command { text: "EXEC CICS READQ TS", offset: None, line: 7 }), "READ is not READQ");
        stops.change(LINE_NUMBER, "00007").unwrap();
        assert!(stops.met(command_at(7)) && !stops.met(command_at(8)));
        stops.change(OFFSET, "X'002523'").unwrap();
        assert!(!stops.met(command_at(7)));
        stops.change(OFFSET, "2522").unwrap();
        stops.change(COMMAND, "").unwrap();
        assert!(stops.met(command_at(7)), "any command at the place");
    }

    #[test]
    fn a_sequel_of_a_command_is_meant_by_its_first_words() {
        let mut stops = Stops::default();
        stops.change(COMMAND, "exec cics send").unwrap();
        assert!(stops.met(Event::Command { text: "EXEC CICS SEND MAP", offset: None, line: 0 }));
        stops.change(COMMAND, "EXEC SQL OPEN").unwrap();
        assert!(stops.met(Event::Command { text: "EXEC SQL OPEN", offset: None, line: 0 }));
    }

    #[test]
    fn values_that_are_not_valid_change_nothing() {
        let mut stops = Stops::default();
        for (index, typed) in [(OFFSET, "X'GG'"), (LINE_NUMBER, "TEN"), (CONDITION, "NOSUCH"), (ANY_CONDITION, "MAYBE"), (SQLCODE, "X")] {
            let before = stops.0[index].clone();
            assert!(stops.change(index, typed).is_err(), "{typed}");
            assert_eq!(stops.0[index], before);
        }
        stops.change(SQLCODE, "-805").unwrap();
        assert!(stops.met(Event::SqlCode(-805)) && !stops.met(Event::SqlCode(-811)));
        stops.change(ANY_SQL_ERROR, "yes").unwrap();
        assert!(stops.met(Event::SqlCode(-811)) && !stops.met(Event::SqlCode(100)));
    }
}
