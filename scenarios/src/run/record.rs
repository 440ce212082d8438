//! Steps of recording a run: run it without its faults, and keep a fork of the node's disk after each request that
//! may change what a crash leaves.

use std::cell::RefCell;
use std::rc::Rc;

use cenotaph_sim::disk::Disk;
use cenotaph_sim::time::Instant;
use cenotaph_sim::world::DiskStep;

use super::phases::{phase, plant, settle};
use crate::cluster::{self, Cluster, NODE, NODE_NAME, Place, RunOptions};
use crate::history::History;
use crate::plan::{FileRole, Plan};

/// A moment at which the power may be cut: right after a request of the node to its disk.
#[derive(Clone, Debug)]
pub struct Moment {
    /// When.
    pub at: Instant,
    /// The incarnation that runs.
    pub incarnation: u32,
    /// The request, as anchors of faults name it.
    pub request: String,
    /// How many events of the history come before.
    pub events_before: usize,
    /// The disk, a fork.
    pub disk: Disk,
}

/// A run without faults, with every moment at which a crash leaves something else.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The plan that was run: without faults.
    pub plan: Plan,
    /// What happened.
    pub history: History,
    /// The moments, in order.
    pub moments: Vec<Moment>,
}

/// Runs a plan without its faults, up to where the node has come to rest after the last client.
///
/// # Panics
/// As [`super::run`].
#[must_use]
pub fn record(plan: &Plan) -> Recording {
    let plan = Plan {
        faults: Vec::new(),
        ..plan.clone()
    };
    let _planted = plant(&plan);
    let cluster = Cluster::build(&plan, Vec::new(), &RunOptions::default());
    let taken: Rc<RefCell<Vec<(Moment, Place)>>> = Rc::default();
    let (moments, recorder) = (Rc::clone(&taken), cluster.recorder.clone());
    cluster.world.watch_disk(NODE, move |step| {
        let moment = Moment {
            at: recorder.now(),
            incarnation: step.incarnation,
            request: name(step),
            events_before: 0,
            disk: step.disk.clone(),
        };
        moments.borrow_mut().push((moment, recorder.place()));
    });
    let longest = cluster::clients_longest(&plan);
    let _end = cluster.world.run(phase(&plan, &cluster.world, longest));
    let _rest = settle(&cluster.world);
    let events = cluster.world.events();
    let moments = taken.take().into_iter().map(|(moment, place)| Moment {
        events_before: place.events_before(&events),
        ..moment
    });
    Recording {
        moments: moments.collect(),
        history: cluster.recorder.history(&events, &[]),
        plan,
    }
}

fn name(step: &DiskStep<'_>) -> String {
    let role = FileRole::ALL.iter().find(|role| step.is_of(role.name()));
    let role = role.map_or("root", |role| role.name());
    let (incarnation, kind, ordinal) = (step.incarnation, step.kind.name(), step.ordinal);
    format!("{NODE_NAME}/{incarnation}/{role}/{kind}/{ordinal}")
}
