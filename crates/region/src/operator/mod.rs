//! The operator: WRITE OPERATOR and its replies.
//!
//! Invariant: a message that asks for a reply stays outstanding until it is replied to, times out or its task ends.

mod commands;

pub use commands::handlers;

use crate::Domain;
use kernel::Waker;
use parking_lot::Mutex;

crate::region_part!(Operator);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "operator", commands: &[handlers], slots: &[&IN_REGION], ..Domain::NONE };

struct Outstanding {
    number: u32,
    text: String,
    waker: Waker,
    reply: Option<String>,
}

/// The console of a region.
#[derive(Default)]
pub struct Operator {
    outstanding: Mutex<(u32, Vec<Outstanding>)>,
}

impl Operator {
    /// Messages waiting for a reply: number and text.
    pub fn outstanding(&self) -> Vec<(u32, String)> {
        self.outstanding.lock().1.iter().map(|message| (message.number, message.text.clone())).collect()
    }

    /// Replies to a message; false if none has that number.
    pub fn reply(&self, number: u32, text: &str) -> bool {
        let mut outstanding = self.outstanding.lock();
        let Some(message) = outstanding.1.iter_mut().find(|message| message.number == number) else { return false };
        message.reply = Some(text.to_string());
        message.waker.resume();
        true
    }

    fn ask(&self, text: String, waker: Waker) -> u32 {
        let mut outstanding = self.outstanding.lock();
        outstanding.0 += 1;
        let number = outstanding.0;
        outstanding.1.push(Outstanding { number, text, waker, reply: None });
        number
    }

    fn take_reply(&self, number: u32) -> Option<String> {
        let mut outstanding = self.outstanding.lock();
        let at = outstanding.1.iter().position(|message| message.number == number)?;
        outstanding.1.remove(at).reply
    }
}
