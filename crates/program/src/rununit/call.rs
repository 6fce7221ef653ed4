//! CALL, CANCEL and entry addresses: from a name to a program to a frame.
//!
//! `unsafe` here links frames of this unit to each other: see the parent module.

use super::*;
use crate::abi::{CallCache, frame_flags};
use crate::module::attributes;
use crate::requests::{CallRequest, call_flags, call_outcome};
use le::callable::token::{CEE, Token};
use std::slice::from_raw_parts;

/// CEE3501S.
pub(super) const MODULE_NOT_FOUND: u16 = 3501;

/// Procedure and function pointers are tokens above this address, which no storage and no code has.
pub const POINTER_BASE: u32 = 0x7FF0_0000;

/// Store a caller's arguments in the callee's frame; those not passed are null.
pub(super) unsafe fn pass_arguments(frame: *mut Frame, arguments: &[u32]) {
    let capacity = (*frame).argument_capacity as usize;
    let slots = std::ptr::addr_of_mut!((*frame).arguments).cast::<u32>();
    for at in 0..capacity {
        *slots.add(at) = arguments.get(at).copied().unwrap_or(0);
    }
    (*frame).argument_count = arguments.len() as u32;
}

struct Target {
    module: Arc<Module>,
    program: usize,
    label: u32,
}

impl RunUnit {
    /// Resolves a CALL and prepares the callee's frame; null if there is nothing to enter.
    pub(crate) fn call(&mut self, caller: FrameId, request: &mut CallRequest) -> Result<*mut Frame, Departure> {
        let Some(target) = self.resolve(caller, request)? else {
            return Ok(std::ptr::null_mut());
        };
        let info = &target.module.programs[target.program];
        if target.module.c.is_some() && info.attributes & attributes::C_SUBPROGRAM == 0 {
            return Err(self.refuse_c(&info.name, "a C program with a main function is reached by EXEC CICS LINK or XCTL, not by CALL"));
        }
        let native = request.flags & call_flags::NATIVE != 0;
        if native && target.module.c.is_none() {
            let why = "a fetched program that is not in C is called through a pointer to a type with #pragma linkage(type, COBOL)";
            return Err(self.refuse_c(&info.name, why));
        }
        let frame = match self.activate(&target.module, target.program, caller.as_ptr()) {
            Ok(frame) => frame,
            Err(departure) => {
                self.note_call(caller);
                return Err(departure);
            }
        };
        let count = request.argument_count as usize;
        let arguments = if count == 0 { &[] } else { unsafe { from_raw_parts(request.arguments, count) } };
        unsafe { pass_arguments(frame, arguments) };
        request.entry = match self.is_guarded(&target.module, target.program) {
            true => self.guarded_entry_address(),
            false => unsafe { Activation::of(frame).entry(&mut self.context, frame) as usize },
        };
        // The registers are in the caller's stack, below 2 GB.
        request.entry_label = if native { request.arguments as u32 } else { target.label };
        self.header.current = frame;
        if target.module.c.is_none() {
            unsafe { self.remember(request, frame) };
        }
        Ok(frame)
    }

    /// Lets the call site enter the callee directly next time, if no preparation is needed for it.
    unsafe fn remember(&self, request: &CallRequest, frame: *mut Frame) {
        let activation = Activation::of(frame);
        let simple = (*frame).flags & frame_flags::RELEASE == 0
            && activation.info().attributes & (attributes::INITIAL | attributes::RECURSIVE) == 0
            && request.argument_count == (*frame).argument_capacity
            && request.flags & call_flags::POINTER == 0;
        let Some(cache) = request.cache.as_mut().filter(|_| simple) else {
            return;
        };
        let name =
            if request.flags & call_flags::DYNAMIC != 0 && request.name_length == 8 { *request.name.cast::<[u8; 8]>() } else { [0; 8] };
        *cache = CallCache {
            generation: self.header.generation,
            entry: Some(std::mem::transmute::<usize, crate::abi::Entry>(request.entry)),
            frame,
            name,
            entry_label: request.entry_label,
            reserved: 0,
        };
    }

    /// The statement that calls has been noted in its frame: an abend names it.
    fn note_call(&mut self, caller: FrameId) {
        let place = caller.call_place();
        self.last_line = place.map_or((0, 0), |place| (place.line, place.statement));
    }

    fn resolve(&mut self, caller: FrameId, request: &mut CallRequest) -> Result<Option<Target>, Departure> {
        let calling = caller.activation();
        if request.flags & call_flags::NESTED != 0 {
            return Ok(Some(Target { module: calling.module.clone(), program: request.program as usize, label: 0 }));
        }
        if request.flags & call_flags::POINTER != 0 {
            let pointer = u32::from_be_bytes(unsafe { *request.name.cast::<[u8; 4]>() });
            let entry = pointer.checked_sub(POINTER_BASE).and_then(|at| self.pointers.get(at as usize));
            return match entry {
                Some((module, program, label)) => Ok(Some(Target { module: module.clone(), program: *program, label: *label })),
                // A branch to an address that holds no program.
                None => Err(protection_exception()),
            };
        }
        let text = unsafe { from_raw_parts(request.name, request.name_length as usize) };
        let name = match request.flags & call_flags::DYNAMIC {
            0 => String::from_utf8_lossy(text).into_owned(),
            _ => {
                let written = written_name(&calling.session.code_page.decode(text));
                if let Some(program) = contained(&calling.module, calling.program, &written) {
                    return Ok(Some(Target { module: calling.module.clone(), program, label: 0 }));
                }
                le::program_name::compatible(&written)
            }
        };
        if let Some(target) = self.find(caller, &name)? {
            return Ok(Some(target));
        }
        let with_return_code = self.sql_messages(caller, &name, request).or_else(|| self.resource_manager(caller, &name, request));
        let outcome = if with_return_code.is_some() { call_outcome::RETURNED } else { call_outcome::COMPLETE };
        let supplied = with_return_code.or_else(|| self.callable_service(caller, &name, request));
        if let Some(result) = supplied {
            if result.is_err() {
                self.note_call(caller);
            }
            result?;
            request.outcome = outcome;
            return Ok(None);
        }
        if request.flags & call_flags::ON_EXCEPTION != 0 {
            request.outcome = call_outcome::EXCEPTION;
            return Ok(None);
        }
        self.note_call(caller);
        self.detail = Some(format!("CALL of {name}: there is no program of that name"));
        let departure = self.host().not_found(&name);
        match &departure {
            // In a region it is an abend of CICS.
            Departure::Abend(abend) if &abend.code == b"4038" => {
                let token = self.conditions.with_inserts(Token::new(CEE, 3, MODULE_NOT_FOUND), vec![name]);
                let reason = crate::requests::failure::PROGRAM_NOT_FOUND;
                self.raise(token, super::conditions::Cause::Signal, super::conditions::Resumable::WhenMoved, false, reason)?;
                self.detail = None;
                request.outcome = call_outcome::COMPLETE;
                Ok(None)
            }
            _ => Err(departure),
        }
    }

    fn find(&mut self, caller: FrameId, name: &str) -> Result<Option<Target>, Departure> {
        let calling = caller.activation();
        if let Some(program) = contained(&calling.module, calling.program, name) {
            return Ok(Some(Target { module: calling.module.clone(), program, label: 0 }));
        }
        if let Some((program, label)) = calling.module.find_entry(name) {
            return Ok(Some(Target { module: calling.module.clone(), program, label }));
        }
        if let Some(module) = self.names.get(name)
            && let Some((program, label)) = module.find_entry(name)
        {
            return Ok(Some(Target { module: module.clone(), program, label }));
        }
        // An ENTRY name is known only once its program is loaded.
        for activation in &self.activations {
            if let Some((program, label)) = activation.module.find_entry(name) {
                return Ok(Some(Target { module: activation.module.clone(), program, label }));
            }
        }
        let Some(module) = self.host().load(name)? else {
            return Ok(None);
        };
        // A module may be stored under a name that is none of its entries: then its first program is used.
        let (program, label) = module.find_entry(name).unwrap_or((0, 0));
        self.names.insert(name.to_string(), module.clone());
        Ok(Some(Target { module, program, label }))
    }

    pub(crate) fn call_return(&mut self, caller: *mut Frame, callee: *mut Frame) -> Result<(), Departure> {
        self.deactivate(callee);
        self.header.current = caller;
        Ok(())
    }

    pub(crate) fn cancel(&mut self, frame: FrameId, name: &[u8]) -> Result<(), Departure> {
        let written = written_name(&frame.activation().session.code_page.decode(name));
        let name = le::program_name::compatible(&written);
        let is_named = |entry: &str| entry.eq_ignore_ascii_case(&written) || entry.eq_ignore_ascii_case(&name);
        let known: Vec<(Arc<Module>, usize)> = self
            .activations
            .iter()
            .filter(|activation| activation.info().entries.iter().any(|entry| is_named(&entry.name)))
            .map(|activation| (activation.module.clone(), activation.program))
            .collect();
        for (module, program) in known {
            // Programs it contains go with it.
            for nested in (0..module.programs.len()).filter(|nested| is_within(&module, *nested, program)) {
                self.forget(&module, nested);
            }
        }
        self.names.remove(&name);
        self.names.remove(&written);
        Ok(())
    }

    /// One more pointer that fetch has given to a program.
    pub(super) fn fetch(&mut self, frame: FrameId, name: &str) -> Result<u32, Departure> {
        let pointer = self.entry_pointer(frame, &le::program_name::compatible(&written_name(name)))?;
        if pointer != 0 {
            *self.fetched.entry(pointer).or_default() += 1;
        }
        Ok(pointer)
    }

    /// Releasing the last pointer releases the program, as CANCEL does.
    pub(super) fn release_fetched(&mut self, pointer: u32) {
        let Some(count) = self.fetched.get_mut(&pointer) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.fetched.remove(&pointer);
        if let Some((module, program, _)) = self.pointers.get((pointer - POINTER_BASE) as usize).cloned() {
            self.forget(&module, program);
        }
    }

    pub(crate) fn entry_address(&mut self, frame: FrameId, name: &[u8]) -> Result<u32, Departure> {
        let written = written_name(&frame.activation().session.code_page.decode(name));
        // The compiler has processed a literal; a name as data is that of a dynamic call.
        match self.entry_pointer(frame, &written)? {
            0 => self.entry_pointer(frame, &le::program_name::compatible(&written)),
            pointer => Ok(pointer),
        }
    }

    /// The procedure pointer to a program by name; 0 if there is no such program.
    pub(super) fn entry_pointer(&mut self, frame: FrameId, name: &str) -> Result<u32, Departure> {
        let Some(target) = self.find(frame, name)? else {
            return Ok(0);
        };
        let known = self.pointers.iter().position(|(module, program, label)| {
            Arc::ptr_eq(module, &target.module) && *program == target.program && *label == target.label
        });
        let at = known.unwrap_or_else(|| {
            self.pointers.push((target.module, target.program, target.label));
            self.pointers.len() - 1
        });
        Ok(POINTER_BASE + at as u32)
    }
}

/// A program contained in the caller, or a COMMON one contained in a program that contains the caller.
fn contained(module: &Module, caller: usize, name: &str) -> Option<usize> {
    let mut level = Some(caller as u32);
    while let Some(outer) = level {
        let found = module.programs.iter().position(|program| {
            program.parent == Some(outer)
                && program.name.eq_ignore_ascii_case(name)
                && (outer as usize == caller || program.attributes & attributes::COMMON != 0)
        });
        if found.is_some() {
            return found;
        }
        level = module.programs[outer as usize].parent;
    }
    None
}

fn is_within(module: &Module, mut program: usize, outer: usize) -> bool {
    loop {
        if program == outer {
            return true;
        }
        match module.programs[program].parent {
            Some(parent) => program = parent as usize,
            None => return false,
        }
    }
}

/// A name as data: trailing spaces go.
fn written_name(text: &str) -> String {
    text.trim_end_matches([' ', '\0']).to_string()
}

pub(super) fn protection_exception() -> Departure {
    Departure::Abend(Box::new(kernel::Abend::new("ASRA", 4)))
}
