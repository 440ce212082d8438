//! Invariants of the target of tries: any bytes are operations, after which an arena and ordered maps agree.

use cenotaph_fuzz::trie_ops;
use cenotaph_sim::entropy::{RunKey, section_bytes};

#[test]
fn bytes_are_operations_on_tries() {
    assert!(trie_ops(&[]), "no bytes are no operations");
    let mut drawn = 0;
    for seed in 0..300 {
        let input = section_bytes(RunKey(seed), "trie_ops", 2_048);
        drawn += u32::from(trie_ops(&input));
    }
    assert!(drawn > 100, "{drawn} of 300 inputs mean something");
}
