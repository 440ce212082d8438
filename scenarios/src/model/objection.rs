//! Vocabulary of objections: why an answer is not one that a right database gives.

use std::fmt;

use crate::plan::{Column, OperationRef, Scalar, TableNumber};

/// Where in a partition cells are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Beside the rows.
    Static,
    /// In the row with these clustering values.
    Row(Vec<Scalar>),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Static => f.write_str("static"),
            Place::Row(row) => {
                let values: Vec<String> = row.iter().map(Scalar::to_string).collect();
                write!(f, "row ({})", values.join(","))
            }
        }
    }
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Rows are not in clustering order, or one shows twice.
    RowsOutOfOrder {
        /// The first row that stands wrong.
        row: Place,
    },
    /// A row shows that was not asked for.
    OutsideSlice {
        /// That row.
        row: Place,
    },
    /// More rows than the limit show.
    LimitExceeded,
    /// Static cells show in an answer that has no row to show them beside.
    StaticWithoutRow,
    /// A collection shows without elements, with one twice, or with elements out of order.
    CollectionMalformed {
        /// Where it shows.
        place: Place,
    },
    /// The node says that it did it at a second that its clock did not show.
    SecondWrong,
    /// A row shows though no cell and no marker of it may be live.
    RowWithoutContent {
        /// That row.
        row: Place,
    },
    /// Part of an operation shows, another part is missing.
    Torn {
        /// That operation.
        writer: OperationRef,
    },
    /// What an operation wrote must show and does not.
    Missing {
        /// That operation.
        writer: OperationRef,
        /// Where it must show.
        place: Place,
        /// Whether an earlier incarnation than the one that was asked acknowledged or showed it.
        across_restart: bool,
    },
    /// A value shows that a later write must replace.
    Replaced {
        /// The later write.
        by: OperationRef,
        /// The operation whose value shows.
        writer: OperationRef,
        /// Where it shows.
        place: Place,
        /// Whether an earlier incarnation than the one that was asked acknowledged or showed the
        /// later write.
        across_restart: bool,
    },
    /// Something shows that a deletion must hide.
    Deleted {
        /// The deletion.
        by: OperationRef,
        /// Where it shows.
        place: Place,
    },
    /// A value shows that nobody wrote there.
    NeverWritten {
        /// Where it shows.
        place: Place,
    },
    /// A value shows of an operation that the node refused.
    RefusedShows {
        /// That operation.
        writer: OperationRef,
    },
    /// A value shows of an operation that was seen to be lost, and could not land again.
    DeadShows {
        /// That operation.
        writer: OperationRef,
    },
    /// A value shows of an operation on a table that was dropped since.
    DroppedShows {
        /// That operation.
        writer: OperationRef,
    },
    /// A value shows of an operation on a table that was truncated since.
    TruncatedShows {
        /// That operation.
        writer: OperationRef,
    },
    /// A value shows although its time to live was over.
    ExpiredShows {
        /// The operation that wrote it.
        writer: OperationRef,
        /// Where it shows.
        place: Place,
    },
    /// A value shows from before its column was dropped.
    DroppedCellShows {
        /// The drop.
        by: OperationRef,
        /// Where it shows.
        place: Place,
    },
    /// A value shows before the operation that writes it began.
    FutureShows {
        /// That operation.
        writer: OperationRef,
    },
    /// A table is not there, and must be.
    TableMissing {
        /// That table.
        table: TableNumber,
    },
    /// A table is there, and must not be.
    TableShows {
        /// That table.
        table: TableNumber,
    },
    /// A column is not there, and must be.
    ColumnMissing {
        /// The table.
        table: TableNumber,
        /// The column.
        column: Column,
    },
    /// A column is there, and must not be.
    ColumnShows {
        /// The table.
        table: TableNumber,
        /// The column.
        column: Column,
    },
    /// A column was added with another type than it had when it was dropped.
    ColumnRetyped {
        /// The table.
        table: TableNumber,
        /// The column.
        column: Column,
    },
    /// Stored deletions are out of order, overlap, or stand within others as strong.
    StonesMalformed,
    /// A stored deletion is nobody's.
    StoneInvented,
    /// A deletion is not stored, nor another as strong, and its grace is not over.
    StoneLost {
        /// The deletion.
        by: OperationRef,
    },
    /// The rows of the schema's own tables are not the schema.
    SystemRowsDiffer,
    /// A compaction counts the grace of deletions wrongly.
    GraceMiscounted,
    /// A compaction forgot deletions, and there was none whose grace was over.
    PurgedEarly,
}

/// An answer that the model does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The operation whose answer is wrong.
    pub operation: OperationRef,
    /// Whether it began after all faults ended.
    pub after_healing: bool,
    /// What is wrong.
    pub cause: Cause,
    /// The same for a person: names, values, times.
    pub detail: String,
}
