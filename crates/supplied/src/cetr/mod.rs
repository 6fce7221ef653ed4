//! CETR: trace control, on panels ("CETR - trace control").
//!
//! It issues INQUIRE and SET of TRACEDEST, TRACEFLAG, TRACETYPE, TRANSACTION and TERMINAL, and nothing else: what it shows is what a program sees.
//!
//! * this file: the first panel, with the destinations and the main flags;
//! * `components` PF4: the levels of the components; `items` PF5: transactions and terminals;
//! * `choices` words that may be typed short.

mod choices;
mod components;
mod items;

use super::panel::{self, Answer, Panel, Style};
use choices::{Choice, Words};
use exec::{OptionId, aid, command, cvda, option};
use region::exec_interface::call::{Call, Response};
use region::{Raised, Task};

/// A line of a panel: what it is about, and what may be typed.
struct Row {
    title: &'static str,
    option: OptionId,
    words: Words,
}

const STATUS_OF_INTERNAL: Words = Words::Of(&[Choice::new("STArted", cvda::INTSTART), Choice::new("STOpped", cvda::INTSTOP)]);
const STATUS_OF_AUXILIARY: Words =
    Words::Of(&[Choice::new("STArted", cvda::AUXSTART), Choice::new("STOpped", cvda::AUXSTOP), Choice::new("Paused", cvda::AUXPAUSE)]);
const DATA_SETS: Words = Words::Letters(&["A", "B"]);
const SWITCHES: Words =
    Words::Of(&[Choice::new("NO", cvda::NOSWITCH), Choice::new("NExt", cvda::SWITCHNEXT), Choice::new("All", cvda::SWITCHALL)]);
const STATUS_OF_STREAM: Words = Words::Of(&[Choice::new("STArted", cvda::GTFSTART), Choice::new("STOpped", cvda::GTFSTOP)]);
const SYSTEM_FLAG: Words = Words::Of(&[Choice::new("ON", cvda::SYSTEMON), Choice::new("OFf", cvda::SYSTEMOFF)]);
const USER_FLAG: Words = Words::Of(&[Choice::new("ON", cvda::USERON), Choice::new("OFf", cvda::USEROFF)]);

/// The lines of the first panel: those of TRACEDEST, then those of TRACEFLAG.
const DESTINATIONS: [Row; 6] = [
    Row { title: "Internal Trace Status", option: option::INTSTATUS, words: STATUS_OF_INTERNAL },
    Row { title: "Internal Trace Table Size", option: option::TABLESIZE, words: Words::Kilobytes("TRTABSZ") },
    Row { title: "Auxiliary Trace Status", option: option::AUXSTATUS, words: STATUS_OF_AUXILIARY },
    Row { title: "Auxiliary Trace Data Set", option: option::CURAUXDS, words: DATA_SETS },
    Row { title: "Auxiliary Switch Status", option: option::SWITCHSTATUS, words: SWITCHES },
    Row { title: "GTF Trace Status", option: option::GTFSTATUS, words: STATUS_OF_STREAM },
];
const FLAGS: [Row; 2] = [
    Row { title: "Main System Trace Flag", option: option::SYSTEMSTATUS, words: SYSTEM_FLAG },
    Row { title: "Main User Trace Flag", option: option::USERSTATUS, words: USER_FLAG },
];

/// Screen lines of the rows; a blank one divides their groups.
const LINES: [u16; 8] = [7, 8, 10, 11, 12, 14, 16, 17];
/// Columns of the arrow, of the value and of what may be typed.
const ARROW: u16 = 30;
const VALUE: u16 = 36;
const CHOICES: u16 = 49;
const VALUE_LENGTH: u16 = 8;

/// What went wrong, newest last, for PF9.
#[derive(Default)]
struct Messages(Vec<String>);

impl Messages {
    fn answer(&mut self, call: &Call, response: Response) {
        if !response.is_normal() {
            self.0.push(super::cemt::not_normal(call, response));
        }
    }

    /// One short message fits the panel.
    fn last(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }
}

/// How a panel is left.
#[derive(PartialEq, Eq)]
enum Left {
    /// PF3: back, or the end from the first panel.
    Quit,
    /// CLEAR: the end.
    Clear,
}

/// The program of transaction CETR.
pub fn trace_control(task: &mut Task) -> Result<(), Raised> {
    let mut messages = Messages::default();
    loop {
        let values = values(task)?;
        let panel = draw(task, &values, &messages)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        let left = match answer.aid {
            aid::PF3 | aid::PF15 | aid::CLEAR => Left::Clear,
            aid::PF1 | aid::PF13 => text_panel(task, "Help", HELP)?,
            aid::PF4 | aid::PF16 => components::show(task)?,
            aid::PF5 | aid::PF17 => items::show(task)?,
            aid::PF9 | aid::PF21 => error_list(task, &messages)?,
            aid::ENTER => {
                messages = change(task, &values, &answer)?;
                Left::Quit
            }
            _ => Left::Quit,
        };
        if left == Left::Clear {
            return panel::last_word(task, "CETR: SESSION ENDED");
        }
    }
}

fn rows() -> impl Iterator<Item = (usize, &'static Row)> {
    DESTINATIONS.iter().chain(&FLAGS).enumerate()
}

/// The values of all rows, as they are shown.
fn values(task: &mut Task) -> Result<Vec<String>, Raised> {
    let mut values = asked(task, command::INQUIRE_TRACEDEST, &DESTINATIONS)?;
    values.extend(asked(task, command::INQUIRE_TRACEFLAG, &FLAGS)?);
    Ok(values)
}

fn asked(task: &mut Task, inquire: exec::CommandId, rows: &[Row]) -> Result<Vec<String>, Raised> {
    let mut call = Call::new(inquire);
    for row in rows {
        match row.words {
            Words::Letters(_) => call.bytes(row.option, &[0]),
            _ => call.integer(row.option, 0),
        };
    }
    call.execute(task)?;
    let value = |row: &Row| match row.words {
        Words::Letters(_) => call.result_text(task, row.option).trim().to_string(),
        _ => row.words.shown(call.result(row.option).unwrap_or_default()),
    };
    Ok(rows.iter().map(value).collect())
}

/// Sets what has been typed over.
fn change(task: &mut Task, values: &[String], answer: &Answer) -> Result<Messages, Raised> {
    let mut messages = Messages::default();
    let mut destinations = Call::new(command::SET_TRACEDEST);
    let mut flags = Call::new(command::SET_TRACEFLAG);
    let mut changed = [false; 2];
    for (index, row) in rows() {
        let Some(typed) = answer.value(index).map(str::trim).filter(|typed| !typed.eq_ignore_ascii_case(&values[index])) else { continue };
        let (call, is_changed) = match index < DESTINATIONS.len() {
            true => (&mut destinations, &mut changed[0]),
            false => (&mut flags, &mut changed[1]),
        };
        match row.words.typed(typed) {
            Some(_) if row.option == option::CURAUXDS => call.integer(option::SWITCHACTION, cvda::SWITCH),
            Some(value) => call.integer(row.option, value),
            None => {
                messages.0.push(format!("{}: '{typed}' IS NOT {}", row.title.to_uppercase(), row.words.possible().to_uppercase()));
                continue;
            }
        };
        *is_changed = true;
    }
    for (mut call, is_changed) in [destinations, flags].into_iter().zip(changed) {
        if is_changed {
            let response = call.execute(task)?;
            messages.answer(&call, response);
        }
    }
    Ok(messages)
}

fn draw(task: &mut Task, values: &[String], messages: &Messages) -> Result<Panel, Raised> {
    let mut panel = Panel::for_task(task)?;
    panel.bright(1, 2, "CETR").bright(1, 26, "CICS Trace Control Facility");
    panel.text(3, 2, "Type in your choices.");
    panel.text(5, 2, "Item").text(5, VALUE, "Choice").text(5, CHOICES, "Possible choices");
    for (index, row) in rows() {
        let line = LINES[index];
        panel.text(line, 2, row.title).text(line, ARROW, "===>");
        panel.input(index, line, VALUE, VALUE_LENGTH, Style::Input, &values[index]);
        panel.text(line, CHOICES, &row.words.possible());
    }
    panel.text(19, 2, "When finished, press ENTER.");
    finish(&mut panel, messages, "PF1=Help     3=Quit     4=Components     5=Ter/Trn     9=Error List");
    panel.cursor_to(0);
    Ok(panel)
}

/// The message and the keys, at the foot of every panel.
fn finish(panel: &mut Panel, messages: &Messages, keys: &str) {
    let rows = panel.size.rows;
    let message: String = messages.last().chars().take(usize::from(panel.size.columns) - 2).collect();
    panel.bright(rows - 2, 2, &message);
    panel.text(rows, 2, keys);
}

fn error_list(task: &mut Task, messages: &Messages) -> Result<Left, Raised> {
    let lines: Vec<&str> = messages.0.iter().map(String::as_str).collect();
    text_panel(task, "Error List", if lines.is_empty() { &["There are no messages."] } else { &lines })
}

/// A panel of text, until a key is pressed.
fn text_panel(task: &mut Task, title: &str, lines: &[&str]) -> Result<Left, Raised> {
    let mut panel = Panel::for_task(task)?;
    panel.bright(1, 2, "CETR").bright(1, 26, title);
    let rows = panel.size.rows;
    for (row, line) in (3..rows - 2).zip(lines) {
        panel.text(row, 2, line);
    }
    panel.text(rows, 2, "PF3=Return");
    panel.cursor_at(rows, 2).show(task)?;
    Ok(if panel.read(task)?.aid == aid::CLEAR { Left::Clear } else { Left::Quit })
}

const HELP: &[&str] = &[
    "Type over a value, and press ENTER. The capitals of a choice are enough.",
    "",
    "Internal trace     the table in the memory of the region. It wraps around.",
    "Auxiliary trace    the data sets DFHAUXT (A) and DFHBUXT (B). Typing the",
    "                   other letter switches to the other data set.",
    "Switch status      what happens when a data set is full: NO stops auxiliary",
    "                   trace, NEXT switches once, ALL switches each time.",
    "GTF trace          the stream that 'regent trace --follow' shows.",
    "System trace flag  standard trace entries. Special tracing has its own",
    "                   levels (PF4), and transactions and terminals (PF5).",
    "User trace flag    entries of programs (ENTER TRACENUM).",
    "",
    "Exceptions are always traced. 'regent trace' prints the data sets.",
];
