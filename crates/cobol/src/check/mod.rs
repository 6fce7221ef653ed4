//! Names and types: symbol tables, qualification, precision of arithmetic, legality of MOVE and comparison.

pub mod compare;
pub mod movement;
pub mod names;
pub mod precision;
pub mod report;
