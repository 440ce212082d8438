//! Steps of a search: recover from each state that recovery can tell apart, or from each image once; count both.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::images::Image;
use super::odometer::{Bounds, Odometer};
use super::seen::Seen;
use crate::disk::choices::Choices;
use crate::disk::crash_point::CrashPoint;
use crate::disk::options::CrashKind;
use crate::disk::volume::Disk;

/// How far a search got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Crash points that were searched.
    pub points: u64,
    /// Crash points left out, since a disk that holds the same was searched.
    pub points_merged: u64,
    /// Recoveries that were run.
    pub recoveries: u64,
    /// Images that were met.
    pub images: u64,
    /// Images left out, since the same one was recovered from.
    pub images_merged: u64,
    /// Crash points where the budget ran out before the end.
    pub points_cut: u64,
}

/// A search through the states of many crash points. It knows nothing of what recovers: the same
/// works for any software that reads a [`Disk`].
///
/// ```
/// use cenotaph_sim::disk::{Access, CrashKind, Disk, DiskOptions, Profile, Tear};
/// use cenotaph_sim::disk::states::{Bounds, Search};
///
/// let mut disk = Disk::new(DiskOptions {
///     profile: Profile::Ext4Ordered,
///     tear: Tear::Page4k,
///     capacity_bytes: 1 << 20,
/// });
/// let file = disk.open("f", Access::Create).unwrap();
/// disk.write_at(file, 0, b"new").unwrap();
/// disk.sync_all(file).unwrap();
/// let mut search = Search::new(Bounds::NONE, 1_000);
/// search.recover(&disk, CrashKind::PowerCut, |mut crashed, _| {
///     let file = crashed.open("f", Access::Read).unwrap();
///     assert_eq!(&crashed.read_at(file, 0, 9).unwrap()[..], b"new");
/// });
/// assert_eq!((search.progress().recoveries, search.progress().points_cut), (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    bounds: Bounds,
    recoveries_left: u64,
    points: Seen,
    images: Seen,
    progress: Progress,
    /// The crash point searched last: the next one is much like it.
    last: Option<Arc<CrashPoint>>,
}

impl Search {
    /// A search within these bounds, of at most so many recoveries.
    #[must_use]
    pub fn new(bounds: Bounds, recoveries_max: u64) -> Search {
        Search {
            bounds,
            recoveries_left: recoveries_max,
            points: Seen::default(),
            images: Seen::default(),
            progress: Progress::default(),
            last: None,
        }
    }

    /// How far it got.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Calls `recover` with a disk that is left open until it is read, once for each way in which what
    /// it reads may come out: states that differ in nothing that it looks at are one. The choices
    /// say, afterwards, what it looked at.
    pub fn recover(
        &mut self,
        disk: &Disk,
        kind: CrashKind,
        mut recover: impl FnMut(Disk, &Choices),
    ) {
        let Some(point) = self.begin(disk, kind) else {
            return;
        };
        for &base in self.bounds.bases() {
            let mut odometer = Odometer::new(base, self.bounds);
            while let Some(choices) = odometer.next() {
                if self.recoveries_left == 0 {
                    self.progress.points_cut += 1;
                    return;
                }
                self.count_recovery();
                recover(point.lazily(&choices), &choices);
                odometer.learn(choices.made());
            }
        }
    }

    /// Calls `visit` with each image within the bounds that was not met before, at this or at another
    /// crash point, all of it decided.
    pub fn images(&mut self, disk: &Disk, kind: CrashKind, mut visit: impl FnMut(&Image<'_>)) {
        let Some(point) = self.begin(disk, kind) else {
            return;
        };
        let went = point.images(self.bounds, &mut |image| {
            self.progress.images += 1;
            if !self.images.insert(image.hash()) {
                self.progress.images_merged += 1;
                return ControlFlow::Continue(());
            }
            if self.recoveries_left == 0 {
                return ControlFlow::Break(());
            }
            self.count_recovery();
            visit(image);
            ControlFlow::Continue(())
        });
        self.progress.points_cut += u64::from(went.is_break());
    }

    fn count_recovery(&mut self) {
        self.recoveries_left -= 1;
        self.progress.recoveries += 1;
    }

    /// The crash point, unless a disk that holds the same was searched.
    fn begin(&mut self, disk: &Disk, kind: CrashKind) -> Option<Arc<CrashPoint>> {
        // An earlier crash may have left files open: they are as they are before this one.
        let mut disk = disk.clone();
        disk.determine_all();
        if !self.points.insert(disk.point_hash(kind)) {
            self.progress.points_merged += 1;
            return None;
        }
        self.progress.points += 1;
        let point = match &self.last {
            Some(last) if last.kind() == kind => last.next(&disk),
            _ => CrashPoint::new(&disk, kind),
        };
        let point = Arc::new(point);
        self.last = Some(Arc::clone(&point));
        Some(point)
    }
}
