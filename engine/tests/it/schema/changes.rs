//! Invariants of changes: pure, refused with a reason, and ids are never used again.

use std::fmt::Write;

use cenotaph_engine::keys::{CollectionType, ColumnType, DataType, Field, Order};
use cenotaph_engine::limits::{COLUMNS_PER_TABLE_MAX, KEY_COLUMNS_MAX, NAME_SIZE_MAX};
use cenotaph_engine::rows::{ColumnId, TableId};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, Epoch, PurgeOptions, Schema, SchemaError, TableName,
    TombstoneOption,
};
use cenotaph_snapshots::golden;

use super::{column, create, schema};

fn add(table: &str, definition: ColumnDefinition) -> Change {
    Change::AddColumn {
        table: TableName::new("ks", table),
        column: definition,
    }
}

fn drop_column(table: &str, name: &str, dropped_micros: i64) -> Change {
    let (table, column) = (TableName::new("ks", table), name.to_owned());
    Change::DropColumn {
        table,
        column: column.into(),
        dropped_micros,
    }
}

fn drop_table(table: &str) -> Change {
    Change::DropTable {
        table: TableName::new("ks", table),
    }
}

#[test]
fn a_table_takes_the_epoch_that_creates_it_as_its_id_for_ever() {
    let before = schema(&[create("a"), create("t")]);
    let old = before
        .table_named(&TableName::new("ks", "t"))
        .expect("created")
        .id;
    assert_eq!(old, TableId(2));
    let dropped = before.apply(&drop_table("t")).expect("there is one");
    assert_eq!(dropped.table(old), None);
    assert_eq!(dropped.dropped_at(old), Some(Epoch(3)));
    let again = dropped.apply(&create("t")).expect("the name is free");
    assert_eq!(
        again.table_named(&TableName::new("ks", "t")).map(|t| t.id),
        Some(TableId(4))
    );
    assert_eq!(again.dropped_at(old), Some(Epoch(3)));
    assert_eq!(
        (before.table_count(), before.epoch()),
        (2, Epoch(2)),
        "a change is pure"
    );
}

#[test]
fn a_dropped_column_comes_back_under_its_number_without_what_it_held() {
    let name = TableName::new("ks", "t");
    let text = || column("w", DataType::Text, ColumnKind::Regular);
    let one = schema(&[create("t"), add("t", text()), drop_column("t", "w", 70)]);
    let table = one.table_named(&name).expect("created");
    assert_eq!(table.column_named("w"), None);
    assert_eq!(table.dropped_micros(ColumnId(4)), Some(70));

    let two = one.apply(&add("t", text())).expect("the same column");
    let table = two.table_named(&name).expect("created");
    assert_eq!(
        table.column_named("w").map(|column| column.id),
        Some(ColumnId(4))
    );
    assert_eq!(table.dropped_micros(ColumnId(4)), Some(70));

    let three = two.apply(&drop_column("t", "w", 60)).expect("live again");
    let table = three.table_named(&name).expect("created");
    assert_eq!(
        table.dropped_micros(ColumnId(4)),
        Some(70),
        "the later of two drops counts"
    );
    let fresh = three.apply(&add("t", column("x", DataType::Int, ColumnKind::Regular)));
    let table = fresh.expect("a new column");
    let table = table.table_named(&name).expect("created");
    assert_eq!(
        table.column_named("x").map(|column| column.id),
        Some(ColumnId(5))
    );
}

#[test]
fn of_two_drops_of_one_column_the_larger_time_wins() {
    let column = || column("v", DataType::Blob, ColumnKind::Regular);
    for (first, second) in [(100, 50), (50, 100), (100, 100)] {
        let twice = schema(&[
            create("t"),
            drop_column("t", "v", first),
            add("t", column()),
            drop_column("t", "v", second),
            add("t", column()),
        ]);
        let table = twice.tables().next().expect("it was created");
        let id = table.column_named("v").expect("it is back").id;
        assert_eq!(table.dropped_micros(id), Some(100), "{first}, {second}");
        assert!(table.is_dropped(id, 100) && !table.is_dropped(id, 101));
        assert_eq!(table.dropped.len(), 1);
    }
}

fn key(name: &str) -> ColumnDefinition {
    column(name, DataType::Int, ColumnKind::PartitionKey)
}

fn regular(name: &str) -> ColumnDefinition {
    column(name, DataType::Int, ColumnKind::Regular)
}

fn still(name: &str) -> ColumnDefinition {
    column(name, DataType::Int, ColumnKind::Static)
}

fn sorted(name: &str) -> ColumnDefinition {
    let kind = ColumnKind::Clustering(Order::Ascending);
    column(name, DataType::Int, kind)
}

fn many(count: usize, make: fn(&str) -> ColumnDefinition) -> Vec<ColumnDefinition> {
    (0..count).map(|n| make(&format!("c{n}"))).collect()
}

fn create_with(keyspace: &str, name: &str, columns: Vec<ColumnDefinition>) -> Change {
    Change::CreateTable {
        name: TableName::new(keyspace, name),
        columns,
        gc_grace_seconds: 0,
        purge: PurgeOptions::default(),
    }
}

/// Every way to be refused: the statement's gist, and the statement.
fn refused_changes() -> Vec<(&'static str, Change)> {
    let with = |columns| create_with("ks", "u", columns);
    let named = |keyspace, name| create_with(keyspace, name, vec![key("k")]);
    let long = "n".repeat(NAME_SIZE_MAX + 1);
    let wide_clustering = [vec![key("k")], many(KEY_COLUMNS_MAX + 1, sorted)].concat();
    let text = |kind| column("w", DataType::Text, kind);
    let map = || CollectionType::Map(DataType::Int, DataType::Text);
    let map_of = |name: &str, kind| column(name, map(), kind);
    let frozen_map = column("m", ColumnType::Frozen(map()), ColumnKind::Regular);
    let fields = |names: &[&str]| {
        let field = |name: &&str| Field {
            name: (*name).into(),
            data_type: DataType::Int,
        };
        let fields = CollectionType::Struct(names.iter().map(field).collect());
        column("u", fields, ColumnKind::Regular)
    };
    vec![
        ("create what exists", create("t")),
        ("no such table", drop_table("u")),
        ("no such column", drop_column("t", "u", 0)),
        ("column twice", with(vec![key("k"), regular("k")])),
        ("column exists", add("t", regular("v"))),
        ("name with space", named("ks", "a b")),
        ("name in capitals", named("ks", "T")),
        ("empty name", named("", "u")),
        ("digit first", add("t", regular("1a"))),
        ("long name", named("ks", &long)),
        ("the system's", named("system_schema", "u")),
        (
            "a map as key",
            with(vec![map_of("k", ColumnKind::PartitionKey)]),
        ),
        (
            "a set as clustering",
            with(vec![key("k"), map_of("c", sorted("c").kind)]),
        ),
        ("struct, no fields", add("t", fields(&[]))),
        ("struct, field twice", add("t", fields(&["a", "b", "a"]))),
        (
            "struct, too long",
            add("t", fields(&["a", &"n".repeat(60)])),
        ),
        ("struct, no name", add("t", fields(&["A"]))),
        ("back as a map", add("t", map_of("w", ColumnKind::Regular))),
        ("back frozen", add("t", frozen_map)),
        (
            "static map, one row",
            with(vec![key("k"), map_of("s", ColumnKind::Static)]),
        ),
        ("no partition key", with(vec![regular("v")])),
        ("static, one row", with(vec![key("k"), still("s")])),
        ("add to the key", add("t", sorted("d"))),
        ("drop from the key", drop_column("t", "c", 0)),
        ("back as another type", add("t", regular("w"))),
        ("back as another kind", add("t", text(ColumnKind::Static))),
        (
            "too many columns",
            with(many(COLUMNS_PER_TABLE_MAX + 1, regular)),
        ),
        ("too wide a key", with(many(KEY_COLUMNS_MAX + 1, key))),
        ("too wide a clustering", with(wide_clustering)),
    ]
}

#[test]
fn a_refused_change_says_why() {
    let map = CollectionType::Map(DataType::Int, DataType::Text);
    let base = schema(&[
        create("t"),
        add("t", column("w", DataType::Text, ColumnKind::Regular)),
        drop_column("t", "w", 5),
        add("t", column("m", map, ColumnKind::Regular)),
        drop_column("t", "m", 6),
    ]);
    let mut text = String::new();
    for (gist, change) in refused_changes() {
        let answer = base.apply(&change).expect_err("must be refused");
        writeln!(text, "{gist:<24}{answer}").expect("a string takes all");
    }
    golden!(
        "engine/schema",
        "refusals",
        "Every refused change says why.",
        text
    );
}

#[test]
fn no_name_is_created_beyond_the_maximum_of_columns() {
    let mut columns = vec![column("k", DataType::Int, ColumnKind::PartitionKey)];
    columns.extend(
        (1..COLUMNS_PER_TABLE_MAX)
            .map(|n| column(&format!("c{n}"), DataType::Int, ColumnKind::Regular)),
    );
    let name = TableName::new("ks", "t");
    let change = Change::CreateTable {
        name,
        columns,
        gc_grace_seconds: 0,
        purge: PurgeOptions::default(),
    };
    assert!(change.encode().is_ok(), "the widest table fits one change");
    let widest = Schema::empty().apply(&change).expect("just within");
    let one_more = add("t", column("x", DataType::Int, ColumnKind::Regular));
    assert!(matches!(
        widest.apply(&one_more),
        Err(SchemaError::Limit { .. })
    ));
    let freed = widest.apply(&drop_column("t", "c1", 0)).expect("live");
    assert!(
        matches!(freed.apply(&one_more), Err(SchemaError::Limit { .. })),
        "names are kept"
    );
    let back = add("t", column("c1", DataType::Int, ColumnKind::Regular));
    assert!(freed.apply(&back).is_ok());
}

#[test]
fn changes_and_tables_print_as_cql() {
    let changes = [
        create("t"),
        Change::CreateTable {
            name: TableName::new("ks", "order"),
            columns: vec![
                column("a", DataType::Text, ColumnKind::PartitionKey),
                column("b", DataType::Boolean, ColumnKind::PartitionKey),
                column("from", DataType::Int, ColumnKind::Regular),
            ],
            gc_grace_seconds: 0,
            purge: PurgeOptions {
                only_purge_repaired_tombstones: true,
                provide_overlapping_tombstones: TombstoneOption::Row,
            },
        },
        add("t", column("w", DataType::Text, ColumnKind::Static)),
        drop_column("t", "v", 1_000),
        drop_table("order"),
    ];
    let mut text = String::new();
    for change in &changes {
        writeln!(text, "{change}").expect("a string takes all");
    }
    text.push_str("\n-- the tables then\n");
    for table in schema(&changes).tables() {
        writeln!(text, "{table}").expect("a string takes all");
    }
    golden!(
        "engine/schema",
        "cql",
        "Changes and tables print as the CQL that says them.",
        text
    );
}
