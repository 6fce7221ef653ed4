//! Faults in ATTRIBUTES: their messages, and RESP2 with the place of the fault in its high-order halfword.

use crate::{Raised, Region};
use csd::attribute_text::{Fault, Kind};
use exec::condition;
use exec::resp2::creation as resp2;

/// The halfword of an error number in EIBRESP2.
const HALFWORD_BITS: u32 = 16;

/// The message of a fault in the attributes of a resource, and the condition it raises.
pub fn raised(region: &Region, resource: &'static str, name: &str, fault: &Fault) -> Raised {
    let at = fault.at.to_string();
    let values = [("resource", resource), ("name", name), ("reason", fault.reason.as_str()), ("at", at.as_str())];
    region.messages.send(message_of(fault.kind), &values);
    let place = i32::try_from(fault.at).unwrap_or(0) << HALFWORD_BITS;
    match fault.kind {
        Kind::Delimiter => Raised::new(condition::INVREQ, place | resp2::DELIMITER),
        Kind::UnknownKeyword => Raised::new(condition::INVREQ, place | resp2::UNKNOWN_KEYWORD),
        Kind::AmbiguousKeyword => Raised::new(condition::INVREQ, place | resp2::AMBIGUOUS_KEYWORD),
        Kind::Missing => Raised::new(condition::INVREQ, place | resp2::MISSING_KEYWORD),
        Kind::NoValue => Raised::new(condition::INVREQ, place | resp2::NO_VALUE),
        Kind::Duplicate => Raised::new(condition::INVREQ, place | resp2::DUPLICATE_KEYWORD),
        Kind::Value => Raised::new(condition::INVREQ, place | resp2::VALUE),
        Kind::Conflict => Raised::new(condition::INVREQ, place | resp2::CONFLICT),
    }
}

/// The message of a resource name that is not valid.
pub(super) fn report_name(region: &Region, resource: &'static str, name: &str, reason: &str) {
    region.messages.send("DFHCA5208", &[("resource", resource), ("name", name), ("reason", reason)]);
}

fn message_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Delimiter => "DFHCA5211",
        Kind::UnknownKeyword => "DFHCA5204",
        Kind::AmbiguousKeyword => "DFHCA5212",
        Kind::Missing => "DFHCA5501",
        Kind::NoValue => "DFHCA5205",
        Kind::Duplicate => "DFHCA5207",
        Kind::Value => "DFHCA5210",
        Kind::Conflict => "DFHCA5502",
    }
}
