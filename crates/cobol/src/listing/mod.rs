//! The compiler listing.
