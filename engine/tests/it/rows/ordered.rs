//! Invariants tests of rows in order: few or many, they are what a map of them is.

use std::collections::BTreeMap;

use cenotaph_engine::keys::{Clustering, Slice};
use cenotaph_engine::rows::{Liveness, Row, Rows};
use proptest::prelude::*;

use super::support::{any_slice, at};
use crate::laws::config;

/// What is done to rows.
#[derive(Clone, Debug)]
enum Step {
    Insert(i32, i64),
    Remove(i32),
    PopFirst,
    PopLast,
    /// Of those above the key.
    Change(i32, i64),
    /// Those whose key this does not divide.
    Retain(i32),
}

fn any_step() -> impl Strategy<Value = Step> {
    // More keys than there is room for few.
    let key = 0..24_i32;
    prop_oneof![
        8 => (key.clone(), 0..9_i64).prop_map(|(key, time)| Step::Insert(key, time)),
        2 => key.clone().prop_map(Step::Remove),
        1 => Just(Step::PopFirst),
        1 => Just(Step::PopLast),
        1 => (key, 0..9_i64).prop_map(|(key, time)| Step::Change(key, time)),
        1 => (2..5_i32).prop_map(Step::Retain),
    ]
}

fn row(time: i64) -> Row {
    Row {
        liveness: Some(Liveness::plain(time)),
        ..Row::default()
    }
}

fn take(step: &Step, rows: &mut Rows, model: &mut BTreeMap<Clustering, Row>) {
    match *step {
        Step::Insert(key, time) => {
            rows.insert(at(key), row(time));
            model.insert(at(key), row(time));
        }
        Step::Remove(key) => assert_eq!(rows.remove(&at(key)), model.remove(&at(key))),
        Step::PopFirst => assert_eq!(rows.pop_first(), model.pop_first()),
        Step::PopLast => assert_eq!(rows.pop_last(), model.pop_last()),
        Step::Change(key, time) => {
            assert_eq!(rows.get_mut(&at(key)), model.get_mut(&at(key)));
            let changed = |clustering: &Clustering| *clustering > at(key);
            let slice = Slice {
                start: at(key).after(),
                ..Slice::ALL
            };
            let range = slice.as_range().expect("it ends above all keys");
            rows.range_mut(range).for_each(|(_, own)| *own = row(time));
            let above = model.iter_mut().filter(|(own, _)| changed(own));
            above.for_each(|(_, own)| *own = row(time));
        }
        Step::Retain(divisor) => {
            let goes = |clustering: &Clustering| {
                (0..24).any(|key| key % divisor == 0 && *clustering == at(key))
            };
            rows.retain(|clustering, _| !goes(clustering));
            model.retain(|clustering, _| !goes(clustering));
        }
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn rows_few_or_many_are_what_a_map_of_them_is(
        steps in prop::collection::vec(any_step(), 0..60),
        slice in any_slice(),
    ) {
        let (mut rows, mut model) = (Rows::default(), BTreeMap::new());
        for step in &steps {
            take(step, &mut rows, &mut model);
            prop_assert_eq!(rows.len(), model.len());
            prop_assert_eq!(rows.is_empty(), model.is_empty());
            prop_assert!(rows.iter().eq(&model));
            prop_assert!(rows.iter().rev().eq(model.iter().rev()));
            prop_assert!(rows.values().eq(model.values()));
            prop_assert_eq!(rows.last_key_value(), model.last_key_value());
            for key in 0..24 {
                prop_assert_eq!(rows.get(&at(key)), model.get(&at(key)));
            }
            if let Some(range) = slice.as_range() {
                prop_assert!(rows.range(range).eq(model.range::<[u8], _>(range)));
            }
        }
        let collected: Rows = model.clone().into_iter().collect();
        prop_assert_eq!(&collected, &rows);
        let backwards: Rows = model.clone().into_iter().rev().collect();
        prop_assert_eq!(&backwards, &rows);
        prop_assert!(rows.into_iter().eq(model));
    }
}
