//! Compressed key-sequenced data sets: which data sets are compressed, that compression shows only in the pages, and that damage is found.

mod idcams_support;

use std::path::Path;
use std::sync::Arc;

use vsam::idcams::{DdTarget, RecordFormat};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

use idcams_support::Job;

const RECORDS: u32 = 500;
const DEFINE: &str = "
  DEFINE CLUSTER (NAME(C.PACKED) KEYS(6 4) RECSZ(200 400) CISZ(4096) CYL(10 1) COMPRESSED LOG(ALL) LOGSTREAMID(C.LOG))
  DEFINE AIX (NAME(C.AIX) RELATE(C.PACKED) KEYS(4 10) NUNQK UPG TRK(1 1))
  DEFINE PATH (NAME(C.PATH) PENT(C.AIX))
  DEFINE CLUSTER (NAME(C.PLAIN) KEYS(6 4) RECSZ(200 400) CISZ(4096) CYL(10 1))
";

fn key(number: u32) -> Vec<u8> {
    format!("{number:06}").into_bytes()
}

/// A typical record: blanks and zeros; every fiftieth cannot be compressed.
fn record(number: u32, change: u32) -> Vec<u8> {
    let mut record = b"HEAD".to_vec();
    record.extend(key(number));
    record.extend(format!("{:04}SMITH AND SON", number % 7).bytes());
    if number % 50 == 3 {
        let mut state = number;
        record.extend((0..60).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        }));
    } else {
        record.resize(180 + number as usize % 200, b' ');
        record.extend(format!("{change:010}").bytes());
    }
    record
}

fn rewrite(sets: &Arc<DataSets>, name: &str, range: std::ops::Range<u32>, change: u32) {
    let waiter = ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    let context = OpenContext { forward_log: (name == "C.PACKED").then(|| "C.LOG".to_string()), ..OpenContext::default() };
    let file = sets.open_in(name, OpenOptions { recoverable: Some(true), reset: false }, context).unwrap();
    let unit = sets.store().begin();
    let mut data = Vec::new();
    for number in range {
        match file.read_update(&unit, RecordId::Key(&key(number)), Search::EQUAL, wait, &mut data) {
            Ok((_, token)) => file.rewrite(&unit, token, &record(number, change), wait).unwrap(),
            Err(_) => drop(file.write(&unit, None, &record(number, change), false, wait).unwrap()),
        }
        // The unit of work sees its own change.
        file.read(&unit, RecordId::Key(&key(number)), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, record(number, change));
    }
    unit.commit(&waiter).unwrap();
}

/// Reads by key, forwards, backwards and through the path; `changes` gives the expected change of a record, if it exists.
fn compare(sets: &Arc<DataSets>, name: &str, changes: &dyn Fn(u32) -> Option<u32>) {
    let file = sets.open(name, OpenOptions::default()).unwrap();
    let unit = sets.store().begin();
    let mut data = Vec::new();
    let expected: Vec<Vec<u8>> = (0..RECORDS).filter_map(|number| Some(record(number, changes(number)?))).collect();
    for number in 0..RECORDS {
        let found = file.read(&unit, RecordId::Key(&key(number)), Search::EQUAL, &mut data);
        assert_eq!(found.ok().map(|_| data.clone()), changes(number).map(|change| record(number, change)), "{number}");
    }
    let mut browse = file.start_browse(&unit, RecordId::Key(&key(0)), Search::GTEQ).unwrap();
    let (mut all, mut at) = (Vec::new(), key(0));
    while let Ok(found) = browse.next(&unit, RecordId::Key(&at), &mut data) {
        (at, _) = (found.key, all.push(data.clone()));
    }
    assert!(all == expected, "{} of {} records, or others", all.len(), expected.len());
    all.clear();
    while let Ok(found) = browse.previous(&unit, RecordId::Key(&at), &mut data) {
        (at, _) = (found.key, all.push(data.clone()));
    }
    all.reverse();
    assert!(all == expected, "backwards: {} of {} records, or others", all.len(), expected.len());
    if name == "C.PACKED" {
        let path = sets.open("C.PATH", OpenOptions::default()).unwrap();
        let mut browse = path.start_browse(&unit, RecordId::Key(b"0000"), Search::GTEQ).unwrap();
        let (mut count, mut at) = (0, b"0000".to_vec());
        while let Ok(found) = browse.next(&unit, RecordId::Key(&at), &mut data) {
            assert!(expected.contains(&data));
            (at, count) = (found.key, count + 1);
        }
        assert_eq!(count, expected.len());
    }
}

/// A number of bytes in a listing of LISTCAT.
fn size(listing: &str, name: &str) -> usize {
    let line = listing.lines().map(str::trim).find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {listing}"));
    line.rsplit('-').next().unwrap().parse().unwrap()
}

fn open(directory: &Path) -> (Arc<Store>, Arc<DataSets>) {
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 32, ..StoreConfig::default() };
    let store = Store::open(directory, config).unwrap();
    (store.clone(), DataSets::new(store).unwrap())
}

#[test]
fn records_are_the_same_and_take_less_of_the_pages() {
    let job = Job::new();
    job.expect(DEFINE, 0);
    for name in ["C.PACKED", "C.PLAIN"] {
        rewrite(&job.data_sets, name, 0..RECORDS, 1);
        // From the overlay, then from the pages, then from both.
        compare(&job.data_sets, name, &|_| Some(1));
        job.data_sets.store().keypoint().unwrap();
        compare(&job.data_sets, name, &|_| Some(1));
        rewrite(&job.data_sets, name, 100..200, 2);
        compare(&job.data_sets, name, &|number| Some(1 + u32::from((100..200).contains(&number))));
    }
    let listing = job.expect(" LISTCAT ENT(C.PACKED) ALL\n", 0);
    assert!(listing.contains("COMP-FORMT     EXTENDED"), "{listing}");
    let written: usize = (0..RECORDS).map(|number| record(number, 1).len()).sum();
    assert_eq!(size(&listing, "USER-DATA-SIZE"), written);
    assert!(size(&listing, "COMP-USER-DATA-SIZE") * 3 < written, "{listing}");
    assert!(listing.contains("SIZES-VALID--------(YES)"), "{listing}");
    let listing = job.expect(" LISTCAT ENT(C.PLAIN) ALL\n", 0);
    assert!(!listing.contains("COMP-") && !listing.contains("USER-DATA-SIZE"), "{listing}");
    let pages = |name: &str| {
        let number = job.data_sets.catalog().get(name).unwrap().unwrap().attributes().unwrap().number;
        let table = job.data_sets.store().existing_table(&format!("vsam.{number}.data")).unwrap();
        job.data_sets.store().table_size(&table).unwrap().leaf_pages
    };
    assert!(pages("C.PACKED") * 2 < pages("C.PLAIN"), "{} and {} pages", pages("C.PACKED"), pages("C.PLAIN"));
    for name in ["C.PACKED", "C.PLAIN"] {
        let report = job.data_sets.check_cluster(name).unwrap();
        assert!(report.faults.is_empty() && report.records == u64::from(RECORDS), "{report:?}");
    }
}

#[test]
fn a_crash_leaves_compressed_records_of_log_and_pages() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open(directory.path());
    let job = Job::on(sets);
    job.expect(DEFINE, 0);
    rewrite(&job.data_sets, "C.PACKED", 0..RECORDS - 50, 1);
    store.keypoint().unwrap();
    // The following changes are in the log only.
    rewrite(&job.data_sets, "C.PACKED", 300..RECORDS, 2);
    drop(job);
    store.abandon();
    drop(store);
    let (store, sets) = open(directory.path());
    assert!(!store.restart_report().clean);
    compare(&sets, "C.PACKED", &|number| Some(if number < 300 { 1 } else { 2 }));
    let (_, damage) = store.check();
    assert!(damage.is_empty(), "{damage:?}");
    // Records replayed from the log are compressed in the pages, too.
    let listing = Job::on(sets).expect(" LISTCAT ENT(C.PACKED) ALL\n", 0);
    assert!(size(&listing, "COMP-USER-DATA-SIZE") * 3 < size(&listing, "USER-DATA-SIZE"), "{listing}");
}

#[test]
fn damage_of_a_compressed_record_is_found_never_returned() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open(directory.path());
    let job = Job::on(sets);
    job.expect(DEFINE, 0);
    rewrite(&job.data_sets, "C.PACKED", 0..RECORDS, 1);
    drop(job);
    store.close().unwrap();
    drop(store);
    let path = directory.path().join("pages/data.mdb");
    let mut bytes = std::fs::read(&path).unwrap();
    // Key, crc, version 2, three zeros, two lengths, then the head with the key again.
    let head = [b"HEAD".as_slice(), &key(123)].concat();
    let places: Vec<usize> = (24..bytes.len() - 40).filter(|&at| bytes[at..].starts_with(&head) && bytes[at - 12] == 2).collect();
    assert!(!places.is_empty());
    // In the block behind the head.
    places.iter().for_each(|place| bytes[place + head.len() + 8] ^= 0x10);
    std::fs::write(&path, bytes).unwrap();
    let (_store, sets) = open(directory.path());
    let report = sets.check_cluster("C.PACKED").unwrap();
    assert!(!report.faults.is_empty(), "{report:?}");
    {
        let file = sets.open("C.PACKED", OpenOptions::default()).unwrap();
        let unit = sets.store().begin();
        let mut data = Vec::new();
        let read = file.read(&unit, RecordId::Key(&key(123)), Search::EQUAL, &mut data);
        assert!(matches!(read, Err(FileError::Store(StoreError::RecordDamaged { .. }))), "{read:?}");
        file.read(&unit, RecordId::Key(&key(124)), Search::EQUAL, &mut data).unwrap();
    }
    assert!(sets.repair_cluster("C.PACKED", false).is_err());
    assert_eq!(sets.repair_cluster("C.PACKED", true).unwrap(), [key(123)]);
    compare(&sets, "C.PACKED", &|number| (number != 123).then_some(1));
    assert!(sets.check_cluster("C.PACKED").unwrap().faults.is_empty());
}

#[test]
fn export_import_and_copies_keep_records_and_compression() {
    let mut job = Job::new();
    job.expect(DEFINE, 0);
    rewrite(&job.data_sets, "C.PACKED", 0..RECORDS, 1);
    job.dd_file("PORT", RecordFormat::Variable, None);
    job.expect(" EXPORT C.PACKED OUTFILE(PORT) PERMANENT\n IMPORT INFILE(PORT) OUTDATASET(C.PACKED)\n", 0);
    job.expect(" DEFINE AIX (NAME(C.AIX) RELATE(C.PACKED) KEYS(4 10) NUNQK UPG TRK(1 1))\n BLDINDEX IDS(C.PACKED) ODS(C.AIX)\n DEFINE PATH (NAME(C.PATH) PENT(C.AIX))\n", 0);
    compare(&job.data_sets, "C.PACKED", &|_| Some(1));
    assert!(job.expect(" LISTCAT ENT(C.PACKED) ALL\n", 0).contains("COMP-FORMT"));
    // A load fills the pages with compressed records; a copy elsewhere has uncompressed ones.
    job.dd_set("PACKED", "C.PACKED");
    job.expect(" REPRO INFILE(PACKED) ODS(C.PLAIN)\n DEFINE CLUSTER (NAME(C.COPY) MODEL(C.PACKED))\n REPRO IDS(C.PLAIN) ODS(C.COPY)\n", 0);
    compare(&job.data_sets, "C.PLAIN", &|_| Some(1));
    compare(&job.data_sets, "C.COPY", &|_| Some(1));
    let listing = job.expect(" LISTCAT ENT(C.COPY) ALL\n", 0);
    assert!(size(&listing, "COMP-USER-DATA-SIZE") * 3 < size(&listing, "USER-DATA-SIZE"), "{listing}");
    // The portable file is as that of any data set: it is read without knowing of compression.
    let DdTarget::File { path, .. } = &job.dds["PORT"] else { panic!() };
    let text = std::fs::read(path).unwrap();
    assert!(text.windows(60).any(|window| window == [b' '; 60]));
}

#[test]
fn a_lost_compressed_data_set_is_recovered_from_backup_and_log() {
    let mut job = Job::new();
    job.expect(DEFINE, 0);
    rewrite(&job.data_sets, "C.PACKED", 0..300, 1);
    job.dd_file("PORT", RecordFormat::Variable, None);
    job.expect(" EXPORT C.PACKED OUTFILE(PORT) TEMPORARY\n", 0);
    rewrite(&job.data_sets, "C.PACKED", 200..RECORDS, 2);
    job.data_sets.carry_forward_logs().unwrap();
    job.expect(" DELETE C.PACKED PURGE\n IMPORT INFILE(PORT) OUTDATASET(C.PACKED)\n", 0);
    let log = job.data_sets.forward_directory("C.LOG");
    // Every image of the log, those from before the backup too.
    assert_eq!(job.data_sets.recover_forward("C.PACKED", &log, None).unwrap(), 600);
    job.expect(" DEFINE AIX (NAME(C.AIX) RELATE(C.PACKED) KEYS(4 10) NUNQK UPG TRK(1 1))\n BLDINDEX IDS(C.PACKED) ODS(C.AIX)\n DEFINE PATH (NAME(C.PATH) PENT(C.AIX))\n", 0);
    compare(&job.data_sets, "C.PACKED", &|number| Some(if number < 200 { 1 } else { 2 }));
}

#[test]
fn compressed_is_for_clusters_that_qualify() {
    let mut job = Job::new();
    let define = |job: &Job, attributes: &str, code: u32| job.expect(&format!(" DEFINE CLUSTER (NAME(Q.X) {attributes})\n"), code);
    for (attributes, why) in [
        ("NONINDEXED RECSZ(200 400) TRK(1) COMPRESSED", "ONLY A KEY-SEQUENCED DATA SET"),
        ("NUMBERED RECSZ(200 200) TRK(1) COMPRESSED", "ONLY A KEY-SEQUENCED DATA SET"),
        ("LINEAR TRK(1) COMPRESSED", "ONLY A KEY-SEQUENCED DATA SET"),
        ("KEYS(8 2) RECSZ(49 49) TRK(1) COMPRESSED", "LESS THAN 40 BYTES BEHIND THE KEY"),
        ("KEYS(8 0) RECSZ(4087 4087) CISZ(4096) TRK(1) COMPRESSED", "CONTROL INTERVAL LESS 10 BYTES"),
        ("KEYS(8 490) RECSZ(600 9000) SPANNED CISZ(512) CYL(1) COMPRESSED", "CONTROL INTERVAL LESS 15 BYTES"),
    ] {
        let listing = define(&job, attributes, 12);
        assert!(listing.contains("IDC3007I COMPRESSED: ") && listing.contains(why), "{listing}");
    }
    for fits in [
        "KEYS(8 2) RECSZ(50 50) TRK(1) COMPRESSED",
        "KEYS(8 0) RECSZ(4086 4086) CISZ(4096) TRK(1) COMPRESSED",
        "KEYS(8 489) RECSZ(600 9000) SPANNED CISZ(512) CYL(1) COMPRESSED",
    ] {
        define(&job, fits, 0);
        assert!(job.expect(" LISTCAT ENT(Q.X) ALL\n", 0).contains("COMP-FORMT"));
        // It stays one that qualifies.
        let listing = job.expect(" ALTER Q.X KEYS(8 1) RECORDSIZE(30 30)\n", 8 + 4);
        assert!(listing.contains("IDC3007I COMPRESSED") && listing.contains("NOT ALTERED"), "{listing}");
        job.expect(" DELETE Q.X\n", 0);
    }
    assert!(define(&job, "KEYS(8 0) RECSZ(90 90) TRK(1) COMPRESSED NOTCOMPRESSED", 12).contains("KEYWORD 'NOTCOMPRESSED' IS IMPROPER"));
    job.expect(" DEFINE CLUSTER (NAME(Q.B) KEYS(8 0) RECSZ(90 90) TRK(1))\n", 0);
    let listing = job.expect(" DEFINE AIX (NAME(Q.A) RELATE(Q.B) KEYS(8 8) TRK(1) COMPRESSED)\n", 12);
    assert!(listing.contains("KEYWORD 'COMPRESSED' IS IMPROPER"), "{listing}");

    // A data class compresses data sets that qualify and are large enough, and reports those it does not.
    job.compacting = Some("COMPACT");
    for (attributes, compressed) in [
        ("KEYS(8 0) RECSZ(90 90) MB(5 1)", true),
        ("KEYS(8 0) RECSZ(90 90) MB(4 1)", false),
        ("KEYS(8 0) RECSZ(90 90) MB(8)", true),
        ("KEYS(8 0) RECSZ(90 90) MB(7)", false),
        ("KEYS(8 0) RECSZ(90 90) CYL(7 1)", true),
        ("KEYS(8 0) RECSZ(90 90) CYL(6 1)", false),
        ("KEYS(8 0) RECSZ(47 47) MB(9 1)", false),
        ("NONINDEXED RECSZ(90 90) MB(9 1)", false),
    ] {
        let listing = define(&job, &format!("{attributes} DATACLASS(COMPACT)"), 0);
        assert_eq!(listing.contains("IGD17163I COMPRESSION REQUEST NOT HONORED FOR DATA SET Q.X"), !compressed, "{listing}");
        let listing = job.expect(" LISTCAT ENT(Q.X) ALL\n", 0);
        assert_eq!((listing.contains("COMP-FORMT"), listing.contains("DATACLASS -------COMPACT")), (compressed, true), "{listing}");
        job.expect(" DELETE Q.X\n", 0);
    }
    for plain in ["DATACLASS(COMPACT) NOTCOMPRESSED", "DATACLASS(OTHER)", ""] {
        assert!(!define(&job, &format!("KEYS(8 0) RECSZ(90 90) MB(9 1) {plain}"), 0).contains("IGD17163I"));
        assert!(!job.expect(" LISTCAT ENT(Q.X) ALL\n", 0).contains("COMP-FORMT"));
        job.expect(" DELETE Q.X\n", 0);
    }
}

/// Bytes of a record in a control interval: three in front of it, the key and the bytes before it, and the rest as an LZ4 block.
fn in_interval(record: &[u8], head: usize) -> usize {
    let packed = head + lz4_flex::block::compress(&record[head..]).len();
    3 + if packed + 8 < record.len() { packed } else { record.len() }
}

#[test]
fn control_intervals_hold_records_as_they_are_compressed() {
    let mut job = Job::new();
    let records: Vec<Vec<u8>> = (0..2000).map(|number| record(number, 0)).collect();
    let unload: Vec<u8> =
        records.iter().flat_map(|record| [&((record.len() + 4) as u16).to_be_bytes()[..], &[0, 0], record].concat()).collect();
    job.dd_file("IN", RecordFormat::Variable, Some(&unload));
    job.expect(&DEFINE.replace("LOG(ALL) LOGSTREAMID(C.LOG)", ""), 0);
    job.expect(" REPRO INFILE(IN) ODS(C.PACKED)\n REPRO INFILE(IN) ODS(C.PLAIN)\n", 0);
    // 4092 bytes of a control interval are for records and three bytes of control information each.
    let intervals = |lengths: &[usize]| {
        let (mut count, mut used) = (1, 0);
        for length in lengths {
            if used + length + 3 > 4092 {
                (count, used) = (count + 1, 0);
            }
            used += length + 3;
        }
        count
    };
    let packed: Vec<usize> = records.iter().map(|record| in_interval(record, 10)).collect();
    let plain: Vec<usize> = records.iter().map(Vec::len).collect();
    let free = |name: &str| {
        let listing = job.expect(&format!(" LISTCAT ENT({name}.DATA) ALL\n"), 0);
        let value = |field: &str| -> u64 {
            listing.split(field).nth(1).unwrap().trim_start_matches('-').split_whitespace().next().unwrap().parse().unwrap()
        };
        (value("HI-A-RBA") / 4096, value("FREESPC") / 4096)
    };
    for (name, lengths) in [("C.PACKED", &packed), ("C.PLAIN", &plain)] {
        let (allocated, free) = free(name);
        assert_eq!(allocated - free, intervals(lengths), "{name}");
    }
    assert!(intervals(&packed) * 2 < intervals(&plain));
    // A record's RBA is that of its interval plus the lengths of the records before it; a change moves the records after it.
    let file = job.data_sets.open("C.PACKED", OpenOptions::default()).unwrap();
    let unit = job.data_sets.store().begin();
    assert_eq!(file.rba(&unit, &key(2)).unwrap(), (packed[0] + packed[1]) as u64);
    let waiter = ThreadWaiter::new();
    let (_, token) = file.read_update(&unit, RecordId::Key(&key(0)), Search::EQUAL, LockWait::never(&waiter), &mut Vec::new()).unwrap();
    let mut changed = records[0].clone();
    changed.resize(400, b'*');
    file.rewrite(&unit, token, &changed, LockWait::never(&waiter)).unwrap();
    assert_eq!(file.rba(&unit, &key(2)).unwrap(), (in_interval(&changed, 10) + packed[1]) as u64);
}
