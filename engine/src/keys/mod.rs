//! Contents of `keys`: types, values, partition keys and tokens, clusterings and bounds.

mod bigint;
mod clustering;
mod column_type;
mod comparable;
mod element;
mod error;
mod escape;
mod frozen;
mod identifier;
mod input;
mod literal;
mod murmur;
mod nested;
mod parse;
mod partition;
pub mod separator;
mod shape;
mod slice;
mod value;

pub use clustering::{Bound, Clustering};
pub use column_type::{CollectionType, ColumnType, Field};
pub use element::{field_of_path, field_path};
pub use error::KeyError;
pub use identifier::Identifier;
pub use partition::{DecoratedKey, PartitionKey, Token};
pub use shape::{BoundSide, ClusteringColumn, ClusteringShape, Order};
pub use slice::{ByteRange, Slice};
pub use value::{DataType, Text, Value, ValueKind};
