//! The gates of the domains, as trace has them: which entry and exit points a command has besides those of the EXEC interface.
//!
//! A command belongs to the domain of its group, the first byte of EIBFN; a few have another one. INQUIRE and SET belong to the domain whose
//! resource they are about; those of the region as a whole, of no domain's resource, have the entries of the EXEC interface only. Requests that take less than a microsecond
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
    ATTACHMENT RA_GATE_ENTRY RA_GATE_EXIT
    BASIC_MAPPING BM_GATE_ENTRY BM_GATE_EXIT
    BUILT_IN_FUNCTION BF_GATE_ENTRY BF_GATE_EXIT
    CHANNELS BA_GATE_ENTRY BA_GATE_EXIT
    DATA_INTERCHANGE DI_GATE_ENTRY DI_GATE_EXIT
    DOCUMENTS DH_GATE_ENTRY DH_GATE_EXIT
    DOMAIN_MANAGER DM_GATE_ENTRY DM_GATE_EXIT
    DUMP DU_GATE_ENTRY DU_GATE_EXIT
    ENQUEUE NQ_GATE_ENTRY NQ_GATE_EXIT
    EVENT_PROCESSING EP_GATE_ENTRY EP_GATE_EXIT
    FILE_CONTROL FC_GATE_ENTRY FC_GATE_EXIT
    INTERVAL_CONTROL IC_GATE_ENTRY IC_GATE_EXIT
    JOURNAL LG_GATE_ENTRY LG_GATE_EXIT
    LOADER LD_GATE_ENTRY LD_GATE_EXIT
    MANAGED_PLATFORM MP_GATE_ENTRY MP_GATE_EXIT
    MESSAGE ME_GATE_ENTRY ME_GATE_EXIT
    MONITOR MN_GATE_ENTRY MN_GATE_EXIT
    PROGRAM_CONTROL PC_GATE_ENTRY PC_GATE_EXIT
    RESOURCE_LIFE_CYCLE RL_GATE_ENTRY RL_GATE_EXIT
    STATISTICS ST_GATE_ENTRY ST_GATE_EXIT
    STORAGE SM_GATE_ENTRY SM_GATE_EXIT
    TASK_CONTROL KC_GATE_ENTRY KC_GATE_EXIT
    TEMPORARY_STORAGE TS_GATE_ENTRY TS_GATE_EXIT
    TERMINAL_CONTROL TC_GATE_ENTRY TC_GATE_EXIT
    TIMER TI_GATE_ENTRY TI_GATE_EXIT
    TRACE TR_GATE_ENTRY TR_GATE_EXIT
    TRANSACTION_MANAGER XM_GATE_ENTRY XM_GATE_EXIT
    TRANSIENT_DATA TD_GATE_ENTRY TD_GATE_EXIT
    USER US_GATE_ENTRY US_GATE_EXIT
    USER_EXIT UE_GATE_ENTRY UE_GATE_EXIT
}

/// A command of each group of EIBFN, and the gate of the group.
const GROUPS: &[(CommandId, &Gate)] = &[
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
    (command::DUMP, &DUMP),
    (command::ISSUE_ERASE, &DATA_INTERCHANGE),
    (command::EXTRACT_EXIT, &USER_EXIT),
    (command::INQUIRE_EXITPROGRAM, &USER_EXIT),
    (command::GET_CONTAINER, &CHANNELS),
    (command::MONITOR, &MONITOR),
    (command::FORMATTIME, &TIMER),
    (command::INQUIRE_FILE, &FILE_CONTROL),
    (command::INQUIRE_PROGRAM, &PROGRAM_CONTROL),
    (command::INQUIRE_TRANSACTION, &TRANSACTION_MANAGER),
    (command::INQUIRE_TERMINAL, &TERMINAL_CONTROL),
    (command::INQUIRE_TDQUEUE, &TRANSIENT_DATA),
    (command::INQUIRE_TASK, &TRANSACTION_MANAGER),
    (command::INQUIRE_JOURNALNAME, &JOURNAL),
    (command::INQUIRE_DUMPDS, &DUMP),
    (command::WRITE_OPERATOR, &MESSAGE),
    (command::COLLECT_STATISTICS, &STATISTICS),
    (command::SIGNON, &USER),
    (command::PERFORM_SHUTDOWN, &DOMAIN_MANAGER),
    (command::INQUIRE_TRACEFLAG, &TRACE),
    (command::INQUIRE_DSNAME, &FILE_CONTROL),
    (command::DUMP_TRANSACTION, &DUMP),
    (command::INQUIRE_TSQUEUE, &TEMPORARY_STORAGE),
    (command::INQUIRE_UOW, &ENQUEUE),
    (command::INQUIRE_STREAMNAME, &JOURNAL),
    (command::INQUIRE_DB2CONN, &ATTACHMENT),
    (command::STARTBROWSE_CONTAINER, &CHANNELS),
    (command::DOCUMENT_CREATE, &DOCUMENTS),
    (command::INQUIRE_DOCTEMPLATE, &DOCUMENTS),
    (command::INQUIRE_LIBRARY, &LOADER),
    (command::INQUIRE_BUNDLE, &RESOURCE_LIFE_CYCLE),
    (command::SIGNAL_EVENT, &EVENT_PROCESSING),
    (command::INQUIRE_EVENTBINDING, &EVENT_PROCESSING),
];

/// Verbs that belong to another domain than the rest of their group.
const VERBS: &[(&str, &Gate)] = &[
    ("ASKTIME", &TIMER),
    ("BIF", &BUILT_IN_FUNCTION),
    ("DEQ", &ENQUEUE),
    ("ENQ", &ENQUEUE),
    ("FETCH", &ASYNCHRONOUS),
    ("FREE CHILD", &ASYNCHRONOUS),
    ("INQUIRE POLICY", &MANAGED_PLATFORM),
    ("INQUIRE POLICYRULE", &MANAGED_PLATFORM),
    ("RUN TRANSID", &ASYNCHRONOUS),
    // Storage, and waits for events, are in the group of the commands about tasks.
    ("INQUIRE STORAGE", &STORAGE),
    ("INQUIRE STORAGE64", &STORAGE),
    ("INQUIRE SUBPOOL", &STORAGE),
    ("WAIT EXTERNAL", &TASK_CONTROL),
    ("WAITCICS", &TASK_CONTROL),
];

/// The gate of a command; those of the EXEC interface itself and of the region as a whole have none of their own.
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
            ("INQUIRE FILE", Some("FC")),
            ("SET TRANSACTION", Some("XM")),
            ("INQUIRE TASK", Some("XM")),
            ("INQUIRE STORAGE", Some("SM")),
            ("BIF DEEDIT", Some("BF")),
            ("ISSUE ADD", Some("DI")),
            ("PERFORM SHUTDOWN", Some("DM")),
            ("SET TRACEDEST", Some("TR")),
            ("SET DB2CONN", Some("RA")),
            ("INQUIRE LIBRARY", Some("LD")),
            ("SET BUNDLE", Some("RL")),
            ("DOCUMENT SET", Some("DH")),
            ("SET DOCTEMPLATE", Some("DH")),
            ("INQUIRE POLICY", Some("MP")),
            ("SET EPADAPTER", Some("EP")),
            ("INQUIRE EPADAPTINSET", Some("EP")),
            ("SIGNAL EVENT", Some("EP")),
            ("EXTRACT EXIT", Some("UE")),
            ("INQUIRE EXITPROGRAM", Some("UE")),
            ("WRITE OPERATOR", Some("ME")),
            ("INQUIRE SYSTEM", None),
        ] {
            assert_eq!(component(command), code, "{command}");
        }
    }
}
