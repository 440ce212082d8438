//! Contents of `rows`: cells, deletions, rows, partitions, and how two versions become one.
//!
//! `FORMAT.md` describes the bytes.

mod cell;
mod codec;
mod deletion;
mod error;
mod merge;
mod mutation;
mod ordered;
mod partition;
mod path;
mod purge;
mod ranges;
mod row;
mod shade;
mod size;
mod stones;
mod timestamps;
pub mod wire;

pub use cell::{Cell, ColumnId, Liveness, NO_DELETION_SECONDS};
pub use deletion::{DeletionTime, RangeTombstone};
pub use error::RowsError;
pub use mutation::{Mutation, TableId};
pub use ordered::Rows;
pub use partition::Partition;
pub use path::{CellKey, CellPath};
pub use purge::{Outside, PurgeRule};
pub use row::Row;
pub use stones::{PurgeCounts, StoneCounts};
pub use timestamps::TimestampRange;
