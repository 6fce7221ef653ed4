//! Defined terminals without a session: their definition is installed, and their client has not connected or has gone.
//!
//! Invariants: a TERMINAL that is not only a model and not a console is in the region's list from its installation to its discard, as one of
//! these or as the display of its session; what lasts beyond a session (`Lasting`) goes from one to the other. A task started at such a terminal
//! waits until its client connects.

use super::autoinstall;
use super::display::{Service, display_of};
use csd::{Definition, TerminalDefinition, TypetermDefinition};
use parking_lot::Mutex;
use region::extensions::UserToken;
use region::facility::{NextTransaction, Partner, StartForTerminal, Terminal, TerminalAttributes};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::storage_access::Area;
use region::{Region, StartData, Task};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a defined terminal keeps between sessions.
pub struct Lasting {
    pub user_area: Area,
    pub service: Service,
    /// Tasks that wait for it.
    pub starts: VecDeque<StartForTerminal>,
}

impl Lasting {
    pub fn new(region: &Region, typeterm: &TypetermDefinition, terminal: Option<&TerminalDefinition>) -> Self {
        let user_area = autoinstall::user_area(region, typeterm.user_area_bytes);
        Self { user_area, service: Service::of(typeterm, terminal), starts: VecDeque::new() }
    }
}

pub struct ReleasedTerminal {
    region: &'static Region,
    definition: TerminalDefinition,
    pub typeterm: TypetermDefinition,
    /// `None`: a session has taken it.
    lasting: Mutex<Option<Lasting>>,
}

/// The terminal, if it is one without a session.
pub fn released_of(terminal: &dyn Terminal) -> Option<&ReleasedTerminal> {
    terminal.as_any().downcast_ref::<ReleasedTerminal>()
}

/// Puts an installed terminal into the list of the region. One with a session stays as it is until that ends.
pub fn install(region: &'static Region, definition: &Definition) {
    let definition = TerminalDefinition::from(definition);
    if definition.model_only || !definition.console.is_blank() {
        return;
    }
    let typeterm = autoinstall::typeterm(region, definition.typeterm);
    let earlier = region.terminals.find(definition.name);
    if earlier.as_deref().is_some_and(|earlier| display_of(earlier).is_some()) {
        return;
    }
    let fresh = Lasting::new(region, &typeterm, Some(&definition));
    let lasting = match earlier.as_deref().and_then(released_of).and_then(ReleasedTerminal::take) {
        Some(kept) => {
            free(region, kept.user_area);
            Lasting { starts: kept.starts, ..fresh }
        }
        None => fresh,
    };
    let name = definition.name;
    region.terminals.swap(name, Some(Arc::new(ReleasedTerminal { region, definition, typeterm, lasting: Mutex::new(Some(lasting)) })));
}

/// A terminal whose session has ended; `None` if its definition is not installed any more.
pub fn after_session(region: &'static Region, name: Name4, lasting: Lasting) -> Result<Arc<dyn Terminal>, Lasting> {
    let installed = region.installed.read().get("TERMINAL", name.as_str().trim_end()).map(TerminalDefinition::from);
    let Some(definition) = installed.filter(|definition| !definition.model_only && definition.console.is_blank()) else {
        return Err(lasting);
    };
    let typeterm = autoinstall::typeterm(region, definition.typeterm);
    Ok(Arc::new(ReleasedTerminal { region, definition, typeterm, lasting: Mutex::new(Some(lasting)) }))
}

/// Gives the storage of a user area back.
pub fn free(region: &Region, user_area: Area) {
    if user_area.length > 0 {
        let _ = region.storage.freemain_shared(user_area.address);
    }
}

impl ReleasedTerminal {
    /// A session begins, or the definition is replaced or discarded.
    pub fn take(&self) -> Option<Lasting> {
        self.lasting.lock().take()
    }

    pub fn service(&self) -> Option<Service> {
        self.lasting.lock().as_ref().map(|lasting| lasting.service)
    }

    pub fn change_service(&self, change: impl FnOnce(&mut Service)) {
        if let Some(lasting) = &mut *self.lasting.lock() {
            change(&mut lasting.service);
        }
    }

    pub fn cancel_starts(&self) {
        if let Some(lasting) = &mut *self.lasting.lock() {
            lasting.starts.clear();
        }
    }

    pub fn definition(&self) -> &TerminalDefinition {
        &self.definition
    }
}

impl Partner for ReleasedTerminal {
    fn name(&self) -> Name4 {
        self.definition.name
    }

    fn user_id(&self) -> Name8 {
        if self.definition.user_id.is_blank() { self.region.default_user } else { self.definition.user_id }
    }

    // It has no tasks.
    fn task_started(&self, _: &Task) {}

    fn task_ended(&self, _: &mut Task, _: Option<&Message>) {}

    fn task_restarts(&self) {}

    fn not_started(&self, _: &Message) {}

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Terminal for ReleasedTerminal {
    fn netname(&self) -> Name8 {
        self.definition.netname
    }

    fn has_session(&self) -> bool {
        false
    }

    /// As the definition says: the client may have more.
    fn attributes(&self) -> TerminalAttributes {
        let typeterm = &self.typeterm;
        let yes = |attribute: &str| typeterm.definition.is(attribute, "YES");
        TerminalAttributes {
            alternate_screen: typeterm.alternate_screen,
            extended_data_stream: typeterm.extended_data_stream,
            color: typeterm.color,
            highlight: typeterm.highlight,
            programmed_symbols: yes("PROGSYMBOLS"),
            validation: yes("VALIDATION"),
            outline: yes("OUTLINE"),
            sosi: yes("SOSI"),
            background_transparency: yes("BACKTRANS"),
            partitions: yes("PARTITIONS"),
            typeterm: typeterm.name,
            priority: self.service().map_or(0, |service| service.priority),
            term_code: autoinstall::term_code(false, autoinstall::is_printer_device(&typeterm.device)),
            uppercase: typeterm.uppercase,
            ..autoinstall::attributes_of(typeterm)
        }
    }

    fn is_signed_on(&self) -> bool {
        false
    }

    fn is_preset(&self) -> bool {
        !self.definition.user_id.is_blank()
    }

    fn idle_at(&self, _now: Instant) -> Option<Duration> {
        None
    }

    /// Nobody is signed on.
    fn good_night(&self) {}

    fn is_traced_specially(&self) -> bool {
        self.service().is_some_and(|service| service.special_tracing)
    }

    fn sign_on(&self, _: Name8, _: Option<UserToken>) {}

    fn sign_off(&self) {}

    fn user_area(&self) -> Area {
        self.lasting.lock().as_ref().map_or(Area::new(0, 0), |lasting| lasting.user_area)
    }

    fn set_next_transaction(&self, _: Option<NextTransaction>) {}

    fn next_transid(&self) -> Option<Name4> {
        None
    }

    fn start(&self, start: StartForTerminal) {
        let mut lasting = self.lasting.lock();
        match &mut *lasting {
            Some(lasting) => lasting.starts.push_back(start),
            None => {
                drop(lasting);
                // A session has begun meanwhile: its display is in the list now.
                if let Some(terminal) = self.region.terminals.find(self.definition.name).filter(|terminal| terminal.has_session()) {
                    terminal.start(start);
                }
            }
        }
    }

    fn take_start_data(&self, _: Name4) -> Option<StartData> {
        None
    }

    fn starts_queued(&self) -> Vec<Name4> {
        self.lasting.lock().as_ref().map_or(Vec::new(), |lasting| lasting.starts.iter().map(|start| start.transid).collect())
    }

    fn task_number(&self) -> Option<u32> {
        None
    }

    fn show(&self, _: &Message) {}

    fn quiesce(&self, _: &Message) {}

    fn end_session(&self) {}

    fn attention_key(&self) -> Option<&'static str> {
        None
    }
}
