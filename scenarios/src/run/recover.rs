//! Steps of a recovery: the power was cut at a moment of a recorded run and left this disk; boot the node on it, have
//! everything read, cut the power again, have everything read again, ask the judges about all of it.

use std::time::Duration;

use cenotaph_sim::disk::{CrashKind as SimulatedCrash, Disk};

use super::outcome::Outcome;
use super::phases::{judged, phase, plant, settle};
use super::record::Recording;
use crate::cluster::{self, Cluster, Left, NODE, RunOptions};
use crate::history::{Event, History, Outcome as Ended};
use crate::plan::CrashKind;
use crate::workload;

/// How long the node is down after the second cut.
const DOWN: Duration = Duration::from_millis(1);

/// What comes of a power cut at moment `number` of a recorded run that left `disk`: the history up to
/// the cut goes on with what the recovered node shows, once after each of two boots. The second cut
/// comes when all was read, and what it leaves is drawn.
///
/// # Panics
/// As [`super::run`], and when the recording has no such moment.
#[must_use]
pub fn recover(recording: &Recording, number: usize, disk: Disk, options: &RunOptions) -> Outcome {
    let plan = &recording.plan;
    let _planted = plant(plan);
    let moment = &recording.moments[number];
    let left = Left {
        at: moment.at,
        incarnation: moment.incarnation,
        disk,
    };
    let finals = workload::final_operations(plan);
    let longest = cluster::reader_longest(plan, &finals);
    let (cluster, first_reader) = Cluster::restored(plan, &finals, &left, options);
    let world = &cluster.world;
    world.heal();
    world.boot(NODE);
    world.boot(first_reader);
    let first = world.run(phase(plan, world, longest));
    cluster.inspect();
    world.crash(NODE, SimulatedCrash::PowerCut, Some(DOWN));
    let settled = settle(world);
    cluster.recorder.push(Event::Healed { at: world.now() });
    let healed_at = world.now();
    world.boot_if_down(NODE);
    world.boot(cluster.reader);
    let second = world.run(phase(plan, world, longest));
    cluster.inspect();
    let mut history = until_the_cut(&recording.history.first(moment.events_before), &left);
    for event in cluster.recorder.history(&world.events(), &[]).events() {
        history.push(event.clone());
    }
    let ends = [first, settled, second];
    judged(plan, &cluster, history, finals.len(), healed_at, ends)
}

/// The history up to the cut, and the cut, which leaves every open operation without an answer.
fn until_the_cut(before: &History, left: &Left) -> History {
    let mut history = before.clone();
    let at = left.at;
    history.push(Event::Crashed {
        at,
        incarnation: left.incarnation,
        kind: CrashKind::Power,
    });
    for record in before.timeline().records {
        if record.outcome.is_none() {
            history.push(Event::Answered {
                at,
                operation: record.name,
                incarnation: None,
                now_seconds: None,
                outcome: Ended::Unknown {
                    why: "the power was cut".to_owned(),
                },
            });
        }
    }
    history
}
