//! Invariants of an atlas: of every area, as many replicas as recovery needs are intact and up, whatever it granted.
//!
//! Who breaks things asks first. What is refused would have left some area beyond recovery, so that
//! software which cannot recover from what was granted is at fault itself.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::entropy::StreamKey;

/// A part of the data whose replicas stand in for one another: a chunk of a file, a range of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Area(pub u64);

/// A machine that holds replicas, by a number of the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder(pub u32);

/// Why nothing may be broken there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AtlasError {
    /// The area would have too few replicas left.
    #[error("area {} would have {left} replicas left, and recovery needs {needed}", area.0)]
    BeyondRecovery {
        /// The first such area.
        area: Area,
        /// Replicas that would be intact and up.
        left: usize,
        /// Replicas that recovery needs.
        needed: usize,
    },
    /// The machine has no replica of the area.
    #[error("machine {} holds no replica of area {}", holder.0, area.0)]
    NotHeld {
        /// The area.
        area: Area,
        /// The machine.
        holder: Holder,
    },
}

/// What is broken where, and what else may be.
#[derive(Clone, Debug)]
pub struct Atlas {
    needed: usize,
    areas: BTreeMap<Area, Replicas>,
    down: BTreeSet<Holder>,
}

#[derive(Clone, Debug, Default)]
struct Replicas {
    holders: BTreeSet<Holder>,
    broken: BTreeSet<Holder>,
}

impl Replicas {
    fn left(&self, is_up: impl Fn(Holder) -> bool) -> usize {
        let intact = self.holders.difference(&self.broken);
        intact.filter(|holder| is_up(**holder)).count()
    }
}

impl Atlas {
    /// An atlas of no areas yet. Recovery of an area needs so many replicas of it: one where any
    /// replica has all of it, a quorum where only together they do.
    #[must_use]
    pub fn new(needed: usize) -> Atlas {
        Atlas {
            needed,
            areas: BTreeMap::new(),
            down: BTreeSet::new(),
        }
    }

    /// An area has replicas on these machines, all of them intact, from now on.
    ///
    /// # Errors
    /// When too few of them are up; the area is then as it was.
    pub fn place(
        &mut self,
        area: Area,
        holders: impl IntoIterator<Item = Holder>,
    ) -> Result<(), AtlasError> {
        let replicas = Replicas {
            holders: holders.into_iter().collect(),
            broken: BTreeSet::new(),
        };
        self.judge(area, &replicas, |holder| !self.down.contains(&holder))?;
        self.areas.insert(area, replicas);
        Ok(())
    }

    /// An area is no more; nothing is known of it then.
    pub fn forget(&mut self, area: Area) {
        self.areas.remove(&area);
    }

    /// A replica is about to be broken: damaged, lost, or rolled back. Granted, it counts as broken.
    ///
    /// # Errors
    /// When the area would be beyond recovery, or has no replica there.
    pub fn break_replica(&mut self, area: Area, holder: Holder) -> Result<(), AtlasError> {
        let held = self.areas.get(&area);
        let Some(replicas) = held.filter(|replicas| replicas.holders.contains(&holder)) else {
            return Err(AtlasError::NotHeld { area, holder });
        };
        let mut broken = replicas.clone();
        broken.broken.insert(holder);
        self.judge(area, &broken, |holder| !self.down.contains(&holder))?;
        self.areas.insert(area, broken);
        Ok(())
    }

    /// A replica is intact again: repaired from the others, or what lay over it was lifted.
    pub fn mend_replica(&mut self, area: Area, holder: Holder) {
        if let Some(replicas) = self.areas.get_mut(&area) {
            replicas.broken.remove(&holder);
        }
    }

    /// A machine is about to go down. Granted, its replicas do not count until it is up again.
    ///
    /// # Errors
    /// When an area would be beyond recovery.
    pub fn take_down(&mut self, holder: Holder) -> Result<(), AtlasError> {
        let is_up = |other| other != holder && !self.down.contains(&other);
        let mut held = self.areas.iter();
        held.try_for_each(|(&area, replicas)| {
            if replicas.holders.contains(&holder) {
                self.judge(area, replicas, is_up)
            } else {
                Ok(())
            }
        })?;
        self.down.insert(holder);
        Ok(())
    }

    /// A machine is up again, with its replicas as they were.
    pub fn bring_up(&mut self, holder: Holder) {
        self.down.remove(&holder);
    }

    /// A machine lost its disk, and comes back with an empty one: every replica that it holds is
    /// broken. All or nothing.
    ///
    /// # Errors
    /// When an area would be beyond recovery.
    pub fn wipe(&mut self, holder: Holder) -> Result<(), AtlasError> {
        let was_down = self.down.contains(&holder);
        self.take_down(holder)?;
        if !was_down {
            self.bring_up(holder);
        }
        for replicas in self.areas.values_mut() {
            if replicas.holders.contains(&holder) {
                replicas.broken.insert(holder);
            }
        }
        Ok(())
    }

    /// Replicas of an area that are intact and up.
    #[must_use]
    pub fn left(&self, area: Area) -> usize {
        let is_up = |holder| !self.down.contains(&holder);
        self.areas
            .get(&area)
            .map_or(0, |replicas| replicas.left(is_up))
    }

    /// Machines whose replicas of an area may all be broken together while everything is up, as the
    /// key deals them: the same ones whenever it is asked, so that damage can be dealt out beforehand.
    #[must_use]
    pub fn dealt(&self, area: Area, key: StreamKey) -> Vec<Holder> {
        let Some(replicas) = self.areas.get(&area) else {
            return Vec::new();
        };
        let key = StreamKey(key.word(area.0));
        let mut holders: Vec<Holder> = replicas.holders.iter().copied().collect();
        holders.sort_by_key(|holder| (key.word(u64::from(holder.0)), *holder));
        holders.truncate(holders.len().saturating_sub(self.needed));
        holders.sort_unstable();
        holders
    }

    fn judge(
        &self,
        area: Area,
        replicas: &Replicas,
        is_up: impl Fn(Holder) -> bool,
    ) -> Result<(), AtlasError> {
        let left = replicas.left(is_up);
        if left < self.needed {
            return Err(AtlasError::BeyondRecovery {
                area,
                left,
                needed: self.needed,
            });
        }
        Ok(())
    }
}
