//! The pages of a terminal: the messages it displays, and the parsing of the operator's paging commands.
//!
//! Commands (CICS, "CSPG - page retrieval"; the prefixes are PGRET, PGPURGE, PGCHAIN and PGCOPY): `P/n +n -n P N L C`, preceded by a level
//! of the chain in parentheses, or followed by the identifier of a waiting message; `P/Q` lists the waiting messages; `T/A B C H R` purge;
//! `X/tran data` starts a transaction and keeps the pages; `C/term` copies the page to another terminal.
//!
//! Invariants: a level of the chain has at least one page and its current page is one of them; the highest level is the newest message;
//! the messages that are displayed are deleted with the terminal.

use super::DisplayTerminal;
use bms::constants::{AID_CLEAR, AID_ENTER, ORDER_SBA, key_by_aid};
use bms::page::Page;
use region::Region;
use region::name::Name8;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The transaction that retrieves pages.
pub const TRANSACTION: &str = "CSPG";
/// Levels of a chain.
const LEVEL_COUNT_MAX: usize = 256;
/// Identifiers have six hexadecimal digits.
const ID_MASK: u32 = 0x00FF_FFFF;
const SBA_LENGTH: usize = 3;

/// A message ready to be displayed.
pub struct PagedMessage {
    pub id: u32,
    pub request_id: Name8,
    /// Of ROUTE; empty without one.
    pub title: String,
    /// Shared by the terminals of a type that a message is routed to.
    pub pages: Arc<Vec<Page>>,
    /// OPERPURGE: only a purge command ends it.
    pub operator_purges: bool,
    /// Pages follow each other without commands.
    pub automatic: bool,
}

/// The identifier of a new message.
pub fn next_id() -> u32 {
    LAST_ID.fetch_add(1, Ordering::Relaxed).wrapping_add(1) & ID_MASK
}

/// An identifier is in use already: that of a message from an earlier start.
pub(super) fn note_id(id: u32) {
    LAST_ID.fetch_max(id, Ordering::Relaxed);
}

static LAST_ID: AtomicU32 = AtomicU32::new(0);

pub(crate) struct Level {
    pub message: PagedMessage,
    /// From 0.
    pub page: usize,
}

/// Page retrieval's part of a terminal.
#[derive(Default)]
pub struct PagingState {
    pub(crate) chain: Vec<Level>,
    pub(crate) level: usize,
}

impl PagingState {
    pub fn is_displaying(&self) -> bool {
        !self.chain.is_empty()
    }

    fn needs_purge(&self) -> bool {
        self.chain.iter().any(|level| level.message.operator_purges)
    }

    pub(crate) fn push(&mut self, message: PagedMessage) {
        if self.chain.len() >= LEVEL_COUNT_MAX {
            self.chain.remove(0);
        }
        // The new message replaces messages above the one being viewed.
        let keep = (self.level + 1).min(self.chain.len());
        self.chain.truncate(keep);
        self.chain.push(Level { message, page: 0 });
        self.level = self.chain.len() - 1;
    }
}

/// A number as a paging command has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    Number(usize),
    Forward(usize),
    Backward(usize),
    Previous,
    Current,
    Next,
    Last,
}

impl Which {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "P" => Self::Previous,
            "" | "C" => Self::Current,
            "N" => Self::Next,
            "L" => Self::Last,
            _ => match text.split_at(1) {
                ("+", digits) => Self::Forward(digits.parse().ok()?),
                ("-", digits) => Self::Backward(digits.parse().ok()?),
                _ => Self::Number(text.parse().ok()?),
            },
        })
    }

    /// The place meant, of `count`, seen from `current`; all from 0.
    pub(crate) fn resolve(self, current: usize, count: usize) -> Option<usize> {
        let place = match self {
            Self::Number(number) => number.checked_sub(1)?,
            Self::Forward(by) => current.checked_add(by)?,
            Self::Backward(by) => current.checked_sub(by)?,
            Self::Previous => current.checked_sub(1)?,
            Self::Current => current,
            Self::Next => current + 1,
            Self::Last => count.checked_sub(1)?,
        };
        (place < count).then_some(place)
    }
}

/// The requests of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    Retrieve {
        level: Which,
        page: Which,
        id: Option<u32>,
    },
    Query,
    Automatic,
    Purge {
        scope: char,
        id: Option<u32>,
    },
    Chain {
        input: String,
    },
    Copy {
        terminal: String,
    },
    /// The prefix is valid, but the rest is not.
    Invalid(String),
    /// A PA or PF key without a paging command.
    UndefinedKey(&'static str),
}

/// A command, if the text begins with one of the prefixes or with CSPG.
pub fn parse(region: &Region, text: &str) -> Option<Command> {
    let codes = ["PGRET", "PGPURGE", "PGCHAIN", "PGCOPY"].map(|name| region.sit.get(name));
    parse_with(codes, text)
}

fn parse_with(codes: [&str; 4], text: &str) -> Option<Command> {
    let text = text.trim();
    let upper = text.to_ascii_uppercase();
    let (typed, is_cspg) = match upper.strip_prefix(TRANSACTION).filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
        Some(rest) => (rest.trim(), true),
        None => (upper.as_str(), false),
    };
    let [retrieve, purge, chain, copy] = codes;
    let after = |code: &str| if code.is_empty() { None } else { typed.strip_prefix(&code.to_ascii_uppercase()) };
    let command = if let Some(rest) = after(retrieve) {
        retrieval(rest)
    } else if let Some(rest) = after(purge) {
        purging(rest)
    } else if let Some(rest) = after(chain) {
        // Text passed on keeps its case.
        Some(Command::Chain { input: text[text.len() - rest.len()..].trim_start().to_string() })
    } else if let Some(rest) = after(copy) {
        Some(Command::Copy { terminal: rest.trim_start_matches(['.', ',', '=']).trim().to_string() })
    } else if is_cspg && typed.is_empty() {
        Some(Command::Retrieve { level: Which::Current, page: Which::Current, id: None })
    } else if is_cspg {
        None
    } else {
        return None;
    };
    Some(command.unwrap_or_else(|| Command::Invalid(typed.to_string())))
}

fn identifier(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

fn retrieval(rest: &str) -> Option<Command> {
    match rest {
        "Q" => return Some(Command::Query),
        "A" => return Some(Command::Automatic),
        _ => {}
    }
    let (rest, id) = match rest.split_once(',') {
        Some((rest, id)) => (rest, Some(identifier(id)?)),
        None => (rest, None),
    };
    let (level, page) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => ("C", rest),
    };
    Some(Command::Retrieve { level: Which::parse(level)?, page: Which::parse(page)?, id })
}

fn purging(rest: &str) -> Option<Command> {
    let (scope, id) = match rest.split_once(',') {
        Some((scope, id)) => (scope, Some(identifier(id)?)),
        None => (rest, None),
    };
    // `T/` alone purges the displayed message.
    let scope = if scope.is_empty() { 'B' } else { scope.chars().next()? };
    (rest.len() <= 1 || id.is_some()).then_some(())?;
    "ABCHR".contains(scope).then_some(Command::Purge { scope, id })
}

/// The paging command of an input; `None` if it is not one. Keys count only while pages are displayed (SKRxxxx).
pub fn command_of(display: &DisplayTerminal, aid: u8, data: &[u8]) -> Option<Command> {
    let region = display.region();
    if aid == AID_ENTER {
        return parse(region, &text_of(data, display.page()));
    }
    if aid == AID_CLEAR || !display.paging.lock().is_displaying() {
        return None;
    }
    let key = key_by_aid(aid)?;
    let defined = region.sit.get(&format!("SKR{key}"));
    if defined.is_empty() { Some(Command::UndefinedKey(key)) } else { parse(region, defined) }
}

/// The first field of an input as text.
pub fn text_of(data: &[u8], page: &codepage::CodePage) -> String {
    let data = if data.first() == Some(&ORDER_SBA) { data.get(SBA_LENGTH..).unwrap_or_default() } else { data };
    let end = data.iter().position(|&byte| byte == ORDER_SBA).unwrap_or(data.len());
    let text: String = data[..end].iter().map(|&byte| bms::text::shown(page, byte)).collect();
    text.trim().to_string()
}

/// The treatment of an input that is not a paging command while pages are displayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Other {
    /// The pages are now purged, and the input is processed normally.
    Passes,
    /// The operator must purge the message first.
    Refused,
}

/// Data other than a paging command end the session, unless OPERPURGE was given.
pub fn other_input(display: &DisplayTerminal) -> Other {
    let mut paging = display.paging.lock();
    if paging.needs_purge() {
        return Other::Refused;
    }
    paging.chain.clear();
    paging.level = 0;
    Other::Passes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Command> {
        parse_with(["P/", "T/", "X/", "C/"], text)
    }

    fn page(page: Which) -> Option<Command> {
        Some(Command::Retrieve { level: Which::Current, page, id: None })
    }

    #[test]
    fn commands() {
        assert_eq!(read("P/2"), page(Which::Number(2)));
        assert_eq!(read("p/n"), page(Which::Next));
        assert_eq!(read("CSPG P/+3"), page(Which::Forward(3)));
        assert_eq!(read("P/-1"), page(Which::Backward(1)));
        assert_eq!(read("CSPG"), page(Which::Current));
        assert_eq!(read("P/(2)L"), Some(Command::Retrieve { level: Which::Number(2), page: Which::Last, id: None }));
        assert_eq!(read("P/1,00000A"), Some(Command::Retrieve { level: Which::Current, page: Which::Number(1), id: Some(10) }));
        assert_eq!(read("P/Q"), Some(Command::Query));
        assert_eq!(read("P/A"), Some(Command::Automatic));
        assert_eq!(read("T/A"), Some(Command::Purge { scope: 'A', id: None }));
        assert_eq!(read("T/R,1F"), Some(Command::Purge { scope: 'R', id: Some(31) }));
        assert_eq!(read("X/tran Data"), Some(Command::Chain { input: "tran Data".to_string() }));
        assert_eq!(read("C/.T001"), Some(Command::Copy { terminal: "T001".to_string() }));
        for wrong in ["P/X", "P/+", "P/(2", "T/Z", "T/AB", "P/1,G", "CSPG NONSENSE"] {
            assert!(matches!(read(wrong), Some(Command::Invalid(_))), "{wrong}");
        }
        for other in ["PAY", "CSPGX", "CEMT I TASK", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn places_are_bounded() {
        assert_eq!(Which::Number(3).resolve(0, 3), Some(2));
        assert_eq!(Which::Number(4).resolve(0, 3), None);
        assert_eq!(Which::Number(0).resolve(0, 3), None);
        assert_eq!(Which::Next.resolve(2, 3), None);
        assert_eq!(Which::Previous.resolve(0, 3), None);
        assert_eq!((Which::Last.resolve(0, 3), Which::Forward(2).resolve(0, 3)), (Some(2), Some(2)));
        assert_eq!(Which::Forward(usize::MAX).resolve(1, 3), None);
    }
}
