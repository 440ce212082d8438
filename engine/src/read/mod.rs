//! Contents of `read`: from versions of a partition to the rows that a reader sees. Pure.

mod columns;
mod command;
mod counts;
mod execute;
mod fragments;
mod live_only;
mod result;
mod source;
mod stones;
mod unfiltered;

pub use command::{Columns, ReadCommand};
pub use counts::ReadCounts;
pub use execute::{execute, merge};
pub use fragments::{Fragment, Fragments};
pub use live_only::LiveOnly;
pub use result::{ReadResult, ResultRow};
pub use stones::{RangeStone, RowStones, Stone, StoneBound, Stones, stones};
pub use unfiltered::Unfiltered;
