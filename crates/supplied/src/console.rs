//! CWTO: a message to the console operator ("CWTO - write to console operator").

use super::conversation::{self, Typed};
use exec::{command, option};
use region::exec_interface::call::Call;
use region::{Raised, Task};

/// Characters of a line of the console.
const LINE_LENGTH_MAX: usize = 113;
/// At the end of a message, it ends the transaction.
const CANCEL: &str = "CANCEL";

/// The program of transaction CWTO.
pub fn write_to_operator(task: &mut Task) -> Result<(), Raised> {
    let mut text = conversation::typed(task)?;
    let mut prompt = "ENTER MESSAGE";
    loop {
        if text.trim().is_empty() {
            match conversation::ask(task, prompt)? {
                Typed::Text(typed) => text = typed,
                Typed::Key => return conversation::last_word(task, "TERMINATED BY OPERATOR"),
            }
            prompt = "NO INPUT - REENTER";
            continue;
        }
        if text.trim_end().to_ascii_uppercase().ends_with(CANCEL) {
            return conversation::last_word(task, "TERMINATED BY OPERATOR");
        }
        break;
    }
    let prefix = format!("{} {} ", task.user_id.as_str().trim_end(), task.terminal_name().as_str().trim_end());
    for line in lines(text.trim(), LINE_LENGTH_MAX - prefix.len()) {
        let line = format!("{prefix}{line}");
        let mut write = Call::new(command::WRITE_OPERATOR);
        write.text(task, option::TEXT, &line).integer(option::TEXTLENGTH, line.chars().count() as i64);
        write.execute(task)?;
    }
    conversation::last_word(task, "MESSAGE HAS BEEN SENT")
}

/// Parts between words that fit a line; a word that is longer is cut.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().expect("there is always a line");
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + word.len() <= width {
                line.push_str(&" ".repeat(gap));
                line.extend(word);
                break;
            }
            if used > 0 {
                lines.push(String::new());
            } else {
                line.extend(word.drain(..width));
                lines.push(String::new());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_divided_between_words() {
        assert_eq!(lines("ONE TWO THREE", 7), ["ONE TWO", "THREE"]);
        assert_eq!(lines("ABCDEFGHIJ KL", 4), ["ABCD", "EFGH", "IJ", "KL"]);
        assert_eq!(lines("A", 1), ["A"]);
    }
}
