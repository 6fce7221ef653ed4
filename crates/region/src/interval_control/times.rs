//! Times of commands.
