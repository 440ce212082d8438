//! Invariants under test: a store that agrees with itself is not objected to, and one that does not is.

use std::rc::Rc;

use cenotaph_engine::commitlog::{Interval, Position};
use cenotaph_engine::error::Error;
use cenotaph_engine::flush::write_sstable;
use cenotaph_engine::memtable::Memtable;
use cenotaph_engine::rows::{Mutation, Partition, TableId};
use cenotaph_engine::sstable::Sstable;
use cenotaph_engine::store::{Edit, ManifestOptions, Store, open_manifest};

use crate::bench::Bench;
use crate::sstable::build::{clustering, key, live_row};

const TABLE: TableId = TableId(3);

/// What a store objects to whose table has sstables that claim to hold these parts of the log.
fn objections(parts: &'static [(u64, u64)]) -> Vec<String> {
    let bench = Bench::new(51);
    let asked = bench.run(move |host| async move {
        let manifest = open_manifest(&host, ManifestOptions::default()).await?;
        let store = Store::new(host, manifest);
        let mut sstables = Vec::new();
        for part in parts {
            sstables.push(claim(&store, *part).await?);
        }
        store.add_table(TABLE, at(1_000), sstables);
        Ok::<_, Error>(store.violations())
    });
    asked.expect("nothing crashes").expect("nothing fails")
}

fn at(offset: u64) -> Position {
    Position { segment: 1, offset }
}

async fn claim(store: &Store, (lower, upper): (u64, u64)) -> Result<Rc<Sstable>, Error> {
    let memtable = Rc::new(Memtable::new(TABLE));
    let mut update = Partition::default();
    update.apply_row(clustering(1), live_row(10, &[7; 40]));
    memtable
        .ticket()
        .memtable()
        .put(Mutation {
            table: TABLE,
            key: key(0),
            update,
        })
        .unwrap();
    let interval = Interval {
        lower: at(lower),
        upper: at(upper),
    };
    let (added, sstable) = write_sstable(store, &memtable, interval, 64).await?;
    let edit = Edit {
        added: vec![added],
        ..Edit::default()
    };
    store.commit(&edit, || ()).await?;
    Ok(sstable)
}

#[test]
fn parts_of_the_log_overlap_where_they_share_a_position() {
    let nothing: [&str; 0] = [];
    assert_eq!(objections(&[(0, 100), (100, 120)]), nothing);
    // An empty part, wherever it stands.
    assert_eq!(objections(&[(0, 100), (50, 50)]), nothing);
    assert_eq!(
        objections(&[(0, 100), (50, 60)]),
        ["log intervals of table 3 overlap: (1:0, 1:100] and (1:50, 1:60]"]
    );
}
