//! The security database of regions: users, groups, connects, profiles of general resources and the options of the installation; sign-on with
//! passwords, phrases and PassTickets; whether a user has access to a resource; the commands that change all this, as RACF has them; the
//! audit record.
//!
//! What CICS does with the answers (sign-on transactions, checks of commands, messages) belongs to the region.
#![forbid(unsafe_code)]

mod access;
mod audit;
mod authenticate;
mod change;
mod class;
mod commands;
mod database;
mod generic;
mod identity;
mod journal;
mod level;
mod moment;
mod name;
mod passticket;
mod prepared;
mod profile;
mod refusal;
mod rules;
mod secret;
mod settings;
mod slots;
mod state;
mod ticket_key;
mod unload;
mod user;
mod verified;

pub use access::Decision;
pub use audit::{AuditRecord, Event, FILE_BYTES_MAX, FILES_MAX};
pub use authenticate::{SecretStatus, SignOn};
pub use class::PROFILE_NAME_LENGTH_MAX;
pub use commands::{COMMAND_LENGTH_MAX, Report, commands_of_lines};
pub use database::{ADMINISTRATOR, DEFAULT_USER, Database};
pub use identity::Identity;
pub use journal::Error;
pub use level::Level;
pub use moment::Moment;
pub use name::{GroupName8, InvalidName, NAME_LENGTH_MAX, Name8, UserId8};
pub use passticket::PASSTICKET_LENGTH;
pub use prepared::ProfileName;
pub use refusal::{Reason, Refusal};
pub use secret::{CARD_LENGTH_MAX, PASSWORD_LENGTH_MAX, PHRASE_LENGTH_MAX, PHRASE_LENGTH_MIN, Secret};
pub use state::Touched;
pub use user::{Attributes, CicsSegment, LanguageSegment};
