//! The job steps that run programs of the application, and which of them are run at the start.
//!
//! `regent.toml` may name steps. A step that is not named is run if it loads a file of the application: a DD statement names a data set that
//! an IDCAMS step of its own job defines and a FILE uses, and no REPRO loads it. Such a step is no report, because there is nothing to report
//! before it has run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use program::batch::MODULE_EXTENSION;

use super::jcl::Step;
use super::setup::Unit;

/// The program that unloads tables.
pub const UNLOAD: &str = "DSNTIAUL";

/// A step that runs a program.
#[derive(Clone, Default)]
pub struct ProgramStep {
    pub title: String,
    pub job: String,
    /// The file of the job.
    pub path: PathBuf,
    pub program: String,
    pub plan: String,
    pub parm: String,
    /// What it reads from SYSIN, if the program is Db2's.
    pub control: String,
    pub step: Step,
    /// The data sets it loads, if it is run for their sake: it is run only while one of them has never been loaded.
    pub loads: Vec<String>,
}

/// What tells whether a step loads a file of the application.
pub struct FileNeeds<'a> {
    pub units: &'a [Unit],
    /// The data sets of the application's FILEs.
    pub data_sets: BTreeSet<String>,
    /// The load modules of the application.
    pub library: &'a Path,
}

/// The steps that are run, in their order, and those that are not.
#[derive(Default)]
pub struct Choice {
    pub run: Vec<ProgramStep>,
    /// Names in `regent.toml` that are no steps.
    pub unknown: Vec<String>,
    /// Steps of the application's own programs that are not run.
    left: Vec<ProgramStep>,
}

impl FileNeeds<'_> {
    fn has_program(&self, step: &ProgramStep) -> bool {
        self.library.join(format!("{}.{MODULE_EXTENSION}", step.program)).is_file()
    }

    /// The data sets that a step must load, because nothing else does.
    fn loaded_by(&self, step: &ProgramStep) -> Vec<String> {
        let of_job = |unit: &&Unit| unit.title.strip_prefix(step.job.as_str()).is_some_and(|rest| rest.starts_with('.'));
        let is_needed = |name: &&String| {
            self.data_sets.contains(*name)
                && self.units.iter().filter(of_job).any(|unit| unit.effects.defines.contains(*name))
                && !self.units.iter().any(|unit| unit.effects.copies.iter().any(|copy| copy.to == **name))
        };
        step.step.data().filter_map(|dd| dd.data_set.as_ref()).filter(is_needed).cloned().collect()
    }
}

impl Choice {
    /// `names` are those of `regent.toml`: jobs, or `JOB.STEP`. Their steps come first, in that order.
    pub fn of(steps: &[ProgramStep], names: &[String], needs: &FileNeeds<'_>) -> Choice {
        let mut choice = Choice::default();
        // The name of a job is for its steps of the application's programs: it has others, as IDCAMS.
        let is_named = |step: &ProgramStep, name: &String| {
            let is_run = step.program == UNLOAD || needs.has_program(step);
            step.title.eq_ignore_ascii_case(name) || step.job.eq_ignore_ascii_case(name) && is_run
        };
        for name in names {
            let before = choice.run.len();
            choice.run.extend(steps.iter().filter(|step| is_named(step, name)).cloned());
            if choice.run.len() == before {
                choice.unknown.push(name.clone());
            }
        }
        for step in steps.iter().filter(|step| needs.has_program(step) && !names.iter().any(|name| is_named(step, name))) {
            let loads = needs.loaded_by(step);
            let list = if loads.is_empty() { &mut choice.left } else { &mut choice.run };
            list.push(ProgramStep { loads, ..step.clone() });
        }
        choice
    }

    /// True for a step that is run, or that `not_run` tells of.
    pub fn knows(&self, job: &str, step: &Step) -> bool {
        let mut all = self.run.iter().chain(&self.left);
        all.any(|known| known.job == job && known.step.name == step.name && known.step.line == step.line)
    }

    /// The files whose steps of the application's own programs are not run, with the reason.
    pub fn not_run(&self) -> Vec<(PathBuf, String)> {
        let mut programs: BTreeMap<&PathBuf, BTreeSet<&str>> = BTreeMap::new();
        for step in &self.left {
            programs.entry(&step.path).or_default().insert(&step.program);
        }
        let reason = |programs: BTreeSet<&str>| {
            let programs: Vec<&str> = programs.into_iter().collect();
            format!(
                "steps that run programs of the application, which `regent run --app` runs, or `jobs` of [database]: {}",
                programs.join(", ")
            )
        };
        programs.into_iter().map(|(path, programs)| (path.clone(), reason(programs))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::jcl::Dd;
    use super::super::statements::effects;
    use super::*;

    fn step(title: &str, program: &str, data_set: &str) -> ProgramStep {
        let dd = |name: &str, data_set: &str| Dd { name: name.into(), data_set: Some(data_set.into()), ..Dd::default() };
        let (job, name) = title.split_once('.').unwrap();
        let dds = vec![dd("STEPLIB", "APP.NEEDED"), dd("OUT", data_set)];
        let step = Step { name: name.into(), program: program.into(), dds, ..Step::default() };
        ProgramStep {
            title: title.into(),
            job: job.into(),
            path: "make.jcl".into(),
            program: program.into(),
            step,
            ..ProgramStep::default()
        }
    }

    #[test]
    fn a_step_that_alone_loads_a_file_of_its_job_is_run() {
        let library = tempfile::tempdir().unwrap();
        std::fs::write(library.path().join(format!("FILL.{MODULE_EXTENSION}")), b"").unwrap();
        let unit = |title: &str, text: &str| Unit {
            title: title.into(),
            text: text.into(),
            dds: Vec::new(),
            effects: effects(text, &|_| None),
            unknown_symbols: Vec::new(),
        };
        let define = |name: &str| format!("DEFINE CLUSTER (NAME({name}))\n");
        let units = [
            unit("MAKE.DEFINE", &[define("APP.NEEDED"), define("APP.COPIED"), define("APP.IDLE")].concat()),
            unit("COPY.LOAD", "REPRO IDS(X) ODS(APP.COPIED)"),
        ];
        let data_sets = BTreeSet::from(["APP.NEEDED".to_string(), "APP.COPIED".to_string()]);
        let needs = FileNeeds { units: &units, data_sets, library: library.path() };
        let steps = [
            step("MAKE.FILL", "FILL", "APP.NEEDED"),
            step("MAKE.COPIED", "FILL", "APP.COPIED"),
            step("MAKE.IDLE", "FILL", "APP.IDLE"),
            step("MAKE.OTHER", "SORT", "APP.NEEDED"),
            step("REPORT.FILL", "FILL", "APP.NEEDED"),
        ];
        let titles = |choice: &Choice| choice.run.iter().map(|step| step.title.clone()).collect::<Vec<_>>();
        let choice = Choice::of(&steps, &[], &needs);
        assert_eq!(titles(&choice), ["MAKE.FILL"]);
        assert_eq!(choice.run[0].loads, ["APP.NEEDED"], "a program library is no data");
        assert_eq!(choice.left.len(), 3, "a program that is not the application's is not counted");
        assert_eq!(choice.not_run().len(), 1);
        assert!(choice.not_run()[0].1.ends_with(": FILL"));
        let choice = Choice::of(&steps, &["report".into(), "nothing".into()], &needs);
        assert_eq!(titles(&choice), ["REPORT.FILL", "MAKE.FILL"]);
        assert_eq!((&choice.unknown, choice.run[0].loads.len()), (&vec!["nothing".to_string()], 0));
        let choice = Choice::of(&steps, &["make".into()], &needs);
        assert_eq!(titles(&choice), ["MAKE.FILL", "MAKE.COPIED", "MAKE.IDLE"], "those of its programs that are the application's");
    }
}
