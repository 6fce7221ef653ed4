//! Basic mapping support without a region: the BMS macro assembler, physical and symbolic maps, the 3270 data stream, the
//! mapping of application data to it and from it, and a model of the 3270 screen. Everything here is a function of its
//! arguments: no sockets, no tasks, no global state. Terminal control and the EXEC gate (region), the compiler driver
//! (regent) and `tn3270` build on it.
//!
//! All screen text is EBCDIC as it is on the wire; `text` and the crate `codepage` convert to and from Unicode at the edges.

#![forbid(unsafe_code)]

pub mod address;
pub mod assemble;
pub mod attribute;
pub mod capabilities;
mod conditional;
pub mod constants;
pub mod diagnostic;
pub mod inbound;
pub mod layout;
pub mod model;
pub mod object;
pub mod operand;
pub mod outbound;
pub mod page;
pub mod page_record;
pub mod partition;
pub mod query;
pub mod receive_map;
pub mod reduce;
pub mod screen;
pub mod send_map;
pub mod send_text;
pub mod source;
pub mod symbolic;
pub mod symbolic_c;
pub mod text;
pub mod text_page;

pub use assemble::{Assembly, assemble, assemble_with};
pub use capabilities::{Capabilities, Model, ScreenSize};
pub use diagnostic::{Diagnostic, Severity};
pub use inbound::Inbound;
pub use layout::MapLayout;
pub use model::{Field, Map, MapSet};
pub use outbound::Outbound;
pub use screen::Screen;
pub use text::CodePage;
