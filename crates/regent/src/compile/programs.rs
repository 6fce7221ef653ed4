//! Compiles one source to load modules, COBOL by the front end and the code generator, C and C++ by the machine's compiler, and stores them in the
//! library.

use std::path::{Path, PathBuf};

use cobol::diagnostics::Located;
use cobol::exec_translate::{Naming, namings};
use cobol::listing::{CodePlace, GeneratedCode, Listing};
use cobol::options::Deck;
use cobol::source::{CopyResolver, Directories, FileKind, FirstOf};
use cobol::{Compilation, Options};
use program::module::ModuleImage;

use super::maps::FailedMaps;
use super::{ERROR_RETURN_CODE, Job, Library, Names, Plan, SqlCheck};

/// The result for one source.
pub struct Compiled {
    /// Load modules written, by program name.
    pub members: Vec<String>,
    /// The source and the files copied into it.
    pub inputs: Vec<PathBuf>,
    pub return_code: u8,
    /// As they are shown: several lines each.
    pub messages: Vec<String>,
    /// The same as their parts, where they have a place.
    pub located: Vec<Located>,
    /// What its commands name by literals.
    pub named: Vec<Naming>,
    /// Empty unless it was asked for.
    pub listing: String,
}

/// Compiles the sources of one job, from any number of threads.
pub struct Compiler<'a> {
    directories: Directories,
    generated: Directories,
    failed_maps: FailedMaps,
    options: Options,
    c: c::Compiler,
    library: &'a Library,
    names: Option<&'a Plan>,
    database: Option<&'a SqlCheck>,
}

/// Heading of listings.
const TITLE: &str = concat!("Regent COBOL ", env!("CARGO_PKG_VERSION"));

impl<'a> Compiler<'a> {
    pub fn new(job: &Job<'a>) -> Result<Compiler<'a>, String> {
        Ok(Compiler {
            directories: Directories::new(job.copy_directories),
            generated: Directories::new([job.generated_copy]),
            failed_maps: FailedMaps::default(),
            options: options(job.options, job.ccsid)?,
            c: c::Compiler::new(c::Settings {
                ccsid: job.ccsid,
                xplink: job.xplink,
                sources: job.programs.iter().filter(|path| is_c(path)).cloned().collect(),
                include: job.copy_directories.iter().cloned().chain([job.generated_copy.to_path_buf()]).collect(),
            }),
            library: job.library,
            names: job.names,
            database: job.database,
        })
    }

    /// The map sources that did not compile: a program that lacks a symbolic map of theirs is told so.
    pub fn with_failed_maps(self, sources: &[PathBuf]) -> Compiler<'a> {
        Compiler { failed_maps: FailedMaps::of(sources), ..self }
    }

    /// Compiles one source. A source that cannot be read gives a message like any other, and so does an internal error of the compiler: the
    /// other programs of the application are not affected.
    pub fn compile(&self, path: &Path, list: bool) -> Compiled {
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match is_c(path) {
            true => self.compile_c(path),
            false => self.compile_source(path, list),
        }));
        attempt.unwrap_or_else(|_| {
            failed(path, format!("{}: the compiler itself failed on this source; no load module is made", path.display()))
        })
    }

    fn names_of(&self, path: &Path) -> Names {
        self.names.map(|plan| plan.of(path)).unwrap_or_default()
    }

    fn compile_source(&self, path: &Path, list: bool) -> Compiled {
        let names = self.names_of(path);
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return failed(path, format!("{}: {error}", path.display())),
        };
        let resolver = FirstOf(vec![&self.directories, &self.generated, &self.failed_maps]);
        let name = path.display().to_string();
        let mut compilation = cobol::compile_source(&name, &bytes, &self.options, &resolver);
        if let Some(database) = self.database {
            database.check(&mut compilation);
        }
        let mut compiled = Compiled {
            members: Vec::new(),
            inputs: inputs(path, &compilation),
            return_code: compilation.diagnostics.return_code(),
            messages: messages(&compilation),
            located: compilation.diagnostics.located(&compilation.sources, Some(&compilation.options)),
            named: namings(&compilation.tokens, &compilation.sources),
            listing: String::new(),
        };
        let mut code = Vec::new();
        let deck = compilation.options.deck;
        if deck.is_some()
            && let Err(text) = self.write_deck(path, cobol::source::deck(&name, &bytes, &self.options, &resolver))
        {
            compiled.messages.push(text);
            compiled.return_code = compiled.return_code.max(ERROR_RETURN_CODE);
        }
        if deck == Some(Deck::NoCompile) {
            // MDECK(NOCOMPILE): the library is unchanged.
        } else if compilation.is_usable() {
            code = self.generate(&compilation, &names, &mut compiled);
        } else {
            let parsed = compilation.programs.iter().map(|program| program.name.to_string());
            self.take_out(&names, parsed.chain(names.programs.iter().cloned()), &compiled.messages);
        }
        if list {
            compiled.listing = self.listing(&name, &bytes, &resolver, &compilation, &code);
        }
        compiled
    }

    /// MDECK: beside the load modules, under the name of the source.
    fn write_deck(&self, path: &Path, text: String) -> Result<(), String> {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.library.write_deck(&name, text.as_bytes())
    }

    fn compile_c(&self, path: &Path) -> Compiled {
        let names = self.names_of(path);
        let compilation = self.c.compile(path, self.database.map(|database| database as &dyn c::Analysis));
        let mut compiled = Compiled {
            members: Vec::new(),
            inputs: compilation.inputs,
            return_code: compilation.return_code,
            messages: compilation.messages,
            located: compilation.located,
            named: compilation.named,
            listing: String::new(),
        };
        match compilation.image {
            Some(mut image) => {
                image.source = path.display().to_string();
                self.keep(&names.members(&compilation.name), Ok(image), &mut compiled);
            }
            None => self.take_out(&names, [compilation.name], &compiled.messages),
        }
        compiled
    }

    /// Each outermost program of the source becomes a load module of its own. Answers what OFFSET and LIST show, program by program.
    fn generate(&self, compilation: &Compilation, names: &Names, compiled: &mut Compiled) -> Vec<GeneratedCode> {
        let mut code = Vec::new();
        for program in &compilation.programs {
            let outcome = module_with_text(program).map(|(mut image, texts)| {
                image.source = compilation.sources.file_name(0).to_string();
                if let Some(debugging) = &mut image.debugging {
                    debugging.sources = source_paths(compilation);
                }
                code.extend(generated_code(program, &image, &texts));
                image
            });
            self.keep(&names.members(&program.name), outcome, compiled);
        }
        code
    }

    /// Stores a load module in the library under its names, or removes those that no longer have a source.
    fn keep(&self, members: &[String], outcome: Result<ModuleImage, String>, compiled: &mut Compiled) {
        let written = outcome.and_then(|image| {
            let bytes = image.to_bytes();
            members.iter().try_for_each(|member| self.library.write(member, &bytes))
        });
        match written {
            Ok(()) => compiled.members.extend_from_slice(members),
            Err(text) => {
                members.iter().for_each(|member| self.library.take_out(member, std::slice::from_ref(&text)));
                compiled.messages.push(text);
                compiled.return_code = compiled.return_code.max(ERROR_RETURN_CODE);
            }
        }
    }

    /// Removes the members of programs without code.
    fn take_out(&self, names: &Names, programs: impl IntoIterator<Item = String>, messages: &[String]) {
        let members = programs.into_iter().flat_map(|program| names.members(&program));
        members.for_each(|member| self.library.take_out(&member, messages));
    }

    fn listing(&self, name: &str, bytes: &[u8], resolver: &dyn CopyResolver, compilation: &Compilation, code: &[GeneratedCode]) -> String {
        let mut options = self.options.clone();
        let mut ignored = cobol::diagnostics::Diagnostics::new(options.error_limit);
        let stream = cobol::lexer::tokenize(name, bytes, &mut options, resolver, &mut ignored);
        let listing = Listing {
            title: TITLE,
            options: &compilation.options,
            sources: &compilation.sources,
            diagnostics: &compilation.diagnostics,
            tokens: &stream.tokens,
            programs: &compilation.programs,
            code,
        };
        listing.render()
    }
}

/// A source in C or C++, by the name of its file.
pub fn is_c(path: &Path) -> bool {
    c::Language::of(path).is_some()
}

/// The load module of one program; with the option LIST also the text of its functions.
fn module_with_text(program: &cobol::program::Program) -> Result<(ModuleImage, Vec<codegen::FunctionText>), String> {
    let programs = std::slice::from_ref(program);
    if !program.options.listing.code {
        return module_image(programs).map(|image| (image, Vec::new()));
    }
    codegen::compile_listed(programs, &codegen::Settings::default()).map_err(|error| error.to_string())
}

/// What the listing shows of the programs of a load module, in its order: a program, then those nested in it. A load module numbers its
/// statements through.
fn generated_code(program: &cobol::program::Program, image: &ModuleImage, texts: &[codegen::FunctionText]) -> Vec<GeneratedCode> {
    fn counts(program: &cobol::program::Program, all: &mut Vec<u32>) {
        all.push(program.statement_count);
        program.nested.iter().for_each(|nested| counts(nested, all));
    }
    let mut statements = Vec::new();
    counts(program, &mut statements);
    let mut before = 0;
    let mut code = Vec::new();
    for (index, (program, count)) in image.programs.iter().zip(statements).enumerate() {
        let inside = program.code_offset..program.code_offset + program.code_length;
        let places = image.lines.iter().filter(|line| inside.contains(&line.offset) && line.statement > before);
        let places = places.map(|line| CodePlace { offset: line.offset - program.code_offset, statement: line.statement - before });
        let functions = texts.iter().filter(|text| text.program as usize == index);
        code.push(GeneratedCode { places: places.collect(), text: functions.map(|function| format!("{}\n", function.text)).collect() });
        before += count;
    }
    code
}

/// The load module of outermost programs that stand in one source.
pub fn module_image(programs: &[cobol::program::Program]) -> Result<ModuleImage, String> {
    codegen::compile(programs, &codegen::Settings::default()).map_err(|error| error.to_string())
}

/// Compiler options of a job: its option text and the code page of data.
pub fn options(text: &str, ccsid: u16) -> Result<Options, String> {
    let mut options = Options { codepage: ccsid, ..Options::default() };
    let unknown = options.apply(text);
    if unknown.is_empty() { Ok(options) } else { Err(format!("compiler options that are not known: {}", unknown.join(", "))) }
}

/// The messages of a compilation, each with its source line.
pub fn messages(compilation: &Compilation) -> Vec<String> {
    let text = compilation.diagnostics.render_flagged(&compilation.sources, &compilation.options);
    if text.trim().is_empty() { Vec::new() } else { vec![text.trim_end().to_string()] }
}

fn failed(path: &Path, message: String) -> Compiled {
    Compiled {
        members: Vec::new(),
        inputs: vec![path.to_path_buf()],
        return_code: 16,
        messages: vec![message],
        located: Vec::new(),
        named: Vec::new(),
        listing: String::new(),
    }
}

/// The absolute path of each file of the source, for debuggers; empty for text that the compiler supplies.
fn source_paths(compilation: &Compilation) -> Vec<String> {
    let path = |file: &cobol::source::SourceFile| match file.kind {
        FileKind::Supplied => String::new(),
        _ => std::path::absolute(&file.name).map_or_else(|_| file.name.clone(), |path| path.display().to_string()),
    };
    compilation.sources.files().iter().map(path).collect()
}

fn inputs(path: &Path, compilation: &Compilation) -> Vec<PathBuf> {
    let copied = compilation.sources.files().iter().filter(|file| file.kind != FileKind::Main && file.kind != FileKind::Supplied);
    let mut inputs: Vec<PathBuf> = copied.map(|file| PathBuf::from(&file.name)).collect();
    inputs.push(path.to_path_buf());
    inputs.sort();
    inputs.dedup();
    inputs
}
