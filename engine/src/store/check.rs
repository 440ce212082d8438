//! Invariants that hold across the rooms of a running node, for whoever judges it.

use super::node::Store;
use super::view::View;
use crate::commitlog::Interval;
use crate::rows::TableId;

impl Store {
    /// What does not hold now, in words; empty when all is well.
    ///
    /// Every sstable of a view is in the manifest, and the other way round; the log intervals of a table's
    /// memtables and sstables are disjoint; those of its sstables are settled, those of its memtables are not.
    /// It may be asked between any two steps.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        let mut violations = Vec::new();
        for table in self.tables() {
            let view = table.view();
            self.check_names(table.id(), &view, &mut violations);
            check_intervals(table.id(), &view, &mut violations);
            self.check_settled(table.id(), &view, &mut violations);
        }
        violations
    }

    fn check_settled(&self, table: TableId, view: &View, violations: &mut Vec<String>) {
        let is_settled = |interval: &Interval| {
            let manifest = self.manifest();
            manifest.with_contents(|contents| contents.is_settled(table, interval.upper))
        };
        for interval in sstable_intervals(view).filter(|interval| !interval.is_empty()) {
            if !is_settled(&interval) {
                violations.push(format!("{interval} of table {} is not settled", table.0));
            }
        }
        let slots = view.flushing.iter().filter_map(|slot| slot.interval());
        for interval in slots.filter(|interval| !interval.is_empty()) {
            if is_settled(&interval) {
                violations.push(format!("{interval} of table {} is settled", table.0));
            }
        }
    }

    fn check_names(&self, table: TableId, view: &View, violations: &mut Vec<String>) {
        self.manifest().with_contents(|contents| {
            for sstable in &view.sstables {
                if !contents.holds(sstable.name()) {
                    violations.push(format!(
                        "{} is read but not in the manifest",
                        sstable.name()
                    ));
                }
            }
            // Each flush has one sstable in the manifest for the instant before the view is swapped.
            let unread = contents
                .sstables_of(table)
                .filter(|added| !view.holds(added.name))
                .count();
            if unread > view.flushing.len() {
                violations.push(format!(
                    "{unread} sstables of table {} are not read",
                    table.0
                ));
            }
        });
    }
}

fn sstable_intervals(view: &View) -> impl Iterator<Item = Interval> {
    let sstables = view.sstables.iter();
    sstables.map(|sstable| sstable.statistics().interval)
}

fn check_intervals(table: TableId, view: &View, violations: &mut Vec<String>) {
    let slots = view.flushing.iter().filter_map(|slot| slot.interval());
    let all = slots.chain(sstable_intervals(view));
    // One without positions overlaps nothing, wherever it stands.
    let mut intervals: Vec<Interval> = all.filter(|interval| !interval.is_empty()).collect();
    intervals.sort_by_key(|interval| (interval.lower, interval.upper));
    for pair in intervals.windows(2) {
        if pair[0].upper > pair[1].lower {
            violations.push(format!(
                "log intervals of table {} overlap: {} and {}",
                table.0, pair[0], pair[1]
            ));
        }
    }
}
