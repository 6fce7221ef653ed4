//! Compiles one source in C or C++ to a load module: translate, call the machine's compiler, link with the run time, convert the object.

use crate::embedded::{Analysis, Embedded};
use crate::kit::{Kit, character_set, run};
use crate::language::Language;
use crate::linkage;
use crate::translate::headers::Headers;
use crate::{lines, messages, object, translate};
use cobol::diagnostics::{Diagnostics, Located};
use cobol::exec_translate::Naming;
use cobol::span::Span;
use program::module::ModuleImage;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// How to compile.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Code page of strings and characters: the region's.
    pub ccsid: u16,
    /// Programs without an option of their own are compiled with XPLINK.
    pub xplink: bool,
    /// The directories searched for `#include` after the source's own directory.
    pub include: Vec<PathBuf>,
    /// All sources of the application in C and C++: those without a main function are parts of the other programs in their directory.
    pub sources: Vec<PathBuf>,
}

/// The result.
pub struct Compilation {
    /// The program's name: the file's, in upper case.
    pub name: String,
    /// `None`: the messages say why.
    pub image: Option<ModuleImage>,
    pub messages: Vec<String>,
    /// The same as their parts.
    pub located: Vec<Located>,
    pub return_code: u8,
    /// The source and the headers it includes.
    pub inputs: Vec<PathBuf>,
    /// What its commands name by literals.
    pub named: Vec<Naming>,
}

/// The machine's compiler with our headers and the compiled run time, prepared at the first use.
pub struct Compiler {
    settings: Settings,
    kit: OnceLock<Result<Kit, String>>,
    /// By directory.
    parts: Mutex<HashMap<PathBuf, Arc<OnceLock<Parts>>>>,
}

/// The sources of a directory that are not programs.
#[derive(Clone, Default)]
struct Parts {
    archive: Option<PathBuf>,
    inputs: Vec<PathBuf>,
    /// Their SQL statements, which are numbered before those of the program.
    sql: Vec<Vec<u8>>,
    /// There are programs for them to be parts of.
    has_programs: bool,
    /// One of them is written in C++.
    has_cpp: bool,
}

const PROGRAM_OPTIONS: [&str; 7] = [
    // Otherwise static that is never stored to is treated as constant, and its bytes as being in the machine's order.
    "-fno-toplevel-reorder",
    "-trigraphs",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fdiagnostics-plain-output",
    "-Wno-unknown-pragmas",
    "-Wno-format",
];
const C_PROGRAM_OPTIONS: [&str; 5] = [
    // Variables declared in several sources of a program are one.
    "-fcommon",
    "-fsso-struct=big-endian",
    "-Wno-scalar-storage-order",
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
];
/// Structures with members that are turned round are copied like others.
const CPP_PROGRAM_OPTIONS: [&str; 2] = ["-Wno-class-memaccess", "-Wno-deprecated"];
/// Longest program name.
const NAME_LENGTH_MAX: usize = 8;

impl Compiler {
    pub fn new(settings: Settings) -> Compiler {
        Compiler { settings, kit: OnceLock::new(), parts: Mutex::default() }
    }

    /// Translates a source alone, without the headers it includes.
    pub fn translate(&self, name: &str, source: &str, diagnostics: &mut Diagnostics) -> translate::Translation {
        translate::translate(name, source, None, &mut self.embedded(0), diagnostics)
    }

    /// The SQL of a source whose statements are numbered from `base`.
    fn embedded(&self, base: usize) -> Embedded {
        Embedded::new(self.settings.ccsid, character_set(self.settings.ccsid).starts_with("IBM"), base)
    }

    fn kit(&self) -> Result<&Kit, String> {
        self.kit.get_or_init(|| Kit::new(self.settings.ccsid)).as_ref().map_err(String::clone)
    }

    /// Compiles one source. With an analysis, its static SQL is checked against the tables of a database.
    pub fn compile(&self, path: &Path, analysis: Option<&dyn Analysis>) -> Compilation {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
        let inputs = vec![path.to_path_buf()];
        let mut compilation =
            Compilation { name, image: None, messages: Vec::new(), located: Vec::new(), return_code: 16, inputs, named: Vec::new() };
        if let Err(text) = self.compile_into(path, analysis, &mut compilation) {
            compilation.messages.push(format!("{}: {text}", path.display()));
            compilation.return_code = 16;
            compilation.image = None;
        }
        compilation
    }

    fn compile_into(&self, path: &Path, analysis: Option<&dyn Analysis>, compilation: &mut Compilation) -> Result<(), String> {
        let language = Language::of(path).unwrap_or(Language::C);
        if compilation.name.is_empty() || compilation.name.len() > NAME_LENGTH_MAX {
            return Err(format!(
                "the name of a {} program is that of its file, which has 1 to {NAME_LENGTH_MAX} characters",
                language.name()
            ));
        }
        let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let shown = path.display().to_string();
        let mut sources = messages::source_map(&shown, &source);
        let mut diagnostics = Diagnostics::default();
        let kit = self.kit()?;
        kit.ready(language, self.settings.ccsid)?;
        let work = tempfile::tempdir_in(kit.directory.path()).map_err(|error| error.to_string())?;
        let parts = self.parts_beside(kit, path);
        let mut headers = Headers::new(language, &self.settings.include, work.path(), &mut sources);
        let mut embedded = self.embedded(parts.sql.len());
        let mut translation = translate::translate(&shown, &source, Some(&mut headers), &mut embedded, &mut diagnostics);
        compilation.inputs.extend(headers.inputs());
        compilation.named = std::mem::take(&mut translation.named);
        if let Some(analysis) = analysis {
            embedded.analyse(analysis, &mut diagnostics);
        }
        let xplink = translation.xplink.unwrap_or(self.settings.xplink && !translation.uses_classes);
        check_linkage(&translation, xplink, &mut diagnostics);
        let (object, linked) = (work.path().join("program.o"), work.path().join("program.so"));
        let translated = work.path().join(translated_name(language));
        std::fs::write(&translated, &translation.text).map_err(|error| error.to_string())?;
        if !diagnostics.forbids_code() {
            let output = run(self.source_command(kit, path, &translated, &object))?;
            messages::take(&output, &mut sources, &mut diagnostics);
        }
        let is_part = !translation.is_program && parts.has_programs;
        if !is_part {
            compilation.inputs.extend(parts.inputs.iter().cloned());
        }
        if object.is_file() && !is_part && !diagnostics.forbids_code() {
            let linking = if parts.has_cpp { Language::Cpp } else { language };
            let inputs = (object.as_path(), parts.archive.as_deref());
            let output = run(kit.link_command((linking, self.settings.ccsid), inputs, translation.called_with.is_some(), &linked)?)?;
            messages::take(&output, &mut sources, &mut diagnostics);
            if !linked.is_file() && !diagnostics.forbids_code() {
                return Err(format!("the linker failed\n{output}"));
            }
        }
        let text = diagnostics.render(&sources);
        if !text.trim().is_empty() {
            compilation.messages.push(text.trim_end().to_string());
        }
        compilation.located = diagnostics.located(&sources, None);
        compilation.return_code = diagnostics.return_code();
        if linked.is_file() && !diagnostics.forbids_code() {
            let called_with = translation.called_with.map(|count| count as u32);
            let sql = [parts.sql, embedded.statements].concat();
            let name = compilation.name.clone();
            let description =
                object::Description { name, xplink, noedf: translation.noedf, called_with, sql, ..object::Description::default() };
            compilation.image = Some(self.module(path, &linked, description)?);
        } else if !(diagnostics.forbids_code() || is_part && object.is_file()) {
            return Err("the compiler made no object and said nothing of it".to_string());
        }
        Ok(())
    }

    fn source_command(&self, kit: &Kit, path: &Path, translated: &Path, object: &Path) -> Command {
        let language = Language::of(path).unwrap_or(Language::C);
        let mut command = kit.code_command(language, self.settings.ccsid);
        command.args(PROGRAM_OPTIONS).arg("-iquote").arg(directory_of(path));
        match language {
            Language::C => command.args(C_PROGRAM_OPTIONS),
            Language::Cpp => command.args(CPP_PROGRAM_OPTIONS),
        };
        self.settings.include.iter().for_each(|directory| {
            command.arg("-I").arg(directory);
        });
        command.arg("-o").arg(object).arg(translated);
        command
    }

    /// The parts that programs in the directory of this source may use, made at the first use.
    fn parts_beside(&self, kit: &Kit, path: &Path) -> Parts {
        let directory = directory_of(path);
        let parts = self.parts.lock().expect("no panic holds this lock").entry(directory.to_path_buf()).or_default().clone();
        parts.get_or_init(|| self.make_parts(kit, directory)).clone()
    }

    /// Errors in a part are reported where it is compiled by itself; a program that needs it lacks its functions.
    fn make_parts(&self, kit: &Kit, directory: &Path) -> Parts {
        let mut parts = Parts::default();
        let Ok(work) = tempfile::tempdir_in(kit.directory.path()) else { return parts };
        let work = work.keep();
        let mut command = Command::new("ar");
        let archive = work.join("parts.a");
        command.arg("crs").arg(&archive);
        for (number, path) in self.settings.sources.iter().filter(|path| directory_of(path) == directory).enumerate() {
            let place = work.join(number.to_string());
            let (Ok(source), Ok(())) = (std::fs::read_to_string(path), std::fs::create_dir(&place)) else { continue };
            let language = Language::of(path).unwrap_or(Language::C);
            let (mut sources, mut diagnostics) = (messages::source_map("", ""), Diagnostics::default());
            let mut headers = Headers::new(language, &self.settings.include, &place, &mut sources);
            let mut embedded = self.embedded(parts.sql.len());
            let shown = path.display().to_string();
            let translation = translate::translate(&shown, &source, Some(&mut headers), &mut embedded, &mut diagnostics);
            let inputs = headers.inputs();
            if translation.is_program {
                parts.has_programs = true;
                continue;
            }
            if kit.ready(language, self.settings.ccsid).is_err() {
                continue;
            }
            parts.has_cpp |= language == Language::Cpp;
            let (translated, object) = (place.join(translated_name(language)), place.join(format!("part-{number}.o")));
            parts.inputs.push(path.clone());
            parts.inputs.extend(inputs);
            parts.sql.extend(embedded.statements);
            if std::fs::write(&translated, &translation.text).is_ok()
                && run(self.source_command(kit, path, &translated, &object)).is_ok()
                && object.is_file()
            {
                command.arg(&object);
            }
        }
        if !parts.inputs.is_empty() && run(command).is_ok() && archive.is_file() {
            parts.archive = Some(archive);
        }
        parts
    }

    fn module(&self, path: &Path, linked: &Path, description: object::Description) -> Result<ModuleImage, String> {
        let bytes = std::fs::read(linked).map_err(|error| error.to_string())?;
        let mut command = Command::new("objdump");
        command.arg("--dwarf=decodedline").arg(linked).env("LC_ALL", "C");
        // Without the tool abends name no line.
        let listing = command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let lines = lines::entries(&listing, path);
        object::module(&bytes, object::Description { ccsid: self.settings.ccsid, lines, ..description })
    }
}

/// The file of a translated source: the compiler goes by its extension.
fn translated_name(language: Language) -> &'static str {
    match language {
        Language::C => "program.c",
        Language::Cpp => "program.cpp",
    }
}

fn check_linkage(translation: &translate::Translation, xplink: bool, diagnostics: &mut Diagnostics) {
    if xplink && translation.uses_classes {
        // "C and C++ programming": the foundation classes are not compiled with XPLINK.
        let text = "a program that uses the foundation classes cannot be compiled with XPLINK: use #pragma options(NOXPLINK)";
        diagnostics.severe("XL0023", Span::new(0, 1, 1, 1), text);
    }
    let Some(span) = translation.linkage else { return };
    if xplink {
        // "ILC between XPLINK and COBOL": a dynamic call between them is not supported.
        let text = "a program with #pragma linkage cannot be compiled with XPLINK: use #pragma options(NOXPLINK)";
        diagnostics.severe("XL0023", span, text);
    }
    if let Some(count) = translation.called_with.filter(|count| *count > linkage::ARGUMENTS_MAX) {
        let text = format!("a function that is CALLed has at most {} parameters, not {count}", linkage::ARGUMENTS_MAX);
        diagnostics.severe("XL0024", span, text);
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests;
