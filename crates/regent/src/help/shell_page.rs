//! The page of a command of the command line, from its own description.

use clap::{Arg, Command};

use super::page::Page;

pub fn file_name(command: &Command) -> String {
    format!("regent-{}.md", command.get_name())
}

/// The commands of the command line that are for users. The description must have been built.
pub fn commands(command_line: &Command) -> impl Iterator<Item = &Command> {
    command_line.get_subcommands().filter(|command| !command.is_hide_set())
}

/// A command with its own commands.
pub fn page(command: &Command) -> Page {
    let name = format!("regent {}", command.get_name());
    let mut page = Page::new(&name);
    body(&mut page, command, &name, true);
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
        let name = format!("{name} {}", inner.get_name());
        page.heading(&name);
        body(&mut page, inner, &name, false);
    }
    page
}

/// `with_global`: arguments that all commands below share are shown too.
fn body(page: &mut Page, command: &Command, name: &str, with_global: bool) {
    page.text(long_about(command));
    let usage = command.clone().bin_name(name).render_usage().to_string();
    page.code(usage.lines().map(|line| line.trim_start_matches("Usage: ").trim_start().to_string()).collect());
    let is_shown = |argument: &&Arg| !argument.is_hide_set() && argument.get_id() != "help" && (with_global || !argument.is_global_set());
    let rows: Vec<Vec<String>> = command.get_arguments().filter(is_shown).map(row).collect();
    if !rows.is_empty() {
        page.table(&["Argument", "Meaning", "Default"], rows);
    }
}

pub fn about(command: &Command) -> String {
    sentence(command.get_about().map(ToString::to_string).unwrap_or_default())
}

/// Ends with a full stop, which the command line's description leaves out.
fn long_about(command: &Command) -> String {
    let text = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    sentence(text)
}

fn sentence(text: String) -> String {
    if text.is_empty() || text.ends_with('.') { text } else { format!("{text}.") }
}

fn row(argument: &Arg) -> Vec<String> {
    let value = || argument.get_value_names().into_iter().flatten().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" ");
    let takes_value = argument.get_action().takes_values();
    let mut names: Vec<String> = argument.get_short().map(|short| format!("-{short}")).into_iter().collect();
    names.extend(argument.get_long().map(|long| format!("--{long}")));
    let name = match (names.is_empty(), takes_value) {
        (true, _) => value(),
        (false, true) => format!("{} {}", names.join(", "), value()),
        (false, false) => names.join(", "),
    };
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut meaning = sentence(help.split_whitespace().collect::<Vec<_>>().join(" "));
    let values: Vec<String> =
        argument.get_possible_values().iter().filter(|value| !value.is_hide_set()).map(|value| format!("`{}`", value.get_name())).collect();
    if takes_value && !values.is_empty() {
        meaning = format!("{meaning} One of {}.", values.join(", ")).trim_start().to_string();
    }
    let defaults: Vec<String> = argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let default =
        if takes_value && defaults.iter().any(|value| !value.is_empty()) { format!("`{}`", defaults.join(",")) } else { String::new() };
    vec![format!("`{name}`"), meaning, default]
}
