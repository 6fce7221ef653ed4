//! `regent help`: the page of a command of the command line, of an EXEC CICS command, of a condition, of a resource definition, of a message,
//! of a command of CEMT, of a supplied transaction, or of a global user exit point.
//!
//! * `page`          a page and its two forms, Markdown and text;
//! * `command_page`  the page of an EXEC CICS command; `syntax` its syntax; `condition_page` that of a condition;
//! * `definition_page` the page of DEFINE for a type of resource; `message_page` that of a message of the region;
//! * `code_page`     that of an abend code, of a message of IDCAMS or of a compiler;
//! * `transaction_page` that of a supplied transaction, and of an exit point;
//! * `shell_page`    the page of a command of the command line;
//! * `pages`         all pages as files: `docs/commands` is generated this way, and a test compares it.

mod code_page;
mod command_page;
mod condition_page;
mod definition_page;
mod message_page;
mod page;
mod pages;
mod shell_page;
mod syntax;
mod transaction_page;

use std::path::PathBuf;

use clap::{Args, Command};
use exec::CommandSpec;
use serde_json::json;

use crate::colour;
use crate::console::Console;
use crate::output::STANDARD_OUTPUT;
use page::Page;

#[derive(Args)]
pub struct Arguments {
    /// A command of regent (up), an EXEC CICS command (READ FILE), a condition (NOTFND), its number (13) or its abend code (AEIM), a
    /// resource definition (DEFINE FILE), a message (DFHAC2206, IDC3012I, RGTLI0008), an abend code (ASRA), a command of CEMT (CEMT SET
    /// FILE), a supplied transaction (CETR), or an exit point (XEIIN).
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,
    /// Write the pages of all commands to this directory, as Markdown.
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "words")]
    pages: Option<PathBuf>,
}

/// `command_line` describes `regent` itself.
pub fn command(arguments: Arguments, mut command_line: Command, console: &Console) -> Result<u8, String> {
    if let Some(directory) = arguments.pages {
        return pages::write(&directory, command_line).map(|()| 0);
    }
    command_line.build();
    if let Some(help) = of_command_line(&command_line, &arguments.words) {
        show(console, &help.to_string(), &help.ansi().to_string());
        return Ok(0);
    }
    let words = exec_words(&arguments.words);
    match answer(&words) {
        Some(page) => {
            show(console, &page.plain(str::to_string), &page.plain(|text| format!("\x1b[1m{text}\x1b[0m")));
            Ok(0)
        }
        None => Err(unknown(&arguments.words, &words, &command_line)),
    }
}

/// Writes text; `coloured` to a terminal that takes colours.
fn show(console: &Console, text: &str, coloured: &str) {
    if console.is_json() {
        return console.event("help", json!({ "text": text }));
    }
    let is_coloured = colour::is_wanted_on(&std::io::stdout());
    STANDARD_OUTPUT.write_line(if is_coloured { coloured } else { text }.trim_end());
}

/// The help of the command line itself, or of the command that the words name in full: what `--help` gives.
fn of_command_line(command_line: &Command, words: &[String]) -> Option<clap::builder::StyledStr> {
    let mut command = command_line;
    for word in words {
        command = command.find_subcommand(word)?;
    }
    let asked = ["regent"].into_iter().chain(words.iter().map(String::as_str)).chain(["--help"]);
    command_line.clone().try_get_matches_from(asked).err().map(|help| help.render())
}

/// The words of an EXEC CICS command in upper case, without EXEC CICS, END-EXEC and arguments in parentheses.
fn exec_words(words: &[String]) -> Vec<String> {
    let text = words.join(" ").to_uppercase();
    let mut bare = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            c => bare.push(c),
        }
        if c == ')' {
            bare.push(' ');
        }
    }
    let words: Vec<String> = bare.split_whitespace().filter(|word| *word != "END-EXEC").map(str::to_string).collect();
    let skipped = ["EXEC", "CICS"].iter().zip(&words).take_while(|(wanted, word)| *wanted == word).count();
    words[skipped..].to_vec()
}

fn answer(words: &[String]) -> Option<Page> {
    if let Some(command) = find(words) {
        return Some(command_page::page(command));
    }
    match words {
        [] => None,
        [cemt, rest @ ..] if cemt == "CEMT" => of_cemt(rest),
        [define, rest @ ..] if define == "DEFINE" && !rest.is_empty() => definition_page::of_define(rest),
        [one] => {
            let of_name = condition_page::page(one).or_else(|| definition_page::page(one)).or_else(|| message_page::page(one));
            let other = of_name.or_else(|| of_verb(one)).or_else(|| code_page::page(one));
            other.or_else(|| transaction_page::of_transaction(one)).or_else(|| transaction_page::of_exit_point(one))
        }
        _ => None,
    }
}

/// What CEMT itself shows for the words and a question mark.
fn of_cemt(words: &[String]) -> Option<Page> {
    let lines = supplied::cemt::syntax(&words.join(" "))?;
    let mut page = Page::new(["CEMT".to_string()].iter().chain(words).cloned().collect::<Vec<_>>().join(" "));
    let text = match words {
        [] => "Type CEMT at a terminal, with one of these verbs. `regent help CEMT SET` shows what a verb can be followed by.",
        [_] => "The verb can be followed by one of these words. The capitals are the letters that must be typed.",
        _ => "The words that the command may have. The capitals are the letters that must be typed.",
    };
    page.text(text);
    page.code(lines);
    Some(page)
}

/// The command the words belong to: the one with most words of its name among them; the other words are its options.
fn find(words: &[String]) -> Option<&'static CommandSpec> {
    if let Some(command) = exec::command_by_name(&words.join(" ")) {
        return Some(command);
    }
    let (verb, rest) = words.split_first()?;
    let has = |spec: &&CommandSpec| spec.words[1..].iter().all(|word| rest.iter().any(|given| given == word));
    let is_option = |spec: &CommandSpec, word: &String| {
        spec.words.contains(&word.as_str()) || spec.option_by_name(word).is_some() || ["RESP", "RESP2", "NOHANDLE"].contains(&word.as_str())
    };
    let fits = |spec: &&CommandSpec| rest.iter().all(|word| is_option(spec, word));
    exec::commands_of_verb(verb).iter().filter(has).filter(fits).max_by_key(|spec| spec.words.len())
}

/// The commands of a verb that is no command itself.
fn of_verb(verb: &str) -> Option<Page> {
    let commands = exec::commands_of_verb(verb);
    let row = |spec: &CommandSpec| {
        vec![spec.name.to_string(), spec.description.as_ref().map_or("not executed", |description| description.text).to_string()]
    };
    let (known, other): (Vec<&CommandSpec>, Vec<&CommandSpec>) = commands.iter().partition(|spec| spec.implemented);
    let mut page = Page::new(format!("Commands of {verb}"));
    page.table(&["Command", "What it does"], known.into_iter().chain(other).map(row).collect());
    if verb == "DEFINE" {
        definition_page::list(&mut page);
    }
    (!commands.is_empty()).then_some(page)
}

/// The message for words that name nothing.
fn unknown(given: &[String], words: &[String], command_line: &Command) -> String {
    let given = given.join(" ");
    let wanted = words.join(" ");
    let shell: Vec<&str> = shell_page::commands(command_line).map(Command::get_name).collect();
    let conditions = exec::catalogue().conditions.iter().map(|spec| spec.name);
    let names = exec::commands().iter().map(|spec| spec.name);
    let verbs = exec::commands().iter().map(|spec| spec.words[0]);
    let types = csd::attributes::resource_types().iter().map(|of| of.name);
    let verb = words.first().map_or("", String::as_str);
    if verb.starts_with(message_page::PREFIX) {
        let near = exec::meant(verb, region::messages::table().keys().copied());
        return format!(
            "no message {given}{near}{}",
            if near.is_empty() { "; 'regent help DFH' lists all messages of the region" } else { "" }
        );
    }
    let near = [
        exec::nearest(&given, shell.iter().copied()),
        exec::nearest(&wanted, names),
        exec::nearest(&wanted, conditions),
        exec::nearest(wanted.strip_prefix("DEFINE ").unwrap_or(&wanted), types),
    ];
    let mut near: Vec<&str> = near.into_iter().flatten().collect();
    if near.is_empty() && !exec::commands_of_verb(verb).is_empty() {
        return format!("no command {given}; 'regent help {verb}' lists the commands of {verb}");
    }
    if near.is_empty() {
        near.extend(exec::nearest(verb, verbs));
    }
    match near.as_slice() {
        [] => format!("no command {given}; 'regent help' lists the commands of regent, docs/commands/README.md those of EXEC CICS"),
        near => format!("no command {given}; did you mean {}?", syntax::any_of(near)),
    }
}
