//! Invariants tests of statements as CQL.

use cenotaph_engine::keys::Order;
use cenotaph_engine::message::{
    Edge, OrderBy, ReadStatement, Request, WriteStatement, WriteTarget,
};

use super::support::{edge, insert, int, select, set, write};
use crate::read::support::table_name;

fn range(lower: Option<Edge>, upper: Option<Edge>) -> WriteStatement {
    write(WriteTarget::DeleteRange { lower, upper })
}

#[test]
fn every_statement_displays_as_its_cql() {
    let row = || vec![int("ck", 2)];
    let (a, b) = (int("a", 1), int("b", 3));
    let both = [a.clone(), b.clone()];
    let just_a = [a];
    let statements: Vec<String> = vec![
        insert(&[("v", Some("it's")), ("w", None)]).to_string(),
        WriteStatement {
            ttl_seconds: Some(60),
            ..insert(&[])
        }
        .to_string(),
        WriteStatement {
            ttl_seconds: Some(60),
            ..write(WriteTarget::Update {
                clustering: row(),
                columns: set(&[("v", Some("x"))]),
                elements: vec![],
            })
        }
        .to_string(),
        write(WriteTarget::Update {
            clustering: vec![],
            columns: set(&[("s", None)]),
            elements: vec![],
        })
        .to_string(),
        write(WriteTarget::DeleteCells {
            clustering: row(),
            columns: vec!["v".into(), "w".into()],
        })
        .to_string(),
        write(WriteTarget::DeleteRow { clustering: row() }).to_string(),
        range(edge(&row(), false), None).to_string(),
        range(edge(&row(), true), edge(&[int("ck", 9)], false)).to_string(),
        range(edge(&just_a, true), edge(&just_a, true)).to_string(),
        range(edge(&both, false), edge(&just_a, true)).to_string(),
        range(edge(&both, true), edge(&[int("a", 1), int("b", 7)], true)).to_string(),
        range(edge(&both, false), edge(&just_a, false)).to_string(),
        range(None, edge(&both, true)).to_string(),
        write(WriteTarget::DeletePartition).to_string(),
        select().to_string(),
        ReadStatement {
            columns: Some(vec!["w".into(), "token".into()]),
            lower: edge(&row(), true),
            upper: edge(&row(), true),
            order_by: Some(OrderBy {
                column: "ck".into(),
                order: Order::Descending,
            }),
            limit: Some(7),
            ..select()
        }
        .to_string(),
        Request::Hello { client: 3 }.to_string(),
        Request::Describe.to_string(),
        Request::Flush { table: None }.to_string(),
        Request::Flush {
            table: Some(table_name()),
        }
        .to_string(),
        Request::Drain.to_string(),
    ];
    cenotaph_snapshots::golden!(
        "engine/message",
        "statements",
        "Every kind of statement displays as one line of CQL.",
        statements.join("\n")
    );
}
