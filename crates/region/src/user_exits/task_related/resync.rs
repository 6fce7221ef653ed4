//! RESYNC: what a resource manager is told of units of work that it is in doubt about, in a task for each (CRSY).
//!
//! A unit of work whose coordinator has not decided gets its task when it has. One that a task still works on gets none: it is not in doubt.

use super::constants::{answer, function, operation};
use super::invoke::{Call, invoke_for_region};
use super::origin;
use crate::control_blocks::unit_of_work::microseconds_now;
use crate::name::{Name4, Name8};
use crate::recovery_manager::Disposition;
use crate::resource_manager::Caller;
use crate::storage_access::Area;
use crate::user_exits::table::Exits;
use crate::{Arguments, AttachRequest, ExitArgument, Outcome, Raised, Region, StartCode, Task};
use exec::option;
use std::sync::atomic::Ordering;

/// The transaction of the tasks.
const TRANSACTION: &str = "CRSY";
/// Bytes of an identifier of a unit of work, and of an address in IDLIST.
const UNIT_BYTES: usize = 8;
const ADDRESS_BYTES: usize = 4;
/// The communication area of CRSY: name of the exit, unit of work, operation byte 1.
const REQUEST_BYTES: usize = 8 + UNIT_BYTES + 1;

/// RESYNC ENTRYNAME.
pub fn resync(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::ENTRYNAME)?.unwrap_or_default();
    let space = region.code_page.space();
    let mut qualifier = arguments.bytes(option::QUALIFIER)?.unwrap_or_default();
    qualifier.resize(8, space);
    let units = listed(arguments)?;
    region.recovery().counters.resynchronizations.fetch_add(1, Ordering::Relaxed);
    let is_of_qualifier = |unit: u64| origin::qualifier(region, unit, name).is_none_or(|kept| kept == qualifier);
    for unit in &units {
        let disposition = region.recovery().disposition(region, *unit, name).map_err(crate::recovery_manager::queue_failure)?;
        let operation = match disposition {
            Disposition::Committed if !is_of_qualifier(*unit) => continue,
            Disposition::Committed => operation::commit(),
            Disposition::BackedOut => operation::back_out(),
            Disposition::Lost => operation::lost(),
            Disposition::NotInDoubt => operation::not_in_doubt(),
            Disposition::InDoubt | Disposition::Active => continue,
        };
        attach(region, name, *unit, operation | operation::resynchronize() | operation::last());
    }
    if arguments.has(option::PARTIAL) {
        return Ok(());
    }
    // "CICS discards disposition information for all indoubt units of work not in the list" that belong to the resynchronization set.
    let Some(exit) = Exits::of(region).named(name) else { return Ok(()) };
    let begun = exit.resynchronizes_since.swap(microseconds_now(), Ordering::AcqRel);
    let kept = region.recovery().kept(region, name, begun).map_err(crate::recovery_manager::queue_failure)?;
    for unit in kept.into_iter().filter(|unit| !units.contains(unit) && is_of_qualifier(*unit)) {
        let caller = Caller::Task(task);
        caller.region().recovery().acknowledge(&caller, unit, name);
        origin::forget(&caller, unit, name);
    }
    Ok(())
}

/// The units of work in IDLIST: an area with the addresses of identifiers, of IDLISTLENGTH bytes.
fn listed(arguments: &Arguments) -> Result<Vec<u64>, Raised> {
    let Some(area) = arguments.area(option::IDLIST) else { return Ok(Vec::new()) };
    let length = arguments.integer(option::IDLISTLENGTH).map_or(area.length, |length| usize::try_from(length).unwrap_or(0));
    let addresses = Area::new(area.address, length).read()?;
    let mut units = Vec::with_capacity(length / ADDRESS_BYTES);
    for address in addresses.chunks_exact(ADDRESS_BYTES) {
        let address = u32::from_be_bytes(address.try_into().expect("four bytes"));
        let bytes = Area::new(address as usize, UNIT_BYTES).read()?;
        units.push(u64::from_be_bytes(bytes.try_into().expect("eight bytes")));
    }
    Ok(units)
}

/// Attaches the task that tells the exit program of one unit of work.
pub fn attach(region: &'static Region, exit: Name8, unit: u64, operation: u8) {
    let mut request = AttachRequest::new(Name4::new(TRANSACTION), StartCode::System);
    request.commarea = [&exit.as_bytes()[..], &unit.to_be_bytes(), &[operation]].concat();
    // Refused while the region ends: the outcome is kept.
    let _ = region.attach(request);
}

/// DFHRMXN3, the program of CRSY. An exit that is not available leaves the outcome as it is.
pub fn program(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let bytes = task.level().map_or(Area::new(0, 0), |level| level.commarea).read()?;
    let Ok(bytes) = <[u8; REQUEST_BYTES]>::try_from(bytes) else { return Ok(()) };
    let name = Name8::from_bytes(&bytes[..8]);
    let unit = u64::from_be_bytes(bytes[8..8 + UNIT_BYTES].try_into().expect("eight bytes"));
    let first = bytes[REQUEST_BYTES - 1];
    let Some(exit) = Exits::of(region).named(name).filter(|exit| exit.is_started()) else {
        region.messages.send("DFHRM0306", &[("program", name.as_str()), ("unit", &format!("{unit:016X}"))]);
        return Ok(());
    };
    let mut list = vec![ExitArgument::bytes(&[first])];
    list.extend(origin::parameters(region, unit, name));
    list.extend([ExitArgument::bytes(&[0; 4]), ExitArgument::bytes(&[0])]);
    let call = &mut Call { unit: Some(unit), ..Call::new(function::syncpoint(), list) };
    let called = invoke_for_region(task, &exit, call);
    if called.is_some_and(|called| called.code == answer::done()) {
        let caller = Caller::Task(task);
        region.recovery().acknowledge(&caller, unit, name);
        origin::forget(&caller, unit, name);
    }
    Ok(())
}
