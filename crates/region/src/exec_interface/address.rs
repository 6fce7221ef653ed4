//! ADDRESS and ADDRESS SET: the addresses of areas of the region and the task.

use crate::Task;
use crate::control_blocks::arguments::Arguments;
use crate::control_blocks::raised::Outcome;
use crate::storage_access::Area;
use exec::option;

/// The value of a pointer to an area that does not exist.
const NO_AREA: i64 = 0xFF00_0000;

fn pointer(area: Area) -> i64 {
    if area.length == 0 { NO_AREA } else { area.address as i64 }
}

pub(super) fn address(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    arguments.set_integer(option::EIB, i64::from(task.eib.address()));
    arguments.set_integer(option::CWA, pointer(task.region.cwa));
    arguments.set_integer(option::TWA, pointer(task.twa));
    if arguments.has(option::COMMAREA) {
        let area = task.level().map_or(Area::new(0, 0), |level| level.commarea);
        arguments.set_integer(option::COMMAREA, pointer(area));
    }
    if arguments.has(option::TCTUA) {
        let area = task.facility.terminal().map_or(Area::new(0, 0), |terminal| terminal.user_area());
        arguments.set_integer(option::TCTUA, pointer(area));
    }
    // There is no external security manager and no macro-level common system area.
    arguments.set_integer(option::ACEE, NO_AREA);
    arguments.set_integer(option::CSA, NO_AREA);
    Ok(())
}

pub(super) fn address_set(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let value = arguments.integer(option::USING).unwrap_or(0);
    arguments.set_integer(option::SET, value);
    Ok(())
}
