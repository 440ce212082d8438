//! Steps of a merge of sstables: each waits with its next partition; the least key goes, with every version of
//! it; those sstables go on. So memory holds one partition of each, however large they are.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::keys::DecoratedKey;
use crate::rows::Partition;
use crate::sstable::{Scan, Sstable, SstableError};

/// All partitions of some sstables in key order, each once.
pub(super) struct Merge<'a> {
    scans: Vec<Scan<'a>>,
    /// The next partition of each scan that has one, with the scan's index.
    heads: BTreeMap<DecoratedKey, Vec<(usize, Partition)>>,
}

impl<'a> Merge<'a> {
    pub(super) async fn open(sstables: &'a [Rc<Sstable>]) -> Result<Merge<'a>, SstableError> {
        let mut merge = Merge {
            scans: sstables.iter().map(|sstable| sstable.scan()).collect(),
            heads: BTreeMap::new(),
        };
        for index in 0..merge.scans.len() {
            merge.advance(index).await?;
        }
        Ok(merge)
    }

    /// The next partition, all its versions merged; `None` at the end, once every sstable was found to hold
    /// what its statistics say.
    pub(super) async fn next(&mut self) -> Result<Option<(DecoratedKey, Partition)>, SstableError> {
        let Some((key, versions)) = self.heads.pop_first() else {
            return Ok(None);
        };
        let mut merged = Partition::default();
        for (index, version) in versions {
            merged.apply(version);
            self.advance(index).await?;
        }
        Ok(Some((key, merged)))
    }

    async fn advance(&mut self, index: usize) -> Result<(), SstableError> {
        if let Some((key, partition)) = self.scans[index].next().await? {
            self.heads.entry(key).or_default().push((index, partition));
        }
        Ok(())
    }
}
