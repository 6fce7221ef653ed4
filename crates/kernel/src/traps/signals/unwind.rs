//! Finds the program that called the run time from a fault inside the run time, by the call frame information of the loaded images
//! (`.eh_frame`, found through `.eh_frame_hdr`; LSB Core, "Exception Frames").
//!
//! Invariants that make the `unsafe` here sound:
//! * [`record_images`] runs before the first signal handler is installed; the images it finds stay loaded until the process ends, because
//!   they are those the process was started with;
//! * [`caller_in_program`] runs in signal handlers: it allocates nothing, takes no lock and reads, besides the images, only words
//!   of the interrupted stack between its stack pointer (or the stack's limit) and a recovery point, which are all mapped;
//! * each frame lies above the one it called (checked in each step), so the walk ends.
//!
//! The traps in run-time helpers of `tests/guard/run_time.rs` cover it; Miri has no frames to walk.

use crate::traps::code::find_code;
use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, EndianSlice, NativeEndian, ParsedEhFrameHdr, Pointer, Register, RegisterRule,
    UnwindContext, UnwindContextStorage, UnwindSection, UnwindTableRow,
};
use std::ops::Range;
use std::sync::OnceLock;

type Bytes = EndianSlice<'static, NativeEndian>;

/// Registers by their numbers in call frame information: those of x86-64 up to the return address, of AArch64 up to the stack pointer.
pub(super) const REGISTER_COUNT: usize = 32;

#[cfg(target_arch = "x86_64")]
mod numbers {
    pub const STACK_POINTER: usize = 7;
    pub const RETURN_ADDRESS: usize = 16;
    /// Addresses have no other bits.
    pub const ADDRESS_MASK: usize = usize::MAX;
}

#[cfg(target_arch = "aarch64")]
mod numbers {
    pub const STACK_POINTER: usize = 31;
    pub const RETURN_ADDRESS: usize = 30;
    /// The upper bits of a saved return address may hold its authentication code.
    pub const ADDRESS_MASK: usize = (1 << 48) - 1;
}

/// A loaded image: the range of its code and its frame information.
struct Image {
    code: Vec<Range<usize>>,
    header: ParsedEhFrameHdr<Bytes>,
    frames: EhFrame<Bytes>,
    bases: BaseAddresses,
}

static IMAGES: OnceLock<Vec<Image>> = OnceLock::new();

/// Records the images of the process. Called before the first signal handler is installed.
pub(super) fn record_images() {
    IMAGES.get_or_init(|| {
        let mut images: Vec<Image> = Vec::new();
        unsafe { libc::dl_iterate_phdr(Some(record_image), (&raw mut images).cast()) };
        images
    });
}

/// Whether an address is in the code of a loaded image.
pub(super) fn is_image_code(pc: usize) -> bool {
    IMAGES.get().is_some_and(|images| images.iter().any(|image| image.code.iter().any(|code| code.contains(&pc))))
}

unsafe extern "C" fn record_image(info: *mut libc::dl_phdr_info, _: usize, images: *mut libc::c_void) -> i32 {
    let info = &*info;
    let headers = std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize);
    let images = &mut *images.cast::<Vec<Image>>();
    images.extend(image_of(info.dlpi_addr as usize, headers));
    0
}

/// # Safety
/// The headers must be those of an image that is loaded at `base` and stays loaded.
unsafe fn image_of(base: usize, headers: &[libc::Elf64_Phdr]) -> Option<Image> {
    let range = |header: &libc::Elf64_Phdr| {
        let start = base.wrapping_add(header.p_vaddr as usize);
        start..start.wrapping_add(header.p_memsz as usize)
    };
    let loaded = || headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let header_at = range(headers.iter().find(|header| header.p_type == libc::PT_GNU_EH_FRAME)?);
    let bytes = |range: Range<usize>| EndianSlice::new(std::slice::from_raw_parts(range.start as *const u8, range.len()), NativeEndian);
    let bases = BaseAddresses::default().set_eh_frame_hdr(header_at.start as u64);
    let header = EhFrameHdr::from(bytes(header_at)).parse(&bases, size_of::<usize>() as u8).ok()?;
    let Pointer::Direct(frames_at) = header.eh_frame_ptr() else { return None };
    // The section's length is not recorded; the end of its segment bounds it.
    let segment = loaded().map(range).find(|segment| segment.contains(&(frames_at as usize)))?;
    let frames = EhFrame::from(bytes(frames_at as usize..segment.end));
    let code = loaded().filter(|header| header.p_flags & libc::PF_X != 0).map(range).collect();
    Some(Image { code, header, frames, bases: bases.set_eh_frame(frames_at) })
}

/// A frame's registers that are known.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub pc: usize,
    pub registers: [usize; REGISTER_COUNT],
}

impl Frame {
    fn stack_pointer(&self) -> usize {
        self.registers[numbers::STACK_POINTER]
    }
}

/// Storage for the rules of a frame: more than a function's callee-saved registers, and one level of remembered state.
struct InPlace;

impl UnwindContextStorage<usize> for InPlace {
    type Rules = [(Register, RegisterRule<usize>); REGISTER_COUNT];
    type Stack = [UnwindTableRow<usize, Self>; 3];
}

/// The frame of the program code that called the code interrupted in `frame`: its program counter is the return address, its callee-saved
/// registers are those of the program. Words of the stack are read from `stack` only.
pub(super) fn caller_in_program(interrupted: Frame, stack: Range<usize>) -> Option<Frame> {
    let mut context = UnwindContext::<usize, InPlace>::new_in();
    // For the interrupted frame, the instruction itself; for its callers, the call, which may be the last instruction of a function.
    let mut frame = caller(&interrupted, interrupted.pc, &stack, &mut context)?;
    if frame.stack_pointer() < interrupted.stack_pointer() {
        return None;
    }
    while find_code(frame.pc.wrapping_sub(1)).is_none() {
        let outer = caller(&frame, frame.pc.wrapping_sub(1), &stack, &mut context)?;
        if outer.stack_pointer() <= frame.stack_pointer() {
            return None;
        }
        frame = outer;
    }
    Some(frame)
}

fn caller(frame: &Frame, instruction: usize, stack: &Range<usize>, context: &mut UnwindContext<usize, InPlace>) -> Option<Frame> {
    let image = IMAGES.get()?.iter().find(|image| image.code.iter().any(|code| code.contains(&instruction)))?;
    let table = image.header.table()?;
    let row = table.unwind_info_for_address(&image.frames, &image.bases, context, instruction as u64, EhFrame::cie_from_offset).ok()?;
    let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return None };
    let address = frame.registers.get(usize::from(register.0))?.wrapping_add_signed(*offset as isize);
    let saved = |offset: i64| {
        let at = address.wrapping_add_signed(offset as isize);
        let is_readable = at >= stack.start && at.checked_add(size_of::<usize>())? <= stack.end && at.is_multiple_of(align_of::<usize>());
        is_readable.then(|| unsafe { *(at as *const usize) })
    };
    let mut outer = *frame;
    outer.registers[numbers::STACK_POINTER] = address;
    for (register, rule) in row.registers() {
        let Some(slot) = outer.registers.get_mut(usize::from(register.0)) else { continue };
        *slot = match rule {
            RegisterRule::SameValue | RegisterRule::Architectural => continue,
            RegisterRule::Offset(offset) => saved(*offset)?,
            RegisterRule::ValOffset(offset) => address.wrapping_add_signed(*offset as isize),
            RegisterRule::Register(other) => *frame.registers.get(usize::from(other.0))?,
            _ if usize::from(register.0) == numbers::RETURN_ADDRESS => return None,
            _ => 0,
        };
    }
    outer.pc = outer.registers[numbers::RETURN_ADDRESS] & numbers::ADDRESS_MASK;
    Some(outer)
}
