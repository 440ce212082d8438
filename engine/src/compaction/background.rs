//! Steps of the background: wait until a table has one sstable more; compact it when it has too many; after a
//! failure wait a while.

use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::host::Host;

use super::options::CompactionOptions;
use crate::error::Classify;
use crate::metrics::Metrics;
use crate::schema::Schema;
use crate::store::Store;

/// Compacts the tables of a node, when asked to and by itself.
#[derive(Debug)]
pub struct Compactor {
    pub(super) host: Host,
    pub(super) store: Rc<Store>,
    pub(super) metrics: Rc<Metrics>,
    pub(super) options: CompactionOptions,
    /// Payload bytes at which a block of an sstable is cut.
    pub(super) block_size: u64,
}

impl Compactor {
    /// A compactor that does nothing by itself until [`Compactor::run`] is spawned.
    #[must_use]
    pub fn new(
        host: Host,
        store: Rc<Store>,
        metrics: Rc<Metrics>,
        options: CompactionOptions,
        block_size: u64,
    ) -> Compactor {
        Compactor {
            host,
            store,
            metrics,
            options,
            block_size,
        }
    }

    pub(super) fn now_seconds(&self) -> u32 {
        u32::try_from(self.host.clock().wall().seconds().max(0)).unwrap_or(u32::MAX)
    }

    /// Compacts whatever has too many sstables, for ever.
    pub async fn run(self: Rc<Self>, schema: impl Fn() -> Rc<Schema>) {
        let sstables_min = self.options.sstables_min;
        if sstables_min == 0 {
            return;
        }
        let growth = self.store.growth();
        loop {
            let changed = growth.changed();
            let grown = growth.take();
            if grown.is_empty() {
                changed.await;
                continue;
            }
            let mut has_failed = false;
            for id in grown {
                match self.compact_from(id, sstables_min, &schema).await {
                    // What is damaged stays so until somebody looks at it.
                    Err(error) if error.is_table_gone() || error.is_corruption() => {}
                    Err(_) => {
                        growth.note(id);
                        has_failed = true;
                    }
                    Ok(_) => {}
                }
            }
            if has_failed {
                let pause = Duration::from_millis(self.options.retry_millis);
                self.host.clock().sleep(pause).await;
            }
        }
    }
}
