//! ASKTIME, FORMATTIME and CONVERTTIME.

mod commands;
pub mod format;

pub use commands::handlers;

use crate::Domain;

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "time of day", commands: &[handlers], ..Domain::NONE };
