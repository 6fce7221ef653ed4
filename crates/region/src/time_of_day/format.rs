//! Formats of dates and times.
