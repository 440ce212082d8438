//! Steps of a replay: apply what no sstable holds to memtables, segment by segment; flush them, also on the way
//! when they grow large; record all sstables and the log's end in one edit; delete the segments.
//!
//! A crash anywhere repeats the replay: merging twice is merging once. The last edit says that all of the log
//! up to its end is in sstables, so segments whose deletion a crash undid give nothing.
//!
//! A segment with an id that no incarnation can have given out refuses the start before anything is applied:
//! it would raise the log floor above all that is written next.

use std::collections::BTreeMap;
use std::rc::Rc;

use cenotaph_sim::host::Host;

use super::config::Config;
use crate::commitlog::{
    Bounds, Fate, Interval, IntervalSet, Position, Replay, ReplayFilter, Replayed,
};
use crate::error::Error;
use crate::flush::write_sstable;
use crate::memtable::{Memtable, MemtableError};
use crate::metrics::Metrics;
use crate::planted::{self, Plant};
use crate::rows::{Mutation, TableId};
use crate::schema::Schema;
use crate::sstable::Sstable;
use crate::store::{Contents, Edit, Store};
use crate::system::SystemTable;

/// Sstables by table.
pub(super) type Sstables = BTreeMap<TableId, Vec<Rc<Sstable>>>;

/// Replays the commit log of the node's past and deletes it. Adds the new sstables to `sstables`.
pub(super) async fn replay(
    host: &Host,
    config: &Config,
    store: &Store,
    schema: &Schema,
    metrics: &Rc<Metrics>,
    sstables: &mut Sstables,
) -> Result<(), Error> {
    let filter = Filter::new(store, schema);
    let bounds = Bounds {
        log_floor: filter.log_floor,
        id_end: store.manifest().first_id(),
    };
    let mut log = Replay::open(host, Rc::clone(metrics), bounds).await?;
    let mut memtables = Memtables::default();
    let mut applied_count = 0_u64;
    while let Some(mutations) = log.next_segment(&filter).await? {
        for replayed in mutations {
            memtables.apply(&replayed)?;
            applied_count += 1;
        }
        if memtables.size_bytes() >= config.flush.memtable_size_max {
            host.mark("replay.flushed-on-the-way");
            memtables
                .flush(store, config, log.upper(), Edit::default(), sstables)
                .await?;
        }
    }
    let upper = log.upper();
    if applied_count > 0 {
        host.mark("replay.applied");
    }
    tracing::info!(mutations = applied_count, %upper, "commit log replayed");
    if upper > filter.log_floor {
        let end = Edit {
            log_floor: Some(upper),
            ..Edit::default()
        };
        memtables.flush(store, config, upper, end, sstables).await?;
    }
    log.delete().await?;
    Ok(())
}

/// What the schema and the manifest know of tables.
struct Filter<'a> {
    schema: &'a Schema,
    persisted: BTreeMap<TableId, IntervalSet>,
    log_floor: Position,
}

impl<'a> Filter<'a> {
    fn new(store: &Store, schema: &'a Schema) -> Filter<'a> {
        store.manifest().with_contents(|contents| {
            let system = SystemTable::ALL.map(SystemTable::id);
            let ids = schema.tables().map(|table| table.id).chain(system);
            let tables = ids.map(|id| (id, persisted(contents, id)));
            let log_floor = contents.log_floor().unwrap_or(Position::NONE);
            Filter {
                schema,
                persisted: tables.collect(),
                log_floor,
            }
        })
    }
}

/// What of a table's log is in sstables. A table that was never flushed counts like any other.
fn persisted(contents: &Contents, table: TableId) -> IntervalSet {
    let mut persisted = contents.persisted(table);
    if planted::on(Plant::P30) {
        let (lower, upper) = (Position::NONE, first_flushed(contents));
        persisted.add(Interval { lower, upper });
    }
    persisted
}

/// The smallest position up to which any table was flushed. Only for the planted bug that begins there.
fn first_flushed(contents: &Contents) -> Position {
    let flushed = contents.sstables().map(|added| added.interval);
    let flushed = flushed.filter(|interval| !interval.is_empty());
    let uppers = flushed.map(|interval| interval.upper);
    uppers.min().unwrap_or(Position::NONE)
}

impl ReplayFilter for Filter<'_> {
    fn fate(&self, table: TableId) -> Fate<'_> {
        match self.persisted.get(&table) {
            Some(persisted) => Fate::Live(persisted),
            None if self.schema.dropped_at(table).is_some() => Fate::Dropped,
            None => Fate::Unknown,
        }
    }
}

/// Memtables of a start: of what is replayed, or mended.
#[derive(Default)]
pub(super) struct Memtables {
    tables: BTreeMap<TableId, Rc<Memtable>>,
}

impl Memtables {
    fn apply(&mut self, replayed: &Replayed) -> Result<(), Error> {
        let mutation = Mutation::decode(&replayed.mutation);
        let mutation = mutation.map_err(|error| replayed.undecodable(&error.to_string()))?;
        if mutation.table != replayed.table {
            return Err(replayed
                .undecodable("a mutation of another table than its record")
                .into());
        }
        Ok(self.put(mutation)?)
    }

    pub(super) fn put(&mut self, mutation: Mutation) -> Result<(), MemtableError> {
        let fresh = || Memtable::new(mutation.table);
        let memtable = self.tables.entry(mutation.table).or_insert_with(fresh);
        let ticket = memtable.ticket();
        ticket.memtable().put(mutation)
    }

    fn size_bytes(&self) -> u64 {
        self.tables
            .values()
            .map(|memtable| memtable.size_bytes())
            .sum()
    }

    /// Writes all to sstables and records them with `edit`. They claim no interval of the log: it is the
    /// last edit's log floor that says that nothing of it is needed any more.
    pub(super) async fn flush(
        &mut self,
        store: &Store,
        config: &Config,
        upper: Position,
        mut edit: Edit,
        sstables: &mut Sstables,
    ) -> Result<(), Error> {
        let interval = Interval {
            lower: upper,
            upper,
        };
        let mut opened = Vec::new();
        for memtable in std::mem::take(&mut self.tables).into_values() {
            let block_size = config.flush.block_size;
            let (added, sstable) = write_sstable(store, &memtable, interval, block_size).await?;
            edit.added.push(added);
            opened.push(sstable);
        }
        let show = || {
            for sstable in opened {
                let of_table = sstables.entry(sstable.name().table).or_default();
                of_table.push(sstable);
            }
        };
        Ok(store.commit(&edit, show).await?)
    }
}
