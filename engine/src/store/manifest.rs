//! Steps of a change of the manifest: append the edit, sync; append a seal, sync; only then it counts. The
//! seal makes damage to the edit corruption: without it a flipped bit in the last edit would read as a
//! torn tail, and the edit's sstables as unknown files.
//!
//! A large or broken file is replaced: the new one is whole and durable, then the old ones are durably
//! gone, then it takes edits. So whenever two whole files exist they say the same, up to edits that
//! nobody was told of.

use std::cell::{Cell, RefCell};

use cenotaph_sim::host::Disk;
use cenotaph_sim::sync::Semaphore;

use serde::{Deserialize, Serialize};

use super::contents::Contents;
use super::edit::Edit;
use super::error::StoreError;
use crate::limits::MIB;
use crate::record::{FileKind, FileName, Writer, list, remove_all};

/// The node's manifest: which sstables count, and which ids were given out.
#[derive(Debug)]
pub struct Manifest {
    disk: Disk,
    contents: RefCell<Contents>,
    /// None before the first file, and after a failure.
    writer: RefCell<Option<Writer>>,
    next_file_id: Cell<u64>,
    next_id: Cell<u64>,
    first_id: u64,
    /// One change at a time.
    turn: Semaphore,
    options: ManifestOptions,
}

/// Knobs of the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ManifestOptions {
    /// Bytes at which a file is replaced.
    pub file_size_max: u64,
    /// Ids that one edit reserves, at least 1.
    pub id_block_size: u64,
}

impl Default for ManifestOptions {
    fn default() -> ManifestOptions {
        ManifestOptions {
            file_size_max: MIB as u64,
            id_block_size: 64,
        }
    }
}

impl Manifest {
    /// Goes on from `contents` in a new file, whose id is above `file_id_max`.
    ///
    /// # Errors
    /// The machine's.
    pub(super) async fn begin(
        disk: Disk,
        mut contents: Contents,
        file_id_max: u64,
        options: ManifestOptions,
    ) -> Result<Manifest, StoreError> {
        // Ids begin at 1. What the last incarnation reserved counts as given out.
        let next_id = contents.id_floor().max(1);
        let id_floor = Some(next_id + options.id_block_size);
        contents
            .apply(&Edit {
                id_floor,
                ..Edit::default()
            })
            .expect("the floor rises");
        let manifest = Manifest {
            disk,
            contents: RefCell::new(contents),
            writer: RefCell::new(None),
            next_file_id: Cell::new(file_id_max + 1),
            next_id: Cell::new(next_id),
            first_id: next_id,
            turn: Semaphore::new(1),
            options,
        };
        let writer = manifest.new_file().await?;
        *manifest.writer.borrow_mut() = Some(writer);
        Ok(manifest)
    }

    /// Looks at the contents.
    pub fn with_contents<T>(&self, look: impl FnOnce(&Contents) -> T) -> T {
        look(&self.contents.borrow())
    }

    /// The first id of this incarnation: no earlier one gave out this or a larger one.
    #[must_use]
    pub fn first_id(&self) -> u64 {
        self.first_id
    }

    /// An id that was never given out before, in any incarnation.
    ///
    /// # Errors
    /// The machine's.
    pub async fn next_id(&self) -> Result<u64, StoreError> {
        let _turn = self.turn.acquire().await;
        let id = self.next_id.get();
        if id >= self.contents.borrow().id_floor() {
            let id_floor = Some(id + self.options.id_block_size);
            self.commit_in_turn(&Edit {
                id_floor,
                ..Edit::default()
            })
            .await?;
        }
        self.next_id.set(id + 1);
        Ok(id)
    }

    /// Makes an edit durable, then part of the contents.
    ///
    /// # Errors
    /// The machine's. Then the edit may turn out, after a crash, to have happened: every file that it
    /// adds has to stay until this manifest has made another edit.
    ///
    /// # Panics
    /// When the edit does not fit.
    pub async fn commit(&self, edit: &Edit) -> Result<(), StoreError> {
        let _turn = self.turn.acquire().await;
        self.commit_in_turn(edit).await
    }

    async fn commit_in_turn(&self, edit: &Edit) -> Result<(), StoreError> {
        let fits = self.contents.borrow().check(edit);
        fits.expect("an edit is made from what the manifest holds");
        let writer = match self.writer.take() {
            Some(writer) if writer.appended() < self.options.file_size_max => writer,
            Some(_) | None => self.new_file().await?,
        };
        append_sealed(&writer, edit).await?;
        *self.writer.borrow_mut() = Some(writer);
        self.contents
            .borrow_mut()
            .apply(edit)
            .expect("an edit that was checked is applied, since one writer at a time edits");
        Ok(())
    }

    async fn new_file(&self) -> Result<Writer, StoreError> {
        let kind = FileKind::Manifest;
        let name = FileName {
            kind,
            id: self.next_file_id.get(),
        };
        self.next_file_id.set(name.id + 1);
        let writer = Writer::new(name, None);
        for edit in self.contents.borrow().as_edits() {
            writer.append(&[&edit.encode()])?;
        }
        writer.create_whole(&self.disk).await?;
        append_synced(&writer, &Edit::SEAL).await?;
        let others = list(&self.disk, kind)
            .await?
            .into_iter()
            .map(|file| file.name);
        let others: Vec<_> = others.filter(|other| *other != name).collect();
        remove_all(&self.disk, kind, &others).await?;
        tracing::debug!(file = %name, replaced = others.len(), "manifest file begun");
        Ok(writer)
    }
}

/// Appends an edit and then its seal, each durable before the next step.
async fn append_sealed(writer: &Writer, edit: &Edit) -> Result<(), StoreError> {
    append_synced(writer, edit).await?;
    append_synced(writer, &Edit::SEAL).await
}

async fn append_synced(writer: &Writer, edit: &Edit) -> Result<(), StoreError> {
    writer.append(&[&edit.encode()])?;
    writer.write().await?;
    writer.sync().await?;
    Ok(())
}
