//! CEE callable services as plain functions with feedback codes.
