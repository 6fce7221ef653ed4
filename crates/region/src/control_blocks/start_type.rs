//! How a region starts, from the START parameter and the way it ended.

use super::region::Region;
use crate::system_initialization::{self, SystemInitialization};
use exec::cvda;
use vsam::store::RestartReport;

/// The type of a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartType {
    Initial,
    Cold,
    Warm,
    Emergency,
}

impl StartType {
    /// How this region started.
    pub fn of(region: &Region) -> StartType {
        Self::from(region.store.restart_report(), &region.sit)
    }

    /// START=COLD and INITIAL decide; with AUTO the way the region ended decides.
    pub fn from(report: &RestartReport, sit: &SystemInitialization) -> StartType {
        match sit.start() {
            system_initialization::StartType::Initial => StartType::Initial,
            system_initialization::StartType::Cold => StartType::Cold,
            // There was no region before.
            system_initialization::StartType::Auto if report.created => StartType::Initial,
            system_initialization::StartType::Auto if report.clean => StartType::Warm,
            system_initialization::StartType::Auto => StartType::Emergency,
        }
    }

    /// Nothing is carried over from an earlier run except the data kept by every start.
    pub fn is_cold(self) -> bool {
        matches!(self, StartType::Initial | StartType::Cold)
    }

    /// As messages say it.
    pub fn text(self) -> &'static str {
        match self {
            StartType::Initial => "INITIAL",
            StartType::Cold => "COLD",
            StartType::Warm => "WARM",
            StartType::Emergency => "EMERGENCY",
        }
    }

    /// COLDSTATUS of INQUIRE SYSTEM.
    pub fn cold_cvda(self) -> i64 {
        match self {
            StartType::Initial => cvda::INITIAL,
            StartType::Cold => cvda::COLD,
            StartType::Warm | StartType::Emergency => cvda::NOTAPPLIC,
        }
    }

    /// STARTUP of INQUIRE SYSTEM.
    pub fn cvda(self) -> i64 {
        match self {
            StartType::Initial | StartType::Cold => cvda::COLDSTART,
            StartType::Warm => cvda::WARMSTART,
            StartType::Emergency => cvda::EMERGENCY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_type_follows_start_or_the_last_run() {
        let report = |created, clean| RestartReport { created, clean, ..Default::default() };
        let cases = [
            ("AUTO", report(true, true), "INITIAL", cvda::COLDSTART, cvda::INITIAL),
            ("AUTO", report(false, true), "WARM", cvda::WARMSTART, cvda::NOTAPPLIC),
            ("(AUTO,ALL)", report(false, false), "EMERGENCY", cvda::EMERGENCY, cvda::NOTAPPLIC),
            ("COLD", report(false, false), "COLD", cvda::COLDSTART, cvda::COLD),
            ("(INITIAL,ALL)", report(false, true), "INITIAL", cvda::COLDSTART, cvda::INITIAL),
        ];
        for (start, report, text, startup, cold_status) in cases {
            let mut sit = SystemInitialization::new();
            sit.apply(&format!("START={start}")).unwrap();
            let found = StartType::from(&report, &sit);
            assert_eq!((found.text(), found.cvda(), found.cold_cvda()), (text, startup, cold_status), "START={start}");
        }
    }
}
