//! Steps of the bench: every sequence of so many steps (the argument, else 3), under every profile of the chain: each allows no image that the next forbids. Stops at the first that does; prints counts and time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use cenotaph_sim::disk::states::{Bounds, STEPS, Step, after, sequences};
use cenotaph_sim::disk::{CrashKind, CrashPoint, Profile};

/// The images that a power cut may leave after these steps.
fn images(profile: Profile, sequence: &[Step]) -> (u64, BTreeSet<u128>) {
    let point = CrashPoint::new(&after(profile, sequence), CrashKind::PowerCut);
    let (mut count, mut hashes) = (0, BTreeSet::new());
    let _ = point.images(Bounds::NONE, &mut |image| {
        count += 1;
        hashes.insert(image.hash());
        ControlFlow::Continue(())
    });
    (count, hashes)
}

#[expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a bench reads its argument and measures the real machine"
)]
fn main() {
    let argument = std::env::args().find_map(|argument| argument.parse().ok());
    let length = argument.unwrap_or(3);
    let started = std::time::Instant::now();
    let (mut sequences_count, mut images_count, mut pairs) = (0_u64, 0_u64, 0_u64);
    for sequence in sequences(&STEPS, length) {
        let profiles = Profile::CHAIN.iter().flat_map(|pair| [pair.0, pair.1]);
        let mut reached: BTreeMap<Profile, BTreeSet<u128>> = BTreeMap::new();
        for profile in profiles {
            reached.entry(profile).or_insert_with(|| {
                let (count, hashes) = images(profile, &sequence);
                images_count += count;
                hashes
            });
        }
        for (inner, outer) in Profile::CHAIN {
            let escaped = reached[&inner].difference(&reached[&outer]).count();
            assert_eq!(escaped, 0, "{inner:?} within {outer:?} after {sequence:?}");
            pairs += 1;
        }
        sequences_count += 1;
    }
    println!(
        "{sequences_count} sequences of {length} steps, {pairs} inclusions, {images_count} images: \
         {} s",
        started.elapsed().as_secs()
    );
}
