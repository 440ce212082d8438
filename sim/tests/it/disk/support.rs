//! Vocabulary of the disk's tests: a disk in a known state, all it may look like after a crash.

use std::collections::BTreeSet;
use std::fmt::Write;

use cenotaph_sim::disk::{
    Access, Chance, CrashKind, Disk, DiskOptions, Handle, KeyedChance, Mount, Profile,
    RegisterName, SECTOR_SIZE, Tear,
};
use cenotaph_sim::entropy::{StreamKey, mix64};

pub(crate) const PAGE: usize = 4096;
pub(crate) const PROFILES: [Profile; 2] = [Profile::Strict, Profile::PosixAdversarial];

pub(crate) fn disk_with(profile: Profile, tear: Tear) -> Disk {
    let capacity_bytes = 16 << 20;
    Disk::new(DiskOptions {
        profile,
        tear,
        capacity_bytes,
    })
}

pub(crate) fn disk(profile: Profile) -> Disk {
    disk_with(profile, Tear::Sector512)
}

pub(crate) fn adversarial() -> Disk {
    disk(Profile::PosixAdversarial)
}

pub(crate) fn chance(seed: u64) -> KeyedChance {
    KeyedChance {
        key: StreamKey(mix64(0x7465_7374, seed)),
    }
}

/// Chooses the oldest version of everything.
pub(crate) struct Oldest;

impl Chance for Oldest {
    fn below(&mut self, _: RegisterName, _: u64) -> u64 {
        0
    }
}

/// Opens a file, made when missing.
pub(crate) fn open(disk: &mut Disk, path: &str) -> Handle {
    disk.open(path, Access::Create).unwrap()
}

pub(crate) fn write(disk: &mut Disk, handle: Handle, offset: u64, bytes: &[u8]) {
    assert_eq!(disk.write_at(handle, offset, bytes), Ok(bytes.len()));
}

/// Writes `size` times `letter` at `offset`; the handle stays open.
pub(crate) fn put(disk: &mut Disk, path: &str, letter: u8, offset: u64, size: usize) -> Handle {
    let handle = open(disk, path);
    write(disk, handle, offset, &vec![letter; size]);
    handle
}

/// A file with its bytes and its name durable.
pub(crate) fn settled(disk: &mut Disk, path: &str, letter: u8, size: usize) -> Handle {
    let handle = put(disk, path, letter, 0, size);
    disk.sync_all(handle).unwrap();
    disk.sync_dir(path.rsplit_once('/').map_or("", |(dir, _)| dir))
        .unwrap();
    handle
}

/// A directory with its name durable.
pub(crate) fn settled_dir(disk: &mut Disk, path: &str) {
    disk.create_dir(path).unwrap();
    disk.sync_dir("").unwrap();
}

pub(crate) fn contents(disk: &mut Disk, path: &str) -> Vec<u8> {
    let handle = disk.open(path, Access::Read).unwrap();
    let size = usize::try_from(disk.size(handle).unwrap()).unwrap();
    let bytes = disk.read_at(handle, 0, size).unwrap();
    disk.close(handle);
    assert_eq!(
        bytes.len(),
        size,
        "a read stops only at the end of the file"
    );
    bytes.to_vec()
}

/// The byte that stands for one that cannot be read.
const UNREADABLE: u8 = 1;

/// As [`contents`], with a mark for each byte of a sector that cannot be read.
fn readable_contents(disk: &mut Disk, path: &str) -> Vec<u8> {
    let handle = disk.open(path, Access::Read).unwrap();
    let size = usize::try_from(disk.size(handle).unwrap()).unwrap();
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let take = SECTOR_SIZE.min(size - bytes.len());
        match disk.read_at(handle, bytes.len() as u64, take) {
            Ok(sector) => bytes.extend_from_slice(&sector),
            Err(_) => bytes.resize(bytes.len() + take, UNREADABLE),
        }
    }
    disk.close(handle);
    bytes
}

/// Runs of equal bytes: a letter or `0` and how often; `?` for bytes of the disk's former life or
/// garbage, `!` for bytes that cannot be read.
pub(crate) fn sketch(bytes: &[u8]) -> String {
    let mut text = String::new();
    let symbol = |byte: u8| match byte {
        0 => '0',
        UNREADABLE => '!',
        0x80.. => '?',
        _ => char::from(byte),
    };
    let runs = bytes.chunk_by(|&one, &other| symbol(one) == symbol(other));
    for (index, run) in runs.enumerate() {
        let space = if index == 0 { "" } else { " " };
        write!(text, "{space}{}x{}", symbol(run[0]), run.len()).unwrap();
    }
    if text.is_empty() {
        "empty".to_owned()
    } else {
        text
    }
}

/// Every name below the root with what it leads to, one after the other.
pub(crate) fn tree(disk: &mut Disk) -> String {
    if disk.mount() == Mount::Gone {
        return "gone".to_owned();
    }
    let mut lines = Vec::new();
    let mut ahead = vec![String::new()];
    while let Some(dir) = ahead.pop() {
        for name in disk.list(&dir).unwrap() {
            let path = if dir.is_empty() {
                name
            } else {
                format!("{dir}/{name}")
            };
            let Ok(stat) = disk.stat(&path) else {
                lines.push(format!("{path}=unclean"));
                continue;
            };
            if stat.is_dir {
                lines.push(format!("{path}/"));
                ahead.push(path);
            } else {
                let bytes = readable_contents(disk, &path);
                lines.push(format!("{path}={}", sketch(&bytes)));
            }
        }
    }
    lines.sort();
    if lines.is_empty() {
        "nothing".to_owned()
    } else {
        lines.join("; ")
    }
}

/// What the disk looks like after a power cut, over this many seeds.
pub(crate) fn outcomes(disk: &Disk, seeds: u64) -> BTreeSet<String> {
    (0..seeds)
        .map(|seed| tree(&mut crashed(disk, seed)))
        .collect()
}

/// A fork of the disk after a power cut.
pub(crate) fn crashed(disk: &Disk, seed: u64) -> Disk {
    let mut fork = disk.clone();
    fork.crash(CrashKind::PowerCut, &mut chance(seed));
    fork.check();
    fork
}

pub(crate) fn set<const N: usize>(states: [&str; N]) -> BTreeSet<String> {
    states.into_iter().map(str::to_owned).collect()
}

/// Asserts that a power cut leaves exactly these states under each profile, each reached.
pub(crate) fn expect_states<const S: usize, const A: usize>(
    build: impl Fn(&mut Disk),
    strict: [&str; S],
    adversarial: [&str; A],
) {
    for (profile, states) in PROFILES.into_iter().zip([set(strict), set(adversarial)]) {
        let mut disk = disk(profile);
        build(&mut disk);
        disk.check();
        assert_eq!(outcomes(&disk, 400), states, "{profile:?}");
    }
}
