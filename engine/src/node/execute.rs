//! Steps of each request, from its statement to its answer.

use std::rc::Rc;

use super::config::check_window;
use super::running::Node;
use crate::error::Error;
use crate::keys::{DecoratedKey, Slice};
use crate::message::{Answer, ReadStatement, RefusalCode, Request, ResultSet, WriteStatement};
use crate::metadata::MetadataError;
use crate::read::{execute, merge};
use crate::rows::{Partition, TableId};
use crate::schema::{Change, Schema, SchemaError, Table, TableName};
use crate::store::{TableStore, View};
use crate::system::SystemTable;

impl Node {
    /// Executes a request that its session let through.
    pub(super) async fn answer(&self, request: Request, now_seconds: u32) -> Result<Answer, Error> {
        // What is large and rare lies apart: every request's task has room for the largest of the others.
        if request == Request::Drain {
            return Box::pin(self.drain()).await;
        }
        if self.is_draining.get() {
            let message = "the node is draining".to_owned();
            return Ok(Answer::Refused {
                code: RefusalCode::Draining,
                message,
            });
        }
        let _running = Running::new(self);
        match request {
            Request::Hello { .. } => unreachable!("a session answers its own Hello"),
            Request::Change(change) => Box::pin(self.change(change)).await,
            Request::Write(statement) => self.write(&statement, now_seconds).await,
            Request::Read(statement) => self.read(&statement, now_seconds).await,
            Request::Describe => Ok(self.describe()),
            Request::Flush { table } => Box::pin(self.flush(table)).await,
            Request::SetSchemaFlushWindow { millis } => self.set_schema_flush_window(millis),
            Request::Compact { table } => self.compact(table).await,
            Request::Truncate { table } => self.truncate(&table).await,
            Request::MarkRepaired { table } => self.mark_repaired(&table).await,
            Request::Stones {
                table,
                partition_key,
            } => self.stones(&table, &partition_key, now_seconds).await,
            Request::Drain => unreachable!("handled above"),
        }
    }

    /// The wall second.
    pub(super) fn now_seconds(&self) -> u32 {
        u32::try_from(self.host.clock().wall().seconds().max(0)).unwrap_or(u32::MAX)
    }

    /// What the store has of a table that the schema knew a moment ago.
    pub(super) fn table(
        &self,
        id: TableId,
        name: &TableName,
    ) -> Result<Rc<TableStore>, SchemaError> {
        let table = name.to_string();
        self.store
            .table(id)
            .map_err(|_| SchemaError::UnknownTable { table })
    }

    /// The table that requests call so, one of the schema's own included.
    pub(super) fn table_id(&self, name: &TableName) -> Result<TableId, SchemaError> {
        match SystemTable::named(name) {
            Some(system) => Ok(system.id()),
            None => Ok(self.schema().existing(name)?.id),
        }
    }

    /// The schema that requests see: one whose tables the store has. The metadata log may be an epoch
    /// ahead, and nobody may hear of that before it is enacted.
    pub(super) fn schema(&self) -> Rc<Schema> {
        Rc::clone(&self.enacted.borrow())
    }

    /// Reserves the log position and takes the memtable's ticket in one step without an await.
    async fn write(&self, statement: &WriteStatement, now_seconds: u32) -> Result<Answer, Error> {
        let mutation = statement.prepare(&self.schema(), now_seconds, &self.list_ids)?;
        if mutation.update.is_empty() {
            return Ok(Answer::Written);
        }
        let table = self.table(mutation.table, &statement.table)?;
        let encoded = mutation.encode();
        let ticket = table.ticket()?;
        let reservation = self.log.reserve(mutation.table, &encoded)?;
        self.log.commit(reservation).await?;
        ticket.memtable().put(mutation);
        drop(ticket);
        self.metrics.table(table.id().0).writes.increment();
        self.flusher.after_write(&table);
        Ok(Answer::Written)
    }

    async fn read(&self, statement: &ReadStatement, now_seconds: u32) -> Result<Answer, Error> {
        let schema = self.schema();
        let command = statement.prepare(&schema, now_seconds)?;
        let table: &Table = match SystemTable::of_id(command.table) {
            Some(system) => system.definition(),
            None => schema
                .table(command.table)
                .expect("the statement was prepared from it"),
        };
        let store = self.table(command.table, &statement.table)?;
        let merged = merged(&store.view(), &command.key, &command.slice).await?;
        let result = execute(&command, table, merged)?;
        let metrics = self.metrics.table(table.id.0);
        metrics.reads.increment();
        metrics.rows_read.add(result.counts.live_row_count as u64);
        metrics
            .tombstones_read
            .add(result.counts.tombstone_count as u64);
        Ok(Answer::Rows(ResultSet::new(&command, table, result)))
    }

    /// The schema first, durably; then what the store has follows it.
    async fn change(&self, change: Change) -> Result<Answer, Error> {
        let proposed = self
            .metadata
            .propose(&change)
            .await
            .map_err(refusal_or_error);
        // A refusal rests on changes of others, which the client may ask for next.
        self.enact().await?;
        proposed.map(|epoch| Answer::Changed { epoch })
    }

    fn describe(&self) -> Answer {
        let schema = self.schema();
        let tables = schema
            .tables()
            .map(|table| table.as_ref().clone())
            .collect();
        Answer::Schema {
            epoch: schema.epoch(),
            tables,
        }
    }

    async fn flush(&self, table: Option<TableName>) -> Result<Answer, Error> {
        match table {
            None => self.flusher.flush_all().await?,
            Some(name) => self.flusher.flush_table(self.table_id(&name)?).await?,
        }
        Ok(Answer::Flushed)
    }

    fn set_schema_flush_window(&self, millis: u64) -> Result<Answer, Error> {
        check_window(millis)?;
        self.schema_flush.set_window(millis);
        Ok(Answer::WindowSet)
    }

    /// Lets the requests under way end, flushes everything, and closes the logs: then nothing will be
    /// replayed. After a failure the node goes on to refuse, and may be drained again.
    async fn drain(&self) -> Result<Answer, Error> {
        self.is_draining.set(true);
        loop {
            let changed = self.running_changed.notified();
            if self.running_count.get() == 0 {
                break;
            }
            changed.await;
        }
        // No change runs any more, and none will: nothing can arm another flush of the schema's rows.
        self.schema_flush.close().await;
        self.flusher.flush_all().await?;
        self.log.close().await?;
        self.metadata.close().await?;
        tracing::info!("node drained");
        Ok(Answer::Drained)
    }
}

/// What all sources of one view have: its memtables at this instant, then its sstables.
pub(super) async fn merged(
    view: &View,
    key: &DecoratedKey,
    slice: &Slice,
) -> Result<Partition, Error> {
    let memtables = view.memtables().map(|slot| slot.memtable());
    let mut sources: Vec<Partition> = memtables
        .filter_map(|memtable| memtable.get(key, slice))
        .collect();
    for sstable in &view.sstables {
        sources.extend(sstable.get(key, slice).await?);
    }
    Ok(merge(sources))
}

/// A refusal is the schema's, whoever passes it on.
fn refusal_or_error(error: MetadataError) -> Error {
    match error {
        MetadataError::Refused(refusal) => refusal.into(),
        other => other.into(),
    }
}

/// Counts a request while it is executed.
struct Running<'a>(&'a Node);

impl Running<'_> {
    fn new(node: &Node) -> Running<'_> {
        node.running_count.set(node.running_count.get() + 1);
        Running(node)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running_count.set(self.0.running_count.get() - 1);
        self.0.running_changed.notify_all();
    }
}
