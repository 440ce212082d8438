//! Vocabulary of fuzz targets: plain functions of bytes.
/// x
pub fn simulation(bytes: &[u8]) {
    assert!(bytes.len() < 1_000_000);
}
/// y
pub fn record_reader(bytes: &[u8]) {
    assert!(bytes.len() < 1_000_000);
}
