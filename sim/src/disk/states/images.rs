//! Steps: choose names, then each file's length, then combine what the registers change, within the bounds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::flat::{Flat, Made};
use super::odometer::{Bounds, Odometer};
use super::outcomes::{Answers, Asked, LengthOutcome};
use crate::disk::chance::{Chance, RegisterName};
use crate::disk::choices::{Base, Choice};
use crate::disk::crash_point::{CrashPoint, Ground, Named};
use crate::disk::inode::Ino;
use crate::disk::volume::Disk;

/// A register that deviates: its file, the part of the file, the outcome's place there.
#[derive(Clone, Copy, Debug)]
struct Picked {
    file: usize,
    part: usize,
    place: usize,
}

/// An image that a crash may leave: its hash, and all it takes to make it.
#[derive(Debug)]
pub struct Image<'a> {
    point: &'a CrashPoint,
    hash: u128,
    base: Base,
    names: &'a [Choice],
    lengths: &'a [&'a Answers],
    picked: &'a [Picked],
    flats: &'a [Rc<Flat>],
}

impl Image<'_> {
    /// The image's hash, as [`Disk::image_hash`] gives it.
    #[must_use]
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// The disk with this image.
    #[must_use]
    pub fn disk(&self) -> Disk {
        self.point.crash(&mut self.answers()).0
    }

    fn answers(&self) -> Answered {
        let names = self.names.iter();
        let mut answers: BTreeMap<RegisterName, u64> = names
            .map(|choice| (choice.register, choice.answer))
            .collect();
        let picked = self.picked.iter();
        let picked = picked.map(|pick| &self.flats[pick.file].parts[pick.part].answers[pick.place]);
        answers.extend(
            self.lengths
                .iter()
                .copied()
                .chain(picked)
                .flatten()
                .copied(),
        );
        Answered {
            answers,
            base: self.base,
        }
    }
}

/// Gives known answers, and else the base's.
struct Answered {
    answers: BTreeMap<RegisterName, u64>,
    base: Base,
}

impl Chance for Answered {
    fn below(&mut self, register: RegisterName, _: u64) -> u64 {
        self.answers.get(&register).copied().unwrap_or(0)
    }

    fn mood(&mut self, _: RegisterName, bound: u64) -> u64 {
        bound - 1
    }

    fn version(&mut self, register: RegisterName, _: u64, newest: u64) -> u64 {
        let known = self.answers.get(&register).copied();
        known.unwrap_or_else(|| self.base.answer(Some(newest)))
    }
}

impl CrashPoint {
    /// Calls `visit` with every image within the bounds, until it breaks off; with some of them more
    /// than once. Says whether it got to the end. An image costs little more than its hash.
    pub fn images(
        &self,
        bounds: Bounds,
        visit: &mut dyn FnMut(&Image<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for &base in bounds.bases() {
            let mut flats = Flats::default();
            let mut odometer = Odometer::new(base, bounds);
            while let Some(choices) = odometer.next() {
                let (ground, named) = self.draw_names(&mut *choices.record());
                let names = choices.made();
                let made = names.iter().filter(|choice| choice.deviates(base)).count();
                let left = bounds.deviations_left(made as u32);
                let files = flats.files(ground, &named, base, left);
                let mut walk = Walk {
                    point: self,
                    base,
                    names: &names,
                    lengths: Vec::new(),
                    flats: Vec::new(),
                    picked: Vec::new(),
                    visit,
                };
                let open = |ino| named.files.contains_key(&ino);
                walk.choose_lengths(&files, named.disk.image_hash_but(open), left)?;
                odometer.learn(names);
            }
        }
        ControlFlow::Continue(())
    }
}

/// The lengths that one file may have, with its registers then.
type File = Vec<(LengthOutcome, Rc<Flat>)>;

/// Flat files that were made already, where they do not depend on the names.
#[derive(Default)]
struct Flats {
    made: BTreeMap<(Ino, usize, u64), Rc<Flat>>,
    parts: BTreeMap<Ino, Made>,
}

impl Flats {
    fn files(&mut self, ground: &Ground, named: &Named, base: Base, left: u32) -> Vec<File> {
        let mut files = Vec::new();
        for (&ino, space) in named.files.iter() {
            let asked = Asked {
                inode: ino.0,
                space,
                rules: &ground.rules,
                horizon: named.horizon,
            };
            let lengths = asked.lengths().into_iter();
            let within = lengths.filter(|outcome| outcome.deviations(base) <= left);
            let flat = |outcome: LengthOutcome| {
                let flat = self.flat(asked, ino, &outcome, base);
                (outcome, flat)
            };
            files.push(within.map(flat).collect());
        }
        files
    }

    fn flat(
        &mut self,
        asked: Asked<'_>,
        ino: Ino,
        outcome: &LengthOutcome,
        base: Base,
    ) -> Rc<Flat> {
        let parts = self.parts.entry(ino).or_default();
        let mut new = || Rc::new(Flat::new(asked, outcome, base, parts));
        if !asked.rules.keeps_units_apart() || outcome.is_unclean() {
            return new();
        }
        let key = (ino, outcome.length.count, outcome.length.size);
        Rc::clone(self.made.entry(key).or_insert_with(new))
    }
}

/// One walk over the images that share their names.
struct Walk<'a, 'v> {
    point: &'a CrashPoint,
    base: Base,
    names: &'a [Choice],
    lengths: Vec<&'a Answers>,
    flats: Vec<Rc<Flat>>,
    picked: Vec<Picked>,
    visit: &'v mut dyn FnMut(&Image<'_>) -> ControlFlow<()>,
}

impl<'a> Walk<'a, '_> {
    /// Chooses the lengths of these files, then all else; `left` registers may deviate.
    fn choose_lengths(&mut self, files: &'a [File], hash: u128, left: u32) -> ControlFlow<()> {
        let Some((file, rest)) = files.split_first() else {
            let flats = std::mem::take(&mut self.flats);
            self.visit(&flats, hash)?;
            self.pick(&flats, (0, 0, 0), hash, left)?;
            self.flats = flats;
            return ControlFlow::Continue(());
        };
        for (outcome, flat) in file {
            let cost = outcome.deviations(self.base);
            if cost > left {
                continue;
            }
            self.lengths.push(&outcome.answers);
            self.flats.push(Rc::clone(flat));
            self.choose_lengths(rest, hash ^ flat.base, left - cost)?;
            self.flats.pop();
            self.lengths.pop();
        }
        ControlFlow::Continue(())
    }

    /// Lets at most `left` registers deviate, from this file, part and register on.
    fn pick(
        &mut self,
        flats: &[Rc<Flat>],
        from: (usize, usize, usize),
        hash: u128,
        left: u32,
    ) -> ControlFlow<()> {
        if left == 0 {
            return ControlFlow::Continue(());
        }
        let (_, mut first_part, mut first_register) = from;
        for file in from.0..flats.len() {
            for part in first_part..flats[file].parts.len() {
                let registers = &flats[file].parts[part];
                for register in first_register..registers.registers.len() {
                    for place in registers.registers[register].clone() {
                        let picked = Picked { file, part, place };
                        if self.clashes(flats, picked) {
                            continue;
                        }
                        let hash = hash ^ registers.changes[place];
                        self.picked.push(picked);
                        self.visit(flats, hash)?;
                        self.pick(flats, (file, part, register + 1), hash, left - 1)?;
                        self.picked.pop();
                    }
                }
                first_register = 0;
            }
            first_part = 0;
        }
        ControlFlow::Continue(())
    }

    /// Whether garbage takes a page along of which something else was picked, which is the same as
    /// the garbage alone.
    fn clashes(&self, flats: &[Rc<Flat>], pick: Picked) -> bool {
        let flat = &flats[pick.file];
        if !flat.may_clash {
            return false;
        }
        let garbage = &flat.parts[pick.part].garbage;
        self.picked.iter().any(|other| {
            (other.file, other.part) == (pick.file, pick.part)
                && (garbage[pick.place] || garbage[other.place])
        })
    }

    fn visit(&mut self, flats: &[Rc<Flat>], hash: u128) -> ControlFlow<()> {
        (self.visit)(&Image {
            point: self.point,
            hash,
            base: self.base,
            names: self.names,
            lengths: &self.lengths,
            picked: &self.picked,
            flats,
        })
    }
}
