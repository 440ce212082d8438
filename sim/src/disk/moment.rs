//! Invariants of moments: they order all operations of a disk, on names and on contents, as issued.

/// When an operation was issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Moment {
    /// The transaction that names are at, or would get next.
    transaction: u64,
    /// The number of a change of content; the transaction itself comes after those before it.
    change: u64,
}

impl Moment {
    /// After everything.
    pub(super) const END: Moment = Moment {
        transaction: u64::MAX,
        change: u64::MAX,
    };

    /// The moment as words, for a hash.
    pub(super) const fn words(self) -> [u64; 2] {
        [self.transaction, self.change]
    }

    /// When this transaction was issued.
    pub(super) const fn of_transaction(transaction: u64) -> Moment {
        Moment {
            transaction,
            change: u64::MAX,
        }
    }

    /// When a change of content was issued, given the next transaction and the change's number.
    pub(super) const fn of_change(next_transaction: u64, change: u64) -> Moment {
        Moment {
            transaction: next_transaction,
            change,
        }
    }
}
