//! The display of libraries and exit programs in CEMT.

use super::resources::{Column, ENABLE, Shape, column};
use exec::option;

/// Characters of a data set's name.
const DATA_SET_NAME: Shape = Shape::Name(44);

pub const LIBRARY: &[&[Column]] = &[
    &[
        column("Lib", option::LIBRARY, Shape::Name(8)),
        column("", option::ENABLESTATUS, ENABLE),
        column("", option::CRITICALST, Shape::Choice(&["CRITICAL", "NONCRITICAL"])),
        column("Ran", option::RANKING, Shape::Number(2)),
        column("Sea", option::SEARCHPOS, Shape::Digits(2)),
        column("Num", option::NUMDSNAMES, Shape::Digits(2)),
    ],
    &[column("Dsname01", option::DSNAME01, DATA_SET_NAME)],
    &[column("Dsname02", option::DSNAME02, DATA_SET_NAME)],
    &[column("Dsname03", option::DSNAME03, DATA_SET_NAME)],
    &[column("Dsname04", option::DSNAME04, DATA_SET_NAME)],
    &[column("Dsname05", option::DSNAME05, DATA_SET_NAME)],
    &[column("Dsname06", option::DSNAME06, DATA_SET_NAME)],
    &[column("Dsname07", option::DSNAME07, DATA_SET_NAME)],
    &[column("Dsname08", option::DSNAME08, DATA_SET_NAME)],
    &[column("Dsname09", option::DSNAME09, DATA_SET_NAME)],
    &[column("Dsname10", option::DSNAME10, DATA_SET_NAME)],
    &[column("Dsname11", option::DSNAME11, DATA_SET_NAME)],
    &[column("Dsname12", option::DSNAME12, DATA_SET_NAME)],
    &[column("Dsname13", option::DSNAME13, DATA_SET_NAME)],
    &[column("Dsname14", option::DSNAME14, DATA_SET_NAME)],
    &[column("Dsname15", option::DSNAME15, DATA_SET_NAME)],
    &[column("Dsname16", option::DSNAME16, DATA_SET_NAME)],
];

pub const EXITPROGRAM: &[&[Column]] = &[
    &[
        column("Exi", option::EXITPROGRAM, Shape::Name(8)),
        column("Ent", option::ENTRYNAME, Shape::Name(8)),
        column("", option::STARTSTATUS, Shape::Cvda),
        column("", option::CONCURRENTST, Shape::Cvda),
        column("", option::APIST, Shape::Cvda),
        column("Num", option::NUMEXITS, Shape::Digits(5)),
        column("Use", option::USECOUNT, Shape::Digits(5)),
    ],
    &[
        column("Gae", option::GAENTRYNAME, Shape::Name(8)),
        column("Gal", option::GALENGTH, Shape::Digits(5)),
        column("Gau", option::GAUSECOUNT, Shape::Digits(5)),
        column("Tal", option::TALENGTH, Shape::Digits(5)),
        column("Qua", option::QUALIFIER, Shape::Name(8)),
    ],
];
