//! Steps of a case: prepare its statements; merge what they write in every order and grouping; put it to every
//! place; look at what is stored and what a reader sees.

use cenotaph_engine::keys::{Order, Slice, Value};
use cenotaph_engine::message::{ListIds, OrderBy, ReadStatement, ResultSet};
use cenotaph_engine::read::{execute, merge};
use cenotaph_engine::rows::{Mutation, Partition};
use cenotaph_engine::schema::{Schema, TableName};

use super::notation::{seen, stored};
use super::orders::every_merge;
use super::places::{layouts, sources};
use super::statements::Write;
use super::tables::{schema, table};

/// Some writes, what they leave, and what a reader sees at some wall seconds.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) writes: Vec<Write>,
    pub(crate) stored: &'static str,
    pub(crate) seen: &'static [(u32, &'static str)],
    pub(crate) order: Order,
}

/// Cases by name: `writes => what is stored; at second => what is seen`. Makes a test of each, and `all`.
macro_rules! cases {
    ($order:ident $($name:ident: [$($write:expr),+] => $stored:literal
        $(, $now:literal => $seen:literal)+;)+) => {
        pub(super) fn all() -> Vec<$crate::merge::case::Case> {
            vec![$($crate::merge::case::Case {
                name: stringify!($name),
                writes: vec![$($write),+],
                stored: $stored,
                seen: &[$(($now, $seen)),+],
                order: cenotaph_engine::keys::Order::$order,
            }),+]
        }

        $(#[test]
        fn $name() {
            let mut cases = all().into_iter();
            cases.find(|case| case.name == stringify!($name)).expect("a case").check();
        })+
    };
}

impl Case {
    /// Checks all of it.
    pub(crate) fn check(&self) {
        let schema = schema(self.order);
        let mutations = prepare(&self.writes, &schema);
        let versions: Vec<Partition> = mutations.iter().map(|m| m.update.clone()).collect();
        let expected = merge(versions.clone());
        assert_eq!(stored(table(&schema), &expected), self.stored, "merged");
        assert!(expected.is_canonical());
        every_merge(&versions, |merged| assert_eq!(merged, expected));
        for layout in layouts(mutations.len()) {
            for now in self.seen {
                let all = merge(sources(&mutations, &layout, &Slice::ALL));
                assert_eq!(stored(table(&schema), &all), self.stored, "{layout:?}");
                let whole = result(&schema, &select(), now.0, &mutations, &layout);
                assert_eq!(seen(&whole), now.1, "{layout:?} at {}", now.0);
                check_directions(&schema, now.0, &mutations, &layout, &whole);
            }
        }
    }

    /// Whether no second plays a part, so that it can be run on a node with its own clock.
    pub(crate) fn is_timeless(&self) -> bool {
        self.writes
            .iter()
            .all(|write| write.statement.ttl_seconds.is_none())
    }
}

/// A read reversed, and reads of one row each, see the same.
fn check_directions(
    schema: &Schema,
    now: u32,
    mutations: &[Mutation],
    layout: &[usize],
    whole: &ResultSet,
) {
    let reversed = ReadStatement {
        order_by: Some(OrderBy {
            column: "ck".into(),
            order: opposite(schema),
        }),
        ..select()
    };
    let mut back = result(schema, &reversed, now, mutations, layout);
    back.rows.reverse();
    assert_eq!(&back, whole, "reversed");
    for row in &whole.rows {
        let edge = Some(cenotaph_engine::message::Edge {
            values: vec![("ck".into(), row.clustering[0].clone())],
            inclusive: true,
        });
        let one = ReadStatement {
            lower: edge.clone(),
            upper: edge,
            ..select()
        };
        let found = result(schema, &one, now, mutations, layout);
        assert_eq!(found.rows, std::slice::from_ref(row), "one row");
    }
}

fn opposite(schema: &Schema) -> Order {
    match table(schema).clustering_shape().columns[0].order {
        Order::Ascending => Order::Descending,
        Order::Descending => Order::Ascending,
    }
}

/// The mutations of the writes, all by one node.
pub(crate) fn prepare(writes: &[Write], schema: &Schema) -> Vec<Mutation> {
    let ids = ListIds::new(1);
    let prepared = |write: &Write| {
        let mutation = write.statement.prepare(schema, write.now, &ids);
        mutation.expect("the case's statement fits")
    };
    writes.iter().map(prepared).collect()
}

/// A read of all of partition 1.
pub(crate) fn select() -> ReadStatement {
    ReadStatement {
        table: TableName::new("k", "t"),
        partition_key: vec![("pk".into(), Value::Int(1))],
        columns: None,
        lower: None,
        upper: None,
        order_by: None,
        limit: None,
    }
}

/// What a read finds in a layout.
pub(crate) fn result(
    schema: &Schema,
    read: &ReadStatement,
    now: u32,
    mutations: &[Mutation],
    layout: &[usize],
) -> ResultSet {
    let command = read.prepare(schema, now).expect("the read fits");
    let merged = merge(sources(mutations, layout, &command.slice));
    let found = execute(&command, table(schema), merged).expect("what is stored is whole");
    ResultSet::new(&command, table(schema), found)
}
