//! The fields of a performance class record: what the domains have counted, the clocks of the dispatcher by TCB mode, and the waits by type.
//!
//! `tables/performance_fields.tsv` says what a field is, `tables/wait_clocks.tsv` in which clock a wait is. Invariant: a record has all fields of
//! the table, in its order, with values of its types. A field about something that the region does not have is zero or blank, as it is in CICS.

use super::Record;
use super::interim::take_off;
use crate::control_blocks::application::Context;
use crate::control_blocks::performance::{CLOCKS, FIELDS};
use kernel::machine::Machine;
use kernel::{Clock, Mode, Pool};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

const TABLE: &str = include_str!("../../tables/performance_fields.tsv");
const WAIT_CLOCKS: &str = include_str!("../../tables/wait_clocks.tsv");

/// Group and number of a field.
type Key = (&'static str, u16);

/// What the dictionary says of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    pub group: &'static str,
    pub number: u16,
    /// A, C, P, S or T.
    pub kind: char,
    pub length_bytes: usize,
    pub nickname: &'static str,
}

/// The value of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Count(u64),
    Flags([u8; 8]),
    Text(String),
    Packed(u32),
    Clock(Clock),
    Time(Option<SystemTime>),
}

impl Value {
    /// Of a field about something that the region does not have.
    pub(super) fn none(kind: char) -> Value {
        match kind {
            'A' => Value::Count(0),
            'C' => Value::Text(String::new()),
            'P' => Value::Packed(0),
            'S' => Value::Clock(Clock::default()),
            'T' => Value::Time(None),
            other => panic!("{other} is not a type of a field"),
        }
    }

    /// The type it has in the dictionary.
    fn kind(&self) -> char {
        match self {
            Value::Count(_) | Value::Flags(_) => 'A',
            Value::Text(_) => 'C',
            Value::Packed(_) => 'P',
            Value::Clock(_) => 'S',
            Value::Time(_) => 'T',
        }
    }
}

/// One field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    pub spec: &'static FieldSpec,
    pub value: Value,
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// All fields that a performance class record of CICS has.
pub fn specs() -> &'static [FieldSpec] {
    static SPECS: OnceLock<Vec<FieldSpec>> = OnceLock::new();
    SPECS.get_or_init(|| {
        let spec = |row: Vec<&'static str>| {
            let [group, number, kind, length, nickname] = row[..] else { panic!("{row:?} has five columns") };
            let parsed = |text: &str| text.parse::<u16>().unwrap_or_else(|error| panic!("{text}: {error}"));
            let (length_bytes, kind) = (usize::from(parsed(length)), kind.chars().next().expect("a type"));
            FieldSpec { group, number: parsed(number), kind, length_bytes, nickname }
        };
        rows(TABLE).map(spec).collect()
    })
}

/// The clock that has the waits of a type.
fn clock_of(resource_type: &str) -> Option<Key> {
    rows(WAIT_CLOCKS).find(|row| row[0] == resource_type).map(|row| (row[1], row[2].parse().expect("a number")))
}

/// The modes of a single TCB but QR, and the others of no pool: MSDISPT and MSCPUT.
fn is_miscellaneous(mode: Mode) -> bool {
    mode != Mode::Qr && mode.pool().is_none()
}

/// The modes of open TCBs in CICS key: KY8DISPT and KY8CPUT.
const KEY_8: [Mode; 4] = [Mode::L8, Mode::S8, Mode::X8, Mode::T8];
/// The modes of open TCBs in user key: KY9DISPT and KY9CPUT.
const KEY_9: [Mode; 2] = [Mode::L9, Mode::X9];

impl Record {
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = self.since_the_attach();
        if let Some(before) = &self.before {
            fields.iter_mut().zip(&before.since_the_attach()).for_each(|(field, before)| take_off(field, before));
        }
        fields
    }

    /// As [`Record::fields`], with what the records before have.
    fn since_the_attach(&self) -> Vec<Field> {
        let mut values: BTreeMap<Key, Value> = BTreeMap::new();
        self.identity(&mut values);
        self.times(&mut values);
        for ((group, number, _), count) in FIELDS.iter().zip(self.counters.values()) {
            values.insert((group, *number), Value::Count(count));
        }
        for ((group, number, _), clock) in CLOCKS.iter().zip(self.counters.clocks()) {
            values.insert((group, *number), Value::Clock(clock));
        }
        self.waits(&mut values);
        let mut field = |spec: &'static FieldSpec| {
            let value = values.remove(&(spec.group, spec.number)).unwrap_or_else(|| Value::none(spec.kind));
            Field { spec, value }
        };
        let fields: Vec<Field> = specs().iter().map(&mut field).collect();
        assert!(values.is_empty(), "{values:?} are in the table");
        debug_assert!(fields.iter().all(|field| field.value.kind() == field.spec.kind), "a field has the type of the table");
        fields
    }

    /// The value of a field.
    pub fn field(&self, group: &str, number: u16) -> Option<Value> {
        self.fields().into_iter().find(|field| field.spec.group == group && field.spec.number == number).map(|field| field.value)
    }

    /// A clock by its nickname.
    pub fn clock(&self, nickname: &str) -> Option<Clock> {
        self.fields().into_iter().find_map(|field| match field.value {
            Value::Clock(clock) if field.spec.nickname == nickname => Some(clock),
            _ => None,
        })
    }

    fn identity(&self, values: &mut BTreeMap<Key, Value>) {
        let text = |text: &str| Value::Text(text.to_string());
        let code = |code: &[u8; 4]| text(&String::from_utf8_lossy(code).replace('\0', " "));
        let machine = Machine::of_this_process();
        let attached = self.ended_at.checked_sub(self.times.elapsed).unwrap_or(self.ended_at);
        let start = self.before.as_ref().map_or(attached, |before| before.ended_at);
        values.extend([
            (("DFHTASK", 1), text(self.transid.as_str())),
            (("DFHTERM", 2), text(self.terminal.as_str())),
            (("DFHCICS", 89), text(self.user_id.as_str())),
            (("DFHCICS", 5), Value::Time(Some(start))),
            (("DFHCICS", 6), Value::Time(Some(self.ended_at))),
            (("DFHCICS", 112), text(self.cause.record_type())),
            (("DFHTASK", 31), Value::Packed(self.task_number)),
            (("DFHPROG", 71), text(self.program.as_str())),
            (("DFHPROG", 113), code(&self.original_abend_code)),
            (("DFHPROG", 114), code(&self.abend_code)),
            (("DFHTASK", 164), Value::Flags(self.flags.bytes())),
            (("DFHCICS", 370), Value::Flags(self.origin_flags().bytes())),
            (("DFHTASK", 430), text(machine.architecture.as_str())),
            (("DFHTASK", 431), text(machine.model.as_str())),
            (("DFHTASK", 482), text(machine.name.as_str())),
        ]);
        // The context of the application; -1 for a version that it does not give.
        if let Some(context) = self.context.as_deref() {
            let [major, minor, micro] = Context::version(context).map(|number| Value::Count(u64::from(number as i32 as u32)));
            values.extend([
                (("DFHTASK", 451), text(context.name())),
                (("DFHTASK", 452), text(context.platform())),
                (("DFHTASK", 453), major),
                (("DFHTASK", 454), minor),
                (("DFHTASK", 455), micro),
                (("DFHTASK", 456), text(&context.operation)),
            ]);
        }
    }

    /// The clocks of the dispatcher ("Performance data in group DFHTASK").
    fn times(&self, values: &mut BTreeMap<Key, Value>) {
        let times = &self.times;
        let dispatched = |is_of: &dyn Fn(Mode) -> bool, time: fn(&kernel::ModeTimes) -> Duration| {
            let modes = Mode::ALL.iter().filter(|mode| is_of(**mode)).map(|mode| &times.modes[*mode as usize]);
            Value::Clock(modes.fold(Clock::default(), |all, of| all.and(Clock { time: time(of), count: of.dispatches })))
        };
        let (dispatch, cpu): (fn(&kernel::ModeTimes) -> Duration, fn(&kernel::ModeTimes) -> Duration) = (|of| of.dispatch, |of| of.cpu);
        let once = |time: Duration| Value::Clock(Clock { time, count: u64::from(!time.is_zero()) });
        let delay = |mode: Mode| Value::Clock(times.modes[mode as usize].delay);
        let pool = |pool: Pool| Value::Clock(times.pool_delays[pool as usize]);
        let suspended = Clock { time: times.first_dispatch_delay + times.suspend, count: times.dispatches };
        let clocks = [
            (7, dispatched(&|_| true, dispatch)),
            (8, dispatched(&|_| true, cpu)),
            (14, Value::Clock(suspended)),
            (102, Value::Clock(times.dispatch_wait)),
            (125, once(times.first_dispatch_delay)),
            (126, once(times.class_delay)),
            (127, once(times.max_tasks_delay)),
            (247, Value::Clock(times.change_mode_delay)),
            (249, delay(Mode::Qr)),
            (250, pool(Pool::Open)),
            (255, dispatched(&|mode| mode == Mode::Qr, dispatch)),
            (256, dispatched(&|mode| mode == Mode::Qr, cpu)),
            (257, dispatched(&is_miscellaneous, dispatch)),
            (258, dispatched(&is_miscellaneous, cpu)),
            (259, dispatched(&|mode| mode == Mode::L8, cpu)),
            (261, dispatched(&|mode| mode == Mode::S8, cpu)),
            (262, dispatched(&|mode| KEY_8.contains(&mode), dispatch)),
            (263, dispatched(&|mode| KEY_8.contains(&mode), cpu)),
            (264, dispatched(&|mode| KEY_9.contains(&mode), dispatch)),
            (265, dispatched(&|mode| KEY_9.contains(&mode), cpu)),
            (266, dispatched(&|mode| mode == Mode::L9, cpu)),
            (269, dispatched(&|mode| mode == Mode::Ro, dispatch)),
            (270, dispatched(&|mode| mode == Mode::Ro, cpu)),
            (271, dispatched(&|mode| mode == Mode::X8, cpu)),
            (272, dispatched(&|mode| mode == Mode::X9, cpu)),
            (281, pool(Pool::Ssl)),
            (282, pool(Pool::Xp)),
            (283, pool(Pool::Thrd)),
            (348, delay(Mode::Ro)),
            (349, delay(Mode::So)),
            (400, dispatched(&|mode| mode == Mode::T8, cpu)),
            // All processors are standard ones: nothing ran, or could have run, on another kind.
            (436, dispatched(&|_| true, cpu)),
            (437, Value::Clock(Clock::default())),
        ];
        values.extend(clocks.map(|(number, value)| (("DFHTASK", number), value)));
        let counts = [
            (109, self.priority.into()),
            (248, times.change_modes),
            (251, times.tcb_attaches.into()),
            (252, times.open_tcbs_peak.into()),
            (433, times.max_tasks.into()),
            (434, times.active_tasks.into()),
        ];
        values.extend(counts.map(|(number, count)| (("DFHTASK", number), Value::Count(count))));
    }

    /// The waits by type. A clock that a domain keeps itself is not among them.
    fn waits(&self, values: &mut BTreeMap<Key, Value>) {
        for (resource_type, waited) in &self.waits {
            if let Some(key) = clock_of(resource_type.as_str())
                && let Value::Clock(clock) = values.entry(key).or_insert(Value::Clock(Clock::default()))
            {
                *clock = clock.and(*waited);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_in_the_table_once() {
        let mut keys: Vec<Key> = specs().iter().map(|spec| (spec.group, spec.number)).collect();
        assert_eq!(specs()[0].nickname, "TRAN", "a record begins with the transaction");
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|one, other| one < other), "a field is in the table once");
        for spec in specs() {
            let lengths: &[usize] = match spec.kind {
                'A' => &[4, 8],
                'P' => &[4],
                'S' => &[12],
                'T' => &[8],
                'C' => &[spec.length_bytes],
                other => panic!("{other} of {}", spec.nickname),
            };
            assert!(lengths.contains(&spec.length_bytes), "{spec:?}");
        }
        // The groups of the table of the performance report, with one that came in 5.5.
        let thirteen = "DFHCHNL DFHCICS DFHDEST DFHFILE DFHPROG DFHRMI DFHSOCK DFHSTOR DFHTASK DFHTEMP DFHTERM DFHWEBB DFHWEBC";
        for group in thirteen.split(' ') {
            assert!(keys.iter().any(|(of, _)| *of == group), "{group}");
        }
    }

    #[test]
    fn counters_and_clocks_are_those_of_the_table() {
        let named = |all: &'static [(&'static str, u16, &'static str)], kind: char| {
            for (group, number, nickname) in all {
                let spec = specs().iter().find(|spec| (spec.group, spec.number) == (*group, *number));
                let spec = spec.unwrap_or_else(|| panic!("{group} {number}"));
                assert_eq!((spec.kind, spec.nickname), (kind, *nickname));
            }
        };
        named(FIELDS, 'A');
        named(CLOCKS, 'S');
    }

    #[test]
    fn waits_are_in_clocks_and_file_input_and_output_has_two_types() {
        for row in rows(WAIT_CLOCKS) {
            let key = clock_of(row[0]).unwrap();
            let spec = specs().iter().find(|spec| (spec.group, spec.number) == key).unwrap_or_else(|| panic!("{row:?}"));
            assert_eq!(spec.kind, 'S', "{row:?}");
            assert!(CLOCKS.iter().all(|(group, number, _)| (*group, *number) != key), "{row:?} is kept by a domain");
        }
        let of = |nickname: &str| {
            let spec = specs().iter().find(|spec| spec.nickname == nickname).unwrap();
            let types = rows(WAIT_CLOCKS).map(|row| row[0]).filter(|name| clock_of(name) == Some((spec.group, spec.number)));
            types.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("FCIOWTT"), "FCIOWAIT FCCIWAIT");
        assert_eq!([of("FCXCWTT"), of("FCVSWTT")], ["FCXCSUSP", "FCPSSUSP FCSRSUSP"]);
    }

    /// The table of docs/dispatcher.md.
    #[test]
    fn the_documentation_has_the_clocks_of_the_waits() {
        let text = include_str!("../../../../docs/dispatcher.md");
        for row in rows(WAIT_CLOCKS) {
            let (group, number) = clock_of(row[0]).unwrap();
            let spec = specs().iter().find(|spec| (spec.group, spec.number) == (group, number)).unwrap();
            let is_there = text.lines().any(|line| {
                let mut columns = line.trim_matches('|').split('|').map(str::trim);
                columns.next() == Some(&format!("{} ({group} {number:03})", spec.nickname))
                    && columns.next().is_some_and(|types| types.contains(row[0]))
            });
            assert!(is_there, "{row:?} {}", spec.nickname);
        }
    }

    #[test]
    fn every_mode_is_in_one_clock_of_dispatch_times() {
        for mode in Mode::ALL {
            let clocks = [mode == Mode::Qr, is_miscellaneous(mode), KEY_8.contains(&mode), KEY_9.contains(&mode)];
            assert_eq!(clocks.iter().filter(|is_in| **is_in).count(), 1, "{}", mode.name());
        }
    }
}
