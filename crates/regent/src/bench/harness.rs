//! A region that runs the programs and definitions which a benchmark brings along, without an application's directory.

use std::path::Path;

use csd::{Csd, csdup};
use region::name::Name8;
use region::{Region, RegionConfig};

use super::{Arguments, marks};
use crate::compile::{Compiler, Job, Library};

/// Programs by name and source, and their resource definitions with the name of the file they are from.
pub struct Brought {
    pub programs: &'static [(&'static str, &'static str)],
    pub definitions: (&'static str, &'static str),
}

impl Brought {
    /// Starts a region; `store` has its data sets. It has no trace, and monitoring.
    pub fn start(
        &self,
        arguments: &Arguments,
        scratch: &Path,
        workers: usize,
        store: std::sync::Arc<vsam::Store>,
    ) -> Result<&'static Region, String> {
        self.compile(scratch)?;
        let mut config = RegionConfig::new(scratch.join("data"));
        let mut csd = Csd::initialized();
        let (text, file) = self.definitions;
        let report = csdup::execute(&mut csd, text, file);
        let own = ["INTTR=OFF", "MN=ON", "MNPER=ON", "MXT=250", "ICVR=0"];
        for parameter in own.into_iter().chain(arguments.sit.iter().map(String::as_str)) {
            config.sit.apply(parameter).map_err(|error| error.to_string())?;
        }
        config.csd = csd.into();
        config.groups = report.groups;
        config.libraries = vec![scratch.join("library")];
        config.workers = workers;
        config.store = Some(store);
        let region = Region::start(config, &server::registry::DOMAINS).map_err(|error| error.to_string())?;
        region.programs().install_native(Name8::new("KBMARK"), marks::mark);
        Ok(region)
    }

    fn compile(&self, scratch: &Path) -> Result<(), String> {
        let library = Library::create(&scratch.join("library"))?;
        let copy = scratch.join("copy");
        let job = Job {
            programs: &[],
            maps: &[],
            copy_directories: &[],
            generated_copy: &copy,
            options: "",
            xplink: false,
            ccsid: 37,
            library: &library,
            names: None,
            only: &[],
            database: None,
            fingerprints: None,
        };
        let compiler = Compiler::new(&job)?;
        for (name, source) in self.programs {
            let path = scratch.join(format!("{name}.cbl"));
            std::fs::write(&path, source).map_err(|error| error.to_string())?;
            let compiled = compiler.compile(&path, false);
            if compiled.members.is_empty() {
                return Err(compiled.messages.join("\n"));
            }
        }
        Ok(())
    }
}
