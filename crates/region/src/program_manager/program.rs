//! Installed programs: definition, status, code, use counts.

use super::autoinstall::Autoinstall;
use super::library::{Library, Member};
use super::private::Applications;
use crate::control_blocks::application::{Application, Context};
use crate::figures::ResourceStatistics;
use crate::name::Name8;
use crate::{NativeProgram, Raised, Region};
use csd::ProgramDefinition;
use exec::condition;
use exec::resp2::program_control as resp2;
use kernel::Mode;
use kernel::storage::PageMapping;
use parking_lot::{Mutex, RwLock};
use program::module::Module;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The code of a program.
#[derive(Clone)]
pub enum Code {
    Module { module: Arc<Module>, program: usize, label: u32 },
    Native(NativeProgram),
}

/// Why a program cannot be used; the number is RESP2 of PGMIDERR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramFault {
    NotDefined = resp2::NOT_DEFINED as isize,
    Disabled = resp2::DISABLED as isize,
    NotLoaded = resp2::NOT_LOADED as isize,
    /// The definition is of a program in another system.
    Remote = resp2::REMOTE_PROGRAM as isize,
    /// LOAD of a program that cannot be loaded as data.
    NotLoadable = resp2::NOT_LOADABLE as isize,
    AutoinstallFailed = resp2::AUTOINSTALL_FAILED as isize,
    AutoinstallModel = resp2::AUTOINSTALL_MODEL as isize,
    AutoinstallData = resp2::AUTOINSTALL_DATA as isize,
}

impl ProgramFault {
    /// For messages.
    pub fn text(self) -> &'static str {
        match self {
            ProgramFault::NotDefined => "it is not defined",
            ProgramFault::Disabled => "it is disabled",
            ProgramFault::NotLoaded => "it is in no library, or could not be loaded",
            ProgramFault::Remote => "it is defined in another system",
            ProgramFault::NotLoadable => "it cannot be loaded as data",
            ProgramFault::AutoinstallFailed => "the program autoinstall control program failed",
            ProgramFault::AutoinstallModel => "the model for its autoinstall is not defined",
            ProgramFault::AutoinstallData => "the program autoinstall control program returned data that is not valid",
        }
    }
}

impl From<ProgramFault> for Raised {
    fn from(fault: ProgramFault) -> Self {
        Raised::new(condition::PGMIDERR, fault as i32)
    }
}

/// The present copy of the code, and the storage a LOAD gave for it.
#[derive(Default)]
struct Copy {
    code: Option<Code>,
    library: String,
    data_set: String,
    length: usize,
    /// The checksum of its file, so that an unchanged copy can be reported.
    checksum: u32,
    /// The data for LOAD SET, created at the first LOAD.
    image: Option<PageMapping>,
    /// Those of earlier copies, which PHASEIN has replaced while tasks had their addresses.
    replaced: Vec<PageMapping>,
}

pub struct Program {
    pub name: Name8,
    definition: RwLock<Arc<ProgramDefinition>>,
    copy: RwLock<Copy>,
    /// Times used.
    pub use_count: AtomicU64,
    /// Levels and LOADs using it now.
    pub in_use: AtomicU32,
    pub fetches: AtomicU64,
    pub fetch_nanoseconds: AtomicU64,
    pub new_copies: AtomicU64,
    /// LOADs that have not been released. While there is one, the data stay where they are.
    loads: AtomicU32,
    /// Those with HOLD among them.
    pub held: AtomicU32,
    pub autoinstalled: bool,
    /// The version of an application that it is private to.
    owner: Option<Arc<Application>>,
    /// It is an application entry point: the context that its tasks get.
    entry_point: RwLock<Option<Arc<Context>>>,
    /// The manager's.
    generation: Arc<AtomicU64>,
}

impl Program {
    pub(super) fn new(definition: ProgramDefinition, autoinstalled: bool, generation: &Arc<AtomicU64>) -> Self {
        Self {
            name: definition.name,
            definition: RwLock::new(Arc::new(definition)),
            copy: RwLock::default(),
            use_count: AtomicU64::new(0),
            in_use: AtomicU32::new(0),
            fetches: AtomicU64::new(0),
            fetch_nanoseconds: AtomicU64::new(0),
            new_copies: AtomicU64::new(0),
            loads: AtomicU32::new(0),
            held: AtomicU32::new(0),
            autoinstalled,
            owner: None,
            entry_point: RwLock::default(),
            generation: generation.clone(),
        }
    }

    /// The same program, private to a version of an application.
    pub(super) fn owned_by(self, application: Arc<Application>) -> Self {
        Self { owner: Some(application), ..self }
    }

    pub fn owner(&self) -> Option<&Arc<Application>> {
        self.owner.as_ref()
    }

    pub fn entry_point(&self) -> Option<Arc<Context>> {
        self.entry_point.read().clone()
    }

    /// Makes it an application entry point, or no longer one.
    pub fn declare(&self, entry_point: Option<Arc<Context>>) {
        *self.entry_point.write() = entry_point;
        self.generation.fetch_add(1, Ordering::Release);
    }

    #[inline]
    pub fn definition(&self) -> Arc<ProgramDefinition> {
        self.definition.read().clone()
    }

    pub fn change(&self, change: impl FnOnce(&mut ProgramDefinition)) {
        let mut definition = self.definition.write();
        let mut changed = (**definition).clone();
        change(&mut changed);
        *definition = Arc::new(changed);
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// REMOTESYSTEM names no other system.
    pub fn is_local(&self, region: &Region) -> bool {
        region.is_local(self.definition.read().remote_system)
    }

    pub fn is_native(&self) -> bool {
        matches!(self.copy.read().code, Some(Code::Native(_)))
    }

    pub fn is_loaded(&self) -> bool {
        self.copy.read().code.is_some()
    }

    /// Bytes of the load module; 0 when it is not loaded.
    pub fn length(&self) -> usize {
        self.copy.read().length
    }

    /// The library the present copy came from.
    pub fn library(&self) -> String {
        self.copy.read().library.clone()
    }

    /// The data set of that library.
    pub fn library_data_set(&self) -> String {
        self.copy.read().data_set.clone()
    }

    pub fn image(&self) -> Option<(usize, usize)> {
        self.copy.read().image.as_ref().map(|image| (image.address, image.length))
    }

    /// A LOAD begins: before it looks for the data, which another task may be giving up.
    pub(super) fn begin_load(&self) {
        self.in_use.fetch_add(1, Ordering::AcqRel);
        self.loads.fetch_add(1, Ordering::AcqRel);
    }

    /// A LOAD is released, or has failed. True: nobody has the data any more.
    pub(super) fn end_load(&self) -> bool {
        let users = self.in_use.fetch_sub(1, Ordering::AcqRel);
        let loads = self.loads.fetch_sub(1, Ordering::AcqRel);
        debug_assert!(users > 0 && loads > 0, "a LOAD is released once");
        loads == 1
    }

    /// Gives up the data of LOAD, if nobody has asked for them meanwhile.
    pub(super) fn drop_image(&self) {
        let mut copy = self.copy.write();
        if self.loads.load(Ordering::Acquire) == 0 {
            copy.image = None;
            copy.replaced.clear();
        }
    }

    /// Notes the copy of a mapset that a library gave.
    pub fn mapset_loaded(&self, library: String, length: usize) {
        let mut copy = self.copy.write();
        debug_assert!(copy.code.is_none(), "a mapset has no code");
        (copy.library, copy.length) = (library, length);
        self.fetches.fetch_add(1, Ordering::Relaxed);
    }

    /// The loaded code is a program with one of these [`program::module::attributes`].
    pub fn has(&self, attributes: u32) -> bool {
        match &self.copy.read().code {
            Some(Code::Module { module, program, .. }) => module.programs[*program].attributes & attributes != 0,
            _ => false,
        }
    }

    /// The language, where the code says it.
    pub fn is_cobol(&self) -> bool {
        matches!(self.copy.read().code, Some(Code::Module { .. })) && !self.is_c()
    }

    pub fn is_c(&self) -> bool {
        self.has(program::module::attributes::C)
    }
}

/// The program manager of a region.
#[derive(Default)]
pub struct ProgramManager {
    pub(super) programs: RwLock<FxHashMap<Name8, Arc<Program>>>,
    /// Programs without a definition that others CALL.
    called: RwLock<FxHashMap<Name8, Arc<Program>>>,
    /// In the order of search.
    pub(super) libraries: RwLock<Vec<Library>>,
    pub(super) applications: Applications,
    pub autoinstall: std::sync::atomic::AtomicBool,
    /// The program autoinstall control program.
    pub autoinstall_exit: RwLock<Name8>,
    /// Counts up when a program is changed, replaced or discarded.
    pub(super) generation: Arc<AtomicU64>,
    /// Loads from libraries, the time they took, and changes of the libraries.
    pub loads: AtomicU64,
    pub load_nanoseconds: AtomicU64,
    /// Those of tasks on the resource owning TCB.
    pub loads_on_ro: AtomicU64,
    pub load_nanoseconds_on_ro: AtomicU64,
    pub library_changes: AtomicU64,
    /// Why programs could not be loaded at the last attempt.
    not_loaded: Mutex<FxHashMap<Name8, String>>,
}

impl ProgramManager {
    /// DFHRPL, whether programs without a definition are installed at their first use (PGAIPGM), and who decides on that (PGAIEXIT).
    pub fn configure(&self, directories: Vec<PathBuf>, autoinstall: bool, exit: Name8) {
        *self.autoinstall_exit.write() = exit;
        *self.libraries.write() = vec![Library::dfhrpl(directories)];
        self.autoinstall.store(autoinstall, Ordering::Relaxed);
    }

    /// Installs or replaces a definition; a copy in use stays as it is.
    pub fn install(&self, definition: ProgramDefinition) {
        let mut programs = self.programs.write();
        match programs.get(&definition.name) {
            Some(existing) => existing.change(|current| *current = definition),
            None => {
                programs.insert(definition.name, Arc::new(Program::new(definition, false, &self.generation)));
            }
        }
    }

    /// A program that is part of the region. It keeps its code if a definition for it is installed.
    pub fn install_native(&self, name: Name8, native: NativeProgram) {
        let definition = csd::Definition::new("PROGRAM", name.as_str(), "").with("EXECKEY", "CICS").with("CONCURRENCY", "THREADSAFE");
        let program = Program::new(ProgramDefinition::from(&definition), false, &self.generation);
        program.copy.write().code = Some(Code::Native(native));
        self.programs.write().insert(name, Arc::new(program));
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// Uses of all programs.
    pub fn uses(&self) -> u64 {
        self.programs.read().values().map(|program| program.use_count.load(Ordering::Relaxed)).sum()
    }

    pub fn discard(&self, name: Name8) -> Option<Arc<Program>> {
        let discarded = self.programs.write().remove(&name);
        self.generation.fetch_add(1, Ordering::Release);
        discarded
    }

    /// Programs kept for reuse are valid for one generation.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// A public program.
    #[inline]
    pub fn find(&self, name: Name8) -> Option<Arc<Program>> {
        let found = self.programs.read().get(&name).cloned();
        found.or_else(|| self.applications.find_public(name))
    }

    /// The program that a task of an application finds: one of the application's own, or a public one.
    #[inline]
    pub fn find_for(&self, application: Option<&Arc<Application>>, name: Name8) -> Option<Arc<Program>> {
        self.applications.find(application, name).or_else(|| self.find(name))
    }

    pub fn names(&self) -> Vec<Name8> {
        let mut names: Vec<Name8> = self.programs.read().keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// An enabled program; one that is not defined is autoinstalled by the default model if the region does that and a library contains it.
    #[inline]
    fn enabled(&self, region: &Region, application: Option<&Arc<Application>>, name: Name8) -> Result<Arc<Program>, ProgramFault> {
        let program = match self.find_for(application, name) {
            Some(program) => program,
            None => self.autoinstall(region, application, name, &Autoinstall::DEFAULT)?,
        };
        if !program.definition.read().enabled {
            return Err(ProgramFault::Disabled);
        }
        Ok(program)
    }

    /// An enabled program of this region, for the commands of an application's task that cannot be sent to another region.
    pub fn local_for(&self, region: &Region, application: Option<&Arc<Application>>, name: Name8) -> Result<Arc<Program>, ProgramFault> {
        let program = self.enabled(region, application, name)?;
        if program.is_local(region) { Ok(program) } else { Err(ProgramFault::Remote) }
    }

    /// A program called by CALL. On z/OS, one without a definition would be part of the caller's load module, because the binder resolves
    /// it from its libraries; so the library's member is used here, whether or not the program is defined.
    pub fn called(&self, region: &Region, application: Option<&Arc<Application>>, name: Name8) -> Result<Arc<Program>, ProgramFault> {
        match self.enabled(region, application, name) {
            Err(ProgramFault::NotDefined) => {}
            found => return found,
        }
        let undefined =
            || Program::new(ProgramDefinition::from(&csd::Definition::new("PROGRAM", name.as_str(), "")), false, &self.generation);
        if let Some(application) = application
            && self.applications.member(Some(application), name, program::batch::MODULE_EXTENSION).is_some()
        {
            let known = self.applications.find_called(application, name);
            return Ok(
                known.unwrap_or_else(|| self.applications.add_called(application, Arc::new(undefined().owned_by(application.clone()))))
            );
        }
        if let Some(program) = self.called.read().get(&name) {
            return Ok(program.clone());
        }
        if name.is_blank() || self.find_member(name, program::batch::MODULE_EXTENSION).is_none() {
            return Err(ProgramFault::NotDefined);
        }
        Ok(self.called.write().entry(name).or_insert_with(|| Arc::new(undefined())).clone())
    }

    /// The current code, fetched from the library at first use.
    #[inline]
    pub fn code(&self, region: &Region, program: &Program) -> Result<Code, ProgramFault> {
        if let Some(code) = &program.copy.read().code {
            return Ok(code.clone());
        }
        self.fetch(region, program)
    }

    fn fetch(&self, region: &Region, program: &Program) -> Result<Code, ProgramFault> {
        let mut copy = program.copy.write();
        if let Some(code) = &copy.code {
            return Ok(code.clone());
        }
        let begun = Instant::now();
        match self.load(program) {
            Ok(fresh) => *copy = fresh,
            Err(reason) => {
                // Who sends the message may need the program: an exit program, or a queue that starts a task.
                drop(copy);
                return Err(self.cannot_load(region, program.name, reason));
            }
        }
        program.fetch_nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        program.fetches.fetch_add(1, Ordering::Relaxed);
        copy.code.clone().ok_or(ProgramFault::NotLoaded)
    }

    fn cannot_load(&self, region: &Region, name: Name8, reason: String) -> ProgramFault {
        region.messages.send("DFHLD0107", &[("program", name.as_str()), ("reason", &reason)]);
        self.not_loaded.lock().insert(name, reason);
        ProgramFault::NotLoaded
    }

    /// # Errors
    ///
    /// Why the program cannot be loaded, for the operator.
    fn load(&self, program: &Program) -> Result<Copy, String> {
        let (name, owner) = (program.name, program.owner());
        if program.definition.read().jvm {
            return Err("it is a Java program (JVM(YES)), and there is no Java virtual machine".to_string());
        }
        let Some(Member { library, data_set, path }) = self.member(owner, name, program::batch::MODULE_EXTENSION) else {
            // The compiler stores its messages in place of the load module.
            return Err(match self.find_member(name, program::batch::MESSAGES_EXTENSION) {
                Some((_, messages)) => format!("it did not compile: see {}", messages.display()),
                None => "it is in no library".to_string(),
            });
        };
        let begun = Instant::now();
        let module = Module::load(&path).map_err(|error| error.to_string())?;
        self.count_load(owner, &library, begun.elapsed());
        let (program, label) = module.find_entry(name.as_str()).unwrap_or((0, 0));
        let file = std::fs::read(&path).map_err(|error| error.to_string())?;
        let checksum = crc32fast::hash(&file);
        self.not_loaded.lock().remove(&name);
        Ok(Copy { code: Some(Code::Module { module, program, label }), library, data_set, length: file.len(), checksum, ..Copy::default() })
    }

    fn count_load(&self, owner: Option<&Arc<Application>>, library: &str, time: Duration) {
        let time = time.as_nanos() as u64;
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.load_nanoseconds.fetch_add(time, Ordering::Relaxed);
        if kernel::current().is_some_and(|task| task.mode() == Mode::Ro) {
            self.loads_on_ro.fetch_add(1, Ordering::Relaxed);
            self.load_nanoseconds_on_ro.fetch_add(time, Ordering::Relaxed);
        }
        if self.applications.count_load(owner, library) {
            return;
        }
        if let Some(library) = self.libraries.read().iter().find(|of| of.name == library) {
            library.loads.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Why a program cannot be used, in the words of the last attempt to load it.
    pub(super) fn reason(&self, name: Name8, fault: ProgramFault) -> String {
        let not_loaded = self.not_loaded.lock();
        not_loaded.get(&name).filter(|_| fault == ProgramFault::NotLoaded).map_or_else(|| fault.text().to_string(), Clone::clone)
    }

    /// Uses the library's present copy for all uses that begin from now on. NEWCOPY refuses while the program is in use.
    pub fn new_copy(&self, region: &Region, program: &Program, phase_in: bool) -> Result<NewCopy, NewCopyFault> {
        if program.is_native() {
            return Err(NewCopyFault::NotInLibrary);
        }
        if !phase_in && program.in_use.load(Ordering::Acquire) > 0 {
            return Err(NewCopyFault::InUse);
        }
        if program.held.load(Ordering::Acquire) > 0 {
            return Err(NewCopyFault::Held);
        }
        let fresh = self.load(program).map_err(|reason| {
            self.cannot_load(region, program.name, reason);
            NewCopyFault::NotInLibrary
        })?;
        let mut copy = program.copy.write();
        let is_same = copy.code.is_some() && (copy.length, copy.checksum) == (fresh.length, fresh.checksum);
        let old = std::mem::replace(&mut *copy, fresh);
        if program.loads.load(Ordering::Acquire) > 0 {
            copy.replaced = old.replaced.into_iter().chain(old.image).collect();
        }
        drop(copy);
        program.new_copies.fetch_add(1, Ordering::Relaxed);
        self.generation.fetch_add(1, Ordering::Release);
        let new_copy = if is_same { NewCopy::Same } else { NewCopy::Changed };
        region.messages.send("DFHLD0721", &[("program", program.name.as_str()), ("copy", new_copy.text())]);
        Ok(new_copy)
    }

    /// A program that was called without a definition and has been loaded.
    pub fn find_called(&self, name: Name8) -> Option<Arc<Program>> {
        self.called.read().get(&name).cloned()
    }

    /// LOAD: address and length of the module's data in storage. Load modules are re-entrant, so the data is in the ERDSA, where
    /// RENTPGM=PROTECT makes it read-only.
    pub(super) fn load_image(&self, region: &Region, program: &Program) -> Result<(usize, usize), ProgramFault> {
        if let Some(place) = program.image() {
            return Ok(place);
        }
        let bytes = match self.mapset(program) {
            Some((library, bytes)) => {
                program.mapset_loaded(library, bytes.len());
                bytes
            }
            None => {
                let Code::Module { module, program: index, .. } = self.code(region, program)? else {
                    return Err(ProgramFault::NotLoadable);
                };
                let area = &module.programs[index].working_storage;
                let mut bytes = module.image(area).to_vec();
                bytes.resize((area.length as usize).max(1), 0);
                bytes
            }
        };
        let mut copy = program.copy.write();
        if let Some(image) = &copy.image {
            return Ok((image.address, image.length));
        }
        let image = region.storage.map_data(&bytes).map_err(|_| ProgramFault::NotLoaded)?;
        let place = (image.address, image.length);
        copy.image = Some(image);
        Ok(place)
    }

    /// The library's member, if it is a mapset and no program.
    fn mapset(&self, program: &Program) -> Option<(String, Vec<u8>)> {
        if program.is_loaded() {
            return None;
        }
        let (library, path) = self.find_member(program.name, program::batch::MODULE_EXTENSION)?;
        let bytes = std::fs::read(path).ok()?;
        bms::object::LoadedMapSet::decode(&bytes).ok().map(|_| (library, bytes))
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        let mut all: Vec<ResourceStatistics> = self
            .programs
            .read()
            .values()
            .map(|program| ResourceStatistics {
                resource: "PROGRAM",
                name: program.name.to_string(),
                counters: vec![
                    ("uses", program.use_count.load(Ordering::Relaxed)),
                    ("in_use", u64::from(program.in_use.load(Ordering::Relaxed))),
                    ("fetches", program.fetches.load(Ordering::Relaxed)),
                    ("new_copies", program.new_copies.load(Ordering::Relaxed)),
                ],
            })
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}

/// The result of NEWCOPY and PHASEIN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewCopy {
    Changed,
    /// The copy is identical to the previous one.
    Same,
}

impl NewCopy {
    pub fn text(self) -> &'static str {
        match self {
            NewCopy::Changed => "A newly found copy",
            NewCopy::Same => "The same copy as before",
        }
    }
}

/// Why SET PROGRAM NEWCOPY or PHASEIN was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NewCopyFault {
    #[error("the program is in use")]
    InUse,
    #[error("the program is held by LOAD with HOLD")]
    Held,
    #[error("no copy of the program can be loaded from a library")]
    NotInLibrary,
}
