//! The counters of the dispatcher, in the terms of the statistics reports.

use super::Dispatcher;
use super::core::Core;
use super::pools::TcbCounts;
use crate::clock::{ticks_to_duration, ticks_to_wall};
use crate::inquire::{DispatcherStatistics, ModeStatistics, Peaks};
use crate::mode::{MODE_COUNT, Mode};
use std::sync::atomic::Ordering;

impl Core {
    /// Ticks and switches by mode of all tasks, ended and alive.
    fn mode_totals(&self) -> [[u64; 3]; MODE_COUNT] {
        let mut totals = [[0u64; 3]; MODE_COUNT];
        let mut add = |mode: usize, figure: usize, value: u64| totals[mode][figure] += value;
        for slot in &self.workers {
            for (mode, figures) in slot.totals.iter().enumerate() {
                (0..3).for_each(|figure| add(mode, figure, figures[figure].get()));
            }
        }
        for task in self.all_tasks() {
            for (mode, counters) in task.account().modes.iter().enumerate() {
                add(mode, 0, counters.dispatch.get());
                add(mode, 1, counters.cpu.get());
                add(mode, 2, counters.switches.get());
            }
        }
        totals
    }

    fn mode_statistics(&self, counts: &[TcbCounts; MODE_COUNT], peaks: Peaks) -> [ModeStatistics; MODE_COUNT] {
        let totals = self.mode_totals();
        let services = Mode::ALL.map(|mode| self.services.lock().figures(mode));
        Mode::ALL.map(|mode| {
            let index = mode as usize;
            let [dispatch, cpu, switches] = totals[index];
            let service = services[index];
            let times = ModeStatistics {
                pool: mode.pool(),
                dispatch: ticks_to_duration(dispatch) + service.dispatch,
                cpu: ticks_to_duration(cpu) + service.cpu,
                switches,
                ..ModeStatistics::default()
            };
            if !mode.is_single() {
                let tcbs = counts[index];
                return ModeStatistics {
                    // EP, TP and D2 have several TCBs, but not one for each task (example 6-2: EP, Open No, 2 attached).
                    open: (tcbs.attaches + service.attaches > 0).then_some(mode.pool().is_some()),
                    attached_current: tcbs.attached + service.attached,
                    attached_peak: tcbs.attached_peak + service.attached_peak,
                    in_use_current: tcbs.in_use + service.in_use,
                    in_use_peak: tcbs.in_use_peak + service.in_use_peak,
                    attaches: tcbs.attaches + service.attaches,
                    ..times
                };
            }
            let used = self.used_single_modes[index].load(Ordering::Relaxed);
            let token = &self.tokens[index];
            let queue = token.queue().figures(peaks);
            ModeStatistics {
                open: (used || service.attaches > 0).then_some(false),
                attached_current: used as u32 + service.attached,
                attached_peak: used as u32 + service.attached_peak,
                in_use_current: token.is_held() as u32 + service.in_use,
                in_use_peak: used as u32 + service.in_use_peak,
                attaches: service.attaches,
                queue_current: queue.current,
                queue_peak: queue.peak,
                queue_average: queue.average,
                ..times
            }
        })
    }
}

impl Dispatcher {
    /// Everything the dispatcher counts. Totals are since its start.
    pub fn statistics(&self) -> DispatcherStatistics {
        self.read_statistics(Peaks::Keep)
    }

    /// As `statistics`; with `Peaks::Begin` a statistics interval begins.
    pub fn read_statistics(&self, peaks: Peaks) -> DispatcherStatistics {
        let core = &self.0;
        let config = self.config();
        let (user, system) = crate::clock::process_cpu();
        let tcbs = core.pools.read(peaks);
        let scans = tcbs.scans;
        let wall = |ticks: u64| (ticks != 0).then(|| ticks_to_wall(ticks));
        DispatcherStatistics {
            started_at: ticks_to_wall(core.started_at),
            tasks_current: core.tasks_current.load(Ordering::Relaxed),
            tasks_peak: peaks.read_u32(&core.tasks_peak, || core.tasks_current.load(Ordering::SeqCst)),
            icv: config.icv,
            terminal_scan_delay: config.terminal_scan_delay,
            runaway: config.runaway,
            priority_aging: config.priority_aging,
            mro_batch: config.mro_batch,
            address_space_cpu: user + system,
            address_space_system_cpu: system,
            excess_scans: scans.scans,
            excess_scans_none_detached: scans.none_detached,
            excess_detached: scans.detached,
            excess_scan_at: wall(scans.at),
            excess_scan_none_detached_at: wall(scans.none_detached_at),
            processors: core.processors,
            workers: core.workers.iter().filter(|slot| slot.started.load(Ordering::Relaxed)).count() as u32,
            spare_workers_started: core.spares_started.load(Ordering::Relaxed),
            runaways: core.runaways.load(Ordering::Relaxed),
            region_exits: core.region_exits.load(Ordering::Relaxed),
            stacks: core.stacks.figures(),
            modes: core.mode_statistics(&tcbs.counts, peaks),
            pools: tcbs.pools,
            max_tasks: core.admissions.max_tasks_statistics(peaks),
            classes: core.admissions.class_statistics(peaks),
        }
    }
}
