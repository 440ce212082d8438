//! Steps of a tape: do an operation, keep a fork of the disk: the crash points of a run, in order.
//!
//! What a sync is about to force, and what a write in flight has done so far, are registers between
//! their bounds: a crash within either leaves a state of the point before the one or after the other.

use crate::disk::volume::Disk;

/// A disk right after an operation.
#[derive(Clone, Debug)]
pub struct Point {
    /// What was done.
    pub label: String,
    /// The disk, a fork.
    pub disk: Disk,
}

/// A run on a disk with a crash point after each of its operations.
#[derive(Clone, Debug)]
pub struct Tape {
    disk: Disk,
    points: Vec<Point>,
}

impl Tape {
    /// A run that begins with this disk, which is its first crash point.
    #[must_use]
    pub fn new(disk: Disk) -> Tape {
        let first = Point {
            label: "start".to_owned(),
            disk: disk.clone(),
        };
        Tape {
            disk,
            points: vec![first],
        }
    }

    /// Does an operation that changes names or contents or makes some durable.
    pub fn step<R>(&mut self, label: impl Into<String>, operate: impl FnOnce(&mut Disk) -> R) -> R {
        let answer = operate(&mut self.disk);
        self.points.push(Point {
            label: label.into(),
            disk: self.disk.clone(),
        });
        answer
    }

    /// The disk as it is now.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The crash points so far.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}
