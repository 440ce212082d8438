//! Contents of `system`: the schema's own tables, the schema as their rows, and what to write when it changes.
//!
//! `FORMAT.md` describes the tables.

mod changes;
mod error;
mod object;
mod projection;
mod stamp;
mod table;
mod update;

pub use changes::RowChanges;
pub use error::SystemError;
pub use object::RowKey;
pub use projection::Projection;
pub use stamp::Stamp;
pub use table::{SYSTEM_KEYSPACE, SystemTable};
