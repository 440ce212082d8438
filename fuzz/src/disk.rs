//! Invariants of the simulated disk: what a crash leaves is allowed, read lazily or decided at once, and nothing else is.
//!
//! An input names a profile, a tear, and operations, crashes among them. One file is synced first and
//! never touched again, so that a changed bit of it is known to be impossible.

use arbitrary::{Result, Unstructured};
use cenotaph_sim::disk::{
    Access, Choices, CrashKind, CrashPoint, Damage, Disk, DiskOptions, Handle, KeyedChance, Mount,
    Profile, Tear,
};
use cenotaph_sim::entropy::StreamKey;

const OPERATIONS_MAX: usize = 24;
const HANDLES_MAX: usize = 6;
const CAPACITY_PAGES: u64 = 24;

const PATHS: [&str; 8] = ["a", "b", "d", "e", "d/a", "d/e", "e/b", "d/e/a"];
const DIRS: [&str; 4] = ["", "d", "e", "d/e"];
const KINDS: [CrashKind; 3] = [
    CrashKind::ProcessKill,
    CrashKind::KernelPanic,
    CrashKind::PowerCut,
];

/// The file that nobody touches.
const KEPT: &str = "kept";

#[derive(Clone, Copy, Debug)]
enum Operation {
    Open(u8, bool),
    Close(u8),
    Write(u8, u16, u16, u8),
    Truncate(u8, u16),
    Preallocate(u8, u16, u16),
    Sync(u8, bool),
    FailSync(u8, Option<u16>),
    SyncDir(u8),
    WriteBack(u64),
    Evict,
    Drain,
    Rename(u8, u8),
    Link(u8, u8),
    Remove(u8),
    CreateDir(u8),
    RemoveDir(u8),
    Crash(u8, u64),
    ReadOnly,
}

impl Operation {
    fn draw(source: &mut Unstructured<'_>) -> Result<Operation> {
        let [kind, first, second, byte]: [u8; 4] = source.arbitrary()?;
        let word: u64 = source.arbitrary()?;
        let (low, high) = (word as u16, (word >> 16) as u16);
        let is_odd = byte % 2 == 1;
        Ok(match kind % 24 {
            0 | 1 => Operation::Open(first, true),
            2 => Operation::Open(first, is_odd),
            3 => Operation::Close(first),
            4..=7 => Operation::Write(first, low, high, byte),
            8 => Operation::Truncate(first, low),
            9 => Operation::Preallocate(first, low, high),
            10 | 11 => Operation::Sync(first, is_odd),
            12 => Operation::FailSync(first, is_odd.then_some(low)),
            13 => Operation::SyncDir(first),
            14 => Operation::WriteBack(word),
            15 => Operation::Evict,
            16 => Operation::Drain,
            17 | 18 => Operation::Rename(first, second),
            19 => Operation::Link(first, second),
            20 => Operation::Remove(first),
            21 => Operation::CreateDir(first),
            22 if is_odd => Operation::RemoveDir(first),
            22 => Operation::ReadOnly,
            _ => Operation::Crash(first, word),
        })
    }
}

/// Does what a fuzzer's bytes say to a disk, crashes it in every way, and holds what is left against
/// what is allowed; says whether the bytes mean anything.
///
/// # Panics
/// When the disk breaks a law.
pub fn disk(input: &[u8]) -> bool {
    drawn(&mut Unstructured::new(input)).is_ok()
}

fn drawn(source: &mut Unstructured<'_>) -> Result<()> {
    let profile = *source.choose(&Profile::NAMED)?;
    let tear = *source.choose(&Tear::ALL)?;
    let seed = source.arbitrary()?;
    let mut session = Session::new(profile, tear);
    for _ in 0..OPERATIONS_MAX {
        if source.is_empty() {
            break;
        }
        session.perform(Operation::draw(source)?);
        session.disk.check();
    }
    for kind in KINDS {
        assert_crash(&session.disk, kind, seed);
    }
    Ok(())
}

struct Session {
    disk: Disk,
    handles: Vec<Handle>,
}

impl Session {
    fn new(profile: Profile, tear: Tear) -> Session {
        let mut disk = Disk::new(DiskOptions {
            profile,
            tear,
            capacity_bytes: CAPACITY_PAGES * 4096,
        });
        let kept = disk
            .open(KEPT, Access::CreateNew)
            .expect("the disk is empty");
        disk.write_at(kept, 0, &[b'K'; 1000])
            .expect("there is space");
        disk.sync_all(kept).expect("no sync fails by itself");
        disk.sync_dir("").expect("the root is there");
        disk.drain_drive();
        disk.close(kept);
        Session {
            disk,
            handles: Vec::new(),
        }
    }

    fn handle(&self, number: u8) -> Option<Handle> {
        let index = usize::from(number).checked_rem(self.handles.len())?;
        Some(self.handles[index])
    }

    /// Refusals are answers as good as any: the disk's own check says whether it is sound.
    fn perform(&mut self, operation: Operation) {
        let path = |number: u8| PATHS[usize::from(number) % PATHS.len()];
        let dir = |number: u8| DIRS[usize::from(number) % DIRS.len()];
        let disk = &mut self.disk;
        match operation {
            Operation::Open(number, creates) => {
                let access = if creates {
                    Access::Create
                } else {
                    Access::Read
                };
                if self.handles.len() < HANDLES_MAX {
                    self.handles.extend(disk.open(path(number), access));
                }
            }
            Operation::SyncDir(number) => drop(disk.sync_dir(dir(number))),
            Operation::WriteBack(seed) => disk.flush_some(&mut chance(seed)),
            Operation::Evict => disk.evict_all(),
            Operation::Drain => disk.drain_drive(),
            Operation::Rename(from, to) => drop(disk.rename(path(from), path(to))),
            Operation::Link(from, to) => drop(disk.link(path(from), path(to))),
            Operation::Remove(number) => drop(disk.remove(path(number))),
            Operation::CreateDir(number) => drop(disk.create_dir(dir(number))),
            Operation::RemoveDir(number) => drop(disk.remove_dir(dir(number))),
            Operation::Crash(kind, seed) => {
                disk.crash(KINDS[usize::from(kind) % 3], &mut chance(seed));
                self.handles.clear();
            }
            Operation::ReadOnly => disk.remount(Mount::ReadOnly),
            Operation::Close(number)
            | Operation::Write(number, ..)
            | Operation::Truncate(number, _)
            | Operation::Preallocate(number, ..)
            | Operation::Sync(number, _)
            | Operation::FailSync(number, _) => {
                if let Some(handle) = self.handle(number) {
                    self.perform_on(handle, operation);
                }
            }
        }
    }

    fn perform_on(&mut self, handle: Handle, operation: Operation) {
        let disk = &mut self.disk;
        match operation {
            Operation::Close(_) => {
                disk.close(handle);
                self.handles.retain(|&open| open != handle);
            }
            Operation::Write(_, offset, size, byte) => {
                let bytes = vec![byte.max(1); usize::from(size % 5000) + 1];
                drop(disk.write_at(handle, u64::from(offset % 9000), &bytes));
            }
            Operation::Truncate(_, size) => drop(disk.truncate(handle, u64::from(size % 9000))),
            Operation::Preallocate(_, offset, size) => {
                let (offset, size) = (u64::from(offset % 9000), u64::from(size % 9000));
                drop(disk.preallocate(handle, offset, size));
            }
            Operation::Sync(_, true) => drop(disk.sync_all(handle)),
            Operation::Sync(_, false) => drop(disk.sync_data(handle)),
            Operation::FailSync(_, None) => drop(disk.fail_sync(handle)),
            Operation::FailSync(_, Some(offset)) => {
                drop(disk.fail_sync_at(handle, u64::from(offset)));
            }
            _ => {}
        }
    }
}

fn chance(seed: u64) -> KeyedChance {
    KeyedChance {
        key: StreamKey(seed),
    }
}

/// Crashes a fork, at once and lazily: both the same, sound, allowed; and not so with a bit changed that
/// no crash can change.
fn assert_crash(disk: &Disk, kind: CrashKind, seed: u64) {
    let point = CrashPoint::new(disk, kind);
    let mut image = disk.clone();
    image.crash(kind, &mut chance(seed));
    image.check();
    assert!(
        point.allows(&image),
        "{kind:?}: a crash leaves what is not allowed"
    );
    let mut lazy = point.lazily(&Choices::keyed(chance(seed)));
    assert_eq!(
        lazy.image_hash(),
        image.image_hash(),
        "{kind:?}: reads choose otherwise than the crash"
    );
    lazy.determine_all();
    lazy.check();
    let damage = Damage::FlipBit {
        offset: seed % 1000,
        bit: 3,
    };
    if image.damage(KEPT, damage).is_ok() {
        assert!(
            image.mount() == Mount::Gone || !point.allows(&image),
            "{kind:?}: a changed bit of a synced file is allowed"
        );
    }
}
