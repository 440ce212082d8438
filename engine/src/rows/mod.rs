//! Contents of `rows`: cells, deletions, rows, partitions, and how two versions become one.

mod cell;
mod deletion;
mod mutation;
mod partition;
mod row;

pub use cell::{Cell, ColumnId, Liveness};
pub use deletion::{DeletionTime, RangeTombstone};
pub use mutation::{Mutation, TableId};
pub use partition::Partition;
pub use row::Row;
