//! The points at which a task under EDF stops.
//!
//! Rules ("Execution diagnostic facility"): a program with CEDF(NO) has no displays at all, one translated with NOEDF none of its commands.
//! Invariants: the session is out of the task while it stops, so commands of the facility itself are not observed; a command is answered
//! with the abend that the operator or a purge asked for.

use super::carrier::Carrier;
use super::control::Subject;
use super::points::{Place, Point, response};
use super::request::Request;
use super::session::{End, Session};
use super::sql::SqlStatement;
use super::{Control, TaskState};
use exec::block::Block;
use program::module::attributes;
use program::requests::{SqlOutcome, SqlRequest};
use region::extensions::{Observer, ResourceRequest, Verdict};
use region::{Abend, Outcome, Raised, Task};
use terminals::terminal_control::display::display_of;
use terminals::terminal_control::output;

pub struct Edf;

impl Observer for Edf {
    fn task_begins(&self, task: &mut Task) {
        let Some((subject, watch, kept)) = Control::of(task.region).subject_of(task) else { return };
        let screen = watch.screen;
        match Carrier::to(task, screen, subject) {
            Ok(carrier) => TaskState::of_mut(&mut task.parts).session = Some(Box::new(Session::new(subject, watch, carrier, kept))),
            Err(_) => Control::of(task.region).switch_off(subject),
        }
    }

    fn program_begins(&self, task: &mut Task) {
        if allows_edf(task) {
            stop_and_keep(task, |session, task| session.reach(task, Point::ProgramInitiation));
        }
    }

    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict {
        if let Some(abend) = TaskState::of_mut(&mut task.parts).session.as_mut().and_then(|session| session.pending.take()) {
            return Verdict::Answer(Err(Raised::Abend(abend)));
        }
        if !commands_are_shown(task) {
            return Verdict::Execute;
        }
        let place = place_of(task, block);
        let end = stop(task, |session, task| {
            session.runs(task);
            let mut noop = false;
            let end = session.reach(task, Point::AboutToExecute { block, place, noop: &mut noop });
            session.noop = noop;
            note_screen(task, session);
            end
        });
        match end {
            Some(End::Abend(abend)) => Verdict::Answer(Err(Raised::Abend(abend))),
            Some(End::Continue) if TaskState::of(&task.parts).session.as_ref().is_some_and(|session| session.noop) => {
                Verdict::Answer(Ok(()))
            }
            _ => Verdict::Execute,
        }
    }

    fn after(&self, task: &mut Task, block: &mut Block, outcome: &mut Outcome) {
        let depth = task.levels.len();
        TaskState::of_mut(&mut task.parts).copies.release(depth);
        if !commands_are_shown(task) {
            return;
        }
        let place = place_of(task, block);
        let end = stop(task, |session, task| {
            let shown = if response(outcome).is_some() { after_command(session, task, block, place, outcome) } else { End::Continue };
            session.copies.release(depth);
            session.noop = false;
            shown
        });
        if let Some(End::Abend(abend)) = end {
            *outcome = Err(Raised::Abend(abend));
        }
    }

    fn before_request(&self, task: &mut Task, request: &ResourceRequest) {
        reach_request(task, request);
    }

    fn after_request(&self, task: &mut Task, request: &ResourceRequest) {
        reach_request(task, request);
    }

    fn before_sql(&self, task: &mut Task, request: &SqlRequest) {
        reach_sql(task, request, false);
    }

    fn after_sql(&self, task: &mut Task, request: &SqlRequest, _outcome: &SqlOutcome) {
        reach_sql(task, request, true);
    }

    fn abends(&self, task: &mut Task, abend: &mut Abend) {
        stop(task, |session, task| {
            session.copies.release(task.levels.len());
            if std::mem::replace(&mut session.abend_shown, true) { End::Continue } else { session.reach(task, Point::Abend(abend)) }
        });
    }

    fn program_ends(&self, task: &mut Task, abend: Option<&Abend>) {
        if abend.is_none() && allows_edf(task) {
            stop_and_keep(task, |session, task| session.reach(task, Point::ProgramTermination));
        }
    }

    fn task_ends(&self, task: &mut Task, abend: Option<&Abend>) {
        let mut reply = abend.is_none() && task.next_transaction.is_some();
        stop(task, |session, task| session.reach(task, Point::TaskTermination { abend, reply: &mut reply }));
        let Some(session) = TaskState::of_mut(&mut task.parts).session.take() else { return };
        let (control, subject) = (Control::of(task.region), session.subject);
        let kept = session.close(farewell(subject, reply));
        if reply {
            control.keep(subject, kept);
        } else {
            control.switch_off(subject);
        }
    }
}

/// Runs one stop with the session outside the task. `None`: the task is not under EDF.
fn stop(task: &mut Task, run: impl FnOnce(&mut Session, &mut Task) -> End) -> Option<End> {
    let mut session = TaskState::of_mut(&mut task.parts).session.take()?;
    let subject = session.subject;
    // Switched off meanwhile at another terminal.
    let end = if Control::of(task.region).is_on(subject) { run(&mut session, task) } else { End::Session };
    if matches!(end, End::Session) {
        Control::of(task.region).switch_off(subject);
        let copies = std::mem::take(&mut session.copies);
        TaskState::of_mut(&mut task.parts).copies.take_over(copies);
        session.close(farewell(subject, false));
    } else {
        TaskState::of_mut(&mut task.parts).session = Some(session);
    }
    Some(end)
}

/// A stop that cannot abend the task: the abend of a purge waits for the next command.
fn stop_and_keep(task: &mut Task, run: impl FnOnce(&mut Session, &mut Task) -> End) {
    let Some(End::Abend(abend)) = stop(task, run) else { return };
    if let Some(session) = &mut TaskState::of_mut(&mut task.parts).session {
        session.pending = Some(abend);
    }
}

fn reach_sql(task: &mut Task, request: &SqlRequest, executed: bool) {
    if !commands_are_shown(task) {
        return;
    }
    let Some(statement) = SqlStatement::of(task, request) else { return };
    let place = task.frame.and_then(|frame| frame.place_of(request.number));
    let place = Place { offset: place.map(|place| place.offset), line: request.line };
    stop_and_keep(task, |session, task| {
        session.runs(task);
        session.reach(task, Point::Sql { statement: &statement, place, executed })
    });
}

/// The exit program, which may format the display, has none of its own.
fn reach_request(task: &mut Task, request: &ResourceRequest) {
    if !commands_are_shown(task) {
        return;
    }
    let session = TaskState::of_mut(&mut task.parts).session.take();
    let (frame, line) = (task.frame, task.line);
    let shown = Request::of(task, request);
    (task.frame, task.line) = (frame, line);
    TaskState::of_mut(&mut task.parts).session = session;
    let Some(shown) = shown else { return };
    let place = task.frame.and_then(|frame| frame.call_place());
    let place = Place { offset: place.map(|place| place.offset), line: task.line };
    stop_and_keep(task, |session, task| {
        session.runs(task);
        session.reach(task, Point::Request { request: &shown, place, executed: request.response.is_some() })
    });
}

/// The screen of the task is shown, if the command has changed it; then the command is.
fn after_command(session: &mut Session, task: &mut Task, block: &mut Block, place: Place, outcome: &mut Outcome) -> End {
    if !session.kept.is_suppressed
        && session.is_on_own_terminal()
        && has_changed_screen(task)
        && let Err(lost) = session.show_user_screen(task)
    {
        return session.lost(lost);
    }
    let noop = session.noop;
    session.reach(task, Point::Executed { block, place, noop, outcome })
}

/// The words that a terminal with displays of another one shows when it is free again.
fn farewell(subject: Subject, on: bool) -> String {
    let mode = if on { "ON" } else { "OFF" };
    match subject {
        Subject::Terminal(name) => format!("TERMINAL {name}: EDF MODE {mode}"),
        Subject::Transaction(name) => format!("TRANSACTION {name}: EDF MODE {mode}"),
    }
}

fn note_screen(task: &Task, session: &Session) {
    if session.is_on_own_terminal()
        && let Some(display) = task.facility.terminal().and_then(|terminal| display_of(&**terminal))
    {
        display.note_seen();
    }
}

/// Output that was deferred counts.
fn has_changed_screen(task: &mut Task) -> bool {
    let Some(terminal) = task.facility.terminal().cloned() else { return false };
    let Some(display) = display_of(&*terminal) else { return false };
    output::flush(task, display).is_ok() && display.has_changed()
}

/// CEDF(YES) of the program of the present level; a program of the region itself has no displays.
fn allows_edf(task: &Task) -> bool {
    let context = task.context();
    let application = context.as_ref().and_then(|context| context.application.as_ref());
    let program = task.region.programs().find_for(application, task.program_name());
    program.is_none_or(|program| program.definition().cedf && !program.is_native())
}

/// A compiled program issues the command, and was not translated with NOEDF.
fn commands_are_shown(task: &Task) -> bool {
    TaskState::of(&task.parts).session.is_some()
        && task.frame.is_some_and(|frame| frame.program_info().attributes & attributes::NOEDF == 0)
        && allows_edf(task)
}

fn place_of(task: &Task, block: &Block) -> Place {
    let place = task.frame.and_then(|frame| frame.place_of(block.statement));
    Place { offset: place.map(|place| place.offset), line: block.line }
}
