//! Steps of an arbitrary walk: at each stop what is met is held against the model; then a step, several at once, a
//! skip to anything that lies ahead, or down into the branch as a walk of its own, either way.

use cenotaph_engine::trie::{Cursor, Direction, Position};

/// How long a walk may be.
const MOVES_MAX: usize = 64;

/// Walks `cursor` as `moves` say. `look` is told the path from where the walk began, and the position.
pub(super) fn walk<C: Cursor>(mut cursor: C, moves: &[u8], look: impl Fn(&C, &[u8], Position)) {
    let mut path = Vec::new();
    let mut base = 0;
    for pair in moves.chunks(2).take(MOVES_MAX) {
        let here = cursor.position();
        if here.is_exhausted() {
            return;
        }
        look(&cursor, &path, here);
        let byte = pair.last().copied().unwrap_or(0);
        let position = match pair[0] % 8 {
            0..=2 => cursor.advance(),
            3 => {
                let mut passed = Vec::new();
                let position = cursor.advance_multiple(&mut passed);
                path.extend(passed);
                position
            }
            4 if !here.is_return() => {
                cursor = cursor.tail(match byte % 2 {
                    0 => Direction::Forward,
                    _ => Direction::Reverse,
                });
                base = path.len();
                continue;
            }
            5 if !here.is_return() => cursor.skip_to(here.beyond()),
            6 if !here.is_return() => cursor.skip_to(here.on_return()),
            _ if !here.is_return() => cursor.skip_to(here.child(byte)),
            _ => cursor.advance(),
        };
        let depth = usize::try_from(position.depth()).unwrap_or(0);
        path.truncate(base + depth.saturating_sub(1));
        path.extend(position.byte());
    }
}
