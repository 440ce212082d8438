//! Contents of `schema`: typed tables, changes as values, and schemas that share what did not change.

mod apply;
mod change;
mod column;
mod cql;
mod diff;
mod dropped;
mod encoding;
mod epoch;
mod error;
mod name;
mod purge;
mod table;
mod validate;
mod value;

pub use change::{Change, ColumnDefinition};
pub use column::{Column, ColumnKind, DroppedColumn};
pub use diff::SchemaDiff;
pub use epoch::Epoch;
pub use error::SchemaError;
pub use name::TableName;
pub use purge::{PurgeOptions, TombstoneOption, UnknownTombstoneOption};
pub use table::Table;
pub use value::Schema;
