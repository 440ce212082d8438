//! Invariants of the real disk: what was written is there, nothing outside the root is reached, and a
//! call goes on though nobody waits for it.

use std::io::ErrorKind;
use std::pin::pin;
use std::sync::mpsc;
use std::task::{Context, Waker};

use bytes::Bytes;
use cenotaph_sim::host::{File, OpenMode};

use super::support::{run, run_at};

/// Reads all of a file, in as many reads as it takes.
async fn content(file: &File) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let read = file
            .read_at(all.len() as u64, 1 << 30)
            .await
            .expect("a read");
        if read.is_empty() {
            return all;
        }
        all.extend_from_slice(&read);
    }
}

#[test]
fn every_call_does_what_it_says() {
    run(|host| async move {
        let disk = host.disk();
        disk.create_dir("data").await.expect("a directory");
        let file = disk
            .open("data/new", OpenMode::CreateNew)
            .await
            .expect("a file");
        let count = file.write_at(3, Bytes::from_static(b"body")).await;
        assert_eq!(count.expect("a write"), 4);
        assert_eq!(content(&file).await, b"\0\0\0body");
        file.sync_data().await.expect("a sync");
        file.truncate(5).await.expect("a cut");
        file.preallocate(4, 4).await.expect("a reservation");
        assert_eq!(content(&file).await, b"\0\0\0bo\0\0\0");
        file.sync_all().await.expect("a sync");
        disk.rename("data/new", "data/old").await.expect("a rename");
        disk.link("data/old", "data/other").await.expect("a link");
        disk.sync_dir("data").await.expect("a sync");
        disk.sync_dir("").await.expect("a sync of the root");
        assert_eq!(disk.list("data").await.expect("a list"), ["old", "other"]);
        disk.remove("data/old").await.expect("a removal");
        let other = disk
            .open("data/other", OpenMode::Read)
            .await
            .expect("a file");
        assert_eq!(other.len().await.expect("a length"), 8);
        disk.remove("data/other").await.expect("a removal");
        assert_eq!(content(&other).await, b"\0\0\0bo\0\0\0");
        disk.remove_dir("data").await.expect("a removal");
        assert_eq!(disk.list("").await.expect("a list"), [""; 0]);
    });
}

#[test]
fn a_large_file_is_read_in_pieces() {
    run(|host| async move {
        let file = host
            .disk()
            .open("large", OpenMode::Create)
            .await
            .expect("a file");
        let body = Bytes::from(
            (0..9_u32 << 20)
                .map(|at| (at / 4096) as u8)
                .collect::<Vec<u8>>(),
        );
        let mut at = 0;
        while at < body.len() {
            at += file
                .write_at(at as u64, body.slice(at..))
                .await
                .expect("a write");
        }
        assert_eq!(content(&file).await, body);
    });
}

#[test]
fn paths_lead_nowhere_but_below_the_root() {
    run(|host| async move {
        let disk = host.disk();
        for path in [
            "..", "a/..", "../a", "/etc", "/", "a//b", "a/", "./a", "a\0b", ".boots",
        ] {
            let refused = ErrorKind::InvalidInput;
            let told = [
                disk.open(path, OpenMode::Create)
                    .await
                    .expect_err(path)
                    .kind(),
                disk.lock(path).await.expect_err(path).kind(),
                disk.list(path).await.expect_err(path).kind(),
                disk.create_dir(path).await.expect_err(path).kind(),
                disk.remove(path).await.expect_err(path).kind(),
                disk.rename(path, "b").await.expect_err(path).kind(),
                disk.sync_dir(path).await.expect_err(path).kind(),
            ];
            assert_eq!(told, [refused; 7], "{path}");
        }
        for answer in [
            disk.remove_dir("").await,
            disk.remove("").await,
            disk.rename("", "b").await,
        ] {
            assert_eq!(
                answer.expect_err("the root").kind(),
                ErrorKind::InvalidInput
            );
        }
        let root = disk.open("", OpenMode::Read).await.expect_err("the root");
        assert_eq!(root.kind(), ErrorKind::IsADirectory);
    });
}

#[test]
fn an_error_names_its_path() {
    run(|host| async move {
        let error = host.disk().open("data/1-2.sst", OpenMode::Read).await;
        let error = error.expect_err("no such file");
        assert_eq!(error.to_string(), "data/1-2.sst: not found");
    });
}

#[test]
fn a_call_whose_future_is_dropped_is_carried_out() {
    run(|host| async move {
        let file = host
            .disk()
            .open("f", OpenMode::Create)
            .await
            .expect("a file");
        {
            let mut writing = pin!(file.write_at(0, Bytes::from_static(b"stays")));
            let mut context = Context::from_waker(Waker::noop());
            // Begun by the first poll, and done by then or later: a thread of its own carries it out.
            let _done_or_not = writing.as_mut().poll(&mut context);
        }
        while content(&file).await != b"stays" {
            host.clock()
                .sleep(std::time::Duration::from_millis(1))
                .await;
        }
    });
}

#[test]
fn a_lock_keeps_others_out_until_it_is_dropped() {
    run(|host| async move {
        let disk = host.disk();
        let lock = disk.lock("lock").await.expect("a free lock");
        let error = disk.lock("lock").await.expect_err("it is held");
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        assert_eq!(error.to_string(), "lock: locked by another");
        drop(lock);
        let _again = disk.lock("lock").await.expect("a free lock");
    });
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "another machine is another thread"
)]
fn a_lock_keeps_another_machine_out_until_its_run_ends() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let path = root.path().to_owned();
    let (locked, is_locked) = mpsc::channel();
    let (release, is_released) = mpsc::channel::<()>();
    let holder = std::thread::spawn(move || {
        run_at(&path, move |host| async move {
            let _lock = host.disk().lock("lock").await.expect("a free lock");
            locked.send(()).expect("the test listens");
            is_released.recv().expect("the test goes on");
        })
    });
    is_locked.recv().expect("the holder has it");
    let other = run_at(root.path(), |host| async move {
        let error = host.disk().lock("lock").await.expect_err("it is held");
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
    });
    other.expect("the other run ends well");
    release.send(()).expect("the holder listens");
    holder
        .join()
        .expect("the thread ends")
        .expect("the run ends well");
    let after = run_at(root.path(), |host| async move {
        let _lock = host.disk().lock("lock").await.expect("a free lock");
    });
    after.expect("the run ends well");
}
