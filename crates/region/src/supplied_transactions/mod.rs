//! The supplied transactions (CEMT, CESN, CECI, CSGM ...): programs of the region itself, written in Rust.
//!
//! Each is a [`NativeProgram`] under the name its definition in `tables/supplied.csd` has; it uses the terminal and the other domains
//! through their gates, as an application would through commands.
//!
//! * `panel`    screens of all of them;
//! * `greeting` CSGM; `signon` CESN and CESF; `cemt` CEMT; `ceci` CECI and CECS; `cebr` CEBR.

mod cebr;
mod ceci;
pub mod cemt;
mod greeting;
pub mod panel;
mod signon;

use crate::program_manager::NativeProgram;

/// Programs by name.
pub fn programs() -> &'static [(&'static str, NativeProgram)] {
    &[
        ("DFHECIP", ceci::interpret),
        ("DFHECSP", ceci::check),
        ("DFHEDFBR", cebr::browse),
        ("DFHEMTP", cemt::master_terminal),
        ("DFHGMM", greeting::good_morning),
        ("DFHSNF", signon::sign_off),
        ("DFHSNP", signon::sign_on),
    ]
}
