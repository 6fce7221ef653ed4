//! Who is under EDF: the transactions CEDF, CEDG, CEDX and CEDY, and what they switch on and off.
//!
//! Rules ("CEDF and CEDX - the execution diagnostic facility"): ON is the default; a terminal on which EDF shows the displays of another
//! one must be in transceive status; CEDX concerns only tasks that begin after it; supplied transactions cannot be tested. CEDG and CEDY
//! are the same without the means to change anything.

use super::super::panel;
use super::relay::{self, Relay};
use super::session::Kept;
use super::{Control, observer};
use region::name::Name4;
use region::transaction_manager::is_supplied;
use region::{Raised, Region, Task};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use terminals::terminal_control::DisplayTerminal;
use terminals::terminal_control::display::display_of;
use terminals::terminal_control::input::{display, facility};

/// What is under EDF.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// The tasks of a terminal (CEDF).
    Terminal(Name4),
    /// The tasks of a transaction (CEDX).
    Transaction(Name4),
}

/// How it is tested.
#[derive(Clone)]
pub struct Watch {
    /// The terminal with the displays.
    pub screen: Name4,
    /// CEDG and CEDY.
    pub read_only: bool,
}

#[derive(Default)]
pub(super) struct Watches {
    of: HashMap<Subject, Watch>,
    /// What a session of several tasks keeps between them.
    kept: HashMap<Subject, Box<Kept>>,
    /// Tasks that wait for a terminal with their displays.
    relays: HashMap<Name4, VecDeque<Arc<Relay>>>,
    observes: bool,
}

impl Control {
    /// Puts it under EDF, unless another terminal that is there shows its displays already: that one is returned.
    fn switch_on(&self, region: &Region, subject: Subject, watch: Watch) -> Result<(), Name4> {
        let mut watches = self.0.lock();
        let other = watches.of.get(&subject).map(|watch| watch.screen).filter(|screen| *screen != watch.screen);
        if let Some(screen) = other.filter(|screen| region.terminals.find(*screen).is_some()) {
            return Err(screen);
        }
        watches.of.insert(subject, watch);
        watches.kept.remove(&subject);
        if !std::mem::replace(&mut watches.observes, true) {
            region.extensions.observe(Arc::new(observer::Edf));
        }
        Ok(())
    }

    /// EDF is over for it.
    pub fn switch_off(&self, subject: Subject) {
        let mut watches = self.0.lock();
        watches.of.remove(&subject);
        watches.kept.remove(&subject);
    }

    pub fn is_on(&self, subject: Subject) -> bool {
        self.0.lock().of.contains_key(&subject)
    }

    /// What the task is tested by: its transaction, or its terminal. Supplied transactions never are.
    pub fn subject_of(&self, task: &Task) -> Option<(Subject, Watch, Kept)> {
        if is_supplied(&task.definition) {
            return None;
        }
        let mut watches = self.0.lock();
        let terminal = task.facility.terminal().map(|terminal| Subject::Terminal(terminal.name()));
        let subjects = [Some(Subject::Transaction(task.transid)), terminal];
        let subject = subjects.into_iter().flatten().find(|subject| watches.of.contains_key(subject))?;
        let watch = watches.of.get(&subject)?.clone();
        let kept = watches.kept.remove(&subject).map_or_else(Kept::default, |kept| *kept);
        Some((subject, watch, kept))
    }

    /// Keeps what the next task of the session finds.
    pub fn keep(&self, subject: Subject, kept: Kept) {
        let mut watches = self.0.lock();
        if watches.of.contains_key(&subject) {
            watches.kept.insert(subject, Box::new(kept));
        }
    }

    /// A task waits for the terminal; the next CEDF task there serves it. Relays of tasks that have ended before are left over when the
    /// terminal went with the START of its CEDF task: they would take the place of this one.
    pub fn await_relay(&self, screen: Name4, relay: Arc<Relay>) {
        let mut watches = self.0.lock();
        let relays = watches.relays.entry(screen).or_default();
        relays.retain(|other| !other.is_closed());
        relays.push_back(relay);
    }

    /// The task that the CEDF task at this terminal is to serve.
    fn next_relay(&self, screen: Name4) -> Option<Arc<Relay>> {
        self.0.lock().relays.get_mut(&screen)?.pop_front()
    }
}

/// The program of CEDF and CEDG. Started without input, it shows the displays of a task at another terminal.
pub fn edf(task: &mut Task) -> Result<(), Raised> {
    if task.start_code.is_start() {
        let name = task.terminal_name();
        return match Control::of(task.region).next_relay(name) {
            Some(relay) => relay::serve(task, &relay),
            None => Ok(()),
        };
    }
    let answer = match operands(task)? {
        Some((name, on)) => switch_terminal(task, &name, on)?,
        None => INVALID.to_string(),
    };
    panel::last_word(task, &answer)
}

/// The program of CEDX and CEDY.
pub fn edx(task: &mut Task) -> Result<(), Raised> {
    let answer = match operands(task)? {
        Some((name, on)) if !name.is_empty() => switch_transaction(task, &name, on)?,
        _ => INVALID.to_string(),
    };
    panel::last_word(task, &answer)
}

const INVALID: &str = "THE COMMAND IS NOT VALID";

/// `NAME,ON`: the name, and whether EDF is switched on.
fn operands(task: &mut Task) -> Result<Option<(String, bool)>, Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    Ok(parsed(&typed))
}

fn parsed(typed: &str) -> Option<(String, bool)> {
    let (name, option) = typed.split_once(',').unwrap_or((typed, "ON"));
    let on = match option.trim().to_ascii_uppercase().as_str() {
        "ON" => true,
        "OFF" => false,
        _ => return None,
    };
    let name = name.trim();
    (name.len() <= Name4::BLANK.as_bytes().len() && !name.contains(' ')).then(|| (name.to_string(), on))
}

fn mode(on: bool) -> &'static str {
    if on { "EDF MODE ON" } else { "EDF MODE OFF" }
}

/// CEDG and CEDY.
fn is_read_only(task: &Task) -> bool {
    ["CEDG", "CEDY"].contains(&task.transid.as_str())
}

fn switch_terminal(task: &mut Task, name: &str, on: bool) -> Result<String, Raised> {
    let own = facility(task)?;
    let found = match name {
        "" => Some(own.clone()),
        name => [name.to_string(), name.to_ascii_uppercase()].iter().find_map(|name| task.region.terminals.find(Name4::new(name))),
    };
    let Some(tested) = found else {
        return Ok(format!("{name} IS NO TERMINAL OF THIS REGION. SYSTEMS AND SESSIONS CANNOT BE TESTED"));
    };
    let is_own = tested.name() == own.name();
    if display_of(&*tested).is_none_or(|display| display.capabilities.printer) {
        return Ok(format!("TERMINAL {}: IS NO DISPLAY", tested.name()));
    }
    if on && !is_own && !is_transceive(display(&*own)?) {
        return Ok(NOT_TRANSCEIVE.to_string());
    }
    let whose = if is_own { "THIS TERMINAL".to_string() } else { format!("TERMINAL {}", tested.name()) };
    Ok(format!("{whose}: {}", switch(task, Subject::Terminal(tested.name()), on)))
}

const NOT_TRANSCEIVE: &str = "THIS TERMINAL: IS NOT IN TRANSCEIVE STATUS";

/// A task can be started at the terminal, and input from it starts one.
fn is_transceive(display: &DisplayTerminal) -> bool {
    let service = display.service();
    service.ati && service.tti
}

fn switch_transaction(task: &mut Task, name: &str, on: bool) -> Result<String, Raised> {
    let names = [name.to_string(), name.to_ascii_uppercase()];
    let Some(transaction) = names.iter().find_map(|name| task.region.transactions().find(Name4::new(name))) else {
        return Ok(format!("TRANSACTION {name}: IS NOT DEFINED"));
    };
    let definition = transaction.definition();
    if is_supplied(&definition) {
        return Ok(format!("TRANSACTION {}: IS SUPPLIED AND CANNOT BE TESTED", definition.name));
    }
    if on && !is_transceive(display(&*facility(task)?)?) {
        return Ok(NOT_TRANSCEIVE.to_string());
    }
    Ok(format!("TRANSACTION {}: {}", definition.name, switch(task, Subject::Transaction(definition.name), on)))
}

/// Switches EDF on or off; what the terminal says of it.
fn switch(task: &Task, subject: Subject, on: bool) -> String {
    let control = Control::of(task.region);
    if !on {
        control.switch_off(subject);
        return mode(on).to_string();
    }
    match control.switch_on(task.region, subject, Watch { screen: task.terminal_name(), read_only: is_read_only(task) }) {
        Ok(()) => mode(on).to_string(),
        Err(screen) => format!("IS TESTED AT TERMINAL {screen}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_is_the_default_and_the_comma_comes_first() {
        let of = |name: &str, on| Some((name.to_string(), on));
        assert_eq!(parsed(""), of("", true));
        assert_eq!(parsed(",OFF"), of("", false));
        assert_eq!(parsed(", on"), of("", true));
        assert_eq!(parsed("T001"), of("T001", true));
        assert_eq!(parsed("T001,OFF"), of("T001", false));
        for wrong in ["T001,MAYBE", "T0001", "T1 T2", "T1,ON,ON"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
