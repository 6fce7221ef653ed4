//! The whole server: the one list of the domains a region consists of, and the tests of all of them together.
//!
//! What may not live here: anything a domain does.
#![deny(unsafe_code)]

pub mod registry;

pub use registry::DOMAINS;
