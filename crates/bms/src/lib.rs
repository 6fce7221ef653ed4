//! bms
