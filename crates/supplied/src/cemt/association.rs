//! The display of the association data of tasks in CEMT: where their work came from.

use super::resources::{Column, Shape, column};
use exec::option;

/// The task itself; its origin, with the client and the group; the task before it, and the one in another region; user correlation data.
pub const ASSOCIATION: &[&[Column]] = &[
    &[
        column("Ass", option::ASSOCIATION, Shape::Name(7)),
        column("Tra", option::TRANSACTION, Shape::Name(4)),
        column("Pro", option::PROGRAM, Shape::Name(8)),
        column("Use", option::USERID, Shape::Name(8)),
        column("", option::FACILTYPE, Shape::Cvda),
        column("Fac", option::FACILNAME, Shape::Name(4)),
    ],
    &[
        column("Odta", option::ODTASKID, Shape::Digits(7)),
        column("Odtr", option::ODTRANSID, Shape::Name(4)),
        column("Oda", option::ODAPPLID, Shape::Name(8)),
        column("Odu", option::ODUSERID, Shape::Name(8)),
        column("", option::ODFACILTYPE, Shape::Cvda),
        column("Odf", option::ODFACILNAME, Shape::Name(4)),
    ],
    &[column("Odc", option::ODCLNTIPADDR, Shape::Name(39)), column("Odp", option::ODCLNTPORT, Shape::Digits(5))],
    &[column("Trn", option::TRNGRPID, Shape::Hex(28))],
    &[
        column("Ptta", option::PTTASKID, Shape::Digits(7)),
        column("Pttr", option::PTTRANSID, Shape::Name(4)),
        column("Ptc", option::PTCOUNT, Shape::Digits(5)),
    ],
    &[
        column("Phta", option::PHTASKID, Shape::Digits(7)),
        column("Phtr", option::PHTRANSID, Shape::Name(4)),
        column("Pha", option::PHAPPLID, Shape::Name(8)),
        column("Phc", option::PHCOUNT, Shape::Digits(5)),
    ],
    &[column("Usr", option::USERCORRDATA, Shape::Name(64))],
];
