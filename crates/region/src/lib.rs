//! A region: its control blocks, and the domains that every region has.
//!
//! Not here: files, queues, terminals and supplied transactions (the crates above this one); compilation of programs, data stream and file
//! formats, dispatching and storage management (the crates below). A domain is used through the public functions of its module (its gate),
//! never through its fields.
//!
//! Where to start reading: [`control_blocks`] (region, task, command, and how a domain describes itself), [`initialization`] and
//! [`shutdown`], [`transaction_manager`] (a task from attach to end), [`exec_interface`] (the processing around every command),
//! [`program_manager`] (levels and abends), then the domain that interests you.
#![deny(unsafe_code)]

pub mod asynchronous_services;
pub mod built_in_functions;
pub mod change_mode;
pub mod channel;
pub mod channels;
pub mod clock;
pub mod code_page;
pub mod control_blocks;
pub mod creation;
pub mod diagnostics;
pub mod dump;
pub mod dump_control;
pub mod enqueue;
pub mod event_wait;
pub mod exec_interface;
pub mod feature_toggles;
pub mod initialization;
pub mod inquiry;
pub mod interval_control;
mod macro_table;
pub mod messages;
pub mod monitoring;
pub mod operator;
pub mod program_list;
pub mod program_manager;
pub mod recovery_manager;
pub mod resource_definition;
pub mod set_values;
pub mod shutdown;
pub mod statistics;
pub mod storage_access;
pub mod storage_control;
pub mod system_initialization;
pub mod system_programming;
pub mod time_of_day;
pub mod trace;
pub mod transaction_manager;
pub mod user;
pub mod user_exits;

pub use control_blocks::arguments::Arguments;
pub use control_blocks::assigned::Assigned;
pub use control_blocks::attach::{AttachFailure, AttachReason, AttachRequest, StartCode, StartData};
pub use control_blocks::dispatch::Handler;
pub use control_blocks::domain::{Commands, Domain, Life, NativeProgram, Participant, Registry};
pub use control_blocks::eib::Eib;
pub use control_blocks::exits::{ExitArgument, ExitCode};
pub use control_blocks::level::Level;
pub use control_blocks::packed::packed;
pub use control_blocks::performance::Performance;
pub use control_blocks::raised::{Abend, Interrupt, Outcome, Raised, abend, raise, raise_length};
pub use control_blocks::region::{Region, Stage, TASKS_LOOK_EVERY};
pub use control_blocks::resource_manager::{ResourceManager, Vote};
pub use control_blocks::start_type::StartType;
pub use control_blocks::task::{AbendInformation, Conversation, Task, TaskShared};
pub use control_blocks::transaction::Transaction;
pub use control_blocks::unit_of_work::{Decision, UnitIdentity, UnitOfWorkState};
pub use control_blocks::waiter::{About, TaskWaiter};
pub use control_blocks::{
    application, changes, domain, dump_sections, extensions, facility, figures, gauge, performance, recycled, resource_manager, slots,
};
pub use initialization::{RegionConfig, StartError};
pub use kernel::name;
