//! Steps: a crash chooses how a file fares as a whole, then a length among those it had.

use super::chance::RegisterName;
use super::constraints::{DataOrder, MetadataOrder};
use super::content::Content;
use super::file_space::{Fate, FileSpace};
use super::moment::Moment;
use super::options::SECTOR_SIZE;
use super::pending::Change;
use super::rules::{ContentDraw, Rules};
use super::table::{Slot, page_of, pages_for, within_page};
use super::units::{Pick, Unit};

/// How a file's unsynced changes fare as a whole, within the constraints. All but `Free` are states
/// that `Free` reaches too; they are drawn for themselves because real crashes love them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// Nothing unsynced survives.
    Oldest,
    /// Everything does.
    Newest,
    /// The first changes, whole.
    Prefix(usize),
    /// The length, but no data: zeros where the file grew.
    LengthOnly,
    /// The length, and former bytes of the blocks where the file grew.
    Stale,
    /// The data, but not the length.
    DataOnly,
    /// Each register by itself.
    Free,
}

/// The length that survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    /// Changes whose cuts are in with it.
    pub(super) included: usize,
    /// Changes up to the one that reached it.
    pub(super) count: usize,
    /// Bytes.
    pub(super) size: u64,
    /// Units kept of the write at which the history of bytes ends.
    pub(super) torn: u64,
}

impl Length {
    /// Nothing of the file is there.
    pub(super) const NONE: Length = Length {
        included: 0,
        count: 0,
        size: 0,
        torn: 0,
    };
}

/// The file's length before the change that is number `count`, from 1 on.
pub(super) fn size_before(sizes: &[(usize, u64)], count: usize) -> u64 {
    sizes[sizes.partition_point(|version| version.0 < count) - 1].1
}

impl Rules {
    /// The mood that reaches all that the others reach.
    pub(super) fn widest_mood(&self, content: &Content, horizon: Moment) -> Mood {
        match self.constraints.data {
            _ if content.is_clean() => Mood::Oldest,
            DataOrder::Synced => Mood::Oldest,
            DataOrder::Prefix => Mood::Prefix(content.count_before(horizon)),
            DataOrder::Extents | DataOrder::Units => Mood::Free,
        }
    }
}

impl ContentDraw<'_> {
    pub(super) fn mood(&mut self, content: &Content) -> Mood {
        let widest = self.rules.widest_mood(content, self.horizon);
        if widest != Mood::Free {
            return widest;
        }
        let cuts = content.pending.changes().len() as u64 + 1;
        let register = RegisterName::File { inode: self.inode };
        let word = self.chance.mood(register, 8 * cuts);
        match word / cuts {
            0 => Mood::Oldest,
            1 => Mood::Newest,
            2 => Mood::Prefix((word % cuts) as usize),
            3 => Mood::LengthOnly,
            4 => Mood::Stale,
            5 => Mood::DataOnly,
            _ => Mood::Free,
        }
    }

    /// What a unit shows.
    pub(super) fn pick(
        &mut self,
        space: &FileSpace,
        fate: &Fate,
        unit: &Unit,
        sector: u64,
    ) -> Pick {
        if let Some(kept) = &fate.kept {
            return Pick::Version(kept.version(unit, sector * SECTOR_SIZE as u64, self));
        }
        if unit.is_settled() {
            return Pick::Version(0);
        }
        let least = space.least(&fate.length, unit, sector, self.rules);
        let newest = unit.newest();
        let word = match fate.mood {
            Mood::Oldest | Mood::LengthOnly => 0,
            Mood::Newest | Mood::DataOnly => newest,
            Mood::Prefix(cut) => unit.versions.partition_point(|version| version.0 <= cut) - 1,
            Mood::Stale if unit.may_be_stale => newest + 1,
            Mood::Stale => 0,
            Mood::Free => {
                let bound = (self.picks(unit) - least) as u64;
                if bound < 2 {
                    least
                } else {
                    let register = RegisterName::Data {
                        inode: self.inode,
                        sector,
                    };
                    let newest = (newest - least) as u64;
                    least + self.chance.version(register, bound, newest) as usize
                }
            }
        };
        unit.pick(word.max(least))
    }

    /// Numbers that [`Unit::pick`] knows.
    pub(super) fn picks(&self, unit: &Unit) -> usize {
        unit.versions.len() + usize::from(unit.may_be_stale) + usize::from(self.may_damage(unit))
    }
}

impl FileSpace {
    /// Chooses the length among those the file had, and the unit boundaries it grew past.
    pub(super) fn length(&self, mood: Mood, draw: &mut ContentDraw<'_>) -> Length {
        let newest = self.sizes.len() - 1;
        let (least, most) = self.size_bounds(draw.horizon, draw.rules);
        let pick = match mood {
            Mood::Oldest | Mood::DataOnly => 0,
            Mood::Newest | Mood::LengthOnly | Mood::Stale => newest,
            Mood::Prefix(cut) => self.up_to(cut),
            Mood::Free if least == most => least,
            Mood::Free => {
                let register = RegisterName::Length { inode: draw.inode };
                let range = (most - least) as u64;
                least + draw.chance.version(register, range + 1, range) as usize
            }
        };
        let units = self.torn_units(draw.horizon, draw.rules);
        let torn = if units < 2 {
            0
        } else {
            let register = RegisterName::Torn { inode: draw.inode };
            draw.chance.below(register, units)
        };
        let length = self.length_at(pick.clamp(least, most), torn, draw.horizon, draw.rules);
        if newest > 0 {
            if length.size == self.before().size {
                draw.report.lengths_kept += 1;
            } else {
                draw.report.lengths_lost += 1;
            }
        }
        length
    }

    /// The length that is number `pick`, unless units of a torn write reach further.
    pub(super) fn length_at(
        &self,
        pick: usize,
        torn: u64,
        horizon: Moment,
        rules: &Rules,
    ) -> Length {
        let before = self.before();
        let mut pick = pick;
        if torn > 0
            && let Some((offset, _)) = before.write_at_horizon(horizon, rules)
        {
            let unit_size = rules.tear.unit_size() as u64;
            let end = (offset / unit_size + torn) * unit_size;
            let count = before.count_before(horizon) + 1;
            let reached = |version: &(usize, u64)| version.0 == count && version.1 <= end;
            pick = self.sizes.iter().rposition(reached).unwrap_or(pick);
        }
        let (count, size) = self.sizes[pick];
        let included = if pick + 1 == self.sizes.len() {
            before.pending.changes().len()
        } else {
            count
        };
        Length {
            included,
            count,
            size,
            torn,
        }
    }

    /// The oldest and the newest length that the history of metadata allows.
    pub(super) fn size_bounds(&self, horizon: Moment, rules: &Rules) -> (usize, usize) {
        if rules.constraints.metadata != MetadataOrder::Prefix {
            return (0, self.sizes.len() - 1);
        }
        let before = self.before();
        let least = before
            .last_metadata_change(|moment| moment < horizon)
            .map_or(0, |last| self.up_to(last + 1));
        (least, self.up_to(before.count_before(horizon)))
    }

    /// The last length that so many changes reach.
    pub(super) fn up_to(&self, count: usize) -> usize {
        self.sizes.partition_point(|version| version.0 <= count) - 1
    }

    /// Units of the write at which the history of bytes ends, if it ends at one; any of the first of
    /// them may survive, never all.
    pub(super) fn torn_units(&self, horizon: Moment, rules: &Rules) -> u64 {
        let Some((offset, size)) = self.before().write_at_horizon(horizon, rules) else {
            return 0;
        };
        let unit_size = rules.tear.unit_size() as u64;
        if rules.keeps_writes_whole() {
            return 0;
        }
        (offset + size - 1) / unit_size - offset / unit_size + 1
    }
}

impl Content {
    fn write_at_horizon(&self, horizon: Moment, rules: &Rules) -> Option<(u64, u64)> {
        if rules.constraints.data != DataOrder::Prefix {
            return None;
        }
        let entry = self.pending.changes().get(self.count_before(horizon))?;
        match entry.change {
            Change::Write { offset, ref bytes } if entry.moment == horizon => {
                Some((offset, bytes.len() as u64))
            }
            _ => None,
        }
    }

    /// Drops whatever lies beyond the size, on the medium too.
    pub(super) fn trim_to_size(&mut self) {
        for page in pages_for(self.size)..self.table.page_limit() {
            if self.table.get(page).is_some_and(|slot| slot.allocated) {
                let settled = self.table.slot_mut(page).settled;
                *self.table.slot_mut(page) = Slot {
                    settled,
                    ..Slot::default()
                };
                self.allocated_pages -= 1;
            }
        }
        let from = within_page(self.size);
        let last = self
            .table
            .get(page_of(self.size))
            .and_then(|slot| slot.cached());
        if from > 0 && last.is_some_and(|page| page.bytes()[from..].iter().any(|&byte| byte != 0)) {
            let slot = self.table.slot_mut(page_of(self.size));
            slot.change_both(|bytes| bytes[from..].fill(0));
        }
    }

    /// The last pending cut or growth of a moment that `picks` picks.
    pub(super) fn last_metadata_change(&self, picks: impl Fn(Moment) -> bool) -> Option<usize> {
        self.pending.changes().iter().rposition(|entry| {
            entry.sequence >= self.size_settled
                && !matches!(entry.change, Change::Write { .. })
                && picks(entry.moment)
        })
    }

    /// Changes issued before the horizon.
    pub(super) fn count_before(&self, horizon: Moment) -> usize {
        let changes = self.pending.changes();
        changes.partition_point(|entry| entry.moment < horizon)
    }

    /// When pending cuts and growths were issued, and, where asked for, writes.
    pub(super) fn moments(&self, data_too: bool) -> impl Iterator<Item = Moment> {
        let changes = self.pending.changes().iter();
        let picked = changes.filter(move |entry| {
            let is_write = matches!(entry.change, Change::Write { .. });
            data_too || (!is_write && entry.sequence >= self.size_settled)
        });
        picked.map(|entry| entry.moment)
    }

    /// The lengths, oldest first, each with the number of changes it includes.
    pub(super) fn size_versions(&self, unit: u64) -> Vec<(usize, u64)> {
        let mut size = self.durable_size;
        let mut sizes = vec![(0, size)];
        for (index, entry) in self.pending.changes().iter().enumerate() {
            if entry.sequence < self.size_settled {
                continue;
            }
            let count = index + 1;
            let next = match entry.change {
                Change::Write { offset, ref bytes } => {
                    let end = size.max(offset + bytes.len() as u64);
                    // A write may reach the medium in parts, each with the length it needs.
                    let mut boundary = (size / unit + 1) * unit;
                    while boundary < end {
                        sizes.push((count, boundary));
                        boundary += unit;
                    }
                    end
                }
                Change::Cut { size } => size,
                Change::Grow { size: least } => size.max(least),
            };
            if next != size {
                sizes.push((count, next));
                size = next;
            }
        }
        sizes
    }
}
