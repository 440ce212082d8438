//! Steps of opening what a node has on disk: find the newest whole manifest file, apply its edits, go on in a
//! new file; then remove what the manifest does not know and open what it knows.
//!
//! A manifest that is missing or damaged beside files that it should speak of refuses to start, and removes
//! nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

use cenotaph_sim::host::{Disk, Host};

use super::contents::Contents;
use super::edit::Edit;
use super::error::StoreError;
use super::manifest::{Manifest, ManifestOptions};
use crate::error::IoFailure;
use crate::metrics::Metrics;
use crate::record::{End, FileKind, chain, ensure_dir, read_file};
use crate::rows::TableId;
use crate::sstable::{DATA_DIR, Sstable, SstableName};

/// Reads the manifest and goes on in a new file of it.
///
/// # Errors
/// The machine's; corruption; a manifest that is missing beside other files.
pub async fn open_manifest(host: &Host, options: ManifestOptions) -> Result<Manifest, StoreError> {
    let disk = host.disk();
    ensure_dir(&disk, FileKind::Manifest.dir()).await?;
    ensure_dir(&disk, DATA_DIR).await?;
    let chain = chain(&disk, FileKind::Manifest).await?;
    let mut contents = Contents::default();
    match chain.files.last() {
        Some(newest) => {
            let read = read_file(&disk, newest).await?;
            // Else the bytes were not those that the file was chosen for, and an empty manifest would
            // have every data file removed.
            assert!(read.header.is_some(), "a chain ends in a whole file");
            if let End::Torn { offset, damage } = read.end {
                host.mark("manifest.torn-tail");
                tracing::info!(file = %newest.name, offset, %damage, "manifest ends in a torn tail");
            }
            for record in &read.records {
                let edit = Edit::decode(&record.payload);
                edit.and_then(|edit| contents.apply(&edit))
                    .map_err(|cause| {
                        let (file, offset) = (newest.name.to_string(), record.end);
                        StoreError::Edit {
                            file,
                            offset,
                            cause,
                        }
                    })?;
            }
        }
        None => refuse_orphans(&disk).await?,
    }
    tracing::info!(sstables = contents.sstables().count(), "manifest read");
    Manifest::begin(disk, contents, chain.id_max, options).await
}

/// Refuses when there are files that only a manifest can explain.
async fn refuse_orphans(disk: &Disk) -> Result<(), StoreError> {
    for dir in [DATA_DIR, FileKind::CommitLog.dir()] {
        if let Some(name) = list(disk, dir).await?.into_iter().next() {
            return Err(StoreError::ManifestMissing {
                file: format!("{dir}/{name}"),
            });
        }
    }
    Ok(())
}

/// The names in a directory; none when it is not there.
async fn list(disk: &Disk, dir: &str) -> Result<Vec<String>, StoreError> {
    match disk.list(dir).await {
        Ok(names) => Ok(names),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(IoFailure::new("list", dir, &error).into()),
    }
}

/// Removes every data file that the manifest does not know, after checking that all it knows are there.
///
/// # Errors
/// The machine's; [`StoreError::SstableMissing`], and then nothing is removed.
pub async fn remove_unknown_files(
    host: &Host,
    manifest: &Manifest,
    metrics: &Metrics,
) -> Result<(), StoreError> {
    let disk = host.disk();
    let found: BTreeSet<String> = list(&disk, DATA_DIR).await?.into_iter().collect();
    let known: BTreeSet<String> = manifest.with_contents(|contents| {
        contents
            .sstables()
            .map(|added| added.name.to_string())
            .collect()
    });
    if let Some(missing) = known.difference(&found).next() {
        return Err(StoreError::SstableMissing {
            file: format!("{DATA_DIR}/{missing}"),
        });
    }
    let unknown: Vec<String> = found
        .difference(&known)
        .map(|name| format!("{DATA_DIR}/{name}"))
        .collect();
    for path in &unknown {
        disk.remove(path)
            .await
            .map_err(|error| IoFailure::new("remove", path, &error))?;
        host.mark("data.unknown-file-removed");
        metrics.node.unknown_files_removed.increment();
        tracing::info!(%path, "removed a file that the manifest does not know");
    }
    if !unknown.is_empty() {
        sync_data_dir(&disk).await?;
    }
    Ok(())
}

/// Makes the names of data files durable.
///
/// # Errors
/// The machine's.
pub async fn sync_data_dir(disk: &Disk) -> Result<(), IoFailure> {
    let synced = disk.sync_dir(DATA_DIR).await;
    synced.map_err(|error| IoFailure::new("sync directory", DATA_DIR, &error))
}

/// Opens every sstable that the manifest knows, by table.
///
/// # Errors
/// The machine's, or corruption.
pub async fn open_sstables(
    disk: &Disk,
    manifest: &Manifest,
    metrics: &Metrics,
) -> Result<BTreeMap<TableId, Vec<Rc<Sstable>>>, StoreError> {
    let names: Vec<SstableName> =
        manifest.with_contents(|contents| contents.sstables().map(|added| added.name).collect());
    let mut tables: BTreeMap<TableId, Vec<Rc<Sstable>>> = BTreeMap::new();
    for name in names {
        let sstable = Sstable::open(disk, name).await?;
        metrics.node.sstables_opened.increment();
        tables.entry(name.table).or_default().push(Rc::new(sstable));
    }
    Ok(tables)
}
