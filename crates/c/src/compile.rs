//! Compiles one C source to a load module: translate, call the machine's compiler, link with the run time, convert the object.

use crate::embedded::{Analysis, Embedded};
use crate::linkage;
use crate::translate::headers::Headers;
use crate::{lines, messages, object, supplied, translate};
use cobol::diagnostics::{Diagnostics, Located};
use cobol::exec_translate::Naming;
use program::abi::{CLink, Slot};
use program::module::ModuleImage;
use program::requests::{CallRequest, call_flags, display_flags, service};
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
    /// All C sources of the application: those without a main function are parts of the other programs in their directory.
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
}

struct Kit {
    directory: tempfile::TempDir,
    objects: Vec<PathBuf>,
    /// The start of programs with a main function, and of others.
    starts: [PathBuf; 2],
}

/// Options must not change the agreements between programs and the run time: sizes, the kinds of trap, no red zone below the stack.
const CODE_OPTIONS: [&str; 18] = [
    "-mx32",
    "-O1",
    "-g",
    "-std=gnu11",
    "-nostdinc",
    "-ffreestanding",
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
const PROGRAM_OPTIONS: [&str; 12] = [
    // Variables declared in several sources of a program are one.
    "-fcommon",
    // Otherwise static that is never stored to is treated as constant, and its bytes as being in the machine's order.
    "-fno-toplevel-reorder",
    "-trigraphs",
    "-fsso-struct=big-endian",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fdiagnostics-plain-output",
    "-Wno-unknown-pragmas",
    "-Wno-scalar-storage-order",
    "-Wno-format",
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
];
const LINK_OPTIONS: [&str; 4] =
    ["-mx32", "-shared", "-nostdlib", "-Wl,-Bsymbolic,-z,defs,-z,noseparate-code,-z,norelro,--build-id=none,-e,regent_entry"];

/// Longest program name.
const NAME_LENGTH_MAX: usize = 8;

/// The name of a code page in iconv.
fn character_set(ccsid: u16) -> String {
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

impl Compiler {
    pub fn new(settings: Settings) -> Compiler {
        Compiler { settings, kit: OnceLock::new(), parts: Mutex::default() }
    }

    fn cc(&self) -> Command {
        let mut command = Command::new("cc");
        // The messages are read here: in one language.
        command.env("LC_ALL", "C");
        command
    }

    fn code_command(&self, kit: &Path) -> Command {
        let mut command = self.cc();
        command.args(CODE_OPTIONS).arg(format!("-fexec-charset={}", character_set(self.settings.ccsid)));
        command.arg("-isystem").arg(kit.join("include")).arg("-c");
        command
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
        self.kit.get_or_init(|| self.make_kit()).as_ref().map_err(String::clone)
    }

    fn make_kit(&self) -> Result<Kit, String> {
        if !cfg!(target_arch = "x86_64") {
            return Err("C programs need a processor of the x86-64 family".to_string());
        }
        let directory = tempfile::tempdir().map_err(|error| format!("temporary directory: {error}"))?;
        let root = directory.path();
        let write = |path: &Path, text: &str| std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
        std::fs::create_dir(root.join("include")).map_err(|error| error.to_string())?;
        for (name, text) in supplied::headers() {
            write(&root.join("include").join(name), &text)?;
        }
        write(&root.join(supplied::RUNTIME_HEADER.0), supplied::RUNTIME_HEADER.1)?;
        let compile = |(name, text): (&str, &str)| {
            let (source, object) = (root.join(name), root.join(name).with_extension("o"));
            write(&source, text)?;
            let mut command = self.code_command(root);
            command.args(contract()).arg("-I").arg(root).arg("-o").arg(&object).arg(&source);
            let output = run(command)?;
            if !object.is_file() {
                return Err(format!("the C compiler of this machine cannot compile the run time of C programs:\n{output}"));
            }
            Ok(object)
        };
        let objects = supplied::RUNTIME.into_iter().map(compile).collect::<Result<_, _>>()?;
        let [main, called] = supplied::STARTS;
        let starts = [compile(main)?, compile(called)?];
        Ok(Kit { directory, objects, starts })
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
        if compilation.name.is_empty() || compilation.name.len() > NAME_LENGTH_MAX {
            return Err(format!("the name of a C program is that of its file, which has 1 to {NAME_LENGTH_MAX} characters"));
        }
        let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let shown = path.display().to_string();
        let mut sources = messages::source_map(&shown, &source);
        let mut diagnostics = Diagnostics::default();
        let kit = self.kit()?;
        let work = tempfile::tempdir_in(kit.directory.path()).map_err(|error| error.to_string())?;
        let parts = self.parts_beside(kit, path);
        let mut headers = Headers::new(&self.settings.include, work.path(), &mut sources);
        let mut embedded = self.embedded(parts.sql.len());
        let mut translation = translate::translate(&shown, &source, Some(&mut headers), &mut embedded, &mut diagnostics);
        compilation.inputs.extend(headers.inputs());
        compilation.named = std::mem::take(&mut translation.named);
        if let Some(analysis) = analysis {
            embedded.analyse(analysis, &mut diagnostics);
        }
        let xplink = translation.xplink.unwrap_or(self.settings.xplink);
        check_linkage(&translation, xplink, &mut diagnostics);
        let (object, linked) = (work.path().join("program.o"), work.path().join("program.so"));
        let translated = work.path().join("program.c");
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
            let mut command = self.cc();
            command.args(LINK_OPTIONS).arg("-o").arg(&linked).arg(&object).args(&parts.archive).args(&kit.objects);
            command.arg(&kit.starts[usize::from(translation.called_with.is_some())]);
            let output = run(command)?;
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
        let mut command = self.code_command(kit.directory.path());
        command.args(PROGRAM_OPTIONS).arg("-iquote").arg(directory_of(path));
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
            let (mut sources, mut diagnostics) = (messages::source_map("", ""), Diagnostics::default());
            let mut headers = Headers::new(&self.settings.include, &place, &mut sources);
            let mut embedded = self.embedded(parts.sql.len());
            let shown = path.display().to_string();
            let translation = translate::translate(&shown, &source, Some(&mut headers), &mut embedded, &mut diagnostics);
            let inputs = headers.inputs();
            if translation.is_program {
                parts.has_programs = true;
                continue;
            }
            let (translated, object) = (place.join("part.c"), place.join(format!("part-{number}.o")));
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

fn check_linkage(translation: &translate::Translation, xplink: bool, diagnostics: &mut Diagnostics) {
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

/// Runs a tool; returns its output to standard error.
fn run(mut command: Command) -> Result<String, String> {
    match command.output() {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(format!("the C compiler of the machine, {}, cannot be run: {error}", command.get_program().display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiler(ccsid: u16) -> Compiler {
        Compiler::new(Settings { ccsid, xplink: false, include: Vec::new(), sources: Vec::new() })
    }

    fn compile(compiler: &Compiler, source: &str) -> Compilation {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("prog.c");
        std::fs::write(&path, source).unwrap();
        compiler.compile(&path, None)
    }

    #[test]
    fn a_program_becomes_a_module_in_the_code_page() {
        for (ccsid, bytes) in [(37, [0xC8, 0x85, 0x93, 0x93, 0x96]), (819, *b"Hello")] {
            let compilation =
                compile(&compiler(ccsid), "#pragma options(XPLINK)\nchar text[] = \"Hello\";\nint main(void)\n{\n return text[0]; }\n");
            assert!(compilation.messages.is_empty() && compilation.return_code == 0, "{:?}", compilation.messages);
            let image = compilation.image.expect("a module");
            assert!(image.images.windows(5).any(|window| window == bytes), "the string in code page {ccsid}");
            let program = &image.programs[0];
            assert_eq!(program.name, "PROG");
            assert_ne!(program.attributes & program::module::attributes::XPLINK, 0);
            assert!(image.lines.iter().any(|entry| entry.line == 5), "{:?}", image.lines);
        }
    }

    #[test]
    fn errors_are_at_their_lines_and_options() {
        let compiler = compiler(37);
        let source =
            "int main(void)\n{\n    int rc;\n    EXEC CICS LINK PROGRAM(\"X\")\n        COMMAREA(nothing) RESP(rc);\n    return 0;\n}\n";
        let compilation = compile(&compiler, source);
        assert_eq!(compilation.return_code, 12);
        let text = compilation.messages.join("\n");
        assert!(text.contains("prog.c:5:18: RGTCC0002-S 'nothing' undeclared") && text.matches("RGTCC").count() == 1, "{text}");
        let text = compile(&compiler, "int main(void) { return fopen(\"a\", \"r\") != 0; }\n").messages.join("\n");
        assert!(text.contains("fopen"), "{text}");
        let text = compile(&compiler, "int other(void);\nint main(void) { return other(); }\n").messages.join("\n");
        assert!(text.contains("other is used and defined nowhere"), "{text}");
        let text =
            compile(&compiler, "int main(void)\n{ struct { int a; } s;\n EXEC CICS DELAY INTERVAL(s);\n return 0; }\n").messages.join("\n");
        assert!(text.contains("prog.c:3: RGTCC0004-S an argument does not fit the command"), "{text}");
        let text = compile(&compiler, "int f(void) { return 0; }\n").messages.join("\n");
        assert!(text.contains("there is no function main"), "{text}");
    }

    #[test]
    fn every_kind_of_argument_compiles() {
        let source = r#"
#include <string.h>
#include "dfhaid.h"
struct record { short length; int amount; char key[6]; char *next; };
static struct record rec;
int main(int argc, char *argv[])
{
    char name[9] = "QUEUE", *pointer = name, abstime[8];
    short length = sizeof rec, item = 1;
    int resp, resp2;
    unsigned rba = 0;
    long long moment;
    struct record *area;
    void *commarea;
    EXEC CICS ADDRESS EIB(dfheiptr) COMMAREA(commarea);
    EXEC CICS READ FILE("ACCT") INTO(&rec) RIDFLD(rec.key) LENGTH(length) RESP(resp) RESP2(resp2);
    EXEC CICS READ FILE(name) SET(area) RIDFLD(rba) RBA LENGTH(rec.length);
    EXEC CICS READ FILE(pointer) INTO(rec) RIDFLD(&rba) RBA LENGTH(&length) NOHANDLE;
    EXEC CICS WRITEQ TS QUEUE("Q") FROM(area) LENGTH(sizeof(*area)) ITEM(item) REWRITE;
    EXEC CICS READQ TS QUEUE(pointer) INTO(area->key) ITEM(item + 1) RESP(rec.amount);
    EXEC CICS ASKTIME ABSTIME(abstime);
    EXEC CICS ASKTIME ABSTIME(moment);
    EXEC CICS FORMATTIME ABSTIME(moment) YYYYMMDD(name) TIME(area->key);
    EXEC CICS START TRANSID("ABCD") INTERVAL(100) FROM((char *)area) LENGTH(10);
    EXEC CICS DELAY FOR SECONDS(1);
    EXEC CICS GETMAIN SET(area) FLENGTH(100) INITIMG(name[0]);
    EXEC CICS FREEMAIN DATAPOINTER(area);
    EXEC CICS ASSIGN APPLID(name) SCRNHT(length) USERID(pointer);
    if (dfheiptr->eibaid == DFHENTER && dfheiptr->eibcalen > 0)
        EXEC CICS LINK PROGRAM("P") COMMAREA(&rec) LENGTH(sizeof rec);
    else
        EXEC CICS PUT CONTAINER("C") CHANNEL("H") FROM(name) FLENGTH(strlen(name));
    EXEC CICS GET CONTAINER("C") SET(commarea) FLENGTH(resp) END-EXEC;
    EXEC CICS ENQ RESOURCE(name) LENGTH(8) MAXLIFETIME(DFHVALUE(TASK));
    EXEC CICS RETURN TRANSID("ABCD") COMMAREA(&rec);
}
"#;
        let compilation = compile(&compiler(1047), &source.replace(" END-EXEC", ""));
        assert!(compilation.image.is_some() && compilation.return_code <= 4, "{}", compilation.messages.join("\n"));
    }
}
