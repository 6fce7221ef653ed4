//! One source to load modules: COBOL by the front end and the code generator, C by the machine's compiler; then the library.

use std::path::{Path, PathBuf};

use cobol::listing::Listing;
use cobol::source::{CopyResolver, Directories, FileKind, FirstOf};
use cobol::{Compilation, Options};
use program::module::ModuleImage;

use super::{ERROR_RETURN_CODE, Job, Library};

/// What came of one source.
pub struct Compiled {
    /// Load modules written, by program name.
    pub members: Vec<String>,
    /// The source and the files copied into it.
    pub inputs: Vec<PathBuf>,
    pub return_code: u8,
    /// As they are shown: several lines each.
    pub messages: Vec<String>,
    /// Empty unless it was asked for.
    pub listing: String,
}

/// Compiles the sources of one job, from any number of threads.
pub struct Compiler<'a> {
    directories: Directories,
    generated: Directories,
    options: Options,
    c: c::Compiler,
    library: &'a Library,
}

/// Heading of listings.
const TITLE: &str = concat!("Regent COBOL ", env!("CARGO_PKG_VERSION"));

impl<'a> Compiler<'a> {
    pub fn new(job: &Job<'a>) -> Result<Compiler<'a>, String> {
        Ok(Compiler {
            directories: Directories::new(job.copy_directories),
            generated: Directories::new([job.generated_copy]),
            options: options(job.options, job.ccsid)?,
            c: c::Compiler::new(c::Settings {
                ccsid: job.ccsid,
                xplink: job.xplink,
                include: job.copy_directories.iter().cloned().chain([job.generated_copy.to_path_buf()]).collect(),
            }),
            library: job.library,
        })
    }

    /// Compiles one source. What cannot even be read is a message like any other, and so is an error of the compiler itself: the
    /// other programs of the application are none the worse for it.
    pub fn compile(&self, path: &Path, list: bool) -> Compiled {
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match is_c(path) {
            true => self.compile_c(path),
            false => self.compile_source(path, list),
        }));
        attempt.unwrap_or_else(|_| failed(path, format!("{}: the compiler itself failed on this source; no load module is made", path.display())))
    }

    fn compile_source(&self, path: &Path, list: bool) -> Compiled {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return failed(path, format!("{}: {error}", path.display())),
        };
        let resolver = FirstOf(vec![&self.directories, &self.generated]);
        let name = path.display().to_string();
        let compilation = cobol::compile_source(&name, &bytes, &self.options, &resolver);
        let mut compiled = Compiled {
            members: Vec::new(),
            inputs: inputs(path, &compilation),
            return_code: compilation.diagnostics.return_code(),
            messages: messages(&compilation),
            listing: if list { self.listing(&name, &bytes, &resolver, &compilation) } else { String::new() },
        };
        if compilation.is_usable() {
            self.generate(&compilation, &bytes, &mut compiled);
        } else {
            compilation.programs.iter().for_each(|program| self.library.remove(&program.name));
        }
        compiled
    }

    fn compile_c(&self, path: &Path) -> Compiled {
        let compilation = self.c.compile(path);
        let mut compiled = Compiled {
            members: Vec::new(),
            inputs: compilation.inputs,
            return_code: compilation.return_code,
            messages: compilation.messages,
            listing: String::new(),
        };
        match compilation.image {
            Some(image) => self.keep(&compilation.name, Ok(image), &mut compiled),
            None => self.library.remove(&compilation.name),
        }
        compiled
    }

    /// Each outermost program of the source becomes a load module of its own.
    fn generate(&self, compilation: &Compilation, source: &[u8], compiled: &mut Compiled) {
        for program in &compilation.programs {
            self.keep(&program.name, module_image(std::slice::from_ref(program), source), compiled);
        }
    }

    /// Puts a load module into the library, or takes out the one that no longer has a source.
    fn keep(&self, name: &str, outcome: Result<ModuleImage, String>, compiled: &mut Compiled) {
        match outcome.and_then(|image| self.library.write(name, &image.to_bytes())) {
            Ok(()) => compiled.members.push(name.to_uppercase()),
            Err(text) => {
                self.library.remove(name);
                compiled.messages.push(text);
                compiled.return_code = compiled.return_code.max(ERROR_RETURN_CODE);
            }
        }
    }

    fn listing(&self, name: &str, bytes: &[u8], resolver: &dyn CopyResolver, compilation: &Compilation) -> String {
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
        };
        listing.render()
    }
}

/// A source in C, by the name of its file.
pub fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("c"))
}

/// The load module of outermost programs that stand in one source.
pub fn module_image(programs: &[cobol::program::Program], source: &[u8]) -> Result<ModuleImage, String> {
    codegen::compile(programs, source_hash(source), &codegen::Settings::default()).map_err(|error| error.to_string())
}

/// What a load module says of the source it was made from.
pub fn source_hash(source: &[u8]) -> [u8; 32] {
    let mut hash = [0u8; 32];
    hash[..4].copy_from_slice(&crc32fast::hash(source).to_be_bytes());
    hash[4..12].copy_from_slice(&(source.len() as u64).to_be_bytes());
    hash
}

/// Compiler options of a job: its option text and the code page of data.
pub fn options(text: &str, ccsid: u16) -> Result<Options, String> {
    let mut options = Options { codepage: ccsid, ..Options::default() };
    let unknown = options.apply(text);
    if unknown.is_empty() { Ok(options) } else { Err(format!("compiler options that are not known: {}", unknown.join(", "))) }
}

/// The messages of a compilation, each with its source line.
pub fn messages(compilation: &Compilation) -> Vec<String> {
    let text = compilation.diagnostics.render(&compilation.sources);
    if text.trim().is_empty() { Vec::new() } else { vec![text.trim_end().to_string()] }
}

fn failed(path: &Path, message: String) -> Compiled {
    Compiled { members: Vec::new(), inputs: vec![path.to_path_buf()], return_code: 16, messages: vec![message], listing: String::new() }
}

fn inputs(path: &Path, compilation: &Compilation) -> Vec<PathBuf> {
    let copied = compilation.sources.files().iter().filter(|file| file.kind != FileKind::Main && file.kind != FileKind::Supplied);
    let mut inputs: Vec<PathBuf> = copied.map(|file| PathBuf::from(&file.name)).collect();
    inputs.push(path.to_path_buf());
    inputs.sort();
    inputs.dedup();
    inputs
}
