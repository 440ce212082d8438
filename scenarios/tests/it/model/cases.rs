//! Vocabulary of worked cases: a name, a few operations with their seconds, and what a read shows at
//! some second, in whatever order they land.

use cenotaph::model::{Landed, ReadRequest, evaluate};
use cenotaph::plan::{Operation, Shape};

use crate::support::ops::{read, shape};

/// The second of operations whose second is no matter.
pub(super) const BEGIN: u32 = 100;

/// One worked case.
pub(super) struct Case {
    /// Its name.
    pub(super) id: &'static str,
    /// Each with its second.
    pub(super) operations: Vec<(Operation, u32)>,
}

pub(super) fn case(id: &'static str, operations: &[Operation]) -> Case {
    Case {
        id,
        operations: operations
            .iter()
            .map(|what| (what.clone(), BEGIN))
            .collect(),
    }
}

pub(super) fn timed(id: &'static str, operations: &[(Operation, u32)]) -> Case {
    Case {
        id,
        operations: operations.to_vec(),
    }
}

impl Case {
    /// A read of everything shows this at this second.
    pub(super) fn shows_at(&self, now_seconds: u32, seen: &str) -> &Case {
        self.read_shows(&read(), &shape(), now_seconds, seen)
    }

    pub(super) fn shows(&self, seen: &str) -> &Case {
        self.shows_at(BEGIN, seen)
    }

    /// A read shows this, whatever the order of landing.
    pub(super) fn read_shows(
        &self,
        what: &Operation,
        shape: &Shape,
        now_seconds: u32,
        seen: &str,
    ) -> &Case {
        let request = ReadRequest::of(what, shape, now_seconds).expect("a read");
        let all: Vec<Landed<'_>> = self
            .operations
            .iter()
            .map(|(what, second)| Landed::at(what, *second))
            .collect();
        for order in orders(all.len()) {
            let landed: Vec<Landed<'_>> = order.iter().map(|index| all[*index]).collect();
            let shown = evaluate(&landed, &request).to_string();
            assert_eq!(
                shown, seen,
                "{} at {now_seconds}, landing as {order:?}",
                self.id
            );
        }
        self
    }
}

/// Every order of so many.
pub(super) fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for index in 0..count {
        let with = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| [&order[..at], &[index], &order[at..]].concat())
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all
}
