//! Contents of `read`: from versions of a partition to the rows that a reader sees. Pure.

mod columns;
mod command;
mod counts;
mod execute;
mod result;
mod stones;

pub use command::{Columns, ReadCommand};
pub use counts::ReadCounts;
pub use execute::{execute, merge};
pub use result::{ReadResult, ResultRow};
pub use stones::{RangeStone, RowStones, Stone, StoneBound, Stones, stones};
