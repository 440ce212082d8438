//! Steps of the bench: tries in memory beside ordered maps of the same keys, in one run; what each costs in
//! CPU time and memory. Prints only; nothing is asserted about time.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::Bound;

use cenotaph_engine::trie::arena::{Arena, Leaf, Root};
use rustix::time::{ClockId, clock_gettime};

const ROWS: u64 = 1_000_000;
const LIVE: u64 = 3_000;
const READS: u64 = 1_000_000;

type Map = BTreeMap<Box<[u8]>, Row>;

/// A write time and a number: 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    time: i64,
    number: u32,
}

impl Leaf for Row {
    fn tag(self) -> u8 {
        0
    }

    fn size(_: u8) -> usize {
        12
    }

    fn store(self, payload: &mut [u8]) {
        payload[..8].copy_from_slice(&self.time.to_le_bytes());
        payload[8..].copy_from_slice(&self.number.to_le_bytes());
    }

    fn load(_: u8, payload: &[u8]) -> Row {
        let (time, number) = payload.split_at(8);
        Row {
            time: i64::from_le_bytes(time.try_into().expect("eight bytes")),
            number: u32::from_le_bytes(number.try_into().expect("four bytes")),
        }
    }

    fn timestamp_max(self) -> i64 {
        self.time
    }

    fn timestamp_min(self) -> i64 {
        self.time
    }
}

/// `40`, a number in as few bytes as hold it, and an end: as a clustering of one bigint.
fn bigint_key(number: u64, end: u8) -> ([u8; 11], usize) {
    let extra = (64 - (number | 1).leading_zeros() as usize) / 7;
    assert!(extra < 8, "numbers of the bench are small");
    let mut key = [0; 11];
    key[0] = 0x40;
    let bytes = (number | (0xFF80_u64 >> extra & 0xFF) << (8 * extra)).to_be_bytes();
    key[1..2 + extra].copy_from_slice(&bytes[7 - extra..]);
    key[2 + extra] = end;
    (key, 3 + extra)
}

/// A partition's place: token, key, end.
fn partition_key(partition: u64) -> Vec<u8> {
    let token = partition.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut key = vec![0x40];
    key.extend_from_slice(&token.to_be_bytes());
    key.push(0x40);
    key.extend_from_slice(&partition.to_be_bytes().map(|byte| byte | 1));
    key.extend_from_slice(&[0, 0x38]);
    key
}

fn next_random(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    (*state >> 33).wrapping_mul(ROWS) >> 31
}

/// CPU nanoseconds of this thread so far.
fn cpu_nanos() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

fn nanos_each(count: u64, mut call: impl FnMut(u64)) -> u64 {
    let before = cpu_nanos();
    (0..count).for_each(&mut call);
    (cpu_nanos() - before) / count
}

fn tell(what: &str, trie: u64, map: u64) {
    let percent = trie * 100 / map.max(1);
    println!("  {what:<44} trie {trie:>6} ns   map {map:>6} ns   {percent:>4} %");
}

/// Partitions as tries of their own, found through one more.
struct Tries {
    arena: Arena<Row>,
    outer: Root,
    roots: Vec<Root>,
}

impl Tries {
    fn new(partitions: u64) -> Tries {
        let mut arena = Arena::new();
        let mut outer = Root::EMPTY;
        for partition in 0..partitions {
            let row = Row {
                time: 0,
                number: partition as u32,
            };
            outer = arena
                .put(outer, &partition_key(partition), row)
                .expect("there is space");
        }
        Tries {
            arena,
            outer,
            roots: vec![Root::EMPTY; partitions as usize],
        }
    }
}

struct Maps {
    outer: BTreeMap<Box<[u8]>, usize>,
    maps: Vec<Map>,
}

/// The same rows both ways, by partition.
struct Both {
    keys: Vec<Vec<u8>>,
    tries: Tries,
    maps: Maps,
    found: Vec<u8>,
}

impl Both {
    fn new(partitions: u64) -> Both {
        let keys: Vec<Vec<u8>> = (0..partitions).map(partition_key).collect();
        let outer = keys.iter().enumerate();
        let maps = Maps {
            outer: outer
                .map(|(index, key)| (key.clone().into(), index))
                .collect(),
            maps: vec![Map::new(); partitions as usize],
        };
        Both {
            tries: Tries::new(partitions),
            maps,
            keys,
            found: Vec::new(),
        }
    }

    fn partition(&self, row: u64) -> &[u8] {
        &self.keys[(row % self.keys.len() as u64) as usize]
    }

    fn map(&mut self, row: u64) -> &mut Map {
        let index = self.maps.outer[self.partition(row)];
        &mut self.maps.maps[index]
    }

    fn trie(&self, row: u64) -> usize {
        let found = self.tries.arena.get(self.tries.outer, self.partition(row));
        found.expect("the partition is there").number as usize
    }

    fn put(&mut self, row: u64) {
        let (key, size) = bigint_key(row, 0x38);
        let index = self.trie(row);
        let root = &mut self.tries.roots[index];
        let put = self.tries.arena.put(*root, &key[..size], row_of(row));
        *root = put.expect("there is space");
    }

    fn remove(&mut self, row: u64) {
        let (key, size) = bigint_key(row, 0x38);
        let index = self.trie(row);
        let root = &mut self.tries.roots[index];
        let removed = self.tries.arena.remove(*root, &key[..size]);
        *root = removed.expect("there is space").0;
    }

    fn get(&self, row: u64) -> Option<Row> {
        let (key, size) = bigint_key(row, 0x38);
        let root = self.tries.roots[self.trie(row)];
        self.tries.arena.get(root, &key[..size])
    }

    fn first_after(&mut self, row: u64) -> Option<Row> {
        let (key, size) = bigint_key(row, 0x60);
        let root = self.tries.roots[self.trie(row)];
        let arena = &self.tries.arena;
        arena.first_at_or_after(root, &key[..size], &mut self.found)
    }

    fn build(&mut self) {
        let outer_bytes = self.tries.arena.used_bytes();
        let map_put = nanos_each(ROWS, |row| {
            let (key, size) = bigint_key(row, 0x38);
            self.map(row).insert(key[..size].into(), row_of(row));
        });
        let trie_put = nanos_each(ROWS, |row| self.put(row));
        tell("put in order", trie_put, map_put);
        tell_memory(&self.tries.arena, outer_bytes);
        let mut state = 1;
        let map_get = nanos_each(READS, |_| {
            let row = next_random(&mut state);
            let (key, size) = bigint_key(row, 0x38);
            black_box(self.map(row).get(&key[..size]));
        });
        state = 1;
        let trie_get = nanos_each(READS, |_| {
            black_box(self.get(next_random(&mut state)));
        });
        tell("get at random", trie_get, map_get);
    }

    fn thin_out(&mut self) {
        let removed = ROWS - LIVE;
        let map_remove = nanos_each(removed, |row| {
            let (key, size) = bigint_key(row, 0x38);
            self.map(row).remove(&key[..size]);
        });
        let trie_remove = nanos_each(removed, |row| self.remove(row));
        tell("remove 99.7 % in order", trie_remove, map_remove);
        let (mut state, mut sum) = (1, 0);
        let map_seek = nanos_each(READS, |_| {
            let row = next_random(&mut state);
            let (key, size) = bigint_key(row, 0x60);
            let range = (Bound::Included(&key[..size]), Bound::Unbounded);
            let first = self.map(row).range::<[u8], _>(range).next();
            sum += first.map_or(0, |(_, row)| i64::from(row.number));
        });
        state = 1;
        let trie_seek = nanos_each(READS, |_| {
            let first = self.first_after(next_random(&mut state));
            sum -= first.map_or(0, |row| i64::from(row.number));
        });
        assert_eq!(sum, 0, "both find the same");
        tell("first at or after, of what is left", trie_seek, map_seek);
    }
}

fn row_of(row: u64) -> Row {
    Row {
        time: row as i64,
        number: row as u32,
    }
}

fn tell_memory(arena: &Arena<Row>, besides_bytes: u64) {
    let used = (arena.used_bytes() - besides_bytes) as usize;
    println!(
        "  {} bytes in use a row, {} with the whole arena",
        used / ROWS as usize,
        arena.allocated_bytes() / ROWS
    );
}

fn partitioned(partitions: u64) {
    println!("{ROWS} rows in {partitions} partitions, keys of one bigint");
    let mut both = Both::new(partitions);
    let outer_bytes = both.tries.arena.used_bytes();
    both.build();
    both.thin_out();
    (ROWS - LIVE..ROWS).for_each(|row| both.remove(row));
    assert_eq!(
        both.tries.arena.used_bytes(),
        outer_bytes,
        "all is given back"
    );
}

/// One trie of keys in no order.
fn scattered() {
    println!("{ROWS} rows in one trie, keys of 8 random bytes");
    let key_of = |row: u64| {
        row.wrapping_add(1)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .to_be_bytes()
    };
    let (mut map, mut arena, mut root) = (Map::new(), Arena::new(), Root::EMPTY);
    let map_put = nanos_each(ROWS, |row| {
        map.insert(key_of(row).into(), row_of(row));
    });
    let trie_put = nanos_each(ROWS, |row| {
        root = arena
            .put(root, &key_of(row), row_of(row))
            .expect("there is space");
    });
    tell("put", trie_put, map_put);
    tell_memory(&arena, 0);
    let mut state = 1;
    let map_get = nanos_each(READS, |_| {
        black_box(map.get(&key_of(next_random(&mut state))[..]));
    });
    state = 1;
    let trie_get = nanos_each(READS, |_| {
        black_box(arena.get(root, &key_of(next_random(&mut state))));
    });
    tell("get at random", trie_get, map_get);
}

fn main() {
    partitioned(999);
    partitioned(3);
    partitioned(1);
    scattered();
}
