//! CESN, CESL and CESF: signing on and off.
//!
//! With SEC=YES the security database decides who may sign on; a password that has expired is changed before. With SEC=NO every user is
//! accepted, nobody looks at the password, and the last message says so. CESN takes passwords of eight characters, CESL phrases of a
//! hundred. Invariant: a password typed is kept for one sign-on only, and is never shown.

use super::panel::{self, Answer, Panel, Style};
use exec::aid;
use region::facility::Terminal;
use region::messages::Message;
use region::name::Name8;
use region::{Raised, Task};
use security::{Reason, Secret};
use security_manager::signing::{self, Credentials, Failure};
use std::sync::Arc;
use terminals::terminal_control::input::{display, facility};

const USERID: usize = 1;
const GROUPID: usize = 2;
const PASSWORD: usize = 3;
const LANGUAGE: usize = 4;
const NEW_PASSWORD: usize = 5;
/// The field in which a new password is typed for the second time.
const AGAIN: usize = 6;

/// The language of all messages.
const ENGLISH: &str = "ENU";
/// Signing on is given up after so many refusals in a row.
const REFUSALS_MAX: u32 = 5;

/// The input so far.
#[derive(Default)]
struct Entry {
    userid: String,
    group: String,
    password: String,
    language: String,
    new_password: String,
    /// The new password, typed for the second time.
    again: Option<String>,
}

impl Entry {
    /// `USERID=X,PS=Y` typed with the transaction; also `USERID(X)`.
    ///
    /// # Errors
    ///
    /// The message about a keyword that is none.
    fn parse(text: &str) -> Result<Self, Message> {
        let mut entry = Self::default();
        for item in text.split([',', ' ']).filter(|item| !item.is_empty()) {
            let Some((keyword, value)) = item.split_once(['=', '(']) else { return Err(Message::new("DFHCE3500", &[])) };
            let value = value.trim_end_matches(')');
            match keyword.to_ascii_uppercase().as_str() {
                "USERID" | "USER" => entry.userid = value.to_ascii_uppercase(),
                "PS" | "PASSWORD" => entry.password = value.to_string(),
                "NEWPS" | "NEWPASSWORD" => entry.new_password = value.to_string(),
                "GROUPID" | "GROUP" => entry.group = value.to_ascii_uppercase(),
                "LANG" | "LANGUAGE" => entry.language = value.to_ascii_uppercase(),
                _ => return Err(Message::new("DFHCE3501", &[])),
            }
        }
        Ok(entry)
    }

    fn take(&mut self, answer: &Answer) {
        (self.password, self.new_password, self.again) = (String::new(), String::new(), None);
        for (id, value) in &answer.values {
            let (typed, folded) = (value.trim(), value.trim().to_ascii_uppercase());
            match *id {
                USERID => self.userid = folded,
                GROUPID => self.group = folded,
                PASSWORD => self.password = typed.to_string(),
                LANGUAGE => self.language = folded,
                NEW_PASSWORD => self.new_password = typed.to_string(),
                AGAIN => self.again = Some(typed.to_string()),
                _ => {}
            }
        }
    }

    fn user(&self) -> Name8 {
        Name8::new(&self.userid)
    }

    fn group(&self) -> Name8 {
        Name8::new(&self.group)
    }
}

/// What is typed where: CESN has room for passwords, CESL for phrases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Passwords,
    Phrases,
}

impl Kind {
    /// Characters of the fields for passwords, in two rows if they do not fit one.
    const fn length(self) -> u16 {
        match self {
            Kind::Passwords => 8,
            Kind::Phrases => 50,
        }
    }
}

pub fn sign_on(task: &mut Task) -> Result<(), Raised> {
    sign_on_with(task, Kind::Passwords)
}

pub fn sign_on_long(task: &mut Task) -> Result<(), Raised> {
    sign_on_with(task, Kind::Phrases)
}

/// What comes after an attempt.
enum Next {
    Done,
    /// The panel is shown again with the message.
    Again(Message),
    /// The transaction ends with the message.
    End(Message),
}

fn sign_on_with(task: &mut Task, kind: Kind) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    if terminal.is_preset() {
        return panel::last_word(task, &Message::new("DFHCE3545", &[]).line());
    }
    let mut entry = match Entry::parse(&typed) {
        Ok(entry) => entry,
        Err(message) => return panel::last_word(task, &message.line()),
    };
    let mut asked = !entry.userid.is_empty();
    let mut message = Message::new("DFHCE3520", &[]);
    let mut refusals = 0;
    loop {
        if asked {
            match attempt(task, &terminal, &entry)? {
                Next::Done => break,
                Next::End(message) => return panel::last_word(task, &message.line()),
                Next::Again(again) => message = again,
            }
            refusals += 1;
            if refusals >= REFUSALS_MAX {
                return panel::last_word(task, &Message::new("DFHCE3551", &[]).line());
            }
        }
        let panel = panel_of(task, kind, &entry, &message)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        asked = answer.aid == aid::ENTER;
        match answer.aid {
            aid::ENTER => entry.take(&answer),
            aid::PF3 | aid::PF15 | aid::CLEAR | aid::PA1 | aid::PA2 | aid::PA3 => {
                return panel::last_word(task, &Message::new("DFHCE3543", &[]).line());
            }
            _ => message = Message::new("DFHCE3558", &[]),
        }
    }
    let unchecked = if signing::is_active(task.region) { "" } else { " SEC=NO: the password was not checked." };
    panel::last_word(task, &Message::new("DFHCE3549", &[("language", ENGLISH), ("unchecked", unchecked)]).line())
}

/// Tries to sign on with what was entered. Whoever was signed on is signed off first: "a signed-on user is signed off when a userid is entered
/// on the signon panel and the ENTER key is pressed" (CESN).
fn attempt(task: &mut Task, terminal: &Arc<dyn Terminal>, entry: &Entry) -> Result<Next, Raised> {
    if let Err(message) = check(entry) {
        signing::rejected(task, terminal, entry.user(), entry.group())?;
        return Ok(Next::Again(message));
    }
    if terminal.is_signed_on() {
        signing::sign_off(task, terminal)?;
    }
    if !signing::is_active(task.region) {
        signing::sign_on_unchecked(task, terminal, entry.user(), entry.group())?;
        return Ok(Next::Done);
    }
    if entry.password.is_empty() {
        return Ok(Next::Again(Message::new("DFHCE3521", &[])));
    }
    if entry.again.as_ref().is_some_and(|again| *again != entry.new_password) {
        return Ok(Next::Again(Message::new("DFHCE3539", &[])));
    }
    let new = (!entry.new_password.is_empty()).then(|| Secret::new(&entry.new_password));
    let credentials = Credentials { user: entry.user(), group: entry.group(), secret: Secret::new(&entry.password), new, card: None };
    if !credentials.is_consistent() {
        return Ok(Next::Again(Message::new("DFHCE3535", &[])));
    }
    Ok(match signing::sign_on(task, terminal, &credentials)? {
        Ok(_) => Next::Done,
        Err(failure) => after(&failure),
    })
}

/// What a refusal leads to. Whether a user is unknown or his password wrong is not told.
fn after(failure: &Failure) -> Next {
    let again = |id| Next::Again(Message::new(id, &[]));
    let end = |id| Next::End(Message::new(id, &[]));
    match failure {
        Failure::Elsewhere => end("DFHCE3546"),
        Failure::Refused(refusal) => match refusal.reason {
            Reason::UserUnknown | Reason::SecretWrong => again("DFHCE3533"),
            Reason::SecretExpired => again("DFHCE3525"),
            Reason::NewSecretInvalid => again("DFHCE3535"),
            Reason::NotInGroup => again("DFHCE3538"),
            Reason::UserRevoked => end("DFHCE3542"),
            Reason::GroupRevoked => end("DFHCE3540"),
            Reason::TerminalNotAuthorized | Reason::NotNow => end("DFHCE3544"),
            Reason::CardNeeded | Reason::CardWrong => end("DFHCE3532"),
            Reason::ApplicationNotAuthorized => end("DFHCE3531"),
            Reason::NotAvailable => Next::End(Message::new("DFHCE3547", &[("reason", &refusal.to_string())])),
        },
    }
}

/// What can be told without the security database.
fn check(entry: &Entry) -> Result<(), Message> {
    let valid = |name: &str| name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@#$".contains(&byte));
    if entry.userid.is_empty() {
        return Err(Message::new("DFHCE3520", &[]));
    }
    if !valid(&entry.userid) {
        return Err(Message::new("DFHCE3530", &[]));
    }
    if !valid(&entry.group) {
        return Err(Message::new("DFHCE3538", &[]));
    }
    if !entry.language.is_empty() && entry.language != ENGLISH {
        return Err(Message::new("DFHCE3537", &[]));
    }
    Ok(())
}

fn panel_of(task: &mut Task, kind: Kind, entry: &Entry, message: &Message) -> Result<Panel, Raised> {
    let mut panel = Panel::for_task(task)?;
    let region = task.region;
    let rows = panel.size.rows;
    let (length, of_what) = match kind {
        Kind::Passwords => (kind.length(), "password"),
        Kind::Phrases => (kind.length(), "password or phrase"),
    };
    panel.bright(1, 28, "Signon to CICS").text(1, 60, &format!("APPLID {}", region.applid));
    let text: Vec<char> = region.sit.good_morning_text().chars().collect();
    for (index, line) in text.chunks(78).take(4).enumerate() {
        let line: String = line.iter().collect();
        panel.text(4 + index as u16, 2, &line);
    }
    panel.text(10, 2, &format!("Type your userid and {of_what}, then press ENTER:"));
    panel.text(12, 11, "Userid . . . .").input(USERID, 12, 27, 8, Style::BrightInput, &entry.userid);
    panel.text(12, 38, "Groupid . . .").input(GROUPID, 12, 53, 8, Style::Input, &entry.group);
    panel.text(13, 11, "Password . . .").input(PASSWORD, 13, 27, length, Style::Hidden, "");
    panel.text(14, 11, "Language . . .").input(LANGUAGE, 14, 27, 3, Style::Input, &entry.language);
    panel.text(16, 7, "New Password . . .").input(NEW_PASSWORD, 16, 27, length, Style::Hidden, "");
    let has_expired = matches!(message.id, "DFHCE3525" | "DFHCE3535" | "DFHCE3539");
    if has_expired {
        panel.text(17, 7, "New Password again").input(AGAIN, 17, 27, length, Style::Hidden, "");
    }
    panel.bright(rows - 1, 2, &message.line()).text(rows, 2, "F3=Exit");
    let wants_password = has_expired || matches!(message.id, "DFHCE3521" | "DFHCE3533");
    panel.cursor_to(if wants_password { PASSWORD } else { USERID });
    Ok(panel)
}

pub fn sign_off(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    if let Some(ended) = super::good_night::sign_off_by_time(task, &terminal) {
        return ended;
    }
    let typed = panel::typed(task, display(&*terminal)?)?.to_ascii_uppercase();
    let id = if terminal.is_preset() {
        "DFHCE3592"
    } else if terminal.is_signed_on() {
        signing::sign_off(task, &terminal)?;
        "DFHCE3590"
    } else {
        "DFHCE3591"
    };
    if typed.starts_with("LOGOFF") || typed.starts_with("GOODNIGHT") {
        terminals::terminal_control::TaskState::of_mut(&mut task.parts).disconnect = true;
    }
    panel::last_word(task, &Message::new(id, &[]).line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_cesn() {
        let entry = Entry::parse("USERID=abc,PS=Secret").unwrap();
        assert_eq!((entry.userid.as_str(), entry.password.as_str()), ("ABC", "Secret"));
        assert_eq!(Entry::parse("user(X) newps=Y").unwrap().new_password, "Y");
        assert_eq!(Entry::parse("nonsense").err().unwrap().id, "DFHCE3500");
        assert_eq!(Entry::parse("USERID=A,CODE=1").err().unwrap().id, "DFHCE3501");
    }
}
