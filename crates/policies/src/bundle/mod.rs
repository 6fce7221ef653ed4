//! BUNDLE resources: the parts that a manifest names are created, enabled, disabled and discarded with their bundle.
//!
//! * `definition`  resource definitions of CICS Explorer, as definitions of the CSD;
//! * `part`        a part and what it created;
//! * `life`        installation, and the changes of status; `availability` that of entry points; `records` statistics;
//! * `commands`    CREATE, INQUIRE, SET and DISCARD BUNDLE, INQUIRE BUNDLEPART.
//!
//! Source: CICS TS 5.5, "BUNDLE resources", "Characteristics of resources in CICS bundles". Invariants: a bundle is enabled only if all its
//! parts are; a part that could not be created stays unusable until the bundle is installed again; a bundle is discarded only when it is
//! disabled.

pub mod availability;
pub mod commands;
mod definition;
pub mod life;
pub mod part;
pub mod records;

use crate::manifest::Manifest;
use part::{Part, Status};
use region::application::Application;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// An installed BUNDLE.
pub struct Bundle {
    pub name: String,
    pub directory: PathBuf,
    pub base_scope: String,
    /// The version of an application that it belongs to, by its scope.
    pub application: Option<Arc<Application>>,
    pub manifest: Manifest,
    pub parts: Vec<Part>,
    /// Created by a command rather than by a group of the CSD.
    pub is_created: bool,
    pub installed_at: SystemTime,
    /// DISABLED was asked for last, by the definition or by SET.
    pub is_enabled: bool,
    /// Its entry points are open.
    pub is_available: bool,
}

impl Bundle {
    /// The parts that are enabled with the bundle.
    pub fn targets(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.is_target())
    }

    pub fn has_entry_points(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.content, part::Content::EntryPoint { .. }))
    }

    pub fn enabled_count(&self) -> usize {
        self.targets().filter(|part| part.status == Status::Enabled).count()
    }
}
