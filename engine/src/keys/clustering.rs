//! Byte layout of clusterings and bounds: order-preserving bytes, so that all below compares bytes only.
//!
//! A clustering is `40 component` for each clustering column, then `38`. A bound names a prefix of the
//! columns and ends differently, so it never equals a clustering: `>= x` and `< x` stand just before
//! `x` (last byte `20`), `> x` and `<= x` just after it (`60`). So every range between two bounds is
//! half-open. Values become these bytes, and back, by a `ClusteringShape`.

use std::borrow::Borrow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::error::KeyError;
use super::separator::{AFTER, BEFORE, NEXT_COMPONENT, TERMINATOR};

/// The position of a row in its partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Clustering(pub Bytes);

/// A position between rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bound(pub Bytes);

impl Clustering {
    /// The only row of a table without clustering columns.
    pub const ONLY: Clustering = Clustering(Bytes::from_static(&[TERMINATOR]));

    /// Takes bytes that were read from somewhere; checks only how they begin and end.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when no clustering of any shape has such bytes.
    pub fn from_bytes(bytes: Bytes) -> Result<Clustering, KeyError> {
        check_ends(&bytes, &[TERMINATOR])?;
        Ok(Clustering(bytes))
    }

    /// The bound just before the row.
    #[must_use]
    pub fn before(&self) -> Bound {
        Bound(with_last(&self.0, BEFORE))
    }

    /// The bound just after the row.
    #[must_use]
    pub fn after(&self) -> Bound {
        Bound(with_last(&self.0, AFTER))
    }
}

impl Bound {
    /// Before every row.
    pub const BOTTOM: Bound = Bound(Bytes::from_static(&[BEFORE]));
    /// After every row.
    pub const TOP: Bound = Bound(Bytes::from_static(&[AFTER]));

    /// Takes bytes that were read from somewhere; checks only how they begin and end.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when no bound of any shape has such bytes.
    pub fn from_bytes(bytes: Bytes) -> Result<Bound, KeyError> {
        check_ends(&bytes, &[BEFORE, AFTER])?;
        Ok(Bound(bytes))
    }

    /// True when the row comes after this bound.
    #[must_use]
    pub fn is_before(&self, clustering: &Clustering) -> bool {
        self.0 < clustering.0
    }
}

impl Borrow<[u8]> for Clustering {
    /// Lets ordered maps of clusterings be searched by bounds: both compare as their bytes do.
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

fn check_ends(bytes: &Bytes, last: &[u8]) -> Result<(), KeyError> {
    let malformed = |offset, cause| Err(KeyError::Malformed { offset, cause });
    match bytes.as_ref() {
        [] => malformed(0, "an empty position"),
        [.., end] if !last.contains(end) => {
            malformed(bytes.len() - 1, "a position with the wrong last byte")
        }
        [first, _, ..] if *first != NEXT_COMPONENT => malformed(0, "no component follows"),
        _ => Ok(()),
    }
}

fn with_last(bytes: &Bytes, last: u8) -> Bytes {
    let (_, components) = bytes.split_last().expect("a clustering has a last byte");
    let mut changed = Vec::with_capacity(bytes.len());
    changed.extend_from_slice(components);
    changed.push(last);
    Bytes::from(changed)
}
