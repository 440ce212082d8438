//! Vocabulary of outcomes: each thing that one register may show after a crash, with the answers that lead to it.

use std::borrow::Cow;

use crate::disk::chance::{Chance, RegisterName};
use crate::disk::choices::Base;
use crate::disk::crash_content::{Length, Mood};
use crate::disk::extents::Extent;
use crate::disk::file_space::FileSpace;
use crate::disk::moment::Moment;
use crate::disk::options::{CrashReport, SECTOR_SIZE};
use crate::disk::rules::{ContentDraw, Rules};
use crate::disk::tear::Tear;
use crate::disk::units::{PageSpace, Pick, Unit};

/// Answers to questions of a crash.
pub(super) type Answers = Vec<(RegisterName, u64)>;

/// What a file is asked about: the file, and where the history of metadata ends.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) inode: u64,
    pub(super) space: &'a FileSpace,
    pub(super) rules: &'a Rules,
    pub(super) horizon: Moment,
}

/// A length that a file may have.
#[derive(Clone)]
pub(super) struct LengthOutcome {
    pub(super) length: Length,
    pub(super) answers: Answers,
    /// Whether it is the oldest, and whether it is the newest.
    ends: (bool, bool),
    /// Whether the inode was written, where that is a question.
    inode: Option<bool>,
}

/// What a unit may show.
pub(super) struct UnitOutcome<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// The whole of it cannot be read.
    pub(super) is_unreadable: bool,
    pub(super) pick: Pick,
    pub(super) answers: Answers,
}

/// Gives the same answer to every question.
struct Always(u64);

impl Chance for Always {
    fn below(&mut self, _: RegisterName, _: u64) -> u64 {
        self.0
    }
}

impl LengthOutcome {
    /// Registers that show something else than they would by themselves.
    pub(super) fn deviations(&self, base: Base) -> u32 {
        let (is_end, has_inode) = match base {
            Base::Oldest => (self.ends.0, false),
            Base::Newest => (self.ends.1, true),
        };
        let inode = self.inode.is_some_and(|inode| inode != has_inode);
        u32::from(inode) + u32::from(!is_end && !self.is_unclean())
    }

    /// Whether only a name is there.
    pub(super) fn is_unclean(&self) -> bool {
        self.inode == Some(false)
    }
}

impl<'a> Asked<'a> {
    /// Every length that the file may have.
    pub(super) fn lengths(self) -> Vec<LengthOutcome> {
        let (space, rules) = (self.space, self.rules);
        let (least, most) = space.size_bounds(self.horizon, rules);
        let mut outcomes = Vec::new();
        let before = space.before();
        let only = |count| {
            let pick = space.up_to(count).clamp(least, most);
            pick..=pick
        };
        let picks = match rules.widest_mood(before, self.horizon) {
            Mood::Oldest => only(0),
            Mood::Prefix(count) => only(count),
            _ => least..=most,
        };
        let inode = self.inode;
        let may_lack_inode = rules.may_lack_inode(before);
        if may_lack_inode {
            outcomes.push(LengthOutcome {
                length: Length::NONE,
                answers: vec![(RegisterName::Inode { inode }, 0)],
                ends: (true, true),
                inode: Some(false),
            });
        }
        for pick in picks.clone() {
            for torn in 0..space.torn_units(self.horizon, rules).max(1) {
                let mut answers = Answers::new();
                if may_lack_inode {
                    answers.push((RegisterName::Inode { inode }, 1));
                }
                if picks.start() != picks.end() {
                    answers.push((RegisterName::Length { inode }, (pick - least) as u64));
                }
                if torn > 0 {
                    answers.push((RegisterName::Torn { inode }, torn));
                }
                outcomes.push(LengthOutcome {
                    length: space.length_at(pick, torn, self.horizon, rules),
                    answers,
                    ends: (pick == *picks.start(), pick == *picks.end()),
                    inode: may_lack_inode.then_some(true),
                });
            }
        }
        outcomes
    }

    /// Everything that a unit may show with this length, where units fare apart.
    pub(super) fn unit(
        self,
        length: &Length,
        page: &'a PageSpace,
        index: usize,
    ) -> Vec<UnitOutcome<'a>> {
        let unit_size = self.rules.tear.unit_size();
        let (unit, sector) = (&page.units[index], page.sector(index, unit_size));
        let inode = self.inode;
        let report = &mut CrashReport::default();
        let mut always = Always(0);
        let draw = self.draw(&mut always, report);
        let least = self.space.least(length, unit, sector, self.rules);
        let picks = match self.rules.widest_mood(self.space.before(), self.horizon) {
            _ if unit.is_settled() => 0..1,
            Mood::Free => least..draw.picks(unit),
            _ => least..least + 1,
        };
        let least = picks.start;
        let is_asked = picks.len() > 1;
        let mut outcomes = Vec::new();
        for word in picks {
            let pick = unit.pick(word);
            let (register, bound) = self.question_within(unit, pick, sector);
            for answer in 0..bound {
                let mut answers = Answers::new();
                if is_asked {
                    let data = RegisterName::Data { inode, sector };
                    answers.push((data, (word - least) as u64));
                }
                if bound > 1 {
                    answers.push((register, answer));
                }
                outcomes.push(UnitOutcome {
                    bytes: self.bytes(unit, pick, sector, answer),
                    is_unreadable: pick == Pick::Damaged && self.rules.tear == Tear::Unreadable,
                    pick,
                    answers,
                });
            }
        }
        outcomes
    }

    /// Whether each register of the file is chosen by itself.
    pub(super) fn fares_freely(self) -> bool {
        let mood = self.rules.widest_mood(self.space.before(), self.horizon);
        mood == Mood::Free
    }

    /// Numbers that [`Unit::pick`] knows.
    pub(super) fn picks(self, unit: &Unit) -> usize {
        let mut report = CrashReport::default();
        self.draw(&mut Always(0), &mut report).picks(unit)
    }

    /// The oldest version of a unit that goes with the length.
    pub(super) fn least(self, length: &Length, page: &PageSpace, index: usize) -> usize {
        let unit_size = self.rules.tear.unit_size();
        let sector = page.sector(index, unit_size);
        let unit = &page.units[index];
        self.space.least(length, unit, sector, self.rules)
    }

    /// The question that comes after a pick, and how many answers it has.
    fn question_within(self, unit: &Unit, pick: Pick, sector: u64) -> (RegisterName, u64) {
        let inode = self.inode;
        match pick {
            Pick::Version(_) => (RegisterName::Data { inode, sector }, 1),
            Pick::Stale => (
                RegisterName::Stale { inode, sector },
                self.rules.freed.stale_bound(),
            ),
            Pick::Damaged => (
                RegisterName::Damage { inode, sector },
                self.rules.tear.damage_bound(unit),
            ),
        }
    }

    fn bytes(self, unit: &'a Unit, pick: Pick, sector: u64, answer: u64) -> Cow<'a, [u8]> {
        if let Pick::Version(version) = pick {
            return Cow::Borrowed(&unit.versions[version].1);
        }
        let mut bytes = vec![0; self.rules.tear.unit_size()];
        let mut always = Always(answer);
        let mut report = CrashReport::default();
        self.draw(&mut always, &mut report)
            .fill(unit, pick, sector, &mut bytes);
        Cow::Owned(bytes)
    }

    /// The version of a unit when so many steps of its extent survive.
    pub(super) fn version_in(
        self,
        extent: &Extent,
        cut: u64,
        page: &PageSpace,
        index: usize,
    ) -> usize {
        let unit_size = self.rules.tear.unit_size();
        let start = page.sector(index, unit_size) * SECTOR_SIZE as u64;
        extent.version(&page.units[index], start, cut, unit_size as u64)
    }

    fn draw<'b>(self, chance: &'b mut dyn Chance, report: &'b mut CrashReport) -> ContentDraw<'b>
    where
        'a: 'b,
    {
        ContentDraw {
            inode: self.inode,
            rules: self.rules,
            horizon: self.horizon,
            chance,
            report,
        }
    }
}
