//! Addresses, spanned records, limits and sharing of every organization.
//!
//! Expected RBAs are counted by hand from the control interval: 4 bytes CIDF; 3 bytes RDF for each record of a different length, or two
//! RDFs for a run of equal ones; CISZ - 10 bytes of a spanned record in each of its control intervals.

use std::sync::Arc;

use vsam::catalog::{Attributes, Organization, SpaceUnit};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

struct Fixture {
    data_sets: Arc<DataSets>,
    waiter: ThreadWaiter,
    _directory: tempfile::TempDir,
}

fn fixture() -> Fixture {
    let directory = tempfile::tempdir().unwrap();
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 32, ..StoreConfig::default() };
    let store = Store::open(directory.path(), config).unwrap();
    Fixture { data_sets: DataSets::new(store).unwrap(), waiter: ThreadWaiter::new(), _directory: directory }
}

impl Fixture {
    /// A cluster with a CI of 4096 bytes, 12 of them in a CA.
    fn define(&self, name: &str, organization: Organization, attributes: Attributes) -> File {
        let attributes = Attributes { ci_size: 4096, space_unit: SpaceUnit::Tracks, space_primary: 10, space_secondary: 1, ..attributes };
        self.data_sets.define_cluster(name, organization, attributes).unwrap();
        self.data_sets.open(name, OpenOptions { recoverable: Some(true), reset: false }).unwrap()
    }

    fn wait(&self) -> LockWait<'_> {
        LockWait::never(&self.waiter)
    }

    fn write(&self, file: &File, unit: &UnitOfWork, number: u32, length: usize, mass: bool) {
        file.write(unit, None, &record(number, length), mass, self.wait()).unwrap();
    }
}

fn record(number: u32, length: usize) -> Vec<u8> {
    let mut record = format!("{number:08}").into_bytes();
    record.resize(length, b'.');
    record
}

fn number(record: &[u8]) -> u32 {
    std::str::from_utf8(&record[..8]).unwrap().parse().unwrap()
}

fn rba(file: &File, unit: &UnitOfWork, number: u32) -> u64 {
    file.rba(unit, format!("{number:08}").as_bytes()).unwrap()
}

/// Numbers of the records in order of addresses from an RBA.
fn by_address(file: &File, unit: &UnitOfWork, from: u64, forward: bool) -> Vec<(u64, u32)> {
    let mut browse = file.start_browse(unit, RecordId::Rba(from), Search::EQUAL).unwrap();
    let (mut at, mut data, mut seen) = (from, Vec::new(), Vec::new());
    loop {
        let step = match forward {
            true => browse.next(unit, RecordId::Rba(at), &mut data),
            false => browse.previous(unit, RecordId::Rba(at), &mut data),
        };
        match step {
            Ok(found) => {
                at = found.number;
                seen.push((at, number(&data)));
            }
            Err(FileError::EndOfFile) => return seen,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_ksds_is_read_and_browsed_by_rba() {
    let f = fixture();
    let file = f.define("K", Organization::Ksds, Attributes::new(8, 0, 100, 100));
    let unit = f.data_sets.store().begin();
    // (4092 - 6) / 100 = 40 records fill a CI: two CIs.
    for number in 0..80 {
        f.write(&file, &unit, number * 100, 100, true);
    }
    assert_eq!([rba(&file, &unit, 0), rba(&file, &unit, 3900), rba(&file, &unit, 4000)], [0, 3900, 4096]);
    // The 41st record of the first CI moves its upper half, 21 records, to the next free CI.
    f.write(&file, &unit, 1950, 100, false);
    assert_eq!([rba(&file, &unit, 1900), rba(&file, &unit, 1950), rba(&file, &unit, 2000)], [1900, 8192, 8292]);
    let mut data = Vec::new();
    let found = file.read(&unit, RecordId::Rba(8292), Search::EQUAL, &mut data).unwrap();
    assert_eq!((found.number, number(&data)), (8292, 2000));
    for nowhere in [8293, 2000, 3 * 4096, 1 << 33] {
        let wrong = file.read(&unit, RecordId::Rba(nowhere), Search::EQUAL, &mut data);
        assert!(matches!(wrong, Err(FileError::NotFound)), "{nowhere}");
    }
    let (_, token) = file.read_update(&unit, RecordId::Rba(4096), Search::EQUAL, f.wait(), &mut data).unwrap();
    file.rewrite(&unit, token, &record(4000, 100), f.wait()).unwrap();
    // In order of addresses the moved half is read last.
    let order: Vec<u32> = by_address(&file, &unit, 0, true).into_iter().map(|(_, number)| number).collect();
    let expected: Vec<u32> = (0..20).chain(40..80).map(|n| n * 100).chain([1950]).chain((20..40).map(|n| n * 100)).collect();
    assert_eq!(order, expected);
    let backward: Vec<u32> = by_address(&file, &unit, 8192 + 20 * 100, false).into_iter().map(|(_, number)| number).collect();
    assert_eq!(backward, expected.iter().rev().copied().collect::<Vec<_>>());
    file.delete_record(&unit, RecordId::Rba(0), f.wait()).unwrap();
    assert_eq!(rba(&file, &unit, 100), 0);
}

#[test]
fn an_esds_is_browsed_from_address_zero_when_its_first_record_was_backed_out() {
    let f = fixture();
    let file = f.define("E", Organization::Esds, Attributes::new(0, 0, 40, 100));
    let unit = f.data_sets.store().begin();
    let nothing = file.start_browse(&unit, RecordId::Rba(0), Search::EQUAL).err();
    assert!(matches!(nothing, Some(FileError::NotFound)), "{nothing:?}");
    f.write(&file, &unit, 1, 40, false);
    unit.backout();
    let unit = f.data_sets.store().begin();
    f.write(&file, &unit, 2, 50, false);
    f.write(&file, &unit, 3, 40, false);
    assert_eq!(by_address(&file, &unit, 0, true), [(40, 2), (90, 3)]);
    // Any other address is that of a record.
    assert!(matches!(file.start_browse(&unit, RecordId::Rba(41), Search::EQUAL), Err(FileError::NotFound)));
}

#[test]
fn a_control_area_split_moves_half_of_its_intervals_to_the_end() {
    let f = fixture();
    let file = f.define("K", Organization::Ksds, Attributes::new(8, 0, 100, 100));
    let unit = f.data_sets.store().begin();
    for number in 0..12 * 40 {
        f.write(&file, &unit, number * 10, 100, true);
    }
    assert_eq!((file.statistics().ci_splits, file.statistics().ca_splits), (0, 0));
    assert_eq!(rba(&file, &unit, 4799 / 10 * 10), 11 * 4096 + 39 * 100);
    f.write(&file, &unit, 195, 100, false);
    assert_eq!((file.statistics().ci_splits, file.statistics().ca_splits), (1, 1));
    // CIs 6 to 11 went to the second area; the upper half of CI 0 took the first place they left.
    let area = 12 * 4096;
    assert_eq!([rba(&file, &unit, 2400), rba(&file, &unit, 195), rba(&file, &unit, 2390)], [area, 6 * 4096, 5 * 4096 + 3900]);
}

#[test]
fn spanned_records_begin_a_control_interval_and_take_as_many_as_they_need() {
    let f = fixture();
    let spanned = |key, max| Attributes { spanned: true, ..Attributes::new(key, 0, 100, max) };
    let esds = f.define("E", Organization::Esds, spanned(0, 10_000));
    let unit = f.data_sets.store().begin();
    let put = |length| esds.write(&unit, None, &record(0, length), false, f.wait()).unwrap().number;
    // 4089 bytes fit into one CI, 4090 need two; 3 x 4086 >= 10,000.
    assert_eq!([put(100), put(10_000), put(100), put(4089), put(4090), put(8)], [0, 4096, 16_384, 20_480, 24_576, 32_768]);
    let mut data = Vec::new();
    esds.read(&unit, RecordId::Rba(4096), Search::EQUAL, &mut data).unwrap();
    assert_eq!(data.len(), 10_000);
    assert!(matches!(esds.write(&unit, None, &record(0, 10_001), false, f.wait()), Err(FileError::Length(10_001))));

    let ksds = f.define("K", Organization::Ksds, spanned(8, 9000));
    f.write(&ksds, &unit, 1, 100, false);
    f.write(&ksds, &unit, 3, 100, false);
    f.write(&ksds, &unit, 2, 9000, false);
    // The records above move out of the way, then the record takes three CIs of its own.
    assert_eq!([rba(&ksds, &unit, 1), rba(&ksds, &unit, 3), rba(&ksds, &unit, 2)], [0, 4096, 8192]);
    assert!(matches!(ksds.read(&unit, RecordId::Rba(12_288), Search::EQUAL, &mut data), Err(FileError::NotFound)));
    f.write(&ksds, &unit, 4, 9000, false);
    assert_eq!(rba(&ksds, &unit, 4), 5 * 4096);
    let (_, token) = ksds.read_update(&unit, RecordId::Key(b"00000002"), Search::EQUAL, f.wait(), &mut data).unwrap();
    ksds.rewrite(&unit, token, &record(2, 50), f.wait()).unwrap();
    ksds.delete_record(&unit, RecordId::Key(b"00000004"), f.wait()).unwrap();
    // The freed segments (CIs 3, 4 and 6, 7) are taken again.
    f.write(&ksds, &unit, 5, 9000, false);
    assert_eq!(by_address(&ksds, &unit, 0, true).len(), 4);
}

#[test]
fn relative_records_have_addresses_by_their_slots() {
    let f = fixture();
    let rrds = f.define("R", Organization::Rrds, Attributes::new(0, 0, 100, 100));
    let unit = f.data_sets.store().begin();
    // 4092 / 103 = 39 slots in a CI.
    for slot in [1, 2, 39, 40] {
        rrds.write(&unit, Some(RecordId::Rrn(slot)), &record(slot, 100), false, f.wait()).unwrap();
    }
    let rba = |number: u32| rrds.rba(&unit, &number.to_be_bytes()).unwrap();
    assert_eq!([rba(1), rba(2), rba(39), rba(40)], [0, 100, 3800, 4096]);
    let mut data = Vec::new();
    rrds.read(&unit, RecordId::Rba(3800), Search::EQUAL, &mut data).unwrap();
    assert_eq!(number(&data), 39);
    assert!(matches!(rrds.read(&unit, RecordId::Rba(3900), Search::EQUAL, &mut data), Err(FileError::NotFound)));
    assert!(matches!(rrds.read(&unit, RecordId::Rba(50), Search::EQUAL, &mut data), Err(FileError::NotFound)));
}

#[test]
fn variable_relative_records_change_length_and_split() {
    let f = fixture();
    let file = f.define("V", Organization::Vrrds, Attributes::new(0, 0, 100, 2000));
    let unit = f.data_sets.store().begin();
    let put = |slot: u32, length| file.write(&unit, Some(RecordId::Rrn(slot)), &record(slot, length), false, f.wait());
    for slot in [10, 20, 30, 40] {
        put(slot, 1000).unwrap();
    }
    // Four records of 1004 bytes and descriptors leave no room for the fifth.
    put(15, 100).unwrap();
    assert_eq!(file.statistics().ci_splits, 1);
    assert!(matches!(put(15, 100), Err(FileError::DuplicateRecord)));
    assert!(matches!(put(16, 2001), Err(FileError::Length(2001))));
    let mut data = Vec::new();
    let (_, token) = file.read_update(&unit, RecordId::Rrn(15), Search::EQUAL, f.wait(), &mut data).unwrap();
    file.rewrite(&unit, token, &record(15, 2000), f.wait()).unwrap();
    file.delete_record(&unit, RecordId::Rrn(30), f.wait()).unwrap();
    let mut browse = file.start_browse(&unit, RecordId::Rrn(1), Search::GTEQ).unwrap();
    let (mut at, mut seen) = (1, Vec::new());
    while let Ok(found) = browse.next(&unit, RecordId::Rrn(at), &mut data) {
        at = found.number as u32;
        seen.push((at, data.len()));
    }
    assert_eq!(seen, [(10, 1000), (15, 2000), (20, 1000), (40, 1000)]);
}

#[test]
fn a_linear_data_set_is_read_and_written_by_control_interval() {
    let f = fixture();
    let file = f.define("L", Organization::Linear, Attributes::new(0, 0, 4096, 4096));
    let unit = f.data_sets.store().begin();
    let page = |fill: u8| vec![fill; 4096];
    assert_eq!(file.write(&unit, None, &page(1), false, f.wait()).unwrap().number, 0);
    assert_eq!(file.write(&unit, None, &page(2), false, f.wait()).unwrap().number, 4096);
    assert!(matches!(file.write(&unit, None, &page(1)[1..], false, f.wait()), Err(FileError::Length(4095))));
    let mut data = Vec::new();
    let (_, token) = file.read_update(&unit, RecordId::Rba(4096), Search::EQUAL, f.wait(), &mut data).unwrap();
    file.rewrite(&unit, token, &page(3), f.wait()).unwrap();
    file.read(&unit, RecordId::Rba(4096), Search::EQUAL, &mut data).unwrap();
    assert_eq!(data, page(3));
    assert!(matches!(file.read(&unit, RecordId::Rba(1), Search::EQUAL, &mut data), Err(FileError::NotFound)));
}

#[test]
fn the_upgrade_set_does_not_follow_changes_through_a_path_defined_noupdate() {
    let f = fixture();
    let sets = &f.data_sets;
    sets.define_cluster("K", Organization::Ksds, Attributes::new(8, 0, 100, 100)).unwrap();
    sets.define_index("K.AIX", "K", false, true, Attributes::new(2, 8, 100, 100)).unwrap();
    sets.define_path("K.PATH", "K.AIX", true).unwrap();
    sets.define_path("K.ALIAS", "K", false).unwrap();
    let open = |name| sets.open(name, OpenOptions { recoverable: Some(true), reset: false }).unwrap();
    let (base, path, alias) = (open("K"), open("K.PATH"), open("K.ALIAS"));
    let unit = sets.store().begin();
    base.write(&unit, None, b"00000001AA", false, f.wait()).unwrap();
    alias.write(&unit, None, b"00000002BB", false, f.wait()).unwrap();
    let mut data = Vec::new();
    base.read(&unit, RecordId::Key(b"00000002"), Search::EQUAL, &mut data).unwrap();
    path.read(&unit, RecordId::Key(b"AA"), Search::EQUAL, &mut data).unwrap();
    assert!(matches!(path.read(&unit, RecordId::Key(b"BB"), Search::EQUAL, &mut data), Err(FileError::NotFound)));
    // The entry of a record deleted past its index leads nowhere.
    alias.delete_record(&unit, RecordId::Key(b"00000001"), f.wait()).unwrap();
    assert!(matches!(path.read(&unit, RecordId::Key(b"AA"), Search::EQUAL, &mut data), Err(FileError::IndexPointer)));
}

#[test]
fn share_options_keep_a_second_user_out() {
    let f = fixture();
    drop(f.define("K", Organization::Ksds, Attributes::new(8, 0, 100, 100)));
    let open = |user, output| f.data_sets.open_as("K", OpenOptions::default(), Some(Opener { user, output }));
    let region = open(0, true).unwrap();
    assert!(matches!(open(7, false), Err(FileError::NotShared(name)) if name == "K"));
    open(0, true).unwrap();
    drop(region);
    open(7, false).unwrap();
}

#[test]
fn a_map_without_places_is_completed_when_it_is_opened() {
    let f = fixture();
    let file = f.define("K", Organization::Ksds, Attributes::new(8, 0, 100, 100));
    let unit = f.data_sets.store().begin();
    for number in 0..80 {
        f.write(&file, &unit, number, 100, true);
    }
    unit.commit(&f.waiter).unwrap();
    drop(file);
    // As in the first format: low keys only.
    let store = f.data_sets.store();
    let map = store.existing_table("vsam.1.ci").unwrap();
    let mut places = Vec::new();
    store
        .scan(&map, Some(&[2]), Direction::Forward, &mut |key, _| {
            places.push(Change { table: map.clone(), key: key.to_vec(), value: None });
            true
        })
        .unwrap();
    assert_eq!(places.len(), 2);
    store.publish(places, &f.waiter).unwrap();
    let file = f.data_sets.open("K", OpenOptions::default()).unwrap();
    let unit = store.begin();
    assert_eq!(by_address(&file, &unit, 4096, true).len(), 40);
}

/// All records of a file in a direction: key and record.
fn all_records(file: &File, unit: &UnitOfWork, forward: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
    let end = vec![if forward { 0 } else { 0xFF }; file.attributes().key_length];
    let mut browse = file.start_browse(unit, RecordId::Key(&end), Search::GTEQ).unwrap();
    let (mut key, mut data, mut all) = (end, Vec::new(), Vec::new());
    loop {
        let id = RecordId::Key(&key);
        let found = if forward { browse.next(unit, id, &mut data) } else { browse.previous(unit, id, &mut data) };
        match found {
            Ok(found) => {
                assert!(!found.duplicate_key);
                key = found.key.clone();
                all.push((found.key, data.clone()));
            }
            Err(FileError::EndOfFile) => return all,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Control information of an alternate index record: flag, length of a pointer, number of pointers, length of the alternate key.
#[test]
fn an_alternate_index_is_a_data_set_of_its_own() {
    let f = fixture();
    let base = f.define("A.K", Organization::Ksds, Attributes::new(3, 0, 20, 40));
    drop(base);
    f.data_sets.define_index("A.AIX", "A.K", false, true, Attributes::new(2, 3, 20, 17)).unwrap();
    f.data_sets.define_index("A.ONE", "A.K", true, true, Attributes::new(1, 5, 20, 40)).unwrap();
    let base = f.data_sets.open("A.K", OpenOptions { recoverable: Some(true), reset: false }).unwrap();
    let index = f.data_sets.open("A.AIX", OpenOptions::default()).unwrap();
    let attributes = index.attributes();
    let shape = (attributes.organization, attributes.key_length, attributes.key_position, attributes.record_length_max, attributes.path);
    assert_eq!(shape, (Organization::Ksds, 2, 5, 17, false));
    let unit = f.data_sets.store().begin();
    for record in ["001BBx", "002AAy", "003BBz", "004CCu", "005BBv", "006BBw"] {
        base.write(&unit, None, record.as_bytes(), false, f.wait()).unwrap();
    }
    // Seventeen bytes have room for three of the four pointers of BB.
    let expected: Vec<(Vec<u8>, Vec<u8>)> = [("AA", 1, "002"), ("BB", 3, "001003005"), ("CC", 1, "004")]
        .map(|(key, count, pointers)| (key.into(), [&[0, 3, 0, count, 2], key.as_bytes(), pointers.as_bytes()].concat()))
        .into();
    assert_eq!(all_records(&index, &unit, true), expected);
    assert_eq!(all_records(&index, &unit, false), expected.iter().rev().cloned().collect::<Vec<_>>());
    let mut data = Vec::new();
    let found = index.read(&unit, RecordId::Key(b"BA"), Search::GTEQ, &mut data).unwrap();
    assert_eq!((found.key.as_slice(), &data), (&b"BB"[..], &expected[1].1));
    assert!(matches!(index.read(&unit, RecordId::Key(b"BA"), Search::EQUAL, &mut data), Err(FileError::NotFound)));
    // It follows its base, and is not changed itself.
    base.delete_record(&unit, RecordId::Key(b"002"), f.wait()).unwrap();
    assert!(matches!(index.read(&unit, RecordId::Key(b"AA"), Search::EQUAL, &mut data), Err(FileError::NotFound)));
    assert!(matches!(index.read_update(&unit, RecordId::Key(b"BB"), Search::EQUAL, f.wait(), &mut data), Err(FileError::NotAllowed(_))));
    assert!(matches!(index.write(&unit, None, &data, false, f.wait()), Err(FileError::NotAllowed(_))));
    // Forward and back: the same record again.
    let mut browse = index.start_browse(&unit, RecordId::Key(b"BB"), Search::EQUAL).unwrap();
    browse.next(&unit, RecordId::Key(b"BB"), &mut data).unwrap();
    let found = browse.previous(&unit, RecordId::Key(b"BB"), &mut data).unwrap();
    assert_eq!((found.key.as_slice(), &data), (&b"BB"[..], &expected[1].1));
    // Through the index as a path would: the base's records.
    let through = f.data_sets.open_through_index("A.AIX", OpenOptions::default()).unwrap();
    assert!(through.read(&unit, RecordId::Key(b"BB"), Search::EQUAL, &mut data).unwrap().duplicate_key);
    assert_eq!(data, b"001BBx");
    let unique = f.data_sets.open("A.ONE", OpenOptions::default()).unwrap();
    unique.read(&unit, RecordId::Key(b"z"), Search::EQUAL, &mut data).unwrap();
    assert_eq!(data, b"\0\x03\0\x01\x01z003");
}

#[test]
fn an_alternate_index_of_an_entry_sequenced_data_set_points_to_addresses() {
    let f = fixture();
    drop(f.define("A.E", Organization::Esds, Attributes::new(0, 0, 20, 40)));
    f.data_sets.define_index("A.AIX", "A.E", false, true, Attributes::new(2, 3, 20, 40)).unwrap();
    let base = f.data_sets.open("A.E", OpenOptions { recoverable: Some(true), reset: false }).unwrap();
    let index = f.data_sets.open("A.AIX", OpenOptions::default()).unwrap();
    let unit = f.data_sets.store().begin();
    for record in ["001BBx", "002AAyy", "003BBz"] {
        base.write(&unit, None, record.as_bytes(), false, f.wait()).unwrap();
    }
    let mut data = Vec::new();
    index.read(&unit, RecordId::Key(b"BB"), Search::EQUAL, &mut data).unwrap();
    assert_eq!(data, [&[1, 4, 0, 2, 2], &b"BB"[..], &0u32.to_be_bytes(), &13u32.to_be_bytes()].concat());
}
