//! Finds the contents of an application's directory: programs, copybooks, maps, resource definitions, jobs, data.
//!
//! The kind of a file is determined by its content, not only by its extension: naming differs between teams, and unloaded data sets have no
//! extension at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::configuration::{Configuration, FILE_NAME};
use super::exclude::Excluded;
use super::{jcl, link_edit};

/// Larger files are data: they are not read to find out what they are.
const SOURCE_BYTES_MAX: u64 = 8 << 20;
const DEPTH_MAX: usize = 32;
/// What makes a directory a bundle.
const BUNDLE_MANIFEST: &str = "META-INF/cics.xml";
/// Why a source is refused whose language has no compiler here.
pub const PLI: &str = "PL/I source: there is no PL/I compiler; rewrite the program in COBOL or C";
pub const ASSEMBLER: &str = "assembler source: there is no assembler; rewrite the program in COBOL or C";
pub const MACRO_LEVEL: &str =
    "macro-level program in assembler: there is no macro-level interpreter; rewrite it in COBOL or C with EXEC CICS";

/// What was found, each list in order of path.
#[derive(Debug, Default)]
pub struct Found {
    pub programs: Vec<PathBuf>,
    /// Directories that hold copybooks, the nearest first.
    pub copy_directories: Vec<PathBuf>,
    pub copybooks: usize,
    pub maps: Vec<PathBuf>,
    /// DFHCSDUP input as text.
    pub definitions: Vec<PathBuf>,
    /// IDCAMS input as text.
    pub control_statements: Vec<PathBuf>,
    pub jobs: Vec<PathBuf>,
    /// Sources of program list tables.
    pub program_lists: Vec<PathBuf>,
    /// Sources of monitoring control tables.
    pub monitoring_tables: Vec<PathBuf>,
    /// Sources of system initialization tables.
    pub initialization_tables: Vec<PathBuf>,
    /// Control statements of the binder.
    pub link_decks: Vec<PathBuf>,
    /// SQL statements, as SPUFI reads them.
    pub scripts: Vec<PathBuf>,
    /// Every file that may be a member of a library, by upper-case name without extension.
    pub members: BTreeMap<String, Vec<PathBuf>>,
    /// Entries of `exclude` that left nothing out.
    pub idle_excludes: Vec<String>,
    /// Files that may hold the records of a sequential data set, by upper-case file name.
    pub data: BTreeMap<String, PathBuf>,
    /// Directories of bundles. What a bundle holds is read when it is installed.
    pub bundles: Vec<PathBuf>,
    /// What cannot be used: path and reason.
    pub refused: Vec<(PathBuf, &'static str)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Program,
    Copybook,
    Map,
    Definitions,
    ControlStatements,
    Job,
    ProgramList,
    MonitoringTable,
    InitializationTable,
    LinkDeck,
    Script,
    Data,
    Document,
    Refused(&'static str),
}

/// Walks the directory and those `regent.toml` includes.
pub fn discover(directory: &Path, configuration: &Configuration) -> Result<Found, String> {
    let mut found = Found::default();
    let mut excluded = Excluded::new(&configuration.source.exclude);
    let mut roots = vec![directory.to_path_buf()];
    roots.extend(configuration.source.include.iter().map(|path| directory.join(path)));
    let real_roots: Vec<PathBuf> = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
    for root in &roots {
        if !root.is_dir() {
            return Err(format!("{}: not a directory", root.display()));
        }
        let tree = Tree { application: directory, roots: &real_roots };
        walk(&tree, root, &mut excluded, 0, &mut found)?;
    }
    found.idle_excludes = excluded.idle();
    for path in &configuration.source.copy {
        push_once(&mut found.copy_directories, directory.join(path));
    }
    Ok(found)
}

/// What a walk may take a file from.
struct Tree<'a> {
    application: &'a Path,
    /// The directory and those it includes, without links.
    roots: &'a [PathBuf],
}

/// A link through which `include` names a directory: its files are taken from there, so nothing is left out.
fn leads_to_included(tree: &Tree<'_>, path: &Path) -> bool {
    path.canonicalize().is_ok_and(|target| target.is_dir() && tree.roots.iter().skip(1).any(|root| root.starts_with(&target)))
}

/// Why a symbolic link is not followed: a directory would be walked twice or for ever, a file elsewhere is not part of the application.
fn link_fault(tree: &Tree<'_>, path: &Path) -> Option<&'static str> {
    match path.canonicalize() {
        Err(_) => Some("a symbolic link that leads nowhere"),
        Ok(target) if !tree.roots.iter().any(|root| target.starts_with(root)) => {
            Some("a symbolic link out of the directory: include the directory it leads to in regent.toml, or copy the file")
        }
        Ok(target) => target.is_dir().then_some("a symbolic link to a directory"),
    }
}

fn walk(tree: &Tree<'_>, directory: &Path, excluded: &mut Excluded, depth: usize, found: &mut Found) -> Result<(), String> {
    if depth > DEPTH_MAX {
        return Err(format!("{}: directories nest deeper than {DEPTH_MAX}", directory.display()));
    }
    let entries = std::fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        let is_left_out = name.starts_with('.') || name == FILE_NAME;
        if is_left_out || excluded.leaves_out(tree.application, &path) {
            continue;
        }
        if path.is_symlink() && leads_to_included(tree, &path) {
            continue;
        }
        if path.is_symlink()
            && let Some(why) = link_fault(tree, &path)
        {
            found.refused.push((path, why));
        } else if path.is_dir() && path.join(BUNDLE_MANIFEST).is_file() {
            found.bundles.push(path);
        } else if path.is_dir() {
            walk(tree, &path, excluded, depth + 1, found)?;
        } else {
            file(path, &name, found);
        }
    }
    Ok(())
}

fn file(path: PathBuf, name: &str, found: &mut Found) {
    if let Some(stem) = path.file_stem() {
        found.members.entry(stem.to_string_lossy().to_uppercase()).or_default().push(path.clone());
    }
    match kind_of(&path, name) {
        Kind::Program => found.programs.push(path),
        Kind::Copybook => {
            found.copybooks += 1;
            if let Some(parent) = path.parent() {
                push_once(&mut found.copy_directories, parent.to_path_buf());
            }
        }
        Kind::Map => found.maps.push(path),
        Kind::Definitions => found.definitions.push(path),
        Kind::ControlStatements => found.control_statements.push(path),
        Kind::Job => found.jobs.push(path),
        Kind::ProgramList => found.program_lists.push(path),
        Kind::MonitoringTable => found.monitoring_tables.push(path),
        Kind::InitializationTable => found.initialization_tables.push(path),
        Kind::LinkDeck => found.link_decks.push(path),
        Kind::Script => found.scripts.push(path),
        Kind::Data => {
            found.data.entry(name.to_uppercase()).or_insert(path);
        }
        Kind::Document => {}
        Kind::Refused(reason) => found.refused.push((path, reason)),
    }
}

fn push_once(list: &mut Vec<PathBuf>, path: PathBuf) {
    if !list.contains(&path) {
        list.push(path);
    }
}

fn kind_of(path: &Path, name: &str) -> Kind {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "md" | "rst" | "adoc" | "html" | "png" | "svg" | "jpg" | "jpeg" | "gif" | "pdf" | "drawio" | "gitignore" | "license" => {
            return Kind::Document;
        }
        // A member of extension dcl is what DCLGEN made of a table, for EXEC SQL INCLUDE.
        "cpy" | "copy" | "cpb" | "dcl" => return Kind::Copybook,
        "pli" | "pl1" | "plx" => return Kind::Refused(PLI),
        "c" | "cpp" | "cxx" | "cc" => return Kind::Program,
        "h" | "hpp" | "hxx" => return Kind::Copybook,
        "java" | "jar" | "class" | "gradle" => return Kind::Refused("Java: JVM servers are not there yet"),
        "rex" | "rexx" | "exec" | "clist" => return Kind::Refused("REXX or CLIST"),
        "sql" | "ddl" => return Kind::Script,
        "wsdl" | "wsbind" | "xml" | "json" | "yaml" | "yml" | "js" | "ts" | "tsx" | "css" | "scss" | "less" | "py" | "sh" => {
            return Kind::Refused("not a CICS application source");
        }
        _ => {}
    }
    let length = path.metadata().map(|m| m.len()).unwrap_or(0);
    if length == 0 {
        return Kind::Document;
    }
    if length > SOURCE_BYTES_MAX {
        return Kind::Data;
    }
    let Ok(bytes) = std::fs::read(path) else { return Kind::Refused("cannot be read") };
    by_content(&extension, name, &bytes)
}

/// The kind that the extension and the text tell; text is compared in upper case.
fn by_content(extension: &str, name: &str, bytes: &[u8]) -> Kind {
    if bytes.contains(&0) {
        return Kind::Data;
    }
    let text = String::from_utf8_lossy(bytes).to_uppercase();
    // A job is one under any name: libraries are unloaded with one extension for all their members.
    if jcl::is_jcl(&text) {
        return Kind::Job;
    }
    match extension {
        "asm" | "s" | "hlasm" | "mac" if is_map(&text) => return Kind::Map,
        "asm" | "s" | "hlasm" | "mac" if !TABLES.iter().any(|name| has_macro(&text, name)) => {
            return Kind::Refused(if MACROS.iter().any(|name| has_macro(&text, name)) { MACRO_LEVEL } else { ASSEMBLER });
        }
        "inc" => return if has_pictures(&text) { Kind::Copybook } else { Kind::Refused(PLI) },
        "lnk" | "lked" | "lkd" | "link" => return Kind::LinkDeck,
        "cbl" | "cob" | "cobol" => return if has_program(&text) { Kind::Program } else { Kind::Copybook },
        "bms" => return Kind::Map,
        "jcl" | "prc" | "proc" => return Kind::Job,
        "csd" => return Kind::Definitions,
        "idc" | "ams" | "idcams" => return Kind::ControlStatements,
        _ => {}
    }
    if has_macro(&text, "DFHPLT") {
        Kind::ProgramList
    } else if has_macro(&text, "DFHMCT") {
        Kind::MonitoringTable
    } else if has_macro(&text, "DFHSIT") {
        Kind::InitializationTable
    } else if is_map(&text) {
        Kind::Map
    } else if has_program(&text) {
        Kind::Program
    } else if text.lines().any(is_csd_definition) {
        Kind::Definitions
    } else if text.lines().any(|line| line.trim_start().starts_with("DEFINE CLUSTER") || line.trim_start().starts_with("DEF CL")) {
        Kind::ControlStatements
    } else if link_edit::is_deck(&text) {
        Kind::LinkDeck
    } else if extension.is_empty() && has_pictures(&text) || extension == "txt" && describes_data(&text) {
        Kind::Copybook
    } else if extension.is_empty()
        || name.contains('.') && extension.len() > 3
        || matches!(extension, "ps" | "dat" | "bin" | "data" | "txt")
    {
        Kind::Data
    } else {
        Kind::Refused("not known as a source, definition or data file")
    }
}

/// Source of a mapset or a partition set: statements of the DFHMSD or DFHPSD macro.
pub fn is_map(text: &str) -> bool {
    text.lines().any(|line| !line.starts_with('*') && line.split_whitespace().take(2).any(|word| matches!(word, "DFHMSD" | "DFHPSD")))
}

fn has_pictures(text: &str) -> bool {
    text.lines().any(|line| line.contains(" PIC "))
}

/// A data description entry: level number, name, PICTURE; sequence numbers may stand before it. A text or a data set that merely
/// contains the word has none.
fn describes_data(text: &str) -> bool {
    let is_entry = |line: &str| {
        let mut words = line.split_whitespace();
        let is_level = |word: &str| word.len() <= 2 && matches!(word.parse::<u8>(), Ok(1..=49 | 66 | 77 | 88));
        words.next().is_some_and(is_level) && words.next().is_some() && words.any(|word| matches!(word, "PIC" | "PICTURE"))
    };
    text.lines().any(|line| is_entry(line) || line.get(6..).is_some_and(is_entry))
}

/// Macros of tables that are read.
const TABLES: [&str; 3] = ["DFHPLT", "DFHMCT", "DFHSIT"];
/// Macros that only programs of the macro level have.
const MACROS: [&str; 8] = ["DFHFC", "DFHIC", "DFHKC", "DFHPC", "DFHSC", "DFHTC", "DFHTD", "DFHTS"];

/// Source of a table: statements of its macro.
fn has_macro(text: &str, name: &str) -> bool {
    let statement = format!(" {name} ");
    text.lines().any(|line| !line.starts_with('*') && line.contains(&statement))
}

/// A COBOL source program has an identification division, its header possibly shortened to ID.
pub fn has_program(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.get(6..).unwrap_or(line).trim_start();
        line.starts_with("PROGRAM-ID") || line.starts_with("IDENTIFICATION DIVISION") || line.starts_with("ID DIVISION")
    }) || text.lines().any(|line| line.trim_start().starts_with("PROGRAM-ID"))
}

fn is_csd_definition(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("DEFINE ") && line.contains("GROUP(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        assert_eq!(by_content("cbl", "X.cbl", b"       IDENTIFICATION DIVISION.\n       PROGRAM-ID. X."), Kind::Program);
        assert_eq!(by_content("cbl", "X.cbl", b"       01  A PIC X.\n"), Kind::Copybook);
        assert_eq!(by_content("", "X", b"//A JOB\n"), Kind::Job);
        assert_eq!(by_content("plt", "X.plt", b"         DFHPLT TYPE=FINAL\n"), Kind::ProgramList);
        assert_eq!(by_content("asm", "X.asm", b"         dfhplt type=final\n"), Kind::ProgramList);
        assert_eq!(by_content("asm", "X.asm", b"         DFHMCT TYPE=FINAL\n"), Kind::MonitoringTable);
        assert_eq!(by_content("asm", "X.asm", b"         DFHSIT TYPE=CSECT\n"), Kind::InitializationTable);
        assert_eq!(by_content("asm", "X.asm", b"* A DFHPLT \nX        CSECT\n"), Kind::Refused(ASSEMBLER));
        assert_eq!(by_content("asm", "X.asm", b"X        CSECT\n         DFHPC TYPE=RETURN\n"), Kind::Refused(MACRO_LEVEL));
        assert_eq!(by_content("asm", "X.asm", b"* SCREEN\nX        DFHMSD TYPE=MAP\n"), Kind::Map);
        assert_eq!(by_content("asm", "X.asm", b"* A DFHMSD \nX        CSECT\n"), Kind::Refused(ASSEMBLER));
        assert_eq!(by_content("inc", "X.inc", b"       01 A PIC X.\n"), Kind::Copybook);
        assert_eq!(by_content("txt", "x.txt", b"000100 01  A.\n000200     05  B  PIC X.\n"), Kind::Copybook);
        assert_eq!(by_content("txt", "x.txt", b"A PICTURE OF 12 ROSES PIC BY ANN\n"), Kind::Data);
        assert_eq!(by_content("txt", "x.txt", b" INCLUDE OBJ(A)\n NAME B(R)\n"), Kind::LinkDeck);
        assert_eq!(by_content("txt", "x.txt", b"DEFINE PROGRAM(A) GROUP(B)\n"), Kind::Definitions);
        assert_eq!(by_content("txt", "x.txt", b"  DEFINE CLUSTER (NAME(A))\n"), Kind::ControlStatements);
        assert_eq!(by_content("", "A.B.C", &[0xF1, 0x00, 0x0C]), Kind::Data);
        assert_eq!(by_content("csd", "x.csd", b"//A JOB\n"), Kind::Job);
        assert_eq!(by_content("cbl", "X.cbl", b"//A JOB\n//S EXEC PGM=IDCAMS\n"), Kind::Job);
    }

    #[test]
    fn links_out_of_the_directory_are_not_followed() {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().unwrap();
        let (application, elsewhere) = (scratch.path().join("app"), scratch.path().join("elsewhere"));
        for directory in [&application, &elsewhere] {
            std::fs::create_dir(directory).unwrap();
        }
        std::fs::write(elsewhere.join("SECRET.DATA"), [1, 0, 2]).unwrap();
        std::fs::write(application.join("A.cbl"), "       ID DIVISION.\n       PROGRAM-ID. A.\n").unwrap();
        symlink(elsewhere.join("SECRET.DATA"), application.join("SECRET.DATA")).unwrap();
        symlink(&elsewhere, application.join("linked")).unwrap();
        symlink("nowhere", application.join("LOST.DATA")).unwrap();
        symlink("A.cbl", application.join("B.cbl")).unwrap();
        let mut configuration = Configuration::default();
        let found = discover(&application, &configuration).unwrap();
        assert!(found.data.is_empty(), "{:?}", found.data);
        assert_eq!(found.programs, [application.join("A.cbl"), application.join("B.cbl")], "a link within the directory is a file of it");
        let refused: Vec<_> = found.refused.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(refused, ["LOST.DATA", "SECRET.DATA", "linked"]);
        // What regent.toml includes is part of the application.
        configuration.source.include = vec!["../elsewhere".into()];
        assert!(discover(&application, &configuration).unwrap().data.contains_key("SECRET.DATA"));
    }

    #[test]
    fn a_directory_is_sorted_into_lists() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("src/A.CBL", b"       ID DIVISION.\n       PROGRAM-ID. A.\n");
        write("cpy/B.cpy", b"       01 B PIC X.\n");
        write("M.bms", b"M DFHMSD TYPE=MAP\n");
        write("old/C.cbl", b"       ID DIVISION.\n");
        write("x.asm", b"A CSECT\n");
        write(".regent/data/file", b"x");
        write("DATA.SET.NAME", &[1, 0, 2]);
        write("bundles/limits/META-INF/cics.xml", b"<manifest/>");
        write("bundles/limits/A.policy", b"<policy/>");
        let configuration: Configuration = toml::from_str("[source]\nexclude = [\"old\"]\n").unwrap();
        let found = discover(directory.path(), &configuration).unwrap();
        assert_eq!(found.programs.len(), 1);
        assert_eq!(found.copy_directories, [directory.path().join("cpy")]);
        assert_eq!(found.maps.len(), 1);
        assert!(found.data.contains_key("DATA.SET.NAME"));
        assert_eq!(found.bundles, [directory.path().join("bundles/limits")], "its files are neither data nor refused");
        assert_eq!(found.refused, [(directory.path().join("x.asm"), ASSEMBLER)]);
    }
}
