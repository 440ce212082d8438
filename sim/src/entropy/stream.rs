//! Invariants of streams: ChaCha8 under a key; draws are integers by rejection, never by a float.

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::key::{RunKey, StreamKey};
use super::mix::mix64;
use super::ratio::Ratio;

/// A source of chance with a name of its own.
#[derive(Clone, Debug)]
pub struct Stream {
    rng: ChaCha8Rng,
}

impl Stream {
    /// The stream under this key, at its beginning.
    #[must_use]
    pub fn open(key: StreamKey) -> Stream {
        let mut seed = [0_u8; 32];
        for (index, chunk) in seed.chunks_exact_mut(8).enumerate() {
            chunk.copy_from_slice(&mix64(key.0, index as u64).to_le_bytes());
        }
        Stream {
            rng: ChaCha8Rng::from_seed(seed),
        }
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A uniform number below `bound`, without bias.
    ///
    /// # Panics
    /// When `bound` is zero: there is no such number.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "below(0) has no answer");
        let zone = u64::MAX - (u64::MAX - bound + 1) % bound;
        loop {
            let word = self.word();
            if word <= zone {
                return word % bound;
            }
        }
    }

    /// Whether an event of this probability happens. Draws one word, whatever the ratio.
    pub fn strikes(&mut self, ratio: Ratio) -> bool {
        ratio.strikes((self.word() >> 32) as u32)
    }

    /// Puts `items` in a uniformly drawn order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(
                last,
                usize::try_from(other).expect("at most the slice's length"),
            );
        }
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.rng.fill_bytes(bytes);
    }
}

/// The first `size` bytes of the stream `name` under `key`: the raw material of one section of a plan.
#[must_use]
pub fn section_bytes(key: RunKey, name: &str, size: usize) -> Vec<u8> {
    let mut bytes = vec![0_u8; size];
    Stream::open(key.stream(name)).fill(&mut bytes);
    bytes
}
