//! CMSG: message switching ("CMSG - message switching"). A message is put together by options, in one input or several, and SEND delivers it: a
//! task at each terminal, now or at a time, shows it there.
//!
//! The response to each input begins with the first letters of the options in effect: `MR OK`. It does not use ROUTE: the task that delivers
//! is CMSG itself, by START with the message as its data; DATE, OPCLASS, ERRTERM and PROTECT belong to routing, and are refused by name.

use super::conversation::{self, Typed};
use exec::{command, condition, option};
use region::exec_interface::call::Call;
use region::{Raised, StartCode, Task};

/// Bytes of a message.
const MESSAGE_LENGTH_MAX: usize = 1500;
const TITLE_LENGTH_MAX: usize = 62;

/// The options of a message so far.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Request {
    message: Option<String>,
    destinations: Vec<Destination>,
    /// HHMM, or seconds from now.
    time: Option<Time>,
    title: Option<String>,
    heading: bool,
    sends: bool,
    cancelled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Destination {
    All,
    Terminal(String),
    /// The terminal where this user is signed on.
    User(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    At(u32),
    /// Hours and minutes from now.
    In(u32),
}

/// The program of transaction CMSG: at the terminal of the sender, or started at that of a receiver.
pub fn switch_message(task: &mut Task) -> Result<(), Raised> {
    if matches!(task.start_code, StartCode::StartWithData) {
        return deliver(task);
    }
    let mut request = Request::default();
    let mut typed = conversation::typed(task)?;
    loop {
        let said = match parse(&typed, &mut request) {
            Ok(()) if request.cancelled => return conversation::last_word(task, "MESSAGE CANCELLED"),
            Ok(()) if request.sends => match send(task, &request)? {
                Ok(count) => {
                    let said = format!("{} OK MSG SENT TO {count} TERMINAL(S)", indicators(&request));
                    return conversation::last_word(task, &said);
                }
                Err(why) => {
                    request.sends = false;
                    why
                }
            },
            Ok(()) => "CONTINUE INPUT".to_string(),
            Err(why) => why,
        };
        match conversation::ask(task, &format!("{} OK {said}", indicators(&request)))? {
            Typed::Text(text) => typed = text,
            Typed::Key => return conversation::last_word(task, "MESSAGE CANCELLED"),
        }
    }
}

/// The first letters of the options in effect.
fn indicators(request: &Request) -> String {
    let letters = [
        ('H', request.heading),
        ('I', request.title.is_some()),
        ('M', request.message.is_some()),
        ('R', !request.destinations.is_empty()),
        ('S', request.sends),
        ('T', request.time.is_some()),
    ];
    letters.iter().filter(|(_, is_set)| *is_set).map(|(letter, _)| *letter).collect()
}

/// Options separated by commas; a message in quotes needs no keyword, and a quote within it is doubled.
fn parse(text: &str, request: &mut Request) -> Result<(), String> {
    if text.trim_end().to_ascii_uppercase().ends_with("CANCEL") {
        request.cancelled = true;
        return Ok(());
    }
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (part, behind) = part(rest)?;
        option_of(part.trim(), request)?;
        rest = behind.trim_start().trim_start_matches(',').trim_start();
    }
    Ok(())
}

/// One option: up to a comma outside quotes and parentheses.
fn part(text: &str) -> Result<(&str, &str), String> {
    let (mut quoted, mut depth) = (false, 0_usize);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.checked_sub(1).ok_or("UNBALANCED PARENTHESES")?,
            ',' if !quoted && depth == 0 => return Ok((&text[..at], &text[at..])),
            _ => {}
        }
    }
    if quoted {
        return Err("MSG HAS NO CLOSING QUOTE".to_string());
    }
    if depth > 0 { Err("UNBALANCED PARENTHESES".to_string()) } else { Ok((text, "")) }
}

fn option_of(part: &str, request: &mut Request) -> Result<(), String> {
    if part.starts_with('\'') {
        return message(part, request);
    }
    let (keyword, value) = part.split_once('=').map_or((part, ""), |(keyword, value)| (keyword.trim(), value.trim()));
    let keyword = keyword.to_ascii_uppercase();
    const OPTIONS: [&str; 10] = ["DATE", "ERRTERM", "HEADING", "ID", "MSG", "OPCLASS", "PROTECT", "ROUTE", "SEND", "TIME"];
    let meant = OPTIONS.iter().find(|option| **option == keyword || keyword.len() == 1 && option.starts_with(&keyword));
    match meant.copied() {
        Some("MSG") => message(value, request),
        Some("ROUTE") => {
            request.destinations = route(value)?;
            Ok(())
        }
        Some("TIME") => {
            request.time = Some(time(value)?);
            Ok(())
        }
        Some("ID") => {
            let title = value.trim_start_matches('(').trim_end_matches(')').trim();
            if title.is_empty() || title.chars().count() > TITLE_LENGTH_MAX {
                return Err(format!("TITLE IS NOT 1 TO {TITLE_LENGTH_MAX} CHARS"));
            }
            request.title = Some(title.to_string());
            Ok(())
        }
        Some("HEADING") => {
            request.heading = !value.eq_ignore_ascii_case("NO");
            Ok(())
        }
        Some("SEND") => {
            request.sends = true;
            Ok(())
        }
        Some(other) => Err(format!("{other} IS NOT AVAILABLE")),
        None => Err(format!("INVALID OPTION {}", keyword.chars().take(8).collect::<String>())),
    }
}

fn message(quoted: &str, request: &mut Request) -> Result<(), String> {
    let inner = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).ok_or("MSG IS NOT IN QUOTES")?;
    let text = inner.replace("''", "'");
    if text.is_empty() || text.chars().count() > MESSAGE_LENGTH_MAX {
        return Err(format!("MSG IS NOT 1 TO {MESSAGE_LENGTH_MAX} CHARS"));
    }
    request.message = Some(text);
    Ok(())
}

/// `T001`, `(T001,T002)`, `/USERID`, ALL.
fn route(value: &str) -> Result<Vec<Destination>, String> {
    let inner = value.trim_start_matches('(').trim_end_matches(')');
    let mut destinations = Vec::new();
    for name in inner.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        destinations.push(match name.strip_prefix('/') {
            _ if name.eq_ignore_ascii_case("ALL") => Destination::All,
            _ if name.starts_with('.') => return Err("TERMINAL LISTS ARE NOT AVAILABLE".to_string()),
            Some(user) if (1..=8).contains(&user.len()) => Destination::User(user.to_ascii_uppercase()),
            Some(user) => return Err(format!("USERID GT 8 CHAR AT {user}")),
            None if name.chars().count() > 4 => return Err(format!("TERMID GT 4 CHAR AT {}", name.chars().take(5).collect::<String>())),
            None => Destination::Terminal(name.to_string()),
        });
    }
    if destinations.is_empty() { Err("NO DESTINATION".to_string()) } else { Ok(destinations) }
}

/// `0930` is a time of day, `+0010` ten minutes from now.
fn time(value: &str) -> Result<Time, String> {
    let digits = value.strip_prefix('+').unwrap_or(value);
    let number: u32 = digits.parse().map_err(|_| "INVALID TIME".to_string())?;
    let limit = if value.starts_with('+') { 99 } else { 23 };
    if digits.len() != 4 || number / 100 > limit || number % 100 > 59 {
        return Err("INVALID TIME".to_string());
    }
    Ok(if value.starts_with('+') { Time::In(number) } else { Time::At(number) })
}

/// Starts a task at each destination. The inner error is what to tell the sender.
fn send(task: &mut Task, request: &Request) -> Result<Result<usize, String>, Raised> {
    let Some(message) = &request.message else { return Ok(Err("NO MESSAGE".to_string())) };
    if request.destinations.is_empty() {
        return Ok(Err("NO DESTINATION".to_string()));
    }
    let terminals = match terminals(task, &request.destinations)? {
        Ok(terminals) => terminals,
        Err(why) => return Ok(Err(why)),
    };
    let text = text(task, request, message);
    for terminal in &terminals {
        let mut start = Call::new(command::START);
        let data = task.region.code_page.encode(&text);
        start.text(task, option::TRANSID, task.transid.as_str()).text(task, option::TERMID, terminal);
        start.bytes(option::FROM, &data).integer(option::LENGTH, data.len() as i64);
        // HHMMSS
        match request.time {
            Some(Time::At(time)) => start.integer(option::TIME, i64::from(time) * 100),
            Some(Time::In(time)) => start.integer(option::INTERVAL, i64::from(time) * 100),
            None => start.integer(option::INTERVAL, 0),
        };
        if start.execute(task)?.condition == condition::TERMIDERR {
            return Ok(Err(format!("INVLD TERMINL ID {terminal}")));
        }
    }
    Ok(Ok(terminals.len()))
}

/// The message with what HEADING and ID put before it.
fn text(task: &Task, request: &Request, message: &str) -> String {
    let mut lines = Vec::new();
    if request.heading {
        let now = region::clock::now_local();
        lines.push(format!("MSG FROM {} {} {}", task.terminal_name(), now.date_text(), now.time_text()));
    }
    lines.extend(request.title.clone());
    lines.push(message.to_string());
    lines.join("\n")
}

/// The terminals of the destinations, each of them once. ALL is without the sender's own.
fn terminals(task: &mut Task, destinations: &[Destination]) -> Result<Result<Vec<String>, String>, Raised> {
    let known = known(task)?;
    let own = task.terminal_name().to_string();
    let mut chosen: Vec<String> = Vec::new();
    for destination in destinations {
        let found: Vec<String> = match destination {
            Destination::All => known.iter().map(|(name, _)| name.clone()).filter(|name| *name != own).collect(),
            Destination::Terminal(name) => {
                known.iter().filter(|(known, _)| known.trim_end() == name).map(|(name, _)| name.clone()).collect()
            }
            Destination::User(user) => known.iter().filter(|(_, of)| of.trim_end() == user).map(|(name, _)| name.clone()).collect(),
        };
        match destination {
            Destination::Terminal(name) if found.is_empty() => return Ok(Err(format!("INVLD TERMINL ID {name}"))),
            Destination::User(user) if found.is_empty() => return Ok(Err(format!("OPER NOT SIGNED ON {user}"))),
            _ => {}
        }
        for name in found {
            if !chosen.contains(&name) {
                chosen.push(name);
            }
        }
    }
    Ok(if chosen.is_empty() { Err("NO DESTINATION".to_string()) } else { Ok(chosen) })
}

/// All terminals, with the users signed on at them.
fn known(task: &mut Task) -> Result<Vec<(String, String)>, Raised> {
    let mut known = Vec::new();
    if !Call::new(command::INQUIRE_TERMINAL).flag(option::START).execute(task)?.is_normal() {
        return Ok(known);
    }
    loop {
        let mut next = Call::new(command::INQUIRE_TERMINAL);
        next.flag(option::NEXT).bytes(option::TERMINAL, &[0; 4]).bytes(option::USERID, &[0; 8]);
        if !next.execute(task)?.is_normal() {
            break;
        }
        known.push((next.result_text(task, option::TERMINAL), next.result_text(task, option::USERID)));
    }
    Call::new(command::INQUIRE_TERMINAL).flag(option::END).execute(task)?;
    Ok(known)
}

/// Shows the message at the receiver's terminal.
fn deliver(task: &mut Task) -> Result<(), Raised> {
    let mut retrieve = Call::new(command::RETRIEVE);
    retrieve.bytes(option::INTO, &[0; MESSAGE_LENGTH_MAX + 200]).integer(option::LENGTH, MESSAGE_LENGTH_MAX as i64 + 200);
    if !retrieve.execute(task)?.is_normal() {
        return Ok(());
    }
    let length = usize::try_from(retrieve.result(option::LENGTH).unwrap_or(0)).unwrap_or(0);
    let bytes = retrieve.result_bytes(option::INTO);
    let text = task.region.code_page.text(&bytes[..length.min(bytes.len())]);
    let mut send = Call::new(command::SEND_TEXT);
    send.text(task, option::FROM, &text).integer(option::LENGTH, text.chars().count() as i64);
    send.flag(option::ERASE).flag(option::FREEKB).flag(option::ALARM);
    send.execute(task).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Request, String> {
        let mut request = Request::default();
        parse(text, &mut request).map(|()| request)
    }

    #[test]
    fn options_are_parsed() {
        let request = parsed("R=(T001,/BPK),'DON''T, PLEASE',T=+0010,H,I=(TITLE),S").unwrap();
        assert_eq!(request.message.as_deref(), Some("DON'T, PLEASE"));
        assert_eq!(request.destinations, [Destination::Terminal("T001".to_string()), Destination::User("BPK".to_string())]);
        assert_eq!(
            (request.time, request.title.as_deref(), request.heading, request.sends),
            (Some(Time::In(10)), Some("TITLE"), true, true)
        );
        assert_eq!(indicators(&request), "HIMRST");
        assert_eq!(parsed("MSG='A',ROUTE=ALL,SEND").unwrap().destinations, [Destination::All]);
        assert!(parsed("R=T001,CANCEL").unwrap().cancelled);
        for (text, why) in [
            ("R=T004A", "TERMID GT 4 CHAR AT T004A"),
            ("'OPEN", "MSG HAS NO CLOSING QUOTE"),
            ("R=(A", "UNBALANCED PARENTHESES"),
            ("T=2460", "INVALID TIME"),
            ("X=1", "INVALID OPTION X"),
            ("O=4", "OPCLASS IS NOT AVAILABLE"),
            ("R=.G1", "TERMINAL LISTS ARE NOT AVAILABLE"),
        ] {
            assert_eq!(parsed(text).unwrap_err(), why, "{text}");
        }
    }
}
