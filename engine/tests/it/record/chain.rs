//! Invariants of chains: the newest whole file decides what came before it.

use bytes::Bytes;
use cenotaph_engine::error::Classify;
use cenotaph_engine::record::{
    Chain, FileKind, FileName, Listed, Previous, RecordError, Writer, chain, ensure_dir, list,
    read_file,
};
use cenotaph_sim::host::{Disk, OpenMode};

use crate::support::alone;

const fn name(id: u64) -> FileName {
    FileName {
        kind: FileKind::Metadata,
        id,
    }
}

/// A file with `count` records; gives its end.
async fn write(disk: &Disk, id: u64, previous: Option<Previous>, count: u8) -> u64 {
    let writer = Writer::new(name(id), previous);
    for n in 0..count {
        writer.append(&[&[n]]).expect("small");
    }
    writer.create_whole(disk).await.expect("healthy");
    writer.synced()
}

async fn junk(disk: &Disk, path: &str, bytes: &'static [u8]) {
    let file = disk
        .open(path, OpenMode::CreateNew)
        .await
        .expect("a new file");
    file.write_at(0, Bytes::from_static(bytes))
        .await
        .expect("space");
}

fn ids(chain: &Chain) -> Vec<u64> {
    chain.files.iter().map(|file| file.name.id).collect()
}

async fn records(disk: &Disk, file: &Listed) -> usize {
    read_file(disk, file).await.expect("whole").records.len()
}

#[test]
fn each_file_counts_up_to_where_the_next_says_and_others_are_superseded() {
    alone(|host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "metadata").await.expect("healthy");
        assert_eq!(
            chain(&disk, FileKind::Metadata)
                .await
                .expect("empty")
                .id_max,
            0
        );
        let end = write(&disk, 1, None, 3).await;
        write(&disk, 9, Some(Previous { id: 1, end }), 5).await;
        write(
            &disk,
            10,
            Some(Previous {
                id: 1,
                end: end - 24,
            }),
            5,
        )
        .await;
        junk(&disk, "metadata/11.log", b"torn").await;
        junk(&disk, "metadata/012.log", b"not a name of ours").await;
        junk(&disk, "metadata/notes.txt", b"nor this").await;

        let chain = chain(&disk, FileKind::Metadata).await.expect("whole");
        assert_eq!(ids(&chain), [1, 10]);
        assert_eq!(chain.superseded, [name(9), name(11)]);
        assert_eq!(chain.id_max, 11);
        assert_eq!(records(&disk, &chain.files[0]).await, 2);
        assert_eq!(records(&disk, &chain.files[1]).await, 5);
        assert_eq!(
            list(&disk, FileKind::Metadata)
                .await
                .expect("readable")
                .len(),
            4
        );
    });
}

#[test]
fn a_file_that_another_continues_must_be_there() {
    alone(|host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "metadata").await.expect("healthy");
        write(&disk, 2, Some(Previous { id: 1, end: 48 }), 1).await;
        let error = chain(&disk, FileKind::Metadata)
            .await
            .expect_err("file 1 is missing");
        assert_eq!(
            error.to_string(),
            "metadata/1.log is missing: metadata/2.log continues it"
        );
    });
}

#[test]
fn a_newest_file_with_a_damaged_header_is_corrupt_when_its_records_tell_of_a_sync() {
    alone(|host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "metadata").await.expect("healthy");
        write(&disk, 1, None, 1).await;
        let writer = Writer::new(name(2), None);
        writer.create(&disk).await.expect("healthy");
        writer
            .append(&[b"says that the header was synced"])
            .expect("small");
        writer.write().await.expect("healthy");
        let file = disk
            .open("metadata/2.log", OpenMode::Write)
            .await
            .expect("it is there");
        file.write_at(3, Bytes::from_static(b"?"))
            .await
            .expect("space");
        let error = chain(&disk, FileKind::Metadata)
            .await
            .expect_err("not to be passed over");
        assert!(matches!(
            error,
            RecordError::Corrupt {
                offset: 0,
                synced_upto: 48,
                ..
            }
        ));
    });
}

#[test]
fn a_chain_gives_the_bytes_that_it_was_found_by() {
    alone(|host| async move {
        let disk = host.disk();
        ensure_dir(&disk, "metadata").await.expect("healthy");
        write(&disk, 1, None, 3).await;
        let chain = chain(&disk, FileKind::Metadata).await.expect("whole");
        // As when a header that a failed sync left in the page cache leaves that too.
        let file = disk.open("metadata/1.log", OpenMode::Write).await;
        let zeros = Bytes::from_static(&[0; 48]);
        let written = file.expect("it is there").write_at(0, zeros).await;
        written.expect("space");
        assert_eq!(records(&disk, &chain.files[0]).await, 3);
    });
}

#[test]
fn a_file_with_an_id_beyond_all_that_are_given_out_is_refused() {
    for kind in [FileKind::CommitLog, FileKind::Metadata, FileKind::Manifest] {
        alone(move |host| async move {
            let disk = host.disk();
            ensure_dir(&disk, kind.dir()).await.expect("healthy");
            let id = u64::MAX;
            let path = FileName { kind, id }.to_string();
            disk.open(&path, OpenMode::CreateNew).await.expect("new");
            let error = list(&disk, kind).await.expect_err("counting on overflows");
            assert!(error.is_corruption() && error.to_string().starts_with(&path));
        });
    }
}
