//! Vocabulary of the workload: 1,000,000 rows dealt out to partitions, most of them deleted, and reads of the first
//! row after a key that still lives.
//!
//! Row `i` is in partition `i mod partitions` at position `i`; its value is `i`. Every statement has a later timestamp
//! than all before it.

use std::fmt;

use peers_measure::Chance;

/// How many rows are inserted.
pub(crate) const ROWS: u64 = 1_000_000;
/// How many of them are deleted, in thousandths.
pub(crate) const DELETED_PER_MILLE: u64 = 997;

/// How a row is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// All up to the row: `<= p`.
    RangeFromStart,
    /// A range of just the row: `>= p AND <= p`.
    SingletonRange,
    /// The row: `= p`.
    Equal,
    /// Up to the next row of the partition: `>= p AND < p + partitions`.
    RangeToNext,
    /// Ten positions: `>= p AND < p + 10`.
    RangeOfTen,
}

impl Form {
    /// The ones that the targets are about, and the others.
    pub(crate) const ALL: [Form; 5] = [
        Form::RangeFromStart,
        Form::SingletonRange,
        Form::Equal,
        Form::RangeToNext,
        Form::RangeOfTen,
    ];
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::RangeFromStart => "range from start",
            Form::SingletonRange => "singleton range",
            Form::Equal => "equal",
            Form::RangeToNext => "range to next",
            Form::RangeOfTen => "range of ten",
        })
    }
}

/// Which rows are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// The first ones, in order.
    FromStart,
    /// As a hash falls, some more than once.
    Random,
    /// Evenly spread.
    Spread,
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pattern::FromStart => "from start",
            Pattern::Random => "random",
            Pattern::Spread => "spread",
        })
    }
}

/// One case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// How many partitions.
    pub(crate) partitions: u64,
    /// How rows are deleted.
    pub(crate) form: Form,
    /// Which.
    pub(crate) pattern: Pattern,
}

/// A deletion within one partition: positions from the first to below the second, `None` for all from the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deletion {
    /// The partition.
    pub(crate) partition: u64,
    /// What is deleted.
    pub(crate) span: Span,
}

/// What a deletion covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// One row, by a row deletion.
    Row(u64),
    /// Both ends included, by a range deletion.
    Closed(u64, u64),
    /// The end excluded, by a range deletion.
    HalfOpen(u64, u64),
    /// All up to the position and with it, by a range deletion.
    UpTo(u64),
}

impl Span {
    /// The positions it covers, both ends included.
    pub(crate) const fn covered(self) -> (u64, u64) {
        match self {
            Span::Row(at) => (at, at),
            Span::Closed(from, to) => (from, to),
            Span::HalfOpen(from, to) => (from, to - 1),
            Span::UpTo(to) => (0, to),
        }
    }
}

impl Case {
    /// The deletions in their order.
    pub(crate) fn deletions(self) -> impl Iterator<Item = Deletion> {
        let count = ROWS * DELETED_PER_MILLE / 1_000;
        let mut chance = Chance::new(7);
        (0..count).map(move |index| {
            let row = match self.pattern {
                Pattern::FromStart => index,
                Pattern::Random => chance.below(ROWS),
                Pattern::Spread => index * ROWS / count,
            };
            let span = match self.form {
                Form::RangeFromStart => Span::UpTo(row),
                Form::SingletonRange => Span::Closed(row, row),
                Form::Equal => Span::Row(row),
                Form::RangeToNext => Span::HalfOpen(row, row + self.partitions),
                Form::RangeOfTen => Span::HalfOpen(row, row + 10),
            };
            Deletion {
                partition: row % self.partitions,
                span,
            }
        })
    }

    /// The reads: a partition, and the position after which the first row is asked for.
    pub(crate) fn reads(self, count: usize) -> Vec<(u64, u64)> {
        let mut chance = Chance::new(1);
        let read = |_| {
            let row = chance.below(ROWS);
            (row % self.partitions, row)
        };
        (0..count).map(read).collect()
    }
}
