//! Byte layout of clusterings and bounds: order-preserving bytes, so that all below compares bytes only.
//!
//! A bound never equals a clustering: `>= x` and `< x` stand just before `x` (last byte `20`), `> x`
//! and `<= x` just after it (`60`). So every range between two bounds is half-open.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// The position of a row in its partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Clustering(pub Bytes);

/// A position between rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bound(pub Bytes);

impl Bound {
    /// Before every row.
    pub const BOTTOM: Bound = Bound(Bytes::from_static(&[0x20]));
    /// After every row.
    pub const TOP: Bound = Bound(Bytes::from_static(&[0x60]));
}
