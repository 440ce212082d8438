//! Steps of a drawing: one line a stop, indented by depth: the byte, `↑` on the return path, and what is held.
//! Deletions that hang on a node follow it, each line after a `!`.

use std::fmt::{Debug, Write as _};

use crate::trie::Cursor;
use crate::trie::deletion_aware::DeletionAware;

/// Everything that a walk meets, as text.
pub fn draw<C: Cursor>(cursor: C) -> String
where
    C::Content: Debug,
{
    draw_below(cursor, 0, |_| String::new())
}

/// Everything that a walk over live data meets, and the deletions that hang on its nodes, as text.
pub fn draw_deletion_aware<C: DeletionAware>(cursor: C) -> String
where
    C::Content: Debug,
{
    draw_below(cursor, 0, |cursor| {
        let position = cursor.position();
        let Some(branch) = cursor.deletion_branch(position.direction()) else {
            return String::new();
        };
        let depth = usize::try_from(position.depth()).unwrap_or(0);
        let lines = draw_below(branch, depth, |_| String::new());
        lines.lines().map(|line| format!("! {line}\n")).collect()
    })
}

fn draw_below<C: Cursor>(mut cursor: C, above: usize, hung: impl Fn(&C) -> String) -> String
where
    C::Content: Debug,
{
    let mut text = String::new();
    loop {
        let position = cursor.position();
        if position.is_exhausted() {
            return text;
        }
        let depth = above + usize::try_from(position.depth()).unwrap_or(0);
        let byte = match position.byte() {
            None => "root".to_owned(),
            Some(byte) if byte.is_ascii_graphic() => char::from(byte).to_string(),
            Some(byte) => format!("{byte:02x}"),
        };
        let returns = if position.is_return() { "↑" } else { "" };
        let content = match cursor.content() {
            Some(content) => format!("  {content:?}"),
            None => String::new(),
        };
        writeln!(text, "{:1$}{byte}{returns}{content}", "", 2 * depth).expect("a string takes all");
        text.push_str(&hung(&cursor));
        cursor.advance();
    }
}
