//! Invariants of a set of hashes: open addressing on the hash's own bits; at most half of it is full.

/// Images that were met, by their hashes.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Zero where nothing is; a power of two in number.
    slots: Vec<u128>,
    count: usize,
    holds_zero: bool,
}

impl Seen {
    /// Remembers an image; whether it is a new one.
    pub fn insert(&mut self, hash: u128) -> bool {
        if hash == 0 {
            return !std::mem::replace(&mut self.holds_zero, true);
        }
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let is_new = place(&mut self.slots, hash);
        self.count += usize::from(is_new);
        is_new
    }

    /// Images remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count + usize::from(self.holds_zero)
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(1 << 10);
        let before = std::mem::replace(&mut self.slots, vec![0; size]);
        for hash in before.into_iter().filter(|&hash| hash != 0) {
            place(&mut self.slots, hash);
        }
    }
}

fn place(slots: &mut [u128], hash: u128) -> bool {
    let mask = slots.len() - 1;
    let mut index = hash as usize & mask;
    loop {
        match slots[index] {
            0 => {
                slots[index] = hash;
                return true;
            }
            known if known == hash => return false,
            _ => index = (index + 1) & mask,
        }
    }
}
