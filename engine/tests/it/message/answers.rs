//! Vocabulary tests of answers: what a client learns of a result, or of an error.

use std::io;

use cenotaph_engine::error::{Error, IoFailure};
use cenotaph_engine::keys::Value;
use cenotaph_engine::message::{Answer, FailureCode, RefusalCode, ResultSet, ResultSetRow};
use cenotaph_engine::metadata::MetadataError;
use cenotaph_engine::read::{execute, merge};
use cenotaph_engine::rows::RowsError;
use cenotaph_engine::schema::{Change, Schema};

use super::support::{ids, insert, select, text};
use crate::read::support::{schema, table, table_name};

#[test]
fn a_result_has_the_names_of_its_columns() {
    let schema = schema();
    let write = insert(&[("v", Some("x")), ("s", Some("y"))])
        .prepare(&schema, 0, &ids())
        .unwrap();
    let command = select().prepare(&schema, 0).unwrap();
    let result = execute(&command, table(&schema), merge([write.update])).unwrap();
    let expected = ResultSet {
        clustering_names: vec!["ck".into()],
        column_names: vec!["v".into(), "w".into()],
        statics: Some(vec![("s".into(), text("y"))]),
        rows: vec![ResultSetRow {
            clustering: vec![Value::Int(2)],
            columns: vec![text("x"), None],
        }],
    };
    assert_eq!(ResultSet::new(&command, table(&schema), result), expected);
}

fn refusal(error: impl Into<Error>) -> RefusalCode {
    match Answer::of_error(&error.into()) {
        Answer::Refused { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refusal_tells_what_is_unknown_or_there_already() {
    let drop = Change::DropTable {
        table: table_name(),
    };
    let of_schema = Schema::empty().apply(&drop).unwrap_err();
    let of_log = MetadataError::Refused(of_schema.clone());
    assert_eq!(refusal(of_schema), RefusalCode::UnknownTable);
    assert_eq!(refusal(of_log), RefusalCode::UnknownTable);
    let unknown_table = insert(&[])
        .prepare(&Schema::empty(), 0, &ids())
        .unwrap_err();
    assert_eq!(refusal(unknown_table), RefusalCode::UnknownTable);
    let unknown_column = insert(&[("x", None)])
        .prepare(&schema(), 0, &ids())
        .unwrap_err();
    assert_eq!(refusal(unknown_column), RefusalCode::UnknownColumn);
    let twice = insert(&[("v", None), ("v", None)])
        .prepare(&schema(), 0, &ids())
        .unwrap_err();
    assert_eq!(refusal(twice), RefusalCode::Invalid);
}

#[test]
fn only_what_is_surely_not_applied_is_refused() {
    let failed = |error: Error| match Answer::of_error(&error) {
        Answer::Failed { code, message } => (code, message),
        other => panic!("{other:?}"),
    };
    let cause = io::Error::other("EIO");
    let sync = IoFailure::new("sync", "commitlog/1.log", &cause);
    assert_eq!(
        failed(sync.into()),
        (FailureCode::Storage, "sync commitlog/1.log: EIO".to_owned())
    );
    let damaged = RowsError::Malformed {
        offset: 3,
        cause: "unknown flags",
    };
    assert_eq!(failed(damaged.into()).0, FailureCode::Corruption);
}
