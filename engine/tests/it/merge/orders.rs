//! Invariants of a merge under test: every order of the versions, and every grouping of each order.

use cenotaph_engine::rows::Partition;

use crate::rows::support::permutations;

/// Calls `check` with the merge of each order and grouping; at most 6 versions, which have 30,240.
pub(crate) fn every_merge(versions: &[Partition], mut check: impl FnMut(Partition)) {
    assert!(versions.len() <= 6, "too many orders and groupings");
    for order in permutations(versions.len()) {
        let ordered: Vec<Partition> = order.iter().map(|&index| versions[index].clone()).collect();
        groupings(&ordered).into_iter().for_each(&mut check);
    }
}

/// The merges of all ways to put brackets around neighbours.
fn groupings(versions: &[Partition]) -> Vec<Partition> {
    match versions {
        [] => vec![Partition::default()],
        [only] => vec![only.clone()],
        several => {
            let mut merges = Vec::new();
            for split in 1..several.len() {
                for left in groupings(&several[..split]) {
                    for right in groupings(&several[split..]) {
                        let mut merged = left.clone();
                        merged.apply(right);
                        merges.push(merged);
                    }
                }
            }
            merges
        }
    }
}
