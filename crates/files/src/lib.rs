//! File control and journals: the domains over the data sets and the log of the store.
//!
//! `file_control` has FILE resources and the commands for records; `journaling` journals, which file control writes to for files with automatic
//! journaling. What may not live here: VSAM itself, its log and units of work (crate `vsam`).
#![deny(unsafe_code)]

pub mod file_control;
pub mod journaling;
