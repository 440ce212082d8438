//! Invariants tests of reads: direction, limit and slice choose among the same rows.

use cenotaph_engine::memtable::Memtable;
use cenotaph_engine::read::{ReadCommand, ReadResult, Unfiltered, execute, merge};
use cenotaph_engine::rows::Mutation;
use proptest::prelude::*;

use super::support::{everything, read, schema, table};
use crate::laws::config;
use crate::rows::support::{Write, any_partition, any_slice, any_writes};

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn a_reversed_read_is_the_reverse_of_a_forward_read(
        a in any_partition(),
        b in any_partition(),
        slice in any_slice(),
        now in 0_u32..5,
    ) {
        let direction = |reversed| read(&[a.clone(), b.clone()], |command| {
            command.slice = slice.clone();
            command.now_seconds = now;
            command.reversed = reversed;
        });
        let ReadResult { statics, mut rows, counts } = direction(true);
        rows.reverse();
        prop_assert_eq!(direction(false), ReadResult { statics, rows, counts });
    }

    #[test]
    fn a_limited_read_is_the_beginning_of_an_unlimited_one(
        a in any_partition(),
        limit in 1_usize..5,
        reversed in any::<bool>(),
        now in 0_u32..5,
    ) {
        let limited = |limit| read(std::slice::from_ref(&a), |command| {
            command.limit = limit;
            command.now_seconds = now;
            command.reversed = reversed;
        });
        let (some, all) = (limited(Some(limit)), limited(None));
        prop_assert_eq!(&some.rows[..], &all.rows[..limit.min(all.rows.len())]);
        prop_assert_eq!(&some.statics, &all.statics);
        prop_assert!(some.counts.tombstone_count <= all.counts.tombstone_count);
    }

    #[test]
    fn where_the_versions_lie_does_not_matter(
        versions in prop::collection::vec(any_partition(), 1..4),
        slice in any_slice(),
        now in 0_u32..5,
    ) {
        let change = |command: &mut ReadCommand| {
            command.slice = slice.clone();
            command.now_seconds = now;
        };
        let sliced: Vec<_> = versions.iter().rev().map(|version| version.slice(&slice)).collect();
        let (mut whole, mut cut) = (read(&versions, change), read(&sliced, change));
        // What is present beyond the slice counts as long as nobody cut it off.
        prop_assert!(cut.counts.stones_present <= whole.counts.stones_present);
        (whole.counts.stones_present, cut.counts.stones_present) = (0, 0);
        prop_assert_eq!(whole, cut);
    }

    #[test]
    fn a_live_only_merge_of_many_sources_shows_what_their_merge_shows(
        copies in prop::collection::vec(any_partition(), 0..3),
        memtables in prop::collection::vec(any_writes(10), 0..3),
        slice in any_slice(),
        reversed in any::<bool>(),
        limit in prop::option::of(1_usize..4),
        now in 0_u32..5,
    ) {
        let mut sources = copies.clone();
        sources.extend(memtables.iter().map(|writes| {
            merge(writes.iter().map(Write::to_partition))
        }));
        let change = |command: &mut ReadCommand| {
            command.slice = slice.clone();
            command.reversed = reversed;
            command.limit = limit;
            command.now_seconds = now;
        };
        let mut merged = read(&sources, change);
        let schema = schema();
        let mut command = everything(table(&schema));
        change(&mut command);
        let mut apart = Unfiltered::default();
        for copy in copies {
            apart.push(copy);
        }
        for writes in &memtables {
            let memtable = Memtable::new(command.table);
            for write in writes {
                let ticket = memtable.ticket();
                let (key, update) = (command.key.clone(), write.to_partition());
                ticket.memtable().put(Mutation { table: command.table, key, update }).unwrap();
            }
            if let Some(snapshot) = memtable.snapshot(&command.key) {
                apart.push_snapshot(snapshot);
            }
        }
        let mut found = execute(&command, table(&schema), apart).unwrap();
        // A merge has lost what its sources delete of one another.
        prop_assert!(found.counts.shadowed_row_count >= merged.counts.shadowed_row_count);
        for counts in [&mut found.counts, &mut merged.counts] {
            (counts.shadowed_row_count, counts.stones_present) = (0, 0);
        }
        prop_assert_eq!(found, merged);
    }
}
