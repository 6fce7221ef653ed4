//! The names of load modules: which program of which source becomes which members of the library.
//!
//! A load module has the name of its program (PROGRAM-ID). On z/OS it has the name given to the binder, usually that of the source; so a
//! source file with a different name produces a second member under the name of the file, unless a program has that name. Further names
//! come from the binder's NAME and ALIAS statements and from `[modules]`. Invariant: each name comes from one source, whatever the order of
//! compilation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::is_c;

/// The longest name of a member.
const NAME_LENGTH_MAX: usize = 8;

/// The members built from one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Programs that are taken from another source: they make no member of their own name here.
    pub elsewhere: BTreeSet<String>,
    /// Program and the further name of its load module.
    pub further: BTreeSet<(String, String)>,
    /// PROGRAM-IDs as the text has them: what is not there when the source cannot be compiled at all.
    pub programs: Vec<String>,
}

/// A load module of another name than its program's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub module: String,
    /// A PROGRAM-ID or the name or path of a source, in upper case; the first that is known is taken.
    pub programs: Vec<String>,
    /// Where it is asked for, for messages.
    pub origin: String,
    /// It was asked for by hand. What jobs say may be about modules of other applications.
    pub is_required: bool,
}

/// The members built from every source, and remarks for the user.
#[derive(Debug, Default)]
pub struct Plan {
    pub names: BTreeMap<PathBuf, Names>,
    pub warnings: Vec<String>,
    /// Sources that make no load module because another has their names, and modules whose program is not there.
    pub problems: Vec<String>,
}

impl Names {
    /// Members that a program of the source becomes.
    pub fn members(&self, program: &str) -> Vec<String> {
        let own = Some(program.to_string()).filter(|program| !self.elsewhere.contains(program));
        own.into_iter().chain(self.further.iter().filter(|(of, _)| of == program).map(|(_, module)| module.clone())).collect()
    }

    /// For the ledger: a source whose names have changed is compiled again.
    pub fn settings(&self) -> String {
        let elsewhere = self.elsewhere.iter().map(|program| format!(" -{program}"));
        elsewhere.chain(self.further.iter().map(|(program, module)| format!(" {program}>{module}"))).collect()
    }
}

impl Plan {
    pub fn of(&self, path: &Path) -> Names {
        self.names.get(path).cloned().unwrap_or_default()
    }
}

/// Decides the names of all sources. `wanted` goes before the names of files.
pub fn plan(sources: &[PathBuf], wanted: &[Wanted]) -> Plan {
    let mut plan = Plan::default();
    for path in sources {
        let programs = match is_c(path) {
            true => member_name(path).into_iter().collect(),
            false => program_ids(&String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default())),
        };
        plan.names.insert(path.clone(), Names { programs, ..Names::default() });
    }
    let owners = owners(&mut plan);
    let mut taken: BTreeSet<String> = owners.keys().cloned().collect();
    for wanted in wanted {
        further_name(wanted, &owners, &mut taken, &mut plan);
    }
    for (path, names) in &mut plan.names {
        // A source of several programs has no name that says which of them it is for.
        let (Some(name), [program]) = (member_name(path), &names.programs[..]) else { continue };
        if taken.insert(name.clone()) {
            names.further.insert((program.clone(), name));
        }
    }
    tell_of_sources_without_modules(&mut plan);
    plan
}

/// The source that each program is taken from: the one whose file has the program's name, else the first in order of path.
fn owners(plan: &mut Plan) -> BTreeMap<String, PathBuf> {
    let mut sources: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (path, names) in &plan.names {
        for program in &names.programs {
            sources.entry(program.clone()).or_default().push(path.clone());
        }
    }
    let mut owners = BTreeMap::new();
    for (program, paths) in sources {
        let owner = paths.iter().find(|path| member_name(path).as_ref() == Some(&program)).unwrap_or(&paths[0]).clone();
        for other in paths.iter().filter(|path| **path != owner) {
            plan.names.get_mut(other).expect("each source has an entry").elsewhere.insert(program.clone());
            plan.warnings.push(format!(
                "PROGRAM-ID {program} is in two sources: load module {program} is made from {}, not from {}",
                owner.display(),
                other.display()
            ));
        }
        owners.insert(program, owner);
    }
    owners
}

fn further_name(wanted: &Wanted, owners: &BTreeMap<String, PathBuf>, taken: &mut BTreeSet<String>, plan: &mut Plan) {
    let of_program = |name: &String| owners.get(name).map(|path| (path.clone(), name.clone()));
    let of_source = |name: &String| {
        plan.names.iter().find_map(|(path, names)| {
            let shown = path.to_string_lossy().to_uppercase();
            let is_named = member_name(path).as_ref() == Some(name) || shown.ends_with(&format!("/{name}"));
            let program = names.programs.first()?;
            is_named.then(|| (path.clone(), program.clone()))
        })
    };
    let Some((path, program)) = wanted.programs.iter().find_map(|name| of_program(name).or_else(|| of_source(name))) else {
        if wanted.is_required {
            let programs = wanted.programs.join(", ");
            plan.problems.push(format!("{} {}: {programs} is no program of the application", wanted.origin, wanted.module));
        }
        return;
    };
    let names = plan.names.get_mut(&path).expect("each source has an entry");
    let is_its_own = program == wanted.module && !names.elsewhere.contains(&program);
    if is_its_own || names.further.contains(&(program.clone(), wanted.module.clone())) {
        return;
    }
    if taken.insert(wanted.module.clone()) {
        names.further.insert((program, wanted.module.clone()));
        return;
    }
    // Whoever names a module after another program wants that program: the source of the PROGRAM-ID gives the name up.
    let holder = plan.names.iter_mut().find(|(_, names)| {
        names.programs.contains(&wanted.module) && !names.elsewhere.contains(&wanted.module)
            || names.further.iter().any(|(_, m)| *m == wanted.module)
    });
    let Some((holder, held)) = holder else { return };
    held.further.retain(|(_, module)| *module != wanted.module);
    held.elsewhere.extend(held.programs.iter().filter(|program| **program == wanted.module).cloned());
    plan.warnings.push(format!(
        "{}: load module {} is made of {program} in {}, not from {}",
        wanted.origin,
        wanted.module,
        path.display(),
        holder.display()
    ));
    let names = plan.names.get_mut(&path).expect("each source has an entry");
    names.elsewhere.remove(&wanted.module);
    if program != wanted.module {
        names.further.insert((program, wanted.module.clone()));
    }
}

fn tell_of_sources_without_modules(plan: &mut Plan) {
    for (path, names) in &plan.names {
        if !names.programs.is_empty() && names.programs.iter().all(|program| names.members(program).is_empty()) {
            plan.problems.push(format!(
                "{} makes no load module: another source has its PROGRAM-ID {}; change it, or leave one out with `exclude` in regent.toml",
                path.display(),
                names.programs.join(", ")
            ));
        }
    }
}

/// The file's name as the name of a member, if it can be one.
pub fn member_name(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_string_lossy().to_uppercase();
    let first = name.chars().next()?;
    let fits =
        name.len() <= NAME_LENGTH_MAX && !first.is_ascii_digit() && name.chars().all(|c| c.is_ascii_alphanumeric() || "#@$".contains(c));
    fits.then_some(name)
}

/// The outermost programs of a COBOL text, as the default PGMNAME(COMPAT) names them. What COPY would bring is not seen.
pub fn program_ids(text: &str) -> Vec<String> {
    let mut words = text.lines().flat_map(significant).flat_map(str::split_whitespace).map(|word| word.trim_matches(['.', ',', ';']));
    let (mut depth, mut programs, mut previous) = (0usize, Vec::new(), "");
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("PROGRAM-ID") {
            let name = words.find(|word| !word.is_empty()).unwrap_or_default().trim_matches(['\'', '"']);
            if depth == 0 && !name.is_empty() {
                programs.push(le::program_name::compatible(name));
            }
            depth += 1;
        } else if word.eq_ignore_ascii_case("PROGRAM") && previous.eq_ignore_ascii_case("END") {
            depth = depth.saturating_sub(1);
        }
        previous = word;
    }
    programs
}

/// What a line says: without sequence number and indicator in fixed form, nothing of a comment.
fn significant(line: &str) -> Option<&str> {
    let is_fixed = line.len() >= 7
        && line.is_char_boundary(6)
        && line.is_char_boundary(7)
        && line[..6].chars().all(|c| c == ' ' || c.is_ascii_digit());
    let text = match is_fixed {
        true if matches!(&line[6..7], "*" | "/") => return None,
        true => line.char_indices().nth(72).map_or(&line[6..], |(end, _)| &line[6..end]),
        false => line,
    };
    let text = text.split("*>").next().unwrap_or(text);
    (!text.trim_start().starts_with('*')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let directory = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let paths = files.iter().map(write).collect();
        (directory, paths)
    }

    fn wanted(module: &str, program: &str) -> Wanted {
        Wanted { module: module.into(), programs: vec![program.into()], origin: "[modules]".into(), is_required: true }
    }

    #[test]
    fn programs_of_a_text() {
        let text = "000100 IDENTIFICATION DIVISION.\n000200 PROGRAM-ID. 'PAY-01'.\n      * PROGRAM-ID. NOT.\n       PROGRAM-ID.\n           INNER.\n       END PROGRAM INNER.\n       END PROGRAM 'PAY-01'.\n       ID DIVISION.\n       PROGRAM-ID. SECONDPROGRAM.\n";
        assert_eq!(program_ids(text), ["PAY001", "SECONDPR"]);
        assert_eq!(program_ids("identification division.\nprogram-id. pay. *> x\n"), ["PAY"]);
    }

    #[test]
    fn a_source_makes_a_member_of_its_files_name_too() {
        let (_directory, paths) =
            sources(&[("PAYROLL.cbl", " PROGRAM-ID. PAY01."), ("SAME.cbl", " PROGRAM-ID. SAME."), ("payroll-copy.cbl", " PROGRAM-ID. X.")]);
        let plan = plan(&paths, &[]);
        assert_eq!(plan.of(&paths[0]).members("PAY01"), ["PAY01", "PAYROLL"]);
        assert_eq!(plan.of(&paths[1]).members("SAME"), ["SAME"]);
        assert_eq!(plan.of(&paths[2]).members("X"), ["X"], "a name of more than eight characters is no member's");
        assert!(plan.warnings.is_empty() && plan.problems.is_empty());
    }

    #[test]
    fn one_program_in_two_sources() {
        let (_directory, paths) =
            sources(&[("A.cbl", " PROGRAM-ID. PAY01."), ("PAY01.cbl", " PROGRAM-ID. PAY01."), ("PAY01-OLD.cbl", " PROGRAM-ID. PAY01.")]);
        let plan = plan(&paths, &[]);
        assert_eq!(plan.of(&paths[0]).members("PAY01"), ["A"]);
        assert_eq!(plan.of(&paths[1]).members("PAY01"), ["PAY01"], "the file of the program's name is taken");
        assert!(plan.of(&paths[2]).members("PAY01").is_empty());
        assert_eq!((plan.warnings.len(), plan.problems.len()), (2, 1), "{plan:?}");
        assert!(plan.warnings.iter().all(|warning| warning.contains("PAY01.cbl")));
    }

    #[test]
    fn names_that_are_asked_for() {
        let (_directory, paths) = sources(&[("A.cbl", " PROGRAM-ID. ONE."), ("B.cbl", " PROGRAM-ID. TWO.")]);
        let plan = plan(&paths, &[wanted("MAIN", "ONE"), wanted("TWO", "A.CBL"), wanted("LOST", "NONE")]);
        assert_eq!(plan.of(&paths[0]).members("ONE"), ["ONE", "A", "MAIN", "TWO"]);
        assert_eq!(plan.of(&paths[1]).members("TWO"), ["B"]);
        assert_eq!(plan.problems, ["[modules] LOST: NONE is no program of the application"]);
    }
}
