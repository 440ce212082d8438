//! Byte layout of a ratio in JSON: the string `"n/d"`.

use cenotaph_sim::entropy::Ratio;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(ratio: &Ratio, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(ratio)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Ratio, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| {
        D::Error::custom(format!(
            "`{text}` is not a ratio: expected \"n/d\" with n <= d, d > 0"
        ))
    })
}

fn parse(text: &str) -> Option<Ratio> {
    let (numerator, denominator) = text.split_once('/')?;
    Ratio::new(numerator.parse().ok()?, denominator.parse().ok()?)
}
