//! The bundle of `bench/policy`: 19 task rules that no task of a benchmark exceeds.

use std::path::Path;

use csd::Definition;
use region::Region;

const FILES: [(&str, &str); 2] = [
    ("META-INF/cics.xml", include_str!("../../../../bench/policy/META-INF/cics.xml")),
    ("limits.policy", include_str!("../../../../bench/policy/limits.policy")),
];

/// Its name.
pub const BUNDLE: &str = "BENCH";

/// Writes the bundle to the scratch directory and installs it.
pub fn install(region: &'static Region, scratch: &Path) -> Result<(), String> {
    let bundle = scratch.join("policy");
    for (name, text) in FILES {
        let file = bundle.join(name);
        let parent = file.parent().expect("a file of the bundle is in it");
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    region.install(&Definition::new("BUNDLE", BUNDLE, "BENCH").with("BUNDLEDIR", &bundle.display().to_string()))
}
