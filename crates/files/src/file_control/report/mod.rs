//! Files and LSR pools in the statistics report.

mod files;
mod pools;

use region::figures::Section;
use region::statistics::report::Activity;

pub(super) static FILES: Section = Section { title: "Files", write: |region, text| files::requests(&files::all(region), text) };
pub(super) static LSR_POOLS: Section =
    Section { title: "LSR Pools", write: |region, text| pools::pools(region, &files::all(region), text) };
pub(super) static PROFILE: Section =
    Section { title: "File Profile", write: |region, text| files::profiles(&files::all(region), &Activity::of(region), text) };
