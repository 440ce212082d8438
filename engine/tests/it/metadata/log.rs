//! Invariants of the log: one epoch a change, one sync for many, and nothing seen before it is durable.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

use cenotaph_engine::error::{Class, Classify};
use cenotaph_engine::metadata::{Metadata, MetadataError, MetadataOptions};
use cenotaph_engine::metrics::Metrics;
use cenotaph_engine::record::load;
use cenotaph_engine::schema::{Change, Epoch, SchemaError, TableName};
use cenotaph_sim::disk::Profile;
use cenotaph_sim::fault::FaultKind;
use cenotaph_snapshots::golden;

use super::{files, open, tables};
use crate::schema::create;
use crate::support::{MACHINE, alone, at_request, machine_with, run};

#[test]
fn a_change_takes_the_next_epoch_and_is_there_after_a_restart() {
    alone(|host| async move {
        let metadata = open(&host).await.expect("healthy");
        assert_eq!(metadata.current().epoch(), Epoch::EMPTY);
        assert_eq!(
            files(&host).await.len(),
            0,
            "no file before the first change"
        );
        assert_eq!(metadata.propose(&create("a")).await, Ok(Epoch(1)));
        assert_eq!(metadata.propose(&create("b")).await, Ok(Epoch(2)));
        let drop = Change::DropTable {
            table: TableName::new("ks", "a"),
        };
        assert_eq!(metadata.propose(&drop).await, Ok(Epoch(3)));
        let again = open(&host).await.expect("healthy");
        assert_eq!(again.current(), metadata.current());
        assert_eq!(tables(&again), ["b"]);
        assert_eq!(again.propose(&create("a")).await, Ok(Epoch(4)));
    });
}

#[test]
fn changes_that_come_together_share_a_sync_and_have_each_its_epoch() {
    alone(|host| async move {
        let metrics = Rc::new(Metrics::default());
        let options = MetadataOptions::default();
        let metadata = Metadata::open(&host, options, Rc::clone(&metrics))
            .await
            .expect("healthy");
        let epochs = Rc::new(RefCell::new(Vec::new()));
        let mut proposers = Vec::new();
        for n in 0..20 {
            let (metadata, epochs) = (metadata.clone(), Rc::clone(&epochs));
            proposers.push(host.spawn("proposer", async move {
                let epoch = metadata
                    .propose(&create(&format!("t{n}")))
                    .await
                    .expect("a new name");
                assert!(
                    metadata.current().epoch() >= epoch,
                    "published before it is told"
                );
                epochs.borrow_mut().push(epoch);
            }));
        }
        for proposer in proposers {
            proposer.await.expect("it ends");
        }
        let mut epochs = epochs.take();
        epochs.sort_unstable();
        assert!(epochs.into_iter().eq((1..=20).map(Epoch)));
        assert_eq!(metrics.node.metadata_changes.get(), 20);
        assert!(metrics.node.metadata_syncs.get() <= 2, "{metrics}");
    });
}

#[test]
fn a_change_is_checked_against_those_that_wait_before_it() {
    alone(|host| async move {
        let metadata = open(&host).await.expect("healthy");
        let other = metadata.clone();
        let first = host.spawn("first", async move { other.propose(&create("t")).await });
        let other = metadata.clone();
        let second = host.spawn("second", async move { other.propose(&create("t")).await });
        let answers = [
            first.await.expect("it ends"),
            second.await.expect("it ends"),
        ];
        assert_eq!(
            answers
                .iter()
                .filter(|answer| **answer == Ok(Epoch(1)))
                .count(),
            1
        );
        let refused = Err(MetadataError::Refused(SchemaError::TableExists {
            table: "ks.t".into(),
        }));
        assert!(answers.contains(&refused));
        assert_eq!(
            metadata.propose(&create("u")).await,
            Ok(Epoch(2)),
            "a refusal takes no epoch"
        );
    });
}

#[test]
fn nobody_sees_a_schema_before_it_is_durable() {
    alone(|host| async move {
        let metadata = open(&host).await.expect("healthy");
        let watcher = metadata.clone();
        let changed = host.spawn("watcher", async move {
            let changed = watcher.changed();
            let before = watcher.current().epoch();
            changed.await;
            (before, watcher.current().epoch())
        });
        cenotaph_sim::sync::yield_now().await;
        let proposer = metadata.clone();
        let proposed = host.spawn(
            "proposer",
            async move { proposer.propose(&create("t")).await },
        );
        while files(&host).await.is_empty() {
            assert_eq!(metadata.current().epoch(), Epoch::EMPTY);
        }
        assert_eq!(
            metadata.current().epoch(),
            Epoch::EMPTY,
            "written, and not yet synced"
        );
        assert_eq!(proposed.await.expect("it ends"), Ok(Epoch(1)));
        assert_eq!(changed.await.expect("it ends"), (Epoch(0), Epoch(1)));
    });
}

#[test]
fn a_failed_sync_is_told_to_all_who_wait_and_stops_the_log() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let metadata = open(&host).await.expect("healthy");
        metadata.propose(&create("durable")).await.expect("healthy");
        let mut proposers = Vec::new();
        for n in 0..4 {
            let metadata = metadata.clone();
            let propose = async move { metadata.propose(&create(&format!("t{n}"))).await };
            proposers.push(host.spawn("proposer", propose));
        }
        for proposer in proposers {
            let error = proposer
                .await
                .expect("it ends")
                .expect_err("nothing was synced");
            assert!(
                matches!(error.class(), Class::Io | Class::Stopped),
                "{error}"
            );
        }
        assert_eq!(metadata.stopped().await.class(), Class::Io);
        assert_eq!(tables(&metadata), ["durable"], "what failed is not seen");
        let later = metadata
            .propose(&create("later"))
            .await
            .expect_err("stopped for good");
        assert_eq!(later.class(), Class::Stopped);
    });
    // Syncs 0 and 1 make the first file whole.
    world.add_fault(at_request(
        "n1/1/metadata/sync/2",
        FaultKind::FailSync { machine: MACHINE },
    ));
    run(&world);
    assert_eq!(world.marks().count("metadata.write-failed"), 1);
}

#[test]
fn a_full_disk_is_told_as_such() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let metadata = open(&host).await.expect("healthy");
        let error = metadata
            .propose(&create("t"))
            .await
            .expect_err("the fault strikes");
        assert_eq!(error.class(), Class::DiskFull);
    });
    world.add_fault(at_request(
        "n1/1/metadata/write/0",
        FaultKind::NoSpace { machine: MACHINE },
    ));
    run(&world);
}

#[test]
fn a_closed_log_answers_what_waits_and_takes_no_more() {
    alone(|host| async move {
        let metadata = open(&host).await.expect("healthy");
        let proposer = metadata.clone();
        let proposed = host.spawn(
            "proposer",
            async move { proposer.propose(&create("t")).await },
        );
        cenotaph_sim::sync::yield_now().await;
        metadata.close().await.expect("healthy");
        let answer = proposed.await.expect("it ends");
        assert!(matches!(answer, Ok(Epoch(1)) | Err(MetadataError::Closed)));
        assert_eq!(
            metadata.propose(&create("u")).await,
            Err(MetadataError::Closed)
        );
    });
}

#[test]
fn a_full_file_is_followed_by_the_next() {
    alone(|host| async move {
        let options = MetadataOptions { file_size: 200 };
        let metadata = Metadata::open(&host, options, Rc::default())
            .await
            .expect("healthy");
        for n in 0..10 {
            metadata
                .propose(&create(&format!("t{n}")))
                .await
                .expect("healthy");
        }
        assert_eq!(files(&host).await, ["1.log", "2.log", "3.log", "4.log"]);
        let again = open(&host).await.expect("healthy");
        assert_eq!(again.current(), metadata.current());
    });
}

#[test]
fn the_bytes_of_the_log_are_frozen() {
    alone(|host| async move {
        let metadata = open(&host).await.expect("healthy");
        metadata.propose(&create("t")).await.expect("healthy");
        let drop = Change::DropTable {
            table: TableName::new("ks", "t"),
        };
        metadata.propose(&drop).await.expect("healthy");
        let bytes = load(&host.disk(), "metadata/1.log")
            .await
            .expect("readable");
        let mut text = String::new();
        for (row, line) in bytes.chunks(8).enumerate() {
            let hex: Vec<_> = line.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(text, "{:>4}  {}", 8 * row, hex.join(" ")).expect("a string takes all");
        }
        let proves = "Version 1 of the metadata log: a table is created and dropped.";
        golden!("engine/metadata", "bytes", proves, text);
    });
}
