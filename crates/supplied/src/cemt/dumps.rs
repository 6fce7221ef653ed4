//! The displays of the dump tables and of the dump data sets.

use super::resources::{Column, Shape, column};
use exec::option;

pub(super) const DUMPDS: &[&[Column]] = &[
    &[column("Currentdds", option::CURRENTDDS, Shape::Name(1)), column("Initialdds", option::INITIALDDS, Shape::Text(1))],
    &[
        column("Openstatus", option::OPENSTATUS, Shape::Choice(&["OPEN", "CLOSED", "SWITCH"])),
        column("Switchstatus", option::SWITCHSTATUS, Shape::Choice(&["NOSWITCH", "SWITCHNEXT", "SWITCHALL"])),
    ],
];

pub(super) const SYDUMPCODE: &[&[Column]] = &[&[
    column("Syd", option::SYSDUMPCODE, Shape::Name(8)),
    column("", option::SYSDUMPING, Shape::Choice(&["SYSDUMP", "NOSYSDUMP"])),
    column("", option::DUMPSCOPE, Shape::Choice(&["LOCAL", "RELATED"])),
    column("", option::SHUTOPTION, Shape::Choice(&["SHUTDOWN", "NOSHUTDOWN"])),
    column("Max", option::MAXIMUM, Shape::Number(3)),
    column("Cur", option::CURRENT, Shape::Digits(4)),
    column("", option::DAEOPTION, Shape::Choice(&["DAE", "NODAE"])),
    column("", option::ACTION, Shape::Action(&["ADD", "REMOVE", "RESET"])),
]];

pub(super) const TRDUMPCODE: &[&[Column]] = &[&[
    column("Trd", option::TRANDUMPCODE, Shape::Name(4)),
    column("", option::TRANDUMPING, Shape::Choice(&["TRANDUMP", "NOTRANDUMP"])),
    column("", option::SYSDUMPING, Shape::Choice(&["SYSDUMP", "NOSYSDUMP"])),
    column("", option::DUMPSCOPE, Shape::Choice(&["LOCAL", "RELATED"])),
    column("", option::SHUTOPTION, Shape::Choice(&["SHUTDOWN", "NOSHUTDOWN"])),
    column("Max", option::MAXIMUM, Shape::Number(3)),
    column("Cur", option::CURRENT, Shape::Digits(4)),
    column("", option::ACTION, Shape::Action(&["ADD", "REMOVE", "RESET"])),
]];
