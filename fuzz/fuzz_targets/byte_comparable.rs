//! Steps: hand the fuzzer's bytes to [`cenotaph_fuzz::byte_comparable`].
#![no_main]
#![expect(
    clippy::disallowed_types,
    reason = "the macro's own code writes a file when asked to print an input"
)]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    cenotaph_fuzz::byte_comparable(bytes);
});
