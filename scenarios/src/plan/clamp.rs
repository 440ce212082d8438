//! Steps from any plan to a valid one: turn knobs back into their bounds, then leave out every
//! operation and fault that does not fit. For inputs that a fuzzer made, where an error is a waste.

use std::collections::BTreeSet;

use super::bounds;
use super::document::Plan;
use super::forms::Forms;
use super::knobs::Knobs;
use super::operation::Operation;
use super::validate;
use super::value::Value;

impl Plan {
    /// The nearest valid plan by leaving things out.
    #[must_use]
    pub fn clamped(mut self) -> Plan {
        self.format = Plan::FORMAT;
        self.bug = self.bug.filter(|bug| validate::planted(bug).is_ok());
        if validate::name(&self.scenario).is_err() {
            self.scenario = "none".to_owned();
        }
        clamp_knobs(&mut self.knobs);
        self.clients.truncate(*bounds::CLIENTS.end());
        if self.clients.is_empty() {
            self.clients.push(Vec::new());
        }
        let mut forms = Forms::default();
        for session in &mut self.clients {
            session.truncate(bounds::OPERATIONS_MAX);
            session
                .retain(|operation| !operation.is_schema_change() || learn(&mut forms, operation));
        }
        let mut values: BTreeSet<Value> = BTreeSet::new();
        for session in &mut self.clients {
            session.retain(|operation| {
                forms.check(operation).is_ok() && is_new(operation, &mut values)
            });
        }
        self.faults
            .retain(|fault| validate::check_fault(fault, &self.clients).is_ok());
        self.faults.truncate(bounds::FAULTS_MAX);
        self
    }
}

/// A statement that is wrong by itself must not shape its table.
fn learn(forms: &mut Forms, operation: &Operation) -> bool {
    Forms::default().check(operation).is_ok() && forms.learn(operation).is_ok()
}

fn is_new(operation: &Operation, seen: &mut BTreeSet<Value>) -> bool {
    let values = operation.unique();
    let distinct: BTreeSet<Value> = values.iter().map(|value| value.to_value()).collect();
    let is_new = distinct.len() == values.len() && distinct.is_disjoint(seen);
    if is_new {
        seen.extend(distinct);
    }
    is_new
}

fn clamp_knobs(knobs: &mut Knobs) {
    let engine = &mut knobs.engine;
    clamp(
        &mut engine.commitlog_period_millis,
        &bounds::COMMITLOG_MILLIS,
    );
    clamp(
        &mut engine.commitlog_window_millis,
        &bounds::COMMITLOG_MILLIS,
    );
    clamp(&mut engine.segment_size_bytes, &bounds::SEGMENT_SIZE);
    clamp(&mut engine.memtable_size_bytes, &bounds::MEMTABLE_SIZE);
    clamp(&mut engine.block_size_bytes, &bounds::BLOCK_SIZE);
    clamp(
        &mut engine.schema_flush_window_millis,
        &bounds::FLUSH_WINDOW_MILLIS,
    );
    if engine.compaction_sstables_min != 0 {
        clamp(
            &mut engine.compaction_sstables_min,
            &bounds::COMPACTION_SSTABLES,
        );
    }
    let world = &mut knobs.world;
    clamp(&mut world.disk_capacity_bytes, &bounds::CAPACITY);
    clamp(&mut world.disk_latency_micros_max, &bounds::LATENCY_MICROS);
    clamp(&mut world.network_delay_micros_max, &bounds::DELAY_MICROS);
    if world.network_bytes_per_second != 0 {
        clamp(
            &mut world.network_bytes_per_second,
            &bounds::LINK_BYTES_PER_SECOND,
        );
    }
    clamp(&mut world.stall_micros_max, &bounds::STALL_MICROS);
    clamp(&mut world.schedule_changes_count, &bounds::SCHEDULE_CHANGES);
    clamp(&mut world.time_quantum_micros, &bounds::QUANTUM_MICROS);
    clamp(&mut world.clock_offset_millis, &bounds::CLOCK_OFFSET_MILLIS);
    clamp(&mut world.clock_drift_ppm, &bounds::DRIFT_PPM);
    clamp(&mut world.client_timeout_millis, &bounds::TIMEOUT_MILLIS);
}

fn clamp<T: Ord + Copy>(value: &mut T, range: &std::ops::RangeInclusive<T>) {
    *value = (*value).clamp(*range.start(), *range.end());
}
