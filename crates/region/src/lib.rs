//! The server: one module per CICS domain, the EXEC interface between application programs and them, and the region that owns all.
//!
//! What may not live here: compilation of programs, data stream and file formats, dispatching and storage management (see the
//! crates below this one). A domain is used through the public functions of its module (its gate), never through its fields.
#![deny(unsafe_code)]

pub mod name;
pub mod resources;
