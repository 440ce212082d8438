//! Invariants under test: a purge forgets what nothing needs and keeps the rest; no reader ever sees it.

use cenotaph_engine::rows::{
    Liveness, Outside, Partition, PurgeCounts, PurgeRule, Row, StoneCounts,
};
use proptest::prelude::*;

use super::support::{
    V, W, after, any_partition, any_writes, at, before, cell, complex, deletion_at, element,
    expiring, merge, merge_in_order, partition_deletion, range, row, row_cell, row_deletion,
    row_marker, static_cell, tombstone, visible,
};
use crate::laws::config;

const NOW: u32 = 1_000;
const GRACE: u32 = 100;

fn rule() -> PurgeRule {
    PurgeRule::new(NOW, GRACE, Outside::NOTHING)
}

fn with_sstable(micros: i64) -> PurgeRule {
    let outside = Outside {
        sstable_micros: Some(micros),
        ..Outside::NOTHING
    };
    PurgeRule { outside, ..rule() }
}

fn with_memtable(micros: i64) -> PurgeRule {
    let outside = Outside {
        memtable_micros: Some(micros),
        ..Outside::NOTHING
    };
    PurgeRule { outside, ..rule() }
}

fn purged_by(rule: &PurgeRule, partition: &Partition) -> (Partition, PurgeCounts) {
    let mut purged = partition.clone();
    let counts = purged.purge(rule);
    assert!(purged.is_canonical());
    (purged, counts)
}

/// What the rule leaves of a partition.
fn left(rule: &PurgeRule, partition: &Partition) -> Partition {
    purged_by(rule, partition).0
}

fn cells(count: u64) -> StoneCounts {
    StoneCounts {
        cells: count,
        ..StoneCounts::default()
    }
}

/// One of each: a partition deletion, a range tombstone, a row deletion, an expired marker, a complex deletion,
/// cells.
fn one_of_each(seconds: u32) -> Partition {
    merge_in_order(&[
        partition_deletion(deletion_at(1, seconds)),
        range(before(1), before(2), deletion_at(10, seconds)),
        row_deletion(3, deletion_at(10, seconds)),
        row_marker(4, Liveness::expiring(10, 1, seconds)),
        static_cell(tombstone(10, seconds)),
        row_cell(4, V, tombstone(10, seconds)),
        complex(4, deletion_at(9, seconds)),
        element(4, "a", tombstone(10, seconds)),
    ])
}

#[test]
fn a_tombstone_goes_after_the_second_in_which_its_grace_ends() {
    assert!(left(&rule(), &row_cell(1, V, tombstone(10, 899))).is_empty());
    let of_the_second = row_cell(1, V, tombstone(10, 900));
    let (kept, counts) = purged_by(&rule(), &of_the_second);
    assert_eq!(kept, of_the_second);
    assert_eq!(counts.kept_by_grace, cells(1));
}

#[cfg(feature = "planted")]
#[test]
fn with_p25_it_goes_a_second_too_early() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::P25));
    assert!(left(&rule(), &row_cell(1, V, tombstone(10, 900))).is_empty());
    assert!(!left(&rule(), &row_cell(1, V, tombstone(10, 901))).is_empty());
}

#[test]
fn a_tombstone_goes_only_when_all_that_lies_elsewhere_is_newer() {
    let dead = row_cell(1, V, tombstone(10, 899));
    assert!(left(&with_sstable(11), &dead).is_empty());
    for older in [10, 9, i64::MIN + 1] {
        let (kept, counts) = purged_by(&with_sstable(older), &dead);
        assert_eq!((kept, counts.kept_by_sstable), (dead.clone(), cells(1)));
        let (kept, counts) = purged_by(&with_memtable(older), &dead);
        assert_eq!((kept, counts.kept_by_memtable), (dead.clone(), cells(1)));
    }
    assert!(left(&with_memtable(11), &dead).is_empty());
}

#[test]
fn what_both_need_counts_once() {
    let outside = Outside {
        memtable_micros: Some(5),
        sstable_micros: Some(4),
    };
    let rule = PurgeRule { outside, ..rule() };
    let (_, counts) = purged_by(&rule, &row_cell(1, V, tombstone(10, 899)));
    assert_eq!(counts.kept_by_memtable, cells(1));
    assert_eq!(counts.kept_by_sstable, StoneCounts::default());
}

#[test]
fn each_side_of_a_boundary_goes_by_itself() {
    let both = merge(&[
        range(before(1), before(3), deletion_at(10, 800)),
        range(before(3), before(5), deletion_at(12, 950)),
    ]);
    let second = range(before(3), before(5), deletion_at(12, 950));
    assert_eq!(left(&rule(), &both), second);
    let both = merge(&[
        range(before(1), before(3), deletion_at(10, 800)),
        range(before(3), before(5), deletion_at(12, 800)),
    ]);
    assert!(left(&rule(), &both).is_empty());
}

#[test]
fn a_cell_that_has_not_expired_is_untouched() {
    let alive = row_cell(1, V, expiring("a", 10, 50, 1_010));
    let (kept, counts) = purged_by(&rule(), &alive);
    assert_eq!((kept, counts), (alive, PurgeCounts::default()));
}

#[test]
fn a_cell_that_expired_before_the_grace_is_dropped() {
    let (left, counts) = purged_by(&rule(), &row_cell(1, V, expiring("a", 10, 50, 880)));
    assert!(left.is_empty());
    assert_eq!((counts.purged, counts.converted_count), (cells(1), 0));
}

#[test]
fn an_expired_cell_becomes_a_tombstone_of_its_write() {
    let (left, counts) = purged_by(&rule(), &row_cell(1, V, expiring("a", 10, 50, 950)));
    assert_eq!(left, row_cell(1, V, tombstone(10, 900)));
    assert_eq!(
        (counts.kept_by_grace, counts.converted_count),
        (cells(1), 1)
    );
}

#[test]
fn an_expired_cell_whose_write_is_old_enough_is_dropped_at_once() {
    let (left, counts) = purged_by(&rule(), &row_cell(1, V, expiring("a", 10, 200, 950)));
    assert!(left.is_empty());
    assert_eq!((counts.purged, counts.converted_count), (cells(1), 0));
}

#[test]
fn a_cell_is_dead_in_the_second_of_its_expiry() {
    let cell = row_cell(1, V, expiring("a", 10, 50, NOW));
    assert_eq!(left(&rule(), &cell), row_cell(1, V, tombstone(10, 950)));
}

#[test]
fn an_expired_cell_stays_as_a_tombstone_over_what_lies_elsewhere() {
    let expired = row_cell(1, V, expiring("a", 10, 50, 880));
    let stone = row_cell(1, V, tombstone(10, 830));
    assert_eq!(left(&with_sstable(10), &expired), stone);
    assert_eq!(left(&with_memtable(9), &expired), stone);
    let older = row_cell(1, V, cell("old", 9));
    assert_eq!(visible(&merge(&[stone, older]), NOW), Vec::<i32>::new());
}

#[cfg(feature = "planted")]
#[test]
fn with_c01_an_expired_cell_goes_whatever_lies_elsewhere() {
    use cenotaph_engine::planted::{Plant, choose};

    let _guard = choose(Some(Plant::C01));
    let expired = row_cell(1, V, expiring("a", 10, 50, 950));
    assert!(left(&with_sstable(9), &expired).is_empty());
    assert!(!left(&with_sstable(9), &row_cell(1, V, tombstone(10, 950))).is_empty());
}

#[test]
fn an_expired_marker_goes_and_its_row_stays_with_its_cells() {
    let content = Row {
        liveness: Some(Liveness::expiring(10, 5, 880)),
        cells: vec![(V.into(), cell("a", 11))],
        ..Row::default()
    };
    let (left, counts) = purged_by(&rule(), &row(1, content));
    assert_eq!(left, row_cell(1, V, cell("a", 11)));
    assert_eq!(counts.purged.rows, 1);
}

#[test]
fn an_expired_marker_within_its_grace_stays_as_it_is() {
    let marker = row_marker(1, Liveness::expiring(10, 50, 950));
    let (left, counts) = purged_by(&rule(), &marker);
    assert_eq!(left, marker);
    assert_eq!((counts.kept_by_grace.rows, counts.converted_count), (1, 0));
    assert_eq!(visible(&left, NOW), Vec::<i32>::new());
}

#[test]
fn without_grace_a_tombstone_outlives_its_own_second_only() {
    let rule = PurgeRule::new(NOW, 0, Outside::NOTHING);
    assert!(left(&rule, &row_cell(1, V, tombstone(10, 999))).is_empty());
    assert!(!left(&rule, &row_cell(1, V, tombstone(10, 1_000))).is_empty());
}

#[test]
fn a_grace_longer_than_all_time_is_never_over() {
    let rule = PurgeRule::new(NOW, u32::MAX, Outside::NOTHING);
    let old = one_of_each(1);
    let (kept, counts) = purged_by(&rule, &old);
    assert_eq!(kept, old);
    assert_eq!(counts.kept_by_grace.total(), 8);
}

#[test]
fn a_row_deletion_goes_and_what_is_newer_stays() {
    let content = Row {
        deletion: Some(deletion_at(10, 800)),
        cells: vec![(V.into(), cell("v", 12))],
        ..Row::default()
    };
    let expected = row_cell(1, V, cell("v", 12));
    assert_eq!(left(&rule(), &row(1, content)), expected);
}

#[test]
fn a_complex_deletion_goes_and_newer_elements_stay() {
    let overwritten = merge(&[
        complex(1, deletion_at(9, 800)),
        element(1, "a", cell("new", 10)),
    ]);
    let (kept, counts) = purged_by(&rule(), &overwritten);
    assert_eq!(kept, element(1, "a", cell("new", 10)));
    assert_eq!(counts.purged.complex, 1);
    assert_eq!(left(&with_sstable(9), &overwritten), overwritten);
}

#[test]
fn of_nothing_but_purgeable_deletions_nothing_is_left() {
    let (left, counts) = purged_by(&rule(), &one_of_each(899));
    assert!(left.is_empty());
    let each = StoneCounts {
        partitions: 1,
        ranges: 1,
        rows: 2,
        complex: 1,
        cells: 3,
    };
    assert_eq!(counts.purged, each);
}

#[test]
fn what_was_deleted_in_the_future_stays() {
    let ahead = row_cell(1, V, tombstone(10, NOW + 500));
    assert_eq!(left(&rule(), &ahead), ahead);
}

#[test]
fn where_nothing_is_dead_nothing_changes() {
    let alive = merge(&[
        row_cell(1, V, cell("a", 10)),
        row_cell(2, W, expiring("b", 10, 5, NOW + 1)),
        row_marker(2, Liveness::plain(10)),
    ]);
    let (kept, counts) = purged_by(&with_sstable(1), &alive);
    assert_eq!((kept, counts), (alive, PurgeCounts::default()));
}

/// Seconds in generated content are 1, 2 and 3, their times to live 1 and 2.
fn any_rule(outside: Outside) -> impl Strategy<Value = PurgeRule> {
    (0_u32..6, 0_u32..4).prop_map(move |(now, grace)| PurgeRule::new(now, grace, outside))
}

/// What a reader sees at a second: rows, and the live cells of each.
fn seen(partition: &Partition, now: u32) -> Vec<String> {
    let of_row = |row: &Row| {
        let cells = row.cells.iter().filter(|(_, cell)| cell.is_live(now));
        let cells: Vec<_> = cells
            .map(|(key, cell)| (key.clone(), cell.value.clone()))
            .collect();
        format!("{} {cells:?}", row.is_visible(now))
    };
    let rows = visible(partition, now).into_iter().map(|key| {
        let row = partition.rows.get(&at(key)).unwrap();
        format!("{key} {}", of_row(row))
    });
    let statics = of_row(&partition.static_row);
    std::iter::once(statics).chain(rows).collect()
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn no_reader_at_any_later_second_sees_a_purge(
        partition in any_partition(),
        rule in any_rule(Outside::NOTHING),
        later in 0_u32..6,
    ) {
        let now = rule.now_seconds + later;
        prop_assert_eq!(seen(&left(&rule, &partition), now), seen(&partition, now));
    }

    #[test]
    fn a_second_purge_finds_nothing_to_do(
        partition in any_partition(),
        rule in any_rule(Outside::NOTHING),
    ) {
        let once = left(&rule, &partition);
        let (twice, counts) = purged_by(&rule, &once);
        prop_assert_eq!(&twice, &once);
        prop_assert_eq!((counts.purged.total(), counts.converted_count), (0, 0));
    }

    #[test]
    fn what_lies_elsewhere_stays_as_dead_as_it_was(
        inputs in any_partition(),
        elsewhere in any_partition(),
        rule in any_rule(Outside::NOTHING),
        later in 0_u32..6,
    ) {
        let outside = Outside {
            sstable_micros: elsewhere.timestamps().map(|timestamps| timestamps.min),
            ..Outside::NOTHING
        };
        let rule = PurgeRule { outside, ..rule };
        let now = rule.now_seconds + later;
        let before = merge_in_order(&[inputs.clone(), elsewhere.clone()]);
        let after = merge_in_order(&[left(&rule, &inputs), elsewhere]);
        prop_assert_eq!(seen(&after, now), seen(&before, now));
    }

    #[test]
    fn which_part_is_compacted_first_does_not_matter(
        writes in any_writes(14),
        parts in prop::collection::vec(0_usize..3, 14),
        rule in any_rule(Outside::NOTHING),
        first in 0_usize..3,
        later in 0_u32..6,
    ) {
        let mut sstables = vec![Partition::default(); 3];
        for (write, part) in writes.iter().zip(parts) {
            sstables[part].apply(write.to_partition());
        }
        let now = rule.now_seconds + later;
        let before = seen(&merge_in_order(&sstables), now);
        // Two of three, with the third outside; then all that is left.
        let outside = Outside {
            memtable_micros: None,
            sstable_micros: sstables[first].timestamps().map(|timestamps| timestamps.min),
        };
        let others: Vec<Partition> = (0..3)
            .filter(|index| *index != first)
            .map(|index| sstables[index].clone())
            .collect();
        let two = left(&PurgeRule { outside, ..rule }, &merge_in_order(&others));
        let all = merge_in_order(&[two, sstables[first].clone()]);
        prop_assert_eq!(&seen(&all, now), &before);
        prop_assert_eq!(seen(&left(&rule, &all), now), before);
    }

    #[test]
    fn every_deletion_has_one_fate(
        partition in any_partition(),
        rule in any_rule(Outside::NOTHING),
        memtable in -2_i64..8,
        sstable in -2_i64..8,
    ) {
        let outside = Outside { memtable_micros: Some(memtable), sstable_micros: Some(sstable) };
        let (left, counts) = purged_by(&PurgeRule { outside, ..rule }, &partition);
        let dead = |row: &Row| {
            let marker = row.liveness.is_some_and(|marker| !marker.is_live(rule.now_seconds));
            let cells = row.cells.iter().filter(|(_, cell)| !cell.is_live(rule.now_seconds));
            u64::from(row.deletion.is_some())
                + u64::from(marker)
                + row.complex.len() as u64
                + cells.count() as u64
        };
        let all = |partition: &Partition| {
            let rows = partition.rows.values().chain([&partition.static_row]);
            u64::from(partition.deletion.is_some())
                + partition.ranges.len() as u64
                + rows.map(dead).sum::<u64>()
        };
        let kept = counts.kept_by_grace.total()
            + counts.kept_by_memtable.total()
            + counts.kept_by_sstable.total();
        prop_assert_eq!(kept, all(&left));
        prop_assert_eq!(kept + counts.purged.total(), all(&partition));
    }
}

#[test]
fn a_range_is_purged_whole_though_another_cut_it() {
    let cut = merge(&[
        range(before(1), after(9), deletion_at(10, 800)),
        range(before(4), after(5), deletion_at(12, 950)),
    ]);
    let (left, counts) = purged_by(&rule(), &cut);
    assert_eq!(left, range(before(4), after(5), deletion_at(12, 950)));
    assert_eq!((counts.purged.ranges, counts.kept_by_grace.ranges), (2, 1));
}

#[test]
fn while_it_is_not_repaired_nothing_goes_and_expired_cells_are_tombstones() {
    let rule = PurgeRule {
        is_unrepaired: true,
        ..rule()
    };
    let old = merge(&[one_of_each(1), row_cell(9, V, expiring("v", 10, 5, 800))]);
    let (kept, counts) = purged_by(&rule, &old);
    assert_eq!(counts.purged, StoneCounts::default());
    assert_eq!(counts.kept_by_repair.total(), 9);
    assert_eq!(
        kept.rows.get(&at(9)).unwrap(),
        row_cell(9, V, tombstone(10, 795)).rows.get(&at(9)).unwrap()
    );
}
