//! The TCB mode a program starts on, and the mode each command needs (tables 4-1 to 4-3 of the CICS performance guide).
//!
//! | definition | starts on | non-threadsafe command | Db2 or MQ command |
//! | --- | --- | --- | --- |
//! | CICSAPI QUASIRENT | QR | stays | QR, L8, QR |
//! | CICSAPI THREADSAFE | the caller's, QR at first | to QR and stays | to L8 and stays |
//! | CICSAPI REQUIRED | L8 | L8, QR, L8 | stays |
//! | OPENAPI, STGPROT=NO or EXECKEY(CICS) | L8 | L8, QR, L8 | stays |
//! | OPENAPI, STGPROT=YES and EXECKEY(USER) | L9 | L9, QR, L9 | L9, L8, L9 |
//! | compiled with XPLINK, STGPROT=NO or EXECKEY(CICS) | X8 | X8, QR, X8 | X8, L8, X8 |
//! | compiled with XPLINK, STGPROT=YES and EXECKEY(USER) | X9 | X9, QR, X9 | X9, L8, X9 |
//!
//! The XPLINK signature of the load module takes precedence over API and CONCURRENCY. A threadsafe command never switches. A task ends on
//! QR.

use csd::{Api, Concurrency, Key, ProgramDefinition};
use kernel::Mode;

/// The mode requirements of a level's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Always QR.
    Qr,
    /// Whatever the task is on.
    Any,
    /// Always this open mode.
    Open(Mode),
}

/// The home of a program compiled with XPLINK, regardless of API and CONCURRENCY in its definition.
pub fn xplink_home(definition: &ProgramDefinition, storage_protection: bool) -> Home {
    Home::Open(if storage_protection && definition.execkey == Key::User { Mode::X9 } else { Mode::X8 })
}

/// The home of a program.
pub fn home(definition: &ProgramDefinition, storage_protection: bool, force_qr: bool) -> Home {
    if force_qr && definition.api == Api::Cicsapi {
        return Home::Qr;
    }
    match (definition.api, definition.concurrency) {
        (Api::Cicsapi, Concurrency::Quasirent) => Home::Qr,
        (Api::Cicsapi, Concurrency::Threadsafe) => Home::Any,
        (Api::Cicsapi, Concurrency::Required) => Home::Open(Mode::L8),
        (Api::Openapi, _) if storage_protection && definition.execkey == Key::User => Home::Open(Mode::L9),
        (Api::Openapi, _) => Home::Open(Mode::L8),
    }
}

/// The mode in which the program gets control, at its start and after a command; `None`: stay.
pub fn program_mode(home: Home, current: Mode) -> Option<Mode> {
    let wanted = match home {
        Home::Qr => Mode::Qr,
        Home::Any => return None,
        Home::Open(mode) => mode,
    };
    (wanted != current).then_some(wanted)
}

/// The kind of a command as regards switching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    Threadsafe,
    Qr,
    /// Db2 and MQ.
    L8,
}

/// The mode a command runs on; `None`: stay.
pub fn command_mode(need: Need, current: Mode) -> Option<Mode> {
    let wanted = match need {
        Need::Threadsafe => return None,
        Need::Qr => Mode::Qr,
        Need::L8 => Mode::L8,
    };
    (wanted != current).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    use csd::Definition;

    /// The kinds of commands: the columns of the tables, and the rule of their notes.
    const KINDS: [Need; 3] = [Need::L8, Need::Qr, Need::Threadsafe];

    /// A row of one of the tables.
    struct Row {
        api: &'static str,
        concurrency: &'static str,
        keys: &'static [&'static str],
        protection: &'static [bool],
        is_xplink: bool,
        initial: Mode,
        /// A Db2 or MQ command, then a command that is not threadsafe: the modes it goes through, from the one the program is on.
        paths: [&'static str; 2],
    }

    const BOTH_KEYS: &[&str] = &["CICS", "USER"];
    const EITHER: &[bool] = &[false, true];

    const fn row(
        (api, concurrency): (&'static str, &'static str),
        (protection, keys): (&'static [bool], &'static [&'static str]),
        initial: Mode,
        paths: [&'static str; 2],
    ) -> Row {
        Row { api, concurrency, keys, protection, is_xplink: false, initial, paths }
    }

    const fn xplink(protection: &'static [bool], keys: &'static [&'static str], initial: Mode, paths: [&'static str; 2]) -> Row {
        Row { is_xplink: true, ..row(("CICSAPI", "THREADSAFE"), (protection, keys), initial, paths) }
    }

    /// Tables 4-1, 4-2 and 4-3 of the performance report. The deprecated OPENAPI with THREADSAFE is as with REQUIRED.
    const TABLES: [Row; 11] = [
        row(("CICSAPI", "QUASIRENT"), (EITHER, BOTH_KEYS), Mode::Qr, ["QR L8 QR", "QR"]),
        row(("CICSAPI", "THREADSAFE"), (EITHER, BOTH_KEYS), Mode::Qr, ["QR L8", "QR"]),
        row(("CICSAPI", "REQUIRED"), (EITHER, BOTH_KEYS), Mode::L8, ["L8", "L8 QR L8"]),
        row(("OPENAPI", "REQUIRED"), (&[false], BOTH_KEYS), Mode::L8, ["L8", "L8 QR L8"]),
        row(("OPENAPI", "REQUIRED"), (&[true], &["CICS"]), Mode::L8, ["L8", "L8 QR L8"]),
        row(("OPENAPI", "REQUIRED"), (&[true], &["USER"]), Mode::L9, ["L9 L8 L9", "L9 QR L9"]),
        row(("OPENAPI", "THREADSAFE"), (&[false], BOTH_KEYS), Mode::L8, ["L8", "L8 QR L8"]),
        row(("OPENAPI", "THREADSAFE"), (&[true], &["USER"]), Mode::L9, ["L9 L8 L9", "L9 QR L9"]),
        xplink(&[false], BOTH_KEYS, Mode::X8, ["X8 L8 X8", "X8 QR X8"]),
        xplink(&[true], &["CICS"], Mode::X8, ["X8 L8 X8", "X8 QR X8"]),
        xplink(&[true], &["USER"], Mode::X9, ["X9 L8 X9", "X9 QR X9"]),
    ];

    /// A task of one program: the mode it is on, and its change modes so far.
    struct Walk {
        home: Home,
        mode: Mode,
        change_modes: u32,
        path: Vec<&'static str>,
    }

    impl Walk {
        /// The task begins on QR.
        fn begin(home: Home) -> Walk {
            let mut walk = Walk { home, mode: Mode::Qr, change_modes: 0, path: Vec::new() };
            walk.go(program_mode(home, Mode::Qr));
            walk
        }

        fn go(&mut self, to: Option<Mode>) {
            if let Some(mode) = to {
                assert_ne!(mode, self.mode, "no change to the mode the task is on");
                self.mode = mode;
                self.change_modes += 1;
                self.path.push(mode.name());
            }
        }

        /// One command; the modes the task goes through.
        fn command(&mut self, need: Need) -> String {
            self.path = vec![self.mode.name()];
            self.go(command_mode(need, self.mode));
            self.go(program_mode(self.home, self.mode));
            self.path.join(" ")
        }

        fn commands(mut self, needs: impl IntoIterator<Item = Need>) -> Walk {
            for need in needs {
                self.command(need);
            }
            self
        }

        /// The change modes of the task: it ends on QR.
        fn end(self) -> u32 {
            self.change_modes + u32::from(self.mode != Mode::Qr)
        }
    }

    fn home_of(row: &Row, key: &str, protection: bool) -> Home {
        let definition = Definition::new("PROGRAM", "P", "G").with("API", row.api).with("CONCURRENCY", row.concurrency);
        let definition = ProgramDefinition::from(&definition.with("EXECKEY", key));
        if row.is_xplink { xplink_home(&definition, protection) } else { home(&definition, protection, false) }
    }

    /// The rows of a table, for every storage protection and key they are for.
    fn check(rows: &[Row]) {
        let each = rows.iter().flat_map(|row| row.protection.iter().map(move |protection| (row, *protection)));
        for (row, protection, key) in each.flat_map(|(row, protection)| row.keys.iter().map(move |key| (row, protection, *key))) {
            let of = format!("{} {} STGPROT={protection} {key}", row.api, row.concurrency);
            let home = home_of(row, key, protection);
            let begun = Walk::begin(home);
            assert_eq!((begun.mode, begun.change_modes), (row.initial, u32::from(row.initial != Mode::Qr)), "{of}");
            for (need, expected) in KINDS.into_iter().zip([row.paths[0], row.paths[1], row.initial.name()]) {
                let mut walk = Walk::begin(home);
                let before = walk.change_modes;
                assert_eq!(walk.command(need), expected, "{of} {need:?}");
                let modes = expected.split(' ').count() as u32;
                assert_eq!(walk.change_modes - before, modes - 1, "{of} {need:?}");
            }
        }
    }

    #[test]
    fn table_4_1() {
        check(&TABLES[..3]);
        // THREADSAFE: behind a Db2 command the task is on L8, and the next command that is not threadsafe takes it back.
        let mut threadsafe = Walk::begin(Home::Any);
        let paths = [Need::L8, Need::L8, Need::Threadsafe, Need::Qr, Need::Qr].map(|need| threadsafe.command(need));
        assert_eq!(paths, ["QR L8", "L8", "L8", "L8 QR", "QR"]);
    }

    #[test]
    fn table_4_2() {
        check(&TABLES[3..8]);
    }

    /// The signature of the module counts, whatever API and CONCURRENCY are.
    #[test]
    fn table_4_3() {
        check(&TABLES[8..]);
        for (api, concurrency) in [("CICSAPI", "QUASIRENT"), ("CICSAPI", "REQUIRED"), ("OPENAPI", "REQUIRED")] {
            let row = Row { api, concurrency, ..xplink(&[true], &["USER"], Mode::X9, ["X9 L8 X9", "X9 QR X9"]) };
            check(&[row]);
        }
    }

    /// The worked example of the report: begin on L8, a threadsafe command, a Db2 command, one that is not threadsafe, and the end.
    #[test]
    fn the_worked_example_of_a_required_program() {
        let mut walk = Walk::begin(Home::Open(Mode::L8));
        let paths = [Need::Threadsafe, Need::L8, Need::Qr].map(|need| walk.command(need));
        assert_eq!(paths, ["L8", "L8", "L8 QR L8"]);
        assert_eq!(walk.end(), 1 + 2 + 1);
    }

    /// Table 5-17: 150 times a Db2 read and a write to transient data. Before transient data was threadsafe this was 302 changes for
    /// THREADSAFE, the call of Db2 at the syncpoint included, and 306 for REQUIRED with two commands for the terminal; since then at most 8.
    #[test]
    fn a_threadsafe_command_saves_the_changes_of_table_5_17() {
        let work = |transient_data: Need| (0..150).flat_map(move |_| [Need::L8, transient_data]);
        assert_eq!(Walk::begin(Home::Any).commands(work(Need::Qr)).commands([Need::L8]).end(), 302);
        let required =
            |transient_data: Need| Walk::begin(Home::Open(Mode::L8)).commands(work(transient_data)).commands([Need::Qr; 2]).end();
        assert_eq!(required(Need::Qr), 306);
        assert!(required(Need::Threadsafe) <= 8);
    }

    /// DSP-33: a REQUIRED parent has one for its first program, two for each of RECEIVE, SEND and START, none for PUT CONTAINER and RUN TRANSID, and
    /// one for its end.
    #[test]
    fn ten_starts_cost_twenty_changes_more_than_ten_children() {
        let parent = |start: Need| {
            let children = (0..10).flat_map(move |_| [Need::Threadsafe, start]);
            Walk::begin(Home::Open(Mode::L8)).commands([Need::Qr]).commands(children).commands([Need::Qr]).end()
        };
        assert_eq!((parent(Need::Threadsafe), parent(Need::Qr)), (1 + 2 + 2 + 1, 1 + 2 + 20 + 2 + 1));
    }

    #[test]
    fn homes_of_definitions() {
        let program = |api: &str, concurrency: &str, key: &str| {
            let definition = Definition::new("PROGRAM", "P", "G").with("API", api).with("CONCURRENCY", concurrency).with("EXECKEY", key);
            ProgramDefinition::from(&definition)
        };
        assert_eq!(home(&program("CICSAPI", "QUASIRENT", "USER"), true, false), Home::Qr);
        assert_eq!(home(&program("CICSAPI", "THREADSAFE", "USER"), true, false), Home::Any);
        assert_eq!(home(&program("CICSAPI", "THREADSAFE", "USER"), true, true), Home::Qr);
        assert_eq!(home(&program("CICSAPI", "REQUIRED", "USER"), true, false), Home::Open(Mode::L8));
        for (protection, key, mode) in
            [(true, "USER", Mode::L9), (true, "CICS", Mode::L8), (false, "USER", Mode::L8), (false, "CICS", Mode::L8)]
        {
            assert_eq!(home(&program("OPENAPI", "REQUIRED", key), protection, false), Home::Open(mode));
            assert_eq!(home(&program("OPENAPI", "THREADSAFE", key), protection, false), Home::Open(mode));
        }
    }
}
