//! Vocabulary of one small plan that has everything a plan can have.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph::plan::{
    Anchor, ClusteringColumn, Column, CommitlogMode, CrashKind, Edge, Fault, FaultKind, FileRole,
    IoKind, Knobs, Operation, OperationRef, Order, Overlapping, Packets, Plan, Purge, Scalar,
    ScalarType, Shape, Slice, TableNumber, Way,
};
use cenotaph_sim::entropy::Ratio;

const TABLE: TableNumber = TableNumber(7);
const V0: Column = Column::Regular(0);
const S0: Column = Column::Static(0);

fn row(first: i64, second: &str) -> Vec<Scalar> {
    vec![Scalar::Integer(first), Scalar::Text(second.to_owned())]
}

fn schema() -> Vec<Operation> {
    let shape = Shape {
        clustering: vec![
            ClusteringColumn(ScalarType::Int, Order::Asc),
            ClusteringColumn(ScalarType::Text, Order::Desc),
        ],
        statics: vec![ScalarType::Blob.into()],
        regulars: vec![ScalarType::Text.into(), ScalarType::BigInt.into()],
        gc_grace_seconds: None,
        purge: Purge::default(),
    };
    let plain = Shape {
        regulars: vec![ScalarType::Text.into()],
        gc_grace_seconds: Some(5),
        purge: Purge {
            only_repaired: true,
            overlapping: Overlapping::Row,
        },
        ..Shape::default()
    };
    let column = Column::Regular(2);
    vec![
        Operation::CreateTable {
            table: TABLE,
            shape,
        },
        Operation::CreateTable {
            table: TableNumber(8),
            shape: plain,
        },
        Operation::AddColumn {
            table: TABLE,
            column,
            column_type: ScalarType::Text.into(),
        },
        Operation::DropColumn {
            table: TABLE,
            column,
            dropped_micros: 40,
        },
        Operation::DropTable { table: TABLE },
        Operation::Describe,
        Operation::SetSchemaFlushWindow { millis: 100 },
        Operation::SystemSchema,
        Operation::Drain,
        Operation::Flush { table: TABLE },
        Operation::Compact { table: TABLE },
        Operation::Truncate { table: TABLE },
        Operation::MarkRepaired { table: TABLE },
        Operation::Pause { millis: 50 },
    ]
}

fn writes() -> Vec<Operation> {
    let (table, partition) = (TABLE, 3);
    let blob = Scalar::Blob(vec![0, 0xff]);
    let text = |value: &str| Scalar::Text(value.to_owned());
    vec![
        Operation::Insert {
            table,
            partition,
            row: Some(row(1, "it's")),
            cells: BTreeMap::from([
                (V0, text("c1o0a").into()),
                (Column::Regular(1), Scalar::Integer(-5).into()),
            ]),
            timestamp: 5,
            ttl_seconds: None,
        },
        Operation::Insert {
            table,
            partition,
            row: None,
            cells: BTreeMap::from([(S0, blob.into())]),
            timestamp: i64::MAX,
            ttl_seconds: None,
        },
        Operation::Insert {
            table: TableNumber(8),
            partition,
            row: Some(Vec::new()),
            cells: BTreeMap::new(),
            timestamp: 0,
            ttl_seconds: None,
        },
        Operation::Update {
            table,
            partition,
            row: Some(row(1, "b")),
            cells: BTreeMap::from([(V0, text("c1o3a").into())]),
            elements: BTreeMap::new(),
            timestamp: -5,
            ttl_seconds: None,
        },
    ]
}

fn deletions() -> Vec<Operation> {
    let (table, partition) = (TABLE, 3);
    let text = |value: &str| Scalar::Text(value.to_owned());
    vec![
        Operation::DeleteCells {
            table,
            partition,
            row: Some(row(1, "b")),
            columns: BTreeSet::from([V0, Column::Regular(1)]),
            elements: BTreeMap::new(),
            timestamp: 6,
        },
        Operation::DeleteRow {
            table,
            partition,
            row: row(1, "b"),
            timestamp: 6,
        },
        Operation::DeleteRange {
            table,
            partition,
            slice: Slice {
                prefix: vec![Scalar::Integer(1)],
                from: Edge::Inclusive(text("a")),
                to: Edge::Exclusive(text("b")),
            },
            timestamp: 6,
        },
        Operation::DeletePartition {
            table,
            partition,
            timestamp: 7,
        },
    ]
}

/// What expires, and what is left of it.
fn expiring() -> Vec<Operation> {
    let (table, partition) = (TABLE, 3);
    let text = |value: &str| Scalar::Text(value.to_owned());
    vec![
        Operation::Insert {
            table,
            partition,
            row: Some(row(1, "b")),
            cells: BTreeMap::from([(V0, text("c1o8a").into())]),
            timestamp: 8,
            ttl_seconds: Some(3),
        },
        Operation::Update {
            table,
            partition,
            row: Some(row(1, "b")),
            cells: BTreeMap::from([(V0, text("c1o9a").into())]),
            elements: BTreeMap::new(),
            timestamp: 8,
            ttl_seconds: Some(2),
        },
        Operation::Stones { table, partition },
    ]
}

fn reads() -> Vec<Operation> {
    let (table, partition) = (TABLE, 3);
    let slice = Slice {
        prefix: Vec::new(),
        from: Edge::Exclusive(Scalar::Integer(-1)),
        to: Edge::Inclusive(Scalar::Integer(4)),
    };
    vec![
        Operation::Read {
            table,
            partition,
            slice: Slice::default(),
            order: None,
            limit: None,
        },
        Operation::Read {
            table,
            partition,
            slice,
            order: Some(Order::Desc),
            limit: Some(3),
        },
    ]
}

fn faults() -> Vec<Fault> {
    let time = |millis| Anchor::Time { millis };
    let io = Anchor::Io {
        machine: 1,
        incarnation: 2,
        role: FileRole::Commitlog,
        kind: IoKind::Sync,
        ordinal: 3,
    };
    let request = Anchor::Request {
        machine: 1,
        incarnation: 2,
        ordinal: 17,
    };
    let crash = FaultKind::Crash {
        kind: CrashKind::Power,
        restart_after_millis: 20,
    };
    let operation = Anchor::Operation(OperationRef {
        client: 1,
        index: 4,
    });
    let fault = |at: &Anchor, kind: FaultKind| Fault {
        at: at.clone(),
        kind,
    };
    let mut faults = vec![
        fault(&operation, crash),
        fault(&io, FaultKind::DiskError),
        fault(&io, FaultKind::NoSpace),
        fault(&io, FaultKind::FailSync),
        fault(
            &request,
            FaultKind::Pause {
                duration_millis: 50,
            },
        ),
        fault(
            &time(107),
            FaultKind::ClockDrift {
                ppm: -500_000,
                duration_millis: 800,
            },
        ),
        fault(&time(110), FaultKind::ClockJump { millis: -2_000 }),
        fault(&time(120), FaultKind::DropPackets { count: 4 }),
        fault(&time(130), FaultKind::EvictCache),
    ];
    faults.splice(4..4, partitions());
    faults
}

fn partitions() -> Vec<Fault> {
    let fault = |millis, kind| Fault {
        at: Anchor::Time { millis },
        kind,
    };
    vec![
        fault(
            100,
            FaultKind::Partition {
                client: 0,
                duration_millis: 30,
                way: Way::Both,
                packets: Packets::Lost,
            },
        ),
        fault(
            105,
            FaultKind::Partition {
                client: 1,
                duration_millis: 30,
                way: Way::ToNode,
                packets: Packets::Held,
            },
        ),
        fault(
            106,
            FaultKind::Swizzle {
                duration_millis: 40,
            },
        ),
    ]
}

/// Every operation, every fault, a few knobs, a planted bug.
pub(super) fn plan() -> Plan {
    let mut knobs = Knobs::default();
    knobs.engine.commitlog_mode = CommitlogMode::Group;
    knobs.engine.schema_flush_window_millis = 60_000;
    knobs.engine.compaction_sstables_min = 4;
    knobs.world.network_loss = Ratio::new(1, 100).expect("at most one");
    Plan {
        format: Plan::FORMAT,
        scenario: "crash-without-drain".to_owned(),
        run_key: 4,
        knobs,
        clients: vec![
            schema(),
            [writes(), deletions(), expiring(), reads()].concat(),
        ],
        faults: faults(),
        bug: Some("P02".to_owned()),
    }
}
