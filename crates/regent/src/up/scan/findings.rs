//! What a scan has found: counts, the commands that are used with their state, and findings that name what is missing, refused or different.
//!
//! Invariant: a finding is there once, with all its places.

use std::collections::BTreeMap;

/// How much a finding matters. The exit code of the scan is that of its worst finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing has to be done.
    Note,
    /// It works otherwise, or a part of the application is not used.
    Warning,
    /// What needs it does not work.
    Error,
}

impl Severity {
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }

    pub fn exit_code(self) -> u8 {
        match self {
            Severity::Note => 0,
            Severity::Warning => 4,
            Severity::Error => 8,
        }
    }
}

/// A file and a line; 0 is the file as a whole.
pub type Place = (String, u32);

/// What is found, without where: severity, area, subject, what about it.
pub type Key = (Severity, &'static str, String, String);

/// A command or statement that is used.
#[derive(Debug, Default, Clone)]
pub struct Use {
    pub count: usize,
    pub first: Place,
    /// `works`, `refused`, `later: SUBSYSTEM`.
    pub state: String,
}

#[derive(Debug, Default)]
pub struct Report {
    /// What there is, in the order in which it is shown.
    pub counts: Vec<(&'static str, usize)>,
    /// By area (EXEC CICS, EXEC SQL ...) and name.
    pub uses: BTreeMap<(&'static str, String), Use>,
    pub findings: BTreeMap<Key, Vec<Place>>,
}

impl Report {
    pub fn add(&mut self, severity: Severity, area: &'static str, subject: &str, text: impl Into<String>, place: Place) {
        self.findings.entry((severity, area, subject.to_string(), text.into())).or_default().push(place);
    }

    pub fn count_use(&mut self, area: &'static str, name: &str, state: &str, place: Place) {
        let found = self.uses.entry((area, name.to_string())).or_insert_with(|| Use { count: 0, first: place, state: state.to_string() });
        found.count += 1;
    }

    /// Adds what another part of the scan has found.
    pub fn merge(&mut self, other: Report) {
        self.counts.extend(other.counts);
        for ((area, name), found) in other.uses {
            let kept = self.uses.entry((area, name)).or_insert_with(|| Use { count: 0, ..found.clone() });
            kept.count += found.count;
            kept.first = kept.first.clone().min(found.first);
        }
        for (key, places) in other.findings {
            self.findings.entry(key).or_default().extend(places);
        }
    }

    /// Puts the places of each finding into order.
    pub fn sort(&mut self) {
        for places in self.findings.values_mut() {
            places.sort();
            places.dedup();
        }
    }

    pub fn worst(&self) -> Severity {
        self.findings.keys().map(|(severity, ..)| *severity).max().unwrap_or(Severity::Note)
    }

    /// How many findings there are of a severity.
    pub fn number_of(&self, wanted: Severity) -> usize {
        self.findings.keys().filter(|(severity, ..)| *severity == wanted).count()
    }
}
