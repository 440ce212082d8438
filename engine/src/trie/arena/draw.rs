//! Steps of drawing a trie: one node a line, deeper ones further right; or one cell a line, byte for byte.

use std::fmt::Write;

use super::chain;
use super::leaf::Leaf;
use super::map::Arena;
use super::node::{Kind, Node, Root};
use super::{sparse, split};

/// A node that is yet to be drawn.
struct Left {
    node: Node,
    indent: usize,
    /// Bytes of the key that lead to the node above, and the byte that leads here from there, if any.
    depth: usize,
    byte: Option<u8>,
}

/// Bytes as pairs of digits.
struct Hex<'a>(&'a [u8]);

impl std::fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{byte:02x}")?;
        }
        Ok(())
    }
}

impl<L: Leaf> Arena<L> {
    /// A trie as text: each node with the bytes that lead to it; at a leaf what `name` says of its key.
    pub fn draw(&self, root: Root, mut name: impl FnMut(&[u8], L) -> String) -> String {
        let mut text = String::new();
        let mut key = Vec::new();
        self.each_node(root, |node, indent, depth, byte| {
            key.truncate(depth);
            key.extend(byte);
            let byte = byte.map_or(String::new(), |byte| format!("{byte:02x} "));
            let what = self.name_of(node, &mut key, &mut name);
            writeln!(text, "{:1$}{byte}{what}", "", indent * 2).expect("text takes all");
            key.len()
        });
        text
    }

    fn name_of(
        &self,
        node: Node,
        key: &mut Vec<u8>,
        name: &mut impl FnMut(&[u8], L) -> String,
    ) -> String {
        let cell = self.store.space.at(node.cell());
        match node.kind() {
            Kind::Chain(offset) => {
                let bytes = chain::bytes(cell, offset);
                key.extend_from_slice(bytes);
                format!("chain {}", Hex(bytes))
            }
            Kind::Sparse => format!("sparse of {}", sparse::count(cell)),
            Kind::Split => {
                let (max, min) = split::times(cell);
                let cells = 1 + split::inner_cells(&self.store.space, cell).count();
                let count = split::count(cell);
                format!("split of {count} in {cells} cells, times {min} to {max}")
            }
            Kind::Leaf(_) => {
                let stored = self.store.stored::<L>(node);
                let (tail, size) = (
                    stored.tail(),
                    if stored.is_half() { "half" } else { "whole" },
                );
                key.extend_from_slice(tail);
                let space = if tail.is_empty() { "" } else { " " };
                format!("{size}{space}{}: {}", Hex(tail), name(key, stored.load()))
            }
        }
    }

    /// The cells of a trie, byte for byte, in the order of the walk.
    pub fn dump(&self, root: Root) -> String {
        let mut text = String::new();
        self.each_node(root, |node, _, depth, byte| {
            let (kind, half) = match node.kind() {
                Kind::Chain(offset) => (format!("chain from {offset:02x}"), None),
                Kind::Sparse => ("sparse".to_owned(), None),
                Kind::Split => ("split: head".to_owned(), None),
                Kind::Leaf(half) if self.store.stored::<L>(node).is_half() => {
                    (format!("leaf, half {half}"), Some(half))
                }
                Kind::Leaf(_) => ("leaf, whole".to_owned(), None),
            };
            self.dump_cell(&mut text, &kind, node.cell(), half);
            if node.kind() == Kind::Split {
                self.dump_split(&mut text, node);
            }
            depth + usize::from(byte.is_some())
        });
        text
    }

    fn dump_split(&self, text: &mut String, node: Node) {
        let head = self.store.space.at(node.cell());
        for cell in split::inner_cells(&self.store.space, head) {
            let is_group = (0..=u8::MAX).any(|byte| split::group_of(head, byte) == cell);
            let what = if is_group { "group" } else { "row" };
            self.dump_cell(text, &format!("split: {what}"), cell, None);
        }
    }

    fn dump_cell(&self, text: &mut String, what: &str, number: u32, half: Option<usize>) {
        let cell = self.store.space.at(number);
        writeln!(text, "cell {number}, {what}").expect("text takes all");
        let first = half.unwrap_or(0) * 2;
        let last = half.map_or(4, |half| half * 2 + 2);
        for (line, bytes) in cell.bytes().chunks(8).enumerate().take(last).skip(first) {
            writeln!(text, "  {:02x}  {}", line * 8, Hex(bytes)).expect("text takes all");
        }
    }

    /// Tells of all nodes, those above and before others first: node, how deep it lies, how many bytes of the
    /// key are above, and the byte from there. It is told how many bytes lead to the node's children.
    fn each_node(&self, root: Root, mut tell: impl FnMut(Node, usize, usize, Option<u8>) -> usize) {
        let mut left = Vec::new();
        if !root.is_empty() {
            left.push(Left {
                node: root.0,
                indent: 0,
                depth: 0,
                byte: None,
            });
        }
        while let Some(Left {
            node,
            indent,
            depth,
            byte,
        }) = left.pop()
        {
            let depth = tell(node, indent, depth, byte);
            let below = |byte, node| Left {
                node,
                indent: indent + 1,
                depth,
                byte,
            };
            match node.kind() {
                Kind::Leaf(_) => {}
                Kind::Chain(_) => left.push(below(None, self.store.space.chain_child(node))),
                Kind::Sparse | Kind::Split => {
                    let children = self.store.children(node).into_iter().rev();
                    left.extend(children.map(|(byte, node)| below(Some(byte), node)));
                }
            }
        }
    }
}
