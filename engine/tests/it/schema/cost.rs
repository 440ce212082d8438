//! Invariants of cost: a change and a diff cost the same at any number of tables.

use std::cell::Cell;
use std::fmt::Write;
use std::sync::Arc;

use cenotaph_engine::schema::Schema;
use cenotaph_snapshots::golden;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::create;

thread_local! {
    static COMPARED: Cell<u64> = const { Cell::new(0) };
}

/// A value that counts how often it is compared.
#[derive(Clone, Debug)]
struct Counted(u64);

impl PartialEq for Counted {
    fn eq(&self, other: &Counted) -> bool {
        COMPARED.set(COMPARED.get() + 1);
        self.0 == other.0
    }
}

#[test]
fn a_diff_compares_no_more_tables_among_many_than_among_few() {
    let mut text = String::from("tables  compared\n");
    for count in [1_000, 8_000] {
        let before: OrdMap<u64, Counted> = (0..count).map(|id| (id, Counted(id))).collect();
        let after = before.update(count / 2, Counted(0));
        COMPARED.set(0);
        let found = before
            .diff(&after)
            .filter(|item| matches!(item, DiffItem::Update { .. }));
        assert_eq!(found.count(), 1);
        writeln!(text, "{count:>6}  {:>8}", COMPARED.get()).expect("a string takes all");
    }
    golden!(
        "engine/schema",
        "diff_cost",
        "The map under a schema compares one leaf's entries in a diff, at 1,000 tables and at 8,000.",
        text
    );
}

#[test]
fn a_change_shares_every_table_that_it_does_not_touch() {
    let before = (0..2_000).fold(Schema::empty(), |schema, n| {
        schema.apply(&create(&format!("t{n}"))).expect("a new name")
    });
    let after = before.apply(&create("one_more")).expect("a new name");
    let kept = before.tables().zip(after.tables());
    assert!(kept.into_iter().all(|(a, b)| Arc::ptr_eq(a, b)));
    assert_eq!(before.diff(&after).created.len(), 1);
}
