//! Fault policy: what a write that the power cut interrupts leaves in the units it touched.

use super::chance::RegisterName;
use super::freed::former_life;
use super::options::{CrashKind, PAGE_SIZE, SECTOR_SIZE};
use super::rules::ContentDraw;
use super::units::Unit;

/// The unit in which a crash keeps or loses written data, and what the device does to a unit whose
/// write the power cut interrupts. Only a power cut damages units; it does so where no sync covered
/// a write to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tear {
    /// Whole pages of 4 KiB.
    Page4k,
    /// Sectors of 512 bytes.
    Sector512,
    /// Each write whole or not at all.
    Atomic,
    /// The first sectors of a write.
    FirstSectors,
    /// Sectors; one may show a write's bytes from either end up to some byte.
    EitherEnd,
    /// Pages; one may show the first three or the first seven eighths of a write.
    Shorn,
    /// Sectors; the bytes written to one may be garbage.
    GarbageInRange,
    /// Sectors; one may be garbage, with bytes that nobody wrote to.
    GarbageSector,
    /// Sectors; one may be unreadable until it is written again.
    Unreadable,
    /// Sectors; with one of them, the whole page around it may be garbage.
    GarbagePage,
}

impl Tear {
    /// All of them.
    pub const ALL: [Tear; 10] = [
        Tear::Page4k,
        Tear::Sector512,
        Tear::Atomic,
        Tear::FirstSectors,
        Tear::EitherEnd,
        Tear::Shorn,
        Tear::GarbageInRange,
        Tear::GarbageSector,
        Tear::Unreadable,
        Tear::GarbagePage,
    ];

    /// Bytes of the unit.
    #[must_use]
    pub const fn unit_size(self) -> usize {
        match self {
            Tear::Page4k | Tear::Shorn => PAGE_SIZE,
            _ => SECTOR_SIZE,
        }
    }

    /// Whether any of a write's units may survive without the others.
    pub(super) const fn tears_anywhere(self) -> bool {
        !matches!(self, Tear::Atomic | Tear::FirstSectors)
    }

    /// Ways in which one write to a unit may be interrupted.
    const fn ways(self) -> usize {
        match self {
            Tear::Shorn => 2,
            // Any byte but the first, and the new bytes before it or from it on.
            Tear::EitherEnd => 2 * (self.unit_size() - 1),
            _ => 1,
        }
    }

    /// What damage may do to a unit, in numbers.
    pub(super) fn damage_bound(self, unit: &Unit) -> u64 {
        match self {
            Tear::Shorn | Tear::EitherEnd => (self.ways() * (unit.versions.len() - 1)) as u64,
            _ => 1,
        }
    }

    const fn damages(self) -> bool {
        !matches!(
            self,
            Tear::Page4k | Tear::Sector512 | Tear::Atomic | Tear::FirstSectors
        )
    }
}

impl ContentDraw<'_> {
    /// Whether the crash may damage this unit.
    pub(super) fn may_damage(&self, unit: &Unit) -> bool {
        self.rules.kind == CrashKind::PowerCut
            && self.rules.tear.damages()
            && unit.versions.len() > 1
    }

    /// Writes into `target` what an interrupted write left of the unit.
    pub(super) fn damage(&mut self, unit: &Unit, sector: u64, target: &mut [u8]) {
        target.copy_from_slice(&unit.versions[0].1);
        match self.rules.tear {
            Tear::EitherEnd | Tear::Shorn => self.interrupt(unit, sector, target),
            Tear::GarbageInRange => {
                let written = |at: &usize| {
                    let mut versions = unit.versions.iter();
                    versions.any(|version| version.1[*at] != unit.versions[0].1[*at])
                };
                let mut range = (0..target.len()).filter(written);
                let first = range.next().unwrap_or(0);
                let end = range.next_back().unwrap_or(first) + 1;
                former_life(sector, &mut target[first..end]);
            }
            _ => former_life(sector, target),
        }
    }

    /// Stops within one of the unit's writes.
    fn interrupt(&mut self, unit: &Unit, sector: u64, target: &mut [u8]) {
        let eighth = target.len() / 8;
        let ways = self.rules.tear.ways();
        let register = RegisterName::Damage {
            inode: self.inode,
            sector,
        };
        let bound = self.rules.tear.damage_bound(unit);
        let word = self.chance.below(register, bound) as usize;
        let (older, way) = (word / ways, word % ways);
        let range = match self.rules.tear {
            Tear::Shorn => 0..eighth * [3, 7][way],
            _ if way % 2 == 0 => 0..way / 2 + 1,
            _ => way / 2 + 1..target.len(),
        };
        target.copy_from_slice(&unit.versions[older].1);
        target[range.clone()].copy_from_slice(&unit.versions[older + 1].1[range]);
    }
}
