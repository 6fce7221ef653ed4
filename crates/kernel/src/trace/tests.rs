//! The trace table: levels, tracing of tasks, wrap-around and its bound.

use super::*;
use parking_lot::Mutex;

/// The settings are those of the process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

static PROBE: Point = Point { component: Component::Wb, number: 1, level: 1, module: "TEST", kind: Kind::Event, fields: &["MARK"] };
static DEEP: Point = Point { level: 2, number: 2, ..PROBE };
static FAILURE: Point = Point { level: 0, number: 3, kind: Kind::Exception, ..PROBE };

/// The numbers of the entries of this test.
fn numbers(mark: u64) -> Vec<u16> {
    let entries = Entry::all(&snapshot());
    entries.iter().filter(|entry| entry.component == "WB" && entry.fields == [Field::Number(mark)]).map(|entry| entry.number).collect()
}

fn trace(mark: u64) {
    point(&PROBE, &[Value::Number(mark)]);
    point(&DEEP, &[Value::Number(mark)]);
    exception(&FAILURE, &[Value::Number(mark)]);
}

#[test]
fn levels_and_flags_decide_and_exceptions_are_always_written() {
    let _alone = ONE_AT_A_TIME.lock();
    let set = |levels, system, internal| {
        set_levels(Selection::Standard, Component::Wb, levels);
        change_flags(|flags| (flags.system, flags.internal) = (system, internal));
    };
    for (mark, levels, system, internal, expected) in [
        (0xA1, 0, true, true, vec![3]),
        (0xA2, 1, true, true, vec![1, 3]),
        (0xA3, 3, true, true, vec![1, 2, 3]),
        (0xA4, 2, true, true, vec![2, 3]),
        (0xA5, 3, false, true, vec![3]),
        (0xA6, 3, true, false, vec![3]),
    ] {
        set(levels, system, internal);
        trace(mark);
        assert_eq!(numbers(mark), expected, "levels {levels:b}, system {system}, internal {internal}");
    }
    set(0, false, false);
}

#[test]
fn special_and_suppressed_tasks_have_their_own_levels() {
    let _alone = ONE_AT_A_TIME.lock();
    set_levels(Selection::Standard, Component::Wb, 1);
    set_levels(Selection::Special, Component::Wb, 2);
    use_special();
    change_flags(|flags| (flags.system, flags.internal) = (true, true));
    for (mark, tracing, expected) in
        [(0xB1, Tracing::Standard, vec![1, 3]), (0xB2, Tracing::Special, vec![2, 3]), (0xB3, Tracing::Suppressed, vec![3])]
    {
        crate::traps::state().traced.set_tracing(tracing);
        trace(mark);
        assert_eq!(numbers(mark), expected, "{tracing:?}");
    }
    crate::traps::state().traced.set_tracing(Tracing::Standard);
    set_levels(Selection::Standard, Component::Wb, 0);
    set_levels(Selection::Special, Component::Wb, 0);
    change_flags(|flags| (flags.system, flags.internal) = (false, false));
}

#[test]
fn levels_that_a_component_does_not_have_are_left_out() {
    let _alone = ONE_AT_A_TIME.lock();
    for (component, kept) in [(Component::Us, 0b111), (Component::Sm, 0b1111), (Component::Sj, 0b11111)] {
        set_levels(Selection::Special, component, u32::MAX);
        assert_eq!(levels(Selection::Special, component), kept);
        set_levels(Selection::Special, component, 0);
    }
}

/// TRTABSZ=16: four blocks. One thread fills them in turn; what fits exactly is all there, one more displaces the oldest block.
#[test]
fn the_table_wraps_at_its_bound() {
    let _alone = ONE_AT_A_TIME.lock();
    set_table_bytes(16 << 10);
    let values = |mark| [Value::Number(mark), Value::Data(&[7; 1000])];
    let per_block = table::BLOCK_BYTES / entry::entry_bytes(&values(0));
    let marks = || -> Vec<u64> {
        let of = |entry: &Entry| match entry.fields[..] {
            [Field::Number(mark), Field::Data(_)] => Some(mark),
            _ => None,
        };
        Entry::all(&snapshot()).iter().filter_map(of).collect()
    };
    let count = 4 * per_block as u64;
    std::thread::spawn(move || {
        (0..count).for_each(|mark| exception(&FAILURE, &values(mark)));
        assert_eq!(marks(), (0..count).collect::<Vec<_>>(), "as many as the table holds");
        exception(&FAILURE, &values(count));
        assert_eq!(marks(), (per_block as u64..=count).collect::<Vec<_>>(), "the oldest block has gone");
    })
    .join()
    .unwrap();
    assert_eq!(table_bytes(), 16 << 10);
    set_table_bytes(TABLE_BYTES_DEFAULT);
    assert!(marks().is_empty(), "a table of another size is empty");
}

/// Data sets that are whole but say anything, and damaged ones: each is read up to the fault, and what is read is bounded by what was there.
#[test]
fn whatever_a_trace_data_set_says_is_read_or_refused() {
    let mut random = testing::Random::new(7);
    let description =
        file::Description { applid: "FUZZ".into(), ccsid: 37, letter: b'A', offset_minutes: i16::MIN, created_unix_ns: u64::MAX };
    for round in 0..2000 {
        let mut bytes = description.header().to_vec();
        for _ in 0..random.below(4) {
            let mut entries = Vec::new();
            for _ in 0..random.below(6) {
                let length = entry::HEADER_BYTES + 8 * random.index(8);
                let mut entry = random.bytes(length);
                // Mostly the length of the entry, and a kind of value.
                if !random.one_in(5) {
                    entry[..2].copy_from_slice(&(length as u16).to_le_bytes());
                    entry.iter_mut().skip(entry::HEADER_BYTES).take(1).for_each(|kind| *kind %= 6);
                }
                entries.extend(entry);
            }
            bytes.extend(file::chunk(&entries));
        }
        if round % 2 == 1 {
            let at = random.index(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            bytes.truncate(random.index(bytes.len() + 1));
        }
        let Ok(mut reader) = file::Reader::new(bytes.as_slice()) else { continue };
        let mut read = 0;
        while let file::Next::Entries(entries) = reader.read_next().expect("memory is readable") {
            read += entries.len() * entry::HEADER_BYTES;
        }
        assert!(read <= bytes.len());
    }
}
