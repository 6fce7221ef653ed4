//! INQUIRE TERMINAL, INQUIRE NETNAME and SET TERMINAL.

use super::display::{DisplayTerminal, Service, Uppercase, display_of};
use super::inquire_definition;
use super::released::released_of;
use exec::resp2::terminals as resp2;
use exec::{OptionId, condition, cvda, option};
use kernel::Purge;
use region::control_blocks::options::NULL_POINTER;
use region::facility::{NextTransaction, Terminal, TerminalAttributes};
use region::inquiry::{BrowseStep, checked, either, switch};
use region::name::{Name4, Name8};
use region::{Arguments, Outcome, Raised, Region, Task, raise};
use std::sync::Arc;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminals = &task.region.terminals;
    let names = || terminals.all().iter().map(|terminal| terminal.name()).collect();
    let step = task.browse_step(arguments, option::TERMINAL, names, |name: Name4| terminals.find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    match terminals.find(name) {
        Some(terminal) => describe(&terminal, arguments),
        None => raise(condition::TERMIDERR, resp2::NO_TERMINAL),
    }
}

pub(super) fn inquire_netname(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminals = &task.region.terminals;
    let names = || terminals.all().iter().map(|terminal| terminal.netname()).filter(|netname| !netname.is_blank()).collect();
    let step = task.browse_step(arguments, option::NETNAME, names, |netname: Name8| terminals.find_by_netname(netname).is_some())?;
    let BrowseStep::One(netname) = step else { return Ok(()) };
    match terminals.find_by_netname(netname) {
        Some(terminal) => {
            arguments.set_name(option::TERMINAL, &terminal.name())?;
            describe(&terminal, arguments)
        }
        None => raise(condition::TERMIDERR, resp2::NO_TERMINAL),
    }
}

/// Nothing is known of these.
const NEVER_GIVEN: [OptionId; 11] = [
    option::CORRELID,
    option::LINKSYSTEM,
    option::MAPNAME,
    option::MAPSETNAME,
    option::MODENAME,
    option::OPERID,
    option::REMOTENAME,
    option::REMOTESYSNET,
    option::REMOTESYSTEM,
    option::TNHOST,
    option::USERNAME,
];

fn describe(terminal: &Arc<dyn Terminal>, arguments: &mut Arguments) -> Outcome {
    let attributes = terminal.attributes();
    let display = display_of(&**terminal);
    let task_number = terminal.task_number();
    let user_area = terminal.user_area();
    give_screen(&**terminal, &attributes, arguments);
    let numbers = [
        (option::ACCESSMETHOD, either(attributes.console.is_blank(), cvda::VTAM, cvda::CONSOLE)),
        (option::APLKYBDST, either(attributes.apl_keyboard, cvda::APLKYBD, cvda::NOAPLKYBD)),
        (option::APLTEXTST, either(attributes.apl_text, cvda::APLTEXT, cvda::NOAPLTEXT)),
        (option::COLORST, either(attributes.color, cvda::COLOR, cvda::NOCOLOR)),
        (option::EXTENDEDDSST, either(attributes.extended_data_stream, cvda::EXTENDEDDS, cvda::NOEXTENDEDDS)),
        (option::HILIGHTST, either(attributes.highlight, cvda::HILIGHT, cvda::NOHILIGHT)),
        (option::OUTLINEST, either(attributes.outline, cvda::OUTLINE, cvda::NOOUTLINE)),
        (option::PROGSYMBOLST, either(attributes.programmed_symbols, cvda::PROGSYMBOL, cvda::NOPROGSYMBOL)),
        (option::SOSIST, either(attributes.sosi, cvda::SOSI, cvda::NOSOSI)),
        (option::VALIDATIONST, either(attributes.validation, cvda::VALIDATION, cvda::NOVALIDATION)),
        (option::DATASTREAM, cvda::DS3270),
        (option::GCHARS, i64::from(attributes.gchars)),
        (option::GCODES, i64::from(attributes.gcodes)),
        (option::SIGNONSTATUS, either(terminal.is_signed_on(), cvda::SIGNEDON, cvda::SIGNEDOFF)),
        (option::TASKID, task_number.map_or(0, i64::from)),
        (option::TERMMODEL, i64::from(attributes.term_code[1])),
        (option::TERMPRIORITY, i64::from(attributes.priority)),
        (option::TRACING, either(terminal.is_traced_specially(), cvda::SPECTRACE, cvda::STANTRACE)),
        (option::USERAREALEN, user_area.length as i64),
        (option::USERAREA, if user_area.length > 0 { user_area.address as i64 } else { NULL_POINTER }),
        (option::AIDCOUNT, terminal.starts_queued().len() as i64),
        (option::TNPORT, attributes.tn_address.map_or(0, |address| i64::from(address.port()))),
        (option::TNIPFAMILY, attributes.tn_address.map_or(cvda::NOTAPPLIC, |address| either(address.is_ipv6(), cvda::IPV6, cvda::IPV4))),
    ];
    arguments.set_integers(numbers);
    if let Some((service, alarm)) = service_of(&**terminal) {
        give_service(service, alarm, terminal.has_session() && display.is_none_or(|display| !display.is_closed()), arguments);
    }
    inquire_definition::give(&**terminal, arguments)?;
    let transaction = display.map_or(Name4::BLANK, DisplayTerminal::current_transaction);
    arguments.set_name(option::TRANSACTION, &transaction)?;
    let [printer, alternate] = service_of(&**terminal).map_or([Name4::BLANK; 2], |(service, _)| service.printers);
    arguments.set_name(option::PRINTER, &printer)?;
    arguments.set_name(option::ALTPRINTER, &alternate)?;
    arguments.set_name(option::NETNAME, &terminal.netname())?;
    arguments.set_name(option::CONSOLE, &attributes.console)?;
    arguments.set_text(option::NQNAME, terminal.netname().as_str())?;
    arguments.set_name(option::NEXTTRANSID, &terminal.next_transid().unwrap_or_default())?;
    arguments.set_name(option::USERID, &terminal.user_id())?;
    arguments.set_text(option::TNADDR, &attributes.tn_address.map(|address| address.ip().to_string()).unwrap_or_default())?;
    arguments.set_blank(&NEVER_GIVEN)
}

fn give_screen(terminal: &dyn Terminal, attributes: &TerminalAttributes, arguments: &mut Arguments) {
    let (alternate, default, current) = (attributes.alternate_screen, attributes.default_screen, attributes.current_screen);
    let typeterm =
        display_of(terminal).map(|display| &display.identity.typeterm).or(released_of(terminal).map(|released| &released.typeterm));
    let default_page = typeterm.and_then(|typeterm| typeterm.page).unwrap_or(default);
    let alternate_page = typeterm.and_then(|typeterm| typeterm.alternate_page).unwrap_or(alternate);
    let is_alternate = display_of(terminal).is_some_and(DisplayTerminal::is_alternate);
    let page = if is_alternate { alternate_page } else { default_page };
    let screen = [
        (option::ALTSCRNHT, alternate.0),
        (option::ALTSCRNWD, alternate.1),
        (option::ALTPAGEHT, alternate_page.0),
        (option::ALTPAGEWD, alternate_page.1),
        (option::DEFSCRNHT, default.0),
        (option::DEFSCRNWD, default.1),
        (option::DEFPAGEHT, default_page.0),
        (option::DEFPAGEWD, default_page.1),
        (option::SCRNHT, current.0),
        (option::SCRNWD, current.1),
        (option::PAGEHT, page.0),
        (option::PAGEWD, page.1),
    ];
    arguments.set_integers(screen.map(|(option, value)| (option, i64::from(value))));
}

/// The settings of a terminal, and whether messages of the region sound its alarm.
fn service_of(terminal: &dyn Terminal) -> Option<(Service, bool)> {
    match (display_of(terminal), released_of(terminal)) {
        (Some(display), _) => Some((display.service(), display.identity.typeterm.alarm)),
        (None, Some(released)) => Some((released.service()?, released.typeterm.alarm)),
        (None, None) => None,
    }
}

fn give_service(service: Service, alarm: bool, has_session: bool, arguments: &mut Arguments) {
    let Service { in_service, ati, tti, uppercase, autopage, .. } = service;
    let acquired = either(has_session, cvda::ACQUIRED, cvda::RELEASED);
    let numbers = [
        (option::ACQSTATUS, acquired),
        (option::TERMSTATUS, acquired),
        (option::SERVSTATUS, either(in_service, cvda::INSERVICE, cvda::OUTSERVICE)),
        (option::ATISTATUS, either(ati, cvda::ATI, cvda::NOATI)),
        (option::TTISTATUS, either(tti, cvda::TTI, cvda::NOTTI)),
        (option::PAGESTATUS, either(autopage, cvda::AUTOPAGE, cvda::PAGEABLE)),
        (option::DISCREQST, either(service.disconnects, cvda::DISCREQ, cvda::NODISCREQ)),
        (option::AUDALARMST, either(alarm, cvda::AUDALARM, cvda::NOAUDALARM)),
        (
            option::UCTRANST,
            match uppercase {
                Uppercase::Yes => cvda::UCTRAN,
                Uppercase::TransactionOnly => cvda::TRANIDONLY,
                Uppercase::No => cvda::NOUCTRAN,
            },
        ),
    ];
    arguments.set_integers(numbers);
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name4 = arguments.name(option::TERMINAL)?.unwrap_or_default();
    let Some(terminal) = task.region.terminals.find(name) else { return raise(condition::TERMIDERR, resp2::NO_TERMINAL_TO_SET) };
    let Some((before, _)) = service_of(&*terminal) else { return raise(condition::INVREQ, resp2::NOT_A_DISPLAY) };
    let flag = |option, yes: (OptionId, i64), no: (OptionId, i64)| switch(arguments, option, yes, no, exec::resp2::NONE);
    let ati = flag(option::ATISTATUS, (option::ATI, cvda::ATI), (option::NOATI, cvda::NOATI))?;
    let tti = flag(option::TTISTATUS, (option::TTI, cvda::TTI), (option::NOTTI, cvda::NOTTI))?;
    let in_service = flag(option::SERVSTATUS, (option::INSERVICE, cvda::INSERVICE), (option::OUTSERVICE, cvda::OUTSERVICE))?;
    let autopage = flag(option::PAGESTATUS, (option::AUTOPAGEABLE, cvda::AUTOPAGE), (option::PAGEABLE, cvda::PAGEABLE))?;
    let acquired = flag(option::ACQSTATUS, (option::ACQUIRED, cvda::ACQUIRED), (option::RELEASED, cvda::RELEASED))?;
    let acquired = acquired.or(flag(option::TERMSTATUS, (option::ACQUIRED, cvda::ACQUIRED), (option::RELEASED, cvda::RELEASED))?);
    let special = (option::SPECTRACE, cvda::SPECTRACE);
    let special_tracing = flag(option::TRACING, special, (option::STANTRACE, cvda::STANTRACE))?;
    if special_tracing == Some(true) {
        kernel::trace::use_special();
    }
    // A display that takes neither input nor started tasks would be unusable.
    if !ati.unwrap_or(before.ati) && !tti.unwrap_or(before.tti) {
        return raise(condition::INVREQ, resp2::NEITHER_INPUT_NOR_TASKS);
    }
    let folding = [(option::UCTRAN, cvda::UCTRAN), (option::NOUCTRAN, cvda::NOUCTRAN), (option::TRANIDONLY, cvda::TRANIDONLY)];
    let uppercase = checked(arguments, option::UCTRANST, &folding, resp2::UCTRANST)?.map(|value| match value {
        cvda::UCTRAN => Uppercase::Yes,
        cvda::NOUCTRAN => Uppercase::No,
        _ => Uppercase::TransactionOnly,
    });
    let disconnects = flag(option::DISCREQST, (option::DISCREQ, cvda::DISCREQ), (option::NODISCREQ, cvda::NODISCREQ))?;
    let priority = priority(arguments)?;
    let printers = [(option::PRINTER, resp2::PRINTER), (option::ALTPRINTER, resp2::ALTPRINTER)];
    let [printer, alternate] = printers.map(|(option, fault)| printer(task.region, arguments, option, fault));
    let (printer, alternate) = (printer?, alternate?);
    // A client connects by itself: the region cannot acquire a session.
    if acquired == Some(true) && !terminal.has_session() {
        return raise(condition::INVREQ, resp2::NOT_A_DISPLAY);
    }
    let change = |service: &mut Service| {
        service.ati = ati.unwrap_or(service.ati);
        service.tti = tti.unwrap_or(service.tti);
        service.in_service = in_service.unwrap_or(service.in_service);
        service.autopage = autopage.unwrap_or(service.autopage);
        service.special_tracing = special_tracing.unwrap_or(service.special_tracing);
        service.uppercase = uppercase.unwrap_or(service.uppercase);
        service.disconnects = disconnects.unwrap_or(service.disconnects);
        service.priority = priority.unwrap_or(service.priority);
        service.printers = [printer.unwrap_or(service.printers[0]), alternate.unwrap_or(service.printers[1])];
    };
    match (display_of(&*terminal), released_of(&*terminal)) {
        (Some(display), _) => display.change_service(change),
        (None, Some(released)) => released.change_service(change),
        (None, None) => {}
    }
    if let Some(transid) = arguments.name::<4>(option::NEXTTRANSID)? {
        terminal.set_next_transaction(Some(NextTransaction { transid, ..NextTransaction::default() }));
    }
    purge(task, &*terminal, arguments)?;
    if acquired == Some(false) {
        terminal.end_session();
    }
    Ok(())
}

/// TERMPRIORITY.
fn priority(arguments: &Arguments) -> Result<Option<u8>, Raised> {
    match arguments.integer(option::TERMPRIORITY).map(u8::try_from) {
        None => Ok(None),
        Some(Ok(priority)) => Ok(Some(priority)),
        Some(Err(_)) => raise(condition::INVREQ, resp2::TERMPRIORITY),
    }
}

/// PRINTER or ALTPRINTER: a printer of the region; blanks take the printer away.
fn printer(region: &Region, arguments: &Arguments, option: OptionId, fault: i32) -> Result<Option<Name4>, Raised> {
    let Some(name) = arguments.name::<4>(option)? else { return Ok(None) };
    let terminal = region.terminals.find(name);
    let is_printer = terminal.is_some_and(|terminal| terminal.attributes().term_code[0] == region::facility::PRINTER_3270);
    if name.is_blank() || is_printer { Ok(Some(name)) } else { raise(condition::INVREQ, fault) }
}

/// PURGETYPE: purges the task that uses the terminal. CANCEL drops the tasks started for it.
fn purge(task: &Task, terminal: &dyn Terminal, arguments: &Arguments) -> Outcome {
    let keywords = [
        (option::CANCEL, cvda::CANCEL),
        (option::FORCEPURGE, cvda::FORCEPURGE),
        (option::FORCE, cvda::FORCEPURGE),
        (option::KILL, cvda::KILL),
        (option::PURGE, cvda::PURGE),
    ];
    let strength = match arguments.chosen(option::PURGETYPE, &keywords) {
        None => return Ok(()),
        Some(cvda::CANCEL) => {
            match (display_of(terminal), released_of(terminal)) {
                (Some(display), _) => display.cancel_starts(),
                (None, Some(released)) => released.cancel_starts(),
                (None, None) => {}
            }
            return Ok(());
        }
        Some(cvda::PURGE) => Purge::Purge,
        Some(cvda::FORCEPURGE) => Purge::ForcePurge,
        Some(cvda::KILL) => Purge::Kill,
        Some(_) => return raise(condition::INVREQ, resp2::PURGETYPE),
    };
    let shared = terminal.task_number().and_then(|number| task.region.transactions().task(number));
    let kernel = shared.and_then(|shared| shared.kernel.lock().clone());
    match kernel {
        Some(kernel) if kernel.purge(strength) => Ok(()),
        Some(_) => raise(condition::INVREQ, resp2::NOT_PURGED),
        None => Ok(()),
    }
}
