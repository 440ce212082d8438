//! Invariants tests of reads: direction, limit and slice choose among the same rows.

use cenotaph_engine::read::ReadResult;
use proptest::prelude::*;

use super::support::read;
use crate::laws::config;
use crate::rows::support::{any_partition, any_slice};

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
        let change = |command: &mut cenotaph_engine::read::ReadCommand| {
            command.slice = slice.clone();
            command.now_seconds = now;
        };
        let sliced: Vec<_> = versions.iter().rev().map(|version| version.slice(&slice)).collect();
        prop_assert_eq!(read(&versions, change), read(&sliced, change));
    }
}
