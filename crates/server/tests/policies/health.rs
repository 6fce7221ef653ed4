//! CHCK: what it finds in a region without security, and that the queues of the region are looked for.

use crate::support::setup;
use region::name::Name4;
use region::{AttachRequest, StartCode};
use std::time::Duration;

#[test]
fn a_check_tells_each_exception_and_the_result() {
    let region = setup().region;
    setup().define_transaction("CHCK", "DFHHCCK");
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
}
