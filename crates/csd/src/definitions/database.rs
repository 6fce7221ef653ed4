//! Typed DB2CONN, DB2ENTRY and DB2TRAN definitions.
//!
//! A DB2CONN describes the connection, and the attributes of pool and command threads; a DB2ENTRY the threads of some transactions; a
//! DB2TRAN gives a transaction to an entry. Invariant: AUTHID and PLAN are used if they are given, AUTHTYPE and PLANEXITNAME otherwise.

use super::Definition;
use kernel::name::{Name4, Name8};

/// ACCOUNTREC
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccountRecord {
    None,
    Task,
    TransactionId,
    UnitOfWork,
}

/// AUTHTYPE: what the authorization identifier of a thread is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthorizationType {
    UserId,
    Group,
    /// SIGNID of the connection.
    Sign,
    Terminal,
    Transaction,
    OperatorId,
}

/// PRIORITY of a thread in relation to QR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadPriority {
    High,
    Equal,
    Low,
}

/// THREADWAIT: what a task does when all threads are in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadWait {
    Yes,
    No,
    /// It overflows to the pool.
    Pool,
}

/// The attributes that pool threads and entry threads have.
#[derive(Clone, Debug)]
pub struct ThreadAttributes {
    pub account_record: AccountRecord,
    pub authorization_id: Name8,
    pub authorization_type: AuthorizationType,
    pub rolls_back_deadlock: bool,
    pub plan: Name8,
    pub plan_exit: Name8,
    pub priority: ThreadPriority,
    pub limit: u32,
    pub wait: ThreadWait,
}

/// STANDBYMODE: what to do when the database is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandbyMode {
    NoConnect,
    Connect,
    Reconnect,
}

/// THREADERROR: what a program gets when its thread cannot be created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadError {
    /// A transaction dump, then SQLCODE -906.
    DumpAndCode,
    Code,
    Abend,
}

#[derive(Clone, Debug)]
pub struct Db2ConnDefinition {
    pub name: Name8,
    pub pool: ThreadAttributes,
    pub subsystem: Name4,
    pub sharing_group: Name4,
    pub resynchronize_member: bool,
    pub reuse_limit: u32,
    /// CONNECTERROR: AEY9 instead of SQLCODE -923.
    pub connect_error_abends: bool,
    pub message_queues: [Name4; 3],
    pub non_terminal_release: bool,
    pub purge_minutes: u32,
    pub purge_seconds: u32,
    pub sign_id: Name8,
    pub standby: StandbyMode,
    pub statistics_queue: Name4,
    pub tcb_limit: u32,
    pub thread_error: ThreadError,
    pub command_authorization_id: Name8,
    pub command_authorization_type: AuthorizationType,
    pub command_limit: u32,
}

#[derive(Clone, Debug)]
pub struct Db2EntryDefinition {
    pub name: Name8,
    /// The transaction that uses it without a DB2TRAN; may be generic.
    pub transid: Name4,
    pub threads: ThreadAttributes,
    pub protected: u32,
    pub share_locks: bool,
}

#[derive(Clone, Debug)]
pub struct Db2TranDefinition {
    pub name: Name8,
    pub entry: Name8,
    /// May be generic: `*` is any characters, `+` one.
    pub transid: Name4,
}

fn authorization_type(value: &str) -> AuthorizationType {
    match value {
        "GROUP" => AuthorizationType::Group,
        "SIGN" => AuthorizationType::Sign,
        "TERM" => AuthorizationType::Terminal,
        "TX" => AuthorizationType::Transaction,
        "OPID" => AuthorizationType::OperatorId,
        _ => AuthorizationType::UserId,
    }
}

impl ThreadAttributes {
    fn of(definition: &Definition) -> ThreadAttributes {
        ThreadAttributes {
            account_record: match definition.get("ACCOUNTREC") {
                "TASK" => AccountRecord::Task,
                "TXID" => AccountRecord::TransactionId,
                "UOW" => AccountRecord::UnitOfWork,
                _ => AccountRecord::None,
            },
            authorization_id: Name8::new(definition.get("AUTHID")),
            authorization_type: authorization_type(definition.get("AUTHTYPE")),
            rolls_back_deadlock: !definition.is("DROLLBACK", "NO"),
            plan: Name8::new(definition.get("PLAN")),
            plan_exit: Name8::new(if definition.get("PLAN").is_empty() { definition.get("PLANEXITNAME") } else { "" }),
            priority: match definition.get("PRIORITY") {
                "EQUAL" => ThreadPriority::Equal,
                "LOW" => ThreadPriority::Low,
                _ => ThreadPriority::High,
            },
            limit: definition.number("THREADLIMIT").unwrap_or(0),
            wait: match definition.get("THREADWAIT") {
                "YES" => ThreadWait::Yes,
                "NO" => ThreadWait::No,
                _ => ThreadWait::Pool,
            },
        }
    }
}

/// PURGECYCLE: minutes and seconds.
fn purge_cycle(value: &str) -> (u32, u32) {
    let (minutes, seconds) = value.split_once(',').unwrap_or((value, "0"));
    let number = |text: &str| text.trim().parse().unwrap_or(0);
    (number(minutes), number(seconds))
}

impl From<&Definition> for Db2ConnDefinition {
    fn from(definition: &Definition) -> Self {
        let (purge_minutes, purge_seconds) = purge_cycle(definition.get("PURGECYCLE"));
        let number = |attribute| definition.number(attribute).unwrap_or(0);
        let group = definition.get("DB2GROUPID");
        Db2ConnDefinition {
            name: Name8::new(&definition.name),
            pool: ThreadAttributes::of(definition),
            subsystem: Name4::new(if group.is_empty() { definition.get("DB2ID") } else { "" }),
            sharing_group: Name4::new(group),
            resynchronize_member: !definition.is("RESYNCMEMBER", "NO"),
            reuse_limit: number("REUSELIMIT"),
            connect_error_abends: definition.is("CONNECTERROR", "ABEND"),
            message_queues: ["MSGQUEUE1", "MSGQUEUE2", "MSGQUEUE3"].map(|attribute| Name4::new(definition.get(attribute))),
            non_terminal_release: !definition.is("NONTERMREL", "NO"),
            purge_minutes,
            purge_seconds,
            sign_id: Name8::new(definition.get("SIGNID")),
            standby: match definition.get("STANDBYMODE") {
                "NOCONNECT" => StandbyMode::NoConnect,
                "CONNECT" => StandbyMode::Connect,
                _ => StandbyMode::Reconnect,
            },
            statistics_queue: Name4::new(definition.get("STATSQUEUE")),
            tcb_limit: number("TCBLIMIT"),
            thread_error: match definition.get("THREADERROR") {
                "ABEND" => ThreadError::Abend,
                "N906" => ThreadError::Code,
                _ => ThreadError::DumpAndCode,
            },
            command_authorization_id: Name8::new(definition.get("COMAUTHID")),
            command_authorization_type: authorization_type(definition.get("COMAUTHTYPE")),
            command_limit: number("COMTHREADLIM"),
        }
    }
}

impl From<&Definition> for Db2EntryDefinition {
    fn from(definition: &Definition) -> Self {
        Db2EntryDefinition {
            name: Name8::new(&definition.name),
            transid: Name4::new(definition.get("TRANSID")),
            threads: ThreadAttributes::of(definition),
            protected: definition.number("PROTECTNUM").unwrap_or(0),
            share_locks: definition.is("SHARELOCKS", "YES"),
        }
    }
}

impl From<&Definition> for Db2TranDefinition {
    fn from(definition: &Definition) -> Self {
        let transid = definition.get("TRANSID");
        Db2TranDefinition {
            name: Name8::new(&definition.name),
            entry: Name8::new(definition.get("ENTRY")),
            // Without TRANSID, the first four characters of the name are the transaction.
            transid: Name4::new(if transid.is_empty() { definition.name.get(..4).unwrap_or(&definition.name) } else { transid }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_a_connection_are_those_of_the_table() {
        let connection = Db2ConnDefinition::from(&Definition::new("DB2CONN", "C", "G"));
        assert_eq!((connection.tcb_limit, connection.pool.limit, connection.reuse_limit), (12, 3, 1000));
        assert_eq!((connection.purge_minutes, connection.purge_seconds), (0, 30));
        assert_eq!((connection.standby, connection.thread_error), (StandbyMode::Reconnect, ThreadError::DumpAndCode));
        assert_eq!((connection.pool.wait, connection.pool.plan_exit.as_str()), (ThreadWait::Yes, "DSNCUEXT"));
        assert!(connection.non_terminal_release && connection.pool.rolls_back_deadlock && !connection.connect_error_abends);
        assert_eq!(connection.message_queues[0].as_str(), "CDB2");
    }

    #[test]
    fn a_plan_takes_precedence_over_an_exit_and_the_name_over_no_transid() {
        let entry = Db2EntryDefinition::from(&Definition::new("DB2ENTRY", "E", "G").with("PLAN", "P").with("PLANEXITNAME", "X"));
        assert_eq!((entry.threads.plan.as_str().trim_end(), entry.threads.plan_exit.is_blank()), ("P", true));
        assert_eq!(entry.threads.wait, ThreadWait::Pool);
        let tran = Db2TranDefinition::from(&Definition::new("DB2TRAN", "TRN1XY", "G").with("ENTRY", "E"));
        assert_eq!(tran.transid.as_str(), "TRN1");
    }
}
