//! PF5 of CETR: the tracing of a transaction and of a terminal.
//!
//! An identifier alone shows the status; one with a status sets it.

use super::choices::{Choice, Words};
use super::{ARROW, CHOICES, Left, Messages, VALUE, finish};
use crate::panel::{Answer, Panel, Style};
use exec::{CommandId, OptionId, aid, command, cvda, option};
use region::exec_interface::call::Call;
use region::{Raised, Task};

const OF_TRANSACTION: Words = Words::Of(&[
    Choice::new("STandard", cvda::STANTRACE),
    Choice::new("SPecial", cvda::SPECTRACE),
    Choice::new("SUppressed", cvda::SPRSTRACE),
]);
const OF_TERMINAL: Words = Words::Of(&[Choice::new("STandard", cvda::STANTRACE), Choice::new("SPecial", cvda::SPECTRACE)]);

const TRANSACTION: usize = 0;
const TRANSACTION_STATUS: usize = 1;
const TERMINAL: usize = 2;
const NETNAME: usize = 3;
const TERMINAL_STATUS: usize = 4;

/// What is in the fields.
#[derive(Default)]
struct Fields([String; 5]);

pub(super) fn show(task: &mut Task) -> Result<Left, Raised> {
    let (mut fields, mut messages) = (Fields::default(), Messages::default());
    loop {
        let panel = draw(task, &fields, &messages)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        messages = Messages::default();
        match answer.aid {
            aid::PF3 | aid::PF15 => return Ok(Left::Quit),
            aid::CLEAR => return Ok(Left::Clear),
            aid::ENTER => {
                let changed = fields.take(&answer);
                fields.transaction(task, &changed, &mut messages)?;
                fields.terminal(task, &changed, &mut messages)?;
            }
            _ => messages.0.push("THAT KEY IS UNDEFINED".to_string()),
        }
    }
}

impl Fields {
    /// Takes what was typed; which fields have changed.
    fn take(&mut self, answer: &Answer) -> [bool; 5] {
        let mut changed = [false; 5];
        for (id, field) in self.0.iter_mut().enumerate() {
            if let Some(typed) = answer.value(id).map(|typed| typed.trim().to_ascii_uppercase()) {
                changed[id] = typed != *field;
                *field = typed;
            }
        }
        changed
    }

    fn transaction(&mut self, task: &mut Task, changed: &[bool; 5], messages: &mut Messages) -> Result<(), Raised> {
        let name = (option::TRANSACTION, self.0[TRANSACTION].clone(), 4);
        let commands = (command::INQUIRE_TRANSACTION, command::SET_TRANSACTION);
        let status = changed[TRANSACTION_STATUS].then(|| self.0[TRANSACTION_STATUS].clone());
        self.0[TRANSACTION_STATUS] = exchange(task, &name, commands, OF_TRANSACTION, status, messages)?;
        Ok(())
    }

    /// A terminal is named by its identifier or by its netname.
    fn terminal(&mut self, task: &mut Task, changed: &[bool; 5], messages: &mut Messages) -> Result<(), Raised> {
        if changed[NETNAME] && !self.0[NETNAME].is_empty() {
            self.0[TERMINAL] = terminal_of(task, &self.0[NETNAME], messages)?;
        }
        let name = (option::TERMINAL, self.0[TERMINAL].clone(), 4);
        let commands = (command::INQUIRE_TERMINAL, command::SET_TERMINAL);
        let status = changed[TERMINAL_STATUS].then(|| self.0[TERMINAL_STATUS].clone());
        self.0[TERMINAL_STATUS] = exchange(task, &name, commands, OF_TERMINAL, status, messages)?;
        Ok(())
    }
}

/// The terminal of a netname; blank if there is none.
fn terminal_of(task: &mut Task, netname: &str, messages: &mut Messages) -> Result<String, Raised> {
    let mut call = Call::new(command::INQUIRE_NETNAME);
    call.text(task, option::NETNAME, &format!("{netname:8}")).bytes(option::TERMINAL, &[0; 4]);
    let response = call.execute(task)?;
    messages.answer(&call, response);
    Ok(if response.is_normal() { call.result_text(task, option::TERMINAL).trim().to_string() } else { String::new() })
}

/// Sets the status of a resource if one is given, and returns the status in force as it is shown.
fn exchange(
    task: &mut Task,
    (name_option, name, length): &(OptionId, String, usize),
    (inquire, set): (CommandId, CommandId),
    words: Words,
    status: Option<String>,
    messages: &mut Messages,
) -> Result<String, Raised> {
    if name.is_empty() {
        return Ok(String::new());
    }
    if let Some(typed) = status.filter(|status| !status.is_empty()) {
        match words.typed(&typed) {
            Some(value) => {
                let mut call = Call::new(set);
                call.text(task, *name_option, &format!("{name:length$}")).integer(option::TRACING, value);
                let response = call.execute(task)?;
                messages.answer(&call, response);
            }
            None => messages.0.push(format!("'{typed}' IS NOT {}", words.possible().to_uppercase())),
        }
    }
    let mut call = Call::new(inquire);
    call.text(task, *name_option, &format!("{name:length$}")).integer(option::TRACING, 0);
    let response = call.execute(task)?;
    if !response.is_normal() {
        if messages.0.is_empty() {
            messages.answer(&call, response);
        }
        return Ok(String::new());
    }
    Ok(words.shown(call.result(option::TRACING).unwrap_or_default()))
}

fn draw(task: &mut Task, fields: &Fields, messages: &Messages) -> Result<Panel, Raised> {
    let mut panel = Panel::for_task(task)?;
    panel.bright(1, 2, "CETR").bright(1, 26, "Transaction and Terminal Trace");
    panel.text(3, 2, "Type in your choices.");
    panel.text(5, 2, "Item").text(5, VALUE, "Choice").text(5, CHOICES, "Possible choices");
    let rows = [
        (TRANSACTION, 7, "Transaction ID", 4, "Any valid 4 character ID".to_string()),
        (TRANSACTION_STATUS, 8, "Transaction Status", 10, OF_TRANSACTION.possible()),
        (TERMINAL, 10, "Terminal ID", 4, "Any valid Terminal ID".to_string()),
        (NETNAME, 11, "Netname", 8, "Any valid Netname".to_string()),
        (TERMINAL_STATUS, 12, "Terminal Status", 10, OF_TERMINAL.possible()),
    ];
    for (id, line, title, length, possible) in rows {
        panel.text(line, 2, title).text(line, ARROW, "===>");
        panel.input(id, line, VALUE, length, Style::Input, &fields.0[id]).text(line, CHOICES, &possible);
    }
    panel.text(14, 2, "When finished, press ENTER.");
    finish(&mut panel, messages, "PF3=Quit");
    panel.cursor_to(TRANSACTION);
    Ok(panel)
}
