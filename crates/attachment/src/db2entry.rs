//! CREATE, INQUIRE, SET and DISCARD of DB2ENTRY and DB2TRAN.

use crate::Attachment;
use crate::attributes::{Choices, given, inquire as inquire_threads, name_given, name4_given, set as set_threads};
use crate::db2conn::{BUSY, Busy, wait_until};
use crate::session::Group;
use crate::state::{DisabledAction, Entry};
use exec::resp2::db2 as resp2;
use exec::{CommandId, command, condition, cvda, option};
use kernel::name::Name8;
use kernel::{Name16, Purge, Wait};
use region::creation;
use region::inquiry::{BrowseStep, attribute, give_signature, switch};
use region::{Arguments, Handler, Outcome, Task, raise};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::CREATE_DB2ENTRY, create_entry),
        (command::CREATE_DB2TRAN, create_transaction),
        (command::DISCARD_DB2ENTRY, discard),
        (command::DISCARD_DB2TRAN, discard_transaction),
        (command::INQUIRE_DB2ENTRY, inquire),
        (command::INQUIRE_DB2TRAN, inquire_transaction),
        (command::SET_DB2ENTRY, set),
        (command::SET_DB2TRAN, set_transaction),
    ]
}

const DISABLED_ACTION: Choices<DisabledAction> = &[
    (option::ABEND, cvda::ABEND, DisabledAction::Abend),
    (option::SQLCODE, cvda::SQLCODE, DisabledAction::SqlCode),
    (option::POOL, cvda::POOL, DisabledAction::Pool),
];

fn create_entry(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    creation::create(task, arguments, "DB2ENTRY", option::DB2ENTRY)
}

fn create_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    creation::create(task, arguments, "DB2TRAN", option::DB2TRAN)
}

fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::DB2ENTRY)?.unwrap_or_default();
    {
        let mut state = Attachment::of(region).state.lock();
        let in_use = state.users.values().any(|user| user.group == Group::Entry(name));
        match state.entries.get(&name) {
            None => return raise(condition::NOTFND, resp2::NOT_FOUND),
            Some(_) if in_use => return raise(condition::INVREQ, resp2::IN_USE),
            Some(entry) if entry.enabled => return raise(condition::INVREQ, resp2::NOT_DISABLED),
            Some(_) => drop(state.entries.remove(&name)),
        }
    }
    region.installed.write().remove("DB2ENTRY", name.as_str().trim_end());
    Ok(())
}

fn discard_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::DB2TRAN)?.unwrap_or_default();
    if Attachment::of(task.region).state.lock().transactions.remove(&name).is_none() {
        return raise(condition::NOTFND, resp2::NOT_FOUND);
    }
    task.region.installed.write().remove("DB2TRAN", name.as_str().trim_end());
    Ok(())
}

fn status_cvda(entry: &Entry, in_use: bool) -> i64 {
    match (entry.enabled, in_use) {
        (true, _) => cvda::ENABLED,
        (false, true) => cvda::DISABLING,
        (false, false) => cvda::DISABLED,
    }
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let attachment = Attachment::of(region);
    let names = || attachment.state.lock().entries.keys().copied().collect();
    let exists = |name: Name8| attachment.state.lock().entries.contains_key(&name);
    let BrowseStep::One(name) = task.browse_step(arguments, option::DB2ENTRY, names, exists)? else { return Ok(()) };
    let state = attachment.state.lock();
    let Some(entry) = state.entries.get(&name) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    let in_use = state.users.values().any(|user| user.group == Group::Entry(name));
    let action = DISABLED_ACTION.iter().find(|(_, _, action)| *action == entry.disabled_action).map_or(cvda::POOL, |(_, cvda, _)| *cvda);
    let numbers = [
        (option::DISABLEDACT, action),
        (option::ENABLESTATUS, status_cvda(entry, in_use)),
        (option::PROTECTNUM, entry.definition.protected.into()),
        (option::PTHREADS, entry.threads.protected.current.into()),
        (option::THREADS, entry.threads.in_use.current.into()),
    ];
    let threads = entry.definition.threads.clone();
    drop(state);
    arguments.set_integers(numbers);
    inquire_threads(arguments, &threads)?;
    give_signature(region, arguments, "DB2ENTRY", name.as_str().trim_end(), cvda::GRPLIST)
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let attachment = Attachment::of(region);
    let name: Name8 = arguments.name(option::DB2ENTRY)?.unwrap_or_default();
    let busy = given(arguments, option::BUSY, BUSY, resp2::BUSY)?.unwrap_or(Busy::Wait);
    let enables =
        switch(arguments, option::ENABLESTATUS, (option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED), resp2::ENABLESTATUS)?;
    let action = given(arguments, option::DISABLEDACT, DISABLED_ACTION, resp2::DISABLEDACT)?;
    let protected = attribute(arguments, option::PROTECTNUM, ("DB2ENTRY", "PROTECTNUM"), resp2::PROTECTNUM)?;
    let present = attachment.state.lock().entries.get(&name).map(|entry| entry.definition.clone());
    let Some(mut definition) = present else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    set_threads(arguments, &mut definition.threads, "DB2ENTRY")?;
    if let Some(protected) = protected {
        definition.protected = protected as u32;
    }
    if definition.protected > definition.threads.limit {
        return raise(condition::INVREQ, resp2::PROTECTNUM);
    }
    let (quiesced, users) = {
        let mut state = attachment.state.lock();
        let users: Vec<u32> = state.users.iter().filter(|(_, user)| user.group == Group::Entry(name)).map(|(task, _)| *task).collect();
        let Some(entry) = state.entries.get_mut(&name) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
        entry.threads.limit = definition.threads.limit;
        entry.definition = definition;
        entry.disabled_action = action.unwrap_or(entry.disabled_action);
        if let Some(enables) = enables {
            entry.enabled = enables;
            entry.quiesced.reset();
        }
        let quiesced = entry.quiesced.clone();
        state.admit_by_limits();
        state.tell_quiesced();
        (quiesced, users)
    };
    if enables != Some(false) || users.is_empty() || busy == Busy::NoWait {
        return Ok(());
    }
    if users.contains(&task.number) {
        return raise(condition::INVREQ, resp2::USED_BY_TASK);
    }
    if busy == Busy::Force {
        for shared in users.into_iter().filter_map(|number| region.transactions().task(number)) {
            if let Some(kernel) = shared.kernel.lock().clone() {
                kernel.purge(Purge::ForcePurge);
            }
        }
    }
    wait_until(task, &quiesced, Wait::new("DB2EDISA").named(Name16::new(name.as_str().trim_end())))
}

fn inquire_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let attachment = Attachment::of(region);
    let names = || attachment.state.lock().transactions.keys().copied().collect();
    let exists = |name: Name8| attachment.state.lock().transactions.contains_key(&name);
    let BrowseStep::One(name) = task.browse_step(arguments, option::DB2TRAN, names, exists)? else { return Ok(()) };
    let (transaction, plan, exit) = {
        let state = attachment.state.lock();
        let Some(transaction) = state.transactions.get(&name).cloned() else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
        let threads = state.attributes(Group::Entry(transaction.entry)).or(state.attributes(Group::Pool));
        let (plan, exit) = threads.map_or((Name8::BLANK, Name8::BLANK), |threads| (threads.plan, threads.plan_exit));
        (transaction, plan, exit)
    };
    arguments.set_name(option::DB2ENTRY, &transaction.entry)?;
    arguments.set_name(option::PLAN, &plan)?;
    arguments.set_name(option::PLANEXITNAME, &exit)?;
    arguments.set_name(option::TRANSID, &transaction.transid)?;
    give_signature(region, arguments, "DB2TRAN", name.as_str().trim_end(), cvda::GRPLIST)
}

fn set_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::DB2TRAN)?.unwrap_or_default();
    let (entry, transid) = (name_given(arguments, option::DB2ENTRY)?, name4_given(arguments, option::TRANSID)?);
    let mut state = Attachment::of(task.region).state.lock();
    if !state.transactions.contains_key(&name) {
        return raise(condition::NOTFND, resp2::NOT_FOUND);
    }
    if entry.is_some_and(|entry| !state.entries.contains_key(&entry)) {
        return raise(condition::INVREQ, resp2::NO_ENTRY);
    }
    let taken = |transid| state.transactions.values().any(|other| other.transid == transid && other.name != name);
    if transid.is_some_and(taken) {
        return raise(condition::INVREQ, resp2::TRANSID_TAKEN);
    }
    if let Some(transaction) = state.transactions.get_mut(&name) {
        transaction.entry = entry.unwrap_or(transaction.entry);
        transaction.transid = transid.unwrap_or(transaction.transid);
    }
    Ok(())
}
