//! Runs job steps of an application's own batch programs, each once: programs that fill files and tables.
//!
//! A step runs in this process, on the open store and the application's database. Its output is kept as a listing.

use std::collections::BTreeSet;
use std::io::{BufWriter, Cursor};
use std::path::Path;
use std::sync::Arc;

use program::batch::{BatchHost, DataDefinition, FileFormat, MODULE_EXTENSION};
use program::module::Module;
use program::rununit::Ended;
use vsam::DataSets;
use vsam::disk::private;

use super::jcl::Dd;
use super::program_steps::{ProgramStep, UNLOAD};
use super::setup::{Ledger, ProgramEntry};
use crate::console::Console;
use crate::database::{BatchSql, Database, Surroundings};
use crate::records::VsamRecords;
use crate::run_time_options::{parse, split};
use crate::sequential::sequential_path;
use crate::work_directory::WorkDirectory;

/// A return code above this is a failure: 4 is a warning.
const FAILURE_ABOVE: i32 = 4;

pub struct Programs<'a> {
    pub work: &'a WorkDirectory,
    pub data_sets: &'a Arc<DataSets>,
    pub database: Option<(&'a Database, &'a str)>,
    /// The further databases.
    pub surroundings: Option<Surroundings>,
    pub console: &'a Console,
    pub ccsid: u16,
}

impl Programs<'_> {
    /// Runs the steps that have not yet run well. A failure is a problem of the start, and the step runs again at the next.
    pub fn run(&self, steps: &[&ProgramStep]) -> Result<Vec<String>, String> {
        let mut problems = Vec::new();
        let mut ledger = Ledger::read(&self.work.ledger())?;
        for step in steps {
            let statements = crc32fast::hash(format!("{} {}", step.program, step.parm).as_bytes());
            if ledger.programs.get(&step.title).is_some_and(|entry| entry.return_code <= FAILURE_ABOVE) {
                continue;
            }
            if !step.loads.is_empty() && !step.loads.iter().any(|name| self.is_to_be_loaded(name)) {
                continue;
            }
            self.console.line(&format!("  {:<24} runs program {}", step.title, step.program));
            let begin = std::time::Instant::now();
            let return_code = match self.step(step) {
                Ok(return_code) => return_code,
                Err(error) => {
                    problems.push(format!("{} was not run: {error}", step.title));
                    continue;
                }
            };
            let seconds = begin.elapsed().as_secs_f64();
            self.console.line(&format!("  {:<24} return code {return_code}, {seconds:.1} s", step.title));
            if return_code > FAILURE_ABOVE {
                let listing = self.listing(step).display().to_string();
                problems.push(format!("{}: program {} ended with return code {return_code}; see {listing}", step.title, step.program));
            }
            self.data_sets.store().keypoint().map_err(|error| error.to_string())?;
            ledger.programs.insert(step.title.clone(), ProgramEntry { statements, return_code });
            ledger.write(&self.work.ledger())?;
        }
        Ok(problems)
    }

    /// A data set that is there and has never had a record.
    fn is_to_be_loaded(&self, name: &str) -> bool {
        self.data_sets.open(name, Default::default()).is_ok_and(|file| file.is_to_be_loaded().unwrap_or(false))
    }

    fn listing(&self, step: &ProgramStep) -> std::path::PathBuf {
        self.work.listings().join(format!("{}.txt", step.title))
    }

    fn step(&self, step: &ProgramStep) -> Result<i32, String> {
        if step.program == UNLOAD {
            return self.unload(step);
        }
        let path = self.work.library().join(format!("{}.{MODULE_EXTENSION}", step.program));
        let module = Module::load(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let listing = self.listing(step);
        let failed = |error: std::io::Error| format!("{}: {error}", listing.display());
        private::create_directory(&self.work.listings()).map_err(failed)?;
        let mut host = BatchHost::new(BufWriter::new(std::fs::File::create(&listing).map_err(failed)?));
        host.libraries = vec![self.work.library()];
        host.add(&module);
        for (name, target) in self.data_definitions(&step.step.dds) {
            host.files.names.insert(name, target);
        }
        host.files.records = Some(Box::new(VsamRecords::opened(self.work.store(), self.data_sets.clone())));
        let sql = self
            .database
            .map(|(database, schema)| BatchSql::connect(database, schema, &step.plan, self.surroundings.clone()))
            .transpose()?;
        if let Some(sql) = &sql {
            host.sql = Some(Box::new(sql.clone()));
        }
        if let Some(text) = step.step.control_statements("SYSIN", &|_| None) {
            host.input = Box::new(Cursor::new(text));
        }
        let (parm, options) = split(&step.parm, module.c.is_some());
        parse(options).apply(&mut host);
        let (ended, return_code) = host.run(&module, Some(parm));
        let _ = host.output.flush();
        let is_normal = !matches!(ended, Ended::Abended(_));
        if let Some(sql) = &sql {
            sql.end(is_normal)?;
        }
        match ended {
            Ended::Abended(failure) => Err(format!("{}; see {}", failure.batch_text(), listing.display())),
            _ => Ok(return_code),
        }
    }

    fn unload(&self, step: &ProgramStep) -> Result<i32, String> {
        let Some((database, schema)) = self.database else { return Err("the application has no database".to_string()) };
        let definitions = self.data_definitions(&step.step.dds);
        let find = |name: &str| definitions.iter().find(|(known, _)| known == name).map(|(_, target)| target.clone());
        let said = super::unload::run(step, (database, schema, self.ccsid), &find)?;
        let listing = self.listing(step);
        private::create_directory(&self.work.listings())
            .and_then(|()| private::write(&listing, said.as_bytes()))
            .map_err(|error| format!("{}: {error}", listing.display()))?;
        Ok(0)
    }

    /// The DD statements that name data: clusters, and sequential data sets.
    fn data_definitions(&self, dds: &[Dd]) -> Vec<(String, DataDefinition)> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let named = dds.iter().filter(|dd| !dd.name.is_empty() && seen.insert(&dd.name));
        named.filter_map(|dd| Some((dd.name.clone(), self.target(dd)?))).collect()
    }

    fn target(&self, dd: &Dd) -> Option<DataDefinition> {
        if dd.dummy {
            return Some(DataDefinition::Dummy);
        }
        let name = dd.data_set.as_ref()?;
        if self.data_sets.open(name, Default::default()).is_ok() || is_generation(name) {
            return Some(DataDefinition::DataSet { name: name.clone(), new: false });
        }
        let format = dd.record_length.map_or(FileFormat::Unspecified, FileFormat::Fixed);
        Some(DataDefinition::File { path: sequential_path(self.work, name), format })
    }
}

fn is_generation(name: &str) -> bool {
    Path::new(name).to_string_lossy().ends_with(')') && name.contains(['+', '-'])
}
