//! What EDF displays of a request to a resource manager: an exit with FORMATEDF is called, and gives the lines ("CICS EDF build parameters").

use super::constants::{byte, flag, function};
use super::invoke::{Call, invoke_for_region};
use crate::control_blocks::exit_structure::ExitRecord;
use crate::control_blocks::exits::RequestDisplay;
use crate::extensions::ResourceRequest;
use crate::storage_access::{self, Area};
use crate::user_exits::TaskState;
use crate::user_exits::parameter_list::{List, keep_area};
use crate::user_exits::table::{Exits, Switch};
use crate::{ExitArgument, Raised, Task};
use exec::exit_structure;

/// What fits on a display: lines of a page, their length, and pages.
const PAGE_LINES: usize = 13;
const LINE_BYTES: usize = 70;
const PAGES: usize = 10;

pub fn display_of(task: &mut Task, request: &ResourceRequest) -> RequestDisplay {
    let Some(exit) = Exits::of(task.region).named(request.exit) else { return RequestDisplay::Parameters };
    let is_scheduled = |tie: &mut super::Tie| tie.flags & flag::edf() != 0;
    let formats = TaskState::of_mut(&mut task.parts).tie(&exit).map_or(exit.is_on(Switch::FormatEdf), is_scheduled);
    if !formats {
        return RequestDisplay::Parameters;
    }
    let end = ExitArgument::Absent;
    let parameters: Vec<ExitArgument> = request.parameters.iter().map(|address| ExitArgument::Address(*address as usize)).collect();
    let Ok(theirs) = List::write(task, &parameters.iter().chain([&end]).collect::<Vec<_>>()) else { return RequestDisplay::Parameters };
    let why = if request.response.is_some() { byte::executed() } else { byte::about_to_execute() };
    let form = ExitRecord::new("UEPEDFRM", &task.region.code_page)
        .number("UEPEDFR1", theirs.area.0 as u64)
        .number("UEPEDFFI", why.into())
        .number("UEPEDFPS", PAGE_LINES as u64)
        .number("UEPEDFLS", LINE_BYTES as u64)
        .number("UEPEDFMP", PAGES as u64)
        .into_bytes();
    let mut call = Call { function: function::edf(), list: Vec::new(), unit: None, structure: Some(form) };
    let called = invoke_for_region(task, &exit, &mut call);
    keep_area(task, theirs.area);
    let Some(form) = called.and(call.structure) else { return RequestDisplay::Parameters };
    displayed(task, &form).unwrap_or(RequestDisplay::Parameters)
}

/// What the exit program has left in UEPEDFRM.
fn displayed(task: &Task, form: &[u8]) -> Result<RequestDisplay, Raised> {
    let structure = exit_structure("UEPEDFRM");
    let output = form[structure.field("UEPEDFFO").offset];
    if output & byte::no_display() != 0 {
        return Ok(RequestDisplay::Nothing);
    }
    let word = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap_or_default());
    let at = structure.field("UEPEDFPA").offset;
    let list = word(&form[at..at + 4]) as usize;
    if output & byte::default_display() != 0 || list == 0 {
        return Ok(RequestDisplay::Parameters);
    }
    let mut lines = Vec::new();
    for pair in 0..PAGE_LINES * PAGES {
        let mut addresses = [0; 8];
        storage_access::read(list + pair * addresses.len(), &mut addresses)?;
        let (attribute, line) = (word(&addresses[..4]), word(&addresses[4..]));
        if attribute == 0 || line == 0 {
            break;
        }
        lines.push(task.region.code_page.text(&Area::new(line as usize, LINE_BYTES).read()?).trim_end().to_string());
    }
    Ok(RequestDisplay::Lines(lines))
}
