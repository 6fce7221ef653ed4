//! File control and journals: the domains over the data sets and the log of the store.
//!
//! `file_control` has FILE resources and the commands for records; `journaling` has journals, to which file control writes for files with
//! automatic journaling. VSAM itself, its log and units of work are in crate `vsam`.
#![deny(unsafe_code)]

pub mod file_control;
pub mod journaling;
