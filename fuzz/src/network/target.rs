//! Steps: draw a network from a fuzzer's bytes, play it, judge it, and play it again.

use arbitrary::Unstructured;

use super::judge::judge;
use super::play::play;
use super::program::Program;

/// Draws a program from a fuzzer's bytes and plays it.
///
/// # Panics
/// When the network breaks a law.
pub fn network(input: &[u8]) {
    let mut source = Unstructured::new(input);
    let (Ok(key), Ok(program)) = (source.arbitrary::<u64>(), Program::draw(&mut source)) else {
        return;
    };
    let played = play(&program, key);
    judge(&program, &played);
    assert_eq!(
        played,
        play(&program, key),
        "the same run again: {program:?}"
    );
}
