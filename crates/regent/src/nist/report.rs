//! The reports of the validation suite's programs, and the table made from them.

use serde_json::json;

use crate::console::Console;

/// Tests of one program or module, as its report's last lines say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub tests: u32,
    pub passed: u32,
    pub failed: u32,
    pub deleted: u32,
    pub inspect: u32,
}

pub enum Outcome {
    Ran(Counts),
    /// Cancelled by the operator, as it asks for: it halted, which is the test that its report leaves to inspection.
    Cancelled(Counts),
    /// The abend's message, and what was reported before.
    Abended(String, Counts),
    NotCompiled {
        return_code: u8,
        messages: Vec<String>,
    },
    /// A program for flagging: it has no tests.
    CompiledOnly,
    NotRun(String),
}

pub struct Row {
    pub module: String,
    pub name: String,
    pub outcome: Outcome,
}

impl Counts {
    /// From lines such as ` 094 OF 095  TESTS WERE EXECUTED SUCCESSFULLY` and `NO TEST(S) FAILED`.
    pub fn of(report: &str) -> Counts {
        let mut counts = Counts::default();
        for line in report.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |word: &str| if word == "NO" { Some(0) } else { word.parse::<u32>().ok() };
            match words[..] {
                [passed, "OF", tests, "TESTS", "WERE", ..] => {
                    counts.passed += number(passed).unwrap_or(0);
                    counts.tests += number(tests).unwrap_or(0);
                }
                [count, "TEST(S)", what, ..] => {
                    let count = number(count).unwrap_or(0);
                    match what {
                        "FAILED" => counts.failed += count,
                        "DELETED" => counts.deleted += count,
                        "REQUIRE" => counts.inspect += count,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        counts
    }

    fn add(&mut self, other: Counts) {
        self.tests += other.tests;
        self.passed += other.passed;
        self.failed += other.failed;
        self.deleted += other.deleted;
        self.inspect += other.inspect;
    }

    fn is_good(&self) -> bool {
        self.failed == 0 && self.passed + self.deleted + self.inspect == self.tests
    }
}

impl Outcome {
    /// Everything passed, or the suite itself has left it to a person.
    pub fn is_good(&self) -> bool {
        match self {
            Outcome::Ran(counts) | Outcome::Cancelled(counts) => counts.is_good(),
            Outcome::CompiledOnly => true,
            _ => false,
        }
    }

    fn counts(&self) -> Counts {
        match self {
            Outcome::Ran(counts) | Outcome::Cancelled(counts) | Outcome::Abended(_, counts) => *counts,
            _ => Counts::default(),
        }
    }

    fn why(&self) -> String {
        match self {
            Outcome::Ran(counts) | Outcome::Cancelled(counts) => {
                format!("{} of {} failed", counts.failed.max(counts.tests - counts.passed.min(counts.tests)), counts.tests)
            }
            Outcome::Abended(message, _) => message.clone(),
            Outcome::NotCompiled { return_code, messages } => {
                let first = messages.iter().flat_map(|message| message.lines()).next().unwrap_or_default();
                format!("not compiled, return code {return_code}: {first}")
            }
            Outcome::CompiledOnly => String::new(),
            Outcome::NotRun(reason) => reason.clone(),
        }
    }
}

#[derive(Default)]
struct Total {
    programs: u32,
    compiled: u32,
    good: u32,
    counts: Counts,
}

impl Total {
    fn add(&mut self, outcome: &Outcome) {
        self.programs += 1;
        self.compiled += u32::from(!matches!(outcome, Outcome::NotCompiled { .. }));
        self.good += u32::from(outcome.is_good());
        self.counts.add(outcome.counts());
    }

    fn line(&self, name: &str, console: &Console) {
        let Counts { tests, passed, failed, deleted, inspect } = self.counts;
        if console.is_json() {
            console.event(
                "nist",
                json!({ "module": name, "programs": self.programs, "compiled": self.compiled, "good": self.good, "tests": tests,
                        "passed": passed, "failed": failed, "deleted": deleted, "inspect": inspect }),
            );
            return;
        }
        console.line(&format!(
            "{name:<7}{:>9}{:>9}{:>7}{tests:>8}{passed:>8}{failed:>8}{deleted:>9}{inspect:>9}",
            self.programs, self.compiled, self.good
        ));
    }
}

/// The programs that are not as they should be, then the table.
pub fn print(rows: &[Row], console: &Console) {
    for row in rows.iter().filter(|row| !row.outcome.is_good()) {
        console.warning(&format!("{}/{}: {}", row.module, row.name, row.outcome.why()));
    }
    if !console.is_json() {
        console.line("module  programs compiled   good   tests  passed  failed  deleted  inspect");
    }
    let mut all = Total::default();
    for module in rows.chunk_by(|left, right| left.module == right.module) {
        let mut total = Total::default();
        for row in module {
            total.add(&row.outcome);
            all.add(&row.outcome);
        }
        total.line(&module[0].module, console);
    }
    all.line("total", console);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_of_a_report() {
        let report = "  PASS  \n                          093 OF  095  TESTS WERE EXECUTED SUCCESSFULLY          \n\
                      \u{20}  001 TEST(S) FAILED        \n  NO TEST(S) DELETED  \n  001 TEST(S) REQUIRE INSPECTION\n";
        let counts = Counts::of(report);
        assert_eq!(counts, Counts { tests: 95, passed: 93, failed: 1, deleted: 0, inspect: 1 });
        assert!(!counts.is_good());
        assert!(Counts { failed: 0, passed: 94, ..counts }.is_good());
    }
}
