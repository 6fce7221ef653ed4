//! The data directory of `regent up`: one region at a time, the type of a start, missing data.

mod support;

use std::path::Path;
use std::process::Output;

use support::{Region, regent, root};

const DEFINE: &str = "  DEFINE CLUSTER (NAME(SHOP.CUST) INDEXED KEYS(4 0) RECORDSIZE(20 20) TRACKS(1 1))
  REPRO INDATASET(SHOP.UNLOAD) OUTDATASET(SHOP.CUST)
";

/// An application of one file with three records.
fn application(directory: &Path) {
    let records: String = (1..=3).map(|number| format!("{number:04}RECORD{:10}", "")).collect();
    std::fs::write(directory.join("SHOP.UNLOAD"), records).unwrap();
    std::fs::write(directory.join("shop.idcams"), DEFINE).unwrap();
}

fn vsam(data: &Path, arguments: &[&str]) -> Output {
    regent().arg("vsam").args(arguments).arg("--data").arg(data.join("data")).output().expect("regent runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn says(region: &Region, words: &str) -> bool {
    region.output.iter().any(|line| line.contains(words))
}

#[test]
fn a_second_region_is_refused_when_the_lock_file_was_deleted() {
    let scratch = tempfile::tempdir().unwrap();
    let (directory, data) = (scratch.path().join("app"), scratch.path().join("work"));
    std::fs::create_dir(&directory).unwrap();
    application(&directory);
    let first = Region::start(&directory, &data, &[]);
    for name in ["lock", "pages/lock.mdb"] {
        std::fs::remove_file(data.join("data").join(name)).unwrap();
        let refused = Region::try_start(&directory, &data, &[]).err().expect("the second region is refused").join("\n");
        assert!(refused.contains("in use") && refused.contains(&first.id().to_string()), "{name}: {refused}");
    }
    assert_eq!(first.stop(), 0);
    assert_eq!(Region::start(&directory, &data, &[]).stop(), 0);
}

#[test]
fn utilities_after_a_failure_leave_the_next_start_an_emergency_start() {
    let scratch = tempfile::tempdir().unwrap();
    let data = scratch.path().join("work");
    let filework = root().join("samples/filework");
    Region::start(&filework, &data, &[]).kill();
    let checked = vsam(&data, &["check"]);
    assert!(checked.status.success(), "{}", text(&checked));
    let region = Region::start(&filework, &data, &[]);
    assert!(says(&region, "EMERGENCY") && !says(&region, "WARM"), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
    assert!(vsam(&data, &["check"]).status.success());
    let region = Region::start(&filework, &data, &[]);
    assert!(says(&region, "WARM"), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
}

#[test]
fn data_that_was_deleted_is_made_and_loaded_again_and_it_is_said() {
    let scratch = tempfile::tempdir().unwrap();
    let (directory, data) = (scratch.path().join("app"), scratch.path().join("work"));
    std::fs::create_dir(&directory).unwrap();
    application(&directory);
    let region = Region::start(&directory, &data, &[]);
    assert!(says(&region, "shop.idcams") && !says(&region, "again"), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
    let region = Region::start(&directory, &data, &[]);
    assert!(!says(&region, "shop.idcams"), "it is set up once: {}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);

    std::fs::remove_dir_all(data.join("data")).unwrap();
    let region = Region::start(&directory, &data, &[]);
    assert!(says(&region, "loaded again") && says(&region, "shop.idcams"), "{}", region.output.join("\n"));
    assert_eq!(region.stop(), 0);
    let shown = vsam(&data, &["show"]);
    assert!(text(&shown).contains("SHOP.CUST") && text(&shown).contains("3 records"), "{}", text(&shown));
}
