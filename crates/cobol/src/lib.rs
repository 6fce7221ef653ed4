//! cobol
