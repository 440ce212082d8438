//! Byte layout of what stands between the components of a key.
//!
//! All lie in `10..=EF`: after the `00` that may end a component only `FE` or `FF` can continue it
//! (`01` and `00` after `FF` when it is inverted), so no separator is ever taken for a value byte.
//! `3E`, `3F` and `41` stand for null and empty components of other systems; no type here has such
//! values, so they are malformed.

/// The static row, before every position of its partition.
pub const STATIC: u8 = 0x18;
/// Just before what the components name: `>=` starts and `<` ends here.
pub const BEFORE: u8 = 0x20;
/// Ends a complete key: the position of the thing itself.
pub const TERMINATOR: u8 = 0x38;
/// A component follows.
pub const NEXT_COMPONENT: u8 = 0x40;
/// Just after what the components name: `>` starts and `<=` ends here.
pub const AFTER: u8 = 0x60;

const _: () = {
    assert!(STATIC < BEFORE && BEFORE < TERMINATOR);
    assert!(TERMINATOR < NEXT_COMPONENT && NEXT_COMPONENT < AFTER);
    assert!(STATIC >= 0x10 && AFTER <= 0xEF);
};
