//! Typed TYPETERM and TERMINAL definitions.

use super::Definition;
use kernel::name::{Name4, Name8};

/// TYPETERM: the capabilities of a kind of terminal.
#[derive(Clone, Debug)]
pub struct TypetermDefinition {
    pub name: Name8,
    pub device: String,
    pub default_screen: (u16, u16),
    pub alternate_screen: (u16, u16),
    pub extended_data_stream: bool,
    pub color: bool,
    pub highlight: bool,
    pub uppercase: bool,
    pub uppercase_transid_only: bool,
    pub ati: bool,
    pub tti: bool,
    pub logon_message: bool,
    pub alarm: bool,
    pub user_area_bytes: u16,
    pub query: bool,
    pub error_last_line: bool,
    pub autopage: bool,
    pub definition: Definition,
}

impl TypetermDefinition {
    pub fn from(definition: &Definition) -> Self {
        let yes = |attribute: &str| definition.is(attribute, "YES");
        Self {
            name: definition.name.as_str().into(),
            device: definition.get("DEVICE").to_string(),
            default_screen: rows_columns(definition.get("DEFSCREEN")).unwrap_or((24, 80)),
            alternate_screen: rows_columns(definition.get("ALTSCREEN")).unwrap_or((24, 80)),
            extended_data_stream: yes("EXTENDEDDS"),
            color: yes("COLOR"),
            highlight: yes("HILIGHT"),
            uppercase: yes("UCTRAN"),
            uppercase_transid_only: definition.is("UCTRAN", "TRANID"),
            ati: yes("ATI"),
            tti: yes("TTI"),
            logon_message: yes("LOGONMSG"),
            alarm: yes("AUDIBLEALARM"),
            user_area_bytes: definition.number("USERAREALEN").unwrap_or(0) as u16,
            query: !definition.is("QUERY", "NO"),
            error_last_line: yes("ERRLASTLINE"),
            autopage: yes("AUTOPAGE"),
            definition: definition.clone(),
        }
    }
}

fn rows_columns(value: &str) -> Option<(u16, u16)> {
    let (rows, columns) = value.split_once(',')?;
    let (rows, columns) = (rows.trim().parse().ok()?, columns.trim().parse().ok()?);
    (rows > 0 && columns > 0).then_some((rows, columns))
}

/// TERMINAL: a terminal, or a model from which one is autoinstalled.
#[derive(Clone, Debug)]
pub struct TerminalDefinition {
    pub name: Name4,
    pub typeterm: Name8,
    pub netname: Name8,
    pub autoinstall_name: Name8,
    pub model_only: bool,
    pub in_service: bool,
    pub priority: u8,
    pub transaction: Name4,
    pub user_id: Name8,
    pub definition: Definition,
}

impl TerminalDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            typeterm: definition.get("TYPETERM").into(),
            netname: definition.get("NETNAME").into(),
            autoinstall_name: definition.get("AUTINSTNAME").into(),
            model_only: definition.is("AUTINSTMODEL", "ONLY"),
            in_service: !definition.is("INSERVICE", "NO"),
            priority: definition.number("TERMPRIORITY").unwrap_or(0).min(255) as u8,
            transaction: definition.get("TRANSACTION").into(),
            user_id: definition.get("USERID").into(),
            definition: definition.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_are_rows_and_columns() {
        assert_eq!(rows_columns("27,132"), Some((27, 132)));
        assert_eq!(rows_columns("0,0"), None);
    }
}
