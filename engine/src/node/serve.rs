//! Steps of a node's life: start; serve whatever packets come, until it has drained or one of its logs fails.

use std::rc::Rc;

use cenotaph_sim::host::Host;
use cenotaph_sim::sync::timeout;

use super::boot::boot;
use super::config::Config;
use super::inspector::Inspector;
use super::request::receive;
use super::running::Node;
use crate::commitlog::CommitLogError;
use crate::error::Error;
use crate::metadata::MetadataError;
use crate::metrics::Metrics;

/// A node that has started: all that was acknowledged before is there, and what was replayed is durable.
#[derive(Debug)]
#[must_use = "a node that is not run serves nobody"]
pub struct Started {
    node: Rc<Node>,
}

/// Starts a node.
///
/// # Errors
/// Why it could not.
pub async fn start(host: Host, config: Config) -> Result<Started, Error> {
    let booted = boot(&host, &config).await?;
    Ok(Started {
        node: Node::new(&host, &config, booted),
    })
}

impl Started {
    /// What the node counts, to be read when it has ended, too.
    #[must_use]
    pub fn metrics(&self) -> Rc<Metrics> {
        Rc::clone(&self.node.metrics)
    }

    /// A look into the node, as long as it runs.
    #[must_use]
    pub fn inspector(&self) -> Inspector {
        Inspector {
            node: Rc::downgrade(&self.node),
        }
    }

    /// Serves until the node has drained, or until its commit log or its metadata log fails.
    ///
    /// # Errors
    /// Why it had to stop.
    pub async fn run(self) -> Result<(), Error> {
        let node = self.node;
        node.flusher.start();
        let schema_flush = Rc::clone(&node.schema_flush);
        node.host.spawn("schema-flush", schema_flush.run());
        let shared = Rc::clone(&node);
        let compactor = Rc::clone(&node.compactor);
        node.host
            .spawn("compactor", compactor.run(move || shared.schema()));
        watch_logs(&node);
        // Whichever of the two ends first ends the node; serving never does.
        let _ended = timeout(node.ended(), serve(&node)).await;
        node.take_end()
    }
}

/// Runs a node from its start to its end.
///
/// # Errors
/// Why it could not start, or had to stop.
pub async fn run(host: Host, config: Config) -> Result<(), Error> {
    start(host, config).await?.run().await
}

/// Ends the node when one of its logs stops.
fn watch_logs(node: &Rc<Node>) {
    let watched = Rc::clone(node);
    node.host.spawn("watch-commitlog", async move {
        let error = watched.log.stopped().await;
        // A drain closes its logs, and then says itself how the node ends.
        if error != CommitLogError::Closed {
            watched.host.mark("node.commitlog-stopped");
            watched.finish(Err(error.into()));
        }
    });
    let watched = Rc::clone(node);
    node.host.spawn("watch-metadata", async move {
        let error = watched.metadata.stopped().await;
        if error != MetadataError::Closed {
            watched.host.mark("node.metadata-stopped");
            watched.finish(Err(error.into()));
        }
    });
}

async fn serve(node: &Rc<Node>) {
    let network = node.host.network();
    loop {
        let packet = network.recv().await;
        receive(node, &packet);
    }
}
