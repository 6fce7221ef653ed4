//! Region time: nanoseconds since the process started measuring.
/// Nanoseconds on the region clock (monotonic).
pub fn now_ns() -> u64 { unimplemented!() }
