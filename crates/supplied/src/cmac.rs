//! CMAC: messages and codes, on panels ("CMAC - messages and codes display"). The texts are those of `regent help`.

use super::codes;
use super::conversation;
use super::panel::{Panel, Style, last_word};
use exec::{DefaultAction, aid};
use region::{Raised, Task};

const COMPONENT: usize = 1;
const NUMBER: usize = 2;
/// Lines of the title and of the keys around a text.
const HEAD_LINES: usize = 3;
const FOOT_LINES: usize = 2;

/// The program of transaction CMAC. The identifier may be typed with it.
pub fn messages_and_codes(task: &mut Task) -> Result<(), Raised> {
    let mut typed = conversation::typed(task)?.to_ascii_uppercase();
    let mut said = String::new();
    loop {
        if !typed.is_empty() {
            match explanation(&typed) {
                Some(lines) => {
                    if !show(task, &typed, &lines)? {
                        return last_word(task, "CMAC: SESSION ENDED");
                    }
                    said.clear();
                }
                None => said = format!("{typed} IS NOT IN THE MESSAGES AND CODES"),
            }
        }
        match choose(task, &said)? {
            Some(chosen) => typed = chosen,
            None => return last_word(task, "CMAC: SESSION ENDED"),
        }
    }
}

/// The identifier that a component and a number make: AC and 2001 are DFHAC2001, 5201 alone is DFH5201, ASRA is itself.
fn identifier(component: &str, number: &str) -> String {
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    match (component, is_number) {
        ("", true) => format!("DFH{number}"),
        ("", false) => number.to_string(),
        (component, _) => format!("DFH{component}{number}"),
    }
}

/// The first panel. `None`: the operator ends the transaction.
fn choose(task: &mut Task, said: &str) -> Result<Option<String>, Raised> {
    let mut panel = Panel::for_task(task)?;
    panel.bright(1, 24, "DISPLAY ON-LINE MESSAGES AND CODES");
    panel.text(5, 3, "Type in the required message identifier, then press Enter.");
    panel.text(8, 6, "Component ID   ==>").input(COMPONENT, 8, 26, 2, Style::ModifiedInput, "");
    panel.text(8, 36, "(for example, TC for Terminal Control or");
    panel.text(9, 36, "FC for File Control, etc.) This field is");
    panel.text(10, 36, "required for messages in the form of");
    panel.text(11, 36, "DFHccnnnn.");
    panel.text(13, 6, "Message Number ==>").input(NUMBER, 13, 26, 8, Style::ModifiedInput, "");
    panel.text(13, 36, "(for example, 1060, 5718, or an abend code");
    panel.text(14, 36, "such as ASRA, etc.)");
    let rows = panel.size.rows;
    panel.bright(rows - 1, 3, said).text(rows, 2, "F3=Exit to CICS");
    panel.cursor_to(COMPONENT).show(task)?;
    let answer = panel.read(task)?;
    if answer.aid != aid::ENTER {
        return Ok(if matches!(answer.aid, aid::PF3 | aid::PF15 | aid::CLEAR) { None } else { Some(String::new()) });
    }
    let field = |id| answer.value(id).unwrap_or_default().trim_matches([' ', '\0']).to_ascii_uppercase();
    Ok(Some(identifier(&field(COMPONENT), &field(NUMBER))))
}

/// What is known of an identifier, as paragraphs.
fn explanation(word: &str) -> Option<Vec<String>> {
    if let Some((_, row)) = codes::message(word) {
        return Some(vec![row.text.to_string(), codes::importance(row), "A name in braces stands for a value.".to_string()]);
    }
    if let Some((_, texts)) = codes::code(word) {
        return Some(texts.into_iter().map(str::to_string).collect());
    }
    let spec = codes::condition_of_abend(word)?;
    debug_assert_eq!(spec.default_action, DefaultAction::Abend);
    let commands = exec::commands().iter().filter(|command| command.implemented && command.conditions.contains(&spec.condition));
    let names: Vec<&str> = commands.map(|command| command.name).collect();
    let raised = format!("A command raised condition {}, which the program neither handled nor asked for (RESP, NOHANDLE).", spec.name);
    Some(vec![raised, format!("Commands that raise it: {}.", names.join(", "))])
}

/// Shows a text until the operator leaves it; false if he ends the transaction.
fn show(task: &mut Task, title: &str, paragraphs: &[String]) -> Result<bool, Raised> {
    let mut top = 0;
    loop {
        let mut panel = Panel::for_task(task)?;
        let (rows, columns) = (usize::from(panel.size.rows), usize::from(panel.size.columns));
        let lines = lines(paragraphs, columns - 4);
        let body = rows - HEAD_LINES - FOOT_LINES;
        panel.bright(1, 2, title);
        for (row, line) in lines.iter().skip(top).take(body).enumerate() {
            panel.text((HEAD_LINES + row) as u16, 2, line);
        }
        panel.text(rows as u16, 2, "F3=Exit to Menu      F7=Page Up  F8=Page Down  F12=Exit to CICS");
        panel.cursor_at(rows as u16, 2).show(task)?;
        let last = lines.len().saturating_sub(body);
        match panel.read(task)?.aid {
            aid::PF7 | aid::PF19 => top = top.saturating_sub(body),
            aid::PF8 | aid::PF20 => top = (top + body).min(last),
            aid::PF12 | aid::PF24 | aid::CLEAR => return Ok(false),
            _ => return Ok(true),
        }
    }
}

/// Paragraphs in lines, with an empty one between them.
fn lines(paragraphs: &[String], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines.push(String::new());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_put_together() {
        for (component, number, id) in
            [("AC", "2001", "DFHAC2001"), ("", "5201", "DFH5201"), ("", "ASRA", "ASRA"), ("", "IDC3012I", "IDC3012I")]
        {
            assert_eq!(identifier(component, number), id);
        }
    }

    #[test]
    fn messages_codes_and_conditions_are_explained() {
        assert!(explanation("DFHAC2001").unwrap()[0].contains("not recognized"));
        assert!(explanation("ASRA").unwrap()[0].contains("program interruption"));
        assert!(explanation("AEIM").unwrap()[0].contains("NOTFND"));
        assert!(explanation("XYZ").is_none());
        assert!(lines(&["one two three".to_string()], 7) == ["one two", "three", ""]);
    }
}
