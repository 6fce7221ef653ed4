//! The system initialization parameters of an application, and `regent sit`, which shows them.
//!
//! The source of a table, DFHSIT, comes first, and `[sit]` of `regent.toml` over it: both are the application's table. `--sit` is PARM, `--sysin FILE` is SYSIN, and `--sysin -` reads what the operator types.
//! Each of them overrides those before it, as in CICS (System initialization parameters, "Ways of overriding").

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use region::system_initialization::{InForce, SitError, Source, State, SystemInitialization};
use serde_json::json;

use super::configuration::{self, Configuration};
use super::{discover, initialization_table};
use crate::console::Console;
use crate::output::{OutputFormat, STANDARD_OUTPUT};

/// Name of the file that stands for what the operator types.
const CONSOLE: &str = "-";

/// The options of commands that start a region.
#[derive(Args, Clone, Default)]
pub struct Overrides {
    /// System initialization parameter, NAME=VALUE; overrides `regent.toml`.
    #[arg(long = "sit", value_name = "NAME=VALUE")]
    pub parm: Vec<String>,
    /// File of system initialization parameters; overrides --sit. `-` reads standard input up to .END.
    #[arg(long, value_name = "FILE")]
    pub sysin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct Arguments {
    /// The application's directory.
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// Say what a parameter does, or all of them, whether it has an effect, and what it accepts.
    #[arg(long, value_name = "PARAMETER", num_args = 0..=1, default_missing_value = "")]
    explain: Option<String>,
    #[command(flatten)]
    overrides: Overrides,
}

/// `regent sit`.
pub fn command(arguments: Arguments, console: &Console, format: OutputFormat) -> Result<u8, String> {
    let configuration = Configuration::read(&arguments.directory)?;
    let found = discover::discover(&arguments.directory, &configuration)?;
    let sit = of_application(&configuration, &found.initialization_tables, &arguments.overrides, false)?;
    let shown = match arguments.explain.as_deref() {
        None => sit.all_in_force().into_iter().filter(|one| !matches!(one.source, Source::Default | Source::Derived)).collect(),
        Some("") => sit.all_in_force(),
        Some(name) => vec![sit.in_force(name).ok_or_else(|| SitError::Unknown(name.to_uppercase()).to_string())?],
    };
    match (format, arguments.explain.as_deref()) {
        (OutputFormat::Json, _) => shown.iter().for_each(|one| STANDARD_OUTPUT.write_line(&in_json(one))),
        (_, None) if shown.is_empty() => console.line("Every parameter has its default."),
        (_, None) => shown.iter().for_each(|one| console.line(&format!("{:<16} {:<24} {}", one.name, one.value, one.source.text()))),
        (_, Some("")) => shown.iter().for_each(|one| console.line(&in_line(one))),
        (_, Some(_)) => shown.iter().for_each(|one| explained(one, console)),
    }
    Ok(0)
}

fn in_line(one: &InForce) -> String {
    let (state, text) = (one.effect.state.text(), one.effect.text);
    format!("{:<16} {:<24} {:<16} {state:<10} {text}", one.name, one.value, one.source.text()).trim_end().to_string()
}

fn explained(one: &InForce, console: &Console) {
    let (means, state) = match one.effect.state {
        State::Effective => ("does", "effective"),
        State::Refused => ("why", "refused: no other value is accepted"),
    };
    for (title, text) in
        [("name", one.name.as_str()), ("value", &one.value), ("from", one.source.text()), ("state", state), (means, one.effect.text)]
    {
        console.line(format!("{title:<8} {text}").trim_end());
    }
    if one.effect.state == State::Effective {
        console.line(&format!("accepts  {}", one.expected));
    }
}

fn in_json(one: &InForce) -> String {
    json!({
        "name": one.name, "value": one.value, "source": one.source.text(), "state": one.effect.state.text(), "text": one.effect.text,
        "accepts": one.expected,
    })
    .to_string()
}

/// The parameters of an application, of whose tables SIT chooses one. `cold` is START=COLD in PARM.
pub(super) fn of_application(
    configuration: &Configuration,
    tables: &[PathBuf],
    overrides: &Overrides,
    cold: bool,
) -> Result<SystemInitialization, String> {
    let mut sit = SystemInitialization::new();
    sit.overridden_by(Source::Sit);
    let written = configuration.sit_parameters()?;
    let typed = overrides.parm.iter().rev().find_map(|parameter| parameter.split_once('=').filter(|(name, _)| is_table_parameter(name)));
    let own = written.iter().find(|(name, _)| is_table_parameter(name)).map(|(_, value)| value.as_str());
    if let Some((path, table)) = initialization_table::chosen(tables, typed.map(|(_, value)| value).or(own))? {
        for (line, parameter) in &table.parameters {
            sit.apply(parameter).map_err(|error| format!("{}{error}", initialization_table::place(&path, *line)))?;
        }
    }
    for (name, value) in written {
        sit.set(&name, &value).map_err(|error| format!("{}: {error}", configuration::FILE_NAME))?;
    }
    sit.overridden_by(Source::Parm);
    if cold {
        sit.set("START", "COLD").map_err(|error| error.to_string())?;
    }
    for parameter in &overrides.parm {
        sit.apply(parameter).map_err(|error| format!("--sit: {error}"))?;
    }
    // What is typed comes last, wherever it stands.
    let (typed, files): (Vec<&PathBuf>, Vec<&PathBuf>) = overrides.sysin.iter().partition(|path| path.as_os_str() == CONSOLE);
    for path in files {
        let text = std::fs::read_to_string(path).map_err(|error| format!("--sysin {}: {error}", path.display()))?;
        apply_text(&mut sit, Source::Sysin, &text, path)?;
    }
    if let Some(path) = typed.first() {
        apply_text(&mut sit, Source::Console, &typed_text()?, path)?;
    }
    crate::code_page::page(sit.local_ccsid()).map_err(|error| format!("LOCALCCSID: {error}"))?;
    Ok(sit)
}

/// SIT, which names a table.
fn is_table_parameter(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("SIT")
}

fn apply_text(sit: &mut SystemInitialization, source: Source, text: &str, path: &Path) -> Result<(), String> {
    sit.overridden_by(source);
    let errors: Vec<String> = sit.apply_text(text).iter().map(ToString::to_string).collect();
    if errors.is_empty() { Ok(()) } else { Err(format!("--sysin {}: {}", path.display(), errors.join("\n"))) }
}

fn typed_text() -> Result<String, String> {
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(|error| format!("--sysin {CONSOLE}: {error}"))?;
    Ok(text)
}
