//! Types: precision of arithmetic, legality of MOVE and comparison.

pub mod compare;
pub mod movement;
pub mod precision;
