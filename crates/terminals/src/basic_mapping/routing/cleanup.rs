//! CSPQ: purges the messages that could not be delivered within PRGDLAY of the time they were due ("Undeliverable messages").
//!
//! It runs when the purge delay has passed since the region began, and again each time it passes. The terminal named by ERRTERM is told.

use super::delivery::is_automatic;
use crate::basic_mapping::paging;
use crate::terminal_control::pages::{PagedMessage, next_id};
use crate::terminal_control::waiting::Waiting;
use crate::terminal_control::{DisplayTerminal, TerminalControl, display::display_of, kept_messages};
use bms::page::Page;
use bms::send_map::{Erase, ScreenUse, SendOptions};
use bms::text_page::{TextOptions, TextPages};
use region::clock::{Abstime, now_local};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const TRANSACTION: &str = "CSPQ";
/// Of the notice to the terminal of ERRTERM.
const REQUEST_ID: &str = "**";

/// PRGDLAY=hhmm; `None`: nothing is purged.
fn purge_delay(region: &Region) -> Option<Duration> {
    let hhmm = u64::from(region.sit.number("PRGDLAY"));
    let minutes = hhmm / 100 * 60 + hhmm % 100;
    (minutes > 0).then(|| Duration::from_secs(minutes * 60))
}

/// Control has been given to the region: the first CSPQ is due after the purge delay.
pub fn begin(region: &'static Region) {
    if let Some(delay) = purge_delay(region) {
        region.dispatcher.after(delay, move || start(region));
    }
}

fn start(region: &'static Region) {
    if region.transactions().is_quiescing() {
        return;
    }
    let request = AttachRequest::new(Name4::new(TRANSACTION), StartCode::System);
    if let Err(failure) = region.attach(request) {
        let reason = failure.message.text;
        tracing::warn!(target: "region::bms", reason, "undelivered messages are not purged");
    }
    begin(region);
}

/// DFHTPQ, the program of CSPQ. Entered by an operator it purges what is overdue at once.
pub fn purge(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let Some(delay) = purge_delay(region) else { return Ok(()) };
    let overdue = Abstime(now_local().0 - delay.as_millis() as i64);
    let purged = TerminalControl::of(region).waiting.expired(overdue);
    let mut counts: BTreeMap<Name4, usize> = BTreeMap::new();
    for (terminal, waiting) in &purged {
        *counts.entry(*terminal).or_default() += 1;
        notify(region, *terminal, waiting);
    }
    let purged: Vec<Waiting> = purged.into_iter().map(|(_, waiting)| waiting).collect();
    kept_messages::remove(region, &purged);
    for (terminal, count) in counts {
        region.messages.send("DFHTP4160", &[("count", &count.to_string()), ("termid", terminal.as_str())]);
    }
    Ok(())
}

/// Tells the terminal of ERRTERM.
fn notify(region: &'static Region, terminal: Name4, waiting: &Waiting) {
    let Some(target) = waiting.error_terminal.and_then(|name| region.terminals.find(name)) else { return };
    let Some(display) = display_of(&*target) else { return };
    let title = if waiting.message.title.is_empty() { String::new() } else { format!("Message title was {}.", waiting.message.title) };
    let id = format!("{:06X}", waiting.message.id);
    let text = Message::new("DFHTP4161", &[("msgno", &id), ("termid", terminal.as_str()), ("title", &title)]).line();
    let notice = PagedMessage {
        id: next_id(),
        request_id: Name8::new(REQUEST_ID),
        title: String::new(),
        pages: Arc::new(page_of(display, text.trim_end())),
        operator_purges: false,
        automatic: is_automatic(display),
    };
    paging::queue(display, notice);
}

/// A line of text as pages for a terminal.
fn page_of(display: &DisplayTerminal, text: &str) -> Vec<Page> {
    let screen = ScreenUse { capabilities: &display.capabilities, alternate: false, translation: None, full_lines: false };
    let options = SendOptions { erase: Erase::Screen, ..SendOptions::default() };
    let mut pages = TextPages::default();
    let text = bms::text::encode(display.page(), text);
    let mut made = pages.add(&text, &TextOptions::default(), &options, screen, false).unwrap_or_default();
    made.extend(pages.finish(None, screen));
    made
}
