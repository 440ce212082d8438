//! Steps of turning a plan's engine knobs into the engine's own configuration.

use cenotaph_engine::commitlog::{CommitLogOptions, SyncMode};
use cenotaph_engine::compaction::CompactionOptions;
use cenotaph_engine::flush::FlushOptions;
use cenotaph_engine::metadata::MetadataOptions;
use cenotaph_engine::node::Config;
use cenotaph_engine::store::ManifestOptions;

use crate::plan::{CommitlogMode, EngineKnobs};

/// The log may take this many segments before memtables are flushed to free it.
const LOG_SEGMENTS_MAX: u64 = 3;

/// The manifest and the metadata log are replaced when they are larger than a few blocks, so that
/// small blocks bring small files, and these often.
const LOG_FILE_SIZE_MIN: u64 = 512;

pub(super) fn engine_config(knobs: &EngineKnobs) -> Config {
    let segment_size = u64::from(knobs.segment_size_bytes);
    Config {
        commitlog: CommitLogOptions {
            mode: match knobs.commitlog_mode {
                CommitlogMode::Batch => SyncMode::Batch,
                CommitlogMode::Group => SyncMode::Group {
                    window_millis: u64::from(knobs.commitlog_window_millis),
                },
                CommitlogMode::Periodic => SyncMode::Periodic {
                    period_millis: u64::from(knobs.commitlog_period_millis),
                },
            },
            segment_size,
        },
        flush: FlushOptions {
            memtable_size_max: u64::from(knobs.memtable_size_bytes),
            log_size_max: segment_size * LOG_SEGMENTS_MAX,
            block_size: u64::from(knobs.block_size_bytes),
            ..FlushOptions::default()
        },
        compaction: CompactionOptions {
            sstables_min: u64::from(knobs.compaction_sstables_min),
            ..CompactionOptions::default()
        },
        manifest: ManifestOptions {
            file_size_max: (4 * u64::from(knobs.block_size_bytes)).max(LOG_FILE_SIZE_MIN),
            ..ManifestOptions::default()
        },
        metadata: MetadataOptions {
            file_size: (2 * u64::from(knobs.block_size_bytes)).max(LOG_FILE_SIZE_MIN),
        },
        schema_flush_coalescing_window_millis: u64::from(knobs.schema_flush_window_millis),
    }
}
