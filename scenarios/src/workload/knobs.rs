//! Vocabulary of the knobs that a scenario draws: small sizes, so that every limit is met in a
//! run of seconds.

use cenotaph_sim::entropy::Ratio;

use crate::plan::{CommitlogMode, DiskProfile, Draw, EngineKnobs, Knobs, WorldKnobs};

/// Knobs of a run. `quiet`: the world does no harm but crashes.
pub(super) fn draw(draw: &mut Draw<'_>, quiet: bool) -> Knobs {
    Knobs {
        engine: engine(draw),
        world: world(draw, quiet),
    }
}

fn engine(draw: &mut Draw<'_>) -> EngineKnobs {
    let modes = [
        (4, CommitlogMode::Batch),
        (3, CommitlogMode::Periodic),
        (2, CommitlogMode::Group),
    ];
    EngineKnobs {
        commitlog_mode: draw.weighted(&modes),
        commitlog_period_millis: draw.pick(&[100, 20, 5, 400]),
        commitlog_window_millis: draw.pick(&[10, 2, 1, 25]),
        segment_size_bytes: draw.pick(&[64 << 10, 8 << 10, 4 << 10, 1 << 10]),
        memtable_size_bytes: draw.pick(&[64 << 10, 1 << 10, 512, 4 << 10]),
        block_size_bytes: draw.pick(&[4 << 10, 64, 128, 512]),
        ..EngineKnobs::default()
    }
}

fn world(draw: &mut Draw<'_>, quiet: bool) -> WorldKnobs {
    let defaults = WorldKnobs::default();
    let profiles = [(3, DiskProfile::PosixAdversarial), (1, DiskProfile::Strict)];
    let disk_profile = draw.weighted(&profiles);
    let disk_tear_bytes = draw.pick(&[512, 4096]);
    let disk_latency_micros_max = draw.pick(&[200, 50, 1_000, 2_000]);
    let network_delay_micros_max = draw.pick(&[500, 100, 2_000]);
    let time_quantum_micros = draw.pick(&[100, 500, 20, 1_000, 1]);
    // Late tasks are no harm done to the node: quiet runs have them, too.
    let (numerator, denominator) = draw.pick(&[(0, 1), (1, 100), (1, 10), (1, 30)]);
    let stall = Ratio::new(numerator, denominator).expect("the ratios above are at most one");
    let stall_micros_max = draw.pick(&[2_000, 500, 10_000]);
    let client_timeout_millis = draw.pick(&[200, 100, 400]);
    let clock_offset_millis = draw.pick(&[0, 0, 1_500, -1_500]);
    let clock_drift_ppm = draw.pick(&[0, 0, 200, -200]);
    // Drawn whether used or not: so a quiet run differs from its loud twin in nothing else.
    let network_loss = draw.pick(&[(0, 1), (0, 1), (1, 100), (1, 20)]);
    let network_duplication = draw.pick(&[(0, 1), (0, 1), (1, 50)]);
    let ratio = |(numerator, denominator)| match quiet {
        true => Ratio::NEVER,
        false => Ratio::new(numerator, denominator).expect("the ratios above are at most one"),
    };
    WorldKnobs {
        disk_profile,
        disk_tear_bytes,
        disk_latency_micros_max,
        network_delay_micros_max,
        time_quantum_micros,
        stall,
        stall_micros_max,
        client_timeout_millis,
        clock_offset_millis,
        clock_drift_ppm,
        network_loss: ratio(network_loss),
        network_duplication: ratio(network_duplication),
        ..defaults
    }
}
