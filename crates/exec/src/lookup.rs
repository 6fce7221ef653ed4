//! Lookups in the catalogue: by number (an index) and by name (binary search, or a short scan at compile time only).

use crate::block::{CommandId, OptionId};
use crate::catalogue::*;

/// The whole catalogue.
#[derive(Clone, Copy)]
pub struct Catalogue {
    pub commands: &'static [CommandSpec],
    pub option_names: &'static [&'static str],
    pub conditions: &'static [ConditionSpec],
}

/// The catalogue's tables.
pub fn catalogue() -> Catalogue {
    Catalogue { commands: COMMANDS, option_names: OPTION_NAMES, conditions: CONDITIONS }
}

/// All commands, by identifier.
pub fn commands() -> &'static [CommandSpec] {
    COMMANDS
}

impl CommandId {
    /// The command's entry. The identifier must be of this catalogue.
    pub fn spec(self) -> &'static CommandSpec {
        &COMMANDS[usize::from(self.0)]
    }

    /// The entry, or None if the identifier is not of this catalogue (a damaged argument block).
    pub fn checked(self) -> Option<&'static CommandSpec> {
        COMMANDS.get(usize::from(self.0))
    }

    pub fn name(self) -> &'static str {
        self.spec().name
    }
}

impl OptionId {
    pub fn name(self) -> &'static str {
        OPTION_NAMES.get(usize::from(self.0)).copied().unwrap_or("?")
    }
}

impl CommandSpec {
    /// The group of the command: the first byte of EIBFN, which commands of one domain have in common.
    pub const fn group(&self) -> u8 {
        self.eibfn.to_be_bytes()[0]
    }

    /// The command's option, if it has it.
    pub fn option(&self, id: OptionId) -> Option<&'static OptionSpec> {
        self.options.binary_search_by_key(&id, |option| option.id).ok().map(|index| &self.options[index])
    }

    /// The option spelt `word` (upper case), also by a synonym (DATASET).
    pub fn option_by_name(&self, word: &str) -> Option<&'static OptionSpec> {
        self.option(option_by_name(word)?)
    }

    /// The option that `word` spells in full, or the only one it begins (at least two letters), as CECI accepts it.
    pub fn option_by_abbreviation(&self, word: &str) -> Option<&'static OptionSpec> {
        if let Some(found) = self.option_by_name(word) {
            return Some(found);
        }
        let mut fitting = self.options.iter().filter(|option| word.len() >= 2 && option.name.starts_with(word));
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }
}

/// The EIBFN value of a command.
pub fn eibfn(command: CommandId) -> u16 {
    command.spec().eibfn
}

/// Whether the command may run on an open TCB.
pub fn threadsafe(command: CommandId) -> Threadsafe {
    command.spec().threadsafe
}

/// Whether the EXEC interface executes the command (`tables/implemented.tsv`).
pub fn implemented(command: CommandId) -> bool {
    command.checked().is_some_and(|spec| spec.implemented)
}

/// The name that belongs to a function code (`0602` is READ), over all interfaces.
pub fn function_name(eibfn: u16) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(code, _)| *code == eibfn).map(|(_, name)| *name)
}

/// The option called `word` (upper case), if any command has it.
pub fn option_by_name(word: &str) -> Option<OptionId> {
    if let Ok(index) = OPTION_NAMES.binary_search(&word) {
        return Some(OptionId(index as u16));
    }
    OPTION_SYNONYMS.iter().find(|(name, _)| *name == word).map(|(_, id)| *id)
}

/// The command whose full name is `name` (upper case, single blanks), or for which `name` is a short form (READQ is READQ TS).
pub fn command_by_name(name: &str) -> Option<&'static CommandSpec> {
    if let Ok(index) = COMMANDS.binary_search_by(|command| command.name.cmp(name)) {
        return Some(&COMMANDS[index]);
    }
    let (_, full) = COMMAND_SYNONYMS.iter().find(|(short, _)| *short == name)?;
    COMMANDS.binary_search_by(|command| command.name.cmp(full)).ok().map(|index| &COMMANDS[index])
}

/// The commands that begin with a verb (upper case).
pub fn commands_of_verb(verb: &str) -> &'static [CommandSpec] {
    let start = COMMANDS.partition_point(|command| command.words[0] < verb);
    let length = COMMANDS[start..].iter().take_while(|command| command.words[0] == verb).count();
    &COMMANDS[start..start + length]
}

impl Condition {
    pub fn spec(self) -> Option<&'static ConditionSpec> {
        CONDITIONS.binary_search_by_key(&self, |spec| spec.condition).ok().map(|index| &CONDITIONS[index])
    }

    /// The name, or `?` for a number that is not a condition.
    pub fn name(self) -> &'static str {
        self.spec().map_or("?", |spec| spec.name)
    }

    pub fn abend_code(self) -> Option<&'static str> {
        self.spec().and_then(|spec| spec.abend_code)
    }

    pub fn default_action(self) -> DefaultAction {
        self.spec().map_or(DefaultAction::Abend, |spec| spec.default_action)
    }
}

/// The names of all conditions.
pub fn condition_names() -> impl Iterator<Item = &'static str> + Clone {
    CONDITIONS.iter().map(|spec| spec.name)
}

/// The condition called `name` (upper case): the value of DFHRESP(name).
pub fn condition_by_name(name: &str) -> Option<Condition> {
    let found = CONDITIONS.iter().find(|spec| spec.name == name).map(|spec| spec.condition);
    found.or_else(|| CONDITION_SYNONYMS.iter().find(|(synonym, _)| *synonym == name).map(|(_, condition)| *condition))
}

/// The value DFHRESP(name) has in a program.
pub fn dfhresp(name: &str) -> Option<i64> {
    condition_by_name(name).map(|condition| i64::from(condition.0))
}

/// The value DFHVALUE(name) has in a program.
pub fn dfhvalue(name: &str) -> Option<i64> {
    cvda::value_of(name)
}

/// Whether the value of an option is shown to nobody: in no trace entry, and as blanks on the displays of CEDF and CECI ("When this command is
/// issued by a transaction running under CEDF, the password ... is blanked out", VERIFY PASSWORD; "PassTickets are not displayed", REQUEST
/// PASSTICKET).
pub fn is_secret(option: OptionId) -> bool {
    use crate::option;
    const SECRETS: [OptionId; 6] =
        [option::PASSWORD, option::NEWPASSWORD, option::PHRASE, option::NEWPHRASE, option::PASSTICKET, option::OIDCARD];
    SECRETS.contains(&option)
}

/// The meaning of RESP2 for a condition of a command, if the tables have it.
pub fn resp2_meaning(command: &str, condition: Condition, resp2: i64) -> Option<&'static str> {
    let id = command_by_name(command)?.id;
    resp2_of(id).find(|row| i64::from(row.resp2) == resp2 && row.condition == condition).map(|row| row.meaning)
}

/// The RESP2 values of a command that the tables have.
pub fn resp2_of(command: CommandId) -> impl Iterator<Item = &'static Resp2Meaning> {
    RESP2_MEANINGS.iter().filter(move |row| row.commands.contains(&command))
}

/// The groups of commands, in the order of the documentation.
pub fn command_groups() -> &'static [&'static str] {
    COMMAND_GROUPS
}

/// Changes when commands, options or their order change; a load module compiled against another catalogue must not run.
pub const fn fingerprint() -> u64 {
    // FNV-1a over the names, in order.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut index = 0;
    while index < OPTION_NAMES.len() {
        hash = fold(hash, OPTION_NAMES[index].as_bytes());
        index += 1;
    }
    index = 0;
    while index < COMMANDS.len() {
        hash = fold(hash, COMMANDS[index].name.as_bytes());
        index += 1;
    }
    hash
}

const fn fold(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01B3);
        index += 1;
    }
    (hash ^ 0xFF).wrapping_mul(0x0000_0100_0000_01B3)
}

pub mod cvda {
    //! CICS-value data areas: the numbers behind DFHVALUE(name).
    pub use crate::catalogue::cvda_constants::*;

    /// The number of a CVDA name (upper case).
    pub fn value_of(name: &str) -> Option<i64> {
        let table = super::CVDAS;
        table.binary_search_by(|(key, _)| (*key).cmp(name)).ok().map(|index| table[index].1)
    }

    /// All CVDA names.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        super::CVDAS.iter().map(|(name, _)| *name)
    }

    /// A name for the number; the alphabetically first if there are several.
    pub fn name_of(value: i64) -> Option<&'static str> {
        super::CVDAS.iter().find(|(_, number)| *number == value).map(|(name, _)| *name)
    }
}

pub mod aid {
    //! Attention identifiers, without the prefix DFH: `aid::PF3`.
    use crate::catalogue::NamedByte;
    pub use crate::catalogue::aid_constants::*;

    /// All of them, in the order of DFHAID.
    pub fn all() -> &'static [NamedByte] {
        super::AIDS
    }

    pub fn name_of(value: u8) -> Option<&'static str> {
        super::AIDS.iter().find(|row| row.value == value).map(|row| row.name)
    }

    /// Whether the key sends no fields (CLEAR and the PA keys).
    pub fn is_short_read(value: u8) -> bool {
        super::AIDS.iter().any(|row| row.value == value && row.short_read)
    }
}

pub mod bmsca {
    //! BMS attribute and highlighting values, without the prefix DFH: `bmsca::BMPRO`.
    use crate::catalogue::NamedByte;
    pub use crate::catalogue::bmsca_constants::*;

    /// All of them, in the order of DFHBMSCA.
    pub fn all() -> &'static [NamedByte] {
        super::BMS_ATTRIBUTES
    }
}

pub mod eib {
    //! Offsets of the EXEC interface block's fields, by their names, and its `LENGTH`.
    use crate::catalogue::EibField;
    pub use crate::catalogue::eib_constants::*;

    pub fn fields() -> &'static [EibField] {
        super::EIB_FIELDS
    }
}

#[cfg(test)]
mod tests;
