//! Autoinstall of programs: a program without a definition is installed at its first use, if PGAIPGM=ACTIVE.
//!
//! The control program (PGAIEXIT) decides: it gets DFHPGACO as its communication area, and names the model and what differs from it ("The
//! autoinstall control program at INSTALL"). DFHPGADX is part of the region and installs by the default model; a program of that name in a
//! library, or with a definition, takes its place.

use super::catalog;
use super::program::{Program, ProgramFault, ProgramManager};
use super::run::{LinkRequest, RunsAs, run_level};
use crate::control_blocks::application::Application;
use crate::control_blocks::exit_structure::ExitRecord;
use crate::name::{Name4, Name8};
use crate::storage_access::{self, Area};
use crate::{Region, Task};
use csd::{Api, Concurrency, Definition, Key, Language, ProgramDefinition, ProgramType};
use kernel::storage::{Getmain, Key as StorageKey, Line};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The control program that is part of the region, and its model.
const SUPPLIED: &str = "DFHPGADX";
const DEFAULT_MODEL: &str = "DFHPGAPG";
const STRUCTURE: &str = "DFHPGACO";

/// How a program is to be installed.
pub struct Autoinstall {
    model: Option<Name8>,
    answer: Option<ExitRecord<'static>>,
}

impl Autoinstall {
    /// By the default model.
    pub const DEFAULT: Autoinstall = Autoinstall { model: None, answer: None };
}

impl ProgramManager {
    /// Installs a program that a library contains, or that runs in another system. For a task of an application it is private to that.
    pub(super) fn autoinstall(
        &self,
        region: &Region,
        application: Option<&Arc<Application>>,
        name: Name8,
        how: &Autoinstall,
    ) -> Result<Arc<Program>, ProgramFault> {
        if !self.autoinstall.load(Ordering::Relaxed) || name.is_blank() {
            return Err(ProgramFault::NotDefined);
        }
        let model_name = how.model.unwrap_or(Name8::new(DEFAULT_MODEL));
        let model = self.find(model_name).map(|model| (*model.definition()).clone());
        let mut definition = match model {
            Some(model) if model.enabled => model,
            None if how.model.is_none() => ProgramDefinition::from(&Definition::new("PROGRAM", DEFAULT_MODEL, "")),
            _ => return Err(ProgramFault::AutoinstallModel),
        };
        definition.name = name;
        definition.program_type = ProgramType::Program;
        if let Some(answer) = &how.answer {
            apply(&mut definition, answer);
        }
        if region.is_local(definition.remote_system) && self.member(application, name, program::batch::MODULE_EXTENSION).is_none() {
            return Err(ProgramFault::NotLoaded);
        }
        let program = Program::new(definition, true, &self.generation);
        let program = match application {
            Some(application) => self.applications.add(application, Arc::new(program.owned_by(application.clone()))),
            None => {
                let program = self.programs.write().entry(name).or_insert_with(|| Arc::new(program)).clone();
                catalog::installed(region, &program.definition());
                program
            }
        };
        region.messages.send("DFHPG0201", &[("program", name.as_str()), ("model", model_name.as_str())]);
        Ok(program)
    }
}

impl Task {
    /// Lets the control program install a program that is not defined. A program without one is installed where it is looked up.
    pub(crate) fn install_undefined(&mut self, application: Option<&Arc<Application>>, name: Name8) -> Result<(), ProgramFault> {
        let programs = self.region.programs();
        if !programs.autoinstall.load(Ordering::Relaxed) || name.is_blank() || programs.find_for(application, name).is_some() {
            return Ok(());
        }
        let exit = *programs.autoinstall_exit.read();
        let is_there = programs.find(exit).is_some() || programs.find_member(exit, program::batch::MODULE_EXTENSION).is_some();
        // The control program itself is not installed by it.
        if exit == name || exit.as_str() == SUPPLIED && !is_there {
            return Ok(());
        }
        let installed = self.ask_control_program(exit, name).and_then(|how| programs.autoinstall(self.region, application, name, &how));
        match installed {
            Ok(_) => Ok(()),
            Err(fault) => {
                let values = [("program", name.as_str()), ("reason", fault.text())];
                self.region.messages.send("DFHPG0206", &values);
                Err(fault)
            }
        }
    }

    fn ask_control_program(&mut self, exit: Name8, name: Name8) -> Result<Autoinstall, ProgramFault> {
        let page = &self.region.code_page;
        let structure = exec::exit_structure(STRUCTURE);
        let question = ExitRecord::new(STRUCTURE, page)
            .text("PGAC_PROGRAM", name.as_str())
            .text("PGAC_MODULE_TYPE", structure.value("PGAC_TYPE_PROGRAM"))
            .into_bytes();
        let answer = self.link_replaceable(exit, question).map_err(|_| ProgramFault::AutoinstallFailed)?;
        let answer = ExitRecord::of_bytes(STRUCTURE, page, answer);
        if answer.is("PGAC_RETURN_CODE", "PGAC_RETURN_DONT_DEFINE_PROGRAM") {
            return Err(ProgramFault::NotDefined);
        }
        let is_known = |field: &&exec::ExitField| {
            let value = answer.get(field.name);
            field.values.is_empty() || value.is_empty() || field.values.iter().any(|(_, known, _)| *known == value)
        };
        if !structure.fields.iter().all(|field| is_known(&field)) {
            return Err(ProgramFault::AutoinstallData);
        }
        let model = Name8::new(&answer.get("PGAC_MODEL_NAME"));
        Ok(Autoinstall { model: (!model.is_blank()).then_some(model), answer: Some(answer) })
    }

    /// Links to a user-replaceable program with a communication area, and returns what it left there.
    ///
    /// # Errors
    ///
    /// The abend code of the program, or why it cannot be used.
    pub fn link_replaceable(&mut self, name: Name8, commarea: Vec<u8>) -> Result<Vec<u8>, String> {
        let program = self.ready_program(name).map_err(|fault| fault.text().to_string())?;
        let request = Getmain { length: commarea.len(), line: Line::Below2G, key: StorageKey::Cics, initial: None };
        let address = self.getmain(request, false).map_err(|_| "there is no storage".to_string())?;
        let area = Area::new(address, commarea.len());
        let eib = *self.eib.bytes();
        let written = storage_access::write(address, &commarea);
        debug_assert!(written.is_ok(), "storage of the region's own can be written");
        let (pending, information) = (self.pending_abend.take(), self.abend_information.clone());
        let request = LinkRequest { program, commarea: area, channel: None, input_message: None, runs_as: RunsAs::System };
        let ended = run_level(self, request);
        (self.pending_abend, self.abend_information) = (pending, information);
        self.eib.set(0, &eib);
        let _ = self.eib.flush();
        let left = area.read();
        self.freemain(address);
        ended.map_err(|abend| abend.code_text())?;
        left.map_err(|_| "its communication area cannot be read".to_string())
    }
}

/// Puts what the control program answered into the definition of the model.
fn apply(definition: &mut ProgramDefinition, answer: &ExitRecord) {
    let is = |field: &str, value: &str| answer.is(field, value);
    let choose = |field: &str, yes: &str, no: &str, current: bool| if is(field, yes) { true } else { !is(field, no) && current };
    for (value, language) in [
        ("PGAC_ASSEMBLER", Language::Assembler),
        ("PGAC_COBOL", Language::Cobol),
        ("PGAC_C370", Language::C),
        ("PGAC_LE370", Language::Le370),
        ("PGAC_PLI", Language::Pli),
    ] {
        if is("PGAC_LANGUAGE", value) {
            definition.language = language;
        }
    }
    for (value, concurrency) in
        [("PGAC_QUASIRENT", Concurrency::Quasirent), ("PGAC_THREADSAFE", Concurrency::Threadsafe), ("PGAC_REQUIRED", Concurrency::Required)]
    {
        if is("PGAC_CONCURRENCY", value) {
            definition.concurrency = concurrency;
        }
    }
    definition.cedf = choose("PGAC_CEDF_STATUS", "PGAC_CEDF_YES", "PGAC_CEDF_NO", definition.cedf);
    definition.data_anywhere = choose("PGAC_DATA_LOCATION", "PGAC_LOCATION_ANY", "PGAC_LOCATION_BELOW", definition.data_anywhere);
    let in_cics_key = choose("PGAC_EXECUTION_KEY", "PGAC_CICS_KEY", "PGAC_USER_KEY", definition.execkey == Key::Cics);
    definition.execkey = if in_cics_key { Key::Cics } else { Key::User };
    definition.reload = is("PGAC_LOAD_ATTRIBUTE", "PGAC_RELOAD") || definition.reload;
    definition.resident = is("PGAC_LOAD_ATTRIBUTE", "PGAC_RESIDENT") || definition.resident;
    definition.dpl_subset = choose("PGAC_EXECUTION_SET", "PGAC_DPLSUBSET", "PGAC_FULLAPI", definition.dpl_subset);
    definition.dynamic = choose("PGAC_DYNAMIC_STATUS", "PGAC_DYNAMIC_YES", "PGAC_DYNAMIC_NO", definition.dynamic);
    if choose("PGAC_API", "PGAC_OPENAPI", "PGAC_CICSAPI", definition.api == Api::Openapi) {
        // OPENAPI implies REQUIRED, as in a definition.
        (definition.api, definition.concurrency) = (Api::Openapi, Concurrency::Required);
    } else {
        definition.api = Api::Cicsapi;
    }
    if !answer.get("PGAC_REMOTE_SYSID").is_empty() {
        definition.remote_system = Name4::new(&answer.get("PGAC_REMOTE_SYSID"));
        definition.remote_name = Name8::new(&answer.get("PGAC_REMOTE_PROGID"));
        definition.transid = Name4::new(&answer.get("PGAC_REMOTE_TRANSID"));
    }
}
