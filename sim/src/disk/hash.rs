//! Invariants of the hash: it covers every version of every register, and is the same on every machine.
//!
//! Pages and inodes remember their digests until they change, so that asking again after a small
//! change costs a small part; nothing is hashed that nobody asks for.

use super::content::Content;
use super::directory::{Cause, Directory};
use super::inode::{Ino, Inode, Node};
use super::options::CrashKind;
use super::page::Page;
use super::pending::Change;
use super::volume::Disk;
use crate::entropy::{hash_bytes, mix64};

/// Two independent lanes of 64 bits.
struct Digest {
    high: u64,
    low: u64,
}

impl Digest {
    fn new(kind: u64) -> Digest {
        Digest {
            high: mix64(0x6469_736b_2068_6967, kind),
            low: mix64(0x6469_736b_206c_6f77, kind),
        }
    }

    fn word(&mut self, word: u64) {
        self.high = mix64(self.high, word);
        self.low = mix64(self.low, word);
    }

    fn words<const N: usize>(&mut self, words: [u64; N]) {
        for word in words {
            self.word(word);
        }
    }

    fn wide(&mut self, word: u128) {
        self.high = mix64(self.high, (word >> 64) as u64);
        self.low = mix64(self.low, word as u64);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.high = hash_bytes(self.high, bytes);
        self.low = hash_bytes(self.low, bytes);
    }

    fn finish(&self) -> u128 {
        (u128::from(self.high) << 64) | u128::from(self.low)
    }
}

/// Whether remembered digests are believed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    Believed,
    Ignored,
}

impl Disk {
    /// A hash of everything that the disk and its cache hold: names, lengths, bytes, durable and
    /// not, and the changes between. Handles and locks are not in it.
    #[must_use]
    pub fn hash(&self) -> u128 {
        self.hash_with(Memory::Believed)
    }

    /// As [`Disk::hash`], with all else that decides what a crash of this kind may leave: the order
    /// of changes where it counts, the bytes of freed blocks, what a drive holds back.
    pub(super) fn point_hash(&self, kind: CrashKind) -> u128 {
        let mut digest = Digest::new(kind as u64);
        digest.wide(self.hash());
        for page in self.freed.pages() {
            digest.wide(page.digest());
        }
        if self.constraints().names_may_come_first {
            let contents = self.inodes.values().filter_map(|inode| inode.content());
            contents.for_each(|content| digest.word(u64::from(content.inode_is_durable)));
        }
        digest.word(self.mount as u64);
        if self.constraints().keeps_order() {
            let contents = self.inodes.values().filter_map(|inode| inode.content());
            for entry in contents.flat_map(|content| content.pending.changes()) {
                digest.words(entry.moment.words());
            }
        }
        for before in self.behind.before_syncs() {
            digest.wide(before.point_hash(kind));
        }
        digest.finish()
    }

    pub(super) fn hash_with(&self, memory: Memory) -> u128 {
        // Each inode enters once, under its own number: exclusive or cannot cancel two of them.
        let medium = self.medium().map_or(0, |medium| medium.hash_with(memory));
        self.inodes
            .iter()
            .fold(medium.rotate_left(1), |hash, (&ino, inode)| {
                hash ^ inode.digest(ino, memory)
            })
            ^ self.undetermined_hash(memory)
    }
}

impl Disk {
    /// The part of files that a crash left open: what it may leave of them.
    fn undetermined_hash(&self, memory: Memory) -> u128 {
        let files = self.undetermined.iter().flat_map(|left| left.files.iter());
        files.fold(0, |hash, (ino, space)| {
            let mut digest = Digest::new(!ino.0);
            space.before().absorb(&mut digest, memory);
            hash ^ digest.finish()
        })
    }
}

impl Inode {
    fn digest(&self, ino: Ino, memory: Memory) -> u128 {
        match memory {
            Memory::Believed => *self.digest.get_or_init(|| self.compute(ino, memory)),
            Memory::Ignored => self.compute(ino, memory),
        }
    }

    fn compute(&self, ino: Ino, memory: Memory) -> u128 {
        let mut digest = Digest::new(ino.0);
        match &self.node {
            Node::File(content) => content.absorb(&mut digest, memory),
            Node::Directory(directory) => directory.absorb(&mut digest),
        }
        digest.finish()
    }
}

impl Content {
    fn absorb(&self, digest: &mut Digest, memory: Memory) {
        let unsettled = |settled: u64| {
            let changes = self.pending.changes();
            (changes.len() - changes.partition_point(|entry| entry.sequence < settled)) as u64
        };
        digest.word(1 + 2 * u64::from(self.is_unclean));
        digest.word(self.size);
        digest.word(self.durable_size);
        digest.word(unsettled(self.size_settled));
        let page = |page: Option<&Page>| match (page, memory) {
            (None, _) => 0,
            (Some(page), Memory::Believed) => page.digest(),
            (Some(page), Memory::Ignored) => page.recomputed_digest(),
        };
        for (index, slot) in self.table.iter().filter(|(_, slot)| slot.allocated) {
            digest.word(index);
            digest.wide(page(slot.cached().map(|page| &**page)));
            digest.wide(page(slot.durable.as_deref()));
            let flags = [slot.dirty, slot.lost, slot.reserved, slot.reserved_durable];
            digest.word(
                flags
                    .iter()
                    .fold(0, |word, &flag| word * 2 + u64::from(flag)),
            );
            if slot.bad | slot.bad_durable != 0 {
                digest.words([u64::from(slot.bad), u64::from(slot.bad_durable)]);
            }
            if slot.dirty || slot.lost {
                digest.word(unsettled(slot.settled));
            }
        }
        for entry in self.pending.changes() {
            match &entry.change {
                Change::Write { offset, bytes } => {
                    digest.words([1, *offset]);
                    digest.bytes(bytes);
                }
                Change::Cut { size } => digest.words([2, *size]),
                Change::Grow { size } => digest.words([3, *size]),
            }
        }
    }
}

impl Directory {
    fn absorb(&self, digest: &mut Digest) {
        digest.word(2);
        for entries in [&self.durable, &self.cached] {
            digest.word(entries.len() as u64);
            for (name, ino) in entries {
                digest.bytes(name.as_bytes());
                digest.word(ino.0);
            }
        }
        for change in &self.pending {
            digest.bytes(change.name.as_bytes());
            digest.word(change.to.map_or(0, |ino| ino.0));
            digest.word(change.transaction);
            digest.word(change.emptied.map_or(0, |ino| ino.0));
            if let Cause::MovedTo { directory, name } = &change.cause {
                digest.word(directory.0);
                digest.bytes(name.as_bytes());
            }
        }
    }
}
