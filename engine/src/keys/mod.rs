//! Contents of `keys`: types, values, partition keys and tokens, clusterings and bounds.

mod clustering;
mod partition;
mod value;

pub use clustering::{Bound, Clustering};
pub use partition::{DecoratedKey, PartitionKey, Token};
pub use value::{DataType, Value};
