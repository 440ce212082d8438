//! Invariants of wakers: a wake touches only this thread's list and borrows nothing else, so it may
//! come from anywhere, a `Drop` included; a wake from another thread is refused and remembered.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Wake, Waker};

use super::task::TaskId;

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static THREAD_NUMBER: Cell<u64> = const { Cell::new(0) };
    static WAKES: RefCell<Vec<(u64, TaskId)>> = const { RefCell::new(Vec::new()) };
}

/// A number that no other thread and no other pool has; it never enters a fingerprint.
fn fresh_number() -> u64 {
    NEXT_NUMBER.fetch_add(1, Ordering::Relaxed)
}

fn thread_number() -> u64 {
    THREAD_NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(fresh_number());
        }
        number.get()
    })
}

/// What all wakers of one pool share.
#[derive(Debug)]
pub(super) struct Home {
    pool: u64,
    thread: u64,
    refused: AtomicBool,
}

impl Home {
    pub(super) fn new() -> Arc<Home> {
        Arc::new(Home {
            pool: fresh_number(),
            thread: thread_number(),
            refused: AtomicBool::new(false),
        })
    }

    /// Whether some task was woken from a foreign thread: such a wake has no place in the order.
    pub(super) fn refused_a_wake(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Hands every wake since the last call to `wake`.
    #[inline]
    pub(super) fn drain(&self, mut wake: impl FnMut(TaskId)) {
        WAKES.with(|wakes| {
            let mut wakes = wakes.borrow_mut();
            if wakes.is_empty() {
                return;
            }
            wakes.retain(|(pool, task)| {
                let ours = *pool == self.pool;
                if ours {
                    wake(*task);
                }
                !ours
            });
        });
    }
}

pub(super) struct TaskWaker {
    home: Arc<Home>,
    task: TaskId,
}

impl TaskWaker {
    /// The waker of a task.
    pub(super) fn of(home: &Arc<Home>, task: TaskId) -> Waker {
        Waker::from(Arc::new(TaskWaker {
            home: Arc::clone(home),
            task,
        }))
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        Wake::wake_by_ref(&self);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if thread_number() != self.home.thread {
            self.home.refused.store(true, Ordering::Relaxed);
            return;
        }
        WAKES.with(|wakes| wakes.borrow_mut().push((self.home.pool, self.task)));
    }
}
