//! Invariants of repairs: a table that purges repaired tombstones only forgets nothing of what no mark may have met in
//! a file. Everything here errs on the side of "may".

use cenotaph_sim::time::Instant;

use super::state::Model;
use crate::plan::TableNumber;

impl Model<'_> {
    /// Whether what the write left may be repaired by the time, where the table asks for that: a mark began before,
    /// and was still open when the write began.
    pub(super) fn may_be_repaired(&self, write: usize, table: TableNumber, until: Instant) -> bool {
        let shape = self.shapes.get(&table);
        if !shape.is_some_and(|shape| shape.purge.only_repaired) {
            return true;
        }
        let written_from = self.fates[write].landing.first_at;
        let marks = self.repairs.get(&table).into_iter().flatten();
        marks.map(|mark| &self.fates[*mark].landing).any(|mark| {
            !mark.is_refused && mark.first_at < until && written_from <= mark.open_until
        })
    }
}
