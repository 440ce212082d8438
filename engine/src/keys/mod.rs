//! Contents of `keys`: types, values, partition keys and tokens, clusterings and bounds.

mod bigint;
mod clustering;
mod comparable;
mod error;
mod escape;
mod input;
mod murmur;
mod partition;
pub mod separator;
mod shape;
mod slice;
mod value;

pub use clustering::{Bound, Clustering};
pub use error::KeyError;
pub use partition::{DecoratedKey, PartitionKey, Token};
pub use shape::{BoundSide, ClusteringColumn, ClusteringShape, Order};
pub use slice::{ByteRange, Slice};
pub use value::{DataType, Value};
