//! Vocabulary of answers: how an operation ended, as far as its client can know.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Column, Field, Scalar, TableNumber, Value};

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The node answered that it is done.
    Ok(Answer),
    /// The node answered that it will not do it: it is definitely not applied.
    Refused(Refusal),
    /// No answer, or one that leaves it open: it may have been applied, or be applied later.
    Unknown {
        /// What the client saw: `timeout`, or the node's error text.
        why: String,
    },
}

/// How the last words of a node begin that found stored bytes to contradict themselves.
pub const CORRUPTION: &str = "Corruption: ";

/// What the node says failed it, when it leaves an operation open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blame {
    /// Stored bytes contradict what was once written.
    Corruption,
    /// The machine failed, or its disk is full.
    Machine,
}

/// What a successful operation brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing but success: writes, schema changes, flushes, pauses.
    Done,
    /// What a read showed.
    Rows(PartitionSeen),
    /// What a description of the schema showed, in no particular order.
    Tables(Vec<TableSeen>),
    /// What a compaction says that it did.
    Compacted(CompactionSeen),
    /// The deletions that are stored of a partition.
    Stones(StonesSeen),
    /// What the schema's own tables showed, and the schema at that time.
    SystemSchema(SystemSchemaSeen),
}

/// Why a node will not do an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The node knows no table of that name.
    NoSuchTable,
    /// It knows one already.
    TableExists,
    /// It knows the table, but not the column.
    NoSuchColumn,
    /// It knows that column already.
    ColumnExists,
    /// It does nothing now, whoever asks: it drains, or has too much to do.
    NotNow(String),
    /// Any other reason.
    Other(String),
}

/// What a read showed of one partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionSeen {
    /// Live static cells. Shown beside rows; without rows only when the read asked for the whole
    /// partition, where they are its one row.
    pub statics: BTreeMap<Column, Value>,
    /// Visible rows in the order of the read.
    pub rows: Vec<RowSeen>,
}

/// What a read showed of one row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSeen {
    /// Values of all clustering columns.
    pub clustering: Vec<Scalar>,
    /// Live regular cells; a column that is null is not there.
    pub cells: BTreeMap<Column, Value>,
}

/// What a description of the schema showed of one table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableSeen {
    /// The table.
    pub table: TableNumber,
    /// Its static and regular columns.
    pub columns: BTreeSet<Column>,
}

/// What a compaction says that it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactionSeen {
    /// The wall second for which it decided what is dead.
    pub now_seconds: u32,
    /// Deletions with an earlier second than this had outlived their grace.
    pub gc_before_seconds: u32,
    /// Deletions that it forgot.
    pub purged_count: u64,
    /// Deletions that it kept because their grace was not over.
    pub kept_by_grace_count: u64,
    /// Deletions that it kept because older data may lie in a memtable.
    pub kept_by_memtable_count: u64,
    /// Deletions that it kept because older data may lie in an sstable that it did not read.
    pub kept_by_sstable_count: u64,
}

/// One stored deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoneSeen {
    /// Its write time, in microseconds.
    pub timestamp: i64,
    /// The wall second at which it was made; of an expired value, when it expired.
    pub second: u32,
}

/// One end of a stored range deletion, in clustering order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoneEdge {
    /// The first clustering values; none for an end of the partition.
    pub values: Vec<Scalar>,
    /// Whether it stands after the rows that begin with the values, not before them.
    pub is_after: bool,
}

/// The deletions that are stored of a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StonesSeen {
    /// Of the partition.
    pub partition: Option<StoneSeen>,
    /// Of ranges, in the order given: from, to, deletion.
    pub ranges: Vec<(StoneEdge, StoneEdge, StoneSeen)>,
    /// Of rows, in the order given.
    pub rows: Vec<(Vec<Scalar>, StoneSeen)>,
    /// In the static row.
    pub statics: Vec<(StoneOf, StoneSeen)>,
    /// In rows, in the order given.
    pub cells: Vec<(Vec<Scalar>, StoneOf, StoneSeen)>,
}

impl StonesSeen {
    /// How many deletions there are.
    #[must_use]
    pub fn count(&self) -> usize {
        let StonesSeen {
            partition,
            ranges,
            rows,
            statics,
            cells,
        } = self;
        usize::from(partition.is_some()) + ranges.len() + rows.len() + statics.len() + cells.len()
    }
}

/// What in a row a deletion is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoneOf {
    /// The one cell of a column.
    Cell(Column),
    /// All elements of a column.
    Elements(Column),
    /// One element of a column.
    Element(Column, Element),
}

/// An element of a column with a cell for each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// The entry of a map, or the element of a set, with this key.
    Key(Scalar),
    /// A field of a struct.
    Field(Field),
    /// An element of a list, by the id that the node gave it.
    Item(u128),
}

impl From<Column> for StoneOf {
    /// Of the one cell of the column.
    fn from(column: Column) -> StoneOf {
        StoneOf::Cell(column)
    }
}

impl StoneOf {
    /// The column.
    #[must_use]
    pub const fn column(&self) -> Column {
        match self {
            StoneOf::Cell(column) | StoneOf::Elements(column) | StoneOf::Element(column, _) => {
                *column
            }
        }
    }
}

/// The schema as its own tables show it, beside the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemSchemaSeen {
    /// The schema, in text, a line an object, sorted.
    pub schema: Vec<String>,
    /// The rows of `system_schema`, in the same form.
    pub rows: Vec<String>,
}
