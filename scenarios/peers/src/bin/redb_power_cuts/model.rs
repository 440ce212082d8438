//! Invariants of what a database may hold after a power cut: one of the states since the last durable
//! commit, whole; the commit in flight counts as one of them.

use std::collections::BTreeMap;

use cenotaph_sim::entropy::Stream;

/// What a database holds.
pub(crate) type Content = BTreeMap<u64, Vec<u8>>;

const KEYS_COUNT: u64 = 48;
const CHANGES_COUNT_MAX: u64 = 10;
const VALUE_SIZE_MAX: u64 = 5_000;

/// One change of a transaction: a value put, or a key removed.
pub(crate) type Change = (u64, Option<Vec<u8>>);

/// All states so far, in order; each is the one before it and one transaction.
#[derive(Debug)]
pub(crate) struct Model {
    states: Vec<Content>,
    /// The last state that a commit promised to keep.
    durable: usize,
}

/// What is wrong with a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    /// It is an older state: committed transactions are lost.
    Lost,
    /// It is no state at all: part of a transaction, or of several.
    Torn,
}

impl Model {
    /// Nothing is in, and nothing is promised.
    pub(crate) fn new() -> Model {
        Model {
            states: vec![Content::new()],
            durable: 0,
        }
    }

    /// A transaction begins: the state after it is possible from now on.
    pub(crate) fn begin(&mut self, changes: &[Change]) {
        let mut next = self.states.last().expect("there is a first state").clone();
        for (key, value) in changes {
            match value {
                Some(value) => next.insert(*key, value.clone()),
                None => next.remove(key),
            };
        }
        self.states.push(next);
    }

    /// The commit of the last transaction promised to keep it.
    pub(crate) fn promise(&mut self) {
        self.durable = self.states.len() - 1;
    }

    /// What this content says after a cut; a good one is what everything goes on from.
    pub(crate) fn judge(&mut self, found: Content) -> Result<(), Wrong> {
        match self.states.iter().rposition(|state| *state == found) {
            Some(index) if index >= self.durable => {}
            Some(_) => return Err(Wrong::Lost),
            None => return Err(Wrong::Torn),
        }
        // What recovery found has been made durable by it, or is what the medium holds.
        self.states.push(found);
        self.promise();
        Ok(())
    }
}

/// Draws a transaction's changes; every value is of this transaction alone.
pub(crate) fn draw_changes(stream: &mut Stream, number: u64) -> Vec<Change> {
    let count = 1 + stream.below(CHANGES_COUNT_MAX);
    let mut change = || {
        let key = stream.below(KEYS_COUNT);
        if stream.below(4) == 0 {
            return (key, None);
        }
        let size = match stream.below(4) {
            0 => stream.below(VALUE_SIZE_MAX),
            _ => stream.below(40),
        };
        let mut value = number.to_le_bytes().to_vec();
        value.resize(
            8 + usize::try_from(size).expect("values are small"),
            number as u8,
        );
        (key, Some(value))
    };
    (0..count).map(|_| change()).collect()
}
