//! The displays of the region as a whole: SYSTEM, DISPATCHER, the dynamic storage areas.

use super::resources::{Column, Shape, column};
use exec::option;

pub(super) const SYSTEM: &[&[Column]] = &[
    &[column("Aging", option::PRTYAGING, Shape::Number(5)), column("Jobname", option::JOBNAME, Shape::Name(8))],
    &[column("Actopentcbs", option::ACTOPENTCBS, Shape::Digits(4)), column("Maxopentcbs", option::MAXOPENTCBS, Shape::Digits(4))],
    &[column("Akp", option::AKP, Shape::Number(5)), column("Maxtasks", option::MAXTASKS, Shape::Number(4))],
    &[column("Cicstslevel", option::CICSTSLEVEL, Shape::Name(6)), column("Release", option::RELEASE, Shape::Name(4))],
    &[column("Cmdprotect", option::CMDPROTECT, Shape::Cvda), column("Storeprotect", option::STOREPROTECT, Shape::Cvda)],
    &[column("Dfltuser", option::DFLTUSER, Shape::Name(8)), column("Regionuserid", option::REGIONUSERID, Shape::Name(8))],
    &[column("Dumping", option::DUMPING, Shape::Choice(&["SYSDUMP", "NOSYSDUMP", "TABLEONLY"]))],
    &[column("Dsalimit", option::DSALIMIT, Shape::Digits(10)), column("Edsalimit", option::EDSALIMIT, Shape::Digits(10))],
    &[column("Forceqr", option::FORCEQR, Shape::Cvda), column("Memlimit", option::MEMLIMIT, Shape::Digits(10))],
    &[column("Initstatus", option::INITSTATUS, Shape::Cvda), column("Shutstatus", option::SHUTSTATUS, Shape::Cvda)],
    &[column("Mrobatch", option::MROBATCH, Shape::Number(3)), column("Oslevel", option::OSLEVEL, Shape::Digits(6))],
    &[
        column("Progautoinst", option::PROGAUTOINST, Shape::Choice(&["AUTOACTIVE", "AUTOINACTIVE"])),
        column("Progautoctlg", option::PROGAUTOCTLG, Shape::Cvda),
    ],
    &[column("Progautoexit", option::PROGAUTOEXIT, Shape::Name(8)), column("Dtrprogram", option::DTRPROGRAM, Shape::Name(8))],
    &[column("Reentprotect", option::REENTPROTECT, Shape::Cvda), column("Tranisolate", option::TRANISOLATE, Shape::Cvda)],
    &[column("Runaway", option::RUNAWAY, Shape::Number(7)), column("Scandelay", option::SCANDELAY, Shape::Number(5))],
    &[column("Sosaboveline", option::SOSABOVELINE, Shape::Cvda), column("Sosbelowline", option::SOSBELOWLINE, Shape::Cvda)],
    &[column("Startup", option::STARTUP, Shape::Cvda), column("Time", option::TIME, Shape::Number(7))],
];

pub(super) const DISPATCHER: &[&[Column]] = &[
    &[column("Actopentcbs", option::ACTOPENTCBS, Shape::Digits(4)), column("Maxopentcbs", option::MAXOPENTCBS, Shape::Number(4))],
    &[column("Actssltcbs", option::ACTSSLTCBS, Shape::Digits(4)), column("Maxssltcbs", option::MAXSSLTCBS, Shape::Number(4))],
    &[column("Actthrdtcbs", option::ACTTHRDTCBS, Shape::Digits(4)), column("Maxthrdtcbs", option::MAXTHRDTCBS, Shape::Digits(4))],
    &[column("Actxptcbs", option::ACTXPTCBS, Shape::Digits(4)), column("Maxxptcbs", option::MAXXPTCBS, Shape::Number(4))],
    &[column("Mrobatch", option::MROBATCH, Shape::Number(3)), column("Aging", option::PRTYAGING, Shape::Number(5))],
    &[column("Runaway", option::RUNAWAY, Shape::Number(7)), column("Scandelay", option::SCANDELAY, Shape::Number(5))],
    &[column("Subtasks", option::SUBTASKS, Shape::Digits(3)), column("Time", option::TIME, Shape::Number(7))],
];

/// The health of the region.
pub(super) const WLMHEALTH: &[&[Column]] = &[
    &[
        column("Health", option::HEALTH, Shape::Digits(3)),
        column("Openstatus", option::OPENSTATUS, Shape::Choice(&["OPEN", "CLOSED", "IMMCLOSE"])),
    ],
    &[column("Adjustment", option::ADJUSTMENT, Shape::Number(3)), column("Interval", option::INTERVAL, Shape::Number(3))],
    &[column("Healthabstim", option::HEALTHABSTIM, Shape::Digits(15))],
];

/// The sizes and limits of the dynamic storage areas, and which lines are short on storage.
pub(super) const DSAS: &[&[Column]] = &[
    &[column("Sosstatus", option::SOSSTATUS, Shape::Cvda)],
    &[column("Dsalimit", option::DSALIMIT, Shape::Number(10)), column("Edsalimit", option::EDSALIMIT, Shape::Number(10))],
    &[column("Cdsasize", option::CDSASIZE, Shape::Digits(10)), column("Ecdsasize", option::ECDSASIZE, Shape::Digits(10))],
    &[column("Rdsasize", option::RDSASIZE, Shape::Digits(10)), column("Erdsasize", option::ERDSASIZE, Shape::Digits(10))],
    &[column("Sdsasize", option::SDSASIZE, Shape::Digits(10)), column("Esdsasize", option::ESDSASIZE, Shape::Digits(10))],
    &[column("Udsasize", option::UDSASIZE, Shape::Digits(10)), column("Eudsasize", option::EUDSASIZE, Shape::Digits(10))],
    &[column("Memlimit", option::MEMLIMIT, Shape::Digits(10)), column("Gcdsasize", option::GCDSASIZE, Shape::Digits(12))],
    &[column("Gsdsasize", option::GSDSASIZE, Shape::Digits(12)), column("Gudsasize", option::GUDSASIZE, Shape::Digits(12))],
    &[column("Sosabovebar", option::SOSABOVEBAR, Shape::Cvda), column("Sosaboveline", option::SOSABOVELINE, Shape::Cvda)],
    &[column("Sosbelowline", option::SOSBELOWLINE, Shape::Cvda)],
];
