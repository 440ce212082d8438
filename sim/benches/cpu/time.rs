//! Vocabulary of cost: CPU time, by the kernel's own accounting.

/// CPU nanoseconds of this thread so far.
#[expect(
    clippy::disallowed_methods,
    reason = "a bench measures the real machine"
)]
pub(crate) fn cpu_nanos() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .unwrap_or(0)
}
