//! The exit points around commands: XEIIN and XEIOUT, XEISPIN and XEISPOUT, and the request exits of the domains.
//!
//! Order: XEIIN, XEISPIN, the request exit of the domain, the command, and back in the opposite order ("EXEC interface program exits"). An exit
//! that bypasses a command answers for it: the response is what it left in UEPRCODE, UEPRESP and UEPRESP2, or normal at a point without them.

use super::command_list::CommandList;
use super::table::Exits;
use super::{TaskState, Token, domain_requests, resource_manager_exits};
use crate::exec_interface::response_code::response_code;
use crate::extensions::{Observer, Verdict};
use crate::name::Name8;
use crate::{ExitArgument, Outcome, Raised, Region, Task};
use exec::block::Block;
use exec::{CommandId, CommandSpec, Condition, ExitPoint, Family, command, condition, eib, exit_point};
use program::requests::{SqlOutcome, SqlRequest};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Commands about exits themselves, which XEISPIN and XEISPOUT pass over.
const PASSED_OVER: [CommandId; 5] =
    [command::ENABLE_PROGRAM, command::DISABLE_PROGRAM, command::EXTRACT_EXIT, command::PERFORM_DUMP, command::RESYNC_ENTRYNAME];

/// The exit points of the requests of a domain.
struct Requests {
    /// One of the commands: the others have the same first byte of the function code.
    of: CommandId,
    /// Empty: all of these commands.
    only: &'static [CommandId],
    before: ExitPoint,
    after: ExitPoint,
}

const fn requests(of: CommandId, only: &'static [CommandId], before: ExitPoint, after: ExitPoint) -> Requests {
    Requests { of, only, before, after }
}

const REQUESTS: [Requests; 7] = [
    requests(command::READ, &[], exit_point::XFCREQ, exit_point::XFCREQC),
    requests(command::READQ_TD, &[], exit_point::XTDEREQ, exit_point::XTDEREQC),
    requests(command::READQ_TS, &[], exit_point::XTSEREQ, exit_point::XTSEREQC),
    requests(command::LINK, &[command::LINK], exit_point::XPCREQ, exit_point::XPCREQC),
    requests(command::DELAY, &[], exit_point::XICEREQ, exit_point::XICEREQC),
    requests(command::ENQ, &[command::ENQ, command::DEQ], exit_point::XNQEREQ, exit_point::XNQEREQC),
    requests(command::FORMATTIME, &[command::FORMATTIME], exit_point::XICEREQ, exit_point::XICEREQC),
];

/// The EIBRCODE, EIBRESP and EIBRESP2 of a command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Answer {
    code: [u8; 6],
    response: i32,
    reason: i32,
}

/// Calls the exits around commands. It is installed when an exit program is first enabled at one of them.
pub struct CommandExits;

impl CommandExits {
    /// The point is one around commands.
    pub fn has(point: ExitPoint) -> bool {
        let interface =
            [exit_point::XEIIN, exit_point::XEIOUT, exit_point::XEISPIN, exit_point::XEISPOUT, exit_point::XRMIIN, exit_point::XRMIOUT];
        interface.contains(&point)
            || domain_requests::has(point)
            || REQUESTS.iter().any(|requests| [requests.before, requests.after].contains(&point))
    }

    pub fn install(region: &'static Region) {
        if !Exits::of(region).sees_commands.swap(true, Ordering::AcqRel) {
            region.extensions.observe(Arc::new(CommandExits));
        }
    }
}

impl Observer for CommandExits {
    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict {
        let Some(spec) = block.command.checked() else { return Verdict::Execute };
        match before(task, block, spec) {
            Ok(None) => Verdict::Execute,
            Ok(Some(outcome)) => Verdict::Answer(outcome),
            Err(raised) => Verdict::Answer(Err(raised)),
        }
    }

    fn after(&self, task: &mut Task, block: &mut Block, outcome: &mut Outcome) {
        let Some(spec) = block.command.checked() else { return };
        if let Err(raised) = after(task, block, spec, outcome) {
            *outcome = Err(raised);
        }
    }

    fn before_sql(&self, task: &mut Task, _request: &SqlRequest) {
        resource_manager_exits::call(task, exit_point::XRMIIN, DB2_EXIT, None);
    }

    fn after_sql(&self, task: &mut Task, _request: &SqlRequest, _outcome: &SqlOutcome) {
        resource_manager_exits::call(task, exit_point::XRMIOUT, DB2_EXIT, None);
    }
}

/// The task-related user exit of the CICS-Db2 attachment.
const DB2_EXIT: Name8 = Name8::new("DSNCSQL");

/// The exit points of the command's domain.
fn requests_of(spec: &CommandSpec) -> Option<&'static Requests> {
    let is_its = |requests: &&Requests| requests.only.is_empty() || requests.only.contains(&spec.id);
    let mut candidates = REQUESTS.iter().filter(is_its);
    candidates.find(|requests| requests.of.spec().group() == spec.group() && spec.family == Family::Api)
}

fn is_programming_interface(spec: &CommandSpec) -> bool {
    spec.family == Family::Spi && !PASSED_OVER.contains(&spec.id)
}

/// The outcome of a command that is bypassed.
fn before(task: &mut Task, block: &mut Block, spec: &CommandSpec) -> Result<Option<Outcome>, Raised> {
    if task.has_exit(exit_point::XEIIN) && interface(task, block, exit_point::XEIIN)? {
        return Ok(Some(Ok(())));
    }
    if is_programming_interface(spec) && task.has_exit(exit_point::XEISPIN) && interface(task, block, exit_point::XEISPIN)? {
        return Ok(Some(Ok(())));
    }
    if let Some(requests) = requests_of(spec).filter(|requests| task.has_exit(requests.before)) {
        let (bypassed, answer) = request(task, block, requests.before, Answer::default())?;
        if bypassed {
            return Ok(Some(answer.outcome()));
        }
    }
    domain_requests::before(task, block, spec)
}

fn after(task: &mut Task, block: &mut Block, spec: &CommandSpec, outcome: &mut Outcome) -> Result<(), Raised> {
    domain_requests::after(task, block, spec, outcome)?;
    if let Some(requests) = requests_of(spec).filter(|requests| task.has_exit(requests.after)) {
        // An abend and a program that ends have no response.
        if let Some(given) = Answer::of(spec, outcome) {
            let (_, answer) = request(task, block, requests.after, given.clone())?;
            if answer != given {
                *outcome = answer.outcome();
            }
        }
    }
    if is_programming_interface(spec) && task.has_exit(exit_point::XEISPOUT) {
        interface(task, block, exit_point::XEISPOUT)?;
    }
    if task.has_exit(exit_point::XEIOUT) {
        interface(task, block, exit_point::XEIOUT)?;
    }
    Ok(())
}

/// XEIIN and the like. True: the command is bypassed.
fn interface(task: &mut Task, block: &mut Block, point: ExitPoint) -> Result<bool, Raised> {
    let list = CommandList::write(task, block)?;
    let (region, program) = (task.region, task.program_name());
    let load_point = region.programs().find(program).and_then(|program| program.image()).map(|(address, _)| address);
    let mut arguments = [
        ExitArgument::Address(list.address()),
        ExitArgument::Address(task.eib.address() as usize),
        ExitArgument::bytes(&region.code_page.encode_name(&task.user_id)),
        ExitArgument::bytes(&region.code_page.encode_name(&program)),
        load_point.map_or(ExitArgument::Absent, ExitArgument::Address),
        ExitArgument::Absent,
        ExitArgument::bytes(&Token::default()),
    ];
    let code = task.call_exit(point, &mut arguments)?;
    list.take_back(task, block)?;
    Ok(code.is("UERCBYP"))
}

/// A request exit: whether the command is bypassed, and the response in the exit's copies of the EIB fields.
fn request(task: &mut Task, block: &mut Block, point: ExitPoint, given: Answer) -> Result<(bool, Answer), Raised> {
    let list = CommandList::write(task, block)?;
    let spec = point.spec();
    let depth = task.levels.len();
    let resource = task.eib.name_bytes(eib::EIBRSRCE);
    let space = task.region.code_page.space();
    let [date, time] = [eib::EIBDATE, eib::EIBTIME].map(|at| task.eib.bytes()[at..at + 4].to_vec());
    let state = TaskState::of_mut(&mut task.parts);
    let task_token = *state.token(spec.domain);
    let command_token = state.command_token(depth);
    let recursion = state.recursion(point).to_be_bytes();
    let value = |name: &str| match name {
        "UEPCLPS" => ExitArgument::Address(list.address()),
        "UEPRCODE" => ExitArgument::bytes(&given.code),
        "UEPRESP" => ExitArgument::bytes(&given.response.to_be_bytes()),
        "UEPRESP2" => ExitArgument::bytes(&given.reason.to_be_bytes()),
        "UEPTSTOK" => ExitArgument::bytes(&task_token),
        "UEPRECUR" => ExitArgument::bytes(&recursion),
        "UEPRSRCE" => ExitArgument::bytes(&resource),
        "UEPDATE" => ExitArgument::bytes(&date),
        "UEPTIME" => ExitArgument::bytes(&time),
        "UEPFSHIP" => ExitArgument::bytes(&[0; 16]),
        "UEP_PC_PBTOK" => ExitArgument::bytes(&Token::default()),
        "UEP_PC_REMOTE_NAME" => ExitArgument::bytes(&[space; 8]),
        // The command is executed here, and the scope of an enqueue is the region.
        "UEPSCOPE" | "UEP_TS_REMOTE_SYSTEM" | "UEP_TD_REMOTE_SYSTEM" | "UEP_IC_REMOTE_SYSTEM" | "UEP_PC_REMOTE_SYSTEM" => {
            ExitArgument::bytes(&[space; 4])
        }
        // The token that the exit before the command gives to the one after it.
        _ => ExitArgument::bytes(&command_token),
    };
    let mut arguments: Vec<ExitArgument> = spec.parameters.iter().map(|parameter| value(parameter.name)).collect();
    let code = task.call_exit(point, &mut arguments)?;
    list.take_back(task, block)?;
    let left = |name: &str| spec.parameter(name).map_or(&[][..], |at| arguments[at].get());
    let number = |name: &str| i32::from_be_bytes(left(name).try_into().unwrap_or_default());
    let token = |bytes: &[u8]| Token::try_from(bytes).unwrap_or_default();
    let state = TaskState::of_mut(&mut task.parts);
    *state.token(spec.domain) = token(left("UEPTSTOK"));
    state.keep_command_token(depth, token(arguments[1].get()));
    let answer = Answer { code: left("UEPRCODE").try_into().unwrap_or_default(), response: number("UEPRESP"), reason: number("UEPRESP2") };
    Ok((code.is("UERCBYP"), answer))
}

impl TaskState {
    /// The token of the command at this depth; zero for a command that has none yet. Tokens of deeper commands, which have ended, are dropped.
    fn command_token(&mut self, depth: usize) -> Token {
        self.command_tokens.retain(|(of, _)| *of <= depth);
        self.command_tokens.iter().find(|(of, _)| *of == depth).map(|(_, token)| *token).unwrap_or_default()
    }

    fn keep_command_token(&mut self, depth: usize, token: Token) {
        self.command_tokens.retain(|(of, _)| *of < depth);
        self.command_tokens.push((depth, token));
    }
}

impl Answer {
    /// The response of an outcome that has one.
    fn of(spec: &CommandSpec, outcome: &Outcome) -> Option<Answer> {
        match outcome {
            Ok(()) => Some(Answer::default()),
            Err(Raised::Condition { condition, resp2, access, .. }) => {
                let mut code = response_code(spec.eibfn, spec.family, *condition);
                if *access != [0; 2] {
                    code[1..3].copy_from_slice(access);
                }
                Some(Answer { code, response: condition.0.into(), reason: *resp2 })
            }
            Err(_) => None,
        }
    }

    /// "If EIBRCODE is set to a nonzero value and EIBRESP is set to zero, CICS overwrites EIBRESP with a nonzero value" (Exit XFCREQ).
    fn outcome(&self) -> Outcome {
        let has_code = self.code != [0; 6];
        let condition = match u16::try_from(self.response) {
            Ok(0) if has_code => condition::ERROR,
            Ok(0) if self.reason == 0 => return Ok(()),
            Ok(number) => Condition(number),
            Err(_) => condition::ERROR,
        };
        Err(Raised::Condition { condition, resp2: self.reason, access: [self.code[1], self.code[2]], lengths: [0; 2] })
    }
}
