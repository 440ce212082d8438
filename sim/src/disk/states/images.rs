//! Steps: choose names, then each file's length, then combine what the registers change, within the bounds.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use super::flat::File;
use super::names::HashedNames;
use super::odometer::{Bounds, Odometer};
use super::parts::Part;
use crate::disk::chance::{Chance, RegisterName};
use crate::disk::choices::{Base, Choice};
use crate::disk::crash_point::CrashPoint;
use crate::disk::file_space::FileSpace;
use crate::disk::inode::Ino;
use crate::disk::tear::Tear;
use crate::disk::volume::Disk;

/// A register that deviates: its file, the part of the file, the outcome's place there.
#[derive(Clone, Copy, Debug)]
struct Picked {
    file: usize,
    part: usize,
    place: usize,
}

/// An image that a crash may leave: its hash, and all it takes to make it.
pub struct Image<'a> {
    point: &'a CrashPoint,
    hash: u128,
    base: Base,
    names: &'a [Choice],
    files: &'a [Rc<File>],
    lengths: &'a [usize],
    picked: &'a [Picked],
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

    /// What registers that deviate are counted from.
    #[must_use]
    pub fn base(&self) -> Base {
        self.base
    }

    /// The registers that show something else than they do in the base.
    #[must_use]
    pub fn deviations(&self) -> Vec<RegisterName> {
        let names = self.names.iter();
        let names = names.filter(|choice| choice.deviates(self.base));
        let names = names.map(|choice| choice.register);
        let lengths = self.files.iter().zip(self.lengths);
        let lengths = lengths.filter_map(|(file, &place)| {
            let length = file.length(place);
            (length.deviations(self.base) > 0).then(|| file.length_register())
        });
        let picked = self.picked.iter().filter_map(|pick| {
            let parts = self.files[pick.file].parts(self.lengths[pick.file]);
            let answers = &parts[pick.part].answers[pick.place];
            answers.first().map(|answer| answer.0)
        });
        names.chain(lengths).chain(picked).collect()
    }

    /// Where metadata is one history: how many of its changes are in, and of how many.
    #[must_use]
    pub fn history(&self) -> Option<(u64, u64)> {
        let mut names = self.names.iter();
        let names = names.find(|choice| choice.register == RegisterName::Names)?;
        Some((names.answer, names.bound - 1))
    }

    fn answers(&self) -> Answered {
        let names = self.names.iter();
        let mut answers: BTreeMap<RegisterName, u64> = names
            .map(|choice| (choice.register, choice.answer))
            .collect();
        let lengths = self.files.iter().zip(self.lengths);
        let lengths = lengths.map(|(file, &place)| &file.length(place).answers);
        let picked = self.picked.iter().map(|pick| {
            let parts = self.files[pick.file].parts(self.lengths[pick.file]);
            &parts[pick.part].answers[pick.place]
        });
        answers.extend(lengths.chain(picked).flatten().copied());
        Answered {
            answers,
            base: self.base,
        }
    }
}

impl fmt::Debug for Image<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("hash", &self.hash)
            .field("base", &self.base)
            .field("answers", &self.answers().answers)
            .finish_non_exhaustive()
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
            let mut files = Files::default();
            let mut odometer = Odometer::new(base, bounds);
            while let Some(choices) = odometer.next() {
                let hashed = self.hashed_names(&mut *choices.record());
                let names = choices.made();
                let made = names.iter().filter(|choice| choice.deviates(base)).count();
                let left = bounds.deviations_left(made as u32);
                let files = files.of(&hashed, base);
                let mut walk = Walk {
                    point: self,
                    base,
                    names: &names,
                    files: &files,
                    may_clash: hashed.ground.rules.tear == Tear::GarbagePage,
                    lengths: Vec::new(),
                    picked: Vec::new(),
                    visit,
                };
                walk.choose_lengths(hashed.hash, left)?;
                odometer.learn(names);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Files that were made already, where they do not depend on the names but by the lengths that
/// those allow.
#[derive(Default)]
struct Files(BTreeMap<(Ino, (usize, usize)), Rc<File>>);

impl Files {
    fn of(&mut self, hashed: &HashedNames<'_>, base: Base) -> Vec<Rc<File>> {
        let (ground, horizon) = (hashed.ground, hashed.horizon);
        let files = hashed.files.iter();
        let file = |(&ino, space): (&Ino, &Arc<FileSpace>)| {
            let new = || Rc::new(File::new(ground, (ino, space), horizon, base));
            if !ground.rules.keeps_units_apart() {
                return new();
            }
            let bounds = space.size_bounds(horizon, &ground.rules);
            Rc::clone(self.0.entry((ino, bounds)).or_insert_with(new))
        };
        files.map(file).collect()
    }
}

/// One walk over the images that share their names.
struct Walk<'a, 'v> {
    point: &'a CrashPoint,
    base: Base,
    names: &'a [Choice],
    files: &'a [Rc<File>],
    may_clash: bool,
    /// The place of each file's length.
    lengths: Vec<usize>,
    picked: Vec<Picked>,
    visit: &'v mut dyn FnMut(&Image<'_>) -> ControlFlow<()>,
}

impl Walk<'_, '_> {
    /// Chooses the lengths of the other files, then all else; `left` registers may deviate.
    fn choose_lengths(&mut self, hash: u128, left: u32) -> ControlFlow<()> {
        let files = self.files;
        let Some(file) = files.get(self.lengths.len()) else {
            self.visit(hash)?;
            if left == 0 {
                return ControlFlow::Continue(());
            }
            let lengths = files.iter().zip(&self.lengths);
            let parts: Vec<&[Arc<Part>]> =
                lengths.map(|(file, &place)| file.parts(place)).collect();
            return self.pick(&parts, (0, 0, 0), hash, left);
        };
        for place in file.places(left) {
            let cost = file.length(place).deviations(self.base);
            self.lengths.push(place);
            self.choose_lengths(hash ^ file.base(place), left - cost)?;
            self.lengths.pop();
        }
        ControlFlow::Continue(())
    }

    /// Lets at most `left` registers deviate, from this file, part and register on.
    fn pick(
        &mut self,
        files: &[&[Arc<Part>]],
        from: (usize, usize, usize),
        hash: u128,
        left: u32,
    ) -> ControlFlow<()> {
        if left == 0 {
            return ControlFlow::Continue(());
        }
        let (_, mut first_part, mut first_register) = from;
        for file in from.0..files.len() {
            for part in first_part..files[file].len() {
                let registers = &files[file][part];
                for register in first_register..registers.registers.len() {
                    for place in registers.registers[register].clone() {
                        let picked = Picked { file, part, place };
                        if self.may_clash && self.clashes(files, picked) {
                            continue;
                        }
                        let hash = hash ^ registers.changes[place];
                        self.picked.push(picked);
                        self.visit(hash)?;
                        self.pick(files, (file, part, register + 1), hash, left - 1)?;
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
    fn clashes(&self, files: &[&[Arc<Part>]], pick: Picked) -> bool {
        let garbage = &files[pick.file][pick.part].garbage;
        self.picked.iter().any(|other| {
            (other.file, other.part) == (pick.file, pick.part)
                && (garbage[pick.place] || garbage[other.place])
        })
    }

    fn visit(&mut self, hash: u128) -> ControlFlow<()> {
        (self.visit)(&Image {
            point: self.point,
            hash,
            base: self.base,
            names: self.names,
            files: self.files,
            lengths: &self.lengths,
            picked: &self.picked,
        })
    }
}
