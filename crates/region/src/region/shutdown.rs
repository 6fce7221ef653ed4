//! The end of a region, as far as it is a stage of its life: what ends it is in `shutdown`.

use super::{Region, Stage};

impl Region {
    /// Blocks the calling thread (never a task's) until a shutdown, whoever asked for it, has finished.
    pub fn wait_until_stopped(&self) {
        let mut stage = self.stage.lock();
        while *stage != Stage::Stopped {
            self.stage_changed.wait(&mut stage);
        }
    }

    /// True for the first who asks for a shutdown; waits for the end of the initialization.
    pub(crate) fn claim_shutdown(&self) -> bool {
        let mut stage = self.stage.lock();
        // A program of PLTPI may ask for it.
        while *stage < Stage::Running {
            self.stage_changed.wait(&mut stage);
        }
        let first = *stage == Stage::Running;
        if first {
            *stage = Stage::FirstQuiesce;
        }
        first
    }
}
