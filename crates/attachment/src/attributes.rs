//! The attributes of threads in commands: their CVDAs and keywords, for INQUIRE and SET of connection and entries.

use csd::{AccountRecord, AuthorizationType, ThreadAttributes, ThreadPriority, ThreadWait};
use exec::resp2::db2 as resp2;
use exec::{OptionId, condition, cvda, option};
use kernel::name::{Name4, Name8};
use region::inquiry::{attribute, checked, either};
use region::{Arguments, Outcome, Raised, raise};

/// A keyword, its CVDA, and what it stands for.
pub type Choices<T> = &'static [(OptionId, i64, T)];

const ACCOUNT_RECORD: Choices<AccountRecord> = &[
    (option::UOW, cvda::UOW, AccountRecord::UnitOfWork),
    (option::TASK, cvda::TASK, AccountRecord::Task),
    (option::TXID, cvda::TXID, AccountRecord::TransactionId),
    (option::NONE, cvda::NONE, AccountRecord::None),
];

pub const AUTHORIZATION_TYPE: Choices<AuthorizationType> = &[
    (option::GROUP, cvda::GROUP, AuthorizationType::Group),
    (option::SIGN, cvda::SIGN, AuthorizationType::Sign),
    (option::TERM, cvda::TERM, AuthorizationType::Terminal),
    (option::TX, cvda::TX, AuthorizationType::Transaction),
    (option::OPID, cvda::OPID, AuthorizationType::OperatorId),
    (option::USERID, cvda::USERID, AuthorizationType::UserId),
];

/// COMAUTHTYPE
pub const COMMAND_AUTHORIZATION_TYPE: Choices<AuthorizationType> = &[
    (option::CGROUP, cvda::CGROUP, AuthorizationType::Group),
    (option::CSIGN, cvda::CSIGN, AuthorizationType::Sign),
    (option::CTERM, cvda::CTERM, AuthorizationType::Terminal),
    (option::CTX, cvda::CTX, AuthorizationType::Transaction),
    (option::COPID, cvda::COPID, AuthorizationType::OperatorId),
    (option::CUSERID, cvda::CUSERID, AuthorizationType::UserId),
];

const PRIORITY: Choices<ThreadPriority> = &[
    (option::HIGH, cvda::HIGH, ThreadPriority::High),
    (option::EQUAL, cvda::EQUAL, ThreadPriority::Equal),
    (option::LOW, cvda::LOW, ThreadPriority::Low),
];

const THREAD_WAIT: Choices<ThreadWait> = &[
    (option::TWAIT, cvda::TWAIT, ThreadWait::Yes),
    (option::NOTWAIT, cvda::NOTWAIT, ThreadWait::No),
    (option::TPOOL, cvda::TPOOL, ThreadWait::Pool),
];

/// The value that a command gives an option, by CVDA or keyword.
pub fn given<T: Copy>(arguments: &Arguments, option: OptionId, choices: Choices<T>, fault: i32) -> Result<Option<T>, Raised> {
    let keywords: Vec<(OptionId, i64)> = choices.iter().map(|(keyword, cvda, _)| (*keyword, *cvda)).collect();
    let value = checked(arguments, option, &keywords, fault)?;
    Ok(value.and_then(|value| choices.iter().find(|(_, cvda, _)| *cvda == value)).map(|(_, _, meaning)| *meaning))
}

/// The CVDA of a value.
pub fn cvda_of<T: PartialEq>(choices: Choices<T>, value: T) -> i64 {
    choices.iter().find(|(_, _, known)| *known == value).map_or(cvda::NOTAPPLIC, |(_, cvda, _)| *cvda)
}

/// A name that a command gives; blank removes it.
pub fn name_given(arguments: &Arguments, option: OptionId) -> Result<Option<Name8>, Raised> {
    arguments.name(option)
}

pub fn name4_given(arguments: &Arguments, option: OptionId) -> Result<Option<Name4>, Raised> {
    arguments.name(option)
}

/// The attributes that connection and entries have in common.
pub fn inquire(arguments: &mut Arguments, of: &ThreadAttributes) -> Outcome {
    let by_id = !of.authorization_id.is_blank();
    arguments.set_integers([
        (option::ACCOUNTREC, cvda_of(ACCOUNT_RECORD, of.account_record)),
        (option::AUTHTYPE, if by_id { cvda::NOTAPPLIC } else { cvda_of(AUTHORIZATION_TYPE, of.authorization_type) }),
        (option::DROLLBACK, either(of.rolls_back_deadlock, cvda::ROLLBACK, cvda::NOROLLBACK)),
        (option::PRIORITY, cvda_of(PRIORITY, of.priority)),
        (option::THREADLIMIT, of.limit.into()),
        (option::THREADWAIT, cvda_of(THREAD_WAIT, of.wait)),
    ]);
    arguments.set_name(option::AUTHID, &of.authorization_id)?;
    arguments.set_name(option::PLAN, &of.plan)?;
    arguments.set_name(option::PLANEXITNAME, &of.plan_exit)
}

/// Changes these attributes as a SET command says.
pub fn set(arguments: &Arguments, of: &mut ThreadAttributes, resource: &'static str) -> Outcome {
    let (id, kind) = (name_given(arguments, option::AUTHID)?, given(arguments, option::AUTHTYPE, AUTHORIZATION_TYPE, resp2::AUTHTYPE)?);
    match (id, kind) {
        (Some(_), Some(_)) => return raise(condition::INVREQ, resp2::AUTHID_AND_AUTHTYPE),
        (Some(id), None) => of.authorization_id = id,
        (None, Some(kind)) => (of.authorization_id, of.authorization_type) = (Name8::BLANK, kind),
        (None, None) => {}
    }
    match (name_given(arguments, option::PLAN)?, name_given(arguments, option::PLANEXITNAME)?) {
        (Some(_), Some(_)) => return raise(condition::INVREQ, resp2::PLAN_AND_EXIT),
        (Some(plan), None) => (of.plan, of.plan_exit) = (plan, Name8::BLANK),
        (None, Some(exit)) => (of.plan, of.plan_exit) = (Name8::BLANK, exit),
        (None, None) => {}
    }
    if let Some(record) = given(arguments, option::ACCOUNTREC, ACCOUNT_RECORD, resp2::ACCOUNTREC)? {
        of.account_record = record;
    }
    if let Some(priority) = given(arguments, option::PRIORITY, PRIORITY, resp2::PRIORITY)? {
        of.priority = priority;
    }
    if let Some(wait) = given(arguments, option::THREADWAIT, THREAD_WAIT, resp2::THREADWAIT)? {
        of.wait = wait;
    }
    if let Some(limit) = attribute(arguments, option::THREADLIMIT, (resource, "THREADLIMIT"), resp2::THREADLIMIT)? {
        of.limit = limit as u32;
    }
    Ok(())
}
