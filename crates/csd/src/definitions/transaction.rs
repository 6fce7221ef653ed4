//! Typed TRANSACTION, TRANCLASS and PROFILE definitions.

use super::Definition;
use super::program::{Key, key};
use crate::attributes::accepted;
use kernel::name::{Name4, Name8};
use kernel::trace::Tracing;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runaway {
    System,
    None,
    Milliseconds(u32),
}

impl Runaway {
    /// A transaction's own limit; zero is none.
    pub fn of_milliseconds(limit: u64) -> Self {
        match u32::try_from(limit).unwrap_or(u32::MAX) {
            0 => Runaway::None,
            milliseconds => Runaway::Milliseconds(milliseconds),
        }
    }
}

#[derive(Clone, Debug)]
pub struct TransactionDefinition {
    pub name: Name4,
    pub program: Name8,
    pub profile: Name8,
    pub tranclass: Name8,
    /// PARTITIONSET: a name, KEEP or OWN; blank: none.
    pub partition_set: Name8,
    pub twa_bytes: u32,
    pub priority: u8,
    pub enabled: bool,
    pub task_data_anywhere: bool,
    pub task_data_key: Key,
    pub storage_clear: bool,
    pub isolate: bool,
    pub runaway: Runaway,
    /// SHUTDOWN(ENABLED): may be attached while the region shuts down.
    pub shutdown_enabled: bool,
    pub dump: bool,
    /// Which trace points of its tasks are written: TRACE(YES) or TRACE(NO), and what SET TRANSACTION says.
    pub tracing: Tracing,
    pub system_purge: bool,
    pub terminal_purge: bool,
    /// DTIMOUT in seconds; 0 is none.
    pub deadlock_timeout_seconds: u32,
    /// WAIT(YES): a unit of work in doubt is shunted.
    pub indoubt_wait: bool,
    /// ACTION(COMMIT): the action when it does not wait (any longer).
    pub indoubt_commit: bool,
    /// WAITTIME in minutes; 0 waits for ever.
    pub indoubt_wait_minutes: u32,
    pub restart: bool,
    pub dynamic: bool,
    pub remote_system: Name4,
    pub remote_name: Name8,
    pub task_request: String,
    pub alias: Name4,
    pub command_security: bool,
    pub resource_security: bool,
}

impl TransactionDefinition {
    /// How long a task may be suspended before CICS ends it: DTIMOUT, which SPURGE(NO) overrides.
    pub fn deadlock_timeout(&self) -> Option<Duration> {
        (self.system_purge && self.deadlock_timeout_seconds > 0).then(|| Duration::from_secs(self.deadlock_timeout_seconds.into()))
    }

    pub fn from(definition: &Definition) -> Self {
        let runaway = match definition.get("RUNAWAY") {
            "SYSTEM" | "" => Runaway::System,
            number => {
                let limit = number.parse().ok().and_then(|number| accepted("TRANSACTION", "RUNAWAY", number));
                limit.map_or(Runaway::System, Runaway::of_milliseconds)
            }
        };
        // WAITTIME is dd,hh,mm.
        let wait_time = definition.get("WAITTIME").split(',').map(|part| part.trim().parse().unwrap_or(0));
        let indoubt_wait_minutes = wait_time.zip([24 * 60, 60, 1]).map(|(part, minutes): (u32, u32)| part * minutes).sum();
        // DTIMOUT is mmss.
        let dtimout = definition.number("DTIMOUT").unwrap_or(0);
        Self {
            name: definition.name.as_str().into(),
            program: definition.get("PROGRAM").into(),
            profile: definition.get("PROFILE").into(),
            partition_set: definition.get("PARTITIONSET").into(),
            tranclass: definition.get("TRANCLASS").into(),
            twa_bytes: definition.number("TWASIZE").unwrap_or(0),
            priority: definition.number("PRIORITY").unwrap_or(1).min(255) as u8,
            enabled: !definition.is("STATUS", "DISABLED"),
            task_data_anywhere: !definition.is("TASKDATALOC", "BELOW"),
            task_data_key: key(definition.get("TASKDATAKEY")),
            storage_clear: definition.is("STORAGECLEAR", "YES"),
            isolate: !definition.is("ISOLATE", "NO"),
            runaway,
            shutdown_enabled: definition.is("SHUTDOWN", "ENABLED"),
            dump: !definition.is("DUMP", "NO"),
            tracing: if definition.is("TRACE", "NO") { Tracing::Suppressed } else { Tracing::Standard },
            system_purge: !definition.is("SPURGE", "NO"),
            terminal_purge: !definition.is("TPURGE", "NO"),
            deadlock_timeout_seconds: dtimout / 100 * 60 + dtimout % 100,
            indoubt_wait: !definition.is("WAIT", "NO"),
            indoubt_commit: definition.is("ACTION", "COMMIT"),
            indoubt_wait_minutes,
            restart: definition.is("RESTART", "YES"),
            dynamic: definition.is("DYNAMIC", "YES"),
            remote_system: definition.get("REMOTESYSTEM").into(),
            remote_name: definition.get("REMOTENAME").into(),
            task_request: definition.get("TASKREQ").to_string(),
            alias: definition.get("ALIAS").into(),
            command_security: definition.is("CMDSEC", "YES"),
            resource_security: definition.is("RESSEC", "YES"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct TranclassDefinition {
    pub name: Name8,
    pub active_max: u32,
    /// PURGETHRESH: one more than the tasks that may wait; 0 is no limit.
    pub purge_threshold: u32,
}

impl TranclassDefinition {
    pub fn from(definition: &Definition) -> Self {
        Self {
            name: definition.name.as_str().into(),
            active_max: definition.number("MAXACTIVE").unwrap_or(0),
            purge_threshold: definition.number("PURGETHRESH").unwrap_or(0),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ProfileDefinition {
    pub name: Name8,
    pub alternate_screen: bool,
    pub uppercase: bool,
    /// RTIMOUT in seconds; 0 is none.
    pub read_timeout_seconds: u32,
    pub message_integrity: bool,
    pub one_write: bool,
    /// Lines of SEND TEXT on a printer have no blank in front.
    pub printer_compatible: bool,
}

impl ProfileDefinition {
    pub fn from(definition: &Definition) -> Self {
        let rtimout = definition.number("RTIMOUT").unwrap_or(0);
        Self {
            name: definition.name.as_str().into(),
            alternate_screen: definition.is("SCRNSIZE", "ALTERNATE"),
            uppercase: definition.is("UCTRAN", "YES"),
            read_timeout_seconds: rtimout / 100 * 60 + rtimout % 100,
            message_integrity: definition.is("MSGINTEG", "YES"),
            one_write: definition.is("ONEWTE", "YES"),
            printer_compatible: definition.is("PRINTERCOMP", "YES"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dtimout_is_minutes_and_seconds() {
        let definition = Definition::new("TRANSACTION", "T", "G").with("PROGRAM", "P").with("DTIMOUT", "130");
        assert_eq!(TransactionDefinition::from(&definition).deadlock_timeout_seconds, 90);
    }

    #[test]
    fn spurge_no_overrides_dtimout() {
        let timeout = |attributes: &[(&'static str, &str)]| {
            let definition = Definition::new("TRANSACTION", "T", "G").with("PROGRAM", "P");
            let definition = attributes.iter().fold(definition, |definition, (attribute, value)| definition.with(attribute, value));
            TransactionDefinition::from(&definition).deadlock_timeout().map(|timeout| timeout.as_secs())
        };
        assert_eq!(timeout(&[("DTIMOUT", "6800"), ("SPURGE", "YES")]), Some(68 * 60));
        assert_eq!(timeout(&[("DTIMOUT", "1"), ("SPURGE", "YES")]), Some(1));
        assert_eq!(timeout(&[("DTIMOUT", "1"), ("SPURGE", "NO")]), None);
        assert_eq!(timeout(&[("DTIMOUT", "1")]), Some(1), "SPURGE(YES) is the default");
        assert_eq!(timeout(&[("SPURGE", "YES")]), None, "DTIMOUT(NO) is the default");
    }
}
