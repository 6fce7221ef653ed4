//! The control blocks of a region: what every domain knows of the region, of a task and of a command, and how a domain describes itself.
//!
//! * `region`, `domain`, `slots`   the region, its domains, and the location of their parts; `recycled` the memory of a task's parts;
//! * `task`, `task_storage`, `level`, `handle`, `eib`, `performance`, `unit_of_work`, `waiter`  a task; `transaction` its definition; `attach` the request
//!   for it; `origin`, `transaction_flags` where its work comes from; `application` what it works for;
//! * `facility`                    what a task converses with;
//! * `arguments`, `queried`, `raised`, `dispatch`, `options`, `assigned`, `target`, `extensions`, `gauge`  a command, as its handler and
//!   the gate see it;
//! * `exits`, `exit_structure`     global user exits, as the domains call them;
//! * `changes`                     changes of state that something watches; `subtask` the TCB of input and output;
//! * `figures`, `record`           statistics; `start_type`, `resource_manager` recovery.
//!
//! These are the bottom of this crate: they know no domain, and everything else may use all of them. The behaviour of a task or of the
//! region that belongs to one domain is in that domain's folder.

pub mod application;
pub mod arguments;
pub mod assigned;
pub mod attach;
pub mod changes;
pub mod dispatch;
pub mod domain;
pub mod dump_sections;
pub mod eib;
pub mod exit_structure;
pub mod exits;
pub mod extensions;
pub mod facility;
pub mod figures;
pub mod gauge;
pub mod handle;
pub mod level;
pub mod options;
pub mod origin;
pub mod packed;
pub mod performance;
pub mod queried;
pub mod raised;
pub mod record;
pub mod recycled;
pub mod region;
pub mod resource_manager;
pub mod slots;
pub mod start_type;
pub mod subtask;
pub mod target;
pub mod task;
pub mod task_storage;
pub mod trace_gates;
pub mod tracing;
pub mod transaction;
pub mod transaction_flags;
pub mod unit_of_work;
pub mod waiter;
