//! The machine's compiler with our headers and the compiled run time, made at the first use: for C, and for C++ if there are such sources.

use crate::language::Language;
use crate::{linkage, object, supplied, supplied_cpp};
use program::abi::{CLink, Slot};
use program::requests::{CallRequest, call_flags, display_flags, service};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub struct Kit {
    pub directory: tempfile::TempDir,
    objects: Vec<PathBuf>,
    /// The start of programs with a main function, and of others.
    starts: [PathBuf; 2],
    cpp: OnceLock<Result<CppKit, String>>,
}

/// What C++ programs need besides.
struct CppKit {
    begin: PathBuf,
    end: PathBuf,
    start: PathBuf,
    runtime: Vec<PathBuf>,
    classes: PathBuf,
}

/// Options must not change the agreements between programs and the run time: sizes, the kinds of trap, no red zone below the stack.
const CODE_OPTIONS: [&str; 16] = [
    "-mx32",
    "-O1",
    "-g",
    "-nostdinc",
    "-fPIC",
    "-fvisibility=hidden",
    "-funsigned-char",
    "-fshort-wchar",
    "-fno-omit-frame-pointer",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-fno-asynchronous-unwind-tables",
    "-fno-tree-loop-distribute-patterns",
    // A program that reads through a bad pointer is to be stopped there, by the access.
    "-fno-delete-null-pointer-checks",
    "-fstack-clash-protection",
    "-mno-red-zone",
];
const C_OPTIONS: [&str; 2] = ["-std=gnu11", "-ffreestanding"];
/// `dynamic_cast` and `typeid` are not there; static objects of functions need no locks, a run unit has one thread. Not freestanding, because
/// then main would not return 0 at its end; there are no built-in functions all the same.
const CPP_OPTIONS: [&str; 6] = ["-std=gnu++14", "-fno-builtin", "-nostdinc++", "-fno-rtti", "-fno-threadsafe-statics", "-fno-gnu-unique"];
const LINK_OPTIONS: [&str; 4] =
    ["-mx32", "-shared", "-nostdlib", "-Wl,-Bsymbolic,-z,defs,-z,noseparate-code,-z,norelro,--build-id=none,-e,regent_entry"];

/// The name of a code page in iconv.
pub fn character_set(ccsid: u16) -> String {
    match ccsid {
        819 => "ISO-8859-1".to_string(),
        1252 => "CP1252".to_string(),
        1208 => "UTF-8".to_string(),
        923 => "ISO-8859-15".to_string(),
        437 | 850 => format!("CP{ccsid}"),
        ebcdic => format!("IBM{ebcdic:03}"),
    }
}

/// Numbers of the contract with the run unit, for the run time's source.
fn contract() -> Vec<String> {
    let entry = std::mem::size_of::<usize>();
    let numbers: [(&str, u32); 30] = [
        ("LINK_KEY", CLink::KEY),
        ("STACK_LENGTH", object::STACK_LENGTH),
        ("SLOT_EXEC", (Slot::Exec as usize * entry) as u32),
        ("SLOT_SQL", (Slot::Sql as usize * entry) as u32),
        ("SLOT_SERVICE", (Slot::Service as usize * entry) as u32),
        ("SLOT_CALL", (Slot::Call as usize * entry) as u32),
        ("SLOT_CALL_RETURN", (Slot::CallReturn as usize * entry) as u32),
        ("CALL_ENTRY", std::mem::offset_of!(CallRequest, entry) as u32),
        ("CALL_ENTRY_LABEL", std::mem::offset_of!(CallRequest, entry_label) as u32),
        ("ARGUMENTS_MAX", linkage::ARGUMENTS_MAX as u32),
        ("OUTPUT", display_flags::OUTPUT),
        ("ERROR", display_flags::ERROR),
        ("SERVICE_ALLOCATE", service::ALLOCATE),
        ("SERVICE_FREE", service::FREE),
        ("SERVICE_C_WRITE", service::C_WRITE),
        ("SERVICE_C_ARGUMENT", service::C_ARGUMENT),
        ("SERVICE_C_READ", service::C_READ),
        ("SERVICE_C_CLOCK", service::C_CLOCK),
        ("SERVICE_C_UTC_OFFSET", service::C_UTC_OFFSET),
        ("SERVICE_C_FORMAT", service::C_FORMAT),
        ("SERVICE_C_PARSE", service::C_PARSE),
        ("SERVICE_C_MATH", service::C_MATH),
        ("SERVICE_C_RETURN_CODE", service::C_RETURN_CODE),
        ("SERVICE_C_ABORT", service::C_ABORT),
        ("SERVICE_C_ARGUMENTS", service::C_ARGUMENTS),
        ("SERVICE_C_CALLED_RETURN_CODE", service::C_CALLED_RETURN_CODE),
        ("SERVICE_C_FETCH", service::C_FETCH),
        ("SERVICE_C_RELEASE", service::C_RELEASE),
        ("CALL_POINTER", call_flags::POINTER),
        ("CALL_NATIVE", call_flags::NATIVE),
    ];
    numbers.iter().map(|(name, value)| format!("-DREGENT_{name}={value}")).collect()
}

/// The machine's compiler of a language.
fn compiler(language: Language) -> Command {
    let mut command = Command::new(match language {
        Language::C => "cc",
        Language::Cpp => "c++",
    });
    // The messages are read here: in one language.
    command.env("LC_ALL", "C");
    command
}

/// Runs a tool; returns its output to standard error.
pub fn run(mut command: Command) -> Result<String, String> {
    match command.output() {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => {
            let (name, install) = (command.get_program().to_string_lossy().into_owned(), "; C++ programs need the package g++");
            Err(format!("the compiler of the machine, {name}, cannot be run: {error}{}", if name == "c++" { install } else { "" }))
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

impl Kit {
    pub fn new(ccsid: u16) -> Result<Kit, String> {
        if !cfg!(target_arch = "x86_64") {
            return Err("C programs need a processor of the x86-64 family".to_string());
        }
        let directory = tempfile::tempdir().map_err(|error| format!("temporary directory: {error}"))?;
        let root = directory.path().to_path_buf();
        std::fs::create_dir(root.join("include")).map_err(|error| error.to_string())?;
        for (name, text) in supplied::headers() {
            write(&root.join("include").join(name), &text)?;
        }
        write(&root.join(supplied::RUNTIME_HEADER.0), supplied::RUNTIME_HEADER.1)?;
        let [main, called] = supplied::STARTS;
        let mut kit = Kit { directory, objects: Vec::new(), starts: Default::default(), cpp: OnceLock::new() };
        kit.objects = supplied::RUNTIME.into_iter().map(|part| kit.part(ccsid, part, &[])).collect::<Result<_, _>>()?;
        kit.starts = [kit.part(ccsid, main, &[])?, kit.part(ccsid, called, &[])?];
        Ok(kit)
    }

    /// The command that compiles a source in a code page, without its file and result.
    pub fn code_command(&self, language: Language, ccsid: u16) -> Command {
        let mut command = compiler(language);
        command.args(CODE_OPTIONS).arg(format!("-fexec-charset={}", character_set(ccsid)));
        let root = self.directory.path();
        match language {
            Language::C => command.args(C_OPTIONS),
            Language::Cpp => command.args(CPP_OPTIONS).arg("-isystem").arg(root.join("cpp")),
        };
        command.arg("-isystem").arg(root.join("include")).arg("-c");
        command
    }

    /// Compiles a part of the run time.
    fn part(&self, ccsid: u16, (name, text): (&str, &str), options: &[&str]) -> Result<PathBuf, String> {
        let root = self.directory.path();
        let source = root.join(name);
        let object = root.join(format!("{name}{}.o", options.concat().replace(['-', '='], "_")));
        write(&source, text)?;
        let language = Language::of(Path::new(name)).unwrap_or(Language::C);
        let mut command = self.code_command(language, ccsid);
        command.args(contract()).args(options).arg("-I").arg(root).arg("-o").arg(&object).arg(&source);
        let output = run(command)?;
        if !object.is_file() {
            let language = language.name();
            return Err(format!("the {language} compiler of this machine cannot compile the run time of {language} programs:\n{output}"));
        }
        Ok(object)
    }

    /// Makes ready for C++.
    pub fn ready(&self, language: Language, ccsid: u16) -> Result<(), String> {
        match language {
            Language::C => Ok(()),
            Language::Cpp => self.cpp(ccsid).map(|_| ()),
        }
    }

    fn cpp(&self, ccsid: u16) -> Result<&CppKit, String> {
        self.cpp.get_or_init(|| self.make_cpp(ccsid)).as_ref().map_err(String::clone)
    }

    fn make_cpp(&self, ccsid: u16) -> Result<CppKit, String> {
        let root = self.directory.path();
        std::fs::create_dir(root.join("cpp")).map_err(|error| error.to_string())?;
        for (name, text) in supplied_cpp::headers() {
            write(&root.join("cpp").join(name), &text)?;
        }
        write(&root.join(supplied_cpp::RUNTIME_HEADER.0), supplied_cpp::RUNTIME_HEADER.1)?;
        let [begin, end] = supplied_cpp::ENDS;
        let objects = |parts: &[(&str, &str)]| -> Result<Vec<PathBuf>, String> {
            std::thread::scope(|scope| {
                let work: Vec<_> = parts.iter().map(|part| scope.spawn(|| self.part(ccsid, *part, &[]))).collect();
                work.into_iter().map(|part| part.join().unwrap_or_else(|_| Err("a compilation failed".to_string()))).collect()
            })
        };
        let classes = root.join("classes.a");
        let mut archive = Command::new("ar");
        archive.arg("crs").arg(&classes).args(objects(&supplied_cpp::CLASSES)?);
        let output = run(archive)?;
        if !classes.is_file() {
            return Err(format!("ar cannot make the library of the foundation classes:\n{output}"));
        }
        Ok(CppKit {
            begin: self.part(ccsid, begin, &[])?,
            end: self.part(ccsid, end, &[])?,
            start: self.part(ccsid, supplied::STARTS[0], &["-DREGENT_CPP"])?,
            runtime: objects(&supplied_cpp::RUNTIME)?,
            classes,
        })
    }

    /// The command that links a program with the run time.
    pub fn link_command(
        &self,
        (language, ccsid): (Language, u16),
        (object, parts): (&Path, Option<&Path>),
        is_called: bool,
        linked: &Path,
    ) -> Result<Command, String> {
        let mut command = compiler(Language::C);
        command.args(LINK_OPTIONS).arg("-o").arg(linked);
        match language {
            Language::C => {
                command.arg(object).args(parts).args(&self.objects).arg(&self.starts[usize::from(is_called)]);
            }
            Language::Cpp => {
                let cpp = self.cpp(ccsid)?;
                command.arg(&cpp.begin).arg(object).args(parts).arg(&cpp.classes).args(&cpp.runtime).args(&self.objects);
                command.arg(&cpp.start).arg(&cpp.end);
            }
        }
        Ok(command)
    }
}
