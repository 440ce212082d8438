//! Vocabulary of the tests of `compaction`: a table, its log, its flusher and its compactor, without a node.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use cenotaph_engine::commitlog::{CommitLog, CommitLogOptions, IntervalSet, SyncMode, segment_ids};
use cenotaph_engine::compaction::{CompactionOptions, CompactionReport, Compactor};
use cenotaph_engine::error::Error;
use cenotaph_engine::flush::{FlushOptions, Flusher};
use cenotaph_engine::keys::{DataType, DecoratedKey, Order, Slice};
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::rows::{Mutation, Partition, TableId};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, PurgeOptions, Schema, TableName,
};
use cenotaph_engine::store::{
    Manifest, ManifestOptions, Store, TableStore, open_manifest, open_sstables,
    remove_unknown_files,
};
use cenotaph_sim::host::Host;

use crate::bench::Bench;
use crate::sstable::build::key;

/// The first table of a schema.
pub(super) const TABLE: TableId = TableId(1);

/// The wall second at which every run begins.
pub(super) const BEGIN: u32 = 1_700_000_000;

/// Seconds that a tombstone is kept.
pub(super) const GRACE: u32 = 100;

/// Long ago: what was deleted then has outlived its grace.
pub(super) const LONG_AGO: u32 = BEGIN - 1_000;

/// One table with columns as `rows::support` numbers them.
pub(super) struct Rig {
    pub(super) host: Host,
    pub(super) store: Rc<Store>,
    pub(super) log: CommitLog,
    pub(super) flusher: Rc<Flusher>,
    pub(super) compactor: Rc<Compactor>,
    pub(super) metrics: Rc<Metrics>,
    pub(super) schema: Rc<RefCell<Rc<Schema>>>,
}

const FLUSH: FlushOptions = FlushOptions {
    memtable_size_max: 1 << 30,
    log_size_max: 1 << 30,
    block_size: 64,
    flushes_per_table_max: 2,
    retry_millis: 5,
};

const NEVER: CompactionOptions = CompactionOptions {
    sstables_min: 0,
    retry_millis: 5,
};

pub(super) fn table_name() -> TableName {
    TableName::new("k", "t")
}

/// `k.t (pk int, v text, w text, s text static, ck int)`.
fn schema(purge: PurgeOptions) -> Schema {
    let column = |name: &str, data_type: DataType, kind| ColumnDefinition {
        name: name.into(),
        data_type: data_type.into(),
        kind,
    };
    let create = Change::CreateTable {
        name: table_name(),
        columns: vec![
            column("pk", DataType::Int, ColumnKind::PartitionKey),
            column("v", DataType::Text, ColumnKind::Regular),
            column("w", DataType::Text, ColumnKind::Regular),
            column("s", DataType::Text, ColumnKind::Static),
            column(
                "ck",
                DataType::Int,
                ColumnKind::Clustering(Order::Ascending),
            ),
        ],
        gc_grace_seconds: GRACE,
        purge,
    };
    Schema::empty().apply(&create).expect("it fits")
}

impl Rig {
    pub(super) async fn open(host: &Host) -> Result<Rig, Error> {
        Rig::open_with(host, NEVER).await
    }

    /// Opens what is on the disk, without a replay of the log.
    pub(super) async fn open_with(host: &Host, options: CompactionOptions) -> Result<Rig, Error> {
        let metrics = Rc::new(Metrics::default());
        let manifest = open(host).await?;
        remove_unknown_files(host, &manifest, &metrics).await?;
        let mut held = open_sstables(&host.disk(), &manifest, &metrics).await?;
        let store = Rc::new(Store::new(host.clone(), manifest));
        let ids = {
            let store = Rc::clone(&store);
            segment_ids(move || {
                let store = Rc::clone(&store);
                async move { Ok(store.manifest().next_id().await?) }
            })
        };
        let log_options = CommitLogOptions {
            mode: SyncMode::Batch,
            segment_size: 1_024,
        };
        let log = CommitLog::start(host, log_options, Rc::clone(&metrics), ids).await?;
        store.add_table(
            TABLE,
            log.position(),
            held.remove(&TABLE).unwrap_or_default(),
        );
        let (shared, counted) = (Rc::clone(&store), Rc::clone(&metrics));
        let flusher = Flusher::new(host.clone(), shared, log.clone(), counted, FLUSH);
        let (shared, counted) = (Rc::clone(&store), Rc::clone(&metrics));
        let compactor = Compactor::new(host.clone(), shared, counted, options, FLUSH.block_size);
        Ok(Rig {
            host: host.clone(),
            store,
            log,
            flusher: Rc::new(flusher),
            compactor: Rc::new(compactor),
            metrics,
            schema: Rc::new(RefCell::new(Rc::new(schema(PurgeOptions::default())))),
        })
    }

    pub(super) fn table(&self) -> Rc<TableStore> {
        self.store.table(TABLE).expect("nobody dropped it")
    }

    /// Writes to one partition, as a node does.
    pub(super) async fn put(&self, number: u32, update: Partition) -> Result<(), Error> {
        let mutation = Mutation {
            table: TABLE,
            key: key(number),
            update,
        };
        let ticket = self.store.table(TABLE)?.ticket()?;
        let reservation = self.log.reserve(TABLE, &mutation.encode())?;
        self.log.commit(reservation).await?;
        ticket.memtable().put(mutation).unwrap();
        Ok(())
    }

    /// From now on the table has these options.
    pub(super) fn set_options(&self, purge: PurgeOptions) {
        *self.schema.borrow_mut() = Rc::new(schema(purge));
    }

    /// Marks what is in sstables as repaired, now.
    pub(super) async fn mark_repaired(&self) -> Result<u64, Error> {
        let seconds = u32::try_from(self.host.clock().wall().seconds()).expect("it is after 1970");
        Ok(self.store.mark_repaired(&self.table(), seconds).await?)
    }

    /// Since when each sstable is repaired, by id.
    pub(super) fn repaired(&self) -> Vec<Option<u32>> {
        let view = self.table().view();
        let names = view.sstables.iter().map(|sstable| sstable.name());
        let manifest = self.store.manifest();
        let since = |name| manifest.with_contents(|contents| contents.repaired_seconds(name));
        names.map(since).collect()
    }

    pub(super) async fn flush(&self) -> Result<(), Error> {
        Ok(self.flusher.flush_table(TABLE).await?)
    }

    /// Each of these partitions into an sstable of its own.
    pub(super) async fn put_apart(&self, parts: Vec<(u32, Partition)>) -> Result<(), Error> {
        for (number, part) in parts {
            self.put(number, part).await?;
            self.flush().await?;
        }
        Ok(())
    }

    pub(super) async fn compact(&self) -> Result<CompactionReport, Error> {
        let schema = || Rc::clone(&self.schema.borrow());
        let report = self.compactor.compact_table(TABLE, &schema).await?;
        assert_eq!(self.store.violations(), Vec::<String>::new());
        Ok(report)
    }

    /// What all sources have of a partition.
    pub(super) async fn merged(&self, number: u32) -> Result<Partition, Error> {
        let (view, key): (_, DecoratedKey) = (self.table().view(), key(number));
        let memtables = view.memtables();
        let mut sources: Vec<Partition> = memtables
            .filter_map(|slot| slot.memtable().get(&key, &Slice::ALL))
            .collect();
        for sstable in &view.sstables {
            sources.extend(sstable.get(&key, &Slice::ALL).await?);
        }
        Ok(cenotaph_engine::read::merge(sources))
    }

    pub(super) fn sstables_count(&self) -> usize {
        self.table().view().sstables.len()
    }

    pub(super) fn persisted(&self) -> IntervalSet {
        let manifest = self.store.manifest();
        manifest.with_contents(|contents| contents.persisted(TABLE))
    }

    pub(super) async fn files(&self) -> Vec<String> {
        let files = self.host.disk().list("data").await;
        files.expect("the directory is there")
    }
}

async fn open(host: &Host) -> Result<Manifest, Error> {
    let options = ManifestOptions {
        file_size_max: 4_096,
        id_block_size: 4,
    };
    Ok(open_manifest(host, options).await?)
}

/// Runs a test on a machine of its own; nothing fails or crashes there.
pub(super) fn rig<R, T>(key: u64, test: impl FnOnce(Rc<Rig>) -> R + 'static) -> (Bench, T)
where
    R: Future<Output = Result<T, Error>> + 'static,
    T: 'static,
{
    let bench = Bench::new(key);
    let output = bench.run(|host| async move { test(Rc::new(Rig::open(&host).await?)).await });
    let output = output.expect("nothing crashes").expect("nothing fails");
    (bench, output)
}

/// A machine on which this ran, before anything fails or crashes there.
pub(super) fn prepared<R>(key: u64, prepare: impl FnOnce(Host) -> R + 'static) -> Bench
where
    R: Future<Output = Result<(), Error>> + 'static,
{
    let bench = Bench::new(key);
    let ended = bench.run(prepare);
    ended.expect("nothing crashes").expect("nothing fails");
    bench
}

/// Begins a flush, and compacts so much later. None when the flush has ended by then.
pub(super) async fn compact_beside_flush(
    rig: &Rc<Rig>,
    after: Duration,
) -> Result<Option<CompactionReport>, Error> {
    let flushing = Rc::clone(rig);
    let flush = rig
        .host
        .spawn("flush", async move { flushing.flush().await });
    rig.host.clock().sleep(after).await;
    if rig.table().view().flushing.is_empty() {
        return Ok(None);
    }
    let report = rig.compact().await?;
    flush.await.expect("it ends")?;
    Ok(Some(report))
}
