//! Contents of `view`: a trie moved below a prefix, and a trie with other content.

mod mapped;
mod prefixed;

pub use mapped::Mapped;
pub use prefixed::Prefixed;
