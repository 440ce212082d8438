//! Fault policy of goldens: a text that nobody accepted fails its test, and waits to be reviewed.
//!
//! This test fails whenever it is built, which is the point: CI builds it, demands that it fails, and
//! demands that `cargo insta pending-snapshots` then names its golden.

#[test]
fn a_text_that_nobody_accepted_is_refused() {
    cenotaph_snapshots::golden!(
        "canary",
        "never_accepted",
        "Nothing: it must never be accepted.",
        "a canary, singing\n"
    );
}
