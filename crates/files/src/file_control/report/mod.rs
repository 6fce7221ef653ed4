//! Files and LSR pools in the statistics report.

mod files;
mod pools;

use region::Region;
use region::figures::Report;

/// What ratios are taken against.
struct Activity {
    seconds: f64,
    tasks: u64,
}

impl Activity {
    fn of(region: &Region) -> Activity {
        let seconds = region.started_at().elapsed().map_or(0.0, |elapsed| elapsed.as_secs_f64());
        Activity { seconds, tasks: region.transactions().attaches() }
    }
}

pub(super) fn write(region: &'static Region, report: &mut Report) {
    let all = files::all(region);
    report.heading("Files");
    files::requests(&all, &mut report.text);
    report.heading("LSR Pools");
    pools::pools(region, &all, &mut report.text);
    report.heading("File Profile");
    files::profiles(&all, &Activity::of(region), &mut report.text);
}
