//! Invariants of metrics: a fixed order, and nothing wraps.

use std::rc::Rc;

use cenotaph_engine::metrics::{Metrics, TableMetrics};

#[test]
fn metrics_print_in_a_fixed_order_without_zeros() {
    let metrics = Metrics::default();
    metrics.table(9).writes.add(3);
    metrics.table(2).reads.increment();
    metrics.node.flushes.increment();
    metrics.node.log_sync_nanos_max.observe(5);
    metrics.node.log_sync_nanos_max.observe(4);
    let text = "log_sync_nanos_max 5\nflushes 1\ntable 2 reads 1\ntable 9 writes 3\n";
    assert_eq!(metrics.to_string(), text);
}

#[test]
fn a_table_has_one_set_until_it_is_forgotten() {
    let metrics = Metrics::default();
    assert!(Rc::ptr_eq(&metrics.table(1), &metrics.table(1)));
    metrics.table(1).writes.increment();
    metrics.forget_table(1);
    assert_eq!(metrics.table_ids(), []);
    assert_eq!(metrics.table(1).writes.get(), 0);
}

#[test]
fn a_counter_stays_at_the_largest_number() {
    let metrics = Metrics::default();
    metrics.node.log_bytes.add(u64::MAX);
    metrics.node.log_bytes.add(2);
    assert_eq!(metrics.node.log_bytes.get(), u64::MAX);
}

#[test]
fn a_tables_metrics_take_a_word_each() {
    let words = TableMetrics::default().values().len();
    assert_eq!(size_of::<TableMetrics>(), words * size_of::<u64>());
}
