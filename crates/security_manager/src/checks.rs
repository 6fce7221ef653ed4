//! What is checked for each command (`tables/checks.tsv`): the access to its resource, and the access to the command itself.

use crate::settings::Parameter;
use exec::{CommandId, command_by_name};
use security::Level;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../tables/checks.tsv");

/// The row of a command.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The class of the resource it names, and the access that it needs to it.
    pub resource: Option<(Parameter, Level)>,
    /// The resource of class XCMD, and the access to it, of a system programming command.
    pub command: Option<(&'static str, Level)>,
}

static CHECKS: LazyLock<Vec<Option<Check>>> = LazyLock::new(|| {
    let mut checks = vec![None; exec::commands().len()];
    for (command, check) in rows() {
        let at = usize::from(command.0);
        assert!(checks[at].is_none(), "checks.tsv: {} twice", command.name());
        checks[at] = Some(check);
    }
    checks
});

fn rows() -> impl Iterator<Item = (CommandId, Check)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let [name, class, access, resource, command_access] = columns[..] else { panic!("checks.tsv: {line}") };
        let command = command_by_name(name).unwrap_or_else(|| panic!("checks.tsv: {name}")).id;
        let level = |text: &str| Level::of_name(text).unwrap_or_else(|| panic!("checks.tsv: {line}"));
        let parameter = |text: &str| Parameter::named(text).unwrap_or_else(|| panic!("checks.tsv: {line}"));
        let check = Check {
            resource: (class != "-").then(|| (parameter(class), level(access))),
            command: (resource != "-").then(|| (resource, level(command_access))),
        };
        (command, check)
    })
}

/// What is checked for a command; `None`: nothing.
#[inline]
pub fn of(command: CommandId) -> Option<&'static Check> {
    CHECKS.get(usize::from(command.0))?.as_ref()
}

/// Whether class XCMD has resources of the name.
pub fn is_command_resource(name: &str) -> bool {
    CHECKS.iter().flatten().any(|check| check.command.is_some_and(|(resource, _)| resource == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::command;

    #[test]
    fn access_is_that_of_the_cross_reference() {
        let resource = |id| of(id).and_then(|check| check.resource);
        let command = |id| of(id).and_then(|check| check.command);
        assert_eq!(resource(command::READ), Some((Parameter::Xfct, Level::Read)));
        assert_eq!(resource(command::READQ_TD), Some((Parameter::Xdct, Level::Update)));
        assert_eq!(resource(command::START), Some((Parameter::Xpct, Level::Read)));
        assert_eq!((resource(command::DELAY), command(command::READ)), (None, None));
        assert_eq!(command(command::INQUIRE_TRANCLASS), Some(("TCLASS", Level::Read)));
        assert_eq!(
            (command(command::SET_FILE), resource(command::SET_FILE)),
            (Some(("FILE", Level::Update)), Some((Parameter::Xfct, Level::Update)))
        );
        assert_eq!(command(command::DISCARD_PROGRAM), Some(("PROGRAM", Level::Alter)));
        assert_eq!(command(command::ENABLE_PROGRAM), Some(("EXITPROGRAM", Level::Update)));
    }

    /// "Security checking is performed for ... commands that require the special translator option, SP" (Introduction to command security).
    #[test]
    fn every_system_programming_command_is_checked() {
        let verbs = [
            "INQUIRE ",
            "SET ",
            "CREATE ",
            "DISCARD ",
            "PERFORM ",
            "COLLECT ",
            "ENABLE ",
            "DISABLE ",
            "EXTRACT EXIT",
            "EXTRACT STATISTICS",
        ];
        let bts = ["ACTIVITYID", "CONTAINER", "EVENT", "PROCESS", "TIMER"];
        for spec in exec::commands().iter().filter(|spec| verbs.iter().any(|verb| spec.name.starts_with(verb))) {
            let is_of_programs = bts.iter().any(|of| spec.name.ends_with(&format!("INQUIRE {of}")));
            assert!(is_of_programs || of(spec.id).is_some_and(|check| check.command.is_some()), "{}", spec.name);
        }
    }
}
