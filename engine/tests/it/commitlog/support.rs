//! Vocabulary of the commit log's tests: logs, and what a node knows of its tables.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cenotaph_engine::commitlog::{
    Bounds, CommitLog, CommitLogError, CommitLogOptions, Fate, IntervalSet, Position, Replay,
    ReplayFilter, Replayed, SyncMode, segment_ids,
};
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::rows::TableId;
use cenotaph_sim::host::Host;

/// Most tests write to these tables.
pub(crate) const T: TableId = TableId(1);
pub(crate) const U: TableId = TableId(2);

/// Every segment is to be read.
pub(crate) const ALL: Bounds = Bounds {
    log_floor: Position::NONE,
    id_end: u64::MAX,
};

/// A node's persisted counter: it outlives the node's incarnations.
#[derive(Clone, Default)]
pub(crate) struct Counter(Rc<Cell<u64>>);

impl Counter {
    fn next(&self) -> u64 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

/// The smallest segments, with this mode.
pub(crate) fn tiny(mode: SyncMode) -> CommitLogOptions {
    CommitLogOptions {
        mode,
        segment_size: 512,
    }
}

pub(crate) async fn start(
    host: &Host,
    options: CommitLogOptions,
    counter: &Counter,
) -> Result<CommitLog, CommitLogError> {
    let counter = counter.clone();
    let ids = segment_ids(move || {
        let id = counter.next();
        async move { Ok(id) }
    });
    CommitLog::start(host, options, Rc::default(), ids).await
}

/// What sstables hold, by table; `None` for a dropped table.
#[derive(Default)]
pub(crate) struct Known(pub(crate) BTreeMap<TableId, Option<IntervalSet>>);

impl Known {
    /// Tables `T` and `U`, of which nothing is flushed.
    pub(crate) fn fresh() -> Known {
        Known([(T, Some(IntervalSet::new())), (U, Some(IntervalSet::new()))].into())
    }
}

impl ReplayFilter for Known {
    fn fate(&self, table: TableId) -> Fate<'_> {
        match self.0.get(&table) {
            Some(Some(persisted)) => Fate::Live(persisted),
            Some(None) => Fate::Dropped,
            None => Fate::Unknown,
        }
    }
}

/// All that is to be applied again, and the replay that gave it.
pub(crate) async fn replay(
    host: &Host,
    known: &Known,
) -> Result<(Vec<Replayed>, Replay), CommitLogError> {
    let mut replay = Replay::open(host, Rc::new(Metrics::default()), ALL).await?;
    let mut all = Vec::new();
    while let Some(some) = replay.next_segment(known).await? {
        all.extend(some);
    }
    Ok((all, replay))
}

/// Reserves and commits `mutation`.
pub(crate) async fn put(
    log: &CommitLog,
    table: TableId,
    mutation: &[u8],
) -> Result<(), CommitLogError> {
    let reservation = log.reserve(table, mutation)?;
    log.commit(reservation).await
}

/// The mutations, as text.
pub(crate) fn texts(replayed: &[Replayed]) -> Vec<String> {
    replayed
        .iter()
        .map(|one| String::from_utf8_lossy(&one.mutation).into_owned())
        .collect()
}
