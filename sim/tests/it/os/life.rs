//! Invariants of real runs: they end with their main future or with a panic, and count their boots.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use cenotaph_sim::host::Host;
use cenotaph_sim::os::{self, OsOptions};
use cenotaph_sim::sync;
use cenotaph_sim::time::Instant;

use super::support::{run, run_at, run_with};

#[test]
fn the_last_word_of_the_main_future_is_the_runs() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let options = OsOptions::new(root.path(), "n1");
    let result = os::run(options, |host: Host| async move {
        assert_eq!(host.name(), "n1");
        Err("the disk is odd".to_owned())
    });
    assert_eq!(result, Err("the disk is odd".to_owned()));
}

#[test]
fn a_root_that_is_missing_is_told() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let missing = root.path().join("missing");
    let error = run_at(&missing, |_| async {}).expect_err("no such directory");
    assert!(
        error.contains("missing: No such file or directory"),
        "{error}"
    );
}

#[test]
fn a_panicking_task_ends_the_run_and_is_named() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let polled = Rc::new(Cell::new(false));
    let flag = Rc::clone(&polled);
    let result = run_at(root.path(), move |host| async move {
        host.spawn("careless", async { panic!("on purpose: {}", 7) });
        host.spawn("after", async move { flag.set(true) });
        host.clock().sleep(Duration::from_secs(3600)).await;
    });
    assert_eq!(
        result,
        Err("task careless panicked: on purpose: 7".to_owned())
    );
    assert!(!polled.get(), "no task is polled after the end");
}

#[test]
fn a_panic_of_the_main_future_is_told_too() {
    let root = tempfile::tempdir().expect("a temporary directory");
    let result = run_at(root.path(), |_| async { panic!("at once") });
    assert_eq!(result, Err("task main panicked: at once".to_owned()));
}

#[test]
fn tasks_are_dropped_with_the_run() {
    let held = Rc::new(());
    let kept = Rc::clone(&held);
    run(move |host| async move {
        host.spawn("forever", async move {
            let _kept = kept;
            std::future::pending::<()>().await;
        });
        sync::yield_now().await;
    });
    assert_eq!(Rc::strong_count(&held), 1);
}

#[test]
fn the_root_counts_boots() {
    let root = tempfile::tempdir().expect("a temporary directory");
    for boot in 1..=3 {
        let result = run_at(root.path(), move |host| async move {
            assert_eq!(host.incarnation(), boot);
        });
        result.expect("the run ends well");
    }
}

#[test]
fn sleeps_end_in_order_and_not_early() {
    let woken = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&woken);
    run(move |host| async move {
        let mut joins = Vec::new();
        for millis in [60_u64, 20, 40] {
            let (clock, log) = (host.clock(), Rc::clone(&log));
            joins.push(host.spawn("sleeper", async move {
                let until = Instant::ZERO.after(Duration::from_millis(millis));
                clock.sleep_until(until).await;
                assert!(clock.monotonic() >= until, "{}", clock.monotonic());
                log.borrow_mut().push(millis);
            }));
        }
        for join in joins {
            join.await.expect("sleepers end");
        }
        let clock = host.clock();
        clock.charge(1 << 40).await;
        let late = sync::timeout(
            clock.sleep(Duration::from_millis(5)),
            clock.sleep(Duration::from_secs(3600)),
        );
        assert_eq!(late.await, Err(sync::Elapsed));
        assert!(clock.wall().seconds() > 1_600_000_000, "{:?}", clock.wall());
    });
    assert_eq!(*woken.borrow(), [20, 40, 60]);
}

#[test]
fn a_seed_gives_each_boot_its_own_chance_and_the_system_gives_another() {
    let draw = |seed| {
        let root = tempfile::tempdir().expect("a temporary directory");
        let drawn = Rc::new(RefCell::new(Vec::new()));
        for _ in 0..2 {
            let mut options = OsOptions::new(root.path(), "n1");
            options.seed = seed;
            let log = Rc::clone(&drawn);
            let result = run_with(options, move |host| async move {
                log.borrow_mut().push(host.entropy("ids").word());
                assert_eq!(
                    host.entropy("ids").word(),
                    log.borrow()[log.borrow().len() - 1]
                );
                assert_ne!(host.entropy("ids").word(), host.entropy("other").word());
            });
            result.expect("the run ends well");
        }
        drawn.take()
    };
    let seeded = draw(Some(5));
    assert_eq!(seeded, draw(Some(5)));
    assert_ne!(seeded[0], seeded[1]);
    assert_ne!(draw(None), draw(None));
}
