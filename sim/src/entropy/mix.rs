//! Invariants of mixing: pure 64-bit arithmetic, the same on every machine, frozen by goldens.

/// Folds the 128-bit product of `a` and `b` to 64 bits.
///
/// A zero operand gives zero: callers add their state before folding, as [`mix64`] does.
#[must_use]
#[inline]
pub const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128) * (b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xbf58_476d_1ce4_e5b9;

/// One step of a keyed mix: `state` absorbs `word`. The rotated state is added back, so that a
/// zero operand forgets nothing.
#[must_use]
#[inline]
pub const fn mix64(state: u64, word: u64) -> u64 {
    fold(state ^ word ^ MULTIPLIER, SECOND ^ state.rotate_left(32))
        .wrapping_add(state.rotate_left(23))
}

/// A uniform 32-bit word scaled to `0..bound`, for any bound.
#[must_use]
#[inline]
pub const fn scale(word: u64, bound: u64) -> u64 {
    (((word as u128) * (bound as u128)) >> 32) as u64
}

/// A 64-bit hash of bytes, keyed by `state`; used for names and for contents that enter a fingerprint.
#[must_use]
pub fn hash_bytes(state: u64, bytes: &[u8]) -> u64 {
    let mut hash = mix64(state, bytes.len() as u64);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("chunks_exact(8) gives 8 bytes"));
        hash = mix64(hash, word);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mut last = [0_u8; 8];
        last[..rest.len()].copy_from_slice(rest);
        hash = mix64(hash, u64::from_le_bytes(last));
    }
    mix64(hash, MULTIPLIER)
}
