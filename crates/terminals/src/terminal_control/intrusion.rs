//! The state of the BMS 3270 Intrusion Detection Service: whether it is on, and what it has found ("BMS 3270 Intrusion Detection Service").
//!
//! Feature toggle com.ibm.cics.bms.ids turns it on. Program DFHBMSX, if the site has one, is asked once whether input is validated.

use region::Region;
use region::feature_toggles::FeatureToggles;
use region::figures::{ResourceStatistics, count};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

const TOGGLE: &str = "com.ibm.cics.bms.ids";

/// What became of an input that was not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Abended,
    Ignored,
    Logged,
}

#[derive(Default)]
pub struct Intrusion {
    /// The answer of DFHBMSX to BMSX_FUNCTION_INIT.
    pub checks: OnceLock<bool>,
    abended: AtomicU64,
    ignored: AtomicU64,
    logged: AtomicU64,
}

impl Intrusion {
    pub fn is_on(&self, region: &Region) -> bool {
        FeatureToggles::of(region).is_on(TOGGLE)
    }

    pub fn count(&self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Abended => &self.abended,
            Outcome::Ignored => &self.ignored,
            Outcome::Logged => &self.logged,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// A03BMVL, A03BMAB, A03BMIG and A03BMLG ("z/OS Communications Server: Global statistics").
    pub fn statistics(&self, region: &Region) -> ResourceStatistics {
        let is_on = self.is_on(region) && self.checks.get().copied().unwrap_or(true);
        ResourceStatistics {
            resource: "BMS 3270 VALIDATION",
            name: String::new(),
            counters: vec![
                ("on", u64::from(is_on)),
                ("abended", count(&self.abended)),
                ("ignored", count(&self.ignored)),
                ("logged", count(&self.logged)),
            ],
        }
    }
}
