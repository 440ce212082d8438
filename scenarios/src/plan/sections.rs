//! Byte layout of a generator's input: named sections, each with bytes of its own, so that a
//! change of one section re-deals no other.
//!
//! A seed's sections are ChaCha8 streams under the seed, one a name. A fuzzer's input is cut:
//! ```text
//! 0      64      168     288    320 ..
//! knobs  faults  tables  swarm  records of 32 bytes, each owned by the client that its first byte
//!                               names: an edit of one moves no other
//! ```

use cenotaph_sim::entropy::{RunKey, section_bytes};

/// Bytes of one operation.
pub const RECORD_SIZE: usize = 32;
/// Bytes of one fault, and of what follows from it.
pub const FAULT_SIZE: usize = 13;
/// Bytes of one table.
pub const TABLE_SIZE: usize = 4;
/// Faults that a generator can make.
pub const FAULT_SLOTS: usize = 8;
/// Tables that a generator can shape.
pub const TABLE_SLOTS: usize = 30;

/// Operations of one client that an input can hold; more would only make slow inputs.
const RECORDS_MAX: usize = 1024;

const KNOBS: (usize, usize) = (0, 64);
const FAULTS: (usize, usize) = (KNOBS.1, KNOBS.1 + FAULT_SLOTS * FAULT_SIZE);
const TABLES: (usize, usize) = (FAULTS.1, FAULTS.1 + TABLE_SLOTS * TABLE_SIZE);
const SWARM: (usize, usize) = (TABLES.1, TABLES.1 + 32);
const RECORDS_OFFSET: usize = 320;
const _: () = assert!(SWARM.1 <= RECORDS_OFFSET && RECORDS_OFFSET.is_multiple_of(RECORD_SIZE));

/// One operation's bytes.
pub type RecordBytes = [u8; RECORD_SIZE];

/// Where a generator's bytes come from.
#[derive(Clone, Copy, Debug)]
pub enum Sections<'a> {
    /// Streams under a seed.
    Seed(u64),
    /// A fuzzer's input, cut.
    Input(&'a [u8]),
}

impl Sections<'_> {
    /// Bytes of the knobs, and of all that holds for the whole plan.
    #[must_use]
    pub fn knobs(&self) -> Vec<u8> {
        self.head("knobs", KNOBS)
    }

    /// Bytes of the faults, [`FAULT_SIZE`] each.
    #[must_use]
    pub fn faults(&self) -> Vec<u8> {
        self.head("faults", FAULTS)
    }

    /// Bytes of the tables' shapes, [`TABLE_SIZE`] each.
    #[must_use]
    pub fn tables(&self) -> Vec<u8> {
        self.head("tables", TABLES)
    }

    /// Bytes of which kinds of fault the run has, and how often.
    #[must_use]
    pub fn swarm(&self) -> Vec<u8> {
        self.head("swarm", SWARM)
    }

    /// Bytes of a client's operations: `count` of a seed's, all that the input holds for it.
    #[must_use]
    pub fn records(&self, client: usize, clients_count: usize, count: usize) -> Vec<RecordBytes> {
        assert!(client < clients_count, "client {client} of {clients_count}");
        match self {
            Sections::Seed(seed) => {
                let name = format!("client-{client}");
                let bytes = section_bytes(RunKey(*seed), &name, count * RECORD_SIZE);
                bytes.as_chunks::<RECORD_SIZE>().0.to_vec()
            }
            Sections::Input(bytes) => {
                let records = bytes
                    .get(RECORDS_OFFSET..)
                    .unwrap_or_default()
                    .as_chunks()
                    .0;
                let is_own =
                    |record: &RecordBytes| usize::from(record[0]) % clients_count == client;
                records
                    .iter()
                    .copied()
                    .filter(is_own)
                    .take(RECORDS_MAX)
                    .collect()
            }
        }
    }

    /// The key of the run's chance.
    #[must_use]
    pub fn run_key(&self) -> u64 {
        match self {
            Sections::Seed(seed) => *seed,
            Sections::Input(_) => {
                let bytes = self.knobs();
                let last = bytes.last_chunk().expect("the knobs' section has 64 bytes");
                u64::from_le_bytes(*last)
            }
        }
    }

    fn head(&self, name: &str, (start, end): (usize, usize)) -> Vec<u8> {
        match self {
            Sections::Seed(seed) => section_bytes(RunKey(*seed), name, end - start),
            Sections::Input(bytes) => {
                let mut section = vec![0; end - start];
                let there = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
                section[..there.len()].copy_from_slice(there);
                section
            }
        }
    }
}
