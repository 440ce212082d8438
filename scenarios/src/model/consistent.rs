//! Steps to the greatest consistent set: of the operations that may have landed, the largest set
//! that explains an answer together with those that must have.
//!
//! Start with all of them. Drop each whose effect would hide what shows. Drop each whose own live
//! cell or marker would show where nothing does; that may uncover another, so repeat. A dropped
//! operation is in no consistent set: whatever hides it in one is also in the set at hand. So when
//! nothing more is to be dropped, the rest explains the answer or no set does. Operations are
//! dropped whole.
//!
//! A write with a time to live whose second nobody told stands here once for each second. Of two of
//! these the later hides all of the earlier and lives longer, so a set with both says what it says
//! with the later alone: choosing one second is choosing a subset, and the argument holds.
//!
//! What shows may be hidden with an excuse: a compaction forgot what hides it. Excuses rest on
//! operations of the set, so a smaller set has fewer of them; what has to be dropped from the set at
//! hand has to be dropped from every smaller one. Where nothing shows, no excuse is needed: leaving
//! out whatever a compaction let through shows what the rest shows.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{self, MarkerEffect};
use super::evaluate::{ReadRequest, is_same_but_for_lists, shows};
use super::excuse::{Part, Veil, takes_veil, veils};
use super::form::{Observed, check_form, observed};
use super::landed::Landed;
use super::objection::Place;
use super::said::{Said, SaidCell, Spot};
use super::slot::{Content, Slot};
use crate::history::PartitionSeen;
use crate::plan::Column;

/// The operations that may explain an answer. Positions count the known ones first, then the
/// unknown.
#[derive(Clone, Debug, Default)]
pub struct Candidates<'a> {
    /// What must have landed.
    pub known: Vec<Landed<'a>>,
    /// What may have.
    pub unknown: Vec<Landed<'a>>,
    /// By position of a decayed part: the position of its write, without which it is not there.
    pub part_of: BTreeMap<usize, usize>,
    /// Pairs of a deletion and a write, by position: a compaction may have forgotten the deletion
    /// before the write landed.
    pub forgettable: BTreeSet<(usize, usize)>,
    /// Parts of writes, by position, that were seen to be dead for good: for them there is no excuse.
    pub settled: BTreeSet<(usize, Part<'a>)>,
    /// Columns that the table may not have had: their cells show nothing when they do not show.
    pub absent: BTreeSet<Column>,
}

/// The largest explanation of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consistent {
    /// Indices of the unknown operations that every explanation leaves out.
    pub excluded: BTreeSet<usize>,
    /// Positions of the operations whose own value shows.
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
    /// A collection shows without elements, with one twice, or with keys that do not ascend.
    CollectionMalformed(Place, Column),
    /// No operation wrote this there: a value, or the key of an element.
    Unwritten(Place, Column, String),
    /// The time to live of the value's write was over.
    Expired(usize, Place),
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

struct Search<'a, 'b> {
    candidates: &'b Candidates<'a>,
    all: Vec<Landed<'a>>,
    now_seconds: u32,
    is_in: Vec<bool>,
    shown: BTreeSet<usize>,
    /// Columns that the table may not have had, for none of their cells shows anywhere.
    absent: BTreeSet<Column>,
}

/// The greatest consistent set of an answer.
///
/// # Errors
/// A [`Contradiction`] when no set of unknown operations explains the answer.
pub fn explain(
    candidates: &Candidates<'_>,
    read: &ReadRequest<'_>,
    seen: &PartitionSeen,
) -> Result<Consistent, Contradiction> {
    check_form(read, seen)?;
    let all: Vec<Landed<'_>> = [&candidates.known[..], &candidates.unknown[..]].concat();
    let shown_rows = seen.rows.iter().map(|row| row.clustering.as_slice());
    let said = Said::of(&all, read, shown_rows);
    let is_in = vec![true; all.len()];
    let mut search = Search {
        candidates,
        all,
        now_seconds: read.now_seconds,
        is_in,
        shown: BTreeSet::new(),
        absent: candidates.absent.clone(),
    };
    let rows = seen.rows.iter().flat_map(|row| row.cells.keys());
    for column in seen.statics.keys().chain(rows) {
        search.absent.remove(column);
    }
    let observed = observed(&said, read, seen);
    while search.step(&observed)? {}
    if candidates.forgettable.is_empty() && candidates.absent.is_empty() {
        let shows = shows(&said, &search.all, &search.is_in, read);
        assert!(
            is_same_but_for_lists(&shows, seen),
            "the greatest consistent set shows {shows}, the answer {seen}"
        );
    }
    let known_count = candidates.known.len();
    let excluded = (known_count..search.all.len())
        .filter(|index| !search.is_in[*index])
        .map(|index| index - known_count)
        .collect();
    Ok(Consistent {
        excluded,
        shown: search.shown,
    })
}

impl<'a> Search<'a, '_> {
    /// One round over everything observed; whether it dropped anything.
    fn step(&mut self, observed: &[Observed<'_, 'a>]) -> Result<bool, Contradiction> {
        let mut dropped = self.drop_parts();
        for observed in observed {
            let spot = observed.spot;
            for (slot, content) in observed.cells.iter().flatten() {
                dropped |= self.keep_cell(spot, *slot, *content)?;
            }
            let is_bare = observed.cells.as_ref().is_some_and(Vec::is_empty);
            if is_bare && spot.row.is_some() {
                dropped |= self.keep_marker(spot)?;
            }
            for cell in spot.slots() {
                let slot = cell[0].slot;
                if !observed.shows(slot) && !self.absent.contains(&slot.column) {
                    dropped |= self.hide_cell(spot, cell)?;
                }
            }
            if observed.cells.is_none() {
                dropped |= self.hide_marker(spot)?;
            }
        }
        Ok(dropped)
    }

    /// What is left of a write is not there without it.
    fn drop_parts(&mut self) -> bool {
        let mut dropped = false;
        for (part, of) in &self.candidates.part_of {
            if self.is_in[*part] && !self.is_in[*of] {
                self.is_in[*part] = false;
                dropped = true;
            }
        }
        dropped
    }

    /// A cell shows: its writer is in, whatever would hide it is out. An element of a set does not tell its
    /// writer: as with markers, what hides the strongest hides the others too, excuses apart.
    fn keep_cell(
        &mut self,
        spot: &Spot<'a>,
        slot: Slot<'a>,
        content: Content<'a>,
    ) -> Result<bool, Contradiction> {
        let cell = spot.cell(slot);
        let writers = || cell.iter().filter(|own| own.effect.value == Some(content));
        let Some(first) = writers().next() else {
            let (column, told) = (slot.column, slot.told(content));
            return Err(Contradiction::Unwritten(spot.place(), column, told));
        };
        let is_any_in = writers().any(|own| self.is_in[own.by]);
        let live =
            || writers().filter(|own| self.is_in[own.by] && own.effect.is_live(self.now_seconds));
        let stronger = |best, own| {
            let (best, own): (&SaidCell<'a>, &SaidCell<'a>) = (best, own);
            let is_stronger = own.effect.against(&best.effect).is_gt();
            if is_stronger { own } else { best }
        };
        let best = match (live().reduce(stronger), is_any_in) {
            (Some(best), _) => best,
            (None, true) => return Err(Contradiction::Expired(first.by, spot.place())),
            (None, false) => return Err(Contradiction::WriterExcluded(first.by)),
        };
        let hiders_of = |own| self.hiders(spot, cell, own, content);
        let hiders = match content.is_unique() || self.candidates.forgettable.is_empty() {
            true => hiders_of(best),
            false => live().map(hiders_of).reduce(in_both).unwrap_or_default(),
        };
        if content.is_unique() {
            self.shown.insert(best.by);
        }
        self.drop_hiders(spot, Some(best.by), &hiders)
    }

    /// What hides this live cell, where its content shows, and has no excuse.
    fn hiders(
        &self,
        spot: &Spot<'a>,
        cell: &[SaidCell<'a>],
        own: &SaidCell<'a>,
        content: Content<'a>,
    ) -> Vec<usize> {
        let shows = |other: &SaidCell<'_>| {
            other.effect.value == Some(content) && other.effect.is_live(self.now_seconds)
        };
        let covers = spot.covers(own.slot);
        let covers = covers.filter(|(_, at)| own.effect.timestamp <= *at);
        let stronger = cell
            .iter()
            .filter(|other| other.effect.against(&own.effect).is_gt() && !shows(other));
        let hiders = covers
            .map(|(by, _)| by)
            .chain(stronger.map(|other| other.by));
        let mut hiders = self.rest(hiders);
        self.excuse(&mut hiders, own.by, spot, Part::Cell(own.slot));
        hiders
    }

    /// A row shows without cells: one of the markers must be live. What hides the strongest of those
    /// that live hides the others too, excuses apart; with them, what hides all is out.
    fn keep_marker(&mut self, spot: &Spot<'a>) -> Result<bool, Contradiction> {
        let is_live = |(by, marker): &&(usize, MarkerEffect)| {
            self.is_in[*by] && marker.is_live(self.now_seconds)
        };
        let live = spot.markers().iter().filter(is_live);
        let mut markers: Vec<(usize, MarkerEffect)> = live.copied().collect();
        markers.sort_by(|(_, left), (_, right)| right.against(left));
        if markers.is_empty() {
            return Err(Contradiction::RowWithoutContent(spot.place()));
        }
        if self.candidates.forgettable.is_empty() {
            markers.truncate(1);
        }
        let hiders_of = |(index, own): (usize, MarkerEffect)| {
            let deletions = spot.deletions().filter(|(_, at)| own.timestamp <= *at);
            let stronger = spot.markers().iter().filter(|(_, other)| {
                other.against(&own).is_gt() && !other.is_live(self.now_seconds)
            });
            let hiders = deletions
                .map(|(by, _)| by)
                .chain(stronger.map(|(by, _)| *by));
            let mut hiders = self.rest(hiders);
            self.excuse(&mut hiders, index, spot, Part::Marker);
            hiders
        };
        let hiders = markers.into_iter().map(hiders_of).reduce(in_both);
        self.drop_hiders(spot, None, &hiders.unwrap_or_default())
    }

    /// Those that are in, each once, in their order.
    fn rest(&self, all: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut rest: Vec<usize> = all.filter(|index| self.is_in[*index]).collect();
        rest.sort_unstable();
        rest.dedup();
        rest
    }

    /// Leaves out what a compaction may have forgotten, or may have taken with what it forgot,
    /// before this write landed.
    fn excuse(&self, hiders: &mut Vec<usize>, writer: usize, spot: &Spot<'_>, part: Part<'_>) {
        let forgettable = &self.candidates.forgettable;
        let is_settled = || self.candidates.settled.contains(&(writer, part));
        if forgettable.is_empty() || hiders.is_empty() || is_settled() {
            return;
        }
        let place = &spot.place();
        let is_forgotten = |index: &usize| {
            self.is_in[*index]
                && forgettable.contains(&(*index, writer))
                && effects::may_concern(self.all[*index].what, place)
        };
        let forgotten: Vec<usize> = (0..self.all.len()).filter(is_forgotten).collect();
        hiders.retain(|hider| {
            let hidden = &self.all[*hider];
            let is_gone = |veil: &Veil<'_>| {
                (veil.is_mortal() && forgotten.contains(hider))
                    || forgotten.iter().any(|index| {
                        index != hider && takes_veil(&self.all[*index], hidden, veil, place)
                    })
            };
            let mut veils = veils(hidden, place, part);
            veils.retain(|veil| veil.hides(&self.all[writer], place, part));
            veils.is_empty() || !veils.iter().all(is_gone)
        });
    }

    fn drop_hiders(
        &mut self,
        spot: &Spot<'_>,
        writer: Option<usize>,
        hiders: &[usize],
    ) -> Result<bool, Contradiction> {
        for hider in hiders {
            if *hider < self.candidates.known.len() {
                return Err(Contradiction::Hidden {
                    by: *hider,
                    writer,
                    place: spot.place(),
                });
            }
            self.is_in[*hider] = false;
        }
        Ok(!hiders.is_empty())
    }

    /// No value shows: whatever would show is out, until nothing does.
    fn hide_cell(&mut self, spot: &Spot<'a>, cell: &[SaidCell<'a>]) -> Result<bool, Contradiction> {
        let now_seconds = self.now_seconds;
        let live = |is_in: &[bool]| Some(spot.live_cell(cell, is_in, now_seconds)?.0);
        self.hide(spot, live)
    }

    /// No row shows: no marker is live.
    fn hide_marker(&mut self, spot: &Spot<'_>) -> Result<bool, Contradiction> {
        let now_seconds = self.now_seconds;
        self.hide(spot, |is_in| spot.live_marker(is_in, now_seconds))
    }

    fn hide(
        &mut self,
        spot: &Spot<'_>,
        live: impl Fn(&[bool]) -> Option<usize>,
    ) -> Result<bool, Contradiction> {
        let mut dropped = false;
        while let Some(index) = live(&self.is_in) {
            if index < self.candidates.known.len() {
                return Err(Contradiction::Missing(index, spot.place()));
            }
            self.is_in[index] = false;
            dropped = true;
        }
        Ok(dropped)
    }
}

/// Those that are in both.
fn in_both(mut first: Vec<usize>, second: Vec<usize>) -> Vec<usize> {
    first.retain(|index| second.contains(index));
    first
}
