//! The two states of a file, as INQUIRE FILE and rules of policies name them.

use exec::cvda;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnableStatus {
    Enabled,
    Disabled,
    Disabling,
    Unenabled,
    Unenabling,
}

impl EnableStatus {
    pub fn cvda(self) -> i64 {
        match self {
            EnableStatus::Enabled => cvda::ENABLED,
            EnableStatus::Disabled => cvda::DISABLED,
            EnableStatus::Disabling => cvda::DISABLING,
            EnableStatus::Unenabled => cvda::UNENABLED,
            EnableStatus::Unenabling => cvda::UNENABLING,
        }
    }

    /// As rules of policies name it.
    pub fn name(self) -> &'static str {
        match self {
            EnableStatus::Enabled => "ENABLED",
            EnableStatus::Disabled => "DISABLED",
            EnableStatus::Disabling => "DISABLING",
            EnableStatus::Unenabled => "UNENABLED",
            EnableStatus::Unenabling => "UNENABLING",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenStatus {
    Open,
    Closed,
    Closing,
}

impl OpenStatus {
    pub fn cvda(self) -> i64 {
        match self {
            OpenStatus::Open => cvda::OPEN,
            OpenStatus::Closed => cvda::CLOSED,
            OpenStatus::Closing => cvda::CLOSING,
        }
    }

    /// As rules of policies name it.
    pub fn name(self) -> &'static str {
        match self {
            OpenStatus::Open => "OPEN",
            OpenStatus::Closed => "CLOSED",
            OpenStatus::Closing => "CLOSING",
        }
    }
}
