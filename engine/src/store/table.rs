//! Invariants of a table's store: the view is replaced whole and never across an await; a sealed memtable is
//! written by one flush at a time, sstables are taken away by one task at a time; after `drop` no write gets in
//! and nobody adds an sstable.
//!
//! Whoever needs both turns takes the compaction's first.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cenotaph_sim::sync::{Notified, Notify, Permit, Semaphore, yield_now};

use super::error::StoreError;
use super::growth::Growth;
use super::slot::Slot;
use super::turns::{FlushPlace, Turns};
use super::view::View;
use crate::commitlog::Position;
use crate::memtable::Ticket;
use crate::planted::{self, Plant};
use crate::rows::TableId;
use crate::sstable::Sstable;

/// The memtables and sstables of one table.
#[derive(Debug)]
pub struct TableStore {
    id: TableId,
    view: RefCell<Rc<View>>,
    turns: Turns,
    /// Tells whoever waits for a memtable that others write.
    claim_ended: Notify,
    compaction_turn: Semaphore,
    growth: Rc<Growth>,
    is_dropped: Cell<bool>,
}

/// The right to write a sealed memtable; dropping it gives it to others, when it is still needed.
#[derive(Debug)]
#[must_use = "others may write the memtable once this is dropped"]
pub struct Claim<'a> {
    table: &'a TableStore,
    slot: Rc<Slot>,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.slot.set_claimed(false);
        self.table.claim_ended.notify_all();
    }
}

impl TableStore {
    pub(super) fn new(
        id: TableId,
        log_position: Position,
        sstables: Vec<Rc<Sstable>>,
        growth: Rc<Growth>,
    ) -> TableStore {
        if !sstables.is_empty() {
            growth.note(id);
        }
        TableStore {
            id,
            view: RefCell::new(Rc::new(View::new(Slot::new(id, log_position), sstables))),
            turns: Turns::new(),
            claim_ended: Notify::new(),
            compaction_turn: Semaphore::new(1),
            growth,
            is_dropped: Cell::new(false),
        }
    }

    /// Which table.
    #[must_use]
    pub fn id(&self) -> TableId {
        self.id
    }

    /// All sources of its rows, now.
    #[must_use]
    pub fn view(&self) -> Rc<View> {
        Rc::clone(&self.view.borrow())
    }

    fn set_view(&self, view: View) {
        *self.view.borrow_mut() = Rc::new(view);
    }

    /// Announces a write whose log position is reserved in the same step, without an await between.
    ///
    /// # Errors
    /// [`StoreError::NoTable`] once the table is dropped.
    pub fn ticket(&self) -> Result<Ticket, StoreError> {
        self.check_exists()?;
        Ok(self.view.borrow().current.memtable().ticket())
    }

    /// Refuses once the table is dropped.
    ///
    /// # Errors
    /// [`StoreError::NoTable`].
    pub fn check_exists(&self) -> Result<(), StoreError> {
        if self.is_dropped.get() {
            return Err(StoreError::NoTable { table: self.id.0 });
        }
        Ok(())
    }

    /// Bytes in memtables, by the reckoning of `rows`.
    #[must_use]
    pub fn memtable_bytes(&self) -> u64 {
        self.view
            .borrow()
            .memtables()
            .map(|slot| slot.memtable().size_bytes())
            .sum()
    }

    /// Waits until no flush of this table runs, and keeps new ones out as long as the permit lives.
    pub async fn flush_turn(&self) -> Permit<'_> {
        self.turns.exclusive().await
    }

    /// Waits for a place among the flushes of this table, of which at most `flushes_max` run at a time.
    pub async fn flush_place(&self, flushes_max: usize) -> FlushPlace<'_> {
        self.turns.shared(flushes_max).await
    }

    /// Takes the right to write a sealed memtable, unless another flush has it.
    #[must_use]
    pub fn claim(&self, slot: &Rc<Slot>) -> Option<Claim<'_>> {
        if slot.is_claimed() {
            return None;
        }
        slot.set_claimed(true);
        let slot = Rc::clone(slot);
        Some(Claim { table: self, slot })
    }

    /// Waits for the end of any [`Claim`] after this call. Take it before looking at the view.
    pub fn claim_ended(&self) -> Notified<'_> {
        self.claim_ended.notified()
    }

    /// Waits for one's turn to take sstables away from this table.
    pub async fn compaction_turn(&self) -> Permit<'_> {
        self.compaction_turn.acquire().await
    }

    /// Seals the current memtable at the log's position and begins another.
    pub async fn switch(&self, log_position: impl Fn() -> Position) {
        if planted::on(Plant::P02) {
            return self.switch_too_early(log_position).await;
        }
        let position = log_position();
        let view = self.view();
        self.set_view(view.switched(Slot::new(self.id, position)));
        view.current.seal(position);
    }

    /// P02: writes that come between the swap and the reading of the position are in the new memtable
    /// and in the old one's interval.
    async fn switch_too_early(&self, log_position: impl Fn() -> Position) {
        let view = self.view();
        self.set_view(view.switched(Slot::new(self.id, log_position())));
        yield_now().await;
        view.current.seal(log_position());
    }

    /// Replaces a sealed memtable by the sstable that it became, or by nothing when it was empty.
    ///
    /// # Panics
    /// When the memtable is not one of the sealed ones.
    pub fn replace_flushed(&self, slot: &Rc<Slot>, sstable: Option<Rc<Sstable>>) {
        if sstable.is_some() {
            self.growth.note(self.id);
        }
        let view = self.view().flushed(slot, sstable);
        self.set_view(view);
    }

    /// Replaces sstables by the one that they became, or by nothing when nothing was left.
    ///
    /// # Panics
    /// When an input is not one of the table's.
    pub fn replace_compacted(&self, inputs: &[Rc<Sstable>], output: Option<Rc<Sstable>>) {
        let view = self.view().compacted(inputs, output);
        self.set_view(view);
    }

    /// Lets go of the sealed memtables and sstables of an earlier view.
    pub(super) fn discard_sources(&self, before: &View) {
        let view = self.view().without(before);
        self.set_view(view);
    }

    /// From now on the table takes no writes.
    pub(super) fn mark_dropped(&self) {
        self.is_dropped.set(true);
    }

    /// Whether the table was dropped.
    #[must_use]
    pub fn is_dropped(&self) -> bool {
        self.is_dropped.get()
    }
}
