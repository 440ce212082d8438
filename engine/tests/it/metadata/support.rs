//! Vocabulary of the metadata log's tests.

use std::rc::Rc;

use cenotaph_engine::metadata::{Metadata, MetadataError, MetadataOptions};
use cenotaph_sim::host::Host;

/// The log with its default knobs.
pub(crate) async fn open(host: &Host) -> Result<Metadata, MetadataError> {
    Metadata::open(host, MetadataOptions::default(), Rc::default()).await
}

/// Names of the schema's tables, in the order of their ids.
pub(crate) fn tables(metadata: &Metadata) -> Vec<String> {
    metadata
        .current()
        .tables()
        .map(|table| table.name.table.to_string())
        .collect()
}

/// The log's files.
pub(crate) async fn files(host: &Host) -> Vec<String> {
    host.disk().list("metadata").await.expect("readable")
}
