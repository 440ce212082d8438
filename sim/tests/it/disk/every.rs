//! Steps of an exhaustive crash: answer every question in every way, one crash for each list of answers.
//!
//! It knows only `Disk::crash`, and so is what the listed, bounded and lazy states are held against.

use std::collections::BTreeSet;

use cenotaph_sim::disk::{Chance, CrashKind, Disk, MetadataOrder, RegisterName};

use super::support::tree;

/// Crashes of one disk that are tried before the test is called too large.
const CRASHES_MAX: usize = 400_000;

/// Answers as the list says, and the least beyond its end; remembers how many answers each
/// question had.
struct Listed {
    answers: Vec<(u64, u64)>,
    asked: usize,
    names_apart: bool,
}

impl Chance for Listed {
    fn below(&mut self, register: RegisterName, bound: u64) -> u64 {
        // The last mood leaves each register to itself, and so reaches what the others reach.
        match register {
            RegisterName::File { .. } => return bound - 1,
            RegisterName::Names if self.names_apart => return bound - 1,
            _ => {}
        }
        if self.asked == self.answers.len() {
            self.answers.push((0, bound));
        }
        let (answer, known) = self.answers[self.asked];
        assert_eq!(known, bound, "the same answers lead to the same questions");
        self.asked += 1;
        answer
    }
}

/// Calls `visit` with the disk after each crash that can happen to it.
pub(crate) fn every_crash(disk: &Disk, kind: CrashKind, mut visit: impl FnMut(&mut Disk)) {
    let metadata = disk.options().profile.constraints().metadata;
    let mut answers = Vec::new();
    for _ in 0..CRASHES_MAX {
        let mut chance = Listed {
            answers,
            asked: 0,
            names_apart: metadata == MetadataOrder::Free,
        };
        let mut fork = disk.clone();
        fork.crash(kind, &mut chance);
        visit(&mut fork);
        answers = chance.answers;
        while let Some((answer, bound)) = answers.pop() {
            if answer + 1 < bound {
                answers.push((answer + 1, bound));
                break;
            }
        }
        if answers.is_empty() {
            return;
        }
    }
    panic!("more than {CRASHES_MAX} crashes of one disk");
}

/// Every state that a power cut may leave.
pub(crate) fn every_state(disk: &Disk) -> BTreeSet<String> {
    let mut states = BTreeSet::new();
    every_crash(disk, CrashKind::PowerCut, |fork| {
        states.insert(tree(fork));
    });
    states
}
