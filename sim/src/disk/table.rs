//! Invariants of a file's page table: one slot a page holds what is cached and what is durable.
//!
//! Slots live in chunks behind `Arc`s, so that a fork's first write copies one chunk, not the file. What a
//! crash chooses is laid over the chunks, and takes its place in them when the file changes next.

use std::sync::Arc;

use super::options::PAGE_SIZE;
use super::page::Page;

/// Pages of a chunk: 64 KiB of file.
const CHUNK_PAGES: usize = 16;

/// Where one page of a file stands. The default is a hole that takes no space.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// What system calls see, where the cache is not what is durable.
    pub(super) own: Option<Arc<Page>>,
    /// What every crash leaves at least; none reads as zeros.
    pub(super) durable: Option<Arc<Page>>,
    /// The cache is not what is durable, or need not be. A settled page is held once only.
    pub(super) has_own: bool,
    /// Changes with a lower sequence are part of `durable` already.
    pub(super) settled: u64,
    /// Sectors that cannot be read, a bit each, as calls see it.
    pub(super) bad: u8,
    /// As `bad`, as every crash leaves it at least.
    pub(super) bad_durable: u8,
    /// The cache is ahead of the medium, and the next sync writes it.
    pub(super) dirty: bool,
    /// The cache is ahead of the medium, and no sync will write it: a writeback failed.
    pub(super) lost: bool,
    /// The page counts as used space.
    pub(super) allocated: bool,
    /// The space is promised, whether or not bytes were written.
    pub(super) reserved: bool,
    /// As `reserved`, as far as a crash remembers it.
    pub(super) reserved_durable: bool,
}

impl Slot {
    /// What system calls see; none reads as zeros.
    pub(super) fn cached(&self) -> Option<&Arc<Page>> {
        if self.has_own {
            self.own.as_ref()
        } else {
            self.durable.as_ref()
        }
    }

    /// System calls see this, whatever is durable.
    pub(super) fn set_cached(&mut self, page: Option<Arc<Page>>) {
        (self.own, self.has_own) = (page, true);
    }

    /// System calls see what is durable.
    pub(super) fn show_durable(&mut self) {
        (self.own, self.has_own) = (None, false);
    }

    /// What system calls see is durable.
    pub(super) fn make_durable(&mut self) {
        if self.has_own {
            self.durable = self.own.take();
            self.has_own = false;
        }
    }

    /// Another page is durable, and system calls see what they saw.
    pub(super) fn set_durable(&mut self, page: Option<Arc<Page>>) {
        if !self.has_own {
            self.set_cached(self.durable.clone());
        }
        self.durable = page;
    }

    /// The cached page, to change it; a hole becomes a page of zeros.
    pub(super) fn page_mut(&mut self) -> &mut [u8; PAGE_SIZE] {
        if !self.has_own {
            self.set_cached(self.durable.clone());
        }
        let page = self.own.get_or_insert_with(|| Arc::new(Page::zeroed()));
        Arc::make_mut(page).bytes_mut()
    }

    /// Changes what system calls see, and makes it durable at once.
    pub(super) fn change_both(&mut self, change: impl FnOnce(&mut [u8; PAGE_SIZE])) {
        if !self.has_own {
            let page = self.durable.take();
            self.set_cached(page);
        }
        self.durable = None;
        change(self.page_mut());
        self.make_durable();
    }

    /// Whether cache and medium hold the same bytes by sharing them.
    pub(super) fn is_shared(&self) -> bool {
        match (self.cached(), &self.durable) {
            (Some(cached), Some(durable)) => Arc::ptr_eq(cached, durable),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether a crash may leave the same of the page in a fork that made the same changes to it.
    pub(super) fn fares_as(&self, fork: &Slot) -> bool {
        let durable = match (&self.durable, &fork.durable) {
            (Some(page), Some(fork)) => Arc::ptr_eq(page, fork),
            (None, None) => true,
            _ => false,
        };
        durable
            && (self.settled, self.bad_durable, self.reserved_durable)
                == (fork.settled, fork.bad_durable, fork.reserved_durable)
    }

    /// Whether this slot must keep its space, once nothing unsynced remains.
    pub(super) fn needs_space(&self) -> bool {
        self.cached().is_some() || self.durable.is_some() || self.reserved
    }
}

/// The slots of one file, by page index.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    chunks: Chunks,
    /// Slots in the place of others in shared chunks, in order.
    over: Vec<(u64, Slot)>,
}

type Chunk = Arc<Vec<Slot>>;

#[derive(Clone, Debug)]
enum Chunks {
    Own(Vec<Chunk>),
    /// Those of every table that is laid over them, until one of its slots is to change.
    Shared(Arc<Vec<Chunk>>),
}

impl Default for Chunks {
    fn default() -> Chunks {
        Chunks::Own(Vec::new())
    }
}

impl Table {
    /// The slot of this page, when one was ever made.
    pub(super) fn get(&self, page: u64) -> Option<&Slot> {
        if !self.over.is_empty()
            && let Ok(index) = self.over.binary_search_by_key(&page, |over| over.0)
        {
            return Some(&self.over[index].1);
        }
        let index = usize::try_from(page).ok()?;
        self.chunks()
            .get(index / CHUNK_PAGES)?
            .get(index % CHUNK_PAGES)
    }

    /// The slot of this page, made when missing.
    pub(super) fn slot_mut(&mut self, page: u64) -> &mut Slot {
        let index = usize::try_from(page).expect("a page index is below the largest file's");
        let (chunk, within) = (index / CHUNK_PAGES, index % CHUNK_PAGES);
        let chunks = self.own();
        if chunk >= chunks.len() {
            chunks.resize_with(chunk + 1, Arc::default);
        }
        let slots = Arc::make_mut(&mut chunks[chunk]);
        if within >= slots.len() {
            slots.resize_with(within + 1, Slot::default);
        }
        &mut slots[within]
    }

    /// The same slots, so that clones share all of them.
    pub(super) fn shared(mut self) -> Table {
        let chunks = std::mem::take(self.own());
        Table {
            chunks: Chunks::Shared(Arc::new(chunks)),
            over: Vec::new(),
        }
    }

    /// Puts slots in the place of others, in the order of their pages, without a copy of their
    /// chunks. Each page has a slot already.
    pub(super) fn lay_over(&mut self, slots: Vec<(u64, Slot)>) {
        assert!(
            slots.is_sorted_by(|one, next| one.0 < next.0),
            "slots are looked up by their pages"
        );
        match self.chunks {
            Chunks::Shared(_) if self.over.is_empty() => self.over = slots,
            _ => {
                for (page, slot) in slots {
                    *self.slot_mut(page) = slot;
                }
            }
        }
    }

    /// One more than the highest page that may have a slot.
    pub(super) fn page_limit(&self) -> u64 {
        let chunks = self.chunks();
        match chunks.last() {
            Some(last) => ((chunks.len() - 1) * CHUNK_PAGES + last.len()) as u64,
            None => 0,
        }
    }

    /// Every slot with its page index, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Slot)> {
        let mut over = self.over.iter().peekable();
        let slots = self.chunks().iter().enumerate().flat_map(|(chunk, slots)| {
            let first = (chunk * CHUNK_PAGES) as u64;
            slots
                .iter()
                .enumerate()
                .map(move |(index, slot)| (first + index as u64, slot))
        });
        slots.map(
            move |(page, slot)| match over.next_if(|over| over.0 == page) {
                Some((_, over)) => (page, over),
                None => (page, slot),
            },
        )
    }

    fn chunks(&self) -> &[Chunk] {
        match &self.chunks {
            Chunks::Own(chunks) => chunks,
            Chunks::Shared(chunks) => chunks,
        }
    }

    /// The chunks, with what was laid over them in its place.
    fn own(&mut self) -> &mut Vec<Chunk> {
        if let Chunks::Shared(chunks) = &self.chunks {
            let mut chunks = Vec::clone(chunks);
            for (page, slot) in self.over.drain(..) {
                // A page that is laid over has a slot below, so that its index is a chunk's.
                let index = page as usize;
                Arc::make_mut(&mut chunks[index / CHUNK_PAGES])[index % CHUNK_PAGES] = slot;
            }
            self.chunks = Chunks::Own(chunks);
        }
        match &mut self.chunks {
            Chunks::Own(chunks) => chunks,
            Chunks::Shared(_) => unreachable!("they were made its own just now"),
        }
    }
}

/// The page that holds this byte.
pub(super) const fn page_of(offset: u64) -> u64 {
    offset / PAGE_SIZE as u64
}

/// The byte's place within its page.
pub(super) const fn within_page(offset: u64) -> usize {
    (offset % PAGE_SIZE as u64) as usize
}

/// The page's first byte.
pub(super) const fn page_start(page: u64) -> u64 {
    page * PAGE_SIZE as u64
}

/// Pages needed for this many bytes.
pub(super) const fn pages_for(size: u64) -> u64 {
    size.div_ceil(PAGE_SIZE as u64)
}
