//! Steps of delta debugging over a list: leave out all of it, then halves, quarters, .., single
//! items, from its end to its start, keeping what still fails alike.

use std::ops::Range;

use super::search::Search;
use crate::plan::Plan;
use crate::run::Outcome;

/// A list of a plan whose items can be left out.
pub(super) struct List {
    /// How many items it has.
    pub(super) count: fn(&Plan) -> usize,
    /// The plan that lacks a range of them.
    pub(super) without: fn(&Plan, Range<usize>) -> Option<Plan>,
    /// Further ways to be rid of a range, or of most of it, knowing what came of the plan.
    pub(super) otherwise: fn(&Plan, &Outcome, Range<usize>) -> Vec<Plan>,
}

/// Leaves out what the failure does not need.
pub(super) fn halve(search: &mut Search<'_>, list: &List) {
    let mut size = (list.count)(&search.plan);
    while size > 0 && !search.is_over() {
        let mut end = (list.count)(&search.plan);
        while end > 0 {
            let (plan, outcome) = (search.plan.clone(), search.outcome.clone());
            let ranges = Ranges { end, size };
            let mut candidates = ranges.flat_map(|range| {
                let start = range.start;
                let others = (list.otherwise)(&plan, &outcome, range.clone());
                let ways = std::iter::once((list.without)(&plan, range));
                let ways = ways.chain(others.into_iter().map(Some));
                ways.map(move |way| (start, way))
            });
            match search.adopt_first(&mut candidates) {
                Some(start) => end = start,
                None => break,
            }
        }
        size /= 2;
    }
}

/// Ranges of `size` items, the last first; the one at the start may be shorter.
struct Ranges {
    end: usize,
    size: usize,
}

impl Iterator for Ranges {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.end == 0 {
            return None;
        }
        let start = self.end.saturating_sub(self.size);
        let range = start..self.end;
        self.end = start;
        Some(range)
    }
}
