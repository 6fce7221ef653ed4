//! The supplied transactions (CEMT, CESN, CECI, CSGM ...): programs of the region itself, written in Rust.
//!
//! Each is a [`NativeProgram`] under the name its definition in `csd/tables/supplied.csd` has; it uses the terminal and the other domains
//! through their gates, as an application would through commands.
//!
//! * `panel`    the screens of all of them;
//! * `greeting` CSGM; `good_night` CEGN; `signon` CESN, CESL and CESF; `cemt` CEMT, CEOT and CEST; `ceci` CECI and CECS; `cebr` CEBR;
//! * `ceda` CEDA, CEDB and CEDC; `cetr` CETR; `edf` CEDF, CEDG, CEDX and CEDY;
//! * `cmac` CMAC, `codes` the texts it shows; `cmsg` CMSG; `console` CWTO; `csfe` CSFE; `conversation` their lines;
//! * `page_retrieval` CSPG (CSPQ is basic mapping's own); `statistics` STAT.
#![deny(unsafe_code)]

mod cebr;
mod ceci;
mod ceda;
pub mod cemt;
mod cetr;
mod cmac;
mod cmsg;
pub mod codes;
mod console;
mod conversation;
mod csfe;
mod edf;
mod good_night;
mod greeting;
mod page_retrieval;
pub mod panel;
mod signon;
mod statistics;

use region::{Domain, NativeProgram};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "supplied transactions", programs: PROGRAMS, slots: edf::SLOTS, ..Domain::NONE };

/// Programs by name.
static PROGRAMS: &[(&str, NativeProgram)] = &[
    ("DFH0STAT", statistics::print),
    ("DFHCEGN", good_night::schedule),
    ("DFHCETRA", cetr::trace_control),
    ("DFHCMAC", cmac::messages_and_codes),
    ("DFHCWTO", console::write_to_operator),
    ("DFHECIP", ceci::interpret),
    ("DFHECSP", ceci::check),
    ("DFHEDAP", ceda::resource_definition),
    ("DFHEDFBR", cebr::browse),
    ("DFHEDFP", edf::edf),
    ("DFHEDFX", edf::edx),
    ("DFHEMTP", cemt::master_terminal),
    ("DFHEOTP", cemt::terminal_status),
    ("DFHESTP", cemt::supervisory_terminal),
    ("DFHFEP", csfe::test_terminal),
    ("DFHGMM", greeting::good_morning),
    ("DFHMSP", cmsg::switch_message),
    ("DFHSNF", signon::sign_off),
    ("DFHSNLE", signon::sign_on_long),
    ("DFHSNP", signon::sign_on),
    ("DFHTPQ", terminals::basic_mapping::routing::cleanup::purge),
    ("DFHTPR", page_retrieval::retrieve),
];
