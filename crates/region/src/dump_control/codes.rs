//! INQUIRE and SET TRANDUMPCODE and SYSDUMPCODE.

use crate::dump::codes::{self, Actions, DumpTables, Entry, NO_LIMIT, Refused, TableKind};
use crate::inquiry::{self, BrowseStep, either};
use crate::name::{Name, Name8, resized};
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::dump_codes as resp2;
use exec::{OptionId, condition, cvda, option};
use vsam::StoreError;

pub(super) fn inquire_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(entry) = inquired::<4>(task, arguments, TableKind::Transaction, option::TRANDUMPCODE)? else { return Ok(()) };
    arguments.set_integer(option::TRANDUMPING, either(entry.actions.transaction_dump, cvda::TRANDUMP, cvda::NOTRANDUMP));
    give(arguments, &entry);
    Ok(())
}

pub(super) fn inquire_system(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(entry) = inquired::<8>(task, arguments, TableKind::System, option::SYSDUMPCODE)? else { return Ok(()) };
    arguments.set_integer(option::DAEOPTION, either(entry.actions.dae, cvda::DAEOPT, cvda::NODAEOPT));
    give(arguments, &entry);
    Ok(())
}

/// The entry that the command names or a browse reaches; `None`: START and END.
fn inquired<const N: usize>(task: &mut Task, arguments: &mut Arguments, kind: TableKind, named: OptionId) -> Result<Option<Entry>, Raised> {
    let tables = DumpTables::of(task.region);
    let names = || tables.entries(kind).iter().map(|entry| resized(&entry.code)).collect();
    let exists = |name: Name<N>| tables.find(kind, resized(&name)).is_some();
    let BrowseStep::One(name) = task.browse_step::<N>(arguments, named, names, exists)? else { return Ok(None) };
    let code = codes::valid_code(name.as_str());
    match code.and_then(|code| tables.find(kind, code)) {
        Some(entry) => Ok(Some(entry)),
        None => raise(condition::NOTFND, resp2::NO_CODE),
    }
}

fn give(arguments: &mut Arguments, entry: &Entry) {
    let actions = &entry.actions;
    arguments.set_integers([
        (option::CURRENT, i64::from(entry.current)),
        (option::MAXIMUM, i64::from(actions.maximum)),
        (option::DUMPSCOPE, either(actions.related, cvda::RELATED, cvda::LOCAL)),
        (option::SHUTOPTION, either(actions.shutdown, cvda::SHUTDOWN, cvda::NOSHUTDOWN)),
        (option::SYSDUMPING, either(actions.system_dump, cvda::SYSDUMP, cvda::NOSYSDUMP)),
    ]);
}

pub(super) fn set_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    set(task, arguments, TableKind::Transaction, option::TRANDUMPCODE)
}

pub(super) fn set_system(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    set(task, arguments, TableKind::System, option::SYSDUMPCODE)
}

/// The options a command gives.
#[derive(Default)]
struct Given {
    maximum: Option<u32>,
    related: Option<bool>,
    shutdown: Option<bool>,
    system_dump: Option<bool>,
    transaction_dump: Option<bool>,
    dae: Option<bool>,
}

impl Given {
    fn of(arguments: &Arguments, kind: TableKind) -> Result<Given, Raised> {
        let switch = |option, on, off, fault| inquiry::switch(arguments, option, on, off, fault);
        let maximum =
            inquiry::number(arguments, option::MAXIMUM, resp2::MAXIMUM, |number| (number <= u64::from(NO_LIMIT)).then_some(number))?;
        let mut given = Given {
            maximum: maximum.map(|number| number as u32),
            related: switch(option::DUMPSCOPE, (option::RELATED, cvda::RELATED), (option::LOCAL, cvda::LOCAL), resp2::DUMPSCOPE)?,
            shutdown: switch(
                option::SHUTOPTION,
                (option::SHUTDOWN, cvda::SHUTDOWN),
                (option::NOSHUTDOWN, cvda::NOSHUTDOWN),
                resp2::SHUTOPTION,
            )?,
            system_dump: switch(
                option::SYSDUMPING,
                (option::SYSDUMP, cvda::SYSDUMP),
                (option::NOSYSDUMP, cvda::NOSYSDUMP),
                resp2::SYSDUMPING,
            )?,
            ..Given::default()
        };
        match kind {
            TableKind::Transaction => {
                let (on, off) = ((option::TRANDUMP, cvda::TRANDUMP), (option::NOTRANDUMP, cvda::NOTRANDUMP));
                given.transaction_dump = switch(option::TRANDUMPING, on, off, resp2::TRANDUMPING)?;
            }
            TableKind::System => {
                let (on, off) = ((option::DAE, cvda::DAEOPT), (option::NODAE, cvda::NODAEOPT));
                given.dae = switch(option::DAEOPTION, on, off, resp2::DAEOPTION)?;
            }
        }
        Ok(given)
    }

    fn is_empty(&self) -> bool {
        let switches = [self.related, self.shutdown, self.system_dump, self.transaction_dump, self.dae];
        self.maximum.is_none() && switches.iter().all(Option::is_none)
    }

    fn apply(&self, actions: &mut Actions) {
        actions.maximum = self.maximum.unwrap_or(actions.maximum);
        actions.related = self.related.unwrap_or(actions.related);
        actions.shutdown = self.shutdown.unwrap_or(actions.shutdown);
        actions.system_dump = self.system_dump.unwrap_or(actions.system_dump);
        actions.transaction_dump = self.transaction_dump.unwrap_or(actions.transaction_dump);
        actions.dae = self.dae.unwrap_or(actions.dae);
    }
}

fn set(task: &mut Task, arguments: &mut Arguments, kind: TableKind, named: OptionId) -> Outcome {
    let name: Name8 = arguments.name(named)?.unwrap_or_default();
    let Some(code) = codes::valid_code(name.as_str()) else { return raise(condition::INVREQ, resp2::CODE) };
    let keywords = [(option::ADD, cvda::ADD), (option::REMOVE, cvda::REMOVE), (option::RESET, cvda::RESET)];
    let action = inquiry::checked(arguments, option::ACTION, &keywords, resp2::ACTION)?;
    let given = Given::of(arguments, kind)?;
    let tables = DumpTables::of(task.region);
    let done = match action {
        Some(cvda::ADD) => {
            let mut actions = tables.defaults(task.region, kind, false);
            given.apply(&mut actions);
            tables.add(kind, code, actions).map(|()| Some(actions))
        }
        Some(cvda::REMOVE) if !given.is_empty() => return raise(condition::INVREQ, resp2::REMOVE_WITH_OPTIONS),
        Some(cvda::REMOVE) => match tables.remove(kind, code) {
            Ok(entry) if entry.is_temporary => return Ok(()),
            removed => removed.map(|_| None),
        },
        reset => {
            let change = |entry: &mut Entry| {
                given.apply(&mut entry.actions);
                if reset.is_some() {
                    entry.current = 0;
                }
            };
            match tables.change(kind, code, change) {
                // Temporary entries, and changes of them, end with the run.
                Ok(entry) if entry.is_temporary || given.is_empty() => return Ok(()),
                changed => changed.map(|entry| Some(entry.actions)),
            }
        }
    };
    let actions = done.map_err(|refused| match refused {
        Refused::Exists => Raised::new(condition::DUPREC, resp2::EXISTS),
        Refused::Unknown => Raised::new(condition::NOTFND, resp2::NO_CODE),
        Refused::Full => Raised::new(condition::NOSPACE, resp2::CATALOGUE_FULL),
    })?;
    let waiter = task.waiter();
    codes::catalogue(task.region, kind, code, actions.as_ref(), &*waiter).map_err(|error| match error {
        StoreError::NoRoom(_) | StoreError::MemoryLimit(_) => Raised::new(condition::NOSPACE, resp2::CATALOGUE_FULL),
        _ => Raised::new(condition::IOERR, resp2::CATALOGUE_ERROR),
    })
}
