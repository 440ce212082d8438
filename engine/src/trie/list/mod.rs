//! Contents of `list`: tries that are written down as sorted lists, and walks over them.

mod cursor;
mod entries;
mod place;
mod step;

pub use cursor::ListCursor;
pub(crate) use entries::check_order;
pub use entries::{Entry, List, ListError};
pub(crate) use place::{Placed, Turn, compare_places};
pub(crate) use step::Steps;
