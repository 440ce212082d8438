//! Vocabulary of a peer: what each has to be able to do.

use crate::workload::Deletion;

/// Whatever can insert, delete and read on.
pub(crate) trait Peer {
    /// What the table calls it.
    const NAME: &'static str;
    /// An empty one.
    fn new() -> Self;
    /// Inserts a row.
    fn insert(&mut self, partition: u64, at: u64, timestamp: i64);
    /// Deletes.
    fn delete(&mut self, deletion: Deletion, timestamp: i64);
    /// The value of the first row after a position, or of the last before it.
    fn next(&self, partition: u64, at: u64, reversed: bool) -> Option<u64>;
    /// Bytes in use and bytes held, when it can tell.
    fn bytes(&self) -> Option<(u64, u64)> {
        None
    }
    /// Once all is written.
    fn finish(&mut self) {}
}
