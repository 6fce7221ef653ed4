//! vsam
