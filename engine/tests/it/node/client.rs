//! Vocabulary of a test client: it sends each request until it has an answer that tells, and learns when the
//! outcome is unknown.

use std::time::Duration;

use cenotaph_engine::keys::{DataType, Order, Value};
use cenotaph_engine::message::{
    Answer, Envelope, FailureCode, ReadStatement, RefusalCode, Reply, Request, WriteStatement,
    WriteTarget,
};
use cenotaph_engine::schema::{Change, ColumnDefinition, ColumnKind, PurgeOptions, TableName};
use cenotaph_sim::disk::CrashKind;
use cenotaph_sim::host::Host;
use cenotaph_sim::sync::timeout;
use cenotaph_sim::world::Controls;

use super::cluster::NODE;

/// How long a client waits for an answer before it sends again.
const PATIENCE: Duration = Duration::from_millis(50);
/// After so many unanswered packets the outcome is unknown.
const TRIES_MAX: usize = 40;

/// One client of the node.
pub(crate) struct Client {
    host: Host,
    /// None on a real machine.
    controls: Option<Controls>,
    /// 0 while there is none.
    session: u64,
    sequence: u64,
    hello_sequence: u64,
}

/// What a client knows after a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The node said so.
    Answered(Answer),
    /// The node went down with the request under way, or did not answer for long.
    Unknown,
}

pub(crate) fn table(name: &str) -> TableName {
    TableName::new("ks", name)
}

impl Client {
    pub(crate) fn new(host: Host, controls: Option<Controls>) -> Client {
        Client {
            host,
            controls,
            session: 0,
            sequence: 0,
            hello_sequence: 0,
        }
    }

    pub(crate) async fn sleep(&self, duration: Duration) {
        self.host.clock().sleep(duration).await;
    }

    /// Takes the node down; it comes back by itself.
    pub(crate) async fn crash_node(&mut self, how: CrashKind) {
        let controls = self
            .controls
            .as_ref()
            .expect("only a simulated node is crashed");
        controls.crash(NODE, how, Some(Duration::from_millis(20)));
        self.sleep(Duration::from_millis(30)).await;
        self.session = 0;
    }

    /// One request, to its outcome. After an unknown one the next opens a new session.
    pub(crate) async fn ask(&mut self, body: Request) -> Outcome {
        if self.session == 0 && !self.hello().await {
            return Outcome::Unknown;
        }
        self.sequence += 1;
        let envelope = Envelope {
            session: self.session,
            sequence: self.sequence,
            body,
        };
        let outcome = self.send_until_answered(&envelope).await;
        match outcome {
            Outcome::Answered(Answer::Failed {
                code: FailureCode::SessionEnded,
                ..
            })
            | Outcome::Unknown => {
                self.session = 0;
                Outcome::Unknown
            }
            answered => answered,
        }
    }

    /// Sends a request once and does not wait for its answer.
    pub(crate) async fn send_only(&mut self, body: Request) {
        if self.session == 0 {
            assert!(self.hello().await, "the node serves");
        }
        self.sequence += 1;
        let envelope = Envelope {
            session: self.session,
            sequence: self.sequence,
            body,
        };
        let bytes = envelope.encode().expect("a small packet");
        self.host
            .network()
            .send(NODE, bytes)
            .expect("a small packet");
    }

    /// Asks until the answer is known and no refusal that passes: for what may be asked twice.
    pub(crate) async fn insist(&mut self, body: Request) -> Answer {
        for _ in 0..TRIES_MAX {
            match self.ask(body.clone()).await {
                Outcome::Answered(Answer::Refused {
                    code: RefusalCode::Busy,
                    ..
                })
                | Outcome::Answered(Answer::Failed { .. })
                | Outcome::Unknown => {}
                Outcome::Answered(answer) => return answer,
            }
            self.sleep(PATIENCE).await;
        }
        panic!("no answer to {body}");
    }

    async fn hello(&mut self) -> bool {
        self.hello_sequence += 1;
        let (sequence, body) = (self.hello_sequence, Request::Hello { client: 1 });
        let envelope = Envelope {
            session: 0,
            sequence,
            body,
        };
        match self.send_until_answered(&envelope).await {
            Outcome::Answered(Answer::Welcome { session }) => {
                (self.session, self.sequence) = (session, 0);
                true
            }
            _ => false,
        }
    }

    async fn send_until_answered(&self, envelope: &Envelope) -> Outcome {
        let bytes = envelope.encode().expect("a small packet");
        let (network, clock) = (self.host.network(), self.host.clock());
        for _ in 0..TRIES_MAX {
            network.send(NODE, bytes.clone()).expect("a small packet");
            let reply = async {
                loop {
                    let packet = network.recv().await;
                    let reply = Reply::decode(&packet.bytes).expect("the node's packets are whole");
                    if (reply.session, reply.sequence) == (envelope.session, envelope.sequence) {
                        return reply.body;
                    }
                }
            };
            if let Ok(answer) = timeout(clock.sleep(PATIENCE), reply).await {
                return Outcome::Answered(answer);
            }
        }
        Outcome::Unknown
    }

    /// Creates a table `(k int, c int, v int, PRIMARY KEY (k, c))`, whatever it takes.
    pub(crate) async fn create(&mut self, name: &str) {
        match self.insist(Request::Change(create(name))).await {
            Answer::Changed { .. } => {}
            Answer::Refused {
                code: RefusalCode::TableExists,
                ..
            } => {}
            other => panic!("creating {name}: {other:?}"),
        }
    }

    pub(crate) async fn drop_table(&mut self, name: &str) {
        let drop = Request::Change(Change::DropTable { table: table(name) });
        match self.insist(drop).await {
            Answer::Changed { .. } => {}
            Answer::Refused {
                code: RefusalCode::UnknownTable,
                ..
            } => {}
            other => panic!("dropping {name}: {other:?}"),
        }
    }

    /// Writes `v` at row `(k, c)` once.
    pub(crate) async fn write(&mut self, name: &str, row: (i32, i32), v: i32) -> Outcome {
        self.ask(Request::Write(insert(name, row, v))).await
    }

    pub(crate) async fn flush(&mut self, name: &str) -> Outcome {
        self.ask(Request::Flush {
            table: Some(table(name)),
        })
        .await
    }

    /// The rows of partition `k`: `c` and `v`.
    pub(crate) async fn read(&mut self, name: &str, k: i32) -> Vec<(i32, Option<i32>)> {
        match self.insist(Request::Read(select(name, k))).await {
            Answer::Rows(result) => {
                let row = |row: &cenotaph_engine::message::ResultSetRow| {
                    let Value::Int(c) = row.clustering[0] else {
                        panic!("c is an int")
                    };
                    let v = row.columns[0].as_ref().map(|value| match value {
                        Value::Int(v) => *v,
                        other => panic!("v is an int, not {other:?}"),
                    });
                    (c, v)
                };
                result.rows.iter().map(row).collect()
            }
            other => panic!("reading {name}: {other:?}"),
        }
    }

    /// Names of the live tables.
    pub(crate) async fn tables(&mut self) -> Vec<String> {
        match self.insist(Request::Describe).await {
            Answer::Schema { tables, .. } => tables
                .into_iter()
                .map(|table| table.name.table.to_string())
                .collect(),
            other => panic!("describing: {other:?}"),
        }
    }
}

pub(crate) fn create(name: &str) -> Change {
    let column = |name: &str, kind| ColumnDefinition {
        name: name.into(),
        data_type: DataType::Int.into(),
        kind,
    };
    Change::CreateTable {
        name: table(name),
        columns: vec![
            column("k", ColumnKind::PartitionKey),
            column("c", ColumnKind::Clustering(Order::Ascending)),
            column("v", ColumnKind::Regular),
        ],
        gc_grace_seconds: 864_000,
        purge: PurgeOptions::default(),
    }
}

pub(crate) fn insert(name: &str, (k, c): (i32, i32), v: i32) -> WriteStatement {
    WriteStatement {
        table: table(name),
        partition_key: vec![("k".into(), Value::Int(k))],
        timestamp: 1_000 + i64::from(v),
        ttl_seconds: None,
        target: WriteTarget::Insert {
            clustering: vec![("c".into(), Value::Int(c))],
            columns: vec![("v".into(), Some(Value::Int(v)))],
        },
    }
}

pub(crate) fn select(name: &str, k: i32) -> ReadStatement {
    ReadStatement {
        table: table(name),
        partition_key: vec![("k".into(), Value::Int(k))],
        columns: None,
        lower: None,
        upper: None,
        order_by: None,
        limit: None,
    }
}
