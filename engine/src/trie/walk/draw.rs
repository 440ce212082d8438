//! Steps of a drawing: one line a stop, indented by depth: the byte, `↑` on the return path, and what is held.

use std::fmt::{Debug, Write as _};

use crate::trie::Cursor;

/// Everything that a walk meets, as text.
pub fn draw<C: Cursor>(mut cursor: C) -> String
where
    C::Content: Debug,
{
    let mut text = String::new();
    loop {
        let position = cursor.position();
        if position.is_exhausted() {
            return text;
        }
        let depth = usize::try_from(position.depth()).unwrap_or(0);
        let byte = match position.byte() {
            None => "root".to_owned(),
            Some(byte) if byte.is_ascii_graphic() => char::from(byte).to_string(),
            Some(byte) => format!("{byte:02x}"),
        };
        let returns = if position.is_return() { "↑" } else { "" };
        let _ = write!(text, "{:1$}{byte}{returns}", "", 2 * depth);
        if let Some(content) = cursor.content() {
            let _ = write!(text, "  {content:?}");
        }
        text.push('\n');
        cursor.advance();
    }
}
