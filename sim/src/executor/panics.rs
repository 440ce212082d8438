//! Fault policy of panics: a panic in a simulated task is caught, kept silent and told to the run;
//! one anywhere else goes to the hook that was there before.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

static HOOK: Once = Once::new();

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned());
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message,
    }
}

/// Installs the process-wide hook once; it changes nothing outside [`guarded`].
pub(super) fn install_hook() {
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDED.with(Cell::get) {
                LAST.with(|last| *last.borrow_mut() = Some(describe(info)));
            } else {
                previous(info);
            }
        }));
    });
}

/// Runs `action`; a panic in it becomes its message.
#[inline]
pub(super) fn guarded<T>(action: impl FnOnce() -> T) -> Result<T, String> {
    let before = GUARDED.with(|guarded| guarded.replace(true));
    let result = panic::catch_unwind(AssertUnwindSafe(action));
    GUARDED.with(|guarded| guarded.set(before));
    result.map_err(|_| {
        LAST.with(|last| last.borrow_mut().take())
            .unwrap_or_else(|| "a panic without a message".to_owned())
    })
}
