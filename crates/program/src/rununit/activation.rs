//! Activations: frames and storage of the programs of a run unit.
//!
//! `unsafe` here reads and writes frames and storage that this unit has obtained and not yet given back: see the parent module.

use super::*;
use crate::abi::{FRAME_HEAD_LENGTH, frame_flags};
use crate::module::{AreaImage, ProgramInfo};
use le::Session;

/// Bytes kept free before and behind program storage: inline decimal code reads up to 8 bytes before a field, and a program that
/// runs a little over its storage damages nothing.
const CHECK_ZONE: u32 = 16;

/// A program's frame and its storage.
pub struct Activation {
    pub module: Arc<Module>,
    pub program: usize,
    pub(super) session: Session,
    /// The frame: it never moves while the activation lives.
    memory: kernel::UserMemory,
    /// The WORKING-STORAGE that was obtained; (0, 0) for an activation that shares the primary one's.
    working: (u32, u32),
    local: (u32, u32),
    /// Code, static and stack of a program written in C.
    pub(super) copy: Option<super::c::ProgramCopy>,
    /// Address of the argument block of the last command, which a program written in C has on its own stack; 0: none yet.
    pub(super) command_at: std::cell::Cell<usize>,
}

impl Activation {
    /// # Safety
    /// `frame` is a frame of a live activation.
    pub(super) unsafe fn of<'a>(frame: *mut Frame) -> &'a Activation {
        &*(*frame).program.cast::<Activation>()
    }

    unsafe fn of_mut<'a>(frame: *mut Frame) -> &'a mut Activation {
        &mut *(*frame).program.cast::<Activation>().cast_mut()
    }

    pub fn info(&self) -> &ProgramInfo {
        &self.module.programs[self.program]
    }

    /// Where the program's code is entered.
    pub(super) unsafe fn entry(&self, context: *mut Context, frame: *mut Frame) -> crate::abi::Entry {
        match (&self.copy, &self.module.c) {
            (Some(copy), Some(c)) => copy.enter(c, context, frame),
            _ => self.module.entry(self.program),
        }
    }

    pub(super) fn frame(&mut self) -> *mut Frame {
        self.memory.as_ptr().cast()
    }

    fn is(&self, module: &Arc<Module>, program: usize) -> bool {
        self.program == program && Arc::ptr_eq(&self.module, module)
    }
}

impl RunUnit {
    /// The program's frame, ready to be entered: marked active, its storage in the state the language prescribes.
    pub(super) fn activate(&mut self, module: &Arc<Module>, program: usize, caller: *mut Frame) -> Result<*mut Frame, Departure> {
        use crate::module::attributes;
        use crate::requests::failure;
        let frame = match self.activations.iter().position(|known| known.is(module, program)) {
            None => self.make_primary(module, program)?,
            Some(at) => {
                let frame = self.activations[at].frame();
                let info = &module.programs[program];
                let active = unsafe { (*frame).flags } & frame_flags::ACTIVE != 0;
                if active && info.attributes & attributes::RECURSIVE == 0 {
                    return Err(Departure::Abend(Box::new(kernel::Abend::new("4038", u64::from(failure::RECURSION)))));
                }
                if active {
                    self.make_recursive(module, program, frame)
                } else {
                    if info.attributes & attributes::INITIAL != 0 {
                        unsafe { fill(module, &info.working_storage, (*frame).working_storage) };
                        self.apply_fixups(frame);
                    }
                    frame
                }
            }
        };
        self.take_local_storage(frame)?;
        unsafe {
            (*frame).caller = caller;
            (*frame).flags |= frame_flags::ACTIVE | frame_flags::USED;
        }
        Ok(frame)
    }

    fn make_primary(&mut self, module: &Arc<Module>, program: usize) -> Result<*mut Frame, Departure> {
        let copy = match &module.c {
            Some(c) => Some(super::c::ProgramCopy::take(self, module, c)?),
            None => None,
        };
        let info = &module.programs[program];
        let length = info.working_storage.length + 2 * CHECK_ZONE;
        let address = self.host().getmain(length)?;
        let utc_offset = self.host().utc_offset_seconds();
        let mut activation = self.new_activation(module, program, utc_offset);
        activation.working = (address, length);
        activation.copy = copy;
        if info.attributes & crate::module::attributes::TEST != 0 {
            self.start_watching();
        }
        let frame = activation.frame();
        let parent = info
            .parent
            .and_then(|parent| self.activations.iter_mut().find(|known| known.is(module, parent as usize)).map(|known| known.frame()));
        unsafe {
            (*frame).outer = parent.unwrap_or(std::ptr::null_mut());
            (*frame).working_storage = (address + CHECK_ZONE) as u64;
            fill(module, &info.working_storage, (*frame).working_storage);
        }
        self.activations.push(activation);
        self.connect_external(frame)?;
        self.apply_fixups(frame);
        Ok(frame)
    }

    fn make_recursive(&mut self, module: &Arc<Module>, program: usize, primary: *mut Frame) -> *mut Frame {
        let utc_offset = unsafe { Activation::of(primary) }.session.utc_offset_seconds;
        let mut activation = self.new_activation(module, program, utc_offset);
        let frame = activation.frame();
        unsafe {
            (*frame).outer = (*primary).outer;
            (*frame).working_storage = (*primary).working_storage;
            (*frame).flags = frame_flags::RELEASE;
        }
        for external in &module.programs[program].external {
            unsafe { *word_at(frame, external.frame_offset) = *word_at(primary, external.frame_offset) };
        }
        self.recursive.push(activation);
        frame
    }

    fn new_activation(&mut self, module: &Arc<Module>, program: usize, utc_offset_seconds: i32) -> Box<Activation> {
        let info = &module.programs[program];
        let spare = self.spare.iter().position(|spare| spare.is(module, program));
        let mut activation = match spare {
            Some(at) => {
                let mut spare = self.spare.swap_remove(at);
                spare.memory.zero();
                spare
            }
            None => Box::new(Activation {
                module: module.clone(),
                program,
                session: session_of(module, info),
                memory: kernel::UserMemory::zeroed(info.frame_length.max(FRAME_HEAD_LENGTH) as usize),
                working: (0, 0),
                local: (0, 0),
                copy: None,
                command_at: std::cell::Cell::default(),
            }),
        };
        activation.command_at.set(0);
        activation.session.utc_offset_seconds = utc_offset_seconds;
        activation.session.random = &mut *self.random;
        // The task's own word: a run unit never moves to another task.
        activation.session.attention = kernel::guard::attention_word();
        activation.session.stop_bits = kernel::attention::STOPS;
        let (session, owner): (*const Session, *const Activation) = (&activation.session, &*activation);
        let frame = activation.frame();
        unsafe {
            (*frame).unit = self.header.address();
            (*frame).session = session;
            (*frame).program = owner.cast();
            (*frame).eib = self.invocation.eib;
            (*frame).commarea = self.invocation.commarea;
            (*frame).commarea_length = self.invocation.commarea_length;
            (*frame).argument_capacity = info.argument_capacity;
        }
        for record in &info.linkage {
            unsafe { *word_at(frame, record.frame_offset) = crate::abi::NULL_BASE };
        }
        activation
    }

    fn take_local_storage(&mut self, frame: *mut Frame) -> Result<(), Departure> {
        let activation = unsafe { Activation::of_mut(frame) };
        if activation.info().local_storage.length == 0 {
            return Ok(());
        }
        let module = activation.module.clone();
        let area = &module.programs[activation.program].local_storage;
        let length = area.length + 2 * CHECK_ZONE;
        let address = self.host().getmain(length)?;
        activation.local = (address, length);
        unsafe {
            (*frame).local_storage = (address + CHECK_ZONE) as u64;
            (*frame).flags |= frame_flags::RELEASE;
            fill(&module, area, (*frame).local_storage);
        }
        Ok(())
    }

    /// Releases storage that belongs only to this activation.
    pub(super) fn deactivate(&mut self, frame: *mut Frame) {
        let activation = unsafe { Activation::of_mut(frame) };
        unsafe { (*frame).flags &= !frame_flags::ACTIVE };
        let (address, length) = std::mem::take(&mut activation.local);
        if length != 0 {
            self.host().freemain(address, length);
        }
        if let Some(at) = self.recursive.iter().position(|known| std::ptr::eq(&**known, activation)) {
            let ended = self.recursive.swap_remove(at);
            self.spare.push(ended);
        }
    }

    /// End the programs called by this frame and mark it active again.
    pub(super) fn unwind_to(&mut self, frame: *mut Frame) {
        let mut current = self.header.current;
        while !current.is_null() && current != frame {
            let caller = unsafe { (*current).caller };
            self.deactivate(current);
            current = caller;
        }
        self.header.current = frame;
        unsafe { (*frame).flags |= frame_flags::ACTIVE };
    }

    /// Drops a program's last-used state (CANCEL). An active program cannot be cancelled.
    pub(super) fn forget(&mut self, module: &Arc<Module>, program: usize) {
        let Some(at) = self.activations.iter().position(|known| known.is(module, program)) else {
            return;
        };
        if unsafe { (*self.activations[at].frame()).flags } & frame_flags::ACTIVE != 0 {
            return;
        }
        let activation = self.activations.remove(at);
        self.release(activation);
        self.header.generation += 1;
    }

    pub(super) fn release_all(&mut self) {
        self.end_parses();
        for activation in std::mem::take(&mut self.recursive) {
            self.release(activation);
        }
        // The list keeps its memory: every run fills it again.
        let mut activations = std::mem::take(&mut self.activations);
        for activation in activations.drain(..) {
            self.release(activation);
        }
        self.activations = activations;
        if !self.external.is_empty() {
            for (_, (address, length)) in std::mem::take(&mut self.external) {
                self.host().freemain(address, length);
            }
        }
        self.scratch_areas.clear();
        if !self.allocated.is_empty() {
            for (address, length) in std::mem::take(&mut self.allocated) {
                self.host().freemain(address, length);
            }
        }
        if self.enclave.is_changed() {
            for (address, length) in self.enclave.environment.take_storage() {
                self.host().freemain(address, length);
            }
        }
        if !self.sorts.is_empty() {
            self.sorts.clear();
        }
        // A few frames are kept for the next run; they must not keep an unloaded module alive.
        self.spare.truncate(8);
    }

    fn release(&mut self, mut activation: Box<Activation>) {
        if activation.copy.is_some() {
            activation.copy = None;
        }
        for (address, length) in [std::mem::take(&mut activation.working), std::mem::take(&mut activation.local)] {
            if length != 0 {
                self.host().freemain(address, length);
            }
        }
        self.spare.push(activation);
    }

    fn connect_external(&mut self, frame: *mut Frame) -> Result<(), Departure> {
        let activation = unsafe { Activation::of(frame) };
        if activation.info().external.is_empty() {
            return Ok(());
        }
        let module = activation.module.clone();
        for record in &module.programs[activation.program].external {
            let address = match self.external.get(&record.name) {
                Some((address, _)) => *address,
                None => {
                    let length = record.length + 2 * CHECK_ZONE;
                    let address = self.host().getmain(length)?;
                    unsafe { std::ptr::write_bytes(address as usize as *mut u8, 0, length as usize) };
                    let image = module.image(&record.image);
                    let target = (address + CHECK_ZONE) as usize as *mut u8;
                    unsafe { std::ptr::copy_nonoverlapping(image.as_ptr(), target, image.len()) };
                    self.external.insert(record.name.clone(), (address, length));
                    address
                }
            };
            unsafe { *word_at(frame, record.frame_offset) = address + CHECK_ZONE };
        }
        Ok(())
    }

    /// Store the addresses that WORKING-STORAGE starts with.
    fn apply_fixups(&mut self, frame: *mut Frame) {
        let activation = unsafe { Activation::of(frame) };
        let base = unsafe { (*frame).working_storage };
        for fixup in &activation.info().fixups {
            let value = (base as u32 + fixup.target).to_be_bytes();
            unsafe { ((base + fixup.offset as u64) as *mut [u8; 4]).write_unaligned(value) };
        }
    }
}

/// A 32-bit word of the compiler's part of a frame.
pub(super) unsafe fn word_at(frame: *mut Frame, offset: u32) -> *mut u32 {
    frame.cast::<u8>().add(offset as usize).cast()
}

pub(super) unsafe fn fill(module: &Module, area: &AreaImage, address: u64) {
    let image = module.image(area);
    let target = address as *mut u8;
    std::ptr::copy_nonoverlapping(image.as_ptr(), target, image.len());
    std::ptr::write_bytes(target.add(image.len()), 0, area.length as usize - image.len());
}

/// The session a program's options ask for; its addresses point into the module's constants.
fn session_of(module: &Module, info: &ProgramInfo) -> Session {
    use crate::module::attributes;
    let options = &info.options;
    let code_page = le::code_page::by_ccsid(options.ccsid).unwrap_or(&le::code_page::CCSID_037);
    let constants = module.constants();
    let mut session = Session::new(code_page);
    session.edit_programs = constants[info.edit_programs as usize..].as_ptr();
    if info.collating != u32::MAX {
        session.collating = constants[info.collating as usize..].as_ptr().cast();
    }
    session.arith = if options.arith == 0 { le::Arith::Compat } else { le::Arith::Extend };
    session.trunc = match options.trunc {
        0 => le::Trunc::Std,
        1 => le::Trunc::Opt,
        _ => le::Trunc::Bin,
    };
    session.numproc = if options.numproc == 0 { le::Numproc::Pfd } else { le::Numproc::Nopfd };
    session.float_format = if options.float_format == 0 { le::FloatFormat::Hexadecimal } else { le::FloatFormat::Binary };
    session.display_sign_separate = info.attributes & attributes::SIGN_SEPARATE != 0;
    session.zones_kept = info.attributes & attributes::ZONES_KEPT != 0;
    session.signs_cleaned = info.attributes & attributes::SIGNS_CLEANED != 0;
    session.decimal_comma = info.attributes & attributes::DECIMAL_COMMA != 0;
    session.currency = options.currency;
    session.quote = options.quote;
    session
}
