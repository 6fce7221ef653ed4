//! `regent resources`: the definitions of the CSD as YAML files, for version control.
//!
//! * `yaml`       the part of YAML that is used, with places;
//! * `read`       files to definitions, by the table of attributes; `write` definitions to files;
//! * `schema`     the JSON Schema of the files;
//! * `difference` what differs between files, the CSD and a running region; `apply` changes the CSD.

mod apply;
mod difference;
mod read;
mod schema;
mod write;
mod yaml;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use csd::csdup::matches_name;
use csd::file::is_supplied;
use csd::{Csd, Part, Refused, SharedCsd, Unavailable};
use serde_json::json;

use self::difference::{Change, Difference};
use self::read::File;
use self::write::Comments;
use crate::console::Console;
use crate::terminal;
use crate::work_directory::WorkDirectory;

/// Exit codes: something differs; a file has a fault, or a change is refused.
const DIFFERS: u8 = 4;
const ERROR: u8 = 8;

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a file for each group and each list of the CSD.
    ///
    /// A file whose definitions are those of the CSD stays as it is; comments above a key stay with it. The exit code is 8 if a file
    /// cannot be read, which is then left alone.
    Export(Export),
    /// Show how the CSD, and a running region, differ from the files.
    ///
    /// The exit code is 0 if nothing differs, 4 if something does, 8 if a file has a fault.
    Diff(Diff),
    /// Make the groups and lists of the CSD what their files say: all of it, or nothing.
    ///
    /// The exit code is 0, or 8 if a file has a fault or a change is refused.
    Apply(Apply),
    /// Print the JSON Schema of the files.
    Schema,
}

/// Whose CSD it is.
#[derive(Args)]
struct Of {
    /// The application's directory.
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    app: PathBuf,
    /// Work directory [default: DIRECTORY/.regent].
    #[arg(long)]
    data: Option<PathBuf>,
    /// The CSD file, in place of that of the work directory.
    #[arg(long)]
    csd: Option<PathBuf>,
}

impl Of {
    fn work(&self) -> WorkDirectory {
        WorkDirectory::of(&self.app, self.data.as_deref())
    }

    fn path(&self) -> PathBuf {
        self.csd.clone().unwrap_or_else(|| self.work().csd())
    }

    fn csd(&self) -> Result<SharedCsd, String> {
        let path = self.path();
        if !path.is_file() {
            return Err(format!("{}: there is no CSD; start the application with `regent up`, or name one with --csd", path.display()));
        }
        Ok(SharedCsd::on_file(&path))
    }
}

#[derive(Args)]
struct Export {
    /// The directory of the files; made if it is not there.
    directory: PathBuf,
    /// Only groups and lists of this name, which may be generic: PAY*. May be given more than once.
    #[arg(long = "only", value_name = "NAME")]
    only: Vec<String>,
    /// Remove the files of groups and lists that are not in the CSD.
    #[arg(long)]
    prune: bool,
    #[command(flatten)]
    of: Of,
}

#[derive(Args)]
struct Diff {
    /// The directory of the files.
    directory: PathBuf,
    #[command(flatten)]
    of: Of,
}

#[derive(Args)]
struct Apply {
    /// The directory of the files.
    directory: PathBuf,
    /// Only show what would change.
    #[arg(long)]
    dry_run: bool,
    /// Delete the groups and lists of the CSD that have no file.
    #[arg(long)]
    prune: bool,
    #[command(flatten)]
    of: Of,
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    match arguments.command {
        Command::Export(arguments) => export(&arguments, console),
        Command::Diff(arguments) => diff(&arguments, console),
        Command::Apply(arguments) => apply_all(&arguments, console),
        Command::Schema => {
            let text = serde_json::to_string_pretty(&schema::schema()).map_err(|error| error.to_string())?;
            crate::output::print(&(text + "\n")).map(|()| 0)
        }
    }
}

/// Shows the faults of files.
fn faults(found: &[String], console: &Console) -> u8 {
    found.iter().for_each(|fault| console.warning(fault));
    ERROR
}

fn export(arguments: &Export, console: &Console) -> Result<u8, String> {
    let csd = arguments.of.csd()?.snapshot().map_err(|fault| fault.to_string())?;
    let directory = &arguments.directory;
    std::fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let is_wanted = |name: &str| {
        let matches = |pattern: &String| matches_name(&pattern.to_uppercase(), name);
        !is_supplied(name) && (arguments.only.is_empty() || arguments.only.iter().any(matches))
    };
    let groups = csd.groups().filter(|name| is_wanted(name)).map(|name| (Part::Group, name));
    let lists = csd.lists().filter(|name| is_wanted(name)).map(|name| (Part::List, name));
    let mut found = Vec::new();
    for (part, name) in groups.chain(lists) {
        match export_part(&csd, part, name, directory) {
            Ok(false) => {}
            Ok(true) => console.line(&format!("written   {}", path_of(directory, name).display())),
            Err(faults) => found.extend(faults),
        }
    }
    found.extend(left_over(arguments, &csd, console));
    let schema = serde_json::to_string_pretty(&schema::schema()).map_err(|error| error.to_string())? + "\n";
    write_if_new(&directory.join(schema::FILE_NAME), &schema)?;
    if found.is_empty() { Ok(0) } else { Ok(faults(&found, console)) }
}

fn path_of(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.{}", read::EXTENSION))
}

/// True if the file has been written.
fn export_part(csd: &Csd, part: Part, name: &str, directory: &Path) -> Result<bool, Vec<String>> {
    let path = path_of(directory, name);
    let mut comments = Comments::default();
    if path.exists() {
        let file = read::file(&path)?;
        let is_other = file.name != name || file.part() != part;
        if is_other {
            let advice = "it is the file of another group or list; rename or remove it";
            return Err(vec![format!("{}: {advice}", path.display())]);
        }
        if says_the_same(&file, csd) {
            return Ok(false);
        }
        let text = std::fs::read_to_string(&path).map_err(|error| vec![format!("{}: {error}", path.display())])?;
        comments = Comments::of(&text);
    }
    let text = match part {
        Part::Group => write::group(csd, name, &comments),
        Part::List => write::list(csd, name, &comments),
    };
    write_if_new(&path, &text).map_err(|fault| vec![fault])
}

/// Whether a file has exactly what the CSD has, with the same attributes given.
fn says_the_same(file: &File, csd: &Csd) -> bool {
    let is_same = |written: &read::Written| {
        let kept = csd.definition(&file.name, written.definition.resource.name, &written.definition.name);
        kept.is_some_and(|kept| kept.attributes == written.definition.attributes)
    };
    difference::of_file(file, csd).is_empty() && file.definitions().iter().all(is_same)
}

fn write_if_new(path: &Path, text: &str) -> Result<bool, String> {
    if std::fs::read_to_string(path).is_ok_and(|kept| kept == text) {
        return Ok(false);
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(true)
}

/// Files of groups and lists that are not in the CSD. Returns faults.
fn left_over(arguments: &Export, csd: &Csd, console: &Console) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(&arguments.directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == read::EXTENSION));
    paths.sort();
    let mut faults = Vec::new();
    for file in paths.iter().filter_map(|path| read::file(path).ok()) {
        let (part, path) = (file.part().name(), file.path.display());
        if csd.has_group(&file.name) || csd.list(&file.name).is_some() {
            continue;
        }
        match arguments.prune.then(|| std::fs::remove_file(&file.path)) {
            None => console.warning(&format!("{path}: {part} {} is not in the CSD; --prune removes the file", file.name)),
            Some(Ok(())) => console.line(&format!("removed   {path}")),
            Some(Err(error)) => faults.push(format!("{path}: {error}")),
        }
    }
    faults
}

/// Shows the differences of a file or, with another title, of a part without a file.
fn show(title: &str, of: &str, name: &str, differences: &[Difference], console: &Console) {
    if console.is_json() {
        for difference in differences {
            let mut members = difference.json();
            members["file"] = json!(title);
            members["in"] = json!({ "part": of, "name": name });
            console.event("difference", members);
        }
        return;
    }
    console.line(&format!("{} {name} ({title})", of.to_lowercase()));
    differences.iter().for_each(|difference| console.line(&format!("  {}", difference.text())));
}

fn diff(arguments: &Diff, console: &Console) -> Result<u8, String> {
    let files = match read::directory(&arguments.directory) {
        Ok(files) => files,
        Err(found) => return Ok(faults(&found, console)),
    };
    let csd = arguments.of.csd()?.snapshot().map_err(|fault| fault.to_string())?;
    let mut count = 0;
    for file in &files {
        let differences = difference::of_file(file, &csd);
        if !differences.is_empty() {
            show(&file.path.display().to_string(), file.part().name(), &file.name, &differences, console);
        }
        count += differences.len();
    }
    for (part, name) in difference::without_file(&files, &csd) {
        count += 1;
        let difference = Difference { kind: part.name(), name: name.clone(), line: None, change: Change::Delete };
        show("no file", part.name(), &name, &[difference], console);
    }
    let installed = diff_region(arguments, &files, console)?;
    summarize(count, installed, console);
    Ok(if count + installed.unwrap_or(0) == 0 { 0 } else { DIFFERS })
}

fn summarize(count: usize, installed: Option<usize>, console: &Console) {
    if console.is_json() {
        return console.event("summary", json!({ "csd": count, "region": installed }));
    }
    let of = |count: usize| if count == 1 { "1 difference".to_string() } else { format!("{count} differences") };
    let region = installed.map_or("no region is running".to_string(), |count| format!("region: {}", of(count)));
    console.line(&format!("CSD: {}; {region}", of(count)));
}

/// Compares with the region of the application; `None` if there is none, or if another CSD was named.
fn diff_region(arguments: &Diff, files: &[File], console: &Console) -> Result<Option<usize>, String> {
    let work = arguments.of.work();
    if arguments.of.csd.is_some() || !terminal::is_served(&work.listener()) {
        return Ok(None);
    }
    let installed = csd::record::read(&work.installed()).map_err(|error| format!("{}: {error}", work.installed().display()))?;
    let mut count = 0;
    for file in files {
        let differences = difference::of_region(file, &installed);
        if !differences.is_empty() && !console.is_json() {
            console.line(&format!("region, group {} ({})", file.name, file.path.display()));
        }
        for (kind, name, found) in &differences {
            match console.is_json() {
                true => console.event("installed", found.json(kind, name)),
                false => console.line(&format!("  {}", found.text(kind, name))),
            }
        }
        count += differences.len();
    }
    Ok(Some(count))
}

/// Why nothing was applied.
enum Fault {
    Unavailable(Unavailable),
    Refused(Vec<String>),
}

impl From<Unavailable> for Fault {
    fn from(unavailable: Unavailable) -> Fault {
        Fault::Unavailable(unavailable)
    }
}

fn apply_all(arguments: &Apply, console: &Console) -> Result<u8, String> {
    let files = match read::directory(&arguments.directory) {
        Ok(files) => files,
        Err(found) => return Ok(faults(&found, console)),
    };
    if arguments.prune && files.is_empty() {
        return Err(format!("{}: no definitions are there, and --prune would delete all", arguments.directory.display()));
    }
    let path = arguments.of.path();
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    let shared = SharedCsd::on_file(&path);
    let change = |csd: &mut Csd| apply_to(csd, &files, arguments.prune, console);
    let done = match arguments.dry_run {
        true => shared.snapshot().map_err(Fault::from).and_then(|csd| change(&mut (*csd).clone())),
        false => shared.change(change),
    };
    let count = match done {
        Ok(count) => count,
        Err(Fault::Unavailable(fault)) => return Err(fault.to_string()),
        Err(Fault::Refused(refused)) => {
            faults(&refused, console);
            console.warning("nothing was changed");
            return Ok(ERROR);
        }
    };
    let changes = if count == 1 { "1 change".to_string() } else { format!("{count} changes") };
    match arguments.dry_run {
        _ if console.is_json() => console.event("summary", json!({ "changes": count, "dry_run": arguments.dry_run })),
        true => console.line(&format!("{changes}; nothing was changed (--dry-run)")),
        false => console.line(&format!("{changes} made")),
    }
    Ok(0)
}

/// Changes the CSD and shows what. Every refusal is reported.
fn apply_to(csd: &mut Csd, files: &[File], prune: bool, console: &Console) -> Result<usize, Fault> {
    let (mut count, mut refused) = (0, Vec::new());
    let mut report = |title: &str, of: Part, name: &str, differences: &[Difference], done: Result<(), Refused>| {
        if !differences.is_empty() {
            show(title, of.name(), name, differences, console);
            count += differences.len();
        }
        if let Err(fault) = done {
            refused.push(format!("{title}: {}", apply::reason(&fault)));
        }
    };
    let mut without_file = difference::without_file(files, csd);
    // Lists first: one goes by itself with its last group.
    without_file.sort_by_key(|(part, _)| *part != Part::List);
    for (part, name) in without_file.into_iter().filter(|_| prune) {
        let difference = Difference { kind: part.name(), name: name.clone(), line: None, change: Change::Delete };
        let done = apply::delete(csd, part, &name);
        report("no file", part, &name, &[difference], done);
    }
    for file in files {
        let differences = difference::of_file(file, csd);
        let done = apply::file(csd, file, &differences);
        report(&file.path.display().to_string(), file.part(), &file.name, &differences, done);
    }
    if refused.is_empty() { Ok(count) } else { Err(Fault::Refused(refused)) }
}
