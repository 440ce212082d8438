//! Steps of a start: find the log's files; enact their entries; write again what is not known to have been
//! synced, to a new file; delete the files that hold nothing of the log any more.
//!
//! Fault policy: a torn tail was never acknowledged, and is counted. Corruption and gaps refuse the start
//! and delete nothing.

use bytes::Bytes;
use cenotaph_sim::host::Host;

use super::entry;
use super::error::MetadataError;
use crate::metrics::Metrics;
use crate::record::{
    End, FileKind, FileName, Listed, Previous, Writer, chain, ensure_dir, read_file, remove_all,
};
use crate::schema::Schema;

/// The log as a start leaves it.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) schema: Schema,
    /// The file to go on with; when there is none, the next change begins one.
    pub(super) writer: Option<Writer>,
    /// What that file will continue.
    pub(super) previous: Option<Previous>,
    /// The largest file id so far.
    pub(super) id_max: u64,
}

/// The log as it was found.
#[derive(Debug, Default)]
struct Found {
    schema: Schema,
    /// Where what is known to have been synced ends.
    synced: Option<Previous>,
    /// The entries after that.
    doubtful: Vec<Bytes>,
}

pub(super) async fn recover(host: &Host, metrics: &Metrics) -> Result<Recovered, MetadataError> {
    let disk = host.disk();
    ensure_dir(&disk, FileKind::Metadata.dir()).await?;
    let chain = chain(&disk, FileKind::Metadata).await?;
    let found = read(host, metrics, &chain.files).await?;
    let (mut id_max, mut superseded) = (chain.id_max, chain.superseded);
    let mut writer = None;
    if found.doubtful.is_empty() && !chain.files.is_empty() {
        // The newest file has a header and no record that tells whether that is durable. Should it go
        // with a power cut, the files that it supersedes are the log.
        superseded.clear();
    }
    if !found.doubtful.is_empty() {
        id_max += 1;
        writer = Some(rewrite(host, metrics, &found, id_max).await?);
        let last = chain.files.last().map(|file| file.name);
        let holds_nothing =
            |name: &FileName| found.synced.is_none_or(|synced| synced.id != name.id);
        superseded.extend(last.filter(holds_nothing));
    }
    remove_all(&disk, FileKind::Metadata, &superseded).await?;
    let count = superseded.len() as u64;
    metrics.node.metadata_files_deleted.add(count);
    Ok(Recovered {
        schema: found.schema,
        writer,
        previous: found.synced,
        id_max,
    })
}

async fn read(host: &Host, metrics: &Metrics, files: &[Listed]) -> Result<Found, MetadataError> {
    let mut found = Found::default();
    for file in files {
        let contents = read_file(&host.disk(), file).await?;
        if let End::Torn { .. } = contents.end {
            host.mark("metadata.torn-tail");
            metrics.node.metadata_torn_tails.increment();
        }
        for record in &contents.records {
            found.schema = entry::enact(&found.schema, file.name, record)?;
            if file.known_end.is_none() && record.end > contents.synced_upto {
                found.doubtful.push(record.payload.clone());
                continue;
            }
            assert!(
                found.doubtful.is_empty(),
                "what was synced comes before what was not"
            );
            found.synced = Some(Previous {
                id: file.name.id,
                end: record.end,
            });
        }
    }
    Ok(found)
}

/// Writes what is doubtful to a file of its own, which continues what is not.
async fn rewrite(
    host: &Host,
    metrics: &Metrics,
    found: &Found,
    id: u64,
) -> Result<Writer, MetadataError> {
    let kind = FileKind::Metadata;
    let writer = Writer::new(FileName { kind, id }, found.synced);
    for payload in &found.doubtful {
        writer.append(&[payload])?;
    }
    writer.create_whole(&host.disk()).await?;
    host.mark("metadata.rewritten");
    let count = found.doubtful.len() as u64;
    metrics.node.metadata_entries_rewritten.add(count);
    Ok(writer)
}
