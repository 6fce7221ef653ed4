//! le

