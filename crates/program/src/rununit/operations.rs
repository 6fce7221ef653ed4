//! The gated operations other than CALL: EXEC, DISPLAY, ACCEPT, files, functions, services, SORT.
//!
//! `unsafe` here reaches the session of the frame that a shim passes, and the operands of the statement: see the parent module.

use super::call::protection_exception;
use super::*;
use crate::requests::{FileOperation, FileRequest, Operand, SqlRequest, accept_source, display_flags, service};
use exec::block::{Argument, Block, Representation};
use le::Attributes;
use le::functions::{FunctionId, Value, ValueKind};

impl RunUnit {
    /// COBOL programs have the block on the task's stack, which no program can address. That of a C program is on the program's own stack:
    /// another program can overwrite it while the command waits, so the command works on a copy.
    ///
    /// # Safety
    /// The block is that of a call of the EXEC slot.
    pub(crate) unsafe fn exec_command(&mut self, frame: FrameId, block: *mut Block) -> Result<u32, Departure> {
        if !kernel::guard::is_program_storage(block as usize) {
            return self.exec(frame, &mut *block);
        }
        frame.activation().command_at.set(block as usize);
        let mut copy: Block = std::mem::transmute(read_storage::<{ size_of::<Block>() }>(block as usize)?);
        let outer = copy.arguments as usize;
        let mut arguments = Vec::with_capacity(usize::from(copy.argument_count));
        for index in 0..usize::from(copy.argument_count) {
            arguments.push(read_argument(outer.wrapping_add(index * size_of::<Argument>()))?);
        }
        copy.arguments = arguments.as_mut_ptr();
        let label = self.exec(frame, &mut copy)?;
        let results = std::slice::from_raw_parts(arguments.as_ptr().cast::<u8>(), size_of_val(&arguments[..]));
        kernel::guard::copy_out(results, outer).map_err(|_| protection_exception())?;
        Ok(label)
    }

    fn exec(&mut self, frame: FrameId, block: &mut Block) -> Result<u32, Departure> {
        self.last_line = (block.line, block.statement);
        match self.host().exec(frame, block) {
            ExecOutcome::Continue => Ok(0),
            ExecOutcome::GoTo(label) => Ok(label),
            ExecOutcome::Leave(value) => Err(Departure::Exit(value)),
            ExecOutcome::Abend(abend) => Err(Departure::Abend(abend)),
        }
    }

    pub(crate) fn display(&mut self, frame: FrameId, operands: &[Operand], flags: u32) -> Result<(), Departure> {
        let session = frame.session();
        let target = flags & 0xFF;
        let (dd, operands) = match operands {
            [dd, rest @ ..] if flags & display_flags::DD_NAME != 0 => (Some(dd), rest),
            _ => (None, operands),
        };
        let dd = dd.map(|dd| {
            let name = unsafe { std::slice::from_raw_parts(dd.address, (*dd.attributes).length as usize) };
            session.code_page.decode(name)
        });
        let mut text = String::new();
        let mut buffer = Vec::new();
        for operand in operands {
            let attributes = unsafe { &*operand.attributes };
            unsafe { come_to(operand.address, attributes.length as usize) };
            buffer.resize(attributes.length as usize * 2 + le::display::NUMERIC_LENGTH_MAX, 0);
            let length = unsafe { le::display::display(operand.address, attributes, &mut buffer, session) }.map_err(exception_abend)?;
            // National and UTF-8 items are in the code page by now.
            text.push_str(&session.code_page.decode(&buffer[..length]));
        }
        match target {
            display_flags::ENVIRONMENT_NAME => self.environment_name = text.trim_end().to_string(),
            display_flags::ENVIRONMENT_VALUE => {
                let name = self.environment_name.clone();
                self.set_environment(&name, text.trim_end());
            }
            _ => {
                let advance = flags & display_flags::NO_ADVANCING == 0;
                match dd {
                    Some(dd) => self.host().display_to(&dd, &text, advance),
                    None => self.host().display(target, &text, advance),
                }
            }
        }
        Ok(())
    }

    pub(crate) fn accept(&mut self, frame: FrameId, attributes: &Attributes, area: *mut u8, source: u32) -> Result<(), Departure> {
        use le::accept::Clock;
        let session = frame.session();
        let clock = match source {
            accept_source::DATE => Clock::Date,
            accept_source::DATE_YYYYMMDD => Clock::DateYyyymmdd,
            accept_source::DAY => Clock::Day,
            accept_source::DAY_YYYYDDD => Clock::DayYyyyddd,
            accept_source::DAY_OF_WEEK => Clock::DayOfWeek,
            accept_source::TIME => Clock::Time,
            _ => return self.accept_text(session, attributes, area, source),
        };
        let (seconds, nanoseconds) = self.host().now();
        unsafe { le::accept::accept_clock(clock, seconds, nanoseconds, area, attributes, session) }.map_err(exception_abend)
    }

    fn accept_text(&mut self, session: &le::Session, attributes: &Attributes, area: *mut u8, source: u32) -> Result<(), Departure> {
        let line = if source == accept_source::ENVIRONMENT_VALUE {
            let name = self.environment_name.clone();
            self.environment(&name)
        } else {
            self.host().accept(source)
        };
        // At the end of input the item keeps its value.
        let Some(line) = line else {
            return Ok(());
        };
        let bytes = session.code_page.encode(&line);
        unsafe { le::accept::accept_line(&bytes, area, attributes, session) }.map_err(exception_abend)
    }

    pub(crate) fn function(&mut self, frame: FrameId, number: u16, arguments: &[Value], buffer: &mut [u8]) -> Result<Value, Departure> {
        let session = frame.session();
        // Numbers travel in the value itself; only characters have an address.
        let has_characters = |argument: &&Value| matches!(argument.kind, ValueKind::Alphanumeric | ValueKind::National | ValueKind::Utf8);
        for argument in arguments.iter().filter(has_characters) {
            unsafe { come_to(argument.address, argument.length as usize) };
        }
        unsafe { le::functions::call(FunctionId(number), arguments, buffer, session) }.map_err(exception_abend)
    }

    pub(crate) fn file(&mut self, frame: FrameId, request: &mut FileRequest) -> Result<u32, Departure> {
        // A request names the frame of the program that declares the file, or none for its own.
        let owner = unsafe { FrameId::new(request.owner) }.unwrap_or(frame);
        let activation = owner.activation();
        let module = activation.module.clone();
        let info = &module.programs[activation.program].files[request.file as usize];
        let outcome = self.host().file(owner, info, request)?;
        if info.status_offset != u32::MAX {
            let (working_storage, _) = owner.working_storage();
            let status = session_digits(owner.session(), request.status);
            unsafe { ((working_storage + info.status_offset) as usize as *mut [u8; 2]).write_unaligned(status) };
        }
        Ok(outcome as u32)
    }

    pub(crate) fn sql(&mut self, frame: FrameId, request: &SqlRequest) -> Result<u32, Departure> {
        self.host().sql(frame, request).map(|outcome| outcome as u32)
    }

    pub(crate) fn service(&mut self, frame: FrameId, number: u32, words: &[u64]) -> Result<i64, Departure> {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let text = || unsafe { std::slice::from_raw_parts(word(0) as *const u8, word(1) as usize) };
        match number {
            service::STOP_LITERAL => {
                let line = frame.session().code_page.decode(text());
                match self.host().operator(&line) {
                    OperatorReply::GoOn => Ok(0),
                    OperatorReply::Cancel => Err(Departure::Abend(Box::new(kernel::Abend::new(CANCELLED, 0)))),
                }
            }
            service::UNSUPPORTED => {
                let line = String::from_utf8_lossy(text()).into_owned();
                self.host().display(display_flags::CONSOLE, &line, true);
                self.header.exception = crate::requests::failure::UNSUPPORTED;
                Err(Departure::Abend(Box::new(kernel::Abend::new("4038", 67))))
            }
            service::FILE_ERROR => unsafe { self.file_error(frame, &*(word(0) as *const FileRequest)) },
            service::UTF8_OFFSET => {
                let characters = u32::try_from(word(2) as i64).unwrap_or(if (word(2) as i64) < 0 { 0 } else { u32::MAX });
                Ok(le::code_page::utf8_prefix(text(), characters, word(1) as usize) as i64)
            }
            service::UTF8_REPLACE => {
                let area = unsafe { std::slice::from_raw_parts_mut(word(0) as *mut u8, word(1) as usize) };
                let new = unsafe { std::slice::from_raw_parts(word(4) as *const u8, word(5) as usize) };
                let count = u32::try_from(word(3) as i64).unwrap_or(if (word(3) as i64) < 0 { 0 } else { u32::MAX });
                le::utf8::replace(area, word(2) as i64, count, new);
                Ok(0)
            }
            service::UTF8_MOVE => unsafe {
                let session = frame.session();
                let attributes = &*(word(1) as *const le::Attributes);
                let (source, target) = (word(0) as *const u8, word(2) as *mut u8);
                let moved = le::movement::move_to_dynamic_utf8(source, attributes, target, word(3) as usize, session);
                Ok(moved.map_err(exception_abend)? as i64)
            },
            service::CHECK => unsafe { self.check_failed(frame, words) },
            service::RESUME_LABEL => {
                self.conditions.set_resume_label(frame.as_ptr(), word(0) as u32);
                Ok(0)
            }
            service::ALLOCATE => Ok(i64::from(self.allocate_now(word(0)))),
            service::SCRATCH => self.scratch_area(frame, word(0) as u32, word(1) as u32),
            service::FREE => {
                if let Some(length) = self.allocated.remove(&(word(0) as u32)) {
                    self.host().freemain(word(0) as u32, length);
                }
                Ok(0)
            }
            service::SWITCH_TEST if word(0) == service::DEBUG_SWITCH => Ok(i64::from(self.debugging)),
            service::SWITCH_TEST => Ok((self.switches >> (7 - word(0)) & 1) as i64),
            service::SWITCH_SET => {
                let bit = 1u8 << (7 - word(0));
                self.switches = if word(1) != 0 { self.switches | bit } else { self.switches & !bit };
                Ok(0)
            }
            service::SORT_OPEN..=service::SORT_CLOSE => self.sort(frame, number, words),
            service::MARKUP..=service::XML_NEXT => self.markup(frame, number, words),
            service::C_WRITE..=service::C_RELEASE | service::C_READ => self.c_service(frame, number, words),
            _ => Ok(0),
        }
    }

    /// Storage for ALLOCATE and malloc, whose failure is no abend: 0 if there is none.
    fn allocate_now(&mut self, bytes: u64) -> u32 {
        let length = u32::try_from(bytes).ok().filter(|length| *length > 0);
        let obtained = length.and_then(|length| Some((self.host().getmain_now(length)?, length)));
        if let Some((address, length)) = obtained {
            self.allocated.insert(address, length);
        }
        obtained.map_or(0, |(address, _)| address)
    }

    /// The statement that asks is known to an abend for want of storage.
    fn allocate(&mut self, frame: FrameId, bytes: u64) -> Result<i64, Departure> {
        let Ok(length) = u32::try_from(bytes) else {
            return Ok(0);
        };
        if length == 0 {
            return Ok(0);
        }
        let obtained = self.host().getmain(length);
        if obtained.is_err() {
            let place = frame.call_place();
            self.last_line = place.map_or((0, 0), |place| (place.line, place.statement));
        }
        let address = obtained?;
        self.allocated.insert(address, length);
        Ok(address as i64)
    }

    /// Area NUMBER of the program in FRAME. It is obtained when it is first used, and released with the run unit.
    fn scratch_area(&mut self, frame: FrameId, number: u32, length: u32) -> Result<i64, Departure> {
        let key = (frame, number);
        if let Some(&address) = self.scratch_areas.get(&key)
            && self.allocated.get(&address).is_some_and(|known| *known >= length)
        {
            return Ok(i64::from(address));
        }
        let address = self.allocate(frame, u64::from(length))?;
        self.scratch_areas.insert(key, address as u32);
        Ok(address)
    }
}

fn read_storage<const LENGTH: usize>(address: usize) -> Result<[u8; LENGTH], Departure> {
    let mut bytes = [0; LENGTH];
    // Program storage is never a Rust object.
    unsafe { kernel::guard::copy_in(address, &mut bytes) }.map_err(|_| protection_exception())?;
    Ok(bytes)
}

fn read_argument(address: usize) -> Result<Argument, Departure> {
    let bytes = read_storage::<{ size_of::<Argument>() }>(address)?;
    if bytes[std::mem::offset_of!(Argument, representation)] > Representation::Label as u8 {
        return Err(protection_exception());
    }
    // The representation is one; every pattern of bytes is a value of the other fields.
    Ok(unsafe { std::mem::transmute::<[u8; size_of::<Argument>()], Argument>(bytes) })
}

/// Items longer than this are probed before memory is allocated for their contents.
const LONG_BYTES: usize = 1 << 20;

/// Accesses the bytes of an item whose length the program may have set wrongly (an OCCURS DEPENDING ON object, a reference modifier), so
/// that an item longer than its storage causes a program check and allocates no memory.
///
/// # Safety
/// Called under [`kernel::guard::on_program_data`].
unsafe fn come_to(address: *const u8, length: usize) {
    if length > LONG_BYTES
        && let Err(fault) = kernel::guard::probe(address as usize, length, false)
    {
        std::ptr::with_exposed_provenance::<u8>(fault.address).read_volatile();
    }
}

/// An abend with the same information as a trap, for operations that run as region code.
pub(super) fn exception_abend(exception: le::Exception) -> Departure {
    if exception == le::Exception::Stopped
        && let Some(stop) = kernel::guard::pending_stop()
    {
        return stop;
    }
    let code = if exception.interruption().is_some() { "ASRA" } else { "4038" };
    Departure::Abend(Box::new(kernel::Abend::new(code, exception as u64)))
}

/// Two digits or letters of a file status in the program's code page.
fn session_digits(session: &le::Session, status: [u8; 2]) -> [u8; 2] {
    [session.code_page.ascii(status[0]), session.code_page.ascii(status[1])]
}

const _: () = assert!(FileOperation::Start as u32 == 6);
