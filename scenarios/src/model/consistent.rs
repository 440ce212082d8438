//! Steps to the greatest consistent set: of the operations that may have landed, the largest set
//! that explains an answer together with those that must have.
//!
//! Start with all of them. Drop each whose effect would hide what shows. Drop each whose own live
//! cell or marker would show where nothing does; that may uncover another, so repeat. A dropped
//! operation is in no consistent set: whatever hides it in one is also in the set at hand. So when
//! nothing more is to be dropped, the rest explains the answer or no set does. Operations are
//! dropped whole.

use std::collections::{BTreeMap, BTreeSet};

use super::effects;
use super::evaluate::{ReadRequest, columns_at, evaluate, live_cell, live_marker};
use super::objection::Place;
use crate::history::{PartitionSeen, RowSeen};
use crate::plan::{Column, Operation, Scalar};

/// The largest explanation of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consistent {
    /// Indices of the unknown operations that every explanation leaves out.
    pub excluded: BTreeSet<usize>,
    /// Indices of the unknown operations whose own value shows, so that every explanation has them.
    pub shown: BTreeSet<usize>,
}

/// Why nothing explains an answer. Indices count the known operations first, then the unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// Rows are not in the order asked for, or one shows twice.
    RowsOutOfOrder(Place),
    /// A row shows that was not asked for.
    OutsideSlice(Place),
    /// More rows than the limit show.
    LimitExceeded,
    /// Static cells show without a row to show them beside.
    StaticWithoutRow,
    /// No operation wrote this value there.
    Unwritten(Place, Column, Scalar),
    /// The writer of a value is excluded, for another part of it is not there.
    WriterExcluded(usize),
    /// A known operation would hide what shows.
    Hidden {
        /// The known operation.
        by: usize,
        /// The operation whose value shows; none when a bare row does.
        writer: Option<usize>,
        /// Where.
        place: Place,
    },
    /// A known operation's effect would show, and does not.
    Missing(usize, Place),
    /// A row shows that has neither a live cell nor, possibly, a live marker.
    RowWithoutContent(Place),
}

/// What shows at a place: its cells, or none when the row does not show.
struct Observed<'a> {
    place: Place,
    cells: Option<&'a BTreeMap<Column, Scalar>>,
}

struct Search<'a> {
    all: Vec<&'a Operation>,
    known_count: usize,
    is_in: Vec<bool>,
    shown: BTreeSet<usize>,
}

/// The greatest consistent set of an answer.
///
/// # Errors
/// A [`Contradiction`] when no set of unknown operations explains the answer.
pub fn explain(
    known: &[&Operation],
    unknown: &[&Operation],
    read: &ReadRequest<'_>,
    seen: &PartitionSeen,
) -> Result<Consistent, Contradiction> {
    check_form(read, seen)?;
    let all: Vec<&Operation> = known.iter().chain(unknown).copied().collect();
    let is_in = vec![true; all.len()];
    let mut search = Search {
        all,
        known_count: known.len(),
        is_in,
        shown: BTreeSet::new(),
    };
    let observed = observed(&search.all, read, seen);
    while search.step(&observed)? {}
    let rest = search.rest();
    let rest: Vec<&Operation> = rest.iter().map(|index| search.all[*index]).collect();
    assert_eq!(
        evaluate(&rest, read),
        *seen,
        "the greatest consistent set explains the answer"
    );
    let excluded = (known.len()..search.all.len())
        .filter(|index| !search.is_in[*index])
        .map(|index| index - known.len())
        .collect();
    let shown = search
        .shown
        .iter()
        .filter_map(|index| index.checked_sub(known.len()))
        .collect();
    Ok(Consistent { excluded, shown })
}

/// What can be said of an answer without any operation.
fn check_form(read: &ReadRequest<'_>, seen: &PartitionSeen) -> Result<(), Contradiction> {
    if let Some(row) = seen.rows.iter().find(|row| !read.asks_for(&row.clustering)) {
        return Err(Contradiction::OutsideSlice(Place::Row(
            row.clustering.clone(),
        )));
    }
    let wrong = seen.rows.windows(2).find(|pair| {
        read.compare(&pair[0].clustering, &pair[1].clustering)
            .is_ge()
    });
    if let Some(pair) = wrong {
        return Err(Contradiction::RowsOutOfOrder(Place::Row(
            pair[1].clustering.clone(),
        )));
    }
    if read.limit.is_some_and(|limit| seen.rows.len() > limit) {
        return Err(Contradiction::LimitExceeded);
    }
    if seen.rows.is_empty() && !read.slice.is_whole() && !seen.statics.is_empty() {
        return Err(Contradiction::StaticWithoutRow);
    }
    Ok(())
}

/// Every place of which the answer says something: what shows, and what does not. A read that
/// reached its limit says nothing of what comes after its last row.
fn observed<'a>(
    operations: &[&Operation],
    read: &ReadRequest<'_>,
    seen: &'a PartitionSeen,
) -> Vec<Observed<'a>> {
    let last = match read.limit {
        Some(limit) if seen.rows.len() == limit => seen.rows.last(),
        _ => None,
    };
    let is_covered = |row: &[Scalar]| {
        let is_before = |last: &RowSeen| read.compare(row, &last.clustering).is_le();
        read.asks_for(row) && last.is_none_or(is_before)
    };
    let mut observed: Vec<Observed<'a>> = seen
        .rows
        .iter()
        .map(|row| Observed {
            place: Place::Row(row.clustering.clone()),
            cells: Some(&row.cells),
        })
        .collect();
    let shown: BTreeSet<&[Scalar]> = seen
        .rows
        .iter()
        .map(|row| row.clustering.as_slice())
        .collect();
    let named: BTreeSet<&[Scalar]> = operations
        .iter()
        .filter_map(|operation| effects::row(operation))
        .collect();
    for row in named.difference(&shown).filter(|row| is_covered(row)) {
        observed.push(Observed {
            place: Place::Row(row.to_vec()),
            cells: None,
        });
    }
    if !seen.rows.is_empty() || read.slice.is_whole() {
        observed.push(Observed {
            place: Place::Static,
            cells: Some(&seen.statics),
        });
    }
    observed
}

impl<'a> Search<'a> {
    fn rest(&self) -> Vec<usize> {
        (0..self.all.len())
            .filter(|index| self.is_in[*index])
            .collect()
    }

    /// One round over everything observed; whether it dropped anything.
    fn step(&mut self, observed: &[Observed<'_>]) -> Result<bool, Contradiction> {
        let mut dropped = false;
        for observed in observed {
            let place = &observed.place;
            for (column, value) in observed.cells.into_iter().flatten() {
                dropped |= self.keep_cell(place, *column, value)?;
            }
            let is_bare = observed.cells.is_some_and(BTreeMap::is_empty);
            if is_bare && *place != Place::Static {
                dropped |= self.keep_marker(place)?;
            }
            for column in columns_at(&self.all, place) {
                if observed
                    .cells
                    .is_none_or(|cells| !cells.contains_key(&column))
                {
                    dropped |= self.hide_cell(place, column)?;
                }
            }
            if observed.cells.is_none() {
                dropped |= self.hide_marker(place)?;
            }
        }
        Ok(dropped)
    }

    /// A value shows: its writer is in, whatever would hide it is out.
    fn keep_cell(
        &mut self,
        place: &Place,
        column: Column,
        value: &Scalar,
    ) -> Result<bool, Contradiction> {
        let writes = |operation: &&Operation| {
            effects::cell(operation, place, column).is_some_and(|cell| cell.value == Some(value))
        };
        let Some(writer) = self.all.iter().position(writes) else {
            return Err(Contradiction::Unwritten(
                place.clone(),
                column,
                value.clone(),
            ));
        };
        if !self.is_in[writer] {
            return Err(Contradiction::WriterExcluded(writer));
        }
        self.shown.insert(writer);
        let own =
            effects::cell(self.all[writer], place, column).expect("the writer writes the cell");
        let hides = |operation: &Operation| {
            let cell = effects::cell(operation, place, column);
            effects::deletion(operation, place).is_some_and(|at| own.timestamp <= at)
                || cell.is_some_and(|cell| cell.against(&own).is_gt())
        };
        self.drop_hiders(place, Some(writer), hides)
    }

    /// A row shows without cells: one of the markers must be live, so no deletion as late as the
    /// latest marker is in.
    fn keep_marker(&mut self, place: &Place) -> Result<bool, Contradiction> {
        let markers = self
            .rest()
            .into_iter()
            .filter_map(|index| effects::marker(self.all[index], place));
        let Some(latest) = markers.max() else {
            return Err(Contradiction::RowWithoutContent(place.clone()));
        };
        let hides = |operation: &Operation| {
            effects::deletion(operation, place).is_some_and(|at| latest <= at)
        };
        self.drop_hiders(place, None, hides)
    }

    fn drop_hiders(
        &mut self,
        place: &Place,
        writer: Option<usize>,
        hides: impl Fn(&Operation) -> bool,
    ) -> Result<bool, Contradiction> {
        let hiders: Vec<usize> = self
            .rest()
            .into_iter()
            .filter(|index| hides(self.all[*index]))
            .collect();
        for hider in &hiders {
            if *hider < self.known_count {
                return Err(Contradiction::Hidden {
                    by: *hider,
                    writer,
                    place: place.clone(),
                });
            }
            self.is_in[*hider] = false;
        }
        Ok(!hiders.is_empty())
    }

    /// No value shows: whatever would show is out, until nothing does.
    fn hide_cell(&mut self, place: &Place, column: Column) -> Result<bool, Contradiction> {
        self.hide(place, |operations| {
            Some(live_cell(operations, place, column)?.0)
        })
    }

    /// No row shows: no marker is live.
    fn hide_marker(&mut self, place: &Place) -> Result<bool, Contradiction> {
        self.hide(place, |operations| live_marker(operations, place))
    }

    fn hide(
        &mut self,
        place: &Place,
        live: impl Fn(&[&'a Operation]) -> Option<usize>,
    ) -> Result<bool, Contradiction> {
        let mut dropped = false;
        loop {
            let rest = self.rest();
            let operations: Vec<&'a Operation> =
                rest.iter().map(|index| self.all[*index]).collect();
            let Some(position) = live(&operations) else {
                return Ok(dropped);
            };
            let index = rest[position];
            if index < self.known_count {
                return Err(Contradiction::Missing(index, place.clone()));
            }
            self.is_in[index] = false;
            dropped = true;
        }
    }
}
