//! Invariants of goldens: one behaviour a file, in the folder of the room it belongs to.
//!
//! A golden is written with [`golden!`], accepted with `cargo insta review` after reading it, and
//! stands at `snapshots/<package>/<room>/<case>.snap`. Its description says what it proves; its text
//! holds nothing that differs between two runs, two builds or two machines, so nothing is redacted.

#[doc(hidden)]
pub use insta;

/// Compares `$text` with the golden `snapshots/<room path>/<name>.snap`.
///
/// `$room` is the path of the room that the golden belongs to (`"sim/trace"`), `$name` the case, and
/// `$proves` one sentence that says what the golden proves.
///
/// # Panics
///
/// When the text differs from the golden, or there is none yet. Unless `INSTA_UPDATE` says otherwise,
/// the new text is then left beside the golden for `cargo insta review`.
#[macro_export]
macro_rules! golden {
    ($room:literal, $name:expr, $proves:expr, $text:expr) => {{
        let mut settings = $crate::insta::Settings::clone_current();
        settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/", $room));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_description($proves);
        settings.bind(|| $crate::insta::assert_snapshot!($name, $text));
    }};
}
