//! The page of an EXEC CICS command, from the catalogue and the region's table of options without effect.

use exec::{CommandSpec, Condition, DefaultAction, Direction, Family, InEib, Numeric, OptionSpec, Resp2Meaning, Threadsafe};

use region::exec_interface::gate::is_answered;

use super::page::Page;
use super::syntax::{self, any_of};

/// Commands of a verb that has more are not listed as related.
const RELATED_MAX: usize = 12;

/// The file of a command's page.
pub fn file_name(command: &CommandSpec) -> String {
    format!("{}.md", command.name.to_lowercase().replace(' ', "-"))
}

pub fn page(command: &'static CommandSpec) -> Page {
    let mut page = Page::new(command.name);
    match &command.description {
        Some(description) => page.text(description.text),
        None => page.text(format!(
            "Not available yet. The compiler says `{}` (RGTXL0013-W), and a task that reaches the command ends with abend AEY9{}.",
            cobol::not_available(command),
            if is_answered(command.id) { ", or gets INVREQ if the command has RESP or NOHANDLE" } else { "" }
        )),
    }
    page.heading("Syntax");
    let (lines, rules) = syntax::syntax(command);
    page.code(lines);
    page.list(rules);
    if !command.options.is_empty() {
        page.heading("Options");
        page.table(
            &["Option", "Argument", "Direction", "Meaning"],
            command.as_written.iter().filter_map(|id| command.option(*id)).map(option).collect(),
        );
    }
    page.heading("Conditions");
    match conditions(command) {
        rows if rows.is_empty() => page.text("The command raises no conditions of its own."),
        rows => page.table(&["Condition", "RESP", "RESP2", "Unless handled", "Meaning"], rows),
    }
    page.heading("Properties");
    page.list(properties(command));
    if command.implemented {
        page.heading("Differences from CICS TS 5.5");
        match differences(command) {
            items if items.is_empty() => page.text("None are known."),
            items => page.list(items),
        }
    }
    let related = related(command);
    if !related.is_empty() {
        page.heading("Related commands");
        page.text(related.iter().map(|other| format!("[{}]({})", other.name, file_name(other))).collect::<Vec<_>>().join(" · "));
    }
    page
}

fn option(option: &OptionSpec) -> Vec<String> {
    let form = match option.numeric {
        Numeric::Not if option.length == 1 => ", 1 byte".to_string(),
        Numeric::Not if option.length > 0 => format!(", {} bytes", option.length),
        Numeric::Halfword => ", halfword".to_string(),
        Numeric::Fullword if option.kind == exec::ArgumentKind::Cvda => String::new(),
        Numeric::Fullword => ", fullword".to_string(),
        Numeric::Doubleword => ", doubleword".to_string(),
        Numeric::Abstime => ", ABSTIME".to_string(),
        Numeric::Hhmmss if option.kind != exec::ArgumentKind::Hhmmss => ", hhmmss".to_string(),
        Numeric::TaskNumber => ", task number".to_string(),
        Numeric::Pointer64 => ", 64 bits".to_string(),
        Numeric::Not | Numeric::Pointer | Numeric::Hhmmss => String::new(),
    };
    let direction = match option.direction {
        Direction::Flag => "",
        Direction::In => "in",
        Direction::Out => "out",
        Direction::InOut => "in and out",
    };
    vec![option.name.to_string(), format!("{}{form}", option.kind.word()), direction.to_string(), option.meaning.to_string()]
}

fn unless_handled(condition: Condition) -> String {
    match (condition.default_action(), condition.abend_code()) {
        (DefaultAction::Abend, Some(code)) => format!("abend {code}"),
        (DefaultAction::Abend, None) => "abend".to_string(),
        (DefaultAction::Ignore, _) => "ignored".to_string(),
        (DefaultAction::Return, _) => "the program continues".to_string(),
        (DefaultAction::Suspend, _) => "the task waits".to_string(),
    }
}

/// Each condition with its RESP2 values, by name; one without has one row.
fn conditions(command: &CommandSpec) -> Vec<Vec<String>> {
    let values: Vec<&Resp2Meaning> = exec::resp2_of(command.id).collect();
    let mut all: Vec<Condition> = command.conditions.to_vec();
    all.extend(values.iter().map(|value| value.condition));
    all.sort_by_key(|condition| condition.name());
    all.dedup();
    let mut rows = Vec::new();
    for condition in all {
        let mut own: Vec<&&Resp2Meaning> = values.iter().filter(|value| value.condition == condition).collect();
        own.sort_by_key(|value| value.resp2);
        let mut row = |resp2: String, meaning: String| {
            rows.push(vec![condition.name().to_string(), condition.0.to_string(), resp2, unless_handled(condition), meaning]);
        };
        if own.is_empty() {
            row(String::new(), String::new());
        }
        own.iter().for_each(|value| row(value.resp2.to_string(), value.meaning.to_string()));
    }
    rows
}

fn properties(command: &CommandSpec) -> Vec<String> {
    let mut items = vec![match command.eibfn {
        0 => "EIBFN: none".to_string(),
        code => format!("EIBFN: X'{code:04X}'"),
    }];
    items.push(match command.family {
        Family::Api => "Interface: application programming".to_string(),
        Family::Spi => "Interface: system programming".to_string(),
    });
    items.push(match command.threadsafe {
        Threadsafe::Yes => "Threadsafe: yes".to_string(),
        Threadsafe::No => "Threadsafe: no; the command runs on the QR TCB".to_string(),
        // File control.
        Threadsafe::Conditional if command.group() == exec::command::READ.spec().group() => {
            "Threadsafe: yes for files of this region, unless FCQRONLY=YES is specified at system initialization".to_string()
        }
        Threadsafe::Conditional => "Threadsafe: yes for resources of this region".to_string(),
    });
    if let Some(resource) = &command.resource {
        let names: Vec<&str> = resource.options.iter().map(|(id, _)| id.name()).collect();
        let eib = match resource.in_eib {
            InEib::Nothing => "",
            InEib::Resource => "; its name is set in EIBRSRCE",
            InEib::ResourceAndDataSet => "; its name is set in EIBRSRCE and EIBDS",
        };
        items.push(format!("Resource: {}, named by {}{eib}", resource.resource, any_of(&names)));
        if let Some(resp2) = resource.sysiderr_resp2 {
            items.push(format!("SYSID of a system that cannot be reached: SYSIDERR with RESP2 {resp2}"));
        }
    }
    items
}

fn differences(command: &CommandSpec) -> Vec<String> {
    let notes = command.description.as_ref().map_or("", |description| description.notes);
    let mut items: Vec<String> = Vec::new();
    if !notes.is_empty() {
        items.push(notes.to_string());
    }
    for unused in region::control_blocks::options::unused(command) {
        let verb = if unused.options.len() == 1 && unused.effect.starts_with("accepted") {
            format!("is {}", unused.effect.replace(" and have ", " and has "))
        } else if unused.options.len() == 1 {
            format!("is {}", unused.effect)
        } else {
            format!("are {}", unused.effect)
        };
        let names = match unused.options.as_slice() {
            [one] => one.to_string(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
            [] => continue,
        };
        items.push(format!("{names} {verb} ({}).", unused.why));
    }
    items
}

/// The implemented commands of the same verb, and of other verbs about the same thing.
fn related(command: &CommandSpec) -> Vec<&'static CommandSpec> {
    let implemented = || exec::commands().iter().filter(|other| other.implemented && other.id != command.id);
    let mut of_verb: Vec<&CommandSpec> = implemented().filter(|other| other.words[0] == command.words[0]).collect();
    if of_verb.len() > RELATED_MAX {
        of_verb.clear();
    }
    let is_same =
        |other: &&CommandSpec| command.words.len() > 1 && other.words[1..] == command.words[1..] && other.words[0] != command.words[0];
    of_verb.extend(implemented().filter(is_same));
    of_verb
}
