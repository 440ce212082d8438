//! Invariants of an image's hash: one share a register, joined by exclusive or, so that a changed register changes it by two shares.
//!
//! Zeros have no share, so that a hole and a page of zeros are the same. Pages remember the digests of
//! their sectors, inodes the shares of all they hold, until they change.

use super::hash::Memory;
use super::inode::{Ino, Inode, Node};
use super::mount::Mount;
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::volume::Disk;
use crate::entropy::{hash_bytes, mix64};

/// Sectors of a page.
pub(super) const PAGE_SECTORS: usize = PAGE_SIZE / SECTOR_SIZE;

const ENTRY: u64 = 1;
const SIZE: u64 = 2;
const UNREADABLE: u64 = 3;
const UNCLEAN: u64 = 4;
const GONE: u64 = 5;

const ZEROS: [u8; SECTOR_SIZE] = [0; SECTOR_SIZE];

impl Disk {
    /// A hash of what the disk shows: names, sizes, bytes, and sectors that cannot be read, whether
    /// durable or not. Equal for equal images, however they came about. What a crash left open is
    /// determined for it, on a fork.
    #[must_use]
    pub fn image_hash(&self) -> u128 {
        if self.undetermined.is_some() {
            let mut determined = self.clone();
            determined.determine_all();
            return determined.image_hash();
        }
        self.image_hash_but(|_| false)
    }

    /// Whether what is remembered of the image's hash is true.
    pub(super) fn remembers_image_hash(&self) -> bool {
        let mut inodes = self.inodes.iter();
        inodes.all(|(&ino, inode)| inode.shares(ino) == inode.compute_shares(ino, Memory::Ignored))
    }

    /// As [`Disk::image_hash`], without what these files hold.
    pub(super) fn image_hash_but(&self, left_out: impl Fn(Ino) -> bool) -> u128 {
        if self.mount() == Mount::Gone {
            return gone_share();
        }
        let inodes = self.inodes.iter().filter(|(ino, _)| !left_out(**ino));
        inodes.fold(0, |hash, (&ino, inode)| hash ^ inode.shares(ino))
    }
}

impl Inode {
    /// The shares of all that the inode holds.
    pub(super) fn shares(&self, ino: Ino) -> u128 {
        let shares = || self.compute_shares(ino, Memory::Believed);
        *self.shares.get_or_init(shares)
    }

    fn compute_shares(&self, ino: Ino, memory: Memory) -> u128 {
        match &self.node {
            Node::Directory(directory) => {
                directory.cached.iter().fold(0, |hash, (name, target)| {
                    hash ^ entry_share(ino, name, *target)
                })
            }
            Node::File(content) if content.is_unclean => unclean_share(ino.0),
            Node::File(content) => {
                let pages = content.table.iter();
                pages.fold(size_share(ino.0, content.size), |hash, (page, slot)| {
                    let digests = slot.cached().map(|page| match memory {
                        Memory::Believed => *page.sectors(),
                        Memory::Ignored => page.recomputed_sectors(),
                    });
                    hash ^ page_share(ino.0, page, digests.as_ref(), slot.bad)
                })
            }
        }
    }
}

/// The hash of a disk that cannot be mounted.
pub(super) fn gone_share() -> u128 {
    share(GONE, [0; 3])
}

/// The share of a name in a directory.
pub(super) fn entry_share(dir: Ino, name: &str, target: Ino) -> u128 {
    let name = hash_bytes(ENTRY, name.as_bytes());
    share(ENTRY, [dir.0, name, target.0])
}

/// The share of a file's size.
pub(super) fn size_share(inode: u64, size: u64) -> u128 {
    share(SIZE, [inode, size, 0])
}

/// The share of a file whose inode was never written.
pub(super) fn unclean_share(inode: u64) -> u128 {
    share(UNCLEAN, [inode, 0, 0])
}

/// The share of a whole page.
pub(super) fn page_share(
    inode: u64,
    page: u64,
    digests: Option<&[u128; PAGE_SECTORS]>,
    bad: u8,
) -> u128 {
    if digests.is_none() && bad == 0 {
        return 0;
    }
    let first = page * PAGE_SECTORS as u64;
    (0..PAGE_SECTORS).fold(0, |hash, index| {
        let digest = digests.map_or(0, |digests| digests[index]);
        let is_bad = bad & (1 << index) != 0;
        hash ^ sector_share(inode, first + index as u64, digest, is_bad)
    })
}

/// The share of a sector with these bytes' digest.
pub(super) fn sector_share(inode: u64, sector: u64, digest: u128, is_bad: bool) -> u128 {
    if is_bad {
        return share(UNREADABLE, [inode, sector, 0]);
    }
    if digest == 0 {
        return 0;
    }
    let lane = |lane: u64| mix64(mix64(lane, inode), sector);
    (u128::from(lane((digest >> 64) as u64)) << 64) | u128::from(lane(digest as u64))
}

/// The digest of a sector's bytes; zero for zeros. Fewer bytes than a sector end in zeros.
pub(super) fn sector_digest(bytes: &[u8]) -> u128 {
    if *bytes == ZEROS[..bytes.len()] {
        return 0;
    }
    let mut whole = ZEROS;
    let bytes = if bytes.len() < SECTOR_SIZE {
        whole[..bytes.len()].copy_from_slice(bytes);
        &whole
    } else {
        bytes
    };
    let high = hash_bytes(0x7365_6374_6f72_6869, bytes);
    let low = hash_bytes(0x7365_6374_6f72_6c6f, bytes);
    (u128::from(high) << 64) | u128::from(low)
}

fn share(kind: u64, words: [u64; 3]) -> u128 {
    let lane = |seed: u64| {
        words
            .iter()
            .fold(mix64(seed, kind), |hash, &word| mix64(hash, word))
    };
    (u128::from(lane(0x696d_6167_6520_6869)) << 64) | u128::from(lane(0x696d_6167_6520_6c6f))
}
