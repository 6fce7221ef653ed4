//! INQUIRE and SET of TRACEDEST, TRACEFLAG and TRACETYPE.
//!
//! The options of TRACETYPE are the components: the code of each is an option of the commands.

use crate::control_blocks::tracing;
use crate::inquiry::{checked, either, parameter, switch};
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::trace as resp2;
use exec::{OptionId, condition, cvda, option};
use kernel::Wait;
use kernel::storage::Line;
use kernel::trace::auxiliary::{self, Status, Switch};
use kernel::trace::{self, Component, Levels, Selection, Tracing, writer};

/// The levels of a component in a program: 32 bits, level 1 the leftmost.
const LEVELS_BYTES: usize = 4;

const AUXILIARY: [(OptionId, i64); 3] =
    [(option::AUXSTART, cvda::AUXSTART), (option::AUXPAUSE, cvda::AUXPAUSE), (option::AUXSTOP, cvda::AUXSTOP)];
const SWITCHES: [(OptionId, i64); 3] =
    [(option::NOSWITCH, cvda::NOSWITCH), (option::SWITCHNEXT, cvda::SWITCHNEXT), (option::SWITCHALL, cvda::SWITCHALL)];
const SELECTIONS: [(OptionId, i64); 2] = [(option::STANDARD, cvda::STANDARD), (option::SPECIAL, cvda::SPECIAL)];

pub(super) fn inquire_destinations(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (flags, (status, switch, data_set)) = (trace::flags(), auxiliary::state());
    let status = match status {
        Status::Started => cvda::AUXSTART,
        Status::Paused => cvda::AUXPAUSE,
        Status::Stopped => cvda::AUXSTOP,
    };
    let switch = match switch {
        Switch::No => cvda::NOSWITCH,
        Switch::Next => cvda::SWITCHNEXT,
        Switch::All => cvda::SWITCHALL,
    };
    arguments.set_integers([
        (option::AUXSTATUS, status),
        (option::GTFSTATUS, either(flags.stream, cvda::GTFSTART, cvda::GTFSTOP)),
        (option::INTSTATUS, either(flags.internal, cvda::INTSTART, cvda::INTSTOP)),
        (option::SWITCHSTATUS, switch),
        (option::TABLESIZE, (trace::table_bytes() >> 10) as i64),
    ]);
    arguments.set_fixed_text(option::CURAUXDS, &data_set.letter().to_string(), 1)
}

pub(super) fn set_destinations(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let internal =
        switch(arguments, option::INTSTATUS, (option::INTSTART, cvda::INTSTART), (option::INTSTOP, cvda::INTSTOP), resp2::INTSTATUS)?;
    let table_size = parameter(arguments, option::TABLESIZE, "TRTABSZ", resp2::TABLESIZE)?;
    let auxiliary = checked(arguments, option::AUXSTATUS, &AUXILIARY, resp2::AUXSTATUS)?;
    let action = checked(arguments, option::SWITCHACTION, &[(option::SWITCH, cvda::SWITCH)], resp2::SWITCHACTION)?;
    let automatic = checked(arguments, option::SWITCHSTATUS, &SWITCHES, resp2::SWITCHSTATUS)?;
    let stream =
        switch(arguments, option::GTFSTATUS, (option::GTFSTART, cvda::GTFSTART), (option::GTFSTOP, cvda::GTFSTOP), resp2::GTFSTATUS)?;
    if auxiliary == Some(cvda::AUXPAUSE) && auxiliary::state().0 == Status::Stopped {
        return raise(condition::INVREQ, resp2::NOT_STARTED);
    }
    if let Some(kilobytes) = table_size {
        set_table(task, kilobytes)?;
    }
    if let Some(is_started) = internal {
        trace::change_flags(|flags| flags.internal = is_started);
    }
    if auxiliary.is_none() && action.is_none() && automatic.is_none() && stream.is_none() {
        return Ok(());
    }
    // Whoever holds the destinations may be writing to the disk.
    let work = || change(auxiliary, action.is_some(), automatic, stream);
    let changed = task.on_resource_owning_tcb(|task| task.kernel.run_blocking(&Wait::new("AUXTRACE"), work));
    changed.or_else(|_| raise(condition::IOERR, resp2::NOT_OPENED))
}

fn change(auxiliary: Option<i64>, switches: bool, automatic: Option<i64>, stream: Option<bool>) -> std::io::Result<()> {
    stream.into_iter().for_each(writer::set_stream);
    match automatic {
        Some(cvda::NOSWITCH) => writer::set_auxiliary_switch(Switch::No),
        Some(cvda::SWITCHNEXT) => writer::set_auxiliary_switch(Switch::Next),
        Some(_) => writer::set_auxiliary_switch(Switch::All),
        None => (),
    }
    if switches {
        writer::switch_auxiliary()?;
    }
    match auxiliary {
        Some(cvda::AUXSTART) => writer::start_auxiliary()?,
        Some(cvda::AUXPAUSE) => drop(writer::pause_auxiliary()),
        Some(_) => writer::stop_auxiliary(),
        None => (),
    }
    Ok(())
}

/// The table is outside the DSAs, and counts against MEMLIMIT ("TRTABSZ").
fn set_table(task: &Task, kilobytes: u64) -> Outcome {
    let bytes = kilobytes << 10;
    if bytes > task.region.storage.limit(Line::Above) {
        return raise(condition::NOSTG, resp2::NO_STORAGE);
    }
    task.kernel.run_blocking(&Wait::new("AUXTRACE"), || writer::resize_table(bytes as usize));
    Ok(())
}

pub(super) fn inquire_flags(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let flags = trace::flags();
    let suppressed = task.kernel.tracing() == Tracing::Suppressed;
    arguments.set_integers([
        (option::SINGLESTATUS, either(suppressed, cvda::SINGLEOFF, cvda::SINGLEON)),
        (option::SYSTEMSTATUS, either(flags.system, cvda::SYSTEMON, cvda::SYSTEMOFF)),
        (option::TCEXITSTATUS, cvda::NOTAPPLIC),
        (option::USERSTATUS, either(flags.user, cvda::USERON, cvda::USEROFF)),
    ]);
    Ok(())
}

pub(super) fn set_flags(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let system = (option::SYSTEMON, cvda::SYSTEMON);
    let system = switch(arguments, option::SYSTEMSTATUS, system, (option::SYSTEMOFF, cvda::SYSTEMOFF), resp2::SYSTEMSTATUS)?;
    let user = switch(arguments, option::USERSTATUS, (option::USERON, cvda::USERON), (option::USEROFF, cvda::USEROFF), resp2::USERSTATUS)?;
    let single = (option::SINGLEON, cvda::SINGLEON);
    let single = switch(arguments, option::SINGLESTATUS, single, (option::SINGLEOFF, cvda::SINGLEOFF), resp2::SINGLESTATUS)?;
    let exits = [
        (option::TCEXITALL, cvda::TCEXITALL),
        (option::TCEXITALLOFF, cvda::TCEXITALLOFF),
        (option::TCEXITNONE, cvda::TCEXITNONE),
        (option::TCEXITSYSTEM, cvda::TCEXITSYSTEM),
    ];
    if checked(arguments, option::TCEXITSTATUS, &exits, resp2::TCEXITSTATUS)?.is_some() {
        return raise(condition::INVREQ, resp2::NO_EXITS);
    }
    trace::change_flags(|flags| {
        flags.system = system.unwrap_or(flags.system);
        flags.user = user.unwrap_or(flags.user);
    });
    match single {
        Some(true) => task.kernel.set_tracing(tracing::of_switched_on(&task.definition, &task.facility)),
        Some(false) => task.kernel.set_tracing(Tracing::Suppressed),
        None => (),
    }
    Ok(())
}

/// The option of each component.
fn options() -> impl Iterator<Item = (Component, OptionId)> {
    Component::ALL.iter().filter_map(|component| Some((*component, exec::option_by_name(component.code())?)))
}

fn selection(arguments: &Arguments) -> Result<Selection, Raised> {
    match checked(arguments, option::FLAGSET, &SELECTIONS, resp2::FLAGSET)? {
        Some(cvda::STANDARD) => Ok(Selection::Standard),
        Some(_) => Ok(Selection::Special),
        None => raise(condition::INVREQ, resp2::FLAGSET),
    }
}

pub(super) fn inquire_type(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let selection = selection(arguments)?;
    for (component, option) in options().filter(|(_, option)| arguments.has(*option)).collect::<Vec<_>>() {
        // Level 1 is the leftmost bit of a program's, and the lowest here.
        arguments.set_bytes(option, &trace::levels(selection, component).reverse_bits().to_be_bytes())?;
    }
    Ok(())
}

pub(super) fn set_type(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let selection = selection(arguments)?;
    let mut changes: Vec<(Component, Levels)> = Vec::new();
    for (component, option) in options() {
        if let Some(bytes) = arguments.bytes_of_length(option, LEVELS_BYTES)? {
            let word = bytes.try_into().map_or(0, u32::from_be_bytes);
            changes.push((component, word.reverse_bits()));
        }
    }
    changes.into_iter().for_each(|(component, levels)| trace::set_levels(selection, component, levels));
    Ok(())
}
