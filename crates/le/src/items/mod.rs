//! Data items: the meaning of their bytes, and conversion between items. The four modules depend on each other, because COBOL's rules do: a
//! MOVE of a number to an edited item stores a number, and storing a number in an edited item edits it.
//!
//! * `numeric`: the value of a numeric item of any usage, storing a value in one, arithmetic statements with one source.
//! * `edit`: pictures and editing, in both directions.
//! * `movement`: MOVE between all categories, figurative constants.
//! * `compare`: relation conditions between any two items.
//!
//! Statements (STRING, INSPECT, SORT, DISPLAY, functions) are above and use these modules.

pub mod compare;
pub mod edit;
pub mod movement;
pub mod numeric;
