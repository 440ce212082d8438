//! Byte layout of the membership filter: a Bloom filter over tokens; the probe count, then the bits.
//!
//! A token is a hash of its key already. Two keys with one token count as one: the filter only ever
//! answers "surely absent" or "maybe present".

use bytes::Bytes;

use crate::keys::Token;
use crate::rows::RowsError;
use crate::rows::wire::Input;

/// Bits for each partition: with [`PROBE_COUNT`] probes about one absent key in 120 passes.
const BITS_PER_PARTITION: usize = 10;
/// Probes for each key.
const PROBE_COUNT: u8 = 7;
/// More probes than this no writer asks for.
const PROBE_COUNT_MAX: u8 = 32;
/// Least bytes of bits.
const BITS_SIZE_MIN: usize = 8;

/// The tokens that an sstable may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    probe_count: u8,
    bits: Bytes,
}

impl Filter {
    /// The filter's payload for these tokens.
    pub(super) fn build(tokens: &[Token]) -> Vec<u8> {
        let bits_size = (tokens.len() * BITS_PER_PARTITION)
            .div_ceil(8)
            .max(BITS_SIZE_MIN);
        let mut payload = vec![0; 1 + bits_size];
        payload[0] = PROBE_COUNT;
        for &token in tokens {
            for bit in probes(token, PROBE_COUNT, bits_size) {
                payload[1 + bit / 8] |= 1 << (bit % 8);
            }
        }
        payload
    }

    pub(super) fn open(input: &mut Input<'_>) -> Result<Filter, RowsError> {
        let probe_count = input.byte()?;
        if probe_count == 0 || probe_count > PROBE_COUNT_MAX {
            return Err(input.malformed("a probe count that no filter has"));
        }
        if input.remaining() < BITS_SIZE_MIN {
            return Err(input.malformed("a filter without bits"));
        }
        Ok(Filter {
            probe_count,
            bits: Bytes::copy_from_slice(input.take(input.remaining())?),
        })
    }

    /// False when no partition of the sstable has this token.
    pub(super) fn may_hold(&self, token: Token) -> bool {
        probes(token, self.probe_count, self.bits.len())
            .all(|bit| self.bits[bit / 8] & (1 << (bit % 8)) != 0)
    }
}

/// The bits of a token, by double hashing.
fn probes(token: Token, probe_count: u8, bits_size: usize) -> impl Iterator<Item = usize> {
    let bit_count = bits_size as u64 * 8;
    let first = finalize(token.0.cast_unsigned());
    // Odd, so that the steps do not collapse onto one bit.
    let step = finalize(first) | 1;
    (0..u64::from(probe_count)).map(move |probe| {
        let hash = first.wrapping_add(step.wrapping_mul(probe));
        usize::try_from(hash % bit_count).expect("below the count of bits held in memory")
    })
}

/// The finalizer of the SplitMix64 generator.
const fn finalize(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
