//! CHCK: what it finds in a region without security, and that the queues of the region are looked for.

use crate::support::setup;
use region::monitoring::{Record, RecordSink};
use region::name::Name4;
use region::{AttachRequest, StartCode};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Default)]
struct Times(Mutex<Vec<Duration>>);

impl RecordSink for Times {
    fn record(&self, record: &Record) {
        if record.transid.as_str() == "CHCK" {
            self.0.lock().unwrap().push(record.times.cpu);
        }
    }
}

/// Two checks an hour may take 50 ms together.
const CPU_OF_CHECK_MAX: Duration = Duration::from_millis(25);

#[test]
fn a_check_tells_each_exception_and_the_result() {
    let region = setup().region;
    setup().define_transaction("CHCK", "DFHHCCK");
    let times = Arc::new(Times::default());
    region.monitoring().add_sink(times.clone());
    region.monitoring().switch(true);
    region.attach(AttachRequest::new(Name4::new("CHCK"), StartCode::System)).unwrap();
    let told = |id: &str, words: &str| setup().lines().iter().any(|line| line.starts_with(id) && line.contains(words));
    for _ in 0..1_000 {
        if told("DFHHC0100", "4 checks were made") {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(told("DFHHC0100", "4 checks were made"), "{:#?}", setup().lines());
    assert!(told("DFHHC0101", "CICS_SECURITY: SEC=NO"), "{:#?}", setup().lines());
    assert!(!told("DFHHC0101", "CICS_TDQUEUES"), "{:#?}", setup().lines());
    assert!(!told("DFHHC0101", "CICS_RESOURCE_LIMITS"), "{:#?}", setup().lines());
    testing::eventually("the performance record", || !times.0.lock().unwrap().is_empty());
    let cpu = times.0.lock().unwrap()[0];
    assert!(cpu < CPU_OF_CHECK_MAX, "{cpu:?}");
}
