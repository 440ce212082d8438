//! Invariants of the target of key bytes: any bytes are a shape, values of it, and bytes to be read.

use cenotaph_fuzz::byte_comparable;
use cenotaph_sim::entropy::{RunKey, section_bytes};

#[test]
fn bytes_are_values_and_their_encodings() {
    assert!(byte_comparable(&[0; 64]), "zeros are empty rows and keys");
    let mut drawn = 0;
    for seed in 0..2_000 {
        let input = section_bytes(RunKey(seed), "byte_comparable", 256);
        drawn += u32::from(byte_comparable(&input));
    }
    assert!(drawn > 1_000, "{drawn} of 2,000 inputs mean something");
}
