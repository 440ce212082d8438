//! Steps to plans without a generator: everything follows from the seed by plain arithmetic.

use std::collections::BTreeMap;

use cenotaph::plan::{
    Anchor, ClusteringColumn, Column, CrashKind, Fault, FaultKind, FileRole, IoKind, Knobs,
    Operation, OperationRef, Order, Packets, Plan, Purge, Scalar, ScalarType, Session, Shape,
    Slice, TableNumber, Way,
};

/// `CREATE TABLE`, with one clustering column and two cells.
pub(crate) fn create(table: u16) -> Operation {
    let shape = Shape {
        clustering: vec![ClusteringColumn(ScalarType::BigInt, Order::Asc)],
        statics: Vec::new(),
        regulars: vec![ScalarType::BigInt.into(), ScalarType::Text.into()],
        gc_grace_seconds: None,
        purge: Purge::default(),
    };
    Operation::CreateTable {
        table: TableNumber(table),
        shape,
    }
}

/// `INSERT`; `value` is unique in its plan.
pub(crate) fn insert(table: u16, partition: i32, row: i64, value: i64) -> Operation {
    let cells = BTreeMap::from([
        (Column::Regular(0), Scalar::Integer(value).into()),
        (
            Column::Regular(1),
            Scalar::Text(format!("a long text with the number {value}")).into(),
        ),
    ]);
    Operation::Insert {
        table: TableNumber(table),
        partition,
        row: Some(vec![Scalar::Integer(row)]),
        cells,
        timestamp: 1_000 + value,
        ttl_seconds: None,
    }
}

/// `DELETE` of a row.
pub(crate) fn delete_row(table: u16, partition: i32, row: i64, timestamp: i64) -> Operation {
    let row = vec![Scalar::Integer(row)];
    Operation::DeleteRow {
        table: TableNumber(table),
        partition,
        row,
        timestamp,
    }
}

fn session(seed: u64, client: u64) -> Session {
    let mut session = Vec::new();
    for table in 0..3 {
        session.push(create(table));
    }
    for step in 0..20 + seed % 7 {
        let table = u16::try_from((seed + step) % 3).expect("small numbers fit");
        let partition = i32::try_from((seed / 3 + step) % 4).expect("small numbers fit") + 10;
        let row = i64::try_from((seed * 7 + step * 5) % 9).expect("small numbers fit") * 100;
        let value = i64::try_from(client * 1_000 + step + 1).expect("small numbers fit");
        session.push(match (seed + step * 3 + client) % 5 {
            0 => delete_row(table, partition, row, 1_000 + value),
            1 => Operation::Read {
                table: TableNumber(table),
                partition,
                slice: Slice {
                    prefix: vec![Scalar::Integer(row)],
                    ..Slice::default()
                },
                order: Some(Order::Desc),
                limit: Some(7),
            },
            2 => Operation::Flush {
                table: TableNumber(table),
            },
            _ => insert(table, partition, row, value),
        });
    }
    session.push(Operation::Pause { millis: 40 });
    session
}

/// The plan of a seed. Every third one has a power cut.
pub(crate) fn plan_of(scenario: &str, seed: u64) -> Plan {
    let mut knobs = Knobs::default();
    knobs
        .set("segment_size_bytes", "8192")
        .expect("a knob and a value that it has");
    knobs
        .set("network_loss", "1/100")
        .expect("a knob and a value that it has");
    let operation = OperationRef {
        client: 1,
        index: u32::try_from(seed % 20).expect("small numbers fit"),
    };
    let io = Anchor::Io {
        machine: 1,
        incarnation: 1,
        role: FileRole::Commitlog,
        kind: IoKind::Sync,
        ordinal: 9,
    };
    let kind = match seed % 3 {
        0 => CrashKind::Power,
        _ => CrashKind::Kill,
    };
    let faults = vec![
        Fault {
            at: io,
            kind: FaultKind::FailSync,
        },
        Fault {
            at: Anchor::Operation(operation),
            kind: FaultKind::Crash {
                kind,
                restart_after_millis: 35,
            },
        },
        Fault {
            at: Anchor::Time { millis: 300 },
            kind: FaultKind::EvictCache,
        },
        Fault {
            at: Anchor::Time { millis: 200 },
            kind: FaultKind::Partition {
                way: Way::Both,
                packets: Packets::Lost,
                client: 1,
                duration_millis: 90,
            },
        },
    ];
    Plan {
        format: Plan::FORMAT,
        scenario: scenario.to_owned(),
        run_key: seed,
        knobs,
        clients: vec![session(seed, 0), session(seed + 1, 1)],
        faults,
        bug: None,
    }
}

/// Some plan, always the same.
pub(crate) fn one_plan() -> Plan {
    plan_of("rows", 3)
}
