//! Invariants of crashes: every acknowledged change survives, at any request, also of the start itself,
//! and what was once seen never goes away.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use cenotaph_engine::schema::{Epoch, Schema};
use cenotaph_sim::disk::{CrashKind, Profile};
use cenotaph_sim::fault::FaultKind;
use cenotaph_sim::host::Host;
use cenotaph_sim::world::World;

use super::{open, tables};
use crate::schema::create;
use crate::support::{MACHINE, at_request, crash, machine_with, power_cut_at_each, run};

/// What any incarnation saw.
#[derive(Default)]
struct Seen {
    schemas: RefCell<BTreeMap<Epoch, Rc<Schema>>>,
    acknowledged: Cell<Epoch>,
}

impl Seen {
    /// Schemas never go back, and those of one epoch are equal.
    fn see(&self, schema: Rc<Schema>) {
        let epoch = schema.epoch();
        let mut schemas = self.schemas.borrow_mut();
        let newest = schemas
            .last_key_value()
            .map_or(Epoch::EMPTY, |(epoch, _)| *epoch);
        assert!(
            epoch >= newest.max(self.acknowledged.get()),
            "{epoch} after {newest}"
        );
        assert_eq!(
            schemas.entry(epoch).or_insert_with(|| Rc::clone(&schema)),
            &schema
        );
    }
}

/// Opens the log, looks, and changes the schema some times; alone, and two at a time.
async fn boot(host: Host, seen: Rc<Seen>) {
    let metadata = open(&host).await.expect("an honest disk");
    seen.see(metadata.current());
    for round in 0..3 {
        let mut proposers = Vec::new();
        for twin in ["a", "b"] {
            let (metadata, seen) = (metadata.clone(), Rc::clone(&seen));
            let name = format!("t{}_{round}_{twin}", host.incarnation());
            proposers.push(host.spawn("proposer", async move {
                let epoch = metadata.propose(&create(&name)).await.expect("healthy");
                seen.acknowledged.set(seen.acknowledged.get().max(epoch));
                seen.see(metadata.current());
            }));
        }
        for proposer in proposers {
            proposer.await.expect("it ends");
        }
    }
}

fn world(key: u64) -> World {
    let seen = Rc::new(Seen::default());
    machine_with(key, Profile::PosixAdversarial, move |host| {
        boot(host, Rc::clone(&seen))
    })
}

#[test]
fn an_acknowledged_change_survives_a_power_cut_at_any_request() {
    let kinds = ["open", "write", "sync", "sync-dir", "list", "create-dir"];
    let runs = power_cut_at_each("metadata", &kinds, 0..8, world, |_, _| ());
    assert!(runs > 100, "{runs}");
}

#[test]
fn a_power_cut_in_the_start_after_a_power_cut_loses_nothing_either() {
    let mut runs = 0;
    for first in ["write/2", "sync/2", "sync/3"] {
        for second in [
            "open/1",
            "write/0",
            "write/1",
            "sync/0",
            "sync/1",
            "sync-dir/0",
            "remove/0",
        ] {
            for key in 0..6 {
                let world = world(key);
                let power_cut = crash(CrashKind::PowerCut);
                world.add_fault(at_request(
                    &format!("n1/1/metadata/{first}"),
                    power_cut.clone(),
                ));
                world.add_fault(at_request(&format!("n1/2/metadata/{second}"), power_cut));
                run(&world);
                runs += usize::from(world.faults_waiting().is_empty());
            }
        }
    }
    assert!(runs > 60, "both crashes must strike: {runs}");
}

/// What a killed process had written and not synced, the next one reads back, header and all. What that
/// one let anybody see must survive its own power cut.
#[test]
fn what_is_seen_after_a_kill_at_any_request_survives_the_next_power_cut() {
    let mut runs = 0;
    for first in ["write", "sync", "sync-dir"] {
        for ordinal in 0.. {
            let mut struck = false;
            for key in 0..4 {
                let world = world(key);
                let kill = crash(CrashKind::ProcessKill);
                let anchor = format!("n1/1/metadata/{first}/{ordinal}");
                world.add_fault(at_request(&anchor, kill));
                // After the start, while the first of the next changes is being written.
                let power_cut = crash(CrashKind::PowerCut);
                world.add_fault(at_request("n1/2/metadata/write/2", power_cut.clone()));
                world.add_fault(at_request("n1/3/metadata/write/3", power_cut));
                run(&world);
                struck |= world.faults_waiting().len() < 3;
                runs += 1;
            }
            if !struck {
                break;
            }
        }
    }
    assert!(runs > 30, "{runs}");
}

/// A sync fails, the process ends; the next one finds the change in the page cache, and says so to the
/// world. Then the power goes: what was once seen must not go with it.
#[test]
fn a_change_read_back_after_a_failed_sync_is_made_durable_before_it_is_seen() {
    let read_back = Rc::new(Cell::new(false));
    for key in 0..10 {
        let flag = Rc::clone(&read_back);
        let world = machine_with(key, Profile::Strict, move |host| {
            let read_back = Rc::clone(&flag);
            async move {
                let metadata = open(&host).await.expect("an honest disk");
                match host.incarnation() {
                    1 => {
                        metadata.propose(&create("durable")).await.expect("healthy");
                        metadata
                            .propose(&create("doubtful"))
                            .await
                            .expect_err("the sync fails");
                        // The node stops; the machine does not.
                        host.disk()
                            .list("metadata")
                            .await
                            .expect("the crash comes with this");
                    }
                    2 => {
                        read_back.set(tables(&metadata).len() == 2);
                        metadata.propose(&create("third")).await.expect("healthy");
                        host.disk()
                            .list("metadata")
                            .await
                            .expect("the crash comes with this");
                    }
                    _ => {
                        let seen = ["durable", "doubtful", "third"];
                        let seen = if read_back.get() {
                            &seen[..]
                        } else {
                            &["durable", "third"]
                        };
                        assert_eq!(tables(&metadata), seen);
                    }
                }
            }
        });
        let fail = FaultKind::FailSync { machine: MACHINE };
        world.add_fault(at_request("n1/1/metadata/sync/2", fail));
        let kill = crash(CrashKind::ProcessKill);
        world.add_fault(at_request("n1/1/metadata/list/1", kill));
        let power_cut = crash(CrashKind::PowerCut);
        world.add_fault(at_request("n1/2/metadata/list/1", power_cut));
        run(&world);
        assert!(world.faults_waiting().is_empty());
    }
    assert!(read_back.get(), "the cache kept what the sync lost");
}

/// The start writes the last change to a new file, whose header does not become durable; the next one finds it
/// in the page cache, which is evicted at any of its requests. The change is in the older file still.
#[test]
fn a_header_that_leaves_the_page_cache_while_it_is_read_takes_nothing_with_it() {
    let mut runs = 0;
    for evicted in [
        "list", "open", "read", "write", "sync", "sync-dir", "remove",
    ] {
        for ordinal in 0.. {
            let world = machine_with(3, Profile::Strict, |host| async move {
                match host.incarnation() {
                    1 => {
                        let metadata = open(&host).await.expect("an honest disk");
                        metadata.propose(&create("a")).await.expect("healthy");
                    }
                    2 => drop(open(&host).await.expect_err("the header's sync fails")),
                    _ => {
                        let metadata = open(&host).await.expect("an honest disk");
                        assert_eq!(tables(&metadata), ["a"]);
                    }
                }
                if host.incarnation() < 4 {
                    host.disk().list("").await.expect("the crash comes here");
                }
            });
            let how = [
                CrashKind::ProcessKill,
                CrashKind::ProcessKill,
                CrashKind::PowerCut,
            ];
            for (before, how) in how.into_iter().enumerate() {
                let anchor = format!("n1/{}/root/list/0", before + 1);
                world.add_fault(at_request(&anchor, crash(how)));
            }
            let fail = FaultKind::FailSync { machine: MACHINE };
            world.add_fault(at_request("n1/2/metadata/sync/1", fail));
            let evict = FaultKind::Evict { machine: MACHINE };
            let anchor = format!("n1/3/metadata/{evicted}/{ordinal}");
            world.add_fault(at_request(&anchor, evict));
            run(&world);
            if !world.faults_waiting().is_empty() {
                break;
            }
            runs += 1;
        }
    }
    assert!(runs > 8, "{runs}");
}
