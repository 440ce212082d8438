//! Invariants of encodings: what is decoded was encoded, or keeps the same rules; the bytes are frozen.

use std::fmt::Write;

use cenotaph_engine::keys::{ColumnType, DataType};
use cenotaph_engine::schema::{Change, ColumnKind, PurgeOptions, Schema, SchemaError, TableName};
use cenotaph_snapshots::golden;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::diff::any_history;
use super::{column, create, every_collection, schema};

fn hex(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).map(|line| {
        line.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn samples() -> [Change; 5] {
    let table = TableName::new("ks", "t");
    let added = column("w", DataType::Text, ColumnKind::Regular);
    let collections = every_collection().map(|collection| {
        let frozen = ColumnType::Frozen(collection.clone());
        (ColumnType::from(collection), frozen)
    });
    let mut columns = vec![column("k", DataType::Int, ColumnKind::PartitionKey)];
    for (number, (many, frozen)) in collections.into_iter().enumerate() {
        columns.push(column(&format!("c{number}"), many, ColumnKind::Regular));
        columns.push(column(&format!("f{number}"), frozen, ColumnKind::Regular));
    }
    let create_collections = Change::CreateTable {
        name: TableName::new("ks", "collections"),
        columns,
        gc_grace_seconds: 60,
        purge: PurgeOptions::default(),
    };
    [
        create_collections,
        create("t"),
        Change::AddColumn {
            table: table.clone(),
            column: added,
        },
        Change::DropColumn {
            table: table.clone(),
            column: "w".into(),
            dropped_micros: 7,
        },
        Change::DropTable { table },
    ]
}

#[test]
fn the_bytes_of_changes_and_schemas_are_frozen() {
    let mut text = String::new();
    for change in samples() {
        let bytes = change.encode().expect("small");
        assert_eq!(Change::decode(&bytes), Ok(change.clone()));
        writeln!(text, "{change}\n{}", hex(&bytes)).expect("a string takes all");
    }
    let schema = schema(&[&samples()[..], &samples()[1..4]].concat());
    writeln!(text, "-- the schema then\n{}", hex(&schema.encode())).expect("a string takes all");
    golden!(
        "engine/schema",
        "encoding",
        "Version 3 of encoded changes and schemas.",
        text
    );
}

#[test]
fn bytes_cut_short_or_left_over_are_no_change() {
    for change in samples() {
        let bytes = change.encode().expect("small");
        for size in 0..bytes.len() {
            let cut = Change::decode(&bytes[..size]);
            assert!(
                matches!(cut, Err(SchemaError::Encoding { .. })),
                "{size}: {cut:?}"
            );
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(matches!(
            Change::decode(&longer),
            Err(SchemaError::Encoding { .. })
        ));
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 64,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn any_schema_comes_back_from_its_bytes(all in any_history()) {
        for schema in all {
            prop_assert_eq!(Schema::decode(&schema.encode()), Ok(schema));
        }
    }

    #[test]
    fn a_schema_from_damaged_bytes_is_refused_or_keeps_the_rules(
        all in any_history(),
        at in any::<prop::sample::Index>(),
        flip in 1..=255_u8,
    ) {
        let mut bytes = all.last().expect("the empty schema").encode();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        if let Ok(schema) = Schema::decode(&bytes) {
            for table in schema.tables() {
                prop_assert_eq!(schema.table_named(&table.name).map(|t| t.id), Some(table.id));
            }
            let again = Schema::decode(&schema.encode());
            prop_assert_eq!(again, Ok(schema));
        }
    }
}
