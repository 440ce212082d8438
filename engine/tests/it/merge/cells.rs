//! Invariants tests of one cell: which of several versions wins.

use super::statements::{b, delete, v};

cases! { Ascending
    the_later_timestamp_wins: [v(10, "a"), v(9, "b")]
        => "1: v=a@10", 100 => "1: v=a";
    the_larger_value_wins_a_tie: [v(10, "a"), v(10, "b")]
        => "1: v=b@10", 100 => "1: v=b";
    the_longer_value_wins_a_tie_against_its_beginning: [v(10, "ab"), v(10, "abc")]
        => "1: v=abc@10", 100 => "1: v=abc";
    bytes_are_compared_without_a_sign: [b(10, &[0x7F]), b(10, &[0x80])]
        => "1: b=0x80@10", 100 => "1: b=0x80";
    an_empty_value_loses_a_tie: [v(10, ""), v(10, "a")]
        => "1: v=a@10", 100 => "1: v=a";
    a_deletion_wins_a_tie: [v(10, "z"), delete(10, "v")]
        => "1: v=X@10", 100 => "";
    a_later_value_outlives_a_deletion: [v(11, "a"), delete(10, "v")]
        => "1: v=a@11", 100 => "1: v=a";
    what_expires_wins_a_tie_and_the_other_does_not_come_back: [v(10, "z"), v(10, "a").ttl(5, 200)]
        => "1: v=a@10t5e200", 199 => "1: v=a", 200 => "";
    a_deletion_wins_a_tie_against_what_expires_later: [delete(10, "v"), v(10, "a").ttl(5, 200)]
        => "1: v=X@10", 150 => "";
    the_later_expiry_wins_a_tie_whatever_the_value: [v(10, "z").ttl(5, 200), v(10, "a").ttl(6, 201)]
        => "1: v=a@10t6e201", 200 => "1: v=a", 201 => "";
    of_one_expiry_the_larger_value_wins: [v(10, "a").ttl(5, 200), v(10, "b").ttl(5, 200)]
        => "1: v=b@10t5e200", 199 => "1: v=b";
    of_one_expiry_and_value_the_smaller_ttl_wins: [v(10, "a").ttl(5, 200), v(10, "a").ttl(7, 200)]
        => "1: v=a@10t5e200", 199 => "1: v=a";
    the_later_second_of_two_deletions_is_kept: [delete(10, "v"), delete(10, "v").d(101)]
        => "1: v=X@10d101", 100 => "";
    a_value_written_twice_is_one: [v(10, "a"), v(10, "a")]
        => "1: v=a@10", 100 => "1: v=a";
    an_older_deletion_between_two_values_changes_nothing: [v(10, "a"), delete(9, "v"), v(10, "b")]
        => "1: v=b@10", 100 => "1: v=b";
    timestamps_have_a_sign: [v(-5, "a"), v(-3, "b")]
        => "1: v=b@-3", 100 => "1: v=b";
    an_expired_value_turned_into_a_deletion_elsewhere_is_that_deletion:
        [v(10, "a").ttl(50, 880), delete(10, "v").d(830)]
        => "1: v=X@10d830", 840 => "", 900 => "";
    a_timestamp_counts_before_a_deletion_second:
        [delete(12, "v").d(1), v(11, "a"), delete(11, "v").d(900)]
        => "1: v=X@12d1", 1_000 => "";
}
