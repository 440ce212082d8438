//! Contents of `codec`: the bytes of rows, partitions and mutations, which `FORMAT.md` describes.
//!
//! There is one encoding of each content: whatever decodes encodes again to the same bytes, and what is
//! not in canonical form does not decode.

mod mutation;
mod parts;
mod partition;
mod row;
