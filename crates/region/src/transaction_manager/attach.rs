//! Attach: from a request to a running task.

use super::association;
use super::attach_exit;
use super::supplied::{absent, instead_of, is_supplied};
use crate::control_blocks::application::TaskContexts;
use crate::control_blocks::recycled::Recycled;
use crate::control_blocks::task::PublishedName;
use crate::control_blocks::tracing;
use crate::facility::Facility;
use crate::name::{Name4, Name8};
use crate::slots::Block;
use crate::storage_access::{self, Area};
use crate::{
    Abend, AbendInformation, AttachFailure, AttachReason, AttachRequest, Conversation, Eib, Region, StartCode, Task, TaskShared,
    Transaction,
};
use csd::{Runaway, TransactionDefinition};
use kernel::storage::{Getmain, Key, Line, TaskElements};
use kernel::trace::{self, Value, points};
use kernel::{AttachError, RunState, Subspace, TaskRef};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Region {
    /// Attaches a task; its number is returned at once, before it runs.
    pub fn attach(&'static self, request: AttachRequest) -> Result<u32, AttachFailure> {
        let (transid, start_code) = (request.transid, request.start_code);
        trace::point_with(&points::XM_ATTACH_ENTRY, || {
            [Value::Text("ATTACH"), Value::Text(transid.as_str()), Value::Text(start_code.text())]
        });
        let attached = self.attach_task(request);
        trace::point_with(&points::XM_ATTACH_EXIT, || match &attached {
            Ok(number) => [Value::Text("ATTACH"), Value::Text("OK"), Value::Number((*number).into())],
            Err(_) => [Value::Text("ATTACH"), Value::Text("EXCEPTION"), Value::Number(0)],
        });
        attached
    }

    fn attach_task(&'static self, mut request: AttachRequest) -> Result<u32, AttachFailure> {
        let Some(transaction) = self.transactions().find(request.transid) else {
            return Err(self.refuse(&request, AttachReason::Unknown, "DFHAC2001"));
        };
        let definition = transaction.definition();
        let is_system = request.start_code == StartCode::System;
        if transaction.is_withheld() {
            return Err(self.refuse(&request, AttachReason::Disabled, "DFHAC2008"));
        }
        if let Some((reason, id)) = self.refusal(&definition, is_system) {
            return Err(self.refuse(&request, reason, id));
        }
        if !is_system && let Some(authority) = self.extensions.authority() {
            match authority.attaches(self, &request, user_of(self, &request), &definition) {
                Ok(token) => request.token = token,
                Err(_) => return Err(self.refuse(&request, AttachReason::NotAuthorized, "DFHAC2033")),
            }
        }
        let priority = definition.priority.saturating_add(request.facility.priority());
        let transid = request.transid;
        let runaway = match definition.runaway {
            Runaway::System => None,
            Runaway::None => Some(Duration::ZERO),
            Runaway::Milliseconds(milliseconds) => Some(Duration::from_millis(u64::from(milliseconds))),
        };
        let class = self.class_of(&definition);
        let purgeable = definition.system_purge;
        let facility = request.facility.clone();
        let pending = Pending { transaction, definition, request };
        let code = Arc::new(TaskCode { region: self, transid, facility, pending: Mutex::new(Some(pending)) });
        let mut attach = kernel::AttachRequest::with_code(transid.as_str(), code.clone());
        attach.class = class;
        attach.priority = priority;
        attach.system = is_system;
        attach.purgeable = purgeable;
        attach.runaway = runaway;
        match self.dispatcher.attach(attach) {
            Ok(task) => {
                if matches!(task.state(), RunState::QueuedForClass | RunState::QueuedForMaxTasks) {
                    self.transactions().register_queued(task.number(), || code.held_back(&task));
                }
                Ok(task.number())
            }
            Err(error) => {
                let pending = code.pending.lock().take();
                let request = pending.map_or_else(|| AttachRequest::new(transid, StartCode::System), |pending| pending.request);
                let (reason, id) = match error {
                    AttachError::ClassQueueFull => (AttachReason::ClassFull, "DFHAC2038"),
                    AttachError::UnknownClass | AttachError::Stopping => (AttachReason::ShuttingDown, "DFHAC2009"),
                };
                Err(self.refuse(&request, reason, id))
            }
        }
    }

    /// Why no task of the transaction may be attached, and the message that says so.
    #[inline]
    fn refusal(&self, definition: &TransactionDefinition, is_system: bool) -> Option<(AttachReason, &'static str)> {
        if absent(&self.registry, definition).is_some() {
            Some((AttachReason::Unknown, "DFHAC2900"))
        } else if !definition.enabled {
            Some((AttachReason::Disabled, "DFHAC2008"))
        } else if !self.is_local(definition.remote_system) {
            Some((AttachReason::Remote, "DFHAC2261"))
        } else if !is_system && is_internal(definition) {
            Some((AttachReason::Internal, "DFHAC2010"))
        } else if self.transactions().is_quiescing() && !definition.shutdown_enabled && !is_system {
            Some((AttachReason::ShuttingDown, "DFHAC2009"))
        } else {
            None
        }
    }

    /// The class to count the task in; a class that is not installed is none.
    fn class_of(&self, definition: &TransactionDefinition) -> Name8 {
        let name = definition.tranclass;
        if name.is_blank() || name.as_str() == "DFHTCL00" {
            return Name8::BLANK;
        }
        if self.transactions().class(name).is_none() {
            let values = [("tranclass", name.as_str()), ("transid", definition.name.as_str())];
            self.messages.send("DFHXM0212", &values);
            return Name8::BLANK;
        }
        name
    }

    fn refuse(&self, request: &AttachRequest, reason: AttachReason, id: &'static str) -> AttachFailure {
        let definition = self.transactions().find(request.transid).map(|transaction| transaction.definition());
        let tranclass = definition.as_ref().map(|definition| definition.tranclass.to_string()).unwrap_or_default();
        let what = definition.as_ref().and_then(|definition| absent(&self.registry, definition)).unwrap_or_default();
        // Only a key was pressed, and it names no transaction.
        let pressed = request.facility.terminal().filter(|_| request.transid.is_blank()).and_then(|terminal| terminal.attention_key());
        let key = pressed.map(|name| format!(" {} was pressed, and no transaction is named.", name.trim_start_matches("DFH")));
        let terminal = request.facility.terminal().map(|terminal| terminal.name()).unwrap_or_default();
        let values = [
            ("transid", request.transid.as_str()),
            ("termid", terminal.as_str()),
            ("tranclass", &tranclass),
            ("what", what),
            ("instead", &instead_of(request.transid.as_str())),
            ("key", &key.unwrap_or_default()),
        ];
        AttachFailure { reason, message: self.messages.send(id, &values) }
    }
}

/// Program levels that a task has room for at first.
const LEVELS_AT_FIRST: usize = 2;

/// Transactions of category 1 that the region has: "They are for CICS internal use only, and must not be started from a user terminal"
/// (RACF security, "Category 1 transactions"). An application's own program may have the identifier.
const INTERNAL: [&str; 8] = ["CATA", "CATD", "CFCL", "CPLT", "CSNE", "CSAC", "CRSY", "CSSY"];

fn is_internal(definition: &TransactionDefinition) -> bool {
    INTERNAL.contains(&definition.name.as_str()) && is_supplied(definition)
}

/// What the kernel runs as a task.
struct TaskCode {
    region: &'static Region,
    transid: Name4,
    facility: Facility,
    /// Until the task runs.
    pending: Mutex<Option<Pending>>,
}

impl TaskCode {
    /// What others may see of the task while it is held back; nothing once it runs or has been purged.
    fn held_back(&self, kernel: &TaskRef) -> Option<TaskShared> {
        let pending = self.pending.lock();
        let Pending { definition, request, .. } = pending.as_ref()?;
        Some(shared_part(self.region, kernel, definition, request, TaskElements::default()))
    }
}

struct Pending {
    transaction: Arc<Transaction>,
    definition: Arc<TransactionDefinition>,
    request: AttachRequest,
}

impl kernel::Code<kernel::Task> for TaskCode {
    fn run(&self, _: &kernel::Task) {
        let Some(kernel) = kernel::current() else { return };
        let Some(mut pending) = self.pending.lock().take() else { return };
        self.region.transactions().unregister_queued(kernel.number());
        let mut task = new_task(self.region, kernel, &mut pending);
        let response = if run(&mut task, &mut pending.request) { "OK" } else { "ABENDED" };
        trace::point(&points::AP_TRANSACTION_ENDS, &[Value::Text("TRANSACTION_TERMINATION"), Value::Text(response)]);
        trace::point(&points::KE_TASK_EXIT, &[Value::Text("START_TASK"), Value::Text(response)]);
    }

    fn ended(&self, task: &kernel::Task) {
        let (messages, transid) = (&self.region.messages, self.transid);
        let partner = self.facility.partner();
        if task.has_panicked() {
            // The region's own code failed: the task has not ended by itself.
            self.region.transactions().unregister(task.number());
            let message = messages.send("DFHAC2206", &[("transid", transid.as_str()), ("abcode", "ASRB")]);
            if let Some(partner) = partner {
                partner.task_failed(&message);
            }
        } else if self.pending.lock().take().is_some() {
            self.region.transactions().unregister_queued(task.number());
            let message = messages.send("DFHAC2262", &[("transid", transid.as_str())]);
            if let Some(partner) = partner {
                partner.not_started(&message);
            }
        }
    }
}

/// The task is traced as its transaction and its terminal say.
fn begin_trace(task: &Task) {
    task.kernel.set_traced_terminal(task.terminal_name());
    task.kernel.set_tracing(tracing::of_task(&task.definition, &task.facility));
    trace::point(&points::KE_TASK_ENTRY, &[Value::Text("START_TASK")]);
    trace::point_with(&points::AP_TRANSACTION_BEGINS, || {
        let [program, user_id] = [&task.definition.program, &task.user_id].map(|name| Value::Text(name.as_str()));
        [Value::Text("TRANSACTION_INITIALIZATION"), program, Value::Text(task.start_code.text()), user_id]
    });
}

/// The control blocks of the task. A function of its own, because what it moves about would otherwise take kilobytes of the task's stack as long
/// as the task lives.
#[inline(never)]
fn new_task(region: &'static Region, kernel: TaskRef, pending: &mut Pending) -> Recycled<Task> {
    let Pending { transaction, definition, request } = pending;
    transaction.attaches.fetch_add(1, Ordering::Relaxed);
    let number = kernel.number();
    let mut storage = region.storage.task(number);
    let shared = Arc::new(shared_part(region, &kernel, definition, request, storage.shared_elements()));
    let (user_id, unit_of_work) = (shared.user_id, shared.unit_of_work.clone());
    region.transactions().register(shared.clone());
    if region.transaction_isolation
        && let Some(subspace) = if definition.isolate { Subspace::unique() } else { Subspace::common() }
    {
        storage.isolate(subspace);
    }
    Recycled::new(Task {
        region,
        number,
        transid: request.transid,
        transaction: transaction.clone(),
        definition: definition.clone(),
        shared,
        user_id,
        start_code: request.start_code,
        restart: request.for_restart(region, definition.restart),
        facility: std::mem::take(&mut request.facility),
        queue: request.queue,
        restarts: request.restarts,
        storage,
        eib: Eib::new(),
        twa: Area::new(0, 0),
        levels: Vec::with_capacity(LEVELS_AT_FIRST),
        pending_abend: None,
        abend_information: AbendInformation::default(),
        next_transaction: None,
        aid_received: None,
        frame: None,
        line: 0,
        command: None,
        performance: Default::default(),
        gauge: None,
        recovery: crate::UnitOfWorkState::new(unit_of_work),
        handler_levels: Vec::new(),
        parts: Block::new(),
        conversation: Conversation { initial_input: request.input.take(), ..Conversation::default() },
        restarting: false,
        kernel,
    })
}

/// The body of a task, from its first trace entry to its termination; true if it has not abended.
fn run(task: &mut Task, request: &mut AttachRequest) -> bool {
    begin_trace(task);
    let region = task.region;
    if let Some(entry_point) = task.transaction.entry_point() {
        task.shared.contexts.enter(&entry_point);
    }
    for attached in region.registry.tasks_attached() {
        attached(task, request);
    }
    if let Some(partner) = task.facility.partner() {
        partner.task_started(task);
    }
    let initialized = task.initialize(&request.commarea).and_then(|commarea| match attach_exit::changes_transaction(task)? {
        true => task.initialize(&request.commarea),
        false => Ok(commarea),
    });
    let ended = initialized.and_then(|commarea| {
        association::correlate(task)?;
        region.registry.tasks_begin().iter().for_each(|begins| begins(task));
        region.extensions.tell(|observer| observer.task_begins(task));
        let program = task.definition.program;
        region.registry.run_first_program()(task, program, commarea, request.channel.take())
    });
    let is_good = ended.is_ok();
    task.terminate(ended);
    is_good
}

/// The user of the task: that of the request, of its facility, or the default user.
fn user_of(region: &Region, request: &AttachRequest) -> Name8 {
    match (request.facility.partner(), request.user_id.is_blank()) {
        (_, false) => request.user_id,
        (Some(partner), true) => partner.user_id(),
        (None, true) => region.default_user,
    }
}

/// What others may see of the task.
#[inline]
fn shared_part(
    region: &Region,
    kernel: &TaskRef,
    definition: &Arc<TransactionDefinition>,
    request: &AttachRequest,
    elements: TaskElements,
) -> TaskShared {
    TaskShared {
        number: kernel.number(),
        transid: request.transid,
        kernel: parking_lot::Mutex::new(Some(kernel.clone())),
        facility: request.facility.clone(),
        user_id: user_of(region, request),
        start_code: request.start_code,
        definition: definition.clone(),
        program: PublishedName::new(definition.program),
        db2_plan: PublishedName::new(Name8::BLANK),
        queue: request.queue,
        ancestry: request.ancestry.clone(),
        contexts: TaskContexts::inherited(request.ancestry.as_ref().and_then(|ancestry| ancestry.contexts.as_ref())),
        user_correlation: Default::default(),
        requested_abend: Default::default(),
        system_rules: Default::default(),
        unit_of_work: Arc::default(),
        elements,
    }
}

impl Task {
    /// Gives the task its storage: EIB, TWA, communication area.
    fn initialize(&mut self, commarea: &[u8]) -> Result<Area, Abend> {
        let (time, date) = crate::clock::eib_time_and_date();
        let (line, key) = (self.data_line(), self.data_key());
        let code_page = &self.region.code_page;
        use exec::eib;
        self.eib.set_packed(eib::EIBTIME, time);
        self.eib.set_packed(eib::EIBDATE, date);
        self.eib.set_name(eib::EIBTRNID, &self.transid, code_page);
        self.eib.set_packed(eib::EIBTASKN, self.number);
        let terminal = self.terminal_name();
        if self.facility.terminal().is_some() {
            self.eib.set_name(eib::EIBTRMID, &terminal, code_page);
        }
        self.eib.set_half(eib::EIBCALEN, commarea.len() as u16);
        let eib_address = self.own_storage(Eib::STORAGE_LENGTH, line, key, Some(0))?;
        self.eib.place(eib_address);
        self.eib.flush().map_err(|_| Abend::new("AKEA"))?;
        let twa_bytes = self.definition.twa_bytes as usize;
        if twa_bytes > 0 {
            self.twa = Area::new(self.own_storage(twa_bytes, line, key, Some(0))?, twa_bytes);
        }
        if commarea.is_empty() {
            return Ok(Area::new(0, 0));
        }
        let address = self.own_storage(commarea.len(), line, key, None)?;
        storage_access::write(address, commarea).map_err(|_| Abend::new("AKEA"))?;
        Ok(Area::new(address, commarea.len()))
    }

    fn own_storage(&mut self, length: usize, line: Line, key: Key, initial: Option<u8>) -> Result<usize, Abend> {
        self.getmain(Getmain { length, line, key, initial }, false).map_err(|_| Abend::new("AKEA").because("no storage for the task"))
    }
}
