//! `regent cemt` and `regent ceda`: one command of these transactions in a running region, with all pages of its answer, as text or as JSON.
//!
//! They type the command at a terminal of their own, as `regent console` does, so the region decides what the user may do.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};
use tn3270::{Client, ClientError};

use crate::console::Console;
use crate::terminal::connect;
use crate::work_directory::WorkDirectory;

#[derive(Args)]
pub struct Arguments {
    /// The command as behind the transaction at a terminal; quote it where the shell would take parentheses or asterisks for its own.
    #[arg(required = true, value_name = "COMMAND")]
    words: Vec<String>,
    /// The application's directory.
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    app: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
}

/// Pages of an answer that are read; a region with more resources is asked with a narrower command.
const PAGES_MAX: usize = 10_000;
/// The exit code when the command was not executed, or with errors.
const ERROR: u8 = 8;

/// Where a transaction shows what, counted from the first line and from the last.
struct Layout {
    transaction: &'static str,
    /// Lines above the body, and below it.
    head: usize,
    foot: usize,
    /// The line of the message, from the last.
    message: usize,
    /// The line of the response, from the last.
    response: usize,
}

const CEMT: Layout = Layout { transaction: "CEMT", head: 2, foot: 4, message: 3, response: 1 };
const CEDA: Layout = Layout { transaction: "CEDA", head: 3, foot: 4, message: 3, response: 1 };

/// What a transaction answered.
#[derive(Default, Debug)]
struct Answer {
    status: String,
    lines: Vec<String>,
    messages: Vec<String>,
    response: String,
}

pub fn cemt(arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let answer = ask(arguments, &CEMT)?;
    let response = answer.response.strip_prefix("RESPONSE: ").unwrap_or_default().to_string();
    let failed = !answer.messages.is_empty() || !response.is_empty() && response != "NORMAL";
    if console.is_json() {
        let members = json!({ "status": answer.status, "rows": rows(&answer.lines), "messages": answer.messages, "response": response });
        console.event("cemt", members);
    } else {
        print(&answer)?;
    }
    Ok(if failed { ERROR } else { 0 })
}

pub fn ceda(arguments: &Arguments, console: &Console) -> Result<u8, String> {
    let answer = ask(arguments, &CEDA)?;
    let failed = answer.response.contains("UNSUCCESSFUL") || answer.messages.iter().any(|message| message.starts_with("S "));
    if console.is_json() {
        let members = json!({ "status": answer.status, "lines": answer.lines, "messages": answer.messages, "result": answer.response });
        console.event("ceda", members);
    } else {
        print(&answer)?;
    }
    Ok(if failed { ERROR } else { 0 })
}

fn print(answer: &Answer) -> Result<(), String> {
    let last = (!answer.response.is_empty()).then_some(&answer.response);
    let lines = answer.lines.iter().chain(&answer.messages).chain(last).map(|line| line.trim_end());
    crate::output::print(&(lines.collect::<Vec<_>>().join("\n") + "\n"))
}

fn ask(arguments: &Arguments, layout: &Layout) -> Result<Answer, String> {
    let work = WorkDirectory::of(&arguments.app, arguments.data.as_deref());
    let mut client = connect(&work.listener())?;
    converse(&mut client, layout, &arguments.words.join(" ")).map_err(|error| error.to_string())
}

fn converse(client: &mut Client, layout: &Layout, command: &str) -> Result<Answer, ClientError> {
    client.wait_greeting()?;
    client.enter("CLEAR")?;
    client.run(&format!("{} {command}", layout.transaction))?;
    let screen = lines(client);
    let from_last = |lines: &[String], back: usize| lines.get(lines.len().saturating_sub(1 + back)).cloned().unwrap_or_default();
    let mut answer = Answer { status: screen.get(1).map_or("", |line| line.trim()).to_string(), ..Answer::default() };
    let response = from_last(&screen, layout.response);
    answer.response = response.split("TIME:").next().unwrap_or_default().trim().to_string();
    let message = from_last(&screen, layout.message).trim_start_matches([' ', '+']).trim_end().to_string();
    for _ in 0..PAGES_MAX {
        let screen = lines(client);
        add_page(&mut answer.lines, &screen[layout.head.min(screen.len())..screen.len().saturating_sub(layout.foot)]);
        if !has_more(&screen, layout) {
            break;
        }
        client.enter("PF11")?;
    }
    if message.starts_with("MESSAGES:") {
        client.enter("PF9")?;
        let shown = lines(client);
        answer.messages =
            shown.iter().take(shown.len().saturating_sub(1)).map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect();
        client.enter("ENTER")?;
    } else if !message.is_empty() {
        answer.messages.push(message);
    }
    client.enter("PF3")?;
    Ok(answer)
}

fn lines(client: &Client) -> Vec<String> {
    client.text().lines().map(|line| line.trim_end().to_string()).collect()
}

/// A plus sign in column 2 below or in the last line of the body.
fn has_more(screen: &[String], layout: &Layout) -> bool {
    let plus = |back: usize| screen.len().checked_sub(1 + back).and_then(|at| screen.get(at)).is_some_and(|line| line.starts_with(" +"));
    plus(layout.foot) || plus(layout.foot - 1)
}

/// Adds the lines of a page. The last page repeats lines of the one before it.
fn add_page(all: &mut Vec<String>, page: &[String]) {
    let mut page: Vec<String> = page.iter().map(|line| without_mark(line)).collect();
    while page.last().is_some_and(String::is_empty) {
        page.pop();
    }
    let overlap = (1..=page.len().min(all.len())).rev().find(|&count| all[all.len() - count..] == page[..count]).unwrap_or(0);
    all.extend(page.into_iter().skip(overlap));
}

/// A line without the plus sign that says that there is more.
fn without_mark(line: &str) -> String {
    line.strip_prefix(" +").map_or_else(|| line.to_string(), |rest| format!("  {rest}")).trim_end().to_string()
}

/// The rows of a display of CEMT. A row begins in column 3; its further lines are indented. The lines of a resource that is there once, as
/// SYSTEM, are one row.
fn rows(lines: &[String]) -> Vec<Value> {
    let is_first = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
    let labels: Vec<&str> = lines.iter().filter(|line| is_first(line)).filter_map(|line| line.trim().split('(').next()).collect();
    let mut distinct = labels.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let is_single = distinct.len() == labels.len();
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        if rows.is_empty() || is_first(line) && !is_single {
            rows.push(Row::default());
        }
        if let Some(row) = rows.last_mut() {
            row.take(line.trim());
        }
    }
    rows.into_iter().map(Row::into_value).collect()
}

/// `Tra(CEMT) Pri( 255 ) Ena`: values by their labels, states without one, and what was said of the row.
#[derive(Default)]
struct Row {
    values: Map<String, Value>,
    states: Vec<String>,
    response: Vec<String>,
}

impl Row {
    fn take(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find([' ', '(']).unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if let Some(inner) = rest.strip_prefix('(').filter(|_| !word.is_empty()) {
                let close = inner.find(')').unwrap_or(inner.len());
                self.values.insert(word.to_string(), Value::from(inner[..close].trim()));
                rest = inner.get(close + 1..).unwrap_or("");
            } else if word.len() == 3 && word.chars().skip(1).all(|c| c.is_ascii_lowercase()) {
                self.states.push(word.to_string());
            } else if !word.is_empty() {
                self.response.push(word.to_string());
            } else {
                rest = &rest[1.min(rest.len())..];
            }
            rest = rest.trim_start();
        }
    }

    fn into_value(self) -> Value {
        let mut row = json!({ "values": self.values, "states": self.states });
        if !self.response.is_empty() {
            row["response"] = Value::from(self.response.join(" "));
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[&str]) -> Vec<String> {
        text.iter().map(|line| (*line).to_string()).collect()
    }

    #[test]
    fn rows_have_values_states_and_a_response() {
        let rows = rows(&lines(&[
            "  Tra(CEMT) Pri( 255 ) Pro(DFHEMTP ) Ena Sta                   NORMAL",
            "     Prf(DFHCICST) Uda Any",
            "  Tra(CEDA) Pri( 001 ) Dis",
        ]));
        assert_eq!(rows[0]["values"]["Pri"], "255");
        assert_eq!(rows[0]["values"]["Prf"], "DFHCICST");
        assert_eq!(
            (rows[0]["states"].to_string().as_str(), rows[0]["response"].as_str()),
            (r#"["Ena","Sta","Uda","Any"]"#, Some("NORMAL"))
        );
        assert_eq!((rows.len(), rows[1]["values"]["Tra"].as_str()), (2, Some("CEDA")));
    }

    #[test]
    fn a_resource_that_is_there_once_is_one_row() {
        let rows = rows(&lines(&["  Aging( 00500 )          Jobname(REGENT)", "  Akp( 04000 )            Maxtasks( 0250 )"]));
        assert_eq!((rows.len(), rows[0]["values"]["Maxtasks"].as_str()), (1, Some("0250")));
    }

    #[test]
    fn pages_are_joined_without_what_they_repeat() {
        let mut all = Vec::new();
        add_page(&mut all, &lines(&["  A", "  B", " +C"]));
        add_page(&mut all, &lines(&["  C", "  D", ""]));
        assert_eq!(all, ["  A", "  B", "  C", "  D"]);
    }
}
