//! The display of the Db2 connection and its entries in CEMT.

use super::resources::{Column, ENABLE, Shape, column};
use exec::option;

/// Two values a line, as all displays of a single resource.
pub const DB2CONN: &[&[Column]] = &[
    &[
        column("Accountrec", option::ACCOUNTREC, Shape::Choice(&["UOW", "TASK", "TXID", "NONE"])),
        column("Authid", option::AUTHID, Shape::Text(8)),
    ],
    &[
        column("Authtype", option::AUTHTYPE, Shape::Choice(&["GROUP", "SIGN", "TERM", "TX", "OPID", "USERID"])),
        column("Comauthid", option::COMAUTHID, Shape::Text(8)),
    ],
    &[
        column("Comauthtype", option::COMAUTHTYPE, Shape::Choice(&["CGROUP", "CSIGN", "CTERM", "CTX", "COPID", "CUSERID"])),
        column("Comthreadlim", option::COMTHREADLIM, Shape::Number(4)),
    ],
    &[
        column("Comthreads", option::COMTHREADS, Shape::Digits(4)),
        column("Connecterror", option::CONNECTERROR, Shape::Choice(&["ABEND", "SQLCODE"])),
    ],
    &[
        column("Connectst", option::CONNECTST, Shape::Choice(&["CONNECTED", "NOTCONNECTED"])),
        column("Db2groupid", option::DB2GROUPID, Shape::Text(4)),
    ],
    &[column("Db2id", option::DB2ID, Shape::Text(4)), column("Db2release", option::DB2RELEASE, Shape::Name(4))],
    &[column("Msgqueue1", option::MSGQUEUE1, Shape::Text(4)), column("Msgqueue2", option::MSGQUEUE2, Shape::Text(4))],
    &[
        column("Msgqueue3", option::MSGQUEUE3, Shape::Text(4)),
        column("Nontermrel", option::NONTERMREL, Shape::Choice(&["RELEASE", "NORELEASE"])),
    ],
    &[column("Drollback", option::DROLLBACK, Shape::Cvda), column("Plan", option::PLAN, Shape::Text(8))],
    &[
        column("Planexitname", option::PLANEXITNAME, Shape::Text(8)),
        column("Priority", option::PRIORITY, Shape::Choice(&["HIGH", "EQUAL", "LOW"])),
    ],
    &[column("Purgecyclem", option::PURGECYCLEM, Shape::Number(2)), column("Purgecycles", option::PURGECYCLES, Shape::Number(2))],
    &[
        column("Resyncmember", option::RESYNCMEMBER, Shape::Choice(&["RESYNC", "NORESYNC"])),
        column("Reuselimit", option::REUSELIMIT, Shape::Number(5)),
    ],
    &[
        column("Signid", option::SIGNID, Shape::Text(8)),
        column("Standbymode", option::STANDBYMODE, Shape::Choice(&["NOCONNECT", "CONNECT", "RECONNECT"])),
    ],
    &[column("Statsqueue", option::STATSQUEUE, Shape::Text(4)), column("Tcblimit", option::TCBLIMIT, Shape::Number(4))],
    &[column("Tcbs", option::TCBS, Shape::Digits(4)), column("Threaderror", option::THREADERROR, Shape::Cvda)],
    &[column("Threadlimit", option::THREADLIMIT, Shape::Number(4)), column("Threads", option::THREADS, Shape::Digits(4))],
    &[column("Threadwait", option::THREADWAIT, Shape::Choice(&["TWAIT", "NOTWAIT"]))],
];

pub const DB2ENTRY: &[&[Column]] = &[
    &[
        column("Db2e", option::DB2ENTRY, Shape::Name(8)),
        column("", option::ACCOUNTREC, Shape::Choice(&["UOW", "TASK", "TXID", "NONE"])),
        column("Authi", option::AUTHID, Shape::Text(8)),
        column("", option::AUTHTYPE, Shape::Choice(&["GROUP", "SIGN", "TERM", "TX", "OPID", "USERID"])),
        column("", option::DISABLEDACT, Shape::Choice(&["ABEND", "SQLCODE", "POOL"])),
        column("", option::DROLLBACK, Shape::Cvda),
        column("", option::ENABLESTATUS, ENABLE),
    ],
    &[
        column("Pla", option::PLAN, Shape::Text(8)),
        column("Plane", option::PLANEXITNAME, Shape::Text(8)),
        column("", option::PRIORITY, Shape::Choice(&["HIGH", "EQUAL", "LOW"])),
        column("Prot", option::PROTECTNUM, Shape::Number(4)),
        column("Pth", option::PTHREADS, Shape::Digits(4)),
    ],
    &[
        column("Threadl", option::THREADLIMIT, Shape::Number(4)),
        column("Threads", option::THREADS, Shape::Digits(4)),
        column("", option::THREADWAIT, Shape::Choice(&["TWAIT", "NOTWAIT", "TPOOL"])),
    ],
];

pub const DB2TRAN: &[&[Column]] = &[&[
    column("Db2t", option::DB2TRAN, Shape::Name(8)),
    column("Db2e", option::DB2ENTRY, Shape::Text(8)),
    column("Tra", option::TRANSID, Shape::Text(4)),
    column("Pla", option::PLAN, Shape::Name(8)),
    column("Plane", option::PLANEXITNAME, Shape::Name(8)),
]];
