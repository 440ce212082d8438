//! Steps of judging a read: sort the partition's writes into those that must have landed, those
//! that may have and those that have not; find the greatest consistent set; keep what it narrows.

use std::collections::BTreeMap;

use super::consistent::{Consistent, explain};
use super::evaluate::ReadRequest;
use super::fate::View;
use super::landed::ttl_of;
use super::objection::Cause;
use super::partitions::Sorted;
use super::state::Model;
use crate::history::PartitionSeen;

impl Model<'_> {
    /// Judges what the read of this record showed; a cause when nothing explains it.
    pub(super) fn read(
        &mut self,
        index: usize,
        seen: &PartitionSeen,
        view: View,
    ) -> Result<(), (Cause, String)> {
        let what = self.record(index).what;
        let (Some(table), Some(partition)) = (what.table(), what.partition()) else {
            return Ok(());
        };
        let shape = self
            .shapes
            .get(&table)
            .expect("a table that is there was created");
        // Without clocks there are no times to live.
        let now_seconds = self.record(index).now_seconds.unwrap_or(0);
        let Some(request) = ReadRequest::of(what, shape, now_seconds) else {
            return Ok(());
        };
        if self.drops_columns(table) {
            let rows = seen.rows.iter().flat_map(|row| row.cells.keys());
            for column in seen.statics.keys().chain(rows) {
                self.column_present(table, *column, view, usize::MAX)?;
            }
        }
        let mut sorted = self.sorted(table, partition, view, now_seconds);
        sorted.candidates.absent = self.absent_columns(table, view);
        self.add_compactions(&mut sorted, table, view, now_seconds);
        match explain(&sorted.candidates, &request, seen) {
            Ok(consistent) => {
                self.lists_in_order(&sorted, seen)?;
                self.narrow(&sorted, &consistent, view, now_seconds);
                self.settle(table, &sorted, &request, seen, view);
                Ok(())
            }
            Err(contradiction) => Err(self.blame(&contradiction, &sorted, view)),
        }
    }

    /// Keeps what the answer says of each write: whether it landed, and when at most or at least.
    fn narrow(
        &mut self,
        sorted: &Sorted<'_>,
        consistent: &Consistent,
        view: View,
        now_seconds: u32,
    ) {
        for position in &consistent.shown {
            let index = sorted.record(*position);
            self.is_not_cut(index, view);
            if *position >= sorted.known.len() {
                let mode = self.knobs.engine.commitlog_mode;
                self.fates[index].show_write(view, mode);
            }
            if let Some(ttl_seconds) = ttl_of(self.record(index).what) {
                let not_before = now_seconds.saturating_add(1).saturating_sub(ttl_seconds);
                self.fates[index].not_before(not_before);
            }
        }
        if consistent.excluded.is_empty() {
            return;
        }
        // By record: the last second at which it may have been done, and the first after that at
        // which it was not.
        let mut bounds: BTreeMap<usize, (bool, Option<u32>)> = BTreeMap::new();
        for position in 0..sorted.count() {
            let (index, landed) = (sorted.record(position), sorted.landed(position));
            if landed.decay.is_some() {
                continue;
            }
            let unknown = position.checked_sub(sorted.known.len());
            let is_out = unknown.is_some_and(|unknown| consistent.excluded.contains(&unknown));
            let (is_in, out_from) = bounds.entry(index).or_default();
            match is_out {
                true => *out_from = Some(out_from.unwrap_or(landed.last_second)),
                // Seconds come in their order; what is in ends what was out.
                false => (*is_in, *out_from) = (true, None),
            }
        }
        for (index, (is_in, out_from)) in bounds {
            match (is_in, out_from) {
                (_, None) => {}
                (false, Some(_)) => {
                    self.is_cut(index, view);
                    self.fates[index].miss(view);
                }
                (true, Some(second)) => self.fates[index].before(second, view),
            }
        }
    }
}
