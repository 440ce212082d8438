//! Invariants of the node's store: a table is here from its creation to its drop; a dropped table's files go
//! after the manifest let go of them; nothing of it comes back, since ids are never used again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

use cenotaph_sim::host::{Disk, Host};

use super::edit::Edit;
use super::error::StoreError;
use super::growth::Growth;
use super::manifest::Manifest;
use super::table::TableStore;
use crate::commitlog::Position;
use crate::rows::TableId;
use crate::sstable::{Sstable, SstableName};

/// All tables of a node.
#[derive(Debug)]
pub struct Store {
    host: Host,
    manifest: Manifest,
    tables: RefCell<BTreeMap<TableId, Rc<TableStore>>>,
    /// Sstables whose edit failed: whether they count only the next edit tells.
    doubtful: RefCell<Vec<SstableName>>,
    growth: Rc<Growth>,
}

impl Store {
    /// A store without tables yet.
    #[must_use]
    pub fn new(host: Host, manifest: Manifest) -> Store {
        Store {
            host,
            manifest,
            tables: RefCell::default(),
            doubtful: RefCell::default(),
            growth: Rc::default(),
        }
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The disk that everything lies on.
    #[must_use]
    pub fn disk(&self) -> Disk {
        self.host.disk()
    }

    /// Adds a table. `log_position` is where the commit log stands: all that comes later may be its.
    ///
    /// # Panics
    /// When the table is here.
    pub fn add_table(&self, id: TableId, log_position: Position, sstables: Vec<Rc<Sstable>>) {
        let growth = Rc::clone(&self.growth);
        let table = Rc::new(TableStore::new(id, log_position, sstables, growth));
        let before = self.tables.borrow_mut().insert(id, table);
        assert!(before.is_none(), "a table is added once");
    }

    /// The table with this id.
    ///
    /// # Errors
    /// [`StoreError::NoTable`].
    pub fn table(&self, id: TableId) -> Result<Rc<TableStore>, StoreError> {
        let found = self.tables.borrow().get(&id).map(Rc::clone);
        found.ok_or(StoreError::NoTable { table: id.0 })
    }

    /// All tables, by id.
    #[must_use]
    pub fn tables(&self) -> Vec<Rc<TableStore>> {
        self.tables.borrow().values().map(Rc::clone).collect()
    }

    /// The tables that got sstables.
    #[must_use]
    pub fn growth(&self) -> &Growth {
        &self.growth
    }

    /// Makes an edit of the manifest durable; in the same step, has `show` bring what requests see in line
    /// with it; then removes the files that are nobody's any more.
    ///
    /// # Errors
    /// The machine's. Then the edit may still turn out to have happened, so the files that it adds stay
    /// until another edit tells that it did not.
    pub async fn commit(&self, edit: &Edit, show: impl FnOnce()) -> Result<(), StoreError> {
        if let Err(error) = self.manifest.commit(edit).await {
            let added = edit.added.iter().map(|added| added.name);
            self.doubtful.borrow_mut().extend(added);
            return Err(error);
        }
        // No await since the edit was made: what is doubtful here failed before it.
        let doubtful = self.doubtful.take();
        show();
        for name in edit.removed.iter().copied().chain(doubtful) {
            self.remove_file(name).await;
        }
        Ok(())
    }

    /// Bytes in memtables, of all tables.
    #[must_use]
    pub fn memtable_bytes(&self) -> u64 {
        self.tables
            .borrow()
            .values()
            .map(|table| table.memtable_bytes())
            .sum()
    }

    /// Forgets a dropped table: it takes no more writes; its sstables go from the manifest, then from the
    /// disk. Waits for the flushes and the compaction of it under way. A table that is not here is forgotten
    /// already.
    ///
    /// # Errors
    /// The machine's: then the sstables may still be known, and the next start lets go of them.
    pub async fn drop_table(&self, id: TableId) -> Result<(), StoreError> {
        let Some(table) = self.tables.borrow_mut().remove(&id) else {
            return Ok(());
        };
        table.mark_dropped();
        let _compaction_turn = table.compaction_turn().await;
        let _flush_turn = table.flush_turn().await;
        self.remove_sstables(&[id]).await
    }

    /// Lets go of all that there is of tables that are no more.
    ///
    /// # Errors
    /// The machine's, about the manifest. A file that cannot be removed goes at the next start.
    pub async fn remove_sstables(&self, tables: &[TableId]) -> Result<(), StoreError> {
        let edit = self.manifest.with_contents(|contents| {
            let known = tables.iter().copied().filter(|id| contents.knows(*id));
            let all = tables.iter().flat_map(|id| contents.sstables_of(*id));
            Edit {
                removed: all.map(|added| added.name).collect(),
                dropped: known.collect(),
                ..Edit::default()
            }
        });
        if edit.dropped.is_empty() {
            return Ok(());
        }
        self.commit(&edit, || ()).await
    }

    /// Removes the file of an sstable that the manifest does not know. When that fails, the next start
    /// does it.
    pub async fn remove_file(&self, name: SstableName) {
        let path = name.path();
        match self.disk().remove(&path).await {
            Ok(()) => tracing::debug!(%path, "sstable file removed"),
            // Its creation failed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                self.host.mark("data.file-left");
                tracing::warn!(%path, %error, "sstable file left for the next start");
            }
        }
    }
}
