//! The names of one program: data, conditions, files, mnemonics and procedures, with qualification.
//!
//! Invariants: keys are upper case; data names of containing programs (GLOBAL) are in `outer` by program, the directly containing one
//! first, and apply only where neither this program nor a more deeply nested one declares the name. (Language Reference, Scope of names:
//! the search goes from the program outwards and ends with the first program that has a matching name.)

use crate::program::{BaseKind, ConditionNameId, FileId, ItemId, ProcedureId, ProcedureKind, Program};
use crate::span::Span;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Names that the debugging module generates begin so.
pub const DEBUGGING_PREFIX: &str = "DB--";

/// A name with its qualifiers, innermost first.
#[derive(Clone, Debug)]
pub struct QualifiedName {
    pub name: Box<str>,
    pub qualifiers: Vec<Box<str>>,
    pub span: Span,
}

impl QualifiedName {
    pub fn simple(name: &str, span: Span) -> QualifiedName {
        QualifiedName { name: name.into(), qualifiers: Vec::new(), span }
    }

    /// `A OF B OF C`, for messages.
    pub fn text(&self) -> String {
        let mut text = self.name.to_string();
        for qualifier in &self.qualifiers {
            text.push_str(" OF ");
            text.push_str(qualifier);
        }
        text
    }
}

/// The meaning of a name of the data division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    Item(ItemId),
    Condition(ConditionNameId),
    File(FileId),
}

/// The meaning of a name of SPECIAL-NAMES.
#[derive(Clone, PartialEq, Debug)]
pub enum Special {
    Device(Device),
    /// UPSI switch.
    Switch(u8),
    /// Condition-name of a switch: the switch, and whether it means ON.
    SwitchCondition(u8, bool),
    Alphabet(u32),
    Class(u32),
    /// SYMBOLIC CHARACTER, in the code page.
    Symbolic(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    Input,
    Output,
    Console,
    Punch,
    /// C01 to C12; CSP is 0.
    Channel(u8),
    CommandLine,
    EnvironmentName,
    EnvironmentValue,
    Arguments,
}

pub type Candidates = SmallVec<[Named; 2]>;

#[derive(Default, Debug)]
pub struct Names {
    pub data: FxHashMap<Box<str>, Candidates>,
    outer: Vec<FxHashMap<Box<str>, Candidates>>,
    pub special: FxHashMap<Box<str>, Special>,
    pub procedures: FxHashMap<Box<str>, SmallVec<[ProcedureId; 1]>>,
}

/// Why a name could not be resolved.
#[derive(Debug, PartialEq, Eq)]
pub enum Unresolved {
    Undefined,
    Ambiguous(Vec<ItemId>),
    /// The name exists, but not under these qualifiers.
    Unqualified,
}

impl Names {
    pub fn add(&mut self, name: &str, named: Named) {
        match self.data.get_mut(name) {
            Some(candidates) => candidates.push(named),
            None => {
                self.data.insert(name.into(), SmallVec::from_slice(&[named]));
            }
        }
    }

    /// A GLOBAL name of the program so many levels (from 1) further out.
    pub fn add_outer(&mut self, levels: u32, name: &str, named: Named) {
        let at = levels.checked_sub(1).expect("a containing program is at least one level out") as usize;
        if self.outer.len() <= at {
            self.outer.resize_with(at + 1, FxHashMap::default);
        }
        self.outer[at].entry(name.into()).or_default().push(named);
    }

    /// The names of this program, then those of the containing ones from the inside out.
    pub fn scopes(&self) -> impl Iterator<Item = &FxHashMap<Box<str>, Candidates>> {
        std::iter::once(&self.data).chain(&self.outer)
    }

    /// Resolves a data name, condition-name or file name.
    pub fn find(&self, program: &Program, name: &str, qualifiers: &[Box<str>]) -> Result<Named, Unresolved> {
        let mut missed = Unresolved::Undefined;
        for scope in self.scopes() {
            match find_in(scope, program, name, qualifiers) {
                Err(Unresolved::Undefined) => {}
                Err(Unresolved::Unqualified) => missed = Unresolved::Unqualified,
                found => return found,
            }
        }
        Err(missed)
    }

    pub fn find_item(&self, program: &Program, name: &QualifiedName) -> Result<ItemId, Unresolved> {
        match self.find(program, &name.name, &name.qualifiers)? {
            Named::Item(item) => Ok(item),
            _ => Err(Unresolved::Undefined),
        }
    }

    pub fn find_file(&self, name: &str) -> Option<FileId> {
        let candidates = self.scopes().find_map(|scope| scope.get(name))?;
        candidates.iter().find_map(|named| if let Named::File(file) = named { Some(*file) } else { None })
    }

    /// Resolves a procedure name, preferring the current section when it is not qualified.
    pub fn find_procedure(
        &self,
        program: &Program,
        name: &str,
        section: Option<&str>,
        current: Option<ProcedureId>,
    ) -> Result<ProcedureId, Unresolved> {
        let Some(candidates) = self.procedures.get(name) else { return Err(Unresolved::Undefined) };
        if let Some(section) = section {
            let mut matching = candidates.iter().filter(|id| {
                let procedure = program.procedure(**id);
                procedure.kind == ProcedureKind::Paragraph && procedure.section.is_some_and(|of| &*program.procedure(of).name == section)
            });
            return match (matching.next(), matching.next()) {
                (Some(id), None) => Ok(*id),
                (None, _) => Err(Unresolved::Unqualified),
                _ => Err(Unresolved::Ambiguous(Vec::new())),
            };
        }
        if let [only] = candidates.as_slice() {
            return Ok(*only);
        }
        let mut local = candidates.iter().filter(|id| current.is_some() && program.procedure(**id).section == current);
        match (local.next(), local.next()) {
            (Some(id), None) => Ok(*id),
            _ => Err(Unresolved::Ambiguous(Vec::new())),
        }
    }
}

fn find_in(map: &FxHashMap<Box<str>, Candidates>, program: &Program, name: &str, qualifiers: &[Box<str>]) -> Result<Named, Unresolved> {
    let Some(candidates) = map.get(name) else { return Err(Unresolved::Undefined) };
    if qualifiers.is_empty() {
        if let [only] = candidates.as_slice() {
            return Ok(*only);
        }
        let complete = complete(program, candidates, qualifiers);
        return complete.ok_or_else(|| Unresolved::Ambiguous(items_of(program, candidates.iter())));
    }
    let matching: Candidates = candidates.iter().copied().filter(|named| is_qualified(program, *named, qualifiers)).collect();
    match matching.as_slice() {
        [only] => Ok(*only),
        [] => Err(Unresolved::Unqualified),
        _ => complete(program, &matching, qualifiers).ok_or_else(|| Unresolved::Ambiguous(items_of(program, matching.iter()))),
    }
}

/// QUALIFY(EXTEND): the only candidate of which every level above it is named. (Programming Guide, QUALIFY option.)
fn complete(program: &Program, candidates: &[Named], qualifiers: &[Box<str>]) -> Option<Named> {
    let levels_above = |named: Named| {
        let (mut level, mut count) = match named {
            Named::Item(item) => (program.item(item).parent, 0),
            Named::Condition(condition) => (Some(program.condition_names[condition.0 as usize].item), 0),
            Named::File(_) => (None, 0),
        };
        while let Some(item) = level {
            count += usize::from(&*program.item(item).name != "FILLER");
            level = program.item(item).parent;
        }
        count
    };
    let mut complete =
        candidates.iter().copied().filter(|named| program.options.qualify_extended && levels_above(*named) <= qualifiers.len());
    match (complete.next(), complete.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

fn items_of<'a>(program: &Program, candidates: impl Iterator<Item = &'a Named>) -> Vec<ItemId> {
    candidates
        .filter_map(|named| match named {
            Named::Item(item) => Some(*item),
            Named::Condition(condition) => Some(program.condition_names[condition.0 as usize].item),
            Named::File(_) => None,
        })
        .collect()
}

fn is_qualified(program: &Program, named: Named, qualifiers: &[Box<str>]) -> bool {
    let (mut level, base) = match named {
        Named::Item(item) => (program.item(item).parent, program.item(item).base),
        Named::Condition(condition) => {
            let item = program.condition_names[condition.0 as usize].item;
            (Some(item), program.item(item).base)
        }
        Named::File(_) => return false,
    };
    for (position, qualifier) in qualifiers.iter().enumerate() {
        loop {
            match level {
                Some(item) => {
                    level = program.item(item).parent;
                    if program.item(item).name == *qualifier {
                        break;
                    }
                }
                None => return position + 1 == qualifiers.len() && is_file_of(program, root_of(program, named), base, qualifier),
            }
        }
    }
    true
}

/// The level 01 item that contains it.
fn root_of(program: &Program, named: Named) -> ItemId {
    let item = match named {
        Named::Item(item) => item,
        Named::Condition(condition) => program.condition_names[condition.0 as usize].item,
        Named::File(_) => return ItemId(0),
    };
    program.root(item)
}

/// The record belongs to the file of that name. Files may share a record area, so the area alone is not enough.
fn is_file_of(program: &Program, root: ItemId, base: crate::program::BaseId, name: &str) -> bool {
    match program.base(base).kind {
        BaseKind::Record(_) | BaseKind::ExternalRecord(_) | BaseKind::Outer { .. } => {
            program.files.iter().any(|file| &*file.name == name && file.base == base && file.records.contains(&root))
        }
        _ => false,
    }
}
