//! Steps of each request, from its statement to its answer: first what needs no wait, in the step in which its
//! packet is taken; then the rest, if there is any, in a task of its own.

use std::rc::Rc;

use super::config::check_window;
use super::running::Node;
use crate::commitlog::Reservation;
use crate::error::Error;
use crate::keys::{DecoratedKey, Slice};
use crate::memtable::Ticket;
use crate::message::{Answer, ReadStatement, RefusalCode, Request, ResultSet, WriteStatement};
use crate::metadata::MetadataError;
use crate::read::{ReadCommand, Unfiltered, execute};
use crate::rows::{Mutation, Partition, TableId};
use crate::schema::{Change, Schema, SchemaError, Table, TableName};
use crate::store::{TableStore, View};
use crate::system::SystemTable;

/// A request after its first step.
#[derive(Debug)]
pub(super) enum Begun {
    /// It needed no wait.
    Done(Answer),
    /// A write that waits for its place in the log to be written or synced.
    Write(Writing),
    /// A read that waits for the disk.
    Read(Reading),
    /// A drain, which waits for all others that run.
    Drain,
    /// All others.
    Other(Running, Request),
}

/// A write with its place in the log.
#[derive(Debug)]
pub(super) struct Writing {
    running: Running,
    table: Rc<TableStore>,
    mutation: Mutation,
    ticket: Ticket,
    reservation: Reservation,
}

/// A read with its sources.
#[derive(Debug)]
pub(super) struct Reading {
    running: Running,
    schema: Rc<Schema>,
    view: Rc<View>,
    command: ReadCommand,
}

impl Node {
    /// Begins a request that its session let through.
    pub(super) fn begin(
        self: &Rc<Self>,
        request: Request,
        now_seconds: u32,
    ) -> Result<Begun, Error> {
        if request == Request::Drain {
            return Ok(Begun::Drain);
        }
        if self.is_draining.get() {
            let message = "the node is draining".to_owned();
            return Ok(Begun::Done(Answer::Refused {
                code: RefusalCode::Draining,
                message,
            }));
        }
        match request {
            Request::Write(statement) => self.begin_write(&statement, now_seconds),
            Request::Read(statement) => self.begin_read(&statement, now_seconds),
            Request::Describe => Ok(Begun::Done(self.describe())),
            Request::SetSchemaFlushWindow { millis } => {
                self.set_schema_flush_window(millis).map(Begun::Done)
            }
            other => Ok(Begun::Other(Running::new(self), other)),
        }
    }

    /// Ends a request of the other kinds.
    pub(super) async fn finish_other(
        &self,
        _running: Running,
        request: Request,
        now_seconds: u32,
    ) -> Result<Answer, Error> {
        match request {
            Request::Hello { .. } => unreachable!("a session answers its own Hello"),
            Request::Write(_)
            | Request::Read(_)
            | Request::Describe
            | Request::SetSchemaFlushWindow { .. }
            | Request::Drain => unreachable!("it began as what it is"),
            Request::Change(change) => self.change(change).await,
            Request::Flush { table } => self.flush(table).await,
            Request::Compact { table } => self.compact(table).await,
            Request::Truncate { table } => self.truncate(&table).await,
            Request::MarkRepaired { table } => self.mark_repaired(&table).await,
            Request::Stones {
                table,
                partition_key,
            } => self.stones(&table, &partition_key, now_seconds).await,
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
        self.store.table(id).map_err(|_| SchemaError::UnknownTable {
            table: name.to_string(),
        })
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
    fn begin_write(
        self: &Rc<Self>,
        statement: &WriteStatement,
        now_seconds: u32,
    ) -> Result<Begun, Error> {
        let mutation = statement.prepare(&self.schema(), now_seconds, &self.list_ids)?;
        if mutation.update.is_empty() {
            return Ok(Begun::Done(Answer::Written));
        }
        let table = self.table(mutation.table, &statement.table)?;
        let encoded = mutation.encode();
        let ticket = table.ticket()?;
        if let Err(full) = ticket.memtable().check_room() {
            drop(ticket);
            self.flusher.after_write(&table);
            return Err(full.into());
        }
        let reservation = self.log.reserve(mutation.table, &encoded)?;
        Ok(Begun::Write(Writing {
            running: Running::new(self),
            table,
            mutation,
            ticket,
            reservation,
        }))
    }

    pub(super) async fn finish_write(&self, writing: Writing) -> Result<Answer, Error> {
        let Writing {
            running: _running,
            table,
            mutation,
            ticket,
            reservation,
        } = writing;
        self.log.commit(reservation).await?;
        ticket.memtable().put(mutation)?;
        drop(ticket);
        self.metrics.table(table.id().0).writes.increment();
        self.flusher.after_write(&table);
        Ok(Answer::Written)
    }

    /// Reads at once when no sstable may hold anything of the partition.
    fn begin_read(
        self: &Rc<Self>,
        statement: &ReadStatement,
        now_seconds: u32,
    ) -> Result<Begun, Error> {
        let schema = self.schema();
        let command = statement.prepare(&schema, now_seconds)?;
        let view = self.table(command.table, &statement.table)?.view();
        let mut sstables = view.sstables.iter();
        if sstables.any(|sstable| sstable.may_hold(&command.key)) {
            return Ok(Begun::Read(Reading {
                running: Running::new(self),
                schema,
                view,
                command,
            }));
        }
        let sources = in_memtables(&view, &command.key);
        self.rows(&command, &schema, sources).map(Begun::Done)
    }

    pub(super) async fn finish_read(&self, reading: Reading) -> Result<Answer, Error> {
        let Reading {
            running: _running,
            schema,
            view,
            command,
        } = reading;
        let sources = sources(&view, &command.key, &command.slice).await?;
        self.rows(&command, &schema, sources)
    }

    /// What a read answers that found this.
    fn rows(
        &self,
        command: &ReadCommand,
        schema: &Schema,
        sources: Unfiltered,
    ) -> Result<Answer, Error> {
        let table: &Table = match SystemTable::of_id(command.table) {
            Some(system) => system.definition(),
            None => schema
                .table(command.table)
                .expect("the statement was prepared from it"),
        };
        let result = execute(command, table, sources)?;
        let metrics = self.metrics.table(table.id.0);
        metrics.reads.increment();
        metrics.rows_read.add(result.counts.live_row_count as u64);
        metrics
            .tombstones_read
            .add(result.counts.tombstone_count as u64);
        Ok(Answer::Rows(ResultSet::new(command, table, result)))
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
    pub(super) async fn drain(&self) -> Result<Answer, Error> {
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

/// What all sources of one view have, merged.
pub(super) async fn merged(
    view: &View,
    key: &DecoratedKey,
    slice: &Slice,
) -> Result<Partition, Error> {
    Ok(sources(view, key, slice).await?.into_partition(slice))
}

/// What each source of one view has: its memtables at this instant, then its sstables.
async fn sources(view: &View, key: &DecoratedKey, slice: &Slice) -> Result<Unfiltered, Error> {
    let mut sources = in_memtables(view, key);
    for sstable in &view.sstables {
        if sstable.may_hold(key)
            && let Some(partition) = sstable.get(key, slice).await?
        {
            sources.push(partition);
        }
    }
    Ok(sources)
}

fn in_memtables(view: &View, key: &DecoratedKey) -> Unfiltered {
    let mut sources = Unfiltered::default();
    for slot in view.memtables() {
        if let Some(snapshot) = slot.memtable().snapshot(key) {
            sources.push_snapshot(snapshot);
        }
    }
    sources
}

/// A refusal is the schema's, whoever passes it on.
fn refusal_or_error(error: MetadataError) -> Error {
    match error {
        MetadataError::Refused(refusal) => refusal.into(),
        other => other.into(),
    }
}

/// Counts a request while it is executed.
#[derive(Debug)]
pub(super) struct Running(Rc<Node>);

impl Running {
    fn new(node: &Rc<Node>) -> Running {
        node.running_count.set(node.running_count.get() + 1);
        Running(Rc::clone(node))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running_count.set(self.0.running_count.get() - 1);
        self.0.running_changed.notify_all();
    }
}
