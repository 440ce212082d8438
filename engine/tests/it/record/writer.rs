//! Invariants of the writer: what it acknowledges is there, and a failure ends it.

use std::cell::Cell;
use std::rc::Rc;

use cenotaph_engine::error::{Class, Classify};
use cenotaph_engine::record::{
    Contents, FileKind, FileName, Previous, RecordError, Writer, chain, ensure_dir, load, read_all,
    read_file,
};
use cenotaph_sim::disk::Profile;
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Disk;

use super::NAME;
use crate::support::{MACHINE, alone, at_request, machine_with, power_cut_at_each, run};

async fn read(disk: &Disk, name: FileName) -> Contents {
    let bytes = load(disk, &name.to_string()).await.expect("readable");
    read_all(name, &bytes, None).expect("not corrupt")
}

#[test]
fn records_come_back_with_what_was_synced_before_each() {
    alone(|host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "commitlog").await.expect("healthy");
        let writer = Writer::new(NAME, Some(Previous { id: 3, end: 48 }));
        writer.append(&[b"before", b" the file"]).expect("small");
        writer.create(&disk).await.expect("healthy");
        assert_eq!((writer.written(), writer.synced()), (48, 48));
        let one = writer.append(&[b"one"]).expect("small");
        assert_eq!(writer.write().await, Ok(one));
        assert_eq!(writer.sync().await, Ok(one));
        let two = writer.append(&[b"two"]).expect("small");
        assert_eq!(
            (writer.appended(), writer.written(), writer.synced()),
            (two, one, one)
        );
        assert_eq!(writer.write().await, Ok(two));
        let contents = read(&disk, NAME).await;
        let payloads: Vec<_> = contents
            .records
            .iter()
            .map(|record| &record.payload[..])
            .collect();
        assert_eq!(payloads, [&b"before the file"[..], b"one", b"two"]);
        assert_eq!(contents.synced_upto, one);
    });
}

#[test]
fn a_failed_sync_ends_the_writer() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "commitlog").await.expect("healthy");
        let writer = Writer::new(NAME, None);
        writer.create(&disk).await.expect("healthy");
        writer.append(&[b"one"]).expect("small");
        writer.write().await.expect("healthy");
        let error = writer.sync().await.expect_err("the fault strikes");
        assert!(matches!(&error, RecordError::Io(cause) if cause.operation == "sync"));
        assert_eq!(writer.synced(), 48);
        for refused in [
            writer.append(&[b"two"]),
            writer.write().await,
            writer.sync().await,
        ] {
            let error = refused.expect_err("nothing is known of the file");
            assert!(matches!(error, RecordError::Poisoned { .. }));
            assert_eq!(error.class(), Class::Stopped);
        }
    });
    world.add_fault(at_request(
        "n1/1/commitlog/sync/1",
        FaultKind::FailSync { machine: MACHINE },
    ));
    run(&world);
}

#[test]
fn a_full_disk_is_told_with_the_file() {
    let world = machine_with(1, Profile::Strict, |host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "commitlog").await.expect("healthy");
        let writer = Writer::new(NAME, None);
        writer.create(&disk).await.expect("healthy");
        writer.append(&[b"one"]).expect("small");
        let error = writer.write().await.expect_err("the fault strikes");
        assert_eq!(error.class(), Class::DiskFull);
        assert!(
            error.to_string().starts_with("write commitlog/7.log: "),
            "{error}"
        );
        assert!(matches!(
            writer.sync().await,
            Err(RecordError::Poisoned { .. })
        ));
    });
    world.add_fault(at_request(
        "n1/1/commitlog/write/1",
        FaultKind::NoSpace { machine: MACHINE },
    ));
    run(&world);
}

#[test]
fn a_file_is_never_written_over() {
    alone(|host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "commitlog").await.expect("healthy");
        Writer::new(NAME, None)
            .create(&disk)
            .await
            .expect("healthy");
        let again = Writer::new(NAME, None).create(&disk).await;
        assert!(matches!(again, Err(RecordError::Io(cause)) if cause.operation == "create"));
    });
}

#[test]
fn a_record_too_large_is_refused_and_harms_nothing() {
    let writer = Writer::new(NAME, None);
    let large = vec![0; 17 << 20];
    let error = writer
        .append(&[&large, b"!"])
        .expect_err("above the maximum");
    assert!(matches!(error, RecordError::TooLarge { .. }));
    assert_eq!(error.class(), Class::Refused);
    assert_eq!(writer.append(&[b"small"]), Ok(72));
}

#[test]
fn a_file_made_whole_is_there_whole_or_not_at_all() {
    let outcomes = Rc::new(Cell::new((0, 0)));
    let make = |key| {
        let outcomes = Rc::clone(&outcomes);
        machine_with(key, Profile::PosixAdversarial, move |host| {
            let outcomes = Rc::clone(&outcomes);
            async move {
                let disk = host.disk();
                ensure_dir(&disk, "manifest").await.expect("healthy");
                if host.incarnation() == 1 {
                    let writer = Writer::new(
                        FileName {
                            kind: FileKind::Manifest,
                            id: 1,
                        },
                        None,
                    );
                    for n in 0..100_u8 {
                        writer.append(&[&[n; 20]]).expect("small");
                    }
                    writer.create_whole(&disk).await.expect("healthy");
                    assert_eq!(writer.synced(), writer.written());
                    return;
                }
                let chain = chain(&disk, FileKind::Manifest).await.expect("not corrupt");
                let (absent, whole) = outcomes.get();
                match &chain.files[..] {
                    [] => outcomes.set((absent + 1, whole)),
                    [file] => {
                        let contents = read_file(&disk, file).await.expect("not corrupt");
                        assert_eq!(contents.records.len(), 100);
                        outcomes.set((absent, whole + 1));
                    }
                    _ => panic!("one file was made"),
                }
            }
        })
    };
    let kinds = ["open", "write", "sync", "sync-dir"];
    power_cut_at_each("manifest", &kinds, 0..600, make, |_, _| ());
    let (absent, whole) = outcomes.get();
    assert!(
        absent > 10 && whole > 0,
        "both ends are reached: {absent}, {whole}"
    );
}
