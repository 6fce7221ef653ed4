//! Expected values by hand: an item of 988 bytes and its header of 36 are 1,024 bytes, sixteen segments of 64; an interval of 63 segments
//! holds three of them.

use super::*;
use kernel::Peaks;

const SIXTEEN_SEGMENTS: usize = 988;
const TWENTY_SEGMENTS: usize = 1244;

fn statistics(auxiliary: &Auxiliary) -> AuxiliaryStatistics {
    auxiliary.statistics(Peaks::Keep)
}

fn put_all(auxiliary: &Auxiliary, queue: u64, items: u16, length: usize) {
    (1..=items).for_each(|item| drop(auxiliary.put(queue, item, length)));
}

#[test]
fn an_interval_has_63_segments_of_64_bytes() {
    // As in the temporary storage report of DFH0STAT for a control interval of 4,096 bytes.
    assert_eq!((SEGMENTS, BYTES_AVAILABLE), (63, 4032));
}

#[test]
fn changed_buffers_are_written_when_another_interval_needs_them() {
    // Two buffers for output, two for input.
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    put_all(&auxiliary, 1, 12, SIXTEEN_SEGMENTS);
    let after_writes = statistics(&auxiliary);
    assert_eq!((after_writes.intervals, after_writes.intervals_in_use, after_writes.format_writes), (4, 4, 4));
    // The third interval takes the buffer of the first, the fourth that of the second.
    assert_eq!((after_writes.buffer_writes, after_writes.buffer_reads, after_writes.forced_writes), (2, 0, 0));
    // Items 1 and 4 are in the first and second interval, 7 and 10 in those still in buffers.
    for item in [1, 2, 4, 7, 10, 1, 6, 12] {
        drop(auxiliary.get(1, item));
    }
    assert_eq!((statistics(&auxiliary).buffer_reads, statistics(&auxiliary).buffer_writes), (2, 2));
    auxiliary.delete(1);
    assert_eq!((statistics(&auxiliary).intervals_in_use, statistics(&auxiliary).intervals_in_use_peak), (0, 4));
    // Empty intervals are neither written nor read nor formatted again.
    put_all(&auxiliary, 2, 12, SIXTEEN_SEGMENTS);
    let again = statistics(&auxiliary);
    assert_eq!((again.intervals, again.format_writes, again.buffer_reads, again.buffer_writes), (4, 4, 2, 4));
    assert_eq!((again.strings_in_use_peak, again.string_waits, again.buffer_waits), (1, 0, 0));
}

#[test]
fn an_interval_that_is_only_in_an_input_buffer_is_not_read_for_output() {
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    put_all(&auxiliary, 1, 12, SIXTEEN_SEGMENTS);
    drop(auxiliary.get(1, 1));
    assert_eq!(statistics(&auxiliary).buffer_reads, 1);
    // Item 1 again, with the same length: its interval moves to the output buffers, where the third is written for it.
    drop(auxiliary.put(1, 1, SIXTEEN_SEGMENTS - 5));
    assert_eq!((statistics(&auxiliary).buffer_reads, statistics(&auxiliary).buffer_writes), (1, 3));
    // Item 4 is in no buffer.
    drop(auxiliary.put(1, 4, SIXTEEN_SEGMENTS));
    assert_eq!((statistics(&auxiliary).buffer_reads, statistics(&auxiliary).buffer_writes), (2, 4));
    assert_eq!(statistics(&auxiliary).intervals_in_use, 4);
}

#[test]
fn an_item_longer_than_an_interval_takes_several() {
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    drop(auxiliary.put(1, 1, 3996));
    assert_eq!(statistics(&auxiliary).long_writes, 0);
    // Twice 3,996 bytes and 2,008 with a header of 36: two intervals and 32 segments of a third.
    drop(auxiliary.put(2, 1, 10_000));
    let now = statistics(&auxiliary);
    assert_eq!((now.long_writes, now.intervals_in_use), (1, 4));
    // 31 segments are left in the last one.
    drop(auxiliary.put(3, 1, 31 * 64 - 36));
    assert_eq!(statistics(&auxiliary).intervals_in_use, 4);
    drop(auxiliary.put(3, 2, 1));
    assert_eq!(statistics(&auxiliary).intervals_in_use, 5);
    auxiliary.delete(2);
    assert_eq!(statistics(&auxiliary).intervals_in_use, 3);
}

#[test]
fn room_that_is_not_in_one_piece_needs_a_compression() {
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    (1..=3).for_each(|queue| drop(auxiliary.put(queue, 1, TWENTY_SEGMENTS)));
    auxiliary.delete(2);
    assert_eq!(statistics(&auxiliary).compressions, 0);
    // 23 segments are free: three behind the last item, twenty before it.
    drop(auxiliary.put(4, 1, TWENTY_SEGMENTS));
    let now = statistics(&auxiliary);
    assert_eq!((now.compressions, now.intervals, now.format_writes), (1, 1, 1));
}

#[test]
fn recoverable_changes_force_writes_at_the_syncpoint() {
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    let unit =
        |queue: u64, items: u16| (1..=items).map(|item| auxiliary.put_recoverable(queue, item, SIXTEEN_SEGMENTS).0).collect::<Vec<_>>();
    // Four items change two intervals.
    auxiliary.ended(unit(1, 4), true);
    assert_eq!((statistics(&auxiliary).buffer_writes, statistics(&auxiliary).forced_writes), (2, 2));
    // Backed out: the interval was not filled, and is not written.
    auxiliary.ended(unit(2, 2), false);
    let now = statistics(&auxiliary);
    assert_eq!((now.buffer_writes, now.forced_writes, now.intervals_in_use), (2, 2, 2));
    assert!(auxiliary.get(2, 1).is_none());
    auxiliary.ended(vec![Change::Delete { queue: 1 }], false);
    assert_eq!(statistics(&auxiliary).intervals_in_use, 2);
    auxiliary.ended(vec![Change::Delete { queue: 1 }], true);
    assert_eq!(statistics(&auxiliary).intervals_in_use, 0);
}

#[test]
fn deleted_queues_are_dropped_except_in_open_units_of_work() {
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    // Each item of 63 segments has an interval of its own.
    let of_an_open_unit = auxiliary.put_recoverable(1, 1, 3996).0;
    let committed = auxiliary.put_recoverable(2, 1, 3996).0;
    auxiliary.ended(vec![committed], true);
    put_all(&auxiliary, 3, 1, 3996);
    assert_eq!(auxiliary.uncommitted(), [1].into_iter().collect());
    auxiliary.retain(|queue| queue == 3);
    assert_eq!(statistics(&auxiliary).intervals_in_use, 2);
    assert!(auxiliary.get(1, 1).is_some() || auxiliary.get(2, 1).is_none());
    auxiliary.ended(vec![of_an_open_unit], false);
    assert_eq!(statistics(&auxiliary).intervals_in_use, 1);
    assert!(auxiliary.uncommitted().is_empty());
}

#[test]
fn transfers_at_the_same_time_need_strings_and_buffers() {
    let auxiliary = Auxiliary::new(4, 2, Box::leak(Box::default()));
    // Each item of 63 segments formats an interval.
    let transfers: Vec<_> = (1..=3).map(|queue| auxiliary.put(queue, 1, 3996)).collect();
    let now = statistics(&auxiliary);
    assert_eq!((now.strings_in_use_peak, now.string_waits, now.string_waiting, now.string_waiting_peak), (2, 1, 1, 1));
    // Both buffers for output are held when the third interval needs one.
    assert_eq!((now.buffer_waits, now.buffer_waiting, now.buffer_waiting_peak), (1, 1, 1));
    drop(transfers);
    let now = auxiliary.statistics(Peaks::Begin);
    assert_eq!((now.string_waiting, now.buffer_waiting, now.string_waiting_peak), (0, 0, 1));
    assert_eq!((statistics(&auxiliary).strings_in_use_peak, statistics(&auxiliary).string_waiting_peak), (0, 0));
    assert_eq!(statistics(&auxiliary).string_waits, 1);
}

#[test]
fn restored_items_are_on_the_data_set() {
    let auxiliary = Auxiliary::new(4, 3, Box::leak(Box::default()));
    (1..=6).for_each(|item| auxiliary.found(7, item, SIXTEEN_SEGMENTS));
    let now = statistics(&auxiliary);
    assert_eq!((now.intervals, now.intervals_in_use, now.format_writes, now.buffer_writes), (2, 2, 0, 0));
    drop(auxiliary.get(7, 1));
    assert_eq!(statistics(&auxiliary).buffer_reads, 1);
}
