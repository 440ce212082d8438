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
    End, FileKind, FileName, Previous, Writer, chain, ensure_dir, read_file, remove_all,
};
use crate::schema::Schema;

/// The log as a start leaves it.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) schema: Schema,
    /// The file to go on with; none before the first change of a node's life.
    pub(super) writer: Option<Writer>,
    /// The largest file id so far.
    pub(super) id_max: u64,
}

pub(super) async fn recover(host: &Host, metrics: &Metrics) -> Result<Recovered, MetadataError> {
    let disk = host.disk();
    ensure_dir(&disk, FileKind::Metadata.dir()).await?;
    let mut chain = chain(&disk, FileKind::Metadata).await?;
    let mut schema = Schema::empty();
    let mut tail = Tail::default();
    for file in &chain.files {
        let contents = read_file(&disk, file).await?;
        if let End::Torn { .. } = contents.end {
            host.mark("metadata.torn-tail");
            metrics.node.metadata_torn_tails.increment();
        }
        tail = Tail {
            previous: contents.header.and_then(|header| header.previous),
            ..tail
        };
        for record in &contents.records {
            schema = entry::enact(&schema, file.name, record)?;
            let is_synced = file.known_end.is_some() || record.end <= contents.synced_upto;
            if is_synced {
                assert!(
                    tail.payloads.is_empty(),
                    "what was synced comes before what was not"
                );
                tail.previous = Some(Previous {
                    id: file.name.id,
                    end: record.end,
                });
            } else {
                tail.payloads.push(record.payload.clone());
            }
        }
    }
    let mut id_max = chain.id_max;
    let mut writer = None;
    if !tail.payloads.is_empty() {
        id_max += 1;
        let name = FileName {
            kind: FileKind::Metadata,
            id: id_max,
        };
        let whole = Writer::new(name, tail.previous);
        for payload in &tail.payloads {
            whole.append(&[payload])?;
        }
        whole.create_whole(&disk).await?;
        host.mark("metadata.rewritten");
        metrics
            .node
            .metadata_entries_rewritten
            .add(tail.payloads.len() as u64);
        if let Some(last) = chain.files.last()
            && tail
                .previous
                .is_none_or(|previous| previous.id != last.name.id)
        {
            chain.superseded.push(last.name);
        }
        writer = Some(whole);
    }
    remove_all(&disk, FileKind::Metadata, &chain.superseded).await?;
    metrics
        .node
        .metadata_files_deleted
        .add(chain.superseded.len() as u64);
    Ok(Recovered {
        schema,
        writer,
        id_max,
    })
}

/// The end of the log that is not known to have been synced.
#[derive(Debug, Default)]
struct Tail {
    /// Where what is known to have been synced ends.
    previous: Option<Previous>,
    /// The entries after that.
    payloads: Vec<Bytes>,
}
