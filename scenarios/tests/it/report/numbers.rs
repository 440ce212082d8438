//! Invariants of numbers in reports.

use std::time::Duration;

use cenotaph::report::{grouped, ratio, seconds};

#[test]
fn digits_stand_in_groups_of_three() {
    let cases = [
        (0, "0"),
        (999, "999"),
        (1_000, "1,000"),
        (12_345_678, "12,345,678"),
    ];
    for (number, text) in cases {
        assert_eq!(grouped(number), text);
    }
}

#[test]
fn ratios_are_cut_off_and_never_divide_by_nothing() {
    let cases = [
        ((2, 3), "0.66"),
        ((5, 1), "5.00"),
        ((9_999, 100), "99.99"),
        ((100, 1), "100"),
        ((1_234_567, 1), "1,234,567"),
        ((1, 0), "-"),
    ];
    for ((numerator, denominator), text) in cases {
        assert_eq!(ratio(numerator, denominator), text);
    }
    assert!(!ratio(u128::MAX, 1).is_empty(), "no ratio overflows");
}

#[test]
fn seconds_have_a_tenth_while_it_matters() {
    assert_eq!(seconds(Duration::from_millis(12_399)), "12.3s");
    assert_eq!(seconds(Duration::from_secs(1_234)), "1,234s");
}
