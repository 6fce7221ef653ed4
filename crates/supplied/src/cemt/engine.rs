//! The execution of CEMT: every request becomes INQUIRE and SET commands of the task it runs in.

use super::command::{self, Command, Unknown, Verb, Word};
use super::filter::{self, Filter};
use super::keywords;
use super::perform::perform;
use super::resources::{Column, Naming, Resource, Shape};
use super::setting::{conflict, issue, option_for, option_of, set};
use super::words::not_normal;
use exec::{CommandSpec, Direction, OptionId, OptionSpec, cvda, option};
use region::exec_interface::call::Call;
use region::inquiry::NULL_NUMBER;
use region::{Raised, Task};

/// Bytes of an area whose length is not in the catalogue.
const AREA_LENGTH: usize = 64;

/// One resource as shown.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub name: String,
    /// Values by line and column of the resource's table.
    pub cells: Vec<Vec<String>>,
    /// Values of options that no column shows, for the filters that name them.
    pub unseen: Vec<(OptionId, String)>,
    /// The result of a SET, or the reason why there is nothing to show.
    pub response: Option<String>,
    pub failed: bool,
    /// Options that select among the resources, such as POOLNAME of TSQUEUE.
    pub inputs: Vec<Word>,
}

/// The answer to a command.
#[derive(Debug)]
pub enum Reply {
    Menu {
        verb: Option<Verb>,
        /// The resources begin with this.
        prefix: String,
    },
    /// The possible words of a command.
    Syntax { verb: Verb, resource: &'static Resource },
    /// The syntax of a PERFORM command.
    PerformSyntax(&'static CommandSpec),
    Rows {
        resource: &'static Resource,
        rows: Vec<Row>,
        after_set: bool,
        /// Words that are not valid, and were ignored.
        ignored: Vec<Unknown>,
    },
    /// One resource with everything that is known of it.
    Expanded { resource: &'static Resource, row: Row },
    /// PERFORM has been done, or not.
    Done { text: String, failed: bool },
    /// A word that is not valid; with a verb, what could stand in its place.
    Unknown(Unknown, Option<Verb>),
    /// Why a SET was not even begun.
    Refused(String),
}

impl Reply {
    pub fn errors(&self) -> usize {
        match self {
            Reply::Menu { .. } | Reply::Syntax { .. } | Reply::PerformSyntax(_) => 0,
            Reply::Rows { rows, ignored, .. } => rows.iter().filter(|row| row.failed).count() + ignored.len(),
            Reply::Expanded { row, .. } => usize::from(row.failed),
            Reply::Done { failed, .. } => usize::from(*failed),
            Reply::Unknown(..) | Reply::Refused(_) => 1,
        }
    }
}

/// Whether a command is for these resources only; menus are for all.
pub fn is_within(text: &str, keywords: &[&str]) -> bool {
    match command::parse(text) {
        Ok(Command::Menu(..)) | Err(_) => true,
        Ok(Command::Perform(_) | Command::PerformSyntax(_) | Command::Unavailable(_)) => false,
        Ok(Command::Syntax(_, resource) | Command::Resource { resource, .. }) => keywords.contains(&resource.keyword),
    }
}

pub(super) fn unknown_option(word: &Word, spec: &CommandSpec) -> Unknown {
    // The word itself is no suggestion: it is an option that needs a value, and was given none.
    let others = spec.options.iter().map(|option| option.name).filter(|name| *name != word.keyword);
    Unknown::of(&word.keyword, others)
}

/// An option the command has but this region refuses.
fn is_refused(task: &Task, spec: &CommandSpec, name: &str) -> bool {
    let refuses = |option: &exec::OptionSpec| task.region.registry.command(spec.id).is_some_and(|entry| entry.refused.contains(&option.id));
    spec.option_by_name(name).is_some_and(refuses)
}

/// Executes a command line.
pub fn execute(task: &mut Task, text: &str) -> Result<Reply, Raised> {
    match command::parse(text) {
        Err((unknown, verb)) => Ok(Reply::Unknown(unknown, verb)),
        Ok(Command::Menu(verb, prefix)) => Ok(Reply::Menu { verb, prefix }),
        Ok(Command::PerformSyntax(spec)) => Ok(Reply::PerformSyntax(spec)),
        Ok(Command::Perform(words)) => perform(task, &words),
        Ok(Command::Unavailable(spec)) => Ok(not_available(spec.name)),
        Ok(Command::Syntax(verb, resource)) => Ok(Reply::Syntax { verb, resource }),
        Ok(Command::Resource { verb: Verb::Discard, resource, names, .. }) => discard(task, resource, &names),
        Ok(Command::Resource { verb, resource, names, words }) => request(task, verb, resource, &names, &words),
    }
}

/// A command of CICS that the region does not have.
pub(super) fn not_available(name: &str) -> Reply {
    Reply::Done { text: format!("{name} IS NOT AVAILABLE IN THIS RELEASE"), failed: true }
}

fn request(task: &mut Task, verb: Verb, resource: &'static Resource, names: &[String], words: &[Word]) -> Result<Reply, Raised> {
    if verb == Verb::Set
        && let Some(unknown) = words.iter().find(|word| option_for(resource, word).is_none())
    {
        let spec = resource.set.spec();
        if is_refused(task, spec, &unknown.keyword) {
            return Ok(not_available(&format!("SET {} {}", resource.keyword, unknown.keyword)));
        }
        let is_without_value = spec.option_by_abbreviation(&unknown.keyword).filter(|_| unknown.value.is_none());
        return Ok(match is_without_value {
            Some(option) => Reply::Refused(format!("E '{}' NEEDS A VALUE. NOTHING HAS BEEN SET.", option.name)),
            None => Reply::Unknown(unknown_option(unknown, spec), None),
        });
    }
    if verb == Verb::Set
        && let Some((first, second)) = conflict(resource, words)
    {
        return Ok(Reply::Refused(format!("E '{}' CONFLICTS WITH '{}'. NOTHING HAS BEEN SET.", second.name, first.name)));
    }
    let inputs = inputs(resource, words);
    let (filters, ignored) = match verb {
        Verb::Inquire => filter::filters(resource, words.iter().filter(|word| !inputs.contains(word))),
        _ => (Vec::new(), Vec::new()),
    };
    if let Some(fault) = names.iter().find_map(|name| name_fault(resource, name)) {
        return Ok(Reply::Refused(fault));
    }
    if resource.naming == Naming::Each {
        return each(task, resource, names, &filters, ignored);
    }
    let unseen = filter::unseen(&filters);
    let generic = names.is_empty() || names.iter().any(|name| command::is_generic(name));
    let mut rows = Vec::new();
    for name in wanted(task, resource, names, &inputs)? {
        // Without anything to set, it shows what could be typed over.
        let is_set = verb == Verb::Set && !words.is_empty() && !(generic && ends_conversation(task, resource, &name, words));
        let response = if is_set { Some(set(task, resource, &name, words)?) } else { None };
        let mut row = inquire(task, resource, &name, &inputs, &unseen)?;
        match response {
            // The request itself may have removed it.
            Some(Ok(())) => (row.response, row.failed) = (Some("NORMAL".to_string()), false),
            Some(Err(text)) => (row.response, row.failed) = (Some(text), true),
            None => {}
        }
        // A name removed meanwhile is not an error of a generic request; that nothing may be browsed is.
        if verb == Verb::Inquire && (generic && row.failed && !name.is_empty() || !filters.iter().all(|filter| filter.fits(resource, &row)))
        {
            continue;
        }
        rows.push(row);
    }
    if rows.is_empty() {
        let name = names.first().cloned().unwrap_or_default();
        rows.push(not_found(&name));
    }
    Ok(Reply::Rows { resource, rows, after_set: verb == Verb::Set, ignored })
}

/// Why a name cannot be one of the resource: it has too many characters, or is no number.
fn name_fault(resource: &Resource, name: &str) -> Option<String> {
    let is_number = |name: &str| name.bytes().all(|digit| digit.is_ascii_digit());
    match resource.naming {
        Naming::Tasks if !command::is_generic(name) && !is_number(name) => Some(format!("S '{name}' IS NOT NUMERIC.")),
        Naming::Tasks | Naming::Browse if name.trim_matches('*').chars().count() > resource.name_length => {
            Some(format!("S '{name}' HAS MORE THAN {} CHARACTERS.", resource.name_length))
        }
        _ => None,
    }
}

/// Whether a SET would end this conversation: it purges this task, or ends the session of its terminal. A request for all tasks or
/// terminals passes them over, because nobody would see its result.
fn ends_conversation(task: &Task, resource: &Resource, name: &str, words: &[Word]) -> bool {
    let is_own = match resource.naming {
        Naming::Tasks => name.parse() == Ok(task.number),
        _ => resource.set == exec::command::SET_TERMINAL && name == task.terminal_name().as_str(),
    };
    let ends = [option::PURGE, option::FORCEPURGE, option::FORCE, option::KILL, option::PURGETYPE, option::RELEASED, option::OUTSERVICE];
    is_own && words.iter().filter_map(|word| option_for(resource, word)).any(|option| ends.contains(&option.id))
}

/// The command of this name, if it is there.
pub fn available(name: &str) -> Option<&'static CommandSpec> {
    exec::command_by_name(name).filter(|spec| spec.implemented)
}

/// DISCARD of the resources named.
fn discard(task: &mut Task, resource: &'static Resource, names: &[String]) -> Result<Reply, Raised> {
    let Some(spec) = resource.discard().filter(|_| !names.is_empty()) else {
        return Ok(Reply::Syntax { verb: Verb::Discard, resource });
    };
    let mut rows = Vec::new();
    for name in wanted(task, resource, names, &[])? {
        let mut call = Call::new(spec.id);
        named(task, &mut call, resource, &name);
        let response = issue(task, &mut call)?;
        let failed = !response.as_ref().is_ok_and(|response| response.is_normal());
        let text = match response {
            Ok(response) if failed => not_normal(&call, response),
            Ok(_) => "NORMAL".to_string(),
            Err(text) => text,
        };
        rows.push(Row { name, response: Some(text), failed, ..Row::default() });
    }
    if rows.is_empty() {
        rows.push(not_found(&names[0]));
    }
    Ok(Reply::Rows { resource, rows, after_set: true, ignored: Vec::new() })
}

/// The names for a request: those given, and those that match the given patterns; all if none was given.
fn wanted(task: &mut Task, resource: &'static Resource, names: &[String], inputs: &[Word]) -> Result<Vec<String>, Raised> {
    if resource.naming == Naming::Single {
        return Ok(vec![String::new()]);
    }
    if !names.is_empty() && !names.iter().any(|name| command::is_generic(name)) {
        return Ok(names.iter().map(|name| padded_number(resource, name)).collect());
    }
    let all = match resource.naming {
        Naming::Tasks => task.region.transactions().attached_tasks().iter().map(|task| format!("{:07}", task.number)).collect(),
        _ => browse(task, resource, inputs)?,
    };
    if names.is_empty() {
        return Ok(all);
    }
    Ok(all.into_iter().filter(|name| names.iter().any(|pattern| command::fits(&padded_number(resource, pattern), name))).collect())
}

/// Task numbers have seven digits.
fn padded_number(resource: &Resource, name: &str) -> String {
    if resource.naming == Naming::Tasks && !command::is_generic(name) { format!("{name:0>7}") } else { name.to_string() }
}

/// All names, by a browse. Where the operator may not browse there is one that is blank: the inquiry about it is refused in its turn.
fn browse(task: &mut Task, resource: &'static Resource, inputs: &[Word]) -> Result<Vec<String>, Raised> {
    let names = steps(
        task,
        resource,
        inputs,
        |_, _| {},
        |task, next| match resource.naming {
            Naming::Binary => hexadecimal(&next.result_bytes(resource.name_option)),
            _ => next.result_text(task, resource.name_option),
        },
    )?;
    Ok(names.unwrap_or_else(|_| vec![String::new()]))
}

/// A browse by START, NEXT and END of the INQUIRE command. `prepare` adds options to each NEXT, `take` receives its results. `Ok(Err(..))`: the
/// operator may not browse, as shown.
fn steps<T>(
    task: &mut Task,
    resource: &'static Resource,
    inputs: &[Word],
    prepare: impl Fn(&Task, &mut Call),
    take: impl Fn(&Task, &Call) -> T,
) -> Result<Result<Vec<T>, String>, Raised> {
    let mut taken = Vec::new();
    let mut start = Call::new(resource.inquire);
    start.flag(option::START);
    add_inputs(task, &mut start, inputs);
    let response = start.execute(task)?;
    if !response.is_normal() {
        let is_refused = response.condition == exec::condition::NOTAUTH;
        return Ok(if is_refused { Err(not_normal(&start, response)) } else { Ok(taken) });
    }
    loop {
        let mut next = Call::new(resource.inquire);
        next.flag(option::NEXT).bytes(resource.name_option, &vec![0; resource.name_length]);
        prepare(task, &mut next);
        if !next.execute(task)?.is_normal() {
            break;
        }
        taken.push(take(task, &next));
    }
    Call::new(resource.inquire).flag(option::END).execute(task)?;
    Ok(Ok(taken))
}

/// Adds the name of the resource to a command.
pub(super) fn named(task: &Task, call: &mut Call, resource: &Resource, name: &str) {
    match resource.naming {
        Naming::Single => {}
        Naming::Tasks => {
            call.integer(resource.name_option, name.parse().unwrap_or(0));
        }
        Naming::Binary => {
            let digits = format!("{name:0<width$}", width = 2 * resource.name_length);
            let byte = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0);
            call.bytes(resource.name_option, &(0..resource.name_length).map(|at| byte(2 * at)).collect::<Vec<u8>>());
        }
        Naming::Browse | Naming::Each => {
            call.text(task, resource.name_option, &format!("{name:width$}", width = resource.name_length));
        }
    }
}

fn not_found(name: &str) -> Row {
    Row { name: name.to_string(), response: Some("NOT FOUND".to_string()), failed: true, ..Row::default() }
}

/// The option of INQUIRE that a word gives a value to, other than the name of the resource: it selects among the resources.
fn input_of(spec: &'static CommandSpec, word: &Word) -> Option<&'static OptionSpec> {
    let resource = spec.words.last().copied();
    option_of(spec, word).filter(|option| word.value.is_some() && option.direction == Direction::In && Some(option.name) != resource)
}

fn inputs(resource: &Resource, words: &[Word]) -> Vec<Word> {
    words.iter().filter(|word| input_of(resource.inquire.spec(), word).is_some()).cloned().collect()
}

fn add_inputs(task: &Task, call: &mut Call, inputs: &[Word]) {
    for word in inputs {
        if let (Some(option), Some(value)) = (input_of(call.command().spec(), word), &word.value) {
            call.text(task, option.id, &format!("{:width$}", value.to_ascii_uppercase(), width = usize::from(option.length)));
        }
    }
}

/// Inquires everything the table shows of one resource.
pub fn inquire(task: &mut Task, resource: &'static Resource, name: &str, inputs: &[Word], unseen: &[Column]) -> Result<Row, Raised> {
    let mut call = Call::new(resource.inquire);
    named(task, &mut call, resource, name);
    add_inputs(task, &mut call, inputs);
    ask(task, &mut call, resource, unseen);
    let response = call.execute(task)?;
    let row = Row { name: name.to_string(), inputs: inputs.to_vec(), ..Row::default() };
    if !response.is_normal() {
        return Ok(Row { response: Some(not_normal(&call, response)), failed: true, ..row });
    }
    let spec = resource.inquire.spec();
    let unseen = unseen.iter().map(|column| (column.option, value(task, &call, spec, column))).collect();
    Ok(Row { cells: cells(task, &call, resource, name), unseen, ..row })
}

/// All resources, by a browse that returns everything at each step.
fn each(
    task: &mut Task,
    resource: &'static Resource,
    names: &[String],
    filters: &[Filter],
    ignored: Vec<Unknown>,
) -> Result<Reply, Raised> {
    let unseen = filter::unseen(filters);
    let row = |task: &Task, next: &Call| {
        let spec = resource.inquire.spec();
        let name = value(task, next, spec, &resource.lines[0][0]);
        let unseen = unseen.iter().map(|column| (column.option, value(task, next, spec, column))).collect();
        Row { cells: cells(task, next, resource, &name), unseen, name, ..Row::default() }
    };
    let mut rows = match steps(task, resource, &[], |task, next| ask(task, next, resource, &unseen), row)? {
        Ok(rows) => rows,
        Err(text) => {
            let refused = Row { response: Some(text), failed: true, ..Row::default() };
            return Ok(Reply::Rows { resource, rows: vec![refused], after_set: false, ignored });
        }
    };
    rows.retain(|row| names.is_empty() || names.iter().any(|pattern| command::fits(pattern, &row.name)));
    rows.retain(|row| filters.iter().all(|filter| filter.fits(resource, row)));
    if rows.is_empty() {
        rows.push(not_found(names.first().map_or("", String::as_str)));
    }
    Ok(Reply::Rows { resource, rows, after_set: false, ignored })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Adds the options of all columns to an INQUIRE.
fn ask(task: &Task, call: &mut Call, resource: &'static Resource, unseen: &[Column]) {
    let spec = resource.inquire.spec();
    for column in resource.columns().copied().chain(unseen.iter().copied()) {
        let Some(option) =
            spec.option(column.option).filter(|_| column.option != resource.name_option || resource.naming == Naming::Single)
        else {
            continue;
        };
        if option.numeric.is_number() {
            call.integer(column.option, 0);
        } else {
            let length = if option.length == 0 { AREA_LENGTH } else { usize::from(option.length) };
            call.bytes(column.option, &vec![task.region.code_page.space(); length]);
        }
    }
}

/// Month, day and year, as operators see a date.
pub(super) fn operator_date(moment: region::clock::Abstime) -> String {
    let date = moment.date();
    format!("{:02}/{:02}/{:02}", date.month, date.day, date.year % 100)
}

/// A time of eight bytes, packed decimal milliseconds from the beginning of 1900, as operators see it; blank if there is none.
fn moment(packed: &[u8]) -> String {
    let digits: String = packed.iter().map(|byte| format!("{byte:02X}")).collect();
    let milliseconds = digits.get(..digits.len().saturating_sub(1)).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let moment = region::clock::Abstime(milliseconds);
    if milliseconds == 0 { String::new() } else { format!("{} {}", operator_date(moment), moment.time_text()) }
}

/// The results of an INQUIRE, by column.
fn cells(task: &Task, call: &Call, resource: &'static Resource, name: &str) -> Vec<Vec<String>> {
    let spec = resource.inquire.spec();
    let cell = |column: &Column| match column.option == resource.name_option && resource.naming != Naming::Single {
        true => name.to_string(),
        false => value(task, call, spec, column),
    };
    resource.lines.iter().map(|line| line.iter().map(cell).collect()).collect()
}

fn value(task: &Task, call: &Call, spec: &CommandSpec, column: &Column) -> String {
    let number = call.result(column.option);
    match column.shape {
        // An inapplicable value is blank.
        Shape::Digits(_) | Shape::Number(_) if number == Some(NULL_NUMBER) => String::new(),
        Shape::Digits(width) | Shape::Number(width) => format!("{:0width$}", number.unwrap_or(0)),
        Shape::Cvda | Shape::Choice(_) => {
            number.filter(|value| ![0, cvda::NOTAPPLIC].contains(value)).and_then(keywords::displayed_cvda).unwrap_or_default().to_string()
        }
        Shape::Action(_) => String::new(),
        Shape::Time => moment(&call.result_bytes(column.option)),
        Shape::Hex(width) => hexadecimal(call.result_bytes(column.option).get(..width).unwrap_or_default()),
        Shape::Name(_) | Shape::Text(_) => {
            let numeric = spec.option(column.option).is_some_and(|option| option.numeric.is_number());
            if numeric { number.unwrap_or(0).to_string() } else { call.result_text(task, column.option).trim_matches('\0').to_string() }
        }
    }
}
