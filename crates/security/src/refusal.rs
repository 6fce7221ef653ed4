//! Why a sign-on is refused, with the return and reason codes that RACROUTE REQUEST=VERIFY has for it (z/OS Security Server RACROUTE Macro
//! Reference, RACROUTE REQUEST=VERIFY: Return codes and reason codes). CICS gives them to programs as ESMRESP and ESMREASON.

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The user is not defined.
    UserUnknown,
    /// The password, phrase or PassTicket is wrong, or the user has none.
    SecretWrong,
    /// The password or phrase is right, but must be changed.
    SecretExpired,
    /// The new password or phrase is against a rule.
    NewSecretInvalid,
    /// The user is not connected to the group.
    NotInGroup,
    /// The user is revoked.
    UserRevoked,
    /// The connect to the group is revoked.
    GroupRevoked,
    /// The user may not use the terminal.
    TerminalNotAuthorized,
    /// The user may not sign on at this time (WHEN of ADDUSER and ALTUSER).
    NotNow,
    /// The user needs an operator identification card.
    CardNeeded,
    /// The operator identification card is not the user's.
    CardWrong,
    /// The user may not use the application (class APPL).
    ApplicationNotAuthorized,
    /// The database cannot be read or written.
    NotAvailable,
}

/// A sign-on that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct Refusal {
    pub reason: Reason,
}

impl Refusal {
    /// The return code of SAF: 4 if no decision was possible, else 8.
    pub fn saf_return_code(&self) -> u32 {
        if self.reason == Reason::NotAvailable { 4 } else { 8 }
    }

    /// The return code of RACF: ESMRESP.
    pub fn return_code(&self) -> u32 {
        match self.reason {
            Reason::UserUnknown => 0x04,
            Reason::SecretWrong => 0x08,
            Reason::SecretExpired => 0x0C,
            Reason::NewSecretInvalid => 0x10,
            Reason::NotInGroup => 0x14,
            Reason::UserRevoked => 0x1C,
            Reason::NotAvailable => 0x20,
            Reason::GroupRevoked => 0x24,
            Reason::CardNeeded => 0x28,
            Reason::CardWrong => 0x2C,
            Reason::TerminalNotAuthorized | Reason::NotNow => 0x30,
            Reason::ApplicationNotAuthorized => 0x34,
        }
    }

    /// The reason code of RACF: ESMREASON.
    pub fn reason_code(&self) -> u32 {
        match self.reason {
            Reason::NotNow => 4,
            Reason::TerminalNotAuthorized => 8,
            _ => 0,
        }
    }

    fn text(&self) -> &'static str {
        match self.reason {
            Reason::UserUnknown => "the user is not defined",
            Reason::SecretWrong => "the password is wrong",
            Reason::SecretExpired => "the password has expired",
            Reason::NewSecretInvalid => "the new password is not valid",
            Reason::NotInGroup => "the user is not connected to the group",
            Reason::UserRevoked => "the user is revoked",
            Reason::GroupRevoked => "the connection of the user to the group is revoked",
            Reason::TerminalNotAuthorized => "the user may not use the terminal",
            Reason::NotNow => "the user may not sign on on this day or at this time",
            Reason::CardNeeded => "an operator identification card is needed",
            Reason::CardWrong => "the operator identification card is wrong",
            Reason::ApplicationNotAuthorized => "the user may not use the application",
            Reason::NotAvailable => "the security database cannot be used",
        }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Refusal { reason }
    }
}
