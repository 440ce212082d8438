//! Invariants of the target of memtables: any bytes are writes, after which a memtable and ordered maps agree.

use cenotaph_fuzz::memtable_vs_model;
use cenotaph_sim::entropy::{RunKey, section_bytes};

#[test]
fn bytes_are_writes_into_memtables() {
    assert!(memtable_vs_model(&[]), "no bytes are no writes");
    let mut drawn = 0;
    for seed in 0..400 {
        let input = section_bytes(RunKey(seed), "memtable_vs_model", 1_024);
        drawn += u32::from(memtable_vs_model(&input));
    }
    assert!(drawn > 100, "{drawn} of 400 inputs mean something");
}
