//! Invariants of stacks of nodes: the first few lie in place, so that short keys need no memory of their own;
//! the others spill, so that long ones have all they need.

/// A stack of which `N` elements lie in place.
#[derive(Clone)]
pub(super) struct Stack<T, const N: usize> {
    near: [T; N],
    far: Vec<T>,
    size: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    /// An empty one, filled with `blank`.
    pub(super) fn new(blank: T) -> Stack<T, N> {
        Stack {
            near: [blank; N],
            far: Vec::new(),
            size: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, element: T) {
        match self.near.get_mut(self.size) {
            Some(place) => *place = element,
            None => self.far.push(element),
        }
        self.size += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        let last = *self.last_mut()?;
        self.size -= 1;
        self.far.truncate(self.size.saturating_sub(N));
        Some(last)
    }

    #[inline]
    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        let index = self.size.checked_sub(1)?;
        if index < N {
            self.near.get_mut(index)
        } else {
            self.far.last_mut()
        }
    }
}
