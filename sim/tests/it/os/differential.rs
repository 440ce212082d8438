//! Invariants of the two worlds: whatever is asked of a disk, the simulated one and real ones, in memory
//! and on a device, answer the same.

use std::cell::RefCell;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cenotaph_sim::entropy::{RunKey, Stream};
use cenotaph_sim::host::{Host, OpenMode};

use super::script::{PATHS, Player, Step, alphabet, on_handle};
use super::support::run_at;
use crate::support::{machine, quiet, until, world};

type Scripts = Rc<Vec<Vec<Step>>>;
/// The answer to each step of each script, and what was there after it where that was asked.
type Answers = Vec<Vec<String>>;
/// What a player does in a step's place: nothing else, but for planted differences.
type Twist = fn(Step) -> Step;

/// Scripts that are played at a time, so that the waits of one are the work of another.
const PLAYERS_COUNT: usize = 8;

/// Scripts that one simulated world plays: its disk remembers every name that was never synced.
const SCRIPTS_COUNT_MAX: usize = 256;

/// Between the answer to a step and what was there after it.
const SURVEY: &str = " | ";

/// Two paths that are files at first.
const FILES: [usize; 2] = [0, 3];

/// These, a directory, and a name that nothing has at first.
const FILES_AND_DIRECTORIES: [usize; 4] = [0, 2, 3, 4];

fn as_it_is(step: Step) -> Step {
    step
}

/// Plays every script. After each step the whole tree is looked at, or only after the last one.
async fn play(
    host: Host,
    scripts: Scripts,
    answers: Rc<RefCell<Answers>>,
    every_step: bool,
    twist: Twist,
) {
    answers.borrow_mut().resize(scripts.len(), Vec::new());
    let players = (0..PLAYERS_COUNT).map(|first| {
        let (host, scripts, answers) = (host.clone(), Rc::clone(&scripts), Rc::clone(&answers));
        async move {
            let root = format!("player{first}");
            let mut player = Player::new(&host, &root).await.expect("a new directory");
            for number in (first..scripts.len()).step_by(PLAYERS_COUNT) {
                let told = play_one(&mut player, &scripts[number], every_step, twist).await;
                answers.borrow_mut()[number] = told;
            }
        }
    });
    let playing: Vec<_> = players.map(|player| host.spawn("player", player)).collect();
    for player in playing {
        player.await.expect("every player ends");
    }
}

async fn play_one(
    player: &mut Player,
    script: &[Step],
    every_step: bool,
    twist: Twist,
) -> Vec<String> {
    player.begin().await.expect("a fresh start");
    let mut told = Vec::new();
    for (index, step) in script.iter().enumerate() {
        let mut answer = player.step(twist(*step)).await;
        if every_step || index + 1 == script.len() {
            answer = format!("{answer}{SURVEY}{}", player.survey().await);
        }
        told.push(answer);
    }
    told
}

fn simulated(scripts: &Scripts, every_step: bool, twist: Twist) -> Answers {
    let answers = Rc::default();
    let (scripts, log) = (Rc::clone(scripts), Rc::clone(&answers));
    let mut world = world(1);
    let mut options = machine("n1");
    options.disk.capacity_bytes = 1 << 30;
    let main = move |host| {
        let (scripts, log) = (Rc::clone(&scripts), Rc::clone(&log));
        play(host, scripts, log, every_step, twist)
    };
    let address = world.add_machine(options, quiet(main));
    world.boot(address);
    world.run(until(u64::MAX / 1_000_000));
    drop(world);
    Rc::try_unwrap(answers)
        .expect("the run is over")
        .into_inner()
}

fn real(ground: &Path, scripts: &Scripts, every_step: bool) -> Answers {
    let answers = Rc::default();
    let (scripts, log) = (Rc::clone(scripts), Rc::clone(&answers));
    let root = tempfile::tempdir_in(ground).expect("a temporary directory");
    let main = move |host| play(host, scripts, log, every_step, as_it_is);
    run_at(root.path(), main).expect("the run ends well");
    Rc::try_unwrap(answers)
        .expect("the run is over")
        .into_inner()
}

/// Directories of file systems that differ: where the build is, in memory, where temporary files go.
fn grounds() -> Vec<PathBuf> {
    let mut grounds: Vec<(u64, PathBuf)> = Vec::new();
    let candidates = [
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
        PathBuf::from("/dev/shm"),
        std::env::temp_dir(),
    ];
    for path in candidates {
        let Ok(metadata) = std::fs::metadata(&path) else {
            continue;
        };
        if grounds.iter().all(|(device, _)| *device != metadata.dev()) {
            grounds.push((metadata.dev(), path));
        }
    }
    println!("real directories: {grounds:?}");
    grounds.into_iter().map(|(_, path)| path).collect()
}

/// Where two worlds part: the steps up to there, and both answers.
fn differences(scripts: &[Vec<Step>], left: &Answers, right: &Answers) -> Vec<String> {
    let whole = |played: &Answers| {
        let lengths = played.iter().map(Vec::len);
        lengths.eq(scripts.iter().map(Vec::len))
    };
    assert!(whole(left) && whole(right), "every script is played");
    let mut differences = Vec::new();
    for ((script, left), right) in scripts.iter().zip(left).zip(right) {
        let first = (0..script.len()).find(|&index| left[index] != right[index]);
        if let Some(index) = first {
            let (steps, left, right) = (&script[..=index], &left[index], &right[index]);
            differences.push(format!(
                "{steps:?}\n  simulated: {left}\n  real:      {right}"
            ));
        }
    }
    differences
}

/// Plays the scripts in all worlds, and gives back what the simulated one answered.
fn compare(grounds: &[PathBuf], scripts: &[Vec<Step>], every_step: bool) -> Answers {
    let mut answers = Vec::new();
    for scripts in scripts.chunks(SCRIPTS_COUNT_MAX) {
        let scripts = Rc::new(scripts.to_vec());
        let simulated = simulated(&scripts, every_step, as_it_is);
        for ground in grounds {
            let mut found = differences(&scripts, &simulated, &real(ground, &scripts, every_step));
            let count = found.len();
            found.truncate(20);
            let text = found.join("\n");
            assert_eq!(count, 0, "{} differs:\n{text}", ground.display());
        }
        answers.extend(simulated);
    }
    answers
}

/// Whether the answer to a script's last step says that it was carried out.
fn succeeded(answer: &str) -> bool {
    let answer = answer.split(SURVEY).next().unwrap_or_default();
    answer == "()" || answer.parse::<u64>().is_ok()
}

/// Compares every script of at most so many steps. A step that was refused, or that only looks, leaves
/// all as it was, as the look after it shows: what follows is a shorter script.
fn compare_every(grounds: &[PathBuf], alphabet: &[Step], length_max: usize) -> usize {
    let mut count = 0;
    let mut ahead: Vec<Vec<Step>> = vec![Vec::new()];
    for _ in 0..length_max {
        let longer = ahead.iter().flat_map(|script| {
            let last = |step: &Step| script.iter().copied().chain([*step]).collect();
            alphabet.iter().map(last)
        });
        let scripts: Vec<Vec<Step>> = longer.collect();
        let answers = compare(grounds, &scripts, false);
        count += scripts.len();
        let changed = |script: &[Step], answers: &[String]| {
            let (step, answer) = (script.last(), answers.last());
            step.is_some_and(|step| !step.changes_nothing())
                && answer.is_some_and(|answer| succeeded(answer))
        };
        let pairs = scripts.into_iter().zip(&answers);
        ahead = pairs
            .filter(|(script, answers)| changed(script, answers))
            .map(|(script, _)| script)
            .collect();
    }
    count
}

#[test]
fn every_pair_of_steps_is_answered_alike() {
    // One name that nothing has is as good as two: the fifth path adds no pair that differs in kind.
    let count = compare_every(&grounds(), &alphabet(&[0, 1, 2, 3], 1), 2);
    assert!(count > 2_500, "{count}");
}

#[test]
fn every_three_steps_on_two_files_and_two_directories_are_answered_alike() {
    let mut steps = alphabet(&FILES_AND_DIRECTORIES, 1);
    // In threes, one step of a kind: what pairs told apart is not told apart again.
    steps.retain(|step| match step {
        Step::Open(_, _, mode) => matches!(mode, OpenMode::Read | OpenMode::Create),
        Step::Link(from, _) | Step::Lock(from) => FILES.contains(from),
        _ => true,
    });
    let count = compare_every(&grounds(), &steps, 3);
    assert!(count > 25_000, "{count}");
}

#[test]
fn long_scripts_are_answered_alike_step_by_step() {
    const STEPS_COUNT_MAX: u64 = 200;
    let mut stream = Stream::open(RunKey(21).stream("scripts"));
    let paths: Vec<usize> = (0..PATHS.len()).collect();
    let names = alphabet(&paths, 2);
    let contents: Vec<Step> = (0..2).flat_map(on_handle).collect();
    let mut script = |count: u64| {
        let mut step = |index: u64| {
            let steps = [&names, &contents][usize::from(index % 2 == 1)];
            let drawn = stream.below(steps.len() as u64);
            steps[usize::try_from(drawn).expect("an index")]
        };
        (0..count).map(&mut step).collect::<Vec<Step>>()
    };
    let mut scripts = vec![script(STEPS_COUNT_MAX)];
    for number in 0..47 {
        scripts.push(script(1 + (number * 67) % STEPS_COUNT_MAX));
    }
    compare(&grounds(), &scripts, true);
}

#[test]
fn a_planted_difference_is_found_at_its_step() {
    let plants: [(&str, Twist); 4] = [
        ("Truncate", |step| match step {
            Step::Truncate(handle, 1) => Step::Truncate(handle, 0),
            other => other,
        }),
        ("Rename", |step| match step {
            Step::Rename(from, to) => Step::Link(from, to),
            other => other,
        }),
        ("Remove", |step| match step {
            Step::Remove(path) => Step::RemoveDir(path),
            other => other,
        }),
        ("Read", |step| match step {
            Step::Read(handle, 0) => Step::Read(handle, 1),
            other => other,
        }),
    ];
    let steps = alphabet(&FILES_AND_DIRECTORIES, 1);
    let scripts: Scripts = Rc::new(steps.iter().map(|step| vec![*step]).collect());
    let right = simulated(&scripts, false, as_it_is);
    assert_eq!(differences(&scripts, &right, &right), [""; 0]);
    for (name, twist) in plants {
        let found = differences(&scripts, &simulated(&scripts, false, twist), &right);
        assert!(!found.is_empty(), "{name} is done in another way");
        for difference in found {
            assert!(difference.starts_with(&format!("[{name}(")), "{difference}");
        }
    }
}
