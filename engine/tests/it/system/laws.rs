//! Invariants under test: the rows say what the schema says, in whatever order they come, after whatever loss.

use cenotaph_engine::limits::SYSTEM_ROW_SIZE_MAX;
use cenotaph_engine::rows::Mutation;
use cenotaph_engine::schema::{Schema, Table};
use cenotaph_engine::system::Projection;
use proptest::prelude::*;
use proptest::sample::Index;

use super::support::{Rows, any_history, enacted};

/// Indices of a history at which a node looks: first and last, and some between.
fn seen(history: &[Schema], some: &[Index]) -> Vec<usize> {
    let mut seen: Vec<usize> = some.iter().map(|at| at.index(history.len())).collect();
    seen.extend([0, history.len() - 1]);
    seen.sort_unstable();
    seen.dedup();
    seen
}

fn by_name(schema: &Schema) -> Vec<Table> {
    let mut tables: Vec<Table> = schema.tables().map(|table| Table::clone(table)).collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    tables
}

proptest! {
    #![proptest_config(crate::laws::config(96))]

    #[test]
    fn the_rows_hold_all_that_the_schema_knows_of_its_tables(all in any_history()) {
        for schema in &all {
            let tables = Projection::of_schema(schema).tables();
            prop_assert_eq!(tables, Ok(by_name(schema)));
        }
    }

    #[test]
    fn mutations_in_any_order_give_the_rows_of_the_schema(
        all in any_history(),
        some in prop::collection::vec(any::<Index>(), 0..20),
        shuffle in prop::collection::vec(any::<u32>(), 400),
        size_max in SYSTEM_ROW_SIZE_MAX..4_096_usize,
    ) {
        let mutations = enacted(&all, &seen(&all, &some), size_max);
        let mut order: Vec<usize> = (0..mutations.len()).collect();
        order.sort_by_key(|index| (shuffle.get(*index), *index));
        let mut rows = Rows::default();
        for index in order {
            let mutation = &mutations[index];
            let encoded = mutation.encode();
            prop_assert!(encoded.len() <= size_max, "{} > {size_max}", encoded.len());
            let decoded = Mutation::decode(&encoded);
            prop_assert_eq!(decoded.as_ref(), Ok(mutation));
            rows.apply(std::slice::from_ref(mutation));
        }
        let last = all.last().expect("the empty schema");
        prop_assert_eq!(rows.projection(last.epoch()), Projection::of_schema(last));
    }

    #[test]
    fn whatever_was_lost_is_mended_once_and_later_changes_win_over_it(
        all in any_history(),
        some in prop::collection::vec(any::<Index>(), 0..20),
        lost in prop::collection::vec(any::<bool>(), 400),
        crash in any::<Index>(),
    ) {
        let crash = crash.index(all.len());
        let before = seen(&all[..=crash], &some);
        let kept = enacted(&all, &before, 4_096).into_iter().zip(&lost);
        let kept: Vec<Mutation> = kept.filter(|(_, lost)| !**lost).map(|(kept, _)| kept).collect();
        let mut rows = Rows::default();
        rows.apply(&kept);

        let schema = &all[crash];
        let (mended, _, _) = rows.mend(schema, SYSTEM_ROW_SIZE_MAX);
        rows.apply(&mended);
        prop_assert_eq!(rows.projection(schema.epoch()), Projection::of_schema(schema));
        let (again, written, deleted) = rows.mend(schema, SYSTEM_ROW_SIZE_MAX);
        prop_assert_eq!((again.len(), written, deleted), (0, 0, 0));

        let after: Vec<usize> = (crash..all.len()).collect();
        rows.apply(&enacted(&all, &after, 4_096));
        let last = all.last().expect("the empty schema");
        prop_assert_eq!(rows.projection(last.epoch()), Projection::of_schema(last));
    }
}
