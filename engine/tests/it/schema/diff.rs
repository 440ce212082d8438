//! Invariants of diffs: exactly what changed, both ways.

use std::collections::BTreeMap;
use std::sync::Arc;

use cenotaph_engine::keys::DataType;
use cenotaph_engine::rows::TableId;
use cenotaph_engine::schema::{Change, ColumnKind, Schema, SchemaDiff, Table, TableName};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::{column, create, schema};

/// One of few changes over few tables, so that most are accepted and many undo one another.
fn any_change() -> impl Strategy<Value = Change> {
    let name = (0..6_u8).prop_map(|n| format!("t{n}"));
    (name, 0..4_u8, 0..3_u8, 0..100_i64).prop_map(|(name, what, n, dropped_micros)| {
        let table = TableName::new("ks", &name);
        let definition = column(&format!("w{n}"), DataType::Int, ColumnKind::Regular);
        match what {
            0 => create(&name),
            1 => Change::AddColumn {
                table,
                column: definition,
            },
            2 => Change::DropColumn {
                table,
                column: definition.name,
                dropped_micros,
            },
            _ => Change::DropTable { table },
        }
    })
}

/// Every schema on the way; refused changes leave no trace.
pub(super) fn history(changes: &[Change]) -> Vec<Schema> {
    let mut all = vec![Schema::empty()];
    for change in changes {
        let last = all.last().expect("the empty schema");
        if let Ok(next) = last.apply(change) {
            all.push(next);
        }
    }
    all
}

pub(super) fn any_history() -> impl Strategy<Value = Vec<Schema>> {
    prop::collection::vec(any_change(), 0..40).prop_map(|changes| history(&changes))
}

fn patched(tables: &Schema, diff: &SchemaDiff) -> BTreeMap<TableId, Arc<Table>> {
    let mut all: BTreeMap<_, _> = tables
        .tables()
        .map(|table| (table.id, table.clone()))
        .collect();
    for table in &diff.dropped {
        assert!(all.remove(&table.id).is_some());
    }
    for table in &diff.created {
        assert!(all.insert(table.id, table.clone()).is_none());
    }
    for (before, after) in &diff.altered {
        assert_ne!(before, after);
        assert_eq!(all.insert(after.id, after.clone()).as_ref(), Some(before));
    }
    all
}

proptest! {
    #![proptest_config(Config {
        cases: 64,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn a_diff_applied_to_the_earlier_schema_gives_the_later_one(
        all in any_history(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let (from, to) = (from.get(&all), to.get(&all));
        let expected: BTreeMap<_, _> = to.tables().map(|t| (t.id, t.clone())).collect();
        prop_assert_eq!(patched(from, &from.diff(to)), expected);
        prop_assert!(from.diff(from).is_empty());
    }

    #[test]
    fn names_and_ids_name_the_same_tables_and_no_id_is_two(all in any_history()) {
        let mut seen = BTreeMap::new();
        for schema in &all {
            for table in schema.tables() {
                prop_assert_eq!(schema.table_named(&table.name).map(|t| t.id), Some(table.id));
                let name = seen.entry(table.id).or_insert_with(|| table.name.clone());
                prop_assert_eq!(&*name, &table.name);
                prop_assert_eq!(schema.dropped_at(table.id), None);
            }
        }
        let last = all.last().expect("the empty schema");
        for id in seen.keys() {
            prop_assert!(last.table(*id).is_some() != last.dropped_at(*id).is_some());
        }
    }
}

#[test]
fn a_diff_names_the_one_table_that_changed() {
    let before = schema(&[create("a"), create("b"), create("c")]);
    let table = TableName::new("ks", "b");
    let added = column("w", DataType::Int, ColumnKind::Regular);
    let after = before.apply(&Change::AddColumn {
        table: table.clone(),
        column: added,
    });
    let diff = before.diff(&after.expect("a new column"));
    assert_eq!(diff.altered.len(), 1);
    assert_eq!(diff.altered[0].0.name, table);
    assert!(diff.created.is_empty() && diff.dropped.is_empty());
}

#[test]
fn a_table_equal_in_value_is_no_change() {
    let one = schema(&[create("a"), create("b")]);
    let two = Schema::decode(&one.encode()).expect("just encoded");
    assert_eq!(one, two);
    assert!(one.diff(&two).is_empty());
}
