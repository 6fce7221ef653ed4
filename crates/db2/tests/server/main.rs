//! Statements executed for a program whose variables are in storage, on a private PostgreSQL server.

mod ahead;
mod connections;
mod conversions;
mod cursors;
mod dynamic;
mod load;
mod program;
mod separation;
mod speed;
mod statements;
mod units;
mod wild_addresses;
