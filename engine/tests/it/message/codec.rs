//! Byte layout tests of packets: frozen bytes, round trips, damage.

use std::fmt::Write;

use bytes::Bytes;
use cenotaph_engine::keys::{DataType, Order, Text, Value};
use cenotaph_engine::limits::MESSAGE_SIZE_MAX;
use cenotaph_engine::message::{
    Answer, Edge, ElementChange, Envelope, FailureCode, MESSAGE_VERSION, MessageError, NamedValue,
    OrderBy, ReadStatement, RefusalCode, Reply, Request, ResultSet, ResultSetRow, WriteStatement,
    WriteTarget,
};
use cenotaph_engine::schema::{
    Change, ColumnDefinition, ColumnKind, Epoch, PurgeOptions, TableName,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::support::{edge, ids, insert, int, select, set, text, write};
use crate::laws::{config, hex};
use crate::read::support::{schema, table, table_name};

fn map() -> Value {
    Value::Map(vec![(Value::Int(1), Value::Text("one".into()))])
}

fn elements() -> Vec<(Text, ElementChange)> {
    let field = |name: &str, value| (name.into(), value);
    vec![
        ("m".into(), ElementChange::Add(map())),
        ("m".into(), ElementChange::Remove(vec![Value::Int(2)])),
        (
            "s".into(),
            ElementChange::Add(Value::Set(vec![Value::Int(3)])),
        ),
        (
            "l".into(),
            ElementChange::Add(Value::List(vec![Value::Int(4)])),
        ),
        (
            "u".into(),
            ElementChange::Add(Value::Struct(vec![
                field("from", Some(Value::Boolean(true))),
                field("b", None),
            ])),
        ),
    ]
}

fn requests() -> Vec<Request> {
    let row = || vec![int("ck", 2)];
    let column = |kind| ColumnDefinition {
        name: "c".into(),
        data_type: DataType::BigInt.into(),
        kind,
    };
    let table = table_name();
    vec![
        Request::Hello { client: 300 },
        Request::Change(Change::CreateTable {
            name: table.clone(),
            columns: vec![column(ColumnKind::PartitionKey)],
            gc_grace_seconds: 60,
            purge: PurgeOptions::default(),
        }),
        Request::Change(Change::AddColumn {
            table: table.clone(),
            column: column(ColumnKind::Regular),
        }),
        Request::Change(Change::DropColumn {
            table: table.clone(),
            column: "c".into(),
            dropped_micros: 100,
        }),
        Request::Change(Change::DropTable {
            table: table.clone(),
        }),
        Request::Write(WriteStatement {
            ttl_seconds: Some(60),
            ..insert(&[("v", Some("x")), ("w", None)])
        }),
        Request::Write(write(WriteTarget::Update {
            clustering: row(),
            columns: set(&[]),
            elements: vec![],
        })),
        Request::Write(write(WriteTarget::Update {
            clustering: row(),
            columns: vec![],
            elements: elements(),
        })),
        Request::Write(write(WriteTarget::DeleteCells {
            clustering: row(),
            columns: vec!["v".into()],
        })),
        Request::Write(write(WriteTarget::DeleteRow { clustering: row() })),
        Request::Write(write(WriteTarget::DeleteRange {
            lower: edge(&row(), true),
            upper: None,
        })),
        Request::Write(write(WriteTarget::DeletePartition)),
        Request::Read(ReadStatement {
            columns: Some(vec!["v".into()]),
            upper: edge(&row(), false),
            order_by: Some(OrderBy {
                column: "ck".into(),
                order: Order::Descending,
            }),
            limit: Some(9),
            ..select()
        }),
    ]
}

/// What changes no row.
fn upkeep() -> Vec<Request> {
    let table = table_name();
    vec![
        Request::Describe,
        Request::Flush { table: None },
        Request::Flush {
            table: Some(table.clone()),
        },
        Request::MarkRepaired { table },
        Request::Drain,
    ]
}

fn answers() -> Vec<Answer> {
    let message = "why".to_owned();
    vec![
        Answer::Welcome {
            session: 1 << 32 | 1,
        },
        Answer::Changed { epoch: Epoch(5) },
        Answer::Written,
        Answer::Rows(ResultSet {
            clustering_names: vec!["ck".into()],
            column_names: vec!["v".into(), "m".into()],
            statics: Some(vec![("s".into(), None)]),
            rows: vec![ResultSetRow {
                clustering: vec![Value::Int(2)],
                columns: vec![text("x"), Some(map())],
            }],
        }),
        Answer::Schema {
            epoch: Epoch(1),
            tables: vec![table(&schema()).clone()],
        },
        Answer::Flushed,
        Answer::MarkedRepaired { sstables_count: 3 },
        Answer::Drained,
        Answer::Refused {
            code: RefusalCode::Draining,
            message: message.clone(),
        },
        Answer::Failed {
            code: FailureCode::Stopped,
            message,
        },
    ]
}

#[test]
fn packets_have_frozen_bytes() {
    let mut shown = String::new();
    for body in requests().into_iter().chain(upkeep()) {
        let envelope = Envelope {
            session: 1 << 32 | 1,
            sequence: 2,
            body,
        };
        let bytes = envelope.encode().unwrap();
        assert_eq!(Envelope::decode(&bytes).unwrap(), envelope);
        let text = envelope.body.to_string();
        writeln!(shown, "{}\n  {}", text.replace('\n', " "), hex(&bytes)).unwrap();
    }
    for body in answers() {
        let reply = Reply {
            session: 1 << 32 | 1,
            sequence: 2,
            now_seconds: 3,
            body,
        };
        let bytes = reply.encode().unwrap();
        assert_eq!(Reply::decode(&bytes).unwrap(), reply);
        let name = format!("{:?}", reply.body);
        let name = name
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap()
            .to_owned();
        writeln!(shown, "{name}\n  {}", hex(&bytes)).unwrap();
    }
    cenotaph_snapshots::golden!(
        "engine/message",
        "packets_v3",
        "Every kind of request and answer has frozen bytes.",
        shown
    );
}

/// A packet whose checksum is right, whatever its body is.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![MESSAGE_VERSION, 0, 0, 0, 0];
    bytes.extend_from_slice(body);
    let checksum = crc32c::crc32c(&[&bytes[..1], &bytes[5..]].concat());
    bytes[1..5].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_packet_that_is_none_is_refused_with_its_offset() {
    let envelope = Envelope {
        session: 1,
        sequence: 2,
        body: Request::Describe,
    };
    let good = envelope.encode().unwrap();
    let malformed = |offset, cause| Err(MessageError::Malformed { offset, cause });
    assert_eq!(Envelope::decode(&[]), malformed(0, "ends too early"));
    assert_eq!(Envelope::decode(&good[..4]), malformed(4, "ends too early"));
    let mut other_version = good.to_vec();
    other_version[0] = 1;
    assert_eq!(
        Envelope::decode(&other_version),
        Err(MessageError::UnknownVersion { version: 1 })
    );
    assert_eq!(
        Envelope::decode(&good[..good.len() - 1]),
        malformed(1, "the checksum does not match")
    );
    let longer = sealed(&[&good[5..], &[0]].concat());
    assert_eq!(
        Envelope::decode(&longer),
        malformed(good.len(), "bytes left over")
    );
    assert_eq!(
        Envelope::decode(&sealed(&[1, 2, 99])),
        malformed(5, "no message of this protocol")
    );
}

#[test]
fn a_packet_above_the_maximum_is_refused_on_both_ends() {
    let size = MESSAGE_SIZE_MAX;
    let columns = vec![("v".into(), Some(Value::Blob(Bytes::from(vec![0; size]))))];
    let target = WriteTarget::Update {
        clustering: vec![],
        columns,
        elements: vec![],
    };
    let envelope = Envelope {
        session: 1,
        sequence: 2,
        body: Request::Write(write(target)),
    };
    assert!(matches!(
        envelope.encode(),
        Err(MessageError::TooLarge { .. })
    ));
    let too_large = MessageError::TooLarge {
        size: size + 1,
        size_max: size,
    };
    assert_eq!(Envelope::decode(&vec![0; size + 1]), Err(too_large));
}

fn any_scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Boolean),
        any::<i32>().prop_map(Value::Int),
        any::<i64>().prop_map(Value::BigInt),
        ".{0,4}".prop_map(|text| Value::Text(text.into())),
        vec(any::<u8>(), 0..5).prop_map(|bytes| Value::Blob(Bytes::from(bytes))),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let some = || vec(any_scalar(), 0..3);
    prop_oneof![
        4 => any_scalar(),
        1 => vec((any_scalar(), any_scalar()), 0..3).prop_map(Value::Map),
        1 => some().prop_map(Value::Set),
        1 => some().prop_map(Value::List),
        1 => vec((any_name(), option::of(any_scalar())), 0..3).prop_map(Value::Struct),
    ]
}

fn any_elements() -> impl Strategy<Value = Vec<(Text, ElementChange)>> {
    let change = prop_oneof![
        any_value().prop_map(ElementChange::Add),
        vec(any_scalar(), 0..3).prop_map(ElementChange::Remove),
    ];
    vec((any_name(), change), 0..3)
}

/// Names of the table under test, and some that it does not have.
fn any_name() -> impl Strategy<Value = Text> {
    let name = prop_oneof![
        3 => Just("ck".to_owned()),
        1 => Just("pk".to_owned()),
        3 => Just("v".to_owned()),
        1 => Just("m".to_owned()),
        1 => Just("s".to_owned()),
        1 => "[a-z]{1,3}",
    ];
    name.prop_map(Text::from)
}

fn any_key() -> impl Strategy<Value = Vec<NamedValue>> {
    let fits = any::<i32>().prop_map(|number| vec![int("ck", number)]);
    prop_oneof![2 => fits, 1 => vec((any_name(), any_value()), 0..3)]
}

fn any_edge() -> impl Strategy<Value = Option<Edge>> {
    option::of(
        (any_key(), any::<bool>()).prop_map(|(values, inclusive)| Edge { values, inclusive }),
    )
}

fn any_target() -> impl Strategy<Value = WriteTarget> {
    let columns = || vec((any_name(), option::of(any_value())), 0..3);
    prop_oneof![
        (any_key(), columns()).prop_map(|(clustering, columns)| WriteTarget::Insert {
            clustering,
            columns
        }),
        (any_key(), columns(), any_elements()).prop_map(|(clustering, columns, elements)| {
            WriteTarget::Update {
                clustering,
                columns,
                elements,
            }
        }),
        (any_key(), vec(any_name(), 0..3)).prop_map(|(clustering, columns)| {
            WriteTarget::DeleteCells {
                clustering,
                columns,
            }
        }),
        any_key().prop_map(|clustering| WriteTarget::DeleteRow { clustering }),
        (any_edge(), any_edge())
            .prop_map(|(lower, upper)| WriteTarget::DeleteRange { lower, upper }),
        Just(WriteTarget::DeletePartition),
    ]
}

fn any_table() -> impl Strategy<Value = TableName> {
    ("[a-z]{1,3}", "[a-z]{1,3}").prop_map(|(keyspace, table)| TableName {
        keyspace: keyspace.into(),
        table: table.into(),
    })
}

fn any_write() -> impl Strategy<Value = WriteStatement> {
    let times = (any::<i64>(), option::of(any::<u32>()));
    (any_table(), any_key(), times, any_target()).prop_map(
        |(table, partition_key, (timestamp, ttl_seconds), target)| WriteStatement {
            table,
            partition_key,
            timestamp,
            ttl_seconds,
            target,
        },
    )
}

fn any_read() -> impl Strategy<Value = ReadStatement> {
    let edges = (any_edge(), any_edge());
    let columns = option::of(vec(any_name(), 0..3));
    (
        any_table(),
        any_key(),
        edges,
        columns,
        option::of(any::<u32>()),
    )
        .prop_map(
            |(table, partition_key, (lower, upper), columns, limit)| ReadStatement {
                table,
                partition_key,
                columns,
                lower,
                upper,
                order_by: None,
                limit,
            },
        )
}

fn any_envelope() -> impl Strategy<Value = Envelope> {
    let body = prop_oneof![
        4 => any_write().prop_map(Request::Write),
        2 => any_read().prop_map(Request::Read),
        1 => (0..requests().len()).prop_map(|index| requests().swap_remove(index)),
        1 => (0..upkeep().len()).prop_map(|index| upkeep().swap_remove(index)),
    ];
    (any::<u64>(), any::<u64>(), body).prop_map(|(session, sequence, body)| Envelope {
        session,
        sequence,
        body,
    })
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn packets_decode_to_what_was_encoded(envelope in any_envelope()) {
        prop_assert_eq!(Envelope::decode(&envelope.encode().unwrap()).unwrap(), envelope);
    }

    #[test]
    fn a_damaged_packet_is_refused(
        envelope in any_envelope(),
        at in any::<prop::sample::Index>(),
        flip in 1_u8..,
    ) {
        let mut bytes = envelope.encode().unwrap().to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Envelope::decode(&bytes).is_err());
        prop_assert!(Envelope::decode(&bytes[..at]).is_err());
    }

    #[test]
    fn no_body_under_a_right_checksum_panics(
        envelope in any_envelope(),
        at in any::<prop::sample::Index>(),
        flip in any::<u8>(),
        random in vec(any::<u8>(), 0..60),
    ) {
        let mut body = envelope.encode().unwrap()[5..].to_vec();
        let at = at.index(body.len());
        body[at] ^= flip;
        let _ = Envelope::decode(&sealed(&body)).map(|envelope| envelope.body.to_string());
        let _ = Envelope::decode(&sealed(&random));
        let _ = Reply::decode(&sealed(&body));
        let _ = Reply::decode(&sealed(&random));
    }

    #[test]
    fn whatever_arrives_prepares_or_is_refused(write in any_write(), read in any_read()) {
        let (table, partition_key) = (table_name(), vec![int("pk", 1)]);
        let read = ReadStatement { table: table.clone(), partition_key: partition_key.clone(), ..read };
        let _ = read.prepare(&schema(), 5);
        if let Ok(mutation) = (WriteStatement { table, partition_key, ..write }).prepare(&schema(), 5, &ids()) {
            prop_assert!(mutation.update.is_canonical());
            prop_assert_eq!(mutation.update.reject_reserved(), Ok(()));
        }
    }
}

/// A packet whose body says that many lists lie within one another.
#[test]
fn values_that_nest_are_refused_however_deep() {
    let nested = |depth| (0..depth).fold(Value::Int(1), |inner, _| Value::List(vec![inner]));
    let packet = |value| {
        let columns = vec![("v".into(), Some(value))];
        let target = WriteTarget::Insert {
            clustering: vec![],
            columns,
        };
        let envelope = Envelope {
            session: 1,
            sequence: 2,
            body: Request::Write(write(target)),
        };
        Envelope::decode(&envelope.encode().unwrap())
    };
    assert!(packet(nested(1)).is_ok());
    for depth in [2, 3, 100] {
        assert_eq!(
            packet(nested(depth)),
            Err(MessageError::Malformed {
                offset: 5,
                cause: "no message of this protocol"
            })
        );
    }
}
