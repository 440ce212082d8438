//! Invariants of parts: the registers of one page or extent are independent of all others; what was made of a page is kept beside its versions.
//!
//! Crash points share the pages that are the same at each of them, and with those what was made.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::outcomes::{Answers, Asked, UnitOutcome};
use super::shares::{garbage_share, unit_share, version_share};
use crate::disk::choices::Base;
use crate::disk::crash_content::Length;
use crate::disk::options::PAGE_SIZE;
use crate::disk::table::page_start;
use crate::disk::tear::Tear;
use crate::disk::units::{PageSpace, Pick, UNITS_MAX};

/// The registers of a page or of an extent.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// The share of the base state.
    pub(super) base: u128,
    /// The other outcomes of each register, as places in the lists below.
    pub(super) registers: Vec<Range<usize>>,
    /// What each outcome changes.
    pub(super) changes: Vec<u128>,
    /// What leads to it.
    pub(super) answers: Vec<Answers>,
    /// Whether it makes garbage of the whole page.
    pub(super) garbage: Vec<bool>,
}

/// What a page of a file depends on: what the registers show by themselves, the bytes of the page
/// within the length, and the oldest versions that go with it.
type PartKey = (Base, usize, [usize; UNITS_MAX]);

/// A version of a unit, as far as the length keeps it: the unit, the version, bytes of the page.
type ShareKey = (usize, usize, usize);

#[derive(Default)]
struct Made {
    parts: BTreeMap<PartKey, Arc<Part>>,
    shares: BTreeMap<ShareKey, u128>,
}

/// What was made of one page.
#[derive(Default)]
pub(in crate::disk) struct PageParts(Mutex<Made>);

impl PageParts {
    fn made(&self) -> MutexGuard<'_, Made> {
        // What is there was made whole, whatever ended the thread that had it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PageParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageParts").finish_non_exhaustive()
    }
}

impl Part {
    pub(super) fn add(&mut self, change: u128, answers: Answers, garbage: bool) {
        self.changes.push(change);
        self.answers.push(answers);
        self.garbage.push(garbage);
    }

    /// The outcomes from `first` on are those of one register.
    pub(super) fn close(&mut self, first: usize) {
        if first < self.changes.len() {
            self.registers.push(first..self.changes.len());
        }
    }
}

impl Asked<'_> {
    /// The share of a page whose registers show what they show by themselves.
    pub(super) fn page_base(self, length: &Length, page: &PageSpace, base: Base) -> u128 {
        let kept = kept_bytes(length, page);
        let mut made = page.parts.made();
        let units = page.units.iter().enumerate();
        units.fold(0, |hash, (index, unit)| {
            let version = match base {
                Base::Newest if unit.is_settled() || self.fares_freely() => unit.newest(),
                _ => self.least(length, page, index),
            };
            let share = || version_share(self, length, page, index, version);
            hash ^ *made
                .shares
                .entry((index, version, kept))
                .or_insert_with(share)
        })
    }

    /// The registers of a page.
    pub(super) fn page_part(self, length: &Length, page: &PageSpace, base: Base) -> Arc<Part> {
        let mut leasts = [0; UNITS_MAX];
        for (index, least) in leasts.iter_mut().take(page.units.len()).enumerate() {
            *least = self.least(length, page, index);
        }
        let key = (base, kept_bytes(length, page), leasts);
        let new = || Arc::new(self.make_part(length, page, base));
        Arc::clone(page.parts.made().parts.entry(key).or_insert_with(new))
    }

    /// Whether a page has registers.
    pub(super) fn has_registers(self, length: &Length, page: &PageSpace) -> bool {
        self.fares_freely()
            && page.units.iter().enumerate().any(|(index, unit)| {
                !unit.is_settled() && self.picks(unit) - self.least(length, page, index) > 1
            })
    }

    fn make_part(self, length: &Length, page: &PageSpace, base: Base) -> Part {
        let units = (0..page.units.len()).map(|index| self.unit(length, page, index));
        let units: Vec<Vec<UnitOutcome<'_>>> = units.collect();
        let share = |index: usize, outcome: &UnitOutcome<'_>| {
            unit_share(self, length, page, index, outcome)
        };
        let shown = units.iter().enumerate().map(|(index, outcomes)| {
            let newest = Pick::Version(page.units[index].newest());
            let by_itself = match base {
                Base::Oldest => None,
                Base::Newest => outcomes.iter().position(|outcome| outcome.pick == newest),
            }
            .unwrap_or(0);
            (by_itself, share(index, &outcomes[by_itself]))
        });
        let shown: Vec<(usize, u128)> = shown.collect();
        let mut part = Part {
            base: shown.iter().fold(0, |hash, unit| hash ^ unit.1),
            ..Part::default()
        };
        for (index, outcomes) in units.into_iter().enumerate() {
            let (by_itself, base_share) = shown[index];
            let first = part.changes.len();
            for (number, outcome) in outcomes.into_iter().enumerate() {
                if number == by_itself {
                    continue;
                }
                let spoils = self.rules.tear == Tear::GarbagePage && outcome.pick == Pick::Damaged;
                let change = if spoils {
                    part.base ^ garbage_share(self, length, page)
                } else {
                    base_share ^ share(index, &outcome)
                };
                part.add(change, outcome.answers, spoils);
            }
            part.close(first);
        }
        part
    }
}

/// Bytes of a page that lie within the length.
fn kept_bytes(length: &Length, page: &PageSpace) -> usize {
    (length.size.saturating_sub(page_start(page.page)) as usize).min(PAGE_SIZE)
}
