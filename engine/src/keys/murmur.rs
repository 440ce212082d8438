//! Invariants of the token hash: the first half of Murmur3 x64 128 with seed 0, as Cassandra computes
//! it, bytes of the tail taken as signed. Frozen: it decides where every partition lies.

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// The hash of `bytes`.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let (k1, k2) = block.split_at(8);
        let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("half of 16 bytes"));
        h1 ^= mix_first(word(k1));
        h1 = h1
            .rotate_left(27)
            .wrapping_add(h2)
            .wrapping_mul(5)
            .wrapping_add(0x52dc_e729);
        h2 ^= mix_second(word(k2));
        h2 = h2
            .rotate_left(31)
            .wrapping_add(h1)
            .wrapping_mul(5)
            .wrapping_add(0x3849_5ab5);
    }
    let (first, second) = tail.split_at(tail.len().min(8));
    h2 ^= mix_second(signed_word(second));
    h1 ^= mix_first(signed_word(first));

    let size = bytes.len() as u64;
    h1 ^= size;
    h2 ^= size;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    finish(h1).wrapping_add(finish(h2))
}

/// At most 8 bytes, little endian. Each is sign-extended before it is shifted into its place, as in
/// the original of every ring there is.
fn signed_word(bytes: &[u8]) -> u64 {
    let extend = |byte: u8| i64::from(byte.cast_signed()).cast_unsigned();
    bytes
        .iter()
        .zip((0..64).step_by(8))
        .fold(0, |word, (byte, shift)| word ^ extend(*byte) << shift)
}

const fn mix_first(word: u64) -> u64 {
    word.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

const fn mix_second(word: u64) -> u64 {
    word.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

const fn finish(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
