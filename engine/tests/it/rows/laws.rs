//! Invariants tests of merging: order, grouping and repetition change nothing.

use cenotaph_engine::rows::{Partition, TimestampRange};
use proptest::prelude::*;

use super::support::{
    V, Write, after, any_partition, any_slice, any_writes, before, deletion, merge_in_order, range,
    row_cell, row_deletion, tombstone,
};
use crate::laws::config;

fn merged(left: &Partition, right: &Partition) -> Partition {
    merge_in_order(&[left.clone(), right.clone()])
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn merging_is_commutative(a in any_partition(), b in any_partition()) {
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
    }

    #[test]
    fn merging_is_associative(a in any_partition(), b in any_partition(), c in any_partition()) {
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
    }

    #[test]
    fn merging_is_idempotent(a in any_partition(), b in any_partition()) {
        prop_assert_eq!(&merged(&a, &a), &a);
        let both = merged(&a, &b);
        prop_assert_eq!(&merged(&both, &a), &both);
    }

    #[test]
    fn the_result_does_not_depend_on_the_grouping(
        writes in any_writes(16),
        groups in prop::collection::vec(0_usize..4, 16),
        reversed in any::<bool>(),
    ) {
        let mut parts: Vec<Partition> = writes.iter().map(Write::to_partition).collect();
        let whole = merge_in_order(&parts);
        let mut grouped = vec![Partition::default(); 4];
        if reversed {
            parts.reverse();
        }
        for (part, group) in parts.into_iter().zip(groups) {
            grouped[group].apply(part);
        }
        prop_assert_eq!(merge_in_order(&grouped), whole);
    }

    #[test]
    fn whatever_is_merged_or_sliced_is_canonical(
        a in any_partition(),
        b in any_partition(),
        slice in any_slice(),
    ) {
        let both = merged(&a, &b);
        prop_assert!(both.is_canonical());
        prop_assert!(both.slice(&slice).is_canonical());
    }

    #[test]
    fn a_partition_narrowed_to_a_slice_is_the_slice(a in any_partition(), slice in any_slice()) {
        let mut narrowed = a.clone();
        narrowed.narrow(&slice);
        prop_assert_eq!(narrowed, a.slice(&slice));
    }

    #[test]
    fn a_slice_of_the_merge_is_the_merge_of_the_slices(
        a in any_partition(),
        b in any_partition(),
        slice in any_slice(),
    ) {
        prop_assert_eq!(merged(&a, &b).slice(&slice), merged(&a.slice(&slice), &b.slice(&slice)));
    }

    #[test]
    fn the_growth_told_is_the_growth_of_the_size(a in any_partition(), b in any_partition()) {
        let mut merged = a.clone();
        let growth = merged.apply(b);
        let difference = i128::from(merged.size_bytes()) - i128::from(a.size_bytes());
        prop_assert_eq!(i128::from(growth), difference);
    }

    #[test]
    fn timestamps_span_what_was_written_and_is_still_held(writes in any_writes(10)) {
        let parts: Vec<Partition> = writes.iter().map(Write::to_partition).collect();
        let all = parts.iter().filter_map(Partition::timestamps).reduce(TimestampRange::union);
        let merged = merge_in_order(&parts).timestamps();
        // The greatest is never lost; the least may be shadowed.
        prop_assert_eq!(merged.map(|t| t.max), all.map(|t| t.max));
        prop_assert!(merged.map(|t| t.min) >= all.map(|t| t.min));
    }
}

#[test]
fn the_reserved_timestamp_is_refused_wherever_it_stands() {
    let reserved = [
        row_cell(1, V, tombstone(i64::MIN, 5)),
        row_deletion(1, deletion(i64::MIN)),
        range(before(1), after(2), deletion(i64::MIN)),
    ];
    for partition in reserved {
        let error = partition.reject_reserved().unwrap_err();
        assert_eq!(
            error.to_string(),
            "timestamp -9223372036854775808 is reserved"
        );
    }
    assert_eq!(
        row_deletion(1, deletion(i64::MIN + 1)).reject_reserved(),
        Ok(())
    );
    assert_eq!(Partition::default().reject_reserved(), Ok(()));
}
