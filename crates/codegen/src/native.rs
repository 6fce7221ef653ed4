//! The only file that uses Cranelift directly: target description, compiling one function, joining functions to one piece of
//! position-independent code. Another back end would replace this file and the builder calls of [`crate::emit`].
//!
//! Invariants: the code uses only the features of [`TARGET_FEATURES`], so a load module runs on any processor of that level; all references
//! are relative and are resolved here, so the code needs no relocation.

use crate::{Effort, Settings};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExternalName, UserExternalName};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, FinalizedRelocTarget};
use program::module::{LineEntry, ModuleImage, TrapEntry, constants_offset};

/// Processor level of compiled code: x86-64-v2. Recorded in the load module.
pub const TARGET_FEATURES: u32 = 2;

/// Name spaces of external names.
pub const FUNCTIONS: u32 = 0;
pub const CONSTANTS: u32 = 1;

/// Alignment of each function.
const ALIGNMENT: usize = 16;

/// The same processor for hot and for cold code.
pub struct Targets {
    hot: OwnedTargetIsa,
    cold: OwnedTargetIsa,
}

impl Targets {
    pub fn new(options: &Settings) -> Result<Targets, String> {
        Ok(Targets { hot: target(options, options.effort != Effort::None)?, cold: target(options, false)? })
    }

    pub fn of(&self, hot: bool) -> &OwnedTargetIsa {
        if hot { &self.hot } else { &self.cold }
    }
}

fn target(options: &Settings, optimize: bool) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let mut set = |name: &str, value: &str| flags.set(name, value).map_err(|error| format!("{name}: {error}"));
    set("opt_level", if optimize { "speed" } else { "none" })?;
    set("regalloc_algorithm", if optimize { "backtracking" } else { "single_pass" })?;
    // All names are colocated: references are PC-relative without a table of addresses, which "pic" would ask for.
    set("is_pic", "false")?;
    set("unwind_info", "false")?;
    set("preserve_frame_pointers", "true")?;
    set("enable_verifier", if options.verify { "true" } else { "false" })?;
    set("enable_probestack", "true")?;
    set("probestack_strategy", "inline")?;
    let mut builder = cranelift_native::builder_with_options(false).map_err(str::to_string)?;
    if cfg!(target_arch = "x86_64") {
        for feature in ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"] {
            builder.enable(feature).map_err(|error| format!("{feature}: {error}"))?;
        }
    }
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}

pub fn convention() -> CallConv {
    CallConv::SystemV
}

/// A function's code with its references to other places.
struct Piece {
    code: Vec<u8>,
    references: Vec<Reference>,
    /// (offset, interruption code)
    traps: Vec<(u32, u8)>,
    /// (offset, statement)
    lines: Vec<(u32, u32)>,
}

struct Reference {
    offset: u32,
    name: UserExternalName,
    addend: i64,
}

/// Functions compiled so far, by their number.
#[derive(Default)]
pub struct Blob {
    pieces: Vec<Option<Piece>>,
}

impl Blob {
    /// Compiles the contents of the context as function `number`.
    pub fn compile(&mut self, number: u32, context: &mut Context, isa: &OwnedTargetIsa) -> Result<(), String> {
        context.compile(&**isa, &mut Default::default()).map_err(|error| format!("{:?}", error.inner))?;
        let compiled = context.compiled_code().ok_or("no code")?;
        let mut references = Vec::new();
        for relocation in compiled.buffer.relocs() {
            if !matches!(relocation.kind, Reloc::X86PCRel4 | Reloc::X86CallPCRel4 | Reloc::X86CallPLTRel4) {
                return Err(format!("unexpected relocation {:?}", relocation.kind));
            }
            let FinalizedRelocTarget::ExternalName(ExternalName::User(user)) = &relocation.target else {
                return Err(format!("unexpected reference {:?}", relocation.target));
            };
            let name = compiled_name(&context.func, *user);
            references.push(Reference { offset: relocation.offset, name, addend: relocation.addend });
        }
        let traps = compiled.buffer.traps().iter().map(|trap| (trap.offset, interruption(trap.code))).collect();
        let lines = compiled
            .buffer
            .get_srclocs_sorted()
            .iter()
            .filter(|line| !line.loc.is_default())
            .map(|line| (line.start, line.loc.bits()))
            .collect();
        let code = compiled.code_buffer().to_vec();
        let number = number as usize;
        if self.pieces.len() <= number {
            self.pieces.resize_with(number + 1, || None);
        }
        self.pieces[number] = Some(Piece { code, references, traps, lines });
        Ok(())
    }

    /// Sets the number of functions; those never compiled take no room.
    pub fn complete(&mut self, count: u32) {
        self.pieces.resize_with(count as usize, || None);
    }

    /// Lays the functions out one after another, resolves references, and puts code and maps into the image. Returns the start of each
    /// function.
    pub fn join(&self, constants: &[u8], image: &mut ModuleImage, lines: &[u32]) -> Result<Vec<u32>, String> {
        let mut starts = Vec::with_capacity(self.pieces.len());
        let mut length = 0usize;
        for piece in &self.pieces {
            starts.push(length as u32);
            length += piece.as_ref().map_or(0, |piece| piece.code.len()).next_multiple_of(ALIGNMENT);
        }
        let constants_start = constants_offset(length);
        // Between functions lie breakpoint instructions.
        image.code = vec![0xCC; length];
        for (piece, start) in self.pieces.iter().zip(&starts) {
            let Some(piece) = piece else { continue };
            let start = *start as usize;
            image.code[start..start + piece.code.len()].copy_from_slice(&piece.code);
            for reference in &piece.references {
                let target = match reference.name.namespace {
                    FUNCTIONS => starts[reference.name.index as usize] as i64,
                    _ => constants_start as i64 + reference.name.index as i64,
                };
                let at = start + reference.offset as usize;
                let relative = target + reference.addend - at as i64;
                let relative = i32::try_from(relative).map_err(|_| "the program is too large".to_string())?;
                image.code[at..at + 4].copy_from_slice(&relative.to_le_bytes());
            }
            image.traps.extend(piece.traps.iter().map(|(offset, code)| TrapEntry { offset: start as u32 + offset, code: *code }));
            for (offset, statement) in &piece.lines {
                let line = lines.get(*statement as usize).copied().unwrap_or(0);
                let entry = LineEntry { offset: start as u32 + offset, line, statement: *statement };
                if image.lines.last().is_none_or(|last| last.statement != entry.statement) {
                    image.lines.push(entry);
                }
            }
        }
        image.constants = constants.to_vec();
        Ok(starts)
    }

    pub fn length(&self, number: u32) -> u32 {
        self.pieces[number as usize].as_ref().map_or(0, |piece| piece.code.len() as u32)
    }
}

fn compiled_name(function: &cranelift_codegen::ir::Function, name: cranelift_codegen::ir::UserExternalNameRef) -> UserExternalName {
    function.params.user_named_funcs()[name].clone()
}

/// Interruption code of a trap: the compiler's own traps carry it as their user code.
fn interruption(code: cranelift_codegen::ir::TrapCode) -> u8 {
    use cranelift_codegen::ir::TrapCode;
    match code {
        TrapCode::INTEGER_DIVISION_BY_ZERO => 9,
        TrapCode::INTEGER_OVERFLOW => 8,
        TrapCode::STACK_OVERFLOW | TrapCode::HEAP_OUT_OF_BOUNDS => 4,
        TrapCode::BAD_CONVERSION_TO_INTEGER => 12,
        other => other.as_raw().get(),
    }
}
