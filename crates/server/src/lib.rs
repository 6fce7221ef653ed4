//! The whole server: the only list of the domains of a region, and the tests of all of them together.
//!
//! No function of a domain belongs here.
#![deny(unsafe_code)]

pub mod registry;

pub use registry::DOMAINS;
