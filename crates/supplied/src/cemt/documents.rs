//! The display of document templates in CEMT.

use super::resources::{Column, Shape, column};
use exec::option;

pub const DOCTEMPLATE: &[&[Column]] = &[
    &[
        column("Doc", option::DOCTEMPLATE, Shape::Name(8)),
        column("", option::TEMPLATETYPE, Shape::Cvda),
        column("", option::TYPE, Shape::Cvda),
        column("", option::APPENDCRLF, Shape::Cvda),
        column("Cac", option::CACHESIZE, Shape::Digits(8)),
        column("", option::COPY, Shape::Action(&["NEWCOPY"])),
    ],
    &[column("Tem", option::TEMPLATENAME, Shape::Name(48))],
    &[
        column("Fil", option::FILE, Shape::Name(8)),
        column("Tsq", option::TSQUEUE, Shape::Name(16)),
        column("Tdq", option::TDQUEUE, Shape::Name(4)),
        column("Pro", option::PROGRAM, Shape::Name(8)),
        column("Exi", option::EXITPGM, Shape::Name(8)),
    ],
    &[column("Ddn", option::DDNAME, Shape::Name(8)), column("Mem", option::MEMBER, Shape::Name(8))],
    &[column("Dsn", option::DSNAME, Shape::Name(44))],
    &[column("Hfs", option::HFSFILE, Shape::Name(60))],
];
