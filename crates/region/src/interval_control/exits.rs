//! XICEXP, the exit point after an interval has ended, and XTSPTIN and XTSPTOUT around the data of a START.
//!
//! In CICS the data of a START are in temporary storage, under the request identifier, and these points are those of the gate TSPT ("Temporary
//! storage domain exits"). Here interval control keeps the data itself, and calls the exit programs where CICS would use that gate.

use super::start::StartRequest;
use crate::clock::{Abstime, now_local};
use crate::control_blocks::exit_structure::ExitRecord;
use crate::control_blocks::record::store_clock;
use crate::name::{Name4, Name8};
use crate::storage_access::{self, Area};
use crate::{ExitArgument, Outcome, Raised, Region, Task};
use exec::{ExitPoint, exit_constant, exit_point};
use kernel::storage::{Getmain, Key, Line};
use std::time::SystemTime;

/// What an exit program is told of a request whose time has come (DFHICEDS).
pub struct ExpiredElement {
    request_id: Name8,
    transid: Name4,
    terminal: Name4,
    due: Abstime,
}

impl ExpiredElement {
    pub fn of_start(request: &StartRequest) -> Self {
        Self {
            request_id: request.request_id,
            transid: request.transid,
            terminal: request.terminal.unwrap_or(Name4::BLANK),
            due: request.due.unwrap_or_else(now_local),
        }
    }

    /// Of a DELAY or a POST.
    pub fn of_task(request_id: Name8) -> Self {
        Self { request_id, transid: Name4::BLANK, terminal: Name4::BLANK, due: now_local() }
    }
}

/// The interval of a request has ended: the exit programs are called, and then it is carried out.
pub fn expired(region: &'static Region, element: ExpiredElement, carry_out: impl FnOnce() + Send + 'static) {
    region.at_exit_point(exit_point::XICEXP, move |task| {
        if let Some(task) = task {
            // A purge of the region's task does not keep the request from being carried out.
            let _ = call_expired(task, &element);
        }
        carry_out();
    });
}

/// Calls the exit programs in a task: that of a DELAY, or the region's.
pub fn call_expired(task: &mut Task, element: &ExpiredElement) -> Outcome {
    if !task.has_exit(exit_point::XICEXP) {
        return Ok(());
    }
    let ago = u64::try_from(now_local().0 - element.due.0).unwrap_or(0);
    let due = SystemTime::now().checked_sub(std::time::Duration::from_millis(ago)).unwrap_or(SystemTime::UNIX_EPOCH);
    let record = ExitRecord::new("DFHICEDS", &task.region.code_page)
        .text("ICERQID", element.request_id.as_str())
        .text("ICETRNID", element.transid.as_str())
        .text("ICETRMID", element.terminal.as_str())
        .bytes_of("ICEXTOD", &store_clock(due, 0).to_be_bytes())
        .into_bytes();
    task.call_exit(exit_point::XICEXP, &mut [ExitArgument::Bytes(record)]).map(|_| ())
}

/// What is done with the data of a START.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataFunction {
    /// START.
    Put,
    /// RETRIEVE INTO.
    GetRelease,
    /// RETRIEVE SET.
    GetReleaseSet,
    /// CANCEL.
    Release,
}

impl DataFunction {
    fn constant(self) -> &'static str {
        match self {
            DataFunction::Put => "UEP_TS_FUN_PUT",
            DataFunction::GetRelease => "UEP_TS_FUN_GET_RELEASE",
            DataFunction::GetReleaseSet => "UEP_TS_FUN_GET_RELEASE_SET",
            DataFunction::Release => "UEP_TS_FUN_RELEASE",
        }
    }
}

/// A function between its two points.
#[must_use = "the second point is called"]
pub struct InProgress {
    function: DataFunction,
    request_id: Name8,
    /// A copy of the data for exit programs; `None`: there is no exit program.
    copy: Option<Area>,
}

/// Calls XTSPTIN for a request that has data.
pub fn data_function(task: &mut Task, function: DataFunction, request_id: Name8, data: Option<&[u8]>) -> Result<InProgress, Raised> {
    let mut in_progress = InProgress { function, request_id, copy: None };
    let Some(data) = data.filter(|_| task.has_exit(exit_point::XTSPTIN) || task.has_exit(exit_point::XTSPTOUT)) else {
        return Ok(in_progress);
    };
    let request = Getmain { length: data.len().max(1), line: Line::Below2G, key: Key::Cics, initial: None };
    let address = task.getmain(request, false)?;
    storage_access::write(address, data)?;
    in_progress.copy = Some(Area::new(address, data.len()));
    // CICS gives the data before PUT, and after the other functions.
    let called = in_progress.call(task, exit_point::XTSPTIN, function == DataFunction::Put);
    if called.is_err() {
        task.freemain(address);
    }
    called.map(|()| in_progress)
}

impl InProgress {
    /// Calls XTSPTOUT.
    pub fn ended(self, task: &mut Task) -> Outcome {
        let Some(copy) = self.copy else { return Ok(()) };
        let called = self.call(task, exit_point::XTSPTOUT, self.function != DataFunction::Release);
        task.freemain(copy.address);
        called
    }

    fn call(&self, task: &mut Task, point: ExitPoint, has_data: bool) -> Outcome {
        if !task.has_exit(point) {
            return Ok(());
        }
        let page = &task.region.code_page;
        let mut name = vec![page.space(); 16];
        page.fill(self.request_id.as_str(), &mut name);
        let copy = self.copy.filter(|_| has_data);
        let fullword = |value: usize| ExitArgument::bytes(&(value as u32).to_be_bytes());
        let byte = |constant: &str| ExitArgument::bytes(&[exit_constant(constant) as u8]);
        let mut arguments = task.exit_arguments(point, |parameter| {
            Some(match parameter {
                "UEP_TS_FUNCTION" => byte(self.function.constant()),
                "UEP_TS_QUEUE_NAME" => ExitArgument::bytes(&name),
                "UEP_TS_DATA_P" => copy.map_or(ExitArgument::Absent, |copy| fullword(copy.address)),
                "UEP_TS_DATA_L" => copy.map_or(ExitArgument::Absent, |copy| fullword(copy.length)),
                "UEP_TS_STORAGE_TYPE" => byte("UEP_TS_STORAGE_TYPE_MAIN"),
                "UEP_TS_RESPONSE" => byte("UEP_TS_RESPONSE_OK"),
                _ => return None,
            })
        });
        task.call_exit(point, &mut arguments).map(|_| ())
    }
}
