//! Invariants tests of one row: what keeps it to be seen.

use super::statements::{delete, delete_row, insert, insert_v, update, v};

cases! { Ascending
    an_inserted_key_is_a_row_of_nulls: [insert(10, &[])]
        => "1: L@10", 100 => "1:";
    an_updated_row_goes_with_its_last_cell_and_the_deletion_stays: [v(10, "1"), delete(11, "v")]
        => "1: v=X@11", 100 => "";
    an_inserted_row_outlives_its_last_cell: [insert_v(10, "1"), delete(11, "v")]
        => "1: L@10 v=X@11", 100 => "1:";
    an_inserted_key_expires: [insert(10, &[]).ttl(5, 200)]
        => "1: L@10t5e200", 199 => "1:", 200 => "";
    a_marker_that_expires_wins_a_tie: [insert(10, &[]), insert(10, &[]).ttl(5, 200)]
        => "1: L@10t5e200", 199 => "1:", 200 => "";
    the_marker_that_expires_later_wins_a_tie: [insert(10, &[]).ttl(5, 200), insert(10, &[]).ttl(9, 300)]
        => "1: L@10t9e300", 299 => "1:", 300 => "";
    a_later_marker_wins_against_one_that_expires: [insert(11, &[]), insert(10, &[]).ttl(9, 300)]
        => "1: L@11", 400 => "1:";
    of_markers_with_one_expiry_the_smaller_ttl_wins:
        [insert(10, &[]).ttl(5, 200), insert(10, &[]).ttl(9, 200)]
        => "1: L@10t5e200", 199 => "1:";
    an_update_outlives_the_insert_that_expired: [insert_v(10, "1").ttl(5, 200), v(11, "2")]
        => "1: L@10t5e200 v=2@11", 250 => "1: v=2";
    an_insert_outlives_the_value_that_expired: [v(10, "1").ttl(5, 200), insert(11, &[])]
        => "1: L@11 v=1@10t5e200", 199 => "1: v=1", 250 => "1:";
    a_null_written_to_no_row_is_stored_and_not_seen: [update(10, "v", None)]
        => "1: v=X@10", 100 => "";
    a_row_deletion_takes_what_has_its_timestamp: [insert_v(10, "1"), delete_row(10)]
        => "1: RD@10", 100 => "";
    a_row_written_after_its_deletion_keeps_both: [insert_v(11, "1"), delete_row(10)]
        => "1: L@11 RD@10 v=1@11", 100 => "1: v=1";
    an_insert_of_null_is_a_marker_and_a_deletion: [insert(10, &[("v", None)])]
        => "1: L@10 v=X@10", 100 => "1:";
}
