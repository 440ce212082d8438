//! Invariants of a start: what was acknowledged is there, what is doubtful is written again, and nothing
//! is passed over in silence.

use std::rc::Rc;

use bytes::Bytes;
use cenotaph_engine::error::Classify;
use cenotaph_engine::metadata::{Metadata, MetadataError, MetadataOptions};
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::record::{FileKind, FileName, Writer, ensure_dir, load};
use cenotaph_engine::schema::{Change, Epoch};
use cenotaph_sim::host::{Host, OpenMode};

use super::{files, open, tables};
use crate::schema::create;
use crate::support::alone;

async fn propose_each(metadata: &Metadata, names: &[&str]) {
    for name in names {
        metadata.propose(&create(name)).await.expect("healthy");
    }
}

#[test]
fn a_start_writes_again_what_is_doubtful_and_nothing_else() {
    alone(|host| async move {
        propose_each(&open(&host).await.expect("healthy"), &["a", "b", "c"]).await;
        for boot in 2..6 {
            let metrics = Rc::new(Metrics::default());
            let options = MetadataOptions::default();
            let metadata = Metadata::open(&host, options, Rc::clone(&metrics)).await;
            assert_eq!(tables(&metadata.expect("healthy")), ["a", "b", "c"]);
            assert_eq!(
                files(&host).await,
                ["1.log".to_owned(), format!("{boot}.log")]
            );
            let rewritten = metrics.node.metadata_entries_rewritten.get();
            assert_eq!(rewritten, 1, "the last change only");
        }
        propose_each(&open(&host).await.expect("healthy"), &["d"]).await;
        assert_eq!(files(&host).await, ["1.log", "6.log"]);
        assert_eq!(
            tables(&open(&host).await.expect("healthy")),
            ["a", "b", "c", "d"]
        );
    });
}

#[test]
fn a_file_of_which_nothing_is_certain_is_deleted_when_it_was_written_again() {
    alone(|host| async move {
        ensure_dir(&host.disk(), "metadata").await.expect("healthy");
        let name = FileName {
            kind: FileKind::Metadata,
            id: 1,
        };
        let writer = Writer::new(name, None);
        writer.create(&host.disk()).await.expect("healthy");
        writer.append(&[&entry(1, &create("a"))]).expect("small");
        writer.write().await.expect("healthy");
        assert_eq!(tables(&open(&host).await.expect("healthy")), ["a"]);
        assert_eq!(files(&host).await, ["2.log"]);
        assert_eq!(tables(&open(&host).await.expect("healthy")), ["a"]);
    });
}

#[test]
fn a_torn_tail_at_any_byte_gives_the_changes_before_it_and_the_log_goes_on() {
    alone(|host| async move {
        propose_each(&open(&host).await.expect("healthy"), &["a", "b", "c"]).await;
        let whole = load(&host.disk(), "metadata/1.log")
            .await
            .expect("readable");
        for size in 0..whole.len() {
            for name in files(&host).await {
                host.disk()
                    .remove(&format!("metadata/{name}"))
                    .await
                    .expect("it is there");
            }
            let file = host
                .disk()
                .open("metadata/1.log", OpenMode::CreateNew)
                .await;
            file.expect("a new file")
                .write_at(0, whole.slice(..size))
                .await
                .expect("space");
            if (48..112).contains(&size) {
                // The header comes last, and says that the first change was synced before it.
                assert!(open(&host).await.expect_err("lost").is_corruption());
                continue;
            }
            let metadata = open(&host).await.expect("torn");
            let before = tables(&metadata);
            assert_eq!(before, ["a", "b", "c"][..before.len()], "cut at {size}");
            let epoch = metadata.propose(&create("d")).await.expect("healthy");
            assert_eq!(epoch, Epoch(before.len() as u64 + 1));
            let again = open(&host).await.expect("healthy");
            assert_eq!(tables(&again), [before, vec!["d".to_owned()]].concat());
        }
    });
}

#[test]
fn a_flipped_bit_in_a_synced_change_refuses_the_start() {
    alone(|host| async move {
        propose_each(&open(&host).await.expect("healthy"), &["a", "b", "c"]).await;
        let path = "metadata/1.log";
        let whole = load(&host.disk(), path).await.expect("readable");
        let file = host
            .disk()
            .open(path, OpenMode::Write)
            .await
            .expect("it is there");
        // The last change's header says that the two before it were synced.
        let size = (whole.len() - 48) / 3;
        for at in 0..48 + 2 * size {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 0x10;
            file.write_at(0, Bytes::from(bytes)).await.expect("space");
            let error = open(&host)
                .await
                .expect_err("acknowledged changes would be lost");
            assert!(
                error.is_corruption() && error.to_string().contains(path),
                "{at}: {error}"
            );
            assert_eq!(files(&host).await, ["1.log"], "nothing is deleted or begun");
        }
    });
}

#[test]
fn a_lost_file_refuses_the_start() {
    alone(|host| async move {
        propose_each(&open(&host).await.expect("healthy"), &["a", "b"]).await;
        propose_each(&open(&host).await.expect("healthy"), &["c", "d"]).await;
        assert_eq!(files(&host).await, ["1.log", "2.log"]);
        host.disk()
            .remove("metadata/1.log")
            .await
            .expect("it is there");
        let error = open(&host)
            .await
            .expect_err("acknowledged changes would be lost");
        assert!(error.is_corruption());
        assert_eq!(
            error.to_string(),
            "metadata/1.log is missing: metadata/2.log continues it"
        );
    });
}

/// A log of one file with these payloads.
async fn forge(host: &Host, payloads: &[Vec<u8>]) {
    ensure_dir(&host.disk(), "metadata").await.expect("healthy");
    let writer = Writer::new(
        FileName {
            kind: FileKind::Metadata,
            id: 1,
        },
        None,
    );
    for payload in payloads {
        writer.append(&[payload]).expect("small");
    }
    writer.create_whole(&host.disk()).await.expect("healthy");
}

fn entry(epoch: u64, change: &Change) -> Vec<u8> {
    let change = change.encode().expect("small");
    [&epoch.to_le_bytes()[..], &change].concat()
}

#[test]
fn entries_that_no_log_writes_refuse_the_start() {
    let cases: [(Vec<Vec<u8>>, &str); 4] = [
        (
            vec![entry(1, &create("a")), entry(3, &create("b"))],
            "metadata/1.log has epoch 3 at offset 176, where 2 should follow",
        ),
        (
            vec![entry(1, &create("a")), entry(2, &create("a"))],
            "metadata/1.log has an entry at offset 176 that cannot be enacted: \
             table ks.a exists already",
        ),
        (
            vec![b"short".to_vec()],
            "metadata/1.log is corrupt at offset 72: an entry without an epoch",
        ),
        (
            vec![[1, 0, 0, 0, 0, 0, 0, 0, 9].to_vec()],
            "metadata/1.log has an entry at offset 80 that cannot be enacted: \
             not a schema: version 9 is unknown",
        ),
    ];
    for (payloads, expected) in cases {
        alone(move |host| {
            let payloads = payloads.clone();
            async move {
                forge(&host, &payloads).await;
                let error: MetadataError = open(&host).await.expect_err("not to be passed over");
                assert_eq!(error.to_string(), expected);
                assert!(error.is_corruption());
            }
        });
    }
}

#[test]
fn a_whole_header_that_no_record_vouches_for_has_nothing_deleted() {
    alone(|host| async move {
        propose_each(&open(&host).await.expect("healthy"), &["a"]).await;
        let kind = FileKind::Metadata;
        let bare = Writer::new(FileName { kind, id: 2 }, None);
        bare.create(&host.disk()).await.expect("healthy");
        open(&host).await.expect("a log without entries");
        assert_eq!(files(&host).await, ["1.log", "2.log"]);
    });
}
