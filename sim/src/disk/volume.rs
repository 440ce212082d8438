//! Vocabulary of the disk: signatures first, bodies follow.
#![expect(missing_docs, clippy::unimplemented, unused_variables, reason = "signatures first")]
use super::*;
use bytes::Bytes;
#[derive(Clone, Debug)]
pub struct Disk;
#[must_use]
pub fn pages_alive() -> usize { unimplemented!() }
impl Disk {
    #[must_use] pub fn new(options: DiskOptions) -> Disk { unimplemented!() }
    #[must_use] pub fn options(&self) -> DiskOptions { unimplemented!() }
    pub fn open(&mut self, path: &str, access: Access) -> DiskResult<Handle> { unimplemented!() }
    pub fn close(&mut self, handle: Handle) { unimplemented!() }
    pub fn read_at(&self, handle: Handle, offset: u64, size: usize) -> DiskResult<Bytes> { unimplemented!() }
    pub fn write_at(&mut self, handle: Handle, offset: u64, bytes: &[u8]) -> DiskResult<usize> { unimplemented!() }
    pub fn size(&self, handle: Handle) -> DiskResult<u64> { unimplemented!() }
    pub fn truncate(&mut self, handle: Handle, size: u64) -> DiskResult<()> { unimplemented!() }
    pub fn preallocate(&mut self, handle: Handle, offset: u64, size: u64) -> DiskResult<()> { unimplemented!() }
    pub fn sync_data(&mut self, handle: Handle) -> DiskResult<()> { unimplemented!() }
    pub fn sync_all(&mut self, handle: Handle) -> DiskResult<()> { unimplemented!() }
    pub fn fail_sync(&mut self, handle: Handle) -> DiskError { unimplemented!() }
    pub fn evict(&mut self, handle: Handle) -> DiskResult<()> { unimplemented!() }
    pub fn evict_all(&mut self) { unimplemented!() }
    pub fn rename(&mut self, from: &str, to: &str) -> DiskResult<()> { unimplemented!() }
    pub fn remove(&mut self, path: &str) -> DiskResult<()> { unimplemented!() }
    pub fn link(&mut self, existing: &str, new: &str) -> DiskResult<()> { unimplemented!() }
    pub fn create_dir(&mut self, path: &str) -> DiskResult<()> { unimplemented!() }
    pub fn remove_dir(&mut self, path: &str) -> DiskResult<()> { unimplemented!() }
    pub fn list(&self, dir: &str) -> DiskResult<Vec<String>> { unimplemented!() }
    pub fn sync_dir(&mut self, dir: &str) -> DiskResult<()> { unimplemented!() }
    pub fn stat(&self, path: &str) -> DiskResult<Stat> { unimplemented!() }
    pub fn lock(&mut self, path: &str) -> DiskResult<LockId> { unimplemented!() }
    pub fn unlock(&mut self, lock: LockId) { unimplemented!() }
    pub fn flush_some(&mut self, chance: &mut dyn Chance) { unimplemented!() }
    pub fn damage(&mut self, path: &str, damage: Damage) -> DiskResult<()> { unimplemented!() }
    pub fn crash(&mut self, kind: CrashKind, chance: &mut dyn Chance) -> CrashReport { unimplemented!() }
    #[must_use] pub fn hash(&self) -> u128 { unimplemented!() }
    pub fn check(&self) { unimplemented!() }
    #[must_use] pub fn used_bytes(&self) -> u64 { unimplemented!() }
}
