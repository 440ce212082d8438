//! Invariants under test: a flipped bit in the manifest refuses to start, or changes nothing.

use cenotaph_engine::error::Classify;
use cenotaph_engine::store::open_manifest;

use super::content::{added, adds};
use super::manifest::{OPTIONS, held, held_after_restart};
use crate::bench::Bench;

#[test]
fn every_flipped_bit_of_the_manifest_is_refused_or_harmless() {
    let bench = Bench::new(21);
    let before = bench.run(|host| async move {
        let manifest = open_manifest(&host, OPTIONS).await.expect("a new disk");
        for id in 0..4 {
            manifest
                .commit(&adds(&[added(1, id)]))
                .await
                .expect("nothing fails");
        }
        held(&manifest)
    });
    let before = before.expect("nothing crashes");
    let image = bench.with_disk(|disk| disk.clone());
    let file = bench
        .with_disk(|disk| disk.list("manifest"))
        .expect("the directory is there");
    let path = format!("manifest/{}", file[0]);
    let size = bench
        .with_disk(|disk| disk.stat(&path))
        .expect("the file is there")
        .size;
    let mut harmless_count = 0;
    for offset in 0..size {
        for bit in [0, 3, 7] {
            bench.with_disk(|disk| *disk = image.clone());
            bench.flip(&path, offset, bit);
            match held_after_restart(&bench) {
                Ok(held) => {
                    assert_eq!(held, before, "bit {bit} of byte {offset}");
                    harmless_count += 1;
                }
                Err(error) => {
                    assert!(error.is_corruption(), "{error}");
                    assert!(error.to_string().starts_with(&path), "{error}");
                }
            }
        }
    }
    // Only the last seal may be taken for a torn tail.
    assert!(harmless_count <= 3 * 32, "{harmless_count} of {}", 3 * size);
}
