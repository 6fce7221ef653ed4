//! The commands of the security manager.
//!
//! * `signon`    SIGNON and SIGNOFF; `language` the language of a user;
//! * `password`  VERIFY PASSWORD, VERIFY PHRASE, CHANGE PASSWORD, CHANGE PHRASE;
//! * `query`     QUERY SECURITY;
//! * `ticket`    REQUEST PASSTICKET;
//! * `rebuild`   PERFORM SECURITY REBUILD.

mod language;
mod password;
mod query;
mod rebuild;
mod secret;
mod signon;
mod ticket;

use crate::esm::Codes;
use exec::{CommandId, command, option};
use region::{Arguments, Handler};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::SIGNON, signon::sign_on),
        (command::SIGNOFF, signon::sign_off),
        (command::VERIFY_PASSWORD, password::verify),
        (command::VERIFY_PHRASE, password::verify),
        (command::CHANGE_PASSWORD, password::change),
        (command::CHANGE_PHRASE, password::change),
        (command::QUERY_SECURITY, query::query),
        (command::REQUEST_PASSTICKET, ticket::request),
        (command::PERFORM_SECURITY_REBUILD, rebuild::rebuild),
    ]
}

/// ESMRESP and ESMREASON.
fn give_codes(arguments: &mut Arguments, codes: Codes) {
    arguments.set_integers([(option::ESMRESP, i64::from(codes.esm)), (option::ESMREASON, i64::from(codes.reason))]);
}
