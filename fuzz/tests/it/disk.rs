//! Invariants of the disk's target: any bytes are operations, and no crash after them leaves what is not allowed.

use cenotaph_fuzz::disk;
use cenotaph_sim::entropy::{RunKey, section_bytes};

#[test]
fn bytes_are_operations_on_a_disk() {
    assert!(disk(&[]), "no bytes are no operations");
    let mut drawn = 0;
    for seed in 0..300 {
        let input = section_bytes(RunKey(seed), "disk", 512);
        drawn += u32::from(disk(&input));
    }
    assert!(drawn > 250, "{drawn} of 300 inputs mean something");
}
