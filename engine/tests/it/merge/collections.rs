//! Invariants tests of columns with many cells: maps, sets, lists and structs, whole and by element.

use cenotaph_engine::keys::Order;
use cenotaph_engine::read::{execute, merge};

use super::case::{prepare, select};
use super::statements::{
    Write, add, delete, delete_partition, delete_row, fields, insert, list, map, remove, set,
    update,
};
use super::tables::{schema, table};

cases! { Ascending
    a_map_set_whole_deletes_all_that_is_older: [update(10, "m", map(&[("a", "1")]))]
        => "1: CD(m)@9 m[a]=1@10", 100 => "1: m={a: 1}";
    an_older_entry_does_not_join_a_map_set_whole:
        [update(10, "m", map(&[("a", "1")])), add(9, "m", map(&[("b", "2")]))]
        => "1: CD(m)@9 m[a]=1@10", 100 => "1: m={a: 1}";
    an_entry_of_the_same_timestamp_joins_a_map_set_whole:
        [update(10, "m", map(&[("a", "1")])), add(10, "m", map(&[("b", "2")]))]
        => "1: CD(m)@9 m[a]=1@10 m[b]=2@10", 100 => "1: m={a: 1, b: 2}";
    two_maps_set_whole_at_one_timestamp_are_both:
        [update(10, "m", map(&[("a", "1")])), update(10, "m", map(&[("b", "2")]))]
        => "1: CD(m)@9 m[a]=1@10 m[b]=2@10", 100 => "1: m={a: 1, b: 2}";
    the_later_of_two_maps_set_whole_is_all:
        [update(10, "m", map(&[("a", "1")])), update(11, "m", map(&[("b", "2")]))]
        => "1: CD(m)@10 m[b]=2@11", 100 => "1: m={b: 2}";
    a_removed_entry_leaves_its_deletion: [add(10, "m", map(&[("a", "1")])), remove(12, "m", &["a"])]
        => "1: m[a]=X@12", 100 => "";
    a_deletion_of_all_elements_equal_to_the_rows_says_nothing:
        [delete_row(9).d(5), delete(9, "m").d(5), add(10, "m", map(&[("a", "1")]))]
        => "1: RD@9d5 m[a]=1@10", 100 => "1: m={a: 1}";
    a_later_deletion_of_all_elements_takes_what_the_rows_left:
        [delete_row(10), delete(12, "m"), add(11, "m", map(&[("a", "1")])), add(13, "m", map(&[("b", "2")]))]
        => "1: RD@10 CD(m)@12 m[b]=2@13", 100 => "1: m={b: 2}";
    a_row_deletion_takes_the_deletion_of_all_elements_and_them:
        [delete_row(12), delete(10, "m"), add(11, "m", map(&[("a", "1")]))]
        => "1: RD@12", 100 => "";
    a_partition_deletion_takes_the_deletion_of_all_elements:
        [delete_partition(12), delete(12, "m"), add(13, "m", map(&[("a", "1")]))]
        => "PD@12 1: m[a]=1@13", 100 => "1: m={a: 1}";
    a_deletion_of_all_elements_alone_is_stored_and_not_seen: [delete(9, "m")]
        => "1: CD(m)@9", 100 => "";
    of_two_deletions_of_all_elements_the_later_second_is_kept: [delete(9, "m").d(5), delete(9, "m").d(6)]
        => "1: CD(m)@9d6", 100 => "";
    a_removal_wins_a_tie: [add(10, "e", set(&["x"])), remove(10, "e", &["x"])]
        => "1: e[x]=X@10", 100 => "";
    two_appends_of_one_timestamp_are_both_there_in_the_order_of_their_ids:
        [add(10, "l", list(&["x"])), add(10, "l", list(&["y"]))]
        => "1: l[0]=x@10 l[1]=y@10", 100 => "1: l=[x, y]";
    of_two_frozen_maps_one_wins_whole: [update(10, "f", map(&[("a", "1")])), update(10, "f", map(&[("b", "2")]))]
        => "1: f={b: 2}@10", 100 => "1: f={b: 2}";
    fields_are_written_one_by_one:
        [add(10, "u", fields(&[("a", Some("1"))])), add(11, "u", fields(&[("b", Some("2"))]))]
        => "1: u.a=1@10 u.b=2@11", 100 => "1: u={a: 1, b: 2}";
    a_field_set_to_null_leaves_the_others: [
        add(10, "u", fields(&[("a", Some("1")), ("b", Some("2"))])),
        add(11, "u", fields(&[("a", None)]))]
        => "1: u.a=X@11 u.b=2@10", 100 => "1: u={a: null, b: 2}";
    a_struct_set_whole_has_only_what_it_says: [
        add(10, "u", fields(&[("a", Some("1")), ("b", Some("2"))])),
        update(11, "u", fields(&[("a", Some("3")), ("b", None)]))]
        => "1: CD(u)@10 u.a=3@11", 100 => "1: u={a: 3, b: null}";
    a_list_set_whole_forgets_what_was_appended_before:
        [add(10, "l", list(&["x", "y"])), update(11, "l", list(&["z", "z"])), add(12, "l", list(&["a"]))]
        => "1: CD(l)@10 l[0]=z@11 l[1]=z@11 l[2]=a@12", 100 => "1: l=[z, z, a]";
    elements_expire_one_by_one:
        [add(10, "e", set(&["x"])).ttl(5, 200), add(11, "e", set(&["y"])).ttl(5, 300)]
        => "1: e[x]=@10t5e200 e[y]=@11t5e300", 199 => "1: e={x, y}", 200 => "1: e={y}", 300 => "";
    an_element_that_expires_wins_a_tie_and_the_other_does_not_come_back:
        [add(10, "m", map(&[("a", "z")])), add(10, "m", map(&[("a", "b")])).ttl(5, 200)]
        => "1: m[a]=b@10t5e200", 199 => "1: m={a: b}", 200 => "";
    an_empty_map_set_whole_is_null: [add(10, "m", map(&[("a", "1")])), update(11, "m", map(&[]))]
        => "1: CD(m)@10", 100 => "";
    a_null_inserted_for_a_map_deletes_what_has_its_timestamp:
        [add(10, "m", map(&[("a", "1")])), insert(10, &[("m", None)])]
        => "1: L@10 CD(m)@10", 100 => "1:";
    an_empty_element_is_an_element: [add(10, "e", set(&["", "x"])), remove(11, "e", &["x"])]
        => "1: e[]=@10 e[x]=X@11", 100 => "1: e={}";
    static_maps_merge_as_others_do: [
        update(10, "n", map(&[("a", "1")])).of_partition(),
        add(9, "n", map(&[("b", "2")])).of_partition(),
        add(11, "n", map(&[("c", "3")])).of_partition()]
        => "CD(n)@9 n[a]=1@10 n[c]=3@11", 100 => "n={a: 1, c: 3}";
    the_deletions_of_two_columns_do_not_meet: [
        update(10, "m", map(&[("a", "1")])),
        add(5, "e", set(&["x"])),
        delete(4, "e"),
        delete(20, "l")]
        => "1: CD(m)@9 CD(e)@4 CD(l)@20 m[a]=1@10 e[x]=@5", 100 => "1: m={a: 1} e={x}";
}

/// Dead things that a read meets, and live rows.
fn met(writes: &[Write]) -> (usize, usize) {
    let schema = schema(Order::Ascending);
    let mutations = prepare(writes, &schema);
    let merged = merge(mutations.into_iter().map(|mutation| mutation.update));
    let command = select().prepare(&schema, 100).unwrap();
    let counts = execute(&command, table(&schema), merged).unwrap().counts;
    (counts.tombstone_count, counts.live_row_count)
}

#[test]
fn a_deletion_of_all_elements_counts_once_and_only_where_nothing_else_of_the_row_shows() {
    assert_eq!(met(&[delete(9, "m")]), (1, 0));
    assert_eq!(met(&[delete(9, "m"), add(10, "e", set(&["x"]))]), (0, 1));
    assert_eq!(met(&[delete(9, "m"), remove(10, "e", &["x", "y"])]), (2, 0));
}
