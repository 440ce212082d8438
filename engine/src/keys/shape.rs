//! Invariants of a clustering shape: it alone turns values into positions, and positions into values.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::clustering::{Bound, Clustering};
use super::comparable;
use super::error::KeyError;
use super::input::Input;
use super::separator::{AFTER, BEFORE, NEXT_COMPONENT, TERMINATOR};
use super::slice::Slice;
use super::value::{DataType, Value, ValueKind};
use crate::limits::CLUSTERING_SIZE_MAX;

/// How a clustering column is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Order {
    /// `ASC`
    Ascending,
    /// `DESC`
    Descending,
}

/// One clustering column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClusteringColumn {
    /// Its type.
    pub data_type: DataType,
    /// Its order.
    pub order: Order,
}

/// The clustering columns of a table, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClusteringShape {
    /// The columns; none when a partition has at most one row.
    pub columns: Vec<ClusteringColumn>,
}

/// On which side of its values a bound stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BoundSide {
    /// Before every row that begins with the values.
    Before,
    /// After every row that begins with the values.
    After,
}

impl ClusteringShape {
    /// The shape of ascending columns of these types.
    #[must_use]
    pub fn ascending(types: &[DataType]) -> ClusteringShape {
        let column = |&data_type| ClusteringColumn {
            data_type,
            order: Order::Ascending,
        };
        ClusteringShape {
            columns: types.iter().map(column).collect(),
        }
    }

    /// The position of the row with these values, one for each column.
    ///
    /// # Errors
    /// A wrong count or type of values, or a key that is too large.
    pub fn clustering(&self, values: &[Value]) -> Result<Clustering, KeyError> {
        if values.len() != self.columns.len() {
            let (expected, got) = (self.columns.len(), values.len());
            return Err(KeyError::ValueCount { expected, got });
        }
        Ok(Clustering(self.encode(values, TERMINATOR)?))
    }

    /// The position on one side of all rows that begin with these values, which may be none.
    ///
    /// # Errors
    /// Too many values, one of the wrong type, or a key that is too large.
    pub fn bound(&self, values: &[Value], side: BoundSide) -> Result<Bound, KeyError> {
        let last = match side {
            BoundSide::Before => BEFORE,
            BoundSide::After => AFTER,
        };
        Ok(Bound(self.encode(values, last)?))
    }

    /// The rows whose values lie between `lower` and `upper`, each a prefix of the columns' values and
    /// whether it is included; `None` is unbounded. Compares *values*: where the columns that differ
    /// are descending, `lower` becomes the end.
    ///
    /// # Errors
    /// As [`bound`](Self::bound), and [`KeyError::MixedOrder`] when the columns beyond those that both
    /// fix to the same values have different orders: such rows are not contiguous.
    pub fn slice(
        &self,
        lower: Option<(&[Value], bool)>,
        upper: Option<(&[Value], bool)>,
    ) -> Result<Slice, KeyError> {
        let (low, high) = (
            lower.map_or(&[][..], |l| l.0),
            upper.map_or(&[][..], |u| u.0),
        );
        let fixed = low.iter().zip(high).take_while(|(a, b)| a == b).count();
        let varied = low.len().max(high.len()).min(self.columns.len());
        let varying = &self.columns[fixed.min(varied)..varied];
        let descending = varying
            .iter()
            .any(|column| column.order == Order::Descending);
        if descending
            && varying
                .iter()
                .any(|column| column.order == Order::Ascending)
        {
            return Err(KeyError::MixedOrder);
        }
        let (first, last) = if descending {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let start = match first {
            None => Bound::BOTTOM,
            Some((values, true)) => self.bound(values, BoundSide::Before)?,
            Some((values, false)) => self.bound(values, BoundSide::After)?,
        };
        let end = match last {
            None => Bound::TOP,
            Some((values, true)) => self.bound(values, BoundSide::After)?,
            Some((values, false)) => self.bound(values, BoundSide::Before)?,
        };
        Ok(Slice { start, end })
    }

    /// The values of a row's position.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when the bytes are no clustering of this shape.
    pub fn values(&self, clustering: &Clustering) -> Result<Vec<Value>, KeyError> {
        let (values, last) = self.decode(&clustering.0)?;
        if last != TERMINATOR || values.len() != self.columns.len() {
            let offset = clustering.0.len() - 1;
            return Err(KeyError::Malformed {
                offset,
                cause: "not a whole clustering",
            });
        }
        Ok(values)
    }

    /// The values of a bound, and its side of them.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when the bytes are no bound of this shape.
    pub fn bound_values(&self, bound: &Bound) -> Result<(Vec<Value>, BoundSide), KeyError> {
        match self.decode(&bound.0)? {
            (values, BEFORE) => Ok((values, BoundSide::Before)),
            (values, AFTER) => Ok((values, BoundSide::After)),
            _ => {
                let offset = bound.0.len() - 1;
                Err(KeyError::Malformed {
                    offset,
                    cause: "not a bound",
                })
            }
        }
    }

    fn encode(&self, values: &[Value], last: u8) -> Result<Bytes, KeyError> {
        if values.len() > self.columns.len() {
            let (expected, got) = (self.columns.len(), values.len());
            return Err(KeyError::ValueCount { expected, got });
        }
        let mut out = Vec::new();
        for (index, (value, column)) in values.iter().zip(&self.columns).enumerate() {
            let (expected, got) = (column.data_type, value.kind());
            if ValueKind::Scalar(expected) != got {
                return Err(KeyError::ValueType {
                    index,
                    expected,
                    got,
                });
            }
            out.push(NEXT_COMPONENT);
            comparable::encode_into(value, column.order, &mut out);
        }
        out.push(last);
        if out.len() > CLUSTERING_SIZE_MAX {
            return Err(KeyError::TooLarge {
                size: out.len(),
                size_max: CLUSTERING_SIZE_MAX,
            });
        }
        Ok(Bytes::from(out))
    }

    /// The values before the last byte, and the last byte, whatever it is.
    fn decode(&self, bytes: &[u8]) -> Result<(Vec<Value>, u8), KeyError> {
        let mut input = Input::new(bytes);
        let mut values = Vec::with_capacity(self.columns.len());
        loop {
            let separator = input.next()?;
            if separator != NEXT_COMPONENT {
                input.finish()?;
                return Ok((values, separator));
            }
            let Some(column) = self.columns.get(values.len()) else {
                return Err(input.malformed("more components than clustering columns"));
            };
            values.push(comparable::decode(
                column.data_type,
                column.order,
                &mut input,
            )?);
        }
    }
}
