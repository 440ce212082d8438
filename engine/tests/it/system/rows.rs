//! Invariants under test: the tables are what their page says; the cost is that of what changed; the largest row fits;
//! what cannot be is refused.

use std::fmt::Write;

use cenotaph_engine::keys::{
    CollectionType, ColumnType, DataType, DecoratedKey, Field, PartitionKey,
};
use cenotaph_engine::limits::{
    COLUMN_TYPE_SIZE_MAX, EPOCH_MAX, NAME_SIZE_MAX, SYSTEM_ROW_SIZE_MAX,
};
use cenotaph_engine::rows::{Cell, Liveness, Partition, Row};
use cenotaph_engine::schema::{Change, ColumnKind, Epoch, Schema, TableName};
use cenotaph_engine::system::{Projection, RowChanges, SYSTEM_KEYSPACE, Stamp, SystemTable};
use cenotaph_snapshots::golden;

use super::support::{Rows, create, enacted, history};
use crate::schema::column;

fn add(table: &TableName, name: &str) -> Change {
    Change::AddColumn {
        table: table.clone(),
        column: column(name, DataType::Int, ColumnKind::Regular),
    }
}

fn drop_column(table: &TableName, name: &str) -> Change {
    Change::DropColumn {
        table: table.clone(),
        column: name.into(),
        dropped_micros: -7,
    }
}

#[test]
fn the_tables_are_what_their_page_says() {
    let mut text = String::new();
    for system in SystemTable::ALL {
        let table = system.definition();
        assert_eq!(SystemTable::of_id(table.id), Some(system));
        assert_eq!(SystemTable::named(&table.name), Some(system));
        writeln!(text, "{:016x}", table.id.0).expect("a string takes all");
        for column in &table.columns {
            writeln!(text, "{:>4} {}", column.id.0, column.name).expect("a string takes all");
        }
        writeln!(text, "{table}\n").expect("a string takes all");
    }
    golden!(
        "engine/system",
        "tables",
        "The schema's own tables: ids, column ids, definitions.",
        text
    );
}

#[test]
fn names_outside_the_keyspace_are_none_of_them() {
    for name in [
        ("system", "tables"),
        (SYSTEM_KEYSPACE, "views"),
        ("ks", "tables"),
    ] {
        assert_eq!(SystemTable::named(&TableName::new(name.0, name.1)), None);
    }
}

#[test]
fn each_change_writes_the_rows_of_what_changed() {
    let (t, u) = (TableName::new("ks", "t"), TableName::new("ks", "u"));
    let changes = [
        create(t.clone(), 1),
        create(u.clone(), 0),
        add(&t, "x"),
        drop_column(&t, "x"),
        add(&t, "x"),
        Change::DropTable { table: u },
        Change::DropTable { table: t },
    ];
    let all = history(&changes);
    assert_eq!(all.len(), changes.len() + 1, "all are accepted");
    let mut text = String::new();
    let mut rows = Rows::default();
    for (index, change) in changes.iter().enumerate() {
        let mutations = enacted(&all, &[index, index + 1], 4_096);
        let size: usize = mutations
            .iter()
            .map(|mutation| mutation.encode().len())
            .sum();
        let first = change.to_string();
        let first = first.lines().next().unwrap_or_default();
        let count = mutations.len();
        writeln!(text, "{first}\n  -- {count} mutations of {size} bytes").expect("a string");
        for mutation in &mutations {
            let table = SystemTable::of_id(mutation.table).expect("one of the schema's own");
            let update = &mutation.update;
            let (name, ranges) = (table.name(), update.ranges.len());
            let dead = |row: &&Row| row.liveness.is_none();
            let deleted = update.rows.values().filter(dead).count();
            let written = update.rows.len() - deleted;
            writeln!(
                text,
                "  {name}: {written} written, {deleted} deleted, {ranges} ranges deleted"
            )
            .expect("a string");
        }
        rows.apply(&mutations);
        let projection = rows.projection(all[index + 1].epoch());
        assert_eq!(projection, Projection::of_schema(&all[index + 1]));
    }
    assert!(rows.projection(all[7].epoch()).is_empty());
    golden!(
        "engine/system",
        "mutations",
        "A change writes the rows of what changed and no others.",
        text
    );
}

#[test]
fn a_change_among_many_tables_writes_as_much_as_among_few() {
    let sizes = [10, 1_000].map(|count| {
        let names = (0..count).map(|n| TableName::new("ks", &format!("t{n:04}")));
        let mut changes: Vec<Change> = names.map(|name| create(name, 0)).collect();
        changes.push(add(&TableName::new("ks", "t0005"), "x"));
        let all = history(&changes);
        let mutations = enacted(&all, &[all.len() - 2, all.len() - 1], 4_096);
        let rows = mutations.iter().map(|mutation| mutation.update.rows.len());
        (mutations.len(), rows.sum::<usize>())
    });
    assert_eq!(sizes, [(2, 2), (2, 2)]);
}

#[test]
fn the_largest_row_fits_the_smallest_mutation() {
    let name = |first: &str| first.repeat(NAME_SIZE_MAX);
    let table = TableName::new(&name("k"), &name("t"));
    let longest = longest_type();
    assert!(longest.to_string().len() > COLUMN_TYPE_SIZE_MAX - 8);
    let mut widest = column(&name("c"), DataType::Int, ColumnKind::Regular);
    widest.data_type = longest;
    let changes = [
        create(table.clone(), 3),
        Change::AddColumn {
            table: table.clone(),
            column: widest,
        },
        drop_column(&table, &name("c")),
        Change::DropTable { table },
    ];
    let all = history(&changes);
    assert_eq!(all.len(), changes.len() + 1, "all are accepted");
    let mut largest = 0;
    for pair in all.windows(2) {
        let changes = RowChanges::enacted(&pair[0], &pair[1], &pair[0].diff(&pair[1]));
        let stamp = Stamp::mended(Epoch(EPOCH_MAX));
        for mutation in changes.mutations(stamp, u32::MAX, SYSTEM_ROW_SIZE_MAX) {
            largest = largest.max(mutation.encode().len());
        }
    }
    assert!(largest <= SYSTEM_ROW_SIZE_MAX, "{largest}");
    assert!(
        largest > SYSTEM_ROW_SIZE_MAX / 2,
        "{largest} is far below: the limit is too generous"
    );
}

#[test]
fn a_row_from_an_epoch_that_the_metadata_log_does_not_reach_is_refused() {
    let all = history(&[create(TableName::new("ks", "t"), 0)]);
    let mut rows = Rows::default();
    rows.apply(&enacted(&all, &[0, 1], 4_096));
    let key = DecoratedKey::new(PartitionKey(bytes_of("ks")));
    let row = Row {
        liveness: Some(Liveness::plain(Stamp::enacted(Epoch(1)).rows())),
        ..Row::default()
    };
    let mut partition = Partition::default();
    partition.apply_row(cenotaph_engine::keys::Clustering::ONLY, row);
    let mut projection = Projection::default();
    assert!(
        projection
            .add(SystemTable::Keyspaces, &key, &partition, Epoch(1))
            .is_ok()
    );
    let refused = projection.add(SystemTable::Keyspaces, &key, &partition, Epoch(0));
    let error = refused.expect_err("a row of the future");
    assert!(error.is_corruption());
    assert_eq!(
        error.to_string(),
        "system_schema.keyspaces of keyspace ks holds changes after epoch 0, at which the metadata log ends"
    );
}

#[test]
fn a_row_that_says_what_no_schema_says_is_told_with_its_key() {
    let all = history(&[create(TableName::new("ks", "t"), 0)]);
    let mut rows = Rows::default();
    rows.apply(&enacted(&all, &[0, 1], 4_096));
    let system = SystemTable::Columns;
    let kind = system
        .definition()
        .column_named("kind")
        .expect("there is one");
    let shape = system.definition().clustering_shape();
    let text = |name: &str| cenotaph_engine::keys::Value::Text(name.into());
    let position = shape
        .clustering(&[text("t"), text("a")])
        .expect("two texts");
    let mut update = Partition::default();
    let mut row = Row::default();
    row.put(kind.id, Cell::plain(6, bytes_of("kind of")));
    update.apply_row(position, row);
    rows.apply(&[cenotaph_engine::rows::Mutation {
        table: system.id(),
        key: DecoratedKey::new(PartitionKey(bytes_of("ks"))),
        update,
    }]);
    let error = rows
        .projection(Epoch(1))
        .tables()
        .expect_err("no such kind");
    assert_eq!(error.to_string(), "columns: ks.t.a: no kind of column");
    let (mended, written, deleted) = rows.mend(&all[1], 4_096);
    assert_eq!((written, deleted), (1, 0));
    rows.apply(&mended);
    let expected: Projection = Projection::of_schema(&all[1]);
    assert_eq!(rows.projection(Epoch(1)), expected);
}

#[test]
fn an_empty_schema_has_no_rows_and_nothing_to_mend() {
    assert!(Projection::of_schema(&Schema::empty()).is_empty());
    let (mutations, _, _) = Rows::default().mend(&Schema::empty(), 4_096);
    assert_eq!(mutations, []);
}

/// A struct whose text is as long as may be, or a few bytes less.
fn longest_type() -> ColumnType {
    let (mut fields, mut longest) = (Vec::new(), None);
    loop {
        fields.push(Field {
            name: format!("f{}", fields.len()).into(),
            data_type: DataType::Int,
        });
        let data_type = ColumnType::Frozen(CollectionType::Struct(fields.clone()));
        if data_type.to_string().len() > COLUMN_TYPE_SIZE_MAX {
            return longest.expect("one field is short");
        }
        longest = Some(data_type);
    }
}

fn bytes_of(text: &str) -> bytes::Bytes {
    bytes::Bytes::copy_from_slice(text.as_bytes())
}
