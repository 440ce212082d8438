//! Contents of `support`: short words for operations, scripts of histories, and a naive node.

pub(crate) mod honest;
pub(crate) mod many;
pub(crate) mod ops;
pub(crate) mod script;
