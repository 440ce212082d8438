//! Invariants of choices: each register of one crash is chosen once, when it is first looked at, and remembered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::chance::{Chance, KeyedChance, RegisterName};
use super::file_space::Fate;

/// Which end of its history a register shows where nothing else was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// Its oldest version: what was not synced is lost.
    Oldest,
    /// Its newest version: nothing is lost.
    Newest,
}

/// One choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The register, or the decision about one.
    pub register: RegisterName,
    /// The number chosen.
    pub answer: u64,
    /// Numbers that there were to choose from, from 0 on.
    pub bound: u64,
    /// The number of the newest version, where the choice is one of versions.
    pub newest: Option<u64>,
}

impl Base {
    /// What a register shows by itself.
    pub(super) fn answer(self, newest: Option<u64>) -> u64 {
        match self {
            Base::Oldest => 0,
            Base::Newest => newest.unwrap_or(0),
        }
    }
}

impl Choice {
    /// Whether a register shows another version than it would by itself.
    #[must_use]
    pub fn deviates(&self, base: Base) -> bool {
        self.newest.is_some() && self.answer != base.answer(self.newest)
    }

    /// The next answer to the same question: the base's comes first, then the others from 0 on.
    pub(super) fn next(&self, base: Base) -> Option<Choice> {
        let first = base.answer(self.newest);
        let after = if self.answer == first {
            0
        } else {
            self.answer + 1
        };
        let answer = if after == first { after + 1 } else { after };
        (answer < self.bound).then_some(Choice { answer, ..*self })
    }
}

/// What decides.
#[derive(Clone, Debug)]
enum By {
    Key(KeyedChance),
    /// These answers to the first questions, then the base.
    List(Vec<u64>, Base),
}

/// The choices of one crash: a handle, of which every clone is the same choices.
#[derive(Clone, Debug)]
pub struct Choices(Arc<Mutex<Record>>);

/// The choices made so far.
#[derive(Debug)]
pub(super) struct Record {
    by: By,
    made: Vec<Choice>,
    /// Positions in `made`.
    known: BTreeMap<RegisterName, usize>,
    /// What was chosen for a file as a whole.
    pub(super) fates: BTreeMap<u64, Fate>,
}

impl Choices {
    /// Chooses by a key and the register's name, as a crash with this chance does.
    #[must_use]
    pub fn keyed(chance: KeyedChance) -> Choices {
        Choices::by(By::Key(chance))
    }

    /// Answers the first questions with these numbers, and leaves every other register to the base.
    #[must_use]
    pub fn listed(answers: Vec<u64>, base: Base) -> Choices {
        Choices::by(By::List(answers, base))
    }

    fn by(by: By) -> Choices {
        Choices(Arc::new(Mutex::new(Record {
            by,
            made: Vec::new(),
            known: BTreeMap::new(),
            fates: BTreeMap::new(),
        })))
    }

    /// The choices so far, in the order in which they were needed.
    #[must_use]
    pub fn made(&self) -> Vec<Choice> {
        self.record().made.clone()
    }

    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        // A choice is recorded in one step, so that a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same choices so far; what is chosen from now on is chosen apart.
    pub(super) fn forked(&self) -> Choices {
        let record = self.record();
        Choices(Arc::new(Mutex::new(Record {
            by: record.by.clone(),
            made: record.made.clone(),
            known: record.known.clone(),
            fates: BTreeMap::new(),
        })))
    }
}

impl Record {
    fn choose(&mut self, register: RegisterName, bound: u64, newest: Option<u64>) -> u64 {
        if let Some(&index) = self.known.get(&register) {
            return self.made[index].answer;
        }
        let answer = match &mut self.by {
            By::Key(chance) => chance.below(register, bound),
            By::List(answers, base) => match answers.get(self.made.len()) {
                Some(&answer) => answer,
                None => base.answer(newest),
            },
        };
        assert!(
            answer < bound,
            "{register:?}: {answer} is none of {bound} numbers"
        );
        self.known.insert(register, self.made.len());
        self.made.push(Choice {
            register,
            answer,
            bound,
            newest,
        });
        answer
    }
}

impl Chance for Record {
    fn below(&mut self, register: RegisterName, bound: u64) -> u64 {
        self.choose(register, bound, None)
    }

    fn mood(&mut self, whole: RegisterName, bound: u64) -> u64 {
        match &mut self.by {
            By::Key(chance) => chance.mood(whole, bound),
            By::List(..) => bound - 1,
        }
    }

    fn version(&mut self, register: RegisterName, bound: u64, newest: u64) -> u64 {
        self.choose(register, bound, Some(newest))
    }
}
