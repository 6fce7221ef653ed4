//! Language Environment run-time options: of a batch program from `PARM` and from the DD name CEEOPTS.
//!
//! With CBLOPTS(ON), the default, the PARM of a COBOL main program is `program arguments/run-time options`: the text after the last slash
//! is for Language Environment, and the program does not see it ("Specifying run-time options" of the customization guide). For a main
//! program in C the options come first: `run-time options/program arguments`. Options in PARM override those of CEEOPTS. UPSI, DEBUG, NODEBUG, COUNTRY, NATLANG, ENVAR and the options of condition handling are obeyed; the other
//! options of Language Environment are accepted without effect. An unknown word is reported and ignored.
//!
//! In a region the options come from `regent.toml`; there is no PARM and no CEEOPTS.

use le::callable::country::Language;
use program::batch::BatchHost;
use program::rununit::{ConditionOptions, EnclaveOptions, TerminationAction, UserHandlers};

/// The options that are obeyed; `None`: not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunTimeOptions {
    pub switches: Option<u8>,
    pub debug: Option<bool>,
    /// TRAP, DEPTHCONDLMT, ERRCOUNT, TERMTHDACT, ABTERMENC(RETCODE), USRHDLR, COUNTRY, NATLANG.
    pub trap: Option<bool>,
    pub depth_max: Option<u32>,
    pub errors_max: Option<u32>,
    pub termination: Option<TerminationAction>,
    pub return_code: Option<bool>,
    pub user_handlers: Option<UserHandlers>,
    pub country: Option<[u8; 2]>,
    pub language: Option<Language>,
    /// ENVAR: names and values.
    pub environment: Vec<(String, String)>,
    /// What is no run-time option.
    pub unknown: Vec<String>,
}

/// Options without a say in how a program runs here, without the NO of some.
const KNOWN: [&str; 50] = [
    "ABPERC",
    "ABTERMENC",
    "AIXBLD",
    "ALL31",
    "ANYHEAP",
    "BELOWHEAP",
    "CBLOPTS",
    "CBLPSHPOP",
    "CBLQDA",
    "CHECK",
    "COUNTRY",
    "DEPTHCONDLMT",
    "DYNDUMP",
    "ENVAR",
    "ERRCOUNT",
    "FILETAG",
    "HEAP",
    "HEAPCHK",
    "HEAPPOOLS",
    "HEAPZONES",
    "INFOMSGFILTER",
    "INTERRUPT",
    "LIBSTACK",
    "MSGFILE",
    "MSGQ",
    "NATLANG",
    "PAGEFRAMESIZE",
    "POSIX",
    "PROFILE",
    "RPTOPTS",
    "RPTSTG",
    "RTEREUS",
    "SIMVRD",
    "STACK",
    "STORAGE",
    "TERMTHDACT",
    "TEST",
    "THREADHEAP",
    "THREADSTACK",
    "TRACE",
    "TRAP",
    "USRHDLR",
    "VCTRSAVE",
    "XUFLOW",
    "FLOW",
    "INQPCOPN",
    "OCSTATUS",
    "PC",
    "RECPAD",
    "ARGPARSE",
];
const SWITCHES: usize = 8;

/// The own part of PARM of a program, in C or not, and the options.
pub fn split(parameter: &str, is_c: bool) -> (&str, &str) {
    match is_c {
        false => parameter.rsplit_once('/').unwrap_or((parameter, "")),
        true => parameter.split_once('/').map_or((parameter, ""), |(options, own)| (own, options)),
    }
}

/// Reads options separated by commas or blanks, each with its suboptions in parentheses.
pub fn parse(text: &str) -> RunTimeOptions {
    let mut options = RunTimeOptions::default();
    for (name, argument) in words(text) {
        let bare = name.strip_prefix("NO").unwrap_or(&name);
        match name.as_str() {
            "DEBUG" => options.debug = Some(true),
            "NODEBUG" => options.debug = Some(false),
            "TRAP" => match argument.split(',').next() {
                Some("ON") => options.trap = Some(true),
                Some("OFF") => options.trap = Some(false),
                _ => options.unknown.push(format!("{name}({argument})")),
            },
            "DEPTHCONDLMT" => known_or_told(&mut options.depth_max, argument.parse().ok(), &mut options.unknown, &name, &argument),
            "ERRCOUNT" => known_or_told(&mut options.errors_max, argument.parse().ok(), &mut options.unknown, &name, &argument),
            "TERMTHDACT" => {
                let action = TERMINATION_ACTIONS.iter().find(|(word, _)| Some(*word) == argument.split(',').next());
                known_or_told(&mut options.termination, action.map(|(_, action)| *action), &mut options.unknown, &name, &argument);
            }
            "ABTERMENC" => {
                let with_code = match argument.as_str() {
                    "ABEND" => Some(false),
                    "RETCODE" => Some(true),
                    _ => None,
                };
                known_or_told(&mut options.return_code, with_code, &mut options.unknown, &name, &argument);
            }
            "USRHDLR" => options.user_handlers = Some(user_handlers(&argument)),
            "COUNTRY" => {
                let code = <[u8; 2]>::try_from(argument.to_uppercase().as_bytes()).ok();
                known_or_told(&mut options.country, code, &mut options.unknown, &name, &argument);
            }
            // A language that is not available is the default one.
            "NATLANG" => {
                known_or_told(&mut options.language, Language::find(&argument.to_uppercase()), &mut options.unknown, &name, &argument);
            }
            "ENVAR" => options.environment.extend(variables(&argument)),
            "NOUSRHDLR" => options.user_handlers = Some(UserHandlers::default()),
            "UPSI" => match u8::from_str_radix(&argument, 2) {
                Ok(switches) if argument.len() == SWITCHES => options.switches = Some(switches),
                _ => options.unknown.push(format!("UPSI({argument})")),
            },
            known if KNOWN.contains(&known) || KNOWN.contains(&bare) => {}
            _ => options.unknown.push(name),
        }
    }
    options
}

/// Two names of load modules, of which either may be left out.
fn user_handlers(argument: &str) -> UserHandlers {
    let mut names = argument.split(',').map(|name| Some(name.trim().to_uppercase()).filter(|name| !name.is_empty()));
    UserHandlers { last: names.next().flatten(), first: names.next().flatten() }
}

/// `"NAME=value"` or `NAME=value`, one or more; quotation marks may be doubled within.
fn variables(argument: &str) -> Vec<(String, String)> {
    let (mut texts, mut text, mut quote) = (Vec::new(), String::new(), None);
    for character in argument.chars().chain([',']) {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (Some(_), other) => text.push(other),
            (None, '"' | '\'') => quote = Some(character),
            (None, ',') => texts.push(std::mem::take(&mut text)),
            (None, other) => text.push(other),
        }
    }
    let pair = |text: &String| text.trim_start().split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
    texts.iter().filter_map(pair).collect()
}

fn known_or_told<T>(option: &mut Option<T>, value: Option<T>, unknown: &mut Vec<String>, name: &str, argument: &str) {
    match value {
        Some(value) => *option = Some(value),
        None => unknown.push(format!("{name}({argument})")),
    }
}

/// Suboptions of TERMTHDACT. A system dump (UADUMP, UATRACE ...) is not taken; the rest of what they ask for is.
const TERMINATION_ACTIONS: [(&str, TerminationAction); 8] = [
    ("QUIET", TerminationAction::Quiet),
    ("MSG", TerminationAction::Message),
    ("TRACE", TerminationAction::Trace),
    ("DUMP", TerminationAction::Dump),
    ("UAONLY", TerminationAction::Quiet),
    ("UAIMM", TerminationAction::Quiet),
    ("UATRACE", TerminationAction::Trace),
    ("UADUMP", TerminationAction::Dump),
];

/// Names in upper case, with what stands in parentheses behind each.
fn words(text: &str) -> Vec<(String, String)> {
    let (mut words, mut name, mut argument, mut depth) = (Vec::new(), String::new(), String::new(), 0usize);
    for character in text.chars().chain([',']) {
        match character {
            '(' => {
                if depth > 0 {
                    argument.push(character);
                }
                depth += 1;
            }
            ')' if depth > 0 => {
                depth -= 1;
                if depth > 0 {
                    argument.push(character);
                }
            }
            c if depth > 0 => argument.push(c),
            c if c == ',' || c.is_whitespace() => {
                if !name.is_empty() {
                    words.push((std::mem::take(&mut name).to_uppercase(), std::mem::take(&mut argument)));
                }
            }
            c => name.push(c),
        }
    }
    words
}

impl RunTimeOptions {
    /// Tells what is no option, and gives the others to the host of a batch program.
    pub fn apply(&self, host: &mut BatchHost<'_>) {
        self.unknown.iter().for_each(|option| eprintln!("regent: {option} is not a run-time option; it is ignored"));
        host.switches = self.switches.unwrap_or(host.switches);
        host.debugging = self.debug.unwrap_or(host.debugging);
        host.conditions = self.conditions();
        host.enclave = self.enclave();
        host.user_handlers = self.user_handlers.clone().unwrap_or_default();
    }

    pub fn conditions(&self) -> ConditionOptions {
        let defaults = ConditionOptions::default();
        ConditionOptions {
            trap: self.trap.unwrap_or(defaults.trap),
            depth_max: self.depth_max.unwrap_or(defaults.depth_max),
            errors_max: self.errors_max.unwrap_or(defaults.errors_max),
            termination: self.termination.unwrap_or(defaults.termination),
        }
    }

    /// What every program of a region is started with.
    pub fn of_programs(&self) -> program::rununit::RunTimeOptions {
        program::rununit::RunTimeOptions {
            conditions: self.conditions(),
            user_handlers: self.user_handlers.clone().unwrap_or_default(),
            enclave: self.enclave(),
        }
    }

    /// These, and of `others` what these do not say.
    pub fn or(mut self, others: RunTimeOptions) -> RunTimeOptions {
        self.unknown.extend(others.unknown);
        RunTimeOptions {
            switches: self.switches.or(others.switches),
            debug: self.debug.or(others.debug),
            trap: self.trap.or(others.trap),
            depth_max: self.depth_max.or(others.depth_max),
            errors_max: self.errors_max.or(others.errors_max),
            termination: self.termination.or(others.termination),
            return_code: self.return_code.or(others.return_code),
            user_handlers: self.user_handlers.or(others.user_handlers),
            country: self.country.or(others.country),
            language: self.language.or(others.language),
            // The later of two of the same name counts.
            environment: [others.environment, self.environment].concat(),
            unknown: self.unknown,
        }
    }

    pub fn enclave(&self) -> EnclaveOptions {
        EnclaveOptions { country: self.country, language: self.language.unwrap_or_default(), environment: self.environment.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_slash_parts_arguments_from_options() {
        assert_eq!(split("ABC", false), ("ABC", ""));
        assert_eq!(split("A/B/DEBUG", false), ("A/B", "DEBUG"));
        assert_eq!(split("ABC/", false), ("ABC", ""));
        assert_eq!(split("/TRAP(OFF)", false), ("", "TRAP(OFF)"));
        assert_eq!(split("A B", true), ("A B", ""));
        assert_eq!(split("TRAP(OFF)/A/B", true), ("A/B", "TRAP(OFF)"));
        assert_eq!(split("/A/B", true), ("A/B", ""));
    }

    #[test]
    fn run_time_options_are_applied_ignored_or_reported() {
        let options =
            parse("debug,UPSI(10000001) STACK(64K,64K,ANY,KEEP),DEPTHCONDLMT(2),ERRCOUNT(X),NOAIXBLD,ENVAR(\"A=(x)\"),BANANA,UPSI(2)");
        assert_eq!((options.switches, options.debug), (Some(0x81), Some(true)));
        assert_eq!(options.unknown, ["ERRCOUNT(X)", "BANANA", "UPSI(2)"]);
        assert_eq!((options.depth_max, parse("TERMTHDACT(MSG)").termination), (Some(2), Some(TerminationAction::Message)));
        let both = parse("NODEBUG").or(parse("DEBUG,UPSI(00000001)"));
        assert_eq!((both.switches, both.debug), (Some(1), Some(false)));
        assert_eq!(parse(""), RunTimeOptions::default());
        assert_eq!(parse("TRAP(ON,SPIE").unknown, Vec::<String>::new());
        let handlers =
            |last: Option<&str>, first: Option<&str>| UserHandlers { last: last.map(String::from), first: first.map(String::from) };
        assert_eq!(parse("USRHDLR(LASTH,FIRSTH)").user_handlers, Some(handlers(Some("LASTH"), Some("FIRSTH"))));
        assert_eq!(parse("usrhdlr(,firsth)").user_handlers, Some(handlers(None, Some("FIRSTH"))));
        let options = parse("COUNTRY(de),NATLANG(UEN),ENVAR(\"A=(x), y\",B=2)");
        assert_eq!((options.country, options.language), (Some(*b"DE"), Some(Language::Upper)));
        assert_eq!(options.environment, [("A".to_string(), "(x), y".to_string()), ("B".to_string(), "2".to_string())]);
        assert_eq!(parse("NOUSRHDLR").or(parse("USRHDLR(LASTH)")).user_handlers, Some(handlers(None, None)));
    }
}
