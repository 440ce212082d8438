//! Vocabulary of what a node counts.

use super::counter::{Counter, Peak, metric_set};

metric_set! {
    /// What a node counts, all tables together. Sizes are in bytes, durations in nanoseconds.
    NodeMetrics {
        /// Mutations given a place in the commit log.
        log_records: Counter,
        /// Bytes of commit log written, headers and padding included.
        log_bytes: Counter,
        /// Syncs of commit-log segments that succeeded.
        log_syncs: Counter,
        /// The longest sync of a segment: from its begin to its end.
        log_sync_nanos_max: Peak,
        /// Segments begun.
        log_segments_created: Counter,
        /// Segments deleted because no table needed them.
        log_segments_deleted: Counter,
        /// Commit-log records applied at start.
        replay_records: Counter,
        /// Records passed over at start: an sstable holds them.
        replay_records_persisted: Counter,
        /// Records passed over at start: their table was dropped.
        replay_records_dropped: Counter,
        /// Segments that ended in a torn tail.
        replay_torn_tails: Counter,
        /// Schema changes that became durable.
        metadata_changes: Counter,
        /// Syncs of the metadata log that succeeded; several changes may share one.
        metadata_syncs: Counter,
        /// The longest sync of the metadata log.
        metadata_sync_nanos_max: Peak,
        /// Metadata-log files that ended in a torn tail.
        metadata_torn_tails: Counter,
        /// Entries at the end of the metadata log written again at start.
        metadata_entries_rewritten: Counter,
        /// Metadata-log files deleted because a later one took their place.
        metadata_files_deleted: Counter,
        /// Memtables flushed.
        flushes: Counter,
        /// Flushes that failed.
        flush_failures: Counter,
        /// Bytes of sstables written by flushes.
        flush_bytes: Counter,
        /// Flushes of the schema's own tables begun.
        schema_flushes: Counter,
        /// Of those, the ones that failed.
        schema_flush_failures: Counter,
        /// Tables compacted.
        compactions: Counter,
        /// Compactions that failed.
        compaction_failures: Counter,
        /// Deletions that compactions forgot.
        tombstones_purged: Counter,
        /// Bytes of sstables written by compactions.
        compaction_bytes: Counter,
        /// Files that no manifest knew, removed at start.
        unknown_files_removed: Counter,
        /// Sstables opened.
        sstables_opened: Counter,
        /// Requests answered with an error.
        requests_failed: Counter,
    }
}
