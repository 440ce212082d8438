//! Steps of enacting a change that is durable: write the rows that tell of it, as any write is written; make
//! its tables; show the new schema to requests; flush, or arm the flush; drop what is gone.
//!
//! One enactment at a time takes all changes that are durable by then. The rows are in the memtables before
//! anybody sees the schema that they tell of. A node that stops before they are durable writes them at its
//! next start.

use std::rc::Rc;
use std::sync::Arc;

use super::running::Node;
use crate::commitlog::Reservation;
use crate::error::{Class, Classify, Error};
use crate::memtable::Ticket;
use crate::rows::Mutation;
use crate::schema::Table;
use crate::store::TableStore;
use crate::system::{RowChanges, Stamp};

/// A mutation that has its place in the log, and its ticket.
struct Placed {
    mutation: Mutation,
    table: Rc<TableStore>,
    ticket: Ticket,
}

impl Node {
    /// Makes what the node has follow the schema. Once it returns, all changes are enacted that were durable
    /// when it was called, by whomever.
    pub(super) async fn enact(&self) -> Result<(), Error> {
        let dropped = {
            let _turn = self.enact_turn.acquire().await;
            self.enact_in_turn().await?
        };
        self.drop_tables(&dropped).await
    }

    /// Gives the tables that are no more.
    async fn enact_in_turn(&self) -> Result<Vec<Arc<Table>>, Error> {
        let (before, after) = (self.schema(), self.metadata.current());
        if before.epoch() == after.epoch() {
            return Ok(Vec::new());
        }
        let diff = before.diff(&after);
        let changes = RowChanges::enacted(&before, &after, &diff);
        let size_max = self.log.options().mutation_size_max();
        let mutations =
            changes.mutations(Stamp::enacted(after.epoch()), self.now_seconds(), size_max);
        let has_rows = !mutations.is_empty();
        let placed = self.commit_rows(mutations).await?;
        // From here to where the schema shows nothing else runs.
        self.apply_rows(placed)?;
        for table in &diff.created {
            self.store
                .add_table(table.id, self.log.position(), Vec::new());
            tracing::info!(table = %table.name, id = table.id.0, "table created");
        }
        self.enacted.replace(after);
        if has_rows {
            self.host.mark("schema.applied");
            self.schema_flush.changed().await;
        }
        Ok(diff.dropped)
    }

    /// Gives every mutation its place, then waits once, for the last. Each place and its ticket are taken in
    /// one step without an await.
    async fn commit_rows(&self, mutations: Vec<Mutation>) -> Result<Vec<Placed>, Error> {
        let mut all = Vec::with_capacity(mutations.len());
        let mut last: Option<Reservation> = None;
        for mutation in mutations {
            let (table, encoded) = (self.store.table(mutation.table)?, mutation.encode());
            let (ticket, reservation) = loop {
                let ticket = table.ticket()?;
                match self.log.reserve(mutation.table, &encoded) {
                    Ok(reservation) => break (ticket, reservation),
                    Err(error) if error.class() == Class::Busy => drop(ticket),
                    Err(error) => return Err(error.into()),
                }
                // The change has happened: it waits for room in the log where a write would be refused.
                self.host.mark("schema.log-behind");
                self.log.sync().await?;
            };
            all.push(Placed {
                mutation,
                table,
                ticket,
            });
            last = Some(reservation);
        }
        if let Some(last) = last {
            self.log.commit(last).await?;
        }
        Ok(all)
    }

    fn apply_rows(&self, placed: Vec<Placed>) -> Result<(), Error> {
        for Placed {
            mutation,
            table,
            ticket,
        } in placed
        {
            ticket.memtable().put(mutation)?;
            drop(ticket);
            self.metrics.table(table.id().0).writes.increment();
            self.flusher.after_write(&table);
        }
        Ok(())
    }

    /// The schema shows them no more.
    async fn drop_tables(&self, dropped: &[Arc<Table>]) -> Result<(), Error> {
        let mut first_error = None;
        for table in dropped {
            let result = self.store.drop_table(table.id).await;
            first_error = first_error.or(result.err());
            self.metrics.forget_table(table.id.0);
            if let Err(error) = self.log.discard_table(table.id).await {
                self.host.mark("node.segment-left");
                tracing::warn!(table = %table.name, %error, "log segments left for later");
            }
            tracing::info!(table = %table.name, id = table.id.0, "table dropped");
        }
        first_error.map_or(Ok(()), |error| Err(error.into()))
    }
}
