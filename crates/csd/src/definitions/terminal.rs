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
    /// Rows and columns of a page of BMS on the default and the alternate screen; `None`: the whole screen.
    pub page: Option<(u16, u16)>,
    pub alternate_page: Option<(u16, u16)>,
    /// Requests to end the session are honoured.
    pub disconnects: bool,
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
            page: rows_columns(definition.get("PAGESIZE")),
            alternate_page: rows_columns(definition.get("ALTPAGE")),
            disconnects: !definition.is("DISCREQ", "NO"),
            definition: definition.clone(),
        }
    }
}

/// Two numbers with a comma between them, as rows and columns.
pub fn number_pair(value: &str) -> Option<(u16, u16)> {
    let (first, second) = value.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

fn rows_columns(value: &str) -> Option<(u16, u16)> {
    number_pair(value).filter(|(rows, columns)| *rows > 0 && *columns > 0)
}

/// TERMINAL: a terminal, or a model from which one is autoinstalled.
#[derive(Clone, Debug)]
pub struct TerminalDefinition {
    pub name: Name4,
    pub typeterm: Name8,
    pub netname: Name8,
    /// CONSNAME; blank for other terminals.
    pub console: Name8,
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
        let console: Name8 = definition.get("CONSNAME").into();
        // Without NETNAME the network name of a terminal is its name.
        let netname = match definition.get("NETNAME") {
            "" if console.is_blank() => definition.name.as_str(),
            given => given,
        };
        Self {
            name: definition.name.as_str().into(),
            typeterm: definition.get("TYPETERM").into(),
            netname: netname.into(),
            console,
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
        assert_eq!((number_pair("0,0"), number_pair("697"), number_pair("697, 37")), (Some((0, 0)), None, Some((697, 37))));
    }

    #[test]
    fn the_network_name_is_the_name_unless_it_is_given() {
        let netname = |attributes: &[(&'static str, &str)]| {
            let definition = Definition::new("TERMINAL", "T001", "TEST").with("TYPETERM", "X");
            let definition = attributes.iter().fold(definition, |definition, (name, value)| definition.with(name, value));
            TerminalDefinition::from(&definition).netname.to_string()
        };
        assert_eq!(netname(&[]), "T001");
        assert_eq!(netname(&[("NETNAME", "LU001")]), "LU001");
        assert_eq!(netname(&[("CONSNAME", "OPER")]), "");
    }
}
