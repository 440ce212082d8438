//! Invariants of rows in order: each clustering once, ascending. As many as a leaf of a map holds stand side
//! by side, in memory of just their size: most partitions of writes and reads have one or two, for which a
//! map takes room for eleven. More than that are in a map, which costs no more the more there are.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::row::Row;
use crate::keys::{ByteRange, Clustering};

/// More rows than this are in a map.
const FEW_MAX: usize = 11;

/// Rows by their clustering.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Ascending. Empty when there are rows in the map.
    few: Vec<(Clustering, Row)>,
    many: BTreeMap<Clustering, Row>,
}

impl Rows {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row with this clustering.
    #[must_use]
    pub fn get(&self, clustering: &Clustering) -> Option<&Row> {
        match self.find(clustering) {
            Ok(index) => Some(&self.few[index].1),
            Err(_) => self.many.get(clustering),
        }
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, clustering: &Clustering) -> Option<&mut Row> {
        match self.find(clustering) {
            Ok(index) => Some(&mut self.few[index].1),
            Err(_) => self.many.get_mut(clustering),
        }
    }

    /// Puts a row, in the place of what had its clustering.
    pub fn insert(&mut self, clustering: Clustering, row: Row) {
        if !self.many.is_empty() {
            self.many.insert(clustering, row);
            return;
        }
        match self.find(&clustering) {
            Ok(index) => self.few[index].1 = row,
            Err(index) if self.few.len() < FEW_MAX => self.few.insert(index, (clustering, row)),
            Err(_) => {
                self.many = std::mem::take(&mut self.few).into_iter().collect();
                self.many.insert(clustering, row);
            }
        }
    }

    /// Takes a row out.
    pub fn remove(&mut self, clustering: &Clustering) -> Option<Row> {
        match self.find(clustering) {
            Ok(index) => Some(self.few.remove(index).1),
            Err(_) => self.many.remove(clustering),
        }
    }

    /// Takes the first row out.
    pub fn pop_first(&mut self) -> Option<(Clustering, Row)> {
        if self.few.is_empty() {
            return self.many.pop_first();
        }
        Some(self.few.remove(0))
    }

    /// Takes the last row out.
    pub fn pop_last(&mut self) -> Option<(Clustering, Row)> {
        self.many.pop_last().or_else(|| self.few.pop())
    }

    /// Keeps what `keeps` says, which may change the rows.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Clustering, &mut Row) -> bool) {
        self.few
            .retain_mut(|(clustering, row)| keeps(clustering, row));
        self.many.retain(keeps);
    }

    /// The last one.
    #[must_use]
    pub fn last_key_value(&self) -> Option<(&Clustering, &Row)> {
        self.iter().next_back()
    }

    /// All, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Clustering, &Row)> + Clone {
        let few = self.few.iter();
        few.map(|(clustering, row)| (clustering, row))
            .chain(&self.many)
    }

    /// All without their clusterings, in their order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Row> + Clone {
        self.iter().map(|(_, row)| row)
    }

    /// The same, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let few = self.few.iter_mut().map(|(_, row)| row);
        few.chain(self.many.values_mut())
    }

    /// Those whose clusterings lie within a range of bytes.
    pub fn range(&self, range: ByteRange<'_>) -> impl Iterator<Item = (&Clustering, &Row)> {
        let few = self.few[self.few_within(range)].iter();
        few.map(|(clustering, row)| (clustering, row))
            .chain(self.many.range::<[u8], _>(range))
    }

    /// The same, to change them.
    pub fn range_mut(
        &mut self,
        range: ByteRange<'_>,
    ) -> impl Iterator<Item = (&Clustering, &mut Row)> {
        let within = self.few_within(range);
        let few = self.few[within].iter_mut();
        few.map(|(clustering, row)| (&*clustering, row))
            .chain(self.many.range_mut::<[u8], _>(range))
    }

    /// Where a clustering stands among few, or would.
    fn find(&self, clustering: &Clustering) -> Result<usize, usize> {
        // What is read comes in order.
        if self.few.last().is_none_or(|(last, _)| last < clustering) {
            return Err(self.few.len());
        }
        self.few.binary_search_by(|(own, _)| own.cmp(clustering))
    }

    fn few_within(&self, (start, end): ByteRange<'_>) -> std::ops::Range<usize> {
        let count = |is_before: &dyn Fn(&[u8]) -> bool| {
            self.few.partition_point(|(own, _)| is_before(&own.0))
        };
        let begin = match start {
            Bound::Included(start) => count(&|own| own < start),
            Bound::Excluded(start) => count(&|own| own <= start),
            Bound::Unbounded => 0,
        };
        let end = match end {
            Bound::Included(end) => count(&|own| own <= end),
            Bound::Excluded(end) => count(&|own| own < end),
            Bound::Unbounded => self.few.len(),
        };
        begin..end.max(begin)
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Rows) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Rows {}

impl FromIterator<(Clustering, Row)> for Rows {
    /// Of two with one clustering the later counts.
    fn from_iter<I: IntoIterator<Item = (Clustering, Row)>>(rows: I) -> Rows {
        let all: Vec<(Clustering, Row)> = rows.into_iter().collect();
        let ascends = all.is_sorted_by(|left, right| left.0 < right.0);
        let (few, many) = match ascends && all.len() <= FEW_MAX {
            true => (all, BTreeMap::new()),
            false => (Vec::new(), all.into_iter().collect()),
        };
        Rows { few, many }
    }
}

impl IntoIterator for Rows {
    type Item = (Clustering, Row);
    type IntoIter = std::iter::Chain<
        std::vec::IntoIter<(Clustering, Row)>,
        std::collections::btree_map::IntoIter<Clustering, Row>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.few.into_iter().chain(self.many)
    }
}
