//! Invariants of a view: it never changes; whoever holds one reads every write that it began with from
//! exactly the sources in it. A flush replaces a memtable by its sstable in one swap, a compaction its inputs by
//! its output. A replaced sstable is read to the end by those who hold it, though its file has no name any more.

use std::rc::Rc;

use super::slot::Slot;
use crate::sstable::{Sstable, SstableName};

/// All sources of a table's rows at one instant.
#[derive(Clone, Debug)]
pub struct View {
    /// The memtable that takes writes.
    pub current: Rc<Slot>,
    /// Sealed memtables whose content no sstable has yet, oldest first.
    pub flushing: Vec<Rc<Slot>>,
    /// Sstables, by id.
    pub sstables: Vec<Rc<Sstable>>,
}

impl View {
    pub(super) fn new(current: Rc<Slot>, sstables: Vec<Rc<Sstable>>) -> View {
        View {
            current,
            flushing: Vec::new(),
            sstables,
        }
    }

    /// Every memtable, newest first.
    pub fn memtables(&self) -> impl Iterator<Item = &Rc<Slot>> {
        std::iter::once(&self.current).chain(self.flushing.iter().rev())
    }

    /// The view after a switch to the memtable `next`.
    pub(super) fn switched(&self, next: Rc<Slot>) -> View {
        let mut view = self.clone();
        view.flushing
            .push(std::mem::replace(&mut view.current, next));
        view
    }

    /// The view after a flush of `slot`, which left `sstable` unless it was empty.
    pub(super) fn flushed(&self, slot: &Rc<Slot>, sstable: Option<Rc<Sstable>>) -> View {
        let mut view = self.clone();
        let before_count = view.flushing.len();
        view.flushing.retain(|flushing| !Rc::ptr_eq(flushing, slot));
        assert!(
            view.flushing.len() + 1 == before_count,
            "a memtable is flushed once"
        );
        view.sstables.extend(sstable);
        view.sstables.sort_by_key(|sstable| sstable.name());
        view
    }

    /// Whether this sealed memtable is one of the sources.
    #[must_use]
    pub fn is_flushing(&self, slot: &Rc<Slot>) -> bool {
        self.flushing
            .iter()
            .any(|flushing| Rc::ptr_eq(flushing, slot))
    }

    /// The view after a compaction of `inputs`, which left `output` unless nothing was left.
    pub(super) fn compacted(&self, inputs: &[Rc<Sstable>], output: Option<Rc<Sstable>>) -> View {
        let mut view = self.clone();
        let is_input =
            |sstable: &Rc<Sstable>| inputs.iter().any(|input| input.name() == sstable.name());
        view.sstables.retain(|sstable| !is_input(sstable));
        assert!(
            view.sstables.len() + inputs.len() == self.sstables.len(),
            "an sstable is compacted once"
        );
        view.sstables.extend(output);
        view.sstables.sort_by_key(|sstable| sstable.name());
        view
    }

    /// The view without the sealed memtables and the sstables of `before`.
    pub(super) fn without(&self, before: &View) -> View {
        let mut view = self.clone();
        let is_gone = |slot: &Rc<Slot>| before.flushing.iter().any(|gone| Rc::ptr_eq(gone, slot));
        view.flushing.retain(|slot| !is_gone(slot));
        view.sstables
            .retain(|sstable| !before.holds(sstable.name()));
        view
    }

    /// Whether this sstable is one of the sources.
    #[must_use]
    pub fn holds(&self, name: SstableName) -> bool {
        self.sstables.iter().any(|sstable| sstable.name() == name)
    }
}
