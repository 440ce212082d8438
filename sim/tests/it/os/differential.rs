//! Invariants of the two worlds: whatever is asked of a disk, both answer the same.

use std::cell::RefCell;
use std::rc::Rc;

use cenotaph_sim::entropy::{RunKey, Stream};
use cenotaph_sim::host::Host;

use super::script::{PATHS, Player, Step, alphabet, on_handle};
use super::support::run;
use crate::support::{machine, quiet, until, world};

type Scripts = Rc<Vec<Vec<Step>>>;
type Answers = Rc<RefCell<Vec<Vec<String>>>>;

/// Scripts that are played at a time, so that the waits of one are the work of another.
const PLAYERS_COUNT: usize = 8;

/// Plays every script. After each step the whole tree is looked at, or only after the last one.
async fn play(host: Host, scripts: Scripts, answers: Answers, every_step: bool) {
    answers.borrow_mut().resize(scripts.len(), Vec::new());
    let players = (0..PLAYERS_COUNT).map(|first| {
        let (host, scripts, answers) = (host.clone(), Rc::clone(&scripts), Rc::clone(&answers));
        async move {
            let root = format!("player{first}");
            let mut player = Player::new(&host, &root).await.expect("a new directory");
            for number in (first..scripts.len()).step_by(PLAYERS_COUNT) {
                let told = play_one(&mut player, &scripts[number], every_step).await;
                answers.borrow_mut()[number] = told;
            }
        }
    });
    let playing: Vec<_> = players.map(|player| host.spawn("player", player)).collect();
    for player in playing {
        player.await.expect("every player ends");
    }
}

async fn play_one(player: &mut Player, script: &[Step], every_step: bool) -> Vec<String> {
    player.begin().await.expect("a fresh start");
    let mut told = Vec::new();
    for (index, step) in script.iter().enumerate() {
        let mut answer = player.step(*step).await;
        if every_step || index + 1 == script.len() {
            answer = format!("{answer} | {}", player.survey().await);
        }
        told.push(answer);
    }
    told
}

fn simulated(scripts: &Scripts, every_step: bool) -> Vec<Vec<String>> {
    let answers = Answers::default();
    let (scripts, log) = (Rc::clone(scripts), Rc::clone(&answers));
    let mut world = world(1);
    let mut options = machine("n1");
    options.disk.capacity_bytes = 1 << 30;
    let main = move |host| play(host, Rc::clone(&scripts), Rc::clone(&log), every_step);
    let address = world.add_machine(options, quiet(main));
    world.boot(address);
    world.run(until(u64::MAX / 1_000_000));
    drop(world);
    Rc::try_unwrap(answers)
        .expect("the run is over")
        .into_inner()
}

fn real(scripts: &Scripts, every_step: bool) -> Vec<Vec<String>> {
    let answers = Answers::default();
    let (scripts, log) = (Rc::clone(scripts), Rc::clone(&answers));
    run(move |host| play(host, scripts, log, every_step));
    Rc::try_unwrap(answers)
        .expect("the run is over")
        .into_inner()
}

/// Scripts that one simulated world plays: its disk remembers every name that was never synced.
const SCRIPTS_COUNT_MAX: usize = 256;

fn compare(scripts: &[Vec<Step>], every_step: bool) {
    let mut differences = Vec::new();
    for scripts in scripts.chunks(SCRIPTS_COUNT_MAX) {
        let scripts = Rc::new(scripts.to_vec());
        let (simulated, real) = (simulated(&scripts, every_step), real(&scripts, every_step));
        let whole = |played: &[Vec<String>]| {
            let lengths = played.iter().map(Vec::len);
            lengths.eq(scripts.iter().map(Vec::len))
        };
        assert!(whole(&simulated) && whole(&real), "every script is played");
        for ((script, simulated), real) in scripts.iter().zip(&simulated).zip(&real) {
            let first = (0..script.len()).find(|&index| simulated[index] != real[index]);
            if let Some(index) = first {
                let (steps, simulated, real) = (&script[..=index], &simulated[index], &real[index]);
                differences.push(format!(
                    "{steps:?}\n  simulated: {simulated}\n  real:      {real}"
                ));
            }
        }
    }
    let count = differences.len();
    differences.truncate(20);
    assert_eq!(count, 0, "the worlds differ:\n{}", differences.join("\n"));
}

#[test]
fn every_pair_of_steps_is_answered_alike() {
    // One name that nothing has is as good as two: the fifth path adds no pair that differs in kind.
    let alphabet = alphabet(4, 1);
    let mut scripts: Vec<Vec<Step>> = alphabet.iter().map(|step| vec![*step]).collect();
    for first in alphabet.iter().filter(|step| !step.changes_nothing()) {
        scripts.extend(alphabet.iter().map(|second| vec![*first, *second]));
    }
    compare(&scripts, false);
}

#[test]
fn long_scripts_are_answered_alike_step_by_step() {
    let mut stream = Stream::open(RunKey(21).stream("scripts"));
    let names = alphabet(PATHS.len(), 2);
    let contents: Vec<Step> = (0..2).flat_map(on_handle).collect();
    let mut draw = |steps: &[Step]| {
        let index = stream.below(steps.len() as u64);
        steps[usize::try_from(index).expect("an index")]
    };
    let mut script = || {
        let pairs = (0..30).map(|_| [draw(&names), draw(&contents)]);
        pairs.flatten().collect::<Vec<Step>>()
    };
    let scripts: Vec<Vec<Step>> = (0..64).map(|_| script()).collect();
    compare(&scripts, true);
}
