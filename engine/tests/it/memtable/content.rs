//! Invariants tests of memtables: snapshots, order, size, and tickets.

use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Waker};

use bytes::Bytes;
use cenotaph_engine::keys::{DecoratedKey, PartitionKey, Slice};
use cenotaph_engine::memtable::Memtable;
use cenotaph_engine::rows::{Mutation, Partition, TableId, TimestampRange};
use proptest::prelude::*;

use crate::laws::config;
use crate::rows::support::{
    V, after, any_slice, any_writes, before, cell, deletion, merge_in_order, partition_deletion,
    row_cell, visible,
};

pub(crate) const TABLE: TableId = TableId(4);

pub(crate) fn key(number: u8) -> DecoratedKey {
    DecoratedKey::new(PartitionKey(Bytes::copy_from_slice(&[number])))
}

pub(crate) fn put(memtable: &Rc<Memtable>, number: u8, update: Partition) {
    let ticket = memtable.ticket();
    ticket
        .memtable()
        .put(Mutation {
            table: TABLE,
            key: key(number),
            update,
        })
        .unwrap();
}

fn is_ready(future: impl Future<Output = ()>) -> bool {
    pin!(future)
        .poll(&mut Context::from_waker(Waker::noop()))
        .is_ready()
}

#[test]
fn a_reader_keeps_what_it_got_when_more_is_written() {
    let memtable = Memtable::new(TABLE);
    put(&memtable, 1, row_cell(1, V, cell("a", 10)));
    let taken = memtable.get(&key(1), &Slice::ALL).unwrap();
    put(&memtable, 1, partition_deletion(deletion(20)));
    assert_eq!(visible(&taken, 0), [1]);
    let again = memtable.get(&key(1), &Slice::ALL).unwrap();
    assert_eq!(again, partition_deletion(deletion(20)));
}

#[test]
fn a_reader_gets_the_part_within_its_slice() {
    let memtable = Memtable::new(TABLE);
    for row in 0..5 {
        put(&memtable, 1, row_cell(row, V, cell("a", 10)));
    }
    let slice = Slice {
        start: before(1),
        end: after(3),
    };
    assert_eq!(
        visible(&memtable.get(&key(1), &slice).unwrap(), 0),
        [1, 2, 3]
    );
    let beyond = Slice {
        start: after(4),
        end: after(9),
    };
    assert_eq!(memtable.get(&key(1), &beyond), None);
    assert_eq!(memtable.get(&key(2), &Slice::ALL), None);
}

#[test]
fn partitions_come_in_token_order_while_writers_go_on() {
    let memtable = Memtable::new(TABLE);
    for number in 0..10 {
        put(&memtable, number, row_cell(1, V, cell("a", 10)));
    }
    let mut keys = Vec::new();
    for (key, _) in memtable.iter() {
        put(&memtable, key.key.0[0], row_cell(2, V, cell("b", 10)));
        keys.push(key);
    }
    assert_eq!(keys.len(), 10);
    assert!(keys.is_sorted());
    assert_eq!(memtable.partition_count(), 10);
}

#[test]
fn an_empty_update_leaves_no_trace() {
    let memtable = Memtable::new(TABLE);
    put(&memtable, 1, Partition::default());
    assert!(memtable.is_empty());
    assert_eq!((memtable.size_bytes(), memtable.timestamps()), (0, None));
}

#[test]
fn the_least_timestamp_ever_written_is_kept() {
    let memtable = Memtable::new(TABLE);
    put(&memtable, 1, row_cell(1, V, cell("a", 5)));
    put(&memtable, 1, partition_deletion(deletion(20)));
    assert_eq!(
        memtable.timestamps(),
        Some(TimestampRange { min: 5, max: 20 })
    );
}

#[test]
fn a_flush_waits_for_all_tickets() {
    let memtable = Memtable::new(TABLE);
    assert!(is_ready(memtable.no_tickets()));
    let (first, second) = (memtable.ticket(), memtable.ticket());
    let mut waiting = pin!(memtable.no_tickets());
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(first);
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(second);
    assert!(waiting.as_mut().poll(&mut context).is_ready());
    assert_eq!(memtable.ticket_count(), 0);
}

#[test]
fn a_ticket_taken_meanwhile_is_waited_for_too() {
    let memtable = Memtable::new(TABLE);
    let first = memtable.ticket();
    let mut waiting = pin!(memtable.no_tickets());
    let mut context = Context::from_waker(Waker::noop());
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(first);
    let late = memtable.ticket();
    assert!(waiting.as_mut().poll(&mut context).is_pending());
    drop(late);
    assert!(waiting.as_mut().poll(&mut context).is_ready());
}

#[test]
#[should_panic(expected = "only under a ticket")]
fn a_write_without_a_ticket_is_a_bug() {
    let update = row_cell(1, V, cell("a", 5));
    Memtable::new(TABLE)
        .put(Mutation {
            table: TABLE,
            key: key(1),
            update,
        })
        .unwrap();
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_memtable_holds_the_merge_of_its_writes(
        writes in any_writes(24),
        owners in prop::collection::vec(0_u8..3, 24),
        slice in any_slice(),
    ) {
        let memtable = Memtable::new(TABLE);
        for (write, owner) in writes.iter().zip(&owners) {
            put(&memtable, *owner, write.to_partition());
        }
        for owner in 0..3 {
            let own = writes.iter().zip(&owners).filter(|(_, other)| **other == owner);
            let merged = merge_in_order(&own.map(|(w, _)| w.to_partition()).collect::<Vec<_>>());
            let expected = Some(merged.slice(&slice)).filter(|part| !part.is_empty());
            prop_assert_eq!(memtable.get(&key(owner), &slice), expected);
        }
        let held: usize = memtable.iter().map(|(_, partition)| usize::from(!partition.is_empty())).sum();
        prop_assert_eq!(held, memtable.partition_count());
    }
}
