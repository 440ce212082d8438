//! Invariants under test: a flipped bit in any file is an error that names the file, or changes nothing.

use cenotaph_engine::message::{Answer, FailureCode, Request};
use cenotaph_sim::disk::{Access, CrashKind, Disk};

use super::client::{Client, Outcome, select};
use super::cluster::{CONFIG, Cluster, boot_error, flip};

/// A node's disk with something in every kind of file, after a kill.
fn furnished() -> Disk {
    let (cluster, answer) = Cluster::new(95, CONFIG, |mut client| async move {
        client.create("t").await;
        client.create("u").await;
        for c in 0..6 {
            client.write("t", (1, c), c).await;
        }
        client.flush("t").await;
        for c in 0..20 {
            client.write("u", (1, c), c).await;
        }
    });
    cluster.run();
    assert!(answer.borrow().is_some());
    cluster.stop_node(CrashKind::ProcessKill);
    cluster.with_disk(|disk| disk.clone())
}

fn files(disk: &Disk, dir: &str) -> Vec<(String, u64)> {
    let names = disk.list(dir).expect("the directory is there");
    let sized = names.into_iter().map(|name| {
        let path = format!("{dir}/{name}");
        let size = disk.stat(&path).expect("the file is there").size;
        (path, size)
    });
    sized.collect()
}

#[test]
fn an_undamaged_disk_starts() {
    assert_eq!(boot_error(&furnished()), None);
}

#[test]
fn a_flipped_bit_in_a_log_is_refused_with_the_files_name() {
    let disk = furnished();
    for dir in ["metadata", "manifest", "commitlog"] {
        let (path, size) = files(&disk, dir).swap_remove(0);
        // The header, the first record's header, its payload: all below what is known to be synced.
        for offset in [0, 20, 48, 60, 66] {
            assert!(offset < size, "{path} has {size} bytes");
            let mut damaged = disk.clone();
            flip(&mut damaged, &path, offset, 2);
            let error =
                boot_error(&damaged).unwrap_or_else(|| panic!("{path}: {offset} is missed"));
            assert!(error.starts_with(&path), "{path} at {offset}: {error}");
            assert!(error.contains("corrupt"), "{path} at {offset}: {error}");
        }
    }
}

#[test]
fn a_missing_file_is_refused_with_its_name() {
    let disk = furnished();
    let (sstable, _) = files(&disk, "data").swap_remove(0);
    let mut damaged = disk.clone();
    damaged.remove(&sstable).expect("it is there");
    let error = boot_error(&damaged).expect("it is missed");
    assert_eq!(
        error,
        format!("the manifest names {sstable}, which does not exist")
    );
    let (manifest, _) = files(&disk, "manifest").swap_remove(0);
    let mut damaged = disk;
    damaged.remove(&manifest).expect("it is there");
    let error = boot_error(&damaged).expect("it is missed");
    assert!(
        error.starts_with(&format!("no valid manifest beside {sstable}")),
        "{error}"
    );
}

/// What a read of the damaged sstable's table answers.
fn read_with(disk: &Disk) -> Option<Outcome> {
    let (cluster, answer) = Cluster::new(96, CONFIG, |mut client: Client| async move {
        client.sleep(std::time::Duration::from_millis(200)).await;
        client.ask(Request::Read(select("t", 1))).await
    });
    cluster.with_disk(|own| *own = disk.clone());
    cluster.run();
    answer.take()
}

#[test]
fn a_flipped_bit_in_an_sstable_fails_the_start_or_the_read_with_the_files_name() {
    let disk = furnished();
    let whole = read_with(&disk).expect("an answer");
    let (path, size) = files(&disk, "data").swap_remove(0);
    let (mut reads_failed, mut starts_failed) = (0, 0);
    for offset in (0..size).step_by(7) {
        let mut damaged = disk.clone();
        flip(&mut damaged, &path, offset, 5);
        match boot_error(&damaged) {
            Some(error) => {
                assert!(error.starts_with(&path), "{offset}: {error}");
                starts_failed += 1;
            }
            None => match read_with(&damaged).expect("an answer") {
                Outcome::Answered(Answer::Failed { code, message }) => {
                    assert_eq!(code, FailureCode::Corruption);
                    assert!(message.starts_with(&path), "{offset}: {message}");
                    reads_failed += 1;
                }
                answer => assert_eq!(answer, whole, "byte {offset}"),
            },
        }
    }
    assert!(
        reads_failed > 10 && starts_failed > 10,
        "{reads_failed} {starts_failed}"
    );
}

/// Its id would become the log floor: what is written after it, into segments with smaller ids, would be passed
/// over by the next replay.
#[test]
fn a_segment_that_no_incarnation_began_refuses_the_start_and_changes_no_floor() {
    for stray in ["commitlog/999999.log", "commitlog/18446744073709551615.log"] {
        let mut disk = furnished();
        disk.open(stray, Access::CreateNew).expect("a new file");
        let error = boot_error(&disk).expect("it is not passed over");
        assert!(error.starts_with(stray), "{error}");
        disk.remove(stray).expect("it is there");
        assert_eq!(boot_error(&disk), None);
    }
}

#[test]
fn a_file_of_a_log_with_an_id_that_nothing_can_follow_refuses_the_start() {
    for dir in ["metadata", "manifest"] {
        let mut disk = furnished();
        let stray = format!("{dir}/{}.log", u64::MAX);
        disk.open(&stray, Access::CreateNew).expect("a new file");
        let error = boot_error(&disk).expect("it is not passed over");
        assert!(error.starts_with(&stray), "{error}");
    }
}
