//! Invariants of extents: writes that share a page survive in order; of each, all, none, or its first units.
//!
//! This serves where bytes are not each unit's own affair: file systems that link written extents in,
//! journals that hold the bytes too, and devices that tear a write at one place only.

use super::chance::RegisterName;
use super::constraints::{DataOrder, GrowthFill};
use super::content::Content;
use super::crash_content::{ContentDraw, Length, Mood, Unit, size_before};
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::pending::Change;
use super::table::page_of;
use super::tear::Tear;

/// How many units of each pending write survive, from its first on.
pub(super) struct Kept {
    /// By position in the list of changes: the write's offset, and its units kept.
    writes: Vec<(u64, u64)>,
    unit_size: u64,
}

/// A pending write, as far as it may survive.
#[derive(Clone, Copy)]
struct Piece {
    /// The change that it is, from 1 on.
    count: usize,
    offset: u64,
    end: u64,
    /// Steps in which it survives: 1 when whole or not at all, else one a unit.
    steps: u64,
    may_survive: bool,
    must_survive: bool,
}

impl Kept {
    /// The newest version of the unit at `start` whose write survives there.
    pub(super) fn version(&self, unit: &Unit, start: u64) -> usize {
        let survives = |version: &(usize, Vec<u8>)| match version.0.checked_sub(1) {
            None => true,
            Some(index) => {
                let (offset, kept) = self.writes[index];
                (start / self.unit_size).saturating_sub(offset / self.unit_size) < kept
            }
        };
        unit.versions.iter().rposition(survives).unwrap_or(0)
    }
}

impl ContentDraw<'_> {
    /// Between which boundaries a write's length may reach the medium in parts.
    pub(super) fn size_unit(&self) -> u64 {
        if self.keeps_writes_whole() {
            u64::MAX >> 2
        } else {
            self.tear.unit_size() as u64
        }
    }

    fn keeps_writes_whole(&self) -> bool {
        self.constraints.data == DataOrder::Extents || self.tear == Tear::Atomic
    }
}

impl Content {
    /// What survives of each write; none where every unit fares by itself.
    pub(super) fn kept(
        &self,
        mood: Mood,
        sizes: &[(usize, u64)],
        length: &Length,
        draw: &mut ContentDraw<'_>,
    ) -> Option<Kept> {
        let apart = draw.constraints.data == DataOrder::Units && draw.tear.tears_anywhere();
        if apart || draw.constraints.data == DataOrder::Synced {
            return None;
        }
        let mut writes = vec![(0, 0); self.pending.changes().len()];
        for extent in self.extents(sizes, length, draw) {
            let cut = extent_cut(&extent, mood, length.torn, draw);
            let mut left = cut;
            for piece in extent {
                let kept = if left >= piece.steps { u64::MAX } else { left };
                writes[piece.count - 1] = (piece.offset, kept);
                left = left.saturating_sub(piece.steps);
            }
        }
        Some(Kept {
            writes,
            unit_size: draw.tear.unit_size() as u64,
        })
    }

    /// Units kept of the write at which the history of bytes ends, if it ends at one; never all.
    pub(super) fn torn_units(&self, draw: &mut ContentDraw<'_>) -> u64 {
        let Some((offset, size)) = self.write_at_horizon(draw) else {
            return 0;
        };
        let unit_size = draw.tear.unit_size() as u64;
        let units = (offset + size - 1) / unit_size - offset / unit_size + 1;
        if units < 2 || draw.keeps_writes_whole() {
            return 0;
        }
        let register = RegisterName::Torn { inode: draw.inode };
        draw.chance.below(register, units)
    }

    /// Where the kept units of a torn write end.
    pub(super) fn torn_end(&self, torn: u64, draw: &ContentDraw<'_>) -> Option<u64> {
        let unit_size = draw.tear.unit_size() as u64;
        let (offset, _) = self.write_at_horizon(draw).filter(|_| torn > 0)?;
        Some((offset / unit_size + torn) * unit_size)
    }

    fn write_at_horizon(&self, draw: &ContentDraw<'_>) -> Option<(u64, u64)> {
        if draw.constraints.data != DataOrder::Prefix {
            return None;
        }
        let entry = self
            .pending
            .changes()
            .get(self.count_before(draw.horizon))?;
        match entry.change {
            Change::Write { offset, size, .. } if entry.moment == draw.horizon => {
                Some((offset, size as u64))
            }
            _ => None,
        }
    }

    /// The pending writes, those together that touch common pages, directly or by way of others.
    fn extents(
        &self,
        sizes: &[(usize, u64)],
        length: &Length,
        draw: &ContentDraw<'_>,
    ) -> Vec<Vec<Piece>> {
        let mut pieces = self.pieces(sizes, length, draw);
        if draw.constraints.data == DataOrder::Prefix {
            return vec![pieces];
        }
        pieces.sort_by_key(|piece| page_of(piece.offset));
        let mut extents: Vec<Vec<Piece>> = Vec::new();
        let mut last_page = 0;
        for piece in pieces {
            let (first, last) = (page_of(piece.offset), page_of(piece.end - 1));
            match extents.last_mut() {
                Some(extent) if first <= last_page => extent.push(piece),
                _ => extents.push(vec![piece]),
            }
            last_page = last_page.max(last);
        }
        for extent in &mut extents {
            extent.sort_by_key(|piece| piece.count);
        }
        extents
    }

    fn pieces(
        &self,
        sizes: &[(usize, u64)],
        length: &Length,
        draw: &ContentDraw<'_>,
    ) -> Vec<Piece> {
        let unit_size = draw.tear.unit_size() as u64;
        let linked_in = draw.constraints.data != DataOrder::Units;
        let follows = draw.constraints.growth == GrowthFill::Written;
        let mut pieces = Vec::new();
        for (index, entry) in self.pending.changes().iter().enumerate() {
            let Change::Write { offset, size, .. } = entry.change else {
                continue;
            };
            let (count, end) = (index + 1, offset + size as u64);
            let steps = if draw.keeps_writes_whole() {
                1
            } else {
                (end - 1) / unit_size - offset / unit_size + 1
            };
            pieces.push(Piece {
                count,
                offset,
                end,
                steps,
                may_survive: !linked_in || entry.moment < draw.horizon,
                must_survive: follows
                    && count <= length.count
                    && size_before(sizes, count) < end.min(length.size),
            });
        }
        pieces
    }
}

/// How many steps of these writes survive, one after the other.
fn extent_cut(extent: &[Piece], mood: Mood, torn: u64, draw: &mut ContentDraw<'_>) -> u64 {
    let steps_of = |pieces: &[Piece]| pieces.iter().map(|piece| piece.steps).sum::<u64>();
    let needed = extent.iter().rposition(|piece| piece.must_survive);
    let least = needed.map_or(0, |last| steps_of(&extent[..=last]));
    let allowed = extent.iter().take_while(|piece| piece.may_survive).count();
    let most = steps_of(&extent[..allowed]).max(least) + torn;
    let cut = match mood {
        Mood::Oldest | Mood::LengthOnly | Mood::Stale => least,
        Mood::Newest | Mood::DataOnly => most,
        Mood::Prefix(cut) => {
            let whole = extent.partition_point(|piece| piece.count <= cut);
            steps_of(&extent[..whole]) + torn
        }
        Mood::Free if least == most => least,
        Mood::Free => {
            let register = RegisterName::Data {
                inode: draw.inode,
                sector: page_of(extent[0].offset) * (PAGE_SIZE / SECTOR_SIZE) as u64,
            };
            least + draw.chance.below(register, most - least + 1)
        }
    };
    cut.clamp(least, most)
}
