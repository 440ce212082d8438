//! Invariants of an atlas, against a naive count: nothing granted is beyond recovery, nothing else is refused.

use std::collections::{BTreeMap, BTreeSet};

use cenotaph_sim::disk::{Area, Atlas, AtlasError, Cluster, Damage, Disk, Holder, SectorDamage};
use cenotaph_sim::entropy::StreamKey;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::support::*;

const AREAS: u64 = 4;
const HOLDERS: u32 = 5;

#[derive(Clone, Debug)]
enum Step {
    Place(u64, BTreeSet<u32>),
    Break(u64, u32),
    Mend(u64, u32),
    Down(u32),
    Up(u32),
    Wipe(u32),
    Forget(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let holders = || prop::collection::btree_set(0..HOLDERS, 0..5);
    prop_oneof![
        3 => (0..AREAS, holders()).prop_map(|(area, holders)| Step::Place(area, holders)),
        6 => (0..AREAS, 0..HOLDERS).prop_map(|(area, holder)| Step::Break(area, holder)),
        2 => (0..AREAS, 0..HOLDERS).prop_map(|(area, holder)| Step::Mend(area, holder)),
        3 => (0..HOLDERS).prop_map(Step::Down),
        2 => (0..HOLDERS).prop_map(Step::Up),
        1 => (0..HOLDERS).prop_map(Step::Wipe),
        1 => (0..AREAS).prop_map(Step::Forget),
    ]
}

/// Holders of each area, each with whether its replica is intact; machines that are down.
#[derive(Clone, Default)]
struct Naive {
    areas: BTreeMap<u64, BTreeMap<u32, bool>>,
    down: BTreeSet<u32>,
}

impl Naive {
    fn left(&self, area: u64) -> usize {
        let counts = |(holder, intact): (&u32, &bool)| *intact && !self.down.contains(holder);
        self.areas.get(&area).map_or(0, |replicas| {
            replicas.iter().filter(|entry| counts(*entry)).count()
        })
    }

    fn is_recoverable(&self, needed: usize) -> bool {
        self.areas.keys().all(|&area| self.left(area) >= needed)
    }

    /// What would be after the step, were it granted; none when it makes no sense.
    fn after(&self, step: &Step) -> Option<Naive> {
        let mut after = self.clone();
        match step {
            Step::Place(area, holders) => {
                let replicas = holders.iter().map(|&holder| (holder, true)).collect();
                after.areas.insert(*area, replicas);
            }
            Step::Break(area, holder) => *after.areas.get_mut(area)?.get_mut(holder)? = false,
            Step::Mend(area, holder) => {
                if let Some(intact) = after
                    .areas
                    .get_mut(area)
                    .and_then(|area| area.get_mut(holder))
                {
                    *intact = true;
                }
            }
            Step::Down(holder) => drop(after.down.insert(*holder)),
            Step::Up(holder) => drop(after.down.remove(holder)),
            Step::Wipe(holder) => {
                let held = after.areas.values_mut();
                held.filter_map(|area| area.get_mut(holder))
                    .for_each(|intact| *intact = false);
            }
            Step::Forget(area) => drop(after.areas.remove(area)),
        }
        Some(after)
    }
}

fn perform(atlas: &mut Atlas, step: &Step) -> Result<(), AtlasError> {
    match step {
        Step::Place(area, holders) => atlas.place(Area(*area), holders.iter().map(|&h| Holder(h))),
        Step::Break(area, holder) => atlas.break_replica(Area(*area), Holder(*holder)),
        Step::Mend(area, holder) => {
            atlas.mend_replica(Area(*area), Holder(*holder));
            Ok(())
        }
        Step::Down(holder) => atlas.take_down(Holder(*holder)),
        Step::Up(holder) => {
            atlas.bring_up(Holder(*holder));
            Ok(())
        }
        Step::Wipe(holder) => atlas.wipe(Holder(*holder)),
        Step::Forget(area) => {
            atlas.forget(Area(*area));
            Ok(())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(0x6174_6c61),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_granted_leaves_enough_and_what_is_refused_would_not(
        needed in 1..3_usize,
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let (mut atlas, mut naive) = (Atlas::new(needed), Naive::default());
        for step in &steps {
            let after = naive.after(step).filter(|after| after.is_recoverable(needed));
            let answer = perform(&mut atlas, step);
            prop_assert_eq!(answer.is_ok(), after.is_some(), "{:?}: {:?}", step, answer);
            naive = after.unwrap_or(naive);
            for area in 0..AREAS {
                prop_assert_eq!(atlas.left(Area(area)), naive.left(area));
            }
        }
    }

    #[test]
    fn what_is_dealt_out_may_be_broken_all_together(
        needed in 1..4_usize,
        holders in prop::collection::btree_set(0..9_u32, 4..9),
        key in any::<u64>(),
    ) {
        let mut atlas = Atlas::new(needed);
        let all = || holders.iter().map(|&holder| Holder(holder));
        for area in 0..3 {
            atlas.place(Area(area), all()).unwrap();
            let dealt = atlas.dealt(Area(area), StreamKey(key));
            prop_assert_eq!(dealt.len(), holders.len() - needed);
            for &holder in &dealt {
                prop_assert_eq!(atlas.break_replica(Area(area), holder), Ok(()));
            }
            prop_assert_eq!(atlas.dealt(Area(area), StreamKey(key)), dealt.clone());
            let mut rest = all().filter(|holder| !dealt.contains(holder));
            prop_assert!(rest.all(|holder| atlas.break_replica(Area(area), holder).is_err()));
        }
    }
}

#[test]
fn a_refusal_names_the_area_and_what_is_left() {
    let mut atlas = Atlas::new(2);
    atlas.place(Area(7), [1, 2, 3].map(Holder)).unwrap();
    atlas.break_replica(Area(7), Holder(1)).unwrap();
    let told = atlas.take_down(Holder(2)).unwrap_err().to_string();
    assert_eq!(
        told,
        "area 7 would have 1 replicas left, and recovery needs 2"
    );
    let told = atlas
        .break_replica(Area(7), Holder(9))
        .unwrap_err()
        .to_string();
    assert_eq!(told, "machine 9 holds no replica of area 7");
}

/// Three disks with the same pages, damaged as far as the atlas grants it: every page is still whole
/// on some disk.
#[test]
fn replicas_damaged_within_the_budget_can_be_repaired_from_one_another() {
    const PAGES: u64 = 12;
    let content = |page: u64| vec![b'A' + page as u8; PAGE];
    let mut disks: Vec<Disk> = (0..3)
        .map(|_| {
            let mut disk = adversarial();
            let f = open(&mut disk, "f");
            (0..PAGES).for_each(|page| write(&mut disk, f, page * 4096, &content(page)));
            disk.sync_all(f).unwrap();
            disk.sync_dir("").unwrap();
            disk
        })
        .collect();
    let mut atlas = Atlas::new(1);
    for page in 0..PAGES {
        atlas.place(Area(page), (0..3).map(Holder)).unwrap();
    }
    let (mut granted, mut refused) = (0, 0);
    for attempt in 0..200_u64 {
        let key = StreamKey(attempt);
        let (page, holder) = (key.word(1) % PAGES, (key.word(2) % 3) as u32);
        if atlas.break_replica(Area(page), Holder(holder)).is_err() {
            refused += 1;
            continue;
        }
        granted += 1;
        let disk = &mut disks[holder as usize];
        let cluster = Cluster {
            sector: page * 8 + 4,
            spread: 3,
            count: 2,
        };
        let how = [SectorDamage::FlipBit, SectorDamage::Unreadable][(attempt % 2) as usize];
        disk.damage_cluster("f", cluster, how, key).unwrap();
    }
    assert!(
        granted >= 2 * PAGES && refused > 0,
        "{granted} granted, {refused} refused"
    );
    let intact_count = |disks: &mut Vec<Disk>, page: u64| {
        let is_intact = |disk: &mut Disk| {
            let f = open(disk, "f");
            disk.read_at(f, page * 4096, PAGE)
                .is_ok_and(|bytes| bytes == content(page))
        };
        let intact = disks.iter_mut().map(is_intact);
        intact.filter(|&is_intact| is_intact).count()
    };
    for page in 0..PAGES {
        assert!(
            intact_count(&mut disks, page) >= 1,
            "page {page} is whole somewhere"
        );
    }
    // Without the atlas it is not.
    for disk in &mut disks {
        let damage = Damage::Zero { offset: 0, size: 1 };
        disk.damage("f", damage).unwrap();
    }
    assert_eq!(intact_count(&mut disks, 0), 0);
}
