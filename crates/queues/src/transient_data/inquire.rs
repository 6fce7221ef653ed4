//! INQUIRE TDQUEUE and SET TDQUEUE.

use crate::transient_data::TransientData;
use csd::{AtiFacility, PrintControl, Rewind, TdDisposition, TdQueueDefinition, TdQueueType, TdRecovery, TypeFile};
use exec::resp2::td_queues as resp2;
use exec::{condition, cvda, option};
use region::figures::ResourceType;
use region::inquiry::{self, BrowseStep, NULL_NUMBER, either, switch};
use region::name::{Name4, Name8};
use region::statistics::recording;
use region::{Arguments, Outcome, Task, raise};
use std::sync::atomic::Ordering;

use super::queue::QueueView;
use super::trigger;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let queues = &TransientData::of(task.region);
    let step = task.browse_step(arguments, option::TDQUEUE, || queues.names(), |name: Name4| queues.find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(queue) = queues.find(name) else { return raise(condition::QIDERR, resp2::NO_QUEUE) };
    let view = queue.view();
    numbers(&view, arguments);
    let definition = &view.definition;
    arguments.set_name(option::ATITERMID, &definition.facility_id)?;
    arguments.set_name(option::ATITRANID, &definition.transid)?;
    arguments.set_name(option::ATIUSERID, &definition.user_id)?;
    arguments.set_name(option::DDNAME, &definition.ddname)?;
    arguments.set_text(option::DSNAME, &definition.dataset)?;
    arguments.set_name(option::INDIRECTNAME, &definition.indirect)?;
    arguments.set_name(option::REMOTESYSTEM, &definition.remote_system)?;
    arguments.set_text(option::REMOTENAME, "")?;
    arguments.set_text(option::MEMBER, "")?;
    let name = definition.name;
    region::inquiry::give_signature(task.region, arguments, "TDQUEUE", name.as_str(), cvda::GRPLIST)
}

fn numbers(view: &QueueView, arguments: &mut Arguments) {
    let definition = &view.definition;
    let kind = definition.queue_type;
    let extra = kind == TdQueueType::Extrapartition;
    let intra = kind == TdQueueType::Intrapartition;
    let only = |applies: bool, value: i64| if applies { value } else { cvda::NOTAPPLIC };
    let count = |applies: bool, value: i64| if applies { value } else { NULL_NUMBER };
    let disposition = match definition.disposition {
        TdDisposition::Mod => cvda::MOD,
        TdDisposition::Old => cvda::OLD,
        TdDisposition::Share => cvda::SHARE,
    };
    let io_type = match definition.type_file {
        TypeFile::ReadBack => cvda::READBACK,
        TypeFile::Input => cvda::INPUT,
        TypeFile::Output => cvda::OUTPUT,
    };
    let print_control = match definition.print_control {
        PrintControl::Asa => cvda::ASACTL,
        PrintControl::Machine => cvda::MCHCTL,
        PrintControl::None => cvda::NOCTL,
    };
    let rewind = match definition.rewind {
        Rewind::Leave => cvda::LEAVE,
        Rewind::Reread => cvda::REREAD,
        Rewind::None => cvda::NOTAPPLIC,
    };
    let values = [
        (
            option::TYPE,
            match kind {
                TdQueueType::Extrapartition => cvda::EXTRA,
                TdQueueType::Intrapartition => cvda::INTRA,
                TdQueueType::Indirect => cvda::INDIRECT,
                TdQueueType::Remote => cvda::REMOTE,
            },
        ),
        (option::ATIFACILITY, only(intra, facility(definition))),
        (option::BLOCKFORMAT, only(extra, either(definition.blocked, cvda::BLOCKED, cvda::UNBLOCKED))),
        (option::BLOCKSIZE, count(extra, i64::from(definition.block_bytes))),
        (option::DATABUFFERS, count(extra, i64::from(definition.data_buffers))),
        (option::DISPOSITION, only(extra, disposition)),
        (option::EMPTYSTATUS, view.empty.map_or(cvda::NOTAPPLIC, |empty| either(empty, cvda::EMPTY, cvda::NOTEMPTY))),
        (option::ENABLESTATUS, only(intra || extra, either(view.enabled, cvda::ENABLED, cvda::DISABLED))),
        (option::ERROROPTION, only(extra, either(definition.skip_errors, cvda::SKIP, cvda::IGNORERR))),
        (option::INDOUBT, only(intra, either(definition.indoubt_queue, cvda::QUEUE, cvda::REJECT))),
        (option::INDOUBTWAIT, only(intra, either(definition.indoubt_wait, cvda::WAIT, cvda::NOWAIT))),
        (option::IOTYPE, only(extra, io_type)),
        (option::NUMITEMS, count(intra, view.items as i64)),
        (option::OPENSTATUS, only(extra, either(view.open, cvda::OPEN, cvda::CLOSED))),
        (option::PRINTCONTROL, only(extra, print_control)),
        (option::RECORDFORMAT, only(extra, either(definition.fixed, cvda::FIXED, cvda::VARIABLE))),
        (option::RECORDLENGTH, count(extra, i64::from(definition.record_bytes))),
        (
            option::RECOVSTATUS,
            match definition.recovery {
                _ if !intra => cvda::NOTAPPLIC,
                TdRecovery::Logical => cvda::LOGICAL,
                TdRecovery::Physical => cvda::PHYSICAL,
                TdRecovery::None => cvda::NOTRECOVABLE,
            },
        ),
        (option::REWIND, only(extra, rewind)),
        // No queue is written to the spool.
        (option::SYSOUTCLASS, cvda::NOTAPPLIC),
        (option::TRIGGERLEVEL, count(intra, i64::from(definition.trigger_level))),
    ];
    arguments.set_integers(values);
}

fn facility(definition: &TdQueueDefinition) -> i64 {
    match definition.facility {
        AtiFacility::Terminal => cvda::TERMINAL,
        AtiFacility::File => cvda::NOTERMINAL,
        AtiFacility::System => cvda::SYSTEM,
    }
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name4 = arguments.name(option::TDQUEUE)?.unwrap_or_default();
    let region = task.region;
    let Some(queue) = TransientData::of(region).find(name) else { return raise(condition::QIDERR, resp2::NO_QUEUE) };
    let intra = queue.definition().queue_type == TdQueueType::Intrapartition;
    let (terminal, none) = ((option::TERMINAL, cvda::TERMINAL), (option::NOTERMINAL, cvda::NOTERMINAL));
    let facility = switch(arguments, option::ATIFACILITY, terminal, none, resp2::ATIFACILITY)?;
    let facility = facility.map(|terminal| if terminal { AtiFacility::Terminal } else { AtiFacility::File });
    let trigger_level = inquiry::attribute(arguments, option::TRIGGERLEVEL, ("TDQUEUE", "TRIGGERLEVEL"), resp2::TRIGGERLEVEL)?;
    let (opened, closed) = ((option::OPEN, cvda::OPEN), (option::CLOSED, cvda::CLOSED));
    let open = switch(arguments, option::OPENSTATUS, opened, closed, resp2::OPENSTATUS)?;
    let (enabled, disabled) = ((option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED));
    let enabled = switch(arguments, option::ENABLESTATUS, enabled, disabled, resp2::ENABLESTATUS)?;
    let (transid, termid): (Option<Name4>, Option<Name4>) = (arguments.name(option::ATITRANID)?, arguments.name(option::ATITERMID)?);
    let user_id: Option<Name8> = arguments.name(option::ATIUSERID)?;
    let for_intra = facility.is_some() || trigger_level.is_some() || transid.is_some() || termid.is_some();
    if for_intra && !intra {
        return raise(condition::INVREQ, resp2::NOT_INTRAPARTITION);
    }
    if open.is_some() && queue.definition().queue_type != TdQueueType::Extrapartition {
        return raise(condition::INVREQ, resp2::NOT_EXTRAPARTITION);
    }
    queue.change_definition(|definition| {
        definition.facility = facility.unwrap_or(definition.facility);
        definition.trigger_level = trigger_level.map_or(definition.trigger_level, |level| level as u32);
        definition.transid = transid.unwrap_or(definition.transid);
        definition.facility_id = termid.unwrap_or(definition.facility_id);
        definition.user_id = user_id.unwrap_or(definition.user_id);
    });
    if let Some(enabled) = enabled {
        queue.enabled.store(enabled, Ordering::Relaxed);
    }
    match open {
        Some(true) if task.on_resource_owning_tcb(|_| queue.open(region)).is_err() => return raise(condition::IOERR, resp2::NONE),
        Some(false) => task.on_resource_owning_tcb(|_| queue.close()),
        _ => {}
    }
    trigger::look(region, &queue);
    Ok(())
}

/// DISCARD TDQUEUE: the queue must be disabled, and a file closed. The region's own queues begin with C and cannot be discarded.
pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name4 = arguments.name(option::TDQUEUE)?.unwrap_or_default();
    let region = task.region;
    let Some(queue) = TransientData::of(region).find(name) else { return raise(condition::QIDERR, resp2::NO_QUEUE) };
    if name.as_str().starts_with('C') {
        return raise(condition::INVREQ, resp2::OWN_QUEUE);
    }
    let kind = queue.definition().queue_type;
    if kind == TdQueueType::Extrapartition && queue.is_open() {
        return raise(condition::INVREQ, resp2::NOT_CLOSED);
    }
    if matches!(kind, TdQueueType::Extrapartition | TdQueueType::Intrapartition) && queue.is_enabled() {
        return raise(condition::INVREQ, resp2::NOT_DISABLED);
    }
    recording::replaced(region, ResourceType::TdQueue, name.as_str(), || TransientData::of(region).discard(name));
    region.installed.write().remove("TDQUEUE", name.as_str());
    Ok(())
}
