//! CSFE: tests of a terminal ("CSFE - terminal and system test"): PRINT writes all characters, ECHO returns what is typed until END.
//!
//! The options of CSFE DEBUG and the builder trace look into control blocks that the region does not have; they are refused by name.

use super::conversation::{self, Typed};
use super::panel::Panel;
use region::{Raised, Task};

const COMPLETE: &str = "DFHFE3301 Transaction complete.";
/// What ends ECHO.
const END: &str = "END";

/// The program of transaction CSFE.
pub fn test_terminal(task: &mut Task) -> Result<(), Raised> {
    let mut typed = conversation::typed(task)?;
    if typed.is_empty() {
        match conversation::ask(task, "CSFE: ENTER PRINT, ECHO OR END")? {
            Typed::Text(text) => typed = text,
            Typed::Key => typed = END.to_string(),
        }
    }
    let word = typed.split([' ', ',', '=']).next().unwrap_or_default().to_ascii_uppercase();
    match word.as_str() {
        "PRINT" => print(task),
        "ECHO" => echo(task),
        END => conversation::last_word(task, COMPLETE),
        "DEBUG" | "ZCQTRACE" | "SZTRACE" => {
            conversation::last_word(task, &format!("CSFE {} IS NOT AVAILABLE IN THIS RELEASE", typed.to_ascii_uppercase()))
        }
        _ => conversation::last_word(task, &format!("CSFE: '{word}' IS NOT A TEST. ENTER CSFE PRINT, CSFE ECHO OR CSFE END")),
    }
}

/// Every character that the code page of the region can show, in lines.
fn print(task: &mut Task) -> Result<(), Raised> {
    let mut panel = Panel::for_task(task)?;
    let page = &task.region.code_page;
    let characters: Vec<char> = (terminals::terminal_control::EBCDIC_SPACE..=u8::MAX)
        .flat_map(|byte| page.text(&[byte]).chars().collect::<Vec<_>>())
        .filter(|c| !c.is_control())
        .collect();
    let width = usize::from(panel.size.columns) - 2;
    for (row, line) in (1..panel.size.rows - 1).zip(characters.chunks(width)) {
        panel.text(row, 2, &line.iter().collect::<String>());
    }
    let rows = panel.size.rows;
    panel.text(rows, 2, COMPLETE);
    panel.show(task)
}

fn echo(task: &mut Task) -> Result<(), Raised> {
    let mut shown = "CSFE ECHO: TYPE TEXT, OR END".to_string();
    loop {
        match conversation::ask(task, &shown)? {
            Typed::Text(text) if !text.trim().eq_ignore_ascii_case(END) => shown = text.trim().to_string(),
            _ => return conversation::last_word(task, COMPLETE),
        }
    }
}
