//! Invariants of a plan that has loaded: all bounds hold, its tables keep their shapes, every
//! operation fits its table, and no value is written twice.
//!
//! An operation on a table that no client creates, or a column that none adds, is allowed: the
//! database refuses it, and so a plan stays valid when a shrinker takes the CREATE away.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use cenotaph_engine::planted::Plant;

use super::bounds;
use super::document::{Plan, Session};
use super::fault::{Anchor, Fault, FaultKind};
use super::forms::Forms;
use super::knobs::{Knobs, WorldKnobs};
use super::operation::{Operation, OperationRef};
use super::value::Unique;

/// What is wrong, and where.
pub(super) struct Flaw {
    pub(super) field: String,
    pub(super) cause: String,
}

pub(super) fn within<T: PartialOrd + fmt::Display>(
    value: &T,
    range: &RangeInclusive<T>,
) -> Result<(), String> {
    if range.contains(value) {
        return Ok(());
    }
    Err(format!(
        "{value} is not within {}..={}",
        range.start(),
        range.end()
    ))
}

/// The same of a number of an operation or a fault, which is named.
pub(super) fn within_of<T: PartialOrd + fmt::Display>(
    name: &str,
    value: &T,
    range: &RangeInclusive<T>,
) -> Result<(), String> {
    within(value, range).map_err(|cause| format!("{name}: {cause}"))
}

/// Names the field that a check failed at.
fn at(field: impl fmt::Display, result: Result<(), String>) -> Result<(), Flaw> {
    result.map_err(|cause| Flaw {
        field: field.to_string(),
        cause,
    })
}

pub(super) fn plan(plan: &Plan) -> Result<(), Flaw> {
    at(
        "format",
        within(&plan.format, &(Plan::FORMAT..=Plan::FORMAT)),
    )?;
    at("scenario", name(&plan.scenario))?;
    if let Some(bug) = &plan.bug {
        at("bug", planted(bug))?;
    }
    knobs(&plan.knobs)?;
    at("clients", within(&plan.clients.len(), &bounds::CLIENTS))?;
    let forms = Forms::of(plan)?;
    let mut values = BTreeSet::new();
    for (client, session) in plan.clients.iter().enumerate() {
        at(
            format_args!("clients[{client}]"),
            within(&session.len(), &(0..=bounds::OPERATIONS_MAX)),
        )?;
        for (index, operation) in session.iter().enumerate() {
            let field = format_args!("clients[{client}][{index}]");
            at(field, forms.check(operation))?;
            at(field, unique(operation, &mut values))?;
        }
    }
    at(
        "faults",
        within(&plan.faults.len(), &(0..=bounds::FAULTS_MAX)),
    )?;
    for (index, fault) in plan.faults.iter().enumerate() {
        at(
            format_args!("faults[{index}]"),
            check_fault(fault, &plan.clients),
        )?;
    }
    Ok(())
}

/// Names go into file names and commands, so they are kept plain.
pub(super) fn name(text: &str) -> Result<(), String> {
    within(&text.len(), &bounds::NAME_SIZE)?;
    if text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    {
        return Ok(());
    }
    Err(format!(
        "`{text}` has a character that is not a letter, a digit, `-` or `_`"
    ))
}

/// A bug that the engine's catalogue has.
pub(super) fn planted(bug: &str) -> Result<(), String> {
    let known = || Plant::ALL.map(Plant::name).join(", ");
    match bug.parse::<Plant>() {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{error}; there are {}", known())),
    }
}

/// The model tells writers apart by what they wrote.
fn unique<'a>(operation: &'a Operation, seen: &mut BTreeSet<Unique<'a>>) -> Result<(), String> {
    let values = operation.unique();
    match values.into_iter().find(|value| !seen.insert(*value)) {
        None => Ok(()),
        Some(value) => Err(format!("the value {value} is written a second time")),
    }
}

pub(super) fn knobs(knobs: &Knobs) -> Result<(), Flaw> {
    let engine = &knobs.engine;
    let millis = &bounds::COMMITLOG_MILLIS;
    at(
        "commitlog_period_millis",
        within(&engine.commitlog_period_millis, millis),
    )?;
    at(
        "commitlog_window_millis",
        within(&engine.commitlog_window_millis, millis),
    )?;
    at(
        "segment_size_bytes",
        within(&engine.segment_size_bytes, &bounds::SEGMENT_SIZE),
    )?;
    at(
        "memtable_size_bytes",
        within(&engine.memtable_size_bytes, &bounds::MEMTABLE_SIZE),
    )?;
    at(
        "block_size_bytes",
        within(&engine.block_size_bytes, &bounds::BLOCK_SIZE),
    )?;
    at(
        "schema_flush_window_millis",
        within(
            &engine.schema_flush_window_millis,
            &bounds::FLUSH_WINDOW_MILLIS,
        ),
    )?;
    at(
        "compaction_sstables_min",
        match engine.compaction_sstables_min {
            0 => Ok(()),
            count => within(&count, &bounds::COMPACTION_SSTABLES),
        },
    )?;
    world_knobs(&knobs.world)
}

fn world_knobs(world: &WorldKnobs) -> Result<(), Flaw> {
    let latency = &bounds::LATENCY_MICROS;
    at(
        "disk_capacity_bytes",
        within(&world.disk_capacity_bytes, &bounds::CAPACITY),
    )?;
    at(
        "disk_latency_micros_max",
        within(&world.disk_latency_micros_max, latency),
    )?;
    at(
        "network_delay_micros_max",
        within(&world.network_delay_micros_max, &bounds::DELAY_MICROS),
    )?;
    at(
        "network_bytes_per_second",
        match world.network_bytes_per_second {
            0 => Ok(()),
            rate => within(&rate, &bounds::LINK_BYTES_PER_SECOND),
        },
    )?;
    at(
        "stall_micros_max",
        within(&world.stall_micros_max, &bounds::STALL_MICROS),
    )?;
    at(
        "schedule_changes_count",
        within(&world.schedule_changes_count, &bounds::SCHEDULE_CHANGES),
    )?;
    at(
        "time_quantum_micros",
        within(&world.time_quantum_micros, &bounds::QUANTUM_MICROS),
    )?;
    at(
        "clock_offset_millis",
        within(&world.clock_offset_millis, &bounds::CLOCK_OFFSET_MILLIS),
    )?;
    at(
        "clock_drift_ppm",
        within(&world.clock_drift_ppm, &bounds::DRIFT_PPM),
    )?;
    at(
        "client_timeout_millis",
        within(&world.client_timeout_millis, &bounds::TIMEOUT_MILLIS),
    )
}

/// Whether a fault may strike at all, as far as the plan alone can tell.
pub(super) fn check_fault(fault: &Fault, clients: &[Session]) -> Result<(), String> {
    check_anchor(&fault.at, clients)?;
    let lasts = |millis| within_of("duration_millis", millis, &bounds::FAULT_MILLIS);
    match &fault.kind {
        FaultKind::Crash {
            restart_after_millis: millis,
            ..
        } => within_of("restart_after_millis", millis, &bounds::DOWN_MILLIS),
        FaultKind::Partition {
            client,
            duration_millis,
            ..
        } => {
            session(*client, clients)?;
            lasts(duration_millis)
        }
        FaultKind::Swizzle { duration_millis } | FaultKind::Pause { duration_millis } => {
            lasts(duration_millis)
        }
        FaultKind::ClockJump { millis: 0 } => Err("millis: a jump by 0 is none".to_owned()),
        FaultKind::ClockJump { millis } => within_of("millis", millis, &bounds::CLOCK_MILLIS),
        FaultKind::ClockDrift { ppm: 0, .. } => Err("ppm: a drift of 0 is none".to_owned()),
        FaultKind::ClockDrift {
            ppm,
            duration_millis,
        } => {
            within_of("ppm", ppm, &bounds::CLOCK_DRIFT_PPM)?;
            lasts(duration_millis)
        }
        FaultKind::DropPackets { count } => within_of("count", count, &bounds::DROPPED_COUNT),
        FaultKind::DiskError | FaultKind::NoSpace | FaultKind::FailSync | FaultKind::EvictCache => {
            Ok(())
        }
    }
}

fn check_anchor(anchor: &Anchor, clients: &[Session]) -> Result<(), String> {
    match anchor {
        Anchor::Time { millis } => within_of("at, in ms", millis, &bounds::ANCHOR_MILLIS),
        Anchor::Operation(OperationRef { client, index }) => {
            match session(*client, clients)?.get(*index as usize) {
                Some(_) => Ok(()),
                None => Err(format!("client {client} has no operation {index}")),
            }
        }
        Anchor::Io {
            machine,
            incarnation,
            ordinal,
            ..
        }
        | Anchor::Request {
            machine,
            incarnation,
            ordinal,
        } => {
            within_of("machine", machine, &bounds::MACHINE)?;
            within_of("incarnation", incarnation, &bounds::INCARNATION)?;
            within_of("ordinal", ordinal, &bounds::ORDINAL)
        }
    }
}

fn session(client: u16, clients: &[Session]) -> Result<&Session, String> {
    clients
        .get(usize::from(client))
        .ok_or_else(|| format!("there is no client {client}"))
}
