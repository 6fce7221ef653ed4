//! Translation of a program's statements to Cranelift's intermediate code.
//!
//! One [`Emitter`] writes one native function: the entry of a program, a group of general paragraphs, or a closed PERFORM range (see
//! [`crate::flow`]). Each file covers one kind of statement; this one has the numbering of functions and the emitter's tools.
//!
//! Invariants: context, frame, session and storage bases are loaded once in the entry block, which dominates all others; no
//! other value lives across a PERFORM of a general range.

mod arithmetic;
mod binary;
mod call;
mod checks;
mod condition;
mod constant;
mod control;
mod decimal;
mod edited;
mod entry;
mod exec;
mod field;
mod files;
mod float;
mod function;
mod initialize;
mod io;
mod markup;
mod moves;
mod number;
mod perform;
mod resident;
mod search;
mod set;
mod sql;
mod statement;
mod strings;
mod tools;
mod utf8;
mod watched;
mod wide;
mod zones;

use crate::constants::Constants;
use crate::flow::{self, Flow};
use crate::heat::{self, Heat};
use crate::layout::Layout;
use crate::native;
use crate::{Effort, Settings};
use cobol::program::{Program, Range, Span};
use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{F64, I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, ExtFuncData, ExternalName, FuncRef, GlobalValue, GlobalValueData, InstBuilder, MemFlagsData, SigRef, Signature,
    SourceLoc, StackSlot, StackSlotData, StackSlotKind, TrapCode, UserExternalName, UserFuncName, Value,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use program::abi::{Context as TaskContext, Frame, Kind, Slot, UnitHeader};
use program::module::ResumePoint;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::mem::offset_of;
use tools::Temporaries;
pub use watched::is_told;

/// Which native functions belong to a program.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    pub entry: u32,
    pub groups: u32,
    pub closed: u32,
    pub loops: u32,
    pub twins: u32,
    pub loop_count: u32,
}

impl Numbers {
    pub fn end(&self) -> u32 {
        self.twins + self.loop_count
    }
}

/// All programs of a module being compiled.
pub struct ModuleEmitter<'a> {
    pub layouts: Vec<Layout<'a>>,
    pub flows: Vec<Flow>,
    heats: Vec<Heat<'a>>,
    pub numbers: Vec<Numbers>,
    pub constants: Constants,
    pub settings: Settings,
    /// Line of each statement, by its number in the module.
    pub lines: Vec<u32>,
    /// First statement number of each program, minus one.
    pub statement_bases: Vec<u32>,
    /// Names each program calls.
    pub called: Vec<Vec<String>>,
    /// The resume points behind the statements of each program.
    pub resume_points: Vec<Vec<ResumePoint>>,
    /// Functions to be generated, and those already generated.
    wanted: Vec<u32>,
    written: FxHashSet<u32>,
    edit_tables: EditTables,
}

/// Editing tables: by program, edit program, length and flags of the item, offset in the constants and length of a row.
type EditTables = FxHashMap<(u32, u32, u32, u16), Option<(u32, usize)>>;

impl<'a> ModuleEmitter<'a> {
    pub fn new(programs: &'a [Program], settings: &Settings) -> ModuleEmitter<'a> {
        let mut module = ModuleEmitter {
            layouts: Vec::new(),
            flows: Vec::new(),
            heats: Vec::new(),
            numbers: Vec::new(),
            constants: Constants::default(),
            settings: settings.clone(),
            lines: vec![0],
            statement_bases: Vec::new(),
            called: Vec::new(),
            resume_points: Vec::new(),
            wanted: Vec::new(),
            written: FxHashSet::default(),
            edit_tables: EditTables::default(),
        };
        for program in programs {
            module.add(program, None);
        }
        for numbers in &module.numbers {
            module.wanted.extend(numbers.entry..numbers.closed);
        }
        module
    }

    fn add(&mut self, program: &'a Program, parent: Option<u32>) {
        let index = self.layouts.len() as u32;
        let layout = Layout::new(program, index, parent, &mut self.constants);
        let flow = flow::analyse(program);
        let entry = self.function_count();
        let groups = entry + 1;
        // A single group is part of the entry function.
        let group_functions = if flow.groups.len() == 1 { 0 } else { flow.groups.len() as u32 };
        let closed = groups + group_functions;
        let heat = heat::analyse(program, &flow, effort_of(program, self.settings.effort));
        let closed_count = flow.closed.len() as u32;
        let (loops, loop_count) = (closed + closed_count, heat.bodies.len() as u32);
        self.numbers.push(Numbers { entry, groups, closed, loops, twins: loops + loop_count, loop_count });
        self.layouts.push(layout);
        self.flows.push(flow);
        self.heats.push(heat);
        self.called.push(Vec::new());
        self.resume_points.push(Vec::new());
        self.statement_bases.push(self.lines.len() as u32 - 1);
        self.lines.resize(self.lines.len() + program.statement_count as usize, 0);
        for nested in &program.nested {
            self.add(nested, Some(index));
        }
    }

    /// The program a function belongs to.
    pub fn program_of(&self, number: u32) -> u32 {
        self.numbers.iter().rposition(|numbers| numbers.entry <= number).unwrap_or(0) as u32
    }

    pub fn function_count(&self) -> u32 {
        self.numbers.last().map_or(0, Numbers::end)
    }

    /// The number of a function that something refers to and that has not been written.
    pub fn next_function(&mut self) -> Option<u32> {
        loop {
            let number = self.wanted.pop()?;
            if self.written.insert(number) {
                return Some(number);
            }
        }
    }

    /// The program a function belongs to, and what kind it is.
    fn form_of(&self, number: u32) -> (usize, Form) {
        let index = self.numbers.iter().rposition(|numbers| numbers.entry <= number).expect("a program has the function");
        let numbers = self.numbers[index];
        let form = if number == numbers.entry {
            Form::Entry
        } else if number < numbers.closed {
            Form::General { group: number - numbers.groups }
        } else if number < numbers.loops {
            Form::Range(self.flows[index].ordered[(number - numbers.closed) as usize])
        } else if number < numbers.twins {
            Form::Loop(number - numbers.loops)
        } else {
            Form::Twin(number - numbers.twins)
        };
        (index, form)
    }

    /// How much a function is worth.
    pub fn is_hot(&self, number: u32) -> bool {
        let (index, form) = self.form_of(number);
        let (flow, heat) = (&self.flows[index], &self.heats[index]);
        let in_group = |group: u32| flow.groups.get(group as usize).is_some_and(|group| heat.are_hot(&group.paragraphs));
        match form {
            Form::Entry => flow.groups.len() == 1 && in_group(0),
            Form::General { group } => in_group(group),
            Form::Range(range) => heat.is_hot_range(range, &flow.closed[&range].body),
            Form::Loop(_) => true,
            Form::Twin(_) => false,
        }
    }

    /// Write function `number` into the context.
    pub fn function(
        &mut self,
        number: u32,
        context: &mut Context,
        builder: &mut FunctionBuilderContext,
        target: TargetFrontendConfig,
    ) -> Result<(), String> {
        let (index, form) = self.form_of(number);
        let hot = self.is_hot(number);
        context.func.name = UserFuncName::user(native::FUNCTIONS, number);
        context.func.signature = signature(form);
        let function = FunctionBuilder::new(&mut context.func, builder);
        let mut emitter = Emitter::new(self, index, form, hot, function);
        match form {
            Form::Entry => emitter.entry_function(),
            Form::General { group } => emitter.group_function(group),
            Form::Range(range) => emitter.range_function(range),
            Form::Loop(number) => emitter.loop_function(number),
            Form::Twin(number) => emitter.twin_function(number),
        }
        let (mut function, error) = emitter.finish();
        function.seal_all_blocks();
        function.finalize(target);
        error.map_or(Ok(()), Err)
    }
}

/// OPTIMIZE(1) and OPTIMIZE(2) ask for all that can be done; OPTIMIZE(0) is IBM's default.
fn effort_of(program: &Program, effort: Effort) -> Effort {
    if effort == Effort::Loops && program.options.optimize > 0 { Effort::Full } else { effort }
}

/// The kind of function being generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Entry,
    General {
        group: u32,
    },
    Range(Range),
    /// A hot loop of cold code.
    Loop(u32),
    /// The same loop on storage, for when its items cannot be kept in registers.
    Twin(u32),
}

/// (context, frame, label or point) -> completion or point.
fn signature(form: Form) -> Signature {
    let mut signature = Signature::new(native::convention());
    signature.params.push(AbiParam::new(I64));
    signature.params.push(AbiParam::new(I64));
    if !matches!(form, Form::Range(_) | Form::Loop(_) | Form::Twin(_)) {
        signature.params.push(AbiParam::new(I32));
    }
    signature.returns.push(AbiParam::new(I32));
    signature
}

/// Blocks of the paragraphs being generated, and the meaning of their ends.
pub struct Scope {
    /// Start and end of each paragraph.
    paragraphs: FxHashMap<u32, (Block, Block)>,
    /// Closed range: its last paragraph and where control continues at its end.
    closed: Option<(u32, Block)>,
    /// Where commands of this scope branch with a label's number.
    labels: Option<Block>,
}

/// An inline PERFORM being written.
struct Loop {
    cycle: Block,
    exit: Block,
}

pub struct Emitter<'e, 'a> {
    pub b: FunctionBuilder<'e>,
    layouts: &'e mut Vec<Layout<'a>>,
    constants: &'e mut Constants,
    flow: &'e Flow,
    heat: &'e Heat<'a>,
    /// The function is worth the effort (see [`crate::heat`]).
    hot: bool,
    /// Of all programs of the module: a nested one may run a range of a containing one.
    flows: &'e [Flow],
    all_numbers: &'e [Numbers],
    numbers: Numbers,
    lines: &'e mut Vec<u32>,
    called: &'e mut Vec<String>,
    resume_points: &'e mut Vec<ResumePoint>,
    wanted: &'e mut Vec<u32>,
    edit_tables: &'e mut EditTables,
    index: usize,
    program: &'a Program,
    statement_base: u32,
    form: Form,
    context: Value,
    /// The slot table, if Cranelift's optimizer cannot see that it is constant.
    slots: Option<Value>,
    frame: Value,
    session: Value,
    working: Value,
    local: Value,
    /// The function's third parameter.
    parameter: Option<Value>,
    signatures: FxHashMap<u32, SigRef>,
    native_functions: FxHashMap<u32, FuncRef>,
    constant_globals: FxHashMap<u32, GlobalValue>,
    scopes: Vec<Scope>,
    loops: Vec<Loop>,
    sentences: Vec<(u32, Block)>,
    /// Ranges being expanded, outermost first.
    expanding: Vec<Range>,
    /// Statements expanded into this function so far.
    expanded_weight: u32,
    /// Loops around the statement being written.
    loop_depth: u32,
    /// General form: the dispatch block and the points behind general PERFORMs.
    dispatch: Option<Block>,
    returns: Vec<Block>,
    /// ENTRY statements of this function: number and the block behind.
    entry_blocks: Vec<(u32, Block)>,
    /// Items kept in registers by the loop being written.
    residents: Vec<resident::Resident>,
    /// Where interruptions in that loop write the items back.
    stops: Option<resident::Stops>,
    /// The expression at hand is computed in single precision.
    single: bool,
    /// The loop being written works on storage: its twin keeps items in registers.
    keeps_in_storage: bool,
    /// The word that decides whether the program tells what it reaches (TEST).
    watch: Option<Value>,
    /// The statement of the source whose parts are being generated.
    whole: Option<Span>,
    /// Part of a PERFORM is being generated, which is not a separate statement.
    in_part: bool,
    /// Number and line of the statement being written.
    current: (u32, u32),
    /// Loop variables of INITIALIZE, outermost first.
    loop_variables: Vec<Value>,
    temporaries: Temporaries,
    /// The statement being written.
    location: SourceLoc,
    error: Option<String>,
}

/// Maximum number of statements in a program for which hot code has all decimal operations inline.
const INLINE_STATEMENTS_MAX: u32 = 4000;

pub const NOTRAP: MemFlagsData = MemFlagsData::new().with_notrap();
/// Loads whose result is constant throughout the function.
pub const FIXED: MemFlagsData = MemFlagsData::new().with_notrap().with_readonly().with_can_move();

impl<'e, 'a> Emitter<'e, 'a> {
    fn new(module: &'e mut ModuleEmitter<'a>, index: usize, form: Form, hot: bool, mut b: FunctionBuilder<'e>) -> Emitter<'e, 'a> {
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let parameters = b.block_params(block).to_vec();
        let (context, frame) = (parameters[0], parameters[1]);
        let session = b.ins().load(I64, FIXED, frame, offset_of!(Frame, session) as i32);
        let working = b.ins().load(I64, FIXED, frame, offset_of!(Frame, working_storage) as i32);
        let local = b.ins().load(I64, FIXED, frame, offset_of!(Frame, local_storage) as i32);
        let slots = (!hot).then(|| b.ins().load(I64, FIXED, context, offset_of!(TaskContext, slots) as i32));
        let program = module.layouts[index].program;
        let watch = watched::watch_word(program, &mut b, context);
        Emitter {
            b,
            slots,
            layouts: &mut module.layouts,
            constants: &mut module.constants,
            flow: &module.flows[index],
            heat: &module.heats[index],
            hot,
            flows: &module.flows,
            all_numbers: &module.numbers,
            numbers: module.numbers[index],
            lines: &mut module.lines,
            called: &mut module.called[index],
            resume_points: &mut module.resume_points[index],
            wanted: &mut module.wanted,
            edit_tables: &mut module.edit_tables,
            index,
            program,
            statement_base: module.statement_bases[index],
            form,
            context,
            frame,
            session,
            working,
            local,
            parameter: parameters.get(2).copied(),
            signatures: FxHashMap::default(),
            native_functions: FxHashMap::default(),
            constant_globals: FxHashMap::default(),
            scopes: Vec::new(),
            loops: Vec::new(),
            sentences: Vec::new(),
            expanding: Vec::new(),
            expanded_weight: 0,
            loop_depth: 0,
            dispatch: None,
            returns: Vec::new(),
            entry_blocks: Vec::new(),
            residents: Vec::new(),
            stops: None,
            single: false,
            keeps_in_storage: false,
            in_part: false,
            watch,
            whole: None,
            current: (0, 0),
            loop_variables: Vec::new(),
            temporaries: Temporaries::default(),
            location: SourceLoc::default(),
            error: None,
        }
    }

    fn finish(self) -> (FunctionBuilder<'e>, Option<String>) {
        (self.b, self.error)
    }

    /// Decimal operations are written inline here: in hot code, but for the seldom used twin of a loop that keeps items in registers;
    /// when all is hot, in loops of very large programs only.
    fn is_inline(&self) -> bool {
        let common = self.loop_depth > 0 || self.program.statement_count <= INLINE_STATEMENTS_MAX;
        self.hot && if self.heat.all { common } else { !self.keeps_in_storage }
    }

    /// The group of general paragraphs this function holds.
    fn group(&self) -> Option<u32> {
        match self.form {
            Form::Entry if self.flow.groups.len() == 1 => Some(0),
            Form::General { group } => Some(group),
            _ => None,
        }
    }

    fn layout(&self) -> &Layout<'a> {
        &self.layouts[self.index]
    }

    fn layout_mut(&mut self) -> &mut Layout<'a> {
        &mut self.layouts[self.index]
    }

    /// The first thing that could not be translated.
    fn refuse(&mut self, text: impl Into<String>) {
        if self.error.is_none() {
            self.error = Some(text.into());
        }
    }
}
