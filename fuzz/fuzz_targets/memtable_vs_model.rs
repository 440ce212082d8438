//! Steps: hand the fuzzer's bytes to [`cenotaph_fuzz::memtable_vs_model`].
#![no_main]
#![expect(
    clippy::disallowed_types,
    reason = "the macro's own code writes a file when asked to print an input"
)]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    cenotaph_fuzz::memtable_vs_model(bytes);
});
