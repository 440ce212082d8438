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
use super::document::Plan;
use super::fault::{Anchor, Fault, FaultKind};
use super::forms::Forms;
use super::knobs::{Knobs, WorldKnobs};
use super::operation::Operation;
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
            check_fault(fault, plan.clients.len()),
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
        within(&world.clock_offset_millis, &bounds::CLOCK_MILLIS),
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

pub(super) fn check_fault(fault: &Fault, clients_count: usize) -> Result<(), String> {
    let client = |index: u16| match usize::from(index) < clients_count {
        true => Ok(()),
        false => Err(format!("there is no client {index}")),
    };
    match &fault.at {
        Anchor::Time { millis } => within_of("at, in ms", millis, &bounds::ANCHOR_MILLIS)?,
        Anchor::Operation(operation) => client(operation.client)?,
        Anchor::Io {
            machine,
            incarnation,
            ordinal,
            ..
        } => {
            within_of("machine", machine, &bounds::MACHINE)?;
            within_of("incarnation", incarnation, &bounds::INCARNATION)?;
            within_of("ordinal", ordinal, &bounds::ORDINAL)?;
        }
    }
    match &fault.kind {
        FaultKind::Crash {
            restart_after_millis: millis,
            ..
        } => within_of("restart_after_millis", millis, &bounds::FAULT_MILLIS),
        FaultKind::Partition {
            client: index,
            duration_millis,
        } => {
            client(*index)?;
            within_of("duration_millis", duration_millis, &bounds::FAULT_MILLIS)
        }
        FaultKind::ClockJump { millis } => within_of("millis", millis, &bounds::CLOCK_MILLIS),
        FaultKind::DropPackets { count } => within_of("count", count, &bounds::DROPPED_COUNT),
        FaultKind::DiskError | FaultKind::NoSpace | FaultKind::FailSync | FaultKind::EvictCache => {
            Ok(())
        }
    }
}
