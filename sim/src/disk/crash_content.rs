//! Steps: a crash picks a length, derives each page's versions from the pending changes, picks one a unit.
//!
//! A cut zeroes what it takes in the same transaction that sets the length: with the length in, older
//! bytes are out; with the length out, the zeros are too, except where a later write carried them.

use std::sync::Arc;

use super::chance::{Chance, RegisterName};
use super::constraints::{Constraints, DataOrder, GrowthFill, MetadataOrder};
use super::content::Content;
use super::extents::Kept;
use super::freed::{FreedPages, former_life};
use super::moment::Moment;
use super::options::{CrashKind, CrashReport, PAGE_SIZE, SECTOR_SIZE};
use super::page::Page;
use super::pending::Change;
use super::readable::bad_sectors;
use super::table::{Slot, page_of, page_start, pages_for, within_page};
use super::tear::Tear;

const ZEROS: [u8; PAGE_SIZE] = [0; PAGE_SIZE];

/// What a file's crash draws on, and where it reports.
pub(super) struct ContentDraw<'a> {
    pub(super) inode: u64,
    pub(super) constraints: Constraints,
    /// Metadata issued from here on is out, where all of it is one history.
    pub(super) horizon: Moment,
    pub(super) tear: Tear,
    pub(super) kind: CrashKind,
    pub(super) freed: &'a FreedPages,
    pub(super) chance: &'a mut dyn Chance,
    pub(super) report: &'a mut CrashReport,
}

/// How a file's unsynced changes fare as a whole, within the constraints. All but `Free` are states
/// that `Free` reaches too; they are drawn for themselves because real crashes love them.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// What was chosen for a file before its pages.
struct Fate {
    mood: Mood,
    included: usize,
    kept: Option<Kept>,
    /// Where lengths follow their bytes: the lengths, and the changes up to the chosen one.
    follows: Option<(Vec<(usize, u64)>, usize)>,
}

impl Fate {
    /// The oldest version of a unit that goes with the length.
    fn least(&self, unit: &Unit, sector: u64, unit_size: usize) -> usize {
        let Some((sizes, count)) = &self.follows else {
            return 0;
        };
        let end = sector * SECTOR_SIZE as u64 + unit_size as u64;
        let needed = |version: &(usize, Vec<u8>)| {
            version.0 > 0 && version.0 <= *count && size_before(sizes, version.0) < end
        };
        unit.versions.iter().rposition(needed).unwrap_or(0)
    }
}

/// The file's length before the change that is number `count`, from 1 on.
pub(super) fn size_before(sizes: &[(usize, u64)], count: usize) -> u64 {
    sizes[sizes.partition_point(|version| version.0 < count) - 1].1
}

/// The versions of one tear unit, oldest first, each with the number of changes it includes.
pub(super) struct Unit {
    pub(super) versions: Vec<(usize, Vec<u8>)>,
    may_be_stale: bool,
}

impl Unit {
    /// One more version, unless it equals the one before.
    fn write(&mut self, count: usize, bytes: &[u8]) {
        if self
            .versions
            .last()
            .is_some_and(|version| version.1 != bytes)
        {
            self.versions.push((count, bytes.to_vec()));
        }
    }

    /// Whatever version survives, it is zeros from here on.
    fn cut(&mut self, from: usize) {
        for (_, bytes) in &mut self.versions {
            bytes[from..].fill(0);
        }
        self.versions
            .dedup_by(|later, earlier| later.1 == earlier.1);
        self.may_be_stale = false;
    }
}

impl ContentDraw<'_> {
    fn mood(&mut self, content: &Content) -> Mood {
        match self.constraints.data {
            DataOrder::Synced => return Mood::Oldest,
            DataOrder::Prefix => return Mood::Prefix(content.count_before(self.horizon)),
            DataOrder::Extents | DataOrder::Units => {}
        }
        let cuts = content.pending.changes().len() as u64 + 1;
        let word = self
            .chance
            .below(RegisterName::File { inode: self.inode }, 8 * cuts);
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

    /// The index of the version that survives, at least `least`; past the last for stale bytes, where
    /// there may be some, and then for damage.
    fn pick(&mut self, mood: Mood, unit: &Unit, sector: u64, least: usize) -> usize {
        let newest = unit.versions.len() - 1;
        let pick = match mood {
            Mood::Oldest | Mood::LengthOnly => 0,
            Mood::Newest | Mood::DataOnly => newest,
            Mood::Prefix(cut) => unit.versions.partition_point(|version| version.0 <= cut) - 1,
            Mood::Stale if unit.may_be_stale => newest + 1,
            Mood::Stale => 0,
            Mood::Free => {
                let bound = (newest - least) as u64
                    + 1
                    + u64::from(unit.may_be_stale)
                    + u64::from(self.may_damage(unit));
                if bound < 2 {
                    return least;
                }
                let register = RegisterName::Data {
                    inode: self.inode,
                    sector,
                };
                least + self.chance.below(register, bound) as usize
            }
        };
        pick.max(least)
    }
}

impl Content {
    /// Chooses what survives, and makes it durable.
    pub(super) fn crash(&mut self, draw: &mut ContentDraw<'_>) {
        let mood = if self.is_clean() {
            Mood::Oldest
        } else {
            draw.mood(self)
        };
        let sizes = self.size_versions(draw.size_unit());
        let length = self.crash_size(&sizes, mood, draw);
        let (included, size) = (length.included, length.size);
        let fate = Fate {
            mood,
            included,
            kept: self.kept(mood, &sizes, &length, draw),
            follows: (draw.constraints.growth == GrowthFill::Written)
                .then_some((sizes, length.count)),
        };
        let mut unsettled = std::mem::take(&mut self.dirty);
        unsettled.append(&mut self.lost);
        unsettled.sort_unstable();
        unsettled.dedup();
        for &page in &unsettled {
            let (image, bad) = self.crash_page(page, &fate, draw);
            let slot = self.table.slot_mut(page);
            slot.durable = image;
            slot.bad_durable = bad;
        }
        let sequence = self.pending.next_sequence();
        for &page in &unsettled {
            let slot = self.table.slot_mut(page);
            slot.cached.clone_from(&slot.durable);
            slot.bad = slot.bad_durable;
            slot.settled = sequence;
            slot.dirty = false;
            slot.lost = false;
            slot.reserved = slot.reserved_durable;
            self.recount_space(page);
        }
        self.size = size;
        self.write_errors = 0;
        self.trim_to_size();
        self.settle_size();
        self.pending.clear();
    }

    /// Drops whatever lies beyond the size, on the medium too.
    fn trim_to_size(&mut self) {
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
            .and_then(|slot| slot.cached.as_ref());
        if from > 0 && last.is_some_and(|page| page.bytes()[from..].iter().any(|&byte| byte != 0)) {
            let slot = self.table.slot_mut(page_of(self.size));
            slot.durable = None;
            slot.page_mut()[from..].fill(0);
            slot.durable.clone_from(&slot.cached);
        }
    }

    /// Chooses the length among those the file had, and the unit boundaries it grew past.
    fn crash_size(&self, sizes: &[(usize, u64)], mood: Mood, draw: &mut ContentDraw<'_>) -> Length {
        let newest = sizes.len() - 1;
        let (least, most) = self.size_bounds(sizes, draw);
        let pick = match mood {
            Mood::Oldest | Mood::DataOnly => 0,
            Mood::Newest | Mood::LengthOnly | Mood::Stale => newest,
            Mood::Prefix(cut) => sizes.partition_point(|version| version.0 <= cut) - 1,
            Mood::Free if least == most => least,
            Mood::Free => {
                let register = RegisterName::Length { inode: draw.inode };
                least + draw.chance.below(register, (most - least) as u64 + 1) as usize
            }
        };
        let mut pick = pick.clamp(least, most);
        let torn = self.torn_units(draw);
        if let Some(end) = self.torn_end(torn, draw) {
            let count = self.count_before(draw.horizon) + 1;
            let reached = |version: &(usize, u64)| version.0 == count && version.1 <= end;
            pick = sizes.iter().rposition(reached).unwrap_or(pick);
        }
        if newest > 0 {
            if sizes[pick].1 == self.size {
                draw.report.lengths_kept += 1;
            } else {
                draw.report.lengths_lost += 1;
            }
        }
        let included = if pick == newest {
            self.pending.changes().len()
        } else {
            sizes[pick].0
        };
        Length {
            included,
            count: sizes[pick].0,
            size: sizes[pick].1,
            torn,
        }
    }

    /// The oldest and the newest length that the history of metadata allows.
    fn size_bounds(&self, sizes: &[(usize, u64)], draw: &ContentDraw<'_>) -> (usize, usize) {
        if draw.constraints.metadata != MetadataOrder::Prefix {
            return (0, sizes.len() - 1);
        }
        let up_to = |count: usize| sizes.partition_point(|version| version.0 <= count) - 1;
        let before = |moment: Moment| moment < draw.horizon;
        let least = self
            .last_metadata_change(before)
            .map_or(0, |last| up_to(last + 1));
        (least, up_to(self.count_before(draw.horizon)))
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
                Change::Write {
                    offset,
                    size: written,
                    ..
                } => {
                    let end = size.max(offset + written as u64);
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

    /// One page as the crash leaves it, and its unreadable sectors.
    fn crash_page(
        &self,
        page: u64,
        fate: &Fate,
        draw: &mut ContentDraw<'_>,
    ) -> (Option<Arc<Page>>, u8) {
        let Some(slot) = self.table.get(page) else {
            return (None, 0);
        };
        let mut bad = slot.bad_durable;
        let units = self.unit_versions(page, slot, fate.included, draw);
        let unit_size = draw.tear.unit_size();
        let (mut kept, mut lost, mut between) = (0, 0, 0);
        let mut page_damaged = false;
        let mut image: Option<Arc<Page>> = slot.durable.clone();
        for (index, unit) in units.iter().enumerate() {
            let within = index * unit_size;
            let sector = (page_start(page) + within as u64) / SECTOR_SIZE as u64;
            let pick = match &fate.kept {
                Some(kept) => kept.version(unit, sector * SECTOR_SIZE as u64),
                None => draw.pick(fate.mood, unit, sector, fate.least(unit, sector, unit_size)),
            };
            let newest = unit.versions.len() - 1;
            let damaged = pick > newest + usize::from(unit.may_be_stale);
            if pick > 0 {
                bad &= !bad_sectors(within, unit_size);
            }
            if damaged && draw.tear == Tear::Unreadable {
                bad |= bad_sectors(within, unit_size);
            }
            match pick {
                _ if newest == 0 && !unit.may_be_stale => {}
                _ if pick == newest && newest > 0 => kept += 1,
                0 => lost += 1,
                _ => between += 1,
            }
            let now = image.as_ref().map_or(&ZEROS[..unit_size], |page| {
                &page.bytes()[within..][..unit_size]
            });
            if unit
                .versions
                .get(pick)
                .is_some_and(|version| version.1 == now)
            {
                continue;
            }
            let target = image.get_or_insert_with(|| Arc::new(Page::zeroed()));
            let target = &mut Arc::make_mut(target).bytes_mut()[within..][..unit_size];
            match unit.versions.get(pick) {
                Some((_, bytes)) => target.copy_from_slice(bytes),
                None if damaged => draw.damage(unit, sector, target),
                None => draw.freed.stale(draw.chance, draw.inode, sector, target),
            }
            page_damaged |= damaged && draw.tear == Tear::GarbagePage;
        }
        if let Some(image) = image.as_mut().filter(|_| page_damaged) {
            former_life(page, Arc::make_mut(image).bytes_mut());
        }
        draw.report.units_kept += kept;
        draw.report.units_lost += lost;
        draw.report.units_between += between;
        draw.report.pages_torn += u64::from(kept > 0 && lost + between > 0);
        (image, bad)
    }

    /// The versions of every unit of a page that go with a length of so many changes.
    fn unit_versions(
        &self,
        page: u64,
        slot: &Slot,
        included: usize,
        draw: &ContentDraw<'_>,
    ) -> Vec<Unit> {
        let unit_size = draw.tear.unit_size();
        let mut bytes = slot
            .durable
            .as_ref()
            .map_or([0; PAGE_SIZE], |page| *page.bytes());
        let mut units: Vec<Unit> = bytes
            .chunks_exact(unit_size)
            .map(|unit| Unit {
                versions: vec![(0, unit.to_vec())],
                may_be_stale: false,
            })
            .collect();
        // A page that writeback took by itself holds its bytes, though no durable length shows them.
        let taken = slot.durable.is_some() && slot.settled > self.size_settled;
        let may_be_stale =
            draw.constraints.growth == GrowthFill::Former && !slot.reserved_durable && !taken;
        for (index, entry) in self.pending.changes().iter().enumerate() {
            if entry.sequence < slot.settled || !self.pending.replay(entry.change, page, &mut bytes)
            {
                continue;
            }
            let cut_is_in = index < included || entry.sequence < self.size_settled;
            for (at, unit) in units.iter_mut().enumerate() {
                let start = page_start(page) + (at * unit_size) as u64;
                match entry.change {
                    Change::Write { .. } if touches(entry.change, start, unit_size) => {
                        unit.write(index + 1, &bytes[at * unit_size..][..unit_size]);
                        unit.may_be_stale |= may_be_stale && start >= self.durable_size;
                    }
                    Change::Cut { size } if cut_is_in && size < start + unit_size as u64 => {
                        unit.cut(size.saturating_sub(start) as usize);
                    }
                    _ => {}
                }
            }
        }
        units
    }
}

/// Whether a change wrote into the unit that begins at `start`.
fn touches(change: Change, start: u64, unit_size: usize) -> bool {
    match change {
        Change::Write { offset, size, .. } => {
            offset < start + unit_size as u64 && start < offset + size as u64
        }
        Change::Cut { .. } | Change::Grow { .. } => false,
    }
}
