//! Invariants of goldens: one behaviour a file, in the folder of the room it belongs to.

#[doc(hidden)]
pub use insta;

/// Compares `$text` with the golden `snapshots/<room path>/<name>.snap`.
///
/// `$room` is the path of the room that the golden belongs to (`"sim/trace"`), `$name` the case, and
/// `$proves` one sentence that says what the golden proves.
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
