//! Vocabulary of what is counted for each table.

use super::counter::{Counter, metric_set};

metric_set! {
    /// What is counted for one table: a fixed handful of words, so that many tables stay cheap.
    TableMetrics {
        /// Mutations applied to memtables.
        writes: Counter,
        /// Reads answered.
        reads: Counter,
        /// Live rows that reads returned.
        rows_read: Counter,
        /// Tombstones that reads passed.
        tombstones_read: Counter,
        /// Deletions of cells, rows, ranges and partitions written.
        tombstones_written: Counter,
        /// Memtables flushed.
        flushes: Counter,
        /// Bytes of sstables written by flushes.
        flush_bytes: Counter,
    }
}
