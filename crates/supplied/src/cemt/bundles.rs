//! The display of bundles, their parts, policies, rules, event bindings and event adapters in CEMT.

use super::resources::{Column, ENABLE, Shape, column};
use exec::option;

pub const BUNDLE: &[&[Column]] = &[
    &[
        column("Bun", option::BUNDLE, Shape::Name(8)),
        column("", option::AVAILSTATUS, Shape::Choice(&["AVAILABLE", "UNAVAILABLE"])),
        column("", option::ENABLESTATUS, ENABLE),
        column("Par", option::PARTCOUNT, Shape::Digits(5)),
        column("Tar", option::TARGETCOUNT, Shape::Digits(5)),
        column("Enabledc", option::ENABLEDCOUNT, Shape::Digits(5)),
    ],
    &[column("Bundlei", option::BUNDLEID, Shape::Name(64))],
    &[column("Bundled", option::BUNDLEDIR, Shape::Name(60))],
];

pub const BUNDLEPART: &[&[Column]] = &[
    &[
        column("Bundlep", option::BUNDLEPART, Shape::Name(44)),
        column("Bun", option::BUNDLE, Shape::Name(8)),
        column("", option::ENABLESTATUS, Shape::Cvda),
        column("", option::PARTCLASS, Shape::Cvda),
    ],
    &[column("Par", option::PARTTYPE, Shape::Name(60))],
    &[column("Met", option::METADATAFILE, Shape::Name(60))],
];

pub const POLICY: &[&[Column]] = &[
    &[column("Pol", option::POLICY, Shape::Name(64)), column("", option::ENABLESTATUS, Shape::Cvda)],
    &[column("Bun", option::BUNDLE, Shape::Name(8)), column("Use", option::USERTAG, Shape::Name(8))],
];

pub const POLICYRULE: &[&[Column]] = &[
    &[column("Policyr", option::POLICYRULE, Shape::Name(64))],
    &[column("Pol", option::POLICY, Shape::Name(64))],
    &[
        column("", option::RULEGROUP, Shape::Cvda),
        column("Rulei", option::RULEITEM, Shape::Name(20)),
        column("", option::ACTIONTYPE, Shape::Cvda),
        column("Abe", option::ABENDCODE, Shape::Name(4)),
        column("Actionc", option::ACTIONCOUNT, Shape::Digits(8)),
    ],
];

pub const EPADAPTER: &[&[Column]] = &[
    &[
        column("Epa", option::EPADAPTER, Shape::Name(32)),
        column("", option::ENABLESTATUS, ENABLE),
        column("", option::ADAPTERTYPE, Shape::Cvda),
        column("", option::DATAFORMAT, Shape::Cvda),
        column("", option::PRIORITY, Shape::Cvda),
    ],
    &[
        column("Con", option::CONFIGDATA1, Shape::Name(32)),
        column("Tra", option::TRANSACTION, Shape::Name(4)),
        column("Pro", option::PROGRAM, Shape::Name(8)),
    ],
];

pub const EPADAPTERSET: &[&[Column]] = &[&[
    column("Epadapters", option::EPADAPTERSET, Shape::Name(32)),
    column("", option::ENABLESTATUS, ENABLE),
    column("Epadaptern", option::EPADAPTERNUM, Shape::Digits(5)),
]];

pub const EVENTBINDING: &[&[Column]] = &[
    &[
        column("Eve", option::EVENTBINDING, Shape::Name(32)),
        column("", option::ENABLESTATUS, ENABLE),
        column("Use", option::USERTAG, Shape::Name(8)),
    ],
    &[column("Epa", option::EPADAPTER, Shape::Name(32)), column("", option::EPADAPTERRES, Shape::Cvda)],
    &[column("Epadapters", option::EPADAPTERSET, Shape::Name(32))],
];

pub const EVENTPROCESS: &[&[Column]] =
    &[&[column("", option::EPSTATUS, Shape::Choice(&["STARTED", "DRAIN", "STOPPED"])), column("Sch", option::SCHEMALEVEL, Shape::Name(4))]];

pub const EPADAPTINSET: &[&[Column]] =
    &[&[column("Epadapters", option::EPADAPTERSET, Shape::Name(32))], &[column("Epa", option::EPADAPTER, Shape::Name(32))]];
