//! Statistics records of capture specifications.
//!
//! Source: CICS TS 5.5, "CAPTURESPEC: Resource statistics" (DFHECCDS). A record is named by the binding and the specification.

use super::commands::installed;
use super::point::When;
use super::{EventBinding, Specification};
use region::Region;
use region::figures::{Record, RecordType, ResourceType, count};
use std::sync::Arc;

pub static SPECIFICATIONS: RecordType = RecordType {
    of: ResourceType::CaptureSpecification,
    one: |reading, name| specifications(reading.region).find(|(known, _)| known == name).map(|(_, record)| record),
    names: |region| specifications(region).map(|(name, _)| name).collect(),
    ..RecordType::NONE
};

/// The records of capture specifications, with names of binding and specification.
fn specifications(region: &Region) -> impl Iterator<Item = (String, Record)> {
    let of_binding = |binding: Arc<EventBinding>| {
        let name = binding.name.clone();
        binding.specifications.clone().into_iter().map(move |specification| of_specification(&name, &specification))
    };
    installed(region).into_iter().flat_map(of_binding)
}

fn of_specification(binding: &str, specification: &Specification) -> (String, Record) {
    let name = format!("{binding}.{}", specification.name);
    let kind = match specification.when {
        When::Before => "PRECOMMAND",
        When::After => "POSTCOMMAND",
        When::Start => "PROGRAMINIT",
    };
    let record = Record::new("DFHECCDS", name.clone())
        .text("ECC_EVENTBINDING_NAME", binding)
        .text("ECC_CAPTURESPEC_NAME", &specification.name)
        .text("ECC_CAPTURE_POINT", specification.point.name)
        .text("ECC_CAPTURE_POINT_TYPE", kind)
        .text("ECC_EVENT_NAME", &specification.event)
        .number("ECC_EVENTS_CAPTURED", count(&specification.captured))
        .number("ECC_CAPTURE_FAILURES", count(&specification.failed));
    (name, record)
}
