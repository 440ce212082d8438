//! Invariants: every maximum of the engine, and how they fit together.
//!
//! A knob may set less, never more. What exceeds a maximum gets an error that names it. The
//! assertions at the end hold at compile time, so two maxima that contradict each other do not build.

/// One KiB in bytes.
pub const KIB: usize = 1 << 10;
/// One MiB in bytes.
pub const MIB: usize = 1 << 20;

// Names and schemas.

/// Size of a keyspace, table or column name.
pub const NAME_SIZE_MAX: usize = 48;
/// Columns of one table, dropped ones that are still remembered included.
pub const COLUMNS_PER_TABLE_MAX: usize = 4_096;
/// Columns of a partition key, and of a clustering.
pub const KEY_COLUMNS_MAX: usize = 32;
/// Tables of a node.
pub const TABLES_MAX: usize = 100_000;
/// Size of one encoded schema change.
pub const CHANGE_SIZE_MAX: usize = MIB;
/// Size of a column's type as CQL; its encoded size is less.
pub const COLUMN_TYPE_SIZE_MAX: usize = 72;
/// Encoded size of one column in a change: its name, its type, and at most this much around them.
pub const COLUMN_OVERHEAD_SIZE_MAX: usize = 16;

/// Schema changes of a node: no node comes near, so what is above is damage.
pub const EPOCH_MAX: u64 = 1 << 60;
/// The ids of the schema's own tables begin here. Those of other tables are epochs.
pub const SYSTEM_TABLE_ID_MIN: u64 = u64::MAX - 0xff;
/// Size of a mutation of one row of the schema's own tables.
pub const SYSTEM_ROW_SIZE_MAX: usize = 3 * NAME_SIZE_MAX + COLUMN_TYPE_SIZE_MAX + 224;
/// The longest coalescing window of the schema's flush, in milliseconds: one day.
pub const SCHEMA_FLUSH_WINDOW_MILLIS_MAX: u64 = 86_400_000;

// Keys and values.

/// Size of an encoded partition key.
pub const PARTITION_KEY_SIZE_MAX: usize = u16::MAX as usize;
/// Size of an encoded clustering.
pub const CLUSTERING_SIZE_MAX: usize = u16::MAX as usize;
/// Size of a map key or set element.
pub const ELEMENT_PATH_SIZE_MAX: usize = u16::MAX as usize;
/// Size of an encoded mutation, whatever the segment size.
pub const MUTATION_SIZE_MAX: usize = 16 * MIB;

/// The longest TTL, in seconds: twenty years.
pub const TTL_SECONDS_MAX: u32 = 20 * 365 * 86_400;

// Record files.

/// Every record file begins with a header of this size.
pub const FILE_HEADER_SIZE: usize = 48;
/// Every record begins with a header of this size.
pub const RECORD_HEADER_SIZE: usize = 16;
/// Records begin at multiples of this; padding is zero.
pub const RECORD_ALIGNMENT: usize = 8;
/// Size of one record's payload.
pub const RECORD_PAYLOAD_SIZE_MAX: usize = 17 * MIB;
/// Size of one record file: offsets in it are 32 bits wide.
pub const RECORD_FILE_SIZE_MAX: u64 = u32::MAX as u64;

// The commit log.

/// Smallest segment size a knob may ask for.
pub const SEGMENT_SIZE_MIN: u64 = 512;
/// Smallest segment size of a node: a row of the schema's own tables has to fit.
pub const NODE_SEGMENT_SIZE_MIN: u64 = 1_024;
/// Segment size when no knob says otherwise.
pub const SEGMENT_SIZE_DEFAULT: u64 = 32 * MIB as u64;
/// Largest segment size a knob may ask for; a segment is read whole at replay.
pub const SEGMENT_SIZE_MAX: u64 = 1_024 * MIB as u64;
/// What a commit-log record holds before the mutation: the table id.
pub const LOG_RECORD_PREFIX_SIZE: usize = 8;
/// Bytes reserved and not yet written; more are refused, to be tried again.
pub const LOG_PENDING_SIZE_MAX: usize = 64 * MIB;
/// Longest `period` of `periodic` and `window` of `group`, in milliseconds: one day.
pub const SYNC_INTERVAL_MILLIS_MAX: u64 = 86_400_000;

// Ids.

/// Ids of files and the floor of ids that were given out end here: no node counts so far, so what is above
/// is damage, and counting on from what is below does not overflow.
pub const FILE_ID_MAX: u64 = u64::MAX / 2;

// The metadata log.

/// A metadata-log file that has reached this size is followed by a new one.
pub const METADATA_FILE_SIZE_MAX: u64 = 64 * MIB as u64;
/// Bytes of changes that wait for their sync; more are refused, to be tried again.
pub const METADATA_PENDING_SIZE_MAX: usize = 64 * MIB;

// Messages.

/// Size of one datagram between machines.
pub const MESSAGE_SIZE_MAX: usize = 17 * MIB;
/// What a message holds besides a mutation, or a schema change.
pub const MESSAGE_OVERHEAD_SIZE_MAX: usize = 64 * KIB;

/// Sessions that are open at a time, one a client; each holds its last answer.
pub const SESSIONS_MAX: usize = 4_096;

/// The largest mutation that fits a commit log with segments of `segment_size` bytes: half of one,
/// so that a segment never holds less than one mutation in two.
#[must_use]
pub const fn mutation_size_max(segment_size: u64) -> usize {
    let overhead = (FILE_HEADER_SIZE + RECORD_HEADER_SIZE + LOG_RECORD_PREFIX_SIZE) as u64;
    let fits = (segment_size / 2).saturating_sub(overhead);
    if fits < MUTATION_SIZE_MAX as u64 {
        fits as usize
    } else {
        MUTATION_SIZE_MAX
    }
}

// Records: what the rooms put into one fits; what fits is told by 32-bit lengths and offsets.
const _: () = assert!(FILE_HEADER_SIZE.is_multiple_of(RECORD_ALIGNMENT));
const _: () = assert!(RECORD_HEADER_SIZE.is_multiple_of(RECORD_ALIGNMENT));
const _: () = assert!(MUTATION_SIZE_MAX + LOG_RECORD_PREFIX_SIZE <= RECORD_PAYLOAD_SIZE_MAX);
const _: () = assert!(CHANGE_SIZE_MAX + RECORD_ALIGNMENT <= RECORD_PAYLOAD_SIZE_MAX);
const _: () = assert!(RECORD_PAYLOAD_SIZE_MAX < u32::MAX as usize - RECORD_HEADER_SIZE);
// A file may outgrow its soft size by what is pending, and still has 32-bit offsets.
const PENDING_FILE_SIZE: u64 = (LOG_PENDING_SIZE_MAX + 2 * RECORD_PAYLOAD_SIZE_MAX) as u64;
const _: () = assert!(SEGMENT_SIZE_MAX + PENDING_FILE_SIZE <= RECORD_FILE_SIZE_MAX);
const _: () =
    assert!(METADATA_FILE_SIZE_MAX + 2 * METADATA_PENDING_SIZE_MAX as u64 <= RECORD_FILE_SIZE_MAX);
const _: () = assert!(METADATA_PENDING_SIZE_MAX >= 2 * CHANGE_SIZE_MAX);
const _: () = assert!(LOG_PENDING_SIZE_MAX >= 2 * RECORD_PAYLOAD_SIZE_MAX);

// Segments: the smallest still takes a small mutation, the default the largest.
const _: () = assert!(SEGMENT_SIZE_MIN <= NODE_SEGMENT_SIZE_MIN);
const _: () = assert!(NODE_SEGMENT_SIZE_MIN <= SEGMENT_SIZE_DEFAULT);
const _: () = assert!(mutation_size_max(NODE_SEGMENT_SIZE_MIN) >= SYSTEM_ROW_SIZE_MAX);
const _: () = assert!(SEGMENT_SIZE_DEFAULT <= SEGMENT_SIZE_MAX);
const _: () = assert!(mutation_size_max(SEGMENT_SIZE_MIN) >= 128);
const _: () = assert!(mutation_size_max(SEGMENT_SIZE_DEFAULT) >= MUTATION_SIZE_MAX - KIB);
const _: () = assert!(mutation_size_max(SEGMENT_SIZE_MAX) == MUTATION_SIZE_MAX);

// Epochs: ids of tables stay below those of the schema's own; four write times an epoch fit.
const _: () = assert!(EPOCH_MAX < SYSTEM_TABLE_ID_MIN);
const _: () = assert!(EPOCH_MAX < i64::MAX as u64 / 4);

// Keys: both fit one mutation many times.
const _: () = assert!(4 * (PARTITION_KEY_SIZE_MAX + CLUSTERING_SIZE_MAX) <= MUTATION_SIZE_MAX);
const _: () = assert!(NAME_SIZE_MAX <= u8::MAX as usize);
const _: () = assert!(2 * KEY_COLUMNS_MAX < COLUMNS_PER_TABLE_MAX);
// Fields are numbered by 16 bits.
const _: () = assert!(COLUMN_TYPE_SIZE_MAX <= u16::MAX as usize);
// The widest table fits one change.
const _: () = assert!(
    COLUMNS_PER_TABLE_MAX * (NAME_SIZE_MAX + COLUMN_TYPE_SIZE_MAX + COLUMN_OVERHEAD_SIZE_MAX)
        + 4 * NAME_SIZE_MAX
        <= CHANGE_SIZE_MAX
);

// Messages: a client can send what the log can hold.
const _: () = assert!(MUTATION_SIZE_MAX + MESSAGE_OVERHEAD_SIZE_MAX <= MESSAGE_SIZE_MAX);
const _: () = assert!(CHANGE_SIZE_MAX + MESSAGE_OVERHEAD_SIZE_MAX <= MESSAGE_SIZE_MAX);
