//! The server: one module per CICS domain, the EXEC interface between application programs and them, and the region that owns all.
//!
//! What may not live here: compilation of programs, data stream and file formats, dispatching and storage management (see the
//! crates below this one). A domain is used through the public functions of its module (its gate), never through its fields.
//!
//! Where to start reading: [`region`] (start and stop), [`transaction_manager`] (a task from attach to end), [`exec_interface`] (what
//! happens around every command), [`program_manager`] (levels and abends), then the domain that interests you. A domain has
//! `handlers()`, the list of commands it executes; a `TaskState`, its part of a task; and, if it takes part in units of work, a
//! `participant()`.
#![deny(unsafe_code)]

pub mod built_in_functions;
pub mod channels;
pub mod code_page;
pub mod diagnostics;
pub mod domain;
pub mod enqueue;
pub mod event_wait;
pub mod exec_interface;
pub mod facility;
pub mod inquiry;
pub mod interval_control;
pub mod messages;
pub mod monitoring;
pub mod name;
pub mod operator;
pub mod program_list;
pub mod program_manager;
pub mod recovery_manager;
pub mod region;
pub mod resources;
pub mod shutdown;
pub mod slots;
pub mod statistics;
pub mod storage_access;
pub mod storage_control;
pub mod system_initialization;
pub mod system_programming;
pub mod time_of_day;
pub mod transaction_manager;
