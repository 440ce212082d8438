//! Vocabulary of what is said of places: per row that a read asks for, and beside the rows, all that
//! operations say there of cells and markers, and all by which they hide others. Sorted out once a read;
//! which of the operations count is asked anew each time.

use super::effects::{self, CellEffect, MarkerEffect};
use super::evaluate::ReadRequest;
use super::landed::Landed;
use super::objection::Place;
use super::order::contains;
use super::slot::{Content, Slot};
use crate::plan::{Column, Operation, Scalar};

/// What one operation says of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct SaidCell<'a> {
    pub(super) slot: Slot<'a>,
    /// The operation's index.
    pub(super) by: usize,
    pub(super) effect: CellEffect<'a>,
}

/// How much one operation hides at a place.
#[derive(Clone, Copy, Debug)]
enum Reach {
    /// All there is.
    Place,
    /// All cells of a column: it dropped the column.
    Column(Column),
    /// All elements of a column.
    Elements(Column),
}

/// What one operation hides at a place, whatever cell it may write itself.
#[derive(Clone, Copy, Debug)]
struct Cover {
    by: usize,
    reach: Reach,
    /// The write time up to which it makes dead.
    at: i64,
}

/// All that operations say of one place.
#[derive(Clone, Debug)]
pub(super) struct Spot<'a> {
    /// Its clustering values; none beside the rows.
    pub(super) row: Option<&'a [Scalar]>,
    /// Ascending by cell, then by operation.
    cells: Vec<SaidCell<'a>>,
    /// Ascending by operation, as the next.
    markers: Vec<(usize, MarkerEffect)>,
    covers: Vec<Cover>,
}

/// All that operations say of the places of a read.
#[derive(Clone, Debug)]
pub(super) struct Said<'a> {
    /// Ascending by their clustering values.
    rows: Vec<Spot<'a>>,
    statics: Spot<'a>,
}

impl<'a> Said<'a> {
    /// What these operations say, told apart by their indices, of every row that one of them names or
    /// that shows, and that the read asks for.
    pub(super) fn of(
        operations: &[Landed<'a>],
        read: &ReadRequest<'_>,
        shown: impl Iterator<Item = &'a [Scalar]>,
    ) -> Said<'a> {
        let named = operations
            .iter()
            .filter_map(|operation| effects::row(operation.what));
        let mut rows: Vec<&[Scalar]> = named.chain(shown).collect();
        rows.sort_unstable();
        rows.dedup();
        let asked_for = rows.into_iter().filter(|row| read.asks_for(row));
        let mut said = Said {
            rows: asked_for.map(|row| Spot::new(Some(row))).collect(),
            statics: Spot::new(None),
        };
        for (by, landed) in operations.iter().enumerate() {
            said.add(by, landed);
        }
        for spot in said.rows.iter_mut().chain([&mut said.statics]) {
            spot.cells.sort_by_key(|cell| (cell.slot, cell.by));
            // Of two entries with one key the first counts.
            spot.cells.dedup_by_key(|cell| (cell.slot, cell.by));
        }
        said
    }

    pub(super) fn rows(&self) -> &[Spot<'a>] {
        &self.rows
    }

    pub(super) fn row(&self, row: &[Scalar]) -> Option<&Spot<'a>> {
        self.position(row).map(|position| &self.rows[position])
    }

    pub(super) const fn statics(&self) -> &Spot<'a> {
        &self.statics
    }

    fn position(&self, row: &[Scalar]) -> Option<usize> {
        let found = self.rows.binary_search_by(|spot| spot.row.cmp(&Some(row)));
        found.ok()
    }

    fn add(&mut self, by: usize, landed: &Landed<'a>) {
        match landed.what {
            Operation::Insert { row, .. }
            | Operation::Update { row, .. }
            | Operation::DeleteCells { row, .. } => {
                let position = row.as_ref().and_then(|row| self.position(row));
                self.add_write(by, landed, position);
            }
            Operation::DeletePartition { .. } => self.add_cover(by, landed.what, |_| true),
            Operation::DeleteRow { row, .. } => {
                self.add_cover(by, landed.what, |at| at == Some(row));
            }
            Operation::DeleteRange { slice, .. } => {
                let is_within = |at: Option<&[Scalar]>| at.is_some_and(|at| contains(slice, at));
                self.add_cover(by, landed.what, is_within);
            }
            Operation::DropColumn {
                column,
                dropped_micros,
                ..
            } => {
                let (reach, at) = (Reach::Column(*column), *dropped_micros);
                let cover = Cover { by, reach, at };
                let spots = self.rows.iter_mut().chain([&mut self.statics]);
                spots.for_each(|spot| spot.covers.push(cover));
            }
            _ => {}
        }
    }

    /// Adds a deletion of all that is at some places.
    fn add_cover(
        &mut self,
        by: usize,
        what: &Operation,
        is_covered: impl Fn(Option<&[Scalar]>) -> bool,
    ) {
        let Some(at) = what.timestamp() else {
            return;
        };
        let reach = Reach::Place;
        for spot in self.rows.iter_mut().chain([&mut self.statics]) {
            if is_covered(spot.row) {
                spot.covers.push(Cover { by, reach, at });
            }
        }
    }

    /// Adds a write: what it says of static columns it says beside the rows, whichever row it names.
    fn add_write(&mut self, by: usize, landed: &Landed<'a>, position: Option<usize>) {
        let (rows, statics) = (&mut self.rows, &mut self.statics);
        let mut row = position.map(|position| &mut rows[position]);
        effects::put_cells(landed, |slot, effect| {
            if let Some(spot) = spot_of(slot.column, &mut row, statics) {
                spot.cells.push(SaidCell { slot, by, effect });
            }
        });
        effects::put_elements_deletions(landed, |column, at| {
            if let Some(spot) = spot_of(column, &mut row, statics) {
                let reach = Reach::Elements(column);
                spot.covers.push(Cover { by, reach, at });
            }
        });
        if let (Some(spot), Some(marker)) = (row, effects::own_marker(landed)) {
            spot.markers.push((by, marker));
        }
    }
}

fn spot_of<'s, 'a>(
    column: Column,
    row: &'s mut Option<&mut Spot<'a>>,
    statics: &'s mut Spot<'a>,
) -> Option<&'s mut Spot<'a>> {
    match column {
        Column::Static(_) => Some(statics),
        Column::Regular(_) => row.as_deref_mut(),
    }
}

impl<'a> Spot<'a> {
    const fn new(row: Option<&'a [Scalar]>) -> Spot<'a> {
        Spot {
            row,
            cells: Vec::new(),
            markers: Vec::new(),
            covers: Vec::new(),
        }
    }

    pub(super) fn place(&self) -> Place {
        let row = self.row.map(|row| Place::Row(row.to_vec()));
        row.unwrap_or(Place::Static)
    }

    /// What is said of each cell of which anything is, ascending.
    pub(super) fn slots(&self) -> impl Iterator<Item = &[SaidCell<'a>]> {
        self.cells.chunk_by(|left, right| left.slot == right.slot)
    }

    /// The same of one column after the other.
    pub(super) fn columns(&self) -> impl Iterator<Item = &[SaidCell<'a>]> {
        self.cells
            .chunk_by(|left, right| left.slot.column == right.slot.column)
    }

    /// What is said of one cell.
    pub(super) fn cell(&self, slot: Slot<'_>) -> &[SaidCell<'a>] {
        let begin = self.cells.partition_point(|cell| cell.slot < slot);
        let rest = &self.cells[begin..];
        let count = rest.partition_point(|cell| cell.slot == slot);
        &rest[..count]
    }

    pub(super) fn markers(&self) -> &[(usize, MarkerEffect)] {
        &self.markers
    }

    /// Each operation that makes all at the place dead, and up to which write time.
    pub(super) fn deletions(&self) -> impl Iterator<Item = (usize, i64)> {
        let of_place = self
            .covers
            .iter()
            .filter(|cover| matches!(cover.reach, Reach::Place));
        of_place.map(|cover| (cover.by, cover.at))
    }

    /// Each operation that makes a cell dead whatever cell it may write itself, and up to which write time.
    pub(super) fn covers(&self, slot: Slot<'_>) -> impl Iterator<Item = (usize, i64)> {
        let reaches = move |cover: &&Cover| match cover.reach {
            Reach::Place => true,
            Reach::Column(column) => column == slot.column,
            Reach::Elements(column) => column == slot.column && slot.is_element(),
        };
        let covers = self.covers.iter().filter(reaches);
        covers.map(|cover| (cover.by, cover.at))
    }

    /// The operation whose value is live in the cell of which this is said, and the value, when exactly
    /// these operations count.
    pub(super) fn live_cell(
        &self,
        cell: &[SaidCell<'a>],
        is_in: &[bool],
        now_seconds: u32,
    ) -> Option<(usize, Content<'a>)> {
        let mut best: Option<&SaidCell<'a>> = None;
        for said in cell.iter().filter(|said| is_in[said.by]) {
            if best.is_none_or(|best| said.effect.against(&best.effect).is_gt()) {
                best = Some(said);
            }
        }
        let SaidCell { slot, by, effect } = best?;
        let value = effect.value.filter(|_| effect.is_live(now_seconds))?;
        let mut covers = self.covers(*slot);
        let is_covered = covers.any(|(by, at)| is_in[by] && effect.timestamp <= at);
        (!is_covered).then_some((*by, value))
    }

    /// The operation whose row marker is live, when exactly these operations count.
    pub(super) fn live_marker(&self, is_in: &[bool], now_seconds: u32) -> Option<usize> {
        let mut best: Option<&(usize, MarkerEffect)> = None;
        for said in self.markers.iter().filter(|(by, _)| is_in[*by]) {
            if best.is_none_or(|best| said.1.against(&best.1).is_gt()) {
                best = Some(said);
            }
        }
        let (by, effect) = best.filter(|(_, effect)| effect.is_live(now_seconds))?;
        let mut deletions = self.deletions();
        let is_deleted = deletions.any(|(by, at)| is_in[by] && effect.timestamp <= at);
        (!is_deleted).then_some(*by)
    }
}
