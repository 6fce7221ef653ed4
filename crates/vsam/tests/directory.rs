//! Only one store at a time uses a data directory, whatever is deleted, moved or copied.

use std::path::Path;
use std::sync::Arc;

use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{Store, StoreConfig, StoreError, ThreadWaiter};

fn try_open(directory: &Path) -> Result<Arc<Store>, StoreError> {
    Store::open(directory, StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, ..StoreConfig::default() })
}

fn put(store: &Arc<Store>, key: &str) -> Result<(), StoreError> {
    let unit = store.begin();
    unit.put(&store.table("t")?, key.as_bytes(), b"value")?;
    unit.commit(&ThreadWaiter::new())
}

fn has(store: &Store, key: &str) -> bool {
    store.get(&store.existing_table("t").unwrap(), key.as_bytes()).unwrap().is_some()
}

/// The second open is refused and names this process, which has the first.
fn assert_refused(directory: &Path, what: &str) {
    match try_open(directory).map(drop) {
        Err(StoreError::InUse(_, process)) => assert_eq!(process, std::process::id(), "{what}"),
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn deleting_lock_files_does_not_let_a_second_store_in() {
    let directory = tempfile::tempdir().unwrap();
    let store = try_open(directory.path()).unwrap();
    for name in ["lock", "pages/lock.mdb"] {
        std::fs::remove_file(directory.path().join(name)).unwrap();
        assert_refused(directory.path(), name);
        // Also when the refused start has created the file again.
        assert_refused(directory.path(), name);
    }
    put(&store, "kept").unwrap();
    store.abandon();
    drop(store);
    assert!(has(&try_open(directory.path()).unwrap(), "kept"));
}

#[test]
fn emptying_the_directory_does_not_let_a_second_store_in() {
    let directory = tempfile::tempdir().unwrap();
    let store = try_open(directory.path()).unwrap();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
    }
    assert_refused(directory.path(), "emptied");
    drop(store);
}

#[test]
fn a_moved_directory_stays_locked_and_a_copy_is_free() {
    let scratch = tempfile::tempdir().unwrap();
    let (first, moved, copied) = (scratch.path().join("first"), scratch.path().join("moved"), scratch.path().join("copied"));
    let store = try_open(&first).unwrap();
    put(&store, "kept").unwrap();
    std::fs::rename(&first, &moved).unwrap();
    assert_refused(&moved, "moved");
    store.abandon();
    drop(store);
    let status = std::process::Command::new("cp").arg("-r").arg(&moved).arg(&copied).status().unwrap();
    assert!(status.success());
    let (one, other) = (try_open(&moved).unwrap(), try_open(&copied).unwrap());
    assert!(has(&one, "kept") && has(&other, "kept"));
}

#[test]
fn a_commit_is_not_acknowledged_when_its_files_were_deleted() {
    for name in ["pages/data.mdb", "log/0000000000000001.log"] {
        let directory = tempfile::tempdir().unwrap();
        let store = try_open(directory.path()).unwrap();
        put(&store, "before").unwrap();
        std::fs::remove_file(directory.path().join(name)).unwrap();
        let refused = put(&store, "after").unwrap_err().to_string();
        assert!(refused.contains(name) && refused.contains("deleted"), "{refused}");
        assert!(!store.is_working());
        store.abandon();
    }
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn data_files_are_private_to_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = tempfile::tempdir().unwrap();
    let directory = scratch.path().join("data");
    let files = ["lock", "pages/data.mdb", "log/0000000000000001.log", "log/0000000000000002.log"];
    let store = try_open(&directory).unwrap();
    put(&store, "a").unwrap();
    let expected = |what: &str| {
        for name in files {
            assert_eq!(mode(&directory.join(name)), 0o600, "{what}: {name}");
        }
        for name in ["", "pages", "log"] {
            assert_eq!(mode(&directory.join(name)), 0o700, "{what}: directory {name}");
        }
    };
    expected("new");
    store.abandon();
    drop(store);
    // The state left by an earlier release; the target of a link is not touched.
    let outside = scratch.path().join("outside");
    std::fs::write(&outside, "x").unwrap();
    std::os::unix::fs::symlink(&outside, directory.join("link")).unwrap();
    std::fs::create_dir(directory.join("journals")).unwrap();
    std::fs::write(directory.join("journals/a.journal"), "x").unwrap();
    for (name, mode) in
        files.iter().map(|name| (*name, 0o644)).chain([("journals", 0o755), ("journals/a.journal", 0o666), ("pages", 0o755)])
    {
        std::fs::set_permissions(directory.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o644)).unwrap();
    let store = try_open(&directory).unwrap();
    assert_eq!((mode(&directory.join("lock")), mode(&directory.join("pages/data.mdb"))), (0o600, 0o600));
    assert_eq!((mode(&directory.join("journals")), mode(&directory.join("journals/a.journal"))), (0o700, 0o600));
    assert_eq!((mode(&outside), mode(&directory.join("pages"))), (0o644, 0o700));
    store.close().unwrap();
}
