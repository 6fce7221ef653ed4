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

    /// The sequence of modes: at start, then during and after each command.
    fn walk(home: Home, commands: &[Need]) -> Vec<&'static str> {
        let mut current = Mode::Qr;
        let mut path = Vec::new();
        let mut go = |current: &mut Mode, to: Option<Mode>| {
            if let Some(mode) = to {
                *current = mode;
            }
            path.push(current.name());
        };
        go(&mut current, program_mode(home, Mode::Qr));
        for need in commands {
            let to = command_mode(*need, current);
            go(&mut current, to);
            let back = program_mode(home, current);
            go(&mut current, back);
        }
        path
    }

    #[test]
    fn table_4_1() {
        assert_eq!(walk(Home::Qr, &[Need::Qr, Need::L8]), ["QR", "QR", "QR", "L8", "QR"]);
        assert_eq!(
            walk(Home::Any, &[Need::Qr, Need::L8, Need::Threadsafe, Need::Qr]),
            ["QR", "QR", "QR", "L8", "L8", "L8", "L8", "QR", "QR"]
        );
        assert_eq!(walk(Home::Open(Mode::L8), &[Need::Threadsafe, Need::L8, Need::Qr]), ["L8", "L8", "L8", "L8", "L8", "QR", "L8"]);
    }

    #[test]
    fn table_4_2() {
        assert_eq!(walk(Home::Open(Mode::L9), &[Need::L8, Need::Qr, Need::Threadsafe]), ["L9", "L8", "L9", "QR", "L9", "L9", "L9"]);
    }

    #[test]
    fn table_4_3() {
        use csd::Definition;
        for (protection, key, mode) in
            [(false, "CICS", Mode::X8), (false, "USER", Mode::X8), (true, "CICS", Mode::X8), (true, "USER", Mode::X9)]
        {
            let definition = ProgramDefinition::from(&Definition::new("PROGRAM", "P", "G").with("EXECKEY", key));
            let home = xplink_home(&definition, protection);
            assert_eq!(home, Home::Open(mode));
            let name = mode.name();
            assert_eq!(walk(home, &[Need::L8, Need::Qr, Need::Threadsafe]), [name, "L8", name, "QR", name, name, name]);
        }
    }

    #[test]
    fn homes_of_definitions() {
        use csd::Definition;
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
