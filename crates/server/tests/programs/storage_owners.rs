//! Who may free what (FREEMAIN), damaged check zones, and storage above the bar up to MEMLIMIT.

use super::storage::{LENGERR, NOT_AN_AREA, SHORTAGE, freemain, got, told};
use super::support::*;
use exec::{command, option};
use region::storage_access::{self, Area};
use region::{Raised, Task};

/// The EIB, the CWA, and what a SET option returned: the region has their addresses too (FREEMAIN, option DATA; INVREQ).
#[test]
fn freemain_is_not_for_what_the_region_obtained() {
    run(|task| {
        let address = issue(task, command::ADDRESS, |call| {
            call.integer(option::EIB, 0).integer(option::CWA, 0);
        })?;
        assert_eq!(address.code, NORMAL);
        for area in [option::EIB, option::CWA] {
            assert_eq!(freemain(task, address.number(area) as usize)?, NOT_AN_AREA);
        }
        issue(task, command::PUT_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "DATA")))
                .bytes(option::CHANNEL, &e(&format!("{:<16}", "FREE")))
                .bytes(option::FROM, b"text")
                .integer(option::FLENGTH, 4);
        })?;
        let container = issue(task, command::GET_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "DATA")))
                .bytes(option::CHANNEL, &e(&format!("{:<16}", "FREE")))
                .integer(option::SET, 0)
                .integer(option::FLENGTH, 0);
        })?;
        assert_eq!(container.code, NORMAL);
        assert_eq!(freemain(task, container.number(option::SET) as usize)?, NOT_AN_AREA);
        Ok(())
    });
}

/// DFHSM0102: also for storage that no task owns, and for storage that a task writes beyond while the region has it.
#[test]
fn every_overwritten_check_zone_is_reported() {
    run(|task| {
        let before = told(task.region, "DFHSM0102");
        let shared = got(task, |call| {
            call.flag(option::SHARED);
        })?;
        storage_access::write(shared, &[7; 120])?;
        assert_eq!(freemain(task, shared)?, NORMAL);
        assert_eq!(told(task.region, "DFHSM0102"), before + 1);
        assert_eq!(freemain(task, shared)?, NOT_AN_AREA);
        let request = kernel::storage::Getmain::user(100);
        let of_region = task.getmain(request, false)?;
        storage_access::write(of_region, &[7; 120])?;
        task.freemain(of_region);
        assert_eq!(told(task.region, "DFHSM0102"), before + 2);
        Ok(())
    });
}

/// GETMAIN64 of more than 1 GB: MEMLIMIT is the limit.
#[test]
fn storage_above_the_bar_is_as_long_as_memlimit_allows() {
    let _turn = SHORTAGE.lock();
    let limit = the_region().storage.limit(kernel::storage::Line::Above) as i64;
    run(move |task| {
        let get = |task: &mut Task, length: i64| {
            let reply = issue(task, command::GETMAIN64, |call| {
                call.integer(option::SET, 0).integer(option::FLENGTH, length).flag(option::NOSUSPEND);
            })?;
            Ok::<_, Raised>((reply.code, reply.number(option::SET) as usize))
        };
        let (code, address) = get(task, 3 << 30)?;
        assert_eq!(code, NORMAL);
        let last = address + (3 << 30) - 1;
        storage_access::write(last, &[1])?;
        assert_eq!(Area::new(last, 1).read()?, [1]);
        for length in [limit + 1, i64::MAX, -1, 0] {
            assert_eq!(get(task, length)?.0, LENGERR, "{length}");
        }
        Ok(())
    });
}
