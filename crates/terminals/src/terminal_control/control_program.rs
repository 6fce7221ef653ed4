//! The autoinstall control program for terminals (AIEXIT, DFHZATDX): a program of the site that decides on each autoinstall, and is told of each
//! terminal that is deleted.
//!
//! Rules: "Writing a program to control autoinstall of LUs" (Customization). The supplied DFHZATDX is part of the region: it takes the first
//! model and the last four characters of the network name. A program of that name with a definition or in a library takes its place. It runs in
//! transaction CATA at INSTALL and CATD at DELETE, without a terminal. Invariant: each question is answered once, whether its task runs, abends
//! or is never started.

use super::TerminalControl;
use super::autoinstall::{self, Choice};
use exec::exit_structure;
use kernel::storage::{Getmain, Key, Line};
use parking_lot::Mutex;
use region::control_blocks::exit_structure::ExitRecord;
use region::facility::{Facility, Partner, PartnerKind};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::storage_access::{self, Area};
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::any::Any;
use std::sync::Arc;
use tn3270::SessionInfo;

/// The control program that is part of the region.
const SUPPLIED: &str = "DFHZATDX";
const INSTALL_TRANSACTION: &str = "CATA";
const DELETE_TRANSACTION: &str = "CATD";
/// Function codes of the communication area, and the component.
const INSTALL: u64 = 0xF0;
const DELETE: u64 = 0xF1;
const COMPONENT: &str = "ZC";
/// SELECTED_RETURN_CODE at the call: a program that does not change it refuses the terminal.
const REFUSED: u64 = 0x0C;
/// Characters of the address of the client.
const ADDRESS_BYTES: usize = 39;
/// What is done with the answer: `None` refuses the terminal.
type Then = Box<dyn FnOnce(Option<Choice>) + Send>;

/// A question to the control program: the facility of the task that asks it. There are no more than sessions.
struct Question {
    region: &'static Region,
    /// Until it is answered.
    open: Mutex<Option<Open>>,
}

struct Open {
    program: Name8,
    info: SessionInfo,
    then: Then,
}

impl Question {
    /// The task has ended without an answer, or there is none.
    fn close(&self, reason: &str) {
        let open = self.open.lock().take();
        if let Some(Open { info, then, .. }) = open {
            refuse(self.region, &info, reason);
            then(None);
        }
    }
}

impl Partner for Question {
    fn name(&self) -> Name4 {
        Name4::BLANK
    }

    fn user_id(&self) -> Name8 {
        self.region.default_user
    }

    fn task_started(&self, _: &Task) {}

    fn task_ended(&self, _: &mut Task, failure: Option<&Message>) {
        self.close(failure.map_or("its task has ended", |failure| &failure.text));
    }

    fn task_restarts(&self) {}

    fn not_started(&self, message: &Message) {
        self.close(&message.text);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The control program, if it is one of the site's own.
pub fn of(region: &Region) -> Option<Name8> {
    let name = TerminalControl::of(region).autoinstall.program(region);
    let programs = region.programs();
    let is_there = || programs.find(name).is_some() || programs.find_member(name, program::batch::MODULE_EXTENSION).is_some();
    (!name.is_blank() && (name.as_str() != SUPPLIED || is_there())).then_some(name)
}

/// Asks the control program about a session, in a task; `then` gets the answer.
pub fn ask(region: &'static Region, program: Name8, info: SessionInfo, then: impl FnOnce(Option<Choice>) + Send + 'static) {
    let open = Open { program, info, then: Box::new(then) };
    let question = Arc::new(Question { region, open: Mutex::new(Some(open)) });
    let mut request = AttachRequest::new(Name4::new(INSTALL_TRANSACTION), StartCode::System);
    request.facility = Facility::Partner(PartnerKind::Region, question.clone());
    if let Err(failure) = region.attach(request) {
        question.close(&failure.message.text);
    }
}

pub(super) fn refuse(region: &Region, info: &SessionInfo, reason: &str) {
    region.messages.send("DFHZC6942", &[("netname", info.lu.as_str()), ("reason", reason)]);
}

/// DFHZATA, the program of CATA: asks about one session.
pub fn install(task: &mut Task) -> Result<(), Raised> {
    let question = task.facility.partner().and_then(|partner| partner.as_any().downcast_ref::<Question>());
    let Some(Open { program, info, then }) = question.and_then(|question| question.open.lock().take()) else { return Ok(()) };
    let answer = chosen(task, program, &info);
    if let Err(reason) = &answer {
        refuse(task.region, &info, reason);
    }
    then(answer.ok());
    Ok(())
}

/// What the control program answers, or why the terminal is refused.
fn chosen(task: &mut Task, program: Name8, info: &SessionInfo) -> Result<Choice, String> {
    let page = &task.region.code_page;
    let netname = Name8::new(&info.lu);
    let models = autoinstall::models(task.region, info);
    let mut names =
        ExitRecord::new("DFHTCUDN", page).number("NETNAME_LENGTH", netname.as_str().len() as u64).text("NETNAME", &info.lu).into_bytes();
    let models_at = names.len();
    names.extend((models.len() as u16).to_be_bytes());
    models.iter().for_each(|model| names.extend(page.encode_name(model)));
    let address_at = names.len();
    names.resize(address_at + ADDRESS_BYTES, page.space());
    page.fill(&info.peer.ip().to_string(), &mut names[address_at..]);
    let selected_at = names.len();
    names.extend(ExitRecord::new("DFHTCUDR", page).number("SELECTED_RETURN_CODE", REFUSED).into_bytes());

    let request = Getmain { length: names.len(), line: Line::Below2G, key: Key::Cics, initial: None };
    let at = task.getmain(request, false).map_err(|_| "there is no storage".to_string())?;
    storage_access::write(at, &names).map_err(|_| "there is no storage".to_string())?;
    let area = ExitRecord::new("DFHTCUDS", page)
        .number("INSTALL_EXIT_FUNCTION", INSTALL)
        .text("INSTALL_EXIT_COMPONENT", COMPONENT)
        .number("INSTALL_NETNAME_PTR", at as u64)
        .number("INSTALL_MODELNAME_PTR", (at + models_at) as u64)
        .number("INSTALL_SELECTED_PTR", (at + selected_at) as u64)
        .number("INSTALL_TNADDR_PTR", (at + address_at) as u64)
        .into_bytes();
    let ended = task.link_replaceable(program, area);
    let answer = Area::new(at + selected_at, exit_structure("DFHTCUDR").length()).read();
    task.freemain(at);
    ended.map_err(|why| format!("control program {program}: {why}"))?;
    let answer = ExitRecord::of_bytes("DFHTCUDR", page, answer.map_err(|_| "its answer cannot be read".to_string())?);
    choice_of(task.region, program, &answer)
}

fn choice_of(region: &Region, program: Name8, answer: &ExitRecord) -> Result<Choice, String> {
    let code = answer.value("SELECTED_RETURN_CODE");
    if code != 0 {
        return Err(format!("control program {program} has refused it with return code X'{code:02X}'"));
    }
    let name = |field: &str| Name4::new(&answer.get(field));
    let model = Name8::new(&answer.get("SELECTED_MODELNAME"));
    let Some(typeterm) = autoinstall::typeterm_of_model(region, model) else {
        return Err(format!("control program {program} has chosen model {model}, which is not installed"));
    };
    let termid = name("SELECTED_TERMINAL_ID");
    if termid.is_blank() || region.terminals.find(termid).is_some() {
        return Err(format!("control program {program} has chosen the terminal name '{termid}', which is blank or in use"));
    }
    Ok(Choice { name: termid, typeterm, printers: [name("SELECTED_PRINTER_ID"), name("SELECTED_ALTPRINTER_ID")] })
}

/// An autoinstalled terminal has been deleted, or could not be installed after all: the control program is told.
pub fn deleted(region: &'static Region, terminal: Name4) {
    if of(region).is_none() || region.transactions().is_quiescing() {
        return;
    }
    let mut request = AttachRequest::new(Name4::new(DELETE_TRANSACTION), StartCode::System);
    request.commarea = terminal.as_bytes().to_vec();
    if let Err(failure) = region.attach(request) {
        let reason = failure.message.text;
        tracing::warn!(target: "region::zc", terminal = %terminal, reason, "the autoinstall control program is not told of a deletion");
    }
}

/// DFHZATD, the program of CATD.
pub fn delete(task: &mut Task) -> Result<(), Raised> {
    let commarea = task.level().map_or(Area::new(0, 0), |level| level.commarea).read()?;
    let (Some(program), Ok(name)) = (of(task.region), <[u8; 4]>::try_from(commarea)) else { return Ok(()) };
    let terminal = Name4::from_bytes(&name);
    let area = ExitRecord::new("DFHTCUDD", &task.region.code_page)
        .number("DELETE_EXIT_FUNCTION", DELETE)
        .text("DELETE_EXIT_COMPONENT", COMPONENT)
        .text("DELETE_TERMINAL_ID", terminal.as_str())
        .into_bytes();
    if let Err(reason) = task.link_replaceable(program, area) {
        let values = [("program", program.as_str()), ("termid", terminal.as_str()), ("reason", reason.as_str())];
        task.region.messages.send("DFHZC6943", &values);
    }
    Ok(())
}
