//! PUT, GET, MOVE and DELETE CONTAINER, DELETE CHANNEL, QUERY CHANNEL, and the browse of containers.

use super::Browse;
use crate::channel::{CONTAINER_BYTES_MAX, CONTAINER_OVERHEAD_BYTES, Container, TRANSACTION_CHANNEL, is_valid_name};
use crate::channels::TaskState;
use crate::code_page::RegionCodePage;
use crate::name::Name16;
use crate::{Arguments, Handler, Outcome, Raised, Task, raise};
use exec::resp2::channels as resp2;
use exec::{CommandId, command, condition, cvda, option};
use le::CodePage;
use std::borrow::Cow;
use std::sync::Arc;
use vsam::store::Charge;

/// The copy that GET CONTAINER makes is counted from this length on.
const COUNTED_COPY_BYTES: usize = 64 << 10;
/// Memory of a STARTBROWSE CONTAINER besides the names.
const BROWSE_OVERHEAD_BYTES: usize = 192;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::PUT_CONTAINER, put_container),
        (command::GET_CONTAINER, get_container),
        // Addresses of a program are of 64 bits, whichever command it uses.
        (command::PUT64_CONTAINER, put_container),
        (command::GET64_CONTAINER, get_container),
        (command::MOVE_CONTAINER, move_container),
        (command::DELETE_CONTAINER, delete_container),
        (command::DELETE_CHANNEL, delete_channel),
        (command::QUERY_CHANNEL, query_channel),
        (command::STARTBROWSE_CONTAINER, startbrowse_container),
        (command::GETNEXT_CONTAINER, getnext_container),
        (command::ENDBROWSE_CONTAINER, endbrowse_container),
    ]
}

fn container_name(arguments: &Arguments) -> Result<Name16, Raised> {
    Ok(arguments.name::<16>(option::CONTAINER)?.unwrap_or_default())
}

/// The name that a container is to have.
fn new_container_name(arguments: &Arguments, option: exec::OptionId) -> Result<Name16, Raised> {
    let name = arguments.name::<16>(option)?.unwrap_or_default();
    if is_valid_name(&name) { Ok(name) } else { raise(condition::CONTAINERERR, resp2::CONTAINER_NAME) }
}

/// BTS forms name an activity or process: without business transaction services there are none.
fn refuse_activity(arguments: &Arguments) -> Outcome {
    let named = [option::ACTIVITY, option::ACQACTIVITY, option::PROCESS, option::ACQPROCESS];
    if named.into_iter().any(|option| arguments.has(option)) { raise(condition::INVREQ, resp2::OUTSIDE_BTS) } else { Ok(()) }
}

/// The code page a command names by number or by name.
fn code_page(arguments: &Arguments, ccsid: exec::OptionId, name: exec::OptionId) -> Result<Option<&'static CodePage>, Raised> {
    if let Some(number) = arguments.integer(ccsid) {
        let page = u16::try_from(number).ok().and_then(RegionCodePage::by_ccsid);
        return page.map(Some).ok_or(Raised::new(condition::CCSIDERR, resp2::CODE_PAGE_UNKNOWN));
    }
    let Some(text) = arguments.text(name)? else { return Ok(None) };
    let page = RegionCodePage::by_name(&text);
    page.map(Some).ok_or(Raised::new(condition::CODEPAGEERR, resp2::CODE_PAGE_UNKNOWN))
}

fn put_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    refuse_activity(arguments)?;
    let name = new_container_name(arguments, option::CONTAINER)?;
    let given = code_page(arguments, option::FROMCCSID, option::FROMCODEPAGE)?;
    let is_char = match arguments.integer(option::DATATYPE) {
        Some(cvda::CHAR) => Some(true),
        Some(cvda::BIT) => Some(false),
        Some(_) => return raise(condition::INVREQ, resp2::DATATYPE),
        None if arguments.has(option::CHAR) => Some(true),
        None if arguments.has(option::BIT) => Some(false),
        // A code page implies character data.
        None => given.map(|_| true),
    };
    if is_char == Some(false) && given.is_some() {
        return raise(condition::INVREQ, resp2::CODE_PAGE_OF_BIT);
    }
    let area = arguments.area(option::FROM).unwrap_or(crate::storage_access::Area::new(0, 0));
    let length = arguments.integer(option::FLENGTH).unwrap_or(area.length as i64);
    if !(0..=CONTAINER_BYTES_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, resp2::PUT_LENGTH);
    }
    let mut charge = task.reserve(CONTAINER_OVERHEAD_BYTES + length as usize)?;
    let data = arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default();
    let channel_name = arguments.name(option::CHANNEL)?;
    let typed = [option::DATATYPE, option::CHAR, option::BIT].into_iter().any(|option| arguments.has(option));
    if typed && channel_name.is_none() && !task.has_current_channel() {
        return raise(condition::INVREQ, resp2::DATATYPE);
    }
    let channel = task.channel(channel_name, true)?;
    let local = task.region.code_page.page();
    let (append, prepend) = (arguments.has(option::APPEND), arguments.has(option::PREPEND));
    let page = given.unwrap_or(local);
    let existing = channel.with(name, |container| {
        let before = container.data.len();
        let outcome = change_container(container, is_char, page, (&data, &mut charge), append, prepend);
        (outcome, container.data.len() as i64 - before as i64)
    });
    task.performance.container_total += 1;
    task.performance.container_puts += 1;
    task.performance.container_bytes_put += data.len() as u64;
    match existing {
        Some((outcome, growth_bytes)) => {
            task.note_containers(growth_bytes);
            outcome
        }
        None => {
            task.note_containers(data.len() as i64);
            let code_page = is_char.unwrap_or(false).then_some(page);
            task.performance.container_creations += 1;
            channel.put(name, Container { data, code_page, read_only: false, charge });
            Ok(())
        }
    }
}

fn change_container(
    container: &mut Container,
    is_char: Option<bool>,
    given: &'static CodePage,
    (data, charge): (&[u8], &mut Charge),
    append: bool,
    prepend: bool,
) -> Outcome {
    if container.read_only {
        return raise(condition::INVREQ, resp2::READ_ONLY);
    }
    // The type of a container never changes.
    if is_char.is_some_and(|is_char| is_char != container.code_page.is_some()) {
        return raise(condition::INVREQ, resp2::TYPE_CHANGED);
    }
    if !append && !prepend {
        if container.code_page.is_some() {
            container.code_page = Some(given);
        }
        join(&mut container.data, data, false, false);
        container.charge = std::mem::take(charge);
        return Ok(());
    }
    let converted = match container.code_page {
        Some(page) => Cow::Owned(converted(data, given, page)?),
        None => Cow::Borrowed(data),
    };
    charge.resize(converted.len()).map_err(Task::no_memory)?;
    join(&mut container.data, &converted, append, prepend);
    container.charge.absorb(std::mem::take(charge));
    Ok(())
}

fn join(target: &mut Vec<u8>, data: &[u8], append: bool, prepend: bool) {
    if append {
        target.extend_from_slice(data);
    } else if prepend {
        target.splice(0..0, data.iter().copied());
    } else {
        target.clear();
        target.extend_from_slice(data);
    }
}

fn converted(data: &[u8], from: &'static CodePage, to: &'static CodePage) -> Result<Vec<u8>, Raised> {
    if from.ccsid == to.ccsid {
        return Ok(data.to_vec());
    }
    Ok(le::code_page::converted(data, from, to))
}

fn get_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    refuse_activity(arguments)?;
    let name = container_name(arguments)?;
    let wanted = code_page(arguments, option::INTOCCSID, option::INTOCODEPAGE)?;
    let channel_name = arguments.name(option::CHANNEL)?;
    let channel = task.channel(channel_name, false)?;
    let copied = channel.with(name, |container| {
        let length = container.data.len();
        let charge = (length >= COUNTED_COPY_BYTES).then(|| task.reserve(length)).transpose()?;
        Ok::<_, Raised>((container.data.clone(), container.code_page, charge))
    });
    let Some((data, page, _charge)) = copied.transpose()? else {
        return raise(condition::CONTAINERERR, resp2::NO_CONTAINER);
    };
    let data = match page {
        Some(page) if arguments.integer(option::CONVERTST) != Some(cvda::NOCONVERT) => {
            converted(&data, page, wanted.unwrap_or(task.region.code_page.page()))?
        }
        _ => data,
    };
    if let Some(page) = page {
        arguments.set_integer(option::CCSID, i64::from(page.ccsid));
    }
    // A negative offset is taken as zero.
    let offset = arguments.integer(option::BYTEOFFSET).unwrap_or(0).max(0);
    if offset > 0 && offset >= data.len() as i64 {
        return raise(condition::LENGERR, resp2::BYTEOFFSET);
    }
    let data = &data[offset as usize..];
    task.performance.container_total += 1;
    task.performance.container_gets += 1;
    task.performance.container_bytes_got += data.len() as u64;
    deliver(task, arguments, (Arc::as_ptr(&channel).addr(), name), data)?;
    // Data of type BIT is returned unchanged, and the program is notified that it was not converted.
    match wanted {
        Some(_) if page.is_none() && arguments.has(option::INTOCODEPAGE) => raise(condition::CODEPAGEERR, resp2::NOT_CONVERTED),
        Some(_) if page.is_none() => raise(condition::CCSIDERR, resp2::NOT_CONVERTED),
        _ => Ok(()),
    }
}

fn deliver(task: &mut Task, arguments: &mut Arguments, container: (usize, Name16), data: &[u8]) -> Outcome {
    let length = data.len() as i64;
    if let Some(area) = arguments.area(option::INTO) {
        // A negative length is taken as zero.
        let room = arguments.integer(option::FLENGTH).unwrap_or(area.length as i64).max(0);
        let fits = data.len().min(room as usize);
        arguments.set_bytes_unbounded(option::INTO, &data[..fits])?;
        arguments.set_integer(option::FLENGTH, length);
        return if fits < data.len() { raise(condition::LENGERR, resp2::DATA_CUT) } else { Ok(()) };
    }
    if arguments.has(option::SET) {
        let address = task.set_storage(data)?;
        // "The data area is maintained until a subsequent GET CONTAINER with SET for the same container."
        if let Some(last) = task.level_mut().container_copies.insert(container, address) {
            task.freemain(last);
        }
        arguments.set_integer(option::SET, address as i64);
    }
    arguments.set_integer(option::FLENGTH, length);
    Ok(())
}

fn move_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let activity = [option::FROMPROCESS, option::FROMACTIVITY, option::TOPROCESS, option::TOACTIVITY];
    if activity.into_iter().any(|option| arguments.has(option)) {
        return raise(condition::INVREQ, resp2::OUTSIDE_BTS);
    }
    let name = container_name(arguments)?;
    let new_name = if arguments.has(option::AS) { new_container_name(arguments, option::AS)? } else { name };
    let (from_name, to_name) = (arguments.name(option::CHANNEL)?, arguments.name(option::TOCHANNEL)?);
    let from = task.channel(from_name, false)?;
    let to = task.channel(to_name.or(from_name), true)?;
    match from.with(name, |container| container.read_only) {
        None => return raise(condition::CONTAINERERR, resp2::NO_CONTAINER),
        Some(true) => return raise(condition::INVREQ, resp2::READ_ONLY),
        Some(false) => {}
    }
    if let Some(container) = from.take(name) {
        let replaced = to.take(new_name);
        task.note_containers(-(replaced.map_or(0, |replaced| replaced.data.len()) as i64));
        to.put(new_name, container);
    }
    task.performance.container_total += 1;
    task.performance.container_moves += 1;
    Ok(())
}

fn delete_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.container_total += 1;
    refuse_activity(arguments)?;
    let name = container_name(arguments)?;
    let channel_name = arguments.name(option::CHANNEL)?;
    let channel = task.channel(channel_name, false)?;
    match channel.with(name, |container| container.read_only) {
        None => raise(condition::CONTAINERERR, resp2::NO_CONTAINER),
        Some(true) => raise(condition::INVREQ, resp2::DELETE_READ_ONLY),
        Some(false) => {
            let deleted = channel.take(name);
            task.note_containers(-(deleted.map_or(0, |deleted| deleted.data.len()) as i64));
            Ok(())
        }
    }
}

fn delete_channel(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = arguments.name(option::CHANNEL)?.unwrap_or_default();
    if name == TRANSACTION_CHANNEL {
        return raise(condition::CHANNELERR, resp2::DELETE_TRANSACTION_CHANNEL);
    }
    // The current channel belongs to the caller and cannot be deleted.
    if task.level().and_then(|level| level.channel.as_ref()).is_some_and(|channel| channel.name() == name) {
        return raise(condition::CHANNELERR, resp2::DELETE_CURRENT);
    }
    if task.drop_channel(name) { Ok(()) } else { raise(condition::CHANNELERR, resp2::NO_CHANNEL) }
}

fn query_channel(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = arguments.name(option::CHANNEL)?;
    let channel = task.channel(name, false)?;
    arguments.set_integer(option::CONTAINERCNT, channel.len() as i64);
    Ok(())
}

fn count_browse(task: &mut Task) {
    task.performance.container_total += 1;
    task.performance.container_browses += 1;
}

fn startbrowse_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    count_browse(task);
    let name = arguments.name(option::CHANNEL)?;
    let of_activity = [option::ACTIVITYID, option::PROCESS, option::PROCESSTYPE].into_iter().any(|option| arguments.has(option));
    if of_activity || name.is_none() && !task.has_current_channel() {
        return raise(condition::ACTIVITYERR, resp2::NOTHING_TO_BROWSE);
    }
    let channel = task.channel(name, false)?;
    let names = channel.container_names();
    let charge = task.reserve(BROWSE_OVERHEAD_BYTES + size_of_val(&names[..]))?;
    let state = TaskState::of_mut(&mut task.parts);
    state.next_token += 1;
    let token = state.next_token;
    state.browses.push((token, Browse { names, next: 0, _charge: charge }));
    arguments.set_integer(option::BROWSETOKEN, token);
    Ok(())
}

fn getnext_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    count_browse(task);
    let token = arguments.integer(option::BROWSETOKEN).unwrap_or(0);
    let Some((_, browse)) = TaskState::of_mut(&mut task.parts).browses.iter_mut().find(|(known, _)| *known == token) else {
        return raise(condition::TOKENERR, resp2::NO_BROWSE);
    };
    let Some(name) = browse.names.get(browse.next).copied() else {
        return raise(condition::END, resp2::NO_MORE);
    };
    browse.next += 1;
    arguments.set_name(option::CONTAINER, &name)
}

fn endbrowse_container(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    count_browse(task);
    let token = arguments.integer(option::BROWSETOKEN).unwrap_or(0);
    let browses = &mut TaskState::of_mut(&mut task.parts).browses;
    match browses.iter().position(|(known, _)| *known == token) {
        Some(at) => {
            browses.remove(at);
            Ok(())
        }
        None => raise(condition::TOKENERR, resp2::NO_BROWSE),
    }
}
