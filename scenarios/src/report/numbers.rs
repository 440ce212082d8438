//! Invariants of numbers in reports: integers only, digits in groups of three, ratios cut off, not
//! rounded, so that two builds print the same.

use std::time::Duration;

/// `1,234,567`
#[must_use]
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A quotient with two digits below 100 and none above: `2.31`, `1,234`; `-` when there is none.
#[must_use]
pub fn ratio(numerator: u128, denominator: u128) -> String {
    if denominator == 0 {
        return "-".to_owned();
    }
    let hundredths = numerator.saturating_mul(100) / denominator;
    match hundredths < 10_000 {
        true => format!("{}.{:02}", hundredths / 100, hundredths % 100),
        false => grouped(hundredths / 100),
    }
}

/// `12.3s`, `1,234s`
#[must_use]
pub fn seconds(duration: Duration) -> String {
    let tenths = duration.as_millis() / 100;
    match tenths < 1_000 {
        true => format!("{}.{}s", tenths / 10, tenths % 10),
        false => format!("{}s", grouped(tenths / 10)),
    }
}

/// `1 seed`, `2 seeds`
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(u128::from(number)))
}

/// `1 crash`, `2 crashes`
pub(super) fn crashes(number: u64) -> String {
    let plural = if number == 1 { "" } else { "es" };
    format!("{} crash{plural}", grouped(u128::from(number)))
}
