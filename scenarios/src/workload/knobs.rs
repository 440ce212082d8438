//! Vocabulary of the knobs that a scenario draws: small sizes, so that every limit is met in a
//! run of seconds; and the disks on which all that was acknowledged has to survive.

use cenotaph_sim::entropy::Ratio;
use cenotaph_sim::world::ClockOptions;

use crate::plan::{
    CommitlogMode, DiskProfile, DiskTear, Draw, EngineKnobs, Knobs, TaskSchedule, WorldKnobs,
};

/// What crashes leave on an honest drive. The database renames nothing, so it survives renames that leave no
/// name; former bytes it tells from its own, since a record is bound to its file and its place by a checksum,
/// and an sstable counts only once it was synced whole. A lying drive is left out: what a power cut takes
/// there is known to nobody, and so nothing could be judged.
const PROFILES: [(u32, DiskProfile); 9] = [
    (6, DiskProfile::PosixAdversarial),
    (2, DiskProfile::Strict),
    (1, DiskProfile::PosixHostile),
    (1, DiskProfile::HonestPrefix),
    (1, DiskProfile::Ext4Ordered),
    (1, DiskProfile::Ext4LateAllocation),
    (1, DiskProfile::Ext4Writeback),
    (1, DiskProfile::Xfs),
    (2, DiskProfile::Btrfs),
];

/// How writes tear where a device changes no byte but those it was told to. The other ways are left out: the
/// end of a log lies beside what was synced before it, in one sector, so they would take acknowledged writes
/// with it; and a log that shares no page would cost a page a sync.
const TEARS: [(u32, DiskTear); 7] = [
    (5, DiskTear::Sector512),
    (4, DiskTear::Page4k),
    (1, DiskTear::Atomic),
    (2, DiskTear::FirstSectors),
    (3, DiskTear::EitherEnd),
    (2, DiskTear::Shorn),
    (3, DiskTear::GarbageInRange),
];

/// Of the same tasks each schedule finds other orders; the first is the one that shrinks best.
const SCHEDULES: [(u32, TaskSchedule); 4] = [
    (6, TaskSchedule::Random),
    (2, TaskSchedule::Pct),
    (1, TaskSchedule::Walk),
    (1, TaskSchedule::RoundRobin),
];

/// So many milliseconds ahead, a wall clock shows 2^31 - 1 seconds when the run begins.
const SECONDS_OF_31_BITS_AHEAD: i64 = ((1 << 31) - 1) * 1_000 - ClockOptions::BEGIN.0 / 1_000;

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
    let disk_profile = draw.weighted(&PROFILES);
    let disk_tear = draw.weighted(&TEARS);
    let disk_latency_micros_max = draw.pick(&[200, 50, 1_000, 2_000]);
    let network_delay_micros_max = draw.pick(&[500, 100, 2_000]);
    let time_quantum_micros = draw.pick(&[100, 500, 20, 1_000, 1]);
    let schedule = draw.weighted(&SCHEDULES);
    let changes_count = draw.pick(&[3, 1, 2, 5, 10]);
    let schedule_changes_count = match schedule {
        TaskSchedule::Pct => changes_count,
        _ => defaults.schedule_changes_count,
    };
    // Late tasks are no harm done to the node: quiet runs have them, too.
    let (numerator, denominator) = draw.pick(&[(0, 1), (1, 100), (1, 10), (1, 30)]);
    let stall = Ratio::new(numerator, denominator).expect("the ratios above are at most one");
    let stall_micros_max = draw.pick(&[2_000, 500, 10_000]);
    let client_timeout_millis = draw.pick(&[200, 100, 400]);
    let clock_offset_millis = draw.pick(&[0, 0, 1_500, -1_500, SECONDS_OF_31_BITS_AHEAD]);
    let clock_drift_ppm = draw.pick(&[0, 0, 200, -200]);
    // Drawn whether used or not: so a quiet run differs from its loud twin in nothing else.
    let network_loss = draw.pick(&[(0, 1), (0, 1), (1, 100), (1, 20)]);
    let network_duplication = draw.pick(&[(0, 1), (0, 1), (1, 50)]);
    // No harm done: quiet runs have slow links, too.
    let network_bytes_per_second = draw.pick(&[0, 0, 0, 1_000_000, 100_000]);
    let ratio = |(numerator, denominator)| match quiet {
        true => Ratio::NEVER,
        false => Ratio::new(numerator, denominator).expect("the ratios above are at most one"),
    };
    WorldKnobs {
        disk_profile,
        disk_tear,
        disk_latency_micros_max,
        network_delay_micros_max,
        network_bytes_per_second,
        time_quantum_micros,
        schedule,
        schedule_changes_count,
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
