//! Compiles the typed program to a load module.
//!
//! Contents: the layout of a program's areas and frame ([`layout`]), the structure that its control flow gives the code ([`flow`]), the
//! translation of statements ([`emit`]), and the interface to Cranelift ([`native`]). The operations themselves are `le`'s; compiled code
//! either calls them through the slots of `program::abi` or has the common cases inline, with the same results (a test compares them).
//!
//! Invariants: every storage address is computed in 32 bits and zero-extended, so no subscript or pointer of a program
//! reaches beyond 4 GB; compiled code writes only its storage, its frame, its callee's frame and its stack.

mod constants;
mod debugging;
mod emit;
mod flow;
mod heat;
mod layout;
mod metadata;
mod native;
mod resident;

use cobol::program::Program;
use cranelift_codegen::Context;
use cranelift_frontend::FunctionBuilderContext;
use program::module::ModuleImage;

/// Version of the code generator: load modules made by another are compiled again.
const COMPILER_VERSION: u32 = 2;

/// How the compiler spends its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// On nothing: all code is compiled fast.
    None,
    /// On code that loops run (OPTIMIZE(0), the default).
    Loops,
    /// On all code (OPTIMIZE(1) and (2)).
    Full,
}

/// How to generate.
#[derive(Clone, Debug)]
pub struct Settings {
    pub effort: Effort,
    /// Check the intermediate code (tests).
    pub verify: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { effort: Effort::Loops, verify: cfg!(debug_assertions) }
    }
}

/// The reason why compilation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{program}: {text}")]
    Program { program: String, text: String },
    #[error("no program to compile")]
    Empty,
}

/// The time of the code generator by phase, measured by the caller's clock.
#[derive(Clone, Debug)]
pub struct Phases {
    pub clock: fn() -> u64,
    /// Layout, control flow, intermediate code.
    pub translation: u64,
    /// Machine code of the functions.
    pub machine_code: u64,
    /// Joining the functions, maps, data.
    pub joining: u64,
}

impl Phases {
    pub fn new(clock: fn() -> u64) -> Phases {
        Phases { clock, translation: 0, machine_code: 0, joining: 0 }
    }
}

/// Compile a compilation unit: outermost programs in sequence, each with those nested in it, to one load module.
pub fn compile(programs: &[Program], settings: &Settings) -> Result<ModuleImage, Error> {
    compile_measured(programs, settings, &mut Phases::new(|| 0))
}

/// The intermediate code of one function.
pub struct FunctionText {
    /// Index of its program in the load module.
    pub program: u32,
    pub text: String,
}

/// [`compile`], with the intermediate code that the machine code was made of (compiler option LIST).
pub fn compile_listed(programs: &[Program], settings: &Settings) -> Result<(ModuleImage, Vec<FunctionText>), Error> {
    let mut texts = Vec::new();
    let image = generate(programs, settings, &mut Phases::new(|| 0), Some(&mut texts))?;
    Ok((image, texts))
}

/// [`compile`], with the time of each phase added up.
pub fn compile_measured(programs: &[Program], settings: &Settings, phases: &mut Phases) -> Result<ModuleImage, Error> {
    generate(programs, settings, phases, None)
}

fn generate(
    programs: &[Program],
    settings: &Settings,
    phases: &mut Phases,
    mut texts: Option<&mut Vec<FunctionText>>,
) -> Result<ModuleImage, Error> {
    if programs.is_empty() {
        return Err(Error::Empty);
    }
    let name = programs[0].name.to_string();
    let fail = |text: String| Error::Program { program: name.clone(), text };
    let mut last = (phases.clock)();
    let targets = native::Targets::new(settings).map_err(fail)?;
    let mut module = emit::ModuleEmitter::new(programs, settings);
    let mut blob = native::Blob::default();
    let mut context = Context::new();
    let mut builder_context = FunctionBuilderContext::new();
    // Range functions are compiled only when something calls them.
    while let Some(number) = module.next_function() {
        context.clear();
        let isa = targets.of(module.is_hot(number));
        module.function(number, &mut context, &mut builder_context, isa.frontend_config()).map_err(fail)?;
        lap(phases.clock, &mut last, &mut phases.translation);
        blob.compile(number, &mut context, isa)
            .map_err(|text| fail(format!("{text} in function {number}\n{}", function_text(&context, settings))))?;
        lap(phases.clock, &mut last, &mut phases.machine_code);
        if let Some(texts) = &mut texts {
            texts.push(FunctionText { program: module.program_of(number), text: context.func.display().to_string() });
        }
    }
    blob.complete(module.function_count());
    let mut image = ModuleImage { compiler_version: COMPILER_VERSION, features: native::TARGET_FEATURES, ..ModuleImage::default() };
    let starts = blob.join(&module.constants.bytes, &mut image, &module.lines).map_err(fail)?;
    metadata::describe(&module, &blob, &starts, &mut image);
    lap(phases.clock, &mut last, &mut phases.joining);
    Ok(image)
}

/// Add the time since the last reading to a phase.
fn lap(clock: fn() -> u64, last: &mut u64, phase: &mut u64) {
    let now = clock();
    *phase += now - *last;
    *last = now;
}

fn function_text(context: &Context, settings: &Settings) -> String {
    if settings.verify { context.func.display().to_string() } else { String::new() }
}
