//! Steps of the requests that change what lies on the disk and not what was written last, and of the look at it.

use super::execute::merged;
use super::running::Node;
use crate::error::Error;
use crate::keys::Slice;
use crate::message::{Answer, NamedValue, partition_of};
use crate::read::stones;
use crate::schema::TableName;

impl Node {
    /// Compacts one table, or all.
    pub(super) async fn compact(&self, table: Option<TableName>) -> Result<Answer, Error> {
        let schema = || self.schema();
        let report = match table {
            None => self.compactor.compact_all(&schema).await?,
            Some(name) => {
                let id = self.table_id(&name)?;
                self.compactor.compact_table(id, &schema).await?
            }
        };
        Ok(Answer::Compacted(Box::new(report)))
    }

    /// Empties a table of the users.
    pub(super) async fn truncate(&self, name: &TableName) -> Result<Answer, Error> {
        let table = self.table(self.schema().existing(name)?.id, name)?;
        let log_position = || self.log.position();
        let interval = self.store.truncate_table(&table, log_position).await?;
        self.host.mark("truncate.done");
        tracing::info!(table = %name, upto = %interval.upper, "table truncated");
        if let Err(error) = self.log.discard(table.id(), interval).await {
            self.host.mark("node.segment-left");
            tracing::warn!(table = %name, %error, "log segments left for later");
        }
        Ok(Answer::Truncated)
    }

    /// Notes that the sstables of a table of the users are repaired.
    pub(super) async fn mark_repaired(&self, name: &TableName) -> Result<Answer, Error> {
        let table = self.table(self.schema().existing(name)?.id, name)?;
        let sstables_count = self.store.mark_repaired(&table, self.now_seconds()).await?;
        self.host.mark("repaired.marked");
        tracing::info!(table = %name, sstables = sstables_count, "sstables marked repaired");
        Ok(Answer::MarkedRepaired { sstables_count })
    }

    /// Shows the deletions that are stored of a partition.
    pub(super) async fn stones(
        &self,
        name: &TableName,
        partition_key: &[NamedValue],
        now_seconds: u32,
    ) -> Result<Answer, Error> {
        let schema = self.schema();
        let (table, key) = partition_of(&schema, name, partition_key)?;
        let store = self.table(table.id, name)?;
        let merged = merged(&store.view(), &key, &Slice::ALL).await?;
        let stones = stones(table, merged, now_seconds)?;
        Ok(Answer::Stones(Box::new(stones)))
    }
}
