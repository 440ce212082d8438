//! Steps of reading an answer: what can be said of it without any operation, and every place of
//! which it says something.

use std::collections::{BTreeMap, BTreeSet};

use super::consistent::Contradiction;
use super::evaluate::ReadRequest;
use super::objection::Place;
use super::said::{Said, Spot};
use super::slot::{Content, Slot, of_value};
use crate::history::PartitionSeen;
use crate::plan::{Collection, Column, Scalar, Value};

/// What shows at a place: its cells, ascending by column, or none when the row does not show.
pub(super) struct Observed<'b, 'a> {
    pub(super) spot: &'b Spot<'a>,
    pub(super) cells: Option<Vec<(Slot<'a>, Content<'a>)>>,
}

impl Observed<'_, '_> {
    /// Whether the cell shows.
    pub(super) fn shows(&self, slot: Slot<'_>) -> bool {
        let cells = self.cells.as_deref().unwrap_or_default();
        cells.iter().any(|(own, _)| *own == slot)
    }
}

/// What can be said of an answer without any operation.
pub(super) fn check_form(
    read: &ReadRequest<'_>,
    seen: &PartitionSeen,
) -> Result<(), Contradiction> {
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
    let malformed = |cells: &BTreeMap<Column, Value>| {
        let mut cells = cells.iter();
        let malformed = cells.find(|(_, value)| !is_formed(value));
        malformed.map(|(column, _)| *column)
    };
    if let Some(column) = malformed(&seen.statics) {
        return Err(Contradiction::CollectionMalformed(Place::Static, column));
    }
    for row in &seen.rows {
        if let Some(column) = malformed(&row.cells) {
            let place = Place::Row(row.clustering.clone());
            return Err(Contradiction::CollectionMalformed(place, column));
        }
    }
    Ok(())
}

/// Whether a column can show this: elements by their keys, each once; without any it is null.
fn is_formed(value: &Value) -> bool {
    let Some(collection) = value.collection() else {
        return true;
    };
    let is_null = matches!(value, Value::Many(_)) && collection.is_empty();
    let is_twice = match (value, collection) {
        (Value::Many(_), Collection::List(items)) => {
            let distinct: BTreeSet<&Scalar> = items.iter().collect();
            distinct.len() < items.len()
        }
        _ => false,
    };
    !is_null && !is_twice && collection.is_in_order()
}

fn cells(of: &BTreeMap<Column, Value>) -> Vec<(Slot<'_>, Content<'_>)> {
    of.iter()
        .flat_map(|(column, value)| of_value(*column, value))
        .collect()
}

/// Every place of which the answer says something: what shows, and what does not.
pub(super) fn observed<'b, 'a>(
    said: &'b Said<'a>,
    read: &ReadRequest<'_>,
    seen: &'a PartitionSeen,
) -> Vec<Observed<'b, 'a>> {
    let shown = seen.rows.iter().map(|row| Observed {
        spot: said
            .row(&row.clustering)
            .expect("the rows that show are among those sorted out"),
        cells: Some(cells(&row.cells)),
    });
    let mut observed: Vec<Observed<'b, 'a>> = shown.collect();
    let mut shown: Vec<&[Scalar]> = seen
        .rows
        .iter()
        .map(|row| row.clustering.as_slice())
        .collect();
    shown.sort_unstable();
    for spot in said.rows() {
        let row = spot.row.unwrap_or_default();
        if shown.binary_search(&row).is_err() && read.is_told_of(row, seen) {
            observed.push(Observed { spot, cells: None });
        }
    }
    if !seen.rows.is_empty() || read.slice.is_whole() {
        observed.push(Observed {
            spot: said.statics(),
            cells: Some(cells(&seen.statics)),
        });
    }
    observed
}
