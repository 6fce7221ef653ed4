//! The data directory of `regent up`: one region at a time, the type of a start, missing data.

mod support;

use std::os::unix::fs::PermissionsExt;
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
fn a_page_file_that_is_cut_short_under_the_region_is_named_when_the_region_ends() {
    let scratch = tempfile::tempdir().unwrap();
    let (directory, data) = (scratch.path().join("app"), scratch.path().join("work"));
    std::fs::create_dir(&directory).unwrap();
    application(&directory);
    let mut region = Region::start(&directory, &data, &[]);
    std::fs::OpenOptions::new().write(true).open(data.join("data/pages/data.mdb")).unwrap().set_len(0).unwrap();
    region.terminate();
    assert_eq!(region.wait_for_end(), Some(16), "{}", region.output.join("\n"));
    let output = region.output.join("\n");
    assert!(output.contains("pages/data.mdb was cut short") && output.contains("Restore"), "{output}");
    assert!(!output.contains("fault in the region"), "{output}");
}

/// Each is refused with the file and what to do.
#[test]
fn files_of_the_work_directory_that_cannot_be_used_are_named_with_advice() {
    let scratch = tempfile::tempdir().unwrap();
    let (directory, data) = (scratch.path().join("app"), scratch.path().join("work"));
    std::fs::create_dir(&directory).unwrap();
    application(&directory);
    assert_eq!(Region::start(&directory, &data, &[]).stop(), 0);
    let refused = |what: &str| Region::try_start(&directory, &data, &[]).err().unwrap_or_else(|| panic!("{what}")).join("\n");
    let ledger = data.join("setup.json");
    let kept = std::fs::read(&ledger).unwrap();
    std::fs::write(&ledger, b"{\"a\":[\xFF").unwrap();
    let output = refused("not JSON");
    assert!(output.contains("setup.json") && output.contains("or remove it"), "{output}");
    std::fs::write(&ledger, kept).unwrap();
    std::fs::remove_file(data.join("compiled.json")).unwrap();
    std::fs::create_dir(data.join("compiled.json")).unwrap();
    let output = refused("a directory");
    assert!(output.contains("compiled.json") && output.contains("remove this directory"), "{output}");
    std::fs::remove_dir(data.join("compiled.json")).unwrap();
    assert_eq!(Region::start(&directory, &data, &[]).stop(), 0);
}

/// A shell sets the limit, and then becomes `regent` with these arguments.
fn limited(limit: &str, arguments: &[&str]) -> Output {
    let binary = regent().get_program().to_owned();
    std::process::Command::new("sh").args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(binary).args(arguments).output().unwrap()
}

#[test]
fn limits_on_files_and_on_the_stack_do_not_end_the_process_by_a_signal() {
    let scratch = tempfile::tempdir().unwrap();
    let (directory, data) = (scratch.path().join("app"), scratch.path().join("work"));
    std::fs::create_dir(&directory).unwrap();
    application(&directory);
    let arguments = ["up", directory.to_str().unwrap(), "--data", data.to_str().unwrap(), "--port-3270", "0"];
    // In blocks of 512 bytes.
    let output = limited("ulimit -f 1000", &arguments);
    assert_eq!(output.status.code(), Some(16), "{output:?}");
    assert!(text(&output).contains("File too large"), "{}", text(&output));
    let output = limited("ulimit -s 64", &["vsam", "check", "--data", data.join("none").to_str().unwrap()]);
    assert!(output.status.code().is_some() && !text(&output).contains("overflowed"), "{output:?}");
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

/// A listing is written into the directory of listings and nowhere else.
#[test]
fn a_symbolic_link_in_place_of_a_listing_is_refused_and_its_target_is_intact() {
    let scratch = tempfile::tempdir().unwrap();
    let (directory, data, outside) = (scratch.path().join("app"), scratch.path().join("work"), scratch.path().join("outside"));
    std::fs::create_dir(&directory).unwrap();
    application(&directory);
    std::fs::write(&outside, "precious").unwrap();
    let listing = data.join("listings/shop.idcams.txt");
    std::fs::create_dir_all(listing.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&outside, &listing).unwrap();
    let told = match Region::try_start(&directory, &data, &[]) {
        Ok(region) => {
            let told = region.output.join("\n");
            region.stop();
            told
        }
        Err(output) => output.join("\n"),
    };
    assert!(told.contains("shop.idcams.txt: it is a symbolic link, which is not followed"), "{told}");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");
}

/// docs/up.md: only the owner may read what is in the data directory, from the first start on.
#[test]
fn every_file_of_the_data_directory_is_private_after_the_first_start() {
    let scratch = tempfile::tempdir().unwrap();
    let data = scratch.path().join("work");
    let region = Region::start(&root().join("samples/bank"), &data, &[]);
    let mut others = Vec::new();
    let mut seen = Vec::new();
    let mut open = vec![data.clone()];
    while let Some(path) = open.pop() {
        let mode = std::fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        if mode != expected {
            others.push(format!("{} {mode:o}", path.display()));
        }
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        seen.push(path.strip_prefix(&data).unwrap().to_path_buf());
    }
    assert_eq!(region.stop(), 0);
    assert!(others.is_empty(), "{others:#?}");
    for part in ["setup.json", "compiled.json", "csd", "not-used.txt", "log/region.log", "library"] {
        assert!(seen.iter().any(|path| path == Path::new(part)), "{part}: {seen:#?}");
    }
}
