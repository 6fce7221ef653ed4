//! The gates of the domains, as trace has them: which entry and exit points a command has besides those of the EXEC interface.
//!
//! A command belongs to the domain of its group, the first byte of EIBFN; a few have another one. Requests that take less than a microsecond
//! (temporary storage, storage, time) have points of level 2, so that tracing at level 1 stays cheap (TRC-03).

use exec::{CommandId, CommandSpec, command};
use kernel::trace::points;
use kernel::trace::{Component, Point};

/// The points of a gate.
#[derive(Debug)]
pub struct Gate {
    pub entry: &'static Point,
    pub exit: &'static Point,
}

macro_rules! gates {
    ($($name:ident $entry:ident $exit:ident)*) => {
        $(static $name: Gate = Gate { entry: &points::$entry, exit: &points::$exit };)*
    };
}

gates! {
    ASYNCHRONOUS AS_GATE_ENTRY AS_GATE_EXIT
    BASIC_MAPPING BM_GATE_ENTRY BM_GATE_EXIT
    CHANNELS BA_GATE_ENTRY BA_GATE_EXIT
    DUMP DU_GATE_ENTRY DU_GATE_EXIT
    ENQUEUE NQ_GATE_ENTRY NQ_GATE_EXIT
    FILE_CONTROL FC_GATE_ENTRY FC_GATE_EXIT
    INTERVAL_CONTROL IC_GATE_ENTRY IC_GATE_EXIT
    JOURNAL LG_GATE_ENTRY LG_GATE_EXIT
    MONITOR MN_GATE_ENTRY MN_GATE_EXIT
    PROGRAM_CONTROL PC_GATE_ENTRY PC_GATE_EXIT
    STATISTICS ST_GATE_ENTRY ST_GATE_EXIT
    STORAGE SM_GATE_ENTRY SM_GATE_EXIT
    TASK_CONTROL KC_GATE_ENTRY KC_GATE_EXIT
    TEMPORARY_STORAGE TS_GATE_ENTRY TS_GATE_EXIT
    TERMINAL_CONTROL TC_GATE_ENTRY TC_GATE_EXIT
    TIMER TI_GATE_ENTRY TI_GATE_EXIT
    TRANSIENT_DATA TD_GATE_ENTRY TD_GATE_EXIT
    USER US_GATE_ENTRY US_GATE_EXIT
}

/// A command of each group of EIBFN, and the gate of the group.
const GROUPS: [(CommandId, &Gate); 17] = [
    (command::SEND, &TERMINAL_CONTROL),
    (command::READ, &FILE_CONTROL),
    (command::READQ_TD, &TRANSIENT_DATA),
    (command::READQ_TS, &TEMPORARY_STORAGE),
    (command::GETMAIN, &STORAGE),
    (command::LINK, &PROGRAM_CONTROL),
    (command::START, &INTERVAL_CONTROL),
    (command::SUSPEND, &TASK_CONTROL),
    (command::WRITE_JOURNALNAME, &JOURNAL),
    (command::SEND_MAP, &BASIC_MAPPING),
    (command::ISSUE_ERASE, &TERMINAL_CONTROL),
    (command::GET_CONTAINER, &CHANNELS),
    (command::MONITOR, &MONITOR),
    (command::FORMATTIME, &TIMER),
    (command::COLLECT_STATISTICS, &STATISTICS),
    (command::SIGNON, &USER),
    (command::DUMP_TRANSACTION, &DUMP),
];

/// Verbs that belong to another domain than the rest of their group.
const VERBS: [(&str, &Gate); 6] = [
    ("ASKTIME", &TIMER),
    ("DEQ", &ENQUEUE),
    ("ENQ", &ENQUEUE),
    ("FETCH", &ASYNCHRONOUS),
    ("FREE CHILD", &ASYNCHRONOUS),
    ("RUN TRANSID", &ASYNCHRONOUS),
];

/// The gate of a command; the commands of the EXEC interface itself and those of system programming have none of their own.
pub fn gate_of(spec: &CommandSpec) -> Option<&'static Gate> {
    let name = spec.name;
    let is_verb = |verb: &str| name.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let by_verb = VERBS.iter().find(|(verb, _)| is_verb(verb));
    // ENTER TRACENUM has its own entries.
    let by_group = || GROUPS.iter().find(|(member, _)| member.spec().group() == spec.group()).filter(|_| !name.starts_with("ENTER "));
    let gate = by_verb.map(|(_, gate)| *gate).or_else(|| by_group().map(|(_, gate)| *gate));
    debug_assert!(gate.is_none_or(|gate| gate.entry.component == gate.exit.component && gate.entry.component != Component::Ei));
    gate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TRC-03.
    #[test]
    fn requests_that_take_less_than_a_microsecond_have_points_of_level_2() {
        let level = |name: &str| {
            let spec = exec::command_by_name(name).unwrap_or_else(|| panic!("{name}"));
            gate_of(spec).map(|gate| (gate.entry.level, gate.exit.level))
        };
        for command in ["READQ TS", "GETMAIN", "ASKTIME", "LINK", "GET CONTAINER"] {
            assert_eq!(level(command), Some((2, 2)), "{command}");
        }
        for command in ["READ", "START", "SEND MAP", "WRITEQ TD"] {
            assert_eq!(level(command), Some((1, 1)), "{command}");
        }
    }

    #[test]
    fn commands_have_the_gate_of_their_domain() {
        let component = |name: &str| {
            let spec = exec::command_by_name(name).unwrap_or_else(|| panic!("{name}"));
            gate_of(spec).map(|gate| gate.entry.component.code())
        };
        for (command, code) in [
            ("READ", Some("FC")),
            ("WRITEQ TS", Some("TS")),
            ("WRITEQ TD", Some("TD")),
            ("ENQ", Some("NQ")),
            ("SUSPEND", Some("KC")),
            ("DELAY", Some("IC")),
            ("ASKTIME", Some("TI")),
            ("FORMATTIME", Some("TI")),
            ("SEND MAP", Some("BM")),
            ("LINK", Some("PC")),
            ("GETMAIN", Some("SM")),
            ("ENTER TRACENUM", None),
            ("ADDRESS", None),
            ("INQUIRE FILE", None),
        ] {
            assert_eq!(component(command), code, "{command}");
        }
    }
}
