//! All pages as files: an index, the commands of the command line and every EXEC CICS command of the catalogue.

use std::collections::BTreeSet;
use std::path::Path;

use clap::Command;
use exec::CommandSpec;

use super::page::Page;
use super::{command_page, shell_page};

/// Writes the pages. Files of the directory that are not pages any more are removed.
pub fn write(directory: &Path, mut command_line: Command) -> Result<(), String> {
    command_line.build();
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    std::fs::create_dir_all(directory).map_err(failed)?;
    let pages = pages(&command_line);
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_page = pages.iter().any(|(name, _)| path.file_name().is_some_and(|file| file.to_str() == Some(name)));
        if !is_page && path.extension().is_some_and(|extension| extension == "md") {
            std::fs::remove_file(&path).map_err(failed)?;
        }
    }
    for (name, page) in pages {
        std::fs::write(directory.join(name), page.markdown()).map_err(failed)?;
    }
    Ok(())
}

fn pages(command_line: &Command) -> Vec<(String, Page)> {
    let mut pages = vec![("README.md".to_string(), index(command_line))];
    pages.extend(shell_page::commands(command_line).map(|command| (shell_page::file_name(command), shell_page::page(command))));
    pages.extend(exec::commands().iter().map(|command| (command_page::file_name(command), command_page::page(command))));
    pages
}

fn index(command_line: &Command) -> Page {
    let mut page = Page::new("Commands");
    page.text(
        "Each command has a page. `regent help --pages docs/commands` generates the pages from the tables that the translator and the region \
         read. `regent help READ` shows a page in the terminal.",
    );
    page.heading("Command line");
    let row = |command: &Command| {
        let (name, file) = (command.get_name(), shell_page::file_name(command));
        vec![format!("[regent {name}]({file})"), shell_page::about(command)]
    };
    page.table(&["Command", "What it does"], shell_page::commands(command_line).map(row).collect());
    for group in exec::command_groups() {
        page.heading(*group);
        let of_group = exec::commands().iter().filter_map(|command| {
            let description = command.description.as_ref().filter(|description| description.group == *group)?;
            Some(vec![format!("[{}]({})", command.name, command_page::file_name(command)), description.text.to_string()])
        });
        page.table(&["Command", "What it does"], of_group.collect());
    }
    page.heading("All EXEC CICS commands");
    page.list(
        [
            "`RESP(data-area)`, `RESP2(data-area)` and `NOHANDLE` are valid on every command. With RESP or NOHANDLE, control returns to the program \
             after any condition.",
            "NOTAUTH is raised only in a region with SEC=YES, for a transaction with RESSEC or CMDSEC (see docs/region-security.md).",
            "There are no connections to other systems, so SYSID of another system raises SYSIDERR.",
            "The translator gives a warning for a command that is not available yet. A task that reaches such a command ends with abend AEY9.",
        ]
        .map(str::to_string)
        .to_vec(),
    );
    page.heading("Not available yet");
    let missing: Vec<&CommandSpec> = exec::commands().iter().filter(|command| !command.implemented).collect();
    page.text(format!(
        "{} of the {} commands of CICS TS 5.5 are available. The translator knows the others too: it checks their options and gives a warning. \
         Their pages have syntax, options and conditions.",
        exec::commands().len() - missing.len(),
        exec::commands().len()
    ));
    let row = |verb: &&str| {
        let of_verb = missing.iter().filter(|command| command.words[0] == *verb);
        let links: Vec<String> = of_verb.map(|command| format!("[{}]({})", command.name, command_page::file_name(command))).collect();
        vec![verb.to_string(), links.join(" · ")]
    };
    let verbs: BTreeSet<&str> = missing.iter().map(|command| command.words[0]).collect();
    page.table(&["Verb", "Commands"], verbs.iter().map(row).collect());
    page
}
