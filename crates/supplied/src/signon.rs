//! CESN and CESF: signing on and off.
//!
//! A region without a security manager (SEC=NO) accepts every user identifier, ignores the password, as CICS does, and says so. SEC=YES is
//! not supported.

use super::panel::{self, Answer, Panel, Style};
use super::signon_exits::{self as exits, FAILED, NORMAL, SUCCESSFUL, Signing};
use exec::{aid, exit_point};
use kernel::trace::{self, Value, points};
use region::messages::Message;
use region::name::Name8;
use region::{Raised, Task};
use terminals::terminal_control::input::{display, facility};

const USERID: usize = 1;
const GROUPID: usize = 2;
const PASSWORD: usize = 3;
const LANGUAGE: usize = 4;
const NEW_PASSWORD: usize = 5;

/// The input so far.
#[derive(Default)]
struct Entry {
    userid: String,
    group: String,
    password: String,
    language: String,
    new_password: String,
}

impl Entry {
    /// `USERID=X,PS=Y` typed with the transaction; also `USERID(X)`.
    fn parse(text: &str) -> Self {
        let mut entry = Self::default();
        for item in text.split([',', ' ']).filter(|item| !item.is_empty()) {
            let Some((keyword, value)) = item.split_once(['=', '(']) else { continue };
            let value = value.trim_end_matches(')').to_ascii_uppercase();
            match keyword.to_ascii_uppercase().as_str() {
                "USERID" | "USER" => entry.userid = value,
                "PS" | "PASSWORD" => entry.password = value,
                "NEWPS" | "NEWPASSWORD" => entry.new_password = value,
                "GROUPID" | "GROUP" => entry.group = value,
                "LANG" | "LANGUAGE" => entry.language = value,
                _ => {}
            }
        }
        entry
    }

    fn take(&mut self, answer: &Answer) {
        for (id, value) in &answer.values {
            let value = value.trim().to_ascii_uppercase();
            match *id {
                USERID => self.userid = value,
                GROUPID => self.group = value,
                PASSWORD => self.password = value,
                LANGUAGE => self.language = value,
                NEW_PASSWORD => self.new_password = value,
                _ => {}
            }
        }
    }
}

pub fn sign_on(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    let mut entry = Entry::parse(&typed);
    let mut message = Message::new("DFHCE3520", &[]);
    let mut asked = false;
    loop {
        if asked || !entry.userid.is_empty() {
            match check(&entry) {
                Ok(()) => break,
                Err(fault) => {
                    message = fault;
                    let (user, group) = (Name8::new(&entry.userid), Name8::new(&entry.group));
                    exits::call(task, exit_point::XSNON, &*terminal, &Signing { user, group, flags: FAILED })?;
                }
            }
        }
        let panel = panel_of(task, &entry, &message)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        match answer.aid {
            aid::ENTER => entry.take(&answer),
            aid::PF3 | aid::PF15 | aid::CLEAR | aid::PA1 | aid::PA2 | aid::PA3 => {
                return panel::last_word(task, &Message::new("DFHCE3543", &[]).line());
            }
            _ => {
                message = Message::new("DFHCE3558", &[]);
                entry.password.clear();
                asked = false;
                continue;
            }
        }
        asked = true;
    }
    let user = Name8::new(&entry.userid);
    terminal.sign_on(user);
    let group = Name8::new(&entry.group);
    exits::call(task, exit_point::XSNON, &*terminal, &Signing { user, group, flags: SUCCESSFUL })?;
    let name = terminal.name();
    trace::point(&points::XS_SIGNON, &[Value::Text("SIGNON"), Value::Text(user.as_str()), Value::Text(name.as_str())]);
    task.region.messages.send("DFHSN1100", &[("termid", name.as_str()), ("userid", user.as_str())]);
    let language = if entry.language.is_empty() { "ENU" } else { entry.language.as_str() };
    panel::last_word(task, &Message::new("DFHCE3549", &[("language", language)]).line())
}

fn check(entry: &Entry) -> Result<(), Message> {
    let valid = |name: &str| name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@#$".contains(&byte));
    if entry.userid.is_empty() {
        return Err(Message::new("DFHCE3520", &[]));
    }
    if !valid(&entry.userid) {
        return Err(Message::new("DFHCE3530", &[]));
    }
    Ok(())
}

fn panel_of(task: &mut Task, entry: &Entry, message: &Message) -> Result<Panel, Raised> {
    let mut panel = Panel::for_task(task)?;
    let region = task.region;
    let rows = panel.size.rows;
    panel.bright(1, 28, "Signon to CICS").text(1, 60, &format!("APPLID {}", region.applid));
    let text: Vec<char> = region.sit.good_morning_text().chars().collect();
    for (index, line) in text.chunks(78).take(4).enumerate() {
        let line: String = line.iter().collect();
        panel.text(4 + index as u16, 2, &line);
    }
    panel.text(10, 2, "Type your userid and password, then press ENTER:");
    panel.text(12, 11, "Userid . . . .").input(USERID, 12, 27, 8, Style::BrightInput, &entry.userid);
    panel.text(12, 38, "Groupid . . .").input(GROUPID, 12, 53, 8, Style::Input, &entry.group);
    panel.text(13, 11, "Password . . .").input(PASSWORD, 13, 27, 8, Style::Hidden, "");
    panel.text(14, 11, "Language . . .").input(LANGUAGE, 14, 27, 3, Style::Input, &entry.language);
    panel.text(16, 7, "New Password . . .").input(NEW_PASSWORD, 16, 27, 8, Style::Hidden, "");
    panel.bright(rows - 1, 2, &message.line()).text(rows, 2, "F3=Exit");
    panel.cursor_to(if message.id == "DFHCE3521" || message.id == "DFHCE3532" { PASSWORD } else { USERID });
    Ok(panel)
}

pub fn sign_off(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?.to_ascii_uppercase();
    let message = if terminal.is_signed_on() {
        let (name, user) = (terminal.name(), terminal.user_id());
        terminal.sign_off();
        let group = Name8::BLANK;
        exits::call(task, exit_point::XSNOFF, &*terminal, &Signing { user, group, flags: NORMAL })?;
        trace::point(&points::XS_SIGNOFF, &[Value::Text("SIGNOFF"), Value::Text(user.as_str()), Value::Text(name.as_str())]);
        task.region.messages.send("DFHSN1200", &[("termid", name.as_str()), ("userid", user.as_str())]);
        Message::new("DFHCE3590", &[])
    } else {
        Message::new("DFHCE3591", &[])
    };
    if typed.starts_with("LOGOFF") || typed.starts_with("GOODNIGHT") {
        terminals::terminal_control::TaskState::of_mut(&mut task.parts).disconnect = true;
    }
    panel::last_word(task, &message.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_cesn() {
        let entry = Entry::parse("USERID=abc,PS=secret");
        assert_eq!((entry.userid.as_str(), entry.password.as_str()), ("ABC", "SECRET"));
        assert_eq!(Entry::parse("user(X) newps=Y").new_password, "Y");
        assert!(Entry::parse("nonsense").userid.is_empty());
    }
}
