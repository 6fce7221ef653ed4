//! The user of a terminal: the one signed on, the preset one of its definition, or the default user of the region.
//!
//! Invariant: a terminal always has a user. A preset user is signed on as long as the terminal is there.

use super::display::Identity;
use region::extensions::UserToken;
use region::name::Name8;
use std::time::Instant;

pub(super) struct TerminalUser {
    pub id: Name8,
    /// As the authority keeps him.
    pub token: Option<UserToken>,
    pub is_signed_on: bool,
    /// When the terminal's last task ended, or its last input came.
    pub active_at: Instant,
}

impl TerminalUser {
    pub fn of(identity: &Identity, default_user: Name8) -> Self {
        let preset = !identity.user_id.is_blank();
        let id = if preset { identity.user_id } else { default_user };
        Self { id, token: identity.token.clone(), is_signed_on: preset, active_at: Instant::now() }
    }

    pub fn sign_on(&mut self, id: Name8, token: Option<UserToken>) {
        (self.id, self.token, self.is_signed_on) = (id, token, true);
    }

    pub fn sign_off(&mut self, default_user: Name8) {
        (self.id, self.token, self.is_signed_on) = (default_user, None, false);
    }
}
