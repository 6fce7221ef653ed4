//! How many tasks of a limit are active: of MXT, or of MAXACTIVE of a transaction class.
//!
//! A number that wavers about a threshold must not produce a message each time. So a threshold that has been crossed counts again only after
//! the number has been above the next higher one, or below the next lower one. Source: CICS TS 5.5, "User tasks and transaction class tasks
//! system rules".

use crate::policy::filter::{CROSSINGS, Crossing};

/// The distance of two thresholds, in percent.
const STEP_PERCENT: u32 = 10;

/// The active tasks and their limit when they were looked at last, and the crossings that do not count now.
#[derive(Default)]
pub struct Population {
    active: u32,
    limit: u32,
    is_spent: [bool; CROSSINGS.len()],
}

impl Population {
    /// The number of active tasks has changed: the thresholds that it has crossed.
    pub fn moved(&mut self, active: u32, limit: u32) -> Vec<Crossing> {
        let before = (self.active, self.limit.max(1));
        (self.active, self.limit) = (active, limit);
        let mut crossed = Vec::new();
        for (crossing, is_spent) in CROSSINGS.into_iter().zip(&mut self.is_spent) {
            let is_passed = crossing.is_passed(active, limit.max(1));
            let was_passed = crossing.is_passed(before.0, before.1);
            let higher = Crossing { is_upward: true, percent: crossing.percent + STEP_PERCENT };
            let lower = Crossing { is_upward: false, percent: crossing.percent - STEP_PERCENT };
            let is_far = |(active, limit): (u32, u32)| higher.is_passed(active, limit) || lower.is_passed(active, limit);
            *is_spent &= !is_far(before);
            if is_passed && !was_passed && !*is_spent {
                crossed.push(crossing);
                *is_spent = !is_far((active, limit.max(1)));
            }
        }
        crossed
    }

    /// The percentage of the limit, rounded down.
    pub fn percent(&self) -> u32 {
        (u64::from(self.active) * 100 / u64::from(self.limit.max(1))) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOVE_60: Crossing = Crossing { is_upward: true, percent: 60 };
    const BELOW_60: Crossing = Crossing { is_upward: false, percent: 60 };

    #[test]
    fn a_threshold_counts_again_after_its_neighbours_have_been_passed() {
        let mut population = Population::default();
        let mut crosses = |active: u32, crossing: Crossing| population.moved(active, 100).contains(&crossing);
        assert!(!crosses(60, ABOVE_60));
        assert!(crosses(61, ABOVE_60));
        // Between the neighbours, 50 and 70, nothing is told.
        assert!(!crosses(55, ABOVE_60) && !crosses(65, ABOVE_60) && !crosses(70, ABOVE_60) && !crosses(50, ABOVE_60));
        assert!(!crosses(61, ABOVE_60));
        // Below 50, and up again.
        assert!(!crosses(49, ABOVE_60) && crosses(61, ABOVE_60));
        // Above 70, below 60 and up again.
        assert!(!crosses(71, ABOVE_60) && !crosses(60, ABOVE_60) && crosses(61, ABOVE_60));
    }

    #[test]
    fn a_fall_is_told_once_and_all_of_the_limit_is_reached() {
        let mut population = Population::default();
        assert!(population.moved(100, 100).contains(&Crossing { is_upward: true, percent: 100 }));
        assert!(population.moved(59, 100).contains(&BELOW_60));
        assert!(!population.moved(61, 100).contains(&BELOW_60) && !population.moved(59, 100).contains(&BELOW_60));
        assert_eq!(population.percent(), 59);
        population.moved(0, 0);
        assert_eq!(population.percent(), 0);
    }
}
